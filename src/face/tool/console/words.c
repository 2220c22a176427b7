/* SPDX-License-Identifier: MIT */
/* What may be typed next: names of commands, registers, chips and events. */
#include "face/tool/chips/chip_classes.h"
#include "face/tool/console/run_units.h"
#include "face/tool/console/target.h"

#include <stdio.h>
#include <string.h>

static const char *register_word(const struct console *console, size_t index) {
    struct pfifo_register reg;

    return console->registers && pfifo_registers_at(console->registers, index, &reg) ? reg.name : NULL;
}

static const char *chip_word(size_t index) {
    return index < pfifo_chip_count() ? pfifo_chip_info(pfifo_chip_at(index)).name : NULL;
}

static const char *event_word(size_t index) {
    return index < pfifo_event_count() ? pfifo_event_info(index)->name : NULL;
}

/* Method `*index` of a class; NULL: it has no such, and *index becomes that after the class. */
static const char *words_method_of(const struct pfifo_class *class, size_t *index) {
    size_t count = class ? pfifo_method_count(class->id) : 0;
    struct pfifo_method_name method;

    if (*index < count)
        return pfifo_method_at(class->id, *index, &method) ? method.name : "";
    *index -= count;
    return NULL;
}

/* Methods of channels, and of the classes that the chip has. */
static const char *chip_method_word(const struct console *console, size_t index) {
    const struct pfifo_chip *chip = console->registers ? pfifo_registers_chip(console->registers) : NULL;
    const struct pfifo_class *class;
    const char *word;

    if (!chip)
        return NULL;
    word = words_method_of(pfifo_class_find(pfifo_chip_info(chip).host_class), &index);
    for (size_t i = 0; !word && (class = chip_class_at(chip, i)); i++)
        word = words_method_of(class, &index);
    return word;
}

/* Of a capture those of the classes that have been bound. */
static const char *method_word(const struct console *console, size_t index) {
    uint32_t channel, oclass;
    const char *word = NULL;

    if (console->target->kind != CONSOLE_ON_CAPTURE)
        return chip_method_word(console, index);
    for (size_t i = 0; !word && console->target->breaks->object(console, i, &channel, &oclass); i++)
        word = words_method_of(pfifo_class_find(oclass), &index);
    return word;
}

static const char *break_word(const struct console *console, size_t index) {
    size_t kinds = 0;

    while (breaks_word(kinds))
        kinds++;
    return index < kinds ? breaks_word(index) : method_word(console, index - kinds);
}

static const char *words_unit_word(size_t index) {
    return run_unit_name((enum run_unit)(index < RUN_UNITS ? index : RUN_UNITS));
}

/* After break: the kind of breakpoint says what comes. */
static const char *where_word(const struct console *console, const char *line, size_t begin, size_t index) {
    char first[16] = "", second[16] = "", before[CONSOLE_LINE_BYTES];

    snprintf(before, sizeof before, "%.*s", (int)begin, line);
    if (sscanf(before, "%15s %15s", first, second) < 2)
        return break_word(console, index);
    if (strcmp(second, "event") == 0)
        return event_word(index);
    return strcmp(second, "register") == 0 ? register_word(console, index) : method_word(console, index);
}

static const char *verb_word(const struct console *console, size_t index) {
    const struct verb *verb = verbs_at(console_verbs(console), index);

    return verb ? verb->name : NULL;
}

static bool words_is_one_of(const char *verb, const char *const *names) {
    for (; *names; names++)
        if (strcmp(verb, *names) == 0)
            return true;
    return false;
}

/* What stands after a verb, of all targets. */
static const char *argument_word(const struct console *console, const char *verb, const char *line, size_t begin,
                                 size_t index) {
    static const char *const events[] = {"trace", "catch", NULL}, *const breaks[] = {"break", "tbreak", NULL},
                             *const units[] = {"next", NULL}, *const more_units[] = {"next",         "step",
                                                                                     "back",         "reverse-next",
                                                                                     "reverse-step", NULL};
    bool capture = console->target->kind == CONSOLE_ON_CAPTURE, first;
    char name[16] = "", second[16] = "", before[CONSOLE_LINE_BYTES];

    snprintf(before, sizeof before, "%.*s", (int)begin, line);
    first = sscanf(before, "%15s %15s", name, second) < 2;
    if (words_is_one_of(verb, breaks))
        return where_word(console, line, begin, index);
    if (strcmp(verb, "chip") == 0)
        return chip_word(index);
    if (words_is_one_of(verb, events))
        return first || !capture ? event_word(index) : NULL;
    if (strcmp(verb, "help") == 0)
        return verbs_help_word(console_verbs(console), index);
    if (strcmp(verb, "info") == 0)
        return first || !capture ? console_info_word(console, index) : NULL;
    if (words_is_one_of(verb, capture ? more_units : units))
        return words_unit_word(index);
    if (capture)
        return strcmp(verb, "print") == 0 ? method_word(console, index) : NULL;
    return register_word(console, index);
}

const char *console_word(void *opaque, const char *line, size_t begin, size_t index) {
    size_t blanks = strspn(line, " \t"), length = strcspn(line + blanks, " \t");
    const struct console *console = opaque;
    const struct verb *verb;
    char first[16] = "";

    if (blanks + length >= begin) /* it is the first word */
        return verb_word(console, index);
    if (begin >= CONSOLE_LINE_BYTES)
        return NULL;
    sscanf(line, "%15s", first);
    verb = verbs_find(console_verbs(console), first, NULL);
    return first[0] ? argument_word(console, verb ? verb->name : "", line, begin, index) : NULL;
}
