/* SPDX-License-Identifier: MIT */
/* All names that there are. */
#include "classes/tables.h"
#include "query/query.h"

bool query_any_event(query_name_test *is, void *opaque) {
    const char *name;

    for (int kind = 0; (name = pfifo_decode_kind_name((enum pfifo_decode_kind)kind)); kind++)
        if (is(opaque, name))
            return true;
    for (size_t id = 0; id < pfifo_event_count(); id++)
        if (is(opaque, pfifo_event_info(id)->name))
            return true;
    return false;
}

bool query_any_event_field(query_name_test *is, void *opaque) {
    for (size_t id = 0; id < pfifo_event_count(); id++) {
        const struct pfifo_event_info *info = pfifo_event_info(id);
        for (unsigned i = 0; i < info->fields; i++)
            if (is(opaque, info->field[i]))
                return true;
    }
    return false;
}

bool query_any_class(query_name_test *is, void *opaque) {
    for (size_t i = 0; i < pfifo_class_count(); i++) {
        const struct pfifo_class *class = pfifo_class_at(i);
        if (is(opaque, class->name) || (class->alias && is(opaque, class->alias)))
            return true;
    }
    return false;
}

/* By what names the row, and by those of the later row with its id. */
static bool is_row(const char *glob, const struct pfifo_class *row) {
    return !glob || query_class_named(glob, row->id) || query_glob(glob, row->name) ||
           (row->alias && query_glob(glob, row->alias));
}

bool query_is_class(const char *glob) {
    for (size_t i = 0; i < pfifo_class_count(); i++)
        if (is_row(glob, pfifo_class_at(i)))
            return true;
    return false;
}

bool query_any_method(const char *of_class, query_method_test *is, void *opaque) {
    struct pfifo_method_name method;

    for (size_t i = 0; i < pfifo_class_count(); i++) {
        const struct pfifo_class *row = pfifo_class_at(i);
        if (!is_row(of_class, row))
            continue;
        for (size_t m = 0; pfifo_method_at(row->id, m, &method); m++)
            if (is(opaque, &method))
                return true;
    }
    return false;
}

bool query_method_like(const char *glob, const struct pfifo_method_name *method) {
    return query_glob(glob, method->name) || (method->alias && query_glob(glob, method->alias)) ||
           classes_method_is_called(method, glob);
}
