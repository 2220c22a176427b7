/* SPDX-License-Identifier: MIT */
/*
 * Lines of emulators' logs: methods that one of them does not know, and words that its pusher stopped at.
 *
 *   nv2a_pgraph_method_unhandled (0): 0x97 -> 0x0294 (0x20001)        xemu
 *   assertion - "pb reserved cmd 0x3edfb38 - 0xff000000"
 *   RSX: Invalid RSX method 0x2c8 (arg=0x4ff0000)                     RPCS3
 *   RSX: FIFO: CALL found inside a subroutine (last cmd = 0x2)
 *
 * Sources: xemu hw/xbox/nv2a/trace-events, pfifo.c; RPCS3 Emu/RSX/RSXFIFO.cpp, rsx_methods.cpp.
 */
#include "face/tool/explain/line.h"

#include <string.h>

/* What stands before the numbers of a line; NULL: the line has no such number. */
static const struct line_form {
    const char *text;
    uint32_t class_id; /* 0: the line has it */
    const char *class_after, *method_after, *data_after;
    const char *error; /* that the hardware has for it */
    const char *chip, *word_after;
} forms[] = {
    {.text = "nv2a_pgraph_method", .class_after = ": ", .method_after = " -> ", .data_after = " "},
    {.text = "pb reserved cmd", .error = "INVALID_CMD", .chip = "NV2A", .word_after = " - "},
    {.text = "RSX method 0x", .class_id = 0x4097, .method_after = "RSX method ", .data_after = "(arg="},
    {.text = "CALL found inside a subroutine", .error = "CALL_SUBR_ACTIVE", .chip = "RSX", .word_after = "last cmd = "},
    {.text = "RET found without corresponding CALL",
     .error = "RET_SUBR_INACTIVE",
     .chip = "RSX",
     .word_after = "last cmd = "},
    {.text = "possible desync event", .error = "INVALID_CMD", .chip = "RSX", .word_after = "last cmd = "},
};

/* The number behind `before`, the first time that it comes after `*at`, which then is behind it. */
static bool number_after(const char **at, const char *before, uint32_t *number) {
    const char *found = before ? strstr(*at, before) : NULL;

    if (!found)
        return false;
    found += strlen(before);
    found += *found == '(';
    *at = found;
    return line_read_number(found, number);
}

/* "NV097_SET_LIGHT_CONTROL[0]" or "?[0]" may stand between method and data. */
static const char *skip_name(const char *at) {
    const char *bracket = strchr(at, ']');

    return bracket ? bracket + 1 : at;
}

bool line_of_emulator(struct line *line, const char *text) {
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const struct line_form *form = &forms[i];
        const char *at = strstr(text, form->text);
        if (!at)
            continue;
        line->class_id = form->class_id;
        line->has_class = form->class_id || number_after(&at, form->class_after, &line->class_id);
        line->has_method = number_after(&at, form->method_after, &line->method);
        at = skip_name(at);
        line->has_data = number_after(&at, form->data_after, &line->data);
        if (number_after(&at, form->word_after, &line->word))
            line->chip = form->chip;
        if (form->error)
            snprintf(line->error[line->errors++], sizeof line->error[0], "%s", form->error);
        return true;
    }
    return false;
}
