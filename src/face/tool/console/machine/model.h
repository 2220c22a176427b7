/* SPDX-License-Identifier: MIT */
/* A model, of a console's own or one that a capture is replayed on. */
#ifndef PFIFO_TOOL_CONSOLE_MACHINE_MODEL_H
#define PFIFO_TOOL_CONSOLE_MACHINE_MODEL_H

#include "face/tool/console/target.h"

/* A fresh one of that chip. */
bool console_renew(struct console *console, const struct pfifo_chip *chip, struct pfifo_error *error);

/* Of a target that is a model. */
uint32_t model_read(struct console *console, const struct console_place *place, unsigned bytes);
bool model_look(struct console *console, enum console_space space, uint64_t address, uint32_t *words, unsigned count);
bool model_wait(struct console *console);
/* The reach of whoever only looks, and whom the model must not notice. */
bool model_only_look(struct console *console, const struct console_place *first, const struct console_place *last,
                     unsigned bytes, enum console_access access, struct pfifo_error *error);

#endif
