/* SPDX-License-Identifier: MIT */
#include "face/common/json_writer.h"
#include "face/tool/vm/watch.h"

#include "face/common/counts.h"

#include <pfifo/session.h>

enum { KEY_TRACE = 't', KEY_OUTPUT = 'o', KEY_STATS = 's', KEY_JSON = 'j', KEY_RECORD = 1280 };

static const struct argp_option options[] = {
    {"trace", KEY_TRACE, "GLOBS", OPTION_ARG_OPTIONAL,
     "Write events of the card as they happen, those whose names match: 'pusher.*,puller.bind'", 0},
    {"output", KEY_OUTPUT, "FILE", 0, "Write events and counts there (default: standard error)", 0},
    {"stats", KEY_STATS, NULL, 0, "At the end, write all that was counted", 0},
    {"json", KEY_JSON, NULL, 0, "Write events and counts as JSON, an object per line", 0},
    {"record", KEY_RECORD, "FILE", 0, "Record what the guest does with the card; pfifo run FILE replays it", 0},
    {0},
};

static error_t watch_parse(int key, char *arg, struct argp_state *state) {
    struct watch *watch = state->input;

    switch (key) {
    case KEY_TRACE:
        watch->trace = arg ? arg : COUNTS_TRACE;
        return 0;
    case KEY_OUTPUT:
        watch->output = arg;
        return 0;
    case KEY_STATS:
        watch->stats = true;
        return 0;
    case KEY_JSON:
        watch->json = true;
        return 0;
    case KEY_RECORD:
        watch->record = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp watch_argp = {options, watch_parse, NULL, NULL, NULL, NULL, NULL};

bool watch_open(struct watch *watch) {
    watch->events.file = stderr;
    return (!watch->output || tool_create(&watch->events, watch->output)) &&
           (!watch->record || tool_create(&watch->session, watch->record));
}

static bool write_session(void *opaque, const void *data, size_t bytes) {
    return tool_write_output(opaque, data, bytes);
}

/* Packed, if the library can: a session that is cut off can be read as far as it goes. */
static bool begin_session(struct watch *watch, struct pfifo_error *error) {
    enum pfifo_status status = pfifo_pci_record(watch->card, write_session, &watch->session, PFIFO_STREAM_ZSTD, error);

    if (status == PFIFO_ERROR_UNSUPPORTED)
        status = pfifo_pci_record(watch->card, write_session, &watch->session, PFIFO_STREAM_PLAIN, error);
    return status == PFIFO_OK;
}

static bool made(void *opaque, struct pfifo_pci *card, struct pfifo_error *error) {
    struct watch *watch = opaque;
    struct pfifo_gpu *gpu = pfifo_pci_gpu(card);

    watch->card = card;
    if (watch->record && !begin_session(watch, error))
        return false;
    if (watch->stats) {
        watch->counts = pfifo_stats_new(error);
        if (!watch->counts || pfifo_stats_attach(watch->counts, gpu, NULL, error) != PFIFO_OK)
            return false;
    }
    if (!watch->trace)
        return true;
    watch->tracer =
        pfifo_trace_new(watch->json ? PFIFO_TRACE_JSON : PFIFO_TRACE_TEXT, tool_write_output, &watch->events, error);
    return watch->tracer && pfifo_trace_attach(watch->tracer, gpu, watch->trace, error) == PFIFO_OK;
}

static void watch_print_counts(struct watch *watch) {
    struct json_writer json = {.file = watch->events.file};
    const char *chip = pfifo_chip_info(pfifo_gpu_chip(pfifo_pci_gpu(watch->card))).name;

    if (!watch->json) {
        fprintf(watch->events.file, "%s\n", chip);
        stats_text(watch->counts, watch->events.file);
        return;
    }
    json_open(&json, NULL, '{');
    json_put_text(&json, "event", "counts");
    json_put_text(&json, "chip", chip);
    stats_json(watch->counts, &json);
    json_close_line(&json);
}

static void watch_ends(void *opaque) {
    struct watch *watch = opaque;
    struct pfifo_error error = {0};

    pfifo_trace_free(watch->tracer);
    watch->tracer = NULL;
    if (watch->counts && watch->card)
        watch_print_counts(watch);
    pfifo_stats_free(watch->counts);
    watch->counts = NULL;
    if (watch->record && watch->card && pfifo_pci_record_end(watch->card, &error) != PFIFO_OK) {
        tool_message("%s: %s", watch->record, error.message);
        watch->failed = true;
    }
    watch->card = NULL;
}

struct pump_watch watch_card(struct watch *watch) {
    return (struct pump_watch){made, watch_ends, watch, watch->record != NULL};
}

bool watch_close(struct watch *watch) {
    bool written = !watch->output || !watch->events.file || tool_close(&watch->events, watch->output);

    if (watch->record && watch->session.file && !tool_close(&watch->session, watch->record))
        written = false;
    return written && !watch->failed;
}
