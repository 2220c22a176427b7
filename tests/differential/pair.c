/* SPDX-License-Identifier: MIT */
/* Two machines as one: make, write, run, compare. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "differential/differential.h"

#define PMC_INTR     0x000100
#define PMC_ENABLE   0x000200
#define TIMESLICE    0x204c
#define CACHE1_PUT   0x3210
#define CACHE1_GET   0x3270
#define CACHE1_ENTRY 0x90000
#define EVENTS       "pusher.*,puller.*,fifo.interrupt,fifo.unknown"

static const char *const reasons[] = {"idle", "budget", "waiting", "interrupt", "frozen"};

/* ---- logs ---- */

static void keep_event(struct recording *log, const struct reference_event *event) {
    if (log->events < DIFFERENTIAL_LOG)
        log->event[log->events++] = *event;
}

static void on_reference_event(void *opaque, const struct reference_event *event) {
    keep_event(&((struct differential *)opaque)->reference_log, event);
}

static void on_machine_event(void *opaque, const struct pfifo_event *event) {
    struct differential *d = opaque;
    struct reference_event kept = {.name = pfifo_event_info(event->id)->name, .text = event->text};
    memcpy(kept.value, event->value, sizeof kept.value);
    keep_event(&d->machine_log, &kept);
}

/* ---- making ---- */

static bool make_machine(struct differential *d, const struct chip *chip) {
    struct memory_config memory = {
        .chip = chip, .vram_bytes = DIFFERENTIAL_VRAM, .system_bytes = DIFFERENTIAL_SYSTEM, .events = &d->events};
    struct bus_clock clock = {NULL, NULL};
    if (memory_init(&d->memory, &memory, NULL) != PFIFO_OK ||
        bus_init(&d->bus, chip, &d->memory, &d->events, &clock, NULL) != PFIFO_OK ||
        fifo_new(&d->fifo, chip, &d->memory, &d->bus, &d->events, NULL) != PFIFO_OK)
        return false;
    d->fifo->materialise = d->materialise;
    for (unsigned id = 1; id <= 2; id++) {
        d->machine_engine[id] = (struct side_engine){.d = d, .id = id};
        d->fifo->engines[id].ops = &machine_engine_ops;
        d->fifo->engines[id].engine = &d->machine_engine[id];
    }
    bus_wr32(&d->bus, PMC_ENABLE, UINT32_MAX);
    return !d->observed || event_observe(&d->events, EVENTS, on_machine_event, d, NULL) == PFIFO_OK;
}

static bool make_reference(struct differential *d, const char *chip) {
    struct reference_config config = {
        .chip = chip,
        .vram = d->vram,
        .system = d->system,
        .vram_bytes = DIFFERENTIAL_VRAM,
        .system_bytes = DIFFERENTIAL_SYSTEM,
        .engines = 1u << 1 | 1u << 2,
        .bind = reference_engine_bind,
        .method = reference_engine_method,
        .busy = reference_engine_busy,
        .event = on_reference_event,
        .opaque = d,
    };
    return d->vram && d->system && reference_init(&d->reference, &config);
}

bool pair_make(struct differential *d, const char *chip, const char *reference_chip) {
    d->chip = chip;
    d->vram = calloc(1, DIFFERENTIAL_VRAM);
    d->system = calloc(1, DIFFERENTIAL_SYSTEM);
    return make_reference(d, reference_chip) && make_machine(d, pfifo_chip_by_name(chip));
}

void pair_free(struct differential *d) {
    fifo_free(d->fifo);
    bus_free(&d->bus);
    memory_free(&d->memory);
    free(d->vram);
    free(d->system);
}

/* ---- the same to both ---- */

void pair_wr32(struct differential *d, uint32_t offset, uint32_t value) {
    reference_wr32(&d->reference, offset, value);
    bus_wr32(&d->bus, offset, value);
}

uint32_t pair_rd32(struct differential *d, uint32_t offset) {
    uint32_t value = 0;
    reference_rd32(&d->reference, offset, &value);
    return value;
}

void pair_poke(struct differential *d, enum memory_target target, uint32_t address, uint32_t value) {
    uint8_t *memory = target == MEMORY_VRAM ? d->vram : d->system;
    uint32_t bytes = target == MEMORY_VRAM ? DIFFERENTIAL_VRAM : DIFFERENTIAL_SYSTEM;
    if (address > bytes - 4)
        return;
    store_le32(memory + address, value);
    memory_physical_wr32(&d->memory, target, address, value);
}

/* ---- comparing ---- */

static bool __attribute__((format(printf, 2, 3))) differ(struct differential *d, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(d->report, sizeof d->report, format, list);
    va_end(list);
    return false;
}

