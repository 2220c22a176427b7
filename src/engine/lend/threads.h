/* SPDX-License-Identifier: MIT */
/* Threads that the owner lends (pfifo_config.side_by_side), and the lock of what they share. */
#ifndef PFIFO_SRC_ENGINE_LEND_THREADS_H
#define PFIFO_SRC_ENGINE_LEND_THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define THREADS_MOST 16u /* calls that are made side by side */

struct threads {
    void (*side_by_side)(void *opaque, uint32_t count, void (*call)(void *argument, uint32_t number), void *argument);
    void *opaque;
    pthread_mutex_t lock; /* of struct memory, of which no other function is called meanwhile */
    bool busy;            /* calls are under way */
    bool alone;           /* they are made one after the other, on the caller's thread: somebody watches */
};

static inline void threads_lock(struct threads *threads) {
    if (threads && threads->busy)
        pthread_mutex_lock(&threads->lock);
}

static inline void threads_unlock(struct threads *threads) {
    if (threads && threads->busy)
        pthread_mutex_unlock(&threads->lock);
}

static inline void threads_run(struct threads *threads, uint32_t count, void (*call)(void *argument, uint32_t number),
                               void *argument) {
    for (uint32_t number = 0; threads->alone && number < count; number++)
        call(argument, number);
    if (threads->alone)
        return;
    threads->busy = true;
    threads->side_by_side(threads->opaque, count, call, argument);
    threads->busy = false;
}

#endif
