/* SPDX-License-Identifier: MIT */
/* What a device says of itself, by GETPARAM and by NVIF. */
#include "drm/rig.h"

#include <nouveau/nvif/cl0080.h>
#include <nouveau/nvif/ioctl.h>

static struct rig rig; /* too large for a stack with a sanitizer */

static int getparam(struct drm_file *file, uint64_t param, uint64_t *value) {
    struct drm_nouveau_getparam request = {.param = param, .value = 0x7777777777777777};
    int result = rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GETPARAM, struct drm_nouveau_getparam), &request);
    *value = request.value;
    return result;
}

static uint64_t param_of(struct drm_file *file, uint64_t param) {
    uint64_t value;
    assert_int_equal(getparam(file, param, &value), 0);
    return value;
}

static void a_chip_is_known_by_its_number(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        assert_int_equal(param_of(file, NOUVEAU_GETPARAM_CHIPSET_ID), part->chipset);
        bool soc = !part->vram;
        assert_int_equal(param_of(file, NOUVEAU_GETPARAM_PCI_VENDOR), soc ? 0 : 0x10de);
        assert_int_equal(param_of(file, NOUVEAU_GETPARAM_PCI_DEVICE) != 0, !soc);
        assert_int_equal(param_of(file, NOUVEAU_GETPARAM_BUS_TYPE) == 3, soc);
        assert_int_equal(param_of(file, NOUVEAU_GETPARAM_HAS_BO_USAGE), 1);
        assert_int_equal(param_of(file, NOUVEAU_GETPARAM_HAS_PAGEFLIP), 1);
        assert_int_equal(param_of(file, NOUVEAU_GETPARAM_VM_VRAM_BASE), 0);
        rig_close(&rig);
    }
}

static void memory_is_as_large_as_it_was_made(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig.config = (struct drm_config){.vram_bytes = part->vram ? 64 << 20 : 0, .system_bytes = 128 << 20};
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        uint64_t vram = param_of(file, NOUVEAU_GETPARAM_FB_SIZE), gart = param_of(file, NOUVEAU_GETPARAM_AGP_SIZE);
        if (part->vram)
            assert_true(vram > 32 << 20 && vram <= 64 << 20); /* before G80 the kernel keeps RAMIN for itself */
        else
            assert_int_equal(vram, 0);
        assert_true(gart >= 128 << 20); /* that of the address space, however much memory there is */
        rig_close(&rig);
    }
}

#define VRAM_BAR_SIZE 18
#define VRAM_USED     19

static void what_is_used_of_vram_is_told(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        uint64_t own = param_of(file, VRAM_USED); /* the kernel's */
        assert_true(own > 0 || !part->vram);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, VRAM, 3 * PAGE);
        rig_buffer(&rig, file, GART, 5 * PAGE);
        assert_int_equal(param_of(file, VRAM_USED), own + (part->vram ? 3 * PAGE : 0));
        assert_int_equal(rig_close_handle(&rig, file, buffer.handle), 0);
        assert_int_equal(param_of(file, VRAM_USED), own);
        assert_int_equal(param_of(file, VRAM_BAR_SIZE),
                         pfifo_gpu_bar_bytes(pfifo_device_gpu(drm_device_pfifo(rig.device)), 1));
        rig_close(&rig);
    }
}

/* As many as the registers say: NV4x a mask, GF100 and later how many there are of each kind. */
static void units_of_the_graphics_engine_are_counted(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        uint64_t units = param_of(rig_file(&rig, RENDER), NOUVEAU_GETPARAM_GRAPH_UNITS);
        uint64_t gpcs = units & 0xff, tpcs = units >> 8 & 0xff, rops = units >> 32;
        if (part->classes)
            assert_true(gpcs > 0 && tpcs >= gpcs && rops > 0);
        else
            assert_int_equal(units, pfifo_gpu_rd32(pfifo_device_gpu(drm_device_pfifo(rig.device)), 0x1540));
        rig_close(&rig);
    }
}

static void time_does_not_go_back(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        uint64_t before = param_of(file, NOUVEAU_GETPARAM_PTIMER_TIME);
        assert_true(param_of(file, NOUVEAU_GETPARAM_PTIMER_TIME) >= before);
        rig_close(&rig);
    }
}

