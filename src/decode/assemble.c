/* SPDX-License-Identifier: MIT */
#include "decode/assemble.h"
#include "decode/words_capture.h"

#include "chip/config.h"
#include "chip/family.h"
#include "decode/decoder.h"

#include <stdlib.h>
#include <string.h>

/* The operands of a command. */
enum operands {
    OPERANDS_NONE,
    OPERANDS_METHODS,   /* SUBC METHOD [count=N] DATA... */
    OPERANDS_IMMEDIATE, /* SUBC METHOD DATA */
    OPERANDS_TARGET,
    OPERANDS_MASK,
    OPERANDS_WORDS, /* hexadecimal */
    OPERANDS_DATA,
    OPERANDS_BIND, /* SUBC CLASS */
    OPERANDS_BUFFER,
    OPERANDS_END_BUFFER,
};

static const struct assemble_command {
    const char *name;
    enum grammar_form form;
    enum operands operands;
} commands[] = {
    {"inc", FORM_INCREASING, OPERANDS_METHODS},
    {"noninc", FORM_NONINCREASING, OPERANDS_METHODS},
    {"once", FORM_INCREASE_ONCE, OPERANDS_METHODS},
    {"long", FORM_LONG_NONINCREASING, OPERANDS_METHODS},
    {"imm", FORM_IMMEDIATE, OPERANDS_IMMEDIATE},
    {"nop", FORM_NOP, OPERANDS_NONE},
    {"jump", FORM_JUMP, OPERANDS_TARGET},
    {"oldjump", FORM_OLD_JUMP, OPERANDS_TARGET},
    {"call", FORM_CALL, OPERANDS_TARGET},
    {"return", FORM_RETURN, OPERANDS_NONE},
    {"sli", FORM_SLI_CONDITIONAL, OPERANDS_MASK},
    {"setmask", FORM_SET_SUBDEVICE, OPERANDS_MASK},
    {"storemask", FORM_STORE_SUBDEVICE, OPERANDS_MASK},
    {"usemask", FORM_USE_SUBDEVICE, OPERANDS_NONE},
    {"end", FORM_END_SEGMENT, OPERANDS_NONE},
    {"word", FORM_INVALID, OPERANDS_WORDS},
    {"data", FORM_INVALID, OPERANDS_DATA},
    {"bind", FORM_INVALID, OPERANDS_BIND},
    {"buffer", FORM_INVALID, OPERANDS_BUFFER},
    {"endbuffer", FORM_INVALID, OPERANDS_END_BUFFER},
};

void assemble_put(struct assembler *assembler, uint32_t word) {
    assemble_set(assembler, assembler->count++, word);
}

void assemble_set(struct assembler *assembler, size_t at, uint32_t word) {
    if (at < assembler->max)
        assembler->words[at] = word;
}

static enum pfifo_status read_subchannel(struct assembler *assembler, uint8_t *subchannel) {
    uint32_t number;

    if (!assemble_token(assembler))
        return assemble_wrong(assembler, "the subchannel is missing");
    if (!assemble_number(assembler->token, 7, &number))
        return assemble_wrong(assembler, "no subchannel:");
    *subchannel = (uint8_t)number;
    return PFIFO_OK;
}

static enum pfifo_status read_method(struct assembler *assembler, struct assemble_method *method) {
    enum pfifo_status status = read_subchannel(assembler, &method->subchannel);

    if (status != PFIFO_OK)
        return status;
    if (!assemble_token(assembler))
        return assemble_wrong(assembler, "the method is missing");
    if (!assemble_find_method(assembler, method))
        return assemble_unknown_method(assembler, &method->subchannel, NULL);
    return PFIFO_OK;
}

/* The class of a handle; 0: it is not known. */
static uint32_t class_of(const struct assembler *assembler, uint32_t handle) {
    for (size_t i = 0; i < assembler->object_count; i++)
        if (assembler->objects[i].handle == handle)
            return assembler->objects[i].oclass;
    return words_class_of_handle(assembler->chip, handle);
}

