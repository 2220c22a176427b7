/* SPDX-License-Identifier: MIT */
/* What is known of each operation, from its row in ops.def, and of an instruction from that. */
#ifndef PFIFO_SRC_ISA_SHADER_OPERATION_H
#define PFIFO_SRC_ISA_SHADER_OPERATION_H

#include "isa/shader/ir.h"

/* Where an operand is in struct ir, and what is made of it. The first five are registers or sources as they stand. */
enum ir_place {
    IR_PLACE_NONE,
    IR_PLACE_D,
    IR_PLACE_A,
    IR_PLACE_B,
    IR_PLACE_C,
    IR_PLACE_ADDRESS,   /* a + offset, of memory */
    IR_PLACE_ATTRIBUTE, /* the same, of an attribute */
    IR_PLACE_CONSTANT,  /* the same, in the bank `bank` */
    IR_PLACE_TARGET,    /* offset, and of IR_BRX a + offset */
    IR_PLACE_P,         /* predicate destinations */
    IR_PLACE_Q,
    IR_PLACE_COMBINED,    /* P */
    IR_PLACE_PREDICATE_A, /* a and b as predicates */
    IR_PLACE_PREDICATE_B,
    IR_PLACE_PREDICATES, /* all of them, or with `extended` all flags */
    IR_PLACE_FLAGS,
    IR_PLACE_TEXTURE, /* the items of `texture` */
    IR_PLACE_IMAGE,   /* the registers of `surface`, from a, b and d on */
    IR_PLACES
};

enum ir_role { IR_NAMED = 0, IR_READ = 1, IR_WRITTEN = 2 };

/* How many registers an operand has, and of which type its values are. */
enum ir_width {
    IR_WIDTH_WORD,    /* one, 32 bits */
    IR_WIDTH_TYPE,    /* as many as a value of `type` needs */
    IR_WIDTH_SOURCE,  /* of `source_type` */
    IR_WIDTH_ADDRESS, /* one, or with `wide` two */
    IR_WIDTH_BIT,     /* a predicate */
    IR_WIDTH_ZS,      /* the flags Z and S */
    IR_WIDTH_TEST,    /* the flags that test `mode` reads */
    IR_WIDTH_ITEMS,   /* of textures and images: by what they are asked */
};

/* What `mode` is a number of. IR_MODES_ATOMICS are in `atomic`. */
enum ir_modes {
    IR_MODES_NONE,
    IR_MODES_ANY, /* not known */
    IR_MODES_PERMUTATIONS,
    IR_MODES_BYTES, /* which byte predicates come from or go to */
    IR_MODES_FUNCTIONS,
    IR_MODES_REDUCTIONS,
    IR_MODES_NEIGHBOURS,
    IR_MODES_SHIFTS,
    IR_MODES_PARTS,
    IR_MODES_WORDS,
    IR_MODES_OUTCOMES,
    IR_MODES_AMOUNTS,
    IR_MODES_DOTS,
    IR_MODES_VIDEO,
    IR_MODES_SIMD,
    IR_MODES_TESTS,
    IR_MODES_VOTES,
    IR_MODES_SHUFFLES,
    IR_MODES_ATOMICS,
    IR_MODES_INDICES,
    IR_MODES_INTERPOLATIONS,
    IR_MODES_EMISSIONS,
    IR_MODES_PIXELS,
    IR_MODES_CLAMPS,
    IR_MODES_IMAGES,
    IR_MODES_BARRIERS,
    IR_MODES_SCOPES,
    IR_MODES_CACHES,
    IR_MODES
};

/* Members of struct ir that an operation knows. Others have the value that does nothing. */
enum ir_modifier {
    IR_HAS_ROUND = 1 << 0,
    IR_HAS_FLUSH = 1 << 1, /* and multiply_zero */
    IR_HAS_SATURATE = 1 << 2,
    IR_HAS_FLAGS = 1 << 3, /* write_flags: Z, S, C and V */
    IR_HAS_CARRY = 1 << 4, /* carry_in: C is read, and Z by what compares */
    IR_HAS_PLUS_ONE = 1 << 5,
    IR_HAS_HIGH = 1 << 6,
    IR_HAS_WRAP = 1 << 7,
    IR_HAS_REVERSE = 1 << 8,
    IR_HAS_TRUTH = 1 << 9, /* float_true */
    IR_HAS_EXTENDED = 1 << 10,
    IR_HAS_INTEGRAL = 1 << 11,
    IR_HAS_WIDE = 1 << 12,
    IR_HAS_OUTPUT = 1 << 13,
    IR_HAS_PATCH = 1 << 14,
    IR_HAS_COMPARE = 1 << 15,
    IR_HAS_COMBINE = 1 << 16,
    IR_HAS_COMBINE1 = 1 << 17,
    IR_HAS_SCALE = 1 << 18,
    IR_HAS_MERGE = 1 << 19,
    IR_HAS_SAMPLE = 1 << 20,
    IR_HAS_SPACE = 1 << 21,
    IR_HAS_ATOMIC = 1 << 22,
    IR_HAS_BANK = 1 << 23,
    IR_HAS_SHIFT = 1 << 24,
    IR_HAS_MASK = 1 << 25,
    IR_HAS_OFFSET = 1 << 26,
};

