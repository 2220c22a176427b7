/* SPDX-License-Identifier: MIT */
/* Memory for the rounds of a test: zero as from calloc(), and the same each time, since fresh pages cost a host most.
 */
#ifndef PFIFO_TESTS_KEPT_H
#define PFIFO_TESTS_KEPT_H

#include <stdlib.h>
#include <string.h>

struct kept {
    void *data;
    size_t bytes;
};

/* One user at a time; not to be freed. NULL: there is no memory. */
static inline void *kept_zeroed(struct kept *kept, size_t bytes) {
    if (kept->bytes < bytes) {
        free(kept->data);
        kept->data = malloc(bytes);
        kept->bytes = kept->data ? bytes : 0;
    }
    return kept->data ? memset(kept->data, 0, bytes) : NULL;
}

#endif
