/* SPDX-License-Identifier: MIT */
/*
 * A run may be cut anywhere: with every budget, with and without CACHE1 materialised, with and without an observer
 * the machine goes through the same states and ends in the same one.
 */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

#define PAGE    0x900000u
#define HANDLE  0x5e5e0001u
#define PROGRAM 0x100u /* words of pushbuffer that are compared */

/* ---- programs ---- */

static void bind(struct rig *rig, uint32_t channel) {
    rig_object(rig, channel, 7, 1, 0x4097);
    rig_object(rig, channel, 8, 2, 0x3174);
    push_to(rig, channel, INC(0, 0, 1), 7, INC(1, 0, 1), 8);
}

static void bind_semaphore(struct rig *rig, uint32_t channel) {
    const uint32_t curie[] = {0x2b002, 0xfff, PAGE | 2, PAGE | 2};
    rig_handle(rig, channel, HANDLE, 0,
               rig->tesla ? rig_dma_object(rig, channel, MEMORY_SYSTEM, PAGE, 0x1000)
                          : rig_instance(rig, channel, curie, 4));
    push_to(rig, channel, INC(0, 0x60, 2), HANDLE, 0x40);
}

static void program_packets(struct rig *rig) {
    bind(rig, 1);
    push(rig, INC(0, 0x200, 5), 1, 2, 3, 4, 5, NONINC(0, 0x300, 3), 6, 7, 8, 0, INC(0, 0x400, 0), INC(1, 0x500, 2), 9,
         10);
    push(rig, INC(0, 0x17c, 3), 7, 7, 8, INC(0, 0x1fc, 2), 8, 11, INC(0, 0x50, 1), 12, INC(0, 0x100, 1), 13);
}

static void program_control(struct rig *rig) {
    bind(rig, 1);
    rig_poke(rig, 1, 0x380, NONINC(0, 0x200, 2));
    rig_poke(rig, 1, 0x384, 1);
    rig_poke(rig, 1, 0x388, 2);
    rig_poke(rig, 1, 0x38c, RETURN);
    push(rig, CALL(0x380), SLI(0xffe), INC(0, 0x200, 2), 1, 2, SLI(1), INC(0, 0x204, 1), 3, CALL(0x380), JUMP(0x200));
    rig->pushed[1] = 0x200;
    push(rig, INC(0, 0x200, 1), 4, OLD_JUMP(0x300));
    rig->pushed[1] = 0x300;
    push(rig, INC(0, 0x208, 1), 5, 0);
}

static void program_semaphores(struct rig *rig) {
    bind(rig, 1);
    bind_semaphore(rig, 1);
    push(rig, INC(0, 0x6c, 1), 5, INC(0, 0x68, 1), 5, INC(0, 0x200, 2), 1, 2, INC(0, 0x6c, 1), 6, INC(0, 0x68, 1), 7);
    push(rig, INC(0, 0x200, 2), 3, 4);
}

/* An engine writes over a data word that follows soon. */
static void program_own_pushbuffer(struct rig *rig) {
    bind(rig, 1);
    rig->engine[1].write_object = rig->push_object[1];
    rig->engine[1].write_at = rig->pushed[1] + 4 * 6;
    push(rig, INC(0, RIG_WRITE - 8, 4), 1, 2, 3, 4, INC(0, 0x200, 1), 5, INC(0, RIG_WRITE, 2), 6, 7, INC(0, 0x400, 1),
         8);
}

static void program_errors(struct rig *rig) {
    bind(rig, 1);
    push(rig, INC(0, 0x200, 2), 1, 2, INC(3, 0x300, 2), 3, 4, INC(0, 0x200, 1), 5, 0xe0000000, INC(0, 0x200, 1), 6);
}

/* Channels that wait for each other and yield. */
static void program_channels(struct rig *rig) {
    rig_open(rig, 2);
    rig_open(rig, 3);
    for (uint32_t channel = 1; channel <= 3; channel++) {
        bind(rig, channel);
        bind_semaphore(rig, channel);
    }
    push_to(rig, 1, INC(0, 0x68, 1), 0x22, INC(0, 0x200, 2), 1, 2, INC(0, 0x6c, 1), 0x33, INC(0, 0x200, 1), 3);
    push_to(rig, 2, INC(0, 0x200, 3), 4, 5, 6, INC(0, 0x80, 1), 0, INC(0, 0x200, 1), 7, INC(0, 0x6c, 1), 0x22);
    push_to(rig, 3, INC(0, 0x68, 1), 0x33, NONINC(0, 0x200, 2), 8, 9, INC(0, 0x80, 1), 0, INC(0, 0x208, 1), 10);
    rig_submit(rig, 3);
    rig_submit(rig, 2);
}

