/* SPDX-License-Identifier: MIT */
/* Random drawings of NV4's 2D objects, compared with the reference: all operations, raster operations, patterns, clips.
 */
#include "nv4_scene.h"
#include "reference/nv4_2d.h"
#include "rounds.h"

#define ROUNDS 400
#define PITCH  512

static const char *const chips[] = {"NV5", "NV10", "NV17", "NV30", "NV40", "NV44", "G80"};

struct world {
    struct scene scene;
    bool is_nv4, is_g80;
    bool old; /* a class of NV1 or NV3 draws */
    struct reference_2d model;
    uint64_t random;
};

static uint32_t any(struct world *w) {
    w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(w->random >> 32);
}

static int below(struct world *w, unsigned limit) {
    return (int)(any(w) % limit);
}

/* Colours whose channels are often all or nothing. */
static uint32_t color(struct world *w) {
    uint32_t pixel = any(w);
    for (unsigned shift = 0; shift < 32; shift += 8)
        if (below(w, 4) == 0)
            pixel = (pixel & ~(0xffu << shift)) | (any(w) & 1 ? 0xffu << shift : 0);
    return pixel;
}

static void set_memory(struct world *w) {
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    for (unsigned i = 0; i < sizeof w->model.memory; i++)
        w->model.memory[i] = (uint8_t)any(w);
    assert_true(memory_write(&w->scene.rig.memory, &vram, SCENE_MEMORY, w->model.memory, sizeof w->model.memory, NULL));
}

static void compare(struct world *w, const char *what) {
    static uint8_t found[0x10000];
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    assert_true(memory_read(&w->scene.rig.memory, &vram, SCENE_MEMORY, found, sizeof found, NULL));
    for (unsigned i = 0; i < sizeof found; i++)
        if (found[i] != w->model.memory[i])
            fail_msg("%s: format %u operation %u rop %02x at %x: %02x, not %02x", what, w->model.format,
                     w->model.operation, w->model.rop, i, found[i], w->model.memory[i]);
    if (w->scene.rig.interrupts || w->scene.rig.faults)
        fail_msg("%s: format %u operation %u was refused or faulted", what, w->model.format, w->model.operation);
}

static void random_pattern(struct world *w) {
    static const enum reference_pixel formats[] = {0, PIXEL_A16R5G6B5, PIXEL_A1R5G5B5_32, PIXEL_A8R8G8B8};
    struct reference_2d *m = &w->model;
    uint32_t format = 1 + (uint32_t)below(w, 3), order = 1 + (uint32_t)below(w, 2);
    m->pattern_shape = (unsigned)below(w, 3);
    m->pattern_color = below(w, 2);
    m->pattern_cga6 = order == 1;
    m->pattern_format = formats[format];
    for (unsigned i = 0; i < 2; i++) {
        m->pattern_bits[i] = any(w);
        m->pattern_mono[i] = color(w);
    }
    scene_set(&w->scene, 0x44, 0x300, format, order, m->pattern_shape, 1 + (uint32_t)m->pattern_color,
              m->pattern_mono[0], m->pattern_mono[1], m->pattern_bits[0], m->pattern_bits[1]);
    for (unsigned i = 0; i < 64; i++) {
        m->pattern_pixel[i] = color(w) & 0xffffff;
        scene_set(&w->scene, 0x44, 0x700 + 4 * i, m->pattern_pixel[i] | (any(w) & 0xff000000));
    }
}

