/* SPDX-License-Identifier: MIT */
/*
 * Two devices, as two processes have them, and what goes from one to the other by descriptors. Each has openings and
 * locks of its own, so it makes no difference that the process is one.
 */
#include "drm/spaces.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "face/drm/node/buffer.h"
#include "face/drm/node/synclink.h"

static struct rig one, two; /* too large for a stack with a sanitizer */

#define AT      UINT64_C(0x3fffff0000)
#define CODE(n) (AT + PAGE * (UINT64_C(16) + (n)))
#define AS_FILE DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE
#define NOWAIT  NOUVEAU_GEM_CPU_PREP_NOWAIT
#define WRITE   NOUVEAU_GEM_CPU_PREP_WRITE

static const struct part *const gm107 = &parts[7];

static void work(struct rig *rig) {
    for (unsigned i = 0; i < 100 && drm_device_poll(rig->device); i++)
        ;
}

static int to_dma_buf(struct rig *rig, struct drm_file *file, uint32_t handle) {
    struct drm_prime_handle prime = {.handle = handle};
    assert_int_equal(rig_ioctl(rig, file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), 0);
    return prime.fd;
}

static int from_dma_buf(struct rig *rig, struct drm_file *file, int fd, struct drm_nouveau_gem_info *info) {
    struct drm_prime_handle prime = {.fd = fd};
    int status = rig_ioctl(rig, file, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);
    *info = (struct drm_nouveau_gem_info){.handle = prime.handle};
    if (status == 0)
        assert_int_equal(rig_ioctl(rig, file, NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info), info), 0);
    return status;
}

/* What the machine has there, however the program sees it. */
static uint32_t in_machine(struct drm_file *file, uint32_t handle) {
    uint32_t word;
    const void *at = pfifo_buffer_map(drm_file_buffer(file, handle)->memory, NULL);
    assert_non_null(at);
    memcpy(&word, at, sizeof word);
    return word;
}

/* ---- buffers ---- */

/* As it would be on one card: the same bytes, the same layout. */
static void a_buffer_is_the_same_in_both(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&one, part);
        rig_open(&two, part);
        struct drm_file *ours = rig_file(&one, RENDER), *theirs = rig_file(&two, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&one, ours, rig_vram(&one), PAGE), info;
        rig_wr32(ours, &buffer, 8, 0x1234);
        int fd = to_dma_buf(&one, ours, buffer.handle);
        assert_int_equal(one.moved_to.bytes, buffer.size); /* the program's mappings */
        assert_int_equal(from_dma_buf(&two, theirs, fd, &info), 0);
        assert_int_equal(drm_file_buffer(theirs, info.handle)->valid_domains,
                         drm_file_buffer(ours, buffer.handle)->valid_domains);
        assert_int_equal(info.domain, buffer.domain);
        assert_int_equal(info.tile_mode, buffer.tile_mode);
        assert_int_equal(info.tile_flags, buffer.tile_flags);
        assert_int_equal(info.size, buffer.size);
        assert_int_equal(rig_rd32(theirs, &info, 8), 0x1234);
        rig_wr32(theirs, &info, 12, 77);
        assert_int_equal(rig_rd32(ours, &buffer, 12), 77);
        rig_close(&one);
        assert_int_equal(rig_rd32(theirs, &info, 8), 0x1234);
        rig_close(&two);
    }
}

/* Also of those that are no whole large pages: small ones if it may be in GART, and each domain that it may be in. */
static void a_layout_goes_with_its_buffer(void **state) {
    static const uint64_t sizes[] = {PAGE, 0x21000, 0x40000};
    static const uint32_t domains[] = {VRAM, GART, VRAM | GART};
    (void)state;
    FOR_EACH_PART for (size_t i = 0; i < COUNT_OF(sizes) * COUNT_OF(domains); i++) {
        struct drm_nouveau_gem_new request = {
            .info = {.domain = domains[i / COUNT_OF(sizes)],
                     .size = sizes[i % COUNT_OF(sizes)],
                     .tile_mode = part->calls ? 0x30 : 0x10,
                     .tile_flags = part->classes ? 0xfe00 : (part->calls ? 0 : 0x7000)}};
        struct drm_nouveau_gem_info info;
        rig_open(&one, part);
        rig_open(&two, part);
        struct drm_file *ours = rig_file(&one, RENDER), *theirs = rig_file(&two, RENDER);
        assert_int_equal(rig_ioctl(&one, ours, NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), &request), 0);
        assert_int_equal(from_dma_buf(&two, theirs, to_dma_buf(&one, ours, request.info.handle), &info), 0);
        const struct drm_buffer *buffer = drm_file_buffer(ours, request.info.handle),
                                *same = drm_file_buffer(theirs, info.handle);
        assert_int_equal(info.domain, request.info.domain);
        assert_int_equal(info.size, request.info.size);
        assert_int_equal(info.tile_mode, request.info.tile_mode);
        assert_int_equal(info.tile_flags, request.info.tile_flags);
        assert_int_equal(same->valid_domains, buffer->valid_domains);
        assert_int_equal(same->page_bytes, buffer->page_bytes);
        rig_close(&one);
        rig_close(&two);
    }
}

