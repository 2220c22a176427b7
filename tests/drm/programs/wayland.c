/* SPDX-License-Identifier: MIT */
/*
 * wayland STEP: what Mesa asks of a Wayland compositor, without Mesa; the compositor is this program, too, and has no
 * linux-dmabuf that would do. Ends with 1, and says why, if something is not as it should be.
 */
#include <stdint.h>

#include <drm.h>
#include <drm_fourcc.h>
#include <fcntl.h>
#include <nouveau_drm.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define GEM_NEW DRM_IOWR(DRM_COMMAND_BASE + DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new)

/* The first are the program's, as libwayland would number them. */
enum { DISPLAY = 1, REGISTRY, COMPOSITOR, SURFACE, DMABUF, PARAMS, BUFFER, FEEDBACK, OTHER, SHM, POOL };
enum { WIDTH = 75, HEIGHT = 53, PITCH = 320, TALL = 64, HEAD = 8, SHM_NAME = 9, COMPOSITOR_NAME = 4, MOST = 4096 };

static int listener, program, compositor, node = -1;
static int pool_file = -1; /* the compositor's, of the last buffer */

struct message {
    uint32_t object, code, words[MOST / 4];
    size_t bytes;
    int fd; /* -1: none came */
};

static void must(bool is, const char *what) {
    if (is)
        return;
    fprintf(stderr, "wayland: %s\n", what);
    exit(1);
}

/* ---- messages ---- */

static void send_bytes(int to, const void *data, size_t bytes, int fd) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof fd)];
    } control = {0};
    struct iovec part = {(void *)(uintptr_t)data, bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        control.header = (struct cmsghdr){CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    }
    must(sendmsg(to, &message, 0) == (ssize_t)bytes, "a message cannot be sent");
}

static size_t compose(uint32_t *to, uint32_t object, uint32_t code, const uint32_t *words, size_t count) {
    to[0] = object;
    to[1] = (uint32_t)(HEAD + 4 * count) << 16 | code;
    memcpy(to + 2, words, 4 * count);
    return HEAD + 4 * count;
}

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4
#define NOTHING    NULL, 0

static void say_with(int to, int fd, uint32_t object, uint32_t code, const uint32_t *words, size_t count) {
    uint32_t message[64];
    if (!count)
        words = message;
    send_bytes(to, message, compose(message, object, code, words, count), fd);
}

static void say(int to, uint32_t object, uint32_t code, const uint32_t *words, size_t count) {
    say_with(to, -1, object, code, words, count);
}

/* A word, a string, and one or two words more: wl_registry.global and bind. */
static void say_interface(int to, uint32_t code, uint32_t name, const char *interface, const uint32_t *rest,
                          size_t count) {
    uint32_t words[32] = {name, (uint32_t)strlen(interface) + 1};
    size_t length = 2 + (strlen(interface) + 4) / 4;
    memcpy(words + 2, interface, strlen(interface));
    memcpy(words + length, rest, 4 * count);
    say(to, REGISTRY, code, words, length + count);
}

static void hear_bytes(int from, void *to, size_t bytes, int *fd) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof *fd)];
    } control;
    struct iovec part = {to, bytes};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    must(recvmsg(from, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC) == (ssize_t)bytes, "a message does not come");
    if (message.msg_controllen >= CMSG_LEN(sizeof *fd))
        memcpy(fd, CMSG_DATA(&control.header), sizeof *fd);
}

static struct message hear(int from) {
    struct message message = {.fd = -1};
    uint32_t head[2];
    hear_bytes(from, head, sizeof head, &message.fd);
    message.object = head[0];
    message.code = head[1] & 0xffff;
    message.bytes = (head[1] >> 16) - HEAD;
    must(message.bytes <= MOST, "a message is too long");
    if (message.bytes)
        hear_bytes(from, message.words, message.bytes, &message.fd);
    return message;
}

static struct message hear_that(int from, uint32_t object, uint32_t code, const uint32_t *words, size_t count) {
    struct message message = hear(from);
    if (message.object != object || message.code != code || message.bytes < 4 * count ||
        (count && memcmp(message.words, words, 4 * count) != 0)) {
        fprintf(stderr, "wayland: message %u of %u with %u %u %u comes, and not %u of %u\n", message.code,
                message.object, message.words[0], message.words[1], message.words[2], code, object);
        exit(1);
    }
    return message;
}

/* ---- the connection ---- */

