/* SPDX-License-Identifier: MIT */
/* Commands that run up to something: a value, a change, an event. */
#include "face/tool/chips/event_names.h"
#include "face/tool/console/machine/inside.h"

#include <inttypes.h>
#include <string.h>

/* 32 bits that become a value, or another one than they were; or an event that happens. */
struct run_goal {
    struct shell_place place;
    uint32_t value, mask;
    bool changes, is_event, happened, broken;
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

static bool set_place(struct shell *shell, const char *text, struct run_goal *goal, struct pfifo_error *error) {
    *goal = (struct run_goal){.mask = UINT32_MAX};
    return shell_place(shell, text, &goal->place, error) && shell_reach(shell, &goal->place, 1, 4, SHELL_READ, error) &&
           shell_can_watch(shell, &goal->place, text, error);
}

static bool goal_reached(struct shell *shell, void *goal) {
    return is_reached(shell, goal);
}

/* A breakpoint before it is what was asked for, too. */
static bool run_to(struct shell *shell, struct run_goal *goal, const char *what, struct pfifo_error *error) {
    const struct shell_go go = {.most = shell_units(shell), .reached = goal_reached, .goal = goal};
    enum shell_end end;
    uint64_t used;

    if (!shell_go(shell, &go, &end, &used, error))
        return false;
    goal->broken = end == SHELL_END_BREAK;
    if (end == SHELL_END_REACHED)
        shell_print(shell, "%s after %" PRIu64 " unit%s\n", what, used, used == 1 ? "" : "s");
    else
        shell_print_end(shell, end, used);
    return end != SHELL_END_RUN || refuse(error, "the run ended first: %s", run_stop_name(shell->stop));
}

static bool until_event(struct shell *shell, const char *globs, struct pfifo_error *error) {
    struct run_goal goal = {.is_event = true};
    bool reached;

    if (!event_names_check(globs, error) ||
        pfifo_gpu_observe(shell->gpu, globs, run_goal_event, &goal, error) != PFIFO_OK)
        return false;
    reached = run_to(shell, &goal, globs, error);
    pfifo_gpu_unobserve(shell->gpu, run_goal_event, &goal);
    return reached;
}

bool shell_cmd_until(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    struct run_goal goal;

    if (strcmp(argument[1], "event") == 0 && count != 3)
        return shell_usage(shell, error);
    if (strcmp(argument[1], "event") == 0)
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
    if (goal.broken)
        return true;
    shell_print(shell, "%.60s = 0x%08" PRIx32 "\n", argument[1], shell_read(shell, &goal.place, 4));
    return true;
}
