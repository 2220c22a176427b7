/* SPDX-License-Identifier: MIT */
/*
 * A LAUNCH, as deko3d submits it. 64 groups of 256 threads fill a picture: each group a tile. A thread computes a
 * number, puts it into the group's shared memory, waits at a barrier for the others, and reads the number of its mirror
 * image across the tile's diagonal. All threads of a group add their numbers to one sum in memory.
 *
 *   compute             launch and compare
 *   compute FILE.png    and write the picture
 *
 * Where, how many and with what: that is in a QMD, 64 words in memory, version 1.7 here. The constants of the program
 * follow it: sizes, then addresses of buffers. Both go inline to memory with methods of the compute class itself.
 *
 * A second launch does the same, but that its groups are counted by words in memory, which programs before it could have
 * written. They go over what the QMD and the constants say.
 */
#include "tegra.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    TILE = 16,  /* a group is so many threads, .. */
    GROUPS = 8, /* .. and the grid so many groups, both across and down */
    SIZE = TILE * GROUPS,
    PICTURE = 0x1000, /* after the program */
    SUMS = PICTURE + SIZE * SIZE * 4,
    COUNTS = SUMS + GROUPS * GROUPS * 4, /* of groups: across, down, deep */
    BYTES = COUNTS + 3 * 4,
    REGISTERS = 16,
};

/*
 * In GLSL, but for the sizes of the buffers, which nobody checks here:
 *
 *   layout(local_size_x = 16, local_size_y = 16) in;
 *   layout(std430, binding = 0) buffer Picture { uint picture[]; };
 *   layout(std430, binding = 1) buffer Sums { uint sums[]; };
 *   shared uint tile[16][16];
 *   void main() {
 *       uvec2 at = gl_GlobalInvocationID.xy, in_tile = gl_LocalInvocationID.xy;
 *       uint v = at.x * at.y & 0xffu;
 *       tile[in_tile.y][in_tile.x] = v;
 *       barrier();
 *       uint w = tile[in_tile.x][in_tile.y];
 *       picture[at.y * 128u + at.x] = v | w << 8 | 0xff000000u;
 *       atomicAdd(sums[gl_WorkGroupID.y * 8u + gl_WorkGroupID.x], v);
 *   }
 *
 * A program of a launch has no header. Its instructions are at a multiple of 0x80 in the region of programs.
 */
static const uint64_t code[] = {
    0x001c0400e0200701, /* schedule */
    0xf0c8000002170000, /* S2R R0, TID.X              lx */
    0xf0c8000002270001, /* S2R R1, TID.Y              ly */
    0xf0c8000002570002, /* S2R R2, CTAID.X            which group */
    0x001f9801fcc00702, /* schedule */
    0xf0c8000002670003, /* S2R R3, CTAID.Y */
    0x5c18020000070204, /* ISCADD R4, R2, R0, 4       x = 16 * group + lx */
    0x5c18020000170305, /* ISCADD R5, R3, R1, 4       y */
    0x001f9800fcc007e6, /* schedule */
    0x5b007f8000570406, /* XMAD R6, R4, R5, RZ        x * y */
    0x384700000ff70606, /* LOP.AND R6, R6, 0xff       v */
    0x5c18020000070107, /* ISCADD R7, R1, R0, 4 */
    0x001f9400fc4007e6, /* schedule */
    0x3848000000270707, /* SHL R7, R7, 2 */
    0xef5c000000070706, /* STS [R7], R6               tile[ly][lx] = v */
    0xf0a803800ff7ff00, /* BAR.SYNC 0                 all of the group are here */
    0x001c0800fcc007e6, /* schedule */
    0x5c18020000170008, /* ISCADD R8, R0, R1, 4 */
    0x3848000000270808, /* SHL R8, R8, 2 */
    0xef4c000000070808, /* LDS R8, [R8]               w = tile[lx][ly] */
    0x001f9800fcc007e6, /* schedule */
    0x5c18038000470509, /* ISCADD R9, R5, R4, 7 */
    0x3848000000270909, /* SHL R9, R9, 2 */
    0x4c1080000507090a, /* IADD.CC R10, R9, c[0][0x140] */
    0x001f9801fcc007e6, /* schedule */
    0x4c1008000517ff0b, /* IADD.X R11, RZ, c[0][0x144] */
    0x5c1804000067080c, /* ISCADD R12, R8, R6, 8 */
    0x042ff00000070c0c, /* LOP32I.OR R12, R12, 0xff000000 */
    0x001f9800fcc007e2, /* schedule */
    0xeedc200000070a0c, /* STG.E [R10], R12           picture[y][x] */
    0x5c1801800027030d, /* ISCADD R13, R3, R2, 3 */
    0x3848000000270d0d, /* SHL R13, R13, 2 */
    0x001f8800fcc007e6, /* schedule */
    0x4c10800005470d0e, /* IADD.CC R14, R13, c[0][0x150] */
    0x4c1008000557ff0f, /* IADD.X R15, RZ, c[0][0x154] */
    0xebf9000000070e06, /* RED.E.ADD [R14], R6        sums[group] += v */
    0x001f8000fc0007ef, /* schedule */
    0xe30000000007000f, /* EXIT */
    0x50b0000000070f00, /* NOP */
    0x50b0000000070f00, /* NOP */
};

