/* SPDX-License-Identifier: MIT */
/*
 * The thread of a device. It sleeps until something is due: a file that the program has closed, a vertical blank, work
 * that waits for the program's writes to memory, or SIGUSR1.
 */
#include "face/drm/shim/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define MOST_FILES 256
#define REPORT     'r'
#define END        'e'

static int wake[2] = {-1, -1}; /* a pipe: what is to be done is written to [1] */
static pid_t owner;            /* the process that has the thread */

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

/* Milliseconds to sleep, -1: until something happens. */
static int how_long(struct drm_device *device) {
    int waiting = drm_device_poll(device) ? 1 : -1;
    uint64_t due = drm_device_due(device);
    if (due == UINT64_MAX)
        return waiting;
    int blank = (int)(due / 1000000 < 1000 ? (due + 999999) / 1000000 : 1000);
    return waiting >= 0 && waiting < blank ? waiting : blank;
}

static void obey(char reason) {
    if (reason == REPORT && shim_session())
        session_report(shim_session());
    if (reason == END)
        shim_end_session();
}

static void read_reasons(void) {
    char reasons[64];
    ssize_t count;
    while ((count = read(wake[0], reasons, sizeof reasons)) > 0)
        for (ssize_t i = 0; i < count; i++)
            obey(reasons[i]);
}

static void *serve(void *opaque) {
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
        int timeout = how_long(device);
        shim_unlock();
        poll(at, count + 1, timeout);
        shim_lock();
        read_reasons();
    }
    return NULL;
}

void service_start(void) {
    pthread_t thread;
    sigset_t all, before;
    if (owner == getpid() || pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    wake[0] = files_move_up(wake[0]);
    wake[1] = files_move_up(wake[1]);
    owner = getpid();
    /* The program's handlers run in its own threads. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, serve, shim_device_now()) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    watch_signal();
}

void service_forget(void) {
    if (wake[0] >= 0) {
        close(wake[0]);
        close(wake[1]);
    }
    wake[0] = wake[1] = -1;
    owner = 0;
}
