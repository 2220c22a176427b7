/* SPDX-License-Identifier: MIT */
/*
 * Errors of G80 .. MCP89, each with its triggers and the way out that drivers take.
 *
 * Sources: envytools docs/hw/fifo/{dma-pusher,puller}.rst, rnndb/fifo/g80_pfifo.xml; open-gpu-doc
 * classes/host/{cl506f,cl826f,cl866f}.h; nouveau nvkm/engine/fifo/nv04.c.
 */
#include "g80.h"

enum {
    CALL_SUBR_ACTIVE = 1,
    INVALID_MTHD,
    RET_SUBR_INACTIVE,
    INVALID_CMD,
    IB_EMPTY,
    MEM_FAULT,
};

/* ---- the driver ---- */

/* nv04.c: all that was submitted is dropped, of a ring only the segment if there is one. */
static void drop(struct rig *rig) {
    assert_int_equal(rd(rig, PMC_INTR) & 0x100, 0x100);
    uint32_t reassign = rd(rig, CACHES) & 1;
    wr(rig, CACHES, 0);
    wr(rig, METHOD_COUNT, 0);
    if (rd(rig, DMA_GET) != rd(rig, DMA_PUT) || rd(rig, DMA_GET_HIGH) != rd(rig, DMA_PUT_HIGH)) {
        wr(rig, DMA_GET, rd(rig, DMA_PUT));
        wr(rig, DMA_GET_HIGH, rd(rig, DMA_PUT_HIGH));
    } else if (rd(rig, IB_GET) != rd(rig, IB_PUT)) {
        wr(rig, IB_GET, rd(rig, IB_PUT));
    }
    wr(rig, DMA_STATE, 0);
    wr(rig, DMA_PUSH, 1);
    wr(rig, INTR, I_DMA_PUSHER);
    wr(rig, VM_FAULT, 1u << 31); /* PFB's part of a MEM_FAULT */
    wr(rig, CACHES, reassign);
}

/* nv04.c: the entry at GET is passed over. */
static void skip_entry(struct rig *rig) {
    uint32_t reassign = rd(rig, CACHES) & 1;
    wr(rig, CACHES, 0);
    wr(rig, DMA_PUSH, 0);
    wr(rig, INTR, I_CACHE_ERROR);
    wr(rig, PUSH0, rd(rig, PUSH0) & ~1u);
    wr(rig, CACHE_GET, rd(rig, CACHE_GET) + 4);
    wr(rig, PUSH0, rd(rig, PUSH0) | 1);
    wr(rig, HASH, 0);
    wr(rig, DMA_PUSH, rd(rig, DMA_PUSH) | 1);
    wr(rig, PULL0, 1);
    wr(rig, CACHES, reassign);
}

static void skip_semaphore(struct rig *rig) {
    uint32_t reassign = rd(rig, CACHES) & 1;
    wr(rig, CACHES, 0);
    wr(rig, INTR, I_SEMAPHORE);
    wr(rig, SEMAPHORE, rd(rig, SEMAPHORE) | 1);
    wr(rig, CACHE_GET, rd(rig, CACHE_GET) + 4);
    wr(rig, PULL0, 1);
    wr(rig, CACHES, reassign);
}

/* After whatever happened a reference goes through. */
static void expect_alive(struct rig *rig) {
    static uint32_t value;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, INTR), 0);
    assert_int_equal(rd(rig, PMC_INTR), 0);
    uint64_t at = rig->pushed[1];
    value++;
    push(rig, INC(0, 0x50, 1), value);
    if (rig->ring_order[1])
        rig_segment(rig, 1, SEGMENT(at, 2));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_REF), value);
}

static void expect_pusher_error(struct rig *rig, uint32_t code) {
    assert_int_equal(pusher_error(rig), code);
    assert_int_equal(rd(rig, INTR), I_DMA_PUSHER);
    assert_int_equal(rd(rig, DMA_PUSH) & 0x1001, 0x1001);
}

/* ---- the pusher, DMA mode ---- */