/* ---- what a launch is ---- */

/* What deko3d's programs find in their constant buffer 0: 0x240 bytes. */
struct job_constants {
    uint32_t group[3], grid[3], padding[2];
    uint64_t uniform[16];
    uint32_t textures[32], images[8];
    struct {
        uint64_t address; /* of buffer 0 at 0x140, of buffer 1 at 0x150 */
        uint32_t bytes, padding;
    } storage[16];
};

struct job {
    uint32_t qmd[64];
    struct job_constants constants;
};
_Static_assert(sizeof(struct job) == 0x340, "a QMD and its constants");

static void fill_qmd(uint32_t *qmd, uint64_t constants, const uint32_t groups[3]) {
    qmd[6] = 1 << 6;                              /* SM_GLOBAL_CACHING_ENABLE */
    qmd[8] = 0;                                   /* PROGRAM_OFFSET, in the region */
    qmd[11] = 1 << 26;                            /* API_VISIBLE_CALL_LIMIT: none */
    qmd[12] = groups[0];                          /* CTA_RASTER_WIDTH */
    qmd[13] = groups[1] | groups[2] << 16;        /* height, depth */
    qmd[17] = TILE * TILE * 4;                    /* SHARED_MEMORY_SIZE */
    qmd[18] = 0x17 | TILE << 16;                  /* version 1.7; CTA_THREAD_DIMENSION0 */
    qmd[19] = TILE | 1 << 16;                     /* the other two */
    qmd[20] = 1 << 0 | 3u << 29;                  /* CONSTANT_BUFFER_VALID: buffer 0; 48 KiB of shared memory */
    qmd[29] = LOW(constants);                     /* buffer 0: address, .. */
    qmd[30] = HIGH(constants) |                   /* .. */
              sizeof(struct job_constants) << 15; /* .. and bytes */
    qmd[45] = 1u << 27;                           /* BARRIER_COUNT */
    qmd[46] = (uint32_t)REGISTERS << 24;          /* REGISTER_COUNT */
}

static void fill_constants(struct job_constants *constants, uint64_t base, const uint32_t groups[3]) {
    for (unsigned i = 0; i < 3; i++) {
        constants->group[i] = i < 2 ? TILE : 1;
        constants->grid[i] = groups[i];
    }
    constants->storage[0].address = base + PICTURE;
    constants->storage[0].bytes = SUMS - PICTURE;
    constants->storage[1].address = base + SUMS;
    constants->storage[1].bytes = COUNTS - SUMS;
}

/* ---- commands ---- */

#define METHODS(method, ...)  PUT(channel, INCREASING, SUBCHANNEL_COMPUTE, method, __VA_ARGS__)
#define METHOD(method, value) PUT(channel, IMMEDIATE, SUBCHANNEL_COMPUTE, method, value)

/* Once in the life of a channel. */
static void put_setup(struct tegra_channel *channel, const struct tegra_buffer *scratch) {
    METHOD(0x1528, 0);                     /* SET_SHADER_EXCEPTIONS */
    METHOD(0x2608, 0);                     /* SET_BINDLESS_TEXTURE: handles are in constant buffer 0 */
    METHODS(0x77c, 0x01000000);            /* SET_SHADER_LOCAL_MEMORY_WINDOW */
    METHODS(0x214, 0x03000000);            /* SET_SHADER_SHARED_MEMORY_WINDOW */
    METHOD(0x310, 0x503);                  /* SET_SPA_VERSION: 5.3 */
    METHODS(0x790, ADDRESS(scratch->gpu)); /* SET_SHADER_LOCAL_MEMORY, which this program does not use */
    METHODS(0x2e4, 0, scratch->bytes / 2, 0x100, 0, scratch->bytes / 2, 0x100); /* of each of the two processors */
}

/* The next `bytes` go to `to`. */
static void put_inline_copy(struct tegra_channel *channel, uint64_t to, uint32_t bytes) {
    METHODS(0x180, bytes, 1, ADDRESS(to)); /* LINE_LENGTH_IN, LINE_COUNT, OFFSET_OUT */
    METHOD(0x1b0, 0x11);                   /* LAUNCH_DMA: to rows; flush */
}

enum { LOAD_INLINE_DATA = 0x1b4 };

