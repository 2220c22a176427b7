/* SPDX-License-Identifier: MIT */
/* Every register of PFIFO that the documents list, on every kind of chip, and no other. */
#include "listing.h"

#include <string.h>

#define LIMIT 2048

/* A listed register of this chip: one element. */
struct element {
    const struct listed *row;
    uint32_t offset, index;
};

struct elements {
    struct element at[LIMIT];
    size_t count;
};

static const struct elements *elements_of(struct rig *rig) {
    static struct elements all;
    const struct listed *rows = rig->g80 ? listing_g80 : listing;
    size_t count = rig->g80 ? listing_g80_count : listing_count;
    all.count = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t n = 0; on(rig, rows[i].chips) && n < rows[i].count; n++) {
            assert_true(all.count < LIMIT);
            all.at[all.count++] = (struct element){&rows[i], rows[i].offset + n * rows[i].stride, n};
        }
    return &all;
}

static const struct element *find(const struct elements *all, uint32_t offset) {
    for (size_t i = 0; i < all->count; i++)
        if (all->at[i].offset == offset)
            return &all->at[i];
    return NULL;
}

/* Rows of PFIFO in its own area (and NV1's RAMIN control). */
static bool is_fifo_row(const struct rig *rig, const struct bus_row *row) {
    return row->unit == rig->fifo && ((row->begin >= 0x2000 && row->begin < 0x4000) || row->begin >= 0x90000) &&
           row->begin < 0x700000;
}

static uint32_t elements_in(const struct reg *reg) {
    return reg->count ? reg->count : 1;
}

/* Complain about all of them at once. */
static void the_library_has_the_listed_registers_and_no_other(void **state) {
    struct rig *rig = *state;
    const struct elements *all = elements_of(rig);
    bool ok = true;
    for (size_t i = 0; i < rig->bus.row_count; i++) {
        const struct bus_row *row = &rig->bus.rows[i];
        for (uint32_t n = 0; is_fifo_row(rig, row) && n < elements_in(row->reg); n++) {
            uint32_t offset = row->reg->offset + n * (row->reg->stride ? row->reg->stride : 4);
            if (find(all, offset))
                continue;
            print_error("%#x (%s) is not listed\n", offset, row->reg->name);
            ok = false;
        }
    }
    for (size_t i = 0; i < all->count; i++) {
        const struct listed *row = all->at[i].row;
        if (row->kind == DATA || row->kind == OPTIONAL || bus_find(&rig->bus, all->at[i].offset, NULL, NULL))
            continue;
        if (all->at[i].index < 2)
            print_error("%#x is missing\n", all->at[i].offset);
        ok = false;
    }
    assert_true(ok);
}

static bool same(struct rig *rig, const struct element *element, uint32_t wanted, const char *after) {
    uint32_t is = rd(rig, element->offset);
    if (!((is ^ wanted) & ~element->row->open))
        return true;
    print_error("%#x is %#x after %s, not %#x\n", element->offset, is, after, wanted);
    return false;
}

static void reset_values(void **state) {
    struct rig *rig = *state;
    const struct elements *all = elements_of(rig);
    bool ok = true;
    wr(rig, PMC_ENABLE, ~0u);
    for (size_t i = 0; i < all->count; i++)
        if (all->at[i].row->kind != OPTIONAL)
            ok &= same(rig, &all->at[i], all->at[i].row->reset, "power-on");
    assert_true(ok);
}

static bool exists(struct rig *rig, const struct element *element) {
    return element->row->kind != OPTIONAL || bus_find(&rig->bus, element->offset, NULL, NULL);
}

static void readable_and_writable_bits(void **state) {
    struct rig *rig = *state;
    const struct elements *all = elements_of(rig);
    static const uint32_t patterns[] = {~0u, 0, 0x55555555, 0xaaaaaaaa, 0x0f0f0f0f, 0x12345678, 0};
    bool ok = true;
    wr(rig, PMC_ENABLE, ~0u);
    for (size_t i = 0; i < all->count; i++) {
        const struct element *element = &all->at[i];
        const struct listed *row = element->row;
        uint32_t fixed = (row->kind == DERIVED ? rd(rig, element->offset) : row->reset) & ~row->writable;
        if (!exists(rig, element) || (row->kind == DERIVED && row->writable))
            continue;
        for (size_t j = 0; j < COUNT_OF(patterns) && ok; j++) {
            wr(rig, element->offset, patterns[j]);
            ok &= same(rig, element, ((patterns[j] & row->writable) | fixed) & row->readable, "a write to it");
        }
        for (uint32_t bit = 0; bit < 32 && ok; bit++) {
            wr(rig, element->offset, 1u << bit);
            ok &= same(rig, element, (((1u << bit) & row->writable) | fixed) & row->readable, "one bit");
        }
        wr(rig, element->offset, 0);
    }
    assert_true(ok);
}

/* Documented: the same entry again; a new pushbuffer object makes what is known of the old one worthless. */
static bool may_change(const struct rig *rig, const struct element *written, const struct element *other) {
    uint32_t entry = rig->c1.entry, half = rig->c1.entries * 8;
    if (written->row->kind == DATA && other->row->kind == DATA && rig->nv4)
        return (written->offset - entry) % half == (other->offset - entry) % half;
    if (rig->nv4 && written->offset == DMA_INSTANCE)
        return other->offset == DMA_CTL || other->offset == DMA_TLB_TAG;
    return rig->nv1 && other->offset == HASH_PHYSICAL && written->offset >= HASH_VIRTUAL;
}

