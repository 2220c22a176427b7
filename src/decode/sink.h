/* SPDX-License-Identifier: MIT */
/*
 * Sinks: where the events of the decoder go.
 *
 *   event --> text or JSON line --> buffer --blocks--> write callback
 *         \-> digest of the methods
 *
 * Nothing is allocated per event. Names are looked up once per (class, method) and kept in a small direct-mapped
 * table; only the numbers of a line are formatted anew.
 */
#ifndef PFIFO_DECODE_SINK_H
#define PFIFO_DECODE_SINK_H

#include <pfifo/classes.h>
#include <pfifo/decode.h>

#include "decode/around.h"
#include "decode/filter.h"
#include "decode/macros.h"
#include "decode/shaders.h"
#include "decode/output.h"
#include "decode/unknown.h"
#include "digest/digest.h"

enum {
    NAMES_SLOTS = 512,
    NAMES_FIELDS = 10, /* cached; a method with more fields is described the slow way */
};

/* names.c: names and fields of a method. */
struct names_entry {
    bool known, slow; /* slow: not all its fields are here */
    uint32_t class_id;
    uint16_t method;
    uint8_t length; /* of text */
    uint8_t fields;
    char text[PFIFO_METHOD_NAME_BYTES]; /* empty: it has no name */
    struct pfifo_field field[NAMES_FIELDS];
};

struct names {
    enum pfifo_names whose;
    const struct pfifo_class *last_class[8]; /* per subchannel */
    struct names_entry slots[NAMES_SLOTS];
};

const struct names_entry *names_method(struct names *names, uint32_t class_id, uint32_t method);
const char *names_class(struct names *names, unsigned subchannel, uint32_t class_id);

/* A field that is a handle of another object, or NULL. */
const struct pfifo_field *names_handle(const struct names_entry *entry);

/* The same text as pfifo_method_describe(), faster. */
void names_describe(const struct names_entry *entry, uint32_t data, struct output *out);

/* The origin of a line: the first keys of its JSON object. */
struct json_source {
    const char *file; /* NULL: not known */
    bool submitted;   /* a submission has begun */
    uint32_t submission;
    const char *op; /* of a comparison: "-", "+", "="; else NULL */
};

/* A sink of one decoding, whatever the format. */
struct sink {
    const struct pfifo_decoder *decoder; /* for handles; set by decode_stream() once the decoder exists */
    unsigned address_digits;
    struct output out;
    struct names names;
    struct method_digest digest;
    struct macros macros;
    struct shaders shaders;
    struct decode_unknown unknown;
    pfifo_decode_sink function;
    pfifo_decode_sink event; /* NULL: nobody wants values */
    void *event_opaque;
    uint64_t *errors;      /* NULL: nobody counts */
    bool shows_skipped;    /* text: words that are skipped get lines of their own, so that it has all words */
    struct around *around; /* NULL: all lines are written */
    struct filter *filter; /* NULL: all lines are written */
    struct json_source source;
};

/*
 * sink.c: can this format be written for this chip; begin; write only what the options' query asks for; go on (false:
 * no more is wanted); a channel has ended; end (false: not all was written).
 */
enum pfifo_status sink_check(const struct pfifo_decode_options *options, struct pfifo_error *error);
void sink_init(struct sink *sink, const struct pfifo_decode_options *options, pfifo_decode_write write, void *opaque);
enum pfifo_status sink_set_filter(struct sink *sink, const struct pfifo_decode_options *options,
                                  struct pfifo_error *error);
bool sink_event(struct sink *sink, const struct pfifo_decode_event *event);
void sink_channel_end(struct sink *sink, uint32_t channel);
bool sink_finish(struct sink *sink, enum pfifo_decode_format format, const char *name);

/* Digits of an address in the text. */
unsigned sink_address_digits(const struct pfifo_chip *chip);

/* Output an event that was selected. False: no more is wanted. */
bool sink_output(struct sink *sink, const struct pfifo_decode_event *event);

/* A pfifo_decode_write for who only takes events. */
bool sink_no_output(void *opaque, const char *text, size_t bytes);

/* The decoder has ended with `status`. It is no error that a query has all that it asked for. */
enum pfifo_status sink_status_of(const struct sink *sink, enum pfifo_status status);

/* stream.c: pfifo_decode_stream(); with `around`, only the lines around its marks are written. */
enum pfifo_status decode_stream(struct pfifo_stream *stream, const struct pfifo_decode_options *options,
                                struct around *around, pfifo_decode_write write, void *opaque,
                                struct pfifo_error *error);

/* text.c, json.c, digest.c, macros.c, shaders.c: opaque is the sink. */
bool sink_text(void *opaque, const struct pfifo_decode_event *event);
bool sink_json(void *opaque, const struct pfifo_decode_event *event);
bool sink_digest(void *opaque, const struct pfifo_decode_event *event);
bool sink_macros(void *opaque, const struct pfifo_decode_event *event);
bool sink_nothing(void *opaque, const struct pfifo_decode_event *event);
bool sink_shaders(void *opaque, const struct pfifo_decode_event *event);

#endif
