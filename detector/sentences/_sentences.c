/* What is looked for in every sentence, in C: survey, letters, fit and frame.

   Data flow: list of sentences  -->  survey:   expressions whose literals it contains, words, plain words, kana
                                 -->  letters:  the same strings without what is no letter or digit, numbers parted
                                 -->  fit:      for each sentence of a page, how many per cent of its words others have
     two lists of sentences      -->  frame:    how many words each list has, and how many of them the other has too

   The automaton of survey is made by literals.py; the Python of information.py, loose.py and topic.py is the
   reference. No memory is held between calls. */

#include "../../features/_buffers.h"

static bool all_strings(PyObject *texts)
{
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(texts); at++)
        if (!PyUnicode_Check(PyList_GET_ITEM(texts, at))) {
            PyErr_SetString(PyExc_TypeError, "texts: a list of strings");
            return false;
        }
    return true;
}

/* ---- survey ---- */

typedef struct {
    const uint16_t *classes, *moves;
    const uint64_t *marks;
    Py_ssize_t states, width;
    uint16_t digit;
} Automaton;

typedef struct {
    uint64_t marks;
    int32_t words, plain;
    uint8_t kana;
} Found;

enum { PLANE = 1 << 16 };

/* A word is plain while it is a letter and small ones, with hyphens and apostrophes among them, and then marks that end
   a clause: no such word looks like code. */
enum { BEFORE, LETTERS, CLOSED, ODD };

static inline int after_char(int word, Py_UCS4 point)
{
    bool small = point >= 'a' && point <= 'z';
    switch (word) {
    case BEFORE:
        return small || (point >= 'A' && point <= 'Z') ? LETTERS : ODD;
    case LETTERS:
        if (small || point == '-' || point == '\'' || point == 0x2019)
            return LETTERS;
        /* fall through */
    case CLOSED:
        return point == ',' || point == '.' || point == '!' || point == '?' || point == ':' || point == ')' ? CLOSED : ODD;
    default:
        return ODD;
    }
}

static Found survey_text(const Automaton *automaton, PyObject *text)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    Found found = {.marks = automaton->marks[0]};
    Py_ssize_t state = 0;
    int word = BEFORE;
    for (Py_ssize_t at = 0; at < length; at++) {
        Py_UCS4 point = PyUnicode_READ(kind, data, at);
        uint16_t class = point < PLANE ? automaton->classes[point] : Py_UNICODE_ISDECIMAL(point) ? automaton->digit : 0;
        state = automaton->moves[state * automaton->width + class];
        found.marks |= automaton->marks[state];
        if (point >= 0x3041 && point <= 0x3096)
            found.kana = 1;
        if (Py_UNICODE_ISSPACE(point)) {
            found.words += word != BEFORE;
            found.plain += word == LETTERS || word == CLOSED;
            word = BEFORE;
        } else {
            word = after_char(word, point);
        }
    }
    found.words += word != BEFORE;
    found.plain += word == LETTERS || word == CLOSED;
    return found;
}

/* Whether no move of the automaton leads out of it, and no class is beyond its width. */
static bool is_closed(const Automaton *automaton)
{
    bool closed = automaton->states > 0 && automaton->width > automaton->digit;
    for (Py_ssize_t at = 0; closed && at < automaton->states * automaton->width; at++)
        closed = automaton->moves[at] < automaton->states;
    for (Py_ssize_t point = 0; closed && point < PLANE; point++)
        closed = automaton->classes[point] < automaton->width;
    if (!closed)
        PyErr_SetString(PyExc_ValueError, "an automaton whose moves lead out of it");
    return closed;
}

