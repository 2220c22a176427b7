/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of PFIFO, GF100 .. GP10B: software methods are executed, other errors of a PBDMA are reported and
 * their method replaced by a NOP, as nouveau does it; an MMU fault kills its channel, unless it is that of a BAR.
 */
#include "unit/error_names.h"
#include "driver/gpfifo.h"

#include "hw/pbdma.h"
#include "hw/pbus.h"
#include "hw/pfifo_gf100.h"
#include "hw/pmc.h"

#define INTR_LEVEL (PFIFO_INTR_FAULT | PFIFO_INTR_PBDMA | PFIFO_INTR_RUNLIST_EVENT) /* cleared with their cause */

/* Errors of the method in METHOD0. */
#define PBDMA_METHODS                                                                                                  \
    (PBDMA_INTR_METHOD | PBDMA_INTR_METHODCRC | PBDMA_INTR_DEVICE | PBDMA_INTR_SEMAPHORE | PBDMA_INTR_ACQUIRE)
#define METHOD_NOP 0x80600008u

/* ---- MMU faults ---- */

static struct pfifo_channel *gpfifo_channel_at(struct pfifo_device *device, uint32_t frame) {
    struct pfifo_channel *channel = device->channels;
    while (channel && gpfifo_instance(channel) >> 12 != frame)
        channel = channel->next;
    return channel;
}

/* After a fault of a BAR or of PEEPHOLE, which are the CPU's, its space is bound again. */
static bool gpfifo_recover_window(struct pfifo_device *device, unsigned unit) {
    switch (unit) {
    case MMU_UNIT_PEEPHOLE:
        device_mask(device, NV_PBUS_PEEPHOLE_BLOCK, 0, 0);
        return true;
    case MMU_UNIT_BAR1:
        gpfifo_bind_bar(gpfifo_of(device), 1);
        return true;
    case MMU_UNIT_BAR3:
        gpfifo_bind_bar(gpfifo_of(device), 3);
        return true;
    default:
        return false;
    }
}

static void gpfifo_mmu_fault(struct pfifo_device *device, uint32_t unit) {
    uint32_t record = NV_PFIFO_VM_FAULT_INST + NV_PFIFO_VM_FAULT_STRIDE * unit;
    struct pfifo_channel *channel = gpfifo_channel_at(device, device_rd32(device, record) & 0x0fffffff);
    uint32_t low = device_rd32(device, record + 4), high = device_rd32(device, record + 8);
    uint32_t status = device_rd32(device, record + 12);
    const struct pfifo_device_fault fault = {
        .channel = channel ? channel->number : CHANNEL_UNKNOWN,
        .unit = "MMU",
        .error = error_name(gpfifo_of(device)->family->mmu_errors, status & 0xf),
        .address = (uint64_t)high << 32 | low,
        .data = status,
    };
    bool window = gpfifo_recover_window(device, unit);
    device_fault(device, &fault);
    if (!window)
        gpfifo_of(device)->family->condemn(device, channel, unit);
    device_wr32(device, NV_PFIFO_VM_FAULT_SOURCE, 1u << unit);
    if (!window)
        gpfifo_recover(device);
}

static void gpfifo_mmu_faults(struct pfifo_device *device) {
    uint32_t units = device_rd32(device, NV_PFIFO_VM_FAULT_SOURCE);
    for (uint32_t unit = 0; unit < 32; unit++)
        if (units >> unit & 1)
            gpfifo_mmu_fault(device, unit);
}

/* ---- PBDMAs ---- */

/* What a PBDMA shows about the method it stopped at. */
struct pbdma_state {
    uint32_t channel;
    unsigned subchannel;
    uint32_t method, data;
    uint64_t address;
    bool has_method;
};

