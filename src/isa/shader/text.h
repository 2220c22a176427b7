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
    SAY_PARTS,    /* of IMADSP: parts of the sources at `at`, a and b: three bits, two, two */
    SAY_PAIR,     /* ".U8.64": types of two loads in one */
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
    SAY_SHORT,       /* "-R0", or a word of a bank, by the two bits at b; a: negated */
    /* ---- the second and third source, where and what the row's form says ---- */
    SAY_B,     /* as SAY_FROM; at: it is kept for the next instruction as the third one is */
    SAY_B_NOT, /* as SAY_FROM_NOT */
    SAY_C,     /* as SAY_FROM */
    /* ---- numbers ---- */
    SAY_CONSTANT, /* "c[0x0][0x10]", bank and words at `at`; a, b, c as of SAY_FROM */
    SAY_UNSIGNED, /* "0x10", shifted left by c; a: inverted, b: negated */
    SAY_SIGNED,   /* "-0x10", whose upper bits are those at a, b wide; c: negated */
    SAY_UNLESS,   /* as SAY_UNSIGNED, left out if it is a; b, if not 0: and if bit b is clear */
    SAY_FLOAT,    /* 32 bits; a: negated, b: absolute */
    SAY_HALVES,   /* two of 16 bits, the upper first; a: 10 bits of each, as pairs of immediates have them */
    SAY_SIGNS,    /* of FSWZADD: "PPNPZPPN" */
    SAY_BARRIERS, /* "{3,1}": bits; left out if there are none */
    SAY_NAME,     /* a name alone */
    SAY_NAME_BY,  /* a name of one table if the register at a is RZ, else of the next table */
    SAY_SPECIAL,  /* "SR_TID.X" */
    /* ---- predicates ---- */
    SAY_PD,        /* that is written, whose upper bit is at b, if not 0 */
    SAY_PD_UNLESS, /* the same, left out if it is PT */
    SAY_P,         /* that is read; a: negated */
    SAY_P_UNLESS,  /* the same, left out if it is PT */
    SAY_P_NOT,     /* stored inverted; left out if it is PT */
    SAY_TEST,      /* "CC.LT", left out if it is true */
    /* ---- memory and places ---- */
    /* places have the upper bits of their offset at c, `names` wide */
    SAY_ADDRESS,   /* "[R0+0x10]", register as the first source; shifted left by a; without register unsigned if b */
    SAY_ATTRIBUTE, /* "a[R0+0x80]", shifted left by a; b: no register */
    SAY_INDEXED,   /* "c[0x0][R0+0x10]", offset at `at`, bank at a; b: no register */
    SAY_LOADED,    /* as SAY_ADDRESS, of two loads in one: register at a, scaled as SAY_PAIR says; b: of the second */
    SAY_RELATIVE,  /* target, from the next instruction, b bytes on, 0: 8; shifted left by a */
    SAY_ABSOLUTE,  /* target */
    SAY_DISTANCE,  /* " -0x400" after a register; left out if it is 0 and a is set */
    /* ---- nothing ---- */
    SAY_IGNORED,   /* the row says why */
    SAY_UNGUARDED, /* the bits of a guard are of other fields */
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
    FORM_BY_SIZE, /* a single, double, or integer, by the size that a conversion has */
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

struct isa_text_table {
    const struct isa_text_row *rows;
    size_t count;
};

enum { ISA_TEXT_TABLES = 2 };

/* What an instruction set has. */
struct isa_texts {
    struct isa_text_table tables[ISA_TEXT_TABLES]; /* the first row that matches is the one */
    const struct isa_texts *halves; /* of instructions of 4 bytes, which have bit 3; NULL: there are none */
    uint8_t registers;              /* bits of the number of a register; all ones: RZ */
    uint8_t guard;                  /* where the predicate of an instruction is, its negation after it */
    uint8_t a, b, c;                /* where registers of sources are; at b also constants and immediates */
    uint8_t sign;                   /* upper bit of an immediate, of which 19 are at b */
    uint8_t size;                   /* where the size of a value is that is converted: two bits */
    uint8_t kind_a, kind_b;         /* where the parts of video sources are: three bits */
    /* a constant that is a source: the 14 bits of its word, its bank, the upper bit of that (0: none) */
    struct isa_text_constant {
        uint8_t word, bank, bank_width, bank_top;
    } constant;
    uint8_t bank_width; /* of a bank that is indexed */
    /* a word for the scheduler */
    void (*control)(struct isa_line *line, uint64_t word);
    /* which sources the instruction at `address` keeps, a bit each, by the word for the scheduler before it */
    unsigned (*reused)(uint64_t control, uint64_t address);
};

extern const struct isa_texts isa_gf100_texts, isa_gf100k_texts, isa_gk110_texts, isa_gm107_texts;

/* What the instruction at a word is of: `texts`, or its halves. */
const struct isa_texts *isa_texts_of(const struct isa_texts *texts, uint64_t word);

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
/* gf100_short_text_rows.c */
extern const struct isa_texts gf100_short_texts;
/* gf100_text.c: which types of loads SAY_PAIR has, and the logarithms of their sizes */
struct gf100_pair {
    uint8_t type, uniform, size, uniform_size;
};
struct gf100_pair gf100_text_pair(unsigned code);
void gf100_text_control(struct isa_line *line, uint64_t control);
/* names.c: NULL: the value has no name */
const char *isa_name(unsigned table, uint64_t value);

#endif
