/* SPDX-License-Identifier: MIT */
#include "stream/known.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>

/* ---- things with numbers ---- */

int known_compare_numbers(const void *a, const void *b) {
    const uint32_t *left = a, *right = b;

    return *left < *right ? -1 : *left > *right;
}

void *known_find(void *const *tree, uint32_t number) {
    void *const *node = tfind(&number, tree, known_compare_numbers);

    return node ? *node : NULL;
}

void *known_make(struct known *known, size_t bytes, struct reason *reason) {
    void *made = known->count < KNOWN_MOST ? calloc(1, bytes) : NULL;

    known->no_memory = !made && known->count < KNOWN_MOST;
    if (known->no_memory)
        reason_set(reason, "no memory");
    else if (!made)
        reason_set(reason, "more than %u buffers, spaces, channels and mappings at a time", KNOWN_MOST);
    return made;
}

bool known_add(struct known *known, void **tree, void *made, known_compare *compare, struct reason *reason) {
    if (tsearch(made, tree, compare)) {
        known->count++;
        return true;
    }
    free(made);
    known->no_memory = true;
    reason_set(reason, "no memory");
    return false;
}

static void known_take_out(struct known *known, void **tree, void *thing) {
    tdelete(thing, tree, known_compare_numbers);
    known->count--;
}

static bool known_unknown(const char *what, uint64_t number, struct reason *reason) {
    return reason_set(reason, "there is no %s %" PRIu64, what, number);
}

static struct known_buffer *find_buffer(const struct known *known, uint64_t handle) {
    return handle <= UINT32_MAX ? known_find(&known->buffers, (uint32_t)handle) : NULL;
}

static bool has_channel(const struct known *known, uint32_t number, struct reason *reason) {
    return known_find(&known->channels, number) || known_unknown("channel", number, reason);
}

/* ---- channels ---- */

static bool take_chanin(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    const struct pfifo_stream_chanin *chanin = &record->chanin;
    struct known_space *space = known_find(&known->spaces, chanin->space);

    if (known_find(&known->channels, chanin->channel))
        return reason_set(reason, "there is a channel %" PRIu32 " already", chanin->channel);
    if (!space)
        return known_unknown("space", chanin->space, reason);
    if (chanin->flags & ~PFIFO_STREAM_CHANIN_OLD_HEADERS)
        return reason_set(reason, "flags 0x%" PRIx32, chanin->flags);
    known->opening = true;
    known->opening_channel = chanin->channel;
    known->opening_space = space;
    return true;
}

static bool take_chan(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    if (known_find(&known->channels, record->chan.channel))
        return reason_set(reason, "there is a channel %" PRIu32 " already", record->chan.channel);
    struct known_channel *channel = known_make(known, sizeof *channel, reason);
    if (!channel)
        return false;
    *channel = (struct known_channel){record->chan.channel, known->opening ? known->opening_space : NULL};
    if (!known_add(known, &known->channels, channel, known_compare_numbers, reason))
        return false;
    if (channel->space)
        channel->space->channels++;
    known->opening = false;
    return true;
}

static bool take_chanfree(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    struct known_channel *channel = known_find(&known->channels, record->chanfree.channel);

    if (!channel)
        return known_unknown("channel", record->chanfree.channel, reason);
    if (channel->space)
        channel->space->channels--;
    known_take_out(known, &known->channels, channel);
    free(channel);
    return true;
}

static bool take_obj(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    return has_channel(known, record->obj.channel, reason);
}

static bool take_ntfy(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    return has_channel(known, record->ntfy.channel, reason);
}

/* ---- buffers ---- */

static bool take_bonew(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    const struct pfifo_stream_bonew *bonew = &record->bonew;

    if (!bonew->handle || !bonew->bytes || bonew->bytes > UINT64_MAX - KNOWN_PAGE)
        return reason_set(reason, "buffer %" PRIu32 " of 0x%" PRIx64 " bytes", bonew->handle, bonew->bytes);
    if (known_find(&known->buffers, bonew->handle))
        return reason_set(reason, "there is a buffer %" PRIu32 " already", bonew->handle);
    struct known_buffer *buffer = known_make(known, sizeof *buffer, reason);
    if (!buffer)
        return false;
    *buffer = (struct known_buffer){.handle = bonew->handle, .bytes = bonew->bytes};
    return known_add(known, &known->buffers, buffer, known_compare_numbers, reason);
}

static bool take_bodel(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    struct known_buffer *buffer = find_buffer(known, record->bodel.handle);

    if (!buffer)
        return known_unknown("buffer", record->bodel.handle, reason);
    if (buffer->mappings)
        return reason_set(reason, "buffer %" PRIu32 " is mapped", buffer->handle);
    known_take_out(known, &known->buffers, buffer);
    free(buffer);
    return true;
}

static bool take_prep(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    return find_buffer(known, record->prep.handle) || known_unknown("buffer", record->prep.handle, reason);
}

static bool take_write(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    const struct pfifo_stream_write *write = &record->write;
    const struct known_buffer *buffer = find_buffer(known, write->handle);

    if (!buffer)
        return known_unknown("buffer", write->handle, reason);
    if (!write->bytes || write->offset > buffer->bytes || write->bytes > buffer->bytes - write->offset)
        return reason_set(reason, "0x%zx bytes at 0x%" PRIx64 " of the buffer's 0x%" PRIx64, write->bytes,
                          write->offset, buffer->bytes);
    return true;
}

/* ---- submissions ---- */

static bool take_submit(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    const struct known_channel *channel = known_find(&known->channels, record->submit.channel);

    known->submitting = channel;
    return channel || known_unknown("channel", record->submit.channel, reason);
}

