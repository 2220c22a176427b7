/* SPDX-License-Identifier: MIT */
/* Loads and stores: constants, local, shared and global memory. */
#include <assert.h>
#include <string.h>

#include "engine/shade/interpret/memory.h"
#include "engine/shade/interpret/value.h"

static unsigned size_of(unsigned type) {
    static const uint8_t sizes[] = {
        [IR_U8] = 1,  [IR_S8] = 1,   [IR_U16] = 2,   [IR_S16] = 2, [IR_U32] = 4,   [IR_S32] = 4, [IR_U64] = 8,
        [IR_S64] = 8, [IR_B96] = 12, [IR_B128] = 16, [IR_F16] = 2, [IR_F16X2] = 4, [IR_F32] = 4, [IR_F64] = 8};
    return type < sizeof sizes ? sizes[type] : 4;
}

/* Up to four words for each lane. */
struct values {
    uint32_t words[SHADE_LANES][4];
};

static void values_write(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, const struct values *values) {
    unsigned bytes = size_of(ir->type), words = bytes < 4 ? 1 : bytes / 4;
    bool is_signed = ir->type == IR_S8 || ir->type == IR_S16;
    uint32_t top = is_signed ? bytes == 1 ? 0x80 : 0x8000 : 0, mask = bytes >= 4 ? SHADE_ALL : (1u << 8 * bytes) - 1;
    for (unsigned word = 0; word < words; word++) {
        shade_row out;
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] = ((values->words[i][word] & mask) ^ top) - top;
        shade_write_block(warp, ir->d, word, lanes, out);
    }
}

static void values_read(const struct shade_warp *warp, const struct ir *ir, struct values *values) {
    unsigned words = (size_of(ir->type) + 3) / 4;
    shade_row room;
    if (ir->b.kind != IR_REGISTER)
        words = 1;
    memset(values, 0, sizeof *values);
    for (unsigned word = 0; word < words; word++) {
        const uint32_t *row =
            ir->b.kind == IR_REGISTER ? shade_block(warp, ir->b.value & 0xff, word) : shade_bits(warp, &ir->b, room);
        for (unsigned i = 0; i < SHADE_LANES; i++)
            values->words[i][word] = row[i];
    }
}

void shade_addresses(const struct shade_warp *warp, const struct ir *ir, uint64_t *out) {
    bool absolute = ir->a.kind != IR_REGISTER || (ir->a.value & 0xff) == IR_ZERO;
    if (ir->wide && !absolute) {
        shade_bits64(warp, &ir->a, false, out);
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] += (uint64_t)ir->offset;
        return;
    }
    shade_row room;
    const uint32_t *a = shade_bits(warp, &ir->a, room);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = a[i] + (uint64_t)ir->offset;
}

static bool has_effect(const struct shade_warp *warp, unsigned lane) {
    return !((warp->killed | warp->helpers) & shade_bit[lane]);
}

bool shade_aligned(struct shade_warp *warp, uint32_t lanes, const uint64_t *addresses, unsigned bytes) {
    unsigned align = bytes == 12 ? 4 : bytes;
    uint64_t low = 0;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        low |= lanes & shade_bit[i] && has_effect(warp, i) ? addresses[i] : 0;
    return !(low & (align - 1)) || shade_fail(warp, SHADE_MISALIGNED_ADDRESS);
}

/*
 * An offset in the window of local memory, as one in the memory itself, which has first what is at the beginning of the
 * window, and then what is at its end. `*size`: of the part that it is in.
 */
static uint32_t local_offset(const struct shade_io *io, uint32_t offset, uint32_t *size) {
    assert(io->local_high <= io->local_bytes && io->local_bytes <= SHADE_WINDOW);
    uint32_t low = io->local_bytes - io->local_high, high = SHADE_WINDOW - io->local_high;
    bool is_high = io->local_high && offset >= high;
    *size = is_high ? io->local_bytes : low;
    return is_high ? low + (offset - high) : offset;
}

uint8_t *shade_near(struct shade_warp *warp, bool shared, unsigned lane, uint64_t address, unsigned bytes) {
    const struct shade_io *io = warp->io;
    unsigned align = bytes == 12 ? 4 : bytes;
    uint32_t offset = (uint32_t)address & (SHADE_WINDOW - 1) & ~(align - 1), size = io->shared_bytes;
    uint8_t *memory = shared ? io->shared : io->local;
    if (!shared)
        offset = local_offset(io, offset, &size);
    if (!memory || size < bytes || offset > size - bytes) {
        if (has_effect(warp, lane))
            shade_fail(warp, shared && !memory ? SHADE_INVALID_SPACE : SHADE_OOR_ADDRESS);
        return NULL;
    }
    return memory + (shared ? 0 : (size_t)lane * io->local_bytes) + offset;
}

