/* SPDX-License-Identifier: MIT */
/*
 * Large rectangles of block-linear surfaces: as long as one is under way, rows of blocks are done or not done, since a
 * part of one costs as much as all of it. What a whole rectangle comes to is looked at elsewhere.
 */
#include "driver/rig.h"

#include <stdlib.h>

#define WIDTH       4096u /* pixels: 64 lines are a slice */
#define PITCH       (4 * WIDTH)
#define LINES       512u
#define BYTES       (PITCH * LINES)
#define BLOCK_LINES 128u
#define BLOCK       0x40u
#define FIRST       40u /* line of the rectangle, and after its last */
#define END         472u
#define COLOR       0xff4080bfu
#define FORMAT      0xcfu
#define DEPTH       0x3f000000u

enum { SUBCHANNEL_3D = 0, SUBCHANNEL_2D = 3, SUBCHANNEL_COPY = 4 };

static struct bench {
    struct rig rig;
    struct pfifo_channel *channel;
    struct pfifo_buffer *push, *from, *to;
    struct words words;
} bench;

static void methods(uint32_t subchannel, uint32_t method, const uint32_t *data, uint32_t count) {
    words_header(&bench.words, subchannel, method, count);
    for (uint32_t i = 0; i < count; i++)
        words_add(&bench.words, data[i]);
}

#define METHODS(subchannel, first, ...)                                                                                \
    methods(subchannel, first, (const uint32_t[]){__VA_ARGS__}, COUNT_OF(((const uint32_t[]){__VA_ARGS__})))

#define AT(buffer) (uint32_t)(pfifo_buffer_address(buffer) >> 32), (uint32_t)pfifo_buffer_address(buffer)

/* All of it has the colour. */
static void write_all(struct pfifo_buffer *buffer, uint32_t color) {
    uint32_t *pixels = malloc(BYTES);
    assert_non_null(pixels);
    for (size_t i = 0; i < BYTES / 4; i++)
        pixels[i] = color;
    assert_true(pfifo_buffer_write(buffer, 0, pixels, BYTES));
    free(pixels);
}

static void open_bench(void) {
    const struct part *part = parts;
    while (strcmp(part->chip, "GM107") != 0)
        part++;
    memset(&bench, 0, sizeof bench);
    rig_open(&bench.rig, part);
    bench.channel = rig_channel(&bench.rig, PFIFO_CHANNEL_DEFAULT, 0);
    bench.push = rig_push_buffer(&bench.rig);
    bench.from = rig_buffer(&bench.rig, PFIFO_VRAM, BYTES, 0);
    bench.to = rig_buffer(&bench.rig, PFIFO_VRAM, BYTES, 0);
    write_all(bench.from, COLOR);
    write_all(bench.to, 0);
    bench.words = words_for(&bench.rig, PFIFO_CHANNEL_DEFAULT);
    METHODS(SUBCHANNEL_3D, 0, 0xb097);
    METHODS(SUBCHANNEL_2D, 0, 0x902d);
    METHODS(SUBCHANNEL_COPY, 0, 0xb0b5);
}

/* ---- what fills the rectangle ---- */

static void surface_2d(uint32_t first, struct pfifo_buffer *buffer, bool pitch) {
    METHODS(SUBCHANNEL_2D, first, FORMAT, pitch, BLOCK, 1);
    METHODS(SUBCHANNEL_2D, first + 0x14, PITCH, WIDTH, LINES, AT(buffer));
}

static void fill(void) {
    surface_2d(0x200, bench.to, false);
    METHODS(SUBCHANNEL_2D, 0x2ac, 3);
    METHODS(SUBCHANNEL_2D, 0x580, 4, FORMAT, COLOR);
    METHODS(SUBCHANNEL_2D, 0x600, 0, FIRST, WIDTH, END);
}

static void blit(uint32_t direction) {
    surface_2d(0x200, bench.to, false);
    surface_2d(0x230, bench.from, true);
    METHODS(SUBCHANNEL_2D, 0x2ac, 3);
    METHODS(SUBCHANNEL_2D, 0x2e0, direction);
    METHODS(SUBCHANNEL_2D, 0x88c, 0);
    METHODS(SUBCHANNEL_2D, 0x8b0, 0, FIRST, WIDTH, END - FIRST, 0, 1, 0, 1, 0, 0, 0, 0);
}

static void blit_down(void) {
    blit(0x11);
}

static void blit_up(void) {
    blit(0x22);
}

static void clear_area(void) {
    METHODS(SUBCHANNEL_3D, 0xff4, WIDTH << 16, (END - FIRST) << 16 | FIRST);
    METHODS(SUBCHANNEL_3D, 0x121c, 1);
    METHODS(SUBCHANNEL_3D, 0x1558, 1);
    METHODS(SUBCHANNEL_3D, 0x10f8, 0);
    METHODS(SUBCHANNEL_3D, 0xd80, 0x3e800000, 0x3f000000, 0x3f400000, 0x3f800000);
}

