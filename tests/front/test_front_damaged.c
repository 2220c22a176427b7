/* SPDX-License-Identifier: MIT */
/*
 * Draws that were saved in the middle, with some words of the state changed: what is loaded is refused, or the draw goes
 * on to some end, and can be saved again. It may do anything else, within the machine.
 */
#include "front/geometry_program.h"

#include <string.h>

#include "engine/core/register_file.h"
#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"
#include "front/patch_programs.h"
#include "rounds.h"
#include "state/sections.h"

enum {
    CONTROL = 0x1230, /* after the geometry program */
    EVALUATION = 0x14d0,
    PATCHES = 14,
    BUFFER = 0x14000,
    BUFFER_BYTES = 0x8000,
    COUNT = 240, /* vertices */
    MOST_SLICES = 60,
};

static struct player_bytes saved;

static void put_program(struct engine_rig *rig, uint32_t at, const uint32_t *header, const uint64_t *words) {
    put(rig, CODE + at, header, 20);
    for (unsigned i = 0; i < PATCH_PROGRAM_WORDS; i++)
        put(rig, CODE + at + 0x50 + i * 8, (uint32_t[]){(uint32_t)words[i], (uint32_t)(words[i] >> 32)}, 2);
}

/* Each triangle once for each instance; generic 0 x goes on. */
static void put_geometry(struct engine_rig *rig, unsigned id, unsigned instances) {
    struct emission_program program = {.instances = instances, .most = 3, .corners = 3};
    for (unsigned vertex = 0; vertex < 3; vertex++) {
        for (unsigned i = 0; i < 5; i++)
            program.step[program.count++] =
                (struct emission_step){EMISSION_COPY, .number = vertex, .from = 0x1c + i, .word = 0x1c + i};
        program.step[program.count++] = (struct emission_step){EMISSION_OUT, .emits = true};
    }
    geometry_put(rig, id, &program);
    for (unsigned i = 0x1c; i < 0x20; i++)
        geometry_writes(rig, id, i);
}

static void put_patches(struct engine_rig *rig, unsigned id, bool control) {
    put_program(rig, CONTROL, patch_headers[0], patch_maxwell.control);
    put_program(rig, EVALUATION, patch_headers[1], patch_maxwell.evaluation);
    send(rig, id, 0, 0x2080, control ? 0x21 : 0x20, CONTROL);
    send(rig, id, 0, 0x20c0, 0x31, EVALUATION);
    send(rig, id, 0, 0x320, 2 | 2 << 8);
    send(rig, id, 0, 0x324, bits(30), bits(31), bits(32), bits(33), bits(34), bits(35));
    send(rig, id, 0, 0xdcc, 4);
}

/* Returns the topology. */
static unsigned choose_stages(struct engine_rig *rig, unsigned id, struct choice *c) {
    static const uint8_t topologies[] = {2, 4, 5, 6, 7, 8, 9, 12, 13};
    bool patches = choice_once_in(c, 2);
    for (unsigned i = 0; i < COUNT; i++)
        put(rig, VERTICES + i * STRIDE,
            (uint32_t[]){bits((float)(i % 7) / 7), bits((float)(i % 5) / 5), bits((float)(10 + i % 23)), bits(1),
                         bits(0.5f), 0},
            6);
    if (patches)
        put_patches(rig, id, choice_once_in(c, 2));
    if (!patches || choice_once_in(c, 2))
        put_geometry(rig, id, 1 + choice_below(c, 32));
    send(rig, id, 0, 0x380, 1, 0, BUFFER, BUFFER_BYTES, 0);
    send(rig, id, 0, 0x700, 0, 3, 12);
    send(rig, id, 0, 0x2800, 0xff201d1c);
    send(rig, id, 0, 0x744, choice_below(c, 2));
    send(rig, id, 0, 0x37c, choice_below(c, 2));
    return patches ? PATCHES : topologies[choice_below(c, sizeof topologies)];
}

static bool save(struct engine_rig *rig, unsigned id) {
    saved.bytes = 0;
    return engine_save(rig->fifo.engines[id].engine, player_collect, &saved, NULL) == PFIFO_OK;
}

