/* SPDX-License-Identifier: MIT */
/*
 * The display: one connector, wired to one encoder, to one CRTC, which shows one primary plane and a cursor.
 *
 *   framebuffer --> plane --> CRTC --> encoder --> connector (connected, modes of our own)
 *
 * Modelled:     what programs see: modes, framebuffers, flips and vertical blanks with their events, a cursor, gamma
 *               tables that are stored, planes and properties, an EDID; the atomic interface, if the device has it.
 * Not modelled: scan-out and gamma; planes of the cursor and of overlays, tables of colours as properties, nouveau's
 *               own properties (dithering, underscan ...); leases.
 *
 * Time: with a refresh rate vertical blanks follow the host's clock, and drm_device_vblank() brings them. Without one
 * time is virtual: 60 frames make a second, and who waits for a frame makes it come.
 *
 * Sources: Linux include/uapi/drm/{drm,drm_mode,drm_fourcc}.h, drivers/gpu/drm/drm_{atomic,atomic_helper,atomic_uapi,
 *          auth,blend,connector,crtc,dumb_buffers,framebuffer,ioctl,mode_config,mode_object,modes,plane,property,
 *          vblank}.c, drivers/gpu/drm/nouveau/{nouveau_display,dispnv50/{base507c,disp,wndw},dispnv04/{crtc,disp}}.c
 */
#ifndef PFIFO_SRC_FACE_DRM_KMS_H
#define PFIFO_SRC_FACE_DRM_KMS_H

#include <drm.h>
#include <drm_mode.h>

#include "engine/surface/layout.h"
#include "face/drm/node/node.h"

/* Identities of what is always there. Framebuffers get those from KMS_FIRST_FRAMEBUFFER on. */
enum kms_id {
    KMS_PLANE = 1,
    KMS_CRTC,
    KMS_ENCODER,
    KMS_CONNECTOR,
    KMS_PROPERTY_EDID,
    KMS_PROPERTY_DPMS,
    KMS_PROPERTY_LINK_STATUS,
    KMS_PROPERTY_NON_DESKTOP,
    KMS_PROPERTY_TILE,
    KMS_PROPERTY_TYPE,
    KMS_PROPERTY_IN_FORMATS,
    KMS_BLOB_IN_FORMATS,
    KMS_BLOB_EDID,
    KMS_BLOB_MODE, /* of a mode that no program has made a blob of */
    KMS_PROPERTY_FB_ID,
    KMS_PROPERTY_IN_FENCE_FD,
    KMS_PROPERTY_CRTC_ID, /* of planes and connectors */
    KMS_PROPERTY_CRTC_X,
    KMS_PROPERTY_CRTC_Y,
    KMS_PROPERTY_CRTC_W,
    KMS_PROPERTY_CRTC_H,
    KMS_PROPERTY_SRC_X,
    KMS_PROPERTY_SRC_Y,
    KMS_PROPERTY_SRC_W,
    KMS_PROPERTY_SRC_H,
    KMS_PROPERTY_ACTIVE,
    KMS_PROPERTY_MODE_ID,
    KMS_PROPERTY_OUT_FENCE_PTR,
    KMS_PROPERTY_VRR_ENABLED,
    KMS_FIRST_FRAMEBUFFER = 32,
};

#define KMS_GAMMA_SIZE 256u
#define KMS_MODES_MOST 4u

/* A channel's bits in a pixel, which is little endian. */
struct kms_format {
    uint32_t fourcc;
    uint8_t bytes;
    uint8_t bpp, depth; /* of the legacy ADDFB */
    struct {
        uint8_t shift, bits;
    } channel[3]; /* R, G, B */
    bool since_g80;
};

struct kms_framebuffer {
    struct kms_framebuffer *next; /* of the display */
    uint32_t id;                  /* 0: removed */
    unsigned references;          /* of the list and who shows it, or is going to */
    struct drm_file *file;        /* NULL: the console's */
    struct drm_buffer *buffer;    /* NULL: the console's */
    const struct kms_format *format;
    uint32_t width, height, pitch, offset, flags;
    uint64_t modifier;
    bool block_linear;
    uint8_t block_height; /* log2 of gobs */
};

