/* SPDX-License-Identifier: MIT */
/*
 * Copies, fills, blits, clears and all else that engines of a GM107 do. Surfaces are 16 KiB wide and have 2048 lines.
 */
#include "engines.h"

#define CHIP  "GM107"
#define LINES 2048u
#define WIDTH 4096u /* pixels of 32 bits */
#define PITCH (4u * WIDTH)
#define BYTES ((size_t)PITCH * LINES)

/* Subchannels of a graphics channel, and the classes that are bound to them. */
enum { SUBCHANNEL_3D = 0, SUBCHANNEL_2D = 3, SUBCHANNEL_COPY = 4 };

#define CLASS_3D   0xb097u
#define CLASS_2D   0x902du
#define CLASS_COPY 0xb0b5u

#define BLOCK_HEIGHT   4u /* log2: 16 gobs, as drivers have it for surfaces of this size */
#define FORMAT_BGRA8   0xcfu
#define FORMAT_RGBA8   0xd5u
#define FORMAT_RGB10A2 0xd1u
#define PATTERN        0x12345678u
#define FEW            256u /* lines, where each pixel takes long */
#define UPLOAD_WORDS   0x20000u
#define CALLS          4096u
#define LOOPS          200000u

#define COPY_PITCH_IN   0x080u
#define COPY_PITCH_OUT  0x100u
#define COPY_MULTI_LINE 0x200u
#define COPY_REMAP      0x400u

static void copy(struct engine_commands *commands, struct engine_places at, uint32_t launch, uint32_t length,
                 uint32_t lines) {
    const uint32_t block = BLOCK_HEIGHT << 4 | 0x1000; /* gobs of 8 lines */
    const uint32_t width = launch & COPY_REMAP ? WIDTH : PITCH;
    METHOD(commands, SUBCHANNEL_COPY, 0x400, HIGH(at.from), LOW(at.from), HIGH(at.to), LOW(at.to), PITCH, PITCH, length,
           lines);
    METHOD(commands, SUBCHANNEL_COPY, 0x70c, block, width, LINES, 1, 0, 0);
    METHOD(commands, SUBCHANNEL_COPY, 0x728, block, width, LINES, 1, 0, 0);
    METHOD(commands, SUBCHANNEL_COPY, 0x300, launch | 2);
}

static void copy_linear(struct engine_commands *commands, struct engine_places at) {
    copy(commands, at, COPY_PITCH_IN | COPY_PITCH_OUT, BYTES, 1);
}

static void copy_lines(struct engine_commands *commands, struct engine_places at) {
    copy(commands, at, COPY_PITCH_IN | COPY_PITCH_OUT | COPY_MULTI_LINE, PITCH - 64, LINES);
}

static void copy_to_pitch(struct engine_commands *commands, struct engine_places at) {
    copy(commands, at, COPY_PITCH_OUT | COPY_MULTI_LINE, PITCH, LINES);
}

static void copy_from_pitch(struct engine_commands *commands, struct engine_places at) {
    copy(commands, at, COPY_PITCH_IN | COPY_MULTI_LINE, PITCH, LINES);
}

/* Components that are constants. */
static void copy_fill(struct engine_commands *commands, struct engine_places at, uint32_t launch) {
    METHOD(commands, SUBCHANNEL_COPY, 0x700, PATTERN, 0, 0x00030004);
    copy(commands, at, launch | COPY_PITCH_IN | COPY_MULTI_LINE | COPY_REMAP, WIDTH, LINES);
}

static void copy_fill_pitch(struct engine_commands *commands, struct engine_places at) {
    copy_fill(commands, at, COPY_PITCH_OUT);
}

static void copy_fill_block(struct engine_commands *commands, struct engine_places at) {
    copy_fill(commands, at, 0);
}

static void copy_block(struct engine_commands *commands, struct engine_places at) {
    copy(commands, at, COPY_MULTI_LINE, PITCH, LINES);
}

/* A surface of the 2D object: its methods begin at 0x200 (destination) or 0x230 (source). */
static void surface_2d(struct engine_commands *commands, uint32_t first, uint64_t address, bool pitch) {
    METHOD(commands, SUBCHANNEL_2D, first, FORMAT_BGRA8, pitch, BLOCK_HEIGHT << 4, 1);
    METHOD(commands, SUBCHANNEL_2D, first + 0x14, PITCH, WIDTH, LINES, HIGH(address), LOW(address));
}

/* `border`: pixels on each side that are left as they are. */
static void fill(struct engine_commands *commands, struct engine_places at, bool pitch, uint32_t border) {
    surface_2d(commands, 0x200, at.to, pitch);
    METHOD(commands, SUBCHANNEL_2D, 0x2ac, 3);
    METHOD(commands, SUBCHANNEL_2D, 0x580, 4, FORMAT_BGRA8, PATTERN);
    METHOD(commands, SUBCHANNEL_2D, 0x600, border, border, WIDTH - border, LINES - border);
}

