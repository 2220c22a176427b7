/* SPDX-License-Identifier: MIT */
/* What methods and headers of programs say of vertices and clipping. */
#include "engine/draw/clip.h"
#include "engine/draw/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define METHODS 0x4000u

static uint32_t value[METHODS];
static struct draw_state front;

static void decode(void) {
    const struct draw_source source = {.of = draw_class_of(0xb097), .value = value};
    draw_decode(&front, &source, STATE_ALL);
}

/* SET_CUBEMAP_INTER_FACE_FILTERING; later classes have it in samplers. */
static void the_edges_of_cubes_are_a_method_of_fermi(void **state) {
    (void)state;
    value[0x1664 >> 2] = 4;
    decode();
    assert_int_equal(front.textures.cube_faces, 2);
    assert_true(draw_class_of(0x9097)->cube_faces && draw_class_of(0x9297)->cube_faces);
    assert_false(draw_class_of(0xa097)->cube_faces || draw_class_of(0xb097)->cube_faces);
}

static void decode_fragment(const uint32_t header[HEADER_WORDS]) {
    const struct draw_source source = {.of = draw_class_of(0xb097), .value = value};
    decode();
    draw_header(&front, &source, STAGE_FRAGMENT, header);
}

static bool carried(unsigned word) {
    for (unsigned i = 0; i < front.stages.carried.count; i++)
        if (front.stages.carried.word[i] == word)
            return true;
    return false;
}

/* Input 0x280 is linear in the window, 0x290 has perspective. */
static void back_colors_vary_as_front_colors_do(void **state) {
    static const uint32_t header[HEADER_WORDS] = {[14] = 0xaaff};
    (void)state;
    decode_fragment(header);
    assert_true(carried(WORD_COLORS) && !carried(WORD_BACK));
    value[0x1688 >> 2] = 1;
    decode_fragment(header);
    for (unsigned i = 0; i < 8; i++) {
        assert_true(carried(WORD_BACK + i));
        assert_int_equal(front.stages.carried.linear[WORD_BACK + i], i < 4);
    }
}

/* Methods 0x300 and 0x1534. */
static void the_sample_mask_of_a_program_may_need_multisampling(void **state) {
    static const uint32_t header[HEADER_WORDS] = {[19] = 1};
    static const bool used[4][2] = {{false, false}, {true, true}, {false, false}, {false, true}};
    (void)state;
    for (uint32_t usage = 0; usage < 4; usage++)
        for (uint32_t multisample = 0; multisample < 2; multisample++) {
            value[0x300 >> 2] = usage;
            value[0x1534 >> 2] = multisample;
            decode_fragment(header);
            assert_int_equal(front.stages.program.sample_mask, used[usage][multisample]);
        }
}

/* SET_ANTI_ALIAS_ALPHA_CONTROL; SET_ALPHA_TO_COVERAGE_OVERRIDE; a program's mask is beside it. */
static void alpha_becomes_samples_with_multisampling(void **state) {
    static const uint32_t header[HEADER_WORDS] = {[19] = 1};
    (void)state;
    memset(value, 0, sizeof value);
    value[0x300 >> 2] = 1;
    value[0x153c >> 2] = 0x11;
    for (uint32_t i = 0; i < 8; i++) {
        bool multisample = i & 4, by_multisample = i & 1;
        value[0x1534 >> 2] = multisample;
        value[0x16b4 >> 2] = i & 3;
        decode_fragment(header);
        assert_int_equal(front.blend.alpha_to_one, multisample);
        assert_int_equal(front.blend.alpha_to_coverage, multisample || !by_multisample);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(back_colors_vary_as_front_colors_do),
        cmocka_unit_test(the_sample_mask_of_a_program_may_need_multisampling),
        cmocka_unit_test(alpha_becomes_samples_with_multisampling),
        cmocka_unit_test(the_edges_of_cubes_are_a_method_of_fermi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
