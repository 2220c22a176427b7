/* SPDX-License-Identifier: MIT */
/*
 * gzip, for files that are read once and as a whole: simple rather than fast, and without another library.
 *
 *   member: header, blocks { stored | Huffman codes, fixed or in the block }, CRC, length
 */
#include "foreign/foreign.h"

#include <string.h>

#include "memory/little_endian.h"

enum {
    MOST_LENGTH = 15, /* bits of a code */
    LITERALS = 288,
    DISTANCES = 30,
    LENGTH_CODES = 19,
    END_OF_BLOCK = 256,
    FLAG_CRC = 2,
    FLAG_EXTRA = 4,
    FLAG_NAME = 8,
    FLAG_COMMENT = 16,
    HEADER_BYTES = 10,
    TRAILER_BYTES = 8,
};

struct inflating {
    const uint8_t *data;
    size_t bytes, at;
    uint32_t bits; /* that were taken of the input and not used yet */
    unsigned have;
    struct bytes *out;
    size_t begin; /* of the member's output: nothing before it is copied */
    const char *reason;
};

/* A canonical code: how many codes there are of each length, and the symbols in their order. */
struct huffman {
    uint16_t count[MOST_LENGTH + 1];
    uint16_t symbol[LITERALS];
};

static bool inflate_fail(struct inflating *in, const char *reason) {
    in->reason = reason;
    return false;
}

/* `count` bits, at most 16, the first as the lowest; 0 and a reason if there are no more. */
static uint32_t take_bits(struct inflating *in, unsigned count) {
    uint32_t value;

    while (in->have < count) {
        if (in->at == in->bytes) {
            inflate_fail(in, "it ends too early");
            return 0;
        }
        in->bits |= (uint32_t)in->data[in->at++] << in->have;
        in->have += 8;
    }
    value = in->bits & ((1u << count) - 1);
    in->bits >>= count;
    in->have -= count;
    return value;
}

/* False: more codes than there can be, or fewer, which is allowed only of a single one. */
static bool make_huffman(struct huffman *huffman, const uint8_t *length, size_t symbols) {
    uint16_t next[MOST_LENGTH + 1] = {0};
    int left = 1;

    memset(huffman, 0, sizeof *huffman);
    for (size_t i = 0; i < symbols; i++)
        huffman->count[length[i]]++;
    for (unsigned bits = 1; bits <= MOST_LENGTH; bits++) {
        left = 2 * left - huffman->count[bits];
        if (left < 0)
            return false;
    }
    for (unsigned bits = 1; bits < MOST_LENGTH; bits++)
        next[bits + 1] = (uint16_t)(next[bits] + huffman->count[bits]);
    for (size_t i = 0; i < symbols; i++)
        if (length[i])
            huffman->symbol[next[length[i]]++] = (uint16_t)i;
    return left == 0 || (size_t)huffman->count[0] + 1 >= symbols;
}

