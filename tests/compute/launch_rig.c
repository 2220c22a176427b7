/* SPDX-License-Identifier: MIT */
#include "compute/launch_rig.h"

#include <string.h>

#include "engine/core/register_file.h"

#include "compute/programs.inc"

#define SUM(words) (words), sizeof(words) / sizeof((words)[0])
#define KEPLER     {384, 416, 432}, 1440, 928, 0, 202
#define PASCAL     {384, 416, 448}, 928, 1024, 4

const struct launch_class launch_classes[] = {
    {"GM107", 0xb0c0, SUM(gm107_sum), 0x17, KEPLER, 205, 160},
    {"GF100", 0x90c0, SUM(gf100_sum), 0},
    {"GK104", 0xa0c0, SUM(gk104_sum), 0x17, KEPLER, 205, 160},
    {"GK104", 0xa0c0, SUM(gk104_sum), 0x00, KEPLER},
    {"GK20A", 0xa0c0, SUM(gk110_sum), 0x06, KEPLER}, /* SM 3.2 */
    {"GK110", 0xa1c0, SUM(gk110_sum), 0x06, KEPLER},
    {"GM20B", 0xb1c0, SUM(gm107_sum), 0x17, KEPLER, 205, 160},
    {"GP100", 0xc0c0, SUM(gm107_sum), 0x20, PASCAL, 202, 205, 160},
    {"GP102", 0xc1c0, SUM(gm107_sum), 0x21, PASCAL, 138, 141, 480},
};
const unsigned launch_class_count = sizeof launch_classes / sizeof launch_classes[0];

const struct launch_class *launch_gm107(void) {
    return &launch_classes[0];
}

#define RIG               (&launch->rig)
#define SEND(method, ...) send(RIG, launch->id, 0, method, __VA_ARGS__)

void launch_set(struct launch *launch, uint32_t qmd, unsigned bit, unsigned width, uint32_t value) {
    for (unsigned i = 0; i < width; i++) {
        uint64_t at = qmd + (bit + i) / 32 * 4;
        uint32_t mask = 1u << (bit + i) % 32, word = engine_rig_rd32(RIG, at);
        engine_rig_wr32(RIG, at, value >> i & 1 ? word | mask : word & ~mask);
    }
}

static void bind(struct launch *launch, unsigned bank, uint32_t address, uint32_t bytes) {
    if (!launch->of->local) {
        SEND(0x2380, bytes, 0, address);
        SEND(0x1694, bank << 8 | 1);
        return;
    }
    unsigned at = launch->of->constants + 64 * bank;
    launch_set(launch, QMD, 640 + bank, 1, 1);
    launch_set(launch, QMD, at, 32, address);
    launch_set(launch, QMD, at + (launch->of->size_shift ? 51 : 47), launch->of->size_shift ? 13 : 17,
               bytes >> launch->of->size_shift);
}

/* Mesa's place for the driver's constants: bank 15 on Fermi, 7 on the others. */
void launch_begin(struct launch *launch, const struct launch_class *of) {
    launch->of = of;
    launch->id = start(RIG, of->chip, CHIP_UNIT_PGRAPH, of->object_class);
    launch_program(launch, of->sum, of->sum_words);
    SEND(0x1608, 0, CODE);
    SEND(0x77c, (uint32_t)LOCAL_WINDOW << 24);
    SEND(0x214, (uint32_t)SHARED_WINDOW << 24);
    if (of->local) {
        SEND(0x2b4, QMD >> 8);
        launch_set(launch, QMD, 576, 8, of->version);
        launch_set(launch, QMD, 256, 32, ENTRY);
    } else {
        SEND(0x3b4, ENTRY);
    }
    bind(launch, 0, USER, 0x100);
    bind(launch, of->local ? 7 : 15, AUX, AUX_BYTES);
    engine_rig_wr32(RIG, AUX + 0x2a0, DATA);
    engine_rig_wr32(RIG, AUX + 0x2a8, DATA_BYTES);
    launch_size(launch, 1, 1, 1, 1, 1, 1);
    launch_registers(launch, 16);
}

