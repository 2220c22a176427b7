/* SPDX-License-Identifier: MIT */
/* Methods that a class does not have, in what was decoded: counted, and listed at the end. */
#ifndef PFIFO_DECODE_UNKNOWN_H
#define PFIFO_DECODE_UNKNOWN_H

#include <pfifo/decode.h>

#include "classes/unknown_methods.h"
#include "decode/output.h"

struct decode_unknown {
    bool has_submissions; /* raw words have none */
    uint32_t submission;
    struct unknown_methods methods;
};

void decode_unknown_event(struct decode_unknown *unknown, const struct pfifo_decode_event *event);

/* A line each; nothing if there are none. */
void decode_unknown_text(const struct decode_unknown *unknown, unsigned address_digits, struct output *out);
void decode_unknown_json(const struct decode_unknown *unknown, const char *file, struct output *out);

#endif
