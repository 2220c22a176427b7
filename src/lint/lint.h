/* SPDX-License-Identifier: MIT */
/*
 * The rules of pfifo/lint.h and what they share.
 *
 *   lint.c -- records --> waits.c  words.c  surfaces.c  cpu.c      each rule keeps its own state
 *          -- events ---> methods.c  macros.c  missing.c  waits.c  words.c  surfaces.c
 *          -- the end --> waits_end.c                              --> findings.c --> the caller
 *
 *   order.c: who has waited for whom        range.c: names of memory
 *
 * Without a machine, decoded.c gives methods.c what the decoder has seen.
 */
#ifndef PFIFO_LINT_LINT_H
#define PFIFO_LINT_LINT_H

#include <pfifo/event.h>
#include <pfifo/lint.h>

#include "replay/replay.h"

enum lint_rule {
    LINT_OBJECT_NOT_BOUND,
    LINT_UNKNOWN_METHOD,
    LINT_UNKNOWN_BITS,
    LINT_FENCE_NEVER_WAITED,
    LINT_FENCE_NEVER_RELEASED,
    LINT_DEADLOCK,
    LINT_WORDS_OVERWRITTEN,
    LINT_READ_WITHOUT_WAIT,
    LINT_TEXTURE_WITHOUT_WAIT,
    LINT_CPU_WRITE,
    LINT_STATE_NOT_KEPT,
    LINT_MACRO_WITHOUT_CODE,
    LINT_STATE_MISSING,
    LINT_RULES
};

extern const struct pfifo_lint_rule lint_rules[LINT_RULES];

/* Methods below it are the front end's own, on every subchannel. */
enum { HOST_METHODS = 0x100 };

/* The rules that the globs name, a bit each. 0: an error was set. */
uint32_t lint_rules_named(const char *globs, struct pfifo_error *error);

struct lint_findings;
struct lint_place;
struct lint_macros;
struct lint_methods;
struct lint_order;
struct lint_surfaces;
struct lint_waits;
struct lint_words;

/* What the method that is executed lacks; the state beyond that is left out. */
enum { LINT_MISSING = 64 };
struct lint_missing {
    unsigned count;
    uint16_t state[LINT_MISSING]; /* the methods that would have set it */
    const char *why[LINT_MISSING];
};

struct lint {
    struct pfifo_replay *replay;      /* NULL: the words are only decoded, */
    const struct lint_place *decoded; /* and this is the place of the one that is looked at */
    uint32_t host_class;
    uint32_t wanted;       /* rules, a bit each */
    uint32_t sequence;     /* of the submission that is recorded now */
    bool version_2, ended; /* the capture is of version 2 or later; all of it was played */
    bool tells_writes;     /* version 2: it is known when the CPU has written what */
    bool has_spaces;       /* the chip: buffers have numbers; else addresses in VRAM and GART */
    struct lint_findings *findings;
    struct lint_macros *macros;
    struct lint_methods *methods;
    struct lint_missing missing;
    struct lint_order *order;
    struct lint_surfaces *surfaces;
    struct lint_waits *waits;
    struct lint_words *words;
};

static inline bool lint_wants(const struct lint *lint, enum lint_rule rule) {
    return lint->wanted >> rule & 1;
}

/* ---- findings.c ---- */

/* Where it is found. */
struct lint_place {
    uint32_t channel, submission, name_class;
    struct pfifo_replay_word word;
};

struct lint_findings *lint_findings_new(void);
void lint_findings_free(struct lint_findings *findings);

/* The place of the method that a channel (the hardware's number) executes. */
struct lint_place lint_place_now(const struct lint *lint, uint32_t channel);

/* Findings of a rule and channel with the same `key` are equal. The text is that of the first. */
void lint_find(struct lint *lint, enum lint_rule rule, const struct lint_place *place, uint64_t key, const char *format,
               ...) PFIFO_PRINTF(5, 6);

/* Give them to the caller. */
void lint_findings_give(struct lint_findings *findings, pfifo_lint_sink sink, void *opaque);
void lint_findings_count(const struct lint_findings *findings, struct pfifo_lint_result *result);

/* ---- methods.c: object-not-bound, unknown-method, unknown-bits, state-not-kept ---- */

