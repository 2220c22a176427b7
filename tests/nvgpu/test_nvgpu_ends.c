/* SPDX-License-Identifier: MIT */
/* What ends: channels by an error, a reset, or their close, while others wait for them; address spaces; programs. */
#include "nvgpu/console.h"

#include <string.h>

#define BIG 0x10000u

#define ENABLE      0x0000480eu
#define DISABLE     0x0000480fu
#define PREEMPT     0x00004810u
#define FORCE_RESET 0x00004811u

static uint32_t none[64];

/* Waits for a semaphore, which nobody releases, before the increments after it. */
static struct pfifo_nvhost_fence submit_what_waits(struct console *console, uint64_t at) {
    return console_submit(console, console->channel, CONSOLE_WORDS(CONSOLE_ACQUIRE(at, 1)));
}

/* The event of a CPU's wait, in slot 0. */
static uint32_t wait_for(struct console *console, const struct pfifo_nvhost_fence *fence) {
    uint32_t event;
    assert_ok(pfifo_nvhost_ctrl_register(console->client, console->control, 0));
    assert_ok(pfifo_nvgpu_query_event(console->client, console->control, 0x10000000, &event));
    assert_int_equal(pfifo_nvhost_ctrl_wait_async(console->client, console->control, fence, -1, 0),
                     PFIFO_NVGPU_TIMEOUT);
    assert_false(pfifo_nvgpu_event_signalled(console->nvgpu, event, false));
    return event;
}

/* A second channel has a release that waits for the fence. */
static int32_t submit_behind(struct console *console, const struct pfifo_nvhost_fence *fence, uint64_t at) {
    struct pfifo_nvhost_fence own, wanted = *fence;
    int32_t second = console_channel(console, &own);
    uint64_t entry = console_list(console, CONSOLE_WORDS(CONSOLE_RELEASE(at, 0x1234)));
    assert_ok(pfifo_nvhost_gpu_submit(console->client, second, &entry, 1, PFIFO_NVHOST_SUBMIT_WAIT, &wanted));
    return second;
}

static void a_reset_keeps_nobody_waiting(void **state) {
    struct console console;
    struct pfifo_nvhost_notification notification;
    uint32_t event;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    struct pfifo_nvhost_fence fence = submit_what_waits(&console, at);
    uint32_t wait = wait_for(&console, &fence);
    submit_behind(&console, &fence, at + 8);
    assert_int_equal(console_rd32(&console, 8), 0);
    assert_ok(pfifo_nvgpu_query_event(console.client, console.channel, 3, &event));
    assert_ok(pfifo_nvhost_gpu_set_error_notifier(console.client, console.channel, true));
    assert_ok(console_call(&console, console.channel, FORCE_RESET, none));
    assert_true(pfifo_nvgpu_event_signalled(console.nvgpu, event, true));
    assert_true(pfifo_nvgpu_event_signalled(console.nvgpu, wait, true));
    assert_int_equal(console_value(&console, fence.syncpoint), fence.value);
    assert_int_equal(console_rd32(&console, 8), 0x1234);
    assert_ok(pfifo_nvhost_gpu_notification(console.client, console.channel, &notification));
    assert_true(notification.there);
    assert_int_equal(notification.number, 43);
    assert_int_equal(console_call(&console, console.channel, FORCE_RESET, none), PFIFO_NVGPU_INVALID_STATE);
    assert_int_equal(console_call(&console, console.channel, PREEMPT, none), PFIFO_NVGPU_INVALID_STATE);
    assert_int_equal(console_call(&console, console.channel, ENABLE, none), PFIFO_NVGPU_INVALID_STATE);
    console_stop(&console);
}

static void a_channel_that_is_closed_keeps_nobody_waiting(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    struct pfifo_nvhost_fence fence = submit_what_waits(&console, at);
    uint32_t wait = wait_for(&console, &fence);
    submit_behind(&console, &fence, at + 8);
    assert_ok(pfifo_nvgpu_close(console.client, console.channel));
    assert_true(pfifo_nvgpu_event_signalled(console.nvgpu, wait, true));
    pfifo_nvgpu_run(console.nvgpu, 100000);
    assert_int_equal(console_rd32(&console, 8), 0x1234);
    console_stop(&console);
}

