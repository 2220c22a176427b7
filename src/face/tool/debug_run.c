/* SPDX-License-Identifier: MIT */
/* Commands that go on. */
#include "face/tool/debug.h"
#include "face/tool/interrupt.h"

#include <inttypes.h>
#include <string.h>

/* ---- goals ---- */

bool debug_at_place(const struct debug *debug) {
    return debug->progress.next.has_method || !debug_running(debug);
}

bool debug_at_packet(const struct debug *debug) {
    return !debug_running(debug) || (debug->progress.next.has_method && debug->progress.index == 0);
}

static bool never(struct debug *debug, uint64_t goal) {
    (void)debug, (void)goal;
    return false;
}

bool debug_methods_done(struct debug *debug, uint64_t methods) {
    return debug->counts.methods >= methods && debug_at_place(debug);
}

bool debug_packets_done(struct debug *debug, uint64_t packets) {
    return debug->counts.packets >= packets && debug_at_packet(debug);
}

static bool draws_done(struct debug *debug, uint64_t draws) {
    return debug->counts.draws >= draws;
}

bool debug_run_begins(struct debug *debug, uint64_t runs) {
    return pfifo_replay_result(debug->replay)->runs >= runs && debug_at_place(debug);
}

static bool submission_begins(struct debug *debug, uint64_t sequence) {
    return debug->begun && debug->sequence >= sequence && pfifo_replay_result(debug->replay)->runs &&
           debug_at_place(debug);
}

static bool run_ends(struct debug *debug, uint64_t runs) {
    return pfifo_replay_result(debug->replay)->runs >= runs && !debug_running(debug);
}

/* ---- going on ---- */

static void check_faults(struct debug *debug) {
    const struct pfifo_replay_result *result = pfifo_replay_result(debug->replay);

    for (; debug->fault_kinds < result->fault_kinds; debug->fault_kinds++) {
        const struct pfifo_device_fault *fault = &result->fault[debug->fault_kinds].first;
        breaks_because(&debug->breaks, "Fault: %s %s, channel %" PRId32 ", address 0x%" PRIx64 "\n", fault->unit,
                       fault->error, (int32_t)fault->channel, fault->address);
        debug->breaks.stop = true;
    }
}

/* A unit, and what it led to. */
static bool advance(struct debug *debug, bool silently, struct pfifo_error *error) {
    uint64_t runs = pfifo_replay_result(debug->replay)->runs;
    bool done = debug_advance(debug, error);

    if (silently)
        return done;
    debug_breaks_check(debug, pfifo_replay_result(debug->replay)->runs != runs);
    check_faults(debug);
    return done;
}

static bool go(struct debug *debug, debug_goal *goal, uint64_t value, bool silently, struct pfifo_error *error) {
    bool done = true;

    breaks_begin(&debug->breaks);
    interrupt_begin();
    while (done && !debug->ended && !debug->breaks.stop && !interrupt_seen()) {
        done = advance(debug, silently, error);
        if (done && !debug->ended && goal(debug, value))
            break;
    }
    interrupt_end();
    breaks_end(&debug->breaks);
    return done;
}

bool debug_go_silently(struct debug *debug, debug_goal *goal, uint64_t value, struct pfifo_error *error) {
    return go(debug, goal, value, true, error);
}

bool debug_go(struct debug *debug, debug_goal *goal, uint64_t value, struct pfifo_error *error) {
    if (debug->ended)
        return refuse(error, "the capture is at its end; run begins again, back goes back");
    return go(debug, goal, value, false, error);
}

static void say_how_it_ended(const struct debug *debug) {
    const struct pfifo_replay_result *result = pfifo_replay_result(debug->replay);
    static const char *const stops[] = {"idle", "more work than the budget", "waiting", "an interrupt that stays",
                                        "frozen"};

    printf("The capture is at its end: %" PRIu64 " submissions, %" PRIu64 " methods, %" PRIu64 " draws, %" PRIu64
           " faults; %s\n",
           result->submissions, debug->counts.methods, debug->counts.draws, result->faults,
           result->stop_message[0] ? result->stop_message : stops[result->stop]);
}

void debug_say_stop(struct debug *debug) {
    fputs(debug->breaks.reason, stdout);
    breaks_begin(&debug->breaks);
    if (interrupt_seen())
        puts("Interrupted");
    if (debug->ended)
        say_how_it_ended(debug);
    else
        debug_print_place(debug);
}