struct lint_methods *lint_methods_new(const struct pfifo_chip *chip);
void lint_methods_free(struct lint_methods *methods);
void lint_method(struct lint *lint, const struct pfifo_event *event);
/* The same of what is known of a method; `bound`: the class of the object that it goes to, 0: there is none. */
struct lint_sent_to {
    uint32_t channel, subchannel, bound, method, data;
};
void lint_method_sent(struct lint *lint, struct lint_sent_to sent);
/* A macro sends one: its place is the word that is executed. */
void lint_macro_method(struct lint *lint, const struct pfifo_event *event);

/* ---- decoded.c ---- */

/* Look at the rest of the capture without a machine. */
enum pfifo_status lint_decoded(struct lint *lint, struct pfifo_stream *stream, const struct pfifo_chip *chip,
                               const struct pfifo_lint_options *options, struct pfifo_lint_result *result,
                               struct pfifo_error *error);

/* ---- macros.c: macro-without-code ---- */

struct lint_macros *lint_macros_new(const struct pfifo_chip *chip);
void lint_macros_free(struct lint_macros *macros);
/* A channel (the hardware's number) executes a method, which may load a macro; calls one; is closed. */
void lint_macros_method(struct lint *lint, uint32_t channel, uint32_t object_class, uint32_t method, uint32_t data);
void lint_macros_call(struct lint *lint, const struct pfifo_event *event);
void lint_macros_record(struct lint *lint, const struct pfifo_stream_record *record);

/* ---- missing.c: state-missing ---- */

/* A method lacks something; then it is refused. */
void lint_missing_state(struct lint *lint, const struct pfifo_event *event);
void lint_missing_error(struct lint *lint, const struct pfifo_event *event);

/* ---- waits.c: fence-never-waited, fence-never-released, deadlock ---- */

struct lint_waits *lint_waits_new(void);
void lint_waits_free(struct lint_waits *waits);
void lint_waits_record(struct lint *lint, const struct pfifo_stream_record *record);

/* A semaphore in memory or a syncpoint, whose number is `address`. */
struct lint_fence {
    bool is_syncpoint;
    uint64_t address;
};

/* A channel looks at a fence. */
void lint_waits_look(struct lint *lint, const struct pfifo_event *event, struct lint_fence fence, uint32_t value,
                     bool waits);
/* A channel, or for a syncpoint the host, has changed one. `is_fence`: for somebody to wait for. */
void lint_waits_release(struct lint *lint, const struct pfifo_event *event, struct lint_fence fence, uint32_t value,
                        bool is_fence);
/* The capture has ended. */
void lint_waits_end(struct lint *lint);

/* ---- order.c ---- */

struct lint_order *lint_order_new(void);
void lint_order_free(struct lint_order *order);
void lint_order_record(struct lint *lint, const struct pfifo_stream_record *record);
/* Channels are those of the hardware. A fence is written, or has been read and has its value; */
void lint_order_release(struct lint *lint, uint32_t channel, struct lint_fence fence, uint32_t value);
void lint_order_acquire(struct lint *lint, uint32_t channel, struct lint_fence fence, uint32_t value);
/* the CPU is told by something else how far a channel is; a method is executed; the machine has run. */
void lint_order_tells_cpu(struct lint *lint, uint32_t channel);
void lint_order_method(struct lint *lint, uint32_t channel, uint32_t object_class, uint32_t method);
void lint_order_ran(struct lint *lint);

/* ---- surfaces.c: read-without-wait, texture-without-wait; cpu.c: cpu-write ---- */

struct lint_surfaces *lint_surfaces_new(void);
void lint_surfaces_free(struct lint_surfaces *surfaces);
void lint_surfaces_record(struct lint *lint, const struct pfifo_stream_record *record);
void lint_surfaces_read(struct lint *lint, const struct pfifo_event *event);
void lint_surfaces_write(struct lint *lint, const struct pfifo_event *event);
/* A channel or its engine has written a fence or report. */
void lint_surfaces_reported(struct lint *lint, uint32_t channel, uint64_t address);
void lint_cpu_record(struct lint *lint, const struct pfifo_stream_record *record);

/* ---- words.c: words-overwritten ---- */

struct lint_words *lint_words_new(struct lint *lint);
void lint_words_free(struct lint *lint);
void lint_words_record(struct lint *lint, const struct pfifo_stream_record *record);
/* A channel (the hardware's number) executes a method. */
void lint_words_method(struct lint *lint, uint32_t channel);
/* The machine has run. */
void lint_words_ran(struct lint *lint);

#endif
