/* SPDX-License-Identifier: MIT */
/* Texts that have words, but are not read: an error says what they are. */
#include "stream/listing.h"

/* `pfifo decode` prints "  segment 0100020000: 24 words". */
static bool pfifo_recognise(struct listing_text text) {
    struct listing_line line;
    uint64_t address;

    while (listing_next_line(&text, &line)) {
        const char *at = line.text;
        if (listing_skip(&at, line.end, "  segment ") && listing_hex(&at, line.end, &address) &&
            listing_skip(&at, line.end, ": ") && line.end - at > 5)
            return true;
    }
    return false;
}

static enum pfifo_status pfifo_read(struct listing_text text, struct pfifo_words *words, struct pfifo_error *error) {
    (void)text;
    return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED,
                           "%.80s: this is the text of pfifo decode: pfifo asm makes words of it", words->name);
}

const struct listing_format listing_format_pfifo = {"pfifo", pfifo_recognise, pfifo_read, NULL};
