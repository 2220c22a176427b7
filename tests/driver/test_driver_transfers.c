/* SPDX-License-Identifier: MIT */
/* Copies on a whole machine: the budget ends within one, it goes on after a restore, and a fault is its channel's. */
#include "driver/rig.h"

#include <stdlib.h>

#include <pfifo/state.h>

#include "state/player.h"

#define PAGE     4096u
#define LINES    2048u /* 8 MiB: eight slices */
#define DONE     0x55u
#define COPY     0xbeef00b5u
#define COPY_SUB 4u
#define NOWHERE  UINT64_C(0x10000) /* nothing is mapped there */

static const struct place {
    const char *chip;
    uint32_t copy;
    bool nouveau; /* the methods of nouveau's firmware */
} places[] = {{"GT215", 0x85b5, true}, {"GF100", 0x90b5, true}, {"GK104", 0xa0b5, false}, {"GM107", 0xb0b5, false}};

struct bench {
    struct rig rig;
    const struct place *place;
    struct pfifo_channel *channel;
    struct pfifo_buffer *push, *from, *to, *note;
};

static struct pfifo_channel *open_channel(struct bench *bench) {
    bool fermi = bench->rig.part->fermi;
    const struct pfifo_channel_config config = {
        .engine = PFIFO_ENGINE_COPY, .vram_handle = fermi ? 0 : VRAM_HANDLE, .gart_handle = fermi ? 0 : GART_HANDLE};
    struct pfifo_channel *channel = pfifo_channel_open(bench->rig.device, &config, &bench->rig.error);
    if (!channel || (!fermi && pfifo_channel_object(channel, COPY, bench->place->copy, &bench->rig.error) != PFIFO_OK))
        fail_msg("%s: %s", bench->place->chip, bench->rig.error.message);
    return channel;
}

static void open_bench(struct bench *bench, const struct place *place) {
    memset(bench, 0, sizeof *bench);
    bench->place = place;
    rig_open(&bench->rig, rig_part(place->chip));
    bench->channel = open_channel(bench);
    bench->push = rig_buffer(&bench->rig, PFIFO_GART, 0x10000, 0);
    bench->from = rig_buffer(&bench->rig, PFIFO_VRAM, (uint64_t)PAGE * LINES, 0);
    bench->to = rig_buffer(&bench->rig, PFIFO_VRAM, (uint64_t)PAGE * LINES, 0);
    bench->note = rig_buffer(&bench->rig, PFIFO_GART, 0x1000, 0);
    for (uint32_t line = 0; line < LINES; line++) {
        const uint32_t words[2] = {line + 1, ~line};
        assert_true(pfifo_buffer_write(bench->from, (uint64_t)line * PAGE, words, sizeof words));
    }
}

static void add_words(struct words *words, uint32_t method, const uint32_t *data, uint32_t count) {
    words_header(words, COPY_SUB, method, count);
    for (uint32_t i = 0; i < count; i++)
        words_add(words, data[i]);
}

/* Pages from one address to another, then DONE in the note. */
static void submit_copy(struct bench *bench, struct pfifo_channel *channel, uint32_t at, uint64_t from, uint64_t to,
                        uint32_t lines) {
    const uint32_t job[] = {
        (uint32_t)(from >> 32), (uint32_t)from, (uint32_t)(to >> 32), (uint32_t)to, PAGE, PAGE, PAGE, lines};
    uint64_t note = pfifo_buffer_address(bench->note) + at;
    const uint32_t done[] = {(uint32_t)(note >> 32), (uint32_t)note, DONE};
    const uint32_t objects[] = {VRAM_HANDLE, VRAM_HANDLE, VRAM_HANDLE};
    struct words words = words_for(&bench->rig, PFIFO_CHANNEL_DEFAULT);
    words_method(&words, COPY_SUB, 0, bench->rig.part->fermi ? bench->place->copy : COPY);
    if (!bench->rig.part->fermi)
        add_words(&words, 0x180, objects, 3);
    add_words(&words, bench->place->nouveau ? 0x30c : 0x400, job, 8);
    add_words(&words, bench->place->nouveau ? 0x338 : 0x240, done, 3);
    words_method(&words, COPY_SUB, 0x300, bench->place->nouveau ? 0x3110 : 0x38e);
    words_method(&words, COPY_SUB, NOP, 1);
    words_submit(&words, &bench->rig, channel, bench->push, (uint64_t)at * 16);
}

static void submit_all(struct bench *bench) {
    submit_copy(bench, bench->channel, 0, pfifo_buffer_address(bench->from), pfifo_buffer_address(bench->to), LINES);
}

static uint32_t lines_copied(struct bench *bench) {
    uint32_t lines = 0;
    while (lines < LINES && rig_read(bench->to, (uint64_t)lines * PAGE) == lines + 1)
        lines++;
    return lines;
}

