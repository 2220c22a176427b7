/* SPDX-License-Identifier: MIT */
/*
 * Two processes, each with a card of its own: what one makes is sent to the other by a socket. Without any library, for
 * chips that have the commands of GF100. The argument says what is done:
 *
 *   buffer  the child writes to the parent's buffer by its own card, and the parent waits for it (GEM_CPU_PREP)
 *   sync    the child has a sync object and a sync file of work of the parent's, and waits for them
 *   exec    as sync, after an exec of this program: "child" with the number of the socket
 *   die     the child ends with the parent's buffer in use
 *   event   the child's eventfds, and a sync file that it makes of the parent's, are told without another call of it
 *   idle    the child waits for a second for what does not come, and says how much time of a processor that took
 */
#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <nouveau_drm.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOUVEAU(number, structure) DRM_IOWR(DRM_COMMAND_BASE + (number), structure)
#define PAGE                       4096u
#define AT                         UINT64_C(0x3fffff0000)
#define SECOND                     INT64_C(1000000000)

struct vm_init {
    uint64_t begin, bytes;
};
struct bind_operation {
    uint32_t operation, flags, handle, pad;
    uint64_t address, offset, bytes;
};
struct vm_bind {
    uint32_t operation_count, flags, wait_count, signal_count;
    uint64_t waits, signals, operations;
};
struct sync {
    uint32_t flags, handle;
    uint64_t point;
};
struct push {
    uint64_t address;
    uint32_t bytes, flags;
};
struct event {
    uint32_t handle, flags;
    uint64_t point;
    int32_t fd;
    uint32_t pad;
};
struct exec {
    uint32_t channel, push_count, wait_count, signal_count;
    uint64_t waits, signals, pushes;
};

static const char *who = "parent";

static void fail(const char *what) {
    fprintf(stderr, "%s: %s: %s\n", who, what, strerror(errno));
    exit(1);
}

static void require(bool good, const char *what) {
    if (good)
        return;
    fprintf(stderr, "%s: %s\n", who, what);
    exit(1);
}

static void call(int fd, unsigned long request, void *structure, const char *what) {
    if (ioctl(fd, request, structure) != 0)
        fail(what);
}

/* ---- descriptors by sockets ---- */

union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
};

static void send_fd(int socket, int fd) {
    union control control = {{0}};
    char byte = 'x';
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    if (sendmsg(socket, &message, 0) != 1)
        fail("sendmsg");
}

static int receive_fd(int socket) {
    union control control = {{0}};
    char byte;
    int fd = -1;
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message))
        fail("recvmsg");
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    return fd;
}

static void tell(int socket) {
    if (write(socket, "x", 1) != 1)
        fail("write");
}

static void hear(int socket) {
    char byte;
    if (read(socket, &byte, 1) != 1)
        fail("read");
}

/* ---- a card ---- */

struct card {
    int fd, channel;
    volatile uint32_t *semaphore; /* at AT */
    uint32_t code;                /* pages used so far, behind it */
};

static uint32_t new_buffer(int fd, void **memory) {
    struct drm_nouveau_gem_new new = {.info = {.domain = NOUVEAU_GEM_DOMAIN_GART, .size = PAGE}};
    call(fd, NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), &new, "GEM_NEW");
    *memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t) new.info.map_handle);
    require(*memory != MAP_FAILED, "mmap");
    return new.info.handle;
}

static void map_at(int fd, uint32_t handle, uint64_t address) {
    const struct bind_operation map = {.handle = handle, .address = address, .bytes = PAGE};
    struct vm_bind bind = {.operation_count = 1, .operations = (uintptr_t)&map};
    call(fd, NOUVEAU(0x11, struct vm_bind), &bind, "VM_BIND");
}

