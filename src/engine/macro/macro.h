/* SPDX-License-Identifier: MIT */
/*
 * The macro processor (MME) of GF100 and later: a program that a driver uploads, called by a method, which fetches
 * parameters and sends methods.
 *
 *   0x3800 + 8n --> start[n] --> code RAM --> [ machine ] --> methods to the object that called
 *   0x3804 + 8n --> parameters ----------------^    ^-------- shadow RAM (shadow.h)
 *
 * There is one per channel: code, start addresses and machine are shared by its classes. A macro starts with the first
 * word of a call, and waits in the instruction that fetches a parameter until the next word has come; nothing is
 * buffered. What it sends may stall (an acquire, a long copy): the word that it works on is then offered again, and the
 * machine goes on where it was. Two instruction sets: isa_gf100.c (up to Volta) and isa_tu102.c (Turing and
 * later).
 *
 * UNKNOWN: how the unit orders a method that arrives while a macro still runs; chosen: it comes after the macro, and if
 * the macro waits for a parameter then, that is TOO_FEW and the end of the macro. Binding an object is such a method.
 * UNKNOWN: what an interrupted macro still does; chosen: nothing, what it has sent stays sent.
 * UNKNOWN: whether each left-over parameter is an error of its own; chosen: the first one after a call is, all are
 * dropped.
 * UNKNOWN: what a call does whose number is beyond the start addresses: from 0x3c00 on, up to Volta, whose classes have
 * no such method; chosen: nothing, as such methods do.
 *
 * Sources: envytools docs/hw/graph/fermi/macro.rst, envydis/macro.c; NVIDIA open-gpu-doc classes/3d/clb197.h,
 * clc597.h, MME-MacroMethodExpander; Mesa src/nouveau/mme.
 */
#ifndef PFIFO_SRC_ENGINE_MACRO_MACRO_H
#define PFIFO_SRC_ENGINE_MACRO_MACRO_H

#include "engine/core/action.h"

/* One channel's code and machine (macro_save.c); made when a method needs it first. */
extern const struct private_state macro_shared;

/* For the family's row. */
extern const struct engine_macros macro_processor;

#endif
