/* SPDX-License-Identifier: MIT */
/*
 * Machine code for x86-64: the few instructions of which the compiler makes functions. Vector instructions are those of
 * AVX-512, 16 words wide, as Intel's manual has them (volume 2, "EVEX prefix" and the page of each). On processors without
 * it the same calls make instructions of AVX2, 8 words wide.
 *
 *   assembler_vector(a, VADDPS, 3, 1, at_register(2));                zmm3 = zmm1 + zmm2
 *   assembler_vector(a, VADDPS, 3, 1, at_everywhere(RAX, 16));        ... + the word at rax + 16, for all of them
 *   assembler_vector(a, VADDPS, 3, 1, at_word(a, 0x3f800000));        ... + 1.0
 *
 * What is out of memory or too long says so once, at the end: `failed`.
 */
#ifndef PFIFO_SRC_ENGINE_SHADE_ASSEMBLER_H
#define PFIFO_SRC_ENGINE_SHADE_ASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

/* A word that code refers to, after the code. */
struct assembler_reference {
    uint32_t end;  /* of the instruction */
    uint32_t at;   /* of its four bytes */
    uint32_t word; /* which one */
};

struct assembler {
    uint8_t *bytes;
    uint32_t size, room;
    uint32_t *words;
    uint32_t word_count, word_room;
    struct assembler_reference *references;
    uint32_t reference_count, reference_room;
    bool failed, wide;
};

/* Bytes of the stack, from RSP on, that masks are in if it is not wide. */
enum { ASSEMBLER_MASKS = 16, ASSEMBLER_STACK = ASSEMBLER_MASKS + 8 * 32 };

/* `wide`: for AVX-512; else for AVX2 and FMA (assembler_narrow.h). */
void assembler_begin(struct assembler *a, bool wide);
void assembler_end(struct assembler *a);
/* Put the words after the code and tell the code where they are. False: it has failed. */
bool assembler_finish(struct assembler *a);

/* ---- operands ---- */

enum assembler_kind { AT_REGISTER, AT_ROW, AT_EVERYWHERE, AT_WORD };

struct assembler_operand {
    uint8_t kind;   /* enum assembler_kind */
    uint8_t base;   /* a register of either sort */
    int32_t offset; /* AT_WORD: which one */
};

static inline struct assembler_operand at_register(unsigned number) {
    return (struct assembler_operand){AT_REGISTER, (uint8_t)number, 0};
}

/* 16 words in memory. */
static inline struct assembler_operand at_row(unsigned base, int32_t offset) {
    return (struct assembler_operand){AT_ROW, (uint8_t)base, offset};
}

/* A word in memory, for all lanes. */
static inline struct assembler_operand at_everywhere(unsigned base, int32_t offset) {
    return (struct assembler_operand){AT_EVERYWHERE, (uint8_t)base, offset};
}

/* A word that is known, for all lanes. */
struct assembler_operand at_word(struct assembler *a, uint32_t value);
/* The same of 64 bits. */
struct assembler_operand at_pair(struct assembler *a, uint64_t value);

/* d = the address of words that are known. */
void assembler_words(struct assembler *a, unsigned d, const uint32_t *words, unsigned count);

/* ---- vector instructions ---- */

