/* SPDX-License-Identifier: MIT */
/*
 * What the node says of a chip, beside what nouveau says of it. Each column is from the function named there:
 *
 *   chipset, family, revision, platform   nvkm/engine/device/user.c, nvkm_udevice_info(); card_type of device/base.c
 *   name                                  nvkm/engine/device/base.c, nv*_chipset
 *   product                               nvkm/engine/device/pci.c, nvkm_device_pci_10de; without one: the name
 *   bus                                   nouveau_abi16.c, nouveau_abi16_ioctl_getparam(), NOUVEAU_GETPARAM_BUS_TYPE
 *   space                                 bits of nvkm/subdev/mmu/vmm{nv04,nv41,nv44,nv50,gf100,gp100}.c;
 * nv41_mmu_new() and nv44_mmu_new() take NV4's on AGP. nouveau_ttm.c makes it the size of GART instance
 * nvkm/subdev/instmem/nv40.c: bytes of a context for each vertex unit
 */
#include "drm/rig.h"

#include <nouveau/nvif/cl0080.h>
#include <nouveau/nvif/ioctl.h>
#include <stdio.h>

#include "chip/chip.h"
#include "face/drm/node/node.h"

enum { AGP, PCI, PCIE, SOC }; /* of GETPARAM */
enum { CURIE = 5, TESLA, FERMI, KEPLER, MAXWELL, PASCAL };

#define IGP true
#define MIB (UINT64_C(1) << 20)

