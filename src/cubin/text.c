/* SPDX-License-Identifier: MIT */
/*
 * Words of code in texts: of 16 digits, or of 8 where a text has none of 16.
 *
 *   16 digits  nvdisasm's and cuobjdump's listings, and others that print an instruction as one word:
 *                      Function : vadd
 *                                                 / * 0x001cbc001c2007e6 * /
 *              / *0008* /   MOV R1, c[0x0][0x20] ;   / * 0x4c98078000870001 * /
 *   8 digits   what pfifo/words.h reads: Mesa's dumps (NV50_PROG_DEBUG=1, NAK_DEBUG=print), dumps of memory. The line
 *              before words is their name. Words after one with "eader" are a header, not code.
 */
#include "cubin/disasm.h"

#include "stream/listing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 16 };

static bool is_word_character(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* The 16 digits that begin at *at, alone or after 0x. They are no address, which has a colon or a bracket after it. */
static bool take_word(const struct listing_line *line, const char **at, uint64_t *word) {
    const char *p = *at;
    if (p > line->text && is_word_character(p[-1]))
        return false;
    listing_skip(&p, line->end, "0x");
    const char *digits = p;
    if (!listing_hex(&p, line->end, word) || p - digits != DIGITS)
        return false;
    if (p < line->end && (is_word_character(*p) || *p == ':' || *p == '>' || *p == ']'))
        return false;
    *at = p;
    return true;
}

/* The first word from *at on; *at is after it. */
static bool next_word(const struct listing_line *line, const char **at, uint64_t *word) {
    for (; *at < line->end; ++*at)
        if (take_word(line, at, word))
            return true;
    return false;
}

static const char *skip_blanks(const struct listing_line *line) {
    const char *at = line->text;
    while (at < line->end && isspace((unsigned char)*at))
        at++;
    return at;
}

/* "/ *0008* /" before the instruction. */
static bool address_of(const struct listing_line *line, uint64_t *address) {
    const char *at = skip_blanks(line);
    if (!listing_skip(&at, line->end, "/*"))
        return false;
    const char *digits = at;
    return listing_hex(&at, line->end, address) && at - digits >= 4 && at - digits <= 12 &&
           listing_skip(&at, line->end, "*/");
}

/* "Function : NAME", ".text.NAME:". */
static bool function_of(const struct listing_line *line, char name[DISASM_NAME]) {
    const char *at = skip_blanks(line), *end = line->end;
    if (!listing_skip(&at, end, "Function : ") && !listing_skip(&at, end, ".text."))
        return false;
    if (at == end)
        return false;
    while (end > at && (end[-1] == ':' || isspace((unsigned char)end[-1])))
        end--;
    disasm_clean_name(name, at, (size_t)(end - at));
    return true;
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

static struct listing_text text_of(const uint8_t *data, size_t bytes) {
    return (struct listing_text){(const char *)data, (const char *)data + bytes, 0};
}

static size_t count_words(struct listing_text text) {
    struct listing_line line;
    size_t count = 0;
    while (listing_next_line(&text, &line)) {
        uint64_t word;
        for (const char *at = line.text; next_word(&line, &at, &word);)
            count++;
    }
    return count;
}

/* A line whose address is not the next one begins another function. */
static void put_line(struct disasm *disasm, struct collected *collected, const struct listing_line *line) {
    uint64_t word, address = 0;
    bool has_address = address_of(line, &address);
    for (const char *at = line->text; next_word(line, &at, &word);) {
        uint64_t next = collected->address + collected->bytes;
        if (has_address && address != next) {
            say_collected(disasm, collected);
            collected->address = address;
        }
        has_address = false;
        put_word(collected, word, 8);
    }
}

static void list_words16(struct disasm *disasm, struct listing_text text, struct collected *collected) {
    struct listing_line line;
    char name[DISASM_NAME];
    collected->address = disasm->base;
    while (!disasm->stopped && listing_next_line(&text, &line)) {
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

/* A text that is read once from its begin to its end, and the line that was read last. */
struct lines {
    struct listing_text text;
    struct listing_line line;
};

/* Its name is the line `number`; empty: there is none, or it was passed already. */
static void take_name(struct collected *collected, struct lines *lines, uint32_t number) {
    const struct listing_line *line = &lines->line;
    while (line->number < number && listing_next_line(&lines->text, &lines->line))
        ;
    bool found = number && line->number == number;
    disasm_clean_name(collected->name, line->text, found ? (size_t)(line->end - line->text) : 0);
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
            say_words8(disasm, collected);
            take_name(collected, lines, line - 1);
            collected->address = segment.has_address ? segment.address + 4 * i : disasm->base;
        }
        put_word(collected, elf_number(data + 4 * (segment.first + i), 4), 4);
    }
}

static void list_words8(struct disasm *disasm, struct listing_text text, const struct pfifo_words *words,
                        struct collected *collected) {
    struct lines lines = {.text = text};
    for (size_t i = 0; i < pfifo_words_info(words).segments && !disasm->stopped; i++)
        list_segment(disasm, words, pfifo_words_segment(words, i), &lines, collected);
    say_words8(disasm, collected);
}

/* ---- texts ---- */

bool disasm_text_is(const uint8_t *data, size_t bytes) {
    return !memchr(data, 0, bytes) && (count_words(text_of(data, bytes)) || pfifo_words_recognise(data, bytes));
}

/* Room for all words, of `each` bytes, of what begins now. */
static enum pfifo_status make_room(struct disasm *disasm, struct collected *collected, size_t count, size_t each) {
    const struct pfifo_disasm_event event = {
        .kind = PFIFO_DISASM_PROGRAM, .name = "text", .chip = disasm->chip, .size = count * each};
    disasm_say(disasm, &event);
    collected->code = calloc(count + 1, each);
    return collected->code ? PFIFO_OK
                           : pfifo_error_set(disasm->error, PFIFO_ERROR_MEMORY, "%.120s: no memory for %zu words",
                                             disasm->name, count);
}

enum pfifo_status disasm_text(struct disasm *disasm, const uint8_t *data, size_t bytes) {
    struct listing_text text = text_of(data, bytes);
    struct collected collected = {0};
    size_t count = count_words(text);
    enum pfifo_status status = PFIFO_OK;
    if (count) {
        status = make_room(disasm, &collected, count, 8);
        if (status == PFIFO_OK)
            list_words16(disasm, text, &collected);
        free(collected.code);
        return status;
    }
    struct pfifo_words *words = pfifo_words_read(data, bytes, disasm->name, disasm->error);
    if (!words)
        return disasm->error ? disasm->error->status : PFIFO_ERROR_FORMAT;
    status = make_room(disasm, &collected, pfifo_words_info(words).words, 4);
    if (status == PFIFO_OK)
        list_words8(disasm, text, words, &collected);
    free(collected.code);
    pfifo_words_free(words);
    return status;
}
