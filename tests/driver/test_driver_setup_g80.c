/* SPDX-License-Identifier: MIT */
/*
 * What registers and memory hold when the driver has opened a device and a channel on G80 .. MCP89:
 * typed from what the documents and nouveau say (nvkm/engine/fifo/{nv50,chang84}.c, nvkm/subdev/{bar,fb,mmu}; envytools
 * rnndb/fifo/g80_pfifo.xml).
 */
#include "driver/probe.h"

static struct pfifo_channel *open_channel(enum pfifo_channel_mode mode) {
    const struct pfifo_channel_config config = {.mode = mode, .entries = 512};
    struct pfifo_channel *channel = pfifo_channel_open(rig.device, &config, &rig.error);
    assert_non_null(channel);
    return channel;
}

static void tesla_pfifo_is_on_and_its_lists_are_empty(void **state) {
    static const struct {
        const char *chips[8];
        uint32_t enables;
    } faults[] = {
        {{"G80"}, 0x000707ff},
        {{"G84", "G86", "G92", "G94", "G96", "G98", "GT200"}, 0x001d07ff},
        {{"MCP77", "MCP79"}, 0x001d07ff},
        {{"GT215", "GT216", "GT218"}, 0x000d0fff},
        {{"MCP89"}, 0x089d1fff},
    };
    (void)state;
    FOR_EACH_PART {
        if (!is_tesla(part))
            continue;
        rig_open(&rig, part);
        expect_reg(0x200, 1u << 8, 1u << 8);
        expect_reg(0x250c, ~0u, 0x6f3cfc34);
        expect_reg(0x2044, ~0u, 0x01003fff);
        expect_reg(0x2100, ~0u, 0);
        expect_reg(0x2140, 0x40101001, 0x00101001); /* all but NOTIFY */
        for (uint32_t i = 0; i < 128; i++)
            expect_reg(0x2600 + 4 * i, ~0u, 0);
        expect_reg(0x32ec, 0xff, 0);
        assert_int_not_equal(reg(0x32f4), 0);
        expect_reg(0x3200, ~0u, 1);
        expect_reg(0x3250, 1, 1);
        expect_reg(0x2500, 1, 1);
        assert_int_not_equal(reg(0x100c08), 0);
        uint32_t enables = 0;
        for (size_t i = 0; i < COUNT_OF(faults); i++)
            for (size_t n = 0; n < COUNT_OF(faults[i].chips) && faults[i].chips[n]; n++)
                if (strcmp(faults[i].chips[n], part->chip) == 0)
                    enables = faults[i].enables;
        expect_reg(0x100c90, 0x0fffffff, enables);
        rig_close(&rig);
    }
}

/* BAR 3 begins at 4 GiB of the BARs' space, with the object before that of BAR 1. */
static void tesla_bars_have_objects_in_a_descriptor_of_their_own(void **state) {
    static const struct word bar3[] = {{0, 0x7fc00000}, {4, 0x00ffffff}, {8, 0}, {12, 0x01000001}, {16, 0}, {20, 0}},
                             bar1[] = {{0, 0x7fc00000}, {4, 0x0fffffff}, {8, 0}, {12, 0}, {16, 0}, {20, 0}};
    (void)state;
    FOR_EACH_PART {
        if (!is_tesla(part))
            continue;
        rig_open(&rig, part);
        uint32_t free = is_g80(part) ? 0x5400 : 0x4200; /* after the page directory */
        expect_reg(0x1704, 0x40000000, 0x40000000);
        uint64_t descriptor = (uint64_t)(reg(0x1704) & 0x0fffffff) << 12;
        expect_reg(0x170c, ~0u, 0x80000000 | free >> 4);
        expect_reg(0x1708, ~0u, 0x80000000 | (free + 0x20) >> 4);
        expect_words(descriptor + free, bar3, COUNT_OF(bar3), "BAR 3");
        expect_words(descriptor + free + 0x20, bar1, COUNT_OF(bar1), "BAR 1");
        rig_close(&rig);
    }
}

