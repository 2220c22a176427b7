/* SPDX-License-Identifier: MIT */
#include "face/tool/run/session.h"

#include "face/common/counts.h"
#include "face/common/json_writer.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/run/observers.h"

#include <inttypes.h>

static const struct row {
    const char *text, *key;
    size_t offset;
} rows[] = {
#define ROW(text, key)                                                                                                 \
    { text, #key, offsetof(struct pfifo_session_result, key) }
    ROW("operations", operations),
    ROW("reads", reads),
    ROW("writes", writes),
    ROW("resets", resets),
    ROW("runs", runs),
    ROW("units of work", work),
    ROW("guest's pages", pages),
    ROW("bytes of them", bytes),
    ROW("INTA changed", changes),
    ROW("messages", messages),
    ROW("differences", differences),
};
#define ROWS (sizeof rows / sizeof rows[0])

static uint64_t session_value_of(const struct pfifo_session_result *result, const struct row *row) {
    return *(const uint64_t *)(const void *)((const char *)result + row->offset);
}

static void session_print_text(const struct run *run, struct pfifo_session *session, struct observers *look) {
    const struct pfifo_session_result *result = pfifo_session_result(session);
    const struct pfifo_chip *chip = pfifo_gpu_chip(pfifo_pci_gpu(pfifo_session_card(session)));

    printf("%s: %s\n", pfifo_session_name(session), pfifo_chip_info(chip).name);
    for (size_t i = 0; i < ROWS; i++)
        printf("  %-13s %" PRIu64 "\n", rows[i].text, session_value_of(result, &rows[i]));
    if (result->differences)
        printf("  the first     offset %" PRIu64 ", operation %" PRIu64 ": %s: 0x%" PRIx64 " was recorded, 0x%" PRIx64
               " came\n",
               result->offset, result->operation, result->what, result->expected, result->got);
    if (run->stats)
        stats_text(look->stats, stdout);
    else
        printf("  %-13s %" PRIu64 "\n", "methods", pfifo_stats_totals(look->stats)->methods);
}

static void session_print_json(const struct run *run, struct pfifo_session *session, struct observers *look) {
    const struct pfifo_session_result *result = pfifo_session_result(session);
    const struct pfifo_chip *chip = pfifo_gpu_chip(pfifo_pci_gpu(pfifo_session_card(session)));
    struct json_writer json = {.file = stdout};

    json_open(&json, NULL, '{');
    json_put_text(&json, "file", run->file);
    json_put_text(&json, "event", "session");
    json_put_text(&json, "chip", pfifo_chip_info(chip).name);
    for (size_t i = 0; i < ROWS; i++)
        json_put_number(&json, rows[i].key, session_value_of(result, &rows[i]));
    if (result->differences) {
        json_put_number(&json, "offset", result->offset);
        json_put_number(&json, "operation", result->operation);
        json_put_text(&json, "what", result->what);
        json_put_number(&json, "expected", result->expected);
        json_put_number(&json, "got", result->got);
    }
    if (run->stats) {
        json_open(&json, "counts", '{');
        json_put_text(&json, "chip", pfifo_chip_info(chip).name);
        stats_json(look->stats, &json);
        json_close(&json);
    }
    json_close_line(&json);
}

static enum tool_status session_play(const struct run *run, struct pfifo_session *session, struct observers *look) {
    struct pfifo_error error = {0};
    bool more = true;

    if (!observers_attach(look, run, TIMELINE_RECORDED, pfifo_pci_gpu(pfifo_session_card(session)), &error)) {
        tool_message("%s", error.message);
        return TOOL_FAILED;
    }
    interrupt_begin();
    while (more && !interrupt_seen() && !ferror(run->events->file))
        if (pfifo_session_next(session, &more, &error) != PFIFO_OK) {
            tool_message("%s", error.message);
            interrupt_end();
            return TOOL_FAILED;
        }
    interrupt_end();
    if (look->trace)
        pfifo_trace_flush(look->trace);
    if (run->digest)
        observers_print_digest(look, pfifo_session_name(session));
    else if (run->json)
        session_print_json(run, session, look);
    else if (!run->timeline)
        session_print_text(run, session, look);
    return more || pfifo_session_result(session)->differences ? TOOL_FAULTED : TOOL_OK;
}

enum tool_status run_session(const struct run *run, struct pfifo_session *session) {
    struct observers look = {0};
    enum tool_status status = TOOL_FAILED;

    if (run->replay.chip || run->folder || run->pictures.screenshot || run->pictures.folder)
        tool_message_of(run->file,
                        "--chip, --dump-buffers, --screenshot and --draws are for captures, and this is a session");
    else
        status = session_play(run, session, &look);
    if (pfifo_session_truncated(session))
        tool_message_of(run->file, "the recording was cut off: this is what was written before");
    observers_detach(&look);
    pfifo_session_close(session);
    return status;
}
