/* SPDX-License-Identifier: MIT */
/*
 * A state of which only what has changed is decoded again is that which is decoded from scratch: on values alone, of
 * which each method is one of those that groups follow from or is not, and on objects of an engine, whose values change
 * in many ways.
 */
#include "front/draw_rig.h"

#include <string.h>

#include "engine/core/shadow.h"
#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"
#include "rounds.h"

#define WORDS_OF_CLASS 0x1000u

static const uint16_t classes[] = {0x9097, 0xa097, 0xb097, 0xb197};

/* ---- values ---- */

/* Bits that say something, codes of OpenGL and D3D, floats, anything. */
static uint32_t value_of(struct choice *c) {
    static const uint16_t codes[] = {0x200,  0x203,  0x207,  0x404,  0x405,  0x408,  0x900,  0x901,  0x1b00,
                                     0x1b01, 0x1d00, 0x1e00, 0x1e01, 0x1e02, 0x150a, 0x8006, 0x8007, 0x800a,
                                     0x800b, 0x4000, 0x4001, 0x4300, 0x4302, 0xc001, 0xc002, 0xc900};
    switch (choice_below(c, 7)) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return choice_below(c, 32);
    case 3:
        return 1u << choice_below(c, 32);
    case 4:
        return codes[choice_below(c, sizeof codes / sizeof codes[0])];
    case 5:
        return bits((float)choice_below(c, 2000) / 8 - 100);
    default:
        return choice_word(c);
    }
}

/* Random codes are no formats, mostly, and of what is not bound nothing is decoded. */
static void bind_targets(struct object *object, struct choice *c) {
    for (uint32_t i = 0; i < DRAW_TARGETS; i++) {
        object_set(object, (0x80c + i * 64) >> 2, 1 + choice_below(c, 100));
        object_set(object, (0x810 + i * 64) >> 2, 0xd5);
    }
    object_set(object, 0x122c >> 2, 64);
    object_set(object, 0x1538 >> 2, 1);
    object_set(object, 0xfe8 >> 2, 0xa);
}

struct scene {
    struct object *object;
    struct draw_values values;
    struct draw_source source;
    struct draw_state state, fresh;
    uint32_t header[2][HEADER_WORDS];
};

static void scene_start(struct scene *s, struct choice *c) {
    memset(s, 0, sizeof *s);
    s->object = calloc(1, sizeof *s->object + WORDS_OF_CLASS * sizeof(uint32_t));
    assert_non_null(s->object);
    s->source.of = draw_class_of(classes[choice_below(c, sizeof classes / sizeof classes[0])]);
    s->source.order = choice_once_in(c, 2) ? GOB_SECTORS : GOB_LINES_8;
    s->source.space = address_space_physical(MEMORY_VRAM);
    for (uint32_t word = 0; word < WORDS_OF_CLASS; word++)
        object_set(s->object, word, value_of(c));
    bind_targets(s->object, c);
    for (unsigned i = 0; i < HEADER_WORDS; i++)
        for (unsigned stage = 0; stage < 2; stage++)
            s->header[stage][i] = choice_word(c);
}

static void store(struct scene *s, struct choice *c) {
    uint32_t words[100], count = choice_once_in(c, 8) ? choice_between(c, 1, 100) : 1;
    uint32_t word = choice_below(c, WORDS_OF_CLASS - count + 1);
    if (choice_once_in(c, 40))
        bind_targets(s->object, c);
    for (uint32_t i = 0; i < count; i++)
        words[i] = value_of(c);
    if (count > 1)
        object_set_words(s->object, word, words, count);
    else
        object_set(s->object, word, words[0]);
}

/* As a draw does: headers are read again, and count if they are others. */
static void load_headers(struct scene *s, struct draw_state *state) {
    static const unsigned stages[2] = {STAGE_VERTEX, STAGE_FRAGMENT};
    for (unsigned i = 0; i < 2; i++) {
        const struct draw_stage_program *program = &state->stages.stage[stages[i]];
        if (!program->known || memcmp(program->header, s->header[i], sizeof s->header[i]) != 0)
            draw_header(state, &s->source, stages[i], s->header[i]);
    }
}

/* Bits of the groups in which they differ. */
static unsigned differing(const struct draw_state *a, const struct draw_state *b) {
#define DIFFERS(group, member) (memcmp(&a->member, &b->member, sizeof a->member) != 0 ? 1u << (group) : 0)
    return DIFFERS(STATE_INPUT, input) | DIFFERS(STATE_INDICES, indices) | DIFFERS(STATE_STAGES, stages) |
           DIFFERS(STATE_VIEW, view) | DIFFERS(STATE_RASTER, raster) | DIFFERS(STATE_ZETA, zeta) |
           DIFFERS(STATE_BLEND, blend) | DIFFERS(STATE_TARGETS, targets) | DIFFERS(STATE_TEXTURES, textures) |
           DIFFERS(STATE_IMAGES, images) | DIFFERS(STATE_PATCHES, patches) | DIFFERS(STATE_FEEDBACK, feedback);
}

