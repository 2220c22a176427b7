/* SPDX-License-Identifier: MIT */
/*
 * In a run the channels stay, and so do the pieces that were submitted: only where the pusher has got to in them moves.
 * A whole mark has pieces of its own.
 */
#include "replay/locate_channel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct locate_mark {
    bool whole;
    size_t count;
    struct locate_channel channel[];
};

/* With pieces of its own. False: no memory, and it has none. */
static bool locate_mark_copy_channel(struct locate_channel *copy, const struct locate_channel *channel) {
    size_t left = channel->count - channel->first;

    *copy = *channel;
    copy->first = 0;
    copy->count = copy->room = left;
    copy->pieces = left ? malloc(left * sizeof copy->pieces[0]) : NULL;
    if (copy->pieces)
        memcpy(copy->pieces, channel->pieces + channel->first, left * sizeof copy->pieces[0]);
    return copy->pieces || !left;
}

struct locate_mark *locate_mark_new(struct locate_channel *const *channels, size_t count, bool whole) {
    struct locate_mark *mark = malloc(sizeof *mark + count * sizeof mark->channel[0]);

    if (!mark)
        return NULL;
    mark->whole = whole;
    for (mark->count = 0; mark->count < count; mark->count++) {
        if (!whole) {
            mark->channel[mark->count] = *channels[mark->count];
        } else if (!locate_mark_copy_channel(&mark->channel[mark->count], channels[mark->count])) {
            locate_mark_free(mark);
            return NULL;
        }
    }
    return mark;
}

void locate_mark_return(const struct locate_mark *mark, struct locate_channel *const *channels, size_t count) {
    /* In a run no channel is opened. */
    assert(count == mark->count);
    for (size_t i = 0; i < count && i < mark->count; i++)
        *channels[i] = mark->channel[i];
}

size_t locate_mark_channels(const struct locate_mark *mark) {
    return mark->count;
}

struct locate_channel *locate_mark_channel(const struct locate_mark *mark, size_t index) {
    struct locate_channel *channel = malloc(sizeof *channel);

    assert(mark->whole);
    if (channel && locate_mark_copy_channel(channel, &mark->channel[index]))
        return channel;
    free(channel);
    return NULL;
}

void locate_mark_free(struct locate_mark *mark) {
    for (size_t i = 0; mark && mark->whole && i < mark->count; i++)
        free(mark->channel[i].pieces);
    free(mark);
}
