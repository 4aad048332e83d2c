/* How much of each page to keep, in C: the cut with the best expected F by the log-odds of its nodes.

   Data flow, page by page (sizes and cases come from expected_f.py, whose best_kept is the reference):

     log-odds               --every common error-->  probabilities of each node, a lane a case
     nodes by falling odds  --running sums-->        the mean F of every cut; the best is kept
     kept nodes             --texts seen before-->   without second copies; the F that is expected of the rest

   e^-(a·odds + b·error) is the product of two factors, so that a node takes one exponential. Nothing is kept between
   calls. */

#include "../../features/_buffers.h"
#include <math.h>

enum { CASES = 8 }; /* most cases, an error each; what is not used has no chance */

typedef struct {
    Py_ssize_t cases, nodes;
    const double *odds, *weight;
    const int32_t *text;        /* the same number for nodes of a page with the same text */
    const double *factor;       /* of each error */
    double chance[CASES];
    double spread, precision, certain, nothing, few_words, repeated_words, phrase_words;
} Input;

typedef struct {
    double key;
    int32_t node;
} Place;

/* Memory of one call, for the longest page. */
typedef struct {
    double *likely;             /* CASES a node */
    double *hit;                /* the same, summed up by falling odds */
    double *size;               /* of the kept text, by falling odds */
    Place *order, *spare;
    int32_t *seen;              /* of each text whether the page has kept it before */
} Memory;

/* The places by falling key, equal ones as they stand: pieces of twice the length are merged from two. */
static Place *sorted(Place *order, Place *spare, Py_ssize_t count)
{
    for (Py_ssize_t piece = 1; piece < count; piece *= 2) {
        for (Py_ssize_t start = 0; start < count; start += 2 * piece) {
            Py_ssize_t middle = start + piece < count ? start + piece : count;
            Py_ssize_t end = middle + piece < count ? middle + piece : count, left = start, right = middle;
            for (Py_ssize_t at = start; at < end; at++)
                spare[at] = right == end || (left < middle && order[left].key >= order[right].key) ? order[left++]
                                                                                                 : order[right++];
        }
        Place *swapped = order;
        order = spare;
        spare = swapped;
    }
    return order;
}

FOR_EACH_PROCESSOR
static void spread_cases(const Input *input, Py_ssize_t first, Py_ssize_t count, double *likely)
{
    for (Py_ssize_t node = 0; node < count; node++) {
        double unlikely[CASES] = {0};
        double own = exp(-input->spread * input->odds[first + node]);
        for (Py_ssize_t lane = 0; lane < input->cases; lane++)
            unlikely[lane] = own * input->factor[lane];
        for (int lane = 0; lane < CASES; lane++)
            likely[node * CASES + lane] = 1 / (1 + unlikely[lane]);
    }
}

/* The mean F over all cases, times ``scale``: hits by what is wanted and kept. */
FOR_EACH_PROCESSOR
static double mean_value(const Input *input, const double *hit, const double *total, double size)
{
    double value[CASES], sum = 0, precision = input->precision;
    for (int lane = 0; lane < CASES; lane++) {
        double whole = (1 - precision) * total[lane] + precision * size;
        value[lane] = input->chance[lane] * (hit[lane] / (whole > input->certain ? whole : input->certain));
    }
    for (int lane = 0; lane < CASES; lane++)
        sum += value[lane];
    return sum;
}

FOR_EACH_PROCESSOR
static void sum_hits(const double *likely, double weight, const double *before, double *hit)
{
    for (int lane = 0; lane < CASES; lane++)
        hit[lane] = before[lane] + weight * likely[lane];
}

