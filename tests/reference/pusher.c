/* SPDX-License-Identifier: MIT */
/*
 * The DMA pusher of the reference: envytools docs/hw/fifo/dma-pusher.rst, one word at a time. What differs between
 * chips is said where it happens: since(r, NV10) is "from NV10 on".
 */
#include "state.h"

enum {
    CALL_SUBR_ACTIVE = 1,
    INVALID_MTHD = 2,
    RET_SUBR_INACTIVE = 3,
    INVALID_CMD = 4,
    IB_EMPTY = 5,
    MEM_FAULT = 6,
};

static const char *const error_name[] = {
    "NONE", "CALL_SUBR_ACTIVE", "INVALID_MTHD", "RET_SUBR_INACTIVE", "INVALID_CMD", "IB_EMPTY", "MEM_FAULT",
};

#define MGET_VALID 0x80000000u

/* ---- registers as numbers ---- */

static uint64_t get(const struct reference *r) {
    return since(r, G80) ? (uint64_t)value_of(r, DMA_GET_HIGH) << 32 | value_of(r, DMA_GET) : value_of(r, DMA_GET);
}

static uint64_t put(const struct reference *r) {
    return since(r, G80) ? (uint64_t)value_of(r, DMA_PUT_HIGH) << 32 | value_of(r, DMA_PUT) : value_of(r, DMA_PUT);
}

/* GET has 29 bits before NV1A, 32, or 40. As long as the main level runs, MGET follows it. */
static void set_get(struct reference *r, uint64_t address) {
    address &= UINT64_C(0xffffffffff);
    *reg(r, DMA_GET) = (uint32_t)address & ref_address_mask(r);
    if (!since(r, G80))
        return;
    *reg(r, DMA_GET_HIGH) = (uint32_t)(address >> 32);
    if (value_of(r, DMA_STATE) & NON_MAIN)
        return;
    *reg(r, DMA_MGET) = (uint32_t)address;
    *reg(r, DMA_MGET_HIGH) = (uint32_t)(address >> 32) | MGET_VALID;
}

static uint32_t count_left(const struct reference *r) {
    return since(r, G80) ? value_of(r, METHOD_COUNT) : value_of(r, DMA_STATE) >> 18 & 0x7ff;
}

static void set_count(struct reference *r, uint32_t count) {
    if (since(r, G80))
        *reg(r, METHOD_COUNT) = count;
    else
        *reg(r, DMA_STATE) = (value_of(r, DMA_STATE) & ~(0x7ffu << 18)) | count << 18;
}

static void set_method(struct reference *r, uint32_t method) {
    *reg(r, DMA_STATE) = (value_of(r, DMA_STATE) & ~0x1ffcu) | (method & 0x1ffc);
}

/* A header: everything about the last packet is forgotten. */
static void start_packet(struct reference *r, uint32_t word, bool nonincreasing, uint32_t count, bool long_pending) {
    uint32_t kept = since(r, G80) ? PRIVILEGE | NON_MAIN | IN_CALL | ERROR_FIELD : since(r, NV40) ? IN_CALL : 0;
    *reg(r, DMA_STATE) = (value_of(r, DMA_STATE) & kept) | (word & 0xfffc) | (nonincreasing ? NONINC : 0) |
                         (long_pending ? LONG_PENDING : 0);
    set_count(r, count);
    *reg(r, DCOUNT) = 0;
}

/* SUBROUTINE_ACTIVE: bit 0 of the return address, from NV40 on in DMA_STATE. */
static bool in_call(const struct reference *r) {
    return since(r, NV40) ? (value_of(r, DMA_STATE) & IN_CALL) != 0 : (value_of(r, SUBROUTINE) & 1) != 0;
}

static void set_in_call(struct reference *r, bool active) {
    if (since(r, NV40))
        *reg(r, DMA_STATE) = (value_of(r, DMA_STATE) & ~IN_CALL) | (active ? IN_CALL : 0);
    else
        *reg(r, SUBROUTINE) = (value_of(r, SUBROUTINE) & ~1u) | active;
}

