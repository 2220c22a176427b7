/* SPDX-License-Identifier: MIT */
#include "face/common/counts.h"

#include "chip/counted.h"
#include "face/common/text.h"

#include <inttypes.h>

enum { NOT_EXECUTED_SHOWN = 8, UNKNOWN_SHOWN = 16 };

void counts_head_text(const struct counts *counts, FILE *file) {
    const struct pfifo_stats_totals *totals = pfifo_stats_totals(counts->stats);

    fprintf(file, "%s: %s, %s, %s, %s\n", counts->name, pfifo_chip_info(counts->chip).name,
            counted(counts->submissions, "submission").text, counted(counts->words, "word").text,
            counted(totals->methods, "method").text);
    fprintf(file, "  fences        %" PRIu64 " written, %s\n", totals->fences,
            counted(totals->fence_bytes, "byte").text);
    fprintf(file, "  waits         %" PRIu64 "\n", totals->waits);
    if (totals->draws)
        fprintf(file, "  draws         %" PRIu64 ", %s, %s, %s\n", totals->draws,
                counted(totals->vertices, "vertex").text, counted(totals->primitives, "primitive").text,
                counted(totals->fragments, "fragment").text);
    if (totals->launches)
        fprintf(file, "  launches      %" PRIu64 ", %s, %s, %s\n", totals->launches,
                counted(totals->launch_blocks, "block").text, counted(totals->launch_warps, "warp").text,
                counted(totals->launch_instructions, "instruction").text);
}

void counts_head_json(const struct counts *counts, struct json_writer *json) {
    const struct pfifo_stats_totals *totals = pfifo_stats_totals(counts->stats);

    json_put_text(json, "chip", pfifo_chip_info(counts->chip).name);
    json_put_number(json, "submissions", counts->submissions);
    json_put_number(json, "words", counts->words);
    json_put_number(json, "methods", totals->methods);
    json_put_number(json, "fences", totals->fences);
    json_put_number(json, "fence_bytes", totals->fence_bytes);
    json_put_number(json, "waits", totals->waits);
    json_put_number(json, "draws", totals->draws);
    json_put_number(json, "vertices", totals->vertices);
    json_put_number(json, "primitives", totals->primitives);
    json_put_number(json, "fragments", totals->fragments);
    if (!totals->launches)
        return;
    json_put_number(json, "launches", totals->launches);
    json_put_number(json, "launch_blocks", totals->launch_blocks);
    json_put_number(json, "launch_warps", totals->launch_warps);
    json_put_number(json, "launch_instructions", totals->launch_instructions);
}

void counts_methods_text(const struct counts *counts, FILE *file) {
    const struct pfifo_stats_totals *totals = pfifo_stats_totals(counts->stats);

    if (totals->foreign)
        fprintf(file, "  foreign       %s that the chip does not have, see --trace=engine.foreign_class\n",
                counted(totals->foreign, "class").text);
    unknown_text(counts->unknown, counts->stats, counts->all ? SIZE_MAX : UNKNOWN_SHOWN, file);
    fprintf(file, "  not executed  %" PRIu64 "\n", totals->not_executed);
    stats_not_executed_text(counts->stats, counts->all ? SIZE_MAX : NOT_EXECUTED_SHOWN, file);
    stats_work_text(counts->stats, counts->all ? SIZE_MAX : NOT_EXECUTED_SHOWN, file);
}

void counts_methods_json(const struct counts *counts, struct json_writer *json) {
    unknown_json(counts->unknown, counts->stats, json);
    json_put_number(json, "not_executed", pfifo_stats_totals(counts->stats)->not_executed);
    stats_not_executed_json(counts->stats, json);
    stats_work_json(counts->stats, json);
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

void counts_fault_json(const struct pfifo_device_fault *first, uint64_t count, uint32_t submission,
                       struct json_writer *json) {
    json_put_text(json, "unit", first->unit);
    json_put_text(json, "error", first->error);
    json_put_number(json, "count", count);
    json_put_number(json, "submission", submission);
    if (first->channel != UINT32_MAX)
        json_put_number(json, "channel", first->channel);
    json_put_number(json, "address", first->address);
}
