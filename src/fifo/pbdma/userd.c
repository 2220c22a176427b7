/* SPDX-License-Identifier: MIT */
/*
 * USERD in memory: GP_PUT is read from it, and the progress of a channel is written to it.
 */
#include "fifo/pbdma/userd.h"

const struct userd_field userd_written[USERD_WRITTEN] = {
    {NV_USERD_PUT, R_PUT},
    {NV_USERD_GET, R_GET},
    {NV_USERD_REF, R_REF},
    {NV_USERD_PUT_HI, R_PUT_HI},
    {NV_USERD_TOP_LEVEL_GET, R_TOP_GET},
    {NV_USERD_TOP_LEVEL_GET_HI, R_TOP_GET_HI},
    {NV_USERD_GET_HI, R_GET_HI},
    {NV_USERD_GP_GET, R_GP_GET},
};

/* USERD[1:0]: 0 VRAM, 2 and 3 system memory. */
uint64_t userd_address(uint32_t stride, uint32_t low, uint32_t high, enum memory_target *target) {
    *target = low & 2 ? MEMORY_SYSTEM : low & 1 ? MEMORY_PEER : MEMORY_VRAM;
    return (low & ~(stride - 1)) | (uint64_t)(high & 0xff) << 32;
}

static uint64_t userd_of(const struct pbdma *pbdma, enum memory_target *target) {
    return userd_address(pbdma->fifo->chip->userd_stride, pbdma->regs[R_USERD], pbdma->regs[R_USERD_HI], target);
}

uint32_t pbdma_read_gp_put(struct pbdma *pbdma) {
    enum memory_target target;
    uint64_t userd = userd_of(pbdma, &target);
    return memory_physical_rd32(pbdma_memory(pbdma), target, userd + NV_USERD_GP_PUT);
}

void pbdma_write_userd(struct pbdma *pbdma) {
    enum memory_target target;
    uint64_t userd = userd_of(pbdma, &target);
    for (size_t i = 0; i < USERD_WRITTEN; i++)
        memory_physical_wr32(pbdma_memory(pbdma), target, userd + userd_written[i].offset,
                             pbdma->regs[userd_written[i].word]);
}
