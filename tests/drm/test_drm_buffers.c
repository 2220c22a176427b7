/* SPDX-License-Identifier: MIT */
/* GEM objects: handles, and what mmap() maps. */
#include "drm/rig.h"

#include <sys/mman.h>

static struct rig rig; /* too large for a stack with a sanitizer */

static int gem_new(struct drm_file *file, struct drm_nouveau_gem_new *request) {
    return rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), request);
}

static int gem_info(struct drm_file *file, struct drm_nouveau_gem_info *info) {
    return rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info), info);
}

/* ---- new ones ---- */

static void a_new_buffer_is_cleared_and_where_it_was_asked_for(void **state) {
    static const uint32_t domains[] = {VRAM, GART};
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        for (size_t i = 0; i < COUNT_OF(domains); i++) {
            struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, domains[i], 3 * PAGE - 1), again = {0};
            assert_int_equal(buffer.domain, part->vram ? domains[i] : GART);
            assert_int_equal(buffer.size, 3 * PAGE);
            assert_int_equal(buffer.offset % PAGE, 0);
            assert_true(buffer.map_handle >= UINT64_C(1) << 32);
            assert_int_equal(rig_rd32(file, &buffer, 2 * PAGE), 0);
            again.handle = buffer.handle;
            assert_int_equal(gem_info(file, &again), 0);
            assert_memory_equal(&again, &buffer, sizeof buffer);
        }
        rig_close(&rig);
    }
}

static void a_buffer_that_can_be_in_both_is_in_vram(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, rig_file(&rig, RENDER), VRAM | GART, PAGE);
        assert_int_equal(buffer.domain, rig_vram(&rig));
        rig_close(&rig);
    }
}

/* What does not fit into VRAM goes to system memory if it may; else there is no memory. */
static void vram_that_is_full_overflows_to_gart(void **state) {
    (void)state;
    rig.config = (struct drm_config){.vram_bytes = 64 << 20, .system_bytes = 256 << 20};
    rig_open(&rig, &parts[4]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct drm_nouveau_gem_new request = {.info = {.domain = VRAM, .size = 128 << 20}};
    assert_int_equal(gem_new(file, &request), -ENOMEM);
    assert_int_equal(rig_buffer(&rig, file, VRAM | GART, 128 << 20).domain, GART);
    request.info = (struct drm_nouveau_gem_info){.domain = GART, .size = UINT64_C(1) << 32};
    assert_int_equal(gem_new(file, &request), -ENOMEM);
    rig_close(&rig);
}

static void sizes_that_cannot_be_are_refused(void **state) {
    static const uint64_t sizes[] = {0, UINT64_MAX, UINT64_MAX - PAGE, UINT64_C(1) << 62};
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        for (size_t i = 0; i < COUNT_OF(sizes); i++) {
            struct drm_nouveau_gem_new request = {.info = {.domain = GART, .size = sizes[i]}};
            assert_int_equal(gem_new(file, &request), -EINVAL);
        }
        struct drm_nouveau_gem_info missing = {.handle = 1};
        assert_int_equal(gem_info(file, &missing), -ENOENT);
        rig_close(&rig);
    }
}

static void only_flags_with_a_meaning_are_kept(void **state) {
    static const struct {
        const char *chip;
        uint32_t flags, kept;
    } cases[] = {{"NV40", 0x1020c, 0x0c}, {"GT215", 0x1700b, 0x17008}, {"GF100", 0x1fe0b, 0xfe08}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        FOR_EACH_PART if (strcmp(part->chip, cases[i].chip) == 0) {
            rig_open(&rig, part);
            struct drm_nouveau_gem_new request = {
                .info = {.domain = VRAM, .size = PAGE, .tile_mode = 0x10, .tile_flags = cases[i].flags}};
            assert_int_equal(gem_new(rig_file(&rig, RENDER), &request), 0);
            assert_int_equal(request.info.tile_mode, 0x10);
            assert_int_equal(request.info.tile_flags, cases[i].kept);
            rig_close(&rig);
        }
}

static void a_storage_type_that_is_none_is_refused(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_new request = {.info = {.domain = VRAM, .size = PAGE, .tile_flags = 0xff00}};
        uint64_t used = rig_buffer(&rig, file, VRAM, PAGE).handle;
        assert_int_equal(gem_new(file, &request), part->calls ? 0 : -EINVAL);
        if (!part->calls) /* and the handle is free */
            assert_int_equal(rig_buffer(&rig, file, VRAM, PAGE).handle, used + 1);
        rig_close(&rig);
    }
}

/* ---- handles ---- */

static void a_handle_is_closed_once_and_given_again(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info first = rig_buffer(&rig, file, GART, PAGE),
                                    second = rig_buffer(&rig, file, GART, PAGE);
        assert_int_not_equal(first.handle, 0);
        assert_int_not_equal(first.handle, second.handle);
        assert_int_equal(rig_close_handle(&rig, file, first.handle), 0);
        assert_int_equal(rig_close_handle(&rig, file, first.handle), -EINVAL);
        assert_int_equal(rig_close_handle(&rig, file, 0), -EINVAL);
        assert_int_equal(rig_close_handle(&rig, file, UINT32_MAX), -EINVAL);
        assert_int_equal(gem_info(file, &(struct drm_nouveau_gem_info){.handle = first.handle}), -ENOENT);
        assert_int_equal(gem_info(file, &(struct drm_nouveau_gem_info){.handle = second.handle}), 0);
        assert_int_equal(rig_buffer(&rig, file, GART, PAGE).handle, first.handle);
        rig_close(&rig);
    }
}

