/* SPDX-License-Identifier: MIT */
/*
 * The stream that a machine is saved to and loaded from.
 *
 *   "PFIFOGPU" version | tag version length crc  words ... | tag version length crc  words ... | "END " ...
 *                        `--- section of a unit ---'
 *
 * Each unit has one function per section that names its fields once, for both directions:
 *
 *   if (state_begin(io, "PTIM", 1)) {
 *       state_u64(io, &bus->time);          saving: *value is written; loading: it is read
 *       state_index(io, &fifo->turn, fifo->pbdmas, "turn");
 *   }
 *   state_end(io);
 *
 * All numbers are little-endian 32-bit words, 64 bits are two of them, low word first. Sections come in a fixed order;
 * each has the version of its layout, its length in bytes and the CRC-32 (IEEE 802.3) of its words.
 *
 * A saved state is hostile input: fields with bounds are loaded by functions that check them. The first failure is
 * kept, with section and offset; after it every field and every count is loaded as 0, so that loops end.
 */
#ifndef PFIFO_SRC_STATE_STATE_H
#define PFIFO_SRC_STATE_STATE_H

#include <pfifo/error.h>

#define STATE_TAG_BYTES 4

/* Where saved bytes go. False: they could not be written. */
typedef bool (*state_write)(void *opaque, const void *data, size_t bytes);

struct state_io {
    bool loading;
    enum pfifo_status status;
    struct pfifo_error *error;
    char tag[STATE_TAG_BYTES + 1]; /* of the section under way */
    /* Saving: a section is put together here, then written. */
    state_write write;
    void *opaque;
    uint8_t *buffer;
    size_t used, room;
    /* Loading. */
    const uint8_t *data;
    size_t bytes, at, end; /* of the stream; position in it; end of the section */
    uint32_t crc[8][256];  /* tables, see state_crc() */
};

/* Begin a stream: its header is written, or read. Errors: PFIFO_ERROR_FORMAT, _IO. */
void state_open_save(struct state_io *io, state_write write, void *opaque, struct pfifo_error *error);
void state_open_load(struct state_io *io, const void *data, size_t bytes, struct pfifo_error *error);

/* End the stream (a loaded one must end here, too) and return the result. Call it after failures as well. */
enum pfifo_status state_close(struct state_io *io);

/* Saved or loaded without a failure so far. */
static inline bool state_good(const struct state_io *io) {
    return io->status == PFIFO_OK;
}

/* Fail, with section and offset before the message. Only the first failure counts. */
void state_fail(struct state_io *io, enum pfifo_status status, const char *format, ...) PFIFO_PRINTF(3, 4);

/* A section, of the version that this code knows. False: it is not there, which is a failure. */
bool state_begin(struct state_io *io, const char *tag, uint32_t version);
void state_end(struct state_io *io);

/* Is this the next section of a stream that is loaded? For sections that come any number of times. */
bool state_next_is(const struct state_io *io, const char *tag);

/* CRC-32 of bytes. */
uint32_t state_crc(const struct state_io *io, const void *data, size_t bytes);

/* ---- fields (state_fields.c) ---- */

void state_u32(struct state_io *io, uint32_t *value);
void state_u64(struct state_io *io, uint64_t *value);
void state_u16(struct state_io *io, uint16_t *value);
void state_u8(struct state_io *io, uint8_t *value);
void state_bool(struct state_io *io, bool *value);

/* A number below `limit`. */
void state_index(struct state_io *io, unsigned *value, unsigned limit, const char *what);

/* The number of items that follow, at most `most`. Returns the number for the loop. */
uint32_t state_count(struct state_io *io, uint32_t count, uint32_t most, const char *what);

/* An array of words, after its length. A different length is a failure. */
void state_words(struct state_io *io, uint32_t *words, uint32_t count, const char *what);

/* Raw bytes, padded with zeros to a whole word. */
void state_bytes(struct state_io *io, void *data, size_t bytes);

/* Loading: pointer to the next bytes in the stream. NULL after a failure. */
const uint8_t *state_take(struct state_io *io, size_t bytes);

#endif
