/* SPDX-License-Identifier: MIT */
/*
 * stepi and reverse-stepi: to another instruction of the same warp. A launch is executed in slices, each a unit of
 * work, so the instruction may be in another unit. Then the machine goes there: the place is in its unit again.
 *
 *   forward   the copy runs on from this unit, watched, until the warp is there -----> the machine goes on to that unit
 *   back      the machine goes back by 1, 3, 7 ... units; was the warp in those up to this one, as the copy runs them?
 *
 * A watch gives a warp the same number in all units that it sees, and no other warp has it. But a place has the number
 * of a watch that begins with its unit: of the warps that this unit runs, in the order in which they come.
 */
#include "face/tool/console/shader/inside.h"

#include "chip/counted.h"

#include <pfifo/event.h>
#include <pfifo/gpu.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_WARP UINT64_MAX

/* The copy on its way through several units. */
struct way {
    struct console *console;
    uint64_t warp, executed; /* what is looked for */
    uint32_t channel;        /* of the warp */
    uint64_t *came;          /* the warps that the unit has run, in the order in which they came first */
    size_t count, room;
    uint64_t running; /* the one of the last instruction in this unit; NO_WARP: it is the first */
    bool no_memory;
    bool found;                     /* what is looked for, */
    struct pfifo_program_step step; /* which is this, with the number of its unit */
    bool met;                       /* the warp has executed something, */
    uint32_t block[3];              /* in this block of threads, */
    bool over;                      /* and has ended */
};

/* ---- the copy ---- */

/* Which of the warps of this unit it is. */
static size_t number_in_unit(struct way *way, uint64_t warp) {
    for (size_t i = 0; i < way->count; i++)
        if (way->came[i] == warp)
            return i;
    if (way->count == way->room) {
        size_t room = way->room ? 2 * way->room : 64;
        uint64_t *grown = realloc(way->came, room * sizeof *grown);
        if (!grown) {
            way->no_memory = true;
            return way->count;
        }
        way->came = grown;
        way->room = room;
    }
    way->came[way->count] = warp;
    return way->count++;
}

static void get_block(const struct pfifo_warp *warp, uint32_t block[3]) {
    struct pfifo_warp_thread thread;

    pfifo_warp_thread(warp, 0, &thread);
    memcpy(block, &thread.at[3], 3 * sizeof block[0]);
}

/* A channel runs one block of a launch after the other: with the next one, all warps of this one have ended. */
static bool is_next_block(const struct way *way, const struct pfifo_program_step *step, const struct pfifo_warp *warp) {
    uint32_t block[3];

    if (!way->met || step->stage != PFIFO_STAGE_COMPUTE || step->channel != way->channel)
        return false;
    get_block(warp, block);
    return memcmp(block, way->block, sizeof block) != 0;
}

static void look_for(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp) {
    struct way *way = opaque;

    if (step->warp != way->running) {
        way->running = step->warp;
        number_in_unit(way, step->warp);
        way->over = way->over || (step->warp != way->warp && is_next_block(way, step, warp));
    }
    if (step->warp != way->warp)
        return;
    if (!way->met)
        get_block(warp, way->block);
    way->met = true;
    if (way->found || step->executed != way->executed)
        return;
    way->found = true;
    way->step = *step;
    way->step.warp = number_in_unit(way, step->warp);
}

/* engine.launch, engine.launched: no warp of the launch before it goes on. */
static void launch_happened(void *opaque, const struct pfifo_event *event) {
    struct way *way = opaque;

    way->over = way->over || (way->met && event->channel == way->channel);
}

static bool begin(struct way *way, struct pfifo_error *error) {
    struct pfifo_gpu *copy = way->console->shader->copy;

    way->found = way->met = way->over = way->no_memory = false;
    if (!shader_load_copy(way->console, error) ||
        pfifo_gpu_observe(copy, "engine.launch,engine.launched", launch_happened, way, error) != PFIFO_OK)
        return false;
    pfifo_gpu_watch_programs(copy, look_for, way);
    return true;
}

static void end(struct way *way) {
    struct pfifo_gpu *copy = way->console->shader->copy;

    pfifo_gpu_watch_programs(copy, NULL, NULL);
    pfifo_gpu_unobserve(copy, launch_happened, way);
}

/* False: the copy has nothing more to do. */
static bool run_unit(struct way *way) {
    way->count = 0;
    way->running = NO_WARP;
    return pfifo_gpu_run(way->console->shader->copy, 1) == PFIFO_STOP_BUDGET;
}

/* So many units at most, until it is found. `*unit`: the last one that was done, from 0. */
static bool search(struct way *way, uint64_t most, uint64_t *unit, struct pfifo_error *error) {
    if (!begin(way, error))
        return false;
    *unit = 0;
    while (run_unit(way) && *unit + 1 < most && !way->found && !way->over && !console_has_enough(way->console))
        ++*unit;
    end(way);
    return !way->no_memory || refuse(error, "no memory");
}

