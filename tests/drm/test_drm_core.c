/* SPDX-License-Identifier: MIT */
/* What every DRM driver answers, who may ask, and what passes between a program's memory and an ioctl. */
#include "drm/rig.h"

#include <stdlib.h>

static struct rig rig; /* too large for a stack with a sanitizer */

#define BAD_NUMBER DRM_IOWR(DRM_COMMAND_BASE + 0x5f, struct drm_nouveau_getparam)

static struct drm_version version_at(struct drm_file *file, uint64_t text, size_t room) {
    struct drm_version version = {.name_len = room, .name = (char *)(uintptr_t)text};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_VERSION, &version), 0);
    return version;
}

/* libdrm asks twice: for the lengths, then for the strings. */
static void a_version_is_told_in_two_calls(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        char name[8] = {0};
        uint64_t at = rig_put(&rig, name, sizeof name);
        struct drm_version version = version_at(file, 0, 0);
        assert_int_equal(version.version_major, 1);
        assert_int_equal(version.version_minor, 4);
        assert_int_equal(version.version_patchlevel, 1);
        assert_int_equal(version.name_len, 7);
        assert_true(version.date_len > 0 && version.desc_len > 0);
        version_at(file, at, 7);
        rig_get(&rig, at, name, sizeof name);
        assert_string_equal(name, "nouveau");
        rig_close(&rig);
    }
}

static void a_name_is_cut_where_the_room_ends(void **state) {
    (void)state;
    rig_open(&rig, &parts[0]);
    struct drm_file *file = rig_file(&rig, RENDER);
    char name[8] = "........";
    uint64_t at = rig_put(&rig, name, sizeof name);
    assert_int_equal(version_at(file, at, 3).name_len, 7);
    rig_get(&rig, at, name, sizeof name);
    assert_memory_equal(name, "nou.....", 8);
    struct drm_version version = {.name_len = 7, .name = (char *)(uintptr_t)NOT_MAPPED};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_VERSION, &version), -EFAULT);
    rig_close(&rig);
}

static void an_older_version_can_be_reported(void **state) {
    (void)state;
    rig.config = (struct drm_config){.major = 1, .minor = 2, .patch = 2};
    rig_open(&rig, &parts[4]);
    struct drm_version version = version_at(rig_file(&rig, RENDER), 0, 0);
    assert_int_equal(version.version_major, 1);
    assert_int_equal(version.version_minor, 2);
    assert_int_equal(version.version_patchlevel, 2);
    rig_close(&rig);
}

static int get_cap(struct drm_file *file, uint64_t capability, uint64_t *value) {
    struct drm_get_cap cap = {.capability = capability, .value = 99};
    int result = rig_ioctl(&rig, file, DRM_IOCTL_GET_CAP, &cap);
    *value = cap.value;
    return result;
}

static void capabilities_are_those_of_nouveau(void **state) {
    uint64_t value;
    (void)state;
    rig_open(&rig, &parts[4]);
    struct drm_file *file = rig_file(&rig, RENDER);
    assert_int_equal(get_cap(file, DRM_CAP_PRIME, &value), 0);
    assert_int_equal(value, DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT);
    assert_int_equal(get_cap(file, DRM_CAP_TIMESTAMP_MONOTONIC, &value), 0);
    assert_int_equal(value, 1);
    assert_int_equal(get_cap(file, DRM_CAP_SYNCOBJ, &value), 0);
    assert_int_equal(value, 1);
    assert_int_equal(get_cap(file, DRM_CAP_SYNCOBJ_TIMELINE, &value), 0);
    assert_int_equal(value, 1);
    assert_int_equal(get_cap(file, 0x7777, &value), -EINVAL);
    rig_close(&rig);
}

/* ---- who may ask ---- */

static int auth(struct drm_file *file, uint32_t magic) {
    struct drm_auth request = {.magic = magic};
    return rig_ioctl(&rig, file, DRM_IOCTL_AUTH_MAGIC, &request);
}

static uint32_t magic_of(struct drm_file *file) {
    struct drm_auth request = {0};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_GET_MAGIC, &request), 0);
    return request.magic;
}

static int flink(struct drm_file *file) {
    struct drm_gem_flink request = {.handle = 1};
    return rig_ioctl(&rig, file, DRM_IOCTL_GEM_FLINK, &request);
}

