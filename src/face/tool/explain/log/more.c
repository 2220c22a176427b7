/* SPDX-License-Identifier: MIT */
/* What only some of nouveau's lines have: names, faults, methods, numbers of the driver. */
#include "face/tool/explain/log/more.h"

#include "chip/counted.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
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

/* What kernels before 4.3 call bits of a PBDMA. */
static const struct {
    const char *unit, *old, *name;
} old_names[] = {{"PBDMA", "ILLEGAL_MTHD", "METHOD"}, {"PBDMA", "EMPTY_SUBC", "DEVICE"}};

static bool is_named(const struct pfifo_error_code *code, const char *text) {
    for (size_t i = 0; i < sizeof old_names / sizeof old_names[0]; i++)
        if (strcmp(code->unit, old_names[i].unit) == 0 && strcmp(code->name, old_names[i].name) == 0 &&
            has_word(text, old_names[i].old))
            return true;
    return has_word(text, code->name);
}

/* Numbers that the kernel has no name for: "(unknown bits 0x80000000)", "(unknown enum 0x0000009c)", "UNK9c". */
static bool unknown_number(const char *text, uint64_t *number) {
    static const char *const words[] = {"(unknown bits ", "(unknown enum ", "UNK"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *at = strstr(text, words[i]);
        char digits[24];
        if (!at)
            continue;
        at += strlen(words[i]);
        snprintf(digits, sizeof digits, "%.*s", (int)strspn(at, "0123456789abcdefx"), at);
        if (log_read_hex(digits, number))
            return true;
    }
    return false;
}

/* Errors that several generations have, under one name and with one text, are said once. */
void log_more_names(struct explain *explain, const struct log_match *match) {
    struct pfifo_error_code code, before;
    uint64_t number;

    explain_list(explain, "names");
    for (size_t i = 0; pfifo_error_code_at(i, &code); i++) {
        bool said = false;
        if (!is_of_form(&code, match->form) || !is_named(&code, match->rest) ||
            (match->chip && !pfifo_error_code_on(&code, match->chip)))
            continue;
        for (size_t j = 0; j < i && !said && pfifo_error_code_at(j, &before); j++)
            said = is_of_form(&before, match->form) && strcmp(before.name, code.name) == 0 &&
                   strcmp(explain_error_text(&before), explain_error_text(&code)) == 0 &&
                   (!match->chip || pfifo_error_code_on(&before, match->chip));
        if (!said)
            explain_line(explain, "%s: %s", code.name, explain_error_text(&code));
    }
    if (unknown_number(match->rest, &number))
        explain_line(explain, "0x%" PRIx64 ": a number without a name", number);
    if (!explain->items)
        explain_line(explain, "the line has none that is known");
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
    const char *open = strchr(match->line->message, '['), *path;
    char name[LOG_NAME_BYTES];

    /* "PGRAPH/PROP/RT0 reason:" */
    for (path = reason ? reason - 1 : NULL; path && path > match->line->message && path[-1] != ' ';)
        path--;
    if (path && path < reason - 1) {
        snprintf(name, sizeof name, "%.*s", (int)(reason - 1 - path), path);
        log_print_client(explain, "client", NULL, name);
    }
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

/* ---- the driver ---- */

/* Linux's numbers that a submission may end with. */
static const struct {
    unsigned number;
    const char *name, *text;
} errnos[] = {
    {2, "ENOENT", "what it names does not exist"},
    {4, "EINTR", "a signal came"},
    {5, "EIO", "the GPU did not do it"},
    {11, "EAGAIN", "it is to be tried again"},
    {12, "ENOMEM", "there is not enough memory"},
    {14, "EFAULT", "the program's own memory could not be read"},
    {16, "EBUSY", "what is needed stayed in use"},
    {19, "ENODEV", "the channel is dead, or the GPU is gone"},
    {22, "EINVAL", "an argument is not valid"},
    {28, "ENOSPC", "there is no room"},
    {110, "ETIMEDOUT", "it took too long"},
    {512, "ERESTARTSYS", "a signal came, and the call is made again: no error"},
};

void log_more_errno(struct explain *explain, const struct log_match *match) {
    const char *text = match->line->message, *at = strrchr(text, '-');
    unsigned long number = at && isdigit((unsigned char)at[1]) ? strtoul(at + 1, NULL, 10) : 0;

    if (!number)
        return;
    for (size_t i = 0; i < sizeof errnos / sizeof errnos[0]; i++)
        if (errnos[i].number == number) {
            explain_text(explain, "errno", "%lu %s: %s", number, errnos[i].name, errnos[i].text);
            return;
        }
    explain_text(explain, "errno", "%lu: a number without a name here", number);
}
