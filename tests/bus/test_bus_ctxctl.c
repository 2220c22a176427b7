/* SPDX-License-Identifier: MIT */
/* PGRAPH's falcons as nouveau sees them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/event.h>
#include <pfifo/gpu.h>
#include <pfifo/state.h>

#define FECS        0x409000u
#define GPCCS       0x41a000u
#define CPUCTL      0x100u
#define DATA_INDEX  0x1c0u
#define DATA        0x1c4u
#define WRCMD_DATA  (FECS + 0x500)
#define WRCMD       (FECS + 0x504)
#define SCRATCH     (FECS + 0x800)
#define SCRATCH_SET (FECS + 0x820)
#define SCRATCH_CLR (FECS + 0x840)
#define CUR         (FECS + 0xb00)
#define NEXT        (FECS + 0xb04)
#define DONE        0x80000000u
#define WRITE_MOVES 0x01000000u

static const char *const chips[] = {"GF100", "GF119", "GK104", "GK208", "GM107"};

static struct pfifo_gpu *machine(const char *chip) {
    const struct pfifo_config config = {.size = sizeof config, .chip = pfifo_chip_by_name(chip)};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_non_null(gpu);
    pfifo_gpu_wr32(gpu, 0x200, ~0u);
    return gpu;
}

static void start(struct pfifo_gpu *gpu) {
    pfifo_gpu_wr32(gpu, FECS + 0x10c, 0);
    pfifo_gpu_wr32(gpu, FECS + CPUCTL, 2);
}

static void the_firmware_says_that_it_runs_and_how_large_a_context_is(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct pfifo_gpu *gpu = machine(chips[i]);
        assert_int_equal(pfifo_gpu_rd32(gpu, SCRATCH), 0);
        assert_int_equal(pfifo_gpu_rd32(gpu, FECS + CPUCTL), 0x10);
        start(gpu);
        assert_int_equal(pfifo_gpu_rd32(gpu, SCRATCH), DONE);
        assert_int_equal(pfifo_gpu_rd32(gpu, SCRATCH + 4), 0x20000);
        pfifo_gpu_free(gpu);
    }
}

/* nouveau makes its first context by hand: a channel is current, registers are set, the context is put away. */
static void a_channel_becomes_current_and_its_context_is_put_away(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct pfifo_gpu *gpu = machine(chips[i]);
        start(gpu);
        pfifo_gpu_wr32(gpu, SCRATCH_CLR, DONE);
        assert_int_equal(pfifo_gpu_rd32(gpu, SCRATCH), 0);
        pfifo_gpu_wr32(gpu, WRCMD_DATA, 0x80012345);
        pfifo_gpu_wr32(gpu, WRCMD, 1);
        assert_int_equal(pfifo_gpu_rd32(gpu, SCRATCH), DONE);
        assert_int_equal(pfifo_gpu_rd32(gpu, CUR), 0x80012345);
        pfifo_gpu_wr32(gpu, FECS, 0x100); /* the next channel is the same: nothing happens */
        assert_int_equal(pfifo_gpu_rd32(gpu, CUR), 0x80012345);
        pfifo_gpu_wr32(gpu, NEXT, pfifo_gpu_rd32(gpu, NEXT) & ~0x80000000u);
        pfifo_gpu_wr32(gpu, FECS, 0x100);
        assert_int_equal(pfifo_gpu_rd32(gpu, CUR) & 0x80000000u, 0);
        pfifo_gpu_free(gpu);
    }
}

static void note(void *opaque, const struct pfifo_event *event) {
    const char **answer = opaque;
    *answer = event->text;
}

static void other_commands_are_reported_and_not_done(void **state) {
    const char *answer = NULL;
    (void)state;
    struct pfifo_gpu *gpu = machine("GK104");
    assert_int_equal(pfifo_gpu_observe(gpu, "bus.ctxctl", note, (void *)&answer, NULL), PFIFO_OK);
    pfifo_gpu_wr32(gpu, WRCMD, 1); /* nobody runs */
    assert_null(answer);
    assert_int_equal(pfifo_gpu_rd32(gpu, CUR), 0);
    start(gpu);
    pfifo_gpu_wr32(gpu, SCRATCH_CLR, DONE);
    pfifo_gpu_wr32(gpu, WRCMD, 9);
    assert_string_equal(answer, "not executed");
    assert_int_equal(pfifo_gpu_rd32(gpu, SCRATCH), 0);
    pfifo_gpu_free(gpu);
}

