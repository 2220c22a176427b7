/* SPDX-License-Identifier: MIT */
/* Configurations of programs that are older or newer than the library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pfifo/decode.h>
#include <pfifo/driver.h>
#include <pfifo/gpu.h>

#include "chip/config.h"
#include "engine/shade/cache.h"
#include "engine/shade/compile/compile.h"
#include "gpu/gpu.h"

/* As a later version might have it. */
struct later_config {
    struct pfifo_config config;
    uint64_t later[2];
};

static struct later_config later_of(const char *chip) {
    return (struct later_config){.config = {.size = sizeof(struct later_config), .chip = pfifo_chip_by_name(chip)}};
}

static void expect_made(const struct pfifo_config *config) {
    struct pfifo_error error = {0};
    struct pfifo_gpu *gpu = pfifo_gpu_new(config, &error);
    if (!gpu)
        fail_msg("%s", error.message);
    assert_ptr_equal(pfifo_gpu_chip(gpu), config->chip);
    assert_int_equal(pfifo_gpu_bar_bytes(gpu, 1), config->bar1_bytes);
    pfifo_gpu_free(gpu);
}

static void expect_refused(const struct pfifo_config *config, enum pfifo_status status) {
    struct pfifo_error error = {0};
    assert_null(pfifo_gpu_new(config, &error));
    assert_int_equal(error.status, status);
    assert_non_null(strstr(error.message, "pfifo_config"));
}

static void a_config_of_size_0_is_that_of_the_first_version(void **state) {
    struct pfifo_config config = {.chip = pfifo_chip_by_name("NV40"), .bar1_bytes = 1 << 20};
    (void)state;
    expect_made(&config);
    config.size = sizeof config;
    expect_made(&config);
}

static void a_later_config_is_taken_if_it_asks_for_nothing_new(void **state) {
    struct later_config later = later_of("NV40");
    (void)state;
    later.config.bar1_bytes = 1 << 21;
    expect_made(&later.config);
    later.later[1] = 1;
    expect_refused(&later.config, PFIFO_ERROR_UNSUPPORTED);
    later.later[1] = 0;
    later.later[0] = UINT64_C(1) << 63;
    expect_refused(&later.config, PFIFO_ERROR_UNSUPPORTED);
}

static void a_config_that_no_version_had_is_refused(void **state) {
    struct pfifo_config config = {.chip = pfifo_chip_by_name("NV40")};
    (void)state;
    for (config.size = 1; config.size < offsetof(struct pfifo_config, vram); config.size++)
        expect_refused(&config, PFIFO_ERROR_ARGUMENT);
}

static void no_compile_leaves_programs_to_the_interpreter(void **state) {
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const struct pfifo_config config = {
            .size = sizeof config, .chip = pfifo_chip_by_name("GM107"), .no_compile = i};
        struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
        assert_non_null(gpu);
        assert_ptr_equal(gpu->programs->executor, i ? NULL : shade_compiler());
        pfifo_gpu_free(gpu);
    }
}

/* The library has three fields, of which the first version had one. */
struct grown {
    size_t size;
    uint64_t first, second, third;
};

static void fields_that_an_older_program_does_not_have_are_0(void **state) {
    const struct grown given = {16, 1, 2, 3};
    const size_t sizes[] = {0, 16, 24, 32};
    const uint64_t seconds[] = {0, 0, 2, 2}, thirds[] = {0, 0, 0, 3};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct grown config = given, read;
        memset(&read, 0xaa, sizeof read);
        config.size = sizes[i];
        assert_int_equal(config_read(&read, sizeof read, &config, 16, "grown", NULL), PFIFO_OK);
        assert_int_equal(read.size, sizeof read);
        assert_int_equal(read.first, 1);
        assert_int_equal(read.second, seconds[i]);
        assert_int_equal(read.third, thirds[i]);
    }
}

static bool ignore_text(void *opaque, const char *text, size_t bytes) {
    (void)opaque, (void)text, (void)bytes;
    return true;
}

/* The machine's config is the last field of a device's. */
struct later_device_config {
    struct pfifo_device_config config;
    uint64_t later;
};

static void a_device_takes_the_config_of_a_later_machine(void **state) {
    struct later_device_config later = {.config = {.size = sizeof later,
                                                   .gpu = {.size = sizeof(struct pfifo_config) + sizeof later.later,
                                                           .chip = pfifo_chip_by_name("NV40")}}};
    struct pfifo_error error = {0};
    (void)state;
    struct pfifo_device *device = pfifo_device_open(&later.config, &error);
    assert_non_null(device);
    pfifo_device_close(device);
    later.later = 1;
    assert_null(pfifo_device_open(&later.config, &error));
    assert_int_equal(error.status, PFIFO_ERROR_UNSUPPORTED);
    later.config.size = 8;
    assert_null(pfifo_device_open(&later.config, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
}

static void decoding_takes_options_of_a_later_version(void **state) {
    struct {
        struct pfifo_decode_options options;
        uint64_t later;
    } later = {.options = {.size = sizeof later, .chip = pfifo_chip_by_name("NV40")}};
    struct pfifo_error error = {0};
    (void)state;
    assert_int_equal(pfifo_decode_raw("", 0, &later.options, ignore_text, NULL, &error), PFIFO_OK);
    later.later = 1;
    assert_int_equal(pfifo_decode_raw("", 0, &later.options, ignore_text, NULL, &error), PFIFO_ERROR_UNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_config_of_size_0_is_that_of_the_first_version),
        cmocka_unit_test(a_later_config_is_taken_if_it_asks_for_nothing_new),
        cmocka_unit_test(a_config_that_no_version_had_is_refused),
        cmocka_unit_test(no_compile_leaves_programs_to_the_interpreter),
        cmocka_unit_test(fields_that_an_older_program_does_not_have_are_0),
        cmocka_unit_test(a_device_takes_the_config_of_a_later_machine),
        cmocka_unit_test(decoding_takes_options_of_a_later_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
