/* SPDX-License-Identifier: MIT */
#include "face/tool/replay_present.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY "present"

bool replay_is_present(const struct pfifo_stream_text *text) {
    return text->key_bytes == strlen(KEY) && memcmp(text->key, KEY, strlen(KEY)) == 0;
}

struct place {
    uint32_t buffer;
    uint64_t offset;
};

static bool parse(const struct pfifo_stream_text *text, struct pfifo_picture *picture, struct place *place) {
    char value[200];
    int block_height, length = -1;

    if (text->value_bytes >= sizeof value)
        return false;
    memcpy(value, text->value, text->value_bytes);
    value[text->value_bytes] = 0;
    *picture = (struct pfifo_picture){0};
    if (sscanf(value,
               "buffer=%" SCNu32 " offset=%" SCNx64 " size=%" SCNu32 "x%" SCNu32 " format=%" SCNx32 " pitch=%" SCNu32
               " block_height=%d%n",
               &place->buffer, &place->offset, &picture->width, &picture->height, &picture->format, &picture->pitch,
               &block_height, &length) != 7 ||
        length < 0 || value[length] || block_height < -1)
        return false;
    picture->is_block = block_height >= 0;
    picture->block_height = picture->is_block ? (uint32_t)block_height : 0;
    return true;
}

static uint8_t *read_bytes(struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes) {
    uint64_t size = buffer ? pfifo_buffer_bytes(buffer) : 0;
    uint8_t *data = bytes && offset <= size && bytes <= size - offset ? malloc(bytes) : NULL;

    if (data && !pfifo_buffer_read(buffer, offset, data, bytes)) {
        free(data);
        return NULL;
    }
    return data;
}

enum pfifo_status replay_present(const struct replay_buffers *buffers, const struct pfifo_stream_text *text,
                                 struct pfifo_picture *picture, uint8_t **rgba, struct pfifo_error *error) {
    const struct pfifo_chip *chip = pfifo_gpu_chip(pfifo_device_gpu(buffers->device));
    struct place place;
    enum pfifo_status status;

    if (!parse(text, picture, &place))
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "present: not a picture: %.*s",
                               (int)(text->value_bytes < 100 ? text->value_bytes : 100), text->value);
    uint64_t bytes = pfifo_picture_bytes(chip, picture);
    uint8_t *data = read_bytes(replay_buffers_find(buffers, place.buffer), place.offset, bytes);
    if (!data)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT,
                               "present: %" PRIu64 " bytes at 0x%" PRIx64 " are not in buffer %" PRIu32, bytes,
                               place.offset, place.buffer);
    *rgba = malloc((size_t)picture->width * picture->height * 4);
    status = *rgba ? pfifo_picture_read(chip, picture, data, bytes, *rgba, error)
                   : pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a picture");
    free(data);
    if (status != PFIFO_OK)
        free(*rgba);
    return status;
}
