/* SPDX-License-Identifier: MIT */
/* BEGIN and END of Kelvin, Rankine and Curie: what state a draw needs, and what is not taken while it goes on. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>

#include "classes/method_list.h"
#include "engine/core/register_file.h"
#include "unit/graph/graph.h"

#define STATE_CHECK (1u << 24)
#define NULL_OBJECT 0x30u

struct set {
    uint32_t method, data;
};

/* ---- a 3D object of each generation, with all that a draw needs ---- */

struct part {
    const char *chip;
    uint32_t object_class, begin, draw, texture_enable;
    struct set valid[10];
};

static const struct part parts[] = {
    {"NV20", 0x0097, 0x17fc, 0x1810, 0x1b0c, {{0x194, 1}, {0x208, 0x128}, {0x20c, 0x400040}}},
    {"NV25", 0x0597, 0x17fc, 0x1810, 0x1b0c, {{0x194, 1}, {0x208, 0x128}, {0x20c, 0x400040}}},
    {"NV2A", 0x0097, 0x17fc, 0x1810, 0x1b0c, {{0x198, 1}, {0x208, 0x128}, {0x20c, 0x400040}}},
    {"NV30", 0x0397, 0x1808, 0x1814, 0x1a0c, {{0x194, 1}, {0x208, 0x148}, {0x20c, 0x400040}}},
    {"NV34", 0x0697, 0x1808, 0x1814, 0x1a0c, {{0x18c, 1}, {0x208, 0x148}, {0x20c, 0x400040}}},
    {"NV35", 0x0497, 0x1808, 0x1814, 0x1a0c, {{0x194, 1}, {0x208, 0x148}, {0x20c, 0x400040}}},
    {"NV40", 0x4097, 0x1808, 0x1814, 0x1a0c, {{0x194, 1}, {0x208, 0x148}, {0x20c, 0x40}}},
    {"NV44", 0x4497, 0x1808, 0x1814, 0x1a0c, {{0x198, 1}, {0x208, 0x148}, {0x22c, 0x40}}},
    {"RSX", 0x4097, 0x1808, 0x1814, 0x1a0c, {{0x1b8, 1}, {0x208, 0x148}, {0x284, 0x40}}},
};

#define FOR_EACH_PART(part) for (const struct part *part = parts; part < parts + sizeof parts / sizeof parts[0]; part++)

static unsigned begin_start(struct engine_rig *rig, const struct part *part) {
    unsigned id = start(rig, part->chip, CHIP_UNIT_PGRAPH, part->object_class);
    rig->fifo.graph->r.debug_3 = STATE_CHECK;
    for (const struct set *set = part->valid; set->method; set++)
        send(rig, id, 0, set->method, set->data);
    assert_int_equal(rig->events, 0);
    return id;
}

static void begins(struct engine_rig *rig, unsigned id, const struct part *part) {
    rig->events = 0;
    send(rig, id, 0, part->begin, 5);
    assert_int_equal(rig->events, 1);
    assert_event(rig, EVENT_ENGINE_NOT_EXECUTED, 0, "", part->object_class, part->begin);
}

/* What a method of the part does: nothing, or it is refused, or ignored. */
enum answer { TAKEN, REFUSED, IGNORED };

static enum answer answer(struct engine_rig *rig, unsigned id, const struct part *part, uint32_t method,
                          uint32_t data) {
    rig->events = 0;
    send(rig, id, 0, method, data);
    if (engine_rig_count(rig, EVENT_ENGINE_IGNORED) == 1) {
        assert_event(rig, EVENT_ENGINE_IGNORED, 0, "between BEGIN and END", part->object_class, method);
        return IGNORED;
    }
    if (engine_rig_count(rig, EVENT_ENGINE_ERROR) == 0)
        return TAKEN;
    if (rig->trap.error != ENGINE_ERROR_BEGIN_END_ACTIVE || rig->trap.method != method)
        fail_msg("%s %04x %04x: %s", part->chip, part->object_class, method, unit_error_name(rig->trap.error));
    assert_int_equal(engine_rig_event(rig, EVENT_ENGINE_ERROR, 0)->value[3], 1u << 18);
    return REFUSED;
}

