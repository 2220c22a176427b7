/* SPDX-License-Identifier: MIT */
/* Images in buffers, as programs give them to the server of their windows: where their pixels are, and which are none. */
#include <drm_fourcc.h>
#include <unistd.h>

#include "drm/rig.h"

enum { WIDTH = 37, HEIGHT = 29, PITCH = 256, TALL = 64, BYTES = PITCH * TALL };

static struct rig rig; /* too large for a stack with a sanitizer */

static uint32_t pixel(uint32_t x, uint32_t y) {
    return x * 0x01030507 + y * 0x0b0d1113;
}

/* One that is a whole buffer of its own. */
static struct drm_image make_image(struct drm_file *file, struct drm_nouveau_gem_info *made) {
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, BYTES);
    struct drm_prime_handle prime = {.handle = buffer.handle};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), 0);
    *made = buffer;
    return (struct drm_image){.file = rig_file_of(prime.fd),
                              .fourcc = DRM_FORMAT_XRGB8888,
                              .width = WIDTH,
                              .height = HEIGHT,
                              .pitch = PITCH,
                              .has_modifier = true,
                              .modifier = DRM_FORMAT_MOD_LINEAR};
}

static int write_area(const struct drm_image *image, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
    static uint32_t pixels[TALL * PITCH];
    for (uint32_t i = 0; i < width * height && i < TALL * PITCH; i++)
        pixels[i] = pixel(x + i % width, y + i / width);
    const struct drm_area area = {x, y, width, height};
    return drm_device_write_image(rig.device, image, &area, (const uint8_t *)pixels, (size_t)width * 4);
}

static int read_pixel(const struct drm_image *image, uint32_t x, uint32_t y, uint32_t *value) {
    const struct drm_area area = {x, y, 1, 1};
    return drm_device_read_image(rig.device, image, &area, (uint8_t *)value, sizeof *value);
}

static void read_all(const struct drm_image *image, uint32_t pixels[HEIGHT][WIDTH]) {
    const struct drm_area all = {0, 0, WIDTH, HEIGHT};
    assert_int_equal(drm_device_read_image(rig.device, image, &all, (uint8_t *)pixels, sizeof pixels[0]), 0);
}

/* An area that is written is read as it was; what is around it stays. */
static void areas_are_read_as_written_in_all_layouts(void **state) {
    (void)state;
    FOR_EACH_PART {
        uint64_t modifiers[DRM_MOST_MODIFIERS] = {DRM_FORMAT_MOD_INVALID};
        struct drm_nouveau_gem_info buffer;
        rig_open(&rig, part);
        struct drm_image image = make_image(rig_file(&rig, RENDER), &buffer);
        uint32_t count = drm_device_modifiers(rig.device, modifiers);
        assert_true(part->calls ? count == 0 : modifiers[count - 1] == DRM_FORMAT_MOD_LINEAR);
        for (uint32_t i = 0; i < count + (count == 0); i++) {
            image.has_modifier = count != 0;
            image.modifier = modifiers[i];
            if (drm_device_check_image(rig.device, &image) == -ERANGE)
                continue; /* blocks that are higher than the buffer */
            uint32_t before[HEIGHT][WIDTH], after[HEIGHT][WIDTH];
            read_all(&image, before);
            assert_int_equal(write_area(&image, 5, 7, 20, 11), 0);
            read_all(&image, after);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    bool inside = x >= 5 && x < 25 && y >= 7 && y < 18;
                    assert_int_equal(after[y][x], inside ? pixel(x, y) : before[y][x]);
                }
        }
        rig_close(&rig);
    }
}

static void an_offset_moves_the_image(void **state) {
    struct drm_nouveau_gem_info buffer;
    uint32_t value;
    (void)state;
    rig_open(&rig, &parts[4]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct drm_image image = make_image(file, &buffer), moved = image;
    moved.offset = 3 * PITCH + 8;
    assert_int_equal(write_area(&moved, 0, 0, 1, 1), 0);
    assert_int_equal(read_pixel(&image, 2, 3, &value), 0);
    assert_int_equal(value, pixel(0, 0));
    assert_int_equal(rig_rd32(file, &buffer, UINT64_C(3) * PITCH + 8), pixel(0, 0));
    rig_close(&rig);
}

static void what_does_not_fit_is_no_image(void **state) {
    struct drm_nouveau_gem_info buffer;
    uint32_t value;
    (void)state;
    rig_open(&rig, &parts[4]);
    const struct drm_image good = make_image(rig_file(&rig, RENDER), &buffer);
    const struct wrong {
        struct drm_image image;
        int error;
    } wrong[] = {{good, -EINVAL}, {good, -EINVAL}, {good, -EINVAL}, {good, -EINVAL},
                 {good, -EINVAL}, {good, -ERANGE}, {good, -EINVAL}, {good, -EINVAL}};
    struct wrong at[COUNT_OF(wrong)];
    memcpy(at, wrong, sizeof at);
    at[0].image.file = STDIN_FILENO;
    at[1].image.fourcc = DRM_FORMAT_NV12;
    at[2].image.width = 0;
    at[3].image.height = 0;
    at[4].image.pitch = WIDTH * 4 - 4;
    at[5].image.height = TALL + 1;
    at[6].image.modifier = 12345;
    at[7].image.width = UINT32_MAX;
    assert_int_equal(drm_device_check_image(rig.device, &good), 0);
    for (size_t i = 0; i < COUNT_OF(at); i++) {
        assert_int_equal(drm_device_check_image(rig.device, &at[i].image), at[i].error);
        assert_int_equal(read_pixel(&at[i].image, 0, 0, &value), at[i].error);
    }
    rig_close(&rig);
}

static void areas_outside_are_refused(void **state) {
    static const struct drm_area outside[] = {{WIDTH, 0, 1, 1},     {0, HEIGHT, 1, 1},     {1, 0, WIDTH, 1},
                                              {0, 1, 1, HEIGHT},    {UINT32_MAX, 0, 2, 1}, {0, UINT32_MAX, 1, 2},
                                              {0, 0, UINT32_MAX, 1}};
    struct drm_nouveau_gem_info buffer;
    (void)state;
    rig_open(&rig, &parts[4]);
    struct drm_image image = make_image(rig_file(&rig, RENDER), &buffer);
    for (size_t i = 0; i < COUNT_OF(outside); i++)
        assert_int_equal(drm_device_read_image(rig.device, &image, &outside[i], NULL, 0), -EINVAL);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_are_read_as_written_in_all_layouts),
        cmocka_unit_test(an_offset_moves_the_image),
        cmocka_unit_test(what_does_not_fit_is_no_image),
        cmocka_unit_test(areas_outside_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
