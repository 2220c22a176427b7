/* SPDX-License-Identifier: MIT */
/*
 * Ready-made observers of a run: a trace, statistics, a digest.
 *
 *   GPU --events--> pfifo_trace  --> lines of text or JSON --> your write callback
 *             \---> pfifo_stats  --> totals and tables
 *              \--> pfifo_digest --> one line: NAME submissions=N words=N methods=N sha256=HEX
 *
 * Each watches one GPU at a time, and must be detached or freed before that GPU goes. None of them changes what the GPU
 * does. They print nothing; what they allocate, they allocate when they are made, and a long run needs no more.
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_TRACE_H
#define PFIFO_TRACE_H

#include <pfifo/classes.h>
#include <pfifo/draw.h>
#include <pfifo/error.h>
#include <pfifo/event.h>

#ifdef __cplusplus
extern "C" {
#endif

enum pfifo_trace_format {
    /*
     * For people and grep: a line per event, `TIME CHANNEL UNIT.VERB FIELD=VALUE...`. The time in nanoseconds, the
     * channel or `-`; numbers in decimal or 0x hexadecimal as the event is declared; classes and methods with their
     * names, `class=0x9097:FERMI_A method=0x0100:NO_OPERATION`; words in quotes if they have blanks. What the bits of a
     * method's data mean comes last, after a `;`.
     */
    PFIFO_TRACE_TEXT,
    /*
     * For programs: an object per line with time, channel, event and the event's fields; the schema is
     * docs/json.schema.json. Numbers are decimal. If there is no channel, it is null. "class_name" and "method_name"
     * are the names of "class" and "method", where known; "fields" is an object with the decoded bits of a method's
     * data.
     */
    PFIFO_TRACE_JSON,
};

/* Takes finished output. False: it could not be written; nothing more is written then. */
typedef bool (*pfifo_trace_write)(void *opaque, const char *text, size_t bytes);

struct pfifo_trace;
struct pfifo_query;

/* Errors: PFIFO_ERROR_ARGUMENT (no such format, no callback), PFIFO_ERROR_MEMORY. */
PFIFO_API struct pfifo_trace *pfifo_trace_new(enum pfifo_trace_format format, pfifo_trace_write write, void *opaque,
                                              struct pfifo_error *error);

/* Flush, detach and free (NULL allowed). */
PFIFO_API void pfifo_trace_free(struct pfifo_trace *trace);

/*
 * Observe the events of `gpu` that `globs` names, as pfifo_gpu_observe() does; NULL is all of them. Errors: those of
 * pfifo_gpu_observe(), and PFIFO_ERROR_ARGUMENT for a trace that is attached already.
 */
PFIFO_API enum pfifo_status pfifo_trace_attach(struct pfifo_trace *trace, struct pfifo_gpu *gpu, const char *globs,
                                               struct pfifo_error *error);
PFIFO_API void pfifo_trace_detach(struct pfifo_trace *trace);

/*
 * JSON only: set the "file" and the "submission" of the lines that follow, which are their first keys. A new file
 * (NULL: none; the name must stay valid) has no submission until one is set.
 */
PFIFO_API void pfifo_trace_set_file(struct pfifo_trace *trace, const char *name);
PFIFO_API void pfifo_trace_set_submission(struct pfifo_trace *trace, uint32_t sequence);

/*
 * Write only the events that match `query` (pfifo/query.h), which stays the caller's; NULL: all. What is observed is
 * still chosen by the globs, which cost less.
 */
PFIFO_API void pfifo_trace_set_query(struct pfifo_trace *trace, struct pfifo_query *query);

/* Whose names of methods are written; PFIFO_NAMES_OWN if it is never called. Before the first event. */
PFIFO_API void pfifo_trace_set_names(struct pfifo_trace *trace, enum pfifo_names names);

/* Write one more event, which may come from any source. */
PFIFO_API void pfifo_trace_event(struct pfifo_trace *trace, const struct pfifo_event *event);

/* Write what is buffered. False if anything could not be written since the trace was made. */
PFIFO_API bool pfifo_trace_flush(struct pfifo_trace *trace);

/* Sums over a run. */
struct pfifo_stats_totals {
    uint64_t events;
    uint64_t segments;      /* IB entries or GPFIFO entries that were entered */
    uint64_t segment_words; /* and their words */
    uint64_t packets;       /* headers of commands, immediate ones too */
    uint64_t methods;       /* that reached the puller */
    uint64_t jumps;         /* and calls and returns */
    uint64_t binds;
    uint64_t software;     /* methods that the driver was asked to execute */
    uint64_t fences;       /* written by puller or engine: semaphore releases, queries, notifiers */
    uint64_t fence_bytes;  /* and their size in memory */
    uint64_t waits;        /* semaphores that were not there yet when they were looked at */
    uint64_t errors;       /* of pusher and puller */
    uint64_t faults;       /* of memory, as PFIFO saw them, and of engines */
    uint64_t interrupts;   /* that PFIFO or an engine raised */
    uint64_t foreign;      /* classes bound that the chip does not have, once per channel */
    uint64_t not_executed; /* methods that an engine kept, but has no code to execute */
    uint64_t unknown;      /* methods that their class does not have, whatever the chip did then */
    uint64_t draws;        /* of 3D objects, that were executed */
    uint64_t vertices;     /* of theirs */
    uint64_t primitives;
    uint64_t fragments; /* pixels for which a fragment program was run */
    uint64_t samples;   /* that passed their tests, while they were counted */
    struct pfifo_draw_work work;
    uint64_t launches;      /* of grids, that were executed */
    uint64_t launch_blocks; /* of theirs */
    uint64_t launch_warps, launch_instructions;
};

