/* SPDX-License-Identifier: MIT */
#include "face/tool/replay/place.h"

#include "chip/counted.h"
#include "face/common/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool place_begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* "N", "QUERY" or "QUERY:N". */
static void place_parse_method(struct place *place, const char *option, const char *arg,
                               const struct argp_state *state) {
    const char *colon = strrchr(arg, ':');
    struct pfifo_error error = {0};
    char *query;

    place->kind = PLACE_METHOD;
    place->text = arg;
    if (text_to_number(arg, &place->number))
        return;
    if (!*arg)
        argp_error(state, "--%s=method: takes a number or a query", option);
    if (colon && !text_to_number(colon + 1, &place->number))
        colon = NULL;
    query = strndup(arg, colon ? (size_t)(colon - arg) : strlen(arg));
    place->query = query ? pfifo_query_new(query, &error) : NULL;
    free(query);
    if (!place->query)
        argp_error(state, "--%s=method: %s in: %s", option, error.message, arg);
}

void place_parse(struct place *place, const char *option, const char *arg, const struct argp_state *state) {
    static const char *const begin[] = {[PLACE_SUBMISSION] = "", [PLACE_DRAW] = "draw:", [PLACE_LAUNCH] = "launch:"};
    bool is_number;

    place_free(place);
    *place = (struct place){.given = true, .kind = PLACE_LAUNCH};
    while (!place_begins(arg, begin[place->kind]))
        place->kind--;
    if (place_begins(arg, "method:")) {
        place_parse_method(place, option, arg + strlen("method:"), state);
        return;
    }
    is_number = text_to_number(arg + strlen(begin[place->kind]), &place->number);
    if (!is_number)
        argp_error(
            state,
            "--%s takes a submission's number, N, a draw's, draw:N, a launch's, launch:N, or a method, method:N or "
            "method:QUERY, not '%s'",
            option, arg);
}

void place_free(struct place *place) {
    pfifo_query_free(place->query);
    place->query = NULL;
}

void place_missed(const struct place *place, const struct pfifo_chip *chip, uint64_t seen, char *text, size_t size) {
    if (place->kind == PLACE_DRAW && !pfifo_chip_info(chip).draws)
        snprintf(text, size, PLACE_NO_DRAWS, pfifo_chip_info(chip).name);
    else if (place->kind == PLACE_DRAW)
        snprintf(text, size, "the capture ends before draw %" PRIu64 ": it has %s", place->number,
                 counted(seen, "draw").text);
    else if (place->kind == PLACE_LAUNCH)
        snprintf(text, size, "the capture ends before launch %" PRIu64 ": it has %s that %s executed", place->number,
                 counted(seen, "launch").text, seen == 1 ? "is" : "are");
    else if (place->query && !seen)
        snprintf(text, size, "no method matches '%.120s'", place->text);
    else if (place->kind == PLACE_METHOD)
        snprintf(text, size, "the capture ends before method %.120s: it has %s%s", place->text,
                 counted(seen, "method").text,
                 !place->query ? ""
                 : seen == 1   ? " that matches"
                               : " that match");
    else
        snprintf(text, size, "the capture ends before submission %" PRIu64 ": the last is %" PRIu64, place->number,
                 seen);
}
