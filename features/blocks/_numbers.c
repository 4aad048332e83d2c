/* All numbers of blocks in one call: the columns of families.py, in C.

   Data flow: see _numbers.h. ``fill`` takes the columns of pages and the tables of Python by their names, looks
   whether every number stays within what it points into, and writes the matrix column by column. Nothing is kept
   between calls. NumPy (families.py and the families) is the reference that tests hold this against, to the last
   bit, and what training, ``explain`` and machines without a compiler use. */

#include "_numbers.h"
#include "_table.h"
#include "_text_numbers.h"
#include "_tree_numbers.h"
#include "_place_numbers.h"
#include "_title_numbers.h"
#include "_discussion.h"
#include "_runs.h"
#include "_titles.h"

enum { NUMBERED = 256 }; /* numbers that elements have */

static void read_pages(Reader *reader, Pages *pages, const Tables *tables)
{
    pages->pages = length_of(reader, "is_article");
    pages->nodes = length_of(reader, "block");
    pages->elements = length_of(reader, "parent");
    pages->words = length_of(reader, "word_text");
    pages->comment_words = length_of(reader, "comment_text");
    pages->named = length_of(reader, "named_element");
    pages->name_words = length_of(reader, "name_meaning");
    pages->names = length_of(reader, "name_start") - 1;
    pages->page_start = column(reader, "page_start", pages->pages + 1, 4);
    pages->element_start = column(reader, "element_start", pages->pages + 1, 4);
    pages->is_article = column(reader, "is_article", pages->pages, 1);
    pages->element = column(reader, "element", pages->nodes, 4);
    pages->block = column(reader, "block", pages->nodes, 4);
    pages->lengths = column(reader, "lengths", pages->nodes, 4);
    pages->text_number = column(reader, "text_number", pages->nodes, 4);
    pages->link = column(reader, "link", pages->nodes, 4);
    pages->counts = column(reader, "counts", pages->nodes * tables->kinds, 4);
    pages->first_kind = column(reader, "first_kind", pages->nodes, 1);
    pages->last_kind = column(reader, "last_kind", pages->nodes, 1);
    pages->linked = column(reader, "linked", pages->nodes, 1);
    pages->fragment = column(reader, "fragment", pages->nodes, 1);
    pages->number = column(reader, "number", pages->elements, 1);
    pages->parent = column(reader, "parent", pages->elements, 4);
    pages->first = column(reader, "first", pages->elements, 4);
    pages->end = column(reader, "end", pages->elements, 4);
    pages->word_text = column(reader, "word_text", pages->words, 4);
    pages->word_hint = column(reader, "word_hint", pages->words, 4);
    pages->comment_text = column(reader, "comment_text", pages->comment_words, 4);
    pages->named_element = column(reader, "named_element", pages->named, 4);
    pages->name_kind = column(reader, "name_kind", pages->named, 4);
    pages->name_start = column(reader, "name_start", pages->names + 1, 4);
    pages->name_meaning = column(reader, "name_meaning", pages->name_words, 4);
}

