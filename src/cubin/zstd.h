/* SPDX-License-Identifier: MIT */
/* Frames that Zstandard has compressed, of a known length, if the build has libzstd. */
#ifndef PFIFO_SRC_CUBIN_ZSTD_H
#define PFIFO_SRC_CUBIN_ZSTD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern const bool zstd_is_built_in;

/* Unpack frames to exactly `room` bytes. False: they are malformed, or not of that length. */
bool zstd_unpack_whole(const uint8_t *data, size_t bytes, uint8_t *out, size_t room);

#endif
