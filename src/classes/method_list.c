/* SPDX-License-Identifier: MIT */
#include "classes/method_list.h"

#include <stdlib.h>
#include <string.h>

/* The next range of a text. False: there is none. */
static bool next_range(const char **text, uint32_t *first, uint32_t *last) {
    char *end;
    if (!**text)
        return false;
    *first = *last = (uint32_t)strtoul(*text, &end, 16);
    if (*end == '-')
        *last = (uint32_t)strtoul(end + 1, &end, 16);
    *text = end + (*end == ' ');
    return true;
}

static bool method_list_names_class(const char *classes, uint32_t object_class) {
    uint32_t first, last;
    while (next_range(&classes, &first, &last))
        if (object_class >= first && object_class <= last)
            return true;
    return false;
}

static void method_list_add(uint64_t *bits, const char *methods) {
    uint32_t first, last;
    while (next_range(&methods, &first, &last))
        for (uint32_t word = first >> 2; word <= last >> 2 && word < METHOD_LIST_WORDS; word++)
            bits[word >> 6] |= UINT64_C(1) << (word & 63);
}

bool method_list_of(const struct pfifo_chip *chip, uint32_t object_class, struct method_list *list) {
    bool known = false;
    memset(list, 0, sizeof *list);
    for (size_t i = 0; i < method_list_row_count; i++) {
        const struct method_list_row *row = &method_list_rows[i];
        if (!method_list_names_class(row->classes, object_class) || !chip_in_range(chip, row->chips))
            continue;
        known = true;
        method_list_add(list->exists, row->methods);
        if (row->how == METHOD_MISSING_HW)
            method_list_add(list->missing_hw, row->methods);
        if (row->how == METHOD_BY_DRIVER)
            method_list_add(list->by_driver, row->methods);
    }
    if (known)
        method_list_add(list->exists, "0"); /* the object itself */
    return known;
}

bool method_list_is_empty(const struct method_list *list) {
    uint64_t more = list->exists[0] & ~UINT64_C(1);
    for (unsigned i = 1; i < METHOD_LIST_WORDS / 64; i++)
        more |= list->exists[i];
    return !more;
}
