/* SPDX-License-Identifier: MIT */
/* What may be typed next: names of commands, registers, chips and events. */
#include "face/tool/shell_inside.h"

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

const char *shell_word(void *opaque, const char *line, size_t begin, size_t index) {
    size_t blanks = strspn(line, " \t"), length = strcspn(line + blanks, " \t");
    const char *command = line + blanks;

    if (blanks + length >= begin) /* it is the first word */
        return shell_command_name(index);
    if (length == 4 && strncmp(command, "chip", length) == 0)
        return chip_word(index);
    if (length == 5 && strncmp(command, "trace", length) == 0)
        return event_word(index);
    if (length == 4 && strncmp(command, "help", length) == 0)
        return shell_command_name(index);
    return register_word(opaque, index);
}
