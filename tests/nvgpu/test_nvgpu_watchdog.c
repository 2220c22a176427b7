/* SPDX-License-Identifier: MIT */
/* Channels that do nothing for too long, in the time of the machine: SET_TIMEOUT, and what a program is told. */
#include "nvgpu/console.h"

#include <stdlib.h>
#include <string.h>

#include "state/player.h"

#define MILLISECOND    UINT64_C(1000000)
#define IDLE_TIMEOUT   8u
#define INFO_TIMEOUT   4u
#define SET_TIMEOUT_EX 0xc0080004u
#define DISABLE        0x0000480fu
#define ENABLE         0x0000480eu

/* The embedder's clock, in nanoseconds. */
static uint64_t now;

static uint64_t clock_of(void *opaque) {
    (void)opaque;
    return now;
}

static struct pfifo_nvgpu *driver(uint64_t budget, bool own_clock) {
    struct pfifo_nvgpu_config config = {
        .size = sizeof config, .budget = budget, .device.gpu.system_bytes = UINT64_C(16) << 20};
    config.device.gpu.clock = own_clock ? clock_of : NULL;
    struct pfifo_nvgpu *nvgpu = pfifo_nvgpu_new(&config, NULL);
    assert_non_null(nvgpu);
    return nvgpu;
}

static void start(struct console *console) {
    now = 1000 * MILLISECOND;
    console_join(console, driver(0, true));
    console->owns = true;
}

static void pass(struct console *console, uint64_t milliseconds) {
    now += milliseconds * MILLISECOND;
    pfifo_nvgpu_run(console->nvgpu, 100000);
}

static void set_timeout(struct console *console, uint32_t milliseconds) {
    assert_ok(pfifo_nvhost_gpu_set_timeout(console->client, console->channel, milliseconds));
}

static uint32_t notified(struct console *console) {
    struct pfifo_nvhost_notification notification;
    assert_ok(pfifo_nvhost_gpu_notification(console->client, console->channel, &notification));
    return notification.there ? notification.number : 0;
}

/* A semaphore of the buffer at `at`, that nobody releases. */
static struct pfifo_nvhost_fence wait_forever(struct console *console, uint64_t at) {
    return console_submit(console, console->channel, CONSOLE_WORDS(CONSOLE_ACQUIRE(at, 1)));
}

/* Number 8, type 4, the event, and the syncpoint at its end. */
static void what_never_comes_ends_the_channel(void **state) {
    struct console console;
    uint32_t event, info[32];
    (void)state;
    start(&console);
    assert_ok(pfifo_nvgpu_query_event(console.client, console.channel, 3, &event));
    assert_ok(pfifo_nvhost_gpu_set_error_notifier(console.client, console.channel, true));
    set_timeout(&console, 100);
    struct pfifo_nvhost_fence fence = wait_forever(&console, console_buffer(&console, 0, 0x1000, NULL));
    pass(&console, 99);
    assert_false(pfifo_nvgpu_event_signalled(console.nvgpu, event, false));
    assert_int_not_equal(console_value(&console, fence.syncpoint), fence.value);
    pass(&console, 1);
    assert_true(pfifo_nvgpu_event_signalled(console.nvgpu, event, false));
    assert_int_equal(console_value(&console, fence.syncpoint), fence.value);
    assert_ok(pfifo_nvhost_gpu_error_info(console.client, console.channel, info));
    assert_int_equal(info[0], INFO_TIMEOUT);
    assert_int_equal(notified(&console), IDLE_TIMEOUT);
    assert_int_equal(notified(&console), 0);
    uint64_t entry = console_list(&console, CONSOLE_WORDS(0x20010014, 0));
    assert_int_equal(pfifo_nvhost_gpu_submit(console.client, console.channel, &entry, 1, 0, &fence),
                     PFIFO_NVGPU_INVALID_STATE);
    console_stop(&console);
}

