/* SPDX-License-Identifier: MIT */
#include "engine/shade/watch.h"

#include <assert.h>
#include <string.h>

#include "engine/shade/executor.h"

/* Words for the scheduler are no instructions. */
static void tell_step(struct shade_watch *watch, struct shade_warp *warp) {
    const struct shade_identity *identity = warp->io->identity;
    struct pfifo_program_step step = {.stage = identity->stage,
                                      .channel = identity->channel,
                                      .program = identity->program,
                                      .code = identity->code,
                                      .entry = shade_program_entry(warp->program),
                                      .executed = warp->instructions};
    const struct shade_code *code = shade_next(warp, &step.pc, &step.lanes, &step.active);
    if (!code || code->word == SHADE_WORD_SCHEDULE)
        return;
    if (!warp->number)
        warp->number = ++watch->warps;
    step.warp = warp->number - 1;
    step.alive = warp->alive;
    step.killed = warp->killed;
    step.helpers = warp->helpers;
    step.waiting = warp->waiting;
    memcpy(step.predicate, warp->predicates, sizeof step.predicate);
    step.zero = warp->zero;
    step.sign = warp->sign;
    step.carry = warp->carry;
    step.overflow = warp->overflow;
    watch->step(watch->opaque, warp, &step);
}

enum shade_stop shade_run_watched(struct shade_warp *warp, uint64_t budget, uint64_t *used) {
    struct shade_watch *watch = warp->io->watch;
    enum shade_stop stop = SHADE_BUDGET;
    uint64_t one;
    assert(watch && warp->io->identity);
    for (*used = 0; stop == SHADE_BUDGET && *used < budget; *used += one) {
        tell_step(watch, warp);
        stop = shade_interpreter.run(NULL, warp, 1, &one);
    }
    return budget ? stop : shade_interpreter.run(NULL, warp, 0, &one);
}
