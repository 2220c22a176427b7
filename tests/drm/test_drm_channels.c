/* SPDX-License-Identifier: MIT */
/* Channels, the objects on them, and their notifiers. */
#include "drm/rig.h"

#include <nouveau/nvif/ioctl.h>

static struct rig rig; /* too large for a stack with a sanitizer */

#define NO_CHANNEL 0x5555u

static struct drm_nouveau_channel_alloc alloc_with(uint32_t fb, uint32_t tt) {
    return (struct drm_nouveau_channel_alloc){.fb_ctxdma_handle = fb, .tt_ctxdma_handle = tt, .nr_subchan = 9};
}

static int notifier(struct drm_file *file, uint32_t channel, uint32_t handle, uint32_t size, uint32_t *offset) {
    struct drm_nouveau_notifierobj_alloc request = {channel, handle, size, UINT32_MAX};
    unsigned long number = NOUVEAU(DRM_NOUVEAU_NOTIFIEROBJ_ALLOC, struct drm_nouveau_notifierobj_alloc);
    int result = rig_ioctl(&rig, file, number, &request);
    *offset = request.offset;
    return result;
}

static int object_free(struct drm_file *file, uint32_t channel, uint32_t handle) {
    struct drm_nouveau_gpuobj_free request = {(int)channel, handle};
    return rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GPUOBJ_FREE, struct drm_nouveau_gpuobj_free), &request);
}

/* ---- channels ---- */

static void a_channel_says_where_its_commands_may_be(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_channel_alloc alloc = alloc_with(FB_HANDLE, TT_HANDLE);
        assert_int_equal(rig_channel_alloc(&rig, file, &alloc), 0);
        assert_int_equal(alloc.pushbuf_domains, part->calls ? GART : VRAM | GART);
        assert_int_equal(alloc.nr_subchan, 9); /* from NV10 on the kernel says nothing */
        struct drm_nouveau_gem_info notifiers = {.handle = alloc.notifier_handle};
        unsigned long number = NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info);
        assert_int_equal(rig_ioctl(&rig, file, number, &notifiers), 0);
        assert_int_equal(notifiers.domain, GART);
        assert_int_equal(notifiers.size, PAGE);
        rig_close(&rig);
    }
}

static void channels_have_numbers_of_their_own(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *one = rig_file(&rig, RENDER), *other = rig_file(&rig, RENDER);
        struct rig_channel first = rig_channel(&rig, one), second = rig_channel(&rig, one),
                           third = rig_channel(&rig, other);
        assert_true(first.id != second.id && first.id != third.id && second.id != third.id);
        assert_int_equal(rig_channel_free(&rig, one, third.id), -ENOENT);
        assert_int_equal(rig_channel_free(&rig, one, NO_CHANNEL), -ENOENT);
        assert_int_equal(rig_channel_free(&rig, one, first.id), 0);
        assert_int_equal(rig_channel_free(&rig, one, first.id), -ENOENT);
        assert_int_equal(rig_channel(&rig, other).id, first.id);
        rig_close(&rig);
    }
}

/* A chip has so many and no more; they are all free again when the file is closed. */
static void a_chip_runs_out_of_channels(void **state) {
    (void)state;
    rig_open(&rig, &parts[0]);
    for (unsigned round = 0; round < 2; round++) {
        struct drm_file *file = rig_file(&rig, RENDER);
        int result = 0;
        unsigned count = 0;
        for (; result == 0 && count < 1000; count++) {
            struct drm_nouveau_channel_alloc alloc = alloc_with(FB_HANDLE, TT_HANDLE);
            result = rig_channel_alloc(&rig, file, &alloc);
        }
        assert_int_equal(result, -ENOSPC);
        assert_true(count > 16 && count <= 33);
        drm_file_close(file);
    }
    rig_close(&rig);
}

