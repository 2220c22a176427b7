/* SPDX-License-Identifier: MIT */
/*
 * What registers and memory hold when the driver has opened a device and a channel on GF100 .. GP10B:
 * typed from what the documents and nouveau say (nvkm/engine/fifo/{gf100,gk104}.c, nvkm/subdev/{bar,fb,mmu}; envytools
 * rnndb/fifo/gf100_pfifo.xml).
 */
#include "driver/probe.h"

static struct pfifo_channel *open_channel(enum pfifo_channel_mode mode) {
    const struct pfifo_channel_config config = {.mode = mode, .entries = 512};
    struct pfifo_channel *channel = pfifo_channel_open(rig.device, &config, &rig.error);
    assert_non_null(channel);
    return channel;
}

static uint64_t instance_of(uint32_t block) {
    return (uint64_t)(block & 0x0fffffff) << 12;
}

/* Where the channel table of the chip has the channel. */
static uint32_t table_of(const struct pfifo_channel *channel) {
    return (is_fermi(rig.part) ? 0x3000 : 0x800000) + 8 * pfifo_channel_number(channel);
}

/* The whole space; of a BAR only what the hub has of it. */
static void a_new_mapping_flushes_the_tlb_of_its_space_from_fermi_on(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_DEFAULT);
        uint64_t instance = instance_of(reg(table_of(channel)));
        uint32_t flushed[8], host[8];
        record_writes();
        rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        assert_int_equal(writes_to(0x100cbc, flushed, COUNT_OF(flushed)), 1);
        assert_int_equal(flushed[0], 0x80000001);
        assert_int_equal(writes_to(0x70000, host, COUNT_OF(host)), 1);
        assert_int_equal(reg(0x100cb8) << 8, mem(instance + 0x200) & ~0xfffu);
        clear_writes();
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        assert_int_equal(writes_to(0x100cbc, flushed, COUNT_OF(flushed)), part->vram ? 2 : 1);
        assert_int_equal(flushed[0], 0x80000001);
        if (part->vram) {
            assert_int_equal(flushed[1], 0x80000005);
            assert_int_equal(reg(0x100cb8) << 8, mem(instance_of(reg(0x1704)) + 0x200) & ~0xfffu);
        }
        clear_writes();
        pfifo_buffer_free(buffer);
        size_t count = writes_to(0x100cbc, flushed, COUNT_OF(flushed));
        assert_int_equal(count, part->vram ? 2 : 1);
        assert_int_equal(flushed[0], part->vram ? 0x80000005 : 0x80000001);
        assert_int_equal(flushed[count - 1], 0x80000001);
        rig_close(&rig);
    }
}

static void fermi_pfifo_is_on_with_its_units_assigned(void **state) {
    static const char *const one_unit[] = {"GF108", "GF117", "GF119"};
    static const uint32_t masks[] = {~1u, ~2u, ~2u, ~2u, ~4u, ~2u};
    (void)state;
    FOR_EACH_PART {
        if (!is_fermi(part))
            continue;
        rig_open(&rig, part);
        uint32_t units = in_list(part, one_unit, COUNT_OF(one_unit)) ? 1 : 3;
        expect_reg(0x204, ~0u, (1u << units) - 1);
        expect_reg(0x2204, ~0u, (1u << units) - 1);
        for (uint32_t i = 0; units == 3 && i < 6; i++)
            expect_reg(0x2208 + 4 * i, 7, masks[i] & 7);
        for (uint32_t i = 0; i < units; i++) {
            expect_reg(0x4013c + 0x2000 * i, 0x10000100, 0);
            expect_reg(0x40108 + 0x2000 * i, ~0u, 0);
            expect_reg(0x4010c + 0x2000 * i, ~0u, 0xfffffeff);
        }
        expect_reg(0x2200, 1, 1);
        expect_reg(0x2254, ~0u, 0x10000000);
        expect_reg(0x2140, 0xf9810111, 0x79810111); /* all that there are but CHANNEL */
        expect_reg(0x2628, ~0u, 1);
        rig_close(&rig);
    }
}

static void kepler_pbdmas_are_on(void **state) {
    static const char *const no_timeout[] = {"GK104", "GK107", "GK106", "GK110", "GK110B"};
    (void)state;
    FOR_EACH_PART {
        if (!is_runlist(part))
            continue;
        rig_open(&rig, part);
        uint32_t units = 0;
        for (uint32_t i = 0; i < 8; i++)
            units += reg(0x2390 + 4 * i) != 0; /* PBDMAs that serve a runlist */
        expect_reg(0x204, ~0u, (1u << units) - 1);
        for (uint32_t i = 0; i < units; i++) {
            expect_reg(0x4013c + 0x2000 * i, 0x10000100, 0);
            expect_reg(0x4010c + 0x2000 * i, ~0u, 0xfffffeff);
            assert_int_not_equal(reg(0x4014c + 0x2000 * i), 0);
            expect_reg(0x4012c + 0x2000 * i, ~0u, in_list(part, no_timeout, COUNT_OF(no_timeout)) ? 0x10000 : 0xffff);
        }
        expect_reg(0x2254, ~0u, 0x10000000);
        expect_reg(0x2140, 0xf9810111, 0x79810111); /* all that there are but CHANNEL */
        rig_close(&rig);
    }
}

