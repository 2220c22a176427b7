/* SPDX-License-Identifier: MIT */
/*
 * The 2D object as drivers use it: their sequences of methods, and what must be in memory then.
 *
 * Sources: Mesa src/gallium/drivers/nouveau/nv50/nv50_transfer.c, nv50_surface.c, nvc0/nvc0_surface.c; nouveau
 * nv50_fbcon.c; deko3d source/maxwell/gpu_transfer.cpp.
 */
#include "check.h"

#define SRC 0x20000u /* Tesla: object 2, Fermi: an address */
#define DST 0x30000u

struct machine {
    const char *chip;
    uint32_t object_class;
};

static const struct machine machines[] = {{"G80", 0x502d},   {"GT215", 0x502d}, {"GF100", 0x902d},
                                          {"GK104", 0x902d}, {"GM107", 0x902d}, {"GP102", 0x902d}};

#define MACHINES (sizeof machines / sizeof machines[0])

static bool is_tesla(const struct engine_rig *rig) {
    return !rig->fifo.chip->ring_only;
}

/* What Mesa sets when a screen is made; `address` 0 of Tesla's DMA objects is where SRC and DST are here. */
static unsigned screen(struct engine_rig *rig, const struct machine *machine) {
    unsigned id = start(rig, machine->chip, CHIP_UNIT_PGRAPH, machine->object_class);
    if (is_tesla(rig))
        send(rig, id, 0, 0x180, 1, DST >> 16, SRC >> 16, 4);
    send(rig, id, 0, 0x2ac, 3);
    send(rig, id, 0, 0x290, 0);
    send(rig, id, 0, 0x29c, 0);
    send(rig, id, 0, 0x888, 1);
    send(rig, id, 0, 0x26c, 1);
    return id;
}

/* An address in the surface at `base` as methods say it. */
static uint32_t low(const struct engine_rig *rig, uint32_t base, uint32_t offset) {
    return is_tesla(rig) ? offset : base + offset;
}

static void pitch_surface(struct engine_rig *rig, unsigned id, uint32_t method, uint32_t format, uint32_t pitch,
                          uint32_t width, uint32_t height) {
    uint32_t base = method == 0x200 ? DST : SRC;
    send(rig, id, 0, method, format, 1);
    send(rig, id, 0, method + 0x14, pitch, width, height, 0, low(rig, base, 0));
}

static void blit(struct engine_rig *rig, unsigned id, uint32_t width, uint32_t height, int64_t du, int64_t dv,
                 int64_t u, int64_t v) {
    send(rig, id, 0, 0x8b0, 0, 0, width, height);
    send(rig, id, 0, 0x8c0, (uint32_t)du, (uint32_t)(du >> 32), (uint32_t)dv, (uint32_t)(dv >> 32), (uint32_t)u,
         (uint32_t)(u >> 32), (uint32_t)v, (uint32_t)(v >> 32));
}

#define FIXED(n) ((int64_t)((n)*4294967296.0))

/* ---- Mesa ---- */

/* nv50_sifc_linear_u8(): everything that Mesa uploads on Tesla. The last word's rest is dropped. */
static void mesa_uploads_bytes_on_tesla(void **state) {
    (void)state;
    struct engine_rig rig;
    for (unsigned size = 1; size < 6000; size += size < 20 ? 1 : 997) {
        unsigned id = screen(&rig, &machines[size & 1]);
        static uint32_t data[1500];
        for (unsigned i = 0; i < 1500; i++)
            data[i] = 0x01010101 * (i + 1) + 0x03020100;
        engine_rig_wr32(&rig, DST + 0x1040 + size, 0xdddddddd);
        send(&rig, id, 0, 0x200, 0xf3, 1);
        send(&rig, id, 0, 0x214, 262144, 65536, 1, 0, 0x1000);
        send(&rig, id, 0, 0x800, 0, 0xf3);
        send(&rig, id, 0, 0x838, size, 1, 0, 1, 0, 1, 0, 0x40, 0, 0);
        sent(&rig, id, 0, 0x860, 0, data, (size + 3) / 4);
        for (unsigned i = 0; i < size; i++)
            assert_int_equal(engine_rig_rd32(&rig, DST + 0x1040 + i) & 0xff, data[i / 4] >> i % 4 * 8 & 0xff);
        assert_int_equal(engine_rig_rd32(&rig, DST + 0x1040 + size) & 0xff, 0xdd);
        assert_int_equal(engine_rig_rd32(&rig, DST + 0x103c), 0);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 1);
        assert_event(&rig, EVENT_ENGINE_DONE, 0, "upload", 0x502d, 0x860);
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[2], 0x1040);
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[3], size);
        engine_rig_stop(&rig);
    }
}

