/* SPDX-License-Identifier: MIT */
/*
 * Field by field: a machine in which every field has a value of its own is the same after a restore, also what runs
 * hardly ever show. Fields with bounds get values within them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bus/bars.h"
#include "bus/gpcpll.h"
#include "bus/pbus.h"
#include "bus/peephole.h"
#include "bus/pfb.h"
#include "bus/pfb_tiling.h"
#include "bus/pmc.h"
#include "bus/ports.h"
#include "bus/pram.h"
#include "bus/ptimer.h"
#include "bus/units.h"
#include "engine/copy/inline.h"
#include "engine/core/register_file.h"
#include "fifo/cache/queue.h"
#include "fifo/runlist/channel.h"
#include "fifo/runlist/pfifo.h"
#include "memory/translate.h"
#include "state/fields.h"
#include "state/sections.h"
#include "unit/graph/graph.h"
#include "unit/simple.h"

/* ---- memory ---- */

static struct address_space any_space(struct choice *c, const struct address_space_ops *ops) {
    return (struct address_space){.ops = ops,
                                  .target = (enum memory_target)choice_between(c, 1, 2),
                                  .base = fields_any64(c),
                                  .limit = fields_any64(c),
                                  .offset = fields_any64(c),
                                  .flags = choice_between(c, 1, 0xff)};
}

static void assert_same_space(const struct address_space *a, const struct address_space *b) {
    assert_ptr_equal(a->ops, b->ops);
    assert_int_equal(a->target, b->target);
    assert_int_equal(a->base, b->base);
    assert_int_equal(a->limit, b->limit);
    assert_int_equal(a->offset, b->offset);
    assert_int_equal(a->flags, b->flags);
}

static void check_tlb(const char *chip, const struct address_space_ops *ops) {
    struct choice choice = choice_from_seed(1), *c = &choice;
    struct pfifo_gpu *a = fields_machine(chip), *b = fields_machine(chip);
    for (unsigned i = 0; i < MEMORY_TLB_ENTRIES; i += choice_between(c, 1, 3))
        a->memory.tlb[i] = (struct tlb_entry){.space = any_space(c, ops),
                                              .page = fields_any64(c),
                                              .mapping = {.target = MEMORY_SYSTEM,
                                                          .physical = fields_any64(c),
                                                          .bytes = choice_word(c) | 1,
                                                          .writable = choice_once_in(c, 2),
                                                          .readable = choice_once_in(c, 2),
                                                          .privileged = choice_once_in(c, 2),
                                                          .sparse = choice_once_in(c, 2),
                                                          .kind = (uint8_t)choice_between(c, 1, 255)}};
    a->memory.mmu = (struct memory_mmu){choice_word(c), MEMORY_BIG_PAGE_64K};
    b->memory.tlb[5].space = any_space(c, ops); /* to be forgotten, or overwritten */
    fields_restore(a, b);
    for (unsigned i = 0; i < MEMORY_TLB_ENTRIES; i++) {
        const struct tlb_entry *x = &a->memory.tlb[i], *y = &b->memory.tlb[i];
        assert_same_space(&x->space, &y->space);
        if (!x->space.ops)
            continue;
        assert_int_equal(x->page, y->page);
        assert_int_equal(x->mapping.target, y->mapping.target);
        assert_int_equal(x->mapping.physical, y->mapping.physical);
        assert_int_equal(x->mapping.bytes, y->mapping.bytes);
        assert_int_equal(x->mapping.writable, y->mapping.writable);
        assert_int_equal(x->mapping.readable, y->mapping.readable);
        assert_int_equal(x->mapping.privileged, y->mapping.privileged);
        assert_int_equal(x->mapping.sparse, y->mapping.sparse);
        assert_int_equal(x->mapping.kind, y->mapping.kind);
    }
    ASSERT_SAME_FIELDS(&a->memory.mmu, &b->memory.mmu, directory_offset, big_page);
    pfifo_gpu_free(a);
    pfifo_gpu_free(b);
}

static void translations_stay_until_they_are_flushed(void **state) {
    (void)state;
    check_tlb("G84", space_g80_vm);
    check_tlb("GF100", space_gf100_vm);
    check_tlb("GK104", space_gk104_vm);
    check_tlb("GM204", space_gm200_vm);
    check_tlb("GP102", space_gm200_vm);
    check_tlb("GP102", space_gp100_vm);
}