/* What had to leave VRAM is tiled in its place, too, and comes back. */
static void an_evicted_buffer_keeps_its_layout(void **state) {
    (void)state;
    FOR_EACH_PART if (part->classes && part->vram) {
        struct drm_nouveau_gem_new request = {
            .info = {.domain = VRAM, .size = 0x40000, .tile_mode = 0x10, .tile_flags = 0xfe00}};
        struct drm_nouveau_gem_info info;
        rig_open(&one, part);
        rig_open(&two, part);
        struct drm_file *ours = rig_file(&one, RENDER), *theirs = rig_file(&two, RENDER);
        assert_int_equal(rig_ioctl(&one, ours, NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), &request), 0);
        assert_true(drm_buffer_evict(one.device));
        assert_int_equal(drm_file_buffer(ours, request.info.handle)->domain, GART);
        assert_int_equal(from_dma_buf(&two, theirs, to_dma_buf(&one, ours, request.info.handle), &info), 0);
        assert_int_equal(info.tile_mode, request.info.tile_mode);
        assert_int_equal(info.tile_flags, request.info.tile_flags);
        assert_int_equal(drm_file_buffer(theirs, info.handle)->domain, GART);
        assert_int_equal(drm_file_buffer(theirs, info.handle)->valid_domains, VRAM);
        assert_int_equal(drm_buffer_move(drm_file_buffer(theirs, info.handle), VRAM), 0);
        assert_int_equal(drm_file_buffer(theirs, info.handle)->bytes, request.info.size);
        rig_close(&one);
        rig_close(&two);
    }
}

/* The engines of both see it, where it is. */
static void both_cards_use_it(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&one, part);
        rig_open(&two, part);
        struct drm_file *ours = rig_file(&one, RENDER), *theirs = rig_file(&two, RENDER);
        struct rig_channel mine = rig_channel(&one, ours), other = rig_channel(&two, theirs);
        struct drm_nouveau_gem_info from = rig_buffer(&one, ours, GART, PAGE),
                                    buffer = rig_buffer(&one, ours, rig_vram(&one), PAGE),
                                    to = rig_buffer(&two, theirs, GART, PAGE), info;
        struct words words = {.part = part};
        assert_int_equal(from_dma_buf(&two, theirs, to_dma_buf(&one, ours, buffer.handle), &info), 0);
        rig_wr32(ours, &from, 0, 0xabcd);
        words_copy(&words, &from, &buffer, 64);
        assert_int_equal(rig_run(&one, &mine, &words, &buffer), 0);
        words = (struct words){.part = part};
        words_copy(&words, &info, &to, 64);
        assert_int_equal(rig_run(&two, &other, &words, &to), 0);
        assert_int_equal(rig_rd32(theirs, &to, 0), 0xabcd);
        rig_close(&one);
        rig_close(&two);
    }
}

static void it_comes_back_as_the_same_handle(void **state) {
    (void)state;
    rig_open(&one, gm107);
    rig_open(&two, gm107);
    struct drm_file *ours = rig_file(&one, RENDER), *theirs = rig_file(&two, RENDER);
    struct drm_nouveau_gem_info buffer = rig_buffer(&one, ours, VRAM, PAGE), info, back;
    int fd = to_dma_buf(&one, ours, buffer.handle);
    assert_int_equal(from_dma_buf(&two, theirs, fd, &info), 0);
    int again = to_dma_buf(&two, theirs, info.handle);
    assert_int_equal(from_dma_buf(&one, ours, again, &back), 0);
    assert_int_equal(back.handle, buffer.handle);
    rig_close(&two);
    rig_close(&one);
}

/* A card of another kind has it as memory of the host, by lines. */
static void another_chip_has_it_without_its_layout(void **state) {
    (void)state;
    rig_open(&one, gm107);
    rig_open(&two, &parts[5]);
    struct drm_file *ours = rig_file(&one, RENDER), *theirs = rig_file(&two, RENDER);
    struct drm_nouveau_gem_new request = {
        .info = {.domain = VRAM, .size = PAGE, .tile_flags = 0xfe00, .tile_mode = 0x10}};
    struct drm_nouveau_gem_info info;
    assert_int_equal(rig_ioctl(&one, ours, NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), &request), 0);
    assert_int_equal(from_dma_buf(&two, theirs, to_dma_buf(&one, ours, request.info.handle), &info), 0);
    assert_int_equal(info.domain, GART);
    assert_int_equal(info.tile_mode, 0);
    assert_int_equal(info.tile_flags, 0);
    rig_close(&two);
    rig_close(&one);
}

/* What its machine had in its place is there again, and empty. */
static void memory_is_the_machine_s_again(void **state) {
    (void)state;
    rig_open(&one, gm107);
    struct drm_file *file = spaces_file(&one);
    struct drm_nouveau_gem_info buffer = rig_buffer(&one, file, GART, PAGE), next;
    rig_wr32(file, &buffer, 0, 0x1234);
    int fd = to_dma_buf(&one, file, buffer.handle);
    /* A mapping is left when the handle goes: the memory stays the buffer's until it goes, too. */
    assert_int_equal(spaces_map(&one, file, buffer.handle, AT, 0, PAGE), 0);
    assert_int_equal(rig_close_handle(&one, file, buffer.handle), 0);
    assert_int_not_equal(spaces_at(file, AT, NULL), 0);
    assert_int_equal(spaces_unmap(&one, file, AT, PAGE), 0);
    drm_file_close(rig_file(&one, RENDER));
    assert_null(one.device->left_shares);
    for (unsigned i = 0; i < 4; i++) {
        next = rig_buffer(&one, file, GART, PAGE);
        assert_int_equal(rig_rd32(file, &next, 0), 0);
        rig_wr32(file, &next, 0, 5);
        assert_int_equal(in_machine(file, next.handle), 5);
    }
    assert_int_equal(from_dma_buf(&one, file, fd, &buffer), 0);
    assert_int_equal(rig_rd32(file, &buffer, 0), 0x1234);
    rig_close(&one);
}

