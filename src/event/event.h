/* SPDX-License-Identifier: MIT */
/*
 * The event hub of one GPU: units send, observers receive.
 *
 *   unit --event_send(hub, EVENT_PULLER_METHOD, channel, values...)--> hub --> observers that subscribed
 *
 * A unit declares its events in src/<unit>/events.def, one per line:
 *   EVENT(PULLER_METHOD, "puller.method", NO_TEXT, DECIMAL(subchannel), CLASS(class), METHOD(method), HEX(data))
 *
 * The number of events is not limited. The observed events are a set, an array of words with a bit per event. The
 * number of an event is a constant where it is sent, so an unobserved event costs one test of one word.
 */
#ifndef PFIFO_SRC_EVENT_EVENT_H
#define PFIFO_SRC_EVENT_EVENT_H

#include <pfifo/event.h>

/* The declarations. The hub's test has its own. */
#ifndef EVENT_DECLARATIONS
#define EVENT_DECLARATIONS "event/all_events.def"
#endif

enum event_id {
#define EVENT(id, name, ...) EVENT_##id,
#include EVENT_DECLARATIONS
#undef EVENT
    EVENT_COUNT
};

#define EVENT_MAX_OBSERVERS 8

/* A set of events: bit id % 64 of word id / 64. */
#define EVENT_SET_WORDS ((EVENT_COUNT + 63) / 64)
struct event_set {
    uint64_t word[EVENT_SET_WORDS];
};

static inline bool event_set_has(const struct event_set *set, enum event_id id) {
    return (set->word[id / 64] >> id % 64 & 1) != 0;
}

struct event_hub {
    struct event_set wanted; /* observed events */
    bool observed;           /* `wanted` is not empty */
    uint64_t sent;
    const uint64_t *now;           /* nanoseconds */
    const struct pfifo_draw *draw; /* that the event being sent is about; NULL: none */
    const struct pfifo_launch *launch;
    const char *detail; /* its second text */
    struct event_observer {
        struct event_set wanted;
        pfifo_observer function;
        void *opaque;
    } observer[EVENT_MAX_OBSERVERS];
};

/* True if event `id` is observed: test before doing work that only the event needs. */
static inline bool event_wanted(const struct event_hub *hub, enum event_id id) {
    return event_set_has(&hub->wanted, id);
}

/* True if any event is observed. */
static inline bool event_any_wanted(const struct event_hub *hub) {
    return hub->observed;
}

/* Send to all observers of the event. `values` has as many elements as the event has fields. Use the macro below. */
void event_deliver(struct event_hub *hub, enum event_id id, uint32_t channel, const char *text, const uint64_t *values,
                   size_t count);

/* Like event_send(), of an event with two texts: the finer one is left out if it is the other. */
#define event_send_named(hub, id, channel, text, finer, ...)                                                           \
    do {                                                                                                               \
        event_set_detail(hub, text, finer);                                                                            \
        event_send(hub, id, channel, text, __VA_ARGS__);                                                               \
        event_set_detail(hub, NULL, NULL);                                                                             \
    } while (0)
void event_set_detail(struct event_hub *hub, const char *text, const char *finer);

/* The texts that have a number. */
extern const char *const event_words[PFIFO_WORDS];
enum pfifo_event_word event_word_of(const char *text);

/* event_send(hub, id, channel, text or NULL, values...): values in the order of the declaration. */
#define event_send(hub, id, channel, text, ...)                                                                        \
    do {                                                                                                               \
        if (event_wanted(hub, id)) {                                                                                   \
            const uint64_t event_values_[] = {__VA_ARGS__};                                                            \
            event_deliver(hub, id, channel, text, event_values_, sizeof event_values_ / sizeof event_values_[0]);      \
        }                                                                                                              \
    } while (0)

enum pfifo_status event_observe(struct event_hub *hub, const char *globs, pfifo_observer observer, void *opaque,
                                struct pfifo_error *error);
void event_unobserve(struct event_hub *hub, pfifo_observer observer, void *opaque);

#endif
