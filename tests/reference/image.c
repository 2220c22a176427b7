/* SPDX-License-Identifier: MIT */
#include "reference/image.h"

#include <math.h>
#include <string.h>

/* ---- formats ---- */

enum { NONE, UNORM, SNORM, UINT, SINT, FLOATS };

/* Components from the lowest bit on, by their number in the program: 0 x .. 3 w. */
struct picture_format {
    uint32_t number;
    unsigned type, bytes, count, bits[4], of[4];
};

#define XYZW                                                                                                           \
    { 0, 1, 2, 3 }
/* Fermi's colours; the second number is Kepler's. */
static const struct {
    struct picture_format format;
    uint32_t kepler;
} colors[] = {
    {{0xc0, FLOATS, 16, 4, {32, 32, 32, 32}, XYZW}, 0x02},
    {{0xc1, SINT, 16, 4, {32, 32, 32, 32}, XYZW}, 0x03},
    {{0xc2, UINT, 16, 4, {32, 32, 32, 32}, XYZW}, 0x04},
    {{0xc6, UNORM, 8, 4, {16, 16, 16, 16}, XYZW}, 0x08},
    {{0xc7, SNORM, 8, 4, {16, 16, 16, 16}, XYZW}, 0x09},
    {{0xc8, SINT, 8, 4, {16, 16, 16, 16}, XYZW}, 0x0a},
    {{0xc9, UINT, 8, 4, {16, 16, 16, 16}, XYZW}, 0x0b},
    {{0xca, FLOATS, 8, 4, {16, 16, 16, 16}, XYZW}, 0x0c},
    {{0xcb, FLOATS, 8, 2, {32, 32}, XYZW}, 0x0d},
    {{0xcc, SINT, 8, 2, {32, 32}, XYZW}, 0x0e},
    {{0xcd, UINT, 8, 2, {32, 32}, XYZW}, 0x0f},
    {{0xcf, UNORM, 4, 4, {8, 8, 8, 8}, {2, 1, 0, 3}}, 0x11},
    {{0xd1, UNORM, 4, 4, {10, 10, 10, 2}, XYZW}, 0x13},
    {{0xd2, UINT, 4, 4, {10, 10, 10, 2}, XYZW}, 0x15},
    {{0xd5, UNORM, 4, 4, {8, 8, 8, 8}, XYZW}, 0x18},
    {{0xd7, SNORM, 4, 4, {8, 8, 8, 8}, XYZW}, 0x1a},
    {{0xd8, SINT, 4, 4, {8, 8, 8, 8}, XYZW}, 0x1b},
    {{0xd9, UINT, 4, 4, {8, 8, 8, 8}, XYZW}, 0x1c},
    {{0xda, UNORM, 4, 2, {16, 16}, XYZW}, 0x1d},
    {{0xdb, SNORM, 4, 2, {16, 16}, XYZW}, 0x1e},
    {{0xdc, SINT, 4, 2, {16, 16}, XYZW}, 0x1f},
    {{0xdd, UINT, 4, 2, {16, 16}, XYZW}, 0x20},
    {{0xde, FLOATS, 4, 2, {16, 16}, XYZW}, 0x21},
    {{0xe0, FLOATS, 4, 3, {11, 11, 10}, XYZW}, 0x24},
    {{0xe3, SINT, 4, 1, {32}, XYZW}, 0x27},
    {{0xe4, UINT, 4, 1, {32}, XYZW}, 0x28},
    {{0xe5, FLOATS, 4, 1, {32}, XYZW}, 0x29},
    {{0xea, UNORM, 2, 2, {8, 8}, XYZW}, 0x2e},
    {{0xeb, SNORM, 2, 2, {8, 8}, XYZW}, 0x2f},
    {{0xec, SINT, 2, 2, {8, 8}, XYZW}, 0x30},
    {{0xed, UINT, 2, 2, {8, 8}, XYZW}, 0x31},
    {{0xee, UNORM, 2, 1, {16}, XYZW}, 0x32},
    {{0xef, SNORM, 2, 1, {16}, XYZW}, 0x33},
    {{0xf0, SINT, 2, 1, {16}, XYZW}, 0x34},
    {{0xf1, UINT, 2, 1, {16}, XYZW}, 0x35},
    {{0xf2, FLOATS, 2, 1, {16}, XYZW}, 0x36},
    {{0xf3, UNORM, 1, 1, {8}, XYZW}, 0x37},
    {{0xf4, SNORM, 1, 1, {8}, XYZW}, 0x38},
    {{0xf5, SINT, 1, 1, {8}, XYZW}, 0x39},
    {{0xf6, UINT, 1, 1, {8}, XYZW}, 0x3a},
};

