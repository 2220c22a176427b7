/* SPDX-License-Identifier: MIT */
/* Channels on and off the PBDMAs of the reference, faults, interrupts. */
#include "pbdma_fifo.h"

#include <string.h>

#include "pbdma_fifo_state.h"

/* ---- events and interrupts ---- */

static void forward(struct pbdma_fifo_reference *f, uint32_t channel, const struct reference_event *event) {
    f->config.event(f->config.unit.calls.opaque, channel, event);
}

void pbf_event(struct pbdma_fifo_reference *f, uint32_t channel, const char *name, const char *text, uint64_t v0,
               uint64_t v1, uint64_t v2) {
    forward(f, channel, &(struct reference_event){name, text, {v0, v1, v2, 0, 0, 0}});
}

/* Of the PBDMA that works. */
static void unit_event(void *opaque, const struct reference_event *event) {
    struct pbdma_fifo_reference *f = opaque;
    forward(f, f->unit[f->current].channel, event);
}

static bool unit_method(void *opaque, unsigned engine, unsigned subchannel, uint32_t method, uint32_t data) {
    const struct reference_config *calls = &((struct pbdma_fifo_reference *)opaque)->config.unit.calls;
    return calls->method(calls->opaque, engine, subchannel, method, data);
}

static void unit_bind(void *opaque, unsigned engine, unsigned subchannel, uint32_t object_class, uint32_t instance) {
    const struct reference_config *calls = &((struct pbdma_fifo_reference *)opaque)->config.unit.calls;
    calls->bind(calls->opaque, engine, subchannel, object_class, instance);
}

static bool unit_busy(void *opaque, unsigned engine) {
    return pbf_engine_busy(opaque, engine);
}

/* GF100 has an interrupt per engine, later chips one for all. */
static void unit_notify(void *opaque, uint32_t engine) {
    struct pbdma_fifo_reference *f = opaque;
    if (f->config.unit.gf100) {
        f->engine_intr[engine < PBF_ENGINES ? engine : 0] |= 1; /* UNKNOWN for none; chosen: 0 */
        pbf_raise(f, 0, "ENGINE");
    } else {
        pbf_raise(f, INTR_NONSTALL, "CHANNEL");
    }
}

bool pbf_engine_busy(const struct pbdma_fifo_reference *f, uint32_t engine) {
    return f->config.unit.calls.busy(f->config.unit.calls.opaque, engine);
}

uint32_t pbf_sources(const struct pbdma_fifo_reference *f) {
    uint32_t sources = 0;
    for (uint32_t u = 0; u < f->config.units; u++) {
        const struct pbdma_fifo_unit *unit = &f->unit[u];
        if ((unit->p.intr & unit->intr_en) || (unit->p.intr_1 & unit->intr_en_1))
            sources |= 1u << u;
    }
    return sources;
}

uint32_t pbdma_fifo_intr(const struct pbdma_fifo_reference *f) {
    uint32_t intr = f->intr;
    if (f->fault_source)
        intr |= INTR_FAULT;
    if (pbf_sources(f))
        intr |= INTR_PBDMA;
    if (f->runlist_event)
        intr |= INTR_RUNLIST;
    for (uint32_t e = 0; e < PBF_ENGINES; e++)
        for (uint32_t n = 0; n < 32; n += 4)
            if (f->engine_intr[e] >> n & 15 & f->engine_intr_en)
                intr |= INTR_NONSTALL;
    return intr;
}

void pbf_raise(struct pbdma_fifo_reference *f, uint32_t bits, const char *cause) {
    f->intr |= bits;
    pbf_event(f, PBF_NONE, "fifo.interrupt", cause, pbdma_fifo_intr(f), 0, 0);
}

/* ---- channels ---- */

/* Target 1 is memory of another GPU: there is none. */
static uint64_t instance_of(const struct pbdma_fifo_channel *c) {
    return (uint64_t)(c->instance & 0x0fffffff) << 12 | (uint64_t)((c->instance >> 28 & 3) == 1) << 63;
}

