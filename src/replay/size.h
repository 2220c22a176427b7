/* SPDX-License-Identifier: MIT */
/* How much memory a capture needs at a time. A real card may have more than the model of its chip has by default. */
#ifndef PFIFO_REPLAY_SIZE_H
#define PFIFO_REPLAY_SIZE_H

#include <pfifo/gpu.h>
#include <pfifo/stream.h>

/*
 * Enlarge VRAM and system memory of a machine to what the capture needs. Memory is sparse, so that this costs nothing.
 * Chips before G80 stay as they are: an address there is one of VRAM. The stream is at its beginning then.
 */
void replay_size(struct pfifo_stream *stream, struct pfifo_config *config);

#endif
