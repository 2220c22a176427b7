/* SPDX-License-Identifier: MIT */
/* Every bit of many samples is as it was: digests, so that faster ways to them cannot change any. */
#include "rig.h"

#define FIRST_DIGEST UINT64_C(0xcbf29ce484222325)

static struct rig rig;
static uint32_t seed;

static uint32_t next(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static void fill_memory(void) {
    rig_begin(&rig);
    for (unsigned i = 0; i < RIG_BYTES; i++)
        rig.memory[i] = (uint8_t)next();
}

static void put(texture_row row, unsigned lane, float value) {
    memcpy(&row[lane], &value, sizeof value);
}

static void random_row(texture_row row) {
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        put(row, i, (float)(next() & 0xffff) / 16384.0F - 1.5F);
}

/* Which NaN arithmetic gives is the compiler's choice. */
static uint32_t without_payload(uint32_t bits) {
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : bits;
}

static uint64_t add_rows(uint64_t digest, texture_row *rows, unsigned count) {
    for (unsigned c = 0; c < count; c++)
        for (unsigned i = 0; i < TEXTURE_LANES; i++)
            digest = (digest ^ without_payload(rows[c][i])) * UINT64_C(0x100000001b3);
    return digest;
}

static uint64_t digest_of(uint64_t digest, bool derived) {
    texture_row at[3], rows[4];
    for (unsigned i = 0; i < 3; i++)
        random_row(at[i]);
    const struct texture_request request = {.operation = TEXTURE_SAMPLE,
                                            .lod = derived ? TEXTURE_LOD_AUTO : TEXTURE_LOD_LEVEL,
                                            .has_derivatives = derived,
                                            .coordinate = {at[0], at[1], at[2]},
                                            .level = at[2]};
    texture_sample(&rig.source, &rig.view, &rig.sampler, &request, UINT32_MAX, rows);
    return add_rows(digest, rows, 4);
}

static void samples_of_normalised_formats_keep_every_bit(void **state) {
    (void)state;
    static const uint32_t formats[] = {0x07, 0x08, 0x15, 0x18, 0x1d, 0x24};
    uint64_t digest = FIRST_DIGEST;
    seed = 1;
    fill_memory();
    for (unsigned i = 0; i < 6 * 8 * 9; i++) {
        const unsigned wrap = i / 6 % 8, filters = i / 48;
        rig_header(&rig, TEXTURE_TIC_MAXWELL,
                   (struct rig_header){.format = formats[i % 6],
                                       .target = TEXTURE_2D,
                                       .width = 52,
                                       .height = 36,
                                       .levels = 5,
                                       .block_height = filters % 2,
                                       .srgb = i % 6 == 1 && wrap % 2});
        rig_sampler(&rig, wrap, 1 + filters % 2, 1 + filters / 3);
        digest = digest_of(digest, false);
        digest = digest_of(digest, true);
    }
    assert_int_equal(digest, UINT64_C(0x1ef5bcde0d35d413));
}

/* ---- any texture, sampler and request ---- */

static const struct {
    uint8_t code, types; /* types: bits by enum texture_type */
    bool depth;
} formats[] = {
    {0x01, 0xb0, false}, {0x02, 0xb0, false}, {0x03, 0xfe, false}, {0x04, 0x98, false}, {0x05, 0x80, false},
    {0x07, 0x06, false}, {0x08, 0x1e, false}, {0x08, 0x04, false}, {0x09, 0x14, false}, {0x0c, 0x9e, false},
    {0x0d, 0x14, false}, {0x0e, 0x14, false}, {0x0f, 0x98, false}, {0x12, 0x04, false}, {0x13, 0x04, false},
    {0x14, 0x04, false}, {0x15, 0x04, false}, {0x16, 0x04, false}, {0x18, 0x1e, false}, {0x1b, 0x9e, false},
    {0x1c, 0x04, false}, {0x1d, 0x1e, false}, {0x1e, 0x04, false}, {0x20, 0x80, false}, {0x21, 0x80, false},
    {0x22, 0x04, false}, {0x23, 0x04, false}, {0x24, 0x04, false}, {0x25, 0x04, false}, {0x26, 0x04, false},
    {0x27, 0x06, false}, {0x28, 0x06, false}, {0x29, 0x04, true},  {0x2a, 0x04, true},  {0x2b, 0x04, true},
    {0x2f, 0x80, true},  {0x30, 0x80, true},  {0x3a, 0x04, true},
};

static uint32_t choose(uint32_t count) {
    return next() % count;
}

static bool seldom(uint32_t one_of) {
    return choose(one_of) == 0;
}

static uint32_t random_type(uint32_t types) {
    uint32_t type = choose(8);
    while (!(types >> type & 1))
        type = (type + 1) % 8;
    return type;
}

static bool is_srgb(uint32_t code, uint32_t type) {
    return type == TEXTURE_UNORM && (code == 0x07 || code == 0x08 || code == 0x18 || code == 0x1d || code == 0x24) &&
           seldom(3);
}

static void random_header(enum texture_target target) {
    const unsigned row = choose(sizeof formats / sizeof formats[0]);
    const bool pitch = (target == TEXTURE_2D_NO_MIPS || target == TEXTURE_2D) && seldom(3);
    struct rig_header header = {.format = formats[row].code,
                                .type = random_type(formats[row].types),
                                .depth_format = formats[row].depth,
                                .target = target,
                                .width = 1 + choose(seldom(3) ? 4 : 60),
                                .height = 1 + choose(40),
                                .depth = 1 + choose(5),
                                .levels = pitch || target == TEXTURE_2D_NO_MIPS ? 1 : 1 + choose(6),
                                .pitch = pitch ? 1024 : 0,
                                .block_height = choose(3),
                                .block_depth = target == TEXTURE_3D ? choose(3) : 0,
                                .samples = target == TEXTURE_2D && seldom(8) ? choose(6) : 0,
                                .unnormalized = target == TEXTURE_2D_NO_MIPS && seldom(2)};
    header.srgb = is_srgb(header.format, header.type);
    if (seldom(2))
        header.width = 1u << choose(7), header.height = 1u << choose(6);
    if (target == TEXTURE_CUBE || target == TEXTURE_CUBE_ARRAY)
        header.height = header.width;
    if (target == TEXTURE_CUBE)
        header.depth = 1;
    rig_header(&rig, seldom(2) ? TEXTURE_TIC_MAXWELL : TEXTURE_TIC_TESLA, header);
    for (unsigned i = 0; i < 4 && seldom(2); i++)
        rig.view.source[i] = (uint8_t)choose(8);
    rig.view.first_level = choose(rig.view.last_level + 1);
    rig.view.lod_bias = seldom(4) ? (float)choose(1024) / 256 - 2 : 0;
    rig.view.min_lod = seldom(4) ? (float)choose(1024) / 256 : 0;
    texture_table(&rig.view);
}

static void random_sampler(void) {
    uint32_t *words = rig.sampler_words;
    for (unsigned i = 0; i < TEXTURE_WORDS; i++)
        words[i] = 0;
    words[0] = choose(8) | choose(8) << 3 | choose(8) << 6 | choose(8) << 10 | (uint32_t)!seldom(4) << 13;
    words[0] |= seldom(4) ? choose(8) << 20 : 0;
    words[1] = (1 + choose(2)) | (1 + choose(2)) << 4 | (1 + choose(3)) << 6 | choose(4) << 8;
    words[1] |= (seldom(6) ? choose(4) << 10 : 0) | (seldom(4) ? choose(0x2000) << 12 : 0);
    words[2] = seldom(4) ? choose(0x1000) | choose(0x1000) << 12 : 0xfff000u;
    texture_sampler(&rig.sampler, words);
    for (unsigned i = 0; i < 4; i++) {
        const float border = (float)choose(64) / 32 - 0.5F;
        memcpy(&rig.sampler.border[i], &border, sizeof border);
    }
}

struct asked {
    texture_row at[3], layer, level, reference, gradient[6], offset[3], each[4][2];
};

static void random_coordinates(struct asked *asked, unsigned scale) {
    static const float odd[] = {0, -0.0F, 1, 0.5F, -1, 1e-30F, 4096.5F, 70000.25F, -3e6F, 1e12F, -1e30F};
    const float nan = __builtin_nanf(""), infinite = __builtin_inff();
    for (unsigned i = 0; i < 3; i++) {
        const float first = (float)choose(4096) / 1024.0F - 2, across = (float)choose(256) / 4096.0F - 0.03F;
        const unsigned kind = choose(3);
        for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
            float value = first + across * (float)(lane % 8) + across / 2 * (float)(lane >> 3);
            if (kind == 0)
                value = (float)choose(0x10000) / 16384.0F - 1.5F;
            put(asked->at[i], lane, value * (float)scale);
            if (seldom(60))
                put(asked->at[i], lane, odd[choose(sizeof odd / sizeof odd[0])]);
            if (seldom(200))
                put(asked->at[i], lane, seldom(2) ? nan : seldom(2) ? infinite : -infinite);
        }
    }
}

