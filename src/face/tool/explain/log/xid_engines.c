/* SPDX-License-Identifier: MIT */
/*
 * What Xids of PGRAPH, of a PBDMA and of the scheduler have after their number. Sources: logs; the registers are those of
 * nvgpu's hw_gr_{gk20a,gm20b,gp10b,gv11b}.h.
 */
#include "face/tool/explain/log/more.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- PGRAPH ---- */

#define WARP   "MP_TRAP_WARP_ERROR"
#define HEADER "header"
#define ESR    0x3fffffffu /* 31: traps are on, 30: writing it clears the error */

enum { HEADER_CHECKS = 24 };

/*
 * The registers that an Xid 13 shows, of the units that trap; a GPC's and a processor's are found by the end of their
 * offset. Without `where`: what its bits say is not public.
 */
static const struct {
    uint32_t mask, offset;
    const char *name, *where;
    uint32_t bits; /* that are errors; 0: it is a setting */
} registers[] = {
    {UINT32_MAX, 0x404000, "errors of the front end", "DISPATCH", ESR},
    {UINT32_MAX, 0x4041b0, "what the front end's error is about", NULL, UINT32_MAX},
    {UINT32_MAX, 0x404490, "errors of macros", "MACRO", 0x1fffffff},
    {UINT32_MAX, 0x404600, "errors of inline data", "M2MF", ESR},
    {UINT32_MAX, 0x405840, "errors of shader programs' headers", HEADER, ESR},
    {UINT32_MAX, 0x405848, "more errors of shader programs' headers", NULL, ESR},
    {UINT32_MAX, 0x405a14, "errors of the unit that synchronizes shader stages", NULL, ESR},
    {UINT32_MAX, 0x406018, "errors of the unit that gives work to the GPCs", NULL, ESR},
    {UINT32_MAX, 0x40601c, "errors of memory for local variables", "UNK6", ESR},
    {UINT32_MAX, 0x407020, "errors of the scheduler of compute", "SKED", ESR},
    {UINT32_MAX, 0x408030, "errors of constants", "CCACHE", ESR},
    {UINT32_MAX, 0x410070, "errors of the unit that writes depth", NULL, ESR},
    {UINT32_MAX, 0x410144, "errors of the unit that writes colours", NULL, ESR},
    {0xf07fff, 0x500420, "errors of render targets", "GPC_PROP", ESR},
    {0xf07fff, 0x500434, "where on the render target", NULL, UINT32_MAX},
    {0xf07fff, 0x500438, "the render target's format", NULL, UINT32_MAX},
    {0xf07fff, 0x50043c, "the state of the unit for render targets", NULL, UINT32_MAX},
    {0xf07fff, 0x500824, "errors of the unit that sets triangles up", NULL, ESR},
    {0xf07fff, 0x500900, "errors of the unit that culls by depth", NULL, ESR},
    {0xf07fff, 0x501028, "errors of a GPC's cache of constants", NULL, ESR},
    {0xf007ff, 0x500084, "errors of the unit that fetches vertices", NULL, ESR},
    {0xf007ff, 0x500224, "errors of the unit that reads textures", NULL, ESR},
    {0xf007ff, 0x500430, "errors of the controller of a TPC", NULL, ESR},
    {0xf007ff, 0x50048c, "errors of a TPC's L1 cache", NULL, ESR},
    {0xf007ff, 0x500644, "which errors of a warp are reported", NULL, 0},
    {0xf007ff, 0x500648, "errors of a warp of a shader processor", WARP, UINT32_MAX},
    {0xf007ff, 0x50064c, "which errors of a shader processor are reported", NULL, 0},
    {0xf007ff, 0x500650, "errors of a shader processor", "MP_TRAP_GLOBAL_ERROR", UINT32_MAX},
    /* GV100 and later: of the two processors of a TPC. */
    {0xf0077f, 0x500728, "which errors of a warp are reported", NULL, 0},
    {0xf0077f, 0x50072c, "which errors of a shader processor are reported", NULL, 0},
    {0xf0077f, 0x500730, "errors of a warp of a shader processor", WARP, UINT32_MAX},
    {0xf0077f, 0x500734, "errors of a shader processor", "MP_TRAP_GLOBAL_ERROR", UINT32_MAX},
};

/* Which of the checks of a shader program's header failed: a bit of each. */
static void print_header(struct explain *explain, uint64_t value) {
    explain_list(explain, "value");
    explain_line(explain, "0x%" PRIx64, value);
    for (unsigned bit = 0; bit < HEADER_CHECKS; bit++)
        if (value >> bit & 1)
            explain_line(explain, "bit %u: check %u of a shader program's header failed; it has no name", bit, bit);
    if (value >> HEADER_CHECKS)
        explain_line(explain, "bits 0x%" PRIx64 ": a number without a name", value & ~UINT64_C(0xffffff));
    explain_list_end(explain);
}

