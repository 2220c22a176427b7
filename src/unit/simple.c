/* SPDX-License-Identifier: MIT */
#include "unit/simple.h"

#include <assert.h>
#include <stdlib.h>

#include "chip/units.h"
#include "hw/ce.h"
#include "hw/falcon.h"
#include "hw/video.h"
#include "state/state.h"
#include "unit/error_names.h"

#define U(field)        offsetof(struct simple_unit, r.field)
#define RW(bits)        .readable = (bits), .writable = (bits)
#define AT(field, bits) .at = U(field), RW(bits)
#define RO(field, bits) .at = U(field), .readable = (bits)

#define CHANNEL_INSTANCE 0x3fffffffu /* CHANNEL_CUR and equivalents */
#define CHANNEL_VALID    (1u << 30)

/* LAUNCHERR. */
enum {
    LAUNCH_LAYER = 1,
    LAUNCH_ARGUMENT = 2,
    LAUNCH_BOUNDS = 3,
    LAUNCH_PITCH_IN = 4,
    LAUNCH_PITCH_OUT = 6,
    LAUNCH_VALUE = 9,
    LAUNCH_FIELD = 10,
    LAUNCH_OPERATION = 11,
};

struct simple_variant {
    const struct reg *rows; /* offsets from the unit's base */
    size_t count;
    bool routed; /* the line has the interrupts that are routed to the host */
    uint32_t notify, blocking;
    uint32_t nonstall;             /* bits that go to the second destination of PMC */
    uint32_t error;                /* a method is refused; 0: the unit has no modelled checks */
    uint32_t fault;                /* an access failed, before GF100; 0: not reported */
    const uint8_t *dispatch_codes; /* of the firmware of falcons */
    /* Show a refused method. */
    void (*show)(struct simple_unit *unit, const struct unit_trap *trap);
    bool (*checks)(const struct simple_unit *unit); /* does it refuse now? NULL: always */
    const struct error_names *names;                /* of its numbers, */
    const char *name;                               /* or the name of all errors */
    uint32_t (*number)(const struct simple_variant *variant, const struct unit_trap *trap);
};

/* ---- the numbers of errors ---- */

/* LAUNCHERR of copy engines; 0: VALUE. */
static const uint8_t launch_errors[ENGINE_ERRORS] = {
    [ENGINE_ERROR_INVALID_OPERATION] = LAUNCH_OPERATION,
    [ENGINE_ERROR_ADDRESS_ALIGNMENT] = LAUNCH_ARGUMENT,
    [ENGINE_ERROR_INVALID_BITFIELD] = LAUNCH_FIELD,
    [ENGINE_ERROR_M2MF_Z] = LAUNCH_LAYER,
    [ENGINE_ERROR_M2MF_XY] = LAUNCH_BOUNDS,
    [ENGINE_ERROR_M2MF_PITCH_IN] = LAUNCH_PITCH_IN,
    [ENGINE_ERROR_M2MF_PITCH_OUT] = LAUNCH_PITCH_OUT,
    [ENGINE_ERROR_INVALID_STATE] = LAUNCH_OPERATION,
    [ENGINE_ERROR_COPY_LAYER] = 0x1,
    [ENGINE_ERROR_COPY_RECTANGLE] = 0x3,
    [ENGINE_ERROR_COPY_PITCH_IN] = 0x4,
    [ENGINE_ERROR_COPY_NEG_PITCH_IN] = 0x5,
    [ENGINE_ERROR_COPY_PITCH_OUT] = 0x6,
    [ENGINE_ERROR_COPY_NEG_PITCH_OUT] = 0x7,
    [ENGINE_ERROR_COPY_COMPONENT] = 0x8,
    [ENGINE_ERROR_COPY_VALUE] = 0x9,
    [ENGINE_ERROR_ACCESS] = LAUNCH_ARGUMENT,
};

static uint32_t launch_error(const struct unit_trap *trap) {
    if (trap->error == ENGINE_ERROR_GIVEN)
        return trap->code;
    assert(trap->error < ENGINE_ERRORS);
    return launch_errors[trap->error] ? launch_errors[trap->error] : LAUNCH_VALUE;
}

