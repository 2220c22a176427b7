/* SPDX-License-Identifier: MIT */
#include "front/draw_rig.h"

#include <string.h>

#include "engine/core/register_file.h"

void put(struct engine_rig *rig, uint64_t address, const uint32_t *words, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        engine_rig_wr32(rig, address + i * 4, words[i]);
}

/* Programs of Maxwell: position and two components go on; these are red and green. A scheduling word before each three.
 */
void draw_put_programs(struct engine_rig *rig) {
    static const uint64_t vertex[] = {0x002b8400e4200701, 0xefd9ff800807ff00, 0xefd8ff800907ff04, 0xeff1ff800707ff00,
                                      0x001f8004fde012e1, 0xeff0ff800807ff04, 0xe30000000007000f, 0xe30000000007000f};
    static const uint64_t fragment[] = {0x003c0801e1a0070d, 0xe003ff87cff7ff00, 0x5080000000470004, 0xe043ff880047ff00,
                                        0x003fbc03e0200722, 0xe043ff884047ff01, 0xe30000000007000f, 0xe30000000007000f};
    uint32_t headers[2][20] = {{[0] = 0x20461, [4] = 0xff000, [6] = 0x3f, [13] = 0x3f000},
                               {[0] = 0x21462, [5] = 0x80000000, [6] = 0xa, [18] = 0xf}};
    put(rig, CODE + HEADER, headers[0], 20);
    put(rig, CODE + FRAGMENT, headers[1], 20);
    for (unsigned i = 0; i < 8; i++) {
        put(rig, CODE + HEADER + 0x50 + i * 8, (uint32_t[]){(uint32_t)vertex[i], (uint32_t)(vertex[i] >> 32)}, 2);
        put(rig, CODE + FRAGMENT + 0x50 + i * 8, (uint32_t[]){(uint32_t)fragment[i], (uint32_t)(fragment[i] >> 32)}, 2);
    }
}

uint32_t bits(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

void put_vertex(struct engine_rig *rig, unsigned number, float x, float y, float red) {
    put(rig, VERTICES + number * STRIDE, (uint32_t[]){bits(x), bits(y), 0, bits(1), bits(red), 0}, 6);
}

unsigned draw_begin_on(struct engine_rig *rig, const char *chip, uint32_t object_class) {
    unsigned id = start(rig, chip, CHIP_UNIT_PGRAPH, object_class);
    draw_put_programs(rig);
    for (unsigned i = 0; i < 4; i++) {
        put_vertex(rig, i, i & 1 ? 0 : -1, i & 2 ? 1 : -1, 1);
        put_vertex(rig, 4 + i, i & 1 ? 1 : 0, i & 2 ? 1 : -1, 0.2f);
    }
    send(rig, id, 0, 0x800, 0, TARGET, WIDTH * 4, WIDTH, 0xd5, 0x1000, 1, 0, 0);
    send(rig, id, 0, 0xff4, WIDTH << 16, WIDTH << 16);
    send(rig, id, 0, 0xc00, WIDTH << 16, WIDTH << 16);
    send(rig, id, 0, 0xa00, bits(32), bits(32), bits(0.5f), bits(32), bits(32), bits(0.5f));
    send(rig, id, 0, 0x193c, 2);
    send(rig, id, 0, 0x1608, 0, CODE);
    send(rig, id, 0, 0x2044, HEADER);
    send(rig, id, 0, 0x2144, FRAGMENT);
    send(rig, id, 0, 0x1160, 1u << 21 | 7u << 27, 4u << 21 | 7u << 27 | 16 << 7);
    send(rig, id, 0, 0x1c00, 1 << 12 | STRIDE, 0, VERTICES);
    send(rig, id, 0, 0x1f00, 0, VERTICES + 0x1fff);
    send(rig, id, 0, 0x17c8, 0, INDICES, 0, INDICES + 0xfff);
    send(rig, id, 0, 0x1514, 1);
    return id;
}

unsigned draw_begin(struct engine_rig *rig) {
    return draw_begin_on(rig, "GM107", 0xb097);
}

void expect_only_draws(const struct engine_rig *rig) {
    assert_int_equal(rig->events, engine_rig_count(rig, EVENT_ENGINE_DRAW) + engine_rig_count(rig, EVENT_ENGINE_READ) +
                                      engine_rig_count(rig, EVENT_ENGINE_WRITE));
}

static struct {
    uint8_t data[1 << 20];
    size_t bytes;
} stream;

static bool collect(void *opaque, const void *data, size_t bytes) {
    (void)opaque;
    assert_true(stream.bytes + bytes <= sizeof stream.data);
    memcpy(stream.data + stream.bytes, data, bytes);
    stream.bytes += bytes;
    return true;
}

void draw_go_on_elsewhere(struct engine_rig *from, struct engine_rig *to, unsigned id) {
    assert_true(engine_rig_start(to, "GM107"));
    for (uint64_t at = 0; at < 0x20000; at += 4)
        engine_rig_wr32(to, at, engine_rig_rd32(from, at));
    stream.bytes = 0;
    assert_int_equal(engine_save(from->fifo.engines[id].engine, collect, NULL, NULL), PFIFO_OK);
    assert_int_equal(engine_load(to->fifo.engines[id].engine, stream.data, stream.bytes, NULL), PFIFO_OK);
    engine_rig_stop(from);
}
