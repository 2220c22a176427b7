/* SPDX-License-Identifier: MIT */
/* What may be typed next: names of commands, registers, chips and events. */
#include "face/tool/chips/chip_classes.h"
#include "face/tool/console/run_units.h"
#include "face/tool/console/machine/inside.h"

#include <stdio.h>
#include <string.h>

static const char *register_word(const struct shell *shell, size_t index) {
    struct pfifo_register reg;

    return shell->registers && pfifo_registers_at(shell->registers, index, &reg) ? reg.name : NULL;
}

static const char *chip_word(size_t index) {
    return index < pfifo_chip_count() ? pfifo_chip_info(pfifo_chip_at(index)).name : NULL;
}

static const char *event_word(size_t index) {
    return index < pfifo_event_count() ? pfifo_event_info(index)->name : NULL;
}

/* Method `*index` of a class; NULL: it has no such, and *index becomes that behind the class. */
static const char *method_of(const struct pfifo_class *class, size_t *index) {
    size_t count = class ? pfifo_method_count(class->id) : 0;
    struct pfifo_method_name method;

    if (*index < count)
        return pfifo_method_at(class->id, *index, &method) ? method.name : "";
    *index -= count;
    return NULL;
}

/* Methods of channels, and of the classes that the chip has. */
static const char *method_word(const struct shell *shell, size_t index) {
    const struct pfifo_chip *chip = shell->registers ? pfifo_registers_chip(shell->registers) : NULL;
    const struct pfifo_class *class;
    const char *word;

    if (!chip)
        return NULL;
    word = method_of(pfifo_class_find(pfifo_chip_info(chip).host_class), &index);
    for (size_t i = 0; !word && (class = chip_class_at(chip, i)); i++)
        word = method_of(class, &index);
    return word;
}

static const char *break_word(const struct shell *shell, size_t index) {
    size_t kinds = 0;

    while (breaks_word(kinds))
        kinds++;
    return index < kinds ? breaks_word(index) : method_word(shell, index - kinds);
}

static const char *unit_word(size_t index) {
    return run_unit_name((enum run_unit)(index < RUN_UNITS ? index : RUN_UNITS));
}

/* Behind break: the kind of breakpoint says what comes. */
static const char *where_word(const struct shell *shell, const char *line, size_t begin, size_t index) {
    char first[16] = "", second[16] = "", before[SHELL_LINE_BYTES];

    snprintf(before, sizeof before, "%.*s", (int)begin, line);
    if (sscanf(before, "%15s %15s", first, second) < 2)
        return break_word(shell, index);
    if (strcmp(second, "event") == 0)
        return event_word(index);
    return strcmp(second, "register") == 0 ? register_word(shell, index) : method_word(shell, index);
}

static const char *verb_word(size_t index) {
    const struct verb *verb = shell_verbs.at(index);

    return verb ? verb->name : NULL;
}

/* The name of the verb that a line begins with, which may be shortened. */
static const char *verb_of(const char *line) {
    const struct verb *verb;
    char first[16] = "";

    sscanf(line, "%15s", first);
    verb = verbs_find(&shell_verbs, first, NULL);
    return verb ? verb->name : first[0] ? "" : NULL;
}

const char *shell_word(void *opaque, const char *line, size_t begin, size_t index) {
    size_t blanks = strspn(line, " \t"), length = strcspn(line + blanks, " \t");
    const char *verb;

    if (blanks + length >= begin) /* it is the first word */
        return verb_word(index);
    verb = verb_of(line);
    if (!verb)
        return NULL;
    if (strcmp(verb, "break") == 0 || strcmp(verb, "tbreak") == 0)
        return begin < SHELL_LINE_BYTES ? where_word(opaque, line, begin, index) : NULL;
    if (strcmp(verb, "chip") == 0)
        return chip_word(index);
    if (strcmp(verb, "trace") == 0 || strcmp(verb, "catch") == 0)
        return event_word(index);
    if (strcmp(verb, "help") == 0)
        return verbs_help_word(&shell_verbs, index);
    if (strcmp(verb, "info") == 0)
        return shell_info_word(index);
    return strcmp(verb, "next") == 0 ? unit_word(index) : register_word(opaque, index);
}
