/* SPDX-License-Identifier: MIT */
/* What a program hands to the display, as a picture. */
#include "nvgpu/console.h"

#include <pfifo/stream.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS      0x51u
#define PLANE      13u
#define LINES      1u
#define BLOCKS     3u
#define A8B8G8R8   UINT64_C(0x0100532120)
#define BUFFER     0x10000u /* in the program's memory */
#define BUFFER_END 0x20000u

struct window {
    struct console console;
    uint32_t id;
    uint32_t words[WORDS];
};

static void window_start(struct window *window) {
    uint32_t handle;
    console_start(&window->console);
    console_buffer(&window->console, BUFFER, BUFFER_END - BUFFER, &handle);
    assert_ok(pfifo_nvmap_get_id(window->console.client, window->console.nvmap, handle, &window->id));
}

static void describe(struct window *window, uint32_t width, uint32_t height, uint64_t color, uint32_t layout,
                     uint32_t pitch) {
    memset(window->words, 0, sizeof window->words);
    window->words[0] = UINT32_MAX;
    window->words[1] = window->id;
    window->words[3] = 0xdaffcaff;
    window->words[11] = 1;
    uint32_t *plane = window->words + PLANE;
    plane[0] = width;
    plane[1] = height;
    plane[2] = (uint32_t)color;
    plane[3] = (uint32_t)(color >> 32);
    plane[4] = layout;
    plane[5] = pitch;
    plane[9] = layout == BLOCKS ? 1 : 0;
}

static enum pfifo_status present(struct window *window, struct pfifo_picture *picture, uint8_t *rgba) {
    return pfifo_nvgpu_present(window->console.nvgpu, window->words, sizeof window->words, picture, rgba, NULL);
}

static uint32_t pixel(const uint8_t *rgba, uint32_t i) {
    return (uint32_t)rgba[4 * i] << 24 | (uint32_t)rgba[4 * i + 1] << 16 | (uint32_t)rgba[4 * i + 2] << 8 |
           rgba[4 * i + 3];
}

static void lines_of_a_buffer_are_shown_from_its_offset_on(void **state) {
    struct window window;
    struct pfifo_picture picture;
    uint8_t rgba[3 * 2 * 4];
    (void)state;
    window_start(&window);
    describe(&window, 3, 2, A8B8G8R8, LINES, 64);
    window.words[PLANE + 7] = 0x100;
    console_wr32(&window.console, BUFFER + 0x100, 0x44332211);
    console_wr32(&window.console, BUFFER + 0x140 + 8, 0x88776655);
    assert_int_equal(present(&window, &picture, rgba), PFIFO_OK);
    assert_int_equal(picture.width, 3);
    assert_int_equal(picture.height, 2);
    assert_string_equal(pfifo_picture_format(&picture), "RGBA8_UNORM");
    assert_int_equal(pixel(rgba, 0), 0x11223344);
    assert_int_equal(pixel(rgba, 5), 0x55667788);
    assert_int_equal(pixel(rgba, 1), 0);
    console_stop(&window.console);
}

/* Blocks of two GOBs: byte x of line y in a GOB is at the place that TX1's manual gives. */
static uint32_t block_offset(uint32_t x, uint32_t y, uint32_t pitch) {
    uint32_t gob = x / 64, block = y / 16 * (pitch / 64) + gob, in = y % 16 / 8;
    return block * 1024 + in * 512 + x % 64 / 32 * 256 + y % 8 / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
}

static void blocks_of_a_buffer_are_shown_in_order(void **state) {
    struct window window;
    struct pfifo_picture picture;
    static uint8_t rgba[20 * 20 * 4];
    (void)state;
    window_start(&window);
    describe(&window, 20, 20, A8B8G8R8, BLOCKS, 128);
    for (uint32_t y = 0; y < 20; y++)
        for (uint32_t x = 0; x < 20; x++)
            console_wr32(&window.console, BUFFER + block_offset(4 * x, y, 128), x | y << 8 | 0xff000000);
    assert_int_equal(present(&window, &picture, rgba), PFIFO_OK);
    assert_true(picture.is_block && picture.block_height == 1);
    for (uint32_t y = 0; y < 20; y++)
        for (uint32_t x = 0; x < 20; x++)
            assert_int_equal(pixel(rgba, y * 20 + x), x << 24 | y << 16 | 0xff);
    console_stop(&window.console);
}

