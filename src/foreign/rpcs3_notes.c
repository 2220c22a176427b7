/* SPDX-License-Identifier: MIT */
/*
 * Notes of what a frame has and the machine does not get: tiles, zcull regions, methods of the PS3's kernel.
 *
 *   tile   [1:0] location + 1, 0: it is not bound  [5:4] bank  [30:16] first 64 KiB  31 main memory
 *          limit [30:16] last 64 KiB    pitch [31:8]    format [29:26] compression
 *   zcull  region bit 0 it is bound     size [31:22] width / 64, [21:6] height / 64
 *          start, in its own memory     offset of the depth buffer
 *
 * Tiles permute memory for all clients (bus/pfb_tiling.h), and RPCS3 has captured what a client reads: nothing that is
 * executed looks different without them. The hierarchical depth of zcull is not modelled.
 *
 * Sources: RPCS3 rpcs3/Emu/RSX/gcm_enums.h, GCM.h (GcmTileInfo, GcmZcullInfo), Capture/rsx_replay.h
 */
#include "foreign/rpcs3.h"

#include <inttypes.h>
#include <string.h>

#include "memory/little_endian.h"

enum { MOST_NOTES = 64 /* of tiles and regions */ };

static const struct rpcs3_driver {
    const char *name;
    uint16_t method, count;
} driver_methods[RPCS3_DRIVER_METHODS] = {
    {"GCM_SET_DRIVER_OBJECT", 0xe000, 1}, {"GCM_FLIP_HEAD", 0xe920, 2},    {"GCM_DRIVER_QUEUE", 0xe940, 8},
    {"GCM_SET_USER_COMMAND", 0xeb00, 2},  {"GCM_FLIP_COMMAND", 0xfeac, 1}, {"another method", 0, 0},
};

size_t rpcs3_driver_method(uint32_t method) {
    size_t i = 0;

    while (i < RPCS3_DRIVER_METHODS - 1 && method - driver_methods[i].method >= 4u * driver_methods[i].count)
        i++;
    return i;
}

enum pfifo_status rpcs3_note_driver(const struct rpcs3_words *words, struct pfifo_stream_writer *writer) {
    enum pfifo_status status = PFIFO_OK;

    for (size_t i = 0; i < RPCS3_DRIVER_METHODS && status == PFIFO_OK; i++)
        if (words->driver[i])
            status = foreign_note(writer, words->error, "left out: %s of the PS3's kernel on subchannel 7, %zu times",
                                  driver_methods[i].name, words->driver[i]);
    return status;
}

struct tile_notes {
    struct pfifo_stream_writer *writer;
    struct pfifo_error *error;
    size_t count;
};

static bool note_tile(struct tile_notes *notes, unsigned index, const uint8_t *tile) {
    const uint32_t base = load_le32(tile), limit = load_le32(tile + 4);

    if (!(base & 3) || notes->count++ >= MOST_NOTES)
        return true;
    return foreign_note(notes->writer, notes->error,
                        "left out: tile %u of %s memory, 0x%" PRIx32 " to 0x%" PRIx32 ", lines of %" PRIu32
                        " bytes, compression %" PRIu32,
                        index, base >> 31 ? "main" : "local", base & 0x7fff0000, (limit & 0x7fff0000) | 0xffff,
                        load_le32(tile + 8) & ~0xffu, load_le32(tile + 12) >> 26 & 0xf) == PFIFO_OK;
}

static bool note_zcull(struct tile_notes *notes, unsigned index, const uint8_t *zcull) {
    const uint32_t size = load_le32(zcull + 4);

    if (!(load_le32(zcull) & 1) || notes->count++ >= MOST_NOTES)
        return true;
    return foreign_note(notes->writer, notes->error,
                        "left out: zcull region %u of %" PRIu32 "x%" PRIu32 " pixels, depth buffer at 0x%" PRIx32,
                        index, (size >> 22) * 64, (size >> 6 & 0xffff) * 64, load_le32(zcull + 12)) == PFIFO_OK;
}

/* What is in this state and was not in the one before. */
static bool note_state(struct tile_notes *notes, const uint8_t *state, const uint8_t *before) {
    bool good = true;

    for (unsigned i = 0; i < RPCS3_TILES && good; i++, state += RPCS3_TILE_BYTES) {
        if (!before || memcmp(state, before, RPCS3_TILE_BYTES) != 0)
            good = note_tile(notes, i, state);
        before = before ? before + RPCS3_TILE_BYTES : NULL;
    }
    for (unsigned i = 0; i < RPCS3_ZCULLS && good; i++, state += RPCS3_ZCULL_BYTES) {
        if (!before || memcmp(state, before, RPCS3_ZCULL_BYTES) != 0)
            good = note_zcull(notes, i, state);
        before = before ? before + RPCS3_ZCULL_BYTES : NULL;
    }
    return good;
}

enum pfifo_status rpcs3_note_tiles(const struct rpcs3_frame *frame, const struct foreign_file *file,
                                   struct pfifo_stream_writer *writer, struct pfifo_error *error) {
    struct tile_notes notes = {.writer = writer, .error = error};
    const uint8_t *before = NULL;
    bool good = true;

    for (size_t i = 0; i < frame->commands && good; i++) {
        const struct rpcs3_tiles *tiles =
            frame->command[i].tiles ? rpcs3_find_tiles(frame, frame->command[i].tiles) : NULL;
        if (!tiles || file->data + tiles->at == before)
            continue;
        good = note_state(&notes, file->data + tiles->at, before);
        before = file->data + tiles->at;
    }
    if (good && notes.count > MOST_NOTES)
        good = foreign_note(writer, error, "left out: %zu more tiles and zcull regions", notes.count - MOST_NOTES) ==
               PFIFO_OK;
    return good ? PFIFO_OK : error->status;
}