static bool is_as_from_scratch(const struct scene *s, FILE *report) {
    unsigned groups = differing(&s->state, &s->fresh);
    if (groups)
        fprintf(report, "# groups 0x%x differ\n", groups);
    return !groups;
}

static void decode_fresh(struct scene *s) {
    const uint32_t *kept = s->source.value;
    s->source.value = s->object->value;
    memset(&s->fresh, 0, sizeof s->fresh);
    draw_decode(&s->fresh, &s->source, STATE_ALL);
    load_headers(s, &s->fresh);
    s->source.value = kept;
}

static bool change(struct choice *c, FILE *report) {
    static struct scene s;
    bool same = true;
    scene_start(&s, c);
    s.source.value = s.values.value;
    for (unsigned step = 0; same && step < 60; step++) {
        unsigned stores = step ? choice_below(c, 4) : 0;
        for (unsigned i = 0; i < stores; i++)
            store(&s, c);
        if (choice_once_in(c, 8))
            for (unsigned i = 0; i < HEADER_WORDS; i++)
                s.header[choice_below(c, 2)][i] = choice_word(c);
        unsigned changed = draw_values_take(&s.values, s.source.of->decoder, s.object);
        if (step && !stores && changed)
            fprintf(report, "# something has changed, and nothing was stored\n");
        same = !step || stores || !changed;
        draw_decode(&s.state, &s.source, changed & STATE_ALL);
        load_headers(&s, &s.state);
        decode_fresh(&s);
        same = is_as_from_scratch(&s, report) && same;
    }
    free(s.object);
    return same;
}

static void what_changed_is_decoded_again(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(change, 600), 0);
}

/* Does some value of a method make a difference to all groups that are said to follow from it? And to no other. */
static bool matters(struct scene *s, struct choice *c, uint32_t word) {
    const unsigned groups = s->values.groups[word];
    unsigned found = 0;
    for (unsigned tries = 0; tries < 16000 && found != groups; tries++) {
        if (tries % 16 == 0) {
            free(s->object);
            scene_start(s, c);
            draw_values_take(&s->values, s->source.of->decoder, s->object);
            s->source.value = s->values.value;
        }
        draw_decode(&s->state, &s->source, groups);
        draw_header(&s->state, &s->source, STAGE_FRAGMENT, s->header[1]);
        s->values.value[word] = choice_once_in(c, 4) ? 0xd5 : value_of(c);
        draw_decode(&s->fresh, &s->source, groups);
        draw_header(&s->fresh, &s->source, STAGE_FRAGMENT, s->header[1]);
        found |= differing(&s->state, &s->fresh);
    }
    if (found != groups)
        fprintf(stderr, "# method 0x%x is said to matter to 0x%x, and matters to 0x%x\n", word * 4, groups, found);
    return found == groups;
}

static void groups_follow_from_the_methods_that_are_said_to_matter(void **state) {
    static struct scene s;
    struct choice c = choice_from_seed(1);
    bool all = true;
    (void)state;
    scene_start(&s, &c);
    draw_values_take(&s.values, s.source.of->decoder, s.object);
    for (uint32_t word = 0; word < WORDS_OF_CLASS; word++)
        all = (!s.values.groups[word] || matters(&s, &c, word)) && all;
    free(s.object);
    assert_true(all);
}

/* ---- objects ---- */

static struct object *object_of(struct engine_rig *rig, unsigned id) {
    return engine_object(rig->fifo.engines[id].engine, &rig->channel, 0);
}

/* No action; no program, which would be another one or end with a fault; and drawing goes on to be quick. */
static bool is_plain(const struct object *object, uint32_t word) {
    uint32_t method = word * 4;
    bool acts = object->index->has_row[word >> 6] >> (word & 63) & 1;
    bool program = (method >= 0x2000 && method < 0x2180) || method == 0x1608 || method == 0x160c;
    return !acts && !program && method != 0x37c && method != 0x744;
}

/* The first of at most *count such methods. */
static uint32_t plain_words(const struct object *object, struct choice *c, uint32_t *count) {
    uint32_t word, most = 1;
    do
        word = 0x200 / 4 + choice_below(c, 0x2600 / 4 - 0x200 / 4);
    while (!is_plain(object, word));
    while (most < *count && is_plain(object, word + most))
        most++;
    *count = most;
    return word;
}

static bool saved(void *opaque, const void *data, size_t bytes);

