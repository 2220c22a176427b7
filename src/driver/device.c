/* SPDX-License-Identifier: MIT */
/*
 * Devices: setting up, running with interrupts handled, tearing down.
 *
 * PMC INTR says which units want the CPU; the family's interrupt() looks at them. A line that stays up after that
 * is reported once and not looked at again, so that nothing here can go on for ever.
 */
#include "driver/driver.h"

#include "chip/family.h"

#include <assert.h>
#include <stdlib.h>

#define PMC_INTR    0x000100u
#define PMC_INTR_EN 0x000140u
#define PMC_ENABLE  0x000200u

#define SYSTEM_BYTES_DEFAULT (UINT64_C(1) << 30)
#define SYSTEM_FLOOR         0x100000u /* bus addresses that a PC has for itself */
#define VRAM_FLOOR           PAGE_BYTES
#define HANDLER_TURNS        16 /* of the handler, until lines that stay up are ignored */
#define INTERRUPTS_MAX       (UINT32_C(1) << 20)
#define TURN_UNITS           64 /* of the budget, for a turn in which an interrupt is handled: about what it takes */

/* ---- registers ---- */

uint32_t device_rd32(struct pfifo_device *device, uint32_t offset) {
    return pfifo_gpu_rd32(device->gpu, offset);
}

void device_wr32(struct pfifo_device *device, uint32_t offset, uint32_t value) {
    pfifo_gpu_wr32(device->gpu, offset, value);
}

uint32_t device_mask(struct pfifo_device *device, uint32_t offset, uint32_t clear, uint32_t set) {
    uint32_t old = device_rd32(device, offset);
    device_wr32(device, offset, (old & ~clear) | set);
    return old;
}

bool device_poll(struct pfifo_device *device, uint32_t offset, uint32_t mask, uint32_t value) {
    for (unsigned n = 0; n < POLL_TRIES; n++)
        if ((device_rd32(device, offset) & mask) == value)
            return true;
    return false;
}

void device_reset_units(struct pfifo_device *device, uint32_t units) {
    device_mask(device, PMC_ENABLE, units, 0);
    device_mask(device, PMC_ENABLE, 0, units);
}

/* ---- what the families ask for ---- */

void device_fault(struct pfifo_device *device, const struct pfifo_device_fault *fault) {
    device->faults++;
    if (device->config.fault)
        device->config.fault(device->config.opaque, fault);
}

struct pfifo_channel *device_channel(struct pfifo_device *device, uint32_t number) {
    struct pfifo_channel *channel = device->channels;
    while (channel && channel->number != number)
        channel = channel->next;
    return channel;
}

bool device_engine(const struct pfifo_device *device, enum chip_unit unit, unsigned *id) {
    for (unsigned i = 0; i < CHIP_MAX_ENGINES; i++) {
        if (device->chip->engines[i] == unit) {
            *id = i;
            return true;
        }
    }
    return false;
}

/* ---- setting up ---- */

static void make_pools(struct pfifo_device *device) {
    const struct pfifo_config *config = &device->config.gpu;
    uint64_t system = config->system_bytes ? config->system_bytes : SYSTEM_BYTES_DEFAULT;
    uint64_t vram = config->vram_bytes ? config->vram_bytes : device->chip->vram_bytes;
    const struct driver_ops *ops = device->ops;
    if (!device->chip->vram_bytes)
        vram = 0;
    device->system = (struct pool){.floor = SYSTEM_FLOOR, .ceiling = system, .end = system};
    device->vram = (struct pool){.floor = VRAM_FLOOR, .ceiling = vram, .end = vram};
    device->va = (struct pool){.floor = ops->va_floor, .ceiling = ops->va_ceiling, .end = ops->va_end};
}

static const struct driver_ops *check_config(const struct pfifo_device_config *config, struct pfifo_error *error) {
    if (!config || !config->gpu.chip) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a device needs a chip");
        return NULL;
    }
    const struct driver_ops *ops = config->gpu.chip->family->driver;
    if (!ops)
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "there is no driver for %s", config->gpu.chip->name);
    return ops;
}

