/* SPDX-License-Identifier: MIT */
/*
 * Back to where continue would have stopped. The capture is run again from the last mark before this place, with the
 * breakpoints, up to here; the last stop on the way is the one. If there is none, the same is done from the mark
 * before up to that one, and so on.
 *
 *   mark ..... stop ..... stop ..... mark ................ here
 *                          ^         |---- first: none ---|
 *   |---- then: this one --'---------|
 *
 * Stops are told by the steps that lead to them, which are the same each time.
 */
#include "face/tool/command/interrupt.h"
#include "face/tool/console/place.h"
#include "face/tool/console/replay/debug.h"
#include "face/tool/console/replay/target.h"
#include "face/tool/console/shader/shader.h"

#include <inttypes.h>
#include <stdlib.h>

/* The steps of the stops of a part of the way. */
struct stops {
    uint64_t *steps;
    size_t count, room;
};

static bool add_stop(struct stops *stops, uint64_t steps) {
    if (stops->count == stops->room) {
        size_t room = stops->room ? 2 * stops->room : 64;
        uint64_t *grown = realloc(stops->steps, room * sizeof *grown);
        if (!grown)
            return false;
        stops->steps = grown;
        stops->room = room;
    }
    stops->steps[stops->count++] = steps;
    return true;
}

/* To the last place with a mark before those steps, or to the beginning. */
static bool return_before(struct debug *debug, uint64_t steps, struct pfifo_error *error) {
    return debug_marks_return(debug, steps) || debug_way_return(debug, steps) || debug_restart(debug, error);
}

/* Up to before those steps, as continue does it, but without stopping. What was hit was not. */
static bool find_stops(struct debug *debug, uint64_t end, struct stops *stops, struct pfifo_error *error) {
    bool done = true;

    stops->count = 0;
    debug->listening = true;
    debug_breaks_renew(debug);
    shader_watch_begin(&debug->console, false);
    while (done && !debug->ended && !interrupt_seen() && debug->steps + 1 < end) {
        breaks_begin(&debug->console.breaks);
        done = debug_go_unit(debug, error);
        if (done && debug->console.breaks.stop && !add_stop(stops, debug->steps))
            done = refuse(error, "no memory");
        breaks_take_back(&debug->console.breaks);
    }
    shader_watch_end(&debug->console);
    debug->listening = false;
    return done;
}

/* The `number`th stop before those steps; 0: there are fewer. It does not stay where it was. */
static bool find_stop(struct debug *debug, uint64_t steps, uint64_t number, uint64_t *stop, struct pfifo_error *error) {
    struct stops stops = {0};
    uint64_t end = steps;
    bool done = true;

    *stop = 0;
    while (done && steps && !interrupt_seen()) {
        done = return_before(debug, steps, error);
        steps = debug->steps;
        done = done && find_stops(debug, end, &stops, error);
        if (done && number && stops.count >= number) {
            *stop = stops.steps[stops.count - number];
            break;
        }
        number -= stops.count;
        end = steps + 1;
    }
    free(stops.steps);
    return done;
}

/* To the place after so many steps, back or on, without stopping on the way. */
static bool go_silently(struct debug *debug, bool back, uint64_t steps, struct pfifo_error *error) {
    bool going_back = debug->going_back, done = true;

    debug->going_back = true;
    if (back)
        done = return_before(debug, steps + 1, error);
    while (done && !debug->ended && debug->steps < steps)
        done = debug_advance(debug, error);
    debug->going_back = going_back;
    debug->fault_kinds = pfifo_replay_result(debug->replay)->fault_kinds;
    debug->reached = debug->faulted = false;
    breaks_take_back(&debug->console.breaks);
    debug_breaks_renew(debug);
    return done;
}

/* Where it is, its machine is what it was. */
bool debug_enter_program(struct debug *debug, struct pfifo_error *error) {
    return go_silently(debug, true, debug->steps - 1, error) && shader_enter(&debug->console, error);
}

/* Of this run: what begins one is not a unit of the machine alone. */
uint64_t debug_units_before(const struct console *console) {
    const struct debug *debug = console->debug;
    uint64_t runs = pfifo_replay_result(debug->replay)->runs;

    return runs && runs <= debug->starts ? debug->steps - debug->start[runs - 1].steps : 0;
}

bool debug_units_back(struct console *console, uint64_t units, struct pfifo_error *error) {
    return go_silently(console->debug, true, console->debug->steps - units, error);
}

bool debug_units_on(struct console *console, uint64_t units, bool again, struct pfifo_error *error) {
    (void)again;
    return go_silently(console->debug, false, console->debug->steps + units, error);
}

/* To a stop, and into it. */
static bool go_to_stop(struct debug *debug, uint64_t stop, struct pfifo_error *error) {
    bool done = return_before(debug, stop, error);

    while (done && !debug->ended && !interrupt_seen() && debug->steps + 1 < stop)
        done = debug_advance(debug, error);
    if (!done || interrupt_seen())
        return done;
    debug->listening = true;
    debug_breaks_renew(debug);
    breaks_begin(&debug->console.breaks);
    shader_watch_begin(&debug->console, false);
    done = debug_go_unit(debug, error);
    shader_watch_end(&debug->console);
    debug->listening = false;
    if (done && debug->wants_inside)
        return debug_enter_program(debug, error);
    if (done && !debug->console.breaks.stop)
        return refuse(error, "the machine did not do the same again: this is another place");
    return done;
}

static bool go_back(struct debug *debug, uint64_t number, struct pfifo_error *error) {
    uint64_t stop;

    if (!find_stop(debug, debug->steps, number, &stop, error))
        return false;
    breaks_begin(&debug->console.breaks);
    debug->reached = debug->faulted = false;
    if (interrupt_seen())
        return true;
    if (stop)
        return go_to_stop(debug, stop, error);
    if (!debug_restart(debug, error))
        return false;
    debug_breaks_renew(debug);
    breaks_because(&debug->console.breaks, "There is no stop before: this is the beginning of the capture.\n");
    return true;
}

bool debug_cmd_reverse_continue(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    uint64_t number = 1;
    bool done;

    if (count > 1 && !console_number_of(&debug->console, argument[1], UINT64_MAX, &number, error))
        return false;
    if (!number)
        return console_usage(&debug->console, error);
    if (debug->failed)
        return refuse(error, "the capture is wrong here; run begins again");
    if (!debug->steps)
        return refuse(error, RUN_NOT_YET);
    debug->replayed = 0;
    debug->going_back = debug->went_back = true;
    interrupt_begin();
    done = go_back(debug, number, error);
    interrupt_end();
    debug->going_back = false;
    breaks_end(&debug->console.breaks);
    if (done)
        debug_say_stop(debug);
    return done;
}
