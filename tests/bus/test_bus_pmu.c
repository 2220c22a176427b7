/* SPDX-License-Identifier: MIT */
/* PDAEMON as nouveau sees it: memories, the start of its firmware, messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/gpu.h>
#include <pfifo/event.h>
#include <pfifo/state.h>

#define PMU         0x10a000u
#define INTR        (PMU + 0x008)
#define CPUCTL      (PMU + 0x100)
#define CODE_INDEX  (PMU + 0x180)
#define CODE        (PMU + 0x184)
#define DATA_INDEX  (PMU + 0x1c0)
#define DATA        (PMU + 0x1c4)
#define FIFO_PUT    (PMU + 0x4a0)
#define FIFO_GET    (PMU + 0x4b0)
#define RFIFO_PUT   (PMU + 0x4c8)
#define RFIFO_GET   (PMU + 0x4cc)
#define H2D         (PMU + 0x4d0)
#define D2H         (PMU + 0x4dc)
#define MUTEX       (PMU + 0x580)
#define WRITE_MOVES 0x01000000u
#define READ_MOVES  0x02000000u
#define MEMX        0x584d454du
#define PMC_INTR    0x000100u
#define PMC_INTR_EN 0x000140u

static struct pfifo_gpu *machine(const char *chip) {
    const struct pfifo_config config = {.size = sizeof config, .chip = pfifo_chip_by_name(chip)};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_non_null(gpu);
    pfifo_gpu_wr32(gpu, 0x200, ~0u);
    return gpu;
}

static void start(struct pfifo_gpu *gpu) {
    pfifo_gpu_wr32(gpu, PMU + 0x10c, 0);
    pfifo_gpu_wr32(gpu, PMU + 0x104, 0);
    pfifo_gpu_wr32(gpu, CPUCTL, 2);
}

/* As nouveau does it: mutex, message into the slot of PUT, PUT. */
static void send(struct pfifo_gpu *gpu, uint32_t process, uint32_t message, uint32_t data) {
    uint32_t put = pfifo_gpu_rd32(gpu, FIFO_PUT), base = pfifo_gpu_rd32(gpu, H2D) & 0xffff;
    pfifo_gpu_wr32(gpu, MUTEX, 1);
    assert_int_equal(pfifo_gpu_rd32(gpu, MUTEX), 1);
    pfifo_gpu_wr32(gpu, DATA_INDEX, WRITE_MOVES | ((put & 7) * 16 + base));
    pfifo_gpu_wr32(gpu, DATA, process);
    pfifo_gpu_wr32(gpu, DATA, message);
    pfifo_gpu_wr32(gpu, DATA, data);
    pfifo_gpu_wr32(gpu, DATA, 0);
    pfifo_gpu_wr32(gpu, FIFO_PUT, (put + 1) & 15);
    pfifo_gpu_wr32(gpu, MUTEX, 0);
}

static void receive(struct pfifo_gpu *gpu, uint32_t words[4]) {
    uint32_t get = pfifo_gpu_rd32(gpu, RFIFO_GET), base = pfifo_gpu_rd32(gpu, D2H) & 0xffff;
    pfifo_gpu_wr32(gpu, DATA_INDEX, READ_MOVES | ((get & 7) * 16 + base));
    for (unsigned i = 0; i < 4; i++)
        words[i] = pfifo_gpu_rd32(gpu, DATA);
    pfifo_gpu_wr32(gpu, RFIFO_GET, (get + 1) & 15);
}

static const char *const chips[] = {"GT215", "GF100", "GF119", "GK104", "GK208", "GM107"};

