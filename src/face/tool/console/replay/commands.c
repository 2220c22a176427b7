/* SPDX-License-Identifier: MIT */
/* Lines are commands: by their names, their beginnings, or a letter, as gdb has them. */
#include "face/tool/console/replay/debug.h"

#include <pfifo/classes.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines ---- */

static const char blanks[] = " \t\r\f\v";

/* In place; "x/8xw" is two words. */
static bool debug_commands_split(char *line, char **word, unsigned *count, struct pfifo_error *error) {
    char *rest = NULL;

    *count = 0;
    for (char *at = strtok_r(line, blanks, &rest); at; at = strtok_r(NULL, blanks, &rest)) {
        if (*count == DEBUG_WORDS)
            return refuse(error, "more than %d words in a line", DEBUG_WORDS);
        word[(*count)++] = at;
    }
    return true;
}

/* "x/8xw 0x1000" to "x /8xw 0x1000", without blanks at the ends and comments. */
static bool tidy(const char *line, char copy[DEBUG_LINE_BYTES], struct pfifo_error *error) {
    size_t length, format;

    line += strspn(line, blanks);
    if (strlen(line) + 2 > DEBUG_LINE_BYTES)
        return refuse(error, "the line is longer than %d bytes", DEBUG_LINE_BYTES - 2);
    for (const char *at = line; *at; at++)
        if (iscntrl((unsigned char)*at) && !isspace((unsigned char)*at))
            return refuse(error, "the line is not text");
    if (line[0] == '#')
        line = "";
    format = verbs_format_at(line);
    if (format)
        snprintf(copy, DEBUG_LINE_BYTES, "%.*s %s", (int)format, line, line + format);
    else
        snprintf(copy, DEBUG_LINE_BYTES, "%s", line);
    for (length = strlen(copy); length && isspace((unsigned char)copy[length - 1]); length--)
        copy[length - 1] = 0;
    return true;
}

static bool execute(struct debug *debug, const char *line, struct pfifo_error *error) {
    char copy[DEBUG_LINE_BYTES], words[DEBUG_LINE_BYTES], *word[DEBUG_WORDS];
    const struct debug_verb *command;
    unsigned count;

    if (!tidy(line, copy, error))
        return false;
    memcpy(words, copy, sizeof words);
    if (!debug_commands_split(words, word, &count, error))
        return false;
    if (!count)
        return true;
    command = debug_verb_find(word[0], error);
    if (!command || !verbs_fit(command->verb, count, error))
        return false;
    const char *rest = copy + strlen(word[0]);
    word[0] = (char *)(uintptr_t)command->verb->name;
    return command->run(debug, count, word, rest + strspn(rest, blanks), error);
}

/* Without blanks at the end, of a line that is not too long. */
static const char *tidied(const char *line, char copy[DEBUG_LINE_BYTES]) {
    size_t length = strlen(line);

    while (length && strchr(blanks, line[length - 1]))
        length--;
    if (length >= DEBUG_LINE_BYTES)
        return line;
    memcpy(copy, line, length);
    copy[length] = 0;
    return copy;
}

/* Whatever prints to standard output does it into a text. */
static bool execute_json(struct debug *debug, const char *line, struct pfifo_error *error) {
    FILE *out = stdout;
    char *text = NULL, copy[DEBUG_LINE_BYTES];
    size_t bytes = 0;
    bool done;

    stdout = open_memstream(&text, &bytes);
    if (!stdout) {
        stdout = out;
        return refuse(error, "no memory");
    }
    done = execute(debug, line, error);
    fclose(stdout);
    stdout = out;
    debug_json(debug, tidied(line, copy), text ? text : "", done ? NULL : error, stdout);
    free(text);
    return done;
}

bool debug_line(struct debug *debug, const char *line, struct pfifo_error *error) {
    line += strspn(line, blanks);
    debug->stopped = debug->went_back = false;
    return debug->json && line[0] && line[0] != '#' ? execute_json(debug, line, error) : execute(debug, line, error);
}

/* ---- completion ---- */

/* Methods of the classes that have been bound. */
static const char *method_word(const struct debug *debug, size_t index) {
    struct pfifo_method_name method;

    for (size_t i = 0; i < debug->objects; i++) {
        size_t count = pfifo_method_count(debug->object[i].oclass);
        if (index < count)
            return pfifo_method_at(debug->object[i].oclass, index, &method) ? method.name : "";
        index -= count;
    }
    return NULL;
}

static const char *event_word(size_t index) {
    return index < pfifo_event_count() ? pfifo_event_info(index)->name : NULL;
}

static const char *break_word(const struct debug *debug, size_t index) {
    size_t kinds = 0;

    while (breaks_word(kinds))
        kinds++;
    return index < kinds ? breaks_word(index) : method_word(debug, index - kinds);
}

static const char *verb_word(size_t index) {
    const struct verb *verb = debug_verbs.at(index);

    return verb ? verb->name : NULL;
}

static const char *breakpoint_word(const struct debug *debug, const char *verb, const char *kind, size_t index) {
    bool first = !kind[0];

    if (strcmp(verb, "watch") == 0)
        return NULL;
    if (strcmp(verb, "catch") == 0)
        return first ? event_word(index) : NULL;
    return first                        ? break_word(debug, index)
           : strcmp(kind, "event") == 0 ? event_word(index)
                                        : method_word(debug, index);
}

const char *debug_word(void *opaque, const char *line, size_t begin, size_t index) {
    const struct debug *debug = opaque;
    char first[16] = "", second[16] = "";
    int fields = 0;

    if (begin < DEBUG_LINE_BYTES) {
        char before[DEBUG_LINE_BYTES];
        snprintf(before, sizeof before, "%.*s", (int)begin, line);
        fields = sscanf(before, "%15s %15s", first, second);
    }
    if (fields <= 0)
        return verb_word(index);
    const struct debug_verb *command = debug_verb_find(first, NULL);
    debug_command *run = command ? command->run : NULL;
    if (run == debug_cmd_break)
        return breakpoint_word(debug, command->verb->name, second, index);
    if (run == debug_cmd_print)
        return method_word(debug, index);
    if (run == debug_cmd_info)
        return fields == 1 ? debug_info_word(index) : NULL;
    if (run == debug_cmd_next || run == debug_cmd_step || run == debug_cmd_back)
        return run_unit_name((enum run_unit)(index < RUN_UNITS ? index : RUN_UNITS));
    return command && command->verb == &verb_help ? verbs_help_word(&debug_verbs, index) : NULL;
}
