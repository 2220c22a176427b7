/* SPDX-License-Identifier: MIT */
/*
 * Images: memory that programs load, store and change by coordinates. Where an image is comes from one of three places:
 *
 *   Fermi     a slot of the object, six methods                      slot.c     image_of_slot()
 *   Kepler    nowhere: the program makes an address of coordinates   raw.c      (SUCLAMP .. are of engine/shade)
 *   Maxwell   the header of a texture, by its handle                 header.c   image_of_view()
 *
 *   shade_io.surface --> image_surface()   access.c --> place.c    where each lane's texel is, or that it is outside
 *                                                   --> texel.c    components to and from a texel
 *                                                   --> shade_io.load, store
 *
 * Modelled:     all dimensions, arrays, slices of volumes, buffers, lines and blocks; accesses to the bytes as they are,
 *               and formatted ones of all formats that are fields of bits; atomics; what lies outside.
 * Not modelled: queries (SUQ), reductions of Fermi's own (SUREDP), atomics of formatted texels, whose numbers are not
 *               public. Multisampled images are what their programs make of them: samples are texels.
 * Sources:      Mesa nvc0_tex.c (nvc0_validate_suf, nve4_set_surface_info, gm107_create_image_handle),
 *               nv50_ir_lowering_nvc0.cpp (processSurfaceCoords...); yuzu surface_load_store.cpp.
 */
#ifndef PFIFO_SRC_ENGINE_IMAGE_IMAGE_H
#define PFIFO_SRC_ENGINE_IMAGE_IMAGE_H

#include "engine/shade/warp.h"
#include "engine/surface/format.h"
#include "engine/texture/texture.h"

#define IMAGE_SLOTS      8u
#define IMAGE_SLOT_WORDS 6u

/* Where a component of a program comes from: one of R G B A in the texel (0 .. 3), or a value. */
enum image_source { IMAGE_ZERO = 4, IMAGE_ONE_INTEGER, IMAGE_ONE_FLOAT };

struct image {
    struct format texel; /* bytes 0: there is no image, all is outside */
    bool formatted;      /* its components are known */
    bool is_volume;      /* the third coordinate is that of a slice, not of a layer */
    uint8_t source[4];   /* enum image_source */
    uint64_t address;
    struct layout layout;          /* of a layer */
    uint32_t width, height, depth; /* texels; `depth`: slices, or layers */
    uint64_t layer_bytes;          /* from a layer to the next */
};

/* A slot, from the values of its methods. */
struct image image_of_slot(const uint32_t words[IMAGE_SLOT_WORDS], enum gob_order order);
/* The first level of a texture. */
struct image image_of_view(const struct texture_view *view);

/* What an access asks for. */
struct image_request {
    uint8_t dim, outside; /* enum ir_image, ir_outside */
    uint8_t unit;         /* bytes that x counts */
    uint8_t bytes;        /* of the access */
};

/* Where an access is. False: it is outside of the image. */
bool image_place(const struct image *image, const struct image_request *request, const uint32_t coordinate[3],
                 uint64_t *address);

/* A texel to the components of a program, and back. */
void image_load(const struct image *image, const void *texel, uint32_t components[4]);
void image_store(const struct image *image, const uint32_t components[4], void *texel);
/* The format of a store of Kepler by its number, IMAGE_NO_FORMAT: nothing is stored. NULL: not known. */
const struct format *image_format_of(uint32_t number);
#define IMAGE_NO_FORMAT 0u

/* Where images of a program are. */
struct images {
    void *opaque;
    /* The header of a texture. NULL: it is none, and the owner knows why. */
    const struct texture_view *(*header)(void *opaque, uint32_t index);
    const struct image *slots; /* IMAGE_SLOTS; NULL: there are none */
};

/* For shade_io.surface: memory is accessed by the warp's load() and store(). */
bool image_surface(const struct images *images, struct shade_warp *warp, uint32_t lanes, const struct ir *ir,
                   struct shade_image *result);

#endif
