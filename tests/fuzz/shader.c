/* SPDX-License-Identifier: MIT */
/*
 * Programs of any words, decoded and run by two warps: one in a piece, one in slices of few instructions. Both must do
 * the same, and end or use up their budget. What a stage lends answers anything, the same to both.
 *
 *   byte 0    instruction set
 *   byte 1    which lanes run, what they are, whether illegal words are skipped
 *   byte 2    length of the slices
 *   then      the program, from address 0 on; it repeats
 */
#include "engine/image/image.h"
#include "engine/shade/warp.h"
#include "fuzz/input.h"
#include "isa/shader/operation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUDGET = 2000, MEMORY = 0x1000, CODE = 0x800, LOCAL = 64, SHARED = 256, EMITTED = 3 };

static const struct set {
    const struct isa *isa;
    uint64_t nop;
} sets[] = {
    {&isa_gm107, 0x50b0000000070f00},
    {&isa_gk110, 0x85800000001c3c02},
    {&isa_gf100, 0x4000000000001de4},
    {&isa_gf100k, 0x4000000000001de4},
};

struct machine {
    shade_row inputs[SHADE_ATTRIBUTES], outputs[SHADE_ATTRIBUTES];
    struct shade_warp warp;
    struct shade_io io;
    struct shade_vertices vertices;
    struct shade_emission emission;
    struct shade_span spans[2];
    uint32_t emitted[SHADE_LANES * EMITTED * 3];
    uint8_t marks[SHADE_LANES * EMITTED];
    struct texture_view view;
    uint8_t memory[MEMORY], local[SHADE_LANES * LOCAL], shared[SHARED];
    uint8_t code[CODE];
    size_t bytes;
    uint64_t reports;
    const struct set *set;
    bool skips; /* a NOP is in place of each illegal word */
};

static uint32_t mixed(uint32_t a, uint32_t b) {
    uint32_t x = (a ^ b * 0x9e3779b9u) * 0x85ebca6bu;
    return x ^ x >> 15;
}

static bool fetch(void *opaque, uint32_t address, uint8_t *bytes, unsigned count) {
    const struct machine *m = opaque;
    if (address >= 0x100000)
        return false;
    struct ir ir;
    for (unsigned i = 0; i < count; i++)
        bytes[i] = m->bytes ? m->code[(address + i) % m->bytes] : 0;
    enum isa_result result = m->set->isa->decode(bytes, count, address, &ir, 1).result;
    require(result != ISA_OK || !ir_validate(&ir));
    if (m->skips && result == ISA_ILLEGAL)
        for (unsigned i = 0; i < count; i++)
            bytes[i] = (uint8_t)(m->set->nop >> 8 * i);
    return true;
}

static void interpolate(struct shade_warp *warp, uint32_t lanes, const uint32_t *word, const struct ir *ir,
                        const uint32_t *offset, uint32_t *out) {
    (void)warp;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        if (lanes >> i & 1)
            out[i] = mixed(word[i] + ir->sample, offset[i]);
}

static void pixel(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, const uint32_t *a, uint32_t *out) {
    (void)warp;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        if (lanes >> i & 1)
            out[i] = mixed(ir->mode, a[i]);
}

static bool load(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, void *to,
                 unsigned stride) {
    const struct machine *m = warp->io->opaque;
    require(bytes <= 16);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        for (unsigned k = 0; k < bytes && lanes >> i & 1; k++)
            ((uint8_t *)to)[(size_t)i * stride + k] = m->memory[(address[i] + k) % MEMORY];
    return true;
}

/* A part of the addresses cannot be written. */
static bool store(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, const void *from,
                  unsigned stride) {
    struct machine *m = warp->io->opaque;
    require(bytes <= 16);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        if ((lanes >> i & 1) && (address[i] & 0xff000000) == 0xee000000)
            return false;
        for (unsigned k = 0; k < bytes && lanes >> i & 1; k++)
            m->memory[(address[i] + k) % MEMORY] = ((const uint8_t *)from)[(size_t)i * stride + k];
    }
    return true;
}

static bool texture(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, const uint32_t *handle,
                    shade_row out[4]) {
    const struct ir_texture *t = &ir->texture;
    const uint32_t *x = shade_lanes(warp, t->coordinate[0]), *reference = shade_lanes(warp, t->reference);
    for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            if (lanes >> i & 1)
                out[k][i] = mixed(x[i] + k, mixed(handle[i], reference[i]));
    return true;
}

/* Slots and headers are words of memory; of slots the formats are mostly known. */
static const struct texture_view *header(void *opaque, uint32_t index) {
    struct machine *m = opaque;
    const struct texture_unit unit = {(enum texture_layout)(m->memory[0] & 1), GOB_SECTORS, m->memory[1] & 1};
    uint32_t words[TEXTURE_WORDS];
    const char *reason;
    memcpy(words, m->memory + (size_t)(index % 64) * sizeof words, sizeof words);
    return texture_header(&m->view, &unit, words, &reason) ? &m->view : NULL;
}

static bool surface(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, struct shade_image *image) {
    struct machine *m = warp->io->opaque;
    struct image slots[IMAGE_SLOTS];
    const struct images images = {m, header, slots};
    for (unsigned i = 0; i < IMAGE_SLOTS; i++) {
        uint32_t words[IMAGE_SLOT_WORDS];
        memcpy(words, m->memory + 0x800 + i * sizeof words, sizeof words);
        words[2] &= m->memory[2] & 1 ? 0xff : UINT32_MAX;
        words[4] |= m->memory[2] & 2 ? 0xc00 : 0;
        slots[i] = image_of_slot(words, m->memory[2] & 4 ? GOB_COLUMNS : GOB_LINES);
    }
    return image_surface(&images, warp, lanes, ir, image);
}

