/* SPDX-License-Identifier: MIT */
#include "face/tool/shell_inside.h"

#include <stdlib.h>
#include <string.h>

bool shell_bytes_add(struct shell_bytes *bytes, const void *data, size_t count) {
    if (count > bytes->room - bytes->used) {
        size_t least = bytes->used + count, room = 2 * bytes->room > least ? 2 * bytes->room : least;
        uint8_t *grown = realloc(bytes->data, room);
        if (!grown)
            return false;
        bytes->data = grown;
        bytes->room = room;
    }
    memcpy(bytes->data + bytes->used, data, count);
    bytes->used += count;
    return true;
}

void shell_bytes_free(struct shell_bytes *bytes) {
    free(bytes->data);
    *bytes = (struct shell_bytes){0};
}
