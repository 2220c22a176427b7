/* SPDX-License-Identifier: MIT */
/* The operands and modifiers of each operation. Names: NVIDIA's CUDA Binary Utilities. */
#include "isa/shader/print.h"

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
static const char *const parts[] = {"", "XLO", "XMED", "XHI"};
static const char *const shifts[] = {"", "RS", "LS"};
static const char *const amounts[] = {"", "SH"};
static const char *const votes[] = {"ALL", "ANY", "EQ"};
static const char *const shuffles[] = {"IDX", "UP", "DOWN", "BFLY"};
static const char *const interpolations[] = {"PASS", "MUL", "CONSTANT", "SC"};
static const char *const indices[] = {"", "IL", "IS", "ISL"};
static const char *const outputs[] = {"", "EMIT", "CUT", "EMIT_THEN_CUT"};
static const char *const pixels[] = {"COUNT", "COVMASK", "COVERED", "OFFSET", "CENT_OFFSET", "MY_INDEX"};
static const char *const barriers[] = {"SYNC", "ARV", "RED.POPC", "RED.AND", "RED.OR", "SCAN"};

#define FORM(op, operands, what)         [IR_##op] = {operands, what, 0, NULL}
#define MODES(op, operands, what, modes) [IR_##op] = {operands, what, sizeof(modes) / sizeof((modes)[0]), modes}
#define SIGN                             ISA_TYPE_SIGN
#define SIGNS                            ISA_TYPE_SIGNS
#define CONVERT                          ISA_TYPE_CONVERT
#define SIZE                             ISA_TYPE_SIZE
#define SET                              (ISA_COMPARES | ISA_COMBINES)

