/* SPDX-License-Identifier: MIT */
/* Methods 0x60 .. 0x6c: semaphores in a DMA object, on NV40 .. MCP89. Those of G84: test_semaphores_g84.c */
#include "rig.h"

#define PAGE   0x900000u /* in system memory */
#define HANDLE 0x5e5e0001u

enum { ACQUIRE_ACTIVE = 1 << 4, INTR_SEMAPHORE = 1 << 20, INTR_TIMEOUT = 1 << 24 };

/* An object that DMA_SEMAPHORE accepts: NV40 wants class 2 with access "write only". */
static uint32_t semaphore_object(struct rig *rig) {
    const uint32_t curie[] = {0x2b002, 0xfff, PAGE | 2, PAGE | 2};
    uint32_t instance =
        rig->tesla ? rig_dma_object(rig, 1, MEMORY_SYSTEM, PAGE, 0x1000) : rig_instance(rig, 1, curie, 4);
    rig_handle(rig, 1, HANDLE, 0, instance);
    return instance;
}

/* Channel 1 has its semaphore at PAGE + 0x40. */
static void bind_semaphore(struct rig *rig) {
    rig_bind(rig);
    semaphore_object(rig);
    push(rig, INC(0, 0x60, 2), HANDLE, 0x40);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
}

/* The puller stopped with a semaphore error at the entry {word, data}. */
static void assert_semaphore_error(struct rig *rig, uint32_t code, uint32_t word, uint32_t data) {
    assert_int_equal(rd(rig, PULL0), code << 20);
    assert_int_equal(rd(rig, INTR), INTR_SEMAPHORE);
    assert_int_equal(rd(rig, DEBUG_0), 0);
    uint32_t slot = rd(rig, CACHE_GET) / 4 % rig->chip->cache1_entries;
    assert_int_equal(rd(rig, CACHE_METHOD + 8 * slot), word);
    assert_int_equal(rd(rig, CACHE_DATA + 8 * slot), data);
}

static void dma_semaphore_takes_page_and_target(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    semaphore_object(rig);
    push(rig, INC(0, 0x60, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, SEMAPHORE), PAGE | 1);
    assert_int_equal(rd(rig, PULL1), 0x20001);
    push(rig, INC(0, 0x64, 1), 0xabc);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, SEMAPHORE), PAGE | 0xabc | 1);
}

/* The frame of page 0 is meant, not that of the object. */
static void dma_semaphore_takes_the_first_page_of_a_table(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t instance = rig_instance(rig, 1, (const uint32_t[]){0x29002, 0x1fff, 0x777003, 0x555003}, 4);
    rig_handle(rig, 1, HANDLE, 0, instance);
    push(rig, INC(0, 0x60, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, SEMAPHORE), 0x777000 | 1);
}

/* The class for reading with access "write only": nothing else is taken, not even what would make sense. */
static void dma_semaphore_wants_class_2_and_write_only(void **state) {
    struct rig *rig = *state;
    static const uint32_t words[] = {0x2303d, 0x2b03d, 0x2b003, 0x23002, 0x27002, 0x2f002, 0x2a002};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        rig_handle(rig, 1, HANDLE, 0, rig_instance(rig, 1, (const uint32_t[]){words[i], 0xfff, PAGE | 2, 0}, 4));
        push(rig, INC(3, 0x60, 1), HANDLE);
        assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
        assert_semaphore_error(rig, 1, 3 << 13 | 0x60, HANDLE);
        assert_int_equal(rd(rig, SEMAPHORE), 0);
        wr(rig, INTR, INTR_SEMAPHORE);
        wr(rig, CACHE_GET, rd(rig, CACHE_GET) + 4);
        wr(rig, PULL0, 1);
    }
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

static void dma_semaphore_of_tesla_takes_any_object(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t instance = rig_object(rig, 1, HANDLE, 1, 0x4097);
    push(rig, INC(0, 0x60, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, SEMAPHORE), instance << 16);
    push(rig, INC(0, 0x64, 1), 0xfffc);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, SEMAPHORE), instance << 16 | 1 << 14 | 0x3fff);
}

