/* SPDX-License-Identifier: MIT */
/* Commands that run the machine, and show what it does. */
#include "face/tool/console/machine/inside.h"
#include "face/tool/console/run_units.h"
#include "hw/pmc.h"

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
static bool is_frozen(struct shell *shell) {
    static const char *const names[] = {"PFIFO.FREEZE", "PFIFO.FREEZE_1"};
    uint32_t offset;

    if (!(shell_rd32(shell, NV_PMC_ENABLE) & PMC_ENABLE_PFIFO))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (pfifo_registers_find(shell->registers, names[i], &offset, NULL) == PFIFO_OK &&
            shell_rd32(shell, offset) & 1)
            return true;
    return false;
}

/* While PFIFO is frozen, channels that are not loaded do not count as work. */
static const char *shell_run_stop_text(enum pfifo_stop reason, bool frozen) {
    return !frozen                     ? stop_texts[reason]
           : reason == PFIFO_STOP_IDLE ? "nothing is left to do; FREEZE is set"
                                       : "FREEZE is set";
}

void shell_print_stop(struct shell *shell, uint64_t used) {
    const struct pfifo_stop_info *stop = pfifo_gpu_stop_info(shell->gpu);
    bool frozen = (stop->reason == PFIFO_STOP_FROZEN || stop->reason == PFIFO_STOP_IDLE) && is_frozen(shell);

    shell_print(shell, "stopped after %" PRIu64 " unit%s: %s, %s\n", used, used == 1 ? "" : "s",
                run_stop_name(stop->reason), shell_run_stop_text(stop->reason, frozen));
    if (stop->reason == PFIFO_STOP_WAITING && stop->in_memory)
        shell_print(shell,
                    "channel %" PRIu32 " waits for 0x%" PRIx32 " at 0x%" PRIx64 ", and finds 0x%" PRIx32
                    "; it is one of them: channels shows all\n",
                    stop->channel, stop->expected, stop->address, stop->found);
    else if (stop->reason == PFIFO_STOP_WAITING && stop->is_syncpoint)
        shell_print(shell,
                    "channel %" PRIu32 " waits for syncpoint %" PRIu64 " to reach %" PRIu32 ", and finds %" PRIu32
                    "; it is one of them: channels shows all\n",
                    stop->channel, stop->address, stop->expected, stop->found);
    else if (stop->reason == PFIFO_STOP_WAITING && stop->channel != UINT32_MAX)
        shell_print(shell, "channel %" PRIu32 " waits for an engine to take its method\n", stop->channel);
}

bool shell_cmd_stop(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument;
    if (!shell->ran)
        return refuse(error, RUN_NOT_YET);
    if (shell->stop == RUN_STOP_BREAKPOINT && shell->breaks.reason[0])
        shell_print(shell, "%s", shell->breaks.reason);
    shell_print_end(shell,
                    shell->stop == RUN_STOP_BREAKPOINT    ? SHELL_END_BREAK
                    : shell->stop == RUN_STOP_GOAL        ? SHELL_END_REACHED
                    : shell->stop == RUN_STOP_INTERRUPTED ? SHELL_END_ENOUGH
                                                          : SHELL_END_RUN,
                    shell->used);
    return true;
}

void shell_print_end(struct shell *shell, enum shell_end end, uint64_t used) {
    if (end == SHELL_END_RUN)
        shell_print_stop(shell, used);
    else
        shell_print(shell, "stopped after %" PRIu64 " unit%s%s\n", used, used == 1 ? "" : "s",
                    end == SHELL_END_BREAK    ? ": breakpoint"
                    : end == SHELL_END_ENOUGH ? ": interrupted"
                                              : "");
}

bool shell_cmd_run(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    uint64_t most = shell->config.most ? shell->config.most : SHELL_MAX_RUN, used;
    struct shell_go go = {.most = shell_units(shell)};
    enum shell_end end;

    if ((count > 1 && !shell_number(argument[1], most, &go.most, error)) || !shell_go(shell, &go, &end, &used, error))
        return false;
    shell_print_end(shell, end, used);
    return true;
}

