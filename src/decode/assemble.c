/* SPDX-License-Identifier: MIT */
#include "decode/assemble.h"

#include "chip/family.h"

#include <string.h>

enum { TOKEN_BYTES = 128 };

/* The operands of a command. */
enum operands {
    OPERANDS_NONE,
    OPERANDS_METHODS,   /* SUBC METHOD [count=N] DATA... */
    OPERANDS_IMMEDIATE, /* SUBC METHOD DATA */
    OPERANDS_TARGET,
    OPERANDS_MASK,
    OPERANDS_WORDS,
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
};

static enum pfifo_status complain(struct assembler *assembler, const char *what, const char *token) {
    return pfifo_error_set(assembler->error, PFIFO_ERROR_ARGUMENT, "line %u: %s '%.60s'", assembler->line, what, token);
}

static void assemble_put(struct assembler *assembler, uint32_t word) {
    if (assembler->count < assembler->max)
        assembler->words[assembler->count] = word;
    assembler->count++;
}

static void set_word(struct assembler *assembler, size_t at, uint32_t word) {
    if (at < assembler->max)
        assembler->words[at] = word;
}

/* The assembler does not know the mode of the channel, so it accepts the forms of all modes. */
static bool encode(const struct assembler *assembler, const struct grammar_word *in, uint32_t *word) {
    return grammar_encode(assembler->grammar, GRAMMAR_IB | GRAMMAR_SLI | GRAMMAR_OLD, in, word) ||
           grammar_encode(assembler->grammar, GRAMMAR_DMA | GRAMMAR_SLI | GRAMMAR_OLD, in, word);
}

static enum pfifo_status put_header(struct assembler *assembler, const struct grammar_word *in, const char *name) {
    uint32_t word;

    /* Where no form says so, the no-op is a header without data. */
    if (in->form == FORM_NOP)
        word = 0;
    else if (!encode(assembler, in, &word))
        return complain(assembler, "this chip cannot say this in", name);
    assemble_put(assembler, word);
    return PFIFO_OK;
}

static enum pfifo_status read_method(struct assembler *assembler, struct line_tokens *tokens, struct grammar_word *in) {
    char token[TOKEN_BYTES];
    uint32_t number;

    if (!assemble_token(tokens, token, sizeof token))
        return complain(assembler, "the subchannel is missing", "");
    if (!assemble_number(token, 7, &number))
        return complain(assembler, "no subchannel:", token);
    in->subchannel = (uint8_t)number;
    if (!assemble_token(tokens, token, sizeof token))
        return complain(assembler, "the method is missing", "");
    if (!assemble_method(assembler->chip, token, &number))
        return complain(assembler, "no method:", token);
    in->method = (uint16_t)number;
    return PFIFO_OK;
}

/* Data words; `*count` is their number, or the number that count= gives. */
static enum pfifo_status put_data(struct assembler *assembler, struct line_tokens *tokens, uint32_t *count) {
    char token[TOKEN_BYTES];
    uint32_t number;
    bool given = false;

    *count = 0;
    while (assemble_token(tokens, token, sizeof token)) {
        if (strncmp(token, "count=", 6) == 0 && assemble_number(token + 6, 0xffffff, count)) {
            given = true;
        } else if (assemble_data(token, &number)) {
            assemble_put(assembler, number);
            *count += !given;
        } else {
            return complain(assembler, "no data:", token);
        }
    }
    return PFIFO_OK;
}

static enum pfifo_status put_methods(struct assembler *assembler, struct line_tokens *tokens, struct grammar_word *in,
                                     const char *name) {
    bool is_long = in->form == FORM_LONG_NONINCREASING;
    enum pfifo_status status = read_method(assembler, tokens, in);
    size_t header = assembler->count;
    uint32_t count, word;

    if (status != PFIFO_OK)
        return status;
    /* The header comes first, but its count is only known after the data. */
    assemble_put(assembler, 0);
    if (is_long)
        assemble_put(assembler, 0);
    status = put_data(assembler, tokens, &count);
    if (status != PFIFO_OK)
        return status;
    in->count = is_long ? 0 : count;
    if (!encode(assembler, in, &word) || (is_long && count > 0xffffff))
        return complain(assembler, "this chip cannot say this in", name);
    set_word(assembler, header, word);
    if (is_long)
        set_word(assembler, header + 1, count);
    return PFIFO_OK;
}

static enum pfifo_status put_words(struct assembler *assembler, struct line_tokens *tokens) {
    char token[TOKEN_BYTES];
    uint32_t number;

    while (assemble_token(tokens, token, sizeof token)) {
        if (!assemble_hex(token, &number))
            return complain(assembler, "no hexadecimal word:", token);
        assemble_put(assembler, number);
    }
    return PFIFO_OK;
}

/* One number for a field of the header. */
static enum pfifo_status read_operand(struct assembler *assembler, struct line_tokens *tokens, uint32_t *value) {
    char token[TOKEN_BYTES] = "";

    if (!assemble_token(tokens, token, sizeof token) || !assemble_data(token, value))
        return complain(assembler, "no number:", token);
    return PFIFO_OK;
}

static enum pfifo_status read_operands(struct assembler *assembler, struct line_tokens *tokens, enum operands operands,
                                       struct grammar_word *in) {
    enum pfifo_status status;

    switch (operands) {
    case OPERANDS_IMMEDIATE:
        status = read_method(assembler, tokens, in);
        return status == PFIFO_OK ? read_operand(assembler, tokens, &in->data) : status;
    case OPERANDS_TARGET:
        return read_operand(assembler, tokens, &in->target);
    case OPERANDS_MASK:
        return read_operand(assembler, tokens, &in->data);
    default:
        return PFIFO_OK;
    }
}

static enum pfifo_status put_command(struct assembler *assembler, const struct assemble_command *command,
                                     struct line_tokens *tokens) {
    struct grammar_word in = {.form = command->form};
    char token[TOKEN_BYTES];
    enum pfifo_status status;

    if (command->operands == OPERANDS_WORDS)
        return put_words(assembler, tokens);
    if (command->operands == OPERANDS_METHODS)
        return put_methods(assembler, tokens, &in, command->name);
    status = read_operands(assembler, tokens, command->operands, &in);
    if (status == PFIFO_OK && assemble_token(tokens, token, sizeof token))
        status = complain(assembler, "too much:", token);
    return status == PFIFO_OK ? put_header(assembler, &in, command->name) : status;
}

static enum pfifo_status assemble_put_line(struct assembler *assembler, struct line_tokens *tokens) {
    char name[TOKEN_BYTES];

    if (!assemble_token(tokens, name, sizeof name))
        return PFIFO_OK;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, name) == 0)
            return put_command(assembler, &commands[i], tokens);
    return complain(assembler, "no command:", name);
}

enum pfifo_status pfifo_assemble(const struct pfifo_chip *chip, const char *text, uint32_t *words, size_t max,
                                 size_t *count, struct pfifo_error *error) {
    struct assembler assembler = {.chip = chip, .words = words, .max = words ? max : 0, .error = error};
    enum pfifo_status status = PFIFO_OK;

    if (!chip || !text || !count)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "assembling needs a chip, a text and a place to count");
    assembler.grammar = chip->family->grammar;
    *count = 0;
    if (!assembler.grammar)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no pushbuffers", chip->name);
    while (*text && status == PFIFO_OK) {
        size_t length = strcspn(text, "\n");
        struct line_tokens tokens = {text, text + length};
        assembler.line++;
        status = assemble_put_line(&assembler, &tokens);
        text += length + (text[length] == '\n');
    }
    *count = assembler.count;
    return status;
}
