/* The characters of many texts, in C: how many of each kind a text has, its words, and which texts are the same.

   Data flow (tables are made by characters.py; nothing here knows a character):

     texts  --scan-->        counts of kinds, lengths, first and last kind, number of words, a row a text
     texts  --words-->       the words: text, key, place, length
     words  --word_keys-->   the key of each
     texts  --same_texts-->  for each text the last one of its page that has the same characters

   Strings are read where Python keeps them. Nothing is kept between calls. characters.py and forest.py do the same
   with NumPy where this was not built; tests hold the two against each other. */

#include "../_buffers.h"

enum { BMP = 1 << 16, KANJI_PLANES_FIRST = 2, KANJI_PLANES_LAST = 3, MOST_KINDS = 32, SPACE = 1, LOWER = 3, UPPER = 4 };

typedef struct {
    const uint8_t *kinds;     /* of each code point of the basic plane, then of others, then of kanji beyond it */
    const uint8_t *scripts;   /* of each kind; 0 for what is no letter */
    const uint16_t *folded;   /* of each code point of the basic plane */
    const uint64_t *powers;   /* by which the letters of a word are multiplied */
    Py_ssize_t kind_count, longest_word;
} Tables;

static inline uint8_t kind_of(const Tables *tables, Py_UCS4 point)
{
    if (point < BMP)
        return tables->kinds[point];
    return tables->kinds[BMP + (point >> 16 >= KANJI_PLANES_FIRST && point >> 16 <= KANJI_PLANES_LAST)];
}

static bool read_tables(Buffers *buffers, Tables *tables, PyObject *given)
{
    PyObject *kinds, *scripts, *folded, *powers;
    if (!PyArg_ParseTuple(given, "OOOO", &kinds, &scripts, &folded, &powers))
        return false;
    tables->kind_count = tables->longest_word = -1;
    if (!(tables->kinds = numbers(buffers, kinds, BMP + 2, 1, false))
        || !(tables->scripts = take(buffers, scripts, &tables->kind_count, 1, false))
        || !(tables->folded = numbers(buffers, folded, BMP, 2, false))
        || !(tables->powers = take(buffers, powers, &tables->longest_word, 8, false)))
        return false;
    if (tables->kind_count > MOST_KINDS) {
        PyErr_SetString(PyExc_ValueError, "more kinds of characters than this knows");
        return false;
    }
    uint8_t most = 0;
    for (Py_ssize_t at = 0; at < BMP + 2; at++)
        most = tables->kinds[at] > most ? tables->kinds[at] : most;
    if (most >= tables->kind_count)
        PyErr_SetString(PyExc_ValueError, "a kind of character that there is not");
    return most < tables->kind_count;
}

/* The texts as a list or tuple of strings; NULL with an exception where they are none. */
static PyObject *strings(PyObject *given)
{
    PyObject *texts = PySequence_Fast(given, "texts: a sequence of strings");
    if (texts == NULL)
        return NULL;
    for (Py_ssize_t number = 0; number < PySequence_Fast_GET_SIZE(texts); number++)
        if (!PyUnicode_Check(PySequence_Fast_GET_ITEM(texts, number))) {
            PyErr_SetString(PyExc_TypeError, "texts: a sequence of strings");
            Py_DECREF(texts);
            return NULL;
        }
    return texts;
}

typedef struct {
    int32_t *counts, *lengths, *words;
    uint8_t *first, *last;
} Row;

/* One text. ``width`` is known when the function is compiled, once for each way in which Python keeps strings. */
static inline __attribute__((always_inline)) void scan_text(
    const Tables *tables, int width, const void *data, Py_ssize_t length, Row row)
{
    uint8_t script_before = 0, first = 0, last = 0;
    int32_t seen = 0, gaps = 0, words = 0, local[MOST_KINDS] = {0};
    bool in_gap = false;
    for (Py_ssize_t at = 0; at < length; at++) {
        uint8_t kind = kind_of(tables, PyUnicode_READ(width, data, at));
        local[kind]++;
        uint8_t script = tables->scripts[kind];
        words += script && script != script_before;
        script_before = script;
        if (kind == SPACE) {
            in_gap = true;
            continue;
        }
        gaps += in_gap && seen;
        in_gap = false;
        first = seen ? first : kind;
        last = kind;
        seen++;
    }
    memcpy(row.counts, local, tables->kind_count * sizeof *local);
    *row.lengths = seen + gaps;
    *row.words = words;
    *row.first = first;
    *row.last = last;
}

