/* SPDX-License-Identifier: MIT */
/* A listing of the macros that channels have uploaded (macro.h), for a limited number of channels. */
#ifndef PFIFO_DECODE_MACROS_H
#define PFIFO_DECODE_MACROS_H

#include "decode/output.h"

#include <pfifo/decode.h>

enum { MACROS_CHANNELS = 64 };

struct macro_memory;

struct macros {
    const struct pfifo_chip *chip;
    struct macro_memory *first;
    unsigned count;
    uint64_t omitted; /* words for which there was no memory */
};

void macros_event(struct macros *macros, const struct pfifo_decode_event *event);

/* A channel was closed, or all were: list its macros and forget them. */
void macros_end(struct macros *macros, uint32_t channel, struct output *out);
void macros_end_all(struct macros *macros, struct output *out);

#endif
