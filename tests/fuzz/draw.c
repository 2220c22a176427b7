/* SPDX-License-Identifier: MIT */
/*
 * Draws with any state, programs, textures and vertices, from a state that draws. Nothing may be hurt, and each call
 * ends soon. Half of the memory holds noise; what lies after it faults.
 *
 *   byte 0   class; bit 7: multisampled, bit 6: depth
 *   then     records: operation, operands
 */
#include "engine/rig.h"
#include "front/patch_programs.h"
#include "fuzz/input.h"
#include "isa/shader/gf100_rows.h"
#include "isa/shader/gm107_rows.h"

#define RECORDS   48
#define MAX_WORDS 24
#define TRIES     3 /* slices of a draw */
#define WIDTH     64u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    CONSTANTS = 0x1000,
    VERTICES = 0x2000,
    INDICES = 0x4000,
    SAMPLERS = 0x6000,
    HEADERS = 0x7000,
    CODE = 0x8000,
    TARGET = 0x10000,
    ZETA = 0x20000,
    TEXELS = 0x30000,
    FEEDBACK = 0x38000,
    VERTEX = 0x30,    /* programs, from CODE on */
    FRAGMENT = 0x130, /* a header of 0x50 bytes comes first */
    CONTROL = 0x230,
    EVALUATION = 0x4d0,
    GEOMETRY = 0xb30,
    GEOMETRY_WORDS = 32,
    HEADER = 0x50,
    STRIDE = 24,
};

struct program {
    uint64_t vertex[8], fragment[8];
};

/* Position and two components go on; these are red and green. */
static const struct program maxwell = {{0x002b8400e4200701, 0xefd9ff800807ff00, 0xefd8ff800907ff04, 0xeff1ff800707ff00,
                                        0x001f8004fde012e1, 0xeff0ff800807ff04, 0xe30000000007000f, 0xe30000000007000f},
                                       {0x003c0801e1a0070d, 0xe003ff87cff7ff00, 0x5080000000470004, 0xe043ff880047ff00,
                                        0x003fbc03e0200722, 0xe043ff884047ff01, 0xe30000000007000f,
                                        0xe30000000007000f}};
static const struct program fermi = {{0x06000080fff01c66, 0x06000090fff11c26, 0x0a7e007003f01c66, 0x0a7e008013f01c26,
                                      0x8000000000001de7, 0x8000000000001de7, 0x8000000000001de7, 0x8000000000001de7},
                                     {0xc07e0080fc001c40, 0xc07e0084fc005c40, 0x8000000000001de7, 0x8000000000001de7,
                                      0x8000000000001de7, 0x8000000000001de7, 0x8000000000001de7, 0x8000000000001de7}};

static const struct class {
    const char *chip;
    uint32_t object_class;
    const struct program *program;
    const struct patch_programs *patches;
    const struct isa_row *rows;
    const size_t *row_count;
} classes[] = {{"GM107", 0xb097, &maxwell, &patch_maxwell, gm107_rows, &gm107_row_count},
               {"GF100", 0x9097, &fermi, &patch_fermi, fermi_rows, &fermi_row_count},
               {"GP102", 0xc197, &maxwell, &patch_maxwell, gm107_rows, &gm107_row_count}};

struct machine {
    struct engine_rig rig;
    const struct class *class;
    unsigned id;
};

