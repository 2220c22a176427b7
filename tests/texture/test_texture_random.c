/* SPDX-License-Identifier: MIT */
/* Random textures, samplers and coordinates, against a sampler that goes texel by texel; every format and layout. */
#include "rig.h"

#include <math.h>

#include "reference/texture.h"
#include "rounds.h"

#define MEMORY (1u << 17)
#define LANES  8u

static struct random_memory {
    uint8_t bytes[MEMORY];
    uint32_t page; /* memory is contiguous up to multiples of it */
} memory;

static const uint8_t *memory_at(void *opaque, uint64_t address, uint64_t *bytes) {
    const struct random_memory *m = opaque;
    if (address < RIG_BASE || address >= RIG_BASE + MEMORY)
        return NULL;
    const uint64_t offset = address - RIG_BASE, left = MEMORY - offset, page = m->page - offset % m->page;
    *bytes = page < left ? page : left;
    return m->bytes + offset;
}

/* ---- what is chosen ---- */

struct scene {
    struct texture_reference t;
    enum texture_layout layout;
    uint32_t header[TEXTURE_WORDS], sampler[TEXTURE_WORDS];
    struct texture_view view;
    struct texture_sampler decoded;
    struct texture_reference_request request[LANES];
};

/* Floats have few sizes; the others take every type. */
static bool type_is_possible(unsigned code, unsigned type, const unsigned bits[4]) {
    bool floats = code == 0x21;
    if (code == 0x20)
        return type == 7;
    if (code == 0x05 || code >= 0x29)
        return type != 7 || bits[0] == 32;
    floats |= bits[0] == 16 || bits[0] == 32;
    return type != 7 || floats;
}

static void choose_format(struct choice *c, struct texture_reference *t) {
    unsigned bits[4], type;
    do
        t->format = choice_below(c, 0x40);
    while (!texture_reference_format(t->format, bits));
    do
        type = choice_between(c, 1, 7);
    while (!type_is_possible(t->format, type, bits));
    for (unsigned i = 0; i < 4; i++)
        t->type[i] = type;
    for (unsigned i = 0; i < 4; i++) {
        t->source[i] = choice_once_in(c, 4) ? choice_below(c, 8) : 2 + i;
        t->source[i] = t->source[i] == 1 ? 0 : t->source[i];
    }
    t->srgb = t->format == 0x08 && type == 2 && choice_once_in(c, 2);
    t->depth_format = t->format >= 0x29;
}

/* Texels of 12 bytes are for buffers alone. */
static void choose_size(struct choice *c, struct texture_reference *t) {
    t->target = t->format == 0x02 ? TEXTURE_BUFFER : choice_below(c, 9);
    t->width = choice_between(c, 1, choice_once_in(c, 3) ? 70 : 12);
    t->height = choice_between(c, 1, choice_once_in(c, 3) ? 40 : 12);
    t->depth = choice_between(c, 1, choice_once_in(c, 3) ? 9 : 3);
    t->levels = t->target == TEXTURE_BUFFER ? 1 : choice_between(c, 1, 7);
    if (t->target == TEXTURE_CUBE || t->target == TEXTURE_CUBE_ARRAY)
        t->height = t->width;
    t->block_height = choice_below(c, 6);
    t->block_depth = choice_below(c, 6);
    t->tile_width = choice_once_in(c, 3) ? choice_below(c, 4) : 0;
    t->lines = choice_once_in(c, 4);
    if ((t->target == TEXTURE_2D || t->target == TEXTURE_2D_NO_MIPS) && choice_once_in(c, 4)) {
        t->pitch = 32 * choice_between(c, 1, 40);
        t->levels = 1;
    } else if ((t->target == TEXTURE_2D || t->target == TEXTURE_2D_ARRAY) && choice_once_in(c, 4)) {
        t->mode = choice_below(c, 6);
        t->levels = 1;
    }
    t->last = choice_below(c, t->levels);
    t->first = choice_below(c, t->last + 1);
    t->normalized = choice_below(c, 5) != 0;
}

