/* SPDX-License-Identifier: MIT */
/* What headers and samplers say. */
#include "rig.h"

#include "engine/surface/layout.h"
#include "engine/texture/format.h"

static struct rig rig;

static void both_layouts_say_the_same(void **state) {
    (void)state;
    const struct rig_header header = {.target = TEXTURE_2D, .width = 40, .height = 24, .levels = 4, .block_height = 1};
    static struct texture_view views[2];
    for (unsigned i = 0; i < 2; i++) {
        rig_begin(&rig);
        rig_header(&rig, (enum texture_layout)i, header);
        views[i] = rig.view;
    }
    assert_memory_equal(&views[0], &views[1], sizeof views[0]);
    assert_int_equal(views[0].address, RIG_BASE);
    assert_int_equal(views[0].level[3].size[0], 5);
    assert_int_equal(views[0].level[3].size[1], 3);
}

/* 40 x 24 of 4 bytes: 3 gobs across, 2 down in a block, 2 blocks; then 2 x 2 gobs ... */
static void levels_follow_each_other_in_shrinking_blocks(void **state) {
    (void)state;
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_MAXWELL,
               (struct rig_header){.target = TEXTURE_2D, .width = 40, .height = 24, .levels = 4, .block_height = 1});
    assert_int_equal(rig.view.level[1].offset, 3 * 2 * 2 * 512);
    assert_int_equal(rig.view.level[1].layout.block_height, 1); /* 12 lines need two gobs */
    assert_int_equal(rig.view.level[2].offset, 3 * 2 * 2 * 512 + 2 * 2 * 512);
    assert_int_equal(rig.view.level[2].layout.block_height, 0);
}

static void layers_begin_at_blocks_of_level_0(void **state) {
    (void)state;
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_MAXWELL,
               (struct rig_header){
                   .target = TEXTURE_2D_ARRAY, .width = 16, .height = 16, .depth = 3, .levels = 2, .block_height = 1});
    assert_int_equal(rig.view.layers, 3);
    assert_int_equal(rig.view.layer_bytes, 2 * 1024); /* 1024 and 512, in units of 1024 */
}

/*
 * As NVK writes it for a sparse image of 300 x 200 words: tiles of 2 gobs by 4. 19 gobs across are 10 tiles; of level 1 10
 * gobs are 5; level 2 has 50 lines, which are a tile; level 3 has 25, and its own 3 gobs.
 */
static void rows_of_a_sparse_image_are_whole_tiles(void **state) {
    (void)state;
    const struct texture_view *view = &rig.view;
    static const unsigned across[] = {20, 10, 6, 3};
    uint64_t offset = 0;
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_MAXWELL,
               (struct rig_header){.target = TEXTURE_2D_ARRAY,
                                   .width = 300,
                                   .height = 200,
                                   .depth = 2,
                                   .levels = 4,
                                   .block_height = 2,
                                   .tile_width = 1});
    for (unsigned i = 0; i < 4; i++) {
        const struct layout *layout = &view->level[i].layout;
        const unsigned lines = 200 >> i, high = (lines + 31) / 32;
        assert_int_equal(view->level[i].size[0], 300 >> i);
        assert_int_equal(view->level[i].offset, offset);
        assert_int_equal((layout->width + 63) / 64, across[i]);
        /* The second row of blocks is behind the tiles of the first. */
        assert_int_equal(layout_offset(layout, 0, 32, 0), UINT64_C(4) * 512 * across[i]);
        offset += (uint64_t)across[i] * high * 4 * 512;
    }
    assert_int_equal(view->layer_bytes, (offset + 4095) / 4096 * 4096);
}

/* As NVK of Mesa 26 makes it for all of a large buffer: 2^30 - 1 texels of a word. An image is not so wide. */
static void a_buffer_may_have_4_gib_of_texels(void **state) {
    (void)state;
    static const uint32_t words[TEXTURE_WORDS] = {0x58d24908, 0x80000000, 0x3e, 0x3fff, 0x0300fffe};
    static const struct texture_unit unit = {TEXTURE_TIC_MAXWELL, GOB_SECTORS, false};
    struct texture_view view;
    const char *reason = NULL;
    assert_true(texture_header(&view, &unit, words, &reason));
    assert_int_equal(view.target, TEXTURE_BUFFER);
    assert_int_equal(view.width, 0x3fffffff);
    assert_int_equal(view.level[0].layout.width, 0xfffffffc);
}

