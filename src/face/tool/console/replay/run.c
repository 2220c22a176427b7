/* SPDX-License-Identifier: MIT */
/* Commands that go on. */
#include "face/tool/console/replay/debug.h"

#include "chip/counted.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/console/place.h"
#include "face/tool/console/shader/shader.h"
#include "face/tool/replay/place.h"
#include "face/tool/replay/recorded.h"

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

static bool launches_done(struct debug *debug, uint64_t launches) {
    return debug->counts.launches >= launches;
}

bool debug_run_begins(struct debug *debug, uint64_t runs) {
    return pfifo_replay_result(debug->replay)->runs >= runs && debug_at_place(debug);
}

static bool debug_run_submission_begins(struct debug *debug, uint64_t sequence) {
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
        const struct pfifo_replay_word *word = &result->fault[debug->fault_kinds].word;
        char fetched[80] = "";
        struct recorded_word recorded;
        recorded_words(debug->text, &word, 1, &recorded);
        if (recorded.differs)
            snprintf(fetched, sizeof fetched, ", by the word 0x%08" PRIx32 ", which the capture does not have there",
                     word->word);
        breaks_because(&debug->console.breaks, "Fault: %s %s, channel %" PRId32 ", address 0x%" PRIx64 "%s\n",
                       fault->unit, fault->error, (int32_t)fault->channel, fault->address, fetched);
        debug->console.breaks.stop = debug->faulted = true;
    }
}

bool debug_go_unit(struct debug *debug, struct pfifo_error *error) {
    uint64_t runs = pfifo_replay_result(debug->replay)->runs;
    bool done = debug_advance(debug, error);

    debug_breaks_check(debug, pfifo_replay_result(debug->replay)->runs != runs);
    check_faults(debug);
    debug->wants_inside = shader_found(&debug->console);
    debug->console.breaks.stop |= debug->wants_inside;
    return done;
}

/* Inside a program: to the next breakpoint in the same unit of work. False: there is none. */
static bool go_on_inside(struct debug *debug, bool *done, struct pfifo_error *error) {
    bool found = false;

    *done = shader_next(&debug->console, &found, error);
    return found || !*done;
}

