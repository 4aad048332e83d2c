/* A node of the tree of content as C keeps it, for the modules that read it. */

#ifndef RUIJI_DOCUMENT_TREE_H
#define RUIJI_DOCUMENT_TREE_H

#include "../../features/_buffers.h"

typedef struct {
    PyObject_HEAD
    PyObject *tag, *event, *attributes, *children; /* str, int, dict, list of nodes and texts */
    char has_block;
} Node;

#endif