/* A buffer that moves is the same memory in its new place. */
static void it_may_move(void **state) {
    (void)state;
    rig_open(&one, gm107);
    rig_open(&two, gm107);
    struct drm_file *ours = rig_file(&one, RENDER), *theirs = rig_file(&two, RENDER);
    struct rig_channel channel = rig_channel(&one, ours);
    struct drm_nouveau_gem_info buffer = rig_buffer(&one, ours, VRAM | GART, PAGE), info,
                                code = rig_buffer(&one, ours, GART, PAGE);
    assert_int_equal(from_dma_buf(&two, theirs, to_dma_buf(&one, ours, buffer.handle), &info), 0);
    rig_wr32(ours, &buffer, 0, 0x1234);
    for (unsigned i = 0; i < 3; i++) {
        struct rig_submission submission = {0};
        struct words words = {.part = one.part};
        words_release(&words, &channel, i + 1);
        rig_push(&one, &submission, &channel, &code, 0, &words);
        uint32_t at = rig_list(&submission, &buffer, true);
        submission.buffers[at].valid_domains = submission.buffers[at].write_domains = i % 2 ? VRAM : GART;
        submission.buffers[at].read_domains = 0;
        assert_int_equal(rig_submit(&one, &channel, &submission), 0);
        assert_int_equal(rig_rd32(theirs, &info, 0), 0x1234 + i);
        rig_wr32(theirs, &info, 0, 0x1235 + i);
        assert_int_equal(in_machine(ours, buffer.handle), 0x1235 + i);
        assert_int_equal(rig_rd32(ours, &buffer, 0), 0x1235 + i);
    }
    rig_close(&two);
    rig_close(&one);
}

/* ---- what a peer may send ---- */

static int new_file(const char *name, off_t bytes, int seals) {
    int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, bytes), 0);
    assert_int_equal(fcntl(file, F_ADD_SEALS, seals), 0);
    return rig_add_fd(file);
}

static void files_that_are_not_what_they_say_are_refused(void **state) {
    (void)state;
    static const char good[] = "pfifo-buffer:117:2:6:0:0";
    rig_open(&one, gm107);
    struct drm_file *file = rig_file(&one, RENDER);
    struct drm_nouveau_gem_info info;
    struct stat as;
    /* Its size can change: the machine would meet its end. */
    assert_int_equal(from_dma_buf(&one, file, new_file(good, PAGE, 0), &info), -EINVAL);
    assert_int_equal(from_dma_buf(&one, file, new_file(good, PAGE, F_SEAL_GROW), &info), -EINVAL);
    assert_int_equal(from_dma_buf(&one, file, new_file(good, PAGE, F_SEAL_SHRINK | F_SEAL_WRITE), &info), -EINVAL);
    assert_int_equal(from_dma_buf(&one, file, new_file(good, PAGE, F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE), &info),
                     -EINVAL);
    assert_int_equal(from_dma_buf(&one, file, new_file(good, 0, F_SEAL_SHRINK), &info), -EINVAL);
    assert_int_equal(from_dma_buf(&one, file, new_file(good, PAGE + 1, F_SEAL_SHRINK), &info), -EINVAL);
    assert_int_equal(from_dma_buf(&one, file, new_file("pfifo-buffer:", PAGE, F_SEAL_SHRINK), &info), -EINVAL);
    assert_int_equal(from_dma_buf(&one, file, new_file("pfifo-buffer:117:x", PAGE, F_SEAL_SHRINK), &info), -EINVAL);
    assert_int_equal(from_dma_buf(&one, file, new_file("pfifo-bufer:117:2:6:0:0", PAGE, F_SEAL_SHRINK), &info),
                     -EINVAL);
    assert_int_equal(from_dma_buf(&one, file, new_file(good, INT64_C(1) << 45, F_SEAL_SHRINK), &info), -EINVAL);
    assert_true(from_dma_buf(&one, file, new_file(good, INT64_C(1) << 39, F_SEAL_SHRINK), &info) < 0);
    int read_only = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_int_equal(from_dma_buf(&one, file, rig_add_fd(read_only), &info), -EINVAL);
    assert_int_equal(fstat(rig_file_of(rig_add_fd(open("/dev/zero", O_RDWR | O_CLOEXEC))), &as), 0);
    /* Layouts that there are not, and domains: memory of the host. */
    assert_int_equal(from_dma_buf(&one, file, new_file("pfifo-buffer:117:2:6:0:ffffffff", PAGE, F_SEAL_SHRINK), &info),
                     0);
    assert_int_equal(info.tile_flags, 0);
    assert_int_equal(from_dma_buf(&one, file, new_file("pfifo-buffer:117:80:6:0:0", PAGE, F_SEAL_SHRINK), &info), 0);
    assert_int_equal(info.domain, GART);
    assert_int_equal(from_dma_buf(&one, file, new_file("pfifo-buffer:117:2:2:10:fe00", 0x21000, F_SEAL_SHRINK), &info),
                     0);
    assert_int_equal(info.domain, GART); /* that would be large pages */
    assert_int_equal(info.tile_flags, 0);
    assert_int_equal(from_dma_buf(&one, file, new_file(good, PAGE, F_SEAL_SHRINK), &info), 0);
    assert_int_equal(info.domain, VRAM);
    rig_close(&one);
}

