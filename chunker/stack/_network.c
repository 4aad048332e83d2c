/* What the network says of the blocks of pages, in C: from their numbers and words to log-odds.

   Data flow, page by page (weights, scales and the vocabulary are baked by network.py; nothing here knows a column):

     matrix  --scale-->  inputs  --numbers-->  + words and kinds  --relu, norm-->  vectors of blocks
     vectors --attention-->  the page as a whole
     block before, block, block after, page  --gate-->  mixed into the vector  --norm, last layer-->  odds

   A page never depends on those beside it: each row is summed in the same order wherever it stands. Vectors are padded
   with zeros to whole lanes. Nothing is kept between calls. NumPy (network.py, network_pass.py) is the reference. */

#include "_network_tables.h"

/* Memory of one call. */
typedef struct {
    float *inputs;                /* of a chunk, a line an input */
    float *first, *vector;        /* of a page; vectors have one of zeros before and after them */
    float *gates, *passed, *final, *hidden; /* of a chunk */
    float *score, *whole, *base;
    double *steps, *said;         /* of a page what begins and ends with each block, and what is said at one */
    int32_t *until;               /* of each word of names and texts the block up to which it has been said */
    int32_t *name_word;           /* of each word of a name its number, or -1 */
} Memory;

/* The inputs of a chunk of rows, a line an input. */
FOR_EACH_PROCESSOR
static void scale(const Network *network, const Pages *pages, Py_ssize_t first, Py_ssize_t rows, float *inputs)
{
    for (Py_ssize_t input = 0; input < network->inputs; input++) {
        const float *column = pages->matrix + network->column[input] * pages->rows + first;
        float *line = inputs + input * CHUNK, mean = network->mean[input], times = 1.0f / network->deviation[input];
        memcpy(line, column, rows * sizeof *line);
        if (network->logarithmic[input])
            for (Py_ssize_t at = 0; at < rows; at += LANES) {
                Lane x = *(Lane *)(line + at);
                Bits sign = (Bits)x & (int32_t)0x80000000;
                *(Lane *)(line + at) = (Lane)((Bits)log_of((Lane)((Bits)x & 0x7fffffff) + 1.0f) | sign);
            }
        for (Py_ssize_t at = 0; at < rows; at += LANES) {
            Lane x = (*(Lane *)(line + at) - mean) * times;
            x = chosen(x > network->farthest, all(network->farthest), x);
            *(Lane *)(line + at) = chosen(x < -network->farthest, all(-network->farthest), x);
        }
    }
}

/* The number of a word in the vocabulary, or -1. */
static int32_t find_key(const Keys *table, uint64_t key)
{
    if (!table->count)
        return -1;
    const int32_t *place = table->start + (key * 0x9E3779B97F4A7C15u >> table->shift);
    for (int32_t at = place[0]; at < place[1]; at++)
        if (table->keys[at] == key)
            return table->order[at];
    return -1;
}

/* How many blocks begin before a node. */
static inline int32_t begun(const Pages *pages, int32_t node)
{
    return node ? pages->block[node - 1] + 1 : 0;
}

typedef struct {
    Py_ssize_t word, named;       /* the first of texts and of names that no page has taken */
} Taken;

/* What words and kinds add to the blocks of a page, from ``row`` to before ``end``: each word once to a block, and of
   elements inside each other with the same word only the outermost. */
