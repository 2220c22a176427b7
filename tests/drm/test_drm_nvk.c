/* SPDX-License-Identifier: MIT */
/*
 * Mesa's Vulkan driver NVK at the node: the calls that it makes to find a device, by the numbers and sizes that it has
 * compiled in, and what it does with one. Mesa src/nouveau/{winsys,vulkan}. Which test holds which of its rules is in
 * tests/vulkan/nvk.rules.
 */
#include "drm/spaces.h"

#include <nouveau/nvif/cl0080.h>
#include <nouveau/nvif/ioctl.h>

static struct rig rig; /* too large for a stack with a sanitizer */

#define AT           (UINT64_C(1) << 37)
#define CODE         (AT + 64 * PAGE)
#define HEAP_END     (UINT64_C(1) << 38) /* addresses are given downwards from here, */
#define REPLAY_END   (UINT64_C(1) << 39) /* and those that are captured and replayed from here */
#define MOST_CLASSES 16u
#define DEVICE_NAME  0x1234u /* that the program calls an object by */

#define FOR_EACH_OF_NVK FOR_EACH_PART if (part->runlists)

static const struct part *const gm107 = &parts[7];

/* ---- finding a device ---- */

/* A request of nouveau as it is on the wire. */
static unsigned long request_of(unsigned direction, unsigned number, size_t bytes) {
    return _IOC(direction, 'd', number, bytes);
}

static uint64_t getparam(struct drm_file *file, uint64_t number) {
    uint64_t request[2] = {number, 0};
    assert_int_equal(rig_ioctl(&rig, file, request_of(_IOC_READ | _IOC_WRITE, 0x40, sizeof request), request), 0);
    return request[1];
}

static int nvif(struct drm_file *file, void *call, size_t bytes) {
    return rig_ioctl(&rig, file, request_of(_IOC_READ | _IOC_WRITE, 0x47, bytes), call);
}

static int vm_init(struct drm_file *file) {
    uint64_t kernel[2] = {REPLAY_END, (UINT64_C(1) << 40) - REPLAY_END};
    return rig_ioctl(&rig, file, request_of(_IOC_READ | _IOC_WRITE, 0x50, sizeof kernel), kernel);
}

static void ask_for_the_device(struct drm_file *file) {
    struct {
        struct nvif_ioctl_v0 header;
        struct nvif_ioctl_new_v0 new;
        struct nv_device_v0 device;
    } make = {.header = {.type = NVIF_IOCTL_V0_NEW, .owner = NVIF_IOCTL_V0_OWNER_ANY},
              .new = {.object = DEVICE_NAME, .oclass = 0x80},
              .device = {.device = UINT64_MAX}};
    struct {
        struct nvif_ioctl_v0 header;
        struct nvif_ioctl_mthd_v0 method;
        struct nv_device_info_v0 info;
    } ask = {.header = {.object = DEVICE_NAME, .type = NVIF_IOCTL_V0_MTHD, .owner = NVIF_IOCTL_V0_OWNER_ANY},
             .method = {.method = NV_DEVICE_V0_INFO}};
    assert_int_equal(sizeof make, 72);
    assert_int_equal(sizeof ask, 136);
    assert_int_equal(nvif(file, &make, sizeof make), 0);
    assert_int_equal(nvif(file, &ask, sizeof ask), 0);
    assert_int_equal(ask.info.chipset, rig.part->chipset);
    assert_int_equal(ask.info.platform == NV_DEVICE_INFO_V0_SOC, !rig.part->vram);
}

static void ask_for_parameters(struct drm_file *file) {
    assert_int_equal(getparam(file, 17), 510);                /* EXEC_PUSH_MAX */
    assert_int_equal(getparam(file, 18) > 0, 1);              /* VRAM_BAR_SIZE */
    assert_int_not_equal(getparam(file, 13) & 0xff, 0);       /* GRAPH_UNITS: GPCs, */
    assert_int_not_equal(getparam(file, 13) >> 8 & 0xff, 0);  /* TPCs */
    assert_int_equal(getparam(file, 19) > 0, rig.part->vram); /* VRAM_USED: Mesa takes 0 for "not there" */
    assert_int_equal(getparam(file, 20), 1);                  /* HAS_VMA_TILEMODE */
    uint64_t time = getparam(file, 14);                       /* PTIMER_TIME */
    assert_true(getparam(file, 14) >= time);
}

