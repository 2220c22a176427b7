/* SPDX-License-Identifier: MIT */
/*
 * The table of host methods: offset, name, who has it, and what it does.
 *
 * UNKNOWN: what a host method with a reserved operation does where no interrupt is documented. Chosen: METHOD.
 * UNKNOWN: SET_OBJECT of the software class with engine 0, GF100. Chosen: PGRAPH refuses it, the subchannel becomes a
 * software one and raises DEVICE. Mesa names the engine there (0x1f906e); from GK104 on the subchannel says it.
 */
#include "fifo/pbdma/host.h"

#include "chip/units.h"
#include "fifo/pbdma/interrupt.h"
#include "fifo/pbdma/puller.h"

static const struct pfifo_channel_context *host_context_of(const struct pbdma *pbdma) {
    return &pbdma->channel->context;
}

bool pbdma_last_engine_busy(const struct pbdma *pbdma) {
    unsigned current = pbdma->regs[R_TARGET] & 0x1f;
    if (current >= CHIP_MAX_ENGINES)
        return false;
    const struct fifo_engine *engine = &pbdma->fifo->engines[current];
    return engine->ops && engine->ops->busy && engine->ops->busy(engine->engine, host_context_of(pbdma));
}

static enum pbdma_step host_wait_for_idle(struct pbdma *pbdma) {
    return pbdma_last_engine_busy(pbdma) ? pbdma_wait(pbdma, 0, 0, 0) : STEP_DONE;
}

/* SET_OBJECT. */

static enum pbdma_step host_software_object(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    event_send(pbdma_events(pbdma), EVENT_PULLER_SOFTWARE, pbdma_channel_id(pbdma), NULL, subchannel, 0, data);
    return pbdma_raise(pbdma, PBDMA_INTR_DEVICE, "DEVICE") ? STEP_STALLED : STEP_DONE;
}

/* The method is over before the copy engine's front end complains, so clearing INTR_1 is enough. */
static enum pbdma_step host_copy_refuses(struct pbdma *pbdma, uint32_t data) {
    pbdma->hce_debug[0] = pbdma->regs[R_METHOD0];
    pbdma->hce_debug[1] = data;
    pbdma_raise_1(pbdma, PBDMA_INTR_1_HCE_CLASS, "HCE_ILLEGAL_CLASS");
    return STEP_DONE;
}

static void host_report_refusal(struct pbdma *pbdma, const struct fifo_engine *engine, unsigned subchannel,
                                uint32_t data) {
    event_send(pbdma_events(pbdma), EVENT_PULLER_ERROR, pbdma_channel_id(pbdma),
               engine->ops ? "class refused" : "no engine", subchannel, 0, data, 0, 0);
}

enum pbdma_step pbdma_refuse_copy_class(struct pbdma *pbdma, const struct fifo_engine *engine, unsigned subchannel,
                                        uint32_t data) {
    host_report_refusal(pbdma, engine, subchannel, data);
    return engine->ops && chip_unit_is_copy(engine->unit) ? host_copy_refuses(pbdma, data) : STEP_DONE;
}

enum pbdma_step pbdma_refuse_for_software(struct pbdma *pbdma, const struct fifo_engine *engine, unsigned subchannel,
                                          uint32_t data) {
    host_report_refusal(pbdma, engine, subchannel, data);
    if (engine->unit != CHIP_UNIT_PGRAPH)
        return STEP_DONE;
    pbdma->shared->variant->puller->set_engine(pbdma, subchannel, (uint32_t)ROUTE_SOFTWARE << 16);
    return host_software_object(pbdma, subchannel, data);
}

static enum pbdma_step host_set_object(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    const struct puller_variant *puller = pbdma->shared->variant->puller;
    uint16_t class = (uint16_t)data;
    if (!puller->set_engine(pbdma, subchannel, data))
        return pbdma_method_error(pbdma, PBDMA_INTR_METHOD, "no such engine");
    unsigned route = pbdma->route[subchannel];
    pbdma->channel->classes[subchannel] = class;
    if (route >= CHIP_MAX_ENGINES)
        return host_software_object(pbdma, subchannel, data);
    enum pbdma_step step = pbdma_select_engine(pbdma, route);
    if (step != STEP_DONE)
        return step;
    if (!fifo_engine_open(pbdma->fifo, route, pbdma_channel_id(pbdma))) /* the class is method 0 of the engine */
        return pbdma_wait(pbdma, 0, 0, 0);
    const struct fifo_engine *engine = &pbdma->fifo->engines[route];
    event_send(pbdma_events(pbdma), EVENT_PULLER_BIND, pbdma_channel_id(pbdma), NULL, subchannel, data, class, route,
               0);
    if (!engine->ops || !engine->ops->bind(engine->engine, host_context_of(pbdma), subchannel, class, 0))
        return puller->refuse(pbdma, engine, subchannel, data);
    struct pfifo_methods run = {.data = &pbdma->regs[R_DATA0], .count = 1, .subchannel = (uint8_t)subchannel};
    pbdma_crc_methods(pbdma, &run);
    return STEP_DONE;
}

