/* SPDX-License-Identifier: MIT */
/*
 * What a switch of channels saves to RAMFC and loads from there, word by word, and where RAMFC is.
 *
 * Sources: nouveau nvkm/engine/fifo/nv04.c, nv10.c, nv17.c, nv40.c; nxdk pbkit.c; envytools rnndb/fifo; xemu
 */
#include "rig.h"

#include <string.h>

struct field {
    const char *chips;
    uint32_t offset, low, bits, reg, reg_low;
};

#define WORD(chips, offset, reg)                                                                                       \
    { chips, offset, 0, 32, reg, 0 }

static const struct field fields[] = {
    WORD("NV4-", 0x00, DMA_PUT),
    WORD("NV4-", 0x04, DMA_GET),
    {"NV4:NV10", 0x08, 0, 16, DMA_INSTANCE, 0},
    {"NV4:NV10", 0x08, 16, 16, DCOUNT, 0},
    WORD("NV4:NV10", 0x0c, DMA_STATE),
    WORD("NV4:NV10", 0x10, DMA_FETCH),
    WORD("NV4:NV10", 0x14, ENGINE),
    WORD("NV4:NV10", 0x18, 0x3254),

    WORD("NV10-", 0x08, REF),
    {"NV10:NV40", 0x0c, 0, 16, DMA_INSTANCE, 0},
    {"NV10:NV40", 0x0c, 16, 16, DCOUNT, 0},
    WORD("NV10:NV40", 0x10, DMA_STATE),
    WORD("NV10:NV40", 0x14, DMA_FETCH),
    WORD("NV10:NV40", 0x18, ENGINE),
    WORD("NV10:NV40", 0x1c, 0x3254),
    WORD("NV1A:NV40", 0x20, ACQUIRE_VALUE),
    WORD("NV1A:NV40", 0x24, ACQUIRE_TIMESTAMP),
    WORD("NV1A:NV40", 0x28, ACQUIRE_TIMEOUT),
    WORD("NV1A:NV40", 0x2c, SEMAPHORE),
    WORD("NV1A:NV40", 0x30, SUBROUTINE),

    WORD("NV40-", 0x0c, DMA_INSTANCE),
    WORD("NV40-", 0x10, DCOUNT),
    WORD("NV40-", 0x14, DMA_STATE),
    {"NV40-", 0x18, 0, 28, DMA_FETCH, 0},
    {"NV40-", 0x18, 28, 2, SLI_REG, 28},
    {"NV40-", 0x18, 30, 2, DMA_FETCH, 30},
    WORD("NV40-", 0x1c, ENGINE),
    WORD("NV40-", 0x20, 0x3254),
    WORD("NV40-", 0x24, ACQUIRE_VALUE),
    WORD("NV40-", 0x28, ACQUIRE_TIMESTAMP),
    WORD("NV40-", 0x2c, ACQUIRE_TIMEOUT),
    WORD("NV40-", 0x30, SEMAPHORE),
    WORD("NV40-", 0x34, SUBROUTINE),
    WORD("NV40-", 0x38, GRCTX_INST),
    {"NV40-", 0x3c, 0, 17, DMA_TIMESLICE, 0},
    WORD("NV40-", 0x40, 0x32e4),
    WORD("NV40-", 0x44, 0x32e8),
    WORD("NV40-", 0x4c, 0x2088),
    WORD("NV40-", 0x50, 0x3300),
    WORD("NV41-", 0x54, 0x330c),
    WORD("NV41-", 0x58, 0x3310),
    WORD("NV41-", 0x5c, 0x3314),
};

static uint32_t mix(uint32_t seed, uint32_t n) {
    uint32_t x = (seed * 0x9e3779b1u) ^ (n * 0x85ebca6bu);
    return x ^ x >> 15;
}

static uint32_t field_mask(const struct field *field) {
    return field->bits == 32 ? ~0u : (1u << field->bits) - 1;
}

/* Where word `offset` of a channel is: a chip with a second area of RAMFC has its upper half there. */
struct place {
    uint32_t base, stride, second;
};

static uint32_t at(struct place place, uint32_t channel, uint32_t offset) {
    if (offset >= 0x20 && place.second)
        return place.second + channel * 32 + offset - 0x20;
    return place.base + channel * place.stride + offset;
}

/* Bits of the words that the table names, below `end`. */
static void listed_bits(const struct rig *rig, uint32_t *bits, uint32_t end) {
    memset(bits, 0, 128);
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        if (on(rig, fields[i].chips) && fields[i].offset < end)
            bits[fields[i].offset / 4] |= field_mask(&fields[i]) << fields[i].low;
}

/* Registers of a DMA channel at rest: anything, but idle, not waiting, and in no error. */
static void fill_registers(struct rig *rig, uint32_t seed) {
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        if (on(rig, fields[i].chips) && fields[i].reg != SLI_REG)
            wr(rig, fields[i].reg, mix(seed, fields[i].reg));
    wr(rig, DMA_GET, rd(rig, DMA_PUT));
    wr(rig, DMA_STATE, mix(seed, 1) & 0x1fffffff);
    wr(rig, rig->c1.pull1, mix(seed, 2) & ~0x10u);
    if (rig->nv40) {
        wr(rig, SLI_REG, 0x20000001);
        wr(rig, DMA_TIMESLICE, 0x2100aaaa);
    }
}

