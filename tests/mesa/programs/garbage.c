/* SPDX-License-Identifier: MIT */
/*
 * garbage KIND: a channel of its own gets wrong commands, beside a context that paints before and after.
 *   random  words without sense: nothing is promised of the channel, but every submission returns
 *   fault   GF100 and later: a semaphore where no memory is; the channel is killed: ENODEV
 *   loop    a jump to itself: the channel is killed
 */
#include <GLES2/gl2.h>
#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <nouveau_drm.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "screen.h"

enum { BYTES = 4096, WORDS = BYTES / 4, MOST_SUBMISSIONS = 16 };

#define REQUEST_OF(number, type) DRM_IOWR(DRM_COMMAND_BASE + (number), type)
#define REQUEST_CHANNEL_ALLOC    REQUEST_OF(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc)
#define REQUEST_GEM_NEW          REQUEST_OF(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new)
#define REQUEST_GEM_PUSHBUF      REQUEST_OF(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf)
#define REQUEST_GEM_CPU_PREP     DRM_IOW(DRM_COMMAND_BASE + DRM_NOUVEAU_GEM_CPU_PREP, struct drm_nouveau_gem_cpu_prep)

struct rogue {
    int fd;
    struct drm_nouveau_channel_alloc channel;
    struct drm_nouveau_gem_new buffer;
    uint32_t *words;
};

/* 0 or -errno. */
static int ask(const struct rogue *rogue, unsigned long request, void *argument) {
    return ioctl(rogue->fd, request, argument) < 0 ? -errno : 0;
}

static void open_rogue(struct rogue *rogue) {
    rogue->fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    if (rogue->fd < 0)
        screen_fail("no render node");
    rogue->channel.fb_ctxdma_handle = 0xbeef0201;
    rogue->channel.tt_ctxdma_handle = 0xbeef0202;
    if (ask(rogue, REQUEST_CHANNEL_ALLOC, &rogue->channel))
        screen_fail("no channel: %s", strerror(errno));
    rogue->buffer.info.domain = NOUVEAU_GEM_DOMAIN_GART | NOUVEAU_GEM_DOMAIN_MAPPABLE;
    rogue->buffer.info.size = BYTES;
    rogue->buffer.align = BYTES;
    if (ask(rogue, REQUEST_GEM_NEW, &rogue->buffer))
        screen_fail("no buffer: %s", strerror(errno));
    rogue->words =
        mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, rogue->fd, (off_t)rogue->buffer.info.map_handle);
    if (rogue->words == MAP_FAILED)
        screen_fail("no mapping: %s", strerror(errno));
}

static int submit(const struct rogue *rogue, uint32_t words) {
    struct drm_nouveau_gem_pushbuf_bo buffer = {.handle = rogue->buffer.info.handle,
                                                .read_domains = NOUVEAU_GEM_DOMAIN_GART,
                                                .valid_domains = NOUVEAU_GEM_DOMAIN_GART,
                                                .presumed = {1, NOUVEAU_GEM_DOMAIN_GART, rogue->buffer.info.offset}};
    struct drm_nouveau_gem_pushbuf_push push = {.length = (uint64_t)words * 4};
    struct drm_nouveau_gem_pushbuf request = {.channel = (uint32_t)rogue->channel.channel,
                                              .nr_buffers = 1,
                                              .buffers = (uintptr_t)&buffer,
                                              .nr_push = 1,
                                              .push = (uintptr_t)&push};
    return ask(rogue, REQUEST_GEM_PUSHBUF, &request);
}

/* For the commands: a submission returns before they are done. */
static void wait_for(const struct rogue *rogue) {
    struct drm_nouveau_gem_cpu_prep prep = {.handle = rogue->buffer.info.handle, .flags = NOUVEAU_GEM_CPU_PREP_WRITE};
    if (ask(rogue, REQUEST_GEM_CPU_PREP, &prep))
        screen_fail("a wait ends with: %s", strerror(errno));
}

/* Until the channel is killed: that it is may be known only after the submission that did it. */
static void expect_killed(const struct rogue *rogue, uint32_t words) {
    int status = 0;
    for (unsigned i = 0; i < MOST_SUBMISSIONS && status == 0; i++) {
        status = submit(rogue, words);
        wait_for(rogue);
    }
    if (status != -ENODEV)
        screen_fail("a wrong submission ends with %d, not ENODEV", status);
    if (submit(rogue, words) != -ENODEV)
        screen_fail("a killed channel works again");
}

static void random_words(const struct rogue *rogue) {
    uint32_t seed = 77;
    for (unsigned i = 0; i < MOST_SUBMISSIONS; i++) {
        for (unsigned word = 0; word < WORDS; word++)
            rogue->words[word] = canvas_random(&seed) << 16 | canvas_random(&seed);
        int status = submit(rogue, WORDS);
        if (status && status != -ENODEV)
            screen_fail("words without sense end with %d", status);
    }
}

/* Methods 0x10..0x1c of subchannel 0: address, value, release (four bytes). */
static void fault(const struct rogue *rogue) {
    const uint32_t release[] = {0x20040004, 0xff, 0xfffff000, 1, 0x01000002};
    memcpy(rogue->words, release, sizeof release);
    expect_killed(rogue, sizeof release / 4);
}

/* Before GF100, jumps are words of the pushbuffer: 0x20000000 | address, and the address is 29 bits wide. */
static void loop(const struct rogue *rogue) {
    rogue->words[0] = 0x20000000u | (uint32_t)rogue->buffer.info.offset;
    expect_killed(rogue, 1);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(const struct rogue *rogue);
    } kinds[] = {{"random", random_words}, {"fault", fault}, {"loop", loop}};
    struct screen screen = {.version = 20, .width = CHECK_WIDTH, .height = CHECK_HEIGHT};
    struct rogue rogue = {0};
    screen_open(&screen);
    struct target target = target_new(CHECK_WIDTH, CHECK_HEIGHT);
    check_paint(&target, 1);
    open_rogue(&rogue);
    bool known = false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (argc == 2 && strcmp(argv[1], kinds[i].name) == 0) {
            kinds[i].run(&rogue);
            known = true;
        }
    if (!known)
        screen_fail("usage: garbage random|fault|loop");
    check_read(&target, 1, "what was painted before");
    for (uint32_t i = 2; i < 6; i++) {
        check_paint(&target, i);
        check_read(&target, i, "what is painted after");
    }
    screen_close(&screen);
    close(rogue.fd);
    return 0;
}
