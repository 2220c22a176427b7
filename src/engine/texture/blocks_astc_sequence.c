/* SPDX-License-Identifier: MIT */
/* ASTC's bounded integer sequences, and what their values mean: Khronos Data Format Specification 1.3, 23.11 to 23.17.
 */
#include "engine/texture/blocks.h"

#include <assert.h>

/*
 * Five trits share 8 bits, three quints 7; the bits of each value come first, then a part of what is shared.
 */
static const struct shared {
    uint8_t values, bits, before[6]; /* shared bits in front of the bits of value i */
} trits = {5, 8, {0, 2, 4, 5, 7, 8}}, quints = {3, 7, {0, 3, 5, 7}};

static const struct shared *shared_of(struct astc_range range) {
    assert(!range.trits != !range.quints);
    return range.trits ? &trits : &quints;
}

unsigned astc_sequence_bits(struct astc_range range, unsigned count) {
    unsigned bits = count * range.bits;
    if (range.trits || range.quints) {
        const struct shared *shared = shared_of(range);
        bits += (count * shared->bits + shared->values - 1) / shared->values;
    }
    return bits;
}

static uint32_t field(const struct astc_sequence *sequence, unsigned at, unsigned count) {
    if (at >= sequence->end)
        return 0;
    return block_field(sequence->bits, at, count < sequence->end - at ? count : sequence->end - at);
}

static unsigned trit_of(unsigned t, unsigned place) {
    unsigned c = t & 31, digit[5];
    assert(t < 256 && place < 5);
    if ((t >> 2 & 7) == 7) {
        c = t >> 5 << 2 | (t & 3);
        digit[3] = digit[4] = 2;
    } else if ((t >> 5 & 3) == 3) {
        digit[4] = 2;
        digit[3] = t >> 7;
    } else {
        digit[4] = t >> 7;
        digit[3] = t >> 5 & 3;
    }
    if ((c & 3) == 3) {
        digit[2] = 2;
        digit[1] = c >> 4;
        digit[0] = (c >> 2 & 2) | (c >> 2 & ~(c >> 3) & 1);
    } else if ((c >> 2 & 3) == 3) {
        digit[2] = digit[1] = 2;
        digit[0] = c & 3;
    } else {
        digit[2] = c >> 4;
        digit[1] = c >> 2 & 3;
        digit[0] = (c & 2) | (c & ~(c >> 1) & 1);
    }
    return digit[place];
}

static unsigned quint_of(unsigned q, unsigned place) {
    unsigned c = q & 31, digit[3];
    assert(q < 128 && place < 3);
    if ((q >> 1 & 3) == 3 && (q >> 5 & 3) == 0) {
        digit[2] = (q & 1) << 2 | (q & 1 ? 0 : q >> 3 & 3);
        digit[1] = digit[0] = 4;
        return digit[place];
    }
    digit[2] = q >> 5 & 3;
    if ((q >> 1 & 3) == 3) {
        digit[2] = 4;
        c = (q >> 3 & 3) << 3 | (~(q >> 5) & 3) << 1 | (q & 1);
    }
    const bool five = (c & 7) == 5;
    digit[1] = five ? 4 : c >> 3 & 3;
    digit[0] = five ? c >> 3 & 3 : c & 7;
    return digit[place];
}

unsigned astc_value(const struct astc_sequence *sequence, unsigned number) {
    const struct astc_range range = sequence->range;
    if (!range.trits && !range.quints)
        return field(sequence, sequence->at + number * range.bits, range.bits);
    const struct shared *shared = shared_of(range);
    const unsigned n = range.bits, group = number / shared->values, place = number % shared->values;
    const unsigned at = sequence->at + group * (shared->bits + shared->values * n);
    unsigned packed = 0;
    for (unsigned i = 0; i < shared->values; i++) {
        const unsigned before = shared->before[i];
        packed |= field(sequence, at + (i + 1) * n + before, shared->before[i + 1] - before) << before;
    }
    const unsigned low = field(sequence, at + place * n + shared->before[place], n);
    return (range.trits ? trit_of(packed, place) : quint_of(packed, place)) << n | low;
}

static unsigned replicated(unsigned value, unsigned bits, unsigned to) {
    unsigned wide = 0;
    assert(bits > 0 && bits <= to);
    for (int shift = (int)to - (int)bits; shift > -(int)bits; shift -= (int)bits)
        wide |= shift >= 0 ? value << shift : value >> -shift;
    return wide;
}

unsigned astc_weight(struct astc_range range, unsigned value) {
    static const uint8_t scale_trits[4] = {0, 50, 23, 11}, scale_quints[4] = {0, 28, 13};
    const unsigned n = range.bits & 3, high = value >> 1 & 3, flip = value & 1 ? 0x7f : 0;
    unsigned weight = 0, spread = 0;
    if (!range.trits && !range.quints) {
        weight = replicated(value, range.bits, 6);
    } else if (n == 0) {
        return value * (range.trits ? 32 : 16);
    } else {
        if (n == 2)
            spread = high & 1 ? (range.trits ? 0x45 : 0x42) : 0;
        else if (n == 3)
            spread = high | high << 5;
        const unsigned t = ((value >> n) * (range.trits ? scale_trits : scale_quints)[n] + spread) ^ flip;
        weight = (flip & 0x20) | t >> 2;
    }
    return weight > 32 ? weight + 1 : weight;
}

/* The bits of a value above its lowest, spread over nine. */
static unsigned spread_trits(unsigned high, unsigned bits) {
    switch (bits) {
    case 2:
        return high ? 0x116 : 0;
    case 3:
        return high | high << 2 | high << 7;
    case 4:
        return high | high << 6;
    case 5:
        return high >> 2 | high << 5;
    case 6:
        return high >> 4 | high << 4;
    default:
        return 0;
    }
}

static unsigned spread_quints(unsigned high, unsigned bits) {
    switch (bits) {
    case 2:
        return high ? 0x10c : 0;
    case 3:
        return high >> 1 | high << 1 | high << 7;
    case 4:
        return high >> 1 | high << 6;
    case 5:
        return high >> 4 | high << 5;
    default:
        return 0;
    }
}

unsigned astc_component(struct astc_range range, unsigned value) {
    static const uint8_t scale_trits[7] = {0, 204, 93, 44, 22, 11, 5}, scale_quints[6] = {0, 113, 54, 26, 13, 6};
    const unsigned n = range.bits;
    if (!range.trits && !range.quints)
        return replicated(value, n, 8);
    assert(n >= 1 && n < (range.trits ? sizeof scale_trits : sizeof scale_quints));
    const unsigned high = value >> 1 & ((1u << (n - 1)) - 1), flip = value & 1 ? 0x1ff : 0;
    const unsigned spread = range.trits ? spread_trits(high, n) : spread_quints(high, n);
    const unsigned scale = range.trits ? scale_trits[n] : scale_quints[n];
    const unsigned t = ((value >> n) * scale + spread) ^ flip;
    return (flip & 0x80) | t >> 2;
}
