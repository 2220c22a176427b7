/* SPDX-License-Identifier: MIT */
/*
 * Notifiers: a record of 16 bytes that says when something was done: u64 time, u32 0, u16 0, u16 status. Status 0:
 * done; 0x4000 protection fault, 0x2000 bad argument, 0x1000 invalid state, 0x0800 state in use (before GF100).
 */
#ifndef PFIFO_SRC_ENGINE_NOTIFY_H
#define PFIFO_SRC_ENGINE_NOTIFY_H

#include "engine/report.h"

#define NOTIFY_DMA 0x180u /* method: DMA object of notifiers, before GF100 */

/* Write a record; `awaken`: interrupt then. */
void notify_write(const struct call *call, struct place place, bool awaken);
/* The same when M2MF is done, with its own interrupt; a launch that failed says so in the status. */
void notify_write_buffer(const struct call *call, struct place place, bool awaken);

/* The method that a NOTIFY waited for is done. */
void notify_fire(const struct call *call);

/* True for methods that a pending NOTIFY does not fire after. */
bool notify_ignores(uint32_t method);

#endif
