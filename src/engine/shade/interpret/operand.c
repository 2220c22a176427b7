/* SPDX-License-Identifier: MIT */
/* Sources as rows, and rows to destinations. */
#include <string.h>

#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/value.h"

#define BIT4(n) 1u << (n), 2u << (n), 4u << (n), 8u << (n)
const uint32_t shade_bit[SHADE_LANES] = {BIT4(0), BIT4(4), BIT4(8), BIT4(12), BIT4(16), BIT4(20), BIT4(24), BIT4(28)};

static void fill(uint32_t *row, uint32_t value) {
    for (unsigned i = 0; i < SHADE_LANES; i++)
        row[i] = value;
}

uint32_t shade_constant(const struct shade_warp *warp, unsigned bank, uint32_t offset, unsigned bytes) {
    uint32_t value = 0;
    if (bank < SHADE_BANKS) {
        const struct shade_constants *constants = &warp->io->constants[bank];
        if (constants->bytes >= bytes && offset <= constants->bytes - bytes)
            memcpy(&value, constants->data + offset, bytes);
    }
    return value;
}

const uint32_t *shade_block(const struct shade_warp *warp, unsigned number, unsigned word) {
    bool zero = number == IR_ZERO || number + word > IR_ZERO;
    return warp->registers[zero ? IR_ZERO : number + word];
}

/* Word `word` of the source, without modifiers. */
static const uint32_t *plain(const struct shade_warp *warp, const struct ir_source *source, unsigned word,
                             uint32_t *room) {
    switch (source->kind) {
    case IR_REGISTER:
        return shade_block(warp, source->value & 0xff, word);
    case IR_CONSTANT:
        fill(room, shade_constant(warp, source->bank, source->value + 4 * word, 4));
        return room;
    case IR_IMMEDIATE:
        fill(room, word ? 0 : source->value);
        return room;
    default:
        return warp->registers[IR_ZERO];
    }
}

const uint32_t *shade_bits(const struct shade_warp *warp, const struct ir_source *source, uint32_t *room) {
    const uint32_t *row = plain(warp, source, 0, room);
    if (!source->invert)
        return row;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        room[i] = ~row[i];
    return room;
}

const uint32_t *shade_float(const struct shade_warp *warp, const struct ir_source *source, uint32_t *room) {
    const uint32_t *row = plain(warp, source, 0, room);
    if (!source->absolute && !source->negate)
        return row;
    uint32_t keep = source->absolute ? 0x7fffffff : SHADE_ALL, flip = source->negate ? 0x80000000 : 0;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        room[i] = (row[i] & keep) ^ flip;
    return room;
}

static const uint32_t *signs(const struct ir_source *source, const uint32_t *row, uint32_t *room) {
    if (source->absolute) {
        for (unsigned i = 0; i < SHADE_LANES; i++)
            room[i] = row[i] & 0x80000000 ? 0 - row[i] : row[i];
        row = room;
    }
    if (source->negate) {
        for (unsigned i = 0; i < SHADE_LANES; i++)
            room[i] = 0 - row[i];
        row = room;
    }
    return row;
}

const uint32_t *shade_part(const struct shade_warp *warp, const struct ir_source *source, unsigned type,
                           uint32_t *room) {
    const uint32_t *row = plain(warp, source, 0, room);
    unsigned part = source->part;
    if (part == IR_WHOLE && (type == IR_U8 || type == IR_S8))
        part = IR_BYTE0;
    if (part == IR_WHOLE && (type == IR_U16 || type == IR_S16 || type == IR_F16))
        part = IR_HALF0;
    if (part == IR_WHOLE || part == IR_FLOAT)
        return row;
    bool byte = part <= IR_BYTE3;
    /* The second half of a 16-bit value may be named by its byte. */
    if (byte && (type == IR_U16 || type == IR_S16 || type == IR_F16)) {
        part = part >= IR_BYTE2 ? IR_HALF1 : IR_HALF0;
        byte = false;
    }
    bool is_signed = type < IR_B96 && type & 1;
    unsigned shift = byte ? 8 * (part - IR_BYTE0) : part == IR_HALF1 ? 16 : 0;
    uint32_t mask = byte ? 0xff : 0xffff, top = is_signed ? byte ? 0x80 : 0x8000 : 0;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        room[i] = ((row[i] >> shift & mask) ^ top) - top;
    return room;
}

const uint32_t *shade_integer(const struct shade_warp *warp, const struct ir_source *source, uint32_t *room) {
    return signs(source, shade_bits(warp, source, room), room);
}