static void a_master_lets_others_in_once_for_each_magic(void **state) {
    (void)state;
    rig_open(&rig, &parts[0]);
    struct drm_file *master = rig_file(&rig, DRM_NODE_CARD), *other = rig_file(&rig, DRM_NODE_CARD);
    uint32_t magic = magic_of(other);
    assert_int_equal(magic_of(other), magic);
    assert_int_not_equal(magic_of(master), magic);
    assert_int_equal(flink(master), -ENOENT);
    assert_int_equal(flink(other), -EACCES);
    assert_int_equal(auth(other, magic), -EACCES);
    assert_int_equal(auth(master, 0x1234), -EINVAL);
    assert_int_equal(auth(master, 0), -EINVAL);
    assert_int_equal(flink(other), -EACCES);
    assert_int_equal(auth(master, magic), 0);
    assert_int_equal(flink(other), -ENOENT);
    assert_int_equal(auth(master, magic), -EINVAL);
    rig_close(&rig);
}

static int simple(struct drm_file *file, unsigned long request) {
    uint64_t nothing = 0;
    return rig_ioctl(&rig, file, request, &nothing);
}

static void there_is_one_master_at_a_time(void **state) {
    (void)state;
    rig_open(&rig, &parts[0]);
    struct drm_file *first = rig_file(&rig, DRM_NODE_CARD), *second = rig_file(&rig, DRM_NODE_CARD);
    assert_int_equal(simple(first, DRM_IOCTL_SET_MASTER), 0);
    assert_int_equal(simple(second, DRM_IOCTL_SET_MASTER), -EBUSY);
    assert_int_equal(simple(second, DRM_IOCTL_DROP_MASTER), -EINVAL);
    assert_int_equal(simple(first, DRM_IOCTL_DROP_MASTER), 0);
    assert_int_equal(simple(second, DRM_IOCTL_SET_MASTER), 0);
    assert_int_equal(simple(first, DRM_IOCTL_SET_MASTER), -EBUSY);
    drm_file_close(second);
    assert_int_equal(simple(first, DRM_IOCTL_SET_MASTER), 0);
    assert_int_equal(simple(rig_file(&rig, RENDER), DRM_IOCTL_SET_MASTER), -EACCES);
    rig_close(&rig);
}

static int set_version(struct drm_file *file, int di_major, int di_minor, int dd_major, int dd_minor) {
    struct drm_set_version version = {di_major, di_minor, dd_major, dd_minor};
    int result = rig_ioctl(&rig, file, DRM_IOCTL_SET_VERSION, &version);
    if (result != -EACCES) {
        assert_int_equal(version.drm_di_major, 1);
        assert_int_equal(version.drm_di_minor, 4);
        assert_int_equal(version.drm_dd_major, 1);
        assert_int_equal(version.drm_dd_minor, 4);
    }
    return result;
}

static void an_interface_version_that_is_too_new_is_refused(void **state) {
    (void)state;
    rig_open(&rig, &parts[0]);
    struct drm_file *master = rig_file(&rig, DRM_NODE_CARD), *other = rig_file(&rig, DRM_NODE_CARD);
    assert_int_equal(set_version(master, 1, 4, -1, -1), 0);
    assert_int_equal(set_version(master, -1, -1, 1, 4), 0);
    assert_int_equal(set_version(master, 1, 5, -1, -1), -EINVAL);
    assert_int_equal(set_version(master, 1, -1, -1, -1), -EINVAL);
    assert_int_equal(set_version(master, 2, 0, -1, -1), -EINVAL);
    assert_int_equal(set_version(master, -1, 0, 1, 5), -EINVAL);
    assert_int_equal(set_version(master, -1, 0, 1, -2), -EINVAL);
    assert_int_equal(set_version(master, -1, 0, 2, 0), -EINVAL);
    assert_int_equal(set_version(other, 1, 4, -1, -1), -EACCES);
    rig_close(&rig);
}

static void a_render_node_has_no_ioctls_of_the_display(void **state) {
    (void)state;
    rig_open(&rig, &parts[0]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct drm_unique unique = {0};
    struct drm_auth magic = {0};
    struct drm_set_client_cap cap = {.capability = 1};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_GET_UNIQUE, &unique), -EACCES);
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_GET_MAGIC, &magic), -EACCES);
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_SET_CLIENT_CAP, &cap), -EACCES);
    assert_int_equal(flink(file), -EACCES);
    struct drm_file *card = rig_file(&rig, DRM_NODE_CARD);
    unique.unique_len = 7;
    assert_int_equal(rig_ioctl(&rig, card, DRM_IOCTL_GET_UNIQUE, &unique), 0);
    assert_int_equal(unique.unique_len, 0);
    rig_close(&rig);
}

static size_t bus_id(struct drm_file *file, char *text, size_t room) {
    struct drm_unique unique = {.unique_len = room};
    uint64_t at = rig_put(&rig, text, 64);
    unique.unique = (char *)(uintptr_t)at;
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_GET_UNIQUE, &unique), 0);
    rig_get(&rig, at, text, 64);
    return unique.unique_len;
}

