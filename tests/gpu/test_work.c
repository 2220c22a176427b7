/* SPDX-License-Identifier: MIT */
/* pfifo_config.work and pfifo_gpu_has_work(): who brings work is noticed, and nobody else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pfifo/driver.h>

#include "fifo/pbdma/userd.h"
#include "fifo/runlist/pfifo.h"
#include "gpu/gpu.h"

#define PAYLOAD 0x1234u

struct owner {
    const char *chip;
    struct pfifo_device *device;
    struct pfifo_gpu *gpu;
    struct pfifo_channel *channel;
    struct pfifo_buffer *push, *memory;
    unsigned calls;
};

static const char *const chips[] = {"NV1", "NV3",   "NV4",   "NV10",  "NV34",  "NV40", "G80",
                                    "G84", "GF100", "GK104", "GM107", "GP100", "GP10B"};
#define CHIPS (sizeof chips / sizeof chips[0])

static bool is_one_of(const struct owner *owner, const char *const *list) {
    for (; *list; list++)
        if (strcmp(*list, owner->chip) == 0)
            return true;
    return false;
}

static bool is_pio(const struct owner *owner) {
    return is_one_of(owner, (const char *const[]){"NV1", "NV3", NULL});
}

static bool is_fermi(const struct owner *owner) {
    return is_one_of(owner, (const char *const[]){"GF100", "GK104", "GM107", "GP100", "GP10B", NULL});
}

static bool is_tesla(const struct owner *owner) {
    return is_one_of(owner, (const char *const[]){"G80", "G84", NULL});
}

static void work(void *opaque) {
    struct owner *owner = opaque;
    owner->calls++;
    if (owner->gpu)
        assert_true(pfifo_gpu_has_work(owner->gpu));
}

static void open_channel(struct owner *owner, const char *chip) {
    struct pfifo_device_config config = {.gpu = {.chip = pfifo_chip_by_name(chip), .work = work, .opaque = owner}};
    struct pfifo_channel_config channel = {0};
    struct pfifo_error error;
    *owner = (struct owner){.chip = chip};
    owner->device = pfifo_device_open(&config, &error);
    if (!owner->device)
        fail_msg("%s: %s", chip, error.message);
    if (is_tesla(owner))
        channel.vram_handle = 0xbeef;
    owner->push = pfifo_buffer_new(owner->device, PFIFO_GART, 0x1000, 0, NULL);
    owner->memory = pfifo_buffer_new(owner->device, PFIFO_GART, 0x1000, 0, NULL);
    owner->channel = pfifo_channel_open(owner->device, &channel, &error);
    if (!owner->channel)
        fail_msg("%s: %s", chip, error.message);
    assert_int_equal(pfifo_device_wait(owner->device, 1000, NULL), PFIFO_OK);
    owner->gpu = pfifo_device_gpu(owner->device);
    owner->calls = 0;
}

static void close_channel(struct owner *owner) {
    owner->gpu = NULL;
    pfifo_device_close(owner->device);
}

/* One method that the host executes itself; of a PIO channel one that stops the puller. */
static void submit(struct owner *owner) {
    const uint32_t fermi[] = {0x20010014, 1}, older[] = {1 << 18 | 0x50, 1, 0x20000, 0};
    size_t bytes = is_tesla(owner) ? 8 : sizeof older;
    struct pfifo_error error;
    enum pfifo_status status;
    if (is_pio(owner)) {
        status = pfifo_channel_write_methods(owner->channel, 0, 0x300, 4, older, 1, &error);
    } else {
        if (is_fermi(owner))
            bytes = sizeof fermi;
        pfifo_buffer_write(owner->push, 0, is_fermi(owner) ? fermi : older, bytes);
        status = pfifo_channel_submit(owner->channel, pfifo_buffer_address(owner->push), bytes, 0, &error);
    }
    if (status != PFIFO_OK)
        fail_msg("%s: %s", owner->chip, error.message);
}

static void a_submission_is_noticed_once_until_the_next_run(void **state) {
    (void)state;
    for (size_t i = 0; i < CHIPS; i++) {
        struct owner owner;
        open_channel(&owner, chips[i]);
        for (unsigned n = 1; n <= 3; n++) {
            assert_false(pfifo_gpu_has_work(owner.gpu));
            submit(&owner);
            if (owner.calls != n)
                fail_msg("%s: %u calls for %u submissions", chips[i], owner.calls, n);
            assert_true(pfifo_gpu_has_work(owner.gpu));
            pfifo_gpu_wr32(owner.gpu, 0x140, 1);
            assert_int_equal(owner.calls, n);
            pfifo_gpu_run(owner.gpu, 1000);
            if (is_pio(&owner)) /* the puller asks for its driver, and goes on when it has been there */
                owner.calls = n;
            pfifo_device_run(owner.device, 1000);
            owner.calls = n;
        }
        close_channel(&owner);
    }
}

