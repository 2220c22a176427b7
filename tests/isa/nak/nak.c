/* SPDX-License-Identifier: MIT */
#include "isa/nak/nak.h"
#include "isa/shader/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The units of SM 2.0, in the lowest three bits. */
enum { FLOAT, DOUBLE, IMM32, INT, MOVE, MEM, TEXTURE, EXEC };

/* clang-format off */
static const struct nak_row sm20[] = {
#include "isa/nak/sm20.inc"
};
static const struct nak_row sm32[] = {
#include "isa/nak/sm32.inc"
};
static const struct nak_row sm50[] = {
#include "isa/nak/sm50.inc"
};
/* clang-format on */

#define LIST(rows) rows, sizeof(rows) / sizeof((rows)[0])
const struct nak_set nak_sets[NAK_SETS] = {
    {"sm20", &isa_gf100k, LIST(sm20), 10, 6, 19, 16, 4, 1},
    {"sm32", &isa_gk110, LIST(sm32), 18, 8, 36, 14, 5, 4},
    {"sm50", &isa_gm107, LIST(sm50), 16, 8, 36, 14, 5, 4},
};

/* What a field has: values of a list, or numbers of something. */
enum class {
    LISTED,
    ALWAYS,
    REGISTER,
    PREDICATE,
    SPLIT_PREDICATE,
    SOURCE_PREDICATE,
    NUMBER,
    WORDS,
    SIGNED,
    SPECIAL,
    INTEGER20,
    FLOAT20,
    DOUBLE20,
    FLOAT32,
    CONSTANT,
    WORD_CONSTANT,
    RELATIVE
};

/* Of LISTED, `values` are "number=text" or "number". */
struct nak_kind {
    const char *name;
    uint8_t class, width;
    const char *values;
};

