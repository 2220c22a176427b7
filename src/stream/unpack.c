/* SPDX-License-Identifier: MIT */
#include "stream/unpack.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "stream/codec.h"
#include "stream/format.h"

enum pfifo_status unpack_refill(struct unpack *u) {
    u->input_offset += u->input_bytes;
    if (!u->source->file) {
        bool first = !u->input;

        u->input = first ? u->source->data : u->input + u->input_bytes;
        u->input_bytes = first ? u->source->size : 0;
        u->input_ended = true;
        return PFIFO_OK;
    }
    u->input = u->chunk;
    u->input_bytes = fread(u->chunk, 1, sizeof(u->chunk), u->source->file);
    if (ferror(u->source->file))
        return pfifo_error_set(u->error, PFIFO_ERROR_IO, "%.100s: cannot read: %s", u->source->name, strerror(errno));
    u->input_ended = u->input_bytes < sizeof(u->chunk);
    return PFIFO_OK;
}

enum pfifo_status unpack_too_large(struct unpack *u) {
    return pfifo_error_set(u->error, PFIFO_ERROR_FORMAT, "%.100s: more than the limit of %" PRIu64 " bytes unpacked",
                           u->source->name, u->limit);
}

enum pfifo_status unpack_no_memory(struct unpack *u) {
    return pfifo_error_set(u->error, PFIFO_ERROR_MEMORY, "%.100s: no memory to unpack", u->source->name);
}

/*
 * Make room for output. One byte more than the limit is accepted, to tell a file of exactly the limit from a longer
 * one.
 */
enum pfifo_status unpack_make_room(struct unpack *u) {
    if (u->out->size > u->limit)
        return unpack_too_large(u);
    if (!bytes_reserve(u->out, 1))
        return unpack_no_memory(u);
    return PFIFO_OK;
}

enum pfifo_status unpack_error(struct unpack *u, const char *packing, uint64_t offset, const char *reason) {
    return pfifo_error_set(u->error, PFIFO_ERROR_FORMAT, "%.100s: offset %" PRIu64 " of the %s data: %s",
                           u->source->name, offset, packing, reason);
}

static enum pfifo_status unpack_plain(struct unpack *u) {
    if (!format_version(u->input, u->input_bytes) && !format_is_session(u->input, u->input_bytes))
        return pfifo_error_set(u->error, PFIFO_ERROR_FORMAT,
                               "%.100s: offset 0: not a capture: no NVPBCAP1 or NVPBCAP2, xz or zstd", u->source->name);
    for (;;) {
        enum pfifo_status status;

        if (u->input_bytes > u->limit - u->out->size)
            return unpack_too_large(u);
        if (!bytes_append(u->out, u->input, u->input_bytes))
            return pfifo_error_set(u->error, PFIFO_ERROR_MEMORY, "%.100s: no memory to read", u->source->name);
        if (u->input_ended)
            return PFIFO_OK;
        status = unpack_refill(u);
        if (status != PFIFO_OK)
            return status;
    }
}

static enum pfifo_status unpack_any(struct unpack *u) {
    enum pfifo_status status = unpack_refill(u);
    const struct codec *codec = status == PFIFO_OK ? codec_find(u->input, u->input_bytes) : NULL;

    if (status != PFIFO_OK)
        return status;
    if (!codec)
        return unpack_plain(u);
    if (!codec->operations)
        return pfifo_error_set(u->error, PFIFO_ERROR_UNSUPPORTED,
                               "%.100s: packed with %s: libpfifo was built without it", u->source->name, codec->name);
    return codec->operations->unpack(u);
}

enum pfifo_status unpack_all(const struct unpack_source *source, uint64_t limit, struct bytes *out, bool *truncated,
                             struct pfifo_error *error) {
    struct unpack u = {.source = source, .out = out, .error = error};
    enum pfifo_status status;

    u.limit = limit < SIZE_MAX / 2 ? limit : SIZE_MAX / 2;
    bytes_init(out, (size_t)u.limit + 1);
    status = unpack_any(&u);
    if (status == PFIFO_OK)
        bytes_trim(out);
    else
        bytes_free(out);
    *truncated = u.truncated;
    return status;
}
