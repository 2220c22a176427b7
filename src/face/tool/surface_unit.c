/* SPDX-License-Identifier: MIT */
/*
 * Textures of NV30 to NV4x, which have no headers: methods of the 3D object describe them, a set per texture unit.
 *
 *   TEX_FORMAT, TEX_NPOT_SIZE, TEX_SIZE1, TEX_SWIZZLE --> struct pfifo_picture     TEX_OFFSET, DMA0 or DMA1 --> buffer
 *
 * Modelled:     level 0 of 2D textures whose texels are those of a colour format
 * Not modelled: other shapes and levels; compressed, depth and luminance-alpha formats, which are named
 * Sources:      envytools rnndb/graph/nv30-40_3d.xml; Mesa nv30_texture.c, nv30_miptree.c, and nv30_screen.c, which
 *               puts VRAM behind DMA_TEXTURE0 and GART behind DMA_TEXTURE1 [driver]
 */
#include "face/tool/surface.h"

#include <pfifo/classes.h>
#include <pfifo/gpu.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEX_SIZE1 = 0x1840, TEX_OFFSET = 0x1a00, TEX_FORMAT = 0x1a04, TEX_SWIZZLE = 0x1a10, TEX_NPOT_SIZE = 0x1a18 };
enum { UNITS = 8, UNIT_BYTES = 0x20, DIMS_2D = 2 }; /* units as the sources list them */

/* The names are those of the class; behind NV30's may be _RECT. */
static const struct {
    const char *name;
    uint32_t format; /* of struct pfifo_picture */
} formats[] = {
    {"A8R8G8B8", 0xcf}, {"X8R8G8B8", 0xe6}, {"R5G6B5", 0xe8},  {"A1R5G5B5", 0xe9},        {"L8", 0xf3},
    {"I8", 0xf3},       {"RGBA16F", 0xca},  {"RGBA32F", 0xc0}, {"FLOAT_RGBA16_NV", 0xca}, {"FLOAT_RGBA32_NV", 0xc0},
};

/* A field of a method of the unit; 0 if the class has none of that name. */
static uint32_t unit_field(const struct surface *surface, uint32_t method, uint32_t stride, const char *name,
                           const char **value_name) {
    struct pfifo_method_name known;
    struct pfifo_field field = {0};
    uint32_t data = 0, value;

    method += (uint32_t)surface->config.number * stride;
    pfifo_gpu_method_value(surface->play.gpu, surface->channel, surface->oclass, method, &data);
    if (!pfifo_method_find(surface->oclass, method, &known) || !pfifo_field_find(&known, name, &field))
        return 0;
    value = pfifo_field_get(&field, data);
    if (value_name)
        *value_name = pfifo_field_value_name(&field, value);
    return value;
}

static uint32_t plain(const struct surface *surface, uint32_t method, const char *name) {
    return unit_field(surface, method, UNIT_BYTES, name, NULL);
}

/* Is `name` this format, but for what says how it lies? */
static bool is_format(const char *name, const char *format) {
    size_t bytes = strlen(format);

    return strncmp(name, format, bytes) == 0 && (!name[bytes] || strcmp(name + bytes, "_RECT") == 0);
}

enum pfifo_status surface_unit_describe(struct surface *surface, struct pfifo_picture *picture) {
    const char *name = NULL;
    uint32_t number = unit_field(surface, TEX_FORMAT, UNIT_BYTES, "FORMAT", &name);
    const struct pfifo_class *class = pfifo_class_find(surface->oclass);
    bool old = name && strstr(name, "_RECT");
    bool lines = old || plain(surface, TEX_FORMAT, "LINEAR");
    size_t i = 0;

    if (!class || strcmp(class->family, "nv30-3d") != 0)
        return pfifo_error_set(&surface->error, PFIFO_ERROR_ARGUMENT,
                               "there is no 3D object whose texture units are described by methods (NV30 to NV4x)");
    if (surface->config.number >= UNITS)
        return pfifo_error_set(&surface->error, PFIFO_ERROR_ARGUMENT, "texture units are 0 to %d", UNITS - 1);
    if (!number && !name)
        return pfifo_error_set(&surface->error, PFIFO_ERROR_ARGUMENT, "texture unit %" PRIu64 " has no texture",
                               surface->config.number);
    while (name && i < sizeof formats / sizeof formats[0] && !is_format(name, formats[i].name))
        i++;
    if (!name || i == sizeof formats / sizeof formats[0])
        return pfifo_error_set(&surface->error, PFIFO_ERROR_UNSUPPORTED,
                               "texture unit %" PRIu64 " has format 0x%" PRIx32 "%s%s, which has no picture",
                               surface->config.number, number, name ? " " : "", name ? name : "");
    if (plain(surface, TEX_FORMAT, "DIMS") != DIMS_2D || plain(surface, TEX_FORMAT, "CUBIC"))
        return pfifo_error_set(&surface->error, PFIFO_ERROR_UNSUPPORTED,
                               "the texture of unit %" PRIu64 " is not 2D, which has no picture before G80",
                               surface->config.number);
    *picture = (struct pfifo_picture){.width = plain(surface, TEX_NPOT_SIZE, "W"),
                                      .height = plain(surface, TEX_NPOT_SIZE, "H"),
                                      .format = formats[i].format,
                                      .is_swizzled = !lines};
    if (lines)
        picture->pitch =
            old ? plain(surface, TEX_SWIZZLE, "RECT_PITCH") : unit_field(surface, TEX_SIZE1, 4, "PITCH", NULL);
    return PFIFO_OK;
}

static enum pfifo_domain domain_of(const struct surface *surface) {
    return plain(surface, TEX_FORMAT, "DMA1") ? PFIFO_GART : PFIFO_VRAM;
}

static uint64_t address_of(const struct surface *surface) {
    uint32_t address = 0;

    pfifo_gpu_method_value(surface->play.gpu, surface->channel, surface->oclass,
                           TEX_OFFSET + (uint32_t)surface->config.number * UNIT_BYTES, &address);
    return address;
}

bool surface_unit_holds(const struct surface *surface, const struct pfifo_buffer *buffer) {
    return surface->oclass && pfifo_buffer_domain(buffer) == domain_of(surface) &&
           address_of(surface) - pfifo_buffer_address(buffer) < pfifo_buffer_bytes(buffer);
}

/* NULL: there is none. */
static struct pfifo_buffer *find_buffer(const struct surface *surface) {
    size_t count = 0;
    uint32_t *handles = pfifo_replay_handles(surface->play.replay, &count);
    struct pfifo_buffer *found = surface->leaving;

    for (size_t i = 0; handles && i < count && !found; i++) {
        struct pfifo_buffer *buffer = pfifo_replay_buffer(surface->play.replay, handles[i]);
        if (buffer && surface_unit_holds(surface, buffer))
            found = buffer;
    }
    free(handles);
    return found;
}

enum pfifo_status surface_unit_read(struct surface *surface, void *data, uint64_t bytes) {
    struct pfifo_buffer *buffer = find_buffer(surface);
    uint64_t address = address_of(surface);

    surface->is.address = address;
    if (buffer && pfifo_buffer_read(buffer, address - pfifo_buffer_address(buffer), data, bytes))
        return PFIFO_OK;
    return pfifo_error_set(&surface->error, PFIFO_ERROR_FAULT,
                           "no buffer in %s has the texture of unit %" PRIu64 " at 0x%" PRIx64,
                           domain_of(surface) == PFIFO_GART ? "GART" : "VRAM", surface->config.number, address);
}
