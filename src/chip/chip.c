/* SPDX-License-Identifier: MIT */
/*
 * Look chips up, and describe them.
 */
#include "chip/chip.h"
#include "chip/family.h"
#include "chip/rows.h"

/* In the order of introduction. */
static const struct chip_rows *const tables[] = {
    &chip_rows_nv1_to_nv3x,    &chip_rows_nv40_to_rsx,    &chip_rows_g80_to_mcp89,
    &chip_rows_gf100_to_gp10b, &chip_rows_gv100_to_gh100,
};

#define TABLE_COUNT (sizeof(tables) / sizeof(tables[0]))

/* Second names: dies sold under two names with the same chipset number. */
static const struct {
    const char *alias;
    uint16_t id;
} aliases[] = {{"MCP78", 0xaa}, {"MCP7A", 0xac}, {"G200", 0xa0}};

/* Not tolower(): that depends on the locale. */
static char chip_lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool same_name(const char *a, const char *b) {
    while (*a && chip_lower(*a) == chip_lower(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* Value of a hexadecimal digit, -1 for anything else. */
static int chip_hex_digit(char c) {
    c = chip_lower(c);
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The number in "0xa3", "a3" or "nva3"; 0 if there is none, which is no chip's number. */
static uint32_t chip_parse_number(const char *text) {
    uint32_t number = 0;

    if ((text[0] == '0' && chip_lower(text[1]) == 'x') || (chip_lower(text[0]) == 'n' && chip_lower(text[1]) == 'v'))
        text += 2;
    for (; *text; text++) {
        int digit = chip_hex_digit(*text);

        if (digit < 0 || number > 0xfff)
            return 0;
        number = number << 4 | (uint32_t)digit;
    }
    return number;
}

size_t pfifo_chip_count(void) {
    size_t count = 0;

    for (size_t t = 0; t < TABLE_COUNT; t++)
        count += tables[t]->count;
    return count;
}

const struct pfifo_chip *pfifo_chip_at(size_t index) {
    for (size_t t = 0; t < TABLE_COUNT; t++) {
        if (index < tables[t]->count)
            return &tables[t]->rows[index];
        index -= tables[t]->count;
    }
    return NULL;
}

/* The first row wins: number 3 is NV3, NV3T is found by its name only. */
const struct pfifo_chip *pfifo_chip_by_id(uint32_t id) {
    const struct pfifo_chip *chip;

    for (size_t i = 0; (chip = pfifo_chip_at(i)); i++) {
        if (chip->id == id)
            return chip;
    }
    return NULL;
}

const struct pfifo_chip *pfifo_chip_by_name(const char *name) {
    const struct pfifo_chip *chip;

    if (!name)
        return NULL;
    for (size_t i = 0; (chip = pfifo_chip_at(i)); i++) {
        if (same_name(chip->name, name))
            return chip;
    }
    for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
        if (same_name(aliases[i].alias, name))
            return pfifo_chip_by_id(aliases[i].id);
    }
    return pfifo_chip_by_id(chip_parse_number(name));
}

struct pfifo_chip_info pfifo_chip_info(const struct pfifo_chip *chip) {
    if (!chip)
        return (struct pfifo_chip_info){0};
    return (struct pfifo_chip_info){
        .name = chip->name,
        .generation = chip->generation,
        .id = chip->id,
        .boot0 = chip->boot0,
        .channels = chip->channels,
        .cache_entries = chip->cache1_entries,
        .pbdmas = chip->pbdmas,
        .host_class = chip->host_class,
        .vram_bytes = chip->vram_bytes,
        .runs = chip->family->fifo != NULL,
        .draws = chip->family->draws,
        .bar1_bytes = chip_bar1_bytes(chip, chip->vram_bytes),
    };
}

struct chip_walk chip_walk(const struct pfifo_chip *chip, const void *rows, size_t count, size_t bytes) {
    return (struct chip_walk){.chip = chip, .next = rows, .left = count, .bytes = bytes};
}

/*
 * Compared by address: compilers usually keep one copy of equal texts. Otherwise the text is parsed twice, which does
 * no harm.
 */
static bool chip_walk_has(struct chip_walk *walk, const char *ranges) {
    for (unsigned i = 0; i < walk->known && i < CHIP_WALK_KNOWN; i++)
        if (walk->ranges[i] == ranges)
            return walk->has[i];
    unsigned slot = walk->known++ % CHIP_WALK_KNOWN;
    walk->ranges[slot] = ranges;
    walk->has[slot] = chip_in_range(walk->chip, ranges);
    return walk->has[slot];
}

const void *chip_walk_next(struct chip_walk *walk) {
    while (walk->left > 0) {
        const void *row = walk->next;
        walk->next += walk->bytes;
        walk->left--;
        if (chip_walk_has(walk, *(const char *const *)row))
            return row;
    }
    return NULL;
}

const void *chip_row(const struct pfifo_chip *chip, const void *rows, size_t count, size_t bytes) {
    struct chip_walk walk = chip_walk(chip, rows, count, bytes);
    return chip_walk_next(&walk);
}

uint64_t chip_bar1_bytes(const struct pfifo_chip *chip, uint64_t vram_bytes) {
    uint64_t bytes = 1;
    if (chip->bar1_bytes || chip->has_vram_in_bar0 || !vram_bytes)
        return chip->bar1_bytes;
    while (bytes < vram_bytes)
        bytes *= 2;
    return chip->bar1_most && bytes > chip->bar1_most ? chip->bar1_most : bytes;
}
