/* SPDX-License-Identifier: MIT */
#include "face/tool/place.h"

#include <string.h>

void place_parse(struct place *place, const char *option, const char *arg, const struct argp_state *state) {
    static const char draw[] = "draw:";

    place->given = true;
    place->is_draw = !strncmp(arg, draw, sizeof draw - 1);
    place->number = tool_number(state, option, arg + (place->is_draw ? sizeof draw - 1 : 0));
}