/* ---- the machine ---- */

/* It has come to the unit of that place, or back to it. */
static bool stand(struct console *console, const struct shader_at *at, struct pfifo_error *error) {
    struct console_shader *shader = console->shader;
    struct way way = {.console = console, .warp = at->step.warp, .executed = at->step.executed};
    uint64_t unit;
    bool done;

    shader_leave(console);
    done = shader_make_copy(console, error) && search(&way, 1, &unit, error);
    free(way.came);
    if (done && (!way.found || way.step.pc != at->step.pc || way.step.channel != at->step.channel))
        done = refuse(error, "the machine did not do the same again: this is outside of the program");
    if (!done) {
        shader_leave(console);
        return false;
    }
    shader->at = *at;
    shader->inside = true;
    return true;
}

static bool go_to(struct console *console, uint64_t units, bool again, const struct shader_at *at,
                  struct pfifo_error *error) {
    return console->target->units_on(console, units, again, error) && stand(console, at, error);
}

/* ---- forward ---- */

static bool forward(struct console *console, struct way *way, struct pfifo_error *error) {
    struct shader_at at = console->shader->at;
    uint64_t unit;

    way->warp = at.step.warp;
    /* a warp of a draw ends in the unit in which it begins */
    if (!search(way, at.step.stage == PFIFO_STAGE_COMPUTE ? UINT64_MAX : 1, &unit, error))
        return false;
    if (!way->found && console_has_enough(console))
        return refuse(error, "interrupted");
    if (!way->found && !way->over && at.step.stage == PFIFO_STAGE_COMPUTE)
        return refuse(error, "the machine stops before that, and the warp with it; continue goes on");
    if (!way->found)
        return refuse(error, "the warp ends before that; continue goes on");
    at.step = way->step;
    if (unit)
        return go_to(console, unit, false, &at, error);
    console->shader->at = at;
    return true;
}

/* ---- back ---- */

/* The warp that has this number in the unit after `units` others: which one is it in a watch of them all? */
static bool recognize(struct way *way, uint64_t units, uint64_t number, struct pfifo_error *error) {
    bool more = true;

    if (!begin(way, error))
        return false;
    for (uint64_t i = 0; i <= units && more; i++)
        more = run_unit(way) || i == units;
    end(way);
    if (way->no_memory)
        return refuse(error, "no memory");
    if (!more || number >= way->count)
        return refuse(error, "the machine did not do the same again");
    way->warp = way->came[number];
    return true;
}

/* Look for the place in the next `units`, from where the machine is. In the unit after them the warp is `number`. */
static bool look_back(struct way *way, uint64_t units, uint64_t number, uint64_t *unit, struct pfifo_error *error) {
    shader_leave(way->console);
    if (!shader_make_copy(way->console, error))
        return false;
    way->warp = NO_WARP; /* until it is recognized */
    return recognize(way, units, number, error) && search(way, units, unit, error);
}

static bool back(struct console *console, struct way *way, struct pfifo_error *error) {
    const uint64_t most = console->target->units_before(console);
    struct shader_at at = console->shader->at;
    uint64_t moved = 0, unit = 0;

    for (uint64_t units = 1; !way->found && moved < most && !console_has_enough(console); units *= 2) {
        uint64_t now = units < most - moved ? units : most - moved;
        if (!console->target->units_back(console, now, error)) /* it may be anywhere */
            return false;
        moved += now;
        if (!look_back(way, moved, at.step.warp, &unit, error)) {
            go_to(console, moved, true, &at, NULL);
            return false;
        }
    }
    if (way->found) {
        at.step = way->step;
        return go_to(console, unit, true, &at, error);
    }
    if (moved && !go_to(console, moved, true, &at, error))
        return false;
    return refuse(error, console_has_enough(console)
                             ? "interrupted"
                             : "the warp executed that in an earlier unit, and there is no way back to it");
}

/* ---- both ---- */

static void take_step(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp) {
    (void)warp;
    *(struct pfifo_program_step *)opaque = *step;
}

bool shader_move(struct console *console, bool goes_back, uint64_t count, struct pfifo_error *error) {
    const struct pfifo_program_step *at = &console->shader->at.step;
    struct way way = {.console = console, .channel = at->channel};
    struct pfifo_program_step step;
    uint64_t now = at->executed;
    bool done;

    if (goes_back && count > now)
        return refuse(error, "the warp has executed %s before this one", counted(now, "instruction").text);
    if (!goes_back && count > UINT64_MAX - now)
        count = UINT64_MAX - now;
    way.executed = goes_back ? now - count : now + count;
    if (!shader_see_at(console, way.executed, take_step, &step, error))
        return false;
    if (console->shader->done) {
        console->shader->at.step = step;
        return true;
    }
    done = goes_back ? back(console, &way, error) : forward(console, &way, error);
    free(way.came);
    return done;
}