static void bits_of_scratches_are_set_and_cleared_and_others_stay(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = machine("GK104");
    pfifo_gpu_wr32(gpu, SCRATCH_SET + 8, 5);
    pfifo_gpu_wr32(gpu, SCRATCH_SET + 8, 8);
    assert_int_equal(pfifo_gpu_rd32(gpu, SCRATCH + 8), 13);
    pfifo_gpu_wr32(gpu, SCRATCH_CLR + 8, 4);
    assert_int_equal(pfifo_gpu_rd32(gpu, SCRATCH + 8), 9);
    assert_int_equal(pfifo_gpu_rd32(gpu, SCRATCH + 12), 0);
    pfifo_gpu_free(gpu);
}

/* The driver writes lists of registers after those that are there, and reads where that is. */
static void both_have_memories_of_their_own(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = machine("GF100");
    pfifo_gpu_wr32(gpu, FECS + DATA_INDEX, WRITE_MOVES);
    pfifo_gpu_wr32(gpu, FECS + DATA, 0x100);
    pfifo_gpu_wr32(gpu, GPCCS + DATA_INDEX, WRITE_MOVES);
    pfifo_gpu_wr32(gpu, GPCCS + DATA, 0x200);
    pfifo_gpu_wr32(gpu, FECS + DATA_INDEX, 0);
    pfifo_gpu_wr32(gpu, GPCCS + DATA_INDEX, 0);
    assert_int_equal(pfifo_gpu_rd32(gpu, FECS + DATA), 0x100);
    assert_int_equal(pfifo_gpu_rd32(gpu, GPCCS + DATA), 0x200);
    pfifo_gpu_free(gpu);
}

static void a_request_for_power_is_granted_at_once(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = machine("GM107");
    pfifo_gpu_wr32(gpu, 0x404170, 0x12);
    assert_int_equal(pfifo_gpu_rd32(gpu, 0x404170), 0x2);
    pfifo_gpu_free(gpu);
}

struct saved {
    uint8_t *data;
    size_t bytes;
};

static bool collect(void *opaque, const void *data, size_t bytes) {
    struct saved *saved = opaque;
    saved->data = realloc(saved->data, saved->bytes + bytes);
    assert_non_null(saved->data);
    memcpy(saved->data + saved->bytes, data, bytes);
    saved->bytes += bytes;
    return true;
}

static void they_are_saved(void **state) {
    struct saved saved = {0};
    (void)state;
    struct pfifo_gpu *gpu = machine("GK208"), *other = machine("GK208");
    start(gpu);
    pfifo_gpu_wr32(gpu, GPCCS + DATA_INDEX, 0x80);
    pfifo_gpu_wr32(gpu, GPCCS + DATA, 7);
    pfifo_gpu_wr32(gpu, 0x404170, 2);
    pfifo_gpu_wr32(gpu, WRCMD_DATA, 0x80000010);
    pfifo_gpu_wr32(other, GPCCS + DATA_INDEX, 0x100); /* more than what is loaded */
    pfifo_gpu_wr32(other, GPCCS + DATA, 9);
    assert_int_equal(pfifo_gpu_save(gpu, collect, &saved, NULL), PFIFO_OK);
    assert_int_equal(pfifo_gpu_load(other, saved.data, saved.bytes, NULL), PFIFO_OK);
    assert_int_equal(pfifo_gpu_rd32(other, GPCCS + DATA), 7);
    pfifo_gpu_wr32(other, GPCCS + DATA_INDEX, 0x100);
    assert_int_equal(pfifo_gpu_rd32(other, GPCCS + DATA), 0);
    assert_int_equal(pfifo_gpu_rd32(other, 0x404170), 2);
    pfifo_gpu_wr32(other, WRCMD, 1);
    assert_int_equal(pfifo_gpu_rd32(other, CUR), 0x80000010);
    free(saved.data);
    pfifo_gpu_free(gpu);
    pfifo_gpu_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_firmware_says_that_it_runs_and_how_large_a_context_is),
        cmocka_unit_test(a_channel_becomes_current_and_its_context_is_put_away),
        cmocka_unit_test(other_commands_are_reported_and_not_done),
        cmocka_unit_test(bits_of_scratches_are_set_and_cleared_and_others_stay),
        cmocka_unit_test(both_have_memories_of_their_own),
        cmocka_unit_test(a_request_for_power_is_granted_at_once),
        cmocka_unit_test(they_are_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