static PyObject *scan(PyObject *self, PyObject *arguments)
{
    PyObject *given, *table_tuple, *counts, *lengths, *first, *last, *words, *texts;
    if (!PyArg_ParseTuple(arguments, "OO!OOOOO", &given, &PyTuple_Type, &table_tuple, &counts, &lengths, &first, &last,
                          &words)
        || !(texts = strings(given)))
        return NULL;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(texts);
    Buffers buffers = {.count = 0};
    Tables tables;
    Row row;
    if (read_tables(&buffers, &tables, table_tuple)
        && (row.counts = numbers(&buffers, counts, count * tables.kind_count, sizeof(int32_t), true))
        && (row.lengths = numbers(&buffers, lengths, count, sizeof(int32_t), true))
        && (row.first = numbers(&buffers, first, count, 1, true))
        && (row.last = numbers(&buffers, last, count, 1, true))
        && (row.words = numbers(&buffers, words, count, sizeof(int32_t), true)))
        for (Py_ssize_t number = 0; number < count; number++) {
            PyObject *text = PySequence_Fast_GET_ITEM(texts, number);
            const void *data = PyUnicode_DATA(text);
            Py_ssize_t length = PyUnicode_GET_LENGTH(text);
            switch (PyUnicode_KIND(text)) {
            case PyUnicode_1BYTE_KIND: scan_text(&tables, PyUnicode_1BYTE_KIND, data, length, row); break;
            case PyUnicode_2BYTE_KIND: scan_text(&tables, PyUnicode_2BYTE_KIND, data, length, row); break;
            default: scan_text(&tables, PyUnicode_4BYTE_KIND, data, length, row);
            }
            row.counts += tables.kind_count, row.lengths++, row.first++, row.last++, row.words++;
        }
    release(&buffers);
    Py_DECREF(texts);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

typedef struct {
    Growing text, key, start, length;
} Words;

static bool add_word(Words *words, int32_t text, uint64_t key, int32_t start, int32_t length)
{
    int32_t *of_text = grow(&words->text, sizeof text), *of_start = grow(&words->start, sizeof start);
    int32_t *of_length = grow(&words->length, sizeof length);
    uint64_t *of_key = grow(&words->key, sizeof key);
    if (!of_text || !of_start || !of_length || !of_key)
        return false;
    *of_text = text, *of_key = key, *of_start = start, *of_length = length;
    return true;
}

/* The words of one text, which begins at ``start`` among all characters. A word is a run of one script, and with
   ``split_case`` a capital after a small letter begins another. */
static bool add_words(const Tables *tables, Words *words, PyObject *text, int32_t number, int32_t start, bool split_case)
{
    int width = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), begin = 0;
    uint8_t script_before = 0, kind_before = 0;
    uint64_t key = 0;
    for (Py_ssize_t at = 0; at <= length; at++) {
        Py_UCS4 point = at < length ? PyUnicode_READ(width, data, at) : 0;
        uint8_t kind = at < length ? kind_of(tables, point) : SPACE, script = tables->scripts[kind];
        if (script != script_before || (split_case && kind == UPPER && kind_before == LOWER)) {
            if (script_before && !add_word(words, number, key, start + (int32_t)begin, (int32_t)(at - begin)))
                return false;
            begin = at;
            key = 0;
        }
        if (script && at - begin < tables->longest_word)
            key += tables->powers[at - begin] * (uint64_t)(point < BMP ? tables->folded[point] : point);
        script_before = script;
        kind_before = kind;
    }
    return true;
}

