/* SPDX-License-Identifier: MIT */
/* A method: where it is, which classes have it, what its data means. */
#include "face/tool/explain/explain.h"
#include "face/common/naming.h"

#include "face/common/text.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_PLACES = 8, HOST_METHODS = 0x100 };

/* Methods of the same name at the same offset are one. */
static bool method_is_same(const struct pfifo_method_name *a, const struct pfifo_method_name *b) {
    return a->offset == b->offset && strcmp(a->name, b->name) == 0;
}

static void method_place(struct explain *explain, const struct pfifo_method_name *method) {
    explain_number(explain, "offset", "0x%04" PRIx64, method->offset);
    for (unsigned i = 0; i < method->indices && i < 2; i++) {
        if (method->count[i] <= 1)
            continue;
        if (explain->json)
            explain_number(explain, i ? "index2" : "index", "", method->index[i]);
        else
            explain_text(explain, i ? "" : "array",
                         "element %" PRIu32 " of %" PRIu32 ", one every 0x%" PRIx32 " bytes from 0x%04" PRIx32 " on",
                         method->index[i], method->count[i], method->stride[i], method->first);
    }
    if (explain->json) {
        explain_number(explain, "first", "", method->first);
        explain_number(explain, "count", "", (uint64_t)method->count[0] * method->count[1]);
    }
}

static void method_classes(struct explain *explain, const struct pfifo_method_name *method) {
    bool has[EXPLAIN_CHIPS] = {false};
    struct pfifo_method_name other;
    bool limited = method->chips != NULL; /* in all classes alike */

    explain_list(explain, "classes");
    for (size_t i = 0; i < pfifo_class_count(); i++) {
        const struct pfifo_class *class = pfifo_class_at(i);
        if (!pfifo_method_find(class->id, method->offset, &other) || !method_is_same(method, &other))
            continue;
        limited = limited && other.chips && strcmp(other.chips, method->chips) == 0;
        explain_word(explain, "%04" PRIx32 " %s", class->id, class->name);
        for (size_t c = 0; c < pfifo_chip_count() && c < EXPLAIN_CHIPS; c++)
            has[c] = has[c] || explain_chip_has_class(pfifo_chip_at(c), class);
    }
    explain_list_end(explain);
    explain_chips(explain, has);
    if (limited)
        explain_text(explain, "only on", "%s", method->chips);
}

/* The front end's own methods that have an event of their own, by what is in their names. */
static const struct {
    const char *part, *events[2];
} host_events[] = {
    {"SEM", {"puller.acquire", "puller.release"}},
    {"SYNCPOINT", {"puller.syncpoint"}},
    {"REF", {"puller.reference"}},
    {"YIELD", {"puller.yield"}},
    {"OBJECT", {"puller.bind"}},
};

static void host_method_events(struct explain *explain, const struct pfifo_method_name *method) {
    for (size_t i = 0; i < sizeof host_events / sizeof host_events[0]; i++) {
        if (!strstr(method->name, host_events[i].part))
            continue;
        for (size_t e = 0; e < 2 && host_events[i].events[e]; e++)
            explain_word(explain, "%s", host_events[i].events[e]);
        return;
    }
    explain_word(explain, "puller.host");
}

/* The puller executes the methods of a channel itself; the others go to an engine. */
static void method_events(struct explain *explain, const struct pfifo_class *class,
                          const struct pfifo_method_name *method) {
    bool host = strcmp(class->family, "host") == 0;
    char name[PFIFO_METHOD_NAME_BYTES];

    explain_list(explain, "events");
    if (host) {
        host_method_events(explain, method);
    } else {
        explain_word(explain, "puller.method");
        explain_word(explain, "engine.error");
        explain_word(explain, "engine.not_executed");
    }
    explain_list_end(explain);
    pfifo_method_format(method, name, sizeof name);
    explain_text(explain, "ask", "pfifo grep '%s.%s' CAPTURE", class->name, name);
}

static void method_fields(struct explain *explain, const struct pfifo_method_name *method) {
    struct pfifo_field field = {0};

    explain_list(explain, "fields");
    while (pfifo_field_next(method, &field))
        explain_field_line(explain, &field);
    if (!explain->items && !explain->json)
        fputs("none that is known", stdout);
    explain_list_end(explain);
}