static struct card open_card(void) {
    struct card card = {.fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC)};
    struct vm_init init = {UINT64_C(1) << 39, UINT64_C(1) << 39};
    struct drm_nouveau_channel_alloc alloc = {.fb_ctxdma_handle = 0xbeef0201, .tt_ctxdma_handle = 0xbeef0202};
    void *memory;
    if (card.fd < 0)
        fail("open");
    call(card.fd, NOUVEAU(0x10, struct vm_init), &init, "VM_INIT");
    call(card.fd, NOUVEAU(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc), &alloc, "CHANNEL_ALLOC");
    card.channel = alloc.channel;
    map_at(card.fd, new_buffer(card.fd, &memory), AT);
    card.semaphore = memory;
    return card;
}

/* Host methods 0x10 .. 0x1c: acquire (1), or release (2), of a word at an address. */
static uint32_t put(uint32_t *words, uint64_t address, uint32_t value, uint32_t operation) {
    const uint32_t all[] = {0x20000000 | 4 << 16 | 0x10 >> 2, (uint32_t)(address >> 32), (uint32_t)address, value,
                            operation};
    memcpy(words, all, sizeof all);
    return 5;
}

/* Wait for `wait` in the semaphore (0: do not), and write a value at an address. */
static void submit(struct card *card, uint32_t wait, uint64_t address, uint32_t value, const struct sync *signals,
                   uint32_t count) {
    void *memory;
    const uint64_t at = AT + PAGE * (UINT64_C(16) + card->code++);
    map_at(card->fd, new_buffer(card->fd, &memory), at);
    uint32_t words = wait ? put(memory, AT, wait, 0x1001) : 0;
    words += put((uint32_t *)memory + words, address, value, 0x1002);
    const struct push push = {.address = at, .bytes = 4 * words};
    struct exec exec = {.channel = (uint32_t)card->channel,
                        .push_count = 1,
                        .pushes = (uintptr_t)&push,
                        .signal_count = count,
                        .signals = (uintptr_t)signals};
    call(card->fd, NOUVEAU(0x12, struct exec), &exec, "EXEC");
}

static int prep(int fd, uint32_t handle, uint32_t flags) {
    struct drm_nouveau_gem_cpu_prep request = {.handle = handle, .flags = flags};
    return ioctl(fd, NOUVEAU(DRM_NOUVEAU_GEM_CPU_PREP, struct drm_nouveau_gem_cpu_prep), &request) ? -errno : 0;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

static uint32_t new_object(int fd) {
    struct drm_syncobj_create create = {0};
    call(fd, DRM_IOCTL_SYNCOBJ_CREATE, &create, "SYNCOBJ_CREATE");
    return create.handle;
}

static int wait_for(int fd, uint32_t handle, int64_t until) {
    struct drm_syncobj_wait wait = {.handles = (uintptr_t)&handle, .count_handles = 1, .timeout_nsec = until};
    return ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait) ? -errno : 0;
}

static int object_fd(int fd, uint32_t handle, uint32_t flags) {
    struct drm_syncobj_handle request = {.handle = handle, .flags = flags};
    call(fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &request, "SYNCOBJ_HANDLE_TO_FD");
    return request.fd;
}

static uint32_t object_of(int fd, int of, uint32_t handle, uint32_t flags) {
    struct drm_syncobj_handle request = {.handle = handle, .flags = flags, .fd = of};
    call(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &request, "SYNCOBJ_FD_TO_HANDLE");
    return request.handle;
}

/* ---- children ---- */

static uint32_t import(int fd, int of) {
    struct drm_prime_handle prime = {.fd = of};
    call(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime, "PRIME_FD_TO_HANDLE");
    return prime.handle;
}

/* It says when its work is submitted, which waits; and lets it go when it hears something. */
static void child_buffer(int socket, bool dies) {
    struct card card = open_card();
    int fd = receive_fd(socket);
    volatile uint32_t *memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    require(memory != MAP_FAILED && memory[1] == 0x1234, "the buffer has not what the parent wrote");
    memory[2] = 0x5678;
    map_at(card.fd, import(card.fd, fd), AT + PAGE);
    submit(&card, 1, AT + PAGE, 77, NULL, 0);
    tell(socket);
    hear(socket);
    if (dies)
        _exit(0);
    *card.semaphore = 1;
    hear(socket);
}