/* ---- the state of a draw ---- */

static void refuses(struct engine_rig *rig, unsigned id, const struct part *part, uint32_t state, const char *why) {
    rig->events = 0;
    send(rig, id, 0, part->begin, 5);
    if (!engine_rig_count(rig, EVENT_ENGINE_MISSING))
        fail_msg("%s %04x: a draw began without %04x: %s", part->chip, part->object_class, state, why);
    assert_event(rig, EVENT_ENGINE_MISSING, 0, why, part->object_class, part->begin);
    assert_int_equal(engine_rig_event(rig, EVENT_ENGINE_MISSING, 0)->value[3], state);
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_MISSING), 1);
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_ERROR), 1);
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    assert_int_equal(rig->trap.error, ENGINE_ERROR_INVALID_STATE);
    assert_int_equal(engine_rig_event(rig, EVENT_ENGINE_ERROR, 0)->value[3], 1u << 11);
    assert_int_equal(answer(rig, id, part, part->texture_enable, 0), TAKEN); /* nothing has begun */
}

static void a_draw_with_all_its_state_begins(void **state) {
    struct engine_rig rig;
    (void)state;
    FOR_EACH_PART(part) {
        unsigned id = begin_start(&rig, part);
        begins(&rig, id, part);
        assert_int_equal(rig.interrupts, 0);
        engine_rig_stop(&rig);
    }
}

/* Each method of the valid state, if it is not sent. */
static void a_draw_without_its_targets_is_refused(void **state) {
    static const struct {
        uint32_t method, state;
        const char *why;
    } missing[] = {{0x208, 0x208, "never set"},
                   {0x20c, 0x20c, "never set"},
                   {0x22c, 0x20c, "never set"},
                   {0x284, 0x20c, "never set"},
                   {0x194, 0x194, "neither a color nor a depth buffer has a"},
                   {0x198, 0x194, "neither a color nor a depth buffer has a"},
                   {0x18c, 0x194, "neither a color nor a depth buffer has a"},
                   {0x1b8, 0x194, "neither a color nor a depth buffer has a"}};
    struct engine_rig rig;
    (void)state;
    FOR_EACH_PART(part)
    for (const struct set *set = part->valid; set->method; set++)
        for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
            if (missing[i].method != set->method)
                continue;
            unsigned id = begin_start(&rig, part);
            send(&rig, id, 0, set->method, 0);
            char why[40];
            snprintf(why, sizeof why, "%.39s", missing[i].why);
            refuses(&rig, id, part, missing[i].state, why);
            send(&rig, id, 0, set->method, set->data);
            begins(&rig, id, part);
            engine_rig_stop(&rig);
        }
}

/* By the NULL object, as by 0. */
static void a_null_object_is_no_target(void **state) {
    struct engine_rig rig;
    (void)state;
    FOR_EACH_PART(part) {
        unsigned id = begin_start(&rig, part);
        send(&rig, id, 0, part->valid[0].method, NULL_OBJECT);
        refuses(&rig, id, part, 0x194, "neither a color nor a depth buffer has ");
        engine_rig_stop(&rig);
    }
}

/* The last unit, too. */
static void a_texture_that_is_on_needs_its_object(void **state) {
    struct engine_rig rig;
    (void)state;
    FOR_EACH_PART(part) {
        bool kelvin = part->texture_enable == 0x1b0c, curie = part->object_class >= 0x4000;
        uint32_t unit = kelvin ? 3 * 0x40 : curie ? 15 * 0x20 : 7 * 0x20;
        uint32_t on = curie ? 1u << 31 : 1u << 30;
        for (unsigned object = 0; object < 2; object++) {
            unsigned id = begin_start(&rig, part);
            send(&rig, id, 0, part->texture_enable - 8 + unit, 1u << object | 0x28);
            send(&rig, id, 0, part->texture_enable + unit, on);
            if (kelvin)
                send(&rig, id, 0, 0x1e70, 1 << 15);
            refuses(&rig, id, part, 0x184 + 4 * object, "no DMA object, and a texture that is on");
            send(&rig, id, 0, part->texture_enable + unit, on); /* refuses() has tried that of unit 0 */
            send(&rig, id, 0, 0x184 + 4 * object, 1);
            begins(&rig, id, part);
            engine_rig_stop(&rig);
        }
    }
}