/* Sizes of headers. */
static const struct picture_format sizes[] = {
    {0x01, NONE, 16, 4, {32, 32, 32, 32}, XYZW},
    {0x03, NONE, 8, 4, {16, 16, 16, 16}, XYZW},
    {0x04, NONE, 8, 2, {32, 32}, XYZW},
    {0x08, NONE, 4, 4, {8, 8, 8, 8}, XYZW},
    {0x09, NONE, 4, 4, {10, 10, 10, 2}, XYZW},
    {0x0c, NONE, 4, 2, {16, 16}, XYZW},
    {0x0f, NONE, 4, 1, {32}, XYZW},
    {0x15, NONE, 2, 3, {5, 6, 5}, XYZW},
    {0x18, NONE, 2, 2, {8, 8}, XYZW},
    {0x1b, NONE, 2, 1, {16}, XYZW},
    {0x1d, NONE, 1, 1, {8}, XYZW},
    {0x21, NONE, 4, 3, {11, 11, 10}, XYZW},
};

static double number_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static uint32_t bits_of(double number) {
    float value = (float)number;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double limited(double value, double low, double high) {
    return value < low ? low : value > high ? high : value == value ? value : 0;
}

/* Floats of 5 bits of exponent: the value in units of the last place, rounded to even. */
static uint32_t small_float(uint32_t word, unsigned bits) {
    unsigned mantissa = bits == 16 ? 10 : bits - 5;
    double value = number_of(word), magnitude = fabs(value);
    uint32_t sign = bits == 16 && signbit(value) ? 0x8000 : 0;
    int exponent = 0;
    if (bits != 16 && signbit(value))
        return 0;
    frexp(magnitude, &exponent);
    exponent = exponent - 1 < -14 || magnitude == 0 ? -14 : exponent - 1;
    if (isinf(value) || exponent > 15)
        return sign | 31u << mantissa;
    uint32_t units = (uint32_t)rint(ldexp(magnitude, (int)mantissa - exponent));
    return sign + ((uint32_t)(exponent + 14) << mantissa) + units;
}

/* What is no number keeps its fraction. */
static uint32_t large_float(uint32_t value, unsigned bits) {
    unsigned mantissa = bits == 16 ? 10 : bits - 5;
    bool negative = bits == 16 && value >> 15;
    uint32_t exponent = value >> mantissa & 31, rest = value & ((1u << mantissa) - 1);
    double result =
        exponent ? ldexp(1 + ldexp(rest, -(int)mantissa), (int)exponent - 15) : ldexp(rest, -14 - (int)mantissa);
    if (exponent == 31)
        return (negative ? 0xff800000 : 0x7f800000) | rest << (23 - mantissa);
    return bits_of(negative ? -result : result);
}

static uint32_t to_bits(unsigned type, uint32_t word, unsigned bits) {
    double most = ldexp(1, (int)bits) - 1, half = ldexp(1, (int)bits - 1) - 1;
    switch (type) {
    case UNORM:
        return (uint32_t)floor(limited(number_of(word), 0, 1) * most + 0.5);
    case SNORM:
        return (uint32_t)(int32_t)round(limited(number_of(word), -1, 1) * half) & (uint32_t)(uint64_t)most;
    case UINT:
        return (uint32_t)limited(word, 0, most);
    case SINT:
        return (uint32_t)(int32_t)limited((int32_t)word, -half - 1, half) & (uint32_t)(uint64_t)most;
    default:
        return bits == 32 ? word : small_float(word, bits);
    }
}

static uint32_t from_bits(unsigned type, uint32_t value, unsigned bits) {
    double most = ldexp(1, (int)bits) - 1, half = ldexp(1, (int)bits - 1) - 1, number = value;
    double with_sign = number > half ? number - most - 1 : number;
    switch (type) {
    case UNORM:
        return bits_of(number / most);
    case SNORM:
        return bits_of(with_sign / half < -1 ? -1 : with_sign / half);
    case UINT:
        return value;
    case SINT:
        return (uint32_t)(int32_t)with_sign;
    default:
        return bits == 32 ? value : large_float(value, bits);
    }
}

static uint32_t get_bits(const uint8_t *bytes, unsigned at, unsigned bits) {
    uint32_t value = 0;
    for (unsigned i = 0; i < bits; i++)
        value |= (uint32_t)(bytes[(at + i) / 8] >> (at + i) % 8 & 1) << i;
    return value;
}

static void put_bits(uint8_t *bytes, unsigned at, unsigned bits, uint32_t value) {
    for (unsigned i = 0; i < bits; i++)
        bytes[(at + i) / 8] |= (uint8_t)((value >> i & 1) << (at + i) % 8);
}

/* ---- memory ---- */

static uint8_t *at(struct reference_image_world *world, uint64_t address) {
    return world->memory + (address - world->base) % world->bytes;
}

/* Byte after byte: memory repeats. */
static void read_bytes(struct reference_image_world *world, uint64_t address, uint8_t *to, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        to[i] = *at(world, address + i);
}

static void write_bytes(struct reference_image_world *world, uint64_t address, const uint8_t *from, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        *at(world, address + i) = from[i];
}

static uint32_t reg(const struct reference_image_thread *thread, unsigned first, unsigned i) {
    return first + i < 255 ? thread->r[first + i] : 0;
}

static void set_reg(struct reference_image_thread *thread, unsigned first, unsigned i, uint32_t value) {
    if (first + i < 255)
        thread->r[first + i] = value;
}

/* ---- a picture ---- */

uint64_t reference_image_block(uint64_t width, uint64_t height, unsigned high, unsigned deep, bool columns, uint64_t x,
                               uint64_t y, uint64_t z) {
    uint64_t gobs = (uint64_t)1 << high, slices = (uint64_t)1 << deep, across = (width + 63) / 64;
    uint64_t down = (height + 8 * gobs - 1) / (8 * gobs);
    uint64_t block = (z / slices * down + y / (8 * gobs)) * across + x / 64;
    uint64_t gob = block * gobs * slices + z % slices * gobs + y / 8 % gobs;
    uint64_t sector = columns ? x / 32 % 2 * 8 + y / 4 % 2 * 4 + x / 16 % 2 * 2 + y / 2 % 2
                              : x / 32 % 2 * 8 + y / 4 % 2 * 4 + y / 2 % 2 * 2 + x / 16 % 2;
    return gob * 512 + sector * 32 + y % 2 * 16 + x % 16;
}

struct picture {
    struct picture_format format;
    bool exists, lines;
    uint64_t address, width, height, depth, layers, layer_bytes; /* width in texels */
    uint64_t row;                   /* bytes of a line with the rest of its last tile; 0: there are no tiles */
    unsigned high, deep, source[4]; /* of a component: 0..3 of the texel, 4 0, 5 1, 6 1.0 */
};

enum { IGNORE, NEAR, TRAP };
struct place {
    uint64_t address;
    bool outside;
};

static bool among(int64_t *coordinate, uint64_t count, unsigned outside) {
    if (*coordinate >= 0 && (uint64_t)*coordinate < count)
        return true;
    *coordinate = *coordinate < 0 || !count ? 0 : (int64_t)count - 1;
    return outside == NEAR && count;
}

static struct place place_of(const struct reference_image_world *world, const struct picture *picture, int64_t x,
                             int64_t y, int64_t z, unsigned unit, unsigned bytes, unsigned outside) {
    struct place place = {.outside = true};
    uint64_t line = picture->width * picture->format.bytes, columns = 0;
    while (picture->exists && columns * unit + bytes <= line)
        columns++;
    if (!picture->exists || !among(&x, columns, outside) || !among(&y, picture->height, outside) ||
        !among(&z, picture->depth * picture->layers, outside))
        return place;
    place.outside = false;
    uint64_t slice = picture->depth > 1 ? (uint64_t)z : 0, layer = picture->depth > 1 ? 0 : (uint64_t)z;
    place.address = picture->address + layer * picture->layer_bytes;
    if (picture->lines)
        place.address += (uint64_t)y * line + (uint64_t)x * unit;
    else
        place.address += reference_image_block(picture->row ? picture->row : line, picture->height, picture->high,
                                               picture->deep, world->columns, (uint64_t)x * unit, (uint64_t)y, slice);
    return place;
}

static const struct picture_format *format_in(uint32_t number, bool kepler) {
    for (size_t i = 0; i < sizeof colors / sizeof colors[0]; i++)
        if ((kepler ? colors[i].kepler : colors[i].format.number) == number)
            return &colors[i].format;
    return NULL;
}

static struct picture picture_of_slot(const uint32_t slot[6]) {
    const struct picture_format *format = format_in(slot[4] >> 4 & 0xff, false);
    struct picture picture = {.exists = format && slot[2], .depth = 1, .layers = 1, .source = {0, 1, 2, 3}};
    if (!picture.exists)
        return picture;
    picture.format = *format;
    picture.lines = slot[3] >> 20 & 1;
    picture.address = (uint64_t)(slot[0] & 0xff) << 32 | slot[1];
    picture.width = picture.lines ? slot[2] / format->bytes : slot[2];
    picture.height = slot[3] & 0x1ffff;
    picture.high = slot[5] >> 4 & 0xf;
    return picture;
}

/* What these tests use of headers: one level, buffers or blocks of which the size is no smaller than one. */
static struct picture picture_of_header(const uint32_t words[8]) {
    static const unsigned types[8] = {NONE, SNORM, UNORM, SINT, UINT, NONE, NONE, FLOATS};
    struct picture picture = {.exists = true, .depth = 1, .layers = 1};
    unsigned target = words[4] >> 23 & 0xf;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i].number == (words[0] & 0x7f))
            picture.format = sizes[i];
    picture.format.type = types[words[0] >> 7 & 7];
    for (unsigned i = 0; i < 4; i++) {
        static const unsigned sources[8] = {4, 4, 0, 1, 2, 3, 5, 6};
        picture.source[i] = sources[words[0] >> (19 + 3 * i) & 7];
    }
    picture.address = (uint64_t)(words[2] & 0xffff) << 32 | words[1];
    picture.lines = target == 6;
    picture.width =
        picture.lines ? (((uint64_t)words[3] & 0xffff) << 16 | (words[4] & 0xffff)) + 1 : (words[4] & 0xffff) + 1;
    picture.height = target == 0 || target == 4 || target == 6 ? 1 : (words[5] & 0xffff) + 1;
    uint64_t depth = (words[5] >> 16 & 0x3fff) + 1;
    picture.depth = target == 2 ? depth : 1;
    picture.layers = target == 3 ? 6 : target == 8 ? 6 * depth : target == 4 || target == 5 ? depth : 1;
    picture.high = words[3] >> 3 & 7;
    picture.deep = words[3] >> 6 & 7;
    uint64_t gobs = (uint64_t)1 << picture.high, across = (picture.width * picture.format.bytes + 63) / 64;
    uint64_t tile = (uint64_t)1 << (words[3] >> 10 & 7);
    if (!picture.lines && picture.width * picture.format.bytes >= 64 * tile && picture.height >= 8 * gobs &&
        picture.depth >= (uint64_t)1 << picture.deep) {
        across = (across + tile - 1) / tile * tile;
        picture.row = 64 * across;
    }
    picture.layer_bytes = across * ((picture.height + 8 * gobs - 1) / (8 * gobs)) * gobs * 512;
    return picture;
}

