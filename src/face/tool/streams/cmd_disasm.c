/* SPDX-License-Identifier: MIT */
/*
 * pfifo disasm: compiled programs as a listing in the form of cuobjdump -sass, or as JSON.
 */
#include <pfifo/disasm.h>

#include "face/common/json_writer.h"
#include "face/tool/chips/boards.h"
#include "face/tool/command/command_line.h"
#include "face/tool/tool.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum cmd_disasm_option_key { KEY_CHIP = 'c', KEY_RAW = 'r', KEY_BASE = 'b', KEY_JSON = 'j' };
enum cmd_disasm_long_option_key { KEY_FUNCTION = 256 };

/* Columns of a line: the opcode, and the word. Bytes of a line of constants. */
enum { OPCODE = 35, WORD = 88, CONSTANTS_A_LINE = 16 };

struct cmd_disasm {
    struct pfifo_disasm_options with;
    const char *function; /* glob over names; NULL: all */
    const char *file;
    char **files;
    int count;
    bool json, left_out; /* of the function that is listed */
};

static const struct argp_option options[] = {
    {"json", KEY_JSON, NULL, 0, "Print JSON, an object per line", 0},
    {"function", KEY_FUNCTION, "GLOB", 0, "Print only functions with a name that matches", 0},
    {"chip", KEY_CHIP, "CHIP", 0,
     "The instructions are those of this chip, or of a compute capability, as sm_52. Words of code need it", 1},
    {"raw", KEY_RAW, NULL, 0, "The files are code alone, little endian. Needs --chip", 1},
    {"base", KEY_BASE, "ADDRESS", 0, "Address of the first word of code that says none (default: 0)", 1},
    {0},
};

