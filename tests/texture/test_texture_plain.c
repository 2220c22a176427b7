/* SPDX-License-Identifier: MIT */
/*
 * Plain textures are sampled in a way of their own (sample_plain.c). Offsets of 0 texels are not plain: the same request
 * with them goes the ordinary way, and must give the same bits, cost the same, and find the same hole in memory first.
 */
#include "rig.h"

#include <math.h>

#include "rounds.h"

#define MEMORY (1u << 16)

static struct plain_memory {
    uint8_t bytes[MEMORY];
    uint32_t page;          /* contiguous up to multiples of it */
    uint32_t hole, holes;   /* where so many bytes are missing */
    uint64_t first_missing; /* that was asked for; 0: none */
    bool whole;             /* ranges are given */
    unsigned given;         /* ranges that were there */
} memory;

static bool is_missing(uint64_t offset) {
    return offset >= MEMORY || offset - memory.hole < memory.holes;
}

static const uint8_t *memory_at(void *opaque, uint64_t address, uint64_t *bytes) {
    (void)opaque;
    const uint64_t offset = address - RIG_BASE;
    if (is_missing(offset)) {
        memory.first_missing = memory.first_missing ? memory.first_missing : address;
        return NULL;
    }
    uint64_t end = (offset / memory.page + 1) * memory.page;
    end = offset < memory.hole && memory.hole < end && memory.holes ? memory.hole : end;
    *bytes = (end < MEMORY ? end : MEMORY) - offset;
    return memory.bytes + offset;
}

static const uint8_t *memory_whole(void *opaque, uint64_t address, uint64_t bytes) {
    (void)opaque;
    const uint64_t offset = address - RIG_BASE, end = offset + bytes;
    assert_true(bytes > 0);
    if (!memory.whole || offset >= MEMORY || bytes > MEMORY - offset || offset / memory.page != (end - 1) / memory.page)
        return NULL;
    if (memory.holes && memory.hole < end && memory.hole + memory.holes > offset)
        return NULL;
    memory.given++;
    return memory.bytes + offset;
}

/* ---- what is chosen ---- */

struct scene {
    struct rig rig;
    struct texture_request request;
    texture_row at[2], layer, level, none;
    uint32_t lanes;
};

static void put(texture_row row, unsigned lane, float value) {
    memcpy(&row[lane], &value, sizeof value);
}

/* Bytes of all kinds, or few that differ. */
static void choose_memory(struct choice *c) {
    static const uint8_t few[8] = {0, 1, 2, 127, 128, 129, 254, 255};
    uint64_t state = choice_word(c) | 1;
    const bool any = choice_once_in(c, 2);
    for (unsigned i = 0; i < MEMORY; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        memory.bytes[i] = any ? (uint8_t)(state >> 56) : few[state >> 61];
    }
    memory.page = choice_once_in(c, 2) ? 4096 : MEMORY;
    memory.hole = choice_below(c, 8) * 4096;
    memory.holes = choice_once_in(c, 4) ? choice_between(c, 1, 2) * 4096 : 0;
    memory.whole = !choice_once_in(c, 4);
}

static void choose_header(struct choice *c, struct rig *rig) {
    static const uint32_t formats[] = {0x08, 0x08, 0x08, 0x18, 0x1d, 0x24, 0x09};
    static const uint32_t targets[] = {TEXTURE_2D, TEXTURE_2D, TEXTURE_2D_ARRAY, TEXTURE_2D_NO_MIPS};
    struct rig_header header = {.format = formats[choice_below(c, sizeof formats / sizeof formats[0])],
                                .target = targets[choice_below(c, 4)],
                                .width = 1 + choice_below(c, 70),
                                .height = 1 + choice_below(c, 70),
                                .depth = 1,
                                .block_height = choice_below(c, 5)};
    if (choice_once_in(c, 2))
        header.width = 1u << choice_below(c, 7), header.height = 1u << choice_below(c, 7);
    if (header.target == TEXTURE_2D_ARRAY)
        header.depth = 1 + choice_below(c, 3);
    header.pitch = header.target == TEXTURE_2D_NO_MIPS && choice_once_in(c, 2) ? 512 : 0;
    header.levels = header.target == TEXTURE_2D_NO_MIPS ? 1 : 1 + choice_below(c, 7);
    header.unnormalized = header.target == TEXTURE_2D_NO_MIPS && choice_once_in(c, 3);
    header.srgb = header.format == 0x08 && choice_once_in(c, 3);
    rig_header(rig, choice_once_in(c, 2) ? TEXTURE_TIC_MAXWELL : TEXTURE_TIC_TESLA, header);
    for (unsigned i = 0; i < 4 && choice_once_in(c, 2); i++)
        rig->view.source[i] = (uint8_t)choice_below(c, 8);
    rig->view.first_level = choice_below(c, rig->view.last_level + 1);
    rig->view.min_lod = choice_once_in(c, 4) ? (float)choice_below(c, 1024) / 256 : 0;
    texture_table(&rig->view);
}

static void choose_sampler(struct choice *c, struct rig *rig) {
    uint32_t *words = rig->sampler_words;
    memset(words, 0, sizeof rig->sampler_words);
    for (unsigned i = 0; i < 2; i++)
        words[0] |= choice_below(c, choice_once_in(c, 16) ? 8 : 3) << 3 * i;
    words[0] |= (uint32_t)!choice_once_in(c, 4) << 13; /* sRGB is decoded */
    words[1] = choice_between(c, 1, 2) | choice_between(c, 1, 2) << 4 | choice_between(c, 1, 3) << 6;
    words[1] |= choice_once_in(c, 4) ? choice_below(c, 0x2000) << 12 : 0;
    words[2] = choice_once_in(c, 4) ? choice_below(c, 0x1000) | choice_below(c, 0x1000) << 12 : 0xfff000u;
    texture_sampler(&rig->sampler, words);
}

