/* SPDX-License-Identifier: MIT */
/*
 * pfifo diff: two command streams, compared by what they say.
 */
#include <pfifo/diff.h>

#include "face/common/jobs.h"
#include "face/tool/command/command_line.h"
#include "face/tool/command/names_option.h"
#include "face/tool/command/select.h"
#include "face/tool/command/source.h"
#include "face/tool/replay/diff_state.h"

#include <inttypes.h>

enum cmd_diff_option_key {
    KEY_ADDRESSES = 'I',
    KEY_QUIET = 'q',
    KEY_UNIFIED = 'U',
    KEY_JSON = 'j',
    KEY_STAT = 256,
    KEY_STATE
};

enum { DIFF_CONTEXT = 3, DIFF_FILES = 2 };

struct compare {
    struct source source;
    struct select select;
    struct pfifo_diff_options with;
    bool stat, state;
    const char *file[DIFF_FILES];
};

static const struct argp_option options[] = {
    {"ignore-addresses", KEY_ADDRESSES, NULL, 0, "Do not compare addresses in data: buffers may lie elsewhere", 0},
    {"quiet", KEY_QUIET, NULL, 0, "Print nothing; the exit status says whether they differ", 0},
    {"stat", KEY_STAT, NULL, 0, "Print only how many lines are the same, removed and added", 0},
    {"state", KEY_STATE, NULL, 0,
     "Run both captures, and compare what they leave in memory and registers, instead of what they say", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON, an object for each line or, with --state, difference", 0},
    {"unified", KEY_UNIFIED, "N", 0, "Print N lines around each difference (default 3)", 0},
    {0},
};

static error_t cmd_diff_parse(int key, char *arg, struct argp_state *state) {
    struct compare *compare = state->input;
    uint64_t lines;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &compare->source;
        state->child_inputs[1] = &compare->select;
        compare->select.help = "Compare only methods";
        compare->select.of_lines = true;
        compare->with.context = DIFF_CONTEXT;
        return 0;
    case KEY_ADDRESSES:
        compare->with.ignore_addresses = true;
        return 0;
    case KEY_QUIET:
        compare->with.brief = true;
        return 0;
    case KEY_STAT:
        compare->stat = true;
        return 0;
    case KEY_STATE:
        compare->state = true;
        return 0;
    case KEY_JSON:
        compare->with.json = true;
        return 0;
    case KEY_UNIFIED:
        lines = tool_number(state, "unified", arg);
        if (lines > PFIFO_DIFF_CONTEXT_MAX)
            argp_error(state, "--unified is up to %d", PFIFO_DIFF_CONTEXT_MAX);
        compare->with.context = (unsigned)lines;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num >= DIFF_FILES)
            argp_error(state, "there are more than two files");
        else
            compare->file[state->arg_num] = arg;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < DIFF_FILES)
            argp_error(state, "two files are needed");
        if (compare->stat && compare->with.brief)
            argp_error(state, "--stat and --quiet exclude each other");
        if (compare->with.json && compare->stat)
            argp_error(state, "--stat and --json exclude each other");
        if (compare->state && (compare->stat || compare->with.ignore_addresses))
            argp_error(state, "--stat and --ignore-addresses are not for --state");
        compare->source.options.query = select_query(&compare->select, state);
        if (compare->state && compare->source.options.query)
            argp_error(state, "--state is for whole captures");
        if (compare->state && compare->source.options.ib)
            argp_error(state, "--ib is for words that do not run, and --state runs them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&source_argp, 0, "What the files are:", 1},
    {&select_argp, 0, "Compare only what matches:", 2},
    NAMES_OPTION_CHILD,
    {0},
};

static const struct argp diff_argp = {
    options,
    cmd_diff_parse,
    "A B",
    "Compare two command streams by what they say."
    "\vMethods are compared with channel, subchannel, class and data. How they are packed into words, where the words "
    "lie, jumps, calls, and where submissions begin, is not.\n"
    "The exit status is 0 if there is no difference, 1 if there is one, and 2 if something could not be read.",
    children,
    NULL,
    NULL,
};

static bool cmd_diff_write_nothing(void *opaque, const char *text, size_t bytes) {
    (void)opaque, (void)text, (void)bytes;
    return true;
}

static enum tool_status compare_open(const struct compare *compare, struct source_file file[DIFF_FILES]) {
    struct pfifo_diff_side side[DIFF_FILES];
    struct pfifo_decode_options with[DIFF_FILES];
    struct pfifo_diff_result result;
    struct pfifo_error error = {0};

    for (int i = 0; i < DIFF_FILES; i++) {
        with[i] = compare->source.options;
        with[i].file = compare->file[i];
        with[i].base = with[i].ring = file[i].base;
        with[i].entries = file[i].entries;
        side[i] = (struct pfifo_diff_side){
            .stream = file[i].stream, .words = file[i].words, .bytes = file[i].bytes, .options = &with[i]};
    }
    if (pfifo_diff(&side[0], &side[1], &compare->with, compare->stat ? cmd_diff_write_nothing : tool_write, stdout,
                   &result, &error) != PFIFO_OK) {
        source_message(&error);
        return TOOL_FAILED;
    }
    if (compare->stat)
        printf("%" PRIu64 " same, %" PRIu64 " removed, %" PRIu64 " added\n", result.same, result.removed, result.added);
    return result.removed || result.added ? TOOL_FAULTED : TOOL_OK;
}

enum tool_status cmd_diff(int argc, char **argv) {
    struct compare compare = {0};
    struct source_file file[DIFF_FILES] = {{0}};
    struct pfifo_error error = {0};
    enum tool_status status = TOOL_FAILED;

    command_line_parse_listing(&diff_argp, argc, argv, paint_diff, &compare);
    jobs_set(0);
    if (compare.state)
        return diff_state(compare.file, &compare.source, compare.with.brief, compare.with.json);
    if (source_open(&compare.source, compare.file[0], &file[0], &error) == PFIFO_OK &&
        source_open(&compare.source, compare.file[1], &file[1], &error) == PFIFO_OK)
        status = compare_open(&compare, file);
    else
        source_message(&error);
    source_close(&file[0]);
    source_close(&file[1]);
    pfifo_query_free(compare.source.options.query);
    return status;
}
