/* SPDX-License-Identifier: MIT */
/* Chips in the order of introduction, and ranges of them. */
#include "chip/chip.h"

#include <assert.h>
#include <string.h>

/* SIZE_MAX for a copy of a row. */
static size_t place_of_row(const struct pfifo_chip *chip) {
    const struct pfifo_chip *row;

    for (size_t i = 0; (row = pfifo_chip_at(i)); i++)
        if (row == chip)
            return i;
    return SIZE_MAX;
}

size_t chip_place(const char *name, size_t otherwise) {
    const struct pfifo_chip *chip = pfifo_chip_by_name(name);
    return chip ? place_of_row(chip) : otherwise;
}

/* Is its name the first `length` letters of `text`? Most names differ in the first few: no call is made for them. */
static bool is_called(const struct pfifo_chip *chip, const char *text, size_t length) {
    size_t same = 0;

    while (same < length && chip->name[same] == text[same])
        same++;
    return same == length && !chip->name[same];
}

/* Position of the chip whose name is the first `length` letters of `text`. */
static size_t order_place_of(const char *text, size_t length) {
    const struct pfifo_chip *chip;

    for (size_t i = 0; (chip = pfifo_chip_at(i)); i++)
        if (is_called(chip, text, length))
            return i;
    assert(!"the table of chips has this name");
    return SIZE_MAX;
}

bool chip_in_range(const struct pfifo_chip *chip, const char *ranges) {
    size_t place = place_of_row(chip);
    if (place == SIZE_MAX)
        place = chip_place(chip->name, SIZE_MAX);
    for (const char *at = ranges; *at;) {
        size_t length = strcspn(at, ":- ");
        size_t first = order_place_of(at, length), end = first + 1;
        at += length;
        if (*at == ':') {
            length = strcspn(++at, " ");
            end = order_place_of(at, length);
            at += length;
        } else if (*at == '-') {
            end = SIZE_MAX;
            at++;
        }
        if (place >= first && place < end)
            return true;
        at += *at == ' ';
    }
    return false;
}