static void a_program_that_ends_keeps_no_other_waiting(void **state) {
    struct console console, other;
    (void)state;
    console_start(&console);
    console_join(&other, console.nvgpu);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL), there = console_buffer(&other, 0, 0x1000, NULL);
    struct pfifo_nvhost_fence fence = submit_what_waits(&other, there), wanted = fence;
    uint32_t wait = wait_for(&console, &fence);
    uint64_t entry = console_list(&console, CONSOLE_WORDS(CONSOLE_RELEASE(at, 0x1234)));
    assert_ok(pfifo_nvhost_gpu_submit(console.client, console.channel, &entry, 1, PFIFO_NVHOST_SUBMIT_WAIT, &wanted));
    console_stop(&other);
    assert_true(pfifo_nvgpu_event_signalled(console.nvgpu, wait, true));
    pfifo_nvgpu_run(console.nvgpu, 100000);
    assert_int_equal(console_rd32(&console, 0), 0x1234);
    console_stop(&console);
}

/* The program has incremented it further than was promised. */
static void the_end_of_a_channel_takes_no_syncpoint_back(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    for (unsigned i = 0; i < 5; i++)
        assert_ok(pfifo_nvhost_ctrl_increment(console.client, console.control, console.fence.syncpoint));
    uint32_t value = console_value(&console, console.fence.syncpoint);
    assert_ok(console_call(&console, console.channel, FORCE_RESET, none));
    assert_int_equal(console_value(&console, console.fence.syncpoint), value);
    console_stop(&console);
}

static void a_fence_is_ahead_of_increments_by_hand(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    for (unsigned i = 0; i < 5; i++)
        assert_ok(pfifo_nvhost_ctrl_increment(console.client, console.control, console.fence.syncpoint));
    uint32_t value = console_value(&console, console.fence.syncpoint);
    struct pfifo_nvhost_fence fence = submit_what_waits(&console, console_buffer(&console, 0, 0x1000, NULL));
    assert_int_equal(fence.value, value + 2);
    assert_int_equal(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &fence, 0, 0), PFIFO_NVGPU_TIMEOUT);
    console_stop(&console);
}

/* {fault word, address high, low, 2: write}, and when it was. */
static void a_page_fault_says_where_when_and_which_way(void **state) {
    struct console console;
    struct pfifo_nvhost_notification notification;
    uint32_t info[32];
    (void)state;
    for (uint32_t write = 0; write < 2; write++) {
        console_start(&console);
        uint32_t words[] = {0x20040004, 0x12, 0x3000, 1, write ? 2 : 0x1001};
        console_submit(&console, console.channel, words, 5);
        assert_ok(pfifo_nvhost_gpu_notification(console.client, console.channel, &notification));
        assert_int_equal(notification.number, 31);
        assert_true(notification.time > 0);
        assert_ok(pfifo_nvhost_gpu_error_info(console.client, console.channel, info));
        assert_int_equal(info[0], 1);
        assert_int_equal(info[2], 0x12);
        assert_int_equal(info[3], 0x3000);
        assert_int_equal(info[4], write ? 2 : 0);
        console_stop(&console);
    }
}

static void a_channel_that_is_disabled_works_when_it_is_enabled(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    assert_ok(console_call(&console, console.channel, DISABLE, none));
    console_submit(&console, console.channel, CONSOLE_WORDS(CONSOLE_RELEASE(at, 5)));
    assert_int_equal(console_rd32(&console, 0), 0);
    assert_ok(console_call(&console, console.channel, PREEMPT, none));
    assert_int_equal(console_rd32(&console, 0), 0);
    assert_ok(console_call(&console, console.channel, ENABLE, none));
    assert_int_equal(console_rd32(&console, 0), 5);
    console_stop(&console);
}