static void call_in_a_call(void **state) {
    struct rig *rig = *state;
    rig_poke(rig, 1, 0x3000, CALL(0x4000));
    push(rig, CALL(0x3000));
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    expect_pusher_error(rig, CALL_SUBR_ACTIVE);
    drop(rig);
    expect_alive(rig);
}

static void return_without_call(void **state) {
    struct rig *rig = *state;
    push(rig, RETURN);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    expect_pusher_error(rig, RET_SUBR_INACTIVE);
    drop(rig);
    expect_alive(rig);
}

/* What is no form at all, or only one of IB mode; the SLI form where SLI is off. */
static void words_that_are_no_command(void **state) {
    struct rig *rig = *state;
    ramfc_wr(rig, 1, 0x7c, 0);
    static const uint32_t words[] = {0x60000000, 0x80000000, 0xe0000000, 0x00000003,    LONG_NONINC(0, 0x200),
                                     SLI(1),     0x40010200, 0x00020004, 0x40000001 | 2};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        push(rig, words[i], INC(0, 0x50, 1), 0xbad);
        assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
        expect_pusher_error(rig, INVALID_CMD);
        assert_int_equal(rd(rig, 0x32a8), words[i]);
        drop(rig);
        expect_alive(rig);
    }
}

/* In IB mode there is nowhere to jump. */
static void control_flow_in_a_ring_is_no_command(void **state) {
    struct rig *rig = *state;
    rig_open_ib(rig, 1, 4);
    static const uint32_t words[] = {OLD_JUMP(0x100), JUMP(0x100), CALL(0x100), RETURN, 0x60000000};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        uint64_t at = rig->pushed[1];
        push(rig, words[i], INC(0, 0x50, 1), 0xbad);
        rig_segment(rig, 1, SEGMENT(at, 3));
        assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
        expect_pusher_error(rig, INVALID_CMD);
        assert_int_equal(rd(rig, DMA_GET), at + 4);
        drop(rig);
        assert_int_equal(rd(rig, DMA_GET), at + 12);
        expect_alive(rig);
    }
}

/* The presence of methods below 0x100 by class: 506F, 826F, 866F. */
static bool has_method(const struct rig *rig, uint32_t method) {
    static const uint8_t all[] = {0x00, 0x50, 0x60, 0x64, 0x68, 0x6c, 0x80};
    static const uint8_t g84[] = {0x10, 0x14, 0x18, 0x1c, 0x20, 0x24, 0x84};
    static const uint8_t mcp89[] = {0x28, 0x2c, 0x30};
    for (size_t i = 0; i < sizeof all; i++)
        if (method == all[i])
            return true;
    for (size_t i = 0; i < sizeof g84; i++)
        if (method == g84[i])
            return !rig->descriptor_has_ramfc;
    for (size_t i = 0; i < sizeof mcp89; i++)
        if (method == mcp89[i])
            return rig->chip->host_class == 0x866f;
    return method >= 0x100;
}

static void methods_that_the_class_lacks(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    wr(rig, PULL0, 0); /* it is the pusher that refuses them */
    for (uint32_t method = 0; method < 0x108; method += 4) {
        push(rig, INC(5, method, 1), 0);
        uint32_t put = rd(rig, CACHE_PUT);
        enum pfifo_stop stop = rig_go(rig);
        if (has_method(rig, method)) {
            assert_int_equal(stop, PFIFO_STOP_FROZEN);
            assert_int_equal(rd(rig, CACHE_PUT), put + 4);
            continue;
        }
        assert_int_equal(stop, PFIFO_STOP_INTERRUPT);
        expect_pusher_error(rig, INVALID_MTHD);
        assert_int_equal(rd(rig, CACHE_PUT), put);
        drop(rig);
    }
}