/* Error numbers of the firmware of falcons; PSEC's firmware has others. */
enum { DISPATCH_METHOD = 1, DISPATCH_ENUM = 2, DISPATCH_BITFIELD = 3 };
static const uint8_t dispatch_codes[] = {[DISPATCH_METHOD] = 1, [DISPATCH_ENUM] = 2, [DISPATCH_BITFIELD] = 3};
static const uint8_t dispatch_codes_sec[] = {[DISPATCH_METHOD] = 0, [DISPATCH_ENUM] = 2, [DISPATCH_BITFIELD] = 1};

static unsigned dispatch_error(enum engine_error error) {
    return error == ENGINE_ERROR_ILLEGAL_METHOD ? DISPATCH_METHOD
           : error == ENGINE_ERROR_INVALID_ENUM ? DISPATCH_ENUM
                                                : DISPATCH_BITFIELD;
}

static uint32_t dispatch_number(const struct simple_variant *variant, const struct unit_trap *trap) {
    return trap->error == ENGINE_ERROR_GIVEN ? trap->code & 0xffff
                                             : variant->dispatch_codes[dispatch_error(trap->error)];
}

static uint32_t launch_number(const struct simple_variant *variant, const struct unit_trap *trap) {
    (void)variant;
    return launch_error(trap) & 0xf;
}

/* ---- the line ---- */

static void simple_update_line(struct simple_unit *unit) {
    uint32_t active = unit->r.intr & unit->r.intr_en;
    if (unit->variant->routed)
        active &= unit->r.route & ~(unit->r.route >> 16) & 0xffff;
    bus_interrupt(unit->unit.bus, unit->line, (active & ~unit->variant->nonstall) != 0);
    if (unit->variant->nonstall)
        bus_interrupt_nrhost(unit->unit.bus, unit->line, (active & unit->variant->nonstall) != 0);
}

static void simple_write_line(void *opaque, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    simple_update_line(opaque);
}

static void acknowledge(void *opaque, const struct reg *reg, uint32_t index, uint32_t value) {
    struct simple_unit *unit = opaque;
    (void)reg, (void)index;
    unit->r.intr &= ~value;
    unit->r.holds &= unit->r.intr;
    simple_update_line(unit);
}

/* ---- falcons ---- */

#define FALCON_LINES  0xffffu
#define FALCON_ROUTES 0xfff3u /* all but FIFO and CHSW, which the firmware handles */

static void simple_trigger(void *opaque, const struct reg *reg, uint32_t index, uint32_t value) {
    struct simple_unit *unit = opaque;
    (void)reg, (void)index;
    unit->r.intr |= value & FALCON_LINES;
    simple_update_line(unit);
}

static void simple_enable(void *opaque, const struct reg *reg, uint32_t index, uint32_t value) {
    struct simple_unit *unit = opaque;
    (void)reg, (void)index;
    unit->r.intr_en |= value & FALCON_LINES;
    simple_update_line(unit);
}

static void simple_disable(void *opaque, const struct reg *reg, uint32_t index, uint32_t value) {
    struct simple_unit *unit = opaque;
    (void)reg, (void)index;
    unit->r.intr_en &= ~value;
    simple_update_line(unit);
}

static void show_falcon(struct simple_unit *unit, const struct unit_trap *trap) {
    uint32_t code = dispatch_number(unit->variant, trap);
    unit->r.where = (trap->subchannel << 11 | (trap->method >> 2 & 0x7ff)) << 16 | code;
    unit->r.data = trap->data;
}

#define FALCON_FIELDS "PERIODIC 0, WATCHDOG 1, FIFO 2, CHSW 3, EXIT 4, UNK5 5, SCRATCH0 6, SCRATCH1 7, OWN 15:8"

static const struct reg falcon_rows[] = {
    {NV_FALCON_INTR_TRIGGER, "INTR_TRIGGER", .at = REG_NONE, .write = simple_trigger},
    {NV_FALCON_INTR_ACK, "INTR_ACK", .at = REG_NONE, .write = acknowledge},
    {NV_FALCON_INTR, "INTR", RO(intr, FALCON_LINES), .fields = FALCON_FIELDS},
    {NV_FALCON_INTR_EN_SET, "INTR_EN_SET", .at = REG_NONE, .write = simple_enable},
    {NV_FALCON_INTR_EN_CLR, "INTR_EN_CLR", .at = REG_NONE, .write = simple_disable},
    {NV_FALCON_INTR_EN, "INTR_EN", RO(intr_en, FALCON_LINES), .reset = FALCON_LINES, .fields = FALCON_FIELDS},
    {NV_FALCON_INTR_ROUTING, "INTR_ROUTING", AT(route, ~0u), .reset = FALCON_ROUTES, .write = simple_write_line,
     .fields = "LOW 15:0, HIGH 31:16"},
    {NV_FALCON_SCRATCH0, "SCRATCH0", AT(where, ~0u), .fields = "ERROR 15:0, METHOD 26:16, SUBCHANNEL 29:27"},
    {NV_FALCON_SCRATCH1, "SCRATCH1", AT(data, ~0u)},
    {NV_FALCON_CHANNEL_CUR, "CHANNEL_CUR", AT(channel, 0x7fffffff), .fields = "INSTANCE 29:0, VALID 30"},
    {NV_FALCON_CHANNEL_NEXT, "CHANNEL_NEXT", AT(next, 0x7fffffff), .fields = "INSTANCE 29:0, VALID 30"},
};

