/* SPDX-License-Identifier: MIT */
/*
 * Going back. The capture is replayed from the last mark before the place that was left between two submissions
 * (way.c), or from the beginning, in the same steps of one unit, so that the machine is the same to the byte; the
 * counts at which runs begin are known from the first time. In the run where the goal is, marks
 * are left on the way: where it began, and before the goal at half the way, at three quarters, and so on. As long as
 * the replay is in this run, going back begins at the last mark before the goal.
 *
 *   | run .............. mark .............. mark ....... mark ... goal          next time only from the last mark on
 */
#include "face/tool/command/interrupt.h"
#include "face/tool/console/place.h"
#include "face/tool/console/replay/debug.h"

#include <pfifo/replay.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool draw_reached(struct debug *debug, uint64_t draws) {
    return debug->counts.draws >= draws && (draws || debug_at_place(debug));
}

static bool launch_reached(struct debug *debug, uint64_t launches) {
    return debug->counts.launches >= launches && (launches || debug_at_place(debug));
}

/* What stops after it, not before the method that does it. */
static bool is_work(enum run_unit unit) {
    return unit == RUN_DRAW || unit == RUN_LAUNCH;
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

static uint64_t back_count_of(const struct debug_counts *counts, enum run_unit unit) {
    return unit == RUN_METHOD   ? counts->methods
           : unit == RUN_PACKET ? counts->packets
           : unit == RUN_DRAW   ? counts->draws
                                : counts->launches;
}

/* ---- marks ---- */

enum { MARKS = 6, MARK_WORK = 2, MARK_METHODS = 64 }; /* the least way between two */
#define MARK_BYTES ((size_t)32 << 20)

struct debug_marks {
    struct debug_place place[MARKS];
};

void debug_marks_free(struct debug *debug) {
    for (size_t i = 0; debug->marks && i < MARKS; i++)
        debug_place_forget(&debug->marks->place[i]);
    free(debug->marks);
    debug->marks = NULL;
}

/* The first is where the run begins; of the others the one that was left first gives way. */
static void leave_mark(struct debug *debug) {
    struct debug_marks *marks = debug->marks;
    size_t at = 0;

    if (!marks)
        marks = debug->marks = calloc(1, sizeof *marks);
    if (!marks)
        return;
    while (at < MARKS && marks->place[at].mark)
        at++;
    if (at == MARKS) {
        debug_place_forget(&marks->place[1]);
        memmove(&marks->place[1], &marks->place[2], (MARKS - 2) * sizeof marks->place[0]);
        at = MARKS - 1;
    }
    debug_place_keep(debug, &marks->place[at], MARK_BYTES);
}

/* The last of those in this run that count less than `value`; later ones are in the way of what comes. */
static bool return_to_mark(struct debug *debug, uint64_t (*count)(const struct debug_place *place), uint64_t value) {
    struct debug_marks *marks = debug->marks;
    size_t found = MARKS;

    for (size_t i = 0; marks && i < MARKS; i++)
        if (marks->place[i].mark && pfifo_replay_mark_leads_back(marks->place[i].mark, debug->replay) &&
            count(&marks->place[i]) < value)
            found = i;
    if (found == MARKS || !debug_place_return(debug, &marks->place[found]))
        return false;
    for (size_t i = found + 1; i < MARKS; i++)
        debug_place_forget(&marks->place[i]);
    return true;
}

static uint64_t back_steps_of(const struct debug_place *place) {
    return place->steps;
}

static uint64_t debug_back_methods_of(const struct debug_place *place) {
    return place->counts.methods;
}

static uint64_t debug_back_packets_of(const struct debug_place *place) {
    return place->counts.packets;
}

static uint64_t debug_back_draws_of(const struct debug_place *place) {
    return place->counts.draws;
}

static uint64_t debug_back_launches_of(const struct debug_place *place) {
    return place->counts.launches;
}

bool debug_marks_return(struct debug *debug, uint64_t steps) {
    return return_to_mark(debug, back_steps_of, steps);
}

/* That before a goal, which counts `value` of a unit. False: there is none. */
static bool return_before_goal(struct debug *debug, uint64_t run, enum run_unit unit, uint64_t value) {
    return pfifo_replay_result(debug->replay)->runs == run && unit != RUN_SUBMISSION &&
           return_to_mark(debug,
                          unit == RUN_METHOD   ? debug_back_methods_of
                          : unit == RUN_PACKET ? debug_back_packets_of
                          : unit == RUN_DRAW   ? debug_back_draws_of
                                               : debug_back_launches_of,
                          value);
}

/* ---- the way ---- */

/* To the beginning of a run: from a mark before it, or by a new replay. */
static bool begin_again(struct debug *debug, uint64_t run, struct pfifo_error *error) {
    uint64_t begin = debug->start && run <= debug->starts ? debug->start[run - 1].steps : 0;

    if ((!debug_way_return(debug, begin) && !debug_restart(debug, error)) || !go_to_run(debug, run, error))
        return false;
    if (!interrupt_seen())
        leave_mark(debug);
    return true;
}

static debug_goal *const goals[RUN_UNITS] = {debug_methods_done, debug_packets_done, draw_reached, launch_reached,
                                             debug_run_begins};

/* On to a goal that counts `value` of a unit, with marks on the way. */
static bool back_go_on(struct debug *debug, enum run_unit unit, uint64_t value, struct pfifo_error *error) {
    uint64_t least = is_work(unit) ? MARK_WORK : MARK_METHODS, now = back_count_of(&debug->counts, unit);
    bool done = true;

    while (done && unit != RUN_SUBMISSION && value >= now + least && debug_running(debug) && !interrupt_seen()) {
        uint64_t half = now + (value - now) / 2;
        done = debug_go_silently(debug, goals[unit], half, error);
        if (done && debug_running(debug) && !goals[unit](debug, value))
            leave_mark(debug);
        now = back_count_of(&debug->counts, unit);
    }
    return !done || interrupt_seen() || goals[unit](debug, value) ? done
                                                                  : debug_go_silently(debug, goals[unit], value, error);
}

/* Go to a run, and in it on to the goal. */
static bool go_to(struct debug *debug, uint64_t run, enum run_unit unit, uint64_t value, struct pfifo_error *error) {
    bool done;

    debug->going_back = debug->went_back = true;
    done = return_before_goal(debug, run, unit, value) || begin_again(debug, run, error);
    if (done && !interrupt_seen())
        done = back_go_on(debug, unit, value, error);
    debug->reached = done && goals[unit](debug, value);
    debug->faulted = false;
    debug->going_back = false;
    debug->fault_kinds = pfifo_replay_result(debug->replay)->fault_kinds;
    debug_breaks_renew(debug);
    return done;
}

/* The last run that begins with less than `value` of a count: it is reached there, if only at its end. */
static uint64_t back_run_with(const struct debug *debug, enum run_unit unit, uint64_t value) {
    uint64_t run = pfifo_replay_result(debug->replay)->runs;

    while (run > 1 && back_count_of(&debug->start[run - 1].counts, unit) >= value)
        run--;
    return run;
}

static bool back_counted(struct debug *debug, enum run_unit unit, uint64_t number, struct pfifo_error *error) {
    uint64_t now = back_count_of(&debug->counts, unit), here = debug->counts.methods, goal;
    /* Methods were executed since the last draw, so one step back is to the end of that draw, not to its beginning. */
    bool after = is_work(unit) && now && debug->methods_at[unit] != debug->counts.methods;

    if (number > now + after)
        return run_units_far(run_unit_name(unit), number, now + after, error);
    goal = now - (number - after);
    if (!go_to(debug, back_run_with(debug, unit, goal), unit, goal, error))
        return false;
    /* A method in a header of its own is done as it is fetched: nothing stops before it, so it is one more back. */
    while (debug->counts.methods >= here && debug->reached && !interrupt_seen()) {
        if (!goal--)
            return refuse(error, "cannot go back: there is no place to stop at before this one");
        if (!go_to(debug, back_run_with(debug, unit, goal), unit, goal, error))
            return false;
    }
    return true;
}

/* The beginning of this one counts, unless this is it. */
static bool back_submissions(struct debug *debug, uint64_t number, struct pfifo_error *error) {
    uint64_t run = pfifo_replay_result(debug->replay)->runs;
    const struct debug_start *start = run ? &debug->start[run - 1] : NULL;
    bool inside = start && debug->counts.methods > (start->placed ? start->methods : start->counts.methods);
    uint64_t most = run ? run - 1 + inside : 0;

    if (number > most)
        return run_units_far(run_unit_name(RUN_SUBMISSION), number, most, error);
    run -= number - inside;
    return go_to(debug, run, RUN_SUBMISSION, run, error);
}

bool debug_cmd_back(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    enum run_unit unit = strcmp(argument[0], "reverse-step") == 0 ? RUN_METHOD : RUN_PACKET;
    uint64_t number = 1;
    bool done;

    if (!debug_parse_units(count, argument, &unit, &number, error))
        return false;
    if (debug->failed)
        return refuse(error, "the capture is wrong here; run begins again");
    debug->replayed = 0;
    done = unit == RUN_SUBMISSION ? back_submissions(debug, number, error) : back_counted(debug, unit, number, error);
    if (done)
        debug_say_stop(debug);
    return done;
}