struct classes {
    struct nvif_ioctl_v0 header;
    struct nvif_ioctl_sclass_v0 list;
    struct nvif_ioctl_sclass_oclass_v0 entry[MOST_CLASSES];
};

static struct classes list_classes(struct drm_file *file, uint32_t channel) {
    struct classes classes = {.header = {.type = NVIF_IOCTL_V0_SCLASS,
                                         .owner = NVIF_IOCTL_V0_OWNER_ANY,
                                         .route = NVIF_IOCTL_V0_ROUTE_HIDDEN,
                                         .token = channel},
                              .list = {.count = MOST_CLASSES}};
    assert_int_equal(nvif(file, &classes, sizeof classes), 0);
    assert_true(classes.list.count <= MOST_CLASSES); /* Mesa asserts that */
    return classes;
}

/* The highest that ends like this, 0: none. */
static int32_t class_of(const struct classes *classes, int32_t end) {
    int32_t highest = 0;
    for (unsigned i = 0; i < classes->list.count; i++)
        if ((classes->entry[i].oclass & 0xff) == end && classes->entry[i].oclass > highest)
            highest = classes->entry[i].oclass;
    return highest;
}

static int new_object(struct drm_file *file, uint32_t channel, uint64_t name, uint32_t handle, int32_t oclass) {
    struct {
        struct nvif_ioctl_v0 header;
        struct nvif_ioctl_new_v0 new;
    } make = {
        .header = {.type = NVIF_IOCTL_V0_NEW,
                   .owner = NVIF_IOCTL_V0_OWNER_ANY,
                   .route = NVIF_IOCTL_V0_ROUTE_HIDDEN,
                   .token = channel},
        .new = {
            .route = NVIF_IOCTL_V0_ROUTE_NVIF, .token = channel, .object = name, .handle = handle, .oclass = oclass}};
    assert_int_equal(sizeof make, 56);
    return nvif(file, &make, sizeof make);
}

static int delete_object(struct drm_file *file, uint64_t name) {
    struct nvif_ioctl_v0 header = {.type = NVIF_IOCTL_V0_DEL, .owner = NVIF_IOCTL_V0_OWNER_ANY, .object = name};
    return nvif(file, &header, sizeof header);
}

/* The copy class, 2D, 3D, memory to memory, compute; the first has the handle 0. */
static const struct {
    uint8_t end;
    uint32_t handle;
} wanted[] = {{0xb5, 0}, {0x2d, 0xbeef902d}, {0x97, 0xbeef9097}, {0x40, 0xbeef323f}, {0xc0, 0xbeef90c0}};

static uint32_t open_channel(struct drm_file *file) {
    struct drm_nouveau_channel_alloc alloc = {0};
    assert_int_equal(sizeof alloc, 88);
    assert_int_equal(rig_ioctl(&rig, file, request_of(_IOC_READ | _IOC_WRITE, 0x42, sizeof alloc), &alloc), 0);
    return (uint32_t)alloc.channel;
}

static void make_objects(struct drm_file *file, uint32_t channel) {
    const struct classes classes = list_classes(file, channel);
    for (unsigned i = 0; i < COUNT_OF(wanted); i++) {
        int32_t oclass = class_of(&classes, wanted[i].end);
        if (!oclass)
            fail_msg("%s: no class %02x", rig.part->chip, wanted[i].end);
        assert_int_equal(new_object(file, channel, 0x100 + i, wanted[i].handle, oclass), 0);
    }
}

static void try_a_channel(struct drm_file *file) {
    uint32_t channel = open_channel(file);
    make_objects(file, channel);
    for (unsigned i = 0; i < COUNT_OF(wanted); i++)
        assert_int_equal(delete_object(file, 0x100 + i), 0);
    assert_int_equal(rig_channel_free(&rig, file, channel), 0);
}

