/* SPDX-License-Identifier: MIT */
/*
 * Random launches of everything that moves memory, on a chip of each generation, against a copy byte after byte:
 * layouts, sizes, origins, overlaps, remaps, faults in the middle, and what is written when all is done.
 */
#include "check.h"

#include "reference/transfer.h"
#include "rounds.h"
#include "unit/graph/graph.h"

#define AREA   0x80000u /* of memory that is compared */
#define OBJECT 0x10000u /* bytes of a DMA object before GF100 */
#define DONE   0x70040u /* where semaphores and notifiers are written; in object 7 */

#define LAUNCHES 16

/* What a class can do. */
enum {
    BLOCKS = 1 << 0,      /* surfaces in blocks */
    WIDE_BLOCKS = 1 << 1, /* that are several gobs wide */
    QUARTER = 1 << 2,     /* or a quarter of one */
    GOB_CHOICE = 1 << 3,  /* of 4 or 8 lines */
    SECTORS = 1 << 4,     /* gobs of 8 lines are in sectors */
    NEGATIVE = 1 << 5,    /* pitches */
    ANY_PITCH = 1 << 6,   /* pitches shorter than a line */
    REMAP = 1 << 7,
    BAD_COMPONENTS = 1 << 8, /* are not refused */
    ZERO = 1 << 9,           /* components 6 and 7 are zero, not kept */
    STEPS = 1 << 10,         /* increments */
    OBJECTS = 1 << 11,       /* addresses are in DMA objects */
    LARGE_STEPS = 1 << 12,   /* 8 and 16 */
    KEPLER = 1 << 13,        /* sectors in the order of its gobs */
};

struct launch {
    struct engine_rig *rig;
    unsigned id;
    struct choice *choice;
    unsigned can;
    uint32_t object[2]; /* of source and destination */
    bool remaps;
    struct reference_transfer t;
};

struct unit_case {
    const char *name, *chip;
    enum chip_unit unit;
    uint32_t object_class;
    unsigned can;
    void (*launch)(struct launch *launch);
    void (*done)(uint8_t *memory, bool good); /* what is written after the copy, or when it has faulted */
    bool uploads;
};

static void put(struct launch *l, uint32_t method, uint32_t value) {
    engine_rig_send(l->rig, l->id, 0, method, 4, &value, 1);
}

static void done_one_word(uint8_t *memory, bool good) {
    if (good)
        store_le32(memory + DONE, 42);
}

static void done_notifier(uint8_t *memory, bool good) {
    store_le64(memory + 0x70010, ENGINE_RIG_TIME);
    store_le64(memory + 0x70018, good ? 0 : UINT64_C(0x4000) << 48);
}

static unsigned log2_of(unsigned value) {
    unsigned result = 0;
    while (value > 1u << result)
        result++;
    return result;
}

static uint32_t block_size(const struct reference_side *s) {
    return log2_of(s->wide) | log2_of(s->high) << 4 | log2_of(s->deep) << 8;
}

static void put_surface(struct launch *l, uint32_t method, const struct reference_side *s, uint32_t block,
                        unsigned pixel_bytes) {
    put(l, method, block);
    put(l, method + 4, (uint32_t)(s->width / pixel_bytes));
    put(l, method + 8, (uint32_t)s->height);
    put(l, method + 12, (uint32_t)s->z + choice_between(l->choice, 1, 3));
    put(l, method + 16, (uint32_t)s->z);
}

/* ---- how each class is told ---- */

static void put_objects(struct launch *l) {
    put(l, 0x180, 7);
    put(l, 0x184, l->object[0]);
    put(l, 0x188, l->object[1]);
}

static void put_m2mf(struct launch *l) {
    put(l, 0x30c, (uint32_t)l->t.from.address);
    put(l, 0x310, (uint32_t)l->t.to.address);
    put(l, 0x314, (uint32_t)l->t.from.pitch);
    put(l, 0x318, (uint32_t)l->t.to.pitch);
    put(l, 0x31c, (uint32_t)l->t.length);
    put(l, 0x320, (uint32_t)l->t.lines);
    put(l, 0x324, l->t.from_step | l->t.to_step << 8);
}

static void launch_m2mf(struct launch *l) {
    put_objects(l);
    put_m2mf(l);
    put(l, 0x328, 0);
}

