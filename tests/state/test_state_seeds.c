/* SPDX-License-Identifier: MIT */
/*
 * The streams that the fuzz target of saved machines begins with (tests/fuzz/corpus/state/stream-CHIP, see
 * tests/fuzz/state.c) are of the layout that is loaded today: else it would get no further than their versions.
 * PFIFO_REFRESH_GOLDEN=1 writes them anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state/player.h"

#define MOST     0x10000u
#define A_STREAM 0x80u /* first byte; the other bits are the machine */
#define BUDGET   2000

static const struct seed {
    const char *chip;
    struct {
        uint32_t offset, value;
    } writes[8]; /* so that it is not as after power-on */
} seeds[] = {
    {"NV3", {{0x200, ~0u}, {0x2140, 0x11}, {0x2500, 1}}},
    {"NV40", {{0x200, ~0u}, {0x2140, 0x11}, {0x2500, 1}, {0x3220, 0x101}}},
    {"G84", {{0x200, ~0u}, {0x2140, 0x11}, {0x2500, 1}, {0x2600, 0x80001000}}},
    {"GF100", {{0x200, ~0u}, {0x204, ~0u}, {0x2204, 7}, {0x3008, 0xc0000100}, {0x300c, 0x001f0001}, {0x2a30, 0x100}}},
    {"GM107", {{0x200, ~0u}, {0x204, ~0u}, {0x800008, 0x80000100}, {0x80000c, 0x400}, {0x2a30, 0x100}}},
};

#define SEEDS (sizeof seeds / sizeof seeds[0])

static void seed_path(const struct seed *seed, char *path, size_t size) {
    snprintf(path, size, "%s/fuzz/corpus/state/stream-%s", getenv("PFIFO_TESTS"), seed->chip);
}

static struct pfifo_gpu *machine_of(const struct seed *seed) {
    const struct pfifo_config config = {
        .chip = pfifo_chip_by_name(seed->chip), .vram_bytes = 4 << 20, .system_bytes = 4 << 20};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);

    assert_non_null(gpu);
    return gpu;
}

/* The first machine of the chip. */
static unsigned part_of(const struct seed *seed) {
    unsigned i = 0;

    while (i < player_part_count && strcmp(player_parts[i].chip, seed->chip) != 0)
        i++;
    assert_true(i < player_part_count);
    return i;
}

static void write_seed(const struct seed *seed) {
    struct pfifo_gpu *gpu = machine_of(seed);
    struct player_bytes bytes;
    char path[4096];

    for (size_t i = 0; i < sizeof seed->writes / sizeof seed->writes[0] && seed->writes[i].offset; i++)
        pfifo_gpu_wr32(gpu, seed->writes[i].offset, seed->writes[i].value);
    pfifo_gpu_run(gpu, BUDGET);
    assert_true(player_save(gpu, &bytes, NULL));
    seed_path(seed, path, sizeof path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fputc((int)(A_STREAM | part_of(seed)), file), A_STREAM | part_of(seed));
    assert_int_equal(fwrite(bytes.data, 1, bytes.bytes, file), bytes.bytes);
    assert_int_equal(fclose(file), 0);
    free(bytes.data);
    pfifo_gpu_free(gpu);
}

static void check_seed(const struct seed *seed) {
    static uint8_t data[MOST];
    struct pfifo_error error = {0};
    char path[4096];

    seed_path(seed, path, sizeof path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t bytes = fread(data, 1, sizeof data, file);
    fclose(file);
    assert_true(bytes > 1 && bytes < sizeof data);
    assert_int_equal(data[0], A_STREAM | part_of(seed));
    struct pfifo_gpu *gpu = machine_of(seed);
    if (pfifo_gpu_load(gpu, data + 1, bytes - 1, &error) != PFIFO_OK)
        fail_msg("stream-%s: %s; scripts/refresh-golden writes it anew", seed->chip, error.message);
    pfifo_gpu_free(gpu);
}

static void the_seeds_of_the_fuzz_target_are_loaded(void **state) {
    (void)state;
    for (size_t i = 0; i < SEEDS; i++) {
        if (getenv("PFIFO_REFRESH_GOLDEN"))
            write_seed(&seeds[i]);
        check_seed(&seeds[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_seeds_of_the_fuzz_target_are_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
