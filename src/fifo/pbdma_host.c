/* SPDX-License-Identifier: MIT */
/*
 * Host methods, 0x00 .. 0xfc: a table of offset, name, who has it, and what it does.
 *
 * UNKNOWN: what a host method with a reserved operation does where no interrupt is documented. Chosen: METHOD.
 * UNKNOWN: which word keeps the operand of SYNCPOINTA. Chosen: 0x78, before those of the next two methods.
 * UNKNOWN: SET_OBJECT of a class that PGRAPH refuses, GF100. Chosen: the subchannel becomes a software one and raises
 * DEVICE, because drivers bind their software class with engine 0 and expect that.
 */
#include "fifo/pbdma.h"

#include "fifo/semaphore.h"

typedef enum pbdma_step (*host_function)(struct pbdma *pbdma, unsigned subchannel, uint32_t data);

static const struct pfifo_channel_context *context_of(const struct pbdma *pbdma) {
    return &pbdma->channel->context;
}

/* Wait until the engine that the channel used last has done its work. */
static bool engine_busy(const struct pbdma *pbdma) {
    unsigned current = pbdma->regs[R_TARGET] & 0x1f;
    if (current >= CHIP_MAX_ENGINES)
        return false;
    const struct fifo_engine *engine = &pbdma->fifo->base.engines[current];
    return engine->ops && engine->ops->busy && engine->ops->busy(engine->engine, context_of(pbdma));
}

static enum pbdma_step wait_for_idle(struct pbdma *pbdma) {
    return engine_busy(pbdma) ? pbdma_wait(pbdma, 0, 0, 0) : STEP_DONE;
}

/* SET_OBJECT. */

static bool is_copy(enum chip_unit unit) {
    return unit >= CHIP_UNIT_PCOPY0 && unit <= CHIP_UNIT_PCOPY2;
}

static enum pbdma_step software_object(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    event_send(pbdma_events(pbdma), EVENT_PULLER_SOFTWARE, pbdma_channel_id(pbdma), NULL, subchannel, 0, data);
    return pbdma_raise(pbdma, PBDMA_INTR_DEVICE, "DEVICE") ? STEP_STALLED : STEP_DONE;
}

/* The method is done for when the copy engine's front end complains, so that clearing INTR_1 is enough. */
static enum pbdma_step copy_refuses(struct pbdma *pbdma, uint32_t data) {
    pbdma->hce_debug[0] = pbdma->regs[R_METHOD0];
    pbdma->hce_debug[1] = data;
    pbdma_raise_1(pbdma, PBDMA_INTR_1_HCE_CLASS, "HCE_ILLEGAL_CLASS");
    return STEP_DONE;
}

static enum pbdma_step refused(struct pbdma *pbdma, const struct fifo_engine *engine, unsigned subchannel,
                               uint32_t data) {
    const struct pbdma_family *family = pbdma->fifo->family;
    event_send(pbdma_events(pbdma), EVENT_PULLER_ERROR, pbdma_channel_id(pbdma),
               engine->ops ? "class refused" : "no engine", subchannel, 0, data, 0);
    if (!family->set_engine)
        return engine->ops && is_copy(engine->unit) ? copy_refuses(pbdma, data) : STEP_DONE;
    if (engine->unit != CHIP_UNIT_PGRAPH)
        return STEP_DONE;
    family->set_engine(pbdma, subchannel, (uint32_t)ROUTE_SOFTWARE << 16);
    return software_object(pbdma, subchannel, data);
}

static enum pbdma_step set_object(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    struct pbdma_fifo *fifo = pbdma->fifo;
    uint16_t class = (uint16_t)data;
    if (fifo->family->set_engine && !fifo->family->set_engine(pbdma, subchannel, data))
        return pbdma_method_error(pbdma, PBDMA_INTR_METHOD, "no such engine");
    unsigned route = pbdma->route[subchannel];
    pbdma->channel->classes[subchannel] = class;
    if (route >= CHIP_MAX_ENGINES)
        return software_object(pbdma, subchannel, data);
    enum pbdma_step step = pbdma_select_engine(pbdma, route);
    if (step != STEP_DONE)
        return step;
    const struct fifo_engine *engine = &fifo->base.engines[route];
    event_send(pbdma_events(pbdma), EVENT_PULLER_BIND, pbdma_channel_id(pbdma), NULL, subchannel, data, class, route,
               0);
    if (!engine->ops || !engine->ops->bind(engine->engine, context_of(pbdma), subchannel, class, 0))
        return refused(pbdma, engine, subchannel, data);
    struct pfifo_methods run = {.data = &pbdma->regs[R_DATA0], .count = 1, .subchannel = (uint8_t)subchannel};
    pbdma_crc_methods(pbdma, &run);
    return STEP_DONE;
}