/* ---- accesses ---- */

static uint32_t widened(const uint8_t *bytes, unsigned size) {
    switch (size) {
    case 0:
        return bytes[0];
    case 1:
        return (uint32_t)(int32_t)(int8_t)bytes[0];
    case 2:
        return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
    default:
        return (uint32_t)(int32_t)(int16_t)(bytes[0] | bytes[1] << 8);
    }
}

static const unsigned size_bytes[8] = {1, 1, 2, 2, 4, 8, 16, 0};

static void load_raw(struct reference_image_world *world, struct reference_image_thread *thread, struct place place,
                     unsigned size, unsigned d) {
    uint8_t bytes[16] = {0};
    if (!place.outside)
        read_bytes(world, place.address, bytes, size_bytes[size]);
    for (unsigned i = 0; i < (size_bytes[size] + 3) / 4; i++)
        set_reg(thread, d, i, size < 4 ? widened(bytes, size) : get_bits(bytes, 32 * i, 32));
}

static void store_raw(struct reference_image_world *world, const struct reference_image_thread *thread,
                      struct place place, unsigned size, unsigned b) {
    uint8_t bytes[16] = {0};
    for (unsigned i = 0; i < 4; i++)
        put_bits(bytes, 32 * i, 32, reg(thread, b, i));
    if (!place.outside && thread->has_effect)
        write_bytes(world, place.address, bytes, size_bytes[size]);
}

