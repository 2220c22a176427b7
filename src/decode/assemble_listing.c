/* SPDX-License-Identifier: MIT */
/*
 * The decoder's text, as text.c prints it, back to words.
 *
 *     segment 0100020000: 24 words                                  how many words there are
 *       0100020000 20010000 increasing            subc 0 ...        a word; what follows is not looked at
 *       0100020004 00000001 ERROR: ...                              a word, unless another line has its address
 *       0100020008 2 words skipped to find the next command
 *       0100020008 : 00000001 00000002                              words
 *
 * Where the decoder followed jumps or went back, lines have another order than the words, or tell a word twice. So the
 * words of a segment are sorted by address, and none may be missing.
 */
#include "decode/assemble.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is left of a line. */
struct listing_text {
    const char *at, *end;
};

static void assemble_listing_skip_blanks(struct listing_text *text) {
    while (text->at < text->end && *text->at == ' ')
        text->at++;
}

static bool assemble_listing_take(struct listing_text *text, const char *word) {
    size_t bytes = strlen(word);

    if ((size_t)(text->end - text->at) < bytes || memcmp(text->at, word, bytes) != 0)
        return false;
    text->at += bytes;
    return true;
}

/* Hexadecimal digits in lower case, and how many. */
static unsigned take_hex(struct listing_text *text, uint64_t *value) {
    unsigned digits = 0;

    *value = 0;
    for (; text->at < text->end && digits <= 16; text->at++, digits++) {
        char c = *text->at;
        if (c >= '0' && c <= '9')
            *value = *value << 4 | (unsigned)(c - '0');
        else if (c >= 'a' && c <= 'f')
            *value = *value << 4 | ((unsigned)(c - 'a') + 10);
        else
            break;
    }
    return digits;
}

static bool assemble_listing_take_decimal(struct listing_text *text, uint64_t *value) {
    const char *begin = text->at;

    *value = 0;
    for (; text->at < text->end && *text->at >= '0' && *text->at <= '9' && text->at - begin < 12; text->at++)
        *value = *value * 10 + (unsigned)(*text->at - '0');
    return text->at > begin;
}

static enum pfifo_status assemble_listing_complain(const struct assembler *assembler, unsigned line, uint64_t address,
                                                   const char *what) {
    return assemble_error(assembler, line, 1, "%08" PRIx64 " %s", address, what);
}

static enum pfifo_status put_missing(const struct assembler *assembler, unsigned line, uint64_t from, uint64_t to) {
    return assemble_error(assembler, line, 1,
                          "of the segment's words, %" PRIu64 " from %08" PRIx64
                          " on are missing; in order, lines would be taken as they come",
                          (to - from) / 4, from);
}

static int compare_words(const void *left, const void *right) {
    const struct listed_word *a = left, *b = right;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->weak != b->weak)
        return a->weak ? 1 : -1;
    return (a->line > b->line) - (a->line < b->line);
}

/* Words by address: each once, and all of them. */
static enum pfifo_status assemble_listing_put_words(struct assembler *assembler) {
    const struct listing *listing = &assembler->listing;
    uint64_t next = listing->known || !listing->used ? listing->address : listing->words[0].address;
    uint64_t end = listing->known ? listing->address + 4 * listing->count : UINT64_MAX;
    const struct listed_word *last = NULL;

    for (size_t i = 0; i < listing->used; i++) {
        const struct listed_word *word = &listing->words[i];
        bool again = last && last->address == word->address;
        if (word->weak && (again || word->address < listing->address || word->address >= end))
            continue;
        if (word->address < listing->address || word->address >= end)
            return assemble_listing_complain(assembler, word->line, word->address, "is not in the segment");
        if (again && word->word != last->word)
            return assemble_listing_complain(assembler, word->line, word->address, "has another word in a line before");
        if (again)
            continue;
        if (word->address != next)
            return put_missing(assembler, word->line, next, word->address);
        assemble_put(assembler, word->word);
        next += 4;
        last = word;
    }
    if (listing->known && next != end)
        return put_missing(assembler, listing->line, next, end);
    return PFIFO_OK;
}

enum pfifo_status assemble_end_segment(struct assembler *assembler) {
    struct listing *listing = &assembler->listing;
    enum pfifo_status status = PFIFO_OK;

    if (!assembler->in_order && (listing->known || listing->used)) {
        if (!listing->sorted && listing->used)
            qsort(listing->words, listing->used, sizeof *listing->words, compare_words);
        status = assemble_listing_put_words(assembler);
    }
    listing->used = 0;
    listing->known = false;
    listing->address = 0;
    return status;
}

/* A line of an error may only say where something is missing: its word is 0 then, which is never bad. */
static void put_in_order(struct assembler *assembler, const struct listed_word *word) {
    struct listing *listing = &assembler->listing;

    if (!word->weak || (word->word && word->address != listing->address))
        assemble_put(assembler, word->word);
    listing->address = word->address;
}

