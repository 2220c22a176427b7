/* SPDX-License-Identifier: MIT */
/*
 * PGRAPH's errors, of methods that it refused or that failed: they are reported and acknowledged, and PGRAPH continues.
 * The order of register accesses is nouveau's (engine/gr/{nv04,nv10,nv20,nv40,nv50,gf100}.c).
 *
 * Differs from nouveau: only the first TPC is read.
 */
#include "driver/access.h"
#include "unit/error_names.h"
#include "driver/interrupts.h"
#include "driver/ops.h"

#include "hw/pfifo_nv4.h"
#include "hw/pgraph.h"
#include "unit/error.h"

/* FIFO and HOST, with the bits that make them writable. */
#define ACCESS_NV1 (GRAPH_ACCESS | GRAPH_HOST_NV1 | GRAPH_ACCESS_WRITE_NV1 | GRAPH_HOST_WRITE_NV1)
#define FIFO_G80   (GRAPH_CONTROL_PULL | GRAPH_CONTROL_UNK16)
#define BY_NSOURCE NV_PGRAPH_NSOURCE, 1u << 6
#define BY_INTR    NV_PGRAPH_INTR, GRAPH_INTR_ILLEGAL_METHOD

#define TRAP_MP (1u << 1) /* of a TPC */

/* ---- units ---- */

/* In the order in which they are handled. */
static const struct trap_unit {
    const char *chips;
    uint8_t bit;
    uint32_t status;
    uint32_t disable; /* the unit must be reset */
    bool sticks;      /* its pending method must be dropped, too */
    bool gpcs;        /* the clusters: which processor it was stands in registers of theirs */
} trap_units[] = {
    {"G80:GF100", 0, NV_PGRAPH_DISPATCH_TRAP, .sticks = true},
    {"G80:GF100", 1, NV_PGRAPH_M2MF_TRAP, 0x2},
    {"G80:GF100", 2, NV_PGRAPH_VFETCH_TRAP, 0},
    {"G80:GF100", 3, NV_PGRAPH_STRMOUT_TRAP, 0x80},
    {"G80:GF100", 4, NV_PGRAPH_CCACHE_TRAP, 0},
    {"G80:GF100", 5, NV_PGRAPH_CLIPID_TRAP, 0},
    {"G80:GT200", 6, NV_PGRAPH_TPC0_TEX_TRAP, 0},
    {"GT200:GF100", 6, NV_PGRAPH_TPC0_TEX_TRAP_GT200, 0},
    {"G80:GT200", 7, NV_PGRAPH_TPC0_MP_TRAP, 0},
    {"GT200:GF100", 7, NV_PGRAPH_TPC0_MP_TRAP_GT200, 0},
    {"G80:GT200", 8, NV_PGRAPH_TPC0_PROP_TRAP, 0},
    {"GT200:GF100", 8, NV_PGRAPH_TPC0_PROP_TRAP_GT200, 0},
    {"GF100:GV100", 24, NV_PGRAPH_TRAP_GPCS, .gpcs = true},
    {"GF100-", 0, NV_PGRAPH_DISPATCH_TRAP_GF100, 0},
    {"GF100-", 1, NV_PGRAPH_M2MF_TRAP_GF100, 0},
    {"GF100-", 3, NV_PGRAPH_CCACHE_TRAP_GF100, 0},
    {"GF100-", 4, NV_PGRAPH_SHADER_TRAP, 0},
    {"GF100-", 6, NV_PGRAPH_UNK6_TRAP, 0},
    {"GF100-", 7, NV_PGRAPH_MACRO_TRAP, 0},
    {"GK104-", 8, NV_PGRAPH_SKED_TRAP, 0},
};

/* Drop the method that is stuck in DISPATCH of G80 .. MCP89. */
static void graph_unstick(struct pfifo_device *device, uint32_t status) {
    device_wr32(device, NV_PGRAPH_FIFO_CONTROL, 0);
    if (status & 1) {
        device_wr32(device, NV_PGRAPH_DISPATCH_CMD_ADDR, 0);
        device_wr32(device, NV_PGRAPH_DISPATCH_MISC, 0);
    }
    if (status & 2)
        device_wr32(device, NV_PGRAPH_DISPATCH_ST2_ADDR, 0);
}

