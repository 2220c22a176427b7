/* SPDX-License-Identifier: MIT */
/*
 * Random geometry programs, seen by transform feedback, beside a reference (tests/reference/emission.h): all topologies
 * with their neighbours, restarts, instances, streams, guards, limits; in slices, and on machines that were saved in the
 * middle.
 */
#include <string.h>

#include "engine/core/register_file.h"
#include "front/geometry_program.h"
#include "reference/feedback.h"
#include "reference/vertex_path.h"
#include "rounds.h"

enum {
    BUFFERS = 0x14000, /* all of them */
    BYTES = 0xa000,
    VERTICES_KEPT = 300,
    INDICES_MOST = 400,
    RESTART = 0xffff,
    TOPOLOGIES_DRAWN = 14, /* all but patches */
    STREAM_BYTES = BYTES / 4,
};

static struct engine_rig rigs[2], *now;
static unsigned id;
static uint32_t value[0x1000]; /* of methods */
static uint8_t expected[BYTES];
static uint32_t vertex[VERTICES_KEPT][EMISSION_WORDS], defaults[EMISSION_WORDS];
static uint16_t index_of[INDICES_MOST];
static struct feedback_reference reference;
static struct emission_program program;
static uint64_t invocations, emitted, generated[4];

static void set(unsigned method, uint32_t word) {
    value[method / 4] = word;
    send(now, id, 0, method, word);
}

/* ---- what is drawn ---- */

static void choose_vertices(struct choice *choice) {
    memset(vertex, 0, sizeof vertex);
    for (unsigned i = 0; i < VERTICES_KEPT; i++) {
        float x = (float)choice_below(choice, 33) / 16 - 1, y = (float)choice_below(choice, 33) / 16 - 1;
        uint32_t words[6] = {bits(x), bits(y), 0, bits(1), choice_word(choice), choice_word(choice)};
        put(now, VERTICES + i * STRIDE, words, 6);
        memcpy(&vertex[i][0x1c], words, sizeof words);
        vertex[i][0x23] = defaults[0x23]; /* the vertex program does not write it, but it is read */
    }
}

static unsigned choose_indices(struct choice *choice) {
    unsigned count = choice_below(choice, choice_once_in(choice, 4) ? INDICES_MOST : 40);
    bool restarts = choice_below(choice, 2);
    for (unsigned i = 0; i < count; i++)
        index_of[i] = restarts && choice_once_in(choice, 12) ? RESTART : (uint16_t)choice_below(choice, VERTICES_KEPT);
    for (unsigned i = 0; i < count; i += 2)
        engine_rig_wr32(now, INDICES + 2 * i, index_of[i] | (uint32_t)index_of[i + 1 < count ? i + 1 : i] << 16);
    return count;
}

/* A record of a stream: its position, generic 0, the number of the primitive. */
static void set_buffers(struct choice *choice) {
    static const uint8_t words[12] = {0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x18, 0xff, 0xff, 0xff};
    for (unsigned b = 0; b < 4; b++) {
        set(0x380 + 32 * b, 1);
        set(0x384 + 32 * b, 0);
        set(0x388 + 32 * b, BUFFERS + b * STREAM_BYTES);
        set(0x38c + 32 * b, STREAM_BYTES);
        set(0x700 + 16 * b, b);
        set(0x704 + 16 * b, 9);
        set(0x708 + 16 * b, 36 + 4 * choice_below(choice, 3));
        for (unsigned j = 0; j < 3; j++)
            set(0x2800 + 128 * b + 4 * j, words[4 * j] | (uint32_t)words[4 * j + 1] << 8 |
                                              (uint32_t)words[4 * j + 2] << 16 | (uint32_t)words[4 * j + 3] << 24);
    }
}

static struct emission_step choose_step(struct choice *choice, bool streams) {
    struct emission_step step = {.kind = choice_once_in(choice, 2) ? EMISSION_OUT : choice_below(choice, 3),
                                 .number = choice_below(choice, 7),
                                 .from = 0x1c + choice_below(choice, 8),
                                 .word = 0x20 + choice_below(choice, 4),
                                 .add = choice_below(choice, 100)};
    unsigned mode = choice_once_in(choice, 3) ? 1 + choice_below(choice, 3) : 1;
    step.emits = mode & 1;
    step.cuts = mode & 2;
    step.stream = streams ? choice_below(choice, 4) : 0;
    step.guard = choice_once_in(choice, 3) ? choice_below(choice, 3) : EMISSION_ALWAYS;
    step.than = choice_below(choice, step.guard == EMISSION_INSTANCES ? 6 : 40);
    return step;
}

static void choose_program(struct choice *choice) {
    bool streams = choice_once_in(choice, 3);
    program.count = choice_below(choice, 32);
    program.instances = choice_once_in(choice, 3) ? 1 + choice_below(choice, 32) : 1;
    program.most = choice_once_in(choice, 3) ? 1 + choice_below(choice, 1024) : choice_below(choice, 33);
    program.corners = 1 + choice_below(choice, 3);
    for (unsigned i = 0; i < program.count; i++)
        program.step[i] = choose_step(choice, streams);
}

/* ---- what is expected ---- */

static void take(void *opaque, unsigned stream, const uint32_t *const *corner, unsigned corners) {
    (void)opaque;
    generated[stream]++;
    feedback_reference(&reference, stream, corner, corners);
}