static void choose_sampler(struct choice *c, struct texture_reference *t) {
    static const unsigned probes[8] = {1, 2, 4, 6, 8, 10, 12, 16};
    for (unsigned i = 0; i < 3; i++)
        t->wrap[i] = choice_below(c, 8);
    t->mag_linear = choice_once_in(c, 2);
    t->min_linear = choice_once_in(c, 2);
    t->mip = choice_between(c, 1, 3);
    t->anisotropy = choice_once_in(c, 3) ? probes[choice_below(c, 8)] : 1;
    t->reduction = choice_once_in(c, 5) ? choice_between(c, 1, 2) : 0;
    t->function = choice_below(c, 8);
    t->decodes_srgb = choice_once_in(c, 2);
    t->unnormalized = choice_once_in(c, 8);
    t->seamless = choice_once_in(c, 2);
    t->edge_in_face = !t->seamless && choice_once_in(c, 2);
    t->bias = choice_once_in(c, 3) ? (double)choice_below(c, 1024) / 256 - 2 : 0;
    t->sampler_bias = choice_once_in(c, 3) ? (double)choice_below(c, 1024) / 256 - 2 : 0;
    t->lowest = choice_once_in(c, 4) ? (double)choice_below(c, 512) / 256 : 0;
    t->least = choice_once_in(c, 4) ? (double)choice_below(c, 512) / 256 : 0;
    const unsigned most = choice_once_in(c, 4) ? choice_below(c, 1024) : 4095;
    t->most = (most < 1024 && most % 2 ? most % 192 : most) / 256.0; /* some near the first level */
    for (unsigned i = 0; i < 4; i++) {
        const float value = (float)choice_below(c, 64) / 32 - 0.5F;
        memcpy(&t->border[i], &value, 4);
    }
}

static void choose_request(struct choice *c, const struct texture_reference *t, struct texture_reference_request *q,
                           bool gradient, bool shadow) {
    const uint32_t size[3] = {t->width, t->height, t->depth};
    *q = (struct texture_reference_request){.shadow = shadow, .has_gradient = gradient};
    for (unsigned i = 0; i < 3; i++) {
        const unsigned parts = choice_once_in(c, 2) ? 1u << 16 : 4 * size[i];
        const float at = (float)choice_below(c, 4 * parts) / (float)parts - 1.5F;
        q->at[i] = (double)(t->normalized && !t->unnormalized ? at : at * (float)size[i]);
        q->texel[i] = (int32_t)choice_below(c, size[i] + 2) - 1;
        q->offset[i] = choice_once_in(c, 4) ? (int32_t)choice_below(c, 16) - 8 : 0;
        for (unsigned k = 0; k < 2; k++)
            q->gradient[k][i] = (double)((float)choice_below(c, 1024) / 1024 * (choice_once_in(c, 2) ? 0.05F : 0.5F));
    }
    if (q->at[0] == 0 && q->at[1] == 0 && q->at[2] == 0)
        q->at[0] = 0.5;
    q->layer = choice_below(c, t->depth + 2);
    q->level = choice_below(c, 4);
    q->sample = choice_below(c, 10);
    q->lambda = (double)((float)choice_below(c, 2048) / 256 - 2);
    q->reference = (float)choice_below(c, 40) / 32 - 0.125F;
    q->component = 0;
}

/* Floats are below 2 where they are to be added. */
static void choose_memory(struct choice *c, bool moderate) {
    uint64_t state = choice_word(c) | 1;
    memory.page = choice_once_in(c, 3) ? 1u << choice_below(c, 12) : MEMORY;
    for (unsigned i = 0; i < MEMORY; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        memory.bytes[i] = (uint8_t)(state >> 56) & (moderate ? 0x3f : 0xff);
    }
}

/* ---- words ---- */

static uint32_t fixed(double value, unsigned bits) {
    return (uint32_t)(int32_t)(value * 256) & ((1u << bits) - 1);
}

