/* SPDX-License-Identifier: MIT */
/* The device of a process, and who may touch it. */
#include "face/common/jobs.h"
#include "face/drm/shim/owned_lock.h"
#include "face/drm/shim/shim.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

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

/* Calls of this thread come from the library. The model of TLS needs no allocation at the first use. */
static __thread bool inside __attribute__((tls_model("initial-exec")));
/* What it said of its cancellation before it took the lock. */
static __thread int cancellation __attribute__((tls_model("initial-exec")));

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
static void before_fork(void) {
    owned_lock_take(&shim.lock);
    dirs_before_fork();
}

static void after_fork_in_parent(void) {
    dirs_after_fork();
    owned_lock_release(&shim.lock);
}

static void after_fork_in_child(void) {
    bool was = inside;
    inside = true;
    shim.device = NULL;
    shim.session = NULL;
    shim.failed = false;
    files_abandon();
    service_forget();
    dirs_after_fork();
    owned_lock_release(&shim.lock);
    inside = was;
}

static void read_settings(void) {
    struct pfifo_error error;
    if (!settings_read(&shim.settings, &error)) {
        fprintf(stderr, "pfifo: %s\n", error.message);
        shim.settings.chip = NULL;
    }
    if (shim.settings.chip)
        pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

const struct pfifo_chip *shim_chip(void) {
    if (inside)
        return NULL;
    inside = true;
    pthread_once(&shim.once, read_settings);
    inside = false;
    return shim.settings.chip;
}

bool shim_enter(void) {
    if (!shim_chip())
        return false;
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
    errno = error;
}

void shim_stay_inside(void) {
    inside = true;
    shim_lock();
}

void shim_lock(void) {
    owned_lock_take(&shim.lock);
}

void shim_unlock(void) {
    owned_lock_release(&shim.lock);
}

bool shim_sleep(uint64_t nanoseconds) {
    const struct timespec time = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
    shim_unlock();
    bool slept = nanosleep(&time, NULL) == 0;
    shim_lock();
    return slept;
}

/* ---- what the device gets from its host ---- */

/* The kernel copies, so that a wrong address is an error and no fault. Where it may not, the program is trusted. */
static bool copy(void *here, uint64_t there, size_t bytes, bool write) {
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

static bool host_read(void *opaque, void *to, uint64_t from, size_t bytes) {
    (void)opaque;
    return copy(to, from, bytes, false);
}

static bool host_write(void *opaque, uint64_t to, const void *from, size_t bytes) {
    (void)opaque;
    return copy((void *)(uintptr_t)from, to, bytes, true); // NOLINT(performance-no-int-to-ptr): it is only read
}

static uint64_t host_now(void *opaque) {
    (void)opaque;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool host_wait(void *opaque, uint64_t nanoseconds) {
    (void)opaque;
    return shim_sleep(nanoseconds);
}

static void host_log(void *opaque, const char *line) {
    (void)opaque;
    if (!shim.settings.quiet)
        session_log(shim.session, line);
}

static const struct drm_host host = {.read = host_read,
                                     .write = host_write,
                                     .event = files_event,
                                     .export_buffer = prime_export,
                                     .exported = prime_exported,
                                     .import_buffer = prime_import,
                                     .moved = mappings_moved,
                                     .now = host_now,
                                     .wait = host_wait,
                                     .log = host_log};

/* ---- the device ---- */

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
                                      .budget = settings->budget,
                                      .host = &host};
    jobs_set(settings->jobs);
    shim.device = drm_device_new(&config, error);
    if (!shim.device)
        return false;
    shim.session = session_new(settings, shim.device, error);
    shim.owner = getpid();
    atomic_store(&session_over, false);
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
        service_start();
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

/* The device stays: libraries whose end comes later still make calls. */
void shim_end_session(void) {
    if (shim.session && end_tells(&shim.settings))
        session_end(shim.session);
    else if (shim.session)
        session_note(shim.session);
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
    shim_end_session();
    shim_unlock();
    inside = false;
}