static const struct row {
    const char *chip;
    uint16_t chipset, device;
    uint8_t family, bus;
    bool igp;
    uint8_t space;
    const char *name, *product; /* NULL: the chip's own name; as the name */
    uint16_t instance;          /* 0: all of VRAM is the programs' */
} rows[] = {
    {"NV40", 0x40, 0x0041, CURIE, AGP, !IGP, 27, NULL, "GeForce 6800", 0x6aa0},
    {"NV45", 0x45, 0x00f9, CURIE, PCIE, !IGP, 27, NULL, "GeForce 6800 Ultra", 0x4a40},
    {"NV41", 0x41, 0x00c1, CURIE, PCIE, !IGP, 29, NULL, "GeForce 6800", 0x4f00},
    {"NV42", 0x42, 0x00c3, CURIE, PCIE, !IGP, 29, NULL, "GeForce 6800 XT", 0x4f00},
    {"NV43", 0x43, 0x0141, CURIE, PCIE, !IGP, 29, NULL, "GeForce 6600", 0x4a40},
    {"NV44", 0x44, 0x0161, CURIE, PCIE, !IGP, 29, NULL, "GeForce 6200 TurboCache(TM)", 0x4980},
    {"NV44A", 0x4a, 0x0221, CURIE, AGP, !IGP, 27, NULL, "GeForce 6200", 0x4980},
    {"G70", 0x47, 0x0091, CURIE, PCIE, !IGP, 29, NULL, "GeForce 7800 GTX", 0x4a40},
    {"G71", 0x49, 0x0290, CURIE, PCIE, !IGP, 29, NULL, "GeForce 7900 GTX", 0x4a40},
    {"G73", 0x4b, 0x0391, CURIE, PCIE, !IGP, 29, NULL, "GeForce 7600 GT", 0x4a40},
    {"G72", 0x46, 0x01d1, CURIE, PCIE, !IGP, 29, NULL, "GeForce 7300 LE", 0x4980},
    {"C51", 0x4e, 0x0240, CURIE, PCI, IGP, 29, NULL, "GeForce 6150", 0x4980},
    {"MCP61", 0x4c, 0x03d0, CURIE, PCI, IGP, 29, "C61", "GeForce 6150SE nForce 430", 0x4980},
    {"MCP67", 0x67, 0x0533, CURIE, PCI, IGP, 29, "C67", "GeForce 7000M / nForce 610M", 0x4980},
    {"MCP68", 0x68, 0x053e, CURIE, PCI, IGP, 29, "C68", "GeForce 7025 / nForce 630a", 0x4980},
    {"MCP73", 0x63, 0x07e1, CURIE, PCI, IGP, 29, "C73", "GeForce 7100 / nForce 630i", 0x4980},
    {"G80", 0x50, 0x0191, TESLA, PCIE, !IGP, 40, NULL, "GeForce 8800 GTX", 0},
    {"G84", 0x84, 0x0400, TESLA, PCIE, !IGP, 40, NULL, "GeForce 8600 GTS", 0},
    {"G86", 0x86, 0x0421, TESLA, PCIE, !IGP, 40, NULL, "GeForce 8500 GT", 0},
    {"G92", 0x92, 0x0611, TESLA, PCIE, !IGP, 40, NULL, "GeForce 8800 GT", 0},
    {"G94", 0x94, 0x0622, TESLA, PCIE, !IGP, 40, NULL, "GeForce 9600 GT", 0},
    {"G96", 0x96, 0x0640, TESLA, PCIE, !IGP, 40, NULL, "GeForce 9500 GT", 0},
    {"G98", 0x98, 0x06e4, TESLA, PCIE, !IGP, 40, NULL, "GeForce 8400 GS", 0},
    {"GT200", 0xa0, 0x05e1, TESLA, PCIE, !IGP, 40, NULL, "GeForce GTX 280", 0},
    {"MCP77", 0xaa, 0x0848, TESLA, PCIE, IGP, 40, "MCP77/MCP78", "GeForce 8300", 0},
    {"MCP79", 0xac, 0x0863, TESLA, PCIE, IGP, 40, "MCP79/MCP7A", "GeForce 9400M", 0},
    {"GT215", 0xa3, 0x0ca3, TESLA, PCIE, !IGP, 40, NULL, "GeForce GT 240", 0},
    {"GT216", 0xa5, 0x0a20, TESLA, PCIE, !IGP, 40, NULL, "GeForce GT 220", 0},
    {"GT218", 0xa8, 0x0a65, TESLA, PCIE, !IGP, 40, NULL, "GeForce 210", 0},
    {"MCP89", 0xaf, 0x08a0, TESLA, PCIE, IGP, 40, NULL, "GeForce 320M", 0},
    {"GF100", 0xc0, 0x06c0, FERMI, PCIE, !IGP, 40, NULL, "GeForce GTX 480", 0},
    {"GF104", 0xc4, 0x0e22, FERMI, PCIE, !IGP, 40, NULL, "GeForce GTX 460", 0},
    {"GF114", 0xce, 0x1200, FERMI, PCIE, !IGP, 40, NULL, "GeForce GTX 560 Ti", 0},
    {"GF106", 0xc3, 0x0dc4, FERMI, PCIE, !IGP, 40, NULL, "GeForce GTS 450", 0},
    {"GF116", 0xcf, 0x1244, FERMI, PCIE, !IGP, 40, NULL, "GeForce GTX 550 Ti", 0},
    {"GF108", 0xc1, 0x0de1, FERMI, PCIE, !IGP, 40, NULL, "GeForce GT 430", 0},
    {"GF110", 0xc8, 0x1080, FERMI, PCIE, !IGP, 40, NULL, "GeForce GTX 580", 0},
    {"GF119", 0xd9, 0x1040, FERMI, PCIE, !IGP, 40, NULL, "GeForce GT 520", 0},
    {"GF117", 0xd7, 0x1140, FERMI, PCIE, !IGP, 40, NULL, NULL, 0},
    {"GK104", 0xe4, 0x1180, KEPLER, PCIE, !IGP, 40, NULL, "GeForce GTX 680", 0},
    {"GK107", 0xe7, 0x0fc6, KEPLER, PCIE, !IGP, 40, NULL, "GeForce GTX 650", 0},
    {"GK106", 0xe6, 0x11c0, KEPLER, PCIE, !IGP, 40, NULL, "GeForce GTX 660", 0},
    {"GK110", 0xf0, 0x1005, KEPLER, PCIE, !IGP, 40, NULL, "GeForce GTX TITAN", 0},
    {"GK110B", 0xf1, 0x100a, KEPLER, PCIE, !IGP, 40, NULL, "GeForce GTX 780 Ti", 0},
    {"GK208", 0x108, 0x1287, KEPLER, PCIE, !IGP, 40, NULL, "GeForce GT 730", 0},
    {"GK208B", 0x106, 0x1280, KEPLER, PCIE, !IGP, 40, NULL, "GeForce GT 635", 0},
    {"GK20A", 0xea, 0, KEPLER, SOC, !IGP, 40, NULL, NULL, 0},
    {"GM107", 0x117, 0x1380, MAXWELL, PCIE, !IGP, 40, NULL, "GeForce GTX 750 Ti", 0},
    {"GM108", 0x118, 0x1340, MAXWELL, PCIE, !IGP, 40, NULL, "GeForce 830M", 0},
    {"GM200", 0x120, 0x17c2, MAXWELL, PCIE, !IGP, 40, NULL, "GeForce GTX TITAN X", 0},
    {"GM204", 0x124, 0x13c0, MAXWELL, PCIE, !IGP, 40, NULL, "GeForce GTX 980", 0},
    {"GM206", 0x126, 0x1401, MAXWELL, PCIE, !IGP, 40, NULL, "GeForce GTX 960", 0},
    {"GM20B", 0x12b, 0, MAXWELL, SOC, !IGP, 40, NULL, NULL, 0},
    {"GP100", 0x130, 0x15f8, PASCAL, PCIE, !IGP, 49, NULL, NULL, 0},
    {"GP102", 0x132, 0x1b06, PASCAL, PCIE, !IGP, 49, NULL, NULL, 0},
    {"GP104", 0x134, 0x1b80, PASCAL, PCIE, !IGP, 49, NULL, NULL, 0},
    {"GP106", 0x136, 0x1c03, PASCAL, PCIE, !IGP, 49, NULL, NULL, 0},
    {"GP107", 0x137, 0x1c82, PASCAL, PCIE, !IGP, 49, NULL, NULL, 0},
    {"GP108", 0x138, 0x1d01, PASCAL, PCIE, !IGP, 49, NULL, NULL, 0},
    {"GP10B", 0x13b, 0, PASCAL, SOC, !IGP, 49, NULL, NULL, 0},
};

