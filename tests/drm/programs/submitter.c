/* SPDX-License-Identifier: MIT */
/*
 * A program that uses a node of nouveau without any library: each letter of its argument is a step. It is for chips
 * that have the commands of GF100.
 *
 *   o  open the node           s  submit: a release of a semaphore      d  copy the descriptor by dup(), close the
 * first c  open a channel          t  two threads submit at the same time   F  the same by fcntl() x  close the
 * descriptor    f  a child of fork() does ocs            v  a child of vfork() closes the descriptor r  close_range()
 * of all    k  kill the program                      h  go to the root directory
 *
 *   a  a signal's handler forks, wherever it comes      e  one ends the program
 *   n  threads are cancelled, wherever they are         p  children of fork() list a directory, as a thread does
 *   w  write to the node                                m  ask for the node in ways that few do
 *
 *   l  submit what takes long, and wait for it          A  a signal's handler makes calls meanwhile, and ends the
 *   E  a wait is interrupted, or goes on                   program
 *   L  submit what takes long, and end without a wait
 */
#include <stdint.h>

#include <dirent.h>
#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <nouveau_drm.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOUVEAU(number, structure) DRM_IOWR(DRM_COMMAND_BASE + (number), structure)
#define BYTES                      8192u
#define ROUNDS                     50u

struct program {
    int fd;
    int channel;
    uint32_t value; /* of the last release */
};

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static void call(const struct program *program, unsigned long request, void *structure, const char *what) {
    if (ioctl(program->fd, request, structure) != 0)
        fail(what);
}

static void open_node(struct program *program) {
    program->fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    if (program->fd < 0)
        fail("open");
}

static void open_channel(struct program *program) {
    struct drm_nouveau_channel_alloc request = {.fb_ctxdma_handle = 0};
    call(program, NOUVEAU(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc), &request, "channel");
    program->channel = request.channel;
}

static struct drm_nouveau_gem_info new_buffer(const struct program *program) {
    struct drm_nouveau_gem_new request = {.info = {.size = BYTES, .domain = NOUVEAU_GEM_DOMAIN_GART}};
    call(program, NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), &request, "buffer");
    return request.info;
}

static uint32_t *map(const struct program *program, const struct drm_nouveau_gem_info *buffer) {
    void *at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, program->fd, (off_t)buffer->map_handle);
    if (at == MAP_FAILED)
        fail("mmap");
    return at;
}

/* The commands are in the first page, the semaphore in the second. */
static void submit_value(const struct program *program, uint32_t value) {
    struct drm_nouveau_gem_info buffer = new_buffer(program);
    volatile uint32_t *at = map(program, &buffer);
    uint64_t semaphore = buffer.offset + 4096;
    at[0] = 0x20040004; /* four methods from 0x10 on, subchannel 0 */
    at[1] = (uint32_t)(semaphore >> 32);
    at[2] = (uint32_t)semaphore;
    at[3] = value;
    at[4] = 2; /* release */
    struct drm_nouveau_gem_pushbuf_bo listed = {
        .handle = buffer.handle,
        .valid_domains = NOUVEAU_GEM_DOMAIN_GART,
        .read_domains = NOUVEAU_GEM_DOMAIN_GART,
        .write_domains = NOUVEAU_GEM_DOMAIN_GART,
        .presumed = {.valid = 1, .domain = NOUVEAU_GEM_DOMAIN_GART, .offset = buffer.offset}};
    struct drm_nouveau_gem_pushbuf_push push = {.length = 20};
    struct drm_nouveau_gem_pushbuf request = {.channel = (uint32_t)program->channel,
                                              .nr_buffers = 1,
                                              .buffers = (uint64_t)(uintptr_t)&listed,
                                              .nr_push = 1,
                                              .push = (uint64_t)(uintptr_t)&push};
    struct drm_nouveau_gem_cpu_prep prep = {.handle = buffer.handle};
    struct drm_gem_close close = {.handle = buffer.handle};
    call(program, NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf), &request, "submit");
    call(program, NOUVEAU(DRM_NOUVEAU_GEM_CPU_PREP, struct drm_nouveau_gem_cpu_prep), &prep, "wait");
    if (at[1024] != value)
        fail("the semaphore");
    munmap((void *)(uintptr_t)at, BYTES);
    call(program, DRM_IOCTL_GEM_CLOSE, &close, "close");
}

static void *submit_many(void *opaque) {
    const struct program *program = opaque;
    for (uint32_t i = 1; i <= ROUNDS; i++)
        submit_value(program, i);
    return NULL;
}