/* PGRAPH has loaded the objects that the driver wrote to RAMIN; what is above the increments does not count. */
static void launch_nv3_m2mf(struct launch *l) {
    struct graph_regs *r = &l->rig->fifo.graph->r;
    r->object_notify = 7;
    r->object_dma = l->object[0];
    r->object_m2mf = l->object[1] | (choice_word(l->choice) & 0x10000);
    put_m2mf(l);
    put(l, 0x324, l->t.from_step | l->t.to_step << 8 | (choice_word(l->choice) & 0xfffff800));
    put(l, 0x328, 0);
}

static void launch_tesla_m2mf(struct launch *l) {
    const struct reference_side *from = &l->t.from, *to = &l->t.to;
    put_objects(l);
    put_m2mf(l);
    put(l, 0x200, from->linear);
    put_surface(l, 0x204, from, block_size(from), 1);
    put(l, 0x218, (uint32_t)(from->x | from->y << 16));
    put(l, 0x21c, to->linear);
    put_surface(l, 0x220, to, block_size(to), 1);
    put(l, 0x234, (uint32_t)(to->x | to->y << 16));
    put(l, 0x328, 0);
}

static void put_fermi_m2mf(struct launch *l, bool with_source) {
    const struct reference_side *from = &l->t.from, *to = &l->t.to;
    if (with_source) {
        put_surface(l, 0x204, from, block_size(from), 1);
        put(l, 0x310, (uint32_t)from->address);
        put(l, 0x314, (uint32_t)from->pitch);
        put(l, 0x344, (uint32_t)from->x);
        put(l, 0x348, (uint32_t)from->y);
    }
    put_surface(l, 0x220, to, block_size(to), 1);
    put(l, 0x23c, (uint32_t)to->address);
    put(l, 0x318, (uint32_t)to->pitch);
    put(l, 0x31c, (uint32_t)l->t.length);
    put(l, 0x320, (uint32_t)l->t.lines);
    put(l, 0x34c, (uint32_t)to->x);
    put(l, 0x350, (uint32_t)to->y);
    put(l, 0x330, DONE);
    put(l, 0x334, 42);
    put(l, 0x300, 0x102000 | !with_source | (uint32_t)from->linear << 4 | (uint32_t)to->linear << 8);
}

static void launch_fermi_m2mf(struct launch *l) {
    put_fermi_m2mf(l, true);
}

static void launch_fermi_inline(struct launch *l) {
    put_fermi_m2mf(l, false);
}

static void launch_inline(struct launch *l) {
    const struct reference_side *to = &l->t.to;
    put(l, 0x180, (uint32_t)l->t.length);
    put(l, 0x184, (uint32_t)l->t.lines);
    put(l, 0x18c, (uint32_t)to->address);
    put(l, 0x190, (uint32_t)to->pitch);
    put_surface(l, 0x194, to, block_size(to), 1);
    put(l, 0x1a8, (uint32_t)to->x);
    put(l, 0x1ac, (uint32_t)to->y);
    put(l, 0x1e0, DONE);
    put(l, 0x1e4, 42);
    put(l, 0x1b0, 0x1020 | to->linear);
}

static uint32_t components(const struct reference_transfer *t) {
    uint32_t value = (t->bytes - 1) << 16 | (t->from_count - 1) << 20 | (t->to_count - 1) << 24;
    for (unsigned i = 0; i < 4; i++)
        value |= t->select[i] << 4 * i;
    return value;
}

static uint32_t copy_block_size(const struct reference_side *s) {
    return block_size(s) | (s->gob_width == 16 ? 0xe : 0) | (s->gob_lines == 8 ? 0x1000 : 0);
}

static unsigned from_pixel(const struct launch *l) {
    return l->remaps ? l->t.bytes * l->t.from_count : 1;
}

static unsigned to_pixel(const struct launch *l) {
    return l->remaps ? l->t.bytes * l->t.to_count : 1;
}

static void put_origin(struct launch *l, uint32_t pair, uint32_t wide, uint32_t x, uint32_t y) {
    bool is_wide = l->rig->fifo.chip->id >= 0x132 && choice_once_in(l->choice, 2); /* GP102 and later have them */
    put(l, is_wide ? pair : wide, choice_word(l->choice));
    if (is_wide)
        put(l, wide, x), put(l, wide + 4, y);
    else
        put(l, pair, x | y << 16);
}

