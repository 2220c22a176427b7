/* SPDX-License-Identifier: MIT */
/* pfifo debug --json: an object per command, on a line. */
#include "face/tool/console/replay/debug.h"
#include "face/tool/console/shader/shader.h"

#include "face/common/json_writer.h"
#include "face/common/naming.h"

#include <pfifo/classes.h>

#include <inttypes.h>
#include <string.h>

/* "lines": ["0x2140b4: 0x000000f0"] */
static void json_print_lines(const char *text, struct json_writer *json) {
    char line[4096];

    json_open(json, "lines", '[');
    while (*text) {
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), text);
        json_put_text(json, NULL, line);
        text += length + (text[length] == '\n');
    }
    json_close(json);
}

static void print_reasons(const struct debug *debug, struct json_writer *json) {
    json_open(json, "reasons", '[');
    for (unsigned stop = RUN_STOPS; stop-- > 0;)
        if (debug->stop >> stop & 1)
            json_put_text(json, NULL, run_stop_name(stop));
    json_close(json);
    json_open(json, "breakpoints", '[');
    for (unsigned i = 0; i < debug->hits; i++)
        json_put_number(json, NULL, debug->hit[i]);
    json_close(json);
}

/* The method that comes next. */
static void print_next(const struct debug *debug, struct json_writer *json) {
    const struct pfifo_replay_word *next = &debug->progress.next;
    uint32_t named = breaks_name_class(debug->chip, next->oclass, next->method);
    const struct pfifo_class *class = pfifo_class_find(named);
    char name[PFIFO_METHOD_NAME_BYTES] = "";
    struct pfifo_method_name known;

    if (debug->ended || !next->has_method)
        return;
    if (pfifo_method_find(named, next->method, &known))
        naming_method(&known, name, sizeof name);
    json_open(json, "next", '{');
    if (next->has_address)
        json_put_number(json, "address", next->address);
    json_put_number(json, "subchannel", next->subchannel);
    json_put_number(json, "class", named);
    if (class)
        json_put_text(json, "class_name", class->name);
    json_put_number(json, "method", next->method);
    if (name[0])
        json_put_text(json, "name", name);
    json_put_number(json, "data", next->data);
    json_close(json);
}

/* The shader program that it is in. */
static void print_program(struct debug *debug, struct json_writer *json) {
    char text[PFIFO_INSTRUCTION_BYTES];

    if (!shader_inside(&debug->console))
        return;
    shader_text(&debug->console, text);
    const struct shader_at *at = shader_at(&debug->console);
    json_open(json, "program", '{');
    json_put_text(json, "stage", pfifo_stage_name(at->step.stage));
    json_put_number(json, "address", at->step.program);
    json_put_number(json, "code", at->step.code);
    json_put_number(json, "pc", at->step.pc);
    json_put_text(json, "instruction", text);
    json_put_number(json, "warp", at->step.warp);
    json_put_number(json, "executed", at->step.executed);
    json_put_number(json, "lane", at->lane);
    json_put_number(json, "active", at->step.active);
    json_put_number(json, "alive", at->step.alive);
    json_close(json);
}

static void print_stop(const struct debug *debug, struct json_writer *json) {
    json_open(json, "stop", '{');
    print_reasons(debug, json);
    json_put_number(json, "submission", debug->sequence);
    if (debug->channel != UINT32_MAX)
        json_put_number(json, "channel", debug->channel);
    json_put_number(json, "methods", debug->counts.methods);
    json_put_number(json, "packets", debug->counts.packets);
    json_put_number(json, "draws", debug->counts.draws);
    json_put_number(json, "launches", debug->counts.launches);
    if (debug->went_back)
        json_put_number(json, "replayed", debug->replayed);
    print_next(debug, json);
    json_close(json);
}

void debug_json(struct debug *debug, const char *line, const char *printed, const struct pfifo_error *error,
                FILE *file) {
    struct json_writer json = {.file = file, .spaced = true};

    json_open(&json, NULL, '{');
    json_put_text(&json, "file", debug->file);
    json_put_text(&json, "event", "command");
    json_put_text(&json, "command", line);
    json_print_lines(printed, &json);
    if (debug->stopped)
        print_stop(debug, &json);
    print_program(debug, &json);
    if (error)
        json_put_text(&json, "error", error->message);
    json_close_line(&json);
    fflush(file); /* who reads it waits for the answer */
}
