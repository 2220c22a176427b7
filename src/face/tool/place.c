/* SPDX-License-Identifier: MIT */
#include "face/tool/place.h"

#include "face/common/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void place_parse(struct place *place, const char *option, const char *arg, const struct argp_state *state) {
    static const char draw[] = "draw:";

    place->given = true;
    place->is_draw = !strncmp(arg, draw, sizeof draw - 1);
    if (!text_to_number(arg + (place->is_draw ? sizeof draw - 1 : 0), &place->number))
        argp_error(state, "--%s takes a submission's number, N, or a draw's, draw:N, not '%s'", option, arg);
}

void place_missed(const struct place *place, const struct pfifo_chip *chip, uint64_t draws, char *text, size_t size) {
    if (place->is_draw && !pfifo_chip_info(chip).draws)
        snprintf(text, size, PLACE_NO_DRAWS, pfifo_chip_info(chip).name);
    else if (place->is_draw)
        snprintf(text, size, "the capture ends before draw %" PRIu64 ": it has %" PRIu64 " draw%s", place->number,
                 draws, draws == 1 ? "" : "s");
    else
        snprintf(text, size, "the capture ends before submission %" PRIu64, place->number);
}