static void child_sync(int socket) {
    struct card card = open_card();
    uint32_t object = object_of(card.fd, receive_fd(socket), 0, 0), other = new_object(card.fd);
    int file = receive_fd(socket);
    struct pollfd at = {.fd = file, .events = POLLIN};
    object_of(card.fd, file, other, DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE);
    require(wait_for(card.fd, object, 0) == -ETIME && wait_for(card.fd, other, 0) == -ETIME && poll(&at, 1, 0) == 0,
            "what waits is not done");
    tell(socket);
    require(wait_for(card.fd, object, now() + 20 * SECOND) == 0, "the object is not done");
    require(wait_for(card.fd, other, now() + 20 * SECOND) == 0, "the sync file is not done");
    require(poll(&at, 1, 20000) == 1, "the sync file cannot be read");
    struct drm_syncobj_array array = {.handles = (uintptr_t)&object, .count_handles = 1};
    call(card.fd, DRM_IOCTL_SYNCOBJ_RESET, &array, "SYNCOBJ_RESET");
    tell(socket);
}

static int new_event(int fd, uint32_t handle, uint64_t count) {
    struct event event = {.handle = handle, .point = 5, .fd = eventfd(0, EFD_CLOEXEC)};
    require(event.fd >= 0 && write(event.fd, &count, sizeof count) == sizeof count, "eventfd");
    call(fd, DRM_IOWR(0xcf, struct event), &event, "SYNCOBJ_EVENTFD");
    return event.fd;
}

/* Nothing but poll() from the time on that the parent hears of it. One eventfd is full, and is not waited for. */
static void child_event(int socket) {
    struct card card = open_card();
    uint32_t object = object_of(card.fd, receive_fd(socket), 0, 0), other = new_object(card.fd);
    uint64_t count;
    object_of(card.fd, receive_fd(socket), other, DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE);
    int file = object_fd(card.fd, other, DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE),
        full = new_event(card.fd, object, UINT64_MAX - 1), event = new_event(card.fd, object, 0);
    struct pollfd at = {.fd = event, .events = POLLIN}, of_file = {.fd = file, .events = POLLIN};
    require(poll(&at, 1, 0) == 0 && poll(&of_file, 1, 0) == 0, "what has not come is told");
    tell(socket);
    require(poll(&at, 1, 20000) == 1, "the eventfd is not told");
    require(read(event, &count, sizeof count) == sizeof count && count == 1, "the eventfd is told more than once");
    require(read(full, &count, sizeof count) == sizeof count && count == UINT64_MAX - 1, "what was full has changed");
    require(!(fcntl(event, F_GETFL) & O_NONBLOCK), "the eventfd has another flag");
    require(poll(&of_file, 1, 0) == 0, "the sync file is told too early");
    tell(socket);
    require(poll(&of_file, 1, 20000) == 1, "the sync file is not told");
}