static void print_register(struct explain *explain, const struct log_match *match, uint64_t offset, uint64_t value) {
    size_t i = 0;

    while (i < sizeof registers / sizeof registers[0] &&
           (offset > UINT32_MAX || ((uint32_t)offset & registers[i].mask) != registers[i].offset))
        i++;
    if (i == sizeof registers / sizeof registers[0]) {
        explain_text(explain, "register", "0x%06" PRIx64 ": a register without a name; it has 0x%" PRIx64, offset,
                     value);
        return;
    }
    explain_text(explain, "register", "0x%06" PRIx64 ", %s", offset, registers[i].name);
    if (!registers[i].bits)
        explain_text(explain, "value", "0x%" PRIx64 ": a setting, no error", value);
    else if (!(value & registers[i].bits))
        explain_text(explain, "value", "0x%" PRIx64 ": no error", value);
    else if (!registers[i].where)
        log_print_value(explain, match, "value", value & registers[i].bits, NULL, NULL, "");
    else if (strcmp(registers[i].where, HEADER) == 0)
        print_header(explain, value & registers[i].bits);
    else if (strcmp(registers[i].where, WARP) == 0)
        log_print_warp(explain, match, "value", value, offset & 0x100 ? LOG_SM_GV100 : LOG_SM_ANY);
    else
        log_print_value(explain, match, "value", value & registers[i].bits, "PGRAPH", registers[i].where, "");
}

/* "ESR 0x404000=0x80000002 0x..=0x..". */
static bool xid_registers(struct explain *explain, const struct log_match *match) {
    const char *at = strstr(match->rest, "ESR ");
    uint64_t offset, value;
    bool found = false;

    for (at = at ? at + 4 : ""; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        const char *end = log_read_hex(at, &offset);
        if (!end || *end != '=' || !log_read_hex(end + 1, &value))
            continue;
        print_register(explain, match, offset, value);
        found = true;
    }
    return found;
}

/* The driver's words for errors whose names others have. */
static const struct {
    const char *words, *where, *name;
} exceptions[] = {
    {"Stack Error", "MP_TRAP", "STACK_ERROR"},
    {"API Stack Error", "MP_TRAP", "API_STACK_ERROR"},
    {"Empty Stack Error", "MP_TRAP", "RET_EMPTY_STACK_ERROR"},
    {"PC Wrap", "MP_TRAP", "PC_WRAP"},
    {"Misaligned PC", "MP_TRAP", "MISALIGNED_PC"},
    {"PC Overflow", "MP_TRAP", "PC_OVERFLOW"},
    {"Misaligned Register", "MP_TRAP", "MISALIGNED_REG"},
    {"Illegal Instruction Encoding", "MP_TRAP", "ILLEGAL_INSTR_ENCODING"},
    {"Illegal Instruction Parameter", "MP_TRAP", "ILLEGAL_INSTR_PARAM"},
    {"Invalid Constant Address", "MP_TRAP", "INVALID_CONST_ADDR"},
    {"Out Of Range Register", "MP_TRAP", "OOR_REG"},
    {"Out Of Range Address", "MP_TRAP", "OOR_ADDR"},
    {"Misaligned Address", "MP_TRAP", "MISALIGNED_ADDR"},
    {"Invalid Address Space", "MP_TRAP", "INVALID_ADDR_SPACE"},
    {"Geometry SM Error", "MP_TRAP", "GEOMETRY_SM_ERROR"},
    {"Multiple Warp Errors", "MP_TRAP", "MULTIPLE_WARP_ERRORS"},
    {"Physical Multiple Warp Errors", "MP_TRAP", "MULTIPLE_WARP_ERRORS"},
    {"Physical Stack Overflow", "MP_TRAP", "PHYSICAL_STACK_OVERFLOW"},
    {"MMU NACK Errors", "MP_TRAP", "MMU_FAULT"},
    {"Timeout", "MP_TRAP", "TIMEOUT"},
    {"WIDTH CT Violation", "GPC_PROP", "RT_WIDTH_OVERRUN"},
    {"HEIGHT CT Violation", "GPC_PROP", "RT_HEIGHT_OVERRUN"},
    {"PITCH CT Violation", "GPC_PROP", "RT_PITCH_OVERRUN"},
};

static bool print_code(struct explain *explain, const char *where, const char *name) {
    struct pfifo_error_code code;

    for (size_t c = 0; pfifo_error_code_at(c, &code); c++)
        if (strcmp(code.name, name) == 0 && strncmp(code.where, where, strlen(where)) == 0) {
            explain_text(explain, "error", "%s in %s: %s", code.name, code.where, explain_error_text(&code));
            return true;
        }
    return false;
}

/* "SKEDCHECK15_TOTAL_THREADS failed": a check of a launch, some with nouveau's names. */
static bool print_launch(struct explain *explain, const char *words) {
    unsigned check;
    char name[LOG_NAME_BYTES];

    if (sscanf(words, "SKEDCHECK%2u_%63[A-Z0-9_]", &check, name) != 2)
        return false;
    if (!print_code(explain, "SKED", name))
        explain_text(explain, "error", "%s: check %u of a launch of compute failed", name, check);
    return true;
}

