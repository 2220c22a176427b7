/* SPDX-License-Identifier: MIT */
/*
 * Bindless textures: a word in a buffer of constants has the numbers of a header and of a sampler, as Mesa's NVK does
 * it on all its chips (src/nouveau/vulkan/nvk_descriptor_types.h). Kepler's headers are those of Tesla; Maxwell's came
 * with GM107, where they are chosen, and are the only ones from GM200 on.
 */
#include "compute/launch_rig.h"
#include "engine/texture/texture.h"

#include <string.h>

static struct launch launch;

enum {
    HEADERS = 0x6000,
    SAMPLERS = 0x7000,
    TEXELS = 0xc000, /* of header n: n KiB behind it */
    HANDLE = 0x20,   /* in bank 0; behind it the coordinates, and where the result goes */
    ENTRY_WORDS = 8,
    PITCH = 64,
    NEAREST = 1,
    LINEAR = 2,
    EDGE = 2, /* wrap mode: clamp to the edge */
    MAXWELL_HEADERS = 0x218
};

/* Handle, s and t from bank 0, one component of level 0 to the buffer. In words for the scheduler nothing is said. */
static const uint64_t gk104_program[] = {0x2280428282820287, 0x2800400080011de4,
                                         0x2800400090015de4, 0x28004000a0019de4, /* MOV R4 to R6 */
                                         0x28004000b0025de4,                     /* MOV R9 */
                                         0x82144000fc401d06,                     /* TEX.LZ R0, 2D, R4, R5, R6 */
                                         0x9000000000901c85,                     /* ST [R9], R0 */
                                         0x8000000000001de7};
static const uint64_t gk110_program[] = {0x08a010a0a0a080a0, 0x64c03c00041c0012,
                                         0x64c03c00049c0016, 0x64c03c00051c001a, /* MOV R4 to R6 */
                                         0x64c03c00059c0026,                     /* MOV R9 */
                                         0x7d8010847f9c1002,                     /* TEX.B.LZ R0, 2D, R4, R5, R6 */
                                         0xe4000000001c2400,                     /* ST [R9], R0 */
                                         0x18000000001c003c};
static const uint64_t gm107_program[] = {0,
                                         GM107_CONSTANT(2, 0, HANDLE),
                                         GM107_CONSTANT(4, 0, HANDLE + 4),
                                         GM107_CONSTANT(5, 0, HANDLE + 8),
                                         0,
                                         GM107_CONSTANT(9, 0, HANDLE + 12),
                                         0xdeb80020a0270400, /* TEX.B.LZ R0, 2D, R2, R4, R5 */
                                         GM107_STG(9, 0, 0),
                                         0,
                                         GM107_EXIT};

#define WORDS_OF(program) (program), sizeof(program) / sizeof((program)[0])

static const struct {
    const char *chip;
    uint32_t object_class, version; /* of the QMD, as NVK makes it */
    const uint64_t *program;
    unsigned words;
    bool chooses, maxwell;
} cases[] = {
    {"GK104", 0xa0c0, 0x06, WORDS_OF(gk104_program), false, false},
    {"GK110", 0xa1c0, 0x06, WORDS_OF(gk110_program), false, false},
    {"GM107", 0xb0c0, 0x06, WORDS_OF(gm107_program), true, true},
    {"GM107", 0xb0c0, 0x06, WORDS_OF(gm107_program), false, false},
    {"GM20B", 0xb1c0, 0x06, WORDS_OF(gm107_program), false, true},
    {"GP102", 0xc1c0, 0x21, WORDS_OF(gm107_program), false, true},
};

#define CASES (sizeof cases / sizeof cases[0])

/* The row of the rig for a class; of the QMD only the version is another. */
static struct launch_class class_of(size_t i) {
    for (unsigned c = 0; c < launch_class_count; c++)
        if (launch_classes[c].object_class == cases[i].object_class) {
            struct launch_class of = launch_classes[c];
            of.chip = cases[i].chip;
            of.version = cases[i].version;
            return of;
        }
    fail_msg("no class %x", (unsigned)cases[i].object_class);
    return launch_classes[0];
}

static void put(uint32_t at, const uint32_t words[ENTRY_WORDS]) {
    for (unsigned i = 0; i < ENTRY_WORDS; i++)
        engine_rig_wr32(&launch.rig, at + 4 * i, words[i]);
}

