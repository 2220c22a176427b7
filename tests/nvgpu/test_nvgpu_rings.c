/* SPDX-License-Identifier: MIT */
/* Rings and budgets: how much goes in, what is answered when it does not, and waits that never end. */
#include "nvgpu/console.h"

#include <pfifo/fence.h>

#define RING 0x800u

static void a_submission_may_be_empty(void **state) {
    struct console console;
    struct pfifo_nvhost_fence fence = {0, 0};
    (void)state;
    console_start(&console);
    assert_ok(pfifo_nvhost_gpu_submit(console.client, console.channel, NULL, 0, 4, &fence));
    assert_int_equal(fence.value, console.fence.value);
    assert_ok(pfifo_nvhost_gpu_submit(console.client, console.channel, NULL, 0, PFIFO_NVHOST_SUBMIT_INCREMENT, &fence));
    assert_int_equal(fence.value, console.fence.value + 2);
    assert_int_equal(console_value(&console, fence.syncpoint), fence.value);
    console_stop(&console);
}

static void a_submission_has_at_most_2048_entries(void **state) {
    static uint64_t entries[RING + 1];
    struct console console;
    struct pfifo_nvhost_fence fence = {0, 0};
    (void)state;
    console_start(&console);
    uint64_t entry = console_list(&console, CONSOLE_WORDS(0x20010014, 0));
    for (unsigned i = 0; i <= RING; i++)
        entries[i] = entry;
    assert_int_equal(pfifo_nvhost_gpu_submit(console.client, console.channel, entries, RING + 1,
                                             PFIFO_NVHOST_SUBMIT_INCREMENT, &fence),
                     PFIFO_NVGPU_INVALID_SIZE);
    assert_ok(
        pfifo_nvhost_gpu_submit(console.client, console.channel, entries, RING, PFIFO_NVHOST_SUBMIT_INCREMENT, &fence));
    assert_int_equal(console_value(&console, fence.syncpoint), fence.value);
    console_stop(&console);
}

/* It would be busy forever. */
static void a_submission_that_no_ring_can_hold_is_no_busy_one(void **state) {
    static uint64_t entries[64];
    struct console console;
    int32_t fd;
    (void)state;
    console_start(&console);
    assert_ok(pfifo_nvgpu_open(console.client, "/dev/nvhost-gpu", &fd));
    assert_ok(pfifo_nvhost_as_bind_channel(console.client, console.as, fd));
    assert_int_equal(pfifo_nvhost_gpu_alloc_gpfifo(console.client, fd, 0, NULL), PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(pfifo_nvhost_gpu_alloc_gpfifo(console.client, fd, 0xffffffff, NULL), PFIFO_NVGPU_BAD_VALUE);
    assert_ok(pfifo_nvhost_gpu_alloc_gpfifo(console.client, fd, 8, NULL));
    assert_int_equal(pfifo_nvhost_gpu_submit(console.client, fd, entries, 64, 0, NULL),
                     PFIFO_NVGPU_INSUFFICIENT_MEMORY);
    assert_ok(pfifo_nvhost_gpu_submit(console.client, fd, entries, 8, 0, NULL));
    console_stop(&console);
}

/* libnx tries again forever, each 100 ms. */
static void a_ring_that_is_full_is_busy_until_it_has_room(void **state) {
    static uint64_t entries[0x700];
    struct console console;
    struct pfifo_nvhost_fence fence = {0, 0};
    enum pfifo_nvgpu_result result = PFIFO_NVGPU_OK;
    unsigned taken = 0;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    entries[0] = console_list(&console, CONSOLE_WORDS(CONSOLE_ACQUIRE(at, 1)));
    for (unsigned i = 1; i < 0x700; i++)
        entries[i] = entries[0];
    while (result == PFIFO_NVGPU_OK && taken++ < 8)
        result = pfifo_nvhost_gpu_submit(console.client, console.channel, entries, 0x700, PFIFO_NVHOST_SUBMIT_INCREMENT,
                                         &fence);
    assert_int_equal(result, PFIFO_NVGPU_BUSY);
    assert_int_equal(fence.value, console.fence.value + 2 * (taken - 1));
    console_wr32(&console, 0, 1);
    assert_ok(pfifo_nvhost_gpu_submit(console.client, console.channel, entries, 0x700, PFIFO_NVHOST_SUBMIT_INCREMENT,
                                      &fence));
    assert_int_equal(console_value(&console, fence.syncpoint), console.fence.value + 2 * taken);
    console_stop(&console);
}

/* An older value, as of a window's buffer that comes back, and one of its own future, which never comes. */
static void a_channel_may_wait_for_its_own_syncpoint(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    uint32_t wait = console.fence.syncpoint << 8 | 0x10;
    struct pfifo_nvhost_fence first = console_submit(&console, console.channel, CONSOLE_WORDS(0x20010014, 0));
    console_submit(&console, console.channel, CONSOLE_WORDS(0x2002c01c, first.value, wait, CONSOLE_RELEASE(at, 7)));
    assert_int_equal(console_rd32(&console, 0), 7);
    struct pfifo_nvhost_fence last = console_submit(
        &console, console.channel, CONSOLE_WORDS(0x2002c01c, first.value + 100, wait, CONSOLE_RELEASE(at, 8)));
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &last, 0, 0),
                         PFIFO_NVGPU_TIMEOUT);
    assert_int_equal(console_rd32(&console, 0), 7);
    console_stop(&console);
}

