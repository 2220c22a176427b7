/* SPDX-License-Identifier: MIT */
/*
 * Structures in memory, of which pfifo explain is given the words.
 *
 *   --as=KIND, KIND: --words.c--> words --structure.c--> library --> readings
 */
#ifndef PFIFO_TOOL_EXPLAIN_STRUCTURE_H
#define PFIFO_TOOL_EXPLAIN_STRUCTURE_H

#include <pfifo/structure.h>

#include "face/tool/explain/explain.h"
#include "face/tool/replay/play.h"

enum { EXPLAIN_WORDS = 4096 };

struct explain_words {
    uint32_t word[EXPLAIN_WORDS];
    size_t count;
};

struct explain_structure {
    enum pfifo_structure_kind kind;
    const uint32_t *words;
    size_t count;
    size_t number;     /* among several, from 1; 0: it is alone */
    const char *where; /* how a place of a capture was named, or "" */
};

/* ---- words.c ---- */

/*
 * Add what a text has: words of 8 hexadecimal digits, numbers of 16, which are two words, the lower half first; these and
 * shorter ones with 0x; all separated by blanks or commas. Other dumps are read as pfifo/words.h does. False: the error says
 * what is none, or that there are too many.
 */
bool explain_words_read(struct explain_words *words, const char *text, struct pfifo_error *error);
/* Add `count` words that are little endian in memory. False: too many. */
bool explain_words_add(struct explain_words *words, const uint8_t *data, size_t count, struct pfifo_error *error);
/* What a text has, of a file, or of the standard input for "-". */
bool explain_words_file(struct explain_words *words, const char *path, struct pfifo_error *error);

/* ---- capture.c ---- */

struct explain_capture {
    const char *path;
    struct place at; /* not given: the last time that the memory was there */
};

/*
 * The words at a place of a capture, as the first lines of capture.c say. *chip: the one that it is to run on, NULL: its own,
 * which it becomes. False: `error` says why there are none.
 */
bool explain_capture_words(const struct explain_capture *capture, enum pfifo_structure_kind kind, const char *place,
                           struct explain_words *words, const struct pfifo_chip **chip, struct pfifo_error *error);

/* ---- recorded.c ---- */

struct explain_recorded {
    bool in_buffer;
    uint64_t address; /* of the GPU; in_buffer: not looked at */
    uint64_t handle, offset;
};

/*
 * The words at a place of a capture whose chip has no machine, by what its records say of memory at its end. False:
 * `error` says why there are none.
 */
bool explain_recorded_words(struct pfifo_stream *stream, const struct pfifo_chip *chip, enum pfifo_structure_kind kind,
                            const struct explain_recorded *place, struct explain_words *words,
                            struct pfifo_error *error);

/* ---- structure.c ---- */

/* All forms of a structure as readings. */
void explain_structure_words(struct explain *explain, const struct explain_structure *structure);
/* Structures of a kind one after the other. False: the chip has none, or words are missing. */
bool explain_structures(struct explain *explain, enum pfifo_structure_kind kind, const struct explain_words *words,
                        const char *where, struct pfifo_error *error);

#endif
