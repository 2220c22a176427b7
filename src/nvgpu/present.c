/* SPDX-License-Identifier: MIT */
/*
 * What a program hands to the display: a description of a buffer, whose pixels are in an object of nvmap.
 *
 * The description is what an Android graphic buffer of the Switch carries, after the words that say how long it is
 * (version, number of descriptors, number of words). Offsets in bytes:
 *
 *   0x00 -1   0x04 number of the object   0x0c 0xdaffcaff   0x18, 0x1c pixel format   0x20 stride in pixels
 *   0x24 bytes   0x2c planes   0x34 the planes, 0x58 bytes each:
 *     0x00 width   0x04 height   0x08 u64 colour format   0x10 layout (1 lines, 2 tiles, 3 blocks)   0x14 pitch
 *     0x1c offset in the object   0x20 kind   0x24 log2 of a block's GOBs   0x30 u64 flags   0x38 u64 bytes
 *
 * Sources: libnx nx/include/switch/nvidia/{graphic_buffer.h,types.h}, nx/source/display/framebuffer.c.
 */
#include "nvgpu/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MAGIC      0xdaffcaffu
#define PLANE      0x34u
#define LEAST      (PLANE + 0x58u)
#define COLOR_MASK 0xffffffffu /* bits 39:32 are the colour space */

enum { LAYOUT_LINES = 1, LAYOUT_BLOCKS = 3 };

/* Colour formats are named from the highest bits of a pixel to the lowest. */
static const struct {
    uint32_t color; /* bits 31:0 of the colour format */
    uint8_t format; /* of a 3D target with the same bits */
} formats[] = {
    {0x00532120, 0xd5}, /* A8B8G8R8 */
    {0x0a532120, 0xf9}, /* X8B8G8R8 */
    {0x00d12120, 0xcf}, /* A8R8G8B8 */
    {0x0ad12120, 0xe6}, /* X8R8G8B8 */
    {0x0a881210, 0xe8}, /* R5G6B5 */
    {0x00d11410, 0xe9}, /* A1R5G5B5 */
    {0x00532020, 0xd1}, /* A2B10G10R10 */
    {0x00d12020, 0xdf}, /* A2R10G10B10 */
    {0x00532740, 0xc6}, /* A16B16G16R16 */
    {0x00536740, 0xca}, /* float A16B16G16R16 */
};

static uint32_t format_of(uint64_t color) {
    for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].color == (color & COLOR_MASK))
            return formats[i].format;
    return 0;
}

static enum pfifo_status read_plane(const uint8_t *plane, struct pfifo_picture *picture, struct pfifo_error *error) {
    uint64_t color = load_le64(plane + 8);
    uint32_t layout = load_le32(plane + 0x10);
    *picture = (struct pfifo_picture){.width = load_le32(plane),
                                      .height = load_le32(plane + 4),
                                      .format = format_of(color),
                                      .pitch = load_le32(plane + 0x14),
                                      .is_block = layout == LAYOUT_BLOCKS,
                                      .block_height = layout == LAYOUT_BLOCKS ? load_le32(plane + 0x24) : 0};
    if (!picture->format)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "the colour format 0x%010" PRIx64 " is not shown",
                               color);
    if (layout != LAYOUT_LINES && layout != LAYOUT_BLOCKS)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "the layout %" PRIu32 " is not shown", layout);
    return PFIFO_OK;
}

/* The pixels are in the object, all of them: so many `bytes`. */
static enum pfifo_status present_check_place(const struct nvgpu_object *object, const struct pfifo_picture *picture,
                                             uint64_t offset, uint64_t bytes, struct pfifo_error *error) {
    if (!bytes)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "a plane of %" PRIu32 "x%" PRIu32 " pixels in lines of %" PRIu32 " bytes",
                               picture->width, picture->height, picture->pitch);
    if (offset > object->bytes || bytes > object->bytes - offset)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "%" PRIu64 " bytes at 0x%" PRIx64 " of a memory object of 0x%" PRIx32, bytes, offset,
                               object->bytes);
    return PFIFO_OK;
}

static void record_present(struct pfifo_nvgpu *nvgpu, const struct nvgpu_object *object,
                           const struct pfifo_picture *picture, uint64_t offset) {
    char text[160];
    snprintf(text, sizeof text,
             "buffer=%" PRIu32 " offset=0x%" PRIx64 " size=%" PRIu32 "x%" PRIu32 " format=0x%" PRIx32 " pitch=%" PRIu32
             " block_height=%d",
             pfifo_buffer_id(object->buffer), offset, picture->width, picture->height, picture->format, picture->pitch,
             picture->is_block ? (int)picture->block_height : -1);
    pfifo_nvgpu_record_text(nvgpu, "present", text, NULL);
}

static enum pfifo_status read_pixels(const struct pfifo_chip *chip, const struct nvgpu_object *object,
                                     const struct pfifo_picture *picture, uint64_t offset, uint64_t bytes,
                                     uint8_t *rgba, struct pfifo_error *error) {
    uint8_t *data = malloc(bytes);
    enum pfifo_status status;
    if (!data)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a picture");
    if (pfifo_buffer_read(object->buffer, offset, data, bytes))
        status = pfifo_picture_read(chip, picture, data, bytes, rgba, error);
    else
        status = pfifo_error_set(error, PFIFO_ERROR_FAULT, "the memory of the object has gone");
    free(data);
    return status;
}

enum pfifo_status pfifo_nvgpu_present(struct pfifo_nvgpu *nvgpu, const void *description, size_t bytes,
                                      struct pfifo_picture *picture, uint8_t *rgba, struct pfifo_error *error) {
    const uint8_t *words = description;
    if (!nvgpu || !words || !picture || bytes < LEAST)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a buffer for the display is described in %u bytes or more",
                               LEAST);
    if (load_le32(words + 0x0c) != MAGIC || !load_le32(words + 0x2c))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "this describes no buffer with planes");
    const struct nvgpu_object *object = nvgpu_object_by_id(nvgpu, load_le32(words + 4));
    if (!object || !object->buffer)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "there is no memory object %" PRIu32, load_le32(words + 4));
    uint64_t offset = load_le32(words + PLANE + 0x1c);
    const struct pfifo_chip *chip = pfifo_gpu_chip(pfifo_device_gpu(nvgpu->device));
    enum pfifo_status status = read_plane(words + PLANE, picture, error);
    const uint64_t taken = status == PFIFO_OK ? pfifo_picture_bytes(chip, picture) : 0;
    if (status == PFIFO_OK)
        status = present_check_place(object, picture, offset, taken, error);
    if (status != PFIFO_OK || !rgba)
        return status;
    record_present(nvgpu, object, picture, offset);
    return read_pixels(chip, object, picture, offset, taken, rgba, error);
}