static void add_words(const Network *network, const Pages *pages, const Keys *texts, Memory *memory, Taken *taken,
                      Py_ssize_t page, float *sums)
{
    Py_ssize_t lanes = network->lanes, row = pages->row_start[page], end = pages->row_start[page + 1];
    const float *text_words = network->word + (network->words - network->text_words - network->name_words) * lanes;
    const float *name_words = text_words + network->text_words * lanes;
    int32_t *names_until = memory->until + network->text_words;
    for (; taken->word < pages->words && pages->word_text[taken->word] < pages->page_start[page + 1]; taken->word++) {
        int32_t word = find_key(texts, pages->word_key[taken->word]);
        int32_t block = pages->block[pages->word_text[taken->word]];
        if (word >= 0 && block >= memory->until[word]) {
            memory->until[word] = block + 1;
            add_row(sums + (block - row) * lanes, text_words + word * lanes, lanes);
        }
    }
    memset(memory->steps, 0, (end - row) * lanes * sizeof *memory->steps);
    memset(memory->said, 0, lanes * sizeof *memory->said);
    for (; taken->named < pages->named; taken->named++) {
        int32_t element = pages->named_element[taken->named], kind = pages->name_kind[taken->named];
        if (pages->first[element] >= pages->page_start[page + 1] && pages->page_start[page + 1] < pages->nodes)
            break;
        int32_t first = begun(pages, pages->first[element]), after = begun(pages, pages->end[element]);
        if (after <= first || first < row || after > end)
            continue;
        for (int32_t at = pages->name_start[kind]; at < pages->name_start[kind + 1]; at++) {
            int32_t word = memory->name_word[at];
            if (word < 0 || first < names_until[word])
                continue;
            names_until[word] = after;
            add_steps(memory->steps + (first - row) * lanes, name_words + word * lanes, 1, lanes);
            if (after < end)
                add_steps(memory->steps + (after - row) * lanes, name_words + word * lanes, -1, lanes);
        }
    }
    for (Py_ssize_t at = row; at < end; at++) {
        float *own = sums + (at - row) * lanes;
        say_on(own, memory->said, memory->steps + (at - row) * lanes, lanes);
        for (Py_ssize_t kind = 0; kind < network->kinds; kind++) {
            float value = pages->matrix[network->kind_column[kind] * pages->rows + at];
            int32_t number = value > 0 ? value < VALUES - 1 ? (int32_t)value : VALUES - 1 : 0;
            add_row(own, network->word + network->kind_row[kind * VALUES + number] * lanes, lanes);
        }
    }
}

/* The odds of a page, from its numbers and from what ``memory->first`` has of its words. */
static void pass(const Network *network, const Pages *pages, Memory *memory, Py_ssize_t page, double *odds)
{
    Py_ssize_t lanes = network->lanes, start = pages->row_start[page], count = pages->row_start[page + 1] - start;
    float *vectors = memory->vector + lanes;
    for (Py_ssize_t at = 0; at < count; at += CHUNK) {
        Py_ssize_t rows = count - at < CHUNK ? count - at : CHUNK;
        float *first = memory->first + at * lanes;
        scale(network, pages, start + at, rows, memory->inputs);
        multiply(memory->inputs, 1, CHUNK, rows, network->number, network->inputs, lanes, first);
        cut_below_nothing(first, rows * lanes);
        norm(first, rows, network->width, lanes, vectors + at * lanes);
    }
    memset(memory->vector, 0, lanes * sizeof(float));
    memset(vectors + count * lanes, 0, lanes * sizeof(float));
    memset(memory->score + count, 0, LANES * sizeof(float));
    dot(vectors, count, lanes, network->attention, memory->score);
    attend(vectors, count, lanes, memory->score, memory->whole);
    memcpy(memory->base, network->gate_bias, 2 * lanes * sizeof(float));
    multiply(memory->whole, lanes, 1, 1, network->page, lanes, 2 * lanes, memory->base);
    for (Py_ssize_t at = 0; at < count; at += CHUNK) {
        Py_ssize_t rows = count - at < CHUNK ? count - at : CHUNK;
        float *first = memory->first + at * lanes;
        copy_rows(memory->base, rows, 2 * lanes, memory->gates);
        multiply(memory->vector + at * lanes, lanes, 1, rows, network->around, 3 * lanes, 2 * lanes, memory->gates);
        gate(memory->gates, rows, lanes, memory->passed);
        multiply(memory->passed, lanes, 1, rows, network->mixed, lanes, lanes, first);
        norm(first, rows, network->width, lanes, memory->final);
        copy_rows(network->last_bias, rows, lanes, memory->hidden);
        multiply(memory->final, lanes, 1, rows, network->last, lanes, lanes, memory->hidden);
        cut_below_nothing(memory->hidden, rows * lanes);
        dot(memory->hidden, rows, lanes, network->out, memory->score);
        for (Py_ssize_t row = 0; row < rows; row++)
            odds[start + at + row] = (double)(memory->score[row] + network->out_bias);
    }
}

