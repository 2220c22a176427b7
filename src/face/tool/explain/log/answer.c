/* SPDX-License-Identifier: MIT */
/* The reading of a line, or of a line that repeats. */
#include "face/tool/explain/log/log.h"
#include "face/common/naming.h"

#include <inttypes.h>
#include <string.h>

enum { GF100_HOST = 0x906f }; /* from there on, a class is bound by its number */

static void print_times(struct explain *explain, const struct log_times *times) {
    if (times->times <= 1)
        return;
    explain_text(explain, "times", "%zu, lines %zu to %zu: the first is shown", times->times, times->first,
                 times->last);
}

void log_print_method(struct explain *explain, uint32_t class_id, uint32_t method, const uint64_t *data) {
    const struct pfifo_class *class = pfifo_class_find(class_id);
    char name[PFIFO_METHOD_NAME_BYTES], text[512] = "";
    struct pfifo_method_name found;

    if (!class) {
        explain_text(explain, "method", "0x%04" PRIx32 " of class 0x%04" PRIx32 ": a class that is not known", method,
                     class_id);
        return;
    }
    if (!pfifo_method_find(class_id, method, &found)) {
        explain_text(explain, "method", "class 0x%04" PRIx32 " %s has no method 0x%04" PRIx32, class_id, class->name,
                     method);
        return;
    }
    naming_method(&found, name, sizeof name);
    explain_text(explain, "method", "%s.%s (0x%04" PRIx32 ")", class->name, name, method);
    if (!data)
        return;
    if (*data <= UINT32_MAX)
        pfifo_method_describe(class_id, method, (uint32_t)*data, text, sizeof text);
    explain_text(explain, "data", "0x%08" PRIx64 "%s%s", *data, text[0] ? ": " : "", text);
}

static bool has_method(const struct log_match *match) {
    const struct log_numbers *numbers = &match->numbers;

    return match->form && numbers->has[LOG_CLASS] && numbers->has[LOG_METHOD] &&
           numbers->number[LOG_CLASS] <= UINT32_MAX && numbers->number[LOG_METHOD] <= UINT32_MAX;
}

/* The chip of the log, else the first one that has the class. */
static const struct pfifo_chip *chip_for(const struct log_match *match) {
    const struct pfifo_class *class = pfifo_class_find((uint32_t)match->numbers.number[LOG_CLASS]);

    if (match->chip)
        return match->chip;
    for (size_t i = 0; class && i < pfifo_chip_count(); i++)
        if (explain_chip_has_class(pfifo_chip_at(i), class))
            return pfifo_chip_at(i);
    return NULL;
}

/* What to run next: the method on the model, if there is one of that chip. */
static void print_next(struct explain *explain, const struct log_match *match) {
    const struct log_numbers *numbers = &match->numbers;
    const struct pfifo_chip *chip = chip_for(match);
    struct pfifo_chip_info info;

    if (!has_method(match) || !chip)
        return;
    info = pfifo_chip_info(chip);
    explain_text(explain, "next", "pfifo explain --chip=%s %04" PRIx64 ".0x%04" PRIx64, info.name,
                 numbers->number[LOG_CLASS], numbers->number[LOG_METHOD]);
    if (info.runs && info.host_class >= GF100_HOST && numbers->has[LOG_DATA])
        explain_text(explain, "",
                     "printf 'inc 0 SET_OBJECT 0x%" PRIx64 "\\ninc 0 0x%" PRIx64 " 0x%" PRIx64
                     "\\n' | pfifo asm --chip=%s - | pfifo run --raw --chip=%s -",
                     numbers->number[LOG_CLASS], numbers->number[LOG_METHOD], numbers->number[LOG_DATA], info.name,
                     info.name);
}

static void print_numbers(struct explain *explain, const struct log_match *match) {
    const struct log_numbers *numbers = &match->numbers;
    const struct log_form *form = match->form;

    if (numbers->has[LOG_VALUE] && form->set_unit)
        log_print_value(explain, match, "value", numbers->number[LOG_VALUE], form->set_unit, form->set_of,
                        numbers->name[LOG_VALUE]);
    if (form->more)
        form->more(explain, match);
    if (has_method(match))
        log_print_method(explain, (uint32_t)numbers->number[LOG_CLASS], (uint32_t)numbers->number[LOG_METHOD],
                         log_number(match, LOG_DATA));
}

void log_answer(struct explain *explain, const struct log_match *match, const struct log_times *times) {
    const struct explain_thing thing = {.text = match->line->text};

    explain->thing = &thing;
    explain_begin(explain, "line", "%s", match->line->text);
    print_times(explain, times);
    if (match->chip)
        explain_text(explain, "chip", "%s", pfifo_chip_info(match->chip).name);
    if (match->form->means)
        explain_text(explain, "means", "%s", match->form->means);
    print_numbers(explain, match);
    if (match->form->cause)
        explain_text(explain, "cause", "%s", match->form->cause);
    print_next(explain, match);
    explain_end(explain);
    explain->thing = NULL;
}