/* Both lead to a page directory; the Tegras have no BAR 3, and 16 MiB of BAR 1. */
static void fermi_bars_are_spaces_of_their_own(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi)
            continue;
        rig_open(&rig, part);
        uint32_t bar1 = reg(0x1704), bar3 = reg(0x1714);
        assert_int_equal(bar1 >> 31, 1);
        assert_int_equal(bar3 >> 31, part->vram);
        assert_int_not_equal(mem(instance_of(bar1) + 0x200) & ~0xfffu, 0);
        assert_int_equal(mem(instance_of(bar1) + 0x208), part->vram ? 0x0fffffff : 0x00ffffff);
        assert_int_equal(mem(instance_of(bar1) + 0x20c), 0);
        if (part->vram) {
            assert_int_equal(mem(instance_of(bar3) + 0x208), 0x00ffffff);
            assert_int_not_equal(mem(instance_of(bar3) + 0x200) & ~0xfffu, mem(instance_of(bar1) + 0x200) & ~0xfffu);
        }
        rig_close(&rig);
    }
}

static void big_pages_are_128_kib(void **state) {
    static const char *const by_space[] = {"GM200", "GM204", "GM206", "GM20B", "GP100", "GP102",
                                           "GP104", "GP106", "GP107", "GP108", "GP10B"};
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi)
            continue;
        rig_open(&rig, part);
        if (in_list(part, by_space, COUNT_OF(by_space)))
            expect_reg(0x100c80, 0x1800, 0x1800);
        else
            expect_reg(0x100c80, 1, 0);
        rig_close(&rig);
    }
}

static void gpfifo_ramfc_is_as_nouveau_writes_it(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi)
            continue;
        rig_open(&rig, part);
        open_channel(PFIFO_CHANNEL_DEFAULT);
        struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_DEFAULT);
        uint64_t instance = instance_of(reg(table_of(channel)));
        bool fermi = is_fermi(part);
        uint32_t userd = mem(instance + 0x08), ring = mem(instance + 0x48);
        const struct word words[] = {
            {0x08, userd},
            {0x0c, mem(instance + 0x0c) & 0xff},
            {0x10, 0x0000face},
            {0x30, 0xfffff902},
            {0x48, ring},
            {0x4c, 9u << 16 | (mem(instance + 0x4c) & 0xff)},
            {0x54, fermi ? 2 : 0},
            {0x84, 0x20400000},
            {0x94, 0x30000001},
            {0x9c, 0x00000100},
            {0xa4, fermi ? 0x1f1f1f1f : 0},
            {0xa8, fermi ? 0x1f1f1f1f : 0},
            {0xac, 0x0000001f},
            {0xb8, 0xf8000000},
            {0xe8, fermi ? 0 : pfifo_channel_number(channel)},
            {0xf8, 0x10003080},
            {0xfc, 0x10000010},
        };
        assert_int_not_equal(userd, 0);
        assert_int_not_equal(ring, 0);
        expect_only(instance, 0x200, words, COUNT_OF(words), "RAMFC");
        /* the second channel's USERD is a stride after the first's */
        assert_int_equal(userd % 0x1000, fermi ? 0 : 0x200 * pfifo_channel_number(channel) % 0x1000);
        rig_close(&rig);
    }
}

static void an_instance_block_names_its_space_and_contexts(void **state) {
    static const uint32_t pointers[] = {0x210, 0x220, 0x230, 0x240, 0x250, 0x260, 0x270, 0x280, 0x290};
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_DEFAULT);
        uint64_t instance = instance_of(reg(table_of(channel)));
        bool pascal = part->chip[1] == 'P';
        assert_int_not_equal(mem(instance + 0x200) & ~0xfffu, 0);
        assert_int_equal(mem(instance + 0x200) & 0xfff, pascal ? 0xc00 : 0); /* VER2, 64 KiB pages */
        assert_int_equal(mem(instance + 0x208), 0xffffffff);
        assert_int_equal(mem(instance + 0x20c), pascal ? 0x1ffff : 0xff);
        for (size_t i = 0; i < COUNT_OF(pointers); i++) {
            uint32_t at = pointers[i];
            bool one_copy = strcmp(part->chip, "GF119") == 0 || strcmp(part->chip, "GF117") == 0;
            bool want = at == 0x210 || (is_fermi(part) && at >= 0x230 && at <= 0x270 && (at != 0x240 || !one_copy));
            assert_int_equal(mem(instance + at) & 0xfff, want ? 4 : 0);
            assert_int_equal(mem(instance + at) != 0, want);
        }
        rig_close(&rig);
    }
}

