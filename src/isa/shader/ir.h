/* SPDX-License-Identifier: MIT */
/*
 * One form for the instructions of all shader processors. A decoder per instruction set (isa.h) makes it from program
 * memory; the shader core (engine/shade) executes it and knows no encoding. What an instruction set leaves open, such
 * as which bit negates which source, is settled here; what an operation means is the same for all.
 *
 * Source of the meanings: envytools docs/hw/graph and envydis/{g80,gf100,gk110,gm107}.c; Mesa nv50_ir; NVIDIA's CUDA
 * Binary Utilities and PTX ISA manuals for names.
 *
 * Registers are 32 bits wide, one row of lanes each. IR_ZERO as a source reads 0, as a destination is dropped; the same
 * holds for all words of a pair or a quad that begins there.
 */
#ifndef PFIFO_SRC_ISA_SHADER_IR_H
#define PFIFO_SRC_ISA_SHADER_IR_H

#include <stdbool.h>
#include <stdint.h>

#define IR_ZERO      0xffu /* the register that reads 0, whatever its number in the instruction set (63, 127, 255) */
#define IR_TRUE      7u    /* the predicate that is always true; as a destination: none */
#define IR_TEST_TRUE 0xfu

/* What a source is. IR_INPUT and IR_SHARED are for Tesla, whose operations read those spaces in place. */
enum ir_kind { IR_NONE, IR_REGISTER, IR_CONSTANT, IR_IMMEDIATE, IR_INPUT, IR_SHARED };

/* Which part of a source. Bytes and halves are extended by the operation's source type. */
enum ir_part {
    IR_WHOLE,
    IR_BYTE0,
    IR_BYTE1,
    IR_BYTE2,
    IR_BYTE3,
    IR_HALF0, /* the low half. In operations on pairs of halves: it, twice */
    IR_HALF1, /* the high half, or it, twice */
    IR_FLOAT, /* in operations on pairs of halves: a 32-bit float for both */
};

struct ir_source {
    uint8_t kind;   /* enum ir_kind */
    uint8_t part;   /* enum ir_part */
    uint8_t bank;   /* IR_CONSTANT */
    uint8_t index;  /* IR_CONSTANT, IR_INPUT, IR_SHARED: address register that is added; 0: none (Tesla's $a0 is 0) */
    bool absolute;  /* before negate: -|x| if both */
    bool negate;    /* floats: the sign; integers: two's complement */
    bool invert;    /* bitwise, of logical operations; of predicates in `part` of no use */
    uint32_t value; /* number of the register, byte offset, or the immediate; of a double: its high word */
};

/* Types of values. The order within integers is {unsigned, signed} by size. */
enum ir_type {
    IR_U8,
    IR_S8,
    IR_U16,
    IR_S16,
    IR_U32,
    IR_S32,
    IR_U64,
    IR_S64,
    IR_B96,
    IR_B128,
    IR_F16,
    IR_F16X2,
    IR_F32,
    IR_F64,
};

enum ir_round { IR_NEAREST, IR_DOWN, IR_UP, IR_TO_ZERO };
enum ir_combine { IR_AND, IR_OR, IR_XOR, IR_PASS_B };

/* Comparisons: bit 0 less, bit 1 equal, bit 2 greater, bit 3 unordered. Integers have no unordered. */
enum ir_compare {
    IR_NEVER = 0,
    IR_LT = 1,
    IR_EQ = 2,
    IR_LE = 3,
    IR_GT = 4,
    IR_NE = 5,
    IR_GE = 6,
    IR_NUM = 7,
    IR_NAN = 8,
    IR_LTU = 9,
    IR_EQU = 10,
    IR_LEU = 11,
    IR_GTU = 12,
    IR_NEU = 13,
    IR_GEU = 14,
    IR_ALWAYS = 15
};

/* Functions of IR_MUFU. */
enum ir_function { IR_COS, IR_SIN, IR_EX2, IR_LG2, IR_RCP, IR_RSQ, IR_RCP64H, IR_RSQ64H, IR_SQRT };