static void try_sync_objects(struct drm_file *file) {
    struct drm_get_cap timeline = {.capability = 0x14};
    uint32_t object = sync_new(&rig, file, DRM_SYNCOBJ_CREATE_SIGNALED);
    assert_int_equal(sync_wait(&rig, file, &object, NULL, 1, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL, 0, NULL), 0);
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_GET_CAP, &timeline), 0);
    assert_int_equal(timeline.value, 1);
    assert_int_equal(sync_destroy(&rig, file, object), 0);
}

static void find_device(struct drm_file *file) {
    uint8_t zcull[48] = {0};
    assert_int_equal(vm_init(file), 0);
    ask_for_the_device(file);
    assert_int_equal(rig_ioctl(&rig, file, request_of(_IOC_READ, 0x53, sizeof zcull), zcull), -ENOTTY);
    ask_for_parameters(file);
    try_a_channel(file);
    try_sync_objects(file);
}

static void nvk_finds_a_device_by_these_calls(void **state) {
    (void)state;
    FOR_EACH_OF_NVK {
        rig_open(&rig, part);
        find_device(rig_file(&rig, RENDER));
        rig_close(&rig);
    }
}

/* Once for the physical device, and once for each device of the program: neither is in the way of the other. */
static void each_opening_of_the_node_goes_through_all_of_it(void **state) {
    (void)state;
    FOR_EACH_OF_NVK {
        rig_open(&rig, part);
        struct drm_file *first = rig_file(&rig, RENDER), *second = rig_file(&rig, RENDER);
        find_device(first);
        find_device(second);
        drm_file_close(first);
        try_a_channel(second);
        rig_close(&rig);
    }
}

static void the_version_is_nouveau_s_with_the_new_calls(void **state) {
    (void)state;
    char name[16] = {0};
    rig_open(&rig, gm107);
    struct drm_version version = {.name_len = sizeof name, .name = (char *)(uintptr_t)rig_put(&rig, name, sizeof name)};
    struct drm_file *file = rig_file(&rig, RENDER);
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_VERSION, &version), 0);
    rig_get(&rig, (uintptr_t)version.name, name, sizeof name);
    assert_string_equal(name, "nouveau");
    assert_true(version.version_major == 1 &&
                (version.version_minor > 3 || (version.version_minor == 3 && version.version_patchlevel >= 1)));
    rig_close(&rig);
}

/* ---- before VM_INIT, and after a fault ---- */

static void without_vm_init_binds_and_jobs_are_refused(void **state) {
    (void)state;
    FOR_EACH_OF_NVK {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        assert_int_equal(spaces_map(&rig, file, channel.semaphore.handle, AT, 0, PAGE), -ENOSYS);
        assert_int_equal(spaces_unmap(&rig, file, AT, PAGE), -ENOSYS);
        assert_int_equal(spaces_exec(&rig, file, channel.id, NULL, 0, NULL), -ENOSYS);
        assert_int_equal(spaces_exec(&rig, file, channel.id + 1, NULL, 0, NULL), -ENOSYS);
        rig_close(&rig);
    }
}

static int empty_pushbuf(struct drm_file *file, uint32_t channel) {
    struct drm_nouveau_gem_pushbuf request = {.channel = channel};
    return rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf), &request);
}

/* As Mesa asks for the health of a context. With a space of its own there is no answer (nouveau_gem.c). */
static void a_pushbuf_of_nothing_asks_whether_the_channel_lives(void **state) {
    (void)state;
    FOR_EACH_OF_NVK {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct words words = {.part = part};
        channel.semaphore.offset = 0x5000;
        assert_int_equal(empty_pushbuf(file, channel.id), 0);
        assert_int_equal(empty_pushbuf(file, channel.id + 1), -ENOENT);
        words_release(&words, &channel, 1);
        assert_int_equal(rig_run(&rig, &channel, &words, NULL), 0);
        assert_true(rig_logged(&rig, "MMU"));
        assert_int_equal(empty_pushbuf(file, channel.id), -ENODEV);
        assert_int_equal(vm_init(file), -ENOSYS);
        rig_close(&rig);
        file = spaces_open(&rig, part);
        channel = spaces_channel(&rig, file, AT);
        assert_int_equal(empty_pushbuf(file, channel.id), -ENOSYS);
        rig_close(&rig);
    }
}

