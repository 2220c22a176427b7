/* SPDX-License-Identifier: MIT */
/* What only some of nouveau's lines have. */
#include "face/tool/explain/log/more.h"

#include "chip/counted.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- names without numbers ---- */

static bool has_word(const char *text, const char *word) {
    size_t bytes = strlen(word);

    for (const char *at = text; (at = strstr(at, word)) != NULL; at += bytes) {
        bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && !isalnum((unsigned char)at[bytes]) && at[bytes] != '_')
            return true;
    }
    return false;
}

/* A processor's own errors stand in two registers. */
static bool is_of_form(const struct pfifo_error_code *code, const struct log_form *form) {
    if (strcmp(code->unit, form->set_unit) != 0)
        return false;
    return !form->set_of || strcmp(code->where, form->set_of) == 0 ||
           (strncmp(form->set_of, "MP_TRAP", 7) == 0 && strncmp(code->where, "MP_TRAP", 7) == 0);
}

void log_more_names(struct explain *explain, const struct log_match *match) {
    struct pfifo_error_code code;
    size_t count = 0;

    for (size_t i = 0; pfifo_error_code_at(i, &code); i++) {
        if (!is_of_form(&code, match->form) || !has_word(match->rest, code.name))
            continue;
        if (count++ == 0)
            explain_list(explain, "names");
        explain_line(explain, "%s: %s", code.name, explain_error_text(&code));
    }
    if (count)
        explain_list_end(explain);
}

void log_more_called(struct explain *explain, const struct log_match *match) {
    const char *name = match->numbers.name[LOG_VALUE];

    if (name[0])
        explain_text(explain, "names", "%s", name);
}

/* ---- faults ---- */

/* Kernels before 4.3: "[PDE] from GR/GPC2/RAST on channel", "PGRAPH/PROP/RT0 reason: PAGE_NOT_PRESENT". */
static void fault_of_old(struct explain *explain, const struct log_match *match) {
    const char *from = strstr(match->line->message, " from "), *reason = strstr(match->line->message, "reason: ");
    const char *open = strchr(match->line->message, '[');
    char name[LOG_NAME_BYTES];

    if (from) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(from + 6, " \t"), from + 6);
        log_print_client(explain, "client", NULL, name);
    }
    if (reason)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(reason + 8, " \t"), reason + 8);
    else if (from && open && open < from)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(open + 1, "]"), open + 1);
    else
        return;
    log_print_reason(explain, match, NULL, name);
}

void log_more_fault(struct explain *explain, const struct log_match *match) {
    const struct log_numbers *numbers = &match->numbers;

    if (numbers->has[LOG_ADDRESS])
        explain_number(explain, "address", "0x%" PRIx64, numbers->number[LOG_ADDRESS]);
    if (numbers->has[LOG_ENGINE])
        log_print_client(explain, "engine", log_number(match, LOG_ENGINE), numbers->name[LOG_ENGINE]);
    if (numbers->has[LOG_CLIENT])
        log_print_client(explain, "client", log_number(match, LOG_CLIENT), numbers->name[LOG_CLIENT]);
    if (numbers->has[LOG_REASON])
        log_print_reason(explain, match, log_number(match, LOG_REASON), numbers->name[LOG_REASON]);
    else
        fault_of_old(explain, match);
    if (numbers->has[LOG_ADDRESS] && numbers->number[LOG_ADDRESS] < 0x1000)
        explain_text(explain, "note", "an address near 0: a pointer or an offset that was never set");
}

/* ---- PFIFO ---- */

void log_more_subchannel(struct explain *explain, const struct log_match *match) {
    const struct log_numbers *numbers = &match->numbers;

    if (!numbers->has[LOG_METHOD] || numbers->has[LOG_CLASS])
        return;
    explain_number(explain, "method", "0x%04" PRIx64, numbers->number[LOG_METHOD]);
    if (numbers->number[LOG_METHOD] == 0)
        explain_text(explain, "note", "method 0 binds an object: the data is its handle, or its class");
    else if (match->chip && numbers->number[LOG_METHOD] <= UINT32_MAX)
        explain_names_of_method(explain, match->chip, (uint32_t)numbers->number[LOG_METHOD]);
    else
        explain_text(explain, "note", "the line does not say the class; with --chip=CHIP, the classes that have it");
}

void log_more_host_method(struct explain *explain, const struct log_match *match) {
    enum { GF100_HOST = 0x906f, HOST_METHODS = 0x100 };
    const struct log_numbers *numbers = &match->numbers;
    uint32_t host = match->chip ? pfifo_chip_info(match->chip).host_class : GF100_HOST;

    if (numbers->has[LOG_METHOD] && numbers->number[LOG_METHOD] < HOST_METHODS)
        log_print_method(explain, host, (uint32_t)numbers->number[LOG_METHOD], log_number(match, LOG_DATA));
    else
        log_more_subchannel(explain, match);
}

