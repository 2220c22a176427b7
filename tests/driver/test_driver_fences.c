/* SPDX-License-Identifier: MIT */
/* Fences: one submission is waited for, and not what is after it; buffers in use; syncpoints. */
#include "driver/rig.h"

static struct rig rig;

#define METHODS 20u

static struct pfifo_channel *open_channel(enum pfifo_channel_mode mode) {
    return rig_channel(&rig, mode, 0);
}

/* METHODS methods in a segment; counted as they are taken. */
static void submit_methods(struct pfifo_channel *channel, enum pfifo_channel_mode mode, struct pfifo_buffer *push,
                           uint64_t offset) {
    struct words words = words_for(&rig, mode);
    words_bind_class(&words, &rig, SUBCHANNEL);
    for (unsigned i = 0; i < METHODS; i++)
        words_method(&words, SUBCHANNEL, NOP, i);
    words_submit(&words, &rig, channel, push, offset);
}

static void submit_acquire(struct pfifo_channel *channel, struct pfifo_buffer *push, uint64_t offset,
                           struct pfifo_buffer *buffer, uint32_t value) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_IB);
    words_acquire(&words, &rig, pfifo_buffer_address(buffer), value);
    words_submit(&words, &rig, channel, push, offset);
}

static struct pfifo_fence fence_of(struct pfifo_channel *channel) {
    struct pfifo_fence fence;
    if (pfifo_channel_fence(channel, &fence, &rig.error) != PFIFO_OK)
        fail_msg("%s: %s", rig.part->chip, rig.error.message);
    return fence;
}

static void wait_for(const struct pfifo_fence *fence) {
    if (pfifo_fence_wait(fence, BUDGET, &rig.error) != PFIFO_OK)
        fail_msg("%s: %s", rig.part->chip, rig.error.message);
}

static const enum pfifo_channel_mode modes[] = {PFIFO_CHANNEL_DEFAULT, PFIFO_CHANNEL_DMA};

static bool has_mode(const struct part *part, enum pfifo_channel_mode mode) {
    return mode == PFIFO_CHANNEL_DEFAULT || !part->fermi;
}

static void a_fence_is_done_when_what_is_before_it_is(void **state) {
    (void)state;
    FOR_EACH_PART {
        for (size_t m = 0; m < COUNT_OF(modes); m++) {
            if (!has_mode(part, modes[m]))
                continue;
            rig_open(&rig, part);
            struct pfifo_channel *channel = open_channel(modes[m]);
            struct pfifo_buffer *push = rig_push_buffer(&rig);
            for (unsigned n = 1; n <= 3; n++) {
                submit_methods(channel, modes[m], push, 0x200 * n);
                struct pfifo_fence fence = fence_of(channel);
                assert_false(pfifo_fence_done(&fence));
                wait_for(&fence);
                assert_true(pfifo_fence_done(&fence));
                assert_int_equal(rig_count(&rig, NOP), n * METHODS);
            }
            rig_wait(&rig);
            assert_int_equal(rig.fault_count, 0);
            assert_int_equal(rig.software_count, 0); /* those of fences are the driver's */
            rig_close(&rig);
        }
    }
}

static void a_wait_ends_before_what_is_behind_the_fence(void **state) {
    enum { BEHIND = 500 };
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_DEFAULT);
        struct pfifo_buffer *push = rig_buffer(&rig, PFIFO_GART, 0x200 * (BEHIND + 1), 0);
        submit_methods(channel, PFIFO_CHANNEL_DEFAULT, push, 0);
        struct pfifo_fence fence = fence_of(channel);
        for (uint64_t i = 1; i <= BEHIND; i++)
            submit_methods(channel, PFIFO_CHANNEL_DEFAULT, push, 0x200 * i);
        struct pfifo_fence last = fence_of(channel);
        wait_for(&fence);
        assert_false(pfifo_fence_done(&last));
        assert_false(pfifo_channel_idle(channel));
        wait_for(&last);
        rig_wait(&rig);
        assert_true(pfifo_channel_idle(channel));
        rig_close(&rig);
    }
}

