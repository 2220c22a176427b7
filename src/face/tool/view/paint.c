/* SPDX-License-Identifier: MIT */
#include "face/tool/view/paint.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "7 4097 NV40_3D    1d94 CLEAR_BUFFERS": class and method of a line. */
#define CLASS_AND_METHOD "([0-9a-f]{4}( [A-Z0-9_]+)?) +([0-9a-f]{4}( [^ ]+)?)"

const struct paint_rule paint_stream[] = {
    {"^([^ {].*)$", {PAINT_TITLE}}, /* submission, file, macros of a channel */
    {"^(  segment .*)$", {PAINT_KEY}},
    {"^ +[0-9a-f]+ .*(ERROR.*)$", {PAINT_GONE}},
    {"^( +[0-9a-f]+) [0-9a-f]{8} [ =] [0-7] " CLASS_AND_METHOD, {PAINT_FAINT, PAINT_CLASS, PAINT_PLAIN, PAINT_NAME}},
    {"^( +[0-9a-f]+) [0-9a-f]{8,16} ", {PAINT_FAINT}},
    {NULL, {0}},
};

const struct paint_rule paint_disasm[] = {
    {"^( +Function : .*)$", {PAINT_TITLE}},
    {"^( *//.*)$", {PAINT_FAINT}},
    {"^( +/\\*[0-9a-f]+\\*/) +(@!?P[0-9T] )?([A-Z0-9_]+)", {PAINT_FAINT, PAINT_KEY, PAINT_NAME}},
    {NULL, {0}},
};

const struct paint_rule paint_diff[] = {
    {"^(---|\\+\\+\\+) ", {PAINT_TITLE}},
    {"^(@@.*)$", {PAINT_KEY}},
    {"^(-.*)$", {PAINT_GONE}},
    {"^(\\+.*)$", {PAINT_NEW}},
    {NULL, {0}},
};

const struct paint_rule paint_top[] = {
    {"^( +(COUNT|METHODS|PACKETS) .*)$", {PAINT_TITLE}},
    {"^ +[0-9]+ +[0-9]+ +" CLASS_AND_METHOD, {PAINT_CLASS, PAINT_PLAIN, PAINT_NAME}},
    {"^ +[0-9]+ +[0-9]+ +([0-9a-f]{4} [A-Z0-9_]+)$", {PAINT_CLASS}},
    {"^ +[0-9]+ +([a-z].*)$", {PAINT_NAME}},
    {NULL, {0}},
};

const struct paint_rule paint_state[] = {
    {"^([^ {].*)$", {PAINT_TITLE}},
    {"^( +[0-9a-f]{4}) ([A-Z0-9_()]+) ", {PAINT_FAINT, PAINT_NAME}},
    {NULL, {0}},
};

const struct paint_rule paint_explain[] = {
    {"^([^ {].*)$", {PAINT_TITLE}},
    {"^  ([A-Za-z0-9_]+) ", {PAINT_KEY}},
    {NULL, {0}},
};

const struct paint_rule paint_table[] = {
    {"^((chip|offset)  .*)$", {PAINT_TITLE}},
    {"^(0x[0-9a-f]+) +([A-Z0-9_.]+)", {PAINT_FAINT, PAINT_NAME}},
    {"^([A-Za-z0-9_.]+) ", {PAINT_NAME}},
    {NULL, {0}},
};

const struct paint_rule paint_run[] = {
    {"^ *[0-9]+ +([0-9]+|-) ([a-z0-9_]+\\.[a-z0-9_]+)", {PAINT_PLAIN, PAINT_NAME}},
    {"^([^ {].*)$", {PAINT_TITLE}},
    {"^  ([a-z][a-z ]*[a-z])   ", {PAINT_KEY}},
    {NULL, {0}},
};

const struct paint_rule paint_debug[] = {
    {"^((Temporary b|B)reakpoint|Watchpoint|Catchpoint|Fault)", {PAINT_NEW}},
    {"^(submission [0-9]+, .*)$", {PAINT_TITLE}},
    {"^(=>) .* " CLASS_AND_METHOD, {PAINT_KEY, PAINT_CLASS, PAINT_PLAIN, PAINT_NAME}},
    {"^ +[0-9a-f]+ .*(ERROR.*)$", {PAINT_GONE}},
    {"^( +[0-9a-f]+) [0-9a-f]{8} [ =] [0-7] " CLASS_AND_METHOD, {PAINT_FAINT, PAINT_CLASS, PAINT_PLAIN, PAINT_NAME}},
    {"^( +[0-9a-f]+) [0-9a-f]{8,16} ", {PAINT_FAINT}},
    {"^(0x[0-9a-f]+) ([A-Z0-9_.]+)", {PAINT_FAINT, PAINT_NAME}},
    {NULL, {0}},
};