/* Pages that are reserved by nobody are not there when they are touched (SIGBUS). */
static void huge_pages_are_refused(void **state) {
    (void)state;
    const off_t huge = 2 << 20;
    struct drm_nouveau_gem_info info;
    int file = memfd_create("pfifo-buffer:117:2:6:0:0", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_HUGETLB);
    if (file < 0)
        skip(); /* a kernel without */
    assert_int_equal(ftruncate(file, huge), 0);
    assert_int_equal(fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK), 0);
    rig_open(&one, gm107);
    assert_int_equal(from_dma_buf(&one, rig_file(&one, RENDER), rig_add_fd(file), &info), -EINVAL);
    rig_close(&one);
}

/* A peer seals it later: it stays where it is, and so does the memory that it would have gone to. */
static void a_file_that_is_sealed_later_does_not_move(void **state) {
    (void)state;
    rig_open(&one, gm107);
    struct drm_file *file = rig_file(&one, RENDER);
    struct rig_channel channel = rig_channel(&one, file);
    struct drm_nouveau_gem_info info, code = rig_buffer(&one, file, GART, PAGE);
    struct rig_submission submission = {0};
    struct words words = {.part = one.part};
    int fd = new_file("pfifo-buffer:117:2:6:0:0", PAGE, F_SEAL_SHRINK);
    assert_int_equal(from_dma_buf(&one, file, fd, &info), 0);
    rig_wr32(file, &info, 0, 0x1234);
    assert_int_equal(fcntl(rig_file_of(fd), F_ADD_SEALS, F_SEAL_FUTURE_WRITE), 0);
    words_release(&words, &channel, 1);
    rig_push(&one, &submission, &channel, &code, 0, &words);
    uint32_t at = rig_list(&submission, &info, true);
    submission.buffers[at].valid_domains = submission.buffers[at].write_domains = GART;
    submission.buffers[at].read_domains = 0;
    assert_int_equal(rig_submit(&one, &channel, &submission), -ENOMEM);
    assert_int_equal(in_machine(file, info.handle), 0x1234);
    for (unsigned i = 0; i < 4; i++) {
        struct drm_nouveau_gem_info next = rig_buffer(&one, file, GART, PAGE);
        rig_wr32(file, &next, 0, 5);
        assert_int_equal(in_machine(file, next.handle), 5);
    }
    rig_close(&one);
}

/* ---- reservations ---- */

static void work_of_the_other_is_waited_for(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig_open(&one, part);
        rig_open(&two, part);
        struct drm_file *ours = rig_file(&one, RENDER), *theirs = rig_file(&two, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&one, ours, GART, PAGE), info;
        assert_int_equal(from_dma_buf(&two, theirs, to_dma_buf(&one, ours, buffer.handle), &info), 0);
        struct rig_channel reader = rig_waiting(&one, ours, &buffer, false);
        assert_int_equal(rig_prep(&two, theirs, info.handle, NOWAIT), 0);
        assert_int_equal(rig_prep(&two, theirs, info.handle, NOWAIT | WRITE), -EBUSY);
        rig_let_go(&reader);
        work(&one);
        assert_int_equal(rig_prep(&two, theirs, info.handle, NOWAIT | WRITE), 0);
        struct rig_channel writer = rig_waiting(&one, ours, &buffer, true);
        assert_int_equal(rig_prep(&two, theirs, info.handle, NOWAIT), -EBUSY);
        rig_let_go(&writer);
        work(&one);
        assert_int_equal(rig_prep(&two, theirs, info.handle, NOWAIT | WRITE), 0);
        rig_close(&one);
        rig_close(&two);
    }
}

/* What was submitted before, runs before; and nobody waits for what came later. */
static void submissions_keep_their_order(void **state) {
    (void)state;
    one.config.worker = two.config.worker = true;
    rig_open(&one, gm107);
    rig_open(&two, gm107);
    struct drm_file *ours = rig_file(&one, RENDER), *theirs = rig_file(&two, RENDER);
    struct drm_nouveau_gem_info buffer = rig_buffer(&one, ours, GART, PAGE), info;
    struct rig_channel second = rig_channel(&two, theirs);
    assert_int_equal(from_dma_buf(&two, theirs, to_dma_buf(&one, ours, buffer.handle), &info), 0);
    one.now = 1000;
    struct rig_channel first = rig_waiting(&one, ours, &buffer, true);
    struct words words = {.part = gm107};
    words_release(&words, &second, 9);
    two.now = 2000;
    assert_int_equal(rig_run(&two, &second, &words, &info), 0);
    work(&two);
    assert_int_equal(rig_released(&second), 0);
    /* More work of the first does not hold up the second. */
    struct rig_channel third = rig_channel(&one, ours);
    words = (struct words){.part = gm107};
    words_release(&words, &third, 7);
    one.now = 3000;
    assert_int_equal(rig_run(&one, &third, &words, &buffer), 0);
    rig_let_go(&first);
    work(&one);
    assert_int_equal(rig_released(&third), 0);
    work(&two);
    assert_int_equal(rig_released(&second), 9);
    work(&one);
    assert_int_equal(rig_released(&third), 7);
    rig_close(&one);
    rig_close(&two);
}

