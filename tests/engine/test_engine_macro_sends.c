/* SPDX-License-Identifier: MIT */
/* What macros send: methods like those from the pushbuffer. And what they read: the shadow RAM. */
#include "macro.h"

#include <stdlib.h>

#include "engine/core/register_file.h"

#define CLASS 0x9097u

static unsigned macro_rig(struct engine_rig *rig) {
    unsigned id = start(rig, "GF100", CHIP_UNIT_PGRAPH, CLASS);
    assert_true(engine_rig_bind(rig, id, 1, 0x90c0));
    assert_true(engine_rig_bind(rig, id, 3, 0x902d));
    rig->events = 0;
    return id;
}

/* p0: method, then data, next method ... 0. */
#define SEND_LIST                                                                                                      \
    ALU(MOV, 0, 2, 1, 0), ADDI(MADDR_SENDPARM, 0, 2, 0), ALU(PARM, 0, 2, 0, 0), BRANZ(2, -2), NOP, NOP | EXIT, NOP

static void list_macro(struct engine_rig *rig, unsigned id) {
    upload(rig, id, 0, 0, WORDS(SEND_LIST));
}

static void what_a_macro_sends_has_its_effects(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    list_macro(&rig, id);
    call_macro(&rig, id, 0, 0x1b00 >> 2, 0, 0x1b04 >> 2, 0x2000, 0x1b08 >> 2, 77, 0x1b0c >> 2, 0x10000000, 0);
    assert_int_equal(engine_rig_rd32(&rig, 0x2000), 77);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 1);
    engine_rig_stop(&rig);
}

static void what_a_macro_sends_can_fault(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    list_macro(&rig, id);
    call_macro(&rig, id, 0, 0x1b00 >> 2, 1, 0x1b0c >> 2, 0x10000000, 0x3400 >> 2, 5, 0);
    assert_int_equal(rig.faults, 1);
    assert_scratch(&rig, id, CLASS, 0, 5); /* and the macro goes on */
    engine_rig_stop(&rig);
}

/* The word that the macro works on is offered again; nothing happens twice. */
static void what_a_macro_sends_can_wait(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    const struct fifo_engine *slot = &rig.fifo.engines[id];
    list_macro(&rig, id);
    call_macro(&rig, id, 0, 0x1b00 >> 2, 0, 0x1b04 >> 2, 0x2000, 0x1b08 >> 2, 77, 0x1b0c >> 2);
    rig.events = 0;
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(engine_rig_offer(&rig, id, 0, DATA(0), 0, WORDS(1, 0x3400 >> 2, 9, 0)), 0);
    uint64_t address;
    uint32_t want, found;
    assert_true(slot->ops->waits_for(slot->engine, &rig.channel, &address, &want, &found));
    assert_int_equal(address, 0x2000);
    assert_int_equal(want, 77);
    assert_false(slot->ops->busy(slot->engine, &rig.channel));
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_MACRO_METHOD), 1);
    engine_rig_wr32(&rig, 0x2000, 77);
    sent(&rig, id, 0, DATA(0), 0, WORDS(1, 0x3400 >> 2, 9, 0));
    assert_scratch(&rig, id, CLASS, 0, 9);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_MACRO_METHOD), 2);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_MACRO_END), 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
    engine_rig_stop(&rig);
}

/*
 * SET_PRIV_REG of Mesa's NVK: value and mask in scratch words, FALCON04 with the register, and a loop until the firmware
 * has answered in word 0 (src/nouveau/vulkan/nvk_cmd_draw.c).
 */
