/* SPDX-License-Identifier: MIT */
/*
 * The grammar of pushbuffer words as tables, for pushers, decoder, assembler, tests and fuzzers.
 *
 *   NV4   increasing, old jump                      [31:29] [17:16] [1:0] select the form
 *   NV10  + non-increasing
 *   NV1A  + jump, call, return
 *   NV40  + SLI conditional
 *   G80   + long non-increasing (IB mode; jumps and calls exist in DMA mode only)
 *   GF100 new forms: increasing, non-increasing, immediate, increase once, subdevice masks, end of segment
 *   GV100 GF100 without the old forms
 *
 * Sources: envytools docs/hw/fifo/dma-pusher.rst; NVIDIA open-gpu-doc classes/host/cl*6f.h,
 * manuals/volta/gv100/dev_ram.ref.txt.
 */
#ifndef PFIFO_SRC_GRAMMAR_GRAMMAR_H
#define PFIFO_SRC_GRAMMAR_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum grammar_form {
    FORM_INVALID,            /* no form matches: the hardware raises an error */
    FORM_NOP,                /* GF100: the all-zero word */
    FORM_INCREASING,         /* header: count data words follow, to method, method+4, ... */
    FORM_NONINCREASING,      /* header: count data words follow, all to method */
    FORM_INCREASE_ONCE,      /* GF100 header: first to method, the rest to method+4 */
    FORM_LONG_NONINCREASING, /* G80 IB: the next word is the count */
    FORM_IMMEDIATE,          /* GF100: one method, its data is in the header */
    FORM_OLD_JUMP,           /* jump within 29 bits */
    FORM_JUMP,
    FORM_CALL,
    FORM_RETURN,
    FORM_SLI_CONDITIONAL, /* NV40, G80: methods are dropped if mask and SLI mask have no common bit */
    FORM_SET_SUBDEVICE,   /* GF100 SET_SUBDEVICE_MASK */
    FORM_STORE_SUBDEVICE, /* GF100 STORE_SUBDEVICE_MASK */
    FORM_USE_SUBDEVICE,   /* GF100 USE_SUBDEVICE_MASK */
    FORM_END_SEGMENT,     /* GF100: the rest of the segment is dropped */
    FORM_COUNT,
};

/* The modes in which a row applies. A row without any always applies. */
#define GRAMMAR_DMA 0x1u /* only when IB mode is off */
#define GRAMMAR_IB  0x2u /* only when IB mode is on */
#define GRAMMAR_SLI 0x4u /* only when SLI is enabled */
#define GRAMMAR_OLD 0x8u /* GF100: only when old forms are allowed (CMD_TYPES) */

struct grammar_row {
    uint32_t mask, match; /* word & mask == match; the first row that matches and applies wins */
    uint8_t form;         /* enum grammar_form */
    uint8_t layout;       /* index into grammar_layouts: where the fields are */
    uint8_t when;         /* GRAMMAR_*: all of them must hold */
};

enum grammar_layout_index {
    LAYOUT_NONE,
    LAYOUT_NV4_METHODS,
    LAYOUT_NV4_OLD_JUMP,
    LAYOUT_NV1A_JUMP,
    LAYOUT_NV40_MASK,
    LAYOUT_G80_LONG,
    LAYOUT_GF100_METHODS,
    LAYOUT_GF100_IMMEDIATE,
    LAYOUT_COUNT,
};

/* Where the fields of a header are. */
struct grammar_layout {
    uint8_t count_shift, count_bits;
    uint8_t subchannel_shift;
    uint8_t method_shift, method_bits; /* of the method in words (byte offset / 4) */
    uint8_t data_shift, data_bits;     /* immediate data, or subdevice mask */
    uint32_t target_mask;              /* jumps */
};

/*
 * LAYOUT_NV4_METHODS, LAYOUT_GF100_METHODS and LAYOUT_GF100_IMMEDIATE again, as constants for loops that decode packet
 * after packet: grammar.c makes its rows of these.
 */
enum {
    GRAMMAR_SUBCHANNEL_SHIFT = 13,
    NV4_COUNT_SHIFT = 18,
    NV4_COUNT_BITS = 11,
    NV4_METHOD_SHIFT = 2,
    NV4_METHOD_BITS = 11,
    GF100_COUNT_SHIFT = 16, /* and immediate data */
    GF100_COUNT_BITS = 13,
    GF100_METHOD_SHIFT = 0,
    GF100_METHOD_BITS = 12,
};
#define NV4_NONINCREASING   0x40000000u
#define GF100_INCREASING    0x20000000u
#define GF100_NONINCREASING 0x60000000u
#define GF100_IMMEDIATE     0x80000000u

struct grammar {
    const char *name;
    const struct grammar_row *rows;
    size_t count;
    uint8_t method_bits;   /* method numbers wrap at this width (in words) */
    bool refuses_overruns; /* a header that runs over the last method is refused as a whole */
};

extern const struct grammar_layout grammar_layouts[];
extern const struct grammar grammar_nv4, grammar_nv10, grammar_nv1a, grammar_nv40, grammar_g80, grammar_gf100,
    grammar_gv100;

/* A decoded word. Fields that the form does not have are 0. */
struct grammar_word {
    enum grammar_form form;
    uint8_t subchannel;
    uint16_t method; /* byte offset */
    uint32_t count;  /* data words that follow */
    uint32_t target; /* jump or call */
    uint32_t data;   /* immediate data or subdevice mask */
};

/* Decode one word. `mode`: the GRAMMAR_* conditions that hold now. */
enum grammar_form grammar_decode(const struct grammar *grammar, unsigned mode, uint32_t word, struct grammar_word *out);

/* The reverse: the word for a form, false if the grammar (in this mode) has no such form. */
bool grammar_encode(const struct grammar *grammar, unsigned mode, const struct grammar_word *in, uint32_t *word);

/* The same for a channel in whatever mode: with a ring, or else without. */
bool grammar_encode_any(const struct grammar *grammar, const struct grammar_word *in, uint32_t *word);

/* "increasing", "return" ... constant text for traces and the decoder. */
const char *grammar_form_name(enum grammar_form form);

/* The form of that name, FORM_COUNT: there is none. */
enum grammar_form grammar_form_by_name(const char *name);

/* The method of data word `index` of a packet whose header says `method`, at the width of the grammar. */
uint32_t grammar_method_of(const struct grammar *grammar, enum grammar_form form, uint32_t method, uint32_t index);

/*
 * A decoder for the hot path: the row for a word from 7 of its bits ([31:29] [17:16] [1:0]) where
 * these decide alone, else GRAMMAR_SLOW, which means grammar_decode() has to look.
 */
#define GRAMMAR_SLOW 0xff
struct grammar_index {
    uint8_t row[128];
};
void grammar_make_index(const struct grammar *grammar, unsigned mode, struct grammar_index *index);

static inline unsigned grammar_key(uint32_t word) {
    return (word >> 29) << 4 | (word >> 14 & 0xc) | (word & 3);
}

/* The opposite: a word with this key and zeros everywhere else. */
static inline uint32_t grammar_key_word(unsigned key) {
    return (uint32_t)(key >> 4) << 29 | (uint32_t)(key >> 2 & 3) << 16 | (key & 3);
}

#endif
