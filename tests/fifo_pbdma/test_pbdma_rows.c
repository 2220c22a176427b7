/* SPDX-License-Identifier: MIT */
/* What comes from the chip's row: how entries of a runlist lie in memory, and how many there are of everything. */
#include "machine.h"

#include "fifo/runlist/channel.h"

static struct machine m;

static int finish(void **state) {
    (void)state;
    machine_free(&m);
    return 0;
}

#define TEST(name) cmocka_unit_test_teardown(name, finish)

#define LIST 0x500000u

static struct pbdma_fifo *pfifo(void) {
    return (struct pbdma_fifo *)m.fifo;
}

static void submit(const uint32_t *words, unsigned count, unsigned entries) {
    for (unsigned i = 0; i < count; i++)
        poke(&m, LIST + 4 * i, words[i]);
    set_reg(&m, 0x2270, LIST >> 12);
    set_reg(&m, 0x2274, entries);
}

static void three_channels(const char *chip) {
    machine_init(&m, chip);
    for (unsigned id = 1; id <= 3; id++) {
        channel_new(&m, id, 0);
        PUSH(&m, id, IMMD(0, 0x100, id));
    }
}

/* A TSG of channels 1 and 2, and channel 3. */
static void assert_tsg_and_channel(void) {
    const struct runlist *list = &pfifo()->list[0];
    assert_int_equal(list->count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(list->entries[i].channel, i + 1);
        assert_int_equal(list->entries[i].tsg, i < 2 ? 0 : 2);
        assert_int_equal(list->entries[i].slice, i < 2 ? (128u << 3 << 10) / 16 : 0);
        assert_int_equal(pfifo()->channels[i + 1].tsg, i < 2 ? 7 : PBDMA_NONE);
    }
    assert_int_equal(reg(&m, 0x2100) & 0x100, 0);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1}, {0x100, 2}, {0x100, 3});
}

static void entries_of_gk110_are_8_bytes(void **state) {
    (void)state;
    static const uint32_t words[][2] = {{2u << 26 | 128 << 18 | 3 << 14 | 1 << 13 | 7}, {1}, {2}, {3}};
    three_channels("GK110");
    submit(words[0], 8, 4);
    assert_tsg_and_channel();
}

/* A channel's entry names its USERD and instance block, too. */
static void entries_of_gv100_are_16_bytes(void **state) {
    (void)state;
    static const uint32_t words[][4] = {{1 | 3 << 16 | 128u << 24, 2, 7, 0},
                                        {0x201000 | 2, 0, 0x101000 | 1, 0},
                                        {0x202000 | 2, 0, 0x102000 | 2, 0},
                                        {0x203000 | 2, 0, 0x103000 | 3, 0}};
    three_channels("GK110");
    pfifo()->layout = &runlist_layout_gv100;
    submit(words[0], 16, 4);
    assert_tsg_and_channel();
}

static void a_list_of_gk104_has_no_tsgs(void **state) {
    (void)state;
    static const uint32_t words[][2] = {{1u << 26 | 1 << 13 | 1}, {2}};
    three_channels("GK104");
    submit(words[0], 4, 2);
    assert_int_equal(pfifo()->list[0].count, 2);
    assert_int_equal(pfifo()->list[0].entries[0].channel, 1);
    assert_int_equal(pfifo()->channels[1].tsg, PBDMA_NONE);
    assert_int_equal(pfifo()->channels[2].tsg, PBDMA_NONE);
}

static void every_chip_with_pbdmas_has_a_layout(void **state) {
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        const struct pfifo_chip *chip = pfifo_chip_at(i);
        const struct runlist_layout *layout = chip->runlist_layout;
        assert_int_equal(layout != NULL, chip->ring_only);
        if (layout)
            assert_int_equal(layout->bytes, chip->has_doorbell ? 16 : 8);
        if (layout && !chip->has_doorbell)
            assert_ptr_equal(layout, chip->has_wfi_method ? &runlist_layout_gk110 : &runlist_layout_gf100);
    }
    machine_init(&m, "GF100"); /* for finish() */
}

/* More than any chip that is built. */
static void a_chip_may_have_9_pbdmas_and_13_runlists(void **state) {
    (void)state;
    static struct pfifo_chip chip;
    chip = *pfifo_chip_by_name("GK110");
    chip.pbdmas = 9;
    chip.runlists = 13;
    machine_of(&m, &chip);
    channel_new(&m, 1, 8);
    RUNLIST(&m, 8, 1);
    PUSH(&m, 1, IMMD(0, 0x100, 5));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 5});
    assert_int_equal(pb(&m, 8, 0x14), 1); /* GP_GET: it was this one */
}

static void a_chip_may_have_1000_syncpoints(void **state) {
    (void)state;
    static struct pfifo_chip chip;
    chip = *pfifo_chip_by_name("GM20B");
    chip.syncpoints = 1000;
    machine_of(&m, &chip);
    channel_new(&m, 1, 0);
    RUNLIST(&m, 0, 1);
    PUSH(&m, 1, INC(0, 0x74, 1), 999 << 8 | 1);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(*pbdma_fifo_syncpoint(m.fifo, 999), 1);
    assert_null(pbdma_fifo_syncpoint(m.fifo, 1000));
    PUSH(&m, 1, INC(0, 0x74, 1), 1000 << 8 | 1);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
}

static void a_chip_may_have_64_channels(void **state) {
    (void)state;
    static struct pfifo_chip chip;
    chip = *pfifo_chip_by_name("GK20A");
    chip.channels = 64;
    machine_of(&m, &chip);
    channel_new(&m, 5, 0);
    RUNLIST(&m, 0, 64 + 5); /* bits beyond are ignored */
    PUSH(&m, 5, IMMD(0, 0x100, 5));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 5});
    set_reg(&m, 0x800000 + 8 * 64, 0x80000101);               /* after the channel table */
    assert_int_equal(reg(&m, 0x800000 + 8 * 64), 0xbad00100); /* what is not there */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(entries_of_gk110_are_8_bytes),
        TEST(entries_of_gv100_are_16_bytes),
        TEST(a_list_of_gk104_has_no_tsgs),
        TEST(every_chip_with_pbdmas_has_a_layout),
        TEST(a_chip_may_have_9_pbdmas_and_13_runlists),
        TEST(a_chip_may_have_1000_syncpoints),
        TEST(a_chip_may_have_64_channels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