static void memories_are_filled_by_an_index_that_moves(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = machine("GF100");
    pfifo_gpu_wr32(gpu, CODE_INDEX, WRITE_MOVES);
    pfifo_gpu_wr32(gpu, CODE, 0x11);
    pfifo_gpu_wr32(gpu, CODE, 0x22);
    pfifo_gpu_wr32(gpu, DATA_INDEX + 8, WRITE_MOVES | 0x100);
    pfifo_gpu_wr32(gpu, DATA + 8, 0x33);
    assert_int_equal(pfifo_gpu_rd32(gpu, DATA_INDEX + 8), WRITE_MOVES | 0x104);
    pfifo_gpu_wr32(gpu, CODE_INDEX, READ_MOVES);
    assert_int_equal(pfifo_gpu_rd32(gpu, CODE), 0x11);
    assert_int_equal(pfifo_gpu_rd32(gpu, CODE), 0x22);
    pfifo_gpu_wr32(gpu, DATA_INDEX, 0x100);
    assert_int_equal(pfifo_gpu_rd32(gpu, DATA), 0x33);
    assert_int_equal(pfifo_gpu_rd32(gpu, DATA), 0x33);
    pfifo_gpu_wr32(gpu, DATA_INDEX, WRITE_MOVES | 0xfffc); /* beyond the memory */
    pfifo_gpu_wr32(gpu, DATA, 0x44);
    assert_int_equal(pfifo_gpu_rd32(gpu, DATA_INDEX), WRITE_MOVES);
    pfifo_gpu_free(gpu);
}

static void the_firmware_says_where_its_queues_are_when_it_runs(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct pfifo_gpu *gpu = machine(chips[i]);
        assert_int_equal(pfifo_gpu_rd32(gpu, H2D) | pfifo_gpu_rd32(gpu, D2H), 0);
        assert_int_equal(pfifo_gpu_rd32(gpu, CPUCTL), 0x10);
        start(gpu);
        assert_int_equal(pfifo_gpu_rd32(gpu, H2D) >> 16, 128);
        assert_int_equal(pfifo_gpu_rd32(gpu, D2H) >> 16, 128);
        assert_int_not_equal(pfifo_gpu_rd32(gpu, H2D), pfifo_gpu_rd32(gpu, D2H));
        assert_int_equal(pfifo_gpu_rd32(gpu, CPUCTL), 0);
        pfifo_gpu_free(gpu);
    }
}

static void a_question_is_answered_with_an_interrupt(void **state) {
    (void)state;
    static const uint32_t lines[] = {1u << 18, 1u << 24, 1u << 24, 1u << 24, 1u << 24, 1u << 24};
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct pfifo_gpu *gpu = machine(chips[i]);
        uint32_t words[4];
        start(gpu);
        pfifo_gpu_wr32(gpu, PMU + 0x010, 0xe0);
        pfifo_gpu_wr32(gpu, PMC_INTR_EN, 1);
        send(gpu, MEMX, 0, 0);
        assert_int_equal(pfifo_gpu_rd32(gpu, FIFO_GET), 1);
        assert_int_equal(pfifo_gpu_rd32(gpu, RFIFO_PUT), 1);
        assert_int_equal(pfifo_gpu_rd32(gpu, INTR), 0x40);
        assert_int_equal(pfifo_gpu_rd32(gpu, PMC_INTR) & lines[i], lines[i]);
        receive(gpu, words);
        assert_int_equal(words[0], MEMX);
        assert_int_equal(words[1], 0);
        assert_int_equal(words[3], 0x800); /* bytes for scripts */
        pfifo_gpu_wr32(gpu, PMU + 0x004, 0x40);
        assert_int_equal(pfifo_gpu_rd32(gpu, PMC_INTR) & lines[i], 0);
        send(gpu, MEMX, 0, 1);
        receive(gpu, words);
        assert_int_equal(words[3], 0x100);
        pfifo_gpu_free(gpu);
    }
}

/* A driver routes to the host what it wants to hear of; what goes to the second destination as well is not of the line. */
static void a_line_has_interrupts_that_are_routed_to_the_host(void **state) {
    (void)state;
    static const struct {
        uint32_t routing, line;
    } cases[] = {{0, 0}, {0x40, 1u << 24}, {0x400040, 0}, {0x80, 0}, {0x8000c0, 1u << 24}};
    struct pfifo_gpu *gpu = machine("GF100");
    start(gpu);
    pfifo_gpu_wr32(gpu, PMU + 0x010, 0xe0);
    pfifo_gpu_wr32(gpu, PMU, 0x40);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pfifo_gpu_wr32(gpu, PMU + 0x01c, cases[i].routing);
        assert_int_equal(pfifo_gpu_rd32(gpu, PMC_INTR) & 1u << 24, cases[i].line);
        assert_int_equal(pfifo_gpu_rd32(gpu, INTR), 0x40);
    }
    pfifo_gpu_free(gpu);
}

static void note(void *opaque, const struct pfifo_event *event) {
    const char **answer = opaque;
    *answer = event->text;
}