static enum pbdma_step illegal(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel, (void)data;
    return pbdma_method_error(pbdma, PBDMA_INTR_METHOD, "ILLEGAL");
}

static enum pbdma_step nop(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)pbdma, (void)subchannel, (void)data;
    return STEP_DONE;
}

/* Semaphores. */

#define SEMAPHORED_ACQUIRE      0x01u
#define SEMAPHORED_RELEASE      0x02u
#define SEMAPHORED_ACQ_GEQ      0x04u
#define SEMAPHORED_ACQ_AND      0x08u
#define SEMAPHORED_REDUCTION    0x10u
#define SEMAPHORED_SWITCH       (1u << 12)
#define SEMAPHORED_NO_WFI       (1u << 20)
#define SEMAPHORED_4_BYTES      (1u << 24)
#define SEMAPHORED_UNSIGNED     (1u << 31)
#define ACQUIRE_TIMEOUT_ENABLED (1u << 31)

static uint64_t semaphore_address(const struct pbdma *pbdma) {
    return (pbdma->regs[R_SEM_ADDR_LO] & ~3u) | (uint64_t)(pbdma->regs[R_SEM_ADDR_HI] & 0xff) << 32;
}

static enum pbdma_step semaphore_a(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_SEM_ADDR_HI] = data;
    return STEP_DONE;
}

static enum pbdma_step semaphore_b(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_SEM_ADDR_LO] = data;
    return STEP_DONE;
}

static enum pbdma_step semaphore_c(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
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
    if (!memory_rd32(pbdma_memory(pbdma), &context_of(pbdma)->vm, address, &found, &fault))
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
    if (wait && engine_busy(pbdma))
        return pbdma_wait(pbdma, 0, 0, 0);
    if (!semaphore_release(pbdma->fifo->base.bus, &context_of(pbdma)->vm, address, payload, with_time, false, &fault))
        return pbdma_host_fault(pbdma, &fault);
    event_send(pbdma_events(pbdma), EVENT_PULLER_RELEASE, pbdma_channel_id(pbdma), NULL, address, payload,
               with_time ? 16 : 4);
    return STEP_DONE;
}

/* UNKNOWN: whether a reduction of 16 bytes writes the time too. Chosen: only the word. */
static enum pbdma_step reduce(struct pbdma *pbdma, uint32_t data) {
    struct memory *memory = pbdma_memory(pbdma);
    const struct address_space *vm = &context_of(pbdma)->vm;
    uint64_t address = semaphore_address(pbdma);
    enum semaphore_reduction operation = (enum semaphore_reduction)(data >> 27 & 0xf);
    uint32_t word;
    struct fault fault;
    if (operation > SEMAPHORE_DEC)
        return pbdma_method_error(pbdma, PBDMA_INTR_SEMAPHORE, "bad reduction");
    if (!(data & SEMAPHORED_NO_WFI) && engine_busy(pbdma))
        return pbdma_wait(pbdma, 0, 0, 0);
    if (!memory_rd32(memory, vm, address, &word, &fault))
        return pbdma_host_fault(pbdma, &fault);
    word = semaphore_reduce(operation, !(data & SEMAPHORED_UNSIGNED), word, pbdma->regs[R_SEM_PAYLOAD]);
    if (!memory_wr32(memory, vm, address, word, &fault))
        return pbdma_host_fault(pbdma, &fault);
    event_send(pbdma_events(pbdma), EVENT_PULLER_RELEASE, pbdma_channel_id(pbdma), NULL, address, word, 4);
    return STEP_DONE;
}

static enum pbdma_step semaphore_d(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
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
static enum pbdma_step old_acquire(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_SEM_PAYLOAD] = data;
    return acquire(pbdma, SEMAPHORE_EQUAL);
}

static enum pbdma_step old_release(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_SEM_PAYLOAD] = data;
    return release(pbdma, true, false);
}

/* Interrupts, memory, reference. */

static enum pbdma_step non_stall_interrupt(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel, (void)data;
    pbdma->fifo->family->notify(pbdma->fifo, pbdma->regs[R_TARGET] & 0x1f);
    return STEP_DONE;
}

