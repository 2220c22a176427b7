/* SPDX-License-Identifier: MIT */
/* Pictures of surfaces in memory, against the same byte after byte and pixel after pixel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "engine/surface/picture.h"
#include "memory/rig.h"
#include "reference/surface.h"

#define AREA      KIB(64) /* of VRAM and of virtual memory, that all surfaces are in, */
#define AREA_BASE 0x400000u
#define INSTANCE  0x10000u
#define DIRECTORY 0x100000u
#define TABLE     0x240000u

enum { MOST_WIDTH = 150, MOST_HEIGHT = 40, ROUNDS = 300 };

struct machine {
    struct rig rig;
    struct address_space space;
    uint32_t random;
};

static uint32_t choose(struct machine *machine, uint32_t below) {
    machine->random = machine->random * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)machine->random * below >> 32);
}

/* Pages of 4 KiB in the area: one after the other, or anywhere, some of them missing. */
static void map_pages(struct machine *machine) {
    bool straight = choose(machine, 2) != 0, whole = choose(machine, 2) != 0;
    for (unsigned page = 0; page < AREA >> 12; page++) {
        uint64_t frame = AREA_BASE + ((straight ? page : choose(machine, AREA >> 12)) << 12);
        bool there = whole || choose(machine, 8) != 0;
        rig_put64(&machine->rig, MEMORY_VRAM, TABLE + 8 * (uint64_t)page, there ? frame >> 8 | 1 : 0);
    }
    memory_tlb_flush(&machine->rig.memory);
}

static void start(struct machine *machine) {
    uint8_t *data = malloc(AREA);
    struct address_space area = address_space_physical(MEMORY_VRAM);
    assert_non_null(data);
    rig_start(&machine->rig, pfifo_chip_by_name("GM200"));
    machine->random = 1;
    rig_put64(&machine->rig, MEMORY_VRAM, DIRECTORY, (uint64_t)(TABLE >> 8 | 1) << 32);
    rig_put64(&machine->rig, MEMORY_VRAM, INSTANCE + 0x200, DIRECTORY);
    rig_put64(&machine->rig, MEMORY_VRAM, INSTANCE + 0x208, (UINT64_C(1) << 40) - 1);
    machine->space = address_space_vm(&machine->rig.memory, MEMORY_VRAM, INSTANCE);
    for (size_t i = 0; i < AREA; i++)
        data[i] = (uint8_t)(choose(machine, 3) ? choose(machine, 256) : 0x55);
    assert_true(memory_write(&machine->rig.memory, &area, AREA_BASE, data, AREA, NULL));
    free(data);
}

static struct layout random_layout(struct machine *machine, const struct picture *picture) {
    struct layout layout = {.depth = 1};
    uint64_t line = ((uint64_t)picture->width << picture->log2_x) * picture->format->bytes;
    switch (choose(machine, 4)) {
    case 0:
        layout.type = LAYOUT_PITCH;
        layout.pitch = (int64_t)line + choose(machine, 100) - 20;
        break;
    case 1:
        layout.type = LAYOUT_SWIZZLED;
        layout.element_bytes = picture->format->bytes;
        layout.width = 256;
        layout.height = 64;
        break;
    default:
        layout.type = LAYOUT_BLOCK;
        layout.order = (enum gob_order)choose(machine, 3);
        layout.quarter_gobs = choose(machine, 8) == 0;
        layout.width = line + choose(machine, 100);
        layout.height = picture->height << picture->log2_y;
        layout.depth = 1 + choose(machine, 3);
        layout.block_width = (uint8_t)(choose(machine, 4) ? 0 : choose(machine, 3));
        layout.block_height = (uint8_t)choose(machine, 5);
        layout.block_depth = (uint8_t)choose(machine, 3);
        break;
    }
    return layout;
}

static const struct format *random_format(struct machine *machine) {
    const struct format *format = NULL;
    while (!format) {
        uint32_t code = choose(machine, 256);
        format = choose(machine, 5) ? format_color(code) : format_zeta(code);
    }
    return format;
}

static struct picture random_picture(struct machine *machine) {
    struct picture picture = {.format = random_format(machine),
                              .width = 1 + choose(machine, MOST_WIDTH),
                              .height = 1 + choose(machine, MOST_HEIGHT),
                              .layers = 1};
    if (choose(machine, 4) == 0) {
        picture.log2_x = (uint8_t)choose(machine, 3);
        picture.log2_y = (uint8_t)choose(machine, 3);
    }
    picture.surface.space = machine->space;
    picture.surface.layout = random_layout(machine, &picture);
    picture.surface.address = choose(machine, 8) ? choose(machine, 0x4000) : 0 - (uint64_t)choose(machine, 64);
    if (choose(machine, 4))
        picture.surface.address &= ~UINT64_C(0x1ff);
    picture.slice = choose(machine, picture.surface.layout.depth);
    return picture;
}

/* ---- byte after byte, pixel after pixel ---- */

static uint8_t stored_byte(struct machine *machine, const struct picture *picture, uint64_t x, uint64_t y, bool *any) {
    const struct surface *surface = &picture->surface;
    uint64_t address = surface->address + reference_surface_offset(&surface->layout, x, y, picture->slice);
    uint8_t byte = 0;
    if (!memory_peek(&machine->rig.memory, &surface->space, address, &byte, 1))
        return 0;
    *any = true;
    return byte;
}

