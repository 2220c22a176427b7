/* SPDX-License-Identifier: MIT */
/*
 * What drivers of NV4 .. NV4x do when PFIFO stops, and when a channel goes: each must leave everything else going.
 *
 * Sources: nouveau nvkm/engine/fifo/nv04.c, dmanv04.c; nxdk lib/pbkit (pbkit.c, outer.h)
 */
#include "rig.h"

#define SOFTWARE 0x50f7u
#define OBJECT   0x62u

/* ---- nouveau ---- */

struct software {
    uint32_t calls, method[64], data[64];
};

/* A software method: true if it was one. */
static bool run_software(struct rig *rig, struct software *software, uint32_t method, uint32_t data) {
    uint32_t subchannel = method >> 13 & 7, engine = rd(rig, ENGINE) >> 4 * subchannel & 0xf;
    method &= 0x1ffc;
    if (method == 0) {
        wr(rig, ENGINE, rd(rig, ENGINE) & ~(0xfu << 4 * subchannel));
        data = rd(rig, HASH) & 0xffff;
        engine = 0;
    } else if (method >= 0x180 && method < 0x200) {
        data = rd(rig, HASH) & 0xffff;
    }
    if (engine != 0)
        return false;
    assert_true(software->calls < COUNT_OF(software->method));
    software->method[software->calls] = method;
    software->data[software->calls++] = data;
    return true;
}

static void nouveau_cache_error(struct rig *rig, struct software *software, uint32_t get) {
    uint32_t slot = (get & 0x7ff) >> 2, pull0 = rd(rig, rig->c1.pull0);
    uint32_t method = rd(rig, rig->c1.entry + 8 * slot), data = rd(rig, rig->c1.entry + 8 * slot + 4);
    if (pull0 & P_SOFTWARE)
        run_software(rig, software, method, data);
    wr(rig, DMA_PUSH, 0);
    wr(rig, INTR, I_CACHE_ERROR);
    wr(rig, PUSH0, rd(rig, PUSH0) & ~1u);
    wr(rig, rig->c1.get, get + 4);
    wr(rig, PUSH0, rd(rig, PUSH0) | 1);
    wr(rig, HASH, 0);
    wr(rig, DMA_PUSH, rd(rig, DMA_PUSH) | 1);
    wr(rig, rig->c1.pull0, 1);
}

static void nouveau_dma_pusher(struct rig *rig) {
    uint32_t get = rd(rig, DMA_GET), put = rd(rig, DMA_PUT);
    if (get != put)
        wr(rig, DMA_GET, put);
    wr(rig, DMA_STATE, 0);
    wr(rig, DMA_PUSH, 1);
    wr(rig, INTR, I_DMA_PUSHER);
}

static void nouveau_semaphore(struct rig *rig, uint32_t get) {
    wr(rig, INTR, I_SEMAPHORE);
    wr(rig, SEMAPHORE, rd(rig, SEMAPHORE) | 1);
    wr(rig, rig->c1.get, get + 4);
    wr(rig, rig->c1.pull0, 1);
}

static void nouveau_interrupt(struct rig *rig, struct software *software) {
    uint32_t status = rd(rig, INTR) & rd(rig, INTR_EN);
    if (!status)
        return;
    uint32_t reassign = rd(rig, CACHES) & 1;
    wr(rig, CACHES, 0);
    uint32_t get = rd(rig, rig->c1.get);
    if (status & I_CACHE_ERROR)
        nouveau_cache_error(rig, software, get);
    if (status & I_DMA_PUSHER)
        nouveau_dma_pusher(rig);
    if (status & I_SEMAPHORE)
        nouveau_semaphore(rig, get);
    uint32_t rest = status & ~(uint32_t)(I_CACHE_ERROR | I_DMA_PUSHER | I_SEMAPHORE);
    if (rest) { /* what it does not know it masks */
        wr(rig, INTR_EN, rd(rig, INTR_EN) & ~rest);
        wr(rig, INTR, rest);
    }
    wr(rig, CACHES, reassign);
}

static void run_with_nouveau(struct rig *rig, struct software *software) {
    for (unsigned turn = 0; turn < 300; turn++) {
        enum pfifo_stop stop = rig_run(rig);
        if (stop == PFIFO_STOP_IDLE && !rd(rig, INTR))
            return;
        nouveau_interrupt(rig, software);
    }
    fail_msg("never idle");
}

/* ---- nxdk ---- */

