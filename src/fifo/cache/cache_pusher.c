/* SPDX-License-Identifier: MIT */
/*
 * The pusher, word by word: reads the pushbuffer and puts methods into CACHE1, with all special cases. cache_packets.c
 * is the bulk path for whole packets.
 *
 * The registers are up to date after every step and before every call out of this file.
 */
#include "fifo/cache/pusher.h"

#include "fifo/cache/queue.h"
#include "fifo/cache/switcher.h"
#include "unit/error_names.h"

enum pusher_error_code {
    ERROR_CALL_SUBR_ACTIVE = 1,
    ERROR_INVALID_MTHD = 2,
    ERROR_RET_SUBR_INACTIVE = 3,
    ERROR_INVALID_CMD = 4,
    ERROR_IB_EMPTY = 5,
    ERROR_MEM_FAULT = 6,
};

#define IB_ENTRY_DISABLE   (UINT64_C(1) << 0)
#define IB_ENTRY_PINNED    (UINT64_C(1) << 1) /* NO_CONTEXT_SWITCH */
#define IB_ENTRY_ADDRESS   UINT64_C(0xfffffffffc)
#define IB_ENTRY_PRIVILEGE (UINT64_C(1) << 40)
#define IB_ENTRY_NON_MAIN  (UINT64_C(1) << 41)
#define IB_ENTRY_WORDS(e)  ((e) >> 42)
#define MGET_VALID         (1u << 31)
#define MAX_SPAN_BYTES     (UINT64_C(1) << 26)

/* ---- registers as numbers ---- */

uint64_t pusher_get(const struct cache_fifo *c) {
    return c->r.dma_get | (uint64_t)c->r.dma_get_high << 32;
}

uint64_t pusher_put(const struct cache_fifo *c) {
    return c->r.dma_put | (uint64_t)c->r.dma_put_high << 32;
}

/* GET moves: in the main part of an IB ring MGET follows it. */
void pusher_set_get(struct cache_fifo *c, uint64_t get) {
    uint32_t high = (uint32_t)(get >> 32) & c->family->pushbuffer->pointer_high;
    c->r.dma_get = (uint32_t)get & c->base.chip->dma_pointer_mask;
    c->r.dma_get_high = high;
    if (!(c->r.dma_state & STATE_NON_MAIN)) {
        c->r.mget = c->r.dma_get;
        c->r.mget_high = high | MGET_VALID;
    }
}

void pusher_set_packet(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t count, bool nonincreasing) {
    uint32_t state = c->r.dma_state & (STATE_PRIVILEGE | STATE_SUBROUTINE | STATE_NON_MAIN | STATE_ERROR);
    if (c->family->pushbuffer->count_in_state)
        state = (c->r.dma_state & STATE_SUBROUTINE) | count << STATE_COUNT;
    else
        c->r.method_count = count;
    c->r.dma_state = state | subchannel << 13 | (method & STATE_METHOD) | (nonincreasing ? STATE_NONINC : 0);
}

static void pusher_error(struct cache_fifo *c, enum pusher_error_code error, uint64_t address, uint32_t word) {
    c->r.dma_state = (c->r.dma_state & ~STATE_ERROR) | (uint32_t)error << 29;
    c->r.dma_push |= DMA_PUSH_SUSPENDED;
    event_send(c->base.events, EVENT_PUSHER_ERROR, cache_channel(c), error_name(&errors_pusher, error), address, word,
               error, 0, 0);
    cache_raise(c, INTR_DMA_PUSHER, "DMA_PUSHER");
}

/* ---- may it run ---- */

bool pusher_has_work(const struct cache_fifo *c) {
    if (!(c->r.push1 & c->family->switcher->mode_bit))
        return false;
    return pusher_get(c) != pusher_put(c) || (pusher_ib_mode(c) && c->r.ib_get != c->r.ib_put);
}

/*
 * After method 0x68 the pusher waits until the puller has executed it (before G80), so that a waiting channel has an
 * empty cache. A driver that skips the entry also ends the wait.
 */
static bool waits_for_acquire(struct cache_fifo *c) {
    if (!(c->r.dma_push & DMA_PUSH_ACQUIRE) || !c->family->pushbuffer->pauses_at_acquire)
        return false;
    if (!cache_empty(c) || (c->r.pull1 & PULL1_ACQUIRE_ACTIVE))
        return true;
    c->r.dma_push &= ~DMA_PUSH_ACQUIRE;
    return false;
}

