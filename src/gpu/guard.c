/* SPDX-License-Identifier: MIT */
#include "gpu/guard.h"

#include "fifo/ops.h"
#include "gpu/gpu.h"

static uint32_t acting_channel(const struct pfifo_gpu *gpu) {
    const struct fifo_ops *ops = gpu->fifo->ops;

    if (ops->acting)
        return ops->acting(gpu->fifo);
    return ops->loaded ? ops->loaded(gpu->fifo, 0) : UINT32_MAX;
}

/* What the CPU writes between runs is not the GPU's. */
static void guard_writes(void *opaque, enum memory_target target, uint64_t address, uint64_t bytes) {
    const struct pfifo_gpu *gpu = opaque;
    const struct gpu_extent extent = {target == MEMORY_SYSTEM, address, bytes};

    if (gpu->running && target != MEMORY_PEER)
        gpu->guard->writes(gpu->guard->opaque, acting_channel(gpu), &extent);
}

void pfifo_private_gpu_guard(struct pfifo_gpu *gpu, const struct gpu_guard *guard) {
    gpu->guard = guard;
    gpu->memory.guard = (struct memory_guard){guard ? guard_writes : NULL, gpu};
}

bool pfifo_private_gpu_push_extent(struct pfifo_gpu *gpu, uint32_t channel, uint64_t address, uint64_t bytes,
                                   struct gpu_extent *extent) {
    const struct fifo_ops *ops = gpu->fifo ? gpu->fifo->ops : NULL;
    enum memory_target target;
    struct fifo_push found;

    if (!bytes || !ops || !ops->push || !ops->push(gpu->fifo, channel, &found))
        return false;
    extent->bytes = memory_extent(&gpu->memory, &found.space, address, bytes, &target, &extent->address);
    extent->system = extent->bytes && target == MEMORY_SYSTEM;
    return extent->bytes;
}
