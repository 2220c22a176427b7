/* SPDX-License-Identifier: MIT */
#include "unit/graph/graph_error.h"
#include "unit/graph/graph_input.h"
#include "unit/graph/graph_ports.h"
#include "unit/graph/graph_regs.h"

#include <assert.h>
#include <string.h>

#define DATA_HIGH_VALID (1u << 28) /* TRAPPED_ADDR */
#define NRHOST_QUERY    (1u << 1)  /* INTR_NRHOST: a report whose operation is TRAP */

/* ---- the gates ---- */

static uint32_t trap_nv1(uint32_t channel, const struct unit_method *m) {
    (void)channel; /* NV1 does not show it */
    return m->subchannel << 13 | m->method;
}

static uint32_t trap_nv3(uint32_t channel, const struct unit_method *m) {
    return channel << 24 | m->subchannel << 13 | m->method;
}

static uint32_t trap_nv10(uint32_t channel, const struct unit_method *m) {
    return channel << 20 | m->subchannel << 16 | m->method | (m->pair ? DATA_HIGH_VALID : 0);
}

/* NV40 and later identify the channel by its instance. */
static uint32_t trap_nv40(uint32_t channel, const struct unit_method *m) {
    (void)channel;
    return trap_nv10(0, m);
}

struct graph_gate {
    const char *chips;
    unsigned channel_shift, channel_bits; /* in the register with the channel */
    uint32_t interrupt;                   /* CONTEXT_SWITCH */
    bool has_automatic;                   /* DEBUG_3 may let PGRAPH switch */
};

static const struct graph_gate gates[] = {
    {"NV1", 16, 7, GRAPH_INTR_NV1_CTXSW, false},  {"NV3:NV4", 24, 7, GRAPH_INTR_NV1_CTXSW, false},
    {"NV4:NV10", 24, 4, GRAPH_INTR_CTXSW, false}, {"NV10:NV20", 24, 5, GRAPH_INTR_CTXSW, false},
    {"NV20:NV40", 24, 5, GRAPH_INTR_CTXSW, true},
};

static uint32_t graph_channel_of(const struct pgraph *graph) {
    assert(graph->gate && graph->gate->channel_bits < 32);
    return graph->r.channel >> graph->gate->channel_shift & ((1u << graph->gate->channel_bits) - 1u);
}

/* ---- how errors are shown ---- */

#define INVALID             1u          /* INTR of NV1 and NV3 */
#define HALTING_NV1         0x01111001u /* all but those of the channel, the display, and notifiers */
#define USER_OBJECT         0x001f0000u /* CTX_USER of NV3: the type */
#define NOTIFICATION        (1u << 0)   /* NSOURCE */
#define DATA_ERROR          (1u << 1)
#define STATE_INVALID       (1u << 11)
#define BUFFER_NOTIFICATION (1u << 15)
#define DATA_CHECK          (1u << 20) /* DEBUG_3 */

/* NSTATUS by NSOURCE: 16 bits as notifiers have them. */
#define STATUS_STATE_IN_USE     0x0800u
#define STATUS_INVALID_STATE    0x1000u
#define STATUS_BAD_ARGUMENT     0x2000u
#define STATUS_PROTECTION_FAULT 0x4000u

struct graph_errors {
    const char *chips;
    uint32_t (*trapped_addr)(uint32_t channel, const struct unit_method *method);
    void (*codes)(const struct unit_trap *trap, struct graph_codes *codes);
    const char *(*name)(const struct pfifo_chip *chip, const struct unit_trap *trap, const struct graph_codes *codes);
    /* Put them into registers. False: this check is off. */
    bool (*show)(struct pgraph *graph, const struct unit_trap *trap, const struct graph_codes *codes);
    uint32_t closes;                             /* bits of FIFO access that an error switches off */
    uint32_t halting;                            /* bits of INTR that switch FIFO access off */
    uint32_t notify, buffer_notify, query, sync; /* bits of INTR that do not */
    bool has_invalid, has_dma_intr, has_nsource, has_nrhost;
    unsigned nstatus_shift;
    uint32_t state_check;     /* of DEBUG_3, for STATE_INVALID */
    bool protection_is_state; /* PROTECTION_ERROR is shown as INVALID_STATE */
    uint32_t current_valid;   /* of the registers that have the current channel, above its instance; NV40- */
};