/* ---- copy engines of GK104 and later ---- */

#define CE_BITS   7u
#define CE_FIELDS "BLOCKPIPE 0, NONBLOCKPIPE 1, LAUNCHERR 2"

static void show_launch(struct simple_unit *unit, const struct unit_trap *trap) {
    unit->r.code = launch_error(trap);
}

static const struct reg ce_rows[] = {
    {NV_CE_INTR_EN_GK104, "INTR_EN", AT(intr_en, CE_BITS), .reset = CE_BITS, .write = simple_write_line,
     .fields = CE_FIELDS},
    {NV_CE_INTR_GK104, "INTR", RO(intr, CE_BITS), .write = acknowledge, .fields = CE_FIELDS},
    {NV_CE_LAUNCHERR_GK104, "LAUNCHERR", AT(code, 0xf), .fields = "ERROR 3:0"},
};

static const struct reg ce_rows_gp100[] = {
    {NV_CE_INTR_EN_GP100, "INTR_EN", AT(intr_en, CE_BITS), .reset = CE_BITS, .write = simple_write_line,
     .fields = CE_FIELDS},
    {NV_CE_INTR_GP100, "INTR", RO(intr, CE_BITS), .write = acknowledge, .fields = CE_FIELDS},
    {NV_CE_LAUNCHERR_GP100, "LAUNCHERR", AT(code, 0xf), .fields = "ERROR 3:0"},
};

/* ---- the others ---- */

#define CIPHER_FIELDS "INVALID_STATE 0, ILLEGAL_MTHD 1, ILLEGAL_CLASS 2, QUERY 7, FAULT 8"

static void show_method(struct simple_unit *unit, const struct unit_trap *trap) {
    unit->r.where = trap->method;
    unit->r.data = trap->data;
}

static const struct reg cipher_rows[] = {
    {NV_PCIPHER_FIFO_CTRL, "FIFO_CTRL", AT(control, ~0u)},
    {NV_PCIPHER_INTR, "INTR", RO(intr, ~0u), .write = acknowledge, .fields = CIPHER_FIELDS},
    {NV_PCIPHER_INTR_EN, "INTR_EN", AT(intr_en, ~0u), .reset = ~0u, .write = simple_write_line,
     .fields = CIPHER_FIELDS},
    {NV_PCIPHER_CHANNEL, "CHANNEL", AT(channel, ~0u), .fields = "INSTANCE 29:0, VALID 31"},
    {NV_PCIPHER_TRAPPED_METHOD, "TRAPPED_METHOD", RO(where, ~0u)},
    {NV_PCIPHER_TRAPPED_DATA, "TRAPPED_DATA", RO(data, ~0u)},
};

#define MPEG_CHECK (1u << 9) /* CONFIG */
#define MPEG_INTR  "SYNC 0, FETCH_DONE 8, ERROR 16, FIFO_ERR 24"

static void show_mpeg(struct simple_unit *unit, const struct unit_trap *trap) {
    show_method(unit, trap);
    bool method =
        trap->error == ENGINE_ERROR_GIVEN ? trap->code == DISPATCH_METHOD : trap->error == ENGINE_ERROR_ILLEGAL_METHOD;
    unit->r.code |= method ? MPEG_ILLEGAL : MPEG_VALUE;
}

static bool mpeg_checks(const struct simple_unit *unit) {
    return (unit->r.mpeg[MPEG_CONFIG] & MPEG_CHECK) != 0;
}

static void clear_mpeg(void *opaque, const struct reg *reg, uint32_t index, uint32_t value) {
    struct simple_unit *unit = opaque;
    (void)reg, (void)index;
    if (value & MPEG_CLEAR)
        unit->r.code = 0;
}