/* envytools docs/hw/fifo/dma-pusher.rst: the pusher's state, NV4 to MCP89. */
void log_more_pusher(struct explain *explain, const struct log_match *match) {
    uint64_t state = match->numbers.number[LOG_STATE], get;

    if (log_number_after(match->rest, "get", &get))
        explain_text(explain, "stopped at", "0x%" PRIx64 ", or at the word before it", get);
    if (!match->numbers.has[LOG_STATE])
        return;
    explain_text(explain, "state", "method 0x%04" PRIx64 " of subchannel %" PRIu64 ", %s of data left", state & 0x1ffc,
                 state >> 13 & 7, counted(state >> 18 & 0x7ff, "word").text);
    log_print_value(explain, match, "error", state >> 29 & 7, "DMA_PUSHER", NULL, "");
}

/* ---- PGRAPH ---- */

void log_more_nsource(struct explain *explain, const struct log_match *match) {
    static const struct log_form source = {.set_unit = "PGRAPH", .set_of = "NSOURCE"};
    struct log_match names = *match;
    uint64_t number;

    if (log_number_after(match->line->message, "nsource", &number)) {
        log_print_value(explain, match, "nsource", number, "PGRAPH", "NSOURCE", "");
        return;
    }
    names.form = &source;
    names.rest = match->line->message;
    log_more_names(explain, &names);
}

void log_more_prop(struct explain *explain, const struct log_match *match) {
    uint64_t kind;

    if (!log_number_after(match->rest, "storage type", &kind))
        return;
    explain_text(explain, "kind", "0x%02" PRIx64 ": %s", kind,
                 kind ? "the pages are tiled" : "pitch: the pages are linear, or no page is mapped");
}

void log_more_mp(struct explain *explain, const struct log_match *match) {
    const char *global = strstr(match->line->message, "global "), *warp = strstr(match->line->message, "warp ");
    uint64_t number;

    if (global && log_read_hex(global + 7, &number))
        log_print_value(explain, match, "global", number, "PGRAPH", "MP_TRAP_GLOBAL_ERROR", "");
    if (warp && log_read_hex(warp + 5, &number))
        log_print_value(explain, match, "warp", number & 0xffff, "PGRAPH", "MP_TRAP_WARP_ERROR", "");
}

/* ---- registers that did not answer ---- */

/* nvgpu hal/priv_ring/priv_ring_gp10b_fusa.c: bits 15:12 are a group, 11:8 the error in it. */
static const struct {
    unsigned group, error;
    const char *text;
} ring_errors[] = {
    {1, 0, "the unit did not answer in time"},
    {1, 1, "no unit has a register there"},
    {1, 2, "the unit is in reset"},
    {1, 3, "the unit is fused off on this chip"},
    {1, 4, "the unit's answer does not go away"},
    {1, 5, "the unit answered when it was not asked"},
    {1, 6, "the unit is fenced off: power or clock is off"},
    {1, 7, "the access has a sub-id that the unit does not take"},
    {1, 8, "single bytes cannot be written"},
    {2, 0, "the GPC or memory partition is cut off from the ring"},
    {3, 0, "the ring is dead"},
    {5, 0, "the unit refused the access"},
    {5, 1, "the access is not privileged enough"},
    {5, 2, "an indirect access is not privileged enough"},
    {5, 3, "an error of the unit's own ring"},
    {5, 4, "a falcon's memory is protected from the access"},
    {5, 5, "the access was sent where no unit is"},
};

static bool print_ring_word(struct explain *explain, uint64_t word) {
    const char *text = "a word that the register ring answers in place of data";

    if (word > UINT32_MAX || (word >> 20) != 0xbad)
        return false;
    for (size_t i = 0; i < sizeof ring_errors / sizeof ring_errors[0]; i++)
        if ((word >> 16 & 15) == 15 && (word >> 12 & 15) == ring_errors[i].group &&
            (word >> 8 & 15) == ring_errors[i].error)
            text = ring_errors[i].text;
    explain_text(explain, "answer", "0x%08" PRIx64 ": %s", word, text);
    return true;
}

void log_more_ring(struct explain *explain, const struct log_match *match) {
    const char *text = match->line->message;
    uint64_t number;

    for (const char *at = text; *at; at++)
        if ((at == text || !isalnum((unsigned char)at[-1])) && log_read_hex(at, &number) &&
            print_ring_word(explain, number))
            return;
}

static void print_register(struct explain *explain, const struct pfifo_chip *chip, uint64_t offset) {
    const struct pfifo_registers *tables = NULL;
    char name[64] = "";

    for (size_t i = 0; chip && i < pfifo_chip_count(); i++)
        if (pfifo_chip_at(i) == chip)
            tables = explain_tables(explain, i);
    if (tables && offset <= UINT32_MAX)
        pfifo_registers_name(tables, (uint32_t)offset, name, sizeof name);
    explain_text(explain, "register", "0x%06" PRIx64 "%s%s", offset, name[0] ? " " : "", name);
}

void log_more_mmio(struct explain *explain, const struct log_match *match) {
    static const struct {
        const char *word, *text;
    } reasons[] = {
        {"!ENGINE", "!ENGINE: the unit is off or in reset (PMC.ENABLE)"},
        {"IBUS", "IBUS: the register ring answered with an error"},
        {"PRIVRING", "PRIVRING: the register ring answered with an error"},
        {"TIMEOUT", "TIMEOUT: nobody answered in time"},
    };

    print_register(explain, match->chip, match->numbers.number[LOG_VALUE]);
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (strstr(match->rest, reasons[i].word))
            explain_text(explain, "why", "%s", reasons[i].text);
    log_more_ring(explain, match);
}