static float between(float value) {
    return value > 0 ? value < 1 ? value : 1 : 0;
}

/* As docs in pfifo/draw.h say: cut to 0 .. 1, sRGB as it is stored, one component and depth in shades of grey. */
static void sample(const struct format *format, const uint8_t *element, float rgba[4]) {
    struct format stored = *format;
    union color color;
    unsigned count = 0, only = 0;
    stored.type = format->type == FORMAT_SRGB ? FORMAT_UNORM : format->type;
    format_unpack(&stored, element, &color);
    for (unsigned c = 4; c-- > 0;) {
        if (format->type == FORMAT_SINT)
            rgba[c] = between((float)color.i[c] / 255);
        else if (format->type == FORMAT_UINT || (format->is_zeta && c == 1))
            rgba[c] = between((float)color.u[c] / 255);
        else
            rgba[c] = between(color.f[c]);
        only = format->component[c].bits ? c : only;
        count += format->component[c].bits != 0;
    }
    if (count == 1 || format->is_zeta)
        rgba[0] = rgba[1] = rgba[2] = rgba[only];
    if (count == 1 || format->is_zeta || !format->component[3].bits)
        rgba[3] = 1;
}

static void expected_pixel(struct machine *machine, const struct picture *picture, uint32_t x, uint32_t y,
                           uint8_t pixel[4], bool *any) {
    const unsigned across = 1u << picture->log2_x, down = 1u << picture->log2_y, bytes = picture->format->bytes;
    float sum[4] = {0}, one[4];
    uint8_t element[16];
    for (unsigned j = 0; j < down; j++)
        for (unsigned i = 0; i < across; i++) {
            for (unsigned b = 0; b < bytes; b++)
                element[b] =
                    stored_byte(machine, picture, ((uint64_t)x * across + i) * bytes + b, (uint64_t)y * down + j, any);
            sample(picture->format, element, one);
            for (unsigned c = 0; c < 4; c++)
                sum[c] += one[c];
        }
    for (unsigned c = 0; c < 4; c++)
        pixel[c] = (uint8_t)(sum[c] / (float)(across * down) * 255 + 0.5F);
}

static void compare(struct machine *machine, const struct picture *picture, unsigned round) {
    static uint8_t rgba[MOST_WIDTH * MOST_HEIGHT * 4];
    struct pfifo_target target;
    struct pfifo_error error = {0};
    bool any = false;
    picture_describe(&target, picture);
    enum pfifo_status status = picture_read(&machine->rig.memory, &target, rgba, &error);
    for (uint32_t y = 0; y < picture->height; y++)
        for (uint32_t x = 0; x < picture->width; x++) {
            uint8_t wanted[4];
            const uint8_t *got = rgba + ((size_t)y * picture->width + x) * 4;
            expected_pixel(machine, picture, x, y, wanted, &any);
            if (memcmp(got, wanted, 4) != 0)
                fail_msg("round %u, %s %s, pixel %u, %u of %u x %u is %02x%02x%02x%02x, not %02x%02x%02x%02x", round,
                         target.format, target.layout, x, y, picture->width, picture->height, got[0], got[1], got[2],
                         got[3], wanted[0], wanted[1], wanted[2], wanted[3]);
        }
    assert_int_equal(status, any ? PFIFO_OK : PFIFO_ERROR_FAULT);
}

static void a_picture_is_what_its_bytes_say(void **state) {
    struct machine machine;
    (void)state;
    start(&machine);
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (round % 16 == 0)
            map_pages(&machine);
        struct picture picture = random_picture(&machine);
        compare(&machine, &picture, round);
    }
    rig_stop(&machine.rig);
}

/* A guest that does not flush must go on with its old pages: who looks must not bring new ones into the TLB. */
static void a_picture_leaves_the_tlb_alone(void **state) {
    struct machine machine;
    uint8_t rgba[16 * 16 * 4], byte = 0, later = 0;
    struct pfifo_target target;
    struct picture picture = {.format = format_color(0xcf), .width = 16, .height = 16, .layers = 1};
    (void)state;
    start(&machine);
    picture.surface.space = machine.space;
    picture.surface.layout = (struct layout){.type = LAYOUT_PITCH, .pitch = 64, .depth = 1};
    rig_put64(&machine.rig, MEMORY_VRAM, TABLE, (uint64_t)AREA_BASE >> 8 | 1);
    picture_describe(&target, &picture);
    assert_int_equal(picture_read(&machine.rig.memory, &target, rgba, NULL), PFIFO_OK);
    rig_put64(&machine.rig, MEMORY_VRAM, TABLE, (uint64_t)(AREA_BASE + 0x1000) >> 8 | 1);
    struct address_space physical = address_space_physical(MEMORY_VRAM);
    assert_true(memory_read(&machine.rig.memory, &machine.space, 0x123, &byte, 1, NULL));
    assert_true(memory_read(&machine.rig.memory, &physical, AREA_BASE + 0x1123, &later, 1, NULL));
    assert_int_equal(byte, later);
    rig_stop(&machine.rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_what_its_bytes_say),
        cmocka_unit_test(a_picture_leaves_the_tlb_alone),
    };
    return cmocka_run_group_tests_name("surface_picture", tests, NULL, NULL);
}