static void read_tables(Reader *reader, Tables *tables)
{
    const struct {
        const char *name;
        int32_t *at;
    } sizes[] = {
        {"KINDS", &tables->kinds}, {"OTHER", &tables->other}, {"DIGIT", &tables->digit}, {"LOWER", &tables->lower},
        {"UPPER", &tables->upper}, {"HIRAGANA", &tables->hiragana}, {"HANGUL", &tables->hangul},
        {"FULL_STOP", &tables->full_stop}, {"QUESTION", &tables->question}, {"COMMA", &tables->comma},
        {"COLON", &tables->colon}, {"OPEN", &tables->open}, {"SEPARATOR", &tables->separator},
        {"COPYRIGHT", &tables->copyright}, {"CURRENCY", &tables->currency}, {"LONG", &tables->long_},
        {"SHORT", &tables->short_}, {"DATE_DIGITS", &tables->date_digits}, {"FAR", &tables->far},
        {"LEVELS", &tables->levels}, {"PATH_STEPS", &tables->path_steps}, {"GAP", &tables->gap},
        {"WORD_MEANINGS", &tables->word_meanings}, {"NAME_MEANINGS", &tables->name_meanings},
        {"AROUND", &tables->around}, {"KINDS_OF_BLOCK", &tables->block_kinds}, {"MAIN", &tables->main_bit},
        {"ARTICLE", &tables->article_bit}, {"CONTENT", &tables->content}, {"COMMENTS", &tables->comments},
    };
    for (size_t number = 0; number < sizeof sizes / sizeof *sizes; number++)
        *sizes[number].at = (int32_t)constant(reader, sizes[number].name);
    tables->half = constant(reader, "HALF");
    tables->least_match = constant(reader, "LEAST_MATCH");
    tables->main_shares = length_of(reader, "main_share");
    tables->reaches = length_of(reader, "reach");
    tables->main_share = column(reader, "main_share", tables->main_shares, 8);
    tables->reach = column(reader, "reach", tables->reaches, 4);
    tables->dense = column(reader, "dense", tables->kinds, 1);
    tables->shared_meaning = column(reader, "shared_meaning", tables->name_meanings, 1);
    tables->tag_code = column(reader, "tag_code", NUMBERED, 4);
    tables->section = column(reader, "section", NUMBERED, 1);
    tables->block_level = column(reader, "block_level", NUMBERED, 1);
    tables->heading_level = column(reader, "heading_level", NUMBERED, 1);
    tables->around_bits = column(reader, "around_bits", NUMBERED, 4);
    tables->block_bits = column(reader, "block_bits", NUMBERED, 4);
    tables->tag_meaning = column(reader, "tag_meaning", NUMBERED, 4);
    const int32_t below[] = {tables->word_meanings, tables->name_meanings, tables->around + 1, tables->block_kinds};
    const int32_t kinds[] = {tables->other, tables->digit, tables->lower, tables->upper, tables->hiragana, tables->hangul,
                             tables->full_stop, tables->question, tables->comma, tables->colon, tables->open,
                             tables->separator, tables->copyright, tables->currency};
    bool fits = tables->levels >= 0 && tables->levels <= LEVELS_MOST && tables->section && !tables->section[0];
    for (size_t number = 0; number < sizeof below / sizeof *below; number++)
        fits = fits && below[number] >= 0 && below[number] < MARKS_MOST;
    for (size_t number = 0; number < sizeof kinds / sizeof *kinds; number++)
        fits = fits && kinds[number] >= 0 && kinds[number] < tables->kinds;
    if (!fits && !reader->failed) {
        PyErr_SetString(PyExc_ValueError, "tables that do not fit each other");
        reader->failed = true;
    }
}

/* Whether all numbers of a column are from ``least`` to before ``end``. */
static bool are_within(const int32_t *column, Py_ssize_t count, Py_ssize_t least, Py_ssize_t end)
{
    bool fits = true;
    for (Py_ssize_t at = 0; at < count; at++)
        fits &= column[at] >= least && column[at] < end;
    return fits;
}

static bool are_rising(const int32_t *column, Py_ssize_t count, Py_ssize_t first, Py_ssize_t last)
{
    bool fits = count > 0 && column[0] == first && column[count - 1] == last;
    for (Py_ssize_t at = 1; at < count; at++)
        fits &= column[at] >= column[at - 1];
    return fits;
}

