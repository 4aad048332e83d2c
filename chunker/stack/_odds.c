/* What the ensemble asks of every block, in C: sums of trees, sums of words.

   Data flow (tables are baked by Python, nothing here knows a column or a word):

     numbers of blocks  --tree_sums-->  log-odds of the trees   (tables: chunker/stack/tree_scorer.py)
     words of blocks    --word_sums-->  vectors for the network (weights: chunker/stack/network.py)

   All arguments are buffers of numbers that lie in one piece. Nothing is kept between calls. Where this module
   was not built, the same is done by NumPy; tests hold the two against each other. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The loops over lanes are compiled twice, and the processor chooses when the module is loaded. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define FOR_EACH_PROCESSOR
#endif

enum { LANES = 16, MOST_BUFFERS = 8 };

typedef struct {
    Py_buffer views[MOST_BUFFERS];
    int count;
} Buffers;

static void release(Buffers *buffers)
{
    while (buffers->count)
        PyBuffer_Release(&buffers->views[--buffers->count]);
}

/* The numbers of a buffer, of which there must be so many of that size; NULL with an exception where not. */
static void *numbers(Buffers *buffers, PyObject *object, Py_ssize_t count, Py_ssize_t size, bool writable)
{
    Py_buffer *view = &buffers->views[buffers->count];
    if (PyObject_GetBuffer(object, view, writable ? PyBUF_CONTIG : PyBUF_CONTIG_RO) < 0)
        return NULL;
    buffers->count++;
    if (count >= 0 && view->len != count * size) {
        PyErr_SetString(PyExc_ValueError, "a buffer is not as long as the others say");
        return NULL;
    }
    return view->buf;
}

/* Trees: QuickScorer (Lucchese et al., SIGIR 2015). Each question that a row answers with no strikes out the leaves
   on its left; the first leaf that is left is the row's. Sixteen rows go side by side. */
typedef struct {
    const float *borders;     /* of each question; those of a column in rising order */
    const int32_t *trees;     /* of each question the tree that asks it */
    const uint16_t *left;     /* and the leaves that remain where the answer is no */
    const int32_t *starts;    /* of each column its first question, and behind the last column the end */
    const double *values;     /* of each leaf, LANES places a tree */
    Py_ssize_t columns, count;
} Trees;

/* The leaves that remain in each lane, after a question about x. */
#if defined(__GNUC__)
typedef float Floats __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));
typedef int32_t Answers __attribute__((vector_size(LANES * sizeof(int32_t)), aligned(4)));
typedef uint16_t Leaves __attribute__((vector_size(LANES * sizeof(uint16_t)), aligned(2)));
#define STRIKE_OUT(own, x, border, left) \
    do { \
        Answers says_no = *(const Floats *)(x) > (border); \
        *(Leaves *)(own) &= (left) | ~__builtin_convertvector(says_no, Leaves); \
    } while (0)
#define FIRST_LEAF(leaves) ((unsigned)__builtin_ctz((leaves) | 1u << (LANES - 1)))
#else
#define STRIKE_OUT(own, x, border, left) \
    do { \
        for (int lane = 0; lane < LANES; lane++) \
            (own)[lane] &= (uint16_t)((x)[lane] > (border) ? (left) : 0xffff); \
    } while (0)
static unsigned first_leaf(unsigned leaves)
{
    unsigned leaf = 0;
    while (leaf < LANES - 1 && !(leaves >> leaf & 1))
        leaf++;
    return leaf;
}
#define FIRST_LEAF(leaves) first_leaf(leaves)
#endif

FOR_EACH_PROCESSOR
static void score_lanes(const Trees *trees, const float *column_of_lanes, uint16_t *alive, double *sums)
{
    memset(alive, 0xff, trees->count * LANES * sizeof *alive);
    for (Py_ssize_t column = 0; column < trees->columns; column++) {
        const float *x = column_of_lanes + column * LANES;
        float most = x[0];
        for (int lane = 1; lane < LANES; lane++)
            most = x[lane] > most ? x[lane] : most;
        for (int32_t question = trees->starts[column]; question < trees->starts[column + 1]; question++) {
            float border = trees->borders[question];
            if (!(most > border))
                break;
            uint16_t left = trees->left[question];
            uint16_t *own = alive + trees->trees[question] * LANES;
            STRIKE_OUT(own, x, border, left);
        }
    }
    for (int lane = 0; lane < LANES; lane++)
        sums[lane] = 0;
    for (Py_ssize_t tree = 0; tree < trees->count; tree++) {
        const double *values = trees->values + tree * LANES;
        for (int lane = 0; lane < LANES; lane++)
            sums[lane] += values[FIRST_LEAF(alive[tree * LANES + lane])];
    }
}