static void choose_coordinates(struct choice *c, struct scene *scene) {
    static const float odd[] = {-0.0F,  1,      -1e-30F, 4096.5F, 70000.25F,        -3e6F,
                                4.2e6F, -1e30F, 1e-40F,  0.5F,    __builtin_inff(), __builtin_nanf("")};
    const bool any = choice_once_in(c, 4), are_odd = choice_once_in(c, 6);
    const float size = scene->rig.view.normalized ? 1 : 40;
    for (unsigned i = 0; i < 2; i++) {
        const float from = (float)choice_below(c, 4096) / 1024 - 2, across = (float)choice_below(c, 4096) / 65536;
        const float down = (float)choice_below(c, 4096) / 65536 - 0.03F, bend = (float)choice_below(c, 16) / 65536;
        for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
            const float x = (float)(lane >> 2 & 3) * 2 + (float)(lane & 1);
            const float y = (float)(lane >> 4) * 2 + (float)(lane >> 1 & 1);
            float value = from + across * x + down * y + bend * x * y;
            value = any ? (float)choice_below(c, 0x10000) / 16384 - 1.5F : value;
            put(scene->at[i], lane, value * size);
            if (are_odd && choice_once_in(c, 20))
                put(scene->at[i], lane, odd[choice_below(c, sizeof odd / sizeof odd[0])]);
        }
    }
}

/* Steps whose logarithms lie between two lambdas, as nearly as floats can: 256 log2(step) is a whole number and a half. */
static void choose_ties(struct choice *c, struct scene *scene) {
    for (unsigned i = 0; i < 2; i++)
        for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
            const float step = exp2f(((float)choice_below(c, 1024) + 0.5F) / 256) / (float)scene->rig.view.width;
            put(scene->at[i], lane, i == 0 && (lane & 1) ? step : 0);
        }
}

static void choose_request(struct choice *c, struct scene *scene) {
    static const enum texture_lod lods[] = {TEXTURE_LOD_AUTO, TEXTURE_LOD_AUTO, TEXTURE_LOD_ZERO, TEXTURE_LOD_BIAS,
                                            TEXTURE_LOD_LEVEL};
    const bool same_level = choice_once_in(c, 2), same_layer = choice_once_in(c, 2);
    choose_coordinates(c, scene);
    if (choice_once_in(c, 8))
        choose_ties(c, scene);
    scene->request = (struct texture_request){.lod = lods[choice_below(c, 5)],
                                              .has_derivatives = !choice_once_in(c, 4),
                                              .coordinate = {scene->at[0], scene->at[1]}};
    for (unsigned i = 0; i < TEXTURE_LANES; i++) {
        scene->layer[i] = i && same_layer ? scene->layer[0] : choice_below(c, 4);
        put(scene->level, i, (float)choice_below(c, 1024) / 256 - 1);
        scene->level[i] = i && same_level ? scene->level[0] : scene->level[i];
    }
    scene->request.layer = choice_once_in(c, 2) ? scene->layer : NULL;
    if (scene->request.lod == TEXTURE_LOD_BIAS || scene->request.lod == TEXTURE_LOD_LEVEL)
        scene->request.level = scene->level;
    scene->lanes = choice_once_in(c, 3) ? (uint32_t)choice_word(c) : UINT32_MAX;
}

/* ---- both ways ---- */

struct result {
    texture_row out[4];
    uint64_t read, first_missing;
    unsigned given;
};

static void run(const struct scene *scene, bool plain, struct result *result) {
    const struct texture_memory source = {&memory, memory_at, plain ? memory_whole : NULL};
    struct texture_request request = scene->request;
    request.offset[0] = request.offset[1] = plain ? NULL : scene->none;
    memory.first_missing = memory.given = 0;
    memset(result, 0x55, sizeof *result);
    result->read = texture_sample(&source, &scene->rig.view, &scene->rig.sampler, &request, scene->lanes, result->out);
    result->first_missing = memory.first_missing;
    result->given = memory.given;
}

static struct scene scene;
static struct result results[2];
static unsigned plain_ones;

static bool play(struct choice *c, FILE *report) {
    choose_memory(c);
    choose_header(c, &scene.rig);
    choose_sampler(c, &scene.rig);
    choose_request(c, &scene);
    run(&scene, true, &results[0]);
    run(&scene, false, &results[1]);
    plain_ones += results[0].given > 0;
    assert_int_equal(results[1].given, 0);
    const bool same = memcmp(results[0].out, results[1].out, sizeof results[0].out) == 0 &&
                      results[0].read == results[1].read && results[0].first_missing == results[1].first_missing;
    for (unsigned lane = 0; lane < TEXTURE_LANES && !same; lane++)
        for (unsigned i = 0; i < 4; i++)
            if (results[0].out[i][lane] != results[1].out[i][lane])
                fprintf(report, "component %u of lane %u is %08x, not %08x\n", i, lane, results[0].out[i][lane],
                        results[1].out[i][lane]);
    if (!same)
        fprintf(report, "%ux%u; read %llu, not %llu; missing %llx, not %llx\n", scene.rig.view.width,
                scene.rig.view.height, (unsigned long long)results[0].read, (unsigned long long)results[1].read,
                (unsigned long long)results[0].first_missing, (unsigned long long)results[1].first_missing);
    return same;
}

static void plain_samples_are_as_others(void **state) {
    (void)state;
    plain_ones = 0;
    assert_int_equal(rounds_failed(play, 4000), 0);
    assert_true(plain_ones > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(plain_samples_are_as_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