static void a_wait_ends_although_another_channel_hangs(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->semaphores != NEW_SEMAPHORE)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *stuck = open_channel(PFIFO_CHANNEL_DEFAULT);
        struct pfifo_channel *free = open_channel(PFIFO_CHANNEL_DEFAULT);
        struct pfifo_buffer *push = rig_push_buffer(&rig), *buffer = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        struct words words = words_for(&rig, PFIFO_CHANNEL_IB);
        words_acquire(&words, &rig, pfifo_buffer_address(buffer), 1);
        words.word[words.count - 1] |= 0x1000; /* and give way */
        words_submit(&words, &rig, stuck, push, 0);
        struct pfifo_fence never = fence_of(stuck);
        submit_methods(free, PFIFO_CHANNEL_DEFAULT, push, 0x200);
        struct pfifo_fence fence = fence_of(free);
        wait_for(&fence);
        assert_false(pfifo_fence_done(&never));
        assert_int_equal(pfifo_fence_wait(&never, BUDGET, &rig.error), PFIFO_ERROR_TIMEOUT);
        assert_int_equal(pfifo_fence_wait(&never, 0, &rig.error), PFIFO_ERROR_TIMEOUT);
        assert_true(pfifo_buffer_write(buffer, 0, "\1\0\0\0", 4));
        wait_for(&never);
        rig_close(&rig);
    }
}

static void more_fences_than_there_are_places_for(void **state) {
    enum { FENCES = 700 };
    (void)state;
    FOR_EACH_KIND {
        static struct pfifo_fence fences[FENCES];
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_DEFAULT);
        for (unsigned i = 0; i < FENCES; i++)
            fences[i] = fence_of(channel);
        wait_for(&fences[FENCES - 1]);
        for (unsigned i = 0; i < FENCES; i++)
            assert_true(pfifo_fence_done(&fences[i]));
        rig_close(&rig);
    }
}

/* A place is not used again before its fence is done, even if the ring has room. */
static void a_fence_without_a_place_is_a_timeout(void **state) {
    enum { FENCES = 700 };
    (void)state;
    FOR_EACH_KIND {
        if (part->semaphores != NEW_SEMAPHORE)
            continue;
        struct pfifo_fence fence;
        unsigned sent = 0;
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_DEFAULT);
        struct pfifo_buffer *push = rig_push_buffer(&rig), *buffer = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        submit_acquire(channel, push, 0, buffer, 1);
        while (sent < FENCES && pfifo_channel_fence(channel, &fence, &rig.error) == PFIFO_OK)
            sent++;
        assert_in_range(sent, 1, FENCES - 1);
        assert_int_equal(rig.error.status, PFIFO_ERROR_TIMEOUT);
        assert_true(pfifo_buffer_write(buffer, 0, "\1\0\0\0", 4));
        fence = fence_of(channel);
        wait_for(&fence);
        rig_close(&rig);
    }
}