/* Two texels of A8B8G8R8, the second one's red given, the first one black. */
static void put_header(unsigned number, bool maxwell, uint8_t red) {
    const uint32_t at = TEXELS + 0x400 * number;
    uint32_t kepler_words[ENTRY_WORDS] = {0x08,  at,           TEXTURE_2D << 14 | 1 << 18 | 1u << 31,
                                          PITCH, 2 | 1u << 31, 1 | 1 << 16},
             maxwell_words[ENTRY_WORDS] = {0x08, at, 2 << 21, PITCH >> 5, 1 | TEXTURE_2D << 23, 1u << 31};
    for (unsigned i = 0; i < 4; i++) {
        kepler_words[0] |= TEXTURE_UNORM << (6 + 3 * i) | (2 + i) << (18 + 3 * i);
        maxwell_words[0] |= TEXTURE_UNORM << (7 + 3 * i) | (2 + i) << (19 + 3 * i);
    }
    put(HEADERS + 4 * ENTRY_WORDS * number, maxwell ? maxwell_words : kepler_words);
    engine_rig_wr32(&launch.rig, at, 0);
    engine_rig_wr32(&launch.rig, at + 4, red);
}

static void put_sampler(unsigned number, uint32_t filter) {
    const uint32_t words[ENTRY_WORDS] = {EDGE | EDGE << 3 | EDGE << 6, filter | filter << 4 | 1 << 6, 0xfff << 12};
    put(SAMPLERS + 4 * ENTRY_WORDS * number, words);
}

static void begin(size_t i, struct launch_class *of) {
    *of = class_of(i);
    launch_begin(&launch, of);
    launch_program(&launch, cases[i].program, cases[i].words);
    send(&launch.rig, launch.id, 0, 0x155c, 0, SAMPLERS, 15);
    send(&launch.rig, launch.id, 0, 0x1574, 0, HEADERS, 15);
    if (cases[i].chooses)
        send(&launch.rig, launch.id, 0, MAXWELL_HEADERS, 1);
    put_header(3, cases[i].maxwell, 0xff);
    put_header(9, cases[i].maxwell, 0x66);
    put_sampler(2, LINEAR);
    put_sampler(7, NEAREST);
}

/* In the middle between both texels: 1 / 255 of the result. */
static float sampled(uint32_t handle) {
    float red;
    engine_rig_wr32(&launch.rig, USER + HANDLE, handle);
    engine_rig_wr32(&launch.rig, USER + HANDLE + 4, 0x3f000000);
    engine_rig_wr32(&launch.rig, USER + HANDLE + 8, 0x3f000000);
    engine_rig_wr32(&launch.rig, USER + HANDLE + 12, DATA);
    engine_rig_wr32(&launch.rig, DATA, 0xdeadbeef);
    launch_run(&launch);
    assert_int_equal(launch.rig.faults, 0);
    assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_SHADER_ERROR), 0);
    assert_int_equal(engine_rig_count(&launch.rig, EVENT_ENGINE_ERROR), 0);
    const uint32_t word = launch_word(&launch, 0);
    memcpy(&red, &word, sizeof red);
    return red * 255;
}

static void expect_sample(uint32_t header, uint32_t sampler, float red) {
    float found = sampled(sampler << 20 | header);
    if (found < red - 0.01f || found > red + 0.01f)
        fail_msg("%s: header %u, sampler %u: %f, not %f", launch.of->chip, (unsigned)header, (unsigned)sampler,
                 (double)found, (double)red);
}

static void a_handle_in_a_constant_buffer_names_header_and_sampler(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        struct launch_class of;
        begin(i, &of);
        expect_sample(3, 7, 255);
        expect_sample(9, 7, 0x66);
        expect_sample(3, 2, 127.5f);
        expect_sample(9, 2, 51);
        launch_end(&launch);
    }
}

/* As a program that writes its descriptors between two dispatches. */
static void a_header_that_is_written_anew_is_read_anew(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        struct launch_class of;
        begin(i, &of);
        expect_sample(3, 7, 255);
        put_header(9, cases[i].maxwell, 0x22);
        for (unsigned word = 0; word < ENTRY_WORDS; word++)
            engine_rig_wr32(&launch.rig, HEADERS + 4 * (ENTRY_WORDS * 3 + word),
                            engine_rig_rd32(&launch.rig, HEADERS + 4 * (ENTRY_WORDS * 9 + word)));
        expect_sample(3, 7, 0x22);
        launch_end(&launch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handle_in_a_constant_buffer_names_header_and_sampler),
        cmocka_unit_test(a_header_that_is_written_anew_is_read_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
