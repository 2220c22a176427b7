/* SPDX-License-Identifier: MIT */
/*
 * A sink that keeps events, and short ways to feed a decoder: words come from the assembler.
 *
 *   struct recorder r;  recorder_start(&r, "NV40", ...);  recorder_segment(&r, 0, 0x1000, BY_CALL, "inc 0 0x100 1\n");
 *   recorder_line(&r, i): "method 1000 s0 0100 00000001"
 */
#ifndef TESTS_DECODE_RECORDER_H
#define TESTS_DECODE_RECORDER_H

#include <pfifo/decode.h>

enum { RECORDER_EVENTS = 4096, RECORDER_WORDS = 256 };

struct recorder {
    const struct pfifo_chip *chip;
    struct pfifo_decoder *decoder;
    size_t count;
    struct pfifo_decode_event events[RECORDER_EVENTS];
    const uint8_t *memory; /* what jumps find at memory_address */
    size_t memory_bytes;
    uint64_t memory_address;
    char text[96];
};

void recorder_start(struct recorder *recorder, const char *chip, struct pfifo_decode_options options);
void recorder_stop(struct recorder *recorder);

/* Assemble into little-endian bytes; the number of words. */
size_t recorder_assemble(const struct recorder *recorder, const char *source, uint8_t bytes[4 * RECORDER_WORDS]);
void recorder_segment(struct recorder *recorder, uint32_t channel, uint64_t address, enum pfifo_decode_entry entry,
                      const char *source);

/* Event `index` as a short line; valid until the next call. */
const char *recorder_line(struct recorder *recorder, size_t index);

/* All events from `first` on are these lines (each ends with a newline). */
void recorder_expect(struct recorder *recorder, size_t first, const char *lines);

#endif
