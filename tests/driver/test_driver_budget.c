/* SPDX-License-Identifier: MIT */
/* What engines do counts: the budget of a run ends within work, and time passes with it, whatever the budget. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pfifo/driver.h>
#include <pfifo/event.h>

#define VRAM      0xbeef0201u
#define GART      0xbeef0202u
#define OBJECT    0xbeef0039u
#define BYTES     (UINT64_C(1) << 20) /* of a launch: a line of 512 pixels is 2 KiB */
#define LINES     512u
#define PITCH     2048u
#define UNITS     (BYTES / 128) /* of it, about */
#define LAUNCHES  40u
#define MAX_WORDS 64u
#define SUB       3u

/* M2MF, and the 2D objects of Tesla and Fermi. */
static const struct place {
    const char *chip;
    uint32_t object_class;
    bool handles, fermi;
} places[] = {{"NV40", 0x39, true, false}, {"GT215", 0x502d, true, false}, {"GM107", 0x902d, false, true}};

struct machine {
    const struct place *place;
    struct pfifo_device *device;
    struct pfifo_gpu *gpu;
    struct pfifo_channel *channel;
    struct pfifo_buffer *push, *from, *to;
    struct pfifo_error error;
    uint64_t done; /* engine.done events */
    uint32_t word[MAX_WORDS];
    uint32_t words;
};

static void put(struct machine *m, uint32_t word) {
    assert_true(m->words < MAX_WORDS);
    m->word[m->words++] = word;
}

static void method(struct machine *m, uint32_t first, const uint32_t *data, uint32_t count) {
    put(m, m->place->fermi ? 0x20000000u | count << 16 | SUB << 13 | first >> 2 : count << 18 | SUB << 13 | first);
    for (uint32_t i = 0; i < count; i++)
        put(m, data[i]);
}

#define METHOD(m, first, ...)                                                                                          \
    method(m, first, (const uint32_t[]){__VA_ARGS__}, (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / 4))

static void submit(struct machine *m) {
    uint64_t address = pfifo_buffer_address(m->push);
    assert_true(pfifo_buffer_write(m->push, 0, m->word, sizeof m->word));
    for (unsigned i = 0; i < LAUNCHES; i++)
        assert_int_equal(pfifo_channel_submit(m->channel, address, m->words * sizeof m->word[0], 0, &m->error),
                         PFIFO_OK);
}

/* A MiB is copied, or filled. */
static void add_launch(struct machine *m) {
    uint32_t from = (uint32_t)pfifo_buffer_address(m->from), to = (uint32_t)pfifo_buffer_address(m->to);
    uint32_t high = (uint32_t)(pfifo_buffer_address(m->to) >> 32);
    METHOD(m, 0, m->place->handles ? OBJECT : m->place->object_class);
    if (m->place->handles)
        METHOD(m, 0x180, VRAM, VRAM, VRAM);
    if (m->place->object_class == 0x39) {
        METHOD(m, 0x30c, from, to, PITCH, PITCH, PITCH, LINES, 0x101, 0);
        put(m, 0x00020000); /* return */
        return;
    }
    METHOD(m, 0x200, 0xcf, 1, 0, 1, 0, PITCH, PITCH / 4, LINES, high, to);
    METHOD(m, 0x2ac, 3);
    METHOD(m, 0x580, 4, 0xcf, 0x12345678);
    METHOD(m, 0x600, 0, 0, PITCH / 4, LINES);
}

static void count(void *opaque, const struct pfifo_event *event) {
    (void)event;
    ((struct machine *)opaque)->done++;
}

static void open_machine(struct machine *m, const struct place *place, bool materialise) {
    const struct pfifo_device_config config = {
        .gpu = {.chip = pfifo_chip_by_name(place->chip), .materialise_cache = materialise}};
    const struct pfifo_channel_config channel = {.vram_handle = place->handles ? VRAM : 0,
                                                 .gart_handle = place->handles ? GART : 0};
    *m = (struct machine){.place = place, .device = pfifo_device_open(&config, &m->error)};
    assert_non_null(m->device);
    m->gpu = pfifo_device_gpu(m->device);
    m->channel = pfifo_channel_open(m->device, &channel, &m->error);
    m->push = pfifo_buffer_new(m->device, PFIFO_GART, 4096, 0, &m->error);
    m->from = pfifo_buffer_new(m->device, PFIFO_VRAM, BYTES, 0, &m->error);
    m->to = pfifo_buffer_new(m->device, PFIFO_VRAM, BYTES, 0, &m->error);
    assert_true(m->channel && m->push && m->from && m->to);
    if (place->handles)
        assert_int_equal(pfifo_channel_object(m->channel, OBJECT, place->object_class, &m->error), PFIFO_OK);
    assert_int_equal(pfifo_gpu_observe(m->gpu, "engine.done", count, m, &m->error), PFIFO_OK);
    add_launch(m);
    submit(m);
}