uint32_t pbf_ramfc(const struct pbdma_fifo_reference *f, uint32_t channel, uint32_t offset) {
    return pref_physical_rd32(&f->unit[0].p, instance_of(&f->channel[channel]) + offset);
}

static bool saved_work(struct pbdma_fifo_reference *f, uint32_t channel) {
    struct pbdma_reference saved = {.config = f->config.unit};
    saved.config.instance = instance_of(&f->channel[channel]);
    pref_load(&saved); /* which reads GP_PUT from USERD */
    return (value(&saved, METHOD0) & METHOD_VALID) || pref_in_segment(&saved) ||
           value(&saved, GP_PUT) != value(&saved, GP_GET);
}

bool pbf_has_work(struct pbdma_fifo_reference *f, uint32_t channel) {
    struct pbdma_fifo_channel *c = &f->channel[channel];
    if (!c->bound || !c->enabled)
        return false;
    return c->on == PBF_NONE ? saved_work(f, channel) : pref_has_work(&f->unit[c->on].p);
}

/* TIMESLICE of RAMFC: [7:0] timeout, [15:12] scale, 1024 ns; a unit of work is 16 ns; never below 64 units. */
static int64_t slice_of_ramfc(const struct pbdma_reference *p) {
    uint64_t ns = (uint64_t)(value(p, TIMESLICE_WORD) & 0xff) << (value(p, TIMESLICE_WORD) >> 12 & 15) << 10;
    return (int64_t)(ns / 16 < 64 ? 64 : ns / 16);
}

const uint32_t pbf_segment_words[PBF_SEGMENT] = {GET, GET_HI, PB_FETCH, PB_FETCH_HI, PUT, PUT_HI};

void pbf_load(struct pbdma_fifo_reference *f, uint32_t u, uint32_t channel, uint32_t list, uint32_t slice) {
    struct pbdma_fifo_unit *unit = &f->unit[u];
    struct pbdma_fifo_channel *c = &f->channel[channel];
    struct pbdma_reference *p = &unit->p;
    unit->channel = channel;
    unit->list = list;
    c->on = u;
    c->reload = false;
    p->config.instance = instance_of(c);
    p->faulted = false;
    memcpy(p->bound, c->bound_class, sizeof p->bound);
    if (!f->config.unit.gf100) {
        p->config.engine = f->config.list_engine[list];
        p->config.copy = list == 0 ? f->config.shared_copy : p->config.engine;
    }
    pref_load(p);
    p->pb_crc = c->pb_crc;
    p->pb_crc_known = c->pb_crc_known;
    for (uint32_t i = 0; i < PBF_SEGMENT; i++) /* somebody changed that in RAMFC */
        p->pb_crc_known = p->pb_crc_known && c->segment[i] == value(p, pbf_segment_words[i]);
    unit->period = slice ? slice : slice_of_ramfc(p);
    unit->slice = unit->yields_at = unit->period;
    pbf_event(f, channel, "switch.load", NULL, p->config.instance & INT64_MAX, 0, 0);
    uint32_t signature = value(p, SIGNATURE_WORD) & 0xffff;
    f->current = u;
    if (signature != 0xface && signature != f->config.unit.host_class)
        pref_raise(p, SIGNATURE, "SIGNATURE");
}

void pbf_leave(struct pbdma_fifo_reference *f, uint32_t u) {
    struct pbdma_fifo_unit *unit = &f->unit[u];
    struct pbdma_fifo_channel *c = &f->channel[unit->channel];
    c->pb_crc = unit->p.pb_crc;
    c->pb_crc_known = unit->p.pb_crc_known;
    for (uint32_t i = 0; i < PBF_SEGMENT; i++)
        c->segment[i] = value(&unit->p, pbf_segment_words[i]);
    pref_save(&unit->p);
    memcpy(c->bound_class, unit->p.bound, sizeof c->bound_class);
    pbf_event(f, unit->channel, "switch.save", NULL, unit->p.config.instance & INT64_MAX, 0, 0);
    c->on = PBF_NONE;
    unit->channel = unit->group = PBF_NONE;
    unit->preempted = false;
}

