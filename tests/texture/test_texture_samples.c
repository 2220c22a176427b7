/* SPDX-License-Identifier: MIT */
/* What samples and fetches of textures give. */
#include "rig.h"

static struct rig rig;

static void open_2d(unsigned width, unsigned height, unsigned levels) {
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_MAXWELL,
               (struct rig_header){.target = TEXTURE_2D, .width = width, .height = height, .levels = levels});
}

static void set(unsigned x, unsigned y, unsigned z, unsigned layer, unsigned level, uint32_t rgba) {
    uint8_t *at = rig_texel(&rig, x, y, z, layer, level);
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(rgba >> (24 - 8 * i));
}

static float red(float s, float t, float r, float level) {
    float out[4];
    rig_sample(&rig, s, t, r, level, out);
    return out[0];
}

static void nearest_gives_each_texel_of_a_block_linear_texture(void **state) {
    (void)state;
    float out[4];
    open_2d(20, 40, 1);
    rig_sampler(&rig, 2, 1, 1);
    for (unsigned y = 0; y < 40; y++)
        for (unsigned x = 0; x < 20; x++)
            set(x, y, 0, 0, 0, x << 24 | y << 16 | 0x80ff);
    for (unsigned y = 0; y < 40; y++)
        for (unsigned x = 0; x < 20; x++) {
            rig_sample(&rig, ((float)x + 0.5F) / 20, ((float)y + 0.5F) / 40, 0, 0, out);
            assert_int_equal((int)(out[0] * 255 + 0.5F), x);
            assert_int_equal((int)(out[1] * 255 + 0.5F), y);
            assert_float_equal(out[2], 128 / 255.0F, 0);
            assert_float_equal(out[3], 1, 0);
        }
}

/* A header of samples as texels, with the mode: the one that resolves by filtering. */
static void filters_do_not_know_samples(void **state) {
    (void)state;
    open_2d(32, 32, 1);
    for (unsigned y = 0; y < 32; y++)
        for (unsigned x = 0; x < 32; x++)
            set(x, y, 0, 0, 0, x << 24 | y << 16 | 0x80ff);
    rig_header(&rig, TEXTURE_TIC_MAXWELL,
               (struct rig_header){.target = TEXTURE_2D, .width = 32, .height = 32, .levels = 1, .samples = 3});
    rig_sampler(&rig, 2, 1, 1);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal((int)(red(((float)i + 0.5F) / 32, 0.9F, 0, 0) * 255 + 0.5F), i);
}

static void linear_weights_have_eight_bits(void **state) {
    (void)state;
    open_2d(2, 1, 1);
    rig_sampler(&rig, 2, 2, 1);
    set(0, 0, 0, 0, 0, 0);
    set(1, 0, 0, 0, 0, 0xff000000);
    assert_float_equal(red(0.25F, 0.5F, 0, 0), 0, 0);
    assert_float_equal(red(0.5F, 0.5F, 0, 0), 0.5F, 0);
    assert_float_equal(red(0.25F + 0.5F / 256, 0.5F, 0, 0), 1.0F / 256, 0);
    assert_float_equal(red(0.25F + 0.5F / 1024, 0.5F, 0, 0), 0, 0);
}

static void wrap_modes_choose_texels_beyond_the_edge(void **state) {
    (void)state;
    /* Texels 0 .. 3 have 1/8, 3/8, 5/8, 7/8; the border has 0.5. Coordinates in texels. */
    static const struct {
        unsigned wrap;
        float at[5], red[5];
    } cases[] = {
        {0, {-0.5F, -1.5F, 4.5F, 5.5F, 8.5F}, {3, 2, 0, 1, 0}},
        {1, {-0.5F, -1.5F, 4.5F, 5.5F, 8.5F}, {0, 1, 3, 2, 0}},
        {2, {-0.5F, -9.5F, 4.5F, 9.5F, 3.5F}, {0, 0, 3, 3, 3}},
        {3, {-0.5F, -9.5F, 4.5F, 9.5F, 3.5F}, {9, 9, 9, 9, 3}},
        {5, {-0.5F, -2.5F, -9.5F, 9.5F, 1.5F}, {0, 2, 3, 3, 1}},
        {6, {-0.5F, -2.5F, -9.5F, 9.5F, 1.5F}, {0, 2, 9, 9, 1}},
        {4, {-0.5F, -9.5F, 4.0F, 9.5F, 1.5F}, {0, 0, 3, 3, 1}},
        {7, {-0.5F, -2.5F, -9.5F, 9.5F, 1.5F}, {0, 2, 3, 3, 1}},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const float border = 0.5F;
        open_2d(4, 1, 1);
        rig_sampler(&rig, cases[i].wrap, 1, 1);
        memcpy(&rig.sampler.border[0], &border, sizeof border);
        for (unsigned x = 0; x < 4; x++)
            set(x, 0, 0, 0, 0, (0x20 + 0x40 * x) << 24);
        for (unsigned j = 0; j < 5; j++) {
            unsigned texel = (unsigned)cases[i].red[j];
            float expected = texel == 9 ? 0.5F : (float)(0x20 + 0x40 * texel) / 255;
            assert_float_equal(red(cases[i].at[j] / 4, 0.5F, 0, 0), expected, 1e-7);
        }
    }
}

