/* SPDX-License-Identifier: MIT */
/*
 * What a device says of itself: GETPARAM. Source: Linux drivers/gpu/drm/nouveau/nouveau_abi16.c.
 *
 * Of the parameters that came after version 1.3.1, those are there in all versions that need no new ioctl: how large
 * BAR1 is, and what is used of VRAM. EXEC_PUSH_MAX (1.4) and HAS_VMA_TILEMODE (1.4.1) tell of EXEC and VM_BIND: EINVAL
 * below, as of a kernel that has not got these.
 */
#include "face/drm/node/nouveau.h"

#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <nouveau_drm.h>

#include "chip/chip.h"
#include "face/drm/board.h"
#include "face/drm/node/uapi.h"

#define GETPARAM_VRAM_BAR_SIZE 18
#define GETPARAM_VRAM_USED     19
#define PAGE_BYTES             UINT64_C(4096)
#define HWUNITS                0x1540u /* NV40:GF100: masks of units */
#define PTIMER_TIME_LOW        0x9400u
#define PTIMER_TIME_HIGH       0x9410u

/* ---- memory ---- */

static uint64_t nouveau_round_up(uint64_t bytes, uint64_t step) {
    return (bytes + step - 1) / step * step;
}

uint64_t nouveau_vram_size(const struct drm_device *device) {
    return device->config.chip->vram_bytes ? pfifo_gpu_vram_bytes(pfifo_device_gpu(device->pfifo)) : 0;
}

/*
 * Before G80 contexts are in RAMIN, at the end of VRAM: for each vertex unit so many bytes of context, on 32 channels,
 * and 1 MiB (nvkm/subdev/instmem/nv40.c, nv40_instmem_oneinit()). Later all of VRAM is one heap.
 */
static uint32_t unit_bytes(const struct pfifo_chip *chip) {
    static const struct instance_row {
        const char *chips;
        uint32_t unit_bytes;
    } rows[] = {{"NV40", 0x6aa0},
                {"NV41 NV42", 0x4f00},
                {"NV44 NV44A G72 C51 MCP61 MCP67 MCP68 MCP73 RSX", 0x4980},
                {"NV40:G80", 0x4a40}};
    const struct instance_row *row = CHIP_ROW(chip, rows);
    return row ? row->unit_bytes : 0;
}

static uint64_t instance_bytes(const struct drm_device *device) {
    if (!device->limits.unit_bytes)
        return 0;
    uint32_t units = pfifo_gpu_rd32(pfifo_device_gpu(device->pfifo), HWUNITS) >> 8 & 0xff;
    uint64_t bytes = 0x4000;
    for (; units; units &= units - 1)
        bytes += device->limits.unit_bytes;
    return nouveau_round_up(bytes * 32 + 0x100000, PAGE_BYTES);
}

uint64_t nouveau_vram_bytes(const struct drm_device *device) {
    uint64_t bytes = nouveau_vram_size(device), reserved = instance_bytes(device);
    return bytes > reserved ? bytes - reserved : 0;
}

/*
 * As large as the address space of a client, whatever memory there is: nouveau_ttm.c, nouveau_ttm_init(); bits of
 * nvkm/subdev/mmu/vmm{nv04,nv41,nv44,nv50,gf100,gp100}.c. An AGP board has NV4's table, and no bridge here.
 */
static uint8_t space_bits(const struct pfifo_chip *chip) {
    static const struct space_row {
        const char *chips;
        uint8_t bits;
    } rows[] = {{"NV40 NV45 NV44A", 27}, {"NV41:G80", 29}, {"G80:GP100", 40}, {"GP100-", 49}};
    const struct space_row *row = CHIP_ROW(chip, rows);
    return row->bits;
}

uint64_t nouveau_gart_bytes(const struct drm_device *device) {
    return UINT64_C(1) << device->limits.space_bits;
}

struct drm_limits nouveau_limits(const struct pfifo_chip *chip) {
    return (struct drm_limits){.unit_bytes = unit_bytes(chip), .space_bits = space_bits(chip)};
}

/* ---- what the kernel has in VRAM ---- */

/* By size of VRAM, the console's bytes of a pixel (nouveau_drm.c, drm_fbdev_ttm_setup()). */
static uint32_t console_pixel(uint64_t vram) {
    if (vram <= UINT64_C(32) << 20)
        return 1;
    return vram <= UINT64_C(64) << 20 ? 2 : 4;
}

/* nouveau_display.c, nouveau_display_dumb_create() */
static uint64_t console_bytes(const struct drm_device *device) {
    uint32_t width, height;
    kms_console_size(device->kms, &width, &height);
    uint64_t pitch = nouveau_round_up((uint64_t)width * console_pixel(nouveau_vram_size(device)), 256);
    return nouveau_round_up(pitch * height, PAGE_BYTES);
}

/*
 * The kernel's own buffers: fences, a page or 16 bytes for each channel (nv17_fence.c, nv50_fence.c, nv84_fence.c); the
 * cursors of two heads (dispnv04/crtc.c), or a page for flips (dispnv50/disp.c).
 */
static uint64_t own_bytes(const struct pfifo_chip *chip) {
    static const struct own_row {
        const char *chips;
        uint32_t fence, fence_of_channel, display;
    } rows[] = {
        {"NV40:G80", PAGE_BYTES, 0, 2 * 64 * 64 * 4}, {"G80", PAGE_BYTES, 0, PAGE_BYTES}, {"G84-", 0, 16, PAGE_BYTES}};
    const struct own_row *row = CHIP_ROW(chip, rows);
    return row->fence + nouveau_round_up((uint64_t)row->fence_of_channel * chip->channels, PAGE_BYTES) + row->display;
}