static void a_bus_id_is_there_when_a_master_has_asked(void **state) {
    char text[64] = "untouched";
    (void)state;
    rig_open(&rig, &parts[0]);
    struct drm_file *master = rig_file(&rig, DRM_NODE_CARD), *other = rig_file(&rig, DRM_NODE_CARD);
    assert_int_equal(set_version(master, 1, 0, -1, -1), 0);
    assert_int_equal(bus_id(other, text, 64), 0);
    assert_int_equal(set_version(master, 1, 1, -1, -1), 0);
    size_t length = bus_id(other, text, 3);
    assert_string_equal(text, "untouched");
    assert_int_equal(bus_id(other, text, length), length);
    assert_memory_equal(text, "pci:", 4);
    struct drm_unique unique = {.unique_len = 64, .unique = (char *)(uintptr_t)NOT_MAPPED};
    assert_int_equal(rig_ioctl(&rig, other, DRM_IOCTL_GET_UNIQUE, &unique), -EFAULT);
    assert_int_equal(simple(master, DRM_IOCTL_DROP_MASTER), 0);
    assert_int_equal(simple(other, DRM_IOCTL_SET_MASTER), 0);
    assert_int_equal(bus_id(other, text, 64), 0);
    rig_close(&rig);
}

static void a_client_sees_itself(void **state) {
    (void)state;
    rig_open(&rig, &parts[0]);
    struct drm_file *master = rig_file(&rig, DRM_NODE_CARD), *other = rig_file(&rig, DRM_NODE_CARD);
    struct drm_client client = {.idx = 0, .magic = 7};
    assert_int_equal(rig_ioctl(&rig, master, DRM_IOCTL_GET_CLIENT, &client), 0);
    assert_int_equal(client.auth, 1);
    assert_int_equal(client.magic, 0);
    assert_int_equal(rig_ioctl(&rig, other, DRM_IOCTL_GET_CLIENT, &client), 0);
    assert_int_equal(client.auth, 0);
    client.idx = 1;
    assert_int_equal(rig_ioctl(&rig, other, DRM_IOCTL_GET_CLIENT, &client), -EINVAL);
    struct drm_stats stats = {.count = 5};
    assert_int_equal(rig_ioctl(&rig, other, DRM_IOCTL_GET_STATS, &stats), 0);
    assert_int_equal(stats.count, 0);
    rig_close(&rig);
}

/* ---- structures ---- */

static void requests_that_are_not_known_are_refused(void **state) {
    (void)state;
    rig_open(&rig, &parts[0]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct drm_nouveau_getparam param = {.param = NOUVEAU_GETPARAM_CHIPSET_ID};
    assert_int_equal(rig_ioctl(&rig, file, BAD_NUMBER, &param), -EINVAL);
    assert_int_equal(rig_ioctl(&rig, file, _IO('T', 1), &param), -ENOTTY);
    for (unsigned number = 0; number < 256; number++)
        assert_true(drm_file_ioctl(file, DRM_IO(number), 0) <= 0);
    rig_close(&rig);
}

/* A program may be older or newer than the kernel: what its structure lacks is 0, what is too much stays as it is. */
static void a_structure_may_be_shorter_or_longer(void **state) {
    struct longer {
        struct drm_nouveau_gem_info info;
        uint64_t more;
    } longer = {.more = 0x1234567890abcdef};
    (void)state;
    rig_open(&rig, &parts[4]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
    longer.info.handle = buffer.handle;
    assert_int_equal(rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct longer), &longer), 0);
    assert_memory_equal(&longer.info, &buffer, sizeof buffer);
    assert_true(longer.more == 0x1234567890abcdef);
    struct {
        uint32_t handle, domain, after;
    } shorter = {buffer.handle, 77, 88};
    assert_int_equal(rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GEM_INFO, uint64_t), &shorter), 0);
    assert_int_equal(shorter.domain, GART);
    assert_int_equal(shorter.after, 88);
    /* ... and what lies after it is not read, nor written */
    const uint64_t end = RIG_BASE + RIG_MEMORY - sizeof(uint64_t);
    memcpy(rig.memory + (end - RIG_BASE), &buffer.handle, sizeof buffer.handle);
    assert_int_equal(drm_file_ioctl(file, NOUVEAU(DRM_NOUVEAU_GEM_INFO, uint64_t), end), 0);
    rig_close(&rig);
}