static void random_contexts(struct world *w) {
    static const enum reference_pixel formats[] = {0, PIXEL_A16R5G6B5, PIXEL_A1R5G5B5_32, PIXEL_A8R8G8B8};
    struct reference_2d *m = &w->model;
    int x = below(w, 60) - 10, y = below(w, 60) - 10, width = below(w, 80), height = below(w, 80);
    uint32_t key_format = 1 + (uint32_t)below(w, 3);
    random_pattern(w);
    m->rop = any(w) & 0xff;
    m->beta = any(w);
    m->beta4 = color(w);
    m->key = color(w);
    if (reference_is_index(m->format))
        m->key |= 0xff008000; /* on */
    m->key_format = formats[key_format];
    m->clip[0] = x, m->clip[1] = y, m->clip[2] = x + width, m->clip[3] = y + height;
    scene_set(&w->scene, 0x43, 0x300, m->rop);
    scene_set(&w->scene, 0x12, 0x300, m->beta);
    scene_set(&w->scene, 0x72, 0x300, m->beta4);
    scene_set(&w->scene, 0x57, 0x300, key_format, m->key);
    scene_set(&w->scene, 0x19, 0x300, xy(x, y), xy(width, height));
}

/* Of G80's surfaces: source and destination are the same one. */
static void random_layout(struct world *w) {
    struct reference_2d *m = &w->model;
    if (below(w, 2)) {
        m->width = 40 + (unsigned)below(w, 80);
        m->height = 20 + (unsigned)below(w, 60);
        m->log2_gobs = (unsigned)below(w, 4);
    }
    for (uint32_t at = 0x200; at <= 0x218; at += 0x18)
        scene_set(&w->scene, 0x5062, at, m->width == 0, m->log2_gobs << 4, m->width, m->height);
}

static void random_surface(struct world *w) {
    struct reference_2d *m = &w->model;
    m->format = 1 + (unsigned)below(w, 11);
    m->pitch = PITCH;
    m->offset = 64 * (unsigned)below(w, 16);
    m->log2_width = m->log2_height = 0;
    m->width = m->height = 0;
    scene_format(&w->scene, m->format, PITCH);
    scene_set(&w->scene, w->scene.surfaces, 0x30c, m->offset);
    if (w->is_g80)
        random_layout(w);
}

/* Where a class binds things; 0: it does not. */
struct shape {
    const char *name;
    uint32_t object_class, key, clip, pattern, surface, operation;
    void (*draw)(struct world *w);
    bool swizzled, old;
};

/* A swizzled destination, sometimes. */
static void swizzle(struct world *w) {
    struct reference_2d *m = &w->model;
    m->width = m->height = 0;
    m->log2_width = 1 + (unsigned)below(w, 6);
    m->log2_height = 1 + (unsigned)below(w, 6);
    scene_set(&w->scene, 0x52, 0x184, SCENE_DMA);
    scene_set(&w->scene, 0x52, 0x300, m->format | m->log2_width << 16 | m->log2_height << 24, m->offset);
}

/* NV4's SIFM draws to no other surfaces than NV4's. */
static uint32_t class_of(const struct world *w, const struct shape *shape) {
    if (shape->object_class != 0x77 || w->is_nv4)
        return shape->object_class;
    return w->is_g80 ? 0x5089 : 0x89;
}

static void bind_shape(struct world *w, const struct shape *shape) {
    struct reference_2d *m = &w->model;
    w->old = shape->old;
    do
        m->operation = (unsigned)below(w, shape->old ? 3 : 6);
    while (reference_is_index(m->format) && m->operation != 0 && m->operation != 1 && m->operation != 3);
    assert_true(engine_rig_bind(&w->scene.rig, w->scene.id, 0, class_of(w, shape)));
    m->clipped = shape->clip && below(w, 2);
    m->keyed = shape->key && below(w, 2);
    m->clipped_again = false;
    if (shape->clip)
        scene_send(&w->scene, shape->clip, m->clipped ? 0x19 : 0x30);
    if (shape->key)
        scene_send(&w->scene, shape->key, m->keyed ? shape->old ? 0x17 : 0x57 : 0x30);
    scene_send(&w->scene, shape->pattern, shape->old ? 0x18 : 0x44, 0x43, 0x12);
    if (!shape->old)
        scene_send(&w->scene, shape->pattern + 0xc, 0x72);
    bool swizzled = shape->swizzled && below(w, 3) == 0;
    if (swizzled)
        swizzle(w);
    scene_send(&w->scene, shape->surface, shape->old ? 0x58 : swizzled ? 0x52 : w->scene.surfaces);
    if (shape->surface == 0x19c && shape->old)
        scene_send(&w->scene, 0x198, 0x59);
    scene_send(&w->scene, shape->operation, m->operation);
}

