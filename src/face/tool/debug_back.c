/* SPDX-License-Identifier: MIT */
/*
 * Going back: the capture is replayed from the beginning, in the same steps of one unit, so that the machine is the
 * same to the byte. The counts at which runs begin are known from the first time.
 */
#include "face/tool/debug.h"
#include "face/tool/interrupt.h"

#include <inttypes.h>
#include <string.h>

static bool draw_reached(struct debug *debug, uint64_t draws) {
    return debug->counts.draws >= draws && (draws || debug_at_place(debug));
}

/* Up to where a run begins, from 1. */
static bool go_to_run(struct debug *debug, uint64_t run, struct pfifo_error *error) {
    const struct pfifo_replay_result *result = pfifo_replay_result(debug->replay);
    bool done = true;

    interrupt_begin();
    while (done && !debug->ended && !interrupt_seen() && (result->runs < run || !result->running))
        done = debug_advance(debug, error);
    interrupt_end();
    if (!done || interrupt_seen())
        return done;
    if (debug->ended || debug->start[run - 1].time != result->time)
        return refuse(error, "the machine did not do the same again: this is another place");
    return true;
}

/* Go to the beginning of a run, and then on to the goal. */
static bool go_to(struct debug *debug, uint64_t run, debug_goal *goal, uint64_t value, struct pfifo_error *error) {
    bool done;

    if (!debug_restart(debug, error))
        return false;
    debug->going_back = true;
    done = go_to_run(debug, run, error);
    if (done && !interrupt_seen() && !goal(debug, value))
        done = debug_go_silently(debug, goal, value, error);
    debug->reached = done && goal(debug, value);
    debug->faulted = false;
    debug->going_back = false;
    debug->fault_kinds = pfifo_replay_result(debug->replay)->fault_kinds;
    debug_breaks_renew(debug);
    return done;
}

static uint64_t count_of(const struct debug_counts *counts, enum run_unit unit) {
    return unit == RUN_METHOD ? counts->methods : unit == RUN_PACKET ? counts->packets : counts->draws;
}

/* The last run that begins with less than `value` of a count: it is reached there, if only at its end. */
static uint64_t run_with(const struct debug *debug, enum run_unit unit, uint64_t value) {
    uint64_t run = pfifo_replay_result(debug->replay)->runs;

    while (run > 1 && count_of(&debug->start[run - 1].counts, unit) >= value)
        run--;
    return run;
}

static bool back_counted(struct debug *debug, enum run_unit unit, uint64_t number, struct pfifo_error *error) {
    static debug_goal *const goals[] = {debug_methods_done, debug_packets_done, draw_reached};
    uint64_t now = count_of(&debug->counts, unit), goal;
    /* Of the draw that was done some methods ago, the end is what is before this place. */
    bool after = unit == RUN_DRAW && now && debug->draw_methods != debug->counts.methods;

    if (number > now + after)
        return run_units_far(run_unit_name(unit), number, now + after, error);
    goal = now - (number - after);
    return go_to(debug, run_with(debug, unit, goal), goals[unit], goal, error);
}

/* The beginning of this one counts, unless this is it. */
static bool back_submissions(struct debug *debug, uint64_t number, struct pfifo_error *error) {
    uint64_t run = pfifo_replay_result(debug->replay)->runs;
    bool inside = run && debug->counts.methods != debug->start[run - 1].counts.methods;
    uint64_t most = run ? run - 1 + inside : 0;

    if (number > most)
        return run_units_far(run_unit_name(RUN_SUBMISSION), number, most, error);
    run -= number - inside;
    return go_to(debug, run, debug_run_begins, run, error);
}

bool debug_cmd_back(struct debug *debug, unsigned count, char **argument, const char *rest, struct pfifo_error *error) {
    enum run_unit unit = RUN_PACKET;
    uint64_t number = 1;
    bool done;

    (void)rest;
    if (!debug_parse_units(count, argument, &unit, &number, error))
        return false;
    if (debug->failed)
        return refuse(error, "the capture is wrong here; run begins again");
    done = unit == RUN_SUBMISSION ? back_submissions(debug, number, error) : back_counted(debug, unit, number, error);
    if (done)
        debug_say_stop(debug);
    return done;
}
