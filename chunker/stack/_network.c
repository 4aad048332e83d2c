/* What the network says of the blocks of pages, in C: from their numbers and words to log-odds.

   Data flow, page by page (weights, scales and the vocabulary are baked by network.py; nothing here knows a column):

     matrix  --scale-->  inputs  --numbers-->  + words and kinds  --relu, norm-->  vectors of blocks
     vectors --attention-->  the page as a whole
     block before, block, block after, page  --gate-->  mixed into the vector  --norm, last layer-->  odds

   A page never depends on those beside it: each row is summed in the same order wherever it stands. Vectors are padded
   with zeros to whole lanes. Nothing is kept between calls. NumPy (network.py, network_pass.py) is the reference. */

#include "../../features/_buffers.h"

#if !defined(__GNUC__)
#error "this needs vectors as GCC and Clang have them; without this module NumPy does the same"
#endif
#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are passed between functions that are always inlined */

enum { LANES = 16, TILE = 6, CHUNK = 40 * TILE, VALUES = 256 };
#define FARTHEST_EXPONENT 80.0f

typedef float Lane __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));
typedef int32_t Bits __attribute__((vector_size(LANES * sizeof(int32_t)), aligned(4)));
#define INLINE static inline __attribute__((always_inline))

INLINE Lane all(float number)
{
    return number - (Lane){0};
}

INLINE Lane chosen(Bits mask, Lane yes, Lane no)
{
    return (Lane)((mask & (Bits)yes) | (~mask & (Bits)no));
}

INLINE float sum_of(Lane numbers_)
{
    float sum = 0;
    for (int lane = 0; lane < LANES / 2; lane++)
        sum += numbers_[lane] + numbers_[lane + LANES / 2];
    return sum;
}

/* e^x to seven digits (the polynomial of Cephes' expf). */
INLINE Lane exp_of(Lane x)
{
    x = chosen(x > FARTHEST_EXPONENT, all(FARTHEST_EXPONENT), x);
    x = chosen(x < -FARTHEST_EXPONENT, all(-FARTHEST_EXPONENT), x);
    Lane whole = (x * 1.44269504088896341f + 12582912.0f) - 12582912.0f;
    x = x - whole * 0.693359375f + whole * 2.12194440e-4f;
    Lane y = ((((1.9875691500e-4f * x + 1.3981999507e-3f) * x + 8.3334519073e-3f) * x + 4.1665795894e-2f) * x
              + 1.6666665459e-1f) * x + 5.0000001201e-1f;
    y = y * x * x + x + 1.0f;
    return y * (Lane)((__builtin_convertvector(whole, Bits) + 127) << 23);
}

/* ln x to seven digits, for x of 1 and more (the polynomial of Cephes' logf). */
INLINE Lane log_of(Lane x)
{
    Bits bits = (Bits)x;
    Lane exponent = __builtin_convertvector((bits >> 23) - 126, Lane);
    x = (Lane)((bits & 0x007fffff) | 0x3f000000); /* from one half to 1 */
    Bits small = x < 0.707106781186547524f;
    exponent -= chosen(small, all(1), all(0));
    x = x + chosen(small, x, all(0)) - 1.0f;
    Lane square = x * x;
    Lane y = ((((((((7.0376836292e-2f * x - 1.1514610310e-1f) * x + 1.1676998740e-1f) * x - 1.2420140846e-1f) * x
                   + 1.4249322787e-1f) * x - 1.6668057665e-1f) * x + 2.0000714765e-1f) * x - 2.4999993993e-1f) * x
              + 3.3333331174e-1f) * x * square;
    return x + (y + exponent * -2.12194440e-4f - 0.5f * square) + exponent * 0.693359375f;
}

/* What is learned, as network.py bakes it; matrices have a row an input and ``lanes`` outputs. */
typedef struct {
    Py_ssize_t width, lanes;      /* of a vector, as learned and padded */
    Py_ssize_t inputs, kinds, words, text_words, name_words, columns;
    const int32_t *column;        /* of each input the column of the matrix */
    const uint8_t *logarithmic;
    const float *mean, *deviation;
    const int32_t *kind_column, *kind_row; /* columns of kinds; for each value the row of ``word`` */
    const float *number, *word, *block_bias, *attention;
    const float *around;          /* of the block before, the block, the block after, one below the other */
    const float *page, *gate_bias; /* twice as wide: values, then gates */
    const float *mixed, *last, *last_bias, *out;
    float out_bias, farthest;
} Network;

/* Keys by the upper bits of their hashes (network_tables.py): those of each place from its start to before the next. */
typedef struct {
    Py_ssize_t count, places;
    const uint64_t *keys;
    const int32_t *order;
    const int32_t *start;
    int shift;
} Keys;

