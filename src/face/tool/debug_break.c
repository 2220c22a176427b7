/* SPDX-License-Identifier: MIT */
/* Breakpoints: where to stop. Memory and registers: debug_watch.c. */
#include "face/tool/debug.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void debug_break_free(struct debug_break *brk) {
    pfifo_query_free(brk->query);
    free(brk->globs);
    free(brk->events);
    free(brk->old);
    *brk = (struct debug_break){0};
}

struct debug_break *debug_break_new(struct debug *debug, enum debug_break_kind kind, const char *text,
                                    struct pfifo_error *error) {
    if (strlen(text) >= DEBUG_BREAK_BYTES) {
        refuse(error, "a breakpoint is at most %d bytes", DEBUG_BREAK_BYTES - 1);
        return NULL;
    }
    for (size_t i = 0; i < DEBUG_BREAKS; i++) {
        struct debug_break *brk = &debug->breaks[i];
        if (brk->number)
            continue;
        *brk = (struct debug_break){.number = ++debug->last_number, .kind = kind};
        snprintf(brk->text, sizeof brk->text, "%s", text);
        return brk;
    }
    refuse(error, "there are %d breakpoints already; delete some", DEBUG_BREAKS);
    return NULL;
}

static const char *kind_name(const struct debug_break *brk) {
    static const char *const names[] = {"Breakpoint", "Breakpoint", "Catchpoint", "Watchpoint", "Watchpoint"};

    return brk->temporary ? "Temporary breakpoint" : names[brk->kind];
}

void debug_break_hit(struct debug *debug, struct debug_break *brk) {
    brk->hits++;
    brk->hit = true;
    debug->stop = true;
    debug_because(debug, "%s %u: %s", kind_name(brk), brk->number, brk->text);
}

/* The same line as pfifo run --trace. */
bool debug_break_trace(void *opaque, const char *text, size_t bytes) {
    debug_because(opaque, "  %.*s", (int)bytes, text);
    return true;
}

void debug_break_tell(const struct debug_break *brk) {
    printf("%s %u: %s\n", kind_name(brk), brk->number, brk->text);
}

/* ---- the method that comes next ---- */

static bool is_method(struct debug *debug, struct debug_break *brk, const struct pfifo_replay_word *word,
                      const char *form) {
    uint32_t host = pfifo_chip_info(debug->chip).host_class;
    const struct pfifo_decode_event event = {.kind = PFIFO_DECODE_METHOD,
                                             .channel = debug->channel,
                                             .sequence = word->in_push ? word->submission : debug->sequence,
                                             .address = word->address,
                                             .word = word->word,
                                             .data = word->data,
                                             .bound_class = word->oclass,
                                             .name_class = word->method < 0x100 ? host : word->oclass,
                                             .method = (uint16_t)word->method,
                                             .subchannel = (uint8_t)word->subchannel,
                                             .form = form};
    return pfifo_query_decoded(brk->query, &event);
}

static bool is_next(struct debug *debug, struct debug_break *brk) {
    const struct pfifo_replay_progress *progress = &debug->progress;

    if (brk->kind == BREAK_METHOD)
        return is_method(debug, brk, &progress->next, progress->form);
    return brk->kind == BREAK_ADDRESS && ((progress->next.has_address && progress->next.address == brk->address) ||
                                          (!progress->index && progress->header == brk->address));
}

/* Is it another method than the last time? */
static bool is_new(struct debug *debug) {
    const struct pfifo_replay_progress *progress = &debug->progress;
    struct debug_seen *seen = &debug->seen[debug->channel % DEBUG_CHANNELS];
    const struct debug_seen now = {
        .valid = true, .channel = debug->channel, .index = progress->index, .packet = progress->packet};
    bool same = seen->valid && seen->channel == now.channel && seen->index == now.index && seen->packet == now.packet;

    *seen = now;
    return !same;
}

static void check_next(struct debug *debug) {
    if (!debug->progress.next.has_method || !is_new(debug))
        return;
    for (size_t i = 0; i < DEBUG_BREAKS; i++)
        if (debug->breaks[i].number && is_next(debug, &debug->breaks[i])) {
            debug_break_hit(debug, &debug->breaks[i]);
            debug_because(debug, "\n");
        }
}

