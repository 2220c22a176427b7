/* SPDX-License-Identifier: MIT */
/*
 * The event hub of one GPU: units send, observers receive.
 *
 *   unit --event_send(hub, EVENT_PULLER_METHOD, channel, values...)--> hub --> observers that asked
 *
 * A unit declares its events in src/<unit>/events.def, one per line:
 *   EVENT(PULLER_METHOD, "puller.method", NO_TEXT, DECIMAL(subchannel), CLASS(class), METHOD(method), HEX(data))
 */
#ifndef PFIFO_SRC_EVENT_EVENT_H
#define PFIFO_SRC_EVENT_EVENT_H

#include <pfifo/event.h>

enum event_id {
#define EVENT(id, name, ...) EVENT_##id,
#include "event/all_events.def"
#undef EVENT
    EVENT_COUNT
};

#define EVENT_MAX_OBSERVERS 8

struct event_hub {
    uint64_t wanted; /* bit per event_id that somebody observes */
    uint64_t sent;
    const uint64_t *now; /* nanoseconds */
    struct event_observer {
        uint64_t wanted;
        pfifo_observer function;
        void *opaque;
    } observer[EVENT_MAX_OBSERVERS];
};

/* True if somebody wants event `id`: test before doing work that only the event needs. */
static inline bool event_wanted(const struct event_hub *hub, enum event_id id) {
    return (hub->wanted >> id & 1) != 0;
}

/* Send to all who asked. `values` has as many elements as the event has fields. Use the macro below. */
void event_deliver(struct event_hub *hub, enum event_id id, uint32_t channel, const char *text, const uint64_t *values,
                   size_t count);

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