/* -1 and a reason: no symbol. */
static int take_symbol(struct inflating *in, const struct huffman *huffman) {
    int code = 0, first = 0, index = 0;

    for (unsigned bits = 1; bits <= MOST_LENGTH && !in->reason; bits++) {
        int count = huffman->count[bits];
        code |= (int)take_bits(in, 1);
        if (code - count < first)
            return in->reason ? -1 : huffman->symbol[index + code - first];
        index += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    inflate_fail(in, in->reason ? in->reason : "a code that the block does not have");
    return -1;
}

/* Up to the limit: the beginning of a file is enough to recognise it by. */
static bool put(struct inflating *in, const uint8_t *data, size_t bytes) {
    const size_t room = in->out->limit - in->out->size, part = bytes < room ? bytes : room;

    return (bytes_append(in->out, data, part) && part == bytes) ||
           inflate_fail(in, "more bytes than are read, or no memory");
}

static bool copy_back(struct inflating *in, uint32_t length, uint32_t distance) {
    if (distance > in->out->size - in->begin)
        return inflate_fail(in, "a copy from before the first byte");
    if (!bytes_reserve(in->out, length))
        return inflate_fail(in, "more bytes than are read, or no memory");
    for (uint32_t i = 0; i < length; i++, in->out->size++)
        in->out->data[in->out->size] = in->out->data[in->out->size - distance];
    return true;
}

/* Lengths and distances are a base and extra bits: RFC 1951, 3.2.5. */
static bool take_copy(struct inflating *in, int symbol, const struct huffman *distances) {
    uint32_t length = 258, distance, number = (uint32_t)symbol - END_OF_BLOCK - 1, extra;
    int code;

    if (number > 28)
        return inflate_fail(in, "a length that there is not");
    extra = number < 8 || number == 28 ? 0 : number / 4 - 1;
    if (number < 8)
        length = 3 + number;
    else if (number < 28)
        length = 3 + ((4 + number % 4) << extra) + take_bits(in, extra);
    code = take_symbol(in, distances);
    if (code < 0)
        return false;
    if (code >= DISTANCES)
        return inflate_fail(in, "a distance that there is not");
    extra = code < 4 ? 0 : (uint32_t)code / 2 - 1;
    distance = code < 4 ? 1 + (uint32_t)code : 1 + ((2 + (uint32_t)code % 2) << extra) + take_bits(in, extra);
    return !in->reason && copy_back(in, length, distance);
}

static bool take_codes(struct inflating *in, const struct huffman *literals, const struct huffman *distances) {
    for (;;) {
        int symbol = take_symbol(in, literals);
        uint8_t byte = (uint8_t)symbol;
        if (symbol < 0)
            return false;
        if (symbol == END_OF_BLOCK)
            return true;
        if (symbol < END_OF_BLOCK ? !put(in, &byte, 1) : !take_copy(in, symbol, distances))
            return false;
    }
}

static bool take_fixed(struct inflating *in) {
    struct huffman literals, distances;
    uint8_t length[LITERALS];

    for (size_t i = 0; i < LITERALS; i++)
        length[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    make_huffman(&literals, length, LITERALS);
    memset(length, 5, DISTANCES);
    make_huffman(&distances, length, DISTANCES);
    return take_codes(in, &literals, &distances);
}

/* The lengths of both codes, which are packed themselves. */
static bool take_lengths(struct inflating *in, uint8_t *length, size_t count) {
    static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t code_length[LENGTH_CODES] = {0};
    size_t codes = take_bits(in, 4) + 4, i = 0;
    struct huffman huffman;

    for (size_t j = 0; j < codes; j++)
        code_length[order[j]] = (uint8_t)take_bits(in, 3);
    if (in->reason || !make_huffman(&huffman, code_length, LENGTH_CODES))
        return inflate_fail(in, in->reason ? in->reason : "lengths that no code has");
    while (i < count) {
        int symbol = take_symbol(in, &huffman);
        size_t times = 1;
        uint8_t value = symbol < 16 ? (uint8_t)symbol : 0;
        if (symbol < 0 || (symbol == 16 && i == 0))
            return inflate_fail(in, in->reason ? in->reason : "lengths that repeat nothing");
        if (symbol == 16)
            value = length[i - 1];
        if (symbol >= 16)
            times = symbol == 16 ? 3 + take_bits(in, 2) : symbol == 17 ? 3 + take_bits(in, 3) : 11 + take_bits(in, 7);
        if (in->reason || times > count - i)
            return inflate_fail(in, in->reason ? in->reason : "more lengths than codes");
        memset(length + i, value, times);
        i += times;
    }
    return true;
}

static bool take_dynamic(struct inflating *in) {
    uint8_t length[LITERALS + 32] = {0};
    size_t literal_count = take_bits(in, 5) + 257, distance_count = take_bits(in, 5) + 1;
    struct huffman literals, distances;

    if (in->reason || literal_count > LITERALS - 2 || distance_count > DISTANCES)
        return inflate_fail(in, in->reason ? in->reason : "more codes than there are");
    if (!take_lengths(in, length, literal_count + distance_count))
        return false;
    if (!length[END_OF_BLOCK] || !make_huffman(&literals, length, literal_count) ||
        !make_huffman(&distances, length + literal_count, distance_count))
        return inflate_fail(in, "lengths that no code has");
    return take_codes(in, &literals, &distances);
}

static bool take_stored(struct inflating *in) {
    uint32_t length;

    in->bits = in->have = 0;
    length = take_bits(in, 16);
    if ((take_bits(in, 16) ^ 0xffff) != length || in->reason)
        return inflate_fail(in, in->reason ? in->reason : "a stored block whose length is damaged");
    if (length > in->bytes - in->at)
        return inflate_fail(in, "it ends too early");
    in->at += length;
    return put(in, in->data + in->at - length, length);
}

static bool take_blocks(struct inflating *in) {
    bool last = false, good = true;

    in->bits = in->have = 0;
    while (good && !last) {
        uint32_t type;
        last = take_bits(in, 1);
        type = take_bits(in, 2);
        if (in->reason)
            return false;
        good = type == 0   ? take_stored(in)
               : type == 1 ? take_fixed(in)
               : type == 2 ? take_dynamic(in)
                           : inflate_fail(in, "a block of no type");
    }
    return good;
}

/* ---- gzip around it ---- */

static uint32_t crc_of(const uint8_t *data, size_t bytes) {
    uint32_t table[256], crc = UINT32_MAX;

    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (unsigned bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
    }
    for (size_t i = 0; i < bytes; i++)
        crc = table[(crc ^ data[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}

/* A text with a zero at its end. */
static bool skip_text(struct inflating *in) {
    const uint8_t *end = memchr(in->data + in->at, 0, in->bytes - in->at);

    if (!end)
        return inflate_fail(in, "it ends too early");
    in->at = (size_t)(end - in->data) + 1;
    return true;
}

static bool take_header(struct inflating *in) {
    const uint8_t *header = in->data + in->at;
    size_t extra;

    if (in->bytes - in->at < HEADER_BYTES)
        return inflate_fail(in, "it ends too early");
    if (header[0] != 0x1f || header[1] != 0x8b || header[2] != 8 || header[3] & 0xe0)
        return inflate_fail(in, "no member of gzip begins here");
    in->at += HEADER_BYTES;
    if (header[3] & FLAG_EXTRA) {
        extra = in->bytes - in->at < 2 ? 0 : header[HEADER_BYTES] | (size_t)header[HEADER_BYTES + 1] << 8;
        if (in->bytes - in->at < 2 + extra)
            return inflate_fail(in, "it ends too early");
        in->at += 2 + extra;
    }
    if ((header[3] & FLAG_NAME && !skip_text(in)) || (header[3] & FLAG_COMMENT && !skip_text(in)))
        return false;
    if (header[3] & FLAG_CRC && in->bytes - in->at < 2)
        return inflate_fail(in, "it ends too early");
    in->at += header[3] & FLAG_CRC ? 2 : 0;
    return true;
}

static bool take_member(struct inflating *in) {
    const uint8_t *trailer;
    size_t size;

    in->begin = in->out->size;
    if (!take_header(in) || !take_blocks(in))
        return false;
    if (in->bytes - in->at < TRAILER_BYTES)
        return inflate_fail(in, "it ends too early");
    trailer = in->data + in->at;
    size = in->out->size - in->begin;
    if (load_le32(trailer) != crc_of(size ? in->out->data + in->begin : NULL, size) ||
        load_le32(trailer + 4) != (uint32_t)size)
        return inflate_fail(in, "the check of the data is wrong");
    in->at += TRAILER_BYTES;
    return true;
}

bool foreign_inflate(const uint8_t *data, size_t bytes, struct bytes *out, size_t *at, const char **reason) {
    struct inflating in = {.data = data, .bytes = bytes, .out = out};
    bool good = take_member(&in);

    while (good && in.at < bytes)
        good = take_member(&in);
    *at = in.at;
    *reason = in.reason;
    return good;
}