/* Prefix, map and opcode. */
#define V(prefix, map, opcode)   ((prefix) << 12 | (map) << 8 | (opcode))
#define V64(prefix, map, opcode) (1 << 16 | V(prefix, map, opcode)) /* of elements of 64 bits: not without AVX-512 */
enum {
    VADDPS = V(0, 1, 0x58),
    VMULPS = V(0, 1, 0x59),
    VSUBPS = V(0, 1, 0x5c),
    VMINPS = V(0, 1, 0x5d),
    VDIVPS = V(0, 1, 0x5e),
    VMAXPS = V(0, 1, 0x5f),
    VSQRTPS = V(0, 1, 0x51),
    VCMPPS = V(0, 1, 0xc2),
    VCVTDQ2PS = V(0, 1, 0x5b),
    VCVTUDQ2PS = V(3, 1, 0x7a),
    VCVTTPS2DQ = V(2, 1, 0x5b),
    VCVTTPS2UDQ = V(0, 1, 0x78),
    VRNDSCALEPS = V(1, 3, 0x08),
    VPERMILPS = V(1, 3, 0x04),
    VFMADD213PS = V(1, 2, 0xa8),
    VFMSUB213PS = V(1, 2, 0xaa),
    VFNMADD213PS = V(1, 2, 0xac),
    VFNMSUB213PS = V(1, 2, 0xae),
    VFMADD231PS = V(1, 2, 0xb8),
    VFMSUB231PS = V(1, 2, 0xba),
    VFNMADD231PS = V(1, 2, 0xbc),
    VFNMSUB231PS = V(1, 2, 0xbe),
    VPADDD = V(1, 1, 0xfe),
    VPSUBD = V(1, 1, 0xfa),
    VPMULLD = V(1, 2, 0x40),
    VPANDD = V(1, 1, 0xdb),
    VPANDND = V(1, 1, 0xdf),
    VPORD = V(1, 1, 0xeb),
    VPXORD = V(1, 1, 0xef),
    VPTERNLOGD = V(1, 3, 0x25),
    VPSLLVD = V(1, 2, 0x47),
    VPSRLVD = V(1, 2, 0x45),
    VPSRAVD = V(1, 2, 0x46),
    VPABSD = V(1, 2, 0x1e),
    VPMINSD = V(1, 2, 0x39),
    VPMINUD = V(1, 2, 0x3b),
    VPMAXSD = V(1, 2, 0x3d),
    VPMAXUD = V(1, 2, 0x3f),
    VPCMPD = V(1, 3, 0x1f),
    VPCMPUD = V(1, 3, 0x1e),
    VPTESTNMD = V(2, 2, 0x27),
    VMOVDQA32 = V(1, 1, 0x6f),
    VMOVDQA32_STORE = V(1, 1, 0x7f),
    VPBROADCASTD = V(1, 2, 0x58),
    VADDPD = V64(1, 1, 0x58),
    VMULPD = V64(1, 1, 0x59),
    VSUBPD = V64(1, 1, 0x5c),
    VMINPD = V64(1, 1, 0x5d),
    VDIVPD = V64(1, 1, 0x5e),
    VMAXPD = V64(1, 1, 0x5f),
    VSQRTPD = V64(1, 1, 0x51),
    VCVTPS2PD = V(0, 1, 0x5a),   /* of the first eight floats */
    VCVTPD2PS = V64(1, 1, 0x5a), /* to the first eight, the others become 0 */
    VPADDQ = V64(1, 1, 0xd4),
    VPSUBQ = V64(1, 1, 0xfb),
    VPXORQ = V64(1, 1, 0xef),
    VBROADCASTSD = V64(1, 2, 0x19),
    VEXTRACTF64X4 = V64(1, 3, 0x1b), /* from d to m */
    VINSERTF64X4 = V64(1, 3, 0x1a),
    /* By a fixed number: the register field of the instruction says which shift it is. */
    VSHIFT = V(1, 1, 0x72),
    VSHIFT64 = V64(1, 1, 0x73),
};
enum { SHIFT_RIGHT = 2, SHIFT_SIGNED = 4, SHIFT_LEFT = 6 };

/* d = v op m. Operations of one source have v 0; comparisons have a mask register for d. */
void assembler_vector(struct assembler *a, unsigned op, unsigned d, unsigned v, struct assembler_operand m);
/* The same with a byte at the end. */
void assembler_vector_byte(struct assembler *a, unsigned op, unsigned d, unsigned v, struct assembler_operand m,
                           uint8_t byte);
/* Only lanes of mask register k (1 .. 7) are written; or with `zero` the others become 0. */
void assembler_vector_masked(struct assembler *a, unsigned op, unsigned d, unsigned v, struct assembler_operand m,
                             unsigned k, bool zero);