/* Values that are near a limit, more often than others; in the second half of the channel, where the draw is. */
static void damage(struct choice *c) {
    static const uint32_t values[] = {0, 1, 2, 3, 6, 16, 31, 32, 33, 40, 42, 64, 255, 256, 1024, 4096, UINT32_MAX};
    size_t section = section_find(&saved, "CHAN");
    uint32_t words = (uint32_t)section_words(&saved, section);
    for (unsigned i = 1 + choice_below(c, 3); i; i--) {
        uint32_t word = words - 1 - choice_below(c, choice_once_in(c, 8) ? words : words / 2);
        stream_set_word(&saved, section + SECTION_HEADER + 4 * (size_t)word,
                        choice_once_in(c, 4) ? choice_word(c) : values[choice_below(c, sizeof values / 4)]);
    }
    section_seal(&saved, section);
}

static unsigned loaded;

static void go_on(struct engine_rig *from, struct engine_rig *to, unsigned id) {
    assert_true(engine_rig_start(to, "GM107"));
    for (uint64_t at = 0; at < 0x10000; at += 4)
        engine_rig_wr32(to, at, engine_rig_rd32(from, at));
    if (engine_load(to->fifo.engines[id].engine, saved.data, saved.bytes, NULL) != PFIFO_OK)
        return;
    loaded++;
    for (unsigned slices = 0; slices < MOST_SLICES; slices++) {
        if (engine_rig_offer(to, id, 0, 0xd78, 4, WORDS(COUNT)))
            break;
        assert_true(slices % 16 || save(to, id));
    }
}

static bool play(struct choice *c, FILE *report) {
    struct engine_rig rig, next;
    unsigned id = draw_begin(&rig), before = choice_below(c, 12);
    unsigned topology = choose_stages(&rig, id, c);
    (void)report;
    send(&rig, id, 0, 0x1618, topology);
    send(&rig, id, 0, 0xd74, 0);
    bool under_way = true;
    for (unsigned slices = 0; slices <= before && under_way; slices++)
        under_way = engine_rig_offer(&rig, id, 0, 0xd78, 4, WORDS(COUNT)) == 0;
    if (under_way) {
        assert_true(save(&rig, id));
        damage(c);
        go_on(&rig, &next, id);
        engine_rig_stop(&next);
    }
    engine_rig_stop(&rig);
    return true;
}

static void draws_that_are_loaded_with_other_words_end_somehow(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play, 60), 0);
    free(saved.data);
    assert_true(loaded > 0);
}

/* As if it had been loaded: the first block under way is before another stage, and has a patch. */
static bool move_block(const struct engine_rig *rig, unsigned id, unsigned to) {
    const struct object *object = engine_object(rig->fifo.engines[id].engine, &rig->channel, 0);
    struct draw_group *group = ((const struct draw_object *)object_part(object, &draw_object_part))->pipeline->group;
    unsigned from = 0;
    while (from < DRAW_PLACES && !group->way.place[from].block)
        from++;
    if (from == DRAW_PLACES)
        return false;
    struct vertex_block *block = group->way.place[from].block;
    block->primitive[0].patch = true;
    group->loaded = true;
    if (group->way.place[to].block)
        return true;
    group->way.place[from].block = NULL;
    group->way.place[to] = (struct graph_place){.block = block};
    return true;
}

static void a_block_before_any_stage_is_taken_up_or_dropped(void **state) {
    (void)state;
    for (unsigned to = 0; to < 2 * DRAW_PLACES; to++) {
        struct engine_rig rig;
        unsigned id = draw_begin(&rig), slices = 0, moves = 0;
        struct choice c = choice_from_seed(0);
        choose_stages(&rig, id, &c);
        put_geometry(&rig, id, 32);
        if (to % 2) { /* both vertex programs are the same one */
            send(&rig, id, 0, 0x2000, 1, HEADER);
            put_patches(&rig, id, true);
        }
        send(&rig, id, 0, 0x744, 1);
        send(&rig, id, 0, 0x1618, to % 2 ? PATCHES : STRIP);
        send(&rig, id, 0, 0xd74, 0);
        while (slices < MOST_SLICES && engine_rig_offer(&rig, id, 0, 0xd78, 4, WORDS(COUNT)) == 0) {
            slices++;
            moves += moves < 3 && move_block(&rig, id, to / 2);
        }
        assert_int_equal(moves, 3);
        engine_rig_stop(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_before_any_stage_is_taken_up_or_dropped),
        cmocka_unit_test(draws_that_are_loaded_with_other_words_end_somehow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
