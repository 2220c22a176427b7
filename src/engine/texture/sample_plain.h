/* SPDX-License-Identifier: MIT */
/* Samples of the plainest textures: what is most of what is drawn. */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_SAMPLE_PLAIN_H
#define PFIFO_SRC_ENGINE_TEXTURE_SAMPLE_PLAIN_H

#include "engine/texture/sample_rows.h"

/*
 * As sample_rows(), and to the bit the same. False: nothing has been done, since the texture or the request is not as
 * plain as that. *again: lanes without a result: their sums are too near to where rounding turns. Their texels have
 * been counted.
 */
bool sample_plain(struct texel_reader *reader, const struct sample_rows *rows, uint32_t lanes, texture_row out[4],
                  uint32_t *again);

#endif