/* Returns its name. */
static const char *graph_acknowledge_unit(struct pfifo_device *device, const struct trap_unit *unit) {
    uint32_t status = device_rd32(device, unit->status);
    if (unit->sticks)
        graph_unstick(device, status);
    if (unit->disable) {
        device_wr32(device, NV_PGRAPH_DISABLE, unit->disable);
        device_wr32(device, NV_PGRAPH_DISABLE, 0);
    }
    device_wr32(device, unit->status, GRAPH_UNIT_CLEAR | GRAPH_UNIT_ENABLE);
    device_wr32(device, NV_PGRAPH_TRAP, 1u << unit->bit);
    return error_trap_name(device->chip, unit->bit);
}

/* The errors of the first shader processor. */
static const char *graph_acknowledge_gpcs(struct pfifo_device *device, const struct trap_unit *unit) {
    uint32_t gpcs = device_rd32(device, unit->status), gpc = device_rd32(device, NV_PGRAPH_GPC0_TRAP);
    const char *name = NULL;
    if (device_rd32(device, NV_PGRAPH_TPC0_TRAP) & TRAP_MP) {
        uint32_t warp = device_rd32(device, NV_PGRAPH_MP_TRAP_WARP_ERROR);
        uint32_t processor = device_rd32(device, NV_PGRAPH_MP_TRAP_GLOBAL_ERROR);
        name = unit_shader_error_name(warp, processor);
        device_wr32(device, NV_PGRAPH_MP_TRAP_WARP_ERROR, 0);
        device_wr32(device, NV_PGRAPH_MP_TRAP_GLOBAL_ERROR, processor);
    }
    device_wr32(device, NV_PGRAPH_GPC0_TRAP, gpc);
    device_wr32(device, unit->status, gpcs);
    device_wr32(device, NV_PGRAPH_TRAP, 1u << unit->bit);
    return name;
}

/* The next unit from `at` on that traps, of those in `trap`; NULL: there is none. */
static const struct trap_unit *graph_trapping(struct pfifo_device *device, uint32_t trap, const struct trap_unit *at) {
    const struct trap_unit *end = trap_units + sizeof trap_units / sizeof trap_units[0];
    while (at < end && (!(trap >> at->bit & 1) || !chip_in_range(device->chip, at->chips)))
        at++;
    return at < end ? at : NULL;
}

/* Returns the name of the first unit. */
static const char *graph_acknowledge_traps(struct pfifo_device *device) {
    uint32_t trap = device_rd32(device, NV_PGRAPH_TRAP);
    const char *name = NULL;
    for (const struct trap_unit *unit = trap_units; (unit = graph_trapping(device, trap, unit)) != NULL; unit++) {
        const char *found = unit->gpcs ? graph_acknowledge_gpcs(device, unit) : graph_acknowledge_unit(device, unit);
        trap &= ~(1u << unit->bit);
        name = name ? name : found;
    }
    if (trap)
        device_wr32(device, NV_PGRAPH_TRAP, trap);
    return name ? name : ERROR_TRAP;
}

/* ---- variants ---- */

static uint32_t graph_at_page(struct pfifo_device *device, uint32_t page) {
    for (struct pfifo_channel *channel = device->channels; channel; channel = channel->next)
        if (device->ops->graph_page && device->ops->graph_page(channel) == page)
            return channel->number;
    return CHANNEL_UNKNOWN;
}

static uint32_t channel_nv1(struct pfifo_device *device, uint32_t trapped) {
    (void)trapped;
    return device_rd32(device, NV1_CACHE1_PUSH1) & 0x7f;
}

static uint32_t channel_nv3(struct pfifo_device *device, uint32_t trapped) {
    (void)device;
    return trapped >> 24 & 0x7f;
}

static uint32_t channel_nv10(struct pfifo_device *device, uint32_t trapped) {
    (void)device;
    return trapped >> 20 & 0x1f;
}

static uint32_t channel_nv40(struct pfifo_device *device, uint32_t trapped) {
    (void)trapped;
    return graph_at_page(device, device_rd32(device, NV_PGRAPH_CTXCTL_CUR) & 0xfffff);
}

static uint32_t channel_g80(struct pfifo_device *device, uint32_t trapped) {
    (void)trapped;
    return graph_at_page(device, device_rd32(device, NV_PGRAPH_CTXCTL_CUR) & 0x0fffffff);
}

static uint32_t channel_gf100(struct pfifo_device *device, uint32_t trapped) {
    (void)trapped;
    return graph_at_page(device, device_rd32(device, NV_PGRAPH_CTXCTL_CUR_GF100) & 0x0fffffff);
}