/* Slices are units of the budget: it ends within the copy, and what comes after it waits. */
static void a_budget_ends_within_a_copy(void **state) {
    (void)state;
    static struct bench bench;
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        open_bench(&bench, &places[i]);
        submit_all(&bench);
        struct pfifo_gpu *gpu = pfifo_device_gpu(bench.rig.device);
        uint32_t lines = 0, within = 0;
        enum pfifo_stop stop;
        while ((stop = pfifo_gpu_run(gpu, 1)) == PFIFO_STOP_BUDGET) {
            uint32_t now = lines_copied(&bench);
            assert_true(now >= lines && now - lines <= 256); /* a MiB */
            within += now > 0 && now < LINES;
            assert_int_equal(rig_count(&bench.rig, NOP) != 0 && now < LINES, false);
            if (now < LINES)
                assert_int_equal(rig_read(bench.note, 0), 0);
            lines = now;
        }
        assert_int_equal(stop, PFIFO_STOP_IDLE);
        assert_int_equal(lines_copied(&bench), LINES);
        assert_true(within >= 7);
        assert_int_equal(rig_read(bench.note, 0), DONE);
        rig_close(&bench.rig);
    }
}

static void save(struct bench *bench, struct player_bytes *bytes) {
    bytes->bytes = 0;
    if (!player_save(pfifo_device_gpu(bench->rig.device), bytes, &bench->rig.error))
        fail_msg("%s: %s", bench->place->chip, bench->rig.error.message);
}

/* Saved in the middle, and continued in another machine: the same to the last bit. */
static void a_copy_goes_on_after_a_restore(void **state) {
    (void)state;
    static struct bench one, other;
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        struct player_bytes middle = {0}, end = {0}, other_end = {0};
        open_bench(&one, &places[i]);
        open_bench(&other, &places[i]);
        submit_all(&one);
        submit_all(&other);
        struct pfifo_gpu *gpu = pfifo_device_gpu(one.rig.device), *second = pfifo_device_gpu(other.rig.device);
        while (lines_copied(&one) < LINES / 3)
            assert_int_equal(pfifo_gpu_run(gpu, 1), PFIFO_STOP_BUDGET);
        save(&one, &middle);
        if (pfifo_gpu_load(second, middle.data, middle.bytes, &other.rig.error) != PFIFO_OK)
            fail_msg("%s: %s", places[i].chip, other.rig.error.message);
        assert_int_equal(lines_copied(&other), lines_copied(&one));
        assert_int_equal(pfifo_gpu_run(gpu, BUDGET), PFIFO_STOP_IDLE);
        assert_int_equal(pfifo_gpu_run(second, BUDGET), PFIFO_STOP_IDLE);
        save(&one, &end);
        save(&other, &other_end);
        assert_int_equal(lines_copied(&other), LINES);
        assert_int_equal(rig_read(other.note, 0), DONE);
        assert_int_equal(end.bytes, other_end.bytes);
        assert_memory_equal(end.data, other_end.data, end.bytes);
        free(middle.data);
        free(end.data);
        free(other_end.data);
        rig_close(&one.rig);
        rig_close(&other.rig);
    }
}

/* An address that nothing is mapped at: the copy ends without its semaphore, others go on. */
static void a_fault_stops_only_its_channel(void **state) {
    (void)state;
    static struct bench bench;
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        open_bench(&bench, &places[i]);
        struct pfifo_channel *bad = open_channel(&bench);
        uint64_t from = pfifo_buffer_address(bench.from), to = pfifo_buffer_address(bench.to);
        submit_copy(&bench, bad, 0x200, from, NOWHERE, 2);
        submit_copy(&bench, bench.channel, 0x100, from, to, 3);
        rig_wait(&bench.rig);
        assert_true(bench.rig.fault_count > 0);
        assert_string_equal(bench.rig.faults[0].unit, "MMU");
        assert_int_equal(bench.rig.faults[0].address, NOWHERE);
        assert_int_equal(bench.rig.faults[0].channel, pfifo_channel_number(bad));
        for (size_t n = 1; n < bench.rig.fault_count; n++) /* GT215: the unit says so, too, and not whose it was */
            assert_int_equal(bench.rig.faults[n].channel, UINT32_MAX);
        assert_int_equal(lines_copied(&bench), 3);
        assert_int_equal(rig_read(bench.note, 0x100), DONE);
        assert_int_equal(rig_read(bench.note, 0x200), 0);
        submit_copy(&bench, bench.channel, 0x300, from, to, 4);
        rig_wait(&bench.rig);
        assert_int_equal(rig_read(bench.note, 0x300), DONE);
        rig_close(&bench.rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_budget_ends_within_a_copy),
        cmocka_unit_test(a_copy_goes_on_after_a_restore),
        cmocka_unit_test(a_fault_stops_only_its_channel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
