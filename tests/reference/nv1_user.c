/* SPDX-License-Identifier: MIT */
/*
 * The reference of NV1, NV3, NV3T: the USER area.
 *
 * The rules of a write and their order are those that were compared with silicon (NV1, envytools hwtest/pfifo.cc). NV3
 * has no passwords and no lie, and its DMA keeps other channels out.
 */
#include "nv1_state.h"

enum reason {
    ILLEGAL_ACCESS,
    NO_CACHE_AVAILABLE,
    CACHE_RAN_OUT,
    FREE_COUNT_OVERRUN,
    CAUGHT_LYING,
    RESERVED_ACCESS,
    ACCEPTED,
};

#define TYPE_READ 0x00800000u
#define PASSWORDS 0x18000u

static bool ramro_pending(const struct nv1ref *r) {
    return value_of(r, RUNOUT_GET) != value_of(r, RUNOUT_PUT);
}

static bool lies(const struct nv1ref *r) {
    return (value_of(r, CACHE1 + CTX + CTX_STRIDE * ref1_last_subchannel(r)) & FREE_LIE) != 0;
}

/* May a write of another channel take CACHE1? */
static bool cache1_is_free(const struct nv1ref *r) {
    if (ramro_pending(r) || !(value_of(r, CACHES) & 1) || !ref1_empty(r, CACHE1))
        return false;
    return !ref1_dma_has_work(r);
}

/* ---- rejected accesses ---- */

static void reject(struct nv1ref *r, uint32_t off, unsigned lanes, uint32_t type, enum reason reason, uint32_t data) {
    uint32_t bytes, base = nv1ref_ramro(r, &bytes), put = value_of(r, RUNOUT_PUT), next = ref1_runout_next(r);
    uint32_t enables = r->chip->nv3 ? (~lanes & 0xf) << 24 : 0;
    if ((off >> 16 & CHANNEL) == ref1_channel(r, CACHE1))
        r->ranout = true;
    *reg(r, INTR_0) |= RUNOUT;
    if (next == value_of(r, RUNOUT_GET)) {
        *reg(r, INTR_0) |= RUNOUT_OVERFLOW;
        return;
    }
    ref1_ramin_wr32(r, base + (put & (bytes - 8)), (off & 0x7fffff) | type | enables | (uint32_t)reason << 28);
    ref1_ramin_wr32(r, base + (put & (bytes - 8)) + 4, data);
    *reg(r, RUNOUT_PUT) = next;
    ref1_check_latch(r);
}

/* ---- NV1's passwords ---- */

/* A wrong one moves RUNOUT_PUT, and writes nothing there. */
static void password(struct nv1ref *r, uint32_t off, unsigned lanes, uint32_t data) {
    uint32_t channel = off >> 16 & CHANNEL;
    bool current = channel == ref1_channel(r, CACHE1);
    if (lanes == 0xf && (current || cache1_is_free(r))) {
        ref1_vram_wr32(r, PASSWORDS + channel * 16 + (off & 0xc), data);
        return;
    }
    if (current)
        r->ranout = true;
    if (ref1_runout_next(r) != value_of(r, RUNOUT_GET))
        *reg(r, RUNOUT_PUT) = ref1_runout_next(r);
    ref1_check_latch(r);
}

/* ---- channel switch ---- */

static void save_context(struct nv1ref *r) {
    uint32_t state = value_of(r, CACHE1 + PULL1), at = nv1ref_ramfc(r, ref1_channel(r, CACHE1));
    uint32_t flags = ref1_last_subchannel(r) << 28 | (state & OBJECT_CHANGED ? 1u << 31 : 0);
    for (uint32_t i = 0; i < 8; i++)
        if (i == 0 || (state & CTX_DIRTY))
            ref1_ramin_wr32(r, at + 4 * i, value_of(r, CACHE1 + CTX + CTX_STRIDE * i) | flags);
}

