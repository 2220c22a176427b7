/* SPDX-License-Identifier: MIT */
/*
 * Samples of 2D textures whose components are 8 bits, unsigned and normalised or sRGB, without borders, comparisons or
 * offsets.
 * Steps are done for all lanes, also for those without a request, which take the place of one that has.
 *
 *   coordinates --> neighbours, offsets (rows.h) --> words of four texels --> sums of bytes --> values
 *
 * The sums are of integers, and still give every bit that sums of the bytes' floats give in doubles:
 *
 *   The float nearest to b / 255 has the first 24 bits of b's eight bits, repeated without end. The 25th is 1 again, as
 *   the first is, so that it is rounded up: b * 0x808080 + (the highest bit of b), in 1/2^31.
 *   One level: weights are multiples of 1/2^16, so that each sum of products is one of 1/2^47, and at most 1. A double
 *   holds it, whatever the order. The bytes times weights come to less than 2^24, and so do their highest bits.
 *   Values of sRGB are multiples of 1/2^35, and their sums of 1/2^51: doubles hold these, too.
 *   Two levels: weights have 8 bits more. Sums round, and their order counts: of eight products seven times, by half a
 *   unit of the last bit at most. Here it is three times. The float that they become is the same unless they are within
 *   five such units of the middle of two floats. Lanes where they are, are left to be done again in order.
 */
#include "engine/texture/sample_plain.h"
#include "engine/texture/wide.h"

#include <assert.h>
#include <string.h>

#include "memory/memory.h"

#define INLINE static inline __attribute__((always_inline))

#define LAST_WRAP TEXEL_EDGE /* of the modes that are plain */
#define UNIT      0x1p-47    /* of sums */
#define BYTE      (0x808080 * UNIT)
#define UNITS     16u /* a double so near to the middle of two floats is not taken */

typedef double values[4][TEXTURE_LANES] __attribute__((aligned(64)));

struct plain {
    struct texel_reader *reader;
    const struct sample_rows *rows;
    uint64_t base; /* of the layer */
    uint32_t lanes;
    const double *at[2]; /* rows */
};

INLINE bool lane_is_in(uint32_t lanes, unsigned i) {
    return lanes >> i & 1;
}

/* ---- what is plain ---- */

static bool is_plain(const struct texel_reader *reader, const struct sample_rows *rows) {
    const struct texture_sampler *sampler = reader->sampler;
    const uint32_t *const *offset = rows->request->offset;
    bool plain = reader->bytes_only && rows->axes == 2 && !rows->cube && !rows->request->shadow &&
                 sampler->wrap[0] <= LAST_WRAP && sampler->wrap[1] <= LAST_WRAP && !offset[0] && !offset[1];
    for (unsigned c = 0; c < 4 && plain; c++)
        plain = reader->shift[c] % 8 == 0;
    return plain;
}

/* Coordinates of one axis. */
INLINE const double *filled_row(const double *from, unsigned filled, uint32_t lanes, double *copy) {
    if (lanes == UINT32_MAX)
        return from;
    memcpy(copy, from, sizeof(rows_doubles));
    for (uint32_t left = ~lanes; left; left &= left - 1)
        copy[__builtin_ctz(left)] = from[filled];
    return copy;
}

static bool same_layer(const uint32_t *layer, unsigned filled, uint32_t lanes) {
    uint32_t other = 0;
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        other |= lane_is_in(lanes, i) ? layer[i] ^ layer[filled] : 0;
    return !other;
}

/* ---- words ---- */

INLINE void range_row(const uint32_t *offset, uint32_t *low, uint32_t *high) {
    for (unsigned i = 0; i < TEXTURE_LANES; i++) {
        *low = offset[i] < *low ? offset[i] : *low;
        *high = offset[i] > *high ? offset[i] : *high;
    }
}

/* Where the first texel of a footprint begins, and the last one, at most. */
INLINE void range_of(const struct rows_axis axis[2], unsigned each, uint32_t *first, uint32_t *last) {
    *first = *last = 0;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t low = UINT32_MAX, high = 0;
        for (unsigned k = 0; k < each; k++)
            range_row(axis[i].offset[k], &low, &high);
        *first += low;
        *last += high;
    }
}