/* Spaces of loads and stores. GENERIC looks for the local and the shared window, GLOBAL does not. */
enum ir_space { IR_SPACE_GLOBAL, IR_SPACE_GENERIC, IR_SPACE_LOCAL, IR_SPACE_SHARED };

enum ir_atomic {
    IR_ADD,
    IR_MIN,
    IR_MAX,
    IR_INC,
    IR_DEC,
    IR_ATOM_AND,
    IR_ATOM_OR,
    IR_ATOM_XOR,
    IR_EXCHANGE,
    IR_CAS,
    IR_SAFE_ADD,
    IR_LOAD_ONLY
};

/* How a texture is addressed. */
enum ir_dim { IR_DIM_1D, IR_DIM_2D, IR_DIM_3D, IR_DIM_CUBE };
enum ir_lod { IR_LOD_AUTO, IR_LOD_ZERO, IR_LOD_BIAS, IR_LOD_LEVEL };

/*
 * Texture operations name registers for each item, so that the core need not know the order in which an instruction
 * set packs them. IR_ZERO: the item is not there, or 0.
 */
struct ir_texture {
    uint8_t dim, lod;                               /* enum ir_dim, ir_lod */
    bool array, shadow, samples, offsets, offsets4; /* offsets4: TLD4 with one offset per texel */
    bool in_bank;                                   /* handle is c[the bank of handles][4 * slot] (Kepler and later) */
    bool by_slot;      /* slot and sampler are numbers of bound slots (Fermi), or were added to those in `handle` */
    bool f16;          /* results are packed in pairs of halves */
    uint8_t component; /* of TLD4 */
    uint8_t query;     /* of TXQ: enum ir_query */
    uint8_t mask;      /* components to write, one after the other */
    uint16_t slot, sampler;
    uint8_t handle, layer, coordinate[3], sample, level, offset[2], reference; /* registers */
    uint8_t derivative[6]; /* registers: of the first coordinate by x and by y, of the second ... */
    bool layer_low;        /* the layer is the low half of its register (the high half has something else) */
    bool offset_high;      /* offsets are in bits 27..16 of the register, not in 11..0 (TXD on Kepler and later) */
    uint8_t d[4]; /* of component i, if `mask` selects it; IR_ZERO: nowhere. f16: two have one register, the first of
                     them its low half; a half that none has is 0 */
};

enum ir_query {
    IR_QUERY_SIZE,
    IR_QUERY_TYPE,
    IR_QUERY_SAMPLE_POSITION,
    IR_QUERY_FILTER,
    IR_QUERY_LOD,
    IR_QUERY_WRAP,
    IR_QUERY_BORDER
};

/* The operations. What each means, and of what it consists, is its row in ops.def. */
enum ir_op {
#define OP(name, ...) IR_##name,
#include "isa/shader/ops.def"
#undef OP
    IR_OPS
};

/*
 * The coordinates of an image, in registers from a on: x, then y, then the layer or z. IR_IMAGE_STRIDE is Fermi's way to
 * layers and slices: the third one is what the address grows by, in units of 256 bytes.
 */
enum ir_image {
    IR_IMAGE_1D,
    IR_IMAGE_BUFFER,
    IR_IMAGE_1D_ARRAY,
    IR_IMAGE_2D,
    IR_IMAGE_2D_ARRAY,
    IR_IMAGE_3D,
    IR_IMAGE_STRIDE,
};

/* What an access does that is outside of its image. */
enum ir_outside {
    IR_OUTSIDE_NOTHING, /* loads give 0 */
    IR_OUTSIDE_NEAR,    /* the next place inside */
    IR_OUTSIDE_TRAP,    /* the warp fails */
};

/* How the low register of a raw address of an image (Kepler) counts: the high one is in units of 256 bytes. */
enum ir_raw { IR_RAW_U32, IR_RAW_S32, IR_RAW_U8, IR_RAW_S8 };