/* Which part of its framebuffer (in 1/65536 of a pixel) a plane shows, and where on the CRTC. */
struct kms_view {
    uint32_t src_x, src_y, src_w, src_h;
    int32_t crtc_x, crtc_y;
    uint32_t crtc_w, crtc_h;
};

struct drm_point;

/* A flip under way: the framebuffer waits for its rendering, or for a vertical blank. */
struct kms_flip {
    struct kms_framebuffer *framebuffer; /* NULL: none */
    struct kms_view view;
    struct drm_point *fence; /* of IN_FENCE_FD; NULL: there is nothing more to wait for */
    struct drm_file *file;   /* who gets the event; NULL: nobody */
    uint64_t user_data;
    uint64_t number; /* of all flips */
    uint64_t after;  /* number of a vertical blank: it comes with one of those that follow */
};

/* Somebody waits for a vertical blank, and gets an event. */
struct kms_waiter {
    struct kms_waiter *next;
    struct drm_file *file;
    uint32_t type; /* DRM_EVENT_VBLANK or _CRTC_SEQUENCE */
    uint64_t user_data, frame;
};

struct kms_cursor {
    struct drm_buffer *buffer; /* NULL: none */
    uint32_t width, height;
    int32_t x, y;
};

struct kms {
    struct drm_device *device;
    struct drm_mode_modeinfo modes[KMS_MODES_MOST];
    uint32_t mode_count;
    uint32_t most_pixels; /* of a framebuffer in each direction */

    struct kms_framebuffer *framebuffers, *console; /* the console is one of them */
    struct kms_blob *blobs;                         /* that programs have made */
    uint32_t next_id;

    /* The CRTC. */
    bool on, bound; /* it has a mode; the encoder feeds the connector from it */
    struct drm_mode_modeinfo mode;
    struct kms_framebuffer *screen; /* what is shown; NULL: the plane is off */
    struct kms_view view;
    uint32_t mode_blob; /* that a program has made of the mode; 0: KMS_BLOB_MODE */
    bool vrr;
    uint16_t gamma[3][KMS_GAMMA_SIZE];
    struct kms_cursor cursor;
    uint64_t dpms;

    struct kms_flip flip;
    uint64_t flips;
    struct kms_waiter *waiters; /* the one who has waited longest comes first */
    uint64_t period;            /* nanoseconds of a frame */
    uint64_t origin;            /* when frame 0 was */
    uint64_t frames;            /* virtual time: how many there were */
};

struct kms_file {
    bool universal_planes, atomic;
};

/* ---- memory of programs ---- */

bool kms_take(struct drm_file *file, void *to, uint64_t from, size_t bytes);
bool kms_give(struct drm_file *file, uint64_t to, const void *from, size_t bytes);
/* As many identities as `room` has place for; it becomes how many there are. 0 or -EFAULT. */
int kms_give_ids(struct drm_file *file, uint64_t to, uint32_t *room, const uint32_t *ids, uint32_t count);

/* ---- modes ---- */

/* The device's, the preferred one first. */
void kms_make_modes(struct kms *kms);
/* Could a display take it? */
bool kms_mode_valid(const struct drm_mode_modeinfo *mode);
/* As it is kept: with the types that there are, and an end of its name. */
struct drm_mode_modeinfo kms_mode_clean(const struct drm_mode_modeinfo *mode);
/* How large so many pixels are on the display, at 96 dots per inch. */
uint32_t kms_millimetres(uint32_t pixels);

#define KMS_EDID_BYTES 128u
/* What the display says of itself and of the modes. */
void kms_make_edid(const struct kms *kms, uint8_t edid[KMS_EDID_BYTES]);

/* ---- formats ---- */

/* NULL: not on this chip. */
const struct kms_format *kms_format_of(const struct kms *kms, uint32_t fourcc);
uint32_t kms_legacy_fourcc(uint32_t bpp, uint32_t depth); /* 0: none */
/* Those of the chip; `fourccs` has room for 16. */
uint32_t kms_formats(const struct kms *kms, uint32_t *fourccs);
/* Modifiers that the chip's display takes; `modifiers` has room for 32. Before G80: none. */
uint32_t kms_modifiers(const struct kms *kms, uint64_t *modifiers);

