/* SPDX-License-Identifier: MIT */
/* Descriptors of sync objects, sync files and buffers, in one process. Linux drm_syncobj.c, sync_file.c, dma-buf.c. */
#include "drm/spaces.h"

#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <poll.h>

#include "face/drm/node/sync.h"

static struct rig rig; /* too large for a stack with a sanitizer */

#define AT      UINT64_C(0x3fffff0000)
#define CODE(n) (AT + PAGE * (UINT64_C(16) + (n)))
#define AS_FILE DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE

static const struct part *const gm107 = &parts[7];

/* A channel that waits for its semaphore, and an object that is signaled when it is done. */
static uint32_t wait_in_machine(struct drm_file *file, struct rig_channel *channel) {
    struct words words = {.part = rig.part};
    uint32_t done = sync_new(&rig, file, 0);
    const struct syncs syncs = {.signal_count = 1, .signals = {{.handle = done}}};
    *channel = spaces_channel(&rig, file, AT);
    words_acquire(&words, channel, 1);
    assert_int_equal(spaces_run(&rig, channel, &words, CODE(0), &syncs), 0);
    return done;
}

static void let_it_end(const struct rig_channel *channel) {
    rig_let_go(channel);
    while (drm_device_poll(rig.device))
        ;
}

static bool is_readable(int fd) {
    struct pollfd at = {.fd = rig_file_of(fd), .events = POLLIN};
    return poll(&at, 1, 0) == 1;
}

static int call_fd(int fd, unsigned long request, void *structure, size_t bytes) {
    const uint64_t at = rig_put(&rig, structure, bytes);
    int status = drm_descriptor_ioctl(rig.device, fd, request, at);
    rig_get(&rig, at, structure, bytes);
    return status;
}

/* ---- sync objects ---- */

/* The object is one: what happens to it by one handle is seen by the other, and it outlives its first file. */
static void an_object_goes_to_another_file_by_its_descriptor(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107), *other = rig_file(&rig, RENDER);
    uint32_t handle = sync_new(&rig, file, 0), theirs = 0, again = 0;
    int fd, unknown;
    assert_int_equal(sync_to_fd(&rig, file, handle, 0, 0, &fd), 0);
    assert_int_equal(sync_to_fd(&rig, file, 99, 0, 0, &unknown), -EINVAL);
    assert_int_equal(sync_to_fd(&rig, file, handle, 4, 0, &unknown), -EINVAL);
    drm_file_close(file);
    assert_int_equal(sync_from_fd(&rig, other, fd, 0, 0, &theirs), 0);
    assert_int_equal(sync_from_fd(&rig, other, fd, 0, 0, &again), 0);
    assert_int_not_equal(theirs, again);
    assert_int_equal(sync_from_fd(&rig, other, fd + 1, 0, 0, &again), -EINVAL);
    assert_int_equal(sync_from_fd(&rig, other, -1, 0, 0, &again), -EINVAL);
    assert_int_equal(sync_signal(&rig, other, theirs), 0);
    assert_int_equal(sync_ask(&rig, other, again, 0), 0);
    rig_close(&rig);
}

static void descriptors_of_other_things_are_refused(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct drm_prime_handle prime = {.handle = rig_buffer(&rig, file, GART, PAGE).handle};
    uint32_t handle = 0, signaled = sync_new(&rig, file, DRM_SYNCOBJ_CREATE_SIGNALED);
    int object, sync_file;
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), 0);
    assert_int_equal(sync_to_fd(&rig, file, signaled, 0, 0, &object), 0);
    assert_int_equal(sync_to_fd(&rig, file, signaled, AS_FILE, 0, &sync_file), 0);
    assert_int_equal(sync_from_fd(&rig, file, prime.fd, 0, 0, &handle), -EINVAL);
    assert_int_equal(sync_from_fd(&rig, file, sync_file, 0, 0, &handle), -EINVAL);
    handle = signaled;
    assert_int_equal(sync_from_fd(&rig, file, prime.fd, AS_FILE, 0, &handle), -EINVAL);
    assert_int_equal(sync_from_fd(&rig, file, object, AS_FILE, 0, &handle), -EINVAL);
    prime.fd = object;
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime), -EINVAL);
    prime.fd = sync_file;
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime), -EINVAL);
    rig_close(&rig);
}