void launch_end(struct launch *launch) {
    engine_rig_stop(RIG);
}

void launch_program(struct launch *launch, const uint64_t *words, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        engine_rig_wr32(RIG, CODE + ENTRY + 8 * i, (uint32_t)words[i]);
        engine_rig_wr32(RIG, CODE + ENTRY + 8 * i + 4, (uint32_t)(words[i] >> 32));
    }
}

void launch_gm107_program(struct launch *launch, const uint64_t *instructions, unsigned count) {
    uint64_t words[96] = {0};
    unsigned at = 0;
    assert_true(count <= 60);
    for (unsigned i = 0; i <= count; i++) {
        at += at % 4 == 0;
        words[at++] = i < count ? instructions[i] : GM107_EXIT;
    }
    launch_program(launch, words, at);
}

void launch_size(struct launch *launch, uint32_t x, uint32_t y, uint32_t z, uint32_t tx, uint32_t ty, uint32_t tz) {
    if (!launch->of->local) {
        SEND(0x238, y << 16 | x, z);
        SEND(0x3ac, ty << 16 | tx, tz);
        return;
    }
    launch_set(launch, QMD, launch->of->grid[0], 32, x);
    launch_set(launch, QMD, launch->of->grid[1], 16, y);
    launch_set(launch, QMD, launch->of->grid[2], 16, z);
    launch_set(launch, QMD, 592, 16, tx);
    launch_set(launch, QMD, 608, 16, ty);
    launch_set(launch, QMD, 624, 16, tz);
}

void launch_memory(struct launch *launch, uint32_t shared, uint32_t local) {
    if (!launch->of->local) {
        SEND(0x24c, shared);
        SEND(0x204, local, 0);
        return;
    }
    launch_set(launch, QMD, 544, 18, shared);
    launch_set(launch, QMD, launch->of->local, 24, local);
}

void launch_registers(struct launch *launch, uint32_t count) {
    if (launch->of->local)
        launch_set(launch, QMD, launch->of->local + 56, 8, count);
    else
        SEND(0x2c0, count);
}

void launch_run(struct launch *launch) {
    for (unsigned slices = 0; !launch_slice(launch); slices++)
        assert_true(slices < 100000);
}

bool launch_slice(struct launch *launch) {
    uint32_t data = launch->of->local ? 3 : 0x1000;
    return engine_rig_offer(RIG, launch->id, 0, launch->of->local ? 0x2bc : 0x368, 4, &data, 1);
}

uint32_t launch_word(struct launch *launch, unsigned word) {
    return engine_rig_rd32(RIG, DATA + 4 * word);
}

static bool collect(void *opaque, const void *data, size_t bytes) {
    struct launch_state *state = opaque;
    assert_true(state->bytes + bytes <= state->room);
    memcpy(state->data + state->bytes, data, bytes);
    state->bytes += bytes;
    return true;
}

void launch_save(const struct launch *launch, struct launch_state *state) {
    state->bytes = 0;
    assert_int_equal(engine_save(launch->rig.fifo.engines[launch->id].engine, collect, state, NULL), PFIFO_OK);
}

void launch_move(struct launch *from, struct launch *to) {
    static uint8_t room[4 << 20];
    struct launch_state state = {.data = room, .room = sizeof room};
    to->of = from->of;
    to->id = from->id;
    assert_true(engine_rig_start(&to->rig, from->of->chip));
    engine_rig_observe(&to->rig, "engine.*");
    for (uint64_t at = 0; at < 0x20000; at += 4)
        engine_rig_wr32(&to->rig, at, engine_rig_rd32(&from->rig, at));
    launch_save(from, &state);
    assert_int_equal(engine_load(to->rig.fifo.engines[to->id].engine, state.data, state.bytes, NULL), PFIFO_OK);
    engine_rig_stop(&from->rig);
}
