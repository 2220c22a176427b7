/* SPDX-License-Identifier: MIT */
#include "face/tool/chips/boards.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CHIPS_MOST = 16, ID_DIGITS = 4 };

/* ---- does the text mean this board? ---- */

static const char *to_letter(const char *text) {
    while (*text && !isalnum((unsigned char)*text))
        text++;
    return text;
}

static const char *after_word(const char *text, const char *word) {
    size_t bytes = strlen(word);

    text = to_letter(text);
    return strncasecmp(text, word, bytes) == 0 ? text + bytes : text;
}

/* What may be left out in front. */
static const char *without_maker(const char *text) {
    return after_word(after_word(text, "nvidia"), "geforce");
}

enum fit { FIT_NOT, FIT_BEGINNING, FIT_WHOLE };

/* Only letters and digits count. A beginning ends where a word of the name does. */
static enum fit fits(const char *text, const char *name) {
    text = to_letter(without_maker(text));
    name = to_letter(without_maker(name));
    if (!*text)
        return FIT_NOT;
    for (;;) {
        if (!*to_letter(text))
            return !*to_letter(name) ? FIT_WHOLE : isalnum((unsigned char)*name) ? FIT_NOT : FIT_BEGINNING;
        text = to_letter(text);
        name = to_letter(name);
        if (tolower((unsigned char)*text++) != tolower((unsigned char)*name++))
            return FIT_NOT;
    }
}

/* "10de:1c03", "12d2:0018" (NVIDIA's with SGS-Thomson), "0x1c03", "1c03". False: it is no PCI id. */
static bool parse_id(const char *text, uint16_t *id) {
    static const char *const before[] = {"0x10de:", "10de:", "0x12d2:", "12d2:"};

    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
        if (strncasecmp(text, before[i], strlen(before[i])) == 0) {
            text += strlen(before[i]);
            break;
        }
    text += strncasecmp(text, "0x", 2) == 0 ? 2 : 0;
    if (strspn(text, "0123456789abcdefABCDEF") != ID_DIGITS || text[ID_DIGITS])
        return false;
    *id = (uint16_t)strtoul(text, NULL, 16);
    return *id != 0;
}

/* ---- which chips ---- */

struct found {
    const char *chip[CHIPS_MOST]; /* each once */
    size_t count;
};

static void note_chip(struct found *found, const char *chip) {
    for (size_t i = 0; i < found->count; i++)
        if (strcmp(found->chip[i], chip) == 0)
            return;
    if (found->count < CHIPS_MOST)
        found->chip[found->count++] = chip;
}

/* Those that are called so, and if there are none, those whose name begins so. */
static struct found by_name(const char *text) {
    struct found whole = {.count = 0}, few = {.count = 0}, beginning = {.count = 0};

    for (const struct board *board = boards; board->chip; board++) {
        enum fit fit = fits(text, board->name);
        if (fit == FIT_WHOLE)
            note_chip(board->few ? &few : &whole, board->chip);
        else if (fit == FIT_BEGINNING && !board->few)
            note_chip(&beginning, board->chip);
    }
    return whole.count ? whole : few.count ? few : beginning;
}

static struct found by_id(uint16_t id) {
    struct found found = {.count = 0};

    for (const struct board *board = boards; board->chip; board++)
        if (board->id == id)
            note_chip(&found, board->chip);
    return found;
}

/* A chip that only the boards name. */
static const char *known_by_name_only(const char *text) {
    for (const struct board *board = boards; board->chip; board++)
        if (strcasecmp(board->chip, text) == 0)
            return board->chip;
    return NULL;
}

/* ---- what to say ---- */

static void say_several(const char *text, const struct found *found, char *why, size_t size) {
    size_t used = (size_t)snprintf(why, size, "'%.60s' is one of several chips, say which:", text);

    for (size_t i = 0; i < found->count && used < size; i++)
        used += (size_t)snprintf(why + used, size - used, "%s %s", i ? "," : "", found->chip[i]);
}

static void say_name_only(const char *text, const char *chip, char *why, size_t size) {
    const struct board *board = boards;

    while (strcmp(board->chip, chip) != 0)
        board++;
    snprintf(why, size, "'%.60s' is %s (%s), which is known by name only: it has no model and no list of classes here",
             text, chip, board->name);
}

const struct pfifo_chip *boards_chip(const char *text, char *why, size_t size) {
    const struct pfifo_chip *chip = pfifo_chip_by_name(text);
    struct found found = {.count = 0};
    const char *only;
    uint16_t id;

    if (chip)
        return chip;
    if (parse_id(text, &id))
        found = by_id(id);
    if (!found.count)
        found = by_name(text);
    if (found.count == 1)
        chip = pfifo_chip_by_name(found.chip[0]);
    only = found.count == 1 ? found.chip[0] : known_by_name_only(text);
    if (found.count > 1)
        say_several(text, &found, why, size);
    else if (!chip && only)
        say_name_only(text, only, why, size);
    else if (!chip)
        snprintf(why, size, "there is no chip '%.60s'; pfifo chips lists them", text);
    return chip;
}

const struct pfifo_chip *boards_chip_of_capability(const char *text) {
    if (strncasecmp(text, "sm_", 3) != 0)
        return NULL;
    for (const struct board *board = boards; board->chip; board++) {
        const struct pfifo_chip *chip = strcasecmp(board->name, text) == 0 ? pfifo_chip_by_name(board->chip) : NULL;
        if (chip)
            return chip;
    }
    return NULL;
}
