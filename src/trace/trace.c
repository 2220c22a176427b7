/* SPDX-License-Identifier: MIT */
#include "trace/trace.h"

#include <pfifo/chip.h>
#include <pfifo/gpu.h>

#include <stdlib.h>
#include <string.h>

/* Methods below this number are host methods, whatever is bound. */
#define PULLER_METHODS 0x100

struct pfifo_trace *pfifo_trace_new(enum pfifo_trace_format format, pfifo_trace_write write, void *opaque,
                                    struct pfifo_error *error) {
    if (!write || (unsigned)format > PFIFO_TRACE_JSON) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a trace needs a format and something that writes");
        return NULL;
    }
    struct pfifo_trace *trace = calloc(1, sizeof *trace);
    if (!trace) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a trace");
        return NULL;
    }
    trace->line = format == PFIFO_TRACE_JSON ? trace_json : trace_text;
    trace->out.write = write;
    trace->out.opaque = opaque;
    return trace;
}

void pfifo_trace_free(struct pfifo_trace *trace) {
    if (!trace)
        return;
    pfifo_trace_flush(trace);
    pfifo_trace_detach(trace);
    free(trace);
}

static void trace_observe(void *opaque, const struct pfifo_event *event) {
    pfifo_trace_event(opaque, event);
}

enum pfifo_status pfifo_trace_attach(struct pfifo_trace *trace, struct pfifo_gpu *gpu, const char *globs,
                                     struct pfifo_error *error) {
    if (trace->gpu)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the trace is attached already");
    enum pfifo_status status = pfifo_gpu_observe(gpu, globs ? globs : "*", trace_observe, trace, error);
    if (status != PFIFO_OK)
        return status;
    trace->gpu = gpu;
    trace->host_class = pfifo_chip_info(pfifo_gpu_chip(gpu)).host_class;
    return PFIFO_OK;
}

void pfifo_trace_detach(struct pfifo_trace *trace) {
    if (trace->gpu)
        pfifo_gpu_unobserve(trace->gpu, trace_observe, trace);
    trace->gpu = NULL;
}

void pfifo_trace_set_file(struct pfifo_trace *trace, const char *name) {
    trace->source = (struct json_source){.file = name};
}

void pfifo_trace_set_submission(struct pfifo_trace *trace, uint32_t sequence) {
    trace->source.submitted = true;
    trace->source.submission = sequence;
}

void pfifo_trace_set_names(struct pfifo_trace *trace, enum pfifo_names names) {
    trace->names.whose = names;
}

void pfifo_trace_set_query(struct pfifo_trace *trace, struct pfifo_query *query) {
    trace->query = query;
}

void pfifo_trace_event(struct pfifo_trace *trace, const struct pfifo_event *event) {
    const struct pfifo_query_place place = {
        .host_class = trace->host_class, .submitted = trace->source.submitted, .submission = trace->source.submission};

    if (!trace->query || pfifo_query_event(trace->query, event, &place))
        trace->line(trace, event);
}

bool pfifo_trace_flush(struct pfifo_trace *trace) {
    return output_flush(&trace->out);
}

bool trace_value(const struct pfifo_event *event, const struct pfifo_event_info *info, enum pfifo_event_format format,
                 uint64_t *value) {
    for (unsigned i = 0; i < info->fields; i++) {
        if (info->format[i] == format) {
            *value = event->value[i];
            return true;
        }
    }
    return false;
}

bool trace_data(const struct pfifo_event *event, const struct pfifo_event_info *info, uint32_t *data) {
    for (unsigned i = 0; i < info->fields; i++) {
        if (strcmp(info->field[i], "data") == 0) {
            *data = (uint32_t)event->value[i];
            return true;
        }
    }
    return false;
}

const struct names_entry *trace_method_field(struct pfifo_trace *trace, const struct pfifo_event *event,
                                             const struct pfifo_event_info *info, unsigned field) {
    uint64_t method = event->value[field], class_id = 0;

    if (method < PULLER_METHODS && trace->host_class)
        class_id = trace->host_class;
    else
        trace_value(event, info, PFIFO_EVENT_CLASS, &class_id);
    return names_method(&trace->names, (uint32_t)class_id, (uint32_t)method);
}

const struct names_entry *trace_method(struct pfifo_trace *trace, const struct pfifo_event *event,
                                       const struct pfifo_event_info *info) {
    for (unsigned i = 0; i < info->fields; i++)
        if (info->format[i] == PFIFO_EVENT_METHOD)
            return trace_method_field(trace, event, info, i);
    return NULL;
}

const char *trace_class(struct pfifo_trace *trace, const struct pfifo_event *event,
                        const struct pfifo_event_info *info) {
    uint64_t class_id;

    if (!trace_value(event, info, PFIFO_EVENT_CLASS, &class_id) || !class_id)
        return "";
    /* Not every event has a subchannel; any even distribution over the slots will do. */
    return names_class(&trace->names, (unsigned)(class_id & 7), (uint32_t)class_id);
}
