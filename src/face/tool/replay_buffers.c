/* SPDX-License-Identifier: MIT */
#include "face/tool/replay_buffers.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 4096 };

struct replay_buffer {
    uint32_t handle;
    struct pfifo_buffer *buffer;
    const uint8_t **dump; /* the last of each page, in the stream; NULL: none. NULL until there is one */
};

static const uint8_t zeros[PAGE_BYTES];

static int compare_handles(const void *a, const void *b) {
    const struct replay_buffer *left = a, *right = b;

    return left->handle < right->handle ? -1 : left->handle > right->handle;
}

static void free_buffer(struct replay_buffer *entry) {
    pfifo_buffer_free(entry->buffer);
    free(entry->dump);
    free(entry);
}

static struct replay_buffer *find(const struct replay_buffers *buffers, uint64_t handle) {
    const struct replay_buffer key = {.handle = (uint32_t)handle};
    struct replay_buffer **node = handle <= UINT32_MAX ? tfind(&key, &buffers->tree, compare_handles) : NULL;

    return node ? *node : NULL;
}

static enum pfifo_status unknown(uint64_t handle, struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "there is no buffer %" PRIu64, handle);
}

static enum pfifo_status check_limits(const struct replay_buffers *buffers, uint64_t bytes, struct pfifo_error *error) {
    if (buffers->count == REPLAY_MAX_BUFFERS)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "more than %d buffers at a time", REPLAY_MAX_BUFFERS);
    if (bytes > REPLAY_MAX_BUFFER_BYTES - buffers->bytes)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%" PRIu64 " bytes: buffers of more than 1 TiB in all",
                               bytes);
    return PFIFO_OK;
}

enum pfifo_status replay_buffers_new(struct replay_buffers *buffers, const struct pfifo_stream_bonew *record,
                                     struct pfifo_error *error) {
    enum pfifo_domain domain = record->domain & PFIFO_STREAM_VRAM ? PFIFO_VRAM : PFIFO_GART;
    struct replay_buffer *entry;

    if (find(buffers, record->handle))
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "there is a buffer %" PRIu32 " already", record->handle);
    if (!record->address)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "buffer %" PRIu32 " has no address", record->handle);
    if (check_limits(buffers, record->bytes, error) != PFIFO_OK)
        return PFIFO_ERROR_MEMORY;
    entry = calloc(1, sizeof *entry);
    if (!entry)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a buffer");
    entry->handle = record->handle;
    entry->buffer = pfifo_buffer_new(buffers->device, domain, record->bytes, record->address, error);
    if (!entry->buffer) {
        free(entry);
        return error->status;
    }
    if (!tsearch(entry, &buffers->tree, compare_handles)) {
        free_buffer(entry);
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a buffer");
    }
    buffers->count++;
    buffers->bytes += record->bytes;
    return PFIFO_OK;
}

static void remove_buffer(struct replay_buffers *buffers, struct replay_buffer *entry) {
    tdelete(entry, &buffers->tree, compare_handles);
    buffers->count--;
    if (buffers->gone)
        buffers->gone(buffers->opaque, entry->handle, entry->buffer);
    free_buffer(entry);
}

enum pfifo_status replay_buffers_delete(struct replay_buffers *buffers, uint64_t handle, struct pfifo_error *error) {
    struct replay_buffer *entry = find(buffers, handle);

    if (!entry)
        return unknown(handle, error);
    remove_buffer(buffers, entry);
    return PFIFO_OK;
}

/* Bytes from `at` on that are, or are not, the same in both; up to the end of the page. */
static size_t stretch(const uint8_t *a, const uint8_t *b, size_t at, bool same) {
    size_t end = at;

    while (end < PAGE_BYTES && (a[end] == b[end]) == same)
        end++;
    return end - at;
}

static void apply_page(struct pfifo_buffer *buffer, uint64_t offset, const uint8_t *data, const uint8_t *before) {
    if (memcmp(data, before, PAGE_BYTES) == 0)
        return;
    for (size_t at = 0; at < PAGE_BYTES;) {
        at += stretch(data, before, at, true);
        size_t bytes = stretch(data, before, at, false);
        if (bytes)
            pfifo_buffer_write(buffer, offset + at, data + at, bytes);
        at += bytes;
    }
}

enum pfifo_status replay_buffers_data(struct replay_buffers *buffers, const struct pfifo_stream_bodata *record,
                                      struct pfifo_error *error) {
    struct replay_buffer *entry = find(buffers, record->handle);
    uint64_t size, first = record->offset / PAGE_BYTES;

    if (!entry)
        return unknown(record->handle, error);
    size = pfifo_buffer_bytes(entry->buffer);
    if (record->offset > size || record->bytes > size - record->offset)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "the data lies outside of buffer %" PRIu64, record->handle);
    if (!entry->dump)
        entry->dump = calloc((size_t)(size / PAGE_BYTES), sizeof *entry->dump);
    if (!entry->dump)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the pages of a buffer");
    for (size_t page = 0; page < record->bytes / PAGE_BYTES; page++) {
        const uint8_t **dump = &entry->dump[first + page];
        const uint8_t *data = record->data + page * PAGE_BYTES;

        apply_page(entry->buffer, record->offset + page * PAGE_BYTES, data, *dump ? *dump : zeros);
        *dump = data;
    }
    return PFIFO_OK;
}

struct pfifo_buffer *replay_buffers_find(const struct replay_buffers *buffers, uint64_t handle) {
    const struct replay_buffer *entry = find(buffers, handle);

    return entry ? entry->buffer : NULL;
}

void replay_buffers_free(struct replay_buffers *buffers) {
    while (buffers->tree) /* a node begins with what it holds */
        remove_buffer(buffers, *(struct replay_buffer **)buffers->tree);
}