static void an_idle_guest_that_writes_brings_no_work(void **state) {
    static const uint8_t zeros[64];
    (void)state;
    for (size_t i = 0; i < CHIPS; i++) {
        struct owner owner;
        open_channel(&owner, chips[i]);
        for (unsigned n = 0; n < 100; n++) {
            pfifo_gpu_wr32(owner.gpu, 0x140, n & 1);
            pfifo_gpu_rd32(owner.gpu, 0x2100 + 4 * n);
            pfifo_gpu_bar_write(owner.gpu, 1, 64 * n, zeros, pfifo_gpu_bar_bytes(owner.gpu, 1) ? sizeof zeros : 0);
            pfifo_buffer_write(owner.memory, 8 * n, &n, sizeof n);
            pfifo_gpu_system_write(owner.gpu, 0x1000 + 64 * n, zeros, sizeof zeros);
            if (pfifo_gpu_has_work(owner.gpu))
                fail_msg("%s has work", chips[i]);
        }
        assert_int_equal(owner.calls, 0);
        assert_int_equal(pfifo_gpu_run(owner.gpu, 1000), PFIFO_STOP_IDLE);
        close_channel(&owner);
    }
}

/* GF100 and later: the ring's PUT is a word of memory, which a CPU may write as it likes. */
static void put_that_is_written_straight_to_memory_is_seen_by_who_asks(void **state) {
    static const char *const with[] = {"GF100", "GK104", "GP100", "GP10B"};
    (void)state;
    for (size_t i = 0; i < sizeof with / sizeof with[0]; i++) {
        struct owner owner;
        open_channel(&owner, with[i]);
        struct memory *memory = &owner.gpu->memory;
        const struct pbdma_fifo *fifo = (const struct pbdma_fifo *)owner.gpu->fifo;
        const struct pfifo_channel_context *context = &fifo->channels[pfifo_channel_number(owner.channel)].context;
        enum memory_target target;
        uint64_t userd =
            userd_address(fifo->base.chip->userd_stride,
                          memory_physical_rd32(memory, context->instance_target, context->instance + 8),
                          memory_physical_rd32(memory, context->instance_target, context->instance + 12), &target);
        submit(&owner);
        pfifo_gpu_run(owner.gpu, 1000);
        owner.calls = 0;
        assert_false(pfifo_gpu_has_work(owner.gpu));
        memory_physical_wr32(memory, target, userd + 0x8c, 2);
        assert_int_equal(owner.calls, 0);
        assert_true(pfifo_gpu_has_work(owner.gpu));
        memory_physical_wr32(memory, target, userd + 0x8c, 1);
        assert_false(pfifo_gpu_has_work(owner.gpu));
        close_channel(&owner);
    }
}

/* The channel waits until `memory` holds PAYLOAD. */
static void submit_acquire(struct owner *owner) {
    uint64_t at = pfifo_buffer_address(owner->memory);
    const uint32_t fermi[] = {0x20040004, (uint32_t)(at >> 32), (uint32_t)at, PAYLOAD, 1};
    const uint32_t tesla[] = {1 << 18 | 0x60, 0xbeef, 4 << 18 | 0x10, (uint32_t)(at >> 32), (uint32_t)at, PAYLOAD, 1};
    size_t bytes = is_fermi(owner) ? sizeof fermi : sizeof tesla;
    pfifo_buffer_write(owner->push, 0x100, is_fermi(owner) ? fermi : tesla, bytes);
    assert_int_equal(pfifo_channel_submit(owner->channel, pfifo_buffer_address(owner->push) + 0x100, bytes, 0, NULL),
                     PFIFO_OK);
    assert_int_equal(pfifo_gpu_run(owner->gpu, 1000), PFIFO_STOP_WAITING);
    owner->calls = 0;
}