bool pusher_can_fetch(struct cache_fifo *c) {
    return (c->r.push0 & PUSH_ACCESS) && (c->r.dma_push & (PUSH_ACCESS | DMA_PUSH_SUSPENDED)) == PUSH_ACCESS &&
           !(c->r.dma_state & STATE_ERROR) && !cache_full(c) && pusher_has_work(c) && !waits_for_acquire(c);
}

bool pusher_stopped(const struct cache_fifo *c) {
    return (c->r.dma_push & DMA_PUSH_SUSPENDED) || (c->r.dma_state & STATE_ERROR);
}

uint64_t pusher_run_nothing(struct cache_fifo *c, uint64_t budget) {
    (void)c, (void)budget;
    return 0;
}

/* ---- fetching ---- */

static void open_fetch(struct cache_fifo *c) {
    if (c->pusher.is_open)
        return;
    c->family->pushbuffer->open(c);
    c->pusher.is_open = true;
    c->pusher.span.bytes = 0;
}

static bool in_span(const struct cache_fifo *c, uint64_t get) {
    return get - c->pusher.span_at < c->pusher.span.bytes && c->pusher.span.bytes - (get - c->pusher.span_at) >= 4;
}

/* Make c->pusher.span the piece of pushbuffer from `get` on, and watch it. */
static bool open_span(struct cache_fifo *c, uint64_t get, struct fault *fault) {
    open_fetch(c);
    uint64_t put = pusher_put(c);
    uint64_t bytes = put > get ? put - get : MAX_SPAN_BYTES;
    uint64_t below_wrap = (uint64_t)c->base.chip->dma_pointer_mask + 4 - get;
    if (!c->family->pushbuffer->pointer_high && bytes > below_wrap) /* GET wraps to 0 */
        bytes = below_wrap;
    bool there =
        memory_span(c->base.memory, &c->pusher.space, get, bytes < 4 ? 4 : bytes, MEMORY_READ, &c->pusher.span, fault);
    if (there && c->pusher.span.bytes < 4) {
        /* The object's base is not dword-aligned: half of the word is in the next page. */
        there = memory_read(c->base.memory, &c->pusher.space, get, c->pusher.straddling, sizeof c->pusher.straddling,
                            fault);
        c->pusher.span = (struct span){c->pusher.straddling, sizeof c->pusher.straddling};
    }
    c->pusher.span_at = get;
    c->base.memory->watch.begin = c->base.memory->watch.end = NULL;
    if (!there) {
        c->pusher.span = (struct span){NULL, 0};
        return false;
    }
    c->base.memory->watch.begin = c->pusher.span.data;
    c->base.memory->watch.end = c->pusher.span.data + c->pusher.span.bytes;
    return true;
}

/* Host pointer to the word at `get`, NULL after a fault was raised. */
const uint8_t *pusher_fetch_pointer(struct cache_fifo *c, uint64_t get) {
    struct fault fault = {FAULT_OBJECT_LIMIT, get, false};
    if (!in_span(c, get) && !open_span(c, get, &fault)) {
        c->family->pushbuffer->fault(c, &fault);
        pusher_error(c, ERROR_MEM_FAULT, get, 0);
        return NULL;
    }
    return c->pusher.span.data + (get - c->pusher.span_at);
}

/*
 * An entry of CACHE1 is about to execute, and may write to memory: the next words of the pusher must be watched, also
 * after a jump and at the start of a page or run. If they are not readable, there is nothing to watch.
 */
void pusher_look_ahead(struct cache_fifo *c) {
    struct fault fault;
    uint64_t get = pusher_get(c);
    if (get != pusher_put(c) && !in_span(c, get) && pusher_can_fetch(c))
        open_span(c, get, &fault);
}

/* ---- one IB entry ---- */