/* What it has been made of is still there, though no handle is left (drm_syncobj_file_release()). */
static void an_object_stays_with_its_descriptor(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    uint32_t handle = sync_new(&rig, file, 0);
    int fd;
    assert_int_equal(sync_signal_point(&rig, file, handle, 7), 0);
    assert_int_equal(sync_to_fd(&rig, file, handle, 0, 0, &fd), 0);
    assert_int_equal(sync_destroy(&rig, file, handle), 0);
    assert_int_equal(sync_new(&rig, file, 0), handle);
    assert_null(rig.device->syncobjs);
    uint32_t again = 0;
    assert_int_equal(sync_from_fd(&rig, file, fd, 0, 0, &again), 0);
    assert_int_equal(sync_query(&rig, file, again, 0), 7);
    rig_close(&rig);
}

/* ---- sync files ---- */

/* A sync file keeps what the object had, and poll() tells when that is done. */
static void a_sync_file_has_what_the_object_had(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel channel;
    uint32_t empty = sync_new(&rig, file, 0), to = sync_new(&rig, file, 0), none = 99;
    int fd;
    assert_int_equal(sync_to_fd(&rig, file, empty, AS_FILE, 0, &fd), -EINVAL);
    assert_int_equal(sync_to_fd(&rig, file, 99, AS_FILE, 0, &fd), -ENOENT);
    uint32_t done = wait_in_machine(file, &channel);
    assert_int_equal(sync_to_fd(&rig, file, done, AS_FILE, 0, &fd), 0);
    assert_int_equal(sync_reset(&rig, file, done), 0);
    assert_int_equal(sync_from_fd(&rig, file, fd, AS_FILE, 0, &none), -ENOENT);
    assert_int_equal(sync_from_fd(&rig, file, fd, AS_FILE, 0, &to), 0);
    assert_int_equal(sync_ask(&rig, file, to, 0), -ETIME);
    assert_false(is_readable(fd));
    let_it_end(&channel);
    assert_true(is_readable(fd));
    assert_int_equal(sync_ask(&rig, file, to, 0), 0);
    assert_int_equal(sync_ask(&rig, file, done, 0), -EINVAL);
    rig_close(&rig);
}

/* From Linux 6.16 on, with a flag, a point of a timeline is meant; without it the number is not looked at. */
static void a_sync_file_may_be_of_a_point(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    uint32_t line = sync_new(&rig, file, 0), other = sync_new(&rig, file, 0);
    int fd;
    assert_int_equal(sync_signal_point(&rig, file, line, 5), 0);
    assert_int_equal(sync_to_fd(&rig, file, line, AS_FILE | UAPI_FD_TIMELINE, 6, &fd), -EINVAL);
    assert_int_equal(sync_to_fd(&rig, file, line, AS_FILE, 6, &fd), 0);
    assert_int_equal(sync_to_fd(&rig, file, line, AS_FILE | UAPI_FD_TIMELINE, 3, &fd), 0);
    assert_int_equal(sync_from_fd(&rig, file, fd, AS_FILE | UAPI_FD_TIMELINE, 9, &other), 0);
    assert_int_equal(sync_query(&rig, file, other, 0), 9);
    assert_int_equal(sync_from_fd(&rig, file, fd, AS_FILE, 9, &other), 0);
    assert_int_equal(sync_ask(&rig, file, other, 0), 0);
    rig_close(&rig);
}

/* Of an object's descriptor there is none. */
static void an_object_is_not_given_by_a_point(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    uint32_t line = sync_new(&rig, file, 0), other = 0;
    int fd, unknown;
    assert_int_equal(sync_signal_point(&rig, file, line, 5), 0);
    assert_int_equal(sync_to_fd(&rig, file, line, UAPI_FD_TIMELINE, 5, &unknown), -EINVAL);
    assert_int_equal(sync_to_fd(&rig, file, line, UAPI_FD_TIMELINE, 0, &fd), 0);
    assert_int_equal(sync_from_fd(&rig, file, fd, UAPI_FD_TIMELINE, 5, &other), -EINVAL);
    assert_int_equal(sync_from_fd(&rig, file, fd, UAPI_FD_TIMELINE, 0, &other), 0);
    assert_int_equal(sync_from_fd(&rig, file, fd, 0, 5, &other), 0);
    rig_close(&rig);
}

