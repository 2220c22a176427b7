/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of copy engines, video and crypto: acknowledged, and what was refused is reported. The order of register
 * accesses is nouveau's (engine/falcon.c, ce/{gt215,gk104,gp100}.c, cipher/g84.c, mpeg/nv31.c, xtensa.c).
 *
 * Differs from nouveau: an interrupt that a program has asked for is no fault. PMPEG of the model does not refuse the
 * bind of its object, an error that nouveau ignores.
 */
#include "chip/units.h"
#include "driver/access.h"
#include "unit/error_names.h"
#include "unit/error_shown.h"
#include "driver/instance.h"
#include "driver/interrupts.h"

#include "hw/ce.h"
#include "hw/falcon.h"
#include "hw/video.h"

static void unit_report(struct pfifo_device *device, const struct chip_unit_row *unit, const char *error,
                        uint32_t method, uint32_t data);
/* The subchannel is above the method, as falcons have it. */
#define SUBCHANNEL_SHIFT 16
#define NO_METHOD        UINT32_MAX

/* ---- falcons ---- */

static void falcon_with(struct pfifo_device *device, const struct chip_unit_row *unit,
                        const struct error_names *errors) {
    uint32_t route = device_rd32(device, unit->base + NV_FALCON_INTR_ROUTING);
    uint32_t intr = device_rd32(device, unit->base + NV_FALCON_INTR) & route & ~(route >> 16);
    if (intr & FALCON_INTR_SCRATCH0) {
        uint32_t where = device_rd32(device, unit->base + NV_FALCON_SCRATCH0), code = where & 0xffff;
        unit_report(device, unit, error_name(errors, code),
                    (where >> 27 & 7) << SUBCHANNEL_SHIFT | (where >> 16 & 0x7ff) << 2,
                    device_rd32(device, unit->base + NV_FALCON_SCRATCH1));
        device_wr32(device, unit->base + NV_FALCON_INTR_ACK, FALCON_INTR_SCRATCH0);
        intr &= ~FALCON_INTR_SCRATCH0;
    }
    if (intr & FALCON_INTR_MEMIF_FAULT)
        unit_report(device, unit, ERROR_ACCESS, NO_METHOD, intr);
    if (intr)
        device_wr32(device, unit->base + NV_FALCON_INTR_ACK, intr);
}

static void falcon(struct pfifo_device *device, const struct chip_unit_row *unit) {
    falcon_with(device, unit, &errors_falcon);
}

/* Its firmware has other numbers (engine/sec/g98.c). */
static void sec(struct pfifo_device *device, const struct chip_unit_row *unit) {
    falcon_with(device, unit, &errors_sec);
}

/* ---- copy engines of GK104 and later ---- */

/* Offsets from the unit's base. */
struct copy_registers {
    uint32_t intr_en, intr, code;
};

static void units_copy(struct pfifo_device *device, const struct chip_unit_row *unit, const struct copy_registers *at) {
    uint32_t ack = unit->base + at->intr, code = unit->base + at->code;
    uint32_t intr = device_rd32(device, ack) & device_rd32(device, unit->base + at->intr_en);
    for (uint32_t bit = 1; bit < CE_LAUNCHERR; bit <<= 1)
        if (intr & bit)
            device_wr32(device, ack, bit);
    if (!(intr & CE_LAUNCHERR))
        return;
    unit_report(device, unit, error_name(&errors_copy, device_rd32(device, code) & 0xf), NO_METHOD, 0);
    device_wr32(device, code, 0);
    device_wr32(device, ack, CE_LAUNCHERR);
}

static void copy_gk104(struct pfifo_device *device, const struct chip_unit_row *unit) {
    static const struct copy_registers at = {NV_CE_INTR_EN_GK104, NV_CE_INTR_GK104, NV_CE_LAUNCHERR_GK104};
    units_copy(device, unit, &at);
}

static void copy_gp100(struct pfifo_device *device, const struct chip_unit_row *unit) {
    static const struct copy_registers at = {NV_CE_INTR_EN_GP100, NV_CE_INTR_GP100, NV_CE_LAUNCHERR_GP100};
    units_copy(device, unit, &at);
}

/* ---- the others ---- */

