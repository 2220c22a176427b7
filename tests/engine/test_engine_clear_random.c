/* SPDX-License-Identifier: MIT */
/* Random clears of Tesla and later against the slow reference: all formats, layouts, boxes, components, samples. */
#include "check.h"

#include <stdlib.h>

#include "reference/clear.h"
#include "rounds.h"

#define ROUNDS  1500u
#define REGION  0x10000u /* what a DMA object of the rig has */
#define COLORS  68u
#define OBJECT  2u  /* before GF100: DMA object of targets, from OBJECT * REGION on */
#define CHANCES 50u /* to find something that fits into the region */

struct random {
    uint64_t state;
};

static uint32_t draw(struct random *r, uint32_t below) {
    r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((r->state >> 33) % below);
}

/* A family: where its methods are. */
struct family {
    const char *chip;
    uint32_t object_class;
    enum gob_order order;
    bool is_tesla;
};

struct scene {
    struct engine_rig rig;
    struct random random;
    const struct family *family;
    unsigned id;
    uint8_t before[REGION], after[REGION], found[REGION];
    struct reference_clear clear;
    uint32_t data;   /* of the clear method */
    uint32_t target; /* colour */
    bool zeta, pitch, is_3d;
    uint32_t block, layers, layer_stride, first_layer, layer, mode;
};

static void set(struct scene *s, uint32_t method, uint32_t value) {
    assert_int_equal(engine_rig_send(&s->rig, s->id, 0, method, 4, &value, 1), 1);
}

static uint32_t base_of(const struct scene *s) {
    return s->family->is_tesla ? OBJECT * REGION : 0;
}

/* ---- choosing ---- */

static uint32_t random_float(struct scene *s) {
    static const float values[] = {0, 1, 0.25f, 0.5f, 0.75f, 0.125f, 2, -1, -0.5f};
    float value = values[draw(&s->random, sizeof values / sizeof values[0])];
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static void choose_values(struct scene *s) {
    struct reference_clear *c = &s->clear;
    bool integer = c->format->type == REFERENCE_UINT || c->format->type == REFERENCE_SINT;
    for (unsigned i = 0; i < 4; i++)
        c->value[i] = integer ? draw(&s->random, 2) ? draw(&s->random, 300) : ~draw(&s->random, 300) : random_float(s);
    if (s->zeta)
        c->value[1] = draw(&s->random, 0x1000);
}

static void choose_components(struct scene *s) {
    static const char *const zeta[] = {"", "D", "S", "DS"};
    static char text[16][5];
    uint32_t mask = draw(&s->random, 2) ? 15 : draw(&s->random, 16);
    if (s->zeta) {
        s->data = draw(&s->random, 2) ? 3 : draw(&s->random, 4);
        s->clear.written = zeta[s->data];
        return;
    }
    char *end = text[mask];
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1)
            *end++ = "RGBA"[i];
    *end = 0;
    s->data = mask << 2;
    s->clear.written = text[mask];
}

static void choose_samples(struct scene *s) {
    static const uint8_t factors[12][2] = {{1, 1}, {2, 1}, {2, 2}, {4, 2}, {4, 2}, {2, 1},
                                           {4, 4}, {1, 1}, {2, 2}, {2, 2}, {4, 2}, {4, 2}};
    s->mode = draw(&s->random, 2) ? 0 : draw(&s->random, 12);
    s->clear.across = factors[s->mode][0];
    s->clear.down = factors[s->mode][1];
}

static struct reference_box random_box(struct scene *s, int64_t largest, bool size) {
    struct random *r = &s->random;
    uint32_t most = (uint32_t)largest;
    struct reference_box box = {.used = true, .x0 = draw(r, most / 2 + 1), .y0 = draw(r, most / 2 + 1)};
    box.x1 = (size ? box.x0 : 0) + draw(r, most + 8);
    box.y1 = (size ? box.y0 : 0) + draw(r, most + 8);
    return box;
}

