/* The blocks inside an element: which children stand in one line, which are blocks of their own, and the frames that say
   nothing of what is in them.

   Data flow: children  --kind_of-->  runs of one kind  --put_run-->  blocks; a frame gives its own in the place of one

   blocks.py and paragraphs.py have the same functions as their reference. Blocks that only some pages have (tables, code,
   figures, definitions, boxes) are read by blocks.py. */

#ifndef RUIJI_DOCUMENT_BLOCKS_H
#define RUIJI_DOCUMENT_BLOCKS_H

#include "_paragraphs.h"

static Blocks blocks_inside(Page *page, Part *part);
static void put_part(Page *page, Blocks *blocks, Part *part);

/* Appends pieces of a heading: bold says nothing there, line breaks are spaces, and links to the heading itself are not read. */
static void put_in_heading(Page *page, Pieces *line, const Pieces *pieces)
{
    for (Py_ssize_t at = 0; at < pieces->count; at++) {
        Piece *piece = pieces->items[at];
        if (piece->kind == BREAK) {
            Str space = new_str(page, 1);
            space.letters[0] = ' ';
            push(page, line, text_piece(page, space));
        } else if (piece->kind == STYLED && !piece->style) {
            put_in_heading(page, line, &piece->inside);
        } else if (piece->kind == LINK) {
            PyObject *target = hold(page, unicode_of(&piece->target));
            long sign = number_from(page, call(page, sign_in_heading, plain_text(page, &piece->inside), target, NULL));
            if (sign == 0)
                push(page, line, piece);
            for (Py_ssize_t inner = 0; sign == 1 && inner < piece->inside.count; inner++)
                push(page, line, piece->inside.items[inner]);
        } else {
            push(page, line, piece);
        }
    }
}

/* Whether a line may end in the empty brackets that a link to edit it leaves. */
static bool may_end_in_brackets(const Pieces *line)
{
    const Piece *last = line->items[line->count - 1];
    Py_UCS4 letter = last->kind == TEXT ? letter_at(&last->text, last->text.length - 1) : 0;
    return letter == ']' || letter == ')' || letter == 0xff3d;
}

/* Whether a part in a heading is called what edits it or links to it. */
static bool has_editing(Page *page, Part *root)
{
    const char *names;
    Py_ssize_t length;
    for (Part *part = part_behind(root, root); part != NULL; part = part_behind(root, part))
        if (part->text == NULL && attribute_of(page->tree, part, CLASS, &names, &length) &&
            truth_of(page, call(page, is_editing, hold(page, attribute_text(page->tree, part, CLASS)), NULL, NULL)))
            return true;
    return false;
}

/* Puts what blocks.py says of a block. */
static void put_by_python(Page *page, Blocks *blocks, Part *part)
{
    Blocks more = blocks_from(page, call(page, read_block, node(page, part), page->reading, path_to(page, part)));
    put_blocks(page, blocks, &more);
}

/* The heading that an element is, or its images where it has no text. */
static void put_heading(Page *page, Blocks *blocks, Part *part, int level)
{
    bool has_elements = false;
    for (Part *child = part->first; child != NULL; child = child->next)
        has_elements = has_elements || child->text == NULL;
    Pieces line = {NULL, 0, 0};
    if (!(has_elements && has_editing(page, part))) {
        line = line_of(page, part->first, NULL);
        if (has_elements && !(line.count == 1 && line.items[0]->kind == TEXT)) {
            Pieces pieces = {NULL, 0, 0};
            put_in_heading(page, &pieces, &line);
            line = tidied(page, &pieces);
        }
    }
    if (!line.count ? has_elements : may_end_in_brackets(&line)) {
        put_by_python(page, blocks, part);
        return;
    }
    if (says_something(&line)) {
        Block *block = new_block(page, HEADING);
        block->level = level;
        block->line = line;
        put_block(page, blocks, block);
        return;
    }
    for (Py_ssize_t at = 0; has_elements && at < line.count; at++) {
        Pieces image = {NULL, 0, 0};
        if (line.items[at]->kind != IMAGE)
            continue;
        push(page, &image, line.items[at]);
        put_paragraph(page, blocks, &image);
    }
}

/* Whether blocks are links to places in the page, as in a table of contents, with more of these below. */
static bool leads_into_page(const Blocks *blocks)
{
    for (Py_ssize_t at = 0; at < blocks->count; at++) {
        const Block *block = blocks->items[at];
        if (block->kind != LIST && block->kind != PARAGRAPH)
            return false;
        for (Py_ssize_t item = 0; block->kind == LIST && item < block->count; item++)
            if (!leads_into_page(&block->inside[item]))
                return false;
        for (Py_ssize_t piece = 0; block->kind == PARAGRAPH && piece < block->line.count; piece++)
            if (!is_place(block->line.items[piece]))
                return false;
    }
    return true;
}

