/* SPDX-License-Identifier: MIT */
#include "face/tool/report/report.h"
#include "face/common/naming.h"

#include <pfifo/classes.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static uint32_t *text_slot_of(const struct report *report, uint32_t oclass, uint32_t method) {
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
        *text_slot_of(report, report->method[i].oclass, report->method[i].method) = (uint32_t)i + 1;
    return true;
}

size_t report_method(struct report *report, uint32_t oclass, uint32_t method) {
    uint32_t *slot;

    if (2 * report->methods >= report->slots && !grow_slots(report))
        return 0;
    slot = text_slot_of(report, oclass, method);
    if (!*slot &&
        report_grow(report, (void **)&report->method, &report->methods_room, report->methods, sizeof *report->method)) {
        report->method[report->methods] = (struct report_method){oclass, method};
        *slot = (uint32_t)++report->methods;
    }
    return *slot ? *slot - 1 : 0;
}

static void report_text_list_values(const struct pfifo_field *field, char *text, size_t size) {
    enum { MOST = 12 };
    size_t used = 0;
    uint32_t value;
    const char *name;

    for (size_t i = 0; i <= MOST && used < size && pfifo_field_value_at(field, i, &value, &name); i++)
        used += i == MOST ? (size_t)snprintf(text + used, size - used, " ...")
                          : (size_t)snprintf(text + used, size - used, "%s%s=0x%" PRIx32, i ? " " : "", name, value);
}

static void text_put_fields(struct json_writer *json, const struct pfifo_method_name *method) {
    static const char *const types[] = {"",        "a number", "a signed number", "a float",
                                        "a truth", "",         "of an address",   "a handle"};
    struct pfifo_field field = {0};
    char values[2048];

    while (pfifo_field_next(method, &field)) {
        json_open(json, NULL, '[');
        json_put_text(json, NULL, field.name);
        json_put_format(json, NULL, "%" PRIu32 ":%" PRIu32, field.high, field.low);
        values[0] = 0;
        report_text_list_values(&field, values, sizeof values);
        json_put_text(json, NULL, values[0] ? values : types[field.type]);
        json_close(json);
    }
}

static void report_text_put_method(struct json_writer *json, const struct report_method *row) {
    char name[PFIFO_METHOD_NAME_BYTES] = "", alias[PFIFO_METHOD_NAME_BYTES] = "";
    struct pfifo_method_name method;
    bool known = pfifo_method_find(row->oclass, row->method, &method);

    if (known) {
        naming_method(&method, name, sizeof name);
        pfifo_method_format_alias(&method, alias, sizeof alias);
        if (strcmp(name, alias) == 0)
            pfifo_method_format(&method, alias, sizeof alias);
    }
    json_open(json, NULL, '{');
    json_put_number(json, "class", row->oclass);
    json_put_number(json, "method", row->method);
    json_put_text(json, "name", name);
    json_put_text(json, "alias", alias);
    json_put_text(json, "chips", known && method.chips ? method.chips : "");
    json_open(json, "fields", '[');
    if (known)
        text_put_fields(json, &method);
    json_close(json);
    json_close(json);
}

static void text_put_methods(struct report *report) {
    json_new_line(&report->json);
    json_open(&report->json, "methods", '[');
    for (size_t i = 0; i < report->methods; i++) {
        json_new_line(&report->json);
        report_text_put_method(&report->json, &report->method[i]);
    }
    json_close(&report->json);
}

static void put_classes(struct report *report) {
    enum { CLASSES = 0x10000 };
    bool told[CLASSES] = {false};
    char key[16];

    json_new_line(&report->json);
    json_open(&report->json, "classes", '{');
    for (size_t i = 0; i < report->methods; i++) {
        const uint32_t oclass = report->method[i].oclass;
        const struct pfifo_class *class = oclass < CLASSES && !told[oclass] ? pfifo_class_find(oclass) : NULL;
        if (!class)
            continue;
        told[oclass] = true;
        snprintf(key, sizeof key, "%" PRIu32, oclass);
        json_put_text(&report->json, key, class->name);
    }
    json_close(&report->json);
}

static void put_accesses(struct report *report) {
    struct json_writer *json = &report->json;

    json_new_line(json);
    json_open(json, "accesses", '[');
    for (size_t i = 0; i < report->accesses; i++) {
        const struct report_access *access = &report->access[i];
        json_new_line(json);
        json_open(json, NULL, '[');
        json_put_number(json, NULL, access->address);
        json_put_number(json, NULL, access->bytes);
        json_put_number(json, NULL, access->row);
        json_put_format(json, NULL, "%c", access->mode);
        json_put_text(json, NULL, access->what);
        json_close(json);
    }
    json_close(json);
}

void report_tables(struct report *report) {
    text_put_methods(report);
    put_classes(report);
    put_accesses(report);
}