/*
 * What TTM counts: buffers of programs, and those of the kernel's own. Page tables and contexts are not TTM's. A chip
 * without VRAM has none in use. Chosen, as it differs between versions of Linux: the console, fences, and the display.
 */
static uint64_t vram_used(const struct drm_device *device) {
    const struct pfifo_chip *chip = device->config.chip;
    if (!chip->vram_bytes)
        return 0;
    return device->vram_used + console_bytes(device) + own_bytes(chip);
}

/* ---- units of PGRAPH, as nouveau counts them (nvkm/engine/gr/{nv40,nv50,gf100}.c) ---- */

static uint64_t units_nv40(struct pfifo_gpu *gpu) {
    return pfifo_gpu_rd32(gpu, HWUNITS);
}

static uint64_t units_gf100(struct pfifo_gpu *gpu) {
    uint32_t counts = pfifo_gpu_rd32(gpu, 0x409604);
    uint64_t gpcs = counts & 0x1f, rops = counts >> 16 & 0x1f, tpcs = 0;
    for (uint32_t gpc = 0; gpc < gpcs; gpc++)
        tpcs += pfifo_gpu_rd32(gpu, 0x502608 + gpc * 0x8000);
    return gpcs | tpcs << 8 | rops << 32;
}

static uint64_t graph_units(struct drm_device *device) {
    static const struct units_row {
        const char *chips;
        uint64_t (*count)(struct pfifo_gpu *gpu);
    } rows[] = {{"NV40:GF100", units_nv40}, {"GF100-", units_gf100}};
    const struct units_row *row = CHIP_ROW(device->config.chip, rows);
    return row->count(pfifo_device_gpu(device->pfifo));
}

uint64_t nouveau_time(struct drm_device *device) {
    struct pfifo_gpu *gpu = pfifo_device_gpu(device->pfifo);
    uint32_t high, low;
    do {
        high = pfifo_gpu_rd32(gpu, PTIMER_TIME_HIGH);
        low = pfifo_gpu_rd32(gpu, PTIMER_TIME_LOW);
    } while (high != pfifo_gpu_rd32(gpu, PTIMER_TIME_HIGH));
    return (uint64_t)high << 32 | low;
}

static int getparam(struct drm_file *file, void *data) {
    struct drm_nouveau_getparam *request = data;
    struct drm_device *device = file->device;
    uint16_t board = board_pci_device(device->config.chip);
    switch (request->param) {
    case NOUVEAU_GETPARAM_PCI_VENDOR:
        request->value = board ? BOARD_VENDOR : 0;
        return 0;
    case NOUVEAU_GETPARAM_PCI_DEVICE:
        request->value = board;
        return 0;
    case NOUVEAU_GETPARAM_BUS_TYPE:
        request->value = board_bus(device->config.chip);
        return 0;
    case NOUVEAU_GETPARAM_FB_SIZE:
        request->value = nouveau_vram_bytes(device);
        return 0;
    case NOUVEAU_GETPARAM_AGP_SIZE:
        request->value = nouveau_gart_bytes(device);
        return 0;
    case NOUVEAU_GETPARAM_CHIPSET_ID:
        request->value = pfifo_chip_info(device->config.chip).id;
        return 0;
    case NOUVEAU_GETPARAM_VM_VRAM_BASE:
        request->value = 0;
        return 0;
    case NOUVEAU_GETPARAM_GRAPH_UNITS:
        request->value = graph_units(device);
        return 0;
    case NOUVEAU_GETPARAM_PTIMER_TIME:
        request->value = nouveau_time(device);
        return 0;
    case NOUVEAU_GETPARAM_HAS_BO_USAGE:
    case NOUVEAU_GETPARAM_HAS_PAGEFLIP:
        request->value = 1;
        return 0;
    case GETPARAM_VRAM_BAR_SIZE:
        request->value = pfifo_gpu_bar_bytes(pfifo_device_gpu(device->pfifo), 1);
        return 0;
    case GETPARAM_VRAM_USED:
        request->value = vram_used(device);
        return 0;
    case UAPI_EXEC_PUSH_MAX:
        request->value = device->config.chip->has_ib ? UAPI_MOST_PUSHES : 0;
        return drm_has_spaces(device) ? 0 : -EINVAL;
    case UAPI_HAS_VMA_TILEMODE:
        request->value = 1;
        return drm_has_spaces(device) && (device->config.minor > 4 || device->config.patch) ? 0 : -EINVAL;
    default:
        return -EINVAL;
    }
}

/* Only for root, who is told EINVAL (nouveau_drm.c: DRM_ROOT_ONLY, drm_invalid_op()). A program here is none. */
static int setparam(struct drm_file *file, void *data) {
    (void)file;
    (void)data;
    return -EACCES;
}

const struct drm_ioctl drm_nouveau_ioctls[] = {
    {0x40 + DRM_NOUVEAU_GETPARAM, sizeof(struct drm_nouveau_getparam), DRM_IOCTL_RENDER_ALLOWED, "getparam", getparam},
    {0x40 + DRM_NOUVEAU_SETPARAM, sizeof(struct drm_nouveau_setparam), DRM_IOCTL_RENDER_ALLOWED, "setparam", setparam},
    {0},
};
