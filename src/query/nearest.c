/* SPDX-License-Identifier: MIT */
/* The name that is most like one that nothing has. */
#include <string.h>

#include "query/query.h"

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* One for each character that is missing, too much or another, and for two neighbours that changed places. */
static unsigned distance(const char *a, const char *b) {
    unsigned row[3][PFIFO_NEAREST_BYTES + 1];
    unsigned *before = row[0], *last = row[1], *now = row[2];
    const size_t across = strlen(b);

    for (size_t x = 0; x <= across; x++)
        last[x] = before[x] = (unsigned)x;
    for (size_t y = 1; a[y - 1]; y++) {
        now[0] = (unsigned)y;
        for (size_t x = 1; x <= across; x++) {
            now[x] = least(least(last[x], now[x - 1]) + 1, last[x - 1] + !query_same(a[y - 1], b[x - 1]));
            if (x > 1 && y > 1 && query_same(a[y - 1], b[x - 2]) && query_same(a[y - 2], b[x - 1]))
                now[x] = least(now[x], before[x - 2] + 1);
        }
        unsigned *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[across];
}

void pfifo_nearest_begin(struct pfifo_nearest *nearest, const char *wanted) {
    *nearest = (struct pfifo_nearest){.wanted = wanted, .distance = (unsigned)strlen(wanted) / 4 + 2};
    if (strpbrk(wanted, "*?"))
        nearest->distance = 0;
}

void pfifo_nearest_try(struct pfifo_nearest *nearest, const char *name) {
    const size_t wanted = strlen(nearest->wanted), bytes = name ? strlen(name) : PFIFO_NEAREST_BYTES;
    const size_t more = wanted < bytes ? bytes - wanted : wanted - bytes;

    if (bytes >= PFIFO_NEAREST_BYTES || more >= nearest->distance)
        return;
    unsigned found = distance(nearest->wanted, name);
    if (found >= nearest->distance)
        return;
    nearest->distance = found;
    memcpy(nearest->name, name, bytes + 1);
}

void pfifo_nearest_class(struct pfifo_nearest *nearest) {
    for (size_t i = 0; i < pfifo_class_count(); i++) {
        pfifo_nearest_try(nearest, pfifo_class_at(i)->name);
        pfifo_nearest_try(nearest, pfifo_class_at(i)->alias);
    }
}

void pfifo_nearest_event(struct pfifo_nearest *nearest) {
    const char *name;

    for (int kind = 0; (name = pfifo_decode_kind_name((enum pfifo_decode_kind)kind)); kind++)
        pfifo_nearest_try(nearest, name);
    for (size_t id = 0; id < pfifo_event_count(); id++)
        pfifo_nearest_try(nearest, pfifo_event_info(id)->name);
}

void query_nearest_event_field(struct pfifo_nearest *nearest) {
    for (size_t id = 0; id < pfifo_event_count(); id++)
        for (unsigned i = 0; i < pfifo_event_info(id)->fields; i++)
            pfifo_nearest_try(nearest, pfifo_event_info(id)->field[i]);
}

static void try_values(struct pfifo_nearest *nearest, const struct pfifo_field *field) {
    const char *name;
    uint32_t value;

    for (size_t i = 0; pfifo_field_value_at(field, i, &value, &name); i++)
        pfifo_nearest_try(nearest, name);
}

static void try_method(struct pfifo_nearest *nearest, const struct pfifo_method_name *method,
                       const struct query_nearest_place *place) {
    struct pfifo_field field = {0};

    if (!place->method) {
        pfifo_nearest_try(nearest, method->name);
        pfifo_nearest_try(nearest, method->alias);
        return;
    }
    if (!query_glob(place->method, method->name) && !(method->alias && query_glob(place->method, method->alias)))
        return;
    while (pfifo_field_next(method, &field)) {
        if (!place->values)
            pfifo_nearest_try(nearest, field.name);
        else if (query_glob(place->field ? place->field : "V", field.name))
            try_values(nearest, &field);
    }
}

void query_nearest_method(struct pfifo_nearest *nearest, const struct query_nearest_place *place) {
    struct pfifo_method_name method;

    for (size_t i = 0; i < pfifo_class_count(); i++) {
        uint32_t id = pfifo_class_at(i)->id;
        if (place->of_class && !query_class_named(place->of_class, id))
            continue;
        for (size_t m = 0; pfifo_method_at(id, m, &method); m++)
            try_method(nearest, &method, place);
    }
}

void pfifo_nearest_method(struct pfifo_nearest *nearest, const char *of_class) {
    query_nearest_method(nearest, &(struct query_nearest_place){.of_class = of_class});
}
