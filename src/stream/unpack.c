/* SPDX-License-Identifier: MIT */
#include "stream/unpack.h"

#include <inttypes.h>
#include <string.h>

#include "chip/error.h"
#include "stream/codec.h"
#include "stream/format.h"

enum pfifo_status unpack_refill(struct unpack *u, struct pfifo_error *error) {
    u->input_offset += u->input_bytes;
    u->input_used = 0;
    if (!u->source.file) {
        bool first = !u->input;

        u->input = first ? u->source.data : u->input + u->input_bytes;
        u->input_bytes = first ? u->source.size : 0;
        u->input_ended = true;
        return PFIFO_OK;
    }
    u->input = u->chunk;
    u->input_bytes = fread(u->chunk, 1, sizeof(u->chunk), u->source.file);
    if (ferror(u->source.file))
        return error_cannot(error, u->source.name, "read");
    u->input_ended = u->input_bytes < sizeof(u->chunk);
    return PFIFO_OK;
}

static enum pfifo_status unpack_no_memory(const struct unpack *u, struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%.100s: no memory to unpack", u->source.name);
}

enum pfifo_status unpack_error(const struct unpack *u, const char *packing, uint64_t offset, const char *reason,
                               struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.100s: offset %" PRIu64 " of the %s data: %s", u->source.name,
                           offset, packing, reason);
}

static enum pfifo_status unpack_plain(struct unpack *u, uint8_t *out, size_t room, size_t *got,
                                      struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    size_t left;

    if (u->input_used == u->input_bytes && !u->input_ended)
        status = unpack_refill(u, error);
    if (status != PFIFO_OK)
        return status;
    left = u->input_bytes - u->input_used;
    *got = left < room ? left : room;
    memcpy(out, u->input + u->input_used, *got);
    u->input_used += *got;
    u->ended = *got == 0;
    return PFIFO_OK;
}

enum pfifo_status unpack_some(struct unpack *u, uint8_t *out, size_t room, size_t *got, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;

    *got = 0;
    while (!u->ended && *got == 0 && status == PFIFO_OK)
        status =
            u->codec ? u->codec->operations->unpack(u, out, room, got, error) : unpack_plain(u, out, room, got, error);
    u->total += *got;
    if (status == PFIFO_OK && u->total > u->limit)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.100s: more than the limit of %" PRIu64 " bytes unpacked",
                               u->source.name, u->limit);
    return status;
}

enum pfifo_status unpack_begin(struct unpack *u, const struct unpack_source *source, uint64_t limit,
                               struct pfifo_error *error) {
    enum pfifo_status status;

    memset(u, 0, offsetof(struct unpack, chunk));
    u->source = *source;
    u->limit = limit;
    status = unpack_refill(u, error);
    if (status != PFIFO_OK)
        return status;
    if (!u->input_bytes)
        return error_empty(error, source->name);
    u->codec = codec_find(u->input, u->input_bytes);
    if (u->codec && !u->codec->operations) {
        status = pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED,
                                 "%.100s: packed with %s: libpfifo was built without it", source->name, u->codec->name);
        u->codec = NULL;
    } else if (u->codec) {
        u->state = u->codec->operations->unpack_begin(u);
        status = u->state ? PFIFO_OK : unpack_no_memory(u, error);
    } else if (!format_version(u->input, u->input_bytes) && !format_is_session(u->input, u->input_bytes)) {
        status = pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.100s: offset 0: " FORMAT_NOT_ONE ", gzip, xz or zstd",
                                 source->name);
    }
    return status;
}

void unpack_end(struct unpack *u) {
    if (u->codec && u->state)
        u->codec->operations->unpack_free(u->state);
    u->state = NULL;
}

enum pfifo_status unpack_all(const struct unpack_source *source, uint64_t limit, struct bytes *out, bool *truncated,
                             struct pfifo_error *error) {
    struct unpack u;
    enum pfifo_status status;
    size_t got = 1;

    /* One byte more than the limit tells a file of exactly the limit from a longer one. */
    limit = limit < SIZE_MAX / 2 ? limit : SIZE_MAX / 2;
    bytes_init(out, (size_t)limit + 1);
    status = unpack_begin(&u, source, limit, error);
    while (status == PFIFO_OK && got) {
        if (!bytes_reserve(out, 1)) {
            status = unpack_no_memory(&u, error);
            break;
        }
        status = unpack_some(&u, out->data + out->size, out->capacity - out->size, &got, error);
        out->size += got;
    }
    *truncated = u.truncated;
    unpack_end(&u);
    if (status == PFIFO_OK)
        bytes_trim(out);
    else
        bytes_free(out);
    return status;
}