typedef struct {
    Py_ssize_t pages, nodes, rows, words, elements, named, names, name_words;
    const int32_t *page_start;    /* nodes */
    const int32_t *row_start;     /* blocks */
    const int32_t *block;         /* of each node */
    const int32_t *first, *end;   /* of each element its nodes */
    const int32_t *word_text;
    const uint64_t *word_key;
    const int32_t *named_element, *name_kind, *name_start;
    const uint64_t *name_key;
    const float *matrix;          /* a column after another */
} Pages;

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

/* c += a · b for so many rows; a has steps between rows and between inputs, b and c are as wide as ``lanes``. */
FOR_EACH_PROCESSOR
static void multiply(const float *a, Py_ssize_t row_step, Py_ssize_t input_step, Py_ssize_t rows, const float *b,
                     Py_ssize_t inputs, Py_ssize_t lanes, float *c)
{
    for (Py_ssize_t row = 0; row < rows; row += TILE) {
        const float *own[TILE];
        float *result[TILE];
        for (int number = 0; number < TILE; number++) { /* behind the end the last row is summed again */
            Py_ssize_t at = row + number < rows ? row + number : rows - 1;
            own[number] = a + at * row_step;
            result[number] = c + at * lanes;
        }
        for (Py_ssize_t lane = 0; lane < lanes; lane += LANES) {
            Lane sum[TILE];
            for (int number = 0; number < TILE; number++)
                sum[number] = *(const Lane *)(result[number] + lane);
            const float *weights = b + lane;
            for (Py_ssize_t input = 0; input < inputs; input++, weights += lanes) {
                Lane weight = *(const Lane *)weights;
                for (int number = 0; number < TILE; number++)
                    sum[number] += own[number][input * input_step] * weight;
            }
            for (int number = 0; number < TILE; number++)
                *(Lane *)(result[number] + lane) = sum[number];
        }
    }
}

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

/* Rows with mean 0 and deviation 1; what pads a row stays 0. */
FOR_EACH_PROCESSOR
static void norm(const float *rows, Py_ssize_t count, Py_ssize_t width, Py_ssize_t lanes, float *normed)
{
    const Bits place = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (Py_ssize_t row = 0; row < count; row++, rows += lanes, normed += lanes) {
        Lane sum = {0}, squares = {0};
        for (Py_ssize_t at = 0; at < lanes; at += LANES)
            sum += *(const Lane *)(rows + at);
        float mean = sum_of(sum) / (float)width;
        for (Py_ssize_t at = 0; at < lanes; at += LANES) {
            Lane apart = chosen(place < (int32_t)(width - at), *(const Lane *)(rows + at) - mean, all(0));
            *(Lane *)(normed + at) = apart;
            squares += apart * apart;
        }
        float times = 1.0f / __builtin_sqrtf(sum_of(squares) / (float)width + 1e-5f);
        for (Py_ssize_t at = 0; at < lanes; at += LANES)
            *(Lane *)(normed + at) *= times;
    }
}

FOR_EACH_PROCESSOR
static void cut_below_nothing(float *numbers_, Py_ssize_t count)
{
    for (Py_ssize_t at = 0; at < count; at++)
        numbers_[at] = numbers_[at] > 0 ? numbers_[at] : 0;
}

FOR_EACH_PROCESSOR
static void add_row(float *restrict sums, const float *restrict row, Py_ssize_t lanes)
{
    for (Py_ssize_t at = 0; at < lanes; at++)
        sums[at] += row[at];
}

FOR_EACH_PROCESSOR
static void add_steps(double *restrict sums, const float *restrict row, double sign, Py_ssize_t lanes)
{
    for (Py_ssize_t at = 0; at < lanes; at++)
        sums[at] += sign * row[at];
}

FOR_EACH_PROCESSOR
static void say_on(float *restrict sums, double *restrict said, const double *restrict steps, Py_ssize_t lanes)
{
    for (Py_ssize_t at = 0; at < lanes; at++)
        sums[at] += (float)(said[at] += steps[at]);
}

FOR_EACH_PROCESSOR
static void copy_rows(const float *row, Py_ssize_t count, Py_ssize_t lanes, float *copies)
{
    for (Py_ssize_t number = 0; number < count; number++)
        memcpy(copies + number * lanes, row, lanes * sizeof *row);
}

