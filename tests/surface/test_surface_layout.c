/* SPDX-License-Identifier: MIT */
/* Where the bytes of surfaces are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "reference/surface.h"

static const enum gob_order orders[] = {GOB_LINES, GOB_SECTORS, GOB_COLUMNS, GOB_LINES_8};

static struct layout block_layout(enum gob_order order, uint64_t width, uint32_t height, uint32_t depth) {
    return (struct layout){.type = LAYOUT_BLOCK, .width = width, .height = height, .depth = depth, .order = order};
}

static struct layout swizzled_layout(uint64_t width, uint32_t height, uint32_t depth, uint8_t element_bytes) {
    return (struct layout){
        .type = LAYOUT_SWIZZLED, .width = width, .height = height, .depth = depth, .element_bytes = element_bytes};
}

static void pitch_counts_bytes(void **state) {
    (void)state;
    struct layout layout = {.type = LAYOUT_PITCH, .pitch = 100, .slice_pitch = 1000, .depth = 2, .height = 7};
    assert_int_equal(layout_offset(&layout, 3, 5, 1), 1503);
    assert_int_equal(layout_size(&layout), 1700);
    assert_int_equal(layout_contiguous(&layout, 3, 1234567), 1234567);
    layout.pitch = -100;
    assert_int_equal(layout_offset(&layout, 3, 5, 1), 503);
    assert_int_equal(layout_offset(&layout, 3, 11, 1), (uint64_t)-97);
}

static void a_gob_of_tesla_is_lines(void **state) {
    (void)state;
    struct layout layout = block_layout(GOB_LINES, 64, 4, 1);
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 64; x++)
            assert_int_equal(layout_offset(&layout, x, y, 0), 64 * y + x);
    assert_int_equal(layout_offset(&layout, 0, 4, 0), 256);
    assert_int_equal(layout_gob_lines(GOB_LINES), 4);
}

/* Tegra X1 technical reference manual: (x/32)*256 + (y/2)*64 + (x%32/16)*32 + (y%2)*16 + x%16. */
static void a_gob_of_fermi_is_sectors(void **state) {
    (void)state;
    struct layout layout = block_layout(GOB_SECTORS, 64, 8, 1);
    for (unsigned y = 0; y < 8; y++)
        for (unsigned x = 0; x < 64; x++)
            assert_int_equal(layout_offset(&layout, x, y, 0),
                             x / 32 * 256 + y / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16);
    assert_int_equal(layout_offset(&layout, 0, 8, 0), 512);
    assert_int_equal(layout_gob_lines(GOB_SECTORS), 8);
}

/* Copy engines can do with blocks that are 16 bytes wide: nouveau's firmware says how (com.fuc). */
static void a_quarter_gob_is_lines_of_16_bytes(void **state) {
    (void)state;
    struct layout layout = block_layout(GOB_SECTORS, 64, 16, 1);
    layout.quarter_gobs = true;
    layout.block_height = 1;
    assert_int_equal(layout_offset(&layout, 15, 0, 0), 15);
    assert_int_equal(layout_offset(&layout, 3, 1, 0), 19);
    assert_int_equal(layout_offset(&layout, 0, 15, 0), 240);
    assert_int_equal(layout_offset(&layout, 16, 0, 0), 256);
    assert_int_equal(layout_size(&layout), 1024);
}

/* The worked example of envytools' page on surfaces: 13 x 17 x 3 of 16 bytes, blocks of 2 x 2 x 2 gobs on Tesla. */
static void the_documented_surface_of_13_by_17_by_3(void **state) {
    (void)state;
    struct layout layout = block_layout(GOB_LINES, UINT64_C(13) * 16, 17, 3);
    layout.block_width = layout.block_height = layout.block_depth = 1;
    static const struct {
        unsigned x, y, z, offset;
    } cells[] = {
        {0, 0, 0, 0x0000},  {3, 0, 0, 0x0030},   {4, 0, 0, 0x0100},  {8, 0, 0, 0x0800},   {12, 0, 0, 0x0900},
        {5, 3, 0, 0x01d0},  {0, 4, 0, 0x0200},   {12, 7, 0, 0x0bc0}, {0, 8, 0, 0x1000},   {10, 9, 0, 0x1860},
        {7, 15, 0, 0x13f0}, {12, 16, 0, 0x2900}, {0, 0, 1, 0x0400},  {8, 6, 1, 0x0e80},   {4, 12, 1, 0x1700},
        {3, 16, 1, 0x2430}, {0, 0, 2, 0x3000},   {11, 7, 2, 0x3af0}, {12, 15, 2, 0x4bc0}, {2, 16, 2, 0x5020},
    };
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
        assert_int_equal(layout_offset(&layout, cells[i].x * UINT64_C(16), cells[i].y, cells[i].z), cells[i].offset);
    assert_int_equal(layout_size(&layout), 0x6000);
}

