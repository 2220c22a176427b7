/* SPDX-License-Identifier: MIT */
/*
 * libpfifo-record.so, preloaded: the functions of libc that a recorder stands before. With PFIFO_RECORD=FILE in the
 * environment every open file of a nouveau node that opens a channel gets a capture: FILE, FILE.2 ...
 *
 * Not seen: programs linked statically, and system calls made without libc.
 */
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#include "face/drm/record/descriptors.h"
#include "face/drm/shim/owned_lock.h"
#include "face/drm/shim/real.h"

#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <nouveau_drm.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define DRM_MAJOR         226
#define SETTLE_STEP       1000000 /* nanoseconds */
#define SETTLE_MOST_STEPS 1000
#define CPU_PREP          DRM_IOW(DRM_COMMAND_BASE + DRM_NOUVEAU_GEM_CPU_PREP, struct drm_nouveau_gem_cpu_prep)

/* State of the process: a preloaded library has no other place for it. */
static struct {
    struct owned_lock lock;
    pthread_once_t once, watch;
    char path[PATH_MAX]; /* empty: nothing is recorded */
    pid_t owner;         /* a child of vfork() has the memory, too, but no say */
    bool over;           /* the program ends */
    struct recorded *files;
} state = {.once = PTHREAD_ONCE_INIT, .watch = PTHREAD_ONCE_INIT};

/* What it said of its cancellation before it took the lock: a thread that has gone would keep it. */
static __thread int cancellation __attribute__((tls_model("initial-exec")));
/* This thread is in an ioctl of a node: in that of the library behind this one, perhaps, which allocates memory. */
static __thread bool calling __attribute__((tls_model("initial-exec")));

/* A handler of a signal that interrupts this does the same and puts back what it has found. */
static void lock(void) {
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    owned_lock_take(&state.lock);
    cancellation = before;
}

static void unlock(void) {
    int before = cancellation;
    owned_lock_release(&state.lock);
    pthread_setcancelstate(before, NULL);
}

/* ---- what the recorder gets from its host ---- */

static int host_ioctl(void *opaque, unsigned long request, void *argument) {
    const struct recorded *recorded = opaque;
    int status = REAL(ioctl)(recorded->fd, request, argument);
    return status < 0 ? -errno : status;
}

static const uint8_t *host_map(void *opaque, uint64_t map_handle, uint64_t bytes) {
    const struct recorded *recorded = opaque;
    void *at = REAL(mmap64)(NULL, bytes, PROT_READ, MAP_SHARED, recorded->fd, (off64_t)map_handle);
    return at == MAP_FAILED ? NULL : at;
}

static void host_unmap(void *opaque, const uint8_t *at, uint64_t bytes) {
    (void)opaque;
    munmap((void *)(uintptr_t)at, bytes); // NOLINT(performance-no-int-to-ptr): the mapping is ours
}

/* The kernel copies, so that a wrong address is an error and no fault. Where it may not, the program is trusted. */
static bool wrap_host_read(void *opaque, void *to, uint64_t from, size_t bytes) {
    (void)opaque;
    struct iovec local = {to, bytes}, remote = {(void *)(uintptr_t)from, bytes}; // NOLINT(performance-no-int-to-ptr)
    ssize_t done = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    if (done < 0 && (errno == ENOSYS || errno == EPERM)) {
        memcpy(to, remote.iov_base, bytes);
        return true;
    }
    return done == (ssize_t)bytes;
}

/* A GPU that waits for the program itself would be waited for before each submission. */
static void host_settle(void *opaque, uint32_t handle) {
    struct recorded *recorded = opaque;
    const struct timespec step = {0, SETTLE_STEP};
    unsigned steps = recorded->slow ? 0 : SETTLE_MOST_STEPS;
    for (;; steps--) {
        struct drm_nouveau_gem_cpu_prep prep = {.handle = handle, .flags = NOUVEAU_GEM_CPU_PREP_NOWAIT};
        recorded->slow = host_ioctl(opaque, CPU_PREP, &prep) == -EBUSY;
        if (!recorded->slow || !steps)
            return;
        nanosleep(&step, NULL);
    }
}

static void wrap_host_log(void *opaque, const char *line) {
    (void)opaque;
    dprintf(STDERR_FILENO, "pfifo: %s\n", line);
}

static bool host_open(void *opaque) {
    struct recorded *recorded = opaque;
    if (state.owner != getpid())
        return false;
    if (record_file_open(&recorded->file, state.path))
        return true;
    dprintf(STDERR_FILENO, "pfifo: %s: cannot record: %s\n", state.path, strerror(errno));
    return false;
}

static bool wrap_host_write(void *opaque, const void *data, size_t bytes) {
    const struct recorded *recorded = opaque;
    return state.owner == getpid() && record_file_write(&recorded->file, data, bytes);
}

