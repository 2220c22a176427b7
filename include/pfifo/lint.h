/* SPDX-License-Identifier: MIT */
/*
 * Hazards of a recorded command stream: what may go wrong on hardware, or waits forever, found while the capture is
 * replayed (pfifo/replay.h). Of a chip whose machine is not built, rules that need none look at the words as they are decoded.
 *
 *   capture ---> replay ---> records, events ---> rules ---> findings
 *           ---> decoder --> methods -----------> rules that need no machine
 *
 *   static bool look(void *opaque, const struct pfifo_lint_finding *finding) {
 *       printf("submission %u: %s: %s\n", (unsigned)finding->submission, finding->rule->name, finding->text);
 *       return true;
 *   }
 *   pfifo_lint_stream(stream, NULL, look, NULL, NULL, &error);
 *
 * A rule says only what the replay has seen. Not modelled: when the CPU reads memory, so a program that polls a
 * semaphore is not seen to wait; what an early fetch would read on hardware. Faults of the replay are no findings
 * (but state-missing says what some of them lack): pfifo_replay_result() has them. Memory does not grow with the length of the capture.
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_LINT_H
#define PFIFO_LINT_H

#include <pfifo/chip.h>
#include <pfifo/error.h>
#include <pfifo/gpu.h>
#include <pfifo/replay.h>
#include <pfifo/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_lint_rule {
    const char *name;     /* "unknown-method" */
    const char *severity; /* "error": it goes wrong here; "warning": it may */
    const char *text;     /* what it finds, in a sentence */
    bool needs_machine;   /* it looks at what the machine does, and is left out for a chip whose machine is not built */
};

/* Number of rules; rule `index`, NULL if there is none. */
PFIFO_API size_t pfifo_lint_rule_count(void);
PFIFO_API const struct pfifo_lint_rule *pfifo_lint_rule_at(size_t index);

/* Do the globs (NULL: all) name the rule? */
PFIFO_API bool pfifo_lint_rule_wanted(const struct pfifo_lint_rule *rule, const char *globs);

/* Different findings of a capture, at most. */
#define PFIFO_LINT_FINDINGS 1024

/* Equal findings are counted: all fields but `count` are those of the first. */
struct pfifo_lint_finding {
    const struct pfifo_lint_rule *rule;
    uint64_t count;
    uint32_t submission, channel;  /* of the capture */
    uint32_t name_class;           /* that names the method: the channel's for the puller's, else that of the object */
    struct pfifo_replay_word word; /* that it is about; what is not known is 0 */
    const char *text;              /* the reason, in words */
};

/* The finding is valid during the call. False: no more. */
typedef bool (*pfifo_lint_sink)(void *opaque, const struct pfifo_lint_finding *finding);

/* Fields that are 0 take defaults. */
struct pfifo_lint_options {
    size_t size;                   /* sizeof(struct pfifo_lint_options), see struct pfifo_config */
    const struct pfifo_chip *chip; /* NULL: the one that the capture names */
    const char *rules;             /* globs, separated by commas; NULL: all */
    uint64_t budget;               /* of each submission, as of struct pfifo_replay_config */
    /* Called a few times a second. True: stop; the rest of the capture is not read. */
    bool (*enough)(void *opaque);
    void *opaque;
};

struct pfifo_lint_result {
    uint64_t submissions; /* that were looked at */
    uint64_t findings;    /* equal ones counted */
    uint64_t left_out;    /* of these: beyond PFIFO_LINT_FINDINGS */
    uint64_t faults;      /* of the replay; of a capture that was only decoded: words that the hardware refuses */
    enum pfifo_stop stop; /* why it ended */
    bool whole;           /* it has seen the capture up to its end */
    bool decoded; /* the machine of the chip is not built: the words were decoded, for the rules that need no machine */
};

/*
 * Replay the capture, which must be at its beginning, and give the findings in the order of submissions. `options` and
 * `result` may be NULL. Errors: those of pfifo_replay_new() and pfifo_replay_next(), after which what was found before
 * is given, too; PFIFO_ERROR_ARGUMENT: a glob that matches no rule; PFIFO_ERROR_UNSUPPORTED: all rules that are wanted need
 * a machine that is not built. Of a capture that is decoded, what is found has no buffer.
 */
PFIFO_API enum pfifo_status pfifo_lint_stream(struct pfifo_stream *stream, const struct pfifo_lint_options *options,
                                              pfifo_lint_sink sink, void *opaque, struct pfifo_lint_result *result,
                                              struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