static struct rig rig;

#define FOR_EACH_ROW for (const struct row *row = rows; row < rows + COUNT_OF(rows); row++)

static struct drm_file *open_row(const struct row *row) {
    static struct part part;
    part = (struct part){.chip = row->chip};
    rig.config = (struct drm_config){.vram_bytes = row->bus == SOC ? 0 : 64 * MIB, .system_bytes = 64 * MIB};
    rig_open(&rig, &part);
    return rig_file(&rig, RENDER);
}

static int getparam(struct drm_file *file, uint64_t param, uint64_t *value) {
    struct drm_nouveau_getparam request = {.param = param};
    int status = rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GETPARAM, struct drm_nouveau_getparam), &request);
    *value = request.value;
    return status;
}

static void check(const struct row *row, const char *what, uint64_t is, uint64_t wanted) {
    if (is != wanted)
        fail_msg("%s: %s is %llx, not %llx", row->chip, what, (unsigned long long)is, (unsigned long long)wanted);
}

static void check_param(const struct row *row, struct drm_file *file, uint64_t param, uint64_t wanted) {
    char what[32];
    uint64_t value;
    snprintf(what, sizeof what, "parameter %u", (unsigned)param);
    check(row, what, (uint64_t)getparam(file, param, &value), 0);
    check(row, what, value, wanted);
}

static struct pfifo_gpu *gpu(void) {
    return pfifo_device_gpu(drm_device_pfifo(rig.device));
}

/* ---- the device, by NVIF ---- */

/* The header of a call, and what follows it: these structures have no end of their own. */
static int nvif(struct drm_file *file, const struct nvif_ioctl_v0 *header, void *body, size_t bytes) {
    uint8_t call[256];
    unsigned long request =
        _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, DRM_COMMAND_BASE + DRM_NOUVEAU_NVIF, sizeof *header + bytes);
    assert_true(sizeof *header + bytes <= sizeof call);
    memcpy(call, header, sizeof *header);
    memcpy(call + sizeof *header, body, bytes);
    int status = rig_ioctl(&rig, file, request, call);
    memcpy(body, call + sizeof *header, bytes);
    return status;
}

