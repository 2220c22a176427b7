/* SPDX-License-Identifier: MIT */
/*
 * How an instruction set is written down: a row per encoding, and in it where its fields are and what becomes of them.
 * The first row that matches is the one. What a field cannot say, because it depends on others, the row's function
 * does.
 */
#ifndef PFIFO_SRC_ISA_SHADER_FIELDS_H
#define PFIFO_SRC_ISA_SHADER_FIELDS_H

#include <assert.h>

#include "isa/shader/isa.h"

/* What becomes of a field. `member` is a byte of struct ir or one of its sources. */
enum isa_put {
    PUT_BITS,        /* to the member, shifted left by `shift` */
    PUT_NUMBER,      /* to the member: number of a register, all ones: IR_ZERO */
    PUT_REGISTER,    /* source: register, all ones: IR_ZERO */
    PUT_PREDICATE,   /* source: predicate */
    PUT_CONSTANT,    /* source: bank in [18:14], word in [13:0] */
    PUT_BYTES,       /* source: constant, bank in [20:16], byte offset in [15:0] */
    PUT_IMMEDIATE,   /* source: all bits as they are */
    PUT_FORM,        /* source, and with FORM_THREE c: by the form of GF100 in this field */
    PUT_INTEGER,     /* source: 19 bits and, 36 bits above the lowest, the sign */
    PUT_FLOAT,       /* source: the same 20 bits, the top of a 32-bit float, or of the high word of a double */
    PUT_PART_BYTE,   /* source: its part is this byte, or half, if source_type is one; of F16 this half */
    PUT_PART_PAIR,   /* source: how a pair of halves is made of it: 0 as it is, 1 a float, 2 low, 3 high half */
    PUT_PART_HALF,   /* source: 0 all, 1 low, 2 high half */
    PUT_FLUSH,       /* 1 flush, 2 flush and multiply_zero */
    PUT_FLOAT_TYPE,  /* to the member: 1 F16, 2 F32, 3 F64 */
    PUT_SIZE,        /* type of an access: u8, s8, u16, s16, b32, b64, b128 */
    PUT_WORDS,       /* type of an access: 1 to 4 words */
    PUT_SCALE,       /* of a product: 0, -1, -2, -3, 3, 2, 1 */
    PUT_OFFSET,      /* signed, shifted left by `shift` */
    PUT_OFFSET_ZERO, /* the same; unsigned if source a is IR_ZERO (yuzu: global memory of GM107) */
    PUT_ADDRESS,     /* unsigned */
    PUT_RELATIVE,    /* signed, from the next instruction */
    PUT_PRESET,      /* to the member: `shift`, wherever the field is */
    PUT_MODE,        /* to the mode, shifted left by `shift` */
    PUT_IS_MODE,     /* to the mode: `shift` */
    PUT_ONLY,        /* other values than `shift` are known to exist, but not what they do */
    PUT_MOST,        /* values above `shift` are reserved */
};

/* `shift` of PUT_FORM: what immediates are, unless the source is of halves; three sources. */
enum { FORM_INTEGER = 0, FORM_FLOAT = 1, FORM_THREE = 2 };

struct isa_field {
    uint16_t to; /* put << 8 | offset of the member */
    uint8_t at, width, shift;
};

enum { ISA_FIELDS = 18 };

struct isa_row {
    const char *name;
    uint64_t value, mask;
    uint16_t op;  /* enum ir_op */
    uint8_t type; /* enum ir_type, and of the sources the same */
    /* after the fields; NULL: nothing to do */
    enum isa_result (*finish)(uint64_t word, struct ir *out);
    struct isa_field fields[ISA_FIELDS]; /* up to the first without a width */
};

static_assert(sizeof(struct ir) <= 256, "offsets in struct ir are bytes");

#define PUT(put, member, at, width, shift)                                                                             \
    { (uint16_t)((put) << 8 | offsetof(struct ir, member)), (at), (width), (shift) }
#define BITS(member, at, width) PUT(PUT_BITS, member, at, width, 0)
#define BIT(member, at)         BITS(member, at, 1)
#define PRESET(member, value)   PUT(PUT_PRESET, member, 0, 1, value)

