/* SPDX-License-Identifier: MIT */
/*
 * The profile of command streams: what they are made of, and how much of it repeats what was set before.
 *
 *   pfifo_decode_stream() --options.event--> profile --> totals
 *                                                    \-> rows by method, class or form of packets
 *
 * Nothing is executed. Memory grows with the different methods in use per channel and class, up to
 * PFIFO_PROFILE_MAX_METHODS, and not with the length of the streams.
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_PROFILE_H
#define PFIFO_PROFILE_H

#include <pfifo/decode.h>
#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Different (channel, class, method) that a profile can tell apart. */
#define PFIFO_PROFILE_MAX_METHODS (UINT32_C(1) << 20)

struct pfifo_profile;

/* NULL on error: no memory. */
PFIFO_API struct pfifo_profile *pfifo_profile_new(struct pfifo_error *error);
PFIFO_API void pfifo_profile_free(struct pfifo_profile *profile);

/* Begin another stream: its channels are different ones, even with the same numbers. Counts go on. */
PFIFO_API void pfifo_profile_begin(struct pfifo_profile *profile);

/* Take an event. It is a pfifo_decode_sink; `profile` is a struct pfifo_profile. Never asks to stop. */
PFIFO_API bool pfifo_profile_event(void *profile, const struct pfifo_decode_event *event);

struct pfifo_profile_totals {
    uint64_t submissions;
    uint64_t words;       /* headers, data, jumps, and words that were skipped */
    uint64_t least_words; /* in a submission */
    uint64_t most_words;  /* in a submission */
    uint64_t packets;     /* headers, jumps and control words */
    uint64_t methods;
    uint64_t same;   /* methods with the data that they had before, see below */
    uint64_t masked; /* methods that an SLI or subdevice mask keeps from this GPU; never `same` */
    uint64_t errors;
    uint64_t without_row; /* methods beyond PFIFO_PROFILE_MAX_METHODS, or for which there was no memory */
};

PFIFO_API void pfifo_profile_totals(const struct pfifo_profile *profile, struct pfifo_profile_totals *totals);

enum pfifo_profile_by {
    PFIFO_PROFILE_BY_METHOD, /* class_id, method */
    PFIFO_PROFILE_BY_CLASS,  /* class_id */
    PFIFO_PROFILE_BY_FORM,   /* form: of packets */
};

/* Fields that a row does not have are 0. */
struct pfifo_profile_row {
    uint32_t class_id; /* names the methods: below 0x100, from NV4 on, the channel's; 0: not known */
    uint16_t method;   /* byte offset */
    const char *form;  /* constant text, as in struct pfifo_decode_event */
    uint64_t count;    /* methods; packets */
    /*
     * Methods whose data is that of the last time in the same channel and class. It is redundant if the method only
     * sets a state; of one that acts, such as a clear, or that feeds data, it is the act or the data again.
     */
    uint64_t same;
};

/*
 * The rows with the most counts, in descending order; of equal ones by class, method, form. At most `max` are written
 * to `rows` (NULL if it is 0); `*count` is how many there are in all. PFIFO_ERROR_MEMORY, PFIFO_ERROR_ARGUMENT.
 */
PFIFO_API enum pfifo_status pfifo_profile_rows(const struct pfifo_profile *profile, enum pfifo_profile_by by,
                                               struct pfifo_profile_row *rows, size_t max, size_t *count,
                                               struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
