/* SPDX-License-Identifier: MIT */
/* {"time":1234,"channel":2,"event":"puller.bind","subchannel":0,"object":36887,"class":36887,"class_name":"FERMI_A"} */
#include "trace/trace.h"

static void put_key(struct output *out, const char *key, const char *suffix) {
    output_text(out, ",\"");
    output_text(out, key);
    output_text(out, suffix);
    output_text(out, "\":");
}

/* Names are plain ASCII without quotes or backslashes. */
static void put_string(struct output *out, const char *value) {
    output_text(out, "\"");
    output_text(out, value);
    output_text(out, "\"");
}

static void put_name(struct output *out, const char *key, const char *name) {
    if (name[0]) {
        put_key(out, key, "_name");
        put_string(out, name);
    }
}

static void put_field(struct pfifo_trace *trace, const struct pfifo_event *event, const struct pfifo_event_info *info,
                      unsigned field) {
    struct output *out = &trace->out;
    const char *key = info->field[field];

    put_key(out, key, "");
    if (info->format[field] == PFIFO_EVENT_TEXT) {
        put_string(out, event->text ? event->text : "");
        return;
    }
    output_decimal(out, event->value[field]);
    if (info->format[field] == PFIFO_EVENT_CLASS)
        put_name(out, key, trace_class(trace, event, info));
    else if (info->format[field] == PFIFO_EVENT_METHOD)
        put_name(out, key, trace_method(trace, event, info)->text);
}

void trace_json(struct pfifo_trace *trace, const struct pfifo_event *event) {
    const struct pfifo_event_info *info = pfifo_event_info(event->id);
    struct output *out = &trace->out;

    if (!info)
        return;
    output_text(out, "{\"time\":");
    output_decimal(out, event->time);
    if (event->channel != UINT32_MAX) {
        put_key(out, "channel", "");
        output_decimal(out, event->channel);
    }
    put_key(out, "event", "");
    put_string(out, info->name);
    for (unsigned i = 0; i < info->fields; i++)
        put_field(trace, event, info, i);
    output_text(out, "}\n");
}