static void handles_of_all_ones_are_an_engine_or_refused(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_channel_alloc alloc = alloc_with(FB_HANDLE, UINT32_MAX);
        assert_int_equal(rig_channel_alloc(&rig, file, &alloc), -EINVAL);
        alloc = alloc_with(UINT32_MAX, UINT32_MAX);
        assert_int_equal(rig_channel_alloc(&rig, file, &alloc), part->runlists ? -ENOSYS : -EINVAL);
        alloc = alloc_with(UINT32_MAX, 1);
        assert_int_equal(rig_channel_alloc(&rig, file, &alloc), part->runlists ? 0 : -EINVAL);
        if (part->runlists)
            assert_true(alloc.fb_ctxdma_handle == 0 && alloc.tt_ctxdma_handle == 0);
        alloc = alloc_with(UINT32_MAX, 0x30);
        assert_int_equal(rig_channel_alloc(&rig, file, &alloc), part->runlists ? 0 : -EINVAL);
        alloc = alloc_with(UINT32_MAX, 3);
        assert_int_equal(rig_channel_alloc(&rig, file, &alloc), part->runlists ? -ENOSYS : -EINVAL);
        rig_close(&rig);
    }
}

/* GK104 has a video decoder that channels can be opened for; GM107 and later do not have that one. */
static void an_engine_that_the_chip_lacks_is_refused(void **state) {
    (void)state;
    FOR_EACH_PART if (part->runlists) {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_channel_alloc alloc = alloc_with(UINT32_MAX, 4); /* MSPPP: up to GK110 */
        bool has = strncmp(part->chip, "GK1", 3) == 0;
        assert_int_equal(rig_channel_alloc(&rig, file, &alloc), has ? 0 : -EINVAL);
        rig_close(&rig);
    }
}

/* ---- objects ---- */

static void an_object_has_a_class_of_the_chip(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        int32_t foreign = part->classes ? 0x4097 : 0x9097;
        assert_int_equal(rig_object(&rig, file, channel.id, 0x1001, part->copy), 0);
        assert_int_equal(rig_object(&rig, file, channel.id, 0x1002, foreign), -EINVAL);
        assert_int_equal(rig_object(&rig, file, channel.id, 0x1003, 0), -EINVAL);
        assert_int_equal(rig_object(&rig, file, channel.id, 0x1004, 0x12345), -EINVAL);
        assert_int_equal(rig_object(&rig, file, channel.id, UINT32_MAX, part->copy), -EINVAL);
        assert_int_equal(rig_object(&rig, file, NO_CHANNEL, 0x1005, part->copy), -ENOENT);
        rig_close(&rig);
    }
}

/* Before GF100 a table says which object a handle is: there is one for each. From there on nobody looks for handles. */
static void a_handle_is_taken_where_handles_are_looked_for(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file), other = rig_channel(&rig, file);
        uint32_t offset;
        assert_int_equal(rig_object(&rig, file, channel.id, 0x1001, part->copy), 0);
        assert_int_equal(rig_object(&rig, file, channel.id, 0x1001, part->copy), part->classes ? 0 : -EEXIST);
        assert_int_equal(rig_object(&rig, file, other.id, 0x1001, part->copy), 0);
        assert_int_equal(notifier(file, channel.id, 0x1001, 32, &offset), part->classes ? -EINVAL : -EEXIST);
        assert_int_equal(rig_object(&rig, file, channel.id, FB_HANDLE, part->copy), part->classes ? 0 : -EEXIST);
        rig_close(&rig);
    }
}

static void a_software_class_has_more_than_one_name(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        int32_t name = part->classes ? 0x906e : part->calls ? 0x406e : 0x506e;
        assert_int_equal(rig_object(&rig, file, channel.id, 0x2001, name), 0);
        assert_int_equal(rig_object(&rig, file, channel.id, 0x2002, part->classes ? -7 : part->calls ? -5 : -6), 0);
        rig_close(&rig);
    }
}

static void an_object_is_freed_once(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        for (unsigned i = 0; i < 3; i++) {
            assert_int_equal(rig_object(&rig, file, channel.id, 0x1001, part->copy), 0);
            assert_int_equal(object_free(file, channel.id, 0x1001), 0);
            assert_int_equal(object_free(file, channel.id, 0x1001), -ENOENT);
        }
        assert_int_equal(object_free(file, NO_CHANNEL, 0x1001), -EINVAL);
        rig_close(&rig);
    }
}

