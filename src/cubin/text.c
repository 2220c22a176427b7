/* SPDX-License-Identifier: MIT */
/*
 * Words of code in texts. Two kinds are told apart by what there is of them:
 *
 *   16 digits  nvdisasm's and cuobjdump's listings, and whatever has an instruction a word:
 *                      Function : vadd
 *                                                 / * 0x001cbc001c2007e6 * /
 *              / *0008* /   MOV R1, c[0x0][0x20] ;   / * 0x4c98078000870001 * /
 *   8 digits   what pfifo/words.h reads: Mesa's dumps (NV50_PROG_DEBUG=1, NAK_DEBUG=print), dumps of memory. The line
 *              before words is their name. Words after one with "eader" are a header, not code.
 */
#include "cubin/disasm.h"

#include <pfifo/words.h>

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 16 };

struct line {
    const char *text;
    size_t length;
};

/* The next line; `*at` is behind it. */
static struct line text_next_line(const uint8_t *data, size_t bytes, size_t *at) {
    const uint8_t *from = data + *at, *end = memchr(from, '\n', bytes - *at);
    struct line line = {(const char *)from, end ? (size_t)(end - from) : bytes - *at};
    *at += line.length + (end != NULL);
    if (line.length && line.text[line.length - 1] == '\r')
        line.length--;
    return line;
}

static bool is_word_character(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* The 16 digits that begin at `at`, alone or after 0x. They are no address, which has a colon or a bracket after it. */
static bool word_at(const struct line *line, size_t at, uint64_t *word) {
    size_t from = line->length - at >= 2 && strncmp(line->text + at, "0x", 2) == 0 ? at + 2 : at;
    if (line->length - from < DIGITS || (at && is_word_character(line->text[at - 1])))
        return false;
    *word = 0;
    for (size_t i = from; i < from + DIGITS; i++) {
        unsigned char c = (unsigned char)line->text[i];
        if (!isxdigit(c))
            return false;
        *word = *word << 4 | (uint64_t)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
    }
    char after = from + DIGITS < line->length ? line->text[from + DIGITS] : ' ';
    return !is_word_character(after) && after != ':' && after != '>' && after != ']';
}

/* The first word from `*at` on; `*at` is behind it. */
static bool next_word(const struct line *line, size_t *at, uint64_t *word) {
    for (; *at < line->length; ++*at)
        if (word_at(line, *at, word)) {
            *at += DIGITS + (line->text[*at + 1] == 'x' ? 2 : 0);
            return true;
        }
    return false;
}

/* "/ *0008* /" before the instruction. */
static bool address_of(const struct line *line, uint64_t *address) {
    size_t at = 0, digits = 0;
    while (at < line->length && isspace((unsigned char)line->text[at]))
        at++;
    if (line->length - at < 2 || strncmp(line->text + at, "/*", 2) != 0)
        return false;
    *address = 0;
    for (at += 2; at < line->length && isxdigit((unsigned char)line->text[at]) && digits < 12; at++, digits++) {
        unsigned char c = (unsigned char)line->text[at];
        *address = *address << 4 | (uint64_t)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
    }
    return digits >= 4 && line->length - at >= 2 && strncmp(line->text + at, "*/", 2) == 0;
}

/* "Function : NAME", ".text.NAME:". */
static bool function_of(const struct line *line, char name[DISASM_NAME]) {
    static const char *const before[] = {"Function : ", ".text."};
    size_t at = 0;
    while (at < line->length && isspace((unsigned char)line->text[at]))
        at++;
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        size_t length = strlen(before[i]);
        if (line->length - at <= length || strncmp(line->text + at, before[i], length) != 0)
            continue;
        const char *from = line->text + at + length;
        length = line->length - at - length;
        while (length && (from[length - 1] == ':' || isspace((unsigned char)from[length - 1])))
            length--;
        disasm_clean_name(name, from, length);
        return true;
    }
    return false;
}

/* ---- words that are collected, and become a function ---- */

struct collected {
    uint8_t *code; /* with room for all of the text's words */
    size_t bytes;
    uint64_t address;
    char name[DISASM_NAME];
};

static void put_word(struct collected *collected, uint64_t word, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        collected->code[collected->bytes++] = (uint8_t)(word >> 8 * i);
}

static void say_collected(struct disasm *disasm, struct collected *collected) {
    const struct pfifo_disasm_event event = {.kind = PFIFO_DISASM_FUNCTION,
                                             .name = collected->name[0] ? collected->name : NULL,
                                             .chip = disasm->chip,
                                             .size = collected->bytes};
    if (!collected->bytes)
        return;
    disasm_say(disasm, &event);
    disasm_code(disasm, disasm->chip, collected->code, collected->bytes, collected->address, 0);
    collected->bytes = 0;
}

/* ---- 16 digits ---- */

static size_t count_words(const uint8_t *data, size_t bytes) {
    size_t count = 0, at = 0;
    while (at < bytes) {
        struct line line = text_next_line(data, bytes, &at);
        size_t column = 0;
        uint64_t word;
        while (next_word(&line, &column, &word))
            count++;
    }
    return count;
}