#define COMPARISONS "1=.LT 2=.EQ 3=.LE 4=.GT 5=.NE 6=.GE"
static const struct nak_kind kinds[] = {
    {"d", REGISTER, 0, NULL},
    {"a", REGISTER, 0, NULL},
    {"b", REGISTER, 0, NULL},
    {"c", REGISTER, 0, NULL},
    {"pd", PREDICATE, 3, NULL},
    {"pd2", SPLIT_PREDICATE, 0, NULL},
    {"ps", SOURCE_PREDICATE, 4, NULL},
    {"i20", INTEGER20, 0, NULL},
    {"f20", FLOAT20, 0, NULL},
    {"d20", DOUBLE20, 0, NULL},
    {"f32", FLOAT32, 32, NULL},
    {"cb", CONSTANT, 0, NULL},
    {"cbw", WORD_CONSTANT, 0, NULL},
    {"rel", RELATIVE, 24, NULL},
    {"sr", SPECIAL, 8, NULL},
    {"u5", NUMBER, 5, NULL},
    {"u6", NUMBER, 6, NULL},
    {"u8", NUMBER, 8, NULL},
    {"u10", NUMBER, 10, NULL},
    {"u11", NUMBER, 11, NULL},
    {"u13", NUMBER, 13, NULL},
    {"u16", NUMBER, 16, NULL},
    {"u17", NUMBER, 17, NULL},
    {"u20", NUMBER, 20, NULL},
    {"w22", WORDS, 22, NULL},
    {"u24", NUMBER, 24, NULL},
    {"u32", NUMBER, 32, NULL},
    {"i32", NUMBER, 32, NULL},
    {"s6", SIGNED, 6, NULL},
    {"bank", NUMBER, 5, NULL},
    /* always the same */
    {"rz", ALWAYS, 0, "255"},
    {"true", ALWAYS, 4, "7"},
    {"none", ALWAYS, 3, "7"},
    {"zero", ALWAYS, 1, "0"},
    {"one", ALWAYS, 1, "1"},
    {"two", ALWAYS, 3, "2"},
    {"layers", ALWAYS, 3, "3"},
    {"three", ALWAYS, 2, "3"},
    {"half", ALWAYS, 2, "1"},
    {"single", ALWAYS, 2, "2"},
    {"double", ALWAYS, 2, "3"},
    {"phase", ALWAYS, 2, "2"},
    {"test", ALWAYS, 4, "15"},
    /* hints */
    {"hint", LISTED, 1, "0 1"},
    {"hint2", LISTED, 2, "0 1 2 3"},
    {"hint4", LISTED, 4, "0 1 15"},
    {"hint6", LISTED, 6, "0 1 63"},
    /* modifiers */
    {"rnd", LISTED, 2, "0 1=.RM 2=.RP 3=.RZ"},
    {"rint", LISTED, 2, "0=.ROUND 1=.FLOOR 2=.CEIL 3=.TRUNC"},
    {"whole", LISTED, 2, "0 1=.FLOOR 2=.CEIL 3=.TRUNC"},
    {"ftz", LISTED, 1, "0 1=.FTZ"},
    {"flush", LISTED, 2, "0 1=.FTZ 2=.FMZ"},
    {"sat", LISTED, 1, "0 1=.SAT"},
    {"neg", LISTED, 1, "0 1=-"},
    {"abs", LISTED, 1, "0 1=|"},
    {"not", LISTED, 1, "0 1=~"},
    {"cc", LISTED, 1, "0 1=.CC"},
    {"x", LISTED, 1, "0 1=.X"},
    {"hi", LISTED, 1, "0 1=.HI"},
    {"w", LISTED, 1, "0 1=.W"},
    {"bf", LISTED, 1, "1=.BF"},
    {"brev", LISTED, 1, "0 1=.BREV"},
    {"s32", LISTED, 1, "1 0=.U32"},
    {"signed", LISTED, 1, "1 0"},
    {"sh", LISTED, 1, "0 1=.SH"},
    {"h1", LISTED, 1, "0 1=.H1"},
    {"rro", LISTED, 1, "0=.SINCOS 1=.EX2"},
    {"mufu", LISTED, 4, "0=.COS 1=.SIN 2=.EX2 3=.LG2 4=.RCP 5=.RSQ 6=.RCP64H 7=.RSQ64H"},
    {"mufu9", LISTED, 4, "0=.COS 1=.SIN 2=.EX2 3=.LG2 4=.RCP 5=.RSQ 6=.RCP64H 7=.RSQ64H 8=.SQRT"},
    {"fcmp", LISTED, 4, COMPARISONS " 7=.NUM 8=.NAN 9=.LTU 10=.EQU 11=.LEU 12=.GTU 13=.NEU 14=.GEU"},
    {"icmp", LISTED, 3, COMPARISONS " 0=.F 7=.T"},
    {"bop", LISTED, 2, "0=.AND 1=.OR 2=.XOR"},
    {"lop", LISTED, 2, "0=.AND 1=.OR 2=.XOR 3=.PASS_B"},
    {"swz", LISTED, 8, "0=PPPPPPPP 27=PPNPPNZP 228=ZPPNNPPP 255=ZPZPZPZP 78=NPPPZPPN"},
    {"quad", LISTED, 3, "0=.0000 1=.1111 2=.2222 3=.3333 4=.1032 5=.2301"},
    {"prmt", LISTED, 3, "0 1=.F4E 2=.B4E 3=.RC8 4=.ECL 5=.ECR 6=.RC16"},
    {"shf", LISTED, 2, "0 2=.U64 3=.S64"},
    {"shfl", LISTED, 2, "0=.IDX 1=.UP 2=.DOWN 3=.BFLY"},
    {"vote", LISTED, 2, "0=.ALL 1=.ANY 2=.EQ"},
    {"lanes", LISTED, 4, "15 1=0x1 6=0x6 8=0x8"},
    {"ftype", LISTED, 2, "2=.F32 1=.F16 3=.F64"},
    {"isize", LISTED, 2, "2 0 1 3"},
    {"spa", LISTED, 2, "0 1 2 3"},
    {"spb", LISTED, 1, "0 1"},
    {"spc", LISTED, 2, "0 1 2"},
    /* memory */
    {"mem", LISTED, 3, "4 0=.U8 1=.S8 2=.U16 3=.S16 5=.64 6=.128"},
    {"wide", LISTED, 1, "0 1=.E"},
    {"u64", LISTED, 1, "0 1=.64"},
    {"atype", LISTED, 3, "0 1=.S32 2=.U64 3=.F32 5=.S64"},
    {"stype", LISTED, 2, "0 1=.S32 2=.U64 3=.S64"},
    {"atom", LISTED, 4, "0=.ADD 1=.MIN 2=.MAX 3=.INC 4=.DEC 5=.AND 6=.OR 7=.XOR 8=.EXCH"},
    {"atom8", LISTED, 3, "0=.ADD 1=.MIN 2=.MAX 3=.INC 4=.DEC 5=.AND 6=.OR 7=.XOR"},
    {"minmax", LISTED, 4, "1=.MIN 2=.MAX"},
    {"ldc", LISTED, 2, "0 1=.IL 2=.IS 3=.ISL"},
    {"cctl", LISTED, 4, "0=.QRY1 1=.PF1 2=.PF1.5 3=.PF2 4=.WB 5=.IV 6=.IVALL 7=.RS"},
    {"cctl5", LISTED, 5, "0=.QRY1 1=.PF1 2=.PF1.5 3=.PF2 4=.WB 5=.IV 6=.IVALL 7=.RS 8=.WBALL 9=.RSLB"},
    {"membar", LISTED, 2, "0=.CTA 1=.GL 2=.SYS"},
    /* stages */
    {"words", LISTED, 2, "0 1=.64 2=.96 3=.128"},
    {"patch", LISTED, 1, "0 1=.P"},
    {"out", LISTED, 1, "0 1=.O"},
    {"ipa", LISTED, 2, "0=.PASS 1=.MUL 2=.CONSTANT 3=.SC"},
    {"sample", LISTED, 2, "0 1=.CENTROID 2=.OFFSET"},
    {"pix", LISTED, 3, "0=.COUNT 1=.COVMASK 2=.COVERED 3=.OFFSET 4=.CENT_OFFSET 5=.MY_INDEX"},
    {"pix1", LISTED, 3, "1=.COVMASK 2=.COVERED 3=.OFFSET 4=.CENT_OFFSET 5=.MY_INDEX"},
    {"emit", LISTED, 2, "1=.EMIT 2=.CUT 3=.EMIT_THEN_CUT"},
    /* textures */
    {"dim", LISTED, 3, "2=2D 0=1D 1=ARRAY_1D 3=ARRAY_2D 4=3D 6=CUBE 7=ARRAY_CUBE"},
    {"fetch", LISTED, 3, "2=2D 0=1D 1=ARRAY_1D 3=ARRAY_2D 4=3D"},
    {"flat", LISTED, 3, "2=2D 0=1D 1=ARRAY_1D 3=ARRAY_2D"},
    {"mask", LISTED, 4, "15 1 2 4 8 3 5 6 14"},
    {"pair", LISTED, 4, "3 1 2"},
    {"lod", LISTED, 3, "0 1=.LZ"},
    {"lodz", LISTED, 2, "0 1=.LZ"},
    {"explicit", LISTED, 3, "3=.LL 2=.LB"},
    {"lod2", LISTED, 2, "3=.LL 2=.LB"},
    {"ll", LISTED, 1, "1=.LL 0=.LZ"},
    {"aoffi", LISTED, 1, "0 1=.AOFFI"},
    {"dc", LISTED, 1, "0 1=.DC"},
    {"ms", LISTED, 1, "0 1=.MS"},
    {"offsets", LISTED, 2, "1=.AOFFI 2=.PTP"},
    {"comp", LISTED, 2, "0=.R 1=.G 2=.B 3=.A"},
    {"query", LISTED, 6, "1=TEX_HEADER_DIMENSION 2=TEX_HEADER_TEXTURE_TYPE 5=TEX_HEADER_SAMPLER_POS"},
    {"query3", LISTED, 3, "0=TEX_HEADER_DIMENSION 1=TEX_HEADER_TEXTURE_TYPE 2=TEX_HEADER_SAMPLER_POS"},
    /* images */
    {"clamp", LISTED, 4,
     "0=.SD.R1 1=.SD.R2 2=.SD.R4 3=.SD.R8 4=.SD.R16 5=.PL.R1 6=.PL.R2 7=.PL.R4 8=.PL.R8 9=.PL.R16 10=.BL.R1 "
     "11=.BL.R2 12=.BL.R4 13=.BL.R8 14=.BL.R16"},
    {"twod", LISTED, 1, "0 1=.2D"},
    {"threed", LISTED, 1, "0 1=.3D"},
    {"raw", LISTED, 2, "0=.U32 1=.S32 2=.U8 3=.S8"},
    {"chans", LISTED, 4, "15=.RGBA 1=.R 3=.RG 8=.A 5=.RB"},
    {"images", LISTED, 4, "15 1=.R 3=.RG"},
    {"image", LISTED, 3, "0=.1D 1=.1D_BUFFER 2=.1D_ARRAY 3=.2D 4=.2D_ARRAY 5=.3D"},
};