/* ---- memory ---- */

static void a_buffer_has_the_type_of_its_pages_and_a_domain(void **state) {
    static const struct {
        uint32_t domain, told, kind;
    } cases[] = {{2, 2, 0}, {2, 2, 0xfe}, {4, 4, 0}, {4 | 8, 4, 0}, {4 | 0x20, 4, 0}, {2 | 8 | 0x20, 2, 0x7b}};
    (void)state;
    FOR_EACH_OF_NVK {
        struct drm_file *file = spaces_open(&rig, part);
        for (unsigned i = 0; i < COUNT_OF(cases); i++) {
            struct drm_nouveau_gem_new request = {
                .info = {.domain = cases[i].domain, .size = 3 * PAGE, .tile_flags = cases[i].kind << 8}, .align = PAGE};
            assert_int_equal(sizeof request, 48);
            assert_int_equal(rig_ioctl(&rig, file, request_of(_IOC_READ | _IOC_WRITE, 0x80, sizeof request), &request),
                             0);
            assert_int_equal(request.info.domain, part->vram ? cases[i].told : GART);
            assert_int_equal(request.info.tile_flags, cases[i].kind << 8);
            assert_int_equal(request.info.size, 3 * PAGE);
            assert_int_not_equal(request.info.map_handle, 0);
        }
        rig_close(&rig);
    }
}

static void memory_is_mapped_down_from_the_heaps_ends(void **state) {
    (void)state;
    FOR_EACH_OF_NVK {
        struct drm_file *file = spaces_open(&rig, part);
        uint32_t handle = rig_buffer(&rig, file, rig_vram(&rig), 4 * PAGE).handle;
        const uint64_t id = spaces_id(file, handle);
        for (unsigned i = 1; i < 4; i++) {
            uint64_t offset = 1;
            assert_int_equal(spaces_map(&rig, file, handle, HEAP_END - PAGE * i, PAGE * i, PAGE), 0);
            assert_int_equal(spaces_map(&rig, file, handle, REPLAY_END - PAGE * i, PAGE * i, PAGE), 0);
            assert_int_equal(spaces_at(file, HEAP_END - PAGE * i, &offset), id);
            assert_int_equal(offset, PAGE * i);
            assert_int_equal(spaces_at(file, REPLAY_END - PAGE * i, NULL), id);
        }
        assert_int_equal(spaces_map(&rig, file, handle, REPLAY_END, 0, PAGE), -EINVAL);
        assert_int_equal(spaces_at(file, HEAP_END, NULL), 0);
        rig_close(&rig);
    }
}

/* A queue that binds sparse memory: jobs in order, by points of timelines before and after. */
static void a_sparse_queue_waits_and_signals(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, &parts[9]);
    uint32_t handle = rig_buffer(&rig, file, GART, PAGE).handle, before = sync_new(&rig, file, 0),
             after = sync_new(&rig, file, 0);
    const struct uapi_bind_operation list[] = {
        {.operation = UAPI_BIND_MAP, .flags = SPARSE, .address = AT, .bytes = 8 * PAGE},
        {.operation = UAPI_BIND_MAP, .handle = handle, .address = AT + 2 * PAGE, .bytes = PAGE}};
    const struct syncs syncs = {.wait_count = 1,
                                .waits = {{UAPI_SYNC_TIMELINE, before, 3}},
                                .signal_count = 2,
                                .signals = {{UAPI_SYNC_TIMELINE, after, 8}, {0, before, 0}}};
    assert_int_equal(spaces_bind(&rig, file, list, 2, ASYNC, &syncs), -EINVAL); /* nobody has promised point 3 */
    assert_int_equal(sync_signal_point(&rig, file, before, 4), 0);
    assert_int_equal(spaces_bind(&rig, file, list, 2, ASYNC, &syncs), 0);
    assert_int_equal(sync_ask(&rig, file, after, 8), 0);
    assert_int_equal(sync_query(&rig, file, after, 0), 8);
    assert_int_equal(sync_ask(&rig, file, before, 0), 0);
    assert_int_equal(sync_query(&rig, file, before, 0), 0); /* it is a binary one now */
    assert_int_equal(spaces_at(file, AT + 2 * PAGE, NULL), spaces_id(file, handle));
    rig_close(&rig);
}

