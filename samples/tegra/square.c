/* SPDX-License-Identifier: MIT */
/*
 * THE TEXTURED SQUARE: all that a draw takes, and nothing else. Two programs, a vertex array, an index array, a texture
 * that is copied from rows to blocks, and a sampler; their handle is in a constant buffer; a target in block-linear
 * layout that is cleared and drawn to, a query that counts pixels, and a copy to rows. Then the target is handed to the
 * display. Both pictures are compared with the one that expected() computes.
 *
 *   square             draw and compare
 *   square FILE.png    and write the picture: what a program would hand to the display
 */
#include "tegra.h"

#include <stdio.h>
#include <string.h>

enum {
    SIZE = 128, /* of the target, in pixels of four bytes */
    ROW = SIZE * 4,
    BLOCK_HEIGHT = 4, /* log2: blocks of 16 GOBs, 128 rows */
    LEFT = 16,        /* the square: pixels from here .. */
    RIGHT = 112,      /* .. up to here */
    TEXELS = 8,       /* of the texture, along an edge */
    BACKGROUND = 0x40,
};

/* One buffer has everything that the draw reads. */
enum {
    CODE = 0x0,            /* programs are in a region of their own; offsets are from its start */
    VERTEX_PROGRAM = 0x30, /* the instructions behind a header of 0x50 bytes are at a multiple of 0x80 */
    FRAGMENT_PROGRAM = 0x130,
    VERTICES = 0x1000,
    INDICES = 0x1100,
    TEXTURE_ROWS = 0x1200, /* TEXELS pixels each, as the program has them */
    TEXTURE = 0x1400,      /* as the texture unit reads them: one GOB of 64 bytes by 8 lines */
    TEXTURE_HEADERS = 0x2000,
    SAMPLERS = 0x2100,
    CONSTANTS = 0x2200,
    QUERY = 0x2300,
    BYTES = 0x3000,
    TEXTURE_HEADER = 1, /* the second of the headers */
    SAMPLER = 2,        /* the third of the samplers */
    HANDLE = 0x20,      /* where the handle is in the constants */
    SLOT = 2,           /* which constant buffer of the fragment program it is */
};

/* ---- what is in memory ---- */

struct vertex {
    float position[4], texture[2];
};

/* The square is from -3/4 to 3/4 of the target; the picture's first row is y = -1. */
static const struct vertex vertices[4] = {
    {{-0.75f, -0.75f, 0, 1}, {0, 0}},
    {{0.75f, -0.75f, 0, 1}, {1, 0}},
    {{-0.75f, 0.75f, 0, 1}, {0, 1}},
    {{0.75f, 0.75f, 0, 1}, {1, 1}},
};
static const uint16_t indices[6] = {0, 1, 2, 2, 1, 3};

static uint32_t texel(uint32_t x, uint32_t y) {
    uint32_t shade = (x + y) % 2 ? 0xff : 0x80;
    return (shade * x / TEXELS) | (shade * y / TEXELS) << 8 | shade << 16 | 0xff000000;
}

/*
 * Programs in Maxwell's instruction set: 64 bits each, and before each three a word that says how to schedule them.
 * `pfifo decode --shaders` prints programs of recordings like this.
 */
static const uint64_t vertex_code[] = {
    0x002b8400e4200701, /* schedule */
    0xefd9ff800807ff00, /* ALD.128 R0, a[0x80]    attribute 0 */
    0xefd8ff800907ff04, /* ALD.64 R4, a[0x90]     attribute 1 */
    0xeff1ff800707ff00, /* AST.128 a[0x70], R0    the position */
    0x001f8004fde012e1, /* schedule */
    0xeff0ff800807ff04, /* AST.64 a[0x80], R4     what the fragment program gets */
    0xe30000000007000f, /* EXIT */
    0xe30000000007000f,
};
static const uint64_t fragment_code[] = {
    0x00240801e1a0070f, /* schedule */
    0xe003ff87cff7ff00, /* IPA.PASS R0, a[0x7c]   1 / w */
    0x5080000000470000, /* MUFU.RCP R0, R0 */
    0xe043ff880007ff01, /* IPA.MUL R1, a[0x80], R0 */
    0x07ffbc03e040172f, /* schedule */
    0xe043ff884007ff00, /* IPA.MUL R0, a[0x84], R0 */
    0xd830008020070100, /* TEXS {R0, R1, R2, R3}, 2D, h[0x8], s=R1, t=R0    the handle is word 8 of the constants */
    0xe30000000007000f, /* EXIT                   R0 .. R3 are the colour */
};
/* Headers: word 0 is the type; then which inputs and outputs there are, and which colours are written. */
static const uint32_t vertex_header[20] = {[0] = 0x20461, [4] = 0xff000, [6] = 0x3f, [13] = 0x3f000};
static const uint32_t fragment_header[20] = {[0] = 0x21462, [5] = 0x80000000, [6] = 0xa, [18] = 0xf};

