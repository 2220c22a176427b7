/* SPDX-License-Identifier: MIT */
/*
 * Which lanes run. Each has its own program counter; of those that wait for nobody the ones with the lowest run,
 * together, until they branch, end, or reach others there. So ways join again also where nothing was pushed for it, if
 * the join lies after both of them, as compilers make it (NVIDIA's and Mesa's nv50_ir_lowering_nvc0.cpp, propagateJoin).
 */
#include <assert.h>
#include <string.h>

#include "engine/shade/compile/compile.h"
#include "engine/shade/compile/lower.h"
#include "engine/shade/executor.h"
#include "engine/shade/interpret/interpret.h"
#include "engine/shade/interpret/core.h"
#include "engine/shade/watch.h"

/* All that is not there once for each lane or barrier. */
static void enter_once(struct shade_warp *warp, const struct shade_start *start) {
    warp->together = true;
    warp->alive = start->lanes;
    warp->parked = warp->marks = 0;
    warp->killed = 0;
    warp->helpers = start->helpers & start->lanes;
    warp->waiting = 0;
    warp->all_depth = 0;
    warp->fault_address = 0;
    warp->error = SHADE_OK;
    warp->unreadable = false;
    warp->program = start->program;
    warp->io = start->io;
    warp->instructions = warp->accesses = warp->number = 0;
}

/* All lanes at an address, where nothing is pushed and nobody has come to a barrier. */
static void enter_lanes(struct shade_warp *warp, uint32_t address) {
    for (unsigned lane = 0; lane < SHADE_LANES; lane++)
        warp->pc[lane] = address;
    memset(warp->depth, 0, sizeof warp->depth);
    memset(warp->barriers.arrived, 0, sizeof warp->barriers.arrived);
    memset(warp->barriers.count, 0, sizeof warp->barriers.count);
    warp->barriers.yes = 0;
}

/* At the program's entry, with whatever is in the registers. */
static void enter(const struct shade_start *start) {
    enter_once(start->warp, start);
    enter_lanes(start->warp, start->program ? shade_program_entry(start->program) : 0);
}

/* The values: registers become 0 when they are named. */
static void clear(struct shade_warp *warp) {
    memset(warp->registers[IR_ZERO], 0, sizeof warp->registers[IR_ZERO]);
    memset(warp->predicates, 0, sizeof warp->predicates);
    warp->predicates[IR_TRUE] = SHADE_ALL;
    warp->zero = warp->sign = warp->carry = warp->overflow = 0;
    warp->zeroed = 0;
}

void shade_warp_begin(struct shade_warp *warp, struct shade_program *program, struct shade_io *io, uint32_t lanes,
                      uint32_t helpers) {
    clear(warp);
    enter(&(struct shade_start){warp, program, io, lanes, helpers});
}

void shade_warp_go_on(struct shade_warp *warp, struct shade_program *program, struct shade_io *io, uint32_t lanes) {
    assert(!warp->alive && !warp->error && warp->predicates[IR_TRUE] == SHADE_ALL);
    enter(&(struct shade_start){warp, program, io, lanes, 0});
}

void shade_warp_zero(struct shade_warp *warp, unsigned registers) {
    if (registers > IR_ZERO)
        registers = IR_ZERO;
    if (warp->zeroed >= registers)
        return;
    assert(warp->zeroed < IR_ZERO);
    memset(warp->registers[warp->zeroed], 0, (registers - warp->zeroed) * sizeof warp->registers[0]);
    warp->zeroed = (uint16_t)registers;
}

/* The tests 0 .. 0xf are comparisons, as flags say them; unordered is Z and S (envytools gf100.c, tabcc). */
uint32_t shade_test(const struct shade_warp *warp, unsigned test) {
    uint32_t z = warp->zero, s = warp->sign, c = warp->carry, v = warp->overflow;
    switch (test) {
    case 0x0:
        return 0;
    case 0x1:
        return (s & ~z) ^ v;
    case 0x2:
        return z & ~s;
    case 0x3:
        return s ^ (z | v);
    case 0x4:
        return ~((s ^ v) | z);
    case 0x5:
        return ~z;
    case 0x6:
        return ~(s ^ v);
    case 0x7:
        return ~(s & z);
    case 0x8:
        return s & z;
    case 0x9:
        return s ^ v;
    case 0xa:
        return z;
    case 0xb:
        return (s ^ v) | z;
    case 0xc:
        return ~s ^ (v | z);
    case 0xd:
        return s | ~z;
    case 0xe:
        return (~s | z) ^ v;
    case 0xf:
        return SHADE_ALL;
    case 0x10:
        return ~v;
    case 0x11:
        return ~c;
    case 0x12:
        return ~s;
    case 0x13:
        return ~c | z;
    case 0x14:
        return c & ~z;
    case 0x15:
        return s;
    case 0x16:
        return c;
    case 0x17:
        return v;
    case 0x1e:
        return s | z;
    case 0x1f:
        return ~(s | z);
    default:
        return 0; /* UNKNOWN: the tests CSM and FCSM, which trap handlers have. Taken as false. */
    }
}

