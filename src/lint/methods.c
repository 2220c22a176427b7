/* SPDX-License-Identifier: MIT */
/*
 * Methods that go nowhere, that their class does not have, or whose data has bits without a meaning.
 *
 * Before G80 a class has the methods that hardware accepts, from there on those that a document names
 * (classes/unknown_methods.h). Bits are looked at from GF100 on: there NVIDIA's headers have the fields of their
 * methods in full, and the names before are of those who found out some of the bits.
 *
 * On GK104 and later the engine of a subchannel is fixed, and drivers use the copy engine without binding it
 * (decode_default_classes()).
 */
#include "lint/lint.h"

#include <pfifo/classes.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "classes/unknown_methods.h"
#include "decode/decoder.h"

enum { HOST_METHODS = 0x100, MASKS = 4096, FIRST_OF_NVIDIA = 0x9000 };

/* The bits of a method that are in a field. A method without fields has them all. */
struct mask {
    uint32_t object_class, method, bits;
};

struct lint_methods {
    struct unknown_methods unknown;
    uint32_t unbound[DECODE_SUBCHANNELS]; /* classes that take methods without being bound */
    struct mask mask[MASKS];              /* direct-mapped; method is never 0 with class 0 */
};

struct lint_methods *lint_methods_new(const struct pfifo_chip *chip) {
    struct lint_methods *methods = calloc(1, sizeof *methods);

    if (!methods)
        return NULL;
    methods->unknown.chip = chip;
    decode_default_classes(chip, methods->unbound);
    for (size_t i = 0; i < DECODE_SUBCHANNELS; i++) {
        const struct pfifo_class *class = pfifo_class_find(methods->unbound[i]);
        if (!class || strcmp(class->family, "copy") != 0)
            methods->unbound[i] = 0;
    }
    return methods;
}

void lint_methods_free(struct lint_methods *methods) {
    free(methods);
}

static uint32_t look_up_bits(uint32_t object_class, uint32_t method) {
    struct pfifo_method_name name;
    struct pfifo_field field = {0};
    uint32_t bits = 0;

    if (!pfifo_method_find(object_class, method, &name))
        return UINT32_MAX;
    while (pfifo_field_next(&name, &field))
        if (field.low < 32) {
            uint32_t high = field.high < 31 ? field.high : 31;
            bits |= UINT32_MAX >> (31 - (high - field.low)) << field.low;
        }
    return bits ? bits : UINT32_MAX;
}

static uint32_t bits_of(struct lint_methods *methods, uint32_t object_class, uint32_t method) {
    uint32_t hash = (object_class << 12 ^ method >> 2) * UINT32_C(0x9e3779b1);
    struct mask *mask = &methods->mask[hash >> 20];

    if (mask->object_class != object_class || mask->method != method)
        *mask = (struct mask){object_class, method, look_up_bits(object_class, method)};
    return mask->bits;
}

static bool has_all_fields(uint32_t object_class) {
    return object_class >= FIRST_OF_NVIDIA && object_class <= UINT16_MAX;
}

static const char *name_of_class(uint32_t object_class) {
    const struct pfifo_class *class = pfifo_class_find(object_class);

    return class ? class->name : "of the object";
}

void lint_method(struct lint *lint, const struct pfifo_event *event) {
    const uint32_t subchannel = (uint32_t)event->value[0] % DECODE_SUBCHANNELS;
    const uint32_t bound = (uint32_t)event->value[1], unbound = lint->methods->unbound[subchannel];
    const uint32_t object_class = bound ? bound : unbound;
    const uint32_t method = (uint32_t)event->value[2], data = (uint32_t)event->value[3];
    const uint32_t name_class = method < HOST_METHODS ? lint->host_class : object_class;
    struct unknown_methods *unknown = &lint->methods->unknown;
    struct lint_place place;
    uint32_t wrong;

    if (!name_class) {
        if (method < HOST_METHODS)
            return;
        place = lint_place_now(lint, event->channel);
        lint_find(lint, LINT_OBJECT_NOT_BOUND, &place, subchannel,
                  "nothing is bound to subchannel %" PRIu32 ", so no engine takes the method", subchannel);
        return;
    }
    uint64_t before = unknown->total;
    unknown_methods_note(unknown, name_class, method);
    if (unknown->total != before) {
        place = lint_place_now(lint, event->channel);
        place.name_class = name_class;
        lint_find(lint, LINT_UNKNOWN_METHOD, &place, (uint64_t)name_class << 16 | method,
                  "class 0x%04" PRIx32 " %s has no method 0x%04" PRIx32, name_class, name_of_class(name_class), method);
        return;
    }
    wrong = has_all_fields(name_class) ? data & ~bits_of(lint->methods, name_class, method) : 0;
    if (wrong) {
        place = lint_place_now(lint, event->channel);
        place.name_class = name_class;
        lint_find(lint, LINT_UNKNOWN_BITS, &place, (uint64_t)name_class << 48 | (uint64_t)method << 32 | wrong,
                  "bits 0x%08" PRIx32 " of 0x%08" PRIx32 " are in no field of the method", wrong, data);
    }
}