static void launch_copy(struct launch *l) {
    const struct reference_side *from = &l->t.from, *to = &l->t.to;
    put(l, 0x180, l->object[0]);
    put(l, 0x184, l->object[1]);
    put(l, 0x188, 7);
    put(l, 0x240, 0x20000000);
    put(l, 0x244, l->can & OBJECTS ? DONE & 0xffff : DONE);
    put(l, 0x248, 42);
    put(l, 0x400, 0);
    put(l, 0x404, (uint32_t)from->address);
    put(l, 0x408, 0x10000000);
    put(l, 0x40c, (uint32_t)to->address);
    put(l, 0x410, (uint32_t)from->pitch);
    put(l, 0x414, (uint32_t)to->pitch);
    put(l, 0x418, (uint32_t)l->t.length);
    put(l, 0x41c, l->t.lines == 1 ? choice_word(l->choice) : (uint32_t)l->t.lines);
    put(l, 0x700, l->t.constant_a);
    put(l, 0x704, l->t.constant_b);
    put(l, 0x708, components(&l->t));
    put_surface(l, 0x70c, to, copy_block_size(to), to_pixel(l));
    put_surface(l, 0x728, from, copy_block_size(from), from_pixel(l));
    put_origin(l, 0x720, 0x74c, (uint32_t)to->x / to_pixel(l), (uint32_t)to->y);
    put_origin(l, 0x73c, 0x744, (uint32_t)from->x / from_pixel(l), (uint32_t)from->y);
    put(l, 0x300,
        0xe | (uint32_t)from->linear << 7 | (uint32_t)to->linear << 8 | (l->t.lines != 1) << 9 |
            (uint32_t)l->remaps << 10);
}

static uint32_t nouveau_block(const struct reference_side *s) {
    return (block_size(s) & 0xff0) | (s->gob_width == 16 ? 0xe : 0);
}

static void launch_nouveau(struct launch *l) {
    const struct reference_side *from = &l->t.from, *to = &l->t.to;
    put(l, 0x180, 7);
    put(l, 0x184, l->object[0]);
    put(l, 0x188, l->object[1]);
    put_surface(l, 0x200, from, nouveau_block(from), from_pixel(l));
    put(l, 0x214, (uint32_t)from->x / from_pixel(l));
    put(l, 0x218, (uint32_t)from->y);
    put_surface(l, 0x220, to, nouveau_block(to), to_pixel(l));
    put(l, 0x234, (uint32_t)to->x / to_pixel(l));
    put(l, 0x238, (uint32_t)to->y);
    put(l, 0x310, (uint32_t)from->address);
    put(l, 0x318, (uint32_t)to->address);
    put(l, 0x31c, (uint32_t)from->pitch);
    put(l, 0x320, (uint32_t)to->pitch);
    put(l, 0x324, (uint32_t)l->t.length);
    put(l, 0x328, (uint32_t)l->t.lines);
    put(l, 0x32c, components(&l->t));
    put(l, 0x330, l->t.constant_a);
    put(l, 0x334, l->t.constant_b);
    put(l, 0x33c, l->can & OBJECTS ? DONE & 0xffff : DONE);
    put(l, 0x340, 42);
    put(l, 0x300, 0x3000 | l->remaps | (uint32_t)from->linear << 4 | (uint32_t)to->linear << 8);
}

#define TESLA_BLOCKS (BLOCKS | OBJECTS)
#define FERMI_BLOCKS (BLOCKS | SECTORS)
#define COPIES       (REMAP | NEGATIVE)

