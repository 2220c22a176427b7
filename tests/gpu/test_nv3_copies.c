/* SPDX-License-Identifier: MIT */
/*
 * Memory to memory on NV3, with everything set by registers and in RAMIN, as nothing but the hardware's documents say:
 * envytools rnndb/graph/nv3_pgraph.xml, nv3_pdma.xml, hwtest/pgraph_class_m2mf.cc, nvhw/pgraph.c, docs/hw/graph/riva.
 */
#include "nv3.h"

#include <stdlib.h>
#include <string.h>

#include <pfifo/state.h>

#define SUB    2u
#define M2MF   0x0du /* type */
#define OBJECT 0x2000u
#define FROM   0x2010u
#define TO     0x2020u
#define NOTES  0x2030u
#define TABLE  0x3000u /* a DMA object with pages */
#define SPACE  0x40000u

#define FROM_AT  0x40000u /* in VRAM */
#define TO_AT    0x100000u
#define NOTES_AT 0x20000u

static const char *const chips[] = {"NV3", "NV3T"};

#define FOR_EACH_CHIP for (size_t chip = 0; chip < COUNT(chips); chip++)

static const uint32_t good[] = {0x10, 0x20, 0x40, 0x80, 0x30, 3, 0x101};

static void set_object(struct pfifo_gpu *gpu, uint32_t notes, uint32_t from, uint32_t to) {
    ramin_wr(gpu, OBJECT, 1, notes << 16 | from);
    ramin_wr(gpu, OBJECT, 2, to);
}

static struct pfifo_gpu *make(size_t chip) {
    struct pfifo_gpu *gpu = nv3_make(chips[chip]);
    uint8_t *bytes = malloc(SPACE);
    assert_non_null(bytes);
    for (uint32_t i = 0; i < SPACE; i++)
        bytes[i] = (uint8_t)(i * 2654435761u >> 13);
    pfifo_gpu_vram_write(gpu, FROM_AT, bytes, SPACE);
    free(bytes);
    nv3_vram_object(gpu, FROM, FROM_AT, SPACE);
    nv3_vram_object(gpu, TO, TO_AT, SPACE);
    nv3_vram_object(gpu, NOTES, NOTES_AT, 0x100);
    set_object(gpu, NOTES, FROM, TO);
    nv3_context(gpu, SUB, M2MF, OBJECT);
    return gpu;
}

static enum pfifo_stop send(struct pfifo_gpu *gpu, uint32_t method, uint32_t data) {
    return nv3_send(gpu, SUB, method, data);
}

static void send_state(struct pfifo_gpu *gpu) {
    for (uint32_t i = 0; i < COUNT(good); i++)
        assert_int_equal(send(gpu, 0x30c + 4 * i, good[i]), PFIFO_STOP_IDLE);
}

static uint8_t vram_byte(struct pfifo_gpu *gpu, uint32_t at) {
    uint8_t byte;
    pfifo_gpu_vram_read(gpu, at, &byte, 1);
    return byte;
}

static uint32_t vram_word(struct pfifo_gpu *gpu, uint32_t at) {
    uint8_t b[4];
    pfifo_gpu_vram_read(gpu, at, b, 4);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* What `good` says, byte by byte; `copied`: whether it happened. */
static void assert_copied(struct pfifo_gpu *gpu, bool copied) {
    for (uint32_t line = 0; line < 4; line++)
        for (uint32_t x = 0; x < 0x80; x++) {
            bool inside = copied && line < 3 && x < 0x30;
            uint8_t expected = inside ? vram_byte(gpu, FROM_AT + 0x10 + line * 0x40 + x) : 0;
            assert_int_equal(vram_byte(gpu, TO_AT + 0x20 + line * 0x80 + x), expected);
        }
}

static bool is_open(struct pfifo_gpu *gpu) {
    return rd(gpu, REG_FIFO) & 1;
}

/* ---- copies ---- */

static void a_copy_needs_registers_and_ramin_only(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        struct pfifo_gpu *gpu = make(chip);
        uint64_t no_time = 0;
        send_state(gpu);
        assert_copied(gpu, false);
        assert_int_equal(send(gpu, 0x328, 1), PFIFO_STOP_IDLE);
        assert_copied(gpu, true);
        assert_int_equal(rd(gpu, REG_INTR), INTR_NOTIFY); /* BUFFER_NOTIFY 1 wakes, and stops nothing */
        assert_int_equal(rd(gpu, 0x100) & PMC_LINE, PMC_LINE);
        assert_true(is_open(gpu));
        assert_int_equal(vram_word(gpu, NOTES_AT + 0x18), 0);
        assert_int_equal(vram_word(gpu, NOTES_AT + 0x1c), 0);
        assert_true(vram_word(gpu, NOTES_AT + 0x10) | vram_word(gpu, NOTES_AT + 0x14));
        pfifo_gpu_vram_read(gpu, NOTES_AT, &no_time, sizeof no_time);
        assert_int_equal(no_time, 0);
        pfifo_gpu_free(gpu);
    }
}