static bool show_invalid(struct pgraph *graph, const struct unit_trap *trap, const struct graph_codes *codes);
static bool show_nsource(struct pgraph *graph, const struct unit_trap *trap, const struct graph_codes *codes);
static bool show_g80(struct pgraph *graph, const struct unit_trap *trap, const struct graph_codes *codes);

static const struct graph_errors errors[] = {
    {"NV1", trap_nv1, graph_codes_nv1, graph_name_nv1, show_invalid, .current_valid = 1u << 24,
     .closes = GRAPH_ACCESS | GRAPH_HOST_NV1, .halting = HALTING_NV1, .notify = 1u << 28, .buffer_notify = 1u << 28,
     .query = 1u << 28, .sync = 1u << 28, .has_invalid = true},
    {"NV3:NV4", trap_nv3, graph_codes_nv1, graph_name_nv1, show_invalid, .current_valid = 1u << 24,
     .closes = GRAPH_ACCESS, .halting = HALTING_NV1, .notify = 1u << 28, .buffer_notify = 1u << 28, .query = 1u << 28,
     .sync = 1u << 28, .has_invalid = true, .has_dma_intr = true},
    {"NV4:NV10", trap_nv3, graph_codes_nv4, graph_name_nv4, show_nsource, .current_valid = 1u << 24,
     .closes = GRAPH_ACCESS, .halting = 1, .notify = 1, .buffer_notify = 1u << 16, .query = 1, .sync = 1,
     .has_nsource = true, .state_check = 1u << 28},
    {"NV10:NV40", trap_nv10, graph_codes_nv4, graph_name_nv4, show_nsource, .current_valid = 1u << 24,
     .closes = GRAPH_ACCESS, .halting = 1u << 20, .notify = 1, .buffer_notify = 1u << 16, .query = 1, .sync = 1,
     .has_nsource = true, .nstatus_shift = 12, .state_check = 1u << 24, .protection_is_state = true},
    {"NV40:G80", trap_nv40, graph_codes_nv4, graph_name_nv4, show_nsource, .current_valid = 1u << 24,
     .closes = GRAPH_ACCESS, .halting = 1u << 20, .notify = 1, .buffer_notify = 1u << 16, .query = 1, .sync = 1,
     .has_nsource = true, .nstatus_shift = 12, .state_check = 1u << 24, .protection_is_state = true},
    {"G80:GF100", trap_nv40, graph_codes_g80, graph_name_g80, show_g80, .current_valid = 1u << 31,
     .closes = GRAPH_ACCESS, .halting = 0x00300070, .notify = 1, .buffer_notify = 1u << 16, .query = 1u << 1,
     .sync = 1u << 2},
    {"GF100-", trap_nv40, graph_codes_g80, graph_name_g80, show_g80, .current_valid = 1u << 31, .closes = GRAPH_ACCESS,
     .halting = 0x00300070, .notify = 1, .buffer_notify = 1u << 16, .query = 1u << 1, .sync = 1u << 2,
     .has_nrhost = true},
};

/* ---- interrupt ---- */

/* INVALID and DMA_INTR, if the chip has them, raise the line separately. */
static void graph_update_line(struct pgraph *graph) {
    const struct graph_regs *r = &graph->r;
    bool line = (r->intr & r->intr_en) || (r->invalid & r->invalid_en) || (r->dma_intr & r->dma_intr_en);
    bus_interrupt(graph->unit.bus, PMC_INTR_PGRAPH, line);
    if (graph->errors && graph->errors->has_nrhost)
        bus_interrupt_nrhost(graph->unit.bus, PMC_INTR_PGRAPH, (graph->r.intr_nrhost & graph->r.intr_en_nrhost) != 0);
}