static error_t cmd_disasm_parse(int key, char *arg, struct argp_state *state) {
    struct cmd_disasm *disasm = state->input;

    switch (key) {
    case KEY_JSON:
        disasm->json = true;
        return 0;
    case KEY_FUNCTION:
        disasm->function = arg;
        return 0;
    case KEY_CHIP:
        disasm->with.chip = boards_chip_of_capability(arg);
        if (!disasm->with.chip)
            disasm->with.chip = tool_chip(state, arg);
        return 0;
    case KEY_RAW:
        disasm->with.raw = true;
        return 0;
    case KEY_BASE:
        disasm->with.base = tool_number(state, "base", arg);
        if (disasm->with.base % 8)
            argp_error(state, "--base has to be a multiple of 8, not '%s'", arg);
        return 0;
    case ARGP_KEY_ARGS:
        disasm->files = state->argv + state->next;
        disasm->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        if (disasm->count == 0)
            argp_error(state, "a file is missing");
        if (disasm->with.raw && !disasm->with.chip)
            argp_error(state, "--raw needs --chip");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp disasm_argp = {
    options,
    cmd_disasm_parse,
    "FILE...",
    "List the instructions of compiled programs: cubins, fatbins and programs with one, words in texts (listings of "
    "nvdisasm, dumps of Mesa, logs), and bare words. Fermi to Pascal, sm_20 to sm_62."
    "\vA FILE called - is standard input.",
    NULL,
    NULL,
    NULL,
};

/* ---- text ---- */

static void cmd_disasm_print_program(const struct cmd_disasm *disasm, const struct pfifo_disasm_event *event) {
    printf("// %s: %s", disasm->file, event->name);
    if (event->sm)
        printf(" for sm_%u at 0x%" PRIx64 ", e_flags 0x%08" PRIx64, event->sm, event->offset, event->word);
    printf(", instructions of %s\n", pfifo_chip_info(event->chip).name);
}

/* Zeros from `at` on, in whole lines. */
static uint64_t count_zeros(const uint8_t *data, uint64_t at, uint64_t bytes) {
    uint64_t end = at;

    while (end < bytes && !data[end])
        end++;
    return end == bytes ? end - at : (end - at) / CONSTANTS_A_LINE * CONSTANTS_A_LINE;
}

/* A word has its highest byte first; bytes after the last word are as they lie. */
static void print_constants_line(const uint8_t *data, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; i++) {
        bool in_word = bytes - i / 4 * 4 >= 4;
        printf("%s%02x", i % 4 || !in_word ? (in_word ? "" : " ") : " 0x", data[in_word ? i / 4 * 4 + 3 - i % 4 : i]);
    }
}

static void cmd_disasm_print_constants(const struct pfifo_disasm_event *event) {
    const uint8_t *data = event->data;

    for (uint64_t at = 0, length; at < event->size; at += length) {
        length = count_zeros(data, at, event->size);
        printf("//   c[0x%x][0x%" PRIx64 "] ", event->bank, at);
        if (length > CONSTANTS_A_LINE) {
            printf(" zeros, 0x%" PRIx64 " bytes\n", length);
            continue;
        }
        length = event->size - at < CONSTANTS_A_LINE ? event->size - at : CONSTANTS_A_LINE;
        print_constants_line(data + at, length);
        putchar('\n');
    }
}

static void cmd_disasm_print_function(const struct pfifo_disasm_event *event) {
    printf("\n        Function : %s\n", event->name ? event->name : "code");
    if (!event->has_sections)
        return;
    printf("        // %s; registers %u", event->is_kernel ? "kernel" : "function", event->registers);
    if (event->barriers)
        printf("; barriers %u", event->barriers);
    if (event->shared_bytes)
        printf("; shared memory 0x%" PRIx64 " bytes", event->shared_bytes);
    if (event->local_bytes)
        printf("; stack 0x%" PRIx64 " bytes", event->local_bytes);
    if (event->parameters_bytes)
        printf("; parameters 0x%" PRIx32 " bytes at c[0x0][0x%" PRIx32 "]", event->parameters_bytes,
               event->parameters_at);
    putchar('\n');
}

/* The word of an event ends a line that has `used` characters. */
static void print_word(int used, const struct pfifo_disasm_event *event) {
    printf("%*s /* 0x%0*" PRIx64 " */\n", used < WORD ? WORD - used : 0, "", (int)(2 * event->size), event->word);
}

static void print_instruction(const struct pfifo_disasm_event *event) {
    const char *space = event->text[0] == '@' ? strchr(event->text, ' ') : NULL;
    int guard = space ? (int)(space - event->text) : 0;
    const char *rest = space ? space + 1 : event->text;
    int used = printf("        /*%04" PRIx64 "*/", event->address);

    used += printf("%*.*s ", OPCODE - 1 - used, guard, event->text);
    used += printf("%s ;", rest);
    print_word(used, event);
}

static void print_control(const struct pfifo_disasm_event *event) {
    print_word(printf("        // %s", event->text), event);
}

/* "//   R_CUDA_ABS32_20 symbol+0x10", at the column of the instruction that it is of. */
static void print_relocation(const struct pfifo_disasm_event *event) {
    printf("        //%*s%s %s", OPCODE - 10, "", event->text, event->name);
    if (event->word)
        printf("%s0x%" PRIx64, (int64_t)event->word < 0 ? "-" : "+",
               (int64_t)event->word < 0 ? 0 - event->word : event->word);
    putchar('\n');
}

static void cmd_disasm_print_text(const struct cmd_disasm *disasm, const struct pfifo_disasm_event *event) {
    switch (event->kind) {
    case PFIFO_DISASM_PROGRAM:
        cmd_disasm_print_program(disasm, event);
        break;
    case PFIFO_DISASM_SKIPPED:
        printf("// %s: %s", disasm->file, event->name);
        if (event->sm)
            printf(" for sm_%u at 0x%" PRIx64, event->sm, event->offset);
        printf(", 0x%" PRIx64 " bytes: not listed, %s\n", event->size, event->text);
        break;
    case PFIFO_DISASM_SECTION:
        printf("// section %2u at 0x%06" PRIx64 ", 0x%04" PRIx64 " bytes: %s\n", event->index, event->offset,
               event->size, event->name);
        break;
    case PFIFO_DISASM_CONSTANTS:
        cmd_disasm_print_constants(event);
        break;
    case PFIFO_DISASM_FUNCTION:
        cmd_disasm_print_function(event);
        break;
    case PFIFO_DISASM_CONTROL:
        print_control(event);
        break;
    case PFIFO_DISASM_RELOCATION:
        print_relocation(event);
        break;
    default:
        print_instruction(event);
    }
}

/* ---- JSON ---- */

static void cmd_disasm_put_function(struct json_writer *json, const struct pfifo_disasm_event *event) {
    if (!event->has_sections)
        return;
    json_put_bool(json, "kernel", event->is_kernel);
    json_put_number(json, "registers", event->registers);
    json_put_number(json, "barriers", event->barriers);
    json_put_number(json, "shared_bytes", event->shared_bytes);
    json_put_number(json, "stack_bytes", event->local_bytes);
    json_put_number(json, "parameters_at", event->parameters_at);
    json_put_number(json, "parameters_bytes", event->parameters_bytes);
}

static void cmd_disasm_put_bytes(struct json_writer *json, const struct pfifo_disasm_event *event) {
    const uint8_t *data = event->data;

    json_put_number(json, "bank", event->bank);
    json_open(json, "data", '[');
    for (uint64_t i = 0; i < event->size; i++)
        json_put_number(json, NULL, data[i]);
    json_close(json);
}

static void cmd_disasm_print_json(const struct cmd_disasm *disasm, const struct pfifo_disasm_event *event) {
    struct json_writer json = {.file = stdout};
    bool is_word = event->kind == PFIFO_DISASM_INSTRUCTION || event->kind == PFIFO_DISASM_CONTROL;

    json_open(&json, NULL, '{');
    json_put_text(&json, "file", disasm->file);
    json_put_text(&json, "event", pfifo_disasm_kind_name(event->kind));
    if (event->name)
        json_put_text(&json, "name", event->name);
    if (event->chip)
        json_put_text(&json, "chip", pfifo_chip_info(event->chip).name);
    if (event->sm)
        json_put_number(&json, "sm", event->sm);
    bool is_relocation = event->kind == PFIFO_DISASM_RELOCATION;
    if (is_word || is_relocation)
        json_put_number(&json, "address", event->address);
    json_put_number(&json, "offset", event->offset);
    json_put_number(&json, "bytes", event->size);
    if (is_word)
        json_put_number(&json, "word", event->word);
    if (is_relocation)
        json_put_signed(&json, "addend", (int64_t)event->word);
    if (event->kind == PFIFO_DISASM_SECTION)
        json_put_number(&json, "index", event->index);
    if (event->kind == PFIFO_DISASM_FUNCTION)
        cmd_disasm_put_function(&json, event);
    if (event->kind == PFIFO_DISASM_CONSTANTS)
        cmd_disasm_put_bytes(&json, event);
    if (event->text)
        json_put_text(&json, "text", event->text);
    json_close_line(&json);
}

static bool cmd_disasm_event(void *opaque, const struct pfifo_disasm_event *event) {
    struct cmd_disasm *disasm = opaque;

    if (event->kind == PFIFO_DISASM_FUNCTION)
        disasm->left_out = disasm->function && fnmatch(disasm->function, event->name ? event->name : "code", 0) != 0;
    else if (event->kind < PFIFO_DISASM_FUNCTION)
        disasm->left_out = false;
    if (!disasm->left_out)
        (disasm->json ? cmd_disasm_print_json : cmd_disasm_print_text)(disasm, event);
    return !ferror(stdout);
}

static bool cmd_disasm_file(struct cmd_disasm *disasm, const char *path) {
    struct pfifo_error error = {0};
    size_t bytes = 0;
    void *data = tool_read(path, &bytes, &error);
    bool good = false;

    disasm->file = tool_input_name(path);
    disasm->with.name = tool_input_path(path);
    if (data)
        good = pfifo_disasm(data, bytes, &disasm->with, cmd_disasm_event, disasm, &error) == PFIFO_OK;
    if (!good && !ferror(stdout))
        tool_message("%s", error.message);
    free(data);
    return good;
}

enum tool_status cmd_disasm(int argc, char **argv) {
    struct cmd_disasm disasm = {.with.size = sizeof disasm.with};
    enum tool_status result = TOOL_OK;

    command_line_parse_listing(&disasm_argp, argc, argv, paint_disasm, &disasm);
    for (int i = 0; i < disasm.count && !ferror(stdout); i++)
        if (!cmd_disasm_file(&disasm, disasm.files[i]))
            result = TOOL_FAILED;
    return result;
}