/* NV50EXASolid() and others. */
static void a_driver_fills_rectangles(void **state) {
    (void)state;
    struct engine_rig rig;
    for (unsigned m = 0; m < MACHINES; m++) {
        unsigned id = screen(&rig, &machines[m]);
        pitch_surface(&rig, id, 0x200, 0xcf, 256, 64, 16);
        send(&rig, id, 0, 0x580, 4, 0xcf, 0x11223344);
        send(&rig, id, 0, 0x600, 3, 2, 7, 5);
        send(&rig, id, 0, 0x588, 0x55667788);
        send(&rig, id, 0, 0x600, 62, 15, 70, 20);
        for (uint32_t y = 0; y < 17; y++)
            for (uint32_t x = 0; x < 64; x++) {
                uint32_t expected = x >= 3 && x < 7 && y >= 2 && y < 5 ? 0x11223344 : 0;
                if (x >= 62 && y == 15)
                    expected = 0x55667788;
                assert_int_equal(engine_rig_rd32(&rig, DST + y * 256 + x * 4), expected);
            }
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 2);
        assert_event(&rig, EVENT_ENGINE_DONE, 0, "fill", machines[m].object_class, 0x60c);
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[2], low(&rig, DST, 2 * 256 + 3 * 4));
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[3], 3 * 4 * 4);
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 1)->value[3], 2 * 4);
        engine_rig_stop(&rig);
    }
}

static void source_pixels(struct engine_rig *rig, uint32_t pitch, uint32_t width, uint32_t height) {
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            engine_rig_wr32(rig, SRC + y * pitch + x * 4, 0xa0b0c000 + (y << 16) + x);
}

/* nvc0_2d_texture_do_copy(): origin at centres, integers. */
static void mesa_copies_one_to_one(void **state) {
    (void)state;
    struct engine_rig rig;
    for (unsigned m = 0; m < MACHINES; m++) {
        unsigned id = screen(&rig, &machines[m]);
        source_pixels(&rig, 128, 32, 20);
        pitch_surface(&rig, id, 0x200, 0xcf, 96, 24, 16);
        pitch_surface(&rig, id, 0x230, 0xcf, 128, 32, 20);
        send(&rig, id, 0, 0x88c, 0);
        blit(&rig, id, 24, 16, FIXED(1), FIXED(1), FIXED(5), FIXED(3));
        for (uint32_t y = 0; y < 16; y++)
            for (uint32_t x = 0; x < 24; x++)
                assert_int_equal(engine_rig_rd32(&rig, DST + y * 96 + x * 4), 0xa0b0c000 + ((y + 3) << 16) + x + 5);
        assert_event(&rig, EVENT_ENGINE_DONE, 0, "blit", machines[m].object_class, 0x8dc);
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[3], 24 * 16 * 4);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
        engine_rig_stop(&rig);
    }
}

/* nvc0_blit_eng2d() from one sample to eight: all have the value of the pixel. */
static void mesa_makes_samples_of_pixels(void **state) {
    (void)state;
    struct engine_rig rig;
    for (unsigned m = 0; m < MACHINES; m++) {
        unsigned id = screen(&rig, &machines[m]);
        source_pixels(&rig, 128, 32, 20);
        pitch_surface(&rig, id, 0x200, 0xcf, 128, 32, 16);
        pitch_surface(&rig, id, 0x230, 0xcf, 128, 32, 20);
        send(&rig, id, 0, 0x88c, 0);
        blit(&rig, id, 32, 16, FIXED(1) / 4, FIXED(1) / 2, FIXED(5), FIXED(3));
        for (uint32_t y = 0; y < 16; y++)
            for (uint32_t x = 0; x < 32; x++)
                assert_int_equal(engine_rig_rd32(&rig, DST + y * 128 + x * 4),
                                 0xa0b0c000 + ((y / 2 + 3) << 16) + x / 4 + 5);
        engine_rig_stop(&rig);
    }
}