/* NSOURCE is cleared together with its interrupt. NSTATUS is not: hwtest/pgraph_state.cc writes it, and then INTR. */
static void forget_source(struct pgraph *graph, uint32_t acknowledged) {
    const struct graph_errors *e = graph->errors;
    if (acknowledged & e->notify)
        graph->r.nsource &= ~NOTIFICATION;
    if (acknowledged & e->buffer_notify)
        graph->r.nsource &= ~BUFFER_NOTIFICATION;
    if (acknowledged & e->halting)
        graph->r.nsource &= NOTIFICATION | BUFFER_NOTIFICATION;
}

/* INVALID of INTR and the register INVALID are cleared together. */
static void follow_invalid(struct pgraph *graph, const uint32_t *written, uint32_t value) {
    if (written == &graph->r.intr && (value & INVALID))
        graph->r.invalid = 0;
    else if (written == &graph->r.invalid && !graph->r.invalid)
        graph->r.intr &= ~INVALID;
}

void graph_write_intr(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pgraph *graph = unit;
    uint32_t *intr = reg_storage(unit, reg, index);
    *intr &= ~value;
    if (intr == &graph->r.intr && graph->errors->has_nsource)
        forget_source(graph, value);
    if (graph->errors->has_invalid)
        follow_invalid(graph, intr, value);
    graph_update_line(graph);
}

bool graph_fifo_is_on(const void *unit) {
    return (((const struct pgraph *)unit)->r.access & GRAPH_ACCESS) != 0;
}

bool graph_host_is_off(const void *unit) {
    const struct pgraph *graph = unit;
    return (graph->errors->closes & ~graph->r.access & GRAPH_HOST_NV1) != 0;
}

/* Each field has a write-enable bit, which reads as 1. [envytools hwtest/pgraph_scan.cc, docs/hw/graph/nv1] */
void graph_write_access_nv1(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    static const uint32_t fields[4] = {0x00000001, 0x00000010, 0x00000100, 0x0001f000};
    uint32_t *access = reg_storage(unit, reg, index), written = 0;
    for (unsigned i = 0; i < 4; i++)
        written |= value >> (24 + i) & 1 ? fields[i] : 0;
    *access = (*access & ~written) | (value & written) | GRAPH_WRITES_NV1;
}

void graph_raise_nv1(struct pgraph *graph, uint32_t intr) {
    graph->r.intr |= intr;
    graph->r.access &= intr ? ~graph->errors->closes : ~0u;
    graph_update_line(graph);
}

void graph_write_line(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    graph_update_line(unit);
}

/*
 * On GF100 and later the operation of a report selects the register: 3 (WRITE_INTR_NRHOST of envytools gf100_3d.xml,
 * TRAP of cl9097.h) interrupts through INTR_NRHOST (nvgpu gr_intr_nonstall: trap_pending), all other requested
 * interrupts through INTR (semaphore_pending, buffer_notify_pending), as drivers acknowledge them.
 */
void graph_notify(struct pgraph *graph, enum unit_cause cause) {
    const struct graph_errors *e = graph->errors;
    assert(e && e->notify);
    uint32_t bits = cause == CAUSE_BUFFER_NOTIFY ? e->buffer_notify
                    : cause == CAUSE_QUERY       ? e->query
                    : cause == CAUSE_SYNC        ? e->sync
                                                 : e->notify;
    if (e->has_nrhost && cause == CAUSE_SYNC)
        graph->r.intr_nrhost |= NRHOST_QUERY;
    else
        graph->r.intr |= bits;
    if (e->has_nsource)
        graph->r.nsource |= cause == CAUSE_BUFFER_NOTIFY ? BUFFER_NOTIFICATION : NOTIFICATION;
    graph_update_line(graph);
}

/* ---- errors ---- */

/* UNKNOWN: NSTATUS of DMA_R_PROTECTION and DMA_W_PROTECTION; chosen: PROTECTION_FAULT. */
static uint16_t status_of(uint32_t nsource, bool protection_is_state) {
    uint32_t status = 0;
    if (nsource & 0x3000)
        status |= STATUS_STATE_IN_USE;
    if ((nsource & 0xc4a00) || ((nsource & 4) && protection_is_state))
        status |= STATUS_INVALID_STATE;
    if (nsource & DATA_ERROR)
        status |= STATUS_BAD_ARGUMENT;
    if ((nsource & 0x1c8) || ((nsource & 4) && !protection_is_state))
        status |= STATUS_PROTECTION_FAULT;
    return (uint16_t)status;
}

