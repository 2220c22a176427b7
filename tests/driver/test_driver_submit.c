/* SPDX-License-Identifier: MIT */
/* Rings and segments through the public API, on chips of every generation that has a machine. */
#include "driver/rig.h"

static struct rig rig; /* too large for a stack with a sanitizer */

static struct words new_words(enum pfifo_channel_mode mode) {
    return words_for(&rig, mode);
}

static void a_submitted_method_reaches_its_object(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 0x1234);
        words_submit(&words, &rig, channel, push, 0);
        assert_false(pfifo_channel_idle(channel));
        rig_wait(&rig);
        assert_true(pfifo_channel_idle(channel));
        assert_int_equal(rig.fault_count, 0);
        rig_assert_data(&rig, NOP, (const uint32_t[]){0x1234}, 1);
        assert_int_equal(rig.methods[rig.method_count - 1].channel, pfifo_channel_number(channel));
        uint32_t value = 0;
        assert_true(pfifo_gpu_method_value(pfifo_device_gpu(rig.device), pfifo_channel_number(channel), part->graphics,
                                           NOP, &value));
        assert_int_equal(value, 0x1234);
        rig_close(&rig);
    }
}

/* Each segment has its own place, so that a slot that is written too early shows. */
static void send_many(enum pfifo_channel_mode mode, uint32_t entries, uint32_t segments) {
    struct pfifo_channel *channel = rig_channel(&rig, mode, entries);
    struct pfifo_buffer *push = rig_buffer(&rig, PFIFO_GART, (uint64_t)segments * 32, 0);
    rig.method_count = 0;
    for (uint32_t i = 0; i < segments; i++) {
        struct words words = new_words(mode);
        if (i == 0)
            words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, i);
        words_submit(&words, &rig, channel, push, (uint64_t)i * 32);
    }
    rig_wait(&rig);
    assert_int_equal(rig.method_count, segments + 1);
    for (uint32_t i = 0; i < segments; i++)
        assert_int_equal(rig.methods[i + 1].data, i);
    assert_true(pfifo_channel_idle(channel));
    assert_int_equal(rig.fault_count, 0);
}

static void two_thousand_segments_go_through_a_small_ring_in_order(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        send_many(PFIFO_CHANNEL_DEFAULT, 4, 2000);
        send_many(PFIFO_CHANNEL_DEFAULT, 64, 500);
        rig_close(&rig);
    }
}

static bool supports(const struct part *part, enum pfifo_channel_mode mode) {
    return mode == PFIFO_CHANNEL_DMA ? !part->fermi : !part->calls;
}

static void a_channel_has_the_modes_of_its_chip(void **state) {
    static const enum pfifo_channel_mode modes[] = {PFIFO_CHANNEL_DMA, PFIFO_CHANNEL_IB};
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        for (size_t i = 0; i < COUNT_OF(modes); i++) {
            const struct pfifo_channel_config config = {.mode = modes[i]};
            if (supports(part, modes[i])) {
                send_many(modes[i], 4, 100);
                continue;
            }
            assert_null(pfifo_channel_open(rig.device, &config, &rig.error));
            assert_int_equal(rig.error.status, PFIFO_ERROR_UNSUPPORTED);
        }
        rig_close(&rig);
    }
}

static void a_command_goes_on_in_the_next_segment(void **state) {
    static const uint32_t data[] = {1, 2, 3};
    (void)state;
    FOR_EACH_PART {
        if (part->calls)
            continue; /* a return is no data */
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_IB, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words first = new_words(PFIFO_CHANNEL_IB), second = first;
        words_bind_class(&first, &rig, SUBCHANNEL);
        words_add(&first, part->fermi ? 3u << 29 | 3u << 16 | NOP >> 2 : 0x40000000u | 3u << 18 | NOP);
        words_add(&first, 1);
        words_add(&second, 2);
        words_add(&second, 3);
        words_submit(&first, &rig, channel, push, 0);
        words_submit(&second, &rig, channel, push, 0x1000);
        rig_wait(&rig);
        rig_assert_data(&rig, NOP, data, 3);
        rig_close(&rig);
    }
}

