/* SPDX-License-Identifier: MIT */
/* VM_INIT and VM_BIND: what a program maps in a space of its own. Linux drivers/gpu/drm/nouveau/nouveau_uvmm.c. */
#include "drm/spaces.h"

#include "face/drm/node/node.h"

static struct rig rig; /* too large for a stack with a sanitizer */

#define AT       UINT64_C(0x100000000)
#define MAP      UAPI_BIND_MAP
#define UNMAP    UAPI_BIND_UNMAP
#define PAGES(n) ((uint64_t)(n)*PAGE)

static const struct part *const gm200_like = &parts[9];

/* ---- VM_INIT ---- */

static void a_space_is_made_before_channels_and_buffers(void **state) {
    (void)state;
    FOR_EACH_WITH_SPACES {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER), *other = rig_file(&rig, RENDER);
        struct drm_nouveau_channel_alloc alloc = {.fb_ctxdma_handle = FB_HANDLE, .tt_ctxdma_handle = TT_HANDLE};
        uint32_t handle = rig_buffer(&rig, file, GART, PAGE).handle;
        assert_int_equal(spaces_init(&rig, file, KERNEL_BEGIN, KERNEL_BEGIN), -ENOSYS);
        assert_int_equal(rig_close_handle(&rig, file, handle), 0);
        assert_int_equal(spaces_init(&rig, file, KERNEL_BEGIN, KERNEL_BEGIN), -ENOSYS);
        assert_int_equal(rig_channel_alloc(&rig, other, &alloc), 0);
        assert_int_equal(spaces_init(&rig, other, KERNEL_BEGIN, KERNEL_BEGIN), -ENOSYS);
        spaces_file(&rig);
        rig_close(&rig);
    }
}

static void a_kernel_s_part_outside_of_the_space_is_refused(void **state) {
    (void)state;
    rig_open(&rig, gm200_like);
    struct drm_file *file = rig_file(&rig, RENDER);
    assert_int_equal(spaces_init(&rig, file, UINT64_MAX - PAGE + 1, PAGES(2)), -EINVAL);
    assert_int_equal(spaces_init(&rig, file, UAPI_SPACE_END, PAGE), -EINVAL);
    assert_int_equal(spaces_init(&rig, file, KERNEL_BEGIN, KERNEL_END), -EINVAL);
    assert_int_equal(spaces_init(&rig, file, KERNEL_BEGIN, 0), -EINVAL);
    assert_int_equal(spaces_init(&rig, file, KERNEL_BEGIN, KERNEL_BEGIN), 0);
    assert_int_equal(spaces_init(&rig, file, KERNEL_BEGIN, KERNEL_BEGIN), -ENOSYS);
    rig_close(&rig);
}

/* Only what the file makes itself is of the old way (nouveau_gem_ioctl_new(), nouveau_abi16_ioctl_channel_alloc()). */
static void a_file_with_buffers_of_others_may_have_a_space(void **state) {
    (void)state;
    FOR_EACH_WITH_SPACES {
        rig_open(&rig, part);
        struct drm_file *owner = rig_file(&rig, RENDER), *file = rig_file(&rig, RENDER);
        struct drm_prime_handle prime = {.handle = rig_buffer(&rig, owner, GART, PAGE).handle};
        struct drm_nouveau_gem_info info = {0};
        assert_int_equal(rig_ioctl(&rig, owner, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), 0);
        assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime), 0);
        assert_int_equal(spaces_init(&rig, file, KERNEL_BEGIN, KERNEL_BEGIN), 0);
        info.handle = prime.handle;
        assert_int_equal(rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info), &info), 0);
        assert_int_equal(info.offset, 0);
        assert_int_equal(spaces_map(&rig, file, prime.handle, AT, 0, PAGE), 0);
        assert_int_equal(spaces_at(file, AT, NULL), spaces_id(file, prime.handle));
        rig_close(&rig);
    }
}

static void chips_before_fermi_have_no_spaces(void **state) {
    (void)state;
    FOR_EACH_PART if (!part->classes) {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        assert_int_equal(spaces_init(&rig, file, KERNEL_BEGIN, PAGE), -ENOSYS);
        assert_int_equal(spaces_map(&rig, file, 1, AT, 0, PAGE), -ENOSYS);
        assert_int_equal(spaces_exec(&rig, file, 1, NULL, 0, NULL), -ENOSYS);
        rig_close(&rig);
    }
}

