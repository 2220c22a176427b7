/* SPDX-License-Identifier: MIT */
/*
 * The way back. Before the first run since the machine was changed, it is saved; the runs after that are remembered.
 * Going back loads it, and does the runs again, up to so many units fewer. The same runs give the same machine.
 *
 *   w32 ...   | saved | step 3   run 100   step | back 2: loaded, 3 steps, a run of 99
 *
 * What the CPU does in between is not done again: then that is the new beginning.
 */
#include "face/tool/console/machine/back.h"
#include "chip/counted.h"
#include "face/tool/console/channels/binds.h"
#include "face/tool/console/commands.h"
#include "face/tool/console/place.h"
#include "face/tool/console/run_units.h"
#include "face/tool/console/shader/shader.h"

#include <pfifo/state.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RUNS = 1024 };

/* All units before a run are done again to stop in it, so there should not be too many. */
#define MAX_UNITS (UINT64_C(1) << 16)
/* A larger machine is saved only if it has to be: it takes time, before each run. */
#define MAX_BYTES ((size_t)64 << 20)

/* The same run, so many times, and their units. */
struct again {
    uint64_t budget, times, used;
};

struct console_back {
    struct state_bytes state; /* none: it is not saved, and `why` */
    struct state_bytes binds; /* what was bound then */
    size_t most;              /* bytes that it may have */
    struct again run[MAX_RUNS];
    size_t runs;
    uint64_t used;       /* all units */
    bool changed;        /* the machine, since the last run */
    const char *changer; /* name of the command that did, the first that did before the state; NULL: none */
    const char *why;     /* it is not saved */
    bool too_large;      /* it was once; not tried again */
};

/* ---- saving ---- */

static const char too_large[] = "the machine is too large to be saved before each run";

static bool model_back_keep(void *opaque, const void *data, size_t bytes) {
    struct console_back *back = opaque;

    return bytes <= back->most - back->state.used && state_bytes_write(&back->state, data, bytes);
}

static void back_forget(struct console_back *back, const char *why) {
    state_bytes_free(&back->state);
    state_bytes_free(&back->binds);
    back->runs = 0;
    back->used = 0;
    back->why = why;
}

static bool model_back_take(struct console *console, bool needed, struct pfifo_error *error) {
    struct console_back *back = console->back;
    struct pfifo_error reason = {0};

    back_forget(back, NULL);
    back->changed = false;
    if (console->config.gpu.system_map || console->config.gpu.clock) {
        back->why = "memory or clock are somebody else's, and not saved";
        return !needed || refuse(error, "cannot stop before something: %s", back->why);
    }
    if (back->too_large && !needed) {
        back->why = too_large;
        return true;
    }
    back->most = needed ? SIZE_MAX : MAX_BYTES;
    if (pfifo_gpu_save(console->gpu, model_back_keep, back, &reason) == PFIFO_OK &&
        console_binds_save(console, &back->binds))
        return true;
    back->too_large = reason.status == PFIFO_ERROR_IO;
    back_forget(back, back->too_large ? too_large : "the machine cannot be saved");
    return !needed || refuse(error, "cannot save the machine, to stop before something: %.120s", reason.message);
}

bool console_back_begin(struct console *console, bool needed, struct pfifo_error *error) {
    struct console_back *back = console->back;

    if (!back)
        back = console->back = calloc(1, sizeof *back);
    if (!back)
        return !needed || refuse(error, "no memory to save the machine");
    if (back->state.used && !back->changed && back->runs < MAX_RUNS - 1 && back->used < MAX_UNITS)
        return true;
    if (!back->changed && back->state.used)
        back->changer = NULL;
    return model_back_take(console, needed, error);
}

void console_back_ran(struct console *console, uint64_t budget, uint64_t used) {
    struct console_back *back = console->back;
    struct again *last;

    if (!back || !back->state.used)
        return;
    if (back->runs == MAX_RUNS) {
        back_forget(back, "there were too many runs");
        return;
    }
    last = back->runs ? &back->run[back->runs - 1] : NULL;
    /* One that did nothing may have let time pass, and has its own place. */
    if (last && budget == 1 && used == 1 && last->budget == 1 && last->used == last->times) {
        last->times++;
        last->used++;
    } else {
        back->run[back->runs++] = (struct again){.budget = budget, .times = 1, .used = used};
    }
    back->used += used;
}

void console_back_changed(struct console *console) {
    shader_leave(console);
    if (!console->back || console->back->changed)
        return;
    console->back->changed = true;
    console->back->changer = console->doing;
}