static void what_is_not_executed_is_taken_and_reported(void **state) {
    const char *answer = NULL;
    (void)state;
    struct pfifo_gpu *gpu = machine("GK104");
    assert_int_equal(pfifo_gpu_observe(gpu, "bus.pmu", note, (void *)&answer, NULL), PFIFO_OK);
    start(gpu);
    send(gpu, MEMX, 1, 0x2000);
    assert_int_equal(pfifo_gpu_rd32(gpu, FIFO_GET), 1);
    assert_int_equal(pfifo_gpu_rd32(gpu, RFIFO_PUT), 0);
    assert_string_equal(answer, "not executed");
    send(gpu, MEMX, 0, 0);
    assert_string_equal(answer, "answered");
    pfifo_gpu_free(gpu);
}

static void a_message_before_the_start_waits_for_it(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = machine("GF119");
    pfifo_gpu_wr32(gpu, FIFO_PUT, 1);
    assert_int_equal(pfifo_gpu_rd32(gpu, FIFO_GET), 0);
    start(gpu);
    assert_int_equal(pfifo_gpu_rd32(gpu, FIFO_GET), 1);
    pfifo_gpu_free(gpu);
}

static void a_driver_that_does_not_read_loses_the_ninth_answer(void **state) {
    uint32_t words[4];
    (void)state;
    struct pfifo_gpu *gpu = machine("GF119");
    start(gpu);
    for (unsigned i = 0; i < 9; i++)
        send(gpu, MEMX, 0, i & 1);
    assert_int_equal(pfifo_gpu_rd32(gpu, RFIFO_PUT), 8);
    assert_int_equal(pfifo_gpu_rd32(gpu, FIFO_GET), 9);
    receive(gpu, words);
    assert_int_equal(words[3], 0x800);
    pfifo_gpu_free(gpu);
}

static void a_mutex_is_taken_once(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = machine("GM107");
    pfifo_gpu_wr32(gpu, MUTEX + 4, 3);
    pfifo_gpu_wr32(gpu, MUTEX + 4, 5);
    assert_int_equal(pfifo_gpu_rd32(gpu, MUTEX + 4), 3);
    assert_int_equal(pfifo_gpu_rd32(gpu, MUTEX), 0);
    pfifo_gpu_wr32(gpu, MUTEX + 4, 0);
    pfifo_gpu_wr32(gpu, MUTEX + 4, 5);
    assert_int_equal(pfifo_gpu_rd32(gpu, MUTEX + 4), 5);
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

static void it_is_saved_with_its_memories(void **state) {
    struct saved saved = {0};
    uint32_t words[4];
    (void)state;
    struct pfifo_gpu *gpu = machine("GK208"), *other = machine("GK208");
    start(gpu);
    send(gpu, MEMX, 0, 0);
    pfifo_gpu_wr32(gpu, CODE_INDEX, 0x40);
    pfifo_gpu_wr32(gpu, CODE, 0x55);
    assert_int_equal(pfifo_gpu_save(gpu, collect, &saved, NULL), PFIFO_OK);
    assert_int_equal(pfifo_gpu_load(other, saved.data, saved.bytes, NULL), PFIFO_OK);
    receive(other, words);
    assert_int_equal(words[0], MEMX);
    assert_int_equal(pfifo_gpu_rd32(other, CODE), 0x55);
    send(other, MEMX, 0, 1);
    assert_int_equal(pfifo_gpu_rd32(other, RFIFO_PUT), 2);
    free(saved.data);
    pfifo_gpu_free(gpu);
    pfifo_gpu_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memories_are_filled_by_an_index_that_moves),
        cmocka_unit_test(the_firmware_says_where_its_queues_are_when_it_runs),
        cmocka_unit_test(a_question_is_answered_with_an_interrupt),
        cmocka_unit_test(a_line_has_interrupts_that_are_routed_to_the_host),
        cmocka_unit_test(what_is_not_executed_is_taken_and_reported),
        cmocka_unit_test(a_message_before_the_start_waits_for_it),
        cmocka_unit_test(a_driver_that_does_not_read_loses_the_ninth_answer),
        cmocka_unit_test(a_mutex_is_taken_once),
        cmocka_unit_test(it_is_saved_with_its_memories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
