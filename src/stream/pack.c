/* SPDX-License-Identifier: MIT */
#include "stream/pack.h"

#include <stdlib.h>

#include "chip/error.h"
#include "stream/codec.h"

static enum pfifo_status cannot_write(struct pack *pack, struct pfifo_error *error) {
    pack->failed = true;
    return error_cannot(error, pack->path ? pack->path : "the capture", "write");
}

enum pfifo_status pack_out(struct pack *pack, const void *data, size_t bytes, struct pfifo_error *error) {
    if (pack->file)
        return fwrite(data, 1, bytes, pack->file) == bytes ? PFIFO_OK : cannot_write(pack, error);
    if (pack->sink)
        return pack->sink(pack->opaque, data, bytes) ? PFIFO_OK : cannot_write(pack, error);
    if (bytes_append(&pack->memory, data, bytes))
        return PFIFO_OK;
    pack->failed = true;
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to write a capture");
}

enum pfifo_status pack_begin(struct pack *pack, struct pfifo_error *error) {
    bytes_init(&pack->memory, SIZE_MAX);
    pack->codec = codec_of(pack->packing);
    if (!pack->codec)
        return PFIFO_OK;
    if (!pack->codec->operations)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "cannot pack a capture: libpfifo was built without %s",
                               pack->codec->name);
    pack->state = pack->codec->operations->begin();
    return pack->state ? PFIFO_OK : pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to pack a capture");
}

enum pfifo_status pack_put(struct pack *pack, const void *data, size_t bytes, struct pfifo_error *error) {
    if (bytes == 0)
        return PFIFO_OK;
    if (pack->codec)
        return pack->codec->operations->pack(pack, data, bytes, CODEC_PUT, error);
    return pack_out(pack, data, bytes, error);
}

enum pfifo_status pack_flush(struct pack *pack, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;

    if (pack->codec)
        status = pack->codec->operations->pack(pack, NULL, 0, CODEC_FLUSH, error);
    if (status == PFIFO_OK && pack->file && fflush(pack->file) != 0)
        return cannot_write(pack, error);
    return status;
}

enum pfifo_status pack_finish(struct pack *pack, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    FILE *file = pack->file;

    if (pack->codec)
        status = pack->codec->operations->pack(pack, NULL, 0, CODEC_END, error);
    if (status != PFIFO_OK || !file)
        return status;
    pack->file = NULL;
    return fclose(file) == 0 ? PFIFO_OK : cannot_write(pack, error);
}

void pack_free(struct pack *pack) {
    if (pack->file)
        fclose(pack->file);
    if (pack->state)
        pack->codec->operations->free(pack->state);
    bytes_free(&pack->memory);
    free(pack->path);
}
