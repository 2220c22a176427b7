/* SPDX-License-Identifier: MIT */
/*
 * A whole log: lines that say the same are explained once. The same is: the same device and form, and the same class,
 * method, error, engine, client and reason; channels, programs, addresses and data may differ.
 */
#include "face/tool/explain/log/log.h"

#include "face/tool/tool.h"

#include <stdlib.h>
#include <string.h>

/* A message, with its first line. */
struct group {
    struct log_line line;
    struct log_match match;
    struct log_times times;
};

struct log {
    struct explain *explain;
    struct log_chips chips;
    struct group *groups; /* LOG_GROUPS of them */
    uint64_t hashes[LOG_GROUPS];
    size_t count;
    size_t lines;                  /* of the text */
    size_t of_drivers, of_no_form; /* lines */
    size_t beyond;                 /* lines of a form, for which there was no group left */
    char first_of_no_form[LOG_LINE_BYTES];
};

/* FNV-1a. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    const uint8_t *at = bytes;

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* NVIDIA's drivers: an Xid's number, and the words that have no digits: neither a process nor a channel. */
static uint64_t hash_words(uint64_t hash, const char *text) {
    const char *number = strstr(text, "): ");

    if (number)
        hash = hash_bytes(hash, number, 3 + strspn(number + 3, "0123456789"));
    for (size_t bytes; *text; text += bytes, text += strspn(text, " ")) {
        bytes = strcspn(text, " ");
        if (strcspn(text, "0123456789=") >= bytes)
            hash = hash_bytes(hash, text, bytes);
    }
    return hash;
}

/* nouveau: names of errors and units, up to the channel with the program's name; which of several units does not count. */
static uint64_t hash_names(uint64_t hash, const char *text) {
    const char *channel = strstr(text, " on channel "), *ch = strstr(text, " ch ");
    const char *end = text + strlen(text);

    end = channel ? channel : end;
    end = ch && ch < end ? ch : end;
    for (; text < end; text++)
        if ((*text >= 'A' && *text <= 'Z') || *text == '_' || *text == '/')
            hash = hash_bytes(hash, text, 1);
    return hash;
}

static uint64_t match_hash(const struct log_match *match) {
    static const enum log_field same[] = {LOG_VALUE,  LOG_SUBCHANNEL, LOG_CLASS, LOG_METHOD,
                                          LOG_ENGINE, LOG_CLIENT,     LOG_REASON};
    static const char *const words[] = {"global", "warp", "nsource"};
    uint64_t hash = hash_bytes(UINT64_C(0xcbf29ce484222325), &match->form, sizeof match->form), number;

    hash = hash_bytes(hash, match->line->device, strlen(match->line->device));
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        hash = hash_bytes(hash, &match->numbers.number[same[i]], sizeof(uint64_t));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (log_number_after(match->line->message, words[i], &number))
            hash = hash_bytes(hash, &number, sizeof number);
    return match->line->driver == LOG_NOUVEAU ? hash_names(hash, match->line->message)
                                              : hash_words(hash, match->line->message);
}

static void keep(struct log *log, const struct log_match *match) {
    uint64_t hash = match_hash(match);
    struct group *group;
    size_t at = 0;

    while (at < log->count && log->hashes[at] != hash)
        at++;
    if (at == LOG_GROUPS) {
        log->beyond++;
        return;
    }
    group = &log->groups[at];
    if (at == log->count) {
        log->hashes[log->count++] = hash;
        *group = (struct group){.line = *match->line, .match = *match};
        /* The text moved with the line. */
        group->match.line = &group->line;
        group->line.message = group->line.text + (match->line->message - match->line->text);
        group->match.rest = group->line.text + (match->rest - match->line->text);
        group->times.first = match->line->number;
    }
    group->times.times++;
    group->times.last = match->line->number;
}

static void take_line(struct log *log, const char *text, size_t bytes) {
    struct log_line line = {.number = ++log->lines};
    struct log_match match = {0};
    bool found;

    if (!log_line_read(&line, text, bytes)) {
        log_chips_note_other(&log->chips, line.text);
        return;
    }
    log->of_drivers++;
    if (log_chips_note(&log->chips, &line))
        return;
    found = log_match_line(&match, &line);
    if (found) {
        match.chip = log->explain->chip ? log->explain->chip : log_chips_find(&log->chips, &line);
        keep(log, &match);
        return;
    }
    if (log->of_no_form++ == 0)
        snprintf(log->first_of_no_form, sizeof log->first_of_no_form, "%s", line.text);
}

static void print_rest(struct log *log) {
    struct explain *explain = log->explain;
    const struct explain_thing thing = {.text = log->first_of_no_form};

    if (!log->of_no_form && !log->beyond)
        return;
    explain->thing = &thing;
    explain_begin(explain, "rest", "other lines of GPU drivers: %zu", log->of_no_form + log->beyond);
    if (log->of_no_form)
        explain_text(explain, "unknown", "%zu that report no error that is known; the first: %.200s", log->of_no_form,
                     log->first_of_no_form);
    if (log->beyond)
        explain_text(explain, "too many", "%zu, of more different messages than %d", log->beyond, (int)LOG_GROUPS);
    explain_end(explain);
    explain->thing = NULL;
}

static size_t finish(struct log *log) {
    size_t count = log->count;

    for (size_t i = 0; i < count && !ferror(stdout); i++)
        log_answer(log->explain, &log->groups[i].match, &log->groups[i].times);
    if (count || log->lines > 1)
        print_rest(log);
    free(log->groups);
    return count;
}

static bool begin(struct log *log, struct explain *explain) {
    *log = (struct log){.explain = explain, .groups = calloc(LOG_GROUPS, sizeof *log->groups)};
    if (!log->groups)
        tool_message("out of memory");
    return log->groups != NULL;
}

/* A line without its end, and how long it was; what does not fit is left out. False: there is none. */
static bool read_line(FILE *file, char text[LOG_LINE_BYTES], size_t *bytes) {
    int byte = getc(file);

    for (*bytes = 0; byte != EOF && byte != '\n'; byte = getc(file))
        if (*bytes < LOG_LINE_BYTES)
            text[(*bytes)++] = byte ? (char)byte : ' ';
    return byte != EOF || *bytes;
}

size_t log_explain(struct explain *explain, FILE *file) {
    char text[LOG_LINE_BYTES];
    struct log log;
    size_t bytes;

    if (!begin(&log, explain))
        return 0;
    while (read_line(file, text, &bytes))
        take_line(&log, text, bytes);
    return finish(&log);
}

size_t log_explain_text(struct explain *explain, const char *text) {
    struct log log;

    if (!begin(&log, explain))
        return 0;
    for (const char *at = text; *at;) {
        size_t bytes = strcspn(at, "\n");
        take_line(&log, at, bytes);
        at += bytes + (at[bytes] == '\n');
    }
    return finish(&log);
}
