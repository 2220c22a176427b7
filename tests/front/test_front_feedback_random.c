/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback of random draws, beside a reference (tests/reference/feedback.h): topologies, restarts, maps,
 * strides, sizes, offsets, streams of a geometry program; in slices, and on machines that were saved in the middle.
 */
#include "front/draw_rig.h"

#include <string.h>

#include "engine/core/register_file.h"
#include "reference/feedback.h"
#include "reference/vertex_path.h"
#include "rounds.h"

enum {
    BUFFERS = 0x14000, /* all of them */
    BYTES = 0x8000,
    VERTICES_KEPT = 300,
    INDICES_MOST = 1200,
    WORDS_OF_VERTEX = 256,
    RESTART = 0xffff,
    TOPOLOGIES_DRAWN = 14, /* all but patches */
    GEOMETRY = 0x430,      /* from CODE on: its instructions begin at a multiple of 0x20 */
    INSTANCES = 3,
};

static struct engine_rig rigs[2], *now;
static unsigned id;
static uint32_t value[0x1000]; /* of methods */
static uint8_t expected[BYTES];
static uint32_t vertex[VERTICES_KEPT][WORDS_OF_VERTEX];
static uint16_t index_of[INDICES_MOST];
static struct feedback_reference reference;
static uint64_t generated[4], geometry_runs;
static bool with_geometry;

static void set(unsigned method, uint32_t word) {
    value[method / 4] = word;
    send(now, id, 0, method, word);
}

/* ---- the geometry program ---- */

/* Streams of the points that each instance emits, with its number as their red. */
static const uint8_t emitted[] = {0, 1, 1, 3};

/* S2R R0, SR_INVOCATION_ID; ST a[0x80], R0; OUT.EMIT R1, RZ, stream ... of Maxwell. */
static void put_geometry(void) {
    static const uint64_t code[] = {0x003f8001fc0007f0, 0xf0c8000001170000, 0xeff07f800807ff00, 0xf6e000800007ff01,
                                    0x003f8001fc0007f0, 0xf6e000800017ff01, 0xf6e000800017ff01, 0xf6e000800037ff01,
                                    0x003f8001fc0007f0, 0xe30000000007000f, 0xe30000000007000f, 0xe30000000007000f};
    const uint32_t header[20] = {
        [0] = 0x21061, [2] = (uint32_t)INSTANCES << 24, [3] = 1 << 24, [4] = 8, [13] = 0x10000};
    put(now, CODE + GEOMETRY, header, 20);
    for (unsigned i = 0; i < sizeof code / sizeof code[0]; i++)
        put(now, CODE + GEOMETRY + 0x50 + i * 8, (uint32_t[]){(uint32_t)code[i], (uint32_t)(code[i] >> 32)}, 2);
    send(now, id, 0, 0x2104, GEOMETRY);
    send(now, id, 0, 0x210c, 8);
}

/* All that it does not write has its default. */
static void expect_geometry(void) {
    static uint32_t point[WORDS_OF_VERTEX];
    const uint32_t *corner[1] = {point};
    point[0x1f] = bits(1);
    for (uint32_t instance = 0; instance < INSTANCES; instance++)
        for (unsigned i = 0; i < sizeof emitted; i++) {
            point[0x20] = instance;
            feedback_reference(&reference, emitted[i], corner, 1);
            generated[emitted[i]]++;
        }
    geometry_runs += INSTANCES;
}

/* ---- what is drawn ---- */

/* The position and two words, as the vertex program passes them on. */
static void choose_vertices(struct choice *choice) {
    memset(vertex, 0, sizeof vertex);
    for (unsigned i = 0; i < VERTICES_KEPT; i++) {
        float x = (float)choice_below(choice, 33) / 16 - 1, y = (float)choice_below(choice, 33) / 16 - 1;
        uint32_t words[6] = {bits(x), bits(y), 0, bits(1), choice_word(choice), choice_word(choice)};
        put(now, VERTICES + i * STRIDE, words, 6);
        memcpy(&vertex[i][0x1c], words, sizeof words);
    }
}

static unsigned choose_indices(struct choice *choice) {
    unsigned count = choice_below(choice, choice_once_in(choice, 4) ? INDICES_MOST : 60);
    bool restarts = choice_below(choice, 2);
    for (unsigned i = 0; i < count; i++)
        index_of[i] = restarts && choice_once_in(choice, 12) ? RESTART : (uint16_t)choice_below(choice, VERTICES_KEPT);
    for (unsigned i = 0; i < count; i += 2)
        engine_rig_wr32(now, INDICES + 2 * i, index_of[i] | (uint32_t)index_of[i + 1 < count ? i + 1 : i] << 16);
    return count;
}

