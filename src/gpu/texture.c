/* SPDX-License-Identifier: MIT */
/* Textures that methods describe: their words are in the register file, their memory in DMA objects of the channel. */
#include "engine/texture/methods.h"
#include "engine/texture/picture.h"

#include "fifo/channel.h"
#include "gpu/gpu.h"

#include <inttypes.h>

struct asked {
    struct pfifo_gpu *gpu;
    const struct pfifo_texture_unit *unit;
};

static uint32_t texture_value_of(void *opaque, uint32_t method) {
    const struct asked *asked = opaque;
    uint32_t value = 0;
    pfifo_gpu_method_value(asked->gpu, asked->unit->channel, asked->unit->object_class, method, &value);
    return value;
}

/* A page at most at a time, so that a hole is only as large as what is not there. */
static bool read_object(void *opaque, uint32_t object, uint64_t address, void *data, uint64_t bytes) {
    const struct asked *asked = opaque;
    const struct pfifo_channel_context channel = {.fifo = asked->gpu->fifo, .id = asked->unit->channel};
    const struct address_space space =
        object ? fifo_channel_space(&channel, object) : address_space_fault(FAULT_NULL_OBJECT);
    bool any = false;
    for (uint64_t done = 0, piece; done < bytes; done += piece) {
        uint8_t *to = (uint8_t *)data + done;
        piece = 4096 - (address + done) % 4096;
        piece = piece < bytes - done ? piece : bytes - done;
        if (memory_peek(&asked->gpu->memory, &space, address + done, to, piece))
            any = true;
        else
            memset(to, 0, piece);
    }
    return any;
}

uint32_t pfifo_texture_units(uint32_t object_class) {
    return methods_units(object_class);
}

static enum pfifo_status texture_find(struct pfifo_gpu *gpu, const struct pfifo_texture_unit *unit,
                                      struct methods_texture *texture, struct pfifo_error *error) {
    struct asked asked = {gpu, unit};
    const struct methods_values values = {&asked, texture_value_of};
    return methods_texture(texture, unit->object_class, unit->number, &values, error);
}

enum pfifo_status pfifo_gpu_texture(struct pfifo_gpu *gpu, const struct pfifo_texture_unit *unit,
                                    struct pfifo_texture *texture, struct pfifo_error *error) {
    struct methods_texture found;
    enum pfifo_status status = texture_find(gpu, unit, &found, error);
    *texture = status == PFIFO_OK ? texture_told(&found.view) : (struct pfifo_texture){0};
    return status;
}

static enum pfifo_status check_image(const struct texture_view *view, const struct pfifo_texture_unit *unit,
                                     struct pfifo_texture_image image, struct pfifo_error *error) {
    const bool volume = view->target == TEXTURE_3D;
    if (image.level > view->last_level)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "the texture of unit %" PRIu32 " has levels 0 to %" PRIu32 ", and no %" PRIu32,
                               unit->number, view->last_level, image.level);
    const uint32_t *size = view->level[image.level].size, layers = volume ? size[2] : view->layers;
    if (image.layer >= layers)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "level %" PRIu32 " of the texture of unit %" PRIu32 " has %s 0 to %" PRIu32
                               ", and no %" PRIu32,
                               image.level, unit->number,
                               volume             ? "slices"
                               : view->layers > 1 ? "faces"
                                                  : "layers",
                               layers - 1, image.layer);
    if (!texture_has_image(view, image))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "the texture of unit %" PRIu32 " has %" PRIu32 "x%" PRIu32
                               " texels, too many for a picture",
                               unit->number, size[0], size[1]);
    return PFIFO_OK;
}

enum pfifo_status pfifo_gpu_texture_size(struct pfifo_gpu *gpu, const struct pfifo_texture_unit *unit,
                                         struct pfifo_texture_image image, uint32_t *width, uint32_t *height,
                                         struct pfifo_error *error) {
    struct methods_texture texture;
    enum pfifo_status status = texture_find(gpu, unit, &texture, error);
    *width = *height = 0;
    if (status == PFIFO_OK)
        status = check_image(&texture.view, unit, image, error);
    if (status != PFIFO_OK)
        return status;
    *width = texture.view.level[image.level].size[0];
    *height = texture.view.level[image.level].size[1];
    return PFIFO_OK;
}

enum pfifo_status pfifo_gpu_texture_read(struct pfifo_gpu *gpu, const struct pfifo_texture_unit *unit,
                                         struct pfifo_texture_image image, uint8_t *rgba, struct pfifo_error *error) {
    struct methods_texture texture;
    struct asked asked = {gpu, unit};
    const struct methods_memory memory = {&asked, read_object};
    enum pfifo_status status = texture_find(gpu, unit, &texture, error);
    if (status == PFIFO_OK)
        status = check_image(&texture.view, unit, image, error);
    return status == PFIFO_OK ? methods_read(&texture, image, &memory, rgba, error) : status;
}
