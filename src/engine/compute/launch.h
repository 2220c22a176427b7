/* SPDX-License-Identifier: MIT */
/*
 * Launches of grids: LAUNCH of Tesla and Fermi, or a parameter of Tesla's (SET_LAUNCH_CONTROL), from registers;
 * SEND_PCAS of GK104 and later, from a QMD in memory.
 *
 * Modelled:     what is launched, as an event; conditions; grids of Fermi to Pascal, to their end (execute.h); grids
 *               that depend on others; semaphores that a QMD releases when its grid is done; what the scheduler (SKED)
 *               refuses (grid.h); QMDs that come inline.
 * Not modelled: programs of Tesla, and of Volta and later: each grid says that it is not executed. Queues: the same.
 *
 * UNKNOWN: whether LAUNCH does anything while parameters launch; chosen: it launches.
 * UNKNOWN: whether a launch that its condition forbids still releases; chosen: it does not, nothing of it happens.
 * UNKNOWN: what becomes of a QMD of another version than the class knows; chosen: it is refused.
 * A QMD that comes inline is written to memory, and launched with its last word: no PCAS follows.
 * UNKNOWN: what words after the size of an inline QMD do (GH100); chosen: nothing.
 *
 * Sources: NVIDIA open-gpu-doc classes/compute; nouveau nvkm/engine/gr/gf100.c (errors of SKED); Mesa
 * src/gallium/drivers/nouveau/nvc0/nve4_compute.c; deko3d source/maxwell/compute_qmd.h;
 * geohot/cuda_ioctl_sniffer gpu_driver.cc (launches inline).
 */
#ifndef PFIFO_SRC_ENGINE_COMPUTE_LAUNCH_H
#define PFIFO_SRC_ENGINE_COMPUTE_LAUNCH_H

#include "engine/core/action.h"

enum action_result launch_g80(struct call *call);
enum action_result launch_g80_parameter(struct call *call); /* PARAMETER: one of them may launch by itself */
enum action_result launch_gf100(struct call *call);
enum action_result launch_gk104(struct call *call); /* SEND_SIGNALING_PCAS_B */
enum action_result launch_ga100(struct call *call); /* SEND_SIGNALING_PCAS2_B */
enum action_result launch_inline_qmd(struct call *call);
enum action_result launch_inline_qmd_gh100(struct call *call); /* of either size */

#endif
