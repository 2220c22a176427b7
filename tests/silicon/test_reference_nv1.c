/* SPDX-License-Identifier: MIT */
/*
 * The reference of NV1, NV3 and NV3T by itself: results that are printed in the documents.
 *
 * Sources: envytools hwtest/pfifo.cc; XFree86 riva_tbl.h (RAMHT of NV3).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference/nv1.h"

#define VRAM   0x100000u
#define SYSTEM 0x4000u

struct bench {
    struct nv1ref r;
    uint8_t vram[VRAM], system[SYSTEM];
    char calls[256]; /* "bind 0 16 1234, method 0 0100 00000007, " */
    bool refuses;
};

static void on_bind(void *opaque, uint32_t channel, unsigned subchannel, uint32_t object_class, uint32_t instance) {
    struct bench *b = opaque;
    size_t at = strlen(b->calls);
    snprintf(b->calls + at, sizeof b->calls - at, "%u: bind %u %02x %04x, ", channel, subchannel, object_class,
             instance);
}

static bool on_method(void *opaque, uint32_t channel, unsigned subchannel, uint32_t method, uint32_t data) {
    struct bench *b = opaque;
    size_t at = strlen(b->calls);
    if (!b->refuses)
        snprintf(b->calls + at, sizeof b->calls - at, "%u: %u %04x %x, ", channel, subchannel, method, data);
    return !b->refuses;
}

static struct bench *bench_of(const char *chip) {
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    const struct nv1ref_config config = {chip, b->vram, b->system, VRAM, SYSTEM, on_bind, on_method, b};
    assert_true(nv1ref_init(&b->r, &config));
    return b;
}

static void wr(struct bench *b, uint32_t address, uint32_t value) {
    nv1ref_write(&b->r, address, 4, value);
}

static uint32_t rd(struct bench *b, uint32_t address) {
    return nv1ref_read(&b->r, address, 4);
}

static void ramin(struct bench *b, uint32_t address, uint32_t value) {
    for (uint32_t i = 0; i < 4; i++)
        b->vram[nv1ref_ramin(&b->r, address) + i] = (uint8_t)(value >> 8 * i);
}

static uint32_t from_ramin(struct bench *b, uint32_t address) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < 4; i++)
        value |= (uint32_t)b->vram[nv1ref_ramin(&b->r, address) + i] << 8 * i;
    return value;
}

/* ---- pointers ---- */

static void pointers_follow_the_gray_sequence(void **state) {
    static const uint8_t sequence[] = {0x00, 0x04, 0x0c, 0x08, 0x18, 0x1c, 0x14, 0x10, 0x30, 0x34, 0x3c,
                                       0x38, 0x28, 0x2c, 0x24, 0x20, 0x60, 0x64, 0x6c, 0x68, 0x78, 0x7c,
                                       0x74, 0x70, 0x50, 0x54, 0x5c, 0x58, 0x48, 0x4c, 0x44, 0x40};
    struct bench *b = bench_of("NV1");
    (void)state;
    for (uint32_t i = 0; i < sizeof sequence; i++) {
        assert_int_equal(nv1ref_next(&b->r, sequence[i]), sequence[(i + 1) % sizeof sequence]);
        assert_int_equal(nv1ref_linear(&b->r, sequence[i]), 4 * i);
    }
    free(b);
}

static void ramin_is_the_end_of_vram_backwards(void **state) {
    struct bench *nv1 = bench_of("NV1"), *nv3 = bench_of("NV3");
    (void)state;
    assert_int_equal(nv1ref_ramin(&nv1->r, 0x0), VRAM - 4);
    assert_int_equal(nv1ref_ramin(&nv1->r, 0x4), VRAM - 8);
    assert_int_equal(nv1ref_ramin(&nv3->r, 0x4), VRAM - 12);
    assert_int_equal(nv1ref_ramin(&nv3->r, 0x10), VRAM - 32);
    free(nv1);
    free(nv3);
}

/* ---- registers ---- */

