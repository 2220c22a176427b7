/* SPDX-License-Identifier: MIT */
/* The reference of NV1, NV3, NV3T: pullers, NV3's DMA, the order of work. */
#include "nv1_state.h"

#define HEADER_RESERVED 0xe0030003u
#define PACKET_COUNT    0x1ffc0000u
#define PACKET_METHOD   0x00001ffcu
#define PACKET_FIELDS   0x1ffcfffcu

enum result { NOTHING, DONE, REFUSED };

struct entry {
    uint32_t subchannel, method, data;
};

/* ---- pullers ---- */

static bool is_graphics(const struct nv1ref *r, uint32_t context) {
    uint32_t type = context >> 16 & 0x7f;
    return r->chip->nv3 ? (context >> 23 & 1) != 0 : type >= 0x41 && type <= 0x5e;
}

/*
 * The names of the 32 types of objects, in order, as class numbers of drivers; 0: there is no such type, which is told
 * as 0xff00 + type. From envytools docs/hw/graph/intro.rst and rnndb/fifo/nv_object.xml.
 */
static uint32_t ref1_class(const struct nv1ref *r, uint32_t context) {
    static const uint8_t nv1[] = {0,    0x12, 0x14, 0x17, 0x16, 0x19, 0x18, 0,    0x1a, 0x1b, 0x1c,
                                  0x1d, 0x1e, 0x23, 0x24, 0,    0x1f, 0x21, 0x22, 0x20, 0x25, 0,
                                  0,    0,    0,    0,    0,    0,    0,    0x34, 0x35, 0};
    static const uint8_t nv3[] = {0,    0x12, 0x43, 0x17, 0x16, 0x19, 0x18, 0x1e, 0x1a, 0x1b, 0x1c,
                                  0x1d, 0x4b, 0x39, 0x37, 0,    0x1f, 0x21, 0x22, 0,    0x25, 0x36,
                                  0,    0x48, 0x47, 0,    0,    0,    0x58, 0,    0,    0};
    uint32_t type = context >> 16 & 0x1f, known = r->chip->nv3 ? nv3[type] : nv1[type];
    return known ? known : 0xff00 | type;
}

static void send_bind(struct nv1ref *r, uint32_t cache, const struct entry *e, uint32_t context) {
    r->config.bind(r->config.opaque, ref1_channel(r, cache), e->subchannel, ref1_class(r, context), context & 0xffff);
}

static enum result error(struct nv1ref *r, uint32_t cache, uint32_t cause) {
    *reg(r, cache + PULL0) = (value_of(r, cache + PULL0) & ~ACCESS) | cause;
    *reg(r, DEBUG_0) |= cache == CACHE0 ? 0x01 : 0x10;
    *reg(r, INTR_0) |= CACHE_ERROR;
    return DONE;
}

static struct entry entry_at_get(const struct nv1ref *r, uint32_t cache) {
    uint32_t at = 0x3100;
    if (cache == CACHE1)
        at = r->chip->entry + 8 * (value_of(r, CACHE1 + GET) >> 2 & (r->chip->entries - 1));
    uint32_t address = value_of(r, at);
    return (struct entry){address >> 13 & 7, address & PACKET_METHOD, value_of(r, at + 4)};
}

static enum result consumed(struct nv1ref *r, uint32_t cache) {
    uint32_t *get = reg(r, cache + GET);
    *get = cache == CACHE0 ? *get ^ 4 : nv1ref_next(r, *get);
    return DONE;
}

static uint32_t context_register(uint32_t cache, const struct entry *e) {
    return cache + CTX + (cache == CACHE0 ? 0 : CTX_STRIDE * e->subchannel);
}

static enum result bind_object(struct nv1ref *r, uint32_t cache, const struct entry *e) {
    uint32_t context;
    if (!ref1_lookup(r, e->data, ref1_channel(r, cache), &context))
        return error(r, cache, HASH_FAILED);
    if (!is_graphics(r, context))
        return error(r, cache, DEVICE_SOFTWARE);
    send_bind(r, cache, e, context);
    *reg(r, context_register(cache, e)) = cache == CACHE0 ? context & ~FREE_LIE : context;
    if (cache == CACHE1) {
        ref1_set_last_subchannel(r, e->subchannel);
        *reg(r, CACHE1 + PULL1) = (value_of(r, CACHE1 + PULL1) & ~OBJECT_CHANGED) | CTX_DIRTY;
    }
    return consumed(r, cache);
}

static enum result send_method(struct nv1ref *r, uint32_t cache, const struct entry *e) {
    uint32_t context = value_of(r, context_register(cache, e));
    bool changed =
        cache == CACHE0 || e->subchannel != ref1_last_subchannel(r) || (value_of(r, CACHE1 + PULL1) & OBJECT_CHANGED);
    if (!is_graphics(r, context))
        return error(r, cache, DEVICE_SOFTWARE);
    if (changed)
        send_bind(r, cache, e, context);
    if (changed && cache == CACHE1) {
        ref1_set_last_subchannel(r, e->subchannel);
        *reg(r, CACHE1 + PULL1) &= ~OBJECT_CHANGED;
    }
    if (!r->config.method(r->config.opaque, ref1_channel(r, cache), e->subchannel, e->method, e->data))
        return REFUSED;
    return consumed(r, cache);
}

