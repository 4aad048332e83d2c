/* Memory that is given back as a whole: everything that one page, or one reading of it, is made of.

   Data flow: take, take_zeroed  -->  bytes that live until  --release_arena--> */

#ifndef RUIJI_DOCUMENT_ARENA_H
#define RUIJI_DOCUMENT_ARENA_H

#include "../../features/_buffers.h"
#include <stddef.h>

typedef struct Chunk Chunk;
struct Chunk {
    Chunk *before;
    size_t used, size;
    max_align_t bytes[];
};

typedef struct {
    Chunk *last;
} Arena;

enum { CHUNK = 1 << 15 };

/* So many bytes; NULL with an exception where there are none. */
static void *take_bytes(Arena *arena, size_t size)
{
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (arena->last == NULL || arena->last->size - arena->last->used < size) {
        size_t room = size > CHUNK ? size : CHUNK;
        Chunk *chunk = PyMem_Malloc(sizeof *chunk + room);
        if (chunk == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        chunk->before = arena->last;
        chunk->used = 0;
        chunk->size = room;
        arena->last = chunk;
    }
    void *bytes = (char *)arena->last->bytes + arena->last->used;
    arena->last->used += size;
    return bytes;
}

static void *take_zeroed(Arena *arena, size_t size)
{
    void *bytes = take_bytes(arena, size);
    if (bytes != NULL)
        memset(bytes, 0, size);
    return bytes;
}

static void release_arena(Arena *arena)
{
    while (arena->last != NULL) {
        Chunk *before = arena->last->before;
        PyMem_Free(arena->last);
        arena->last = before;
    }
}

#endif
