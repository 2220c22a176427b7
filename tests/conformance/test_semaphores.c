/* SPDX-License-Identifier: MIT */
/*
 * Semaphores of NV1A .. NV4x.
 *
 * Sources: envytools docs/hw/fifo/puller.rst (the defect of the class check, too), rnndb/fifo/nv4_pfifo.xml; nouveau
 *          nvkm/engine/fifo/nv04.c (the way out); nxdk outer.h. UNKNOWN there and chosen: units of the timeout.
 */
#include "rig.h"

#define HANDLE 0x5e3au

enum { BIND = 0x60, OFFSET = 0x64, ACQUIRE = 0x68, RELEASE = 0x6c };

/* A semaphore object that the hardware takes: class 2, write only. Gives the instance. */
static uint32_t semaphore(struct rig *rig, uint32_t channel, uint32_t target, uint32_t base) {
    uint32_t instance = rig_instance(rig, (const uint32_t[]){0x0000b002 | target << 16, 0xfff, base | 2, base | 2}, 4);
    rig_handle(rig, channel, HANDLE, 0, instance);
    return instance;
}

/* Channel 1 open with an object on subchannel 0, and the semaphore at 0x600000 bound, offset 0x10. */
static void bind(struct rig *rig, uint32_t target) {
    rig_open_bound(rig);
    semaphore(rig, 1, target, 0x600000);
    push(rig, INC(0, BIND, 2), HANDLE, 0x10);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_reg(rig, INTR, 0);
}

static uint32_t target_rd(struct rig *rig, uint32_t target, uint32_t at) {
    return target ? system_rd(rig, at) : vram_rd(rig, at);
}

static void target_wr(struct rig *rig, uint32_t target, uint32_t at, uint32_t value) {
    if (target)
        system_wr(rig, at, value);
    else
        vram_wr(rig, at, value);
}

/* The entry at GET stopped the puller with this error; driver's way out of nouveau. */
static void expect_refused(struct rig *rig, uint32_t error, uint32_t method) {
    uint32_t get = rd(rig, rig->c1.get), slot = get >> 2 & (rig->c1.entries - 1);
    assert_int_equal(rd(rig, rig->c1.pull0) >> 20 & 0xf, error);
    expect_reg(rig, INTR, I_SEMAPHORE);
    assert_int_equal(rd(rig, rig->c1.entry + 8 * slot) & 0xfffc, method);
    wr(rig, INTR, I_SEMAPHORE);
    rig_run(rig); /* stays stopped */
    expect_reg(rig, INTR, 0);
    expect_reg(rig, rig->c1.get, get);
}

static void step_over(struct rig *rig) {
    wr(rig, SEMAPHORE, rd(rig, SEMAPHORE) | 1);
    wr(rig, rig->c1.get, rd(rig, rig->c1.get) + 4);
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
}

/* The defect: the class for reading, with access for writing only, and nothing else. */
static void only_class_2_for_writing_is_taken(void **state) {
    struct rig *rig = *state;
    static const uint32_t classes[] = {0x002, 0x003, 0x03d, 0x030, 0x000};
    rig_open_bound(rig);
    for (size_t i = 0; i < COUNT_OF(classes); i++)
        for (uint32_t access = 0; access < 4; access++)
            for (uint32_t forms = 0; forms < 4; forms++) {
                uint32_t word = classes[i] | access << 14 | forms << 12 | 2u << 16;
                bool present = forms & 1, good = classes[i] == 2 && access == 2 && present;
                uint32_t instance = rig_instance(rig, (const uint32_t[]){word, 0xfff, 0x00600003, 0x00600003}, 4);
                rig_handle(rig, 1, HANDLE, 0, instance);
                wr(rig, SEMAPHORE, 0);
                wr(rig, rig->c1.pull1, 1);
                push(rig, INC(0, BIND, 1), HANDLE);
                rig_go(rig);
                if (!good) {
                    expect_refused(rig, 1, BIND);
                    expect_reg(rig, SEMAPHORE, 0);
                    step_over(rig);
                    continue;
                }
                expect_reg(rig, INTR, 0);
                expect_reg(rig, SEMAPHORE, 0x00600001);
                expect_reg(rig, rig->c1.pull1, 0x20001);
            }
}

static void binding_shows_page_and_target(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    for (uint32_t target = 0; target < 4; target++) {
        if (target == 1)
            continue;
        semaphore(rig, 1, target, 0x00345000);
        push(rig, INC(0, BIND, 2), HANDLE, 0xabc);
        rig_go(rig);
        expect_reg(rig, SEMAPHORE, 0x00345abd);
        assert_int_equal(rd(rig, rig->c1.pull1) >> 16 & 3, target);
    }
    /* Of a page table, the first page. */
    uint32_t instance = rig_instance(rig, (const uint32_t[]){0x00029002, 0x1fff, 0x00777003, 0x00555003}, 4);
    rig_handle(rig, 1, HANDLE, 0, instance);
    push(rig, INC(0, BIND, 2), HANDLE, 0);
    rig_go(rig);
    expect_reg(rig, SEMAPHORE, 0x00777001);
}