#define MEM_OP_TLB_INVALIDATE          0x09
#define MEM_OP_TLB_INVALIDATE_TARGETED 0x0a
/* Operations that exist, a bit each. Only those on the TLB have something to do here. */
#define MEM_OPS_AB   0x0001e260u /* 05 06 09 0d 0e 0f 10 */
#define MEM_OPS_A26F 0x0001c220u /* without 06 and 0d */
#define MEM_OPS_D    0x0001e220u /* without 06 */
#define MEM_OPS_VER2 0x00200400u /* 0a 15 */

/* A26F is the only class with MEM_OP_A and MEM_OP_B that a Tegra has. */
static bool has_a26f(const struct chip *chip) {
    return chip->has_syncpoints && !chip->has_mem_op_c;
}

static enum pbdma_step memory_operation(struct pbdma *pbdma, uint32_t operations, uint32_t operation) {
    if (!(operations >> operation & 1))
        return pbdma_method_error(pbdma, PBDMA_INTR_METHOD, "bad memory operation");
    if (operation == MEM_OP_TLB_INVALIDATE || operation == MEM_OP_TLB_INVALIDATE_TARGETED) {
        memory_tlb_flush(pbdma_memory(pbdma));
        for (unsigned i = 0; i < pbdma->fifo->pbdmas; i++)
            pbdma->fifo->pbdma[i].span = (struct pbdma_span){0};
    }
    return STEP_DONE;
}

static enum pbdma_step mem_op_a(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[pbdma->fifo->base.chip->has_mem_op_c ? R_MEM_OP_A : R_MEM_OP_C] = data;
    return STEP_DONE;
}

static enum pbdma_step mem_op_b(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    if (!pbdma->fifo->base.chip->has_mem_op_c)
        return memory_operation(pbdma, has_a26f(pbdma->fifo->base.chip) ? MEM_OPS_A26F : MEM_OPS_AB, data >> 27);
    pbdma->regs[R_MEM_OP_B] = data;
    return STEP_DONE;
}

static enum pbdma_step mem_op_c(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_MEM_OP_C] = data;
    return STEP_DONE;
}

static bool has_ver2_tables(const struct chip *chip) {
    return chip->vm >= CHIP_VM_GP100;
}

static enum pbdma_step mem_op_d(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    uint32_t more = has_ver2_tables(pbdma->fifo->base.chip) ? MEM_OPS_VER2 : 0;
    return memory_operation(pbdma, MEM_OPS_D | more, data >> 27);
}

static enum pbdma_step set_reference(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    if (engine_busy(pbdma))
        return pbdma_wait(pbdma, 0, 0, 0);
    pbdma->regs[R_REF] = data;
    event_send(pbdma_events(pbdma), EVENT_PULLER_REFERENCE, pbdma_channel_id(pbdma), NULL, data);
    return STEP_DONE;
}

/* Syncpoints. */

enum syncpoint_operation { SYNCPOINT_WAIT, SYNCPOINT_INCR, SYNCPOINT_BASE_ADD, SYNCPOINT_BASE_WRITE };

uint32_t *pbdma_syncpoint(struct fifo *base, unsigned index) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    return base->chip->has_syncpoints && index < PBDMA_SYNCPOINTS ? &fifo->syncpoints[index] : NULL;
}