static struct nv_device_info_v0 info_of(struct drm_file *file) {
    const struct nvif_ioctl_v0 make = {.type = NVIF_IOCTL_V0_NEW},
                               call = {.type = NVIF_IOCTL_V0_MTHD, .object = 0x1000};
    const struct nvif_ioctl_new_v0 device = {.object = 0x1000, .oclass = 0x80};
    const struct nvif_ioctl_mthd_v0 method = {.method = NV_DEVICE_V0_INFO};
    struct nv_device_info_v0 info;
    uint8_t make_body[sizeof device + sizeof(struct nv_device_v0)] = {0}, body[sizeof method + sizeof info] = {0};
    memcpy(make_body, &device, sizeof device);
    memcpy(body, &method, sizeof method);
    assert_int_equal(nvif(file, &make, make_body, sizeof make_body), 0);
    assert_int_equal(nvif(file, &call, body, sizeof body), 0);
    memcpy(&info, body + sizeof method, sizeof info);
    return info;
}

static uint8_t platform_of(const struct row *row) {
    static const uint8_t platforms[] = {NV_DEVICE_INFO_V0_AGP, NV_DEVICE_INFO_V0_PCI, NV_DEVICE_INFO_V0_PCIE,
                                        NV_DEVICE_INFO_V0_SOC};
    return row->igp ? NV_DEVICE_INFO_V0_IGP : platforms[row->bus];
}

static uint64_t vram_for_programs(const struct row *row) {
    uint32_t units = row->instance ? pfifo_gpu_rd32(gpu(), 0x1540) >> 8 & 0xff : 0;
    uint64_t reserved = 0x4000;
    if (row->bus == SOC || !row->instance)
        return row->bus == SOC ? 0 : 64 * MIB;
    for (; units; units >>= 1)
        reserved += (units & 1) * row->instance;
    return 64 * MIB - (((reserved * 32 + MIB) + 0xfff) & ~UINT64_C(0xfff));
}

static void nvif_tells_of_the_device_what_the_kernel_does(void **state) {
    (void)state;
    FOR_EACH_ROW {
        struct drm_file *file = open_row(row);
        struct nv_device_info_v0 info = info_of(file);
        const char *name = row->name ? row->name : row->chip;
        check(row, "version", info.version, 0);
        check(row, "chipset", info.chipset, row->chipset);
        check(row, "family", info.family, row->family);
        check(row, "revision", info.revision, pfifo_gpu_rd32(gpu(), 0) & 0xff);
        check(row, "platform", info.platform, platform_of(row));
        check(row, "ram_size", info.ram_size, row->bus == SOC ? 0 : 64 * MIB);
        check(row, "ram_user", info.ram_user, vram_for_programs(row));
        assert_string_equal(info.chip, name);
        assert_string_equal(info.name, row->product ? row->product : name);
        rig_close(&rig);
    }
}

/* ---- GETPARAM ---- */

static void getparam_says_what_the_kernel_does(void **state) {
    (void)state;
    FOR_EACH_ROW {
        struct drm_file *file = open_row(row);
        check_param(row, file, NOUVEAU_GETPARAM_PCI_VENDOR, row->bus == SOC ? 0 : 0x10de);
        check_param(row, file, NOUVEAU_GETPARAM_PCI_DEVICE, row->device);
        check_param(row, file, NOUVEAU_GETPARAM_BUS_TYPE, row->bus);
        check_param(row, file, NOUVEAU_GETPARAM_FB_SIZE, vram_for_programs(row));
        check_param(row, file, NOUVEAU_GETPARAM_AGP_SIZE, UINT64_C(1) << row->space);
        check_param(row, file, NOUVEAU_GETPARAM_CHIPSET_ID, row->chipset);
        check_param(row, file, NOUVEAU_GETPARAM_VM_VRAM_BASE, 0);
        check_param(row, file, NOUVEAU_GETPARAM_HAS_BO_USAGE, 1);
        check_param(row, file, NOUVEAU_GETPARAM_HAS_PAGEFLIP, 1);
        rig_close(&rig);
    }
}

