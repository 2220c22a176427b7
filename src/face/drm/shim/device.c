/* SPDX-License-Identifier: MIT */
/* The device of a process, and who may touch it. */
#include "face/common/jobs.h"
#include "face/drm/shim/owned_lock.h"
#include "face/drm/shim/shim.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define END_UNITS   (UINT64_C(1) << 20)
#define SIGNAL_STEP UINT64_C(1000000) /* nanoseconds: so late may a handler be while its thread waits */

/* State of the process: a preloaded library has no other place for it. */
static struct {
    struct owned_lock lock;
    pthread_once_t once;
    struct settings settings;
    bool failed; /* to make the device: not tried again */
    struct drm_device *device;
    struct session *session;
    pid_t owner; /* of the session: not a child of vfork(), whose memory is the same */
} shim = {.once = PTHREAD_ONCE_INIT};

static atomic_bool session_over;

/* Of the device (drm_device_progress()), for those who wait. */
static struct {
    atomic_uint count; /* a futex */
    atomic_uint waiting;
    uint64_t seen;
} progress;

/* Calls of this thread come from the library. The model of TLS needs no allocation at the first use. */
static __thread bool inside __attribute__((tls_model("initial-exec")));
/* What it said of its cancellation, and of signals, before it took the lock. */
static __thread int cancellation __attribute__((tls_model("initial-exec")));
static __thread sigset_t signals __attribute__((tls_model("initial-exec")));

int shim_result(int status) {
    if (status >= 0)
        return status;
    errno = -status;
    return -1;
}

/* ---- the lock ---- */

/*
 * A child of fork() has neither the thread nor a machine that it could run: the memory of the buffers is the parent's.
 * It may open the nodes again, and then has a device of its own.
 */
static void device_before_fork(void) {
    owned_lock_take(&shim.lock);
    dirs_before_fork();
}

static void device_after_fork_in_parent(void) {
    dirs_after_fork();
    owned_lock_release(&shim.lock);
}

static void device_after_fork_in_child(void) {
    bool was = inside;
    inside = true;
    owned_lock_in_child(&shim.lock);
    atomic_store(&progress.waiting, 0);
    if (shim.device)
        drm_device_abandon(shim.device);
    shim.device = NULL;
    shim.session = NULL;
    shim.failed = false;
    files_abandon();
    service_forget();
    dirs_after_fork();
    owned_lock_release(&shim.lock);
    inside = was;
}

static void device_read_settings(void) {
    struct pfifo_error error;
    if (!settings_read(&shim.settings, &error)) {
        fprintf(stderr, "pfifo: %s\n", error.message);
        shim.settings.chip = NULL;
    }
    if (shim.settings.chip)
        pthread_atfork(device_before_fork, device_after_fork_in_parent, device_after_fork_in_child);
}

const struct pfifo_chip *shim_chip(void) {
    if (inside)
        return NULL;
    inside = true;
    pthread_once(&shim.once, device_read_settings);
    inside = false;
    return shim.settings.chip;
}

/*
 * As in a kernel, a handler runs when the call returns: it may make calls itself. What a thread raises by what it does
 * is not held back.
 */
static void hold_signals(void) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_BLOCK, &all, &signals);
}

bool shim_enter(void) {
    if (!shim_chip())
        return false;
    hold_signals();
    inside = true;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation); /* a thread that has gone would keep the lock */
    shim_lock();
    return true;
}

void shim_leave(void) {
    int error = errno;
    shim_unlock();
    pthread_setcancelstate(cancellation, NULL);
    inside = false;
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
    errno = error;
}

void shim_stay_inside(void) {
    inside = true;
    shim_lock();
}

void shim_lock(void) {
    owned_lock_take(&shim.lock);
}

void shim_lock_last(void) {
    owned_lock_take_last(&shim.lock);
}

bool shim_wanted(void) {
    return owned_lock_wanted(&shim.lock);
}