#define WORDS_AT 0x8000u /* in system memory */

/* State and launch as packets; bit i of `cuts`: a packet begins with word i. */
static uint32_t put_packets(struct pfifo_gpu *gpu, unsigned cuts) {
    uint32_t words[16], count = 0, header = 0;
    for (uint32_t i = 0; i < 8; i++) {
        if (i == 0 || (cuts >> i & 1)) {
            header = count++;
            words[header] = SUB << 13 | (0x30c + 4 * i);
        }
        words[header] += 1u << 18;
        words[count++] = i < 7 ? good[i] : 0;
    }
    pfifo_gpu_system_write(gpu, WORDS_AT, words, sizeof words[0] * count);
    return 4 * count;
}

/* The kernel launches the same words, in any packets and any budgets. */
static void the_kernels_dma_does_the_same(void **state) {
    (void)state;
    FOR_EACH_CHIP for (unsigned cuts = 0; cuts < 0x100; cuts += 2) {
        struct pfifo_gpu *gpu = make(chip);
        uint32_t bytes = put_packets(gpu, cuts), budget = 1 + cuts / 2 % 5;
        ramin_wr(gpu, TABLE, 0, WORDS_AT | 1);
        wr(gpu, 0x3238, TABLE << 4);
        wr(gpu, 0x3230, ~0u);
        wr(gpu, 0x3228, 0);
        wr(gpu, 0x322c, 2);
        wr(gpu, 0x3224, bytes);
        wr(gpu, 0x3220, 1);
        while (pfifo_gpu_run(gpu, budget) == PFIFO_STOP_BUDGET)
            continue;
        assert_int_equal(rd(gpu, REG_INTR), 0);
        assert_copied(gpu, true);
        pfifo_gpu_free(gpu);
    }
}

/* CACHE0 executes what the driver puts there, on a context of its own. */
static void commands_of_cache0_copy_too(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        struct pfifo_gpu *gpu = make(chip);
        nv3_context(gpu, SUB, 0x10, 0x123);
        wr(gpu, 0x3200, 0);
        wr(gpu, 0x3240, 0);
        wr(gpu, 0x3004, CHANNEL);
        for (uint32_t i = 0; i < 8; i++) {
            wr(gpu, 0x3000, 0);
            wr(gpu, 0x3010, 4);
            wr(gpu, 0x3070, 0);
            wr(gpu, 0x3080, 1u << 23 | (0x40 | M2MF) << 16 | OBJECT);
            wr(gpu, 0x3100, SUB << 13 | (0x30c + 4 * i));
            wr(gpu, 0x3104, i < 7 ? good[i] : 0);
            wr(gpu, 0x3000, 1);
            wr(gpu, 0x3040, 1);
            assert_int_equal(pfifo_gpu_run(gpu, UINT64_MAX), PFIFO_STOP_IDLE);
        }
        assert_copied(gpu, true);
        pfifo_gpu_free(gpu);
    }
}