static PyObject *survey(PyObject *self, PyObject *arguments)
{
    PyObject *texts, *given[3], *results[4], *result = NULL;
    int digit;
    if (!PyArg_ParseTuple(arguments, "O!OOOiOOOO", &PyList_Type, &texts, &given[0], &given[1], &given[2], &digit,
                          &results[0], &results[1], &results[2], &results[3]))
        return NULL;
    Buffers buffers = {.count = 0};
    Automaton automaton = {.states = -1, .digit = (uint16_t)digit};
    Py_ssize_t count = PyList_GET_SIZE(texts), cells = -1;
    uint64_t *marks;
    int32_t *words, *plain;
    uint8_t *kana;
    if ((automaton.classes = numbers(&buffers, given[0], PLANE, 2, false))
        && (automaton.moves = take(&buffers, given[1], &cells, 2, false))
        && (automaton.marks = take(&buffers, given[2], &automaton.states, 8, false))
        && (marks = numbers(&buffers, results[0], count, 8, true)) && (words = numbers(&buffers, results[1], count, 4, true))
        && (plain = numbers(&buffers, results[2], count, 4, true)) && (kana = numbers(&buffers, results[3], count, 1, true))) {
        automaton.width = automaton.states ? cells / automaton.states : 0;
        if (automaton.width * automaton.states != cells)
            PyErr_SetString(PyExc_ValueError, "an automaton with rows of several lengths");
        else if (is_closed(&automaton) && all_strings(texts)) {
            for (Py_ssize_t at = 0; at < count; at++) {
                Found found = survey_text(&automaton, PyList_GET_ITEM(texts, at));
                marks[at] = found.marks;
                words[at] = found.words;
                plain[at] = found.plain;
                kana[at] = found.kana;
            }
            result = Py_NewRef(Py_None);
        }
    }
    release(&buffers);
    return result;
}

/* ---- letters ---- */

typedef struct {
    int kind;
    const void *data;
    Py_ssize_t length;
} String;

static inline Py_UCS4 at(const String *text, Py_ssize_t place) { return PyUnicode_READ(text->kind, text->data, place); }

static inline bool is_digit(const String *text, Py_ssize_t place)
{
    return place < text->length && at(text, place) >= '0' && at(text, place) <= '9';
}

/* Whether signs between two digits part two numbers: all do but a comma before three digits, that of thousands. */
static bool parts_numbers(const String *text, Py_ssize_t start, Py_ssize_t end)
{
    if (start == 0 || !is_digit(text, start - 1) || !is_digit(text, end))
        return false;
    return at(text, start) != ',' || !is_digit(text, start + 1) || !is_digit(text, start + 2) || !is_digit(text, start + 3)
           || is_digit(text, start + 4);
}

static PyObject *letters_of(PyObject *given, Py_UCS4 parted)
{
    String text = {PyUnicode_KIND(given), PyUnicode_DATA(given), PyUnicode_GET_LENGTH(given)};
    int kind = text.kind == PyUnicode_1BYTE_KIND ? PyUnicode_2BYTE_KIND : text.kind; /* the sign may need two bytes */
    Py_ssize_t kept = 0;
    Py_UCS4 small[256];
    void *points = text.length * kind <= (Py_ssize_t)sizeof small ? small : PyMem_Malloc((size_t)(text.length * kind));
    if (points == NULL)
        return PyErr_NoMemory();
    for (Py_ssize_t place = 0; place < text.length; place++) {
        Py_UCS4 point = at(&text, place);
        if (Py_UNICODE_ISALNUM(point)) {
            PyUnicode_WRITE(kind, points, kept++, point);
            continue;
        }
        Py_ssize_t end = place + 1;
        while (end < text.length && !Py_UNICODE_ISALNUM(at(&text, end)))
            end++;
        if (parts_numbers(&text, place, end))
            PyUnicode_WRITE(kind, points, kept++, parted);
        place = end - 1;
    }
    PyObject *result = PyUnicode_FromKindAndData(kind, points, kept);
    if (points != small)
        PyMem_Free(points);
    return result;
}

static PyObject *letters(PyObject *self, PyObject *arguments)
{
    PyObject *texts;
    int parted;
    if (!PyArg_ParseTuple(arguments, "O!C", &PyList_Type, &texts, &parted) || !all_strings(texts))
        return NULL;
    if (parted > 0xFFFF)
        return PyErr_Format(PyExc_ValueError, "a sign of the first plane");
    PyObject *result = PyList_New(PyList_GET_SIZE(texts));
    for (Py_ssize_t place = 0; result != NULL && place < PyList_GET_SIZE(texts); place++) {
        PyObject *kept = letters_of(PyList_GET_ITEM(texts, place), (Py_UCS4)parted);
        if (kept == NULL)
            Py_CLEAR(result);
        else
            PyList_SET_ITEM(result, place, kept);
    }
    return result;
}

