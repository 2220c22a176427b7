/* SPDX-License-Identifier: MIT */
/*
 * What registers and memory hold when the driver has opened a device and a channel: typed from what the documents and
 * nouveau say (nvkm/engine/fifo, nvkm/subdev/bar, nvkm/subdev/fb; envytools rnndb/fifo).
 */
#include "driver/rig.h"

static struct rig rig;

static uint32_t reg(uint32_t offset) {
    return pfifo_rd32(pfifo_device_gpu(rig.device), offset);
}

/* A word of instance memory; without VRAM it is in system memory. */
static uint32_t mem(uint64_t address) {
    uint8_t b[4];
    (rig.part->vram ? pfifo_vram_read : pfifo_system_read)(pfifo_device_gpu(rig.device), address, b, sizeof b);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

struct word {
    uint32_t offset, value;
};

static void expect_words(uint64_t base, const struct word *words, size_t count, const char *what) {
    for (size_t i = 0; i < count; i++)
        if (mem(base + words[i].offset) != words[i].value)
            fail_msg("%s: %s + 0x%x is 0x%x, not 0x%x", rig.part->chip, what, words[i].offset,
                     mem(base + words[i].offset), words[i].value);
}

/* These, and 0 in all others up to the end. */
static void expect_only(uint64_t base, uint32_t end, const struct word *words, size_t count, const char *what) {
    for (uint32_t offset = 0; offset < end; offset += 4) {
        struct word want = {offset, 0};
        for (size_t i = 0; i < count; i++)
            want.value = words[i].offset == offset ? words[i].value : want.value;
        expect_words(base, &want, 1, what);
    }
}

static void expect_reg(uint32_t offset, uint32_t mask, uint32_t value) {
    if ((reg(offset) & mask) != value)
        fail_msg("%s: 0x%x is 0x%x, not 0x%x", rig.part->chip, offset, reg(offset) & mask, value);
}

static bool is_tesla(const struct part *part) {
    return !part->fermi && !part->calls;
}

static bool is_fermi(const struct part *part) {
    return part->chip[0] == 'G' && part->chip[1] == 'F';
}

static bool is_runlist(const struct part *part) {
    return part->fermi && !is_fermi(part);
}

static bool in_list(const struct part *part, const char *const *chips, size_t count) {
    for (size_t i = 0; i < count && chips[i]; i++)
        if (strcmp(part->chip, chips[i]) == 0)
            return true;
    return false;
}

static bool is_g80(const struct part *part) {
    return strcmp(part->chip, "G80") == 0;
}

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

/* ---- what is written ---- */

static size_t write_event;
static uint32_t flushed[64], flush_count; /* what was written to 0x100c80, and (GF100-) 0x100cbc */
static uint32_t host_flushes;             /* before the first of them */
static uint32_t kicked[64], kick_count;   /* what was written to 0x32fc */

static void take_write(void *opaque, const struct pfifo_event *event) {
    (void)opaque;
    if (event->id != write_event)
        return;
    uint32_t address = (uint32_t)event->value[0];
    if ((address == 0x100c80 || address == 0x100cbc) && flush_count < COUNT_OF(flushed))
        flushed[flush_count++] = (uint32_t)event->value[1];
    if (address == 0x32fc && kick_count < COUNT_OF(kicked))
        kicked[kick_count++] = (uint32_t)event->value[1];
    if (address == (is_g80(rig.part) ? 0x330cu : 0x70000u) && flush_count == 0)
        host_flushes++;
}

static void record_writes(void) {
    flush_count = host_flushes = kick_count = 0;
    write_event = pfifo_event_find("bus.write");
    assert_int_equal(pfifo_gpu_observe(pfifo_device_gpu(rig.device), "bus.write", take_write, NULL, &rig.error),
                     PFIFO_OK);
}

/* ---- G80 .. MCP89 ---- */

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
        uint32_t free = is_g80(part) ? 0x5400 : 0x4200; /* behind the page directory */
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
            assert_int_equal(kick_count, 1);
            assert_int_equal(kicked[0], descriptor >> 12);
            expect_only(at, 0x18, NULL, 0, "context of a closed channel");
            expect_reg(is_g80(part) ? 0xb860 : 0x2520, is_g80(part) ? 1 : 0x3f, 0);
            rig_close(&rig);
        }
}

/* ---- flushes ---- */

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
        for (uint32_t i = 0; i < flush_count; i++) {
            assert_int_equal(flushed[i] & 0xfff0ffff, 1);
            clients |= 1u << (flushed[i] >> 16);
        }
        assert_int_equal(clients, want);
        assert_int_equal(host_flushes, 1);
        rig_close(&rig);
    }
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
        record_writes();
        rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        assert_int_equal(flush_count, 1);
        assert_int_equal(flushed[0], 0x80000001);
        assert_int_equal(host_flushes, 1);
        assert_int_equal(reg(0x100cb8) << 8, mem(instance + 0x200) & ~0xfffu);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        assert_int_equal(flush_count, part->vram ? 3 : 2);
        assert_int_equal(flushed[1], 0x80000001);
        if (part->vram) {
            assert_int_equal(flushed[2], 0x80000005);
            assert_int_equal(reg(0x100cb8) << 8, mem(instance_of(reg(0x1704)) + 0x200) & ~0xfffu);
        }
        flush_count = 0;
        pfifo_buffer_free(buffer);
        assert_int_equal(flush_count, part->vram ? 2 : 1);
        assert_int_equal(flushed[0], part->vram ? 0x80000005 : 0x80000001);
        assert_int_equal(flushed[flush_count - 1], 0x80000001);
        rig_close(&rig);
    }
}

/* ---- GF100 and later ---- */

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

/* Both lead to a page directory; the Tegras have no BAR 3. */
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
        assert_int_equal(mem(instance_of(bar1) + 0x208), 0x0fffffff);
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
        /* the second channel's USERD is a stride behind the first's */
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
        cmocka_unit_test(tesla_pfifo_is_on_and_its_lists_are_empty),
        cmocka_unit_test(tesla_bars_have_objects_in_a_descriptor_of_their_own),
        cmocka_unit_test(tesla_ramfc_is_as_nouveau_writes_it),
        cmocka_unit_test(tesla_playlist_has_the_channels_that_are_enabled),
        cmocka_unit_test(tesla_contexts_are_made_with_the_first_object_of_an_engine),
        cmocka_unit_test(a_new_mapping_flushes_the_tlbs_of_tesla),
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
