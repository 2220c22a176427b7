/* SPDX-License-Identifier: MIT */
/*
 * The TEXT `present` of a capture: what the program hands to the display there.
 *
 *   present=buffer=5 offset=0x0 size=1280x720 format=0xd5 pitch=5120 block_height=4        -1: lines
 */
#ifndef PFIFO_REPLAY_PRESENT_H
#define PFIFO_REPLAY_PRESENT_H

#include <pfifo/picture.h>

#include "replay/buffers.h"

/*
 * *rgba becomes its pixels, to be freed. PFIFO_ERROR_FORMAT: the text says something else, or what is not in the
 * buffer.
 */
enum pfifo_status replay_present(const struct replay_buffers *buffers, const struct pfifo_stream_text *text,
                                 struct pfifo_picture *picture, uint8_t **rgba, struct pfifo_error *error);

/* Is a text one? */
bool replay_is_present(const struct pfifo_stream_text *text);

#endif
