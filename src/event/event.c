/* SPDX-License-Identifier: MIT */
#include "event/event.h"

#include <fnmatch.h>
#include <string.h>

/* Each field of a declaration becomes an element of two arrays: its name and its format. */
#define DECIMAL(f)           #f
#define HEX(f)               #f
#define CLASS(f)             #f
#define METHOD(f)            #f
#define TEXT(f)              #f
#define CHANNEL(f)           #f
#define DETAIL(f)            #f
#define EVENT(id, name, ...) static const char *const fields_##id[] = {__VA_ARGS__};
#include EVENT_DECLARATIONS
#undef EVENT
#undef DECIMAL
#undef HEX
#undef CLASS
#undef METHOD
#undef TEXT
#undef CHANNEL
#undef DETAIL

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

#define DECIMAL(f)           PFIFO_EVENT_DECIMAL
#define HEX(f)               PFIFO_EVENT_HEX
#define CLASS(f)             PFIFO_EVENT_CLASS
#define METHOD(f)            PFIFO_EVENT_METHOD
#define TEXT(f)              PFIFO_EVENT_TEXT
#define CHANNEL(f)           PFIFO_EVENT_CHANNEL
#define DETAIL(f)            PFIFO_EVENT_DETAIL
#define EVENT(id, name, ...) static const enum pfifo_event_format formats_##id[] = {__VA_ARGS__};
#include EVENT_DECLARATIONS
#undef EVENT

static const struct pfifo_event_info declarations[EVENT_COUNT] = {
#define EVENT(id, name, ...) {name, COUNT_OF(fields_##id), fields_##id, formats_##id},
#include EVENT_DECLARATIONS
#undef EVENT
};

size_t pfifo_event_count(void) {
    return EVENT_COUNT;
}

const struct pfifo_event_info *pfifo_event_info(size_t id) {
    return id < EVENT_COUNT ? &declarations[id] : NULL;
}

size_t pfifo_event_find(const char *name) {
    for (size_t id = 0; name && id < EVENT_COUNT; id++)
        if (strcmp(declarations[id].name, name) == 0)
            return id;
    return SIZE_MAX;
}

void event_set_detail(struct event_hub *hub, const char *text, const char *finer) {
    hub->detail = text && finer && strcmp(text, finer) != 0 ? finer : NULL;
}

void event_deliver(struct event_hub *hub, enum event_id id, uint32_t channel, const char *text, const uint64_t *values,
                   size_t count) {
    struct pfifo_event event = {.id = id,
                                .order = hub->sent++,
                                .time = hub->now ? *hub->now : 0,
                                .channel = channel,
                                .text = text,
                                .draw = hub->draw,
                                .word = event_word_of(text),
                                .launch = hub->launch,
                                .detail = hub->detail};
    memcpy(event.value, values, count * sizeof values[0]);
    for (int i = 0; i < EVENT_MAX_OBSERVERS; i++)
        if (event_set_has(&hub->observer[i].wanted, id))
            hub->observer[i].function(hub->observer[i].opaque, &event);
}

/* Adds `more` to `set`. False: `more` is empty. */
static bool event_set_add(struct event_set *set, const struct event_set *more) {
    uint64_t any = 0;
    for (size_t i = 0; i < EVENT_SET_WORDS; i++) {
        set->word[i] |= more->word[i];
        any |= more->word[i];
    }
    return any != 0;
}

static void event_update_wanted(struct event_hub *hub) {
    hub->wanted = (struct event_set){0};
    hub->observed = false;
    for (int i = 0; i < EVENT_MAX_OBSERVERS; i++)
        hub->observed |= event_set_add(&hub->wanted, &hub->observer[i].wanted);
}

/* The events whose name matches one glob. */
static struct event_set event_match_glob(const char *glob) {
    struct event_set set = {0};
    for (size_t id = 0; id < EVENT_COUNT; id++)
        if (fnmatch(glob, declarations[id].name, 0) == 0)
            set.word[id / 64] |= UINT64_C(1) << id % 64;
    return set;
}

#define GLOB_BYTES 64

/* The glob at *at, which goes on to the next. False: it is too long. */
static bool event_next_glob(const char **at, char glob[GLOB_BYTES]) {
    size_t length = strcspn(*at, ",");
    const bool fits = length < GLOB_BYTES;

    if (fits) {
        memcpy(glob, *at, length);
        glob[length] = 0;
    }
    *at += length + ((*at)[length] == ',');
    return fits;
}

bool pfifo_event_matches(size_t id, const char *globs) {
    const struct pfifo_event_info *info = pfifo_event_info(id);
    char glob[GLOB_BYTES];

    while (info && *globs)
        if (event_next_glob(&globs, glob) && fnmatch(glob, info->name, 0) == 0)
            return true;
    return false;
}

static enum pfifo_status event_match_globs(const char *globs, struct event_set *set, struct pfifo_error *error) {
    bool any = false;
    *set = (struct event_set){0};
    for (const char *at = globs; *at;) {
        const char *begin = at;
        char glob[GLOB_BYTES];
        if (!event_next_glob(&at, glob))
            return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "event name is too long: %.40s...", begin);
        struct event_set matched = event_match_glob(glob);
        if (!event_set_add(set, &matched))
            return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no event is called '%s'", glob);
        any = true;
    }
    return any ? PFIFO_OK : pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no event is named");
}

enum pfifo_status event_observe(struct event_hub *hub, const char *globs, pfifo_observer observer, void *opaque,
                                struct pfifo_error *error) {
    struct event_set wanted;
    enum pfifo_status status = event_match_globs(globs ? globs : "*", &wanted, error);
    if (status != PFIFO_OK)
        return status;
    for (int i = 0; i < EVENT_MAX_OBSERVERS; i++) {
        if (hub->observer[i].function)
            continue;
        hub->observer[i] = (struct event_observer){wanted, observer, opaque};
        event_update_wanted(hub);
        return PFIFO_OK;
    }
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "a GPU takes %d observers at most", EVENT_MAX_OBSERVERS);
}

void event_unobserve(struct event_hub *hub, pfifo_observer observer, void *opaque) {
    for (int i = 0; i < EVENT_MAX_OBSERVERS; i++)
        if (hub->observer[i].function == observer && hub->observer[i].opaque == opaque)
            hub->observer[i] = (struct event_observer){0};
    event_update_wanted(hub);
}