/* What glReadPixels() of a window does: BGRA to RGBA, upside down. */
static void mesa_reads_a_window_back(void **state) {
    (void)state;
    struct engine_rig rig;
    for (unsigned m = 0; m < MACHINES; m++) {
        unsigned id = screen(&rig, &machines[m]);
        source_pixels(&rig, 128, 32, 20);
        pitch_surface(&rig, id, 0x200, 0xd5, 128, 32, 20);
        pitch_surface(&rig, id, 0x230, 0xcf, 128, 32, 20);
        blit(&rig, id, 32, 20, FIXED(1), FIXED(-1), 0, FIXED(19));
        for (uint32_t y = 0; y < 20; y++)
            for (uint32_t x = 0; x < 32; x++) {
                uint32_t s = 0xa0b0c000 + ((19 - y) << 16) + x;
                uint32_t swapped = (s & 0xff00ff00) | (s & 0xff) << 16 | (s >> 16 & 0xff);
                assert_int_equal(engine_rig_rd32(&rig, DST + y * 128 + x * 4), swapped);
            }
        engine_rig_stop(&rig);
    }
}

/* A blit of depth only, or of stencil only: ROP 0xca with the mask as a pattern. */
static void mesa_masks_components(void **state) {
    (void)state;
    struct engine_rig rig;
    for (unsigned m = 0; m < MACHINES; m++) {
        unsigned id = screen(&rig, &machines[m]);
        pitch_surface(&rig, id, 0x200, 0xcf, 64, 16, 1);
        pitch_surface(&rig, id, 0x230, 0xcf, 64, 16, 1);
        for (uint32_t x = 0; x < 16; x++) {
            engine_rig_wr32(&rig, SRC + x * 4, 0x11223300 + x);
            engine_rig_wr32(&rig, DST + x * 4, 0xaabbcc80 + x);
        }
        send(&rig, id, 0, 0x2a0, 0xca);
        send(&rig, id, 0, 0x2e8, 2, 1);
        send(&rig, id, 0, 0x2f0, 0, 0x00ffffff, 0xffffffff, 0xffffffff);
        send(&rig, id, 0, 0x2ac, 4);
        blit(&rig, id, 16, 1, FIXED(1), FIXED(1), 0, 0);
        for (uint32_t x = 0; x < 16; x++)
            assert_int_equal(engine_rig_rd32(&rig, DST + x * 4), 0xaa223300 + x);
        engine_rig_stop(&rig);
    }
}

/* One component as a source is luminance; Mesa takes out with BETA4 what it did not ask for. */
static void mesa_blits_from_one_component(void **state) {
    (void)state;
    struct engine_rig rig;
    for (unsigned m = 0; m < MACHINES; m++) {
        unsigned id = screen(&rig, &machines[m]);
        pitch_surface(&rig, id, 0x200, 0xcf, 64, 4, 1);
        pitch_surface(&rig, id, 0x230, 0xf3, 64, 4, 1);
        engine_rig_wr32(&rig, SRC, 0x40302010);
        blit(&rig, id, 4, 1, FIXED(1), FIXED(1), 0, 0);
        for (uint32_t x = 0; x < 4; x++)
            assert_int_equal(engine_rig_rd32(&rig, DST + x * 4), 0xff000000 + (x + 1) * 0x101010);
        send(&rig, id, 0, 0x2a8, 0xffff0000, 5);
        blit(&rig, id, 4, 1, FIXED(1), FIXED(1), 0, 0);
        for (uint32_t x = 0; x < 4; x++)
            assert_int_equal(engine_rig_rd32(&rig, DST + x * 4), 0xff000000 + (x + 1) * 0x100000);
        engine_rig_stop(&rig);
    }
}

