/* SPDX-License-Identifier: MIT */
/* Commands that run the machine, and show what it does. */
#include "face/tool/console/commands.h"
#include "chip/counted.h"
#include "face/tool/console/machine/back.h"
#include "face/tool/console/machine/go.h"
#include "face/tool/console/place.h"
#include "face/tool/console/run_units.h"
#include "face/tool/console/shader/shader.h"
#include "hw/pmc.h"

#include <pfifo/push.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 4096

static const char *const stop_texts[] = {
    [PFIFO_STOP_IDLE] = "nothing is left to do",
    [PFIFO_STOP_BUDGET] = "there is more to do",
    [PFIFO_STOP_WAITING] = "all that is left to do waits",
    [PFIFO_STOP_INTERRUPT] = "an error or a software method waits for the driver",
    [PFIFO_STOP_FROZEN] = "a pusher, puller or engine is switched off",
};

/* The register that stops all of PFIFO. Reading it while PFIFO is off would be an error. */
static bool is_frozen(struct console *console) {
    static const char *const names[] = {"PFIFO.FREEZE", "PFIFO.FREEZE_1"};
    uint32_t offset;

    if (!(console_rd32(console, NV_PMC_ENABLE) & PMC_ENABLE_PFIFO))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (pfifo_registers_find(console->registers, names[i], &offset, NULL) == PFIFO_OK &&
            console_rd32(console, offset) & 1)
            return true;
    return false;
}

/* While PFIFO is frozen, channels that are not loaded do not count as work. */
static const char *console_run_stop_text(enum pfifo_stop reason, bool frozen) {
    return !frozen                     ? stop_texts[reason]
           : reason == PFIFO_STOP_IDLE ? "nothing is left to do; FREEZE is set"
                                       : "FREEZE is set";
}

void console_print_stop(struct console *console, uint64_t used) {
    const struct pfifo_stop_info *stop = pfifo_gpu_stop_info(console->gpu);
    bool frozen = (stop->reason == PFIFO_STOP_FROZEN || stop->reason == PFIFO_STOP_IDLE) && is_frozen(console);

    console_print(console, "stopped after %s: %s, %s\n", counted(used, "unit").text, run_stop_name(stop->reason),
                  console_run_stop_text(stop->reason, frozen));
    if (stop->reason == PFIFO_STOP_WAITING && stop->in_memory)
        console_print(console,
                      "channel %" PRIu32 " waits for 0x%" PRIx32 " at 0x%" PRIx64 ", and finds 0x%" PRIx32
                      "; it is one of them: channels shows all\n",
                      stop->channel, stop->expected, stop->address, stop->found);
    else if (stop->reason == PFIFO_STOP_WAITING && stop->is_syncpoint)
        console_print(console,
                      "channel %" PRIu32 " waits for syncpoint %" PRIu64 " to reach %" PRIu32 ", and finds %" PRIu32
                      "; it is one of them: channels shows all\n",
                      stop->channel, stop->address, stop->expected, stop->found);
    else if (stop->reason == PFIFO_STOP_WAITING && stop->channel != UINT32_MAX)
        console_print(console, "channel %" PRIu32 " waits for an engine to take its method\n", stop->channel);
}

bool console_cmd_stop(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument;
    if (!console->ran)
        return refuse(error, RUN_NOT_YET);
    if (console->stop == RUN_STOP_BREAKPOINT && console->breaks.reason[0])
        console_print(console, "%s", console->breaks.reason);
    if (shader_inside(console))
        shader_print_place(console);
    console_print_end(console,
                      console->stop == RUN_STOP_BREAKPOINT    ? CONSOLE_END_BREAK
                      : console->stop == RUN_STOP_GOAL        ? CONSOLE_END_REACHED
                      : console->stop == RUN_STOP_INTERRUPTED ? CONSOLE_END_ENOUGH
                                                              : CONSOLE_END_RUN,
                      console->used);
    return true;
}

void console_print_end(struct console *console, enum console_end end, uint64_t used) {
    if (end == CONSOLE_END_RUN)
        console_print_stop(console, used);
    else
        console_print(console, "stopped after %s%s\n", counted(used, "unit").text,
                      end == CONSOLE_END_BREAK    ? ": breakpoint"
                      : end == CONSOLE_END_ENOUGH ? ": interrupted"
                                                  : "");
}

bool console_cmd_run(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    uint64_t most = console->config.most ? console->config.most : CONSOLE_MAX_RUN, used;
    struct console_go go = {.most = console_units(console)};
    enum console_end end;

    if ((count > 1 && !console_number(argument[1], most, &go.most, error)) ||
        !console_go(console, &go, &end, &used, error))
        return false;
    console_print_end(console, end, used);
    return true;
}

