/* SPDX-License-Identifier: MIT */
/* The pixels of a framebuffer, whatever their layout in memory. */
#include <string.h>

#include "chip/chip.h"
#include "face/drm/kms/kms.h"

bool kms_source_open(const struct kms *kms, const struct kms_framebuffer *framebuffer, struct kms_source *source) {
    *source = (struct kms_source){.memory = pfifo_buffer_map(framebuffer->buffer->memory, NULL),
                                  .bytes = framebuffer->buffer->bytes,
                                  .offset = framebuffer->offset,
                                  .layout = {.type = framebuffer->block_linear ? LAYOUT_BLOCK : LAYOUT_PITCH,
                                             .pitch = framebuffer->pitch,
                                             .width = framebuffer->pitch,
                                             .height = framebuffer->height,
                                             .depth = 1,
                                             .block_height = framebuffer->block_height,
                                             .order = kms->device->config.chip->gob_order}};
    return source->memory != NULL;
}

/* Piece by piece as they follow each other in memory. */
void kms_source_line(const struct kms_source *source, uint64_t x, uint64_t y, uint8_t *line, uint64_t bytes,
                     bool write) {
    for (uint64_t done = 0, piece; done < bytes; done += piece) {
        piece = layout_contiguous(&source->layout, x + done, bytes - done);
        uint64_t at = source->offset + layout_offset(&source->layout, x + done, y, 0);
        bool inside = at <= source->bytes && piece <= source->bytes - at;
        if (inside && write)
            memcpy(source->memory + at, line + done, piece);
        else if (inside)
            memcpy(line + done, source->memory + at, piece);
        else if (!write)
            memset(line + done, 0, piece);
    }
}