/* Each byte of the padded surface is where the definition says, and no two are at one place. */
static void check_block(const struct layout *layout) {
    static uint8_t seen[1 << 20];
    uint64_t size = layout_size(layout), lines = layout_gob_lines(layout->order);
    uint64_t wide = UINT64_C(64) / (layout->quarter_gobs ? 4 : 1) << layout->block_width,
             high = lines << layout->block_height;
    uint64_t deep = UINT64_C(1) << layout->block_depth;
    uint64_t width = (layout->width + wide - 1) / wide * wide, height = (layout->height + high - 1) / high * high;
    uint64_t depth = (layout->depth + deep - 1) / deep * deep;
    assert_int_equal(size, width * height * depth);
    assert_true(size <= sizeof seen);
    memset(seen, 0, size);
    for (uint64_t z = 0; z < depth; z++)
        for (uint64_t y = 0; y < height; y++)
            for (uint64_t x = 0; x < width; x++) {
                uint64_t offset = layout_offset(layout, x, y, z);
                if (offset >= size || seen[offset] || offset != reference_surface_offset(layout, x, y, z))
                    fail_msg("block %u %u %u: byte %u, line %u, slice %u is at 0x%llx", layout->block_width,
                             layout->block_height, layout->block_depth, (unsigned)x, (unsigned)y, (unsigned)z,
                             (unsigned long long)offset);
                seen[offset] = 1;
            }
}

static void blocks_of_all_sizes_are_as_defined(void **state) {
    (void)state;
    static const struct {
        uint64_t width;
        uint32_t height, depth;
    } sizes[] = {{1, 1, 1}, {130, 19, 3}, {64, 8, 1}, {65, 9, 2}};
    for (unsigned o = 0; o < 3; o++)
        for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (uint8_t bw = 0; bw < 6; bw++)
                for (uint8_t bh = 0; bh < 6; bh++)
                    for (uint8_t bd = 0; bd < 6; bd++) {
                        struct layout layout = block_layout(orders[o], sizes[s].width, sizes[s].height, sizes[s].depth);
                        layout.block_width = bw, layout.block_height = bh, layout.block_depth = bd;
                        layout.quarter_gobs = s & 1;
                        if (layout_size(&layout) <= 1 << 17)
                            check_block(&layout);
                    }
}

static void large_blocks_are_as_defined(void **state) {
    (void)state;
    uint32_t random = 1;
    for (unsigned i = 0; i < 200000; i++) {
        uint64_t r[4];
        for (unsigned j = 0; j < 4; j++) {
            random = random * 1664525 + 1013904223;
            r[j] = random >> 8;
        }
        struct layout layout = block_layout(orders[i % 3], r[0] % 100000 + 1, (uint32_t)(r[1] % 20000 + 1), 40);
        layout.block_width = r[2] % 6, layout.block_height = r[2] / 8 % 6, layout.block_depth = r[2] / 64 % 6;
        layout.quarter_gobs = i % 5 == 0;
        uint64_t x = r[2] / 512 % layout.width, y = r[3] % layout.height, z = r[3] / 32768 % 40;
        assert_int_equal(layout_offset(&layout, x, y, z), reference_surface_offset(&layout, x, y, z));
        assert_true(layout_offset(&layout, x, y, z) < layout_size(&layout));
    }
}

