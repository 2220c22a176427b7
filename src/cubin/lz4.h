/* SPDX-License-Identifier: MIT */
/*
 * Blocks that LZ4 has compressed: without liblz4, as members of fatbins are raw blocks of a known length, which take a page of
 * code, and another optional library would make it a matter of the build which files can be read.
 *
 * Source: the LZ4 block format.
 */
#ifndef PFIFO_SRC_CUBIN_LZ4_H
#define PFIFO_SRC_CUBIN_LZ4_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Unpack a block to exactly `room` bytes; padding after its end is passed over. False: it is malformed, or not of that
 * length.
 */
bool lz4_unpack(const uint8_t *data, size_t bytes, uint8_t *out, size_t room);

#endif
