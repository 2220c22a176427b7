/* SPDX-License-Identifier: MIT */
/*
 * The built-in engines, which execute the methods that the puller sends.
 *
 *   puller --bind--> channel, class --> register file (one word per method of the class's window)
 *          --run---> [ plain words: copied ] [ method with an action: its row's function ]
 *
 * One engine for all units: a register file per channel and class, and a table of actions per kind of class.
 * 2D before Tesla draws: twod/nv4_context.h (context objects), twod/nv4_draw.h (the pipeline), a file per family.
 *
 * Modelled:     every method stored and readable; whatever completion depends on: fences, queries and reports
 *               (RELEASE with reductions, ACQUIRE, REPORT_ONLY, TRAP), notifiers, semaphores of M2MF, inline-to-memory,
 *               copy and video engines, and the interrupts that go with them. In the order of the stream.
 *               Memory to memory: M2MF of NV3 and later, inline data, copy engines, with all layouts, remaps,
 * conditions and the checks of launches (see transfer.h, copy.h). 3D: clears of render targets, constant buffers,
 * conditional rendering (graph/clear.h, constants.h, render.h). Macros of both instruction sets and the shadow RAM (see
 * macro/macro.h, shadow.h). 2D: all that the object of Tesla and later does (twod/unified.h). Launches of grids,
 * decoded from registers or QMDs, with the semaphores of QMDs, and of Fermi to Pascal executed (compute/launch.h). Video and crypto: what is refused,
 * copies of the ciphers (video/video.h). Counters of queries, with their resets (sync/counters.h); nothing counts yet,
 * and a clear does not. Not modelled: draws before Fermi, programs of other grids, video. Each method that would start such work sends
 * engine.not_executed. Of copies: other GPUs' memory, protected memory, conditional interrupts. Refused:      what
 * classes document as wrong (error.h): the unit says where and why in its registers, interrupts, and takes no other
 * method until its driver has handled it. Methods that a class does not have are refused before G80 (illegal.h). Later
 * they are stored like all others, since no complete lists are known. Classes that a chip does not have are only
 * reported (engine.foreign_class); PGRAPH of GF100 and later refuses those that no chip has (foreign.h). The MMU
 * reports faults on GF100 and later; before, the unit reports them, too.
 * Memory:       8 KiB (before GF100) or 16 KiB per class bound, at most 32 classes per channel and
 *               engine; beyond that the class that was bound longest ago and is on no subchannel is forgotten.
 *               Macros: 9 KiB per channel that uses them, 80 KiB on Turing and later; 16 KiB for a shadow that differs.
 * Sources:      envytools rnndb/graph, rnndb/fifo, rnndb/vdec, docs/hw/graph; NVIDIA open-gpu-doc classes/; Mesa
 *               src/gallium/drivers/nouveau (what drivers wait for); nouveau nvkm/engine.
 */
#ifndef PFIFO_SRC_ENGINE_ENGINES_H
#define PFIFO_SRC_ENGINE_ENGINES_H

#include "fifo/channel.h"

/*
 * Install a built-in engine for each unit of the chip (families.c). Software objects have none: the puller traps them.
 * Errors: PFIFO_ERROR_MEMORY.
 */
enum pfifo_status engine_install(struct fifo *fifo, struct pfifo_error *error);

#endif
