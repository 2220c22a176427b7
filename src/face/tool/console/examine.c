/* SPDX-License-Identifier: MIT */
#include "face/tool/console/examine.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_VALUES = 16 }; /* bytes on a line */

/* Letters that gdb has, and what does the same here. */
static bool wrong_letter(const char *all, char letter, struct pfifo_error *error) {
    if (letter == 'i')
        return refuse(
            error,
            "'%.20s' is not a format: disassemble PLACE says what words mean, and x/8i $pc is for shader programs",
            all);
    if (letter == 's')
        return refuse(error, "'%.20s' is not a format: there are no strings; 16c prints 16 characters", all);
    return refuse(error, "'%.20s' is not a format: a count, one of x d u f c t, one of b h w g (1, 2, 4, 8 bytes)",
                  all);
}

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
        else if (strchr("xdufct", *text))
            format->letter = *text;
        else
            return wrong_letter(all, *text, error);
    }
    if (format->letter == 'c')
        format->bytes = 1;
    if (format->letter == 'f' && format->bytes < 4)
        return refuse(error, "a float has 4 or 8 bytes: fw or fg");
    if (!format->count || format->count > EXAMINE_MOST)
        return refuse(error, "1 to %d values can be printed", EXAMINE_MOST);
    return true;
}

bool examine_parse_value(const char *text, struct examine_format *format, struct pfifo_error *error) {
    if (isdigit((unsigned char)*text))
        return refuse(error, "print/%.20s has a count, and prints one value: x/%.20s PLACE prints memory", text, text);
    return examine_parse(text, format, error);
}

static int format_bits(uint64_t value, unsigned bits, char *buf, size_t size) {
    char digits[65];

    for (unsigned i = 0; i < bits; i++)
        digits[i] = (char)('0' + (value >> (bits - 1 - i) & 1));
    digits[bits] = 0;
    return snprintf(buf, size, " %s", digits);
}

static int examine_format_value(const struct examine_format *format, uint64_t value, char *buf, size_t size) {
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
    case 't':
        return format_bits(value, bits, buf, size);
    case 'c':
        return snprintf(buf, size, "  %c", isprint((int)value) ? (int)value : '.');
    default:
        return snprintf(buf, size, " 0x%0*" PRIx64, (int)(2 * format->bytes), value);
    }
}

void examine_value(const struct examine_format *format, uint64_t value, char *buf, size_t size) {
    char text[80];

    if (format->bytes < 8)
        value &= (UINT64_C(1) << 8 * format->bytes) - 1;
    examine_format_value(format, value, text, sizeof text);
    snprintf(buf, size, "%s", text + strspn(text, " "));
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
            used += (size_t)examine_format_value(format, value, line + used, sizeof line - used);
        }
        snprintf(line + used, sizeof line - used, "\n");
        print(opaque, line);
    }
}