static void fetch_ib_entry(struct cache_fifo *c) {
    uint64_t ring = c->r.ib_address | (uint64_t)(c->r.ib_config & 0xff) << 32;
    uint32_t order = c->r.ib_config >> 16; /* log2 of the entries; the pointers have 32 bits */
    uint64_t at = ring + 8 * (uint64_t)c->r.ib_get;
    uint8_t bytes[8];
    struct fault fault;
    open_fetch(c);
    if (!memory_read(c->base.memory, &c->pusher.space, at, bytes, sizeof bytes, &fault)) {
        c->family->pushbuffer->fault(c, &fault);
        pusher_error(c, ERROR_MEM_FAULT, at, 0);
        return;
    }
    uint64_t entry = load_le64(bytes);
    if (cache_big_endian(c))
        entry = __builtin_bswap32((uint32_t)entry) | (uint64_t)__builtin_bswap32((uint32_t)(entry >> 32)) << 32;
    c->r.ib_get = (uint32_t)((c->r.ib_get + UINT64_C(1)) & ((UINT64_C(1) << (order < 32 ? order : 32)) - 1));
    uint64_t address = entry & IB_ENTRY_ADDRESS;
    uint32_t words = (uint32_t)IB_ENTRY_WORDS(entry);
    event_send(c->base.events, EVENT_PUSHER_SEGMENT, cache_channel(c), NULL, address, words, entry >> 40 & 3);
    if (words == 0) {
        pusher_error(c, ERROR_IB_EMPTY, at, (uint32_t)entry);
        return;
    }
    c->pusher.pinned = (entry & IB_ENTRY_PINNED) != 0;
    if (entry & IB_ENTRY_DISABLE)
        return;
    c->r.dma_state &= ~(STATE_PRIVILEGE | STATE_NON_MAIN);
    c->r.dma_state |=
        (entry & IB_ENTRY_PRIVILEGE ? STATE_PRIVILEGE : 0) | (entry & IB_ENTRY_NON_MAIN ? STATE_NON_MAIN : 0);
    uint64_t end = address + 4 * (uint64_t)words;
    c->r.dma_put = (uint32_t)end;
    c->r.dma_put_high = (uint32_t)(end >> 32) & 0xff;
    c->pusher.span.bytes = 0; /* a span ends with its segment */
    pusher_set_get(c, address);
}

/* ---- one word ---- */

static bool method_known(const struct cache_fifo *c, uint32_t method) {
    return method >= 0x100 || method == 0 || c->puller.host[method >> 2] != NULL;
}

static void data_word(struct cache_fifo *c, uint64_t at, uint32_t word) {
    uint32_t method = c->r.dma_state & STATE_METHOD;
    uint32_t subchannel = c->r.dma_state >> 13 & 7;
    bool nonincreasing = c->r.dma_state & STATE_NONINC;
    c->r.data_shadow = word;
    if (!method_known(c, method)) {
        pusher_error(c, ERROR_INVALID_MTHD, at, word);
        return;
    }
    if (!pusher_sli_discards(c)) {
        cache_push(c, subchannel, method, word, nonincreasing);
        if (method == 0x68 && c->family->pushbuffer->pauses_at_acquire)
            c->r.dma_push |= DMA_PUSH_ACQUIRE;
    }
    bool pending = pusher_long_pending(c); /* with words left, only a driver can have caused this */
    pusher_set_packet(c, subchannel, method + (nonincreasing ? 0 : 4), pusher_packet_count(c) - 1, nonincreasing);
    c->r.dma_state |= pending ? STATE_LONG_PENDING : 0;
    c->r.dcount = (c->r.dcount + 4) & 0x1ffc;
}

void pusher_report_packet(struct cache_fifo *c, uint64_t at, uint32_t word, const struct grammar_word *w) {
    event_send(c->base.events, EVENT_PUSHER_PACKET, cache_channel(c), grammar_form_name(w->form), at, word,
               w->subchannel, w->method, w->count, 0);
}

static void pusher_jump(struct cache_fifo *c, uint64_t at, uint32_t word, enum grammar_form form, uint64_t target) {
    event_send(c->base.events, EVENT_PUSHER_JUMP, cache_channel(c), grammar_form_name(form), at, word, target, 0);
    pusher_set_get(c, target);
}

#define SUBROUTINE_ACTIVE 1u

static bool subroutine_active(const struct cache_fifo *c) {
    if (c->family->pushbuffer->active_in_subroutine)
        return (c->r.subroutine & SUBROUTINE_ACTIVE) != 0;
    return (c->r.dma_state & STATE_SUBROUTINE) != 0;
}