enum ir_effect {
    IR_LOADS = 1 << 0,  /* of memory */
    IR_STORES = 1 << 1, /* to memory */
    IR_TEXTURES = 1 << 2,
    IR_INPUTS = 1 << 3,  /* the stage is asked for attributes, planes or pixels */
    IR_OUTPUTS = 1 << 4, /* attributes of the stage are written */
    IR_EMITS = 1 << 5,   /* a vertex, or the end of a strip */
    IR_LANES = 1 << 6,   /* what one lane has depends on others */
    IR_JUMPS = 1 << 7,   /* not to the next instruction, unless it is guarded */
    IR_TARGET = 1 << 8,  /* `offset` is an address that lanes may go to */
    IR_PUSHES = 1 << 9,  /* an entry on the stack */
    IR_POPS = 1 << 10,   /* goes where the stack says */
    IR_ENDS = 1 << 11,   /* lanes end, if the stack says nothing else */
    IR_KILLS = 1 << 12,  /* lanes have no effect from here on */
    IR_BARRIER = 1 << 13,
    IR_REPORTS = 1 << 14, /* the host is told its name */
    IR_FLOW = 1 << 15,    /* executed by the flow, not by a function of values */
};

/* An operand of a row. */
struct ir_row_operand {
    uint8_t place;  /* enum ir_place */
    uint8_t role;   /* enum ir_role */
    uint8_t width;  /* enum ir_width */
    uint16_t modes; /* with which modes it is there */
};

enum { IR_ROW_OPERANDS = 9 };

struct ir_row {
    const char *name;
    uint8_t modes;                                   /* enum ir_modes */
    uint32_t modifiers;                              /* enum ir_modifier */
    uint32_t effects;                                /* enum ir_effect */
    struct ir_row_operand operands[IR_ROW_OPERANDS]; /* up to the first IR_PLACE_NONE */
};

/* Of an operation that exists. */
const struct ir_row *ir_row(unsigned op);
/* How many modes there are. */
unsigned ir_modes_count(enum ir_modes modes);
/* The mode of an instruction, wherever it is. */
unsigned ir_mode(const struct ir *ir);
bool ir_operand_exists(const struct ir *ir, const struct ir_row_operand *operand);
/* Registers that a value needs. */
unsigned ir_words(unsigned type);
/* Registers that an access to an image stores or gives. */
unsigned ir_image_words(const struct ir *ir);
/*
 * Values of several words begin at a multiple of their size, as the hardware insists (MISALIGNED_REG among the warp
 * errors of nouveau's gf100 engine). So none of them reaches over the register that reads 0.
 */
bool ir_is_aligned(const struct ir *ir);

/* ---- what an instruction touches ---- */

enum ir_file { IR_FILE_REGISTERS, IR_FILE_PREDICATES, IR_FILE_FLAGS };
/* Bits of IR_FILE_FLAGS. */
enum { IR_FLAG_Z = 1, IR_FLAG_S = 2, IR_FLAG_C = 4, IR_FLAG_V = 8 };

struct ir_touch {
    uint8_t file;          /* enum ir_file */
    uint8_t role;          /* enum ir_role */
    uint8_t place;         /* where it comes from; IR_PLACE_NONE: guard, test and modifiers */
    uint16_t first, count; /* registers or predicates; of flags `first` are bits */
};

enum { IR_MOST_TOUCHES = 32 };

/*
 * All registers, predicates and flags that the instruction may read, may write, or names. IR_ZERO and IR_TRUE are
 * not among them, nor what lies in a block above them. Returns how many.
 */
unsigned ir_touches(const struct ir *ir, struct ir_touch touches[IR_MOST_TOUCHES]);

/* One more than the highest register that it touches; of its own operands without what follows in their blocks. */
struct ir_extent {
    uint16_t registers, named;
};
struct ir_extent ir_extent(const struct ir *ir);

/*
 * What is wrong with an instruction; NULL: nothing. Decoders make none that is wrong, whatever the bytes are, so who
 * gets one from a decoder may assert that.
 */
const char *ir_validate(const struct ir *ir);

#endif