static void write_header(struct scene *scene) {
    const struct texture_reference *t = &scene->t;
    const bool maxwell = scene->layout == TEXTURE_TIC_MAXWELL;
    uint32_t *w = scene->header;
    w[0] = t->format;
    for (unsigned i = 0; i < 4; i++)
        w[0] |= t->type[i] << ((maxwell ? 7 : 6) + 3 * i) | t->source[i] << ((maxwell ? 19 : 18) + 3 * i);
    w[1] = (uint32_t)RIG_BASE;
    w[2] = (uint32_t)(RIG_BASE >> 32);
    if (!maxwell) {
        w[2] |= (uint32_t)t->srgb << 10 | t->target << 14 | (t->pitch ? 1u << 18 : 0) | t->block_height << 22 |
                t->block_depth << 25 | (uint32_t)t->normalized << 31;
        w[3] = t->pitch;
        w[4] = t->width | (uint32_t)t->depth_format << 30;
        w[5] = t->height | t->depth << 16 | (t->levels - 1) << 28;
        w[6] = fixed(t->bias, 13) << 5;
        w[7] = t->first | t->last << 4 | t->mode << 12 | fixed(t->lowest, 12) << 16;
        return;
    }
    w[5] = (t->height - 1) | (t->depth - 1) << 16 | (uint32_t)t->normalized << 31;
    if (t->target == TEXTURE_BUFFER) {
        w[3] = (t->width - 1) >> 16;
        w[4] = ((t->width - 1) & 0xffff) | t->target << 23 | (uint32_t)t->srgb << 22;
        return;
    }
    w[2] |= (t->pitch ? 2u : 3u) << 21;
    w[3] = t->pitch ? t->pitch >> 5 : t->block_height << 3 | t->block_depth << 6 | t->tile_width << 10;
    w[3] |= (uint32_t)t->depth_format << 27 | (t->levels - 1) << 28;
    w[4] = (t->width - 1) | (uint32_t)t->srgb << 22 | t->target << 23;
    w[6] = fixed(t->bias, 13) << 6;
    w[7] = t->first | t->last << 4 | t->mode << 8 | fixed(t->lowest, 12) << 12;
}

static void write_sampler(struct scene *scene) {
    static const uint8_t codes[17] = {[1] = 0, [2] = 1, [4] = 2, [6] = 3, [8] = 4, [10] = 5, [12] = 6, [16] = 7};
    const struct texture_reference *t = &scene->t;
    uint32_t *w = scene->sampler;
    w[0] = t->wrap[0] | t->wrap[1] << 3 | t->wrap[2] << 6 | t->function << 10 | (uint32_t)t->decodes_srgb << 13 |
           (uint32_t)codes[t->anisotropy] << 20;
    w[1] = (t->mag_linear ? 2u : 1) | (t->min_linear ? 2u : 1) << 4 | t->mip << 6 |
           (t->seamless ? 2u : t->edge_in_face) << 8 | t->reduction << 10 | fixed(t->sampler_bias, 13) << 12 |
           (uint32_t)t->unnormalized << 25;
    w[2] = fixed(t->least, 12) | fixed(t->most, 12) << 12;
    memcpy(w + 4, t->border, sizeof t->border);
}

/* ---- both ---- */

enum what { FETCH, SAMPLE, GATHER };

static struct rows {
    texture_row at[3], texel[3], layer, level, lambda, sample, reference, offset[3], gradient[6], out[4];
} rows;

static uint32_t bits_of(double value) {
    const float small = (float)value;
    uint32_t bits;
    memcpy(&bits, &small, 4);
    return bits;
}

static void fill_rows(const struct scene *scene) {
    for (unsigned lane = 0; lane < LANES; lane++) {
        const struct texture_reference_request *q = &scene->request[lane];
        for (unsigned i = 0; i < 3; i++) {
            rows.at[i][lane] = bits_of(q->at[i]);
            rows.texel[i][lane] = (uint32_t)q->texel[i];
            rows.offset[i][lane] = (uint32_t)q->offset[i];
            rows.gradient[2 * i][lane] = bits_of(q->gradient[0][i]);
            rows.gradient[2 * i + 1][lane] = bits_of(q->gradient[1][i]);
        }
        rows.layer[lane] = q->layer;
        rows.level[lane] = q->level;
        rows.sample[lane] = q->sample;
        rows.lambda[lane] = bits_of(q->lambda);
        rows.reference[lane] = bits_of((double)q->reference);
    }
}

static void run(const struct scene *scene, enum what what) {
    const struct texture_memory source = {&memory, memory_at};
    const struct texture_reference_request *q = &scene->request[0];
    struct texture_request request = {.operation = what == FETCH    ? TEXTURE_FETCH
                                                   : what == SAMPLE ? TEXTURE_SAMPLE
                                                                    : TEXTURE_GATHER,
                                      .lod = q->has_gradient ? TEXTURE_LOD_GRADIENT : TEXTURE_LOD_LEVEL,
                                      .shadow = q->shadow,
                                      .layer = rows.layer,
                                      .level = what == FETCH ? rows.level : rows.lambda,
                                      .sample = rows.sample,
                                      .reference = rows.reference};
    for (unsigned i = 0; i < 3; i++) {
        request.coordinate[i] = what == FETCH ? rows.texel[i] : rows.at[i];
        request.offset[i] = rows.offset[i];
        request.gradient[2 * i] = rows.gradient[2 * i];
        request.gradient[2 * i + 1] = rows.gradient[2 * i + 1];
    }
    texture_sample(&source, &scene->view, what == FETCH ? NULL : &scene->decoded, &request, (1u << LANES) - 1,
                   rows.out);
}

