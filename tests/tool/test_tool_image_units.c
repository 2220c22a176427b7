/* SPDX-License-Identifier: MIT */
/* pfifo image tex:N: textures of texture units on each kind of chip that has no headers, of captures made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mesa/png.h"
#include "tool/capture.h"
#include "tool/tool.h"

enum { PAGE = 4096, GART = 0xbeef0202, OBJECT = 0xbeef0001, DMA_TEXTURE1 = 0x188, LEVELS = 4 };
enum { OLD_JUMP = 0x20000000, RETURN = 0x20000 };

/* A texture of 8 x 8 bytes with levels, in GART, as the unit of the class has it: method and value. */
struct unit {
    uint32_t chipset, oclass, offset;
    struct {
        uint32_t method, value;
    } set[4];
    bool cube;
};

static const struct unit units[] = {
    {0x04, 0x54, 0x304, {{0x308, 2 | 1 << 8 | LEVELS << 12 | 3 << 16 | 3 << 20}}, false},
    {0x05, 0x55, 0x308, {{0x310, 2 | 1 << 8 | LEVELS << 12 | 3 << 16 | 3 << 20}}, false},
    {0x10, 0x56, 0x218, {{0x220, 2 | 4 | 0 << 7 | LEVELS << 12 | 3 << 16 | 3 << 20}}, true},
    {0x17, 0x99, 0x218, {{0x220, 2 | 4 | 0 << 7 | LEVELS << 12 | 3 << 16 | 3 << 20}}, true},
    {0x20, 0x97, 0x1b00, {{0x1b04, 2 | 4 | 8 | 2 << 4 | 0 << 8 | LEVELS << 16 | 3 << 20 | 3 << 24}}, true},
    {0x30,
     0x397,
     0x1a00,
     {{0x1a04, 2 | 4 | 8 | 2 << 4 | 0 << 8 | LEVELS << 16 | 3 << 20 | 3 << 24}, {0x1a10, 0xaae4}},
     true},
    {0x40,
     0x4097,
     0x1a00,
     {{0x1a04, 2 | 4 | 8 | 2 << 4 | 1 << 8 | 1 << 15 | LEVELS << 16},
      {0x1a10, 0xaae4},
      {0x1a18, 8 << 16 | 8},
      {0x1840, 1 << 20}},
     true},
    {0x44,
     0x4497,
     0x1a00,
     {{0x1a04, 2 | 4 | 8 | 2 << 4 | 1 << 8 | 1 << 15 | LEVELS << 16},
      {0x1a10, 0xaae4},
      {0x1a18, 8 << 16 | 8},
      {0x1840, 1 << 20}},
     true},
};

static uint8_t byte_at(unsigned offset) {
    return (uint8_t)(offset * 37 + (offset >> 8) * 11 + 5);
}

static char *capture_of(const struct unit *unit) {
    uint32_t words[32], count = 0;
    uint8_t page[PAGE];
    struct capture capture;

    for (unsigned i = 0; i < PAGE; i++)
        page[i] = byte_at(i);
    capture_begin(&capture, unit->chipset, true);
    capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_OBJ,
                                                           .obj = {.handle = OBJECT, .oclass = unit->oclass}});
    const uint32_t begin[] = {
        1u << 18, OBJECT, 1u << 18 | DMA_TEXTURE1, GART, 1u << 18 | unit->offset, (uint32_t)capture.data_address};
    memcpy(words, begin, sizeof begin);
    count = sizeof begin / sizeof begin[0];
    for (unsigned i = 0; i < 4 && unit->set[i].method; i++) {
        words[count++] = 1u << 18 | unit->set[i].method;
        words[count++] = unit->set[i].value;
    }
    words[count++] = unit->chipset < 0x11 ? OLD_JUMP : RETURN; /* what the submitter makes the way back */
    capture_submit(&capture, words, count, page);
    return capture_file(&capture);
}

/* Squares of 8 >> level texels: level 0 begins at 0, the others at 64, 80, 84; faces at multiples of 128. */
static void expect_level(const char *path, unsigned level, unsigned face) {
    static const unsigned begin[] = {0, 64, 80, 84};
    char *picture = temporary_path(".png"), level_option[16], layer_option[16];
    unsigned width, height, size = 8u >> level;

    snprintf(level_option, sizeof level_option, "--level=%u", level);
    snprintf(layer_option, sizeof layer_option, "--layer=%u", face);
    struct outcome outcome = tool_run("image", path, "tex:0", level_option, layer_option, "-o", picture);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    uint8_t *pixels = png_read(picture, &width, &height);
    assert_int_equal(width, size);
    assert_int_equal(height, size);
    for (unsigned y = 0; y < size; y++)
        for (unsigned x = 0; x < size; x++) {
            unsigned index = (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2 | (x & 4) << 2 | (y & 4) << 3;
            const uint8_t byte = byte_at(face * 128 + begin[level] + index), *pixel = pixels + 4 * (y * size + x);
            const uint8_t expected[] = {byte, byte, byte, 255};
            assert_memory_equal(pixel, expected, 4);
        }
    free(pixels);
    unlink(picture);
    free(picture);
}

static void levels_and_faces_are_read_on_each_kind_of_chip(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        char *path = capture_of(&units[i]);
        expect_level(path, 0, 0);
        expect_level(path, i % LEVELS, 0);
        if (units[i].cube)
            expect_level(path, (i + 1) % LEVELS, (unsigned)i % 5 + 1);
        unlink(path);
        free(path);
    }
}

static void expect_refused(const char *path, const char *surface, const char *option, const char *why) {
    struct outcome outcome = tool_run("image", path, surface, option, "-o", "/dev/null");
    expect_status(2, &outcome);
    if (!strstr(outcome.err, why))
        fail_msg("no '%s' in %s", why, outcome.err);
    outcome_free(&outcome);
}

static void numbers_that_it_has_not_are_named(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i += 2) {
        char *path = capture_of(&units[i]), *layers = "has layers 0 to 0, and no 6";
        expect_refused(path, "tex:0", "--level=4", "the texture of unit 0 has levels 0 to 3, and no 4");
        expect_refused(path, "tex:0", "--layer=6", units[i].cube ? "has faces 0 to 5, and no 6" : layers);
        expect_refused(path, "tex:20", "--level=0", "texture units are 0 to ");
        unlink(path);
        free(path);
    }
}

static void json_tells_the_shape(void **state) {
    (void)state;
    char *path = capture_of(&units[4]);
    struct outcome outcome = tool_run("image", path, "tex:0", "--json");
    expect_status(0, &outcome);
    expect_printed(&outcome, "\"shape\":\"cube\",\"format\":\"L8\",\"layout\":\"swizzled\",");
    expect_printed(&outcome, "\"width\":8,\"height\":8,\"depth\":1,\"layers\":6,\"levels\":4,");
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_and_faces_are_read_on_each_kind_of_chip),
        cmocka_unit_test(numbers_that_it_has_not_are_named),
        cmocka_unit_test(json_tells_the_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