static const char *const sequences[] = {
    [PAINT_PLAIN] = "",        [PAINT_TITLE] = "\033[1m", [PAINT_FAINT] = "\033[2m", [PAINT_CLASS] = "\033[36m",
    [PAINT_NAME] = "\033[32m", [PAINT_KEY] = "\033[36m",  [PAINT_GONE] = "\033[31m", [PAINT_NEW] = "\033[32m",
};

#define PAINT_RESET "\033[m"

enum { OUT_BYTES = PAINT_LINE_BYTES + 2 * PAINT_GROUPS * 8 + 1 };

struct painter {
    const struct paint_rule *rules;
    regex_t expressions[PAINT_RULES];
    size_t count;
    char line[PAINT_LINE_BYTES + 1];
    size_t used;
    bool skipped; /* the line has become too long, and is written as it comes */
};

struct painter *painter_new(const struct paint_rule *rules) {
    struct painter *painter = calloc(1, sizeof *painter);

    if (!painter)
        return NULL;
    painter->rules = rules;
    for (; rules[painter->count].lines && painter->count < PAINT_RULES; painter->count++) {
        if (regcomp(&painter->expressions[painter->count], rules[painter->count].lines, REG_EXTENDED) == 0)
            continue;
        painter_free(painter);
        return NULL;
    }
    return painter;
}

void painter_free(struct painter *painter) {
    if (!painter)
        return;
    while (painter->count)
        regfree(&painter->expressions[--painter->count]);
    free(painter);
}

static bool paint_write_all(int fd, const char *text, size_t bytes) {
    while (bytes) {
        ssize_t written = write(fd, text, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        bytes -= (size_t)written;
    }
    return true;
}

/* Groups come in order, and one within another is plain. */
static size_t paint_groups(const char *line, const enum paint_color *colors, const regmatch_t *match, char *out) {
    size_t from = 0, used = 0;

    for (size_t i = 0; i < PAINT_GROUPS; i++) {
        const regmatch_t *group = &match[1 + i];
        if (!colors[i] || group->rm_so < (regoff_t)from || group->rm_so == group->rm_eo)
            continue;
        used += (size_t)sprintf(out + used, "%.*s%s%.*s" PAINT_RESET, (int)((size_t)group->rm_so - from), line + from,
                                sequences[colors[i]], (int)(group->rm_eo - group->rm_so), line + group->rm_so);
        from = (size_t)group->rm_eo;
    }
    return used + (size_t)sprintf(out + used, "%s\n", line + from);
}

/* The line that is kept, which has no end yet. */
static bool paint_line(struct painter *painter, int fd) {
    regmatch_t match[1 + PAINT_GROUPS];
    char out[OUT_BYTES + 1];
    size_t bytes = painter->used;

    painter->line[bytes] = 0;
    painter->used = 0;
    for (size_t i = 0; i < painter->count && strlen(painter->line) == bytes; i++)
        if (regexec(&painter->expressions[i], painter->line, 1 + PAINT_GROUPS, match, 0) == 0)
            return paint_write_all(fd, out, paint_groups(painter->line, painter->rules[i].groups, match, out));
    painter->line[bytes] = '\n';
    return paint_write_all(fd, painter->line, bytes + 1);
}

bool painter_write(struct painter *painter, int fd, const char *text, size_t bytes) {
    while (bytes) {
        const char *end = memchr(text, '\n', bytes);
        size_t part = end ? (size_t)(end - text) : bytes;

        if (painter->skipped || painter->used + part > PAINT_LINE_BYTES) {
            if (!painter_flush(painter, fd) || !paint_write_all(fd, text, part + (end != NULL)))
                return false;
            painter->skipped = !end;
        } else {
            memcpy(painter->line + painter->used, text, part);
            painter->used += part;
            if (end && !paint_line(painter, fd))
                return false;
        }
        text += part + (end != NULL);
        bytes -= part + (end != NULL);
    }
    return true;
}

bool painter_flush(struct painter *painter, int fd) {
    size_t bytes = painter->used;

    painter->used = 0;
    return paint_write_all(fd, painter->line, bytes);
}