/* The data of method 0 says what the names of the next lines belong to. */
static void note_data(struct assembler *assembler, const struct assemble_method *method, uint32_t word) {
    const bool binds_classes = assembler->chip->binds_classes;
    const uint32_t oclass = binds_classes ? word & 0xffff : class_of(assembler, word);

    if (method->method == 0 && (binds_classes || oclass))
        assembler->bound[method->subchannel] = oclass;
}

/* Data words; `*count` is their number, or the number that count= gives. */
static enum pfifo_status assemble_put_data(struct assembler *assembler, struct assemble_method method,
                                           uint32_t *count) {
    bool given = false, first = true;
    enum pfifo_status status;
    uint32_t word;

    *count = 0;
    while (assemble_token(assembler)) {
        if (strncmp(assembler->token, "count=", 6) == 0 && assemble_number(assembler->token + 6, 0xffffff, count)) {
            given = true;
            continue;
        }
        status = assemble_word(assembler, &method, &word);
        if (status != PFIFO_OK)
            return status;
        assemble_put(assembler, word);
        note_data(assembler, &method, word);
        *count += !given;
        if (method.form == FORM_INCREASING || (method.form == FORM_INCREASE_ONCE && first))
            method.method = (uint16_t)(method.method + 4);
        first = false;
    }
    return PFIFO_OK;
}

static enum pfifo_status assemble_put_packet(struct assembler *assembler, const struct assemble_method *method,
                                             size_t column, const char *name) {
    bool is_long = method->form == FORM_LONG_NONINCREASING;
    struct grammar_word in = {.form = method->form, .subchannel = method->subchannel, .method = method->method};
    size_t header = assembler->count;
    enum pfifo_status status;
    uint32_t count, word;

    /* The header comes first, but its count is only known after the data. */
    assemble_put(assembler, 0);
    if (is_long)
        assemble_put(assembler, 0);
    status = assemble_put_data(assembler, *method, &count);
    if (status != PFIFO_OK)
        return status;
    in.count = is_long ? 0 : count;
    if (!grammar_encode_any(assembler->grammar, &in, &word))
        return assemble_cannot_say(assembler, column, name, &in);
    if (is_long && count > ASSEMBLE_LONG_MOST)
        return assemble_too_long(assembler, column, name, count);
    assemble_set(assembler, header, word);
    if (is_long)
        assemble_set(assembler, header + 1, count);
    return PFIFO_OK;
}

static enum pfifo_status assemble_put_methods(struct assembler *assembler, const struct assemble_command *command) {
    struct assemble_method method = {.form = command->form};
    size_t column = assembler->column;
    enum pfifo_status status = read_method(assembler, &method);

    return status == PFIFO_OK ? assemble_put_packet(assembler, &method, column, command->name) : status;
}

static enum pfifo_status assemble_put_words(struct assembler *assembler) {
    uint32_t number;

    while (assemble_token(assembler)) {
        if (!assemble_hex(assembler->token, &number))
            return assemble_wrong(assembler, "no hexadecimal word:");
        assemble_put(assembler, number);
    }
    return PFIFO_OK;
}

static enum pfifo_status put_numbers(struct assembler *assembler) {
    enum pfifo_status status = PFIFO_OK;
    uint32_t word;

    while (status == PFIFO_OK && assemble_token(assembler)) {
        status = assemble_word(assembler, NULL, &word);
        if (status == PFIFO_OK)
            assemble_put(assembler, word);
    }
    return status;
}

static enum pfifo_status nothing_more(struct assembler *assembler) {
    return assemble_token(assembler) ? assemble_wrong(assembler, "too much:") : PFIFO_OK;
}

static enum pfifo_status assemble_read_bind(struct assembler *assembler) {
    const struct pfifo_class *class;
    uint8_t subchannel = 0;
    enum pfifo_status status = read_subchannel(assembler, &subchannel);

    if (status != PFIFO_OK)
        return status;
    if (!assemble_token(assembler))
        return assemble_wrong(assembler, "the class is missing");
    class = pfifo_class_by_name(assembler->token);
    if (!class) {
        struct pfifo_nearest nearest;
        pfifo_nearest_begin(&nearest, assembler->token);
        pfifo_nearest_class(&nearest);
        return assemble_wrong_name(assembler, "there is no class", &nearest);
    }
    assembler->bound[subchannel] = class->id;
    return nothing_more(assembler);
}

