/* SPDX-License-Identifier: MIT */
/* Moves, logic, shifts and fields of bits. */
#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/value.h"

bool shade_nop(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    (void)warp, (void)ir, (void)lanes;
    return true;
}

bool shade_mov(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room;
    shade_write(warp, ir->d, lanes & (ir->mask & 15) * 0x11111111u, shade_bits(warp, &ir->a, room));
    return true;
}

bool shade_sel(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    uint32_t p = shade_p(warp, ir);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = p & shade_bit[i] ? a[i] : b[i];
    shade_write(warp, ir->d, lanes, out);
    return true;
}

/* The bytes that the modes of PRMT take, for the low two bits of the selector; 0..7 in {c:a}. */
static uint32_t permuted(uint64_t pool, uint32_t selector, unsigned mode) {
    uint32_t value = 0, n = selector & 3;
    for (unsigned i = 0; i < 4; i++) {
        unsigned nibble = selector >> (4 * i) & 15, from;
        switch (mode) {
        case 1:
            from = n + i;
            break;
        case 2:
            from = (n - i) & 7;
            break;
        case 3:
            from = n;
            break;
        case 4:
            from = i > n ? i : n;
            break;
        case 5:
            from = i < n ? i : n;
            break;
        case 6:
            from = 2 * (n & 1) + (i & 1);
            break;
        default:
            from = nibble & 7;
            break;
        }
        uint32_t byte = pool >> (8 * from) & 0xff;
        if (mode == 0 && nibble & 8)
            byte = byte & 0x80 ? 0xff : 0;
        value |= byte << (8 * i);
    }
    return value;
}

bool shade_prmt(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, room_c, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    const uint32_t *c = shade_bits(warp, &ir->c, room_c);
    if (ir->mode > 6)
        return shade_not_executed(warp, ir, lanes);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = permuted((uint64_t)c[i] << 32 | a[i], b[i], ir->mode);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

/* The predicates (without the one that is true), or Z, S, C, V. */
static unsigned masks_of(struct shade_warp *warp, bool flags, uint32_t *masks[8]) {
    if (flags) {
        masks[0] = &warp->zero;
        masks[1] = &warp->sign;
        masks[2] = &warp->carry;
        masks[3] = &warp->overflow;
        return 4;
    }
    for (unsigned i = 0; i < IR_TRUE; i++)
        masks[i] = &warp->predicates[i];
    return IR_TRUE;
}

bool shade_p2r(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    uint32_t *masks[8];
    unsigned count = masks_of(warp, ir->extended, masks), shift = 8 * (ir->mode & 3);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t values = 0;
        for (unsigned k = 0; k < count; k++)
            values |= (*masks[k] >> i & 1) << k;
        out[i] = (a[i] & ~(b[i] << shift)) | (values & b[i]) << shift;
    }
    shade_write(warp, ir->d, lanes, out);
    return true;
}

bool shade_r2p(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    uint32_t *masks[8];
    unsigned count = masks_of(warp, ir->extended, masks), shift = 8 * (ir->mode & 3);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        for (unsigned k = 0; k < count; k++)
            if (lanes & b[i] >> k << i & shade_bit[i])
                *masks[k] = (*masks[k] & ~shade_bit[i]) | (a[i] >> (shift + k) & 1) << i;
    return true;
}

bool shade_lepc(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row out;
    shade_spread(SHADE_ALL, ir->address, out);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

/* ---- logic ---- */

/* p of LOP and LOP3 by `mode`. */
static void logic_end(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, const uint32_t *out) {
    if (ir->p != IR_TRUE) {
        uint32_t zero = 0;
        for (unsigned i = 0; i < SHADE_LANES; i++)
            zero |= out[i] ? 0 : shade_bit[i];
        const uint32_t by_mode[] = {0, SHADE_ALL, zero, ~zero};
        shade_write_predicate(warp, ir->p, lanes, by_mode[ir->mode & 3]);
    }
    if (ir->write_flags)
        shade_flags(warp, lanes, out, 0, 0);
    shade_write(warp, ir->d, lanes, out);
}

bool shade_lop(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t both = a[i] & b[i], any = a[i] | b[i], one = a[i] ^ b[i];
        out[i] = ir->combine == IR_AND ? both : ir->combine == IR_OR ? any : ir->combine == IR_XOR ? one : b[i];
    }
    logic_end(warp, ir, lanes, out);
    return true;
}

bool shade_lop3(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, room_c, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    const uint32_t *c = shade_bits(warp, &ir->c, room_c);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = 0;
    for (unsigned k = 0; k < 8; k++) {
        if (!(ir->mask >> k & 1))
            continue;
        uint32_t x = k & 4 ? 0 : SHADE_ALL, y = k & 2 ? 0 : SHADE_ALL, z = k & 1 ? 0 : SHADE_ALL;
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] |= (a[i] ^ x) & (b[i] ^ y) & (c[i] ^ z);
    }
    logic_end(warp, ir, lanes, out);
    return true;
}

