/* SPDX-License-Identifier: MIT */
#include "state/bytes.h"

#include <stdlib.h>
#include <string.h>

bool state_bytes_write(void *opaque, const void *data, size_t bytes) {
    struct state_bytes *to = opaque;
    if (!bytes)
        return true;
    if (bytes > to->room - to->used) {
        size_t room = 2 * (to->used + bytes);
        uint8_t *larger = realloc(to->data, room);
        if (!larger)
            return false;
        to->data = larger;
        to->room = room;
    }
    memcpy(to->data + to->used, data, bytes);
    to->used += bytes;
    return true;
}

void state_bytes_free(struct state_bytes *bytes) {
    free(bytes->data);
    *bytes = (struct state_bytes){0};
}