/* Samples of a 2x2 surface are its pixels; from corners, bilinear, they are averaged. */
static void mesa_and_deko3d_resolve_samples(void **state) {
    (void)state;
    struct engine_rig rig;
    for (unsigned m = 0; m < MACHINES; m++)
        for (unsigned deko3d = 0; deko3d < 2; deko3d++) {
            unsigned id = screen(&rig, &machines[m]);
            pitch_surface(&rig, id, 0x200, 0xcf, 64, 2, 1);
            pitch_surface(&rig, id, 0x230, 0xcf, 64, 4, 2);
            for (uint32_t x = 0; x < 4; x++) {
                engine_rig_wr32(&rig, SRC + x * 4, x * 0x10203040);
                engine_rig_wr32(&rig, SRC + 64 + x * 4, x * 0x10203040 + 0x02020202);
            }
            send(&rig, id, 0, 0x88c, deko3d ? 0x10 : 0x11);
            blit(&rig, id, 2, 1, FIXED(2), FIXED(2), deko3d ? FIXED(0.5) : FIXED(1), deko3d ? FIXED(0.5) : FIXED(1));
            assert_int_equal(engine_rig_rd32(&rig, DST), 0x08101820 + 0x01010101);
            assert_int_equal(engine_rig_rd32(&rig, DST + 4), 0x285078a0 + 0x01010101);
            engine_rig_stop(&rig);
        }
}

/* deko3d mirrors with -1.0 from the corner, half a pixel before the edge. */
static void deko3d_mirrors(void **state) {
    (void)state;
    struct engine_rig rig;
    for (unsigned m = 0; m < MACHINES; m++) {
        unsigned id = screen(&rig, &machines[m]);
        source_pixels(&rig, 64, 16, 1);
        pitch_surface(&rig, id, 0x200, 0xcf, 64, 16, 1);
        pitch_surface(&rig, id, 0x230, 0xcf, 64, 16, 1);
        send(&rig, id, 0, 0x88c, 1);
        blit(&rig, id, 16, 1, FIXED(-1), FIXED(1), FIXED(15.5), FIXED(0.5));
        for (uint32_t x = 0; x < 16; x++)
            assert_int_equal(engine_rig_rd32(&rig, DST + x * 4), 0xa0b0c000 + 15 - x);
        engine_rig_stop(&rig);
    }
}

/* ---- nouveau's console: nv50_fbcon_accel_init() and what it draws ---- */

static unsigned console(struct engine_rig *rig, const struct machine *machine, uint32_t format) {
    unsigned id = start(rig, machine->chip, CHIP_UNIT_PGRAPH, machine->object_class);
    if (is_tesla(rig))
        send(rig, id, 0, 0x184, DST >> 16, DST >> 16, DST >> 16);
    send(rig, id, 0, 0x290, 0);
    send(rig, id, 0, 0x888, 1);
    send(rig, id, 0, 0x2ac, 3);
    send(rig, id, 0, 0x2a0, 0x55);
    send(rig, id, 0, 0x8c0, 0, 1, 0, 1);
    send(rig, id, 0, 0x580, 4, format);
    send(rig, id, 0, 0x2e8, 2, 1);
    send(rig, id, 0, 0x804, format);
    send(rig, id, 0, 0x800, 1);
    send(rig, id, 0, 0x808, 0, 0, 1);
    send(rig, id, 0, 0x81c, 1);
    send(rig, id, 0, 0x840, 0, 1, 0, 1);
    send(rig, id, 0, 0x200, format, 1);
    send(rig, id, 0, 0x214, 256, 64, 32, 0, low(rig, DST, 0));
    send(rig, id, 0, 0x230, format, 1);
    send(rig, id, 0, 0x244, 256, 64, 32, 0, low(rig, DST, 0));
    return id;
}