static void nxdk_cache_error(struct rig *rig) {
    wr(rig, CACHES, 0);
    wr(rig, rig->c1.pull0, rd(rig, rig->c1.pull0) & ~1u);
    uint32_t pull0 = rd(rig, rig->c1.pull0);
    wr(rig, INTR, I_CACHE_ERROR);
    assert_int_equal(rd(rig, rig->c1.pull0) & 0x1000, 0); /* waits for HASH_BUSY */
    if (pull0 & (P_SOFTWARE | P_HASH_FAILED))
        wr(rig, rig->c1.get, ((rd(rig, rig->c1.get) >> 2) + 1) << 2 & 0x3fc);
    wr(rig, HASH, 0);
    wr(rig, rig->c1.pull0, rd(rig, rig->c1.pull0) | 1);
    wr(rig, CACHES, 1);
}

static void nxdk_dma_pusher(struct rig *rig) {
    wr(rig, INTR, I_DMA_PUSHER);
    wr(rig, DMA_STATE, 0);
    if (rd(rig, DMA_PUT) != rd(rig, DMA_GET))
        wr(rig, DMA_GET, rd(rig, DMA_GET) + 4);
    /* It clears SUSPENDED if the pusher is busy. UNKNOWN: is it, in an error? Chosen: no; so, without that condition.
     */
    assert_int_equal(rd(rig, CACHES) & 0x10, 0); /* waits for DMA_SUSPEND */
    wr(rig, DMA_PUSH, rd(rig, DMA_PUSH) & ~0x1000u);
}

/* ---- cache errors ---- */

static void objects(struct rig *rig) {
    rig_open_bound(rig);
    rig_object(rig, 1, SOFTWARE, 0, 0x500);
}

/* A stream of hardware, software and missing methods, longer than the cache: nothing is lost or out of order. */
static void nouveau_loses_nothing_around_a_cache_error(void **state) {
    struct rig *rig = *state;
    objects(rig);
    for (unsigned round = 0; round < 3; round++) {
        struct software software = {0};
        uint32_t count = 0;
        push(rig, INC(2, 0, 1), SOFTWARE);
        for (uint32_t i = 0; i < 300; i++) {
            push(rig, INC(0, 0x300, 1), i);
            if (i % 25 == 7)
                push(rig, INC(2, 0x200 + 4 * i, 1), ~i);
            if (i % 25 == 11)
                push(rig, INC(3, 0, 1), 0xbad00000 + i); /* a miss, skipped */
            if (i % 50 == 20)
                push(rig, INC(2, 0x180, 1), SOFTWARE);
            count++;
        }
        rig_submit(rig, 1);
        run_with_nouveau(rig, &software);
        assert_int_equal(rig->logged, count);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(rig->log[i].data, i);
        rig->logged = 0;
        uint32_t instance = 0, at = 0;
        instance = software.data[0];
        assert_int_equal(software.method[at++], 0);
        for (uint32_t i = 0; i < 300; i++) {
            if (i % 25 == 7) {
                assert_int_equal(software.method[at], 0x200 + 4 * i);
                assert_int_equal(software.data[at++], ~i);
            }
            if (i % 50 == 20) {
                assert_int_equal(software.method[at], 0x180);
                assert_int_equal(software.data[at++], instance);
            }
        }
        assert_int_equal(software.calls, at);
        expect_reg(rig, CACHES, 1);
        expect_reg(rig, DMA_GET, rig->pushed[1]);
    }
}

/* GET past the end of the pointer is cut by the register. */
static void an_error_in_the_last_slot(void **state) {
    struct rig *rig = *state;
    struct software software = {0};
    uint32_t mask = rig->nv40 ? 0x7fc : 0x3fc;
    objects(rig);
    wr(rig, rig->c1.get, mask);
    wr(rig, rig->c1.put, mask);
    push(rig, INC(3, 0, 1), 0xbad, INC(0, 0x300, 1), 1);
    rig_go(rig);
    expect_reg(rig, rig->c1.get, mask);
    expect_reg(rig, INTR, I_CACHE_ERROR);
    run_with_nouveau(rig, &software);
    expect_methods(rig, {0, 0x300, 1});
    expect_reg(rig, rig->c1.get, 4);
}

static void nxdk_skips_the_entry(void **state) {
    struct rig *rig = *state;
    objects(rig);
    push(rig, INC(3, 0, 1), 0xbad, INC(0, 0x300, 1), 1, INC(2, 0, 1), SOFTWARE, INC(0, 0x304, 1), 2);
    rig_submit(rig, 1);
    for (unsigned turn = 0; turn < 2; turn++) {
        rig_run(rig);
        expect_reg(rig, INTR, I_CACHE_ERROR);
        nxdk_cache_error(rig);
    }
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x300, 1}, {0, 0x304, 2});
}

