/* SPDX-License-Identifier: MIT */
/* Two machines as one: make, write, run, compare. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "differential/differential.h"
#include "promised_run.h"
#include "reference/state.h"
#include "kept.h"

#define PMC_ENDIAN 0x000004
#define PMC_ENABLE 0x000200
#define EVENTS     "pusher.*,puller.*,fifo.interrupt,fifo.unknown"

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
    struct reference_event kept = {.name = pfifo_event_info(event->id)->name,
                                   .text = event->detail ? event->detail : event->text};
    memcpy(kept.value, event->value, sizeof kept.value);
    keep_event(&d->machine_log, &kept);
}

/* What is said about the first difference. */
bool pair_differ(struct differential *d, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(d->report, sizeof d->report, format, list);
    va_end(list);
    return false;
}

/* ---- making ---- */

/* PMPEG is an engine of PFIFO from NV31 on; G80 and GT215 have a third one, and the others are given it, too. */
static unsigned last_engine(const struct differential *d) {
    return since(&d->reference, G80) ? 3 : since(&d->reference, NV31) ? 2 : 1;
}

static bool make_machine(struct differential *d, const struct pfifo_chip *chip) {
    struct memory_config memory = {
        .chip = chip, .vram_bytes = DIFFERENTIAL_VRAM, .system_bytes = DIFFERENTIAL_SYSTEM, .events = &d->events};
    struct bus_clock clock = {NULL, NULL};
    if (memory_init(&d->memory, &memory, NULL) != PFIFO_OK ||
        bus_init(&d->bus, chip, &d->memory, &d->events, &clock, NULL) != PFIFO_OK ||
        fifo_new(&d->fifo, chip, &d->memory, &d->bus, &d->events, NULL) != PFIFO_OK)
        return false;
    d->fifo->materialise = d->materialise;
    for (unsigned id = 1; id <= last_engine(d); id++) {
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
        .bind = reference_engine_bind,
        .method = reference_engine_method,
        .busy = reference_engine_busy,
        .switched = reference_engine_switch,
        .event = on_reference_event,
        .opaque = d,
    };
    if (!d->vram || !d->system || !reference_init(&d->reference, &config))
        return false;
    d->reference.config.engines = (2u << last_engine(d)) - 2;
    return true;
}

/* A register that the library does not know reads as 0, which the other comparisons might not notice. */
bool pair_has_registers(struct differential *d) {
    uint32_t value, index;
    void *unit;
    for (uint32_t offset = 0x2000; offset < 0x4000; offset += 4)
        if (reference_rd32(&d->reference, offset, &value) && !bus_find(&d->bus, offset, &index, &unit))
            return pair_differ(d, "register %06" PRIx32 ": the machine does not have it", offset);
    return true;
}

bool pair_make(struct differential *d, const char *chip, const char *reference_chip) {
    static struct kept vram, system;
    d->chip = chip;
    d->vram = kept_zeroed(&vram, DIFFERENTIAL_VRAM);
    d->system = kept_zeroed(&system, DIFFERENTIAL_SYSTEM);
    return make_reference(d, reference_chip) && make_machine(d, pfifo_chip_by_name(chip));
}

void pair_free(struct differential *d) {
    fifo_free(d->fifo);
    bus_free(&d->bus);
    memory_free(&d->memory);
    free(d->script);
}

/* ---- the same to both ---- */

void pair_wr32(struct differential *d, uint32_t offset, uint32_t value) {
    pair_write(d, offset, value, 4);
}

/* In big-endian mode the host finds a part of a dword at the other end of it. Accesses across an end: none then. */
static uint32_t host_address(const struct differential *d, uint32_t address, unsigned bytes) {
    return d->big ? address ^ (4 - bytes) : address;
}

static bool is_access(const struct differential *d, uint32_t address, unsigned bytes) {
    return !d->big || address % bytes == 0;
}

static uint32_t host_value(const struct differential *d, uint32_t value, unsigned bytes) {
    return d->big ? __builtin_bswap32(value) >> (32 - 8 * bytes) : value;
}

void pair_write(struct differential *d, uint32_t address, uint32_t value, unsigned bytes) {
    uint8_t data[4];
    if (!is_access(d, address, bytes))
        return;
    uint32_t at = host_address(d, address, bytes), host = host_value(d, value, bytes);
    store_le32(data, host);
    pair_note(d, bytes == 4 ? "w32" : bytes == 2 ? "w16" : "w8", at, host);
    reference_write(&d->reference, address, value, bytes);
    bus_write(&d->bus, at, data, bytes);
}

bool pair_read(struct differential *d, uint32_t address, unsigned bytes) {
    uint8_t data[4] = {0};
    if (!is_access(d, address, bytes))
        return true;
    uint32_t at = host_address(d, address, bytes);
    pair_note(d, bytes == 4 ? "r32" : bytes == 2 ? "r16" : "r8", at, 0);
    uint32_t expected = reference_read(&d->reference, address, bytes);
    bus_read(&d->bus, at, data, bytes);
    uint32_t found = host_value(d, load_le32(data), bytes);
    if (found == expected)
        return true;
    return pair_differ(d, "read of %u bytes at %06" PRIx32 ": machine %08" PRIx32 ", reference %08" PRIx32, bytes,
                       address, found, expected);
}

uint32_t pair_machine_rd32(struct differential *d, uint32_t offset) {
    return host_value(d, bus_rd32(&d->bus, offset), 4);
}

void pair_machine_wr32(struct differential *d, uint32_t offset, uint32_t value) {
    bus_wr32(&d->bus, offset, host_value(d, value, 4));
}

void pair_big_endian(struct differential *d) {
    pair_wr32(d, PMC_ENDIAN, 0x01000001);
    d->big = d->reference.big = true;
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
    pair_note(d, target == MEMORY_VRAM ? "vram" : "sys", address, value);
    store_le32(memory + address, value);
    memory_physical_wr32(&d->memory, target, address, value);
}

void pair_poke_ramin(struct differential *d, uint32_t address, uint32_t value) {
    uint64_t place = ref_ramin_place(&d->reference, address);
    if (place < DIFFERENTIAL_VRAM)
        pair_poke(d, MEMORY_VRAM, (uint32_t)place, value);
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
        return pair_differ(d, "stop: machine %s (info: %s), reference %s", reasons[reason_of(machine)],
                           reasons[reason_of(m->reason)], reasons[r->reason]);
    if (m->channel != r->channel || m->address != r->address || m->expected != r->expected || m->found != r->found)
        return pair_differ(d,
                           "stop (%s): machine channel %" PRIx32 " address %" PRIx64 " wants %" PRIx32 " found %" PRIx32
                           ", reference channel %" PRIx32 " address %" PRIx64 " wants %" PRIx32 " found %" PRIx32,
                           reasons[r->reason], m->channel, m->address, m->expected, m->found, r->channel, r->address,
                           r->expected, r->found);
    return true;
}

void pair_forget_events(struct differential *d) {
    d->machine_log.calls = d->machine_log.views = d->machine_log.events = 0;
    d->reference_log.calls = d->reference_log.views = d->reference_log.events = 0;
}

bool pair_run(struct differential *d, uint64_t budget, struct reference_stop *stop) {
    uint64_t left = budget;
    pair_forget_events(d);
    pair_note(d, "run", 0, (uint32_t)budget);
    enum pfifo_stop machine = promised_run(d->fifo, &left);
    *stop = reference_run(&d->reference, budget);
    return pair_compare_doings(d) && pair_compare_registers(d) && (d->memory_later || pair_compare_memory(d)) &&
           compare_stop(d, machine, stop);
}