INLINE void gather_row(const uint8_t *memory, const uint32_t *offset, unsigned bytes, uint32_t *out) {
#pragma GCC unroll 8
    for (unsigned i = 0; i < TEXTURE_LANES; i++) {
        uint8_t word[4] = {0};
        memcpy(word, memory + offset[i], bytes);
        out[i] = load_le32(word);
    }
}

/* Of lanes, the ones whose texel `which` has a weight. */
static uint32_t counted(const struct rows_axis axis[2], unsigned which, uint32_t lanes) {
    return lanes & (which & 1 ? axis[0].mixed : UINT32_MAX) & (which & 2 ? axis[1].mixed : UINT32_MAX);
}

/* Memory in a piece is read for all lanes at once; else what has a weight, in the order of sample_rows(). */
INLINE void read_words(const struct plain *plain, const struct sample_rows_part *part, const struct rows_axis axis[2],
                       texture_row word[4]) {
    struct texel_reader *reader = plain->reader;
    const unsigned each = part->linear ? 2 : 1, bytes = reader->view->format->bytes;
    const uint64_t base = plain->base + reader->view->level[part->level].offset;
    uint32_t first, last;
    range_of(axis, each, &first, &last);
    const uint8_t *memory = reader->memory->whole ? reader->memory->whole(reader->memory->opaque, base + first,
                                                                          (uint64_t)last - first + bytes)
                                                  : NULL;
    for (unsigned which = 0; which < each * each; which++) {
        const uint32_t lanes = counted(axis, which, part->first | part->second);
        texture_row offset;
        for (unsigned i = 0; i < TEXTURE_LANES; i++)
            offset[i] = axis[0].offset[which & 1][i] + axis[1].offset[which >> 1][i] - (memory ? first : 0);
        reader->read += reader->weight * (unsigned)__builtin_popcount(lanes);
        if (!memory) {
            memset(word[which], 0, sizeof word[which]);
            texel_words(reader, base, offset, lanes, word[which]);
        } else if (bytes == 4) {
            gather_row(memory, offset, 4, word[which]);
        } else if (bytes == 2) {
            gather_row(memory, offset, 2, word[which]);
        } else {
            gather_row(memory, offset, 1, word[which]);
        }
    }
}

/* ---- sums ---- */

/* Of each byte. */
INLINE uint32_t highest_bits(uint32_t word) {
    word |= word >> 1 & 0x7f7f7f7f;
    word |= word >> 2 & 0x3f3f3f3f;
    word |= word >> 4 & 0x0f0f0f0f;
    return word ^ (word >> 1 & 0x7f7f7f7f);
}

/* From a to b, times 256. Of two numbers in the halves of a word, too: neither becomes more than it can hold. */
INLINE uint32_t between(uint32_t a, uint32_t b, uint32_t weight) {
    return (a << 8) + (b - a) * weight;
}

/* Bytes 0 and 2 of the words, or 1 and 3. */
INLINE void sum_bytes(const texture_row word[4], unsigned shift, const uint32_t *across, const uint32_t *down,
                      uint32_t *low, uint32_t *high) {
    for (unsigned i = 0; i < TEXTURE_LANES; i++) {
        const uint32_t above = between(word[0][i] >> shift & 0xff00ff, word[1][i] >> shift & 0xff00ff, across[i]);
        const uint32_t below = between(word[2][i] >> shift & 0xff00ff, word[3][i] >> shift & 0xff00ff, across[i]);
        low[i] = between(above & 0xffff, below & 0xffff, down[i]);
        high[i] = between(above >> 16, below >> 16, down[i]);
    }
}

INLINE void sum_words(const texture_row word[4], const struct rows_axis axis[2], texture_row sum[4]) {
    for (unsigned k = 0; k < 2; k++)
        sum_bytes(word, 8 * k, axis[0].weight, axis[1].weight, sum[k], sum[k + 2]);
}

/* A component of a texel, as a float. */
INLINE void look_up(const struct texel_reader *reader, unsigned c, const uint32_t *word, float *out) {
    const uint32_t *table = reader->table[c];
    const unsigned shift = reader->shift[c];
    texture_row index;
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        index[i] = word[i] >> shift & 255;
#pragma GCC unroll 8
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        memcpy(&out[i], &table[index[i]], sizeof out[i]);
}