static void gl_clamp_shows_half_of_the_border_at_the_edge(void **state) {
    (void)state;
    const float border = 1;
    open_2d(4, 1, 1);
    rig_sampler(&rig, 4, 2, 1);
    memcpy(&rig.sampler.border[0], &border, sizeof border);
    assert_float_equal(red(-1, 0.25F, 0, 0), 0.5F + 0.5F / 4, 1e-7); /* half in s, a quarter of the rest in t */
    assert_float_equal(red(0.5F, 0.5F, 0, 0), 0, 0);
}

static void mipmaps_are_chosen_and_mixed(void **state) {
    (void)state;
    open_2d(8, 8, 4);
    rig_sampler(&rig, 2, 1, 3);
    for (unsigned level = 0; level < 4; level++)
        for (unsigned y = 0; y < 8u >> level; y++)
            for (unsigned x = 0; x < 8u >> level; x++)
                set(x, y, 0, 0, level, level * 0x40 << 24);
    assert_float_equal(red(0.5F, 0.5F, 0, 1), 0x40 / 255.0F, 1e-7);
    assert_float_equal(red(0.5F, 0.5F, 0, 1.5F), 0x60 / 255.0F, 1e-7);
    assert_float_equal(red(0.5F, 0.5F, 0, 9), 0xc0 / 255.0F, 1e-7);
    rig_sampler(&rig, 2, 1, 2);
    assert_float_equal(red(0.5F, 0.5F, 0, 1.5F), 0x40 / 255.0F, 1e-7); /* a tie goes down */
    assert_float_equal(red(0.5F, 0.5F, 0, 1.51F), 0x80 / 255.0F, 1e-7);
    rig_sampler(&rig, 2, 1, 1);
    assert_float_equal(red(0.5F, 0.5F, 0, 3), 0, 0);
}

/* Derivatives of the quad: s grows by a step for each pixel. */
static void derivatives_of_a_quad_choose_the_level(void **state) {
    (void)state;
    static const struct {
        float step, level;
    } cases[] = {{1.0F / 64, 0}, {2.0F / 64, 1}, {4.0F / 64, 2}, {3.0F / 64, 1.58203125F}, {0, -128}};
    open_2d(64, 64, 7);
    rig_sampler(&rig, 2, 1, 3);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        texture_row s, t, out[2];
        rig_fill(t, 0.5F);
        for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
            float value = (float)(lane & 1) * cases[i].step;
            memcpy(&s[lane], &value, sizeof value);
        }
        const struct texture_request request = {.has_derivatives = true, .coordinate = {s, t}};
        texture_query_lod(&rig.view, &rig.sampler, &request, 0xf, out);
        for (unsigned lane = 0; lane < 4; lane++)
            assert_float_equal((float)(int16_t)out[0][lane] / 256, cases[i].level, 1.0 / 256);
    }
}

/* What programs ask for has the biases in it, and not the limits. */
static void queries_have_biases_before_limits(void **state) {
    (void)state;
    texture_row at, lod, out[2];
    open_2d(64, 64, 7);
    rig_sampler(&rig, 2, 1, 2);
    rig.sampler.lod_bias = 1.5F;
    rig.view.lod_bias = 0.25F;
    rig.sampler.max_lod = 3;
    rig_fill(at, 0.5F);
    rig_fill(lod, 2);
    const struct texture_request request = {.lod = TEXTURE_LOD_LEVEL, .coordinate = {at, at}, .level = lod};
    texture_query_lod(&rig.view, &rig.sampler, &request, 1, out);
    assert_int_equal(out[0][0], 0x3c0);
    assert_int_equal(out[1][0], 0x300);
}