/*
 * A DMA channel with these registers leaves, since a PIO channel gets a command; its words are saved, and the PIO
 * channel's loaded. `end`: words from there on are neither.
 */
static void leave_and_enter(struct rig *rig, struct place place, uint32_t old, uint32_t new, uint32_t end) {
    uint32_t listed[32], saved[32], loaded[32];
    listed_bits(rig, listed, end);
    for (uint32_t offset = 0; offset < rig->ramfc_stride; offset += 4) {
        ramin_wr(rig, at(place, old, offset), mix(77, offset));
        ramin_wr(rig, at(place, new, offset), mix(78, offset));
    }
    wr(rig, rig->c1.pull0, 0);
    wr(rig, rig->c1.push1, old | rig->mode_bit);
    fill_registers(rig, old);
    for (size_t i = 0; i < COUNT_OF(fields); i++) /* nothing special in what is loaded */
        if (on(rig, fields[i].chips) && (fields[i].reg == 0x3254 || fields[i].reg == DMA_STATE) &&
            fields[i].offset < end)
            ramin_wr(rig, at(place, new, fields[i].offset), mix(78, fields[i].offset) & 0x1fffff0f);
    for (uint32_t i = 0; i < 32; i++)
        saved[i] = mix(77, 4 * i) & ~listed[i];
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        if (on(rig, fields[i].chips) && fields[i].offset < end)
            saved[fields[i].offset / 4] |= (rd(rig, fields[i].reg) >> fields[i].reg_low & field_mask(&fields[i]))
                                           << fields[i].low;
    for (uint32_t i = 0; i < rig->ramfc_stride / 4; i++)
        loaded[i] = ramin_rd(rig, at(place, new, 4 * i));
    user_wr(rig, new, 0x300, 1);
    assert_int_equal(current_channel(rig), new);
    for (uint32_t i = 0; i < rig->ramfc_stride / 4; i++) {
        uint32_t is = ramin_rd(rig, at(place, old, 4 * i));
        uint32_t partial = listed[i] && listed[i] != ~0u ? listed[i] : ~0u; /* of the rest of a word nothing is said */
        if ((is ^ saved[i]) & partial)
            fail_msg("word %#x of channel %u is %#x, not %#x", 4 * i, old, is, saved[i]);
    }
    uint32_t values[COUNT_OF(fields)];
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        values[i] = rd(rig, fields[i].reg);
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        const struct field *field = &fields[i];
        if (!on(rig, field->chips) || field->offset >= end)
            continue;
        uint32_t is = values[i], wanted = (loaded[field->offset / 4] >> field->low & field_mask(field));
        wr(rig, field->reg, wanted << field->reg_low); /* what the register can hold of it */
        uint32_t part = field_mask(field) << field->reg_low;
        if ((is ^ rd(rig, field->reg)) & part)
            fail_msg("register %#x is %#x, not %#x", field->reg, is, rd(rig, field->reg));
    }
    wr(rig, rig->c1.get, rd(rig, rig->c1.put));
    wr(rig, RUNOUT_GET, rd(rig, RUNOUT_PUT));
}

static struct place usual(const struct rig *rig) {
    return (struct place){rig->ramfc, rig->ramfc_stride, 0};
}

static void every_word_is_saved_and_loaded(void **state) {
    struct rig *rig = *state;
    for (uint32_t old = 0; old < rig->channels; old += 5)
        for (uint32_t new = 1; new < rig->channels; new += 6)
            if (old != new) {
                wr(rig, MODE, 1u << old);
                leave_and_enter(rig, usual(rig), old, new, 128);
            }
}

/* Without the large form the upper words are not saved on the chips that have one area of RAMFC. */
static void small_ramfc_has_no_upper_half(void **state) {
    struct rig *rig = *state;
    wr(rig, RAMFC, rig->ramfc >> 8);
    wr(rig, MODE, 2);
    rig->ramfc_stride = 32;
    leave_and_enter(rig, (struct place){rig->ramfc, 32, 0}, 1, 4, 0x20);
}

/* Later ones put it into a second area. */
static void small_ramfc_has_its_upper_half_elsewhere(void **state) {
    struct rig *rig = *state;
    static const uint32_t seconds[] = {0x11400, 0x400, 0x1fc00, 0x18400};
    wr(rig, MODE, 2);
    for (size_t i = 0; i < COUNT_OF(seconds); i++) {
        wr(rig, RAMFC, rig->ramfc >> 8 | seconds[i] >> 10 << 17);
        leave_and_enter(rig, (struct place){rig->ramfc, 32, seconds[i]}, 1, 4, 128);
    }
}

static void ramfc_is_where_its_register_says(void **state) {
    struct rig *rig = *state;
    uint32_t step = on(rig, "NV4:NV10") ? 0x200 : 0x400, large = rig->ramfc_stride == 64 ? 0x10000 : 0;
    wr(rig, MODE, 2);
    for (uint32_t base = 0; base < 0x1d000; base += 7 * step) {
        wr(rig, RAMFC, base >> 8 | large);
        leave_and_enter(rig, (struct place){base, rig->ramfc_stride, 0}, 1, 4, 128);
    }
}

