/* SPDX-License-Identifier: MIT */
/*
 * PMPEG before G80 refuses the methods that bind DMA objects, and shows what its driver needs to bind them: the steps
 * of nouveau's nv31_mpeg_intr, on registers as envytools rnndb/vdec/vpe/pmpeg.xml has them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/gpu.h"
#include "fifo/ops.h"

#define COUNT(x) (sizeof(x) / sizeof((x)[0]))

#define INTR     0xb100u
#define INTR_EN  0xb140u
#define ERR      0xb230u
#define ERR_MTHD 0xb234u
#define ERR_DATA 0xb238u
#define CONFIG   0xb300u
#define FIFO_ERR (1u << 24)
#define LINE     1u /* in PMC */
#define ILLEGAL  0x10u
#define VALUE    0x20u

static const char *const chips[] = {"NV31", "NV34", "NV36", "NV40", "NV44", "G71"};

static struct pfifo_gpu *make(const char *chip) {
    const struct pfifo_config config = {
        .chip = pfifo_chip_by_name(chip), .vram_bytes = 16u << 20, .system_bytes = 1u << 20};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_non_null(gpu);
    pfifo_gpu_wr32(gpu, 0x200, ~0u);
    return gpu;
}

/* A method to the engine, as its puller gives it. */
static void send(struct pfifo_gpu *gpu, uint32_t method, uint32_t data) {
    const struct fifo_engine *slot = &gpu->fifo->engines[2];
    struct pfifo_channel_context channel = {.fifo = gpu->fifo, .id = 1};
    const struct pfifo_methods run = {&data, 1, (uint16_t)method, 4, 3, &channel};
    assert_int_equal(slot->unit, CHIP_UNIT_PMPEG);
    assert_true(slot->ops->bind(slot->engine, &channel, 3, gpu->chip->has_ib ? 0x8274 : 0x3174, 0));
    assert_int_equal(slot->ops->methods(slot->engine, &run), 1);
}

static void assert_error(struct pfifo_gpu *gpu, uint32_t type, uint32_t method, uint32_t data) {
    assert_int_equal(pfifo_gpu_rd32(gpu, INTR), FIFO_ERR);
    assert_int_equal(pfifo_gpu_rd32(gpu, ERR), type);
    assert_int_equal(pfifo_gpu_rd32(gpu, ERR_MTHD), method);
    assert_int_equal(pfifo_gpu_rd32(gpu, ERR_DATA), data);
    assert_int_equal(pfifo_gpu_rd32(gpu, 0x100) & LINE, LINE);
    assert_false(fifo_engine_open(gpu->fifo, 2, 1));
}

static void acknowledge(struct pfifo_gpu *gpu) {
    pfifo_gpu_wr32(gpu, INTR, pfifo_gpu_rd32(gpu, INTR));
    pfifo_gpu_wr32(gpu, ERR, 1);
    assert_int_equal(pfifo_gpu_rd32(gpu, INTR), 0);
    assert_int_equal(pfifo_gpu_rd32(gpu, ERR), 0);
    assert_int_equal(pfifo_gpu_rd32(gpu, 0x100) & LINE, 0);
    assert_true(fifo_engine_open(gpu->fifo, 2, 1));
}

static void binds_are_illegal_methods(void **state) {
    static const uint32_t methods[] = {0x190, 0x1a0, 0x1b0};
    (void)state;
    for (size_t c = 0; c < COUNT(chips); c++) {
        struct pfifo_gpu *gpu = make(chips[c]);
        for (size_t i = 0; i < COUNT(methods); i++) {
            send(gpu, methods[i], 0x1234 + (uint32_t)i);
            assert_error(gpu, ILLEGAL, methods[i], 0x1234 + (uint32_t)i);
            acknowledge(gpu);
        }
        send(gpu, 0x194, 1); /* and nothing beside them */
        send(gpu, 0x180, 1);
        assert_int_equal(pfifo_gpu_rd32(gpu, INTR), 0);
        pfifo_gpu_free(gpu);
    }
}