/* ---- fit ---- */

enum { WHOLE = 100, SHORTEST_WORD = 4, SHORTEST_KATAKANA = 3 };

/* The words of a page by their hashes, of 64 bits: how many sentences have each, and the last of them. */
typedef struct {
    uint64_t hash;
    int32_t sentences, last;
} Word;

typedef struct {
    Word *words;
    size_t room, used; /* room: a power of two */
    Growing owned;     /* the hashes of the sentences' different words, one sentence after another */
    long long words_of[2], shared[2]; /* inside and outside of the content: words, and those that the other has */
} Vocabulary;

static bool make_room(Vocabulary *vocabulary)
{
    size_t room = vocabulary->room ? 4 * vocabulary->room : 1024;
    Word *words = PyMem_Calloc(room, sizeof *words);
    if (words == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t at = 0; at < vocabulary->room; at++)
        if (vocabulary->words[at].sentences) {
            size_t place = vocabulary->words[at].hash & (room - 1);
            while (words[place].sentences)
                place = (place + 1) & (room - 1);
            words[place] = vocabulary->words[at];
        }
    PyMem_Free(vocabulary->words);
    vocabulary->words = words;
    vocabulary->room = room;
    return true;
}

static Word *word_of(const Vocabulary *vocabulary, uint64_t hash)
{
    size_t place = hash & (vocabulary->room - 1);
    while (vocabulary->words[place].sentences && vocabulary->words[place].hash != hash)
        place = (place + 1) & (vocabulary->room - 1);
    return &vocabulary->words[place];
}

/* What is done with a word of a text of that number; false where there is no memory for it. */
typedef bool Note(Vocabulary *vocabulary, uint64_t hash, int32_t number);

static bool note_sentence(Vocabulary *vocabulary, uint64_t hash, int32_t sentence)
{
    if (2 * vocabulary->used >= vocabulary->room && !make_room(vocabulary))
        return false;
    Word *word = word_of(vocabulary, hash);
    if (word->sentences && word->last == sentence)
        return true;
    vocabulary->used += !word->sentences;
    word->hash = hash;
    word->sentences++;
    word->last = sentence;
    uint64_t *end = grow(&vocabulary->owned, sizeof *end);
    if (end != NULL)
        *end = hash;
    return end != NULL;
}

static inline uint64_t mixed(uint64_t hash, Py_UCS4 point)
{
    hash = (hash ^ point) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

static inline bool is_letter(Py_UCS4 point) { return (point | 32) >= 'a' && (point | 32) <= 'z'; }
static inline bool in_word(Py_UCS4 point) { return is_letter(point) || (point >= '0' && point <= '9') || point == '_'; }
static inline bool is_katakana(Py_UCS4 point) { return (point >= 0x30A1 && point <= 0x30FA) || point == 0x30FC; }
static inline bool is_kanji(Py_UCS4 point) { return (point >= 0x4E00 && point <= 0x9FFF) || point == 0x3005; }

/* Notes words of an alphabet without case, words of katakana, and pairs of kanji. */
static inline __attribute__((always_inline)) bool note_words(Vocabulary *vocabulary, PyObject *text, Note *note, int32_t sentence)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), at = 0;
    bool good = true;
    while (good && at < length) {
        Py_UCS4 point = PyUnicode_READ(kind, data, at);
        Py_ssize_t start = at;
        uint64_t hash = 1;
        if (is_letter(point)) {
            for (; at < length && in_word(point = PyUnicode_READ(kind, data, at)); at++)
                hash = mixed(hash, is_letter(point) ? point | 32 : point);
            good = at - start < SHORTEST_WORD || note(vocabulary, hash, sentence);
        } else if (is_katakana(point)) {
            for (; at < length && is_katakana(point = PyUnicode_READ(kind, data, at)); at++)
                hash = mixed(hash, point);
            good = at - start < SHORTEST_KATAKANA || note(vocabulary, hash, sentence);
        } else {
            if (is_kanji(point) && at + 1 < length && is_kanji(PyUnicode_READ(kind, data, at + 1)))
                good = note(vocabulary, mixed(mixed(hash, point), PyUnicode_READ(kind, data, at + 1)), sentence);
            at++;
        }
    }
    return good;
}

