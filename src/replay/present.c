/* SPDX-License-Identifier: MIT */
#include "replay/present.h"

#include <errno.h>
#include <inttypes.h>
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

/* `before`, and a number of at most `most` after it. */
static bool present_take(const char **at, const char *before, uint64_t most, uint64_t *number) {
    char *end;

    if (strncmp(*at, before, strlen(before)) != 0)
        return false;
    *at += strlen(before);
    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *number = strtoull(*at, &end, 0);
    *at = end;
    return errno == 0 && *number <= most;
}

static bool present_parse(const struct pfifo_stream_text *text, struct pfifo_picture *picture, struct place *place) {
    static const char *const before[] = {"buffer=", " offset=", " size=", "x", " format=", " pitch=", " block_height="};
    enum { BUFFER, OFFSET, WIDTH, HEIGHT, FORMAT, PITCH, BLOCK_HEIGHT, NUMBERS };
    char value[200];
    const char *at = value;
    uint64_t number[NUMBERS] = {0};

    if (text->value_bytes >= sizeof value)
        return false;
    memcpy(value, text->value, text->value_bytes);
    value[text->value_bytes] = 0;
    for (unsigned i = 0; i < BLOCK_HEIGHT; i++)
        if (!present_take(&at, before[i], i == OFFSET ? UINT64_MAX : UINT32_MAX, &number[i]))
            return false;
    bool is_block = strcmp(at, " block_height=-1") != 0;
    if (is_block && (!present_take(&at, before[BLOCK_HEIGHT], UINT32_MAX, &number[BLOCK_HEIGHT]) || *at))
        return false;
    *place = (struct place){(uint32_t)number[BUFFER], number[OFFSET]};
    *picture = (struct pfifo_picture){.width = (uint32_t)number[WIDTH],
                                      .height = (uint32_t)number[HEIGHT],
                                      .format = (uint32_t)number[FORMAT],
                                      .pitch = (uint32_t)number[PITCH],
                                      .is_block = is_block,
                                      .block_height = (uint32_t)number[BLOCK_HEIGHT]};
    return true;
}

static uint8_t *present_read_bytes(struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes) {
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

    if (!present_parse(text, picture, &place))
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "present: not a picture: %.*s",
                               (int)(text->value_bytes < 100 ? text->value_bytes : 100), text->value);
    uint64_t bytes = pfifo_picture_bytes(chip, picture);
    uint8_t *data = present_read_bytes(replay_buffers_find(buffers, place.buffer), place.offset, bytes);
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
