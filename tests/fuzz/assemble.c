/* SPDX-License-Identifier: MIT */
/*
 * The assembler: any text, and the decoder's text of any words.
 *
 *   byte 0     the chip; bit 7: lines in order; bit 6: the rest are words, which must come back from their text
 *   the rest   text, or words
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/decode.h>

#include "fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORDS = 1024, TEXT = 1 << 20 };

struct text {
    char *bytes;
    size_t used;
};

static bool append(void *opaque, const char *bytes, size_t count) {
    struct text *text = opaque;

    if (text->used + count > TEXT)
        return false;
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
    return true;
}

static void in_order(void *opaque, const struct pfifo_assemble_buffer *buffer) {
    size_t *end = opaque;

    require(buffer->first >= *end && buffer->address % 4096 == 0 && buffer->bytes && buffer->bytes % 4096 == 0);
    require(buffer->count <= buffer->bytes / 4);
    *end = buffer->first + buffer->count;
}

/* What fits is the same, however much of it is wanted; it is never more than the text can have. */
static void any_text(const char *text, size_t bytes, const struct pfifo_assemble_options *options) {
    uint32_t *words = calloc(bytes / 2 + 1, sizeof *words), few[4];
    struct pfifo_assemble_options with = *options;
    struct pfifo_error error = {0};
    size_t count, again, end = 0;

    require(words != NULL);
    with.buffer = in_order;
    with.buffer_opaque = &end;
    enum pfifo_status status = pfifo_assemble_text(text, bytes, &with, words, bytes / 2 + 1, &count, &error);
    require(count <= bytes / 2 + 1 || memmem(text, bytes, "macro", 5));
    require(status == PFIFO_OK || (status == PFIFO_ERROR_ARGUMENT && strstr(error.message, "line ")));
    require(end <= count || status != PFIFO_OK);
    end = 0;
    require(pfifo_assemble_text(text, bytes, &with, few, 4, &again, NULL) == status);
    require(again == count && (status != PFIFO_OK || memcmp(few, words, 4 * (count < 4 ? count : 4)) == 0));
    free(words);
}

static void any_words(const uint8_t *data, size_t bytes, const struct pfifo_assemble_options *with) {
    const struct pfifo_decode_options options = {.chip = with->chip, .base = 0x1000, .ib = true};
    struct text text = {.bytes = malloc(TEXT)};
    uint32_t words[WORDS];
    size_t count;

    require(text.bytes != NULL);
    bytes = bytes > sizeof words ? sizeof words : bytes & ~(size_t)3;
    if (pfifo_decode_raw(data, bytes, &options, append, &text, NULL) == PFIFO_OK) {
        require(pfifo_assemble_text(text.bytes, text.used, with, words, WORDS, &count, NULL) == PFIFO_OK);
        require(count == bytes / 4 && memcmp(words, data, bytes) == 0);
    }
    free(text.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const chips[] = {"NV4", "NV40", "G80", "GF100", "GM107", "GV100"};
    struct pfifo_assemble_options options = {.base = 0x1000};

    if (!size)
        return 0;
    options.chip = pfifo_chip_by_name(chips[(data[0] & 0x3f) % (sizeof chips / sizeof chips[0])]);
    options.in_order = data[0] & 0x80;
    if (!(data[0] & 0x40))
        any_text((const char *)data + 1, size - 1, &options);
    else if (!options.in_order)
        any_words(data + 1, size - 1, &options);
    return 0;
}
