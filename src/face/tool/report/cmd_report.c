/* SPDX-License-Identifier: MIT */
/*
 * pfifo report: a capture as a page.
 */
#include "face/common/jobs.h"
#include "chip/counted.h"
#include "face/common/text.h"
#include "face/tool/command/command_line.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/command/names_option.h"
#include "face/tool/command/source.h"
#include "face/tool/report/report.h"
#include "face/tool/tool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum cmd_report_option_key { KEY_OUTPUT = 'o', KEY_SUBMIT = 256, KEY_ROWS, KEY_PICTURES, KEY_JOBS };

enum { MOST_ROWS = 2000000, PATH_BYTES = 4200 };

struct cmd_report {
    struct source source;
    struct report report;
};

static const struct argp_option options[] = {
    {"output", KEY_OUTPUT, "DIR", 0, "Write the page to DIR/index.html, and what belongs to it beside it", 0},
    {"submit", KEY_SUBMIT, "A..B", 0, "Only these submissions; all of the capture runs", 0},
    {"rows", KEY_ROWS, "N", 0, "At most N words, packets and so on (default 50000); the page says what it leaves out",
     0},
    {"pictures", KEY_PICTURES, "N", 0, "At most N files of pictures (default 200); draws that look the same share one",
     0},
    {"jobs", KEY_JOBS, "N", 0,
     "Draw and write pictures on N threads (default: as many as there are cores). The files are the same", 0},
    {0},
};

static void parse_submissions(struct report *report, const char *arg, const struct argp_state *state) {
    const char *dots = strstr(arg, "..");
    char first[24] = "";
    uint64_t from = 0, to = 0;

    size_t bytes = dots ? (size_t)(dots - arg) : strlen(arg);
    if (bytes < sizeof first)
        snprintf(first, sizeof first, "%.*s", (int)bytes, arg);
    if (!text_to_number(first, &from) || !text_to_number(dots ? dots + 2 : first, &to))
        argp_error(state, "--submit takes N or A..B, not '%s'", arg);
    if (from > to || to > UINT32_MAX)
        argp_error(state, "there are no submissions %s", arg);
    report->first = (uint32_t)from;
    report->last = (uint32_t)to;
}