static void what_the_kernel_maps_is_in_its_part(void **state) {
    (void)state;
    FOR_EACH_WITH_SPACES {
        struct drm_file *file = spaces_open(&rig, part);
        struct drm_nouveau_channel_alloc alloc = {.fb_ctxdma_handle = FB_HANDLE, .tt_ctxdma_handle = TT_HANDLE};
        assert_int_equal(rig_channel_alloc(&rig, file, &alloc), 0);
        struct drm_nouveau_gem_info info = {.handle = alloc.notifier_handle};
        assert_int_equal(rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info), &info), 0);
        assert_true(info.offset >= KERNEL_BEGIN && info.offset < KERNEL_END);
        assert_int_equal(spaces_at(file, info.offset, NULL), spaces_id(file, info.handle));
        assert_int_equal(rig_close_handle(&rig, file, info.handle), 0);
        rig_close(&rig);
    }
}

/* Elsewhere an operation of the program would take it away. */
static void a_channel_has_no_room_outside_of_the_kernel_s_part(void **state) {
    (void)state;
    FOR_EACH_WITH_SPACES {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_channel_alloc alloc = {.fb_ctxdma_handle = FB_HANDLE, .tt_ctxdma_handle = TT_HANDLE};
        assert_int_equal(spaces_init(&rig, file, KERNEL_BEGIN, PAGE), 0);
        assert_int_equal(rig_channel_alloc(&rig, file, &alloc), -ENOSPC);
        rig_close(&rig);
    }
}

static void a_new_buffer_has_no_address(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, VRAM, PAGES(4));
    assert_int_equal(buffer.offset, 0);
    rig_wr32(file, &buffer, 0, 0x1234);
    assert_int_equal(rig_rd32(file, &buffer, 0), 0x1234);
    assert_int_equal(rig_close_handle(&rig, file, buffer.handle), 0);
    rig_close(&rig);
}

static void a_buffer_may_be_one_file_s_only(void **state) {
    (void)state;
    rig_open(&rig, gm200_like);
    struct drm_file *plain = rig_file(&rig, RENDER), *file = spaces_file(&rig);
    unsigned long number = NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new);
    struct drm_nouveau_gem_new request = {.info = {.domain = GART | UAPI_DOMAIN_NO_SHARE, .size = PAGE}};
    assert_int_equal(rig_ioctl(&rig, plain, number, &request), -EINVAL);
    assert_int_equal(rig_ioctl(&rig, file, number, &request), 0);
    assert_int_equal(request.info.domain, GART);
    struct drm_prime_handle prime = {.handle = request.info.handle};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), -EPERM);
    /* By its name it is to be had, but not by another space (nouveau_gem_object_open()). */
    struct drm_file *card = rig_file(&rig, DRM_NODE_CARD), *other = rig_file(&rig, DRM_NODE_CARD);
    struct drm_auth magic = {0};
    struct drm_gem_flink flink = {0};
    struct drm_gem_open open = {0};
    assert_int_equal(rig_ioctl(&rig, other, DRM_IOCTL_GET_MAGIC, &magic), 0);
    assert_int_equal(rig_ioctl(&rig, card, DRM_IOCTL_AUTH_MAGIC, &magic), 0);
    assert_int_equal(spaces_init(&rig, card, KERNEL_BEGIN, KERNEL_BEGIN), 0);
    request.info.domain = GART | UAPI_DOMAIN_NO_SHARE;
    assert_int_equal(rig_ioctl(&rig, card, number, &request), 0);
    flink.handle = request.info.handle;
    assert_int_equal(rig_ioctl(&rig, card, DRM_IOCTL_GEM_FLINK, &flink), 0);
    open.name = flink.name;
    assert_int_equal(rig_ioctl(&rig, card, DRM_IOCTL_GEM_OPEN, &open), 0);
    assert_int_equal(rig_ioctl(&rig, other, DRM_IOCTL_GEM_OPEN, &open), 0);
    assert_int_equal(rig_close_handle(&rig, other, open.handle), 0);
    assert_int_equal(spaces_init(&rig, other, KERNEL_BEGIN, KERNEL_BEGIN), 0);
    assert_int_equal(rig_ioctl(&rig, other, DRM_IOCTL_GEM_OPEN, &open), -EPERM);
    rig_close(&rig);
}

static void with_a_space_gem_pushbuf_is_refused(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    struct rig_channel channel = spaces_channel(&rig, file, AT);
    struct drm_nouveau_gem_pushbuf request = {.channel = channel.id};
    unsigned long number = NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf);
    assert_int_equal(rig_ioctl(&rig, file, number, &request), -ENOSYS);
    rig_close(&rig);
}

