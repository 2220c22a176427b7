/* SPDX-License-Identifier: MIT */
/*
 * NV4's 2D objects on whole machines, by handles, as nouveau's console uses them: the class of what is bound is read
 * from RAMIN or the channel descriptor.
 */
#include "driver/rig.h"

#include <stdlib.h>

#define DMA      0xbeef0300u
#define SURFACES 0xbeef0042u
#define ROP      0xbeef0043u
#define PATTERN  0xbeef0044u
#define CLIP     0xbeef0019u
#define NOTHING  0xbeef0030u
#define DRAWING  0xbeef004au
#define BLIT     0xbeef005fu
#define PITCH    256u

static const struct place {
    const char *chip;
    uint32_t surfaces, blit;
} places[] = {{"NV4", 0x42, 0x5f},    {"NV10", 0x62, 0x5f},   {"NV17", 0x62, 0x9f}, {"NV34", 0x362, 0x9f},
              {"NV40", 0x3062, 0x9f}, {"NV44", 0x3062, 0x9f}, {"G80", 0x5062, 0x5f}};

struct console {
    struct rig rig;
    struct pfifo_channel *channel;
    struct pfifo_buffer *push, *screen;
    struct words words;
};

static void make(struct console *console, uint32_t handle, uint32_t object_class) {
    assert_int_equal(pfifo_channel_object(console->channel, handle, object_class, &console->rig.error), PFIFO_OK);
}

static void open_console(struct console *console, const struct place *place) {
    const struct pfifo_channel_config config = {.vram_handle = VRAM_HANDLE, .gart_handle = GART_HANDLE};
    memset(console, 0, sizeof *console);
    rig_open(&console->rig, rig_part(place->chip));
    console->channel = pfifo_channel_open(console->rig.device, &config, &console->rig.error);
    if (!console->channel)
        fail_msg("%s: %s", place->chip, console->rig.error.message);
    console->push = rig_buffer(&console->rig, PFIFO_GART, 0x10000, 0);
    console->screen = rig_buffer(&console->rig, PFIFO_VRAM, 0x10000, 0);
    assert_int_equal(pfifo_channel_dma_object(console->channel, DMA, console->screen, 0, 0x10000, &console->rig.error),
                     PFIFO_OK);
    make(console, SURFACES, place->surfaces);
    make(console, ROP, 0x43);
    make(console, PATTERN, 0x44);
    make(console, CLIP, 0x19);
    make(console, NOTHING, 0x30);
    make(console, DRAWING, 0x4a);
    make(console, BLIT, place->blit);
    console->words = words_for(&console->rig, PFIFO_CHANNEL_DEFAULT);
}

static void add(struct console *console, unsigned subchannel, uint32_t method, const uint32_t *data, uint32_t count) {
    words_header(&console->words, subchannel, method, count);
    for (uint32_t i = 0; i < count; i++)
        words_add(&console->words, data[i]);
}

#define SEND(console, subchannel, method, ...)                                                                         \
    add(console, subchannel, method, (const uint32_t[]){__VA_ARGS__},                                                  \
        (uint32_t)(sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)))

static uint32_t pixel(struct console *console, uint32_t x, uint32_t y) {
    return rig_read(console->screen, (uint64_t)y * PITCH + (uint64_t)x * 4);
}

static void draw_console(struct console *console) {
    SEND(console, 0, 0, SURFACES);
    SEND(console, 0, 0x184, DMA, DMA);
    SEND(console, 0, 0x300, 10, PITCH << 16 | PITCH, 0, 0);
    SEND(console, 1, 0, ROP);
    SEND(console, 1, 0x300, 0x55);
    SEND(console, 2, 0, PATTERN);
    SEND(console, 2, 0x300, 3, 2, 0, 1, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX);
    SEND(console, 3, 0, BLIT);
    SEND(console, 3, 0x19c, SURFACES);
    SEND(console, 3, 0x2fc, 3);
    SEND(console, 4, 0, DRAWING);
    SEND(console, 4, 0x198, SURFACES);
    SEND(console, 4, 0x188, PATTERN, ROP);
    SEND(console, 4, 0x2fc, 3, 3, 1);
    SEND(console, 4, 0x3fc, 0x112233, 4u << 16 | 2, 8u << 16 | 3);       /* 8 by 3 from (4, 2) on */
    SEND(console, 3, 0x300, 2u << 16 | 4, 10u << 16 | 20, 3u << 16 | 8); /* and once more at (20, 10) */
    SEND(console, 4, 0x2fc, 1);
    SEND(console, 4, 0x400, 4u << 16 | 2, 1u << 16 | 1); /* the first pixel, inverted */
    words_submit(&console->words, &console->rig, console->channel, console->push, 0);
}

static void a_console_draws_by_handles(void **state) {
    (void)state;
    static struct console console;
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        open_console(&console, &places[i]);
        draw_console(&console);
        if (pfifo_device_wait(console.rig.device, BUDGET, &console.rig.error) != PFIFO_OK)
            fail_msg("%s: %s", places[i].chip, console.rig.error.message);
        assert_int_equal(pixel(&console, 4, 2), 0x00eeddcc);
        assert_int_equal(pixel(&console, 5, 2), 0xff112233);
        assert_int_equal(pixel(&console, 11, 4), 0xff112233);
        assert_int_equal(pixel(&console, 12, 4), 0);
        assert_int_equal(pixel(&console, 20, 10), 0xff112233);
        assert_int_equal(pixel(&console, 27, 12), 0xff112233);
        assert_int_equal(pixel(&console, 28, 12), 0);
        rig_close(&console.rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_console_draws_by_handles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
