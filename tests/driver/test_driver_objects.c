/* SPDX-License-Identifier: MIT */
/* Objects by handle or class, those of engines and those of the software. */
#include "driver/rig.h"

static struct rig rig; /* too large for a stack with a sanitizer */

static struct words new_words(enum pfifo_channel_mode mode) {
    return words_for(&rig, mode);
}

static void software_methods_are_the_programs(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        assert_int_equal(pfifo_channel_object(channel, SOFTWARE, part->software, &rig.error), PFIFO_OK);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_software(&words, &rig, 6);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, 6, 0x500, 0xabc);
        words_method(&words, SUBCHANNEL, NOP, 9);
        words_method(&words, 6, 0x504, 0xdef);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig.software_count, 2);
        assert_int_equal(rig.software[0].channel, pfifo_channel_number(channel));
        assert_int_equal(rig.software[0].subchannel, 6);
        assert_int_equal(rig.software[0].method, 0x500);
        assert_int_equal(rig.software[0].data, 0xabc);
        assert_int_equal(rig.software[1].method, 0x504);
        assert_int_equal(rig.software[1].data, 0xdef);
        rig_assert_data(&rig, NOP, (const uint32_t[]){9}, 1);
        rig_close(&rig);
    }
}

static void a_software_method_that_nobody_takes_is_a_fault(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        rig.refuse_software = true;
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        assert_int_equal(pfifo_channel_object(channel, SOFTWARE, part->software, &rig.error), PFIFO_OK);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_bind_software(&words, &rig, 6);
        words_method(&words, 6, 0x500, 0xabc);
        words_method(&words, SUBCHANNEL, NOP, 9);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        assert_string_equal(rig.faults[0].unit, part->fermi ? "PBDMA" : "CACHE_ERROR");
        assert_string_equal(rig.faults[0].error, part->fermi ? "DEVICE" : "DEVICE_SOFTWARE");
        assert_int_equal(rig.faults[0].subchannel, 6);
        assert_int_equal(rig.faults[0].method, 0x500);
        assert_int_equal(rig.faults[0].data, 0xabc);
        rig_assert_data(&rig, NOP, (const uint32_t[]){9}, 1);
        rig_close(&rig);
    }
}

/* Methods of software objects, but only of those. What it knows: test_driver_software.c. */
static void without_a_callback_the_driver_takes_what_it_knows(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct pfifo_error error;
        struct pfifo_device *device =
            pfifo_device_open(&(const struct pfifo_device_config){.gpu.chip = pfifo_chip_by_name(part->chip)}, &error);
        assert_non_null(device);
        rig = (struct rig){.part = part, .device = device};
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        assert_int_equal(pfifo_channel_object(channel, SOFTWARE, part->software, &rig.error), PFIFO_OK);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_software(&words, &rig, 6);
        words_method(&words, 6, 0x500, 0xabc);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(pfifo_device_faults(device), 0);
        words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_method(&words, 5, 0x500, 0xabc); /* nothing is bound there */
        words_submit(&words, &rig, channel, push, 0x1000);
        rig_wait(&rig);
        assert_int_equal(pfifo_device_faults(device), 1);
        pfifo_device_close(device);
    }
}

/* A subchannel that was the software's is an engine's again after a bind, and the other way round. */
static void a_subchannel_changes_between_software_and_engine(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->fermi)
            continue; /* from GK104 on the subchannel decides */
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        assert_int_equal(pfifo_channel_object(channel, SOFTWARE, part->software, &rig.error), PFIFO_OK);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_software(&words, &rig, 3);
        words_method(&words, 3, NOP, 1);
        words_bind_class(&words, &rig, 3);
        words_method(&words, 3, NOP, 2);
        words_bind_software(&words, &rig, 3);
        words_method(&words, 3, NOP, 3);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig.software_count, 2);
        assert_int_equal(rig.software[0].data, 1);
        assert_int_equal(rig.software[1].data, 3);
        uint32_t value = 0;
        assert_true(pfifo_gpu_method_value(pfifo_device_gpu(rig.device), pfifo_channel_number(channel), part->graphics,
                                           NOP, &value));
        assert_int_equal(value, 2);
        rig_close(&rig);
    }
}

