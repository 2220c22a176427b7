/* SPDX-License-Identifier: MIT */
#include "stream/pack.h"

#include <errno.h>
#include <string.h>

/* Frames of zstd that are flushed often: the level matters less than what the window can see. */
#define ZSTD_LEVEL 3

static enum pfifo_status cannot_write(struct pack *pack, struct pfifo_error *error) {
    pack->failed = true;
    return pfifo_error_set(error, PFIFO_ERROR_IO, "cannot write a capture: %s", strerror(errno));
}

static enum pfifo_status write_out(struct pack *pack, const void *data, size_t bytes, struct pfifo_error *error) {
    if (pack->file)
        return fwrite(data, 1, bytes, pack->file) == bytes ? PFIFO_OK : cannot_write(pack, error);
    if (pack->sink)
        return pack->sink(pack->opaque, data, bytes) ? PFIFO_OK : cannot_write(pack, error);
    if (bytes_append(&pack->memory, data, bytes))
        return PFIFO_OK;
    pack->failed = true;
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to write a capture");
}

static enum pfifo_status code_xz(struct pack *pack, const void *data, size_t bytes, lzma_action action,
                                 struct pfifo_error *error) {
    lzma_stream *xz = &pack->xz;
    enum pfifo_status status = PFIFO_OK;
    lzma_ret ret = LZMA_OK;

    xz->next_in = data;
    xz->avail_in = bytes;
    while (status == PFIFO_OK && ret == LZMA_OK && (xz->avail_in > 0 || action == LZMA_FINISH)) {
        xz->next_out = pack->chunk;
        xz->avail_out = sizeof(pack->chunk);
        ret = lzma_code(xz, action);
        status = write_out(pack, pack->chunk, sizeof(pack->chunk) - xz->avail_out, error);
    }
    if (status == PFIFO_OK && ret != LZMA_OK && ret != LZMA_STREAM_END) {
        pack->failed = true;
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "cannot pack a capture (liblzma says %d)", (int)ret);
    }
    return status;
}

static enum pfifo_status code_zstd(struct pack *pack, const void *data, size_t bytes, ZSTD_EndDirective action,
                                   struct pfifo_error *error) {
    ZSTD_inBuffer in = {data, bytes, 0};
    enum pfifo_status status = PFIFO_OK;
    size_t rest = 1;

    while (status == PFIFO_OK && (in.pos < in.size || (action != ZSTD_e_continue && rest != 0))) {
        ZSTD_outBuffer out = {pack->chunk, sizeof(pack->chunk), 0};

        rest = ZSTD_compressStream2(pack->zstd, &out, &in, action);
        if (ZSTD_isError(rest)) {
            pack->failed = true;
            return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "cannot pack a capture: %s", ZSTD_getErrorName(rest));
        }
        if (out.pos > 0)
            status = write_out(pack, pack->chunk, out.pos, error);
    }
    return status;
}

enum pfifo_status pack_begin(struct pack *pack, struct pfifo_error *error) {
    static const lzma_stream no_xz = LZMA_STREAM_INIT;
    bool begun = true;

    pack->xz = no_xz;
    bytes_init(&pack->memory, SIZE_MAX);
    if (pack->packing == PFIFO_STREAM_XZ)
        begun = lzma_easy_encoder(&pack->xz, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) == LZMA_OK;
    if (pack->packing == PFIFO_STREAM_ZSTD) {
        pack->zstd = ZSTD_createCCtx();
        begun = pack->zstd && !ZSTD_isError(ZSTD_CCtx_setParameter(pack->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL)) &&
                !ZSTD_isError(ZSTD_CCtx_setParameter(pack->zstd, ZSTD_c_checksumFlag, 1));
    }
    return begun ? PFIFO_OK : pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to pack a capture");
}

enum pfifo_status pack_put(struct pack *pack, const void *data, size_t bytes, struct pfifo_error *error) {
    if (bytes == 0)
        return PFIFO_OK;
    switch (pack->packing) {
    case PFIFO_STREAM_XZ:
        return code_xz(pack, data, bytes, LZMA_RUN, error);
    case PFIFO_STREAM_ZSTD:
        return code_zstd(pack, data, bytes, ZSTD_e_continue, error);
    default:
        return write_out(pack, data, bytes, error);
    }
}

enum pfifo_status pack_flush(struct pack *pack, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;

    if (pack->packing == PFIFO_STREAM_ZSTD)
        status = code_zstd(pack, NULL, 0, ZSTD_e_flush, error);
    if (status == PFIFO_OK && pack->file && fflush(pack->file) != 0)
        return cannot_write(pack, error);
    return status;
}

enum pfifo_status pack_finish(struct pack *pack, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    FILE *file = pack->file;

    if (pack->packing == PFIFO_STREAM_XZ)
        status = code_xz(pack, NULL, 0, LZMA_FINISH, error);
    if (pack->packing == PFIFO_STREAM_ZSTD)
        status = code_zstd(pack, NULL, 0, ZSTD_e_end, error);
    if (status != PFIFO_OK || !file)
        return status;
    pack->file = NULL;
    return fclose(file) == 0 ? PFIFO_OK : cannot_write(pack, error);
}

void pack_free(struct pack *pack) {
    if (pack->file)
        fclose(pack->file);
    lzma_end(&pack->xz);
    ZSTD_freeCCtx(pack->zstd);
    bytes_free(&pack->memory);
}