static void parameters_that_are_not_known_are_refused(void **state) {
    static const uint64_t unknown[] = {0, 1, 2, 6, 7, 10, 21, 99, UINT64_C(1) << 32 | 11, UINT64_MAX};
    uint64_t value;
    (void)state;
    rig_open(&rig, &parts[0]);
    struct drm_file *file = rig_file(&rig, RENDER);
    for (size_t i = 0; i < COUNT_OF(unknown); i++)
        assert_int_equal(getparam(file, unknown[i], &value), -EINVAL);
    struct drm_nouveau_setparam set = {.param = NOUVEAU_GETPARAM_CHIPSET_ID, .value = 1};
    assert_int_equal(rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_SETPARAM, struct drm_nouveau_setparam), &set), -EACCES);
    rig_close(&rig);
}

/* ---- NVIF ---- */

struct call {
    struct nvif_ioctl_v0 header;
    uint8_t body[200];
};

static int nvif(struct drm_file *file, struct call *call, size_t bytes) {
    bytes += sizeof call->header;
    unsigned long request = _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, DRM_COMMAND_BASE + DRM_NOUVEAU_NVIF, bytes);
    return rig_ioctl(&rig, file, request, call);
}

static int new_device(struct drm_file *file, uint64_t object, int32_t oclass) {
    struct call call = {.header = {.type = NVIF_IOCTL_V0_NEW}};
    const struct nvif_ioctl_new_v0 new = {.object = object, .oclass = oclass};
    memcpy(call.body, &new, sizeof new);
    return nvif(file, &call, sizeof new + sizeof(struct nv_device_v0));
}

static int method(struct drm_file *file, uint64_t object, uint8_t number, void *data, size_t bytes) {
    struct call call = {.header = {.type = NVIF_IOCTL_V0_MTHD, .object = object}};
    const struct nvif_ioctl_mthd_v0 mthd = {.method = number};
    memcpy(call.body, &mthd, sizeof mthd);
    int result = nvif(file, &call, sizeof mthd + bytes);
    memcpy(data, call.body + sizeof mthd, bytes);
    return result;
}

/* Version 1 of the information is for the kernel itself; there is no other. */
static void check_versions(struct drm_file *file, uint64_t object) {
    static const uint8_t methods[] = {NV_DEVICE_V0_INFO, NV_DEVICE_V0_TIME};
    for (unsigned i = 0; i < COUNT_OF(methods); i++) {
        struct call call = {.header = {.type = NVIF_IOCTL_V0_MTHD, .object = object}};
        const struct nvif_ioctl_mthd_v0 mthd = {.method = methods[i]};
        memcpy(call.body, &mthd, sizeof mthd);
        call.body[sizeof mthd] = 2;
        assert_int_equal(nvif(file, &call, sizeof call.body), -ENOSYS);
    }
}

static void the_device_of_nvif_is_the_chip(void **state) {
    static const uint8_t families[] = {5, 5, 6, 6, 7, 8, 8, 9, 9, 10}; /* of the parts */
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct nv_device_info_v0 info;
        struct nv_device_time_v0 time;
        assert_int_equal(method(file, 0x1000, NV_DEVICE_V0_INFO, &info, sizeof info), -ENOENT);
        assert_int_equal(new_device(file, 0x1000, 0x80), 0);
        assert_int_equal(method(file, 0x1000, NV_DEVICE_V0_INFO, &info, sizeof info), 0);
        assert_int_equal(info.chipset, part->chipset);
        assert_int_equal(info.family, families[part - parts]);
        assert_int_equal(info.platform == NV_DEVICE_INFO_V0_SOC, !part->vram);
        assert_int_equal(info.ram_user, param_of(file, NOUVEAU_GETPARAM_FB_SIZE));
        assert_string_equal(info.chip, part->chip);
        assert_int_equal(method(file, 0x1000, NV_DEVICE_V0_TIME, &time, sizeof time), 0);
        assert_int_equal(method(file, 0x1000, NV_DEVICE_V0_INFO, &info, sizeof info - 1), -ENOSYS);
        assert_int_equal(method(file, 0x1000, NV_DEVICE_V0_TIME, &time, sizeof time - 1), -ENOSYS);
        assert_int_equal(method(file, 0x1000, 2, &time, sizeof time), -EINVAL);
        check_versions(file, 0x1000);
        rig_close(&rig);
    }
}