/* By number, of nouveau_abi16_ioctl_getparam(), as version 1.4.1 has them. */
static void parameters_are_there_or_not_as_in_the_kernel(void **state) {
    static const struct {
        uint64_t param;
        int status;
    } params[] = {{0, -EINVAL},  {1, -EINVAL},
                  {2, -EINVAL},  {3, 0},
                  {4, 0},        {5, 0},
                  {6, -EINVAL},  {7, -EINVAL}, /* FB and AGP addresses, gone since 3.0 */
                  {8, 0},        {9, 0},
                  {10, -EINVAL}, {11, 0},
                  {12, 0},       {13, 0},
                  {14, 0},       {15, 0},
                  {16, 0},       {17, 0}, /* EXEC_PUSH_MAX, 1.4 */
                  {18, 0},       {19, 0}, /* VRAM_BAR_SIZE, VRAM_USED */
                  {20, 0},                /* HAS_VMA_TILEMODE, 1.4.1 */
                  {21, -EINVAL}, {UINT64_MAX, -EINVAL}};
    (void)state;
    FOR_EACH_ROW {
        struct drm_file *file = open_row(row);
        uint64_t value;
        for (size_t i = 0; i < COUNT_OF(params); i++)
            check(row, "status", (uint64_t)getparam(file, params[i].param, &value), (uint64_t)params[i].status);
        rig_close(&rig);
    }
}

/*
 * ttm_resource_manager_usage() of VRAM: what the kernel has made itself is in it. The console of 1024 x 768, at 16 bits
 * for a pixel with 64 MiB (nouveau_drm.c), at 32 with more; fences; and the cursors of two heads (dispnv04/crtc.c) or a
 * page (dispnv50/disp.c).
 */
static void vram_is_in_use_from_the_start(void **state) {
    (void)state;
    FOR_EACH_ROW {
        struct drm_file *file = open_row(row);
        uint64_t console = UINT64_C(1024) * 768 * 2, display = row->family == CURIE ? 0x8000 : 0x1000;
        uint64_t fences = row->family == CURIE || row->chipset == 0x50 ? 0x1000 : 16 * rig.config.chip->channels;
        uint64_t used = console + display + ((fences + 0xfff) & ~UINT64_C(0xfff));
        check_param(row, file, 19, row->bus == SOC ? 0 : used);
        rig_close(&rig);
    }
}

static void what_programs_have_of_vram_is_counted(void **state) {
    (void)state;
    FOR_EACH_ROW {
        struct drm_file *file = open_row(row);
        uint64_t before, after;
        getparam(file, 19, &before);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, VRAM, 3 * PAGE);
        rig_buffer(&rig, file, GART, 5 * PAGE);
        getparam(file, 19, &after);
        check(row, "what is used", after - before, row->bus == SOC ? 0 : buffer.size);
        rig_close_handle(&rig, file, buffer.handle);
        check_param(row, file, 19, before);
        rig_close(&rig);
    }
}

/* ---- CHANNEL_ALLOC: nouveau_abi16.c, nouveau_abi16_ioctl_channel_alloc() ---- */

static void a_channel_comes_with_what_the_kernel_says(void **state) {
    (void)state;
    FOR_EACH_ROW {
        struct drm_file *file = open_row(row);
        struct drm_nouveau_channel_alloc alloc = {
            .fb_ctxdma_handle = FB_HANDLE, .tt_ctxdma_handle = TT_HANDLE, .nr_subchan = 9};
        check(row, "status", (uint64_t)rig_channel_alloc(&rig, file, &alloc), 0);
        check(row, "pushbuf_domains", alloc.pushbuf_domains, row->family == CURIE ? GART : VRAM | GART);
        check(row, "nr_subchan", alloc.nr_subchan, 9);
        check(row, "subchan", alloc.subchan[0].grclass | alloc.subchan[0].handle, 0);
        struct drm_nouveau_gem_info info = {.handle = alloc.notifier_handle};
        unsigned long request = NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info);
        check(row, "GEM_INFO", (uint64_t)rig_ioctl(&rig, file, request, &info), 0);
        check(row, "the notifiers' size", info.size, PAGE);
        check(row, "the notifiers' domain", info.domain, GART);
        rig_close(&rig);
    }
}

/* ---- GEM_NEW: nouveau_bo.c, nouveau_bo_alloc() and nouveau_bo_fixup_align() ---- */

static uint64_t size_of(struct drm_file *file, uint32_t domains, uint64_t bytes) {
    struct drm_nouveau_gem_info info = rig_buffer(&rig, file, domains, bytes);
    rig_close_handle(&rig, file, info.handle);
    return info.size;
}

