/* SPDX-License-Identifier: MIT */
/*
 * Instructions as text, from their encoding alone: for each encoding a row with the name, and what is said in NVIDIA's
 * order, each part with its bits.
 *
 *   word --> first row that matches --> FADD | .FTZ @44 | .RM @39 | .SAT @50 | R0 @0 | -|R1| @8 | ... --> text
 *
 * Bits of a word that its row does not mention follow as they are: "EXIT {+0x100}". The text loses nothing of a word,
 * except for what a row calls ignored.
 */
#ifndef PFIFO_SRC_ISA_SHADER_TEXT_H
#define PFIFO_SRC_ISA_SHADER_TEXT_H

#include "isa/shader/isa.h"
#include "isa/shader/line.h"

/* Names by value: tables of text_names.def. */
enum isa_names {
    ISA_NAMES_NONE,
#define NAMES(table, ...) ISA_NAMES_##table,
#include "isa/shader/text_names.def"
#undef NAMES
    ISA_NAMES_COUNT
};

/* What is said. Operands begin with a blank or comma; what else a rule needs is in `a`, `b` and `c`. */
enum isa_say_rule {
    SAY_END,
    /* ---- modifiers ---- */
    SAY_DOT,      /* ".NAME" of the value, whose upper bits are those at a, b wide */
    SAY_PLUS_ONE, /* ".PO" if both bits, at and a, are set: then they are no signs */
    SAY_KINDS,    /* of video: types of both sources; signs at and a (0: unsigned), b: register @b */
    SAY_PARTS,    /* of IMADSP */
    SAY_TEXTURE,  /* ".T", ".P": what the control word says of a texture */
    /* ---- registers: the part is `names` of the bits at c, `width` wide ---- */
    SAY_TO,          /* "R0.CC": a register that is written; a: ".CC" */
    SAY_TO_UNLESS,   /* the same, left out if it is RZ */
    SAY_FROM,        /* "-|R0.H1|.reuse"; a: negated, b: absolute */
    SAY_FROM_UNLESS, /* the same, left out if it is RZ */
    SAY_FROM_NOT,    /* "~R0"; a: inverted */
    SAY_NEXT,        /* the register after that at `at`; two after, if bit a is set */
    SAY_OR,          /* register, or the `width` bits at b if bit a is set */
    SAY_COUNT,       /* register, or all bits if bit a is set, left out if these are 0 */
    /* ---- the second and third source, where and what the row's form says ---- */
    SAY_B,     /* as SAY_FROM; at: it is kept for the next instruction as the third one is */
    SAY_B_NOT, /* as SAY_FROM_NOT */
    SAY_C,     /* as SAY_FROM */
    /* ---- numbers ---- */
    SAY_CONSTANT, /* "c[0x0][0x10]", bank and words at `at`; a, b, c as of SAY_FROM */
    SAY_UNSIGNED, /* "0x10"; a: inverted, b: negated */
    SAY_SIGNED,   /* "-0x10" */
    SAY_UNLESS,   /* as SAY_UNSIGNED, left out if it is a; b, if not 0: and if bit b is clear */
    SAY_FLOAT,    /* 32 bits; a: negated, b: absolute */
    SAY_HALVES,   /* two of 16 bits, the upper first; a: 10 bits of each, as pairs of immediates have them */
    SAY_SIGNS,    /* of FSWZADD: "PPNPZPPN" */
    SAY_BARRIERS, /* "{3,1}": bits; left out if there are none */
    SAY_NAME,     /* a name alone */
    SAY_NAME_BY,  /* a name of one table if the register at a is RZ, else of the next table */
    SAY_SPECIAL,  /* "SR_TID.X" */
    /* ---- predicates ---- */
    SAY_PD,        /* that is written */
    SAY_PD_UNLESS, /* the same, left out if it is PT */
    SAY_P,         /* that is read; a: negated */
    SAY_P_UNLESS,  /* the same, left out if it is PT */
    SAY_P_NOT,     /* stored inverted; left out if it is PT */
    SAY_TEST,      /* "CC.LT", left out if it is true */
    /* ---- memory and places ---- */
    SAY_ADDRESS,   /* "[R0+0x10]", register at 8; shifted left by a; without register unsigned if b */
    SAY_ATTRIBUTE, /* "a[R0+0x80]" */
    SAY_INDEXED,   /* "c[0x0][R0+0x10]", offset at `at`, bank at a; b: no register */
    SAY_RELATIVE,  /* target, from the next instruction */
    SAY_ABSOLUTE,  /* target */
    SAY_DISTANCE,  /* " -0x400" after a register; left out if it is 0 and a is set */
    /* ---- nothing ---- */
    SAY_IGNORED, /* the row says why */
};

/* Where the second and third source are. */
enum isa_form {
    FORM_NONE,
    FORM_REGISTER, /* registers both */
    FORM_CONSTANT, /* the second is in constant memory */
    FORM_SWAPPED,  /* the third is, and the second is where the third was */
    FORM_INT,      /* the second is an immediate */
    FORM_SINGLE,
    FORM_DOUBLE,
};

struct isa_say {
    uint8_t rule, names, at, width, a, b, c;
};

enum { ISA_SAYS = 20 };

struct isa_text_row {
    const char *name;
    uint64_t value, mask;
    uint8_t form;
    struct isa_say say[ISA_SAYS]; /* up to SAY_END */
};

/* What an instruction set has. */
struct isa_texts {
    const struct isa_text_row *rows;
    size_t count;
    uint8_t guard;   /* where the predicate of an instruction is, its negation after it */
    uint8_t a, b, c; /* where registers of sources are; at b also a constant, words in [13:0], bank in [18:14] */
    uint8_t sign;    /* upper bit of an immediate, of which 19 are at b */
    uint8_t size;    /* where the size of an integer is that is converted: two bits */
    /* a word for the scheduler */
    void (*control)(struct isa_line *line, uint64_t word);
    /* which sources the instruction at `address` keeps, a bit each, by the word for the scheduler before it */
    unsigned (*reused)(uint64_t control, uint64_t address);
};

/* Of GK110, what has no row is said by its operations: textures, video, surfaces. */
extern const struct isa_texts isa_gm107_texts, isa_gk110_texts;

/* The row of a word. NULL: none. */
const struct isa_text_row *isa_text_row(const struct isa_texts *texts, uint64_t word);

/* The bits of a word that its row mentions; `ignored`: only those that it ignores. */
uint64_t isa_text_bits(const struct isa_texts *texts, const struct isa_text_row *row, uint64_t word, bool ignored);

/* ---- inside ---- */

struct isa_saying {
    struct isa_line *line;
    const struct isa_texts *texts;
    const struct isa_text_row *row;
    uint64_t word, address;
    unsigned reused;
    bool plus_one;
};

/* text_operand.c; text_operand.h has the rest */
void isa_say_operand(struct isa_saying *saying, const struct isa_say *say);
uint64_t isa_form_bits(const struct isa_texts *texts, enum isa_form form, bool third);
/* text_number.c: as nvdisasm prints them; what no digits can say has its bits behind it */
void isa_say_double(struct isa_line *line, uint64_t bits);
void isa_say_single(struct isa_line *line, uint32_t bits);
void isa_say_half(struct isa_line *line, uint32_t bits);
/* gm107_text.c: as struct isa_texts has them */
unsigned gm107_text_reused(uint64_t control, uint64_t address);
void gm107_text_control(struct isa_line *line, uint64_t control);
/* names.c: NULL: the value has no name */
const char *isa_name(unsigned table, uint64_t value);

#endif