/* ---- shifts and fields ---- */

static uint32_t reversed(uint32_t value) {
    value = (value >> 1 & 0x55555555) | (value & 0x55555555) << 1;
    value = (value >> 2 & 0x33333333) | (value & 0x33333333) << 2;
    value = (value >> 4 & 0x0f0f0f0f) | (value & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(value);
}

static void end(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, const uint32_t *out) {
    if (ir->write_flags)
        shade_flags(warp, lanes, out, 0, 0);
    shade_write(warp, ir->d, lanes, out);
}

bool shade_shl(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    if (ir->carry_in) /* UNKNOWN: .X */
        return shade_not_executed(warp, ir, lanes);
    shade_row room_a, room_b, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t shifted = a[i] << (b[i] & 31);
        out[i] = ir->wrap || b[i] < 32 ? shifted : 0;
    }
    end(warp, ir, lanes, out);
    return true;
}

bool shade_shr(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    if (ir->carry_in)
        return shade_not_executed(warp, ir, lanes);
    shade_row room_a, room_b, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t value = ir->reverse ? reversed(a[i]) : a[i];
        uint32_t sign = ir->type & 1 && value >> 31 ? SHADE_ALL : 0, by = b[i] & 31;
        uint32_t shifted = (uint32_t)(((uint64_t)sign << 32 | value) >> by);
        out[i] = ir->wrap || b[i] < 32 ? shifted : sign;
    }
    end(warp, ir, lanes, out);
    return true;
}

/* How far a funnel shifts: by 64 gives 0 (nak; for s64, too). */
static unsigned funnel(const struct ir *ir, uint32_t by) {
    unsigned most = ir->type == IR_U64 || ir->type == IR_S64 ? 64 : 32;
    return ir->wrap ? by & (most - 1) : by < most ? by : most;
}

bool shade_shf_l(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    if (ir->carry_in)
        return shade_not_executed(warp, ir, lanes);
    shade_row room_a, room_b, room_c, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    const uint32_t *c = shade_bits(warp, &ir->c, room_c);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        unsigned by = funnel(ir, b[i]);
        uint64_t value = (uint64_t)c[i] << 32 | a[i];
        out[i] = by < 64 ? (uint32_t)(value << by >> 32) : 0;
    }
    end(warp, ir, lanes, out);
    return true;
}

bool shade_shf_r(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    if (ir->carry_in)
        return shade_not_executed(warp, ir, lanes);
    shade_row room_a, room_b, room_c, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    const uint32_t *c = shade_bits(warp, &ir->c, room_c);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        unsigned by = funnel(ir, b[i]);
        uint64_t value = (uint64_t)c[i] << 32 | a[i];
        bool sign = ir->type == IR_S64 && value >> 63;
        uint64_t shifted = 0;
        if (by < 64)
            shifted = sign ? ~(~value >> by) : value >> by;
        out[i] = (uint32_t)(ir->high ? shifted >> 32 : shifted);
    }
    end(warp, ir, lanes, out);
    return true;
}

bool shade_bfe(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    bool is_signed = ir->type & 1;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t value = ir->reverse ? reversed(a[i]) : a[i];
        unsigned from = b[i] & 0xff, length = b[i] >> 8 & 0xff;
        uint64_t wide = is_signed ? (uint64_t)(int64_t)(int32_t)value : value;
        wide = from < 32 ? (uint64_t)((int64_t)wide >> from) : is_signed && value >> 31 ? UINT64_MAX : 0;
        if (length < 32) {
            uint32_t mask = (1u << length) - 1, low = (uint32_t)wide & mask;
            uint32_t top = is_signed && length ? 1u << (length - 1) : 0;
            out[i] = (low ^ top) - top;
        } else {
            out[i] = (uint32_t)wide;
        }
    }
    end(warp, ir, lanes, out);
    return true;
}

bool shade_bfi(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, room_c, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    const uint32_t *c = shade_bits(warp, &ir->c, room_c);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        unsigned to = b[i] & 0xff, length = b[i] >> 8 & 0xff;
        uint32_t mask = length < 32 ? (1u << length) - 1 : SHADE_ALL;
        mask = to < 32 ? mask << to : 0;
        out[i] = (c[i] & ~mask) | (to < 32 ? a[i] << to & mask : 0);
    }
    end(warp, ir, lanes, out);
    return true;
}

bool shade_popc(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = (uint32_t)__builtin_popcount(ir->a.kind == IR_NONE ? b[i] : a[i] & b[i]);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

bool shade_flo(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t value = ir->type & 1 && a[i] >> 31 ? ~a[i] : a[i];
        uint32_t zeros = value ? (uint32_t)__builtin_clz(value) : 0;
        out[i] = !value ? SHADE_ALL : ir->mode ? zeros : 31 - zeros;
    }
    end(warp, ir, lanes, out);
    return true;
}