static bool go_and_say(struct debug *debug, debug_goal *goal, uint64_t value, struct pfifo_error *error) {
    if (!debug_go(debug, goal, value, error))
        return false;
    debug_say_stop(debug);
    return true;
}

/* ---- commands ---- */

bool debug_cmd_run(struct debug *debug, unsigned count, char **argument, const char *rest, struct pfifo_error *error) {
    (void)count, (void)argument, (void)rest;
    if (pfifo_replay_result(debug->replay)->runs || debug->ended) {
        if (!debug_restart(debug, error))
            return false;
        debug_breaks_renew(debug);
    }
    return go_and_say(debug, never, 0, error);
}

/* N stops: those before the last are passed over. */
bool debug_cmd_continue(struct debug *debug, unsigned count, char **argument, const char *rest,
                        struct pfifo_error *error) {
    uint64_t times = 1;

    (void)rest;
    if (count > 1 && !debug_number(debug, argument[1], &times, error))
        return false;
    for (uint64_t i = 0; i < times; i++) {
        if (!debug_go(debug, never, 0, error))
            return false;
        if (debug->ended || interrupt_seen())
            break;
    }
    debug_say_stop(debug);
    return true;
}

/* "N", "draw:N", "method:N", "packet:N", as the place of other commands. */
bool debug_cmd_until(struct debug *debug, unsigned count, char **argument, const char *rest,
                     struct pfifo_error *error) {
    static const struct {
        const char *name;
        debug_goal *goal;
        const char *text;
        unsigned more; /* of the first, from 0, one has been done */
    } places[] = {{"draw:", draws_done, "draw", 1},
                  {"method:", debug_methods_done, "method", 1},
                  {"packet:", debug_packets_done, "packet", 1},
                  {"submission:", submission_begins, "submission", 0},
                  {"", submission_begins, "submission", 0}};
    size_t i = 0;
    uint64_t number;

    (void)count, (void)rest;
    while (strncmp(places[i].name, argument[1], strlen(places[i].name)) != 0)
        i++;
    if (!debug_number(debug, argument[1] + strlen(places[i].name), &number, error))
        return false;
    if (places[i].goal(debug, number + places[i].more))
        return refuse(error, "%s %" PRIu64 " is behind this place already; back goes back, run begins again",
                      places[i].text, number);
    return go_and_say(debug, places[i].goal, number + places[i].more, error);
}

static bool parse_number(const char *text, uint64_t *number, struct pfifo_error *error) {
    return debug_number(NULL, text, number, error);
}

bool debug_parse_units(unsigned count, char **argument, enum run_unit *unit, uint64_t *number,
                       struct pfifo_error *error) {
    return run_units_parse(count, argument, RUN_UNITS, parse_number, unit, number, error);
}

static bool go_units(struct debug *debug, enum run_unit unit, uint64_t number, struct pfifo_error *error) {
    bool inside = debug->progress.next.has_method && debug->progress.index;

    switch (unit) {
    case RUN_METHOD:
        return go_and_say(debug, debug_methods_done, debug->counts.methods + number, error);
    case RUN_PACKET: /* the one that was begun is counted already */
        return go_and_say(debug, debug_packets_done, debug->counts.packets + number - inside, error);
    case RUN_DRAW:
        return go_and_say(debug, draws_done, debug->counts.draws + number, error);
    default:
        return go_and_say(debug, debug_run_begins, pfifo_replay_result(debug->replay)->runs + number, error);
    }
}

static bool go_on_by(struct debug *debug, unsigned count, char **argument, enum run_unit unit,
                     struct pfifo_error *error) {
    uint64_t number = 1;

    return debug_parse_units(count, argument, &unit, &number, error) && go_units(debug, unit, number, error);
}

bool debug_cmd_next(struct debug *debug, unsigned count, char **argument, const char *rest, struct pfifo_error *error) {
    (void)rest;
    return go_on_by(debug, count, argument, RUN_PACKET, error);
}

bool debug_cmd_step(struct debug *debug, unsigned count, char **argument, const char *rest, struct pfifo_error *error) {
    (void)rest;
    return go_on_by(debug, count, argument, RUN_METHOD, error);
}

bool debug_cmd_finish(struct debug *debug, unsigned count, char **argument, const char *rest,
                      struct pfifo_error *error) {
    uint64_t runs = pfifo_replay_result(debug->replay)->runs;

    (void)count, (void)argument, (void)rest;
    return go_and_say(debug, run_ends, debug_running(debug) ? runs : runs + 1, error);
}
