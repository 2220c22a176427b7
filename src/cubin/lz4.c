/* SPDX-License-Identifier: MIT */
#include "cubin/lz4.h"

#include <string.h>

enum { LEAST_MATCH = 4 };

struct reader {
    const uint8_t *data;
    size_t at, bytes;
};

/* A length of 15 goes on in the bytes that follow, up to the first that is not 255. False: the data ends before that. */
static bool lz4_length(struct reader *in, size_t *length) {
    if (*length != 15)
        return true;
    while (in->at < in->bytes) {
        uint8_t more = in->data[in->at++];
        *length += more;
        if (more != 255)
            return true;
    }
    return false;
}

/* Repeats bytes that were unpacked before; they may overlap those that are written. */
static bool lz4_match(struct reader *in, size_t length, uint8_t *out, size_t *used, size_t room) {
    if (in->bytes - in->at < 2)
        return false;
    size_t distance = in->data[in->at] | (size_t)in->data[in->at + 1] << 8;
    in->at += 2;
    if (!lz4_length(in, &length) || !distance || distance > *used || length + LEAST_MATCH > room - *used)
        return false;
    for (length += LEAST_MATCH; length; length--, ++*used)
        out[*used] = out[*used - distance];
    return true;
}

bool lz4_unpack(const uint8_t *data, size_t bytes, uint8_t *out, size_t room) {
    struct reader in = {data, 0, bytes};
    size_t used = 0;
    while (in.at < in.bytes) {
        uint8_t token = in.data[in.at++];
        size_t literals = token >> 4;
        if (!lz4_length(&in, &literals) || literals > in.bytes - in.at || literals > room - used)
            return false;
        memcpy(out + used, in.data + in.at, literals);
        in.at += literals;
        used += literals;
        if (used == room) /* a block ends with literals */
            return true;
        if (in.at == in.bytes || !lz4_match(&in, token & 15, out, &used, room))
            return false;
    }
    return used == room;
}