static void objects_are_limited(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        int result = 0;
        uint32_t count = 0;
        for (; result == 0 && count < 10000; count++)
            result = rig_object(&rig, file, channel.id, 0x10000 + count, part->copy);
        assert_true(result == -ENOSPC || result == -ENOMEM);
        assert_true(count > 200);
        assert_int_equal(object_free(file, channel.id, 0x10000), 0);
        assert_int_equal(rig_object(&rig, file, channel.id, 0x10000, part->copy), 0);
        rig_close(&rig);
    }
}

/* ---- by NVIF ---- */

static int nvif(struct drm_file *file, uint8_t type, uint64_t token, void *data, size_t bytes) {
    struct {
        struct nvif_ioctl_v0 header;
        uint8_t body[256];
    } call = {.header = {.type = type, .route = NVIF_IOCTL_V0_ROUTE_HIDDEN, .token = token}};
    assert_true(bytes <= sizeof call.body);
    memcpy(call.body, data, bytes);
    unsigned long request =
        _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, DRM_COMMAND_BASE + DRM_NOUVEAU_NVIF, sizeof call.header + bytes);
    int result = rig_ioctl(&rig, file, request, &call);
    memcpy(data, call.body, bytes);
    return result;
}

static int new_object(struct drm_file *file, uint64_t channel, uint64_t object, uint32_t handle, int32_t oclass) {
    struct nvif_ioctl_new_v0 new = {.object = object, .handle = handle, .oclass = oclass};
    return nvif(file, NVIF_IOCTL_V0_NEW, channel, &new, sizeof new);
}

/* An object is ended by the name that the program gave it, not by way of its channel. */
static int delete_object(struct drm_file *file, uint64_t object) {
    struct nvif_ioctl_v0 header = {.type = NVIF_IOCTL_V0_DEL, .object = object};
    return rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_NVIF, struct nvif_ioctl_v0), &header);
}

static void nvif_makes_objects_on_channels(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file), other = rig_channel(&rig, file);
        assert_int_equal(new_object(file, channel.id, 1, 0x1001, part->copy), 0);
        assert_int_equal(new_object(file, channel.id, 1, 0x1002, part->copy), -EEXIST);
        assert_int_equal(new_object(file, channel.id, 2, 0x1001, part->copy), part->classes ? 0 : -EEXIST);
        assert_int_equal(new_object(file, channel.id, 3, 0x1003, part->classes ? 0x4097 : 0x9097), -EINVAL);
        assert_int_equal(new_object(file, NO_CHANNEL, 4, 0x1004, part->copy), -EINVAL);
        assert_int_equal(delete_object(file, 3), -ENOENT);
        assert_int_equal(delete_object(file, 1), 0);
        assert_int_equal(delete_object(file, 1), -ENOENT);
        assert_int_equal(new_object(file, channel.id, 1, 0x1001, part->copy), 0);
        assert_int_equal(new_object(file, other.id, 9, 0x1001, part->copy), 0);
        assert_int_equal(rig_channel_free(&rig, file, other.id), 0);
        assert_int_equal(delete_object(file, 9), -ENOENT);
        rig_close(&rig);
    }
}

static void nvif_lists_the_classes_of_a_channel(void **state) {
    struct {
        struct nvif_ioctl_sclass_v0 list;
        struct nvif_ioctl_sclass_oclass_v0 entries[16];
    } classes;
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        memset(&classes, 0, sizeof classes);
        classes.list.count = COUNT_OF(classes.entries);
        assert_int_equal(nvif(file, NVIF_IOCTL_V0_SCLASS, channel.id, &classes, sizeof classes), 0);
        assert_true(classes.list.count > 3);
        classes.list.count = COUNT_OF(classes.entries);
        assert_int_equal(nvif(file, NVIF_IOCTL_V0_SCLASS, UINT64_MAX, &classes, sizeof classes), 0);
        assert_int_equal(classes.list.count, 1);
        assert_int_equal(nvif(file, NVIF_IOCTL_V0_DEL, channel.id, &classes, 0), -EACCES);
        assert_int_equal(nvif(file, NVIF_IOCTL_V0_MTHD, channel.id, &classes, sizeof classes), -EINVAL);
        rig_close(&rig);
    }
}