/* What memory knows of the registers of PFB is not saved: it follows from them. */
static void limits_of_tesla_follow_their_registers(void **state) {
    (void)state;
    struct pfifo_gpu *a = fields_machine("GT215"), *b = fields_machine("GT215");
    pfifo_gpu_wr32(a, 0x100e1c, 0x00123001);
    pfifo_gpu_wr32(a, 0x100f04, 0x00abcdef);
    fields_restore(a, b);
    ASSERT_SAME_FIELDS(&a->memory.mmu, &b->memory.mmu, vram_limit, system_high);
    assert_int_equal(b->memory.mmu.vram_limit, UINT64_C(0x100123000));
    assert_int_equal(b->memory.mmu.system_high, UINT64_C(0xabcdef) << 40);
    pfifo_gpu_free(a);
    pfifo_gpu_free(b);
}

/* ---- bus ---- */

static void registers_of_the_bus(void **state) {
    (void)state;
    struct choice choice = choice_from_seed(2), *c = &choice;
    struct pfifo_gpu *a = fields_machine("GK104"), *b = fields_machine("GK104");
    FILL_FIELDS(c, a->bus.pmc, intr, vram_hide);
    FILL_FIELDS(c, a->bus.ptimer, intr, alarm);
    FILL_FIELDS(c, a->bus.ptimer, offset, checked);
    FILL_FIELDS(c, a->bus.pbus, intr, error_code);
    FILL_FIELDS(c, a->bus.bars, pramin_base, unknown_1900);
    FILL_FIELDS(c, a->bus.ports, word, word);
    FILL_FIELDS(c, a->bus.peephole, w_ctrl, rw_addr_high);
    FILL_FIELDS(c, a->bus.pram, config, config);
    FILL_FIELDS(c, a->bus.pfb, protect, fault_data);
    FILL_FIELDS(c, a->bus.tiling, cfg0, comp_region);
    FILL_FIELDS(c, &a->bus.units->set, cfg0, devinit);
    FILL_FIELDS(c, a->bus.gpcpll, cfg, slowdown);
    bus_wr32(&a->bus, 0x10f290, 0x12345678); /* of PBFB: not in the tables */
    a->bus.time = fields_any64(c);
    a->bus.line = a->bus.big_endian = true;
    fields_restore(a, b);
    ASSERT_SAME_FIELDS(a->bus.pmc, b->bus.pmc, intr, vram_hide);
    ASSERT_SAME_FIELDS(a->bus.ptimer, b->bus.ptimer, intr, alarm);
    ASSERT_SAME_FIELDS(a->bus.ptimer, b->bus.ptimer, offset, checked);
    ASSERT_SAME_FIELDS(a->bus.pbus, b->bus.pbus, intr, error_code);
    ASSERT_SAME_FIELDS(a->bus.bars, b->bus.bars, pramin_base, unknown_1900);
    ASSERT_SAME_FIELDS(a->bus.ports, b->bus.ports, word, word);
    ASSERT_SAME_FIELDS(a->bus.peephole, b->bus.peephole, w_ctrl, rw_addr_high);
    ASSERT_SAME_FIELDS(a->bus.pram, b->bus.pram, config, config);
    ASSERT_SAME_FIELDS(a->bus.pfb, b->bus.pfb, protect, fault_data);
    ASSERT_SAME_FIELDS(a->bus.tiling, b->bus.tiling, cfg0, comp_region);
    ASSERT_SAME_FIELDS(&a->bus.units->set, &b->bus.units->set, cfg0, devinit);
    ASSERT_SAME_FIELDS(a->bus.gpcpll, b->bus.gpcpll, cfg, slowdown);
    b->bus.big_endian = false;
    assert_int_equal(bus_rd32(&b->bus, 0x10f290), 0x12345678);
    b->bus.big_endian = true;
    assert_int_equal(a->bus.time, b->bus.time);
    assert_true(b->bus.line && b->bus.big_endian);
    pfifo_gpu_free(a);
    pfifo_gpu_free(b);
}

/* ---- what all of PFIFO shares ---- */