/* Place of RAMFC and of the descriptor, from the channel table. */
static uint64_t tesla_ramfc(uint32_t channel, uint64_t *descriptor) {
    uint32_t entry = reg(0x2600 + 4 * channel);
    assert_int_equal(entry >> 31, 1);
    uint64_t ramfc = is_g80(rig.part) ? (uint64_t)(entry & 0x0fffffff) << 12 : (uint64_t)(entry & 0x00ffffff) << 8;
    *descriptor = is_g80(rig.part) ? ramfc : (uint64_t)mem(ramfc + 0x98) << 12;
    return ramfc;
}

static void tesla_ramfc_is_as_nouveau_writes_it(void **state) {
    static const enum pfifo_channel_mode modes[] = {PFIFO_CHANNEL_DMA, PFIFO_CHANNEL_IB};
    (void)state;
    FOR_EACH_PART {
        for (size_t m = 0; is_tesla(part) && m < COUNT_OF(modes); m++) {
            bool ib = modes[m] == PFIFO_CHANNEL_IB;
            uint64_t descriptor;
            rig_open(&rig, part);
            struct pfifo_channel *channel = open_channel(modes[m]);
            uint64_t ramfc = tesla_ramfc(pfifo_channel_number(channel), &descriptor);
            uint32_t start = mem(ramfc + (ib ? 0x50 : 0x08)), push = mem(ramfc + 0x48) << 4;
            const struct word words[] = {
                {0x08, ib ? 0 : start},
                {0x10, ib ? 0 : start},
                {0x3c, ib ? 0x403f6078 : 0x003f6078},
                {0x44, 0x01003fff},
                {0x48, push >> 4},
                {0x4c, ib ? 0 : 0xffffffff},
                {0x50, ib ? start : 0},
                {0x54, ib ? 9u << 16 : 0}, /* 512 entries */
                {0x60, 0x7fffffff},
                {0x7c, 0x30000001},
                {0x80, 3u << 27 | 4u << 24 | 0x800}, /* 4096 entries at 0x8000 of the descriptor */
                {0x88, is_g80(part) ? 0 : mem(ramfc + 0x88)},
                {0x98, is_g80(part) ? 0 : (uint32_t)(descriptor >> 12)},
            };
            const struct word whole[] = {{0, 0x7fc0003d}, {4, 0xffffffff}, {8, 0}, {12, 0xff000000}, {16, 0}, {20, 0}};
            assert_int_not_equal(start, 0);
            assert_int_not_equal(is_g80(part) || mem(ramfc + 0x88), 0);
            expect_only(ramfc, 0x100, words, COUNT_OF(words), "RAMFC");
            expect_words(descriptor + push, whole, COUNT_OF(whole), "the pushbuffer's object");
            rig_close(&rig);
        }
    }
}

static void tesla_playlist_has_the_channels_that_are_enabled(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!is_tesla(part))
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel[3];
        for (size_t i = 0; i < 3; i++)
            channel[i] = open_channel(PFIFO_CHANNEL_DEFAULT);
        pfifo_channel_close(channel[1]);
        expect_reg(0x32ec, 0xff, 2);
        uint64_t list = (uint64_t)(reg(0x32f4) & 0x0fffffff) << 12;
        assert_int_equal(mem(list), pfifo_channel_number(channel[0]));
        assert_int_equal(mem(list + 4), pfifo_channel_number(channel[2]));
        assert_int_equal(reg(0x2600 + 4 * 2), 0);
        rig_close(&rig);
    }
}