/* A syncpoint is waited for like a semaphore; the other channel, which waits for the first, gets what it waits for. */
static void a_syncpoint_that_never_comes_ends_its_channel_alone(void **state) {
    struct console console;
    struct pfifo_nvhost_fence own;
    (void)state;
    start(&console);
    set_timeout(&console, 100);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    int32_t second = console_channel(&console, &own);
    struct pfifo_nvhost_fence fence = console_submit(
        &console, console.channel, CONSOLE_WORDS(0x2001001c, 7, 0x2001001d, 9u << 8 | 0x10, CONSOLE_RELEASE(at, 1)));
    struct pfifo_nvhost_fence wanted = fence;
    uint64_t entry = console_list(&console, CONSOLE_WORDS(CONSOLE_RELEASE(at + 16, 5)));
    assert_ok(pfifo_nvhost_gpu_submit(console.client, second, &entry, 1, PFIFO_NVHOST_SUBMIT_WAIT, &wanted));
    pass(&console, 50);
    assert_int_equal(console_rd32(&console, 16), 0);
    pass(&console, 50);
    assert_int_equal(notified(&console), IDLE_TIMEOUT);
    assert_int_equal(console_rd32(&console, 0), 0);
    assert_int_equal(console_rd32(&console, 16), 5);
    console.channel = second;
    assert_int_equal(notified(&console), 0);
    console_stop(&console);
}

static void without_set_timeout_it_is_five_seconds(void **state) {
    struct console console;
    (void)state;
    start(&console);
    wait_forever(&console, console_buffer(&console, 0, 0x1000, NULL));
    pass(&console, 4999);
    assert_int_equal(notified(&console), 0);
    pass(&console, 1);
    assert_int_equal(notified(&console), IDLE_TIMEOUT);
    console_stop(&console);
}

static void a_timeout_of_zero_is_none(void **state) {
    struct console console;
    (void)state;
    start(&console);
    set_timeout(&console, 0);
    struct pfifo_nvhost_fence fence = wait_forever(&console, console_buffer(&console, 0, 0x1000, NULL));
    for (unsigned i = 0; i < 10; i++) /* the PBDMA has a timeout of its own for semaphores, far longer */
        pass(&console, 1000);
    assert_int_equal(notified(&console), 0);
    console_wr32(&console, 0, 1);
    pass(&console, 1);
    assert_int_equal(console_value(&console, fence.syncpoint), fence.value);
    assert_int_equal(notified(&console), 0);
    console_stop(&console);
}

/* The same with flags after; a new timeout counts from when it is set. */
static void set_timeout_ex_sets_it_too(void **state) {
    struct console console;
    uint32_t words[2] = {20, 1};
    (void)state;
    start(&console);
    wait_forever(&console, console_buffer(&console, 0, 0x1000, NULL));
    pass(&console, 4000);
    assert_ok(console_call(&console, console.channel, SET_TIMEOUT_EX, words));
    pass(&console, 0);
    pass(&console, 19);
    assert_int_equal(notified(&console), 0);
    pass(&console, 1);
    assert_int_equal(notified(&console), IDLE_TIMEOUT);
    console_stop(&console);
}

/* Each wait is over before the timeout, all of them in one entry together take longer. */
static void a_channel_that_gets_on_is_not_ended(void **state) {
    enum { STEPS = 8 };
    struct console console;
    uint32_t words[5 * STEPS];
    (void)state;
    start(&console);
    set_timeout(&console, 100);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    for (uint32_t i = 0; i < STEPS; i++)
        memcpy(words + 5 * i, (const uint32_t[]){CONSOLE_ACQUIRE(at, i + 1)}, 20);
    struct pfifo_nvhost_fence fence = console_submit(&console, console.channel, words, 5 * STEPS);
    for (uint32_t i = 0; i < STEPS; i++) {
        pass(&console, 90);
        assert_int_equal(notified(&console), 0);
        console_wr32(&console, 0, i + 1);
        pass(&console, 0);
    }
    assert_int_equal(console_value(&console, fence.syncpoint), fence.value);
    assert_int_equal(notified(&console), 0);
    console_stop(&console);
}

/* Each piece of a copy takes longer than the timeout, and no word is taken meanwhile. */
static void a_channel_that_is_slow_is_not_ended(void **state) {
    enum { BYTES = 0x400000 };
    struct console console;
    unsigned runs = 0;
    (void)state;
    now = 1000 * MILLISECOND;
    console_join(&console, driver(100, true));
    console.owns = true;
    set_timeout(&console, 1);
    uint64_t from = console_buffer(&console, 0, BYTES, NULL), to = console_buffer(&console, BYTES, BYTES, NULL);
    memset(console.memory, 0x5a, BYTES);
    struct pfifo_nvhost_fence fence =
        console_submit(&console, console.channel,
                       CONSOLE_WORDS(0x20018000, 0xb0b5, 0x20088100, (uint32_t)(from >> 32), (uint32_t)from,
                                     (uint32_t)(to >> 32), (uint32_t)to, BYTES, BYTES, BYTES, 1, 0x200180c0, 0x186));
    for (; console_value(&console, fence.syncpoint) != fence.value && runs < 10000; runs++) {
        now += 2 * MILLISECOND;
        pfifo_nvgpu_run(console.nvgpu, 100);
    }
    assert_int_equal(notified(&console), 0);
    assert_in_range(runs, 3, 9999);
    assert_memory_equal(console.memory, console.memory + BYTES, BYTES);
    console_stop(&console);
}