static void promised_values_wrap(void **state) {
    struct console console;
    struct pfifo_nvhost_fence fence;
    (void)state;
    console_start(&console);
    struct pfifo_gpu *gpu = pfifo_device_gpu(pfifo_nvgpu_device(console.nvgpu));
    for (uint32_t i = 1; i < pfifo_gpu_syncpoint_count(gpu); i++)
        pfifo_gpu_syncpoint_set(gpu, i, 0xffffffff);
    int32_t channel = console_channel(&console, &fence);
    assert_int_equal(fence.value, 0xffffffff);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    struct pfifo_nvhost_fence wanted = console_submit(&console, channel, CONSOLE_WORDS(CONSOLE_ACQUIRE(at, 1)));
    assert_int_equal(wanted.value, 1);
    assert_int_equal(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &wanted, 0, 0), PFIFO_NVGPU_TIMEOUT);
    console_wr32(&console, 0, 1);
    assert_ok(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &wanted, 0, 0));
    assert_int_equal(console_value(&console, wanted.syncpoint), 1);
    console_stop(&console);
}

/* A list that runs forever, in a ring of its own: each call comes back, and the CPU's waits answer TIMEOUT. */
static void calls_take_no_more_than_their_budget(void **state) {
    struct console console;
    struct pfifo_nvhost_fence own;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    int32_t second = console_channel(&console, &own);
    struct pfifo_nvhost_fence one = console_submit(&console, console.channel, CONSOLE_WORDS(CONSOLE_ACQUIRE(at, 1)));
    struct pfifo_nvhost_fence other = console_submit(
        &console, second, CONSOLE_WORDS(0x2002c01c, one.value, one.syncpoint << 8 | 0x10, CONSOLE_RELEASE(at, 1)));
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &one, 0, 0),
                         PFIFO_NVGPU_TIMEOUT);
        assert_int_equal(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &other, 0, 0),
                         PFIFO_NVGPU_TIMEOUT);
    }
    console_wr32(&console, 0, 1);
    assert_ok(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &other, 0, 0));
    console_stop(&console);
}

/* libnx looks for the semaphore first, without a call: it must be there when the syncpoint is. */
static void a_semaphore_is_there_when_its_syncpoint_is(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    uint32_t increment = console.fence.syncpoint << 8 | 1;
    uint64_t entry =
        console_list(&console, CONSOLE_WORDS(0x2002c01c, 0, increment, 0x2001c01d, increment, CONSOLE_RELEASE(at, 9)));
    struct pfifo_nvhost_fence fence = {0, 2};
    assert_ok(pfifo_nvhost_gpu_submit(console.client, console.channel, &entry, 1, 0x104, &fence));
    assert_int_equal(fence.value, console.fence.value + 2);
    assert_int_equal(console_rd32(&console, 0), 9);
    assert_ok(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &fence, -1, 0));
    console_stop(&console);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_submission_may_be_empty),
        cmocka_unit_test(a_submission_has_at_most_2048_entries),
        cmocka_unit_test(a_submission_that_no_ring_can_hold_is_no_busy_one),
        cmocka_unit_test(a_ring_that_is_full_is_busy_until_it_has_room),
        cmocka_unit_test(a_channel_may_wait_for_its_own_syncpoint),
        cmocka_unit_test(promised_values_wrap),
        cmocka_unit_test(calls_take_no_more_than_their_budget),
        cmocka_unit_test(a_semaphore_is_there_when_its_syncpoint_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