uint32_t shade_guarded(const struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    uint32_t predicate = warp->predicates[ir->guard & 7];
    lanes &= ir->guard_negate ? ~predicate : predicate;
    return ir->test == IR_TEST_TRUE ? lanes : lanes & shade_test(warp, ir->test);
}

/* Lanes that run together from `pc` on, until it comes to `limit`, where others are. */
struct group {
    uint32_t lanes;   /* whose program counters it has */
    uint32_t running; /* they, and those that IR_SAM has added */
    uint32_t pc, limit;
    bool limited;
    const struct shade_page *page; /* of the instruction before, or NULL */
};

static void group_of_all(const struct shade_warp *warp, struct group *group) {
    assert(warp->alive && !warp->parked);
    group->lanes = group->running = warp->alive;
    group->pc = warp->pc[__builtin_ctz(warp->alive)];
    group->limited = false;
    group->limit = UINT32_MAX;
}

static bool group_next(struct shade_warp *warp, struct group *group) {
    if (warp->together && warp->alive && !warp->waiting && !warp->all_depth) {
        group_of_all(warp, group);
        return true;
    }
    uint32_t ready = warp->alive & ~warp->waiting;
    if (warp->all_depth || !(ready & ~warp->parked)) /* those that they wait for are at a barrier */
        warp->parked = 0;
    ready &= ~warp->parked;
    if (warp->all_depth) {
        ready &= warp->all_mode[warp->all_depth - 1];
        if (!ready) { /* they have ended: the others go on */
            warp->all_depth--;
            return group_next(warp, group);
        }
    }
    if (!ready)
        return false;
    uint32_t lowest = UINT32_MAX, limit = UINT32_MAX;
    for (uint32_t rest = ready; rest; rest &= rest - 1) {
        uint32_t pc = warp->pc[__builtin_ctz(rest)];
        lowest = pc < lowest ? pc : lowest;
    }
    group->lanes = 0;
    for (uint32_t rest = ready; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t pc = warp->pc[lane];
        if (pc == lowest)
            group->lanes |= 1u << lane;
        else if (pc < limit)
            limit = pc;
    }
    group->limited = group->lanes != ready;
    group->limit = limit;
    group->pc = lowest;
    group->running = warp->all_depth ? shade_quads_of(group->lanes) & warp->alive : group->lanes;
    warp->together = group->lanes == warp->alive;
    return true;
}

/* Some of them may have ended, before the join of the same instruction failed. */
static void group_keep(struct shade_warp *warp, const struct group *group) {
    if (group->lanes == warp->alive) { /* where the others ended does not matter */
        for (unsigned lane = 0; lane < SHADE_LANES; lane++)
            warp->pc[lane] = group->pc;
        return;
    }
    for (uint32_t rest = group->lanes; rest; rest &= rest - 1)
        warp->pc[__builtin_ctz(rest)] = group->pc;
}

enum step { STEP_ON, STEP_REGROUP, STEP_ERROR, STEP_FAULT };

bool shade_fail(struct shade_warp *warp, enum shade_error error) {
    if (!warp->error)
        warp->error = (uint8_t)error;
    return false;
}

/* The warp ends at this address. */
static enum step failed(struct shade_warp *warp, uint32_t address) {
    warp->fault_address = address;
    return warp->error ? STEP_ERROR : STEP_FAULT;
}

/* A word that is no instruction. */
static enum step no_instruction(struct shade_warp *warp, const struct shade_code *code, uint32_t address) {
    if (code->word == SHADE_WORD_UNREADABLE)
        warp->unreadable = true;
    else
        shade_fail(warp, code->word == SHADE_WORD_ILLEGAL ? SHADE_ILLEGAL_ENCODING : SHADE_MISALIGNED_PC);
    return failed(warp, address);
}

