/* SPDX-License-Identifier: MIT */
#include "face/tool/image/surface.h"

#include <pfifo/classes.h>
#include <pfifo/event.h>
#include <pfifo/gpu.h>
#include <pfifo/vm.h>

#include "chip/counted.h"
#include "face/tool/command/interrupt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of 3D objects from G80 on. Source: NVIDIA open-gpu-doc classes/3d; envytools rnndb/graph/g80_3d.xml. */
enum { POOL_HIGH = 0x1574, POOL_LAST = 0x157c, MAXWELL_HEADERS = 0xf10 };
/* GM107, whose programs choose the layout of headers, and the first with Maxwell's alone. */
enum { CLASS_CHOOSES = 0xb097, CLASS_MAXWELL = 0xb197 };

/* Room for the pixels of a picture, in place of the ones before. */
static uint8_t *surface_make_room(struct surface *surface, uint32_t width, uint32_t height) {
    uint8_t *rgba = calloc((size_t)width * height + 1, 4);

    if (!rgba)
        pfifo_error_set(&surface->error, PFIFO_ERROR_MEMORY, "no memory for a picture");
    return rgba;
}

/* Keeps the picture before if this one failed. */
static bool surface_keep(struct surface *surface, enum pfifo_status status, uint8_t *rgba, uint32_t width,
                         uint32_t height) {
    if (status != PFIFO_OK) {
        free(rgba);
        return false;
    }
    free(surface->rgba);
    surface->rgba = rgba;
    surface->width = width;
    surface->height = height;
    return true;
}

/* ---- targets ---- */

static bool take_target(struct surface *surface, const struct pfifo_target *target) {
    struct pfifo_gpu *gpu = surface->play.gpu;
    uint8_t *rgba;

    if (!target || !target->format) {
        pfifo_error_set(&surface->error, PFIFO_ERROR_ARGUMENT,
                        surface->drawn ? "the draw has no such target" : "nothing was drawn or cleared");
        return false;
    }
    rgba = surface_make_room(surface, target->width, target->height);
    if (!rgba || !surface_keep(surface, pfifo_gpu_picture(gpu, target, rgba, &surface->error), rgba, target->width,
                               target->height))
        return false;
    surface->is = (struct pfifo_texture){.format = target->format,
                                         .layout = target->layout,
                                         .shape = "2D",
                                         .address = target->address,
                                         .width = target->width,
                                         .height = target->height,
                                         .depth = 1,
                                         .layers = target->layers,
                                         .levels = 1,
                                         .samples = target->samples};
    return true;
}

static const struct pfifo_target *target_asked(const struct surface *surface) {
    const struct surface_config *config = &surface->config;

    if (!surface->drawn)
        return NULL;
    return config->has_number ? &surface->last.target[config->number] : pfifo_draw_shown(&surface->last);
}

/* ---- memory of the channel ---- */

static struct pfifo_vm *surface_space_of(struct surface *surface) {
    struct pfifo_device *device = pfifo_replay_device(surface->play.replay);
    struct pfifo_vm *vm = surface->has_object ? pfifo_device_channel_vm(device, surface->channel) : NULL;

    return vm ? vm : pfifo_device_vm(device, &surface->error);
}

static bool surface_read_memory(void *opaque, uint64_t address, void *data, size_t bytes) {
    return pfifo_vm_read(opaque, address, data, bytes);
}

static uint32_t method_value(struct surface *surface, uint32_t method) {
    uint32_t value = 0;

    pfifo_gpu_method_value(surface->play.gpu, surface->channel, surface->oclass, method, &value);
    return value;
}

static bool uses_maxwell_headers(struct surface *surface) {
    return surface->oclass >= CLASS_MAXWELL ||
           (surface->oclass == CLASS_CHOOSES && (method_value(surface, MAXWELL_HEADERS) & 1));
}

static uint64_t pool_address(struct surface *surface) {
    return (uint64_t)method_value(surface, POOL_HIGH) << 32 | method_value(surface, POOL_HIGH + 4);
}