static enum pbdma_step host_illegal(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel, (void)data;
    return pbdma_method_error(pbdma, PBDMA_INTR_METHOD, "ILLEGAL");
}

static enum pbdma_step host_nop(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)pbdma, (void)subchannel, (void)data;
    return STEP_DONE;
}

/* Interrupts, memory, reference. */

static enum pbdma_step host_non_stall_interrupt(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel, (void)data;
    pbdma->shared->upward->notify(pbdma->fifo, pbdma->regs[R_TARGET] & 0x1f);
    return STEP_DONE;
}

#define MEM_OP_TLB_INVALIDATE          0x09
#define MEM_OP_TLB_INVALIDATE_TARGETED 0x0a
/* Only operations on the TLB have something to do here. */
static enum pbdma_step host_memory_operation(struct pbdma *pbdma, uint32_t operation) {
    if (!(pbdma->shared->host->memory_operations >> operation & 1))
        return pbdma_method_error(pbdma, PBDMA_INTR_METHOD, "bad memory operation");
    if (operation == MEM_OP_TLB_INVALIDATE || operation == MEM_OP_TLB_INVALIDATE_TARGETED) {
        memory_tlb_flush(pbdma_memory(pbdma));
        pbdma_forget_spans(pbdma->shared);
    }
    return STEP_DONE;
}

static enum pbdma_step host_mem_op_a(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[pbdma->fifo->chip->has_mem_op_c ? R_MEM_OP_A : R_MEM_OP_C] = data;
    return STEP_DONE;
}

/*
 * B executes before B06F, and is an operand in C06F. NVIDIA's header of B06F does not have it, but programs that send
 * it in each submission (deko3d) run on GM20B. UNKNOWN: what it does there; chosen: nothing, the word is kept as in
 * C06F.
 */
static enum pbdma_step host_mem_op_b(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    if (!pbdma->fifo->chip->has_mem_op_c)
        return host_memory_operation(pbdma, data >> 27);
    pbdma->regs[R_MEM_OP_B] = data;
    return STEP_DONE;
}

static enum pbdma_step host_mem_op_c(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_MEM_OP_C] = data;
    return STEP_DONE;
}

static enum pbdma_step host_mem_op_d(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    return host_memory_operation(pbdma, data >> 27);
}

static enum pbdma_step host_set_reference(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    if (pbdma_last_engine_busy(pbdma))
        return pbdma_wait(pbdma, 0, 0, 0);
    pbdma->regs[R_REF] = data;
    event_send(pbdma_events(pbdma), EVENT_PULLER_REFERENCE, pbdma_channel_id(pbdma), NULL, data);
    return STEP_DONE;
}

static enum pbdma_step host_wfi(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    pbdma->regs[R_WFI] = data;
    return pbdma->fifo->chip->has_wfi_method ? host_wait_for_idle(pbdma) : STEP_DONE;
}