/* clang-format off */
static const struct unit_case cases[] = {
    {"M2MF of NV3", "NV3", CHIP_UNIT_PGRAPH, 0x0039, OBJECTS | ANY_PITCH | STEPS, launch_nv3_m2mf, done_notifier,
     false},
    {"M2MF of NV4x", "NV40", CHIP_UNIT_PGRAPH, 0x0039, OBJECTS | ANY_PITCH | STEPS, launch_m2mf, done_notifier, false},
    {"M2MF of Tesla", "G80", CHIP_UNIT_PGRAPH, 0x5039, TESLA_BLOCKS | WIDE_BLOCKS | NEGATIVE | STEPS | LARGE_STEPS,
     launch_tesla_m2mf, done_notifier, false},
    {"M2MF of Fermi", "GF100", CHIP_UNIT_PGRAPH, 0x9039, FERMI_BLOCKS | WIDE_BLOCKS | NEGATIVE, launch_fermi_m2mf,
     done_one_word, false},
    {"inline M2MF", "GF100", CHIP_UNIT_PGRAPH, 0x9039, FERMI_BLOCKS | WIDE_BLOCKS | NEGATIVE, launch_fermi_inline,
     done_one_word, true},
    {"inline of Kepler", "GK104", CHIP_UNIT_PGRAPH, 0xa040, FERMI_BLOCKS | KEPLER | WIDE_BLOCKS | NEGATIVE, launch_inline,
     done_one_word, true},
    {"inline of Maxwell 3D", "GM107", CHIP_UNIT_PGRAPH, 0xb097, FERMI_BLOCKS | WIDE_BLOCKS | NEGATIVE, launch_inline,
     done_one_word, true},
    {"inline of Pascal compute", "GP102", CHIP_UNIT_PGRAPH, 0xc1c0, FERMI_BLOCKS | WIDE_BLOCKS | NEGATIVE,
     launch_inline, done_one_word, true},
    {"copy of GT215", "GT215", CHIP_UNIT_PCOPY0, 0x85b5,
     TESLA_BLOCKS | QUARTER | GOB_CHOICE | COPIES | ANY_PITCH | BAD_COMPONENTS, launch_copy, done_one_word, false},
    {"nouveau's copy of GT215", "GT215", CHIP_UNIT_PCOPY0, 0x85b5,
     TESLA_BLOCKS | QUARTER | REMAP | ANY_PITCH | BAD_COMPONENTS | ZERO, launch_nouveau, done_one_word, false},
    {"copy of Fermi", "GF100", CHIP_UNIT_PCOPY0, 0x90b5,
     FERMI_BLOCKS | QUARTER | GOB_CHOICE | COPIES | ANY_PITCH | BAD_COMPONENTS, launch_copy, done_one_word, false},
    {"nouveau's copy of Fermi", "GF100", CHIP_UNIT_PCOPY1, 0x90b8,
     FERMI_BLOCKS | QUARTER | REMAP | ANY_PITCH | BAD_COMPONENTS | ZERO, launch_nouveau, done_one_word, false},
    {"copy of Kepler", "GK104", CHIP_UNIT_PCOPY0, 0xa0b5, FERMI_BLOCKS | KEPLER | QUARTER | GOB_CHOICE | COPIES, launch_copy,
     done_one_word, false},
    {"copy of Maxwell", "GM107", CHIP_UNIT_PCOPY0, 0xb0b5, FERMI_BLOCKS | QUARTER | GOB_CHOICE | COPIES, launch_copy,
     done_one_word, false},
    {"copy of Pascal", "GP102", CHIP_UNIT_PCOPY0, 0xc1b5, FERMI_BLOCKS | COPIES, launch_copy, done_one_word, false},
};
/* clang-format on */

/* ---- choosing ---- */

static unsigned gob_lines_of(struct launch *l) {
    if (l->can & GOB_CHOICE)
        return choice_once_in(l->choice, 2) ? 4 : 8;
    return l->can & SECTORS ? 8 : 4;
}

static void choose_blocks(struct launch *l, struct reference_side *s, uint64_t line_bytes, unsigned pixel_bytes) {
    struct choice *c = l->choice;
    s->gob_lines = gob_lines_of(l);
    s->gob_width = l->can & QUARTER && choice_once_in(c, 4) ? 16 : 64;
    s->sectors = s->gob_lines == 8 && s->gob_width == 64;
    s->is_kepler = (l->can & KEPLER) != 0;
    s->wide = l->can & WIDE_BLOCKS ? 1u << choice_below(c, 3) : 1;
    s->high = 1u << choice_below(c, 4);
    s->deep = 1u << choice_below(c, 3);
    s->x = (uint64_t)choice_below(c, 20) * pixel_bytes;
    s->y = choice_below(c, 20);
    s->z = choice_below(c, 3);
    s->width = s->x + line_bytes + (uint64_t)choice_below(c, 70) * pixel_bytes;
    s->height = s->y + l->t.lines + choice_below(c, 40);
}

static void choose_pitch(struct launch *l, struct reference_side *s, uint64_t line_bytes) {
    struct choice *c = l->choice;
    s->pitch = (int64_t)(line_bytes + choice_below(c, 50));
    if (l->can & ANY_PITCH && choice_once_in(c, 4))
        s->pitch = choice_below(c, 100);
    if (l->can & NEGATIVE && choice_once_in(c, 4)) {
        s->address += (uint64_t)s->pitch * l->t.lines;
        s->pitch = -s->pitch;
    }
    if (l->t.lines == 1 && choice_once_in(c, 2))
        s->pitch = 0;
}

