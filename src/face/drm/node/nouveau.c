/* SPDX-License-Identifier: MIT */
/* What a device says of itself: GETPARAM. Source: Linux drivers/gpu/drm/nouveau/nouveau_abi16.c. */
#include "face/drm/node/nouveau.h"

#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <nouveau_drm.h>

#include "chip/chip.h"
#include "face/drm/board.h"

#define GETPARAM_VRAM_BAR_SIZE 18
#define GETPARAM_VRAM_USED     19
#define KERNEL_VRAM_BYTES      (UINT64_C(8) << 20) /* that the driver layer keeps for itself, at least */
#define PTIMER_TIME_LOW        0x9400u
#define PTIMER_TIME_HIGH       0x9410u

/* ---- memory ---- */

uint64_t nouveau_vram_bytes(const struct drm_device *device) {
    uint64_t bytes = device->config.chip->vram_bytes ? pfifo_gpu_vram_bytes(pfifo_device_gpu(device->pfifo)) : 0;
    return bytes > KERNEL_VRAM_BYTES ? bytes - KERNEL_VRAM_BYTES : 0;
}

uint64_t nouveau_gart_bytes(const struct drm_device *device) {
    uint64_t system = pfifo_gpu_system_bytes(pfifo_device_gpu(device->pfifo));
    uint64_t most = device->config.chip->vm == CHIP_VM_NONE ? UINT64_C(512) << 20 : system; /* of GART's table */
    return system < most ? system : most;
}

/* ---- units of PGRAPH, as nouveau counts them (nvkm/engine/gr/{nv40,nv50,gf100}.c) ---- */

static uint64_t units_nv40(struct pfifo_gpu *gpu) {
    return pfifo_gpu_rd32(gpu, 0x1540);
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

enum { BUS_AGP, BUS_PCI, BUS_PCIE, BUS_SOC };

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
        request->value = board ? BUS_PCIE : BUS_SOC;
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
        request->value = device->vram_used;
        return 0;
    default:
        return -EINVAL;
    }
}

/* Only for root in the kernel, and without any parameter. */
static int setparam(struct drm_file *file, void *data) {
    (void)file;
    (void)data;
    return -EINVAL;
}

const struct drm_ioctl drm_nouveau_ioctls[] = {
    {0x40 + DRM_NOUVEAU_GETPARAM, sizeof(struct drm_nouveau_getparam), DRM_IOCTL_RENDER_ALLOWED, "getparam", getparam},
    {0x40 + DRM_NOUVEAU_SETPARAM, sizeof(struct drm_nouveau_setparam), DRM_IOCTL_RENDER_ALLOWED, "setparam", setparam},
    {0},
};