static enum pbdma_step host_crc_check(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
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
static enum pbdma_step host_yield(struct pbdma *pbdma, unsigned subchannel, uint32_t data) {
    (void)subchannel;
    uint32_t last = pbdma->fifo->chip->has_yield_operations ? 3 : 0;
    if (data > last)
        return pbdma_method_error(pbdma, PBDMA_INTR_METHOD, "bad YIELD");
    event_send(pbdma_events(pbdma), EVENT_PULLER_YIELD, pbdma_channel_id(pbdma), NULL, data);
    if (data != 0 && pbdma->slice.left <= pbdma->slice.yields_at)
        pbdma->slice.left = 0;
    return STEP_DONE;
}

/* What a chip or its class has to have for a method to exist. */
enum host_need {
    HOST_ALWAYS,
    HOST_NEW_SEMAPHORE,
    HOST_OLD_SEMAPHORE,
    HOST_MEM_OP_A,
    HOST_MEM_OP_B,
    HOST_MEM_OP_CD,
    HOST_SYNCPOINTS,
    HOST_WFI,
};

static bool host_meets(const struct pfifo_chip *chip, const struct host_class *host, enum host_need need) {
    switch (need) {
    case HOST_NEW_SEMAPHORE:
        return chip->has_new_semaphore;
    case HOST_OLD_SEMAPHORE:
        return chip->has_old_semaphore;
    case HOST_MEM_OP_A:
        return host->has_mem_op_a;
    case HOST_MEM_OP_B:
        return host->has_mem_op_a || chip->has_mem_op_c;
    case HOST_MEM_OP_CD:
        return chip->has_mem_op_c;
    case HOST_SYNCPOINTS:
        return chip->syncpoints || host->keeps_operands;
    case HOST_WFI:
        return chip->has_wfi_method || host->keeps_operands;
    case HOST_ALWAYS:
        break;
    }
    return true;
}

static const struct host_method {
    const char *name;
    host_method_function *act;
    enum host_need need;
    bool quiet; /* has events of its own */
} host_methods[64] = {
    [0x00 / 4] = {"SET_OBJECT", host_set_object, .quiet = true},
    [0x04 / 4] = {"ILLEGAL", host_illegal, .quiet = true},
    [0x08 / 4] = {"NOP", host_nop},
    [0x10 / 4] = {"SEMAPHOREA", pbdma_semaphore_a, HOST_NEW_SEMAPHORE},
    [0x14 / 4] = {"SEMAPHOREB", pbdma_semaphore_b, HOST_NEW_SEMAPHORE},
    [0x18 / 4] = {"SEMAPHOREC", pbdma_semaphore_c, HOST_NEW_SEMAPHORE},
    [0x1c / 4] = {"SEMAPHORED", pbdma_semaphore_d, HOST_NEW_SEMAPHORE, .quiet = true},
    [0x20 / 4] = {"NON_STALL_INTERRUPT", host_non_stall_interrupt},
    [0x24 / 4] = {"FB_FLUSH", host_nop},
    [0x28 / 4] = {"MEM_OP_A", host_mem_op_a, HOST_MEM_OP_A},
    [0x2c / 4] = {"MEM_OP_B", host_mem_op_b, HOST_MEM_OP_B},
    [0x30 / 4] = {"MEM_OP_C", host_mem_op_c, HOST_MEM_OP_CD},
    [0x34 / 4] = {"MEM_OP_D", host_mem_op_d, HOST_MEM_OP_CD},
    [0x50 / 4] = {"SET_REFERENCE", host_set_reference, .quiet = true},
    [0x64 / 4] = {"SEMAPHORE_OFFSET", pbdma_semaphore_b, HOST_OLD_SEMAPHORE},
    [0x68 / 4] = {"SEMAPHORE_ACQUIRE", pbdma_old_acquire, HOST_OLD_SEMAPHORE, .quiet = true},
    [0x6c / 4] = {"SEMAPHORE_RELEASE", pbdma_old_release, HOST_OLD_SEMAPHORE, .quiet = true},
    [0x70 / 4] = {"SYNCPOINTA", pbdma_syncpoint_a, HOST_SYNCPOINTS},
    [0x74 / 4] = {"SYNCPOINTB", pbdma_syncpoint_b, HOST_SYNCPOINTS},
    [0x78 / 4] = {"WFI", host_wfi, HOST_WFI},
    [0x7c / 4] = {"CRC_CHECK", host_crc_check},
    [0x80 / 4] = {"YIELD", host_yield, .quiet = true},
};

/* Memory operations: 05 06 09 0d 0e 0f 10, without 06 and 0d, without 06; and 0a 15 of the page tables of GP100. */
#define MEM_OPS      0x0001e260u
#define MEM_OPS_A26F 0x0001c220u
#define MEM_OPS_B06F 0x0001e220u
#define MEM_OPS_C06F (MEM_OPS_B06F | 0x00200400u)

/* The last row is for a class that is not listed. */
static const struct host_class host_classes[] = {
    {0x906f, .keeps_operands = true, .has_mem_op_a = true, .memory_operations = MEM_OPS},
    {0xa06f, .has_mem_op_a = true, .memory_operations = MEM_OPS},
    {0xa16f, .has_mem_op_a = true, .memory_operations = MEM_OPS},
    {0xa26f, .has_mem_op_a = true, .syncpoint_bases = true, .memory_operations = MEM_OPS_A26F},
    {0xb06f, .memory_operations = MEM_OPS_B06F},
    {0xc06f, .has_mem_op_a = true, .memory_operations = MEM_OPS_C06F},
    {0},
};

const struct host_class *pbdma_host_class(uint16_t id) {
    const struct host_class *host = host_classes;
    while (host->id && host->id != id)
        host++;
    return host;
}

uint64_t pbdma_host_methods(const struct pfifo_chip *chip, const struct host_class *host) {
    uint64_t methods = 0;
    for (unsigned i = 0; i < 64; i++)
        if (host_methods[i].act && host_meets(chip, host, host_methods[i].need))
            methods |= UINT64_C(1) << i;
    return methods;
}

enum pbdma_step pbdma_host_method(struct pbdma *pbdma, unsigned subchannel, uint32_t method, uint32_t data) {
    const struct host_method *host = &host_methods[method / 4];
    bool known = pbdma->shared->host_methods >> method / 4 & 1;
    enum pbdma_step step =
        known ? host->act(pbdma, subchannel, data) : pbdma_method_error(pbdma, PBDMA_INTR_METHOD, "no such method");
    if (step == STEP_DONE) /* a NOP that a driver put over a failed acquire ends it, too */
        pbdma->regs[R_SEM_EXECUTE] &= ~SEM_EXECUTE_FAIL;
    if (step == STEP_DONE && known && !host->quiet)
        event_send(pbdma_events(pbdma), EVENT_PULLER_HOST, pbdma_channel_id(pbdma), host->name, method, data, 0);
    return step;
}
