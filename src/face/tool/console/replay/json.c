/* SPDX-License-Identifier: MIT */
/* pfifo debug --json: an object per command, on a line. */
#include "face/tool/console/replay/debug.h"

#include "face/common/text.h"

#include <pfifo/classes.h>

#include <inttypes.h>
#include <string.h>

/* "lines": ["0x2140b4: 0x000000f0"] */
static void print_lines(const char *text, FILE *file) {
    char line[4096];

    fputs(", \"lines\": [", file);
    for (bool first = true; *text; first = false) {
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), text);
        fputs(first ? "" : ", ", file);
        text_json_string(file, line);
        text += length + (text[length] == '\n');
    }
    fputc(']', file);
}

static void print_reasons(const struct debug *debug, FILE *file) {
    const char *between = "";

    fputs("\"reasons\": [", file);
    for (unsigned stop = RUN_STOPS; stop-- > 0;)
        if (debug->stop >> stop & 1) {
            fprintf(file, "%s\"%s\"", between, run_stop_name(stop));
            between = ", ";
        }
    fputs("], \"breakpoints\": [", file);
    for (unsigned i = 0; i < debug->hits; i++)
        fprintf(file, "%s%u", i ? ", " : "", debug->hit[i]);
    fputc(']', file);
}

/* The method that comes next. */
static void print_next(const struct debug *debug, FILE *file) {
    const struct pfifo_replay_word *next = &debug->progress.next;
    uint32_t named = breaks_name_class(debug->chip, next->oclass, next->method);
    const struct pfifo_class *class = pfifo_class_find(named);
    char name[PFIFO_METHOD_NAME_BYTES] = "";
    struct pfifo_method_name known;

    if (debug->ended || !next->has_method)
        return;
    if (pfifo_method_find(named, next->method, &known))
        pfifo_method_format(&known, name, sizeof name);
    fputs(", \"next\": {", file);
    if (next->has_address)
        fprintf(file, "\"address\": %" PRIu64 ", ", next->address);
    fprintf(file, "\"subchannel\": %" PRIu32 ", \"class\": %" PRIu32, next->subchannel, named);
    if (class)
        fprintf(file, ", \"class_name\": \"%s\"", class->name);
    fprintf(file, ", \"method\": %" PRIu32, next->method);
    if (name[0]) {
        fputs(", \"name\": ", file);
        text_json_string(file, name);
    }
    fprintf(file, ", \"data\": %" PRIu32 "}", next->data);
}

static void print_stop(const struct debug *debug, FILE *file) {
    fputs(", \"stop\": {", file);
    print_reasons(debug, file);
    fprintf(file, ", \"submission\": %" PRIu32, debug->sequence);
    if (debug->channel != UINT32_MAX)
        fprintf(file, ", \"channel\": %" PRIu32, debug->channel);
    fprintf(file, ", \"methods\": %" PRIu64 ", \"packets\": %" PRIu64 ", \"draws\": %" PRIu64, debug->counts.methods,
            debug->counts.packets, debug->counts.draws);
    if (debug->went_back)
        fprintf(file, ", \"replayed\": %" PRIu64, debug->replayed);
    print_next(debug, file);
    fputc('}', file);
}

void debug_json(struct debug *debug, const char *line, const char *printed, const struct pfifo_error *error,
                FILE *file) {
    fputs("{\"file\": ", file);
    text_json_string(file, debug->file);
    fputs(", \"event\": \"command\", \"command\": ", file);
    text_json_string(file, line);
    print_lines(printed, file);
    if (debug->stopped)
        print_stop(debug, file);
    if (error) {
        fputs(", \"error\": ", file);
        text_json_string(file, error->message);
    }
    fputs("}\n", file);
    fflush(file); /* who reads it waits for the answer */
}
