/* SPDX-License-Identifier: MIT */
#include "cubin/zstd.h"

#ifdef STREAM_HAS_ZSTD
#include <zstd.h>

const bool zstd_is_built_in = true;

bool zstd_unpack_whole(const uint8_t *data, size_t bytes, uint8_t *out, size_t room) {
    size_t got = ZSTD_decompress(out, room, data, bytes);
    return !ZSTD_isError(got) && got == room;
}
#else
const bool zstd_is_built_in = false;

bool zstd_unpack_whole(const uint8_t *data, size_t bytes, uint8_t *out, size_t room) {
    (void)data;
    (void)bytes;
    (void)out;
    (void)room;
    return false;
}
#endif
