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

/*
 * Mesa prints "[0x00000000] HDR 20010000 subch 0 NINC" and then methods by their fields: with NVK_DEBUG=push, with
 * NOUVEAU_LIBDRM_DEBUG=1 of its own libdrm, and nv_push_dump. Headers are there; of the data, bits that are in no field
 * are lost, and values have names. Sources: Mesa src/nouveau/headers/nv_push.c, class_parser.py
 */
static bool nvk_recognise(struct listing_text text) {
    struct listing_line line;
    uint64_t number;

    while (listing_next_line(&text, &line)) {
        const char *at = line.text;
        if (listing_skip(&at, line.end, "[0x") && listing_hex(&at, line.end, &number) &&
            listing_skip(&at, line.end, "] HDR ") && listing_hex(&at, line.end, &number) &&
            listing_skip(&at, line.end, " subch "))
            return true;
    }
    return false;
}

static enum pfifo_status nvk_read(struct listing_text text, struct pfifo_words *words, struct pfifo_error *error) {
    (void)text;
    return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED,
                           "%.80s: this is Mesa's listing of fields (NVK_DEBUG=push), which does not have the words",
                           words->name);
}

const struct listing_format listing_format_nvk = {"nvk", nvk_recognise, nvk_read};
const struct listing_format listing_format_pfifo = {"pfifo", pfifo_recognise, pfifo_read};
