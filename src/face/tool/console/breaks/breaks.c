/* SPDX-License-Identifier: MIT */
/* Breakpoints: the list, and what hits them. Memory and registers: watch.c; commands: commands.c. */
#include "face/tool/console/breaks/breaks.h"
#include "face/common/naming.h"

#include <pfifo/classes.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOST_END = 0x100 }; /* methods below it are PFIFO's own */

/* ---- the list ---- */

/* The same line as pfifo run --trace. */
static bool breaks_add_line(void *opaque, const char *text, size_t bytes) {
    breaks_because(opaque, "  %.*s", (int)bytes, text);
    return true;
}

bool breaks_init(struct breaks *breaks, const struct breaks_owner *owner, void *opaque, struct pfifo_error *error) {
    *breaks = (struct breaks){.owner = owner, .opaque = opaque};
    breaks->trace = pfifo_trace_new(PFIFO_TRACE_TEXT, breaks_add_line, breaks, error);
    if (breaks->trace)
        pfifo_trace_set_names(breaks->trace, naming());
    return breaks->trace;
}

void breaks_free(struct breaks *breaks) {
    for (size_t i = 0; i < BREAKS_MOST; i++)
        breaks_drop(&breaks->list[i]);
    pfifo_trace_free(breaks->trace);
    breaks->trace = NULL;
}

void breaks_drop(struct breakpoint *brk) {
    pfifo_query_free(brk->query);
    free(brk->globs);
    free(brk->events);
    free(brk->old);
    free(brk->held);
    free(brk->program);
    *brk = (struct breakpoint){0};
}

struct breakpoint *breaks_new(struct breaks *breaks, enum break_kind kind, const char *text,
                              struct pfifo_error *error) {
    if (strlen(text) >= BREAK_BYTES) {
        refuse(error, "a breakpoint is at most %d bytes", BREAK_BYTES - 1);
        return NULL;
    }
    for (size_t i = 0; i < BREAKS_MOST; i++) {
        struct breakpoint *brk = &breaks->list[i];
        if (brk->number)
            continue;
        *brk = (struct breakpoint){.number = ++breaks->last_number, .kind = kind};
        snprintf(brk->text, sizeof brk->text, "%s", text);
        return brk;
    }
    refuse(error, "there are %d breakpoints already; delete some", BREAKS_MOST);
    return NULL;
}

bool breaks_any(const struct breaks *breaks, enum break_kind kind) {
    for (size_t i = 0; i < BREAKS_MOST; i++)
        if (breaks->list[i].number && breaks->list[i].kind == kind)
            return true;
    return false;
}

/* ---- why it stops ---- */