uint16_t graph_error_status(const struct pgraph *graph, const struct unit_trap *trap) {
    struct graph_codes codes = {0};
    graph_codes_nv4(trap, &codes);
    return status_of(codes.nsource, graph->errors && graph->errors->protection_is_state);
}

uint32_t graph_error_code(const struct pgraph *graph, const struct unit_trap *trap) {
    struct graph_codes codes = {0};
    bool has_data_error = graph_errors_of(graph->unit.chip)->codes == graph_codes_g80;
    (has_data_error ? graph_codes_g80 : graph_codes_nv4)(trap, &codes);
    return has_data_error ? codes.data_error : codes.nsource;
}

const char *graph_error_name(const struct pfifo_chip *chip, const struct unit_trap *trap) {
    const struct graph_errors *e = graph_errors_of(chip);
    struct graph_codes codes = {0};
    e->codes(trap, &codes);
    return e->name(chip, trap, &codes);
}

/* Before G80: errors whose check is off raise nothing. */
static uint32_t checked(const struct pgraph *graph, uint32_t nsource) {
    if (!(graph->r.debug_3 & DATA_CHECK))
        nsource &= ~DATA_ERROR;
    if (!(graph->r.debug_3 & graph->errors->state_check))
        nsource &= ~STATE_INVALID;
    return nsource;
}

static bool show_nsource(struct pgraph *graph, const struct unit_trap *trap, const struct graph_codes *codes) {
    (void)trap;
    const struct graph_errors *e = graph->errors;
    if (codes->missing_hw)
        graph->r.intr |= GRAPH_INTR_MISSING_HW;
    uint32_t nsource = checked(graph, codes->nsource);
    if (!nsource)
        return codes->missing_hw;
    graph->r.nsource |= nsource;
    graph->r.nstatus |= (uint32_t)status_of(nsource, e->protection_is_state) << e->nstatus_shift;
    graph->r.intr |= e->halting;
    return true;
}

/* NV1 has no DEBUG_3 for this. After CTXSW_NOTIFY no other error shows. */
static bool is_unchecked(const struct pgraph *graph, uint32_t invalid) {
    if (graph->r.invalid & GRAPH_CTXSW_NOTIFY)
        return true;
    return invalid == GRAPH_INVALID_VALUE && graph->errors->has_dma_intr && !(graph->r.debug_3 & DATA_CHECK);
}

static bool show_invalid(struct pgraph *graph, const struct unit_trap *trap, const struct graph_codes *codes) {
    (void)trap;
    if (graph->errors->has_dma_intr && codes->dma_intr) {
        graph->r.dma_intr |= codes->dma_intr;
        return true;
    }
    if (!codes->nv1_intr && is_unchecked(graph, codes->invalid))
        return false;
    graph->r.invalid |= codes->invalid;
    graph->r.intr |= codes->nv1_intr ? codes->nv1_intr : INVALID;
    return true;
}

static void show_macro(struct pgraph *graph, const struct unit_macro_state *macro) {
    uint32_t *shown = graph->r.macro;
    for (unsigned i = 0; i < 8; i++)
        shown[i] = macro->reg[i];
    shown[8] = macro->opcode;
    shown[9] = macro->pc;
    shown[10] = macro->next_pc;
    shown[11] = macro->state;
    graph->r.macro_location = (macro->pc & 0x7ff) | 1u << 28;
    graph->r.macro_opcode = macro->opcode;
}

/*
 * PROP shows the address [nouveau]. UNKNOWN: the meaning of M2MF's words; chosen: as STRMOUT's, that is status, address
 * and DMA object, with a status of 0. UNKNOWN: the other words of PROP, and those of TEX and CCACHE; chosen: 0.
 */