static void fill_pitch(struct engine_commands *commands, struct engine_places at) {
    fill(commands, at, true, 0);
}

static void fill_block(struct engine_commands *commands, struct engine_places at) {
    fill(commands, at, false, 0);
}

static void fill_inside(struct engine_commands *commands, struct engine_places at) {
    fill(commands, at, false, 5);
}

static void blit(struct engine_commands *commands, struct engine_places at, bool pitch) {
    surface_2d(commands, 0x200, at.to, pitch);
    surface_2d(commands, 0x230, at.from, pitch);
    METHOD(commands, SUBCHANNEL_2D, 0x2ac, 3);
    METHOD(commands, SUBCHANNEL_2D, 0x88c, 0);
    METHOD(commands, SUBCHANNEL_2D, 0x8b0, 0, 0, WIDTH, LINES, 0, 1, 0, 1, 0, 0, 0, 0);
}

static void blit_pitch(struct engine_commands *commands, struct engine_places at) {
    blit(commands, at, true);
}

static void blit_block(struct engine_commands *commands, struct engine_places at) {
    blit(commands, at, false);
}

/* The 2D object takes its source pixels apart, or not. */
static void convert(struct engine_commands *commands, struct engine_places at, uint32_t source, uint32_t step,
                    uint32_t filter, uint32_t operation) {
    surface_2d(commands, 0x200, at.to, false);
    surface_2d(commands, 0x230, at.from, false);
    METHOD(commands, SUBCHANNEL_2D, 0x230, source);
    METHOD(commands, SUBCHANNEL_2D, 0x2a0, 0x66, 0x7f800000, 0x80808080, operation);
    METHOD(commands, SUBCHANNEL_2D, 0x88c, filter << 4);
    METHOD(commands, SUBCHANNEL_2D, 0x8b0, 0, 0, WIDTH, FEW, step, 0, step, 0, 0, 0, 0, 0);
}

static void blit_swapped(struct engine_commands *commands, struct engine_places at) {
    convert(commands, at, FORMAT_RGBA8, 0, 0, 3);
    commands->word[commands->words - 8] = commands->word[commands->words - 6] = 1;
}

static void blit_converted(struct engine_commands *commands, struct engine_places at) {
    convert(commands, at, FORMAT_RGB10A2, 0, 0, 3);
}

static void blit_scaled(struct engine_commands *commands, struct engine_places at) {
    convert(commands, at, FORMAT_BGRA8, 0x80000000, 0, 3);
}

static void blit_filtered(struct engine_commands *commands, struct engine_places at) {
    convert(commands, at, FORMAT_BGRA8, 0x80000000, 1, 3);
}

static void blit_blended(struct engine_commands *commands, struct engine_places at) {
    convert(commands, at, FORMAT_BGRA8, 0x80000000, 0, 2);
}

static void blit_xor(struct engine_commands *commands, struct engine_places at) {
    convert(commands, at, FORMAT_BGRA8, 0x80000000, 0, 4);
}

/* Lines and triangles; the solid's methods. */
static void lines(struct engine_commands *commands, struct engine_places at) {
    surface_2d(commands, 0x200, at.to, false);
    METHOD(commands, SUBCHANNEL_2D, 0x2ac, 3);
    METHOD(commands, SUBCHANNEL_2D, 0x580, 1, FORMAT_BGRA8, PATTERN);
    for (uint32_t i = 0; i < FEW; i++)
        METHOD(commands, SUBCHANNEL_2D, 0x600, i, 0, 2 * i, LINES);
}

static void triangle(struct engine_commands *commands, struct engine_places at) {
    surface_2d(commands, 0x200, at.to, false);
    METHOD(commands, SUBCHANNEL_2D, 0x2ac, 3);
    METHOD(commands, SUBCHANNEL_2D, 0x580, 3, FORMAT_BGRA8, PATTERN);
    METHOD(commands, SUBCHANNEL_2D, 0x600, 0, 0, WIDTH, 0, 0, LINES);
}

/* Pixels from the CPU. */
static void upload(struct engine_commands *commands, struct engine_places at) {
    surface_2d(commands, 0x200, at.to, false);
    METHOD(commands, SUBCHANNEL_2D, 0x2ac, 3);
    METHOD(commands, SUBCHANNEL_2D, 0x800, 0, FORMAT_BGRA8);
    METHOD(commands, SUBCHANNEL_2D, 0x838, 1024, UPLOAD_WORDS / 1024, 0, 1, 0, 1, 0, 0, 0, 0);
    engine_stream(commands, SUBCHANNEL_2D, 0x860, PATTERN, UPLOAD_WORDS);
}

