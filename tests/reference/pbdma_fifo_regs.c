/* SPDX-License-Identifier: MIT */
/* Registers of the reference's PFIFO of GF100 and later, and of its PBDMAs. */
#include "pbdma_fifo_state.h"

#define PAGES       0x40000u
#define PAGE_BYTES  0x2000u
#define TABLE_GF100 0x3000u
#define TABLE_GK104 0x800000u

#define SWITCHED_OFF 0xbad0da00u /* what reads in place of units that PMC has switched off */

/* ---- a PBDMA's page ---- */

static bool word_read(const struct pbdma_fifo_reference *f, uint32_t u, uint32_t at, uint32_t *value) {
    const struct pbdma_fifo_unit *unit = &f->unit[u];
    const struct pbdma_reference *p = &unit->p;
    bool late = !f->config.unit.gf100;
    if (at < 4 * PBDMA_REFERENCE_WORDS) {
        *value = p->word[at / 4];
        return at != 0x98; /* PB_CRC */
    }
    if (at >= 0x200 && at < 0x200 + 4 * PBDMA_REFERENCE_COPY) {
        *value = p->copy[(at - 0x200) / 4];
        return late;
    }
    switch (at) {
    case 0x108:
        *value = p->intr;
        return true;
    case 0x10c:
        *value = unit->intr_en;
        return true;
    case 0x110:
    case 0x114:
        *value = p->gp_shadow[at / 4 & 1];
        return true;
    case 0x118:
        *value = p->hdr_shadow;
        return true;
    case 0x120:
        *value = unit->channel == PBF_NONE ? 0 : unit->channel | (late ? 0x2000 : 0x100);
        return true;
    case 0x13c:
        *value = p->stall;
        return true;
    case 0x140:
        *value = p->stall_1;
        return late;
    case 0x148:
        *value = p->intr_1;
        return late;
    case 0x14c:
        *value = unit->intr_en_1;
        return late;
    case 0x150:
    case 0x154:
        *value = p->hce_debug[at / 4 & 1];
        return late;
    default:
        return false;
    }
}

static bool page_read(const struct pbdma_fifo_reference *f, uint32_t u, uint32_t at, uint32_t *value) {
    bool known = word_read(f, u, at, value);
    if (!(f->enable_1 >> u & 1))
        *value = SWITCHED_OFF;
    return known;
}

static void page_write(struct pbdma_fifo_reference *f, uint32_t u, uint32_t at, uint32_t value) {
    struct pbdma_fifo_unit *unit = &f->unit[u];
    struct pbdma_reference *p = &unit->p;
    bool late = !f->config.unit.gf100;
    f->current = u;
    if (!(f->enable_1 >> u & 1))
        return;
    if (at < 4 * PBDMA_REFERENCE_WORDS) {
        p->word[at / 4] = value;
        if (unit->channel != PBF_NONE && !pref_stalled(p) && !pbf_frozen(f, u))
            pref_raise(p, PRI, "PRI");
        return;
    }
    if (late && at >= 0x200 && at < 0x200 + 4 * PBDMA_REFERENCE_COPY) {
        p->copy[(at - 0x200) / 4] = value;
        return;
    }
    switch (at) {
    case 0x108:
        p->intr &= ~value;
        break;
    case 0x10c:
        unit->intr_en = value;
        break;
    case 0x110:
    case 0x114:
        p->gp_shadow[at / 4 & 1] = value;
        break;
    case 0x118:
        p->hdr_shadow = value;
        break;
    case 0x13c:
        p->stall = value;
        break;
    case 0x140:
        p->stall_1 = late ? value & 0x1f : p->stall_1;
        break;
    case 0x148:
        p->intr_1 &= late ? ~value : ~0u;
        break;
    case 0x14c:
        unit->intr_en_1 = late ? value & 0x1f : unit->intr_en_1;
        break;
    default:
        return;
    }
    pbf_preempt_again(f, u);
}

/* ---- channel tables ---- */

#define BIND_NOT_UNBOUND         1u
#define BIND_POLLS_NOWHERE       2u
#define BIND_UNBOUND_WHILE_THERE 3u
#define BIND_NO_SUCH_LIST        5u
#define BIND_BAD_TARGET          6u

static void bind_error(struct pbdma_fifo_reference *f, uint32_t code) {
    f->bind_error = code;
    pbf_raise(f, INTR_BIND, "BIND_ERROR");
}

