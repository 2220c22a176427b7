/* SPDX-License-Identifier: MIT */
/* Commands that add breakpoints, list them and take them away. */
#include "face/tool/chips/event_names.h"
#include "chip/counted.h"
#include "face/tool/console/breaks/breaks.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void breaks_commands_tell(const struct breaks *breaks, const char *format, ...) PFIFO_PRINTF(2, 3);

static void breaks_commands_tell(const struct breaks *breaks, const char *format, ...) {
    char text[BREAK_BYTES + 128];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    va_end(args);
    breaks->owner->print(breaks->opaque, text);
}

/* ---- adding ---- */

static struct breakpoint *break_address(struct breaks *breaks, const char *number, struct pfifo_error *error) {
    char text[BREAK_BYTES];
    uint64_t address;

    if (!breaks->owner->number(breaks->opaque, number, &address, error))
        return NULL;
    address &= ~UINT64_C(3);
    snprintf(text, sizeof text, "*0x%" PRIx64, address);
    struct breakpoint *brk = breaks_new(breaks, BREAK_ADDRESS, text, error);
    if (brk)
        brk->address = address;
    return brk;
}

/* "engine.draw": the class of a method has no point in its name. */
static bool is_event_name(const char *text) {
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " \t,"), text);
    return pfifo_event_find(name) < pfifo_event_count();
}

static struct breakpoint *break_query(struct breaks *breaks, const char *text, struct pfifo_error *error) {
    if (is_event_name(text)) {
        refuse(error, "'%.60s' is an event: catch %.60s, or break event %.60s", text, text, text);
        return NULL;
    }
    struct pfifo_query *query = pfifo_query_new(text, error);
    bool of_methods = query && pfifo_query_check_lines(query, error) == PFIFO_OK;
    struct breakpoint *brk = of_methods ? breaks_new(breaks, BREAK_METHOD, text, error) : NULL;

    if (brk)
        brk->query = query;
    else
        pfifo_query_free(query);
    return brk;
}

static bool name_events(struct breakpoint *brk, const char *globs, struct pfifo_error *error) {
    brk->globs = strdup(globs);
    brk->events = calloc(pfifo_event_count(), 1);
    if (!brk->events || !brk->globs)
        return refuse(error, "no memory");
    for (size_t id = 0; id < pfifo_event_count(); id++)
        brk->events[id] = pfifo_event_matches(id, globs);
    return true;
}

/* The names of all events that have what the query asks for; "*" if the list gets too long. */
static bool events_with(const struct pfifo_query *query, char globs[BREAK_BYTES], struct pfifo_error *error) {
    size_t used = 0;

    for (size_t id = 0; id < pfifo_event_count(); id++) {
        const char *name = pfifo_event_info(id)->name;
        if (pfifo_query_check_events(query, name, NULL) != PFIFO_OK)
            continue;
        used += (size_t)snprintf(globs + used, BREAK_BYTES - used, "%s%s", used ? "," : "", name);
        if (used < BREAK_BYTES)
            continue;
        snprintf(globs, BREAK_BYTES, "*");
        return true;
    }
    if (used)
        return true;
    return pfifo_query_check_events(query, "*", error) == PFIFO_OK && refuse(error, "no event has all of that");
}

/* "GLOBS [QUERY]", or a query alone: then the events are those that it can match. */
static bool read_events(struct breakpoint *brk, const char *first, const char *text, struct pfifo_error *error) {
    const char *query = strpbrk(first, "=<>!") ? text : text + strlen(first) + strspn(text + strlen(first), " \t");
    char globs[BREAK_BYTES];

    brk->query = *query ? pfifo_query_new(query, error) : NULL;
    if (*query && !brk->query)
        return false;
    if (query == text)
        return events_with(brk->query, globs, error) && name_events(brk, globs, error);
    return event_names_check(first, error) && name_events(brk, first, error) &&
           (!brk->query || pfifo_query_check_events(brk->query, first, error) == PFIFO_OK);
}

static struct breakpoint *break_event(struct breaks *breaks, const char *first, const char *text,
                                      struct pfifo_error *error) {
    struct breakpoint *brk = breaks_new(breaks, BREAK_EVENT, text, error);

    if (!brk)
        return NULL;
    if (read_events(brk, first, text, error) && breaks->owner->observe(breaks->opaque, error))
        return brk;
    breaks_drop(brk);
    breaks->owner->observe(breaks->opaque, NULL);
    return NULL;
}

/* A glob of methods may begin with a star, too. */
static struct breakpoint *break_star(struct breaks *breaks, const char *rest, struct pfifo_error *error) {
    struct pfifo_error reason = {0};
    struct breakpoint *brk;

    if (rest[1] == '$' || (rest[1] >= '0' && rest[1] <= '9'))
        return break_address(breaks, rest + 1, error);
    brk = break_query(breaks, rest, &reason);
    if (!brk)
        refuse(error, "'%.60s' is not *ADDRESS, with a number; and as a query: %.160s", rest, reason.message);
    return brk;
}

