/* SPDX-License-Identifier: MIT */
#include "face/drm/shim/owned_lock.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Only its address counts: a thread keeps it in a child of fork(), unlike its number. */
static __thread char self __attribute__((tls_model("initial-exec")));

bool owned_lock_mine(const struct owned_lock *lock) {
    return atomic_load(&lock->owner) == (uintptr_t)&self;
}

bool owned_lock_nested(const struct owned_lock *lock) {
    return owned_lock_mine(lock) && lock->again;
}

bool owned_lock_try(struct owned_lock *lock) {
    uintptr_t nobody = 0;
    return atomic_compare_exchange_strong(&lock->owner, &nobody, (uintptr_t)&self);
}

void owned_lock_take(struct owned_lock *lock) {
    if (owned_lock_mine(lock)) {
        lock->again++;
        return;
    }
    while (!owned_lock_try(lock)) {
        unsigned turn = atomic_load(&lock->turn);
        atomic_fetch_add(&lock->waiting, 1);
        if (atomic_load(&lock->owner)) /* a release from here on changes the turn, and then this does not sleep */
            syscall(SYS_futex, &lock->turn, FUTEX_WAIT_PRIVATE, turn, NULL, NULL, 0);
        atomic_fetch_sub(&lock->waiting, 1);
    }
}

bool owned_lock_wanted(const struct owned_lock *lock) {
    return atomic_load(&lock->waiting) != 0;
}

/* One that wants it is about to take it: its release changes the turn. */
void owned_lock_take_last(struct owned_lock *lock) {
    static const struct timespec most = {0, 1000000};
    unsigned turn = atomic_load(&lock->turn);
    if (!owned_lock_mine(lock) && owned_lock_wanted(lock))
        syscall(SYS_futex, &lock->turn, FUTEX_WAIT_PRIVATE, turn, &most, NULL, 0);
    owned_lock_take(lock);
}

void owned_lock_release(struct owned_lock *lock) {
    if (lock->again) {
        lock->again--;
        return;
    }
    atomic_store(&lock->owner, 0);
    atomic_fetch_add(&lock->turn, 1);
    if (atomic_load(&lock->waiting))
        syscall(SYS_futex, &lock->turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void owned_lock_in_child(struct owned_lock *lock) {
    atomic_store(&lock->waiting, 0);
}