/* One who never comes to an end is waited for as long as a job may take. */
static void a_peer_that_keeps_a_buffer_is_left(void **state) {
    (void)state;
    one.config.worker = two.config.worker = true;
    rig_open(&one, gm107);
    rig_open(&two, gm107);
    struct drm_file *ours = rig_file(&one, RENDER), *theirs = rig_file(&two, RENDER);
    struct drm_nouveau_gem_info buffer = rig_buffer(&one, ours, GART, PAGE), info;
    struct rig_channel second = rig_channel(&two, theirs);
    assert_int_equal(from_dma_buf(&two, theirs, to_dma_buf(&one, ours, buffer.handle), &info), 0);
    rig_waiting(&one, ours, &buffer, true);
    struct words words = {.part = gm107};
    words_release(&words, &second, 9);
    two.now = 5;
    assert_int_equal(rig_run(&two, &second, &words, &info), 0);
    two.now = 9 * SECONDS;
    work(&two);
    assert_int_equal(rig_released(&second), 0);
    two.now = 11 * SECONDS;
    work(&two);
    assert_int_equal(rig_released(&second), 9);
    rig_close(&one);
    rig_close(&two);
}

/* The end of a process is the end of its work. */
static void a_peer_that_ends_is_not_waited_for(void **state) {
    (void)state;
    rig_open(&one, gm107);
    rig_open(&two, gm107);
    struct drm_file *ours = rig_file(&one, RENDER), *theirs = rig_file(&two, RENDER);
    struct drm_nouveau_gem_info buffer = rig_buffer(&one, ours, GART, PAGE), info;
    assert_int_equal(from_dma_buf(&two, theirs, to_dma_buf(&one, ours, buffer.handle), &info), 0);
    rig_waiting(&one, ours, &buffer, true);
    assert_int_equal(rig_prep(&two, theirs, info.handle, NOWAIT), -EBUSY);
    rig_close(&one);
    assert_int_equal(rig_prep(&two, theirs, info.handle, NOWAIT), 0);
    rig_close(&two);
}

/* ---- sync objects and sync files ---- */

/* In the first rig: a channel that waits, whose end is a point of an object; `point` 0: it is binary. */
static uint32_t wait_in_machine(struct drm_file *file, uint32_t object, uint64_t point, struct rig_channel *channel,
                                unsigned n) {
    struct words words = {.part = one.part};
    struct syncs syncs = {.signal_count = 1, .signals = {{.handle = object, .point = point}}};
    syncs.signals[0].flags = point ? UAPI_SYNC_TIMELINE : UAPI_SYNC_BINARY;
    *channel = spaces_channel(&one, file, AT + n * PAGE);
    words_acquire(&words, channel, 1);
    assert_int_equal(spaces_run(&one, channel, &words, CODE(n), &syncs), 0);
    return object;
}

static void open_both(struct drm_file **ours, struct drm_file **theirs) {
    *ours = spaces_open(&one, gm107);
    *theirs = spaces_open(&two, gm107);
}

static uint32_t send_object(struct drm_file *ours, uint32_t object, struct drm_file *theirs) {
    uint32_t handle = 0;
    int fd;
    assert_int_equal(sync_to_fd(&one, ours, object, 0, 0, &fd), 0);
    assert_int_equal(sync_from_fd(&two, theirs, fd, 0, 0, &handle), 0);
    rig_close_fd(fd);
    return handle;
}

static void an_object_is_one_in_both(void **state) {
    struct drm_file *ours, *theirs;
    (void)state;
    open_both(&ours, &theirs);
    uint32_t object = sync_new(&one, ours, 0), handle = send_object(ours, object, theirs);
    assert_int_equal(sync_ask(&two, theirs, handle, 0), -EINVAL);
    assert_int_equal(sync_signal(&one, ours, object), 0);
    assert_int_equal(sync_ask(&two, theirs, handle, 0), 0);
    assert_int_equal(sync_reset(&two, theirs, handle), 0);
    assert_int_equal(sync_ask(&one, ours, object, 0), -EINVAL);
    assert_int_equal(sync_signal_point(&two, theirs, handle, 5), 0);
    assert_int_equal(sync_query(&one, ours, object, 0), 5);
    assert_int_equal(sync_signal_point(&one, ours, object, 9), 0);
    assert_int_equal(sync_query(&two, theirs, handle, 0), 9);
    assert_int_equal(sync_ask(&two, theirs, handle, 6), 0);
    assert_int_equal(sync_ask(&two, theirs, handle, 10), -EINVAL);
    rig_close(&one);
    assert_int_equal(sync_query(&two, theirs, handle, 0), 9);
    rig_close(&two);
}

