/* SPDX-License-Identifier: MIT */
/* The walk through a segment may pause anywhere, and raw words are decoded in steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/chip.h>

#include "decode/raw.h"
#include "decode/walk.h"
#include "rounds.h"

enum { SOME_WORDS = 64, MANY_EVENTS = 4096 };

struct events {
    size_t count;
    struct pfifo_decode_event events[MANY_EVENTS];
};

static bool note(void *opaque, const struct pfifo_decode_event *event) {
    struct events *events = opaque;

    if (events->count < MANY_EVENTS)
        events->events[events->count] = *event;
    events->count++;
    return true;
}

/* Words that look like commands more often than not: counts are small, targets are near. */
static uint32_t random_word(struct choice *choice, bool fermi) {
    uint32_t data = choice_word(choice);

    switch (choice_below(choice, 6)) {
    case 0:
        return data;
    case 1:
        return fermi ? 0x80000000u | (data & 0x1fffffff) : 0x20000000u | (data & 0xfc); /* immediate; jump */
    case 2:
        return fermi ? 0x60000000u | (data & 0x0003ffff) : data & 0x1ffc;
    case 3:
        return fermi ? 0xa0000000u | (data & 0x0003ffff) : (data & 0xfc) | (data & 4 ? 2 : 1); /* once; call, jump */
    case 4:
        return 0x00020000; /* return */
    default:
        return (fermi ? 0x20000000u : 0) | (data & 7) << (fermi ? 16 : 18) | (data >> 3 & 0x1ffc);
    }
}

static void walk_in_steps(const struct pfifo_decode_options *options, const struct pfifo_decode_segment *segment,
                          uint64_t step, struct events *events) {
    struct pfifo_decoder *decoder = pfifo_decoder_new(options, note, NULL, events, NULL);
    struct walk walk;

    assert_non_null(decoder);
    events->count = 0;
    walk_begin(&walk, decoder, decode_channel_get(decoder, 0, NULL), segment);
    while (!walk_go_on(&walk, step))
        ;
    assert_int_equal(pfifo_decoder_end(decoder, NULL), PFIFO_OK);
    pfifo_decoder_free(decoder);
}

static bool same_events(const struct events *a, const struct events *b, FILE *report) {
    size_t count = a->count < MANY_EVENTS ? a->count : MANY_EVENTS;

    for (size_t i = 0; i < count && i < b->count; i++) {
        const struct pfifo_decode_event *x = &a->events[i], *y = &b->events[i];
        if (x->kind != y->kind || x->address != y->address || x->word != y->word || x->method != y->method ||
            x->data != y->data || x->count != y->count || x->target != y->target) {
            fprintf(report, "event %zu: %d at %" PRIx64 ", in steps %d at %" PRIx64 "\n", i, (int)x->kind, x->address,
                    (int)y->kind, y->address);
            return false;
        }
    }
    if (a->count != b->count)
        fprintf(report, "%zu events, in steps %zu\n", a->count, b->count);
    return a->count == b->count;
}

static bool play_steps(struct choice *choice, FILE *report) {
    static const enum pfifo_decode_entry entries[] = {PFIFO_DECODE_BY_IB, PFIFO_DECODE_BY_GET, PFIFO_DECODE_BY_CALL};
    static struct events whole, steps;
    bool fermi = choice_once_in(choice, 2);
    uint8_t bytes[4 * SOME_WORDS];
    struct pfifo_decode_options options = {.chip = pfifo_chip_by_name(fermi ? "GF100" : "NV40")};
    struct pfifo_decode_segment segment = {
        .words = bytes,
        .count = choice_between(choice, 1, SOME_WORDS),
        .entry = fermi ? PFIFO_DECODE_BY_IB : entries[choice_between(choice, 1, 2)],
    };

    for (size_t i = 0; i < SOME_WORDS; i++) {
        uint32_t word = random_word(choice, fermi);
        memcpy(bytes + 4 * i, (uint8_t[]){word & 0xff, word >> 8 & 0xff, word >> 16 & 0xff, word >> 24}, 4);
    }
    walk_in_steps(&options, &segment, UINT64_MAX, &whole);
    walk_in_steps(&options, &segment, choice_between(choice, 1, 5), &steps);
    return same_events(&whole, &steps, report);
}

static void pauses_do_not_change_what_is_decoded(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play_steps, 5000), 0);
}

static bool count_methods(void *opaque, const struct pfifo_decode_event *event) {
    *(size_t *)opaque += event->kind == PFIFO_DECODE_METHOD;
    return true;
}

static bool nowhere(void *opaque, const char *text, size_t bytes) {
    (void)opaque, (void)text, (void)bytes;
    return true;
}

/* Memory of who keeps what a step gives does not grow with the words: not with a packet of all of them, either. */
static void a_step_gives_some_thousand_methods_at_most(void **state) {
    (void)state;
    enum { WORDS = 100000 };
    size_t methods = 0, before = 0, steps = 0;
    struct pfifo_decode_options options = {.chip = pfifo_chip_by_name("G80"),
                                           .ib = true,
                                           .format = PFIFO_DECODE_NOTHING,
                                           .event = count_methods,
                                           .event_opaque = &methods};
    uint8_t *bytes = calloc(WORDS, 4);
    bool more = true;

    assert_non_null(bytes);
    memcpy(bytes,
           (uint8_t[]){0x00, 0x02, 0x03, 0x00, (WORDS - 2) & 0xff, (WORDS - 2) >> 8 & 0xff, (WORDS - 2) >> 16, 0}, 8);
    struct raw_replay *raw = raw_replay_new(bytes, 4 * (size_t)WORDS, &options, nowhere, NULL, NULL);
    assert_non_null(raw);
    for (; more; steps++) {
        assert_int_equal(raw_replay_next(raw, &more, NULL), PFIFO_OK);
        assert_in_range(methods - before, 0, 4096);
        before = methods;
    }
    assert_int_equal(raw_replay_end(raw, PFIFO_OK, NULL), PFIFO_OK);
    raw_replay_free(raw);
    free(bytes);
    assert_int_equal(methods, WORDS - 2);
    assert_in_range(steps, WORDS / 4096, WORDS / 4096 + 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pauses_do_not_change_what_is_decoded),
        cmocka_unit_test(a_step_gives_some_thousand_methods_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