/* What the data word says that is given after =. */
static void method_data(struct explain *explain, const struct pfifo_class *class,
                        const struct pfifo_method_name *method) {
    char text[512];
    uint64_t data;

    if (!explain->thing->value || !text_to_number(explain->thing->value, &data) || data > UINT32_MAX)
        return;
    explain_number(explain, "data", "0x%08" PRIx64, data);
    pfifo_method_describe(class->id, method->offset, (uint32_t)data, text, sizeof text);
    explain_text(explain, "says", "%s", text[0] ? text : "nothing but the number");
}

/* The name of the other source, where `name` is that of one. */
static void explain_other_name(const struct pfifo_method_name *method, const char *name, char *other, size_t size) {
    char own[PFIFO_METHOD_NAME_BYTES];
    size_t bytes = pfifo_method_format(method, own, sizeof own), length = strlen(name);

    pfifo_method_format_alias(method, other, size);
    /* nxdk's have their class before them. */
    if (other[0] && (length < bytes || strcmp(name + length - bytes, own) != 0))
        snprintf(other, size, "%s", own);
}

static void explain_method(struct explain *explain, const struct pfifo_class *class,
                           const struct pfifo_method_name *method) {
    char name[PFIFO_METHOD_NAME_BYTES], alias[PFIFO_METHOD_NAME_BYTES];

    naming_method(method, name, sizeof name);
    explain_other_name(method, name, alias, sizeof alias);
    explain_begin(explain, "method", "method %s.%s", class->name, name);
    if (explain->json) {
        explain_text(explain, "name", "%s", name);
        explain_number(explain, "class", "", class->id);
    }
    if (alias[0])
        explain_text(explain, "alias", "%s", alias);
    method_place(explain, method);
    method_data(explain, class, method);
    method_fields(explain, method);
    method_classes(explain, method);
    method_events(explain, class, method);
    explain_text(explain, "source", "src/classes/data/%s.txt, from NVIDIA's class headers and envytools' rnndb",
                 class->family);
    explain_end(explain);
}

static void explain_structure(struct explain *explain, const struct pfifo_class *class,
                              const struct pfifo_method_name *structure) {
    explain_begin(explain, "structure", "structure %s.%s in memory", class->name, structure->name);
    method_fields(explain, structure);
    explain_text(explain, "source", "src/classes/data/%s.txt, from NVIDIA's class headers and envytools' rnndb",
                 class->family);
    explain_end(explain);
}

/* A value that is no number is a name of the field that is the whole word. */
static void method_or_value(struct explain *explain, const struct pfifo_class *class,
                            const struct pfifo_method_name *method) {
    struct pfifo_field field;
    uint64_t number;
    uint32_t value;

    if (!explain->thing->value || text_to_number(explain->thing->value, &number))
        explain_method(explain, class, method);
    else if (pfifo_field_find(method, "V", &field) && pfifo_field_value_by_name(&field, explain->thing->value, &value))
        explain_value(explain, class, method, &field);
}

/* One reading for each place that a method of the name has in any class. */
static void everywhere(struct explain *explain, const char *name) {
    struct pfifo_method_name seen[MOST_PLACES], method;
    size_t places = 0;

    for (size_t i = 0; i < pfifo_class_count(); i++) {
        const struct pfifo_class *class = pfifo_class_at(i);
        uint32_t offset;
        bool known = false;
        if (!pfifo_method_by_name(class->id, name, &offset) || !pfifo_method_find(class->id, offset, &method) ||
            !explain_chip_has_class(explain->chip, class))
            continue;
        for (size_t s = 0; s < places; s++)
            known = known || method_is_same(&seen[s], &method);
        if (known || places == MOST_PLACES)
            continue;
        seen[places++] = method;
        method_or_value(explain, class, &method);
    }
}

void explain_methods(struct explain *explain) {
    const struct explain_thing *thing = explain->thing;
    struct pfifo_method_name method;
    const struct pfifo_class *class;
    uint64_t number;

    if (thing->parts == 1 && !text_to_number(thing->part[0], &number))
        everywhere(explain, thing->part[0]);
    if (thing->parts != 2)
        return;
    class = explain_class_of(explain, thing->part[0]);
    if (class && pfifo_structure_find(class->id, thing->part[1], &method) && !thing->value)
        explain_structure(explain, class, &method);
    else if (class && explain_method_of(class->id, thing->part[1], &method))
        method_or_value(explain, class, &method);
}
