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

void unknown_json(const struct unknown_places *places, struct pfifo_stats *stats, FILE *file) {
    struct pfifo_stats_row row;

    fprintf(file, ",\"unknown\":%" PRIu64 ",\"unknown_methods\":[", pfifo_stats_totals(stats)->unknown);
    for (size_t i = 0; pfifo_stats_at(stats, PFIFO_STATS_UNKNOWN, i, &row); i++)
        fprintf(file,
                "%s{\"class\":%" PRIu32 ",\"class_name\":\"%s\",\"method\":%" PRIu32 ",\"count\":%" PRIu64
                ",\"submission\":%" PRIu32 ",\"channel\":%" PRIu32 ",\"time\":%" PRIu64 "}",
                i ? "," : "", row.oclass, row.name, row.method, row.count, submission_of(places, i), row.channel,
                row.time);
    fputc(']', file);
}