/* ---- MAP, UNMAP ---- */

static void what_is_mapped_is_in_the_page_tables(void **state) {
    (void)state;
    FOR_EACH_WITH_SPACES {
        struct drm_file *file = spaces_open(&rig, part);
        struct drm_nouveau_gem_info one = rig_buffer(&rig, file, rig_vram(&rig), PAGES(8));
        uint64_t offset = 1;
        assert_int_equal(spaces_map(&rig, file, one.handle, AT, PAGES(2), PAGES(4)), 0);
        assert_int_equal(spaces_at(file, AT + PAGES(3), &offset), spaces_id(file, one.handle));
        assert_int_equal(offset, PAGES(5));
        assert_int_equal(spaces_at(file, AT + PAGES(4), NULL), 0);
        assert_int_equal(spaces_unmap(&rig, file, AT, PAGES(4)), 0);
        assert_int_equal(spaces_at(file, AT, NULL), 0);
        rig_close(&rig);
    }
}

static void unmapping_splits_what_it_cuts(void **state) {
    (void)state;
    FOR_EACH_WITH_SPACES {
        struct drm_file *file = spaces_open(&rig, part);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGES(8));
        uint64_t id = spaces_id(file, buffer.handle), offset = 0;
        assert_int_equal(spaces_map(&rig, file, buffer.handle, AT, 0, PAGES(8)), 0);
        assert_int_equal(spaces_unmap(&rig, file, AT + PAGES(3), PAGES(2)), 0);
        for (unsigned page = 0; page < 8; page++) {
            assert_int_equal(spaces_at(file, AT + PAGES(page), &offset), page == 3 || page == 4 ? 0 : id);
            assert_true(page == 3 || page == 4 || offset == PAGES(page));
        }
        assert_int_equal(spaces_unmap(&rig, file, AT - PAGES(1), PAGES(100)), 0);
        for (unsigned page = 0; page < 8; page++)
            assert_int_equal(spaces_at(file, AT + PAGES(page), NULL), 0);
        rig_close(&rig);
    }
}

static void a_mapping_takes_the_place_of_what_was_there(void **state) {
    (void)state;
    FOR_EACH_WITH_SPACES {
        struct drm_file *file = spaces_open(&rig, part);
        struct drm_nouveau_gem_info one = rig_buffer(&rig, file, GART, PAGES(6)),
                                    two = rig_buffer(&rig, file, GART, PAGES(6));
        assert_int_equal(spaces_map(&rig, file, one.handle, AT, 0, PAGES(6)), 0);
        assert_int_equal(spaces_map(&rig, file, two.handle, AT + PAGES(2), 0, PAGES(2)), 0);
        for (unsigned page = 0; page < 6; page++)
            assert_int_equal(spaces_at(file, AT + PAGES(page), NULL),
                             spaces_id(file, page == 2 || page == 3 ? two.handle : one.handle));
        rig_close(&rig);
    }
}

static void memory_stays_while_it_is_mapped(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, VRAM, PAGES(2));
    assert_int_equal(spaces_map(&rig, file, buffer.handle, AT, 0, PAGES(2)), 0);
    assert_int_equal(rig_close_handle(&rig, file, buffer.handle), 0);
    assert_int_not_equal(rig.device->vram_used, 0);
    assert_int_not_equal(spaces_at(file, AT, NULL), 0);
    assert_int_equal(spaces_unmap(&rig, file, AT, PAGES(1)), 0);
    assert_int_not_equal(rig.device->vram_used, 0);
    assert_int_equal(spaces_unmap(&rig, file, AT, PAGES(2)), 0);
    assert_int_equal(rig.device->vram_used, 0);
    rig_close(&rig);
}

/* What the call itself says; what its job meets, nobody waits for. */
static int map_later(struct drm_file *file, uint32_t handle, uint64_t address, uint64_t offset, uint64_t bytes) {
    const struct uapi_bind_operation map = {
        .operation = MAP, .handle = handle, .address = address, .offset = offset, .bytes = bytes};
    return spaces_bind(&rig, file, &map, 1, ASYNC, NULL);
}

static int unmap_later(struct drm_file *file, uint64_t address, uint64_t bytes) {
    const struct uapi_bind_operation unmap = {.operation = UNMAP, .address = address, .bytes = bytes};
    return spaces_bind(&rig, file, &unmap, 1, ASYNC, NULL);
}

