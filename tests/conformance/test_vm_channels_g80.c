/* SPDX-License-Identifier: MIT */
/*
 * Virtual memory of channels of G80 .. MCP89: what the TLB keeps, and how faults are told.
 * Sources: envytools docs/hw/memory/g80-vm.rst; nouveau nvkm/subdev/mmu/vmmnv50.c, nvkm/subdev/fb/nv50.c.
 */
#include "fifo_cache/rig.h"

#define TABLE     0x600000u
#define A         0x100000u /* of system memory */
#define B         0x200000u
#define DMA_ERROR 0x1000u
#define READ_ONLY 8u
#define SYSTEM    0x20u
#define PRESENT   1u

static uint32_t directory(const struct rig *rig) {
    return RIG_DESCRIPTOR(1) + (rig->descriptor_has_ramfc ? 0x1400 : 0x200);
}

static void map(struct rig *rig, uint32_t page, uint32_t entry) {
    vram_wr(rig, TABLE + 8 * page, entry);
    vram_wr(rig, TABLE + 8 * page + 4, 0);
}

static void flush(struct rig *rig, uint32_t engine) {
    wr(rig, 0x100c80, engine << 16 | 1);
    assert_int_equal(rd(rig, 0x100c80) & 1, 0);
}

/* The pushbuffer of channel 1 is the space from `base` on. */
static void use_vm_from(struct rig *rig, uint32_t flags, uint32_t base) {
    const uint32_t object[] = {0x7fc0003d | flags, 0xffffffff, base, 0xff000000, 0, 0};
    ramfc_wr(rig, 1, 0x48, rig_instance(rig, 1, object, 6));
    vram_wr(rig, directory(rig), TABLE | 3);
    vram_wr(rig, directory(rig) + 4, 0);
}

static void use_vm(struct rig *rig, uint32_t flags) {
    use_vm_from(rig, flags, 0);
}

/* Method 0x50 with `data` at `offset` of system memory: the reference count. */
static void put_reference(struct rig *rig, uint32_t offset, uint32_t data) {
    system_wr(rig, offset, INC(0, 0x50, 1));
    system_wr(rig, offset + 4, data);
}

static void run_to(struct rig *rig, uint32_t put) {
    user_wr(rig, 1, USER_PUT, put);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

static void a_channel_reads_the_old_page_until_the_tlb_is_flushed(void **state) {
    struct rig *rig = *state;
    use_vm(rig, 0);
    map(rig, 0, A | SYSTEM | PRESENT);
    put_reference(rig, A, 1);
    put_reference(rig, A + 8, 2);
    put_reference(rig, A + 16, 3);
    put_reference(rig, B + 8, 0xbad);
    put_reference(rig, B + 16, 4);
    run_to(rig, 8);
    assert_int_equal(rd(rig, REF), 1);
    map(rig, 0, B | SYSTEM | PRESENT);
    run_to(rig, 16);
    assert_int_equal(rd(rig, REF), 2);
    flush(rig, 5); /* PFIFO */
    run_to(rig, 24);
    assert_int_equal(rd(rig, REF), 4);
}

static void a_page_that_is_taken_away_stays_until_the_tlb_is_flushed(void **state) {
    struct rig *rig = *state;
    use_vm(rig, 0);
    map(rig, 0, A | SYSTEM | PRESENT);
    put_reference(rig, A, 1);
    put_reference(rig, A + 8, 2);
    put_reference(rig, A + 16, 3);
    run_to(rig, 8);
    map(rig, 0, 0);
    run_to(rig, 16);
    assert_int_equal(rd(rig, REF), 2);
    flush(rig, 5);
    user_wr(rig, 1, USER_PUT, 24);
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, REF), 2);
    assert_int_equal(pusher_error(rig), 6);
}