static void scan_gives_the_masks_of_silicon(void **state) {
    static const struct {
        const char *chip;
        uint32_t offset, mask;
    } rows[] = {
        {"NV1", 0x602200, 3},         {"NV1", 0x2410, 0x3ff8},      {"NV1", 0x3250, 0x117},
        {"NV1", 0x32f0, 0x17fffff},   {"NV1", 0x33f8, 0xfffc},      {"NV1", 0x3080, 0x7fffff},
        {"NV3T", 0x2410, 0x1ff8},     {"NV3T", 0x2200, 0xfc0300},   {"NV3T", 0x3204, 0x17f},
        {"NV3T", 0x3210, 0x1fc},      {"NV3T", 0x3218, 0x5ffcfffc}, {"NV3T", 0x3234, 0xfffff001},
        {"NV3T", 0x35fc, 0xffffffff}, {"NV3T", 0x2218, 0x1fe00},    {"NV3T", 0x3250, 0x10},
        {"NV1", 0x2080, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench *b = bench_of(rows[i].chip);
        wr(b, rows[i].offset, 0xffffffff);
        assert_int_equal(rd(b, rows[i].offset), rows[i].mask);
        wr(b, rows[i].offset, 0);
        assert_int_equal(rd(b, rows[i].offset), 0);
        free(b);
    }
}

static void disabling_keeps_the_contents(void **state) {
    struct bench *b = bench_of("NV3");
    (void)state;
    wr(b, 0x2140, 0x11111);
    wr(b, 0x2214, 0x8000);
    wr(b, 0x3200, 1);
    wr(b, 0x3210, 0x7c);
    wr(b, 0x200, 0xffffeeff);
    assert_int_equal(rd(b, 0x2140), 0);
    assert_int_equal(rd(b, 0x2214), 0x1c00);
    assert_int_equal(rd(b, 0x2218), 0x1e00);
    assert_int_equal(rd(b, 0x3200), 0);
    assert_int_equal(rd(b, 0x3210), 0x7c);
    free(b);
}

/* ---- USER ---- */

/* Channel 3, its cache empty, everything on. */
static struct bench *ready(const char *chip) {
    struct bench *b = bench_of(chip);
    wr(b, strcmp(chip, "NV1") == 0 ? 0x3210 : 0x3204, 3);
    wr(b, 0x3200, 1);
    wr(b, 0x2500, 1);
    return b;
}

static void rejected(uint32_t address, unsigned bytes, uint32_t word0, uint32_t word1) {
    struct bench *b = ready("NV1");
    nv1ref_write(&b->r, address, bytes, 0x44332211);
    assert_int_equal(rd(b, 0x2100), 0x10);
    assert_int_equal(rd(b, 0x2410), 8);
    assert_int_equal(from_ramin(b, 0x1000), word0);
    assert_int_equal(from_ramin(b, 0x1004), word1);
    assert_int_equal(rd(b, 0x3220), (address >> 16 & 0x7f) == 3 ? 0x11 : 0x10);
    free(b);
}

static void writes_of_the_wrong_kind_go_to_ramro(void **state) {
    (void)state;
    rejected(0x830101, 1, 0x00030101, 0x00001100);
    rejected(0x830102, 2, 0x00030102, 0x22110000);
    rejected(0x830010, 4, 0x50030010, 0x44332211);
    rejected(0x830012, 2, 0x50030012, 0x22110000);
    rejected(0x830011, 1, 0x00030011, 0x00001100);
    rejected(0x8320fc, 4, 0x500320fc, 0x44332211);
    rejected(0x850101, 1, 0x00050101, 0x00001100); /* another channel: no latch */
}

static void crossing_a_dword_makes_two_accesses(void **state) {
    struct bench *b = ready("NV1");
    (void)state;
    nv1ref_write(&b->r, 0x830103, 4, 0x44332211);
    assert_int_equal(from_ramin(b, 0x1000), 0x00030103);
    assert_int_equal(from_ramin(b, 0x1004), 0x11000000);
    assert_int_equal(from_ramin(b, 0x1008), 0x00030104);
    assert_int_equal(from_ramin(b, 0x100c), 0x00443322);
    free(b);
}

static void enables_are_inverted_on_nv3(void **state) {
    struct bench *b = ready("NV3");
    (void)state;
    wr(b, 0x2218, 0x1000);
    nv1ref_write(&b->r, 0x830102, 2, 0xbeef);
    assert_int_equal(from_ramin(b, 0x1000), 0x03030102);
    free(b);
}

static void a_full_cache_rejects(void **state) {
    struct bench *b = ready("NV1");
    (void)state;
    for (uint32_t i = 0; i < 31; i++) {
        assert_int_equal(rd(b, 0x830010), 0x7c - 4 * i);
        wr(b, 0x832104, i);
    }
    assert_int_equal(rd(b, 0x2100), 0);
    assert_int_equal(rd(b, 0x830010), 0);
    assert_int_equal(rd(b, 0x3230), 0x40);
    assert_int_equal(rd(b, 0x3220), 0x100);
    assert_int_equal(rd(b, 0x3308), 0x2104);
    wr(b, 0x832104, 31);
    assert_int_equal(from_ramin(b, 0x1000), 0x30032104);
    wr(b, 0x832104, 32); /* the latch */
    assert_int_equal(from_ramin(b, 0x1008), 0x20032104);
    wr(b, 0x2420, 0x10);
    wr(b, 0x3280, 0x01000000);
    wr(b, 0x832104, 33); /* caught lying */
    assert_int_equal(from_ramin(b, 0x1010), 0x40032104);
    free(b);
}

static void lies_are_told_about_room(void **state) {
    struct bench *b = ready("NV1");
    (void)state;
    wr(b, 0x3280 + 0x50, 0x01000000);
    wr(b, 0x3250, 5);
    static const uint32_t told[] = {0x7c, 0xfc, 0x1fc, 0x3fc};
    for (uint32_t config = 0; config < 4; config++) {
        wr(b, 0x2200, config);
        assert_int_equal(rd(b, 0x830010), told[config]);
    }
    assert_int_equal(rd(b, 0x840010), 0x7c);
    wr(b, 0x2420, 8);
    assert_int_equal(rd(b, 0x840010), 0);
    free(b);
}

static void ramro_overflows_without_an_entry(void **state) {
    struct bench *b = ready("NV1");
    (void)state;
    wr(b, 0x2420, 8);
    nv1ref_write(&b->r, 0x830100, 1, 1);
    assert_int_equal(rd(b, 0x2100), 0x110);
    assert_int_equal(rd(b, 0x2410), 0);
    assert_int_equal(rd(b, 0x2400), 0x101);
    assert_int_equal(rd(b, 0x3220), 0x11);
    wr(b, 0x2420, 0);
    assert_int_equal(rd(b, 0x3220), 0x10);
    free(b);
}

static void another_channel_switches(void **state) {
    struct bench *b = ready("NV1");
    (void)state;
    wr(b, 0x3250, 0x115);
    for (uint32_t i = 0; i < 8; i++)
        wr(b, 0x3280 + 16 * i, 0x410000 + i);
    ramin(b, 0x1800 + 4 * 32, 0x60420011);
    wr(b, 0x840100, 7);
    assert_int_equal(from_ramin(b, 0x1800 + 3 * 32), 0xd0410000);
    assert_int_equal(from_ramin(b, 0x1800 + 3 * 32 + 28), 0xd0410007);
    assert_int_equal(rd(b, 0x3210), 4);
    assert_int_equal(rd(b, 0x3280), 0x00420011);
    assert_int_equal(rd(b, 0x3250), 6);
    assert_int_equal(rd(b, 0x3230), 4);
    free(b);
}

static void passwords_are_silent(void **state) {
    struct bench *b = ready("NV1");
    (void)state;
    wr(b, 0x830024, 0x12345678);
    assert_int_equal(b->vram[0x18034], 0x78);
    nv1ref_write(&b->r, 0x830024, 2, 0);
    assert_int_equal(rd(b, 0x2410), 8);
    assert_int_equal(rd(b, 0x2100), 0);
    assert_int_equal(rd(b, 0x3220), 0x11);
    free(b);
}

/* ---- pullers, RAMHT ---- */

static void ramht_rows_of_nv3_are_those_of_its_driver(void **state) {
    struct bench *b = bench_of("NV3");
    uint32_t columns;
    (void)state;
    assert_int_equal(nv1ref_ramht_row(&b->r, 0x80000000, 0, &columns), 0x800);
    assert_int_equal(columns, 2);
    assert_int_equal(nv1ref_ramht_row(&b->r, 0x80000001, 0, &columns), 0x810);
    assert_int_equal(nv1ref_ramht_row(&b->r, 0x80000010, 0, &columns), 0x900);
    free(b);
}

static void methods_reach_the_engine_with_their_context(void **state) {
    struct bench *b = ready("NV3");
    (void)state;
    uint32_t columns, at = nv1ref_ramht_row(&b->r, 0x80000000, 3, &columns);
    ramin(b, at + 8, 0x80000000);
    ramin(b, at + 12, 0x03c20341);
    wr(b, 0x834000, 0x80000000);
    wr(b, 0x834100, 7);
    wr(b, 0x830300, 8); /* no object there */
    wr(b, 0x3240, 1);
    assert_int_equal(nv1ref_run(&b->r, 10), NV1REF_INTERRUPT);
    assert_string_equal(b->calls, "3: bind 2 43 0341, 3: 2 0100 7, ");
    assert_int_equal(rd(b, 0x32a0), 0xc20341);
    assert_int_equal(rd(b, 0x3240), 0x100);
    assert_int_equal(rd(b, 0x2080), 0x10);
    assert_int_equal(rd(b, 0x3270), 0x0c);
    wr(b, 0x2100, 1);
    assert_int_equal(rd(b, 0x2080), 0);
    free(b);
}

static void one_command_goes_through_cache0(void **state) {
    struct bench *b = bench_of("NV3");
    (void)state;
    wr(b, 0x3004, 9);
    wr(b, 0x3010, 4);
    wr(b, 0x3080, 0xc51234);
    wr(b, 0x3100, 0x6304);
    wr(b, 0x3104, 77);
    wr(b, 0x3000, 1);
    wr(b, 0x3040, 1);
    assert_int_equal(nv1ref_run(&b->r, 10), NV1REF_IDLE);
    assert_string_equal(b->calls, "9: bind 3 19 1234, 9: 3 0304 4d, ");
    assert_int_equal(rd(b, 0x3070), 4);
    assert_int_equal(rd(b, 0x3014), 0x10);
    free(b);
}

static void dma_of_nv3_sends_a_packet(void **state) {
    struct bench *b = ready("NV3T");
    static const uint8_t packet[] = {0x00, 0x63, 0x08, 0x00, 0x11, 0, 0, 0, 0x22, 0, 0, 0};
    (void)state;
    memcpy(b->system + 0x2ff8, packet, 8);
    memcpy(b->system + 0x1000, packet + 8, 4);
    ramin(b, 0x4004, 0x2003);
    ramin(b, 0x4008, 0x1003);
    wr(b, 0x3238, 0x4000);
    wr(b, 0x3230, 0xffffffff);
    wr(b, 0x3228, 0x1ff8);
    wr(b, 0x3224, 12);
    wr(b, 0x3220, 1);
    assert_int_equal(rd(b, 0x3220), 0x11);
    assert_int_equal(nv1ref_run(&b->r, 10), NV1REF_FROZEN); /* the puller is off */
    assert_int_equal(rd(b, 0x3220), 0);
    assert_int_equal(rd(b, 0x3210), 0x0c);
    assert_int_equal(rd(b, 0x3400), 0x6300);
    assert_int_equal(rd(b, 0x3408), 0x6304);
    assert_int_equal(rd(b, 0x340c), 0x22);
    assert_int_equal(rd(b, 0x3230), 0x2000);
    wr(b, 0x3228, 0x3000); /* a page that is not there */
    wr(b, 0x3224, 4);
    wr(b, 0x3220, 1);
    nv1ref_run(&b->r, 1);
    assert_int_equal(rd(b, 0x2100), 0x10000);
    assert_int_equal(rd(b, 0x3228), 0x3000);
    free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pointers_follow_the_gray_sequence),
        cmocka_unit_test(ramin_is_the_end_of_vram_backwards),
        cmocka_unit_test(scan_gives_the_masks_of_silicon),
        cmocka_unit_test(disabling_keeps_the_contents),
        cmocka_unit_test(writes_of_the_wrong_kind_go_to_ramro),
        cmocka_unit_test(crossing_a_dword_makes_two_accesses),
        cmocka_unit_test(enables_are_inverted_on_nv3),
        cmocka_unit_test(a_full_cache_rejects),
        cmocka_unit_test(lies_are_told_about_room),
        cmocka_unit_test(ramro_overflows_without_an_entry),
        cmocka_unit_test(another_channel_switches),
        cmocka_unit_test(passwords_are_silent),
        cmocka_unit_test(ramht_rows_of_nv3_are_those_of_its_driver),
        cmocka_unit_test(methods_reach_the_engine_with_their_context),
        cmocka_unit_test(one_command_goes_through_cache0),
        cmocka_unit_test(dma_of_nv3_sends_a_packet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