/* Pages of system memory in any order, of which one is missing or read only. */
static void pages_are_looked_up(void **state) {
    static const uint32_t frames[] = {0x30000, 0x10000, 0x50000, 0x20000};
    static const struct { uint32_t flags, dma_intr; /* of page 2 */ } cases[] = {{3, 0}, {0, 0x10}, {1, 0x100}};
    (void)state;
    FOR_EACH_CHIP for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make(chip);
        ramin_wr(gpu, TABLE, 0, 0x02010000 | 0x800);
        ramin_wr(gpu, TABLE, 1, 0x37ff);
        for (unsigned page = 0; page < 4; page++)
            ramin_wr(gpu, TABLE, 2 + page, frames[page] | (page == 2 ? cases[i].flags : 3));
        set_object(gpu, NOTES, FROM, TABLE);
        send_state(gpu);
        send(gpu, 0x310, 0);
        send(gpu, 0x318, 0x1000);
        send(gpu, 0x31c, 0x1000);
        send(gpu, 0x314, 0x1000);
        send(gpu, 0x328, 0);
        assert_int_equal(rd(gpu, DMA_INTR), cases[i].dma_intr);
        uint32_t copied = cases[i].dma_intr ? 0x1800 : 0x3000;
        for (uint32_t at = 0; at < 0x3000; at++) {
            uint32_t where = frames[(at + 0x800) >> 12] + (at + 0x800) % 0x1000;
            uint8_t byte;
            pfifo_gpu_system_read(gpu, where, &byte, 1);
            assert_int_equal(byte, at < copied ? vram_byte(gpu, FROM_AT + 0x10 + at) : 0);
        }
        assert_int_equal(vram_word(gpu, NOTES_AT + 0x1c), cases[i].dma_intr ? 0x40000000 : 0);
        pfifo_gpu_free(gpu);
    }
}

/* ---- what is refused ---- */

static void assert_refused(struct pfifo_gpu *gpu, uint32_t method, uint32_t data, uint32_t intr, uint32_t invalid) {
    assert_int_equal(rd(gpu, REG_INTR), intr);
    assert_int_equal(rd(gpu, REG_INVALID), invalid);
    assert_int_equal(rd(gpu, TRAPPED_ADDR), CHANNEL << 24 | M2MF << 16 | SUB << 13 | method);
    assert_int_equal(rd(gpu, TRAPPED_DATA), data);
    assert_int_equal(rd(gpu, TRAPPED_INST), OBJECT);
    assert_int_equal(rd(gpu, 0x100) & PMC_LINE, PMC_LINE);
    assert_false(is_open(gpu));
}

static void methods_of_no_class_are_refused(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        struct pfifo_gpu *gpu = make(chip);
        send_state(gpu);
        for (uint32_t method = 0x100; method < 0x2000; method += 4) {
            if (method == 0x104 || (method >= 0x30c && method <= 0x328))
                continue;
            send(gpu, method, method + 1);
            assert_refused(gpu, method, method + 1, INTR_INVALID, 1);
            nv3_acknowledge(gpu);
            assert_int_equal(rd(gpu, 0x100) & PMC_LINE, 0);
        }
        assert_int_equal(send(gpu, 0x328, 0), PFIFO_STOP_IDLE);
        assert_copied(gpu, true);
        pfifo_gpu_free(gpu);
    }
}

static void values_that_do_not_fit_are_refused_and_cut(void **state) {
    static const struct {
        uint32_t method, value, kept;
        bool fits;
    } cases[] = {
        {0x30c, ~0u, ~0u, true},           {0x310, ~0u, ~0u, true},
        {0x314, 0x7fff, 0x7fff, true},     {0x314, 0x12348000, 0x8000, false},
        {0x318, 0x7fff, 0x7fff, true},     {0x318, 0xffffffff, 0xffff, false},
        {0x31c, 0x3fffff, 0x3fffff, true}, {0x31c, 0x1c00030, 0xc00030, false},
        {0x320, 0x7ff, 0x7ff, true},       {0x320, 0x1803, 3, false},
        {0x324, 0x101, 0x101, true},       {0x324, 0xfffff904, 0xfffff904, true},
        {0x324, 0x402, 0x402, true},       {0x324, 0x103, 0x103, false},
        {0x324, 0x301, 0x301, false},      {0x324, 0x109, 0x101, false},
        {0x324, 0x181, 0x101, false},      {0x324, 0x001, 0x001, false},
    };
    (void)state;
    FOR_EACH_CHIP for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make(chip);
        uint32_t value = 0;
        send(gpu, cases[i].method, cases[i].value);
        if (cases[i].fits)
            assert_int_equal(rd(gpu, REG_INTR), 0);
        else
            assert_refused(gpu, cases[i].method, cases[i].value, INTR_INVALID, 0x10);
        assert_true(pfifo_gpu_method_value(gpu, CHANNEL, 0x39, cases[i].method, &value));
        assert_int_equal(value, cases[i].kept);
        pfifo_gpu_free(gpu);
    }
}