static uint64_t texels_of(unsigned filter, unsigned mip, float level, uint32_t lanes) {
    texture_row at, lod, rows[4];
    rig_fill(at, 0.4F);
    rig_fill(lod, level);
    rig_sampler(&rig, 0, filter, mip);
    const struct texture_request request = {.lod = TEXTURE_LOD_LEVEL, .coordinate = {at, at}, .level = lod};
    return texture_sample(&rig.source, &rig.view, &rig.sampler, &request, lanes, rows);
}

/* It is what a sample costs. */
static void texels_that_are_read_are_counted(void **state) {
    (void)state;
    open_2d(16, 16, 3);
    assert_int_equal(texels_of(1, 1, 0, 1), 1);
    assert_int_equal(texels_of(1, 1, 0, 0xff), 8);
    assert_int_equal(texels_of(2, 1, 0, 0xff), 8 * 4);
    assert_int_equal(texels_of(2, 3, 0.5F, 0xff), 8 * 8);
    uint64_t plain = texels_of(2, 1, 0, 0xff);
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_TESLA, (struct rig_header){.format = 0x24, .width = 16, .height = 16}); /* DXT1 */
    assert_true(texels_of(2, 1, 0, 0xff) > 2 * plain);
}

static void anisotropy_takes_probes_along_the_longer_axis(void **state) {
    (void)state;
    texture_row s, t, rows[4];
    open_2d(16, 16, 1);
    for (unsigned y = 0; y < 16; y++)
        for (unsigned x = 0; x < 16; x++)
            set(x, y, 0, 0, 0, x * 16 << 24);
    rig_sampler(&rig, 2, 2, 1);
    rig.sampler.anisotropy = 4;
    rig_fill(t, 0.5F);
    for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
        float value = 0.5F + (float)(lane & 1) * 4 / 16;
        memcpy(&s[lane], &value, sizeof value);
    }
    for (unsigned lane = 2; lane < 4; lane++) {
        float value = 0.5F + 1.0F / 16;
        memcpy(&t[lane], &value, sizeof value);
    }
    const struct texture_request request = {.has_derivatives = true, .coordinate = {s, t}};
    texture_sample(&rig.source, &rig.view, &rig.sampler, &request, 1, rows);
    float value;
    memcpy(&value, &rows[0][0], sizeof value);
    assert_float_equal(value, 120 / 255.0F, 1e-6); /* probes at 6.5, 7.5, 8.5, 9.5 texels: the mean is that at 8 */
}

/* As Mesa averages eight samples: 4 x 2 texels for a pixel. Column 6 is 1: a quarter of it. */
static void a_header_may_limit_anisotropy(void **state) {
    (void)state;
    texture_row s, t, rows[4];
    open_2d(16, 16, 1);
    for (unsigned y = 0; y < 16; y++)
        for (unsigned x = 0; x < 16; x++)
            set(x, y, 0, 0, 0, x == 6 ? 0xff000000 : 0);
    rig_sampler(&rig, 2, 2, 1);
    rig.view.most_anisotropy = 2;
    for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
        float x = 0.5F + (float)(lane & 1) * 4 / 16, y = 0.5F + (float)(lane >> 1 & 1) * 2 / 16;
        memcpy(&s[lane], &x, sizeof x);
        memcpy(&t[lane], &y, sizeof y);
    }
    const struct texture_request request = {.has_derivatives = true, .coordinate = {s, t}};
    texture_sample(&rig.source, &rig.view, &rig.sampler, &request, 1, rows);
    float value;
    memcpy(&value, &rows[0][0], sizeof value);
    assert_float_equal(value, 0.25F, 1e-6);
}

static void every_face_of_a_cube_has_its_direction(void **state) {
    (void)state;
    static const float directions[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_MAXWELL, (struct rig_header){.target = TEXTURE_CUBE, .width = 4, .height = 4});
    rig_sampler(&rig, 2, 1, 1);
    for (unsigned face = 0; face < 6; face++)
        for (unsigned i = 0; i < 16; i++)
            set(i % 4, i / 4, 0, face, 0, face * 0x20 << 24);
    for (unsigned face = 0; face < 6; face++)
        assert_float_equal(red(directions[face][0], directions[face][1], directions[face][2], 0),
                           (float)(face * 0x20) / 255, 1e-7);
}

