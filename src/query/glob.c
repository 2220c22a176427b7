/* SPDX-License-Identifier: MIT */
#include "query/query.h"

#include <string.h>

static char glob_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool query_same(char a, char b) {
    return glob_lower(a) == glob_lower(b);
}

/* Goes back to the last * only: the work is at most the product of the lengths. */
bool query_glob(const char *glob, const char *text) {
    const char *star = NULL, *from = NULL;

    while (*text) {
        if (*glob == '*') {
            star = glob++;
            from = text;
        } else if (*glob == '?' || (*glob && query_same(*glob, *text))) {
            glob++;
            text++;
        } else if (star) {
            glob = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*glob == '*')
        glob++;
    return !*glob;
}