/* Slices so short that they end within packets. */
static void program_slices(struct rig *rig) {
    program_channels(rig);
    for (uint32_t channel = 1; channel <= 3; channel++)
        ramfc_wr(rig, channel, rig->tesla ? 0x44 : 0x3c, rig->tesla ? 0x01000000 : 2 + channel);
}

static void program_ring(struct rig *rig) {
    rig_open_ib(rig, 1, 3);
    bind(rig, 1);
    rig_segment(rig, 1, SEGMENT(0, 4));
    push(rig, INC(0, 0x200, 4), 1, 2, 3, 4, LONG_NONINC(0, 0x300), 5, 5, 6, 7, 8, 9);
    rig_segment(rig, 1, SEGMENT(16, 2));
    rig_segment(rig, 1, SEGMENT(24, 5) | SEGMENT_NON_MAIN);
    rig_segment(rig, 1, SEGMENT(44, 5));
}

typedef void (*program)(struct rig *rig);

/* ---- states ---- */

struct state { /* without padding: compared as a whole */
    enum pfifo_stop stop;
    uint32_t regs[0x800], entries, method, data, line, time[2];
    uint32_t ramfc[4][0x40], page[0x20], pushbuffer[4][PROGRAM];
    uint32_t logged;
    uint32_t log[128][4];
};

/* All that can be seen: registers (of the entries in CACHE1 the next one), memory, what the engines got. */
static void take(struct rig *rig, enum pfifo_stop stop, struct state *s) {
    memset(s, 0, sizeof *s);
    s->stop = stop;
    for (uint32_t i = 0; i < 0x800; i++)
        s->regs[i] = rd(rig, 0x2000 + 4 * i);
    s->entries = cache_entries(rig);
    if (s->entries) {
        uint32_t slot = rd(rig, CACHE_GET) / 4 % rig->chip->cache1_entries;
        s->method = rd(rig, CACHE_METHOD + 8 * slot);
        s->data = rd(rig, CACHE_DATA + 8 * slot);
    }
    s->line = rig->bus.line;
    s->time[0] = rd(rig, 0x9400);
    s->time[1] = rd(rig, 0x9410);
    for (uint32_t c = 1; c < 4; c++) {
        for (uint32_t i = 0; i < (rig->tesla ? 0x40u : 0x20u); i++)
            s->ramfc[c][i] = ramfc_rd(rig, c, 4 * i);
        for (uint32_t i = 0; i < PROGRAM; i++)
            s->pushbuffer[c][i] = rig_peek(rig, c, 4 * i);
    }
    for (uint32_t i = 0; i < 0x20; i++)
        s->page[i] = system_rd(rig, PAGE + 4 * i);
    assert_in_range(rig->logged, 0, 127);
    for (; s->logged < rig->logged; s->logged++) {
        const struct rig_method *m = &rig->log[s->logged];
        uint32_t *entry = s->log[s->logged];
        entry[0] = rig->log_engine[s->logged];
        entry[1] = m->subchannel;
        entry[2] = m->method;
        entry[3] = m->data;
    }
}

static void assert_same(const struct state *a, const struct state *b, const char *what, uint64_t at) {
    if (memcmp(a, b, sizeof *a) == 0)
        return;
    for (uint32_t i = 0; i < 0x800; i++)
        if (a->regs[i] != b->regs[i])
            print_error("register %#x: %#x, %#x\n", 0x2000 + 4 * i, a->regs[i], b->regs[i]);
    fail_msg("%s after %llu: stop %d %d, %u %u methods, %u %u entries, time %u %u", what, (unsigned long long)at,
             (int)a->stop, (int)b->stop, a->logged, b->logged, a->entries, b->entries, a->time[0], b->time[0]);
}

static void nobody(void *opaque, const struct pfifo_event *event) {
    (void)opaque, (void)event;
}

enum way { PLAIN, MATERIALISED, OBSERVED };
static const char *const way_name[] = {"plain", "materialised", "observed"};

static struct rig *machine(const char *chip, program make, enum way way) {
    struct rig *rig = malloc(sizeof *rig);
    assert_non_null(rig);
    rig_start(rig, chip, way == MATERIALISED);
    rig_open(rig, 1);
    make(rig);
    if (way == OBSERVED)
        assert_int_equal(event_observe(&rig->hub, "*", nobody, NULL, NULL), PFIFO_OK);
    rig_submit(rig, 1);
    return rig;
}

static void scrap(struct rig *rig) {
    rig_stop(rig);
    free(rig);
}

/* How much work the program is. */
static uint64_t units_of(const char *chip, program make) {
    struct rig *rig = machine(chip, make, PLAIN);
    uint64_t left = RIG_BUDGET;
    fifo_run(rig->fifo, &left);
    scrap(rig);
    assert_in_range(RIG_BUDGET - left, 10, 500);
    return RIG_BUDGET - left;
}