enum ir_video { IR_VADD, IR_VABSDIFF, IR_VMNMX, IR_VSHL, IR_VSHR, IR_VMAD, IR_VSET, IR_VSETP };
/* The operations of IR_SIMD, and what is done with c beside them: nothing, of each lane, of all of them together. */
enum ir_simd {
    IR_SIMD_ADD,
    IR_SIMD_SUB,
    IR_SIMD_SUBR,
    IR_SIMD_AVERAGE,
    IR_SIMD_MIN,
    IR_SIMD_MAX,
    IR_SIMD_DIFFERENCE,
    IR_SIMD_SET,
    IR_SIMD_SHR,
    IR_SIMD_SHL,
    IR_SIMD_SELECT,
    IR_SIMDS
};
enum ir_simd_merge {
    IR_SIMD_PLAIN,
    IR_SIMD_LANE_MIN,
    IR_SIMD_LANE_MAX,
    IR_SIMD_ALL_ADD = 4,
    IR_SIMD_ALL_MIN,
    IR_SIMD_ALL_MAX
};
enum ir_surface {
    IR_SULD,
    IR_SUST,
    IR_SUATOM,
    IR_SURED,
    IR_SULEA,
    IR_SULDG, /* at an address that is in a pair of registers: P: outside, c: format */
    IR_SUSTG,
    IR_SURFACES
};

struct ir {
    uint16_t op; /* enum ir_op */
    /* The guard: lanes whose predicate is true (false, if negated) and whose flags pass the test. */
    uint8_t guard, test; /* 0..7, IR_TRUE: always; condition test, IR_TEST_TRUE: always */
    bool guard_negate;
    uint8_t flags; /* register of flags that is tested, read and written; 0 but on Tesla */
    bool join;     /* afterwards the lanes of the guard do IR_SYNC (Fermi, Kepler; on Tesla before it) */

    uint8_t type, source_type; /* enum ir_type */
    uint16_t mode;
    int8_t scale;
    uint8_t round, compare, combine, combine1, shift, mask, merge, sample, space, atomic, bank;
    bool saturate, flush, multiply_zero, write_flags, carry_in, plus_one, high, wrap, reverse, float_true, extended,
        integral, wide, output, patch;
    uint8_t combine_predicate; /* P: IR_TRUE if there is none */
    bool combine_negate;

    uint8_t d;    /* register, IR_ZERO: none */
    uint8_t p, q; /* predicate destinations, IR_TRUE: none */
    struct ir_source a, b, c;
    int64_t offset; /* bytes; of flow: the target */

    union {
        struct ir_texture texture;
        struct {
            bool shift_product, merge, high_a, high_b;
            uint8_t c; /* 0 c, 1 its low, 2 its high half, 3 CSFU, 4 c + (b << 16) */
        } xmad;
        struct {
            bool signed_d, accumulate;
            uint8_t merge; /* 0 h1, 1 h0, 2 b0, 3 b2, 4 add, 5 min, 6 max with c, 7 plain */
            uint8_t select_a, select_b, shift;
        } video;
        struct {
            uint8_t lanes, mask; /* 2 or 4; which are computed: the others are those of c */
            uint8_t merge;       /* enum ir_simd_merge */
            uint8_t a[4], b[4];  /* which part of {b:a} a lane has of each */
            bool signed_d;
        } simd;
        struct {
            uint8_t dim;        /* enum ir_image; not of IR_SULDG and IR_SUSTG */
            uint8_t raw;        /* enum ir_raw, of those */
            uint8_t size;       /* enum ir_type: of an access to the bytes as they are, and of atomics */
            uint8_t outside;    /* enum ir_outside */
            uint8_t components; /* of formatted accesses: those in the mask are in registers one after the other */
            bool formatted;
            bool by_slot;   /* the image is a slot (Fermi), else the header of a texture (Maxwell) */
            bool in_bank;   /* the header's handle is c[the bank of handles][4 * slot] */
            uint8_t handle; /* register: of the slot, or the handle; IR_ZERO with by_slot: it is `slot` */
            uint16_t slot;
        } surface;
    };
    uint32_t address; /* of the instruction in the program region */
    const char *name; /* of the encoding, such as "FADD32I" */
};

#endif
