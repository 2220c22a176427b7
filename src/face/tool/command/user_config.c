/* SPDX-License-Identifier: MIT */
#include "face/tool/command/user_config.h"

#include <pfifo/nearest.h>

#include "face/tool/tool.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { CONFIG_BYTES = 65536, CONFIG_OPTIONS = 256 };

/* What is read: a line, and where it is. */
struct reader {
    struct user_config *config;
    const char *command;
    const struct argp *argp;
    unsigned line;
    bool in_section, wanted; /* a section has begun; it is that of the command */
};

/* ---- the file ---- */

/* False: no memory. A path of NULL: there is no place for it. */
static bool find_file(char **path, bool *given) {
    const char *named = getenv("PFIFO_CONFIG"), *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int length = 0;

    *path = NULL;
    *given = named != NULL;
    if (named && *named)
        length = asprintf(path, "%s", named);
    else if (named)
        return true;
    else if (base && base[0] == '/') /* a relative one is to be ignored, says the XDG Base Directory Specification */
        length = asprintf(path, "%s/pfifo/config", base);
    else if (home && *home)
        length = asprintf(path, "%s/.config/pfifo/config", home);
    if (length < 0)
        *path = NULL;
    return length >= 0;
}

static bool whole_file(const char *path, char *text, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    int reason;

    if (!file)
        return false;
    *bytes = fread(text, 1, CONFIG_BYTES, file);
    reason = ferror(file) ? errno : 0;
    fclose(file);
    errno = reason;
    return !reason;
}

/* ---- a line ---- */

static bool PFIFO_PRINTF(2, 3) wrong(const struct reader *reader, const char *format, ...) {
    char reason[256];
    va_list args;

    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    va_end(args);
    tool_message("%s:%u: %s", reader->config->path, reader->line, reason);
    return false;
}

/* Without the blanks around it. */
static char *trimmed(char *text) {
    size_t length;

    text += strspn(text, " \t\r");
    length = strlen(text);
    while (length && strchr(" \t\r", text[length - 1]))
        length--;
    text[length] = 0;
    return text;
}

static const struct argp_option *option_of(const struct argp *argp, const char *name) {
    for (const struct argp_option *option = argp->options; option && (option->name || option->key); option++)
        if (option->name && strcmp(option->name, name) == 0)
            return option;
    for (const struct argp_child *child = argp->children; child && child->argp; child++) {
        const struct argp_option *option = option_of(child->argp, name);
        if (option)
            return option;
    }
    return NULL;
}

static void try_options(struct pfifo_nearest *nearest, const struct argp *argp) {
    for (const struct argp_option *option = argp->options; option && (option->name || option->key); option++)
        pfifo_nearest_try(nearest, option->name);
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        try_options(nearest, child->argp);
}

static bool no_such_option(const struct reader *reader, const char *name) {
    struct pfifo_nearest nearest;

    pfifo_nearest_begin(&nearest, name);
    try_options(&nearest, reader->argp);
    if (nearest.name[0])
        return wrong(reader, "pfifo %s has no option '%.60s'; did you mean '%s'?", reader->command, name, nearest.name);
    return wrong(reader, "pfifo %s has no option '%.60s'", reader->command, name);
}

static bool user_config_add(const struct reader *reader, const char *name, const char *value) {
    struct user_config *config = reader->config;
    char *word = NULL;

    if (config->count == CONFIG_OPTIONS)
        return wrong(reader, "more than %d options", CONFIG_OPTIONS);
    if (!config->options)
        config->options = calloc(CONFIG_OPTIONS, sizeof *config->options);
    if (!config->options || asprintf(&word, "--%s%s%s", name, value ? "=" : "", value ? value : "") < 0)
        return wrong(reader, "no memory");
    config->options[config->count++] = (struct user_option){reader->line, word};
    return true;
}

static bool option_line(const struct reader *reader, const char *name, const char *value) {
    const struct argp_option *option = option_of(reader->argp, name);

    if (!option)
        return no_such_option(reader, name);
    if (option->arg)
        return value || (option->flags & OPTION_ARG_OPTIONAL) ? user_config_add(reader, name, value)
                                                              : wrong(reader, "'%s' needs a value", name);
    if (value && strcmp(value, "no") == 0)
        return true;
    if (value && strcmp(value, "yes") != 0)
        return wrong(reader, "'%s' is yes or no, not '%.60s'", name, value);
    return user_config_add(reader, name, NULL);
}

static bool section_line(struct reader *reader, char *text) {
    char *end = strchr(text, ']');

    if (!end || end[1])
        return wrong(reader, "a section is [COMMAND]");
    *end = 0;
    text = trimmed(text);
    if (!tool_has_command(text))
        return wrong(reader, "there is no command '%.60s'", text);
    reader->in_section = true;
    reader->wanted = strcmp(text, reader->command) == 0;
    return true;
}

static bool user_config_read_line(struct reader *reader, char *text) {
    char *equals;

    text = trimmed(text);
    if (!*text || *text == '#')
        return true;
    if (*text == '[')
        return section_line(reader, text + 1);
    if (!reader->in_section)
        return wrong(reader, "an option before the first [COMMAND]");
    equals = strchr(text, '=');
    if (equals)
        *equals = 0;
    text = trimmed(text);
    if (!*text || strpbrk(text, " \t") || *text == '-')
        return wrong(reader, "a line is OPTION = VALUE, without the --");
    return !reader->wanted || option_line(reader, text, equals ? trimmed(equals + 1) : NULL);
}

static bool read_lines(struct reader *reader, char *text, size_t bytes) {
    if (bytes == CONFIG_BYTES) {
        tool_message("%s: it is too large", reader->config->path);
        return false;
    }
    text[bytes] = 0;
    for (char *next = text; next; text = next) {
        reader->line++;
        next = memchr(text, '\n', bytes);
        if (next) {
            *next++ = 0;
            bytes -= (size_t)(next - text);
        }
        if (strlen(text) != (next ? (size_t)(next - 1 - text) : bytes))
            return wrong(reader, "this is no text");
        if (!user_config_read_line(reader, text))
            return false;
    }
    return true;
}

bool user_config_read(struct user_config *config, const char *command, const struct argp *argp) {
    struct reader reader = {.config = config, .command = command, .argp = argp};
    size_t bytes = 0;
    bool given, read;
    char *text;

    *config = (struct user_config){0};
    if (!find_file(&config->path, &given)) {
        tool_message("no memory");
        return false;
    }
    if (!config->path)
        return true;
    text = malloc(CONFIG_BYTES + 1);
    read = text && whole_file(config->path, text, &bytes);
    if (!read && !given && (errno == ENOENT || errno == ENOTDIR)) {
        free(text);
        return true;
    }
    if (!read)
        tool_cannot(config->path, "read");
    read = read && read_lines(&reader, text, bytes);
    free(text);
    return read;
}
