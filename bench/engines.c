/* SPDX-License-Identifier: MIT */
/*
 * Launches that move 32 MiB each, through a channel like any other: copies, fills, blits and clears of a GM107, whose
 * surfaces are 16 KiB wide and have 2048 lines. Each is measured in turn with a memcpy() or memset() of as many bytes.
 */
#include "engines.h"

#include <pfifo/driver.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "stream.h"

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

#define BLOCK_HEIGHT 4u /* log2: 16 gobs, as drivers have it for surfaces of this size */
#define FORMAT_BGRA8 0xcfu
#define MAX_WORDS    256
#define PATTERN      0x12345678u

/* ---- commands ---- */

struct commands {
    uint32_t word[MAX_WORDS];
    size_t words;
};

static void method(struct commands *commands, uint32_t subchannel, uint32_t first, const uint32_t *data,
                   uint32_t count) {
    commands->word[commands->words++] = bench_format_gf100.header(false, subchannel, first, count);
    memcpy(&commands->word[commands->words], data, count * sizeof *data);
    commands->words += count;
}

#define METHOD(commands, subchannel, first, ...)                                                                       \
    method(commands, subchannel, first, (const uint32_t[]){__VA_ARGS__},                                               \
           (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)))

struct places {
    uint64_t from, to;
};

#define HIGH(address) (uint32_t)((address) >> 32)
#define LOW(address)  (uint32_t)(address)

#define COPY_PITCH_IN   0x080u
#define COPY_PITCH_OUT  0x100u
#define COPY_MULTI_LINE 0x200u
#define COPY_REMAP      0x400u

static void copy(struct commands *commands, struct places at, uint32_t launch, uint32_t length, uint32_t lines) {
    const uint32_t block = BLOCK_HEIGHT << 4 | 0x1000; /* gobs of 8 lines */
    const uint32_t width = launch & COPY_REMAP ? WIDTH : PITCH;
    METHOD(commands, SUBCHANNEL_COPY, 0x400, HIGH(at.from), LOW(at.from), HIGH(at.to), LOW(at.to), PITCH, PITCH, length,
           lines);
    METHOD(commands, SUBCHANNEL_COPY, 0x70c, block, width, LINES, 1, 0, 0);
    METHOD(commands, SUBCHANNEL_COPY, 0x728, block, width, LINES, 1, 0, 0);
    METHOD(commands, SUBCHANNEL_COPY, 0x300, launch | 2);
}

static void copy_linear(struct commands *commands, struct places at) {
    copy(commands, at, COPY_PITCH_IN | COPY_PITCH_OUT, BYTES, 1);
}

static void copy_lines(struct commands *commands, struct places at) {
    copy(commands, at, COPY_PITCH_IN | COPY_PITCH_OUT | COPY_MULTI_LINE, PITCH - 64, LINES);
}

static void copy_to_pitch(struct commands *commands, struct places at) {
    copy(commands, at, COPY_PITCH_OUT | COPY_MULTI_LINE, PITCH, LINES);
}

static void copy_from_pitch(struct commands *commands, struct places at) {
    copy(commands, at, COPY_PITCH_IN | COPY_MULTI_LINE, PITCH, LINES);
}

/* Components that are constants. */
static void copy_fill(struct commands *commands, struct places at, uint32_t launch) {
    METHOD(commands, SUBCHANNEL_COPY, 0x700, PATTERN, 0, 0x00030004);
    copy(commands, at, launch | COPY_PITCH_IN | COPY_MULTI_LINE | COPY_REMAP, WIDTH, LINES);
}

static void copy_fill_pitch(struct commands *commands, struct places at) {
    copy_fill(commands, at, COPY_PITCH_OUT);
}

static void copy_fill_block(struct commands *commands, struct places at) {
    copy_fill(commands, at, 0);
}

static void copy_block(struct commands *commands, struct places at) {
    copy(commands, at, COPY_MULTI_LINE, PITCH, LINES);
}

/* A surface of the 2D object: its methods begin at 0x200 (destination) or 0x230 (source). */
static void surface_2d(struct commands *commands, uint32_t first, uint64_t address, bool pitch) {
    METHOD(commands, SUBCHANNEL_2D, first, FORMAT_BGRA8, pitch, BLOCK_HEIGHT << 4, 1);
    METHOD(commands, SUBCHANNEL_2D, first + 0x14, PITCH, WIDTH, LINES, HIGH(address), LOW(address));
}

