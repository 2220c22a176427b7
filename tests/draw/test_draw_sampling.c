/* SPDX-License-Identifier: MIT */
/* From an instruction to a texel: handles, slots, pools, offsets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/lend/sampling.h"

/* Memory: headers from 0, samplers from 0x1000, and a line of four texels for header n at 0x2000 + 0x100 * n. */
#define BASE     UINT64_C(0x100000)
#define SAMPLERS 0x1000u
#define TEXELS   0x2000u
#define WIDTH    4u

struct scene {
    uint8_t memory[0x4000];
    struct sampling *sampling;
    struct sampling_pools pools;
    struct shade_slots slots;
    struct shade_io io;
    struct shade_warp warp;
    struct ir ir;
    shade_row out[4];
};

static const uint8_t *at(void *opaque, uint64_t address, uint64_t *bytes) {
    struct scene *scene = opaque;
    if (address < BASE || address >= BASE + sizeof scene->memory)
        return NULL;
    *bytes = 7; /* in small pieces */
    if (BASE + sizeof scene->memory - address < *bytes)
        *bytes = BASE + sizeof scene->memory - address;
    return scene->memory + (address - BASE);
}

static void store(struct scene *scene, uint32_t offset, const uint32_t *words, unsigned count) {
    for (unsigned i = 0; i < 4 * count; i++)
        scene->memory[offset + i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
}

/* A pitch-linear line of four texels of A8B8G8R8 UINT, in the layout of Maxwell. */
static void header(struct scene *scene, unsigned number, unsigned texture) {
    uint32_t words[8] = {0}, address = (uint32_t)(BASE + TEXELS + 0x100 * texture);
    words[0] = 0x08;
    for (unsigned i = 0; i < 4; i++)
        words[0] |= (uint32_t)TEXTURE_UINT << (7 + 3 * i) | (2 + i) << (19 + 3 * i);
    words[1] = address;
    words[2] = 2u << 21;
    words[3] = 32 >> 5;
    words[4] = (WIDTH - 1) | (uint32_t)TEXTURE_2D_NO_MIPS << 23;
    words[5] = 0;
    store(scene, 32 * number, words, 8);
}

/* Texel x of texture n is 0x10 * n + x, in all components. */
static int begin(void **state) {
    struct scene *scene = calloc(1, sizeof *scene);
    if (!scene)
        return -1;
    struct texture_memory memory = {scene, at};
    scene->sampling = sampling_new(&memory);
    for (unsigned n = 0; n < 8; n++) {
        header(scene, n, n);
        for (unsigned x = 0; x < WIDTH; x++)
            memset(scene->memory + TEXELS + 0x100 * n + 4 * x, (int)(0x10 * n + x), 4);
    }
    scene->pools = (struct sampling_pools){.unit = {.layout = TEXTURE_TIC_MAXWELL, .order = GOB_SECTORS},
                                           .headers = BASE,
                                           .samplers = BASE + SAMPLERS,
                                           .last_header = 7,
                                           .last_sampler = 7};
    scene->warp.io = &scene->io;
    scene->io.slots = &scene->slots;
    scene->ir = (struct ir){.op = IR_TLD};
    struct ir_texture *texture = &scene->ir.texture;
    memset(texture->derivative, IR_ZERO, sizeof texture->derivative);
    texture->handle = texture->layer = texture->sample = texture->level = texture->reference = IR_ZERO;
    texture->coordinate[0] = 0;
    texture->coordinate[1] = texture->coordinate[2] = texture->offset[0] = texture->offset[1] = IR_ZERO;
    texture->dim = IR_DIM_2D;
    texture->lod = IR_LOD_ZERO;
    sampling_begin(scene->sampling, &scene->pools);
    *state = scene;
    return 0;
}

static int end(void **state) {
    struct scene *scene = *state;
    sampling_free(scene->sampling);
    free(scene);
    return 0;
}

static void run(struct scene *scene, uint32_t lanes, const uint32_t *handle) {
    shade_row out[4];
    memcpy(out, scene->out, sizeof out);
    assert_true(sampling_texture(scene->sampling, &scene->warp, lanes, &scene->ir, handle, out));
    memcpy(scene->out, out, sizeof out);
}

static void fill(uint32_t *row, uint32_t value) {
    for (unsigned i = 0; i < SHADE_LANES; i++)
        row[i] = value;
}

static void every_lane_may_have_a_texture_of_its_own(void **state) {
    struct scene *scene = *state;
    shade_row handle;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        handle[i] = i % 8;
        scene->warp.registers[0][i] = i / 8;
    }
    fill(scene->out[0], 0xdead);
    run(scene, 0xfffffff0, handle);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        assert_int_equal(scene->out[0][i], i < 4 ? 0xdead : 0x10 * (i % 8) + i / 8);
    assert_null(sampling_reason(scene->sampling));
}

