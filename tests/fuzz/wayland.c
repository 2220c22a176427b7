/* SPDX-License-Identifier: MIT */
/*
 * The translator between a program and its Wayland compositor, both hostile. The input is pieces of what they send: a byte
 * (bit 0: by the compositor; bits 1 and 2: so many descriptors come with it; bit 3: these are buffers), the length in two
 * bytes, the bytes. In the end no descriptor is left, and no memory.
 */
#include "face/drm/window/wayland.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/input.h"

/* Devices are buffers. */
static bool fuzz_buffer(void *opaque, int fd) {
    struct stat as;
    (void)opaque;
    return fstat(fd, &as) == 0 && S_ISCHR(as.st_mode);
}

static uint32_t fuzz_modifiers(void *opaque, uint64_t modifiers[DRM_MOST_MODIFIERS]) {
    (void)opaque;
    for (uint32_t i = 0; i < DRM_MOST_MODIFIERS; i++)
        modifiers[i] = i;
    return DRM_MOST_MODIFIERS;
}

static bool fuzz_check(void *opaque, const struct drm_image *image) {
    (void)opaque;
    require(image->file >= 0 && image->width && image->height);
    return (uint64_t)image->width * image->height <= 4096;
}

static bool fuzz_read(void *opaque, const struct drm_image *image, uint8_t *to, size_t pitch) {
    (void)opaque;
    require(pitch >= (size_t)image->width * 4);
    memset(to, 0x5a, pitch * image->height);
    return true;
}

static const struct wayland_host host = {
    .buffer = fuzz_buffer, .modifiers = fuzz_modifiers, .check = fuzz_check, .read = fuzz_read, .device = 1};

/* The reader of what goes out takes all of it. */
static void deliver(struct wayland_stream *stream) {
    for (size_t i = 0; i < stream->out_fd_count; i++)
        close(stream->out_fds[i]);
    stream->out_fd_count = 0;
    stream->out_bytes = 0;
}

static size_t give(struct wayland_stream *stream, uint8_t first, const uint8_t *data, size_t size) {
    size_t room = sizeof stream->in - stream->in_bytes, bytes = size < room ? size : room;
    for (unsigned i = 0; i < (first >> 1 & 3u); i++)
        if (stream->in_fd_count < WAYLAND_FDS)
            stream->in_fds[stream->in_fd_count++] = open(first & 8 ? "/dev/null" : "/", O_RDONLY | O_CLOEXEC);
    memcpy(stream->in + stream->in_bytes, data, bytes);
    stream->in_bytes += bytes;
    return bytes;
}

static int lowest_free(void) {
    int fd = dup(0);
    close(fd);
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct wayland wayland;
    const int before = lowest_free();
    bool goes_on = true;
    wayland_begin(&wayland, &host);
    for (size_t at = 0; goes_on && size - at >= 3;) {
        uint8_t first = data[at];
        size_t bytes = data[at + 1] | (size_t)data[at + 2] << 8;
        at += 3;
        bytes = bytes < size - at ? bytes : size - at;
        bytes = give(first & 1 ? &wayland.events : &wayland.requests, first, data + at, bytes);
        at += bytes;
        goes_on = first & 1 ? wayland_take_events(&wayland) : wayland_take_requests(&wayland);
        deliver(&wayland.requests);
        deliver(&wayland.events);
    }
    wayland_end(&wayland);
    require(lowest_free() == before);
    return 0;
}