INLINE void sum_curved(const struct texel_reader *reader, unsigned c, const texture_row word[4],
                       const struct rows_axis axis[2], double *out) {
    float texel[4][TEXTURE_LANES] __attribute__((aligned(64)));
    for (unsigned which = 0; which < 4; which++)
        look_up(reader, c, word[which], texel[which]);
    for (unsigned i = 0; i < TEXTURE_LANES; i++) {
        const double x = (int32_t)axis[0].weight[i], y = (int32_t)axis[1].weight[i];
        const double above = (double)texel[0][i] * (256 - x) + (double)texel[1][i] * x;
        const double below = (double)texel[2][i] * (256 - x) + (double)texel[3][i] * x;
        out[i] = (above * (256 - y) + below * y) / 65536;
    }
}

INLINE bool is_in(uint8_t components, unsigned c) {
    return components >> c & 1;
}

INLINE void linear_values(const struct texel_reader *reader, const texture_row word[4], const struct rows_axis axis[2],
                          values out) {
    texture_row top[4], sum[4], top_sum[4];
    for (unsigned which = 0; which < 4; which++)
        for (unsigned i = 0; i < TEXTURE_LANES; i++)
            top[which][i] = highest_bits(word[which][i]);
    sum_words(word, axis, sum);
    sum_words(top, axis, top_sum);
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t *all = sum[reader->shift[c] / 8], *tops = top_sum[reader->shift[c] / 8];
        if (is_in(reader->curved, c)) {
            sum_curved(reader, c, word, axis, out[c]);
            continue;
        }
        for (unsigned i = 0; i < TEXTURE_LANES && !is_in(reader->constant, c); i++)
            out[c][i] = (int32_t)all[i] * BYTE + (int32_t)tops[i] * UNIT;
    }
}

INLINE void nearest_values(const struct texel_reader *reader, const uint32_t *word, values out) {
    for (unsigned c = 0; c < 4; c++) {
        const unsigned shift = reader->shift[c];
        float texel[TEXTURE_LANES] __attribute__((aligned(64)));
        if (is_in(reader->constant, c))
            continue;
        if (is_in(reader->curved, c))
            look_up(reader, c, word, texel);
        else
            for (unsigned i = 0; i < TEXTURE_LANES; i++)
                texel[i] = (float)(int32_t)(word[i] >> shift & 255) / 255;
        for (unsigned i = 0; i < TEXTURE_LANES; i++)
            out[c][i] = (double)texel[i];
    }
}

/* ---- levels ---- */

INLINE void take_values(const values from, uint32_t lanes, values to) {
    for (uint32_t left = lanes; left; left &= left - 1)
        for (unsigned c = 0; c < 4; c++)
            to[c][__builtin_ctz(left)] = from[c][__builtin_ctz(left)];
}

INLINE void sample_part(const struct plain *plain, const struct sample_rows_part *part, values first, values second) {
    const struct texture_view *view = plain->reader->view;
    const struct texture_sampler *sampler = plain->reader->sampler;
    const struct texture_level *level = &view->level[part->level];
    struct rows_axis axis[2];
    texture_row word[4];
    values here;
    for (unsigned a = 0; a < 2; a++) {
        rows_doubles at;
        const double scale = texel_scale(view, sampler, part->level, a);
        for (unsigned i = 0; i < TEXTURE_LANES; i++)
            at[i] = plain->at[a][i] * scale;
        rows_axis(sampler->wrap[a], at, level->size[a], part->linear, part->first | part->second, &axis[a]);
    }
    rows_offsets(view, part->level, 2, part->linear, axis);
    read_words(plain, part, axis, word);
    double(*const to)[TEXTURE_LANES] = part->first == plain->lanes    ? first
                                       : part->second == plain->lanes ? second
                                                                      : here;
    if (part->linear)
        linear_values(plain->reader, word, axis, to);
    else
        nearest_values(plain->reader, word[0], to);
    if (to != here)
        return;
    take_values(here, part->first, first);
    take_values(here, part->second, second);
}

INLINE bool is_near_middle(double value) {
    const uint64_t below = (UINT64_C(1) << 29) - 1, middle = UINT64_C(1) << 28;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return ((bits - middle + UNITS) & below) <= 2 * UNITS;
}

