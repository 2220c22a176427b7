/* SPDX-License-Identifier: MIT */
/*
 * pfifo top: what command streams are made of.
 */
#include <pfifo/classes.h>
#include <pfifo/profile.h>

#include "face/common/json_writer.h"
#include "face/common/naming.h"
#include "chip/counted.h"
#include "face/tool/command/command_line.h"
#include "face/tool/command/names_option.h"
#include "face/tool/command/select.h"
#include "face/tool/command/source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum cmd_top_option_key { KEY_NUMBER = 'n', KEY_JSON = 'j', KEY_BY = 256 };

enum { TOP_ROWS = 20, TOP_MOST_ROWS = 1000000 };

struct top {
    struct source source;
    struct select select;
    enum pfifo_profile_by by;
    size_t rows;
    bool json;
    char **files;
    int file_count;
};

static const struct argp_option options[] = {
    {"by", KEY_BY, "WHAT", 0, "Count each method (default), class, or form of packets", 0},
    {"number", KEY_NUMBER, "N", 0, "Print N rows (default 20; 0: all)", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON: an object of totals, and one per row, with the file if there is only one",
     0},
    {0},
};

static const char *const by_names[] = {
    [PFIFO_PROFILE_BY_METHOD] = "method",
    [PFIFO_PROFILE_BY_CLASS] = "class",
    [PFIFO_PROFILE_BY_FORM] = "form",
};

static void set_by(struct top *top, const char *text, const struct argp_state *state) {
    for (size_t i = 0; i < sizeof by_names / sizeof by_names[0]; i++) {
        if (strcmp(by_names[i], text) != 0)
            continue;
        top->by = (enum pfifo_profile_by)i;
        return;
    }
    argp_error(state, "--by is method, class or form, not '%s'", text);
}

static error_t cmd_top_parse(int key, char *arg, struct argp_state *state) {
    struct top *top = state->input;
    uint64_t rows;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &top->source;
        state->child_inputs[1] = &top->select;
        top->select.help = "Count only methods";
        top->select.of_lines = true;
        top->rows = TOP_ROWS;
        return 0;
    case KEY_BY:
        set_by(top, arg, state);
        return 0;
    case KEY_NUMBER:
        rows = tool_number(state, "number", arg);
        if (rows > TOP_MOST_ROWS)
            argp_error(state, "--number is up to %d", TOP_MOST_ROWS);
        top->rows = rows ? (size_t)rows : TOP_MOST_ROWS;
        return 0;
    case KEY_JSON:
        top->json = true;
        return 0;
    case ARGP_KEY_ARGS:
        top->files = state->argv + state->next;
        top->file_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a file is missing");
        return EINVAL;
    case ARGP_KEY_END:
        top->source.options.query = select_query(&top->select, state);
        top->source.options.format = PFIFO_DECODE_NOTHING;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&source_argp, 0, "What the files are:", 1},
    {&select_argp, 0, "Count only what matches:", 2},
    NAMES_OPTION_CHILD,
    {0},
};

static const struct argp top_argp = {
    options,
    cmd_top_parse,
    "FILE...",
    "Count what command streams are made of, all files together."
    "\vSAME counts methods with the data that they had before, in the same channel and class: redundant if the method "
    "sets a state; of one that acts, such as a clear, it is the act again.\n"
    "The exit status is 0, or 2 if something could not be read.",
    children,
    NULL,
    NULL,
};

/* What a row is of can be told if it is one file: so rows of many files stay apart in one place. */
static void cmd_top_begin_json(const struct top *top, struct json_writer *json) {
    json_open(json, NULL, '{');
    if (top->file_count == 1)
        json_put_text(json, "file", top->files[0]);
}

static void print_totals_json(const struct top *top, const struct pfifo_profile_totals *t) {
    struct json_writer json = {.file = stdout};

    cmd_top_begin_json(top, &json);
    json_put_number(&json, "submissions", t->submissions);
    json_put_number(&json, "words", t->words);
    json_put_number(&json, "least_words", t->least_words);
    json_put_number(&json, "most_words", t->most_words);
    json_put_number(&json, "packets", t->packets);
    json_put_number(&json, "methods", t->methods);
    json_put_number(&json, "same", t->same);
    json_put_number(&json, "masked", t->masked);
    json_put_number(&json, "errors", t->errors);
    json_put_number(&json, "without_row", t->without_row);
    json_close_line(&json);
}

static void print_totals_text(const struct top *top, const struct pfifo_profile_totals *t) {
    (void)top;
    printf("%s, %s, %s, %s, %" PRIu64 " same\n", counted(t->submissions, "submission").text,
           counted(t->words, "word").text, counted(t->packets, "packet").text, counted(t->methods, "method").text,
           t->same);
    if (t->submissions)
        printf("%" PRIu64 " to %s in a submission\n", t->least_words, counted(t->most_words, "word").text);
    if (t->masked)
        printf("masked: %s\n", counted(t->masked, "method").text);
    if (t->errors)
        printf("%s\n", counted(t->errors, "error").text);
    if (t->without_row)
        printf("without a row: %s, as there are too many different ones\n", counted(t->without_row, "method").text);
}