static error_t cmd_report_parse(int key, char *arg, struct argp_state *state) {
    struct cmd_report *command = state->input;
    struct report *report = &command->report;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->source;
        return 0;
    case KEY_OUTPUT:
        if (!*arg || tool_is_output(arg))
            argp_error(state, "--output takes a folder, not '%s'", arg);
        report->folder = arg;
        return 0;
    case KEY_SUBMIT:
        parse_submissions(report, arg, state);
        return 0;
    case KEY_ROWS:
        report->most_rows = tool_amount(state, "rows", arg, MOST_ROWS);
        return 0;
    case KEY_PICTURES:
        report->most_pictures = tool_number(state, "pictures", arg);
        return 0;
    case KEY_JOBS:
        jobs_set(tool_amount(state, "jobs", arg, JOBS_MOST));
        return 0;
    case ARGP_KEY_ARG:
        if (report->file)
            argp_error(state, "a page shows one capture");
        report->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (!report->file || !report->folder)
            argp_error(state, report->file ? "-o DIR is missing" : "a capture is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&source_capture_argp, 0, "What the file is:", 1},
    NAMES_OPTION_CHILD,
    {0},
};

static const struct argp report_argp = {
    options,
    cmd_report_parse,
    "CAPTURE",
    "Run a capture, and write a page about it, which a browser opens from the folder: words with what they mean, draws "
    "with pictures and the state that changed, faults, and who writes and reads an address."
    "\vThe page fetches nothing from elsewhere. Files of DIR with the same names are replaced. The exit status is 0, 1 "
    "if the capture has errors or faults, and 2 if there is no page.",
    children,
    NULL,
    NULL,
};

static FILE *cmd_report_create(const struct report *report, const char *name) {
    char path[PATH_BYTES];
    FILE *file = NULL;

    if (snprintf(path, sizeof path, "%s/%s", report->folder, name) < (int)sizeof path)
        file = fopen(path, "w");
    if (!file)
        tool_cannot(path, "write");
    return file;
}

static bool cmd_report_close(const struct report *report, FILE *file, const char *name) {
    struct tool_output output = {file, 0};
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s/%s", report->folder, name);
    return tool_close(&output, path);
}

static bool write_page(const struct report *report) {
    for (const struct report_page *page = report_pages; page->name; page++) {
        FILE *file = cmd_report_create(report, page->name);
        if (!file)
            return false;
        fputs(page->text, file);
        if (!cmd_report_close(report, file, page->name))
            return false;
    }
    return true;
}

static void put_notes(struct report *report, const struct pfifo_stream *stream) {
    struct json_writer *json = &report->json;

    json_new_line(json);
    json_open(json, "notes", '[');
    if (report->left_out)
        json_put_format(json, NULL, "left out: %s of words and packets; --rows and --submit choose others",
                        counted(report->left_out, "row").text);
    if (report->first > 0 || report->last < UINT32_MAX)
        json_put_format(json, NULL, "only submissions %" PRIu32 " to %" PRIu32, report->first, report->last);
    if (report->draws_left_out || report->accesses_left_out)
        json_put_format(json, NULL, "left out: %s and %s to memory", counted(report->draws_left_out, "draw").text,
                        counted(report->accesses_left_out, "access").text);
    if (report->errors)
        json_put_format(json, NULL, "%s that the decoder can make no sense of", counted(report->errors, "word").text);
    if (pfifo_stream_truncated(stream))
        json_put_text(json, NULL, "the capture ends early");
    json_close(json);
}

static bool cmd_report_write_data(struct report *report, struct pfifo_stream *stream, struct pfifo_error *error) {
    struct json_writer *json = &report->json;
    bool good;

    fputs("// What a capture says, for page.js.\nconst report = ", report->data);
    *json = (struct json_writer){.file = report->data, .in_markup = true};
    json_open(json, NULL, '{');
    json_new_line(json);
    json_put_text(json, "capture", pfifo_stream_name(stream));
    json_put_text(json, "chip", pfifo_chip_info(report->chip).name);
    if (report_words(report, stream, error) != PFIFO_OK)
        return false;
    pfifo_stream_rewind(stream);
    good = report_run(report, stream, error);
    report_tables(report);
    json_new_line(json);
    json_put_number(json, "submissions", report->submissions);
    put_notes(report, stream);
    json_new_line(json);
    json_close(json);
    fputs(";\n", report->data);
    if (report->no_memory)
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a page");
    return good && !report->no_memory;
}

static enum tool_status cmd_report_write(struct report *report, struct pfifo_stream *stream) {
    struct pfifo_error error = {0};
    bool good;

    if (!report->chip)
        report->chip = pfifo_chip_by_id(pfifo_stream_chipset(stream));
    if (!report->chip) {
        tool_message_of(report->file, "the capture does not name its chip; use --chip");
        return TOOL_FAILED;
    }
    if (mkdir(report->folder, 0777) != 0 && errno != EEXIST) {
        tool_cannot(report->folder, "make a folder");
        return TOOL_FAILED;
    }
    report->data = cmd_report_create(report, "data.js");
    if (!report->data)
        return TOOL_FAILED;
    good = cmd_report_write_data(report, stream, &error);
    if (!good)
        tool_message_error(report->file, NULL, &error);
    if (!cmd_report_close(report, report->data, "data.js") || !good || !write_page(report))
        return TOOL_FAILED;
    return report->faults || report->errors ? TOOL_FAULTED : TOOL_OK;
}

enum tool_status cmd_report(int argc, char **argv) {
    struct cmd_report command = {
        .report = {.last = UINT32_MAX, .most_rows = REPORT_ROWS, .most_pictures = REPORT_PICTURES}};
    struct report *report = &command.report;
    enum tool_status status = TOOL_FAILED;
    struct pfifo_error error = {0};
    struct pfifo_stream *stream;

    jobs_set(0);
    command_line_parse(&report_argp, argc, argv, 0, &command);
    report->chip = command.source.options.chip;
    stream = source_capture(&command.source, report->file, &error);
    if (stream)
        status = cmd_report_write(report, stream);
    else
        source_message(&error);
    pfifo_stream_close(stream);
    free(report->row);
    free(report->mark);
    free(report->method);
    free(report->slot);
    free(report->access);
    if (interrupt_seen() && fflush(stdout) == 0)
        interrupt_die();
    return status;
}