/* All faces have their number; at an edge two of them meet half and half, at a corner three by thirds. */
static void seamless_cubes_filter_across_edges_and_corners(void **state) {
    (void)state;
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_MAXWELL, (struct rig_header){.target = TEXTURE_CUBE, .width = 4, .height = 4});
    rig_sampler(&rig, 2, 2, 1);
    rig.sampler.seamless = true;
    for (unsigned face = 0; face < 6; face++)
        for (unsigned i = 0; i < 16; i++)
            set(i % 4, i / 4, 0, face, 0, face * 0x20 << 24);
    assert_float_equal(red(1, 0, 0.99999F, 0), (0 + 4 * 0x20) / 2 / 255.0F, 1e-3);
    assert_float_equal(red(1, 0.99999F, 0, 0), (0 + 2 * 0x20) / 2 / 255.0F, 1e-3);
    assert_float_equal(red(0, -1, -0.99999F, 0), (3 + 5) * 0x10 / 255.0F, 1e-3);
    assert_float_equal(red(1, 0.99999F, 0.99999F, 0), (0 + 2 + 4) * 0x20 / 3.0F / 255, 1e-3);
}

/* Along an edge, texel j of one face meets the texel of the other that has the same place in space. */
static void texels_beyond_an_edge_are_those_of_the_next_face(void **state) {
    (void)state;
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_MAXWELL, (struct rig_header){.target = TEXTURE_CUBE, .width = 4, .height = 4});
    rig_sampler(&rig, 2, 2, 1);
    rig.sampler.seamless = true;
    for (unsigned face = 0; face < 6; face++)
        for (unsigned i = 0; i < 16; i++) {
            /* red: the height (y) of the texel in space */
            static const int signs[6] = {-1, -1, 0, 0, -1, -1};
            int height = signs[face] ? 3 - 2 * (int)(i / 4) : face == 2 ? 4 : -4;
            set(i % 4, i / 4, 0, face, 0, (uint32_t)(128 + height * 16) << 24);
        }
    for (int j = 0; j < 4; j++) {
        const float y = (float)(3 - 2 * j) / 4;
        assert_float_equal(red(1, y, 0.99999F, 0), (float)(128 + (3 - 2 * j) * 16) / 255, 1e-3);
        assert_float_equal(red(-1, y, 0.99999F, 0), (float)(128 + (3 - 2 * j) * 16) / 255, 1e-3);
        assert_float_equal(red(0.99999F, y, -1, 0), (float)(128 + (3 - 2 * j) * 16) / 255, 1e-3);
    }
}

/* Of directions, whatever their length; those of other faces are seen on the plane of the lane's own. */
static void derivatives_of_cubes_are_those_on_the_face(void **state) {
    (void)state;
    static const struct {
        float at[3], step[3], level;
    } cases[] = {
        {{1, 0, 0}, {0, 0, 0.125F}, 2},          {{-1, 0, 0}, {0, 0.125F, 0}, 2},
        {{0, 2, 0}, {0.125F, 0, 0}, 1},          {{0, -1, 0}, {0, 0.25F, 0}, -128},
        {{0, 0.5F, 1}, {0, 0, 0.25F}, 1.67807F}, {{0.25F, 0.125F, -1}, {0.25F, 0.125F, -1}, -128},
        {{0, 0.75F, 1}, {0, 0.5F, 0}, 4},        {{0, 0.75F, 1}, {0, 0.25F, -0.2F}, 4}, /* to (0, 1, 0.8) */
    };
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_MAXWELL,
               (struct rig_header){.target = TEXTURE_CUBE, .width = 64, .height = 64, .levels = 7});
    rig_sampler(&rig, 2, 1, 3);
    for (unsigned i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        texture_row at[3], step[3], zero, out[2];
        const bool given = i & 1;
        rig_fill(zero, 0);
        for (unsigned axis = 0; axis < 3; axis++) {
            const float begin = cases[i / 2].at[axis], by = cases[i / 2].step[axis];
            rig_fill(step[axis], by);
            for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
                const float value = begin + (given ? 0 : by * (float)(lane >> 1 & 1));
                memcpy(&at[axis][lane], &value, sizeof value);
            }
        }
        const struct texture_request request = {.lod = given ? TEXTURE_LOD_GRADIENT : TEXTURE_LOD_AUTO,
                                                .has_derivatives = !given,
                                                .coordinate = {at[0], at[1], at[2]},
                                                .gradient = {zero, step[0], zero, step[1], zero, step[2]}};
        texture_query_lod(&rig.view, &rig.sampler, &request, 1, out);
        assert_float_equal((float)(int16_t)out[0][0] / 256, cases[i / 2].level, 1.0 / 256);
    }
}

