/* SPDX-License-Identifier: MIT */
/*
 * pfifo explain: what methods, classes, registers, errors, events, words of a pushbuffer and structures in memory are, in words.
 */
#include "face/tool/command/command_line.h"
#include "face/tool/command/refuse.h"
#include "face/tool/explain/explain.h"
#include "face/tool/explain/log/log.h"
#include "face/tool/explain/structure.h"
#include "face/tool/tool.h"

#include "face/common/text.h"
#include "face/tool/command/names_option.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define KINDS "gpfifo, qmd, tic, tsc, pte, pde, pde0, userd or ramfc"

enum cmd_explain_option_key { KEY_AS = 256, KEY_AT };

struct cmd_explain {
    struct explain explain;
    bool has_kind;
    enum pfifo_structure_kind kind;
    struct explain_capture capture; /* the one that was named last; no path: none */
    char **things;
    int count;
};

static const struct argp_option options[] = {
    {"chip", 'c', "CHIP", 0, "Only what this chip has; numbers are also registers and words of its pushbuffers", 0},
    {"as", KEY_AS, "KIND", 0, "All THINGs are words of a structure in memory: " KINDS, 0},
    {"at", KEY_AT, "PLACE", 0, PLACE_HELP "Default: the last time that the memory of the capture was there", 0},
    {"json", 'j', NULL, 0, "Print JSON, an object per line", 0},
    {0},
};

