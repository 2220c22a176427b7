/* SPDX-License-Identifier: MIT */
/*
 * Conditional rendering: two records in memory, written by queries, decide whether work is done.
 *
 * Source: NVIDIA open-gpu-doc classes/3d (SET_RENDER_ENABLE_A .. C); Mesa src/gallium/drivers/nouveau.
 */
#ifndef PFIFO_SRC_ENGINE_CORE_PREDICATE_H
#define PFIFO_SRC_ENGINE_CORE_PREDICATE_H

#include "engine/core/action.h"

#define PREDICATE_RESET(mode)                                                                                          \
    { (mode), 1 }

/* The methods that say so: address (upper, lower word), mode; 0: the class has no such method. */
struct predicate_methods {
    uint16_t high, low, mode;
    uint16_t override; /* 0: as the mode says, 1: always, 2: never */
    uint16_t object;   /* DMA object of the address, before GF100 */
    uint8_t bits;      /* of the upper word */
};

/*
 * Evaluate the condition now. A kind with conditions has PREDICATE_RESET(mode) among its resets, so that the condition
 * of a new object is true. A fault is reported and raised, and the work is not done.
 */
bool predicate_allows(const struct call *call, const struct predicate_methods *methods);

/*
 * Fermi and later have a second condition, which all classes of a channel share: SET_GLOBAL_RENDER_ENABLE_A .. C, the same
 * methods in each. NVK sends them to the compute class, and expects of 3D that it does not draw; the override of a class
 * is over both [driver].
 */
extern const struct private_state predicate_shared;
extern const struct action predicate_global_actions[];
enum predicate predicate_with_global(const struct call *call, const struct predicate_methods *own);
/* Both are so whatever memory has. */
bool predicate_is_always(const struct call *call, const struct predicate_methods *own);

/* The same, for callers that distinguish a fault from a false condition. */
enum predicate { PREDICATE_FALSE, PREDICATE_TRUE, PREDICATE_FAULT };
enum predicate predicate_evaluate(const struct call *call, const struct predicate_methods *methods);

#endif
