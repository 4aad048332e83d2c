/* The markup of a line of JSON, as UTF-8 and without a string of Python in between.

   Data flow: {"url": …, "html": "<p>\u3042\n…", …}  -->  the bytes that "html" stands for, and the line without them

   A page's line is nearly all markup; making a string of it and UTF-8 of that again takes four times as long. Whatever
   is unusual (no such field or two, an escape in a name, half of a surrogate pair, bytes that are no UTF-8, control
   characters) gives None, and the readers of rows.py see the line as it is. Nothing is kept between calls. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef const unsigned char *Bytes;

static Bytes behind_spaces(Bytes at, Bytes end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

/* The quote that ends a string which begins behind ``at``; NULL without one. */
static Bytes closing_quote(Bytes at, Bytes end)
{
    while ((at = memchr(at, '"', end - at)) != NULL) {
        Bytes back = at;
        while (back[-1] == '\\') /* stops at the opening quote at the latest */
            back--;
        if ((at - back) % 2 == 0)
            return at;
        at++;
    }
    return NULL;
}

/* Behind a value, whatever it is; NULL where the line ends before. */
static Bytes behind_value(Bytes at, Bytes end)
{
    Py_ssize_t depth = 0;
    for (; at < end; at++) {
        if (*at == '"') {
            at = closing_quote(at + 1, end);
            if (at == NULL)
                return NULL;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']' || *at == ',') {
            if (depth == 0)
                return at;
            depth -= *at != ',';
        }
    }
    return NULL;
}

/* The field "html": where its string begins and ends in the line, without the quotes, and what it stands for. */
typedef struct {
    Bytes start, stop;
    unsigned char *utf8, *written;
} Html;

static Bytes write_string(Bytes at, Bytes end, unsigned char **to);

/* Reads the line up to its end and writes the one field; false where there is not just one. */
static bool find_html(Bytes at, Bytes end, Html *html)
{
    at = behind_spaces(at, end);
    if (at == end || *at != '{')
        return false;
    do {
        at = behind_spaces(at + 1, end);
        if (at == end || *at != '"')
            return false;
        Bytes name = at + 1, quote = closing_quote(name, end);
        if (quote == NULL || memchr(name, '\\', quote - name) != NULL)
            return false;
        at = behind_spaces(quote + 1, end);
        if (at == end || *at != ':')
            return false;
        at = behind_spaces(at + 1, end);
        if (quote - name == 4 && !memcmp(name, "html", 4)) {
            if (html->start != NULL || at == end || *at != '"')
                return false;
            html->start = at + 1;
            html->written = html->utf8;
            html->stop = write_string(html->start, end, &html->written);
            if (html->stop == NULL)
                return false;
            at = html->stop + 1;
        }
        at = behind_value(at, end);
        if (at == NULL)
            return false;
    } while (*at == ',');
    return html->start != NULL;
}

static int digit_of(unsigned char byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* The number of four hexadecimal digits; -1 where they are none. */
static int32_t unit_at(Bytes at, Bytes end)
{
    int32_t unit = 0;
    if (end - at < 4)
        return -1;
    for (int place = 0; place < 4; place++) {
        int digit = digit_of(at[place]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static unsigned char *write_point(unsigned char *to, int32_t point)
{
    if (point < 0x80) {
        *to++ = (unsigned char)point;
        return to;
    }
    if (point < 0x800) {
        *to++ = (unsigned char)(0xC0 | point >> 6);
    } else {
        if (point < 0x10000) {
            *to++ = (unsigned char)(0xE0 | point >> 12);
        } else {
            *to++ = (unsigned char)(0xF0 | point >> 18);
            *to++ = (unsigned char)(0x80 | (point >> 12 & 0x3F));
        }
        *to++ = (unsigned char)(0x80 | (point >> 6 & 0x3F));
    }
    *to++ = (unsigned char)(0x80 | (point & 0x3F));
    return to;
}

/* How many bytes a character beyond ASCII has that begins here; 0 where it is no UTF-8 (RFC 3629, section 4). */
static int size_of_character(Bytes at, Bytes end)
{
    unsigned char lead = at[0], second = end - at > 1 ? at[1] : 0;
    int size = lead >= 0xC2 && lead <= 0xDF ? 2 : (lead & 0xF0) == 0xE0 ? 3 : lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
    if (!size || end - at < size)
        return 0;
    for (int place = 1; place < size; place++)
        if ((at[place] & 0xC0) != 0x80)
            return 0;
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90)
        || (lead == 0xF4 && second > 0x8F))
        return 0;
    return size;
}

/* Reads an escape behind its backslash and writes what it stands for; moves both on. False where it is none. */
static bool unescape(Bytes *at, Bytes end, unsigned char **to)
{
    static const unsigned char MEANINGS[256] = {['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b',
                                                ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t'};
    if (*at == end)
        return false;
    if (MEANINGS[**at]) {
        *(*to)++ = MEANINGS[*(*at)++];
        return true;
    }
    int32_t unit = **at == 'u' ? unit_at(*at + 1, end) : -1;
    if (unit < 0 || (unit >= 0xDC00 && unit <= 0xDFFF))
        return false;
    *at += 5;
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        int32_t low = end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u' ? unit_at(*at + 2, end) : -1;
        if (low < 0xDC00 || low > 0xDFFF)
            return false;
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        *at += 6;
    }
    *to = write_point(*to, unit);
    return true;
}

/* Copies the next STEP bytes; how many of them, up to the first other one, are plain characters: no quote, no backslash, no
   control character, not beyond ASCII. What is copied too much is written over. */
#if defined(__SSE2__)
enum { STEP = 16 };

static inline int copy_plain(Bytes at, unsigned char *to)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)at);
    _mm_storeu_si128((__m128i *)to, bytes);
    __m128i marked = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    marked = _mm_or_si128(marked, _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20))); /* as signed: control characters, and beyond */
    int marks = _mm_movemask_epi8(marked);
    return marks ? __builtin_ctz((unsigned)marks) : STEP;
}
#else
enum { STEP = 8 };