INLINE uint32_t mix(const struct plain *plain, values first, const values second) {
    const uint32_t *weight = plain->rows->weight;
    uint64_t any = 0;
    uint32_t again = 0;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < TEXTURE_LANES && !is_in(plain->reader->constant, c); i++) {
            const double part = (int32_t)weight[i] / 256.0;
            first[c][i] = first[c][i] * (1 - part) + second[c][i] * part;
            any |= is_near_middle(first[c][i]);
        }
    for (unsigned i = 0; any && i < TEXTURE_LANES; i++)
        for (unsigned c = 0; c < 4; c++)
            again |= !is_in(plain->reader->constant, c) && is_near_middle(first[c][i]) ? 1u << i : 0;
    return again & plain->lanes & plain->rows->mixed & plain->rows->linear;
}

/* ---- all of it ---- */

INLINE void store(const struct plain *plain, const values value, texture_row out[4]) {
    const struct texel_reader *reader = plain->reader;
    for (unsigned c = 0; c < 4; c++) {
        float row[TEXTURE_LANES];
        for (unsigned i = 0; i < TEXTURE_LANES && !is_in(reader->constant, c); i++)
            row[i] = (float)value[c][i];
        for (unsigned i = 0; i < TEXTURE_LANES && is_in(reader->constant, c); i++)
            memcpy(&row[i], &reader->table[c][0], sizeof row[i]);
        if (plain->lanes == UINT32_MAX)
            memcpy(out[c], row, sizeof out[c]);
        for (uint32_t left = plain->lanes == UINT32_MAX ? 0 : plain->lanes; left; left &= left - 1)
            memcpy(&out[c][__builtin_ctz(left)], &row[__builtin_ctz(left)], sizeof row[0]);
    }
}

INLINE uint32_t sample_levels(const struct plain *plain, texture_row out[4]) {
    const struct sample_rows *rows = plain->rows;
    values first, second;
    uint32_t again = 0, have_first = 0, have_second = 0;
    for (unsigned level = 0; level < TEXTURE_LEVELS; level++)
        for (unsigned linear = 0; linear < 2 && (rows->level[level] | rows->next[level]); linear++) {
            const uint32_t those = plain->lanes & (linear ? rows->linear : ~rows->linear);
            const struct sample_rows_part part = {level, linear, rows->level[level] & those, rows->next[level] & those};
            if (!(part.first | part.second))
                continue;
            if (part.first && part.first != plain->lanes && !have_first)
                memset(first, 0, sizeof first);
            if (part.second && part.second != plain->lanes && !have_second) /* others have no second level */
                memset(second, 0, sizeof second);
            have_first |= part.first;
            have_second |= part.second;
            sample_part(plain, &part, first, second);
        }
    if (rows->mixed)
        again = mix(plain, first, second);
    store(plain, first, out);
    return again;
}

INLINE bool sample(struct texel_reader *reader, const struct sample_rows *rows, uint32_t lanes, texture_row out[4],
                   uint32_t *again) {
    const struct texture_view *view = reader->view;
    const unsigned filled = (unsigned)__builtin_ctz(lanes);
    struct plain plain = {.reader = reader, .rows = rows, .lanes = lanes};
    rows_doubles copy[2];
    plain.base = view->address + (rows->has_layers ? rows->layer[filled] * view->layer_bytes : 0);
    if (rows->has_layers && !same_layer(rows->layer, filled, lanes))
        return false;
    for (unsigned axis = 0; axis < 2; axis++)
        plain.at[axis] = filled_row(rows->at[axis], filled, lanes, copy[axis]);
    *again = sample_levels(&plain, out);
    return true;
}

static bool sample_base(struct texel_reader *reader, const struct sample_rows *rows, uint32_t lanes, texture_row out[4],
                        uint32_t *again) {
    return sample(reader, rows, lanes, out, again);
}

TEXTURE_WIDE static bool sample_wide(struct texel_reader *reader, const struct sample_rows *rows, uint32_t lanes,
                                     texture_row out[4], uint32_t *again) {
    return sample(reader, rows, lanes, out, again);
}

bool sample_plain(struct texel_reader *reader, const struct sample_rows *rows, uint32_t lanes, texture_row out[4],
                  uint32_t *again) {
    if (!lanes || !is_plain(reader, rows))
        return false;
    return texture_has_wide() ? sample_wide(reader, rows, lanes, out, again)
                              : sample_base(reader, rows, lanes, out, again);
}