static void dma_semaphore_with_unknown_handle_is_a_hash_miss(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x60, 1), 0xdead);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, PULL0), 1 << 4);
    assert_int_equal(rd(rig, INTR), 1);
}

static void bad_offsets_are_errors(void **state) {
    struct rig *rig = *state;
    static const struct {
        uint32_t offset;
        uint8_t nv40, tesla; /* 0: fine */
    } rows[] = {{0, 0, 0},     {0xffc, 0, 0},   {0x1000, 1, 0},      {0xfffc, 1, 0},     {0x10000, 1, 3},
                {0x102, 1, 1}, {0x10001, 1, 1}, {0x80000000u, 1, 3}, {0xfffffffcu, 1, 3}};
    bind_semaphore(rig);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t before = rd(rig, SEMAPHORE), error = rig->tesla ? rows[i].tesla : rows[i].nv40;
        push(rig, INC(0, 0x64, 1), rows[i].offset);
        assert_int_equal(rig_go(rig), error ? PFIFO_STOP_INTERRUPT : PFIFO_STOP_IDLE);
        if (!error)
            continue;
        assert_semaphore_error(rig, error, 0x64, rows[i].offset);
        assert_int_equal(rd(rig, SEMAPHORE), before);
        wr(rig, INTR, INTR_SEMAPHORE);
        wr(rig, CACHE_GET, rd(rig, CACHE_GET) + 4);
        wr(rig, PULL0, 1);
    }
}

static void without_object_or_offset_it_is_error_2(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    for (uint32_t method = 0x68; method <= 0x6c; method += 4) {
        push(rig, INC(0, method, 1), 7);
        assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
        assert_semaphore_error(rig, 2, method, 7);
        wr(rig, INTR, INTR_SEMAPHORE);
        wr(rig, CACHE_GET, rd(rig, CACHE_GET) + 4);
        wr(rig, PULL0, 1);
    }
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

static void release_writes_one_word(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    system_wr(rig, PAGE + 0x3c, 1);
    system_wr(rig, PAGE + 0x44, 2);
    push(rig, INC(0, 0x6c, 1), 0x12345678);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(system_rd(rig, PAGE + 0x3c), 1);
    assert_int_equal(system_rd(rig, PAGE + 0x40), 0x12345678);
    assert_int_equal(system_rd(rig, PAGE + 0x44), 2);
}

static void acquire_of_the_same_value_goes_on(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    system_wr(rig, PAGE + 0x40, 0xffffffff);
    push(rig, INC(0, 0x68, 1), 0xffffffff, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1});
    assert_int_equal(rd(rig, PULL1) & ACQUIRE_ACTIVE, 0);
}

/* Equal is meant, greater is not enough. */
static void acquire_waits_for_equal(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    push(rig, INC(0, 0x68, 1), 5, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, PULL1) & ~0x30000u, ACQUIRE_ACTIVE | 1);
    assert_int_equal(rd(rig, ACQUIRE_VALUE), 5);
    assert_int_equal(rd(rig, PULL0), 1);
    assert_int_equal(rd(rig, INTR), 0);
    for (uint32_t value = 4; value <= 6; value += 2) {
        system_wr(rig, PAGE + 0x40, value);
        assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
        expect_no_methods(rig);
    }
    system_wr(rig, PAGE + 0x40, 5);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1});
    assert_int_equal(rd(rig, PULL1) & ACQUIRE_ACTIVE, 0);
}

static void waiting_says_for_what(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    system_wr(rig, PAGE + 0x40, 0x44);
    push(rig, INC(0, 0x68, 1), 0x55);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rig->fifo->stop.reason, PFIFO_STOP_WAITING);
    assert_int_equal(rig->fifo->stop.channel, 1);
    assert_int_equal(rig->fifo->stop.address, rig->tesla ? 0x40 : PAGE + 0x40);
    assert_int_equal(rig->fifo->stop.expected, 0x55);
    assert_int_equal(rig->fifo->stop.found, 0x44);
}