/* ---- events ---- */

/* What a macro sends is in no pushbuffer, and known only when it is sent. */
static bool is_sent_by_macro(struct debug *debug, struct debug_break *brk, const struct pfifo_event *event) {
    const struct pfifo_replay_word word = {.has_method = true,
                                           .oclass = (uint32_t)event->value[0],
                                           .method = (uint32_t)event->value[1],
                                           .data = (uint32_t)event->value[2]};

    return event->id == debug->macro_method && brk->kind == BREAK_METHOD && is_method(debug, brk, &word, "macro");
}

static bool is_event(const struct debug *debug, struct debug_break *brk, const struct pfifo_event *event) {
    const struct pfifo_query_place place = {.host_class = pfifo_chip_info(debug->chip).host_class,
                                            .submitted = debug->begun,
                                            .submission = debug->sequence};

    return brk->kind == BREAK_EVENT && brk->events[event->id] &&
           (!brk->query || pfifo_query_event(brk->query, event, &place));
}

void debug_breaks_event(struct debug *debug, const struct pfifo_event *event) {
    for (size_t i = 0; i < DEBUG_BREAKS; i++) {
        struct debug_break *brk = &debug->breaks[i];
        if (!brk->number || brk->hit || !(is_event(debug, brk, event) || is_sent_by_macro(debug, brk, event)))
            continue;
        debug_break_hit(debug, brk);
        debug_because(debug, "\n");
        pfifo_trace_event(debug->trace, event);
        pfifo_trace_flush(debug->trace);
    }
}

/* ---- all of them ---- */

void debug_breaks_renew(struct debug *debug) {
    memset(debug->seen, 0, sizeof debug->seen);
    if (debug->progress.next.has_method)
        is_new(debug);
    for (size_t i = 0; i < DEBUG_BREAKS; i++)
        if (debug->breaks[i].number)
            debug_watch_begin(debug, &debug->breaks[i]);
}

void debug_breaks_check(struct debug *debug, bool began) {
    check_next(debug);
    for (size_t i = 0; i < DEBUG_BREAKS; i++)
        if (debug->breaks[i].number)
            debug_watch_check(debug, &debug->breaks[i], began);
}

void debug_breaks_end(struct debug *debug) {
    for (size_t i = 0; i < DEBUG_BREAKS; i++) {
        if (debug->breaks[i].hit && debug->breaks[i].temporary)
            debug_break_free(&debug->breaks[i]);
        debug->breaks[i].hit = false;
    }
}

/* ---- commands ---- */

static struct debug_break *break_address(struct debug *debug, const char *number, struct pfifo_error *error) {
    char text[DEBUG_BREAK_BYTES];
    uint64_t address;

    if (!debug_number(debug, number, &address, error))
        return NULL;
    address &= ~UINT64_C(3);
    snprintf(text, sizeof text, "*0x%" PRIx64, address);
    struct debug_break *brk = debug_break_new(debug, BREAK_ADDRESS, text, error);
    if (brk)
        brk->address = address;
    return brk;
}

static struct debug_break *break_query(struct debug *debug, const char *text, struct pfifo_error *error) {
    struct pfifo_query *query = pfifo_query_new(text, error);
    struct debug_break *brk = query ? debug_break_new(debug, BREAK_METHOD, text, error) : NULL;

    if (brk)
        brk->query = query;
    else
        pfifo_query_free(query);
    return brk;
}

static bool name_events(struct debug_break *brk, char *globs, struct pfifo_error *error) {
    char copy[DEBUG_BREAK_BYTES], *rest = copy;

    brk->globs = strdup(globs);
    brk->events = calloc(pfifo_event_count(), 1);
    if (!brk->events || !brk->globs)
        return refuse(error, "no memory");
    snprintf(copy, sizeof copy, "%s", globs);
    for (char *glob = strtok_r(copy, ",", &rest); glob; glob = strtok_r(NULL, ",", &rest))
        for (size_t id = 0; id < pfifo_event_count(); id++)
            if (fnmatch(glob, pfifo_event_info(id)->name, 0) == 0)
                brk->events[id] = 1;
    return true;
}