/* It has nothing to do, or may do nothing; its time begins when it has work again. */
static void who_has_no_work_is_not_ended(void **state) {
    struct console console;
    (void)state;
    start(&console);
    set_timeout(&console, 100);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    pass(&console, 1000);
    assert_ok(console_call(&console, console.channel, DISABLE, (uint32_t[1]){0}));
    console_submit(&console, console.channel, CONSOLE_WORDS(CONSOLE_ACQUIRE(at, 1)));
    pass(&console, 1000);
    assert_int_equal(notified(&console), 0);
    assert_ok(console_call(&console, console.channel, ENABLE, (uint32_t[1]){0}));
    pass(&console, 99);
    assert_int_equal(notified(&console), 0);
    pass(&console, 1);
    assert_int_equal(notified(&console), IDLE_TIMEOUT);
    console_stop(&console);
}

/* After a pause without work, a submission has all of its time. */
static void time_counts_from_the_submission(void **state) {
    struct console console;
    (void)state;
    start(&console);
    set_timeout(&console, 100);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    pass(&console, 0);
    now += 1000 * MILLISECOND;
    wait_forever(&console, at);
    assert_int_equal(notified(&console), 0);
    pass(&console, 99);
    assert_int_equal(notified(&console), 0);
    pass(&console, 1);
    assert_int_equal(notified(&console), IDLE_TIMEOUT);
    console_stop(&console);
}

/* Without a clock of the embedder, time is what work takes, and what is let pass. */
static void virtual_time_ends_it_as_well(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    wait_forever(&console, console_buffer(&console, 0, 0x1000, NULL));
    for (unsigned i = 0; i < 1000; i++)
        pfifo_nvgpu_run(console.nvgpu, 1000);
    assert_int_equal(notified(&console), 0);
    pfifo_gpu_pass_time(pfifo_device_gpu(pfifo_nvgpu_device(console.nvgpu)), 5000 * MILLISECOND);
    pfifo_nvgpu_run(console.nvgpu, 1000);
    assert_int_equal(notified(&console), IDLE_TIMEOUT);
    console_stop(&console);
}

/* What is left of the timeout is saved. */
static void a_load_goes_on_with_the_time_that_is_left(void **state) {
    struct console console;
    (void)state;
    start(&console);
    set_timeout(&console, 100);
    struct pfifo_nvhost_fence fence = wait_forever(&console, console_buffer(&console, 0, 0x1000, NULL));
    pass(&console, 60);
    struct player_bytes stream = {0};
    assert_int_equal(pfifo_nvgpu_save(console.nvgpu, player_collect, &stream, NULL), PFIFO_OK);
    pfifo_nvgpu_free(console.nvgpu);
    console_move(&console, driver(0, true));
    assert_int_equal(pfifo_nvgpu_load(console.nvgpu, stream.data, stream.bytes, NULL), PFIFO_OK);
    pass(&console, 39);
    assert_int_equal(notified(&console), 0);
    pass(&console, 1);
    assert_int_equal(notified(&console), IDLE_TIMEOUT);
    assert_int_equal(console_value(&console, fence.syncpoint), fence.value);
    free(stream.data);
    console_stop(&console);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_never_comes_ends_the_channel),
        cmocka_unit_test(a_syncpoint_that_never_comes_ends_its_channel_alone),
        cmocka_unit_test(without_set_timeout_it_is_five_seconds),
        cmocka_unit_test(a_timeout_of_zero_is_none),
        cmocka_unit_test(set_timeout_ex_sets_it_too),
        cmocka_unit_test(a_channel_that_gets_on_is_not_ended),
        cmocka_unit_test(a_channel_that_is_slow_is_not_ended),
        cmocka_unit_test(who_has_no_work_is_not_ended),
        cmocka_unit_test(time_counts_from_the_submission),
        cmocka_unit_test(virtual_time_ends_it_as_well),
        cmocka_unit_test(a_load_goes_on_with_the_time_that_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