static const struct isa_form forms[IR_OPS] = {
    FORM(NOP, "f", 0),
    FORM(MOV, "dak", 0),
    FORM(SEL, "dabP", 0),
    MODES(PRMT, "dabc", 0, permutations),
    FORM(S2R, "ds", 0),
    FORM(P2R, "dab", 0),
    FORM(R2P, "ab", 0),
    FORM(LEPC, "d", 0),
    FORM(FADD, "dab", 0),
    FORM(FMUL, "dab", 0),
    FORM(FFMA, "dabc", 0),
    FORM(FMNMX, "dabP", 0),
    FORM(FSET, "dabP", SET),
    FORM(FSETP, "pqabP", SET),
    FORM(FCMP, "dabc", ISA_COMPARES),
    MODES(MUFU, "da", 0, functions),
    MODES(RRO, "da", 0, reductions),
    FORM(FSWZADD, "dabk", 0),
    FORM(FCHK, "pab", 0),
    FORM(HADD2, "dab", 0),
    FORM(HMUL2, "dab", 0),
    FORM(HFMA2, "dabc", 0),
    FORM(HSET2, "dabP", SET),
    FORM(HSETP2, "pqabP", SET),
    FORM(IADD, "dab", 0),
    MODES(IADD3, "dabc", 0, shifts),
    FORM(ISCADD, "dabh", 0),
    FORM(IMUL, "dab", SIGNS),
    FORM(IMAD, "dabc", SIGNS),
    FORM(IMADSP, "dabc", 0),
    FORM(XMAD, "dabc", CONVERT),
    FORM(ISAD, "dabc", SIGN),
    MODES(IMNMX, "dabP", SIGN, parts),
    FORM(ISET, "dabP", SIGN | SET),
    FORM(ISETP, "pqabP", SIGN | SET),
    FORM(ICMP, "dabc", SIGN | ISA_COMPARES),
    FORM(SHL, "dab", 0),
    FORM(SHR, "dab", SIGN),
    FORM(SHF_L, "dabc", CONVERT),
    FORM(SHF_R, "dabc", CONVERT),
    FORM(LOP, "odab", ISA_COMBINES),
    FORM(LOP3, "odabck", 0),
    FORM(BFE, "dab", SIGN),
    FORM(BFI, "dabc", 0),
    FORM(POPC, "dab", 0),
    MODES(FLO, "da", SIGN, amounts),
    FORM(LEA, "odabh", 0),
    FORM(LEA_HI, "odabch", 0),
    FORM(IDP, "dabc", 0),
    FORM(I2I, "da", CONVERT),
    FORM(I2F, "da", CONVERT),
    FORM(F2I, "da", CONVERT),
    FORM(F2F, "da", CONVERT),
    FORM(PSET, "dABP", ISA_COMBINES | ISA_COMBINES1),
    FORM(PSETP, "pqABP", ISA_COMBINES | ISA_COMBINES1),
    MODES(CSET, "dP", ISA_COMBINES, isa_test_names),
    MODES(CSETP, "pqP", ISA_COMBINES, isa_test_names),
    MODES(VOTE, "dpP", 0, votes),
    MODES(SHFL, "pdabc", 0, shuffles),
    FORM(LD, "dm", SIZE),
    FORM(ST, "mb", SIZE),
    FORM(LD_LOCK, "pdm", SIZE),
    FORM(ST_UNLOCK, "omb", SIZE),
    FORM(ATOM, "dmb", ISA_TYPE_ATOMIC),
    MODES(LDC, "dn", SIZE, indices),
    FORM(ALD, "dvc", SIZE),
    FORM(AST, "vbc", SIZE),
    FORM(AL2P, "dm", 0),
    FORM(PFETCH, "dm", 0),
    MODES(IPA, "dvbc", 0, interpolations),
    MODES(OUT, "dab", 0, outputs),
    MODES(PIXLD, "odm", 0, pixels),
    FORM(TEX, "", ISA_TEXTURE),
    FORM(TLD, "", ISA_TEXTURE),
    FORM(TLD4, "", ISA_TEXTURE),
    FORM(TXD, "", ISA_TEXTURE),
    FORM(TXQ, "", ISA_TEXTURE),
    FORM(TMML, "", ISA_TEXTURE),
    FORM(SURFACE, "dab", 0),
    FORM(BRA, "ft", 0),
    FORM(BRX, "ft", 0),
    FORM(CAL, "t", 0),
    FORM(RET, "f", 0),
    FORM(SSY, "t", 0),
    FORM(SYNC, "f", 0),
    FORM(PBK, "t", 0),
    FORM(BRK, "f", 0),
    FORM(PCNT, "t", 0),
    FORM(CONT, "f", 0),
    FORM(PRET, "t", 0),
    FORM(PLONGJMP, "t", 0),
    FORM(LONGJMP, "f", 0),
    FORM(PEXIT, "t", 0),
    FORM(EXIT, "f", 0),
    FORM(KIL, "f", 0),
    FORM(SAM, "", 0),
    FORM(RAM, "", 0),
    MODES(BAR, "dabP", 0, barriers),
    FORM(ORDER, "", 0),
    FORM(OTHER, "", 0),
};

/* By what the row says: those of several forms. */
struct isa_form isa_form_of(const struct ir *ir) {
    struct isa_form form = {"", 0, 0, NULL};
    if (ir->op < IR_OPS && forms[ir->op].operands)
        form = forms[ir->op];
    if (ir->op == IR_ATOM && ir->d == IR_ZERO)
        form.operands = "mb";
    if (ir->op == IR_ATOM && ir->atomic == IR_CAS)
        form.operands = "dmbc";
    if (ir->op == IR_BAR && ir->mode < 2)
        form.operands = "ab";
    if (ir->op == IR_VIDEO) {
        form.operands = ir->mode == IR_VSETP ? "pqabP" : "dabc";
        form.what = ISA_TYPE_SIGNS;
        if (ir->mode == IR_VSET || ir->mode == IR_VSETP)
            form.what |= ISA_COMPARES;
    }
    return form;
}