static void load_formatted(struct reference_image_world *world, struct reference_image_thread *thread,
                           const struct picture *picture, struct place place, unsigned mask, unsigned d) {
    bool integers = picture->format.type == UINT || picture->format.type == SINT;
    uint32_t stored[7] = {0, 0, 0, integers ? 1 : 0x3f800000, 0, 1, 0x3f800000};
    uint8_t bytes[16];
    unsigned next = 0;
    if (!place.outside)
        read_bytes(world, place.address, bytes, picture->format.bytes);
    for (unsigned i = 0, bit = 0; i < picture->format.count && !place.outside; bit += picture->format.bits[i++])
        stored[picture->format.of[i]] =
            from_bits(picture->format.type, get_bits(bytes, bit, picture->format.bits[i]), picture->format.bits[i]);
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1)
            set_reg(thread, d, next++, place.outside ? 0 : stored[picture->source[i]]);
}

static void store_formatted(struct reference_image_world *world, const struct reference_image_thread *thread,
                            const struct picture *picture, struct place place, unsigned mask, unsigned b) {
    uint32_t given[4] = {0}, wanted[4] = {0};
    uint8_t bytes[16] = {0};
    unsigned next = 0;
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1)
            given[i] = reg(thread, b, next++);
    for (unsigned i = 4; i > 0; i--)
        if (picture->source[i - 1] < 4)
            wanted[picture->source[i - 1]] = given[i - 1];
    for (unsigned i = 0, bit = 0; i < picture->format.count; bit += picture->format.bits[i++])
        put_bits(bytes, bit, picture->format.bits[i],
                 to_bits(picture->format.type, wanted[picture->format.of[i]], picture->format.bits[i]));
    if (!place.outside && thread->has_effect)
        write_bytes(world, place.address, bytes, picture->format.bytes);
}

