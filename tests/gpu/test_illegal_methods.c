/* SPDX-License-Identifier: MIT */
/*
 * What PGRAPH's registers show of a method that a class does not have. From envytools hwtest/pgraph_mthd_invalid.cc and
 * pgraph_mthd.cc (NV1, NV3: INTR and INVALID bit 0; from NV4 on NSOURCE bit 6, with the interrupt of errors; FIFO
 * access is off).
 */
#include "nv3.h"

#include <string.h>

#define INVALID_METHOD 1u
#define ILLEGAL_MTHD   0x40u
#define INSTANCE       0x2010u

/* ---- NV1, NV3 ---- */

static const char *const chips[] = {"NV1", "NV3", "NV3T"};

static void assert_refused(struct pfifo_gpu *gpu, uint32_t type, uint32_t method) {
    if (rd(gpu, REG_INTR) != INTR_INVALID || rd(gpu, REG_INVALID) != INVALID_METHOD || (rd(gpu, REG_FIFO) & 1))
        fail_msg("%s: type %02x method %04x: INTR %08x INVALID %08x FIFO %x", gpu->chip->name, (unsigned)type,
                 (unsigned)method, (unsigned)rd(gpu, REG_INTR), (unsigned)rd(gpu, REG_INVALID),
                 (unsigned)rd(gpu, REG_FIFO));
    assert_int_equal(rd(gpu, 0x100) & LINE, LINE);
}

static void a_type_refuses_what_it_lacks(void **state) {
    static const struct {
        uint8_t type;
        uint16_t method;
    } cases[] = {{0x01, 0x100}, {0x01, 0x304}, {0x03, 0x300},  {0x05, 0x308}, {0x06, 0x304}, {0x08, 0x300},
                 {0x09, 0x680}, {0x0b, 0x31c}, {0x10, 0x30c},  {0x11, 0x300}, {0x12, 0x480}, {0x14, 0x304},
                 {0x10, 0x180}, {0x11, 0x2fc}, {0x12, 0x1ffc}, {0x08, 0x1000}};
    (void)state;
    for (size_t c = 0; c < COUNT(chips); c++) {
        for (size_t i = 0; i < COUNT(cases); i++) {
            struct pfifo_gpu *gpu = nv3_make(chips[c]);
            nv3_context(gpu, 1, cases[i].type, INSTANCE);
            nv3_send(gpu, 1, cases[i].method, 1);
            assert_refused(gpu, cases[i].type, cases[i].method);
            assert_int_equal(nv3_send(gpu, 1, 0x104, 0), PFIFO_STOP_INTERRUPT); /* held */
            nv3_acknowledge(gpu);
            assert_int_equal(rd(gpu, REG_INTR), 0);
            assert_int_equal(rd(gpu, REG_INVALID), 0);
            pfifo_gpu_free(gpu);
        }
    }
}

static void types_that_do_not_exist_refuse_everything(void **state) {
    static const uint8_t types[] = {0x00, 0x0f, 0x13, 0x16, 0x19, 0x1a, 0x1b, 0x1d, 0x1e, 0x1f};
    static const uint16_t methods[] = {0x100, 0x104, 0x180, 0x300, 0x304, 0x400, 0x1ffc};
    (void)state;
    for (size_t t = 0; t < COUNT(types); t++) {
        for (size_t m = 0; m < COUNT(methods); m++) {
            struct pfifo_gpu *gpu = nv3_make("NV3");
            nv3_context(gpu, 1, types[t], INSTANCE);
            nv3_send(gpu, 1, methods[m], 1);
            assert_refused(gpu, types[t], methods[m]);
            pfifo_gpu_free(gpu);
        }
    }
}

/* Values are checked if DEBUG_3 says so, methods always are. */
static void no_bit_switches_that_off(void **state) {
    struct pfifo_gpu *gpu = nv3_make("NV3");
    (void)state;
    wr(gpu, REG_DEBUG_3, 0);
    nv3_context(gpu, 1, 0x10, INSTANCE);
    nv3_send(gpu, 1, 0x30c, 1);
    assert_refused(gpu, 0x10, 0x30c);
    pfifo_gpu_free(gpu);
}

/* ---- NV4 to NV4x ---- */