static bool is_exact(const struct texture_reference *t, enum what what) {
    return what != SAMPLE || t->type[0] == TEXTURE_SINT || t->type[0] == TEXTURE_UINT;
}

static bool same(uint32_t got, uint32_t want, bool exact, double tolerance) {
    float a, b;
    memcpy(&a, &got, 4);
    memcpy(&b, &want, 4);
    if (got == want || (!exact && !(fabsf(a) < 1e6F) && !(fabsf(b) < 1e6F)))
        return true;
    if (isnan(a) && isnan(b)) /* which NaN is nobody's */
        return true;
    return !exact && (double)fabsf(a - b) <= tolerance * (1 + (double)fabsf(b));
}

static bool compare(const struct scene *scene, enum what what, FILE *report) {
    const struct texture_reference *t = &scene->t;
    static const char *const names[] = {"fetch", "sample", "gather"};
    const bool exact = is_exact(t, what) && !t->srgb;
    for (unsigned lane = 0; lane < LANES; lane++) {
        const struct texture_reference_request *q = &scene->request[lane];
        uint32_t want[4];
        bool sure = true;
        if (what == FETCH)
            texture_reference_fetch(t, q, want);
        else if (what == GATHER)
            texture_reference_gather(t, q, want);
        else
            sure = texture_reference_sample(t, q, want);
        for (unsigned i = 0; i < 4 && sure; i++) {
            if (same(rows.out[i][lane], want[i], exact, 2e-6))
                continue;
            fprintf(report,
                    "%s of lane %u: component %u is %08x, not %08x; format %02x type %u target %u %ux%ux%u "
                    "gradient %d anisotropy %u levels %u (%u..%u) pitch %u block %u %u mode %u\n",
                    names[what], lane, i, rows.out[i][lane], want[i], t->format, t->type[0], t->target, t->width,
                    t->height, t->depth, q->has_gradient, t->anisotropy, t->levels, t->first, t->last, t->pitch,
                    t->block_height, t->block_depth, t->mode);
            return false;
        }
    }
    return true;
}

static bool decode(struct scene *scene, FILE *report) {
    const struct texture_unit unit = {scene->layout, scene->t.lines ? GOB_LINES : GOB_SECTORS, false};
    const char *reason = NULL;
    write_header(scene);
    write_sampler(scene);
    scene->t.memory = memory.bytes;
    scene->t.bytes = MEMORY;
    texture_sampler(&scene->decoded, scene->sampler);
    if (texture_header(&scene->view, &unit, scene->header, &reason))
        return true;
    fprintf(report, "refused: %s\n", reason);
    return false;
}

static bool play(struct choice *c, FILE *report) {
    static struct scene scene;
    const bool derived = choice_once_in(c, 3), shadow = choice_once_in(c, 4);
    memset(&scene, 0, sizeof scene);
    scene.layout = choice_once_in(c, 2) ? TEXTURE_TIC_TESLA : TEXTURE_TIC_MAXWELL;
    choose_format(c, &scene.t);
    choose_size(c, &scene.t);
    if (scene.layout == TEXTURE_TIC_TESLA)
        scene.t.tile_width = 0; /* its header has no place for it */
    choose_sampler(c, &scene.t);
    choose_memory(c, true);
    if (scene.t.target == TEXTURE_BUFFER) { /* its header has no place for them */
        scene.t.bias = scene.t.lowest = 0;
        scene.t.depth_format = false;
    }
    const bool integers = scene.t.type[0] == TEXTURE_SINT || scene.t.type[0] == TEXTURE_UINT;
    const bool cube = scene.t.target == TEXTURE_CUBE || scene.t.target == TEXTURE_CUBE_ARRAY;
    const bool gradient = derived && !cube; /* derivatives of directions have tests of their own */
    for (unsigned i = 0; i < LANES; i++)
        choose_request(c, &scene.t, &scene.request[i], gradient, shadow && !integers);
    fill_rows(&scene);
    if (!decode(&scene, report))
        return false;
    run(&scene, SAMPLE);
    if (!compare(&scene, SAMPLE, report))
        return false;
    if (integers && cube) /* corners would be means of integers */
        return true;
    run(&scene, GATHER);
    return compare(&scene, GATHER, report);
}

