/* SPDX-License-Identifier: MIT */
#include "face/tool/console/run_units.h"

#include "chip/counted.h"

#include <inttypes.h>
#include <string.h>

static const char *const names[] = {"method", "packet", "draw", "launch", "submission"};

const char *run_unit_name(enum run_unit unit) {
    return unit < RUN_UNITS ? names[unit] : NULL;
}

static bool run_units_is_named(const char *text, enum run_unit end, enum run_unit *unit) {
    for (unsigned i = 0; *text && i < end; i++)
        if (strncmp(names[i], text, strlen(text)) == 0) {
            *unit = (enum run_unit)i;
            return true;
        }
    return false;
}

bool run_units_parse(unsigned count, char **argument,
                     bool (*parse)(const char *text, uint64_t *number, struct pfifo_error *error), enum run_unit *unit,
                     uint64_t *number, struct pfifo_error *error) {
    for (unsigned i = 1; i < count; i++) {
        bool is_number = argument[i][0] >= '0' && argument[i][0] <= '9';
        if (is_number && !parse(argument[i], number, error))
            return false;
        if (!is_number && !run_units_is_named(argument[i], RUN_UNITS, unit))
            return refuse(error, "'%.60s' is neither a number nor one of method, packet, draw, launch, submission",
                          argument[i]);
    }
    return *number ||
           refuse(error, "usage: %s [method|packet|draw|launch|submission] [N], with an N of at least 1", argument[0]);
}

bool run_units_far(const char *unit, uint64_t number, uint64_t most, struct pfifo_error *error) {
    const struct counted far = counted(number, unit);

    if (!most)
        return refuse(error, "cannot go back %s: there is none before this place", far.text);
    return refuse(error, "cannot go back %s: only %" PRIu64 " %s before this place", far.text, most,
                  most == 1 ? "is" : "are");
}
