/* SPDX-License-Identifier: MIT */
/* The lists of method_list.h as they are written down: read by generate_lists.c when the library is built. */
#ifndef CLASSES_METHOD_LIST_ROWS_H
#define CLASSES_METHOD_LIST_ROWS_H

#include <stddef.h>

#include "classes/lists.h"

/* Ranges are hexadecimal, inclusive, and separated by blanks. */
struct method_list_text {
    const char *chips, *classes, *methods;
    enum method_how how;
};

extern const struct method_list_text method_list_texts[];
extern const size_t method_list_text_count;

#endif