static void a_value_that_is_refused_is_another_error(void **state) {
    (void)state;
    for (size_t c = 0; c < COUNT(chips); c++) {
        struct pfifo_gpu *gpu = make(chips[c]);
        send(gpu, 0x160, 0x123);
        assert_error(gpu, VALUE, 0x160, 0x123);
        pfifo_gpu_wr32(gpu, ERR, 0xfffffffe); /* only CLEAR clears */
        assert_int_equal(pfifo_gpu_rd32(gpu, ERR), VALUE);
        acknowledge(gpu);
        pfifo_gpu_free(gpu);
    }
}

static void the_check_can_be_switched_off(void **state) {
    (void)state;
    for (size_t c = 0; c < COUNT(chips); c++) {
        struct pfifo_gpu *gpu = make(chips[c]);
        assert_int_equal(pfifo_gpu_rd32(gpu, CONFIG), 0x30200);
        pfifo_gpu_wr32(gpu, CONFIG, 0xfffffdff);
        send(gpu, 0x190, 7);
        assert_int_equal(pfifo_gpu_rd32(gpu, INTR), 0);
        assert_int_equal(pfifo_gpu_rd32(gpu, ERR), 0);
        assert_true(fifo_engine_open(gpu->fifo, 2, 1));
        pfifo_gpu_wr32(gpu, CONFIG, 0x200);
        send(gpu, 0x190, 7);
        assert_error(gpu, ILLEGAL, 0x190, 7);
        pfifo_gpu_wr32(gpu, INTR_EN, ~FIFO_ERR);
        assert_int_equal(pfifo_gpu_rd32(gpu, 0x100) & LINE, 0);
        pfifo_gpu_free(gpu);
    }
}

/* From G80 on there are registers that take DMA objects. */
static void later_chips_bind_by_themselves(void **state) {
    static const char *const later[] = {"G84", "G92", "GT200"};
    (void)state;
    for (size_t c = 0; c < COUNT(later); c++) {
        struct pfifo_gpu *gpu = make(later[c]);
        send(gpu, 0x190, 7);
        send(gpu, 0x1b0, 7);
        assert_int_equal(pfifo_gpu_rd32(gpu, INTR), 0);
        pfifo_gpu_free(gpu);
    }
}

static void what_the_driver_writes_is_kept(void **state) {
    static const struct {
        uint32_t offset, bits;
    } regs[] = {
        {0xb220, 0xffff},     {0xb300, ~0u},        {0xb308, ~0u}, {0xb314, 0xffff}, {0xb320, 0xfffffffc},
        {0xb324, 0xfffffffc}, {0xb328, 0xfffffffc}, {0xb32c, 1},   {0xb334, ~3u},    {0xb360, ~0u},
        {0xb364, ~0u},        {0xb370, ~0u},        {0xb374, ~0u},
    };
    (void)state;
    for (size_t c = 0; c < COUNT(chips); c++) {
        struct pfifo_gpu *gpu = make(chips[c]);
        for (size_t i = 0; i < COUNT(regs); i++)
            pfifo_gpu_wr32(gpu, regs[i].offset, 0xa5a5a5a5u + (uint32_t)i * 0x01010101u);
        for (size_t i = 0; i < COUNT(regs); i++)
            assert_int_equal(pfifo_gpu_rd32(gpu, regs[i].offset),
                             (0xa5a5a5a5u + (uint32_t)i * 0x01010101u) & regs[i].bits);
        pfifo_gpu_wr32(gpu, 0x200, ~2u);
        pfifo_gpu_wr32(gpu, 0x200, ~0u);
        assert_int_equal(pfifo_gpu_rd32(gpu, 0xb334), 0);
        assert_int_equal(pfifo_gpu_rd32(gpu, 0xb220), 0x17);
        pfifo_gpu_free(gpu);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binds_are_illegal_methods),      cmocka_unit_test(a_value_that_is_refused_is_another_error),
        cmocka_unit_test(the_check_can_be_switched_off),  cmocka_unit_test(later_chips_bind_by_themselves),
        cmocka_unit_test(what_the_driver_writes_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
