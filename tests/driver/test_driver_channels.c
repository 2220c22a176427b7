/* SPDX-License-Identifier: MIT */
/* Many channels: opened, used side by side, closed. */
#include "driver/rig.h"

static struct rig rig; /* too large for a stack with a sanitizer */

static struct words new_words(enum pfifo_channel_mode mode) {
    return words_for(&rig, mode);
}

static void channels_have_their_own_objects_and_methods(void **state) {
    (void)state;
    FOR_EACH_PART {
        enum { CHANNELS = 20 };
        struct pfifo_channel *channel[CHANNELS];
        rig_open(&rig, part);
        uint32_t most = pfifo_chip_info(pfifo_chip_by_name(part->chip)).channels - 1u;
        uint32_t channels = most < CHANNELS ? most : CHANNELS;
        for (uint32_t i = 0; i < channels; i++)
            channel[i] = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 16);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        for (uint32_t i = 0; i < channels; i++) {
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_bind_class(&words, &rig, SUBCHANNEL);
            words_method(&words, SUBCHANNEL, NOP, 0x100 + i);
            words_submit(&words, &rig, channel[i], push, (uint64_t)i * 0x100);
        }
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        for (uint32_t i = 0; i < channels; i++) {
            uint32_t value = 0;
            assert_true(pfifo_gpu_method_value(pfifo_device_gpu(rig.device), pfifo_channel_number(channel[i]),
                                               part->graphics, NOP, &value));
            assert_int_equal(value, 0x100 + i);
            assert_true(pfifo_channel_idle(channel[i]));
        }
        rig_close(&rig);
    }
}

/* A table of pages that is new for all channels must be in all their directories. */
static void a_buffer_made_later_is_there_for_every_channel(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel[2] = {rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                                            rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0)};
        for (uint32_t turn = 0; turn < 4; turn++) {
            uint64_t address = part->calls ? 0x4000000u + turn * 0x1000u : UINT64_C(0x40000000) << turn;
            struct pfifo_buffer *push = rig_buffer(&rig, PFIFO_GART, 0x1000, address);
            assert_int_equal(pfifo_buffer_address(push), address);
            for (uint32_t i = 0; i < 2; i++) {
                struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
                words_bind_class(&words, &rig, SUBCHANNEL);
                words_method(&words, SUBCHANNEL, NOP, turn);
                words_submit(&words, &rig, channel[i], push, 0x100 * i);
            }
            rig_wait(&rig);
            pfifo_buffer_free(push);
        }
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig_count(&rig, NOP), 8);
        rig_close(&rig);
    }
}

static void a_closed_channel_leaves_its_number_to_the_next(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct pfifo_channel *other = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        uint32_t number = 0;
        for (uint32_t turn = 0; turn < 50; turn++) {
            struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
            number = turn ? number : pfifo_channel_number(channel);
            assert_int_equal(pfifo_channel_number(channel), number);
            assert_int_not_equal(number, pfifo_channel_number(other));
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_bind_class(&words, &rig, SUBCHANNEL);
            words_method(&words, SUBCHANNEL, NOP, turn);
            words_submit(&words, &rig, channel, push, 0);
            if (turn % 2) /* every other is closed with its work undone */
                rig_wait(&rig);
            pfifo_channel_close(channel);
            assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_IDLE);
        }
        assert_int_equal(rig_count(&rig, NOP), 25);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 99);
        words_submit(&words, &rig, other, push, 0x800);
        rig_wait(&rig);
        assert_int_equal(rig_count(&rig, NOP), 26);
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

/* The same number, but nothing else of the one before. */
static void a_new_channel_does_not_know_the_objects_of_the_old_one(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        uint32_t number = pfifo_channel_number(channel);
        assert_int_equal(pfifo_channel_object(channel, SOFTWARE, part->software, &rig.error), PFIFO_OK);
        pfifo_channel_close(channel);
        channel = pfifo_channel_open(rig.device, &(const struct pfifo_channel_config){0}, &rig.error);
        assert_non_null(channel);
        assert_int_equal(pfifo_channel_number(channel), number);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_method(&words, 0, 0, GRAPHICS);
        words_method(&words, 0, 0, SOFTWARE);
        words_method(&words, 0, 0, VRAM_HANDLE);
        words_method(&words, 0, 0, GART_HANDLE);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 4);
        for (size_t i = 0; i < 4; i++)
            assert_string_equal(rig.faults[i].error, "HASH_FAILED");
        rig_close(&rig);
    }
}

/* RAMFC of the number is written anew. Another channel runs in between, so that the old one is saved there. */
static void a_new_channel_does_not_have_the_count_of_the_old_one(void **state) {
    static const struct {
        const char *chip;
        uint32_t user, stride;
    } rows[] = {{"NV10", 0x800000, 0x10000},
                {"NV34", 0x800000, 0x10000},
                {"NV40", 0xc00000, 0x1000},
                {"G80", 0xc00000, 0x2000},
                {"G84", 0xc00000, 0x2000}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        rig_open(&rig, rig_part(rows[i].chip));
        struct pfifo_channel *old = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0), *channel = old;
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        uint32_t number = pfifo_channel_number(old), ref = rows[i].user + rows[i].stride * number + 0x48;
        for (uint32_t turn = 0; turn < 3; turn++) {
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_bind_class(&words, &rig, SUBCHANNEL);
            words_method(&words, SUBCHANNEL, turn == 0 ? 0x50 : NOP, 77);
            words_submit(&words, &rig, turn == 1 ? other : channel, push, 0x800 * turn);
            rig_wait(&rig);
            assert_int_equal(pfifo_gpu_rd32(pfifo_device_gpu(rig.device), ref), turn == 2 ? 0 : 77);
            if (turn != 1)
                continue;
            pfifo_channel_close(old);
            channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
            assert_int_equal(pfifo_channel_number(channel), number);
        }
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

static void channels_run_out(void **state) {
    static const struct {
        const char *chip;
        uint32_t channels;
    } counts[] = {{"NV4", 15},     {"NV10", 31},   {"NV34", 31},   {"NV40", 31},   {"G84", 126},
                  {"G80", 126},    {"MCP89", 126}, {"GF100", 128}, {"GF117", 128}, {"GK20A", 128},
                  {"GK208", 1024}, {"GM20B", 512}, {"GP10B", 512}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        struct pfifo_error error;
        struct pfifo_device *device = pfifo_device_open(
            &(const struct pfifo_device_config){.gpu.chip = pfifo_chip_by_name(counts[i].chip)}, NULL);
        assert_non_null(device);
        const struct pfifo_channel_config config = {.entries = 4};
        for (uint32_t n = 0; n < counts[i].channels; n++)
            assert_non_null(pfifo_channel_open(device, &config, &error));
        assert_null(pfifo_channel_open(device, &config, &error));
        assert_int_equal(error.status, PFIFO_ERROR_MEMORY);
        pfifo_device_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_have_their_own_objects_and_methods),
        cmocka_unit_test(a_buffer_made_later_is_there_for_every_channel),
        cmocka_unit_test(a_closed_channel_leaves_its_number_to_the_next),
        cmocka_unit_test(a_new_channel_does_not_know_the_objects_of_the_old_one),
        cmocka_unit_test(a_new_channel_does_not_have_the_count_of_the_old_one),
        cmocka_unit_test(channels_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
