/* SPDX-License-Identifier: MIT */
/* Formats of the 2D object, as text: components from the lowest bit on, x: zeros, o: ones. */
#include <math.h>
#include <string.h>

#include "reference/unified_2d.h"

static const struct {
    unsigned code;
    char type;
    const char *parts;
} formats[] = {
    {0xc0, 'f', "r32g32b32a32"}, {0xc3, 'f', "r32g32b32x32"}, {0xc6, 'u', "r16g16b16a16"}, {0xc7, 's', "r16g16b16a16"},
    {0xca, 'f', "r16g16b16a16"}, {0xcb, 'f', "r32g32"},       {0xce, 'f', "r16g16b16x16"}, {0xcf, 'u', "b8g8r8a8"},
    {0xd0, 'g', "b8g8r8a8"},     {0xd1, 'u', "r10g10b10a2"},  {0xd5, 'u', "r8g8b8a8"},     {0xd6, 'g', "r8g8b8a8"},
    {0xd7, 's', "r8g8b8a8"},     {0xda, 'u', "r16g16"},       {0xdb, 's', "r16g16"},       {0xde, 'f', "r16g16"},
    {0xdf, 'u', "b10g10r10a2"},  {0xe0, 'f', "r11g11b10"},    {0xe5, 'f', "r32"},          {0xe6, 'u', "b8g8r8x8"},
    {0xe7, 'g', "b8g8r8x8"},     {0xe8, 'u', "b5g6r5"},       {0xe9, 'u', "b5g5r5a1"},     {0xea, 'u', "r8g8"},
    {0xeb, 's', "r8g8"},         {0xee, 'u', "r16"},          {0xef, 's', "r16"},          {0xf2, 'f', "r16"},
    {0xf3, 'u', "r8"},           {0xf4, 's', "r8"},           {0xf7, 'u', "a8"},           {0xf8, 'u', "b5g5r5x1"},
    {0xf9, 'u', "r8g8b8x8"},     {0xfa, 'g', "r8g8b8x8"},     {0xfb, 'u', "b5g5r5x1"},     {0xfc, 'u', "b5g5r5o1"},
    {0xfd, 'u', "b8g8r8x8"},     {0xfe, 'u', "b8g8r8o8"},     {0xff, 'u', "r32"},          {0x1d, 'u', "r8"},
};

static bool listed(const char *list, unsigned code) {
    char text[4] = {"0123456789abcdef"[code >> 4 & 15], "0123456789abcdef"[code & 15], ' ', 0};
    return code < 256 && strstr(list, text) != NULL;
}

bool reference_2d_legal(bool is_tesla, unsigned code, int where) {
    const char *words = "cf d1 d5 df e6 e8 e9 ee f3 f8 f9 fb fc fd fe ff ";
    switch (where) {
    case REFERENCE_SOURCE:
        if (code == 0x1d)
            return true;
        /* fall through */
    case REFERENCE_SURFACE:
        return listed("c0 c3 ca cb ce cf d0 d1 d5 d6 df e5 e6 e7 e8 e9 ee f2 f3 f8 f9 fa fb fc fd fe ff ", code) ||
               (!is_tesla && listed("c6 c7 d7 da db de e0 ea eb ef f4 f7 ", code));
    case REFERENCE_SOLID:
        return listed(words, code) || (!is_tesla && listed("c0 ca cb ", code));
    case REFERENCE_UPLOAD:
        return listed(words, code);
    default:
        return listed(words, code) || listed("d0 d6 e7 fa ", code);
    }
}

bool reference_2d_format(unsigned code, struct reference_format *format) {
    memset(format, 0, sizeof *format);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i].code != code)
            continue;
        format->code = code;
        format->type = formats[i].type;
        unsigned shift = 0;
        for (const char *p = formats[i].parts; *p;) {
            const char *names = "rgba", *found = strchr(names, *p);
            unsigned bits = 0;
            format->ones |= *p == 'o';
            for (p++; *p >= '0' && *p <= '9'; p++)
                bits = bits * 10 + (unsigned)(*p - '0');
            if (found) {
                format->part[found - names].shift = shift;
                format->part[found - names].bits = bits;
            }
            shift += bits;
        }
        format->bytes = shift / 8;
        format->luminance = !strchr(formats[i].parts, 'g') && formats[i].parts[0] == 'r';
        format->intensity = code == 0xf7 || code == 0x1d;
        return true;
    }
    return false;
}

static uint32_t part_of(const struct reference_format *format, const uint8_t *pixel, unsigned c) {
    uint32_t value = 0;
    for (unsigned bit = 0; bit < format->part[c].bits; bit++) {
        unsigned at = format->part[c].shift + bit;
        value |= (uint32_t)(pixel[at / 8] >> at % 8 & 1) << bit;
    }
    return value;
}

static double decode_float(uint32_t value, unsigned bits) {
    if (bits < 6) /* not there, or no float */
        return 0;
    if (bits == 32) {
        float f;
        memcpy(&f, &value, sizeof f);
        return (double)f;
    }
    unsigned mantissa_bits = bits == 16 ? 10 : bits - 5;
    int exponent = (int)(value >> mantissa_bits & 31);
    double mantissa = (double)(value & ((1u << mantissa_bits) - 1)) / (1u << mantissa_bits);
    double sign = bits == 16 && value >> 15 ? -1 : 1;
    if (exponent == 31)
        return mantissa > 0 ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp(1 + mantissa, exponent - 15) : ldexp(mantissa, -14));
}

