/* SPDX-License-Identifier: MIT */
/* Field by field, as in test_state_fields.c: a macro under way, and the shadows of objects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/macro/machine.h"
#include "engine/core/register_file.h"
#include "engine/core/shadow.h"
#include "state/fields.h"

static void fill_shadow(struct object *object, struct choice *c, const struct engine *engine) {
    assert_true(shadow_split(engine, object));
    for (uint32_t i = 0; i < engine->words; i += choice_between(c, 1, 300))
        object->shadow[i] = choice_word(c) | 1;
}

/* A machine in the middle of a macro of the channel's first object. */
static void fill_macro(const struct engine *engine, struct channel_state *state, struct choice *c) {
    struct macro *m = channel_shared(engine, state, &macro_shared);
    assert_non_null(m);
    state->macro_runs = true;
    FILL_FIELDS(c, m, reg, opcode);
    FILL_FIELDS(c, m, trap, trap_opcode);
    m->pc = choice_below(c, m->isa->code_words);
    m->next_pc = choice_below(c, m->isa->code_words);
    m->number = choice_below(c, 0x100);
    m->file = 0;
    m->steps = choice_below(c, MACRO_MOST_STEPS + 1);
    m->taken = m->ends = m->resent = m->sliced = m->surplus = m->has_parameter = m->carry = m->end_next = true;
    m->port = (uint16_t)choice_word(c);
    m->parameter = choice_word(c);
    m->slot = MACRO_SLOT_EXIT;
    m->method = choice_below(c, MACRO_METHODS);
    m->increment = choice_word(c);
    m->send_count = 2;
    m->send_first = 1;
    for (unsigned i = 0; i < MACRO_SENDS; i++) {
        m->send[i].method = choice_below(c, MACRO_METHODS);
        m->send[i].data = choice_word(c);
    }
    m->loads = 2;
    FILL_FIELDS(c, m, result, upper);
    FILL_FIELDS(c, m, load, loop_end);
    m->loop_begin = choice_below(c, m->isa->code_words);
    m->fifo_address = fields_any64(c);
    m->fifo_left = choice_word(c);
    FILL_FIELDS(c, m, code_pointer, start_pointer);
    uint32_t words = m->isa->code_words + m->isa->starts + m->isa->data_words;
    for (uint32_t i = 0; i < words; i += choice_between(c, 1, 300))
        m->code[i] = choice_word(c) | 1;
}

static void assert_same_macro(const struct engine *a, const struct engine *b, uint32_t channel) {
    const struct macro *x = channel_shared_if_made(a, a->channels[channel], &macro_shared);
    const struct macro *y = channel_shared_if_made(b, b->channels[channel], &macro_shared);
    assert_int_equal(a->channels[channel]->macro_runs, b->channels[channel]->macro_runs);
    assert_int_equal(x == NULL, y == NULL);
    if (!x || !y)
        return;
    assert_ptr_equal(x->isa, y->isa);
    ASSERT_SAME_FIELDS(x, y, reg, port);
    assert_true(y->ends && y->resent && y->sliced && y->surplus && y->has_parameter && y->carry && y->end_next);
    assert_int_equal(x->parameter, y->parameter);
    assert_int_equal(x->slot, y->slot);
    ASSERT_SAME_FIELDS(x, y, method, send);
    ASSERT_SAME_FIELDS(x, y, result, fifo_left);
    ASSERT_SAME_FIELDS(x, y, code_pointer, start_pointer);
    uint32_t words = x->isa->code_words + x->isa->starts + x->isa->data_words;
    assert_memory_equal(x->code, y->code, words * sizeof x->code[0]);
}

/* Macros and shadows are there from GF100 on. */
static void what_macros_keep(void **state) {
    (void)state;
    struct choice choice = choice_from_seed(1), *c = &choice;
    struct pfifo_gpu *one = fields_machine("GF100"), *other = fields_machine("GF100");
    struct engine *a = one->fifo->engines[0].engine, *b = other->fifo->engines[0].engine;
    const struct pfifo_channel_context context = {
        .fifo = one->fifo, .id = 5, .instance = fields_any64(c), .instance_target = MEMORY_VRAM};
    struct object *graph = engine_bind(a, &context, 0, 0x9097), *twod = engine_bind(a, &context, 3, 0x902d);
    assert_non_null(graph);
    assert_non_null(twod);
    fill_shadow(graph, c, a);
    shadow_update(graph);
    object_set(twod, SHADOW_CONTROL >> 2, 3);
    shadow_update(twod);
    assert_true(graph->shadowed && twod->shadowed);
    fill_macro(a, a->channels[5], c);
    fields_restore(one, other);
    assert_same_macro(a, b, 5);
    for (unsigned i = 0; i < 2; i++) {
        const struct object *x = a->channels[5]->objects[i], *y = b->channels[5]->objects[i];
        assert_int_equal(x->shadowed, y->shadowed);
        assert_int_equal(x->shadow == NULL, y->shadow == NULL);
        if (x->shadow)
            assert_memory_equal(x->shadow, y->shadow, a->words * sizeof x->shadow[0]);
    }
    pfifo_gpu_free(one);
    pfifo_gpu_free(other);
}

/* Positions that no macro gets to, and that the machine would go to: outside of its code, or beyond its time. */
static void macros_beyond_their_limits_are_refused(void **state) {
    (void)state;
    const size_t fields[] = {offsetof(struct macro, pc), offsetof(struct macro, next_pc),
                             offsetof(struct macro, loop_begin), offsetof(struct macro, steps)};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct choice choice = choice_from_seed(1), *c = &choice;
        struct pfifo_gpu *one = fields_machine("GF100"), *other = fields_machine("GF100");
        struct engine *engine = one->fifo->engines[0].engine;
        const struct pfifo_channel_context context = {
            .fifo = one->fifo, .id = 5, .instance = fields_any64(c), .instance_target = MEMORY_VRAM};
        struct player_bytes bytes;
        struct pfifo_error error = {0};
        assert_non_null(engine_bind(engine, &context, 0, 0x9097));
        fill_macro(engine, engine->channels[5], c);
        uint32_t beyond = fields[i] == offsetof(struct macro, steps) ? MACRO_MOST_STEPS + 1 : 0x800;
        memcpy((uint8_t *)channel_shared(engine, engine->channels[5], &macro_shared) + fields[i], &beyond,
               sizeof beyond);
        assert_true(player_save(one, &bytes, &error));
        assert_int_equal(pfifo_gpu_load(other, bytes.data, bytes.bytes, &error), PFIFO_ERROR_FORMAT);
        free(bytes.data);
        pfifo_gpu_free(one);
        pfifo_gpu_free(other);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_macros_keep),
                                       cmocka_unit_test(macros_beyond_their_limits_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
