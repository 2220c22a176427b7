/* SPDX-License-Identifier: MIT */
/*
 * Windows of a Wayland compositor: what a program draws on the model appears in them. Between the program and the
 * compositor stands a translator, to which the compositor's socket leads:
 *
 *   program, Mesa <--linux-dmabuf: buffers of the model--> translator <--wl_shm: copies--> compositor
 *
 * The compositor's own linux-dmabuf, which knows another card or none, is hidden, and one of the model shown in its place.
 * Both sides must have the same objects at the same ids, so each object of linux-dmabuf is one of wl_shm for the
 * compositor:
 *
 *   zwp_linux_dmabuf_v1              wl_shm
 *   zwp_linux_buffer_params_v1       wl_shm_pool, of the memory that the picture is copied to
 *   zwp_linux_dmabuf_feedback_v1     wl_shm_pool, without any use
 *   wl_buffer                        wl_buffer, of the pool: releases and the end of it are the compositor's
 *
 * A surface's commit brings the picture from the buffer that was attached to the memory of the pool. All other messages pass
 * as they are, with their descriptors.
 *
 *   wayland_wire.c      messages in and out, and descriptors
 *   wayland_objects.c   the objects that are translated
 *   wayland_requests.c  what the program sends
 *   wayland_dmabuf.c    what it sends to linux-dmabuf
 *   wayland_events.c    what the compositor sends
 *   wayland_connect.c   connect(), and the thread of a connection
 *
 * Modelled:     linux-dmabuf 4, formats XRGB8888 and ARGB8888 with the display's modifiers, create_immed.
 * Not modelled: create (it fails, and programs use create_immed); other formats, which compositors need not have.
 * Limits:       which message a descriptor belongs to is known of those to wl_shm and linux-dmabuf. Others' go on in their order,
 *               when what they came with has.
 * Sources:      wayland.xml, linux-dmabuf-unstable-v1.xml; Mesa src/egl/drivers/dri2/platform_wayland.c,
 *               src/vulkan/wsi/wsi_common_wayland.c; libwayland connection.c (the format of messages)
 */
#ifndef PFIFO_SRC_FACE_DRM_WINDOW_WAYLAND_H
#define PFIFO_SRC_FACE_DRM_WINDOW_WAYLAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "face/drm/drm.h"

/* ---- what the translator needs of its owner ---- */

struct wayland_host {
    /* Is the descriptor one of a buffer of the model? */
    bool (*buffer)(void *opaque, int fd);
    /* As drm_device_modifiers(), drm_device_check_image(); drm_device_read_image() of all of it. */
    uint32_t (*modifiers)(void *opaque, uint64_t modifiers[DRM_MOST_MODIFIERS]);
    bool (*check)(void *opaque, const struct drm_image *image);
    bool (*read)(void *opaque, const struct drm_image *image, uint8_t *to, size_t pitch);
    uint64_t device; /* dev_t of the node */
    void *opaque;
};

/* ---- wayland_wire.c ---- */

#define WAYLAND_MESSAGE 65536u /* a size has 16 bits */
#define WAYLAND_FDS     1024u  /* that wait for their message; libwayland has as much room */
#define WAYLAND_HEADER  8u

/* One direction. */
struct wayland_stream {
    uint8_t in[2 * WAYLAND_MESSAGE]; /* whole messages, and the beginning of one */
    size_t in_bytes, in_done;        /* of these, so many are done with */
    int in_fds[WAYLAND_FDS], out_fds[WAYLAND_FDS];
    size_t in_fd_count, out_fd_count;
    uint8_t *out;
    size_t out_bytes, out_room;
};

struct wayland_message {
    uint32_t object, code; /* of the request or event */
    const uint8_t *bytes;  /* all of it */
    size_t size;
};

/* The first whole message that is not done with. 0: there is none; -1: no message is like this. */
int wayland_first(const struct wayland_stream *stream, struct wayland_message *message);
/* What is done with goes; messages point to nothing any more. */
void wayland_make_room(struct wayland_stream *stream);
/* The next descriptor that has come, or -1. */
int wayland_take_fd(struct wayland_stream *stream);

/* Arguments, one after the other. What is not there is 0, NULL, and `bad`. */
struct wayland_arguments {
    const uint8_t *at;
    size_t left;
    bool bad;
};
struct wayland_arguments wayland_arguments(const struct wayland_message *message);
uint32_t wayland_uint(struct wayland_arguments *from);
const char *wayland_string(struct wayland_arguments *from);

