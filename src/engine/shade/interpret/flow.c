/* SPDX-License-Identifier: MIT */
/*
 * Flow: each lane has its own stack of (type, target). What pops takes the topmost entry of its type and all above it,
 * and waits at its target until no other lane has that entry, of those that pushed it together. That gives what the
 * hardware's one stack of masks gives for structured code (envytools docs/hw/graph/tesla/cuda, Mesa
 * nv50_ir_emit_nvc0.cpp emitFlow), without its order of ways. Code needs it whose ways lie after their join: NVK's
 * loops put what is rare at the end of the program.
 *
 * A lane waits for others that have the entry, so what they may wait for themselves was pushed later: there is no ring.
 * UNKNOWN: what happens if those others wait at a barrier, which no structured code does; chosen: nobody is waited for.
 */
#include <assert.h>
#include <string.h>

#include "engine/shade/interpret/core.h"
#include "engine/shade/watch.h"

enum entry { ENTRY_SYNC = 1, ENTRY_BREAK, ENTRY_CONTINUE, ENTRY_RETURN, ENTRY_LONGJMP, ENTRY_EXIT };

const char *shade_entry_name(unsigned type) {
    static const char *const names[] = {
        [ENTRY_SYNC] = "sync",     [ENTRY_BREAK] = "break",     [ENTRY_CONTINUE] = "continue",
        [ENTRY_RETURN] = "return", [ENTRY_LONGJMP] = "longjmp", [ENTRY_EXIT] = "exit",
    };
    return type && type < sizeof names / sizeof names[0] ? names[type] : "?";
}

uint32_t shade_quads_of(uint32_t lanes) {
    lanes |= lanes >> 1 & 0x55555555;
    lanes |= lanes >> 2 & 0x11111111;
    return (lanes & 0x11111111) * 15;
}

static void push(struct shade_warp *warp, uint32_t lanes, enum entry type, uint32_t target, bool own) {
    uint32_t mark = ++warp->marks;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct shade_stack *stack = &warp->stacks[lane];
        unsigned depth = warp->depth[lane];
        assert(depth <= SHADE_STACK);
        if (depth >= SHADE_STACK) {
            shade_fail(warp, SHADE_STACK_ERROR);
            return;
        }
        stack->type[depth] = (uint8_t)type;
        stack->target[depth] = own ? warp->pc[lane] : target;
        stack->mark[depth] = mark;
        warp->depth[lane]++;
    }
}

static bool stacks_are_empty(const struct shade_warp *warp) {
    uint32_t any = 0;
    for (unsigned lane = 0; lane < SHADE_LANES; lane++)
        any |= warp->depth[lane];
    return !any;
}

/* LONGJMP and EXIT leave what others are in. */
static bool waits_for_others(enum entry type) {
    return type <= ENTRY_RETURN;
}

/*
 * Does any lane have an entry of this mark? Those of a stack rise, but for a count that begins anew after 2^32 pushes: then
 * some may be missed, and lanes go on before others.
 */
static bool is_held(const struct shade_warp *warp, uint32_t mark) {
    for (uint32_t rest = warp->alive; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest), depth = warp->depth[lane];
        while (depth && warp->stacks[lane].mark[depth - 1] > mark)
            depth--;
        if (depth && warp->stacks[lane].mark[depth - 1] == mark)
            return true;
    }
    return false;
}

/* Lanes that wait for this mark go on, if nobody has it any more. */
static void release(struct shade_warp *warp, uint32_t mark) {
    uint32_t same = 0;
    for (uint32_t rest = warp->parked; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        same |= warp->park[lane] == mark ? 1u << lane : 0;
    }
    if (same && !is_held(warp, mark))
        warp->parked &= ~same;
}

#define MARKS_SEEN 8u

/* Of entries that these lanes have removed, from their depth to that before. Lanes mostly remove the same ones. */
static void release_removed(struct shade_warp *warp, uint32_t lanes, const uint8_t before[SHADE_LANES]) {
    uint32_t seen[MARKS_SEEN];
    unsigned count = 0;
    for (uint32_t rest = lanes; rest && warp->parked; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        for (unsigned k = warp->depth[lane]; k < before[lane]; k++) {
            uint32_t mark = warp->stacks[lane].mark[k];
            unsigned i = 0;
            while (i < count && seen[i] != mark)
                i++;
            if (i < count)
                continue;
            if (count < MARKS_SEEN)
                seen[count++] = mark;
            release(warp, mark);
        }
    }
}

/* Go where the topmost entry of that type says. Returns the lanes that have none. */
static uint32_t pop(struct shade_warp *warp, uint32_t lanes, enum entry type) {
    uint8_t before[SHADE_LANES];
    uint32_t without = 0;
    if (stacks_are_empty(warp))
        return lanes;
    warp->together = false;
    memcpy(before, warp->depth, sizeof before);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct shade_stack *stack = &warp->stacks[lane];
        unsigned depth = warp->depth[lane];
        while (depth && stack->type[depth - 1] != type)
            depth--;
        if (depth) {
            warp->depth[lane] = (uint8_t)(depth - 1);
            warp->pc[lane] = stack->target[depth - 1];
            warp->park[lane] = stack->mark[depth - 1];
            warp->parked |= waits_for_others(type) ? 1u << lane : 0;
        } else {
            without |= 1u << lane;
        }
    }
    release_removed(warp, lanes, before);
    return without;
}

/* Lanes go on that have waited for others which have no entry of theirs any more. */
static void release_all(struct shade_warp *warp) {
    for (uint32_t rest = warp->parked; rest; rest &= rest - 1)
        release(warp, warp->park[__builtin_ctz(rest)]);
}

