/* SPDX-License-Identifier: MIT */
#include "chip/counted.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* How the end of a noun changes. The first row that fits counts; the last one fits all. */
static const struct {
    const char *end, *plural;
} plurals[] = {{"vertex", "vertices"}, {"ay", "ays"},  {"ey", "eys"}, {"y", "ies"}, {"ch", "ches"},
               {"sh", "shes"},         {"ss", "sses"}, {"x", "xes"},  {"", "s"}};

static bool ends_with(const char *noun, const char *end) {
    const size_t length = strlen(noun), bytes = strlen(end);

    return length >= bytes && strcmp(noun + length - bytes, end) == 0;
}

struct counted counted(uint64_t count, const char *noun) {
    struct counted counted;
    size_t row = 0;

    while (!ends_with(noun, plurals[row].end))
        row++;
    if (count == 1)
        snprintf(counted.text, sizeof counted.text, "1 %s", noun);
    else
        snprintf(counted.text, sizeof counted.text, "%" PRIu64 " %.*s%s", count,
                 (int)(strlen(noun) - strlen(plurals[row].end)), noun, plurals[row].plural);
    return counted;
}
