/* SPDX-License-Identifier: MIT */
#include "engine/shade/compile/assembler_narrow.h"

#include <assert.h>

enum { RESULT = 13, MASK = 14, OPERAND = 15 };

/* Instructions that only this file needs. */
enum {
    VPCMPEQD = V(1, 1, 0x76),
    VPCMPGTD = V(1, 1, 0x66),
    VMOVDQU = V(2, 1, 0x6f),
    VMOVDQU_STORE = V(2, 1, 0x7f),
    VPBROADCASTB = V(1, 2, 0x78),
    VMOVD = V(1, 1, 0x6e),
    VMOVMSKPS = V(0, 1, 0x50),
    VBLENDVPS = V(1, 3, 0x4a),
    VMASKMOVPS = V(1, 2, 0x2e),
};

/* Registers 28 to 31, which are for anything, are 9 to 12 here. */
static unsigned number_of(unsigned number) {
    assert(number < 16 || number >= 28);
    return number < 16 ? number : number - 28 + 9;
}

/* With two registers and an operand; `two` as VEX has it: 256 bits. */
static void put_vex(struct assembler *a, unsigned op, unsigned d, unsigned v, struct assembler_operand m, bool two,
                    unsigned bytes_after) {
    if (m.kind == AT_REGISTER)
        m.base = (uint8_t)number_of(m.base);
    unsigned base = m.kind == AT_WORD ? 0 : m.base;
    d = number_of(d);
    v = number_of(v);
    assembler_put(a, 0xc4);
    assembler_put(a, (~d >> 3 & 1) << 7 | 1 << 6 | (~base >> 3 & 1) << 5 | (op >> 8 & 15));
    assembler_put(a, (~v & 15) << 3 | (two ? 4u : 0u) | (op >> 12 & 3));
    assembler_put(a, op & 0xff);
    assembler_put_operand(a, d, m, bytes_after);
}

static void put_plain(struct assembler *a, unsigned op, unsigned d, unsigned v, struct assembler_operand m) {
    put_vex(a, op, d, v, m, true, 0);
}

/* An operand for all lanes goes to a register first. */
static struct assembler_operand operand_of(struct assembler *a, unsigned op, struct assembler_operand m) {
    bool everywhere = m.kind == AT_EVERYWHERE || m.kind == AT_WORD;
    if (!everywhere || op == VPBROADCASTD)
        return m;
    put_plain(a, VPBROADCASTD, OPERAND, 0, m);
    return at_register(OPERAND);
}

/* ---- masks ---- */

static struct assembler_operand slot(unsigned k) {
    return at_row(RSP, ASSEMBLER_MASKS + 32 * (int32_t)k);
}

static void mask_get(struct assembler *a, unsigned t, unsigned k) {
    put_plain(a, VMOVDQU, t, 0, slot(k));
}

static void mask_put(struct assembler *a, unsigned k, unsigned t) {
    put_plain(a, VMOVDQU_STORE, t, 0, slot(k));
}

static void all_ones(struct assembler *a, unsigned t) {
    put_plain(a, VPCMPEQD, t, t, at_register(t));
}

void narrow_mask(struct assembler *a, unsigned op, unsigned d, unsigned x, unsigned y) {
    mask_get(a, MASK, x);
    switch (op) {
    case KAND:
        put_plain(a, VPANDD, MASK, MASK, slot(y));
        break;
    case KANDN:
        put_plain(a, VPANDND, MASK, MASK, slot(y));
        break;
    case KOR:
        put_plain(a, VPORD, MASK, MASK, slot(y));
        break;
    default:
        put_plain(a, VPXORD, MASK, MASK, slot(y));
        break;
    }
    if (op == KXNOR) {
        all_ones(a, RESULT);
        put_plain(a, VPXORD, MASK, MASK, at_register(RESULT));
    }
    mask_put(a, d, MASK);
}

void narrow_mask_not(struct assembler *a, unsigned d, unsigned x) {
    all_ones(a, MASK);
    put_plain(a, VPXORD, MASK, MASK, slot(x));
    mask_put(a, d, MASK);
}

void narrow_mask_move(struct assembler *a, unsigned d, unsigned x) {
    mask_get(a, MASK, x);
    mask_put(a, d, MASK);
}

/* Each lane's bit of MASK, which has the same in all lanes. */
static void spread(struct assembler *a, unsigned d) {
    static const uint32_t bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    assembler_words(a, RDX, bits, 8);
    put_plain(a, VMOVDQU, RESULT, 0, at_row(RDX, 0));
    put_plain(a, VPANDD, MASK, MASK, at_register(RESULT));
    put_plain(a, VPCMPEQD, MASK, MASK, at_register(RESULT));
    mask_put(a, d, MASK);
}

