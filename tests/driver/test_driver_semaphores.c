/* SPDX-License-Identifier: MIT */
/* Semaphores and fences: what one channel writes and another waits for. */
#include "driver/rig.h"

static struct rig rig; /* too large for a stack with a sanitizer */

static struct words new_words(enum pfifo_channel_mode mode) {
    return words_for(&rig, mode);
}

static void make_semaphore(struct pfifo_channel *channel, struct pfifo_buffer *buffer) {
    if (rig.part->semaphores == OLD_SEMAPHORE)
        assert_int_equal(pfifo_channel_dma_object(channel, SEMAPHORE, buffer, 0, 0x1000, &rig.error), PFIFO_OK);
}

static void a_semaphore_is_released_in_a_buffer(void **state) {
    static const enum pfifo_domain domains[] = {PFIFO_VRAM, PFIFO_GART};
    (void)state;
    FOR_EACH_PART {
        for (size_t i = 0; part->semaphores && i < COUNT_OF(domains); i++) {
            rig_open(&rig, part);
            struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
            struct pfifo_buffer *push = rig_push_buffer(&rig), *fence = rig_buffer(&rig, domains[i], 0x1000, 0);
            make_semaphore(channel, fence);
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_release(&words, &rig, pfifo_buffer_address(fence), 0xcafe);
            words_submit(&words, &rig, channel, push, 0);
            rig_wait(&rig);
            assert_int_equal(rig.fault_count, 0);
            assert_int_equal(rig_read(fence, 0), 0xcafe);
            rig_close(&rig);
        }
    }
}

static void an_acquire_waits_for_the_release_of_another_channel(void **state) {
    static const uint32_t order[] = {2, 1};
    (void)state;
    FOR_EACH_PART {
        if (!part->semaphores)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *waits = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                             *releases = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig), *fence = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        make_semaphore(waits, fence);
        make_semaphore(releases, fence);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_acquire(&words, &rig, pfifo_buffer_address(fence), 5);
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_submit(&words, &rig, waits, push, 0);
        assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_WAITING);
        assert_int_equal(pfifo_device_wait(rig.device, BUDGET, &rig.error), PFIFO_ERROR_TIMEOUT);
        assert_false(pfifo_channel_idle(waits));
        assert_true(pfifo_channel_idle(releases));

        words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 2);
        words_release(&words, &rig, pfifo_buffer_address(fence), 5);
        words_submit(&words, &rig, releases, push, 0x1000);
        rig_wait(&rig);
        rig_assert_data(&rig, NOP, order, 2);
        assert_true(pfifo_channel_idle(waits));
        assert_true(pfifo_channel_idle(releases));
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

/* Each of two channels that wait has methods in flight after its acquire: they must not get mixed up. */
static void channels_that_wait_keep_what_is_in_flight(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->semaphores)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *waits[2] = {rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                                          rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0)};
        struct pfifo_channel *releases = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig), *fence = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        make_semaphore(waits[0], fence);
        make_semaphore(waits[1], fence);
        make_semaphore(releases, fence);
        for (uint32_t i = 0; i < 2; i++) {
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_bind_class(&words, &rig, SUBCHANNEL);
            words_acquire(&words, &rig, pfifo_buffer_address(fence), 5);
            words_method(&words, SUBCHANNEL, NOP, 0x10 * i + 1);
            words_method(&words, SUBCHANNEL, NOP, 0x10 * i + 2);
            words_submit(&words, &rig, waits[i], push, 0x1000 * i);
            assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_WAITING);
        }
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_release(&words, &rig, pfifo_buffer_address(fence), 5);
        words_submit(&words, &rig, releases, push, 0x2000);
        rig_wait(&rig);
        assert_int_equal(rig_count(&rig, NOP), 4);
        for (size_t i = 0; i < rig.method_count; i++) {
            uint32_t first = rig.methods[i].data >> 4 & 1;
            if (rig.methods[i].method == NOP)
                assert_int_equal(rig.methods[i].channel, pfifo_channel_number(waits[first]));
        }
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