/* Whether what the columns point to is there, and trees are trees. */
static bool is_sound(const Pages *pages, const Tables *tables)
{
    bool fits = pages->elements > 0 && pages->parent[0] == 0 && pages->number[0] == 0 && pages->first[0] == 0
        && pages->end[0] == 0 && are_rising(pages->page_start, pages->pages + 1, 0, pages->nodes)
        && are_rising(pages->element_start, pages->pages + 1, 1, pages->elements)
        && are_rising(pages->name_start, pages->names + 1, 0, pages->name_words)
        && are_within(pages->element, pages->nodes, 0, pages->elements)
        && are_within(pages->text_number, pages->nodes, 0, pages->nodes)
        && are_within(pages->word_text, pages->words, 0, pages->nodes)
        && are_within(pages->word_hint, pages->words, -1, tables->word_meanings)
        && are_within(pages->comment_text, pages->comment_words, 0, pages->nodes)
        && are_within(pages->named_element, pages->named, 1, pages->elements)
        && are_within(pages->name_kind, pages->named, 0, pages->names)
        && are_within(pages->name_meaning, pages->name_words, -1, tables->name_meanings)
        && are_within(tables->tag_meaning, NUMBERED, -1, tables->name_meanings);
    for (Py_ssize_t element = 1; fits && element < pages->elements; element++)
        fits = pages->parent[element] >= 0 && pages->parent[element] < element && pages->first[element] >= 0
            && pages->first[element] <= pages->end[element] && pages->end[element] <= pages->nodes;
    for (Py_ssize_t node = 0; fits && node < pages->nodes; node++)
        fits = pages->first_kind[node] < tables->kinds && pages->last_kind[node] < tables->kinds
            && (node ? pages->block[node] == pages->block[node - 1] || pages->block[node] == pages->block[node - 1] + 1
                     : pages->block[node] == 0);
    for (Py_ssize_t page = 1; fits && page < pages->pages; page++) {
        int32_t node = pages->page_start[page]; /* a page begins with a block of its own */
        fits = node == 0 || node == pages->nodes || pages->block[node] == pages->block[node - 1] + 1;
    }
    return fits;
}

static void (*const FAMILIES[])(const Blocks *, Output *) = {
    text, elsewhere, links, tree, meanings, containers, prose, place, neighbours, repetition, title_match, discussion,
    companions, runs,
};

static void fill_matrix(const Pages *pages, const Tables *tables, Output *output)
{
    Arena arena = {.count = 0};
    Blocks blocks = {.pages = pages, .tables = tables, .arena = &arena, .count = output->rows};
    output->spare = room(&arena, output->rows, sizeof(float));
    if (!arena.failed && share(&blocks))
        for (size_t family = 0; family < sizeof FAMILIES / sizeof *FAMILIES && !arena.failed; family++) {
            int kept = arena.count;
            FAMILIES[family](&blocks, output);
            while (arena.count > kept) /* a family's own arrays are gone before the next is asked */
                PyMem_Free(arena.parts[--arena.count]);
        }
    if (arena.failed)
        PyErr_NoMemory();
    else if (output->at != output->columns)
        PyErr_Format(PyExc_ValueError, "the matrix has %zd columns, the families %zd", output->columns, output->at);
    give_back(&arena);
}

static PyObject *fill(PyObject *self, PyObject *arguments)
{
    Reader reader = {.failed = false};
    PyObject *columns, *table_columns, *matrix, *title, *description;
    Pages pages = {0};
    Tables tables = {0};
    Output output = {.at = 0};
    Py_ssize_t width;
    if (!PyArg_ParseTuple(arguments, "O!O!OOOn", &PyDict_Type, &columns, &PyDict_Type, &table_columns, &title, &description,
                          &matrix, &width))
        return NULL;
    reader.named = table_columns;
    read_tables(&reader, &tables);
    reader.named = columns;
    if (!reader.failed)
        read_pages(&reader, &pages, &tables);
    if (!reader.failed && !is_sound(&pages, &tables)) {
        PyErr_SetString(PyExc_ValueError, "columns that do not fit each other");
        reader.failed = true;
    }
    if (!reader.failed) {
        output.rows = pages.nodes ? pages.block[pages.nodes - 1] + 1 : 0;
        output.columns = width;
        if ((pages.title = numbers(&reader.buffers, title, output.rows, 8, false))
            && (pages.description = numbers(&reader.buffers, description, output.rows, 8, false))
            && (output.matrix = numbers(&reader.buffers, matrix, output.rows * width, 4, true)))
            fill_matrix(&pages, &tables, &output);
    }
    release(&reader.buffers);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef METHODS[] = {
    {"fill", fill, METH_VARARGS, "fill(columns, tables, title, description, matrix, width): writes all numbers of blocks."},
    {"matches", matches, METH_VARARGS,
     "matches(texts, block_start, page_start, heads, sizes, title, description): which blocks match the title or the "
     "descriptions; returns the pages that Python must look at."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_numbers", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__numbers(void)
{
    return PyModule_Create(&MODULE);
}