/* The key of each text, all of which is one word. */
static PyObject *word_keys(PyObject *self, PyObject *arguments)
{
    PyObject *given, *table_tuple, *keys, *texts;
    if (!PyArg_ParseTuple(arguments, "OO!O", &given, &PyTuple_Type, &table_tuple, &keys) || !(texts = strings(given)))
        return NULL;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(texts);
    Buffers buffers = {.count = 0};
    Tables tables;
    uint64_t *key;
    if (read_tables(&buffers, &tables, table_tuple) && (key = numbers(&buffers, keys, count, sizeof *key, true)))
        for (Py_ssize_t number = 0; number < count; number++) {
            PyObject *text = PySequence_Fast_GET_ITEM(texts, number);
            Py_ssize_t length = PyUnicode_GET_LENGTH(text);
            key[number] = 0;
            for (Py_ssize_t at = 0; at < length && at < tables.longest_word; at++) {
                Py_UCS4 point = PyUnicode_READ_CHAR(text, at);
                key[number] += tables.powers[at] * (uint64_t)(point < BMP ? tables.folded[point] : point);
            }
        }
    release(&buffers);
    Py_DECREF(texts);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyObject *words(PyObject *self, PyObject *arguments)
{
    PyObject *given, *table_tuple, *lengths, *texts, *result = NULL;
    Py_ssize_t longest;
    int split_case;
    if (!PyArg_ParseTuple(arguments, "OO!pnO", &given, &PyTuple_Type, &table_tuple, &split_case, &longest, &lengths)
        || !(texts = strings(given)))
        return NULL;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(texts), start = 0;
    Buffers buffers = {.count = 0};
    Tables tables;
    Words words = {{0}};
    const int32_t *sizes;
    bool fits = read_tables(&buffers, &tables, table_tuple)
        && (sizes = numbers(&buffers, lengths, count, sizeof(int32_t), false));
    for (Py_ssize_t number = 0; fits && number < count; number++) {
        PyObject *text = PySequence_Fast_GET_ITEM(texts, number);
        if (longest < 0 || sizes[number] <= longest)
            fits = add_words(&tables, &words, text, (int32_t)number, (int32_t)start, split_case);
        start += PyUnicode_GET_LENGTH(text) + 1; /* and the space between two texts */
    }
    if (fits)
        result = Py_BuildValue("(NNNN)", grown_bytes(&words.text), grown_bytes(&words.key), grown_bytes(&words.start),
                               grown_bytes(&words.length));
    for (Growing *part = &words.text; part <= &words.length; part++)
        PyMem_Free(part->data);
    release(&buffers);
    Py_DECREF(texts);
    return result;
}

/* Texts by their characters: a table of places, of which at most half are taken. */
typedef struct {
    Py_ssize_t from, to;      /* what counts of the text */
    uint64_t hash;
} Part;

typedef struct {
    PyObject **texts;
    Part *parts;
    int32_t *places;          /* numbers of texts plus 1; 0 for free */
    size_t mask;
} SameTexts;

/* A number for some characters: a polynomial, four of them a step, so that a product need not wait for the one before. */
static inline __attribute__((always_inline)) uint64_t hash_of(int width, const void *data, Py_ssize_t from, Py_ssize_t to)
{
    const uint64_t once = 0x9E3779B97F4A7C15u, twice = once * once, thrice = twice * once;
    uint64_t hash = (uint64_t)(to - from);
    for (; to - from >= 4; from += 4)
        hash = hash * (twice * twice) + PyUnicode_READ(width, data, from) * thrice
            + PyUnicode_READ(width, data, from + 1) * twice + PyUnicode_READ(width, data, from + 2) * once
            + PyUnicode_READ(width, data, from + 3);
    for (; from < to; from++)
        hash = hash * once + PyUnicode_READ(width, data, from);
    hash ^= hash >> 32;
    return hash * once;
}

/* What counts of a text: all of it, or what is left without white space around it. */
static Part part_of(PyObject *text, bool stripped)
{
    int width = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Part part = {.from = 0, .to = PyUnicode_GET_LENGTH(text), .hash = 0};
    if (stripped) {
        while (part.from < part.to && Py_UNICODE_ISSPACE(PyUnicode_READ(width, data, part.from)))
            part.from++;
        while (part.from < part.to && Py_UNICODE_ISSPACE(PyUnicode_READ(width, data, part.to - 1)))
            part.to--;
    }
    switch (width) {
    case PyUnicode_1BYTE_KIND: part.hash = hash_of(PyUnicode_1BYTE_KIND, data, part.from, part.to); break;
    case PyUnicode_2BYTE_KIND: part.hash = hash_of(PyUnicode_2BYTE_KIND, data, part.from, part.to); break;
    default: part.hash = hash_of(PyUnicode_4BYTE_KIND, data, part.from, part.to);
    }
    return part;
}

static bool is_same(PyObject *text, const Part *part, PyObject *other, const Part *its)
{
    Py_ssize_t length = part->to - part->from;
    if (part->hash != its->hash || length != its->to - its->from)
        return false;
    int width = PyUnicode_KIND(text), its_width = PyUnicode_KIND(other);
    const void *data = PyUnicode_DATA(text), *its_data = PyUnicode_DATA(other);
    if (width == its_width)
        return !memcmp((const char *)data + part->from * width, (const char *)its_data + its->from * width,
                       (size_t)(length * width));
    for (Py_ssize_t at = 0; at < length; at++)
        if (PyUnicode_READ(width, data, part->from + at) != PyUnicode_READ(its_width, its_data, its->from + at))
            return false;
    return true;
}

/* The place of a text in the table: that of the same text, or a free one. */
static int32_t *place_of(const SameTexts *same, Py_ssize_t number)
{
    size_t at = same->parts[number].hash >> 32 & same->mask;
    while (same->places[at]) {
        Py_ssize_t other = same->places[at] - 1;
        if (is_same(same->texts[number], &same->parts[number], same->texts[other], &same->parts[other]))
            break;
        at = (at + 1) & same->mask;
    }
    return &same->places[at];
}

/* The texts of a page, from ``first`` to before ``end``: of each the last one that is the same. */
static void number_page(SameTexts *same, Py_ssize_t first, Py_ssize_t end, int32_t *result)
{
    memset(same->places, 0, (same->mask + 1) * sizeof *same->places);
    for (Py_ssize_t number = first; number < end; number++)
        *place_of(same, number) = (int32_t)number + 1;
    for (Py_ssize_t number = first; number < end; number++)
        result[number] = *place_of(same, number) - 1;
}

static size_t mask_for(Py_ssize_t count)
{
    size_t size = 16;
    while (size < 2 * (size_t)count)
        size *= 2;
    return size - 1;
}

static PyObject *same_texts(PyObject *self, PyObject *arguments)
{
    PyObject *given, *starts, *result, *keys, *texts;
    int stripped;
    if (!PyArg_ParseTuple(arguments, "OOpOO", &given, &starts, &stripped, &result, &keys) || !(texts = strings(given)))
        return NULL;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(texts), borders = -1, longest = 0;
    Buffers buffers = {.count = 0};
    SameTexts same = {.texts = PySequence_Fast_ITEMS(texts)};
    const int32_t *page_start;
    int32_t *numbers_ = NULL;
    uint64_t *key = NULL;
    if ((page_start = take(&buffers, starts, &borders, sizeof(int32_t), false))
        && (numbers_ = numbers(&buffers, result, count, sizeof(int32_t), true))
        && (key = numbers(&buffers, keys, count, sizeof(uint64_t), true))) {
        bool fits = borders > 0 && page_start[0] == 0 && page_start[borders - 1] == count;
        for (Py_ssize_t page = 0; fits && page + 1 < borders; page++) {
            Py_ssize_t own = (Py_ssize_t)page_start[page + 1] - page_start[page];
            fits = own >= 0;
            longest = own > longest ? own : longest;
        }
        same.mask = mask_for(longest);
        same.parts = PyMem_Malloc((size_t)count * sizeof *same.parts + 1);
        same.places = PyMem_Malloc((same.mask + 1) * sizeof *same.places);
        if (!fits)
            PyErr_SetString(PyExc_ValueError, "pages that do not follow each other");
        else if (!same.parts || !same.places)
            PyErr_NoMemory();
        else {
            for (Py_ssize_t number = 0; number < count; number++) {
                same.parts[number] = part_of(same.texts[number], stripped);
                key[number] = same.parts[number].hash;
            }
            for (Py_ssize_t page = 0; page + 1 < borders; page++) {
                same.mask = mask_for((Py_ssize_t)page_start[page + 1] - page_start[page]);
                number_page(&same, page_start[page], page_start[page + 1], numbers_);
            }
        }
        PyMem_Free(same.parts);
        PyMem_Free(same.places);
    }
    release(&buffers);
    Py_DECREF(texts);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef METHODS[] = {
    {"scan", scan, METH_VARARGS, "scan(texts, tables, counts, lengths, first, last, words): fills a row a text."},
    {"words", words, METH_VARARGS,
     "words(texts, tables, split_case, longest_text, lengths): text, key, start and length of each word, as bytes."},
    {"word_keys", word_keys, METH_VARARGS, "word_keys(words, tables, keys): the key of each word."},
    {"same_texts", same_texts, METH_VARARGS,
     "same_texts(texts, page_start, stripped, numbers, keys): of each text the last one of its page that is the same, and a number."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_characters", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__characters(void)
{
    return PyModule_Create(&MODULE);
}