#define MPEG_REGISTERS                                                                                                 \
    {NV_PMPEG_INTR, "INTR", RO(intr, ~0u), .write = acknowledge, .fields = MPEG_INTR}, {NV_PMPEG_INTR_EN,              \
                                                                                        "INTR_EN",                     \
                                                                                        AT(intr_en, ~0u),              \
                                                                                        .reset = ~0u,                  \
                                                                                        .write = simple_write_line,    \
                                                                                        .fields = MPEG_INTR},          \
        {NV_PMPEG_FIFO_ERR, "FIFO_ERR", RO(code, 0x3030), .write = clear_mpeg,                                         \
         .fields = "CLEAR 0, ILLEGAL_MTHD 4, ILLEGAL_VALUE 5, PIO_OVERFLOW 12, ILLEGAL_EXEC 13"},                      \
        {NV_PMPEG_FIFO_ERR_MTHD, "FIFO_ERR_MTHD", RO(where, ~0u)}, {                                                   \
        NV_PMPEG_FIFO_ERR_DATA, "FIFO_ERR_DATA", RO(data, ~0u)                                                         \
    }
#define MPEG(name, bits) .at = U(mpeg[name]), RW(bits)

static const struct reg mpeg_rows[] = {MPEG_REGISTERS};

static const struct reg mpeg_rows_nv31[] = {
    MPEG_REGISTERS,
    {NV_PMPEG_COMPAT_MODE, "COMPAT_MODE", MPEG(MPEG_COMPAT, 0xffff), .reset = 0x17},
    {NV_PMPEG_CONFIG, "CONFIG", MPEG(MPEG_CONFIG, ~0u), .reset = 0x00030200,
     .fields = "FIFO_MODE 0, ERROR_CHECK 8, FIFO_ERR_CHECK 9, CMD_FAULT_CHECK 10, DATA_FAULT_CHECK 11, "
               "IMAGE_FAULT_CHECK 12, TARGETS 19:16"},
    {NV_PMPEG_INSTANCE, "INSTANCE", MPEG(MPEG_INSTANCE, ~0u)},
    {NV_PMPEG_UNK314, "UNK314", MPEG(MPEG_UNK314, 0xffff)},
    {NV_PMPEG_CMD_OFFSET, "CMD_OFFSET", MPEG(MPEG_CMD_OFFSET, ~3u)},
    {NV_PMPEG_CMD_LIMIT, "CMD_LIMIT", MPEG(MPEG_CMD_LIMIT, ~3u)},
    {NV_PMPEG_CMD_PUT, "CMD_PUT", MPEG(MPEG_CMD_PUT, ~3u)},
    {NV_PMPEG_ENABLE, "ENABLE", MPEG(MPEG_ENABLE, 1)},
    {NV_PMPEG_CMD_BASE, "CMD_BASE", MPEG(MPEG_CMD_BASE, ~3u)},
    {NV_PMPEG_DATA_BASE, "DATA_BASE", MPEG(MPEG_DATA_BASE, ~0u)},
    {NV_PMPEG_DATA_LIMIT, "DATA_LIMIT", MPEG(MPEG_DATA_LIMIT, ~0u)},
    {NV_PMPEG_IMAGE_BASE, "IMAGE_BASE", MPEG(MPEG_IMAGE_BASE, ~0u)},
    {NV_PMPEG_IMAGE_LIMIT, "IMAGE_LIMIT", MPEG(MPEG_IMAGE_LIMIT, ~0u)},
};

static const struct reg xtensa_rows[] = {
    {NV_XTENSA_INTR, "INTR", RO(intr, ~0u), .write = acknowledge, .fields = "WATCHDOG 4"},
    {NV_XTENSA_CHANNEL, "CHANNEL", AT(channel, ~0u)},
};

#define ROWS(table) .rows = (table), .count = sizeof(table) / sizeof((table)[0])

static const struct simple_variant falcon = {ROWS(falcon_rows),
                                             .routed = true,
                                             .notify = FALCON_INTR_SCRATCH1,
                                             .error = FALCON_INTR_SCRATCH0,
                                             .show = show_falcon,
                                             .dispatch_codes = dispatch_codes,
                                             .names = &errors_falcon,
                                             .number = dispatch_number};
