/* SPDX-License-Identifier: MIT */
/* Shared by the library and the generator, which must agree on the order of names. */
#include "classes/tables.h"

static int fold(char c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

int classes_compare(const char *a, const char *b) {
    while (*a != '\0' && fold(*a) == fold(*b)) {
        a++;
        b++;
    }
    return fold(*a) - fold(*b);
}