static void random_rows(struct asked *asked) {
    random_coordinates(asked, rig.view.normalized ? 1 : 20);
    for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
        asked->layer[lane] = choose(seldom(8) ? 0x20000 : 6);
        put(asked->level, lane, (float)choose(2048) / 256 - 2);
        put(asked->reference, lane, (float)choose(256) / 128 - 0.5F);
        for (unsigned i = 0; i < 6; i++)
            put(asked->gradient[i], lane, (float)choose(256) / 1024 - 0.1F);
        for (unsigned i = 0; i < 3; i++)
            asked->offset[i][lane] = choose(16) - 8;
        for (unsigned i = 0; i < 8; i++)
            asked->each[i / 2][i % 2][lane] = choose(64) - 32;
    }
}

static void ask(const struct asked *asked, struct texture_request *request) {
    *request = (struct texture_request){.coordinate = {asked->at[0], asked->at[1], asked->at[2]}};
    request->operation = seldom(6) ? TEXTURE_GATHER : TEXTURE_SAMPLE;
    request->lod = (enum texture_lod)choose(5);
    request->has_derivatives = seldom(2) || request->lod == TEXTURE_LOD_AUTO;
    request->component = (uint8_t)choose(4);
    request->shadow = !rig.view.integers && seldom(5);
    request->reference = request->shadow ? asked->reference : NULL;
    request->layer = seldom(4) ? NULL : asked->layer;
    request->level = request->lod == TEXTURE_LOD_BIAS || request->lod == TEXTURE_LOD_LEVEL ? asked->level : NULL;
    for (unsigned i = 0; i < 6 && request->lod == TEXTURE_LOD_GRADIENT; i++)
        request->gradient[i] = asked->gradient[i];
    const bool moved = seldom(4), each = request->operation == TEXTURE_GATHER && seldom(3);
    for (unsigned i = 0; i < 3 && moved; i++)
        request->offset[i] = asked->offset[i];
    for (unsigned i = 0; i < 8 && each; i++)
        request->offsets4[i / 2][i % 2] = asked->each[i / 2][i % 2];
}

