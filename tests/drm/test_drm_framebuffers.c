/* SPDX-License-Identifier: MIT */
/* Framebuffers, and the dumb buffers below them. */
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

/* ---- dumb buffers ---- */

static void a_dumb_buffer_has_a_pitch_and_can_be_mapped(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct display display = display_open(&rig, part, 0);
        struct drm_memory memory;
        struct drm_mode_create_dumb dumb = display_dumb(&display, 65, 63);
        assert_int_equal(dumb.pitch, 512);
        assert_int_equal(dumb.size, (512 * 63 + 0xfff) & ~0xfff);
        struct drm_mode_map_dumb map = {.handle = dumb.handle};
        assert_int_equal(call(&display, DRM_IOCTL_MODE_MAP_DUMB, &map), 0);
        assert_int_equal(drm_file_map(display.file, map.offset, dumb.size, &memory), 0);
        struct drm_mode_destroy_dumb destroy = {.handle = dumb.handle};
        assert_int_equal(call(&display, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy), 0);
        assert_int_equal(call(&display, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy), -EINVAL);
        assert_int_equal(call(&display, DRM_IOCTL_MODE_MAP_DUMB, &map), -ENOENT);
        rig_close(&rig);
    }
}

static void sizes_that_are_none_are_refused(void **state) {
    static const struct drm_mode_create_dumb bad[] = {
        {.width = 0, .height = 1, .bpp = 32},
        {.width = 1, .height = 0, .bpp = 32},
        {.width = 1, .height = 1, .bpp = 0},
        {.width = 1, .height = 1, .bpp = 4},
        {.width = 1, .height = 1, .bpp = UINT32_MAX},
        {.width = 0x40000000, .height = 1, .bpp = 32},
        {.width = 0x10000, .height = 0x10000, .bpp = 8},
        {.width = 0xffffffff, .height = 1, .bpp = 8},
    };
    (void)state;
    struct display display = display_open(&rig, part_of("GF100"), 0);
    for (unsigned i = 0; i < COUNT_OF(bad); i++) {
        struct drm_mode_create_dumb dumb = bad[i];
        if (call(&display, DRM_IOCTL_MODE_CREATE_DUMB, &dumb) != -EINVAL)
            fail_msg("case %u", i);
    }
    rig_close(&rig);
}

/* ---- ADDFB ---- */

static void depths_select_formats(void **state) {
    static const struct {
        uint32_t bpp, depth, fourcc;
        bool since_g80;
    } rows[] = {{32, 24, DRM_FORMAT_XRGB8888, false},
                {32, 32, DRM_FORMAT_ARGB8888, false},
                {16, 16, DRM_FORMAT_RGB565, false},
                {16, 15, DRM_FORMAT_XRGB1555, false},
                {32, 30, DRM_FORMAT_XBGR2101010, true}};
    (void)state;
    FOR_EACH_PART {
        struct display display = display_open(&rig, part, 0);
        struct drm_mode_create_dumb dumb = display_dumb(&display, 16, 16);
        for (unsigned i = 0; i < COUNT_OF(rows); i++) {
            struct drm_mode_fb_cmd request = {.width = 16,
                                              .height = 16,
                                              .pitch = dumb.pitch,
                                              .bpp = rows[i].bpp,
                                              .depth = rows[i].depth,
                                              .handle = dumb.handle};
            int wanted = rows[i].since_g80 && part->calls ? -EINVAL : 0;
            assert_int_equal(call(&display, DRM_IOCTL_MODE_ADDFB, &request), wanted);
            struct drm_mode_fb_cmd2 got = {.fb_id = request.fb_id};
            assert_int_equal(call(&display, DRM_IOCTL_MODE_GETFB2, &got), wanted ? -ENOENT : 0);
            assert_true(wanted || got.pixel_format == rows[i].fourcc);
        }
        struct drm_mode_fb_cmd request = {
            .width = 16, .height = 16, .pitch = dumb.pitch, .bpp = 24, .depth = 24, .handle = dumb.handle};
        assert_int_equal(call(&display, DRM_IOCTL_MODE_ADDFB, &request), -EINVAL);
        rig_close(&rig);
    }
}

