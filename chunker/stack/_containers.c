/* What the element that holds the content changes, in C: up for nodes inside it, down for those beside.

   Data flow, page by page (weights and names of elements come from containers.py, which is the reference):

     elements that can hold a part of the page  --what the models expect, borders, name-->  the chance of each
     chances  --summed over each node-->  how likely it stands inside  --furniture, groups of links-->  its shift

   Nothing is kept between calls. */

#include "../../features/_buffers.h"
#include <float.h>
#include <math.h>

typedef struct {
    Py_ssize_t pages, nodes, elements;
    const int32_t *page_start, *element_start;
    const int32_t *first, *end;     /* of elements */
    const uint8_t *able, *content, *furniture, *groups;
    const double *odds, *weight;    /* of nodes */
    const uint8_t *linked, *headline;
    double up, down, expected, begin_in, begin_out, end_in, end_out, called, clear, whole, misnamed, linked_share;
    Py_ssize_t edge;
} Input;

typedef struct {
    uint64_t place;                 /* first node and end */
    uint8_t named;
} Extent;

/* Sums before each node of a page, and one more; what is added at each node and taken back; extents of elements. */
typedef struct {
    double *likely, *size, *linked, *clear, *steps;
    double *own_likely, *own_size;  /* without headlines */
    int32_t *headlines, *spared, *listed;
    Extent *extents;
    double *chance;
    uint64_t *held;
} Memory;

static int by_place(const void *left, const void *right)
{
    uint64_t a = ((const Extent *)left)->place, b = ((const Extent *)right)->place;
    return (a > b) - (a < b);
}