/* Not each of hundreds of entries with each. */
static bool stands_for_the_rest(const struct element *element) {
    uint32_t n = element->index, count = element->row->count;
    return count < 20 || n < 2 || n + 1 == count || n == count / 2;
}

static uint32_t base_value(const struct listed *row, uint32_t index, uint32_t base) {
    /* What starts something stays off. */
    if (row->reset == 0x1007f) /* the channel of G80: the playlist has nobody else */
        return row->reset;
    bool starts = row->offset == 0x3000 || row->offset == 0x3200 || row->offset == 0x2500 || row->offset == 0x3040 ||
                  row->offset == 0x3240 || row->offset == 0x3050 || (row->offset == 0x3250 && !(row->writable & 0x10));
    return starts ? 0 : (row->offset * 0x9e3779b1u + index * 0x85ebca6bu) & base;
}

static void no_write_changes_another_register(void **state) {
    struct rig *rig = *state;
    const struct elements *all = elements_of(rig);
    static uint32_t before[LIMIT];
    bool ok = true;
    wr(rig, PMC_ENABLE, ~0u);
    for (uint32_t base = 0, turn = 0; turn < 2; turn++, base = ~0u) {
        for (size_t i = 0; i < all->count; i++)
            wr(rig, all->at[i].offset, base_value(all->at[i].row, all->at[i].index, base));
        wr(rig, rig->c1.get, rd(rig, rig->c1.put));
        if (!rig->g80)
            wr(rig, rig->c0.get, rd(rig, rig->c0.put));
        for (size_t i = 0; i < all->count; i++)
            before[i] = rd(rig, all->at[i].offset);
        for (size_t i = 0; i < all->count && ok; i++) {
            const struct element *written = &all->at[i];
            if (!stands_for_the_rest(written) || !exists(rig, written))
                continue;
            wr(rig, written->offset, ~before[i] & written->row->writable);
            for (size_t j = 0; j < all->count; j++) {
                const struct element *other = &all->at[j];
                if (j == i || other->row->kind == DERIVED || may_change(rig, written, other) ||
                    !stands_for_the_rest(other))
                    continue;
                if (((rd(rig, other->offset) ^ before[j]) & ~other->row->open) == 0)
                    continue;
                print_error("a write to %#x made %#x of %#x in %#x\n", written->offset, rd(rig, other->offset),
                            before[j], other->offset);
                ok = false;
            }
            wr(rig, written->offset, before[i]);
            if (rig->nv4)
                wr(rig, DMA_CTL, before[find(all, DMA_CTL) - all->at]);
            if (rig->nv4)
                wr(rig, DMA_TLB_TAG, before[find(all, DMA_TLB_TAG) - all->at]);
        }
    }
    assert_true(ok);
}

#define NO_REGISTER 0xbad00100 /* from G80 on */

/* Where nothing is listed reads are 0, or an error code, and writes go nowhere. */
static void between_the_registers_is_nothing(void **state) {
    struct rig *rig = *state;
    const struct elements *all = elements_of(rig);
    wr(rig, PMC_ENABLE, ~0u);
    for (uint32_t offset = 0x2000; offset < 0x4000; offset += 4) {
        if (find(all, offset))
            continue;
        wr(rig, offset, ~0u);
        expect_reg(rig, offset, rig->g80 ? NO_REGISTER : 0);
    }
}

#define SWEEP(name)                                                                                                    \
    BARE(name, the_library_has_the_listed_registers_and_no_other), BARE(name, reset_values),                           \
        BARE(name, readable_and_writable_bits), BARE(name, no_write_changes_another_register),                         \
        BARE(name, between_the_registers_is_nothing)

int main(void) {
    const struct CMUnitTest tests[] = {
        SWEEP("NV1"),   SWEEP("NV3"),   SWEEP("NV3T"),  SWEEP("NV4"),   SWEEP("NV5"),   SWEEP("NV10"),  SWEEP("NV15"),
        SWEEP("NV1A"),  SWEEP("NV11"),  SWEEP("NV17"),  SWEEP("NV1F"),  SWEEP("NV18"),  SWEEP("NV20"),  SWEEP("NV2A"),
        SWEEP("NV25"),  SWEEP("NV28"),  SWEEP("NV30"),  SWEEP("NV35"),  SWEEP("NV31"),  SWEEP("NV36"),  SWEEP("NV34"),
        SWEEP("NV40"),  SWEEP("NV45"),  SWEEP("NV41"),  SWEEP("NV42"),  SWEEP("NV43"),  SWEEP("NV44"),  SWEEP("NV44A"),
        SWEEP("G70"),   SWEEP("G71"),   SWEEP("G73"),   SWEEP("G72"),   SWEEP("C51"),   SWEEP("MCP61"), SWEEP("MCP67"),
        SWEEP("MCP73"), SWEEP("G80"),   SWEEP("G84"),   SWEEP("G86"),   SWEEP("G92"),   SWEEP("G94"),   SWEEP("G96"),
        SWEEP("G98"),   SWEEP("GT200"), SWEEP("MCP77"), SWEEP("MCP79"), SWEEP("GT215"), SWEEP("GT216"), SWEEP("GT218"),
        SWEEP("MCP89"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