static const struct nak_kind *kind_of(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strlen(kinds[i].name) == length && !memcmp(kinds[i].name, name, length))
            return &kinds[i];
    fprintf(stderr, "no kind %.*s\n", (int)length, name);
    abort();
}

unsigned nak_fields(const struct nak_set *set, const struct nak_row *row, struct nak_field fields[NAK_FIELDS]) {
    unsigned count = 0;
    bool is_plain = row->fields[0] == '!';
    fields[count++] = (struct nak_field){kind_of(is_plain ? "true" : "ps", is_plain ? 4 : 2), set->guard, 0};
    for (const char *at = row->fields + strspn(row->fields, "! "); *at;) {
        size_t length = strcspn(at, "@");
        char *end;
        assert(count < NAK_FIELDS && at[length]);
        fields[count] =
            (struct nak_field){kind_of(at, length), (uint8_t)strtoul(at + length + 1, &end, 10), (uint8_t)count};
        count++;
        at = end + strspn(end, " ");
    }
    return count;
}

/* The entry of a list. */
static const char *entry(const struct nak_kind *kind, unsigned choice) {
    const char *at = kind->values;
    for (; choice; choice--) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    return at;
}

unsigned nak_choices(const struct nak_field *field) {
    switch (field->kind->class) {
    case ALWAYS:
        return 1;
    case SOURCE_PREDICATE:
        return 3;
    case LISTED: {
        unsigned count = 1;
        for (const char *at = field->kind->values; *at; at++)
            count += *at == ' ';
        return count;
    }
    default:
        return 2;
    }
}

