/* SPDX-License-Identifier: MIT */
/* {"file":"x.nvcap","submission":1,"time":1234,"channel":2,"event":"puller.bind","subchannel":0,"object":36887,"class":36887,"class_name":"FERMI_A"}
 */
#include "trace/trace.h"

#include "decode/json_value.h"

static void put_key(struct output *out, const char *key, const char *suffix) {
    output_text(out, ",\"");
    output_text(out, key);
    output_text(out, suffix);
    output_text(out, "\":");
}

static void json_put_name(struct output *out, const char *key, const char *name) {
    if (name[0]) {
        put_key(out, key, "_name");
        json_string(out, name);
    }
}

static void json_put_field(struct pfifo_trace *trace, const struct pfifo_event *event,
                           const struct pfifo_event_info *info, unsigned field) {
    struct output *out = &trace->out;
    const char *key = info->field[field];

    put_key(out, key, "");
    if (info->format[field] == PFIFO_EVENT_TEXT) {
        json_string(out, event->text ? event->text : "");
        return;
    }
    if (info->format[field] == PFIFO_EVENT_DETAIL) {
        json_string(out, event->detail ? event->detail : "");
        return;
    }
    if (info->format[field] == PFIFO_EVENT_CHANNEL && event->value[field] == UINT32_MAX) {
        output_text(out, "null");
        return;
    }
    output_decimal(out, event->value[field]);
    if (info->format[field] == PFIFO_EVENT_CLASS)
        json_put_name(out, key, trace_class(trace, event, info));
    else if (info->format[field] == PFIFO_EVENT_METHOD)
        json_put_name(out, key, trace_method_field(trace, event, info, field)->text);
}

/* What the bits of a method's data mean. */
static void json_put_meaning(struct pfifo_trace *trace, const struct pfifo_event *event,
                             const struct pfifo_event_info *info) {
    const struct names_entry *entry = trace_method(trace, event, info);
    uint32_t data;

    if (!entry || !json_has_fields(entry) || !trace_data(event, info, &data))
        return;
    put_key(&trace->out, "fields", "");
    json_fields(&trace->out, entry, data);
}

void trace_json(struct pfifo_trace *trace, const struct pfifo_event *event) {
    const struct pfifo_event_info *info = pfifo_event_info(event->id);
    struct output *out = &trace->out;

    if (!info)
        return;
    json_begin(out, &trace->source);
    output_text(out, "\"time\":");
    output_decimal(out, event->time);
    if (event->channel != UINT32_MAX) {
        put_key(out, "channel", "");
        output_decimal(out, event->channel);
    }
    put_key(out, "event", "");
    json_string(out, info->name);
    for (unsigned i = 0; i < info->fields; i++)
        json_put_field(trace, event, info, i);
    if (event->draw)
        trace_draw_json(out, event->draw);
    if (event->launch)
        trace_launch_json(out, event->launch);
    json_put_meaning(trace, event, info);
    output_text(out, "}\n");
}