/* ---- errors of the pusher ---- */

static void nouveau_drops_what_is_left(void **state) {
    struct rig *rig = *state;
    struct software software = {0};
    objects(rig);
    static const uint32_t bad[] = {0xe0000003, INC(0, 0x20, 1)};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        push(rig, INC(0, 0x300, 1), 1, bad[i], 0, INC(0, 0x300, 1), 2);
        rig_submit(rig, 1);
        run_with_nouveau(rig, &software);
        expect_methods(rig, {0, 0x300, 1});
        expect_reg(rig, DMA_GET, rig->pushed[1]);
        assert_int_equal(pusher_error(rig), 0);
        push(rig, INC(0, 0x300, 1), 3);
        rig_submit(rig, 1);
        run_with_nouveau(rig, &software);
        expect_methods(rig, {0, 0x300, 3});
    }
}

/* It takes GET to be at the bad word; here it is after it, so that one word more is skipped. */
static void nxdk_goes_on_behind_the_bad_word(void **state) {
    struct rig *rig = *state;
    objects(rig);
    push(rig, 0xe0000003, 0, INC(0, 0x300, 1), 2);
    rig_go(rig);
    expect_reg(rig, INTR, I_DMA_PUSHER);
    nxdk_dma_pusher(rig);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x300, 2});
}

/* ---- semaphores ---- */

static void nouveau_keeps_a_channel_alive_that_binds_a_semaphore(void **state) {
    struct rig *rig = *state;
    struct software software = {0};
    objects(rig);
    rig_handle(rig, 1, 0x5e3a, 0, rig_dma_object(rig, 2, 0x600000, 0x1000));
    push(rig, INC(0, 0x60, 1), 0x5e3a, INC(0, 0x300, 1), 1);
    rig_go(rig);
    expect_reg(rig, INTR, I_SEMAPHORE);
    run_with_nouveau(rig, &software);
    expect_methods(rig, {0, 0x300, 1});
    expect_reg(rig, SEMAPHORE, 1); /* no page: the channel lives, and no more */
}

/* ---- RUNOUT ---- */

/* Performs each entry of RAMRO through CACHE0; the channel is PIO, and its cache full. */
static void a_driver_drains_ramro_through_cache0(void **state) {
    struct rig *rig = *state;
    uint32_t instance = rig_object(rig, 3, OBJECT, 1, 0x62), room = rig->c1.entries;
    user_wr(rig, 3, 0, OBJECT);
    rig_run(rig);
    wr(rig, rig->c1.pull0, 0);
    for (uint32_t i = 0; i < room + 5; i++)
        user_wr(rig, 3, 0x300, i);
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
    wr(rig, rig->c1.pull0, 0);
    wr(rig, C0_ENGINE, rd(rig, ENGINE));
    while (rd(rig, RUNOUT_GET) != rd(rig, RUNOUT_PUT)) {
        uint32_t get = rd(rig, RUNOUT_GET), word = ramro_rd(rig, get);
        wr(rig, rig->c0.push1, word >> 16 & 0x7f);
        wr(rig, rig->c0.entry, word & 0xfffc);
        wr(rig, rig->c0.entry + 4, ramro_rd(rig, get + 4));
        wr(rig, rig->c0.put, rd(rig, rig->c0.get) ^ 4);
        wr(rig, rig->c0.pull0, 1);
        rig_run(rig);
        wr(rig, rig->c0.pull0, 0);
        wr(rig, RUNOUT_GET, get + 8);
    }
    wr(rig, INTR, I_RUNOUT);
    wr(rig, rig->c1.pull0, 1);
    user_wr(rig, 3, 0x300, room + 5);
    rig_run(rig);
    assert_int_equal(rig->logged, room + 7);
    assert_int_equal(rig->log[0].data, instance);
    for (uint32_t i = 0; i < room + 6; i++)
        assert_int_equal(rig->log[i + 1].data, i);
}

static void nouveau_masks_runouts(void **state) {
    struct rig *rig = *state;
    struct software software = {0};
    write_bytes(rig, user_at(3, 0x300), 0, 1);
    assert_int_equal(rd(rig, PMC_INTR) & 0x100, 0x100);
    run_with_nouveau(rig, &software);
    assert_int_equal(rd(rig, PMC_INTR) & 0x100, 0);
    assert_int_equal(rd(rig, INTR_EN) & I_RUNOUT, 0);
}

