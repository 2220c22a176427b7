/* SPDX-License-Identifier: MIT */
/*
 * Launches with any QMD or registers and any program, from a grid that runs. Nothing may be hurt, and each call ends
 * soon. A launch may be saved after a slice and go on on another machine, with the same memory; and what was saved may
 * be changed before. Half of the memory holds noise; what lies after it faults.
 *
 *   byte 0   class
 *   then     records: operation, operands
 */
#include "engine/core/register_file.h"
#include "engine/rig.h"
#include "fuzz/input.h"
#include "isa/shader/gf100_rows.h"
#include "isa/shader/gk110_rows.h"
#include "isa/shader/gm107_rows.h"

#include "compute/programs.inc"

#define RECORDS 40
#define SLICES  6 /* of a launch */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { QMD = 0x2000, AUX = 0x3000, CODE = 0x8000, ENTRY = 0x80, DATA = 0xa000, TEXTURES = 0x6000, END = 0x20000 };
enum { MOST_STATE = 8 << 20 };

static const struct class {
    const char *chip;
    uint32_t object_class, version; /* of the QMD */
    const uint64_t *program;
    size_t words;
    const struct isa_row *rows;
    const size_t *row_count;
} classes[] = {
    {"GM107", 0xb0c0, 0x17, gm107_sum, sizeof gm107_sum / 8, gm107_rows, &gm107_row_count},
    {"GF100", 0x90c0, 0, gf100_sum, sizeof gf100_sum / 8, fermi_rows, &fermi_row_count},
    {"GK110", 0xa1c0, 0x06, gk110_sum, sizeof gk110_sum / 8, gk110_rows, &gk110_row_count},
    {"GP102", 0xc1c0, 0x21, gm107_sum, sizeof gm107_sum / 8, gm107_rows, &gm107_row_count},
};

struct machine {
    struct engine_rig rigs[2], *rig;
    const struct class *class;
    unsigned id;
};

/* Methods that say what is launched, in ranges of words. */
static const struct range {
    uint16_t first, count;
} ranges[] = {{0x204, 3},  {0x214, 2},  {0x21c, 1},  {0x228, 2},   {0x238, 2},  {0x24c, 3},  {0x2a0, 2},  {0x2c0, 1},
              {0x2e4, 6},  {0x3ac, 3},  {0x77c, 1},  {0x780, 1},   {0x7b0, 2},  {0x155c, 3}, {0x1574, 3}, {0x1608, 2},
              {0x2380, 4}, {0x1694, 1}, {0x2608, 1}, {0x2700, 64}, {0x1234, 1}, {0x1664, 1}, {0x1550, 3}, {0x10f4, 1}};

static void send(struct machine *m, uint32_t method, const uint32_t *data, uint32_t count) {
    uint32_t at = 0;
    for (unsigned tries = 3; at < count && tries > 0;) {
        uint32_t taken = engine_rig_offer(m->rig, m->id, 0, method + at * 4, 4, data + at, count - at);
        require(taken <= count - at);
        at += taken;
        tries -= taken == 0;
    }
}

#define VALUES(...)                                                                                                    \
    (const uint32_t[]) {                                                                                               \
        __VA_ARGS__                                                                                                    \
    }
#define SEND(m, method, ...) send(m, method, VALUES(__VA_ARGS__), sizeof(VALUES(__VA_ARGS__)) / 4)

static void put_code(struct machine *m, unsigned number, uint64_t word) {
    engine_rig_wr32(m->rig, CODE + ENTRY + 8 * number, (uint32_t)word);
    engine_rig_wr32(m->rig, CODE + ENTRY + 8 * number + 4, (uint32_t)(word >> 32));
}

static void begin_qmd(struct machine *m) {
    bool pascal = m->class->version == 0x21;
    const uint32_t constants = QMD + (pascal ? 128 : 116) + 7 * 8, local = QMD + (pascal ? 116 : 180);
    engine_rig_wr32(m->rig, QMD + 32, ENTRY);
    engine_rig_wr32(m->rig, QMD + 48, 2);
    engine_rig_wr32(m->rig, QMD + 52, pascal ? 1 : 1 | 1 << 16);
    engine_rig_wr32(m->rig, QMD + 56, pascal);
    engine_rig_wr32(m->rig, QMD + 68, 256);
    engine_rig_wr32(m->rig, QMD + 72, m->class->version | 32 << 16);
    engine_rig_wr32(m->rig, QMD + 76, 2 | 1 << 16);
    engine_rig_wr32(m->rig, QMD + 80, 0x80);
    engine_rig_wr32(m->rig, constants, AUX);
    engine_rig_wr32(m->rig, constants + 4, pascal ? 0x800 >> 4 << 19 : 0x800 << 15);
    engine_rig_wr32(m->rig, local, 64);
    engine_rig_wr32(m->rig, local + 4, 32u << 24);
    SEND(m, 0x2b4, QMD >> 8);
}

static void begin_registers(struct machine *m) {
    SEND(m, 0x204, 64, 0);
    SEND(m, 0x238, 1 << 16 | 2, 1);
    SEND(m, 0x24c, 256);
    SEND(m, 0x2c0, 32);
    SEND(m, 0x3ac, 2 << 16 | 32, 1, ENTRY);
    SEND(m, 0x2380, 0x800, 0, AUX);
    SEND(m, 0x1694, 15 << 8 | 1);
}