/* Its channels keep it. */
static void an_address_space_lives_until_its_last_channel_is_closed(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    assert_ok(pfifo_nvgpu_close(console.client, console.as));
    console_submit(&console, console.channel, CONSOLE_WORDS(CONSOLE_RELEASE(at, 5)));
    assert_int_equal(console_rd32(&console, 0), 5);
    assert_ok(pfifo_nvgpu_close(console.client, console.nvmap));
    assert_ok(pfifo_nvgpu_close(console.client, console.control));
    console_submit(&console, console.channel, CONSOLE_WORDS(CONSOLE_RELEASE(at, 6)));
    assert_int_equal(console_rd32(&console, 0), 6);
    assert_ok(pfifo_nvgpu_close(console.client, console.channel));
    console_stop(&console);
}

/* The same address is other memory in each. */
static void address_spaces_of_a_program_are_apart(void **state) {
    struct console console, second;
    (void)state;
    console_start(&console);
    uint64_t first_at = console_buffer(&console, 0, 0x1000, NULL);
    second = console;
    assert_ok(pfifo_nvgpu_open(console.client, "/dev/nvhost-as-gpu", &second.as));
    assert_ok(pfifo_nvhost_as_initialize(console.client, second.as, BIG));
    second.channel = console_channel(&second, &second.fence);
    assert_int_equal(pfifo_nvhost_as_bind_channel(console.client, console.as, second.channel),
                     PFIFO_NVGPU_INVALID_STATE);
    second.lists = console_buffer(&second, CONSOLE_LISTS + BIG, BIG, NULL);
    second.next = BIG; /* it has its own part of the memory of lists */
    second.lists -= BIG;
    uint64_t second_at = console_buffer(&second, BIG, 0x1000, NULL);
    console_submit(&console, console.channel, CONSOLE_WORDS(CONSOLE_RELEASE(first_at, 5)));
    console_submit(&second, second.channel, CONSOLE_WORDS(CONSOLE_RELEASE(second_at, 6)));
    assert_int_equal(console_rd32(&console, 0), 5);
    assert_int_equal(console_rd32(&console, BIG), 6);
    console_stop(&console);
}

/* A wait that is under way looks at memory that is no longer there. */
static void memory_that_goes_while_it_is_waited_for_is_a_fault(void **state) {
    struct console console;
    struct pfifo_nvhost_notification notification;
    uint32_t handle;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, &handle);
    struct pfifo_nvhost_fence fence = submit_what_waits(&console, at);
    assert_ok(pfifo_nvhost_as_unmap_buffer(console.client, console.as, at));
    assert_ok(pfifo_nvmap_free(console.client, console.nvmap, handle, NULL, NULL));
    pfifo_nvgpu_run(console.nvgpu, 100000);
    assert_ok(pfifo_nvhost_gpu_notification(console.client, console.channel, &notification));
    assert_true(notification.there);
    assert_int_equal(notification.number, 31);
    assert_int_equal(console_value(&console, fence.syncpoint), fence.value);
    console_stop(&console);
}

/* Both have work that waits, faults, and files open. */
static void a_driver_that_is_freed_ends_all_programs(void **state) {
    struct console console, other;
    (void)state;
    console_start(&console);
    console_join(&other, console.nvgpu);
    submit_what_waits(&console, console_buffer(&console, 0, 0x1000, NULL));
    submit_what_waits(&other, console_buffer(&other, 0, 0x1000, NULL));
    console_submit(&other, console_channel(&other, &other.fence), CONSOLE_WORDS(CONSOLE_RELEASE(UINT64_C(4096), 1)));
    pfifo_nvgpu_free(console.nvgpu);
    console_forget(&console);
    console_forget(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reset_keeps_nobody_waiting),
        cmocka_unit_test(a_channel_that_is_closed_keeps_nobody_waiting),
        cmocka_unit_test(a_program_that_ends_keeps_no_other_waiting),
        cmocka_unit_test(the_end_of_a_channel_takes_no_syncpoint_back),
        cmocka_unit_test(a_fence_is_ahead_of_increments_by_hand),
        cmocka_unit_test(a_page_fault_says_where_when_and_which_way),
        cmocka_unit_test(a_channel_that_is_disabled_works_when_it_is_enabled),
        cmocka_unit_test(an_address_space_lives_until_its_last_channel_is_closed),
        cmocka_unit_test(address_spaces_of_a_program_are_apart),
        cmocka_unit_test(memory_that_goes_while_it_is_waited_for_is_a_fault),
        cmocka_unit_test(a_driver_that_is_freed_ends_all_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
