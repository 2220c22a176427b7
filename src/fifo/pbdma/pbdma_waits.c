/* SPDX-License-Identifier: MIT */
/*
 * What a channel waits for and others wait for: semaphores in memory, and the syncpoints of a Tegra.
 *
 * UNKNOWN: which word keeps the operand of SYNCPOINTA. Chosen: 0x78, before those of the next two methods.
 */
#include "fifo/pbdma/pbdma_host.h"
#include "fifo/semaphore.h"

/* ---- semaphores ---- */

#define SEMAPHORED_ACQUIRE   0x01u
#define SEMAPHORED_RELEASE   0x02u
#define SEMAPHORED_ACQ_GEQ   0x04u
#define SEMAPHORED_ACQ_AND   0x08u
#define SEMAPHORED_REDUCTION 0x10u
#define SEMAPHORED_SWITCH    (1u << 12)
#define SEMAPHORED_NO_WFI    (1u << 20)
#define SEMAPHORED_4_BYTES   (1u << 24)
#define SEMAPHORED_UNSIGNED  (1u << 31)

static uint64_t semaphore_address(const struct pbdma *pbdma) {
    return (pbdma->regs[R_SEM_ADDR_LO] & ~3u) | (uint64_t)(pbdma->regs[R_SEM_ADDR_HI] & 0xff) << 32;
}

enum pbdma_step pbdma_semaphore_a(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_SEM_ADDR_HI] = data;
    return STEP_DONE;
}

enum pbdma_step pbdma_semaphore_b(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_SEM_ADDR_LO] = data;
    return STEP_DONE;
}

enum pbdma_step pbdma_semaphore_c(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_SEM_PAYLOAD] = data;
    return STEP_DONE;
}

/* PTIMER bits 41:10, as ACQUIRE_DEADLINE counts. */
static uint32_t deadline_clock(struct pbdma *pbdma) {
    return (uint32_t)(bus_now(pbdma->fifo->base.bus) >> 10);
}

/* The first failure starts the timer; ACQUIRE_FAIL remembers that it runs. True: too late. */
static bool acquire_timeout(struct pbdma *pbdma) {
    uint32_t config = pbdma->regs[R_ACQUIRE];
    if (!(pbdma->regs[R_SEM_EXECUTE] & SEM_EXECUTE_FAIL)) {
        uint64_t period = (uint64_t)(config >> 15 & 0xffff) << (config >> 11 & 0xf);
        pbdma->regs[R_SEM_EXECUTE] |= SEM_EXECUTE_FAIL;
        pbdma->regs[R_ACQUIRE_DEADLINE] = deadline_clock(pbdma) + (uint32_t)period;
    }
    if (!(config & ACQUIRE_TIMEOUT_ENABLED))
        return false;
    return deadline_clock(pbdma) - pbdma->regs[R_ACQUIRE_DEADLINE] < 0x80000000u;
}

/* An acquire failed. Whether the channel makes way for others is the scheduler's: see pbdma_waits_in_place(). */
static enum pbdma_step acquire_failed(struct pbdma *pbdma, uint64_t address, uint32_t payload, uint32_t found) {
    if (!(pbdma->regs[R_SEM_EXECUTE] & SEM_EXECUTE_FAIL))
        event_send(pbdma_events(pbdma), EVENT_PULLER_ACQUIRE, pbdma_channel_id(pbdma), "waits", address, payload, found,
                   0);
    if (acquire_timeout(pbdma) && pbdma_raise(pbdma, PBDMA_INTR_ACQUIRE, "ACQUIRE"))
        return STEP_STALLED;
    if ((pbdma->regs[R_PB_FETCH] & FETCH_NO_SWITCH) && pbdma_raise(pbdma, PBDMA_INTR_NO_CTXSW, "NO_CTXSW_SEG"))
        return STEP_STALLED;
    pbdma_wait(pbdma, address, payload, found);
    pbdma->fifo->base.stop.in_memory = true;
    return STEP_WAITING;
}