/* Rows of hwtest's check, one by one: what is sent over the valid state; what is to blame; what makes it valid again. */
static void a_draw_of_kelvin_needs_state_that_fits(void **state) {
    static const char b8[] = "B8 is blended by signed equations only",
                      result[] = "the stage that another one depends on h";
    static const struct {
        struct set wrong[6];
        uint32_t state;
        const char *why;
        struct set right;
    } cases[] = {
        {{{0x208, 0x28}}, 0x208, "neither linear nor swizzled", {0x208, 0x128}},
        {{{0x208, 0x219}}, 0x208, "B8 and G8B8 cannot be swizzled", {0x208, 0x119}},
        {{{0x208, 0x21a}}, 0x208, "B8 and G8B8 cannot be swizzled", {0x208, 0x228}},
        {{{0x208, 0x11a}, {0x32c, 1}}, 0x32c, "B8 and G8B8 have no stencil test", {0x32c, 0}},
        {{{0x208, 0x119}, {0x30c, 1}}, 0x30c, "B8 and G8B8 have no depth test", {0x208, 0x113}},
        {{{0x208, 0x119}, {0x304, 1}, {0x350, 0x8006}}, 0x350, b8, {0x350, 0xf005}},
        {{{0x208, 0x119}, {0x304, 1}, {0x350, 0xf007}}, 0x350, b8, {0x350, 0xf006}},
        {{{0x208, 0x113}, {0x304, 1}, {0x350, 0xf005}}, 0x350, "the format has no signed equations", {0x350, 0x8006}},
        {{{0x208, 0x127}, {0x304, 1}, {0x350, 0xf006}}, 0x350, "the format has no signed equations", {0x304, 0}},
        /* Textures: unit 1. */
        {{{0x184, 1}, {0x1b44, 0x30631}, {0x1b4c, 0x40000010}},
         0x1b4c,
         "a 3D texture with anisotropic filter",
         {0x1b4c, 0x40000000}},
        {{{0x184, 1}, {0x1b44, 0x621}, {0x1b4c, 0x40000010}, {0x1b54, 0x4010000}},
         0x1b54,
         "an anisotropic filter with magnificatio",
         {0x1b54, 0x2010000}},
        {{{0x184, 1}, {0x1b44, 0x621}, {0x1b4c, 0x40000020}, {0x1b54, 0x1070000}},
         0x1b54,
         "an anisotropic filter with minification",
         {0x1b54, 0x1060000}},
        {{{0x184, 1}, {0x1b44, 0x1221}, {0x1b48, 0x30303}, {0x1b4c, 0x40000008}},
         0x1b4c,
         "bit 3 with a border",
         {0x1b44, 0x1229}},
        {{{0x184, 1}, {0x1b44, 0x1229}, {0x1b48, 0x30303}, {0x1b4c, 0x40000008}, {0x1b5c, 0x400041}},
         0x1b4c,
         "bit 3 with an odd height",
         {0x1b5c, 0x400040}},
        {{{0x184, 1}, {0x1b44, 0x629}, {0x1b4c, 0x40000008}},
         0x1b4c,
         "bit 3 with a format that is swizzled or",
         {0x1b44, 0x4129 /* checks the second half of the formats */}},
        {{{0x184, 1}, {0x1b44, 0x1229}, {0x1b48, 0x30301}, {0x1b4c, 0x40000000}},
         0x1b48,
         "a linear texture cannot repeat",
         {0x1b48, 0x30303}},
        {{{0x184, 1}, {0x1b44, 0x4129}, {0x1b48, 0x30302}, {0x1b4c, 0x40000000}},
         0x1b48,
         "a linear texture cannot repeat",
         {0x1b44, 0x629}},
        {{{0x184, 1}, {0x1b44, 0xc29}, {0x1b4c, 0x40000001}},
         0x1b4c,
         "a compressed texture has no color key",
         {0x1b44, 0x629}},
        /* Stages. */
        {{{0x1e70, 1}}, 0x1e70, "the operation of a stage needs its text", {0x1e70, 4}},
        {{{0x1e70, 1 << 5}}, 0x1e70, "the operation of a stage needs its text", {0x1e70, 0x11 << 5}},
        {{{0x1e70, 1 << 10}}, 0x1e70, "the operation of a stage needs its text", {0x1e70, 5 << 10}},
        {{{0x1e70, 0x11 << 15}}, 0x1e70, "the operation of a stage needs its text", {0x1e70, 4 << 15}},
        {{{0x184, 1}, {0x1b84, 0x621}, {0x1b8c, 0x40000000}, {0x1e70, 6 << 10}}, 0x1e78, result, {0x1e70, 6 << 10 | 4}},
        {{{0x1e70, 0x11 << 10 | 0x11 << 5 | 4}, {0x1e78, 0x10000}}, 0x1e78, result, {0x1e78, 0}},
        {{{0x184, 1}, {0x1bc4, 0x621}, {0x1bcc, 0x40000000}, {0x1e70, 0xf << 15}},
         0x1e78,
         result,
         {0x1e70, 0xf << 15 | 4}},
        {{{0x184, 1}, {0x1bc4, 0x621}, {0x1bcc, 0x40000000}, {0x1e70, 0x12 << 15 | 0x11 << 5}, {0x1e78, 0x100000}},
         0x1e78,
         result,
         {0x1e70, 0x12 << 15 | 4 << 5}},
        {{{0x184, 1}, {0x1bc4, 0x621}, {0x1bcc, 0x40000000}, {0x1e70, 0xc << 15 | 5 << 10}, {0x1e78, 0x200000}},
         0x1e78,
         result,
         {0x1e70, 0xc << 15 | 4 << 10}},
        /* Combiners: the last one. */
        {{{0xabc, 0xc}, {0x1e5c, 0x4000c}}, 0x1e5c, "a combiner writes the alpha of a regist", {0xabc, 0xd}},
        {{{0xabc, 0xd0}, {0x1e5c, 0x800d0}}, 0x1e5c, "a combiner writes the alpha of a regist", {0x1e5c, 0xd0}},
    };
    struct engine_rig rig;
    (void)state;
    for (size_t p = 0; p < 3; p++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            const struct part *part = &parts[p];
            unsigned id = begin_start(&rig, part);
            for (const struct set *set = cases[i].wrong; set->method; set++)
                send(&rig, id, 0, set->method, set->data);
            rig.events = 0;
            refuses(&rig, id, part, cases[i].state, cases[i].why);
            send(&rig, id, 0, cases[i].right.method, cases[i].right.data);
            begins(&rig, id, part);
            engine_rig_stop(&rig);
        }
}

