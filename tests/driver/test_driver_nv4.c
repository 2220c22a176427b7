/* SPDX-License-Identifier: MIT */
/* What only NV4 .. NV3x ask of their driver: segments that jump back, PGRAPH's channel, RAMFC with everything in it. */
#include "driver/rig.h"

static struct rig rig;

#define PULL0         0x3250u
#define GRAPH_INTR    0x400100u
#define RAMHT         0x710000u
#define RAMHT_BYTES   0x8000u
#define PRAMIN        0x700000u
#define WORD_RETURN   0x00020000u
#define METHODS       300u /* more than CACHE1 holds */
#define LONG_SEGMENT  0x4000u
#define CLASS_BITS    0x0000cfffu
#define FROM_MEMORY_W 0x00008002u /* the class of reading, and the right to write only: what DMA_SEMAPHORE takes */

static struct words new_words(void) {
    return words_for(&rig, PFIFO_CHANNEL_DMA);
}

static void store(struct pfifo_buffer *buffer, uint64_t offset, uint32_t word) {
    const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    assert_true(pfifo_buffer_write(buffer, offset, bytes, sizeof bytes));
}

/* ---- segments that jump back ---- */

static const char *const no_call[] = {"NV4", "NV5", "NV10"};

/* METHODS times NOP, and a return. */
static uint64_t write_long_segment(struct pfifo_buffer *push) {
    uint64_t at = LONG_SEGMENT;
    store(push, at, 1u << 18 | SUBCHANNEL << 13);
    store(push, at + 4, GRAPHICS);
    at += 8;
    for (uint32_t i = 0; i < METHODS; i++, at += 8) {
        store(push, at, 1u << 18 | SUBCHANNEL << 13 | NOP);
        store(push, at + 4, i);
    }
    store(push, at, WORD_RETURN);
    return at + 4 - LONG_SEGMENT;
}

static enum pfifo_status submit(struct pfifo_channel *channel, struct pfifo_buffer *push, uint64_t offset,
                                uint64_t bytes) {
    return pfifo_channel_submit(channel, pfifo_buffer_address(push) + offset, bytes, 0, &rig.error);
}

/* There is one word for the way back: it must not change while somebody has yet to come by. */
static void a_segment_in_flight_is_not_given_another_way_back(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(no_call); i++) {
        rig_open(&rig, rig_part(no_call[i]));
        struct pfifo_channel *channel[2] = {rig_channel(&rig, PFIFO_CHANNEL_DMA, 8),
                                            rig_channel(&rig, PFIFO_CHANNEL_DMA, 8)};
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        uint64_t bytes = write_long_segment(push);
        for (uint32_t n = 0; n < 30; n++)
            assert_int_equal(submit(channel[n % 3 == 0], push, LONG_SEGMENT, bytes), PFIFO_OK);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_true(pfifo_channel_idle(channel[0]) && pfifo_channel_idle(channel[1]));
        rig.method_count = 0;
        /* The records have room for a few. */
        for (uint32_t n = 0; n < 4; n++)
            assert_int_equal(submit(channel[n & 1], push, LONG_SEGMENT, bytes), PFIFO_OK);
        rig_wait(&rig);
        assert_int_equal(rig_count(&rig, NOP), 4 * METHODS);
        rig_close(&rig);
    }
}

static void a_segment_that_stays_in_flight_is_a_timeout(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(no_call); i++) {
        rig_open(&rig, rig_part(no_call[i]));
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DMA, 8),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_DMA, 8);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        uint64_t bytes = write_long_segment(push);
        pfifo_gpu_wr32(pfifo_device_gpu(rig.device), PULL0, 0);
        assert_int_equal(submit(channel, push, LONG_SEGMENT, bytes), PFIFO_OK);
        assert_int_equal(submit(channel, push, LONG_SEGMENT, bytes), PFIFO_ERROR_TIMEOUT);
        assert_int_equal(submit(other, push, LONG_SEGMENT, bytes), PFIFO_ERROR_TIMEOUT);
        pfifo_gpu_wr32(pfifo_device_gpu(rig.device), PULL0, 1);
        rig_wait(&rig);
        assert_int_equal(submit(other, push, LONG_SEGMENT, bytes), PFIFO_OK);
        rig_wait(&rig);
        assert_int_equal(rig_count(&rig, NOP), 2 * METHODS);
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

/* Closed before it came by, a channel does not keep the word. */
static void a_closed_channel_leaves_its_segments(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(no_call); i++) {
        rig_open(&rig, rig_part(no_call[i]));
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DMA, 8),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_DMA, 8);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        uint64_t bytes = write_long_segment(push);
        assert_int_equal(submit(channel, push, LONG_SEGMENT, bytes), PFIFO_OK);
        pfifo_device_run(rig.device, 100);
        pfifo_channel_close(channel);
        rig.method_count = 0;
        assert_int_equal(submit(other, push, LONG_SEGMENT, bytes), PFIFO_OK);
        rig_wait(&rig);
        assert_int_equal(rig_count(&rig, NOP), METHODS);
        rig_close(&rig);
    }
}