bool ref_ib_mode(const struct reference *r) {
    return since(r, G80) && (value_of(r, DMA_FETCH) & 0x40000000);
}

/* ---- may it run ---- */

bool ref_pusher_has_work(const struct reference *r) {
    if (!(value_of(r, PUSH1) & ref_mode_bit(r)))
        return false;
    return get(r) != put(r) || (ref_ib_mode(r) && value_of(r, IB_GET) != value_of(r, IB_PUT));
}

/*
 * UNKNOWN: whether the pusher goes on while an acquire is under way. Chosen before G80: no, it pauses after it has
 * pushed method 0x68 until the puller is through with it, so that the channel can leave with CACHE1 empty.
 */
static bool pauses(struct reference *r) {
    if (since(r, G80) || !(value_of(r, DMA_PUSH) & PUSH_ACQUIRE))
        return false;
    if (ref_cache_used(r) != 0 || (value_of(r, PULL1) & ACQUIRE_ACTIVE))
        return true;
    *reg(r, DMA_PUSH) &= ~PUSH_ACQUIRE;
    return false;
}

bool ref_pusher_can_fetch(struct reference *r) {
    if (!(value_of(r, PUSH0) & 1) || !(value_of(r, DMA_PUSH) & 1) || (value_of(r, DMA_PUSH) & PUSH_SUSPENDED))
        return false;
    if ((value_of(r, DMA_STATE) & ERROR_FIELD) || !ref_pusher_has_work(r) || ref_cache_full(r))
        return false;
    return !pauses(r);
}

static void error(struct reference *r, uint32_t code, uint64_t address, uint32_t word) {
    *reg(r, DMA_STATE) = (value_of(r, DMA_STATE) & ~ERROR_FIELD) | code << 29;
    *reg(r, DMA_PUSH) |= PUSH_SUSPENDED;
    ref_event(r, "pusher.error", error_name[code], address, word, code, 0, 0);
    ref_interrupt(r, DMA_PUSHER, "DMA_PUSHER");
}

/* One word through the pushbuffer's DMA object. UNKNOWN: whether a missing page shows as error, DMA_PTE or both. */
static bool read_word(struct reference *r, uint64_t address, uint32_t *word) {
    ref_pushbuffer_open(r);
    enum lookup result = ref_pushbuffer_rd32(r, address, word);
    if (result != FOUND) {
        if (result == NO_PAGE && !since(r, G80))
            ref_interrupt(r, DMA_PTE, "DMA_PTE");
        if (since(r, G80))
            ref_g80_fault(r, 5, 8, 0);
        return false;
    }
    if (ref_big_endian(r))
        *word = ref_swap(*word);
    return true;
}

/* ---- data words ---- */

bool ref_host_method_exists(const struct reference *r, uint32_t method) {
    switch (method) {
    case 0x00:
        return true;
    case 0x50:
        return since(r, NV10);
    case 0x60:
    case 0x64:
    case 0x68:
    case 0x6c:
        return since(r, NV1A);
    case 0x80:
        return since(r, NV40);
    case 0x10:
    case 0x14:
    case 0x18:
    case 0x1c:
    case 0x20:
    case 0x24:
    case 0x84:
        return since(r, G84);
    case 0x28:
    case 0x2c:
    case 0x30:
        return since(r, MCP89);
    default:
        return false;
    }
}

static void data_word(struct reference *r, uint64_t address, uint32_t word) {
    uint32_t state = value_of(r, DMA_STATE), method = state & 0x1ffc;
    *reg(r, DATA_SHADOW) = word;
    if (method < 0x100 && !ref_host_method_exists(r, method)) {
        error(r, INVALID_MTHD, address, word);
        return;
    }
    bool discarded = (value_of(r, SLI) & SLI_ENABLE) && !(value_of(r, SLI) & SLI_ACTIVE);
    if (!discarded) {
        ref_cache_push(r, (state & 0xe000) | method | (state & NONINC), word);
        if (method == 0x68 && !since(r, G80))
            *reg(r, DMA_PUSH) |= PUSH_ACQUIRE;
    }
    if (!(state & NONINC))
        set_method(r, method + 4); /* UNKNOWN: after 0x1ffc; chosen: 0 */
    set_count(r, count_left(r) - 1);
    *reg(r, DCOUNT) = (value_of(r, DCOUNT) + 4) & 0x1ffc;
}