static void a_buffer_of_vram_has_whole_pages_of_its_mapping(void **state) {
    (void)state;
    FOR_EACH_ROW {
        static const uint64_t larges[] = {[CURIE] = 0x1000,   [TESLA] = 0x10000,   [FERMI] = 0x20000,
                                          [KEPLER] = 0x20000, [MAXWELL] = 0x20000, [PASCAL] = 0x10000};
        struct drm_file *file = open_row(row);
        uint64_t large = row->bus == SOC ? 0x1000 : larges[row->family];
        check(row, "small", size_of(file, VRAM, 0x1001), 0x2000);
        check(row, "larger", size_of(file, VRAM, 0x20001), large > 0x10000 ? 0x40000 : 0x20000 + large);
        check(row, "anywhere", size_of(file, VRAM | GART, 0x20001), 0x21000);
        check(row, "in GART", size_of(file, GART, 0x20001), 0x21000);
        check(row, "huge", size_of(file, VRAM, 0x200001),
              row->family == PASCAL && row->bus != SOC ? 0x400000 : 0x200000 + large);
        rig_close(&rig);
    }
}

/* ---- storage types: nouveau_bo_alloc(), nvkm/subdev/mmu/{nv50,gf100,gm200}.c ---- */

/* -1: there is no such type. */
struct kind {
    uint8_t kind;
    int plain;
};

static struct drm_nouveau_gem_info kind_buffer(struct drm_file *file, uint32_t domains, uint32_t flags, int *status) {
    struct drm_nouveau_gem_new request = {.info = {.domain = domains, .size = PAGE, .tile_flags = flags}};
    *status = rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), &request);
    return request.info;
}

static void check_kind(const struct row *row, struct drm_file *file, struct kind kind) {
    int status;
    uint64_t large = row->family == PASCAL ? 0x10000 : 0x20000;
    struct drm_nouveau_gem_info info = kind_buffer(file, GART, (uint32_t)kind.kind << 8, &status);
    check(row, "status", (uint64_t)status, (uint64_t)(kind.plain < 0 ? -EINVAL : 0));
    if (status)
        return;
    check(row, "type in GART", info.tile_flags, (uint64_t)kind.plain << 8);
    rig_close_handle(&rig, file, info.handle);
    info = kind_buffer(file, VRAM, (uint32_t)kind.kind << 8, &status);
    bool compressed = kind.plain != kind.kind && row->bus != SOC;
    check(row, "type in VRAM", info.tile_flags, (uint64_t)(compressed ? kind.kind : kind.plain) << 8);
    check(row, "size", info.size, compressed ? large : PAGE);
    rig_close_handle(&rig, file, info.handle);
}

/* What compresses has large pages in VRAM, and does not compress in GART. */
static void storage_types_are_those_that_the_kernel_knows(void **state) {
    static const struct kind kinds[] = {
        {0x00, 0x00}, {0x01, 0x01}, {0x05, 0x01}, {0x06, -1},   {0x0a, 0x01}, {0x0b, -1},   {0x10, -1},
        {0x11, 0x11}, {0x17, 0x11}, {0x1b, -1},   {0x29, 0x29}, {0x2c, -1},   {0x3b, 0x27}, {0x41, 0x29},
        {0x42, -1},   {0x51, 0x46}, {0x7b, 0x7b}, {0x89, 0x7b}, {0x8a, -1},   {0x8e, 0x8e}, {0xa5, 0x8d},
        {0xc1, 0xa9}, {0xc3, 0xc3}, {0xcd, 0xfe}, {0xd1, 0xc3}, {0xd2, -1},   {0xdb, 0xfe}, {0xdc, -1},
        {0xe8, -1},   {0xfb, 0xfe}, {0xfc, -1},   {0xfd, 0xfd}, {0xfe, 0xfe}, {0xff, -1}};
    (void)state;
    FOR_EACH_ROW {
        if (row->family < FERMI)
            continue;
        struct drm_file *file = open_row(row);
        bool gm200 = chip_in_range(rig.config.chip, "GM200-");
        for (size_t i = 0; i < COUNT_OF(kinds); i++)
            check_kind(row, file, kinds[i]);
        check_kind(row, file, (struct kind){0x2b, gm200 ? 0x2b : -1});
        rig_close(&rig);
    }
}