void console_back_loaded(struct console *console) {
    console_back_changed(console);
    if (console->back)
        console->back->too_large = false;
}

void console_back_free(struct console *console) {
    if (console->back)
        back_forget(console->back, NULL);
    free(console->back);
    console->back = NULL;
}

/* ---- going back ---- */

/* As often as before, or up to so many units. */
static void do_again(struct console *console, struct again *run, uint64_t units) {
    uint64_t times = run->times;

    if (units >= run->used)
        units = UINT64_MAX;
    else if (units < run->budget)
        run->budget = units;
    run->times = run->used = 0;
    while (run->times < times && run->used < units) {
        pfifo_gpu_run(console->gpu, run->budget);
        run->used += pfifo_gpu_stop_info(console->gpu)->used;
        run->times++;
    }
}

/* Those that end with so many units, too, if they did none themselves; but none after one that is cut short. */
static void do_all_again(struct console *console, uint64_t units) {
    struct console_back *back = console->back;
    size_t runs = back->runs;

    back->runs = 0;
    back->used = 0;
    while (back->runs < runs && (back->used < units || !back->run[back->runs].used)) {
        struct again *run = &back->run[back->runs++];
        uint64_t used = run->used;
        do_again(console, run, units - back->used);
        back->used += run->used;
        if (run->used < used)
            break;
    }
}

bool console_back_units(struct console *console, uint64_t units, struct pfifo_error *error) {
    struct console_back *back = console->back;
    struct pfifo_error reason = {0};
    uint64_t left = back->used - units;

    if (!back->state.used)
        return refuse(error, "there is no way back: %s", back->why);
    shader_leave(console);
    /* What happens again has been told already. */
    pfifo_trace_free(console->trace);
    console->trace = NULL;
    if (pfifo_gpu_load(console->gpu, back->state.data, back->state.used, &reason) != PFIFO_OK) {
        back_forget(back, "the machine could not be loaded");
        console_binds_forget(console);
        console->ran = false;
        console_trace(console, NULL);
        return refuse(error, "cannot go back, and the GPU is in the state after reset: %.120s", reason.message);
    }
    console_binds_load(console, &back->binds);
    do_all_again(console, left);
    return console_trace(console, error);
}

/* How many of the last runs, at most `most`, were of one unit each. `*used`: the units that they did. */
static uint64_t singles(const struct console_back *back, uint64_t most, uint64_t *used) {
    uint64_t count = 0;

    *used = 0;
    for (size_t i = back ? back->runs : 0; i-- && back->run[i].budget == 1 && count < most;) {
        const struct again *run = &back->run[i];
        uint64_t times = run->times < most - count ? run->times : most - count;
        count += times;
        *used += run->used / run->times * times;
    }
    return count;
}

uint64_t console_back_singles(const struct console *console) {
    const struct console_back *back = console->back;
    uint64_t used;

    return back && back->state.used && !back->changed ? singles(back, UINT64_MAX, &used) : 0;
}

bool console_back_by_singles(struct console *console, uint64_t runs, struct pfifo_error *error) {
    uint64_t used;

    if (singles(console->back, runs, &used) < runs)
        return run_units_far("unit", runs, console_back_singles(console), error);
    console->before = false;
    return console_back_units(console, used, error);
}

static bool may_go(const struct console_back *back, uint64_t units, struct pfifo_error *error) {
    if (!back || (!back->state.used && !back->why))
        return refuse(error, RUN_NOT_YET);
    if (back->changed)
        return refuse(error, "%s has changed the machine since the last run: there is no way back past that",
                      back->changer ? back->changer : "the CPU");
    if (!back->state.used)
        return refuse(error, "there is no way back: %s", back->why);
    if (units <= back->used)
        return true;
    if (back->changer)
        return refuse(error,
                      "cannot go back %s: only %" PRIu64 " ran since %s changed the machine, and there is "
                      "no way back past that",
                      counted(units, "unit").text, back->used, back->changer);
    return run_units_far("unit", units, back->used, error);
}

bool console_cmd_back(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    uint64_t units = 1;

    if (count > 1 && !console_number(argument[1], UINT64_MAX, &units, error))
        return false;
    if (!units)
        return console_usage(console, error);
    if (!may_go(console->back, units, error) || !console_back_units(console, units, error))
        return false;
    console->before = false;
    console->used = pfifo_gpu_stop_info(console->gpu)->used;
    console->stop = pfifo_gpu_stop_info(console->gpu)->reason;
    console_print(console, "went back %s; %" PRIu64 " more %s before this place\n", counted(units, "unit").text,
                  console->back->used, console->back->used == 1 ? "is" : "are");
    return true;
}