static bool go(struct debug *debug, debug_goal *goal, uint64_t value, bool silently, struct pfifo_error *error) {
    bool done = true, inside = shader_inside(&debug->console);

    breaks_begin(&debug->console.breaks);
    debug->reached = debug->faulted = debug->wants_inside = false;
    if (inside && !silently && go_on_inside(debug, &done, error)) {
        breaks_end(&debug->console.breaks);
        return done;
    }
    if (!silently)
        shader_watch_begin(&debug->console, inside);
    interrupt_begin();
    while (done && !debug->ended && !debug->console.breaks.stop && !debug->reached && !interrupt_seen()) {
        done = silently ? debug_advance(debug, error) : debug_go_unit(debug, error);
        debug->reached = done && !debug->ended && goal(debug, value);
    }
    interrupt_end();
    shader_watch_end(&debug->console);
    if (done && debug->wants_inside)
        done = debug_enter_program(debug, error);
    breaks_end(&debug->console.breaks);
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

static void say_how_it_ended(struct debug *debug) {
    const struct pfifo_replay_result *result = pfifo_replay_result(debug->replay);
    static const char *const stops[] = {"idle", "more work than the budget", "waiting", "an interrupt that stays",
                                        "frozen"};
    const struct debug_counts *counts = &debug->counts;

    console_print(&debug->console, "The capture is at its end: %s, %s, %s",
                  counted(result->submissions, "submission").text, counted(counts->methods, "method").text,
                  counted(counts->draws, "draw").text);
    if (counts->launches)
        console_print(&debug->console, ", %s", counted(counts->launches, "launch").text);
    console_print(&debug->console, ", %s; %s\n", counted(result->faults, "fault").text,
                  result->stop_message[0] ? result->stop_message : stops[result->stop]);
}

/* For the commands stop and expect, and for --json. */
static void note_stop(struct debug *debug) {
    const struct breaks *breaks = &debug->console.breaks;

    snprintf(debug->stop_text, sizeof debug->stop_text, "%s", breaks->reason);
    memcpy(debug->hit, breaks->hit, sizeof debug->hit);
    debug->hits = breaks->hits;
    debug->stop = (uint32_t)(breaks->hits != 0) << RUN_STOP_BREAKPOINT | (uint32_t)debug->faulted << RUN_STOP_FAULT |
                  (uint32_t)debug->reached << RUN_STOP_GOAL | (uint32_t)interrupt_seen() << RUN_STOP_INTERRUPTED;
    if (debug->ended)
        debug->stop |= 1u << RUN_STOP_END | 1u << pfifo_replay_result(debug->replay)->stop;
    if (!debug->begun)
        debug->stop |= 1u << RUN_STOP_BEGIN;
    debug->stopped = true;
}

static void say_it(struct debug *debug) {
    console_print(&debug->console, "%s", debug->stop_text);
    if (debug->stop >> RUN_STOP_INTERRUPTED & 1)
        console_print(&debug->console, "Interrupted\n");
    if (debug->ended)
        say_how_it_ended(debug);
    else
        debug_print_place(debug);
}

void debug_say_stop(struct debug *debug) {
    note_stop(debug);
    breaks_begin(&debug->console.breaks);
    say_it(debug);
}

static bool go_and_say(struct debug *debug, debug_goal *goal, uint64_t value, struct pfifo_error *error) {
    if (!debug_go(debug, goal, value, error))
        return false;
    debug_say_stop(debug);
    return true;
}

/* ---- commands ---- */

bool debug_cmd_run(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    (void)count, (void)argument;
    if (pfifo_replay_result(debug->replay)->runs || debug->ended) {
        if (!debug_restart(debug, error))
            return false;
        debug_breaks_renew(debug);
    }
    return go_and_say(debug, never, 0, error);
}

/* N stops: those before the last are passed over. */
bool debug_cmd_continue(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    uint64_t times = 1;

    if (count > 1 && !console_number_of(&debug->console, argument[1], UINT64_MAX, &times, error))
        return false;
    if (!times)
        return console_usage(&debug->console, error);
    for (uint64_t i = 0; i < times; i++) {
        if (!debug_go(debug, never, 0, error))
            return false;
        if (debug->ended || interrupt_seen())
            break;
    }
    debug_say_stop(debug);
    return true;
}

static uint64_t debug_run_draws_of(const struct debug *debug) {
    return debug->counts.draws;
}

static uint64_t debug_run_launches_of(const struct debug *debug) {
    return debug->counts.launches;
}

static uint64_t debug_run_methods_of(const struct debug *debug) {
    return debug->counts.methods;
}

static uint64_t debug_run_packets_of(const struct debug *debug) {
    return debug->counts.packets;
}

static const struct goal_place {
    const char *name;
    debug_goal *goal;
    uint64_t (*count)(const struct debug *debug);
    const char *text;
    unsigned more; /* of the first, from 0, one has been done */
} places[] = {{"draw:", draws_done, debug_run_draws_of, "draw", 1},
              {"launch:", launches_done, debug_run_launches_of, "launch", 1},
              {"method:", debug_methods_done, debug_run_methods_of, "method", 1},
              {"packet:", debug_packets_done, debug_run_packets_of, "packet", 1},
              {"submission:", debug_run_submission_begins, NULL, "submission", 0},
              {"", debug_run_submission_begins, NULL, "submission", 0}};

/* "N", "draw:N", "launch:N", "method:N", "packet:N", as the place of other commands. */
bool debug_cmd_until(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    const struct goal_place *place = places;
    uint64_t number;

    (void)count;
    while (strncmp(place->name, argument[1], strlen(place->name)) != 0)
        place++;
    if (!console_number_of(&debug->console, argument[1] + strlen(place->name), UINT64_MAX, &number, NULL) ||
        number == UINT64_MAX)
        return refuse(error, "'%.60s' is not a place: N (a submission), draw:N, launch:N, method:N or packet:N",
                      argument[1]);
    if (place->goal(debug, number + place->more))
        return refuse(error, "%s %" PRIu64 " is already past; back goes back, run begins again", place->text, number);
    if (!debug_go(debug, place->goal, number + place->more, error))
        return false;
    debug->reached = debug->reached || (debug->ended && place->goal(debug, number + place->more));
    debug_say_stop(debug);
    if (place->goal == debug_run_submission_begins && debug->reached && debug->sequence != number)
        return refuse(error, "the capture has no submission %" PRIu64 "; this is the next one", number);
    if (!debug->ended || debug->reached || debug->hits || debug->faulted)
        return true;
    if (place->goal == debug_run_submission_begins)
        return refuse(error, "the capture ended before submission %" PRIu64 ": its last is %" PRIu32, number,
                      debug->sequence);
    if (place->count == debug_run_draws_of && !pfifo_chip_info(debug->chip).draws)
        return refuse(error, PLACE_NO_DRAWS, pfifo_chip_info(debug->chip).name);
    return refuse(error, "the capture ended before %s %" PRIu64 ": it has %s", place->text, number,
                  counted(place->count(debug), place->text).text);
}

bool debug_cmd_stop(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    (void)count, (void)argument;
    if (!debug->stop)
        return refuse(error, RUN_NOT_YET);
    say_it(debug);
    return true;
}

static bool debug_run_parse_number(const char *text, uint64_t *number, struct pfifo_error *error) {
    return console_number(text, UINT64_MAX, number, error);
}

bool debug_parse_units(unsigned count, char **argument, enum run_unit *unit, uint64_t *number,
                       struct pfifo_error *error) {
    return run_units_parse(count, argument, debug_run_parse_number, unit, number, error);
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
    case RUN_LAUNCH:
        return go_and_say(debug, launches_done, debug->counts.launches + number, error);
    default:
        return go_and_say(debug, debug_run_begins, pfifo_replay_result(debug->replay)->runs + number, error);
    }
}

static bool go_on_by(struct debug *debug, unsigned count, char **argument, enum run_unit unit,
                     struct pfifo_error *error) {
    uint64_t number = 1;

    return debug_parse_units(count, argument, &unit, &number, error) && go_units(debug, unit, number, error);
}

bool debug_cmd_next(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    return go_on_by(debug, count, argument, RUN_PACKET, error);
}

bool debug_cmd_step(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    return go_on_by(debug, count, argument, RUN_METHOD, error);
}

bool debug_cmd_finish(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    uint64_t runs = pfifo_replay_result(debug->replay)->runs;

    (void)count, (void)argument;
    return go_and_say(debug, run_ends, debug_running(debug) ? runs : runs + 1, error);
}