/* One number for a field of the header. */
static enum pfifo_status read_operand(struct assembler *assembler, uint32_t *value) {
    if (!assemble_token(assembler) || !assemble_data(assembler->token, value))
        return assemble_wrong(assembler, assembler->token_bytes ? "no number:" : "the number is missing");
    return PFIFO_OK;
}

static enum pfifo_status read_target(struct assembler *assembler, struct grammar_word *in) {
    if (!assemble_token(assembler) || !assemble_is_label(assembler->token, strlen(assembler->token))) {
        return assembler->token_bytes && assemble_data(assembler->token, &in->target)
                   ? PFIFO_OK
                   : assemble_wrong(assembler,
                                    assembler->token_bytes ? "no number and no label:" : "the target is missing");
    }
    /* The word is made when all labels are known; until then it goes to 0. */
    return assemble_use_label(assembler, 0, in->form, assembler->count);
}

static enum pfifo_status read_immediate(struct assembler *assembler, struct grammar_word *in) {
    struct assemble_method method = {.form = in->form};
    enum pfifo_status status = read_method(assembler, &method);

    if (status != PFIFO_OK)
        return status;
    if (!assemble_token(assembler) || assembler->token[0] == '@')
        return assemble_wrong(assembler, assembler->token_bytes ? "no data:" : "the data is missing");
    status = assemble_word(assembler, &method, &in->data);
    if (status != PFIFO_OK)
        return status;
    in->subchannel = method.subchannel;
    in->method = method.method;
    note_data(assembler, &method, in->data);
    return PFIFO_OK;
}

static enum pfifo_status assemble_put_header(struct assembler *assembler, const struct assemble_command *command) {
    struct grammar_word in = {.form = command->form};
    enum pfifo_status status = PFIFO_OK;
    size_t column = assembler->column;
    uint32_t word = 0;

    if (command->operands == OPERANDS_IMMEDIATE)
        status = read_immediate(assembler, &in);
    else if (command->operands == OPERANDS_TARGET)
        status = read_target(assembler, &in);
    else if (command->operands == OPERANDS_MASK)
        status = read_operand(assembler, &in.data);
    if (status == PFIFO_OK)
        status = nothing_more(assembler);
    if (status != PFIFO_OK)
        return status;
    /* Where no form says so, the no-op is a header without data. */
    if (in.form != FORM_NOP && !grammar_encode_any(assembler->grammar, &in, &word))
        return assemble_cannot_say(assembler, column, command->name, &in);
    assemble_put(assembler, word);
    return in.form == FORM_NOP ? PFIFO_OK : assemble_check_place(assembler, column, command->name, &in);
}

static enum pfifo_status put_command(struct assembler *assembler, const struct assemble_command *command) {
    switch (command->operands) {
    case OPERANDS_METHODS:
        return assemble_put_methods(assembler, command);
    case OPERANDS_WORDS:
        return assemble_put_words(assembler);
    case OPERANDS_DATA:
        return put_numbers(assembler);
    case OPERANDS_BIND:
        return assemble_read_bind(assembler);
    case OPERANDS_BUFFER:
        return assemble_open_buffer(assembler);
    case OPERANDS_END_BUFFER:
        return assemble_close_buffer(assembler);
    default:
        return assemble_put_header(assembler, command);
    }
}

static void near_command(struct pfifo_nearest *nearest) {
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        pfifo_nearest_try(nearest, commands[i].name);
}

/* A command, or METHOD DATA...: increasing, on the subchannel that has the class. */
static enum pfifo_status put_statement(struct assembler *assembler) {
    struct assemble_method method = {.form = FORM_INCREASING};

    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, assembler->token) == 0)
            return put_command(assembler, &commands[i]);
    if (!assemble_find_anywhere(assembler, &method))
        return assemble_unknown_method(assembler, NULL, near_command);
    return assemble_put_packet(assembler, &method, assembler->column, "inc");
}

static bool defines_label(const struct assembler *assembler) {
    size_t bytes = strlen(assembler->token);

    return bytes && assembler->token[bytes - 1] == ':' && assemble_is_label(assembler->token, bytes - 1);
}

/* What was wrong is told, and the text goes on; only without memory it cannot. */
static bool assemble_goes_on(enum pfifo_status status) {
    return status == PFIFO_OK || status == PFIFO_ERROR_ARGUMENT;
}