static enum pbdma_step syncpoint_a(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
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
static enum pbdma_step syncpoint_b(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    struct pbdma_fifo *fifo = pbdma->fifo;
    bool bases = has_a26f(fifo->base.chip);
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
        fifo->syncpoints[index]++;
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

static enum pbdma_step wfi(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_WFI] = data;
    return pbdma->fifo->base.chip->has_wfi_method ? wait_for_idle(pbdma) : STEP_DONE;
}

static enum pbdma_step crc_check(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    uint32_t *left = &pbdma->channel->crc_left;
    pbdma_crc_settle(pbdma);
    bool known = *left != 0, match = pbdma->regs[R_METHOD_CRC] == data;
    pbdma->regs[R_METHOD_CRC] = 0;
    *left = PBDMA_CRC_ALWAYS;
    if (known)
        return match ? STEP_DONE : pbdma_method_error(pbdma, PBDMA_INTR_METHODCRC, "METHODCRC");
    event_send(pbdma_events(pbdma), EVENT_FIFO_UNKNOWN, pbdma_channel_id(pbdma), "METHOD_CRC was not counted", 0, data);
    return STEP_DONE;
}

/* What is left of the timeslice is given up. */
static enum pbdma_step yield(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    uint32_t last = pbdma->fifo->base.chip->has_yield_operations ? 3 : 0;
    if (data > last)
        return pbdma_method_error(pbdma, PBDMA_INTR_METHOD, "bad YIELD");
    event_send(pbdma_events(pbdma), EVENT_PULLER_YIELD, pbdma_channel_id(pbdma), NULL, data);
    if (data != 0 && pbdma->slice <= pbdma->yields_at)
        pbdma->slice = 0;
    return STEP_DONE;
}

static bool has_new_semaphore(const struct chip *chip) {
    return chip->has_new_semaphore;
}

static bool has_old_semaphore(const struct chip *chip) {
    return chip->has_old_semaphore;
}

static bool has_mem_op_ab(const struct chip *chip) {
    return !chip->has_mem_op_c || has_ver2_tables(chip);
}

static bool has_mem_op_cd(const struct chip *chip) {
    return chip->has_mem_op_c;
}

/* GF100:GK104 take these three and only keep the operand. */
static bool has_syncpoint_words(const struct chip *chip) {
    return chip->has_syncpoints || chip->has_engine_in_object;
}

static bool has_wfi(const struct chip *chip) {
    return chip->has_wfi_method || chip->has_engine_in_object;
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

static const struct host_method {
    const char *name;
    host_function act;
    bool (*available)(const struct chip *chip); /* NULL: always */
    bool quiet;                                 /* has events of its own */
} host_methods[64] = {
    [0x00 / 4] = {"SET_OBJECT", set_object, .quiet = true},
    [0x04 / 4] = {"ILLEGAL", illegal, .quiet = true},
    [0x08 / 4] = {"NOP", nop},
    [0x10 / 4] = {"SEMAPHOREA", semaphore_a, has_new_semaphore},
    [0x14 / 4] = {"SEMAPHOREB", semaphore_b, has_new_semaphore},
    [0x18 / 4] = {"SEMAPHOREC", semaphore_c, has_new_semaphore},
    [0x1c / 4] = {"SEMAPHORED", semaphore_d, has_new_semaphore, .quiet = true},
    [0x20 / 4] = {"NON_STALL_INTERRUPT", non_stall_interrupt},
    [0x24 / 4] = {"FB_FLUSH", nop},
    [0x28 / 4] = {"MEM_OP_A", mem_op_a, has_mem_op_ab},
    [0x2c / 4] = {"MEM_OP_B", mem_op_b, has_mem_op_ab},
    [0x30 / 4] = {"MEM_OP_C", mem_op_c, has_mem_op_cd},
    [0x34 / 4] = {"MEM_OP_D", mem_op_d, has_mem_op_cd},
    [0x50 / 4] = {"SET_REFERENCE", set_reference, .quiet = true},
    [0x64 / 4] = {"SEMAPHORE_OFFSET", semaphore_b, has_old_semaphore},
    [0x68 / 4] = {"SEMAPHORE_ACQUIRE", old_acquire, has_old_semaphore, .quiet = true},
    [0x6c / 4] = {"SEMAPHORE_RELEASE", old_release, has_old_semaphore, .quiet = true},
    [0x70 / 4] = {"SYNCPOINTA", syncpoint_a, has_syncpoint_words},
    [0x74 / 4] = {"SYNCPOINTB", syncpoint_b, has_syncpoint_words},
    [0x78 / 4] = {"WFI", wfi, has_wfi},
    [0x7c / 4] = {"CRC_CHECK", crc_check},
    [0x80 / 4] = {"YIELD", yield, .quiet = true},
};

enum pbdma_step pbdma_host_method(struct pbdma *pbdma, unsigned subchannel, uint32_t method, uint32_t data) {
    const struct host_method *host = &host_methods[method / 4];
    bool known = host->act && (!host->available || host->available(pbdma->fifo->base.chip));
    enum pbdma_step step =
        known ? host->act(pbdma, subchannel, data) : pbdma_method_error(pbdma, PBDMA_INTR_METHOD, "no such method");
    if (step == STEP_DONE) /* a NOP that a driver put over a failed acquire ends it, too */
        pbdma->regs[R_SEM_EXECUTE] &= ~SEM_EXECUTE_FAIL;
    if (step == STEP_DONE && known && !host->quiet)
        event_send(pbdma_events(pbdma), EVENT_PULLER_HOST, pbdma_channel_id(pbdma), host->name, method, data, 0);
    return step;
}
