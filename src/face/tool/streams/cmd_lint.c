/* SPDX-License-Identifier: MIT */
/*
 * pfifo lint: hazards of captures.
 */
#include <pfifo/classes.h>
#include <pfifo/lint.h>

#include "face/common/json_writer.h"
#include "face/common/naming.h"
#include "chip/counted.h"
#include "face/tool/command/command_line.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/command/names_option.h"
#include "face/tool/command/source.h"
#include "face/tool/replay/missing.h"
#include "face/tool/tool.h"

#include <inttypes.h>

enum cmd_lint_option_key { KEY_JSON = 'j', KEY_RULE = 256, KEY_LIST, KEY_BUDGET };

struct lint {
    struct source source;
    struct pfifo_lint_options options;
    const char *file;
    bool json, list;
    char **files;
    int file_count;
};

static const struct argp_option options[] = {
    {"rule", KEY_RULE, "GLOB[,GLOB...]", 0, "Only rules with these names", 0},
    {"list-rules", KEY_LIST, NULL, 0, "Print the rules and exit", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON, an object per finding", 0},
    {"budget", KEY_BUDGET, "N", 0, "Give up a submission after N units of work, as pfifo run does", 0},
    {0},
};

static error_t cmd_lint_parse(int key, char *arg, struct argp_state *state) {
    struct lint *lint = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &lint->source;
        return 0;
    case KEY_RULE:
        lint->options.rules = arg;
        return 0;
    case KEY_LIST:
        lint->list = true;
        return 0;
    case KEY_JSON:
        lint->json = true;
        return 0;
    case KEY_BUDGET:
        lint->options.budget = tool_number(state, "budget", arg);
        if (!lint->options.budget)
            argp_error(state, "--budget 0 does nothing");
        return 0;
    case ARGP_KEY_ARGS:
        lint->files = state->argv + state->next;
        lint->file_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        if (!lint->list && !lint->file_count)
            argp_error(state, "a capture is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&source_capture_argp, 0, "What the files are:", 1},
    NAMES_OPTION_CHILD,
    {0},
};

static const struct argp lint_argp = {
    options,
    cmd_lint_parse,
    "CAPTURE...",
    "Run captures on the model, and print what in them may go wrong on hardware, or waits forever."
    "\vOf chips from Volta on, whose machine is not built, the words are decoded, and only rules run that need no "
    "machine.\n"
    "Equal findings are printed once, with how many there are. What the model itself refuses is a fault, and only "
    "counted here, unless it is for want of state (state-missing): pfifo run prints the faults.\n"
    "The exit status is 0 if nothing was found, 1 if something was or there were faults, and 2 if something could not "
    "be "
    "read or the rest of a capture could not be run.",
    children,
    NULL,
    NULL,
};

/* Empty if it has no name. */
static void name_method(const struct pfifo_lint_finding *finding, char name[PFIFO_METHOD_NAME_BYTES]) {
    struct pfifo_method_name method;

    name[0] = 0;
    if (pfifo_method_find(finding->name_class, finding->word.method, &method))
        naming_method(&method, name, PFIFO_METHOD_NAME_BYTES);
}

static const char *name_class(uint32_t id) {
    const struct pfifo_class *known = pfifo_class_find(id);

    return known ? known->name : NULL;
}

static void lint_print_text(const struct lint *lint, const struct pfifo_lint_finding *finding) {
    const struct pfifo_replay_word *word = &finding->word;
    const char *class = name_class(finding->name_class);
    char name[PFIFO_METHOD_NAME_BYTES];

    printf("%s: submission %" PRIu32 ", channel %" PRIu32 ": %s: %s\n", lint->file, finding->submission,
           finding->channel, finding->rule->severity, finding->rule->name);
    printf("    %s", finding->text);
    if (finding->count > 1)
        printf(" (%" PRIu64 " times)", finding->count);
    putchar('\n');
    if (word->has_address)
        printf("    at 0x%" PRIx64, word->address);
    if (word->in_push)
        printf(", buffer %" PRIu32 " + 0x%" PRIx64, word->buffer, word->offset);
    if (word->has_method) {
        name_method(finding, name);
        printf("%ssubchannel %" PRIu32, word->has_address ? ": " : "    ", word->subchannel);
        if (finding->name_class)
            printf(", 0x%04" PRIx32 " %s", finding->name_class, class ? class : "?");
        printf(", 0x%04" PRIx32 " %s, data 0x%08" PRIx32, word->method, name[0] ? name : "?", word->data);
    }
    if (word->has_address || word->has_method)
        putchar('\n');
    missing_text(word, "    ", stdout);
}

static void lint_method_json(const struct pfifo_lint_finding *finding, struct json_writer *json) {
    const char *class = name_class(finding->name_class);
    char name[PFIFO_METHOD_NAME_BYTES];

    json_put_number(json, "subchannel", finding->word.subchannel);
    if (finding->name_class)
        json_put_number(json, "class", finding->name_class);
    if (class)
        json_put_text(json, "class_name", class);
    name_method(finding, name);
    json_put_number(json, "method", finding->word.method);
    if (name[0])
        json_put_text(json, "name", name);
    json_put_number(json, "data", finding->word.data);
}

static void lint_print_json(const struct lint *lint, const struct pfifo_lint_finding *finding) {
    const struct pfifo_replay_word *word = &finding->word;
    struct json_writer json = {.file = stdout};

    json_open(&json, NULL, '{');
    json_put_text(&json, "file", lint->file);
    json_put_text(&json, "event", "finding");
    json_put_text(&json, "rule", finding->rule->name);
    json_put_text(&json, "severity", finding->rule->severity);
    json_put_number(&json, "submission", finding->submission);
    json_put_number(&json, "channel", finding->channel);
    if (word->has_address)
        json_put_number(&json, "address", word->address);
    if (word->in_push) {
        json_put_number(&json, "buffer", word->buffer);
        json_put_number(&json, "offset", word->offset);
    }
    if (word->has_method)
        lint_method_json(finding, &json);
    missing_json(word, &json);
    json_put_number(&json, "count", finding->count);
    json_put_text(&json, "text", finding->text);
    json_close_line(&json);
}

static bool print_finding(void *opaque, const struct pfifo_lint_finding *finding) {
    const struct lint *lint = opaque;

    (lint->json ? lint_print_json : lint_print_text)(lint, finding);
    return !ferror(stdout);
}

static bool lint_seen_enough(void *opaque) {
    (void)opaque;
    return interrupt_seen();
}

/* The rules that need a machine, or those that do not, by name. */
static void name_rules(const char *globs, bool needs_machine, char *buf, size_t size) {
    const struct pfifo_lint_rule *rule;
    size_t used = 0;

    buf[0] = 0;
    for (size_t i = 0; (rule = pfifo_lint_rule_at(i)); i++)
        if (rule->needs_machine == needs_machine && pfifo_lint_rule_wanted(rule, globs) && used < size)
            used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "", rule->name);
}

/* Without a machine some of the rules say nothing: which. */
static void note_decoded(const struct lint *lint, const char *file) {
    char ran[512], left_out[512];

    name_rules(lint->options.rules, false, ran, sizeof ran);
    name_rules(lint->options.rules, true, left_out, sizeof left_out);
    tool_message_of(file,
                    "the machine of the chip is not built, so the words were only decoded: rules that ran: %s%s%s", ran,
                    left_out[0] ? "; left out: " : "", left_out);
}

/* Say what it has not shown, and why it has not seen all of the capture. */
static void note_rest(const char *file, const struct pfifo_lint_result *result) {
    if (result->faults)
        tool_message_of(file, "%s: pfifo %s says which",
                        counted(result->faults, result->decoded ? "error" : "fault").text,
                        result->decoded ? "decode" : "run");
    if (result->left_out)
        tool_message_of(file, "not shown: %s", counted(result->left_out, "more finding").text);
    if (!result->whole && !interrupt_seen())
        tool_message_of(
            file, "the run has ended in submission %" PRIu64 ", and the rest was not looked at; pfifo run says why",
            result->submissions);
}

static enum tool_status lint_file(struct lint *lint, const char *file) {
    struct pfifo_error error = {0};
    struct pfifo_lint_result result = {0};
    struct pfifo_stream *stream = source_capture(&lint->source, file, &error);
    enum pfifo_status status = PFIFO_ERROR_IO;

    lint->file = file;
    lint->options.chip = lint->source.options.chip;
    if (stream)
        status = pfifo_lint_stream(stream, &lint->options, print_finding, lint, &result, &error);
    if (lint->options.rules)
        result.faults = 0; /* nobody asked */
    if (status == PFIFO_OK && result.decoded)
        note_decoded(lint, file);
    if (status == PFIFO_OK)
        note_rest(file, &result);
    else
        source_message(&error);
    pfifo_stream_close(stream);
    if (status != PFIFO_OK || !result.whole)
        return TOOL_FAILED;
    return result.findings || result.faults ? TOOL_FAULTED : TOOL_OK;
}

static void list_rules(void) {
    const struct pfifo_lint_rule *rule;

    for (size_t i = 0; (rule = pfifo_lint_rule_at(i)); i++)
        printf("%-24s %-8s %s\n", rule->name, rule->severity, rule->text);
}

enum tool_status cmd_lint(int argc, char **argv) {
    struct lint lint = {.options = {.size = sizeof lint.options, .enough = lint_seen_enough}};
    enum tool_status status = TOOL_OK;

    command_line_parse(&lint_argp, argc, argv, 0, &lint);
    if (lint.list) {
        list_rules();
        return TOOL_OK;
    }
    interrupt_begin();
    for (int i = 0; i < lint.file_count && !interrupt_seen() && !ferror(stdout); i++) {
        enum tool_status one = lint_file(&lint, lint.files[i]);
        status = one > status ? one : status;
    }
    interrupt_end();
    if (interrupt_seen() && fflush(stdout) == 0)
        interrupt_die();
    return status;
}
