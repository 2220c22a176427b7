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
    assert_int_equal(rd(gpu, 0x100) & PMC_LINE, PMC_LINE);
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
    {"NV10", 1u << 20, 0x400144, 0x400148, 0x80010000, 0}, {"NV15", 1u << 20, 0x400144, 0x400148, 0x80010000, 0},
    {"NV1A", 1u << 20, 0x400144, 0x400148, 0x80010000, 0}, {"NV17", 1u << 20, 0x400144, 0x400148, 0x80010000, 0},
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
        assert_int_equal(rd(gpu, 0x100) & PMC_LINE, PMC_LINE);
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

/* Classes that the chips have, from envytools hwtest/nv04_pgraph.cc, which tried NOTIFY with all 256 numbers. */
static const uint8_t classes_nv4[] = {
    0x12, 0x17, 0x18, 0x19, 0x1c, 0x1d, 0x1e, 0x1f, 0x21, 0x36, 0x37, 0x38, 0x39, 0x42, 0x43, 0x44,
    0x48, 0x4a, 0x4b, 0x52, 0x53, 0x54, 0x55, 0x57, 0x58, 0x59, 0x5a, 0x5b, 0x5c, 0x5d, 0x5e, 0x5f,
    0x60, 0x61, 0x64, 0x65, 0x66, 0x72, 0x76, 0x77, 0x10, 0x11, 0x13, 0x15, 0x67, 0x56, 0x62, 0x63,
    0x7b, 0x88, 0x89, 0x8a, 0x93, 0x94, 0x95, 0x79, 0x82, 0x85, 0x87, 0x96, 0x9e, 0x9f, 0x98, 0x99,
};
enum { ALL_NV4 = 40, OF_NV4 = 45, OF_NV10 = 59, OF_NV15 = 62, OF_NV17 = 64, CLASS_D3D0 = 0x48 };

static bool chip_has(const char *chip, uint32_t object_class) {
    uint32_t number = chip_place(chip, 0);
    for (size_t i = 0; i < COUNT(classes_nv4); i++) {
        if (classes_nv4[i] != object_class)
            continue;
        if (i < ALL_NV4)
            return object_class != CLASS_D3D0 || number < chip_place("NV15", 0);
        if (i < OF_NV4)
            return number == chip_place("NV4", 0) || (object_class == 0x67 && number >= chip_place("NV10", 0));
        return number >= chip_place(i < OF_NV10 ? "NV10" : i < OF_NV15 ? "NV15" : "NV17", 0);
    }
    return false;
}

/* A NOTIFY without awakening, of an object whose class is the number. True: it was refused. */
static bool notify_is_refused(const struct place *p, uint32_t object_class, uint32_t method) {
    struct pfifo_gpu *gpu = make(p->chip);
    memory_ramin_wr32(&gpu->memory, 0x12030, object_class);
    memory_ramin_wr32(&gpu->memory, 0x10010, 2);
    memory_ramin_wr32(&gpu->memory, 0x10014, p->context | 0x1203);
    wr(gpu, p->control, 0x10010100);
    wr(gpu, p->user, 0);
    wr(gpu, 0x40008c, 0);
    wr(gpu, 0x400140, ~0u);
    wr(gpu, 0x800000, 2);
    pfifo_gpu_run(gpu, UINT64_MAX);
    assert_int_equal(rd(gpu, 0x400108), 0); /* to bind it is no error */
    wr(gpu, 0x800000 | method, 0);
    pfifo_gpu_run(gpu, UINT64_MAX);
    bool refused = (rd(gpu, 0x400108) & ILLEGAL_MTHD) != 0;
    assert_int_equal(rd(gpu, 0x400720), !refused);
    assert_int_equal(rd(gpu, 0x400100) & p->intr, refused ? p->intr : 0);
    if (refused)
        assert_int_equal(rd(gpu, 0x400704) & 0x1ffc, method);
    pfifo_gpu_free(gpu);
    return refused;
}

static void a_class_that_nv4_to_nv1f_lack_refuses_every_method_but_its_binding(void **state) {
    static const uint32_t methods[] = {0x100, 0x104, 0x200, 0x300, 0x1ffc};
    (void)state;
    for (size_t i = 0; i < COUNT(places) && chip_place(places[i].chip, 0) < chip_place("NV20", 0); i++) {
        for (uint32_t object_class = 0; object_class < 0x100; object_class++) {
            bool refused = notify_is_refused(&places[i], object_class, 0x104);
            if (refused == chip_has(places[i].chip, object_class))
                fail_msg("%s: class %02x is %s", places[i].chip, (unsigned)object_class, refused ? "refused" : "taken");
        }
        for (size_t m = 0; m < COUNT(methods); m++)
            assert_true(notify_is_refused(&places[i], 0x70, methods[m]));
    }
}

/* All of them on one channel: they are more than an engine has lists for. */
static void all_numbers_of_classes_one_after_the_other_are_bounded_work(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make("NV17");
    wr(gpu, 0x400144, 0x10010100);
    wr(gpu, 0x400148, 0);
    memory_ramin_wr32(&gpu->memory, 0x10010, 2);
    memory_ramin_wr32(&gpu->memory, 0x10014, 0x80011203);
    for (uint32_t object_class = 0; object_class < 0x200; object_class++) {
        memory_ramin_wr32(&gpu->memory, 0x12030, object_class & 0xff);
        wr(gpu, 0x800000, 2);
        pfifo_gpu_run(gpu, UINT64_MAX);
        wr(gpu, 0x800104, 0);
        pfifo_gpu_run(gpu, UINT64_MAX);
        wr(gpu, 0x400100, ~0u);
        wr(gpu, 0x400720, 1);
        pfifo_gpu_run(gpu, UINT64_MAX);
    }
    pfifo_gpu_free(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_type_refuses_what_it_lacks),
        cmocka_unit_test(types_that_do_not_exist_refuse_everything),
        cmocka_unit_test(no_bit_switches_that_off),
        cmocka_unit_test(nsource_has_its_bit_from_nv4_on),
        cmocka_unit_test(missing_hardware_has_an_interrupt_of_its_own),
        cmocka_unit_test(a_class_that_nv4_to_nv1f_lack_refuses_every_method_but_its_binding),
        cmocka_unit_test(all_numbers_of_classes_one_after_the_other_are_bounded_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