/* All that is wrong is told. */
static void all_state_that_is_missing_is_told(void **state) {
    struct engine_rig rig;
    (void)state;
    FOR_EACH_PART(part) {
        unsigned id = start(&rig, part->chip, CHIP_UNIT_PGRAPH, part->object_class);
        rig.fifo.graph->r.debug_3 = STATE_CHECK;
        send(&rig, id, 0, part->begin, 5);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_MISSING), 3);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 1);
        engine_rig_stop(&rig);
    }
}

/* STATE_CHECK of DEBUG_3 is off, as nouveau has it on NV3x and NV4x. */
static void without_its_check_a_draw_begins_anyway(void **state) {
    struct engine_rig rig;
    (void)state;
    FOR_EACH_PART(part) {
        unsigned id = start(&rig, part->chip, CHIP_UNIT_PGRAPH, part->object_class);
        begins(&rig, id, part);
        assert_int_equal(rig.interrupts, 0);
        assert_int_equal(answer(&rig, id, part, part->texture_enable, 0), REFUSED);
        engine_rig_stop(&rig);
    }
}

/* ---- arrays ---- */

static void an_array_without_its_object_is_refused(void **state) {
    struct engine_rig rig;
    (void)state;
    FOR_EACH_PART(part) {
        bool kelvin = part->begin == 0x17fc;
        uint32_t format = kelvin ? 0x1760 : 0x1740, offset = kelvin ? 0x1720 : 0x1680;
        for (unsigned object = 0; object < 2; object++) {
            unsigned id = begin_start(&rig, part);
            send(&rig, id, 0, 0x19c + 4 * !object, 1);
            send(&rig, id, 0, offset + 4 * 15, object << 31);
            send(&rig, id, 0, format + 4 * 15, 0x0c02); /* of no components: off */
            begins(&rig, id, part);
            sent(&rig, id, 0, part->draw, 0, WORDS(0x02000000, 0));
            assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
            send(&rig, id, 0, part->begin, 0);
            send(&rig, id, 0, format + 4 * 15, 0x0c32);
            begins(&rig, id, part);
            rig.events = 0;
            send(&rig, id, 0, part->draw, 0x02000000);
            assert_event(&rig, EVENT_ENGINE_MISSING, 0, "no DMA object", part->object_class, part->draw);
            assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_MISSING, 0)->value[3], 0x19c + 4 * object);
            assert_int_equal(rig.trap.error, ENGINE_ERROR_DMA_VERTEX);
            assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_ERROR, 0)->value[3], 1u << 16);
            rig.events = 0;
            send(&rig, id, 0, 0x19c + 4 * object, 1); /* allowed inside */
            send(&rig, id, 0, part->draw, 0x02000000);
            assert_int_equal(rig.events, 0);
            engine_rig_stop(&rig);
        }
    }
}