static void a_job_of_one_is_waited_for_by_the_other(void **state) {
    struct drm_file *ours, *theirs;
    struct rig_channel first, later;
    (void)state;
    open_both(&ours, &theirs);
    uint32_t object = sync_new(&one, ours, 0), handle = send_object(ours, object, theirs);
    wait_in_machine(ours, object, 3, &first, 0);
    wait_in_machine(ours, object, 4, &later, 1);
    assert_int_equal(sync_query(&two, theirs, handle, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), 4);
    assert_int_equal(sync_query(&two, theirs, handle, 0), 0);
    assert_int_equal(sync_ask(&two, theirs, handle, 3), -ETIME);
    /* Work of the other waits for it. */
    struct rig_channel channel = spaces_channel(&two, theirs, AT);
    struct words words = {.part = gm107};
    const struct syncs syncs = {.wait_count = 1,
                                .waits = {{.flags = UAPI_SYNC_TIMELINE, .handle = handle, .point = 3}}};
    words_release(&words, &channel, 6);
    assert_int_equal(spaces_run(&two, &channel, &words, CODE(0), &syncs), 0);
    work(&two);
    assert_int_equal(rig_released(&channel), 0);
    rig_let_go(&first);
    work(&one);
    assert_int_equal(sync_ask(&two, theirs, handle, 3), 0);
    assert_int_equal(sync_ask(&two, theirs, handle, 4), -ETIME);
    assert_int_equal(sync_query(&two, theirs, handle, 0), 3);
    work(&two);
    assert_int_equal(rig_released(&channel), 6);
    rig_let_go(&later);
    work(&one);
    assert_int_equal(sync_query(&two, theirs, handle, 0), 4);
    rig_close(&one);
    rig_close(&two);
}

/* What was found is waited for, though the object has something else now, or the maker has let it go. */
static void what_is_waited_for_stays_what_it_was(void **state) {
    struct drm_file *ours, *theirs;
    struct rig_channel channel;
    (void)state;
    open_both(&ours, &theirs);
    uint32_t object = sync_new(&one, ours, 0), handle = send_object(ours, object, theirs),
             copy = sync_new(&two, theirs, 0);
    wait_in_machine(ours, object, 0, &channel, 0);
    assert_int_equal(sync_transfer(&two, theirs, copy, 0, handle, 0, 0), 0);
    assert_int_equal(sync_signal(&one, ours, object), 0);
    assert_int_equal(sync_destroy(&one, ours, object), 0);
    assert_int_equal(sync_ask(&two, theirs, handle, 0), 0);
    assert_int_equal(sync_ask(&two, theirs, copy, 0), -ETIME);
    rig_let_go(&channel);
    work(&one);
    assert_int_equal(sync_ask(&two, theirs, copy, 0), 0);
    assert_null(one.device->syncobjs);
    rig_close(&one);
    rig_close(&two);
}

/* Its descriptors are closed, and it has said nothing. */
static void a_process_that_is_killed_ends_its_points(void **state) {
    struct drm_file *ours, *theirs;
    struct rig_channel channel;
    (void)state;
    open_both(&ours, &theirs);
    uint32_t object = sync_new(&one, ours, 0), handle = send_object(ours, object, theirs);
    wait_in_machine(ours, object, 0, &channel, 0);
    assert_int_equal(sync_ask(&two, theirs, handle, 0), -ETIME);
    drm_sync_links_abandon(one.device);
    one.device->syncobjs->link->file = open("/dev/null", O_RDWR | O_CLOEXEC);
    assert_int_equal(sync_ask(&two, theirs, handle, 0), 0);
    rig_close(&one);
    rig_close(&two);
}

/* It may write to all that is mapped (nouveau_exec.c). */
static void exec_is_work_on_what_is_mapped(void **state) {
    struct drm_file *ours, *theirs;
    struct rig_channel channel;
    (void)state;
    open_both(&ours, &theirs);
    struct drm_nouveau_gem_info buffer = rig_buffer(&one, ours, GART, PAGE), info;
    assert_int_equal(from_dma_buf(&two, theirs, to_dma_buf(&one, ours, buffer.handle), &info), 0);
    assert_int_equal(spaces_map(&one, ours, buffer.handle, CODE(8), 0, PAGE), 0);
    assert_int_equal(rig_prep(&two, theirs, info.handle, NOWAIT | WRITE), 0);
    wait_in_machine(ours, sync_new(&one, ours, 0), 0, &channel, 0);
    assert_int_equal(rig_prep(&two, theirs, info.handle, NOWAIT), -EBUSY);
    rig_let_go(&channel);
    work(&one);
    assert_int_equal(rig_prep(&two, theirs, info.handle, NOWAIT | WRITE), 0);
    rig_close(&one);
    rig_close(&two);
}

/* The book has let it go, the page tables have not: the memory stays until they do. */
static void memory_stays_while_page_tables_have_it(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&one, gm107);
    struct rig_channel channel;
    struct drm_nouveau_gem_info buffer = rig_buffer(&one, file, GART, PAGE);
    uint32_t done = wait_in_machine(file, sync_new(&one, file, 0), 0, &channel, 0);
    const struct uapi_bind_operation unmap = {.operation = UAPI_BIND_UNMAP, .address = CODE(8), .bytes = PAGE};
    const struct syncs syncs = {.wait_count = 1, .waits = {{.handle = done}}};
    to_dma_buf(&one, file, buffer.handle);
    assert_int_equal(spaces_map(&one, file, buffer.handle, CODE(8), 0, PAGE), 0);
    assert_int_equal(rig_close_handle(&one, file, buffer.handle), 0);
    assert_int_equal(spaces_bind(&one, file, &unmap, 1, ASYNC, &syncs), 0);
    drm_file_close(rig_file(&one, RENDER));
    assert_int_not_equal(spaces_at(file, CODE(8), NULL), 0);
    assert_non_null(one.device->left_shares);
    rig_let_go(&channel);
    work(&one);
    drm_file_close(rig_file(&one, RENDER));
    assert_null(one.device->left_shares);
    rig_close(&one);
}