static error_t cmd_explain_parse(int key, char *arg, struct argp_state *state) {
    struct cmd_explain *command = state->input;

    switch (key) {
    case 'c':
        command->explain.chip = tool_chip(state, arg);
        return 0;
    case 'j':
        command->explain.json = true;
        return 0;
    case KEY_AS:
        command->has_kind = pfifo_structure_kind_by_name(arg, &command->kind);
        if (!command->has_kind)
            argp_error(state, "--as is " KINDS ", not '%.40s'", arg);
        return 0;
    case KEY_AT:
        place_parse(&command->capture.at, "at", arg, state);
        return 0;
    case ARGP_KEY_END:
        if (command->has_kind && !command->explain.chip)
            argp_error(state, "--as needs the chip whose structures they are: --chip=CHIP");
        return 0;
    case ARGP_KEY_ARGS:
        command->things = state->argv + state->next;
        command->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "what is to be explained is missing");
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp explain_argp = {
    options,
    cmd_explain_parse,
    "THING...",
    "Say in words what something is: where it is, what its bits mean, which classes and chips have it."
    "\vA THING is one of\n"
    "  FERMI_A, 9097                        a class\n"
    "  GF100                                a chip\n"
    "  CLEAR_SURFACE, FERMI_A.CLEAR_SURFACE, 9097.0x19d0\n"
    "                                       a method; with =0x3c, that data\n"
    "  CLEAR_SURFACE.R_ENABLE               a field; with =TRUE, that value\n"
    "  PFIFO.INTR, CACHE1_CTX[3], 0x2100    a register; with =0x1000, that value\n"
    "  PBENTRY, PGRAPH.ILLEGAL_MTHD, DATA_ERROR=0xc\n"
    "                                       an error\n"
    "  puller.method                        an event of run --trace\n"
    "  0x20018000                           a word of a pushbuffer of --chip\n"
    "  0x0000120200010000                   64 bits: of a ring or page table\n"
    "  gpfifo:0x0000120200010000, pte:..., tic:WORD,WORD...\n"
    "                                       its words, as with --as\n"
    "  CAPTURE qmd:last, qmd:0x10200, tic:3, pte:buffer:2+0x100\n"
    "                                       the same in the memory of a capture\n"
    "  puller, CACHE1, RAMHT, TSG           a word of the field\n"
    "  'gr: ... [INVALID_BITFIELD] ... class 9097 mthd 19d0 data 0000003c'\n"
    "                                       a line of the kernel's log\n"
    "  -, FILE                              a log: dmesg | pfifo explain -\n"
    "Each meaning of a THING is explained. The exit status is 2 if a THING is not known.",
    names_option_children,
    NULL,
    NULL,
};

/* False: no name is that long, or has so many parts. */
static bool take_apart(const char *text, struct explain_thing *thing) {
    size_t length = strcspn(text, "=");
    const char *at = thing->whole;

    *thing = (struct explain_thing){.text = text, .value = text[length] ? text + length + 1 : NULL};
    if (length >= sizeof thing->whole)
        return false;
    memcpy(thing->whole, text, length);
    for (bool more = true; more; thing->parts++) {
        size_t bytes = strcspn(at, ".");
        if (!bytes || bytes >= EXPLAIN_BYTES || thing->parts == EXPLAIN_PARTS)
            return false;
        memcpy(thing->part[thing->parts], at, bytes);
        more = at[bytes] == '.';
        at += bytes + more;
    }
    return true;
}

static void explain_all(struct explain *explain) {
    const struct explain_thing *thing = explain->thing;
    const struct pfifo_class *class;
    size_t terms;

    explain_term(explain);
    terms = explain->readings;
    class = thing->parts == 1 && !thing->value ? explain_class_of(explain, thing->part[0]) : NULL;
    if (class && explain_chip_has_class(explain->chip, class))
        explain_class(explain, class);
    explain_chip(explain);
    explain_methods(explain);
    explain_fields(explain);
    explain_event(explain);
    explain_errors(explain);
    /* Digits that are a class are not the decimal number. */
    if (!class || strncasecmp(thing->text, "0x", 2) == 0) {
        explain_registers(explain);
        explain_pushed(explain);
        explain_pair(explain);
    }
    if (explain->readings == terms) {
        explain_members(explain);
        explain_register_members(explain);
    }
}

/* METHOD.FIELD of any class. */
static bool cmd_explain_has_field(const struct explain_thing *thing) {
    struct pfifo_method_name method;
    struct pfifo_field field;
    uint32_t offset;

    for (size_t i = 0; i < pfifo_class_count(); i++) {
        uint32_t id = pfifo_class_at(i)->id;
        if (pfifo_method_by_name(id, thing->part[0], &offset) && pfifo_method_find(id, offset, &method) &&
            pfifo_field_find(&method, thing->part[1], &field))
            return true;
    }
    return false;
}

/* What is before = is known. `near`: what may have been meant, empty: nothing. */
static bool only_the_value_is_wrong(const struct explain *explain, const char *near) {
    const struct explain_thing *thing = explain->thing;
    const struct pfifo_class *class = thing->parts > 1 ? explain_class_of(explain, thing->part[0]) : NULL;
    struct pfifo_method_name method;
    struct pfifo_field field;

    if (!thing->value || near[0])
        return thing->value && strcasecmp(near, thing->whole) == 0;
    if (!class)
        return thing->parts == 2 && cmd_explain_has_field(thing);
    return explain_method_of(class->id, thing->part[1], &method) &&
           (thing->parts == 2 || pfifo_field_find(&method, thing->part[2], &field));
}

static void cmd_explain_unknown(struct explain *explain) {
    const char *chip = explain->chip ? pfifo_chip_info(explain->chip).name : NULL;
    char near[EXPLAIN_PARTS * EXPLAIN_BYTES + EXPLAIN_BYTES] = "";
    const char *text = explain->thing->text;
    struct pfifo_error error = {0};
    uint64_t number;

    if (explain->thing->parts && !explain_nearest(explain, near, sizeof near))
        near[0] = 0;
    if (explain_is_number(text, &number) && !explain->chip)
        tool_message("'%.80s' is not a class; with --chip=CHIP it may be %s", text,
                     number > UINT32_MAX ? "an entry of a ring or of a page table"
                                         : "a register or a word of a pushbuffer");
    else if (strpbrk(text, "*?"))
        tool_message("'%.80s': explain takes a name, not a glob", text);
    else if (explain->thing->parts && explain_wrong_index(explain, &error))
        tool_message("'%.80s': %s", text, error.message);
    else if (explain->thing->parts && only_the_value_is_wrong(explain, near))
        tool_message("'%.80s': '%.40s' is neither a number nor the name of a value there", text, explain->thing->value);
    else if (chip && strcasecmp(near, text) == 0)
        tool_message("%s has no '%.80s'; other chips have it", chip, text);
    else
        tool_message("%s%s '%.80s'%s%s%s", chip ? chip : "there is nothing called", chip ? " has nothing called" : "",
                     text, near[0] ? "; did you mean '" : "", near, near[0] ? "'?" : "");
}

/* A file of that name, which is not a thing; or what comes in for "-". False: it cannot be opened. */
static bool explain_file(struct explain *explain, const char *path) {
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    size_t lines;

    if (!file)
        return false;
    lines = log_explain(explain, file);
    if (!lines)
        tool_message("%s: no line reports an error of a GPU", file == stdin ? "standard input" : path);
    if (file != stdin)
        fclose(file);
    return true;
}

/* A log in one text, or a line that was cut out of one. */
static bool explain_lines(struct explain *explain, struct explain_thing *thing) {
    explain->thing = thing;
    explain_term(explain);
    explain->thing = NULL;
    if (explain->readings || log_explain_text(explain, thing->text))
        return true;
    explain_log(explain, thing->text);
    if (!explain->readings && explain_file(explain, thing->text))
        return explain->readings != 0;
    if (!explain->readings)
        tool_message("'%.80s': the line names no error, class or method that is known", thing->text);
    return explain->readings != 0;
}

/* ---- structures ---- */

/* KIND:WORDS. `rest`: the words. */
static bool is_structure(const char *text, enum pfifo_structure_kind *kind, const char **rest) {
    const char *colon = strchr(text, ':');
    char name[16] = "";

    if (!colon || (size_t)(colon - text) >= sizeof name)
        return false;
    memcpy(name, text, (size_t)(colon - text));
    *rest = colon + 1;
    return pfifo_structure_kind_by_name(name, kind);
}

/* All words are read, and are structures of the kind. */
static bool explain_words_as(struct explain *explain, enum pfifo_structure_kind kind, const char *text,
                             const char *where, const struct explain_words *words) {
    const struct explain_thing thing = {.text = text};
    struct pfifo_error error = {0};
    bool done;

    explain->thing = &thing;
    done = explain_structures(explain, kind, words, where, &error);
    explain->thing = NULL;
    if (!done)
        tool_message("'%.80s': %s", text, error.message);
    return done;
}

/* Words of the capture, on the chip that it runs on. */
static bool explain_in_capture(struct cmd_explain *command, enum pfifo_structure_kind kind, const char *text,
                               const char *place, struct explain_words *words) {
    const struct pfifo_chip *wanted = command->explain.chip;
    struct pfifo_error error = {0};
    bool done = explain_capture_words(&command->capture, kind, place, words, &command->explain.chip, &error);

    if (!done)
        tool_message_error(command->capture.path, NULL, &error);
    done = done && explain_words_as(&command->explain, kind, text, text, words);
    command->explain.chip = wanted;
    return done;
}

static bool explain_structure_thing(struct cmd_explain *command, enum pfifo_structure_kind kind, const char *text,
                                    const char *rest) {
    struct explain *explain = &command->explain;
    struct explain_words *words = calloc(1, sizeof *words);
    struct pfifo_error error = {0};
    bool done = false;

    if (!words)
        tool_message("no memory");
    else if (command->capture.path)
        done = explain_in_capture(command, kind, text, rest, words);
    else if (!explain->chip)
        tool_message("'%.80s': --chip=CHIP says whose structure it is", text);
    else if (!explain_words_read(words, rest, &error) || (!words->count && !refuse(&error, "there are no words")))
        tool_message("'%.80s': %s", text, error.message);
    else
        done = explain_words_as(explain, kind, text, "", words);
    free(words);
    return done;
}

/* --as: words, files of words and the standard input, one after the other. */
static bool cmd_explain_as(struct cmd_explain *command) {
    struct explain_words *words = calloc(1, sizeof *words);
    struct pfifo_error error = {0};
    bool done = words != NULL;

    for (int i = 0; done && i < command->count; i++) {
        const char *text = command->things[i];
        const bool file = strcmp(text, "-") == 0 || access(text, R_OK) == 0;
        done = file ? explain_words_file(words, text, &error) : explain_words_read(words, text, &error);
    }
    if (!done)
        tool_message("%s", words ? error.message : "no memory");
    done = done && explain_words_as(&command->explain, command->kind, command->things[0], "", words);
    free(words);
    return done;
}

/* Is it a file with a capture? Then what comes after it is in there. */
static bool is_capture(struct cmd_explain *command, const char *text) {
    struct pfifo_stream *stream = access(text, R_OK) == 0 ? tool_open(text, NULL) : NULL;

    if (stream)
        command->capture.path = text;
    pfifo_stream_close(stream);
    return stream != NULL;
}

static bool explain_thing(struct cmd_explain *command, const char *text) {
    struct explain *explain = &command->explain;
    enum pfifo_structure_kind kind;
    struct explain_thing thing;
    const char *words;
    bool whole = take_apart(text, &thing);

    explain->readings = 0;
    if (strcmp(text, "-") == 0)
        return explain_file(explain, text) && explain->readings;
    if (is_capture(command, text))
        return true;
    if (is_structure(text, &kind, &words) && (!explain_is_line(text) || *words != ' '))
        return explain_structure_thing(command, kind, text, words);
    if (explain_is_line(text))
        return explain_lines(explain, &thing);
    if (!whole)
        thing.parts = 0;
    explain->thing = &thing;
    if (whole)
        explain_all(explain);
    if (!explain->readings && explain_file(explain, text))
        return explain->readings != 0;
    explain->thing = &thing;
    if (!explain->readings)
        cmd_explain_unknown(explain);
    explain->thing = NULL;
    return explain->readings != 0;
}

/* A capture, and nothing of it is asked for. */
static enum tool_status explain_capture_alone(const char *path) {
    tool_message_of(path,
                    "it is a capture: a structure in its memory is named after it, as qmd:0xADDRESS, and pfifo decode "
                    "prints it");
    return TOOL_FAILED;
}

enum tool_status cmd_explain(int argc, char **argv) {
    struct cmd_explain command = {0};
    enum tool_status status = TOOL_OK;

    command_line_parse_listing(&explain_argp, argc, argv, paint_explain, &command);
    if (command.has_kind && !cmd_explain_as(&command))
        status = TOOL_FAILED;
    for (int i = 0; !command.has_kind && i < command.count && !ferror(stdout); i++)
        if (!explain_thing(&command, command.things[i]))
            status = TOOL_FAILED;
    if (!command.has_kind && command.capture.path && command.count &&
        command.capture.path == command.things[command.count - 1])
        status = explain_capture_alone(command.capture.path);
    place_free(&command.capture.at);
    explain_free_tables(&command.explain);
    return status;
}