/* Object classes, and where the descriptor names the context of their engine. */
static const struct {
    const char *chip;
    uint32_t object_class, offset;
} tesla_contexts[] = {
    {"G80", 0x5097, 0x200},  {"G80", 0x3174, 0x260},  {"G80", 0x4075, 0x240},  {"G80", 0x4176, 0x220},
    {"G84", 0x8297, 0x20},   {"G84", 0x7476, 0x40},   {"G84", 0x8274, 0x60},   {"G84", 0x74b0, 0x80},
    {"G84", 0x74c1, 0xa0},   {"G98", 0x88b2, 0x40},   {"G98", 0x88b3, 0x60},   {"G98", 0x88b1, 0x80},
    {"G98", 0x88b4, 0xa0},   {"GT215", 0x85b5, 0xc0}, {"GT215", 0x85b2, 0x40}, {"GT218", 0x85b1, 0x80},
    {"MCP89", 0x86b1, 0x80}, {"MCP79", 0x88b3, 0x60},
};

static void tesla_contexts_are_made_with_the_first_object_of_an_engine(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(tesla_contexts); i++)
        FOR_EACH_PART {
            uint64_t descriptor;
            if (strcmp(part->chip, tesla_contexts[i].chip) != 0)
                continue;
            rig_open(&rig, part);
            struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_DEFAULT);
            tesla_ramfc(pfifo_channel_number(channel), &descriptor);
            uint64_t at = descriptor + tesla_contexts[i].offset;
            expect_only(at, 0x18, NULL, 0, "no context");
            for (uint32_t handle = 1; handle < 3; handle++)
                assert_int_equal(pfifo_channel_object(channel, handle, tesla_contexts[i].object_class, &rig.error),
                                 PFIFO_OK);
            uint32_t start = mem(at + 8);
            const struct word words[] = {{0, 0x00190000}, {4, start + 0xfff}, {8, start}};
            assert_int_not_equal(start, 0);
            expect_only(at, 0x18, words, COUNT_OF(words), "context");
            record_writes();
            pfifo_channel_close(channel);
            uint32_t kicked[2];
            assert_int_equal(writes_to(0x32fc, kicked, COUNT_OF(kicked)), 1);
            assert_int_equal(kicked[0], descriptor >> 12);
            expect_only(at, 0x18, NULL, 0, "context of a closed channel");
            expect_reg(is_g80(part) ? 0xb860 : 0x2520, is_g80(part) ? 1 : 0x3f, 0);
            rig_close(&rig);
        }
}

/* By the numbers of the units that the chip has: PFIFO and its retries from G84 on, not the BARs. */
static void a_new_mapping_flushes_the_tlbs_of_tesla(void **state) {
    static const struct {
        const char *chips[8];
        uint32_t clients;
    } rows[] = {
        {{"G80"}, 0x01a3},
        {{"G84", "G86", "G92", "G94", "G96", "G98", "GT200"}, 0x1723},
        {{"MCP77", "MCP79"}, 0x1723},
        {{"GT215", "GT216", "GT218"}, 0x3323},
        {{"MCP89"}, 0x33a3},
    };
    (void)state;
    FOR_EACH_PART {
        uint32_t clients = 0, want = 0;
        if (!is_tesla(part))
            continue;
        for (size_t i = 0; i < COUNT_OF(rows); i++)
            want |= in_list(part, rows[i].chips, COUNT_OF(rows[i].chips)) ? rows[i].clients : 0;
        rig_open(&rig, part);
        record_writes();
        rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        uint32_t flushed[32];
        size_t count = writes_to(0x100c80, flushed, COUNT_OF(flushed));
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(flushed[i] & 0xfff0ffff, 1);
            clients |= 1u << (flushed[i] >> 16);
        }
        assert_int_equal(clients, want);
        assert_int_equal(writes_to(is_g80(part) ? 0x330c : 0x70000, flushed, COUNT_OF(flushed)), 1);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tesla_pfifo_is_on_and_its_lists_are_empty),
        cmocka_unit_test(tesla_bars_have_objects_in_a_descriptor_of_their_own),
        cmocka_unit_test(tesla_ramfc_is_as_nouveau_writes_it),
        cmocka_unit_test(tesla_playlist_has_the_channels_that_are_enabled),
        cmocka_unit_test(tesla_contexts_are_made_with_the_first_object_of_an_engine),
        cmocka_unit_test(a_new_mapping_flushes_the_tlbs_of_tesla),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