static void bind(struct pbdma_fifo_reference *f, struct pbdma_fifo_channel *c, uint32_t value) {
    bool binds = value >> 31;
    if (c->bound && binds) {
        bind_error(f, BIND_NOT_UNBOUND);
        return;
    }
    if (!binds && c->on != PBF_NONE) {
        bind_error(f, BIND_UNBOUND_WHILE_THERE);
        return;
    }
    if (binds && (value >> 28 & 3) == 1)
        bind_error(f, BIND_BAD_TARGET);
    if (binds && f->config.unit.gf100 && (value >> 30 & 1) && !(f->bar1_base >> 28 & 1))
        bind_error(f, BIND_POLLS_NOWHERE);
    if (binds && !f->config.unit.gf100 && (c->status >> 16 & 15) >= f->config.lists)
        bind_error(f, BIND_NO_SUCH_LIST);
    if (c->bound && !binds)
        for (uint32_t e = 0; e < PBF_ENGINES; e++)
            if (f->engine_channel[e] == (uint32_t)(c - f->channel))
                f->engine_channel[e] = PBF_NONE;
    c->instance = value;
    c->bound = binds;
    c->reload = false;
    c->faulted = 0;
}

static uint32_t failed_acquire(const struct pbdma_fifo_reference *f, uint32_t channel) {
    return pbf_ramfc(f, channel, SEM_EXECUTE) & ACQUIRE_FAIL;
}

/* GF100: RUNNABLE, ACQUIRE_PENDING, LOADED, engine, PENDING. */
static uint32_t old_status(struct pbdma_fifo_reference *f, uint32_t channel) {
    const struct pbdma_fifo_channel *c = &f->channel[channel];
    uint32_t status = c->status & 0x001f0101;
    if (c->on != PBF_NONE)
        return (status & 0xffff) | (f->unit[c->on].p.word[TARGET / 4] & 0x1f) << 16 | 0x1000;
    if (pbf_has_work(f, channel))
        status |= 0x10000000;
    if (c->bound && failed_acquire(f, channel))
        status |= 0x10;
    return status;
}

static uint32_t state_of(struct pbdma_fifo_reference *f, uint32_t channel) {
    const struct pbdma_fifo_channel *c = &f->channel[channel];
    if (c->on != PBF_NONE) {
        for (uint32_t e = 0; e < PBF_ENGINES; e++)
            if (f->engine_channel[e] == channel)
                return c->reload ? 0xb : 6;
        return c->reload ? 0xa : 5;
    }
    if (!pbf_has_work(f, channel))
        return 0;
    if (failed_acquire(f, channel))
        return c->reload ? 4 : 3;
    return c->reload ? 2 : 1;
}

static uint32_t new_status(struct pbdma_fifo_reference *f, uint32_t channel) {
    const struct pbdma_fifo_channel *c = &f->channel[channel];
    uint32_t state = state_of(f, channel);
    return (c->enabled ? 1 : 0) | (c->status & 0x000f0000) | (c->faulted & 3) << 22 | state << 24 |
           (state ? 1u << 28 : 0);
}

static bool table_read(struct pbdma_fifo_reference *f, uint32_t at, uint32_t *value) {
    if (at / 8 >= PBF_CHANNELS)
        return false;
    if (!(at & 4))
        *value = f->channel[at / 8].instance;
    else
        *value = f->config.unit.gf100 ? old_status(f, at / 8) : new_status(f, at / 8);
    return true;
}

static void table_write(struct pbdma_fifo_reference *f, uint32_t at, uint32_t value) {
    if (at / 8 >= PBF_CHANNELS)
        return;
    struct pbdma_fifo_channel *c = &f->channel[at / 8];
    if (!(at & 4)) {
        bind(f, c, value);
        return;
    }
    c->status = value;
    if (f->config.unit.gf100) {
        c->enabled = value & 1;
        return;
    }
    if (value & 0x100)
        c->reload = true;
    if (value & 0x800)
        c->enabled = false;
    else if (value & 0x400)
        c->enabled = true;
    c->faulted &= ~(value >> 22 & 3);
}

/* ---- PFIFO ---- */

/* ENGINE_STATUS of GK104: the TSG or channel that the engine works for. */
static uint32_t engine_status(struct pbdma_fifo_reference *f, uint32_t engine) {
    uint32_t channel = f->engine_channel[engine];
    if (channel == PBF_NONE)
        return 0;
    const struct pbdma_fifo_channel *c = &f->channel[channel];
    uint32_t id = c->tsg == PBF_NONE ? channel : c->tsg | 0x1000;
    return id | 0x2000 | (c->faulted & 2 ? 1u << 30 : 0) | (pbf_engine_busy(f, engine) ? 1u << 31 : 0);
}

static uint32_t old_engine_state(struct pbdma_fifo_reference *f, uint32_t engine) {
    uint32_t channel = f->engine_channel[engine];
    if (channel == PBF_NONE)
        return 0;
    return channel | (f->channel[channel].faulted & 2 ? 1u << 24 : 0) | (pbf_engine_busy(f, engine) ? 1u << 31 : 0);
}