/* An entry of a ring has 22 bits of length on Tesla, 21 from GF100 on. */
static void a_segment_longer_than_an_entry_is_sent_in_pieces(void **state) {
    static const char *const chips[] = {"G84", "GF100"};
    (void)state;
    FOR_EACH_PART {
        if (strcmp(part->chip, chips[0]) != 0 && strcmp(part->chip, chips[1]) != 0)
            continue;
        static uint32_t page[0x4000];
        uint64_t bytes = part->fermi ? 0x2810000 : 0x1010000; /* Fermi: more pieces than the ring has room for */
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_IB, 4);
        struct pfifo_buffer *push = rig_buffer(&rig, PFIFO_VRAM, bytes, 0);
        struct words words = new_words(PFIFO_CHANNEL_IB);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 77);
        for (size_t i = 0; i < COUNT_OF(page); i++)
            page[i] = part->fermi ? 0x20000000 : 0; /* packets without data */
        for (uint64_t at = 0; at < bytes; at += sizeof page)
            assert_true(pfifo_buffer_write(push, at, page, sizeof page));
        assert_true(pfifo_buffer_write(push, bytes - 4 * words.count, words.word, 4 * words.count));
        assert_int_equal(pfifo_channel_submit(channel, pfifo_buffer_address(push), bytes, 0, &rig.error), PFIFO_OK);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        rig_assert_data(&rig, NOP, (const uint32_t[]){77}, 1);
        rig_close(&rig);
    }
}

static void segments_that_cannot_be_are_refused(void **state) {
    static const struct {
        uint64_t address, bytes;
        unsigned flags;
    } bad[] = {{0x1000, 0, 0},
               {0x1000, 6, 0},
               {0x1002, 4, 0},
               {0x1000, 4, 0x80},
               {UINT64_C(1) << 40, 4, 0},
               {0x1000, UINT64_MAX - 3, 0}};
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        for (size_t i = 0; i < COUNT_OF(bad); i++)
            assert_int_equal(pfifo_channel_submit(channel, bad[i].address, bad[i].bytes, bad[i].flags, &rig.error),
                             PFIFO_ERROR_ARGUMENT);
        assert_true(pfifo_channel_idle(channel));
        rig_close(&rig);
    }
}

static void observe_flags(void *opaque, const struct pfifo_event *event) {
    *(uint64_t *)opaque = event->value[2];
}

/* There is a bit for it from GF100 on; before, nothing is asked of the GPU. */
static void a_segment_without_prefetch_is_marked(void **state) {
    (void)state;
    FOR_EACH_PART {
        uint64_t flags = 0;
        rig_open(&rig, part);
        assert_int_equal(
            pfifo_gpu_observe(pfifo_device_gpu(rig.device), "pusher.segment", observe_flags, &flags, &rig.error),
            PFIFO_OK);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(flags >> 31, 0);
        assert_int_equal(pfifo_channel_submit(channel, pfifo_buffer_address(push), 4 * words.count,
                                              PFIFO_SUBMIT_NO_PREFETCH, &rig.error),
                         PFIFO_OK);
        rig_wait(&rig);
        assert_int_equal(flags >> 31, part->fermi);
        assert_int_equal(rig.fault_count, 0);
        rig_assert_data(&rig, NOP, (const uint32_t[]){1, 1}, 2);
        rig_close(&rig);
    }
}

/* Rings in DMA mode must be below 4 GiB, whatever is above. */
static void a_buffer_at_a_high_address_does_not_draw_rings_up(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->fermi || part->calls)
            continue;
        rig_open(&rig, part);
        rig_buffer(&rig, PFIFO_GART, 0x1000, UINT64_C(0x8000000000));
        struct pfifo_buffer *chosen = rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        assert_true(pfifo_buffer_address(chosen) < UINT64_C(0x100000000));
        send_many(PFIFO_CHANNEL_DMA, 16, 50);
        rig_close(&rig);
    }
}

static void rings_have_a_power_of_two_of_entries(void **state) {
    static const uint32_t bad[] = {1, 2, 3, 5, 1000, 65537, 131072};
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        for (size_t i = 0; i < COUNT_OF(bad); i++) {
            const struct pfifo_channel_config config = {.entries = bad[i]};
            assert_null(pfifo_channel_open(rig.device, &config, &rig.error));
            assert_int_equal(rig.error.status, PFIFO_ERROR_ARGUMENT);
        }
        rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 65536);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_submitted_method_reaches_its_object),
        cmocka_unit_test(two_thousand_segments_go_through_a_small_ring_in_order),
        cmocka_unit_test(a_channel_has_the_modes_of_its_chip),
        cmocka_unit_test(a_command_goes_on_in_the_next_segment),
        cmocka_unit_test(a_segment_longer_than_an_entry_is_sent_in_pieces),
        cmocka_unit_test(segments_that_cannot_be_are_refused),
        cmocka_unit_test(a_segment_without_prefetch_is_marked),
        cmocka_unit_test(a_buffer_at_a_high_address_does_not_draw_rings_up),
        cmocka_unit_test(rings_have_a_power_of_two_of_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