static struct pbdma_state pbdma_read_state(struct pfifo_device *device, uint32_t page) {
    uint32_t word = device_rd32(device, page + NV_PBDMA_METHOD0);
    return (struct pbdma_state){
        .channel = device_rd32(device, page + NV_PBDMA_CHANNEL) & ((1u << device->chip->channel_bits) - 1),
        .subchannel = word >> 16 & 7,
        .method = word & 0x3ffc,
        .data = device_rd32(device, page + NV_PBDMA_DATA0),
        .address = device_rd32(device, page + NV_PBDMA_GET) |
                   (uint64_t)(device_rd32(device, page + NV_PBDMA_GET_HI) & 0xff) << 32,
    };
}

static void pbdma_report(struct pfifo_device *device, const struct pbdma_state *state, const char *error) {
    const struct pfifo_device_fault fault = {.channel = state->channel,
                                             .unit = "PBDMA",
                                             .error = error,
                                             .address = state->address,
                                             .subchannel = state->subchannel,
                                             .method = state->method,
                                             .data = state->data,
                                             .has_method = state->has_method};
    device_fault(device, &fault);
}

/* Errors of fetched words are not about METHOD0, which is the method before. GET is after the bad word. */
static struct pbdma_state pbdma_state_of_error(struct pfifo_device *device, uint32_t page,
                                               const struct pbdma_state *state, unsigned bit) {
    struct pbdma_state other = {.channel = state->channel, .address = state->address};
    if (PBDMA_METHODS >> bit & 1) {
        other = *state;
        other.has_method = true;
    } else if (PBDMA_INTR_PBENTRY >> bit & 1) {
        other.address -= 4;
        other.data = device_rd32(device, page + NV_PBDMA_HDR_SHADOW);
    }
    return other;
}

static bool pbdma_software(struct pfifo_device *device, const struct pbdma_state *state) {
    struct pfifo_channel *channel = device_channel(device, state->channel);
    if (!channel)
        return false;
    if (state->method == 0)
        return channel_software_bind(channel, state->subchannel, state->data);
    return channel_software_method(channel, state->subchannel, state->method, state->data);
}

static void pbdma_errors_0(struct pfifo_device *device, uint32_t page) {
    uint32_t status = device_rd32(device, page + NV_PBDMA_INTR_0) & device_rd32(device, page + NV_PBDMA_INTR_EN_0);
    if (!status)
        return;
    struct pbdma_state state = pbdma_read_state(device, page);
    uint32_t left = status;
    if ((status & PBDMA_INTR_DEVICE) && pbdma_software(device, &state))
        left &= ~PBDMA_INTR_DEVICE;
    for (unsigned bit = 0; bit < 32; bit++) {
        struct pbdma_state of_bit = pbdma_state_of_error(device, page, &state, bit);
        if (left >> bit & 1)
            pbdma_report(device, &of_bit, error_name(&errors_pbdma, 1u << bit));
    }
    device_wr32(device, page + NV_PBDMA_METHOD0, METHOD_NOP);
    device_wr32(device, page + NV_PBDMA_INTR_0, status);
}

static void pbdma_errors_1(struct pfifo_device *device, uint32_t page) {
    uint32_t status = device_rd32(device, page + NV_PBDMA_INTR_1) & device_rd32(device, page + NV_PBDMA_INTR_EN_1);
    if (!status)
        return;
    struct pbdma_state state = pbdma_read_state(device, page);
    uint32_t method = device_rd32(device, page + NV_PBDMA_HCE_DBG);
    state.subchannel = method >> 16 & 7;
    state.method = method & 0x3ffc;
    state.data = device_rd32(device, page + NV_PBDMA_HCE_DBG + 4);
    state.has_method = true;
    for (unsigned bit = 0; bit < 32; bit++)
        if (status >> bit & 1)
            pbdma_report(device, &state, error_name(&errors_pbdma_copy, 1u << bit));
    device_wr32(device, page + NV_PBDMA_INTR_1, status);
}

