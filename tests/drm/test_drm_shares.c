/* SPDX-License-Identifier: MIT */
/* Buffers that files share: by names and by descriptors. */
#include "drm/rig.h"

#include <fcntl.h>

static struct rig rig; /* too large for a stack with a sanitizer */

static int gem_info(struct drm_file *file, struct drm_nouveau_gem_info *info) {
    return rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info), info);
}

/* ---- names ---- */

static uint32_t flink(struct drm_file *file, uint32_t handle) {
    struct drm_gem_flink request = {.handle = handle};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_GEM_FLINK, &request), 0);
    return request.name;
}

static int gem_open(struct drm_file *file, uint32_t name, struct drm_gem_open *request) {
    *request = (struct drm_gem_open){.name = name};
    return rig_ioctl(&rig, file, DRM_IOCTL_GEM_OPEN, request);
}

static struct drm_file *let_in(struct drm_file *master) {
    struct drm_file *file = rig_file(&rig, DRM_NODE_CARD);
    struct drm_auth magic = {0};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_GET_MAGIC, &magic), 0);
    assert_int_equal(rig_ioctl(&rig, master, DRM_IOCTL_AUTH_MAGIC, &magic), 0);
    return file;
}

static void a_name_is_the_same_buffer_in_another_file(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *one = rig_file(&rig, DRM_NODE_CARD), *other = let_in(one);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, one, GART, PAGE), info = {0};
        struct drm_gem_open opened;
        assert_int_equal(gem_open(one, 0, &opened), -ENOENT);
        uint32_t name = flink(one, buffer.handle);
        assert_int_not_equal(name, 0);
        assert_int_equal(flink(one, buffer.handle), name);
        assert_int_equal(gem_open(other, name, &opened), 0);
        assert_int_equal(opened.size, PAGE);
        info.handle = opened.handle;
        assert_int_equal(gem_info(other, &info), 0);
        rig_wr32(one, &buffer, 8, 0x1234);
        assert_int_equal(rig_rd32(other, &info, 8), 0x1234);
        assert_int_equal(rig_close_handle(&rig, one, buffer.handle), 0);
        assert_int_equal(rig_rd32(other, &info, 8), 0x1234);
        drm_file_close(other);
        assert_int_equal(gem_open(one, name, &opened), -ENOENT);
        assert_int_equal(gem_open(one, 0, &opened), -ENOENT);
        rig_close(&rig);
    }
}

/* Each opening has its own handle; in one address space the buffer has one address, as long as a handle is left. */
static void a_name_opened_twice_has_two_handles_and_one_address(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, DRM_NODE_CARD);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE), info = {0};
        struct drm_gem_open opened;
        assert_int_equal(gem_open(file, flink(file, buffer.handle), &opened), 0);
        assert_int_not_equal(opened.handle, buffer.handle);
        info.handle = opened.handle;
        assert_int_equal(gem_info(file, &info), 0);
        assert_int_equal(info.offset, buffer.offset);
        assert_int_equal(rig_close_handle(&rig, file, buffer.handle), 0);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info to = rig_buffer(&rig, file, GART, PAGE);
        struct words words = {.part = part};
        rig_wr32(file, &info, 0, 77);
        words_copy(&words, &info, &to, 64);
        assert_int_equal(rig_run(&rig, &channel, &words, &to), 0);
        assert_int_equal(rig_rd32(file, &to, 0), 77);
        rig_close(&rig);
    }
}

/* ---- descriptors ---- */

static int to_fd(struct drm_file *file, uint32_t handle, uint32_t flags) {
    struct drm_prime_handle request = {.handle = handle, .flags = flags, .fd = -1};
    int result = rig_ioctl(&rig, file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &request);
    return result ? result : request.fd;
}

static int to_handle(struct drm_file *file, int fd, uint32_t *handle) {
    struct drm_prime_handle request = {.fd = fd};
    int result = rig_ioctl(&rig, file, DRM_IOCTL_PRIME_FD_TO_HANDLE, &request);
    *handle = request.handle;
    return result;
}

static void a_descriptor_is_the_same_buffer_in_another_file(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *one = rig_file(&rig, RENDER), *other = rig_file(&rig, RENDER);
        rig_buffer(&rig, one, VRAM, PAGE);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, one, VRAM, PAGE), info = {0};
        uint32_t handle;
        int fd = to_fd(one, buffer.handle, O_CLOEXEC | O_RDWR);
        assert_true(fd >= RIG_FIRST_FD);
        assert_int_equal(rig.give_flags, O_CLOEXEC | O_RDWR);
        assert_int_equal(to_handle(other, fd, &info.handle), 0);
        assert_int_equal(gem_info(other, &info), 0);
        assert_int_equal(info.map_handle, buffer.map_handle);
        assert_int_equal(to_handle(one, fd, &handle), 0);
        assert_int_equal(handle, buffer.handle);
        assert_int_equal(to_handle(other, fd, &handle), 0);
        assert_int_equal(handle, info.handle);
        rig_close(&rig);
    }
}

/* kmscube gives its texture to EGL in this way. */
static void a_descriptor_keeps_its_buffer(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE), info = {0};
        uint32_t handle;
        rig_wr32(file, &buffer, 12, 0x1234);
        int fd = to_fd(file, buffer.handle, O_CLOEXEC);
        assert_int_equal(rig_close_handle(&rig, file, buffer.handle), 0);
        rig_buffer(&rig, file, GART, PAGE);
        assert_int_equal(to_handle(file, fd, &info.handle), 0);
        assert_int_equal(gem_info(file, &info), 0);
        assert_int_equal(rig_rd32(file, &info, 12), 0x1234);
        /* The last descriptor goes, then the handle: nothing is left of it. */
        rig_close_fd(fd);
        rig_buffer(&rig, rig_file(&rig, RENDER), GART, PAGE);
        assert_int_equal(rig_close_handle(&rig, file, info.handle), 0);
        drm_file_close(rig_file(&rig, RENDER));
        assert_int_equal(to_handle(file, fd, &handle), -EBADF);
        rig_close(&rig);
    }
}

static void descriptors_that_are_none_are_refused(void **state) {
    uint32_t handle;
    (void)state;
    rig_open(&rig, &parts[4]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, VRAM, PAGE);
    assert_int_equal(to_fd(file, buffer.handle, O_CLOEXEC | O_APPEND), -EINVAL);
    assert_int_equal(to_fd(file, buffer.handle + 1, O_CLOEXEC), -ENOENT);
    rig.give_error = -EMFILE;
    assert_int_equal(to_fd(file, buffer.handle, O_CLOEXEC), -EMFILE);
    rig.give_error = 0;
    assert_int_equal(to_handle(file, -1, &handle), -EBADF);
    assert_int_equal(to_handle(file, 3, &handle), -EINVAL);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_the_same_buffer_in_another_file),
        cmocka_unit_test(a_name_opened_twice_has_two_handles_and_one_address),
        cmocka_unit_test(a_descriptor_is_the_same_buffer_in_another_file),
        cmocka_unit_test(a_descriptor_keeps_its_buffer),
        cmocka_unit_test(descriptors_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