static void show_access(struct pgraph *graph, const struct unit_trap *trap, const struct graph_codes *codes) {
    uint32_t low = (uint32_t)trap->address, high = (uint32_t)(trap->address >> 32);
    if (codes->unit == GRAPH_M2MF)
        memcpy(graph->r.m2mf, (const uint32_t[4]){0, low, high, trap->object}, sizeof graph->r.m2mf);
    if (codes->unit == GRAPH_PROP)
        memcpy(graph->r.prop, (const uint32_t[7]){0, low, high}, sizeof graph->r.prop);
}

#define COMMAND_VALID  (1u << 31)
#define DISPATCH_QUERY (1u << 1)

/* The unit and its own bits; an earlier failure in DISPATCH stays. */
static void show_unit(struct pgraph *graph, const struct unit_trap *trap, const struct graph_codes *codes) {
    uint32_t command = COMMAND_VALID | trap->subchannel << 16 | trap->method;
    assert(codes->unit < sizeof graph->r.status / sizeof graph->r.status[0] && trap->subchannel < 8);
    graph->r.trap |= 1u << codes->unit;
    graph->r.status[codes->unit] |= codes->status;
    if (codes->unit == GRAPH_DISPATCH && (codes->status & DISPATCH_QUERY))
        graph->r.dispatch_st2 = command;
    else if (codes->unit == GRAPH_DISPATCH)
        graph->r.dispatch[0] = command, graph->r.input_given = 0;
    if (codes->unit == GRAPH_DISPATCH) {
        graph->r.dispatch[1] = trap->data;
        graph->r.dispatch_misc |= codes->misc;
    }
    show_access(graph, trap, codes);
    if (trap->macro)
        show_macro(graph, trap->macro);
}

#define FIRST_GPC      1u
#define FIRST_TPC      (1u << 16)
#define TPC_MP         (1u << 1)
#define MULTIPLE_WARPS (1u << 2)

/*
 * A shader processor, always the first one. False: its error is not reported. UNKNOWN: which processor a warp runs on,
 * and the number of the warp (bits 23:16); chosen: 0.
 */
static bool show_shader(struct pgraph *graph, const struct unit_shader_error *shader) {
    struct graph_regs *r = &graph->r;
    r->mp_global |= shader->processor | (shader->warp && (r->mp_warp & 0xffff) ? MULTIPLE_WARPS : 0);
    r->mp_warp = shader->warp ? shader->warp : r->mp_warp;
    r->mp_pc = shader->pc;
    if (!(r->mp_global & r->mp_global_en) && !(shader->warp && r->mp_warp_en >> (shader->warp & 31) & 1))
        return false;
    r->tpc |= TPC_MP;
    r->gpc |= FIRST_TPC;
    r->gpcs |= FIRST_GPC;
    r->trap |= 1u << GRAPH_GPCS;
    return (r->gpcs & r->gpcs_en) && r->trap_en >> GRAPH_GPCS & 1;
}

static bool show_g80(struct pgraph *graph, const struct unit_trap *trap, const struct graph_codes *codes) {
    if (!codes->intr)
        return false;
    if (codes->unit == GRAPH_GPCS) {
        bool reported = show_shader(graph, &trap->shader);
        graph->r.intr |= reported ? codes->intr : 0;
        return reported;
    }
    if (codes->intr & GRAPH_INTR_DATA_ERROR)
        graph->r.data_error = codes->data_error;
    if (codes->intr & GRAPH_INTR_TRAP)
        show_unit(graph, trap, codes);
    graph->r.dispatch[3] = trap->object_class;
    bool masked = codes->intr == GRAPH_INTR_TRAP && !(graph->r.trap_en >> codes->unit & 1);
    graph->r.intr |= masked ? 0 : codes->intr;
    return !masked;
}

/* NV1 and NV3 show the type with the address of the method. */
static uint32_t shown_type(const struct pgraph *graph) {
    if (graph->errors->has_dma_intr)
        return graph->r.channel & USER_OBJECT;
    return graph->errors->has_invalid ? (graph->r.access & GRAPH_OBJECT_NV1) << 4 : 0;
}

