/* SPDX-License-Identifier: MIT */
/*
 * The trace: events become lines.
 *
 *   event --trace_text | trace_json--> line --> buffer --blocks--> write callback
 *
 * Buffer and names are those of the decoder: nothing is allocated per event, and the name of a method is looked up
 * once per (class, method), as long as it stays in a small table.
 *
 * Modelled:     every declared event, by its declaration; there is no code per event, but for draws and clears (draw.c) and launches (launch.c)
 * Not modelled: names of methods in events without a class (pusher.packet), except host methods
 */
#ifndef PFIFO_TRACE_TRACE_H
#define PFIFO_TRACE_TRACE_H

#include <pfifo/query.h>
#include <pfifo/trace.h>

#include "decode/sink.h"

struct pfifo_trace {
    void (*line)(struct pfifo_trace *trace, const struct pfifo_event *event);
    struct pfifo_gpu *gpu;     /* attached to */
    struct pfifo_query *query; /* NULL: all events are written */
    uint32_t host_class;       /* names the puller's methods, 0: not known */
    struct json_source source;
    struct output out;
    struct names names;
};

/* text.c, json.c: append a line to the buffer. */
void trace_text(struct pfifo_trace *trace, const struct pfifo_event *event);
void trace_json(struct pfifo_trace *trace, const struct pfifo_event *event);

/* draw.c: what comes after the fields of an event that is about a draw. */
void trace_draw_text(struct output *out, const struct pfifo_draw *draw);
void trace_draw_json(struct output *out, const struct pfifo_draw *draw);
/* launch.c */
void trace_launch_text(struct output *out, const struct pfifo_launch *launch);
void trace_launch_json(struct output *out, const struct pfifo_launch *launch);

/* Value of the event's field of a format, false if it has none. */
bool trace_value(const struct pfifo_event *event, const struct pfifo_event_info *info, enum pfifo_event_format format,
                 uint64_t *value);

/* The data of the event's method: its field "data". False if it has none. */
bool trace_data(const struct pfifo_event *event, const struct pfifo_event_info *info, uint32_t *data);

/* Of one of several methods: `field` is a method. */
const struct names_entry *trace_method_field(struct pfifo_trace *trace, const struct pfifo_event *event,
                                             const struct pfifo_event_info *info, unsigned field);
/* Names of the event's method, NULL if the event has none. */
const struct names_entry *trace_method(struct pfifo_trace *trace, const struct pfifo_event *event,
                                       const struct pfifo_event_info *info);

/* Name of the event's class, "" if it has none. */
const char *trace_class(struct pfifo_trace *trace, const struct pfifo_event *event,
                        const struct pfifo_event_info *info);

#endif