static void two_threads(struct program *program) {
    pthread_t other;
    struct program second = *program;
    open_channel(&second);
    if (pthread_create(&other, NULL, submit_many, &second) != 0)
        fail("thread");
    submit_many(program);
    pthread_join(other, NULL);
}

static void copy(struct program *program, bool by_fcntl) {
    int fd = by_fcntl ? fcntl(program->fd, F_DUPFD_CLOEXEC, 20) : dup(program->fd);
    if (fd < 0)
        fail("copy");
    close(program->fd);
    program->fd = fd;
}

static void child(struct program *program) {
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        if (program->fd >= 0)
            close(program->fd);
        open_node(program);
        open_channel(program);
        submit_value(program, 1);
        exit(0);
    }
    if (waitpid(pid, &status, 0) != pid || status != 0)
        fail("child");
}

static void children_meanwhile(struct program *program) {
    pthread_t other;
    int status;
    if (pthread_create(&other, NULL, submit_many, program) != 0)
        fail("thread");
    for (uint32_t i = 0; i < ROUNDS; i++) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(0);
        if (waitpid(pid, &status, 0) != pid || status != 0)
            fail("child");
    }
    pthread_join(other, NULL);
}

static void child_that_closes(const struct program *program) {
    int status;
    pid_t pid = vfork(); // NOLINT(clang-analyzer-security.insecureAPI.vfork): as libraries do it
    if (pid == 0) {
        close(program->fd); // NOLINT(clang-analyzer-unix.Vfork)
        _exit(0);
    }
    if (waitpid(pid, &status, 0) != pid || status != 0)
        fail("child");
}

/* ---- signals, threads that are cancelled ---- */

static volatile sig_atomic_t handled;

static void fork_in_handler(int number) {
    int status, error = errno;
    (void)number;
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    handled++;
    /* Not before the program has gone on: where a fork takes longer than that, an interval timer never lets it. */
    setitimer(ITIMER_REAL, &(const struct itimerval){.it_value = {0, 2000}}, NULL);
    errno = error;
}

static void end_in_handler(int number) {
    (void)number;
    exit(0); // NOLINT(bugprone-signal-handler,cert-sig30-c): as programs do it
}

static void interrupt_by(void (*handler)(int number)) {
    const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    const struct itimerval soon = {.it_value = {0, 2000}};
    handled = 0;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
}

static void forks_in_handlers(const struct program *program) {
    const struct itimerval never = {{0, 0}, {0, 0}};
    struct drm_version version = {0};
    interrupt_by(fork_in_handler);
    while (handled < (int)ROUNDS)
        call(program, DRM_IOCTL_VERSION, &version, "version");
    setitimer(ITIMER_REAL, &never, NULL);
}

static void end_wherever_it_is(const struct program *program) {
    interrupt_by(end_in_handler);
    for (uint32_t i = 1;; i++)
        submit_value(program, i);
}

/* Each call is refused, and the log has it. */
static void *submit_too_much(void *opaque) {
    const struct program *program = opaque;
    struct drm_nouveau_gem_pushbuf request = {.channel = (uint32_t)program->channel, .nr_push = UINT32_MAX};
    for (;; pthread_testcancel())
        ioctl(program->fd, NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf), &request);
    return NULL;
}

static void cancelled_threads(struct program *program) {
    for (uint32_t i = 0; i < ROUNDS / 5; i++) {
        pthread_t other;
        if (pthread_create(&other, NULL, submit_too_much, program) != 0)
            fail("thread");
        usleep(1000);
        pthread_cancel(other);
        submit_value(program, ++program->value);
        pthread_join(other, NULL);
    }
}

/* ---- names ---- */

static void *list_forever(void *opaque) {
    DIR *directory = opaque;
    for (;;)
        (void)telldir(directory);
    return NULL;
}

static void children_that_list(void) {
    pthread_t other;
    int status;
    DIR *directory = opendir("/");
    if (!directory || pthread_create(&other, NULL, list_forever, directory) != 0)
        fail("thread");
    for (uint32_t i = 0; i < 4 * ROUNDS; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            DIR *own = opendir("/dev/dri");
            _exit(own && readdir(own) && closedir(own) == 0 ? 0 : 1);
        }
        if (waitpid(pid, &status, 0) != pid || status != 0)
            fail("child");
    }
}

static void write_much(const struct program *program) {
    static const char zeros[65536];
    usleep(20000); /* the library has nothing to do */
    for (uint32_t i = 0; i < ROUNDS; i++)
        if (write(program->fd, zeros, sizeof zeros) < 0)
            return;
}