static const char *class_name(uint32_t id) {
    const struct pfifo_class *known = pfifo_class_find(id);

    return known ? known->name : NULL;
}

static void method_name(const struct pfifo_profile_row *row, char name[PFIFO_METHOD_NAME_BYTES]) {
    struct pfifo_method_name method;

    name[0] = 0;
    if (pfifo_method_find(row->class_id, row->method, &method))
        naming_method(&method, name, PFIFO_METHOD_NAME_BYTES);
}

static void print_row_json(const struct top *top, const struct pfifo_profile_row *row) {
    struct json_writer json = {.file = stdout};
    char name[PFIFO_METHOD_NAME_BYTES];

    cmd_top_begin_json(top, &json);
    if (top->by == PFIFO_PROFILE_BY_FORM) {
        json_put_text(&json, "form", row->form);
        json_put_number(&json, "count", row->count);
        json_close_line(&json);
        return;
    }
    json_put_number(&json, "class", row->class_id);
    if (class_name(row->class_id))
        json_put_text(&json, "class_name", class_name(row->class_id));
    if (top->by == PFIFO_PROFILE_BY_METHOD) {
        method_name(row, name);
        json_put_number(&json, "method", row->method);
        if (name[0])
            json_put_text(&json, "name", name);
    }
    json_put_number(&json, "count", row->count);
    json_put_number(&json, "same", row->same);
    json_close_line(&json);
}

static void print_row_text(const struct top *top, const struct pfifo_profile_row *row) {
    const char *class = class_name(row->class_id);
    char name[PFIFO_METHOD_NAME_BYTES];

    printf("%10" PRIu64 " ", row->count);
    switch (top->by) {
    case PFIFO_PROFILE_BY_FORM:
        printf(" %s\n", row->form);
        return;
    case PFIFO_PROFILE_BY_CLASS:
        printf("%10" PRIu64 "  %04x %s\n", row->same, (unsigned)row->class_id, class ? class : "");
        return;
    case PFIFO_PROFILE_BY_METHOD:
        method_name(row, name);
        printf("%10" PRIu64 "  %04x %-25s %04x %s\n", row->same, (unsigned)row->class_id, class ? class : "",
               row->method, name);
    }
}

static const char *heading_of(enum pfifo_profile_by by) {
    switch (by) {
    case PFIFO_PROFILE_BY_FORM:
        return "\n   PACKETS  FORM\n";
    case PFIFO_PROFILE_BY_CLASS:
        return "\n   METHODS       SAME  CLASS\n";
    case PFIFO_PROFILE_BY_METHOD:
        break;
    }
    return "\n     COUNT       SAME  CLASS                          METHOD\n";
}

static enum pfifo_status print_profile(const struct top *top, const struct pfifo_profile *profile,
                                       struct pfifo_error *error) {
    struct pfifo_profile_totals totals;
    struct pfifo_profile_row *rows;
    enum pfifo_status status;
    size_t count, max;

    status = pfifo_profile_rows(profile, top->by, NULL, 0, &count, error);
    if (status != PFIFO_OK)
        return status;
    max = count < top->rows ? count : top->rows;
    rows = calloc(max + 1, sizeof *rows);
    if (!rows)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for %zu rows", max);
    status = pfifo_profile_rows(profile, top->by, rows, max, &count, error);
    pfifo_profile_totals(profile, &totals);
    if (status == PFIFO_OK) {
        (top->json ? print_totals_json : print_totals_text)(top, &totals);
        if (!top->json && count)
            fputs(heading_of(top->by), stdout);
        for (size_t i = 0; i < max; i++)
            (top->json ? print_row_json : print_row_text)(top, &rows[i]);
        if (!top->json && count > max)
            printf("%s: --number\n", counted(count - max, "more row").text);
    }
    free(rows);
    return status;
}

enum tool_status cmd_top(int argc, char **argv) {
    struct top top = {0};
    struct pfifo_error error = {0};
    struct pfifo_profile *profile;
    bool failed = false;
    int read = 0;

    command_line_parse_listing(&top_argp, argc, argv, paint_top, &top);
    profile = pfifo_profile_new(&error);
    top.source.options.event = pfifo_profile_event;
    top.source.options.event_opaque = profile;
    for (int i = 0; profile && i < top.file_count; i++) {
        pfifo_profile_begin(profile);
        if (source_decode(&top.source, top.files[i], tool_write, stdout, &error) != PFIFO_OK) {
            source_message(&error);
            failed = true;
        } else {
            read++;
        }
    }
    if (!profile || (read && print_profile(&top, profile, &error) != PFIFO_OK)) {
        tool_message("%s", error.message);
        failed = true;
    }
    pfifo_profile_free(profile);
    pfifo_query_free(top.source.options.query);
    return failed ? TOOL_FAILED : TOOL_OK;
}
