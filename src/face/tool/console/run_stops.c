/* SPDX-License-Identifier: MIT */
#include "face/tool/console/run_stops.h"

#include <stdio.h>
#include <string.h>

static const char *const names[RUN_STOPS] = {
    [PFIFO_STOP_IDLE] = "idle",       [PFIFO_STOP_BUDGET] = "budget",
    [PFIFO_STOP_WAITING] = "waiting", [PFIFO_STOP_INTERRUPT] = "interrupt",
    [PFIFO_STOP_FROZEN] = "frozen",   [RUN_STOP_BREAKPOINT] = "breakpoint",
    [RUN_STOP_GOAL] = "goal",         [RUN_STOP_FAULT] = "fault",
    [RUN_STOP_END] = "end",           [RUN_STOP_INTERRUPTED] = "ctrl-c",
    [RUN_STOP_BEGIN] = "begin",
};

const char *run_stop_name(unsigned stop) {
    return names[stop];
}

static bool no_such(const char *want, unsigned end, struct pfifo_error *error) {
    char text[160] = "";
    size_t used = 0;

    for (unsigned i = 0; i < end; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? ", " : "", names[i]);
    return refuse(error, "there is no stop '%.60s'; there are %s", want, text);
}

bool run_stop_expect(const char *want, uint32_t found, unsigned end, struct pfifo_error *error) {
    unsigned wanted = 0, first = RUN_STOPS;

    while (wanted < end && strcmp(names[wanted], want) != 0)
        wanted++;
    if (wanted == end)
        return no_such(want, end, error);
    if (!found)
        return refuse(error, RUN_NOT_YET);
    if (found >> wanted & 1)
        return true;
    while (!(found >> --first & 1)) {
    }
    return refuse(error, "expected the stop %.60s, but it was %s", want, names[first]);
}