/* "GLOBS [QUERY]": `text` is all of it. */
static struct debug_break *break_event(struct debug *debug, char *globs, const char *text, struct pfifo_error *error) {
    const char *query = text + strlen(globs) + strspn(text + strlen(globs), " \t");
    struct debug_break *brk = debug_break_new(debug, BREAK_EVENT, text, error);

    if (!brk)
        return NULL;
    if (strpbrk(globs, "[]\\")) {
        refuse(error, "there is no event '%.60s'; pfifo events lists them", globs);
    } else if (name_events(brk, globs, error)) {
        brk->query = *query ? pfifo_query_new(query, error) : NULL;
        if ((brk->query || !*query) && debug_observe(debug, error))
            return brk;
    }
    debug_break_free(brk);
    debug_observe(debug, NULL);
    return NULL;
}

static bool added(struct debug *debug, struct debug_break *brk, bool temporary) {
    if (!brk)
        return false;
    brk->temporary = temporary;
    debug_watch_begin(debug, brk);
    debug_break_tell(brk);
    return true;
}

bool debug_cmd_break(struct debug *debug, unsigned count, char **argument, const char *rest,
                     struct pfifo_error *error) {
    bool temporary = argument[0][0] == 't', named = count > 2;
    const char *behind = rest + strcspn(rest, " \t");
    struct debug_break *brk;

    behind += strspn(behind, " \t");
    if (rest[0] == '*' && (rest[1] == '$' || (rest[1] >= '0' && rest[1] <= '9')))
        brk = break_address(debug, rest + 1, error);
    else if (named && (strcmp(argument[1], "register") == 0 || strcmp(argument[1], "memory") == 0))
        brk = debug_watch_new(debug, count - 1, argument + 1, error);
    else if (named && strcmp(argument[1], "address") == 0)
        brk = break_address(debug, argument[2], error);
    else if (named && strcmp(argument[1], "event") == 0)
        brk = break_event(debug, argument[2], behind, error);
    else if (named && strcmp(argument[1], "method") == 0)
        brk = break_query(debug, behind, error);
    else
        brk = break_query(debug, rest, error);
    return added(debug, brk, temporary);
}

bool debug_cmd_catch(struct debug *debug, unsigned count, char **argument, const char *rest,
                     struct pfifo_error *error) {
    (void)count;
    return added(debug, break_event(debug, argument[1], rest, error), false);
}

bool debug_cmd_watch(struct debug *debug, unsigned count, char **argument, const char *rest,
                     struct pfifo_error *error) {
    (void)rest;
    return added(debug, debug_watch_new(debug, count, argument, error), false);
}

bool debug_cmd_delete(struct debug *debug, unsigned count, char **argument, const char *rest,
                      struct pfifo_error *error) {
    uint64_t number = 0;
    bool found = count == 1;

    (void)rest;
    if (count > 1 && !debug_number(debug, argument[1], &number, error))
        return false;
    for (size_t i = 0; i < DEBUG_BREAKS; i++)
        if (debug->breaks[i].number && (count == 1 || debug->breaks[i].number == number)) {
            debug_break_free(&debug->breaks[i]);
            found = true;
        }
    return found ? debug_observe(debug, error) : refuse(error, "there is no breakpoint %" PRIu64, number);
}

void debug_info_breakpoints(struct debug *debug) {
    static const char *const kinds[] = {"method", "address", "event", "register", "memory"};
    bool any = false;

    for (size_t i = 0; i < DEBUG_BREAKS; i++) {
        const struct debug_break *brk = &debug->breaks[i];
        if (!brk->number)
            continue;
        any = true;
        printf("%-3u %-8s %s%s, hit %" PRIu64 " time%s\n", brk->number, kinds[brk->kind], brk->text,
               brk->temporary ? ", temporary" : "", brk->hits, brk->hits == 1 ? "" : "s");
    }
    if (!any)
        puts("There are no breakpoints.");
}