/* Letters: 1 bit per pixel, highest first, rows begin with a byte. */
static void the_console_draws_letters(void **state) {
    (void)state;
    struct engine_rig rig;
    static const uint8_t letter[6] = {0x81, 0x40, 0x18, 0x80, 0xff, 0xc0}; /* 10 x 3 */
    for (unsigned m = 0; m < MACHINES; m++) {
        unsigned id = console(&rig, &machines[m], 0xe6);
        send(&rig, id, 0, 0x814, 0xff000010, 0xff00ff00);
        send(&rig, id, 0, 0x838, 10, 3);
        send(&rig, id, 0, 0x850, 0, 8, 0, 4);
        sent(&rig, id, 0, 0x860, 0, WORDS(0x80184081, 0xc0ff));
        for (uint32_t y = 0; y < 3; y++)
            for (uint32_t x = 0; x < 12; x++) {
                bool set = letter[y * 2 + x / 8] >> (7 - x % 8) & 1;
                uint32_t expected = x >= 10 ? 0 : set ? 0xff00 : 0x10;
                assert_int_equal(engine_rig_rd32(&rig, DST + (y + 4) * 256 + (x + 8) * 4) & 0xffffff, expected);
            }
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[3], 10 * 3 * 4);
        engine_rig_stop(&rig);
    }
}

/* The cursor: ROP_AND with "not D", of a format without alpha. */
static void the_console_inverts(void **state) {
    (void)state;
    struct engine_rig rig;
    for (unsigned m = 0; m < MACHINES; m++) {
        unsigned id = console(&rig, &machines[m], 0xe8);
        engine_rig_wr32(&rig, DST, 0x12345678);
        send(&rig, id, 0, 0x2ac, 1);
        send(&rig, id, 0, 0x588, 0xffff);
        send(&rig, id, 0, 0x600, 1, 0, 3, 1);
        send(&rig, id, 0, 0x2ac, 3);
        assert_int_equal(engine_rig_rd32(&rig, DST), 0xedcb5678);
        assert_int_equal(engine_rig_rd32(&rig, DST + 4), 0xffff);
        engine_rig_stop(&rig);
    }
}

/* Scrolling: source and destination are one surface, and overlap in either direction. */
static void the_console_scrolls(void **state) {
    (void)state;
    static const struct {
        uint32_t dx, dy, sx, sy, width, height;
    } moves[] = {
        {0, 0, 0, 3, 64, 29}, {0, 3, 0, 0, 64, 29}, {5, 0, 0, 0, 59, 32}, {0, 0, 5, 0, 59, 32}, {2, 1, 0, 0, 60, 30}};
    struct engine_rig rig;
    for (unsigned m = 0; m < MACHINES; m++)
        for (unsigned k = 0; k < 5; k++) {
            unsigned id = console(&rig, &machines[m], 0xe6);
            for (uint32_t i = 0; i < 64 * 32; i++)
                engine_rig_wr32(&rig, DST + i * 4, i * 0x10001);
            send(&rig, id, 0, 0x110, 0);
            send(&rig, id, 0, 0x8b0, moves[k].dx, moves[k].dy, moves[k].width, moves[k].height);
            send(&rig, id, 0, 0x8d0, 0, moves[k].sx, 0, moves[k].sy);
            for (uint32_t y = 0; y < moves[k].height; y++)
                for (uint32_t x = 0; x < moves[k].width; x++)
                    assert_int_equal(engine_rig_rd32(&rig, DST + (y + moves[k].dy) * 256 + (x + moves[k].dx) * 4),
                                     ((y + moves[k].sy) * 64 + x + moves[k].sx) * 0x10001);
            engine_rig_stop(&rig);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mesa_uploads_bytes_on_tesla),
        cmocka_unit_test(a_driver_fills_rectangles),
        cmocka_unit_test(mesa_copies_one_to_one),
        cmocka_unit_test(mesa_makes_samples_of_pixels),
        cmocka_unit_test(mesa_reads_a_window_back),
        cmocka_unit_test(mesa_masks_components),
        cmocka_unit_test(mesa_blits_from_one_component),
        cmocka_unit_test(mesa_and_deko3d_resolve_samples),
        cmocka_unit_test(deko3d_mirrors),
        cmocka_unit_test(the_console_draws_letters),
        cmocka_unit_test(the_console_inverts),
        cmocka_unit_test(the_console_scrolls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
