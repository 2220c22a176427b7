/* SPDX-License-Identifier: MIT */
/*
 * What engines refuse. A method that is refused has no effect but this: the unit keeps where it was (TRAPPED_ADDR,
 * TRAPPED_DATA) and why (unit/error.h), interrupts the host, and takes no other method until the driver has looked: see
 * unit/unit.h. A notifier that is due after such a method, before GF100, gets an error status.
 *
 * Sources: envytools rnndb/g80_defs.xml, rnndb/graph/nv4_pgraph.xml, nv10_pgraph.xml, hwtest/pgraph_mthd_misc.cc;
 * nouveau nvkm/engine/gr/nv50.c, gf100.c, nv04.c, nvkm/engine/ce/gk104.c, gt215.c; NVIDIA cl0039.h (status of
 * notifiers).
 */
#ifndef PFIFO_SRC_ENGINE_CORE_ERROR_H
#define PFIFO_SRC_ENGINE_CORE_ERROR_H

#include "engine/core/action.h"
#include "unit/error.h"

/* Refuse the method. Always ACTION_DONE, for `return call_error(...)`. */
enum action_result call_error(const struct call *call, enum engine_error error);

/*
 * State that the method needs is not there: `state` is the method that would have set it, `why` constant text. For
 * observers alone, since no register says it; the error itself follows.
 */
void call_missing(const struct call *call, uint16_t state, const char *why);
/* Say so, and refuse the method with INVALID_STATE. */
enum action_result call_invalid_state(const struct call *call, uint16_t state, const char *why);

/* Method 0 binds an object whose class PGRAPH does not have. */
void engine_class_error(struct engine *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                        struct object *object);

/* The same for a macro, and where it was: registers 0x404400 .. 0x40442c, 0x404494, 0x40449c. */
enum action_result call_macro_error(const struct call *call, enum engine_error error,
                                    const struct unit_macro_state *where);

/* GF100 and later: a program that the method runs ended with an error. */
void call_shader_error(const struct call *call, const struct unit_shader_error *shader);

/* An access of this method that faulted, for units before GF100. */
struct unit_trap call_trap_of_fault(const struct call *call, enum unit_use use, const struct fault *fault);

#endif
