/* SPDX-License-Identifier: MIT */
/* Commands that run the machine, and show what it does. */
#include "face/tool/shell_inside.h"
#include "hw/pmc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 4096

static const char *const stop_names[] = {
    [PFIFO_STOP_IDLE] = "idle",           [PFIFO_STOP_BUDGET] = "budget", [PFIFO_STOP_WAITING] = "waiting",
    [PFIFO_STOP_INTERRUPT] = "interrupt", [PFIFO_STOP_FROZEN] = "frozen",
};

static const char *const stop_texts[] = {
    [PFIFO_STOP_IDLE] = "nothing is left to do",
    [PFIFO_STOP_BUDGET] = "there is more to do",
    [PFIFO_STOP_WAITING] = "all that is left to do waits",
    [PFIFO_STOP_INTERRUPT] = "an error or a software method waits for the driver",
    [PFIFO_STOP_FROZEN] = "a pusher, puller or engine is switched off",
};

void shell_list_stops(char *buf, size_t size) {
    size_t used = 0;

    for (size_t i = 0; i < sizeof stop_names / sizeof stop_names[0] && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "", stop_names[i]);
}

bool shell_is_stop(const char *name) {
    for (size_t i = 0; i < sizeof stop_names / sizeof stop_names[0]; i++)
        if (strcmp(stop_names[i], name) == 0)
            return true;
    return false;
}

const char *shell_stop_name(enum pfifo_stop stop) {
    return stop_names[stop];
}

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

static void print_stop(struct shell *shell, uint64_t used) {
    const struct pfifo_stop_info *stop = pfifo_gpu_stop_info(shell->gpu);
    bool frozen = (stop->reason == PFIFO_STOP_FROZEN || stop->reason == PFIFO_STOP_IDLE) && is_frozen(shell);

    shell_print(shell, "stopped after %" PRIu64 " unit%s: %s, %s\n", used, used == 1 ? "" : "s",
                stop_names[stop->reason], shell_run_stop_text(stop->reason, frozen));
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
        return refuse(error, "nothing has run yet");
    print_stop(shell, pfifo_gpu_stop_info(shell->gpu)->used);
    return true;
}

bool shell_cmd_run(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    uint64_t budget = shell->config.budget ? shell->config.budget : SHELL_RUN;
    uint64_t most = shell->config.most ? shell->config.most : SHELL_MAX_RUN;

    if (count > 1 && !shell_number(argument[1], most, &budget, error))
        return false;
    pfifo_gpu_run(shell->gpu, budget);
    shell->ran = true;
    print_stop(shell, pfifo_gpu_stop_info(shell->gpu)->used);
    return true;
}