/* ---- command words ---- */

static void packet(struct reference *r, uint64_t address, uint32_t word, uint32_t count, const char *form) {
    ref_event(r, "pusher.packet", form, address, word, word >> 13 & 7, word & 0x1ffc, count);
}

static void go_to(struct reference *r, uint64_t address, uint32_t word, uint32_t target, const char *form) {
    ref_event(r, "pusher.jump", form, address, word, target, 0, 0);
    set_get(r, target);
}

static void command_word(struct reference *r, uint64_t address, uint32_t word) {
    bool dma = !ref_ib_mode(r), subroutines = dma && since(r, NV1A);
    uint32_t count = word >> 18 & 0x7ff;
    *reg(r, RSVD_SHADOW) = word;
    if (dma && (word & 0xe0000003) == 0x20000000) {
        *reg(r, GET_JMP_SHADOW) = value_of(r, DMA_GET);
        go_to(r, address, word, word & 0x1ffffffc, "old-jump");
    } else if (subroutines && (word & 3) == 1) {
        *reg(r, GET_JMP_SHADOW) = value_of(r, DMA_GET);
        go_to(r, address, word, word & 0xfffffffc, "jump");
    } else if (subroutines && (word & 3) == 2) {
        if (in_call(r)) {
            error(r, CALL_SUBR_ACTIVE, address, word);
            return;
        }
        *reg(r, SUBROUTINE) = value_of(r, DMA_GET);
        set_in_call(r, true);
        go_to(r, address, word, word & 0xfffffffc, "call");
    } else if (subroutines && word == 0x00020000) {
        if (!in_call(r)) {
            error(r, RET_SUBR_INACTIVE, address, word);
            return;
        }
        set_in_call(r, false);
        go_to(r, address, word, value_of(r, SUBROUTINE) & 0xfffffffc, "return");
    } else if ((word & 0xe0030003) == 0) {
        start_packet(r, word, false, count, false);
        packet(r, address, word, count, "increasing");
    } else if (since(r, NV10) && (word & 0xe0030003) == 0x40000000) {
        start_packet(r, word, true, count, false);
        packet(r, address, word, count, "non-increasing");
    } else if (!dma && (word & 0xffff0003) == 0x00030000) {
        start_packet(r, word, true, 0, true);
        packet(r, address, word, 0, "long-non-increasing");
    } else if ((value_of(r, SLI) & SLI_ENABLE) && (word & 0xffff0003) == 0x00010000) {
        bool active = ((word >> 4 & 0xfff) & value_of(r, SLI)) != 0;
        *reg(r, SLI) = (value_of(r, SLI) & ~SLI_ACTIVE) | (active ? SLI_ACTIVE : 0);
        ref_event(r, "pusher.packet", "sli-conditional", address, word, 0, 0, 0);
    } else {
        error(r, INVALID_CMD, address, word);
    }
}

/* ---- IB entries ---- */

static void ib_entry(struct reference *r) {
    uint64_t ring = (uint64_t)(value_of(r, IB_CONFIG) & 0xff) << 32 | value_of(r, IB_ADDRESS);
    uint32_t order = value_of(r, IB_CONFIG) >> 16;
    uint64_t entries = UINT64_C(1) << (order < 32 ? order : 32);
    uint64_t at = ring + 8 * (uint64_t)value_of(r, IB_GET);
    uint32_t low, high;
    if (!read_word(r, at, &low) || !read_word(r, at + 4, &high)) {
        error(r, MEM_FAULT, at, 0);
        return;
    }
    *reg(r, IB_GET) = (uint32_t)((value_of(r, IB_GET) + UINT64_C(1)) % entries);
    uint64_t address = (uint64_t)(high & 0xff) << 32 | (low & 0xfffffffc);
    uint32_t words = high >> 10;
    ref_event(r, "pusher.segment", NULL, address, words, high >> 8 & 3, 0, 0);
    if (words == 0) {
        error(r, IB_EMPTY, at, low);
        return;
    }
    r->pinned = low & 2; /* NO_CONTEXT_SWITCH */
    if (low & 1)         /* DISABLE */
        return;
    *reg(r, DMA_STATE) &= ~(PRIVILEGE | NON_MAIN);
    *reg(r, DMA_STATE) |= (high & 0x100 ? PRIVILEGE : 0) | (high & 0x200 ? NON_MAIN : 0);
    *reg(r, DMA_PUT) = (uint32_t)(address + 4 * (uint64_t)words);
    *reg(r, DMA_PUT_HIGH) = (uint32_t)((address + 4 * (uint64_t)words) >> 32) & 0xff;
    set_get(r, address);
}