static void the_last_stop_and_the_channels_of_engines(void **state) {
    (void)state;
    struct pfifo_gpu *a = fields_machine("NV40"), *b = fields_machine("NV40");
    a->fifo->stop = (struct pfifo_stop_info){PFIFO_STOP_WAITING, 1, 2, true, true, UINT64_C(0x300000004), 5, 6};
    a->fifo->engines[1].channel = 7;
    a->events.sent = UINT64_C(0x800000009);
    fields_restore(a, b);
    assert_int_equal(b->fifo->stop.reason, PFIFO_STOP_WAITING);
    assert_int_equal(b->fifo->stop.used, 1);
    assert_int_equal(b->fifo->stop.channel, 2);
    assert_true(b->fifo->stop.in_memory && b->fifo->stop.is_syncpoint);
    assert_int_equal(b->fifo->stop.address, UINT64_C(0x300000004));
    assert_int_equal(b->fifo->stop.expected, 5);
    assert_int_equal(b->fifo->stop.found, 6);
    assert_int_equal(b->fifo->engines[1].channel, 7);
    assert_int_equal(b->fifo->engines[2].channel, UINT32_MAX);
    assert_int_equal(b->events.sent, UINT64_C(0x800000009));
    pfifo_gpu_free(a);
    pfifo_gpu_free(b);
}

/* ---- PGRAPH, and the other units ---- */

static struct simple_unit *simple_at(const struct fifo *fifo, unsigned id) {
    struct unit *unit = fifo->units[id];
    return unit && unit != &fifo->graph->unit ? (struct simple_unit *)unit : NULL;
}

/* What holds a unit is an interrupt that is pending. */
static void fill_units(struct fifo *fifo, struct choice *c) {
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
        struct simple_unit *unit = simple_at(fifo, id);
        if (unit) {
            FILL_FIELDS(c, unit, r, r);
            unit->r.holds &= unit->r.intr;
        }
    }
}

static void assert_same_units(const struct fifo *a, const struct fifo *b) {
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
        if (simple_at(a, id))
            ASSERT_SAME_FIELDS(simple_at(a, id), simple_at(b, id), r, r);
}

static void registers_of_graph_and_of_other_units(void **state) {
    static const char *const chips[] = {"NV3", "NV4", "NV40", "G84", "GT215", "GF100", "GK104", "GM107", "GP102"};
    struct choice choice = choice_from_seed(11), *c = &choice;
    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct pfifo_gpu *a = fields_machine(chips[i]), *b = fields_machine(chips[i]);
        FILL_FIELDS(c, a->fifo->graph, r, r);
        fill_units(a->fifo, c);
        fields_restore(a, b);
        ASSERT_SAME_FIELDS(a->fifo->graph, b->fifo->graph, r, r);
        assert_same_units(a->fifo, b->fifo);
        pfifo_gpu_free(a);
        pfifo_gpu_free(b);
    }
}

static void tables_of_graph_behind_ports(void **state) {
    static const struct {
        const char *chip;
        uint32_t index, data, places[4];
    } cases[] = {{"NV10", 0x400f50, 0x400f54, {0x0000, 0x6400, 0x7800, 0x7ff0}},
                 {"NV17", 0x400f50, 0x400f54, {0x0200, 0x4400, 0x6800, 0x7000}},
                 {"NV20", 0x400750, 0x400754, {0x0000000, 0x0100000, 0x0170400, 0x1ff1ff0}},
                 {"NV34", 0x400750, 0x400754, {0x0000000, 0x0100000, 0x2ea0000, 0x3ff7ff0}}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pfifo_gpu *a = fields_machine(cases[i].chip), *b = fields_machine(cases[i].chip);
        pfifo_gpu_wr32(a, 0x200, ~0u);
        pfifo_gpu_wr32(b, 0x200, ~0u);
        for (unsigned n = 0; n < 4; n++) {
            pfifo_gpu_wr32(a, cases[i].index, cases[i].places[n]);
            for (unsigned word = 0; word < 4; word++)
                pfifo_gpu_wr32(a, cases[i].data, 0x3f800000);
            pfifo_gpu_wr32(b, cases[i].index, cases[i].places[n] ^ 0x100); /* to be forgotten */
            pfifo_gpu_wr32(b, cases[i].data, 0x3f800000);
        }
        fields_restore(a, b);
        for (unsigned n = 0; n < 8; n++) {
            uint32_t place = cases[i].places[n / 2] ^ (n & 1) * 0x100;
            pfifo_gpu_wr32(a, cases[i].index, place);
            pfifo_gpu_wr32(b, cases[i].index, place);
            for (unsigned word = 0; word < 4; word++)
                assert_int_equal(pfifo_gpu_rd32(a, cases[i].data), pfifo_gpu_rd32(b, cases[i].data));
        }
        pfifo_gpu_free(a);
        pfifo_gpu_free(b);
    }
}

/* ---- PFIFO with CACHE1 ---- */