static void close_machine(struct machine *m) {
    assert_int_equal(pfifo_device_faults(m->device), 0);
    pfifo_device_close(m->device);
}

static uint64_t now(const struct machine *m) {
    uint32_t low = pfifo_gpu_rd32(m->gpu, 0x9400);
    return (uint64_t)pfifo_gpu_rd32(m->gpu, 0x9410) << 32 | low;
}

/* A MiB of work is not one method: as many launches are done as the budget is worth. */
static void a_budget_ends_within_work(void **state) {
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct machine m;
        open_machine(&m, &places[i], false);
        assert_int_equal(pfifo_device_run(m.device, 10 * UNITS), PFIFO_STOP_BUDGET);
        assert_int_equal(pfifo_gpu_stop_info(m.gpu)->used, 10 * UNITS);
        assert_in_range(m.done, 8, 10);
        assert_int_equal(pfifo_device_run(m.device, UINT64_MAX), PFIFO_STOP_IDLE);
        assert_int_equal(m.done, LAUNCHES);
        close_machine(&m);
    }
}

/* A budget that is far smaller than what one method does: each run does a slice at most. */
static void small_budgets_come_to_the_same_end_at_the_same_time(void **state) {
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct machine at_once, little;
        unsigned runs = 1;
        open_machine(&at_once, &places[i], false);
        open_machine(&little, &places[i], false);
        uint64_t begin = now(&little), done = 0;
        assert_int_equal(begin, now(&at_once));
        assert_int_equal(pfifo_device_run(at_once.device, UINT64_MAX), PFIFO_STOP_IDLE);
        for (; pfifo_device_run(little.device, 100) == PFIFO_STOP_BUDGET; runs++) {
            assert_in_range(little.done - done, 0, 1);
            done = little.done;
        }
        assert_int_equal(little.done, LAUNCHES);
        assert_in_range(runs, LAUNCHES, 3 * LAUNCHES);
        assert_int_equal(now(&little), now(&at_once));
        assert_in_range(now(&little) - begin, LAUNCHES * UNITS * 16, LAUNCHES * UNITS * 17);
        close_machine(&at_once);
        close_machine(&little);
    }
}

static void both_ways_through_the_front_end_cost_the_same(void **state) {
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct machine fast, slow;
        open_machine(&fast, &places[i], false);
        open_machine(&slow, &places[i], true);
        for (enum pfifo_stop stop = PFIFO_STOP_BUDGET; stop == PFIFO_STOP_BUDGET;) {
            stop = pfifo_device_run(fast.device, 3 * UNITS);
            assert_int_equal(pfifo_device_run(slow.device, 3 * UNITS), stop);
            assert_int_equal(fast.done, slow.done);
            assert_int_equal(pfifo_gpu_stop_info(fast.gpu)->used, pfifo_gpu_stop_info(slow.gpu)->used);
            assert_int_equal(now(&fast), now(&slow));
        }
        close_machine(&fast);
        close_machine(&slow);
    }
}

/* An interrupt, its handler and the report take far longer than the method that was refused. */
static void a_fault_costs_more_than_its_method(void **state) {
    (void)state;
    struct machine m;
    open_machine(&m, &places[0], false);
    assert_int_equal(pfifo_device_run(m.device, UINT64_MAX), PFIFO_STOP_IDLE);
    m.words = 0;
    for (unsigned i = 0; i < 10; i++)
        METHOD(&m, 0x1ffc, 0);
    put(&m, 0x00020000); /* return */
    submit(&m);
    assert_int_equal(pfifo_device_run(m.device, 640), PFIFO_STOP_BUDGET);
    assert_in_range(pfifo_device_faults(m.device), 2, 10);
    assert_int_equal(pfifo_device_run(m.device, UINT64_MAX), PFIFO_STOP_IDLE);
    assert_int_equal(pfifo_device_faults(m.device), 10 * LAUNCHES);
    pfifo_device_close(m.device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_budget_ends_within_work),
        cmocka_unit_test(small_budgets_come_to_the_same_end_at_the_same_time),
        cmocka_unit_test(both_ways_through_the_front_end_cost_the_same),
        cmocka_unit_test(a_fault_costs_more_than_its_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