/* Walk the registers of PFIFO; false at the first for which `look` says so. */
static bool each_register(struct differential *d,
                          bool (*look)(struct differential *, size_t n, const struct reg *, uint32_t offset)) {
    size_t n = 0;
    for (size_t i = 0; i < d->bus.row_count; i++) {
        const struct reg *reg = d->bus.rows[i].reg;
        if (d->bus.rows[i].unit != d->fifo || reg->offset == CACHE1_ENTRY)
            continue;
        for (uint32_t e = 0; e < (reg->count ? reg->count : 1u) && n < BUS_MAX_REGS; e++, n++)
            if (!look(d, n, reg, reg->offset + e * (reg->stride ? reg->stride : 4u)))
                return false;
    }
    return true;
}

static bool remember(struct differential *d, size_t n, const struct reg *reg, uint32_t offset) {
    (void)reg;
    d->initial[n] = bus_rd32(&d->bus, offset);
    return true;
}

static bool compare_register(struct differential *d, size_t n, const struct reg *reg, uint32_t offset) {
    uint32_t expected = d->initial[n], found = bus_rd32(&d->bus, offset);
    bool known = reference_rd32(&d->reference, offset, &expected);
    if (found == expected || offset == TIMESLICE)
        return true;
    return differ(d, "%s (%06" PRIx32 "): machine %08" PRIx32 ", %s %08" PRIx32, reg->name, offset, found,
                  known ? "reference" : "before", expected);
}

void pair_remember_registers(struct differential *d) {
    each_register(d, remember);
}

/* Entries from GET to PUT. */
static bool compare_entries(struct differential *d) {
    uint32_t put = pair_rd32(d, CACHE1_PUT), slots = 512;
    for (uint32_t pointer = pair_rd32(d, CACHE1_GET), n = 0; pointer != put && n < slots; n++) {
        for (uint32_t half = 0; half < 8; half += 4) {
            uint32_t offset = CACHE1_ENTRY + pointer / 4 % slots * 8 + half;
            uint32_t found = bus_rd32(&d->bus, offset), expected = pair_rd32(d, offset);
            if (found != expected)
                return differ(d, "CACHE1 entry %03" PRIx32 " %s: machine %08" PRIx32 ", reference %08" PRIx32, pointer,
                              half ? "data" : "method", found, expected);
        }
        pointer = (pointer + 4) & (d->g80 ? 0xffcu : 0x7fcu);
    }
    return true;
}

static bool compare_memory(struct differential *d, const char *name, const uint8_t *machine, const uint8_t *reference,
                           uint32_t bytes) {
    if (memcmp(machine, reference, bytes) == 0)
        return true;
    uint32_t at = 0;
    while (machine[at] == reference[at])
        at++;
    at &= ~3u;
    return differ(d, "%s %06" PRIx32 ": machine %08" PRIx32 ", reference %08" PRIx32, name, at, load_le32(machine + at),
                  load_le32(reference + at));
}

static bool compare_calls(struct differential *d) {
    const struct recording *m = &d->machine_log, *r = &d->reference_log;
    size_t i = 0, n = m->calls < r->calls ? m->calls : r->calls;
    while (i < n && memcmp(&m->call[i], &r->call[i], sizeof m->call[i]) == 0)
        i++;
    if (i == n && m->calls == r->calls)
        return true;
    static const struct engine_call none;
    const struct engine_call *a = i < m->calls ? &m->call[i] : &none, *b = i < r->calls ? &r->call[i] : &none;
    return differ(d,
                  "engine call %zu (of %zu, %zu): machine engine %" PRIu32 " sub %" PRIu32 " %04" PRIx32 " = %08" PRIx32
                  ", reference engine %" PRIu32 " sub %" PRIu32 " %04" PRIx32 " = %08" PRIx32,
                  i, m->calls, r->calls, a->engine, a->subchannel, a->method, a->data, b->engine, b->subchannel,
                  b->method, b->data);
}

static bool compare_view(struct differential *d, const struct engine_view *m, const struct engine_view *r) {
    for (unsigned i = 0; i < 2 * VIEW_REGISTERS; i++) {
        unsigned when = i / VIEW_REGISTERS, n = i % VIEW_REGISTERS;
        if (m->value[when][n] != r->value[when][n])
            return differ(
                d, "register %06" PRIx32 " %s engine call %" PRIu32 ": machine %08" PRIx32 ", reference %08" PRIx32,
                view_registers[n], when ? "after" : "before", r->call, m->value[when][n], r->value[when][n]);
    }
    return true;
}

static bool compare_views(struct differential *d) {
    const struct recording *m = &d->machine_log, *r = &d->reference_log;
    for (size_t i = 0; i < m->views && i < r->views; i++)
        if (!compare_view(d, &m->view[i], &r->view[i]))
            return false;
    return true;
}

