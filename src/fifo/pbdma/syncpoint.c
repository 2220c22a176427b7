/* SPDX-License-Identifier: MIT */
/*
 * The syncpoints of a Tegra: counters that channels, engines and the CPU share, and the host methods for them.
 *
 * UNKNOWN: which word keeps the operand of SYNCPOINTA. Chosen: 0x78, before those of the next two methods.
 */
#include "fifo/semaphore.h"

#include "fifo/pbdma/host.h"
#include "fifo/pbdma/puller.h"

enum syncpoint_operation { SYNCPOINT_WAIT, SYNCPOINT_INCR, SYNCPOINT_BASE_ADD, SYNCPOINT_BASE_WRITE };

uint32_t *pbdma_shared_syncpoint(struct pbdma_shared *shared, const struct pfifo_chip *chip, unsigned index) {
    return index < chip->syncpoints ? &shared->syncpoints[index] : NULL;
}

enum pbdma_step pbdma_syncpoint_a(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_SYNCPOINT_A] = data;
    return STEP_DONE;
}

static enum pbdma_step syncpoint_wait(struct pbdma *pbdma, unsigned index, uint32_t threshold) {
    uint32_t found = pbdma->shared->syncpoints[index];
    if (!semaphore_satisfied(SEMAPHORE_GEQUAL, found, threshold))
        return pbdma_syncpoint_wait_failed(pbdma, index, threshold, found);
    event_send(pbdma_events(pbdma), EVENT_PULLER_SYNCPOINT, pbdma_channel_id(pbdma), "reached", index, threshold, found,
               0);
    return STEP_DONE;
}

/* A26F: [1:0] operation, 5 base, [15:8] syncpoint, [25:20] base index. Later: 0 operation, [19:8] syncpoint. */
enum pbdma_step pbdma_syncpoint_b(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    struct pbdma_shared *shared = pbdma->shared;
    bool bases = shared->host->syncpoint_bases;
    uint32_t payload = pbdma->regs[R_SYNCPOINT_A];
    uint32_t index = data >> 8 & (bases ? 0xff : 0xfff);
    uint32_t *base = &shared->syncpoint_bases[data >> 20 & 0x3f];
    pbdma->regs[R_SYNCPOINT_B] = data;
    if (!pbdma->fifo->chip->syncpoints)
        return STEP_DONE;
    if (index >= pbdma->fifo->chip->syncpoints)
        return pbdma_method_error(pbdma, PBDMA_INTR_METHOD, "no such syncpoint");
    switch ((enum syncpoint_operation)(data & (bases ? 3 : 1))) {
    case SYNCPOINT_WAIT:
        return syncpoint_wait(pbdma, index, payload + (bases && (data & 0x20) ? *base : 0));
    case SYNCPOINT_INCR:
        fifo_increment_syncpoint(pbdma->fifo, index);
        break;
    case SYNCPOINT_BASE_ADD:
        *base += payload;
        break;
    case SYNCPOINT_BASE_WRITE:
        *base = payload;
        break;
    }
    return STEP_DONE;
}
