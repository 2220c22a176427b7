/* SPDX-License-Identifier: MIT */
/* What is seen of framebuffers, whatever their layout and format. */
#include "drm/display.h"

#include <stdlib.h>

static struct rig rig;

static int call(const struct display *display, unsigned long request, void *structure) {
    return rig_ioctl(&rig, display->file, request, structure);
}

static const struct part *part_of(const char *chip) {
    for (unsigned i = 0; i < COUNT_OF(parts); i++)
        if (strcmp(parts[i].chip, chip) == 0)
            return &parts[i];
    fail_msg("no %s", chip);
    return NULL;
}

/* A colour of its own for each place. */
static uint32_t colour(uint32_t x, uint32_t y) {
    return (x * 5 & 0xff) << 16 | (y * 3 & 0xff) << 8 | ((x ^ y) & 0xff);
}

static void assert_picture(uint32_t left, uint32_t top) {
    struct drm_picture picture;
    assert_true(drm_device_picture(rig.device, &picture));
    assert_int_equal(picture.width, WIDTH);
    assert_int_equal(picture.height, HEIGHT);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            const uint8_t *at = picture.rgba + 4 * ((size_t)y * WIDTH + x);
            uint32_t wanted = colour(left + x, top + y), got = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
            if (got != wanted || at[3] != 255)
                fail_msg("%s: %u, %u: %06x and %u instead of %06x", rig.part->chip, x, y, got, at[3], wanted);
        }
    free(picture.rgba);
}

/*
 * Where a byte of a surface with blocks of 2 gobs is: gobs of 64 bytes by 4 lines on Tesla, by 8 lines in sectors of
 * 16 bytes by 2 lines later, on Kepler by 4. Written down here from the documents, not with the model's functions.
 */
static uint64_t block_linear(const struct part *part, uint32_t pitch, uint32_t x, uint32_t y) {
    uint32_t lines = part->classes ? 8 : 4, gob = 64 * lines, in = x % 64, line = y % lines;
    uint64_t block = (uint64_t)(y / (2 * lines)) * (pitch / 64) + x / 64;
    uint64_t at = block * 2 * gob + (y / lines % 2 ? gob : 0);
    if (!part->classes)
        return at + line * 64 + in;
    if (part->runlists && part->chipset < 0x110)
        return at + (in / 32 ? 256 : 0) + line / 4 * 128 + (in / 16 % 2 ? 64 : 0) + line % 4 * 16 + in % 16;
    return at + (in / 32 ? 256 : 0) + line / 2 * 64 + (in / 16 % 2 ? 32 : 0) + line % 2 * 16 + in % 16;
}

static void draw(const struct display *display, const struct drm_nouveau_gem_info *buffer, uint32_t pitch,
                 bool blocks) {
    uint32_t width = WIDTH + 9, height = HEIGHT + 5;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint64_t at = blocks ? block_linear(rig.part, pitch, 4 * x, y) : (uint64_t)y * pitch + 4 * (uint64_t)x;
            rig_wr32(display->file, buffer, at, colour(x, y));
        }
}

/* By the buffer's tile mode, and nothing else said. The right and lower part is on the screen. */
static void pictures_come_out_of_any_layout(void **state) {
    (void)state;
    FOR_EACH_PART {
        uint32_t kind = part->classes ? 0xfe00 : 0x7000, pitch = 512;
        for (unsigned blocks = 0; blocks < (part->calls ? 1 : 2); blocks++) {
            struct display display = display_open(&rig, part, 0);
            struct drm_nouveau_gem_new request = {.info = {.domain = rig_vram(&rig), .size = 64 * 512}};
            if (blocks) {
                request.info.tile_mode = part->classes ? 0x10 : 1;
                request.info.tile_flags = kind;
            }
            unsigned long number = NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new);
            assert_int_equal(call(&display, number, &request), 0);
            draw(&display, &request.info, pitch, blocks);
            uint32_t screen = display_framebuffer(&display, request.info.handle, WIDTH + 9, HEIGHT + 5, pitch);
            assert_int_equal(display_set(&display, screen), 0);
            assert_picture(0, 0);
            struct drm_mode_crtc crtc = display_get(&display);
            crtc.x = 9;
            crtc.y = 5;
            crtc.set_connectors_ptr = rig_put(&rig, &display.connector, sizeof display.connector);
            crtc.count_connectors = 1;
            assert_int_equal(call(&display, DRM_IOCTL_MODE_SETCRTC, &crtc), 0);
            assert_picture(9, 5);
            rig_close(&rig);
        }
    }
}

static void a_modifier_counts_before_the_buffer(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->calls)
            continue;
        struct display display = display_open(&rig, part, 0);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, display.file, rig_vram(&rig), UINT64_C(64) * 512);
        draw(&display, &buffer, 512, true);
        struct drm_mode_fb_cmd2 request = {.width = WIDTH + 9,
                                           .height = HEIGHT + 5,
                                           .pixel_format = DRM_FORMAT_XRGB8888,
                                           .flags = DRM_MODE_FB_MODIFIERS,
                                           .handles = {buffer.handle},
                                           .pitches = {512},
                                           .modifier = {DRM_FORMAT_MOD_NVIDIA_16BX2_BLOCK(1)}};
        assert_int_equal(call(&display, DRM_IOCTL_MODE_ADDFB2, &request), 0);
        assert_int_equal(display_set(&display, request.fb_id), 0);
        assert_picture(0, 0);
        rig_close(&rig);
    }
}