static void fill_cache(struct cache_fifo *f, struct choice *c, const struct address_space_ops *fetch,
                       const struct address_space_ops *vm) {
    FILL_FIELDS(c, f, r, r);
    FILL_FIELDS(c, f->base.graph, r, r);
    f->mode_before = choice_word(c);
    fields_fill(c, f->slot.method, f->base.chip->cache1_entries * sizeof f->slot.method[0]);
    fields_fill(c, f->slot.data, f->base.chip->cache1_entries * sizeof f->slot.data[0]);
    fields_fill(c, f->puller.bound, sizeof f->puller.bound);
    f->context.id = 9;
    f->context.instance = fields_any64(c);
    f->context.instance_target = MEMORY_SYSTEM;
    f->context.vm = any_space(c, vm);
    f->context_valid = true;
    f->pusher.space = any_space(c, fetch);
    f->pusher.is_open = f->puller.again_cache0 = f->puller.announced = f->puller.again = f->pusher.pinned =
        f->slice.yield = true;
    f->slice.units = fields_any64(c);
    for (unsigned i = 0; f->saved && i < f->base.chip->channels; i++) {
        f->saved[i].count = choice_below(c, f->base.chip->cache1_entries);
        fields_fill(c, f->saved[i].entry, f->saved[i].count * sizeof f->saved[i].entry[0]);
    }
}

static void assert_same_cache(const struct cache_fifo *a, const struct cache_fifo *b) {
    ASSERT_SAME_FIELDS(a, b, r, r);
    ASSERT_SAME_FIELDS(a->base.graph, b->base.graph, r, r);
    assert_int_equal(a->mode_before, b->mode_before);
    assert_memory_equal(a->slot.method, b->slot.method, a->base.chip->cache1_entries * sizeof a->slot.method[0]);
    assert_memory_equal(a->slot.data, b->slot.data, a->base.chip->cache1_entries * sizeof a->slot.data[0]);
    assert_memory_equal(a->puller.bound, b->puller.bound, sizeof a->puller.bound);
    assert_int_equal(b->context.id, 9);
    assert_int_equal(a->context.instance, b->context.instance);
    assert_int_equal(a->context.instance_target, b->context.instance_target);
    assert_same_space(&a->context.vm, &b->context.vm);
    assert_same_space(&a->pusher.space, &b->pusher.space);
    assert_true(b->context_valid && b->pusher.is_open && b->puller.again_cache0 && b->puller.announced &&
                b->puller.again && b->pusher.pinned);
    assert_true(b->slice.yield);
    assert_int_equal(a->slice.units, b->slice.units);
    for (unsigned i = 0; a->saved && i < a->base.chip->channels; i++) {
        assert_int_equal(a->saved[i].count, b->saved[i].count);
        assert_memory_equal(a->saved[i].entry, b->saved[i].entry, a->saved[i].count * sizeof a->saved[i].entry[0]);
    }
}

static void registers_and_caches(void **state) {
    (void)state;
    const struct {
        const char *chip;
        const struct address_space_ops *fetch, *vm;
    } rows[] = {{"NV4", space_nv4_paged, NULL},           {"NV17", space_nv4_linear, NULL},
                {"NV40", space_nv4_paged, NULL},          {"NV40", space_physical, NULL},
                {"G80", space_g80_unpaged, space_g80_vm}, {"G84", space_g80_vm, space_g80_vm}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct choice choice = choice_from_seed(i);
        struct pfifo_gpu *a = fields_machine(rows[i].chip), *b = fields_machine(rows[i].chip);
        fill_cache((struct cache_fifo *)a->fifo, &choice, rows[i].fetch, rows[i].vm);
        fields_restore(a, b);
        assert_same_cache((struct cache_fifo *)a->fifo, (struct cache_fifo *)b->fifo);
        assert_ptr_equal(((struct cache_fifo *)b->fifo)->context.fifo, b->fifo);
        pfifo_gpu_free(a);
        pfifo_gpu_free(b);
    }
}

/* ---- the PBDMA kind ---- */

static void fill_channel(struct pbdma_channel *channel, struct choice *c, const struct address_space_ops *vm) {
    channel_set_instance(channel, choice_word(c));
    channel->status = choice_word(c);
    channel->bound = channel->enabled = channel->reload = true;
    channel->faulted = PBDMA_FAULTED | ENGINE_FAULTED;
    for (int i = 0; i < 8; i++)
        channel->classes[i] = (uint16_t)choice_word(c);
    channel->tsg = choice_below(c, 0x1000);
    channel->crc_left = choice_word(c);
    channel->pb_crc_begin = fields_any64(c);
    channel->pb_crc_end = fields_any64(c);
    channel->context.vm = any_space(c, vm);
}