static void ranges_that_cannot_be_are_refused(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGES(4));
    const uint32_t handle = buffer.handle;
    assert_int_equal(map_later(file, handle, AT + 1, 0, PAGE), -EINVAL);
    assert_int_equal(map_later(file, handle, AT, 1, PAGE), -EINVAL);
    assert_int_equal(map_later(file, handle, AT, 0, PAGE + 1), -EINVAL);
    assert_int_equal(map_later(file, handle, AT, 0, 0), -EINVAL);
    assert_int_equal(map_later(file, handle, AT, PAGES(4), PAGE), -EINVAL);
    assert_int_equal(map_later(file, handle, AT, PAGES(1), PAGES(4)), -EINVAL);
    assert_int_equal(map_later(file, handle, KERNEL_BEGIN - PAGE, 0, PAGES(2)), -EINVAL);
    assert_int_equal(map_later(file, handle, KERNEL_END - PAGE, 0, PAGE), -EINVAL);
    assert_int_equal(map_later(file, handle, UINT64_MAX - PAGE + 1, 0, PAGE), -EINVAL);
    assert_int_equal(map_later(file, handle + 9, AT, 0, PAGE), -ENOENT);
    assert_int_equal(unmap_later(file, AT, 0), -EINVAL);
    assert_int_equal(unmap_later(file, KERNEL_BEGIN, PAGE), -EINVAL);
    assert_int_equal(map_later(file, handle, KERNEL_BEGIN - PAGE, 0, PAGE), 0);
    struct uapi_bind_operation unknown = {.operation = 2, .handle = handle, .address = AT, .bytes = PAGE};
    assert_int_equal(spaces_bind(&rig, file, &unknown, 1, 0, NULL), -EINVAL);
    rig_close(&rig);
}

/* As images that are read in more than one way: 00 is by lines, the others are blocks. */
static void a_buffer_has_another_page_type_at_each_address(void **state) {
    (void)state;
    FOR_EACH_WITH_SPACES {
        struct drm_file *file = spaces_open(&rig, part);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, rig_vram(&rig), PAGES(4));
        static const uint8_t types[] = {0x00, 0xfe, 0x7b};
        struct pfifo_vm_map map;
        for (unsigned i = 0; i < COUNT_OF(types); i++) {
            const struct uapi_bind_operation bind = {.operation = MAP,
                                                     .flags = types[i],
                                                     .handle = buffer.handle,
                                                     .address = AT + PAGES(8) * i,
                                                     .bytes = PAGES(4)};
            assert_int_equal(spaces_bind(&rig, file, &bind, 1, 0, NULL), 0);
        }
        for (unsigned i = 0; i < COUNT_OF(types); i++) {
            assert_true(pfifo_vm_at(file->vm, AT + PAGES(8) * i, &map));
            assert_int_equal(map.kind, types[i]);
            assert_int_equal(spaces_at(file, AT + PAGES(8) * i, NULL), spaces_id(file, buffer.handle));
        }
        rig_close(&rig);
    }
}

/* The call succeeds: the job finds it out, and nobody is told (nouveau_uvmm.c, op_map()). What was there has gone. */
static void a_type_that_has_no_pages_maps_nothing(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, VRAM, PAGES(4));
    const uint32_t types[] = {0xdb, 0xff}; /* one that compresses, and none */
    for (unsigned i = 0; i < COUNT_OF(types); i++) {
        const struct uapi_bind_operation bind = {
            .operation = MAP, .flags = types[i], .handle = buffer.handle, .address = AT + PAGES(1), .bytes = PAGES(2)};
        assert_int_equal(spaces_map(&rig, file, buffer.handle, AT, 0, PAGES(4)), 0);
        assert_int_equal(spaces_bind(&rig, file, &bind, 1, i ? ASYNC : 0, NULL), 0);
        for (unsigned page = 0; page < 4; page++)
            assert_int_equal(spaces_at(file, AT + PAGES(page), NULL) != 0, page == 0 || page == 3);
        assert_true(rig_logged(&rig, i ? "no pages of type ff" : "no pages of type db"));
    }
    rig_close(&rig);
}