/* Breakpoints before the Nth are passed over. */
bool console_cmd_continue(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    const struct console_go go = {.most = console_units(console)};
    enum console_end end = CONSOLE_END_BREAK;
    uint64_t times = 1, used = 0;

    if (count > 1 && (!console_number(argument[1], UINT32_MAX, &times, error) || !times))
        return times ? false : console_usage(console, error);
    for (uint64_t i = 0; i < times && end == CONSOLE_END_BREAK; i++)
        if (!console_go(console, &go, &end, &used, error))
            return false;
    console_print_end(console, end, used);
    return true;
}

static bool model_run_parse_number(const char *text, uint64_t *number, struct pfifo_error *error) {
    return console_number(text, UINT64_MAX, number, error);
}

/* Words that were handed over, up to `end`, which was PUT of the channel, or the end of an entry of its ring. */
struct submission {
    bool known;
    uint32_t channel;
    uint64_t end, left; /* left: so many more */
};

static bool run_note_submission(struct submission *goal, const struct pfifo_push *push, size_t count) {
    for (size_t i = 0; i < count && !goal->known; i++)
        if (push[i].get != push[i].put)
            *goal = (struct submission){true, push[i].channel, push[i].put, goal->left};
    return false;
}

/* The pusher may be in the next entry already when it is looked at. */
static bool submission_done(struct console *console, void *opaque) {
    struct pfifo_push push[PFIFO_PUSH_LOADED];
    size_t count = pfifo_gpu_pushes(console->gpu, push, PFIFO_PUSH_LOADED);
    struct submission *goal = opaque;

    for (size_t i = 0; goal->known && i < count; i++)
        if (push[i].channel == goal->channel && (push[i].get == goal->end || push[i].put != goal->end)) {
            goal->known = false;
            if (!--goal->left)
                return true;
        }
    return run_note_submission(goal, push, count);
}

bool console_cmd_next(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    static const char *const events[] = {
        [RUN_METHOD] = "puller.method",
        [RUN_PACKET] = "pusher.packet",
        [RUN_DRAW] = "engine.draw",
        [RUN_LAUNCH] = "engine.launched",
    };
    struct submission submission = {.left = 1};
    struct console_go go = {.most = console_units(console), .single = true};
    enum run_unit unit = RUN_PACKET;
    enum console_end end;
    uint64_t used;

    if (!run_units_parse(count, argument, model_run_parse_number, &unit, &submission.left, error))
        return false;
    if (unit == RUN_SUBMISSION) {
        go.reached = submission_done;
        go.goal = &submission;
    } else {
        go.count = submission.left;
        go.event = pfifo_event_find(events[unit]);
        go.before = unit != RUN_DRAW && unit != RUN_LAUNCH;
    }
    if (!console_go(console, &go, &end, &used, error))
        return false;
    console_print_end(console, end, used);
    return true;
}

bool console_cmd_pass(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    uint64_t most = UINT64_MAX;

    if (count > 1 && !console_number(argument[1], INT64_MAX, &most, error))
        return false;
    console_back_changed(console);
    console_print(console, "%" PRIu64 " ns passed\n", pfifo_gpu_pass_time(console->gpu, most));
    return true;
}

/* Replace the globs. Takes the copy. */
static bool set_globs(struct console *console, char *globs, struct pfifo_error *error) {
    char *old = console->globs;

    console->globs = globs;
    if (console_trace(console, error)) {
        free(old);
        return true;
    }
    free(globs);
    console->globs = old;
    console_trace(console, NULL);
    return false;
}

bool console_cmd_step(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct console_go go = {.most = 1, .single = true};
    bool traced = console->globs != NULL, done;
    enum console_end end;
    uint64_t used;

    if (count > 1 && !console_number(argument[1], MAX_STEPS, &go.most, error))
        return false;
    go.told = go.most > 1;
    if (!traced && !set_globs(console, strdup(CONSOLE_EVENTS), error))
        return false;
    done = console_go(console, &go, &end, &used, error);
    if (done)
        console_print_end(console, end, used);
    if (!traced && !set_globs(console, NULL, done ? error : NULL))
        return false;
    return done;
}

/* Globs may be given as several words, too. */
bool console_cmd_trace(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    char joined[CONSOLE_LINE_BYTES], *globs;

    if (count == 2 && strcmp(argument[1], "off") == 0)
        return set_globs(console, NULL, error);
    if (!console->gpu)
        return refuse(error, "there is no GPU yet: chip NAME makes one");
    console_join(count, argument, ',', joined);
    globs = strdup(joined);
    return globs ? set_globs(console, globs, error) : refuse(error, "no memory for the trace");
}