/* ---- shapes of one colour ---- */

static uint32_t solid_format(struct world *w) {
    return 1 + (uint32_t)below(w, 3);
}

static enum reference_pixel solid_pixel(const struct world *w, uint32_t format) {
    static const enum reference_pixel formats[] = {0, PIXEL_R5G6B5, PIXEL_X1R5G5B5, PIXEL_X8R8G8B8};
    return w->old && format == 1 ? PIXEL_Y8 : formats[format];
}

static enum reference_pixel solid_color(struct world *w, uint32_t *pixel) {
    uint32_t format = solid_format(w);
    *pixel = color(w);
    scene_send(&w->scene, 0x300, format, *pixel);
    return solid_pixel(w, format);
}

static void rect(struct world *w) {
    uint32_t pixel;
    enum reference_pixel format = solid_color(w, &pixel);
    int x = below(w, 60) - 10, y = below(w, 60) - 10, width = below(w, 40), height = below(w, 40);
    scene_send(&w->scene, 0x400, xy(x, y), xy(width, height));
    reference_rect(&w->model, x, y, width, height, format, pixel);
}

static void lin(struct world *w) {
    uint32_t pixel;
    enum reference_pixel format = solid_color(w, &pixel);
    int x0 = below(w, 70) - 10, y0 = below(w, 70) - 10, x1 = below(w, 70) - 10, y1 = below(w, 70) - 10;
    if (below(w, 2))
        scene_send(&w->scene, 0x400, xy(x0, y0), xy(x1, y1));
    else
        scene_send(&w->scene, 0x480, (uint32_t)x0, (uint32_t)y0, (uint32_t)x1, (uint32_t)y1);
    reference_lin(&w->model, x0, y0, x1, y1, format, pixel);
}

static void triangle(struct world *w) {
    uint32_t pixel;
    enum reference_pixel format = solid_color(w, &pixel);
    int x[3], y[3];
    for (unsigned i = 0; i < 3; i++)
        x[i] = below(w, 70) - 10, y[i] = below(w, 70) - 10;
    scene_send(&w->scene, 0x310, xy(x[0], y[0]), xy(x[1], y[1]), xy(x[2], y[2]));
    reference_triangle(&w->model, x, y, format, pixel);
}

static void gdi_rects(struct world *w) {
    uint32_t pixel, format = solid_format(w);
    int x = below(w, 60) - 10, y = below(w, 60) - 10, width = below(w, 40), height = below(w, 40);
    int left = below(w, 40), top = below(w, 40), right = below(w, 60), bottom = below(w, 60);
    pixel = color(w);
    scene_send(&w->scene, 0x300, format);
    if (below(w, 2)) {
        scene_send(&w->scene, 0x3fc, pixel, xy(y, x), xy(height, width));
    } else {
        scene_send(&w->scene, w->old ? 0x7f4 : 0x5f4, xy(left, top), xy(right, bottom), pixel, xy(x, y),
                   xy(x + width, y + height));
        int clip[4] = {left, top, right, bottom};
        memcpy(w->model.clip_again, clip, sizeof clip);
        w->model.clipped_again = true;
    }
    reference_rect(&w->model, x, y, width, height, solid_pixel(w, format), pixel);
}