/* ---- teardown ---- */

static const struct {
    const char *chips;
    uint32_t registers[24];
} tables[] = {
    {"NV4:NV10", {DMA_PUT, DMA_GET, DMA_INSTANCE, DCOUNT, DMA_STATE, DMA_FETCH, ENGINE, 0x3254}},
    {"NV10:NV17", {DMA_PUT, DMA_GET, REF, DMA_INSTANCE, DCOUNT, DMA_STATE, DMA_FETCH, ENGINE, 0x3254}},
    {"NV17:NV40",
     {DMA_PUT, DMA_GET, REF, DMA_INSTANCE, DCOUNT, DMA_STATE, DMA_FETCH, ENGINE, 0x3254, ACQUIRE_VALUE,
      ACQUIRE_TIMESTAMP, ACQUIRE_TIMEOUT, SEMAPHORE, SUBROUTINE}},
    {"NV40-", {DMA_PUT,         DMA_GET,   REF,        DMA_INSTANCE, DCOUNT,        DMA_STATE,
               DMA_FETCH,       SLI_REG,   ENGINE,     0x3254,       ACQUIRE_VALUE, ACQUIRE_TIMESTAMP,
               ACQUIRE_TIMEOUT, SEMAPHORE, SUBROUTINE, GRCTX_INST,   DMA_TIMESLICE, 0x32e4,
               0x32e8,          0x2088,    0x3300,     0x330c}},
};

static void nouveau_channel_fini(struct rig *rig, uint32_t channel) {
    wr(rig, CACHES, 0);
    if (current_channel(rig) == channel) {
        wr(rig, DMA_PUSH, rd(rig, DMA_PUSH) & ~1u);
        wr(rig, PUSH0, 0);
        wr(rig, rig->c1.pull0, rd(rig, rig->c1.pull0) & ~1u);
        for (size_t i = 0; i < COUNT_OF(tables); i++)
            for (size_t j = 0; on(rig, tables[i].chips) && tables[i].registers[j]; j++)
                wr(rig, tables[i].registers[j], 0);
        wr(rig, rig->c1.get, 0);
        wr(rig, rig->c1.put, 0);
        wr(rig, rig->c1.push1, rig->channels - 1);
        wr(rig, PUSH0, 1);
        wr(rig, rig->c1.pull0, 1);
    }
    wr(rig, MODE, rd(rig, MODE) & ~(1u << channel));
    wr(rig, CACHES, 1);
}

/* DMA_PUSH stays off, and nobody sets it: a load must. Channels go in an error, with entries, waiting, idle. */
static void after_a_channel_is_torn_down_the_others_run(void **state) {
    struct rig *rig = *state;
    static const uint32_t last_words[][2] = {{0, 0}, {0xe0000003, 0}, {INC(0, 0, 1), 0xbad}, {0, INC(0, 0x300, 5)}};
    for (uint32_t channel = 1; channel < 5; channel++) {
        rig_open(rig, channel);
        uint32_t instance = rig_object(rig, channel, OBJECT, 1, 0x62);
        push_to(rig, channel, INC(0, 0, 1), OBJECT, INC(0, 0x300, 1), channel);
        rig_push(rig, channel, last_words[channel - 1], 2);
        rig_submit(rig, channel);
        rig_run(rig);
        expect_methods(rig, {0, 0, instance}, {0, 0x300, channel});
        assert_int_equal(current_channel(rig), channel);
        if (channel == 4)
            wr(rig, rig->c1.pull0, 0);
        nouveau_channel_fini(rig, channel);
        assert_int_equal(rd(rig, MODE), 0);
        assert_int_equal(current_channel(rig), rig->channels - 1);
        wr(rig, INTR, ~0u);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FROM_NV4(nouveau_loses_nothing_around_a_cache_error),
        FROM_NV4(an_error_in_the_last_slot),
        NV4_TO_NV3X(nxdk_skips_the_entry),
        FROM_NV4(nouveau_drops_what_is_left),
        ON("NV2A", nxdk_goes_on_behind_the_bad_word),
        FROM_NV1A(nouveau_keeps_a_channel_alive_that_binds_a_semaphore),
        FROM_NV4(a_driver_drains_ramro_through_cache0),
        FROM_NV4(nouveau_masks_runouts),
        FROM_NV4(after_a_channel_is_torn_down_the_others_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