/* drm_gpuvm_range_valid(): the space of a program begins at 0. */
static void page_0_is_the_program_s_like_any_other(void **state) {
    (void)state;
    FOR_EACH_WITH_SPACES {
        struct drm_file *file = spaces_open(&rig, part);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGES(2));
        assert_int_equal(spaces_unmap(&rig, file, 0, PAGES(4)), 0);
        assert_int_equal(spaces_map(&rig, file, buffer.handle, 0, 0, PAGES(2)), 0);
        assert_int_equal(spaces_at(file, 0, NULL), spaces_id(file, buffer.handle));
        struct rig_channel channel = spaces_channel(&rig, file, AT);
        struct words words = {.part = part};
        channel.semaphore = buffer;
        channel.semaphore.offset = 0;
        words_release(&words, &channel, 0x55);
        assert_int_equal(spaces_run(&rig, &channel, &words, AT + PAGES(8), NULL), 0);
        assert_int_equal(rig_released(&channel), 0x55);
        assert_int_equal(spaces_unmap(&rig, file, 0, PAGES(1)), 0);
        assert_int_equal(spaces_at(file, 0, NULL), 0);
        rig_close(&rig);
    }
}

static void all_operations_are_done_or_none(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGES(4));
    struct uapi_bind_operation list[] = {
        {.operation = MAP, .handle = buffer.handle, .address = AT, .bytes = PAGES(4)},
        {.operation = UNMAP, .flags = SPARSE, .address = AT + PAGES(16), .bytes = PAGES(4)}};
    assert_int_equal(spaces_bind(&rig, file, list, 2, 0, NULL), -ENOENT);
    assert_int_equal(spaces_at(file, AT, NULL), 0);
    list[1].operation = MAP;
    assert_int_equal(spaces_bind(&rig, file, list, 2, 0, NULL), 0);
    assert_int_not_equal(spaces_at(file, AT, NULL), 0);
    rig_close(&rig);
}

/* ---- sparse ---- */

static void sparse_regions_take_mappings_and_come_back(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGES(4));
    assert_int_equal(spaces_sparse(&rig, file, MAP, AT, PAGES(16)), 0);
    assert_int_equal(spaces_map(&rig, file, buffer.handle, AT + PAGES(2), 0, PAGES(4)), 0);
    assert_int_equal(spaces_unmap(&rig, file, AT + PAGES(2), PAGES(2)), 0);
    assert_int_equal(spaces_at(file, AT + PAGES(2), NULL), 0);
    assert_int_not_equal(spaces_at(file, AT + PAGES(4), NULL), 0);
    assert_int_equal(spaces_sparse(&rig, file, UNMAP, AT, PAGES(16)), 0);
    assert_int_equal(spaces_at(file, AT + PAGES(4), NULL), 0);
    assert_int_equal(spaces_sparse(&rig, file, UNMAP, AT, PAGES(16)), -ENOENT);
    assert_int_equal(spaces_sparse(&rig, file, MAP, AT, PAGES(16)), 0);
    rig_close(&rig);
}

static void a_mapping_is_in_a_region_or_outside(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGES(4));
    assert_int_equal(spaces_sparse(&rig, file, MAP, AT, PAGES(16)), 0);
    assert_int_equal(spaces_map(&rig, file, buffer.handle, AT + PAGES(14), 0, PAGES(4)), -ENOSPC);
    assert_int_equal(spaces_map(&rig, file, buffer.handle, AT - PAGES(1), 0, PAGES(4)), -ENOSPC);
    assert_int_equal(spaces_map(&rig, file, buffer.handle, AT + PAGES(12), 0, PAGES(4)), 0);
    assert_int_equal(spaces_map(&rig, file, buffer.handle, AT + PAGES(16), 0, PAGES(4)), 0);
    assert_int_equal(spaces_sparse(&rig, file, MAP, AT + PAGES(8), PAGES(16)), -ENOSPC);
    assert_int_equal(spaces_sparse(&rig, file, MAP, AT + PAGES(16), PAGES(16)), -ENOSPC);
    rig_close(&rig);
}

/* nouveau_uvma_region_find() */
static void a_region_is_unmapped_as_it_was_mapped(void **state) {
    (void)state;
    static const struct {
        int64_t from, pages;
    } wrong[] = {{0, 8}, {8, 8}, {0, 17}, {-1, 17}, {-1, 18}, {1, 15}, {16, 16}, {-16, 16}};
    struct drm_file *file = spaces_open(&rig, gm200_like);
    assert_int_equal(spaces_sparse(&rig, file, MAP, AT, PAGES(16)), 0);
    for (unsigned i = 0; i < COUNT_OF(wrong); i++)
        assert_int_equal(spaces_sparse(&rig, file, UNMAP, AT + PAGES(wrong[i].from), PAGES(wrong[i].pages)), -ENOENT);
    assert_int_equal(spaces_unmap(&rig, file, AT - PAGES(1), PAGES(18)), 0); /* memory only */
    assert_int_equal(spaces_sparse(&rig, file, UNMAP, AT, PAGES(16)), 0);
    assert_int_equal(spaces_sparse(&rig, file, UNMAP, AT, PAGES(16)), -ENOENT);
    rig_close(&rig);
}

