/* SPDX-License-Identifier: MIT */
#include "face/common/unknown.h"

#include <inttypes.h>

void unknown_after(struct unknown_places *places, struct pfifo_stats *stats, uint32_t sequence) {
    struct pfifo_stats_row row;

    while (places->count < PFIFO_STATS_MAX_UNKNOWN && pfifo_stats_at(stats, PFIFO_STATS_UNKNOWN, places->count, &row))
        places->submission[places->count++] = sequence;
}

static uint32_t submission_of(const struct unknown_places *places, size_t row) {
    return row < places->count ? places->submission[row] : 0;
}

void unknown_text(const struct unknown_places *places, struct pfifo_stats *stats, size_t max, FILE *file) {
    uint64_t total = pfifo_stats_totals(stats)->unknown;
    struct pfifo_stats_row row;
    size_t i = 0;

    if (!total)
        return;
    fprintf(file, "  unknown       %" PRIu64 " %s\n", total,
            total == 1 ? "method that its class does not have" : "methods that their class does not have");
    for (; i < max && pfifo_stats_at(stats, PFIFO_STATS_UNKNOWN, i, &row); i++)
        fprintf(file,
                "%10" PRIu64 "  class 0x%04" PRIx32 " %s has no method 0x%04" PRIx32 ", first in submission %" PRIu32
                ", channel %" PRIu32 "\n",
                row.count, row.oclass, row.name[0] ? row.name : "?", row.method, submission_of(places, i), row.channel);
    if (pfifo_stats_at(stats, PFIFO_STATS_UNKNOWN, i, &row))
        fputs("            and more; --stats lists them\n", file);
}

void unknown_json(const struct unknown_places *places, struct pfifo_stats *stats, struct json_writer *json) {
    struct pfifo_stats_row row;

    json_put_number(json, "unknown", pfifo_stats_totals(stats)->unknown);
    json_open(json, "unknown_methods", '[');
    for (size_t i = 0; pfifo_stats_at(stats, PFIFO_STATS_UNKNOWN, i, &row); i++) {
        json_open(json, NULL, '{');
        json_put_number(json, "class", row.oclass);
        json_put_text(json, "class_name", row.name);
        json_put_number(json, "method", row.method);
        json_put_number(json, "count", row.count);
        json_put_number(json, "submission", submission_of(places, i));
        json_put_number(json, "channel", row.channel);
        json_put_number(json, "time", row.time);
        json_close(json);
    }
    json_close(json);
}