/* Which arrays are on may change inside. */
static void an_array_that_is_turned_on_inside_needs_its_object(void **state) {
    struct engine_rig rig;
    (void)state;
    FOR_EACH_PART(part)
    for (unsigned object = 0; object < 2; object++) {
        unsigned id = begin_start(&rig, part);
        send(&rig, id, 0, 0x19c + 4 * !object, 1);
        send(&rig, id, 0, part->begin == 0x17fc ? 0x1720 : 0x1680, object << 31);
        begins(&rig, id, part);
        send(&rig, id, 0, part->draw, 0x02000000);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
        assert_int_equal(answer(&rig, id, part, part->begin == 0x17fc ? 0x1760 : 0x1740, 0x0c32), TAKEN);
        send(&rig, id, 0, part->draw, 0x02000000);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 1);
        assert_int_equal(rig.trap.error, ENGINE_ERROR_DMA_VERTEX);
        engine_rig_stop(&rig);
    }
}

static void indices_without_their_object_are_refused(void **state) {
    struct engine_rig rig;
    (void)state;
    FOR_EACH_PART(part) {
        if (part->begin == 0x17fc)
            continue;
        unsigned id = begin_start(&rig, part);
        send(&rig, id, 0, 0x19c, 1);
        send(&rig, id, 0, 0x1820, 1);
        begins(&rig, id, part);
        send(&rig, id, 0, 0x1824, 0x02000000);
        assert_event(&rig, EVENT_ENGINE_MISSING, 0, "no DMA object", part->object_class, 0x1824);
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_MISSING, 0)->value[3], 0x1a0);
        rig.events = 0;
        sent(&rig, id, 0, part->draw, 0, WORDS(0x02000000, 0x02000003)); /* without indices */
        send(&rig, id, 0, 0x1820, 0);
        send(&rig, id, 0, 0x1824, 0x02000000);
        assert_int_equal(rig.events, 0);
        engine_rig_stop(&rig);
    }
}

/* ---- inside ---- */

static void a_begin_inside_is_refused_and_an_end_outside_is_nothing(void **state) {
    struct engine_rig rig;
    (void)state;
    FOR_EACH_PART(part) {
        unsigned id = begin_start(&rig, part);
        assert_int_equal(answer(&rig, id, part, part->begin, 0), TAKEN);
        begins(&rig, id, part);
        assert_int_equal(answer(&rig, id, part, part->begin, 5), REFUSED);
        assert_int_equal(answer(&rig, id, part, part->begin, 0), TAKEN);
        begins(&rig, id, part);
        engine_rig_stop(&rig);
    }
}