/* `border`: pixels on each side that are left as they are. */
static void fill(struct commands *commands, struct places at, bool pitch, uint32_t border) {
    surface_2d(commands, 0x200, at.to, pitch);
    METHOD(commands, SUBCHANNEL_2D, 0x2ac, 3);
    METHOD(commands, SUBCHANNEL_2D, 0x580, 4, FORMAT_BGRA8, PATTERN);
    METHOD(commands, SUBCHANNEL_2D, 0x600, border, border, WIDTH - border, LINES - border);
}

static void fill_pitch(struct commands *commands, struct places at) {
    fill(commands, at, true, 0);
}

static void fill_block(struct commands *commands, struct places at) {
    fill(commands, at, false, 0);
}

static void fill_inside(struct commands *commands, struct places at) {
    fill(commands, at, false, 5);
}

static void blit(struct commands *commands, struct places at, bool pitch) {
    surface_2d(commands, 0x200, at.to, pitch);
    surface_2d(commands, 0x230, at.from, pitch);
    METHOD(commands, SUBCHANNEL_2D, 0x2ac, 3);
    METHOD(commands, SUBCHANNEL_2D, 0x88c, 0);
    METHOD(commands, SUBCHANNEL_2D, 0x8b0, 0, 0, WIDTH, LINES, 0, 1, 0, 1, 0, 0, 0, 0);
}

static void blit_pitch(struct commands *commands, struct places at) {
    blit(commands, at, true);
}

static void blit_block(struct commands *commands, struct places at) {
    blit(commands, at, false);
}

static void clear(struct commands *commands, struct places at) {
    METHOD(commands, SUBCHANNEL_3D, 0x800, HIGH(at.to), LOW(at.to), WIDTH, LINES, FORMAT_BGRA8, BLOCK_HEIGHT << 4, 1, 0,
           0);
    METHOD(commands, SUBCHANNEL_3D, 0xff4, WIDTH << 16, LINES << 16);
    METHOD(commands, SUBCHANNEL_3D, 0x121c, 1);
    METHOD(commands, SUBCHANNEL_3D, 0x1558, 1); /* no condition, */
    METHOD(commands, SUBCHANNEL_3D, 0x10f8, 0); /* and nothing else that limits the area */
    METHOD(commands, SUBCHANNEL_3D, 0xd80, 0x3e800000, 0x3f000000, 0x3f400000, 0x3f800000);
    METHOD(commands, SUBCHANNEL_3D, 0x19d0, 0x3c);
}

static const struct row {
    const char *name;
    void (*make)(struct commands *commands, struct places at);
    bool reads;       /* as memcpy() does */
    uint32_t written; /* first word afterwards, if it does not */
} rows[] = {
    {"copy, linear", copy_linear, true, 0},
    {"copy, lines of a pitch", copy_lines, true, 0},
    {"copy, block-linear to pitch", copy_to_pitch, true, 0},
    {"copy, pitch to block-linear", copy_from_pitch, true, 0},
    {"copy, block-linear", copy_block, true, 0},
    {"copy fill, pitch", copy_fill_pitch, false, PATTERN},
    {"copy fill, block-linear", copy_fill_block, false, PATTERN},
    {"2D fill, pitch", fill_pitch, false, PATTERN},
    {"2D fill, block-linear", fill_block, false, PATTERN},
    {"2D fill, inside of blocks", fill_inside, false, PATTERN},
    {"2D blit, pitch", blit_pitch, true, 0},
    {"2D blit, block-linear", blit_block, true, 0},
    {"3D clear, block-linear", clear, false, 0xff4080bf},
};

/* ---- measuring ---- */

struct machine {
    struct pfifo_device *device;
    struct pfifo_channel *channel;
    struct pfifo_buffer *push, *from, *to;
    uint8_t *host_from, *host_to;
};

static void die(const char *what, const char *why) {
    fprintf(stderr, "pfifo-bench: %s: %s\n", what, why);
    exit(1);
}

