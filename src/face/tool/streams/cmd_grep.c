/* SPDX-License-Identifier: MIT */
/*
 * pfifo grep: the lines of command streams that match a query.
 */
#include "face/tool/command/command_line.h"
#include "face/tool/command/names_option.h"
#include "face/tool/command/select.h"
#include "face/tool/command/source.h"

#include <inttypes.h>

enum cmd_grep_option_key {
    KEY_AFTER = 'A',
    KEY_BEFORE = 'B',
    KEY_CONTEXT = 'C',
    KEY_LIST = 'l',
    KEY_MOST = 'm',
    KEY_JSON = 'j',
    KEY_COUNT = 256
};

struct grep {
    struct source source;
    struct select select;
    const char *query;
    bool count, list;
    uint64_t matches; /* in the file */
    char **files;
    int file_count;
};

static const struct argp_option options[] = {
    {"after", KEY_AFTER, "N", 0, "Print N lines after each match, too", 0},
    {"before", KEY_BEFORE, "N", 0, "Print N lines before each match, too", 0},
    {"context", KEY_CONTEXT, "N", 0, "Print N lines before and after each match", 0},
    {"count", KEY_COUNT, NULL, 0, "Print only how many matches each file has", 0},
    {"files-with-matches", KEY_LIST, NULL, 0, "Print only the names of files with a match", 0},
    {"max-count", KEY_MOST, "N", 0, "Stop reading a file after N matches", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON, an object per line", 0},
    {0},
};

static unsigned lines_of(const struct argp_state *state, const char *option, const char *text) {
    uint64_t lines = tool_number(state, option, text);

    if (lines > PFIFO_DECODE_CONTEXT_MAX)
        argp_error(state, "--%s is up to %d", option, PFIFO_DECODE_CONTEXT_MAX);
    return (unsigned)lines;
}

static void cmd_grep_end(struct grep *grep, struct argp_state *state) {
    struct pfifo_decode_options *with = &grep->source.options;

    if (!grep->query || !grep->file_count) {
        if (grep->query)
            argp_error(state, "a file is missing: '%s' is the query%s", grep->query,
                       grep->count ? ", as --count takes no argument" : "");
        else
            argp_error(state, "a query is missing, and a file");
        return; /* not reached */
    }
    if ((grep->count && grep->list) || ((grep->count || grep->list) && with->format == PFIFO_DECODE_JSON))
        argp_error(state, "--count, --files-with-matches and --json exclude each other");
    /* The query comes first, so that columns in messages are its own. */
    if (grep->query[0]) {
        char rest[SELECT_BYTES];
        snprintf(rest, sizeof rest, "%s", grep->select.text);
        grep->select.text[0] = 0;
        select_add(&grep->select, rest[0] ? "(" : "", grep->query, rest[0] ? ")" : "", state);
        if (rest[0])
            select_add(&grep->select, rest, "", "", state);
    }
    with->query = select_query(&grep->select, state);
    if (!with->query)
        with->query = pfifo_query_new("", NULL);
    with->matches = &grep->matches;
    if (grep->list)
        with->match_max = 1;
    if (grep->list || grep->count)
        with->format = PFIFO_DECODE_NOTHING;
}

static error_t cmd_grep_parse(int key, char *arg, struct argp_state *state) {
    struct grep *grep = state->input;
    struct pfifo_decode_options *with = &grep->source.options;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &grep->source;
        grep->source.not_a_chip = "-c is --chip, and --count counts";
        state->child_inputs[1] = &grep->select;
        grep->select.help = "Print only lines";
        grep->select.of_lines = true;
        return 0;
    case KEY_AFTER:
        with->after = lines_of(state, "after", arg);
        return 0;
    case KEY_BEFORE:
        with->before = lines_of(state, "before", arg);
        return 0;
    case KEY_CONTEXT:
        with->before = with->after = lines_of(state, "context", arg);
        return 0;
    case KEY_COUNT:
        grep->count = true;
        return 0;
    case KEY_LIST:
        grep->list = true;
        return 0;
    case KEY_MOST:
        with->match_max = tool_number(state, "max-count", arg);
        if (!with->match_max)
            argp_error(state, "--max-count 0 finds nothing");
        return 0;
    case KEY_JSON:
        with->format = PFIFO_DECODE_JSON;
        return 0;
    case ARGP_KEY_ARGS:
        grep->query = state->argv[state->next];
        grep->files = state->argv + state->next + 1;
        grep->file_count = state->argc - state->next - 1;
        return 0;
    case ARGP_KEY_END:
        cmd_grep_end(grep, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&source_argp, 0, "What the files are:", 1},
    {&select_argp, 0, "More conditions:", 2},
    NAMES_OPTION_CHILD,
    {0},
};

static const struct argp grep_argp = {
    options,
    cmd_grep_parse,
    "QUERY FILE...",
    "Print the lines of command streams that match a query."
    "\vA QUERY is made of terms:\n"
    "  CLEAR_SURFACE, SET_*, 0x1400..0x14ff   a method\n"
    "  FERMI_A.SET_*, 9097.*                  a method of a class\n"
    "  LAUNCH_DMA.SRC_MEMORY_LAYOUT=PITCH     a method whose field has a value\n"
    "  SET_COLOR_TARGET_WIDTH>=1024           a method whose data has a value\n"
    "  class= method= data= subc= channel= submission= address= word= count=\n"
    "  target= event= form= text=             what decode --json calls so\n"
    "They are joined by and (or nothing), or, not, and parentheses. Behind = != < <= > >= stand lists of numbers, "
    "ranges (3..5) and globs. pfifo-query(7) has all of it.\n"
    "The exit status is 0 if something matched, 1 if nothing did, and 2 if something could not be read.",
    children,
    NULL,
    NULL,
};

static bool grep_prints_name(const struct grep *grep) {
    return grep->file_count > 1 && !grep->list && grep->source.options.format != PFIFO_DECODE_JSON;
}

/* Lines of several files have a heading each, as their columns are to stay in line. */
static bool write_with_name(void *opaque, const char *text, size_t bytes) {
    const char **name = opaque;

    if (*name)
        printf("%s:\n", *name);
    *name = NULL;
    return tool_write(stdout, text, bytes);
}

static enum pfifo_status grep_file(struct grep *grep, const char *path, struct pfifo_error *error) {
    bool counts = grep->source.options.format == PFIFO_DECODE_NOTHING;
    const char *name = grep_prints_name(grep) && !counts ? path : NULL;
    enum pfifo_status status;

    grep->matches = 0;
    status = source_decode(&grep->source, path, write_with_name, &name, error);
    if (grep->list && grep->matches)
        printf("%s\n", path);
    if (grep->count && status == PFIFO_OK)
        printf("%s%s%" PRIu64 "\n", grep_prints_name(grep) ? path : "", grep_prints_name(grep) ? ":" : "",
               grep->matches);
    return status;
}

enum tool_status cmd_grep(int argc, char **argv) {
    struct grep grep = {0};
    bool any = false, failed = false;

    command_line_parse_listing(&grep_argp, argc, argv, paint_stream, &grep);
    for (int i = 0; i < grep.file_count && !ferror(stdout); i++) {
        struct pfifo_error error = {0};
        if (grep_file(&grep, grep.files[i], &error) != PFIFO_OK) {
            source_message(&error);
            failed = true;
        }
        any = any || grep.matches;
    }
    pfifo_query_free(grep.source.options.query);
    return failed ? TOOL_FAILED : any ? TOOL_OK : TOOL_FAULTED;
}