static void objects_of_nvif_are_named_by_the_program(void **state) {
    (void)state;
    rig_open(&rig, &parts[4]);
    struct drm_file *file = rig_file(&rig, RENDER), *other = rig_file(&rig, RENDER);
    struct call call = {.header = {.type = NVIF_IOCTL_V0_DEL, .object = 7}};
    struct nv_device_info_v0 info;
    assert_int_equal(new_device(file, 7, 0x80), 0);
    assert_int_equal(new_device(file, 7, 0x80), -EEXIST);
    assert_int_equal(new_device(other, 7, 0x80), 0);
    assert_int_equal(new_device(file, 8, 0x80), 0);
    assert_int_equal(new_device(file, 9, 0x9097), -EINVAL);
    assert_int_equal(nvif(file, &call, 0), 0);
    assert_int_equal(nvif(file, &call, 0), -ENOENT);
    assert_int_equal(method(file, 7, NV_DEVICE_V0_INFO, &info, sizeof info), -ENOENT);
    assert_int_equal(method(file, 8, NV_DEVICE_V0_INFO, &info, sizeof info), 0);
    assert_int_equal(method(other, 7, NV_DEVICE_V0_INFO, &info, sizeof info), 0);
    for (uint64_t object = 100; object < 1200; object++) {
        int result = new_device(file, object, 0x80);
        assert_true(result == 0 || (result == -ENOMEM && object > 1000));
    }
    rig_close(&rig);
}

static void classes_of_the_device_are_listed(void **state) {
    (void)state;
    rig_open(&rig, &parts[4]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct call call = {.header = {.type = NVIF_IOCTL_V0_SCLASS}};
    struct nvif_ioctl_sclass_v0 list = {.count = 2};
    struct nvif_ioctl_sclass_oclass_v0 entry;
    memcpy(call.body, &list, sizeof list);
    assert_int_equal(nvif(file, &call, sizeof list + 2 * sizeof entry), 0);
    memcpy(&list, call.body, sizeof list);
    memcpy(&entry, call.body + sizeof list, sizeof entry);
    assert_int_equal(list.count, 1);
    assert_int_equal(entry.oclass, 0x80);
    call.body[1] = 3; /* more than there is room for */
    assert_int_equal(nvif(file, &call, sizeof list + 2 * sizeof entry), -EINVAL);
    call.body[0] = 1;
    assert_int_equal(nvif(file, &call, sizeof list + 3 * sizeof entry), -ENOSYS);
    assert_int_equal(nvif(file, &call, sizeof list - 1), -ENOSYS);
    rig_close(&rig);
}

static void a_call_that_makes_no_sense_is_refused(void **state) {
    (void)state;
    rig_open(&rig, &parts[4]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct call call = {.header = {.type = NVIF_IOCTL_V0_NOP}};
    assert_int_equal(nvif(file, &call, 8), 0);
    assert_int_equal(nvif(file, &call, 7), -ENOSYS);
    for (size_t bytes = 0; bytes < sizeof call.header; bytes++)
        assert_int_equal(nvif(file, &call, bytes - sizeof call.header), -ENOSYS);
    call.header.version = 1;
    assert_int_equal(nvif(file, &call, 8), -ENOSYS);
    call.header.version = 0;
    call.header.route = 1;
    assert_int_equal(nvif(file, &call, 8), -EINVAL);
    call.header.route = 0;
    for (unsigned type = 4; type < 256; type++) {
        call.header.type = (uint8_t)type;
        assert_true(nvif(file, &call, 64) < 0);
    }
    call.header.type = NVIF_IOCTL_V0_NEW;
    assert_int_equal(nvif(file, &call, sizeof(struct nvif_ioctl_new_v0) - 1), -ENOSYS);
    call.header.type = NVIF_IOCTL_V0_MTHD;
    call.header.object = 5;
    assert_int_equal(new_device(file, 5, 0x80), 0);
    assert_int_equal(nvif(file, &call, sizeof(struct nvif_ioctl_mthd_v0) - 1), -ENOSYS);
    call.body[0] = 1;
    assert_int_equal(nvif(file, &call, sizeof(struct nvif_ioctl_mthd_v0)), -ENOSYS);
    unsigned long large = _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, DRM_COMMAND_BASE + DRM_NOUVEAU_NVIF, 4000);
    static uint8_t bytes[4096];
    assert_true(rig_ioctl(&rig, file, large, bytes) <= 0);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chip_is_known_by_its_number),
        cmocka_unit_test(memory_is_as_large_as_it_was_made),
        cmocka_unit_test(what_is_used_of_vram_is_told),
        cmocka_unit_test(units_of_the_graphics_engine_are_counted),
        cmocka_unit_test(time_does_not_go_back),
        cmocka_unit_test(parameters_that_are_not_known_are_refused),
        cmocka_unit_test(the_device_of_nvif_is_the_chip),
        cmocka_unit_test(objects_of_nvif_are_named_by_the_program),
        cmocka_unit_test(classes_of_the_device_are_listed),
        cmocka_unit_test(a_call_that_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