static void the_end_of_a_process_ends_its_points(void **state) {
    struct drm_file *ours, *theirs;
    struct rig_channel channel;
    (void)state;
    open_both(&ours, &theirs);
    uint32_t object = sync_new(&one, ours, 0), handle = send_object(ours, object, theirs);
    wait_in_machine(ours, object, 0, &channel, 0);
    assert_int_equal(sync_ask(&two, theirs, handle, 0), -ETIME);
    rig_close(&one);
    assert_int_equal(sync_ask(&two, theirs, handle, 0), 0);
    rig_close(&two);
}

static void a_sync_file_goes_to_another_process(void **state) {
    struct drm_file *ours, *theirs;
    struct rig_channel channel;
    (void)state;
    open_both(&ours, &theirs);
    uint32_t object = sync_new(&one, ours, 0), to = sync_new(&two, theirs, 0);
    int fd;
    wait_in_machine(ours, object, 0, &channel, 0);
    assert_int_equal(sync_to_fd(&one, ours, object, AS_FILE, 0, &fd), 0);
    assert_int_equal(sync_from_fd(&two, theirs, fd, AS_FILE, 0, &to), 0);
    assert_int_equal(sync_ask(&two, theirs, to, 0), -ETIME);
    rig_let_go(&channel);
    work(&one);
    assert_int_equal(sync_ask(&two, theirs, to, 0), 0);
    rig_close(&one);
    rig_close(&two);
}

/* What is to be told, and may depend on others, is looked at again though there is no work; then no more. */
static void what_depends_on_others_is_looked_at(void **state) {
    struct drm_file *ours, *theirs;
    struct rig_channel channel;
    (void)state;
    open_both(&ours, &theirs);
    struct uapi_syncobj_eventfd event = {.point = 5, .fd = RIG_FIRST_EVENT};
    uint32_t line = sync_new(&one, ours, 0), object = sync_new(&one, ours, 0), to = sync_new(&two, theirs, 0);
    int fd;
    event.handle = send_object(ours, line, theirs);
    work(&two);
    assert_false(drm_device_waits(two.device));
    assert_int_equal(rig_ioctl(&two, theirs, DRM_IOWR(0xcf, struct uapi_syncobj_eventfd), &event), 0);
    assert_true(drm_device_waits(two.device));
    assert_int_equal(sync_signal_point(&one, ours, line, 5), 0);
    work(&two);
    assert_int_equal(two.told[0], 1);
    assert_false(drm_device_waits(two.device));
    /* A sync file of theirs, of one of ours. */
    wait_in_machine(ours, object, 0, &channel, 0);
    assert_int_equal(sync_to_fd(&one, ours, object, AS_FILE, 0, &fd), 0);
    assert_int_equal(sync_from_fd(&two, theirs, fd, AS_FILE, 0, &to), 0);
    assert_false(drm_device_waits(two.device));
    assert_int_equal(sync_to_fd(&two, theirs, to, AS_FILE, 0, &fd), 0);
    assert_true(drm_device_waits(two.device));
    /* A slot of theirs that waits for it. */
    assert_int_equal(sync_transfer(&two, theirs, event.handle, 0, to, 0, 0), 0);
    rig_close_fd(fd);
    work(&two);
    assert_true(drm_device_waits(two.device));
    rig_let_go(&channel);
    work(&one);
    work(&two);
    assert_false(drm_device_waits(two.device));
    assert_int_equal(sync_ask(&one, ours, line, 0), 0);
    rig_close(&one);
    rig_close(&two);
}

/* More points than there are slots, as long as they are done. */
static void a_long_timeline_fits(void **state) {
    struct drm_file *ours, *theirs;
    (void)state;
    open_both(&ours, &theirs);
    uint32_t object = sync_new(&one, ours, 0), handle = send_object(ours, object, theirs);
    for (uint64_t point = 1; point <= 1000; point++)
        assert_int_equal(point % 2 ? sync_signal_point(&one, ours, object, point)
                                   : sync_signal_point(&two, theirs, handle, point),
                         0);
    assert_int_equal(sync_query(&one, ours, object, 0), 1000);
    assert_int_equal(sync_query(&two, theirs, handle, 0), 1000);
    rig_close(&one);
    rig_close(&two);
}

