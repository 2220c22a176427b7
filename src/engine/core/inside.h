/* SPDX-License-Identifier: MIT */
/*
 * Between BEGIN and END of a primitive, 3D objects of Kelvin, Rankine and Curie do not take all of their methods
 * (classes/method_list.h):
 *
 *   refused   INVALID_OPERATION of NSOURCE (bit 18); the value is not kept
 *   ignored   nothing happens, and nothing says so but an observer's engine.ignored
 *
 * While an object is inside, it uses another index: that of its class with rows for these methods. So they cost
 * nothing outside.
 *
 * Not modelled: the warning that hardware keeps of an ignored method, for a notifier that asks for it (WARNING, 0x108).
 * Sources: envytools hwtest/pgraph_class_kelvin.cc; nxdk lib/pbkit/outer.h (the name of bit 18).
 */
#ifndef PFIFO_SRC_ENGINE_CORE_INSIDE_H
#define PFIFO_SRC_ENGINE_CORE_INSIDE_H

#include "classes/method_list.h"
#include "engine/core/action.h"

/* Give an index that is complete one for the inside, if its class needs one. False: no memory. */
bool inside_add(struct action_index *index, const struct method_list *list);

/* The object goes in or out; being there already changes nothing. */
void inside_enter(struct object *object);
void inside_leave(struct object *object);

#endif