static uint32_t engine_sources(const struct pbdma_fifo_reference *f) {
    uint32_t sources = 0;
    for (uint32_t e = 0; e < PBF_ENGINES; e++)
        sources |= f->engine_intr[e] ? 1u << e : 0;
    return sources;
}

static bool old_read(struct pbdma_fifo_reference *f, uint32_t at, uint32_t *value) {
    bool frozen = (f->freeze[0] | f->freeze[1]) & 1;
    if (at >= 0x2208 && at < 0x2208 + 4 * PBF_OLD_ENGINES) {
        *value = f->engine_mask[(at - 0x2208) / 4];
        return true;
    }
    if (at >= 0x2390 && at < 0x2390 + 4 * f->config.units) {
        const struct pbdma_fifo_unit *unit = &f->unit[(at - 0x2390) / 4];
        *value = unit->channel == PBF_NONE ? 0x1f : unit->p.word[TARGET / 4] & 0x1f;
        return true;
    }
    if (at >= 0x25a8 && at < 0x25a8 + 4 * PBF_ENGINES) {
        *value = f->engine_intr[(at - 0x25a8) / 4];
        return true;
    }
    if (at >= 0x2640 && at < 0x2640 + 4 * PBF_OLD_ENGINES) {
        *value = old_engine_state(f, (at - 0x2640) / 4);
        return true;
    }
    switch (at) {
    case 0x2204:
        *value = f->subfifo_enable;
        return true;
    case 0x2278:
        *value = f->list[0].base;
        return true;
    case 0x227c:
        *value = f->list[0].submitted;
        return true;
    case 0x2504:
    case 0x2638:
        *value = f->freeze[at == 0x2638] | (frozen ? 0x10 : 0);
        return true;
    case 0x25a4:
        *value = engine_sources(f);
        return true;
    case 0x2628:
        *value = f->engine_intr_en;
        return true;
    default:
        return false;
    }
}

static bool new_read(struct pbdma_fifo_reference *f, uint32_t at, uint32_t *value) {
    if (at >= 0x2640 && at < 0x2640 + 8 * PBF_ENGINES && !(at & 4)) {
        *value = engine_status(f, (at - 0x2640) / 8);
        return true;
    }
    if (at >= 0x2790 && at < 0x2790 + 4 * f->config.units) {
        const struct pbdma_fifo_unit *unit = &f->unit[(at - 0x2790) / 4];
        *value = unit->channel == PBF_NONE ? 0 : (f->channel[unit->channel].instance & 0x3fffffff) | 1u << 31;
        return true;
    }
    if (at >= 0x2280 && at < 0x2280 + 8 * f->config.lists) {
        const struct pbdma_fifo_list *list = &f->list[(at - 0x2280) / 8];
        *value = at & 4 ? list->submitted & 0xffff : list->base;
        return true;
    }
    return false;
}

static bool common_read(struct pbdma_fifo_reference *f, uint32_t at, uint32_t *value) {
    if (at >= 0x2800 && at < 0x2a00) {
        *value = f->record[(at - 0x2800) / 4];
        return true;
    }
    switch (at) {
    case 0x2100:
        *value = pbdma_fifo_intr(f);
        return true;
    case 0x2140:
        *value = f->intr_en;
        return true;
    case 0x252c:
        *value = f->bind_error;
        return true;
    case 0x254c:
        *value = f->sched_error;
        return true;
    case 0x259c:
        *value = f->fault_source;
        return true;
    case 0x25a0:
        *value = pbf_sources(f);
        return true;
    case 0x262c:
        *value = f->engine_fault;
        return true;
    case 0x2630:
        *value = f->sched_disable;
        return true;
    case 0x2634: {
        for (uint32_t u = 0; u < f->config.units; u++)
            pbf_preempt_again(f, u);
        *value = f->preempt | (pbf_preempt_pending(f) ? 1u << 20 : 0);
        return true;
    }
    case 0x2a00:
        *value = f->runlist_event;
        return true;
    default:
        return false;
    }
}

static bool read(struct pbdma_fifo_reference *f, uint32_t offset, uint32_t *value) {
    bool old = f->config.unit.gf100;
    uint32_t table = old ? TABLE_GF100 : TABLE_GK104;
    *value = 0;
    if (offset >= PAGES && offset < PAGES + f->config.units * PAGE_BYTES)
        return page_read(f, (offset - PAGES) / PAGE_BYTES, offset % PAGE_BYTES, value);
    if (offset >= table && offset < table + 8 * PBF_CHANNELS)
        return table_read(f, offset - table, value);
    return common_read(f, offset, value) || (old ? old_read(f, offset, value) : new_read(f, offset, value));
}