static void clear(void) {
    METHODS(SUBCHANNEL_3D, 0x800, AT(bench.to), WIDTH, LINES, FORMAT, BLOCK, 1, 0, 0);
    clear_area();
    METHODS(SUBCHANNEL_3D, 0x19d0, 0x3c);
}

/* Colours, which have a pitch, and then depth: the slices begin anywhere in it. */
static void clear_depth(void) {
    METHODS(SUBCHANNEL_3D, 0x800, AT(bench.from), PITCH, LINES, FORMAT, 1 << 12, 1, 0, 0);
    METHODS(SUBCHANNEL_3D, 0xfe0, AT(bench.to), 0xa, BLOCK, 0);
    METHODS(SUBCHANNEL_3D, 0x1228, WIDTH, LINES, 1);
    METHODS(SUBCHANNEL_3D, 0x1538, 1);
    METHODS(SUBCHANNEL_3D, 0xd90, DEPTH);
    clear_area();
    METHODS(SUBCHANNEL_3D, 0x19d0, 0x3d);
}

static void copy(void) {
    METHODS(SUBCHANNEL_COPY, 0x400, AT(bench.from), AT(bench.to), PITCH, PITCH, PITCH, END - FIRST);
    METHODS(SUBCHANNEL_COPY, 0x70c, BLOCK | 0x1000, PITCH, LINES, 1, 0, FIRST << 16);
    METHODS(SUBCHANNEL_COPY, 0x300, 0x282); /* lines, from a pitch */
}

static void copy_fill(void) {
    METHODS(SUBCHANNEL_COPY, 0x400, AT(bench.from), AT(bench.to), PITCH, PITCH, WIDTH, END - FIRST);
    METHODS(SUBCHANNEL_COPY, 0x700, COLOR, 0, 0x00030004);
    METHODS(SUBCHANNEL_COPY, 0x70c, BLOCK | 0x1000, WIDTH, LINES, 1, 0, FIRST << 16);
    METHODS(SUBCHANNEL_COPY, 0x300, 0x682); /* a component that is a constant */
}

static const struct draw {
    const char *name;
    void (*make)(void);
    bool upwards;
    uint32_t value; /* that it leaves */
} draws[] = {{"fill", fill, false, COLOR},
             {"blit", blit_down, false, COLOR},
             {"blit upwards", blit_up, true, COLOR},
             {"clear", clear, false, COLOR},
             {"clear of depth", clear_depth, false, DEPTH},
             {"copy", copy, false, COLOR},
             {"copy engine's fill", copy_fill, false, COLOR}};

/* ---- what it comes to ---- */

/* The first pixel of a line, in blocks of a gob by 16. */
static bool is_done(const struct draw *draw, uint32_t y) {
    uint64_t offset = (uint64_t)(y / BLOCK_LINES) * BLOCK_LINES * PITCH + y % BLOCK_LINES / 8 * 512;
    return rig_read(bench.to, offset + (y & 1) * 16 + (y & 6) * 32) == draw->value;
}

/* How many lines are done: they are the first or the last ones. Returns the line between them and the others. */
static uint32_t edge(const struct draw *draw) {
    uint32_t lines = 0;
    for (uint32_t y = 0; y < LINES; y++)
        lines += is_done(draw, y);
    uint32_t between = draw->upwards ? END - lines : FIRST + lines;
    for (uint32_t y = 0; y < LINES; y++)
        assert_int_equal(is_done(draw, y), draw->upwards ? y >= between && y < END : y >= FIRST && y < between);
    return between;
}

static void rows_of_blocks_are_done_at_once(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(draws); i++) {
        open_bench();
        draws[i].make();
        words_submit(&bench.words, &bench.rig, bench.channel, bench.push, 0);
        struct pfifo_gpu *gpu = pfifo_device_gpu(bench.rig.device);
        uint32_t line = draws[i].upwards ? END : FIRST, last = draws[i].upwards ? FIRST : END, parts_done = 0;
        for (enum pfifo_stop stop = PFIFO_STOP_BUDGET; stop == PFIFO_STOP_BUDGET;) {
            stop = pfifo_gpu_run(gpu, 1);
            uint32_t now = edge(&draws[i]);
            if (now % BLOCK_LINES != 0 && now != line && now != last)
                fail_msg("%s: ends within blocks, at line %u", draws[i].name, (unsigned)now);
            parts_done += now != line;
            line = now;
        }
        assert_int_equal(line, last);
        assert_int_equal(parts_done, 4);
        assert_int_equal(bench.rig.fault_count, 0);
        rig_close(&bench.rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_blocks_are_done_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