/* The number of a choice: of a register, a predicate, an immediate. Those of different fields differ. */
static uint32_t number_of(const struct nak_field *field, unsigned choice) {
    unsigned n = field->number;
    switch (field->kind->class) {
    case REGISTER: /* multiples of 4, below 63 */
        return 4 * (n % 6 + 1) + (choice ? 32 : 0);
    case PREDICATE:
    case SPLIT_PREDICATE:
        return choice ? n % 7 : (n + 3) % 7;
    case SOURCE_PREDICATE:
        return choice == 0 ? IR_TRUE : choice == 1 ? n % 7 : 8 + (n + 2) % 7;
    case INTEGER20:
    case FLOAT20:
    case DOUBLE20:
        return choice ? 0xa5434 : 0x5a218;
    case CONSTANT:
    case WORD_CONSTANT:
        return choice ? 0x3a8 : 0x124;
    case SPECIAL:
        return choice ? 0x51 : 0x20;
    case RELATIVE:
        return choice ? (uint32_t)-0x40 & 0xffffff : 0x1238;
    default: { /* offsets of memory are multiples of 4, and small */
        uint32_t most = field->kind->width < 32 ? (1u << field->kind->width) - 1 : UINT32_MAX;
        return (choice ? 0x6c4 : 0x98) & (most >> 1);
    }
    }
}

static uint64_t mask_of(unsigned width) {
    return UINT64_MAX >> (64 - width);
}

static uint64_t put(const struct nak_set *set, const struct nak_field *field, uint32_t number, unsigned bank) {
    uint64_t value = number;
    switch (field->kind->class) {
    case INTEGER20:
    case FLOAT20:
    case DOUBLE20:
        value = (value & 0x7ffff) | (value >> 19 & 1) << set->sign;
        break;
    case CONSTANT:
        value = value / set->scale | (uint64_t)(bank & mask_of(set->bank)) << set->offset;
        break;
    case WORD_CONSTANT:
        value = value / 4 | (uint64_t)(bank & 31) << 14;
        break;
    case SPLIT_PREDICATE: /* bits 9 and 8, and 58 */
        value = (value & 3) | (value >> 2) << 50;
        break;
    default:
        value &= mask_of(field->kind->width ? field->kind->width : set->registers);
    }
    return value << field->at;
}