static const struct record_host host = {.ioctl = host_ioctl,
                                        .map = host_map,
                                        .unmap = host_unmap,
                                        .read = wrap_host_read,
                                        .settle = host_settle,
                                        .open = host_open,
                                        .write = wrap_host_write,
                                        .log = wrap_host_log};

/* ---- fork() ---- */

static void wrap_before_fork(void) {
    owned_lock_take(&state.lock);
}

static void wrap_after_fork_in_parent(void) {
    owned_lock_release(&state.lock);
}

static void abandon_files(void) {
    descriptors_forget();
    while (state.files) {
        struct recorded *recorded = state.files;
        state.files = recorded->next;
        if (recorded->client)
            record_client_abandon(recorded->client);
        free(recorded);
    }
    state.owner = getpid();
}

/*
 * The captures are the parent's. What the child opens itself is recorded. Mappings and descriptors stay until it runs
 * another program: the library behind this one may not be called yet. If a handler has forked, what it has interrupted
 * goes on here, too, and needs what it has; such a child is not recorded.
 */
static void wrap_after_fork_in_child(void) {
    if (!owned_lock_nested(&state.lock))
        abandon_files();
    owned_lock_release(&state.lock);
}

/*
 * Only now: the handlers of the library behind this one are there already, so that before a fork the lock of this one
 * is taken first, as it always is.
 */
static void watch_forks(void) {
    pthread_atfork(wrap_before_fork, wrap_after_fork_in_parent, wrap_after_fork_in_child);
}

/* ---- files of nodes; with the lock held ---- */

static void wrap_end_file(struct recorded *recorded) {
    record_client_free(recorded->client);
    record_file_close(&recorded->file);
    free(recorded);
}

/* Files that no descriptor stands for any more. */
static void sweep(void) {
    for (struct recorded **at = &state.files; *at;) {
        struct recorded *recorded = *at;
        if (recorded->calls || atomic_load(&recorded->descriptors)) {
            at = &recorded->next;
            continue;
        }
        *at = recorded->next;
        wrap_end_file(recorded);
    }
}

static struct recorded *new_file(int fd, const struct stat *as) {
    struct recorded *recorded = calloc(1, sizeof *recorded);
    if (!recorded)
        return NULL;
    pthread_once(&state.watch, watch_forks);
    recorded->fd = fd;
    recorded->file.fd = -1;
    recorded->dev = as->st_dev;
    recorded->ino = as->st_ino;
    recorded->rdev = as->st_rdev;
    recorded->client = record_client_new(&host, recorded);
    recorded->next = state.files;
    state.files = recorded;
    return recorded;
}

/* The file of a descriptor; NULL: not one of a DRM node. */
static struct recorded *wrap_find(int fd) {
    struct recorded *recorded = descriptors_at(fd);
    struct stat as;
    if (fd < 0 || fd >= DESCRIPTORS_MOST || fstat(fd, &as) != 0 || !S_ISCHR(as.st_mode) ||
        major(as.st_rdev) != DRM_MAJOR)
        return NULL;
    if (recorded && recorded->rdev == as.st_rdev && recorded->ino == as.st_ino && recorded->dev == as.st_dev)
        return recorded;
    recorded = descriptors_same(fd, as.st_rdev);
    if (!recorded)
        recorded = new_file(fd, &as);
    if (recorded)
        descriptors_set(fd, recorded);
    return recorded;
}

/* ---- the process ---- */

static void wrap_read_settings(void) {
    const char *path = getenv("PFIFO_RECORD");
    char here[PATH_MAX];
    if (!path || !*path)
        return;
    if (path[0] == '/' || !getcwd(here, sizeof here))
        snprintf(state.path, sizeof state.path, "%s", path);
    else
        snprintf(state.path, sizeof state.path, "%.2000s/%.2000s", here, path);
    state.owner = getpid();
}

static bool wrap_is_wanted(void) {
    pthread_once(&state.once, wrap_read_settings);
    return state.path[0] != '\0';
}

/* A relative path is one from where the program starts. */
static void __attribute__((constructor)) begin_of_program(void) {
    wrap_is_wanted();
}

/* A handler that ends the program in the middle of a call: what is submitted is in the file. */
static void __attribute__((destructor)) end_of_program(void) {
    if (!wrap_is_wanted() || state.owner != getpid() || owned_lock_mine(&state.lock) || calling)
        return;
    lock();
    state.over = true;
    for (struct recorded *recorded = state.files; recorded; recorded = recorded->next) {
        record_client_free(recorded->client);
        recorded->client = NULL;
        record_file_close(&recorded->file);
    }
    unlock();
}