/* The memory comes back, too: VRAM has room for one of them. */
static void memory_of_closed_handles_is_free_again(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig.config = (struct drm_config){.vram_bytes = part->vram ? 64 << 20 : 0, .system_bytes = 128 << 20};
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        for (unsigned i = 0; i < 8; i++) {
            struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, VRAM, 40 << 20);
            assert_int_equal(rig_close_handle(&rig, file, buffer.handle), 0);
            struct drm_file *other = rig_file(&rig, RENDER);
            rig_buffer(&rig, other, VRAM, 40 << 20);
            drm_file_close(other);
        }
        rig_close(&rig);
    }
}

/* Also of one that the GPU has used. */
static void memory_of_used_buffers_is_free_again(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig.config = (struct drm_config){.vram_bytes = part->vram ? 64 << 20 : 0, .system_bytes = 128 << 20};
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        for (unsigned i = 0; i < 4; i++) {
            struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, VRAM, 40 << 20);
            struct words words = {.part = part};
            words_release(&words, &channel, i + 1);
            assert_int_equal(rig_run(&rig, &channel, &words, &buffer), 0);
            assert_int_equal(rig_released(&channel), i + 1);
            assert_int_equal(rig_close_handle(&rig, file, buffer.handle), 0);
        }
        rig_close(&rig);
    }
}

static void handles_belong_to_a_file(void **state) {
    (void)state;
    rig_open(&rig, &parts[4]);
    struct drm_file *one = rig_file(&rig, RENDER), *other = rig_file(&rig, RENDER);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, one, GART, PAGE);
    struct drm_memory memory;
    assert_int_equal(rig_prep(&rig, other, buffer.handle, 0), -ENOENT);
    assert_int_equal(rig_close_handle(&rig, other, buffer.handle), -EINVAL);
    assert_int_equal(drm_file_map(other, buffer.map_handle, PAGE, &memory), -EACCES);
    assert_int_equal(drm_file_map(one, buffer.map_handle, PAGE, &memory), 0);
    rig_close(&rig);
}

static void many_handles_are_all_different(void **state) {
    static uint8_t seen[4096];
    (void)state;
    rig_open(&rig, &parts[0]);
    struct drm_file *file = rig_file(&rig, RENDER);
    memset(seen, 0, sizeof seen);
    for (unsigned i = 0; i < 300; i++) {
        uint32_t handle = rig_buffer(&rig, file, GART, PAGE).handle;
        assert_true(handle < sizeof seen);
        assert_int_equal(seen[handle]++, 0);
    }
    for (uint32_t handle = 10; handle < 200; handle += 7)
        assert_int_equal(rig_close_handle(&rig, file, handle), 0);
    for (uint32_t handle = 10; handle < 200; handle += 7)
        assert_int_equal(rig_buffer(&rig, file, GART, PAGE).handle, handle);
    rig_close(&rig);
}

/* ---- mmap() ---- */

static void a_mapping_is_the_buffers_memory(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        rig_buffer(&rig, file, VRAM, 5 * PAGE);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, VRAM, 2 * PAGE);
        struct drm_memory memory;
        assert_int_equal(drm_file_map(file, buffer.map_handle, 2 * PAGE, &memory), 0);
        assert_int_equal(memory.bytes, 2 * PAGE);
        uint8_t *at = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, memory.fd, (off_t)memory.offset);
        assert_true(at != MAP_FAILED);
        at[PAGE + 4] = 0x5a;
        assert_int_equal(rig_rd32(file, &buffer, PAGE + 4), 0x5a);
        rig_wr32(file, &buffer, 0, 0x77);
        assert_int_equal(at[0], 0x77);
        munmap(at, 2 * PAGE);
        rig_close(&rig);
    }
}

static void a_mapping_begins_where_the_buffer_does_and_ends_in_it(void **state) {
    struct drm_memory memory;
    (void)state;
    rig_open(&rig, &parts[4]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, 2 * PAGE);
    assert_int_equal(drm_file_map(file, buffer.map_handle, PAGE, &memory), 0);
    assert_int_equal(drm_file_map(file, buffer.map_handle, 2 * PAGE + 1, &memory), -EINVAL);
    assert_int_equal(drm_file_map(file, buffer.map_handle, UINT64_MAX, &memory), -EINVAL);
    assert_int_equal(drm_file_map(file, buffer.map_handle + PAGE, PAGE, &memory), -EINVAL);
    assert_int_equal(drm_file_map(file, 0, PAGE, &memory), -EINVAL);
    assert_int_equal(rig_close_handle(&rig, file, buffer.handle), 0);
    assert_int_equal(drm_file_map(file, buffer.map_handle, PAGE, &memory), -EINVAL);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_buffer_is_cleared_and_where_it_was_asked_for),
        cmocka_unit_test(a_buffer_that_can_be_in_both_is_in_vram),
        cmocka_unit_test(vram_that_is_full_overflows_to_gart),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test(only_flags_with_a_meaning_are_kept),
        cmocka_unit_test(a_storage_type_that_is_none_is_refused),
        cmocka_unit_test(a_handle_is_closed_once_and_given_again),
        cmocka_unit_test(memory_of_closed_handles_is_free_again),
        cmocka_unit_test(memory_of_used_buffers_is_free_again),
        cmocka_unit_test(handles_belong_to_a_file),
        cmocka_unit_test(many_handles_are_all_different),
        cmocka_unit_test(a_mapping_is_the_buffers_memory),
        cmocka_unit_test(a_mapping_begins_where_the_buffer_does_and_ends_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