uint64_t nak_bits(const struct nak_set *set, const struct nak_field *field, unsigned choice) {
    uint32_t number =
        field->kind->values ? (uint32_t)strtoul(entry(field->kind, choice), NULL, 10) : number_of(field, choice);
    return put(set, field, number, choice + 3);
}

void nak_token(const struct nak_set *set, const struct nak_field *field, unsigned choice, char text[NAK_TEXT]) {
    uint32_t number = number_of(field, choice);
    struct isa_line line = isa_line_begin(text, NAK_TEXT);
    switch (field->kind->class) {
    case LISTED: {
        const char *at = entry(field->kind, choice);
        size_t length = strcspn(at, " "), equals = strcspn(at, "=");
        if (equals < length)
            snprintf(text, NAK_TEXT, "%.*s", (int)(length - equals - 1), at + equals + 1);
        break;
    }
    case REGISTER:
        snprintf(text, NAK_TEXT, "R%u", number);
        break;
    case PREDICATE:
    case SPLIT_PREDICATE:
        snprintf(text, NAK_TEXT, "P%u", number);
        break;
    case SOURCE_PREDICATE:
        if (number != IR_TRUE)
            snprintf(text, NAK_TEXT, "%sP%u", number & 8 ? "!" : "", number & 7);
        break;
    case INTEGER20:
        isa_line_number(&line, number >> 19 ? (int64_t)number - 0x100000 : number);
        break;
    case FLOAT20:
        isa_say_single(&line, number << 12);
        break;
    case DOUBLE20:
        isa_say_double(&line, (uint64_t)number << 44);
        break;
    case FLOAT32:
        isa_say_single(&line, number);
        break;
    case CONSTANT:
    case WORD_CONSTANT:
        snprintf(text, NAK_TEXT, "c[0x%x][0x%x]", choice + 3, number);
        break;
    case RELATIVE: /* of the instruction at 8 */
        if (choice)
            snprintf(text, NAK_TEXT, "-0x30");
        else
            snprintf(text, NAK_TEXT, "0x%x", number + 16);
        break;
    case SPECIAL:
        snprintf(text, NAK_TEXT, "%s", number == 0x51 ? "SR_CLOCKHI" : "SR_TID");
        break;
    case NUMBER:
        snprintf(text, NAK_TEXT, "0x%x", number);
        break;
    case WORDS:
        snprintf(text, NAK_TEXT, "0x%x", 4 * number);
        break;
    default:
        break;
    }
    (void)set;
}

static uint32_t some_number(const struct nak_field *field, struct choice *c) {
    switch (field->kind->class) {
    case REGISTER:
        return choice_below(c, 4) ? choice_below(c, 48) : choice_word(c);
    case PREDICATE:
    case SPLIT_PREDICATE:
        return choice_below(c, 8);
    case SOURCE_PREDICATE:
        return choice_below(c, 16);
    case CONSTANT:
    case WORD_CONSTANT:
        return 4 * choice_below(c, 0x4000);
    case INTEGER20:
    case FLOAT20:
    case DOUBLE20:
        return choice_word(c) & 0xfffff;
    case FLOAT32:
    case NUMBER:
        return choice_once_in(c, 2) ? choice_below(c, 40) : choice_word(c);
    default:
        return number_of(field, choice_below(c, 2));
    }
}

uint64_t nak_some_word(const struct nak_set *set, const struct nak_row *row, struct choice *c) {
    struct nak_field fields[NAK_FIELDS];
    unsigned count = nak_fields(set, row, fields);
    uint64_t word = row->value;
    for (unsigned i = 0; i < count; i++) {
        bool usual = fields[i].kind->values || (!i && !choice_once_in(c, 4));
        word |= usual ? nak_bits(set, &fields[i], i ? choice_below(c, nak_choices(&fields[i])) : 0)
                      : put(set, &fields[i], some_number(&fields[i], c), choice_below(c, 16));
    }
    return word;
}