/* Whether an item is no item but a list used as a frame around parts of the page, or around a list. */
static bool is_only_structure(const Blocks *item)
{
    if (item->count == 1 && item->items[0]->kind == LIST)
        return true;
    for (Py_ssize_t at = 0; item->count > 1 && at < item->count; at++)
        if (item->items[at]->kind == HEADING || item->items[at]->kind == TABLE || item->items[at]->kind == QUOTE)
            return true;
    return false;
}

/* Items in their order. */
typedef struct {
    Blocks *items;
    Py_ssize_t count, room;
} Items;

static void put_item(Page *page, Items *items, const Blocks *item)
{
    if (!item->count)
        return;
    if (items->count == items->room) {
        Py_ssize_t room = 2 * items->room + 4;
        Blocks *more = take_room(page, (size_t)room * sizeof *more);
        if (items->count)
            memcpy(more, items->items, (size_t)items->count * sizeof *more);
        items->items = more;
        items->room = room;
    }
    items->items[items->count++] = *item;
}

static bool is_list(const Part *part)
{
    unsigned char shape = part->text == NULL ? number_in(shapes_of_blocks, part) : 0;
    return shape == AS_LIST || shape == AS_ORDERED;
}

/* The list that items are; `part` is its element, NULL where it has none. */
static void put_list(Page *page, Blocks *blocks, const Items *items, const Part *part)
{
    if (!items->count)
        return;
    if (items->count == 1 && is_only_structure(&items->items[0])) {
        put_blocks(page, blocks, &items->items[0]);
        return;
    }
    bool is_table_of_contents = true;
    for (Py_ssize_t at = 0; at < items->count; at++)
        is_table_of_contents = is_table_of_contents && leads_into_page(&items->items[at]);
    if (is_table_of_contents)
        return;
    Block *list = new_block(page, LIST);
    list->inside = items->items;
    list->count = items->count;
    if (part != NULL && number_in(shapes_of_blocks, part) == AS_ORDERED) {
        Str start = attribute(page, part, START);
        long number = 0;
        bool is_number = start.length && start.length <= 9;
        for (Py_ssize_t at = 0; is_number && at < start.length; at++) {
            int digit = Py_UNICODE_TODECIMAL(start.letters[at]);
            is_number = digit >= 0;
            number = 10 * number + digit;
        }
        list->start = is_number ? number : 1;
    }
    put_block(page, blocks, list);
}

/* The items of a list from its children. */
static void put_list_of(Page *page, Blocks *blocks, Part *part)
{
    Items items = {NULL, 0, 0};
    for (Part *child = part->first; child != NULL; child = child->next) {
        Blocks item = {NULL, 0, 0};
        if (child->text != NULL) {
            Pieces line = {NULL, 0, 0};
            if (is_white(child) || !PyUnicode_GET_LENGTH(child->text))
                continue;
            line = line_of(page, child, child->next);
            Block *paragraph = new_block(page, PARAGRAPH);
            paragraph->line = line;
            put_block(page, &item, paragraph);
        } else if (has_event(page, page->left_out, child)) {
            continue;
        } else if (is_list(child) && items.count) { /* a list that its page put beside the item it belongs to */
            put_list_of(page, &items.items[items.count - 1], child);
            continue;
        } else if (number_in(kinds, child) == ITEM || (child->has_block && !is_list(child))) {
            item = blocks_inside(page, child);
        } else if (kind_of(page, child) != IN_LINE) {
            put_part(page, &item, child);
        } else {
            Pieces line = line_of(page, child, child->next);
            put_paragraph(page, &item, &line);
        }
        put_item(page, &items, &item);
    }
    put_list(page, blocks, &items, part);
}

/* Blocks inside a link or a style, which is put around the line of each. */
static void put_around(Page *page, Blocks *blocks, Part *part, const Piece *group, bool nested)
{
    Blocks inside = blocks_inside(page, part);
    for (Py_ssize_t at = 0; at < inside.count; at++) {
        Block *block = inside.items[at];
        if ((block->kind == HEADING || block->kind == PARAGRAPH) && (nested || !is_inside_line(&block->line, LINK))) {
            Piece *around = new_piece(page, group->kind);
            Pieces line = {NULL, 0, 0};
            *around = *group;
            around->inside = block->line;
            push(page, &line, around);
            block->line = tidied(page, &line);
        }
        put_block(page, blocks, block);
    }
}

