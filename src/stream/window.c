/* SPDX-License-Identifier: MIT */
#include "stream/window.h"

#include <pfifo/stream.h>

#include <stdlib.h>
#include <string.h>

#include "chip/error.h"

enum { KEPT_CHUNKS = 128, CHUNK_LEAST = 4096, CHUNK_MOST = 256 * 1024 };

struct window_chunk {
    struct window_chunk *older;
    uint64_t start; /* position of the first byte */
    size_t used, room;
    uint8_t data[];
};

static size_t chunk_bytes(const struct window *window) {
    uint64_t bytes = window->keep / KEPT_CHUNKS;

    if (bytes > CHUNK_MOST)
        return CHUNK_MOST;
    return bytes > CHUNK_LEAST ? (size_t)bytes : CHUNK_LEAST;
}

static uint64_t chunk_end(const struct window_chunk *chunk) {
    return chunk ? chunk->start + chunk->used : 0;
}

static void free_chunks(struct window_chunk *chunk) {
    while (chunk) {
        struct window_chunk *older = chunk->older;
        free(chunk);
        chunk = older;
    }
}

static void end_unpacking(struct window *window) {
    if (!window->unpack)
        return;
    window->truncated = window->unpack->truncated;
    unpack_end(window->unpack);
    free(window->unpack);
    window->unpack = NULL;
}

static enum pfifo_status begin_unpacking(struct window *window, struct pfifo_error *error) {
    window->unpack = malloc(sizeof *window->unpack);
    if (!window->unpack)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%.100s: no memory to unpack", window->source.name);
    return unpack_begin(window->unpack, &window->source, window->limit, error);
}

enum pfifo_status window_open(struct window *window, const struct unpack_source *source, uint64_t limit, uint64_t keep,
                              struct pfifo_error *error) {
    *window = (struct window){.source = *source, .limit = limit, .keep = keep};
    /* What cannot be read twice, such as a pipe, is kept. */
    window->can_drop = !source->file || fseek(source->file, 0, SEEK_SET) == 0;
    if (!window->can_drop && limit > PFIFO_STREAM_WHOLE_LIMIT)
        window->limit = PFIFO_STREAM_WHOLE_LIMIT;
    return begin_unpacking(window, error);
}

void window_close(struct window *window) {
    end_unpacking(window);
    free_chunks(window->chunks);
    free(window->copy);
    if (window->source.file)
        fclose(window->source.file);
    *window = (struct window){0};
}

/* A larger chunk instead of the newest. */
static bool grow_newest(struct window *window, size_t room) {
    struct window_chunk *old = window->chunks, *chunk = realloc(old, sizeof *chunk + room);

    if (!chunk)
        return false;
    if (!old)
        *chunk = (struct window_chunk){0};
    chunk->room = room;
    window->chunks = chunk;
    return true;
}

/* A new chunk, with what is there from `position` on. */
static bool begin_chunk(struct window *window, uint64_t position, size_t room) {
    struct window_chunk *old = window->chunks, *chunk = malloc(sizeof *chunk + room);

    if (!chunk)
        return false;
    *chunk = (struct window_chunk){.older = old, .start = position, .room = room};
    chunk->used = (size_t)(chunk_end(old) - position);
    memcpy(chunk->data, old->data + (position - old->start), chunk->used);
    window->chunks = chunk;
    return true;
}

/*
 * Room for more. The length that a record gives is not believed before its bytes are there: what is allocated is at
 * most about twice that.
 */
static bool window_make_room(struct window *window, uint64_t position) {
    const struct window_chunk *chunk = window->chunks;
    size_t tail;

    if (chunk && chunk->used < chunk->room)
        return true;
    window->dropping = window->dropping || (window->can_drop && chunk_end(chunk) > window->keep);
    if (!chunk)
        return grow_newest(window, chunk_bytes(window));
    if (!window->dropping && window->can_drop && window->keep < 2 * (uint64_t)chunk->room)
        return grow_newest(window, (size_t)window->keep + chunk_bytes(window));
    if (!window->dropping || chunk->start == position)
        return grow_newest(window, 2 * chunk->room);
    tail = (size_t)(chunk_end(chunk) - position);
    return begin_chunk(window, position, 2 * tail > chunk_bytes(window) ? 2 * tail : chunk_bytes(window));
}

static enum pfifo_status window_fill(struct window *window, uint64_t position, struct pfifo_error *error) {
    struct window_chunk *chunk;
    enum pfifo_status status;
    size_t got = 0;

    if (!window_make_room(window, position))
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%.100s: no memory to unpack", window->source.name);
    chunk = window->chunks;
    status = unpack_some(window->unpack, chunk->data + chunk->used, chunk->room - chunk->used, &got, error);
    chunk->used += got;
    if (status == PFIFO_OK && !got)
        end_unpacking(window);
    return status;
}

enum pfifo_status window_get(struct window *window, uint64_t position, size_t want, const uint8_t **data, size_t *have,
                             struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    const struct window_chunk *chunk;
    uint64_t left;

    while (window->unpack && status == PFIFO_OK &&
           (chunk_end(window->chunks) < position || chunk_end(window->chunks) - position < want))
        status = window_fill(window, position, error);
    chunk = window->chunks;
    *have = 0;
    if (status != PFIFO_OK || chunk_end(chunk) <= position)
        return status;
    left = chunk_end(chunk) - position;
    *data = chunk->data + (position - chunk->start);
    *have = left < want ? (size_t)left : want;
    return PFIFO_OK;
}

void window_drop(struct window *window, uint64_t position) {
    if (!window->dropping)
        return;
    for (struct window_chunk *chunk = window->chunks; chunk; chunk = chunk->older) {
        if (chunk->start > position)
            continue;
        free_chunks(chunk->older);
        chunk->older = NULL;
    }
}

enum pfifo_status window_seen(struct window *window, struct pfifo_error *error) {
    end_unpacking(window);
    if (!window->dropping) {
        if (window->source.file)
            fclose(window->source.file);
        window->source = (struct unpack_source){.name = window->source.name};
        return PFIFO_OK;
    }
    if (!window->source.file && !window->copy) {
        window->copy = malloc(window->source.size);
        if (!window->copy)
            return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%.100s: no memory to read", window->source.name);
        memcpy(window->copy, window->source.data, window->source.size);
        window->source.data = window->copy;
    }
    return window_rewind(window, error);
}

enum pfifo_status window_rewind(struct window *window, struct pfifo_error *error) {
    if (!window->dropping)
        return PFIFO_OK;
    end_unpacking(window);
    free_chunks(window->chunks);
    window->chunks = NULL;
    if (window->source.file && fseek(window->source.file, 0, SEEK_SET) != 0)
        return error_cannot(error, window->source.name, "read again");
    return begin_unpacking(window, error);
}
