/* SPDX-License-Identifier: MIT */
/* Data words: numbers, names of values, and fields. */
#include "decode/assemble.h"

#include <math.h>
#include <string.h>

/* Methods of the puller belong to the channel, whatever is bound. */
static uint32_t assemble_data_class_of(const struct assembler *assembler, const struct assemble_method *method) {
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

static bool assemble_data_find_in(uint32_t class_id, const char *name, struct assemble_method *method) {
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
        return assemble_data_find_in(class->id, name, method);
    }
    if (text[0] == '.')
        return assemble_data_find_in(assembler->chip->host_class, name, method);
    if (name != text)
        return false;
    if (assemble_number(text, 0xffff, &number)) {
        method->method = (uint16_t)number;
        return true;
    }
    return assemble_data_find_in(assembler->bound[method->subchannel], text, method) ||
           assemble_data_find_in(assembler->chip->host_class, text, method);
}

bool assemble_find_anywhere(const struct assembler *assembler, struct assemble_method *method) {
    const char *text = assembler->token, *name;
    const struct pfifo_class *class = assemble_named_class(text, &name);
    bool host = text[0] == '.' || (class && class->id == assembler->chip->host_class);

    for (uint8_t i = 0; !host && i < PFIFO_DECODE_SUBCHANNELS; i++) {
        uint32_t bound = assembler->bound[i];
        method->subchannel = i;
        if ((!class || bound == class->id) && (class || name == text) && assemble_data_find_in(bound, name, method))
            return true;
    }
    method->subchannel = 0;
    /* What is bound to which subchannel is to be said. */
    return (host || name == text) && assemble_data_find_in(assembler->chip->host_class, name, method) &&
           method->method != 0;
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
    if (size == 0 || exponent < -13)
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
static bool read_one(const struct pfifo_field *field, const char *text, uint32_t *bits) {
    int64_t number;

    if (pfifo_field_value_by_name(field, text, bits) || float_fits(field, text, bits))
        return true;
    if (field->type == PFIFO_FIELD_FLOAT && text[0] == '0' && (text[1] | 0x20) == 'x')
        return assemble_number(text, UINT32_MAX >> (31 - (field->high - field->low)), bits);
    return field->type != PFIFO_FIELD_FLOAT && assemble_integer(text, &number) && field_fits(field, number, bits);
}

static uint32_t assemble_data_mask_of(const struct pfifo_field *field) {
    return UINT32_MAX >> (31 - (field->high - field->low)) << field->low;
}

static bool is_in_word(const struct pfifo_field *field) {
    return field->high <= 31 && field->low <= field->high;
}

/* The data as one: the field V. False: there is none, or not in the word. */
static bool whole_word(const struct pfifo_method_name *name, struct pfifo_field *field) {
    return pfifo_field_find(name, "V", field) && is_in_word(field);
}

/* The next of VALUE|VALUE...; false after the last. */
static bool next_part(const char **text, char part[ASSEMBLE_TOKEN]) {
    size_t bytes = *text ? strcspn(*text, "|") : 0;

    if (!*text)
        return false;
    memcpy(part, *text, bytes);
    part[bytes] = 0;
    *text = (*text)[bytes] ? *text + bytes + 1 : NULL;
    return true;
}

static enum pfifo_status add_bits(const struct assembler *assembler, uint32_t *bits, uint32_t more) {
    if (*bits & more)
        return assemble_wrong(assembler, "values that have a bit in common are no flags:");
    *bits |= more;
    return PFIFO_OK;
}

/* FIELD=VALUE, or VALUE|VALUE... of flags: the bits, in their place. */
static enum pfifo_status assemble_data_read_values(const struct assembler *assembler, const struct pfifo_field *field,
                                                   const char *text, uint32_t *bits) {
    enum pfifo_status status = PFIFO_OK;
    struct pfifo_nearest nearest;
    char part[ASSEMBLE_TOKEN];
    uint32_t one;

    *bits = 0;
    while (status == PFIFO_OK && next_part(&text, part)) {
        if (!read_one(field, part, &one)) {
            assemble_near_value(part, field, &nearest);
            return assemble_wrong_name(assembler, "the field has no value", &nearest);
        }
        status = add_bits(assembler, bits, one << field->low);
    }
    return status;
}

/* What may stand alone: a value of the whole word, or a field of one bit, which is set. */
static bool read_alone(const struct pfifo_method_name *name, const char *text, uint32_t *bits, uint32_t *mask) {
    struct pfifo_field field;

    if (whole_word(name, &field) && read_one(&field, text, bits)) {
        *bits <<= field.low;
        *mask |= assemble_data_mask_of(&field);
        return true;
    }
    if (!pfifo_field_find(name, text, &field) || !is_in_word(&field) || field.high != field.low)
        return false;
    *bits = assemble_data_mask_of(&field);
    *mask |= *bits;
    return true;
}

/* The token: VALUE, FLAG, or several with | between. */
static enum pfifo_status read_flags(const struct assembler *assembler, const struct pfifo_method_name *name,
                                    const char *what, uint32_t *bits, uint32_t *mask) {
    const char *text = assembler->token;
    enum pfifo_status status = PFIFO_OK;
    struct pfifo_nearest nearest;
    struct pfifo_field field;
    char part[ASSEMBLE_TOKEN];
    uint32_t one;

    *bits = *mask = 0;
    while (status == PFIFO_OK && next_part(&text, part)) {
        if (!read_alone(name, part, &one, mask)) {
            if (whole_word(name, &field))
                assemble_near_value(part, &field, &nearest);
            else
                assemble_near_field(part, name, &nearest);
            return assemble_wrong_name(assembler, what, &nearest);
        }
        status = add_bits(assembler, bits, one);
    }
    return status;
}

/* FIELD=VALUE */
static enum pfifo_status read_field(struct assembler *assembler, const struct pfifo_method_name *name, char *equals,
                                    uint32_t *bits, uint32_t *mask) {
    struct pfifo_nearest nearest;
    struct pfifo_field field;

    *equals = 0;
    if (!pfifo_field_find(name, assembler->token, &field) || !is_in_word(&field)) {
        assemble_near_field(assembler->token, name, &nearest);
        return assemble_wrong_name(assembler, "the method has no field", &nearest);
    }
    *equals = '=';
    *mask = assemble_data_mask_of(&field);
    return assemble_data_read_values(assembler, &field, equals + 1, bits);
}

/* What stands in braces goes into *word; *given are the bits that have a value. */
static enum pfifo_status put_field(struct assembler *assembler, const struct pfifo_method_name *name, uint32_t *given,
                                   uint32_t *word) {
    char *equals = strchr(assembler->token, '=');
    uint32_t bits = 0, mask = 0;
    enum pfifo_status status = equals ? read_field(assembler, name, equals, &bits, &mask)
                                      : read_flags(assembler, name, "FIELD=VALUE is wanted, not", &bits, &mask);

    if (status != PFIFO_OK)
        return status;
    /* Fields may share bits. */
    if ((*word ^ bits) & mask & *given)
        return assemble_wrong(assembler, "bits that another field gave another value:");
    *given |= mask;
    *word = (*word & ~mask) | bits;
    return PFIFO_OK;
}

/* { FIELD=VALUE ... }: fields that are not named are 0. */
static enum pfifo_status assemble_data_put_fields(struct assembler *assembler, const struct pfifo_method_name *name,
                                                  uint32_t *word) {
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

static bool assemble_data_find_name(const struct assembler *assembler, const struct assemble_method *method,
                                    struct pfifo_method_name *name) {
    return method && (pfifo_method_find(assemble_data_class_of(assembler, method), method->method, name) ||
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

/* A number alone. Of a method whose data is a float, it is what the decoder prints: 1 is 1.0. Bits are hexadecimal. */
static bool assemble_data_read_number(const struct assembler *assembler, const struct pfifo_field *whole,
                                      uint32_t *word) {
    const char *text = assembler->token;
    double real;

    if (whole && whole->type == PFIFO_FIELD_FLOAT && float_fits(whole, text, word)) {
        *word <<= whole->low;
        return true;
    }
    if (!assemble_data(text, word))
        return false;
    if (whole && whole->type != PFIFO_FIELD_PLAIN && whole->type != PFIFO_FIELD_FLOAT &&
        assemble_float(text, false, &real))
        assemble_warn(assembler, assembler->line, assembler->column,
                      "'%.60s' is the bits of a float, and this method's data is no float", text);
    return true;
}

enum pfifo_status assemble_word(struct assembler *assembler, const struct assemble_method *method, uint32_t *word) {
    struct pfifo_method_name name;
    struct pfifo_field field;
    const bool known = assemble_data_find_name(assembler, method, &name), whole = known && whole_word(&name, &field);
    uint32_t mask;

    if (assemble_data_read_number(assembler, whole ? &field : NULL, word))
        return PFIFO_OK;
    if (assembler->token[0] == '@') {
        *word = 0;
        return assemble_use_label(assembler, 1, FORM_INVALID, assembler->count);
    }
    if (is_class(assembler, method, word))
        return PFIFO_OK;
    if (!known)
        return assemble_wrong(assembler,
                              method && assembler->token[0] == '{' ? "the method has no known fields:" : "no data:");
    if (strcmp(assembler->token, "{") == 0)
        return assemble_data_put_fields(assembler, &name, word);
    if (strchr(assembler->token, '='))
        return assemble_wrong(assembler, "fields stand in { }:");
    return read_flags(assembler, &name, "no data:", word, &mask);
}

/* FIELD=VALUE ..., without braces: the others keep what *word has. */
static enum pfifo_status change_fields(struct assembler *assembler, const struct assemble_method *method,
                                       uint32_t *word) {
    struct pfifo_method_name name;
    enum pfifo_status status;
    uint32_t given = 0, changed = *word;

    if (!assemble_data_find_name(assembler, method, &name))
        return assemble_wrong(assembler, "the method has no known fields:");
    do {
        status = put_field(assembler, &name, &given, &changed);
    } while (status == PFIFO_OK && assemble_token(assembler));
    if (status == PFIFO_OK)
        *word = changed;
    return status;
}

static void keep_text(void *opaque, const struct pfifo_assemble_message *message) {
    if (!message->warning)
        pfifo_error_set(opaque, PFIFO_ERROR_ARGUMENT, "%s", message->text);
}

enum pfifo_status pfifo_assemble_data(const struct pfifo_chip *chip, uint32_t class_id, uint32_t method,
                                      const char *text, uint32_t *word, struct pfifo_error *error) {
    const struct assemble_method of = {.class_id = class_id, .method = (uint16_t)method};
    struct assemble_report report = {.told = keep_text, .opaque = error};
    struct assembler assembler = {.chip = chip, .report = &report, .line = 1, .begin = text, .at = text};
    enum pfifo_status status;
    uint32_t read;

    if (!chip || !text || !word || method > 0xffff)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "data needs a chip, a method, a text and a place for it");
    assembler.end = text + strlen(text);
    if (!assemble_token(&assembler))
        return assemble_wrong(&assembler, "the data is missing");
    if (assembler.token[0] == '@')
        return assemble_wrong(&assembler, "there are no labels here:");
    if (assembler.token[0] != '{' && strchr(assembler.token, '='))
        return change_fields(&assembler, &of, word);
    status = assemble_word(&assembler, &of, &read);
    if (status == PFIFO_OK && assemble_token(&assembler))
        status = assemble_wrong(&assembler, "too much:");
    if (status == PFIFO_OK)
        *word = read;
    return status;
}
