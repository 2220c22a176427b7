/* SPDX-License-Identifier: MIT */
/* Names of modes, types and parts: NVIDIA's, of the CUDA Binary Utilities. */
#include "isa/shader/print.h"
#include "isa/shader/text.h"

#include <assert.h>

#define NAMES(table, ...) static const char *const names_##table[] = {__VA_ARGS__};
#include "isa/shader/text_names.def"
#undef NAMES

/* ---- numbers as struct ir has them ---- */

const char *const isa_part_names[8] = {"", "B0", "B1", "B2", "B3", "H0", "H1", "F32"};
const char *const isa_type_names[ISA_TYPES] = {"U8",  "S8",  "U16",  "S16", "U32",   "S32", "U64",
                                               "S64", "B96", "B128", "F16", "F16x2", "F32", "F64"};
const char *const isa_size_names[ISA_TYPES] = {"U8", "S8", "U16", "S16", "", "", "64", "64", "96", "128"};
const char *const isa_atomic_names[ISA_ATOMICS] = {"ADD", "MIN", "MAX",  "INC", "DEC",     "AND",
                                                   "OR",  "XOR", "EXCH", "CAS", "SAFEADD", "LOAD"};

static const char *const neighbours[] = {"0000", "1111", "2222", "3333", "1032", "2301", ""};
static const char *const simd[IR_SIMDS] = {"", "SUB", "SUBR", "AVG", "MIN", "MAX", "", "", "", "", ""};
static const char *const barriers[] = {"SYNC", "ARV", "RED.POPC", "RED.AND", "RED.OR", "SCAN"};
static const char *const clamps[] = {"SD.R1", "SD.R2",  "SD.R4", "SD.R8", "SD.R16", "PL.R1", "PL.R2", "PL.R4",
                                     "PL.R8", "PL.R16", "BL.R1", "BL.R2", "BL.R4",  "BL.R8", "BL.R16"};

static const char *const scopes[] = {"CTA", "GL", "SYS"};

#define NAMED(names)                                                                                                   \
    { names, sizeof(names) / sizeof((names)[0]) }

/*
 * A mode is valid if its number is less than the count. Modes without names are said by no modifier. Those of IMADSP are
 * three numbers: of parts 7, 3 and 3 at most.
 */
static const struct {
    const char *const *names;
    uint16_t count;
} modes[IR_MODES] = {
    [IR_MODES_NONE] = {NULL, 1},
    [IR_MODES_ANY] = {NULL, UINT16_MAX},
    [IR_MODES_PERMUTATIONS] = NAMED(names_PERMUTE),
    [IR_MODES_BYTES] = {NULL, 4},
    [IR_MODES_FUNCTIONS] = NAMED(names_FUNCTION),
    [IR_MODES_REDUCTIONS] = NAMED(names_REDUCTION),
    [IR_MODES_NEIGHBOURS] = NAMED(neighbours),
    [IR_MODES_SHIFTS] = NAMED(names_SHIFT3),
    [IR_MODES_PARTS] = {NULL, (3 << 8 | 3 << 4 | 7) + 1},
    [IR_MODES_WORDS] = NAMED(names_XMODE),
    [IR_MODES_OUTCOMES] = {NULL, 4},
    [IR_MODES_AMOUNTS] = NAMED(names_SH),
    [IR_MODES_DOTS] = {NULL, 8},
    [IR_MODES_VIDEO] = {NULL, IR_VSETP + 1},
    [IR_MODES_SIMD] = NAMED(simd),
    [IR_MODES_TESTS] = NAMED(names_TEST),
    [IR_MODES_VOTES] = NAMED(names_VOTE),
    [IR_MODES_SHUFFLES] = NAMED(names_SHUFFLE),
    [IR_MODES_ATOMICS] = {NULL, ISA_ATOMICS}, /* the type says them */
    [IR_MODES_INDICES] = NAMED(names_INDEX),
    [IR_MODES_INTERPOLATIONS] = NAMED(names_INTERPOLATE),
    [IR_MODES_EMISSIONS] = NAMED(names_EMIT),
    [IR_MODES_PIXELS] = NAMED(names_PIXEL),
    [IR_MODES_CLAMPS] = NAMED(clamps),
    [IR_MODES_IMAGES] = {NULL, IR_SURFACES},
    [IR_MODES_BARRIERS] = NAMED(barriers),
    [IR_MODES_SCOPES] = NAMED(scopes),
    [IR_MODES_CACHES] = NAMED(names_CACHE_OP),
};

unsigned ir_modes_count(enum ir_modes of) {
    assert(of < IR_MODES);
    return modes[of].count;
}

const char *const *ir_modes_names(enum ir_modes of) {
    assert(of < IR_MODES);
    return modes[of].names;
}

/* ---- numbers as the fields of instructions have them ---- */

static const struct {
    const char *const *names;
    uint8_t count;
} tables[] = {
    [ISA_NAMES_NONE] = {NULL, 0},
#define NAMES(table, ...) [ISA_NAMES_##table] = NAMED(names_##table),
#include "isa/shader/text_names.def"
#undef NAMES
};

/* UNKNOWN: what nvdisasm calls values that public listings do not have; chosen: the names of envytools and NAK */
const char *isa_name(unsigned table, uint64_t value) {
    assert(table < ISA_NAMES_COUNT);
    return value < tables[table].count ? tables[table].names[value] : NULL;
}