void breaks_because(struct breaks *breaks, const char *format, ...) {
    size_t used = strlen(breaks->reason);
    va_list args;

    va_start(args, format);
    vsnprintf(breaks->reason + used, sizeof breaks->reason - used, format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
}

const char *breaks_kind_name(const struct breakpoint *brk) {
    static const char *const names[] = {"Breakpoint", "Breakpoint", "Catchpoint", "Watchpoint",
                                        "Watchpoint", "Watchpoint", "Breakpoint"};

    return brk->temporary ? "Temporary breakpoint" : names[brk->kind];
}

void breaks_hit(struct breaks *breaks, struct breakpoint *brk) {
    brk->hits++;
    brk->hit = true;
    breaks->stop = true;
    if (breaks->hits < BREAKS_MOST)
        breaks->hit[breaks->hits++] = brk->number;
    breaks_because(breaks, "%s %u: %s", breaks_kind_name(brk), brk->number, brk->text);
}

void breaks_begin(struct breaks *breaks) {
    breaks->stop = false;
    breaks->hits = 0;
    breaks->reason[0] = 0;
}

void breaks_end(struct breaks *breaks) {
    for (size_t i = 0; i < BREAKS_MOST; i++) {
        if (breaks->list[i].hit && breaks->list[i].temporary)
            breaks_drop(&breaks->list[i]);
        breaks->list[i].hit = false;
    }
}

void breaks_take_back(struct breaks *breaks) {
    for (size_t i = 0; i < BREAKS_MOST; i++) {
        breaks->list[i].hits -= breaks->list[i].hit;
        breaks->list[i].hit = false;
    }
    breaks_begin(breaks);
}

/* ---- what hits ---- */

static bool breaks_is_method(struct breakpoint *brk, const struct pfifo_decode_event *method) {
    return method && brk->number && brk->kind == BREAK_METHOD && pfifo_query_decoded(brk->query, method);
}

static bool breaks_is_address(const struct breakpoint *brk, const uint64_t *address, size_t count) {
    if (!brk->number || brk->kind != BREAK_ADDRESS)
        return false;
    for (size_t i = 0; i < count; i++)
        if (address[i] == brk->address)
            return true;
    return false;
}

void breaks_next(struct breaks *breaks, const struct pfifo_decode_event *method, const uint64_t *address,
                 size_t count) {
    for (size_t i = 0; i < BREAKS_MOST; i++)
        if (breaks_is_method(&breaks->list[i], method) || breaks_is_address(&breaks->list[i], address, count)) {
            breaks_hit(breaks, &breaks->list[i]);
            breaks_because(breaks, "\n");
        }
}

bool breaks_match(struct breaks *breaks, const struct pfifo_decode_event *method) {
    for (size_t i = 0; i < BREAKS_MOST; i++)
        if (breaks_is_method(&breaks->list[i], method))
            return true;
    return false;
}

static bool breaks_is_event(struct breakpoint *brk, const struct pfifo_event *event,
                            const struct pfifo_query_place *place) {
    return brk->kind == BREAK_EVENT && brk->events[event->id] &&
           (!brk->query || pfifo_query_event(brk->query, event, place));
}

void breaks_event(struct breaks *breaks, const struct pfifo_event *event, const struct pfifo_query_place *place,
                  const struct pfifo_decode_event *method) {
    for (size_t i = 0; i < BREAKS_MOST; i++) {
        struct breakpoint *brk = &breaks->list[i];
        if (!brk->number || brk->hit || !(breaks_is_event(brk, event, place) || breaks_is_method(brk, method)))
            continue;
        breaks_hit(breaks, brk);
        breaks_because(breaks, "\n");
        pfifo_trace_event(breaks->trace, event);
        pfifo_trace_flush(breaks->trace);
    }
}

void breaks_globs(const struct breaks *breaks, char *text, size_t size) {
    for (size_t i = 0; i < BREAKS_MOST; i++)
        if (breaks->list[i].number && breaks->list[i].kind == BREAK_EVENT) {
            size_t used = strlen(text);
            snprintf(text + used, size - used, ",%s", breaks->list[i].globs);
        }
}

/* ---- texts ---- */

uint32_t breaks_name_class(const struct pfifo_chip *chip, uint32_t oclass, uint32_t method) {
    return method < HOST_END ? pfifo_chip_info(chip).host_class : oclass;
}

void breaks_format_method(const struct pfifo_chip *chip, uint32_t subchannel, uint32_t oclass, uint32_t method,
                          uint32_t data, char *buf, size_t size) {
    uint32_t named = breaks_name_class(chip, oclass, method), shown = method ? named : oclass;
    const struct pfifo_class *class = pfifo_class_find(shown);
    char name[PFIFO_METHOD_NAME_BYTES] = "?";
    struct pfifo_method_name known;

    if (pfifo_method_find(named, method, &known))
        naming_method(&known, name, sizeof name);
    snprintf(buf, size, "%" PRIu32 " %04" PRIx32 " %s %04" PRIx32 " %s 0x%08" PRIx32, subchannel, shown,
             class ? class->name : "?", method, name, data);
}
