/* SPDX-License-Identifier: MIT */
/* The page of a PBDMA of the reference, and the channel tables. */
#include "pbdma_fifo_state.h"

/* ---- a PBDMA's page ---- */

static bool word_read(const struct pbdma_fifo_reference *f, uint32_t u, uint32_t at, uint32_t *value) {
    const struct pbdma_fifo_unit *unit = &f->unit[u];
    const struct pbdma_reference *p = &unit->p;
    bool late = !f->config.unit.gf100;
    if (at < 4 * PBDMA_REFERENCE_WORDS) {
        *value = at == 0x98 ? p->pb_crc : p->word[at / 4];
        return at != 0x98 || (p->pb_crc_known && unit->channel != PBF_NONE);
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

bool pbf_page_read(const struct pbdma_fifo_reference *f, uint32_t u, uint32_t at, uint32_t *value) {
    bool known = word_read(f, u, at, value);
    if (!(f->enable_1 >> u & 1))
        *value = SWITCHED_OFF;
    return known;
}

void pbf_page_write(struct pbdma_fifo_reference *f, uint32_t u, uint32_t at, uint32_t value) {
    struct pbdma_fifo_unit *unit = &f->unit[u];
    struct pbdma_reference *p = &unit->p;
    bool late = !f->config.unit.gf100;
    f->current = u;
    if (!(f->enable_1 >> u & 1))
        return;
    if (at < 4 * PBDMA_REFERENCE_WORDS) {
        p->word[at / 4] = value;
        for (uint32_t i = 0; i < PBF_SEGMENT; i++)
            p->pb_crc_known = p->pb_crc_known && at != pbf_segment_words[i];
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

bool pbf_table_read(struct pbdma_fifo_reference *f, uint32_t at, uint32_t *value) {
    if (at / 8 >= PBF_CHANNELS)
        return false;
    if (!(at & 4))
        *value = f->channel[at / 8].instance;
    else
        *value = f->config.unit.gf100 ? old_status(f, at / 8) : new_status(f, at / 8);
    return true;
}

void pbf_table_write(struct pbdma_fifo_reference *f, uint32_t at, uint32_t value) {
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