static void memory_that_is_not_there_is_efault(void **state) {
    static const unsigned long requests[] = {
        DRM_IOCTL_VERSION,
        DRM_IOCTL_GET_CAP,
        DRM_IOCTL_GEM_CLOSE,
        DRM_IOCTL_PRIME_HANDLE_TO_FD,
        DRM_IOCTL_PRIME_FD_TO_HANDLE,
        NOUVEAU(DRM_NOUVEAU_GETPARAM, struct drm_nouveau_getparam),
        NOUVEAU(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc),
        NOUVEAU(DRM_NOUVEAU_CHANNEL_FREE, struct drm_nouveau_channel_free),
        NOUVEAU(DRM_NOUVEAU_GROBJ_ALLOC, struct drm_nouveau_grobj_alloc),
        NOUVEAU(DRM_NOUVEAU_NOTIFIEROBJ_ALLOC, struct drm_nouveau_notifierobj_alloc),
        NOUVEAU(DRM_NOUVEAU_GPUOBJ_FREE, struct drm_nouveau_gpuobj_free),
        NOUVEAU(DRM_NOUVEAU_NVIF, uint8_t[48]),
        NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new),
        NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf),
        NOUVEAU(DRM_NOUVEAU_GEM_CPU_PREP, struct drm_nouveau_gem_cpu_prep),
        NOUVEAU(DRM_NOUVEAU_GEM_CPU_FINI, struct drm_nouveau_gem_cpu_fini),
        NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info),
    };
    (void)state;
    rig_open(&rig, &parts[0]);
    struct drm_file *file = rig_file(&rig, RENDER);
    for (size_t i = 0; i < COUNT_OF(requests); i++) {
        assert_int_equal(drm_file_ioctl(file, requests[i], NOT_MAPPED), -EFAULT);
        assert_int_equal(drm_file_ioctl(file, requests[i], RIG_BASE + RIG_MEMORY - 1), -EFAULT);
        assert_int_equal(drm_file_ioctl(file, requests[i], UINT64_MAX), -EFAULT);
    }
    rig_close(&rig);
}

static void memory_that_is_only_read_is_efault(void **state) {
    uint64_t nop[8] = {0};
    (void)state;
    rig_open(&rig, &parts[0]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct drm_nouveau_getparam param = {.param = NOUVEAU_GETPARAM_CHIPSET_ID};
    struct drm_gem_close none = {.handle = 9};
    rig.read_only = true;
    assert_int_equal(rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GETPARAM, struct drm_nouveau_getparam), &param),
                     -EFAULT);
    assert_int_equal(rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_NVIF, uint64_t[8]), nop), -EFAULT);
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_GEM_CLOSE, &none), -EINVAL); /* has nothing to say */
    rig_close(&rig);
}

/* Only what is asked for goes: a write request does not change the program's structure. */
static void a_direction_is_kept(void **state) {
    (void)state;
    rig_open(&rig, &parts[0]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct drm_nouveau_getparam param = {.param = NOUVEAU_GETPARAM_CHIPSET_ID, .value = 5};
    unsigned number = DRM_COMMAND_BASE + DRM_NOUVEAU_GETPARAM;
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOW(number, struct drm_nouveau_getparam), &param), 0);
    assert_int_equal(param.value, 5);
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOR(number, struct drm_nouveau_getparam), &param), -EINVAL);
    assert_int_equal(param.param, 0);
    rig_close(&rig);
}

static void chips_without_a_face_are_refused(void **state) {
    static const char *const chips[] = {"NV4", "NV34", "GV100", "TU102"};
    struct pfifo_error error;
    struct rig *unused = &rig;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        struct drm_config config = {.chip = pfifo_chip_by_name(chips[i]), .opaque = unused};
        assert_non_null(config.chip);
        assert_null(drm_device_new(&config, &error));
        assert_int_equal(error.status, PFIFO_ERROR_UNSUPPORTED);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_version_is_told_in_two_calls),
        cmocka_unit_test(a_name_is_cut_where_the_room_ends),
        cmocka_unit_test(an_older_version_can_be_reported),
        cmocka_unit_test(capabilities_are_those_of_nouveau),
        cmocka_unit_test(a_master_lets_others_in_once_for_each_magic),
        cmocka_unit_test(there_is_one_master_at_a_time),
        cmocka_unit_test(an_interface_version_that_is_too_new_is_refused),
        cmocka_unit_test(a_render_node_has_no_ioctls_of_the_display),
        cmocka_unit_test(a_bus_id_is_there_when_a_master_has_asked),
        cmocka_unit_test(a_client_sees_itself),
        cmocka_unit_test(requests_that_are_not_known_are_refused),
        cmocka_unit_test(a_structure_may_be_shorter_or_longer),
        cmocka_unit_test(memory_that_is_not_there_is_efault),
        cmocka_unit_test(memory_that_is_only_read_is_efault),
        cmocka_unit_test(a_direction_is_kept),
        cmocka_unit_test(chips_without_a_face_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