static bool surface_read_header(struct surface *surface, const struct pfifo_vm *vm,
                                uint32_t words[PFIFO_TEXTURE_WORDS]) {
    uint64_t number = surface->config.number, most = method_value(surface, POOL_LAST);
    uint64_t pool = pool_address(surface);
    uint8_t bytes[4 * PFIFO_TEXTURE_WORDS];

    if (!pool) {
        pfifo_error_set(&surface->error, PFIFO_ERROR_FAULT, "there is no pool of textures");
        return false;
    }
    if (number > most) {
        pfifo_error_set(&surface->error, PFIFO_ERROR_ARGUMENT, "the pool of textures ends with header %" PRIu64, most);
        return false;
    }
    if (!pfifo_vm_read(vm, pool + number * sizeof bytes, bytes, sizeof bytes)) {
        pfifo_error_set(&surface->error, PFIFO_ERROR_FAULT, "the pool of textures at 0x%" PRIx64 " is not mapped",
                        pool);
        return false;
    }
    for (size_t i = 0; i < PFIFO_TEXTURE_WORDS; i++)
        words[i] = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16 |
                   (uint32_t)bytes[4 * i + 3] << 24;
    return true;
}

/* 0: it is not known. */
static uint64_t texture_address(struct surface *surface) {
    const struct pfifo_chip *chip = pfifo_gpu_chip(surface->play.gpu);
    struct pfifo_error before = surface->error;
    struct pfifo_vm *vm = surface_space_of(surface);
    uint32_t words[PFIFO_TEXTURE_WORDS];
    struct pfifo_texture is = {0};

    if (vm && surface->has_object && surface_read_header(surface, vm, words))
        pfifo_texture_describe(chip, uses_maxwell_headers(surface), words, &is, NULL);
    surface->error = before;
    return is.address;
}

static bool take_texture(struct surface *surface) {
    const struct pfifo_chip *chip = pfifo_gpu_chip(surface->play.gpu);
    struct pfifo_texture_image image = surface->config.image;
    uint32_t words[PFIFO_TEXTURE_WORDS], width, height;
    struct pfifo_vm *vm = surface_space_of(surface);
    bool maxwell = uses_maxwell_headers(surface);
    struct pfifo_texture is;
    uint8_t *rgba;

    if (!vm) {
        pfifo_error_set(&surface->error, PFIFO_ERROR_UNSUPPORTED, "textures of %s have no headers in a pool",
                        pfifo_chip_info(chip).name);
        return false;
    }
    if (!surface->has_object) {
        pfifo_error_set(&surface->error, PFIFO_ERROR_ARGUMENT, "there is no 3D object with textures");
        return false;
    }
    if (!surface_read_header(surface, vm, words) ||
        pfifo_texture_describe(chip, maxwell, words, &is, &surface->error) != PFIFO_OK)
        return false;
    if (!pfifo_texture_size(chip, maxwell, words, image, &width, &height)) {
        pfifo_error_set(&surface->error, PFIFO_ERROR_ARGUMENT,
                        "texture %" PRIu64 " of %" PRIu32 "x%" PRIu32
                        " (%s, %s, %s) has no such image, or it is too large",
                        surface->config.number, is.width, is.height, is.shape, counted(is.levels, "level").text,
                        counted(is.layers, "layer").text);
        return false;
    }
    rgba = surface_make_room(surface, width, height);
    if (!rgba ||
        !surface_keep(surface,
                      pfifo_texture_read(chip, maxwell, words, image, surface_read_memory, vm, rgba, &surface->error),
                      rgba, width, height))
        return false;
    surface->is = is;
    return true;
}

/* ---- addresses and buffers ---- */

static enum pfifo_status read_address(struct surface *surface, void *data, uint64_t bytes) {
    uint64_t address = surface->config.number;
    struct pfifo_vm *vm = surface_space_of(surface);

    if (!vm)
        return pfifo_error_set(&surface->error, PFIFO_ERROR_UNSUPPORTED,
                               "%s has no virtual addresses: an address with --size is one of a buffer there, "
                               "buffer:HANDLE+OFFSET",
                               pfifo_chip_info(pfifo_gpu_chip(surface->play.gpu)).name);
    if (!pfifo_vm_read(vm, address, data, bytes))
        return pfifo_error_set(&surface->error, PFIFO_ERROR_FAULT, "nothing is mapped at 0x%" PRIx64, address);
    surface->is.address = address;
    return PFIFO_OK;
}

static enum pfifo_status read_buffer(struct surface *surface, void *data, uint64_t bytes) {
    const struct surface_config *config = &surface->config;
    struct pfifo_buffer *buffer =
        surface->leaving ? surface->leaving : pfifo_replay_buffer(surface->play.replay, config->handle);