/* ---- one step ---- */

/* The timeslice does not end in the middle of a segment that asks for that. */
bool ref_in_pinned_segment(const struct reference *r) {
    return r->pinned && get(r) != put(r);
}

void ref_pusher_fetch(struct reference *r) {
    uint64_t address = get(r);
    uint32_t word;
    if (ref_ib_mode(r) && address == put(r)) {
        ib_entry(r);
        return;
    }
    bool beyond_limit = since(r, G80) && !ref_ib_mode(r) && address >= value_of(r, DMA_LIMIT);
    if (beyond_limit || !read_word(r, address, &word)) {
        error(r, MEM_FAULT, address, 0);
        return;
    }
    set_get(r, address + 4);
    if (count_left(r) != 0) {
        data_word(r, address, word);
    } else if (since(r, G80) && (value_of(r, DMA_STATE) & LONG_PENDING)) {
        *reg(r, DMA_STATE) &= ~LONG_PENDING;
        *reg(r, METHOD_COUNT) = word & 0xffffff;
    } else {
        command_word(r, address, word);
    }
}

/* ---- words that are in CACHE1 before the GPU overwrites them ---- */

/*
 * The pusher is faster than any engine: when an entry executes, CACHE1 is full of what comes next. Only words before
 * PUT count, and only as far as they are contiguous in memory. Headers, jumps and no-ops take no entry, and the words
 * could go on forever without filling CACHE1. UNKNOWN: how far the pusher gets; chosen: twice as many words as there
 * are entries.
 */
static uint32_t most_words(const struct reference *r) {
    return 2 * ref_entries(r);
}

static bool would_be_fetched(struct reference *r, enum reference_target target, uint64_t address, size_t bytes) {
    struct place first, place;
    uint64_t begin = get(r);
    if (begin == put(r) || ref_pushbuffer_place(r, begin, &first) != FOUND)
        return false;
    for (uint32_t i = 0; i < most_words(r) && begin + 4 * (uint64_t)i != put(r); i++) {
        if (ref_pushbuffer_place(r, begin + 4 * (uint64_t)i, &place) != FOUND || place.target != first.target ||
            place.address != first.address + 4 * (uint64_t)i)
            return false;
        if (place.target == target && place.address < address + bytes && address < place.address + 4)
            return true;
    }
    return false;
}

/* The pusher is ahead of the puller: it knows its DMA object before another entry executes. */
void ref_pusher_look_ahead(struct reference *r) {
    if (ref_pusher_can_fetch(r) && get(r) != put(r))
        ref_pushbuffer_open(r);
}

/* Before the write, the pusher fills CACHE1. The entry that executes is still in it. */
void ref_pusher_run_ahead(struct reference *r, enum reference_target target, uint64_t address, size_t bytes) {
    uint64_t size = target == REFERENCE_VRAM ? r->config.vram_bytes : r->config.system_bytes;
    if (address >= size || !ref_pusher_can_fetch(r))
        return;
    if (!would_be_fetched(r, target, address, bytes))
        return;
    for (uint32_t words = 0; words < most_words(r) && ref_pusher_can_fetch(r); words++) {
        ref_pusher_fetch(r);
        r->ahead++;
    }
}