/* Every byte of a rectangle is in its extent, and the first and the last byte of that are of blocks it touches. */
static void an_extent_has_all_of_its_rectangle(void **state) {
    (void)state;
    uint32_t random = 1;
    for (unsigned i = 0; i < 3000; i++) {
        uint64_t r[6];
        for (unsigned j = 0; j < 6; j++) {
            random = random * 1664525 + 1013904223;
            r[j] = random >> 8;
        }
        struct layout layout = block_layout(orders[i % 3], r[0] % 300 + 1, (uint32_t)(r[1] % 70 + 1), 3);
        layout.block_width = r[2] % 2, layout.block_height = r[2] / 8 % 3, layout.block_depth = r[2] / 64 % 2;
        if (i % 4 == 1)
            layout = (struct layout){.type = LAYOUT_PITCH, .pitch = (int64_t)(r[3] % 600) - 300, .depth = 1};
        if (i % 4 == 2)
            layout = swizzled_layout(UINT64_C(1) << r[0] % 6, 1u << r[1] % 6, 1, 4);
        uint64_t across = layout.type == LAYOUT_SWIZZLED ? layout.width * 4
                          : layout.type == LAYOUT_PITCH  ? 300
                                                         : layout.width;
        uint64_t down = layout.type == LAYOUT_PITCH ? 40 : layout.height,
                 z = layout.type == LAYOUT_BLOCK ? r[3] % 3 : 0;
        uint64_t x = r[4] % across, y = r[5] % down, bytes = r[3] % (across - x) + 1, lines = r[2] % (down - y) + 1;
        struct layout_extent e = layout_extent(&layout, x, y, z, bytes, lines);
        assert_true(e.lines == 1 ? e.pitch == 0 : e.pitch > e.bytes);
        for (uint64_t j = 0; j < lines; j++)
            for (uint64_t k = 0; k < bytes; k++) {
                uint64_t at = layout_offset(&layout, x + k, y + j, z) - e.offset;
                uint64_t line = e.lines == 1 ? 0 : at / e.pitch, inside = e.lines == 1 ? at : at % e.pitch;
                assert_true(line < e.lines && inside < e.bytes);
            }
    }
    const struct layout pitch = {.type = LAYOUT_PITCH, .pitch = 64, .depth = 1};
    assert_int_equal(layout_extent(&pitch, 0, 0, 0, 0, 4).bytes, 0);
    assert_int_equal(layout_extent(&pitch, 0, 0, 0, 4, 0).bytes, 0);
    assert_int_equal(layout_extent(&pitch, 0, 0, 0, 64, UINT64_MAX).bytes, UINT64_MAX);
}

static void contiguous_bytes_follow_each_other_and_no_more(void **state) {
    (void)state;
    for (unsigned o = 0; o < 6; o++) {
        struct layout layout = block_layout(orders[o % 3], 300, 40, 2);
        layout.quarter_gobs = o > 2;
        for (uint64_t x = 0; x < 300; x++) {
            uint64_t run = layout_contiguous(&layout, x, 1000);
            for (uint64_t i = 1; i < run; i++)
                assert_int_equal(layout_offset(&layout, x + i, 5, 1), layout_offset(&layout, x, 5, 1) + i);
            assert_int_not_equal(layout_offset(&layout, x + run, 5, 1), layout_offset(&layout, x, 5, 1) + run);
            assert_int_equal(layout_contiguous(&layout, x, 1), 1);
        }
    }
    struct layout layout = swizzled_layout(16, 16, 1, 4);
    assert_int_equal(layout_contiguous(&layout, 4, 100), 4);
    assert_int_equal(layout_contiguous(&layout, 7, 100), 1);
    assert_int_equal(layout_contiguous(&layout, 5, 2), 2);
}

static void swizzled_is_morton_order(void **state) {
    (void)state;
    static const unsigned square[4][4] = {{0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};
    struct layout layout = swizzled_layout(4, 4, 1, 4);
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 4; x++)
            assert_int_equal(layout_offset(&layout, x * 4 + 1, y, 0), square[y][x] * 4 + 1);
    assert_int_equal(layout_size(&layout), 64);
    static const unsigned wide[2][8] = {{0, 1, 4, 5, 8, 9, 12, 13}, {2, 3, 6, 7, 10, 11, 14, 15}};
    layout = swizzled_layout(8, 2, 1, 2);
    for (unsigned y = 0; y < 2; y++)
        for (unsigned x = 0; x < 8; x++)
            assert_int_equal(layout_offset(&layout, x * 2, y, 0), wide[y][x] * 2);
    layout = swizzled_layout(2, 2, 2, 1);
    assert_int_equal(layout_offset(&layout, 1, 0, 1), 5);
    assert_int_equal(layout_offset(&layout, 0, 1, 1), 6);
}