static bool same_event(const struct reference_event *a, const struct reference_event *b) {
    return strcmp(a->name, b->name) == 0 && memcmp(a->value, b->value, sizeof a->value) == 0 &&
           (a->text == b->text || (a->text && b->text && strcmp(a->text, b->text) == 0));
}

static bool compare_events(struct differential *d) {
    const struct recording *m = &d->machine_log, *r = &d->reference_log;
    if (!d->observed)
        return true;
    size_t i = 0, n = m->events < r->events ? m->events : r->events;
    while (i < n && same_event(&m->event[i], &r->event[i]))
        i++;
    if (i == n && m->events == r->events)
        return true;
    static const struct reference_event none = {.name = "nothing"};
    const struct reference_event *a = i < m->events ? &m->event[i] : &none, *b = i < r->events ? &r->event[i] : &none;
    return differ(d,
                  "event %zu (of %zu, %zu): machine %s(%" PRIx64 ", %" PRIx64 ", %" PRIx64 ", %" PRIx64 ", %" PRIx64
                  ") %s, reference %s(%" PRIx64 ", %" PRIx64 ", %" PRIx64 ", %" PRIx64 ", %" PRIx64 ") %s",
                  i, m->events, r->events, a->name, a->value[0], a->value[1], a->value[2], a->value[3], a->value[4],
                  a->text ? a->text : "", b->name, b->value[0], b->value[1], b->value[2], b->value[3], b->value[4],
                  b->text ? b->text : "");
}

static bool compare_interrupt(struct differential *d) {
    bool machine = (bus_rd32(&d->bus, PMC_INTR) & PMC_INTR_PFIFO) != 0, reference = reference_interrupt(&d->reference);
    if (machine == reference)
        return true;
    return differ(d, "PFIFO's interrupt: machine %d, reference %d", machine, reference);
}

bool pair_compare(struct differential *d) {
    return compare_events(d) && compare_views(d) && compare_calls(d) && each_register(d, compare_register) &&
           compare_entries(d) && compare_interrupt(d) &&
           compare_memory(d, "VRAM", d->memory.vram, d->vram, DIFFERENTIAL_VRAM) &&
           compare_memory(d, "system memory", d->memory.system, d->system, DIFFERENTIAL_SYSTEM);
}

/* ---- printing ---- */

#define SHOWN 12

static void print_events(const char *who, const struct recording *log, FILE *out) {
    for (size_t i = log->events > SHOWN ? log->events - SHOWN : 0; i < log->events; i++) {
        const struct reference_event *e = &log->event[i];
        fprintf(out, "    %-9s %zu %s", who, i, e->name);
        for (unsigned v = 0; v < 5; v++)
            fprintf(out, " %" PRIx64, e->value[v]);
        fprintf(out, " %s\n", e->text ? e->text : "");
    }
}

void pair_print(struct differential *d, FILE *out) {
    print_events("machine", &d->machine_log, out);
    print_events("reference", &d->reference_log, out);
}

/* ---- running ---- */

static enum reference_reason reason_of(enum pfifo_stop stop) {
    switch (stop) {
    case PFIFO_STOP_BUDGET:
        return REFERENCE_BUDGET;
    case PFIFO_STOP_WAITING:
        return REFERENCE_WAITING;
    case PFIFO_STOP_INTERRUPT:
        return REFERENCE_INTERRUPT;
    case PFIFO_STOP_FROZEN:
        return REFERENCE_FROZEN;
    default:
        return REFERENCE_IDLE;
    }
}

static bool compare_stop(struct differential *d, enum pfifo_stop machine, const struct reference_stop *r) {
    const struct pfifo_stop_info *m = &d->fifo->stop;
    if (reason_of(machine) != r->reason || reason_of(m->reason) != r->reason)
        return differ(d, "stop: machine %s (info: %s), reference %s", reasons[reason_of(machine)],
                      reasons[reason_of(m->reason)], reasons[r->reason]);
    if (m->channel != r->channel || m->address != r->address || m->expected != r->expected || m->found != r->found)
        return differ(d,
                      "stop (%s): machine channel %" PRIx32 " address %" PRIx64 " wants %" PRIx32 " found %" PRIx32
                      ", reference channel %" PRIx32 " address %" PRIx64 " wants %" PRIx32 " found %" PRIx32,
                      reasons[r->reason], m->channel, m->address, m->expected, m->found, r->channel, r->address,
                      r->expected, r->found);
    return true;
}

bool pair_run(struct differential *d, uint64_t budget, struct reference_stop *stop) {
    d->machine_log.calls = d->machine_log.views = d->machine_log.events = 0;
    d->reference_log.calls = d->reference_log.views = d->reference_log.events = 0;
    uint64_t left = budget;
    enum pfifo_stop machine = d->fifo->ops->run(d->fifo, &left);
    *stop = reference_run(&d->reference, budget);
    return pair_compare(d) && compare_stop(d, machine, stop);
}
