/* SPDX-License-Identifier: MIT */
/* Blocks that LZ4 has compressed. Source: the LZ4 block format. */
#ifndef PFIFO_SRC_CUBIN_LZ4_H
#define PFIFO_SRC_CUBIN_LZ4_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Unpack a whole block to `room` bytes; its zero bytes after the end do not count. False: it is none of that length. */
bool lz4_unpack(const uint8_t *data, size_t bytes, uint8_t *out, size_t room);

#endif
