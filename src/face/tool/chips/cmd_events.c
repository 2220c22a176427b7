/* SPDX-License-Identifier: MIT */
/*
 * pfifo events: a line per event that the machine sends, with its fields.
 */
#include <pfifo/event.h>

#include "face/common/json_writer.h"
#include "face/tool/command/command_line.h"
#include "face/tool/tool.h"

static const struct argp events_argp = {
    tool_json_options,
    tool_parse_json,
    NULL,
    "List the events that run --trace can print: name, and each field with its format."
    "\vdocs/events.md says what they mean.",
    NULL,
    NULL,
    NULL,
};

static const char *const format_names[] = {
    [PFIFO_EVENT_DECIMAL] = "decimal", [PFIFO_EVENT_HEX] = "hex",   [PFIFO_EVENT_CLASS] = "class",
    [PFIFO_EVENT_METHOD] = "method",   [PFIFO_EVENT_TEXT] = "text", [PFIFO_EVENT_CHANNEL] = "channel",
    [PFIFO_EVENT_DETAIL] = "text",
};

static void event_text(const struct pfifo_event_info *info) {
    printf("%-20s", info->name);
    for (unsigned i = 0; i < info->fields; i++)
        printf(" %s=%s", info->field[i], format_names[info->format[i]]);
    putchar('\n');
}

static void event_json(const struct pfifo_event_info *info) {
    struct json_writer json = {.file = stdout};

    json_open(&json, NULL, '{');
    json_put_text(&json, "event", info->name);
    json_open(&json, "fields", '[');
    for (unsigned i = 0; i < info->fields; i++) {
        json_open(&json, NULL, '{');
        json_put_text(&json, "name", info->field[i]);
        json_put_text(&json, "format", format_names[info->format[i]]);
        json_close(&json);
    }
    json_close(&json);
    json_close_line(&json);
}

enum tool_status cmd_events(int argc, char **argv) {
    bool json = false;

    command_line_parse_listing(&events_argp, argc, argv, paint_table, &json);
    for (size_t id = 0; id < pfifo_event_count(); id++) {
        if (json)
            event_json(pfifo_event_info(id));
        else
            event_text(pfifo_event_info(id));
    }
    return TOOL_OK;
}
