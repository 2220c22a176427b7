/* SPDX-License-Identifier: MIT */
#include "face/tool/examine.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_VALUES = 16 }; /* bytes on a line */

bool examine_parse(const char *text, struct examine_format *format, struct pfifo_error *error) {
    const char *all = text;
    char *end;

    *format = (struct examine_format){.count = 1, .bytes = 4, .letter = 'x'};
    if (isdigit((unsigned char)*text)) {
        format->count = strtoull(text, &end, 10);
        text = end;
    }
    for (; *text; text++) {
        const char *size = strchr("bhwg", *text);
        if (size)
            format->bytes = 1u << (size - "bhwg");
        else if (strchr("xdufc", *text))
            format->letter = *text;
        else
            return refuse(error,
                          "'%.20s' is not a format: a count, one of x d u f c, one of b h w g (1, 2, 4, 8 bytes)", all);
    }
    if (format->letter == 'c')
        format->bytes = 1;
    if (format->letter == 'f' && format->bytes < 4)
        return refuse(error, "a float has 4 or 8 bytes: fw or fg");
    if (!format->count || format->count > EXAMINE_MOST)
        return refuse(error, "1 to %d values can be printed", EXAMINE_MOST);
    return true;
}

static int format_value(const struct examine_format *format, uint64_t value, char *buf, size_t size) {
    unsigned bits = 8 * format->bytes;
    uint32_t low = (uint32_t)value;
    float single;
    double wide;

    switch (format->letter) {
    case 'd':
        return snprintf(buf, size, " %" PRId64, (int64_t)(value << (64 - bits)) >> (64 - bits));
    case 'u':
        return snprintf(buf, size, " %" PRIu64, value);
    case 'f':
        memcpy(&single, &low, sizeof single);
        memcpy(&wide, &value, sizeof wide);
        return snprintf(buf, size, " %.9g", format->bytes == 4 ? (double)single : wide);
    case 'c':
        return snprintf(buf, size, "  %c", isprint((int)value) ? (int)value : '.');
    default:
        return snprintf(buf, size, " 0x%0*" PRIx64, (int)(2 * format->bytes), value);
    }
}

void examine_print(const struct examine_format *format, const char *space, uint64_t address, const uint8_t *data,
                   void (*print)(void *opaque, const char *line), void *opaque) {
    uint64_t a_line = LINE_VALUES / format->bytes;

    for (uint64_t i = 0; i < format->count; i += a_line) {
        char line[EXAMINE_LINE_BYTES];
        size_t used = (size_t)snprintf(line, sizeof line, "%s0x%" PRIx64 ":", space, address + i * format->bytes);
        for (uint64_t at = i; at < i + a_line && at < format->count; at++) {
            uint64_t value = 0;
            for (unsigned byte = 0; byte < format->bytes; byte++)
                value |= (uint64_t)data[at * format->bytes + byte] << 8 * byte;
            used += (size_t)format_value(format, value, line + used, sizeof line - used);
        }
        snprintf(line + used, sizeof line - used, "\n");
        print(opaque, line);
    }
}