/* Keeps the nodes of the best cut of a page. */
static void keep_best(const Input *input, Memory *memory, Py_ssize_t first, Py_ssize_t count, uint8_t *keep)
{
    static const double nothing[CASES] = {0};
    for (Py_ssize_t node = 0; node < count; node++)
        memory->order[node] = (Place){input->odds[first + node], (int32_t)node};
    const Place *order = sorted(memory->order, memory->spare, count);
    double size = 0, most = 0;
    for (Py_ssize_t at = 0; at < count; at++) {
        double weight = input->weight[first + order[at].node];
        memory->size[at] = size += weight;
        sum_hits(memory->likely + order[at].node * CASES, weight, at ? memory->hit + (at - 1) * CASES : nothing,
                 memory->hit + at * CASES);
    }
    const double *total = memory->hit + (count - 1) * CASES;
    Py_ssize_t best = 0;
    for (Py_ssize_t at = 0; at < count; at++) {
        double value = mean_value(input, memory->hit + at * CASES, total, memory->size[at]);
        if (at == 0 || value > most)
            most = value, best = at;
    }
    for (Py_ssize_t at = 0; at <= best; at++)
        keep[first + order[at].node] = 1;
}

/* Drops what of a page stands in a long enough row of kept nodes that were all kept before; 2 marks it. */
static void drop_repeated(const Input *input, Memory *memory, Py_ssize_t first, Py_ssize_t end, uint8_t *keep)
{
    for (Py_ssize_t node = first, begin; node < end; node = begin) {
        double words = 0;
        int again = -1;
        for (begin = node; begin < end; begin++) { /* the row of kept nodes that begins here */
            if (!keep[begin])
                continue;
            int before = memory->seen[input->text[begin]] && input->weight[begin] >= input->phrase_words;
            if (again >= 0 && before != again)
                break;
            again = before;
            memory->seen[input->text[begin]] = 1;
            words += input->weight[begin];
        }
        if (again == 1 && words >= input->repeated_words)
            for (Py_ssize_t at = node; at < begin; at++)
                keep[at] = keep[at] ? 2 : 0;
    }
}

/* The F that is expected of what is kept, or how likely the page has no content where nothing is. */
static double expected_of(const Input *input, const Memory *memory, Py_ssize_t first, Py_ssize_t end, const uint8_t *keep)
{
    double hit[CASES] = {0}, all[CASES] = {0}, highest[CASES] = {0}, size = 0, expected = 0;
    bool some = false;
    for (Py_ssize_t node = first; node < end; node++) {
        const double *likely = memory->likely + (node - first) * CASES;
        double weight = keep[node] == 2 ? 0 : input->weight[node];
        some = some || keep[node] == 1;
        size += keep[node] == 1 ? weight : 0;
        for (int lane = 0; lane < CASES; lane++) {
            all[lane] += weight * likely[lane];
            hit[lane] += keep[node] == 1 ? weight * likely[lane] : 0;
            highest[lane] = likely[lane] > highest[lane] ? likely[lane] : highest[lane];
        }
    }
    for (int lane = 0; lane < CASES; lane++) {
        double whole = all[lane] + size;
        double value = !some ? 1 - highest[lane]
            : whole > 0      ? 2 * hit[lane] / (whole > input->certain ? whole : input->certain)
                             : 1;
        expected += input->chance[lane] * value;
    }
    return expected;
}

static void cut_page(const Input *input, Memory *memory, Py_ssize_t first, Py_ssize_t end, uint8_t *keep, double *expected)
{
    double words = 0;
    bool likely = false;
    for (Py_ssize_t node = first; node < end; node++) {
        words += input->weight[node];
        likely = likely || input->odds[node] >= input->nothing;
    }
    spread_cases(input, first, end - first, memory->likely);
    if (end > first && (words < input->few_words || likely))
        keep_best(input, memory, first, end - first, keep);
    drop_repeated(input, memory, first, end, keep);
    *expected = expected_of(input, memory, first, end, keep);
    for (Py_ssize_t node = first; node < end; node++)
        keep[node] = keep[node] == 1;
}