static void gdi_text(struct world *w) {
    uint32_t format = solid_format(w), order = 1 + (uint32_t)below(w, 2), zero = color(w), one = color(w);
    int width = 1 + below(w, 40), height = 1 + below(w, 30), x = below(w, 60) - 10, y = below(w, 60) - 10;
    int out_width = below(w, 50), out_height = below(w, 40), right = below(w, 80), bottom = below(w, 80);
    uint32_t words[64] = {0}, count = (uint32_t)(width * height + 31) / 32;
    uint8_t bytes[256];
    bool two = below(w, 2), part = w->old && !two && below(w, 2);
    if (w->old && two) { /* zeros become A8R8G8B8 at once, also where the destination takes the bits */
        format = 3;
        zero |= 0xff000000;
    }
    for (unsigned i = 0; i < count; i++) {
        words[i] = any(w);
        store_le32(bytes + 4 * (size_t)i, words[i]);
    }
    scene_send(&w->scene, 0x300, format, order);
    if (two)
        scene_send(&w->scene, w->old ? 0x13e4 : 0xbe4, xy(2, 3), xy(right, bottom), zero, one, xy(width, height),
                   xy(out_width, out_height), xy(x, y));
    else if (part)
        scene_send(&w->scene, 0xfe8, xy(2, 3), xy(right, bottom), one, xy(width, height), xy(out_width, out_height),
                   xy(x, y));
    else
        scene_send(&w->scene, w->old ? 0xbec : 0x7ec, xy(2, 3), xy(right, bottom), one, xy(width, height), xy(x, y));
    uint32_t data = w->old ? two ? 0x1400 : part ? 0x1000 : 0xc00 : two ? 0xc00 : 0x800;
    sent(&w->scene.rig, w->scene.id, 0, data, 4, words, count);
    int clip[4] = {2, 3, right, bottom};
    memcpy(w->model.clip_again, clip, sizeof clip);
    w->model.clipped_again = true;
    bool whole = !two && !part;
    reference_text(&w->model, x, y, width, height, whole ? width : out_width, whole ? height : out_height, order == 1,
                   bytes, solid_pixel(w, format), two ? &zero : NULL, one);
}

/* ---- images ---- */

static void blit(struct world *w) {
    int in_x = below(w, 40), in_y = below(w, 40), x = below(w, 60) - 10, y = below(w, 60) - 10;
    int width = below(w, 40), height = below(w, 40);
    scene_set(&w->scene, w->scene.surfaces, 0x308, w->model.offset);
    scene_send(&w->scene, 0x300, xy(in_x, in_y), xy(x, y), xy(width, height));
    reference_blit(&w->model, w->model.offset, PITCH, in_x, in_y, x, y, width, height);
}

static const enum reference_pixel image_formats[] = {
    0, PIXEL_R5G6B5, PIXEL_A1R5G5B5, PIXEL_X1R5G5B5, PIXEL_A8R8G8B8, PIXEL_X8R8G8B8};

/* Random pixels in rows of words; how many words. */
static uint32_t random_image(struct world *w, struct reference_image *image, unsigned bits, uint32_t *words) {
    unsigned per_word = 32 / bits, row = ((unsigned)image->width + per_word - 1) / per_word;
    for (unsigned i = 0; i < row * (unsigned)image->height; i++)
        words[i] = color(w);
    for (int j = 0; j < image->height; j++)
        for (int i = 0; i < image->width; i++) {
            uint32_t word = words[(unsigned)j * row + (unsigned)i / per_word];
            image->pixel[j * image->width + i] =
                bits == 32 ? word : word >> bits * ((unsigned)i % per_word) & ((1u << bits) - 1);
        }
    return row * (unsigned)image->height;
}

/* The first one is another one of the old classes. */
static uint32_t image_format(struct world *w) {
    return w->old ? 2 + (uint32_t)below(w, 4) : 1 + (uint32_t)below(w, 5);
}

static unsigned image_bits(const struct world *w, uint32_t format) {
    if (reference_is_index(w->model.format))
        return 8 * reference_bytes(w->model.format);
    return format <= 3 ? 16 : 32;
}

static struct reference_image image;
static uint32_t image_words[64 * 64];

static void ifc(struct world *w) {
    uint32_t format = image_format(w);
    int x = below(w, 60) - 10, y = below(w, 60) - 10, out_width = below(w, 50), out_height = below(w, 50);
    image.width = 1 + below(w, 45), image.height = 1 + below(w, 40);
    image.format = image_formats[format];
    uint32_t count = random_image(w, &image, image_bits(w, format), image_words);
    scene_send(&w->scene, 0x300, format, xy(x, y), xy(out_width, out_height), xy(image.width, image.height));
    sent(&w->scene.rig, w->scene.id, 0, 0x400, below(w, 2) && !w->old ? 4 : 0, image_words, count);
    reference_image(&w->model, x, y, out_width, out_height, &image);
}