/* The addresses that lines have must go on; where they do not, there is another function. */
static void put_line(struct disasm *disasm, struct collected *collected, const struct line *line) {
    uint64_t word, address = 0;
    size_t column = 0;
    bool has_address = address_of(line, &address);
    while (next_word(line, &column, &word)) {
        uint64_t next = collected->address + collected->bytes;
        if (has_address && address != next) {
            say_collected(disasm, collected);
            collected->address = address;
        }
        has_address = false;
        put_word(collected, word, 8);
    }
}

static void list_words16(struct disasm *disasm, const uint8_t *data, size_t bytes, struct collected *collected) {
    size_t at = 0;
    char name[DISASM_NAME];
    collected->address = disasm->base;
    while (at < bytes && !disasm->stopped) {
        struct line line = text_next_line(data, bytes, &at);
        if (function_of(&line, name)) {
            say_collected(disasm, collected);
            memcpy(collected->name, name, sizeof name);
            collected->address = disasm->base;
        } else {
            put_line(disasm, collected, &line);
        }
    }
    say_collected(disasm, collected);
}

/* ---- 8 digits ---- */

/* The line before `number`, which lines are counted to: each is looked at once. */
struct lines {
    const uint8_t *data;
    size_t bytes, at;
    uint32_t number;
    struct line line;
};

static struct line line_of(struct lines *lines, uint32_t number) {
    while (lines->number < number && lines->at < lines->bytes) {
        lines->line = text_next_line(lines->data, lines->bytes, &lines->at);
        lines->number++;
    }
    return lines->number == number ? lines->line : (struct line){"", 0};
}

static bool is_header(const char *name) {
    return strstr(name, "eader") != NULL;
}

static void say_words8(struct disasm *disasm, struct collected *collected) {
    const struct pfifo_disasm_event header = {.kind = PFIFO_DISASM_SKIPPED,
                                              .name = collected->name,
                                              .text = "it is a header of a program",
                                              .size = collected->bytes};
    if (!is_header(collected->name)) {
        say_collected(disasm, collected);
        return;
    }
    disasm_say(disasm, &header);
    collected->bytes = 0;
}

static void list_segment(struct disasm *disasm, const struct pfifo_words *words, struct pfifo_words_segment segment,
                         struct lines *lines, struct collected *collected) {
    size_t bytes;
    const uint8_t *data = pfifo_words_data(words, &bytes);
    for (size_t i = 0; i < segment.count && !disasm->stopped; i++) {
        uint32_t line = pfifo_words_line(words, segment.first + i);
        uint32_t before = i ? pfifo_words_line(words, segment.first + i - 1) : 0;
        if (line > before + 1 || !i) {
            struct line title = line_of(lines, line - 1);
            say_words8(disasm, collected);
            disasm_clean_name(collected->name, title.text, title.length);
            collected->address = segment.has_address ? segment.address + 4 * i : disasm->base;
        }
        put_word(collected, elf_number(data + 4 * (segment.first + i), 4), 4);
    }
}

static void list_words8(struct disasm *disasm, const uint8_t *data, size_t bytes, const struct pfifo_words *words,
                        struct collected *collected) {
    struct lines lines = {data, bytes, 0, 0, {"", 0}};
    for (size_t i = 0; i < pfifo_words_info(words).segments && !disasm->stopped; i++)
        list_segment(disasm, words, pfifo_words_segment(words, i), &lines, collected);
    say_words8(disasm, collected);
}

/* ---- texts ---- */

bool disasm_text_is(const uint8_t *data, size_t bytes) {
    return !memchr(data, 0, bytes) && (count_words(data, bytes) || pfifo_words_recognise(data, bytes));
}

/* Room for all words, of `each` bytes, of what begins now. */
static enum pfifo_status make_room(struct disasm *disasm, struct collected *collected, size_t count, size_t each) {
    const struct pfifo_disasm_event event = {
        .kind = PFIFO_DISASM_PROGRAM, .name = "text", .chip = disasm->chip, .size = count * each};
    disasm->programs++;
    disasm_say(disasm, &event);
    collected->code = calloc(count + 1, each);
    return collected->code ? PFIFO_OK
                           : pfifo_error_set(disasm->error, PFIFO_ERROR_MEMORY, "%.120s: no memory for %zu words",
                                             disasm->name, count);
}

enum pfifo_status disasm_text(struct disasm *disasm, const uint8_t *data, size_t bytes) {
    struct collected collected = {0};
    size_t count = count_words(data, bytes);
    enum pfifo_status status = PFIFO_OK;
    if (count) {
        status = make_room(disasm, &collected, count, 8);
        if (status == PFIFO_OK)
            list_words16(disasm, data, bytes, &collected);
        free(collected.code);
        return status;
    }
    struct pfifo_words *words = pfifo_words_read(data, bytes, disasm->name, disasm->error);
    if (!words)
        return disasm->error ? disasm->error->status : PFIFO_ERROR_FORMAT;
    status = make_room(disasm, &collected, pfifo_words_info(words).words, 4);
    if (status == PFIFO_OK)
        list_words8(disasm, data, bytes, words, &collected);
    free(collected.code);
    pfifo_words_free(words);
    return status;
}