/* All instructions are at multiples of 8 or of 4. */
static const struct shade_code *code_of(const struct shade_warp *warp, struct group *group) {
    const struct shade_page *page = group->page;
    if (page && page->number == group->pc >> SHADE_PAGE_BITS && !(group->pc & 7)) {
        const struct shade_code *code = page->slots[(group->pc >> 2) & (SHADE_PAGE_SLOTS - 1)];
        if (code)
            return code;
    }
    const struct shade_code *code = shade_program_code(warp->program, group->pc);
    group->page = shade_program_page(warp->program, group->pc);
    return code;
}

static enum step step(struct shade_warp *warp, struct group *group) {
    assert(!(group->lanes & ~warp->alive));
    const struct shade_code *code = code_of(warp, group);
    if (code->word >= SHADE_WORD_ILLEGAL)
        return no_instruction(warp, code, group->pc);
    if (code->named > warp->io->registers && warp->io->registers) {
        shade_fail(warp, SHADE_OOR_REGISTER);
        return failed(warp, group->pc);
    }
    uint32_t next = group->pc + code->bytes;
    if (code->word == SHADE_WORD_SCHEDULE) {
        group->pc = next;
    } else {
        warp->instructions++;
        if (code->rows > warp->zeroed)
            shade_warp_zero(warp, code->rows);
        const struct ir *ir = &code->ir;
        uint32_t lanes = code->guarded ? shade_guarded(warp, ir, group->running) : group->running;
        for (; code->more; code = code->more) { /* most instructions are one operation */
            if (lanes && !code->run(warp, ir, lanes))
                return failed(warp, group->pc);
            ir = &code->more->ir;
            lanes = code->more->guarded ? shade_guarded(warp, ir, group->running) : group->running;
        }
        if (!code->run) {
            group->pc = next;
            group_keep(warp, group);
            shade_flow(warp, ir, group->lanes, lanes & group->lanes);
            return warp->error ? failed(warp, ir->address) : STEP_REGROUP;
        }
        if (lanes && !code->run(warp, ir, lanes))
            return failed(warp, group->pc);
        group->pc = next;
        if (ir->join) {
            group_keep(warp, group);
            shade_sync(warp, lanes & group->lanes);
            return warp->error ? failed(warp, ir->address) : STEP_REGROUP;
        }
    }
    if (group->limited && group->pc >= group->limit) {
        group_keep(warp, group);
        return STEP_REGROUP;
    }
    return STEP_ON;
}

/*
 * As step(), of instructions that follow each other in a page and are nothing but an operation or words for the
 * scheduler. STEP_ON: the next one is not, or the budget is used up.
 */
static enum step run_straight(struct shade_warp *warp, struct group *group, uint64_t *left) {
    const struct shade_page *page = group->page;
    const uint32_t limit = group->limited ? group->limit : UINT32_MAX;
    const unsigned registers = warp->io->registers ? warp->io->registers : UINT32_MAX;
    uint32_t pc = group->pc;
    while (page && *left && pc >> SHADE_PAGE_BITS == page->number && !(pc & 7)) {
        const struct shade_code *code = page->slots[(pc >> 2) & (SHADE_PAGE_SLOTS - 1)];
        if (!code || !code->simple || code->named > registers)
            break;
        --*left;
        if (code->run) {
            uint32_t lanes = code->guarded ? shade_guarded(warp, &code->ir, group->running) : group->running;
            warp->instructions++;
            if (code->rows > warp->zeroed)
                shade_warp_zero(warp, code->rows);
            if (lanes && !code->run(warp, &code->ir, lanes)) {
                group->pc = pc;
                return failed(warp, pc);
            }
        }
        pc += code->bytes;
        if (pc >= limit) {
            group->pc = pc;
            group_keep(warp, group);
            return STEP_REGROUP;
        }
    }
    group->pc = pc;
    return STEP_ON;
}

const struct shade_code *shade_next(struct shade_warp *warp, uint32_t *pc, uint32_t *lanes, uint32_t *active) {
    struct group group = {.page = NULL};
    if (!(warp->alive & ~warp->waiting))
        warp->waiting = 0;
    if (!group_next(warp, &group))
        return NULL;
    const struct shade_code *code = code_of(warp, &group);
    *pc = group.pc;
    *lanes = group.running;
    *active = code->guarded ? shade_guarded(warp, &code->ir, group.running) : group.running;
    return code;
}