static struct {
    uint8_t data[1 << 20];
    size_t bytes;
} stream;

static bool saved(void *opaque, const void *data, size_t bytes) {
    (void)opaque;
    assert_true(stream.bytes + bytes <= sizeof stream.data);
    memcpy(stream.data + stream.bytes, data, bytes);
    stream.bytes += bytes;
    return true;
}

static void save_and_load(struct engine_rig *rig, unsigned id) {
    stream.bytes = 0;
    assert_int_equal(engine_save(rig->fifo.engines[id].engine, saved, NULL, NULL), PFIFO_OK);
    assert_int_equal(engine_load(rig->fifo.engines[id].engine, stream.data, stream.bytes, NULL), PFIFO_OK);
}

/* Some methods: increasing, or again and again the same; through the shadow; the constants' offset, which goes on. */
static void change_object(struct engine_rig *rig, unsigned id, struct choice *c) {
    uint32_t words[40], count = choice_once_in(c, 6) ? choice_between(c, 1, 40) : 1;
    uint32_t word = plain_words(object_of(rig, id), c, &count);
    for (uint32_t i = 0; i < count; i++)
        words[i] = value_of(c);
    switch (choice_below(c, 12)) {
    case 0:
        send(rig, id, 0, SHADOW_CONTROL, choice_below(c, 4));
        break;
    case 1:
        send(rig, id, 0, 0x2380, 0x1000, 0, COLORS, 0);
        sent(rig, id, 0, 0x2390, 4, words, count < 16 ? count : 16);
        break;
    case 2:
        sent(rig, id, 0, word * 4, 0, words, count);
        break;
    case 3:
        save_and_load(rig, id);
        break;
    case 4:
        engine_rig_bind(rig, id, 0, choice_once_in(c, 2) ? 0x902d : 0xb097);
        engine_rig_bind(rig, id, 0, 0xb097);
        break;
    default:
        sent(rig, id, 0, word * 4, 4, words, count);
        break;
    }
}

/* Bits of a header that make no difference to the program. */
static void change_header(struct engine_rig *rig, struct choice *c) {
    engine_rig_wr32(rig, CODE + FRAGMENT + 4 * 17, choice_word(c));
}

/* Not what the random methods have made of it. */
static void make_sane(struct engine_rig *rig, unsigned id) {
    send(rig, id, 0, SHADOW_CONTROL, 2);
    send(rig, id, 0, 0x800, 0, TARGET, WIDTH * 4, WIDTH, 0xd5, 0x1000, 1, 0, 0);
    send(rig, id, 0, 0x121c, 1);
    send(rig, id, 0, 0x1538, 0);
    send(rig, id, 0, 0x37c, 0);
    send(rig, id, 0, 0x1558, 1);
    send(rig, id, 0, 0x1550, 0, 0, 1);
    send(rig, id, 0, 0x1948, 0);
}

static unsigned draws;

static bool draw_after_changes(struct choice *c, FILE *report) {
    static struct scene s;
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    bool same = true;
    for (unsigned step = 0; same && step < 20; step++) {
        for (unsigned i = choice_below(c, 5); i; i--)
            change_object(&rig, id, c);
        make_sane(&rig, id);
        if (choice_once_in(c, 2))
            change_header(&rig, c);
        const struct draw_object *object = object_part(object_of(&rig, id), &draw_object_part);
        uint32_t slices = object->pipeline ? object->pipeline->slice : 0;
        send(&rig, id, 0, 0x1618, STRIP);
        send(&rig, id, 0, 0xd74, step & 1 ? 4 : 0, 4); /* a change: headers are read again */
        send(&rig, id, 0, 0x1614, 0);
        const struct draw_pipeline *pipeline = object->pipeline;
        if (!pipeline || pipeline->slice == slices) /* a condition was false, or the program faulted */
            continue;
        draws++;
        s.object = object_of(&rig, id);
        s.source = pipeline->decoded.source;
        s.state = pipeline->decoded.state;
        for (unsigned i = 0; i < HEADER_WORDS; i++) {
            s.header[0][i] = engine_rig_rd32(&rig, CODE + HEADER + 4 * i);
            s.header[1][i] = engine_rig_rd32(&rig, CODE + FRAGMENT + 4 * i);
        }
        decode_fresh(&s);
        same = is_as_from_scratch(&s, report);
    }
    engine_rig_stop(&rig);
    return same;
}

static void what_an_engine_stores_is_decoded_before_the_next_draw(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(draw_after_changes, 400), 0);
    assert_true(draws > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changed_is_decoded_again),
        cmocka_unit_test(groups_follow_from_the_methods_that_are_said_to_matter),
        cmocka_unit_test(what_an_engine_stores_is_decoded_before_the_next_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
