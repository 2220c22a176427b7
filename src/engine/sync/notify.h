/* SPDX-License-Identifier: MIT */
/*
 * Notifiers: a record of 16 bytes that says when something was done: u64 time, u32 0, u16 0, u16 status. Status 0:
 * done; 0x4000 protection fault, 0x2000 bad argument, 0x1000 invalid state, 0x0800 state in use (before GF100).
 *
 * NOTIFY asks for one after the next method. NV1: number 0; NV3: 0 .. 15, of which 0 and 1 are at the same address; NV4
 * and later: 0, and 1 to be woken, too.
 * UNKNOWN: which of NV3's wake. The prose of envytools says that only 1 does, NVIDIA's header that all but 0 do, and
 * hwtest has seen the interrupt for all but 0 where the method was refused; chosen: all but 0.
 */
#ifndef PFIFO_SRC_ENGINE_SYNC_NOTIFY_H
#define PFIFO_SRC_ENGINE_SYNC_NOTIFY_H

#include "engine/sync/report.h"
#include "methods/nv1_2d.h"

#define NOTIFY_DMA NV4_BLIT_DMA_NOTIFY /* method: DMA object of notifiers, before GF100 */

/* Write a record; `awaken`: interrupt then. */
void notify_write(const struct call *call, struct dma_address target, bool awaken);
/* The same when M2MF is done, with its own interrupt; a launch that failed says so in the status. */
void notify_write_buffer(const struct call *call, struct dma_address target, bool awaken);

/* Before GF100: a NOTIFY waits for the next method. */
extern const struct engine_notifiers notify_after_method;

/* Of methods that a class of NV1 or NV3 does not have: refused, and a NOTIFY goes on waiting. */
extern const struct action notify_no_method_nv1;
/* The same for a method that its class has under another condition only. */
enum action_result notify_refuse_nv1(struct call *call);

#endif