static enum result pull(struct nv1ref *r, uint32_t cache) {
    if (!(value_of(r, cache + PULL0) & ACCESS) || ref1_empty(r, cache))
        return NOTHING;
    struct entry e = entry_at_get(r, cache);
    *reg(r, cache + PULL0) &= ~(HASH_FAILED | DEVICE_SOFTWARE);
    return e.method == 0 ? bind_object(r, cache, &e) : send_method(r, cache, &e);
}

/* ---- NV3's DMA ---- */

bool ref1_dma_has_work(const struct nv1ref *r) {
    return r->chip->nv3 && (value_of(r, DMA_CTRL) & ACCESS) && value_of(r, DMA_COUNT) != 0;
}

static void dma_error(struct nv1ref *r, uint32_t interrupt) {
    *reg(r, DMA_CTRL) = 0;
    *reg(r, INTR_0) |= interrupt;
}

/* The page of DMA_GET; false: it is not there. */
static bool dma_page(struct nv1ref *r, uint32_t *frame) {
    uint32_t page = value_of(r, DMA_GET) & ~0xfffu;
    if (value_of(r, DMA_TLB_TAG) != page) {
        *reg(r, DMA_TLB_TAG) = page;
        *reg(r, DMA_TLB_PTE) = ref1_ramin_rd32(r, value_of(r, DMA_PT_INST) + 4 * (page >> 12)) & 0xfffff001;
    }
    *frame = value_of(r, DMA_TLB_PTE) & ~0xfffu;
    return (value_of(r, DMA_TLB_PTE) & PTE_VALID) != 0;
}

/* UNKNOWN: what takes the error away; chosen: the next header that is right. */
static void dma_header(struct nv1ref *r, uint32_t word) {
    if (word & HEADER_RESERVED) {
        *reg(r, DMA_STATE) |= DMA_ERROR;
        dma_error(r, DMA_PUSHER_ERROR);
        return;
    }
    *reg(r, DMA_STATE) = word & PACKET_FIELDS;
}

/* UNKNOWN: what the fields show after a method that cannot be; chosen: that method, and the count with it. */
static void dma_data(struct nv1ref *r, uint32_t word) {
    uint32_t state = value_of(r, DMA_STATE), method = state & PACKET_METHOD;
    if (method >= 0x04 && method <= 0xfc) {
        *reg(r, DMA_STATE) |= DMA_ERROR;
        dma_error(r, DMA_PUSHER_ERROR);
        return;
    }
    ref1_push(r, state, word);
    *reg(r, DMA_STATE) = ((state & ~PACKET_METHOD) | ((method + 4) & PACKET_METHOD)) - 0x40000;
}

static enum result dma_fetch(struct nv1ref *r) {
    uint32_t frame;
    if (!ref1_dma_has_work(r) || !(value_of(r, CACHE1 + PUSH0) & ACCESS) || ref1_full(r))
        return NOTHING;
    if (!dma_page(r, &frame)) {
        dma_error(r, DMA_PTE_ERROR);
        return DONE;
    }
    uint32_t word = ref1_system_rd32(r, frame | (value_of(r, DMA_GET) & 0xfff));
    *reg(r, DMA_GET) = (value_of(r, DMA_GET) + 4) & 0xfffffc;
    *reg(r, DMA_COUNT) -= 4;
    if (value_of(r, DMA_COUNT) == 0)
        *reg(r, DMA_CTRL) = 0;
    if (value_of(r, DMA_STATE) & PACKET_COUNT)
        dma_data(r, word);
    else
        dma_header(r, word);
    return DONE;
}

/* ---- the order of work ---- */

static bool has_work(const struct nv1ref *r) {
    return !ref1_empty(r, CACHE0) || !ref1_empty(r, CACHE1) || ref1_dma_has_work(r);
}

static bool puller_stopped(const struct nv1ref *r, uint32_t cache) {
    uint32_t pull0 = value_of(r, cache + PULL0);
    return !(pull0 & ACCESS) && (pull0 & (HASH_FAILED | DEVICE_SOFTWARE));
}

static bool stopped_by_error(const struct nv1ref *r) {
    bool dma = r->chip->nv3 && ((value_of(r, DMA_STATE) & DMA_ERROR) || (value_of(r, INTR_0) & DMA_PTE_ERROR));
    return dma || puller_stopped(r, CACHE0) || puller_stopped(r, CACHE1);
}

static enum nv1ref_stop why_no_progress(const struct nv1ref *r, bool refused) {
    if (stopped_by_error(r))
        return NV1REF_INTERRUPT;
    if (refused)
        return NV1REF_WAITING;
    return has_work(r) ? NV1REF_FROZEN : NV1REF_IDLE;
}

enum nv1ref_stop nv1ref_run(struct nv1ref *r, uint64_t budget) {
    if (!(r->pmc_enable & PFIFO_ENABLED))
        return has_work(r) ? why_no_progress(r, false) : NV1REF_IDLE;
    while (budget != 0) {
        enum result zero = pull(r, CACHE0), one = zero == DONE ? DONE : pull(r, CACHE1);
        if (one == DONE || dma_fetch(r) == DONE) {
            budget--;
            continue;
        }
        return why_no_progress(r, zero == REFUSED || one == REFUSED);
    }
    return has_work(r) ? NV1REF_BUDGET : why_no_progress(r, false);
}