static void put_job(struct tegra_channel *channel, uint64_t at, const struct job *job) {
    put_inline_copy(channel, at, sizeof *job);
    tegra_put(channel, NON_INCREASING, SUBCHANNEL_COMPUTE, LOAD_INLINE_DATA, (const uint32_t *)job, sizeof *job / 4);
}

/* How many groups: into a job that is in memory. A height and a depth have 16 bits in the QMD. */
static void put_groups(struct tegra_channel *channel, uint64_t at, uint64_t counts) {
    static const struct {
        uint32_t to, bytes, from;
    } copies[] = {{offsetof(struct job, constants.grid), 12, 0}, {12 * 4, 6, 0}, {13 * 4 + 2, 2, 8}};
    for (unsigned i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        put_inline_copy(channel, at + copies[i].to, copies[i].bytes);
        tegra_put_from(channel, NON_INCREASING, SUBCHANNEL_COMPUTE, LOAD_INLINE_DATA, counts + copies[i].from,
                       (copies[i].bytes + 3) / 4);
    }
}

static void put_launch(struct tegra_channel *channel, uint64_t at) {
    METHODS(0x2b4, (uint32_t)(at >> 8)); /* SEND_PCAS_A: where the QMD is */
    METHOD(0x2bc, 3);                    /* SEND_SIGNALING_PCAS_B: invalidate, schedule */
}

/* ---- what comes of it ---- */

static uint32_t number(uint32_t x, uint32_t y) {
    return x * y & 0xff;
}

static uint32_t expected(uint32_t x, uint32_t y) {
    const uint32_t mirror_x = x / TILE * TILE + y % TILE, mirror_y = y / TILE * TILE + x % TILE;
    return number(x, y) | number(mirror_x, mirror_y) << 8 | 0xff000000;
}

static uint32_t count_wrong(const uint32_t *picture, const uint32_t *sums) {
    uint32_t expected_sums[GROUPS * GROUPS] = {0}, wrong = 0;
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++) {
            wrong += picture[y * SIZE + x] != expected(x, y);
            expected_sums[y / TILE * GROUPS + x / TILE] += number(x, y);
        }
    for (uint32_t i = 0; i < GROUPS * GROUPS; i++)
        wrong += sums[i] != expected_sums[i];
    return wrong;
}

/* Memory with the program and what it fills, and a job that launches it. */
static struct tegra_buffer put_work(struct tegra *tegra, struct tegra_channel *channel, uint64_t at, bool counted) {
    static const uint32_t groups[3] = {GROUPS, GROUPS, 1}, none[3] = {0};
    struct tegra_buffer data = tegra_buffer(tegra, BYTES);
    struct job job = {.qmd = {0}};
    memcpy(data.cpu, code, sizeof code);
    memcpy((uint8_t *)data.cpu + COUNTS, groups, sizeof groups);
    METHODS(0x1608, ADDRESS(data.gpu)); /* SET_PROGRAM_REGION */
    fill_qmd(job.qmd, at + sizeof job.qmd, counted ? none : groups);
    fill_constants(&job.constants, data.gpu, counted ? none : groups);
    put_job(channel, at, &job);
    if (counted)
        put_groups(channel, at, data.gpu + COUNTS);
    put_launch(channel, at);
    METHOD(0x110, 0); /* WAIT_FOR_IDLE */
    return data;
}

int main(int argc, char **argv) {
    enum { JOB = 0x400 }; /* each is at a multiple of 0x100 */
    struct tegra tegra;
    struct tegra_channel channel;
    tegra_open(&tegra);
    tegra_channel_open(&tegra, &channel);
    struct tegra_buffer jobs = tegra_buffer(&tegra, 2 * JOB), scratch = tegra_buffer(&tegra, 0x10000);
    put_setup(&channel, &scratch);
    struct tegra_buffer data[2] = {put_work(&tegra, &channel, jobs.gpu, false),
                                   put_work(&tegra, &channel, jobs.gpu + JOB, true)};
    tegra_wait(&tegra, &channel, tegra_submit(&tegra, &channel, NULL));

    uint32_t wrong = 0;
    const uint32_t *pictures[2];
    for (unsigned i = 0; i < 2; i++) {
        pictures[i] = (const uint32_t *)((uint8_t *)data[i].cpu + PICTURE);
        wrong += count_wrong(pictures[i], pictures[i] + SIZE * SIZE);
    }
    printf("2 launches of %u threads in %u groups, %u of %u numbers differ from what was expected\n", SIZE * SIZE,
           GROUPS * GROUPS, (unsigned)wrong, 2 * (SIZE * SIZE + GROUPS * GROUPS));
    if (argc > 1)
        tegra_write_png(argv[1], pictures[1], SIZE);
    tegra_check(wrong == 0, "the launches");
    tegra_close(&tegra);
    return 0;
}
