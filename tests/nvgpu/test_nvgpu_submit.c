/* SPDX-License-Identifier: MIT */
/* Submissions: lists of commands on the program's own memory, fences between them, and what errors leave. */
#include "nvgpu/console.h"

#include <string.h>

#define HIGH(address) (uint32_t)((address) >> 32)
#define LOW(address)  (uint32_t)(address)

/* The driver's two increments are after the list: the fence is reached when its value is. */
static void a_copy_works_on_the_programs_own_bytes(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t from = console_buffer(&console, 0, 0x1000, NULL), to = console_buffer(&console, 0x10000, 0x1000, NULL);
    for (uint32_t i = 0; i < 0x1000; i += 4)
        console_wr32(&console, i, i * 0x01010101);
    struct pfifo_nvhost_fence fence =
        console_submit(&console, console.channel,
                       CONSOLE_WORDS(0x20018000, 0xb0b5, 0x20088100, HIGH(from), LOW(from), HIGH(to), LOW(to), 0x1000,
                                     0x1000, 0x1000, 1, 0x200180c0, 0x186));
    assert_int_equal(fence.syncpoint, console.fence.syncpoint);
    assert_int_equal(fence.value, console.fence.value + 2);
    assert_int_equal(console_value(&console, fence.syncpoint), fence.value);
    assert_memory_equal(console.memory, console.memory + 0x10000, 0x1000);
    console_stop(&console);
}

/* The second channel waits for a value that the first has not reached: the program increments it by hand. */
static void a_submission_waits_for_its_fence(void **state) {
    struct console console;
    struct pfifo_nvhost_fence other, fence;
    (void)state;
    console_start(&console);
    int32_t second = console_channel(&console, &other);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    uint64_t entry = console_list(&console, CONSOLE_WORDS(0x20040004, HIGH(at), LOW(at), 0x1234, 2));
    fence = (struct pfifo_nvhost_fence){console.fence.syncpoint, console.fence.value + 1};
    assert_ok(pfifo_nvhost_gpu_submit(console.client, second, &entry, 1, PFIFO_NVHOST_SUBMIT_WAIT, &fence));
    assert_int_equal(console_rd32(&console, 0), 0);
    assert_ok(pfifo_nvhost_ctrl_increment(console.client, console.control, console.fence.syncpoint));
    assert_int_equal(console_rd32(&console, 0), 0x1234);
    console_stop(&console);
}

static void a_wait_answers_timeout_until_the_value_is_there(void **state) {
    struct console console;
    uint32_t event;
    (void)state;
    console_start(&console);
    const uint32_t slot = 5;
    struct pfifo_nvhost_fence fence = {console.fence.syncpoint, console.fence.value + 1};
    uint64_t entry = console_list(&console, CONSOLE_WORDS(0x20010014, 0));
    struct pfifo_nvhost_fence promise = {0, 1};
    assert_ok(
        pfifo_nvhost_gpu_submit(console.client, console.channel, &entry, 1, PFIFO_NVHOST_SUBMIT_INCREMENTS, &promise));
    assert_int_equal(promise.value, fence.value);
    assert_ok(pfifo_nvhost_ctrl_register(console.client, console.control, slot));
    assert_ok(pfifo_nvgpu_query_event(console.client, console.control, 0x10000000 | slot, &event));
    assert_int_not_equal(event, 0);
    assert_int_equal(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &fence, 0, slot),
                     PFIFO_NVGPU_TIMEOUT);
    assert_int_equal(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &fence, -1, slot),
                     PFIFO_NVGPU_TIMEOUT);
    assert_int_equal(pfifo_nvhost_ctrl_unregister(console.client, console.control, slot), PFIFO_NVGPU_BUSY);
    assert_false(pfifo_nvgpu_event_signalled(console.nvgpu, event, true));
    assert_ok(pfifo_nvhost_ctrl_increment(console.client, console.control, fence.syncpoint));
    assert_true(pfifo_nvgpu_event_signalled(console.nvgpu, event, true));
    assert_false(pfifo_nvgpu_event_signalled(console.nvgpu, event, true));
    assert_ok(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &fence, -1, slot));
    assert_ok(pfifo_nvhost_ctrl_unregister(console.client, console.control, slot));
    console_stop(&console);
}

/* Nothing is mapped at address 0. */
static void a_fault_ends_the_channel_and_keeps_nobody_waiting(void **state) {
    struct console console, other;
    struct pfifo_nvhost_notification notification;
    uint32_t event, info[32];
    (void)state;
    console_start(&console);
    console_join(&other, console.nvgpu);
    assert_ok(pfifo_nvgpu_query_event(console.client, console.channel, 3, &event));
    assert_ok(pfifo_nvhost_gpu_set_error_notifier(console.client, console.channel, true));
    uint64_t entry = console_list(&console, CONSOLE_WORDS(0x20040004, 0x12, 0x3000, 0x1234, 2));
    struct pfifo_nvhost_fence fence = {0, 7};
    assert_ok(
        pfifo_nvhost_gpu_submit(console.client, console.channel, &entry, 1, PFIFO_NVHOST_SUBMIT_INCREMENTS, &fence));
    assert_true(pfifo_nvgpu_event_signalled(console.nvgpu, event, true));
    assert_int_equal(console_value(&console, fence.syncpoint), fence.value);
    assert_ok(pfifo_nvhost_gpu_notification(console.client, console.channel, &notification));
    assert_true(notification.there);
    assert_int_equal(notification.number, 31);
    assert_ok(pfifo_nvhost_gpu_error_info(console.client, console.channel, info));
    assert_int_equal(info[0], 1);
    assert_int_equal(info[2], 0x12);
    assert_int_equal(info[3], 0x3000);
    assert_ok(pfifo_nvhost_gpu_notification(console.client, console.channel, &notification));
    assert_false(notification.there);
    assert_int_equal(pfifo_nvhost_gpu_submit(console.client, console.channel, &entry, 1, 0, &fence),
                     PFIFO_NVGPU_INVALID_STATE);
    console_submit(&other, other.channel, CONSOLE_WORDS(0x20010014, 0));
    console_stop(&other);
    console_stop(&console);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_works_on_the_programs_own_bytes),
        cmocka_unit_test(a_submission_waits_for_its_fence),
        cmocka_unit_test(a_wait_answers_timeout_until_the_value_is_there),
        cmocka_unit_test(a_fault_ends_the_channel_and_keeps_nobody_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