static void assert_same_channel(const struct pbdma_channel *a, const struct pbdma_channel *b) {
    ASSERT_SAME_FIELDS(a, b, instance, reload);
    assert_int_equal(a->faulted, b->faulted);
    assert_memory_equal(a->classes, b->classes, sizeof a->classes);
    assert_int_equal(a->tsg, b->tsg);
    assert_int_equal(a->crc_left, b->crc_left);
    assert_int_equal(a->pb_crc_begin, b->pb_crc_begin);
    assert_int_equal(a->pb_crc_end, b->pb_crc_end);
    assert_int_equal(a->context.id, b->context.id);
    assert_int_equal(a->context.instance, b->context.instance);
    assert_int_equal(a->context.instance_target, b->context.instance_target);
    assert_same_space(&a->context.vm, &b->context.vm);
}

static void fill_pbdma(struct pbdma *pbdma, struct choice *c) {
    FILL_FIELDS(c, pbdma, regs, unknown);
    struct pbdma_fifo *fifo = pbdma_fifo_of(pbdma);
    struct schedule_unit *unit = schedule_unit_of(pbdma);
    unit->list = choice_below(c, fifo->lists);
    pbdma->slice.left = -(int64_t)choice_word(c);
    pbdma->slice.whole = choice_word(c);
    pbdma->slice.yields_at = choice_word(c);
    fields_fill(c, pbdma->hce_state, sizeof pbdma->hce_state);
    unit->tsg = fifo->list[unit->list].entries[1].tsg;
}

static void assert_same_pbdma(const struct pbdma *a, const struct pbdma *b) {
    ASSERT_SAME_FIELDS(a, b, regs, unknown);
    assert_int_equal(schedule_unit_of(a)->list, schedule_unit_of(b)->list);
    assert_int_equal(a->slice.left, b->slice.left);
    assert_int_equal(a->slice.whole, b->slice.whole);
    assert_int_equal(a->slice.yields_at, b->slice.yields_at);
    assert_int_equal(schedule_unit_of(a)->preempted, schedule_unit_of(b)->preempted);
    assert_int_equal(schedule_unit_of(a)->tsg, schedule_unit_of(b)->tsg);
    assert_memory_equal(a->hce_state, b->hce_state, sizeof a->hce_state);
    assert_int_equal(pbdma_channel_id(a), pbdma_channel_id(b));
}

static void fill_lists(struct pbdma_fifo *fifo, struct choice *c) {
    for (unsigned i = 0; i < fifo->lists; i++) {
        struct runlist *list = &fifo->list[i];
        list->count = choice_between(c, 2, 9);
        for (uint32_t n = 0; n < list->count; n++)
            list->entries[n] =
                (struct runlist_entry){.channel = (uint16_t)choice_between(c, 1, fifo->channel_count - 1),
                                       .tsg = (uint16_t)(n < 2 ? 0 : n),
                                       .next = (uint16_t)(n < 2 ? 1 : n),
                                       .slice = choice_word(c)};
        list->next = choice_between(c, 2, list->count);
        list->base = choice_word(c);
        list->submit = choice_word(c);
    }
}

static void assert_same_lists(const struct pbdma_fifo *a, const struct pbdma_fifo *b) {
    for (unsigned i = 0; i < a->lists; i++) {
        ASSERT_SAME_FIELDS(&a->list[i], &b->list[i], count, submit);
        for (uint32_t n = 0; n < a->list[i].count; n++) {
            assert_int_equal(a->list[i].entries[n].channel, b->list[i].entries[n].channel);
            assert_int_equal(a->list[i].entries[n].slice, b->list[i].entries[n].slice);
            assert_int_equal(a->list[i].entries[n].tsg, b->list[i].entries[n].tsg);
            assert_int_equal(a->list[i].entries[n].next, b->list[i].entries[n].next);
        }
    }
}