static void volumes_filter_between_slices(void **state) {
    (void)state;
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_MAXWELL,
               (struct rig_header){.target = TEXTURE_3D, .width = 2, .height = 2, .depth = 4, .block_depth = 2});
    rig_sampler(&rig, 2, 2, 1);
    for (unsigned z = 0; z < 4; z++)
        for (unsigned i = 0; i < 4; i++)
            set(i % 2, i / 2, z, 0, 0, z * 0x40 << 24);
    assert_float_equal(red(0.5F, 0.5F, 0.375F, 0), 0x40 / 255.0F, 1e-7);
    assert_float_equal(red(0.5F, 0.5F, 0.5F, 0), 0x60 / 255.0F, 1e-7);
}

static void a_layer_beyond_the_last_is_the_last(void **state) {
    (void)state;
    texture_row s, layer, rows[4];
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_MAXWELL,
               (struct rig_header){.target = TEXTURE_2D_ARRAY, .width = 4, .height = 4, .depth = 3});
    rig_sampler(&rig, 2, 1, 1);
    for (unsigned i = 0; i < 3; i++)
        set(2, 2, 0, i, 0, i * 0x40 << 24);
    rig_fill(s, 0.625F);
    for (unsigned lane = 0; lane < TEXTURE_LANES; lane++)
        layer[lane] = lane;
    const struct texture_request request = {.coordinate = {s, s}, .layer = layer};
    texture_sample(&rig.source, &rig.view, &rig.sampler, &request, 0xff, rows);
    for (unsigned lane = 0; lane < 8; lane++) {
        float value;
        memcpy(&value, &rows[0][lane], sizeof value);
        assert_float_equal(value, (float)((lane < 3 ? lane : 2) * 0x40) / 255, 1e-7);
    }
}

static void a_comparison_comes_before_the_filter(void **state) {
    (void)state;
    texture_row s, t, reference, rows[4];
    static const float depths[2] = {0.25F, 0.75F};
    float value;
    rig_begin(&rig);
    rig_header(
        &rig, TEXTURE_TIC_MAXWELL,
        (struct rig_header){.format = 0x2f, .type = TEXTURE_FLOAT, .target = TEXTURE_2D, .width = 2, .height = 1});
    rig_sampler(&rig, 2, 2, 1);
    rig.sampler.function = 3; /* reference <= texel */
    for (unsigned x = 0; x < 2; x++)
        memcpy(rig_texel(&rig, x, 0, 0, 0, 0), &depths[x], sizeof depths[x]);
    rig_fill(s, 0.5F);
    rig_fill(t, 0.5F);
    rig_fill(reference, 0.5F);
    const struct texture_request request = {.shadow = true, .coordinate = {s, t}, .reference = reference};
    texture_sample(&rig.source, &rig.view, &rig.sampler, &request, 1, rows);
    memcpy(&value, &rows[0][0], sizeof value);
    assert_float_equal(value, 0.5F, 0);
}