/* nouveau_vma_new(): what the buffer has is what its mapping gets. */
static void a_mapping_has_the_type_and_the_pages_of_its_buffer(void **state) {
    static const struct {
        uint32_t domain, flags, kind, page;
    } buffers[] = {{VRAM, 0xfe00, 0xfe, 0x1000}, {VRAM, 0xdb00, 0xdb, 0x20000}, {GART, 0xdb00, 0xfe, 0x1000}};
    (void)state;
    FOR_EACH_ROW {
        if (row->family != FERMI)
            continue;
        struct drm_file *file = open_row(row);
        for (size_t i = 0; i < COUNT_OF(buffers); i++) {
            int status;
            struct pfifo_vm_map map = {.size = sizeof map};
            struct drm_nouveau_gem_info info = kind_buffer(file, buffers[i].domain, buffers[i].flags, &status);
            check(row, "status", (uint64_t)status, 0);
            assert_true(pfifo_vm_at(file->vm, info.offset, &map));
            check(row, "type", map.kind, buffers[i].kind);
            check(row, "page", map.page_bytes, buffers[i].page);
        }
        rig_close(&rig);
    }
}

/* Tesla has 7 bits, and two more for compression; NV4x takes any flags. */
static void storage_types_of_tesla_have_compression_beside_them(void **state) {
    static const uint8_t good[] = {0, 0x10, 0x1b, 0x26, 0x2e, 0x4d, 0x56, 0x66, 0x70, 0x72, 0x76, 0x7d};
    static const uint8_t bad[] = {0x01, 0x14, 0x27, 0x2f, 0x30, 0x4e, 0x53, 0x57, 0x67, 0x71, 0x77, 0x7e, 0x7f};
    (void)state;
    FOR_EACH_ROW {
        int status;
        if (row->family > TESLA)
            continue;
        struct drm_file *file = open_row(row);
        for (size_t i = 0; i < COUNT_OF(good); i++) {
            kind_buffer(file, GART, (uint32_t)good[i] << 8, &status);
            check(row, "a type", (uint64_t)status, 0);
        }
        for (size_t i = 0; i < COUNT_OF(bad); i++) {
            kind_buffer(file, GART, (uint32_t)bad[i] << 8, &status);
            check(row, "no type", (uint64_t)status, (uint64_t)(row->family == TESLA ? -EINVAL : 0));
        }
        struct drm_nouveau_gem_info vram = kind_buffer(file, VRAM, 0x17000, &status);
        struct drm_nouveau_gem_info gart = kind_buffer(file, GART, 0x17000, &status);
        check(row, "in VRAM", vram.tile_flags, row->family == TESLA ? 0x17000 : 0);
        check(row, "its size", vram.size, row->family == TESLA ? 0x10000 : PAGE);
        check(row, "in GART", gart.tile_flags, row->family == TESLA ? 0x7000 : 0);
        rig_close(&rig);
    }
}

/* ---- */

/* RSX is missing: no kernel drives it. */
static void every_chip_has_a_row(void **state) {
    const struct pfifo_chip *chip;
    (void)state;
    for (size_t n = 0; (chip = pfifo_chip_at(n)) != NULL; n++) {
        bool found = !drm_has_chip(chip) || strcmp(chip->name, "RSX") == 0;
        FOR_EACH_ROW found = found || strcmp(row->chip, chip->name) == 0;
        if (!found)
            fail_msg("%s has no row", chip->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chip_has_a_row),
        cmocka_unit_test(nvif_tells_of_the_device_what_the_kernel_does),
        cmocka_unit_test(getparam_says_what_the_kernel_does),
        cmocka_unit_test(parameters_are_there_or_not_as_in_the_kernel),
        cmocka_unit_test(vram_is_in_use_from_the_start),
        cmocka_unit_test(what_programs_have_of_vram_is_counted),
        cmocka_unit_test(a_channel_comes_with_what_the_kernel_says),
        cmocka_unit_test(a_buffer_of_vram_has_whole_pages_of_its_mapping),
        cmocka_unit_test(storage_types_are_those_that_the_kernel_knows),
        cmocka_unit_test(a_mapping_has_the_type_and_the_pages_of_its_buffer),
        cmocka_unit_test(storage_types_of_tesla_have_compression_beside_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