static void check_pbdma(const char *chip, const struct address_space_ops *vm) {
    struct choice choice = choice_from_seed(3), *c = &choice;
    struct pfifo_gpu *one = fields_machine(chip), *other = fields_machine(chip);
    struct pbdma_fifo *a = (struct pbdma_fifo *)one->fifo, *b = (struct pbdma_fifo *)other->fifo;
    FILL_FIELDS(c, a, intr, misc);
    fields_fill(c, a->shared.syncpoints, a->base.chip->syncpoints * sizeof a->shared.syncpoints[0]);
    FILL_FIELDS(c, &a->shared, syncpoint_bases, syncpoint_bases);
    a->schedule.current = a->shared.count - 1;
    a->schedule.quantum_left = PBDMA_QUANTUM - 1;
    fill_lists(a, c);
    for (unsigned id = 1; id < 40; id += 3)
        fill_channel(&a->channels[id], c, vm);
    for (unsigned i = 0; i < a->shared.count; i++)
        fill_pbdma(&a->shared.unit[i], c);
    a->shared.unit[0].channel = &a->channels[4];
    a->channels[4].on = &a->shared.unit[0];
    a->schedule.unit[0].preempted = true;
    fill_channel(&b->channels[2], c, vm); /* to be forgotten */
    fields_restore(one, other);
    ASSERT_SAME_FIELDS(a, b, intr, misc);
    for (unsigned i = 0; i < a->base.chip->syncpoints; i++)
        assert_int_equal(a->shared.syncpoints[i], b->shared.syncpoints[i]);
    ASSERT_SAME_FIELDS(&a->shared, &b->shared, syncpoint_bases, syncpoint_bases);
    assert_int_equal(a->schedule.current, b->schedule.current);
    assert_int_equal(a->schedule.quantum_left, b->schedule.quantum_left);
    for (unsigned id = 0; id < a->channel_count; id++)
        assert_same_channel(&a->channels[id], &b->channels[id]);
    for (unsigned i = 0; i < a->shared.count; i++)
        assert_same_pbdma(&a->shared.unit[i], &b->shared.unit[i]);
    assert_ptr_equal(b->channels[4].on, &b->shared.unit[0]);
    assert_same_lists(a, b);
    pfifo_gpu_free(one);
    pfifo_gpu_free(other);
}

static void pbdmas_channels_and_runlists(void **state) {
    (void)state;
    check_pbdma("GF100", space_gf100_vm);
    check_pbdma("GK104", space_gk104_vm);
    check_pbdma("GM20B", space_gm200_vm);
    check_pbdma("GP102", space_gp100_vm);
}

/* What is in the structures of one family only shows in its registers. */
static void registers_of_one_family(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t offset, value;
    } rows[] = {{"GF100", 0x2204, 2},      {"GF100", 0x2208, 0x11}, {"GF100", 0x221c, 0x22}, {"GF100", 0x2274, 0x33},
                {"GF100", 0x2504, 1},      {"GF100", 0x2638, 1},    {"GF100", 0x2634, 0x44}, {"GF100", 0x2628, 0x55},
                {"GK104", 0x2274, 0x1066}, {"GK104", 0x2634, 0x77}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pfifo_gpu *a = fields_machine(rows[i].chip), *b = fields_machine(rows[i].chip);
        pfifo_gpu_wr32(a, rows[i].offset, rows[i].value);
        assert_int_equal(pfifo_gpu_rd32(a, rows[i].offset) & rows[i].value, rows[i].value);
        fields_restore(a, b);
        assert_int_equal(pfifo_gpu_rd32(a, rows[i].offset), pfifo_gpu_rd32(b, rows[i].offset));
        pfifo_gpu_free(a);
        pfifo_gpu_free(b);
    }
}

/* ---- engines ---- */

static void fill_inline(struct inline_launch *launch, struct choice *c) {
    uint32_t *const words[] = {&launch->data,  &launch->line_length, &launch->pitch, &launch->width, &launch->height,
                               &launch->depth, &launch->layer,       &launch->x,     &launch->y};
    launch->bytes = fields_any64(c) | UINT64_C(1) << 63;
    launch->left = fields_any64(c) & ~(UINT64_C(1) << 63);
    launch->address = fields_any64(c);
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        *words[i] = choice_word(c) | 1;
    launch->block_size = 0x543;
    launch->linear = launch->forbidden = true;
}

static void assert_same_inline(const struct inline_launch *a, const struct inline_launch *b) {
    const uint32_t one[] = {a->data,  a->line_length, a->pitch, a->width, a->height,
                            a->depth, a->block_size,  a->layer, a->x,     a->y};
    const uint32_t other[] = {b->data,  b->line_length, b->pitch, b->width, b->height,
                              b->depth, b->block_size,  b->layer, b->x,     b->y};
    assert_memory_equal(one, other, sizeof one);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->left, b->left);
    assert_int_equal(a->address, b->address);
    assert_true(b->linear && b->forbidden);
}

static void fill_words(struct kept_words *words, struct choice *c) {
    words->left = fields_any64(c);
    words->count = choice_below(c, KEPT_WORDS);
    for (uint32_t i = 0; i < words->count; i++)
        words->word[i] = choice_word(c);
}