static void fill(const struct tegra_buffer *buffer) {
    uint8_t *memory = buffer->cpu;
    uint32_t *header = (uint32_t *)(memory + TEXTURE_HEADERS) + TEXTURE_HEADER * 8;
    uint32_t *sampler = (uint32_t *)(memory + SAMPLERS) + SAMPLER * 8;
    memcpy(memory + CODE + VERTEX_PROGRAM, vertex_header, sizeof vertex_header);
    memcpy(memory + CODE + VERTEX_PROGRAM + 0x50, vertex_code, sizeof vertex_code);
    memcpy(memory + CODE + FRAGMENT_PROGRAM, fragment_header, sizeof fragment_header);
    memcpy(memory + CODE + FRAGMENT_PROGRAM + 0x50, fragment_code, sizeof fragment_code);
    memcpy(memory + VERTICES, vertices, sizeof vertices);
    memcpy(memory + INDICES, indices, sizeof indices);
    for (uint32_t i = 0; i < TEXELS * TEXELS; i++)
        ((uint32_t *)(memory + TEXTURE_ROWS))[i] = texel(i % TEXELS, i / TEXELS);

    const uint64_t at = buffer->gpu + TEXTURE;
    header[0] = 0x08 | 2 << 7 | 2 << 10 | 2 << 13 | 2 << 16; /* A8B8G8R8; each component is from 0 to 1 (UNORM) */
    header[0] |= 2 << 19 | 3 << 22 | 4 << 25 | 5u << 28;     /* x y z w are R G B A */
    header[1] = LOW(at);
    header[2] = HIGH(at) | 3 << 21;      /* blocks, not rows */
    header[3] = 0;                       /* of one GOB in each direction */
    header[4] = (TEXELS - 1) | 7 << 23;  /* width; two dimensions, no mipmaps */
    header[5] = (TEXELS - 1) | 1u << 31; /* height; coordinates are from 0 to 1 */
    sampler[0] = 2 | 2 << 3 | 2 << 6;    /* clamp to the edge, in all directions */
    sampler[1] = 1 | 1 << 4 | 1 << 6;    /* nearest texel; no mipmaps */
}

/* ---- commands ---- */

