/* SPDX-License-Identifier: MIT */
#include "face/common/runs.h"

#include <stdlib.h>
#include <string.h>

enum { LITERALS = 256, END = 256, SYMBOLS = 286, LENGTHS = 256 /* 3 to 258 */, TOKENS = LITERALS + 2 * LENGTHS };
enum { SHORTEST = 3, LONGEST = 258, PIXEL = 3, MOST_BITS = 15, TOKEN_BITS = 21 };
enum { OF_LENGTHS = 19, REPETITIONS = 3, ADLER = 65521, ADLER_BYTES = 5552 };

/* ---- bytes and bits ---- */

uint8_t *bytes_room(struct bytes *bytes, size_t more) {
    if (more > bytes->room - bytes->used) {
        size_t room = 2 * bytes->room + more;
        uint8_t *grown = realloc(bytes->data, room);
        bytes->failed |= !grown;
        if (!grown)
            return NULL;
        bytes->data = grown;
        bytes->room = room;
    }
    return bytes->data + bytes->used;
}

void bytes_add(struct bytes *bytes, const void *data, size_t count) {
    uint8_t *to = bytes_room(bytes, count);
    if (!to)
        return;
    memcpy(to, data, count);
    bytes->used += count;
}

/* Of at most 32. There is room. */
static inline void put_bits(struct runs *runs, uint32_t bits, unsigned count) {
    runs->bits |= (uint64_t)bits << runs->bit_count;
    runs->bit_count += count;
    if (runs->bit_count < 32)
        return;
    uint8_t *to = runs->to->data + runs->to->used;
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(runs->bits >> 8 * i);
    runs->to->used += 4;
    runs->bits >>= 32;
    runs->bit_count -= 32;
}

/* ---- a code ---- */

struct code {
    uint32_t count[SYMBOLS];
    uint8_t length[SYMBOLS];
    uint16_t bits[SYMBOLS]; /* the first one lowest */
};

struct leaf {
    uint32_t count;
    uint16_t symbol;
};

static int compare_leaves(const void *a, const void *b) {
    const struct leaf *one = a, *other = b;
    if (one->count != other->count)
        return one->count < other->count ? -1 : 1;
    return (int)one->symbol - (int)other->symbol;
}

/* Huffman's: the two rarest become one, until all are. The depth of the deepest. */
static unsigned find_lengths(struct code *code) {
    struct leaf leaf[SYMBOLS];
    uint32_t count[2 * SYMBOLS];
    uint16_t parent[2 * SYMBOLS];
    uint8_t depth[2 * SYMBOLS];
    unsigned leaves = 0, deepest = 0;

    for (unsigned symbol = 0; symbol < SYMBOLS; symbol++)
        if (code->count[symbol])
            leaf[leaves++] = (struct leaf){code->count[symbol], (uint16_t)symbol};
    qsort(leaf, leaves, sizeof leaf[0], compare_leaves);
    for (unsigned i = 0; i < leaves; i++)
        count[i] = leaf[i].count;
    unsigned next_leaf = 0, next_pair = leaves, nodes = leaves;
    for (; nodes < 2 * leaves - 1; nodes++) {
        count[nodes] = 0;
        for (unsigned side = 0; side < 2; side++) {
            bool is_leaf = next_leaf < leaves && (next_pair == nodes || count[next_leaf] <= count[next_pair]);
            unsigned child = is_leaf ? next_leaf++ : next_pair++;
            count[nodes] += count[child];
            parent[child] = (uint16_t)nodes;
        }
    }
    depth[nodes - 1] = 0;
    for (unsigned node = nodes - 1; node-- > 0;) {
        depth[node] = (uint8_t)(depth[parent[node]] + 1);
        if (node < leaves)
            code->length[leaf[node].symbol] = depth[node];
        deepest = depth[node] > deepest ? depth[node] : deepest;
    }
    return deepest;
}

