/* SPDX-License-Identifier: MIT */
#include "stream/unpack.h"

#include <errno.h>
#include <inttypes.h>
#include <lzma.h>
#include <string.h>
#include <zstd.h>

#include "stream/format.h"

enum { CHUNK_BYTES = 64 * 1024, DECODER_MEMORY_LOG2 = 27 };

/* One unpacking at work. The input is a window that is refilled from the file; memory is one window. */
struct unpack {
    const struct unpack_source *source;
    struct bytes *out;
    struct pfifo_error *error;
    uint64_t limit;
    const uint8_t *input;
    size_t input_bytes;
    uint64_t input_offset; /* of the window in the packed file */
    bool input_ended;      /* nothing comes after this window */
    bool streamed;         /* the first frame does not say how many bytes it has: it was written piece by piece */
    bool truncated;        /* and its end is missing */
    uint8_t chunk[CHUNK_BYTES];
};

static enum pfifo_status refill(struct unpack *u) {
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

static enum pfifo_status too_large(struct unpack *u) {
    return pfifo_error_set(u->error, PFIFO_ERROR_FORMAT, "%.100s: more than the limit of %" PRIu64 " bytes unpacked",
                           u->source->name, u->limit);
}

/*
 * Make room for output. One byte more than the limit is accepted, to tell a file of exactly the limit from a longer
 * one.
 */
static enum pfifo_status unpack_make_room(struct unpack *u) {
    if (u->out->size > u->limit)
        return pfifo_error_set(u->error, PFIFO_ERROR_FORMAT,
                               "%.100s: more than the limit of %" PRIu64 " bytes unpacked", u->source->name, u->limit);
    if (!bytes_reserve(u->out, 1))
        return pfifo_error_set(u->error, PFIFO_ERROR_MEMORY, "%.100s: no memory to unpack", u->source->name);
    return PFIFO_OK;
}

static enum pfifo_status packed_error(struct unpack *u, const char *packing, uint64_t offset, const char *reason) {
    return pfifo_error_set(u->error, PFIFO_ERROR_FORMAT, "%.100s: offset %" PRIu64 " of the %s data: %s",
                           u->source->name, offset, packing, reason);
}

static enum pfifo_status unpack_plain(struct unpack *u) {
    if (!format_has_magic(u->input, u->input_bytes))
        return pfifo_error_set(u->error, PFIFO_ERROR_FORMAT, "%.100s: offset 0: not a capture: no NVPBCAP1, xz or zstd",
                               u->source->name);
    for (;;) {
        enum pfifo_status status;

        if (u->input_bytes > u->limit - u->out->size)
            return too_large(u);
        if (!bytes_append(u->out, u->input, u->input_bytes))
            return pfifo_error_set(u->error, PFIFO_ERROR_MEMORY, "%.100s: no memory to read", u->source->name);
        if (u->input_ended)
            return PFIFO_OK;
        status = refill(u);
        if (status != PFIFO_OK)
            return status;
    }
}

static const char *xz_reason(lzma_ret ret) {
    switch (ret) {
    case LZMA_BUF_ERROR:
        return "truncated";
    case LZMA_FORMAT_ERROR:
        return "not in the .xz format";
    case LZMA_MEMLIMIT_ERROR:
        return "its dictionary is too large";
    case LZMA_OPTIONS_ERROR:
        return "options that this liblzma does not know";
    case LZMA_MEM_ERROR:
        return "no memory for the decoder";
    default:
        return "damaged";
    }
}

/* The decoder reports a truncated file as a "buffer error": there is room to write, but no input. */
static enum pfifo_status run_xz(struct unpack *u, lzma_stream *xz) {
    for (;;) {
        enum pfifo_status status = unpack_make_room(u);
        size_t room;
        lzma_ret ret;

        if (status == PFIFO_OK && xz->avail_in == 0 && !u->input_ended) {
            status = refill(u);
            xz->next_in = u->input;
            xz->avail_in = u->input_bytes;
        }
        if (status != PFIFO_OK)
            return status;
        room = u->out->capacity - u->out->size;
        xz->next_out = u->out->data + u->out->size;
        xz->avail_out = room;
        ret = lzma_code(xz, u->input_ended ? LZMA_FINISH : LZMA_RUN);
        u->out->size += room - xz->avail_out;
        if (ret == LZMA_STREAM_END)
            return u->out->size > u->limit ? too_large(u) : PFIFO_OK;
        if (ret != LZMA_OK)
            return packed_error(u, "xz", xz->total_in, xz_reason(ret));
    }
}

static enum pfifo_status unpack_xz(struct unpack *u) {
    lzma_stream xz = LZMA_STREAM_INIT;
    enum pfifo_status status;