static uint32_t bits(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

#define METHODS(method, ...) PUT(channel, INCREASING, SUBCHANNEL_3D, method, __VA_ARGS__)

static void put_target(struct tegra_channel *channel, uint64_t target) {
    const float half = SIZE / 2.0f;
    METHODS(0x800, ADDRESS(target), SIZE, SIZE, 0xd5, BLOCK_HEIGHT << 4, 1, 0); /* SET_COLOR_TARGET(0): A8B8G8R8 */
    METHODS(0x121c, 1);                                                         /* SET_CT_SELECT: one target */
    METHODS(0xff4, SIZE << 16, SIZE << 16);                                     /* SET_SURFACE_CLIP */
    METHODS(0xa00, bits(half), bits(half), bits(0.5f), bits(half), bits(half),
            bits(0.5f));                                      /* viewport: scale, offset */
    METHODS(0xc00, SIZE << 16, SIZE << 16, bits(0), bits(1)); /* its clip, and depths */
    METHODS(0x193c, 2);                                       /* SET_VIEWPORT_CLIP_CONTROL */
    METHODS(0x1a00, 0x1111);                                  /* SET_CT_WRITE: R G B A */
}

static void put_clear(struct tegra_channel *channel) {
    const uint32_t gray = bits(BACKGROUND / 255.0f);
    METHODS(0xd80, gray, gray, gray, bits(1)); /* SET_COLOR_CLEAR_VALUE */
    METHODS(0x19d0, 0x3c);                     /* CLEAR_SURFACE: R G B A of target 0 */
}

static void put_programs(struct tegra_channel *channel, uint64_t base) {
    METHODS(0x1608, ADDRESS(base + CODE)); /* SET_PROGRAM_REGION */
    /* SET_PIPELINE_SHADER: bit 0 on, 7:4 type; then where the program is. 1 is the vertex program, 5 the fragments'. */
    METHODS(0x2040, 0x11, VERTEX_PROGRAM);
    METHODS(0x204c, 8); /* registers */
    METHODS(0x2140, 0x51, FRAGMENT_PROGRAM);
    METHODS(0x214c, 8);
    METHODS(0x2150, 4); /* constant buffers of group 4 are its */
}

/* The program's rows become blocks. */
static void put_upload(struct tegra_channel *channel, uint64_t base) {
    const uint32_t row = TEXELS * 4;
    PUT(channel, INCREASING, SUBCHANNEL_COPY, 0x70c, 0x1000, row, TEXELS, 1, 0, 0);
    PUT(channel, INCREASING, SUBCHANNEL_COPY, 0x400, ADDRESS(base + TEXTURE_ROWS), ADDRESS(base + TEXTURE), row, row,
        row, TEXELS);
    PUT(channel, IMMEDIATE, SUBCHANNEL_COPY, 0x300, 0x286);
}

static void put_texture(struct tegra_channel *channel, uint64_t base) {
    METHODS(0xf10, 1);                                       /* headers are Maxwell's */
    METHODS(0x1574, ADDRESS(base + TEXTURE_HEADERS), 7);     /* SET_TEX_HEADER_POOL; the last index */
    METHODS(0x155c, ADDRESS(base + SAMPLERS), 7);            /* SET_TEX_SAMPLER_POOL */
    METHODS(0x2380, 0x100, ADDRESS(base + CONSTANTS));       /* SET_CONSTANT_BUFFER_SELECTOR: bytes, address */
    METHODS(0x238c, HANDLE, TEXTURE_HEADER | SAMPLER << 20); /* LOAD_CONSTANT_BUFFER: offset, and the handle */
    METHODS(0x2490, 1 | SLOT << 4);                          /* BIND_GROUP_CONSTANT_BUFFER(4) */
    METHODS(0x2608, SLOT);                                   /* SET_BINDLESS_TEXTURE: the buffer of handles */
    PUT(channel, IMMEDIATE, SUBCHANNEL_3D, 0x1330, 0);       /* INVALIDATE_SAMPLER_CACHE .. */
    PUT(channel, IMMEDIATE, SUBCHANNEL_3D, 0x1334, 0);       /* .. TEXTURE_HEADER_CACHE .. */
    PUT(channel, IMMEDIATE, SUBCHANNEL_3D, 0x1338, 0);       /* .. TEXTURE_DATA_CACHE */
}

static void put_vertices(struct tegra_channel *channel, uint64_t base) {
    const uint64_t first = base + VERTICES, end = first + sizeof vertices - 1;
    const uint32_t floats = 7u << 27, four = 1u << 21, two = 4u << 21;
    METHODS(0x1160, floats | four, floats | two | 16 << 7); /* SET_VERTEX_ATTRIBUTE: of stream 0, at bytes 0 and 16 */
    METHODS(0x1c00, 1 << 12 | sizeof(struct vertex), ADDRESS(first)); /* SET_VERTEX_STREAM: on, stride; address */
    METHODS(0x1f00, ADDRESS(end));                                    /* and its last byte */
    METHODS(0x17c8, ADDRESS(base + INDICES), ADDRESS(base + INDICES + sizeof indices - 1), 1); /* 16-bit indices */
}

static void put_draw(struct tegra_channel *channel, uint64_t base) {
    METHODS(0x1514, 1);                                    /* SET_ZPASS_PIXEL_COUNT: count .. */
    METHODS(0x1530, 1);                                    /* CLEAR_REPORT_VALUE: .. from 0 on */
    METHODS(0x1618, 4);                                    /* BEGIN: triangles */
    METHODS(0x17dc, 0, 6);                                 /* DRAW_INDEX_BUFFER: first index, count */
    METHODS(0x1614, 0);                                    /* END */
    METHODS(0x1b00, ADDRESS(base + QUERY), 0, 0x0100f002); /* SET_REPORT_SEMAPHORE: 0, the count, the time */
    METHODS(0x110, 0);                                     /* WAIT_FOR_IDLE: the copy engine does not wait by itself */
}

static void put_copy(struct tegra_channel *channel, uint64_t from, uint64_t to) {
    PUT(channel, INCREASING, SUBCHANNEL_COPY, 0x728, 0x1000 | BLOCK_HEIGHT << 4, ROW, SIZE, 1, 0, 0);
    PUT(channel, INCREASING, SUBCHANNEL_COPY, 0x400, ADDRESS(from), ADDRESS(to), ROW, ROW, ROW, SIZE);
    PUT(channel, IMMEDIATE, SUBCHANNEL_COPY, 0x300, 0x306);
}

/* ---- the picture ---- */

static uint32_t expected(uint32_t x, uint32_t y) {
    const uint32_t pixels = (RIGHT - LEFT) / TEXELS; /* of a texel */
    if (x < LEFT || x >= RIGHT || y < LEFT || y >= RIGHT)
        return BACKGROUND | BACKGROUND << 8 | BACKGROUND << 16 | 0xff000000;
    return texel((x - LEFT) / pixels, (y - LEFT) / pixels);
}

/* How many pixels differ from the square. */
static uint32_t count_wrong(const uint32_t *pixels) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        wrong += pixels[i] != expected(i % SIZE, i / SIZE);
    return wrong;
}