static bool begin(Memory *memory, const Network *network, const Pages *pages)
{
    Py_ssize_t longest = 0, lanes = network->lanes;
    for (Py_ssize_t page = 0; page < pages->pages; page++) {
        Py_ssize_t rows = pages->row_start[page + 1] - pages->row_start[page];
        longest = rows > longest ? rows : longest;
    }
    const struct {
        void *at;
        size_t count, size;
    } parts[] = {
        {&memory->inputs, (network->inputs + 1) * CHUNK, sizeof(float)},
        {&memory->first, longest * lanes, sizeof(float)},
        {&memory->vector, (longest + 2) * lanes, sizeof(float)},
        {&memory->gates, CHUNK * 2 * lanes, sizeof(float)},
        {&memory->passed, CHUNK * lanes, sizeof(float)},
        {&memory->final, CHUNK * lanes, sizeof(float)},
        {&memory->hidden, CHUNK * lanes, sizeof(float)},
        {&memory->score, longest + CHUNK + LANES, sizeof(float)},
        {&memory->whole, lanes, sizeof(float)},
        {&memory->base, 2 * lanes, sizeof(float)},
        {&memory->steps, longest * lanes, sizeof(double)},
        {&memory->said, lanes, sizeof(double)},
        {&memory->until, network->text_words + network->name_words, sizeof(int32_t)},
        {&memory->name_word, pages->name_words, sizeof(int32_t)},
    };
    for (size_t number = 0; number < sizeof parts / sizeof *parts; number++) {
        void *part = PyMem_Calloc(parts[number].count + 1, parts[number].size);
        memcpy(parts[number].at, &part, sizeof part);
        if (part == NULL) {
            PyErr_NoMemory();
            return false;
        }
    }
    return true;
}

static void end(Memory *memory)
{
    void *parts[] = {memory->inputs, memory->first, memory->vector, memory->gates, memory->passed, memory->final,
                     memory->hidden, memory->score, memory->whole, memory->base, memory->steps, memory->said,
                     memory->until, memory->name_word};
    for (size_t number = 0; number < sizeof parts / sizeof *parts; number++)
        PyMem_Free(parts[number]);
}

static PyObject *odds(PyObject *self, PyObject *arguments)
{
    PyObject *columns, *baked, *matrix, *result;
    Network network = {0};
    Pages pages = {0};
    Keys texts = {0}, names = {0};
    Memory memory = {0};
    Reader reader = {.failed = false};
    const float *numbers_;
    double *log_odds = NULL;
    if (!PyArg_ParseTuple(arguments, "O!O!OO", &PyDict_Type, &columns, &PyDict_Type, &baked, &matrix, &result))
        return NULL;
    reader.named = baked;
    read_network(&reader, &network);
    read_keys(&reader, "text", network.text_words, &texts);
    read_keys(&reader, "name", network.name_words, &names);
    reader.named = columns;
    read_pages(&reader, &pages);
    pages.rows = -1;
    if (!reader.failed && (log_odds = take(&reader.buffers, result, &pages.rows, sizeof(double), true))
        && (numbers_ = numbers(&reader.buffers, matrix, pages.rows * network.columns, sizeof(float), false))) {
        pages.matrix = numbers_;
        if (!is_sound(&pages) || !rows_fit(&pages))
            PyErr_SetString(PyExc_ValueError, "columns that do not fit each other");
        else if (begin(&memory, &network, &pages)) {
            Taken taken = {0, 0};
            for (Py_ssize_t word = 0; word < pages.name_words; word++)
                memory.name_word[word] = find_key(&names, pages.name_key[word]);
            for (Py_ssize_t page = 0; page < pages.pages; page++) {
                copy_rows(network.block_bias, pages.row_start[page + 1] - pages.row_start[page], network.lanes,
                          memory.first);
                add_words(&network, &pages, &texts, &memory, &taken, page, memory.first);
                if (pages.row_start[page + 1] > pages.row_start[page])
                    pass(&network, &pages, &memory, page, log_odds);
            }
        }
        end(&memory);
    }
    release(&reader.buffers);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef METHODS[] = {
    {"odds", odds, METH_VARARGS, "odds(columns, network, matrix, result): writes the log-odds of each row."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_network", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__network(void)
{
    return PyModule_Create(&MODULE);
}