    if (lzma_stream_decoder(&xz, UINT64_C(1) << DECODER_MEMORY_LOG2, LZMA_CONCATENATED) != LZMA_OK)
        return pfifo_error_set(u->error, PFIFO_ERROR_MEMORY, "%.100s: no memory to unpack", u->source->name);
    xz.next_in = u->input;
    xz.avail_in = u->input_bytes;
    status = run_xz(u, &xz);
    lzma_end(&xz);
    return status;
}

/* `rest` is 0 after the end of a frame: only there may the input end. */
static enum pfifo_status run_zstd(struct unpack *u, ZSTD_DStream *zstd) {
    ZSTD_inBuffer in = {u->input, u->input_bytes, 0};
    size_t rest = 1;

    for (;;) {
        enum pfifo_status status = unpack_make_room(u);
        ZSTD_outBuffer out;
        size_t before = in.pos;

        if (status == PFIFO_OK && in.pos == in.size && !u->input_ended) {
            status = refill(u);
            in = (ZSTD_inBuffer){u->input, u->input_bytes, 0};
            before = 0;
        }
        if (status != PFIFO_OK)
            return status;
        if (in.pos == in.size && u->input_ended && rest == 0)
            return PFIFO_OK;
        out = (ZSTD_outBuffer){u->out->data + u->out->size, u->out->capacity - u->out->size, 0};
        rest = ZSTD_decompressStream(zstd, &out, &in);
        u->out->size += out.pos;
        if (ZSTD_isError(rest))
            return packed_error(u, "zstd", u->input_offset + in.pos, ZSTD_getErrorName(rest));
        if (in.pos == in.size && u->input_ended && rest != 0 && out.pos == 0 && in.pos == before) {
            u->truncated = u->streamed && u->out->size > 0;
            return u->truncated ? PFIFO_OK : packed_error(u, "zstd", u->input_offset + in.pos, "truncated");
        }
    }
}

static enum pfifo_status unpack_zstd(struct unpack *u) {
    ZSTD_DStream *zstd = ZSTD_createDStream();
    enum pfifo_status status;

    if (!zstd || ZSTD_isError(ZSTD_DCtx_setParameter(zstd, ZSTD_d_windowLogMax, DECODER_MEMORY_LOG2))) {
        ZSTD_freeDStream(zstd);
        return pfifo_error_set(u->error, PFIFO_ERROR_MEMORY, "%.100s: no memory to unpack", u->source->name);
    }
    u->streamed = ZSTD_getFrameContentSize(u->input, u->input_bytes) == ZSTD_CONTENTSIZE_UNKNOWN;
    status = run_zstd(u, zstd);
    ZSTD_freeDStream(zstd);
    return status;
}

static enum pfifo_status unpack_any(struct unpack *u) {
    static const uint8_t xz_magic[6] = {0xfd, '7', 'z', 'X', 'Z', 0};
    static const uint8_t zstd_magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
    enum pfifo_status status = refill(u);

    if (status != PFIFO_OK)
        return status;
    if (u->input_bytes >= sizeof(xz_magic) && memcmp(u->input, xz_magic, sizeof(xz_magic)) == 0)
        return unpack_xz(u);
    if (u->input_bytes >= sizeof(zstd_magic) && memcmp(u->input, zstd_magic, sizeof(zstd_magic)) == 0)
        return unpack_zstd(u);
    return unpack_plain(u);
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