bool pbf_frozen(const struct pbdma_fifo_reference *f, uint32_t u) {
    if (!(f->enable & PMC_PFIFO) || !(f->enable_1 >> u & 1))
        return true;
    if (!f->config.unit.gf100)
        return false;
    return !(f->subfifo_enable >> u & 1) || !(f->config_word & 1) || ((f->freeze[0] | f->freeze[1]) & 1);
}

static bool within(const uint32_t *fetch, const uint32_t *put, uint64_t address) {
    uint64_t begin = (uint64_t)(fetch[1] & 0xff) << 32 | (fetch[0] & ~3u),
             end = (uint64_t)(put[1] & 0xff) << 32 | put[0];
    return address + 4 > begin && address < end;
}

void pbdma_fifo_written(struct pbdma_fifo_reference *f, uint64_t address) {
    for (uint32_t i = 0; i < PBF_CHANNELS; i++) {
        struct pbdma_fifo_channel *c = &f->channel[i];
        struct pbdma_reference *p = c->on == PBF_NONE ? NULL : &f->unit[c->on].p;
        if (p && within(&p->word[PB_FETCH / 4], &p->word[PUT / 4], address))
            p->pb_crc_known = false;
        if (within(&c->segment[2], &c->segment[4], address))
            c->pb_crc_known = false;
    }
}

/* ---- leaving when asked ---- */

/* An engine that is still busy with the channel keeps it, and so does an interrupt that stalls. */
static bool held(const struct pbdma_fifo_reference *f, uint32_t u) {
    for (uint32_t e = 0; e < PBF_ENGINES; e++)
        if (f->engine_channel[e] == f->unit[u].channel && pbf_engine_busy(f, e))
            return true;
    return pref_stalled(&f->unit[u].p);
}

void pbf_preempt_again(struct pbdma_fifo_reference *f, uint32_t u) {
    if (f->unit[u].preempted && !held(f, u))
        pbf_leave(f, u);
}

void pbf_preempt(struct pbdma_fifo_reference *f, uint32_t channel) {
    if (channel >= PBF_CHANNELS || f->channel[channel].on == PBF_NONE)
        return;
    f->unit[f->channel[channel].on].preempted = true;
    pbf_preempt_again(f, f->channel[channel].on);
}

bool pbf_preempt_pending(const struct pbdma_fifo_reference *f) {
    for (uint32_t u = 0; u < f->config.units; u++)
        if (f->unit[u].preempted)
            return true;
    return false;
}

/* ---- faults ---- */

#define PAGE_TABLE_SPAN 0x8000000u /* bytes per entry of the page directory; only the first is there */
#define RECORD_HUB      0x40u
#define RECORD_WRITE    0x80u
#define CLIENT_HOST     0x06u

/* The words that a driver reads. A second fault of a unit before the first is acknowledged is only counted. */
static void latch(struct pbdma_fifo_reference *f, uint32_t unit, uint64_t instance, uint64_t address, uint32_t status) {
    uint32_t *record = &f->record[4 * unit];
    if (f->fault_source >> unit & 1) {
        pbf_raise(f, INTR_DROPPED, "DROPPED_MMU_FAULT");
        return;
    }
    record[0] = (uint32_t)(instance >> 12);
    record[1] = (uint32_t)address;
    record[2] = (uint32_t)(address >> 32);
    record[3] = RECORD_HUB | status;
    f->fault_source |= 1u << unit;
    pbf_raise(f, 0, "MMU_FAULT");
}

static const char *reason_of(const struct pbdma_fifo_reference *f, bool directory) {
    if (f->config.unit.gf100)
        return directory ? "PT_NOT_PRESENT" : "PAGE_NOT_PRESENT";
    return directory ? "PDE" : "PTE";
}