/* The reduction of blocks that are larger than the surface. */
static unsigned shrunk(unsigned log2, uint64_t unit, uint64_t size) {
    while (log2 > 0 && (unit << (log2 - 1)) >= size)
        log2--;
    return log2;
}

static void choose_layout(struct scene *s) {
    struct reference_clear *c = &s->clear;
    struct random *r = &s->random;
    uint64_t row = (uint64_t)c->width * reference_pixel_bytes(c->format);
    enum gob_order order = s->family->order;
    s->pitch = !s->zeta && draw(r, 4) == 0;
    s->is_3d = !s->zeta && !s->pitch && draw(r, 3) == 0;
    s->layers = 1 + draw(r, 4);
    s->first_layer = s->family->is_tesla ? 0 : draw(r, s->layers);
    s->layer = draw(r, s->layers - s->first_layer);
    s->layer_stride = draw(r, 8) * 0x400;
    if (s->zeta && !s->family->is_tesla && draw(r, 4) == 0)
        s->layers = 0x10000 | (s->first_layer = s->layer = 0);
    s->block = draw(r, 4) << 4 | (s->is_3d ? draw(r, 3) << 8 : 0);
    c->z = s->is_3d ? s->first_layer + s->layer : 0;
    c->layer_bytes = s->is_3d ? 0 : (uint64_t)(s->first_layer + s->layer) * s->layer_stride;
    if (s->pitch) {
        uint64_t pitch = (row + 63) / 64 * 64;
        c->layout = (struct layout){.type = LAYOUT_PITCH, .pitch = (int64_t)pitch, .depth = 1};
        c->width = (int64_t)(pitch / reference_pixel_bytes(c->format)); /* a target of pitch has no other */
        return;
    }
    unsigned lines = order == GOB_LINES ? 4 : 8, depth = s->is_3d ? s->layers : 1;
    c->layout = (struct layout){.type = LAYOUT_BLOCK,
                                .width = row,
                                .height = (uint32_t)c->height,
                                .depth = depth,
                                .block_height = (uint8_t)shrunk(s->block >> 4 & 15, lines, (uint64_t)c->height),
                                .block_depth = s->is_3d ? s->block >> 8 & 15 : 0, /* not as deep as what is bound */
                                .order = order};
}

static void choose(struct scene *s) {
    struct random *r = &s->random;
    struct reference_clear *c = &s->clear;
    memset(c, 0, sizeof *c);
    s->zeta = draw(r, 4) == 0;
    c->format = s->zeta ? &reference_zetas[draw(r, 11)] : &reference_colors[draw(r, COLORS)];
    c->width = 1 + draw(r, 70);
    c->height = 1 + draw(r, 40);
    c->address = draw(r, 8) * 0x400;
    c->srgb = draw(r, 2);
    c->stencil_mask = draw(r, 2) ? 0xff : draw(r, 0x100);
    s->target = draw(r, 8);
    choose_samples(s);
    choose_values(s);
    choose_components(s);
    choose_layout(s);
}

/* ---- boxes: chosen, and told ---- */

static void tell_size(struct scene *s, uint32_t method, const struct reference_box *box) {
    set(s, method, (uint32_t)box->x0 | (uint32_t)(box->x1 - box->x0) << 16);
    set(s, method + 4, (uint32_t)box->y0 | (uint32_t)(box->y1 - box->y0) << 16);
}

static void tell_bounds(struct scene *s, uint32_t method, const struct reference_box *box) {
    set(s, method, (uint32_t)box->x0 | (uint32_t)box->x1 << 16);
    set(s, method + 4, (uint32_t)box->y0 | (uint32_t)box->y1 << 16);
}

