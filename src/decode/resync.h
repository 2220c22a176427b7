/* SPDX-License-Identifier: MIT */
/*
 * Finds the next command after a word that cannot be one.
 *
 * With a wrong count, data are read as headers or headers as data, and the hardware does not notice before a word has
 * no form, if at all. For the reader, the words are looked at as commands from some word on:
 *
 *   word: header -> data ... -> header -> data ... -> header        forms, counts that fit into the segment, methods
 *                                                                   that the bound class has, an end that is only
 *                                                                   an end
 *
 * The hardware does none of this. A decoder that shows exactly what the hardware does does not use it.
 */
#ifndef PFIFO_DECODE_RESYNC_H
#define PFIFO_DECODE_RESYNC_H

#include "decode/decoder.h"
#include "memory/little_endian.h"

/* Where words come from. `at` counts words; at the end of the window there is nothing more to fetch. */
struct decode_window {
    const uint8_t *bytes;
    uint64_t address;
    size_t words, at;
};

static inline uint32_t decode_load_word(const struct decode_window *window, size_t at) {
    return load_le32(window->bytes + 4 * at);
}

/* How well words read as commands. */
enum resync_reading {
    READS_NOT,
    READS,      /* forms and counts fit, but nobody knows the classes */
    READS_WELL, /* and the bound classes have the methods */
};

/* The words under examination, and how many more words and commands may be examined. */
struct resync {
    struct pfifo_decoder *decoder; /* remembers what classes have */
    const struct decode_channel *channel;
    const struct decode_window *window;
    uint64_t *budget; /* when it is used up, every answer is READS_NOT */
};

/* From word `at` on; commands up to word `beyond` (0: none) are not enough. `lenient`: whatever the classes have. */
enum resync_reading resync_read(const struct resync *resync, size_t at, size_t beyond, bool lenient);

/* The first word from `from` on where commands go on, the end of the window if there is none. */
size_t resync_find(const struct resync *resync, size_t from);

/* Is it among the next ones, and do the commands there read well? */
bool resync_is_near(const struct resync *resync, size_t from);

/* A header that runs over the last method: refused as a whole from GF100 on. */
bool resync_runs_over(const struct pfifo_decoder *decoder, const struct grammar_word *word);

/* An end of the segment in which bits are set that an end does not have. */
bool resync_is_odd_end(const struct grammar_word *word, uint32_t raw);

/* Does the command have methods that its class has not? Not where the class is not known. */
bool resync_is_foreign(struct pfifo_decoder *decoder, const struct decode_channel *channel,
                       const struct grammar_word *word);

#endif