static PyObject *fit(PyObject *self, PyObject *arguments)
{
    PyObject *texts, *fits, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "O!O", &PyList_Type, &texts, &fits) || !all_strings(texts))
        return NULL;
    Buffers buffers = {.count = 0};
    Vocabulary vocabulary = {.room = 0};
    Py_ssize_t count = PyList_GET_SIZE(texts);
    int64_t *shares = numbers(&buffers, fits, count, 8, true);
    bool good = shares != NULL && count < INT32_MAX && make_room(&vocabulary);
    for (Py_ssize_t at = 0; good && at < count; at++) {
        size_t before = vocabulary.owned.length;
        good = note_words(&vocabulary, PyList_GET_ITEM(texts, at), note_sentence, (int32_t)at);
        shares[at] = (int64_t)((vocabulary.owned.length - before) / sizeof(uint64_t)); /* how many; which, below */
    }
    const uint64_t *owned = (const uint64_t *)vocabulary.owned.data;
    for (Py_ssize_t at = 0; good && at < count; at++) {
        int64_t words = shares[at], elsewhere = 0;
        for (int64_t word = 0; word < words; word++)
            elsewhere += word_of(&vocabulary, *owned++)->sentences > 1;
        shares[at] = WHOLE * elsewhere / (words ? words : 1);
    }
    if (good)
        result = Py_NewRef(Py_None);
    PyMem_Free(vocabulary.words);
    PyMem_Free(vocabulary.owned.data);
    release(&buffers);
    return result;
}

/* ---- frame ---- */

enum { INSIDE, OUTSIDE, SEEN_OUTSIDE = -1 };

/* Counts a word inside; outside, whether it is also inside, and whether that is seen for the first time. */
static bool note_side(Vocabulary *vocabulary, uint64_t hash, int32_t side)
{
    if (side == INSIDE && 2 * vocabulary->used >= vocabulary->room && !make_room(vocabulary))
        return false;
    Word *word = word_of(vocabulary, hash);
    vocabulary->words_of[side]++;
    if (side == INSIDE) {
        vocabulary->used += !word->sentences;
        word->hash = hash;
        word->sentences++;
    } else if (word->sentences) {
        vocabulary->shared[OUTSIDE]++;
        vocabulary->shared[INSIDE] += word->last == SEEN_OUTSIDE ? 0 : word->sentences;
        word->last = SEEN_OUTSIDE;
    }
    return true;
}

static PyObject *frame(PyObject *self, PyObject *arguments)
{
    PyObject *texts[2];
    if (!PyArg_ParseTuple(arguments, "O!O!", &PyList_Type, &texts[INSIDE], &PyList_Type, &texts[OUTSIDE])
        || !all_strings(texts[INSIDE]) || !all_strings(texts[OUTSIDE]))
        return NULL;
    Vocabulary vocabulary = {.room = 0};
    bool good = make_room(&vocabulary);
    for (int side = INSIDE; side <= OUTSIDE; side++)
        for (Py_ssize_t at = 0; good && at < PyList_GET_SIZE(texts[side]); at++)
            good = note_words(&vocabulary, PyList_GET_ITEM(texts[side], at), note_side, side);
    PyMem_Free(vocabulary.words);
    return good ? Py_BuildValue("((LL)(LL))", vocabulary.shared[INSIDE], vocabulary.words_of[INSIDE], vocabulary.shared[OUTSIDE],
                                vocabulary.words_of[OUTSIDE])
                : NULL;
}

static PyMethodDef methods[] = {
    {"survey", survey, METH_VARARGS,
     "survey(texts, classes, moves, marks, digit, found, words, plain, kana): fills the last four, a place a text."},
    {"letters", letters, METH_VARARGS,
     "letters(texts, parted) -> the texts without what is neither letter nor digit; that sign between two numbers."},
    {"fit", fit, METH_VARARGS, "fit(texts, fits): fills the fit of each sentence of a page."},
    {"frame", frame, METH_VARARGS,
     "frame(inside, outside) -> for each of the two: how many of its words the other has too, and how many it has."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_sentences", NULL, 0, methods};

PyMODINIT_FUNC PyInit__sentences(void) { return PyModule_Create(&definition); }