static const char *error_nv1(struct pfifo_device *device, uint32_t status) {
    uint32_t invalid = device_rd32(device, NV_PGRAPH_INVALID);
    device_wr32(device, NV_PGRAPH_INVALID, invalid);
    return invalid ? error_name(&errors_graph_invalid, invalid) : error_name(&errors_graph_nv1, status);
}

static const char *error_nv3(struct pfifo_device *device, uint32_t status) {
    uint32_t dma = device_rd32(device, NV_PGRAPH_DMA_INTR);
    device_wr32(device, NV_PGRAPH_DMA_INTR, dma);
    return dma ? error_name(&errors_graph_dma, dma) : error_nv1(device, status);
}

static const char *error_nv4(struct pfifo_device *device, uint32_t status) {
    uint32_t source = device_rd32(device, NV_PGRAPH_NSOURCE);
    return !source && (status & GRAPH_INTR_MISSING_HW) ? ERROR_MISSING_HW : error_name(&errors_graph_source, source);
}

static const char *error_g80(struct pfifo_device *device, uint32_t status) {
    const char *name = error_name(&errors_graph_interrupt, status);
    if (status & GRAPH_INTR_DATA_ERROR)
        name = error_name(&errors_graph_data, device_rd32(device, NV_PGRAPH_DATA_ERROR));
    if (status & GRAPH_INTR_TRAP)
        name = graph_acknowledge_traps(device);
    return name;
}

static const struct graph_error_variant {
    const char *chips;
    uint32_t quiet; /* bits of INTR that are no errors: a program wants to be woken */
    uint32_t trapped_addr, trapped_data;
    uint8_t subchannel_shift;
    uint32_t method;
    uint32_t fifo, access; /* register and value that let it continue */
    uint32_t (*channel)(struct pfifo_device *device, uint32_t trapped);
    const char *(*error)(struct pfifo_device *device, uint32_t status);
    uint32_t illegal_at, illegal; /* register and value if a method does not exist, and nothing else is wrong */
    uint32_t dma_intr;            /* may raise the line without a bit of INTR; 0: there is none */
    bool notify_is_error;         /* one bit for both; NSOURCE tells */
} variants[] = {
    {"NV1", GRAPH_INTR_NV1_NOTIFY, NV_PGRAPH_TRAPPED_ADDR_NV1, NV_PGRAPH_TRAPPED_DATA_NV1, 13, 0x1ffc,
     NV_PGRAPH_FIFO_NV3, ACCESS_NV1, channel_nv1, error_nv1, NV_PGRAPH_INVALID, 1},
    {"NV3:NV4", GRAPH_INTR_NV1_NOTIFY, NV_PGRAPH_TRAPPED_ADDR_NV3, NV_PGRAPH_TRAPPED_DATA_NV3, 13, 0x1ffc,
     NV_PGRAPH_FIFO_NV3, 1, channel_nv3, error_nv3, NV_PGRAPH_INVALID, 1, NV_PGRAPH_DMA_INTR},
    {"NV4:NV10", GRAPH_INTR_BUFFER_NOTIFY, NV_PGRAPH_TRAPPED_ADDR, NV_PGRAPH_TRAPPED_DATA, 13, 0x1ffc, NV_PGRAPH_FIFO,
     1, channel_nv3, error_nv4, BY_NSOURCE, .notify_is_error = true},
    {"NV10:NV40", GRAPH_INTR_BUFFER_NOTIFY | GRAPH_INTR_ERROR_NV4, NV_PGRAPH_TRAPPED_ADDR, NV_PGRAPH_TRAPPED_DATA, 16,
     0x1ffc, NV_PGRAPH_FIFO, 1, channel_nv10, error_nv4, BY_NSOURCE},
    {"NV40:G80", GRAPH_INTR_BUFFER_NOTIFY | GRAPH_INTR_ERROR_NV4, NV_PGRAPH_TRAPPED_ADDR, NV_PGRAPH_TRAPPED_DATA, 16,
     0x1ffc, NV_PGRAPH_FIFO, 1, channel_nv40, error_nv4, BY_NSOURCE},
    {"G80:GF100", 0x10007, NV_PGRAPH_TRAPPED_ADDR, NV_PGRAPH_TRAPPED_DATA, 16, 0x1ffc, NV_PGRAPH_FIFO_CONTROL, FIFO_G80,
     channel_g80, error_g80, BY_INTR},
    {"GF100-", 0x10007, NV_PGRAPH_TRAPPED_ADDR, NV_PGRAPH_TRAPPED_DATA, 16, 0x3ffc, NV_PGRAPH_FIFO_CONTROL, FIFO_G80,
     channel_gf100, error_g80, BY_INTR},
};