/* What the rows of a table count. */
enum pfifo_stats_table {
    PFIFO_STATS_EVENTS,       /* name: of the event */
    PFIFO_STATS_FORMS,        /* packets; name: form of the header ("increasing") */
    PFIFO_STATS_CLASSES,      /* methods; oclass, name (of a class) */
    PFIFO_STATS_NOT_EXECUTED, /* methods; oclass, method, name (of the class) */
    PFIFO_STATS_WORK,         /* of these, what is missing to execute them, where known; name: "tessellation" */
    /*
     * Methods that their class does not have; oclass, method, name (of the class), time and channel of the first.
     * Before G80, if the statistics are attached to a GPU, the methods of a class are known from tests on hardware.
     * Otherwise they are those with a name in a document. Classes without any named method are not counted, nor are the
     * puller's methods.
     */
    PFIFO_STATS_UNKNOWN,
};

/* A row. Look a method's name up with pfifo_method_find(). */
struct pfifo_stats_row {
    const char *name; /* "" if there is none */
    uint32_t oclass;
    uint32_t method;
    uint64_t count;
    uint64_t time; /* of the first, where the table says so */
    uint32_t channel;
};

struct pfifo_stats;

/* Rows for distinct classes, and for distinct methods not executed. Beyond these, only the totals count. */
#define PFIFO_STATS_MAX_ROWS 4096
/* The same for methods that their class does not have. */
#define PFIFO_STATS_MAX_UNKNOWN 1024

PFIFO_API struct pfifo_stats *pfifo_stats_new(struct pfifo_error *error);

/* Detach and free (NULL allowed). */
PFIFO_API void pfifo_stats_free(struct pfifo_stats *stats);

/* Count the events of a GPU that `globs` names; NULL is all of them. Errors as for a trace. */
PFIFO_API enum pfifo_status pfifo_stats_attach(struct pfifo_stats *stats, struct pfifo_gpu *gpu, const char *globs,
                                               struct pfifo_error *error);
PFIFO_API void pfifo_stats_detach(struct pfifo_stats *stats);
PFIFO_API void pfifo_stats_event(struct pfifo_stats *stats, const struct pfifo_event *event);

/* Valid until the statistics are freed; the counts continue to change. */
PFIFO_API const struct pfifo_stats_totals *pfifo_stats_totals(const struct pfifo_stats *stats);

/*
 * Row `index` (0 ...) of a table, without rows whose count is 0; false beyond the last. Events are in the order of
 * declaration, forms and work sorted by name, methods by class and number, unknown methods in the order of appearance.
 * The same run gives the same rows.
 */
PFIFO_API bool pfifo_stats_at(struct pfifo_stats *stats, enum pfifo_stats_table table, size_t index,
                              struct pfifo_stats_row *row);

struct pfifo_digest;

PFIFO_API struct pfifo_digest *pfifo_digest_new(struct pfifo_error *error);

/* Detach and free (NULL allowed). */
PFIFO_API void pfifo_digest_free(struct pfifo_digest *digest);

/* Digest what the puller of a GPU gets: subchannel, method and data of every method, in order. */
PFIFO_API enum pfifo_status pfifo_digest_attach(struct pfifo_digest *digest, struct pfifo_gpu *gpu,
                                                struct pfifo_error *error);
PFIFO_API void pfifo_digest_detach(struct pfifo_digest *digest);
PFIFO_API void pfifo_digest_event(struct pfifo_digest *digest, const struct pfifo_event *event);

/* Count a submission of `words` pushbuffer words, which only the caller that submits them knows. */
PFIFO_API void pfifo_digest_submission(struct pfifo_digest *digest, uint64_t words);

/* Methods so far. */
PFIFO_API uint64_t pfifo_digest_methods(const struct pfifo_digest *digest);

/*
 * `NAME submissions=N words=N methods=N sha256=HEX`, without a newline, as pfifo_decode_digest() gives it. Prints as
 * snprintf does. More can follow.
 */
PFIFO_API size_t pfifo_digest_format(const struct pfifo_digest *digest, const char *name, char *buf, size_t size);

#ifdef __cplusplus
}
#endif

#endif