/* A decoder's channel has the decoder's context. */
static void a_channel_of_another_engine_has_that_engines_context(void **state) {
    static const struct {
        const char *chip;
        enum pfifo_channel_engine engine;
        uint32_t pointers[2];
    } cases[] = {
        {"GK104", PFIFO_ENGINE_VIDEO_DECODER, {0x250, 0x250}},
        {"GK104", PFIFO_ENGINE_VIDEO_PROCESSOR, {0x260, 0x260}},
        {"GK110", PFIFO_ENGINE_VIDEO_BITSTREAM, {0x270, 0x270}},
        {"GK208", PFIFO_ENGINE_VIDEO_ENCODER, {0x290, 0x290}},
        {"GM107", PFIFO_ENGINE_VIDEO_DECODER, {0x270, 0x210}},
        {"GM107", PFIFO_ENGINE_SECURITY, {0x220, 0x220}},
        {"GM204", PFIFO_ENGINE_VIDEO_ENCODER, {0x290, 0x210}},
        {"GK104", PFIFO_ENGINE_COPY, {0, 0}},
        {"GP102", PFIFO_ENGINE_VIDEO_DECODER, {0x270, 0x210}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        FOR_EACH_PART {
            if (strcmp(part->chip, cases[i].chip) != 0)
                continue;
            rig_open(&rig, part);
            const struct pfifo_channel_config config = {.engine = cases[i].engine};
            struct pfifo_channel *channel = pfifo_channel_open(rig.device, &config, &rig.error);
            assert_non_null(channel);
            uint64_t instance = instance_of(reg(table_of(channel)));
            for (uint32_t at = 0x210; at < 0x2a0; at += 0x10) {
                bool want = at == cases[i].pointers[0] || at == cases[i].pointers[1];
                assert_int_equal(mem(instance + at) != 0, want);
            }
            rig_close(&rig);
        }
}

static void fermi_channel_table_and_playlist(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!is_fermi(part))
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *first = open_channel(PFIFO_CHANNEL_DEFAULT),
                             *second = open_channel(PFIFO_CHANNEL_DEFAULT);
        expect_reg(table_of(first), 0xf0000000, 0xc0000000);
        expect_reg(table_of(first) + 4, ~0u, 0x001f0001);
        uint64_t list = instance_of(reg(0x2270));
        expect_reg(0x2274, ~0u, 0x01f00002);
        uint32_t listed = mem(list) == pfifo_channel_number(first) ? 0 : 8;
        assert_int_equal(mem(list + listed), pfifo_channel_number(first));
        assert_int_equal(mem(list + (8 - listed)), pfifo_channel_number(second));
        assert_int_equal(mem(list + 4), 4);
        assert_int_equal(mem(list + 12), 4);
        uint32_t at = table_of(first);
        pfifo_channel_close(first);
        expect_reg(at, ~0u, 0);
        expect_reg(at + 4, 1, 0);
        expect_reg(0x2274, ~0u, 0x01f00001);
        rig_close(&rig);
    }
}

static void kepler_channel_table_and_runlist(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!is_runlist(part))
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_channel(PFIFO_CHANNEL_DEFAULT);
        uint32_t block = reg(table_of(channel)), base = reg(0x2270);
        bool kepler = part->chip[1] == 'K';
        assert_int_equal(block >> 28, 8);
        expect_reg(table_of(channel) + 4, 0x1f0f0001, 0x00000001); /* enabled, runlist 0, idle */
        expect_reg(0x2274, ~0u, 0x00000001);
        assert_int_equal(base >> 28, part->vram ? 0 : 3);
        assert_int_equal(mem(instance_of(base)), pfifo_channel_number(channel));
        assert_int_equal(mem(instance_of(base) + 4), kepler ? 0 : block & 0x0fffffff);
        uint32_t at = table_of(channel);
        pfifo_channel_close(channel);
        expect_reg(at, ~0u, 0);
        expect_reg(at + 4, 1, 0);
        expect_reg(0x2274, ~0u, 0x00000000);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_mapping_flushes_the_tlb_of_its_space_from_fermi_on),
        cmocka_unit_test(fermi_pfifo_is_on_with_its_units_assigned),
        cmocka_unit_test(kepler_pbdmas_are_on),
        cmocka_unit_test(fermi_bars_are_spaces_of_their_own),
        cmocka_unit_test(big_pages_are_128_kib),
        cmocka_unit_test(gpfifo_ramfc_is_as_nouveau_writes_it),
        cmocka_unit_test(an_instance_block_names_its_space_and_contexts),
        cmocka_unit_test(a_channel_of_another_engine_has_that_engines_context),
        cmocka_unit_test(fermi_channel_table_and_playlist),
        cmocka_unit_test(kepler_channel_table_and_runlist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