/* tanh of the first half of each row times the logistic function of the other. */
FOR_EACH_PROCESSOR
static void gate(const float *rows, Py_ssize_t count, Py_ssize_t lanes, float *passed)
{
    for (Py_ssize_t row = 0; row < count; row++)
        for (Py_ssize_t at = 0; at < lanes; at += LANES) {
            Lane value = *(const Lane *)(rows + row * 2 * lanes + at);
            Lane door = *(const Lane *)(rows + row * 2 * lanes + lanes + at);
            Lane tanh_ = 1.0f - 2.0f / (exp_of(2.0f * value) + 1.0f);
            *(Lane *)(passed + row * lanes + at) = tanh_ / (1.0f + exp_of(-door));
        }
}

FOR_EACH_PROCESSOR
static void dot(const float *rows, Py_ssize_t count, Py_ssize_t lanes, const float *weights, float *sums)
{
    for (Py_ssize_t row = 0; row < count; row++) {
        Lane sum = {0};
        for (Py_ssize_t at = 0; at < lanes; at += LANES)
            sum += *(const Lane *)(rows + row * lanes + at) * *(const Lane *)(weights + at);
        sums[row] = sum_of(sum);
    }
}

/* The page as a whole: a mean in which blocks count by what they say of the page. */
FOR_EACH_PROCESSOR
static void attend(const float *vectors, Py_ssize_t count, Py_ssize_t lanes, float *score, float *whole)
{
    float most = score[0], total = 0;
    for (Py_ssize_t row = 1; row < count; row++)
        most = score[row] > most ? score[row] : most;
    for (Py_ssize_t at = 0; at < count; at += LANES) { /* there is room for a lane behind the last score */
        Lane raised = exp_of(*(const Lane *)(score + at) - most);
        *(Lane *)(score + at) = raised;
    }
    for (Py_ssize_t row = 0; row < count; row++)
        total += score[row];
    memset(whole, 0, lanes * sizeof *whole);
    for (Py_ssize_t row = 0; row < count; row++) {
        float share = score[row] / total;
        for (Py_ssize_t at = 0; at < lanes; at++)
            whole[at] += share * vectors[row * lanes + at];
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

static void read_network(Reader *reader, Network *network)
{
    network->width = (Py_ssize_t)constant(reader, "width");
    network->lanes = (Py_ssize_t)constant(reader, "lanes");
    network->words = (Py_ssize_t)constant(reader, "words");
    network->text_words = (Py_ssize_t)constant(reader, "text_words");
    network->name_words = (Py_ssize_t)constant(reader, "name_words");
    network->columns = (Py_ssize_t)constant(reader, "columns");
    network->out_bias = (float)constant(reader, "out_bias");
    network->farthest = (float)constant(reader, "farthest");
    network->inputs = length_of(reader, "mean");
    network->kinds = length_of(reader, "kind_column");
    Py_ssize_t lanes = network->lanes;
    bool fits = lanes > 0 && lanes % LANES == 0 && lanes <= 4096 && network->width > 0 && network->width <= lanes
        && network->text_words >= 0 && network->name_words >= 0 && network->columns >= 0
        && network->words >= network->text_words + network->name_words;
    if (!fits && !reader->failed) {
        PyErr_SetString(PyExc_ValueError, "a network whose sizes do not fit each other");
        reader->failed = true;
    }
    network->column = column(reader, "column", network->inputs, 4);
    network->logarithmic = column(reader, "logarithmic", network->inputs, 1);
    network->mean = column(reader, "mean", network->inputs, 4);
    network->deviation = column(reader, "deviation", network->inputs, 4);
    network->kind_column = column(reader, "kind_column", network->kinds, 4);
    network->kind_row = column(reader, "kind_row", network->kinds * VALUES, 4);
    network->number = column(reader, "numbers", network->inputs * lanes, 4);
    network->word = column(reader, "word", network->words * lanes, 4);
    network->block_bias = column(reader, "block_bias", lanes, 4);
    network->attention = column(reader, "attention", lanes, 4);
    network->around = column(reader, "around", 3 * lanes * 2 * lanes, 4);
    network->page = column(reader, "page", lanes * 2 * lanes, 4);
    network->gate_bias = column(reader, "gate_bias", 2 * lanes, 4);
    network->mixed = column(reader, "mixed", lanes * lanes, 4);
    network->last = column(reader, "last", lanes * lanes, 4);
    network->last_bias = column(reader, "last_bias", lanes, 4);
    network->out = column(reader, "out", lanes, 4);
    for (Py_ssize_t number = 0; !reader->failed && number < network->inputs; number++)
        fits = fits && network->column[number] >= 0 && network->column[number] < network->columns;
    for (Py_ssize_t number = 0; !reader->failed && number < network->kinds; number++)
        fits = fits && network->kind_column[number] >= 0 && network->kind_column[number] < network->columns;
    for (Py_ssize_t number = 0; !reader->failed && number < network->kinds * VALUES; number++)
        fits = fits && network->kind_row[number] >= 0 && network->kind_row[number] < network->words;
    if (!fits && !reader->failed) {
        PyErr_SetString(PyExc_ValueError, "a network whose columns do not fit its weights");
        reader->failed = true;
    }
}

static void read_keys(Reader *reader, const char *prefix, Py_ssize_t words, Keys *table)
{
    char name[32];
    snprintf(name, sizeof name, "%s_keys", prefix);
    table->count = length_of(reader, name);
    table->keys = column(reader, name, table->count, 8);
    snprintf(name, sizeof name, "%s_order", prefix);
    table->order = column(reader, name, table->count, 4);
    snprintf(name, sizeof name, "%s_start", prefix);
    table->places = length_of(reader, name) - 1;
    table->start = column(reader, name, table->places + 1, 4);
    snprintf(name, sizeof name, "%s_shift", prefix);
    table->shift = (int)constant(reader, name);
    bool fits = !table->count || (table->shift > 0 && table->shift < 64 && table->places == (Py_ssize_t)1 << (64 - table->shift));
    for (Py_ssize_t at = 0; fits && !reader->failed && at < table->count; at++)
        fits = table->order[at] >= 0 && table->order[at] < words;
    for (Py_ssize_t at = 0; fits && !reader->failed && table->count && at <= table->places; at++)
        fits = table->start[at] >= 0 && table->start[at] <= table->count;
    if (!fits && !reader->failed) {
        PyErr_SetString(PyExc_ValueError, "a vocabulary that does not fit its weights");
        reader->failed = true;
    }
}

static bool are_within(const int32_t *numbers_, Py_ssize_t count, Py_ssize_t end)
{
    bool fits = true;
    for (Py_ssize_t at = 0; at < count; at++)
        fits &= numbers_[at] >= 0 && numbers_[at] < end;
    return fits;
}

static bool are_rising(const int32_t *numbers_, Py_ssize_t count)
{
    bool fits = true;
    for (Py_ssize_t at = 1; at < count; at++)
        fits &= numbers_[at] >= numbers_[at - 1];
    return fits;
}

static bool is_sound(const Pages *pages)
{
    return pages->pages >= 0 && pages->names >= 0 && pages->page_start[0] == 0 && pages->row_start[0] == 0
        && pages->page_start[pages->pages] == pages->nodes && pages->row_start[pages->pages] == pages->rows
        && pages->name_start[0] == 0 && pages->name_start[pages->names] == pages->name_words
        && are_rising(pages->page_start, pages->pages + 1) && are_rising(pages->row_start, pages->pages + 1)
        && are_rising(pages->name_start, pages->names + 1) && are_rising(pages->block, pages->nodes)
        && are_rising(pages->word_text, pages->words) && are_within(pages->block, pages->nodes, pages->rows)
        && are_within(pages->word_text, pages->words, pages->nodes)
        && are_within(pages->first, pages->elements, pages->nodes + 1)
        && are_within(pages->end, pages->elements, pages->nodes + 1)
        && are_within(pages->named_element, pages->named, pages->elements)
        && are_within(pages->name_kind, pages->named, pages->names);
}

/* Whether the nodes of each page are in its rows. */
static bool rows_fit(const Pages *pages)
{
    bool fits = true;
    for (Py_ssize_t page = 0; page < pages->pages; page++)
        for (int32_t node = pages->page_start[page]; node < pages->page_start[page + 1]; node++)
            fits &= pages->block[node] >= pages->row_start[page] && pages->block[node] < pages->row_start[page + 1];
    return fits;
}

static void read_pages(Reader *reader, Pages *pages)
{
    pages->pages = length_of(reader, "page_start") - 1;
    pages->nodes = length_of(reader, "block");
    pages->words = length_of(reader, "word_text");
    pages->elements = length_of(reader, "first");
    pages->named = length_of(reader, "named_element");
    pages->names = length_of(reader, "name_start") - 1;
    pages->name_words = length_of(reader, "name_key");
    pages->page_start = column(reader, "page_start", pages->pages + 1, 4);
    pages->row_start = column(reader, "row_start", pages->pages + 1, 4);
    pages->block = column(reader, "block", pages->nodes, 4);
    pages->first = column(reader, "first", pages->elements, 4);
    pages->end = column(reader, "end", pages->elements, 4);
    pages->word_text = column(reader, "word_text", pages->words, 4);
    pages->word_key = column(reader, "word_key", pages->words, 8);
    pages->named_element = column(reader, "named_element", pages->named, 4);
    pages->name_kind = column(reader, "name_kind", pages->named, 4);
    pages->name_start = column(reader, "name_start", pages->names + 1, 4);
    pages->name_key = column(reader, "name_key", pages->name_words, 8);
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