static void a_missing_object_is_a_miss(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    push(rig, INC(0, BIND, 1), 0x404);
    rig_go(rig);
    expect_reg(rig, INTR, I_CACHE_ERROR);
    assert_int_equal(rd(rig, rig->c1.pull0) & 0xf00111, P_HASH_FAILED);
}

static void an_offset_is_a_dword_of_the_page(void **state) {
    struct rig *rig = *state;
    bind(rig, 2);
    for (uint32_t bit = 0; bit < 32; bit++) {
        wr(rig, SEMAPHORE, 0x00600001);
        push(rig, INC(0, OFFSET, 1), 1u << bit);
        rig_go(rig);
        if (0xffc >> bit & 1) {
            expect_reg(rig, SEMAPHORE, 0x00600001 | 1u << bit);
            continue;
        }
        expect_refused(rig, 1, OFFSET);
        expect_reg(rig, SEMAPHORE, 0x00600001);
        step_over(rig);
    }
}

static void without_an_object_there_is_nothing_to_acquire_or_release(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    for (uint32_t method = ACQUIRE; method <= RELEASE; method += 4) {
        wr(rig, SEMAPHORE, 0);
        push(rig, INC(0, method, 1), 0);
        rig_go(rig);
        expect_refused(rig, 2, method);
        assert_int_equal(rd(rig, rig->c1.pull1) & 0x10, 0);
        step_over(rig);
    }
}

static void a_release_writes_its_data(void **state) {
    struct rig *rig = *state;
    bind(rig, 2);
    for (uint32_t target = 0; target <= 3; target++) {
        if (target == 1)
            continue;
        wr(rig, rig->c1.pull1, 1 | target << 16);
        for (uint32_t offset = 0; offset < 0x1000; offset += 0x3fc) {
            target_wr(rig, target, 0x600000 + offset, 0);
            push(rig, INC(0, OFFSET, 1), offset, INC(0, RELEASE, 1), ~offset, INC(0, 0x300, 1), 1);
            assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
            assert_int_equal(target_rd(rig, target, 0x600000 + offset), ~offset);
        }
    }
}

static void an_acquire_waits_for_its_value(void **state) {
    struct rig *rig = *state;
    for (uint32_t target = 0; target <= 2; target += 2) {
        if (target) {
            rig_stop(rig);
            rig_power_on(rig, rig->chip->name);
            rig_start(rig);
        }
        bind(rig, target);
        target_wr(rig, target, 0x600010, 4);
        push(rig, INC(0, ACQUIRE, 1), 5, INC(0, 0x300, 1), 6);
        uint32_t behind = rig->pushed[1] - 8;
        assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
        expect_no_methods(rig);
        expect_reg(rig, ACQUIRE_VALUE, 5);
        assert_int_equal(rd(rig, rig->c1.pull1) & 0x10, 0x10);
        assert_int_equal(rd(rig, DMA_PUSH) & 0x10000, 0x10000);
        expect_reg(rig, DMA_GET, behind); /* the pusher waits, too */
        expect_reg(rig, rig->c1.status, 0x10);
        expect_reg(rig, INTR, 0);
        assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
        target_wr(rig, target, 0x600010, 5);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        expect_methods(rig, {0, 0x300, 6});
        assert_int_equal(rd(rig, rig->c1.pull1) & 0x10, 0);
        assert_int_equal(rd(rig, DMA_PUSH) & 0x10000, 0);
        push(rig, INC(0, ACQUIRE, 1), 5, INC(0, 0x304, 1), 7); /* it is there already */
        assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
        expect_methods(rig, {0, 0x304, 7});
    }
}

/* The pusher does not go on before the puller has dealt with an acquire. */
static void the_pusher_pauses_behind_an_acquire(void **state) {
    struct rig *rig = *state;
    bind(rig, 2);
    system_wr(rig, 0x600010, 5);
    wr(rig, rig->c1.pull0, 0);
    push(rig, INC(0, 0x300, 1), 1, INC(0, ACQUIRE, 1), 5, INC(0, 0x304, 1), 2);
    rig_go(rig);
    expect_reg(rig, DMA_GET, rig->pushed[1] - 8);
    assert_int_equal(cache_entries(rig), 2);
    wr(rig, rig->c1.pull0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x300, 1}, {0, 0x304, 2});
}

