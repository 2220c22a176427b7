/* SPDX-License-Identifier: MIT */
#include "face/common/counts.h"

#include "face/common/text.h"

#include <inttypes.h>

enum { NOT_EXECUTED_SHOWN = 8, UNKNOWN_SHOWN = 16 };

static const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

void counts_head_text(const struct counts *counts, FILE *file) {
    const struct pfifo_stats_totals *totals = pfifo_stats_totals(counts->stats);

    fprintf(file, "%s: %s, %" PRIu64 " submission%s, %" PRIu64 " word%s, %" PRIu64 " method%s\n", counts->name,
            pfifo_chip_info(counts->chip).name, counts->submissions, plural(counts->submissions), counts->words,
            plural(counts->words), totals->methods, plural(totals->methods));
    fprintf(file, "  fences        %" PRIu64 " written, %" PRIu64 " bytes\n", totals->fences, totals->fence_bytes);
    fprintf(file, "  waits         %" PRIu64 "\n", totals->waits);
    if (totals->draws)
        fprintf(file,
                "  draws         %" PRIu64 ", %" PRIu64 " vertices, %" PRIu64 " primitives, %" PRIu64 " fragments\n",
                totals->draws, totals->vertices, totals->primitives, totals->fragments);
}

void counts_head_json(const struct counts *counts, FILE *file) {
    const struct pfifo_stats_totals *totals = pfifo_stats_totals(counts->stats);

    fprintf(file,
            ",\"chip\":\"%s\",\"submissions\":%" PRIu64 ",\"words\":%" PRIu64 ",\"methods\":%" PRIu64
            ",\"fences\":%" PRIu64 ",\"fence_bytes\":%" PRIu64 ",\"waits\":%" PRIu64,
            pfifo_chip_info(counts->chip).name, counts->submissions, counts->words, totals->methods, totals->fences,
            totals->fence_bytes, totals->waits);
    fprintf(file, ",\"draws\":%" PRIu64 ",\"vertices\":%" PRIu64 ",\"primitives\":%" PRIu64 ",\"fragments\":%" PRIu64,
            totals->draws, totals->vertices, totals->primitives, totals->fragments);
}

void counts_methods_text(const struct counts *counts, FILE *file) {
    const struct pfifo_stats_totals *totals = pfifo_stats_totals(counts->stats);

    if (totals->foreign)
        fprintf(file,
                "  foreign       %" PRIu64 " classes that the chip does not have, see --trace=engine.foreign_class\n",
                totals->foreign);
    unknown_text(counts->unknown, counts->stats, counts->all ? SIZE_MAX : UNKNOWN_SHOWN, file);
    fprintf(file, "  not executed  %" PRIu64 "\n", totals->not_executed);
    stats_not_executed_text(counts->stats, counts->all ? SIZE_MAX : NOT_EXECUTED_SHOWN, file);
    stats_work_text(counts->stats, counts->all ? SIZE_MAX : NOT_EXECUTED_SHOWN, file);
}

void counts_methods_json(const struct counts *counts, FILE *file) {
    unknown_json(counts->unknown, counts->stats, file);
    fprintf(file,
            ",\"not_executed\":%" PRIu64 ",\"not_executed_methods\":", pfifo_stats_totals(counts->stats)->not_executed);
    stats_not_executed_json(counts->stats, file);
    stats_work_json(counts->stats, file);
}

void counts_fault_text(const struct pfifo_device_fault *first, uint64_t count, uint32_t submission, FILE *file) {
    const char *comma = "";

    fprintf(file, "%10" PRIu64 "  %s %s, first in submission %" PRIu32 ":", count, first->unit, first->error,
            submission);
    if (first->channel != UINT32_MAX) {
        fprintf(file, " channel %" PRIu32, first->channel);
        comma = ",";
    }
    if (first->address)
        fprintf(file, "%s address 0x%" PRIx64, comma, first->address);
    else if (!*comma)
        fputs(" no channel is known", file);
    fputc('\n', file);
}

void counts_fault_json(const struct pfifo_device_fault *first, uint64_t count, uint32_t submission, FILE *file) {
    fputs("\"unit\":", file);
    text_json_string(file, first->unit);
    fputs(",\"error\":", file);
    text_json_string(file, first->error);
    fprintf(file, ",\"count\":%" PRIu64 ",\"submission\":%" PRIu32, count, submission);
    if (first->channel != UINT32_MAX)
        fprintf(file, ",\"channel\":%" PRIu32, first->channel);
    fprintf(file, ",\"address\":%" PRIu64, first->address);
}