/* Whatever a peer writes there, or makes of its size, it is at most a wrong answer. */
static void garbage_in_an_object_hurts_nobody(void **state) {
    struct drm_file *ours, *theirs;
    (void)state;
    open_both(&ours, &theirs);
    uint32_t object = sync_new(&one, ours, 0), handle = 0, other = sync_new(&one, ours, 0);
    static uint8_t garbage[16384];
    int fd;
    assert_int_equal(sync_to_fd(&one, ours, object, 0, 0, &fd), 0);
    assert_int_equal(sync_from_fd(&two, theirs, fd, 0, 0, &handle), 0);
    for (unsigned round = 0; round < 64; round++) {
        uint32_t random = round * 2654435761u;
        for (size_t i = 0; i < sizeof garbage; i++)
            garbage[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
        /* With the head as it is, or all of it. */
        const size_t from = round % 2 ? 8 : 0;
        assert_true(pwrite(rig_file_of(fd), garbage + from, 12000, (off_t)from) > 0);
        const int status = sync_ask(&two, theirs, handle, round % 3);
        assert_true(status == 0 || status == -ETIME || status == -EINVAL);
        sync_query(&one, ours, object, 0);
        assert_int_equal(sync_signal_point(&one, ours, object, round + 1), 0);
        assert_int_equal(sync_signal(&two, theirs, handle), 0);
        sync_transfer(&one, ours, other, 5 + round, object, 0, 0);
    }
    const uint64_t no_magic[] = {0, 12345};
    assert_int_equal(sync_signal(&two, theirs, handle), 0);
    assert_int_equal(pwrite(rig_file_of(fd), no_magic, sizeof no_magic, 0), sizeof no_magic);
    assert_int_equal(sync_ask(&one, ours, object, 0), -EINVAL);
    int small = memfd_create("pfifo-syncobj", MFD_CLOEXEC);
    assert_int_equal(sync_from_fd(&two, theirs, rig_add_fd(small), 0, 0, &handle), 0);
    assert_int_equal(sync_ask(&two, theirs, handle, 0), -EINVAL);
    assert_int_equal(sync_signal(&two, theirs, handle), 0);
    assert_int_equal(sync_ask(&two, theirs, handle, 0), 0);
    assert_int_equal(ftruncate(small, 100), 0);
    assert_int_equal(sync_ask(&two, theirs, handle, 0), 0);
    rig_close(&one);
    rig_close(&two);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Who reads needs no lock, and who writes does not wait again for one who keeps it. */
static void a_lock_that_a_peer_keeps_holds_up_nobody(void **state) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    struct drm_file *ours, *theirs;
    (void)state;
    open_both(&ours, &theirs);
    uint32_t object = sync_new(&one, ours, 0), handle = 0;
    int fd;
    assert_int_equal(sync_to_fd(&one, ours, object, 0, 0, &fd), 0);
    assert_int_equal(sync_from_fd(&two, theirs, fd, 0, 0, &handle), 0);
    assert_int_equal(fcntl(rig_file_of(fd), F_OFD_SETLK, &lock), 0);
    const double begin = seconds();
    for (uint64_t i = 1; i <= 100; i++) {
        const uint64_t change = i << 32;
        assert_int_equal(sync_signal_point(&one, ours, object, i), 0);
        assert_int_equal(sync_query(&two, theirs, handle, 0), i);
        assert_int_equal(pwrite(rig_file_of(fd), &change, sizeof change, 8), sizeof change);
        assert_int_equal(sync_query(&two, theirs, handle, 0), i);
    }
    assert_true(seconds() - begin < 1);
    lock.l_type = F_UNLCK;
    assert_int_equal(fcntl(rig_file_of(fd), F_OFD_SETLK, &lock), 0);
    assert_int_equal(sync_signal_point(&two, theirs, handle, 101), 0);
    assert_int_equal(sync_query(&one, ours, object, 0), 101);
    rig_close(&one);
    rig_close(&two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_is_the_same_in_both),
        cmocka_unit_test(a_layout_goes_with_its_buffer),
        cmocka_unit_test(an_evicted_buffer_keeps_its_layout),
        cmocka_unit_test(both_cards_use_it),
        cmocka_unit_test(it_comes_back_as_the_same_handle),
        cmocka_unit_test(another_chip_has_it_without_its_layout),
        cmocka_unit_test(memory_is_the_machine_s_again),
        cmocka_unit_test(it_may_move),
        cmocka_unit_test(files_that_are_not_what_they_say_are_refused),
        cmocka_unit_test(huge_pages_are_refused),
        cmocka_unit_test(a_file_that_is_sealed_later_does_not_move),
        cmocka_unit_test(work_of_the_other_is_waited_for),
        cmocka_unit_test(submissions_keep_their_order),
        cmocka_unit_test(a_peer_that_keeps_a_buffer_is_left),
        cmocka_unit_test(a_peer_that_ends_is_not_waited_for),
        cmocka_unit_test(an_object_is_one_in_both),
        cmocka_unit_test(a_job_of_one_is_waited_for_by_the_other),
        cmocka_unit_test(what_is_waited_for_stays_what_it_was),
        cmocka_unit_test(the_end_of_a_process_ends_its_points),
        cmocka_unit_test(a_process_that_is_killed_ends_its_points),
        cmocka_unit_test(exec_is_work_on_what_is_mapped),
        cmocka_unit_test(memory_stays_while_page_tables_have_it),
        cmocka_unit_test(a_sync_file_goes_to_another_process),
        cmocka_unit_test(what_depends_on_others_is_looked_at),
        cmocka_unit_test(a_long_timeline_fits),
        cmocka_unit_test(garbage_in_an_object_hurts_nobody),
        cmocka_unit_test(a_lock_that_a_peer_keeps_holds_up_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