/* DATA_CHECK of DEBUG_3: without it what does not fit is cut, and that is all. */
static void without_the_check_values_are_only_cut(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        struct pfifo_gpu *gpu = make(chip);
        wr(gpu, REG_DEBUG_3, 0);
        send_state(gpu);
        assert_int_equal(send(gpu, 0x320, 0xf0000803), PFIFO_STOP_IDLE);
        assert_int_equal(send(gpu, 0x314, 0x70040), PFIFO_STOP_IDLE);
        assert_int_equal(send(gpu, 0x324, 0x10101), PFIFO_STOP_IDLE);
        assert_int_equal(send(gpu, 0x328, 0), PFIFO_STOP_IDLE);
        assert_int_equal(rd(gpu, REG_INTR), 0);
        assert_copied(gpu, true);
        pfifo_gpu_free(gpu);
    }
}

static void a_launch_before_all_is_set_is_missing_a_method(void **state) {
    (void)state;
    FOR_EACH_CHIP for (uint32_t missing = 0; missing < COUNT(good); missing++) {
        struct pfifo_gpu *gpu = make(chip);
        for (uint32_t i = 0; i < COUNT(good); i++)
            if (i != missing)
                send(gpu, 0x30c + 4 * i, good[i]);
        send(gpu, 0x328, 0);
        assert_refused(gpu, 0x328, 0, INTR_MISSING, 0);
        assert_int_equal(vram_word(gpu, NOTES_AT + 0x10), 0);
        nv3_acknowledge(gpu);
        send(gpu, 0x30c + 4 * missing, good[missing]);
        assert_int_equal(send(gpu, 0x328, 0), PFIFO_STOP_IDLE);
        assert_copied(gpu, true);
        pfifo_gpu_free(gpu);
    }
}

static void a_fault_shows_in_the_registers_of_the_dma(void **state) {
    static const struct {
        uint32_t notes, from, to, bytes, dma_intr;
    } cases[] = {
        {NOTES, 0, TO, SPACE, 0x1},       {NOTES, FROM, 0, SPACE, 0x1},   {0, FROM, TO, SPACE, 0x1},
        {NOTES, FROM, TO, 0x100, 0x1000}, {NOTES, TABLE, TO, SPACE, 0x1}, /* word 0 says that it is not there */
    };
    (void)state;
    FOR_EACH_CHIP for (size_t i = 0; i < COUNT(cases); i++) for (unsigned enabled = 0; enabled < 2; enabled++) {
        struct pfifo_gpu *gpu = make(chip);
        wr(gpu, DMA_INTR_EN, enabled ? cases[i].dma_intr : ~cases[i].dma_intr);
        nv3_vram_object(gpu, 0, TO_AT, SPACE); /* what is there looks like one, but is none */
        nv3_vram_object(gpu, TO, TO_AT, cases[i].bytes);
        set_object(gpu, cases[i].notes, cases[i].from, cases[i].to);
        send_state(gpu);
        send(gpu, 0x328, 0);
        assert_int_equal(rd(gpu, REG_INTR), 0);
        assert_int_equal(rd(gpu, DMA_INTR), cases[i].dma_intr);
        assert_int_equal(rd(gpu, 0x100) & PMC_LINE, enabled ? PMC_LINE : 0);
        assert_false(is_open(gpu));
        assert_int_equal(rd(gpu, TRAPPED_DATA), 0);
        assert_int_equal(send(gpu, 0x310, 0x20), PFIFO_STOP_INTERRUPT); /* it waits */
        wr(gpu, REG_FIFO, 1);
        wr(gpu, DMA_INTR, cases[i].dma_intr);
        assert_int_equal(rd(gpu, DMA_INTR), 0);
        assert_int_equal(rd(gpu, 0x100) & PMC_LINE, 0);
        assert_int_equal(send(gpu, 0x30c, 0), PFIFO_STOP_IDLE);
        pfifo_gpu_free(gpu);
    }
}

/* ---- long copies ---- */

struct bytes {
    uint8_t *data;
    size_t count, room;
};