static void listen_for_programs(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/wayland-test", getenv("XDG_RUNTIME_DIR"));
    setenv("WAYLAND_DISPLAY", "wayland-test", 1);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(bind(listener, (const struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 1) == 0,
         "nobody can connect");
    program = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(connect(program, (const struct sockaddr *)&address, sizeof address) == 0, "the program cannot connect");
    compositor = accept(listener, NULL, NULL);
    const struct timeval patience = {.tv_sec = 20};
    setsockopt(compositor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(program, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    unlink(address.sun_path);
}

/* Globals of the compositor, of which two are not for the program. */
static void show_globals(void) {
    say(program, DISPLAY, 1, WORDS(REGISTRY));
    hear_that(compositor, DISPLAY, 1, WORDS(REGISTRY));
    say_interface(compositor, 0, 3, "zwp_linux_dmabuf_v1", WORDS(3));
    say_interface(compositor, 0, COMPOSITOR_NAME, "wl_compositor", WORDS(4));
    say_interface(compositor, 0, 5, "wl_drm", WORDS(2));
    say_interface(compositor, 0, SHM_NAME, "wl_shm", WORDS(1));
    say_interface(compositor, 0, 10, "wl_output", WORDS(3));
}

/* The name that the program has for the model's linux-dmabuf. */
static uint32_t hear_globals(void) {
    hear_that(program, REGISTRY, 0, WORDS(COMPOSITOR_NAME));
    hear_that(program, REGISTRY, 0, WORDS(SHM_NAME));
    struct message ours = hear_that(program, REGISTRY, 0, NOTHING);
    must(strcmp((const char *)&ours.words[2], "zwp_linux_dmabuf_v1") == 0 && ours.words[7] == 4, "no linux-dmabuf 4");
    hear_that(program, REGISTRY, 0, WORDS(10));
    return ours.words[0];
}

static void bind_globals(void) {
    show_globals();
    uint32_t dmabuf = hear_globals();
    say_interface(program, 0, COMPOSITOR_NAME, "wl_compositor", WORDS(4, COMPOSITOR));
    say(program, COMPOSITOR, 0, WORDS(SURFACE));
    say_interface(program, 0, dmabuf, "zwp_linux_dmabuf_v1", WORDS(4, DMABUF));
    hear_that(compositor, REGISTRY, 0, WORDS(COMPOSITOR_NAME));
    hear_that(compositor, COMPOSITOR, 0, WORDS(SURFACE));
    struct message shm = hear_that(compositor, REGISTRY, 0, WORDS(SHM_NAME));
    must(strcmp((const char *)&shm.words[2], "wl_shm") == 0 && shm.words[4] == 1 && shm.words[5] == DMABUF,
         "linux-dmabuf is not bound as wl_shm");
    say(compositor, DMABUF, 0, WORDS(1)); /* its formats are not for the program */
}

/* ---- buffers ---- */

static uint32_t pixel(unsigned x, unsigned y, uint32_t seed) {
    return (x * 0x010305 + y * 0x070b01) ^ seed;
}

static int make_buffer(uint32_t **memory) {
    struct drm_nouveau_gem_new new = {
        .info = {.domain = NOUVEAU_GEM_DOMAIN_GART | NOUVEAU_GEM_DOMAIN_MAPPABLE, .size = (uint64_t)PITCH * TALL}};
    if (node < 0)
        node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    must(ioctl(node, GEM_NEW, &new) == 0, "no buffer");
    struct drm_prime_handle prime = {.handle = new.info.handle, .flags = DRM_CLOEXEC | DRM_RDWR};
    must(ioctl(node, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime) == 0, "no descriptor of the buffer");
    *memory = mmap(NULL, PITCH * TALL, PROT_READ | PROT_WRITE, MAP_SHARED, node, (off_t) new.info.map_handle);
    must(*memory != MAP_FAILED, "the buffer cannot be mapped");
    return prime.fd;
}

static void fill(uint32_t *memory, uint32_t seed) {
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            memory[y * PITCH / 4 + x] = pixel(x, y, seed);
}

static void expect(const uint32_t *pool, uint32_t seed) {
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            must(pool[y * WIDTH + x] == pixel(x, y, seed), "the compositor has another picture");
}

/* zwp_linux_buffer_params_v1.add of a linear buffer. */
static void add(int fd) {
    say_with(program, fd, PARAMS, 1, WORDS(0, 0, PITCH, 0, 0));
}

/* The compositor's side of it: the memory of its pool. */
static const uint32_t *hear_buffer(void) {
    struct message pool = hear_that(compositor, DMABUF, 0, WORDS(PARAMS));
    must(pool.fd >= 0, "the pool has no memory");
    pool_file = pool.fd;
    hear_that(compositor, PARAMS, 2, WORDS(4 * WIDTH * HEIGHT));
    hear_that(compositor, PARAMS, 0, WORDS(BUFFER, 0, WIDTH, HEIGHT, 4 * WIDTH, 1));
    hear_that(compositor, PARAMS, 1, NOTHING);
    struct stat as;
    must(fstat(pool.fd, &as) == 0 && as.st_size >= 4 * WIDTH * HEIGHT, "the pool is too small");
    const uint32_t *memory = mmap(NULL, 4 * WIDTH * HEIGHT, PROT_READ, MAP_SHARED, pool.fd, 0);
    must(memory != MAP_FAILED, "the pool cannot be mapped");
    return memory;
}

static const uint32_t *share_buffer(int fd) {
    say(program, DMABUF, 1, WORDS(PARAMS));
    add(fd);
    close(fd);
    say(program, PARAMS, 3, WORDS(BUFFER, WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, 0));
    say(program, PARAMS, 0, NOTHING);
    return hear_buffer();
}

static void show(void) {
    say(program, SURFACE, 1, WORDS(BUFFER, 0, 0));
    say(program, SURFACE, 6, NOTHING);
    hear_that(compositor, SURFACE, 1, WORDS(BUFFER));
    hear_that(compositor, SURFACE, 6, NOTHING);
}

/* ---- steps ---- */

static void commits_bring_pictures(void) {
    uint32_t *buffer;
    int fd = make_buffer(&buffer);
    bind_globals();
    const uint32_t *pool = share_buffer(fd);
    for (uint32_t frame = 1; frame < 4; frame++) {
        fill(buffer, frame * 0x123457);
        show();
        expect(pool, frame * 0x123457);
        say(compositor, BUFFER, 0, NOTHING);
        hear_that(program, BUFFER, 0, NOTHING);
    }
    fill(buffer, 0);
    say(program, SURFACE, 6, NOTHING); /* without a new buffer */
    hear_that(compositor, SURFACE, 6, NOTHING);
    expect(pool, 3 * 0x123457);
    say(program, BUFFER, 0, NOTHING);
    hear_that(compositor, BUFFER, 0, NOTHING);
    say(compositor, DISPLAY, 1, WORDS(BUFFER));
    hear_that(program, DISPLAY, 1, WORDS(BUFFER));
    show(); /* what was a buffer may be any object now */
}

static void pools_never_get_smaller(void) {
    uint32_t *buffer;
    int fd = make_buffer(&buffer);
    bind_globals();
    const uint32_t *pool = share_buffer(fd);
    must(ftruncate(pool_file, 0) != 0, "the compositor takes the memory of the picture");
    must(ftruncate(pool_file, 8 * WIDTH * HEIGHT) == 0, "the pool cannot get larger");
    fill(buffer, 0x123457);
    show();
    expect(pool, 0x123457);
}

static void feedback_tells_formats(void) {
    uint32_t device[2], *buffer;
    close(make_buffer(&buffer));
    bind_globals();
    say(program, DMABUF, 2, WORDS(FEEDBACK));
    must(hear_that(compositor, DMABUF, 0, WORDS(FEEDBACK)).fd >= 0, "the object has no pool");
    struct message table = hear_that(program, FEEDBACK, 1, WORDS(2 * 7 * 16));
    struct rows {
        uint32_t format, unused;
        uint64_t modifier;
    } rows[14];
    must(table.fd >= 0 && pread(table.fd, rows, sizeof rows, 0) == sizeof rows, "no table");
    must(rows[0].format == DRM_FORMAT_XRGB8888 && rows[7].format == DRM_FORMAT_ARGB8888 &&
             rows[6].modifier == DRM_FORMAT_MOD_LINEAR && rows[13].modifier == DRM_FORMAT_MOD_LINEAR,
         "another table");
    struct message main = hear_that(program, FEEDBACK, 2, WORDS(8));
    memcpy(device, main.words + 1, sizeof device);
    must(device[0] == (226 << 8 | 128) && device[1] == 0, "another device");
    hear_that(program, FEEDBACK, 4, WORDS(8, device[0], device[1]));
    hear_that(program, FEEDBACK, 6, WORDS(0));
    hear_that(program, FEEDBACK, 5, WORDS(28, 1 << 16, 3 << 16 | 2));
    hear_that(program, FEEDBACK, 3, NOTHING);
    hear_that(program, FEEDBACK, 0, NOTHING);
    say(program, FEEDBACK, 0, NOTHING);
    hear_that(compositor, FEEDBACK, 1, NOTHING);
}

static ino_t inode(int fd) {
    struct stat as;
    must(fstat(fd, &as) == 0, "a descriptor is none");
    return as.st_ino;
}

/* In one piece: a pool of the program's own, a buffer of the model, and something that nothing is known of. */
static void descriptors_stay_with_their_messages(void) {
    uint32_t *buffer, batch[128];
    size_t bytes = 0;
    int fds[3] = {memfd_create("own", MFD_CLOEXEC), make_buffer(&buffer), memfd_create("other", MFD_CLOEXEC)};
    bind_globals();
    say_interface(program, 0, SHM_NAME, "wl_shm", WORDS(1, SHM));
    hear_that(compositor, REGISTRY, 0, WORDS(SHM_NAME));
    bytes += compose(batch + bytes / 4, DMABUF, 1, WORDS(PARAMS));
    bytes += compose(batch + bytes / 4, SHM, 0, WORDS(POOL, 4096));
    bytes += compose(batch + bytes / 4, PARAMS, 1, WORDS(0, 0, PITCH, 0, 0));
    bytes += compose(batch + bytes / 4, PARAMS, 3, WORDS(BUFFER, WIDTH, HEIGHT, DRM_FORMAT_ARGB8888, 0));
    bytes += compose(batch + bytes / 4, OTHER, 7, WORDS(1234));
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof fds)];
    } control = {.header = {CMSG_LEN(sizeof fds), SOL_SOCKET, SCM_RIGHTS}};
    memcpy(CMSG_DATA(&control.header), fds, sizeof fds);
    struct iovec part = {batch, bytes};
    struct msghdr whole = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    must(sendmsg(program, &whole, 0) == (ssize_t)bytes, "the batch cannot be sent");
    int got[3];
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof got)];
    } come;
    struct iovec room = {batch, sizeof batch};
    struct msghdr all = {.msg_iov = &room, .msg_iovlen = 1, .msg_control = &come, .msg_controllen = sizeof come};
    must(recvmsg(compositor, &all, 0) > 0 && all.msg_controllen && come.header.cmsg_len == CMSG_LEN(sizeof got),
         "not three descriptors");
    memcpy(got, CMSG_DATA(&come.header), sizeof got);
    must(inode(got[0]) != inode(fds[0]) && inode(got[1]) == inode(fds[0]) && inode(got[2]) == inode(fds[2]),
         "descriptors are out of order");
    must(batch[0] == DMABUF && batch[4] == SHM, "messages are out of order");
}