static void fences_of_a_channel_in_a_space_of_its_own(void **state) {
    (void)state;
    FOR_EACH_KIND {
        if (part->calls)
            continue;
        rig_open(&rig, part);
        const struct pfifo_channel_config config = {
            .size = sizeof config, .vm = pfifo_vm_new(rig.device, &(const struct pfifo_vm_config){0}, &rig.error)};
        struct pfifo_channel *channel = pfifo_channel_open(rig.device, &config, &rig.error);
        assert_non_null(channel);
        struct pfifo_fence fence = fence_of(channel);
        wait_for(&fence);
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

static void methods_by_pio_are_fenced(void **state) {
    (void)state;
    static const char *const chips[] = {"NV4", "NV5", "NV10", "NV34", "NV40"};
    for (size_t i = 0; i < COUNT_OF(pio_parts) + COUNT_OF(chips); i++) {
        uint32_t data[METHODS] = {0};
        const struct part *part = i < COUNT_OF(pio_parts) ? &pio_parts[i] : rig_part(chips[i - COUNT_OF(pio_parts)]);
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_PIO);
        data[0] = GRAPHICS;
        assert_int_equal(pfifo_channel_write_methods(channel, 0, 0, 4, data, 1, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_channel_write_methods(channel, 0, 0x104, 0, data, METHODS - 1, &rig.error), PFIFO_OK);
        struct pfifo_fence fence = fence_of(channel);
        for (unsigned more = 0; more < 1000; more++) /* that are no commands, and need no place */
            fence_of(channel);
        assert_false(pfifo_fence_done(&fence));
        wait_for(&fence);
        assert_true(pfifo_channel_idle(channel));
        rig_close(&rig);
    }
}

/* REF_CNT is the program's, too: a value that no fence has written says nothing. */
static void a_count_that_is_no_fence_is_not_taken(void **state) {
    static const char *const chips[] = {"NV10", "NV34", "NV40", "G80"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        rig_open(&rig, rig_part(chips[i]));
        struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_DEFAULT);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct pfifo_fence fence = fence_of(channel);
        wait_for(&fence);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_method(&words, SUBCHANNEL, 0x50, 1000);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        fence = fence_of(channel);
        assert_false(pfifo_fence_done(&fence));
        wait_for(&fence);
        rig_close(&rig);
    }
}

static void an_earlier_use_does_not_replace_a_later_one(void **state) {
    (void)state;
    FOR_EACH_KIND {
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_DEFAULT);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        const struct pfifo_fence first = fence_of(channel);
        wait_for(&first);
        const struct pfifo_fence second = fence_of(channel);
        assert_int_equal(pfifo_buffer_use(push, &second, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_buffer_use(push, &first, &rig.error), PFIFO_OK);
        assert_true(pfifo_buffer_busy(push));
        wait_for(&second);
        assert_false(pfifo_buffer_busy(push));
        rig_close(&rig);
    }
}

static void nobody_waits_for_a_channel_that_is_closed(void **state) {
    (void)state;
    FOR_EACH_KIND {
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_DEFAULT);
        struct pfifo_fence fence = fence_of(channel), none = {0};
        pfifo_channel_close(channel);
        assert_true(pfifo_fence_done(&fence));
        assert_true(pfifo_fence_done(&none));
        channel = open_channel(PFIFO_CHANNEL_DEFAULT); /* with the same number */
        struct pfifo_fence next = fence_of(channel);
        assert_true(pfifo_fence_done(&fence));
        assert_false(pfifo_fence_done(&next));
        assert_int_equal(pfifo_fence_wait(&none, 0, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_fence_wait(NULL, 0, &rig.error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_channel_fence(NULL, &next, &rig.error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_channel_fence(channel, NULL, &rig.error), PFIFO_ERROR_ARGUMENT);
        rig_close(&rig);
    }
}

static void a_fault_ends_the_wait_for_its_channel(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_DEFAULT);
        struct words words = words_for(&rig, PFIFO_CHANNEL_IB);
        words_release(&words, &rig, 0x1000, 1); /* nothing is there */
        words_submit(&words, &rig, channel, rig_push_buffer(&rig), 0);
        struct pfifo_fence fence = fence_of(channel);
        assert_int_equal(pfifo_fence_wait(&fence, BUDGET, &rig.error), PFIFO_ERROR_FAULT);
        assert_true(pfifo_fence_done(&fence));
        rig_close(&rig);
    }
}

/* ---- buffers ---- */

static void a_buffer_is_busy_until_its_last_use_is_done(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->semaphores != NEW_SEMAPHORE)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel[2];
        struct pfifo_buffer *push = rig_push_buffer(&rig), *buffer = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        struct pfifo_buffer *used = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        assert_false(pfifo_buffer_busy(used));
        for (unsigned i = 0; i < 2; i++) {
            channel[i] = open_channel(PFIFO_CHANNEL_DEFAULT);
            submit_methods(channel[i], PFIFO_CHANNEL_DEFAULT, push, 0x400 * i);
            struct pfifo_fence fence = fence_of(channel[i]);
            assert_int_equal(pfifo_buffer_use(used, &fence, &rig.error), PFIFO_OK);
        }
        submit_acquire(channel[1], push, 0x200, buffer, 1); /* after the use */
        assert_true(pfifo_buffer_busy(used));
        assert_int_equal(pfifo_buffer_wait(used, BUDGET, &rig.error), PFIFO_OK);
        assert_false(pfifo_buffer_busy(used));
        struct pfifo_fence fence = fence_of(channel[1]);
        assert_int_equal(pfifo_buffer_use(used, &fence, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_buffer_wait(used, BUDGET, &rig.error), PFIFO_ERROR_TIMEOUT);
        assert_true(pfifo_buffer_busy(used));
        pfifo_channel_close(channel[1]);
        assert_false(pfifo_buffer_busy(used));
        rig_close(&rig);
    }
}

/* ---- syncpoints ---- */

static const char *const tegras[] = {"GK20A", "GM20B", "GP10B"};

static void increment_by_channel(struct pfifo_channel *channel, struct pfifo_buffer *push, uint32_t syncpoint) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_IB);
    words_header(&words, 0, 0x70, 2);
    words_add(&words, 0);
    words_add(&words, syncpoint << 8 | 1);
    words_submit(&words, &rig, channel, push, 0);
}

static unsigned notices;

static void count_notice(void *opaque, uint32_t syncpoint) {
    assert_int_equal(*(uint32_t *)opaque, syncpoint);
    notices++;
}

