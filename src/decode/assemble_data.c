/* SPDX-License-Identifier: MIT */
/* Data words: numbers, names of values, and fields. */
#include "decode/assemble.h"

#include <math.h>
#include <string.h>

/* Methods of the puller belong to the channel, whatever is bound. */
static uint32_t class_of(const struct assembler *assembler, const struct assemble_method *method) {
    if (method->class_id)
        return method->class_id;
    return method->method < 0x100 ? assembler->chip->host_class : assembler->bound[method->subchannel];
}

const struct pfifo_class *assemble_named_class(const char *text, const char **name) {
    const char *dot = strchr(text, '.');
    char class_name[64];

    *name = dot ? dot + 1 : text;
    if (!dot || (size_t)(dot - text) >= sizeof class_name)
        return NULL;
    memcpy(class_name, text, (size_t)(dot - text));
    class_name[dot - text] = 0;
    return pfifo_class_by_name(class_name);
}

static bool find_in(uint32_t class_id, const char *name, struct assemble_method *method) {
    uint32_t offset;

    if (!class_id || !pfifo_method_by_name(class_id, name, &offset) || offset > 0xffff)
        return false;
    method->method = (uint16_t)offset;
    return true;
}

bool assemble_find_method(const struct assembler *assembler, struct assemble_method *method) {
    const char *text = assembler->token, *name;
    const struct pfifo_class *class = assemble_named_class(text, &name);
    uint32_t number;

    if (class) {
        method->class_id = class->id;
        return find_in(class->id, name, method);
    }
    if (text[0] == '.')
        return find_in(assembler->chip->host_class, name, method);
    if (name != text)
        return false;
    if (assemble_number(text, 0xffff, &number)) {
        method->method = (uint16_t)number;
        return true;
    }
    return find_in(assembler->bound[method->subchannel], text, method) ||
           find_in(assembler->chip->host_class, text, method);
}

bool assemble_find_anywhere(const struct assembler *assembler, struct assemble_method *method) {
    const char *text = assembler->token, *name;
    const struct pfifo_class *class = assemble_named_class(text, &name);
    bool host = text[0] == '.' || (class && class->id == assembler->chip->host_class);

    for (uint8_t i = 0; !host && i < PFIFO_DECODE_SUBCHANNELS; i++) {
        uint32_t bound = assembler->bound[i];
        method->subchannel = i;
        if ((!class || bound == class->id) && (class || name == text) && find_in(bound, name, method))
            return true;
    }
    method->subchannel = 0;
    /* What is bound to which subchannel is to be said. */
    return (host || name == text) && find_in(assembler->chip->host_class, name, method) && method->method != 0;
}

static bool field_fits(const struct pfifo_field *field, int64_t number, uint32_t *bits) {
    uint32_t width = field->high - field->low + 1;
    int64_t step = INT64_C(1) << field->shift, scaled = number / step;
    int64_t limit = INT64_C(1) << width, low = field->type == PFIFO_FIELD_INT ? -limit / 2 : 0;

    /* -1 of a field that has no sign: all bits, as in a data word. */
    if (number % step || scaled < (low ? low : -1) || scaled >= limit)
        return false;
    *bits = (uint32_t)((uint64_t)scaled & (uint64_t)(limit - 1));
    return true;
}

/* Rounded to the nearest, to even between two. */
static uint32_t half_bits(double value) {
    uint32_t sign = signbit(value) ? 0x8000 : 0;
    double size = fabs(value);
    int exponent;

    if (isnan(value))
        return 0x7e00;
    if (size >= 65520.0)
        return sign | 0x7c00;
    (void)frexp(size, &exponent);
    if (exponent < -13)
        return sign | (uint32_t)nearbyint(ldexp(size, 24));
    return sign + ((uint32_t)(exponent + 13) << 10) + (uint32_t)nearbyint(ldexp(size, 11 - exponent));
}

static bool float_fits(const struct pfifo_field *field, const char *text, uint32_t *bits) {
    uint32_t width = field->high - field->low + 1;
    double number;
    float single;

    if (field->type != PFIFO_FIELD_FLOAT || (width != 32 && width != 16) || !assemble_float(text, true, &number))
        return false;
    single = (float)number;
    if (width == 32)
        memcpy(bits, &single, sizeof *bits);
    else
        *bits = half_bits(number);
    return true;
}