/* Integers for fetches, which take the same rows otherwise. */
static void random_fetch(struct asked *asked, struct texture_request *request) {
    request->operation = TEXTURE_FETCH;
    request->shadow = false;
    for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
        for (unsigned i = 0; i < 3; i++)
            asked->at[i][lane] = choose(seldom(10) ? 1u << 22 : i == 2 ? 5 : 64) - (seldom(20) ? 4 : 0);
        asked->level[lane] = choose(4);
    }
    request->level = seldom(2) ? asked->level : NULL;
    request->sample = seldom(2) ? asked->layer : NULL;
}

/* Memory that is never in one piece is read texel by texel: that gives the same results, and costs as much. */
static void assert_same_in_pieces(const struct texture_request *request, uint32_t lanes, texture_row *rows,
                                  uint64_t read) {
    static texture_row pieces[4];
    struct texture_memory source = rig.source;
    source.whole = NULL;
    memset(pieces, 0x55, sizeof pieces);
    const uint64_t read_again = texture_sample(&source, &rig.view, &rig.sampler, request, lanes, pieces);
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < TEXTURE_LANES; i++)
            if (without_payload(rows[c][i]) != without_payload(pieces[c][i]))
                fail_msg(
                    "component %u of lane %u is %#x, not %#x; target %u format %u type %u, operation %u lod %u shadow "
                    "%d wraps %u %u %u",
                    c, i, rows[c][i], pieces[c][i], rig.view.target, rig.words[0] & 0x7f, rig.view.type[0],
                    request->operation, request->lod, request->shadow, rig.sampler.wrap[0], rig.sampler.wrap[1],
                    rig.sampler.wrap[2]);
    assert_int_equal(read, read_again);
}