static void boxes(struct scene *s) {
    struct reference_clear *c = &s->clear;
    int64_t most = c->width > c->height ? c->width : c->height;
    bool scissor_on = draw(&s->random, 2);
    uint32_t use = draw(&s->random, 8), masked = draw(&s->random, 2);
    for (unsigned i = 0; i < 4; i++)
        c->box[i] = random_box(s, most, i == 0 || i == 3);
    if (draw(&s->random, 3) == 0)
        c->box[0] = (struct reference_box){true, 0, 0, 0x8000, 0x8000};
    tell_size(s, 0xff4, &c->box[0]);
    tell_bounds(s, 0xd6c, &c->box[1]);
    tell_bounds(s, 0xe04, &c->box[2]);
    tell_size(s, 0xc00, &c->box[3]);
    set(s, 0xe00, scissor_on);
    if (s->family->is_tesla) {
        c->box[1].used = false;
        c->box[2].used = !(use & 1) && scissor_on;
        c->box[3].used = use & 1;
        set(s, 0x143c, masked | (use & 1) << 4);
        set(s, 0x1398, c->stencil_mask);
    } else {
        c->box[1].used = use & 1;
        c->box[2].used = (use >> 1 & 1) && scissor_on;
        c->box[3].used = use >> 2 & 1;
        set(s, 0x10f8, masked | (use & 1) << 4 | (use >> 1 & 1) << 8 | (use >> 2 & 1) << 12);
        set(s, 0x139c, c->stencil_mask);
    }
    if (!masked)
        c->stencil_mask = 0xff;
}

static void windows(struct scene *s) {
    struct reference_clear *c = &s->clear;
    c->windows = (int)draw(&s->random, 8);
    c->windows = c->windows > 3 ? 0 : c->windows;
    for (uint32_t i = 0; i < 8; i++) {
        c->window[i] = draw(&s->random, 3) ? (struct reference_box){0} : random_box(s, c->width, false);
        tell_bounds(s, 0xd00 + i * 8, &c->window[i]);
    }
    set(s, 0x194c, c->windows != 0);
    set(s, 0x1950, c->windows ? (uint32_t)c->windows - 1 : 0);
}

/* ---- the target, told ---- */

static void tell_zeta(struct scene *s) {
    const struct reference_clear *c = &s->clear;
    set(s, 0xfe0, 0);
    set(s, 0xfe4, (uint32_t)c->address);
    set(s, 0xfe8, c->format->code);
    set(s, 0xfec, s->block);
    set(s, 0xff0, s->layer_stride >> 2);
    set(s, 0x1228, (uint32_t)c->width);
    set(s, 0x122c, (uint32_t)c->height);
    set(s, 0x1230, s->layers);
    set(s, 0x1538, 1);
    if (!s->family->is_tesla)
        set(s, 0x179c, s->first_layer);
    set(s, 0xd90, c->value[0]);
    set(s, 0xda0, c->value[1]);
}

static void tell_color_tesla(struct scene *s) {
    const struct reference_clear *c = &s->clear;
    uint32_t at = 0x200 + s->target * 32;
    set(s, at, 0);
    set(s, at + 4, (uint32_t)c->address);
    set(s, at + 8, c->format->code);
    set(s, at + 12, s->block);
    set(s, at + 16, s->layer_stride >> 2);
    set(s, 0x1240 + s->target * 8, s->pitch ? 1u << 31 | (uint32_t)c->layout.pitch : (uint32_t)c->width);
    set(s, 0x1244 + s->target * 8, (uint32_t)c->height);
    set(s, 0x1224, s->layers | (uint32_t)s->is_3d << 16);
    set(s, 0x1c0 + s->target * 4, OBJECT);
    set(s, 0x184, OBJECT);
}