bool graph_show(struct pgraph *graph, uint32_t channel, const struct unit_trap *trap, const struct graph_codes *codes) {
    const struct graph_errors *e = graph->errors;
    const struct unit_method method = {.subchannel = trap->subchannel, .method = trap->method, .data = trap->data};
    bool raised = e->show(graph, trap, codes);
    if (!raised)
        return false;
    graph->r.trapped_addr = e->trapped_addr(channel, &method);
    graph->r.trapped_addr |= shown_type(graph);
    graph->r.trapped_data = trap->data;
    if (graph->context)
        graph_show_object(graph, trap);
    for (unsigned s = 0; s < 8; s++)
        graph->r.classes[s] = trap->classes[s];
    graph->r.access &= ~e->closes;
    graph_update_line(graph);
    return true;
}

bool graph_trap(struct pgraph *graph, uint32_t channel, const struct unit_trap *trap) {
    struct graph_codes codes = {0};
    graph->errors->codes(trap, &codes);
    return graph_show(graph, channel, trap, &codes);
}

void graph_enter(struct pgraph *graph, uint32_t instance) {
    const struct graph_errors *e = graph->errors;
    graph->r.current = graph->r.next = (instance & (e->current_valid - 1)) | e->current_valid;
}

/* ---- accepting methods ---- */

void graph_show_method(struct pgraph *graph, uint32_t channel, const struct unit_method *method) {
    graph->r.trapped_addr = graph->errors->trapped_addr(channel, method);
    graph->r.trapped_data = method->data;
}

bool graph_admits(const struct pgraph *graph, uint32_t channel) {
    if (!(graph->r.access & GRAPH_ACCESS))
        return false;
    return !graph->gate || ((graph->r.ctx_control & GRAPH_CTX_CONTROL_CHID) && graph_channel_of(graph) == channel);
}

bool graph_open(const struct pgraph *graph, uint32_t channel) {
    return graph_admits(graph, channel) && !graph_input_waits(graph);
}

bool graph_asks(const struct pgraph *graph) {
    uint32_t halting = graph->errors->halting | (graph->errors->has_nsource ? GRAPH_INTR_MISSING_HW : 0);
    bool error = (graph->r.intr & halting) || graph->r.dma_intr;
    if (!(graph->r.access & GRAPH_ACCESS) && error)
        return true;
    return graph->gate && (graph->r.intr & graph->gate->interrupt);
}

bool graph_switch_to(struct pgraph *graph, uint32_t channel, const struct unit_method *method) {
    if (!(graph->r.access & GRAPH_ACCESS) || graph_admits(graph, channel))
        return (graph->r.access & GRAPH_ACCESS) != 0;
    if (graph->gate->has_automatic && (graph->r.debug_3 & GRAPH_DEBUG_3_AUTOMATIC)) {
        uint32_t mask = ((1u << graph->gate->channel_bits) - 1u) << graph->gate->channel_shift;
        graph->r.channel = (graph->r.channel & ~mask) | (channel << graph->gate->channel_shift & mask);
        graph->r.ctx_control |= GRAPH_CTX_CONTROL_CHID;
        return true;
    }
    if (graph->r.intr & graph->gate->interrupt)
        return false;
    graph_show_method(graph, channel, method);
    if (method->pair)
        graph->r.trapped_data_high = method->data_high;
    event_send(graph->unit.bus->events, EVENT_ENGINE_INTERRUPT, channel, "CONTEXT_SWITCH", 0, method->method,
               method->data, 0);
    graph->r.intr |= graph->gate->interrupt;
    graph_update_line(graph);
    return false;
}

bool graph_takes(struct pgraph *graph, uint32_t channel, const struct unit_method *method) {
    return !graph_input_waits(graph) && graph_switch_to(graph, channel, method);
}

/* ---- the variants ---- */

const struct graph_gate *graph_gate_of(const struct pfifo_chip *chip) {
    return CHIP_ROW(chip, gates);
}

const struct graph_errors *graph_errors_of(const struct pfifo_chip *chip) {
    return CHIP_ROW(chip, errors);
}

void graph_reset(struct pgraph *graph) {
    for (size_t i = 0; i < GRAPH_TABLES; i++)
        bus_reset_table(&graph->tables[i], graph);
    graph_store_clear(graph);
    graph->r.pipe_open = graph->r.input_given = 0;
    graph_update_line(graph);
}