static void what_lies_behind_the_pool_is_zero_and_reported(void **state) {
    struct scene *scene = *state;
    shade_row handle;
    fill(handle, 8);
    handle[1] = 3;
    fill(scene->out[2], 0xdead);
    run(scene, 0x3, handle);
    assert_int_equal(scene->out[2][0], 0);
    assert_int_equal(scene->out[2][1], 0x30);
    assert_int_equal(scene->out[2][2], 0xdead);
    assert_non_null(sampling_reason(scene->sampling));
    sampling_begin(scene->sampling, &scene->pools);
    assert_null(sampling_reason(scene->sampling));
}

/* NVK's null descriptor on Kepler. */
static void a_header_of_no_width_is_zero_and_in_order(void **state) {
    struct scene *scene = *state;
    shade_row handle = {0};
    store(scene, 0, (const uint32_t[]){0x0002491d, 0xfffff000, 0x8001403f, 0, 0x80000000, 0, 0, 1}, 8);
    fill(scene->out[0], 0xdead);
    scene->pools.unit.layout = TEXTURE_TIC_TESLA;
    sampling_begin(scene->sampling, &scene->pools);
    run(scene, 0x1, handle);
    assert_int_equal(scene->out[0][0], 0);
    assert_int_equal(scene->out[0][1], 0xdead);
    assert_null(sampling_reason(scene->sampling));
}

static void headers_are_looked_at_again_in_the_next_draw(void **state) {
    struct scene *scene = *state;
    shade_row handle;
    fill(handle, 1);
    run(scene, 1, handle);
    header(scene, 1, 5);
    run(scene, 1, handle);
    assert_int_equal(scene->out[0][0], 0x10);
    sampling_begin(scene->sampling, &scene->pools);
    run(scene, 1, handle);
    assert_int_equal(scene->out[0][0], 0x50);
}

static unsigned use(struct scene *scene, uint32_t first, uint32_t second, uint32_t *used) {
    shade_row handle;
    scene->pools.last_header = 127;
    sampling_begin(scene->sampling, &scene->pools);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        handle[i] = i % 2 ? second : first;
    run(scene, UINT32_MAX, handle);
    return sampling_used(scene->sampling, used, SAMPLING_KEPT);
}

/* Also if they are kept in the same place: what several threads have used does not depend on who used what. */
static void headers_that_were_used_are_known_in_order(void **state) {
    struct scene *scene = *state;
    uint32_t used[SAMPLING_KEPT];
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(use(scene, i ? 7 : 7 + SAMPLING_KEPT, i ? 7 + SAMPLING_KEPT : 7, used), 2);
        assert_int_equal(used[0], 7);
        assert_int_equal(used[1], 7 + SAMPLING_KEPT);
    }
    assert_int_equal(sampling_used(scene->sampling, used, 1), 1);
    sampling_begin(scene->sampling, &scene->pools);
    assert_int_equal(sampling_used(scene->sampling, used, SAMPLING_KEPT), 0);
}

static void of_many_headers_the_lowest_numbers_are_known(void **state) {
    struct scene *scene = *state;
    uint32_t used[SAMPLING_KEPT];
    assert_int_equal(use(scene, 127, 126, used), 2);
    for (unsigned n = 126; n-- > 0;)
        sampling_view(scene->sampling, n * 5 % 126);
    assert_int_equal(sampling_used(scene->sampling, used, SAMPLING_KEPT), SAMPLING_KEPT);
    for (unsigned i = 0; i < SAMPLING_KEPT; i++)
        assert_int_equal(used[i], i);
}

static void slots_are_what_they_are_bound_to(void **state) {
    struct scene *scene = *state;
    shade_row handle;
    scene->ir.texture.by_slot = true;
    for (unsigned i = 0; i < SHADE_SLOTS; i++)
        scene->slots.header[i] = scene->slots.sampler[i] = SHADE_UNBOUND;
    scene->slots.header[9] = 6;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        handle[i] = 9 + i;
    run(scene, 1, handle);
    assert_int_equal(scene->out[0][0], 0x60);
    assert_null(sampling_reason(scene->sampling));
    run(scene, UINT32_MAX, handle);
    assert_int_equal(scene->out[0][1], 0);
    assert_int_equal(scene->out[0][31], 0);
    assert_non_null(sampling_reason(scene->sampling));
}

static void offsets_are_signed_texels(void **state) {
    struct scene *scene = *state;
    shade_row handle;
    fill(handle, 2);
    fill(scene->warp.registers[0], 2);
    fill(scene->warp.registers[1], 0x000f0001); /* +1; as the upper half: -1 */
    scene->ir.texture.offsets = true;
    scene->ir.texture.offset[0] = 1;
    run(scene, 1, handle);
    assert_int_equal(scene->out[0][0], 0x23);
    scene->ir.texture.offset_high = true;
    run(scene, 1, handle);
    assert_int_equal(scene->out[0][0], 0x21);
}