static void set_subroutine(struct cache_fifo *c, uint32_t address, bool active) {
    bool low = c->family->pushbuffer->active_in_subroutine;
    c->r.subroutine = (address & ~3u) | (active && low ? SUBROUTINE_ACTIVE : 0);
    c->r.dma_state = (c->r.dma_state & ~STATE_SUBROUTINE) | (active && !low ? STATE_SUBROUTINE : 0);
}

static void pusher_call(struct cache_fifo *c, uint64_t at, uint32_t word, uint32_t target) {
    if (subroutine_active(c)) {
        pusher_error(c, ERROR_CALL_SUBR_ACTIVE, at, word);
        return;
    }
    set_subroutine(c, c->r.dma_get, true);
    pusher_jump(c, at, word, FORM_CALL, target);
}

static void pusher_return(struct cache_fifo *c, uint64_t at, uint32_t word) {
    if (!subroutine_active(c)) {
        pusher_error(c, ERROR_RET_SUBR_INACTIVE, at, word);
        return;
    }
    set_subroutine(c, c->r.subroutine, false);
    pusher_jump(c, at, word, FORM_RETURN, c->r.subroutine & ~3u);
}

static void header_word(struct cache_fifo *c, uint64_t at, uint32_t word) {
    struct grammar_word w;
    c->r.rsvd_shadow = word;
    switch (grammar_decode(c->base.chip->family->grammar, pusher_grammar_mode(c), word, &w)) {
    case FORM_INCREASING:
    case FORM_NONINCREASING:
        c->r.dcount = 0;
        pusher_set_packet(c, w.subchannel, w.method, w.count, w.form == FORM_NONINCREASING);
        pusher_report_packet(c, at, word, &w);
        return;
    case FORM_LONG_NONINCREASING:
        c->r.dcount = 0;
        pusher_set_packet(c, w.subchannel, w.method, 0, true);
        c->r.dma_state |= STATE_LONG_PENDING;
        pusher_report_packet(c, at, word, &w);
        return;
    case FORM_OLD_JUMP:
    case FORM_JUMP:
        c->r.jmp_shadow = c->r.dma_get;
        pusher_jump(c, at, word, w.form, w.target);
        return;
    case FORM_CALL:
        pusher_call(c, at, word, w.target);
        return;
    case FORM_RETURN:
        pusher_return(c, at, word);
        return;
    case FORM_SLI_CONDITIONAL:
        c->r.sli = (c->r.sli & ~SLI_ACTIVE) | ((w.data & c->r.sli & SLI_MASK) ? SLI_ACTIVE : 0);
        pusher_report_packet(c, at, word, &w);
        return;
    default:
        pusher_error(c, ERROR_INVALID_CMD, at, word);
        return;
    }
}

/* The word after a long header holds its count. */
static void long_count_word(struct cache_fifo *c, uint32_t word) {
    c->r.dma_state &= ~STATE_LONG_PENDING;
    c->r.method_count = word & 0xffffff;
}

void pusher_step(struct cache_fifo *c) {
    uint64_t get = pusher_get(c);
    if (pusher_ib_mode(c) && get == pusher_put(c)) {
        fetch_ib_entry(c);
        return;
    }
    if (c->family->pushbuffer->has_limit_register && !pusher_ib_mode(c) && get >= c->r.dma_limit) {
        pusher_error(c, ERROR_MEM_FAULT, get, 0);
        return;
    }
    const uint8_t *pointer = pusher_fetch_pointer(c, get);
    if (!pointer)
        return;
    uint32_t word = load_le32(pointer);
    if (cache_big_endian(c))
        word = __builtin_bswap32(word);
    pusher_set_get(c, get + 4);
    if (pusher_packet_count(c) != 0)
        data_word(c, get, word);
    else if (pusher_long_pending(c))
        long_count_word(c, word);
    else
        header_word(c, get, word);
}

const struct pusher_ops pusher_ops_nv4 = {.has_work = pusher_has_work,
                                          .can_fetch = pusher_can_fetch,
                                          .fetch = pusher_step,
                                          .run = pusher_run,
                                          .stopped = pusher_stopped};
