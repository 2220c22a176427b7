/* SPDX-License-Identifier: MIT */
#include "classes/method_list.h"

#include <string.h>

#include "classes/lists.h"

static bool method_list_has_class(struct class_list classes, uint32_t object_class) {
    const struct class_range *range = &class_ranges[classes.begin];
    for (unsigned i = 0; i < classes.count; i++)
        if (object_class >= range[i].first && object_class <= range[i].last)
            return true;
    return false;
}

static uint64_t *bits_of(struct method_list *list, enum method_how how) {
    switch (how) {
    case METHOD_MISSING_HW:
        return list->missing_hw;
    case METHOD_BY_DRIVER:
        return list->by_driver;
    case METHOD_REFUSED_INSIDE:
        return list->refused_inside;
    case METHOD_IGNORED_INSIDE:
        return list->ignored_inside;
    case METHOD_EXISTS:
        break;
    }
    return list->exists;
}

bool method_list_of(const struct pfifo_chip *chip, uint32_t object_class, struct method_list *list) {
    bool known = false;
    memset(list, 0, sizeof *list);
    for (size_t i = 0; i < class_list_row_count; i++) {
        const struct class_list_row *row = &class_list_rows[i];
        if (!method_list_has_class(row->classes, object_class) || !chip_in_range(chip, row->chips))
            continue;
        known = true;
        class_list_add(bits_of(list, row->how), row->methods, METHOD_LIST_WORDS);
        if (row->how == METHOD_MISSING_HW || row->how == METHOD_BY_DRIVER)
            class_list_add(list->exists, row->methods, METHOD_LIST_WORDS);
    }
    list->exists[0] |= known; /* the object itself */
    return known;
}

bool method_list_is_empty(const struct method_list *list) {
    uint64_t more = list->exists[0] & ~UINT64_C(1);
    for (unsigned i = 1; i < METHOD_LIST_WORDS / 64; i++)
        more |= list->exists[i];
    return !more;
}
