/* SPDX-License-Identifier: MIT */
/* x/FMT: memory as numbers of a format, of pfifo debug and pfifo shell. */
#ifndef PFIFO_TOOL_CONSOLE_EXAMINE_H
#define PFIFO_TOOL_CONSOLE_EXAMINE_H

#include <stddef.h>
#include <stdint.h>

#include "face/tool/command/refuse.h"

#define EXAMINE_MOST       4096 /* values at once */
#define EXAMINE_LINE_BYTES 512

struct examine_format {
    uint64_t count;
    unsigned bytes; /* of a value */
    char letter;    /* x d u f c t */
};

/* "8xw": a count, one of x d u f c t, one of b h w g; "" is 1xw. */
bool examine_parse(const char *text, struct examine_format *format, struct pfifo_error *error);

/* print/FMT: a letter, and perhaps a size. */
bool examine_parse_value(const char *text, struct examine_format *format, struct pfifo_error *error);
/* "0x10": the value in that format. */
void examine_value(const struct examine_format *format, uint64_t value, char *buf, size_t size);

/* Lines of 16 bytes: the address and the values. `data` has count * bytes of them. */
void examine_print(const struct examine_format *format, const char *space, uint64_t address, const uint8_t *data,
                   void (*print)(void *opaque, const char *line), void *opaque);

#endif