static void a_segment_needs_a_place_for_the_way_back(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(no_call); i++) {
        rig_open(&rig, rig_part(no_call[i]));
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DMA, 8);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = new_words();
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_submit(&words, &rig, channel, push, 0);
        assert_int_equal(submit(channel, push, 0, 4 * (words.count - 1)), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(submit(channel, push, 0, 4), PFIFO_ERROR_ARGUMENT);
        /* A word of nothing after it, as some programs have; then again, with the jump that is there now. */
        for (unsigned n = 0; n < 2; n++)
            assert_int_equal(submit(channel, push, 0, 4 * (words.count + 1)), PFIFO_OK);
        assert_int_equal(submit(channel, push, UINT64_C(0x20000000) - pfifo_buffer_address(push), 4),
                         PFIFO_ERROR_ARGUMENT);
        rig_wait(&rig);
        assert_int_equal(rig_count(&rig, NOP), 3);
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

/* ---- PGRAPH ---- */

/* A method of another channel waits in front of PGRAPH until the driver has changed its channel. */
static void the_driver_changes_the_channel_of_graphics(void **state) {
    static const struct {
        const char *chip;
        uint32_t user, shift, mask;
    } rows[] = {{"NV4", 0x400174, 24, 0xf}, {"NV10", 0x400148, 24, 0x1f}, {"NV17", 0x400148, 24, 0x1f}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        enum { CHANNELS = 5 };
        struct pfifo_channel *channel[CHANNELS];
        rig_open(&rig, rig_part(rows[i].chip));
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        for (uint32_t n = 0; n < CHANNELS; n++)
            channel[n] = rig_channel(&rig, PFIFO_CHANNEL_DMA, 8);
        for (uint32_t turn = 0; turn < 12; turn++) {
            uint32_t n = turn * 7 % CHANNELS, value = 0;
            struct words words = new_words();
            words_bind_class(&words, &rig, SUBCHANNEL);
            words_method(&words, SUBCHANNEL, NOP, turn);
            words_submit(&words, &rig, channel[n], push, 0x100 * turn);
            assert_int_equal(pfifo_gpu_run(gpu, BUDGET), PFIFO_STOP_INTERRUPT);
            assert_int_equal(rig_count(&rig, NOP), turn);
            assert_int_equal(pfifo_gpu_rd32(gpu, GRAPH_INTR), 1u << 12);
            rig_wait(&rig);
            assert_int_equal(pfifo_gpu_rd32(gpu, GRAPH_INTR), 0);
            assert_int_equal(pfifo_gpu_rd32(gpu, rows[i].user) >> rows[i].shift & rows[i].mask,
                             pfifo_channel_number(channel[n]));
            assert_true(pfifo_gpu_method_value(gpu, pfifo_channel_number(channel[n]), rig.part->graphics, NOP, &value));
            assert_int_equal(value, turn);
        }
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

/* ---- RAMFC ---- */

/* DMA_SEMAPHORE wants what the driver does not make: change the object where it is. */
static void make_semaphore(struct pfifo_channel *channel, struct pfifo_buffer *buffer) {
    struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
    assert_int_equal(pfifo_channel_dma_object(channel, SEMAPHORE, buffer, 0, 0x1000, &rig.error), PFIFO_OK);
    for (uint32_t at = RAMHT; at < RAMHT + RAMHT_BYTES; at += 8) {
        uint32_t context = pfifo_gpu_rd32(gpu, at + 4), object = PRAMIN + ((context & 0xffff) << 4);
        if (pfifo_gpu_rd32(gpu, at) != SEMAPHORE || (context >> 24 & 0x1f) != pfifo_channel_number(channel))
            continue;
        pfifo_gpu_wr32(gpu, object, (pfifo_gpu_rd32(gpu, object) & ~CLASS_BITS) | FROM_MEMORY_W);
        return;
    }
    fail();
}

static void wait_on(struct pfifo_channel *channel, struct pfifo_buffer *fence, uint32_t value, uint64_t offset,
                    struct pfifo_buffer *push) {
    struct words words = new_words();
    make_semaphore(channel, fence);
    words_bind_class(&words, &rig, SUBCHANNEL);
    words_acquire(&words, &rig, 0, value);
    words_method(&words, SUBCHANNEL, NOP, value);
    words_submit(&words, &rig, channel, push, offset);
    assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_WAITING);
}

static void release(struct pfifo_channel *channel, struct pfifo_buffer *fence, uint32_t value, uint64_t offset,
                    struct pfifo_buffer *push) {
    struct words words = new_words();
    make_semaphore(channel, fence);
    words_release(&words, &rig, 0, value);
    words_submit(&words, &rig, channel, push, offset);
}

/* Each waits for a word of its own, in a segment with a way back of its own. */
static void channels_that_wait_know_for_what_and_where_to_return(void **state) {
    static const char *const chips[] = {"NV1A", "NV17", "NV20", "NV34"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        rig_open(&rig, rig_part(chips[i]));
        struct pfifo_channel *first = rig_channel(&rig, PFIFO_CHANNEL_DMA, 8),
                             *second = rig_channel(&rig, PFIFO_CHANNEL_DMA, 8),
                             *releases[2] = {rig_channel(&rig, PFIFO_CHANNEL_DMA, 8),
                                             rig_channel(&rig, PFIFO_CHANNEL_DMA, 8)};
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct pfifo_buffer *fence[2] = {rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0),
                                         rig_buffer(&rig, PFIFO_GART, 0x1000, 0)};
        wait_on(first, fence[0], 5, 0, push);
        wait_on(second, fence[1], 7, 0x1000, push);
        release(releases[0], fence[0], 5, 0x2000, push);
        assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_WAITING);
        rig_assert_data(&rig, NOP, (const uint32_t[]){5}, 1);
        assert_true(pfifo_channel_idle(first));
        assert_false(pfifo_channel_idle(second));
        release(releases[1], fence[1], 7, 0x3000, push);
        rig_wait(&rig);
        rig_assert_data(&rig, NOP, (const uint32_t[]){5, 7}, 2);
        assert_true(pfifo_channel_idle(second));
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

/* In a segment GET does not tell where the ring is read; the room that was seen before is there nevertheless. */
static void a_channel_that_waits_in_a_segment_takes_more(void **state) {
    static const char *const chips[] = {"NV1A", "NV17", "NV20", "NV34"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        rig_open(&rig, rig_part(chips[i]));
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DMA, 8),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_DMA, 8);
        struct pfifo_buffer *push = rig_push_buffer(&rig), *fence = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        wait_on(channel, fence, 5, 0, push);
        for (uint32_t n = 1; n < 6; n++) {
            struct words words = new_words();
            words_method(&words, SUBCHANNEL, NOP, 5 + n);
            words_submit(&words, &rig, channel, push, 0x1000 * n);
        }
        release(other, fence, 5, 0x8000, push);
        rig_wait(&rig);
        rig_assert_data(&rig, NOP, (const uint32_t[]){5, 6, 7, 8, 9, 10}, 6);
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

/* An object of a later chip: as much of its class as the chip looks at. */
static void a_class_has_the_bits_of_its_chip(void **state) {
    static const struct {
        const char *chip;
        uint32_t given, kept;
    } rows[] = {{"NV10", 0x4056, 0x56}, {"NV20", 0x4097, 0x97}, {"NV34", 0x4097, 0x097}, {"NV40", 0x4097, 0x4097}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint32_t value = 0;
        rig_open(&rig, rig_part(rows[i].chip));
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DMA, 8);
        assert_int_equal(pfifo_channel_object(channel, 0xbeef4097, rows[i].given, &rig.error), PFIFO_OK);
        struct words words = new_words();
        words_method(&words, 3, 0, 0xbeef4097);
        words_method(&words, 3, NOP, 0x77);
        words_submit(&words, &rig, channel, rig_push_buffer(&rig), 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_true(pfifo_gpu_method_value(pfifo_device_gpu(rig.device), pfifo_channel_number(channel), rows[i].kept,
                                           NOP, &value));
        assert_int_equal(value, 0x77);
        rig_close(&rig);
    }
}

/* ---- words that are the channel's own pushbuffer ---- */

static const char *const with_dma[] = {"NV4", "NV10", "NV1A", "NV20", "NV34", "NV40", "NV44"};

/* NOP with this data at an offset of the pushbuffer. */
static void store_nop(struct pfifo_buffer *push, uint64_t offset, uint32_t data) {
    store(push, offset, 1u << 18 | SUBCHANNEL << 13 | NOP);
    store(push, offset + 4, data);
}

static void store_bind(struct pfifo_buffer *push, uint64_t offset) {
    store(push, offset, 1u << 18 | SUBCHANNEL << 13);
    store(push, offset + 4, GRAPHICS);
}

static enum pfifo_status submit_own(struct pfifo_channel *channel, struct pfifo_buffer *push, uint64_t offset,
                                    uint64_t bytes) {
    return pfifo_channel_submit(channel, pfifo_buffer_address(push) + offset, bytes, PFIFO_SUBMIT_RING, &rig.error);
}

/* No return, and nothing after the words: what comes there stays. Then another one, and a segment. */
static void words_of_its_own_leave_the_channel_at_their_end(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(with_dma); i++) {
        rig_open(&rig, rig_part(with_dma[i]));
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DMA, 8);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        store_bind(push, 0);
        store_nop(push, 8, 1);
        store(push, 16, 0xffffffff);
        store_nop(push, 0x100, 2);
        store_nop(push, 0x200, 3);
        store(push, 0x208, WORD_RETURN);
        assert_int_equal(submit_own(channel, push, 0, 16), PFIFO_OK);
        rig_wait(&rig);
        assert_int_equal(submit_own(channel, push, 0x100, 8), PFIFO_OK);
        assert_int_equal(submit(channel, push, 0x200, 12), PFIFO_OK);
        rig_wait(&rig);
        assert_true(pfifo_channel_idle(channel));
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig_read(push, 16), 0xffffffff);
        rig_assert_data(&rig, NOP, (const uint32_t[]){1, 2, 3}, 3);
        rig_close(&rig);
    }
}