static double run(struct machine *machine, const struct commands *commands) {
    struct pfifo_error error;
    double start = measure_now();
    if (!pfifo_buffer_write(machine->push, 0, commands->word, commands->words * 4) ||
        pfifo_channel_submit(machine->channel, pfifo_buffer_address(machine->push), commands->words * 4, 0, &error) !=
            PFIFO_OK ||
        pfifo_device_wait(machine->device, UINT64_MAX, &error) != PFIFO_OK)
        die("run", error.message);
    return measure_now() - start;
}

static double run_host(const struct machine *machine, bool reads, int round) {
    double start = measure_now();
    if (reads)
        memcpy(machine->host_to, machine->host_from, BYTES);
    else
        memset(machine->host_to, round + 1, BYTES); /* of zeros processors write less */
    return measure_now() - start;
}

/* The first bytes that a row has written: what a copy should have taken from `from`, or a colour. */
static void check(const struct machine *machine, const struct row *row) {
    uint32_t written = 0, expected = row->written;
    if (row->reads && !pfifo_buffer_read(machine->from, 0, &expected, sizeof expected))
        abort();
    if (!pfifo_buffer_read(machine->to, 0, &written, sizeof written) || written != expected ||
        pfifo_device_faults(machine->device))
        die(row->name, "it has not done what it says");
}

static void measure(struct machine *machine, const struct row *row) {
    struct commands commands = {.words = 0};
    struct measure rounds = {.rounds = 0};
    struct places at = {pfifo_buffer_address(machine->from), pfifo_buffer_address(machine->to)};
    row->make(&commands, at);
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        double host = run_host(machine, row->reads, round), seconds = run(machine, &commands);
        measure_add(&rounds, seconds, host / seconds);
    }
    check(machine, row);
    struct measured result = measure_end(&rounds);
    printf("%-28s %-6s %9.2f %8.2f   (of %s; %.2f .. %.2f)\n", row->name, CHIP, (double)BYTES / result.seconds / 1e9,
           result.ratio, row->reads ? "memcpy" : "memset", result.low, result.high);
    fflush(stdout);
}

static struct pfifo_buffer *buffer(struct machine *machine, size_t bytes) {
    struct pfifo_error error;
    struct pfifo_buffer *made = pfifo_buffer_new(machine->device, PFIFO_VRAM, bytes, 0, &error);
    if (!made)
        die("buffer", error.message);
    return made;
}

static void bind_objects(struct machine *machine) {
    struct commands commands = {.words = 0};
    METHOD(&commands, SUBCHANNEL_3D, 0, CLASS_3D);
    METHOD(&commands, SUBCHANNEL_2D, 0, CLASS_2D);
    METHOD(&commands, SUBCHANNEL_COPY, 0, CLASS_COPY);
    run(machine, &commands);
}

static void open_machine(struct machine *machine) {
    struct pfifo_error error;
    struct pfifo_device_config config = {.gpu = {.chip = pfifo_chip_by_name(CHIP)}};
    machine->device = pfifo_device_open(&config, &error);
    machine->channel =
        machine->device ? pfifo_channel_open(machine->device, &(struct pfifo_channel_config){0}, &error) : NULL;
    if (!machine->channel)
        die(CHIP, error.message);
    machine->push = buffer(machine, sizeof(uint32_t) * MAX_WORDS);
    machine->from = buffer(machine, BYTES);
    machine->to = buffer(machine, BYTES);
    machine->host_from = malloc(BYTES);
    machine->host_to = malloc(BYTES);
    if (!machine->host_from || !machine->host_to)
        die("buffer", "no memory");
    for (size_t i = 0; i < BYTES; i++)
        machine->host_from[i] = (uint8_t)(i * 7 + i / 4096);
    memset(machine->host_to, 0, BYTES);
    if (!pfifo_buffer_write(machine->from, 0, machine->host_from, BYTES))
        abort();
    bind_objects(machine);
}

void bench_engines(void) {
    struct machine machine = {0};
    open_machine(&machine);
    printf("%-28s %-6s %9s %8s\n", "engines", "chip", "GB/s", "ratio");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        measure(&machine, &rows[i]);
    pfifo_device_close(machine.device);
    free(machine.host_from);
    free(machine.host_to);
}