static void sizes_are_those_of_the_header(void **state) {
    struct scene *scene = *state;
    shade_row handle;
    fill(handle, 2);
    scene->ir.op = IR_TXQ;
    scene->ir.texture.query = IR_QUERY_SIZE;
    run(scene, 1, handle);
    assert_int_equal(scene->out[0][0], WIDTH);
    assert_int_equal(scene->out[1][0], 1);
    scene->ir.texture.query = IR_QUERY_TYPE;
    run(scene, 1, handle);
    assert_int_equal(scene->out[2][0], 1);
    assert_null(sampling_reason(scene->sampling));
    scene->ir.texture.query = IR_QUERY_BORDER;
    run(scene, 1, handle);
    assert_int_equal(scene->out[0][0], 0);
    assert_non_null(sampling_reason(scene->sampling));
}

/* Two samplers: beyond the right edge one clamps, the other repeats. */
static void samplers_are_in_the_upper_bits_or_linked(void **state) {
    struct scene *scene = *state;
    static const uint32_t clamp[8] = {2 | 2 << 3 | 2 << 6, 1 | 1 << 4 | 1 << 6}, repeat[8] = {0, 1 | 1 << 4 | 1 << 6};
    shade_row handle;
    store(scene, SAMPLERS, clamp, 8);
    store(scene, SAMPLERS + 32, repeat, 8);
    header(scene, 1, 0);
    uint32_t normalized = scene->memory[20 + 3] | 0x80u;
    scene->memory[20 + 3] = scene->memory[32 + 20 + 3] = (uint8_t)normalized;
    fill(handle, 0);
    handle[1] = 1u << 20;
    fill(scene->warp.registers[0], 0x3f900000); /* 1.125 */
    scene->ir.op = IR_TEX;
    run(scene, 0x3, handle);
    assert_int_equal(scene->out[0][0], 3);
    assert_int_equal(scene->out[0][1], 0);
    scene->pools.linked = true;
    sampling_begin(scene->sampling, &scene->pools);
    handle[0] = 1;
    run(scene, 0x3, handle);
    assert_int_equal(scene->out[0][0], 0);
    assert_int_equal(scene->out[0][1], 3);
}

/* A cube with one texel in each face: 0 in +x, 1 in +z. In the middle of their edge, a linear filter. */
static void fermi_has_one_rule_for_the_edges_of_cubes(void **state) {
    struct scene *scene = *state;
    static const uint32_t linear[8] = {2 | 2 << 3 | 2 << 6, 2 | 2 << 4 | 1 << 6};
    static const struct {
        bool here;
        uint8_t faces;
        float expected;
    } cases[] = {{false, 2, 0}, {true, 2, 0.5F}, {true, 1, 0}, {true, 3, 0.5F}, {true, 0, 0}};
    uint32_t words[8] = {0x08, (uint32_t)(BASE + TEXELS), 3u << 21, 0, (uint32_t)TEXTURE_CUBE << 23, 1u << 31};
    shade_row handle;
    for (unsigned i = 0; i < 4; i++)
        words[0] |= (uint32_t)TEXTURE_UNORM << (7 + 3 * i) | (2 + i) << (19 + 3 * i);
    store(scene, 0, words, 8);
    store(scene, SAMPLERS, linear, 8);
    memset(scene->memory + TEXELS, 0, sizeof scene->memory - TEXELS);
    memset(scene->memory + TEXELS + 4 * 512, 0xff, 4);
    fill(handle, 0);
    fill(scene->warp.registers[0], 0x3f800000); /* (1, 0, 0.9999999) */
    fill(scene->warp.registers[1], 0);
    fill(scene->warp.registers[2], 0x3f7ffffe);
    scene->ir.op = IR_TEX;
    scene->ir.texture.dim = IR_DIM_CUBE;
    scene->ir.texture.coordinate[1] = 1;
    scene->ir.texture.coordinate[2] = 2;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float value;
        scene->pools.faces_here = cases[i].here;
        scene->pools.faces = cases[i].faces;
        sampling_begin(scene->sampling, &scene->pools);
        run(scene, 1, handle);
        memcpy(&value, &scene->out[0][0], sizeof value);
        assert_float_equal(value, cases[i].expected, 0.01);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_lane_may_have_a_texture_of_its_own, begin, end),
        cmocka_unit_test_setup_teardown(what_lies_behind_the_pool_is_zero_and_reported, begin, end),
        cmocka_unit_test_setup_teardown(a_header_of_no_width_is_zero_and_in_order, begin, end),
        cmocka_unit_test_setup_teardown(headers_are_looked_at_again_in_the_next_draw, begin, end),
        cmocka_unit_test_setup_teardown(headers_that_were_used_are_known_in_order, begin, end),
        cmocka_unit_test_setup_teardown(of_many_headers_the_lowest_numbers_are_known, begin, end),
        cmocka_unit_test_setup_teardown(slots_are_what_they_are_bound_to, begin, end),
        cmocka_unit_test_setup_teardown(offsets_are_signed_texels, begin, end),
        cmocka_unit_test_setup_teardown(sizes_are_those_of_the_header, begin, end),
        cmocka_unit_test_setup_teardown(samplers_are_in_the_upper_bits_or_linked, begin, end),
        cmocka_unit_test_setup_teardown(fermi_has_one_rule_for_the_edges_of_cubes, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