/* Fields that are alike wherever they stand. */
#define FTZ(at)                BIT(flush, at)
#define FLUSH(at)              PUT(PUT_FLUSH, op, at, 2, 0)
#define SAT(at)                BIT(saturate, at)
#define ROUND(at)              BITS(round, at, 2)
#define CC(at)                 BIT(write_flags, at)
#define X(at)                  BIT(carry_in, at)
#define X_UNKNOWN(at)          PUT(PUT_ONLY, op, at, 1, 0)
#define BF(at)                 BIT(float_true, at)
#define FCMP(at)               BITS(compare, at, 4)
#define ICMP(at)               BITS(compare, at, 3)
#define BOP(at)                BITS(combine, at, 2), PUT(PUT_MOST, op, at, 2, 2)
#define P(at)                  BITS(combine_predicate, at, 3), BIT(combine_negate, (at) + 3)
#define PD(at)                 BITS(p, at, 3)
#define QD(at)                 BITS(q, at, 3)
#define SIGNED(at)             BIT(type, at), BIT(source_type, at)
#define SIGNED_A(at)           BIT(type, at)
#define SIGNED_B(at)           BIT(source_type, at)
#define HIGH(at)               BIT(high, at)
#define WRAP(at)               BIT(wrap, at)
#define REVERSE(at)            BIT(reverse, at)
#define WIDE(at)               BIT(wide, at)
#define SHIFT(at)              BITS(shift, at, 5)
#define LANES(at)              BITS(mask, at, 4)
#define TEST(at)               BITS(test, at, 5)
#define SIZE(at)               PUT(PUT_SIZE, type, at, 3, 0)
#define WORDS(at)              PUT(PUT_WORDS, type, at, 2, 0)
#define SCALE(at)              PUT(PUT_SCALE, scale, at, 3, 0)
#define FROM_FLOAT(at)         PUT(PUT_FLOAT_TYPE, source_type, at, 2, 0)
#define TO_FLOAT(at)           PUT(PUT_FLOAT_TYPE, type, at, 2, 0)
#define INT_SIZE(t, at)        PUT(PUT_BITS, t, at, 2, 1)
#define MODE(at, width)        PUT(PUT_MODE, op, at, width, 0)
#define IS_MODE(value)         PUT(PUT_IS_MODE, op, 0, 1, value)
#define MOST(at, width, value) PUT(PUT_MOST, op, at, width, value)
#define ONLY(at, width, value) PUT(PUT_ONLY, op, at, width, value)
#define NEG_A(at)              BIT(a.negate, at)
#define NEG_B(at)              BIT(b.negate, at)
#define NEG_C(at)              BIT(c.negate, at)
#define ABS_A(at)              BIT(a.absolute, at)
#define ABS_B(at)              BIT(b.absolute, at)
#define INV_A(at)              BIT(a.invert, at)
#define INV_B(at)              BIT(b.invert, at)

/* Not known to do what: the instruction is reported instead of executed. */
enum isa_result isa_unknown(struct ir *out);
/* Both sources negated stands for a + b + 1 with neither of them (.PO). */
enum isa_result isa_plus_one(uint64_t word, struct ir *out);
/* The same of a product, its sign at `a`, and source c. */
enum isa_result isa_plus_one_product(uint64_t word, struct ir *out);
/* The type of an atomic operation from its number in `type`. What the hardware does not combine only loads. */
enum isa_result isa_atomic(uint64_t word, struct ir *out);

/* Textures: no item is there yet. `slot`: of the bank of handles, if that has it. */
void isa_clear_texture(struct ir *out, bool in_bank, unsigned slot);
/* How many a dimension has: three at most, whatever it is, so that they fit where they are put. */
static inline unsigned isa_coordinates(uint8_t dim) {
    return dim == IR_DIM_1D ? 1 : dim == IR_DIM_2D ? 2 : 3;
}
/* Images: what an access outside does, by its number. */
enum isa_result isa_outside(unsigned number, struct ir *out);
enum isa_result isa_outside_raw(unsigned number, struct ir *out);
/* The number of a query that Kepler and later have; ISA_ILLEGAL if it has no name. */
enum isa_result isa_query(unsigned number, struct ir_texture *texture);
/* Results go to consecutive registers from out->d on, one for each component in the mask. */
void isa_texture_result(struct ir *out, unsigned d, unsigned mask);

/* The four lanes of IR_SIMD, by the codes for a and b; not executed if these have no name. */
enum isa_result isa_simd4(uint64_t a, uint64_t b, struct ir *out);

/* Number of `reg`, and step to the next; IR_ZERO stays. */
uint8_t isa_next(uint8_t *reg);

/* An instruction that does nothing, always, to start from. */
void isa_clear(struct ir *out, uint64_t address);

/* What an instruction set's decoder returns for an instruction that is one operation, or none. */
struct isa_decoded isa_decoded(enum isa_result result, unsigned bytes, const struct ir *out);

/* The row of `word` among `count`, NULL if none has it, and what its fields say. */
enum isa_result isa_decode_row(const struct isa_row *rows, size_t count, uint64_t word, struct ir *out);

static inline uint64_t isa_bits(uint64_t word, unsigned at, unsigned width) {
    assert(width && at + width <= 64);
    return word >> at & (UINT64_MAX >> (64 - width));
}

/* The word that an instruction begins with. */
static inline uint64_t isa_word(const uint8_t *code, size_t bytes) {
    uint64_t word = 0;
    for (unsigned i = 0; i < 8 && i < bytes; i++)
        word |= (uint64_t)code[i] << 8 * i;
    return word;
}

#endif
