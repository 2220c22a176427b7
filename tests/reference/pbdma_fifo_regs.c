/* SPDX-License-Identifier: MIT */
/* Registers of the reference's PFIFO of GF100 and later. */
#include "pbdma_fifo_state.h"

#define PAGES       0x40000u
#define PAGE_BYTES  0x2000u
#define TABLE_GF100 0x3000u
#define TABLE_GK104 0x800000u

/* ENGINE_STATUS of GK104: the TSG or channel that the engine works for. */
static uint32_t engine_status(struct pbdma_fifo_reference *f, uint32_t engine) {
    uint32_t channel = f->engine_channel[engine];
    uint32_t faulted = f->engine_faulted >> engine & 1 ? 1u << 30 : 0;
    if (channel == PBF_NONE)
        return faulted;
    const struct pbdma_fifo_channel *c = &f->channel[channel];
    uint32_t id = c->tsg == PBF_NONE ? channel : c->tsg | 0x1000;
    return id | 0x2000 | faulted | (pbf_engine_busy(f, engine) ? 1u << 31 : 0);
}

static uint32_t old_engine_state(struct pbdma_fifo_reference *f, uint32_t engine) {
    uint32_t channel = f->engine_channel[engine];
    uint32_t faulted = f->engine_faulted >> engine & 1 ? 1u << 24 : 0;
    if (channel == PBF_NONE)
        return faulted;
    return channel | faulted | (pbf_engine_busy(f, engine) ? 1u << 31 : 0);
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
        return pbf_page_read(f, (offset - PAGES) / PAGE_BYTES, offset % PAGE_BYTES, value);
    if (offset >= table && offset < table + 8 * PBF_CHANNELS)
        return pbf_table_read(f, offset - table, value);
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
        for (uint32_t e = 0; e < PBF_ENGINES; e++)
            if (pbf_fault_bit(f, e) & value)
                f->engine_faulted &= ~(1u << e);
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
        pbf_page_write(f, (offset - PAGES) / PAGE_BYTES, offset % PAGE_BYTES, value);
    else if (offset >= table && offset < table + 8 * PBF_CHANNELS)
        pbf_table_write(f, offset - table, value);
    else
        common_write(f, offset, value);
}