/*
 * The window's buffer as a program describes it to the display: the object's number, and a plane in blocks. An emulator
 * sees these words in QueueBuffer.
 */
static void show(struct tegra *tegra, const struct tegra_buffer *target, uint32_t *pixels) {
    uint32_t words[0x51] = {
        [0] = UINT32_MAX, [1] = target->id, [3] = 0xdaffcaff, [6] = 1, [7] = 1, [8] = SIZE, [9] = ROW * SIZE, [11] = 1};
    uint32_t *plane = words + 13;
    struct pfifo_picture picture;
    plane[0] = plane[1] = SIZE;
    plane[2] = 0x00532120; /* A8B8G8R8 .. */
    plane[3] = 0x01;       /* .. */
    plane[4] = 3;          /* blocks */
    plane[5] = ROW;
    plane[8] = 0xfe;
    plane[9] = BLOCK_HEIGHT;
    tegra_check(pfifo_nvgpu_present(tegra->nvgpu, words, sizeof words, &picture, (uint8_t *)pixels, NULL) == PFIFO_OK &&
                    picture.width == SIZE && picture.height == SIZE,
                "the buffer for the display");
}

int main(int argc, char **argv) {
    struct tegra tegra;
    struct tegra_channel channel;
    tegra_open(&tegra);
    tegra_channel_open(&tegra, &channel);
    struct tegra_buffer data = tegra_buffer(&tegra, BYTES), target = tegra_buffer(&tegra, ROW * SIZE),
                        picture = tegra_buffer(&tegra, ROW * SIZE);
    fill(&data);
    put_upload(&channel, data.gpu);
    put_target(&channel, target.gpu);
    put_clear(&channel);
    put_programs(&channel, data.gpu);
    put_texture(&channel, data.gpu);
    put_vertices(&channel, data.gpu);
    put_draw(&channel, data.gpu);
    put_copy(&channel, target.gpu, picture.gpu);
    tegra_wait(&tegra, &channel, tegra_submit(&tegra, &channel, NULL));

    const uint32_t *pixels = picture.cpu;
    static uint32_t shown[SIZE * SIZE];
    uint32_t wrong = count_wrong(pixels), counted;
    memcpy(&counted, (uint8_t *)data.cpu + QUERY + 4, sizeof counted);
    printf("%u pixels drawn, %u of %u differ from what was expected\n", (unsigned)counted, (unsigned)wrong,
           SIZE * SIZE);
    show(&tegra, &target, shown);
    if (argc > 1)
        tegra_write_png(argv[1], shown, SIZE);
    tegra_check(wrong == 0 && count_wrong(shown) == 0 && counted == (RIGHT - LEFT) * (RIGHT - LEFT), "the square");
    tegra_close(&tegra);
    return 0;
}
