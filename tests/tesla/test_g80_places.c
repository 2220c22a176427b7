/* SPDX-License-Identifier: MIT */
/*
 * Where the parts of a channel of G80 .. MCP89 are: each pointer has an address and a target of its own.
 *
 *   G80   CHAN_TABLE -> descriptor: RAMFC +0, CACHE1 +0x400
 *   G84-  CHAN_TABLE -> RAMFC       -> CACHE_INST: CACHE1, CHAN_INST: descriptor
 *
 * Sources: envytools rnndb/fifo/g80_pfifo.xml, docs/hw/memory/g80-vm.rst; nouveau
 * nvkm/engine/fifo/{channv50,chang84}.c.
 */
#include "g80.h"

#define ENABLE     (1u << 31)
#define RAMFC_AT   0x610100u /* G84-; on G80 the descriptor's start */
#define CACHE_AT   0x620400u
#define CHANNEL_AT 0x640000u
#define RAMHT_AT   0x8000u /* in the descriptor */
#define OBJECTS_AT 0x6000u

/* Target 0 is VRAM; 2 and 3 are system memory. */
struct part {
    struct rig *rig;
    uint32_t target, address;
};

static uint32_t part_rd(struct part part, uint32_t offset) {
    return part.target ? system_rd(part.rig, part.address + offset) : vram_rd(part.rig, part.address + offset);
}

static void part_wr(struct part part, uint32_t offset, uint32_t value) {
    if (part.target)
        system_wr(part.rig, part.address + offset, value);
    else
        vram_wr(part.rig, part.address + offset, value);
}

struct places {
    struct part ramfc, cache, descriptor;
};

/* Channel 2 in DMA mode, with handle 5 for an object of engine 1; its pushbuffer is where the bench has it. */
static struct places make(struct rig *rig, uint32_t ramfc, uint32_t cache, uint32_t descriptor) {
    bool g80 = rig->descriptor_has_ramfc;
    struct places p = {.descriptor = {rig, descriptor, CHANNEL_AT}};
    p.ramfc = g80 ? p.descriptor : (struct part){rig, ramfc, RAMFC_AT};
    p.cache = g80 ? (struct part){rig, descriptor, CHANNEL_AT + 0x400} : (struct part){rig, cache, CACHE_AT};
    static const uint32_t push_object[] = {0x000a003d, 0x002fffff, 0x00200000, 0, 0, 0};
    for (uint32_t i = 0; i < 6; i++)
        part_wr(p.descriptor, OBJECTS_AT + 4 * i, push_object[i]);
    part_wr(p.descriptor, OBJECTS_AT + 0x20, 0x5097);
    part_wr(p.descriptor, RAMHT_AT + 8 * 5, 5);
    part_wr(p.descriptor, RAMHT_AT + 8 * 5 + 4, 1u << 20 | (OBJECTS_AT + 0x20) >> 4);
    for (uint32_t offset = 0; offset < 0x100; offset += 4)
        part_wr(p.ramfc, offset, 0);
    part_wr(p.ramfc, 0x3c, 0x003f6078);
    part_wr(p.ramfc, 0x44, 0x01000000);
    part_wr(p.ramfc, 0x48, OBJECTS_AT >> 4);
    part_wr(p.ramfc, 0x4c, ~0u);
    part_wr(p.ramfc, 0x80, 4u << 24 | RAMHT_AT >> 4);
    if (!g80) {
        part_wr(p.ramfc, 0x88, cache << 30 | CACHE_AT >> 10);
        part_wr(p.ramfc, 0x98, descriptor << 28 | CHANNEL_AT >> 12);
    }
    wr(rig, CHAN_TABLE + 8, g80 ? ENABLE | descriptor << 28 | CHANNEL_AT >> 12 : ENABLE | ramfc << 24 | RAMFC_AT >> 8);
    rig_playlist(rig, (const uint32_t[]){1, 2}, 2);
    return p;
}