/* A value as the decoder prints it: a name, or a number that counts what the field counts. */
static bool read_value(const struct pfifo_field *field, const char *text, uint32_t *bits) {
    int64_t number;

    if (pfifo_field_value_by_name(field, text, bits) || float_fits(field, text, bits))
        return true;
    return field->type != PFIFO_FIELD_FLOAT && assemble_integer(text, &number) && field_fits(field, number, bits);
}

/* FIELD=VALUE, or the VALUE of the whole word, goes into *word; *given are the bits that have a value. */
static enum pfifo_status put_field(struct assembler *assembler, const struct pfifo_method_name *name, uint32_t *given,
                                   uint32_t *word) {
    char *value = strchr(assembler->token, '=');
    struct pfifo_nearest nearest;
    struct pfifo_field field;
    uint32_t bits, mask;

    if (value)
        *value = 0;
    if (!pfifo_field_find(name, value ? assembler->token : "V", &field) || field.high > 31 || field.low > field.high) {
        assemble_near_field(assembler->token, name, &nearest);
        return assemble_wrong_name(assembler, value ? "the method has no field" : "FIELD=VALUE is wanted, not",
                                   &nearest);
    }
    if (value)
        *value = '=';
    value = value ? value + 1 : assembler->token;
    if (!read_value(&field, value, &bits)) {
        assemble_near_value(value, &field, &nearest);
        return assemble_wrong_name(assembler, "the field has no value", &nearest);
    }
    mask = UINT32_MAX >> (31 - (field.high - field.low)) << field.low;
    bits <<= field.low;
    /* Fields may share bits. */
    if ((*word ^ bits) & mask & *given)
        return assemble_wrong(assembler, "bits that another field gave another value:");
    *given |= mask;
    *word = (*word & ~mask) | bits;
    return PFIFO_OK;
}

/* { FIELD=VALUE ... }: fields that are not named are 0. */
static enum pfifo_status put_fields(struct assembler *assembler, const struct pfifo_method_name *name, uint32_t *word) {
    enum pfifo_status status = PFIFO_OK;
    uint32_t given = 0;

    *word = 0;
    while (status == PFIFO_OK) {
        if (!assemble_token(assembler))
            return assemble_wrong(assembler, "a } is missing");
        if (strcmp(assembler->token, "}") == 0)
            return PFIFO_OK;
        status = put_field(assembler, name, &given, word);
    }
    return status;
}

static bool find_name(const struct assembler *assembler, const struct assemble_method *method,
                      struct pfifo_method_name *name) {
    return method && (pfifo_method_find(class_of(assembler, method), method->method, name) ||
                      (method->method < 0x100 && pfifo_method_find(assembler->chip->host_class, method->method, name)));
}

/* The data of method 0 is a class on chips that bind these. */
static bool is_class(const struct assembler *assembler, const struct assemble_method *method, uint32_t *word) {
    const struct pfifo_class *class = NULL;

    if (method && method->method == 0 && assembler->chip->binds_classes)
        class = pfifo_class_by_name(assembler->token);
    if (class)
        *word = class->id;
    return class != NULL;
}

enum pfifo_status assemble_word(struct assembler *assembler, const struct assemble_method *method, uint32_t *word) {
    struct pfifo_nearest nearest;
    struct pfifo_method_name name;
    struct pfifo_field field;

    if (assemble_data(assembler->token, word))
        return PFIFO_OK;
    if (assembler->token[0] == '@') {
        *word = 0;
        return assemble_use_label(assembler, 1, FORM_INVALID, assembler->count);
    }
    if (is_class(assembler, method, word))
        return PFIFO_OK;
    if (!find_name(assembler, method, &name))
        return assemble_wrong(assembler,
                              method && assembler->token[0] == '{' ? "the method has no known fields:" : "no data:");
    if (strcmp(assembler->token, "{") == 0)
        return put_fields(assembler, &name, word);
    if (!pfifo_field_find(&name, "V", &field) || field.high > 31 || strchr(assembler->token, '='))
        return assemble_wrong(assembler, strchr(assembler->token, '=') ? "fields stand in { }:" : "no data:");
    if (pfifo_field_value_by_name(&field, assembler->token, word)) {
        *word <<= field.low;
        return PFIFO_OK;
    }
    assemble_near_value(assembler->token, &field, &nearest);
    return assemble_wrong_name(assembler, "no data:", &nearest);
}
