/* SPDX-License-Identifier: MIT */
/* Every bit of many samples is as it was: a digest, so that faster ways to them cannot change any. */
#include "rig.h"

static struct rig rig;
static uint32_t seed;

static uint32_t next(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static void random_row(texture_row row) {
    for (unsigned i = 0; i < TEXTURE_LANES; i++) {
        const float value = (float)(next() & 0xffff) / 16384.0F - 1.5F;
        memcpy(&row[i], &value, sizeof value);
    }
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
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < TEXTURE_LANES; i++)
            digest = (digest ^ rows[c][i]) * UINT64_C(0x100000001b3);
    return digest;
}

static void samples_of_normalised_formats_keep_every_bit(void **state) {
    (void)state;
    static const uint32_t formats[] = {0x07, 0x08, 0x15, 0x18, 0x1d, 0x24};
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    rig_begin(&rig);
    seed = 1;
    for (unsigned i = 0; i < RIG_BYTES; i++)
        rig.memory[i] = (uint8_t)next();
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
    assert_int_equal(digest, UINT64_C(0x10cdb25e231429c4));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples_of_normalised_formats_keep_every_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
