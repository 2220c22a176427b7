/* SPDX-License-Identifier: MIT */
/* A table of the variables: what each may hold, and where it goes. */
#include "face/drm/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/query.h>

#include "face/common/counts.h"
#include "face/common/jobs.h"
#include "face/common/naming.h"
#include "face/common/text.h"
#include "face/drm/session/names.h"

/* Parse `text` into the field at `to`, of `bytes`. False: it cannot be. */
typedef bool setting_parse(void *to, size_t bytes, const char *text);

struct setting {
    const char *name;
    setting_parse *parse;
    size_t offset, bytes;
    const char *wanted; /* for the message */
};

static bool parse_chip(void *to, size_t bytes, const char *text) {
    const struct pfifo_chip *chip = pfifo_chip_by_name(text);
    memcpy(to, &chip, bytes);
    return chip != NULL;
}

static bool settings_parse_number(void *to, size_t bytes, const char *text) {
    uint64_t number = 0;
    bool good = text_to_number(text, &number);
    memcpy(to, &number, bytes);
    return good;
}

static bool parse_amount(void *to, size_t bytes, const char *text) {
    uint64_t number = 0;
    bool good = settings_parse_number(&number, sizeof number, text) && number;
    memcpy(to, &number, bytes);
    return good;
}

static bool parse_flag(void *to, size_t bytes, const char *text) {
    bool set = strcmp(text, "1") == 0;
    memcpy(to, &set, bytes);
    return set || strcmp(text, "0") == 0;
}

static bool parse_path(void *to, size_t bytes, const char *text) {
    int length = snprintf(to, bytes, "%s", text);
    return length >= 0 && (size_t)length < bytes;
}

static bool parse_trace(void *to, size_t bytes, const char *text) {
    if (strcmp(text, "0") == 0)
        return true;
    return parse_path(to, bytes, strcmp(text, "1") == 0 ? COUNTS_TRACE : text);
}

static bool parse_where(void *to, size_t bytes, const char *text) {
    struct pfifo_query *query = pfifo_query_new(text, NULL);
    pfifo_query_free(query);
    return query && parse_path(to, bytes, text);
}

static bool parse_names(void *to, size_t bytes, const char *text) {
    (void)bytes;
    return naming_parse(text, to);
}

/* Up to three numbers with `separator` between them, and nothing else, each at most `max`. */
static bool parse_numbers(unsigned *to, size_t count, char separator, uint64_t max, const char *text) {
    char copy[64];
    if (!parse_path(copy, sizeof copy, text))
        return false;
    char *at = copy;
    for (size_t i = 0; i < count; i++) {
        char *end = i + 1 < count ? strchr(at, separator) : at + strlen(at);
        uint64_t number;
        if (!end)
            return false;
        *end = '\0';
        if (!text_to_number(at, &number) || number > max)
            return false;
        to[i] = (unsigned)number;
        at = end + 1;
    }
    return true;
}

static bool parse_version(void *to, size_t bytes, const char *text) {
    unsigned *numbers = to;
    return parse_numbers(numbers, bytes / sizeof *numbers, '.', INT32_MAX, text) &&
           (numbers[0] || numbers[1] || numbers[2]);
}

static bool parse_mode(void *to, size_t bytes, const char *text) {
    unsigned *size = to;
    return parse_numbers(size, bytes / sizeof *size, 'x', SETTING_MAX_PIXELS, text) && size[0] && size[1];
}

static bool parse_refresh(void *to, size_t bytes, const char *text) {
    return parse_numbers(to, bytes / sizeof(unsigned), '\0', SETTING_MAX_REFRESH, text);
}

static bool settings_parse_jobs(void *to, size_t bytes, const char *text) {
    unsigned *jobs = to;
    return parse_numbers(jobs, bytes / sizeof *jobs, '\0', JOBS_MOST, text) && *jobs;
}

#define SETTING_AS(name, parse, field, bytes, wanted)                                                                  \
    { name, parse, offsetof(struct settings, field), bytes, wanted }
#define SETTING(name, parse, field, wanted)                                                                            \
    SETTING_AS(name, parse, field, sizeof((struct settings *)NULL)->field, wanted)
#define FLAG "0 or 1"

static const struct setting table[] = {
    SETTING_AS(SETTING_CHIP, parse_chip, chip, sizeof(const void *), "a chip; pfifo chips lists them"),
    SETTING(SETTING_VRAM, parse_amount, vram_bytes, "a number of bytes"),
    SETTING(SETTING_BUDGET, parse_amount, budget, "a number of units above 0"),
    SETTING(SETTING_JOBS, settings_parse_jobs, jobs, "a number of threads from 1 to 256"),
    SETTING_AS(SETTING_VERSION, parse_version, major, 3 * sizeof(unsigned), "a version such as 1.3.1"),
    SETTING_AS(SETTING_MODE, parse_mode, width, 2 * sizeof(unsigned), "WIDTHxHEIGHT of at most 8192x8192"),
    SETTING(SETTING_REFRESH, parse_refresh, refresh, "a number of Hz up to 1000"),
    SETTING(SETTING_ATOMIC, parse_flag, atomic, FLAG),
    SETTING(SETTING_WINDOW, parse_flag, window, FLAG),
    SETTING(SETTING_QUIET, parse_flag, quiet, FLAG),
    SETTING(SETTING_SYNC, parse_flag, sync, FLAG),
    SETTING(SETTING_NO_COMPILE, parse_flag, no_compile, FLAG),
    SETTING(SETTING_TRACE, parse_trace, trace, "0, 1 or globs of events"),
    SETTING(SETTING_WHERE, parse_where, where, "a query"),
    SETTING(SETTING_NAMES, parse_names, names, "nvidia, nouveau or nxdk"),
    SETTING(SETTING_STATS, parse_flag, stats, FLAG),
    SETTING(SETTING_JSON, parse_flag, json, FLAG),
    SETTING(SETTING_REPORT, parse_flag, report, FLAG),
    SETTING(SETTING_REQUIRE, parse_path, require, "the name of a file"),
    SETTING(SETTING_OUTPUT, parse_path, output, "the name of a file"),
    SETTING(SETTING_SCREENSHOT, parse_path, screenshot, "the name of a file"),
    SETTING(SETTING_DRAWS, parse_path, draws, "the name of a folder"),
    SETTING(SETTING_FROM, settings_parse_number, draws_from, "a number"),
    SETTING(SETTING_COUNT, parse_amount, draws_count, "a number above 0"),
};

/* A variable that is empty is as one that is not there. */
bool settings_read(struct settings *settings, struct pfifo_error *error) {
    *settings = (struct settings){.atomic = true};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct setting *setting = &table[i];
        const char *text = getenv(setting->name);
        if (!text || !*text)
            continue;
        if (!setting->parse((char *)settings + setting->offset, setting->bytes, text)) {
            pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s is '%.64s', and not %s", setting->name, text,
                            setting->wanted);
            return false;
        }
    }
    return true;
}