static void print_words(struct explain *explain, const char *words) {
    unsigned check;

    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
        if (strncasecmp(words, exceptions[i].words, strlen(exceptions[i].words)) == 0 &&
            print_code(explain, exceptions[i].where, exceptions[i].name))
            return;
    if (print_launch(explain, words))
        return;
    if (sscanf(words, "Shader Program Header %2u Error", &check) == 1)
        explain_text(explain, "error", "check %u of a shader program's header failed; it has no name", check);
    else if (strncmp(words, "MISSING_MACRO_DATA", strlen("MISSING_MACRO_DATA")) == 0)
        explain_text(explain, "error", "MISSING_MACRO_DATA: a macro took more parameters than the method has words");
    else
        explain_text(explain, "error", "%s: words that are not known", words);
}

/* "Graphics Exception: ...", "Graphics SM Warp Exception on (GPC 7, TPC 7, SM 0): ...". */
static void xid_exception(struct explain *explain, const struct log_match *match) {
    static const char word[] = "Exception";
    const char *at = strstr(match->rest, word), *words = at ? strstr(at, ": ") : NULL;

    if (!words || strstr(words, "Mismatch"))
        return;
    words += 2;
    if (*words && strncasecmp(words, "ChID", 4) != 0 && strncasecmp(words, "Class", 5) != 0)
        print_words(explain, words);
}

/* Drivers before 331: channel, 0, class, method, data and the error, as six numbers. */
static bool xid_numbers(struct explain *explain, const struct log_match *match) {
    unsigned ch, zero, class_id, method, data, error;
    const char *at = strchr(match->rest, ',');
    uint64_t word;

    if (!at || sscanf(at + 1, "%4x %8x %8x %8x %8x %8x", &ch, &zero, &class_id, &method, &data, &error) != 6)
        return false;
    word = data;
    log_print_method(explain, class_id, method, &word);
    log_print_value(explain, match, "error", error, "PGRAPH", "DATA_ERROR", "");
    return true;
}

void log_xid_graphics(struct explain *explain, const struct log_match *match) {
    uint64_t error;

    if (xid_numbers(explain, match))
        return;
    if (strstr(match->rest, "Mismatch"))
        explain_text(
            explain, "error",
            "CLASS_SUBCH_MISMATCH: the class of the method's subchannel is not the class that PGRAPH is set to");
    if (!xid_registers(explain, match))
        xid_exception(explain, match);
    if (log_number_after(match->rest, "ErrorCode", &error))
        log_print_value(explain, match, "error", error, "PGRAPH", "DATA_ERROR", "");
}

/* ---- a PBDMA ---- */

/* "intr 00040000"; "intr0 00000000 intr1 00000001 HCE_DBG0 00000300 HCE_DBG1 04002186". */
void log_xid_pbdma(struct explain *explain, const struct log_match *match) {
    uint64_t bits, method, data;

    if (log_number_after(match->rest, "intr", &bits))
        log_print_value(explain, match, "intr", bits, "PBDMA", "PBDMA_INTR_0", "");
    if (log_number_after(match->rest, "intr0", &bits) && bits)
        log_print_value(explain, match, "intr0", bits, "PBDMA", "PBDMA_INTR_0", "");
    if (!log_number_after(match->rest, "intr1", &bits) || !bits)
        return;
    log_print_value(explain, match, "intr1", bits, "PBDMA", "PBDMA_INTR_1", "");
    if (!log_number_after(match->rest, "HCE_DBG0", &method) || !log_number_after(match->rest, "HCE_DBG1", &data))
        return;
    explain_text(explain, "method", "0x%04" PRIx64 " of a copy class, data 0x%08" PRIx64, method, data);
}

/* ---- the scheduler ---- */

/* "Info 0x5c01a". nvgpu hw_fifo_gv11b.h, fifo_intr_ctxsw_timeout_info: of GV100 and later; before, it has no names. */
void log_xid_timeout(struct explain *explain, const struct log_match *match) {
    static const char *const states[] = {"no state that is known", "loads a context", "saves a context",
                                         "switches contexts"};
    static const char *const answers[] = {"no answer yet", "the engine was reset", "the engine answered",
                                          "the answer was dropped"};
    uint64_t info;

    explain_text(explain, "error", "CTXSW_TIMEOUT of the scheduler");
    if (!log_number_after(match->rest, "Info", &info))
        return;
    if (match->chip && pfifo_chip_info(match->chip).host_class < 0xc36f) {
        explain_text(explain, "info", "0x%" PRIx64 ": a number without a name", info);
        return;
    }
    explain_list(explain, "info");
    explain_line(explain, "0x%" PRIx64 "%s", info, match->chip ? "" : ", as GV100 and later chips have it");
    explain_line(explain, "group of channels before (bits 13:0): %u", (unsigned)(info & 0x3fff));
    explain_line(explain, "state (bits 15:14) %u: the engine %s", (unsigned)(info >> 14 & 3), states[info >> 14 & 3]);
    explain_line(explain, "group of channels after (bits 29:16): %u", (unsigned)(info >> 16 & 0x3fff));
    explain_line(explain, "status (bits 31:30) %u: %s", (unsigned)(info >> 30 & 3), answers[info >> 30 & 3]);
    explain_list_end(explain);
}
