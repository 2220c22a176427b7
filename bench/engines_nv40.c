/* SPDX-License-Identifier: MIT */
/* Copies, clears and 2D objects of an NV40. Surfaces have 2048 by 4096 pixels of 32 bits; images are smaller. */
#include "engines.h"

#define WIDTH  2048u
#define HEIGHT 4096u
#define LOG2   (11u << 16 | 12u << 24)
#define PITCH  (4u * WIDTH)
#define LINES  2047u /* of a copy, at most */
#define BYTES  ((size_t)PITCH * HEIGHT)
#define IMAGE  1024u /* pixels of a side of what is scaled */
#define FEW    256u

#define RED_GREEN_BLUE_ALPHA 0xf0u
#define RED_GREEN            0x30u
#define COLOR                0x12345678u
#define A8R8G8B8             10u /* of surfaces */
#define SRCCOPY              3u
#define RASTER_OPERATION     1u
#define BLEND                5u

/* Handles; those of what is on a subchannel are 16 and more. */
enum { VRAM = 1, GART, SURFACES, SWIZZLED, ROP, PATTERN, BETA4 };
enum { ON_3D = 16, ON_M2MF, ON_CONTEXT, ON_GDI, ON_BLIT, ON_SCALED, ON_IMAGE, ON_LINE };
#define CHANNEL_OF(handle) ((handle)-ON_3D)

#define SEND(commands, handle, ...) METHOD(commands, CHANNEL_OF(handle), __VA_ARGS__)

/* ---- memory to memory ---- */

static void copy(struct engine_commands *c, struct engine_places at, uint32_t pitch, uint32_t increments) {
    SEND(c, ON_M2MF, 0x180, VRAM, VRAM, VRAM);
    SEND(c, ON_M2MF, 0x30c, LOW(at.from), LOW(at.to), pitch, pitch, pitch, LINES, increments, 0);
}

static void copy_lines(struct engine_commands *c, struct engine_places at) {
    copy(c, at, PITCH, 0x101);
}

static void copy_spread(struct engine_commands *c, struct engine_places at) {
    copy(c, at, 256, 0x202);
}

static void copy_narrow(struct engine_commands *c, struct engine_places at) {
    copy(c, at, 4, 0x101);
}

/* ---- clears ---- */

static void clear(struct engine_commands *c, struct engine_places at, uint32_t format, uint32_t buffers,
                  uint32_t border) {
    uint32_t width = WIDTH - 2 * border, height = HEIGHT - 2 * border;
    SEND(c, ON_3D, 0x194, VRAM);
    SEND(c, ON_3D, 0x200, WIDTH << 16, HEIGHT << 16, format | 0x48, PITCH, LOW(at.to));
    SEND(c, ON_3D, 0x220, 1);
    SEND(c, ON_3D, 0x8c0, WIDTH << 16, HEIGHT << 16);
    SEND(c, ON_3D, 0x1d98, width << 16 | border, height << 16 | border);
    SEND(c, ON_3D, 0x1d8c, 0, COLOR, buffers);
}

#define LINEAR_TARGET   0x100u
#define SWIZZLED_TARGET (0x200u | LOG2)

static void clear_pitch(struct engine_commands *c, struct engine_places at) {
    clear(c, at, LINEAR_TARGET, RED_GREEN_BLUE_ALPHA, 0);
}

static void clear_swizzled(struct engine_commands *c, struct engine_places at) {
    clear(c, at, SWIZZLED_TARGET, RED_GREEN_BLUE_ALPHA, 0);
}

static void clear_inside(struct engine_commands *c, struct engine_places at) {
    clear(c, at, SWIZZLED_TARGET, RED_GREEN_BLUE_ALPHA, 5);
}

static void clear_pitch_masked(struct engine_commands *c, struct engine_places at) {
    clear(c, at, LINEAR_TARGET, RED_GREEN, 0);
}

static void clear_swizzled_masked(struct engine_commands *c, struct engine_places at) {
    clear(c, at, SWIZZLED_TARGET, RED_GREEN, 0);
}

/* ---- 2D ---- */