/* Breakpoints before the Nth are passed over. */
bool shell_cmd_continue(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    const struct shell_go go = {.most = shell_units(shell)};
    enum shell_end end = SHELL_END_BREAK;
    uint64_t times = 1, used = 0;

    if (count > 1 && (!shell_number(argument[1], UINT32_MAX, &times, error) || !times))
        return times ? false : shell_usage(shell, error);
    for (uint64_t i = 0; i < times && end == SHELL_END_BREAK; i++)
        if (!shell_go(shell, &go, &end, &used, error))
            return false;
    shell_print_end(shell, end, used);
    return true;
}

static bool parse_number(const char *text, uint64_t *number, struct pfifo_error *error) {
    return shell_number(text, UINT64_MAX, number, error);
}

/* Words that were handed over, up to `end`, which was PUT of the channel, or the end of an entry of its ring. */
struct submission {
    bool known;
    uint32_t channel;
    uint64_t end, left; /* left: so many more */
};

static bool note_submission(struct submission *goal, const struct pfifo_push *push, size_t count) {
    for (size_t i = 0; i < count && !goal->known; i++)
        if (push[i].get != push[i].put)
            *goal = (struct submission){true, push[i].channel, push[i].put, goal->left};
    return false;
}

/* The pusher may be in the next entry already when it is looked at. */
static bool submission_done(struct shell *shell, void *opaque) {
    struct pfifo_push push[PFIFO_PUSH_LOADED];
    size_t count = pfifo_gpu_pushes(shell->gpu, push, PFIFO_PUSH_LOADED);
    struct submission *goal = opaque;

    for (size_t i = 0; goal->known && i < count; i++)
        if (push[i].channel == goal->channel && (push[i].get == goal->end || push[i].put != goal->end)) {
            goal->known = false;
            if (!--goal->left)
                return true;
        }
    return note_submission(goal, push, count);
}

bool shell_cmd_next(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    static const char *const events[] = {
        [RUN_METHOD] = "puller.method", [RUN_PACKET] = "pusher.packet", [RUN_DRAW] = "engine.draw"};
    struct submission submission = {.left = 1};
    struct shell_go go = {.most = shell_units(shell), .single = true};
    enum run_unit unit = RUN_PACKET;
    enum shell_end end;
    uint64_t used;

    if (!run_units_parse(count, argument, parse_number, &unit, &submission.left, error))
        return false;
    if (unit == RUN_SUBMISSION) {
        go.reached = submission_done;
        go.goal = &submission;
    } else {
        go.count = submission.left;
        go.event = pfifo_event_find(events[unit]);
        go.before = unit != RUN_DRAW;
    }
    if (!shell_go(shell, &go, &end, &used, error))
        return false;
    shell_print_end(shell, end, used);
    return true;
}

bool shell_cmd_pass(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    uint64_t most = UINT64_MAX;

    if (count > 1 && !shell_number(argument[1], INT64_MAX, &most, error))
        return false;
    shell_back_changed(shell);
    shell_print(shell, "%" PRIu64 " ns passed\n", pfifo_gpu_pass_time(shell->gpu, most));
    return true;
}

/* Replace the globs. Takes the copy. */
static bool set_globs(struct shell *shell, char *globs, struct pfifo_error *error) {
    char *old = shell->globs;

    shell->globs = globs;
    if (shell_trace(shell, error)) {
        free(old);
        return true;
    }
    free(globs);
    shell->globs = old;
    shell_trace(shell, NULL);
    return false;
}

bool shell_cmd_step(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    struct shell_go go = {.most = 1, .single = true};
    bool traced = shell->globs != NULL, done;
    enum shell_end end;
    uint64_t used;

    if (count > 1 && !shell_number(argument[1], MAX_STEPS, &go.most, error))
        return false;
    go.told = go.most > 1;
    if (!traced && !set_globs(shell, strdup(SHELL_EVENTS), error))
        return false;
    done = shell_go(shell, &go, &end, &used, error);
    if (done)
        shell_print_end(shell, end, used);
    if (!traced && !set_globs(shell, NULL, done ? error : NULL))
        return false;
    return done;
}

/* Globs may be given as several words, too. */
bool shell_cmd_trace(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    char joined[SHELL_LINE_BYTES], *globs;

    if (count == 2 && strcmp(argument[1], "off") == 0)
        return set_globs(shell, NULL, error);
    if (!shell->gpu)
        return refuse(error, "there is no GPU yet: chip NAME makes one");
    shell_join(count, argument, ',', joined);
    globs = strdup(joined);
    return globs ? set_globs(shell, globs, error) : refuse(error, "no memory for the trace");
}