/* Puts an element that is a block, or has some. */
static void put_part(Page *page, Blocks *blocks, Part *part)
{
    unsigned char shape = part->number == CUSTOM ? AS_INSIDE : number_in(shapes_of_blocks, part);
    if (shape == AS_FRAME && is_silent(page, part)) {
        Blocks inside = blocks_inside(page, part);
        put_blocks(page, blocks, &inside);
        return;
    }
    const char *role;
    Py_ssize_t length;
    bool is_heading = shape > AS_PYTHON_SAYS && shape <= MOST_LEVELS;
    if (shape == AS_PYTHON_SAYS || shape == AS_FRAME ||
        (!is_heading && attribute_of(page->tree, part, ROLE, &role, &length) && length == 7 && !memcmp(role, "heading", 7))) {
        put_by_python(page, blocks, part);
    } else if (is_heading) {
        put_heading(page, blocks, part, shape);
    } else if (shape == AS_LIST || shape == AS_ORDERED) {
        put_list_of(page, blocks, part);
    } else if (shape == AS_RULE) {
        put_block(page, blocks, new_block(page, RULE));
    } else if (shape == AS_QUOTE) {
        Block *quote = new_block(page, QUOTE);
        quote->inside = take_room(page, sizeof *quote->inside);
        quote->count = 1;
        if ((*quote->inside = blocks_inside(page, part)).count)
            put_block(page, blocks, quote);
    } else if (shape == AS_LINK || shape >= FIRST_BLOCK_STYLE) {
        Piece group = {.kind = shape == AS_LINK ? LINK : STYLED};
        group.style = shape == AS_LINK ? 0 : (unsigned char)(shape - FIRST_BLOCK_STYLE);
        Str href = shape == AS_LINK ? attribute(page, part, HREF) : new_str(page, 0);
        if (shape == AS_LINK)
            group.target = target_of(page, href);
        if (shape != AS_LINK || (group.target.length && letter_at(&group.target, 0) != '#' && page->links)) {
            put_around(page, blocks, part, &group, shape != AS_LINK);
        } else {
            Blocks inside = blocks_inside(page, part);
            put_blocks(page, blocks, &inside);
        }
    } else if (shape != AS_NOTHING) {
        Blocks inside = blocks_inside(page, part);
        put_blocks(page, blocks, &inside);
    }
}

/* Puts the blocks of parts of one kind, up to one of them. */
static void put_run(Page *page, Blocks *blocks, int kind, Part *first, const Part *end)
{
    if (kind == IN_LINE) {
        put_line(page, blocks, first, end);
        return;
    }
    if (kind == ALONE || kind == FRAME) {
        put_part(page, blocks, first);
        return;
    }
    Items items = {NULL, 0, 0};
    PyObject *nodes = kind == CODES ? hold(page, PyList_New(0)) : NULL;
    for (Part *part = first; part != end; part = part->next) {
        if (part->text != NULL || is_left_out(page, part))
            continue;
        if (kind == CODES) {
            if (PyList_Append(nodes, node(page, part)))
                fail(page);
        } else if (!has_event(page, page->left_out, part)) {
            Blocks item = blocks_inside(page, part);
            put_item(page, &items, &item);
        }
    }
    if (kind == ITEM) {
        put_list(page, blocks, &items, NULL);
    } else {
        Blocks more = blocks_from(page, call(page, codes, nodes, path_to(page, first), NULL));
        put_blocks(page, blocks, &more);
    }
}

static PyObject *code_at(const Blocks *blocks, Py_ssize_t at)
{
    return at >= 0 && at < blocks->count && blocks->items[at]->kind == CODE_BLOCK ? blocks->items[at]->value : Py_None;
}

/* Leaves out the lines that say the language of code above it, or number its lines beside it. */
static void leave_out_labels(Page *page, Blocks *blocks)
{
    Blocks kept = {NULL, 0, 0};
    for (Py_ssize_t at = 0; at < blocks->count; at++) {
        Block *block = blocks->items[at];
        PyObject *before = code_at(blocks, at - 1), *behind = code_at(blocks, at + 1);
        if (block->kind == PARAGRAPH && (before != Py_None || behind != Py_None) &&
            truth_of(page, call(page, is_beside_code, plain_text(page, &block->line), before, behind)))
            continue;
        put_block(page, &kept, block);
    }
    *blocks = kept;
}

/* The blocks inside an element. */
static Blocks blocks_inside(Page *page, Part *root)
{
    Blocks blocks = {NULL, 0, 0};
    if (root->first == NULL)
        return blocks;
    descend(page);
    bool has_more = root->has_block || may_be_more(page, root), has_code = false;
    Part *run = NULL; /* the first of those that are together; before it nothing is waiting */
    Part *end = NULL; /* behind the last of them that says something */
    int kind = IN_LINE;
    for (Part *part = root->first; part != NULL; part = part->next) {
        int own = IN_LINE;
        if (is_white(part) && (run == NULL || kind != IN_LINE))
            continue;
        if (is_left_out(page, part))
            continue;
        if (has_more)
            own = kind_of(page, part);
        if (run != NULL && (own != kind || own >= ALONE)) {
            put_run(page, &blocks, kind, run, end);
            run = NULL;
        }
        kind = own;
        has_code = has_code || own == CODES;
        if (run == NULL)
            run = part;
        if (!is_white(part))
            end = part->next;
    }
    if (run != NULL)
        put_run(page, &blocks, kind, run, end);
    if (has_code)
        leave_out_labels(page, &blocks);
    page->depth--;
    return blocks;
}

#endif