bool pbdma_fifo_rd32(struct pbdma_fifo_reference *f, uint32_t offset, uint32_t *value) {
    bool known = read(f, offset, value);
    if (!(f->enable & PMC_PFIFO))
        *value = SWITCHED_OFF;
    return known;
}

static void preempt_write(struct pbdma_fifo_reference *f, uint32_t value) {
    uint32_t type = f->config.unit.gf100 ? 0 : value >> 24 & 3;
    f->preempt = value & (f->config.unit.gf100 ? 0x7f : 0x03000fff);
    if (type == 0)
        pbf_preempt(f, f->preempt & 0xfff);
    if (type != 1)
        return;
    for (uint32_t u = 0; u < f->config.units; u++)
        if (f->unit[u].channel != PBF_NONE && f->channel[f->unit[u].channel].tsg == (value & 0xfff))
            pbf_preempt(f, f->unit[u].channel);
}

static void list_write(struct pbdma_fifo_reference *f, uint32_t value) {
    bool old = f->config.unit.gf100;
    uint32_t number = old ? 0 : value >> 20 & 15;
    if (number >= f->config.lists)
        return;
    pbf_submit(f, number, f->runlist_base, value & (old ? 0xfff : 0xffff));
    f->runlist_event |= old ? 1u << 28 : 1u << number;
    pbf_raise(f, 0, "RUNLIST");
}

static void old_write(struct pbdma_fifo_reference *f, uint32_t at, uint32_t value) {
    if (at >= 0x2208 && at < 0x2208 + 4 * PBF_OLD_ENGINES)
        f->engine_mask[(at - 0x2208) / 4] = value;
    else if (at >= 0x25a8 && at < 0x25a8 + 4 * PBF_ENGINES)
        f->engine_intr[(at - 0x25a8) / 4] &= ~value;
    else if (at == 0x2204)
        f->subfifo_enable = value & ((1u << f->config.units) - 1);
    else if (at == 0x2504 || at == 0x2638)
        f->freeze[at == 0x2638] = value & 1;
    else if (at == 0x2628)
        f->engine_intr_en = value;
}

static void common_write(struct pbdma_fifo_reference *f, uint32_t at, uint32_t value) {
    uint32_t engine = (at - 0x2a30) / 4, engines = f->config.unit.gf100 ? PBF_OLD_ENGINES : PBF_ENGINES;
    if (at >= 0x2a30 && engine < engines && (value & 0x100))
        pbf_inject(f, engine, value & 0x1f);
    switch (at) {
    case 0x262c:
        f->engine_fault &= ~value;
        break;
    case 0x2100:
        f->intr &= ~value;
        break;
    case 0x2140:
        f->intr_en = value;
        break;
    case 0x2200:
        f->config_word = value & 0x3f1;
        break;
    case 0x2254:
        f->bar1_base = value;
        break;
    case 0x2270:
        f->runlist_base = value & 0x3fffffff;
        break;
    case 0x2274:
        list_write(f, value);
        break;
    case 0x2530:
        f->intr_stall = value;
        break;
    case 0x259c:
        f->fault_source &= ~value;
        break;
    case 0x2630:
        f->sched_disable = value;
        break;
    case 0x2634:
        preempt_write(f, value);
        break;
    case 0x2a00:
        f->runlist_event &= ~value;
        break;
    default:
        if (f->config.unit.gf100)
            old_write(f, at, value);
    }
}

/* PMC: the switches of PFIFO and of the PBDMAs. */
static void switch_write(struct pbdma_fifo_reference *f, uint32_t offset, uint32_t value) {
    if (offset == 0x204) {
        f->enable_1 = value;
        return;
    }
    bool goes = (f->enable & ~value & PMC_PFIFO) != 0;
    f->enable = value;
    if (goes)
        pbf_reset(f);
}

void pbdma_fifo_wr32(struct pbdma_fifo_reference *f, uint32_t offset, uint32_t value) {
    uint32_t table = f->config.unit.gf100 ? TABLE_GF100 : TABLE_GK104;
    if (offset == 0x200 || offset == 0x204)
        switch_write(f, offset, value);
    else if (!(f->enable & PMC_PFIFO))
        return;
    else if (offset >= PAGES && offset < PAGES + f->config.units * PAGE_BYTES)
        page_write(f, (offset - PAGES) / PAGE_BYTES, offset % PAGE_BYTES, value);
    else if (offset >= table && offset < table + 8 * PBF_CHANNELS)
        table_write(f, offset - table, value);
    else
        common_write(f, offset, value);
}
