/* SPDX-License-Identifier: MIT */
#include "cubin/listed.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void add_line(struct listed *listed, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_line(struct listed *listed, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(listed->text + listed->used, sizeof listed->text - listed->used, format, list);
    va_end(list);
    assert_true(length >= 0 && (size_t)length < sizeof listed->text - listed->used);
    listed->used += (size_t)length;
}

static bool keep_event(void *opaque, const struct pfifo_disasm_event *event) {
    struct listed *listed = opaque;
    switch (event->kind) {
    case PFIFO_DISASM_PROGRAM:
        add_line(listed, "program %s sm_%u %s\n", event->name, event->sm, pfifo_chip_info(event->chip).name);
        break;
    case PFIFO_DISASM_SKIPPED:
        add_line(listed, "skipped %s sm_%u: %s\n", event->name, event->sm, event->text);
        break;
    case PFIFO_DISASM_FUNCTION:
        add_line(listed, "function %s\n", event->name ? event->name : "-");
        if (listed->all)
            add_line(listed, "  %s, %u registers, %u barriers, %" PRIu64 " shared, %" PRIu64 " stack, 0x%x+0x%x\n",
                     event->is_kernel ? "kernel" : "called", event->registers, event->barriers, event->shared_bytes,
                     event->local_bytes, (unsigned)event->parameters_at, (unsigned)event->parameters_bytes);
        break;
    case PFIFO_DISASM_SECTION:
        if (listed->all)
            add_line(listed, "section %u %s at 0x%" PRIx64 ", %" PRIu64 "\n", event->index, event->name, event->offset,
                     event->size);
        break;
    case PFIFO_DISASM_CONSTANTS:
        if (listed->all)
            add_line(listed, "constants %u, %" PRIu64 "\n", event->bank, event->size);
        break;
    case PFIFO_DISASM_CONTROL:
        add_line(listed, "%04" PRIx64 " schedule\n", event->address);
        break;
    case PFIFO_DISASM_RELOCATION:
        add_line(listed, "%04" PRIx64 " %s %s+%" PRId64 "\n", event->address, event->text, event->name,
                 (int64_t)event->word);
        break;
    default:
        add_line(listed, "%04" PRIx64 " %s\n", event->address, event->text);
    }
    listed->events++;
    return listed->events != listed->most;
}

void list(struct listed *listed, const void *data, size_t bytes, const struct pfifo_disasm_options *options) {
    listed->used = listed->events = 0;
    listed->text[0] = 0;
    listed->error = (struct pfifo_error){0};
    listed->status = pfifo_disasm(data, bytes, options, keep_event, listed, &listed->error);
}

void expect_refused(const void *data, size_t bytes, enum pfifo_status status, const char *what) {
    static struct listed listed;
    list(&listed, data, bytes, &(struct pfifo_disasm_options){.name = "it"});
    if (listed.status != status || !strstr(listed.error.message, what))
        fail_msg("%d %s, not %d %s", listed.status, listed.error.message, status, what);
    assert_int_equal(listed.error.status, status);
}

void put_number(uint8_t *at, uint64_t number, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(number >> 8 * i);
}

size_t read_cubin(const char *name, uint8_t data[CUBIN_ROOM]) {
    char path[512];
    const char *samples = getenv("PFIFO_SAMPLES");
    assert_non_null(samples);
    snprintf(path, sizeof path, "%s/cubins/%s", samples, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t bytes = fread(data, 1, CUBIN_ROOM, file);
    assert_true(bytes && bytes < CUBIN_ROOM);
    fclose(file);
    return bytes;
}