/* Methods that say what is drawn, in ranges of words. */
static const struct range {
    uint16_t first, count;
} ranges[] = {
    {0x800, 64},  {0xfe0, 5},   {0x1228, 3},  {0x1538, 1},  {0x121c, 1},  {0x15d0, 1},  {0xa00, 16}, {0xc00, 8},
    {0xe00, 6},   {0xd00, 16},  {0xdac, 8},   {0x193c, 8},  {0x12cc, 16}, {0x1340, 40}, {0x1390, 8}, {0x1e00, 16},
    {0x1510, 8},  {0x1160, 32}, {0x1c00, 8},  {0x1f00, 4},  {0x17c8, 6},  {0x1434, 2},  {0x1644, 3}, {0x1880, 4},
    {0x2000, 8},  {0x2040, 8},  {0x2140, 8},  {0x2080, 4},  {0x20c0, 4},  {0x320, 7},   {0xdcc, 1},  {0x1608, 2},
    {0x155c, 3},  {0x1574, 3},  {0x2380, 12}, {0x2410, 40}, {0x2400, 8},  {0x1234, 1},  {0xf10, 1},  {0x1570, 1},
    {0x13b0, 2},  {0x166c, 1},  {0x1680, 4},  {0x1700, 32}, {0x1604, 1},  {0x1518, 3},  {0x1658, 2}, {0x1910, 6},
    {0x1918, 4},  {0x156c, 1},  {0x15bc, 1},  {0x187c, 1},  {0x1534, 1},  {0x11e0, 8},  {0x754, 1},  {0x210, 1},
    {0xfac, 1},   {0x37c, 1},   {0x15cc, 1},  {0x13ac, 1},  {0xdf8, 2},   {0x1950, 1},  {0x3e0, 4},  {0x19c4, 2},
    {0x15e4, 1},  {0x1684, 2},  {0x114c, 6},  {0x790, 5},   {0x77c, 1},   {0x1d3c, 1},  {0x1940, 1}, {0x1948, 1},
    {0x1970, 1},  {0x1300, 1},  {0x15ec, 1},  {0x21c, 1},   {0x1698, 1},  {0x1550, 3},  {0x1b00, 4}, {0x155c, 30},
    {0x1900, 20}, {0xd60, 30},  {0x200, 64},  {0x1100, 60}, {0x12b0, 60}, {0xf80, 60},  {0x380, 32}, {0x700, 18},
    {0x2800, 40}, {0x1318, 1},  {0x13a4, 1},  {0x2100, 4},  {0x740, 1},
};

