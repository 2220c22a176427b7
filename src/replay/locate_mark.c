/* SPDX-License-Identifier: MIT */
/* In a run the channels stay, and so do the pieces that were submitted: only where the pusher has got to in them moves.
 */
#include "replay/locate_channel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct locate_mark {
    size_t count;
    struct locate_channel channel[];
};

struct locate_mark *locate_mark_new(struct locate_channel *const *channels, size_t count) {
    struct locate_mark *mark = malloc(sizeof *mark + count * sizeof mark->channel[0]);

    if (!mark)
        return NULL;
    mark->count = count;
    for (size_t i = 0; i < count; i++)
        mark->channel[i] = *channels[i];
    return mark;
}

void locate_mark_return(const struct locate_mark *mark, struct locate_channel *const *channels, size_t count) {
    /* In a run no channel is opened. */
    assert(count == mark->count);
    for (size_t i = 0; i < count && i < mark->count; i++)
        *channels[i] = mark->channel[i];
}

void locate_mark_free(struct locate_mark *mark) {
    free(mark);
}