/* The bits of coverage are in no component. Names: NVIDIA open-gpu-doc classes/3d/clb197tex.h, COMPONENTS. */
static void depth_with_coverage_samples_is_depth(void **state) {
    (void)state;
    static const struct {
        uint32_t code, bytes, type;
        uint8_t texel[8];
    } rows[] = {{0x2c, 4, TEXTURE_UNORM, {0xff, 0xff, 0xff, 0x55}}, {0x2d, 4, TEXTURE_UNORM, {0xff, 0xff, 0xff, 0x55}},
                {0x2e, 4, TEXTURE_UNORM, {0xff, 0xff, 0xff, 0x55}}, {0x3b, 4, TEXTURE_UNORM, {0xff, 0xff, 0xff, 0x55}},
                {0x31, 8, TEXTURE_UNORM, {0xff, 0xff, 0xff, 0x55}}, {0x32, 8, TEXTURE_UNORM, {0xff, 0xff, 0xff, 0x55}},
                {0x37, 8, TEXTURE_UNORM, {0xff, 0xff, 0xff, 0x55}}, {0x3c, 8, TEXTURE_UNORM, {0xff, 0xff, 0xff, 0x55}},
                {0x33, 8, TEXTURE_FLOAT, {0, 0, 0x80, 0x3f}},       {0x34, 8, TEXTURE_FLOAT, {0, 0, 0x80, 0x3f}},
                {0x35, 8, TEXTURE_FLOAT, {0, 0, 0x80, 0x3f}},       {0x36, 8, TEXTURE_FLOAT, {0, 0, 0x80, 0x3f}},
                {0x38, 8, TEXTURE_FLOAT, {0, 0, 0x80, 0x3f}},       {0x39, 8, TEXTURE_FLOAT, {0, 0, 0x80, 0x3f}},
                {0x3d, 8, TEXTURE_FLOAT, {0, 0, 0x80, 0x3f}},       {0x3e, 8, TEXTURE_FLOAT, {0, 0, 0x80, 0x3f}}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        float out[4];
        rig_begin(&rig);
        rig_header(&rig, TEXTURE_TIC_TESLA,
                   (struct rig_header){
                       .format = rows[i].code, .type = rows[i].type, .target = TEXTURE_2D, .width = 2, .height = 1});
        rig_sampler(&rig, 2, 1, 1);
        memcpy(rig_texel(&rig, 1, 0, 0, 0, 0), rows[i].texel, rows[i].bytes);
        rig_sample(&rig, 0.75F, 0.5F, 0, 0, out);
        assert_float_equal(out[0], 1, 0);
        rig_sample(&rig, 0.25F, 0.5F, 0, 0, out);
        assert_float_equal(out[0], 0, 0);
    }
}

static void gather_gives_four_texels_in_its_order(void **state) {
    (void)state;
    texture_row s, rows[4];
    open_2d(4, 4, 1);
    rig_sampler(&rig, 2, 1, 1);
    for (unsigned i = 0; i < 16; i++)
        set(i % 4, i / 4, 0, 0, 0, i << 16);
    rig_fill(s, 0.5F);
    const struct texture_request request = {.operation = TEXTURE_GATHER, .component = 1, .coordinate = {s, s}};
    texture_sample(&rig.source, &rig.view, &rig.sampler, &request, 1, rows);
    static const unsigned expected[4] = {9, 10, 6, 5};
    for (unsigned i = 0; i < 4; i++) {
        float value;
        memcpy(&value, &rows[i][0], sizeof value);
        assert_int_equal((int)(value * 255 + 0.5F), expected[i]);
    }
}

static void fetches_outside_read_zeros(void **state) {
    (void)state;
    texture_row x, y, level, rows[4];
    open_2d(4, 4, 3);
    for (unsigned i = 0; i < 16; i++)
        set(i % 4, i / 4, 0, 0, 0, 0xffffffff);
    set(1, 1, 0, 0, 1, 0x80808080);
    for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
        x[lane] = lane == 1 ? 4 : lane == 2 ? UINT32_MAX : 1;
        y[lane] = lane == 3 ? 4 : 1;
        level[lane] = lane == 4 ? 3 : lane == 5 ? 1 : 0;
    }
    const struct texture_request request = {.operation = TEXTURE_FETCH, .coordinate = {x, y}, .level = level};
    texture_sample(&rig.source, &rig.view, NULL, &request, 0x3f, rows);
    static const float expected[6] = {1, 0, 0, 0, 0, 128 / 255.0F};
    for (unsigned lane = 0; lane < 6; lane++) {
        float value;
        memcpy(&value, &rows[3][lane], sizeof value);
        assert_float_equal(value, expected[lane], 1e-7);
    }
}

static void memory_that_is_not_mapped_reads_zeros(void **state) {
    (void)state;
    open_2d(4, 4, 1);
    rig_sampler(&rig, 2, 1, 1);
    set(0, 0, 0, 0, 0, 0xff0000ff);
    set(0, 2, 0, 0, 0, 0xff0000ff);
    rig.hole = RIG_BASE + 40;
    assert_float_equal(red(0.125F, 0.125F, 0, 0), 1, 0);
    assert_float_equal(red(0.125F, 0.625F, 0, 0), 0, 0);
}