static bool keep(void *opaque, const void *data, size_t count) {
    struct bytes *bytes = opaque;
    while (bytes->count + count > bytes->room) {
        bytes->room = bytes->room ? 2 * bytes->room : 1 << 20;
        bytes->data = realloc(bytes->data, bytes->room);
        assert_non_null(bytes->data);
    }
    memcpy(bytes->data + bytes->count, data, count);
    bytes->count += count;
    return true;
}

/* 0x3f000 bytes, 64 times over themselves: with a step of 0x10 the order shows. */
static void start_long_copy(struct pfifo_gpu *gpu) {
    static const uint32_t words[] = {0, 0x10, 0, 0, 0x3f000, 64, 0x101};
    set_object(gpu, NOTES, FROM, FROM);
    for (uint32_t i = 0; i < COUNT(words); i++)
        send(gpu, 0x30c + 4 * i, words[i]);
    wr(gpu, 0x800000 + CHANNEL * 0x10000 + SUB * 0x2000 + 0x328, 0);
}

static void assert_same_vram(struct pfifo_gpu *a, struct pfifo_gpu *b) {
    static uint8_t of_a[SPACE], of_b[SPACE];
    for (uint32_t at = 0; at < 4u << 20; at += SPACE) {
        pfifo_gpu_vram_read(a, at, of_a, SPACE);
        pfifo_gpu_vram_read(b, at, of_b, SPACE);
        assert_memory_equal(of_a, of_b, SPACE);
    }
}

static void a_long_copy_is_saved_in_the_middle(void **state) {
    (void)state;
    FOR_EACH_CHIP for (unsigned slices = 1; slices < 16; slices += 5) {
        struct pfifo_gpu *whole = make(chip), *halved = make(chip), *other = nv3_make(chips[chip]);
        struct bytes bytes = {0};
        start_long_copy(whole);
        assert_int_equal(pfifo_gpu_run(whole, UINT64_MAX), PFIFO_STOP_IDLE);
        start_long_copy(halved);
        for (unsigned i = 0; i < slices; i++)
            assert_int_equal(pfifo_gpu_run(halved, 1), PFIFO_STOP_BUDGET);
        assert_int_equal(vram_word(halved, NOTES_AT + 0x10), 0);
        assert_int_equal(pfifo_gpu_save(halved, keep, &bytes, NULL), PFIFO_OK);
        assert_int_equal(pfifo_gpu_load(other, bytes.data, bytes.count, NULL), PFIFO_OK);
        ramin_wr(other, OBJECT, 1, 0); /* what was loaded is what counts */
        ramin_wr(other, OBJECT, 2, 0);
        assert_int_equal(pfifo_gpu_run(other, UINT64_MAX), PFIFO_STOP_IDLE);
        assert_int_equal(rd(other, DMA_INTR), 0);
        assert_int_equal(vram_word(other, NOTES_AT + 0x1c), 0);
        assert_true(vram_word(other, NOTES_AT + 0x10));
        assert_int_equal(pfifo_gpu_run(halved, UINT64_MAX), PFIFO_STOP_IDLE);
        ramin_wr(halved, OBJECT, 1, 0);
        ramin_wr(halved, OBJECT, 2, 0);
        assert_same_vram(halved, other);
        set_object(halved, NOTES, FROM, FROM);
        pfifo_gpu_vram_write(whole, NOTES_AT + 0x10, "\0\0\0\0\0\0\0", 8); /* the times are not the same */
        pfifo_gpu_vram_write(halved, NOTES_AT + 0x10, "\0\0\0\0\0\0\0", 8);
        assert_same_vram(whole, halved);
        free(bytes.data);
        pfifo_gpu_free(whole);
        pfifo_gpu_free(halved);
        pfifo_gpu_free(other);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_needs_registers_and_ramin_only),
        cmocka_unit_test(the_kernels_dma_does_the_same),
        cmocka_unit_test(commands_of_cache0_copy_too),
        cmocka_unit_test(pages_are_looked_up),
        cmocka_unit_test(methods_of_no_class_are_refused),
        cmocka_unit_test(values_that_do_not_fit_are_refused_and_cut),
        cmocka_unit_test(without_the_check_values_are_only_cut),
        cmocka_unit_test(a_launch_before_all_is_set_is_missing_a_method),
        cmocka_unit_test(a_fault_shows_in_the_registers_of_the_dma),
        cmocka_unit_test(a_long_copy_is_saved_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