static uint64_t digest_of_target(enum texture_target target, unsigned rounds) {
    static struct asked asked;
    static texture_row rows[4];
    uint64_t digest = FIRST_DIGEST;
    seed = 7 + (uint32_t)target;
    fill_memory();
    for (unsigned i = 0; i < rounds; i++) {
        struct texture_request request;
        rig.page = seldom(2) ? 4096 : 0;
        rig.hole = seldom(8) ? RIG_BASE + choose(40000) : 0;
        random_header(target);
        random_sampler();
        random_rows(&asked);
        ask(&asked, &request);
        if (target == TEXTURE_BUFFER || seldom(12))
            random_fetch(&asked, &request);
        const uint32_t lanes = seldom(3) ? next() << 16 ^ next() : UINT32_MAX;
        memset(rows, 0x55, sizeof rows);
        const uint64_t read = texture_sample(&rig.source, &rig.view, &rig.sampler, &request, lanes, rows);
        assert_same_in_pieces(&request, lanes, rows, read);
        digest = add_rows(digest, rows, 4);
        texture_query_lod(&rig.view, &rig.sampler, &request, lanes, rows);
        digest = add_rows(digest, rows, 2);
    }
    return digest;
}

static void samples_of_any_kind_keep_every_bit(void **state) {
    (void)state;
    static const uint64_t digests[] = {
        [TEXTURE_1D] = UINT64_C(0xfac7324fa9c3458d),         [TEXTURE_2D] = UINT64_C(0xde6a35be93cead0a),
        [TEXTURE_3D] = UINT64_C(0xf0e75e5c31baf8e0),         [TEXTURE_CUBE] = UINT64_C(0x50263ea05d0c2a2c),
        [TEXTURE_1D_ARRAY] = UINT64_C(0x1328f66f09d89216),   [TEXTURE_2D_ARRAY] = UINT64_C(0x02063b31bf2fe205),
        [TEXTURE_BUFFER] = UINT64_C(0xd9a19c045bc97149),     [TEXTURE_2D_NO_MIPS] = UINT64_C(0x71c8bf9454c1480e),
        [TEXTURE_CUBE_ARRAY] = UINT64_C(0x06ec71af41d066f8),
    };
    for (unsigned target = 0; target < sizeof digests / sizeof digests[0]; target++) {
        const uint64_t digest = digest_of_target((enum texture_target)target, target == TEXTURE_2D ? 4000 : 1500);
        if (digest != digests[target])
            print_message("target %u: %#llx\n", target, (unsigned long long)digest);
        assert_int_equal(digest, digests[target]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples_of_normalised_formats_keep_every_bit),
                                       cmocka_unit_test(samples_of_any_kind_keep_every_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