static struct drm_mode_fb_cmd2 good_request(const struct drm_mode_create_dumb *dumb) {
    return (struct drm_mode_fb_cmd2){.width = dumb->width,
                                     .height = dumb->height,
                                     .pixel_format = DRM_FORMAT_XRGB8888,
                                     .handles = {dumb->handle},
                                     .pitches = {dumb->pitch}};
}

static int add(const struct display *display, struct drm_mode_fb_cmd2 request) {
    return call(display, DRM_IOCTL_MODE_ADDFB2, &request);
}

static void addfb2_finds_what_is_wrong(void **state) {
    (void)state;
    struct display display = display_open(&rig, part_of("GF100"), 0);
    struct drm_mode_create_dumb dumb = display_dumb(&display, 64, 64);
    struct drm_mode_fb_cmd2 request = good_request(&dumb);
    assert_int_equal(add(&display, request), 0);
    request.flags = 4;
    assert_int_equal(add(&display, request), -EINVAL);
    request = good_request(&dumb);
    request.pixel_format = DRM_FORMAT_NV12;
    assert_int_equal(add(&display, request), -EINVAL);
    request = good_request(&dumb);
    request.width = 0;
    assert_int_equal(add(&display, request), -EINVAL);
    request.width = 16385;
    assert_int_equal(add(&display, request), -EINVAL);
    request.width = 65;
    assert_int_equal(add(&display, request), -EINVAL); /* the pitch is that of 64 */
    request = good_request(&dumb);
    request.height = 65;
    assert_int_equal(add(&display, request), -ERANGE);
    request = good_request(&dumb);
    request.offsets[0] = 4;
    assert_int_equal(add(&display, request), -ERANGE);
    request.offsets[0] = UINT32_MAX;
    assert_int_equal(add(&display, request), -ERANGE);
    request = good_request(&dumb);
    request.handles[0] = 0;
    assert_int_equal(add(&display, request), -EINVAL);
    request.handles[0] = NOTHING;
    assert_int_equal(add(&display, request), -ENOENT);
    rig_close(&rig);
}

static void modifiers_are_those_of_the_chip(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct display display = display_open(&rig, part, 0);
        struct drm_mode_create_dumb dumb = display_dumb(&display, 64, 64);
        struct drm_mode_fb_cmd2 request = good_request(&dumb);
        const uint64_t tesla = DRM_FORMAT_MOD_NVIDIA_BLOCK_LINEAR_2D(0, 1, 1, 0x7a, 1);
        const uint64_t fermi = DRM_FORMAT_MOD_NVIDIA_BLOCK_LINEAR_2D(0, 1, 0, 0xfe, 1);
        const uint64_t tegra = DRM_FORMAT_MOD_NVIDIA_BLOCK_LINEAR_2D(0, 0, 0, 0xfe, 1);
        request.modifier[0] = tesla;
        assert_int_equal(add(&display, request), -EINVAL); /* without the flag */
        request.flags = DRM_MODE_FB_MODIFIERS;
        assert_int_equal(add(&display, request), part->calls || part->classes ? -EINVAL : 0);
        request.modifier[0] = fermi;
        assert_int_equal(add(&display, request), part->classes && part->vram ? 0 : -EINVAL);
        request.modifier[0] = tegra;
        assert_int_equal(add(&display, request), part->vram ? -EINVAL : 0);
        request.modifier[0] = DRM_FORMAT_MOD_NVIDIA_16BX2_BLOCK(1);
        assert_int_equal(add(&display, request), part->calls ? -EINVAL : 0);
        request.modifier[0] = DRM_FORMAT_MOD_LINEAR;
        assert_int_equal(add(&display, request), part->calls ? -EINVAL : 0);
        request.handles[1] = dumb.handle;
        assert_int_equal(add(&display, request), -EINVAL);
        rig_close(&rig);
    }
}

