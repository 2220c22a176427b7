/* SPDX-License-Identifier: MIT */
#include "fifo/channel.h"
#include "gpu/gpu.h"

uint32_t pfifo_gpu_syncpoint_count(const struct pfifo_gpu *gpu) {
    return fifo_syncpoint_count(gpu->fifo);
}

uint32_t pfifo_gpu_syncpoint(struct pfifo_gpu *gpu, uint32_t syncpoint) {
    return fifo_syncpoint(gpu->fifo, syncpoint);
}

void pfifo_gpu_syncpoint_set(struct pfifo_gpu *gpu, uint32_t syncpoint, uint32_t value) {
    fifo_set_syncpoint(gpu->fifo, syncpoint, value);
    gpu_tell_work(gpu);
}

void pfifo_gpu_syncpoint_increment(struct pfifo_gpu *gpu, uint32_t syncpoint) {
    fifo_increment_syncpoint(gpu->fifo, syncpoint);
    gpu_tell_work(gpu);
}
