/* SPDX-License-Identifier: MIT */
/*
 * Which class the handle of an object stands for, where only the words are known.
 *
 * A kernel driver makes objects before they are used, and the words have the handles that it was given. Clients choose
 * handles by habit: the class in the low half, or always the same.
 *
 * Sources: Mesa nv30_screen.c, nv30_context.c, nv50_screen.c
 */
#include "decode/words_capture.h"

#include <pfifo/classes.h>

#include <stdlib.h>

enum {
    MOST_OBJECTS = 1024,
    SOFTWARE = 0x6e,
    ANY_3D = 0x97,
    ANY_COMPUTE = 0xc0,
    DMA_IN_MEMORY = 0x3d,
    NULL_OBJECT = 0x30
};

/* Handles of Mesa that do not have the class in them. */
static const struct words_handle {
    uint32_t handle;
    uint32_t oclass; /* ANY_3D, ANY_COMPUTE: the chip's own */
    const char *chips;
} handles[] = {
    {0x00000000, NULL_OBJECT, "NV30:G80"},
    {0xbeef3097, ANY_3D, "NV30:G80"},
    {0xbeef3901, 0x39, "NV30:G80"},
    {0xbeef6201, 0x62, "NV30:G80"},
    {0xbeef5201, 0x39e, "NV30:NV40"},
    {0xbeef5201, 0x309e, "NV40:G80"},
    {0xbeef7701, 0x389, "NV30:NV40"},
    {0xbeef7701, 0x3089, "NV40:G80"},
    {0xbeef0301, DMA_IN_MEMORY, "NV30:GF100"},
    {0xbeef1e00, DMA_IN_MEMORY, "NV30:G80"},
    {0xbeef0351, DMA_IN_MEMORY, "NV30:G80"},
    {0xbeef5097, ANY_3D, "G80:GF100"},
    {0xbeef50c0, ANY_COMPUTE, "G80:GF100"},
};

/* The newest class of the chip with these low bits. */
static uint32_t newest(const struct pfifo_chip *chip, uint32_t kind) {
    uint32_t found = 0;

    for (size_t i = 0; i < CHIP_MAX_CLASSES && chip->classes[i]; i++)
        if ((chip->classes[i] & 0xff) == kind && chip->classes[i] > found)
            found = chip->classes[i];
    return found;
}

uint32_t words_class_of_handle(const struct pfifo_chip *chip, uint32_t handle) {
    for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++)
        if (handles[i].handle == handle && chip_in_range(chip, handles[i].chips))
            return handles[i].oclass == ANY_3D || handles[i].oclass == ANY_COMPUTE ? newest(chip, handles[i].oclass)
                                                                                   : handles[i].oclass;
    if ((handle & 0xff) == SOFTWARE)
        return handle & 0xffff;
    return handle && pfifo_class_find(handle & 0xffff) ? handle & 0xffff : 0;
}

/* From GF100 on only software objects have to be made: the class is in the word. */
static uint32_t words_objects_class_of(const struct pfifo_chip *chip, uint32_t data) {
    if (!chip->binds_classes)
        return words_class_of_handle(chip, data);
    return (data & 0xff) == SOFTWARE ? data & 0xffff : 0;
}

static bool is_noted(const struct words_objects *objects, uint32_t channel, uint32_t handle) {
    for (size_t i = 0; i < objects->count; i++)
        if (objects->channel[i] == channel && objects->object[i].handle == handle)
            return true;
    return false;
}

static bool words_objects_make_room(struct words_objects *objects) {
    size_t room = objects->room ? 2 * objects->room : 16;
    struct pfifo_decode_object *object;
    uint32_t *channel;

    if (objects->count < objects->room)
        return true;
    object = realloc(objects->object, room * sizeof *object);
    objects->object = object ? object : objects->object;
    channel = realloc(objects->channel, room * sizeof *channel);
    objects->channel = channel ? channel : objects->channel;
    objects->room = object && channel ? room : objects->room;
    return object && channel;
}

/* What a method wants an object for: to bind it, or as memory (0x180 .. 0x1fc). */
static uint32_t wanted_class(const struct words_objects *objects, const struct pfifo_decode_event *event) {
    bool memory = !objects->chip->binds_classes && event->method >= 0x180 && event->method < 0x200;
    uint32_t oclass = event->method == 0 || memory ? words_objects_class_of(objects->chip, event->data) : 0;

    return memory && oclass != DMA_IN_MEMORY && oclass != NULL_OBJECT ? 0 : oclass;
}

bool words_objects_note(void *opaque, const struct pfifo_decode_event *event) {
    struct words_objects *objects = opaque;
    uint32_t oclass;

    if (event->kind != PFIFO_DECODE_METHOD || event->discarded || objects->count == MOST_OBJECTS)
        return true;
    oclass = wanted_class(objects, event);
    if (!oclass || is_noted(objects, event->channel, event->data))
        return true;
    if (!words_objects_make_room(objects)) {
        objects->no_memory = true;
        return false;
    }
    objects->channel[objects->count] = event->channel;
    objects->object[objects->count++] = (struct pfifo_decode_object){event->data, oclass};
    return true;
}

void words_objects_free(struct words_objects *objects) {
    free(objects->object);
    free(objects->channel);
}