static void a_macro_waits_for_the_firmware_to_write_a_register(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t object_class;
    } cases[] = {{"GK104", 0xa097}, {"GK110", 0xa197}, {"GM107", 0xb097}, {"GM20B", 0xb197}, {"GP102", 0xc197}};
    static const uint32_t registers[] = {0x419f78, 0x419e44};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct engine_rig rig;
        unsigned id = start(&rig, cases[i].chip, CHIP_UNIT_PGRAPH, cases[i].object_class);
        upload(&rig, id, 0, 0,
               PROGRAM(SET_MADDR(1, SCRATCH(0)), ADDI(MOV_SEND, 0, 0, 0), ALU(PARM, 0, 2, 0, 0),
                       ADDI(MOV_SEND, 0, 2, 0), ALU(PARM, 0, 2, 0, 0), ADDI(MOV_SEND, 0, 2, 0), SET_MADDR(0, 0x2310),
                       ADDI(MOV_SEND, 0, 1, 0), READ(MOV, 3, 0, SCRATCH(0) >> 2), BRAZ(3, -1), NOP, NOP | EXIT, NOP));
        for (unsigned k = 0; k < sizeof registers / sizeof registers[0]; k++) {
            call_macro(&rig, id, 0, registers[k], 0x40 + k, 0x7f0 + k);
            assert_scratch(&rig, id, cases[i].object_class, 0, 1);
            assert_scratch(&rig, id, cases[i].object_class, 1, 0x40 + k);
            assert_scratch(&rig, id, cases[i].object_class, 2, 0x7f0 + k);
            assert_int_equal(engine_rig_value(&rig, id, cases[i].object_class, 0x2310), registers[k]);
            assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_MACRO_END), k + 1);
            assert_end(&rig, k, "end", 13);
        }
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
        engine_rig_stop(&rig);
    }
}

/* Another method than the one that stalls comes: whoever does that loses the macro, and nothing else. */
static void a_macro_that_waits_for_memory_can_be_ended(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    list_macro(&rig, id);
    call_macro(&rig, id, 0, 0x1b00 >> 2, 0, 0x1b04 >> 2, 0x2000, 0x1b08 >> 2, 77, 0x1b0c >> 2);
    assert_int_equal(engine_rig_offer(&rig, id, 0, DATA(0), 0, WORDS(1)), 0);
    send(&rig, id, 0, CALL(0), 0x3400 >> 2);
    assert_event(&rig, EVENT_ENGINE_ERROR, 0, "MACRO_TOO_FEW_PARAMETERS", CLASS, CALL(0));
    uint64_t address;
    uint32_t want, found;
    const struct fifo_engine *slot = &rig.fifo.engines[id];
    assert_false(slot->ops->waits_for(slot->engine, &rig.channel, &address, &want, &found));
    sent(&rig, id, 0, DATA(0), 0, WORDS(9, 0));
    assert_scratch(&rig, id, CLASS, 0, 9);
    engine_rig_stop(&rig);
}

static void a_macro_works_in_the_class_that_calls_it(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    list_macro(&rig, id);
    sent(&rig, id, 3, CALL(0), 4, WORDS(0x3400 >> 2));
    sent(&rig, id, 3, DATA(0), 0, WORDS(6, 0));
    sent(&rig, id, 1, CALL(0), 4, WORDS(0x3404 >> 2));
    sent(&rig, id, 1, DATA(0), 0, WORDS(7, 0));
    assert_scratch(&rig, id, CLASS, 0, 0);
    assert_scratch(&rig, id, 0x902d, 0, 6);
    assert_scratch(&rig, id, 0x90c0, 1, 7);
    engine_rig_stop(&rig);
}

static void channels_have_their_own_macros(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    list_macro(&rig, id);
    rig.channel.id = 4;
    assert_true(engine_rig_bind(&rig, id, 0, CLASS));
    upload(&rig, id, 0, 0, WORDS(SET_MADDR(0, SCRATCH(1)), ALU(MOV_SEND, 0, 0, 1, 0) | EXIT, NOP));
    call_macro(&rig, id, 0, 0x3400 >> 2);
    assert_scratch(&rig, id, CLASS, 1, 0x3400 >> 2);
    assert_scratch(&rig, id, CLASS, 0, 0);
    rig.channel.id = 3;
    call_macro(&rig, id, 0, 0x3400 >> 2, 5, 0);
    assert_scratch(&rig, id, CLASS, 0, 5);
    engine_rig_stop(&rig);
}

static void macros_call_no_macros(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    list_macro(&rig, id);
    call_macro(&rig, id, 0, CALL(0) >> 2, 1, DATA(0) >> 2, 2, 0x3400 >> 2, 3, 0);
    assert_scratch(&rig, id, CLASS, 0, 3);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_MACRO), 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_MACRO_END), 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
    assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "", CLASS, CALL(0));
    assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 1, "", CLASS, DATA(0));
    engine_rig_stop(&rig);
}