/* Before G80 nothing is fetched after method 0x68 until the puller is through with it. */
static void pusher_pauses_at_acquire(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    push(rig, INC(0, 0x68, 2), 5, 6, 0, 0);
    uint32_t acquire = (uint32_t)rig->pushed[1] - 16;
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(cache_entries(rig), 0);
    assert_int_equal(rd(rig, DMA_GET), acquire + 4);
    assert_int_equal(rd(rig, DMA_PUSH) & 0x11001, 0x10001);
    system_wr(rig, PAGE + 0x40, 5);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_PUSH) & 0x11001, 1);
    assert_int_equal(system_rd(rig, PAGE + 0x40), 6);
}

/* Tesla's pusher fills the cache after a waiting acquire. */
static void pusher_of_tesla_runs_on_behind_an_acquire(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    push(rig, INC(0, 0x68, 2), 5, 6, INC(0, 0x200, 2), 1, 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(cache_entries(rig), 3);
    assert_int_equal(rd(rig, DMA_GET), rig->pushed[1]);
}

static uint64_t clock_now;

static uint64_t bench_clock(void *opaque) {
    (void)opaque;
    return clock_now;
}

/* [chosen] in steps of 32 ns since the first try; the channel goes on waiting. */
static void acquire_timeout_raises_bit_24_and_waits_on(void **state) {
    struct rig *rig = *state;
    clock_now = 0x1000;
    rig->bus.clock.now = bench_clock;
    bind_semaphore(rig);
    wr(rig, ACQUIRE_TIMEOUT, 10);
    push(rig, INC(0, 0x68, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, ACQUIRE_TIMESTAMP), 0x1000 >> 5);
    clock_now += 9 * 32;
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, INTR), 0);
    clock_now += 32;
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, INTR), INTR_TIMEOUT);
    system_wr(rig, PAGE + 0x40, 5);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

/* Nobody knows what it is for. [chosen] The time of the first try is in steps of 1024 ns. */
static void acquire_timeout_of_tesla_does_nothing(void **state) {
    struct rig *rig = *state;
    clock_now = 0x10000;
    rig->bus.clock.now = bench_clock;
    bind_semaphore(rig);
    wr(rig, ACQUIRE_TIMEOUT, 10);
    push(rig, INC(0, 0x68, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, ACQUIRE_TIMESTAMP), 0x10000 >> 10);
    clock_now = UINT64_C(0x1fffffffff);
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, INTR), 0);
    assert_int_equal(rd(rig, ACQUIRE_TIMESTAMP), 0x10000 >> 10);
    assert_int_equal(rd(rig, ACQUIRE_TIMEOUT), 10);
}

static void acquire_timeout_of_0_or_all_ones_never_comes(void **state) {
    struct rig *rig = *state;
    clock_now = 0;
    rig->bus.clock.now = bench_clock;
    bind_semaphore(rig);
    wr(rig, ACQUIRE_TIMEOUT, 0);
    push(rig, INC(0, 0x68, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    clock_now = UINT64_C(0x1fffffffff);
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    wr(rig, ACQUIRE_TIMEOUT, 0x7fffffff);
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, INTR), 0);
}

/* ---- byte order ---- */

