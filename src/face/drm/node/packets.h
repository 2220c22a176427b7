/* SPDX-License-Identifier: MIT */
/* The last commands of a channel, decoded. */
#ifndef PFIFO_SRC_FACE_DRM_PACKETS_H
#define PFIFO_SRC_FACE_DRM_PACKETS_H

#include <stdio.h>

#include "face/drm/node/node.h"

/*
 * Lines of `pfifo decode` around the word at `get`, where the channel is going to fetch. The last word before it is
 * marked; if the channel is done (`idle`), none.
 */
void drm_packets_print(const struct drm_channel *channel, uint64_t get, bool idle, FILE *file);

#endif
