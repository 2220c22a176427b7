/* SPDX-License-Identifier: MIT */
/*
 * Running: the GPU works, and its interrupts are handled.
 *
 * PMC INTR says which units need the CPU; the family's interrupt() handles them. A line that stays up after that is
 * reported once and then ignored, so that no loop here is endless.
 */
#include "driver/access.h"
#include "chip/counted.h"
#include "driver/interrupts.h"
#include "driver/ops.h"
#include "gpu/gpu.h"

#include "hw/pmc.h"

#define HANDLER_TURNS  16 /* of the handler, until lines that stay up are ignored */
#define INTERRUPTS_MAX (UINT32_C(1) << 20)
#define TURN_UNITS     64 /* of the budget, for handling interrupts: about the time that it takes */

static uint32_t pending_lines(struct pfifo_device *device) {
    return device_rd32(device, NV_PMC_INTR) & ~device->ignored_lines;
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

/* What a run has used of its budget, `most`: more, where work that cannot be cut has overrun it. */
static uint64_t units_used(const struct pfifo_device *device, uint64_t most, uint64_t time) {
    uint64_t used = pfifo_gpu_stop_info(device->gpu)->used, passed = (device->gpu->bus.time - time) / BUS_NS_PER_WORK;

    return used >= most && passed > used && !device->gpu->bus.clock.now ? passed : used;
}

static void spend(uint64_t *budget, uint64_t units) {
    if (*budget != UINT64_MAX)
        *budget -= units < *budget ? units : *budget;
}

/* Nothing is left to do exactly where a part ends: with more of the budget, time may pass. */
static uint64_t units_left(uint64_t units, uint64_t used, enum pfifo_stop stop) {
    if (units == UINT64_MAX)
        return units;
    units -= used < units ? used : units;
    return !units && stop != PFIFO_STOP_BUDGET ? 1 : units;
}

enum pfifo_stop pfifo_private_device_run_part(struct pfifo_device *device, uint64_t units, uint64_t *budget) {
    for (uint32_t n = 0; n < INTERRUPTS_MAX; n++) {
        uint64_t most = units < *budget ? units : *budget, time = device->gpu->bus.time;
        enum pfifo_stop stop = pfifo_gpu_run(device->gpu, most);
        uint64_t used = units_used(device, most, time);
        bool is_part = most < *budget && used >= most && used < *budget;

        if (!is_part) {
            bool handled = device_interrupts(device);
            device->turns += handled;
            if (stop == PFIFO_STOP_BUDGET)
                *budget = 0;
            else
                spend(budget, used);
            if (stop == PFIFO_STOP_BUDGET || !(pio_replay(device) || handled))
                return stop;
            device->turns++;
            used = TURN_UNITS;
            stop = PFIFO_STOP_BUDGET;
        }
        spend(budget, used);
        if (*budget == 0)
            return PFIFO_STOP_BUDGET;
        units = units_left(units, used, stop);
        if (!units)
            return PFIFO_STOP_BUDGET;
    }
    return PFIFO_STOP_INTERRUPT;
}

enum pfifo_stop pfifo_device_run(struct pfifo_device *device, uint64_t budget) {
    return pfifo_private_device_run_part(device, UINT64_MAX, &budget);
}

enum pfifo_status device_stop_error(struct pfifo_device *device, enum pfifo_stop stop, struct pfifo_error *error) {
    const struct pfifo_stop_info *info = pfifo_gpu_stop_info(device->gpu);
    switch (stop) {
    case PFIFO_STOP_IDLE:
        return pfifo_error_set(error, PFIFO_ERROR_TIMEOUT, "the GPU is idle");
    case PFIFO_STOP_WAITING:
        if (info->is_syncpoint)
            return pfifo_error_set(error, PFIFO_ERROR_TIMEOUT,
                                   "channel %u waits for syncpoint %u to reach %u, it is %u", (unsigned)info->channel,
                                   (unsigned)info->address, (unsigned)info->expected, (unsigned)info->found);
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

enum pfifo_status pfifo_device_wait(struct pfifo_device *device, uint64_t budget, struct pfifo_error *error) {
    enum pfifo_stop stop = pfifo_device_run(device, budget);
    if (stop == PFIFO_STOP_IDLE)
        return PFIFO_OK;
    if (stop == PFIFO_STOP_BUDGET)
        return pfifo_error_set(error, PFIFO_ERROR_TIMEOUT, "work is left after %s", counted(budget, "unit").text);
    return device_stop_error(device, stop, error);
}