static void unknown_formats_versions_and_targets_are_refused_by_name(void **state) {
    (void)state;
    static const struct {
        uint32_t word, value;
        const char *reason;
    } cases[] = {{0, 0x3f, "a format that does not exist"},
                 {0, 0x06, "a format that this chip does not have"},
                 {0, 0x40, "a format that this chip does not have"},
                 {0, 0x7f, "a format that does not exist"},
                 {2, 7u << 21, "a version of header that does not exist"},
                 {4, 12u << 23, "a target that does not exist"}};
    static const struct texture_unit unit = {TEXTURE_TIC_MAXWELL, GOB_SECTORS, false};
    struct texture_view view;
    const char *reason = NULL;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rig_begin(&rig);
        rig_header(&rig, TEXTURE_TIC_MAXWELL, (struct rig_header){.target = TEXTURE_2D, .width = 4, .height = 4});
        rig.words[cases[i].word] = cases[i].value;
        assert_false(texture_header(&view, &unit, rig.words, &reason));
        assert_string_equal(reason, cases[i].reason);
    }
}

/* The field has 16 bits, and the most is 65536. */
static void a_height_of_0_is_the_most(void **state) {
    (void)state;
    static const struct texture_unit unit = {TEXTURE_TIC_TESLA, GOB_SECTORS, false};
    struct texture_view view;
    const char *reason = NULL;
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_TESLA, (struct rig_header){.target = TEXTURE_2D, .width = 4, .height = 4});
    rig.words[5] &= ~UINT32_C(0xffff);
    assert_true(texture_header(&view, &unit, rig.words, &reason));
    assert_int_equal(view.height, 0x10000);
}

/* Its eight words are those of NVK's null descriptor on Kepler: nothing to complain of, and nothing to read. */
static void a_width_of_0_is_no_texture(void **state) {
    const uint32_t words[TEXTURE_WORDS] = {0x0002491d, 0xfffff000, 0x8001403f, 0, 0x80000000, 0, 0, 1};
    const struct texture_unit unit = {.layout = TEXTURE_TIC_TESLA};
    static struct texture_view view;
    const char *reason = "not said";
    (void)state;
    assert_false(texture_header(&view, &unit, words, &reason));
    assert_null(reason);
}

static void any_header_is_decoded_or_refused(void **state) {
    (void)state;
    uint32_t seed = 1;
    unsigned taken = 0;
    static texture_row rows[4], coordinate;
    rig_begin(&rig);
    rig_sampler(&rig, 0, 2, 3);
    rig_fill(coordinate, 0.3F);
    for (unsigned round = 0; round < 20000; round++) {
        uint32_t words[TEXTURE_WORDS];
        const char *reason = NULL;
        for (unsigned i = 0; i < TEXTURE_WORDS; i++)
            words[i] = seed = seed * 1664525 + 1013904223;
        const struct texture_unit unit = {(enum texture_layout)(round & 1), GOB_SECTORS, round & 2};
        if (!texture_header(&rig.view, &unit, words, &reason)) {
            assert_true(reason || rig.view.width == 0);
            continue;
        }
        taken++;
        const struct texture_request request = {.operation = (enum texture_operation)(round % 3),
                                                .has_derivatives = true,
                                                .coordinate = {coordinate, coordinate, coordinate},
                                                .layer = coordinate};
        texture_sample(&rig.source, &rig.view, &rig.sampler, &request, 0xf, rows);
    }
    assert_true(taken > 1000);
}

static void samplers_have_filters_bias_and_limits(void **state) {
    (void)state;
    struct texture_sampler sampler;
    const uint32_t words[TEXTURE_WORDS] = {2 | 1 << 3 | 3 << 6 | 1 << 9 | 3 << 10 | 1 << 13 | 4 << 20,
                                           2 | 1 << 4 | 3 << 6 | 1 << 9 | 0x1f80u << 12,
                                           0x80 | 0x200 << 12,
                                           0,
                                           0x3f800000,
                                           0,
                                           0,
                                           0x3f000000};
    texture_sampler(&sampler, words);
    assert_int_equal(sampler.wrap[0], 2);
    assert_int_equal(sampler.wrap[1], 1);
    assert_int_equal(sampler.wrap[2], 3);
    assert_true(sampler.compare && sampler.srgb && sampler.seamless && sampler.mag_linear && !sampler.min_linear);
    assert_int_equal(sampler.function, 3);
    assert_int_equal(sampler.anisotropy, 8);
    assert_int_equal(sampler.mip, 3);
    assert_float_equal(sampler.lod_bias, -0.5, 0);
    assert_float_equal(sampler.min_lod, 0.5, 0);
    assert_float_equal(sampler.max_lod, 2, 0);
    assert_int_equal(sampler.border[3], 0x3f000000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_layouts_say_the_same),
        cmocka_unit_test(levels_follow_each_other_in_shrinking_blocks),
        cmocka_unit_test(layers_begin_at_blocks_of_level_0),
        cmocka_unit_test(rows_of_a_sparse_image_are_whole_tiles),
        cmocka_unit_test(a_buffer_may_have_4_gib_of_texels),
        cmocka_unit_test(unknown_formats_versions_and_targets_are_refused_by_name),
        cmocka_unit_test(a_height_of_0_is_the_most),
        cmocka_unit_test(a_width_of_0_is_no_texture),
        cmocka_unit_test(any_header_is_decoded_or_refused),
        cmocka_unit_test(samplers_have_filters_bias_and_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