/* What goes out, into the stream; a descriptor (which becomes the stream's) with the message that follows. False: no room. */
bool wayland_put(struct wayland_stream *stream, const void *bytes, size_t size);
bool wayland_put_fd(struct wayland_stream *stream, int fd);
bool wayland_put_message(struct wayland_stream *stream, uint32_t object, uint32_t code, const void *arguments,
                         size_t bytes);
/* With up to eight arguments of 32 bits. */
bool wayland_put_words(struct wayland_stream *stream, uint32_t object, uint32_t code, const uint32_t *words,
                       size_t count);
/* A string as an argument: its bytes in `to`, of 4 + length + 1, up to a multiple of 4; how many. 0: no room. */
size_t wayland_string_bytes(const char *string, uint8_t *to, size_t room);
void wayland_stream_end(struct wayland_stream *stream);

/* ---- wayland_objects.c ---- */

enum wayland_kind {
    WAYLAND_REGISTRY,
    WAYLAND_COMPOSITOR,
    WAYLAND_SHM,
    WAYLAND_SURFACE,
    WAYLAND_DMABUF,
    WAYLAND_PARAMS,
    WAYLAND_FEEDBACK,
    WAYLAND_BUFFER,
};

#define WAYLAND_OBJECTS 4096u /* that are translated, of a connection */

struct wayland_object {
    uint32_t id;
    enum wayland_kind kind;
    uint32_t version;  /* DMABUF */
    uint32_t attached; /* SURFACE: the buffer that the next commit shows; 0: none */
    /* PARAMS and BUFFER. */
    int fd;      /* of the model's buffer; -1: none yet */
    int memory;  /* PARAMS: of the pool */
    bool used;   /* PARAMS: a buffer was made of it */
    uint8_t *to; /* BUFFER: where pictures go */
    size_t bytes;
    struct drm_image image;
};

struct wayland {
    const struct wayland_host *host;
    struct wayland_stream requests, events;
    uint32_t shm; /* the compositor's name of wl_shm; 0: unknown */
    bool over;    /* an error was sent to the program: nothing more is translated */
    struct wayland_object *objects;
    size_t count, room;
};

/* NULL: of another kind of object, or one that is not there. Valid until the next is made. */
struct wayland_object *wayland_find(const struct wayland *wayland, uint32_t id);
/* A new one, in the place of one with the same id. NULL: no room. */
struct wayland_object *wayland_new(struct wayland *wayland, uint32_t id, enum wayland_kind kind);
void wayland_forget(struct wayland *wayland, uint32_t id);

/* ---- both ways ---- */

void wayland_begin(struct wayland *wayland, const struct wayland_host *host);
/* All that has come and is whole goes out. False: the connection cannot go on; what is in the streams may still be sent. */
bool wayland_take_requests(struct wayland *wayland);
bool wayland_take_events(struct wayland *wayland);
void wayland_end(struct wayland *wayland);

/* ---- wayland_dmabuf.c ---- */

#define WAYLAND_DMABUF_NAME    0xffee0001u /* of the global; compositors count theirs from 1 */
#define WAYLAND_DMABUF_VERSION 4u

/* As wayland_take_requests(), of a message to such an object. */
bool wayland_bind_dmabuf(struct wayland *wayland, uint32_t registry, uint32_t id, uint32_t version);
bool wayland_dmabuf_request(struct wayland *wayland, const struct wayland_object *object,
                            const struct wayland_message *message);
bool wayland_params_request(struct wayland *wayland, struct wayland_object *object,
                            const struct wayland_message *message);
/* An error of the protocol: the program learns of it, and the connection ends. Returns false. */
bool wayland_error(struct wayland *wayland, uint32_t object, uint32_t code, const char *message);

/* ---- numbers of wayland.xml that both ways need ---- */

enum { WL_DISPLAY = 1, WL_DISPLAY_ERROR = 0, WL_REGISTRY_BIND = 0, WL_REGISTRY_GLOBAL = 0 };
enum { WL_SHM_CREATE_POOL = 0, WL_SHM_POOL_CREATE_BUFFER = 0, WL_SHM_POOL_DESTROY = 1, WL_SHM_POOL_RESIZE = 2 };

#endif