static void cipher(struct pfifo_device *device, const struct chip_unit_row *unit) {
    uint32_t intr = device_rd32(device, unit->base + NV_PCIPHER_INTR);
    if (intr & ~CIPHER_QUERY)
        unit_report(device, unit,
                    intr & CIPHER_FAULT    ? ERROR_ACCESS
                    : intr & CIPHER_METHOD ? "ILLEGAL_MTHD"
                    : intr & CIPHER_CLASS  ? "ILLEGAL_CLASS"
                                           : ERROR_CIPHER,
                    device_rd32(device, unit->base + NV_PCIPHER_TRAPPED_METHOD),
                    device_rd32(device, unit->base + NV_PCIPHER_TRAPPED_DATA));
    device_wr32(device, unit->base + NV_PCIPHER_INTR, intr);
    device_wr32(device, unit->base + NV_PCIPHER_FIFO_CTRL, 0x10);
}

#define DMA_LINEAR 0x00002000u
#define DMA_TARGET 0x00030000u
/* Binds of DMA objects, which PMPEG before G80 leaves to its driver. Registers are offsets from its base. */
static const struct mpeg_bind {
    const char *chips;
    uint16_t method, base, bytes;
    uint8_t target_shift, target_bits; /* where CONFIG has the target; 0: it is VRAM */
} mpeg_binds[] = {
    {"NV31:NV40", 0x190, NV_PMPEG_CMD_BASE, NV_PMPEG_CMD_LIMIT, 16, 1},
    {"NV40:G80", 0x190, NV_PMPEG_CMD_BASE, NV_PMPEG_CMD_LIMIT, 16, 3},
    {"NV31:NV40", 0x1a0, NV_PMPEG_DATA_BASE, NV_PMPEG_DATA_LIMIT, 17, 1},
    {"NV40:G80", 0x1a0, NV_PMPEG_DATA_BASE, NV_PMPEG_DATA_LIMIT, 18, 3},
    {"NV31:G80", 0x1b0, NV_PMPEG_IMAGE_BASE, NV_PMPEG_IMAGE_LIMIT, 0, 0}, /* images */
};

static void units_set_target(struct pfifo_device *device, uint32_t base, const struct mpeg_bind *bind,
                             uint32_t target) {
    uint32_t value = target < bind->target_bits ? target : bind->target_bits;
    device_mask(device, base + NV_PMPEG_CONFIG, (uint32_t)bind->target_bits << bind->target_shift,
                value << bind->target_shift);
}

/* Only linear objects can be bound. */
static bool bind_mpeg(struct pfifo_device *device, uint32_t base, const struct mpeg_bind *bind, uint32_t instance) {
    uint64_t at = (uint64_t)instance << 4;
    uint32_t word[3], target;
    for (unsigned i = 0; i < 3; i++)
        word[i] = inst_rd32(device, at + 4 * i);
    target = (word[0] & DMA_TARGET) >> 16;
    if (!(word[0] & DMA_LINEAR) || (!bind->target_bits && target))
        return false;
    if (bind->target_bits)
        units_set_target(device, base, bind, target);
    device_wr32(device, base + bind->base, (word[2] & 0xfffff000) | word[0] >> 20);
    device_wr32(device, base + bind->bytes, word[1] + 1);
    return true;
}

static bool mpeg_method(struct pfifo_device *device, uint32_t base, uint32_t method, uint32_t data) {
    if (device_rd32(device, base + NV_PMPEG_FIFO_ERR) != MPEG_ILLEGAL)
        return false;
    for (size_t i = 0; i < sizeof mpeg_binds / sizeof mpeg_binds[0]; i++)
        if (mpeg_binds[i].method == method && chip_in_range(device->chip, mpeg_binds[i].chips))
            return bind_mpeg(device, base, &mpeg_binds[i], data);
    return false;
}

static void mpeg(struct pfifo_device *device, const struct chip_unit_row *unit) {
    uint32_t intr = device_rd32(device, unit->base + NV_PMPEG_INTR);
    uint32_t method = device_rd32(device, unit->base + NV_PMPEG_FIFO_ERR_MTHD),
             data = device_rd32(device, unit->base + NV_PMPEG_FIFO_ERR_DATA);
    if ((intr & MPEG_FIFO_ERROR) && !mpeg_method(device, unit->base, method, data))
        unit_report(device, unit, ERROR_MPEG, method, data);
    device_wr32(device, unit->base + NV_PMPEG_INTR, intr);
    device_wr32(device, unit->base + NV_PMPEG_FIFO_ERR, MPEG_CLEAR);
}

