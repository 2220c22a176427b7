/* SPDX-License-Identifier: MIT */
/*
 * Methods that go nowhere, that their class does not have, or whose data has bits without a meaning.
 *
 * Methods that a source ties to some of the chips that have the class are state that the others do not keep.
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/chip.h"
#include "classes/unknown_methods.h"
#include "decode/decoder.h"

enum { MASKS = 4096, FIRST_OF_NVIDIA = 0x9000 };

/* The bits of a method that are in a field. A method without fields has them all. */
struct mask {
    uint32_t object_class, method, bits;
    const char *elsewhere; /* the chips that have the method, if this one is not among them */
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

/* "NV40-", "GT215-MCP89": from the first up to the last one. */
static bool methods_is_among(const struct pfifo_chip *chip, const char *chips) {
    char first[32] = {0}, last[32] = {0};
    size_t length = strcspn(chips, "-"), here = chip_place(pfifo_chip_info(chip).name, 0);

    if (length >= sizeof first || strlen(chips) - length > sizeof last)
        return true;
    memcpy(first, chips, length);
    snprintf(last, sizeof last, "%s", chips[length] ? chips + length + 1 : first);
    return here >= chip_place(first, 0) && here <= (last[0] ? chip_place(last, SIZE_MAX) : SIZE_MAX);
}

static const char *look_up_chips(const struct pfifo_chip *chip, uint32_t object_class, uint32_t method) {
    struct pfifo_method_name name;

    return pfifo_method_find(object_class, method, &name) && name.chips && !methods_is_among(chip, name.chips)
               ? name.chips
               : NULL;
}

static const struct mask *methods_mask_of(struct lint_methods *methods, uint32_t object_class, uint32_t method) {
    uint32_t hash = (object_class << 12 ^ method >> 2) * UINT32_C(0x9e3779b1);
    struct mask *mask = &methods->mask[hash >> 20];

    if (mask->object_class != object_class || mask->method != method)
        *mask = (struct mask){object_class, method, look_up_bits(object_class, method),
                              look_up_chips(methods->unknown.chip, object_class, method)};
    return mask;
}

static bool has_all_fields(uint32_t object_class) {
    return object_class >= FIRST_OF_NVIDIA && object_class <= UINT16_MAX;
}

static const char *name_of_class(uint32_t object_class) {
    const struct pfifo_class *class = pfifo_class_find(object_class);

    return class ? class->name : "of the object";
}

/* A method, whose class it is of, and its data. */
struct lint_sent {
    uint32_t name_class, method, data;
    bool by_macro;
};

/* Of a macro: the word that called it, whose method has a name of its own. */
static struct lint_place methods_place_of(const struct lint *lint, uint32_t channel, struct lint_sent sent) {
    struct lint_place place = lint_place_now(lint, channel);

    if (!sent.by_macro)
        place.name_class = sent.name_class;
    return place;
}

/* A method of an object, or of the front end. `sender`: who sends it, if that is not the word. */
static void methods_check(struct lint *lint, uint32_t channel, const char *sender, struct lint_sent sent) {
    struct unknown_methods *unknown = &lint->methods->unknown;
    const uint64_t key = (uint64_t)sent.name_class << 48 | (uint64_t)sent.method << 32, before = unknown->total;
    const struct mask *mask;
    struct lint_place place;
    uint32_t wrong;

    unknown_methods_note(unknown, sent.name_class, sent.method);
    if (unknown->total != before) {
        place = methods_place_of(lint, channel, sent);
        lint_find(lint, LINT_UNKNOWN_METHOD, &place, (uint64_t)sent.name_class << 16 | sent.method,
                  "%sclass 0x%04" PRIx32 " %s has no method 0x%04" PRIx32, sender, sent.name_class,
                  name_of_class(sent.name_class), sent.method);
        return;
    }
    mask = methods_mask_of(lint->methods, sent.name_class, sent.method);
    if (mask->elsewhere) {
        place = methods_place_of(lint, channel, sent);
        lint_find(lint, LINT_STATE_NOT_KEPT, &place, key,
                  "%sof chips with class 0x%04" PRIx32 " %s, method 0x%04" PRIx32 " is only of %s", sender,
                  sent.name_class, name_of_class(sent.name_class), sent.method, mask->elsewhere);
    }
    wrong = has_all_fields(sent.name_class) ? sent.data & ~mask->bits : 0;
    if (wrong) {
        place = methods_place_of(lint, channel, sent);
        if (sent.by_macro)
            lint_find(lint, LINT_UNKNOWN_BITS, &place, key | wrong,
                      "%sbits 0x%08" PRIx32 " of 0x%08" PRIx32 " are in no field of method 0x%04" PRIx32, sender, wrong,
                      sent.data, sent.method);
        else
            lint_find(lint, LINT_UNKNOWN_BITS, &place, key | wrong,
                      "bits 0x%08" PRIx32 " of 0x%08" PRIx32 " are in no field of the method", wrong, sent.data);
    }
}

void lint_method_sent(struct lint *lint, struct lint_sent_to sent) {
    const uint32_t subchannel = sent.subchannel % DECODE_SUBCHANNELS, unbound = lint->methods->unbound[subchannel];
    const uint32_t object_class = sent.bound ? sent.bound : unbound;
    const uint32_t name_class = sent.method < HOST_METHODS ? lint->host_class : object_class;
    struct lint_place place;

    if (name_class) {
        methods_check(lint, sent.channel, "", (struct lint_sent){name_class, sent.method, sent.data, false});
    } else if (sent.method >= HOST_METHODS) {
        place = lint_place_now(lint, sent.channel);
        lint_find(lint, LINT_OBJECT_NOT_BOUND, &place, subchannel,
                  "nothing is bound to subchannel %" PRIu32 ", so no engine takes the method", subchannel);
    }
}

void lint_method(struct lint *lint, const struct pfifo_event *event) {
    lint_method_sent(lint, (struct lint_sent_to){event->channel, (uint32_t)event->value[0], (uint32_t)event->value[1],
                                                 (uint32_t)event->value[2], (uint32_t)event->value[3]});
}

void lint_macro_method(struct lint *lint, const struct pfifo_event *event) {
    methods_check(
        lint, event->channel, "a macro sends it: ",
        (struct lint_sent){(uint32_t)event->value[0], (uint32_t)event->value[1], (uint32_t)event->value[2], true});
}