/* Who waits for the device learns that it has got further. */
static void tell_progress(void) {
    uint64_t now = shim.device ? drm_device_progress(shim.device) : progress.seen;
    if (now == progress.seen)
        return;
    progress.seen = now;
    atomic_fetch_add(&progress.count, 1);
    if (atomic_load(&progress.waiting))
        syscall(SYS_futex, &progress.count, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

void shim_unlock(void) {
    tell_progress();
    owned_lock_release(&shim.lock);
}

/* ---- waiting ---- */

static uint64_t clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Until the device has got further than `before`, for at most so long. False: a signal is to be handled. */
static bool wait_for_progress(unsigned before, uint64_t nanoseconds, bool interruptible) {
    uint64_t begin = clock_now(), passed = 0;
    for (; passed < nanoseconds && atomic_load(&progress.count) == before; passed = clock_now() - begin) {
        uint64_t left = nanoseconds - passed, step = left < SIGNAL_STEP ? left : SIGNAL_STEP;
        const struct timespec time = {.tv_nsec = (long)step};
        if (interruptible && signals_wait(&signals))
            return false;
        syscall(SYS_futex, &progress.count, FUTEX_WAIT_PRIVATE, before, &time, NULL, 0);
    }
    return true;
}

static bool wait_unlocked(uint64_t nanoseconds, bool interruptible) {
    unsigned before = atomic_load(&progress.count);
    bool wake = service_is_asleep() && drm_device_waits(shim.device);
    atomic_fetch_add(&progress.waiting, 1);
    shim_unlock();
    if (wake)
        service_wake('w');
    bool waited = wait_for_progress(before, nanoseconds, interruptible);
    shim_lock();
    atomic_fetch_sub(&progress.waiting, 1);
    return waited;
}

bool shim_wait(uint64_t nanoseconds) {
    return wait_unlocked(nanoseconds, true);
}

void shim_sleep(uint64_t nanoseconds) {
    wait_unlocked(nanoseconds, false);
}

bool shim_restarts(void) {
    return signals_restart(&signals);
}

/* ---- what the device gets from its host ---- */

/* The kernel copies, so that a wrong address is an error and no fault. Where it may not, the program is trusted. */
static bool device_copy(void *here, uint64_t there, size_t bytes, bool write) {
    struct iovec local = {here, bytes}, remote = {(void *)(uintptr_t)there, bytes}; // NOLINT(performance-no-int-to-ptr)
    ssize_t done = write ? process_vm_writev(getpid(), &local, 1, &remote, 1, 0)
                         : process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    if (done < 0 && (errno == ENOSYS || errno == EPERM)) {
        if (write)
            memcpy(remote.iov_base, here, bytes);
        else
            memcpy(here, remote.iov_base, bytes);
        return true;
    }
    return done == (ssize_t)bytes;
}

static bool device_host_read(void *opaque, void *to, uint64_t from, size_t bytes) {
    (void)opaque;
    return device_copy(to, from, bytes, false);
}

static bool device_host_write(void *opaque, uint64_t to, const void *from, size_t bytes) {
    (void)opaque;
    return device_copy((void *)(uintptr_t)from, to, bytes, true); // NOLINT(performance-no-int-to-ptr): it is only read
}

static uint64_t host_now(void *opaque) {
    (void)opaque;
    return clock_now();
}

static bool host_wait(void *opaque, uint64_t nanoseconds) {
    (void)opaque;
    return shim_wait(nanoseconds);
}

static void host_sleep(void *opaque, uint64_t nanoseconds) {
    (void)opaque;
    shim_sleep(nanoseconds);
}

static void device_host_log(void *opaque, const char *line) {
    (void)opaque;
    if (!shim.settings.quiet)
        session_log(shim.session, line);
}

static const struct drm_host host = {.read = device_host_read,
                                     .write = device_host_write,
                                     .event = files_event,
                                     .give = prime_give,
                                     .take = prime_take,
                                     .moved = mappings_moved,
                                     .hold_event = eventfd_hold,
                                     .end_event = eventfd_end,
                                     .now = host_now,
                                     .wait = host_wait,
                                     .sleep = host_sleep,
                                     .log = device_host_log};

/* ---- the device ---- */

/* Without one the program runs as well, and the log says why there is none. */
static void make_screen(void) {
    char why[300] = "pfifo: --window: libpfifo-drm.so was built without headers of libxcb";
    struct x11_screen *screen = NULL;
#ifdef PFIFO_SHIM_X11
    screen = x11_screen_new(shim.settings.chip->name, why, sizeof why);
    if (screen)
        session_set_screen(shim.session, x11_screen_show, screen);
#endif
    if (!screen)
        session_log(shim.session, why);
}

static bool make_device(struct pfifo_error *error) {
    const struct settings *settings = &shim.settings;
    const struct drm_config config = {.chip = settings->chip,
                                      .vram_bytes = settings->vram_bytes,
                                      .major = settings->major,
                                      .minor = settings->minor,
                                      .patch = settings->patch,
                                      .width = settings->width,
                                      .height = settings->height,
                                      .refresh = settings->refresh,
                                      .atomic = settings->atomic,
                                      .budget = settings->budget,
                                      .worker = !settings->sync,
                                      .no_compile = settings->no_compile,
                                      .host = &host};
    jobs_set(settings->jobs);
    shim.device = drm_device_new(&config, error);
    if (!shim.device)
        return false;
    shim.session = session_new(settings, shim.device, error);
    shim.owner = getpid();
    atomic_store(&session_over, false);
    if (shim.session && settings->window)
        make_screen();
    if (shim.session)
        return true;
    drm_device_free(shim.device);
    shim.device = NULL;
    return false;
}

struct drm_device *shim_device(void) {
    struct pfifo_error error;
    if (shim.device || shim.failed)
        return shim.device;
    if (make_device(&error)) {
        if (!service_start())
            drm_device_set_worker(shim.device, false);
        end_watch_signals(&shim.settings);
        return shim.device;
    }
    shim.failed = true;
    session_log(NULL, error.message);
    return NULL;
}

struct drm_device *shim_device_now(void) {
    return shim.device;
}

struct session *shim_session(void) {
    return shim.session;
}

/* What was submitted is counted and shown, unless it takes too long for a program that dies. */
static void finish_work(uint64_t nanoseconds) {
    uint64_t begin = clock_now();
    while (drm_device_has_work(shim.device) && clock_now() - begin < nanoseconds)
        if (drm_device_work(shim.device, END_UNITS) != DRM_MORE)
            return;
}

/* The device stays: libraries whose end comes later still make calls. */
void shim_end_session(uint64_t nanoseconds) {
    if (shim.session && end_tells(&shim.settings)) {
        finish_work(nanoseconds);
        session_end(shim.session);
    } else if (shim.session) {
        session_note(shim.session);
    }
    shim.session = NULL;
    atomic_store(&session_over, true);
}

bool shim_session_is_over(void) {
    return atomic_load(&session_over);
}

void shim_end(void) {
    if (inside || !shim.session || shim.owner != getpid())
        return;
    inside = true;
    shim_lock();
    shim_end_session(UINT64_MAX);
    shim_unlock();
    inside = false;
}