/* As nouveau starts it; NVIDIA's driver reads 1 at the first two and writes 0x20. */
static void start_mpeg(struct pfifo_device *device, uint32_t base) {
    static const struct {
        uint16_t offset;
        uint32_t value;
    } writes[] = {{0x0e0, 0x20},
                  {0x0e8, 0x20},
                  {NV_PMPEG_ENABLE, 0},
                  {NV_PMPEG_UNK314, 0x100},
                  {NV_PMPEG_COMPAT_MODE, 0x31},
                  {NV_PMPEG_CONFIG, 0x02001ec1},
                  {NV_PMPEG_ENABLE, 1},
                  {NV_PMPEG_INTR, ~0u},
                  {NV_PMPEG_INTR_EN, ~0u}};
    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        device_wr32(device, base + writes[i].offset, writes[i].value);
}

static void xtensa(struct pfifo_device *device, const struct chip_unit_row *unit) {
    uint32_t intr = device_rd32(device, unit->base + NV_XTENSA_INTR);
    device_wr32(device, unit->base + NV_XTENSA_INTR, intr);
}

/* UNKNOWN: registers that tell the channel are not read on all of them; chosen: it is left open. */
static void unit_report(struct pfifo_device *device, const struct chip_unit_row *unit, const char *error,
                        uint32_t method, uint32_t data) {
    bool known = method != NO_METHOD;
    const struct pfifo_device_fault fault = {.channel = CHANNEL_UNKNOWN,
                                             .unit = chip_unit_name(unit->unit),
                                             .error = error,
                                             .subchannel = known ? method >> SUBCHANNEL_SHIFT & 7 : 0,
                                             .method = known ? method & 0x1ffc : 0,
                                             .data = data,
                                             .has_method = known};
    device_fault(device, &fault);
}

/* ---- which there are ---- */

/* By the registers of the unit. */
static const struct unit_driver {
    void (*handle)(struct pfifo_device *device, const struct chip_unit_row *unit);
    void (*start)(struct pfifo_device *device, uint32_t base); /* NULL: there is nothing to do */
} drivers[UNIT_REGISTERS_COUNT] = {
    [UNIT_REGISTERS_MPEG] = {mpeg},
    [UNIT_REGISTERS_NV17] = {mpeg},
    [UNIT_REGISTERS_NV31] = {mpeg, start_mpeg},
    [UNIT_REGISTERS_XTENSA] = {xtensa},
    [UNIT_REGISTERS_CIPHER] = {cipher},
    [UNIT_REGISTERS_FALCON] = {falcon},
    [UNIT_REGISTERS_FALCON_FAULTS] = {falcon},
    [UNIT_REGISTERS_FALCON_SEC] = {sec},
    [UNIT_REGISTERS_FALCON_COPY] = {falcon},
    [UNIT_REGISTERS_CE] = {copy_gk104},
    [UNIT_REGISTERS_CE_GP100] = {copy_gp100},
};

static bool units_is_here(const struct pfifo_device *device, const struct chip_unit_row *row) {
    return chip_has_unit(device->chip, row->unit) && chip_in_range(device->chip, row->chips);
}

void device_units_enable(struct pfifo_device *device) {
    for (size_t i = 0; i < chip_unit_row_count; i++) {
        const struct chip_unit_row *row = &chip_unit_rows[i];
        if (drivers[row->registers].start && units_is_here(device, row))
            drivers[row->registers].start(device, row->base);
    }
}

void device_unit_interrupts(struct pfifo_device *device, uint32_t lines) {
    for (size_t i = 0; i < chip_unit_row_count; i++) {
        const struct chip_unit_row *row = &chip_unit_rows[i];
        const struct unit_driver *driver = &drivers[row->registers];
        if (driver->handle && (lines >> row->line & 1) && units_is_here(device, row))
            driver->handle(device, row);
    }
}
