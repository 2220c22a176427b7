/* SPDX-License-Identifier: MIT */
/* Messages: the object, the size and the code of the message in two words, and its arguments; the host's order of bytes. */
#include "face/drm/window/wayland.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_OUT (UINT32_C(1) << 24) /* bytes; a reader that is so far behind does not read any more */

static uint32_t word_at(const uint8_t *at) {
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static size_t round_up(size_t bytes) {
    return (bytes + 3) & ~(size_t)3;
}

/* ---- in ---- */

int wayland_first(const struct wayland_stream *stream, struct wayland_message *message) {
    const uint8_t *at = stream->in + stream->in_done;
    size_t left = stream->in_bytes - stream->in_done;
    if (left < WAYLAND_HEADER)
        return 0;
    uint32_t second = word_at(at + 4);
    size_t size = second >> 16;
    if (size < WAYLAND_HEADER || size % 4)
        return -1;
    if (left < size)
        return 0;
    *message = (struct wayland_message){word_at(at), second & 0xffff, at, size};
    return 1;
}

void wayland_make_room(struct wayland_stream *stream) {
    stream->in_bytes -= stream->in_done;
    memmove(stream->in, stream->in + stream->in_done, stream->in_bytes);
    stream->in_done = 0;
}

int wayland_take_fd(struct wayland_stream *stream) {
    if (stream->in_fd_count == 0)
        return -1;
    int fd = stream->in_fds[0];
    stream->in_fd_count--;
    memmove(stream->in_fds, stream->in_fds + 1, stream->in_fd_count * sizeof stream->in_fds[0]);
    return fd;
}

struct wayland_arguments wayland_arguments(const struct wayland_message *message) {
    return (struct wayland_arguments){message->bytes + WAYLAND_HEADER, message->size - WAYLAND_HEADER, false};
}

uint32_t wayland_uint(struct wayland_arguments *from) {
    uint32_t value = 0;
    if (from->left < sizeof value) {
        from->bad = true;
        return 0;
    }
    value = word_at(from->at);
    from->at += sizeof value;
    from->left -= sizeof value;
    return value;
}

/* Its length counts the 0 at its end. */
const char *wayland_string(struct wayland_arguments *from) {
    uint32_t length = wayland_uint(from);
    if (from->bad || length == 0 || length > from->left || round_up(length) > from->left ||
        memchr(from->at, 0, length) != from->at + length - 1) {
        from->bad = true;
        return NULL;
    }
    const char *string = (const char *)from->at;
    from->at += round_up(length);
    from->left -= round_up(length);
    return string;
}

/* ---- out ---- */

bool wayland_put(struct wayland_stream *stream, const void *bytes, size_t size) {
    if (stream->out_room - stream->out_bytes < size) {
        size_t room = 2 * stream->out_room + size;
        uint8_t *grown = stream->out_bytes + size > MOST_OUT ? NULL : realloc(stream->out, room);
        if (!grown)
            return false;
        stream->out = grown;
        stream->out_room = room;
    }
    memcpy(stream->out + stream->out_bytes, bytes, size);
    stream->out_bytes += size;
    return true;
}

bool wayland_put_fd(struct wayland_stream *stream, int fd) {
    if (fd < 0)
        return false;
    if (stream->out_fd_count == WAYLAND_FDS) {
        close(fd);
        return false;
    }
    stream->out_fds[stream->out_fd_count++] = fd;
    return true;
}

bool wayland_put_message(struct wayland_stream *stream, uint32_t object, uint32_t code, const void *arguments,
                         size_t bytes) {
    uint32_t size = (uint32_t)(WAYLAND_HEADER + bytes);
    const uint32_t header[2] = {object, size << 16 | code};
    return size < WAYLAND_MESSAGE && wayland_put(stream, header, sizeof header) &&
           (bytes == 0 || wayland_put(stream, arguments, bytes));
}

bool wayland_put_words(struct wayland_stream *stream, uint32_t object, uint32_t code, const uint32_t *words,
                       size_t count) {
    return wayland_put_message(stream, object, code, words, count * sizeof *words);
}

size_t wayland_string_bytes(const char *string, uint8_t *to, size_t room) {
    uint32_t length = (uint32_t)strlen(string) + 1;
    size_t bytes = sizeof length + round_up(length);
    if (bytes > room)
        return 0;
    memset(to, 0, bytes);
    memcpy(to, &length, sizeof length);
    memcpy(to + sizeof length, string, length);
    return bytes;
}

void wayland_stream_end(struct wayland_stream *stream) {
    for (size_t i = 0; i < stream->in_fd_count; i++)
        close(stream->in_fds[i]);
    for (size_t i = 0; i < stream->out_fd_count; i++)
        close(stream->out_fds[i]);
    free(stream->out);
    stream->out = NULL;
    stream->in_fd_count = stream->out_fd_count = stream->in_bytes = stream->in_done = stream->out_bytes =
        stream->out_room = 0;
}
