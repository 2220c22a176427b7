/* SPDX-License-Identifier: MIT */
/* Events of the machine: what docs/events.md says of them. */
#include <pfifo/event.h>

#include "face/tool/explain/explain.h"

#include <string.h>
#include <strings.h>

static const char *event_meaning_of(const char *event, const char *field) {
    for (const struct explain_meaning *row = explain_meanings; row->event; row++)
        if (strcmp(row->event, event) == 0 && strcmp(row->field, field) == 0)
            return row->meaning;
    return "";
}

void explain_event(struct explain *explain) {
    for (size_t id = 0; id < pfifo_event_count() && !explain->thing->value; id++) {
        const struct pfifo_event_info *info = pfifo_event_info(id);
        if (strcasecmp(info->name, explain->thing->whole) != 0)
            continue;
        explain_begin(explain, "event", "event %s", info->name);
        explain_text(explain, "means", "%s", event_meaning_of(info->name, ""));
        explain_list(explain, "fields");
        for (unsigned i = 0; i < info->fields; i++)
            explain_line(explain, "%s: %s", info->field[i], event_meaning_of(info->name, info->field[i]));
        explain_list_end(explain);
        explain_text(explain, "ask", "pfifo run --trace=%s CAPTURE", info->name);
        explain_text(explain, "source", "docs/events.md");
        explain_end(explain);
    }
}