static void a_syncpoint_counts_what_channels_and_the_host_do(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(tegras); i++) {
        uint32_t own, other, value;
        rig_open(&rig, rig_part(tegras[i]));
        struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_DEFAULT),
                             *second = open_channel(PFIFO_CHANNEL_DEFAULT);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        assert_int_equal(pfifo_channel_syncpoint(channel, &own, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_channel_syncpoint(second, &other, &rig.error), PFIFO_OK);
        assert_int_not_equal(own, 0);
        assert_int_not_equal(own, other);
        assert_int_equal(pfifo_channel_syncpoint(channel, &value, &rig.error), PFIFO_OK);
        assert_int_equal(value, own);
        increment_by_channel(channel, push, own);
        assert_int_equal(pfifo_syncpoint_wait(rig.device, own, 1, BUDGET, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_syncpoint_increment(rig.device, own, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_syncpoint_value(rig.device, own, &value, &rig.error), PFIFO_OK);
        assert_int_equal(value, 2);
        assert_int_equal(pfifo_syncpoint_value(rig.device, other, &value, &rig.error), PFIFO_OK);
        assert_int_equal(value, 0);
        assert_int_equal(pfifo_syncpoint_wait(rig.device, own, 3, BUDGET, &rig.error), PFIFO_ERROR_TIMEOUT);
        /* Counters wrap: this threshold was passed before 0. */
        assert_int_equal(pfifo_syncpoint_wait(rig.device, own, UINT32_MAX, 0, &rig.error), PFIFO_OK);
        uint32_t count = pfifo_syncpoint_count(rig.device);
        assert_int_equal(count, 192);
        assert_int_equal(pfifo_syncpoint_value(rig.device, count, &value, &rig.error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_syncpoint_increment(rig.device, UINT32_MAX, &rig.error), PFIFO_ERROR_ARGUMENT);
        pfifo_channel_close(second);
        second = open_channel(PFIFO_CHANNEL_DEFAULT);
        assert_int_equal(pfifo_channel_syncpoint(second, &value, &rig.error), PFIFO_OK);
        assert_int_equal(value, other);
        rig_close(&rig);
    }
}

static void who_waits_for_a_threshold_is_told_once(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(tegras); i++) {
        uint32_t own;
        rig_open(&rig, rig_part(tegras[i]));
        struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_DEFAULT);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        assert_int_equal(pfifo_channel_syncpoint(channel, &own, &rig.error), PFIFO_OK);
        notices = 0;
        assert_int_equal(pfifo_syncpoint_notify(rig.device, own, 2, count_notice, &own, &rig.error), PFIFO_OK);
        pfifo_syncpoint_increment(rig.device, own, &rig.error);
        assert_int_equal(notices, 0);
        increment_by_channel(channel, push, own);
        rig_wait(&rig);
        assert_int_equal(notices, 1);
        pfifo_syncpoint_increment(rig.device, own, &rig.error);
        assert_int_equal(notices, 1);
        assert_int_equal(pfifo_syncpoint_notify(rig.device, own, 3, count_notice, &own, &rig.error), PFIFO_OK);
        assert_int_equal(notices, 2); /* at once */
        assert_int_equal(pfifo_syncpoint_notify(rig.device, own, 4, count_notice, &own, &rig.error), PFIFO_OK);
        pfifo_syncpoint_forget(rig.device, &own);
        pfifo_syncpoint_increment(rig.device, own, &rig.error);
        assert_int_equal(notices, 2);
        rig_close(&rig);
    }
}

static void other_chips_have_no_syncpoints(void **state) {
    (void)state;
    FOR_EACH_PART {
        uint32_t value;
        if (!part->vram) /* the Tegras */
            continue;
        rig_open(&rig, part);
        assert_int_equal(pfifo_syncpoint_count(rig.device), 0);
        assert_int_equal(pfifo_syncpoint_value(rig.device, 0, &value, &rig.error), PFIFO_ERROR_UNSUPPORTED);
        assert_int_equal(pfifo_channel_syncpoint(open_channel(PFIFO_CHANNEL_DEFAULT), &value, &rig.error),
                         PFIFO_ERROR_UNSUPPORTED);
        assert_non_null(strstr(rig.error.message, part->chip));
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fence_is_done_when_what_is_before_it_is),
        cmocka_unit_test(a_wait_ends_before_what_is_behind_the_fence),
        cmocka_unit_test(a_wait_ends_although_another_channel_hangs),
        cmocka_unit_test(more_fences_than_there_are_places_for),
        cmocka_unit_test(a_fence_without_a_place_is_a_timeout),
        cmocka_unit_test(fences_of_a_channel_in_a_space_of_its_own),
        cmocka_unit_test(methods_by_pio_are_fenced),
        cmocka_unit_test(a_count_that_is_no_fence_is_not_taken),
        cmocka_unit_test(nobody_waits_for_a_channel_that_is_closed),
        cmocka_unit_test(a_fault_ends_the_wait_for_its_channel),
        cmocka_unit_test(a_buffer_is_busy_until_its_last_use_is_done),
        cmocka_unit_test(an_earlier_use_does_not_replace_a_later_one),
        cmocka_unit_test(a_syncpoint_counts_what_channels_and_the_host_do),
        cmocka_unit_test(who_waits_for_a_threshold_is_told_once),
        cmocka_unit_test(other_chips_have_no_syncpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