static void swizzled_of_all_sizes_is_as_defined(void **state) {
    (void)state;
    for (unsigned w = 0; w < 7; w++)
        for (unsigned h = 0; h < 7; h++)
            for (unsigned d = 0; d < 5; d++) {
                struct layout layout =
                    swizzled_layout(UINT64_C(1) << w, 1u << h, 1u << d, (uint8_t)(1u << (w + h) % 5));
                for (uint64_t z = 0; z < layout.depth; z++)
                    for (uint64_t y = 0; y < layout.height; y++)
                        for (uint64_t x = 0; x < layout.width * layout.element_bytes; x++)
                            if (layout_offset(&layout, x, y, z) != reference_surface_offset(&layout, x, y, z))
                                fail_msg("%u %u %u", w, h, d);
            }
}

static void blocks_shrink_to_the_surface(void **state) {
    (void)state;
    struct layout layout = block_layout(GOB_SECTORS, 64, 16, 1);
    layout.block_height = 4, layout.block_depth = 5, layout.block_width = 3;
    layout_shrink_block(&layout);
    assert_int_equal(layout.block_height, 1);
    assert_int_equal(layout.block_depth, 0);
    assert_int_equal(layout.block_width, 0);
    layout.height = 17, layout.depth = 3, layout.width = 65;
    layout.block_height = 4, layout.block_depth = 5, layout.block_width = 3;
    layout_shrink_block(&layout);
    assert_int_equal(layout.block_height, 2);
    assert_int_equal(layout.block_depth, 2);
    assert_int_equal(layout.block_width, 1);
    layout.order = GOB_LINES;
    layout.block_height = 5;
    layout_shrink_block(&layout);
    assert_int_equal(layout.block_height, 3);
    layout.height = 0;
    layout_shrink_block(&layout);
    assert_int_equal(layout.block_height, 0);
    layout.height = 4096;
    layout.block_height = 5;
    layout_shrink_block(&layout);
    assert_int_equal(layout.block_height, 5);
}

static void sizes_saturate(void **state) {
    (void)state;
    struct layout layout = block_layout(GOB_SECTORS, UINT64_MAX, UINT32_MAX, UINT32_MAX);
    layout.block_width = layout.block_height = layout.block_depth = 15;
    assert_true(layout_size(&layout) == UINT64_MAX);
    layout_offset(&layout, UINT64_MAX, UINT64_MAX, UINT64_MAX);
    layout = swizzled_layout(UINT64_C(1) << 63, UINT32_C(1) << 31, UINT32_C(1) << 31, 16);
    assert_true(layout_size(&layout) == UINT64_MAX);
    layout_offset(&layout, UINT64_MAX, UINT64_MAX, UINT64_MAX);
    layout = (struct layout){.type = LAYOUT_PITCH, .pitch = INT64_MIN, .slice_pitch = UINT64_MAX, .depth = 3};
    assert_true(layout_size(&layout) == UINT64_MAX);
    layout_offset(&layout, UINT64_MAX, UINT64_MAX, UINT64_MAX);
}

static void chips_have_the_order_of_their_gobs(void **state) {
    (void)state;
    assert_int_equal(pfifo_chip_by_name("G80")->gob_order, GOB_LINES);
    assert_int_equal(pfifo_chip_by_name("MCP89")->gob_order, GOB_LINES);
    for (size_t i = chip_place("GF100", 0); i < pfifo_chip_count(); i++) {
        bool is_kepler = i >= chip_place("GK104", 0) && i < chip_place("GM107", 0);
        assert_int_equal(pfifo_chip_at(i)->gob_order, is_kepler ? GOB_COLUMNS : GOB_SECTORS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pitch_counts_bytes),
        cmocka_unit_test(a_gob_of_tesla_is_lines),
        cmocka_unit_test(a_gob_of_fermi_is_sectors),
        cmocka_unit_test(a_quarter_gob_is_lines_of_16_bytes),
        cmocka_unit_test(the_documented_surface_of_13_by_17_by_3),
        cmocka_unit_test(blocks_of_all_sizes_are_as_defined),
        cmocka_unit_test(large_blocks_are_as_defined),
        cmocka_unit_test(an_extent_has_all_of_its_rectangle),
        cmocka_unit_test(contiguous_bytes_follow_each_other_and_no_more),
        cmocka_unit_test(swizzled_is_morton_order),
        cmocka_unit_test(swizzled_of_all_sizes_is_as_defined),
        cmocka_unit_test(blocks_shrink_to_the_surface),
        cmocka_unit_test(sizes_saturate),
        cmocka_unit_test(chips_have_the_order_of_their_gobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