static void jump(struct shade_warp *warp, uint32_t lanes, uint32_t target) {
    warp->together &= lanes == warp->alive;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        warp->pc[__builtin_ctz(rest)] = target;
}

/* Lanes end. Of quads of pixels in which no lane has an effect any more, the others end with them. */
static void end(struct shade_warp *warp, uint32_t lanes) {
    warp->alive &= ~lanes;
    if (warp->io->quads)
        warp->alive &= shade_quads_of(warp->alive & ~(warp->killed | warp->helpers));
    warp->waiting &= warp->alive;
    warp->parked &= warp->alive;
    release_all(warp);
}

bool shade_exit_all(struct shade_warp *warp) {
    if (!stacks_are_empty(warp))
        return false;
    end(warp, warp->alive);
    return true;
}

static void kill(struct shade_warp *warp, uint32_t lanes) {
    warp->killed |= lanes;
    end(warp, warp->io->quads ? 0 : lanes);
}

/* UNKNOWN: which error it is if there is no entry; chosen: STACK_ERROR, but for RET, which has one of its own. */
static void pop_or_fail(struct shade_warp *warp, uint32_t lanes, enum entry type) {
    if (pop(warp, lanes, type))
        shade_fail(warp, type == ENTRY_RETURN ? SHADE_RET_EMPTY_STACK : SHADE_STACK_ERROR);
}

void shade_sync(struct shade_warp *warp, uint32_t lanes) {
    pop_or_fail(warp, lanes, ENTRY_SYNC);
}

static void jump_to_register(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room;
    const uint32_t *a = shade_integer(warp, &ir->a, room);
    warp->together = false;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        warp->pc[lane] = a[lane] + (uint32_t)ir->offset;
    }
}

/* UNKNOWN: barriers and counts that are not the same in all lanes; chosen: those of the first one. */
static void arrive(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    struct shade_barriers *barriers = &warp->barriers;
    shade_row room_a, room_b;
    assert(lanes && ir->op == IR_BAR);
    unsigned first = (unsigned)__builtin_ctz(lanes);
    unsigned number = shade_bits(warp, &ir->a, room_a)[first] % SHADE_BARRIERS;
    barriers->threads[number] = shade_bits(warp, &ir->b, room_b)[first];
    barriers->arrived[number] |= lanes;
    barriers->truth[number] = (barriers->truth[number] & ~lanes) | (shade_p(warp, ir) & lanes);
    for (uint32_t rest = ir->mode == SHADE_ARRIVE ? 0 : lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        barriers->number[lane] = (uint8_t)number;
        barriers->kind[lane] = (uint8_t)ir->mode;
        barriers->d[lane] = ir->d;
        barriers->p[lane] = ir->p;
    }
}

/* Outside of a group a reduction has no result. */
static void barrier(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    bool grouped = warp->io->grouped;
    if (ir->mode >= (grouped ? SHADE_SCAN : SHADE_POPC))
        shade_not_executed(warp, ir, lanes); /* it is a barrier all the same */
    if (grouped && lanes)
        arrive(warp, ir, lanes);
    if (ir->mode != SHADE_ARRIVE)
        warp->waiting |= lanes;
    warp->together = false;
}

static void all_mode(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    if (ir->op == IR_RAM) {
        warp->all_depth -= warp->all_depth > 0;
    } else if (warp->all_depth < sizeof warp->all_mode / sizeof warp->all_mode[0]) {
        warp->all_mode[warp->all_depth++] = lanes;
    }
}

static void pushes(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    uint32_t target = (uint32_t)ir->offset;
    switch (ir->op) {
    case IR_SSY:
        push(warp, lanes, ENTRY_SYNC, target, false);
        break;
    case IR_PBK:
        push(warp, lanes, ENTRY_BREAK, target, false);
        break;
    case IR_PCNT:
        push(warp, lanes, ENTRY_CONTINUE, target, false);
        break;
    case IR_PRET:
        push(warp, lanes, ENTRY_RETURN, target, false);
        break;
    case IR_PLONGJMP:
        push(warp, lanes, ENTRY_LONGJMP, target, false);
        break;
    case IR_PEXIT:
        push(warp, lanes, ENTRY_EXIT, target, false);
        break;
    default:
        push(warp, lanes, ENTRY_RETURN, 0, true);
        jump(warp, lanes, target);
        break;
    }
}

void shade_flow(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, uint32_t guarded) {
    switch (ir->op) {
    case IR_BRA:
        jump(warp, guarded, (uint32_t)ir->offset);
        break;
    case IR_BRX:
        jump_to_register(warp, ir, guarded);
        break;
    case IR_RET:
        pop_or_fail(warp, guarded, ENTRY_RETURN);
        break;
    case IR_SYNC:
        shade_sync(warp, guarded);
        break;
    case IR_BRK:
        pop_or_fail(warp, guarded, ENTRY_BREAK);
        break;
    case IR_CONT:
        pop_or_fail(warp, guarded, ENTRY_CONTINUE);
        break;
    case IR_LONGJMP:
        pop_or_fail(warp, guarded, ENTRY_LONGJMP);
        break;
    case IR_EXIT:
        end(warp, pop(warp, guarded, ENTRY_EXIT));
        break;
    case IR_KIL:
        kill(warp, guarded);
        break;
    case IR_BAR:
        barrier(warp, ir, guarded);
        break;
    case IR_SAM:
    case IR_RAM:
        all_mode(warp, ir, lanes);
        break;
    default:
        pushes(warp, ir, lanes);
        break;
    }
    if (ir->join && !warp->error)
        shade_sync(warp, guarded & warp->alive);
}