static bool is_crooked(struct place place, unsigned bytes) {
    return !place.outside && place.address % bytes;
}

/* ---- Maxwell ---- */

enum { AU32, AS32, AU64, AF32, AF16, AS64 };

static uint64_t changed(unsigned operation, unsigned type, uint64_t old, uint64_t b, uint64_t c) {
    bool wide = type == AU64 || type == AS64, is_signed = type == AS32 || type == AS64;
    int64_t x = wide ? (int64_t)old : (int32_t)old, y = wide ? (int64_t)b : (int32_t)b;
    bool less = is_signed ? y < x : b < old;
    switch (operation) {
    case 0:
        return wide ? old + b : (uint32_t)(old + b);
    case 1:
        return less ? b : old;
    case 2:
        return less ? old : b;
    case 3:
        return old >= b ? 0 : old + 1;
    case 4:
        return old == 0 || old > b ? b : old - 1;
    case 5:
        return old & b;
    case 6:
        return old | b;
    case 7:
        return old ^ b;
    case 8:
        return b;
    default:
        return old == b ? c : old;
    }
}

/* The tests leave out what the unit does not combine: then there is nothing to know. */
static void atomic(struct reference_image_world *world, struct reference_image_thread *thread, struct place place,
                   unsigned operation, unsigned type, unsigned d, unsigned b) {
    unsigned words = type == AU64 || type == AS64 ? 2 : 1;
    uint64_t old = 0, operand = 0, swap = 0;
    uint8_t bytes[8] = {0};
    for (unsigned i = 0; i < words && d != 255 && !thread->has_effect; i++)
        set_reg(thread, d, i, 0);
    if (!thread->has_effect)
        return;
    if (!place.outside)
        read_bytes(world, place.address, bytes, 4 * words);
    for (unsigned i = 0; i < words; i++) {
        old |= (uint64_t)get_bits(bytes, 32 * i, 32) << 32 * i;
        operand |= (uint64_t)reg(thread, b, i) << 32 * i;
        swap |= (uint64_t)reg(thread, b, words + i) << 32 * i;
    }
    uint64_t value = changed(operation, type, old, operand, swap);
    memset(bytes, 0, sizeof bytes);
    put_bits(bytes, 0, 32, (uint32_t)value);
    put_bits(bytes, 32, 32, (uint32_t)(value >> 32));
    if (!place.outside)
        write_bytes(world, place.address, bytes, 4 * words);
    for (unsigned i = 0; i < words && d != 255; i++)
        set_reg(thread, d, i, place.outside ? 0 : (uint32_t)(old >> 32 * i));
}

