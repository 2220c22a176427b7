/* SPDX-License-Identifier: MIT */
/* A listing of the shader programs that a stream writes to memory, for a limited number of channels. */
#ifndef PFIFO_DECODE_SHADERS_H
#define PFIFO_DECODE_SHADERS_H

#include "decode/output.h"

#include <pfifo/decode.h>

enum { SHADERS_CHANNELS = 64 };

struct shader_upload;

struct shaders {
    const struct pfifo_chip *chip;
    struct shader_upload *first;
    unsigned count;
    uint64_t omitted; /* words for which there was no memory */
};

void shaders_event(struct shaders *shaders, const struct pfifo_decode_event *event, struct output *out);

/* A channel was closed, or all were: forget what they were about to write. */
void shaders_end(struct shaders *shaders, uint32_t channel);
void shaders_end_all(struct shaders *shaders, struct output *out);

#endif