/* Private state that is words and nothing else. */
static void fill_private(const struct private_state *type, uint32_t *state, struct choice *c) {
    for (uint32_t i = 0; !type->state && i < type->bytes / 4; i++)
        state[i] = choice_word(c) | 1;
}

static void fill_parts(struct object *object, struct choice *c) {
    fill_private(&object->index->kind->private, object->private, c);
    for (unsigned i = 0; i < ENGINE_PARTS && object->part[i].type; i++)
        fill_private(object->part[i].type, object->part[i].state, c);
    if (object_words(object))
        fill_words(object_words(object), c);
    if (object_part(object, &inline_part))
        fill_inline(object_part(object, &inline_part), c);
}

static void assert_same_private(const struct private_state *type, const void *a, const void *b) {
    if (!type->state && type->bytes)
        assert_memory_equal(a, b, type->bytes);
}

static void assert_same_parts(const struct object *a, const struct object *b) {
    assert_same_private(&a->index->kind->private, a->private, b->private);
    for (unsigned i = 0; i < ENGINE_PARTS && a->part[i].type; i++)
        assert_same_private(a->part[i].type, a->part[i].state, b->part[i].state);
    const struct kept_words *x = object_words(a), *y = object_words(b);
    if (x) {
        assert_int_equal(x->left, y->left);
        assert_int_equal(x->count, y->count);
        assert_memory_equal(x->word, y->word, x->count * sizeof x->word[0]);
    }
    if (object_part(a, &inline_part))
        assert_same_inline(object_part(a, &inline_part), object_part(b, &inline_part));
}

static void fill_object(struct object *object, struct choice *c, uint32_t words) {
    object->foreign_reported = object->waiting = object->work.under_way = true;
    object->wait_address = fields_any64(c);
    object->wait_expected = choice_word(c);
    object->wait_found = choice_word(c);
    object->work.data = choice_word(c);
    object->work.method = (uint16_t)(choice_word(c) & 0x1ffc);
    for (unsigned i = 0; i < object->work.progress_bytes / sizeof(uint64_t); i++)
        ((uint64_t *)object->work.progress)[i] = fields_any64(c);
    fill_parts(object, c);
    for (uint32_t i = 0; i < words; i += choice_between(c, 1, 300))
        object_set(object, i, choice_word(c) | 1);
}

static void assert_same_object(const struct object *a, const struct object *b, uint32_t words) {
    assert_int_equal(a->object_class, b->object_class);
    assert_int_equal(a->bound, b->bound);
    assert_true(b->foreign_reported && b->waiting && b->work.under_way);
    assert_int_equal(a->wait_address, b->wait_address);
    assert_int_equal(a->wait_expected, b->wait_expected);
    assert_int_equal(a->wait_found, b->wait_found);
    assert_int_equal(a->work.data, b->work.data);
    assert_int_equal(a->work.method, b->work.method);
    assert_memory_equal(a->work.progress, b->work.progress, a->work.progress_bytes);
    assert_same_parts(a, b);
    assert_memory_equal(a->value, b->value, words * sizeof a->value[0]);
}

static void fill_shared(const struct engine *engine, struct channel_state *channel, struct choice *c) {
    for (unsigned i = 0; i < ENGINE_SHARED && engine->shared[i]; i++)
        if (!engine->shared[i]->state)
            fill_private(engine->shared[i], channel_shared(engine, channel, engine->shared[i]), c);
}

static void assert_same_engine_channel(const struct engine *a, const struct channel_state *x,
                                       const struct channel_state *y) {
    assert_int_equal(x->id, y->id);
    assert_int_equal(x->instance, y->instance);
    assert_int_equal(y->instance_target, MEMORY_SYSTEM);
    assert_int_equal(x->left, y->left);
    assert_int_equal(x->ramfc, y->ramfc);
    assert_int_equal(y->notify, NOTIFY_AWAKEN);
    assert_int_equal(y->volatile_on, 8);
    assert_int_equal(y->bound[7], 0x1234);
    for (unsigned i = 0; i < ENGINE_SHARED && a->shared[i]; i++)
        assert_same_private(a->shared[i], x->shared[i], y->shared[i]);
    for (unsigned i = 0; i < ENGINE_MAX_FILES; i++) {
        assert_int_equal(x->objects[i] == NULL, y->objects[i] == NULL);
        if (x->objects[i])
            assert_same_object(x->objects[i], y->objects[i], a->words);
        for (unsigned s = 0; s < ENGINE_SUBCHANNELS; s++)
            assert_int_equal(x->objects[i] && x->subchannel[s] == x->objects[i],
                             y->objects[i] && y->subchannel[s] == y->objects[i]);
    }
}