/* An acquire that waits with entries after it, put there by hand, blocks them. */
static void a_waiting_acquire_blocks_what_is_behind_it(void **state) {
    struct rig *rig = *state;
    bind(rig, 2);
    system_wr(rig, 0x600010, 4);
    wr(rig, rig->c1.pull0, 0);
    rig_inject(rig, 0, ACQUIRE, 5);
    rig_inject(rig, 0, 0x300, 1);
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
    expect_no_methods(rig);
    system_wr(rig, 0x600010, 5);
    rig_run(rig);
    expect_methods(rig, {0, 0x300, 1});
}

/* One channel waits, the other runs and releases. */
static void a_waiting_channel_makes_room_for_the_one_that_releases(void **state) {
    struct rig *rig = *state;
    bind(rig, 2);
    rig_open(rig, 2);
    uint32_t instance = rig_object(rig, 2, 0x22, 1, 0x62);
    semaphore(rig, 2, 2, 0x600000);
    rig_handle(rig, 1, HANDLE, 0, rig_instance(rig, (const uint32_t[]){0x2b002, 0xfff, 0x600002, 0x600002}, 4));
    system_wr(rig, 0x600010, 4);
    push(rig, INC(0, ACQUIRE, 1), 5, INC(0, 0x300, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    push_to(rig, 2, INC(1, 0, 1), 0x22, INC(0, BIND, 2), HANDLE, 0x10, INC(0, RELEASE, 1), 5);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {1, 0, instance}, {0, 0x300, 1});
    assert_int_equal(current_channel(rig), 1);
    assert_int_equal(rd(rig, rig->c1.pull1) & 0x10, 0);
}

static void memory_in_the_order_of_the_channel(void **state) {
    struct rig *rig = *state;
    bind(rig, 2);
    wr(rig, rig->c1.pull0, 0);
    wr(rig, DMA_FETCH, rd(rig, DMA_FETCH) | 1u << 31);
    rig_inject(rig, 0, RELEASE, 0x11223344);
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
    assert_int_equal(system_rd(rig, 0x600010), 0x44332211);
    system_wr(rig, 0x600010, 0x05000000);
    rig_inject(rig, 0, ACQUIRE, 5);
    rig_inject(rig, 0, 0x300, 1);
    rig_run(rig);
    expect_methods(rig, {0, 0x300, 1});
}

/* In units of 32 ns, 0 for never; the wait goes on. */
static void a_wait_that_takes_too_long_interrupts(void **state) {
    struct rig *rig = *state;
    bind(rig, 2);
    system_wr(rig, 0x600010, 4);
    push(rig, INC(0, ACQUIRE, 1), 5, INC(0, 0x300, 1), 1);
    rig_go(rig);
    bus_work(&rig->bus, 1000000);
    rig_run(rig);
    expect_reg(rig, INTR, 0);
    uint32_t since = (uint32_t)(bus_now(&rig->bus) >> 5);
    wr(rig, ACQUIRE_TIMESTAMP, since);
    wr(rig, ACQUIRE_TIMEOUT, 100);
    uint64_t left = fifo_until_timeout(rig->fifo);
    assert_int_equal(left, ((uint64_t)since + 100) * 32 - bus_now(&rig->bus));
    bus_work(&rig->bus, 2 * 99 - 2);
    rig_run(rig);
    expect_reg(rig, INTR, 0);
    left -= (2 * 99 - 2) * BUS_NS_PER_WORK;
    assert_int_equal(fifo_until_timeout(rig->fifo), left);
    bus_work(&rig->bus, 8);
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    expect_reg(rig, INTR, I_ACQUIRE_TIMEOUT);
    assert_true(fifo_until_timeout(rig->fifo) == UINT64_MAX);
    assert_int_equal(rd(rig, rig->c1.pull1) & 0x10, 0x10);
    wr(rig, INTR, I_ACQUIRE_TIMEOUT);
    system_wr(rig, 0x600010, 5);
    rig_run(rig);
    expect_methods(rig, {0, 0x300, 1});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FROM_NV1A(only_class_2_for_writing_is_taken),
        FROM_NV1A(binding_shows_page_and_target),
        FROM_NV1A(a_missing_object_is_a_miss),
        FROM_NV1A(an_offset_is_a_dword_of_the_page),
        FROM_NV1A(without_an_object_there_is_nothing_to_acquire_or_release),
        FROM_NV1A(a_release_writes_its_data),
        FROM_NV1A(an_acquire_waits_for_its_value),
        FROM_NV1A(the_pusher_pauses_behind_an_acquire),
        FROM_NV1A(a_waiting_acquire_blocks_what_is_behind_it),
        FROM_NV1A(a_waiting_channel_makes_room_for_the_one_that_releases),
        FROM_NV1A(memory_in_the_order_of_the_channel),
        FROM_NV1A(a_wait_that_takes_too_long_interrupts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