static enum pfifo_status assemble_put_line(struct assembler *assembler) {
    enum pfifo_status status;
    bool taken;

    status = assemble_listed_line(assembler, &taken);
    if (status != PFIFO_OK || taken || !assemble_token(assembler))
        return status;
    /* Of the segment before, not of this line. */
    if (!assemble_goes_on(assemble_end_segment(assembler)))
        return PFIFO_ERROR_MEMORY;
    if (defines_label(assembler)) {
        status = assemble_define_label(assembler, assembler->token_bytes - 1);
        if (status != PFIFO_OK || !assemble_token(assembler))
            return status;
    }
    return put_statement(assembler);
}

static enum pfifo_status assemble_put_lines(struct assembler *assembler, const char *text, size_t bytes) {
    const char *end = text + bytes;
    enum pfifo_status status = PFIFO_OK;

    while (text < end && assemble_goes_on(status) && !assemble_is_over(assembler)) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        assembler->line++;
        assembler->begin = assembler->at = text;
        assembler->end = line_end ? line_end : end;
        status = assemble_put_line(assembler);
        text = assembler->end + (line_end != NULL);
    }
    if (assemble_goes_on(status) && !assemble_is_over(assembler))
        status = assemble_end_segment(assembler);
    if (!assemble_goes_on(status))
        return status;
    if (!assemble_is_over(assembler)) {
        assemble_place_buffers(assembler);
        assemble_resolve_labels(assembler);
    }
    if (assembler->report->errors)
        return PFIFO_ERROR_ARGUMENT;
    assemble_tell_buffers(assembler);
    return PFIFO_OK;
}

static enum pfifo_status assemble_check_options(const struct pfifo_assemble_options *with, struct pfifo_error *error) {
    if (!with->chip)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "assembling needs a chip, a text and a place to count");
    if (with->base & 3)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "words are at multiples of 4");
    if (!with->chip->family->grammar)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no pushbuffers", with->chip->name);
    return PFIFO_OK;
}

enum pfifo_status pfifo_assemble_text(const char *text, size_t bytes, const struct pfifo_assemble_options *options,
                                      uint32_t *words, size_t max, size_t *count, struct pfifo_error *error) {
    struct assemble_report report = {.error = error};
    struct assembler assembler = {.words = words, .max = words ? max : 0, .report = &report};
    struct pfifo_assemble_options with;
    enum pfifo_status status;

    if (!options || (!text && bytes) || !count)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "assembling needs a chip, a text and a place to count");
    *count = 0;
    status = config_read(&with, sizeof with, options, sizeof with, "pfifo_assemble_options", error);
    if (status == PFIFO_OK)
        status = assemble_check_options(&with, error);
    if (status != PFIFO_OK)
        return status;
    assembler.chip = with.chip;
    assembler.grammar = with.chip->family->grammar;
    assembler.base = with.base;
    assembler.objects = with.objects;
    assembler.object_count = with.object_count;
    assembler.in_order = with.in_order;
    assembler.segment = with.segment;
    assembler.buffers.told = with.buffer;
    assembler.buffers.opaque = with.buffer_opaque;
    report.told = with.told;
    report.opaque = with.told_opaque;
    decode_default_classes(with.chip, assembler.bound);
    for (size_t i = 0; i < PFIFO_DECODE_SUBCHANNELS; i++)
        if (with.bound[i])
            assembler.bound[i] = with.bound[i];
    status = assemble_expand(&assembler, &text, &bytes);
    if (status == PFIFO_OK)
        status = assemble_put_lines(&assembler, text, bytes);
    assemble_expanded_free(&assembler.expanded);
    free(assembler.listing.words);
    free(assembler.labels.labels);
    free(assembler.labels.uses);
    *count = assembler.count;
    return status;
}

enum pfifo_status pfifo_assemble(const struct pfifo_chip *chip, const char *text, uint32_t *words, size_t max,
                                 size_t *count, struct pfifo_error *error) {
    const struct pfifo_assemble_options options = {.chip = chip};

    return pfifo_assemble_text(text, text ? strlen(text) : 0, &options, words, max, count, error);
}