/* The class of a subchannel: a register for each, or that of the method that trapped. */
static const struct class_register {
    const char *chips;
    uint32_t at, mask;
    uint8_t stride, count;
} class_registers[] = {
    {"NV1:NV4", 0, 0, 0, 0},
    {"NV4:NV10", NV_PGRAPH_CTX_CACHE1_NV4, 0xff, 4, 8},
    {"NV10:NV40", NV_PGRAPH_CTX_CACHE1_NV10, 0xff, 4, 8},
    {"NV40:G80", NV_PGRAPH_CTX_CACHE1_NV40, 0xffff, 4, 8},
    {"G80:GF100", NV_PGRAPH_DISPATCH_CTX_SWITCH_1, 0xffff, 0, 8},
    {"GF100:GK104", NV_PGRAPH_CTX_CACHE_GF100, 0xffff, 4, 8},
    {"GK104-", NV_PGRAPH_CTX_CACHE_GF100, 0xffff, 4, 4},
};

static uint32_t graph_class(struct pfifo_device *device, uint32_t subchannel) {
    const struct class_register *row = CHIP_ROW(device->chip, class_registers);
    return subchannel < row->count ? device_rd32(device, row->at + row->stride * subchannel) & row->mask : 0;
}

#define INTR_NOTIFY_NV4 1u          /* also of errors; NSOURCE tells */
#define NSOURCE_WAKES   0x00008001u /* a notifier was written */

static uint32_t graph_wakes(struct pfifo_device *device, const struct graph_error_variant *g) {
    return g->quiet |
           (g->notify_is_error && !(device_rd32(device, NV_PGRAPH_NSOURCE) & ~NSOURCE_WAKES) ? INTR_NOTIFY_NV4 : 0);
}

static uint32_t graph_dma_errors(struct pfifo_device *device, const struct graph_error_variant *g) {
    return g->dma_intr ? device_rd32(device, g->dma_intr) : 0;
}

/* A method that PGRAPH does not have, and no other error: the driver may execute it. */
static bool graph_is_done_by_driver(struct pfifo_device *device, const struct graph_error_variant *g,
                                    const struct pfifo_device_fault *trapped) {
    return device->ops->graph_method && device_rd32(device, g->illegal_at) == g->illegal &&
           !graph_dma_errors(device, g) && device->ops->graph_method(device, trapped);
}

static struct pfifo_device_fault graph_trapped_by(struct pfifo_device *device, const struct graph_error_variant *g,
                                                  uint32_t status) {
    uint32_t trapped = device_rd32(device, g->trapped_addr);
    uint32_t subchannel = trapped >> g->subchannel_shift & 7;
    return (struct pfifo_device_fault){.channel = g->channel(device, trapped),
                                       .unit = "PGRAPH",
                                       .subchannel = subchannel,
                                       .method = trapped & g->method,
                                       .data = device_rd32(device, g->trapped_data),
                                       .has_method = true,
                                       .interrupt = status,
                                       .object_class = graph_class(device, subchannel)};
}

/* Of the program, if it is one that trapped. */
static uint64_t graph_program_counter(struct pfifo_device *device, uint32_t status) {
    uint32_t trap = status & GRAPH_INTR_TRAP ? device_rd32(device, NV_PGRAPH_TRAP) : 0;
    const struct trap_unit *unit = graph_trapping(device, trap, trap_units);
    while (unit && !unit->gpcs)
        unit = graph_trapping(device, trap, unit + 1);
    return unit ? device_rd32(device, NV_PGRAPH_MP_TRAP_PC) : 0;
}

void device_graph_errors(struct pfifo_device *device, uint32_t status) {
    const struct graph_error_variant *g = CHIP_ROW(device->chip, variants);
    struct pfifo_device_fault fault = {.unit = "PGRAPH"};
    bool is_error = (status & ~graph_wakes(device, g)) || graph_dma_errors(device, g);
    if (!is_error && !status)
        return;
    if (is_error) {
        fault = graph_trapped_by(device, g, status);
        bool done = graph_is_done_by_driver(device, g, &fault);
        fault.address = graph_program_counter(device, status);
        fault.error = g->error(device, status);
        is_error = !done;
    }
    device_wr32(device, NV_PGRAPH_INTR, status);
    device_wr32(device, g->fifo, g->access);
    if (is_error)
        device_fault(device, &fault);
}
