/* Which images stand right beside kept text, in C: most are decided by numbers and the names of the elements around them.

   Data flow: images, the columns of a page, sums of its characters  --near_images-->  (image, elements around it without kept
              text); None for these where images.py decides: figures with captions, what stands below a headline

   images.ImageFinder._kept does the same for one image, and is the reference. */

#include "../../features/_buffers.h"

/* The columns of a page; what is borrowed and owned by the caller. */
typedef struct {
    const int32_t *first, *end, *parent, *opened;
    const unsigned char *number, *has_text, *most, *aside;
    const int64_t *places;
    const double *characters;
    Py_ssize_t elements, texts, place_count, headline;
    long anchor, figure;
    double near, longest_caption, far;
    PyObject *attributes, *leads_home, *is_called_aside;
} Page;

static PyObject *key_href, *key_class, *key_id, *name_get, *no_text, *no_attributes;

/* The first of the kept texts from a place on. */
static Py_ssize_t first_kept(const Page *page, int64_t from)
{
    Py_ssize_t low = 0, high = page->place_count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (page->places[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double sum(const Page *page, int64_t first, int64_t end) { return page->characters[end] - page->characters[first]; }

/* The dropped characters up to the kept text, or the headline, before and behind an element. */
static void distances(const Page *page, Py_ssize_t element, double *before, double *behind)
{
    int64_t first = page->first[element], end = page->end[element];
    Py_ssize_t place = first_kept(page, first), next = first_kept(page, end);
    int64_t last = place ? page->places[place - 1] + 1 : page->headline;
    *before = last >= 0 && last <= first ? sum(page, last, first) : Py_HUGE_VAL;
    *behind = next < page->place_count ? sum(page, end, page->places[next]) : Py_HUGE_VAL;
}

/* An attribute, or an empty text; borrowed, NULL where Python failed. */
static PyObject *attribute(PyObject *own, PyObject *name)
{
    PyObject *value = PyDict_GetItemWithError(own, name);
    return value != NULL ? value : PyErr_Occurred() ? NULL : no_text;
}

static int answer(PyObject *function, PyObject *text)
{
    PyObject *said = text == NULL ? NULL : PyObject_CallOneArg(function, text);
    int yes = said == NULL ? -1 : PyObject_IsTrue(said);
    Py_XDECREF(said);
    return yes;
}

/* Whether what an element is called says that it stands beside the content; -1 where Python failed. */
static int is_called_aside(const Page *page, Py_ssize_t element, PyObject *own)
{
    if (page->aside[page->number[element]])
        return 1;
    PyObject *names = attribute(own, key_class), *id = names == NULL ? NULL : attribute(own, key_id);
    if (id == NULL || !PyUnicode_Check(names) || !PyUnicode_Check(id))
        return id == NULL ? -1 : 0;
    if (!PyUnicode_GET_LENGTH(names) && !PyUnicode_GET_LENGTH(id))
        return 0;
    PyObject *both = PyUnicode_FromFormat("%U %U", names, id);
    int yes = answer(page->is_called_aside, both);
    Py_XDECREF(both);
    return yes;
}

/* Whether an element without kept text stands beside the content; what holds the headline does not. */
static int is_aside(const Page *page, Py_ssize_t element)
{
    PyObject *event = PyLong_FromLong(page->opened[element]);
    PyObject *arguments[] = {page->attributes, event, no_attributes};
    PyObject *own = event == NULL ? NULL : PyObject_VectorcallMethod(name_get, arguments, 3, NULL);
    Py_XDECREF(event);
    if (own == NULL || !PyDict_Check(own)) {
        if (own != NULL)
            PyErr_SetString(PyExc_TypeError, "the attributes of an element are a dict");
        Py_XDECREF(own);
        return -1;
    }
    int aside = 0;
    if (page->number[element] == page->anchor)
        aside = answer(page->leads_home, attribute(own, key_href));
    if (!aside && !(page->first[element] < page->headline && page->headline <= page->end[element]))
        aside = is_called_aside(page, element, own);
    Py_DECREF(own);
    return aside;
}

/* Whether an image stands behind the headline, and no text between them is kept. */
static bool may_be_below_headline(const Page *page, Py_ssize_t image)
{
    if (page->headline < 0 || page->headline > page->first[image])
        return false;
    return !first_kept(page, page->first[image]) || page->places[0] < page->headline;
}

/* Whether an image belongs to the content: 1 with its chain, 0, -1 where Python failed, 2 where images.py decides. */
static int decide(const Page *page, Py_ssize_t image, PyObject *chain)
{
    Py_ssize_t element = image, outermost = -1, above = image;
    bool in_figure = false;
    for (; above >= 0 && !page->has_text[above]; above = page->parent[above]) {
        outermost = above;
        in_figure = in_figure || page->number[above] == page->figure;
    }
    if (above < 0 || outermost < 0)
        return outermost < 0;
    double before, behind;
    distances(page, outermost, &before, &behind);
    bool is_near = (before < behind ? before : behind) <= page->near && page->most[above];
    if (!is_near)
        return behind > page->far || !may_be_below_headline(page, image) ? 0 : 2;
    if (in_figure)
        return 2;
    if (sum(page, page->first[outermost], page->end[outermost]) > page->longest_caption)
        return 0;
    for (; element != above; element = page->parent[element]) {
        int aside = is_aside(page, element);
        PyObject *number = aside ? NULL : PyLong_FromSsize_t(element);
        if (aside || number == NULL || PyList_Append(chain, number)) {
            Py_XDECREF(number);
            return aside > 0 ? 0 : -1;
        }
        Py_DECREF(number);
    }
    return 1;
}

/* Whether what columns point at is there: a parent stands before its children. */
static bool fit(const Page *page)
{
    for (Py_ssize_t at = 0; at < page->elements; at++)
        if (page->parent[at] >= at || page->first[at] < 0 || page->first[at] > page->end[at] || page->end[at] > page->texts)
            return false;
    for (Py_ssize_t at = 0; at < page->place_count; at++)
        if (page->places[at] < (at ? page->places[at - 1] : 0) || page->places[at] >= page->texts)
            return false;
    return page->headline <= page->texts;
}

static PyObject *decide_all(const Page *page, const int64_t *images, Py_ssize_t count)
{
    PyObject *decided = PyList_New(0);
    for (Py_ssize_t at = 0; decided != NULL && at < count; at++) {
        PyObject *chain = PyList_New(0), *pair = NULL;
        int kept = chain == NULL || images[at] < 0 || images[at] >= page->elements ? -1 : decide(page, (Py_ssize_t)images[at], chain);
        if (kept > 0)
            pair = Py_BuildValue("(LN)", (long long)images[at], kept == 1 ? PyList_AsTuple(chain) : Py_NewRef(Py_None));
        if (kept < 0 && !PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "an image that the page does not have");
        if (kept < 0 || (kept > 0 && (pair == NULL || PyList_Append(decided, pair))))
            Py_CLEAR(decided);
        Py_XDECREF(pair);
        Py_XDECREF(chain);
    }
    return decided;
}

static PyObject *near_images(PyObject *module, PyObject *arguments)
{
    PyObject *given, *first, *end, *parent, *opened, *number, *has_text, *most, *places, *characters;
    Py_buffer aside;
    Page page;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOOOOOOOOy*nll(ddd)OOO", &given, &first, &end, &parent, &opened, &number, &has_text,
                          &most, &places, &characters, &aside, &page.headline, &page.anchor, &page.figure, &page.near,
                          &page.longest_caption, &page.far, &page.attributes, &page.leads_home, &page.is_called_aside))
        return NULL;
    Buffers buffers = {.count = 0};
    Py_ssize_t count = -1, sums = -1;
    PyObject *decided = NULL;
    page.elements = page.place_count = -1;
    const int64_t *images = take(&buffers, given, &count, sizeof(int64_t), false);
    page.first = images == NULL ? NULL : take(&buffers, first, &page.elements, sizeof(int32_t), false);
    page.end = page.first == NULL ? NULL : numbers(&buffers, end, page.elements, sizeof(int32_t), false);
    page.parent = page.end == NULL ? NULL : numbers(&buffers, parent, page.elements, sizeof(int32_t), false);
    page.opened = page.parent == NULL ? NULL : numbers(&buffers, opened, page.elements, sizeof(int32_t), false);
    page.number = page.opened == NULL ? NULL : numbers(&buffers, number, page.elements, 1, false);
    page.has_text = page.number == NULL ? NULL : numbers(&buffers, has_text, page.elements, 1, false);
    page.most = page.has_text == NULL ? NULL : numbers(&buffers, most, page.elements, 1, false);
    page.places = page.most == NULL ? NULL : take(&buffers, places, &page.place_count, sizeof(int64_t), false);
    page.characters = page.places == NULL ? NULL : take(&buffers, characters, &sums, sizeof(double), false);
    page.aside = aside.buf;
    page.texts = sums - 1;
    if (page.characters != NULL && (aside.len != 256 || sums < 1 || !fit(&page)))
        PyErr_SetString(PyExc_ValueError, "the columns of a page do not fit each other");
    else if (page.characters != NULL)
        decided = decide_all(&page, images, count);
    release(&buffers);
    PyBuffer_Release(&aside);
    return decided;
}

static PyMethodDef METHODS[] = {
    {"near_images", near_images, METH_VARARGS,
     "near_images(images, first, end, parent, opened, number, has_text, most, places, characters, aside, headline, anchor,\n"
     "figure, (near, longest_caption, far), attributes, leads_home, is_called_aside): images that may be content, each with\n"
     "the elements around it without kept text, or None."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_images", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__images(void)
{
    struct {
        PyObject **place;
        const char *name;
    } names[] = {{&key_href, "href"}, {&key_class, "class"}, {&key_id, "id"}, {&name_get, "get"}, {&no_text, ""}};
    for (size_t at = 0; at < sizeof(names) / sizeof(*names); at++)
        if ((*names[at].place = PyUnicode_InternFromString(names[at].name)) == NULL)
            return NULL;
    no_attributes = PyDict_New();
    return no_attributes == NULL ? NULL : PyModule_Create(&MODULE);
}
