/* SPDX-License-Identifier: MIT */
/*
 *   1234 2 puller.method subchannel=0 class=0x9097:FERMI_A method=0x0d8c:CLEAR_COLOR(3) data=0x3f800000 ; 1
 */
#include "trace/trace.h"

#include <string.h>

#define SEPARATOR " ; "

static void put_hex(struct output *out, uint64_t value, unsigned digits) {
    output_text(out, "0x");
    output_hex(out, value, digits);
}

static void put_named(struct output *out, uint64_t value, const char *name) {
    put_hex(out, value, 4);
    if (name[0]) {
        output_text(out, ":");
        output_text(out, name);
    }
}

/* Names are our own constants, without quotes. A blank would end the field. */
static void text_put(struct output *out, const char *text) {
    const char *quote = !*text || strchr(text, ' ') ? "\"" : "";

    output_text(out, quote);
    output_text(out, text);
    output_text(out, quote);
}

static void put_channel(struct output *out, uint64_t channel) {
    if (channel == UINT32_MAX)
        output_text(out, "-");
    else
        output_decimal(out, channel);
}

static void text_put_value(struct pfifo_trace *trace, const struct pfifo_event *event,
                           const struct pfifo_event_info *info, unsigned field) {
    struct output *out = &trace->out;
    uint64_t value = event->value[field];

    switch (info->format[field]) {
    case PFIFO_EVENT_DECIMAL:
        output_decimal(out, value);
        break;
    case PFIFO_EVENT_CHANNEL:
        put_channel(out, value);
        break;
    case PFIFO_EVENT_HEX:
        put_hex(out, value, 1);
        break;
    case PFIFO_EVENT_CLASS:
        put_named(out, value, trace_class(trace, event, info));
        break;
    case PFIFO_EVENT_METHOD:
        put_named(out, value, trace_method_field(trace, event, info, field)->text);
        break;
    case PFIFO_EVENT_TEXT:
        text_put(out, event->text ? event->text : "");
        break;
    case PFIFO_EVENT_DETAIL:
        text_put(out, event->detail ? event->detail : "");
        break;
    }
}

/* What the bits of a method's data mean. */
static void text_put_meaning(struct pfifo_trace *trace, const struct pfifo_event *event,
                             const struct pfifo_event_info *info) {
    const struct names_entry *entry = trace_method(trace, event, info);
    uint32_t data;

    if (!entry || !entry->length || !trace_data(event, info, &data))
        return;
    output_text(&trace->out, SEPARATOR);
    size_t mark = trace->out.used;
    names_describe(entry, data, &trace->out);
    /* No fields: remove the separator, which is still in the buffer. */
    if (trace->out.used == mark)
        trace->out.used -= strlen(SEPARATOR);
}

void trace_text(struct pfifo_trace *trace, const struct pfifo_event *event) {
    const struct pfifo_event_info *info = pfifo_event_info(event->id);
    struct output *out = &trace->out;

    if (!info)
        return;
    output_decimal(out, event->time);
    output_text(out, " ");
    put_channel(out, event->channel);
    output_text(out, " ");
    output_text(out, info->name);
    for (unsigned i = 0; i < info->fields; i++) {
        output_text(out, " ");
        output_text(out, info->field[i]);
        output_text(out, "=");
        text_put_value(trace, event, info, i);
    }
    if (event->draw)
        trace_draw_text(out, event->draw);
    if (event->launch)
        trace_launch_text(out, event->launch);
    text_put_meaning(trace, event, info);
    output_text(out, "\n");
}
