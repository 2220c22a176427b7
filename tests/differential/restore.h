/* SPDX-License-Identifier: MIT */
/*
 * A machine is taken to pieces and put together again from what was saved of it. The benches that compare the machine
 * with a reference do that between two steps if they are asked to; nothing they see may change.
 */
#ifndef PFIFO_TESTS_RESTORE_H
#define PFIFO_TESTS_RESTORE_H

#include "bus/bus.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "memory/memory.h"

extern bool restore_asked;

/* Nothing, unless asked. False: it cannot be saved, loaded, or is not the same afterwards; says so. */
bool restore_machine(struct memory *memory, struct bus *bus, struct fifo **fifo, struct event_hub *events);

#endif