/* Rare ones are counted as less rare until no code is too long. */
static void make_code(struct code *code) {
    uint16_t next[MOST_BITS + 2] = {0}, of_length[MOST_BITS + 1] = {0};

    while (find_lengths(code) > MOST_BITS)
        for (unsigned symbol = 0; symbol < SYMBOLS; symbol++)
            code->count[symbol] = (code->count[symbol] + 1) / 2;
    for (unsigned symbol = 0; symbol < SYMBOLS; symbol++)
        of_length[code->length[symbol]]++;
    of_length[0] = 0;
    for (unsigned length = 1; length <= MOST_BITS; length++)
        next[length + 1] = (uint16_t)((next[length] + of_length[length]) << 1);
    for (unsigned symbol = 0; symbol < SYMBOLS; symbol++) {
        uint16_t value = next[code->length[symbol]]++, bits = 0;
        for (unsigned i = 0; i < code->length[symbol]; i++, value >>= 1)
            bits = (uint16_t)(bits << 1 | (value & 1));
        code->bits[symbol] = bits;
    }
}

/*
 * ---- tokens ----
 *
 * A literal, or a run: LITERALS + its length - 3 if it repeats the byte before, and LENGTHS more if the pixel before.
 */

struct length {
    uint16_t symbol;
    uint8_t extra_bits, extra;
};

static struct length length_of(unsigned length) {
    unsigned above = length - SHORTEST, bits = 0;

    if (length == LONGEST)
        return (struct length){285, 0, 0};
    while (above >> bits >= 8)
        bits++;
    return (struct length){(uint16_t)(257 + 4 * bits + (above >> bits)), (uint8_t)bits,
                           (uint8_t)(above & ((1u << bits) - 1))};
}

static uint32_t load32(const uint8_t *data) {
    uint32_t value;
    memcpy(&value, data, sizeof value);
    return value;
}

static uint64_t load64(const uint8_t *data) {
    uint64_t value;
    memcpy(&value, data, sizeof value);
    return value;
}

/* How many bytes from `at` on are as those `distance` before. */
static size_t run_at(const uint8_t *data, size_t at, size_t bytes, size_t distance) {
    size_t length = 0;

    while (at + length + 8 <= bytes && load64(data + at + length) == load64(data + at + length - distance))
        length += 8;
    while (at + length < bytes && data[at + length] == data[at + length - distance])
        length++;
    return length;
}

static uint16_t *put_run(uint16_t *token, size_t run, unsigned kind) {
    for (size_t now; run; run -= now) {
        now = run < LONGEST ? run : LONGEST;
        /* What is left must not be too short. */
        if (run - now && run - now < SHORTEST)
            now -= SHORTEST;
        *token++ = (uint16_t)(LITERALS + kind * LENGTHS + now - SHORTEST);
    }
    return token;
}

static void find_tokens(struct runs *runs, const uint8_t *data, size_t bytes) {
    uint16_t *token = runs->token;
    size_t at = 0;

    for (; at < bytes && at < PIXEL; at++)
        *token++ = data[at];
    while (at + sizeof(uint32_t) <= bytes) {
        const uint32_t here = load32(data + at);
        const unsigned kind = here != load32(data + at - 1);
        if (!kind || here == load32(data + at - PIXEL)) {
            size_t run = run_at(data, at, bytes, kind ? PIXEL : 1);
            token = put_run(token, run, kind);
            at += run;
        } else {
            *token++ = data[at++];
        }
    }
    while (at < bytes)
        *token++ = data[at++];
    runs->tokens = (size_t)(token - runs->token);
}

/* ---- a block ---- */

static void count_symbols(const struct runs *runs, struct code *code) {
    uint32_t count[TOKENS] = {0};

    for (size_t i = 0; i < runs->tokens; i++)
        count[runs->token[i]]++;
    *code = (struct code){.count[END] = 1};
    memcpy(code->count, count, LITERALS * sizeof count[0]);
    for (unsigned length = SHORTEST; length <= LONGEST; length++)
        code->count[length_of(length).symbol] +=
            count[LITERALS + length - SHORTEST] + count[LITERALS + LENGTHS + length - SHORTEST];
}

