/* SPDX-License-Identifier: MIT */
/*
 * Groups of 16 digits: entries of a ring (IB, GPFIFO), which say where words are, and are none themselves.
 *
 *   0000600100002000 0000a00100003000
 *   0x7f3a00020000:	0x0000600100002000	0x0000a00100003000     with an address, as gdb prints x/2gx
 */
#include "stream/listing.h"

enum {
    ENTRY_DIGITS = 16,
    KERNEL = 0xffff /* how a kernel's addresses begin: they are in logs, and no entries */
};

static const char *skip_separators(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == ','))
        at++;
    return at;
}

/* The next number of the line. False: something else is there, or nothing. */
static bool take_group(const char **at, const char *end, size_t *digits, uint64_t *value) {
    const char *p = skip_separators(*at, end), *first;

    if (!listing_skip(&p, end, "0x"))
        listing_skip(&p, end, "0X");
    first = p;
    if (!listing_hex(&p, end, value))
        return false;
    *digits = (size_t)(p - first);
    *at = p;
    return true;
}

/* *at is where the entries of a line begin. False: it has something else. */
static bool find_entries(const struct listing_line *line, const char **at) {
    const char *p = line->text;
    uint64_t value;
    size_t digits;

    if (!take_group(&p, line->end, &digits, &value))
        return false;
    *at = p < line->end && *p == ':' ? p + 1 : line->text;
    for (p = *at; skip_separators(p, line->end) < line->end;)
        if (!take_group(&p, line->end, &digits, &value) || digits != ENTRY_DIGITS || value >> 48 == KERNEL)
            return false;
    return p > *at;
}

static bool entries_recognise(struct listing_text text) {
    struct listing_line line;
    const char *at;

    while (listing_next_line(&text, &line))
        if (find_entries(&line, &at))
            return true;
    return false;
}

static enum pfifo_status entries_read(struct listing_text text, struct pfifo_words *words, struct pfifo_error *error) {
    const struct pfifo_words_segment segment = {.submission = 1, .line = 1};
    enum pfifo_status status = listing_begin(words, &segment, error);
    struct listing_line line;
    const char *at;

    words->are_entries = true;
    while (status == PFIFO_OK && listing_next_line(&text, &line)) {
        uint64_t value;
        size_t digits;
        if (!find_entries(&line, &at))
            continue;
        while (status == PFIFO_OK && take_group(&at, line.end, &digits, &value)) {
            status = listing_append_word(words, (uint32_t)value, line.number, error);
            if (status == PFIFO_OK)
                status = listing_append_word(words, (uint32_t)(value >> 32), line.number, error);
        }
    }
    return status;
}

const struct listing_format listing_format_entries = {"entries of a ring", entries_recognise, entries_read, NULL};