/* The state after one run of `budget`. */
static void after(const char *chip, program make, enum way way, uint64_t budget, struct state *s) {
    struct rig *rig = machine(chip, make, way);
    enum pfifo_stop stop = rig_run_for(rig, budget);
    take(rig, stop, s);
    scrap(rig);
}

/* Run by units of one, and hold each state against that of one run with that budget, in each way. */
static void check_states(const char *chip, program make, uint64_t units) {
    static struct state one, other;
    struct rig *rig = machine(chip, make, PLAIN);
    for (uint64_t at = 1; at <= units + 2; at++) {
        take(rig, rig_run_for(rig, 1), &one);
        for (enum way way = PLAIN; way <= OBSERVED; way++) {
            after(chip, make, way, at, &other);
            assert_same(&one, &other, way_name[way], at);
        }
    }
    scrap(rig);
}

/* Every budget, again and again, ends where one go ends. */
static void check_ends(const char *chip, program make, uint64_t units) {
    static struct state whole, parts;
    after(chip, make, PLAIN, RIG_BUDGET, &whole);
    for (uint64_t budget = 1; budget <= units + 2; budget++) {
        struct rig *rig = machine(chip, make, budget % 2 ? PLAIN : MATERIALISED);
        enum pfifo_stop stop;
        uint64_t runs = 0;
        while ((stop = rig_run_for(rig, budget)) == PFIFO_STOP_BUDGET)
            assert_true(runs++ <= units);
        take(rig, stop, &parts);
        assert_same(&whole, &parts, "in parts of a budget", budget);
        scrap(rig);
    }
}

static void check(void **state, program make, bool every_state) {
    const char *chip = *state;
    uint64_t units = units_of(chip, make);
    if (every_state)
        check_states(chip, make, units);
    check_ends(chip, make, units);
}

static void packets_may_be_cut_anywhere(void **state) {
    check(state, program_packets, true);
}

static void control_flow_may_be_cut_anywhere(void **state) {
    check(state, program_control, true);
}

static void semaphores_may_be_cut_anywhere(void **state) {
    check(state, program_semaphores, true);
}

/* Running ahead is one step, which a budget does not cut: only the end is the same. */
static void own_pushbuffer_may_be_cut_anywhere(void **state) {
    check(state, program_own_pushbuffer, false);
}

static void errors_may_be_cut_anywhere(void **state) {
    check(state, program_errors, true);
}

static void channels_may_be_cut_anywhere(void **state) {
    check(state, program_channels, true);
}

static void slices_may_be_cut_anywhere(void **state) {
    check(state, program_slices, true);
}

static void ring_may_be_cut_anywhere(void **state) {
    check(state, program_ring, true);
}

/* A budget of nothing does nothing. */
static void budget_of_0_changes_nothing(void **state) {
    static struct state before, then;
    struct rig *rig = machine(*state, program_packets, PLAIN);
    assert_int_equal(rig_run_for(rig, 5), PFIFO_STOP_BUDGET);
    take(rig, PFIFO_STOP_BUDGET, &before);
    assert_int_equal(rig_run_for(rig, 0), PFIFO_STOP_BUDGET);
    take(rig, PFIFO_STOP_BUDGET, &then);
    assert_same(&before, &then, "nothing", 0);
    scrap(rig);
}

/* Exactly what was used is taken from the budget. */
static void budget_is_counted_in_words_and_methods(void **state) {
    struct rig *rig = malloc(sizeof *rig);
    assert_non_null(rig);
    rig_start(rig, *state, false);
    rig_open(rig, 1);
    rig_bind(rig);
    push(rig, INC(0, 0x200, 5), 1, 2, 3, 4, 5, 0, JUMP(rig->pushed[1] + 32));
    rig_submit(rig, 1);
    uint64_t left = 1000;
    assert_int_equal(fifo_run(rig->fifo, &left), PFIFO_STOP_IDLE);
    assert_int_equal(1000 - left, 8 + 5);
    scrap(rig);
}

#define ON_CHIP(name, test)                                                                                            \
    { #test " [" name "]", test, NULL, NULL, (void *)(uintptr_t)(name) }
#define ON_BOTH(test) ON_CHIP("nv40", test), ON_CHIP("g84", test)

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_BOTH(packets_may_be_cut_anywhere),    ON_BOTH(control_flow_may_be_cut_anywhere),
        ON_BOTH(semaphores_may_be_cut_anywhere), ON_BOTH(own_pushbuffer_may_be_cut_anywhere),
        ON_BOTH(errors_may_be_cut_anywhere),     ON_BOTH(channels_may_be_cut_anywhere),
        ON_BOTH(slices_may_be_cut_anywhere),     ON_CHIP("g84", ring_may_be_cut_anywhere),
        ON_BOTH(budget_of_0_changes_nothing),    ON_BOTH(budget_is_counted_in_words_and_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