static void sync_files_are_merged(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel channel;
    uint32_t signaled = sync_new(&rig, file, DRM_SYNCOBJ_CREATE_SIGNALED), done = wait_in_machine(file, &channel);
    struct sync_merge_data data = {.name = "both", .flags = 1};
    struct sync_file_info info = {0};
    int one, other;
    assert_int_equal(sync_to_fd(&rig, file, signaled, AS_FILE, 0, &one), 0);
    assert_int_equal(sync_to_fd(&rig, file, done, AS_FILE, 0, &other), 0);
    data.fd2 = other;
    assert_int_equal(call_fd(one, SYNC_IOC_MERGE, &data, sizeof data), -EINVAL);
    data.flags = 0;
    data.fd2 = 3;
    assert_int_equal(call_fd(one, SYNC_IOC_MERGE, &data, sizeof data), -ENOENT);
    data.fd2 = -1;
    assert_int_equal(call_fd(one, SYNC_IOC_MERGE, &data, sizeof data), -ENOENT);
    assert_int_equal(drm_descriptor_ioctl(rig.device, one, SYNC_IOC_MERGE, NOT_MAPPED), -EFAULT);
    data.fd2 = other;
    assert_int_equal(call_fd(one, SYNC_IOC_MERGE, &data, sizeof data), 0);
    assert_true(is_readable(one));
    assert_false(is_readable(data.fence));
    assert_int_equal(call_fd(data.fence, SYNC_IOC_FILE_INFO, &info, sizeof info), 0);
    assert_string_equal(info.name, "both");
    assert_int_equal(info.status, 0);
    let_it_end(&channel);
    assert_true(is_readable(data.fence));
    rig_close(&rig);
}

static void a_sync_file_tells_of_its_fences(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel channel;
    uint32_t done = wait_in_machine(file, &channel);
    struct sync_fence_info fences[2];
    struct sync_file_info info = {.flags = 1};
    int fd;
    assert_int_equal(sync_to_fd(&rig, file, done, AS_FILE, 0, &fd), 0);
    assert_int_equal(call_fd(fd, SYNC_IOC_FILE_INFO, &info, sizeof info), -EINVAL);
    info = (struct sync_file_info){0};
    assert_int_equal(call_fd(fd, SYNC_IOC_FILE_INFO, &info, sizeof info), 0);
    assert_int_equal(info.num_fences, 1);
    info.sync_fence_info = NOT_MAPPED;
    assert_int_equal(call_fd(fd, SYNC_IOC_FILE_INFO, &info, sizeof info), -EFAULT);
    info.num_fences = 2;
    info.sync_fence_info = rig_put(&rig, fences, sizeof fences);
    assert_int_equal(call_fd(fd, SYNC_IOC_FILE_INFO, &info, sizeof info), 0);
    rig_get(&rig, info.sync_fence_info, fences, sizeof fences);
    assert_int_equal(info.num_fences, 1);
    assert_int_equal(fences[0].status, 0);
    assert_string_equal(fences[0].driver_name, "drm_sched");
    let_it_end(&channel);
    info.num_fences = 0;
    assert_int_equal(call_fd(fd, SYNC_IOC_FILE_INFO, &info, sizeof info), 0);
    assert_int_equal(info.status, 1);
    rig_close(&rig);
}

static void a_deadline_is_a_hint(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    uint64_t deadline[2] = {5, 1};
    int fd;
    assert_int_equal(sync_to_fd(&rig, file, sync_new(&rig, file, DRM_SYNCOBJ_CREATE_SIGNALED), AS_FILE, 0, &fd), 0);
    assert_int_equal(call_fd(fd, UAPI_SYNC_SET_DEADLINE, deadline, sizeof deadline), -EINVAL);
    deadline[1] = 0;
    assert_int_equal(call_fd(fd, UAPI_SYNC_SET_DEADLINE, deadline, sizeof deadline), 0);
    assert_int_equal(call_fd(fd, _IO('>', 9), deadline, sizeof deadline), -ENOTTY);
    assert_int_equal(drm_descriptor_ioctl(rig.device, 3, SYNC_IOC_FILE_INFO, RIG_BASE), -ENOTTY);
    assert_int_equal(drm_descriptor_ioctl(rig.device, -1, SYNC_IOC_FILE_INFO, RIG_BASE), -EBADF);
    rig_close(&rig);
}

/* Nobody keeps what nobody has. */
static void a_sync_file_that_is_closed_goes(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel channel;
    uint32_t done = wait_in_machine(file, &channel);
    int fd;
    assert_int_equal(sync_to_fd(&rig, file, done, AS_FILE, 0, &fd), 0);
    assert_int_equal(rig.device->sync_file_count, 1);
    rig_close_fd(fd);
    drm_device_poll(rig.device);
    assert_int_equal(rig.device->sync_file_count, 0);
    rig_close(&rig);
}

/* ---- buffers ---- */

static int to_dma_buf(struct drm_file *file, uint32_t handle) {
    struct drm_prime_handle prime = {.handle = handle};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), 0);
    return prime.fd;
}