static struct engine *graph_engine(const struct pfifo_gpu *gpu) {
    unsigned graph = 0;
    while (gpu->fifo->engines[graph].unit != CHIP_UNIT_PGRAPH)
        graph++;
    return gpu->fifo->engines[graph].engine;
}

static void keep_engine(const char *chip, const uint32_t *classes, struct choice *c) {
    struct pfifo_gpu *one = fields_machine(chip), *other = fields_machine(chip);
    struct engine *a = graph_engine(one), *b = graph_engine(other);
    for (uint32_t id = 1; id < 9; id += 3) {
        const struct pfifo_channel_context context = {
            .fifo = one->fifo, .id = id, .instance = fields_any64(c), .instance_target = MEMORY_SYSTEM};
        for (unsigned n = 0; n < 5; n++)
            fill_object(engine_bind(a, &context, choice_below(c, 8), classes[n]), c, a->words);
        a->channels[id]->left = id == 4;
        a->channels[id]->ramfc = choice_word(c) | 1;
        a->channels[id]->notify = NOTIFY_AWAKEN;
        a->channels[id]->volatile_on = 8;
        a->channels[id]->bound[7] = 0x1234;
        fill_shared(a, a->channels[id], c);
    }
    const struct pfifo_channel_context gone = {.fifo = other->fifo, .id = 2, .instance_target = MEMORY_VRAM};
    assert_non_null(engine_bind(b, &gone, 0, classes[0])); /* to be forgotten */
    fields_restore(one, other);
    assert_int_equal(a->binds, b->binds);
    for (uint32_t id = 0; id < a->channel_count; id++) {
        assert_int_equal(a->channels[id] == NULL, b->channels[id] == NULL);
        if (a->channels[id])
            assert_same_engine_channel(a, a->channels[id], b->channels[id]);
    }
    pfifo_gpu_free(one);
    pfifo_gpu_free(other);
}

static void what_engines_keep(void **state) {
    (void)state;
    struct choice choice = choice_from_seed(4);
    keep_engine("NV40", (const uint32_t[]){0x4a, 0x8a, 0x5f, 0x39, 0x4097}, &choice);
    keep_engine("G84", (const uint32_t[]){0x502d, 0x5039, 0x50c0, 0x8297, 0x5072}, &choice);
    keep_engine("GK104", (const uint32_t[]){0xa097, 0xa0c0, 0xa040, 0x902d, 0x9039}, &choice);
}

/* Words of a channel's section. */
enum { CHANNEL_TARGET = 3 };

/* Its instance block is read again when it comes back. */
static void a_channel_is_in_memory_that_there_is(void **state) {
    struct pfifo_gpu *gpu = fields_machine("GK104");
    struct engine *graph = graph_engine(gpu);
    const struct pfifo_channel_context context = {.fifo = gpu->fifo, .id = 1, .instance_target = MEMORY_SYSTEM};
    struct player_bytes bytes = {0};
    struct pfifo_error error = {0};
    (void)state;
    assert_non_null(engine_bind(graph, &context, 0, 0xa097));
    assert_int_equal(engine_save(graph, player_collect, &bytes, &error), PFIFO_OK);
    size_t section = section_find(&bytes, "CHAN"), target = section + SECTION_HEADER + 4 * CHANNEL_TARGET;
    assert_int_equal(stream_word(&bytes, target), MEMORY_SYSTEM);
    stream_set_word(&bytes, target, MEMORY_PEER + 1);
    section_seal(&bytes, section);
    assert_int_equal(engine_load(graph, bytes.data, bytes.bytes, &error), PFIFO_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "target of memory"));
    free(bytes.data);
    pfifo_gpu_free(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(translations_stay_until_they_are_flushed),
        cmocka_unit_test(limits_of_tesla_follow_their_registers),
        cmocka_unit_test(registers_of_the_bus),
        cmocka_unit_test(the_last_stop_and_the_channels_of_engines),
        cmocka_unit_test(registers_of_graph_and_of_other_units),
        cmocka_unit_test(tables_of_graph_behind_ports),
        cmocka_unit_test(registers_and_caches),
        cmocka_unit_test(pbdmas_channels_and_runlists),
        cmocka_unit_test(registers_of_one_family),
        cmocka_unit_test(what_engines_keep),
        cmocka_unit_test(a_channel_is_in_memory_that_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
