/* SPDX-License-Identifier: MIT */
/* Atomics: lane after lane. */
#include <string.h>

#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/memory.h"
#include "engine/shade/interpret/value.h"

static uint64_t float_add(uint64_t old, uint64_t b) {
    uint32_t x = shade_flushed((uint32_t)old), y = shade_flushed((uint32_t)b);
    return shade_flushed(shade_quiet(shade_u32(shade_f32(x) + shade_f32(y))));
}

/* ADD, MIN and MAX of pairs of halves, rounded to the nearest. */
static uint64_t halves(unsigned atomic, uint64_t old, uint64_t b) {
    uint64_t out = 0;
    for (unsigned shift = 0; shift < 32; shift += 16) {
        double x = shade_from_half(old >> shift & 0xffff), y = shade_from_half(b >> shift & 0xffff);
        double value = atomic == IR_ADD ? x + y : (x < y) == (atomic == IR_MIN) ? x : y;
        out |= (uint64_t)shade_to_half(value, IR_NEAREST) << shift;
    }
    return out;
}

uint64_t shade_atomic(const struct ir *ir, uint64_t old, uint64_t b, uint64_t c) {
    uint64_t top = ir->type == IR_S32 ? 0x80000000 : ir->type == IR_S64 ? UINT64_C(1) << 63 : 0;
    bool less = (b ^ top) < (old ^ top);
    if (ir->type == IR_F32 && ir->atomic <= IR_DEC)
        return ir->atomic == IR_ADD ? float_add(old, b) : old;
    if (ir->type == IR_F64 && ir->atomic <= IR_DEC)
        return ir->atomic == IR_ADD ? shade_add64(shade_f64(old), shade_f64(b), IR_NEAREST) : old;
    if (ir->type == IR_F16X2 && ir->atomic <= IR_DEC)
        return ir->atomic <= IR_MAX ? halves(ir->atomic, old, b) : old;
    switch (ir->atomic) {
    case IR_ADD:
        return old + b;
    case IR_MIN:
        return less ? b : old;
    case IR_MAX:
        return less ? old : b;
    case IR_INC:
        return ir->type != IR_U32 ? old : old >= b ? 0 : old + 1;
    case IR_DEC:
        return ir->type != IR_U32 ? old : old == 0 || old > b ? b : old - 1;
    case IR_ATOM_AND:
        return old & b;
    case IR_ATOM_OR:
        return old | b;
    case IR_ATOM_XOR:
        return old ^ b;
    case IR_EXCHANGE:
        return b;
    case IR_CAS:
        return old == b ? c : old;
    default:
        return old;
    }
}

struct access {
    unsigned lane, bytes;
    uint64_t *addresses; /* of all lanes */
    uint8_t *near;       /* NULL: global memory */
};

static bool read_old(struct shade_warp *warp, const struct access *access, uint64_t *old) {
    uint32_t words[SHADE_LANES][4] = {{0}};
    *old = 0;
    if (access->near) {
        memcpy(old, access->near, access->bytes);
        return true;
    }
    bool read = shade_global_load(warp, shade_bit[access->lane], access->addresses, access->bytes, words, 16);
    memcpy(old, words[access->lane], access->bytes);
    return read;
}

static bool write_new(struct shade_warp *warp, const struct access *access, uint64_t value) {
    uint32_t words[SHADE_LANES][4] = {{0}};
    if (access->near) {
        memcpy(access->near, &value, access->bytes);
        return true;
    }
    memcpy(words[access->lane], &value, access->bytes);
    return shade_global_store(warp, shade_bit[access->lane], access->addresses, access->bytes, words, 16);
}

/* Is the lane's address in memory of the warp or the block? */
static void place(struct shade_warp *warp, const struct ir *ir, struct access *access) {
    const struct shade_io *io = warp->io;
    uint64_t address = access->addresses[access->lane];
    bool generic = ir->space == IR_SPACE_GENERIC;
    bool local =
        ir->space == IR_SPACE_LOCAL || (generic && io->local_window && address - io->local_window < SHADE_WINDOW);
    bool shared =
        ir->space == IR_SPACE_SHARED || (generic && io->shared_window && address - io->shared_window < SHADE_WINDOW);
    access->near = local || shared ? shade_near(warp, !local, access->lane, address, access->bytes) : NULL;
}

/*
 * UNKNOWN: what lanes without effect get; chosen: 0. With what was in the register before, loops of theirs would never
 * end that wait for a value (piglit, arb_shader_image_load_store@atomicity, with NAK), and others wait for them.
 */
bool shade_atom(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    uint64_t addresses[SHADE_LANES], b[SHADE_LANES], c[SHADE_LANES], old[SHADE_LANES] = {0};
    bool wide = ir->type == IR_U64 || ir->type == IR_S64 || ir->type == IR_F64;
    bool global = ir->space == IR_SPACE_GLOBAL || ir->space == IR_SPACE_GENERIC;
    if (ir->type == IR_B128 || ir->atomic > IR_LOAD_ONLY || ir->atomic == IR_SAFE_ADD ||
        (global && !(warp->io->load && warp->io->store)))
        return shade_not_executed(warp, ir, lanes);
    shade_addresses(warp, ir, addresses);
    shade_bits64(warp, &ir->b, false, b);
    shade_bits64(warp, &ir->c, false, c);
    uint32_t acting = lanes & ~(warp->killed | warp->helpers);
    if (!shade_aligned(warp, acting, addresses, wide ? 8 : 4))
        return false;
    for (uint32_t rest = acting; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct access access = {.lane = lane, .bytes = wide ? 8 : 4, .addresses = addresses};
        place(warp, ir, &access);
        if (warp->error)
            return false;
        uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
        if (!read_old(warp, &access, &old[lane]) ||
            !write_new(warp, &access, shade_atomic(ir, old[lane], b[lane] & mask, c[lane] & mask)))
            return false;
    }
    if (wide) {
        shade_write64(warp, ir->d, lanes, old);
        return true;
    }
    shade_row out;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = (uint32_t)old[i];
    shade_write(warp, ir->d, lanes, out);
    return true;
}
