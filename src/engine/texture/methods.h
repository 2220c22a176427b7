/* SPDX-License-Identifier: MIT */
/*
 * Textures before G80: no headers, but methods of the object that draws, a set per texture unit.
 *
 *   methods_texture(&texture, class, unit, values, &error)   words --> struct texture_view, and where its memory is
 *   methods_read(&texture, image, memory, rgba, &error)      its memory --> lines of texels --> a picture
 *
 *   methods.c   words, sizes and places of levels     methods_formats.c   codes     methods_read.c   texels
 *
 * Modelled:     D3D of NV3; textured triangles of NV4 and NV10; Celsius, Kelvin, Rankine, Curie, with the units of its
 * vertex programs: levels, cubes, volumes, lines with a pitch, swizzled and compressed texels, borders in memory,
 * palettes, YUV, depth as floats, TEX_SWIZZLE, signs of FILTER. Not modelled: the wraps and gammas of samplers.
 *
 * UNKNOWN: whether the levels that TEX_ENABLE allows count for where a face of a cube begins, as xemu has it; chosen:
 * all that TEX_FORMAT says, as Mesa lays them out.
 *
 * Sources: envytools rnndb/graph/{nv4_3d,nv10_3d,nv20_3d,nv30-40_3d}.xml; Mesa src/mesa/drivers/dri/nouveau
 * {nv04,nv10,nv20}_state_tex.c, src/gallium/drivers/nouveau/nv30 {nv30_texture,nv30_fragtex,nv30_miptree}.c; xemu
 * hw/xbox/nv2a (nv2a_regs.h, pgraph/texture.c, pgraph/gl/constants.h); RPCS3 rpcs3/Emu/RSX (gcm_enums.h,
 * RSXTexture.cpp, Common/TextureUtils.cpp); OpenGL's NV_texture_compression_vtc.
 */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_METHODS_H
#define PFIFO_SRC_ENGINE_TEXTURE_METHODS_H

#include <pfifo/picture.h>

#include "engine/texture/format.h"

/* Objects by how they number formats, as bits. */
enum methods_objects {
    METHODS_TRIANGLE = 1,
    METHODS_CELSIUS = 2,
    METHODS_KELVIN = 4,
    METHODS_RANKINE = 8,
    METHODS_CURIE = 16,
    METHODS_D3D = 32,    /* of NV3 */
    METHODS_VERTEX = 64, /* the units of Curie's vertex programs */
};

struct methods_format {
    uint8_t objects; /* that have it: enum methods_objects */
    uint8_t code;
    bool lines;             /* it is not swizzled, and has a pitch; Curie: see TEX_FORMAT */
    bool palette;           /* texels are indices */
    bool plain;             /* TEX_SWIZZLE does not count */
    bool yuv;               /* texels are Cb, Y, Cr, and programs get R, G, B */
    uint8_t source[4];      /* of R G B A, enum texture_source: what TEX_SWIZZLE chooses from */
    enum texture_type type; /* of its components; 0: UNORM */
    struct texture_format format;
};

/* NULL: the sources know no such code. */
const struct methods_format *methods_format(enum methods_objects object, uint32_t code);
/* What a palette has: A8R8G8B8. */
extern const struct texture_format methods_palette_format;

/* Values of the methods of the object; 0 where nobody has set it. */
struct methods_values {
    void *opaque;
    uint32_t (*value)(void *opaque, uint32_t method);
};

struct methods_texture {
    struct texture_view view; /* its address is in the DMA object */
    uint32_t object;          /* the DMA object */
    bool stacked;             /* compressed volumes: the blocks of up to 4 slices lie together, see methods_read() */
    bool yuv;                 /* see struct methods_format */
    uint32_t border;          /* texels in front of the first one and after the last one, in each dimension */
    uint32_t palette_object, palette_address, palette_count; /* 0: there is none */
};

/*
 * Texture units of a class, 0: none that methods describe. The last four of Curie's 20 are those of vertex programs.
 */
uint32_t methods_units(uint32_t object_class);

/* Errors: PFIFO_ERROR_ARGUMENT (no such unit, or no texture in it), _UNSUPPORTED (it is named). */
enum pfifo_status methods_texture(struct methods_texture *texture, uint32_t object_class, uint32_t number,
                                  const struct methods_values *values, struct pfifo_error *error);

/* Bytes at an address in a DMA object; what is not there is 0. False: nothing of it is there. */
struct methods_memory {
    void *opaque;
    bool (*read)(void *opaque, uint32_t object, uint64_t address, void *data, uint64_t bytes);
};

/*
 * The image, which must exist. Errors: PFIFO_ERROR_ARGUMENT (it is too large), _FAULT (nothing of it is there),
 * _MEMORY.
 */
enum pfifo_status methods_read(const struct methods_texture *texture, struct pfifo_texture_image image,
                               const struct methods_memory *memory, uint8_t *rgba, struct pfifo_error *error);

#endif