static const struct simple_variant tesla_falcon = {ROWS(falcon_rows),
                                                   .routed = true,
                                                   .notify = FALCON_INTR_SCRATCH1,
                                                   .error = FALCON_INTR_SCRATCH0,
                                                   .fault = FALCON_INTR_MEMIF_FAULT,
                                                   .show = show_falcon,
                                                   .dispatch_codes = dispatch_codes,
                                                   .names = &errors_falcon,
                                                   .number = dispatch_number};
static const struct simple_variant tesla_sec = {ROWS(falcon_rows),
                                                .routed = true,
                                                .notify = FALCON_INTR_SCRATCH1,
                                                .error = FALCON_INTR_SCRATCH0,
                                                .fault = FALCON_INTR_MEMIF_FAULT,
                                                .show = show_falcon,
                                                .dispatch_codes = dispatch_codes_sec,
                                                .names = &errors_sec,
                                                .number = dispatch_number};
static const struct simple_variant falcon_copy = {ROWS(falcon_rows),
                                                  .routed = true,
                                                  .notify = FALCON_INTR_NONBLOCK,
                                                  .blocking = FALCON_INTR_BLOCK,
                                                  .error = FALCON_INTR_SCRATCH0,
                                                  .fault = FALCON_INTR_MEMIF_FAULT,
                                                  .show = show_falcon,
                                                  .dispatch_codes = dispatch_codes,
                                                  .names = &errors_falcon,
                                                  .number = dispatch_number};
static const struct simple_variant ce = {ROWS(ce_rows),         .notify = CE_NONBLOCK,  .nonstall = CE_NONBLOCK,
                                         .blocking = CE_BLOCK,  .error = CE_LAUNCHERR,  .show = show_launch,
                                         .names = &errors_copy, .number = launch_number};
static const struct simple_variant ce_gp100 = {ROWS(ce_rows_gp100),   .notify = CE_NONBLOCK,  .nonstall = CE_NONBLOCK,
                                               .blocking = CE_BLOCK,  .error = CE_LAUNCHERR,  .show = show_launch,
                                               .names = &errors_copy, .number = launch_number};
static const struct simple_variant cipher = {ROWS(cipher_rows),     .notify = CIPHER_QUERY, .error = CIPHER_STATE,
                                             .fault = CIPHER_FAULT, .show = show_method,    .name = ERROR_CIPHER};
static const struct simple_variant mpeg = {ROWS(mpeg_rows), .notify = 1, .error = MPEG_FIFO_ERROR, .show = show_mpeg,
                                           .name = ERROR_MPEG};
static const struct simple_variant mpeg_nv31 = {ROWS(mpeg_rows_nv31), .notify = 1,           .error = MPEG_FIFO_ERROR,
                                                .show = show_mpeg,    .checks = mpeg_checks, .name = ERROR_MPEG};
static const struct simple_variant xtensa = {ROWS(xtensa_rows), .notify = 1};

static const struct simple_variant *const variants[UNIT_REGISTERS_COUNT] = {
    [UNIT_REGISTERS_MPEG] = &mpeg,
    [UNIT_REGISTERS_NV17] = &mpeg_nv31,
    [UNIT_REGISTERS_NV31] = &mpeg_nv31,
    [UNIT_REGISTERS_XTENSA] = &xtensa,
    [UNIT_REGISTERS_CIPHER] = &cipher,
    [UNIT_REGISTERS_FALCON] = &falcon,
    [UNIT_REGISTERS_FALCON_FAULTS] = &tesla_falcon,
    [UNIT_REGISTERS_FALCON_SEC] = &tesla_sec,
    [UNIT_REGISTERS_FALCON_COPY] = &falcon_copy,
    [UNIT_REGISTERS_CE] = &ce,
    [UNIT_REGISTERS_CE_GP100] = &ce_gp100,
};

const char *simple_error_name(const struct pfifo_chip *chip, enum chip_unit unit, const struct unit_trap *trap) {
    for (size_t i = 0; i < chip_unit_row_count; i++) {
        const struct simple_variant *variant = variants[chip_unit_rows[i].registers];
        if (chip_unit_rows[i].unit == unit && chip_in_range(chip, chip_unit_rows[i].chips) && variant)
            return variant->names ? error_name(variant->names, variant->number(variant, trap)) : variant->name;
    }
    return NULL;
}

/* ---- operations ---- */

static struct simple_unit *simple_of(struct unit *unit) {
    return (struct simple_unit *)unit;
}