static void pbdmas(struct pfifo_device *device) {
    uint32_t units = device_rd32(device, NV_PFIFO_PBDMA_ID);
    for (unsigned unit = 0; unit < gpfifo_of(device)->pbdmas; unit++) {
        if (!(units >> unit & 1))
            continue;
        pbdma_errors_0(device, NV_PBDMA_BASE + NV_PBDMA_STRIDE * unit);
        if (gpfifo_of(device)->family->has_copy_front_ends)
            pbdma_errors_1(device, NV_PBDMA_BASE + NV_PBDMA_STRIDE * unit);
        device_wr32(device, NV_PFIFO_PBDMA_ID, 1u << unit);
    }
}

/* ---- the rest ---- */

static void gpfifo_runlist_events(struct pfifo_device *device) {
    device_wr32(device, NV_PFIFO_INTR_RUNLIST, device_rd32(device, NV_PFIFO_INTR_RUNLIST));
}

/* Errors that are only reported, and the register with the code. */
static const struct {
    uint32_t bit;
    uint32_t code;
    const char *error;
} plain_errors[] = {
    {PFIFO_INTR_BIND, NV_PFIFO_BIND_ERROR, "BIND_ERROR"},
    {PFIFO_INTR_SCHED, NV_PFIFO_SCHED_ERROR, "SCHED_ERROR"},
    {PFIFO_INTR_BYPASS, NV_PFIFO_BYPASS_STATUS, "PIO_ERROR"},
    {PFIFO_INTR_CHSW, NV_PFIFO_CHSW_ERROR, "CHSW_ERROR"},
    {PFIFO_INTR_MEMOP_TIMEOUT, NV_PFIFO_INTR, "FB_FLUSH_TIMEOUT"},
    {PFIFO_INTR_LB, NV_PFIFO_LB_ERROR, "LB_ERROR"},
    {PFIFO_INTR_DROPPED, NV_PFIFO_VM_FAULT_SOURCE, "DROPPED_MMU_FAULT"},
};

static void gpfifo_plain(struct pfifo_device *device, const char *error, uint32_t data) {
    const struct pfifo_device_fault fault = {.channel = CHANNEL_UNKNOWN, .unit = "PFIFO", .error = error, .data = data};
    device_fault(device, &fault);
}

static void gpfifo_fifo_interrupt(struct pfifo_device *device) {
    uint32_t status = device_rd32(device, NV_PFIFO_INTR) & device_rd32(device, NV_PFIFO_INTR_EN);
    for (size_t i = 0; i < sizeof plain_errors / sizeof plain_errors[0]; i++) {
        if (status & plain_errors[i].bit) {
            gpfifo_plain(device, plain_errors[i].error, device_rd32(device, plain_errors[i].code));
            device_wr32(device, NV_PFIFO_INTR, plain_errors[i].bit);
        }
        status &= ~plain_errors[i].bit;
    }
    if (status & PFIFO_INTR_FAULT)
        gpfifo_mmu_faults(device);
    if (status & PFIFO_INTR_PBDMA)
        pbdmas(device);
    if (status & PFIFO_INTR_RUNLIST_EVENT)
        gpfifo_runlist_events(device);
    status &= ~INTR_LEVEL;
    if (status) {
        gpfifo_plain(device, "UNKNOWN", status);
        device_mask(device, NV_PFIFO_INTR_EN, status, 0);
        device_wr32(device, NV_PFIFO_INTR, status);
    }
}

void gpfifo_interrupt(struct pfifo_device *device, uint32_t lines) {
    if (lines & PMC_INTR_PFIFO)
        gpfifo_fifo_interrupt(device);
    if (lines & PMC_INTR_PGRAPH)
        device_graph_interrupt(device, PMC_INTR_PGRAPH);
    device_unit_interrupts(device, lines & UNIT_LINES_GF100);
}

uint32_t gpfifo_graph_page(const struct pfifo_channel *channel) {
    return (uint32_t)(((const struct gpfifo_channel *)channel)->instance >> 12);
}