static void tell_color_fermi(struct scene *s) {
    const struct reference_clear *c = &s->clear;
    uint32_t at = 0x800 + s->target * 64;
    set(s, at, 0);
    set(s, at + 4, (uint32_t)c->address);
    set(s, at + 8, s->pitch ? (uint32_t)c->layout.pitch : (uint32_t)c->width);
    set(s, at + 0xc, (uint32_t)c->height);
    set(s, at + 0x10, c->format->code);
    set(s, at + 0x14, s->block | (uint32_t)s->pitch << 12 | (uint32_t)s->is_3d << 16);
    set(s, at + 0x18, s->layers);
    set(s, at + 0x1c, s->layer_stride >> 2);
    set(s, at + 0x20, s->first_layer);
}

static void tell(struct scene *s) {
    const struct reference_clear *c = &s->clear;
    if (s->family->is_tesla)
        set(s, 0x184, OBJECT);
    if (s->zeta)
        tell_zeta(s);
    else if (s->family->is_tesla)
        tell_color_tesla(s);
    else
        tell_color_fermi(s);
    for (uint32_t i = 0; i < 4 && !s->zeta; i++)
        set(s, 0xd80 + i * 4, c->value[i]);
    set(s, 0x15b8, c->srgb);
    set(s, 0x15d0, s->mode);
    s->data |= s->target << 6 | s->layer << 10;
}

/* ---- a round ---- */

static void compare(struct scene *s, unsigned round) {
    const struct reference_clear *c = &s->clear;
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    assert_true(memory_read(&s->rig.memory, &vram, base_of(s), s->found, REGION, NULL));
    for (uint32_t i = 0; i < REGION; i++)
        if (s->found[i] != s->after[i])
            fail_msg("%s, round %u: %s (%x) %s, %dx%d %s%s, clear %x: %04x has %02x, not %02x, before %02x",
                     s->family->chip, round, c->format->components, c->format->code, c->written, (int)c->width,
                     (int)c->height, s->pitch ? "pitch" : "blocks", s->is_3d ? " 3D" : "", s->data, i, s->found[i],
                     s->after[i], s->before[i]);
}

static void play(struct scene *s, unsigned round) {
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    uint32_t chances = CHANCES;
    for (uint32_t i = 0; i < REGION; i++)
        s->before[i] = (uint8_t)draw(&s->random, 0x100);
    do {
        choose(s);
        boxes(s);
        windows(s);
        memcpy(s->after, s->before, REGION);
    } while (!reference_clear(&s->clear, s->after, REGION) && --chances);
    assert_true(chances > 0);
    assert_true(memory_write(&s->rig.memory, &vram, base_of(s), s->before, REGION, NULL));
    tell(s);
    set(s, 0x19d0, s->data);
    compare(s, round);
}

static void play_family(const struct family *family) {
    struct scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->family = family;
    s->random.state = family->object_class;
    assert_true(engine_rig_start(&s->rig, family->chip));
    s->id = engine_rig_id(&s->rig, CHIP_UNIT_PGRAPH);
    assert_true(engine_rig_bind(&s->rig, s->id, 0, family->object_class));
    for (unsigned round = 0, rounds = (unsigned)rounds_wanted(ROUNDS); round < rounds; round++)
        play(s, round);
    assert_int_equal(s->rig.faults, 0);
    engine_rig_stop(&s->rig);
    free(s);
}

static void clears_of_tesla_are_those_of_the_reference(void **state) {
    (void)state;
    play_family(&(struct family){"G80", 0x5097, GOB_LINES, true});
    play_family(&(struct family){"MCP89", 0x8697, GOB_LINES, true});
}

static void clears_of_fermi_and_later_are_those_of_the_reference(void **state) {
    (void)state;
    static const struct family families[] = {{"GF100", 0x9097, GOB_SECTORS, false},
                                             {"GK104", 0xa097, GOB_COLUMNS, false},
                                             {"GM20B", 0xb197, GOB_SECTORS, false},
                                             {"GP102", 0xc197, GOB_SECTORS, false}};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        play_family(&families[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clears_of_tesla_are_those_of_the_reference),
        cmocka_unit_test(clears_of_fermi_and_later_are_those_of_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