static void what_is_left_of_a_mapping_is_in_the_way_of_a_region(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGES(8));
    assert_int_equal(spaces_map(&rig, file, buffer.handle, AT, 0, PAGES(8)), 0);
    assert_int_equal(spaces_unmap(&rig, file, AT + PAGES(3), PAGES(2)), 0);
    assert_int_equal(spaces_sparse(&rig, file, MAP, AT + PAGES(2), PAGES(2)), -ENOSPC);
    assert_int_equal(spaces_sparse(&rig, file, MAP, AT + PAGES(4), PAGES(2)), -ENOSPC);
    assert_int_equal(spaces_sparse(&rig, file, MAP, AT + PAGES(7), PAGES(2)), -ENOSPC);
    assert_int_equal(spaces_sparse(&rig, file, MAP, AT + PAGES(3), PAGES(2)), 0);
    rig_close(&rig);
}

static const struct uapi_bind_operation region = {.operation = MAP, .flags = SPARSE, .address = AT, .bytes = PAGES(4)},
                                        gone = {.operation = UNMAP, .flags = SPARSE, .address = AT, .bytes = PAGES(4)};

/* bind_validate_map_common() and what follows it. */
static void in_one_job_a_region_does_not_come_again(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    const struct uapi_bind_operation twice[] = {region, region}, again[] = {gone, region};
    assert_int_equal(spaces_bind(&rig, file, twice, 2, 0, NULL), -EEXIST);
    assert_int_equal(spaces_bind(&rig, file, &region, 1, 0, NULL), 0);
    assert_int_equal(spaces_bind(&rig, file, again, 2, 0, NULL), -ENOSPC);
    assert_int_equal(spaces_bind(&rig, file, &gone, 1, 0, NULL), 0);
    assert_int_equal(spaces_bind(&rig, file, &region, 1, 0, NULL), 0);
    rig_close(&rig);
}

static void a_region_that_is_taken_away_takes_no_mapping(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    uint32_t handle = rig_buffer(&rig, file, GART, PAGES(4)).handle;
    const struct uapi_bind_operation map = {.operation = MAP, .handle = handle, .address = AT, .bytes = PAGE},
                                     into[] = {gone, map};
    assert_int_equal(spaces_bind(&rig, file, &region, 1, 0, NULL), 0);
    assert_int_equal(spaces_bind(&rig, file, into, 2, 0, NULL), -EINVAL);
    assert_int_equal(spaces_bind(&rig, file, into, 2, ASYNC, NULL), -EINVAL);
    assert_int_equal(spaces_bind(&rig, file, &gone, 1, 0, NULL), 0);
    assert_int_equal(spaces_bind(&rig, file, &map, 1, 0, NULL), 0);
    assert_int_equal(spaces_at(file, AT, NULL), spaces_id(file, handle));
    rig_close(&rig);
}

static void sparse_pages_came_with_gm200(void **state) {
    (void)state;
    FOR_EACH_WITH_SPACES {
        struct drm_file *file = spaces_open(&rig, part);
        bool has = part->chipset >= 0x120;
        const struct uapi_bind_operation sparse = {.operation = MAP, .flags = SPARSE, .address = AT, .bytes = PAGES(4)};
        assert_int_equal(spaces_bind(&rig, file, &sparse, 1, ASYNC, NULL), has ? 0 : -EINVAL);
        rig_close(&rig);
    }
}

/* ---- jobs ---- */

static void a_job_that_is_waited_for_has_no_syncs(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
    const struct uapi_bind_operation map = {.operation = MAP, .handle = buffer.handle, .address = AT, .bytes = PAGE};
    const struct uapi_sync sync = {.handle = sync_new(&rig, file, DRM_SYNCOBJ_CREATE_SIGNALED)};
    const struct syncs waits = {.wait_count = 1, .waits = {sync}}, signals = {.signal_count = 1, .signals = {sync}};
    assert_int_equal(spaces_bind(&rig, file, &map, 1, 0, &waits), -EINVAL);
    assert_int_equal(spaces_bind(&rig, file, &map, 1, 0, &signals), -EINVAL);
    assert_int_equal(spaces_bind(&rig, file, &map, 1, ASYNC, &waits), 0);
    assert_int_not_equal(spaces_at(file, AT, NULL), 0);
    rig_close(&rig);
}

