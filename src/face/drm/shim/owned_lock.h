/* SPDX-License-Identifier: MIT */
/*
 * A lock of which its thread knows at every instruction whether it has it.
 *
 * A handler of a signal may come anywhere, also between the moment when a mutex is taken and the one when its owner has
 * noted it, and may fork or end the program: both need the lock, and would wait for the thread that they have
 * interrupted. Here the lock is taken by storing who has it, in one step.
 *
 * The thread that has it may take it again; each take needs its release. A child of fork() has it as the forking thread
 * had it.
 */
#ifndef PFIFO_SRC_FACE_DRM_OWNED_LOCK_H
#define PFIFO_SRC_FACE_DRM_OWNED_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* All 0: free. */
struct owned_lock {
    _Atomic uintptr_t owner;   /* an address that only one thread has; 0: nobody */
    unsigned again;            /* takes after the first; of the owner */
    atomic_uint turn, waiting; /* changes with each release; threads that want it */
};

void owned_lock_take(struct owned_lock *lock);
/* False: this thread or another one holds it. */
bool owned_lock_try(struct owned_lock *lock);
/* Does another thread wait for it? */
bool owned_lock_wanted(const struct owned_lock *lock);
/* Let one that wants it have it first: for a thread that has it nearly all the time. */
void owned_lock_take_last(struct owned_lock *lock);
void owned_lock_release(struct owned_lock *lock);
/* In a child of fork(), whose thread has it: those that waited are not there. */
void owned_lock_in_child(struct owned_lock *lock);

/* Does this thread have it? */
bool owned_lock_mine(const struct owned_lock *lock);
/* Does this thread have it more than once: the last take was in a handler that interrupted what had it? */
bool owned_lock_nested(const struct owned_lock *lock);

#endif