/* The hash and its probes: more handles than fit one slot, all found again. */
static void a_thousand_handles_are_found(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        for (uint32_t i = 0; i < 1000; i++)
            assert_int_equal(pfifo_channel_object(channel, 0x80000000u + i * 0x35, part->graphics, &rig.error),
                             PFIFO_OK);
        for (uint32_t i = 0; i < 1000; i++) {
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_method(&words, i % 8, 0, 0x80000000u + i * 0x35);
            words_submit(&words, &rig, channel, push, (uint64_t)(i % 64) * 64);
            rig_wait(&rig);
        }
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig_count(&rig, 0), 1000);
        rig_close(&rig);
    }
}

/* Handles that all fall on one slot: the 128 probes of NV4x are the limit there. */
static void handles_that_collide_are_found_or_refused(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        uint32_t made = 0;
        while (made < 200 &&
               pfifo_channel_object(channel, 0x1000 * (made + 1) | (made + 1), part->graphics, &rig.error) == PFIFO_OK)
            made++;
        if (made < 200)
            assert_int_equal(rig.error.status, PFIFO_ERROR_MEMORY);
        assert_true(made >= 100);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_method(&words, 1, 0, 0x1000 * made | made);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

static void objects_that_cannot_be_are_refused(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        assert_int_equal(pfifo_channel_object(channel, 1, 0, &rig.error), PFIFO_ERROR_ARGUMENT);
        if (part->fermi) {
            assert_int_equal(pfifo_channel_dma_object(channel, 1, buffer, 0, 16, &rig.error), PFIFO_ERROR_UNSUPPORTED);
        } else {
            assert_int_equal(pfifo_channel_object(channel, 0, part->graphics, &rig.error), PFIFO_OK);
            assert_int_equal(pfifo_channel_object(channel, 0, part->graphics, &rig.error), PFIFO_ERROR_ARGUMENT);
            assert_int_equal(pfifo_channel_object(channel, GRAPHICS, part->graphics, NULL), PFIFO_ERROR_ARGUMENT);
            assert_int_equal(pfifo_channel_dma_object(channel, GRAPHICS, buffer, 0, 16, &rig.error),
                             PFIFO_ERROR_ARGUMENT);
            assert_int_equal(pfifo_channel_dma_object(channel, 1, buffer, 0xff8, 16, &rig.error), PFIFO_ERROR_ARGUMENT);
            assert_int_equal(pfifo_channel_dma_object(channel, 1, buffer, 0, 0, &rig.error), PFIFO_ERROR_ARGUMENT);
            const struct pfifo_device_config config = {.gpu = {.chip = pfifo_chip_by_name(part->chip)}};
            struct pfifo_device *other = pfifo_device_open(&config, &rig.error);
            buffer = pfifo_buffer_new(other, PFIFO_VRAM, 0x1000, 0, &rig.error);
            assert_int_equal(pfifo_channel_dma_object(channel, 1, buffer, 0, 16, &rig.error), PFIFO_ERROR_ARGUMENT);
            pfifo_device_close(other);
            /* No Curie or Tesla with a class of the other's video engine. */
            assert_int_equal(pfifo_channel_object(channel, 2, part->calls ? 0x85b5 : 0x4075, &rig.error),
                             strcmp(part->chip, "G80") == 0 ? PFIFO_OK : PFIFO_ERROR_UNSUPPORTED);
        }
        rig_close(&rig);
    }
}

/* However many a program asks for: the driver looks through them when one is bound. */
static void objects_of_a_channel_run_out(void **state) {
    (void)state;
    FOR_EACH_PART {
        uint32_t count = 0;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        while (count <= 4096 && pfifo_channel_object(channel, count + 1, part->software, &rig.error) == PFIFO_OK)
            count++;
        assert_in_range(count, 1000, 4096);
        assert_int_equal(rig.error.status, PFIFO_ERROR_MEMORY);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(software_methods_are_the_programs),
        cmocka_unit_test(a_software_method_that_nobody_takes_is_a_fault),
        cmocka_unit_test(without_a_callback_the_driver_takes_what_it_knows),
        cmocka_unit_test(a_subchannel_changes_between_software_and_engine),
        cmocka_unit_test(a_thousand_handles_are_found),
        cmocka_unit_test(handles_that_collide_are_found_or_refused),
        cmocka_unit_test(objects_that_cannot_be_are_refused),
        cmocka_unit_test(objects_of_a_channel_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