static const struct simple_unit *simple_at(const struct unit *unit) {
    return (const struct simple_unit *)unit;
}

static bool simple_open(const struct unit *unit, uint32_t channel) {
    (void)channel;
    return !simple_at(unit)->r.holds;
}

static bool simple_asks(const struct unit *unit) {
    return simple_at(unit)->r.holds != 0;
}

static void simple_enter(struct unit *unit, uint32_t instance) {
    simple_of(unit)->r.channel = (instance & CHANNEL_INSTANCE) | CHANNEL_VALID;
}

static void raise_bits(struct simple_unit *unit, uint32_t bits, uint32_t holding) {
    unit->r.intr |= bits;
    unit->r.holds |= holding;
    simple_update_line(unit);
}

static void simple_notify(struct unit *base, enum unit_cause cause) {
    struct simple_unit *unit = simple_of(base);
    const struct simple_variant *variant = unit->variant;
    bool blocking = cause == CAUSE_BLOCKING && variant->blocking;
    raise_bits(unit, blocking ? variant->blocking : variant->notify, blocking ? variant->blocking : 0);
}

static bool simple_trap(struct unit *base, uint32_t channel, const struct unit_trap *trap) {
    struct simple_unit *unit = simple_of(base);
    const struct simple_variant *variant = unit->variant;
    (void)channel;
    if (!variant->error || (variant->checks && !variant->checks(unit)))
        return false;
    variant->show(unit, trap);
    raise_bits(unit, variant->error, variant->error);
    return true;
}

static void simple_fault(struct unit *base, uint32_t channel, const struct unit_trap *trap) {
    struct simple_unit *unit = simple_of(base);
    (void)channel;
    if (trap && unit->variant->show)
        unit->variant->show(unit, trap);
    raise_bits(unit, unit->variant->fault, unit->variant->fault);
}

static void simple_enable_changed(struct unit *base, uint32_t old, uint32_t now) {
    struct simple_unit *unit = simple_of(base);
    if (!(old & ~now & unit->enable))
        return;
    bus_reset_table(&unit->table, unit);
    unit->r.holds = 0;
    simple_update_line(unit);
}

_Static_assert(sizeof(void *) != 8 || sizeof(struct simple_unit) - sizeof(struct unit_regs) == 68,
               "all state of a unit is in its registers");

/* A unit is held by some of its pending interrupts. */
static void simple_state(struct unit *base, struct state_io *io) {
    struct simple_unit *unit = simple_of(base);
    state_words(io, (uint32_t *)(void *)&unit->r, sizeof unit->r / sizeof(uint32_t), "registers of a unit");
    unit->r.holds &= unit->r.intr;
}

static void simple_free(struct unit *unit) {
    free((void *)(uintptr_t)simple_of(unit)->table.regs);
    free(unit);
}

static const struct unit_ops simple_ops = {
    .open = simple_open,
    .asks = simple_asks,
    .enter = simple_enter,
    .notify = simple_notify,
    .trap = simple_trap,
    .fault = simple_fault,
    .enable_changed = simple_enable_changed,
    .state = simple_state,
    .free = simple_free,
};

/* ---- attaching ---- */

static struct reg *copy_rows(const struct simple_variant *variant, uint32_t base) {
    struct reg *regs = calloc(variant->count, sizeof *regs);
    for (size_t i = 0; regs && i < variant->count; i++) {
        regs[i] = variant->rows[i];
        regs[i].offset += base;
    }
    return regs;
}

enum pfifo_status simple_unit_new(struct unit **out, struct bus *bus, const struct chip_unit_row *row,
                                  struct pfifo_error *error) {
    const struct simple_variant *variant = variants[row->registers];
    *out = NULL;
    if (!variant)
        return PFIFO_OK;
    const char *name = chip_unit_name(row->unit);
    struct simple_unit *unit = calloc(1, sizeof *unit);
    struct reg *regs = copy_rows(variant, row->base);
    if (!unit || !regs) {
        free(unit);
        free(regs);
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the registers of %s", name);
    }
    unit->unit = (struct unit){.ops = &simple_ops, .chip = bus->chip, .bus = bus};
    unit->variant = variant;
    unit->line = 1u << row->line;
    unit->enable = 1u << row->enable;
    unit->table = (struct reg_table){name, regs, variant->count};
    unit->r.intr_en = ~0u; /* for units without a register for it */
    *out = &unit->unit;
    return bus_attach_table(bus, &unit->table, unit, error);
}