/* It binds, runs, leaves with entries and comes back, all where the pointers say. */
static void check(struct rig *rig, uint32_t ramfc, uint32_t cache, uint32_t descriptor) {
    struct places p = make(rig, ramfc, cache, descriptor);
    rig->pushed[2] = 0;
    rig->logged = 0;
    push_to(rig, 2, INC(0, 0, 1), 5, NONINC(0, 0x200, 100));
    for (uint32_t i = 0; i < 100; i++)
        push_to(rig, 2, i);
    rig->engine[1].refuse = true;
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    assert_int_equal(current_channel(rig), 2);
    assert_int_equal(rig->logged, 1);
    assert_int_equal(rig->log[0].data, (OBJECTS_AT + 0x20) >> 4);
    assert_int_equal(rig->engine[1].bound_class, 0x5097);
    push(rig, 0);
    rig_submit(rig, 1);
    rig_run_for(rig, 1);
    assert_int_equal(current_channel(rig), 1);
    assert_int_equal(part_rd(p.ramfc, 0x84), 100);
    assert_int_equal(part_rd(p.ramfc, 0x10), rig->pushed[2]);
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(part_rd(p.cache, 8 * i) & 0xfffc, 0x200);
        assert_int_equal(part_rd(p.cache, 8 * i + 4), i);
    }
    rig->engine[1].refuse = false;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->logged, 101);
    wr(rig, KICK, CHANNEL_AT >> 12);
    assert_int_not_equal(current_channel(rig), 2);
    assert_int_equal(part_rd(p.ramfc, 0x84), 0);
}

static void each_part_may_be_in_any_memory(void **state) {
    struct rig *rig = *state;
    static const uint32_t targets[] = {0, 2, 3};
    for (uint32_t i = 0; i < 27; i++) {
        uint32_t ramfc = targets[i % 3], cache = targets[i / 3 % 3], descriptor = targets[i / 9];
        if (rig->descriptor_has_ramfc && i % 9 != 0)
            continue;
        check(rig, ramfc, cache, descriptor);
    }
}

/* What drivers store when they make a channel, and nothing else: the loaded registers. */
static void a_new_channel_in_dma_mode(void **state) {
    struct rig *rig = *state;
    make(rig, 0, 0, 0);
    push_to(rig, 2, 0);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    static const struct {
        uint32_t reg, value;
    } rows[] = {{PUSH1, MODE_DMA | 2},
                {DMA_FETCH, 0x003f6078},
                {TIMESLICE_DMA, 0x01000000},
                {DMA_LIMIT, ~0u},
                {RAMHT, 4u << 24 | RAMHT_AT >> 4},
                {DMA_INSTANCE, OBJECTS_AT >> 4},
                {SLI_REG, 0},
                {REF, 0},
                {DMA_PUSH, 0x101},
                {PULL1, 0},
                {ENGINE, 0},
                {DMA_GET, 4},
                {DMA_PUT, 4},
                {CACHE_GET, 0},
                {CACHE_PUT, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(rd(rig, rows[i].reg), rows[i].value);
    if (rig->descriptor_has_ramfc)
        return;
    assert_int_equal(rd(rig, 0x340c), CACHE_AT >> 10);
    assert_int_equal(rd(rig, CHAN_INST), CHANNEL_AT >> 12);
}

/* An object is named by 16 bits of offset / 16: up to 1 MiB after the descriptor. */
static void the_last_object_of_a_descriptor(void **state) {
    struct rig *rig = *state;
    struct places p = make(rig, 0, 0, 0);
    static const uint32_t push_object[] = {0x000a003d, 0x002fffff, 0x00200000, 0, 0, 0};
    for (uint32_t i = 0; i < 6; i++)
        part_wr(p.descriptor, 0xffff0 + 4 * i, push_object[i]);
    part_wr(p.ramfc, 0x48, 0xffff);
    rig->pushed[2] = 0;
    push_to(rig, 2, INC(0, 0x50, 1), 0x77);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, REF), 0x77);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_KINDS(each_part_may_be_in_any_memory),
        ON_EACH(a_new_channel_in_dma_mode),
        ON_KINDS(the_last_object_of_a_descriptor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
