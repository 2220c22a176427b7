/* SPDX-License-Identifier: MIT */
/*
 * Host methods, 0x00 .. 0xfc: a table of offset, name, who has it, and what it does.
 *
 * UNKNOWN: what a host method with a reserved operation does where no interrupt is documented. Chosen: METHOD.
 * UNKNOWN: SET_OBJECT of a class that PGRAPH refuses, GF100. Chosen: the subchannel becomes a software one and raises
 * DEVICE, because drivers bind their software class with engine 0 and expect that.
 */
#include "fifo/pbdma/pbdma_host.h"

#include "chip/units.h"

static const struct pfifo_channel_context *context_of(const struct pbdma *pbdma) {
    return &pbdma->channel->context;
}

bool pbdma_last_engine_busy(const struct pbdma *pbdma) {
    unsigned current = pbdma->regs[R_TARGET] & 0x1f;
    if (current >= CHIP_MAX_ENGINES)
        return false;
    const struct fifo_engine *engine = &pbdma->fifo->base.engines[current];
    return engine->ops && engine->ops->busy && engine->ops->busy(engine->engine, context_of(pbdma));
}

static enum pbdma_step wait_for_idle(struct pbdma *pbdma) {
    return pbdma_last_engine_busy(pbdma) ? pbdma_wait(pbdma, 0, 0, 0) : STEP_DONE;
}

/* SET_OBJECT. */

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
        return engine->ops && chip_unit_is_copy(engine->unit) ? copy_refuses(pbdma, data) : STEP_DONE;
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
        return memory_operation(pbdma, pbdma_has_a26f(pbdma->fifo->base.chip) ? MEM_OPS_A26F : MEM_OPS_AB, data >> 27);
    pbdma->regs[R_MEM_OP_B] = data;
    return STEP_DONE;
}

static enum pbdma_step mem_op_c(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_MEM_OP_C] = data;
    return STEP_DONE;
}

static bool has_ver2_tables(const struct pfifo_chip *chip) {
    return chip->vm >= CHIP_VM_GP100;
}

static enum pbdma_step mem_op_d(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    uint32_t more = has_ver2_tables(pbdma->fifo->base.chip) ? MEM_OPS_VER2 : 0;
    return memory_operation(pbdma, MEM_OPS_D | more, data >> 27);
}

static enum pbdma_step set_reference(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    if (pbdma_last_engine_busy(pbdma))
        return pbdma_wait(pbdma, 0, 0, 0);
    pbdma->regs[R_REF] = data;
    event_send(pbdma_events(pbdma), EVENT_PULLER_REFERENCE, pbdma_channel_id(pbdma), NULL, data);
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

static bool has_new_semaphore(const struct pfifo_chip *chip) {
    return chip->has_new_semaphore;
}

static bool has_old_semaphore(const struct pfifo_chip *chip) {
    return chip->has_old_semaphore;
}

static bool has_mem_op_ab(const struct pfifo_chip *chip) {
    return !chip->has_mem_op_c || has_ver2_tables(chip);
}

static bool has_mem_op_cd(const struct pfifo_chip *chip) {
    return chip->has_mem_op_c;
}

/* GF100:GK104 take these three and only keep the operand. */
static bool has_syncpoint_words(const struct pfifo_chip *chip) {
    return chip->has_syncpoints || chip->has_engine_in_object;
}

static bool has_wfi(const struct pfifo_chip *chip) {
    return chip->has_wfi_method || chip->has_engine_in_object;
}

static const struct host_method {
    const char *name;
    host_method_function *act;
    bool (*available)(const struct pfifo_chip *chip); /* NULL: always */
    bool quiet;                                       /* has events of its own */
} host_methods[64] = {
    [0x00 / 4] = {"SET_OBJECT", set_object, .quiet = true},
    [0x04 / 4] = {"ILLEGAL", illegal, .quiet = true},
    [0x08 / 4] = {"NOP", nop},
    [0x10 / 4] = {"SEMAPHOREA", pbdma_semaphore_a, has_new_semaphore},
    [0x14 / 4] = {"SEMAPHOREB", pbdma_semaphore_b, has_new_semaphore},
    [0x18 / 4] = {"SEMAPHOREC", pbdma_semaphore_c, has_new_semaphore},
    [0x1c / 4] = {"SEMAPHORED", pbdma_semaphore_d, has_new_semaphore, .quiet = true},
    [0x20 / 4] = {"NON_STALL_INTERRUPT", non_stall_interrupt},
    [0x24 / 4] = {"FB_FLUSH", nop},
    [0x28 / 4] = {"MEM_OP_A", mem_op_a, has_mem_op_ab},
    [0x2c / 4] = {"MEM_OP_B", mem_op_b, has_mem_op_ab},
    [0x30 / 4] = {"MEM_OP_C", mem_op_c, has_mem_op_cd},
    [0x34 / 4] = {"MEM_OP_D", mem_op_d, has_mem_op_cd},
    [0x50 / 4] = {"SET_REFERENCE", set_reference, .quiet = true},
    [0x64 / 4] = {"SEMAPHORE_OFFSET", pbdma_semaphore_b, has_old_semaphore},
    [0x68 / 4] = {"SEMAPHORE_ACQUIRE", pbdma_old_acquire, has_old_semaphore, .quiet = true},
    [0x6c / 4] = {"SEMAPHORE_RELEASE", pbdma_old_release, has_old_semaphore, .quiet = true},
    [0x70 / 4] = {"SYNCPOINTA", pbdma_syncpoint_a, has_syncpoint_words},
    [0x74 / 4] = {"SYNCPOINTB", pbdma_syncpoint_b, has_syncpoint_words},
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
