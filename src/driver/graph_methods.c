/* SPDX-License-Identifier: MIT */
/*
 * Methods that PGRAPH refuses and that the kernel executes, as nouveau does on NV10 and later:
 *
 *   3D of NV17 (0099)              0x1638 .. 0x1644, 0x1658: a window and a switch for the hidden surface removal
 *   3D and compute of GF100 and later   0x1528 SET_SHADER_EXCEPTIONS: which traps of shaders are errors
 *
 * Not done: the effect of NV17's methods on its 3D pipe, which is not modelled. They are no errors.
 * Sources: nouveau nvkm/engine/gr/{nv10,nv17,gf100}.c; NVIDIA open-gpu-doc classes/3d/cl9097.h.
 */
#include "driver/access.h"
#include "driver/interrupts.h"

#include "hw/pgraph.h"

static void graph_methods_nothing(struct pfifo_device *device, uint32_t data) {
    (void)device, (void)data;
}

static void set_shader_exceptions(struct pfifo_device *device, uint32_t data) {
    device_wr32(device, NV_PGRAPH_MP_TRAP_WARP_ERROR_EN, data ? ~0u : 0);
    device_wr32(device, NV_PGRAPH_MP_TRAP_GLOBAL_ERROR_EN, data ? ~0u : 0);
}

static const struct graph_method_row {
    const char *chips;
    uint32_t classes; /* register of subchannel 0 */
    uint32_t mask, object_class;
    uint16_t first, last;
    void (*run)(struct pfifo_device *device, uint32_t data);
} rows[] = {
    {"NV17:NV20", NV_PGRAPH_CTX_CACHE1_NV10, 0xff, 0x99, 0x1638, 0x1644, graph_methods_nothing},
    {"NV17:NV20", NV_PGRAPH_CTX_CACHE1_NV10, 0xff, 0x99, 0x1658, 0x1658, graph_methods_nothing},
    {"GF100-", NV_PGRAPH_CTX_CACHE_GF100, 0xff, 0x97, 0x1528, 0x1528, set_shader_exceptions},
    {"GF100-", NV_PGRAPH_CTX_CACHE_GF100, 0xff, 0xc0, 0x1528, 0x1528, set_shader_exceptions},
};

bool device_graph_method(struct pfifo_device *device, const struct pfifo_device_fault *trapped) {
    if (device->chip->binds_by_driver)
        return device_bind_nv4(device, trapped);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct graph_method_row *row = &rows[i];
        if (trapped->method < row->first || trapped->method > row->last || !chip_in_range(device->chip, row->chips) ||
            (device_rd32(device, row->classes + 4 * trapped->subchannel) & row->mask) != row->object_class)
            continue;
        row->run(device, trapped->data);
        return true;
    }
    return false;
}
