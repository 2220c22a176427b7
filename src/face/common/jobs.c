/* SPDX-License-Identifier: MIT */
#include "face/common/jobs.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

/* How often a thread gives way before it sleeps: what it waits for mostly comes before it would have woken again. */
#define LOOKS 300

/* Of the process. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    bool watches_fork;
    unsigned wanted, started; /* threads beside the caller's */
    bool busy;
    bool waits;          /* the caller sleeps until `done` */
    unsigned asleep;     /* threads that sleep until there is `work` */
    atomic_uint round;   /* counts what is shared; like `running`, changed with the lock and looked at without */
    atomic_uint running; /* threads that are in a call */
    uint32_t next, count;
    void (*call)(void *argument, uint32_t number);
    void *argument;
} jobs = {.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

static unsigned cores(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

void jobs_set(unsigned count) {
    count = count ? count : cores();
    count = count < 1 ? 1 : count < JOBS_MOST ? count : JOBS_MOST;
    pthread_mutex_lock(&jobs.lock);
    jobs.wanted = count - 1;
    pthread_mutex_unlock(&jobs.lock);
}

unsigned jobs_count(void) {
    pthread_mutex_lock(&jobs.lock);
    unsigned count = jobs.wanted + 1;
    pthread_mutex_unlock(&jobs.lock);
    return count;
}

jobs_side_by_side *jobs_lent(void) {
    pthread_mutex_lock(&jobs.lock);
    bool some = jobs.wanted > 0;
    pthread_mutex_unlock(&jobs.lock);
    return some ? jobs_run : NULL;
}

/* With the lock. */
static void take_calls(void) {
    while (jobs.next < jobs.count) {
        uint32_t number = jobs.next++;
        pthread_mutex_unlock(&jobs.lock);
        jobs.call(jobs.argument, number);
        pthread_mutex_lock(&jobs.lock);
    }
}

/* Until *value is another, or for a while. With the lock, which is open meanwhile. */
static void jobs_look_at(atomic_uint *value) {
    unsigned before = *value;
    pthread_mutex_unlock(&jobs.lock);
    for (unsigned i = 0; i < LOOKS && atomic_load_explicit(value, memory_order_relaxed) == before; i++)
        sched_yield();
    pthread_mutex_lock(&jobs.lock);
}

static void wait_for_work(void) {
    if (jobs.next >= jobs.count)
        jobs_look_at(&jobs.round);
    while (jobs.next >= jobs.count) {
        jobs.asleep++;
        pthread_cond_wait(&jobs.work, &jobs.lock);
        jobs.asleep--;
    }
}

static void *jobs_serve(void *opaque) {
    pthread_mutex_lock(&jobs.lock);
    for (;;) {
        wait_for_work();
        jobs.running++;
        take_calls();
        if (--jobs.running == 0 && jobs.waits)
            pthread_cond_signal(&jobs.done);
    }
    return opaque;
}

static void wait_for_others(void) {
    if (jobs.running)
        jobs_look_at(&jobs.running);
    jobs.waits = true;
    while (jobs.running)
        pthread_cond_wait(&jobs.done, &jobs.lock);
    jobs.waits = false;
}

/* A child has none of the threads, and the lock may be held by one of them. */
static void jobs_forget(void) {
    pthread_mutex_init(&jobs.lock, NULL);
    pthread_cond_init(&jobs.work, NULL);
    pthread_cond_init(&jobs.done, NULL);
    jobs.running = 0;
    jobs.started = jobs.asleep = 0;
    jobs.next = jobs.count = 0;
    jobs.busy = jobs.waits = false;
}

/*
 * The program's signals are for its own threads, and wait while one of these is in here: a handler that forks would
 * leave a child in which the calls of the other threads never end. Not those that tell of a fault of this thread.
 */
static void block_signals(sigset_t *before) {
    static const int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

static void jobs_start(void) {
    pthread_t thread;
    if (!jobs.watches_fork)
        jobs.watches_fork = pthread_atfork(NULL, NULL, jobs_forget) == 0;
    while (jobs.watches_fork && jobs.started < jobs.wanted && pthread_create(&thread, NULL, jobs_serve, NULL) == 0) {
        pthread_detach(thread);
        jobs.started++;
    }
    jobs.wanted = jobs.started;
}

/* With the lock and without signals. */
static void jobs_share(uint32_t count, void (*call)(void *argument, uint32_t number), void *argument) {
    if (jobs.started < jobs.wanted)
        jobs_start();
    jobs.busy = true;
    jobs.call = call;
    jobs.argument = argument;
    jobs.next = 0;
    jobs.count = count;
    jobs.round++;
    if (jobs.asleep)
        pthread_cond_broadcast(&jobs.work);
    take_calls();
    wait_for_others();
    jobs.busy = false;
}

void jobs_run(void *opaque, uint32_t count, void (*call)(void *argument, uint32_t number), void *argument) {
    sigset_t before;
    (void)opaque;
    block_signals(&before);
    pthread_mutex_lock(&jobs.lock);
    bool helped = !jobs.busy && jobs.wanted;
    if (helped)
        jobs_share(count, call, argument);
    pthread_mutex_unlock(&jobs.lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (uint32_t number = 0; number < count && !helped; number++)
        call(argument, number);
}