static void texture(struct world *w) {
    uint32_t format = 1 + (uint32_t)below(w, 5);
    int x = 8 * below(w, 3), y = below(w, 20), clip[4] = {below(w, 20), below(w, 20), 0, 0};
    int clip_width = below(w, 40), clip_height = below(w, 40);
    w->model.operation = 3;
    image.width = 8 + 8 * below(w, 5), image.height = 1 + below(w, 40);
    image.format = image_formats[format];
    clip[2] = clip[0] + clip_width, clip[3] = clip[1] + clip_height;
    uint32_t count = random_image(w, &image, image_bits(w, format), image_words);
    scene_send(&w->scene, 0x300, format, xy(x, y), xy(image.width, image.height), xy(clip[0], clip_width),
               xy(clip[1], clip_height));
    sent(&w->scene.rig, w->scene.id, 0, 0x400, 4, image_words, count);
    memcpy(w->model.clip_again, clip, sizeof clip);
    w->model.clipped_again = true;
    reference_image(&w->model, x, y, image.width, image.height, &image);
}

static void index_image(struct world *w) {
    static uint32_t palette[256];
    uint32_t format = 4 + (uint32_t)below(w, 2), four = (uint32_t)below(w, 2);
    int x = below(w, 60) - 10, y = below(w, 60) - 10, out_width = below(w, 50), out_height = below(w, 50);
    for (unsigned i = 0; i < 256; i++) {
        palette[i] = color(w);
        engine_rig_wr32(&w->scene.rig, 0x50100 + 4 * i, palette[i]);
        if (format == 5)
            palette[i] |= 0xff000000; /* also where the destination takes the bits */
    }
    image.width = 1 + below(w, 45), image.height = 1 + below(w, 40);
    image.format = image_formats[format];
    uint32_t count = random_image(w, &image, four ? 4 : 8, image_words);
    for (int i = 0; i < image.width * image.height; i++)
        image.pixel[i] = palette[image.pixel[i]];
    scene_send(&w->scene, 0x184, 5);
    scene_send(&w->scene, 0x3e8, format, four, 0x100, xy(x, y), xy(out_width, out_height),
               xy(image.width, image.height));
    sent(&w->scene.rig, w->scene.id, 0, 0x400, 0, image_words, count);
    reference_image(&w->model, x, y, out_width, out_height, &image);
}

static void sifc(struct world *w) {
    uint32_t format = image_format(w), dx = any(w) >> below(w, 4) >> 9, dy = any(w) >> below(w, 4) >> 9;
    int x12 = below(w, 800) - 100, y12 = below(w, 800) - 100;
    int clip[4] = {below(w, 20) - 5, below(w, 20) - 5, 20 + below(w, 80), 20 + below(w, 80)};
    image.width = 1 + below(w, 20), image.height = 1 + below(w, 20);
    image.format = image_formats[format];
    uint32_t count = random_image(w, &image, image_bits(w, format), image_words);
    scene_send(&w->scene, 0x300, format, xy(image.width, image.height), dx, dy, xy(clip[0], clip[1]),
               xy(clip[2] - clip[0], clip[3] - clip[1]), xy(x12, y12));
    sent(&w->scene.rig, w->scene.id, 0, 0x400, 4, image_words, count);
    memcpy(w->model.clip_again, clip, sizeof clip);
    w->model.clipped_again = true;
    reference_stretch(&w->model, x12, y12, dx, dy, &image);
}

