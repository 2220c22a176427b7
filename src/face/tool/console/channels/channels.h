/* SPDX-License-Identifier: MIT */
/* Where each channel stands, from registers and memory alone. A file for each generation. */
#ifndef PFIFO_TOOL_CONSOLE_CHANNELS_CHANNELS_H
#define PFIFO_TOOL_CONSOLE_CHANNELS_CHANNELS_H

#include "face/tool/console/machine/show.h"

#include <pfifo/push.h>

void console_channels_g80(struct console *console);
void console_channels_gf100(struct console *console);
void console_channels_gk104(struct console *console);
void console_channels_ga100(struct console *console);
/* ", pusher off, ...": what stops CACHE1 of NV4 .. MCP89, if anything. */
void console_print_cache1(struct console *console, bool dma);

/* The channel on the PBDMA with that page, as its register CHANNEL says it, of which `id` and `valid` are bits. */
void console_print_pbdma(struct console *console, uint32_t page, uint32_t channel, uint32_t id, uint32_t valid);
/* Where RAMFC of a channel is, by its entry in the table, G80 .. MCP89. */
uint64_t console_channels_g80_ramfc_address(const struct pfifo_chip *chip, uint32_t entry, uint32_t *target);
/* What kind of memory, by two bits. */
const char *console_target_text(uint32_t target);

/* ", pusher error 2 (INVALID_MTHD)" of DMA_STATE, if there is one. NV4 .. MCP89. */
void console_print_pusher_error(struct console *console, uint32_t state);

/* disassemble.c: that of a channel; UINT32_MAX: of the first one on the chip. False: the error says why. */
bool console_push_find(struct console *console, uint32_t channel, struct pfifo_push *push, struct pfifo_error *error);

#endif