static void words_of_its_own_may_call(void **state) {
    (void)state;
    for (size_t i = 2; i < COUNT_OF(with_dma); i++) {
        rig_open(&rig, rig_part(with_dma[i]));
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DMA, 8);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        store_bind(push, 0);
        store(push, 8, ((uint32_t)pfifo_buffer_address(push) + 0x100) | 2);
        store_nop(push, 12, 2);
        store_nop(push, 0x100, 1);
        store(push, 0x108, WORD_RETURN);
        assert_int_equal(submit_own(channel, push, 0, 20), PFIFO_OK);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        rig_assert_data(&rig, NOP, (const uint32_t[]){1, 2}, 2);
        rig_close(&rig);
    }
}

/* Another channel takes CACHE1 before the first comes back to its ring. */
static void a_channel_comes_back_to_its_ring_from_RAMFC_too(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(with_dma); i++) {
        rig_open(&rig, rig_part(with_dma[i]));
        struct pfifo_channel *channel[2] = {rig_channel(&rig, PFIFO_CHANNEL_DMA, 8),
                                            rig_channel(&rig, PFIFO_CHANNEL_DMA, 8)};
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        store_bind(push, 0);
        store_nop(push, 8, 1);
        for (uint32_t turn = 0; turn < 20; turn++) {
            assert_int_equal(submit_own(channel[turn & 1], push, 0, 16), PFIFO_OK);
            rig_wait(&rig);
        }
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig_count(&rig, NOP), 20);
        rig_close(&rig);
    }
}