static void macros_upload_macros(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    list_macro(&rig, id);
    call_macro(&rig, id, 0, 0x114 >> 2, 0x40, 0x118 >> 2, SET_MADDR(0, SCRATCH(0)), 0x118 >> 2,
               ALU(MOV_SEND, 0, 0, 1, 0) | EXIT, 0x11c >> 2, 9, 0x120 >> 2, 0x40, 0);
    send(&rig, id, 0, CALL(9), 55);
    sent(&rig, id, 0, DATA(9), 0, WORDS(0)); /* the slot of the exit is an empty word, and fetches */
    assert_scratch(&rig, id, CLASS, 0, 55);
    engine_rig_stop(&rig);
}

/* Also if nothing of what it sends is seen outside. */
static void a_word_of_a_call_is_alone_in_its_run(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 0x7f, 0, WORDS(ADDI(MADDR_SENDPARM, 0, 0, 0x114 >> 2) | EXIT, NOP));
    assert_int_equal(engine_rig_offer(&rig, id, 0, CALL(0x7f), 4, WORDS(1, 0x40, 5)), 1);
    assert_int_equal(engine_rig_offer(&rig, id, 0, DATA(0x7f), 4, WORDS(0x40, 5)), 1);
    assert_end(&rig, 0, "end", 2);
    engine_rig_stop(&rig);
}

/* Stores of 0x1b4 are words of a stream, and the last one has an effect. */
static void macros_send_streams(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GK104", CHIP_UNIT_PGRAPH, 0xa097);
    list_macro(&rig, id);
    send(&rig, id, 0, 0x180, 12, 1);
    send(&rig, id, 0, 0x188, 0, 0x3000);
    send(&rig, id, 0, 0x1dc, 0, 0x2000, 0x99);
    rig.events = 0;
    /* to pitch memory, one-word semaphore when done */
    call_macro(&rig, id, 0, 0x1b0 >> 2, 1u | 2u << 4 | 1u << 12, 0x1b4 >> 2, 1, 0x1b4 >> 2, 2);
    assert_int_equal(engine_rig_rd32(&rig, 0x2000), 0);
    sent(&rig, id, 0, DATA(0), 0, WORDS(0x1b4 >> 2, 3, 0));
    assert_int_equal(engine_rig_rd32(&rig, 0x2000), 0x99);
    engine_rig_stop(&rig);
}

static void many_effects_come_in_slices(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig), offers = 1;
    send(&rig, id, 0, 0x1b00, 0, 0x2000, 5);
    upload(&rig, id, 0, 0,
           WORDS(SET_MADDR(0, 0x1b0c), ADDI(MOV_SEND, 0, 0, 0x1000), ADDI(MOV, 1, 1, -1), BRANZ(1, -2), NOP, NOP | EXIT,
                 NOP));
    rig.events = 0;
    while (engine_rig_offer(&rig, id, 0, CALL(0), 4, WORDS(100)) == 0)
        assert_true(offers++ < 100);
    assert_true(offers > 4);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_MACRO), 1);
    engine_rig_stop(&rig);
}

/* {0, value, mask} in scratch words 0 to 2, FALCON(4), and wait until word 0 is 1. */
static void the_firmware_answers_a_macro_that_waits_for_it(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    upload(&rig, id, 0, 0,
           WORDS(SET_MADDR(1, SCRATCH(0)), ADDI(MOV_SEND, 0, 0, 0), ALU(MOV_SEND, 0, 0, 0, 0),
                 ALU(MOV_SEND, 0, 0, 0, 0), SET_MADDR(0, 0x2310), ALU(MOV_SEND, 0, 0, 1, 0),
                 READ(MOV, 2, 0, SCRATCH(0) >> 2), ADDI(MOV, 2, 2, -1), BRANZ(2, -2), NOP, NOP | EXIT, NOP));
    for (uint32_t mode = 0; mode < 4; mode++) {
        rig.events = 0;
        send(&rig, id, 0, 0x124, mode);
        call_macro(&rig, id, 0, 0x418800);
        assert_end(&rig, 0, "end", 12);
    }
    engine_rig_stop(&rig);
}

static void events_tell_a_call_what_it_sends_and_its_end(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    list_macro(&rig, id);
    rig.events = 0;
    call_macro(&rig, id, 0, 0x1000 >> 2, 5, 0x1b0c >> 2, 3, 0);
    static const unsigned order[] = {EVENT_ENGINE_MACRO, EVENT_ENGINE_MACRO_METHOD, EVENT_ENGINE_MACRO_METHOD,
                                     EVENT_ENGINE_INTERRUPT, EVENT_ENGINE_MACRO_END};
    assert_int_equal(rig.events, 5);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(rig.event[i].id, order[i]);
    assert_int_equal(rig.event[0].value[3], 0x1000 >> 2);
    assert_int_equal(rig.event[1].value[1], 0x1000);
    assert_int_equal(rig.event[1].value[2], 5);
    engine_rig_stop(&rig);
}