/* How many of the places in order are below another. */
static Py_ssize_t places_below(const uint64_t *places, Py_ssize_t count, uint64_t place)
{
    Py_ssize_t low = 0, high = count;
    while (low < high) {
        Py_ssize_t middle = (low + high) / 2;
        if (places[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double mean(const Input *input, const double *sums, Py_ssize_t first, Py_ssize_t end)
{
    return end > first ? (sums[end] - sums[first]) / (double)(end - first) : -input->clear;
}

static Py_ssize_t least(Py_ssize_t a, Py_ssize_t b) { return a < b ? a : b; }
static Py_ssize_t most(Py_ssize_t a, Py_ssize_t b) { return a > b ? a : b; }

/* The running sums of a page, which begins at ``start``. */
static void sum_up(const Input *input, Memory *memory, Py_ssize_t start, Py_ssize_t count)
{
    double *columns[] = {memory->likely, memory->size, memory->linked, memory->clear, memory->own_likely, memory->own_size};
    for (size_t number = 0; number < sizeof columns / sizeof *columns; number++)
        columns[number][0] = 0;
    memory->headlines[0] = 0;
    for (Py_ssize_t node = 0; node < count; node++) {
        double odds = input->odds[start + node], size = input->weight[start + node], likely = size / (1 + exp(-odds));
        bool headline = input->headline[start + node];
        memory->likely[node + 1] = memory->likely[node] + likely;
        memory->size[node + 1] = memory->size[node] + size;
        memory->linked[node + 1] = memory->linked[node] + (input->linked[start + node] ? size : 0);
        memory->clear[node + 1] = memory->clear[node]
            + (odds < -input->clear ? -input->clear : odds > input->clear ? input->clear : odds);
        memory->own_likely[node + 1] = memory->own_likely[node] + (headline ? 0 : likely);
        memory->own_size[node + 1] = memory->own_size[node] + (headline ? 0 : size);
        memory->headlines[node + 1] = memory->headlines[node] + headline;
    }
}

/* The different extents of a page's elements that can hold a part of it, in order; how many there are. */
static Py_ssize_t gather_extents(const Input *input, Memory *memory, Py_ssize_t page, int32_t start, uint64_t line)
{
    Py_ssize_t count = 0, different = 0;
    for (int32_t element = input->element_start[page]; element < input->element_start[page + 1]; element++)
        if (input->able[element] && input->end[element] > input->first[element])
            memory->extents[count++] = (Extent){
                (uint64_t)(input->first[element] - start) * line + (uint64_t)(input->end[element] - start),
                input->content[element]};
    qsort(memory->extents, count, sizeof *memory->extents, by_place);
    for (Py_ssize_t at = 0; at < count; at++) {
        if (different && memory->extents[different - 1].place == memory->extents[at].place)
            memory->extents[different - 1].named |= memory->extents[at].named;
        else
            memory->extents[different++] = memory->extents[at];
    }
    return different;
}

/* Adds the chance of each extent to where it begins in ``steps``, and takes it back where it ends. */
static void spread_chances(const Input *input, Memory *memory, Py_ssize_t extents, Py_ssize_t count, uint64_t line)
{
    double all = memory->likely[count], best = -HUGE_VAL, total = 0;
    double head_likely = all - memory->own_likely[count], head_size = memory->size[count] - memory->own_size[count];
    for (Py_ssize_t at = 0; at < extents; at++) {
        Py_ssize_t first = memory->extents[at].place / line, end = memory->extents[at].place % line;
        double hit = memory->own_likely[end] - memory->own_likely[first] + head_likely;
        double size = memory->own_size[end] - memory->own_size[first] + head_size, expected = 2 * hit / (size + all);
        double score = input->expected * log(expected > DBL_MIN ? expected : DBL_MIN)
            + input->begin_in * mean(input, memory->clear, first, least(first + input->edge, end))
            + input->begin_out * mean(input, memory->clear, most(first - input->edge, 0), first)
            + input->end_in * mean(input, memory->clear, most(end - input->edge, first), end)
            + input->end_out * mean(input, memory->clear, end, least(end + input->edge, count))
            + (memory->extents[at].named ? input->called : 0);
        memory->chance[at] = score;
        best = score > best ? score : best;
    }
    for (Py_ssize_t at = 0; at < extents; at++)
        total += memory->chance[at] = exp(memory->chance[at] - best);
    for (Py_ssize_t at = 0; at < extents; at++) {
        Py_ssize_t first = memory->extents[at].place / line, end = memory->extents[at].place % line;
        double chance = memory->chance[at] / total * (first == 0 && end == count ? input->whole : 1);
        memory->steps[first] += chance;
        memory->steps[end] -= chance;
    }
}

/* Marks where furniture spares its nodes, and groups of links put theirs down. */
static void mark_names(const Input *input, Memory *memory, Py_ssize_t page, int32_t start, Py_ssize_t count, uint64_t line)
{
    Py_ssize_t held = 0;
    for (int32_t element = input->element_start[page]; element < input->element_start[page + 1]; element++)
        if (input->able[element] && input->content[element] && input->end[element] > input->first[element])
            memory->extents[held++].place = (uint64_t)(input->first[element] - start) * line
                + (uint64_t)(input->end[element] - start);
    qsort(memory->extents, held, sizeof *memory->extents, by_place);
    for (Py_ssize_t at = 0; at < held; at++)
        memory->held[at] = memory->extents[at].place;
    for (int32_t element = input->element_start[page]; element < input->element_start[page + 1]; element++) {
        Py_ssize_t first = input->first[element] - start, end = input->end[element] - start;
        if (input->furniture[element]
            && memory->likely[end] - memory->likely[first] < input->misnamed * memory->likely[count])
            memory->spared[first]++, memory->spared[end]--;
        if (!input->groups[element]
            || !(memory->linked[end] - memory->linked[first]
                 > input->linked_share * (memory->size[end] - memory->size[first]))
            || memory->headlines[end] > memory->headlines[first])
            continue;
        uint64_t from = (uint64_t)first * line;
        Py_ssize_t inside = places_below(memory->held, held, (uint64_t)end * line) - places_below(memory->held, held, from)
            - (places_below(memory->held, held, from + line) - places_below(memory->held, held, from + (uint64_t)end));
        if (!inside)
            memory->listed[first]++, memory->listed[end]--;
    }
}

static void shift_page(const Input *input, Memory *memory, Py_ssize_t page, double *shift)
{
    int32_t start = input->page_start[page];
    Py_ssize_t count = input->page_start[page + 1] - start, spared = 0, listed = 0;
    uint64_t line = (uint64_t)count + 1;
    Py_ssize_t extents = gather_extents(input, memory, page, start, line);
    if (!extents)
        return;
    memset(memory->steps, 0, (count + 1) * sizeof *memory->steps);
    memset(memory->spared, 0, (count + 1) * sizeof *memory->spared);
    memset(memory->listed, 0, (count + 1) * sizeof *memory->listed);
    sum_up(input, memory, start, count);
    spread_chances(input, memory, extents, count, line);
    mark_names(input, memory, page, start, count, line);
    double chance = 0;
    for (Py_ssize_t node = 0; node < count; node++) {
        chance += memory->steps[node];
        spared += memory->spared[node];
        listed += memory->listed[node];
        double inside = chance < 0 ? 0 : chance > 1 ? 1 : chance;
        double own = listed > 0 ? -input->up : (spared > 0 ? 0 : input->up * inside) - input->down * (1 - inside);
        shift[start + node] = input->headline[start + node] && own < 0 ? 0 : own;
    }
}

static bool is_sound(const Input *input)
{
    bool fits = input->pages >= 0 && input->page_start[0] == 0 && input->page_start[input->pages] == input->nodes
        && input->element_start[0] >= 0 && input->element_start[input->pages] <= input->elements;
    for (Py_ssize_t page = 0; fits && page < input->pages; page++) {
        int32_t start = input->page_start[page], stop = input->page_start[page + 1];
        fits = start <= stop && input->element_start[page] <= input->element_start[page + 1];
        for (int32_t element = input->element_start[page]; fits && element < input->element_start[page + 1]; element++)
            fits = start <= input->first[element] && input->first[element] <= input->end[element]
                && input->end[element] <= stop;
    }
    return fits;
}

static void read_input(Reader *reader, Input *input)
{
    input->pages = length_of(reader, "page_start") - 1;
    input->nodes = length_of(reader, "odds");
    input->elements = length_of(reader, "first");
    input->page_start = column(reader, "page_start", input->pages + 1, 4);
    input->element_start = column(reader, "element_start", input->pages + 1, 4);
    input->first = column(reader, "first", input->elements, 4);
    input->end = column(reader, "end", input->elements, 4);
    input->able = column(reader, "able", input->elements, 1);
    input->content = column(reader, "content", input->elements, 1);
    input->furniture = column(reader, "furniture", input->elements, 1);
    input->groups = column(reader, "groups", input->elements, 1);
    input->odds = column(reader, "odds", input->nodes, 8);
    input->weight = column(reader, "weight", input->nodes, 8);
    input->linked = column(reader, "linked", input->nodes, 1);
    input->headline = column(reader, "headline", input->nodes, 1);
    const struct {
        const char *name;
        double *at;
    } sizes[] = {{"UP", &input->up}, {"DOWN", &input->down}, {"EXPECTED", &input->expected}, {"BEGIN_IN", &input->begin_in},
                 {"BEGIN_OUT", &input->begin_out}, {"END_IN", &input->end_in}, {"END_OUT", &input->end_out},
                 {"CALLED", &input->called}, {"CLEAR", &input->clear}, {"WHOLE", &input->whole},
                 {"MISNAMED", &input->misnamed}, {"LINKED", &input->linked_share}};
    for (size_t number = 0; number < sizeof sizes / sizeof *sizes; number++)
        *sizes[number].at = constant(reader, sizes[number].name);
    input->edge = (Py_ssize_t)constant(reader, "EDGE");
    if (!reader->failed && !is_sound(input)) {
        PyErr_SetString(PyExc_ValueError, "columns that do not fit each other");
        reader->failed = true;
    }
}

/* Memory for a page of so many nodes and elements. */
static bool begin(Memory *memory, Py_ssize_t nodes, Py_ssize_t elements)
{
    double **columns[] = {&memory->likely, &memory->size, &memory->linked, &memory->clear, &memory->steps,
                          &memory->own_likely, &memory->own_size};
    int32_t **counts[] = {&memory->headlines, &memory->spared, &memory->listed};
    bool fits = (memory->extents = PyMem_Malloc((elements + 1) * sizeof *memory->extents))
        && (memory->chance = PyMem_Malloc((elements + 1) * sizeof *memory->chance))
        && (memory->held = PyMem_Malloc((elements + 1) * sizeof *memory->held));
    for (size_t number = 0; fits && number < sizeof columns / sizeof *columns; number++)
        fits = (*columns[number] = PyMem_Malloc((nodes + 1) * sizeof(double))) != NULL;
    for (size_t number = 0; fits && number < sizeof counts / sizeof *counts; number++)
        fits = (*counts[number] = PyMem_Malloc((nodes + 1) * sizeof(int32_t))) != NULL;
    if (!fits)
        PyErr_NoMemory();
    return fits;
}

static void end(Memory *memory)
{
    void *parts[] = {memory->likely, memory->size, memory->linked, memory->clear, memory->steps, memory->own_likely,
                     memory->own_size, memory->headlines, memory->spared, memory->listed, memory->extents, memory->chance,
                     memory->held};
    for (size_t number = 0; number < sizeof parts / sizeof *parts; number++)
        PyMem_Free(parts[number]);
}

static PyObject *shift(PyObject *self, PyObject *arguments)
{
    PyObject *columns, *pages, *result;
    if (!PyArg_ParseTuple(arguments, "O!OO", &PyDict_Type, &columns, &pages, &result))
        return NULL;
    Reader reader = {.failed = false, .named = columns};
    Input input = {0};
    Memory memory = {0};
    const uint8_t *which;
    double *shifts;
    read_input(&reader, &input);
    if (!reader.failed && (which = numbers(&reader.buffers, pages, input.pages, 1, false))
        && (shifts = numbers(&reader.buffers, result, input.nodes, 8, true))) {
        Py_ssize_t nodes = 0, elements = 0;
        for (Py_ssize_t page = 0; page < input.pages; page++) {
            nodes = most(nodes, input.page_start[page + 1] - input.page_start[page]);
            elements = most(elements, input.element_start[page + 1] - input.element_start[page]);
        }
        memset(shifts, 0, input.nodes * sizeof *shifts);
        if (begin(&memory, nodes, elements))
            for (Py_ssize_t page = 0; page < input.pages; page++)
                if (which[page])
                    shift_page(&input, &memory, page, shifts);
        end(&memory);
    }
    release(&reader.buffers);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef METHODS[] = {
    {"shift", shift, METH_VARARGS, "shift(columns, pages, result): writes what is to be added to the log-odds of each node."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_containers", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__containers(void)
{
    return PyModule_Create(&MODULE);
}