static void ramfc_of_nv40_is_in_ramin_or_at_an_address_of_vram(void **state) {
    struct rig *rig = *state;
    uint64_t vram = rig->memory.config.vram_bytes;
    bool has_select = on(rig, "NV44-");
    wr(rig, MODE, 2);
    for (uint32_t base = 0x20000; base <= 0x70000; base += 0x50000) {
        wr(rig, RAMFC_NV40, 0x30000 | base >> 16);
        if (has_select)
            wr(rig, RAMFC_SELECT, 1);
        leave_and_enter(rig, (struct place){base, 128, 0}, 1, 4, 128);
        if (!has_select)
            continue;
        wr(rig, RAMFC_SELECT, 0);
        /* RAMIN begins 512 KiB before the end of VRAM. */
        wr(rig, RAMFC_NV40, 0x30000 | (uint32_t)((vram - 0x80000 + base) >> 16));
        leave_and_enter(rig, (struct place){base, 128, 0}, 1, 4, 128);
    }
}

/* The pushbuffer object is read again, translations are dropped, errors and waits come with the channel. */
static void a_load_sets_up_the_cache_for_the_channel(void **state) {
    struct rig *rig = *state;
    uint32_t dma_state = rig->nv40 ? 0x14 : on(rig, "NV10-") ? 0x10 : 0x0c;
    rig_open(rig, 1);
    rig_open(rig, 2);
    wr(rig, rig->c1.pull0, 1);
    for (uint32_t error = 0; error <= 1; error++) {
        uint32_t channel = error ? 2 : 1;
        wr(rig, DMA_PUSH, 0x1000);
        wr(rig, DMA_CTL, 0x80023000);
        wr(rig, DMA_TLB_TAG, 0x5001);
        wr(rig, HASH, 0x1234);
        wr(rig, rig->c1.put, 0x3c);
        wr(rig, rig->c1.get, 0x3c);
        ramfc_wr(rig, channel, dma_state, error ? 0x80000000 : 0);
        push_to(rig, channel, 0);
        rig_submit(rig, channel);
        rig_run(rig);
        assert_int_equal(rd(rig, rig->c1.push1), channel | rig->mode_bit);
        expect_reg(rig, NEXT_CHANNEL, channel | (rig->nv40 ? 0x200 : 0x100));
        assert_int_equal(rd(rig, DMA_PUSH) & 0x1001, error ? 0x1001 : 1);
        expect_reg(rig, HASH, 0x1234);
        expect_reg(rig, rig->c1.put, 0x3c);
        expect_reg(rig, rig->c1.get, 0x3c);
        expect_reg(rig, DMA_GET, error ? 0 : 4);
        expect_reg(rig, PENDING, 0);
        if (error)
            assert_int_equal(rd(rig, DMA_CTL) >> 31, 0);
        assert_int_equal(rd(rig, DMA_TLB_TAG) & 1, 0);
    }
}

/* NV3: context, and the subchannel that was used last; without NV1's other flag. */
static void nv3_words_hold_the_contexts_and_the_last_subchannel(void **state) {
    struct rig *rig = *state;
    for (uint32_t last = 0; last < 8; last++) {
        uint32_t contexts[8];
        wr(rig, rig->c1.push1, 2);
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t subchannel = (last + 1 + i) & 7;
            contexts[subchannel] = rig_old_object(rig, 2, 0x100 + subchannel, 0x41 + subchannel, 0x500 + subchannel);
            user_wr(rig, 2, METHOD(subchannel, 0), 0x100 + subchannel);
        }
        rig_run(rig);
        for (uint32_t i = 0; i < 8; i++) {
            expect_reg(rig, rig->c1.ctx + 16 * i, contexts[i]);
            ramfc_wr(rig, 2, 4 * i, 0);
            ramfc_wr(rig, 9, 4 * i, 0xff000000 | (0x00c10000 + i));
        }
        expect_reg(rig, rig->c1.pull1, 0x10);
        user_wr(rig, 9, 0x300, 0);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(ramfc_rd(rig, 2, 4 * i), contexts[i] | last << 28);
            expect_reg(rig, rig->c1.ctx + 16 * i, 0x00c10000 + i);
        }
        expect_reg(rig, rig->c1.pull1, 0);
        wr(rig, rig->c1.get, rd(rig, rig->c1.put));
        rig->logged = 0;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FROM_NV4(every_word_is_saved_and_loaded),
        ON_NV1A(small_ramfc_has_no_upper_half),
        ON_NV17(small_ramfc_has_its_upper_half_elsewhere),
        NV4_TO_NV3X(ramfc_is_where_its_register_says),
        FROM_NV40(ramfc_of_nv40_is_in_ramin_or_at_an_address_of_vram),
        FROM_NV4(a_load_sets_up_the_cache_for_the_channel),
        ON_NV3(nv3_words_hold_the_contexts_and_the_last_subchannel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
