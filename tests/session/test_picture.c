/* SPDX-License-Identifier: MIT */
/* Pictures of the screen: names and files. */
#include "drm/rig.h"

#include <drm_mode.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "face/drm/session/picture.h"
#include "face/drm/session/session.h"
#include "temporary.h"

static struct rig rig;
static struct settings settings;
static char folder[TEMPORARY_PATH];

enum { WIDTH = 640, HEIGHT = 480 };

static int make_folder(void **state) {
    (void)state;
    temporary_pattern(folder, "");
    settings = (struct settings){0};
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static void a_name_may_have_a_number(void **state) {
    static const struct {
        const char *path, *named;
        bool has;
    } names[] = {{"a.png", "a.png", false},     {"%u", "7", true},
                 {"a-%u.png", "a-7.png", true}, {"a-%04u.png", "a-0007.png", true},
                 {"%d%u", "%d7", true},         {"%u%u", "7%u", true},
                 {"100%", "100%", false},       {"%0u", "%0u", false},
                 {"%010u", "%010u", false},     {"%s%n.png", "%s%n.png", false},
                 {"%%u", "%7", true},           {"", "", false}};
    char path[64];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        assert_int_equal(picture_has_number(names[i].path), names[i].has);
        assert_true(picture_path(names[i].path, 7, path, sizeof path));
        assert_string_equal(path, names[i].named);
    }
    assert_false(picture_path("0123456789", 0, path, 10));
    assert_true(picture_path("012345678", 0, path, 10));
}

static void a_file_that_cannot_be_is_an_error(void **state) {
    struct pfifo_error error = {0};
    struct drm_picture picture = {1, 1, malloc(4)};
    (void)state;
    assert_non_null(picture.rgba);
    memset(picture.rgba, 0, 4);
    assert_false(picture_write(&picture, "/no/such/folder/x.png", &error));
    assert_int_equal(error.status, PFIFO_ERROR_IO);
    assert_non_null(strstr(error.message, "/no/such/folder/x.png: cannot write: "));
    free(picture.rgba);
}

/* ---- a screen ---- */

/* A framebuffer on the screen, of one colour; 0: the first is shown, else flipped to. */
static uint32_t show(struct drm_file *file, uint32_t colour, bool flip) {
    struct drm_mode_create_dumb dumb = {.width = WIDTH, .height = HEIGHT, .bpp = 32};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_MODE_CREATE_DUMB, &dumb), 0);
    struct drm_nouveau_gem_info info = {.handle = dumb.handle};
    assert_int_equal(rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info), &info), 0);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x += 64)
            rig_wr32(file, &info, y * (uint64_t)dumb.pitch + 4 * x, colour);
    struct drm_mode_fb_cmd framebuffer = {
        .width = WIDTH, .height = HEIGHT, .pitch = dumb.pitch, .bpp = 32, .depth = 24, .handle = dumb.handle};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_MODE_ADDFB, &framebuffer), 0);
    struct drm_mode_card_res resources = {.count_crtcs = 1, .count_connectors = 1};
    uint32_t ids[2] = {0};
    resources.crtc_id_ptr = rig_put(&rig, &ids[0], sizeof ids[0]);
    resources.connector_id_ptr = rig_put(&rig, &ids[1], sizeof ids[1]);
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_MODE_GETRESOURCES, &resources), 0);
    rig_get(&rig, resources.crtc_id_ptr, &ids[0], sizeof ids[0]);
    if (flip) {
        struct drm_mode_crtc_page_flip request = {.crtc_id = ids[0], .fb_id = framebuffer.fb_id};
        assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_MODE_PAGE_FLIP, &request), 0);
        return framebuffer.fb_id;
    }
    struct drm_mode_crtc crtc = {.crtc_id = ids[0],
                                 .fb_id = framebuffer.fb_id,
                                 .set_connectors_ptr = resources.connector_id_ptr,
                                 .count_connectors = 1,
                                 .mode_valid = 1,
                                 .mode = {.clock = 25175,
                                          .hdisplay = WIDTH,
                                          .hsync_start = 656,
                                          .hsync_end = 752,
                                          .htotal = 800,
                                          .vdisplay = HEIGHT,
                                          .vsync_start = 490,
                                          .vsync_end = 492,
                                          .vtotal = 525,
                                          .vrefresh = 60}};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_MODE_SETCRTC, &crtc), 0);
    return framebuffer.fb_id;
}

/* A PNG file of the test's folder, which is removed: a pixel of its colour as 0xrrggbb. */
static uint32_t a_pixel(const char *name) {
    char path[TEMPORARY_PATH + 64];
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint8_t *pixels = malloc((size_t)WIDTH * HEIGHT * 3);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!png_image_begin_read_from_file(&image, path))
        fail_msg("%s: %s", path, image.message);
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    assert_int_equal(image.format, PNG_FORMAT_RGB);
    assert_non_null(pixels);
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    const uint8_t *at = pixels + (size_t)3 * (WIDTH + 64);
    uint32_t pixel = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
    free(pixels);
    assert_int_equal(unlink(path), 0);
    return pixel;
}

static struct session *begin(const struct part *part, const char *name) {
    snprintf(settings.screenshot, sizeof settings.screenshot, "%s/%s", folder, name);
    rig.config.width = WIDTH;
    rig.config.height = HEIGHT;
    rig_open(&rig, part);
    struct session *session = session_new(&settings, rig.device, NULL);
    assert_non_null(session);
    return session;
}

static void the_last_picture_is_written_at_the_end(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct session *session = begin(part, "last.png");
        struct drm_file *file = rig_file(&rig, DRM_NODE_CARD);
        show(file, 0x00112233, false);
        show(file, 0x00445566, true);
        session_end(session);
        rig_close(&rig);
        assert_int_equal(a_pixel("last.png"), 0x445566);
    }
}

static void a_screen_that_went_dark_had_a_last_picture(void **state) {
    (void)state;
    struct session *session = begin(&parts[4], "dark.png");
    struct drm_file *file = rig_file(&rig, DRM_NODE_CARD);
    show(file, 0x00112233, false);
    drm_file_close(file);
    session_end(session);
    rig_close(&rig);
    assert_int_equal(a_pixel("dark.png"), 0x112233);
}

static void each_flip_can_have_a_picture(void **state) {
    (void)state;
    struct session *session = begin(&parts[2], "%02u.png");
    struct drm_file *file = rig_file(&rig, DRM_NODE_CARD);
    show(file, 0x00aa0000, false);
    show(file, 0x0000bb00, true);
    show(file, 0x000000cc, true);
    session_end(session);
    rig_close(&rig);
    assert_int_equal(a_pixel("01.png"), 0xaa0000);
    assert_int_equal(a_pixel("02.png"), 0x00bb00);
    assert_int_equal(a_pixel("03.png"), 0x0000cc);
}

static void no_screen_is_no_picture(void **state) {
    (void)state;
    struct session *session = begin(&parts[0], "none.png");
    session_end(session);
    rig_close(&rig);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_name_may_have_a_number),
        TEST(a_file_that_cannot_be_is_an_error),
        TEST(the_last_picture_is_written_at_the_end),
        TEST(a_screen_that_went_dark_had_a_last_picture),
        TEST(each_flip_can_have_a_picture),
        TEST(no_screen_is_no_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