/* nouveau_uvmm_vm_bind_ucopy() comes before all that looks at them. */
static void lists_are_read_before_they_are_looked_at(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    const unsigned long number = NOUVEAU(UAPI_VM_BIND, struct uapi_vm_bind);
    const struct uapi_bind_operation bad[] = {{.operation = 7, .address = AT, .bytes = PAGE},
                                              {.operation = MAP, .handle = 99, .address = AT, .bytes = PAGE}};
    const struct uapi_sync unknown = {.handle = 99};
    struct uapi_vm_bind request = {
        .operation_count = 2, .operations = NOT_MAPPED, .wait_count = 1, .waits = NOT_MAPPED};
    assert_int_equal(rig_ioctl(&rig, file, number, &request), -EFAULT);
    request.operations = rig_put(&rig, bad, sizeof bad);
    assert_int_equal(rig_ioctl(&rig, file, number, &request), -EFAULT);
    request.waits = rig_put(&rig, &unknown, sizeof unknown);
    assert_int_equal(rig_ioctl(&rig, file, number, &request), -EINVAL);
    request.flags = ASYNC;
    assert_int_equal(rig_ioctl(&rig, file, number, &request), -ENOENT);
    rig_close(&rig);
}

/* An operation that there is not is found when the space is changed, after handles and ranges of all. */
static void an_unknown_operation_is_found_last(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    uint32_t handle = rig_buffer(&rig, file, GART, PAGE).handle;
    struct uapi_bind_operation list[] = {{.operation = 7, .address = AT, .bytes = PAGE},
                                         {.operation = MAP, .handle = 99, .address = AT, .bytes = PAGE}};
    assert_int_equal(spaces_bind(&rig, file, list, 2, 0, NULL), -ENOENT);
    list[1].handle = handle;
    assert_int_equal(spaces_bind(&rig, file, list, 2, 0, NULL), -EINVAL);
    assert_int_equal(spaces_at(file, AT, NULL), 0);
    rig_close(&rig);
}

/* A channel that waits for its semaphore, and a sync object that says when it is done. */
static uint32_t wait_in_machine(struct drm_file *file, struct rig_channel *channel) {
    struct words words = {.part = rig.part};
    uint32_t done = sync_new(&rig, file, 0);
    const struct syncs syncs = {.signal_count = 1, .signals = {{.handle = done}}};
    *channel = spaces_channel(&rig, file, AT);
    words_acquire(&words, channel, 1);
    assert_int_equal(spaces_run(&rig, channel, &words, AT + PAGES(8), &syncs), 0);
    return done;
}

static void jobs_of_a_space_are_done_in_their_order(void **state) {
    (void)state;
    FOR_EACH_WITH_SPACES {
        struct drm_file *file = spaces_open(&rig, part);
        struct rig_channel channel;
        struct drm_nouveau_gem_info one = rig_buffer(&rig, file, GART, PAGE), two = rig_buffer(&rig, file, GART, PAGE);
        uint32_t done = wait_in_machine(file, &channel), mapped = sync_new(&rig, file, 0);
        struct uapi_bind_operation map = {
            .operation = MAP, .handle = one.handle, .address = AT + PAGES(16), .bytes = PAGE};
        struct syncs syncs = {.wait_count = 1,
                              .waits = {{.handle = done}},
                              .signal_count = 1,
                              .signals = {{.handle = mapped, .flags = UAPI_SYNC_TIMELINE, .point = 3}}};
        assert_int_equal(spaces_bind(&rig, file, &map, 1, ASYNC, &syncs), 0);
        map.handle = two.handle;
        assert_int_equal(spaces_bind(&rig, file, &map, 1, ASYNC, NULL), 0);
        assert_int_equal(spaces_at(file, AT + PAGES(16), NULL), 0);
        assert_int_equal(sync_ask(&rig, file, mapped, 3), -ETIME);
        assert_int_equal(sync_query(&rig, file, mapped, 0), 0);
        assert_int_equal(sync_query(&rig, file, mapped, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), 3);
        rig_let_go(&channel);
        assert_int_equal(sync_wait(&rig, file, &mapped, NULL, 1, 0, 5 * SECONDS, NULL), 0);
        assert_int_equal(sync_query(&rig, file, mapped, 0), 3);
        assert_int_equal(spaces_at(file, AT + PAGES(16), NULL), spaces_id(file, two.handle));
        rig_close(&rig);
    }
}

