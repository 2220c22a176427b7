/* SPDX-License-Identifier: MIT */
/* The reading of a line, or of a line that repeats. */
#include "face/tool/explain/log/log.h"
#include "face/common/naming.h"

#include <inttypes.h>
#include <string.h>

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

/* A number of which the sources have no names for its bits. */
static void print_plain(struct explain *explain, const struct log_match *match) {
    const char *called = match->numbers.name[LOG_VALUE];

    explain_text(explain, "value", "0x%" PRIx64 ": a number without a name%s%s", match->numbers.number[LOG_VALUE],
                 called[0] ? "; the line calls it " : "", called);
}

static void print_numbers(struct explain *explain, const struct log_match *match) {
    const struct log_numbers *numbers = &match->numbers;
    const struct log_form *form = match->form;

    if (numbers->has[LOG_VALUE] && form->set_unit)
        log_print_value(explain, match, "value", numbers->number[LOG_VALUE], form->set_unit, form->set_of,
                        numbers->name[LOG_VALUE]);
    else if (numbers->has[LOG_VALUE] && !form->more)
        print_plain(explain, match);
    if (form->more)
        form->more(explain, match);
    if (log_has_method(match))
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
    log_print_next(explain, match);
    explain_end(explain);
    explain->thing = NULL;
}