static void samples_and_gathers_are_those_of_the_reference(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play, 4000), 0);
}

/* ---- every format through every layout ---- */

static bool fetch_all(struct choice *c, struct scene *scene, FILE *report) {
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < LANES; i++)
            choose_request(c, &scene->t, &scene->request[i], false, false);
        fill_rows(scene);
        run(scene, FETCH);
        if (!compare(scene, FETCH, report))
            return false;
    }
    return true;
}

/* A target, or another way to lie in memory. */
static const struct form {
    uint8_t target, levels, mode;
    uint16_t pitch;
    uint8_t block_height, block_depth;
} forms[] = {
    {TEXTURE_1D, 4, 0, 0, 2, 0},         {TEXTURE_2D, 3, 0, 0, 0, 0},       {TEXTURE_2D, 3, 0, 0, 1, 0},
    {TEXTURE_2D, 3, 0, 0, 4, 0},         {TEXTURE_2D, 1, 0, 1024, 0, 0},    {TEXTURE_2D_NO_MIPS, 1, 0, 1056, 0, 0},
    {TEXTURE_3D, 3, 0, 0, 0, 0},         {TEXTURE_3D, 3, 0, 0, 1, 2},       {TEXTURE_3D, 2, 0, 0, 3, 1},
    {TEXTURE_CUBE, 2, 0, 0, 1, 0},       {TEXTURE_1D_ARRAY, 3, 0, 0, 0, 0}, {TEXTURE_2D_ARRAY, 3, 0, 0, 2, 0},
    {TEXTURE_CUBE_ARRAY, 2, 0, 0, 0, 0}, {TEXTURE_BUFFER, 1, 0, 0, 0, 0},   {TEXTURE_2D, 1, 1, 0, 1, 0},
    {TEXTURE_2D, 1, 2, 0, 1, 0},         {TEXTURE_2D, 1, 3, 0, 1, 0},       {TEXTURE_2D, 1, 4, 0, 1, 0},
    {TEXTURE_2D_ARRAY, 1, 5, 0, 0, 0},
};

static bool fetch_form(struct choice *c, unsigned code, unsigned type, const struct form *form, FILE *report) {
    static struct scene scene;
    memset(&scene, 0, sizeof scene);
    scene.t = (struct texture_reference){.format = code,
                                         .type = {type, type, type, type},
                                         .source = {2, 3, 4, 5},
                                         .target = form->target,
                                         .levels = form->levels,
                                         .last = form->levels - 1u,
                                         .mode = form->mode,
                                         .pitch = form->pitch,
                                         .block_height = form->block_height,
                                         .block_depth = form->block_depth,
                                         .width = choice_between(c, 1, 40),
                                         .height = choice_between(c, 1, 24),
                                         .depth = choice_between(c, 1, 5),
                                         .depth_format = code >= 0x29};
    if (form->target == TEXTURE_CUBE || form->target == TEXTURE_CUBE_ARRAY)
        scene.t.height = scene.t.width;
    scene.t.anisotropy = 1;
    for (unsigned way = 0; way < 4; way++) {
        scene.layout = way & 1 ? TEXTURE_TIC_MAXWELL : TEXTURE_TIC_TESLA;
        scene.t.lines = way & 2;
        if (!decode(&scene, report) || !fetch_all(c, &scene, report))
            return false;
    }
    return true;
}

static bool play_formats(struct choice *c, FILE *report) {
    unsigned bits[4];
    choose_memory(c, false);
    for (unsigned code = 0; code < 0x40; code++)
        for (unsigned type = 1; type <= 7; type++)
            for (unsigned i = 0; i < sizeof forms / sizeof forms[0]; i++)
                if (texture_reference_format(code, bits) && type_is_possible(code, type, bits) &&
                    (code != 0x02 || forms[i].target == TEXTURE_BUFFER || forms[i].pitch) &&
                    !fetch_form(c, code, type, &forms[i], report))
                    return false;
    return true;
}

static void every_format_is_fetched_through_every_layout(void **state) {
    (void)state;
    assert_true(rounds_one(play_formats, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_and_gathers_are_those_of_the_reference),
        cmocka_unit_test(every_format_is_fetched_through_every_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