static void a_job_that_waits_holds_up_no_other_file(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like), *other = spaces_file(&rig);
    struct rig_channel channel;
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, other, GART, PAGE);
    struct syncs syncs = {.wait_count = 1, .waits = {{.handle = wait_in_machine(file, &channel)}}};
    const struct uapi_bind_operation unmap = {.operation = UNMAP, .address = AT + PAGES(16), .bytes = PAGE};
    assert_int_equal(spaces_bind(&rig, file, &unmap, 1, ASYNC, &syncs), 0);
    assert_int_equal(spaces_map(&rig, other, buffer.handle, AT, 0, PAGE), 0);
    assert_int_not_equal(spaces_at(other, AT, NULL), 0);
    assert_int_equal(rig.waits, 0);
    drm_file_close(file);
    rig_close(&rig);
}

static void what_others_wait_for_ends_with_the_file(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    struct rig_channel channel;
    uint32_t done = wait_in_machine(file, &channel);
    struct syncs syncs = {.wait_count = 1, .waits = {{.handle = done}}};
    const struct uapi_bind_operation unmap = {.operation = UNMAP, .address = AT + PAGES(16), .bytes = PAGE};
    assert_int_equal(spaces_bind(&rig, file, &unmap, 1, ASYNC, &syncs), 0);
    assert_int_equal(rig_channel_free(&rig, file, channel.id), 0);
    assert_int_equal(sync_ask(&rig, file, done, 0), 0);
    rig_close(&rig);
}

static void zcull_is_asked_for_in_vain(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm200_like);
    struct uapi_zcull_info info = {0};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOR(0x53, struct uapi_zcull_info), &info), -ENOTTY);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_space_is_made_before_channels_and_buffers),
        cmocka_unit_test(a_kernel_s_part_outside_of_the_space_is_refused),
        cmocka_unit_test(a_file_with_buffers_of_others_may_have_a_space),
        cmocka_unit_test(chips_before_fermi_have_no_spaces),
        cmocka_unit_test(what_the_kernel_maps_is_in_its_part),
        cmocka_unit_test(a_channel_has_no_room_outside_of_the_kernel_s_part),
        cmocka_unit_test(a_new_buffer_has_no_address),
        cmocka_unit_test(a_buffer_may_be_one_file_s_only),
        cmocka_unit_test(with_a_space_gem_pushbuf_is_refused),
        cmocka_unit_test(what_is_mapped_is_in_the_page_tables),
        cmocka_unit_test(unmapping_splits_what_it_cuts),
        cmocka_unit_test(a_mapping_takes_the_place_of_what_was_there),
        cmocka_unit_test(memory_stays_while_it_is_mapped),
        cmocka_unit_test(ranges_that_cannot_be_are_refused),
        cmocka_unit_test(a_buffer_has_another_page_type_at_each_address),
        cmocka_unit_test(a_type_that_has_no_pages_maps_nothing),
        cmocka_unit_test(page_0_is_the_program_s_like_any_other),
        cmocka_unit_test(all_operations_are_done_or_none),
        cmocka_unit_test(sparse_regions_take_mappings_and_come_back),
        cmocka_unit_test(a_mapping_is_in_a_region_or_outside),
        cmocka_unit_test(a_region_is_unmapped_as_it_was_mapped),
        cmocka_unit_test(what_is_left_of_a_mapping_is_in_the_way_of_a_region),
        cmocka_unit_test(in_one_job_a_region_does_not_come_again),
        cmocka_unit_test(a_region_that_is_taken_away_takes_no_mapping),
        cmocka_unit_test(sparse_pages_came_with_gm200),
        cmocka_unit_test(a_job_that_is_waited_for_has_no_syncs),
        cmocka_unit_test(lists_are_read_before_they_are_looked_at),
        cmocka_unit_test(an_unknown_operation_is_found_last),
        cmocka_unit_test(jobs_of_a_space_are_done_in_their_order),
        cmocka_unit_test(a_job_that_waits_holds_up_no_other_file),
        cmocka_unit_test(what_others_wait_for_ends_with_the_file),
        cmocka_unit_test(zcull_is_asked_for_in_vain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