bool shell_cmd_pass(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    uint64_t most = UINT64_MAX;

    if (count > 1 && !shell_number(argument[1], INT64_MAX, &most, error))
        return false;
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

/* One unit at a time, until nothing is left. Returns the number of units. */
static uint64_t steps(struct shell *shell, uint64_t count) {
    enum pfifo_stop stop = PFIFO_STOP_BUDGET;
    uint64_t used = 0;

    for (uint64_t i = 0; i < count && stop == PFIFO_STOP_BUDGET; i++) {
        stop = pfifo_gpu_run(shell->gpu, 1);
        used += pfifo_gpu_stop_info(shell->gpu)->used;
        if (stop == PFIFO_STOP_BUDGET && count > 1)
            shell_print(shell, "-- step %" PRIu64 "\n", used);
    }
    return used;
}

bool shell_cmd_step(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    bool traced = shell->globs != NULL;
    uint64_t number = 1;

    if (count > 1 && !shell_number(argument[1], MAX_STEPS, &number, error))
        return false;
    if (!traced && !set_globs(shell, strdup(SHELL_EVENTS), error))
        return false;
    print_stop(shell, steps(shell, number));
    shell->ran = true;
    return traced || set_globs(shell, NULL, error);
}

/* Globs may be given as several words, too. */
static char *join(unsigned count, char **argument) {
    char text[SHELL_LINE_BYTES] = "";
    size_t used = 0;

    /* Not longer than the line that they come from. */
    for (unsigned i = 1; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 1 ? "," : "", argument[i]);
    return strdup(text);
}

bool shell_cmd_trace(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    char *globs;

    if (count == 2 && strcmp(argument[1], "off") == 0)
        return set_globs(shell, NULL, error);
    if (!shell->gpu)
        return refuse(error, "there is no GPU yet: chip NAME makes one");
    globs = join(count, argument);
    return globs ? set_globs(shell, globs, error) : refuse(error, "no memory for the trace");
}

/* ---- up to something ---- */

/* 32 bits that become a value, or another one than they were; or an event that happens. */
struct run_goal {
    struct shell_place place;
    uint32_t value, mask;
    bool changes, is_event, happened;
};

static void run_goal_event(void *opaque, const struct pfifo_event *event) {
    (void)event;
    ((struct run_goal *)opaque)->happened = true;
}

static bool is_reached(struct shell *shell, const struct run_goal *goal) {
    if (goal->is_event)
        return goal->happened;
    return (((shell_read(shell, &goal->place, 4) ^ goal->value) & goal->mask) != 0) == goal->changes;
}

/* What is looked at after each unit must not change by that. */
static bool set_place(struct shell *shell, const char *text, struct run_goal *goal, struct pfifo_error *error) {
    struct pfifo_register reg;

    *goal = (struct run_goal){.mask = UINT32_MAX};
    if (!shell_place(shell, text, &goal->place, error) || !shell_reach(shell, &goal->place, 1, 4, SHELL_READ, error))
        return false;
    if (goal->place.space == SHELL_BAR && !goal->place.bar &&
        pfifo_registers_describe(shell->registers, (uint32_t)goal->place.address, &reg, NULL) && reg.read_acts)
        return refuse(error, "a read of %.60s has an effect", text);
    return true;
}

static bool run_to(struct shell *shell, const struct run_goal *goal, const char *what, struct pfifo_error *error) {
    uint64_t left = shell->config.budget ? shell->config.budget : SHELL_RUN, used = 0;
    enum pfifo_stop stop = PFIFO_STOP_BUDGET;
    bool reached = is_reached(shell, goal);

    for (; !reached && left && stop == PFIFO_STOP_BUDGET; left--) {
        stop = pfifo_gpu_run(shell->gpu, 1);
        used += pfifo_gpu_stop_info(shell->gpu)->used;
        shell->ran = true;
        reached = is_reached(shell, goal);
    }
    if (reached)
        shell_print(shell, "%s after %" PRIu64 " unit%s\n", what, used, used == 1 ? "" : "s");
    else
        print_stop(shell, used);
    return reached || refuse(error, "the run has ended before: %s", stop_names[stop]);
}

static bool until_event(struct shell *shell, const char *globs, struct pfifo_error *error) {
    struct run_goal goal = {.is_event = true};
    bool reached;

    if (pfifo_gpu_observe(shell->gpu, globs, run_goal_event, &goal, error) != PFIFO_OK)
        return false;
    reached = run_to(shell, &goal, globs, error);
    pfifo_gpu_unobserve(shell->gpu, run_goal_event, &goal);
    return reached;
}

bool shell_cmd_until(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    struct run_goal goal;

    if (count == 3 && strcmp(argument[1], "event") == 0)
        return until_event(shell, argument[2], error);
    if (!set_place(shell, argument[1], &goal, error) || !shell_value(shell, argument[2], 4, &goal.value, error) ||
        (count > 3 && !shell_value(shell, argument[3], 4, &goal.mask, error)))
        return false;
    return run_to(shell, &goal, argument[1], error);
}

bool shell_cmd_watch(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    struct run_goal goal;
    char what[128];

    (void)count;
    if (!set_place(shell, argument[1], &goal, error))
        return false;
    goal.changes = true;
    goal.value = shell_read(shell, &goal.place, 4);
    snprintf(what, sizeof what, "%.60s changes from 0x%08" PRIx32, argument[1], goal.value);
    if (!run_to(shell, &goal, what, error))
        return false;
    shell_print(shell, "%.60s = 0x%08" PRIx32 "\n", argument[1], shell_read(shell, &goal.place, 4));
    return true;
}