static unsigned field(uint64_t word, unsigned from, unsigned bits) {
    return (unsigned)(word >> from & ((UINT64_C(1) << bits) - 1));
}

static uint32_t constant_word(const struct reference_image_world *world, unsigned offset) {
    return get_bits(world->constants + offset, 0, 32);
}

static struct place place_gm107(const struct reference_image_world *world, const struct reference_image_thread *thread,
                                const struct picture *picture, uint64_t word, unsigned bytes) {
    unsigned dim = field(word, 33, 3), a = field(word, 8, 8);
    int64_t x = (int32_t)reg(thread, a, 0), y = dim >= 3 ? (int32_t)reg(thread, a, 1) : 0;
    int64_t z = dim == 2 ? (int32_t)reg(thread, a, 1) : dim >= 4 ? (int32_t)reg(thread, a, 2) : 0;
    return place_of(world, picture, x, y, z, bytes, bytes, field(word, 49, 2));
}

enum reference_image reference_image_gm107(struct reference_image_world *world, struct reference_image_thread *thread,
                                           uint64_t word) {
    unsigned operation = field(word, 53, 11), d = field(word, 0, 8), mask = field(word, 20, 4);
    uint32_t handle =
        field(word, 51, 1) ? constant_word(world, 4 * field(word, 36, 13)) : reg(thread, field(word, 39, 8), 0);
    struct picture picture = picture_of_header(world->headers[(handle & 0xfffff) % 8]);
    bool formatted = !field(word, 52, 1), is_atomic = operation != 0x758 && operation != 0x759;
    unsigned type = field(word, operation == 0x75a ? 20 : 36, 3);
    unsigned bytes = is_atomic   ? (type == AU64 || type == AS64 ? 8 : 4)
                     : formatted ? picture.format.bytes
                                 : size_bytes[field(word, 20, 3)];
    struct place place = place_gm107(world, thread, &picture, word, bytes);
    bool stores = operation != 0x758;
    if (stores && !is_atomic && !thread->has_effect)
        return REFERENCE_IMAGE_DONE;
    bool fails = (place.outside && field(word, 49, 2) == TRAP) || is_crooked(place, bytes);
    if (fails && !(is_atomic && !thread->has_effect))
        return REFERENCE_IMAGE_ERROR;
    if (operation == 0x758 && formatted)
        load_formatted(world, thread, &picture, place, mask, d);
    else if (operation == 0x758)
        load_raw(world, thread, place, field(word, 20, 3), d);
    else if (operation == 0x759 && formatted)
        store_formatted(world, thread, &picture, place, mask, d);
    else if (operation == 0x759)
        store_raw(world, thread, place, field(word, 20, 3), d);
    else if (operation == 0x75a)
        atomic(world, thread, place, field(word, 24, 3), type, 255, d);
    else
        atomic(world, thread, place, operation == 0x756 ? 9 : field(word, 29, 4), type, d, field(word, 20, 8));
    return REFERENCE_IMAGE_DONE;
}

/* ---- Fermi ---- */

static unsigned six(unsigned number) {
    return number == 63 ? 255 : number;
}

