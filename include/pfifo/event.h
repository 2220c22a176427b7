/* SPDX-License-Identifier: MIT */
/*
 * Events: everything that happens in the machine, for whoever wants to look.
 *
 * An observer asks for events by glob ("*", "puller.*", "pusher.packet,switch.*") and gets each one
 * as it happens, in order. Events are declared one per line in src/<unit>/events.def; their names
 * and fields are a stable interface, their numbers are not (look them up by name): there may be
 * any number of them, so keep no mask of events in a word.
 * Without an observer an event costs one test of a bit per run of methods, and nothing per word.
 *
 * Library: libpfifo
 */
#ifndef PFIFO_EVENT_H
#define PFIFO_EVENT_H

#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_gpu;
struct pfifo_draw;
struct pfifo_launch;

#define PFIFO_EVENT_MAX_FIELDS 12

/* How a field of an event is meant to be shown. */
enum pfifo_event_format {
    PFIFO_EVENT_DECIMAL,
    PFIFO_EVENT_HEX,
    PFIFO_EVENT_CLASS,   /* object class; the event's method belongs to it */
    PFIFO_EVENT_METHOD,  /* byte offset of a method */
    PFIFO_EVENT_TEXT,    /* pfifo_event.text: a constant name such as an error or a fault reason */
    PFIFO_EVENT_CHANNEL, /* number of a channel; UINT32_MAX: no channel */
    PFIFO_EVENT_DETAIL,  /* pfifo_event.detail: the same, of an event that has two texts */
};

struct pfifo_event_info {
    const char *name; /* "puller.method" */
    unsigned fields;
    const char *const *field;              /* name of each field */
    const enum pfifo_event_format *format; /* how to show each field */
};

/* Texts that observers tell apart without comparing strings. */
enum pfifo_event_word {
    PFIFO_WORD_OTHER,     /* any other text, or none */
    PFIFO_WORD_WAITS,     /* of puller.acquire, puller.syncpoint, engine.acquire: it is not over */
    PFIFO_WORD_SEMAPHORE, /* of engine.fence: a program waits for it, as it does for puller.release */
    PFIFO_WORD_TARGET,    /* of engine.read and engine.write: what the surface is to a draw or a clear */
    PFIFO_WORD_DEPTH,
    PFIFO_WORD_CLEAR,
    PFIFO_WORD_TEXTURE,
    PFIFO_WORDS
};

struct pfifo_event {
    unsigned id;    /* index for pfifo_event_info(), below pfifo_event_count() */
    uint64_t order; /* running number of events that this GPU sent, from 0 */
    uint64_t time;  /* nanoseconds of the GPU's clock */
    uint32_t channel;
    uint64_t value[PFIFO_EVENT_MAX_FIELDS];
    const char *text; /* for the PFIFO_EVENT_TEXT field, if there is one; may be NULL */
    /* For engine.draw, and for engine.done of a clear: its details (pfifo/draw.h), valid in the call. Or NULL. */
    const struct pfifo_draw *draw;
    enum pfifo_event_word word; /* which text it is */
    /* For engine.launch and engine.launched: its details (pfifo/launch.h), valid in the call. Or NULL. */
    const struct pfifo_launch *launch;
    const char *detail; /* for the PFIFO_EVENT_DETAIL field; NULL: there is nothing to add to the text */
};

typedef void (*pfifo_observer)(void *opaque, const struct pfifo_event *event);

/*
 * Number of events; the declaration of event `id`, NULL if there is none; the id of an exact name, SIZE_MAX if no event
 * has it.
 */
PFIFO_API size_t pfifo_event_count(void);
PFIFO_API const struct pfifo_event_info *pfifo_event_info(size_t id);
PFIFO_API size_t pfifo_event_find(const char *name);

/* Does event `id` match `globs`, as pfifo_gpu_observe() takes them? A glob of 64 bytes or more matches nothing. */
PFIFO_API bool pfifo_event_matches(size_t id, const char *globs);

/*
 * Call `observer` for each event whose name matches `globs`: names with '*' and '?', separated by
 * commas. At most 8 observers at a time. The observer may read the GPU but must not run or write it.
 * Errors: PFIFO_ERROR_ARGUMENT if a glob matches no event, PFIFO_ERROR_MEMORY if there are 8 already.
 */
PFIFO_API enum pfifo_status pfifo_gpu_observe(struct pfifo_gpu *gpu, const char *globs, pfifo_observer observer,
                                              void *opaque, struct pfifo_error *error);

/* Take an observer away again, by its function and opaque pointer. */
PFIFO_API void pfifo_gpu_unobserve(struct pfifo_gpu *gpu, pfifo_observer observer, void *opaque);

#ifdef __cplusplus
}
#endif

#endif