static bool take_boref(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    const struct known_buffer *buffer = find_buffer(known, record->boref.handle);

    if (!buffer)
        return known_unknown("buffer", record->boref.handle, reason);
    return record->boref.bytes == buffer->bytes ||
           reason_set(reason, "0x%" PRIx64 " bytes of the buffer's 0x%" PRIx64, record->boref.bytes, buffer->bytes);
}

/* A channel in the device's own space finds the buffer at the address it was made with. */
static bool known_take_push(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    const struct pfifo_stream_push *push = &record->push;
    const struct known_buffer *buffer = find_buffer(known, push->handle);
    const struct known_space *space = known->submitting->space;
    const struct known_range range = {push->address, 4 * (uint64_t)push->word_count};

    if (!push->handle || !range.bytes)
        return true;
    if (!buffer)
        return known_unknown("buffer", push->handle, reason);
    if (push->offset > buffer->bytes || range.bytes > buffer->bytes - push->offset)
        return reason_set(reason, "0x%" PRIx64 " bytes at 0x%" PRIx64 " of the buffer's 0x%" PRIx64, range.bytes,
                          push->offset, buffer->bytes);
    if (space && !known_is_mapped(space, &range, buffer, push->offset))
        return reason_set(reason, "buffer %" PRIu32 " + 0x%" PRIx64 " is not at address 0x%" PRIx64, buffer->handle,
                          push->offset, push->address);
    return true;
}

/* ---- syncpoints ---- */

#define SYNCPOINTS 0x1000u /* [19:8] of host method 0x74 */

static bool check_syncpoint(uint32_t syncpoint, struct reason *reason) {
    return syncpoint < SYNCPOINTS || reason_set(reason, "there is no syncpoint %" PRIu32, syncpoint);
}

static bool take_wait(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    (void)known;
    return check_syncpoint(record->wait.syncpoint, reason);
}

static bool take_fence(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    (void)known;
    return check_syncpoint(record->fence.syncpoint, reason);
}

static bool take_syncpt(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    const struct pfifo_stream_syncpt *syncpt = &record->syncpt;

    (void)known;
    if (syncpt->set > 1)
        return reason_set(reason, "neither incremented nor set, but %" PRIu32, syncpt->set);
    return check_syncpoint(syncpt->syncpoint, reason);
}

/* ---- records ---- */

/* TEXT, BODATA, RELOC, SUBEND, RUN and SYNC refer to nothing, or to what came before them in the submission. */
static known_taker *const takers[] = {
    [PFIFO_STREAM_CHAN] = take_chan,
    [PFIFO_STREAM_OBJ] = take_obj,
    [PFIFO_STREAM_NTFY] = take_ntfy,
    [PFIFO_STREAM_BONEW] = take_bonew,
    [PFIFO_STREAM_BODEL] = take_bodel,
    [PFIFO_STREAM_SUBMIT] = take_submit,
    [PFIFO_STREAM_BOREF] = take_boref,
    [PFIFO_STREAM_PUSH] = known_take_push,
    [PFIFO_STREAM_PREP] = take_prep,
    [PFIFO_STREAM_CHANFREE] = take_chanfree,
    [PFIFO_STREAM_SPACE] = known_take_space,
    [PFIFO_STREAM_SPACEDEL] = known_take_spacedel,
    [PFIFO_STREAM_SPARSE] = known_take_sparse,
    [PFIFO_STREAM_MAP] = known_take_map,
    [PFIFO_STREAM_UNMAP] = known_take_unmap,
    [PFIFO_STREAM_CHANIN] = take_chanin,
    [PFIFO_STREAM_WAIT] = take_wait,
    [PFIFO_STREAM_FENCE] = take_fence,
    [PFIFO_STREAM_SYNCPT] = take_syncpt,
    [PFIFO_STREAM_WRITE] = take_write,
    [PFIFO_STREAM_RUN] = NULL,
    [PFIFO_STREAM_VMINIT] = known_take_vminit,
    [PFIFO_STREAM_BIND] = known_take_bind,
    [PFIFO_STREAM_SYNC] = NULL,
};

/* After a CHANIN comes its CHAN; only what says nothing may be between them. */
static bool check_opening(const struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    if (!known->opening || record->type == PFIFO_STREAM_TEXT || record->type == PFIFO_STREAM_UNKNOWN)
        return true;
    return (record->type == PFIFO_STREAM_CHAN && record->chan.channel == known->opening_channel) ||
           reason_set(reason, "not the CHAN of channel %" PRIu32 ", whose CHANIN was before", known->opening_channel);
}

bool known_accept(struct known *known, const struct pfifo_stream_record *record, struct reason *reason) {
    known_taker *taker = record->type > 0 ? takers[record->type] : NULL;

    return check_opening(known, record, reason) && (!taker || taker(known, record, reason));
}

bool known_may_end(const struct known *known, struct reason *reason) {
    return !known->opening ||
           reason_set(reason, "the capture ends before the CHAN of channel %" PRIu32, known->opening_channel);
}

/* A node of a tree begins with what it holds. */
static void *root_of(void *const *tree) {
    return *tree ? *(void **)*tree : NULL;
}

void known_free(struct known *known) {
    for (void *channel; (channel = root_of(&known->channels));) {
        known_take_out(known, &known->channels, channel);
        free(channel);
    }
    for (struct known_space *space; (space = root_of(&known->spaces));) {
        known_take_out(known, &known->spaces, space);
        known_space_free(known, space);
    }
    for (void *buffer; (buffer = root_of(&known->buffers));) {
        known_take_out(known, &known->buffers, buffer);
        free(buffer);
    }
}
