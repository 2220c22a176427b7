/* SPDX-License-Identifier: MIT */
/* Two machines as one: what can be seen of each, compared. */
#include <inttypes.h>

#include "differential/differential.h"
#include "reference/state.h"
#include "same_memory.h"

#define PMC_INTR          0x000100
#define PMC_INTR_NRHOST   0x000104
#define PFB_VM_FAULT      0x100c90
#define PFB_VM_FAULT_DATA 0x100c94

static uint32_t entry_base(const struct differential *d) {
    return since(&d->reference, NV40) ? CACHE1_MEMORY : CACHE1_MEMORY_NV4;
}

static bool is_entry(const struct differential *d, uint32_t offset) {
    return offset >= entry_base(d) && offset < entry_base(d) + 8 * 512;
}

/* Walk the registers of PFIFO; false at the first for which `look` says so. */
static bool each_register(struct differential *d,
                          bool (*look)(struct differential *, size_t n, const struct reg *, uint32_t offset)) {
    size_t n = 0;
    for (size_t i = 0; i < d->bus.row_count; i++) {
        const struct reg *reg = d->bus.rows[i].reg;
        if (d->bus.rows[i].unit != d->fifo || is_entry(d, reg->offset))
            continue;
        for (uint32_t e = 0; e < (reg->count ? reg->count : 1u) && n < BUS_MAX_REGS; e++, n++)
            if (!look(d, n, reg, reg->offset + e * (reg->stride ? reg->stride : 4u)))
                return false;
    }
    return true;
}

static bool remember(struct differential *d, size_t n, const struct reg *reg, uint32_t offset) {
    (void)reg;
    d->initial[n] = pair_machine_rd32(d, offset);
    return true;
}

static bool compare_register(struct differential *d, size_t n, const struct reg *reg, uint32_t offset) {
    uint32_t expected = d->initial[n], found = pair_machine_rd32(d, offset);
    bool known = reference_rd32(&d->reference, offset, &expected);
    if (found == expected)
        return true;
    return pair_differ(d, "%s (%06" PRIx32 "): machine %08" PRIx32 ", %s %08" PRIx32, reg->name, offset, found,
                       known ? "reference" : "before", expected);
}

void pair_remember_registers(struct differential *d) {
    each_register(d, remember);
}

/* Entries from GET to PUT. */
static bool compare_entries(struct differential *d) {
    uint32_t put = pair_rd32(d, PUT), slots = since(&d->reference, NV40) ? 512 : 256;
    for (uint32_t pointer = pair_rd32(d, GET), n = 0; pointer != put && n < slots; n++) {
        for (uint32_t half = 0; half < 8; half += 4) {
            uint32_t offset = entry_base(d) + pointer / 4 % slots * 8 + half;
            uint32_t found = pair_machine_rd32(d, offset), expected = pair_rd32(d, offset);
            if (found != expected)
                return pair_differ(d, "CACHE1 entry %03" PRIx32 " %s: machine %08" PRIx32 ", reference %08" PRIx32,
                                   pointer, half ? "data" : "method", found, expected);
        }
        pointer = (pointer + 4) & ref_pointer_mask(&d->reference);
    }
    return true;
}

bool pair_compare_range(struct differential *d, enum memory_target target, uint32_t begin, uint32_t end) {
    bool vram = target == MEMORY_VRAM;
    const struct memory_own machine = memory_own(&d->memory, target);
    const uint8_t *reference = vram ? d->vram : d->system;
    uint32_t at = (uint32_t)differing_byte(&machine, reference, begin, end);
    if (at == end)
        return true;
    at &= ~3u;
    return pair_differ(d, "%s %06" PRIx32 ": machine %08" PRIx32 ", reference %08" PRIx32,
                       vram ? "VRAM" : "system memory", at, load_le32(machine.data + at), load_le32(reference + at));
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
    return pair_differ(d,
                       "engine call %zu (of %zu, %zu): machine engine %" PRIu32 " channel %" PRIu32 " sub %" PRIu32
                       " %04" PRIx32 " = %08" PRIx32 ", reference engine %" PRIu32 " channel %" PRIu32 " sub %" PRIu32
                       " %04" PRIx32 " = %08" PRIx32,
                       i, m->calls, r->calls, a->engine, a->channel, a->subchannel, a->method, a->data, b->engine,
                       b->channel, b->subchannel, b->method, b->data);
}

static bool compare_view(struct differential *d, const struct engine_view *m, const struct engine_view *r) {
    for (unsigned i = 0; i < 2 * VIEW_REGISTERS; i++) {
        unsigned when = i / VIEW_REGISTERS, n = i % VIEW_REGISTERS;
        if (m->value[when][n] != r->value[when][n])
            return pair_differ(
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
    return pair_differ(d,
                       "event %zu (of %zu, %zu): machine %s(%" PRIx64 ", %" PRIx64 ", %" PRIx64 ", %" PRIx64
                       ", %" PRIx64 ") %s, reference %s(%" PRIx64 ", %" PRIx64 ", %" PRIx64 ", %" PRIx64 ", %" PRIx64
                       ") %s",
                       i, m->events, r->events, a->name, a->value[0], a->value[1], a->value[2], a->value[3],
                       a->value[4], a->text ? a->text : "", b->name, b->value[0], b->value[1], b->value[2], b->value[3],
                       b->value[4], b->text ? b->text : "");
}

static bool compare_interrupt(struct differential *d) {
    bool machine = (pair_machine_rd32(d, PMC_INTR) & PMC_INTR_PFIFO) != 0,
         reference = reference_interrupt(&d->reference);
    if (machine != reference)
        return pair_differ(d, "PFIFO's interrupt: machine %d, reference %d", machine, reference);
    if (!since(&d->reference, GT215))
        return true;
    machine = (pair_machine_rd32(d, PMC_INTR_NRHOST) & PMC_INTR_PFIFO) != 0;
    reference = reference_interrupt_nrhost(&d->reference);
    return machine == reference ||
           pair_differ(d, "PFIFO's NRHOST interrupt: machine %d, reference %d", machine, reference);
}

bool pair_compare_doings(struct differential *d) {
    return compare_events(d) && compare_views(d) && compare_calls(d);
}

/* The record of a fault of virtual memory, as it is read word after word. */
static bool compare_fault(struct differential *d) {
    const struct reference *r = &d->reference;
    if (!since(r, G80))
        return true;
    bool pending = pair_machine_rd32(d, PFB_VM_FAULT) >> 31;
    if (pending != r->fault_pending)
        return pair_differ(d, "VM fault: machine %d, reference %d", pending, r->fault_pending);
    for (uint32_t i = 0; i < 6 && pending; i++) {
        pair_machine_wr32(d, PFB_VM_FAULT, i << 24);
        uint32_t found = pair_machine_rd32(d, PFB_VM_FAULT_DATA);
        if (found != r->fault[i])
            return pair_differ(d, "VM fault, word %" PRIu32 ": machine %08" PRIx32 ", reference %08" PRIx32, i, found,
                               r->fault[i]);
    }
    return true;
}

bool pair_compare_registers(struct differential *d) {
    return compare_fault(d) && each_register(d, compare_register) && compare_entries(d) && compare_interrupt(d);
}

bool pair_compare_memory(struct differential *d) {
    return pair_compare_range(d, MEMORY_VRAM, 0, DIFFERENTIAL_VRAM) &&
           pair_compare_range(d, MEMORY_SYSTEM, 0, DIFFERENTIAL_SYSTEM);
}

bool pair_compare(struct differential *d) {
    return pair_compare_doings(d) && pair_compare_registers(d) && pair_compare_memory(d);
}