/* ---- the channel ---- */

/* SET_OBJECT of what the class list has, on NVK's subchannels, and a report by the 3D engine that all is done. */
static void subchannels_take_the_classes_of_the_list(void **state) {
    static const uint8_t ends[] = {[0] = 0x97, [1] = 0xc0, [2] = 0x40, [3] = 0x2d, [4] = 0xb5};
    (void)state;
    FOR_EACH_OF_NVK {
        struct drm_file *file = spaces_open(&rig, part);
        struct rig_channel channel = {
            .file = file, .id = open_channel(file), .semaphore = rig_buffer(&rig, file, GART, PAGE)};
        const struct classes classes = list_classes(file, channel.id);
        struct words words = {.part = part};
        make_objects(file, channel.id);
        assert_int_equal(spaces_map(&rig, file, channel.semaphore.handle, AT, 0, PAGE), 0);
        for (uint32_t subchannel = 0; subchannel < COUNT_OF(ends); subchannel++)
            words_method(&words, subchannel, 0, (uint32_t)class_of(&classes, ends[subchannel]));
        words_method(&words, 0, 0x50, 1); /* SET_REFERENCE */
        words_header(&words, 0, 0x1b00, 4);
        words_add(&words, (uint32_t)(AT >> 32));
        words_add(&words, (uint32_t)AT);
        words_add(&words, 0x77);
        words_add(&words, 0x1000f010); /* release one word, after all of the pipeline */
        assert_int_equal(spaces_run(&rig, &channel, &words, CODE, NULL), 0);
        assert_int_equal(rig_released(&channel), 0x77);
        for (unsigned i = 0; i < rig.line_count; i++)
            fail_msg("%s: %s", part->chip, rig.lines[i]);
        rig_close(&rig);
    }
}

/* Mesa puts them where commands are written late, by the GPU itself. */
static void a_push_without_prefetch_has_what_was_written_before_it(void **state) {
    (void)state;
    FOR_EACH_OF_NVK {
        struct drm_file *file = spaces_open(&rig, part);
        struct rig_channel channel = spaces_channel(&rig, file, AT);
        struct drm_nouveau_gem_info code = rig_buffer(&rig, file, GART, 2 * PAGE);
        struct words words = {.part = part}, late = {.part = part};
        assert_int_equal(spaces_map(&rig, file, code.handle, CODE, 0, 2 * PAGE), 0);
        words_release(&late, &channel, 9);
        for (uint32_t i = 0; i < late.count; i++) { /* each word by a release of its own */
            channel.at = (uint32_t)(CODE - AT) + PAGE + 4 * i;
            words_release(&words, &channel, late.word[i]);
        }
        for (uint32_t i = 0; i < words.count; i++)
            rig_wr32(file, &code, UINT64_C(4) * i, words.word[i]);
        channel.at = 0;
        const struct uapi_exec_push pushes[] = {{CODE, 4 * words.count, 0},
                                                {CODE + PAGE, 4 * late.count, UAPI_EXEC_NO_PREFETCH}};
        assert_int_equal(spaces_exec(&rig, file, channel.id, pushes, 2, NULL), 0);
        assert_int_equal(rig_released(&channel), 9);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nvk_finds_a_device_by_these_calls),
        cmocka_unit_test(each_opening_of_the_node_goes_through_all_of_it),
        cmocka_unit_test(the_version_is_nouveau_s_with_the_new_calls),
        cmocka_unit_test(without_vm_init_binds_and_jobs_are_refused),
        cmocka_unit_test(a_pushbuf_of_nothing_asks_whether_the_channel_lives),
        cmocka_unit_test(a_buffer_has_the_type_of_its_pages_and_a_domain),
        cmocka_unit_test(memory_is_mapped_down_from_the_heaps_ends),
        cmocka_unit_test(a_sparse_queue_waits_and_signals),
        cmocka_unit_test(subchannels_take_the_classes_of_the_list),
        cmocka_unit_test(a_push_without_prefetch_has_what_was_written_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