static enum pfifo_status assemble_listing_add_word(struct assembler *assembler, uint64_t address, uint64_t value,
                                                   bool weak) {
    struct listing *listing = &assembler->listing;
    struct listed_word word = {address, (uint32_t)value, assembler->line, weak};

    if (assembler->in_order) {
        put_in_order(assembler, &word);
        return PFIFO_OK;
    }
    if (listing->used == listing->room) {
        size_t room = listing->room ? 2 * listing->room : 1024;
        struct listed_word *grown =
            room <= SIZE_MAX / sizeof *grown ? realloc(listing->words, room * sizeof *grown) : NULL;
        if (!grown)
            return assemble_no_memory(assembler, "word");
        listing->words = grown;
        listing->room = room;
    }
    if (!listing->used)
        listing->sorted = true;
    else if (address <= listing->words[listing->used - 1].address)
        listing->sorted = false;
    listing->words[listing->used++] = word;
    return PFIFO_OK;
}

/* ": WORD WORD ...", from the colon on. */
static enum pfifo_status add_words(struct assembler *assembler, uint64_t address, struct listing_text *text,
                                   bool *taken) {
    enum pfifo_status status = PFIFO_OK;
    uint64_t word;

    for (assemble_listing_skip_blanks(text); status == PFIFO_OK && text->at < text->end;
         assemble_listing_skip_blanks(text)) {
        if (take_hex(text, &word) != 8)
            return PFIFO_OK;
        *taken = true;
        status = assemble_listing_add_word(assembler, address, word, false);
        address += 4;
    }
    return status;
}

/* After the word: the form of a command, a count, or the subchannel of a method and its class. */
static bool follows_a_word(struct listing_text text) {
    if (assemble_listing_take(&text, "  count ") || assemble_listing_take(&text, "= ") ||
        assemble_listing_take(&text, "  "))
        return text.at < text.end;
    for (enum grammar_form form = FORM_NOP; form < FORM_COUNT; form++) {
        struct listing_text rest = text;
        if (assemble_listing_take(&rest, grammar_form_name(form)) && (rest.at == rest.end || *rest.at == ' '))
            return true;
    }
    return false;
}

static bool is_skipped(struct listing_text text) {
    uint64_t count;

    return assemble_listing_take_decimal(&text, &count) &&
           (assemble_listing_take(&text, " word ") || assemble_listing_take(&text, " words "));
}

/* "ADDRESS ..." */
static enum pfifo_status address_line(struct assembler *assembler, struct listing_text text, bool *taken) {
    uint64_t address, word;

    if (take_hex(&text, &address) < 8 || !assemble_listing_take(&text, " "))
        return PFIFO_OK;
    if (assemble_listing_take(&text, ":"))
        return add_words(assembler, address, &text, taken);
    *taken = is_skipped(text);
    if (*taken || take_hex(&text, &word) != 8 || !assemble_listing_take(&text, " "))
        return PFIFO_OK;
    *taken = true;
    if (assemble_listing_take(&text, "ERROR: "))
        return assemble_listing_add_word(assembler, address, word, true);
    *taken = follows_a_word(text);
    return *taken ? assemble_listing_add_word(assembler, address, word, false) : PFIFO_OK;
}

/* "segment ADDRESS: COUNT words" */
static bool begin_segment(struct assembler *assembler, struct listing_text text) {
    struct listing *listing = &assembler->listing;
    uint64_t address, count;

    if (take_hex(&text, &address) < 8 || !assemble_listing_take(&text, ": ") ||
        !assemble_listing_take_decimal(&text, &count) || count > UINT32_MAX || !assemble_listing_take(&text, " word"))
        return false;
    listing->known = true;
    listing->address = assembler->in_order ? 0 : address;
    listing->count = count;
    listing->line = assembler->line;
    return true;
}

/* Lines that have no words. */
static bool is_heading(struct listing_text text) {
    static const char *const headings[] = {"wait: syncpoint ", "fence: syncpoint ", "wait: sync object ",
                                           "signal: sync object ", "methods that their class does not have: "};
    struct listing_text entry = text, submission = text, class = text, dashes = text;
    uint64_t number;

    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        if (assemble_listing_take(&text, headings[i]))
            return true;
    if (assemble_listing_take(&entry, "entry ") && take_hex(&entry, &number) >= 8)
        return assemble_listing_take(&entry, ": ");
    if (assemble_listing_take(&submission, "submission ") && assemble_listing_take_decimal(&submission, &number))
        return assemble_listing_take(&submission, " channel ");
    if (assemble_listing_take(&dashes, "--"))
        return dashes.at == dashes.end;
    if (!assemble_listing_take(&class, "class ") || take_hex(&class, &number) < 4 ||
        !assemble_listing_take(&class, " "))
        return false;
    while (class.at < class.end && *class.at != ' ')
        class.at++;
    return assemble_listing_take(&class, " has no method ");
}

enum pfifo_status assemble_listed_line(struct assembler *assembler, bool *taken) {
    struct listing_text text = {assembler->begin, assembler->end};
    enum pfifo_status status;

    *taken = false;
    if (text.end > text.at && text.end[-1] == '\r')
        text.end--;
    assemble_listing_skip_blanks(&text);
    if (text.at == text.end)
        return PFIFO_OK;
    if (assemble_listing_take(&text, "segment ")) {
        status = assemble_end_segment(assembler);
        *taken = begin_segment(assembler, text) || status != PFIFO_OK;
        return status;
    }
    if (*text.at >= '0' && *text.at <= 'f')
        status = address_line(assembler, text, taken);
    else
        status = PFIFO_OK;
    if (status != PFIFO_OK || *taken)
        return status;
    *taken = is_heading(text);
    return *taken ? assemble_end_segment(assembler) : PFIFO_OK;
}