static void words_of_its_own_that_do_not_end_are_a_timeout(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(with_dma); i++) {
        rig_open(&rig, rig_part(with_dma[i]));
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DMA, 8);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        store_bind(push, 0);
        store_nop(push, 8, 1);
        pfifo_gpu_wr32(pfifo_device_gpu(rig.device), PULL0, 0);
        assert_int_equal(submit_own(channel, push, 0, 16), PFIFO_OK);
        assert_int_equal(submit_own(channel, push, 0, 16), PFIFO_ERROR_TIMEOUT);
        assert_non_null(strstr(rig.error.message, "does not come to the end of its own pushbuffer"));
        rig_close(&rig);
    }
}

static void other_channels_have_no_words_of_their_own(void **state) {
    static const struct {
        const char *chip;
        enum pfifo_channel_mode mode;
    } rows[] = {{"NV40", PFIFO_CHANNEL_PIO}, {"G84", PFIFO_CHANNEL_DMA}, {"G84", PFIFO_CHANNEL_IB}, {"GF100", 0}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        rig_open(&rig, rig_part(rows[i].chip));
        struct pfifo_channel *channel = rig_channel(&rig, rows[i].mode, 8);
        assert_int_equal(submit_own(channel, rig_push_buffer(&rig), 0, 16), PFIFO_ERROR_UNSUPPORTED);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_segment_in_flight_is_not_given_another_way_back),
        cmocka_unit_test(a_segment_that_stays_in_flight_is_a_timeout),
        cmocka_unit_test(a_closed_channel_leaves_its_segments),
        cmocka_unit_test(a_segment_needs_a_place_for_the_way_back),
        cmocka_unit_test(the_driver_changes_the_channel_of_graphics),
        cmocka_unit_test(channels_that_wait_know_for_what_and_where_to_return),
        cmocka_unit_test(a_channel_that_waits_in_a_segment_takes_more),
        cmocka_unit_test(a_class_has_the_bits_of_its_chip),
        cmocka_unit_test(words_of_its_own_leave_the_channel_at_their_end),
        cmocka_unit_test(words_of_its_own_may_call),
        cmocka_unit_test(a_channel_comes_back_to_its_ring_from_RAMFC_too),
        cmocka_unit_test(words_of_its_own_that_do_not_end_are_a_timeout),
        cmocka_unit_test(other_channels_have_no_words_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
