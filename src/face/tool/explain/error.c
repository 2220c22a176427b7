/* SPDX-License-Identifier: MIT */
/* Errors that the hardware reports. */
#include <pfifo/error_code.h>

#include "face/tool/explain/explain.h"

#include "face/common/text.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* Which events have an error, by the unit that reports it; the last row is for engines. */
static const struct {
    const char *unit, *events[3];
} unit_events[] = {
    {"DMA_PUSHER", {"pusher.error", "fifo.interrupt"}},
    {"CACHE_ERROR", {"puller.error", "puller.software", "fifo.interrupt"}},
    {"SEMAPHORE", {"puller.error", "fifo.interrupt"}},
    {"PBDMA", {"pusher.error", "puller.error", "fifo.interrupt"}},
    {"MMU", {"memory.fault", "fifo.fault"}},
    {NULL, {"engine.error", "engine.fault"}},
};

static void error_events(struct explain *explain, const char *unit) {
    size_t row = 0;

    while (unit_events[row].unit && strcmp(unit_events[row].unit, unit) != 0)
        row++;
    explain_list(explain, "events");
    for (size_t i = 0; i < 3 && unit_events[row].events[i]; i++)
        explain_word(explain, "%s", unit_events[row].events[i]);
    explain_list_end(explain);
}

static void error_chips(struct explain *explain, const struct pfifo_error_code *code) {
    bool has[EXPLAIN_CHIPS] = {false};

    for (size_t i = 0; i < pfifo_chip_count() && i < EXPLAIN_CHIPS; i++)
        has[i] = pfifo_error_code_on(code, pfifo_chip_at(i));
    explain_chips(explain, has);
}

static void explain_error(struct explain *explain, const struct pfifo_error_code *code) {
    explain_begin(explain, "error", "error %s %s", code->unit, code->name);
    if (explain->json) {
        explain_text(explain, "unit", "%s", code->unit);
        explain_text(explain, "name", "%s", code->name);
    }
    explain_text(explain, "means", "%s", explain_error_text(code));
    explain_number(explain, code->is_bit ? "mask" : "number", "0x%" PRIx64, code->code);
    explain_text(explain, "in", "%s", code->where);
    error_chips(explain, code);
    error_events(explain, code->unit);
    explain_text(explain, "source", "%s", code->source);
    explain_end(explain);
}

static bool goes_with(const struct pfifo_error_code *code, const struct pfifo_class *class) {
    for (size_t i = 0; i < pfifo_chip_count(); i++)
        if (pfifo_error_code_on(code, pfifo_chip_at(i)) && explain_chip_has_class(pfifo_chip_at(i), class))
            return true;
    return false;
}

void explain_error_named(struct explain *explain, const char *name, const char *unit, const struct pfifo_class *class) {
    struct pfifo_error_code code;

    for (size_t i = 0; pfifo_error_code_at(i, &code); i++)
        if (strcmp(code.name, name) == 0 && (!unit || strcmp(code.unit, unit) == 0) &&
            (!class || goes_with(&code, class)) && (!explain->chip || pfifo_error_code_on(&code, explain->chip)))
            explain_error(explain, &code);
}

/* UNIT.NAME, WHERE.NAME, and NAME. */
static bool error_is_called(const struct pfifo_error_code *code, const struct explain_thing *thing) {
    const char *name = thing->part[thing->parts - 1];

    if (strcasecmp(name, code->name) != 0)
        return false;
    return thing->parts == 1 || strcasecmp(thing->part[0], code->unit) == 0 ||
           strcasecmp(thing->part[0], code->where) == 0;
}

/* Registers of which an error is only a field: a whole register's value has it above. */
static const struct {
    const char *where;
    unsigned low;
} error_fields[] = {{"CACHE1_DMA_STATE", 29}};

static uint64_t error_number(const struct pfifo_error_code *code, uint64_t number) {
    for (size_t i = 0; i < sizeof error_fields / sizeof error_fields[0]; i++)
        if (strcmp(code->where, error_fields[i].where) == 0 && number >> error_fields[i].low && number <= UINT32_MAX)
            return number >> error_fields[i].low;
    return number;
}

/* WHERE=NUMBER, with or without the unit of the register before it; UNIT=NUMBER. */
static bool is_numbered(const struct pfifo_error_code *code, const struct explain_thing *thing, uint64_t number) {
    if (strcasecmp(thing->part[thing->parts - 1], code->where) != 0 &&
        (thing->parts > 1 || strcasecmp(thing->part[0], code->unit) != 0))
        return false;
    return code->is_bit ? (number & code->code) != 0 : error_number(code, number) == code->code;
}

/* All errors that a unit or register can show; a number with a line each. */
static void list_errors(struct explain *explain, const char *text) {
    struct pfifo_error_code code;
    bool any = false;

    for (size_t i = 0; pfifo_error_code_at(i, &code); i++) {
        if ((strcasecmp(text, code.unit) != 0 && strcasecmp(text, code.where) != 0) ||
            (explain->chip && !pfifo_error_code_on(&code, explain->chip)))
            continue;
        if (!any) {
            explain_begin(explain, "errors", "errors in %s", text);
            explain_list(explain, "errors");
        }
        any = true;
        explain_line(explain, "%s 0x%" PRIx32 " %s (%s)%s%s", code.where, code.code, code.name, code.chips,
                     code.text ? ": " : "", code.text ? code.text : "");
    }
    if (!any)
        return;
    explain_list_end(explain);
    explain_end(explain);
}

/* Where errors are numbers, one that no error has is said to be so. */
static void explain_unnamed(struct explain *explain, const struct explain_thing *thing, uint64_t number) {
    struct pfifo_error_code code;

    for (size_t i = 0; pfifo_error_code_at(i, &code); i++) {
        if (code.is_bit || strcasecmp(thing->part[thing->parts - 1], code.where) != 0 ||
            (explain->chip && !pfifo_error_code_on(&code, explain->chip)))
            continue;
        explain_begin(explain, "error", "error %s 0x%" PRIx64, code.where, number);
        explain_text(explain, "means", "a number without a name");
        explain_end(explain);
        return;
    }
}

void explain_errors(struct explain *explain) {
    const struct explain_thing *thing = explain->thing;
    struct pfifo_error_code code;
    uint64_t number = 0;
    bool any = false;

    if (thing->parts > 2 || (thing->value && !text_to_number(thing->value, &number)))
        return;
    for (size_t i = 0; pfifo_error_code_at(i, &code); i++)
        if ((!explain->chip || pfifo_error_code_on(&code, explain->chip)) &&
            (thing->value ? is_numbered(&code, thing, number) : error_is_called(&code, thing))) {
            explain_error(explain, &code);
            any = true;
        }
    if (thing->value && !any)
        explain_unnamed(explain, thing, number);
    if (thing->parts == 1 && !thing->value)
        list_errors(explain, thing->part[0]);
}