static enum pbdma_step acquire(struct pbdma *pbdma, enum semaphore_compare compare) {
    uint64_t address = semaphore_address(pbdma);
    uint32_t payload = pbdma->regs[R_SEM_PAYLOAD], found;
    struct fault fault;
    if (!memory_rd32(pbdma_memory(pbdma), &pbdma->channel->context.vm, address, &found, &fault))
        return pbdma_host_fault(pbdma, &fault);
    if (!semaphore_satisfied(compare, found, payload))
        return acquire_failed(pbdma, address, payload, found);
    event_send(pbdma_events(pbdma), EVENT_PULLER_ACQUIRE, pbdma_channel_id(pbdma), "acquired", address, payload, found,
               0);
    return STEP_DONE;
}

static enum pbdma_step release(struct pbdma *pbdma, bool wait, bool with_time) {
    uint64_t address = semaphore_address(pbdma);
    uint32_t payload = pbdma->regs[R_SEM_PAYLOAD];
    struct fault fault;
    if (wait && pbdma_last_engine_busy(pbdma))
        return pbdma_wait(pbdma, 0, 0, 0);
    if (!semaphore_release(pbdma->fifo->base.bus, &pbdma->channel->context.vm, address, payload, with_time, false,
                           &fault))
        return pbdma_host_fault(pbdma, &fault);
    event_send(pbdma_events(pbdma), EVENT_PULLER_RELEASE, pbdma_channel_id(pbdma), NULL, address, payload,
               with_time ? 16 : 4);
    return STEP_DONE;
}

/* UNKNOWN: whether a reduction of 16 bytes writes the time too. Chosen: only the word. */
static enum pbdma_step reduce(struct pbdma *pbdma, uint32_t data) {
    struct memory *memory = pbdma_memory(pbdma);
    const struct address_space *vm = &pbdma->channel->context.vm;
    uint64_t address = semaphore_address(pbdma);
    enum semaphore_reduction operation = (enum semaphore_reduction)(data >> 27 & 0xf);
    uint32_t word;
    struct fault fault;
    if (operation > SEMAPHORE_DEC)
        return pbdma_method_error(pbdma, PBDMA_INTR_SEMAPHORE, "bad reduction");
    if (!(data & SEMAPHORED_NO_WFI) && pbdma_last_engine_busy(pbdma))
        return pbdma_wait(pbdma, 0, 0, 0);
    if (!memory_rd32(memory, vm, address, &word, &fault))
        return pbdma_host_fault(pbdma, &fault);
    word = semaphore_reduce(operation, !(data & SEMAPHORED_UNSIGNED), word, pbdma->regs[R_SEM_PAYLOAD]);
    if (!memory_wr32(memory, vm, address, word, &fault))
        return pbdma_host_fault(pbdma, &fault);
    event_send(pbdma_events(pbdma), EVENT_PULLER_RELEASE, pbdma_channel_id(pbdma), NULL, address, word, 4);
    return STEP_DONE;
}

enum pbdma_step pbdma_semaphore_d(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    uint32_t operations = pbdma->fifo->base.chip->has_semaphore_reduction ? 0x1f : 0x0f;
    pbdma->regs[R_SEM_EXECUTE] = (data & ~SEM_EXECUTE_FAIL) | (pbdma->regs[R_SEM_EXECUTE] & SEM_EXECUTE_FAIL);
    switch (data & operations) {
    case SEMAPHORED_ACQUIRE:
        return acquire(pbdma, SEMAPHORE_EQUAL);
    case SEMAPHORED_ACQ_GEQ:
        return acquire(pbdma, SEMAPHORE_GEQUAL);
    case SEMAPHORED_ACQ_AND:
        return acquire(pbdma, SEMAPHORE_AND);
    case SEMAPHORED_RELEASE:
        return release(pbdma, !(data & SEMAPHORED_NO_WFI), !(data & SEMAPHORED_4_BYTES));
    case SEMAPHORED_REDUCTION:
        return reduce(pbdma, data);
    default:
        return pbdma_method_error(pbdma, PBDMA_INTR_SEMAPHORE, "bad SEMAPHORED");
    }
}

