/* SPDX-License-Identifier: MIT */
#include "face/tool/differences.h"

#include "face/common/text.h"
#include "face/tool/summary.h"

#include <inttypes.h>

static const char *const kinds[] = {
    [PFIFO_DIFFERENCE_STOP] = "stop",     [PFIFO_DIFFERENCE_REFUSED] = "objects_not_made",
    [PFIFO_DIFFERENCE_FAULTS] = "faults", [PFIFO_DIFFERENCE_BUFFER] = "buffer",
    [PFIFO_DIFFERENCE_MEMORY] = "memory", [PFIFO_DIFFERENCE_REGISTER] = "register",
};

static void print_buffer_end(const struct differences *differences) {
    if (differences->freed)
        printf(", freed behind submission %" PRIu32, differences->freed_behind);
    putchar('\n');
}

static void print_head(const struct differences *differences) {
    printf("--- %s\n+++ %s\n", differences->name[0], differences->name[1]);
    if (differences->submission)
        printf("in submission %" PRIu32 ":\n", differences->submission);
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

static void print_json(const struct differences *differences, const struct pfifo_difference *difference) {
    bool stop = difference->kind == PFIFO_DIFFERENCE_STOP;

    fputs("{\"a\":", stdout);
    text_json_string(stdout, differences->name[0]);
    fputs(",\"b\":", stdout);
    text_json_string(stdout, differences->name[1]);
    if (differences->submission)
        printf(",\"submission\":%" PRIu32, differences->submission);
    printf(",\"kind\":\"%s\"", kinds[difference->kind]);
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

bool differences_print(void *opaque, const struct pfifo_difference *difference) {
    struct differences *differences = opaque;

    if (!differences->count++ && !differences->json && !differences->quiet)
        print_head(differences);
    if (differences->quiet)
        return false;
    if (differences->json)
        print_json(differences, difference);
    else
        print_text(differences, difference);
    return !ferror(stdout);
}