/* The run that begins here. NULL: none, or it may not be done as a whole. */
static const struct shade_straight *straight_of(const void *function, const struct shade_warp *warp,
                                                const struct group *group, uint64_t left) {
    const struct shade_straight *straight = function ? shade_straight_at(function, group->pc) : NULL;
    if (!straight || left < straight->steps || (group->limited && group->limit < straight->end))
        return NULL;
    return warp->io->registers && straight->named > warp->io->registers ? NULL : straight;
}

/* False: nothing has been done. */
static bool run_translated(struct shade_warp *warp, struct group *group, const void *function, uint64_t *left,
                           enum step *result) {
    const struct shade_straight *straight = straight_of(function, warp, group, *left);
    if (!straight)
        return false;
    if (straight->rows > warp->zeroed)
        shade_warp_zero(warp, straight->rows);
    uint32_t done = straight->run(warp, group->running);
    if (done == RUN_DECLINED)
        return false;
    if (done != RUN_ALL) {
        assert(done < straight->steps);
        group->pc = straight->codes[done]->ir.address;
        *left -= done + 1;
        *result = failed(warp, group->pc);
        return true;
    }
    group->pc = straight->end;
    *left -= straight->steps;
    *result = STEP_ON;
    if (group->limited && group->pc >= group->limit) {
        group_keep(warp, group);
        *result = STEP_REGROUP;
    } else if (straight->end_bytes && *left && group->running == warp->alive && group->lanes == warp->alive &&
               shade_exit_all(warp)) {
        --*left;
        warp->instructions++;
        group->pc += straight->end_bytes;
        for (unsigned lane = 0; lane < SHADE_LANES; lane++)
            warp->pc[lane] = group->pc;
        *result = STEP_REGROUP;
    }
    return true;
}

enum shade_stop shade_interpret(void *function, struct shade_warp *warp, uint64_t budget, uint64_t *used) {
    static const enum shade_stop stops[] = {[STEP_ERROR] = SHADE_ERROR, [STEP_FAULT] = SHADE_FAULT};
    uint64_t left = budget;
    if (!(warp->alive & ~warp->waiting))
        warp->waiting = 0;
    struct group group = {.page = NULL};
    enum shade_stop stop = SHADE_BUDGET;
    bool grouped = false;
    for (;;) {
        if (!grouped && !group_next(warp, &group)) {
            stop = warp->alive ? SHADE_BARRIER : SHADE_DONE;
            break;
        }
        enum step result;
        bool translated = run_translated(warp, &group, function, &left, &result);
        if (!translated)
            result = run_straight(warp, &group, &left);
        if (!left && result < STEP_ERROR && warp->alive) {
            if (result == STEP_ON)
                group_keep(warp, &group);
            break;
        }
        if (result == STEP_ON && !translated) {
            left--;
            result = step(warp, &group);
        }
        if (result >= STEP_ERROR) {
            group_keep(warp, &group);
            stop = stops[result];
            break;
        }
        grouped = result == STEP_ON;
    }
    if (stop == SHADE_DONE)
        shade_warp_zero(warp, warp->io->results);
    *used = budget - left;
    return stop;
}

/*
 * All lanes come to the EXIT after the run, with empty stacks: places of lanes are needed only if they do not, because an
 * instruction fails.
 */
bool shade_interpret_whole(void *function, const struct shade_start *start, uint64_t budget, enum shade_stop *stop,
                           uint64_t *used) {
    struct shade_warp *warp = start->warp;
    const struct shade_straight *straight = shade_straight_at(function, shade_program_entry(start->program));
    if (!straight || !straight->whole || budget <= straight->steps || !start->lanes ||
        (start->io->registers && straight->named > start->io->registers))
        return false;
    clear(warp);
    enter_once(warp, start);
    shade_warp_zero(warp, straight->rows);
    uint32_t done = straight->run(warp, start->lanes);
    if (done == RUN_DECLINED)
        return false;
    if (done != RUN_ALL) {
        enter_lanes(warp, straight->codes[done]->ir.address);
        *used = done + 1u;
        *stop = failed(warp, warp->pc[0]) == STEP_ERROR ? SHADE_ERROR : SHADE_FAULT;
        return true;
    }
    warp->alive = 0;
    warp->instructions++;
    shade_warp_zero(warp, start->io->results);
    *used = straight->steps + 1u;
    *stop = SHADE_DONE;
    return true;
}

const struct shade_executor shade_interpreter = {.name = "interpreter", .run = shade_interpret};