static PyObject *tree_sums(PyObject *self, PyObject *arguments)
{
    PyObject *matrix, *borders, *of_tree, *left, *starts, *values, *sums;
    Py_ssize_t rows, columns, count;
    if (!PyArg_ParseTuple(arguments, "OnnOOOOnOO", &matrix, &rows, &columns, &borders, &of_tree, &left, &starts,
                          &count, &values, &sums))
        return NULL;
    Buffers buffers = {.count = 0};
    Trees trees = {.columns = columns, .count = count};
    const float *x;
    double *result;
    bool fits = (x = numbers(&buffers, matrix, rows * columns, sizeof(float), false))
        && (trees.starts = numbers(&buffers, starts, columns + 1, sizeof(int32_t), false))
        && (trees.borders = numbers(&buffers, borders, trees.starts[columns], sizeof(float), false))
        && (trees.trees = numbers(&buffers, of_tree, trees.starts[columns], sizeof(int32_t), false))
        && (trees.left = numbers(&buffers, left, trees.starts[columns], sizeof(uint16_t), false))
        && (trees.values = numbers(&buffers, values, count * LANES, sizeof(double), false))
        && (result = numbers(&buffers, sums, rows, sizeof(double), true));
    uint16_t *alive = fits ? PyMem_Malloc(count * LANES * sizeof *alive + 1) : NULL;
    float *lanes = fits ? PyMem_Malloc(columns * LANES * sizeof *lanes + 1) : NULL;
    if (fits && !(alive && lanes))
        PyErr_NoMemory();
    if (alive && lanes) {
        for (Py_ssize_t row = 0; row < rows; row += LANES) {
            Py_ssize_t some = rows - row < LANES ? rows - row : LANES;
            double own[LANES];
            for (Py_ssize_t column = 0; column < columns; column++)
                for (Py_ssize_t lane = 0; lane < LANES; lane++)
                    lanes[column * LANES + lane] = x[column * rows + row + (lane < some ? lane : some - 1)];
            score_lanes(&trees, lanes, alive, own);
            memcpy(result + row, own, some * sizeof *own);
        }
    }
    PyMem_Free(alive);
    PyMem_Free(lanes);
    release(&buffers);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

FOR_EACH_PROCESSOR
static void add_row(double *restrict sums, const float *restrict row, double sign, Py_ssize_t width)
{
    for (Py_ssize_t place = 0; place < width; place++)
        sums[place] += sign * row[place];
}

/* Words: each adds its row of weights from the block where it begins to the block where it ends, or to the end of the
   page; each kind of a block adds its row to that block. */
typedef struct {
    const float *weights;
    Py_ssize_t words, width, rows;
    double *steps;            /* of each block what begins there, less what has ended */
    double *said;             /* what is said of the block at hand */
} Words;

static bool add_word(Words *words, int64_t word, int64_t row, double sign)
{
    if (word < 0 || word >= words->words || row < 0 || row >= words->rows) {
        PyErr_SetString(PyExc_ValueError, "a word or a block that there is not");
        return false;
    }
    add_row(words->steps + row * words->width, words->weights + word * words->width, sign, words->width);
    return true;
}

static bool sum_words(Words *words, const int32_t *word, const int32_t *first, const int32_t *end,
                      const int64_t *page_end, Py_ssize_t count)
{
    for (Py_ssize_t span = 0; span < count; span++)
        if (!add_word(words, word[span], first[span], 1)
            || (end[span] < page_end[span] && !add_word(words, word[span], end[span], -1)))
            return false;
    return true;
}

static bool sum_pages(Words *words, const int32_t *kinds, Py_ssize_t each, const int64_t *starts, Py_ssize_t pages,
                      float *result)
{
    Py_ssize_t width = words->width;
    for (Py_ssize_t page = 0; page < pages; page++) {
        if (starts[page] < 0 || starts[page] > starts[page + 1] || starts[page + 1] > words->rows) {
            PyErr_SetString(PyExc_ValueError, "pages that do not follow each other");
            return false;
        }
        memset(words->said, 0, width * sizeof *words->said);
        for (int64_t row = starts[page]; row < starts[page + 1]; row++) {
            double *steps = words->steps + row * width;
            for (Py_ssize_t place = 0; place < width; place++)
                steps[place] = words->said[place] += steps[place];
            for (Py_ssize_t kind = 0; kind < each; kind++)
                if (!add_word(words, kinds[row * each + kind], row, 1))
                    return false;
            for (Py_ssize_t place = 0; place < width; place++)
                result[row * width + place] = (float)steps[place];
        }
    }
    return true;
}

static PyObject *word_sums(PyObject *self, PyObject *arguments)
{
    PyObject *kinds, *word, *first, *end, *page_end, *starts, *weights, *sums;
    Py_ssize_t rows, each, count, pages, known, width;
    if (!PyArg_ParseTuple(arguments, "OnnOOOOnOnOnnO", &kinds, &rows, &each, &word, &first, &end, &page_end, &count,
                          &starts, &pages, &weights, &known, &width, &sums))
        return NULL;
    Buffers buffers = {.count = 0};
    Words words = {.words = known, .width = width, .rows = rows};
    const int32_t *of_kinds, *of_words, *firsts, *ends;
    const int64_t *page_ends, *page_starts;
    float *result;
    bool fits = (words.weights = numbers(&buffers, weights, known * width, sizeof(float), false))
        && (of_kinds = numbers(&buffers, kinds, rows * each, sizeof(int32_t), false))
        && (of_words = numbers(&buffers, word, count, sizeof(int32_t), false))
        && (firsts = numbers(&buffers, first, count, sizeof(int32_t), false))
        && (ends = numbers(&buffers, end, count, sizeof(int32_t), false))
        && (page_ends = numbers(&buffers, page_end, count, sizeof(int64_t), false))
        && (page_starts = numbers(&buffers, starts, pages + 1, sizeof(int64_t), false))
        && (result = numbers(&buffers, sums, rows * width, sizeof(float), true));
    if (fits) {
        words.steps = PyMem_Calloc(rows * width + 1, sizeof *words.steps);
        words.said = PyMem_Calloc(width + 1, sizeof *words.said);
        if (!words.steps || !words.said)
            PyErr_NoMemory();
        else if (sum_words(&words, of_words, firsts, ends, page_ends, count))
            sum_pages(&words, of_kinds, each, page_starts, pages, result);
        PyMem_Free(words.steps);
        PyMem_Free(words.said);
    }
    release(&buffers);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef METHODS[] = {
    {"tree_sums", tree_sums, METH_VARARGS, "The sums of trees for each row of a matrix."},
    {"word_sums", word_sums, METH_VARARGS, "The sums of the weights of words and kinds for each block."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_odds", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__odds(void)
{
    return PyModule_Create(&MODULE);
}
