/* SPDX-License-Identifier: MIT */
/*
 * The top of the driver: opening and closing devices.
 */
#include "driver/access.h"
#include "driver/ops.h"

#include "chip/config.h"
#include "chip/family.h"

#include "hw/pmc.h"

#include <stdlib.h>

#define SYSTEM_BYTES_DEFAULT (UINT64_C(1) << 30)
#define SYSTEM_FLOOR         0x100000u /* bus addresses that a PC has for itself */
#define VRAM_FLOOR           PAGE_BYTES

static void make_pools(struct pfifo_device *device) {
    const struct pfifo_config *config = &device->config.gpu;
    uint64_t system = config->system_bytes ? config->system_bytes : SYSTEM_BYTES_DEFAULT;
    uint64_t vram = config->vram_bytes ? config->vram_bytes : device->chip->vram_bytes;
    const struct driver_ops *ops = device->ops;
    if (!device->chip->vram_bytes)
        vram = 0;
    device->system = (struct pool){.floor = SYSTEM_FLOOR, .ceiling = system, .end = system};
    device->vram = (struct pool){.floor = VRAM_FLOOR, .ceiling = vram, .end = vram};
    device->gart = (struct pool){.floor = ops->va_floor, .ceiling = ops->va_ceiling, .end = ops->va_end};
}

/* Version 0.1 ended with the first version of the machine's config. */
#define DEVICE_CONFIG_FIRST (offsetof(struct pfifo_device_config, gpu.bar1_bytes) + sizeof(uint64_t))

/*
 * The machine's config comes last, so a later version of it reaches beyond what was copied. config_read() has seen that
 * it asks for nothing there.
 */
static enum pfifo_status device_read_config(const struct pfifo_device_config *given, struct pfifo_device_config *known,
                                            struct pfifo_error *error) {
    enum pfifo_status status =
        config_read(known, sizeof *known, given, DEVICE_CONFIG_FIRST, "pfifo_device_config", error);
    if (status == PFIFO_OK && known->gpu.size > sizeof known->gpu)
        known->gpu.size = sizeof known->gpu;
    return status;
}

static const struct driver_ops *device_check_config(const struct pfifo_device_config *given,
                                                    struct pfifo_device_config *known, struct pfifo_error *error) {
    if (given && device_read_config(given, known, error) != PFIFO_OK)
        return NULL;
    if (!given || !known->gpu.chip) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a device needs a chip");
        return NULL;
    }
    const struct driver_ops *ops = known->gpu.chip->family->driver;
    if (!ops)
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "there is no driver for %s", known->gpu.chip->name);
    return ops;
}

struct pfifo_device *pfifo_device_open(const struct pfifo_device_config *config, struct pfifo_error *error) {
    struct pfifo_device_config known;
    const struct driver_ops *ops = device_check_config(config, &known, error);
    if (!ops)
        return NULL;
    struct pfifo_device *device = calloc(1, ops->device_bytes);
    if (!device) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a device");
        return NULL;
    }
    device->chip = known.gpu.chip;
    device->ops = ops;
    device->config = known;
    make_pools(device);
    device->gpu = pfifo_gpu_new(&known.gpu, error);
    if (device->gpu && ops->init(device, error) == PFIFO_OK) {
        device_wr32(device, NV_PMC_INTR_EN, 1);
        return device;
    }
    pfifo_device_close(device);
    return NULL;
}

void pfifo_device_close(struct pfifo_device *device) {
    if (!device)
        return;
    device->config.fault = NULL; /* nobody listens any more */
    device->config.software = NULL;
    device->config.user_event = NULL;
    device->software_ops = NULL;
    while (device->channels)
        pfifo_channel_close(device->channels);
    vm_forget_all(device);
    while (device->buffers) {
        device->buffers->owners = 1;
        pfifo_buffer_free(device->buffers);
    }
    pfifo_gpu_free(device->gpu);
    pool_free(&device->vram);
    pool_free(&device->system);
    pool_free(&device->gart);
    pool_free(&device->ramin);
    pool_free(&device->bar1);
    syncpoints_forget(device);
    free(device->runout.methods);
    free(device);
}

struct pfifo_gpu *pfifo_device_gpu(struct pfifo_device *device) {
    return device->gpu;
}

uint64_t pfifo_device_faults(const struct pfifo_device *device) {
    return device->faults;
}