static double decode(const struct reference_format *format, uint32_t value, unsigned c) {
    unsigned bits = format->part[c].bits;
    double most = pow(2, bits) - 1;
    switch (format->type) {
    case 'f':
        return decode_float(value, bits);
    case 's': {
        double signed_value = value > most / 2 ? (double)value - most - 1 : (double)value;
        return fmax(-1, signed_value / (pow(2, bits - 1) - 1));
    }
    case 'g':
        if (c < 3)
            return value / most <= 0.04045 ? value / most / 12.92 : pow((value / most + 0.055) / 1.055, 2.4);
        /* fall through */
    default:
        return value / most;
    }
}

struct reference_color reference_2d_unpack(const struct reference_format *format, const uint8_t *pixel) {
    struct reference_color color = {{0, 0, 0, 1}, format->type != 'u' || format->part[0].bits == 32};
    for (unsigned c = 0; c < 4; c++)
        if (format->part[c].bits)
            color.c[c] = decode(format, part_of(format, pixel, c), c);
    double value = format->part[0].bits ? color.c[0] : color.c[3];
    if (format->luminance || format->intensity)
        color.c[0] = color.c[1] = color.c[2] = value;
    if (format->intensity)
        color.c[3] = value;
    return color;
}

static uint32_t encode_float(double value, unsigned bits) {
    if (bits == 32) {
        float f = (float)value;
        uint32_t raw;
        memcpy(&raw, &f, sizeof raw);
        return raw;
    }
    unsigned mantissa_bits = bits == 16 ? 10 : bits - 5;
    uint32_t sign = bits == 16 && signbit(value) ? 0x8000 : 0;
    if (isnan(value))
        return 31u << mantissa_bits | 1;
    double magnitude = fabs(value), quantum;
    if (magnitude == 0 || (bits != 16 && value < 0))
        return sign;
    int exponent;
    frexp(magnitude, &exponent); /* 0.5 .. 1 times 2^exponent */
    if (exponent < -13)
        exponent = -13;
    if (isinf(magnitude) || exponent > 16)
        return sign | 31u << mantissa_bits;
    quantum = ldexp(1, exponent - 1 - (int)mantissa_bits);
    uint32_t steps = (uint32_t)rint(magnitude / quantum);
    uint32_t base = (uint32_t)(exponent + 14 - 1) << mantissa_bits; /* steps bring the hidden one along */
    return sign | (base + steps);
}

static uint32_t encode(const struct reference_format *format, double value, unsigned c) {
    unsigned bits = format->part[c].bits;
    double most = pow(2, bits) - 1;
    if (format->type == 'f')
        return encode_float(value, bits);
    if (isnan(value))
        value = 0;
    if (format->type == 's') {
        double half = pow(2, bits - 1) - 1, scaled = round(fmin(1, fmax(-1, value)) * half);
        return (uint32_t)(scaled < 0 ? scaled + most + 1 : scaled);
    }
    value = fmin(1, fmax(0, value));
    if (format->type == 'g' && c < 3)
        value = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055;
    return (uint32_t)floor(value * most + 0.5);
}

void reference_2d_pack(const struct reference_format *format, const struct reference_color *color, uint8_t *pixel) {
    memset(pixel, format->ones ? 0xff : 0, format->bytes);
    for (unsigned c = 0; c < 4; c++) {
        if (!format->part[c].bits)
            continue;
        uint32_t value = encode(format, color->c[c], c);
        for (unsigned bit = 0; bit < format->part[c].bits; bit++) {
            unsigned at = format->part[c].shift + bit;
            uint8_t mask = (uint8_t)(1 << at % 8);
            pixel[at / 8] = (uint8_t)(value >> bit & 1 ? pixel[at / 8] | mask : pixel[at / 8] & ~mask);
        }
    }
}

static bool close_floats(double a, double b) {
    if (!isfinite(a) || !isfinite(b) || fabs(a) > 1e30 || fabs(b) > 1e30)
        return true;
    return fabs(a - b) <= 1e-6 + 1e-5 * fmax(fabs(a), fabs(b));
}

bool reference_2d_close(const struct reference_format *format, const uint8_t *a, const uint8_t *b) {
    for (unsigned c = 0; c < 4; c++) {
        if (!format->part[c].bits)
            continue;
        uint32_t x = part_of(format, a, c), y = part_of(format, b, c), difference = x - y;
        if (format->type == 'f' && format->part[c].bits == 32) {
            if (!close_floats(decode_float(x, 32), decode_float(y, 32)))
                return false;
        } else if (format->type == 'f' &&
                   close_floats(decode_float(x, format->part[c].bits), decode_float(y, format->part[c].bits))) {
            continue;
        } else if (difference + 1 > 2 && format->part[c].bits < 32 &&
                   !(format->type == 's' && (difference & ((1u << format->part[c].bits) - 1)) + 1 <= 2)) {
            return false;
        } else if (format->part[c].bits == 32 && difference + 2048 > 4096) {
            return false;
        }
    }
    return true;
}