static inline int copy_plain(Bytes at, unsigned char *to)
{
    memcpy(to, at, STEP);
    int plain = 0;
    while (plain < STEP && at[plain] >= 0x20 && at[plain] < 0x80 && at[plain] != '\\' && at[plain] != '"')
        plain++;
    return plain;
}
#endif

/* Writes what a string stands for, up to its quote, which is returned, or NULL where it is no string of JSON. What is
   written is never longer than what is read. */
static Bytes write_string(Bytes at, Bytes end, unsigned char **result)
{
    unsigned char *to = *result;
    while (at < end) {
        if (end - at >= STEP) {
            int plain = copy_plain(at, to);
            at += plain, to += plain;
            if (plain == STEP)
                continue;
        }
        if (*at == '"') {
            *result = to;
            return at;
        }
        if (*at == '\\') {
            at++;
            if (!unescape(&at, end, &to))
                return NULL;
        } else if (*at >= 0x80) {
            do { /* other scripts stand in runs */
                int size = size_of_character(at, end);
                if (!size)
                    return NULL;
                while (size--)
                    *to++ = *at++;
            } while (at < end && *at >= 0x80);
        } else if (*at >= 0x20) {
            *to++ = *at++;
        } else {
            return NULL;
        }
    }
    return NULL;
}

static PyObject *parts_of_line(Bytes begin, Bytes end)
{
    PyObject *utf8 = PyBytes_FromStringAndSize(NULL, end - begin);
    if (utf8 == NULL)
        return NULL;
    Html html = {.start = NULL, .utf8 = (unsigned char *)PyBytes_AS_STRING(utf8)};
    if (!find_html(begin, end, &html)) {
        Py_DECREF(utf8);
        Py_RETURN_NONE;
    }
    if (_PyBytes_Resize(&utf8, html.written - html.utf8) < 0)
        return NULL;
    PyObject *rest = PyBytes_FromStringAndSize(NULL, (html.start - begin) + (end - html.stop));
    if (rest == NULL) {
        Py_DECREF(utf8);
        return NULL;
    }
    memcpy(PyBytes_AS_STRING(rest), begin, html.start - begin);
    memcpy(PyBytes_AS_STRING(rest) + (html.start - begin), html.stop, end - html.stop);
    return Py_BuildValue("(NN)", utf8, rest);
}

static PyObject *html_of_line(PyObject *self, PyObject *line)
{
    Py_buffer view;
    if (PyObject_GetBuffer(line, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    PyObject *parts = parts_of_line(view.buf, (Bytes)view.buf + view.len);
    PyBuffer_Release(&view);
    return parts;
}

static PyMethodDef METHODS[] = {
    {"html_of_line", html_of_line, METH_O,
     "html_of_line(line): what the field html of a line of JSON stands for, as UTF-8, and the line with an empty one; None "
     "where the line is unusual."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_json_line", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__json_line(void)
{
    return PyModule_Create(&MODULE);
}