static void an_unknown_method_is_dropped_with_its_packet(void **state) {
    struct rig *rig = *state;
    push(rig, INC(0, 0xf8, 4), 1, 2, 3, 4, INC(0, 0x50, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    expect_pusher_error(rig, INVALID_MTHD);
    assert_int_equal(rd(rig, METHOD_COUNT), 4);
    assert_int_equal(rd(rig, 0x32ac), 1);
    drop(rig);
    expect_alive(rig);
}

static void an_empty_segment(void **state) {
    struct rig *rig = *state;
    rig_open_ib(rig, 1, 4);
    rig_segment(rig, 1, SEGMENT(0x1000, 0));
    rig_segment(rig, 1, SEGMENT(0x1000, 0));
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    expect_pusher_error(rig, IB_EMPTY);
    assert_int_equal(rd(rig, IB_GET), 1);
    drop(rig); /* the rest of the ring */
    assert_int_equal(rd(rig, IB_GET), 2);
    expect_alive(rig);
}

static void what_cannot_be_read(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    static const uint32_t limits[] = {4, 8, 0x10};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) { /* DMA_LIMIT is compared before the read */
        uint32_t at = (uint32_t)rig->pushed[1];
        push(rig, 0, 0, 0, 0, 0);
        wr(rig, DMA_LIMIT, at + limits[i]);
        assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
        expect_pusher_error(rig, MEM_FAULT);
        assert_int_equal(rd(rig, DMA_GET), at + limits[i]);
        drop(rig);
        wr(rig, DMA_LIMIT, ~0u);
        expect_alive(rig);
    }
    uint32_t instance = rd(rig, DMA_INSTANCE);
    wr(rig, DMA_INSTANCE, 0); /* no object */
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    expect_pusher_error(rig, MEM_FAULT);
    drop(rig);
    wr(rig, DMA_INSTANCE, instance);
    expect_alive(rig);
}

static void a_ring_that_cannot_be_read(void **state) {
    struct rig *rig = *state;
    rig_open_ib(rig, 1, 4);
    push(rig, 0);
    rig_segment(rig, 1, SEGMENT(rig->pushed[1] - 4, 1));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    uint32_t ring = rd(rig, 0x3340);
    wr(rig, 0x3340, 0x100000); /* after the limit of the object */
    rig_segment(rig, 1, SEGMENT(rig->pushed[1] - 4, 1));
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    expect_pusher_error(rig, MEM_FAULT);
    assert_int_equal(rd(rig, IB_GET), 1);
    wr(rig, 0x3340, ring);
    drop(rig);
    expect_alive(rig);
}

/* ---- the puller ---- */

static void hash_misses(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    static const uint32_t methods[] = {0x00, 0x180, 0x1fc, 0x60};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        uint32_t get = rd(rig, CACHE_GET);
        push(rig, INC(0, methods[i], 1), 0xdeadbeef);
        assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
        assert_int_equal(rd(rig, PULL0), P_HASH_FAILED);
        assert_int_equal(rd(rig, INTR), I_CACHE_ERROR);
        assert_int_equal(rd(rig, CACHE_GET), get);
        skip_entry(rig);
        expect_alive(rig);
    }
}

static void a_handle_behind_a_miss_is_found_when_it_is_there(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x180, 1), 0xdeadbeef);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    uint32_t instance = rig_object(rig, 1, 0xdeadbeef, 0, 0x30);
    wr(rig, INTR, I_CACHE_ERROR); /* the driver made the object, and lets the puller try again */
    wr(rig, PULL0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x180, instance});
    assert_int_equal(rd(rig, PULL0), P_ACCESS);
}