static void sifm(struct world *w) {
    static const struct {
        uint32_t code;
        enum reference_pixel format;
        unsigned bytes;
    } formats[] = {{1, PIXEL_A1R5G5B5, 2}, {2, PIXEL_X1R5G5B5, 2}, {3, PIXEL_A8R8G8B8, 4},
                   {4, PIXEL_X8R8G8B8, 4}, {7, PIXEL_R5G6B5, 2},   {8, PIXEL_Y8, 1}};
    unsigned f = (unsigned)below(w, w->old ? 4 : w->is_nv4 ? 5 : 6), pitch = 256;
    unsigned log2_gobs = (unsigned)below(w, 4);
    bool blocks = w->is_g80 && !w->old && below(w, 2);
    int out[4] = {below(w, 60) - 10, below(w, 60) - 10, below(w, 60), below(w, 60)};
    int clip[4] = {below(w, 20) - 5, below(w, 20) - 5, 20 + below(w, 80), 20 + below(w, 80)};
    uint32_t u = any(w) & 0x1ff, v = any(w) & 0x1ff, origin = 1 + (uint32_t)below(w, 2), filter = (uint32_t)below(w, 2);
    if (w->old)
        origin = filter = 0;
    int32_t du = (int32_t)(any(w) >> 11) - 0x80000, dv = (int32_t)(any(w) >> 11) - 0x80000;
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    image.width = 2 + 2 * below(w, 20), image.height = 1 + below(w, 40);
    image.format = formats[f].format;
    for (int j = 0; j < image.height; j++)
        for (int i = 0; i < image.width; i++) {
            uint8_t bytes[4];
            uint32_t pixel = color(w);
            unsigned x = (unsigned)i * formats[f].bytes, line = (unsigned)image.width * formats[f].bytes;
            unsigned at = blocks ? reference_block_offset(line, log2_gobs, x, (unsigned)j) : (unsigned)j * pitch + x;
            store_le32(bytes, pixel);
            image.pixel[j * image.width + i] = pixel;
            assert_true(memory_write(&w->scene.rig.memory, &vram, 0x50000 + at, bytes, formats[f].bytes, NULL));
        }
    scene_send(&w->scene, 0x184, 5);
    scene_send(&w->scene, 0x300, formats[f].code);
    scene_send(&w->scene, 0x308, xy(clip[0], clip[1]), xy(clip[2] - clip[0], clip[3] - clip[1]), xy(out[0], out[1]),
               xy(out[2], out[3]), (uint32_t)du, (uint32_t)dv);
    if (w->is_g80 && !w->old)
        scene_send(&w->scene, 0x414, !blocks, log2_gobs << 4);
    scene_send(&w->scene, 0x400, xy(image.width, image.height), pitch | origin << 16 | filter << 24, 0, v << 16 | u);
    memcpy(w->model.clip_again, clip, sizeof clip);
    w->model.clipped_again = true;
    reference_scale(&w->model, out, u, v, du, dv, origin == 1, filter, &image);
}

static const struct shape shapes[] = {
    {"rect", 0x5e, 0, 0x184, 0x188, 0x198, 0x2fc, rect, false},
    {"lin", 0x5c, 0, 0x184, 0x188, 0x198, 0x2fc, lin, false},
    {"triangle", 0x5d, 0, 0x184, 0x188, 0x198, 0x2fc, triangle, false},
    {"blit", 0x5f, 0x184, 0x188, 0x18c, 0x19c, 0x2fc, blit, false},
    {"GDI rectangles", 0x4a, 0, 0, 0x188, 0x198, 0x2fc, gdi_rects, false},
    {"GDI text", 0x4a, 0, 0, 0x188, 0x198, 0x2fc, gdi_text, false},
    {"IFC", 0x61, 0x184, 0x188, 0x18c, 0x19c, 0x2fc, ifc, false},
    {"INDEX", 0x64, 0x188, 0x18c, 0x190, 0x1a0, 0x3e4, index_image, true},
    {"SIFC", 0x76, 0x184, 0, 0x188, 0x198, 0x2fc, sifc, false},
    {"SIFM", 0x77, 0, 0, 0x188, 0x198, 0x304, sifm, true},
    {"NV1 rect", 0x1e, 0, 0x184, 0x188, 0x194, 0x2fc, rect, false, true},
    {"NV1 lin", 0x1c, 0, 0x184, 0x188, 0x194, 0x2fc, lin, false, true},
    {"NV1 triangle", 0x1d, 0, 0x184, 0x188, 0x194, 0x2fc, triangle, false, true},
    {"NV1 blit", 0x1f, 0x184, 0x188, 0x18c, 0x19c, 0x2fc, blit, false, true},
    {"NV1 IFC", 0x21, 0x184, 0x188, 0x18c, 0x198, 0x2fc, ifc, false, true},
    {"NV3 SIFC", 0x36, 0x184, 0, 0x188, 0x194, 0x2fc, sifc, false, true},
    {"NV3 SIFM", 0x37, 0, 0, 0x188, 0x194, 0x304, sifm, false, true},
    {"NV3 GDI rectangles", 0x4b, 0, 0, 0x184, 0x190, 0x2fc, gdi_rects, false, true},
    {"NV3 GDI text", 0x4b, 0, 0, 0x184, 0x190, 0x2fc, gdi_text, false, true},
};

