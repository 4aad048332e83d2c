/* What trees say of blocks, in C.

   Data flow (tables are baked by Python, nothing here knows a column):

     numbers of blocks  --tree_sums-->  log-odds of the trees   (tables: chunker/stack/tree_scorer.py)

   Nothing is kept between calls. Where this module was not built, the same is done by NumPy; tests hold the two
   against each other. */

#include "../../features/_buffers.h"

enum { LANES = 16 };

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
static void score_lanes(const Trees *trees, const float *lanes, Py_ssize_t step, uint16_t *alive, double *sums)
{
    memset(alive, 0xff, trees->count * LANES * sizeof *alive);
    for (Py_ssize_t column = 0; column < trees->columns; column++) {
        const float *x = lanes + column * step;
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
            Py_ssize_t some = rows - row;
            double own[LANES];
            if (some >= LANES) { /* columns lie as they are wanted */
                score_lanes(&trees, x + row, rows, alive, result + row);
                continue;
            }
            for (Py_ssize_t column = 0; column < columns; column++)
                for (Py_ssize_t lane = 0; lane < LANES; lane++)
                    lanes[column * LANES + lane] = x[column * rows + row + (lane < some ? lane : some - 1)];
            score_lanes(&trees, lanes, LANES, alive, own);
            memcpy(result + row, own, some * sizeof *own);
        }
    }
    PyMem_Free(alive);
    PyMem_Free(lanes);
    release(&buffers);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef METHODS[] = {
    {"tree_sums", tree_sums, METH_VARARGS, "The sums of trees for each row of a matrix."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_odds", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__odds(void)
{
    return PyModule_Create(&MODULE);
}
