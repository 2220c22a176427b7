/* SPDX-License-Identifier: MIT */
/* Textures before G80, which have no headers: methods describe them, a set per texture unit (pfifo/picture.h). */
#include "face/tool/image/surface.h"

struct pfifo_texture_unit surface_unit(const struct surface *surface) {
    return (struct pfifo_texture_unit){
        .channel = surface->channel, .object_class = surface->oclass, .number = (uint32_t)surface->config.number};
}

/* Drivers make VRAM and GART objects of their own, so that its address is a buffer's in one of them [driver]. */
bool surface_unit_holds(const struct surface *surface, const struct pfifo_buffer *buffer) {
    const struct pfifo_texture_unit unit = surface_unit(surface);
    struct pfifo_texture is;

    return pfifo_gpu_texture(surface->play.gpu, &unit, &is, NULL) == PFIFO_OK &&
           is.address - pfifo_buffer_address(buffer) < pfifo_buffer_bytes(buffer);
}