static void ask_oddly(const struct program *program) {
    struct statx about;
    int before = dup(program->fd);
    close(before);
    if (statx(program->fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &about) != 0)
        fail("statx");
    if ((about.stx_mode & S_IFMT) != S_IFCHR || about.stx_rdev_major != 226 || about.stx_rdev_minor != 128)
        fail("statx: not the node");
    /* so Rust's library asks whether the kernel has statx(). Volatile: the compiler would warn */
    const char *volatile no_path = NULL;
    struct statx *volatile no_room = NULL;
    if (statx(0, no_path, 0, STATX_BASIC_STATS, no_room) != -1 || errno != EFAULT)
        fail("statx without a path");
    if (fopen("/dev/dri/renderD128", "q") || errno != EINVAL)
        fail("fopen");
    int after = dup(program->fd);
    close(after);
    if (after != before)
        fail("fopen: a descriptor is left");
    if (before != program->fd + 1)
        fail("open: another descriptor than the program's");
}

/* ---- what takes long ---- */

#define LONG_BYTES  (UINT64_C(4) << 20) /* of commands that do nothing */
#define LONG_PUSHES 12u                 /* of them */

struct long_work {
    struct drm_nouveau_gem_info buffer, nothing;
    volatile uint32_t *at; /* as in submit_value() */
};

static volatile uint32_t *long_at; /* of the last */

static void list(struct drm_nouveau_gem_pushbuf_bo *listed, const struct drm_nouveau_gem_info *buffer, bool writes) {
    *listed = (struct drm_nouveau_gem_pushbuf_bo){
        .handle = buffer->handle,
        .valid_domains = NOUVEAU_GEM_DOMAIN_GART,
        .read_domains = NOUVEAU_GEM_DOMAIN_GART,
        .write_domains = writes ? NOUVEAU_GEM_DOMAIN_GART : 0,
        .presumed = {.valid = 1, .domain = NOUVEAU_GEM_DOMAIN_GART, .offset = buffer->offset}};
}

static struct long_work submit_long(const struct program *program, uint32_t value) {
    struct drm_nouveau_gem_new request = {.info = {.size = LONG_BYTES, .domain = NOUVEAU_GEM_DOMAIN_GART}};
    struct drm_nouveau_gem_pushbuf_push pushes[LONG_PUSHES + 1];
    struct drm_nouveau_gem_pushbuf_bo listed[2];
    call(program, NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), &request, "buffer");
    struct long_work work = {.buffer = new_buffer(program), .nothing = request.info};
    long_at = work.at = map(program, &work.buffer);
    const uint64_t semaphore = work.buffer.offset + 4096;
    const uint32_t words[] = {0x20040004, (uint32_t)(semaphore >> 32), (uint32_t)semaphore, value, 2};
    for (unsigned i = 0; i < 5; i++)
        work.at[i] = words[i];
    list(&listed[0], &work.buffer, true);
    list(&listed[1], &work.nothing, false);
    for (unsigned i = 0; i < LONG_PUSHES; i++)
        pushes[i] = (struct drm_nouveau_gem_pushbuf_push){.bo_index = 1, .length = LONG_BYTES};
    pushes[LONG_PUSHES] = (struct drm_nouveau_gem_pushbuf_push){.length = sizeof words};
    struct drm_nouveau_gem_pushbuf submission = {.channel = (uint32_t)program->channel,
                                                 .nr_buffers = 2,
                                                 .buffers = (uint64_t)(uintptr_t)listed,
                                                 .nr_push = LONG_PUSHES + 1,
                                                 .push = (uint64_t)(uintptr_t)pushes};
    call(program, NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf), &submission, "submit");
    return work;
}

static int prepare(const struct program *program, const struct long_work *work, uint32_t flags) {
    struct drm_nouveau_gem_cpu_prep prep = {.handle = work->buffer.handle, .flags = flags};
    return ioctl(program->fd, NOUVEAU(DRM_NOUVEAU_GEM_CPU_PREP, struct drm_nouveau_gem_cpu_prep), &prep);
}

static void submit_and_wait(const struct program *program) {
    struct long_work work = submit_long(program, 77);
    if (work.at[1024] == 77)
        fail("the submission returned late");
    if (prepare(program, &work, NOUVEAU_GEM_CPU_PREP_NOWAIT) == 0 || errno != EBUSY)
        fail("a buffer in use is not busy");
    if (prepare(program, &work, 0) != 0)
        fail("wait");
    if (work.at[1024] != 77)
        fail("the wait returned early");
    if (prepare(program, &work, NOUVEAU_GEM_CPU_PREP_NOWAIT) != 0)
        fail("a buffer is busy after the wait");
}