struct pfifo_device *pfifo_device_open(const struct pfifo_device_config *config, struct pfifo_error *error) {
    const struct driver_ops *ops = check_config(config, error);
    if (!ops)
        return NULL;
    struct pfifo_device *device = calloc(1, ops->device_bytes);
    if (!device) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a device");
        return NULL;
    }
    device->chip = config->gpu.chip;
    device->ops = ops;
    device->config = *config;
    make_pools(device);
    device->gpu = pfifo_gpu_new(&config->gpu, error);
    if (device->gpu && ops->init(device, error) == PFIFO_OK) {
        device_wr32(device, PMC_INTR_EN, 1);
        return device;
    }
    pfifo_device_close(device);
    return NULL;
}

void pfifo_device_close(struct pfifo_device *device) {
    if (!device)
        return;
    device->config.fault = NULL; /* whoever listened has gone */
    device->config.software = NULL;
    device->config.user_event = NULL;
    device->software_ops = NULL;
    while (device->channels)
        pfifo_channel_close(device->channels);
    while (device->buffers)
        pfifo_buffer_free(device->buffers);
    pfifo_gpu_free(device->gpu);
    pool_free(&device->vram);
    pool_free(&device->system);
    pool_free(&device->va);
    pool_free(&device->ramin);
    pool_free(&device->bar1);
    free(device->runout.methods);
    free(device);
}

struct pfifo_gpu *pfifo_device_gpu(struct pfifo_device *device) {
    return device->gpu;
}

uint64_t pfifo_device_faults(const struct pfifo_device *device) {
    return device->faults;
}

/* ---- running ---- */

static uint32_t pending_lines(struct pfifo_device *device) {
    return device_rd32(device, PMC_INTR) & ~device->ignored_lines;
}

static void ignore_lines(struct pfifo_device *device, uint32_t lines, const char *why) {
    const struct pfifo_device_fault fault = {.channel = CHANNEL_UNKNOWN, .unit = "PMC", .error = why, .data = lines};
    device->ignored_lines |= lines;
    device_fault(device, &fault);
}

bool device_interrupts(struct pfifo_device *device) {
    uint32_t lines = pending_lines(device);
    if (!lines)
        return false;
    for (unsigned n = 0; n < HANDLER_TURNS && (lines & device->ops->lines); n++) {
        device->ops->interrupt(device, lines);
        lines = pending_lines(device);
    }
    if (lines)
        ignore_lines(device, lines, lines & ~device->ops->lines ? "UNKNOWN" : "STUCK");
    return true;
}

enum pfifo_stop pfifo_device_run(struct pfifo_device *device, uint64_t budget) {
    for (uint32_t n = 0; n < INTERRUPTS_MAX; n++) {
        enum pfifo_stop stop = pfifo_gpu_run(device->gpu, budget);
        bool handled = device_interrupts(device);
        if (stop == PFIFO_STOP_BUDGET)
            return stop;
        bool replayed = pio_replay(device);
        if (!handled && !replayed)
            return stop;
        uint64_t used = pfifo_gpu_stop_info(device->gpu)->used + TURN_UNITS;
        if (used >= budget)
            return PFIFO_STOP_BUDGET;
        budget -= budget == UINT64_MAX ? 0 : used;
    }
    return PFIFO_STOP_INTERRUPT;
}

enum pfifo_status pfifo_device_wait(struct pfifo_device *device, uint64_t budget, struct pfifo_error *error) {
    enum pfifo_stop stop = pfifo_device_run(device, budget);
    const struct pfifo_stop_info *info = pfifo_gpu_stop_info(device->gpu);
    switch (stop) {
    case PFIFO_STOP_IDLE:
        return PFIFO_OK;
    case PFIFO_STOP_BUDGET:
        return pfifo_error_set(error, PFIFO_ERROR_TIMEOUT, "work is left after %llu units", (unsigned long long)budget);
    case PFIFO_STOP_WAITING:
        if (!info->in_memory)
            return pfifo_error_set(error, PFIFO_ERROR_TIMEOUT, "channel %u waits for an engine",
                                   (unsigned)info->channel);
        return pfifo_error_set(error, PFIFO_ERROR_TIMEOUT, "channel %u waits for 0x%x at 0x%llx, where 0x%x is",
                               (unsigned)info->channel, (unsigned)info->expected, (unsigned long long)info->address,
                               (unsigned)info->found);
    case PFIFO_STOP_INTERRUPT:
        return pfifo_error_set(error, PFIFO_ERROR_TIMEOUT, "channel %u has stopped with an interrupt that stays",
                               (unsigned)info->channel);
    default:
        return pfifo_error_set(error, PFIFO_ERROR_TIMEOUT, "channel %u is switched off with work left",
                               (unsigned)info->channel);
    }
}
