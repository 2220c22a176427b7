/* SPDX-License-Identifier: MIT */
/*
 * A surface of a capture, at some place of its run: what it is, and its pixels.
 *
 *   replay --engine.draw, engine.done--> targets of draws and clears     a place is reached --> pixels, kept
 *          --puller.bind--------------> the object with textures
 */
#ifndef PFIFO_TOOL_IMAGE_SURFACE_H
#define PFIFO_TOOL_IMAGE_SURFACE_H

#include <pfifo/draw.h>
#include <pfifo/picture.h>

#include "face/tool/replay/play.h"

enum surface_kind { SURFACE_TARGET, SURFACE_TEXTURE, SURFACE_ADDRESS, SURFACE_BUFFER, SURFACE_UNIT };

/* What is asked for. */
struct surface_config {
    const struct pfifo_chip *chip; /* NULL: the capture's */
    enum surface_kind kind;
    bool has_number; /* of a target; else the one that a picture of the draw shows */
    uint64_t number; /* of a target, texture header or texture unit; an address, or the offset in a buffer */
    uint32_t handle; /* of a buffer of the capture */
    bool described;  /* `picture` says what is there, as always in buffers; else a target is */
    struct pfifo_picture picture;     /* its pitch 0: as long as a line */
    struct pfifo_texture_image image; /* of a texture */
    struct place at;
};

struct surface {
    struct surface_config config;
    /* The result: no pixels as long as there are none. Strings are constants. */
    uint32_t width, height;
    uint8_t *rgba;
    struct pfifo_texture is;  /* width, height: of level 0 */
    struct pfifo_error error; /* why there are none */

    struct play play;
    struct pfifo_buffer *leaving; /* the one that may be seen, as it goes; else NULL */
    size_t bind;                  /* number of the event */
    bool pending;                 /* something was drawn, and no picture taken since */
    uint32_t channel, oclass;     /* of the last draw, or of the first 3D object; oclass 0: none */
    bool drawn, has_object;
    struct pfifo_draw last; /* its targets are valid as long as `drawn` */
    struct pfifo_target at; /* the last one at the address; no format: there was none */
};

/*
 * Run `stream` up to the place, and take the picture. False: `surface->error` says why there is none. The pixels are to
 * be freed.
 */
bool surface_take(struct surface *surface, struct pfifo_stream *stream);

/* surface_unit.c: the texture that methods describe for a texture unit, before G80; may it be in that buffer? */
struct pfifo_texture_unit surface_unit(const struct surface *surface);
bool surface_unit_holds(const struct surface *surface, const struct pfifo_buffer *buffer);

#endif