/* `near`: where the other side is, so that they overlap. */
static void choose_side(struct launch *l, struct reference_side *s, uint64_t line_bytes, unsigned pixel_bytes,
                        uint64_t near) {
    struct choice *c = l->choice;
    uint64_t end = l->can & OBJECTS ? OBJECT : AREA;
    memset(s, 0, sizeof *s);
    s->end = end;
    s->wide = s->high = s->deep = 1;
    s->gob_width = 64, s->gob_lines = 8;
    s->linear = !(l->can & BLOCKS) || choice_once_in(c, 2);
    s->address = choice_below(c, (uint32_t)end / 2);
    if (choice_once_in(c, 3))
        s->address = near + choice_below(c, 64);
    if (choice_once_in(c, 20))
        s->address = end - choice_below(c, 2000);
    if (s->linear)
        choose_pitch(l, s, line_bytes);
    else
        choose_blocks(l, s, line_bytes, pixel_bytes);
}

static void choose_remap(struct launch *l) {
    struct choice *c = l->choice;
    struct reference_transfer *t = &l->t;
    static const unsigned increments[] = {1, 1, 1, 2, 4, 8, 16};
    t->bytes = t->from_count = t->to_count = 1;
    t->piece = 1;
    l->remaps = l->can & REMAP && choice_once_in(c, 2);
    if (l->can & STEPS) {
        t->from_step = increments[choice_below(c, l->can & LARGE_STEPS ? 7 : 5)];
        t->to_step = increments[choice_below(c, l->can & LARGE_STEPS ? 7 : 5)];
    }
    t->constant_a = choice_word(c);
    t->constant_b = choice_word(c);
    if (!l->remaps)
        return;
    t->bytes = choice_between(c, 1, 4);
    t->from_count = choice_between(c, 1, 4);
    t->to_count = choice_between(c, 1, 4);
    t->piece = 256;
    for (unsigned i = 0; i < 4; i++) {
        t->select[i] = choice_below(c, 8);
        if (t->select[i] < 4 && !(l->can & BAD_COMPONENTS))
            t->select[i] %= t->from_count;
    }
    if (choice_once_in(c, 4)) /* identity, as Mesa has it; or constants only */
        for (unsigned i = 0; i < 4; i++)
            t->select[i] = i;
    else if (choice_once_in(c, 4))
        for (unsigned i = 0; i < 4; i++)
            t->select[i] = 4 + choice_below(c, 2);
    if (choice_once_in(c, 2))
        t->to_count = t->from_count;
}

/* Components beyond those that a class has are refused; so are lines longer than 65535 units of an origin. */
static bool is_refused(const struct launch *l) {
    for (unsigned i = 0; i < l->t.to_count; i++)
        if (l->remaps && !(l->can & BAD_COMPONENTS) && l->t.select[i] < 4 && l->t.select[i] >= l->t.from_count)
            return true;
    return false;
}

/* Bytes one after the other, which is what pixels that do not change are. */
static void normalise(struct launch *l) {
    struct reference_transfer *t = &l->t;
    bool same = t->from_count == t->to_count;
    for (unsigned i = 0; i < 4; i++)
        if (l->remaps && t->select[i] >= 6)
            t->select[i] = l->can & ZERO ? REFERENCE_ZERO : REFERENCE_NONE;
    for (unsigned i = 0; i < t->to_count; i++)
        same = same && t->select[i] == i;
    if (!same || !l->remaps)
        return;
    t->length *= t->bytes * t->from_count;
    t->bytes = t->from_count = t->to_count = 1;
    t->piece = 1;
}

static void choose(struct launch *l) {
    struct choice *c = l->choice;
    struct reference_transfer *t = &l->t;
    t->length = choice_between(c, choice_once_in(c, 8) ? 0 : 1, choice_once_in(c, 8) ? 700 : 90);
    t->lines = t->length > 90 ? choice_between(c, 1, 3) : choice_between(c, choice_once_in(c, 8) ? 0 : 1, 20);
    choose_remap(l);
    l->object[0] = choice_between(c, 1, 6);
    l->object[1] = choice_once_in(c, 2) ? l->object[0] : choice_between(c, 1, 6);
    choose_side(l, &t->from, t->length * from_pixel(l), from_pixel(l), 0);
    choose_side(l, &t->to, t->length * to_pixel(l), to_pixel(l), t->from.address);
}