static void pixels_have_the_format_s_colours(void **state) {
    static const struct {
        uint32_t fourcc, pixel;
        uint8_t rgb[3];
    } rows[] = {
        {DRM_FORMAT_XRGB8888, 0x00102030, {0x10, 0x20, 0x30}},
        {DRM_FORMAT_ARGB8888, 0x00102030, {0x10, 0x20, 0x30}},
        {DRM_FORMAT_XBGR8888, 0xff102030, {0x30, 0x20, 0x10}},
        {DRM_FORMAT_ABGR8888, 0x7f102030, {0x30, 0x20, 0x10}},
        {DRM_FORMAT_RGB565, 0xf81f, {255, 0, 255}},
        {DRM_FORMAT_RGB565, 0x0400, {0, 130, 0}},
        {DRM_FORMAT_XRGB1555, 0x7c10, {255, 0, 132}},
        {DRM_FORMAT_ARGB1555, 0x83e0, {0, 255, 0}},
        {DRM_FORMAT_XRGB2101010, 0x3ff00200, {255, 0, 128}},
        {DRM_FORMAT_ARGB2101010, 0x3ff00200, {255, 0, 128}},
        {DRM_FORMAT_XBGR2101010, 0x3ff00200, {128, 0, 255}},
        {DRM_FORMAT_ABGR2101010, 0x3ff00200, {128, 0, 255}},
    };
    (void)state;
    struct display display = display_open(&rig, part_of("GK104"), 0);
    for (unsigned i = 0; i < COUNT_OF(rows); i++) {
        struct drm_picture picture;
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, display.file, VRAM, UINT64_C(512) * HEIGHT);
        struct drm_mode_fb_cmd2 request = {.width = WIDTH,
                                           .height = HEIGHT,
                                           .pixel_format = rows[i].fourcc,
                                           .handles = {buffer.handle},
                                           .pitches = {512}};
        rig_wr32(display.file, &buffer, 0, rows[i].pixel);
        assert_int_equal(call(&display, DRM_IOCTL_MODE_ADDFB2, &request), 0);
        assert_int_equal(display_set(&display, request.fb_id), 0);
        assert_true(drm_device_picture(rig.device, &picture));
        if (memcmp(picture.rgba, rows[i].rgb, 3) != 0 || picture.rgba[3] != 255)
            fail_msg("case %u: %u %u %u", i, picture.rgba[0], picture.rgba[1], picture.rgba[2]);
        free(picture.rgba);
    }
    rig_close(&rig);
}

/* Half of it is beyond the left edge; it is half transparent. */
static void the_cursor_is_on_the_picture(void **state) {
    struct drm_picture picture;
    (void)state;
    struct display display = display_open(&rig, part_of("GF100"), 0);
    struct drm_nouveau_gem_info screen = rig_buffer(&rig, display.file, VRAM, UINT64_C(512) * HEIGHT);
    struct drm_nouveau_gem_info image = rig_buffer(&rig, display.file, VRAM, UINT64_C(64) * 64 * 4);
    rig_wr32(display.file, &screen, 512 * 2, 0x000000ff);
    rig_wr32(display.file, &image, 4 * 32, 0x80800000);
    assert_int_equal(display_set(&display, display_framebuffer(&display, screen.handle, WIDTH, HEIGHT, 512)), 0);
    struct drm_mode_cursor cursor = {.flags = DRM_MODE_CURSOR_BO | DRM_MODE_CURSOR_MOVE,
                                     .crtc_id = display.crtc,
                                     .x = -32,
                                     .y = 2,
                                     .width = 64,
                                     .height = 64,
                                     .handle = image.handle};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_CURSOR, &cursor), 0);
    assert_int_equal(rig_close_handle(&rig, display.file, image.handle), 0);
    assert_true(drm_device_picture(rig.device, &picture));
    static const uint8_t wanted[8] = {0x80, 0, 0x7f, 255, 0, 0, 0, 255};
    assert_memory_equal(picture.rgba + (size_t)2 * WIDTH * 4, wanted, sizeof wanted);
    free(picture.rgba);
    rig_close(&rig);
}

static void a_screen_that_is_off_has_no_picture(void **state) {
    struct drm_picture picture;
    (void)state;
    struct display display = display_open(&rig, part_of("GF100"), 0);
    assert_false(drm_device_picture(rig.device, &picture));
    assert_int_equal(display_set(&display, display_screen(&display)), 0);
    assert_true(drm_device_picture(rig.device, &picture));
    free(picture.rgba);
    assert_int_equal(display_set(&display, 0), 0);
    assert_false(drm_device_picture(rig.device, &picture));
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_come_out_of_any_layout),     cmocka_unit_test(a_modifier_counts_before_the_buffer),
        cmocka_unit_test(pixels_have_the_format_s_colours),    cmocka_unit_test(the_cursor_is_on_the_picture),
        cmocka_unit_test(a_screen_that_is_off_has_no_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