/* A child of fork() from before anything was recorded, when nobody watched for forks. */
static bool take_over(void) {
    if (!owned_lock_try(&state.lock))
        return false;
    if (!state.files)
        state.owner = getpid();
    owned_lock_release(&state.lock);
    return state.owner == getpid();
}

/* False, and no lock: nothing is recorded. */
static bool wrap_enter(void) {
    if (!wrap_is_wanted() || owned_lock_mine(&state.lock) || (state.owner != getpid() && !take_over()))
        return false;
    lock();
    if (!state.over)
        return true;
    unlock();
    return false;
}

static void leave(void) {
    int error = errno;
    unlock();
    errno = error;
}

/* ---- ioctl(), mmap() ---- */

static int wrap_call(struct recorded *recorded, int fd, unsigned long request, void *argument) {
    uint64_t at = (uint64_t)(uintptr_t)argument;
    recorded->calls++;
    recorded->fd = fd;
    struct record_submission *submission = record_before(recorded->client, request, at);
    calling = true;
    leave();
    int status = REAL(ioctl)(fd, request, argument), error = errno;
    lock();
    calling = false;
    recorded->fd = fd;
    if (!state.over && recorded->client)
        record_after(recorded->client, request, at, status < 0 ? -error : status, submission);
    recorded->calls--;
    if (!state.over)
        sweep();
    errno = error;
    leave();
    return status;
}

SHIM int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (_IOC_TYPE(request) != DRM_IOCTL_BASE || !wrap_enter())
        return REAL(ioctl)(fd, request, argument);
    struct recorded *recorded = wrap_find(fd);
    if (recorded && recorded->client)
        return wrap_call(recorded, fd, request, argument);
    leave();
    return REAL(ioctl)(fd, request, argument);
}

static void look_at_map(int flags, int fd, uint64_t offset) {
    if (fd < 0 || (flags & MAP_ANONYMOUS) || !descriptors_at(fd) || !wrap_enter())
        return;
    const struct recorded *recorded = wrap_find(fd);
    if (recorded && recorded->client)
        record_mapped(recorded->client, offset);
    leave();
}

SHIM void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset) {
    look_at_map(flags, fd, (uint64_t)offset);
    return REAL(mmap)(addr, len, prot, flags, fd, offset);
}

SHIM void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off64_t offset) {
    look_at_map(flags, fd, (uint64_t)offset);
    return REAL(mmap64)(addr, len, prot, flags, fd, offset);
}

/* ---- descriptors that come and go ---- */

/* A file may have lost its last. If another thread holds the lock, that thread or the next ioctl does it. */
static void end_soon(void) {
    int error = errno;
    if (owned_lock_try(&state.lock)) {
        if (!state.over)
            sweep();
        owned_lock_release(&state.lock);
    }
    errno = error;
}

static void wrap_forget(int fd) {
    if (descriptors_at(fd) && state.owner == getpid() && descriptors_set(fd, NULL))
        end_soon();
}

static int copied(int from, int to) {
    struct recorded *recorded = descriptors_at(from);
    if (to < 0 || to == from || state.owner != getpid())
        return to;
    if (recorded || descriptors_at(to))
        if (descriptors_set(to, recorded))
            end_soon();
    return to;
}

SHIM int close(int fd) {
    wrap_forget(fd);
    return REAL(close)(fd);
}

static void forget_range(unsigned first, unsigned last) {
    for (unsigned fd = first; fd <= last && fd < DESCRIPTORS_MOST; fd++)
        wrap_forget((int)fd);
}

SHIM int close_range(unsigned fd, unsigned max_fd, int flags) {
    if (!(flags & CLOSE_RANGE_CLOEXEC))
        forget_range(fd, max_fd);
    return REAL(close_range)(fd, max_fd, flags);
}

SHIM void closefrom(int lowfd) {
    forget_range(lowfd < 0 ? 0 : (unsigned)lowfd, DESCRIPTORS_MOST);
    REAL(closefrom)(lowfd);
}

SHIM int dup(int fd) {
    return copied(fd, REAL(dup)(fd));
}

SHIM int dup2(int fd, int fd2) {
    return copied(fd, REAL(dup2)(fd, fd2));
}

SHIM int dup3(int fd, int fd2, int flags) {
    return copied(fd, REAL(dup3)(fd, fd2, flags));
}

SHIM int fcntl(int fd, int cmd, ...) {
    va_list rest;
    va_start(rest, cmd);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    int result = REAL(fcntl)(fd, cmd, argument);
    return cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC ? copied(fd, result) : result;
}

SHIM int fcntl64(int fd, int cmd, ...) {
    va_list rest;
    va_start(rest, cmd);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    int result = REAL(fcntl64)(fd, cmd, argument);
    return cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC ? copied(fd, result) : result;
}
