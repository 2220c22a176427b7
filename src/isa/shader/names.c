/* SPDX-License-Identifier: MIT */
/* Names of modes, types and parts: NVIDIA's, of the CUDA Binary Utilities. */
#include "isa/shader/print.h"

#include <assert.h>

const char *const isa_test_names[32] = {
    "F",   "LT",  "EQ",     "LE",     "GT",     "NE",      "GE",      "NUM",     "NAN", "LTU", "EQU",
    "LEU", "GTU", "NEU",    "GEU",    "T",      "OFF",     "LO",      "SFF",     "LS",  "HI",  "SFT",
    "HS",  "OFT", "CSM_TA", "CSM_TR", "CSM_MX", "FCSM_TA", "FCSM_TR", "FCSM_MX", "RLE", "RGT",
};
const char *const isa_part_names[8] = {"", "B0", "B1", "B2", "B3", "H0", "H1", "F32"};
const char *const isa_type_names[ISA_TYPES] = {"U8",  "S8",  "U16",  "S16", "U32",   "S32", "U64",
                                               "S64", "B96", "B128", "F16", "F16x2", "F32", "F64"};
const char *const isa_size_names[ISA_TYPES] = {"U8", "S8", "U16", "S16", "", "", "64", "64", "96", "128"};
const char *const isa_atomic_names[ISA_ATOMICS] = {"ADD", "MIN", "MAX",  "INC", "DEC",     "AND",
                                                   "OR",  "XOR", "EXCH", "CAS", "SAFEADD", "LOAD"};

static const char *const functions[] = {"COS", "SIN", "EX2", "LG2", "RCP", "RSQ", "RCP64H", "RSQ64H", "SQRT"};
static const char *const reductions[] = {"SINCOS", "EX2"};
static const char *const permutations[] = {"", "F4E", "B4E", "RC8", "ECL", "ECR", "RC16"};
static const char *const neighbours[] = {"0000", "1111", "2222", "3333", "1032", "2301", ""};
static const char *const words[] = {"", "XLO", "XMED", "XHI"};
static const char *const shifts[] = {"", "RS", "LS"};
static const char *const amounts[] = {"", "SH"};
static const char *const votes[] = {"ALL", "ANY", "EQ"};
static const char *const shuffles[] = {"IDX", "UP", "DOWN", "BFLY"};
static const char *const interpolations[] = {"PASS", "MUL", "CONSTANT", "SC"};
static const char *const indices[] = {"", "IL", "IS", "ISL"};
static const char *const emissions[] = {"", "EMIT", "CUT", "EMIT_THEN_CUT"};
static const char *const pixels[] = {"COUNT", "COVMASK", "COVERED", "OFFSET", "CENT_OFFSET", "MY_INDEX"};
static const char *const simd[IR_SIMDS] = {"", "SUB", "SUBR", "AVG", "MIN", "MAX", "", "", "", "", ""};
static const char *const barriers[] = {"SYNC", "ARV", "RED.POPC", "RED.AND", "RED.OR", "SCAN"};
static const char *const clamps[] = {"SD.R1", "SD.R2",  "SD.R4", "SD.R8", "SD.R16", "PL.R1", "PL.R2", "PL.R4",
                                     "PL.R8", "PL.R16", "BL.R1", "BL.R2", "BL.R4",  "BL.R8", "BL.R16"};

static const char *const scopes[] = {"CTA", "GL", "SYS"};
static const char *const caches[] = {"QRY1", "PF1", "PF1.5", "PF2", "WB", "IV", "IVALL", "RS", "WBALL", "RSLB"};

#define NAMED(names)                                                                                                   \
    { names, sizeof(names) / sizeof((names)[0]) }

/* Modes without names are said by no modifier. Those of IMADSP are three numbers: of parts 7, 3 and 3 at most. */
static const struct {
    const char *const *names;
    uint16_t count;
} modes[IR_MODES] = {
    [IR_MODES_NONE] = {NULL, 1},
    [IR_MODES_ANY] = {NULL, UINT16_MAX},
    [IR_MODES_PERMUTATIONS] = NAMED(permutations),
    [IR_MODES_BYTES] = {NULL, 4},
    [IR_MODES_FUNCTIONS] = NAMED(functions),
    [IR_MODES_REDUCTIONS] = NAMED(reductions),
    [IR_MODES_NEIGHBOURS] = NAMED(neighbours),
    [IR_MODES_SHIFTS] = NAMED(shifts),
    [IR_MODES_PARTS] = {NULL, (3 << 8 | 3 << 4 | 7) + 1},
    [IR_MODES_WORDS] = NAMED(words),
    [IR_MODES_OUTCOMES] = {NULL, 4},
    [IR_MODES_AMOUNTS] = NAMED(amounts),
    [IR_MODES_DOTS] = {NULL, 8},
    [IR_MODES_VIDEO] = {NULL, IR_VSETP + 1},
    [IR_MODES_SIMD] = NAMED(simd),
    [IR_MODES_TESTS] = NAMED(isa_test_names),
    [IR_MODES_VOTES] = NAMED(votes),
    [IR_MODES_SHUFFLES] = NAMED(shuffles),
    [IR_MODES_ATOMICS] = {NULL, ISA_ATOMICS}, /* the type says them */
    [IR_MODES_INDICES] = NAMED(indices),
    [IR_MODES_INTERPOLATIONS] = NAMED(interpolations),
    [IR_MODES_EMISSIONS] = NAMED(emissions),
    [IR_MODES_PIXELS] = NAMED(pixels),
    [IR_MODES_CLAMPS] = NAMED(clamps),
    [IR_MODES_IMAGES] = {NULL, IR_SURFACES},
    [IR_MODES_BARRIERS] = NAMED(barriers),
    [IR_MODES_SCOPES] = NAMED(scopes),
    [IR_MODES_CACHES] = NAMED(caches),
};

unsigned ir_modes_count(enum ir_modes of) {
    assert(of < IR_MODES);
    return modes[of].count;
}

const char *const *ir_modes_names(enum ir_modes of) {
    assert(of < IR_MODES);
    return modes[of].names;
}