void shade_bits64(const struct shade_warp *warp, const struct ir_source *source, bool high, uint64_t *out) {
    if (source->kind == IR_IMMEDIATE) {
        uint64_t value = high ? (uint64_t)source->value << 32 : (uint64_t)(int64_t)(int32_t)source->value;
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] = value;
        return;
    }
    shade_row room, room_high;
    const uint32_t *low = plain(warp, source, 0, room);
    const uint32_t *upper = plain(warp, source, 1, room_high);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = (uint64_t)upper[i] << 32 | low[i];
}

void shade_double(const struct shade_warp *warp, const struct ir_source *source, double *out) {
    uint64_t bits[SHADE_LANES];
    shade_bits64(warp, source, true, bits);
    uint64_t keep = source->absolute ? INT64_MAX : UINT64_MAX, flip = source->negate ? UINT64_C(1) << 63 : 0;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = shade_f64((bits[i] & keep) ^ flip);
}

void shade_write(struct shade_warp *warp, unsigned number, uint32_t lanes, const uint32_t *row) {
    if (number >= IR_ZERO)
        return;
    uint32_t *to = warp->registers[number];
    if (lanes == SHADE_ALL) {
        memcpy(to, row, sizeof(shade_row));
        return;
    }
    for (unsigned i = 0; i < SHADE_LANES; i++)
        to[i] = lanes & shade_bit[i] ? row[i] : to[i];
}

void shade_write_block(struct shade_warp *warp, unsigned number, unsigned word, uint32_t lanes, const uint32_t *row) {
    shade_write(warp, number == IR_ZERO ? IR_ZERO : number + word, lanes, row);
}

void shade_write64(struct shade_warp *warp, unsigned number, uint32_t lanes, const uint64_t *row) {
    shade_row low, high;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        low[i] = (uint32_t)row[i];
        high[i] = (uint32_t)(row[i] >> 32);
    }
    shade_write_block(warp, number, 0, lanes, low);
    shade_write_block(warp, number, 1, lanes, high);
}

void shade_write_predicate(struct shade_warp *warp, unsigned number, uint32_t lanes, uint32_t value) {
    if (number < IR_TRUE)
        warp->predicates[number] = (warp->predicates[number] & ~lanes) | (value & lanes);
}

void shade_spread(uint32_t mask, uint32_t yes, uint32_t *out) {
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = mask & shade_bit[i] ? yes : 0;
}

static void merge(uint32_t *flag, uint32_t lanes, uint32_t value) {
    *flag = (*flag & ~lanes) | (value & lanes);
}

void shade_flags(struct shade_warp *warp, uint32_t lanes, const uint32_t *row, uint32_t carry, uint32_t overflow) {
    uint32_t zero = 0, sign = 0;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        zero |= row[i] ? 0 : shade_bit[i];
        sign |= row[i] >> 31 ? shade_bit[i] : 0;
    }
    merge(&warp->zero, lanes, zero);
    merge(&warp->sign, lanes, sign);
    merge(&warp->carry, lanes, carry);
    merge(&warp->overflow, lanes, overflow);
}

void shade_flags_float(struct shade_warp *warp, uint32_t lanes, const uint32_t *row) {
    uint32_t zero = 0, sign = 0;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        bool nan = (row[i] & 0x7fffffff) > 0x7f800000, null = !(row[i] & 0x7fffffff);
        zero |= null || nan ? shade_bit[i] : 0;
        sign |= nan || (row[i] >> 31 && !null) ? shade_bit[i] : 0;
    }
    merge(&warp->zero, lanes, zero);
    merge(&warp->sign, lanes, sign);
    merge(&warp->carry, lanes, 0);
    merge(&warp->overflow, lanes, 0);
}

uint32_t shade_p(const struct shade_warp *warp, const struct ir *ir) {
    uint32_t p = warp->predicates[ir->combine_predicate & 7];
    return ir->combine_negate ? ~p : p;
}

uint32_t shade_combine(unsigned combine, uint32_t m, uint32_t p) {
    switch (combine) {
    case IR_OR:
        return m | p;
    case IR_XOR:
        return m ^ p;
    case IR_PASS_B:
        return p;
    default:
        return m & p;
    }
}

void shade_set(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, uint32_t m) {
    shade_row out;
    shade_spread(shade_combine(ir->combine, m, shade_p(warp, ir)), ir->float_true ? 0x3f800000 : SHADE_ALL, out);
    if (ir->write_flags && ir->float_true)
        shade_flags_float(warp, lanes, out);
    else if (ir->write_flags)
        shade_flags(warp, lanes, out, 0, 0);
    shade_write(warp, ir->d, lanes, out);
}

void shade_setp(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, uint32_t m) {
    uint32_t p = shade_p(warp, ir); /* the old one, for both */
    shade_write_predicate(warp, ir->p, lanes, shade_combine(ir->combine, m, p));
    shade_write_predicate(warp, ir->q, lanes, shade_combine(ir->combine, ~m, p));
}
