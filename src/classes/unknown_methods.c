/* SPDX-License-Identifier: MIT */
#include "classes/unknown_methods.h"

#include <string.h>

#include <pfifo/classes.h>

#include "classes/lists.h"
#include "classes/method_list.h"
#include "classes/tables.h"

#define SLOTS (2 * UNKNOWN_METHODS_ROWS)

_Static_assert((int)METHOD_LIST_WORDS <= (int)UNKNOWN_METHODS_WORDS, "a list fits");

/* The class is known. */
static void add_names(struct unknown_methods_class *class) {
    class_list_add(class->has, class_named[classes_ordinal(class->object_class)], UNKNOWN_METHODS_WORDS);
}

/* A number without methods and without names may be an embedder's class. */
static bool has_list(const struct unknown_methods *unknown, uint32_t object_class, struct method_list *list) {
    if (!unknown->chip || !method_list_of(unknown->chip, object_class, list))
        return false;
    return !method_list_is_empty(list) || pfifo_method_count(object_class);
}

static void unknown_methods_look_up(const struct unknown_methods *unknown, struct unknown_methods_class *class,
                                    uint32_t object_class) {
    struct method_list list;
    memset(class, 0, sizeof *class);
    class->object_class = object_class;
    class->looked_up = true;
    if (has_list(unknown, object_class, &list)) {
        class->counted = true;
        memcpy(class->has, list.exists, sizeof list.exists);
    } else if (pfifo_method_count(object_class)) {
        class->counted = true;
        add_names(class);
        class->has[0] |= 1; /* the object itself */
    }
}

static const struct unknown_methods_class *unknown_methods_class_of(struct unknown_methods *unknown,
                                                                    uint32_t object_class) {
    uint32_t slot = (object_class ^ object_class >> 8) % UNKNOWN_METHODS_CLASSES;
    struct unknown_methods_class *class = &unknown->classes[slot];
    if (!class->looked_up || class->object_class != object_class)
        unknown_methods_look_up(unknown, class, object_class);
    return class;
}

static uint16_t *unknown_methods_slot_of(struct unknown_methods *unknown, uint32_t object_class, uint32_t method) {
    uint64_t key = (uint64_t)object_class << 16 | method;
    size_t slot = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) % SLOTS;
    for (;; slot = (slot + 1) % SLOTS) {
        const struct unknown_method *row = &unknown->row[unknown->index[slot] - (unknown->index[slot] != 0)];
        if (!unknown->index[slot] || (row->object_class == object_class && row->method == method))
            return &unknown->index[slot];
    }
}

static struct unknown_method *unknown_methods_count(struct unknown_methods *unknown, uint32_t object_class,
                                                    uint32_t method) {
    uint16_t *slot = unknown_methods_slot_of(unknown, object_class, method);
    unknown->total++;
    if (*slot) {
        unknown->row[*slot - 1].count++;
        return NULL;
    }
    if (unknown->count == UNKNOWN_METHODS_ROWS)
        return NULL;
    struct unknown_method *row = &unknown->row[unknown->count++];
    *row = (struct unknown_method){.object_class = object_class, .method = method, .count = 1};
    *slot = (uint16_t)unknown->count;
    return row;
}

struct unknown_method *unknown_methods_note(struct unknown_methods *unknown, uint32_t object_class, uint32_t method) {
    uint32_t word = method >> 2;
    if (!object_class)
        return NULL;
    const struct unknown_methods_class *class = unknown_methods_class_of(unknown, object_class);
    if (!class->counted || word >= UNKNOWN_METHODS_WORDS || (class->has[word >> 6] >> (word & 63) & 1))
        return NULL;
    return unknown_methods_count(unknown, object_class, method);
}
