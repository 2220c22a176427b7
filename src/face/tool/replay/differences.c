/* SPDX-License-Identifier: MIT */
#include "face/tool/replay/differences.h"

#include <pfifo/classes.h>

#include "chip/counted.h"
#include "face/common/json_writer.h"
#include "face/tool/replay/summary.h"

#include <inttypes.h>

static const char *const kinds[] = {
    [PFIFO_DIFFERENCE_STOP] = "stop",     [PFIFO_DIFFERENCE_REFUSED] = "objects_not_made",
    [PFIFO_DIFFERENCE_FAULTS] = "faults", [PFIFO_DIFFERENCE_BUFFER] = "buffer",
    [PFIFO_DIFFERENCE_MEMORY] = "memory", [PFIFO_DIFFERENCE_REGISTER] = "register",
};

static void print_buffer_end(const struct differences *differences) {
    if (differences->freed)
        printf(", freed after submission %" PRIu32, differences->freed_after);
    putchar('\n');
}

/* Once what is compared, and each submission. */
static void print_head(struct differences *differences) {
    if (!differences->count++)
        printf("--- %s\n+++ %s\n", differences->name[0], differences->name[1]);
    if (differences->submission != differences->headed)
        printf("in submission %" PRIu32 ":\n", differences->submission);
    differences->headed = differences->submission;
}

static void differences_print_text(const struct differences *differences, const struct pfifo_difference *difference) {
    const uint64_t *value = difference->value;

    switch (difference->kind) {
    case PFIFO_DIFFERENCE_STOP:
        printf("  stopped       %s | %s\n", summary_stop_names[value[0]], summary_stop_names[value[1]]);
        return;
    case PFIFO_DIFFERENCE_REFUSED:
        printf("  objects       %" PRIu64 " not made | %" PRIu64 "\n", value[0], value[1]);
        return;
    case PFIFO_DIFFERENCE_FAULTS:
        printf("  faults        %" PRIu64 " %s | %" PRIu64 "\n", value[0], difference->name, value[1]);
        return;
    case PFIFO_DIFFERENCE_BUFFER:
        printf("  buffer %-6" PRIu32 " %s | %" PRIu64, difference->handle, counted(value[0], "byte").text, value[1]);
        print_buffer_end(differences);
        return;
    case PFIFO_DIFFERENCE_MEMORY:
        printf("  buffer %-6" PRIu32 " %s %s in 0x%" PRIx64 "..0x%" PRIx64 ", first %08" PRIx64 " | %08" PRIx64,
               difference->handle, counted(difference->bytes, "byte").text,
               difference->bytes == 1 ? "differs" : "differ", difference->offset, difference->end - 1, value[0],
               value[1]);
        print_buffer_end(differences);
        return;
    case PFIFO_DIFFERENCE_REGISTER:
        printf("  %06" PRIx64 " %-36s %08" PRIx64 " | %08" PRIx64 "\n", difference->offset, difference->name, value[0],
               value[1]);
        return;
    }
}

static void differences_begin_json(struct json_writer *json, const struct differences *differences, const char *kind) {
    json_open(json, NULL, '{');
    json_put_text(json, "a", differences->name[0]);
    json_put_text(json, "b", differences->name[1]);
    if (differences->submission)
        json_put_number(json, "submission", differences->submission);
    json_put_text(json, "kind", kind);
}

static void end_json(struct json_writer *json, const char *const names[2], const uint64_t value[2]) {
    json_open(json, "value", '[');
    for (unsigned i = 0; i < 2; i++)
        if (names)
            json_put_text(json, NULL, names[i]);
        else
            json_put_number(json, NULL, value[i]);
    json_close(json);
    json_close_line(json);
}

static void differences_print_json(const struct differences *differences, const struct pfifo_difference *difference) {
    bool stop = difference->kind == PFIFO_DIFFERENCE_STOP;
    struct json_writer json = {.file = stdout};

    differences_begin_json(&json, differences, kinds[difference->kind]);
    if (difference->name)
        json_put_text(&json, "name", difference->name);
    if (difference->kind == PFIFO_DIFFERENCE_BUFFER || difference->kind == PFIFO_DIFFERENCE_MEMORY)
        json_put_number(&json, "buffer", difference->handle);
    if (differences->freed)
        json_put_number(&json, "freed_behind", differences->freed_after);
    if (difference->kind == PFIFO_DIFFERENCE_MEMORY || difference->kind == PFIFO_DIFFERENCE_REGISTER)
        json_put_number(&json, "offset", difference->offset);
    if (difference->kind == PFIFO_DIFFERENCE_MEMORY) {
        json_put_number(&json, "end", difference->end);
        json_put_number(&json, "bytes", difference->bytes);
    }
    const char *const names[2] = {stop ? summary_stop_names[difference->value[0]] : "",
                                  stop ? summary_stop_names[difference->value[1]] : ""};
    end_json(&json, stop ? names : NULL, difference->value);
}

static void print_class_text(const struct differences *differences, const struct differences_class *class,
                             const char *name) {
    printf("  class         %04" PRIx32 " %s, which %s does not have: channel %" PRIu32 ", subchannel %" PRIu32,
           class->oclass, name, differences->name[class->lacks[1]], class->channel, class->subchannel);
    if (class->has_address)
        printf(", bound at 0x%" PRIx64, class->address);
    putchar('\n');
}

static void print_class_json(const struct differences *differences, const struct differences_class *class,
                             const char *name) {
    const uint64_t has[2] = {!class->lacks[0], !class->lacks[1]};
    struct json_writer json = {.file = stdout};

    differences_begin_json(&json, differences, "class");
    json_put_number(&json, "class", class->oclass);
    json_put_text(&json, "name", name);
    json_put_number(&json, "channel", class->channel);
    json_put_number(&json, "subchannel", class->subchannel);
    if (class->has_address)
        json_put_number(&json, "address", class->address);
    end_json(&json, NULL, has);
}

void differences_print_class(struct differences *differences, const struct differences_class *class) {
    const struct pfifo_class *known = pfifo_class_find(class->oclass);
    const char *name = known ? known->name : "?";

    if (differences->json)
        differences->count++;
    else
        print_head(differences);
    (differences->json ? print_class_json : print_class_text)(differences, class, name);
}

bool differences_print(void *opaque, const struct pfifo_difference *difference) {
    struct differences *differences = opaque;

    if (differences->json || differences->quiet)
        differences->count++;
    else
        print_head(differences);
    if (differences->quiet)
        return false;
    if (differences->json)
        differences_print_json(differences, difference);
    else
        differences_print_text(differences, difference);
    return !ferror(stdout);
}