static void srgb_is_decoded_before_weights(void **state) {
    (void)state;
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_MAXWELL,
               (struct rig_header){.target = TEXTURE_2D, .width = 2, .height = 1, .srgb = true});
    rig_sampler(&rig, 2, 2, 1);
    set(1, 0, 0, 0, 0, 0xff0000ff);
    rig.sampler.srgb = true;
    assert_float_equal(red(0.5F, 0.5F, 0, 0), 0.5F, 1e-7);
    set(0, 0, 0, 0, 0, 0xbc0000ff);
    assert_float_equal(red(0.25F, 0.5F, 0, 0), 0.502886F, 1e-5);
}

static void compressed_blocks_decode_to_their_colours(void **state) {
    (void)state;
    /* BC1: red and blue, and two mixtures; the first row has indices 0 1 2 3. */
    static const uint8_t bc1[8] = {0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0};
    float out[4];
    static const float expected[4][3] = {{1, 0, 0}, {0, 0, 1}, {2 / 3.0F, 0, 1 / 3.0F}, {1 / 3.0F, 0, 2 / 3.0F}};
    rig_begin(&rig);
    rig_header(&rig, TEXTURE_TIC_MAXWELL,
               (struct rig_header){.format = 0x24, .target = TEXTURE_2D, .width = 8, .height = 4});
    rig_sampler(&rig, 2, 1, 1);
    memcpy(rig.memory + 8, bc1, sizeof bc1);
    for (unsigned x = 0; x < 4; x++) {
        rig_sample(&rig, ((float)x + 4.5F) / 8, 0.125F, 0, 0, out);
        for (unsigned c = 0; c < 3; c++)
            assert_float_equal(out[c], expected[x][c], 1e-6);
    }
}

/* 1D textures have no height: their layers are what comes second. */
static void sizes_end_with_the_layers(void **state) {
    (void)state;
    static const struct {
        uint32_t target, expected[4];
    } cases[] = {
        {TEXTURE_1D_ARRAY, {8, 5, 5, 1}},
        {TEXTURE_2D_ARRAY, {8, 4, 5, 1}},
        {TEXTURE_3D, {8, 4, 5, 1}},
        {TEXTURE_CUBE_ARRAY, {8, 4, 5, 1}},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        texture_row out[4];
        rig_begin(&rig);
        rig_header(&rig, TEXTURE_TIC_MAXWELL,
                   (struct rig_header){.target = cases[i].target, .width = 8, .height = 4, .depth = 5});
        texture_query_size(&rig.view, NULL, 1, out);
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(out[k][0], cases[i].expected[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_gives_each_texel_of_a_block_linear_texture),
        cmocka_unit_test(filters_do_not_know_samples),
        cmocka_unit_test(linear_weights_have_eight_bits),
        cmocka_unit_test(wrap_modes_choose_texels_beyond_the_edge),
        cmocka_unit_test(gl_clamp_shows_half_of_the_border_at_the_edge),
        cmocka_unit_test(mipmaps_are_chosen_and_mixed),
        cmocka_unit_test(derivatives_of_a_quad_choose_the_level),
        cmocka_unit_test(queries_have_biases_before_limits),
        cmocka_unit_test(texels_that_are_read_are_counted),
        cmocka_unit_test(anisotropy_takes_probes_along_the_longer_axis),
        cmocka_unit_test(a_header_may_limit_anisotropy),
        cmocka_unit_test(every_face_of_a_cube_has_its_direction),
        cmocka_unit_test(seamless_cubes_filter_across_edges_and_corners),
        cmocka_unit_test(texels_beyond_an_edge_are_those_of_the_next_face),
        cmocka_unit_test(derivatives_of_cubes_are_those_on_the_face),
        cmocka_unit_test(volumes_filter_between_slices),
        cmocka_unit_test(a_layer_beyond_the_last_is_the_last),
        cmocka_unit_test(a_comparison_comes_before_the_filter),
        cmocka_unit_test(depth_with_coverage_samples_is_depth),
        cmocka_unit_test(gather_gives_four_texels_in_its_order),
        cmocka_unit_test(fetches_outside_read_zeros),
        cmocka_unit_test(memory_that_is_not_mapped_reads_zeros),
        cmocka_unit_test(srgb_is_decoded_before_weights),
        cmocka_unit_test(compressed_blocks_decode_to_their_colours),
        cmocka_unit_test(sizes_end_with_the_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