static void a_semaphore_is_work_when_its_word_has_come(void **state) {
    static const char *const with[] = {"G84", "GF100", "GK104", "GM107", "GP100", "GP10B"};
    (void)state;
    for (size_t i = 0; i < sizeof with / sizeof with[0]; i++) {
        struct owner owner;
        uint32_t other = PAYLOAD + 1, payload = PAYLOAD;
        open_channel(&owner, with[i]);
        submit_acquire(&owner);
        assert_false(pfifo_gpu_has_work(owner.gpu));
        pfifo_buffer_write(owner.memory, 0, &other, 4);
        pfifo_buffer_write(owner.memory, 4, &payload, 4);
        assert_int_equal(owner.calls, 0);
        assert_int_equal(pfifo_gpu_run(owner.gpu, 1000), PFIFO_STOP_WAITING);
        pfifo_buffer_write(owner.memory, 0, &payload, 4);
        if (owner.calls != 1)
            fail_msg("%s: %u calls", with[i], owner.calls);
        assert_int_equal(pfifo_gpu_run(owner.gpu, 1000), PFIFO_STOP_IDLE);
        close_channel(&owner);
    }
}

static void a_syncpoint_that_the_host_increments_is_work(void **state) {
    (void)state;
    struct owner owner;
    uint32_t syncpoint;
    open_channel(&owner, "GP10B");
    assert_int_equal(pfifo_channel_syncpoint(owner.channel, &syncpoint, NULL), PFIFO_OK);
    const uint32_t wait[] = {0x2002001c, 1, syncpoint << 8 | 0x10}; /* for 1, off the channel */
    pfifo_buffer_write(owner.push, 0, wait, sizeof wait);
    uint64_t at = pfifo_buffer_address(owner.push);
    assert_int_equal(pfifo_channel_submit(owner.channel, at, sizeof wait, 0, NULL), PFIFO_OK);
    assert_int_equal(pfifo_gpu_run(owner.gpu, 1000), PFIFO_STOP_WAITING);
    owner.calls = 0;
    pfifo_gpu_syncpoint_increment(owner.gpu, syncpoint + 1);
    assert_int_equal(owner.calls, 0);
    pfifo_gpu_syncpoint_increment(owner.gpu, syncpoint);
    assert_int_equal(owner.calls, 1);
    assert_int_equal(pfifo_gpu_run(owner.gpu, 1000), PFIFO_STOP_IDLE);
    close_channel(&owner);
}

static void a_timeout_that_time_reaches_is_work(void **state) {
    (void)state;
    struct owner owner;
    open_channel(&owner, "GK104");
    submit_acquire(&owner);
    uint64_t due = pfifo_gpu_due(owner.gpu);
    assert_true(due != UINT64_MAX && due > 1024);
    assert_int_equal(pfifo_gpu_pass_time(owner.gpu, due - 1024), due - 1024);
    assert_int_equal(owner.calls, 0);
    assert_int_equal(pfifo_gpu_due(owner.gpu), 1024);
    pfifo_gpu_pass_time(owner.gpu, 1024);
    assert_int_equal(owner.calls, 1);
    assert_int_equal(pfifo_gpu_run(owner.gpu, 1000), PFIFO_STOP_INTERRUPT);
    close_channel(&owner);
}

/* What the driver switches off is no work, and is again when it is switched on. */
static void pfifo_that_is_switched_off_has_no_work(void **state) {
    (void)state;
    struct owner owner;
    open_channel(&owner, "NV40");
    pfifo_gpu_wr32(owner.gpu, 0x2500, 0); /* CACHES */
    submit(&owner);
    assert_false(pfifo_gpu_has_work(owner.gpu));
    assert_int_equal(owner.calls, 0);
    pfifo_gpu_run(owner.gpu, 1000);
    assert_int_equal(pfifo_gpu_stop_info(owner.gpu)->used, 0);
    pfifo_gpu_wr32(owner.gpu, 0x2500, 1);
    assert_int_equal(owner.calls, 1);
    close_channel(&owner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_submission_is_noticed_once_until_the_next_run),
        cmocka_unit_test(an_idle_guest_that_writes_brings_no_work),
        cmocka_unit_test(put_that_is_written_straight_to_memory_is_seen_by_who_asks),
        cmocka_unit_test(a_semaphore_is_work_when_its_word_has_come),
        cmocka_unit_test(a_syncpoint_that_the_host_increments_is_work),
        cmocka_unit_test(a_timeout_that_time_reaches_is_work),
        cmocka_unit_test(pfifo_that_is_switched_off_has_no_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
