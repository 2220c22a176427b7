/* SPDX-License-Identifier: MIT */
/*
 * Structures of any words on any chip. What is told is bounded, and lies within the words.
 *
 *   byte 0   the chip     byte 1   the kind     the rest   words
 */
#include <stdint.h>
#include <string.h>

#include <pfifo/structure.h>

#include "fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_ITEMS = 8192 };

struct told {
    size_t items, words;
    bool begun;
};

static bool look(void *opaque, const struct pfifo_structure_item *item) {
    struct told *told = opaque;

    require(++told->items < MOST_ITEMS && item->text && strlen(item->text) < 256);
    require(told->begun || item->kind == PFIFO_STRUCTURE_FORM);
    told->begun = true;
    if (item->kind == PFIFO_STRUCTURE_FIELD) {
        require(item->name && item->name[0] && item->low <= item->high && item->high - item->low < 64);
        require(item->high < 32 * PFIFO_STRUCTURE_WORDS);
        require(item->high - item->low == 63 || item->value >> (item->high - item->low + 1) == 0);
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint32_t words[PFIFO_STRUCTURE_WORDS] = {0};
    struct told told = {0}, again = {0};
    struct pfifo_error error = {0};
    enum pfifo_status status;
    size_t count, least;

    if (size < 2)
        return 0;
    const struct pfifo_chip *chip = pfifo_chip_at(data[0] % pfifo_chip_count());
    const enum pfifo_structure_kind kind = (enum pfifo_structure_kind)(data[1] % PFIFO_STRUCTURE_KINDS);
    count = (size - 2) / 4 < PFIFO_STRUCTURE_WORDS ? (size - 2) / 4 : PFIFO_STRUCTURE_WORDS;
    if (count)
        memcpy(words, data + 2, 4 * count);
    least = pfifo_structure_words(chip, kind, words, count);
    require(least <= PFIFO_STRUCTURE_WORDS);
    status = pfifo_structure_read(chip, kind, words, count, look, &told, &error);
    require(status == PFIFO_OK ? told.begun : error.message[0] != 0 && !told.items);
    require(status == PFIFO_OK || !least || count < least);
    pfifo_structure_read(chip, kind, words, count, look, &again, NULL);
    require(told.items == again.items);
    return 0;
}