static void colour_formats_of_windows_have_their_order(void **state) {
    static const struct {
        uint64_t color;
        uint32_t stored, shown;
    } rows[] = {
        {0x0100532120, 0x44332211, 0x11223344}, {0x010a532120, 0x44332211, 0x112233ff}, /* ABGR, XBGR */
        {0x0100d12120, 0x44332211, 0x33221144}, {0x010ad12120, 0x44332211, 0x332211ff}, /* ARGB, XRGB */
        {0x010a881210, 0xf800, 0xff0000ff},     {0x010a881210, 0x07e0, 0x00ff00ff},     /* R5G6B5 */
        {0x0200532120, 0x44332211, 0x11223344},                                         /* sRGB: as it is stored */
        {0x0100532020, 0xc00003ff, 0xff0000ff},                                         /* A2B10G10R10 */
    };
    struct window window;
    struct pfifo_picture picture;
    uint8_t rgba[4];
    (void)state;
    window_start(&window);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        describe(&window, 1, 1, rows[i].color, LINES, 64);
        console_wr32(&window.console, BUFFER, rows[i].stored);
        assert_int_equal(present(&window, &picture, rgba), PFIFO_OK);
        assert_int_equal(pixel(rgba, 0), rows[i].shown);
    }
    console_stop(&window.console);
}

static void descriptions_that_cannot_be_are_refused(void **state) {
    struct window window;
    struct pfifo_picture picture;
    uint8_t rgba[4 * 4];
    (void)state;
    window_start(&window);
    describe(&window, 2, 2, A8B8G8R8, LINES, 64);
    assert_int_equal(present(&window, &picture, NULL), PFIFO_OK);
    assert_int_equal(pfifo_nvgpu_present(window.console.nvgpu, window.words, 100, &picture, rgba, NULL),
                     PFIFO_ERROR_ARGUMENT);
#define REFUSED(word, value, status)                                                                                   \
    do {                                                                                                               \
        describe(&window, 2, 2, A8B8G8R8, LINES, 64);                                                                  \
        window.words[word] = (value);                                                                                  \
        assert_int_equal(present(&window, &picture, rgba), status);                                                    \
    } while (0)
    REFUSED(1, 0x1000, PFIFO_ERROR_ARGUMENT);             /* no such object */
    REFUSED(3, 0, PFIFO_ERROR_ARGUMENT);                  /* no such description */
    REFUSED(11, 0, PFIFO_ERROR_ARGUMENT);                 /* no planes */
    REFUSED(PLANE, 0, PFIFO_ERROR_ARGUMENT);              /* no pixels */
    REFUSED(PLANE, 17, PFIFO_ERROR_ARGUMENT);             /* wider than its lines */
    REFUSED(PLANE, UINT32_MAX, PFIFO_ERROR_ARGUMENT);     /* */
    REFUSED(PLANE + 1, 0x10000, PFIFO_ERROR_ARGUMENT);    /* higher than the object */
    REFUSED(PLANE + 5, UINT32_MAX, PFIFO_ERROR_ARGUMENT); /* */
    REFUSED(PLANE + 7, 0xffc0, PFIFO_ERROR_ARGUMENT);     /* one line too far */
    REFUSED(PLANE + 7, UINT32_MAX, PFIFO_ERROR_ARGUMENT); /* */
    REFUSED(PLANE + 2, 0x12345678, PFIFO_ERROR_UNSUPPORTED);
    REFUSED(PLANE + 4, 2, PFIFO_ERROR_UNSUPPORTED);
    describe(&window, 2, 2, A8B8G8R8, BLOCKS, 64);
    window.words[PLANE + 9] = 6;
    assert_int_equal(present(&window, &picture, rgba), PFIFO_ERROR_ARGUMENT);
    console_stop(&window.console);
}

static void a_recording_notes_what_is_shown(void **state) {
    struct pfifo_nvgpu_config config = {.size = sizeof config};
    struct pfifo_nvgpu *nvgpu = pfifo_nvgpu_new(&config, NULL);
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    struct window window = {.id = 0};
    struct pfifo_picture picture;
    uint8_t rgba[2 * 2 * 4];
    uint32_t handle;
    size_t bytes;
    (void)state;
    assert_int_equal(pfifo_nvgpu_record(nvgpu, writer, NULL), PFIFO_OK);
    console_join(&window.console, nvgpu);
    console_buffer(&window.console, BUFFER, BUFFER_END - BUFFER, &handle);
    assert_ok(pfifo_nvmap_get_id(window.console.client, window.console.nvmap, handle, &window.id));
    describe(&window, 2, 2, A8B8G8R8, LINES, 64);
    assert_int_equal(present(&window, &picture, rgba), PFIFO_OK);
    const char *data = pfifo_stream_writer_memory(writer, &bytes);
    static const char text[] = "offset=0x0 size=2x2 format=0xd5 pitch=64 block_height=-1";
    assert_non_null(memmem(data, bytes, text, strlen(text)));
    assert_int_equal(pfifo_nvgpu_record_end(nvgpu, NULL), PFIFO_OK);
    pfifo_stream_writer_close(writer);
    console_stop(&window.console);
    pfifo_nvgpu_free(nvgpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_a_buffer_are_shown_from_its_offset_on),
        cmocka_unit_test(blocks_of_a_buffer_are_shown_in_order),
        cmocka_unit_test(colour_formats_of_windows_have_their_order),
        cmocka_unit_test(descriptions_that_cannot_be_are_refused),
        cmocka_unit_test(a_recording_notes_what_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