static void surfaces(struct engine_commands *c, struct engine_places at) {
    SEND(c, ON_CONTEXT, 0, SURFACES);
    SEND(c, ON_CONTEXT, 0x184, VRAM, VRAM);
    SEND(c, ON_CONTEXT, 0x300, A8R8G8B8, PITCH << 16 | PITCH, LOW(at.from), LOW(at.to));
}

static void swizzled(struct engine_commands *c, struct engine_places at) {
    SEND(c, ON_CONTEXT, 0, SWIZZLED);
    SEND(c, ON_CONTEXT, 0x184, VRAM);
    SEND(c, ON_CONTEXT, 0x300, A8R8G8B8 | 11u << 16 | 11u << 24, LOW(at.to)); /* the largest */
}

static void rectangle(struct engine_commands *c, struct engine_places at, uint32_t operation) {
    surfaces(c, at);
    SEND(c, ON_CONTEXT, 0, ROP);
    SEND(c, ON_CONTEXT, 0x300, 0x66);
    SEND(c, ON_GDI, 0x188, PATTERN, ROP);
    SEND(c, ON_GDI, 0x198, SURFACES);
    SEND(c, ON_GDI, 0x2fc, operation, 3, 1);
    SEND(c, ON_GDI, 0x3fc, COLOR, 0, WIDTH << 16 | HEIGHT);
}

static void fill(struct engine_commands *c, struct engine_places at) {
    rectangle(c, at, SRCCOPY);
}

static void invert(struct engine_commands *c, struct engine_places at) {
    rectangle(c, at, RASTER_OPERATION);
}

/* Every second bit, drawn where it is set. */
static void text(struct engine_commands *c, struct engine_places at) {
    surfaces(c, at);
    SEND(c, ON_GDI, 0x198, SURFACES);
    SEND(c, ON_GDI, 0x2fc, SRCCOPY, 3, 1);
    SEND(c, ON_GDI, 0x7ec, 0, HEIGHT << 16 | WIDTH, COLOR, FEW << 16 | WIDTH, 0);
    engine_stream(c, CHANNEL_OF(ON_GDI), 0x800, 0x55555555, FEW * WIDTH / 32);
}

static void blit(struct engine_commands *c, struct engine_places at, uint32_t operation) {
    surfaces(c, at);
    SEND(c, ON_CONTEXT, 0, BETA4);
    SEND(c, ON_CONTEXT, 0x300, 0x80808080);
    SEND(c, ON_BLIT, 0x198, BETA4, SURFACES);
    SEND(c, ON_BLIT, 0x2fc, operation, 0, 0, HEIGHT << 16 | WIDTH);
}

static void blit_raw(struct engine_commands *c, struct engine_places at) {
    blit(c, at, SRCCOPY);
}

static void blit_blended(struct engine_commands *c, struct engine_places at) {
    blit(c, at, BLEND);
}

/* Its destination is what the context says last. */
static void scaled(struct engine_commands *c, struct engine_places at, uint32_t surface, uint32_t filter,
                   uint32_t step) {
    SEND(c, ON_SCALED, 0x184, VRAM);
    SEND(c, ON_SCALED, 0x198, surface);
    SEND(c, ON_SCALED, 0x2fc, 1, 3, SRCCOPY, 0, IMAGE << 16 | IMAGE, 0, IMAGE << 16 | IMAGE, step, step);
    SEND(c, ON_SCALED, 0x400, IMAGE << 16 | IMAGE, 4 * IMAGE | 2 << 16 | filter << 24, LOW(at.from), 0);
}

static void scaled_pitch(struct engine_commands *c, struct engine_places at) {
    surfaces(c, at);
    scaled(c, at, SURFACES, 0, 1 << 20);
}

static void scaled_swizzled(struct engine_commands *c, struct engine_places at) {
    swizzled(c, at);
    scaled(c, at, SWIZZLED, 0, 1 << 20);
}

static void scaled_filtered(struct engine_commands *c, struct engine_places at) {
    surfaces(c, at);
    scaled(c, at, SURFACES, 1, 3 << 18);
}