/* ---- framebuffers ---- */

/* Without a reference. NULL: ENOENT. Those that are removed are not found. */
struct kms_framebuffer *kms_framebuffer_find(struct kms *kms, uint32_t id);
struct kms_framebuffer *kms_framebuffer_ref(struct kms_framebuffer *framebuffer);
void kms_framebuffer_unref(struct kms_framebuffer *framebuffer);
/* Off the screen with it first, if it is there: the CRTC goes off. */
void kms_framebuffer_remove(struct kms *kms, struct kms_framebuffer *framebuffer);

/* Where the pixels are: as the modifier says, or the buffer. 0; -EINVAL: no layout of the display; -ERANGE: not all of it
 * is in the buffer. */
int kms_framebuffer_lay_out(const struct kms *kms, struct kms_framebuffer *framebuffer);

/* Memory of a framebuffer, and where its pixels are. */
struct kms_source {
    uint8_t *memory;
    uint64_t bytes, offset;
    struct layout layout;
};

/* False: no memory. */
bool kms_source_open(const struct kms *kms, const struct kms_framebuffer *framebuffer, struct kms_source *source);
/* Bytes of a line from memory, or to it (`write`). What is beyond the buffer is 0. */
void kms_source_line(const struct kms_source *source, uint64_t x, uint64_t y, uint8_t *line, uint64_t bytes,
                     bool write);

/* ---- the console ---- */

/* False: no memory. */
bool kms_console_new(struct kms *kms);
bool kms_is_console(const struct kms_framebuffer *framebuffer);
/* It takes the CRTC, when no program has it any more. */
void kms_console_show(struct kms *kms);

/* ---- the CRTC ---- */

/* 0, or -ENOSPC: the framebuffer is smaller than what is shown of it. */
int kms_check_view(const struct kms_framebuffer *framebuffer, uint32_t x, uint32_t y,
                   const struct drm_mode_modeinfo *mode);
/*
 * Until nothing draws to it any more; for long, but not forever. Meanwhile other calls may come in. 0, -EINTR,
 * -ENOENT: it was removed.
 */
int kms_wait_for_drawing(struct kms_framebuffer *framebuffer);
/* On the screen with it, now. Who watches is told, and of the console before it comes. */
void kms_show(struct kms *kms, struct kms_framebuffer *framebuffer);
/* A flip under way is done, its event sent. */
void kms_turn_plane_off(struct kms *kms);
void kms_turn_off(struct kms *kms);
/* DPMS: the display sleeps or is awake; what it shows, stays. 0, or -errno of kms_check_plane(). */
int kms_set_dpms(struct kms *kms, uint64_t dpms);
/* Does it show anything? */
bool kms_is_active(const struct kms *kms);
/* What the plane has: where a flip leads to, if one is under way. NULL: nothing. */
struct kms_framebuffer *kms_current(const struct kms *kms);

/* ---- the plane ---- */

#define KMS_FIXED_POINT 16u /* of coordinates in a framebuffer */

/* All of a mode, from there on in the framebuffer. */
struct kms_view kms_view_of(uint32_t x, uint32_t y, const struct drm_mode_modeinfo *mode);
/* Where a flip leads to, if one is under way. */
const struct kms_view *kms_current_view(const struct kms *kms);
/* 0, or -ENOSPC: it is not within the framebuffer. */
int kms_check_source(const struct kms_view *view, const struct kms_framebuffer *framebuffer);
/* What is seen of the source begins there, in whole pixels. False: nothing is, the view is outside of the CRTC. */
bool kms_view_origin(const struct kms_view *view, const struct drm_mode_modeinfo *mode, uint32_t *x, uint32_t *y);
/* 0; -ERANGE: it is scaled; -EINVAL: it does not cover the CRTC. */
int kms_check_plane(const struct kms_view *view, const struct drm_mode_modeinfo *mode);

/* ---- flips and vertical blanks ---- */