static void pieces_become_messages(void) {
    uint32_t message[8];
    bind_globals();
    size_t bytes = compose(message, OTHER, 3, WORDS(1, 2, 3));
    for (int way = 0; way < 2; way++) {
        int from = way ? compositor : program, to = way ? program : compositor;
        for (size_t i = 0; i < bytes; i++)
            send_bytes(from, (const uint8_t *)message + i, 1, -1);
        hear_that(to, OTHER, 3, WORDS(1, 2, 3));
    }
}

/* What the program did wrong, and the end of the connection. */
static void expect_error(uint32_t object, uint32_t code) {
    char byte;
    hear_that(program, DISPLAY, 0, WORDS(object, code));
    must(read(program, &byte, 1) == 0, "the connection goes on");
    while (read(compositor, &byte, 1) == 1)
        ;
    close(program);
    close(compositor);
    close(listener);
}

static void wrong_buffers_are_errors_of_the_protocol(void) {
    static const struct wrong {
        uint32_t width, height, format, flags;
    } wrong[] = {{WIDTH, 10 * TALL, DRM_FORMAT_XRGB8888, 0},
                 {WIDTH, HEIGHT, DRM_FORMAT_RGB565, 0},
                 {WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, 1},
                 {0, HEIGHT, DRM_FORMAT_XRGB8888, 0},
                 {0x80000001, 0x80000001, DRM_FORMAT_XRGB8888, 0}};
    uint32_t *buffer;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (i)
            listen_for_programs();
        bind_globals();
        say(program, DMABUF, 1, WORDS(PARAMS));
        add(make_buffer(&buffer));
        say(program, PARAMS, 3, WORDS(BUFFER, wrong[i].width, wrong[i].height, wrong[i].format, wrong[i].flags));
        expect_error(PARAMS, 7);
    }
    listen_for_programs();
    bind_globals();
    say(program, DMABUF, 1, WORDS(PARAMS));
    add(memfd_create("none of the model", MFD_CLOEXEC));
    expect_error(PARAMS, 7);
    listen_for_programs();
    bind_globals();
    say(program, DMABUF, 1, WORDS(PARAMS));
    say(program, PARAMS, 3, WORDS(BUFFER, WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, 0));
    expect_error(PARAMS, 3);
}

static const struct step {
    const char *name;
    void (*run)(void);
} steps[] = {{"pictures", commits_bring_pictures}, {"pools", pools_never_get_smaller},
             {"feedback", feedback_tells_formats}, {"descriptors", descriptors_stay_with_their_messages},
             {"pieces", pieces_become_messages},   {"wrong", wrong_buffers_are_errors_of_the_protocol}};

int main(int argc, char **argv) {
    listen_for_programs();
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (argc == 2 && strcmp(argv[1], steps[i].name) == 0) {
            steps[i].run();
            return 0;
        }
    return 2;
}