static void load_context(struct nv1ref *r, uint32_t channel) {
    uint32_t at = nv1ref_ramfc(r, channel), first = ref1_ramin_rd32(r, at);
    *reg(r, CACHE1 + r->chip->push1) = (value_of(r, CACHE1 + r->chip->push1) & ~CHANNEL) | channel;
    for (uint32_t i = 0; i < 8; i++)
        *reg(r, CACHE1 + CTX + CTX_STRIDE * i) = ref1_ramin_rd32(r, at + 4 * i) & r->chip->context_mask;
    *reg(r, CACHE1 + PULL1) = !r->chip->nv3 && first >> 31 ? OBJECT_CHANGED : 0;
    ref1_set_last_subchannel(r, first >> 28 & SUBCHANNEL);
}

/* ---- accesses ---- */

/* The rules that look at the access only. */
static enum reason judge_access(uint32_t method, unsigned lanes) {
    if ((method & 0x1ff0) == 0x10 && (lanes == 0x3 || lanes == 0xc || lanes == 0xf))
        return RESERVED_ACCESS;
    if (lanes != 0xf)
        return ILLEGAL_ACCESS;
    return method >= 0x04 && method <= 0xff ? RESERVED_ACCESS : ACCEPTED;
}

static enum reason judge_foreign(const struct nv1ref *r) {
    return cache1_is_free(r) ? ACCEPTED : NO_CACHE_AVAILABLE;
}

static enum reason judge_current(const struct nv1ref *r) {
    if (r->ranout)
        return CACHE_RAN_OUT;
    if (!ref1_full(r))
        return ACCEPTED;
    return !r->chip->nv3 && lies(r) ? CAUGHT_LYING : FREE_COUNT_OVERRUN;
}

static enum reason judge(const struct nv1ref *r, uint32_t off, unsigned lanes) {
    uint32_t channel = off >> 16 & CHANNEL;
    enum reason reason = judge_access(off & 0x1fff, lanes);
    if (reason != ACCEPTED)
        return reason;
    if (!(value_of(r, CACHE1 + PUSH0) & ACCESS))
        return NO_CACHE_AVAILABLE;
    if ((value_of(r, CACHE0 + PUSH0) & ACCESS) && channel == ref1_channel(r, CACHE0))
        return NO_CACHE_AVAILABLE;
    return channel != ref1_channel(r, CACHE1) ? judge_foreign(r) : judge_current(r);
}

void ref1_user_write(struct nv1ref *r, uint32_t off, unsigned lanes, uint32_t data) {
    uint32_t channel = off >> 16 & CHANNEL;
    if (!r->chip->nv3 && (off & 0x1ff0) == 0x20) {
        password(r, off, lanes, data);
        return;
    }
    enum reason reason = judge(r, off, lanes);
    if (reason != ACCEPTED) {
        reject(r, off, lanes, 0, reason, data);
        return;
    }
    if (channel != ref1_channel(r, CACHE1)) {
        save_context(r);
        load_context(r, channel);
    }
    ref1_push(r, off, data);
}

static uint32_t free_count(const struct nv1ref *r, uint32_t channel) {
    static const uint32_t lie[4] = {0, 0xfc, 0x1fc, 0x3fc};
    uint32_t most = 4 * r->chip->entries - 4;
    if (r->ranout)
        return 0;
    if (channel != ref1_channel(r, CACHE1) || !(value_of(r, CACHE1 + PUSH0) & ACCESS))
        return ramro_pending(r) ? 0 : most;
    if (!r->chip->nv3 && lies(r) && value_of(r, CONFIG_0) != 0)
        return lie[value_of(r, CONFIG_0)];
    uint32_t put = value_of(r, CACHE1 + r->chip->put), get = value_of(r, CACHE1 + GET);
    return (nv1ref_linear(r, get) - nv1ref_linear(r, put) - 4) % (4 * r->chip->entries);
}

uint32_t ref1_user_read(struct nv1ref *r, uint32_t off, unsigned lanes) {
    if ((off & 0x1ffc) == 0x10)
        return free_count(r, off >> 16 & CHANNEL);
    reject(r, off, lanes, TYPE_READ, ILLEGAL_ACCESS, 0);
    return 0;
}