/* The lanes whose generic address is in a window. */
static uint32_t windowed(const struct ir *ir, uint64_t window, uint32_t lanes, const uint64_t *addresses) {
    uint32_t inside = 0;
    if (ir->space == IR_SPACE_GENERIC && window)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            inside |= addresses[i] - window < SHADE_WINDOW ? shade_bit[i] : 0;
    return inside & lanes;
}

struct split {
    uint32_t local, shared, global;
};

static struct split split(const struct shade_warp *warp, const struct ir *ir, uint32_t lanes,
                          const uint64_t *addresses) {
    switch (ir->space) {
    case IR_SPACE_LOCAL:
        return (struct split){.local = lanes};
    case IR_SPACE_SHARED:
        return (struct split){.shared = lanes};
    default:
        break;
    }
    struct split split = {.local = windowed(ir, warp->io->local_window, lanes, addresses),
                          .shared = windowed(ir, warp->io->shared_window, lanes, addresses)};
    split.shared &= ~split.local;
    split.global = lanes & ~(split.local | split.shared);
    return split;
}

/* ---- global memory ---- */

/* The bytes of a lane, if a span has them. NULL: none has. */
static uint8_t *spanned(const struct shade_io *io, uint64_t address, unsigned bytes, bool write) {
    for (unsigned i = 0; i < io->span_count; i++) {
        const struct shade_span *span = &io->spans[i];
        uint64_t offset = address - span->address;
        if (offset < span->bytes && bytes <= span->bytes - offset)
            return write && !span->writable ? NULL : span->data + offset;
    }
    return NULL;
}

/* The lanes whose bytes are in no span. */
static uint32_t unspanned(const struct shade_io *io, uint32_t lanes, const uint64_t *addresses, unsigned bytes,
                          bool write) {
    uint32_t outside = 0;
    for (uint32_t rest = io->span_count ? lanes : 0; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        outside |= spanned(io, addresses[lane], bytes, write) ? 0 : shade_bit[lane];
    }
    return io->span_count ? outside : lanes;
}

bool shade_global_load(struct shade_warp *warp, uint32_t lanes, const uint64_t *addresses, unsigned bytes, void *to,
                       unsigned stride) {
    const struct shade_io *io = warp->io;
    assert(io->load && bytes <= 16 && stride >= bytes);
    uint32_t outside = unspanned(io, lanes, addresses, bytes, false);
    if (outside && !io->load(warp, outside, addresses, bytes, to, stride))
        return false;
    for (uint32_t rest = lanes & ~outside; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        memcpy((uint8_t *)to + lane * (size_t)stride, spanned(io, addresses[lane], bytes, false), bytes);
    }
    warp->accesses += (unsigned)__builtin_popcount(lanes & ~outside);
    return true;
}

bool shade_global_store(struct shade_warp *warp, uint32_t lanes, const uint64_t *addresses, unsigned bytes,
                        const void *from, unsigned stride) {
    const struct shade_io *io = warp->io;
    assert(io->store && bytes <= 16 && stride >= bytes);
    uint32_t outside = unspanned(io, lanes, addresses, bytes, true);
    if (outside && !io->store(warp, outside, addresses, bytes, from, stride))
        return false;
    for (uint32_t rest = lanes & ~outside; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        memcpy(spanned(io, addresses[lane], bytes, true), (const uint8_t *)from + lane * (size_t)stride, bytes);
    }
    warp->accesses += (unsigned)__builtin_popcount(lanes & ~outside);
    return true;
}

/* ---- loads and stores ---- */

bool shade_ld(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    uint64_t addresses[SHADE_LANES];
    struct values values = {0};
    unsigned bytes = size_of(ir->type);
    shade_addresses(warp, ir, addresses);
    struct split to = split(warp, ir, lanes, addresses);
    if (!shade_aligned(warp, lanes, addresses, bytes))
        return false;
    for (uint32_t rest = to.local | to.shared; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint8_t *from = shade_near(warp, to.shared & shade_bit[lane], lane, addresses[lane], bytes);
        if (from)
            memcpy(values.words[lane], from, bytes);
    }
    if (warp->error)
        return false;
    if (to.global) {
        if (!warp->io->load)
            return shade_not_executed(warp, ir, lanes);
        if (!shade_global_load(warp, to.global, addresses, bytes, values.words, sizeof values.words[0]))
            return false;
    }
    values_write(warp, ir, lanes, &values);
    return true;
}