static void a_full_ring_that_does_not_move_is_a_timeout(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->semaphores)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 4);
        struct pfifo_buffer *push = rig_push_buffer(&rig), *fence = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        make_semaphore(channel, fence);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_acquire(&words, &rig, pfifo_buffer_address(fence), 1);
        words_submit(&words, &rig, channel, push, 0);
        enum pfifo_status status = PFIFO_OK;
        unsigned taken = 0;
        /* Cache and ring are finite: at most that many words fit. */
        while (status == PFIFO_OK && taken < 4000) {
            status = pfifo_channel_submit(channel, pfifo_buffer_address(push), 4 * words.count, 0, &rig.error);
            taken++;
        }
        assert_int_equal(status, PFIFO_ERROR_TIMEOUT);
        assert_true(taken >= 2);
        /* Once it is released, everything goes on. */
        assert_true(pfifo_buffer_write(fence, 0, &(const uint8_t[4]){1}, 4));
        rig_wait(&rig);
        assert_true(pfifo_channel_idle(channel));
        rig_close(&rig);
    }
}

/* NV40: DMA_FENCE is an object, OFFSET and VALUE are methods of the 3D class. */
static void a_fence_of_curie_is_written_to_its_notifier(void **state) {
    static const enum pfifo_domain domains[] = {PFIFO_VRAM, PFIFO_GART};
    enum { NOTIFIER = 0xbeef1e00u, DMA_FENCE = 0x1a4, FENCE_OFFSET = 0x1d6c };
    (void)state;
    FOR_EACH_PART {
        for (size_t i = 0; part->graphics >> 12 == 4 && i < COUNT_OF(domains); i++) {
            rig_open(&rig, part);
            struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
            struct pfifo_buffer *push = rig_push_buffer(&rig), *buffer = rig_buffer(&rig, domains[i], 0x3000, 0);
            assert_int_equal(pfifo_channel_dma_object(channel, NOTIFIER, buffer, 0x1010, 0x1000, &rig.error), PFIFO_OK);
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_bind_class(&words, &rig, 7);
            words_method(&words, 7, DMA_FENCE, NOTIFIER);
            words_header(&words, 7, FENCE_OFFSET, 2);
            words_add(&words, 0x20);
            words_add(&words, 0x5a5a);
            words_submit(&words, &rig, channel, push, 0);
            rig_wait(&rig);
            assert_int_equal(rig.fault_count, 0);
            assert_int_equal(rig_read(buffer, 0x1030), 0x5a5a);
            rig_close(&rig);
        }
    }
}

/* With nothing in flight but the acquire, in CACHE1 or not. */
static void channels_that_only_wait_are_not_idle(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->semaphores)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *waits[2] = {rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                                          rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0)};
        struct pfifo_buffer *push = rig_push_buffer(&rig), *fence = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        for (uint32_t i = 0; i < 2; i++) {
            make_semaphore(waits[i], fence);
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_acquire(&words, &rig, pfifo_buffer_address(fence), 5);
            words_submit(&words, &rig, waits[i], push, 0x1000 * i);
            assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_WAITING);
        }
        assert_false(pfifo_channel_idle(waits[0]));
        assert_false(pfifo_channel_idle(waits[1]));
        rig_close(&rig);
    }
}

/* Closed in the middle of a wait, a channel does not hold the others up. */
static void a_waiting_channel_can_be_closed(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->semaphores)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *waits = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig), *fence = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        make_semaphore(waits, fence);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_acquire(&words, &rig, pfifo_buffer_address(fence), 1);
        words_submit(&words, &rig, waits, push, 0);
        assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_WAITING);
        pfifo_channel_close(waits);
        words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 3);
        words_submit(&words, &rig, other, push, 0x1000);
        rig_wait(&rig);
        rig_assert_data(&rig, NOP, (const uint32_t[]){3}, 1);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_semaphore_is_released_in_a_buffer),
        cmocka_unit_test(an_acquire_waits_for_the_release_of_another_channel),
        cmocka_unit_test(channels_that_wait_keep_what_is_in_flight),
        cmocka_unit_test(channels_that_only_wait_are_not_idle),
        cmocka_unit_test(a_full_ring_that_does_not_move_is_a_timeout),
        cmocka_unit_test(a_fence_of_curie_is_written_to_its_notifier),
        cmocka_unit_test(a_waiting_channel_can_be_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