/* ---- one launch ---- */

static uint8_t mirror[AREA];

static const uint8_t *rig_memory(struct engine_rig *rig) {
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    struct span span;
    assert_true(memory_span(&rig->memory, &vram, 0, AREA, MEMORY_READ, &span, NULL));
    assert_true(span.bytes >= AREA);
    return span.data;
}

static void send_words(struct launch *l, uint32_t method, const uint32_t *words, uint32_t count) {
    for (uint32_t at = 0; at < count;) {
        uint32_t run = choice_between(l->choice, 1, 1500);
        run = run < count - at ? run : count - at;
        sent(l->rig, l->id, 0, method, 0, words + at, run);
        at += run;
    }
}

static bool upload(struct launch *l, const struct unit_case *unit_case) {
    static uint32_t words[8192];
    uint32_t count = (uint32_t)((l->t.length * l->t.lines + 3) / 4);
    for (uint32_t i = 0; i < count; i++)
        words[i] = choice_word(l->choice);
    send_words(l, unit_case->object_class == 0x9039 ? 0x304 : 0x1b4, words, count);
    return reference_upload(&l->t.to, l->t.length, l->t.lines, words);
}

/* What the reference's sides are in. */
static void place(struct launch *l) {
    l->t.from.memory = mirror + (l->can & OBJECTS ? l->object[0] * OBJECT : 0);
    l->t.to.memory = mirror + (l->can & OBJECTS ? l->object[1] * OBJECT : 0);
}

static bool same_memory(const struct launch *l, const struct unit_case *unit_case, FILE *report) {
    const uint8_t *memory = rig_memory(l->rig);
    if (memcmp(memory, mirror, AREA) == 0)
        return true;
    uint32_t at = 0;
    while (memory[at] == mirror[at])
        at++;
    fprintf(report,
            "%s: byte 0x%x is 0x%02x, not 0x%02x: %u x %u of %u bytes, %u and %u components; source %s, destination %s "
            "at 0x%x\n",
            unit_case->name, at, memory[at], mirror[at], (unsigned)l->t.length, (unsigned)l->t.lines, l->t.bytes,
            l->t.from_count, l->t.to_count, l->t.from.linear ? "linear" : "in blocks",
            l->t.to.linear ? "linear" : "in blocks", (unsigned)l->t.to.address);
    return false;
}

static bool launch_one(struct launch *l, const struct unit_case *unit_case, FILE *report) {
    l->rig->faults = l->rig->interrupts = l->rig->events = 0;
    memset(&l->t, 0, sizeof l->t);
    choose(l);
    unit_case->launch(l);
    bool refused = is_refused(l);
    place(l);
    normalise(l);
    bool good = !refused && (unit_case->uploads ? upload(l, unit_case) : reference_transfer(&l->t));
    if (!refused)
        unit_case->done(mirror, good);
    unsigned faults = !good && !refused, errors = engine_rig_count(l->rig, EVENT_ENGINE_ERROR);
    if (l->rig->faults != faults || errors != refused) {
        fprintf(report, "%s: %u faults, not %u; %u errors, not %u\n", unit_case->name, l->rig->faults, faults, errors,
                refused);
        return false;
    }
    return same_memory(l, unit_case, report);
}

static bool play(struct choice *choice, FILE *report) {
    struct engine_rig rig;
    const struct unit_case *unit_case = &cases[choice_below(choice, sizeof cases / sizeof cases[0])];
    unsigned id = start(&rig, unit_case->chip, unit_case->unit, unit_case->object_class);
    struct launch launch = {.rig = &rig, .id = id, .choice = choice, .can = unit_case->can};
    for (uint32_t i = 0; i < AREA; i += 4) {
        store_le32(mirror + i, i * 2654435761u);
        engine_rig_wr32(&rig, i, i * 2654435761u);
    }
    bool good = true;
    for (unsigned i = 0; i < LAUNCHES && good; i++)
        good = launch_one(&launch, unit_case, report);
    engine_rig_stop(&rig);
    return good;
}

static void random_launches_do_what_the_reference_does(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play, 700), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_launches_do_what_the_reference_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
