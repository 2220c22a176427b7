/* SPDX-License-Identifier: MIT */
#include <pfifo/push.h>

#include "hw/pmc.h"
#include "fifo/ops.h"
#include "gpu/gpu.h"

#include <inttypes.h>

/* NULL: no channel of the chip has a pushbuffer. A run under way writes its registers back. */
static const struct fifo_ops *ops_of(struct pfifo_gpu *gpu) {
    const struct fifo_ops *ops = gpu->fifo ? gpu->fifo->ops : NULL;

    if (!ops || !ops->push)
        return NULL;
    if (ops->host->sync)
        ops->host->sync(gpu->fifo);
    return ops;
}

static bool is_on(const struct pfifo_gpu *gpu) {
    return bus_enabled(&gpu->bus, PMC_INTR_PFIFO);
}

size_t pfifo_gpu_pushes(struct pfifo_gpu *gpu, struct pfifo_push *push, size_t most) {
    const struct fifo_ops *ops = ops_of(gpu);
    struct fifo_push found;
    size_t count = 0;

    for (unsigned i = 0; ops && is_on(gpu) && i < PFIFO_PUSH_LOADED && count < most; i++)
        if (ops->push(gpu->fifo, ops->loaded(gpu->fifo, i), &found) && found.push.loaded)
            push[count++] = found.push;
    return count;
}

enum pfifo_status pfifo_gpu_push(struct pfifo_gpu *gpu, uint32_t channel, struct pfifo_push *push,
                                 struct pfifo_error *error) {
    const struct fifo_ops *ops = ops_of(gpu);
    struct fifo_push found;

    if (!ops)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no pushbuffer of a channel", gpu->chip->name);
    if (!is_on(gpu))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "PFIFO is off in PMC.ENABLE");
    if (channel == UINT32_MAX)
        return pfifo_gpu_pushes(gpu, push, 1)
                   ? PFIFO_OK
                   : pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no channel with a pushbuffer is on the chip");
    if (!ops->push(gpu->fifo, channel, &found))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "channel %" PRIu32 " has no pushbuffer", channel);
    *push = found.push;
    return PFIFO_OK;
}

bool pfifo_gpu_push_read(struct pfifo_gpu *gpu, uint32_t channel, uint64_t address, void *data, size_t words) {
    const struct fifo_ops *ops = ops_of(gpu);
    struct fifo_push found;
    uint8_t *bytes = data;

    if (!ops || !ops->push(gpu->fifo, channel, &found) ||
        !memory_peek(&gpu->memory, &found.space, address, data, 4 * (uint64_t)words))
        return false;
    for (size_t i = 0; found.big_endian && i < words; i++)
        store_le32(bytes + 4 * i, __builtin_bswap32(load_le32(bytes + 4 * i)));
    return true;
}

uint32_t pfifo_gpu_push_class(struct pfifo_gpu *gpu, uint32_t channel, uint32_t handle) {
    const struct fifo_ops *ops = ops_of(gpu);

    return ops && ops->handle_class ? ops->handle_class(gpu->fifo, channel, handle) : 0;
}