static void a_buffer_gives_and_takes_sync_files(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel channel;
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
    int fd = to_dma_buf(file, buffer.handle), theirs;
    struct uapi_dma_buf_file request = {0};
    assert_int_equal(call_fd(fd, UAPI_DMA_BUF_EXPORT_SYNC_FILE, &request, sizeof request), -EINVAL);
    request.flags = 4 | DMA_BUF_SYNC_READ;
    assert_int_equal(call_fd(fd, UAPI_DMA_BUF_IMPORT_SYNC_FILE, &request, sizeof request), -EINVAL);
    request.flags = DMA_BUF_SYNC_READ;
    assert_int_equal(call_fd(fd, UAPI_DMA_BUF_EXPORT_SYNC_FILE, &request, sizeof request), 0);
    assert_true(is_readable(request.fd));
    request.fd = 3;
    assert_int_equal(call_fd(fd, UAPI_DMA_BUF_IMPORT_SYNC_FILE, &request, sizeof request), -EINVAL);
    /* A reader comes in: writers wait for it, readers do not. */
    uint32_t done = wait_in_machine(file, &channel);
    assert_int_equal(sync_to_fd(&rig, file, done, AS_FILE, 0, &theirs), 0);
    request.fd = theirs;
    assert_int_equal(call_fd(fd, UAPI_DMA_BUF_IMPORT_SYNC_FILE, &request, sizeof request), 0);
    assert_int_equal(call_fd(fd, UAPI_DMA_BUF_EXPORT_SYNC_FILE, &request, sizeof request), 0);
    assert_true(is_readable(request.fd));
    request.flags = DMA_BUF_SYNC_WRITE;
    assert_int_equal(call_fd(fd, UAPI_DMA_BUF_EXPORT_SYNC_FILE, &request, sizeof request), 0);
    assert_false(is_readable(request.fd));
    assert_int_equal(rig_prep(&rig, file, buffer.handle, NOUVEAU_GEM_CPU_PREP_NOWAIT), 0);
    assert_int_equal(rig_prep(&rig, file, buffer.handle, NOUVEAU_GEM_CPU_PREP_NOWAIT | NOUVEAU_GEM_CPU_PREP_WRITE),
                     -EBUSY);
    let_it_end(&channel);
    assert_true(is_readable(request.fd));
    assert_int_equal(rig_prep(&rig, file, buffer.handle, NOUVEAU_GEM_CPU_PREP_NOWAIT | NOUVEAU_GEM_CPU_PREP_WRITE), 0);
    rig_close(&rig);
}

static void a_buffer_s_descriptor_has_the_old_ioctls(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    int fd = to_dma_buf(file, rig_buffer(&rig, file, GART, PAGE).handle);
    struct dma_buf_sync sync = {.flags = DMA_BUF_SYNC_START};
    char name[40] = "a texture";
    assert_int_equal(call_fd(fd, DMA_BUF_IOCTL_SYNC, &sync, sizeof sync), -EINVAL);
    sync.flags = DMA_BUF_SYNC_RW | 8;
    assert_int_equal(call_fd(fd, DMA_BUF_IOCTL_SYNC, &sync, sizeof sync), -EINVAL);
    sync.flags = DMA_BUF_SYNC_RW | DMA_BUF_SYNC_START;
    assert_int_equal(call_fd(fd, DMA_BUF_IOCTL_SYNC, &sync, sizeof sync), 0);
    sync.flags = DMA_BUF_SYNC_RW | DMA_BUF_SYNC_END;
    assert_int_equal(call_fd(fd, DMA_BUF_IOCTL_SYNC, &sync, sizeof sync), 0);
    assert_int_equal(call_fd(fd, DMA_BUF_SET_NAME_B, name, sizeof name), 0);
    memset(name, 'x', sizeof name);
    assert_int_equal(call_fd(fd, DMA_BUF_SET_NAME_A, name, sizeof name), -EINVAL);
    assert_int_equal(call_fd(fd, _IO('b', 9), &sync, sizeof sync), -ENOTTY);
    assert_int_equal(drm_descriptor_ioctl(rig.device, fd, DMA_BUF_IOCTL_SYNC, NOT_MAPPED), -EFAULT);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_goes_to_another_file_by_its_descriptor),
        cmocka_unit_test(descriptors_of_other_things_are_refused),
        cmocka_unit_test(an_object_stays_with_its_descriptor),
        cmocka_unit_test(a_sync_file_has_what_the_object_had),
        cmocka_unit_test(a_sync_file_may_be_of_a_point),
        cmocka_unit_test(an_object_is_not_given_by_a_point),
        cmocka_unit_test(sync_files_are_merged),
        cmocka_unit_test(a_sync_file_tells_of_its_fences),
        cmocka_unit_test(a_deadline_is_a_hint),
        cmocka_unit_test(a_sync_file_that_is_closed_goes),
        cmocka_unit_test(a_buffer_gives_and_takes_sync_files),
        cmocka_unit_test(a_buffer_s_descriptor_has_the_old_ioctls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
