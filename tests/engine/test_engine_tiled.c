/* SPDX-License-Identifier: MIT */
/* Engines work in tiled VRAM as in any other: lines are where addresses say, and only raw VRAM shows the tiles. */
#include "check.h"
#include "reference/tile.h"

#define OBJECT(n) ((uint64_t)(n) << 16)
#define PITCH     0x400u
#define LINES     48u
#define BYTES     0x10000u

/* The host's side of the rig's memory. */
static struct bus host;

static uint32_t pixel(uint32_t line, uint32_t at) {
    return 0x01000000u * line + at;
}

static void set_region(uint32_t limit, uint32_t pitch, uint32_t base) {
    bus_wr32(&host, 0x100244, limit);
    bus_wr32(&host, 0x100248, pitch);
    bus_wr32(&host, 0x100240, base);
}

static uint32_t cpu_rd32(uint64_t address) {
    uint8_t bytes[4];
    bus_bar_read(&host, 1, address, bytes, sizeof bytes);
    return load_le32(bytes);
}

/* NV40 with object 2 in a region of its own: two partitions, tiles of 4 KiB, that is 16 lines. */
static unsigned start_tiled(struct engine_rig *rig) {
    unsigned id = start(rig, "NV40", CHIP_UNIT_PGRAPH, 0x0039);
    assert_int_equal(bus_init(&host, rig->fifo.chip, &rig->memory, NULL, NULL, NULL), PFIFO_OK);
    bus_wr32(&host, 0x100200, 1);
    bus_wr32(&host, 0x100204, 8 << 12);
    set_region(0x2ffff, PITCH, 0x20001);
    for (uint32_t line = 0; line < LINES; line++)
        for (uint32_t at = 0; at < PITCH; at += 4)
            engine_rig_wr32(rig, OBJECT(1) + (uint64_t)line * PITCH + at, pixel(line, at));
    send(rig, id, 0, 0x180, 7, 1, 2);
    send(rig, id, 0, 0x30c, 0, 0, PITCH, PITCH, PITCH, LINES, 0x101, 0);
    return id;
}

static void the_cpu_sees_lines_that_m2mf_copied_into_a_region(void **state) {
    (void)state;
    struct engine_rig rig;
    static const struct reference_tiles tiles = {ORDER_NV40, 1 << 12, 2, 8, .pitch = PITCH};
    uint32_t seen[BYTES / 16];
    start_tiled(&rig);
    for (uint32_t line = 0; line < LINES; line++)
        for (uint32_t at = 0; at < PITCH; at += 4)
            assert_int_equal(cpu_rd32(OBJECT(2) + (uint64_t)line * PITCH + at), pixel(line, at));
    set_region(0, 0, 0);
    assert_int_equal(reference_tiles(&tiles, BYTES, seen), BYTES / PITCH);
    for (uint32_t raw = 0; raw < BYTES; raw += 4) {
        uint32_t line = seen[raw / 16] * 16 / PITCH, at = seen[raw / 16] * 16 % PITCH + raw % 16;
        assert_int_equal(cpu_rd32(OBJECT(2) + raw), line < LINES ? pixel(line, at) : 0);
    }
    bus_free(&host);
    engine_rig_stop(&rig);
}

static void m2mf_reads_raw_vram_through_a_region_as_the_cpu_does(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_tiled(&rig);
    set_region(0x2ffff, 0x600, 0x20021); /* the same tiles, seen as other lines */
    send(&rig, id, 0, 0x184, 2, 3);
    send(&rig, id, 0, 0x30c, 0, 0, PITCH, PITCH, PITCH, LINES, 0x101, 0);
    unsigned differ = 0;
    for (uint32_t at = 0; at < LINES * PITCH; at += 4) {
        assert_int_equal(engine_rig_rd32(&rig, OBJECT(3) + at), cpu_rd32(OBJECT(2) + at));
        differ += engine_rig_rd32(&rig, OBJECT(3) + at) != pixel(at / PITCH, at % PITCH);
    }
    assert_true(differ > LINES * PITCH / 8);
    bus_free(&host);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cpu_sees_lines_that_m2mf_copied_into_a_region),
        cmocka_unit_test(m2mf_reads_raw_vram_through_a_region_as_the_cpu_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
