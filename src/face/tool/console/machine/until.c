/* SPDX-License-Identifier: MIT */
/* Commands that run up to something: a value, a change, an event. */
#include "face/tool/chips/event_names.h"
#include "chip/counted.h"
#include "face/tool/console/commands.h"
#include "face/tool/console/machine/go.h"
#include "face/tool/console/place.h"

#include <inttypes.h>
#include <string.h>

/* 32 bits that become a value, or another one than they were; or an event that happens. */
struct run_goal {
    struct console_place place;
    uint32_t value, mask;
    bool changes, is_event, happened, broken;
};

static void run_goal_event(void *opaque, const struct pfifo_event *event) {
    (void)event;
    ((struct run_goal *)opaque)->happened = true;
}

static bool until_is_reached(struct console *console, const struct run_goal *goal) {
    if (goal->is_event)
        return goal->happened;
    return (((console_read(console, &goal->place, 4) ^ goal->value) & goal->mask) != 0) == goal->changes;
}

static bool set_place(struct console *console, const char *text, struct run_goal *goal, struct pfifo_error *error) {
    *goal = (struct run_goal){.mask = UINT32_MAX};
    return console_place(console, text, &goal->place, error) &&
           console_reach(console, &goal->place, 1, 4, CONSOLE_READ, error) &&
           console_can_watch(console, &goal->place, text, error);
}

static bool goal_reached(struct console *console, void *goal) {
    return until_is_reached(console, goal);
}

/* A breakpoint before it is what was asked for, too. */
static bool run_to(struct console *console, struct run_goal *goal, const char *what, struct pfifo_error *error) {
    const struct console_go go = {.most = console_units(console), .reached = goal_reached, .goal = goal};
    enum console_end end;
    uint64_t used;

    if (!console_go(console, &go, &end, &used, error))
        return false;
    goal->broken = end == CONSOLE_END_BREAK;
    if (end == CONSOLE_END_REACHED)
        console_print(console, "%s after %s\n", what, counted(used, "unit").text);
    else
        console_print_end(console, end, used);
    return end != CONSOLE_END_RUN || refuse(error, "the run ended first: %s", run_stop_name(console->stop));
}

static bool until_event(struct console *console, const char *globs, struct pfifo_error *error) {
    struct run_goal goal = {.is_event = true};
    bool reached;

    if (!event_names_check(globs, error) ||
        pfifo_gpu_observe(console->gpu, globs, run_goal_event, &goal, error) != PFIFO_OK)
        return false;
    reached = run_to(console, &goal, globs, error);
    pfifo_gpu_unobserve(console->gpu, run_goal_event, &goal);
    return reached;
}

bool console_cmd_until(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct run_goal goal;

    if (strcmp(argument[1], "event") == 0 && count != 3)
        return console_usage(console, error);
    if (strcmp(argument[1], "event") == 0)
        return until_event(console, argument[2], error);
    if (!set_place(console, argument[1], &goal, error) ||
        !console_value32(console, argument[2], 4, &goal.value, error) ||
        (count > 3 && !console_value32(console, argument[3], 4, &goal.mask, error)))
        return false;
    return run_to(console, &goal, argument[1], error);
}

bool console_cmd_watch(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct run_goal goal;
    char what[128];

    (void)count;
    if (!set_place(console, argument[1], &goal, error))
        return false;
    goal.changes = true;
    goal.value = console_read(console, &goal.place, 4);
    snprintf(what, sizeof what, "%.60s changes from 0x%08" PRIx32, argument[1], goal.value);
    if (!run_to(console, &goal, what, error))
        return false;
    if (goal.broken)
        return true;
    console_print(console, "%.60s = 0x%08" PRIx32 "\n", argument[1], console_read(console, &goal.place, 4));
    return true;
}