/* Inline data of the 3D object's window. */
static void inline_data(struct engine_commands *commands, struct engine_places at, uint32_t length, uint32_t launch) {
    METHOD(commands, SUBCHANNEL_3D, 0x180, length, UPLOAD_WORDS * 4 / length, HIGH(at.to), LOW(at.to), length,
           BLOCK_HEIGHT << 4, PITCH, LINES, 1, 0, 0, 0);
    METHOD(commands, SUBCHANNEL_3D, 0x1b0, launch);
    engine_stream(commands, SUBCHANNEL_3D, 0x1b4, PATTERN, UPLOAD_WORDS);
}

static void inline_linear(struct engine_commands *commands, struct engine_places at) {
    inline_data(commands, at, UPLOAD_WORDS * 4, 1);
}

static void inline_block(struct engine_commands *commands, struct engine_places at) {
    inline_data(commands, at, 1024, 0);
}

static void inline_bytes(struct engine_commands *commands, struct engine_places at) {
    METHOD(commands, SUBCHANNEL_3D, 0x180, 1, LINES, HIGH(at.to), LOW(at.to), 1, BLOCK_HEIGHT << 4, PITCH, LINES, 1, 0,
           0, 0);
    METHOD(commands, SUBCHANNEL_3D, 0x1b0, 0);
    engine_stream(commands, SUBCHANNEL_3D, 0x1b4, PATTERN, LINES / 4);
}

static void constants(struct engine_commands *commands, struct engine_places at) {
    METHOD(commands, SUBCHANNEL_3D, 0x2380, 0x10000, HIGH(at.to), LOW(at.to), 0);
    for (uint32_t i = 0; i < UPLOAD_WORDS / 1024; i++)
        engine_stream(commands, SUBCHANNEL_3D, 0x2390, PATTERN, 1024);
}

/* Copies by pixels: components change places, or lines are short. */
static void copy_remapped(struct engine_commands *commands, struct engine_places at) {
    METHOD(commands, SUBCHANNEL_COPY, 0x700, 0, 0, 0x03303012);
    copy(commands, at, COPY_PITCH_IN | COPY_PITCH_OUT | COPY_MULTI_LINE | COPY_REMAP, WIDTH, FEW);
}

static void copy_columns(struct engine_commands *commands, struct engine_places at) {
    copy(commands, at, COPY_PITCH_IN | COPY_PITCH_OUT | COPY_MULTI_LINE, 4, LINES);
}

static void copy_column_block(struct engine_commands *commands, struct engine_places at) {
    copy(commands, at, COPY_MULTI_LINE, 4, LINES);
}

static void semaphores(struct engine_commands *commands, struct engine_places at) {
    for (uint32_t i = 0; i < CALLS; i++)
        METHOD(commands, SUBCHANNEL_3D, 0x1b00, HIGH(at.to), LOW(at.to), i, 0x10000000);
}

static void small_copies(struct engine_commands *commands, struct engine_places at) {
    copy(commands, at, COPY_PITCH_IN | COPY_PITCH_OUT, 64, 1);
    for (uint32_t i = 1; i < CALLS; i++)
        METHOD(commands, SUBCHANNEL_COPY, 0x300, COPY_PITCH_IN | COPY_PITCH_OUT | 2);
}

/* A macro that counts its parameter down to 0: two instructions each time. */
static void macro(struct engine_commands *commands, struct engine_places at) {
    (void)at;
    METHOD(commands, SUBCHANNEL_3D, 0x11c, 0, 0);
    METHOD(commands, SUBCHANNEL_3D, 0x114, 0);
    METHOD(commands, SUBCHANNEL_3D, 0x118, 0xffffc911);
    METHOD(commands, SUBCHANNEL_3D, 0x118, 0xffffc837);
    METHOD(commands, SUBCHANNEL_3D, 0x118, 0x00000091);
    METHOD(commands, SUBCHANNEL_3D, 0x118, 0x00000011);
    METHOD(commands, SUBCHANNEL_3D, 0x3800, LOOPS);
}

static void clear_surface(struct engine_commands *commands, struct engine_places at, bool pitch, uint32_t buffers) {
    METHOD(commands, SUBCHANNEL_3D, 0x800, HIGH(at.to), LOW(at.to), pitch ? PITCH : WIDTH, LINES, FORMAT_BGRA8,
           pitch ? 0x1000 : BLOCK_HEIGHT << 4, 1, 0, 0);
    METHOD(commands, SUBCHANNEL_3D, 0xff4, WIDTH << 16, LINES << 16);
    METHOD(commands, SUBCHANNEL_3D, 0x121c, 1);
    METHOD(commands, SUBCHANNEL_3D, 0x1558, 1); /* no condition, */
    METHOD(commands, SUBCHANNEL_3D, 0x10f8, 0); /* and nothing else that limits the area */
    METHOD(commands, SUBCHANNEL_3D, 0xd80, 0x3e800000, 0x3f000000, 0x3f400000, 0x3f800000);
    METHOD(commands, SUBCHANNEL_3D, 0x19d0, buffers);
}

