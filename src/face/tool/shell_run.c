/* SPDX-License-Identifier: MIT */
/* Commands that make the machine work, and show what it does. */
#include "face/tool/shell_inside.h"

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

const char *shell_stop_name(enum pfifo_stop stop) {
    return stop_names[stop];
}

static void print_stop(struct shell *shell, uint64_t used) {
    const struct pfifo_stop_info *stop = pfifo_gpu_stop(shell->gpu);

    shell_print(shell, "stopped after %" PRIu64 " unit%s: %s, %s\n", used, used == 1 ? "" : "s",
                stop_names[stop->reason], stop_texts[stop->reason]);
    if (stop->reason == PFIFO_STOP_WAITING && stop->in_memory)
        shell_print(shell, "channel %" PRIu32 " waits for 0x%" PRIx32 " at 0x%" PRIx64 ", and finds 0x%" PRIx32 "\n",
                    stop->channel, stop->expected, stop->address, stop->found);
    else if (stop->reason == PFIFO_STOP_WAITING && stop->channel != UINT32_MAX)
        shell_print(shell, "channel %" PRIu32 " waits for an engine to take its method\n", stop->channel);
}

bool shell_cmd_stop(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument, (void)error;
    print_stop(shell, pfifo_gpu_stop(shell->gpu)->used);
    return true;
}

bool shell_cmd_run(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    uint64_t budget = shell->config.budget ? shell->config.budget : SHELL_RUN;
    uint64_t most = shell->config.most ? shell->config.most : SHELL_MAX_RUN;

    if (count > 1 && !shell_number(argument[1], most, &budget, error))
        return false;
    pfifo_run(shell->gpu, budget);
    print_stop(shell, pfifo_gpu_stop(shell->gpu)->used);
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

/* One unit at a time, until there is nothing left. Gives the units. */
static uint64_t steps(struct shell *shell, uint64_t count) {
    enum pfifo_stop stop = PFIFO_STOP_BUDGET;
    uint64_t used = 0;

    for (uint64_t i = 0; i < count && stop == PFIFO_STOP_BUDGET; i++) {
        stop = pfifo_run(shell->gpu, 1);
        used += pfifo_gpu_stop(shell->gpu)->used;
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
        return shell_fail(error, "there is no GPU yet: chip NAME makes one");
    globs = join(count, argument);
    return globs ? set_globs(shell, globs, error) : shell_fail(error, "no memory for the trace");
}
