/* SPDX-License-Identifier: MIT */
/* Predicates, tests of the flags, votes and shuffles. */
#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/value.h"

static uint32_t predicate(const struct shade_warp *warp, const struct ir_source *source) {
    uint32_t value = warp->predicates[source->value & 7];
    return source->invert ? ~value : value;
}

bool shade_pset(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    uint32_t a = predicate(warp, &ir->a), b = predicate(warp, &ir->b);
    shade_set(warp, ir, lanes, shade_combine(ir->combine1, a, b));
    return true;
}

/* q has only the first predicate inverted. */
bool shade_psetp(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    uint32_t a = predicate(warp, &ir->a), b = predicate(warp, &ir->b), p = shade_p(warp, ir);
    shade_write_predicate(warp, ir->p, lanes, shade_combine(ir->combine, shade_combine(ir->combine1, a, b), p));
    shade_write_predicate(warp, ir->q, lanes, shade_combine(ir->combine, shade_combine(ir->combine1, ~a, b), p));
    return true;
}

bool shade_cset(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_set(warp, ir, lanes, shade_test(warp, ir->mode));
    return true;
}

bool shade_csetp(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_setp(warp, ir, lanes, shade_test(warp, ir->mode));
    return true;
}

bool shade_vote(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    uint32_t ballot = shade_p(warp, ir) & lanes;
    bool all = ballot == lanes, any = ballot;
    if (ir->mode > 2)
        return shade_not_executed(warp, ir, lanes);
    const bool results[] = {all, any, all || !any};
    shade_row out;
    shade_spread(SHADE_ALL, ballot, out);
    shade_write(warp, ir->d, lanes, out);
    shade_write_predicate(warp, ir->p, lanes, results[ir->mode] ? SHADE_ALL : 0);
    return true;
}

/* Lane numbers and clamps as in PTX's shfl. UNKNOWN: what a lane gives that does not run; here, its register. */
bool shade_shfl(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, room_c, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    const uint32_t *c = shade_bits(warp, &ir->c, room_c);
    uint32_t in_range = 0;
    for (int lane = 0; lane < (int)SHADE_LANES; lane++) {
        int by = (int)(b[lane] & 31), clamp = (int)(c[lane] & 31), segment = (int)(c[lane] >> 8 & 31);
        int least = lane & segment, most = least | (clamp & ~segment), from;
        bool ok;
        switch (ir->mode) {
        case 0:
            from = (by & ~segment) | least;
            break;
        case 1:
            from = lane - by;
            break;
        case 2:
            from = lane + by;
            break;
        default:
            from = lane ^ by;
            break;
        }
        ok = ir->mode == 1 ? from >= most : from <= most;
        out[lane] = a[ok ? from & 31 : lane];
        in_range |= ok ? shade_bit[lane] : 0;
    }
    shade_write(warp, ir->d, lanes, out);
    shade_write_predicate(warp, ir->p, lanes, in_range);
    return true;
}