static void byte_order_of_the_channel_is_that_of_its_semaphores(void **state) {
    struct rig *rig = *state;
    bind_semaphore(rig);
    if (rig->tesla)
        wr(rig, FIFO_ENDIAN, 3);
    else
        wr(rig, DMA_FETCH, 0x80086078);
    const uint32_t words[] = {INC(0, 0x6c, 1), 0x11223344, INC(0, 0x68, 1), 0x11223344, INC(0, 0x68, 1), 0x55667788};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        push(rig, __builtin_bswap32(words[i]));
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    assert_int_equal(system_rd(rig, PAGE + 0x40), 0x44332211);
    assert_int_equal(rig->fifo->stop.expected, 0x55667788);
    assert_int_equal(rig->fifo->stop.found, 0x11223344);
    system_wr(rig, PAGE + 0x40, 0x88776655);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

/* ---- faults on Tesla ---- */

static void bind_short_object(struct rig *rig) {
    rig_bind(rig);
    rig_handle(rig, 1, HANDLE, 0, rig_dma_object(rig, 1, MEMORY_SYSTEM, PAGE, 0x40));
    push(rig, INC(0, 0x60, 2), HANDLE, 0x40);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
}

static void acquire_beyond_the_object_is_error_4(void **state) {
    struct rig *rig = *state;
    bind_short_object(rig);
    push(rig, INC(0, 0x68, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_semaphore_error(rig, 4, 0x68, 5);
    assert_int_equal(vm_fault_word(rig, 0), 0x18f5); /* slot 1, PFIFO_READ, DMAOBJ_LIMIT, PFIFO */
    assert_int_equal(vm_fault_word(rig, 3), 0x40);
    assert_int_equal(vm_fault_word(rig, 5), 0x100);
}

static void release_beyond_the_object_is_error_4(void **state) {
    struct rig *rig = *state;
    bind_short_object(rig);
    system_wr(rig, PAGE + 0x40, 0x99);
    push(rig, INC(0, 0x6c, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_semaphore_error(rig, 4, 0x6c, 5);
    assert_int_equal(vm_fault_word(rig, 0), 0x14f5); /* PFIFO_WRITE */
    assert_int_equal(vm_fault_word(rig, 5), 0);
    assert_int_equal(system_rd(rig, PAGE + 0x40), 0x99);
}

static void semaphore_without_object_is_error_4(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x64, 1), 0x40, INC(0, 0x6c, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_semaphore_error(rig, 4, 0x6c, 5);
    assert_int_equal(vm_fault_word(rig, 0), 0x1465); /* NULL_DMAOBJ */
}

/* The object goes away while the channel waits. From G84 on the retry is another engine's access. */
static void retry_that_faults_is_error_4(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t instance = semaphore_object(rig);
    push(rig, INC(0, 0x60, 2), HANDLE, 0x40, INC(0, 0x68, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    vram_wr(rig, RIG_DESCRIPTOR(1) + (instance << 4) + 4, PAGE + 0xf);
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, PULL0), 4 << 20);
    assert_int_equal(rd(rig, INTR), INTR_SEMAPHORE);
    assert_int_equal(vm_fault_word(rig, 0), rig->descriptor_has_ramfc ? 0x18f5 : 0x18fc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_NV40(dma_semaphore_takes_page_and_target),
        ON_NV40(dma_semaphore_takes_the_first_page_of_a_table),
        ON_NV40(dma_semaphore_wants_class_2_and_write_only),
        ON_TESLA(dma_semaphore_of_tesla_takes_any_object),
        ON_ALL(dma_semaphore_with_unknown_handle_is_a_hash_miss),
        ON_ALL(bad_offsets_are_errors),
        ON_ALL(without_object_or_offset_it_is_error_2),
        ON_ALL(release_writes_one_word),
        ON_ALL(acquire_of_the_same_value_goes_on),
        ON_ALL(acquire_waits_for_equal),
        ON_ALL(waiting_says_for_what),
        ON_NV40(pusher_pauses_at_acquire),
        ON_TESLA(pusher_of_tesla_runs_on_behind_an_acquire),
        ON_NV40(acquire_timeout_raises_bit_24_and_waits_on),
        ON_TESLA(acquire_timeout_of_tesla_does_nothing),
        ON_ALL(acquire_timeout_of_0_or_all_ones_never_comes),
        ON_ALL(byte_order_of_the_channel_is_that_of_its_semaphores),
        ON_TESLA(acquire_beyond_the_object_is_error_4),
        ON_TESLA(release_beyond_the_object_is_error_4),
        ON_TESLA(semaphore_without_object_is_error_4),
        ON_TESLA(retry_that_faults_is_error_4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