/* A line of blocks more than the buffer has. */
static void whole_blocks_must_be_in_the_buffer(void **state) {
    (void)state;
    struct display display = display_open(&rig, part_of("GF100"), 0);
    struct drm_mode_create_dumb dumb = display_dumb(&display, 64, 16);
    struct drm_mode_fb_cmd2 request = good_request(&dumb);
    request.flags = DRM_MODE_FB_MODIFIERS;
    request.height = 1;
    request.modifier[0] = DRM_FORMAT_MOD_NVIDIA_BLOCK_LINEAR_2D(0, 1, 0, 0xfe, 1);
    assert_int_equal(add(&display, request), 0);
    request.modifier[0] = DRM_FORMAT_MOD_NVIDIA_BLOCK_LINEAR_2D(0, 1, 0, 0xfe, 2);
    assert_int_equal(add(&display, request), -ERANGE);
    struct drm_nouveau_gem_new tiled = {
        .info = {.domain = VRAM, .size = 4096, .tile_mode = 0x01, .tile_flags = 0xfe00}};
    unsigned long number = NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new);
    assert_int_equal(call(&display, number, &tiled), 0);
    request = good_request(&dumb);
    request.height = 1;
    request.handles[0] = tiled.info.handle;
    assert_int_equal(add(&display, request), -EINVAL);
    rig_close(&rig);
}

static void a_framebuffer_keeps_its_buffer(void **state) {
    struct drm_picture picture;
    (void)state;
    struct display display = display_open(&rig, part_of("GT215"), 0);
    struct drm_mode_create_dumb dumb = display_dumb(&display, WIDTH, HEIGHT);
    uint32_t screen = display_framebuffer(&display, dumb.handle, WIDTH, HEIGHT, dumb.pitch);
    assert_int_equal(rig_close_handle(&rig, display.file, dumb.handle), 0);
    assert_int_equal(display_set(&display, screen), 0);
    assert_true(drm_device_picture(rig.device, &picture));
    free(picture.rgba);
    struct drm_mode_fb_cmd request = {.fb_id = screen};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETFB, &request), 0);
    assert_int_equal(request.width, WIDTH);
    assert_int_equal(request.height, HEIGHT);
    assert_int_equal(request.pitch, dumb.pitch);
    assert_int_equal(request.bpp, 32);
    assert_int_equal(request.depth, 24);
    struct drm_mode_map_dumb map = {.handle = request.handle};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_MAP_DUMB, &map), 0);
    rig_close(&rig);
}

static void dirty_rectangles_are_nobodys(void **state) {
    (void)state;
    struct display display = display_open(&rig, part_of("GF100"), 0);
    struct drm_mode_fb_dirty_cmd request = {.fb_id = display_screen(&display)};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_DIRTYFB, &request), -ENOSYS);
    request.num_clips = 1;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_DIRTYFB, &request), -EINVAL);
    request.clips_ptr = RIG_BASE;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_DIRTYFB, &request), -ENOSYS);
    request.flags = DRM_MODE_FB_DIRTY_ANNOTATE_COPY;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_DIRTYFB, &request), -EINVAL);
    request.num_clips = 258;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_DIRTYFB, &request), -EINVAL);
    request.fb_id = NOTHING;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_DIRTYFB, &request), -ENOENT);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dumb_buffer_has_a_pitch_and_can_be_mapped),
        cmocka_unit_test(sizes_that_are_none_are_refused),
        cmocka_unit_test(depths_select_formats),
        cmocka_unit_test(addfb2_finds_what_is_wrong),
        cmocka_unit_test(modifiers_are_those_of_the_chip),
        cmocka_unit_test(whole_blocks_must_be_in_the_buffer),
        cmocka_unit_test(a_framebuffer_keeps_its_buffer),
        cmocka_unit_test(dirty_rectangles_are_nobodys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