    if (!buffer)
        return pfifo_error_set(&surface->error, PFIFO_ERROR_FAULT, "there is no buffer %" PRIu32 " then",
                               config->handle);
    if (!pfifo_buffer_peek(buffer, config->number, data, bytes))
        return pfifo_error_set(&surface->error, PFIFO_ERROR_FAULT,
                               "%" PRIu64 " bytes at 0x%" PRIx64 " are not in buffer %" PRIu32, bytes, config->number,
                               config->handle);
    surface->is.address = pfifo_buffer_address(buffer) + config->number;
    return PFIFO_OK;
}

static enum pfifo_status read_described(struct surface *surface, const struct pfifo_picture *picture, uint8_t *rgba) {
    const struct pfifo_chip *chip = pfifo_gpu_chip(surface->play.gpu);
    uint64_t bytes = pfifo_picture_bytes(chip, picture);
    uint8_t *data = bytes ? malloc(bytes) : NULL;
    enum pfifo_status status = PFIFO_OK;

    if (bytes && !data)
        status = pfifo_error_set(&surface->error, PFIFO_ERROR_MEMORY, "no memory for a picture");
    else if (data)
        status = surface->config.kind == SURFACE_BUFFER ? read_buffer(surface, data, bytes)
                                                        : read_address(surface, data, bytes);
    if (status == PFIFO_OK)
        status = pfifo_picture_read(chip, picture, data, bytes, rgba, &surface->error);
    free(data);
    return status;
}

static bool take_described(struct surface *surface, struct pfifo_picture picture) {
    uint8_t *rgba = surface_make_room(surface, picture.width, picture.height);

    if (!rgba || !surface_keep(surface, read_described(surface, &picture, rgba), rgba, picture.width, picture.height))
        return false;
    surface->is = (struct pfifo_texture){.format = pfifo_picture_format(&picture),
                                         .layout = picture.is_block      ? "block"
                                                   : picture.is_swizzled ? "swizzled"
                                                                         : "pitch",
                                         .shape = "2D",
                                         .address = surface->is.address,
                                         .width = picture.width,
                                         .height = picture.height,
                                         .depth = 1,
                                         .layers = 1,
                                         .levels = 1,
                                         .block_height = picture.block_height,
                                         .samples = 1};
    return true;
}

static bool take_unit(struct surface *surface) {
    const struct pfifo_texture_unit unit = surface_unit(surface);
    const struct pfifo_texture_image image = surface->config.image;
    struct pfifo_gpu *gpu = surface->play.gpu;
    struct pfifo_error *error = &surface->error;
    struct pfifo_texture is;
    uint32_t width, height;
    uint8_t *rgba;

    if (!pfifo_texture_units(surface->oclass)) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                        "there is no object whose texture units are described by methods (NV3 to NV4x)");
        return false;
    }
    if (pfifo_gpu_texture(gpu, &unit, &is, error) != PFIFO_OK ||
        pfifo_gpu_texture_size(gpu, &unit, image, &width, &height, error) != PFIFO_OK)
        return false;
    rgba = surface_make_room(surface, width, height);
    if (!rgba || !surface_keep(surface, pfifo_gpu_texture_read(gpu, &unit, image, rgba, error), rgba, width, height))
        return false;
    surface->is = is;
    return true;
}

static bool surface_take_address(struct surface *surface) {
    if (surface->config.described)
        return take_described(surface, surface->config.picture);
    if (surface->at.format)
        return take_target(surface, &surface->at);
    pfifo_error_set(&surface->error, PFIFO_ERROR_ARGUMENT,
                    "nothing was drawn or cleared at 0x%" PRIx64 "; --size and --format say what is there",
                    surface->config.number);
    return false;
}

/* ---- the run ---- */

static bool try(struct surface *surface) {
    switch (surface->config.kind) {
    case SURFACE_TARGET:
        return take_target(surface, target_asked(surface));
    case SURFACE_TEXTURE:
        return take_texture(surface);
    case SURFACE_UNIT:
        return take_unit(surface);
    default:
        return surface_take_address(surface);
    }
}

static void drop_picture(struct surface *surface) {
    free(surface->rgba);
    surface->rgba = NULL;
}

/*
 * That memory is gone says less than what was wrong while it was there, and the picture before is the last one. If that
 * surface has no contents, there is no picture: that of another surface would be wrong.
 */
static void surface_look(struct surface *surface) {
    struct pfifo_error before = surface->error;

    surface->error = (struct pfifo_error){0};
    if (try(surface))
        return;
    if (surface->error.status != PFIFO_ERROR_FAULT)
        drop_picture(surface);
    else if (before.message[0])
        surface->error = before;
}