static const struct program *handled_program;

/* As one that shuts OpenGL down: makes calls, and ends the program. That was soon if the work still goes on. */
static void call_in_handler(int number) {
    struct drm_nouveau_gem_info buffer = new_buffer(handled_program);
    struct drm_gem_close close = {.handle = buffer.handle};
    (void)number;
    call(handled_program, DRM_IOCTL_GEM_CLOSE, &close, "close in a handler");
    if (long_at[1024] == 1)
        fail("the handler came late");
    exit(0); // NOLINT(bugprone-signal-handler,cert-sig30-c): as programs do it
}

static void end_in_long_work(const struct program *program) {
    const struct sigaction action = {.sa_handler = call_in_handler, .sa_flags = SA_RESTART};
    const struct itimerval soon = {.it_value = {0, 20000}};
    handled_program = program;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    struct long_work work = submit_long(program, 1);
    prepare(program, &work, 0);
    fail("the handler was not called");
}

static void count_alarm(int number) {
    (void)number;
    handled++;
}

/* A wait in which a handler was called: does it return, or go on? */
static void interrupted_wait(const struct program *program, int flags) {
    const struct sigaction action = {.sa_handler = count_alarm, .sa_flags = flags};
    const struct itimerval soon = {.it_value = {0, 20000}};
    struct long_work work = submit_long(program, 77);
    handled = 0;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    int status = prepare(program, &work, 0), error = errno;
    if (handled != 1)
        fail("the handler was not called in the wait");
    if (flags & SA_RESTART ? status != 0 || work.at[1024] != 77 : status == 0 || error != EINTR)
        fail("the wait");
    if (prepare(program, &work, 0) != 0)
        fail("another wait");
}

/* An ignored signal interrupts nothing. */
static void ignored_in_a_wait(const struct program *program) {
    const struct itimerval soon = {.it_value = {0, 20000}};
    struct long_work work = submit_long(program, 77);
    sigaction(SIGALRM, &(const struct sigaction){.sa_handler = SIG_IGN}, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    if (prepare(program, &work, 0) != 0 || work.at[1024] != 77)
        fail("a wait with an ignored signal");
}

/* Neither does a stop, as that of Ctrl-Z: there is no handler. */
static void stopped_in_a_wait(const struct program *program) {
    struct long_work work = submit_long(program, 77);
    const pid_t self = getpid();
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        usleep(20000);
        kill(self, SIGTSTP);
        usleep(20000);
        kill(self, SIGCONT);
        _exit(0);
    }
    if (prepare(program, &work, 0) != 0 || work.at[1024] != 77)
        fail("a wait with a stop");
    if (waitpid(pid, &status, 0) != pid || status != 0)
        fail("child");
}

static void interrupted_waits(const struct program *program) {
    interrupted_wait(program, 0);
    interrupted_wait(program, SA_RESTART);
    ignored_in_a_wait(program);
    stopped_in_a_wait(program);
}

/* ---- all ---- */

static void step(struct program *program, char letter) {
    switch (letter) {
    case 'a':
        forks_in_handlers(program);
        return;
    case 'e':
        end_wherever_it_is(program);
        return;
    case 'n':
        cancelled_threads(program);
        return;
    case 'p':
        children_that_list();
        return;
    case 'w':
        write_much(program);
        return;
    case 'm':
        ask_oddly(program);
        return;
    case 'l':
        submit_and_wait(program);
        return;
    case 'A':
        end_in_long_work(program);
        return;
    case 'E':
        interrupted_waits(program);
        return;
    case 'L':
        submit_long(program, 1);
        return;
    case 'o':
        open_node(program);
        return;
    case 'c':
        open_channel(program);
        return;
    case 's':
        submit_value(program, ++program->value);
        return;
    case 't':
        two_threads(program);
        return;
    case 'd':
    case 'F':
        copy(program, letter == 'F');
        return;
    case 'x':
        close(program->fd);
        return;
    case 'r':
        close_range(3, UINT32_MAX, 0);
        return;
    case 'f':
        child(program);
        return;
    case 'g':
        children_meanwhile(program);
        return;
    case 'v':
        child_that_closes(program);
        return;
    case 'h':
        if (chdir("/") != 0)
            fail("chdir");
        return;
    case 'k':
        kill(getpid(), SIGKILL);
        return;
    default:
        exit(2);
    }
}

int main(int argc, char **argv) {
    struct program program = {.fd = -1};
    for (const char *letter = argc > 1 ? argv[1] : ""; *letter; letter++)
        step(&program, *letter);
    return 0;
}