static bool begin(Memory *memory, Py_ssize_t longest, Py_ssize_t nodes)
{
    memory->likely = PyMem_Malloc((longest + 1) * CASES * sizeof *memory->likely);
    memory->hit = PyMem_Malloc((longest + 1) * CASES * sizeof *memory->hit);
    memory->size = PyMem_Malloc((longest + 1) * sizeof *memory->size);
    memory->order = PyMem_Malloc((longest + 1) * sizeof *memory->order);
    memory->spare = PyMem_Malloc((longest + 1) * sizeof *memory->spare);
    memory->seen = PyMem_Calloc(nodes + 1, sizeof *memory->seen);
    if (memory->likely && memory->hit && memory->size && memory->order && memory->spare && memory->seen)
        return true;
    PyErr_NoMemory();
    return false;
}

static bool read_input(Reader *reader, Input *input)
{
    input->nodes = length_of(reader, "weight");
    input->cases = length_of(reader, "factor");
    const double *chances = column(reader, "chances", input->cases, 8);
    input->odds = column(reader, "odds", input->nodes, 8);
    input->weight = column(reader, "weight", input->nodes, 8);
    input->text = column(reader, "text", input->nodes, 4);
    input->factor = column(reader, "factor", input->cases, 8);
    input->spread = constant(reader, "spread");
    input->precision = constant(reader, "precision");
    input->certain = constant(reader, "certain");
    input->nothing = constant(reader, "nothing");
    input->few_words = constant(reader, "few_words");
    input->repeated_words = constant(reader, "repeated_words");
    input->phrase_words = constant(reader, "phrase_words");
    bool fits = !reader->failed && input->cases <= CASES;
    for (Py_ssize_t node = 0; fits && node < input->nodes; node++)
        fits = input->text[node] >= 0 && input->text[node] < input->nodes;
    if (!fits && !reader->failed)
        PyErr_SetString(PyExc_ValueError, "columns that do not fit each other");
    for (Py_ssize_t lane = 0; fits && lane < input->cases; lane++)
        input->chance[lane] = chances[lane];
    return fits;
}

static PyObject *cut(PyObject *self, PyObject *arguments)
{
    PyObject *columns, *starts, *keep, *expected;
    if (!PyArg_ParseTuple(arguments, "O!OOO", &PyDict_Type, &columns, &starts, &keep, &expected))
        return NULL;
    Reader reader = {.failed = false, .named = columns};
    Input input = {0};
    Memory memory = {0};
    const int32_t *start;
    uint8_t *kept;
    double *values;
    Py_ssize_t borders = -1, longest = 0;
    if (read_input(&reader, &input) && (start = take(&reader.buffers, starts, &borders, 4, false))
        && (kept = numbers(&reader.buffers, keep, input.nodes, 1, true))
        && (values = numbers(&reader.buffers, expected, borders - 1, 8, true))) {
        bool fits = borders > 0 && start[0] == 0 && start[borders - 1] == input.nodes;
        for (Py_ssize_t page = 0; fits && page + 1 < borders; page++) {
            fits = start[page] <= start[page + 1];
            longest = start[page + 1] - start[page] > longest ? start[page + 1] - start[page] : longest;
        }
        if (!fits)
            PyErr_SetString(PyExc_ValueError, "pages that do not follow each other");
        else if (begin(&memory, longest, input.nodes)) {
            memset(kept, 0, input.nodes);
            for (Py_ssize_t page = 0; page + 1 < borders; page++)
                cut_page(&input, &memory, start[page], start[page + 1], kept, values + page);
        }
        void *parts[] = {memory.likely, memory.hit, memory.size, memory.order, memory.spare, memory.seen};
        for (size_t part = 0; part < sizeof parts / sizeof *parts; part++)
            PyMem_Free(parts[part]);
    }
    release(&reader.buffers);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef METHODS[] = {
    {"cut", cut, METH_VARARGS, "cut(columns, page_start, keep, expected): which nodes of each page to keep, and the expected F."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_cut", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__cut(void)
{
    return PyModule_Create(&MODULE);
}