static void surface_place_reached(void *opaque, unsigned number) {
    (void)number;
    surface_look(opaque);
}

static void note_object(struct surface *surface, uint32_t channel, uint32_t oclass) {
    const struct pfifo_class *class = pfifo_class_find(oclass);

    if (surface->drawn || !class || (strcmp(class->family, "3d") != 0 && !pfifo_texture_units(oclass)))
        return;
    surface->channel = channel;
    surface->oclass = oclass;
    surface->has_object = true;
}

static void note_draw(struct surface *surface, const struct pfifo_event *event) {
    surface->last = *event->draw;
    surface->drawn = surface->pending = surface->has_object = true;
    surface->channel = event->channel;
    surface->oclass = event->draw->object_class;
    for (unsigned i = 0; i < PFIFO_DRAW_TARGETS; i++)
        if (event->draw->target[i].format && event->draw->target[i].address == surface->config.number)
            surface->at = event->draw->target[i];
}

static void surface_sees(void *opaque, const struct pfifo_event *event) {
    struct surface *surface = opaque;

    if (event->id == surface->bind)
        note_object(surface, event->channel, (uint32_t)event->value[2]);
    else if (event->draw && !surface->play.is_reached[0])
        note_draw(surface, event);
}

/* Targets change when something is drawn; other memory may have been written by anything. */
static bool is_drawn_only(const struct surface *surface) {
    return surface->config.kind == SURFACE_TARGET ||
           (surface->config.kind == SURFACE_ADDRESS && !surface->config.described);
}

/* Memory goes: what is there now is the picture, until there is a later one. */
static void keep_before(struct surface *surface) {
    if (surface->config.at.given || (is_drawn_only(surface) && !surface->pending))
        return;
    surface->pending = false;
    surface_look(surface);
}

static void surface_channel_closes(void *opaque) {
    keep_before(opaque);
}

/* Where it is mapped by a record of its own, a buffer has no address; it may be the one. */
static bool may_hold(struct pfifo_buffer *buffer, uint64_t address) {
    uint64_t begin = pfifo_buffer_address(buffer);

    return !begin || address - begin < pfifo_buffer_bytes(buffer);
}

static bool may_be_seen(struct surface *surface, uint32_t handle, struct pfifo_buffer *buffer) {
    switch (surface->config.kind) {
    case SURFACE_TEXTURE:
        return may_hold(buffer, pool_address(surface)) || may_hold(buffer, texture_address(surface));
    case SURFACE_BUFFER:
        return handle == surface->config.handle;
    case SURFACE_UNIT:
        return surface_unit_holds(surface, buffer);
    default:
        return !surface->config.described || may_hold(buffer, surface->config.number);
    }
}

static void surface_loses(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    struct surface *surface = opaque;

    if (!may_be_seen(surface, handle, buffer))
        return;
    surface->leaving = buffer;
    keep_before(surface);
    surface->leaving = NULL;
}

static bool surface_has_enough(void *opaque) {
    const struct surface *surface = opaque;

    return surface->play.is_reached[0];
}

static void surface_finish(struct surface *surface) {
    bool at_the_end = !surface->config.at.given;

    if (!at_the_end && !surface->play.is_reached[0]) {
        char text[256];
        play_missed(&surface->play, 0, text, sizeof text);
        pfifo_error_set(&surface->error, PFIFO_ERROR_ARGUMENT, "%s", text);
    } else if (at_the_end && (surface->pending || !surface->rgba || !is_drawn_only(surface)))
        surface_look(surface);
}

bool surface_take(struct surface *surface, struct pfifo_stream *stream) {
    surface->bind = pfifo_event_find("puller.bind");
    surface->play = (struct play){.chip = surface->config.chip,
                                  .events = "puller.bind,engine.draw,engine.launched,engine.done",
                                  .place = {surface->config.at},
                                  .sees = surface_sees,
                                  .reached = surface_place_reached,
                                  .closes = surface_channel_closes,
                                  .gone = surface_loses,
                                  .enough = surface_has_enough,
                                  .opaque = surface};
    if (play_begin(&surface->play, stream, &surface->error) && play_run(&surface->play, &surface->error) == PFIFO_OK &&
        !interrupt_seen())
        surface_finish(surface);
    else
        drop_picture(surface); /* of a place before */
    play_end(&surface->play);
    return surface->rgba != NULL;
}