/* The old methods work on the same address and payload. */
enum pbdma_step pbdma_old_acquire(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_SEM_PAYLOAD] = data;
    return acquire(pbdma, SEMAPHORE_EQUAL);
}

enum pbdma_step pbdma_old_release(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_SEM_PAYLOAD] = data;
    return release(pbdma, true, false);
}

/* ---- syncpoints ---- */

enum syncpoint_operation { SYNCPOINT_WAIT, SYNCPOINT_INCR, SYNCPOINT_BASE_ADD, SYNCPOINT_BASE_WRITE };

uint32_t *pbdma_syncpoint(struct fifo *base, unsigned index) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    return base->chip->has_syncpoints && index < PBDMA_SYNCPOINTS ? &fifo->syncpoints[index] : NULL;
}

enum pbdma_step pbdma_syncpoint_a(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_SYNCPOINT_A] = data;
    return STEP_DONE;
}

static enum pbdma_step syncpoint_wait(struct pbdma *pbdma, unsigned index, uint32_t threshold) {
    uint32_t found = pbdma->fifo->syncpoints[index];
    if (semaphore_satisfied(SEMAPHORE_GEQUAL, found, threshold))
        return STEP_DONE;
    return acquire_failed(pbdma, index, threshold, found);
}

/* A26F: [1:0] operation, 5 base, [15:8] syncpoint, [25:20] base index. Later: 0 operation, [19:8] syncpoint. */
enum pbdma_step pbdma_syncpoint_b(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    struct pbdma_fifo *fifo = pbdma->fifo;
    bool bases = pbdma_has_a26f(fifo->base.chip);
    uint32_t payload = pbdma->regs[R_SYNCPOINT_A];
    uint32_t index = data >> 8 & (bases ? 0xff : 0xfff);
    uint32_t *base = &fifo->syncpoint_bases[data >> 20 & 0x3f];
    pbdma->regs[R_SYNCPOINT_B] = data;
    if (!fifo->base.chip->has_syncpoints)
        return STEP_DONE;
    if (index >= PBDMA_SYNCPOINTS)
        return pbdma_method_error(pbdma, PBDMA_INTR_METHOD, "no such syncpoint");
    switch ((enum syncpoint_operation)(data & (bases ? 3 : 1))) {
    case SYNCPOINT_WAIT:
        return syncpoint_wait(pbdma, index, payload + (bases && (data & 0x20) ? *base : 0));
    case SYNCPOINT_INCR:
        fifo_increment_syncpoint(&fifo->base, index);
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

#define SYNCPOINTB_WAIT_SWITCH (1u << 4)

/*
 * An acquire gives way if it asks for that with ACQUIRE_SWITCH; what waits for an engine to become idle never does.
 * UNKNOWN: whether the old method 0x68 gives way, which has no bit for it. Chosen: yes, as before GF100.
 */
bool pbdma_waits_in_place(const struct pbdma *pbdma) {
    if (!(pbdma->regs[R_METHOD0] & METHOD_VALID)) /* for a ring that is wrong */
        return true;
    switch (pbdma->regs[R_METHOD0] & HEADER_METHOD) {
    case 0x1c:
        return !(pbdma->regs[R_SEM_EXECUTE] & SEM_EXECUTE_FAIL) || !(pbdma->regs[R_DATA0] & SEMAPHORED_SWITCH);
    case 0x68:
        return false;
    case 0x74:
        return !(pbdma->regs[R_DATA0] & SYNCPOINTB_WAIT_SWITCH);
    default:
        return true;
    }
}
