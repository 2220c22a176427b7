/* SPDX-License-Identifier: MIT */
#include "face/tool/run/observers.h"
#include "face/tool/chips/event_names.h"

#include "face/common/counts.h"
#include "face/common/naming.h"

bool observers_attach(struct observers *look, const struct run *run, enum timeline_clock clock, struct pfifo_gpu *gpu,
                      struct pfifo_error *error) {
    if (run->digest) {
        look->digest = pfifo_digest_new(error);
        return look->digest && pfifo_digest_attach(look->digest, gpu, error) == PFIFO_OK;
    }
    look->stats = pfifo_stats_new(error);
    if (!look->stats || pfifo_stats_attach(look->stats, gpu, run->stats ? NULL : COUNTS_EVENTS, error) != PFIFO_OK)
        return false;
    if (run->timeline) {
        look->timeline = timeline_new(run->events, tool_input_name(run->file), clock, gpu, run->query, error);
        return look->timeline;
    }
    if (!run->trace)
        return true;
    look->trace =
        pfifo_trace_new(run->json ? PFIFO_TRACE_JSON : PFIFO_TRACE_TEXT, tool_write_output, run->events, error);
    if (!look->trace)
        return false;
    pfifo_trace_set_file(look->trace, run->file);
    pfifo_trace_set_query(look->trace, run->query);
    pfifo_trace_set_names(look->trace, naming());
    return event_names_check(run->trace, error) && pfifo_trace_attach(look->trace, gpu, run->trace, error) == PFIFO_OK;
}

void observers_detach(struct observers *look) {
    timeline_end(look->timeline);
    pfifo_trace_free(look->trace);
    pfifo_stats_free(look->stats);
    pfifo_digest_free(look->digest);
}

void observers_print_digest(const struct observers *look, const char *name) {
    char line[512];

    pfifo_digest_format(look->digest, name, line, sizeof line);
    puts(line);
}
