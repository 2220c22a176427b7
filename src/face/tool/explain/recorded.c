/* SPDX-License-Identifier: MIT */
/*
 * Words of structures in a capture of a chip whose machine is not built: what its records say was in memory. It is read
 * twice: first for where an address is in a buffer, then for what the CPU last put there. What the GPU wrote is not in it.
 */
#include <inttypes.h>
#include <string.h>

#include "face/tool/command/refuse.h"
#include "face/tool/explain/structure.h"

enum { WINDOW_BYTES = 4 * PFIFO_STRUCTURE_WORDS };

struct recorded {
    uint64_t address; /* without `has_buffer` */
    bool has_buffer;
    uint64_t handle, offset; /* where the structure is */
    uint8_t data[WINDOW_BYTES];
    bool known[WINDOW_BYTES];
};

/* ---- where an address is ---- */

static void note_mapping(struct recorded *recorded, uint64_t address, uint64_t bytes, uint64_t handle,
                         uint64_t offset) {
    if (recorded->address < address || recorded->address - address >= bytes)
        return;
    recorded->has_buffer = true;
    recorded->handle = handle;
    recorded->offset = offset + (recorded->address - address);
}

static void find_buffer(struct recorded *recorded, const struct pfifo_stream_record *record) {
    const struct pfifo_stream_bind *bind = &record->bind;

    if (record->type == PFIFO_STREAM_BONEW && record->bonew.address)
        note_mapping(recorded, record->bonew.address, record->bonew.bytes, record->bonew.handle, 0);
    else if (record->type == PFIFO_STREAM_MAP)
        note_mapping(recorded, record->map.address, record->map.bytes, record->map.handle, record->map.offset);
    else if (record->type == PFIFO_STREAM_BIND && bind->how == PFIFO_STREAM_BIND_MAP)
        note_mapping(recorded, bind->address, bind->bytes, bind->handle, bind->offset);
}

/* ---- what is there ---- */

static void note_bytes(struct recorded *recorded, uint64_t handle, uint64_t offset, const uint8_t *data, size_t bytes) {
    const uint64_t begin = recorded->offset;

    if (handle != recorded->handle)
        return;
    for (size_t i = 0; i < WINDOW_BYTES; i++)
        if (begin + i >= offset && begin + i - offset < bytes) {
            recorded->data[i] = data[begin + i - offset];
            recorded->known[i] = true;
        }
}

static void find_bytes(struct recorded *recorded, const struct pfifo_stream_record *record) {
    switch (record->type) {
    case PFIFO_STREAM_BONEW: /* the handle may have been another buffer's */
        if (record->bonew.handle == recorded->handle)
            memset(recorded->known, 0, sizeof recorded->known);
        break;
    case PFIFO_STREAM_BODATA:
        note_bytes(recorded, record->bodata.handle, record->bodata.offset, record->bodata.data, record->bodata.bytes);
        break;
    case PFIFO_STREAM_WRITE:
        note_bytes(recorded, record->write.handle, record->write.offset, record->write.data, record->write.bytes);
        break;
    case PFIFO_STREAM_PUSH:
        note_bytes(recorded, record->push.handle, record->push.offset, record->push.words,
                   4 * (size_t)record->push.word_count);
        break;
    default:
        break;
    }
}

static bool walk(struct recorded *recorded, struct pfifo_stream *stream,
                 void (*note)(struct recorded *recorded, const struct pfifo_stream_record *record),
                 struct pfifo_error *error) {
    struct pfifo_stream_record record;
    enum pfifo_status status;

    pfifo_stream_rewind(stream);
    while ((status = pfifo_stream_next(stream, &record, error)) == PFIFO_OK && record.type != PFIFO_STREAM_END)
        note(recorded, &record);
    return status == PFIFO_OK;
}

/* How many words from the first on are known. */
static size_t known_words(const struct recorded *recorded) {
    size_t bytes = 0;
    while (bytes < WINDOW_BYTES && recorded->known[bytes])
        bytes++;
    return bytes / 4;
}

bool explain_recorded_words(struct pfifo_stream *stream, const struct pfifo_chip *chip, enum pfifo_structure_kind kind,
                            const struct explain_recorded *place, struct explain_words *words,
                            struct pfifo_error *error) {
    struct recorded recorded = {
        .address = place->address, .has_buffer = place->in_buffer, .handle = place->handle, .offset = place->offset};
    size_t count, all;

    if (!recorded.has_buffer && !walk(&recorded, stream, find_buffer, error))
        return false;
    if (!recorded.has_buffer)
        return refuse(error, "no buffer of the capture was at 0x%" PRIx64, recorded.address);
    if (!walk(&recorded, stream, find_bytes, error))
        return false;
    count = pfifo_structure_words(chip, kind, NULL, 0);
    if (!count)
        return refuse(error, "%s has no %s", pfifo_chip_info(chip).name, pfifo_structure_kind_text(kind));
    all = known_words(&recorded);
    if (all < count)
        return refuse(error, "the capture does not have what was in buffer %" PRIu64 " at 0x%" PRIx64, recorded.handle,
                      recorded.offset + 4 * all);
    words->count = 0;
    if (!explain_words_add(words, recorded.data, all, error))
        return false;
    count = pfifo_structure_words(chip, kind, words->word, all);
    words->count = count < all ? count : all;
    return true;
}