/* Of each class: one that is refused, one that is ignored, one that is taken; and all are taken after END. */
static void some_methods_are_not_taken_inside(void **state) {
    static const struct {
        uint32_t object_class, refused[6], ignored[6], taken[6];
    } cases[] = {
        {0x0097,
         {0x260, 0x394, 0xb00, 0x1b0c, 0x1e9c},
         {0x300, 0x31c, 0x680, 0xa20, 0x1e68},
         {0x184, 0x1720, 0x1a10, 0x1510}},
        {0x0597, {0x260, 0x394, 0xa0c, 0x1478, 0x1e7c}, {0x300, 0x680, 0xa20, 0x1e6c}, {0x184, 0x1720, 0x1a10, 0x1510}},
        {0x0397, {0x238, 0x8e4, 0x1a0c, 0xa20, 0x1efc}, {0x240, 0x300, 0xa30, 0x1ee0}, {0x184, 0x1680, 0x1c10}},
        {0x0697, {0x238, 0x8e4, 0x1a0c, 0xa20, 0x1f00}, {0x25c, 0x304, 0xa30, 0x1ec0}, {0x184, 0x1680, 0x1c10}},
        {0x0497, {0x238, 0x380, 0x388, 0x1a0c}, {0x240, 0x300, 0xa30}, {0x184, 0x1680, 0x1c10}},
        {0x4097,
         {0x238, 0x36c, 0x380, 0x900, 0x1a0c, 0x1ff4},
         {0x300, 0x368, 0xa30, 0x1ee4},
         {0x184, 0x1680, 0x173c, 0x1c10, 0x1efc, 0x1f00}},
        {0x4497,
         {0x238, 0x36c, 0x380, 0x900, 0x1a0c, 0x1ff4},
         {0x300, 0x368, 0xa30, 0x1ee4},
         {0x184, 0x1680, 0x173c, 0x1c10, 0x1efc, 0x1f7c}},
    };
    struct engine_rig rig;
    (void)state;
    FOR_EACH_PART(part)
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].object_class != part->object_class)
            continue;
        unsigned id = begin_start(&rig, part);
        for (unsigned inside = 0; inside < 3; inside++) {
            if (inside == 1)
                begins(&rig, id, part);
            if (inside == 2)
                send(&rig, id, 0, part->begin, 0);
            for (unsigned k = 0; k < 6; k++) {
                if (cases[i].refused[k])
                    assert_int_equal(answer(&rig, id, part, cases[i].refused[k], 0), inside == 1 ? REFUSED : TAKEN);
                if (cases[i].ignored[k])
                    assert_int_equal(answer(&rig, id, part, cases[i].ignored[k], 0), inside == 1 ? IGNORED : TAKEN);
                if (cases[i].taken[k])
                    assert_int_equal(answer(&rig, id, part, cases[i].taken[k], 0), TAKEN);
            }
        }
        engine_rig_stop(&rig);
    }
}

/* Exactly those of the lists, in runs of several words as well. */
static void what_is_not_taken_inside_keeps_its_value(void **state) {
    struct engine_rig rig;
    (void)state;
    FOR_EACH_PART(part) {
        struct method_list list;
        unsigned kept = 0;
        assert_true(method_list_of(pfifo_chip_by_name(part->chip), part->object_class, &list));
        unsigned id = begin_start(&rig, part);
        send(&rig, id, 0, 0x1b0, 1);
        begins(&rig, id, part);
        for (uint32_t method = 0x200; method < 0x2000; method += 4) {
            bool here = method_list_has(list.refused_inside, method) || method_list_has(list.ignored_inside, method);
            uint32_t before = engine_rig_value(&rig, id, part->object_class, method);
            if (!here || !method_list_has(list.exists, method))
                continue;
            send(&rig, id, 0, method, before + 1);
            assert_int_equal(engine_rig_value(&rig, id, part->object_class, method), before);
            kept++;
        }
        assert_true(kept > 200);
        uint32_t words[4] = {1, 2, 3, 4}; /* two attributes that are taken, state, a texture */
        sent(&rig, id, 0, 0x19c, 4, words, 2);
        sent(&rig, id, 0, 0x300, 4, words, 4);
        assert_int_equal(engine_rig_value(&rig, id, part->object_class, 0x1a0), 2);
        assert_int_equal(engine_rig_value(&rig, id, part->object_class, 0x304), 0);
        send(&rig, id, 0, part->begin, 0);
        sent(&rig, id, 0, 0x300, 4, words, 4);
        assert_int_equal(engine_rig_value(&rig, id, part->object_class, 0x304), 2);
        engine_rig_stop(&rig);
    }
}