/* Code, with the method and data that raise it; the semaphore's object is there, its offset is not. */
static void semaphore_error_codes(void **state) {
    struct rig *rig = *state;
    rig_handle(rig, 1, 0x5e, 0, rig_dma_object(rig, 1, MEMORY_SYSTEM, 0x800000, 0x1000));
    static const struct {
        uint32_t method, data, code;
        bool g84;
    } rows[] = {
        {0x68, 0, 2, false},         {0x6c, 0, 2, false},       {0x64, 1, 1, false},          {0x64, 2, 1, false},
        {0x64, 0xffff, 1, false},    {0x64, 0x10000, 3, false}, {0x64, 0xfffffffc, 3, false}, {0x10, 0x100, 3, true},
        {0x10, 0xffffffff, 3, true}, {0x14, 1, 1, true},        {0x14, 0x80000002, 1, true},
    };
    push(rig, INC(0, 0x60, 1), 0x5e);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].g84 && rig->descriptor_has_ramfc)
            continue;
        uint32_t get = rd(rig, CACHE_GET);
        push(rig, INC(0, rows[i].method, 1), rows[i].data);
        assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
        assert_int_equal(rd(rig, PULL0), P_SEMAPHORE(rows[i].code));
        assert_int_equal(rd(rig, INTR), I_SEMAPHORE);
        assert_int_equal(rd(rig, CACHE_GET), get);
        assert_int_equal(rd(rig, DEBUG_0), 0);
        skip_semaphore(rig);
        expect_alive(rig);
        assert_false(rd(rig, SEMAPHORE) >> 14 & 1);
        wr(rig, SEMAPHORE, rd(rig, SEMAPHORE) & ~1u);
    }
}

/* What kind of access the fault record names: engine, client, slot; reads that are tried again are PFIFO_BG from G84.
 */
static void semaphores_in_no_memory(void **state) {
    struct rig *rig = *state;
    bool g84 = !rig->descriptor_has_ramfc;
    uint32_t bits = rig->chip->has_nrhost ? 8 : 4;
    uint32_t write = 5 | 4u << 2 * bits | 1u << 3 * bits, read = 5 | 8u << 2 * bits | 1u << 3 * bits;
    const struct {
        uint32_t method, data, who;
        bool g84;
    } rows[] = {{0x68, 1, read, false},
                {0x6c, 1, write, false},
                {0x1c, 1, read, true},
                {0x1c, 2, write, true},
                {0x1c, 4, read, true}};
    bring_in(rig, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].g84 && !g84)
            continue;
        wr(rig, SEMAPHORE, 1 << 14); /* offset 0 of object 0 */
        push(rig, INC(0, rows[i].method, 1), rows[i].data);
        assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
        assert_int_equal(rd(rig, PULL0), P_SEMAPHORE(4));
        assert_int_equal(rd(rig, INTR), I_SEMAPHORE);
        uint32_t reason = ((1u << bits) - 1) << bits;
        assert_int_equal(vm_fault_word(rig, 0) & ~reason, rows[i].who);
        wr(rig, VM_FAULT, 1u << 31);
        skip_semaphore(rig);
        expect_alive(rig);
    }
}

static void an_acquire_whose_memory_goes_away(void **state) {
    struct rig *rig = *state;
    uint32_t bits = rig->chip->has_nrhost ? 8 : 4;
    rig_handle(rig, 1, 0x5e, 0, rig_dma_object(rig, 1, MEMORY_SYSTEM, 0x800000, 0x1000));
    push(rig, INC(0, 0x60, 3), 0x5e, 0, 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, PULL1) & 0x10, 0x10);
    wr(rig, SEMAPHORE, 1 << 14);
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, PULL0), P_SEMAPHORE(4));
    uint32_t engine = rig->descriptor_has_ramfc ? 5 : 0xc;
    assert_int_equal(vm_fault_word(rig, 0) & ((1u << bits) - 1), engine);
    wr(rig, VM_FAULT, 1u << 31);
    skip_semaphore(rig); /* the driver's way out is the same as for all others ... */
    assert_int_equal(rd(rig, CACHE_GET), rd(rig, CACHE_PUT));
    expect_alive(rig);
}

