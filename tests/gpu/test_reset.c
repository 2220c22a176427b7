/* SPDX-License-Identifier: MIT */
/* pfifo_gpu_reset(): a GPU that has worked is again one that was just made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pfifo/driver.h>
#include <pfifo/state.h>

static const char *const chips[] = {"NV1", "NV3", "NV4", "NV34", "NV40", "G80", "G84", "GF100", "GK104", "GP100"};
#define CHIPS (sizeof chips / sizeof chips[0])

struct bytes {
    uint8_t *data;
    size_t count;
};

static bool keep(void *opaque, const void *data, size_t count) {
    struct bytes *bytes = opaque;
    bytes->data = realloc(bytes->data, bytes->count + count);
    memcpy(bytes->data + bytes->count, data, count);
    bytes->count += count;
    return true;
}

static struct bytes state_of(struct pfifo_gpu *gpu) {
    struct bytes bytes = {0};
    assert_int_equal(pfifo_gpu_save(gpu, keep, &bytes, NULL), PFIFO_OK);
    return bytes;
}

static struct pfifo_device_config config_of(const char *chip) {
    return (struct pfifo_device_config){.gpu = {.chip = pfifo_chip_by_name(chip), .system_bytes = 32 << 20}};
}

/* A driver has set it up, with a channel. */
static struct pfifo_device *used_device(const char *chip, struct pfifo_error *error) {
    struct pfifo_device_config config = config_of(chip);
    struct pfifo_device *device = pfifo_device_open(&config, error);
    if (!device || !pfifo_channel_open(device, &(struct pfifo_channel_config){0}, error))
        fail_msg("%s: %s", chip, error->message);
    pfifo_device_run(device, 1000);
    return device;
}

static bool same_as_new(struct pfifo_gpu *gpu, const char *chip) {
    struct pfifo_device_config config = config_of(chip);
    struct pfifo_gpu *fresh = pfifo_gpu_new(&config.gpu, NULL);
    struct bytes is = state_of(gpu), want = state_of(fresh);
    bool same = is.count == want.count && memcmp(is.data, want.data, want.count) == 0;
    pfifo_gpu_free(fresh);
    free(is.data);
    free(want.data);
    return same;
}

static void after_a_reset_a_gpu_is_as_new(void **state) {
    (void)state;
    for (size_t i = 0; i < CHIPS; i++) {
        struct pfifo_error error;
        struct pfifo_device *device = used_device(chips[i], &error);
        struct pfifo_gpu *gpu = pfifo_device_gpu(device);
        assert_false(same_as_new(gpu, chips[i]));
        assert_int_equal(pfifo_gpu_reset(gpu, 0, NULL), PFIFO_OK);
        if (!same_as_new(gpu, chips[i]))
            fail_msg("%s is not as new", chips[i]);
        pfifo_device_close(device);
    }
}

static void a_reset_may_keep_memory(void **state) {
    (void)state;
    for (size_t i = 0; i < CHIPS; i++) {
        struct pfifo_error error;
        struct pfifo_device *device = used_device(chips[i], &error);
        struct pfifo_gpu *gpu = pfifo_device_gpu(device);
        char text[6] = "pfifo";
        pfifo_gpu_vram_write(gpu, 0x12345, text, sizeof text);
        assert_int_equal(pfifo_gpu_reset(gpu, PFIFO_RESET_KEEP_MEMORY, NULL), PFIFO_OK);
        pfifo_gpu_vram_read(gpu, 0x12345, text, sizeof text);
        assert_string_equal(text, "pfifo");
        pfifo_gpu_vram_clear(gpu, 0, pfifo_gpu_vram_bytes(gpu));
        pfifo_gpu_system_clear(gpu, 0, pfifo_gpu_system_bytes(gpu));
        if (!same_as_new(gpu, chips[i]))
            fail_msg("%s: more than its memory was kept", chips[i]);
        pfifo_device_close(device);
    }
}

static void count_events(void *opaque, const struct pfifo_event *event) {
    (void)event;
    ++*(unsigned *)opaque;
}

static void set_line(void *opaque, bool level) {
    *(int *)opaque = level;
}

static void observers_and_callbacks_stay(void **state) {
    int line = -1;
    unsigned events = 0;
    const struct pfifo_config config = {.chip = pfifo_chip_by_name("NV40"), .irq = set_line, .opaque = &line};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    (void)state;
    assert_int_equal(pfifo_gpu_observe(gpu, "bus.line", count_events, &events, NULL), PFIFO_OK);
    for (unsigned n = 1; n <= 3; n++) {
        pfifo_gpu_wr32(gpu, 0x140, 3);
        pfifo_gpu_wr32(gpu, 0x100, 0x80000000); /* software interrupt */
        assert_int_equal(line, 1);
        assert_int_equal(events, n);
        assert_int_equal(pfifo_gpu_reset(gpu, 0, NULL), PFIFO_OK);
        assert_int_equal(line, 0);
        assert_false(pfifo_gpu_irq(gpu));
        assert_int_equal(events, n); /* nothing happened on the bus */
    }
    pfifo_gpu_free(gpu);
}

static void flags_that_do_not_exist_are_refused(void **state) {
    const struct pfifo_config config = {.chip = pfifo_chip_by_name("NV40")};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    (void)state;
    pfifo_gpu_wr32(gpu, 0x140, 3);
    assert_int_equal(pfifo_gpu_reset(gpu, 2, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_gpu_rd32(gpu, 0x140), 3);
    pfifo_gpu_free(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_reset_a_gpu_is_as_new),
        cmocka_unit_test(a_reset_may_keep_memory),
        cmocka_unit_test(observers_and_callbacks_stay),
        cmocka_unit_test(flags_that_do_not_exist_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
