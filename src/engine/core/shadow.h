/* SPDX-License-Identifier: MIT */
/*
 * Shadow RAM: what macros read of an object's methods (GF100 and later, classes with a macro window). Method 0x124
 * says how methods go to it:
 *
 *   0 track, 1 track with filter   to the shadow and to the hardware
 *   2 passthrough                  to the hardware only
 *   3 replay                       the data is ignored: the hardware gets the value in the shadow
 *
 * While both have always been written, the values of the object are also the shadow. A copy is made when mode 2 is set
 * for the first time. After that, and in mode 3, methods take a slower path (object->shadowed).
 *
 * The scratch words at 0x3400 are only in the shadow, and the macro unit's own methods (0x114 .. 0x124, 0x3800) never.
 * UNKNOWN: how scratch words behave in modes 2 and 3; chosen: they are written in all modes.
 * UNKNOWN: what the filter of mode 1 drops; chosen: nothing, it would only save work.
 *
 * Sources: NVIDIA open-gpu-doc classes/3d/clb197.h (SET_MME_SHADOW_RAM_CONTROL).
 */
#ifndef PFIFO_SRC_ENGINE_CORE_SHADOW_H
#define PFIFO_SRC_ENGINE_CORE_SHADOW_H

#include "engine/core/action.h"
#include "methods/gf100_3d.h"

#define SHADOW_CONTROL GF100_3D_SET_MME_SHADOW_RAM_CONTROL

/* SET_MME_SHADOW_RAM_CONTROL. It ends a run (ACTION_EFFECT), since the methods after it may take another path. */
enum action_result shadow_control(struct call *call);

/* What a macro reads. */
static inline uint32_t shadow_read(const struct object *object, uint32_t word) {
    return object->shadow ? object->shadow[word] : object->value[word];
}

/* A method of a shadowed object: the shadow is written, or read; returns what the hardware gets. */
uint32_t shadow_pass(struct object *object, uint32_t word, uint32_t data);

/* Write a scratch word from inside the engine. */
void shadow_set(struct object *object, uint32_t word, uint32_t data);

/* Make the copy. False: no memory. */
bool shadow_split(const struct engine *engine, struct object *object);

/* What follows from mode and copy. */
void shadow_update(struct object *object);

#endif