static void bind_texture(struct world *w) {
    assert_true(engine_rig_bind(&w->scene.rig, w->scene.id, 0, 0x7b));
    w->model.clipped = w->model.keyed = false;
    swizzle(w);
    scene_send(&w->scene, 0x184, 0x52);
}

/* NV5 has no class for textures. */
static void round_of(struct world *w) {
    unsigned pick = (unsigned)below(w, sizeof shapes / sizeof shapes[0] + !w->is_nv4);
    random_surface(w);
    random_contexts(w);
    set_memory(w);
    if (pick < sizeof shapes / sizeof shapes[0]) {
        bind_shape(w, &shapes[pick]);
        for (unsigned i = 0; i < 3; i++) {
            shapes[pick].draw(w);
            w->model.clipped_again = false;
        }
        compare(w, shapes[pick].name);
    } else {
        bind_texture(w);
        texture(w);
        compare(w, "texture");
    }
}

static void random_drawings_are_the_reference_s(void **state) {
    (void)state;
    static struct world world;
    for (unsigned c = 0; c < sizeof chips / sizeof chips[0]; c++) {
        memset(&world, 0, sizeof world);
        world.random = c + 1;
        world.is_nv4 = c == 0;
        world.is_g80 = strcmp(chips[c], "G80") == 0;
        scene_start(&world.scene, chips[c], FORMAT_A8R8G8B8, PITCH);
        for (unsigned long long i = 0, rounds = rounds_wanted(ROUNDS); i < rounds; i++)
            round_of(&world);
        scene_stop(&world.scene);
    }
}

static void every_raster_operation_is_its_table(void **state) {
    (void)state;
    static struct world world;
    memset(&world, 0, sizeof world);
    world.random = 77;
    scene_start(&world.scene, "NV40", FORMAT_A8R8G8B8, PITCH);
    for (unsigned rop = 0; rop < 256; rop++) {
        uint32_t pixel = color(&world);
        random_surface(&world);
        random_contexts(&world);
        set_memory(&world);
        world.model.rop = rop;
        scene_set(&world.scene, 0x43, 0x300, rop);
        assert_true(engine_rig_bind(&world.scene.rig, world.scene.id, 0, 0x5e));
        world.model.operation = 1;
        world.model.clipped = world.model.keyed = false;
        scene_send(&world.scene, 0x184, 0x30, 0x44, 0x43);
        scene_send(&world.scene, 0x198, world.scene.surfaces);
        scene_send(&world.scene, 0x2fc, 1, 3, pixel);
        scene_send(&world.scene, 0x400, xy(1, 2), xy(19, 17));
        reference_rect(&world.model, 1, 2, 19, 17, PIXEL_X8R8G8B8, pixel);
        compare(&world, "rop");
    }
    scene_stop(&world.scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_drawings_are_the_reference_s),
        cmocka_unit_test(every_raster_operation_is_its_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
