/* SPDX-License-Identifier: MIT */
#include "face/tool/replay/buffer_place.h"

#include "face/common/text.h"

#include <inttypes.h>
#include <string.h>

/* Up to a plus, or the end; *text is after it then, NULL at the end. */
static bool buffer_place_take_number(const char **text, uint64_t *number) {
    size_t length = strcspn(*text, "+");
    char copy[32];

    if (length >= sizeof copy)
        return false;
    memcpy(copy, *text, length);
    copy[length] = 0;
    *text = (*text)[length] ? *text + length + 1 : NULL;
    return text_to_number(copy, number);
}

bool buffer_place_parse(const char *text, struct buffer_place *place, struct pfifo_error *error) {
    const char *at = text;
    uint64_t handle, more;

    place->offset = 0;
    if (!buffer_place_take_number(&at, &handle))
        return refuse(error, "'%.60s' is not HANDLE or HANDLE+OFFSET, in numbers", text);
    while (at) {
        if (!buffer_place_take_number(&at, &more))
            return refuse(error, "'%.60s' is not HANDLE or HANDLE+OFFSET, in numbers", text);
        if (more > UINT64_MAX - place->offset)
            return refuse(error, "'%.60s' is too large", text);
        place->offset += more;
    }
    place->handle = (uint32_t)handle;
    return handle <= UINT32_MAX || refuse(error, "'%.60s': a handle is at most 0x%" PRIx32, text, UINT32_MAX);
}