static void a_method_that_the_class_has_not_is_illegal_inside_too(void **state) {
    struct engine_rig rig;
    (void)state;
    FOR_EACH_PART(part) {
        unsigned id = begin_start(&rig, part);
        begins(&rig, id, part);
        rig.events = 0;
        send(&rig, id, 0, 0x1ffc, 0);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 1);
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_ERROR, 0)->value[3], 1u << 6);
        engine_rig_stop(&rig);
    }
}

/* A method that is refused inside is an effect of its own: the words after it wait for the driver, who has to look. */
static void a_refused_method_ends_a_run(void **state) {
    struct engine_rig rig;
    (void)state;
    FOR_EACH_PART(part) {
        uint32_t words[3] = {0, 0, 0};
        unsigned id = begin_start(&rig, part);
        begins(&rig, id, part);
        assert_int_equal(engine_rig_offer(&rig, id, 0, part->texture_enable, 4, words, 3), 1);
        engine_rig_stop(&rig);
    }
}

/* ---- saving ---- */

struct saved {
    unsigned char bytes[1 << 18];
    size_t count;
};

static bool keep(void *to, const void *data, size_t bytes) {
    struct saved *saved = to;
    assert_true(saved->count + bytes <= sizeof saved->bytes);
    memcpy(saved->bytes + saved->count, data, bytes);
    saved->count += bytes;
    return true;
}

static void a_primitive_that_is_saved_goes_on(void **state) {
    static struct saved saved;
    struct engine_rig rig, other;
    (void)state;
    FOR_EACH_PART(part) {
        saved.count = 0;
        unsigned id = begin_start(&rig, part);
        begins(&rig, id, part);
        assert_int_equal(rig.fifo.engines[id].ops->save(rig.fifo.engines[id].engine, keep, &saved, NULL), PFIFO_OK);
        engine_rig_stop(&rig);
        assert_true(engine_rig_start(&other, part->chip));
        engine_rig_observe(&other, "engine.*");
        assert_int_equal(
            other.fifo.engines[id].ops->load(other.fifo.engines[id].engine, saved.bytes, saved.count, NULL), PFIFO_OK);
        assert_int_equal(answer(&other, id, part, part->texture_enable, 0), REFUSED);
        assert_int_equal(answer(&other, id, part, part->begin, 0), TAKEN);
        assert_int_equal(answer(&other, id, part, part->texture_enable, 0), TAKEN);
        engine_rig_stop(&other);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_draw_with_all_its_state_begins),
        cmocka_unit_test(a_draw_without_its_targets_is_refused),
        cmocka_unit_test(a_null_object_is_no_target),
        cmocka_unit_test(a_texture_that_is_on_needs_its_object),
        cmocka_unit_test(a_draw_of_kelvin_needs_state_that_fits),
        cmocka_unit_test(all_state_that_is_missing_is_told),
        cmocka_unit_test(without_its_check_a_draw_begins_anyway),
        cmocka_unit_test(an_array_without_its_object_is_refused),
        cmocka_unit_test(an_array_that_is_turned_on_inside_needs_its_object),
        cmocka_unit_test(indices_without_their_object_are_refused),
        cmocka_unit_test(a_begin_inside_is_refused_and_an_end_outside_is_nothing),
        cmocka_unit_test(some_methods_are_not_taken_inside),
        cmocka_unit_test(what_is_not_taken_inside_keeps_its_value),
        cmocka_unit_test(a_method_that_the_class_has_not_is_illegal_inside_too),
        cmocka_unit_test(a_refused_method_ends_a_run),
        cmocka_unit_test(a_primitive_that_is_saved_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
