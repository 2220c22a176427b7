/* SPDX-License-Identifier: MIT */
#include "face/tool/report/report.h"

#include <pfifo/classes.h>

#include "face/common/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void report_string(FILE *file, const char *text) {
    char *json = NULL;
    size_t bytes;
    FILE *memory = open_memstream(&json, &bytes);

    if (memory) {
        text_json_string(memory, text);
        fclose(memory);
    }
    for (const char *at = json ? json : "\"\""; *at; at++)
        if (*at == '<')
            fputs("\\u003c", file);
        else
            fputc(*at, file);
    free(json);
}

bool report_grow(struct report *report, void **array, size_t *room, size_t used, size_t bytes) {
    size_t more = *room ? 2 * *room : 256;
    void *grown;

    if (used < *room)
        return true;
    grown = realloc(*array, more * bytes);
    report->no_memory = report->no_memory || !grown;
    if (!grown)
        return false;
    *array = grown;
    *room = more;
    return true;
}

void report_access(struct report *report, char mode, const char *what, uint64_t address, uint64_t bytes, uint32_t row) {
    if (report->accesses >= REPORT_ACCESSES) {
        report->accesses_left_out++;
        return;
    }
    if (row == REPORT_NO_ROW || !report_grow(report, (void **)&report->access, &report->accesses_room, report->accesses,
                                             sizeof *report->access))
        return;
    report->access[report->accesses++] = (struct report_access){address, bytes, row, mode, what};
}

/* ---- methods ---- */

static uint32_t *slot_of(const struct report *report, uint32_t oclass, uint32_t method) {
    size_t at = (oclass * 2654435761u ^ method * 40503u) & (report->slots - 1);

    while (report->slot[at]) {
        const struct report_method *known = &report->method[report->slot[at] - 1];
        if (known->oclass == oclass && known->method == method)
            break;
        at = (at + 1) & (report->slots - 1);
    }
    return &report->slot[at];
}

static bool grow_slots(struct report *report) {
    size_t slots = report->slots ? 2 * report->slots : 1024;
    uint32_t *grown = calloc(slots, sizeof *grown);

    report->no_memory = report->no_memory || !grown;
    if (!grown)
        return false;
    free(report->slot);
    report->slot = grown;
    report->slots = slots;
    for (size_t i = 0; i < report->methods; i++)
        *slot_of(report, report->method[i].oclass, report->method[i].method) = (uint32_t)i + 1;
    return true;
}

size_t report_method(struct report *report, uint32_t oclass, uint32_t method) {
    uint32_t *slot;

    if (2 * report->methods >= report->slots && !grow_slots(report))
        return 0;
    slot = slot_of(report, oclass, method);
    if (!*slot &&
        report_grow(report, (void **)&report->method, &report->methods_room, report->methods, sizeof *report->method)) {
        report->method[report->methods] = (struct report_method){oclass, method};
        *slot = (uint32_t)++report->methods;
    }
    return *slot ? *slot - 1 : 0;
}

static void put_values(FILE *file, const struct pfifo_field *field) {
    enum { MOST = 12 };
    uint32_t value;
    const char *name;

    for (size_t i = 0; pfifo_field_value_at(field, i, &value, &name); i++) {
        if (i == MOST) {
            fputs(" ...", file);
            return;
        }
        fprintf(file, "%s%s=0x%" PRIx32, i ? " " : "", name, value);
    }
}

static void put_fields(FILE *file, const struct pfifo_method_name *method) {
    static const char *const types[] = {"",        "a number", "a signed number", "a float",
                                        "a truth", "",         "of an address",   "a handle"};
    struct pfifo_field field = {0};
    const char *comma = "";

    while (pfifo_field_next(method, &field)) {
        fprintf(file, "%s[\"%s\",\"%" PRIu32 ":%" PRIu32 "\",\"", comma, field.name, field.high, field.low);
        if (pfifo_field_value_at(&field, 0, &(uint32_t){0}, &(const char *){NULL}))
            put_values(file, &field);
        else
            fputs(types[field.type], file);
        fputs("\"]", file);
        comma = ",";
    }
}

static void put_method(FILE *file, const struct report_method *row) {
    char name[PFIFO_METHOD_NAME_BYTES] = "", alias[PFIFO_METHOD_NAME_BYTES] = "";
    struct pfifo_method_name method;
    bool known = pfifo_method_find(row->oclass, row->method, &method);

    if (known) {
        pfifo_method_format(&method, name, sizeof name);
        pfifo_method_format_alias(&method, alias, sizeof alias);
    }
    fprintf(file,
            "{\"class\":%" PRIu32 ",\"method\":%" PRIu32
            ",\"name\":\"%s\",\"alias\":\"%s\",\"chips\":\"%s\",\"fields\":[",
            row->oclass, row->method, name, alias, known && method.chips ? method.chips : "");
    if (known)
        put_fields(file, &method);
    fputs("]}", file);
}

void report_tables(struct report *report) {
    enum { CLASSES = 0x10000 };
    FILE *file = report->data;
    bool told[CLASSES] = {false};
    const char *comma = "";

    fputs(",\n\"methods\":[", file);
    for (size_t i = 0; i < report->methods; i++) {
        fputs(i ? ",\n" : "\n", file);
        put_method(file, &report->method[i]);
    }
    fputs("],\n\"classes\":{", file);
    for (size_t i = 0; i < report->methods; i++) {
        const uint32_t oclass = report->method[i].oclass;
        const struct pfifo_class *class = oclass < CLASSES && !told[oclass] ? pfifo_class_find(oclass) : NULL;
        if (!class)
            continue;
        told[oclass] = true;
        fprintf(file, "%s\"%" PRIu32 "\":\"%s\"", comma, oclass, class->name);
        comma = ",";
    }
    fputs("},\n\"accesses\":[", file);
    for (size_t i = 0; i < report->accesses; i++) {
        const struct report_access *access = &report->access[i];
        fprintf(file, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",\"%c\",\"%s\"]", i ? ",\n" : "\n", access->address,
                access->bytes, access->row, access->mode, access->what);
    }
    fputc(']', file);
}