/* ... with entries after it, too, and none of these is lost, also if there are as many as CACHE1 has slots. */
static void what_follows_an_acquire_whose_memory_goes_away(void **state) {
    struct rig *rig = *state;
    static const uint32_t entries[] = {1, 5, 511, 512};
    rig_bind(rig);
    rig_handle(rig, 1, 0x5e, 0, rig_dma_object(rig, 1, MEMORY_SYSTEM, 0x800000, 0x1000));
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        push(rig, INC(0, 0x60, 3), 0x5e, 0, 1, NONINC(0, 0x200, entries[i]));
        for (uint32_t n = 0; n < entries[i]; n++)
            push(rig, n);
        assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
        assert_int_equal(cache_entries(rig), entries[i]);
        wr(rig, SEMAPHORE, 1 << 14);
        assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
        wr(rig, VM_FAULT, 1u << 31);
        skip_semaphore(rig);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        assert_int_equal(rig->logged, entries[i]);
        for (uint32_t n = 0; n < entries[i]; n++)
            assert_int_equal(rig->log[n].data, n);
        rig->logged = 0;
    }
}

/* A driver that brings the memory back instead has the method executed again. */
static void an_acquire_that_failed_can_be_tried_again(void **state) {
    struct rig *rig = *state;
    rig_handle(rig, 1, 0x5e, 0, rig_dma_object(rig, 1, MEMORY_SYSTEM, 0x800000, 0x1000));
    for (uint32_t kind = 0; kind < (rig->descriptor_has_ramfc ? 1u : 3u); kind++) {
        system_wr(rig, 0x800000, 0);
        push(rig, INC(0, 0x60, 2), 0x5e, 0);
        if (kind == 0)
            push(rig, INC(0, 0x68, 1), 7);
        else
            push(rig, INC(0, 0x10, 4), 0, 0, 7, kind == 1 ? 1 : 4);
        push(rig, INC(0, 0x50, 1), 0x40 + kind);
        assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
        uint32_t pull1 = rd(rig, PULL1), semaphore = rd(rig, SEMAPHORE);
        wr(rig, SEMAPHORE, 1 << 14);
        assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
        wr(rig, VM_FAULT, 1u << 31);
        wr(rig, SEMAPHORE, semaphore);
        wr(rig, INTR, I_SEMAPHORE);
        wr(rig, PULL0, 1);
        assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
        assert_int_equal(rd(rig, PULL1), pull1);
        system_wr(rig, 0x800000, kind == 2 ? 8 : 7);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        assert_int_equal(rd(rig, REF), 0x40 + kind);
    }
}

/* ---- pause ---- */

/* nv50.c and gt215.c: the puller is off and has nothing under way; then everything goes on. */
static void pause_and_resume(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x200, 1), 1, INC(0, 0, 1), 0xdead, INC(0, 0x200, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    wr(rig, CACHES, 0);
    wr(rig, PULL0, rd(rig, PULL0) & ~1u);
    assert_int_equal(rd(rig, PULL0) & 0x1000, 0);
    if (rd(rig, PULL0) & P_HASH_FAILED)
        wr(rig, INTR, I_CACHE_ERROR);
    wr(rig, HASH, 0);
    assert_int_equal(rd(rig, INTR), 0);
    rig_handle(rig, 1, 0xdead, 1, rig_instance(rig, 1, (const uint32_t[]){0x30, 0, 0, 0}, 4));
    wr(rig, PULL0, rd(rig, PULL0) | 1);
    wr(rig, CACHES, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->logged, 3);
    assert_int_equal(rig->log[2].data, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH(call_in_a_call),
        ON_EACH(return_without_call),
        ON_EACH(words_that_are_no_command),
        ON_EACH(control_flow_in_a_ring_is_no_command),
        ON_EACH(methods_that_the_class_lacks),
        ON_EACH(an_unknown_method_is_dropped_with_its_packet),
        ON_EACH(an_empty_segment),
        ON_EACH(what_cannot_be_read),
        ON_EACH(a_ring_that_cannot_be_read),
        ON_EACH(hash_misses),
        ON_EACH(a_handle_behind_a_miss_is_found_when_it_is_there),
        ON_EACH(semaphore_error_codes),
        ON_EACH(semaphores_in_no_memory),
        ON_EACH(an_acquire_whose_memory_goes_away),
        ON_KINDS(what_follows_an_acquire_whose_memory_goes_away),
        ON_KINDS(an_acquire_that_failed_can_be_tried_again),
        ON_EACH(pause_and_resume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
