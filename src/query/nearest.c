/* SPDX-License-Identifier: MIT */
/* The name that is most like one that nothing has. */
#include <string.h>

#include "query/query.h"

static unsigned nearest_least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* One for each character that is missing, too much or another, and for two neighbours that changed places. */
static unsigned nearest_distance(const char *a, const char *b) {
    unsigned row[3][PFIFO_NEAREST_BYTES + 1];
    unsigned *before = row[0], *last = row[1], *now = row[2];
    const size_t across = strlen(b);

    for (size_t x = 0; x <= across; x++)
        last[x] = before[x] = (unsigned)x;
    for (size_t y = 1; a[y - 1]; y++) {
        now[0] = (unsigned)y;
        for (size_t x = 1; x <= across; x++) {
            now[x] =
                nearest_least(nearest_least(last[x], now[x - 1]) + 1, last[x - 1] + !query_same(a[y - 1], b[x - 1]));
            if (x > 1 && y > 1 && query_same(a[y - 1], b[x - 2]) && query_same(a[y - 2], b[x - 1]))
                now[x] = nearest_least(now[x], before[x - 2] + 1);
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
    unsigned found = nearest_distance(nearest->wanted, name);
    if (found >= nearest->distance)
        return;
    nearest->distance = found;
    memcpy(nearest->name, name, bytes + 1);
}

static bool try_name(void *opaque, const char *name) {
    pfifo_nearest_try(opaque, name);
    return false;
}

void pfifo_nearest_class(struct pfifo_nearest *nearest) {
    query_any_class(try_name, nearest);
}

void pfifo_nearest_event(struct pfifo_nearest *nearest) {
    query_any_event(try_name, nearest);
}

void query_nearest_event_field(struct pfifo_nearest *nearest) {
    query_any_event_field(try_name, nearest);
}

static void nearest_try_values(struct pfifo_nearest *nearest, const struct pfifo_field *field) {
    const char *name;
    uint32_t value;

    for (size_t i = 0; pfifo_field_value_at(field, i, &value, &name); i++)
        pfifo_nearest_try(nearest, name);
}

struct near_method {
    struct pfifo_nearest *nearest;
    const struct query_nearest_place *place;
};

static bool try_method(void *opaque, const struct pfifo_method_name *method) {
    const struct near_method *near = opaque;
    const struct query_nearest_place *place = near->place;
    struct pfifo_field field = {0};

    if (!place->method) {
        pfifo_nearest_try(near->nearest, method->name);
        pfifo_nearest_try(near->nearest, method->alias);
        return false;
    }
    if (!query_method_like(place->method, method))
        return false;
    while (pfifo_field_next(method, &field)) {
        if (!place->values)
            pfifo_nearest_try(near->nearest, field.name);
        else if (query_glob(place->field ? place->field : "V", field.name))
            nearest_try_values(near->nearest, &field);
    }
    return false;
}

void query_nearest_method(struct pfifo_nearest *nearest, const struct query_nearest_place *place) {
    struct near_method near = {nearest, place};

    query_any_method(place->of_class, try_method, &near);
}

void pfifo_nearest_method(struct pfifo_nearest *nearest, const char *of_class) {
    query_nearest_method(nearest, &(struct query_nearest_place){.of_class = of_class});
}