static void image(struct engine_commands *c, struct engine_places at) {
    surfaces(c, at);
    SEND(c, ON_IMAGE, 0x19c, SURFACES);
    SEND(c, ON_IMAGE, 0x2fc, SRCCOPY, 4, 0, FEW << 16 | 512, FEW << 16 | 512);
    engine_stream(c, CHANNEL_OF(ON_IMAGE), 0x400, COLOR, FEW * 512);
}

/* Steep ones, a row for each pixel. */
static void lines(struct engine_commands *c, struct engine_places at) {
    surfaces(c, at);
    SEND(c, ON_LINE, 0x198, SURFACES);
    SEND(c, ON_LINE, 0x2fc, SRCCOPY, 3, COLOR);
    for (uint32_t i = 0; i < FEW; i++)
        SEND(c, ON_LINE, 0x400, i, WIDTH << 16 | (i + 500));
}

static void notifiers(struct engine_commands *c, struct engine_places at) {
    (void)at;
    SEND(c, ON_3D, 0x180, VRAM);
    for (uint32_t i = 0; i < FEW; i++)
        SEND(c, ON_3D, 0x104, 0, 0); /* NOTIFY, and what it is told after */
}

/* clang-format off */
static const struct engine_row rows[] = {
    {"M2MF, lines of a pitch", copy_lines, PITCH * LINES, 0, true, 0},
    {"M2MF, every second byte", copy_spread, 256 * LINES, 0, true, 0},
    {"M2MF, lines of 4 bytes", copy_narrow, 4 * LINES, 0, true, 0},
    {"3D clear, pitch", clear_pitch, BYTES, 0, false, COLOR},
    {"3D clear, swizzled", clear_swizzled, BYTES, 0, false, COLOR},
    {"3D clear, inside of swizzled", clear_inside, BYTES, 0, false, COLOR},
    {"3D clear, pitch, masked", clear_pitch_masked, BYTES, 0, false, 0},
    {"3D clear, swizzled, masked", clear_swizzled_masked, BYTES, 0, false, 0},
    {"3D notifier", notifiers, 0, FEW, false, 0},
    {"2D fill, pitch", fill, BYTES, 0, false, COLOR | 0xff000000},
    {"2D raster operation", invert, BYTES, 0, false, 0},
    {"2D text", text, FEW * WIDTH * 4, 0, false, 0},
    {"2D lines", lines, FEW * WIDTH * 4, 0, false, 0},
    {"2D blit, pitch", blit_raw, BYTES, 0, true, 0},
    {"2D blit, blended", blit_blended, BYTES, 0, false, 0},
    {"2D image from CPU", image, FEW * 512 * 4, 0, true, COLOR},
    {"2D scaled image, pitch", scaled_pitch, IMAGE * IMAGE * 4, 0, true, 0},
    {"2D scaled image, swizzled", scaled_swizzled, IMAGE * IMAGE * 4, 0, true, 0},
    {"2D scaled image, filtered", scaled_filtered, IMAGE * IMAGE * 4, 0, true, 0},
};
/* clang-format on */

static const struct {
    uint32_t handle, object_class;
} objects[] = {{SURFACES, 0x3062}, {SWIZZLED, 0x309e},  {ROP, 0x43},        {PATTERN, 0x44},
               {BETA4, 0x72},      {ON_3D, 0x4097},     {ON_M2MF, 0x39},    {ON_GDI, 0x4a},
               {ON_BLIT, 0x9f},    {ON_SCALED, 0x3089}, {ON_IMAGE, 0x308a}, {ON_LINE, 0x5c}};

void bench_engines_nv40(void) {
    uint64_t units;
    const struct pfifo_channel_config config = {.vram_handle = VRAM, .gart_handle = GART};
    struct engine_machine *machine = engine_open("NV40", BYTES, &config, &bench_format_nv4);
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        engine_object(machine, objects[i].handle, objects[i].object_class);
        if (objects[i].handle >= ON_3D)
            SEND(&machine->commands, objects[i].handle, 0, objects[i].handle);
    }
    SEND(&machine->commands, ON_CONTEXT, 0, PATTERN);
    SEND(&machine->commands, ON_CONTEXT, 0x300, 3, 2, 0, 1, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX);
    engine_run(machine, &units);
    engine_measure(machine, rows, sizeof rows / sizeof rows[0]);
    engine_close(machine);
}
