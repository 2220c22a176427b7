/* SPDX-License-Identifier: MIT */
/*
 * GK110's instructions as text: Kepler from GK110 on.
 *
 * UNKNOWN: the modes of surfaces and of TEX and TLD4, of which no listing was at hand; chosen: as gf100_text_rows.c and
 * GM107's have them.
 *
 * UNKNOWN: what tells LDG, a load that goes through the textures, from a TEX: KeplerAs writes it as a TEX.LZ of 2D whose
 * number of a handle is the size of the load; chosen: it is printed, and executed, as that TEX.
 *
 * Sources: envytools envydis/gk110.c and Mesa src/nouveau/compiler/nak/sm32.rs for the fields; KeplerAs's grammar for order
 * and names, which are nvdisasm's.
 */
#define AT_D         2
#define AT_A         10
#define AT_IMMEDIATE 23
#include "isa/shader/text_rows.h"

#include <inttypes.h>

/* The upper 16 bits of word and mask; the lowest two are the type: 0 long, 1 with a short immediate, 2 with forms. */
#define TYPE(type, name, value, mask, form, ...)                                                                       \
    WORD(name, (uint64_t)(0x##value) << 48 | (type), (uint64_t)(0x##mask) << 48 | 3, form, __VA_ARGS__)
#define LONG(name, value, mask, ...)        TYPE(0, name, value, mask, NONE, __VA_ARGS__)
#define SHORT(name, value, mask, form, ...) TYPE(1, name, value, mask, form, __VA_ARGS__)
#define TOP(name, value, mask, ...)         TYPE(2, name, value, mask, REGISTER, __VA_ARGS__)
/* Bits 63 and 62: 1 a constant is the second, 2 the third source, 3 there is none. */
#define FORM(form, name, value, mask, where, ...)                                                                      \
    WORD(name, (uint64_t)((0x##value & 0x3fff) | (form) << 14) << 48 | 2, (uint64_t)(0x##mask | 0xc000) << 48 | 3,     \
         where, __VA_ARGS__)
#define FORMS2(name, value, mask, ...)                                                                                 \
    FORM(1, name, value, mask, CONSTANT, __VA_ARGS__), FORM(3, name, value, mask, REGISTER, __VA_ARGS__)
#define FORMS3(name, value, mask, ...)                                                                                 \
    FORMS2(name, value, mask, __VA_ARGS__), FORM(2, name, value, mask, SWAPPED, __VA_ARGS__)
/* The instruction joins after it was executed. */
#define JOIN FLAG(JOIN, 22)
/* The predicate of an instruction that has none. */
#define UNGUARDED IGNORED(18, 4)
#define BARRIER(name, mode)                                                                                            \
    WORD(name, UINT64_C(0x8540000000000002) | UINT64_C(mode) << 35, UINT64_C(0xffc000f800000003), REGISTER, JOIN,      \
         OR(10, 47, 10, 8), COUNT(23, 46), P_UNLESS(42))

/* A surface by its address: the format is a constant, or a register. */
#define LOADED(cache, ...)                                                                                             \
    DOT(CACHE_LOAD_GK110, cache, 2), DOT(RAW, 52, 2), DOT(OUTSIDE, 46, 2), JOIN, D, PLACE, __VA_ARGS__, P(42)
#define STORED(cache, raw, outside, ...)                                                                               \
    DOT(CACHE_STORE, cache, 2), DOT(RAW, raw, 2), DOT(OUTSIDE, outside, 2), JOIN, PLACE, __VA_ARGS__, FROM(42), P(50)
#define FORMAT_CONSTANT                                                                                                \
    { SAY_CONSTANT, 0, 23, 0, 0, 0, 0 }
/* Video: the second source is a register, or 16 bits, which lie over the bit that saturates; both have one sign. */
#define AT_KIND UINT64_C(0x20000000000000)
#define VIDEO_D FLAG(UD, 57), KINDS(51, 51, 53), FLAG(W, 52)
#define VIDEO(name, value)                                                                                             \
    WORD(name, (uint64_t)0x##value << 48 | AT_KIND | 2, UINT64_C(0xf800000000000003) | AT_KIND, REGISTER, VIDEO_D,     \
         FLAG(SAT, 34), DOT(MERGE_VIDEO, 54, 3), JOIN, D_CC(50), A_PART(SELECT_VIDEO, 0, 0, 39, 3),                    \
         B_PART(SELECT_VIDEO, 0, 0, 31, 3), C),                                                                        \
        WORD(name, (uint64_t)0x##value << 48 | 2, UINT64_C(0xf800000000000003) | AT_KIND, REGISTER, VIDEO_D,           \
             DOT(MERGE_VIDEO, 54, 3), JOIN, D_CC(50), A_PART(SELECT_VIDEO, 0, 0, 39, 3), U(23, 16), C)
/* Textures: the number of a handle, or with .B the handle in the first register. */
#define LIVE(...)                                                                                                      \
    FLAG(NODEP, 31), DOT(PHASE, 32, 2), JOIN, D, A, FROM_UNLESS(23), __VA_ARGS__, NAME(DIM, 38, 3), U(34, 4)
#define TEXTURE(...) FLAG(NDV, 41), LIVE(__VA_ARGS__)
#define HANDLE(at)   U(at, 13)
#define IN_REGISTER  NAME(NO_HANDLE, 0, 0)
#define FETCH_MODES  FLAG(LOD_TLD, 44), FLAG(AOFFI, 41), FLAG(MS, 43)
#define SAMPLE_MODES DOT(LOD, 44, 3), FLAG(AOFFI, 43), FLAG(DC, 42)
#define GATHER_MODES DOT(OFFSETS, 43, 2), FLAG(DC, 42)

/* clang-format off */
static const struct isa_text_row rows[] = {
    /* ---- short immediates ---- */
    SHORT("TEX", 6000, f000, NONE, SAMPLE_MODES, TEXTURE(HANDLE(47))),
    SHORT("TLD4", 7000, f000, NONE, DOT(COMPONENT, 45, 2), GATHER_MODES, TEXTURE(HANDLE(47))),
    SHORT("IMADSP.SD", a4c0, f4c0, INT, JOIN, D_CC(50), A, B, C),
    SHORT("IMADSP", a400, f400, INT, PARTS(51, 56, 54), JOIN, D_CC(50), A, B, C),
    SHORT("SUCLAMP", b000, f600, INT, DOT(CLAMP, 52, 4), FLAG(TWO_D, 56), FLAG(U32, 51), JOIN, PD(48), D, A, B, S(42, 6)),
    SHORT("SUBFM", b680, f7c0, INT, FLAG(THREE_D, 50), JOIN, PD(51), D, A, B, C),
    SHORT("SUEAU", b6c0, f7c0, INT, JOIN, D, A, B, C),
    SHORT("IADD32I", 4000, f400, NONE, FLAG(SAT, 57), FLAG(X, 56), JOIN, D_CC(55), A_NEG(59), S(23, 32)),
    SHORT("FSET", 8000, f000, SINGLE, FLAG(BF, 55), DOT(COMPARE, 51, 4), FLAG(FTZ, 58), DOT(COMBINE, 48, 2), JOIN, D_CC(50), A_ABS(46, 57), B, P(42)),
    SHORT("DSET", 9000, f400, DOUBLE, FLAG(BF, 55), DOT(COMPARE, 51, 4), DOT(COMBINE, 48, 2), JOIN, D_CC(50), A_ABS(46, 57), B, P(42)),
    SHORT("FFMA", 9400, f400, SINGLE, DOT(FMZ, 56, 2), DOT(ROUND, 54, 2), FLAG(SAT, 53), JOIN, D, A_NEG(51), B, C_NEG(52)),
    SHORT("IMAD", a000, f400, INT, DOT2(SIGNS, 51, 1, 56, 1), FLAG(HI, 57), FLAG(SAT, 53), FLAG(X, 52), PLUS_ONE(55, 54), JOIN, D_CC(50), A_NEG(55), B, C_NEG(54)),
    SHORT("ICMP", b200, f780, INT, DOT(COMPARE_INT, 52, 3), FLAG(U32, 51), JOIN, D, A, B, C),
    SHORT("ISET", b280, f780, INT, FLAG(BF, 47), DOT(COMPARE_INT, 52, 3), FLAG(U32, 51), FLAG(X, 46), DOT(COMBINE, 48, 2), JOIN, D_CC(50), A, B, P(42)),
    SHORT("ISETP", b300, f780, INT, DOT(COMPARE_INT, 52, 3), FLAG(U32, 51), FLAG(X, 46), DOT(COMBINE, 48, 2), JOIN, PD(5), PD(2), A, B, P(42)),
    SHORT("DFMA", b380, f780, DOUBLE, DOT(ROUND, 53, 2), JOIN, D, A_NEG(51), B, C_NEG(52)),
    SHORT("DSETP", b400, f780, DOUBLE, DOT(COMPARE, 51, 4), DOT(COMBINE, 48, 2), JOIN, PD(5), PD(2), A_ABS(46, 9), B, P(42)),
    SHORT("FCMP", b500, f780, SINGLE, DOT(COMPARE_GT, 51, 4), FLAG(FTZ, 50), JOIN, D, A, B, C),
    SHORT("FSETP", b580, f780, SINGLE, DOT(COMPARE, 51, 4), FLAG(FTZ, 50), DOT(COMBINE, 48, 2), JOIN, PD(5), PD(2), A_ABS(46, 9), B, P(42)),
    SHORT("PRMT", b600, f7c0, INT, DOT(PERMUTE, 51, 3), JOIN, D, A, B, C),
    SHORT("OUT", b700, f7c0, INT, DOT(EMIT, 42, 2), JOIN, D, A, B),
    SHORT("ISAD", b740, f7c0, INT, FLAG(U32, 51), JOIN, D, A, B, C),
    SHORT("BFI", b780, f7c0, INT, JOIN, D, A, B, C),
    SHORT("SHF.L", b7c0, f7c0, REGISTER, FLAG(W, 53), DOT(SHF, 40, 2), FLAG(HI, 51), JOIN, D, A, U(23, 6), C),
    SHORT("BFE", c000, f7c0, INT, FLAG(U32, 51), FLAG(BREV, 43), JOIN, D, A, B),
    SHORT("POPC", c040, f7c0, INT, JOIN, D, A_NOT(42), B),
    SHORT("ISUB", c088, f7d8, INT, FLAG(SAT, 53), FLAG(X, 46), JOIN, D_CC(50), A, B),
    SHORT("IADD", c080, f7c0, INT, PLUS_ONE(52, 51), FLAG(SAT, 53), FLAG(X, 46), JOIN, D_CC(50), A_NEG(52), B_NEG(51)),
    SHORT("ISCADD", c0c0, f7c0, INT, PLUS_ONE(52, 51), JOIN, D_CC(50), A_NEG(52), B_NEG(51), U(42, 5)),
    SHORT("IMNMX", c100, f7c0, INT, FLAG(U32, 51), DOT(XMODE, 46, 2), JOIN, D, A, B, P(42)),
    SHORT("SHR", c140, f7c0, NONE, FLAG(U32, 51), FLAG(W, 42), JOIN, D, A, U(23, 6)),
    SHORT("IMUL", c1c0, f7c0, INT, DOT(SIGNS, 43, 2), FLAG(HI, 42), JOIN, D, A, B),
    SHORT("LOP", c200, f7c0, INT, DOT(LOGIC, 44, 2), JOIN, D, A_NOT(42), B_NOT(43)),
    SHORT("SHL", c240, f7c0, NONE, FLAG(W, 42), JOIN, D, A, U(23, 6)),
    SHORT("DMNMX", c280, f7c0, DOUBLE, JOIN, D, A_ABS(51, 49), B, P(42)),
    SHORT("FADD", c2c0, f7c0, SINGLE, FLAG(FTZ, 47), DOT(ROUND, 42, 2), FLAG(SAT, 53), JOIN, D, A_ABS(51, 49), B),
    SHORT("FMNMX", c300, f7c0, SINGLE, FLAG(FTZ, 47), JOIN, D, A_ABS(51, 49), B, P(42)),
    SHORT("FMUL", c340, f7c0, SINGLE, DOT(FMZ, 47, 2), DOT(SCALE, 44, 3), DOT(ROUND, 42, 2), FLAG(SAT, 53), JOIN, D, A_NEG(51), B),
    SHORT("DADD", c380, f7c0, DOUBLE, DOT(ROUND, 42, 2), JOIN, D, A_ABS(51, 49), B),
    SHORT("DMUL", c400, f7c0, DOUBLE, DOT(ROUND, 42, 2), JOIN, D, A_NEG(51), B),
    SHORT("SEL", c500, f7c0, INT, JOIN, D, A, B, P(42)),
    SHORT("F2F", c540, f7c0, BY_SIZE, FLAG(FTZ, 47), DOT(FLOAT_TYPE, 10, 2), DOT(FLOAT_TYPE, 12, 2), DOT2(ROUND_OR_WHOLE, 42, 2, 45, 1), FLAG(SAT, 53), JOIN, D, B_PART(H1, 48, 52, 44, 1)),
    SHORT("F2I", c580, f7c0, BY_SIZE, FLAG(FTZ, 47), DOT2(INT_TYPE, 10, 2, 14, 1), DOT(FLOAT_TYPE, 12, 2), DOT(WHOLE, 42, 2), JOIN, D, B_PART(H1, 48, 52, 44, 1)),
    SHORT("I2F", c5c0, f7c0, INT, DOT(FLOAT_TYPE, 10, 2), DOT2(INT_TYPE, 12, 2, 15, 1), DOT(ROUND, 42, 2), JOIN, D, B_PART(BYTE, 48, 52, 44, 2)),
    SHORT("I2I", c600, f7c0, INT, DOT2(INT_TYPE, 10, 2, 14, 1), DOT2(INT_TYPE, 12, 2, 15, 1), FLAG(SAT, 53), JOIN, D, B_PART(BYTE, 48, 52, 44, 2)),
    SHORT("SHF.R", c7c0, f7c0, REGISTER, FLAG(W, 53), DOT(SHF, 40, 2), FLAG(HI, 51), JOIN, D, A, U(23, 6), C),
    /* ---- flow, and what has 32 bits ---- */
    LONG("BPT", 0000, ff80, UNGUARDED, DOT(PAUSE, 8, 3), U(23, 20)),
    LONG("JMP", 1080, ff80, FLAG(U, 9), FLAG(LMT, 8), TEST(2), ABSOLUTE),
    LONG("JCAL", 1100, ff80, UNGUARDED, FLAG(NOINC, 8), ABSOLUTE),
    LONG("BRA", 1200, ff80, FLAG(U, 9), FLAG(LMT, 8), TEST(2), RELATIVE),
    LONG("CAL", 1300, ff80, UNGUARDED, FLAG(NOINC, 8), RELATIVE),
    LONG("PRET", 1380, ff80, UNGUARDED, FLAG(NOINC, 8), RELATIVE),
    LONG("PLONGJMP", 1400, ff80, UNGUARDED, RELATIVE),
    LONG("SSY", 1480, ff80, UNGUARDED, RELATIVE),
    LONG("PBK", 1500, ff80, UNGUARDED, RELATIVE),
    LONG("PCNT", 1580, ff80, UNGUARDED, RELATIVE),
    LONG("EXIT", 1800, ff80, TEST(2)),
    LONG("LONGJMP", 1880, ff80, TEST(2)),
    LONG("RET", 1900, ff80, TEST(2)),
    LONG("KIL", 1980, ff80, TEST(2)),
    LONG("BRK", 1a00, ff80, TEST(2)),
    LONG("CONT", 1a80, ff80, TEST(2)),
    LONG("RTT", 1b00, ff80, DOT(RETURN, 2, 2)),
    LONG("SAM", 1b80, ff80, UNGUARDED),
    LONG("RAM", 1c00, ff80, UNGUARDED),
    LONG("LOP32I", 2000, e000, DOT(LOGIC, 56, 2), FLAG(X, 60), JOIN, D_CC(55), A_NOT(58), U_NOT(23, 32, 59)),
    LONG("FADD32I", 4000, e000, FLAG(FTZ, 58), JOIN, D_CC(55), A_ABS(59, 57), F32(56, 60)),
    LONG("FFMA32I", 6000, e000, DOT(FMZ, 56, 2), FLAG(SAT, 58), JOIN, D_CC(55), A_NEG(59), F32(0, 0), FROM_NEG(2, 60)),
    LONG("ISCADD32I", a000, e000, JOIN, D_CC(55), A, S(23, 32), U(56, 5)),
    LONG("LD", c000, e000, FLAG(E, 55), DOT(CACHE_LOAD_GK110, 59, 2), DOT(SIZE_GLOBAL, 56, 3), JOIN, D, GLOBAL(23, 32, 0)),
    LONG("ST", e000, e000, FLAG(E, 55), DOT(CACHE_STORE, 59, 2), DOT(SIZE, 56, 3), JOIN, GLOBAL(23, 32, 0), D),
    /* ---- with forms ---- */
    TOP("FMUL32I", 2000, f800, DOT(FMZ, 56, 2), FLAG(SAT, 58), JOIN, D_CC(55), A, F32(0, 0)),
    TOP("IMUL32I", 2800, f800, DOT(SIGNS, 57, 2), FLAG(HI, 56), JOIN, D_CC(55), A, S(23, 32)),
    TOP("SULDGA", 3000, f800, DOT(SIZE, 56, 3), LOADED(54, FORMAT_CONSTANT)),
    WORD("SUSTGA.B", UINT64_C(0x3800000000000002), UINT64_C(0xf8000000000000f3), REGISTER, DOT(SIZE, 56, 3), STORED(54, 8, 2, FORMAT_CONSTANT)),
    TOP("SUSTGA.P", 3800, f800, DOT(SURFACE_MASK_ALL, 4, 4), STORED(54, 8, 2, FORMAT_CONSTANT)),
    TOP("MOV32I", 7400, 7f80, JOIN, D, U(23, 32), U_UNLESS(14, 4, 15)),
    TOP("MUFU", 8400, ffc0, DOT(FUNCTION, 23, 3), FLAG(SAT, 53), JOIN, D, A_ABS(51, 49)),
    TOP("S2R", 8640, ffc0, JOIN, D, SPECIAL_REGISTER),
    TOP("PSET", 8440, ffc0, DOT(COMBINE, 27, 2), DOT(COMBINE, 48, 2), JOIN, D_CC(50), P(14), P(32), P(42)),
    TOP("PSETP", 8480, ffc0, DOT(COMBINE, 27, 2), DOT(COMBINE, 48, 2), JOIN, PD(5), PD(2), P(14), P(32), P(42)),
    BARRIER("BAR.SYNC", 0),
    BARRIER("BAR.ARV", 1),
    BARRIER("BAR.RED.POPC", 2),
    BARRIER("BAR.RED.AND", 10),
    BARRIER("BAR.RED.OR", 18),
    BARRIER("BAR.SCAN", 3),
    BARRIER("BAR.SYNCALL", 4),
    TOP("NOP", 8580, ffc0, JOIN, TEST(10)),
    TOP("LEPC", 8680, ffc0, JOIN, D),
    TOP("VOTE", 86c0, ffe0, DOT(VOTE, 51, 2), JOIN, D_UNLESS, PD(48), P(42)),
    VIDEO("VSHR", b000),
    VIDEO("VSHL", b800),
    TOP("SHF.L", dfc0, ffc0, FLAG(W, 53), DOT(SHF, 40, 2), FLAG(HI, 51), JOIN, D, A, B, C),
    FORMS3("FFMA", 0c00, 3c00, DOT(FMZ, 56, 2), DOT(ROUND, 54, 2), FLAG(SAT, 53), JOIN, D, A_NEG(51), B, C_NEG(52)),
    FORMS2("FSET", 4000, 7800, FLAG(BF, 55), DOT(COMPARE, 51, 4), FLAG(FTZ, 58), DOT(COMBINE, 48, 2), JOIN, D_CC(50), A_ABS(46, 57), B_ABS(56, 47), P(42)),
    FORMS2("FSETP", 5d80, 7f80, DOT(COMPARE, 51, 4), FLAG(FTZ, 50), DOT(COMBINE, 48, 2), JOIN, PD(5), PD(2), A_ABS(46, 9), B_ABS(8, 47), P(42)),
    FORMS3("FCMP", 1d00, 3f80, DOT(COMPARE_GT, 51, 4), FLAG(FTZ, 50), JOIN, D, A, B, C),
    FORMS2("FADD", 62c0, 7fc0, FLAG(FTZ, 47), DOT(ROUND, 42, 2), FLAG(SAT, 53), JOIN, D, A_ABS(51, 49), B_ABS(48, 52)),
    FORMS2("FMNMX", 6300, 7fc0, FLAG(FTZ, 47), JOIN, D, A_ABS(51, 49), B_ABS(48, 52), P(42)),
    FORMS2("FMUL", 6340, 7fc0, DOT(FMZ, 47, 2), DOT(SCALE, 44, 3), DOT(ROUND, 42, 2), FLAG(SAT, 53), JOIN, D, A_NEG(51), B),
    FORMS2("RRO", 6480, 7fc0, FLAG(REDUCTION, 42), JOIN, D, B_ABS(48, 52)),
    FORMS3("DFMA", 1b80, 3f80, DOT(ROUND, 53, 2), JOIN, D, A_NEG(51), B, C_NEG(52)),
    FORMS2("DSET", 4800, 7c00, FLAG(BF, 55), DOT(COMPARE, 51, 4), DOT(COMBINE, 48, 2), JOIN, D_CC(50), A_ABS(46, 57), B_ABS(56, 47), P(42)),
    FORMS2("DSETP", 5c00, 7f80, DOT(COMPARE, 51, 4), DOT(COMBINE, 48, 2), JOIN, PD(5), PD(2), A_ABS(46, 9), B_ABS(8, 47), P(42)),
    FORMS2("DMNMX", 6280, 7fc0, JOIN, D, A_ABS(51, 49), B_ABS(48, 52), P(42)),
    FORMS2("DADD", 6380, 7fc0, DOT(ROUND, 42, 2), JOIN, D, A_ABS(51, 49), B_ABS(48, 52)),
    FORMS2("DMUL", 6400, 7fc0, DOT(ROUND, 42, 2), JOIN, D, A_NEG(51), B),
    FORMS3("IMAD", 1000, 3c00, DOT2(SIGNS, 51, 1, 56, 1), FLAG(HI, 57), FLAG(SAT, 53), FLAG(X, 52), PLUS_ONE(55, 54), JOIN, D_CC(50), A_NEG(55), B, C_NEG(54)),
    FORMS3("IMADSP.SD", 14c0, 3cc0, JOIN, D_CC(50), A, B, C),
    FORMS3("IMADSP", 1400, 3c00, PARTS(51, 56, 54), JOIN, D_CC(50), A, B, C),
    FORMS3("ICMP", 1a00, 3f80, DOT(COMPARE_INT, 52, 3), FLAG(U32, 51), JOIN, D, A, B, C),
    FORMS2("ISET", 5a80, 7f80, FLAG(BF, 47), DOT(COMPARE_INT, 52, 3), FLAG(U32, 51), FLAG(X, 46), DOT(COMBINE, 48, 2), JOIN, D_CC(50), A, B, P(42)),
    FORMS2("ISETP", 5b00, 7f80, DOT(COMPARE_INT, 52, 3), FLAG(U32, 51), FLAG(X, 46), DOT(COMBINE, 48, 2), JOIN, PD(5), PD(2), A, B, P(42)),
    FORMS3("PRMT", 1e00, 3fc0, DOT(PERMUTE, 51, 3), JOIN, D, A, B, C),
    FORMS3("ISAD", 1f40, 3fc0, FLAG(U32, 51), JOIN, D, A, B, C),
    FORMS3("BFI", 1f80, 3fc0, JOIN, D, A, B, C),
    FORMS2("BFE", 6000, 7fc0, FLAG(U32, 51), FLAG(BREV, 43), JOIN, D, A, B),
    FORMS2("POPC", 6040, 7fc0, JOIN, D, A_NOT(42), B_NOT(43)),
    FORMS2("ISUB", 6088, 7fd8, FLAG(SAT, 53), FLAG(X, 46), JOIN, D_CC(50), A, B),
    FORMS2("IADD", 6080, 7fc0, PLUS_ONE(52, 51), FLAG(SAT, 53), FLAG(X, 46), JOIN, D_CC(50), A_NEG(52), B_NEG(51)),
    FORMS2("ISCADD", 60c0, 7fc0, PLUS_ONE(52, 51), JOIN, D_CC(50), A_NEG(52), B_NEG(51), U(42, 5)),
    FORMS2("IMNMX", 6100, 7fc0, FLAG(U32, 51), DOT(XMODE, 46, 2), JOIN, D_CC(50), A, B, P(42)),
    FORMS2("SHR", 6140, 7fc0, FLAG(U32, 51), FLAG(W, 42), JOIN, D, A, B),
    FORMS2("FLO", 6180, 7fc0, FLAG(U32, 51), FLAG(SH, 44), JOIN, D, B_NOT(43)),
    FORMS2("IMUL", 61c0, 7fc0, DOT(SIGNS, 43, 2), FLAG(HI, 42), JOIN, D_CC(50), A, B),
    FORMS2("LOP", 6200, 7fc0, DOT(LOGIC, 44, 2), JOIN, D, A_NOT(42), B_NOT(43)),
    FORMS2("SHL", 6240, 7fc0, FLAG(W, 42), JOIN, D, A, B),
    FORMS2("SHF.R", 67c0, 7fc0, FLAG(W, 53), DOT(SHF, 40, 2), FLAG(HI, 51), JOIN, D, A, B, C),
    FORMS2("MOV", 64c0, 7fc0, JOIN, D, B, U_UNLESS(42, 4, 15)),
    FORMS2("SEL", 6500, 7fc0, JOIN, D, A, B, P(42)),
    FORMS2("F2F", 6540, 7fc0, FLAG(FTZ, 47), DOT(FLOAT_TYPE, 10, 2), DOT(FLOAT_TYPE, 12, 2), DOT2(ROUND_OR_WHOLE, 42, 2, 45, 1), FLAG(SAT, 53), JOIN, D, B_PART(H1, 48, 52, 44, 1)),
    FORMS2("F2I", 6580, 7fc0, FLAG(FTZ, 47), DOT2(INT_TYPE, 10, 2, 14, 1), DOT(FLOAT_TYPE, 12, 2), DOT(WHOLE, 42, 2), JOIN, D, B_PART(H1, 48, 52, 44, 1)),
    FORMS2("I2F", 65c0, 7fc0, DOT(FLOAT_TYPE, 10, 2), DOT2(INT_TYPE, 12, 2, 15, 1), DOT(ROUND, 42, 2), JOIN, D, B_PART(BYTE, 48, 52, 44, 2)),
    FORMS2("I2I", 6600, 7fc0, DOT2(INT_TYPE, 10, 2, 14, 1), DOT2(INT_TYPE, 12, 2, 15, 1), FLAG(SAT, 53), JOIN, D, B_PART(BYTE, 48, 52, 44, 2)),
    TOP("SHFL", 7880, 7fc0, DOT(SHUFFLE, 33, 2), JOIN, PD(51), D, A, OR(23, 31, 23, 5), OR(42, 32, 37, 13)),
    TOP("FSWZ", 7fc0, 7fc0, FLAG(FTZ, 47), DOT(ROUND, 42, 2), FLAG(NDV, 41), DOT(NEIGHBOURS, 44, 3), JOIN, D_CC(50), A, B, SIGNS(31)),
    /* ---- surfaces: the parts of an address, and accesses ---- */
    FORMS2("SUCLAMP", 5800, 7e00, DOT(CLAMP, 52, 4), FLAG(TWO_D, 56), FLAG(U32, 51), JOIN, PD(48), D, A, B, S(42, 6)),
    FORMS3("SUBFM", 1e80, 3fc0, FLAG(THREE_D, 50), JOIN, PD(51), D, A, B, C),
    FORMS3("SUEAU", 1ec0, 3fc0, JOIN, D, A, B, C),
    TOP("SULDGA", 7980, ffc0, DOT(SIZE, 33, 3), LOADED(31, FROM(23))),
    WORD("SUSTGA.B", UINT64_C(0x79c0000000000002), UINT64_C(0xffc000001e000003), REGISTER, DOT(SIZE, 33, 3), STORED(31, 29, 23, D)),
    TOP("SUSTGA.P", 79c0, ffc0, DOT(SURFACE_MASK_ALL, 25, 4), STORED(31, 29, 23, D)),
    /* ---- memory ---- */
    WORD("RED", UINT64_C(0x68000000000003fe), UINT64_C(0xf8000000000003ff), REGISTER, FLAG(E, 51), DOT(ATOMIC, 55, 4), DOT(ATOMIC_TYPE, 52, 3), JOIN, GLOBAL(31, 20, 0), FROM(23)),
    TOP("ATOM", 6800, f800, FLAG(E, 51), DOT(ATOMIC, 55, 4), DOT(ATOMIC_TYPE, 52, 3), JOIN, D, GLOBAL(31, 20, 0), FROM(23)),
    TOP("ATOM", 7780, ff80, FLAG(E, 51), FIXED(CAS), FLAG(B64, 52), DOT(CAS_ZERO, 53, 2), JOIN, D, GLOBAL(31, 20, 0), FROM(23), NEXT(23, 52)),
    TOP("LDSLK", 7740, 7fc0, DOT(SIZE, 51, 3), JOIN, PD(48), D, MEMORY(23, 24, 0)),
    TOP("STSCUL", 7840, 7fc0, DOT(SIZE, 51, 3), JOIN, PD(48), MEMORY(23, 24, 0), D),
    TOP("LDL", 7a00, 7fc0, DOT(CACHE_LOCAL_GF100, 47, 2), DOT(SIZE, 51, 3), JOIN, D, MEMORY(23, 24, 0)),
    TOP("LDS", 7a40, 7fc0, DOT(SIZE, 51, 3), JOIN, D, MEMORY(23, 24, 0)),
    TOP("STL", 7a80, 7fc0, DOT(CACHE_STORE, 47, 2), DOT(SIZE, 51, 3), JOIN, MEMORY(23, 24, 0), D),
    TOP("STS", 7ac0, 7fc0, DOT(SIZE, 51, 3), JOIN, MEMORY(23, 24, 0), D),
    TOP("CCTL", 7b00, 7f00, FLAG(E, 55), DOT(CACHE_OF, 6, 2), DOT(CACHE_OP, 2, 4), JOIN, GLOBAL(25, 30, 2)),
    TOP("CCTLL", 7c00, 7f80, DOT(CACHE_OP, 2, 4), JOIN, MEMORY(25, 22, 2)),
    TOP("LDC", 7c80, 7fc0, DOT(INDEX, 47, 2), DOT(SIZE, 51, 3), JOIN, D, IN_BANK(23, 39)),
    TOP("MEMBAR", 7cc0, 7fc0, DOT(SCOPE, 10, 2), JOIN),
    TOP("IPA", 7480, 7f80, DOT(INTERPOLATE, 53, 2), DOT(SAMPLE, 51, 2), FLAG(SAT, 50), JOIN, D, ATTRIBUTE(31), FROM(23), FROM(42)),
    TOP("ALD", 7ec0, 7fc0, FLAG(O, 35), FLAG(PATCH, 34), DOT(SIZE_WORDS, 50, 2), JOIN, D, ATTRIBUTE(23), FROM(42)),
    TOP("AST", 7f00, 7fc0, FLAG(PATCH, 34), DOT(SIZE_WORDS, 50, 2), JOIN, ATTRIBUTE(23), D, FROM(42)),
    TOP("AL2P", 7d00, 7fc0, FLAG(O, 35), JOIN, D, A, S(23, 11)),
    TOP("VILD", 7f80, 7fc0, JOIN, D, MEMORY(23, 8, 0)),
    FORMS2("OUT", 5f00, 7fc0, DOT(EMIT, 42, 2), JOIN, D, A, B),
    TOP("PIXLD", 7f40, 7fc0, DOT(PIXEL, 34, 3), JOIN, PD_UNLESS(48), D, MEMORY(23, 8, 0)),
    /* ---- textures ---- */
    TOP("TEX.B", 7d80, 7fc0, SAMPLE_MODES, TEXTURE(IN_REGISTER)),
    TOP("TLD.B", 7800, 7fc0, FETCH_MODES, LIVE(IN_REGISTER)),
    TOP("TLD", 7000, fc00, FETCH_MODES, LIVE(HANDLE(45))),
    TOP("TLD4", 7dc0, 7fc0, DOT(COMPONENT, 45, 2), FIXED(BINDLESS), GATHER_MODES, TEXTURE(IN_REGISTER)),
    TOP("TXD.B", 7e00, ff80, FLAG(AOFFI, 54), LIVE(IN_REGISTER)),
    TOP("TXD", 7600, ff80, FLAG(AOFFI, 54), LIVE(HANDLE(41))),
    TOP("TXQ.B", 7d40, 7fc0, FLAG(NODEP, 31), DOT(PHASE, 32, 2), JOIN, D, A, NAME(QUERY, 25, 6), IN_REGISTER, U(34, 4)),
    TOP("TXQ", 7540, 7fc0, FLAG(NODEP, 31), DOT(PHASE, 32, 2), JOIN, D, A, NAME(QUERY, 25, 6), HANDLE(41), U(34, 4)),
    TOP("TMML.B", 7e80, 7fc0, TEXTURE(IN_REGISTER)),
    TOP("TMML", 7680, 7fc0, LIVE(HANDLE(41))),
    TOP("TXA", 76c0, 7fc0, TEXTURE(IN_REGISTER)),
    TOP("TEXDEPBAR", 7700, 7fc0, JOIN, U(23, 6)),
};
/* clang-format on */

/* " 0x2e 0x04 ...": the code of each of the seven instructions after it, and what a word for the scheduler has not. */
static void gk110_text_control(struct isa_line *line, uint64_t control) {
    uint64_t rest = (control & UINT64_C(0xfc00000000000003)) ^ UINT64_C(0x0800000000000000);
    for (unsigned at = 2; at < 58; at += 8)
        isa_line_add(line, " 0x%02x", (unsigned)(control >> at & 0xff));
    if (rest)
        isa_line_add(line, " {^0x%" PRIx64 "}", rest);
}

const struct isa_texts isa_gk110_texts = {
    .tables = {{rows, sizeof rows / sizeof rows[0]}},
    .registers = 8,
    .guard = 18,
    .a = AT_A,
    .b = AT_IMMEDIATE,
    .c = 42,
    .sign = 59,
    .size = 12,
    .kind_a = 39,
    .kind_b = 31,
    .constant = {.word = 23, .bank = 37, .bank_width = 5},
    .bank_width = 5,
    .control = gk110_text_control,
};