/* ---- notifiers ---- */

static void notifiers_share_a_page_and_give_it_back(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_channel_alloc alloc = alloc_with(FB_HANDLE, TT_HANDLE);
        assert_int_equal(rig_channel_alloc(&rig, file, &alloc), 0);
        uint32_t id = (uint32_t)alloc.channel, offset;
        if (part->classes) {
            assert_int_equal(notifier(file, id, 1, 32, &offset), -EINVAL);
            rig_close(&rig);
            continue;
        }
        assert_int_equal(notifier(file, id, 1, 32, &offset), 0);
        assert_int_equal(offset, 0);
        assert_int_equal(notifier(file, id, 2, 64, &offset), 0);
        assert_int_equal(offset, 32);
        assert_int_equal(notifier(file, id, 3, PAGE - 96 + 1, &offset), -ENOSPC);
        assert_int_equal(notifier(file, id, 3, PAGE - 96, &offset), 0);
        assert_int_equal(offset, 96);
        assert_int_equal(notifier(file, id, 4, 1, &offset), -ENOSPC);
        assert_int_equal(object_free(file, id, 2), 0);
        assert_int_equal(notifier(file, id, 4, 65, &offset), -ENOSPC);
        assert_int_equal(notifier(file, id, 4, 64, &offset), 0);
        assert_int_equal(offset, 32);
        assert_int_equal(notifier(file, id, 5, 0, &offset), -EINVAL);
        assert_int_equal(notifier(file, id, 5, UINT32_MAX, &offset), -ENOSPC);
        assert_int_equal(notifier(file, NO_CHANNEL, 5, 32, &offset), -ENOENT);
        rig_close(&rig);
    }
}

/* The handle is the program's, the page stays with the channel. */
static void a_closed_handle_of_the_notifiers_hurts_nobody(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_channel_alloc alloc = alloc_with(FB_HANDLE, TT_HANDLE);
        assert_int_equal(rig_channel_alloc(&rig, file, &alloc), 0);
        assert_int_equal(rig_close_handle(&rig, file, alloc.notifier_handle), 0);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
        assert_int_equal(buffer.handle, alloc.notifier_handle);
        uint32_t offset;
        assert_int_equal(notifier(file, (uint32_t)alloc.channel, 1, 32, &offset), part->classes ? -EINVAL : 0);
        assert_int_equal(rig_channel_free(&rig, file, (uint32_t)alloc.channel), 0);
        assert_int_equal(rig_rd32(file, &buffer, 0), 0);
        rig_close(&rig);
    }
}

static void the_handle_of_the_notifiers_outlives_the_channel(void **state) {
    (void)state;
    rig_open(&rig, &parts[0]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct rig_channel channel = rig_channel(&rig, file);
    rig_wr32(file, &channel.semaphore, 0, 5);
    assert_int_equal(rig_channel_free(&rig, file, channel.id), 0);
    assert_int_equal(rig_rd32(file, &channel.semaphore, 0), 5);
    assert_int_equal(rig_close_handle(&rig, file, channel.notifier), 0);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_channel_says_where_its_commands_may_be),
        cmocka_unit_test(channels_have_numbers_of_their_own),
        cmocka_unit_test(a_chip_runs_out_of_channels),
        cmocka_unit_test(handles_of_all_ones_are_an_engine_or_refused),
        cmocka_unit_test(an_engine_that_the_chip_lacks_is_refused),
        cmocka_unit_test(an_object_has_a_class_of_the_chip),
        cmocka_unit_test(a_handle_is_taken_where_handles_are_looked_for),
        cmocka_unit_test(a_software_class_has_more_than_one_name),
        cmocka_unit_test(an_object_is_freed_once),
        cmocka_unit_test(objects_are_limited),
        cmocka_unit_test(nvif_makes_objects_on_channels),
        cmocka_unit_test(nvif_lists_the_classes_of_a_channel),
        cmocka_unit_test(notifiers_share_a_page_and_give_it_back),
        cmocka_unit_test(a_closed_handle_of_the_notifiers_hurts_nobody),
        cmocka_unit_test(the_handle_of_the_notifiers_outlives_the_channel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