/* gdb's line: a decimal number. Of methods the numbers are hexadecimal. */
static bool is_bare_number(const char *text) {
    return text[0] && strlen(text) < 20 && !text[strspn(text, "0123456789")] && strcmp(text, "0") != 0;
}

static struct breakpoint *break_number(const struct breaks *breaks, const char *number, struct pfifo_error *error) {
    char submission[64] = "";

    if (breaks->owner->submissions)
        snprintf(submission, sizeof submission, "tbreak submission=%s (where it begins), ", number);
    refuse(error, "what is %s? There are %sbreak method=%s, and break *%s (the word at that address)", number,
           submission, number, number);
    return NULL;
}

static const struct kind {
    const char *name, *usage;
} kinds[] = {{"address", "ADDRESS"}, {"event", "GLOBS [QUERY] | QUERY"},         {"memory", "PLACE [BYTES]"},
             {"method", "QUERY"},    {"program", "STAGE [*PC] [KEY=NUMBER]..."}, {"register", "NAME"},
             {"state", "METHOD"}};

#define KINDS (sizeof kinds / sizeof kinds[0])

static const struct kind *breaks_commands_kind_of(const char *name) {
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

/* "WHERE" of break and tbreak. */
static struct breakpoint *break_where(struct breaks *breaks, unsigned count, char **argument, const char *rest,
                                      struct pfifo_error *error) {
    const char *after = rest + strcspn(rest, " \t");
    const struct kind *kind = breaks_commands_kind_of(argument[1]);

    after += strspn(after, " \t");
    if (!kind && count == 2 && is_bare_number(argument[1]))
        return break_number(breaks, argument[1], error);
    if (!kind)
        return rest[0] == '*' ? break_star(breaks, rest, error) : break_query(breaks, rest, error);
    if (count == 2) {
        refuse(error, "usage: %s %s %s", argument[0], kind->name, kind->usage);
        return NULL;
    }
    switch (kind->name[0]) {
    case 'a':
        return break_address(breaks, argument[2], error);
    case 'e':
        return break_event(breaks, argument[2], after, error);
    case 'p':
        return breaks_program_new(breaks, count - 2, argument + 2, rest, error);
    default:
        return strcmp(kind->name, "method") == 0 ? break_query(breaks, after, error)
                                                 : breaks_watch_new(breaks, count - 1, argument + 1, error);
    }
}

bool breaks_add(struct breaks *breaks, unsigned count, char **argument, const char *rest, struct pfifo_error *error) {
    struct breakpoint *brk = argument[0][0] == 'c'   ? break_event(breaks, argument[1], rest, error)
                             : argument[0][0] == 'w' ? breaks_watch_new(breaks, count, argument, error)
                                                     : break_where(breaks, count, argument, rest, error);

    if (!brk)
        return false;
    brk->temporary = argument[0][0] == 't';
    breaks_watch_start(breaks, brk);
    breaks_commands_tell(breaks, "%s %u: %s\n", breaks_kind_name(brk), brk->number, brk->text);
    return true;
}

const char *breaks_word(size_t index) {
    return index < KINDS ? kinds[index].name : NULL;
}

/* ---- the others ---- */

static bool commands_has_number(const struct breaks *breaks, uint64_t number) {
    for (size_t i = 0; i < BREAKS_MOST; i++)
        if (breaks->list[i].number && breaks->list[i].number == number)
            return true;
    return false;
}

/* UINT64_MAX: all. */
static void drop_number(struct breaks *breaks, uint64_t number) {
    for (size_t i = 0; i < BREAKS_MOST; i++)
        if (breaks->list[i].number && (number == UINT64_MAX || breaks->list[i].number == number))
            breaks_drop(&breaks->list[i]);
}

/* All of them, or none. */
bool breaks_delete(struct breaks *breaks, unsigned count, char **argument, struct pfifo_error *error) {
    uint64_t number;

    for (unsigned i = 1; i < count; i++) {
        if (!breaks->owner->number(breaks->opaque, argument[i], &number, NULL))
            return refuse(error, "'%.60s' is not a number; usage: delete [NUMBER...], without a number all",
                          argument[i]);
        if (!commands_has_number(breaks, number))
            return refuse(error, "there is no breakpoint %" PRIu64, number);
    }
    for (unsigned i = 1; i < count; i++)
        if (breaks->owner->number(breaks->opaque, argument[i], &number, NULL))
            drop_number(breaks, number);
    if (count == 1)
        drop_number(breaks, UINT64_MAX);
    return breaks->owner->observe(breaks->opaque, error);
}

void breaks_list(const struct breaks *breaks) {
    static const char *const names[] = {"method", "address", "event", "register", "memory", "state", "program"};
    bool any = false;

    for (size_t i = 0; i < BREAKS_MOST; i++) {
        const struct breakpoint *brk = &breaks->list[i];
        if (!brk->number)
            continue;
        any = true;
        breaks_commands_tell(breaks, "%-3u %-8s %s%s, hit %s\n", brk->number, names[brk->kind], brk->text,
                             brk->temporary ? ", temporary" : "", counted(brk->hits, "time").text);
    }
    if (!any)
        breaks_commands_tell(breaks, "There are no breakpoints.\n");
}