/* One channel in CACHE1, an object of M2MF on subchannel 0, PIO. */
static struct pfifo_gpu *make(const char *chip) {
    const struct pfifo_config config = {
        .chip = pfifo_chip_by_name(chip), .vram_bytes = 4u << 20, .system_bytes = 1u << 20};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_non_null(gpu);
    wr(gpu, 0x200, ~0u);
    wr(gpu, 0x2500, 0);
    wr(gpu, 0x2210, 3u << 24 | 0x100); /* RAMHT at 0x10000 */
    wr(gpu, 0x2214, 0x112);
    wr(gpu, 0x2218, 1u << 16 | 0x180);
    wr(gpu, 0x3204, 0);
    wr(gpu, 0x3200, 1);
    wr(gpu, 0x3250, 1);
    wr(gpu, 0x2500, 1);
    return gpu;
}

struct place {
    const char *chip;
    uint32_t intr, control, user, context; /* INTR bit, CTX_CONTROL, CTX_USER, bits of the entry in RAMHT */
    uint32_t instance_shift;
};

static const struct place places[] = {
    {"NV4", 1, 0x400170, 0x400174, 0x80010000, 0},         {"NV5", 1, 0x400170, 0x400174, 0x80010000, 0},
    {"NV10", 1u << 20, 0x400144, 0x400148, 0x80010000, 0}, {"NV17", 1u << 20, 0x400144, 0x400148, 0x80010000, 0},
    {"NV20", 1u << 20, 0x400144, 0x400148, 0x80010000, 0}, {"NV34", 1u << 20, 0x400144, 0x400148, 0x80010000, 0},
};

static void nsource_has_its_bit_from_nv4_on(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(places); i++) {
        const struct place *p = &places[i];
        struct pfifo_gpu *gpu = make(p->chip);
        memory_ramin_wr32(&gpu->memory, 0x12030, 0x39); /* the object */
        memory_ramin_wr32(&gpu->memory, 0x10010, 2);    /* handle 2 */
        memory_ramin_wr32(&gpu->memory, 0x10014, p->context | 0x1203);
        wr(gpu, p->control, 0x10010100);
        wr(gpu, p->user, 0);
        wr(gpu, 0x40008c, 0);
        wr(gpu, 0x400140, ~0u);
        wr(gpu, 0x800000, 2);
        wr(gpu, 0x801ffc, 0x12345678);
        assert_int_equal(pfifo_gpu_run(gpu, UINT64_MAX), PFIFO_STOP_IDLE);
        assert_int_equal(rd(gpu, 0x400108), ILLEGAL_MTHD);
        assert_int_equal(rd(gpu, 0x400100), p->intr);
        assert_int_equal(rd(gpu, 0x400720), 0);
        assert_int_equal(rd(gpu, 0x400704) & 0x1ffc, 0x1ffc);
        assert_int_equal(rd(gpu, 0x400708), 0x12345678);
        assert_int_equal(rd(gpu, 0x400104), 0x4000u << (p->intr == 1 ? 0 : 12)); /* PROTECTION_FAULT */
        assert_int_equal(rd(gpu, 0x100) & LINE, LINE);
        wr(gpu, 0x800310, 1); /* held */
        assert_int_equal(pfifo_gpu_run(gpu, UINT64_MAX), PFIFO_STOP_INTERRUPT);
        wr(gpu, 0x400100, ~0u);
        wr(gpu, 0x400720, 1);
        assert_int_equal(pfifo_gpu_run(gpu, UINT64_MAX), PFIFO_STOP_IDLE);
        assert_int_equal(rd(gpu, 0x400108), 0);
        pfifo_gpu_free(gpu);
    }
}

/* INTR bit 4 alone. */
static void missing_hardware_has_an_interrupt_of_its_own(void **state) {
    const struct place *p = &places[3];
    struct pfifo_gpu *gpu = make(p->chip);
    (void)state;
    memory_ramin_wr32(&gpu->memory, 0x12030, 0x43);
    memory_ramin_wr32(&gpu->memory, 0x10010, 2);
    memory_ramin_wr32(&gpu->memory, 0x10014, p->context | 0x1203);
    wr(gpu, p->control, 0x10010100);
    wr(gpu, 0x800000, 2);
    wr(gpu, 0x800200, 5);
    wr(gpu, 0x800300, 0xcc);
    assert_int_equal(pfifo_gpu_run(gpu, UINT64_MAX), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(gpu, 0x400100), 0x10);
    assert_int_equal(rd(gpu, 0x400108), 0);
    assert_int_equal(rd(gpu, 0x400720), 0);
    pfifo_gpu_free(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_type_refuses_what_it_lacks),
        cmocka_unit_test(types_that_do_not_exist_refuse_everything),
        cmocka_unit_test(no_bit_switches_that_off),
        cmocka_unit_test(nsource_has_its_bit_from_nv4_on),
        cmocka_unit_test(missing_hardware_has_an_interrupt_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