/* Of lengths of codes, 0 to 15 have 4 bits each, and repetitions are not used. A distance of 1 or 3 has 1 bit. */
static void put_code(struct runs *runs, const struct code *code, bool last) {
    static const uint8_t reversed[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};

    put_bits(runs, last, 1);
    put_bits(runs, 2, 2);
    put_bits(runs, SYMBOLS - 257, 5);
    put_bits(runs, PIXEL - 1, 5);
    put_bits(runs, OF_LENGTHS - 4, 4);
    for (unsigned i = 0; i < OF_LENGTHS; i++)
        put_bits(runs, i < REPETITIONS ? 0 : 4, 3); /* these come first */
    for (unsigned symbol = 0; symbol < SYMBOLS; symbol++)
        put_bits(runs, reversed[code->length[symbol]], 4);
    for (unsigned distance = 0; distance < PIXEL; distance++)
        put_bits(runs, reversed[distance != 1], 4);
}

static void put_tokens(struct runs *runs, const struct code *code) {
    uint32_t bits[TOKENS];
    uint8_t count[TOKENS];

    for (unsigned literal = 0; literal < LITERALS; literal++) {
        bits[literal] = code->bits[literal];
        count[literal] = code->length[literal];
    }
    for (unsigned length = SHORTEST; length <= LONGEST; length++) {
        const struct length of = length_of(length);
        const unsigned token = LITERALS + length - SHORTEST, symbol_bits = code->length[of.symbol];
        const unsigned length_bits = symbol_bits + of.extra_bits;
        bits[token] = code->bits[of.symbol] | (uint32_t)of.extra << symbol_bits;
        bits[token + LENGTHS] = bits[token] | 1u << length_bits;
        count[token] = count[token + LENGTHS] = (uint8_t)(length_bits + 1);
    }
    for (size_t i = 0; i < runs->tokens; i++)
        put_bits(runs, bits[runs->token[i]], count[runs->token[i]]);
    put_bits(runs, code->bits[END], code->length[END]);
}

static void add_sums(struct runs *runs, const uint8_t *data, size_t bytes) {
    uint32_t a = runs->sums[0], b = runs->sums[1];

    while (bytes) {
        size_t now = bytes < ADLER_BYTES ? bytes : ADLER_BYTES, i = 0;
        for (; i + 16 <= now; i += 16) {
            uint32_t sum = 0, weighted = 0;
            for (unsigned j = 0; j < 16; j++) {
                sum += data[i + j];
                weighted += (16 - j) * data[i + j];
            }
            b += 16 * a + weighted;
            a += sum;
        }
        for (; i < now; i++)
            b += a += data[i];
        a %= ADLER;
        b %= ADLER;
        data += now;
        bytes -= now;
    }
    runs->sums[0] = a;
    runs->sums[1] = b;
}

void runs_begin(struct runs *runs, struct bytes *to) {
    static const uint8_t head[] = {0x78, 0x01};

    runs->to = to;
    runs->bits = 0;
    runs->bit_count = 0;
    runs->sums[0] = 1;
    runs->sums[1] = 0;
    bytes_add(to, head, sizeof head);
}

void runs_block(struct runs *runs, const uint8_t *data, size_t bytes, bool last) {
    struct code code;

    add_sums(runs, data, bytes);
    find_tokens(runs, data, bytes);
    count_symbols(runs, &code);
    make_code(&code);
    if (!bytes_room(runs->to, runs->tokens * TOKEN_BITS / 8 + 4 * SYMBOLS))
        return;
    put_code(runs, &code, last);
    put_tokens(runs, &code);
}

void runs_end(struct runs *runs) {
    uint8_t rest[8];
    unsigned bytes = (runs->bit_count + 7) / 8;

    for (unsigned i = 0; i < bytes; i++)
        rest[i] = (uint8_t)(runs->bits >> 8 * i);
    for (unsigned i = 0; i < 4; i++)
        rest[bytes + i] = (uint8_t)(runs->sums[i < 2] >> (i % 2 ? 0 : 8));
    bytes_add(runs->to, rest, bytes + 4);
}