/* ---- shadow RAM ---- */

enum { TRACK, FILTER, PASSTHROUGH, REPLAY };

/* p0: a method; its shadow goes to scratch word 9. */
#define SHOW_SHADOW SET_MADDR(0, SCRATCH(9)), READ(MOV_SEND, 0, 1, 0) | EXIT, NOP

static uint32_t shadow_of(struct engine_rig *rig, unsigned id, uint32_t method) {
    upload(rig, id, 1, 0x80, WORDS(SHOW_SHADOW));
    call_macro(rig, id, 1, method >> 2);
    return engine_rig_value(rig, id, CLASS, SCRATCH(9));
}

static void tracked_methods_go_to_the_shadow(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    send(&rig, id, 0, 0x1000, 1);
    send(&rig, id, 0, 0x124, FILTER);
    send(&rig, id, 0, 0x1004, 2);
    assert_int_equal(shadow_of(&rig, id, 0x1000), 1);
    assert_int_equal(shadow_of(&rig, id, 0x1004), 2);
    engine_rig_stop(&rig);
}

static void methods_can_pass_the_shadow(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    send(&rig, id, 0, 0x1000, 1, 2);
    send(&rig, id, 0, 0x124, PASSTHROUGH);
    send(&rig, id, 0, 0x1000, 11, 12, 13);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x1000), 11);
    assert_int_equal(shadow_of(&rig, id, 0x1000), 1);
    send(&rig, id, 0, 0x124, TRACK);
    assert_int_equal(shadow_of(&rig, id, 0x1004), 2);
    sent(&rig, id, 0, 0x1004, 0, WORDS(20, 21, 22));
    assert_int_equal(shadow_of(&rig, id, 0x1000), 1);
    assert_int_equal(shadow_of(&rig, id, 0x1004), 22);
    assert_int_equal(shadow_of(&rig, id, 0x1008), 0);
    engine_rig_stop(&rig);
}

/* In one run with the method that sets the mode, too. */
static void methods_can_be_replayed_from_the_shadow(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    send(&rig, id, 0, 0x1000, 1, 2);
    send(&rig, id, 0, 0x124, PASSTHROUGH);
    send(&rig, id, 0, 0x1000, 11, 12);
    send(&rig, id, 0, 0x124, REPLAY, 0x77);
    send(&rig, id, 0, 0x1000, 0xdead);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x1000), 1);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x1004), 12);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x128), 0);
    send(&rig, id, 0, 0x124, TRACK);
    send(&rig, id, 0, 0x1000, 5);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x1000), 5);
    engine_rig_stop(&rig);
}

static void replayed_methods_have_their_effects(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    send(&rig, id, 0, 0x1b00, 0, 0x2000, 55, 0x10000000);
    engine_rig_wr32(&rig, 0x2000, 0);
    send(&rig, id, 0, 0x124, REPLAY);
    send(&rig, id, 0, 0x1b08, 66, 3);
    assert_int_equal(engine_rig_rd32(&rig, 0x2000), 55);
    engine_rig_stop(&rig);
}

static void scratch_words_are_written_in_all_modes(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    for (uint32_t mode = 0; mode < 4; mode++) {
        send(&rig, id, 0, 0x124, mode);
        send(&rig, id, 0, SCRATCH(4), 100 + mode);
        assert_int_equal(engine_rig_value(&rig, id, CLASS, SCRATCH(4)), 100 + mode);
        assert_int_equal(shadow_of(&rig, id, SCRATCH(4)), 100 + mode);
    }
    engine_rig_stop(&rig);
}

static void classes_have_their_own_shadow(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = macro_rig(&rig);
    send(&rig, id, 0, 0x124, PASSTHROUGH);
    sent(&rig, id, 3, 0x300, 4, WORDS(7));
    send(&rig, id, 0, 0x300, 8);
    upload(&rig, id, 1, 0x80, WORDS(SHOW_SHADOW));
    sent(&rig, id, 3, CALL(1), 4, WORDS(0x300 >> 2));
    assert_scratch(&rig, id, 0x902d, 9, 7);
    assert_int_equal(shadow_of(&rig, id, 0x300), 1); /* as reset */
    engine_rig_stop(&rig);
}