bool shade_st(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    uint64_t addresses[SHADE_LANES];
    struct values values;
    unsigned bytes = size_of(ir->type);
    shade_addresses(warp, ir, addresses);
    values_read(warp, ir, &values);
    struct split to = split(warp, ir, lanes, addresses);
    if (!shade_aligned(warp, lanes, addresses, bytes))
        return false;
    for (uint32_t rest = to.local | to.shared; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint8_t *at = shade_near(warp, to.shared & shade_bit[lane], lane, addresses[lane], bytes);
        if (at)
            memcpy(at, values.words[lane], bytes);
    }
    if (warp->error)
        return false;
    to.global &= ~(warp->killed | warp->helpers);
    if (!to.global)
        return true;
    if (!warp->io->store)
        return shade_not_executed(warp, ir, lanes);
    return shade_global_store(warp, to.global, addresses, bytes, values.words, sizeof values.words[0]);
}

/*
 * Locks of shared words. A word has a lock, which a lane gets that loads it while nobody has it, and gives back with its
 * store; so the loop around it (load and lock, change, store and unlock, again for those that did not get it) comes to
 * its end. Of the lanes that name the same word at once, the first one gets it. Without io.locks a lock is of one
 * instruction. UNKNOWN: a store to a word that its lane has not locked; chosen: it counts, and the word is free.
 */
static uint32_t lock_bit(const struct shade_io *io, uint64_t address, uint32_t **word) {
    uint32_t number = ((uint32_t)address & (SHADE_WINDOW - 1)) / 4;
    bool inside = io->locks && number < io->shared_bytes / 4;
    *word = inside ? &io->locks[number / 32] : NULL;
    return inside ? 1u << number % 32 : 0;
}

/* Does another warp or another of these lanes hold the lock? If not, the lane takes it. */
static bool take_lock(const struct shade_io *io, const uint64_t *addresses, unsigned lane, uint32_t lanes) {
    uint32_t *locks, bit = lock_bit(io, addresses[lane], &locks);
    for (; lanes; lanes &= lanes - 1)
        if ((addresses[__builtin_ctz(lanes)] ^ addresses[lane]) < 4)
            return false;
    if (locks && *locks & bit)
        return false;
    if (locks)
        *locks |= bit;
    return true;
}

bool shade_ld_lock(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    uint64_t addresses[SHADE_LANES];
    uint32_t locked = 0;
    shade_addresses(warp, ir, addresses);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        locked |= take_lock(warp->io, addresses, lane, locked) ? shade_bit[lane] : 0;
    }
    struct ir load = *ir;
    load.space = IR_SPACE_SHARED;
    shade_write_predicate(warp, ir->p, lanes, locked);
    return shade_ld(warp, &load, lanes);
}

bool shade_st_unlock(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    uint64_t addresses[SHADE_LANES];
    struct ir store = *ir;
    store.space = IR_SPACE_SHARED;
    shade_addresses(warp, ir, addresses); /* p is no part of them */
    shade_write_predicate(warp, ir->p, lanes, SHADE_ALL);
    if (!shade_st(warp, &store, lanes))
        return false;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t *locks, bit = lock_bit(warp->io, addresses[__builtin_ctz(rest)], &locks);
        if (locks)
            *locks &= ~bit;
    }
    return true;
}

/* UNKNOWN: IL, taken as plain, and ISL, taken as IS. */
bool shade_ldc(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room;
    struct values values = {0};
    const uint32_t *a = shade_bits(warp, &ir->a, room);
    unsigned bytes = size_of(ir->type), part = bytes < 4 ? bytes : 4;
    bool segment = ir->mode >= 2;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        unsigned bank = ir->bank + (segment ? a[lane] >> 16 : 0);
        uint32_t offset = (segment ? a[lane] & 0xffff : a[lane]) + (uint32_t)ir->offset;
        offset &= ~((bytes == 12 ? 4 : bytes) - 1);
        for (unsigned word = 0; word * 4 < bytes; word++)
            values.words[lane][word] = shade_constant(warp, bank, offset + 4 * word, part);
    }
    values_write(warp, ir, lanes, &values);
    return true;
}