static void clear(struct engine_commands *commands, struct engine_places at) {
    clear_surface(commands, at, false, 0x3c);
}

static void clear_pitch(struct engine_commands *commands, struct engine_places at) {
    clear_surface(commands, at, true, 0x3c);
}

static void clear_masked(struct engine_commands *commands, struct engine_places at) {
    clear_surface(commands, at, false, 0x1c);
}

static void clear_masked_pitch(struct engine_commands *commands, struct engine_places at) {
    clear_surface(commands, at, true, 0x1c);
}

/* clang-format off */
static const struct engine_row rows[] = {
    {"copy, linear", copy_linear, BYTES, 0, true, 0},
    {"copy, lines of a pitch", copy_lines, BYTES, 0, true, 0},
    {"copy, block-linear to pitch", copy_to_pitch, BYTES, 0, true, 0},
    {"copy, pitch to block-linear", copy_from_pitch, BYTES, 0, true, 0},
    {"copy, block-linear", copy_block, BYTES, 0, true, 0},
    {"copy, components", copy_remapped, PITCH * FEW, 0, false, 0},
    {"copy, a column of a pitch", copy_columns, 4 * LINES, 0, true, 0},
    {"copy, a column of blocks", copy_column_block, 4 * LINES, 0, true, 0},
    {"copy, 64 bytes", small_copies, 0, CALLS, false, 0},
    {"copy fill, pitch", copy_fill_pitch, BYTES, 0, false, PATTERN},
    {"copy fill, block-linear", copy_fill_block, BYTES, 0, false, PATTERN},
    {"inline data, linear", inline_linear, UPLOAD_WORDS * 4, 0, true, PATTERN},
    {"inline data, block-linear", inline_block, UPLOAD_WORDS * 4, 0, true, PATTERN},
    {"inline data, a column of blocks", inline_bytes, LINES, 0, false, 0},
    {"constants", constants, UPLOAD_WORDS * 4, 0, true, PATTERN},
    {"2D fill, pitch", fill_pitch, BYTES, 0, false, PATTERN},
    {"2D fill, block-linear", fill_block, BYTES, 0, false, PATTERN},
    {"2D fill, inside of blocks", fill_inside, BYTES, 0, false, PATTERN},
    {"2D triangle", triangle, BYTES / 2, 0, false, PATTERN},
    {"2D lines", lines, 4 * FEW * LINES, 0, false, PATTERN},
    {"2D upload", upload, UPLOAD_WORDS * 4, 0, true, PATTERN},
    {"2D blit, pitch", blit_pitch, BYTES, 0, true, 0},
    {"2D blit, block-linear", blit_block, BYTES, 0, true, 0},
    {"2D blit, components moved", blit_swapped, PITCH * FEW, 0, false, 0},
    {"2D blit, converted", blit_converted, PITCH * FEW, 0, false, 0},
    {"2D blit, scaled", blit_scaled, PITCH * FEW, 0, false, 0},
    {"2D blit, scaled and filtered", blit_filtered, PITCH * FEW, 0, false, 0},
    {"2D blit, raster operation", blit_xor, PITCH * FEW, 0, false, 0},
    {"2D blit, blended", blit_blended, PITCH * FEW, 0, false, 0},
    {"3D clear, pitch", clear_pitch, BYTES, 0, false, 0xff4080bf},
    {"3D clear, block-linear", clear, BYTES, 0, false, 0xff4080bf},
    {"3D clear, pitch, masked", clear_masked_pitch, BYTES, 0, false, 0},
    {"3D clear, block-linear, masked", clear_masked, BYTES, 0, false, 0},
    {"3D semaphore", semaphores, 0, CALLS, false, 0},
    {"3D macro, an instruction", macro, 0, 2 * LOOPS, false, 0},
};
/* clang-format on */

void bench_engines_gm107(void) {
    uint64_t units;
    struct engine_machine *machine = engine_open(CHIP, BYTES, &(struct pfifo_channel_config){0}, &bench_format_gf100);
    METHOD(&machine->commands, SUBCHANNEL_3D, 0, CLASS_3D);
    METHOD(&machine->commands, SUBCHANNEL_2D, 0, CLASS_2D);
    METHOD(&machine->commands, SUBCHANNEL_COPY, 0, CLASS_COPY);
    engine_run(machine, &units);
    engine_measure(machine, rows, sizeof rows / sizeof rows[0]);
    engine_close(machine);
}