/* d = m shifted by a fixed number. */
void assembler_shift(struct assembler *a, unsigned shift, unsigned d, struct assembler_operand m, uint8_t by);
void assembler_shift64(struct assembler *a, unsigned shift, unsigned d, struct assembler_operand m, uint8_t by);

/* ---- mask registers ---- */

enum { KAND = 0x41, KANDN = 0x42, KOR = 0x45, KXNOR = 0x46, KXOR = 0x47 };
void assembler_mask(struct assembler *a, unsigned op, unsigned d, unsigned x, unsigned y); /* KANDN: ~x & y */
void assembler_mask_not(struct assembler *a, unsigned d, unsigned x);
void assembler_mask_move(struct assembler *a, unsigned d, unsigned x);
void assembler_mask_load(struct assembler *a, unsigned d, unsigned base, int32_t offset); /* 16 bits */
void assembler_mask_store(struct assembler *a, unsigned base, int32_t offset, unsigned x);
void assembler_mask_from(struct assembler *a, unsigned d, unsigned r); /* of a register's low bits */
void assembler_mask_to(struct assembler *a, unsigned r, unsigned x);

/* ---- other instructions ---- */

void assembler_push(struct assembler *a, unsigned r);
void assembler_pop(struct assembler *a, unsigned r);
void assembler_return(struct assembler *a);
void assembler_move(struct assembler *a, unsigned d, unsigned r); /* 64 bits */
void assembler_move32(struct assembler *a, unsigned d, unsigned r);
void assembler_set(struct assembler *a, unsigned d, uint64_t value);
void assembler_load(struct assembler *a, unsigned d, unsigned base, int32_t offset); /* 64 bits */
void assembler_load16(struct assembler *a, unsigned d, unsigned base, int32_t offset);
void assembler_load8(struct assembler *a, unsigned d, unsigned base, int32_t offset);
void assembler_store8(struct assembler *a, unsigned base, int32_t offset, unsigned r);
void assembler_store16(struct assembler *a, unsigned base, int32_t offset, unsigned r);
void assembler_address(struct assembler *a, unsigned d, unsigned base, int32_t offset); /* d = base + offset */
void assembler_add(struct assembler *a, unsigned d, int32_t value);                     /* 64 bits */
void assembler_add_memory(struct assembler *a, unsigned base, int32_t offset, int32_t value);
void assembler_compare_memory(struct assembler *a, unsigned base, int32_t offset, uint32_t value); /* 32 bits */
void assembler_compare_memory64(struct assembler *a, unsigned base, int32_t offset, int32_t value);
void assembler_compare(struct assembler *a, unsigned r, int32_t value); /* 32 bits */
void assembler_compare64(struct assembler *a, unsigned x, unsigned y);
void assembler_test16(struct assembler *a, unsigned r); /* its low 16 bits */
void assembler_test8(struct assembler *a, unsigned r);
void assembler_xor(struct assembler *a, unsigned d, unsigned r);
void assembler_and(struct assembler *a, unsigned d, unsigned r);
void assembler_add_register(struct assembler *a, unsigned d, unsigned r);      /* 64 bits */
void assembler_subtract_register(struct assembler *a, unsigned d, unsigned r); /* 64 bits */
void assembler_shift_right(struct assembler *a, unsigned d, uint8_t by);
void assembler_call(struct assembler *a, unsigned r);
/* The control register of floats: to and from memory. */
void assembler_control_store(struct assembler *a, unsigned base, int32_t offset);
void assembler_control_load(struct assembler *a, unsigned base, int32_t offset);
void assembler_control_word(struct assembler *a, uint32_t value);

/* ---- jumps ---- */

enum { IF_BELOW = 2, IF_EQUAL = 4, IF_NOT_EQUAL = 5, ALWAYS = 16 };
/* Where its distance is; give that to assembler_here() when the code has come to its target. */
uint32_t assembler_jump(struct assembler *a, unsigned condition);
void assembler_here(struct assembler *a, uint32_t jump);
void assembler_jump_back(struct assembler *a, unsigned condition, uint32_t target);

#endif
