/* SPDX-License-Identifier: MIT */
/* Names that are not known: of which class they are, if of one that is not bound, or what they may have meant. */
#include "decode/assemble.h"

#include <string.h>

/* A class by its number, as the names of its methods are asked for. */
static void try_methods(struct pfifo_nearest *nearest, uint32_t class_id) {
    const struct pfifo_class *class = class_id ? pfifo_class_find(class_id) : NULL;

    if (class)
        pfifo_nearest_method(nearest, class->name);
}

static bool assemble_unknown_has_method(uint32_t class_id, const char *name) {
    uint32_t offset;

    return class_id && pfifo_method_by_name(class_id, name, &offset);
}

/* ---- methods of classes that are not bound there ---- */

static bool is_on_chip(const struct pfifo_class *class, size_t chip) {
    return chip_place(class->first_chip, SIZE_MAX) <= chip && chip <= chip_place(class->last_chip, SIZE_MAX);
}

/* The newest class of the chip that has the method. NULL: none. */
static const struct pfifo_class *class_with(const struct assembler *assembler, const char *name) {
    const size_t chip = chip_place(assembler->chip->name, 0);

    for (size_t i = pfifo_class_count(); i-- > 0;) {
        const struct pfifo_class *class = pfifo_class_at(i);
        if (class->id != assembler->chip->host_class && assemble_unknown_has_method(class->id, name) &&
            is_on_chip(class, chip))
            return class;
    }
    return NULL;
}

/* inc SUBCHANNEL NAME */
static enum pfifo_status not_on_subchannel(const struct assembler *assembler, uint8_t subchannel, const char *name,
                                           const struct pfifo_class *class) {
    const uint32_t bound = assembler->bound[subchannel];
    const struct pfifo_class *has = bound ? pfifo_class_find(bound) : NULL;

    return assemble_error(assembler, assembler->line, assembler->column,
                          "'%.60s' is a method of %s, and subchannel %u has %s", name, class->name, subchannel,
                          has ? has->name : "no class bound that is known");
}

/* CLASS.NAME or NAME, at the start of a line. */
static enum pfifo_status on_no_subchannel(const struct assembler *assembler, const char *name,
                                          const struct pfifo_class *class) {
    const char *how = assembler->chip->binds_classes ? "inc 0 SET_OBJECT" : "bind 0";

    if (class->id == assembler->chip->host_class)
        return assemble_error(assembler, assembler->line, assembler->column,
                              "'%.60s' is a method that each subchannel has: say which, as in 'inc 0 %.60s'",
                              assembler->token, assembler->token);
    return assemble_error(assembler, assembler->line, assembler->column,
                          "'%.60s' is a method of %s, and no subchannel has that bound: say which has, as in '%s %s'",
                          name, class->name, how, class->name);
}

static enum pfifo_status unknown_class(const struct assembler *assembler) {
    const size_t bytes = (size_t)(strchr(assembler->token, '.') - assembler->token);
    struct pfifo_nearest nearest;
    char name[64];

    memcpy(name, assembler->token, bytes < sizeof name ? bytes : sizeof name - 1);
    name[bytes < sizeof name ? bytes : sizeof name - 1] = 0;
    pfifo_nearest_begin(&nearest, name);
    pfifo_nearest_class(&nearest);
    return assemble_wrong_name(assembler, "there is no such class, to have a method:", &nearest);
}

/* A class that is bound comes first. */
static const struct pfifo_class *known_class_with(const struct assembler *assembler, const char *name) {
    if (assemble_unknown_has_method(assembler->chip->host_class, name))
        return pfifo_class_find(assembler->chip->host_class);
    for (unsigned i = 0; i < PFIFO_DECODE_SUBCHANNELS; i++)
        if (assemble_unknown_has_method(assembler->bound[i], name))
            return pfifo_class_find(assembler->bound[i]);
    return class_with(assembler, name);
}

enum pfifo_status assemble_unknown_method(const struct assembler *assembler, const uint8_t *subchannel,
                                          void (*also)(struct pfifo_nearest *nearest)) {
    const char *text = assembler->token, *name;
    const struct pfifo_class *named = assemble_named_class(text, &name), *class = named;
    struct pfifo_nearest nearest;

    if (!named && name != text && text[0] != '.')
        return unknown_class(assembler);
    if (!named && text[0] != '.')
        class = known_class_with(assembler, name);
    if (class && assemble_unknown_has_method(class->id, name) && !subchannel)
        return on_no_subchannel(assembler, name, class);
    if (class && !named && subchannel)
        return not_on_subchannel(assembler, *subchannel, name, class);
    pfifo_nearest_begin(&nearest, name);
    if (named)
        try_methods(&nearest, named->id);
    for (unsigned i = 0; !named && text[0] != '.' && i < PFIFO_DECODE_SUBCHANNELS; i++)
        try_methods(&nearest, assembler->bound[i]);
    if (!named)
        try_methods(&nearest, assembler->chip->host_class);
    if (also && name == text)
        also(&nearest);
    return assemble_wrong_name(
        assembler, subchannel ? "no method:" : "no command, and no method of a class that is bound:", &nearest);
}

/* ---- fields and values ---- */

void assemble_near_value(const char *name, const struct pfifo_field *field, struct pfifo_nearest *nearest) {
    const char *value_name;
    uint32_t value;

    pfifo_nearest_begin(nearest, name);
    for (size_t i = 0; pfifo_field_value_at(field, i, &value, &value_name); i++)
        pfifo_nearest_try(nearest, value_name);
}

void assemble_near_field(const char *name, const struct pfifo_method_name *method, struct pfifo_nearest *nearest) {
    struct pfifo_field field = {0};

    pfifo_nearest_begin(nearest, name);
    while (pfifo_field_next(method, &field))
        pfifo_nearest_try(nearest, field.name);
}