static unsigned expect_list(unsigned topology, bool last, const uint16_t *list, unsigned count, unsigned first) {
    static struct path_primitive primitives[INDICES_MOST * PATH_MOST_PRIMITIVES];
    static bool edge[INDICES_MOST];
    unsigned ids, made = path_primitives(topology, last, edge, count, first, primitives, &ids);
    for (unsigned i = 0; i < made; i++) {
        const uint32_t *in[6] = {NULL};
        for (unsigned k = 0; k < primitives[i].members; k++)
            in[k] = vertex[list[primitives[i].member[k]]];
        invocations += program.instances;
        emitted += emission_run(&program, in, primitives[i].members, primitives[i].id, defaults, last, take, NULL);
    }
    return ids;
}

static void expect(unsigned topology, bool last, unsigned count) {
    unsigned begin = 0, first = 0;
    for (unsigned i = 0; i <= count; i++)
        if (i == count || index_of[i] == RESTART) {
            first += expect_list(topology, last, &index_of[begin], i - begin, first);
            begin = i + 1;
        }
}

/* ---- rounds ---- */

/* Slice by slice; between two of them it is saved now and then. */
static unsigned draw(struct choice *choice, unsigned topology, unsigned count) {
    unsigned slices = 1;
    send(now, id, 0, 0x1618, topology);
    send(now, id, 0, 0x17dc, 0);
    for (; engine_rig_offer(now, id, 0, 0x17e0, 4, &count, 1) == 0; slices++) {
        struct engine_rig *next = now == &rigs[0] ? &rigs[1] : &rigs[0];
        if (!choice_once_in(choice, 3))
            continue;
        draw_go_on_elsewhere(now, next, id);
        now = next;
    }
    send(now, id, 0, 0x1614, 0);
    return slices;
}

static uint64_t reported(unsigned report, unsigned stream) {
    send(now, id, 0, 0x1b00, 0, REPORT, 0, 2 | report << 23 | stream << 5);
    return report == 0x1a ? engine_rig_rd64(now, REPORT) >> 32 : engine_rig_rd64(now, REPORT);
}

static bool is_same(FILE *report, const char *what, unsigned number, uint64_t is, uint64_t should) {
    if (is != should)
        fprintf(report, "%s %u: %llx, wanted %llx\n", what, number, (unsigned long long)is, (unsigned long long)should);
    return is == should;
}

static bool compare(FILE *report) {
    bool same = is_same(report, "invocations", 0, reported(7, 0), invocations);
    same = is_same(report, "emitted", 0, reported(9, 0), emitted) && same;
    for (unsigned i = 0; i < 4; i++) {
        same = is_same(report, "generated", i, reported(0x12, i), generated[i]) && same;
        same = is_same(report, "needed", i, reported(0x0d, i), reference.needed[i]) && same;
        same = is_same(report, "succeeded", i, reported(0x0b, i), reference.succeeded[i]) && same;
        same = is_same(report, "offset", i, reported(0x1a, i), reference.offset[i]) && same;
    }
    for (unsigned at = 0; at < BYTES && same; at += 4) {
        uint32_t word;
        memcpy(&word, &expected[at], sizeof word);
        same = is_same(report, "word", at, engine_rig_rd32(now, BUFFERS + at), word);
    }
    return same;
}

static void begin(struct choice *choice) {
    now = &rigs[0];
    id = draw_begin(now);
    memset(value, 0, sizeof value);
    memset(expected, 0, sizeof expected);
    reference =
        (struct feedback_reference){.method = value, .byte = expected, .base = BUFFERS, .bytes = sizeof expected};
    invocations = emitted = 0;
    memset(generated, 0, sizeof generated);
    set(0x1610, choice_below(choice, 2) ? 4 : 0);
    defaults[0x1f] = bits(1);
    defaults[0x23] = value[0x1610 / 4] ? bits(1) : 0;
    choose_vertices(choice);
    set_buffers(choice);
    set(0x744, 1);
    send(now, id, 0, 0x17d8, 1);
    send(now, id, 0, 0x1644, 1, RESTART);
}

static unsigned most_slices;

static bool play(struct choice *choice, FILE *report) {
    begin(choice);
    for (unsigned i = 0; i < 3; i++) {
        unsigned topology = choice_below(choice, TOPOLOGIES_DRAWN), count = choose_indices(choice);
        bool last = choice_below(choice, 2);
        choose_program(choice);
        geometry_put(now, id, &program);
        send(now, id, 0, 0x37c, choice_once_in(choice, 3));
        send(now, id, 0, 0x740, choice_below(choice, 4));
        send(now, id, 0, 0x1684, last);
        for (unsigned b = 0; b < 4; b++) {
            reference.offset[b] = 0;
            set(0x390 + 32 * b, 0);
        }
        unsigned slices = draw(choice, topology, count);
        most_slices = slices > most_slices ? slices : most_slices;
        expect(topology, last, count);
        if (!compare(report)) {
            fprintf(report, "draw %u: topology %u, %u indices, %u steps, %u instances, at most %u, %u corners\n", i,
                    topology, count, program.count, program.instances, program.most, program.corners);
            engine_rig_stop(now);
            return false;
        }
    }
    engine_rig_stop(now);
    return true;
}

static void what_is_emitted_is_as_the_reference_has_it(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play, 200), 0);
    assert_true(getenv("PFIFO_SEED") || most_slices > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_emitted_is_as_the_reference_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
