/* SPDX-License-Identifier: MIT */
#include "face/tool/chips/event_names.h"

#include <pfifo/event.h>
#include <pfifo/nearest.h>

#include <stdio.h>
#include <string.h>

/* After the point: of engine.draw also draw. */
static const char *short_name(size_t id) {
    const char *name = pfifo_event_info(id)->name, *point = strchr(name, '.');

    return point ? point + 1 : name;
}

static const char *nearest_name(const char *name, struct pfifo_nearest *nearest) {
    const char *found = "";

    pfifo_nearest_begin(nearest, name);
    for (size_t id = 0; id < pfifo_event_count(); id++)
        pfifo_nearest_try(nearest, pfifo_event_info(id)->name);
    if (nearest->name[0])
        return nearest->name;
    for (size_t id = 0; id < pfifo_event_count(); id++) {
        unsigned before = nearest->distance;
        pfifo_nearest_try(nearest, short_name(id));
        if (nearest->distance < before)
            found = pfifo_event_info(id)->name;
    }
    return found;
}

static bool event_names_has(const char *glob) {
    for (size_t id = 0; id < pfifo_event_count(); id++)
        if (pfifo_event_matches(id, glob))
            return true;
    return false;
}

bool event_names_check(const char *globs, struct pfifo_error *error) {
    struct pfifo_nearest nearest;
    char glob[64];

    for (const char *at = globs; *at;) {
        size_t length = strcspn(at, ",");
        snprintf(glob, sizeof glob, "%.*s", (int)length, at);
        if (length >= sizeof glob)
            return refuse(error, "event name is too long: %.40s...", at);
        if (!event_names_has(glob)) {
            const char *name = nearest_name(glob, &nearest);
            return name[0] ? refuse(error, "no event is called '%s'; did you mean %s?", glob, name)
                           : refuse(error, "no event is called '%s'; pfifo events lists them", glob);
        }
        at += length + (at[length] == ',');
    }
    return globs[0] || refuse(error, "no event is named");
}