static double processor_time(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void child_idle(int socket) {
    struct card card = open_card();
    uint32_t object = object_of(card.fd, receive_fd(socket), 0, 0);
    double before = processor_time();
    require(wait_for(card.fd, object, now() + SECOND) == -ETIME, "nobody has let it go");
    printf("waiting %.3f\n", processor_time() - before);
    before = processor_time();
    usleep(1000000);
    printf("idle %.3f\n", processor_time() - before);
    tell(socket);
    hear(socket);
}

/* ---- parents ---- */

static void parent_buffer(int socket, bool dies) {
    struct card card = open_card();
    void *memory;
    uint32_t handle = new_buffer(card.fd, &memory);
    volatile uint32_t *words = memory;
    words[1] = 0x1234;
    struct drm_prime_handle prime = {.handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR};
    call(card.fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime, "PRIME_HANDLE_TO_FD");
    send_fd(socket, prime.fd);
    hear(socket);
    require(words[2] == 0x5678, "the buffer has not what the child wrote");
    require(prep(card.fd, handle, NOUVEAU_GEM_CPU_PREP_NOWAIT) == -EBUSY, "the child's work is not waited for");
    tell(socket);
    require(prep(card.fd, handle, 0) == 0, "the child's work does not end");
    require(words[0] == (dies ? 0 : 77), "the child's card has not written what it should");
    if (!dies)
        tell(socket);
}

static void parent_sync(int socket, bool lets_go) {
    struct card card = open_card();
    uint32_t object = new_object(card.fd);
    const struct sync signal = {.handle = object};
    submit(&card, 1, AT + 64, 5, &signal, 1);
    send_fd(socket, object_fd(card.fd, object, 0));
    if (lets_go)
        send_fd(socket, object_fd(card.fd, object, DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE));
    hear(socket);
    *card.semaphore = 1;
    if (!lets_go) {
        tell(socket);
        return;
    }
    hear(socket);
    require(wait_for(card.fd, object, 0) == -EINVAL, "the child's reset is not seen");
}

/* A while later, when the child's thread sleeps. */
static void parent_event(int socket) {
    struct card card = open_card();
    uint64_t point = 5;
    uint32_t line = new_object(card.fd), object = new_object(card.fd);
    const struct sync signal = {.handle = object};
    struct drm_syncobj_timeline_array points = {
        .handles = (uintptr_t)&line, .points = (uintptr_t)&point, .count_handles = 1};
    submit(&card, 1, AT + 64, 5, &signal, 1);
    send_fd(socket, object_fd(card.fd, line, 0));
    send_fd(socket, object_fd(card.fd, object, DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE));
    hear(socket);
    usleep(100000);
    call(card.fd, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &points, "SYNCOBJ_TIMELINE_SIGNAL");
    hear(socket);
    usleep(100000);
    *card.semaphore = 1;
    require(wait_for(card.fd, object, now() + 20 * SECOND) == 0, "the work does not end");
}

static int run_child(const char *what, int socket) {
    who = "child";
    if (strcmp(what, "buffer") == 0 || strcmp(what, "die") == 0)
        child_buffer(socket, strcmp(what, "die") == 0);
    else if (strcmp(what, "idle") == 0)
        child_idle(socket);
    else if (strcmp(what, "event") == 0)
        child_event(socket);
    else
        child_sync(socket);
    return 0;
}

static void run_parent(const char *what, int socket) {
    if (strcmp(what, "buffer") == 0 || strcmp(what, "die") == 0)
        parent_buffer(socket, strcmp(what, "die") == 0);
    else if (strcmp(what, "event") == 0)
        parent_event(socket);
    else
        parent_sync(socket, strcmp(what, "idle") != 0);
}

int main(int count, char **arguments) {
    int sockets[2], status;
    char number[16];
    if (count == 3)
        return run_child("sync", atoi(arguments[2]));
    if (count != 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return 2;
    if (strcmp(arguments[1], "exec") == 0) {
        struct card before = open_card(); /* the child of fork() has this one behind it */
        (void)before;
    }
    pid_t child = fork();
    if (child == 0) {
        close(sockets[0]);
        if (strcmp(arguments[1], "exec") != 0)
            return run_child(arguments[1], sockets[1]);
        snprintf(number, sizeof number, "%d", sockets[1]);
        execl(arguments[0], arguments[0], "child", number, (char *)NULL);
        fail("exec");
    }
    close(sockets[1]);
    run_parent(arguments[1], sockets[0]);
    if (waitpid(child, &status, 0) != child || status != 0)
        require(false, "the child has failed");
    puts("good");
    return 0;
}
