/* SPDX-License-Identifier: MIT */
/*
 * The thread of a device: it does the work of submissions, and sleeps until something is due: a submission, a file that
 * the program has closed, a vertical blank, work that waits for the program's writes to memory, other processes that
 * something is to be told of, or SIGUSR1.
 */
#include "face/drm/shim/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_FILES 256
#define REPORT     'r'
#define END        'e'

#define TURN_UNITS       (UINT64_C(1) << 13)
#define TURN_NANOSECONDS UINT64_C(1000000)
#define END_NANOSECONDS  UINT64_C(2000000000) /* of work for a program that dies of a signal: see end.c, PATIENCE */

static int wake[2] = {-1, -1}; /* a pipe: what is to be done is written to [1] */
static pid_t owner;            /* the process that has the thread */
static bool asleep;            /* guarded by the lock of device.c */

void service_wake(char why) {
    int error = errno;
    if (wake[1] >= 0 && write(wake[1], &why, 1) < 0)
        errno = error; /* full: the thread will look anyway */
    errno = error;
}

bool service_end(void) {
    if (owner != getpid() || wake[1] < 0)
        return false;
    service_wake(END);
    return true;
}

static void on_signal(int signal) {
    (void)signal;
    if (owner == getpid())
        service_wake(REPORT);
}

/* A program that uses the signal itself keeps it. */
static void watch_signal(void) {
    struct sigaction now, ours;
    if (sigaction(SIGUSR1, NULL, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL)
        return;
    memset(&ours, 0, sizeof ours);
    ours.sa_handler = on_signal;
    ours.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &ours, NULL);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Milliseconds to sleep, -1: until something happens. */
static int how_long(struct drm_device *device, enum drm_progress progress) {
    int waiting = progress == DRM_MORE ? 0 : progress == DRM_WAITS || drm_device_waits(device) ? 1 : -1;
    uint64_t due = drm_device_due(device);
    if (due == UINT64_MAX)
        return waiting;
    int blank = (int)(due / 1000000 < 1000 ? (due + 999999) / 1000000 : 1000);
    return waiting >= 0 && waiting < blank ? waiting : blank;
}

/* A turn of work: others who want the lock get it soon. */
static enum drm_progress work(struct drm_device *device) {
    uint64_t begin = now();
    enum drm_progress progress;
    do
        progress = drm_device_work(device, TURN_UNITS);
    while (progress == DRM_MORE && !shim_wanted() && now() - begin < TURN_NANOSECONDS);
    return progress;
}

static void obey(char reason) {
    if (reason == REPORT && shim_session())
        session_report(shim_session());
    if (reason == END)
        shim_end_session(END_NANOSECONDS);
}

static void read_reasons(void) {
    char reasons[64];
    ssize_t count;
    while ((count = read(wake[0], reasons, sizeof reasons)) > 0)
        for (ssize_t i = 0; i < count; i++)
            obey(reasons[i]);
}

static void *service_serve(void *opaque) {
    struct drm_device *device = opaque;
    struct pollfd at[MOST_FILES + 1];
    int peers[MOST_FILES];
    shim_stay_inside();
    for (;;) {
        if (drm_device_due(device) == 0)
            drm_device_vblank(device);
        files_sweep();
        unsigned count = files_peers(peers, MOST_FILES);
        at[0] = (struct pollfd){.fd = wake[0], .events = POLLIN};
        for (unsigned i = 0; i < count; i++)
            at[i + 1] = (struct pollfd){.fd = peers[i], .events = POLLIN}; /* or who writes to a node would wait */
        int timeout = how_long(device, work(device));
        asleep = timeout != 0;
        shim_unlock();
        poll(at, count + 1, timeout);
        shim_lock_last();
        asleep = false;
        read_reasons();
    }
    return NULL;
}

bool service_is_asleep(void) {
    return asleep;
}

bool service_start(void) {
    pthread_t thread;
    sigset_t all, before;
    if (owner == getpid())
        return true;
    if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    wake[0] = files_move_up(wake[0]);
    wake[1] = files_move_up(wake[1]);
    owner = getpid();
    /* The program's handlers run in its own threads. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool made = pthread_create(&thread, NULL, service_serve, shim_device_now()) == 0;
    if (made)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    watch_signal();
    return made;
}

void service_forget(void) {
    if (wake[0] >= 0) {
        close(wake[0]);
        close(wake[1]);
    }
    wake[0] = wake[1] = -1;
    owner = 0;
    asleep = false;
}
