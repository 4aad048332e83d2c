/* Arithmetic on lanes of numbers, and on rows of them: what the pass of the network is made of.

   Vectors of blocks are rows, padded with zeros to whole lanes. Each row is summed in the same order wherever it
   stands. */

#ifndef RUIJI_LANES_H
#define RUIJI_LANES_H

#include "../../features/_buffers.h"

#if !defined(__GNUC__)
#error "this needs vectors as GCC and Clang have them; without this module NumPy does the same"
#endif
#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are passed between functions that are always inlined */

enum { LANES = 16, TILE = 6 };
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

#endif