static void choose_buffer(struct choice *choice, unsigned b) {
    unsigned components = choice_below(choice, choice_once_in(choice, 8) ? 256 : 9);
    uint32_t stride = choice_once_in(choice, 8) ? choice_below(choice, 100) : 4 * components;
    static const uint8_t words[] = {0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x21, 0xff, 0x40};
    set(0x380 + 32 * b, !choice_once_in(choice, 3));
    set(0x384 + 32 * b, 0);
    set(0x388 + 32 * b, BUFFERS + b * BYTES / 4 + 4 * choice_below(choice, 8));
    set(0x38c + 32 * b, choice_below(choice, BYTES / 4 - 32));
    set(0x700 + 16 * b, choice_once_in(choice, 3) ? choice_below(choice, 4) : 0);
    set(0x704 + 16 * b, components);
    set(0x708 + 16 * b, stride);
    for (unsigned j = 0; j < 32; j++) {
        uint32_t word = 0;
        for (unsigned i = 0; i < 4; i++)
            word |= (uint32_t)words[choice_below(choice, sizeof words)] << 8 * i;
        set(0x2800 + 128 * b + 4 * j, word);
    }
    if (!choice_once_in(choice, 3))
        return;
    reference.offset[b] = choice_below(choice, 0x400);
    set(0x390 + 32 * b, (uint32_t)reference.offset[b]);
}

/* ---- what is expected ---- */

static void expect_list(unsigned topology, bool last, const uint16_t *list, unsigned count) {
    static struct path_primitive primitives[INDICES_MOST * PATH_MOST_PRIMITIVES];
    static bool edge[INDICES_MOST];
    unsigned ids, made = path_primitives(topology, last, edge, count, 0, primitives, &ids);
    generated[0] += with_geometry ? 0 : made;
    for (unsigned i = 0; i < made; i++) {
        if (with_geometry) {
            expect_geometry();
            continue;
        }
        const uint32_t *corner[3] = {NULL};
        for (unsigned k = 0; k < primitives[i].corners; k++)
            corner[k] = vertex[list[primitives[i].corner[k]]];
        feedback_reference(&reference, 0, corner, primitives[i].corners);
    }
}

static void expect(unsigned topology, bool last, unsigned count) {
    unsigned begin = 0;
    for (unsigned i = 0; i <= count; i++)
        if (i == count || index_of[i] == RESTART) {
            expect_list(topology, last, &index_of[begin], i - begin);
            begin = i + 1;
        }
}

/* ---- rounds ---- */

/* Slice by slice; between two of them it is saved now and then. */
static void draw(struct choice *choice, unsigned topology, unsigned count) {
    send(now, id, 0, 0x1618, topology);
    send(now, id, 0, 0x17dc, 0);
    while (engine_rig_offer(now, id, 0, 0x17e0, 4, &count, 1) == 0) {
        struct engine_rig *next = now == &rigs[0] ? &rigs[1] : &rigs[0];
        if (!choice_once_in(choice, 2))
            continue;
        draw_go_on_elsewhere(now, next, id);
        now = next;
    }
    send(now, id, 0, 0x1614, 0);
}

static uint64_t reported(unsigned report, unsigned stream) {
    send(now, id, 0, 0x1b00, 0, REPORT, 0, 2 | report << 23 | stream << 5);
    return report == 0x1a ? engine_rig_rd64(now, REPORT) >> 32 : engine_rig_rd64(now, REPORT);
}

static bool is_same(FILE *report, const char *what, unsigned number, uint64_t is, uint64_t should) {
    if (is != should)
        fprintf(report, "%s %u: %llu, wanted %llu\n", what, number, (unsigned long long)is, (unsigned long long)should);
    return is == should;
}

static bool compare(FILE *report) {
    bool same = is_same(report, "runs of the geometry program", 0, reported(0x07, 0), geometry_runs);
    same = is_same(report, "emitted", 0, reported(0x09, 0), geometry_runs * sizeof emitted) && same;
    for (unsigned i = 0; i < 4; i++) {
        same = is_same(report, "generated", i, reported(0x12, i), generated[i]) && same;
        same = is_same(report, "needed", i, reported(0x0d, i), reference.needed[i]) && same;
        same = is_same(report, "succeeded", i, reported(0x0b, i), reference.succeeded[i]) && same;
        same = is_same(report, "offset", i, reported(0x1a, i), reference.offset[i]) && same;
    }
    for (unsigned at = 0; at < BYTES && same; at++) {
        uint32_t word = engine_rig_rd32(now, BUFFERS + (at & ~3u));
        same = is_same(report, "byte", at, word >> at % 4 * 8 & 0xff, expected[at]);
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
    memset(generated, 0, sizeof generated);
    geometry_runs = 0;
    put_geometry();
    choose_vertices(choice);
    send(now, id, 0, 0x17d8, 1);
    send(now, id, 0, 0x1644, 1, RESTART);
}

static bool play(struct choice *choice, FILE *report) {
    begin(choice);
    for (unsigned i = 0; i < 3; i++) {
        unsigned topology = choice_below(choice, TOPOLOGIES_DRAWN), count = choose_indices(choice);
        bool last = choice_below(choice, 2);
        send(now, id, 0, 0x37c, choice_once_in(choice, 3));
        send(now, id, 0, 0x1684, last);
        with_geometry = choice_once_in(choice, 3);
        send(now, id, 0, 0x2100, 0x40u + with_geometry);
        set(0x744, !choice_once_in(choice, 6));
        for (unsigned b = 0; b < 4; b++)
            if (!i || choice_once_in(choice, 4))
                choose_buffer(choice, b);
        draw(choice, topology, count);
        expect(topology, last, count);
        if (!compare(report)) {
            fprintf(report, "draw %u: topology %u, %u indices\n", i, topology, count);
            engine_rig_stop(now);
            return false;
        }
    }
    engine_rig_stop(now);
    return true;
}

static void records_are_those_of_the_reference(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play, 150), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_those_of_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