void pbf_record_fault(struct pbdma_fifo_reference *f, uint32_t u) {
    const struct pbdma_fifo_unit *unit = &f->unit[u];
    const struct pbdma_reference *p = &unit->p;
    bool directory = p->fault_address >= PAGE_TABLE_SPAN;
    uint32_t where = f->config.first_fault_unit + u;
    f->channel[unit->channel].faulted |= 1;
    pbf_event(f, unit->channel, "fifo.fault", reason_of(f, directory), 0, p->fault_address, where);
    latch(f, where, p->config.instance, p->fault_address,
          (directory ? 0 : 2) | (p->fault_write ? RECORD_WRITE : 0) | CLIENT_HOST << 8);
}

/* ENG_FAULT has a bit per engine on GF100, per runlist later; the shared copy engine is of list 0. */
uint32_t pbf_fault_bit(const struct pbdma_fifo_reference *f, uint32_t engine) {
    if (f->config.unit.gf100)
        return 1u << engine;
    for (uint32_t n = 0; n < f->config.lists; n++)
        if (f->config.list_engine[n] == engine)
            return 1u << n;
    return 1;
}

void pbdma_fifo_engine_fault(struct pbdma_fifo_reference *f, uint32_t engine, uint32_t unit, uint32_t client,
                             uint32_t shown, uint64_t address, bool write) {
    uint32_t channel = f->unit[f->current].channel;
    bool directory = address >= PAGE_TABLE_SPAN;
    pbf_event(f, channel, "fifo.fault", reason_of(f, directory), 0, address, shown);
    f->channel[channel].faulted |= 2;
    f->engine_fault |= pbf_fault_bit(f, engine);
    f->engine_faulted |= 1u << engine;
    latch(f, unit, instance_of(&f->channel[channel]), address,
          (directory ? 0 : 2) | (write ? RECORD_WRITE : 0) | client << 8);
}

/* The channel that the engine works for stops as if the unit had faulted. UNKNOWN: the record; chosen: zeros. */
void pbf_inject(struct pbdma_fifo_reference *f, uint32_t engine, uint32_t unit) {
    uint32_t channel = f->engine_channel[engine];
    if (channel != PBF_NONE)
        f->channel[channel].faulted |= 2;
    f->engine_fault |= pbf_fault_bit(f, engine);
    f->engine_faulted |= 1u << engine;
    pbf_event(f, channel, "fifo.fault", reason_of(f, true), 0, 0, unit);
    latch(f, unit, channel == PBF_NONE ? 0 : instance_of(&f->channel[channel]), 0, 0);
}

/* ---- beginning ---- */

/* PFIFO is switched off: all is gone but what is in memory, and syncpoints, which are not PFIFO's. */
void pbf_reset(struct pbdma_fifo_reference *f) {
    struct pbdma_fifo_reference old = *f;
    pbdma_fifo_init(f, &old.config);
    f->shared = old.shared;
    f->enable = old.enable;
    f->enable_1 = old.enable_1;
    f->time = old.time;
}

void pbdma_fifo_init(struct pbdma_fifo_reference *f, const struct pbdma_fifo_config *config) {
    memset(f, 0, sizeof *f);
    f->config = *config;
    f->enable = 0xffffffff;
    f->bar1_base = 0;
    struct pbdma_reference_config unit = config->unit;
    unit.calls.bind = unit_bind;
    unit.calls.method = unit_method;
    unit.calls.busy = unit_busy;
    unit.calls.event = unit_event;
    unit.calls.opaque = f;
    unit.notify = unit_notify;
    for (uint32_t u = 0; u < PBF_UNITS; u++) {
        pbdma_reference_init(&f->unit[u].p, &unit);
        f->unit[u].p.shared = &f->shared;
        f->unit[u].p.stall_1 = 0x1f; /* as many as there are */
        f->unit[u].channel = f->unit[u].group = PBF_NONE;
    }
    for (uint32_t i = 0; i < PBF_CHANNELS; i++) {
        f->channel[i].on = f->channel[i].tsg = PBF_NONE;
    }
    for (uint32_t e = 0; e < PBF_ENGINES; e++)
        f->engine_channel[e] = PBF_NONE;
}