/* A class without macros has no shadow: the word there is like any other. */
static void classes_without_macros_have_no_shadow(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GK104", CHIP_UNIT_PGRAPH, 0xa0c0);
    send(&rig, id, 0, 0x124, REPLAY);
    send(&rig, id, 0, 0x1000, 5);
    assert_int_equal(engine_rig_value(&rig, id, 0xa0c0, 0x1000), 5);
    engine_rig_stop(&rig);
}

/* ---- saved in the middle ---- */

struct stream {
    uint8_t data[1 << 17];
    size_t bytes;
};

static bool collect(void *opaque, const void *data, size_t bytes) {
    struct stream *stream = opaque;
    if (sizeof stream->data - stream->bytes < bytes)
        return false;
    memcpy(stream->data + stream->bytes, data, bytes);
    stream->bytes += bytes;
    return true;
}

static void a_macro_goes_on_from_where_it_was_saved(void **state) {
    (void)state;
    struct engine_rig rig;
    struct stream *stream = calloc(1, sizeof *stream);
    assert_non_null(stream);
    unsigned id = macro_rig(&rig);
    const struct fifo_engine *slot = &rig.fifo.engines[id];
    send(&rig, id, 0, 0x124, PASSTHROUGH);
    send(&rig, id, 0, 0x1000, 5);
    list_macro(&rig, id);
    static const uint32_t words[] = {0x1b04 >> 2, 0x2000, 0x1b08 >> 2, 77, 0x1b0c >> 2, 0x10000001, 0x3404 >> 2, 6, 0};
    engine_rig_wr32(&rig, 0x2000, 78);
    for (unsigned i = 0; i < 9; i++) {
        uint32_t taken = engine_rig_offer(&rig, id, 0, i ? DATA(0) : CALL(0), 0, &words[i], 1);
        assert_int_equal(taken, i != 5);
        stream->bytes = 0;
        assert_int_equal(slot->ops->save(slot->engine, collect, stream, NULL), PFIFO_OK);
        assert_int_equal(slot->ops->load(slot->engine, stream->data, stream->bytes, NULL), PFIFO_OK);
        if (taken)
            continue;
        engine_rig_wr32(&rig, 0x2000, 77);
        sent(&rig, id, 0, DATA(0), 0, &words[i], 1);
    }
    assert_scratch(&rig, id, CLASS, 1, 6);
    assert_int_equal(engine_rig_value(&rig, id, CLASS, 0x1000), 5);
    assert_int_equal(shadow_of(&rig, id, 0x1000), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
    engine_rig_stop(&rig);
    free(stream);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_macro_sends_has_its_effects),
        cmocka_unit_test(what_a_macro_sends_can_fault),
        cmocka_unit_test(what_a_macro_sends_can_wait),
        cmocka_unit_test(a_macro_waits_for_the_firmware_to_write_a_register),
        cmocka_unit_test(a_macro_that_waits_for_memory_can_be_ended),
        cmocka_unit_test(a_macro_works_in_the_class_that_calls_it),
        cmocka_unit_test(channels_have_their_own_macros),
        cmocka_unit_test(macros_call_no_macros),
        cmocka_unit_test(macros_upload_macros),
        cmocka_unit_test(a_word_of_a_call_is_alone_in_its_run),
        cmocka_unit_test(macros_send_streams),
        cmocka_unit_test(many_effects_come_in_slices),
        cmocka_unit_test(the_firmware_answers_a_macro_that_waits_for_it),
        cmocka_unit_test(events_tell_a_call_what_it_sends_and_its_end),
        cmocka_unit_test(tracked_methods_go_to_the_shadow),
        cmocka_unit_test(methods_can_pass_the_shadow),
        cmocka_unit_test(methods_can_be_replayed_from_the_shadow),
        cmocka_unit_test(replayed_methods_have_their_effects),
        cmocka_unit_test(scratch_words_are_written_in_all_modes),
        cmocka_unit_test(classes_have_their_own_shadow),
        cmocka_unit_test(classes_without_macros_have_no_shadow),
        cmocka_unit_test(a_macro_goes_on_from_where_it_was_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