static void not_executed(struct shade_warp *warp, const struct ir *ir) {
    struct machine *m = warp->io->opaque;
    require(ir->name && *ir->name);
    m->reports++;
}

/* Words of vertices are those of the inputs. */
static void give(struct machine *m) {
    static const uint8_t kept[] = {0x1c, 0x1d, 0x80};
    m->vertices = (struct shade_vertices){m->inputs[0], m->inputs[8], 4};
    m->emission = (struct shade_emission){kept, sizeof kept, EMITTED, m->emitted, m->marks, {0}};
    m->spans[0] = (struct shade_span){0x200, 0x100, m->memory + 0x200, false};
    m->spans[1] = (struct shade_span){0x280, 0x400, m->memory + 0x280, true};
}

static void begin(struct machine *m, struct shade_program *program, unsigned how) {
    static const struct shade_special special = {0x20, 0x12345678, NULL};
    give(m);
    m->io = (struct shade_io){
        .opaque = m,
        .texture_bank = 2,
        .inputs = how & 1 ? m->inputs : NULL,
        .outputs = m->outputs,
        .patch = m->inputs[8],
        .local = m->local,
        .local_bytes = LOCAL,
        .shared = m->shared,
        .shared_bytes = SHARED,
        .local_window = 0xff000000,
        .shared_window = 0xfe000000,
        .quads = how & 2,
        .flat = how & 4,
        .vertices = &m->vertices,
        .emission = &m->emission,
        .specials = &special,
        .special_count = 1,
        .spans = m->spans,
        .span_count = how & 64 ? 2 : 0,
        .interpolate = interpolate,
        .pixel = pixel,
        .load = load,
        .store = store,
        .texture = texture,
        .surface = surface,
        .not_executed = not_executed,
    };
    for (unsigned i = 0; i < 4; i++)
        m->io.constants[i] = (struct shade_constants){m->memory, MEMORY >> i};
    shade_warp_begin(&m->warp, program, &m->io, how & 8 ? 0x0ff0f00f : UINT32_MAX, how & 16 ? 0x00f00002 : 0);
}

static enum shade_stop run(struct machine *m, uint64_t slice, uint64_t *total) {
    enum shade_stop stop = SHADE_BUDGET;
    for (*total = 0; *total < BUDGET;) {
        uint64_t used = 0, left = BUDGET - *total;
        stop = shade_run(&m->warp, slice < left ? slice : left, &used);
        require(used <= slice && used <= left);
        *total += used;
        if ((stop != SHADE_BUDGET && stop != SHADE_BARRIER) || (!used && stop == SHADE_BARRIER))
            break;
    }
    return stop;
}

static void require_same(const struct machine *a, const struct machine *b) {
    require(a->warp.zeroed == b->warp.zeroed);
    require(memcmp(a->warp.registers, b->warp.registers, a->warp.zeroed * sizeof a->warp.registers[0]) == 0);
    require(memcmp(a->warp.predicates, b->warp.predicates, sizeof a->warp.predicates) == 0);
    require(a->warp.alive == b->warp.alive && a->warp.killed == b->warp.killed);
    require(a->warp.instructions == b->warp.instructions && a->warp.fault_address == b->warp.fault_address);
    require(memcmp(a->outputs, b->outputs, sizeof a->outputs) == 0);
    require(memcmp(a->memory, b->memory, MEMORY) == 0 && memcmp(a->local, b->local, sizeof a->local) == 0);
    require(memcmp(a->shared, b->shared, SHARED) == 0 && a->reports == b->reports);
    require(memcmp(a->emission.count, b->emission.count, sizeof a->emission.count) == 0);
    require(memcmp(a->emitted, b->emitted, sizeof a->emitted) == 0);
    require(memcmp(a->marks, b->marks, sizeof a->marks) == 0 && a->warp.accesses == b->warp.accesses);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size};
    const struct set *set = &sets[take(&in, 1) % (sizeof sets / sizeof sets[0])];
    unsigned how = (unsigned)take(&in, 1);
    uint64_t slice = take(&in, 1) % 16 + 1, totals[2];
    enum shade_stop stops[2];
    struct machine *machines = aligned_alloc(64, 2 * sizeof *machines);
    if (!machines)
        return 0;
    memset(machines, 0, 2 * sizeof *machines);
    for (unsigned i = 0; i < 2; i++) {
        struct machine *m = &machines[i];
        m->set = set;
        m->skips = how & 32;
        m->bytes = in.left < CODE ? in.left & ~(size_t)7 : CODE;
        memcpy(m->code, in.data, m->bytes);
        for (unsigned k = 0; k < MEMORY; k++)
            m->memory[k] = (uint8_t)mixed(k, 7);
        for (unsigned k = 0; k < SHADE_ATTRIBUTES * SHADE_LANES; k++)
            m->inputs[k / SHADE_LANES][k % SHADE_LANES] = mixed(k, 8);
        struct shade_program *program = shade_program_new(NULL, set->isa, fetch, m, 0);
        if (program) {
            begin(m, program, how);
            stops[i] = run(m, i ? slice : BUDGET, &totals[i]);
            shade_program_free(program);
        } else {
            stops[i] = SHADE_DONE;
            totals[i] = 0;
        }
    }
    require(stops[0] == stops[1] && totals[0] == totals[1]);
    require_same(&machines[0], &machines[1]);
    free(machines);
    return 0;
}