/* Is nobody drawing to it? */
bool kms_is_drawn(const struct kms_framebuffer *framebuffer);
uint64_t kms_frame(const struct kms *kms);                      /* the number of the last vertical blank */
uint64_t kms_frame_time(const struct kms *kms, uint64_t frame); /* when it was, in nanoseconds */
bool kms_frame_passed(const struct kms *kms, uint64_t frame);
/* Virtual time: make it the last. */
void kms_advance(struct kms *kms, uint64_t frame);
/* Without a refresh rate. */
bool kms_is_virtual(const struct kms *kms);
void kms_send(struct kms *kms, const struct kms_waiter *waiter, uint64_t frame);
/* Begin one. The fence is taken over. */
void kms_flip_begin(struct kms *kms, const struct kms_flip *flip);
/* The flip that is under way comes to its end; shown or only said to be done. */
void kms_flip_end(struct kms *kms, bool show);
/* Until it has come; whatever signals come, but not forever. Meanwhile other calls may come in. */
void kms_flip_wait(struct kms *kms);
/* Try to: its rendering may not be done. */
void kms_flip_try(struct kms *kms);
/* 0, or -ENOMEM: the file has more events to come than the kernel would keep. */
int kms_wait_for(struct kms *kms, const struct kms_waiter *waiter);
/* Those whose frame has come get their events; all of them if `all`. */
void kms_wake(struct kms *kms, bool all);
/* Nobody sends the file anything any more. */
void kms_forget_events(struct kms *kms, const struct drm_file *file);

/* ---- properties ---- */

#define KMS_BLOB_MOST 1024u /* bytes of a blob of the kernel's */

/* Does the display take modifiers? */
bool kms_has_modifiers(const struct kms *kms);
/* Does the device have the atomic interface? */
bool kms_has_atomic(const struct kms *kms);
/* The file's are removed, as soon as nothing uses them. */
void kms_forget_blobs(struct kms *kms, const struct drm_file *file);

/* NULL: there is no such blob. */
const void *kms_blob_data(struct kms *kms, uint32_t id, uint32_t *bytes, uint8_t own[KMS_BLOB_MOST]);
/* The CRTC's mode is that of a blob; 0: of none. */
void kms_use_mode_blob(struct kms *kms, uint32_t id);

/* 0 or -errno, as of OBJ_GETPROPERTIES. */
int kms_give_properties(struct drm_file *file, uint32_t object, uint64_t ids, uint64_t values, uint32_t *count);

/* ---- ioctls, see the table in kms.c ---- */

int kms_get_resources(struct drm_file *file, void *data);
int kms_get_encoder(struct drm_file *file, void *data);
int kms_get_connector(struct drm_file *file, void *data);
int kms_get_crtc(struct drm_file *file, void *data);
int kms_set_crtc(struct drm_file *file, void *data);
int kms_get_gamma(struct drm_file *file, void *data);
int kms_set_gamma(struct drm_file *file, void *data);
int kms_set_cursor(struct drm_file *file, void *data);
int kms_get_property(struct drm_file *file, void *data);
int kms_get_blob(struct drm_file *file, void *data);
int kms_create_blob(struct drm_file *file, void *data);
int kms_destroy_blob(struct drm_file *file, void *data);
int kms_set_property(struct drm_file *file, void *data);
int kms_object_properties(struct drm_file *file, void *data);
int kms_set_object_property(struct drm_file *file, void *data);
int kms_get_plane_resources(struct drm_file *file, void *data);
int kms_get_plane(struct drm_file *file, void *data);
int kms_set_plane(struct drm_file *file, void *data);
int kms_add_framebuffer(struct drm_file *file, void *data);
int kms_add_framebuffer2(struct drm_file *file, void *data);
int kms_remove_framebuffer(struct drm_file *file, void *data);
int kms_get_framebuffer(struct drm_file *file, void *data);
int kms_get_framebuffer2(struct drm_file *file, void *data);
int kms_dirty_framebuffer(struct drm_file *file, void *data);
int kms_page_flip(struct drm_file *file, void *data);
int kms_wait_vblank(struct drm_file *file, void *data);
int kms_get_sequence(struct drm_file *file, void *data);
int kms_queue_sequence(struct drm_file *file, void *data);
int kms_atomic(struct drm_file *file, void *data);
int kms_create_dumb(struct drm_file *file, void *data);
int kms_map_dumb(struct drm_file *file, void *data);
int kms_destroy_dumb(struct drm_file *file, void *data);

#endif