/* 5 PFIFO, reason, 8 PFIFO_READ, slot 0; the pusher stops with error 6 where it is. */
static void reasons_of_faults_of_the_pusher(void **state) {
    struct rig *rig = *state;
    const char *chip = rig->chip->name;
    const struct {
        uint32_t pde_low, pde_high, pte_low, pte_high, flags, reason;
    } rows[] = {
        {0, 0, 0, 0, 0, 0},                                               /* PT_NOT_PRESENT */
        {0, 0xdeadcafe, 0, 0, 0, 0},                                      /* the same, as drivers write it */
        {TABLE | 3 | 3 << 5, 0, A | SYSTEM | PRESENT, 0, 0, 1},           /* PT_TOO_SHORT */
        {TABLE | 3, 0, A | SYSTEM, 0, 0, 2},                              /* PAGE_NOT_PRESENT */
        {TABLE | 3, 0, A | SYSTEM | 1 << 6 | PRESENT, 0, 0, 3},           /* PAGE_SUPERVISOR_ONLY */
        {TABLE | 3, 0, A | SYSTEM | PRESENT, 0x7f << 8, 0, 7},            /* WRONG_MEMTYPE */
        {TABLE | 3, 0, A | SYSTEM | PRESENT, 0, 2u << 20, 3},             /* supervisor only by the object */
        {TABLE | 3, 0, A | SYSTEM | PRESENT, 0, 1u << 31 | 2 << 20, ~0u}, /* which says that it is one */
        {TABLE | 3, 0, A | SYSTEM | 1 << 6 | PRESENT, 0, 1u << 20, ~0u},  /* or that all may */
        {TABLE | 3, 0, A | SYSTEM | READ_ONLY | PRESENT, 0, 0, ~0u},      /* reads may */
    };
    bool bytes = chip_in_range(rig->chip, "GT215:GF100");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_stop(rig);
        rig_start(rig, chip, false);
        rig_open(rig, 1);
        rig_playlist(rig, (const uint32_t[]){1}, 1);
        bool far = rows[i].reason == 1; /* page 0x2000 of a table of 0x2000 */
        use_vm_from(rig, rows[i].flags, far ? 0x2000000 : 0);
        vram_wr(rig, directory(rig), rows[i].pde_low);
        vram_wr(rig, directory(rig) + 4, rows[i].pde_high);
        map(rig, far ? 0x2000 : 0, rows[i].pte_low);
        vram_wr(rig, TABLE + 4, rows[i].pte_high);
        put_reference(rig, A, 1);
        user_wr(rig, 1, USER_PUT, 8);
        if (rows[i].reason == ~0u) {
            assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
            assert_int_equal(rd(rig, REF), 1);
            continue;
        }
        assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
        assert_int_equal(pusher_error(rig), 6);
        assert_int_equal(vm_fault_word(rig, 0),
                         bytes ? 0x00080005 | rows[i].reason << 8 : 0x0805 | rows[i].reason << 4);
        assert_int_equal(vm_fault_word(rig, 1) | vm_fault_word(rig, 2) << 16, RIG_DESCRIPTOR(1) >> 12);
        if (!far) /* with a base: nobody says whether the object's address or that of the space */
            assert_int_equal(vm_fault_word(rig, 3) | vm_fault_word(rig, 4) << 16, 0);
        assert_int_equal(vm_fault_word(rig, 5), 0x100);
    }
}

/* nouveau nvkm/subdev/mc/{nv50,g84,gt215}.c looks at VM_FAULT when one of the units interrupts that may have asked. */
static void a_fault_interrupts_through_the_unit_that_asked(void **state) {
    struct rig *rig = *state;
    use_vm(rig, 0);
    user_wr(rig, 1, USER_PUT, 8);
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, VM_FAULT) >> 31, 1);
    assert_int_equal(rd(rig, PMC_INTR), 1u << 8);
    wr(rig, INTR, DMA_ERROR);
    assert_int_equal(rd(rig, PMC_INTR), 0);
    assert_int_equal(rd(rig, VM_FAULT) >> 31, 1);
    wr(rig, VM_FAULT, 0x800707ff);
    assert_int_equal(rd(rig, VM_FAULT), 0x000707ff);
}

#define ON_THREE(test) ON_TESLA(test), ON("gt215", test)

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_THREE(a_channel_reads_the_old_page_until_the_tlb_is_flushed),
        ON_THREE(a_page_that_is_taken_away_stays_until_the_tlb_is_flushed),
        ON_THREE(reasons_of_faults_of_the_pusher),
        ON_THREE(a_fault_interrupts_through_the_unit_that_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