void narrow_mask_load(struct assembler *a, unsigned d, unsigned base, int32_t offset) {
    put_plain(a, VPBROADCASTB, MASK, 0, at_row(base, offset));
    spread(a, d);
}

void narrow_mask_from(struct assembler *a, unsigned d, unsigned r) {
    put_vex(a, VMOVD, MASK, 0, at_register(r), false, 0);
    put_plain(a, VPBROADCASTD, MASK, 0, at_register(MASK));
    spread(a, d);
}

void narrow_mask_to(struct assembler *a, unsigned r, unsigned x) {
    mask_get(a, MASK, x);
    put_plain(a, VMOVMSKPS, r, 0, at_register(MASK));
}

void narrow_mask_store(struct assembler *a, unsigned base, int32_t offset, unsigned x) {
    narrow_mask_to(a, RAX, x);
    assembler_store8(a, base, offset, RAX);
}

/* ---- comparisons ---- */

/*
 * There are equal and greater, of signed numbers. v and m become MASK and OPERAND, unsigned ones with the sign inverted.
 * `byte` is VPCMPD's: 0 equal, 1 less, 2 less or equal, 3 never; 4 to 7 the opposite.
 */
static void compare_integers(struct assembler *a, bool is_signed, unsigned k, unsigned v, struct assembler_operand m,
                             unsigned byte) {
    m = operand_of(a, VPCMPD, m);
    put_plain(a, VMOVDQA32, OPERAND, 0, m);
    put_plain(a, VMOVDQA32, MASK, 0, at_register(v));
    if (!is_signed) {
        put_plain(a, VPBROADCASTD, RESULT, 0, at_word(a, 0x80000000));
        put_plain(a, VPXORD, OPERAND, OPERAND, at_register(RESULT));
        put_plain(a, VPXORD, MASK, MASK, at_register(RESULT));
    }
    bool inverts = byte & 4;
    switch (byte & 3) {
    case 0:
        put_plain(a, VPCMPEQD, MASK, MASK, at_register(OPERAND));
        break;
    case 1:
        put_plain(a, VPCMPGTD, MASK, OPERAND, at_register(MASK));
        break;
    case 2: /* not greater */
        put_plain(a, VPCMPGTD, MASK, MASK, at_register(OPERAND));
        inverts = !inverts;
        break;
    default:
        put_plain(a, VPXORD, MASK, MASK, at_register(MASK));
        break;
    }
    if (inverts) {
        all_ones(a, RESULT);
        put_plain(a, VPXORD, MASK, MASK, at_register(RESULT));
    }
    mask_put(a, k, MASK);
}

/* ---- vector instructions ---- */

void narrow_vector(struct assembler *a, unsigned op, unsigned d, unsigned v, struct assembler_operand m, int byte) {
    if (op == VPCMPD || op == VPCMPUD) {
        compare_integers(a, op == VPCMPD, d, v, m, (unsigned)byte);
        return;
    }
    m = operand_of(a, op, m);
    if (op == VPTERNLOGD) { /* no more than ~m */
        assert(byte == 0x55);
        all_ones(a, RESULT);
        put_plain(a, VPXORD, d, RESULT, m);
        return;
    }
    put_vex(a, op, op == VCMPPS ? MASK : d, v, m, true, byte >= 0 ? 1 : 0);
    if (byte >= 0)
        assembler_put(a, (unsigned)byte);
    if (op == VCMPPS)
        mask_put(a, d, MASK);
}

void narrow_masked(struct assembler *a, unsigned op, unsigned d, unsigned v, struct assembler_operand m, unsigned k,
                   bool zero) {
    if (op == VMOVDQA32_STORE) {
        mask_get(a, MASK, k);
        put_plain(a, VMASKMOVPS, d, MASK, m);
        return;
    }
    m = operand_of(a, op, m);
    put_plain(a, op, RESULT, v, m);
    mask_get(a, MASK, k);
    if (zero) {
        put_plain(a, VPANDD, d, RESULT, at_register(MASK));
        return;
    }
    put_vex(a, VBLENDVPS, d, d, at_register(RESULT), true, 1);
    assembler_put(a, MASK << 4);
}

void narrow_shift(struct assembler *a, unsigned shift, unsigned d, struct assembler_operand m, uint8_t by) {
    m = operand_of(a, VSHIFT, m);
    put_vex(a, VSHIFT, shift, d, m, true, 1);
    assembler_put(a, by);
}
