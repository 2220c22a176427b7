/* SPDX-License-Identifier: MIT */
#include "face/tool/replay/differences.h"

#include <pfifo/classes.h>

#include "face/common/text.h"
#include "face/tool/replay/summary.h"

#include <inttypes.h>

static const char *const kinds[] = {
    [PFIFO_DIFFERENCE_STOP] = "stop",     [PFIFO_DIFFERENCE_REFUSED] = "objects_not_made",
    [PFIFO_DIFFERENCE_FAULTS] = "faults", [PFIFO_DIFFERENCE_BUFFER] = "buffer",
    [PFIFO_DIFFERENCE_MEMORY] = "memory", [PFIFO_DIFFERENCE_REGISTER] = "register",
};

static void print_buffer_end(const struct differences *differences) {
    if (differences->freed)
        printf(", freed after submission %" PRIu32, differences->freed_behind);
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

static void print_text(const struct differences *differences, const struct pfifo_difference *difference) {
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
        printf("  buffer %-6" PRIu32 " %" PRIu64 " bytes | %" PRIu64, difference->handle, value[0], value[1]);
        print_buffer_end(differences);
        return;
    case PFIFO_DIFFERENCE_MEMORY:
        printf("  buffer %-6" PRIu32 " %" PRIu64 " bytes differ in 0x%" PRIx64 "..0x%" PRIx64 ", first %08" PRIx64
               " | %08" PRIx64,
               difference->handle, difference->bytes, difference->offset, difference->end - 1, value[0], value[1]);
        print_buffer_end(differences);
        return;
    case PFIFO_DIFFERENCE_REGISTER:
        printf("  %06" PRIx64 " %-36s %08" PRIx64 " | %08" PRIx64 "\n", difference->offset, difference->name, value[0],
               value[1]);
        return;
    }
}

static void begin_json(const struct differences *differences, const char *kind) {
    fputs("{\"a\":", stdout);
    text_json_string(stdout, differences->name[0]);
    fputs(",\"b\":", stdout);
    text_json_string(stdout, differences->name[1]);
    if (differences->submission)
        printf(",\"submission\":%" PRIu32, differences->submission);
    printf(",\"kind\":\"%s\"", kind);
}

static void print_json(const struct differences *differences, const struct pfifo_difference *difference) {
    bool stop = difference->kind == PFIFO_DIFFERENCE_STOP;

    begin_json(differences, kinds[difference->kind]);
    if (difference->name) {
        fputs(",\"name\":", stdout);
        text_json_string(stdout, difference->name);
    }
    if (difference->kind == PFIFO_DIFFERENCE_BUFFER || difference->kind == PFIFO_DIFFERENCE_MEMORY)
        printf(",\"buffer\":%" PRIu32, difference->handle);
    if (differences->freed)
        printf(",\"freed_behind\":%" PRIu32, differences->freed_behind);
    if (difference->kind == PFIFO_DIFFERENCE_MEMORY)
        printf(",\"offset\":%" PRIu64 ",\"end\":%" PRIu64 ",\"bytes\":%" PRIu64, difference->offset, difference->end,
               difference->bytes);
    if (difference->kind == PFIFO_DIFFERENCE_REGISTER)
        printf(",\"offset\":%" PRIu64, difference->offset);
    if (stop)
        printf(",\"value\":[\"%s\",\"%s\"]}\n", summary_stop_names[difference->value[0]],
               summary_stop_names[difference->value[1]]);
    else
        printf(",\"value\":[%" PRIu64 ",%" PRIu64 "]}\n", difference->value[0], difference->value[1]);
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
    begin_json(differences, "class");
    printf(",\"class\":%" PRIu32 ",\"name\":\"%s\",\"channel\":%" PRIu32 ",\"subchannel\":%" PRIu32, class->oclass,
           name, class->channel, class->subchannel);
    if (class->has_address)
        printf(",\"address\":%" PRIu64, class->address);
    printf(",\"value\":[%d,%d]}\n", !class->lacks[0], !class->lacks[1]);
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
        print_json(differences, difference);
    else
        print_text(differences, difference);
    return !ferror(stdout);
}