static uint32_t bits(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* What is not taken after a few slices is given up. */
static void send(struct machine *m, uint32_t method, unsigned step, const uint32_t *data, uint32_t count) {
    uint32_t at = 0;
    for (unsigned tries = TRIES; at < count && tries > 0;) {
        uint32_t taken = engine_rig_offer(&m->rig, m->id, 0, method + at * step, step, data + at, count - at);
        require(taken <= count - at);
        at += taken;
        tries -= taken == 0;
    }
}

#define VALUES(...)                                                                                                    \
    (const uint32_t[]) {                                                                                               \
        __VA_ARGS__                                                                                                    \
    }
#define SEND(m, method, ...) send(m, method, 4, VALUES(__VA_ARGS__), sizeof(VALUES(__VA_ARGS__)) / 4)

static void put(struct machine *m, uint64_t address, const uint32_t *words, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        engine_rig_wr32(&m->rig, address + i * (uint64_t)4, words[i]);
}

static void put_code(struct machine *m, uint64_t address, uint64_t word) {
    put(m, address, VALUES((uint32_t)word, (uint32_t)(word >> 32)), 2);
}

/* ---- a state that draws ---- */

static void put_programs(struct machine *m) {
    static const uint32_t headers[2][20] = {{[0] = 0x20461, [4] = 0xff000, [6] = 0x3f, [13] = 0x3f000},
                                            {[0] = 0x21462, [5] = 0x80000000, [6] = 0xa, [18] = 0xf}};
    put(m, CODE + VERTEX, headers[0], 20);
    put(m, CODE + FRAGMENT, headers[1], 20);
    for (unsigned i = 0; i < 8; i++) {
        put_code(m, CODE + VERTEX + HEADER + i * 8, m->class->program->vertex[i]);
        put_code(m, CODE + FRAGMENT + HEADER + i * 8, m->class->program->fragment[i]);
    }
    put(m, CODE + CONTROL, patch_headers[0], 20);
    put(m, CODE + EVALUATION, patch_headers[1], 20);
    for (unsigned i = 0; i < PATCH_PROGRAM_WORDS; i++) {
        put_code(m, CODE + CONTROL + HEADER + i * 8, m->class->patches->control[i]);
        put_code(m, CODE + EVALUATION + HEADER + i * 8, m->class->patches->evaluation[i]);
    }
}

/*
 * Three vertices go on, with a word for the scheduler before each three instructions: MOV32I, ALD.128, AST.128, OUT. On
 * Fermi it emits what records write there.
 */
static void put_geometry(struct machine *m) {
    static const uint32_t header[20] = {
        [0] = 0x21061, [2] = 2u << 24, [3] = 7u << 24, [4] = 0xff000 | 40, [5] = 0xf1000000, [13] = 0xf700};
    const uint64_t exit = m->class->program == &maxwell ? 0xe30000000007000f : 0x8000000000001de7;
    put(m, CODE + GEOMETRY, header, 20);
    for (unsigned i = 0; i < GEOMETRY_WORDS; i++) {
        const unsigned step = i - i / 4 - 1;
        const uint64_t words[] = {0x010000000007f000 | (uint64_t)(step / 4) << 20, 0xefd980000707ff04,
                                  0xeff1ff800707ff04, 0xf6e000800007ffff};
        uint64_t word = i % 4 == 0 ? 0x001f8000fc0007e0 : step < 12 ? words[step % 4] : exit;
        put_code(m, CODE + GEOMETRY + HEADER + i * 8, m->class->program == &maxwell ? word : exit);
    }
}

static void put_memory(struct machine *m) {
    for (uint32_t i = 0; i < TEXELS; i += 4) {
        bool free = i < VERTICES || (i >= SAMPLERS && i < CODE) || i >= TARGET;
        if (free)
            engine_rig_wr32(&m->rig, i, i * 2654435761u);
    }
    for (uint32_t i = 0; i < 64; i++) {
        float x = i & 1 ? 1 : -1, y = i & 2 ? 1 : -1;
        put(m, VERTICES + i * STRIDE, VALUES(bits(x), bits(y), bits((float)i / 64), bits(1), bits(1), 0), 6);
        engine_rig_wr32(&m->rig, INDICES + i * 4, i);
    }
}

/* Buffers that have room; nothing is written to them before it is switched on. */
static void begin_feedback(struct machine *m) {
    for (uint32_t b = 0; b < 4; b++) {
        SEND(m, 0x380 + 32 * b, b < 2, 0, FEEDBACK + b * 0x1000, 0x1000, 0);
        SEND(m, 0x700 + 16 * b, 0, 4, 16);
        SEND(m, 0x2800 + 128 * b, 0x21ff1d1c);
    }
}

static void begin_state(struct machine *m, uint32_t options) {
    SEND(m, 0x800, 0, TARGET, WIDTH * 4, WIDTH, 0xd5, 0x1000, 1, 0, 0);
    SEND(m, 0xff4, WIDTH << 16, WIDTH << 16);
    SEND(m, 0xc00, WIDTH << 16, WIDTH << 16);
    SEND(m, 0xa00, bits(32), bits(32), bits(0.5f), bits(32), bits(32), bits(0.5f));
    SEND(m, 0x193c, 2);
    SEND(m, 0x1608, 0, CODE);
    SEND(m, 0x2044, VERTEX);
    SEND(m, 0x2144, FRAGMENT);
    SEND(m, 0x2080, options & 1 ? 0x20 : 0x21, CONTROL);
    SEND(m, 0x20c0, 0x31, EVALUATION);
    SEND(m, 0x2100, options & 2 ? 0x41 : 0x40, GEOMETRY);
    SEND(m, 0x320, 0x202);
    SEND(m, 0x324, bits(3), bits(2), bits(3), bits(1), bits(4), bits(2));
    SEND(m, 0xdcc, 4);
    SEND(m, 0x1160, 1u << 21 | 7u << 27, 4u << 21 | 7u << 27 | 16 << 7);
    SEND(m, 0x1c00, 1 << 12 | STRIDE, 0, VERTICES);
    SEND(m, 0x1f00, 0, VERTICES + 0x1fff);
    SEND(m, 0x17c8, 0, INDICES, 0, INDICES + 0xfff);
    SEND(m, 0x155c, 0, SAMPLERS, 31);
    SEND(m, 0x1574, 0, HEADERS, 31);
    SEND(m, 0x2380, 0x1000, 0, CONSTANTS);
    SEND(m, 0x2410, 0x11);
    SEND(m, 0x2490, 0x11);
    SEND(m, 0x1514, 1);
    begin_feedback(m);
    if (options & 0x80)
        SEND(m, 0x15d0, 2);
    if (options & 0x40) {
        SEND(m, 0xfe0, 0, ZETA, 0xa, 0, 0);
        SEND(m, 0x1228, WIDTH, WIDTH, 1);
        SEND(m, 0x1538, 1);
        SEND(m, 0x12cc, 1);
    }
}

/* ---- records ---- */

static uint32_t value(struct input *input) {
    uint32_t shape = take(input, 1), small = take(input, 1);
    switch (shape & 7) {
    case 0:
    case 1:
        return small;
    case 2:
        return 1u << (small & 31);
    case 3:
        return bits((float)(int8_t)small);
    case 4:
        return small << 10;
    case 5:
        return (uint32_t)take(input, 4);
    case 6:
        return small << 16 | shape >> 3;
    default:
        return small & 1 ? 0x7f800000u + (small & 2) * 0x3000000u : 0xffffffffu - (small >> 2);
    }
}

static void set_methods(struct machine *m, struct input *input) {
    uint32_t data[MAX_WORDS], pick = take(input, 1), offset = take(input, 1), count = 1 + take(input, 1) % 8;
    const struct range *range = &ranges[pick % (sizeof ranges / sizeof ranges[0])];
    for (uint32_t i = 0; i < count; i++)
        data[i] = value(input);
    send(m, range->first + offset % range->count * 4, 4, data, count);
}

static void write_memory(struct machine *m, struct input *input) {
    static const uint32_t places[] = {CONSTANTS,     VERTICES, INDICES,         SAMPLERS, HEADERS,
                                      CODE + VERTEX, HEADERS,  CODE + FRAGMENT, TEXELS,   CODE + GEOMETRY};
    uint32_t place = places[take(input, 1) % (sizeof places / sizeof places[0])];
    uint32_t offset = take(input, 1), count = 1 + take(input, 1) % 8;
    for (uint32_t i = 0; i < count; i++)
        engine_rig_wr32(&m->rig, place + (offset + i) * 4, value(input));
}

/* An instruction that is one, with any operands. */
static void write_instruction(struct machine *m, struct input *input) {
    uint32_t where = take(input, 1);
    const struct isa_row *row = &m->class->rows[take(input, 2) % *m->class->row_count];
    uint64_t word = (take(input, 8) & ~row->mask) | row->value;
    unsigned number = where >> 1 & 7;
    if (m->class->program == &maxwell && number % 4 == 0)
        number++;
    if (where & 0x40) /* always, and of low registers */
        word = m->class->program == &maxwell ? (word & ~UINT64_C(0xfc0fc)) | 0x70000
                                             : (word & ~UINT64_C(0x3c3fc00)) | 0x1c00;
    word = (word & ~row->mask) | row->value;
    if (where & 0x80)
        put_code(m, CODE + GEOMETRY + HEADER + (where & 15) * 8, word);
    else if (where & 0x20)
        put_code(m, CODE + (where & 1 ? CONTROL : EVALUATION) + HEADER + (where >> 1 & 15) * 8, word);
    else
        put_code(m, CODE + (where & 1 ? VERTEX : FRAGMENT) + HEADER + number * 8, word);
    SEND(m, 0x21c, 1);
}

static void draw(struct machine *m, struct input *input) {
    uint32_t topology = take(input, 1), kind = take(input, 1), count = 1 + take(input, 1) % 70;
    SEND(m, 0x1618, (topology & 15) | (topology >> 4 & 3) << 26);
    switch (kind & 7) {
    case 0:
    case 1:
    case 2:
        SEND(m, 0xd74, kind >> 3);
        SEND(m, 0xd78, count);
        break;
    case 3:
        SEND(m, 0x17d8, kind >> 3 & 3);
        SEND(m, 0x17dc, kind >> 5);
        SEND(m, 0x17e0, count);
        break;
    case 4:
        SEND(m, 0x15e8, count);
        SEND(m, 0x15f0, value(input));
        SEND(m, 0x1304, value(input));
        break;
    case 5:
        SEND(m, 0x744, kind >> 3 & 1);
        if (kind & 0x10)
            SEND(m, 0x123c, count << 4);
        else
            SEND(m, 0x304, count);
        break;
    case 6:
        SEND(m, 0x17e4 + kind % 6 * 4, (topology & 15) << 28 | count << 16);
        break;
    default:
        SEND(m, 0x1214, (topology & 15) << 28 | count << 16 | kind >> 3);
        break;
    }
    SEND(m, 0x1614, 0);
}

static void records(struct machine *m, struct input *input) {
    for (unsigned i = 0; i < RECORDS && input->left > 0; i++) {
        switch (take(input, 1) % 8) {
        case 0:
        case 1:
        case 2:
            set_methods(m, input);
            break;
        case 3:
            write_memory(m, input);
            break;
        case 4:
        case 5:
            write_instruction(m, input);
            break;
        default:
            draw(m, input);
            break;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct machine machine; /* too large for the stack of some systems; set up anew each time */
    struct machine *m = &machine;
    struct input input = {data, size};
    memset(m, 0, sizeof *m);
    uint32_t options = take(&input, 1);
    m->class = &classes[(options & 0x3f) % (sizeof classes / sizeof classes[0])];
    if (engine_rig_start(&m->rig, m->class->chip)) {
        m->id = engine_rig_id(&m->rig, CHIP_UNIT_PGRAPH);
        if (engine_rig_bind(&m->rig, m->id, 0, m->class->object_class)) {
            put_memory(m);
            put_programs(m);
            put_geometry(m);
            begin_state(m, options);
            records(m, &input);
            draw(m, &input);
        }
    }
    engine_rig_stop(&m->rig);
    return 0;
}