static void begin(struct machine *m) {
    for (uint32_t i = 0; i < END; i += 4)
        if (i < QMD || (i >= TEXTURES && i < CODE) || i >= DATA + 0x2000)
            engine_rig_wr32(m->rig, i, i * 2654435761u);
    for (unsigned i = 0; i < m->class->words; i++)
        put_code(m, i, m->class->program[i]);
    engine_rig_wr32(m->rig, AUX + 0x2a0, DATA);
    engine_rig_wr32(m->rig, AUX + 0x2a8, 0x2000);
    SEND(m, 0x1608, 0, CODE);
    SEND(m, 0x77c, 0xff000000);
    SEND(m, 0x214, 0xfe000000);
    SEND(m, 0x155c, 0, TEXTURES, 31);
    SEND(m, 0x1574, 0, TEXTURES + 0x1000, 31);
    if (m->class->version)
        begin_qmd(m);
    else
        begin_registers(m);
}

/* ---- records ---- */

static uint32_t value(struct input *input) {
    uint32_t shape = (uint32_t)take(input, 1), small = (uint32_t)take(input, 1);
    switch (shape & 7) {
    case 0:
    case 1:
        return small;
    case 2:
        return 1u << (small & 31);
    case 3:
        return small << 4;
    case 4:
        return small << 10;
    case 5:
        return (uint32_t)take(input, 4);
    case 6:
        return small << 16 | shape >> 3;
    default:
        return UINT32_MAX - small;
    }
}

static void set_methods(struct machine *m, struct input *input) {
    uint32_t data[8], pick = (uint32_t)take(input, 1), offset = (uint32_t)take(input, 1);
    uint32_t count = 1 + (uint32_t)take(input, 1) % 8;
    const struct range *range = &ranges[pick % (sizeof ranges / sizeof ranges[0])];
    for (uint32_t i = 0; i < count; i++)
        data[i] = value(input);
    send(m, range->first + offset % range->count * 4, data, count);
}

/* Some bits of a word of a QMD, constants, or textures. */
static void change_memory(struct machine *m, struct input *input) {
    static const uint32_t places[] = {QMD, QMD, QMD, QMD + 0x100, AUX + 0x280, TEXTURES, TEXTURES + 0x1000};
    uint32_t at = places[take(input, 1) % (sizeof places / sizeof places[0])] + (uint32_t)take(input, 1) % 64 * 4;
    uint32_t mask = value(input);
    engine_rig_wr32(m->rig, at, (engine_rig_rd32(m->rig, at) & ~mask) | (value(input) & mask));
}

/* An instruction that is one, with any operands; mostly without a guard, and of registers that there are. */
static void write_instruction(struct machine *m, struct input *input) {
    unsigned number = (unsigned)take(input, 1) % 60;
    const struct isa_row *row = &m->class->rows[take(input, 2) % *m->class->row_count];
    uint64_t word = take(input, 8);
    if (m->class->rows == gm107_rows && number % 4 == 0)
        number++;
    if (number & 1)
        word = m->class->rows == gm107_rows ? (word & ~UINT64_C(0xfe0e0)) | 0x70000
                                            : (word & ~UINT64_C(0x3c3fc00)) | 0x1c00;
    put_code(m, number, (word & ~row->mask) | row->value);
}

static struct {
    uint8_t data[MOST_STATE];
    size_t bytes;
} stream;

static bool collect(void *opaque, const void *data, size_t bytes) {
    (void)opaque;
    if (stream.bytes + bytes > sizeof stream.data)
        return false;
    memcpy(stream.data + stream.bytes, data, bytes);
    stream.bytes += bytes;
    return true;
}

/* Nothing has changed if `spoil` is 0: then it is loaded. */
static void move(struct machine *m, uint32_t at, uint8_t spoil) {
    struct engine_rig *to = m->rig == &m->rigs[0] ? &m->rigs[1] : &m->rigs[0];
    stream.bytes = 0;
    if (engine_save(m->rig->fifo.engines[m->id].engine, collect, NULL, NULL) != PFIFO_OK)
        return;
    require(engine_rig_start(to, m->class->chip));
    for (uint64_t i = 0; i < END; i += 4)
        engine_rig_wr32(to, i, engine_rig_rd32(m->rig, i));
    stream.data[at % stream.bytes] ^= spoil;
    enum pfifo_status status = engine_load(to->fifo.engines[m->id].engine, stream.data, stream.bytes, NULL);
    require(status == PFIFO_OK || spoil);
    if (status != PFIFO_OK) {
        engine_rig_stop(to);
        return;
    }
    engine_rig_stop(m->rig);
    m->rig = to;
}

static void launch(struct machine *m, struct input *input) {
    uint32_t how = (uint32_t)take(input, 1), data = m->class->version ? 3 : 0x1000;
    for (unsigned i = 0; i < SLICES; i++) {
        if (engine_rig_offer(m->rig, m->id, 0, m->class->version ? 0x2bc : 0x368, 4, &data, 1))
            return;
        if (how & 1)
            move(m, (uint32_t)take(input, 4), how & 2 ? (uint8_t)take(input, 1) : 0);
    }
    SEND(m, 0x100, 0); /* the rest is given up */
}

static void (*const operations[])(struct machine *, struct input *) = {
    set_methods, change_memory, launch, write_instruction, write_instruction, change_memory};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input input = {data, size};
    static struct machine m;
    m.class = &classes[take(&input, 1) % (sizeof classes / sizeof classes[0])];
    m.rig = &m.rigs[0];
    require(engine_rig_start(m.rig, m.class->chip));
    m.id = engine_rig_id(m.rig, CHIP_UNIT_PGRAPH);
    require(engine_rig_bind(m.rig, m.id, 0, m.class->object_class));
    begin(&m);
    for (unsigned i = 0; i < RECORDS && input.left > 0; i++)
        operations[take(&input, 1) % (sizeof operations / sizeof operations[0])](&m, &input);
    struct input none = {NULL, 0};
    launch(&m, &none);
    engine_rig_stop(m.rig);
    return 0;
}
