/* SPDX-License-Identifier: MIT */
/*
 * Host methods for semaphores in memory, and waiting channels.
 */
#include "fifo/semaphore.h"

#include "fifo/pbdma/host.h"
#include "fifo/pbdma/interrupt.h"
#include "fifo/pbdma/puller.h"

#define SEMAPHORED_ACQUIRE   0x01u
#define SEMAPHORED_RELEASE   0x02u
#define SEMAPHORED_ACQ_GEQ   0x04u
#define SEMAPHORED_ACQ_AND   0x08u
#define SEMAPHORED_REDUCTION 0x10u
#define SEMAPHORED_SWITCH    (1u << 12)
#define SEMAPHORED_NO_WFI    (1u << 20)
#define SEMAPHORED_4_BYTES   (1u << 24)
#define SEMAPHORED_UNSIGNED  (1u << 31)

static uint64_t sem_address(const struct pbdma *pbdma) {
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
static uint32_t sem_deadline_clock(struct pbdma *pbdma) {
    return (uint32_t)(bus_now(pbdma->fifo->bus) >> 10);
}

/* The first failure starts the timer; ACQUIRE_FAIL remembers that it runs. True: too late. */
static bool sem_acquire_timeout(struct pbdma *pbdma) {
    uint32_t config = pbdma->regs[R_ACQUIRE];
    if (!(pbdma->regs[R_SEM_EXECUTE] & SEM_EXECUTE_FAIL)) {
        uint64_t period = (uint64_t)(config >> 15 & 0xffff) << (config >> 11 & 0xf);
        pbdma->regs[R_SEM_EXECUTE] |= SEM_EXECUTE_FAIL;
        pbdma->regs[R_ACQUIRE_DEADLINE] = sem_deadline_clock(pbdma) + (uint32_t)period;
    }
    if (!(config & ACQUIRE_TIMEOUT_ENABLED))
        return false;
    return sem_deadline_clock(pbdma) - pbdma->regs[R_ACQUIRE_DEADLINE] < 0x80000000u;
}

/* Has it looked before? */
static bool sem_waits_already(const struct pbdma *pbdma) {
    return pbdma->regs[R_SEM_EXECUTE] & SEM_EXECUTE_FAIL;
}

static enum pbdma_step sem_wait(struct pbdma *pbdma, uint64_t address, uint32_t expected, uint32_t found) {
    if (sem_acquire_timeout(pbdma) && pbdma_raise(pbdma, PBDMA_INTR_ACQUIRE, "ACQUIRE"))
        return STEP_STALLED;
    if ((pbdma->regs[R_PB_FETCH] & FETCH_NO_SWITCH) && pbdma_raise(pbdma, PBDMA_INTR_NO_CTXSW, "NO_CTXSW_SEG"))
        return STEP_STALLED;
    return pbdma_wait(pbdma, address, expected, found);
}

enum pbdma_step pbdma_acquire_failed(struct pbdma *pbdma, uint64_t address, uint32_t expected, uint32_t found) {
    if (!sem_waits_already(pbdma))
        event_send(pbdma_events(pbdma), EVENT_PULLER_ACQUIRE, pbdma_channel_id(pbdma), event_words[PFIFO_WORD_WAITS],
                   address, expected, found, 0);
    enum pbdma_step step = sem_wait(pbdma, address, expected, found);
    pbdma->fifo->stop.in_memory = step == STEP_WAITING;
    return step;
}

enum pbdma_step pbdma_syncpoint_wait_failed(struct pbdma *pbdma, uint32_t syncpoint, uint32_t threshold,
                                            uint32_t value) {
    if (!sem_waits_already(pbdma))
        event_send(pbdma_events(pbdma), EVENT_PULLER_SYNCPOINT, pbdma_channel_id(pbdma), event_words[PFIFO_WORD_WAITS],
                   syncpoint, threshold, value, 0);
    enum pbdma_step step = sem_wait(pbdma, syncpoint, threshold, value);
    pbdma->fifo->stop.is_syncpoint = step == STEP_WAITING;
    return step;
}

static enum pbdma_step sem_acquire(struct pbdma *pbdma, enum semaphore_compare compare) {
    uint64_t address = sem_address(pbdma);
    uint32_t payload = pbdma->regs[R_SEM_PAYLOAD], found;
    struct fault fault;
    if (!memory_rd32(pbdma_memory(pbdma), &pbdma->channel->context.vm, address, &found, &fault))
        return pbdma_host_fault(pbdma, &fault);
    if (!semaphore_satisfied(compare, found, payload))
        return pbdma_acquire_failed(pbdma, address, payload, found);
    event_send(pbdma_events(pbdma), EVENT_PULLER_ACQUIRE, pbdma_channel_id(pbdma), "acquired", address, payload, found,
               0);
    return STEP_DONE;
}

static enum pbdma_step sem_release(struct pbdma *pbdma, bool wait, bool with_time) {
    uint64_t address = sem_address(pbdma);
    uint32_t payload = pbdma->regs[R_SEM_PAYLOAD];
    struct fault fault;
    if (wait && pbdma_last_engine_busy(pbdma))
        return pbdma_wait(pbdma, 0, 0, 0);
    if (!semaphore_release(pbdma->fifo->bus, &pbdma->channel->context.vm, address, payload, with_time, false, &fault))
        return pbdma_host_fault(pbdma, &fault);
    event_send(pbdma_events(pbdma), EVENT_PULLER_RELEASE, pbdma_channel_id(pbdma), NULL, address, payload,
               with_time ? 16 : 4);
    return STEP_DONE;
}

/* UNKNOWN: whether a reduction of 16 bytes writes the time too. Chosen: only the word. */
static enum pbdma_step sem_reduce(struct pbdma *pbdma, uint32_t data) {
    struct memory *memory = pbdma_memory(pbdma);
    const struct address_space *vm = &pbdma->channel->context.vm;
    uint64_t address = sem_address(pbdma);
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
    uint32_t operations = pbdma->fifo->chip->has_semaphore_reduction ? 0x1f : 0x0f;
    pbdma->regs[R_SEM_EXECUTE] = (data & ~SEM_EXECUTE_FAIL) | (pbdma->regs[R_SEM_EXECUTE] & SEM_EXECUTE_FAIL);
    switch (data & operations) {
    case SEMAPHORED_ACQUIRE:
        return sem_acquire(pbdma, SEMAPHORE_EQUAL);
    case SEMAPHORED_ACQ_GEQ:
        return sem_acquire(pbdma, SEMAPHORE_GEQUAL);
    case SEMAPHORED_ACQ_AND:
        return sem_acquire(pbdma, SEMAPHORE_AND);
    case SEMAPHORED_RELEASE:
        return sem_release(pbdma, !(data & SEMAPHORED_NO_WFI), !(data & SEMAPHORED_4_BYTES));
    case SEMAPHORED_REDUCTION:
        return sem_reduce(pbdma, data);
    default:
        return pbdma_method_error(pbdma, PBDMA_INTR_SEMAPHORE, "bad SEMAPHORED");
    }
}

/* The old methods work on the same address and payload. */
enum pbdma_step pbdma_old_acquire(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_SEM_PAYLOAD] = data;
    return sem_acquire(pbdma, SEMAPHORE_EQUAL);
}

enum pbdma_step pbdma_old_release(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_SEM_PAYLOAD] = data;
    return sem_release(pbdma, true, false);
}

/*
 * An acquire yields to other channels if ACQUIRE_SWITCH is set; a wait for an idle engine never does. UNKNOWN: whether
 * the old method 0x68, which has no such bit, yields. Chosen: yes, as before GF100.
 */
bool pbdma_wait_keeps_slice(const struct pbdma *pbdma) {
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