enum reference_image reference_image_gf100(struct reference_image_world *world, struct reference_image_thread *thread,
                                           uint64_t word) {
    unsigned operation = field(word, 58, 6), dim = field(word, 44, 2), a = six(field(word, 20, 6)),
             d = six(field(word, 14, 6));
    unsigned slot = field(word, 46, 1) ? field(word, 26, 3) : reg(thread, six(field(word, 26, 6)), 0) & 7;
    struct picture picture = picture_of_slot(world->slots[slot]);
    unsigned mask = field(word, 49, 4), size = field(word, 5, 3), outside = field(word, 47, 2);
    bool formatted = operation == 0x37 && mask;
    unsigned bytes = formatted ? picture.format.bytes : size_bytes[size];
    struct place place = place_of(world, &picture, (int32_t)reg(thread, a, 0), dim ? (int32_t)reg(thread, a, 1) : 0,
                                  dim == 2 ? (int32_t)reg(thread, a, 2) : 0, formatted ? bytes : 1, bytes, outside);
    if (dim == 3)
        place.address += (uint64_t)reg(thread, a, 2) << 8;
    if (operation == 0x37 && !thread->has_effect)
        return REFERENCE_IMAGE_DONE;
    if ((place.outside && outside == TRAP) || (operation != 0x3c && is_crooked(place, bytes)))
        return REFERENCE_IMAGE_ERROR;
    if (formatted) {
        store_formatted(world, thread, &picture, place, mask, d);
    } else if (operation == 0x37) {
        store_raw(world, thread, place, size, d);
    } else if (operation == 0x35) {
        load_raw(world, thread, place, size, d);
    } else {
        set_reg(thread, d, 0, place.outside ? 0 : (uint32_t)place.address);
        set_reg(thread, d, 1, place.outside ? 0 : (uint32_t)(place.address >> 32));
        if (field(word, 54, 3) < 7)
            thread->p[field(word, 54, 3)] = place.outside;
    }
    return REFERENCE_IMAGE_DONE;
}

/* ---- Kepler ---- */

struct by_address {
    bool stores;
    unsigned a, data, size, mask, raw, outside, predicate;
    uint32_t format;
};

static enum reference_image do_by_address(struct reference_image_world *world, struct reference_image_thread *thread,
                                          const struct by_address *access) {
    const struct picture_format *format = format_in(access->format & 0xff, true);
    struct picture picture = {.exists = true, .source = {0, 1, 2, 3}};
    uint32_t low = reg(thread, access->a, 0);
    struct place place = {.address = (uint64_t)reg(thread, access->a, 1) << 8,
                          .outside = thread->p[access->predicate & 7] != (access->predicate >> 3)};
    place.address += access->raw == 0   ? low
                     : access->raw == 1 ? (uint64_t)(int64_t)(int32_t)low
                     : access->raw == 2 ? low % 256
                                        : (uint64_t)(int64_t)(int8_t)low;
    if (access->stores && (!thread->has_effect || (access->mask && !format)))
        return REFERENCE_IMAGE_DONE;
    if (access->mask)
        picture.format = *format;
    if ((place.outside && access->outside == 1) ||
        is_crooked(place, access->mask ? format->bytes : size_bytes[access->size]))
        return REFERENCE_IMAGE_ERROR;
    if (!access->stores)
        load_raw(world, thread, place, access->size, access->data);
    else if (access->mask)
        store_formatted(world, thread, &picture, place, access->mask, access->data);
    else
        store_raw(world, thread, place, access->size, access->data);
    return REFERENCE_IMAGE_DONE;
}

enum reference_image reference_image_gk104(struct reference_image_world *world, struct reference_image_thread *thread,
                                           uint64_t word) {
    struct by_address access = {.stores = field(word, 58, 6) == 0x37,
                                .a = six(field(word, 20, 6)),
                                .data = six(field(word, 14, 6)),
                                .size = field(word, 5, 3),
                                .raw = field(word, 45, 2),
                                .outside = field(word, 47, 2),
                                .predicate = field(word, 49, 4)};
    access.mask = access.stores ? field(word, 54, 4) : 0;
    access.format =
        field(word, 53, 1) ? constant_word(world, 4 * field(word, 26, 14)) : reg(thread, six(field(word, 26, 6)), 0);
    return do_by_address(world, thread, &access);
}

enum reference_image reference_image_gk110(struct reference_image_world *world, struct reference_image_thread *thread,
                                           uint64_t word) {
    bool constant = !field(word, 62, 1), stores = field(word, constant ? 59 : 54, 1);
    struct by_address access = {.stores = stores, .a = field(word, 10, 8), .data = field(word, stores ? 42 : 2, 8)};
    access.size = field(word, constant ? 56 : 33, 3);
    access.mask = stores ? field(word, constant ? 4 : 25, 4) : 0;
    access.raw = field(word, !stores ? 52 : constant ? 8 : 29, 2);
    access.outside = field(word, !stores ? 46 : constant ? 2 : 23, 2);
    access.predicate = field(word, stores ? 50 : 42, 4);
    access.format =
        constant ? constant_word(world, 4 * field(word, 23, 14)) : reg(thread, field(word, stores ? 2 : 23, 8), 0);
    return do_by_address(world, thread, &access);
}
