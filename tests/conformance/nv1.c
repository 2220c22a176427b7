/* SPDX-License-Identifier: MIT */
#include "nv1.h"

#include <string.h>

uint32_t nv1_random(uint32_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* ---- states ---- */

uint32_t nv1_ramro_mask(const struct nv1_state *s) {
    return (0x800u << s->config) - 8;
}

uint32_t nv1_steps(uint32_t pointer) {
    for (uint32_t n = 0; n < 32; n++)
        if (gray(n) << 2 == pointer)
            return n;
    fail_msg("%#x is no pointer", pointer);
    return 0;
}

uint32_t nv1_gray_next(uint32_t pointer) {
    return gray((nv1_steps(pointer) + 1) % 32) << 2;
}

bool nv1_empty(const struct nv1_state *s) {
    return s->put == s->get;
}

bool nv1_full(const struct nv1_state *s) {
    return nv1_gray_next(s->put) == s->get;
}

bool nv1_lies(const struct nv1_state *s) {
    return s->ctx[s->pull1 & 7] >> 24 & 1;
}

void nv1_plain_state(struct nv1_state *s) {
    memset(s, 0, sizeof *s);
    s->caches = s->push0 = 1;
}

void nv1_random_state(struct nv1_state *s, uint32_t *seed) {
    for (size_t i = 0; i < NV1_RAMIN_WORDS; i++)
        s->ramin[i] = nv1_random(seed);
    s->config = nv1_random(seed) & 3;
    s->config_0 = nv1_random(seed) & 3;
    s->caches = nv1_random(seed) & 1;
    s->runout_put = nv1_random(seed) & 0x3ff8;
    s->runout_get = nv1_random(seed) & 0x3ff8;
    switch (nv1_random(seed) & 3) {
    case 0:
        s->runout_get = s->runout_put;
        break;
    case 1: /* RAMRO is full */
        s->runout_get = (s->runout_put + 8) & nv1_ramro_mask(s);
        break;
    default:
        break;
    }
    s->intr = 0;
    s->c0_push0 = nv1_random(seed) & 1;
    s->c0_chid = nv1_random(seed) & 0x7f;
    s->c0_put = nv1_random(seed) & 4;
    s->c0_get = nv1_random(seed) & 4;
    s->push0 = (nv1_random(seed) & 7) != 0;
    s->chid = nv1_random(seed) & 0x7f;
    s->put = nv1_random(seed) & 0x7c;
    s->get = nv1_random(seed) & 0x7c;
    switch (nv1_random(seed) & 3) {
    case 0:
        s->get = s->put;
        break;
    case 1:
        s->get = nv1_gray_next(s->put);
        break;
    default:
        break;
    }
    s->pull1 = nv1_random(seed) & 0x117;
    for (size_t i = 0; i < 8; i++)
        s->ctx[i] = nv1_random(seed) & 0x017fffff;
    for (size_t i = 0; i < 32; i++) {
        s->addr[i] = nv1_random(seed) & 0xfffc;
        s->data[i] = nv1_random(seed);
    }
    s->latch = s->runout_get != s->runout_put && !(nv1_random(seed) & 3);
}

/* Set or clear the latch as a driver can: a refused write of the current channel sets it, equal pointers clear it. */
static void load_latch(struct rig *rig, const struct nv1_state *s) {
    wr(rig, RUNOUT_GET, 0);
    wr(rig, RUNOUT_PUT, 0);
    if (!s->latch) {
        wr(rig, RUNOUT_GET, s->runout_get);
        wr(rig, RUNOUT_PUT, s->runout_put);
        return;
    }
    write_bytes(rig, user_at(s->chid, 0x100), 0, 1);
    /* 0 and 8 now; never equal on the way. */
    wr(rig, RUNOUT_PUT, s->runout_get == 0x10 ? 0x18 : 0x10);
    wr(rig, RUNOUT_GET, s->runout_get);
    wr(rig, RUNOUT_PUT, s->runout_put);
}

/* RAMIN at once: the end of VRAM, dwords in reverse. */
static uint64_t ramin_in_vram(const struct rig *rig) {
    return rig->memory.config.vram_bytes - sizeof((struct nv1_state *)0)->ramin;
}

static void ramin_all(struct rig *rig, const uint32_t *words) {
    static uint8_t bytes[4 * NV1_RAMIN_WORDS];
    const struct address_space vram = address_space_physical(MEMORY_VRAM);
    for (uint32_t i = 0; i < NV1_RAMIN_WORDS; i++)
        store_le32(bytes + sizeof bytes - 4 - 4 * i, words[i]);
    memory_write(&rig->memory, &vram, ramin_in_vram(rig), bytes, sizeof bytes, NULL);
}

void nv1_load(struct rig *rig, const struct nv1_state *s) {
    wr(rig, rig->c0.pull0, 0);
    wr(rig, rig->c1.pull0, 0);
    wr(rig, PRAM_CONFIG, s->config);
    wr(rig, C0_PUSH0, 0);
    wr(rig, PUSH0, 0);
    wr(rig, rig->c1.push1, s->chid);
    load_latch(rig, s);
    wr(rig, CONFIG_0, s->config_0);
    wr(rig, CACHES, s->caches);
    wr(rig, C0_PUSH0, s->c0_push0);
    wr(rig, rig->c0.push1, s->c0_chid);
    wr(rig, rig->c0.put, s->c0_put);
    wr(rig, rig->c0.get, s->c0_get);
    wr(rig, PUSH0, s->push0);
    wr(rig, rig->c1.put, s->put);
    wr(rig, rig->c1.get, s->get);
    wr(rig, rig->c1.pull1, s->pull1);
    for (uint32_t i = 0; i < 8; i++)
        wr(rig, rig->c1.ctx + 16 * i, s->ctx[i]);
    for (uint32_t i = 0; i < 32; i++) {
        wr(rig, rig->c1.entry + 8 * i, s->addr[i]);
        wr(rig, rig->c1.entry + 8 * i + 4, s->data[i]);
    }
    ramin_all(rig, s->ramin);
    wr(rig, INTR, ~0u);
}

static void same(const char *what, uint32_t is, uint32_t wanted, const char *file, int line) {
    if (is == wanted)
        return;
    print_error("%s is %#x, not %#x\n", what, is, wanted);
    _fail(file, line);
}

static void same_ramin(uint32_t address, uint32_t is, uint32_t wanted, const char *file, int line) {
    if (is == wanted)
        return;
    print_error("RAMIN %#x is %#x, not %#x\n", address, is, wanted);
    _fail(file, line);
}

void nv1_compare_at(struct rig *rig, const struct nv1_state *s, const char *file, int line) {
    const struct {
        uint32_t offset, value;
    } regs[] = {{PRAM_CONFIG, s->config},
                {CONFIG_0, s->config_0},
                {CACHES, s->caches},
                {RUNOUT_PUT, s->runout_put},
                {RUNOUT_GET, s->runout_get},
                {INTR, s->intr},
                {DEBUG_0, 0},
                {C0_PUSH0, s->c0_push0},
                {rig->c0.push1, s->c0_chid},
                {rig->c0.put, s->c0_put},
                {rig->c0.get, s->c0_get},
                {rig->c0.pull0, 0},
                {PUSH0, s->push0},
                {rig->c1.push1, s->chid},
                {rig->c1.put, s->put},
                {rig->c1.get, s->get},
                {rig->c1.pull0, 0},
                {rig->c1.pull1, s->pull1}};
    for (size_t i = 0; i < COUNT_OF(regs); i++)
        expect_reg_at(rig, regs[i].offset, regs[i].value, file, line);
    same("the latch", rd(rig, rig->c1.status) & 1, s->latch, file, line);
    for (uint32_t i = 0; i < 8; i++)
        expect_reg_at(rig, rig->c1.ctx + 16 * i, s->ctx[i], file, line);
    for (uint32_t i = 0; i < 32; i++) {
        expect_reg_at(rig, rig->c1.entry + 8 * i, s->addr[i], file, line);
        expect_reg_at(rig, rig->c1.entry + 8 * i + 4, s->data[i], file, line);
    }
    static uint8_t bytes[sizeof s->ramin];
    const struct address_space vram = address_space_physical(MEMORY_VRAM);
    memory_read(&rig->memory, &vram, ramin_in_vram(rig), bytes, sizeof bytes, NULL);
    for (uint32_t i = 0; i < NV1_RAMIN_WORDS; i++)
        same_ramin(4 * i, load_le32(bytes + sizeof bytes - 4 - 4 * i), s->ramin[i], file, line);
}

/* ---- what becomes of a write ---- */

void nv1_reject(struct nv1_state *s, uint32_t offset, uint32_t data, uint32_t reason) {
    uint32_t next = (s->runout_put + 8) & nv1_ramro_mask(s);
    if (NV1_CHANNEL(offset) == s->chid)
        s->latch = true;
    s->intr |= I_RUNOUT;
    if (next == s->runout_get) {
        s->intr |= I_OVERFLOW;
        return;
    }
    uint32_t *entry = &s->ramin[(nv1_layout(s->config).ramro + (s->runout_put & nv1_ramro_mask(s))) / 4];
    entry[0] = (offset & 0x7fffff) | reason << 28;
    entry[1] = data;
    s->runout_put = next;
}

void nv1_push(struct nv1_state *s, uint32_t offset, uint32_t data) {
    s->addr[s->put >> 2] = offset & 0xfffc;
    s->data[s->put >> 2] = data;
    s->put = nv1_gray_next(s->put);
}

static uint32_t *slot(struct nv1_state *s, uint32_t channel) {
    return &s->ramin[(nv1_layout(s->config).ramfc + (s->config ? channel : channel & 0x3f) * 32) / 4];
}

void nv1_switch(struct nv1_state *s, uint32_t channel) {
    uint32_t *words = slot(s, s->chid);
    for (uint32_t i = 0; i < 8; i++)
        if (i == 0 || s->pull1 & 0x10)
            words[i] = s->ctx[i] | (s->pull1 & 7) << 28 | (s->pull1 >> 8 & 1) << 31;
    s->chid = channel;
    words = slot(s, channel);
    for (uint32_t i = 0; i < 8; i++)
        s->ctx[i] = words[i] & 0x017fffff;
    s->pull1 = (words[0] >> 28 & 7) | (words[0] >> 31) << 8;
}

/* Row 0x20: never an interrupt, never a word in RAMRO. */
static void password(struct nv1_state *s, uint32_t offset, unsigned lanes) {
    bool current = NV1_CHANNEL(offset) == s->chid, pending = s->runout_get != s->runout_put;
    if (lanes == 0xf && (current || (s->caches && !pending && nv1_empty(s))))
        return;
    s->latch |= current;
    uint32_t next = (s->runout_put + 8) & nv1_ramro_mask(s);
    if (next != s->runout_get)
        s->runout_put = next;
}

static int reason_of(const struct nv1_state *s, uint32_t offset, unsigned lanes) {
    uint32_t method = offset & 0x1ffc, channel = NV1_CHANNEL(offset);
    if ((offset & 0x1ff0) == 0x10 && (lanes == 3 || lanes == 0xc || lanes == 0xf))
        return RESERVED;
    if (lanes != 0xf)
        return ILLEGAL_ACCESS;
    if (method >= 4 && method < 0x100)
        return RESERVED;
    if (!s->push0 || (s->c0_push0 && channel == s->c0_chid))
        return NO_CACHE;
    if (channel != s->chid)
        return s->runout_get != s->runout_put || !s->caches || !nv1_empty(s) ? NO_CACHE : -1;
    if (s->latch)
        return RAN_OUT;
    return nv1_full(s) ? nv1_lies(s) ? LYING : OVERRUN : -1;
}

static void part(struct nv1_state *s, uint32_t offset, uint32_t data, unsigned lanes) {
    if ((offset & 0x1ff0) == 0x20) {
        password(s, offset, lanes);
        return;
    }
    int reason = reason_of(s, offset, lanes);
    if (reason >= 0) {
        nv1_reject(s, offset, data, (uint32_t)reason);
        return;
    }
    if (NV1_CHANNEL(offset) != s->chid)
        nv1_switch(s, NV1_CHANNEL(offset));
    nv1_push(s, offset, data);
}

void nv1_write(struct nv1_state *s, uint32_t offset, uint32_t value, unsigned bytes) {
    unsigned position = offset & 3, first = bytes < 4 - position ? bytes : 4 - position;
    uint64_t lanes = (((uint64_t)1 << 8 * bytes) - 1) & value;
    uint32_t low = (uint32_t)(lanes << 8 * position);
    part(s, offset, low, (((1u << first) - 1) << position));
    if (first < bytes)
        part(s, offset + first, (uint32_t)(lanes >> 8 * first), (1u << (bytes - first)) - 1);
}

uint32_t nv1_free(const struct nv1_state *s, uint32_t channel) {
    if (s->latch)
        return 0;
    if (channel != s->chid || !s->push0)
        return s->runout_get != s->runout_put ? 0 : 0x7c;
    if (nv1_lies(s) && s->config_0)
        return (0x80u << s->config_0) - 4;
    return ((nv1_steps(s->get) - nv1_steps(s->put) - 1) & 31) * 4;
}
