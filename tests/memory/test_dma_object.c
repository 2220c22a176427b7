/* SPDX-License-Identifier: MIT */
/* DMA objects of NV4 (in RAMIN) and of G80 (in the channel). */
#include "rig.h"

static const struct pfifo_chip nv4 = {.name = "NV4", .vram_bytes = 1, .ramin_bytes = 0x100000, .ramin_chunk = 16};
static const struct pfifo_chip nv1 = {.name = "NV1", .vram_bytes = 1, .ramin_bytes = 0x100000, .ramin_chunk = 4};
static const struct pfifo_chip nv3 = {
    .name = "NV3", .vram_bytes = 1, .ramin_bytes = 0x100000, .ramin_chunk = 16, .has_dma_target = true};
static const struct pfifo_chip g80 = {.name = "G80", .vram_bytes = 1, .vm = CHIP_VM_G80};

#define INSTANCE 0x11400u
#define LINEAR   0x3000u /* and present */
#define PAGED    0x1000u
#define PCI      0x20000u
#define AGP      0x30000u

static struct dma_object nv4_object(struct rig *rig, uint32_t word0, uint32_t limit, uint32_t word2) {
    struct dma_object object;
    memory_ramin_wr32(&rig->memory, INSTANCE, word0);
    memory_ramin_wr32(&rig->memory, INSTANCE + 4, limit);
    memory_ramin_wr32(&rig->memory, INSTANCE + 8, word2);
    dma_object_nv4(&rig->memory, INSTANCE, &object);
    return object;
}

static struct dma_object nv3_object(struct rig *rig, uint32_t word0, uint32_t limit, uint32_t word2) {
    struct dma_object object;
    memory_ramin_wr32(&rig->memory, INSTANCE, word0);
    memory_ramin_wr32(&rig->memory, INSTANCE + 4, limit);
    memory_ramin_wr32(&rig->memory, INSTANCE + 8, word2);
    dma_object_nv3(&rig->memory, INSTANCE, &object);
    return object;
}

#define NV3_PRESENT 0x00010000u
#define NV3_PCI     0x02000000u
#define NV3_AGP     0x03000000u

static void nv3_object_in_vram_is_linear(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &nv3);
    struct dma_object object = nv3_object(&rig, NV3_PRESENT | 0x123, 0xffff, 0x00200000);
    assert_true(object.linear && object.present);
    assert_int_equal(object.word0, 0x00010123);
    assert_maps(&rig, &object.space, 0x10, MEMORY_VRAM, 0x200133);
    assert_span(&rig, &object.space, 0, MIB(1), MEMORY_WRITE, MEMORY_VRAM, 0x200123, 0x10000);
    assert_faults(&rig, &object.space, 0x10000, MEMORY_READ, FAULT_OBJECT_LIMIT, 0, "DMAOBJ_LIMIT");
    /* The whole VRAM as XFree86 describes it. */
    object = nv3_object(&rig, 0x00010000, 0x007fffff, 0);
    assert_span(&rig, &object.space, 0, MIB(8), MEMORY_WRITE, MEMORY_VRAM, 0, MIB(8));
    rig_stop(&rig);
}

static void nv3_object_on_the_bus_is_paged(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &nv3);
    static const uint32_t targets[] = {NV3_PCI, NV3_AGP};
    for (size_t i = 0; i < 2; i++) {
        struct dma_object object = nv3_object(&rig, NV3_PRESENT | targets[i] | 0x800, 0x2fff, 0x00100003);
        memory_ramin_wr32(&rig.memory, INSTANCE + 12, 0x00300001);
        memory_ramin_wr32(&rig.memory, INSTANCE + 16, 0x00500002);
        assert_false(object.linear);
        assert_maps(&rig, &object.space, 0, MEMORY_SYSTEM, 0x100800);
        assert_span(&rig, &object.space, 0x7fc, 8, MEMORY_READ, MEMORY_SYSTEM, 0x100ffc, 4);
        assert_span(&rig, &object.space, 0x800, 4, MEMORY_READ, MEMORY_SYSTEM, 0x300000, 4);
        assert_faults(&rig, &object.space, 0x800, MEMORY_WRITE, FAULT_READ_ONLY, 0, "PROTECTION");
        assert_faults(&rig, &object.space, 0x1800, MEMORY_READ, FAULT_PTE, 0, "PAGE_NOT_PRESENT");
    }
    rig_stop(&rig);
}

static void nv3_object_that_is_not_present_faults(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &nv3);
    struct dma_object object = nv3_object(&rig, NV3_PCI | 0x1000, 0xffffffff, 0x00100003);
    assert_false(object.present);
    assert_faults(&rig, &object.space, 0, MEMORY_READ, FAULT_NULL_OBJECT, 0, "NULL_DMAOBJ");
    rig_stop(&rig);
}

/* Bits 25:24 do not exist. */
static void nv1_object_is_always_paged_system_memory(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &nv1);
    struct dma_object object = nv3_object(&rig, NV3_PRESENT | 0x00100004, 0xfff, 0x00100003);
    assert_false(object.linear);
    assert_maps(&rig, &object.space, 0, MEMORY_SYSTEM, 0x100004);
    assert_faults(&rig, &object.space, 0xffc, MEMORY_READ, FAULT_PTE, 0, "PAGE_NOT_PRESENT");
    rig_stop(&rig);
}

static void nv4_access_bits_bind_engines(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &nv4);
    static const struct {
        uint32_t access;
        bool reads, writes;
    } cases[] = {{0, true, true}, {0x4000, true, false}, {0x8000, false, true}, {0xc000, true, true}};
    for (size_t i = 0; i < 4; i++) {
        struct dma_object object = nv4_object(&rig, LINEAR | cases[i].access, 0xfff, 0x200000 | 2);
        struct address_space engine = dma_object_nv4_engine_space(&object);
        assert_maps(&rig, &object.space, 8, MEMORY_VRAM, 0x200008);
        if (cases[i].reads)
            assert_span(&rig, &engine, 8, 4, MEMORY_READ, MEMORY_VRAM, 0x200008, 4);
        else
            assert_faults(&rig, &engine, 8, MEMORY_READ, FAULT_WRITE_ONLY, 0, "WRITE_ONLY");
        if (cases[i].writes)
            assert_span(&rig, &engine, 8, 4, MEMORY_WRITE, MEMORY_VRAM, 0x200008, 4);
        else
            assert_faults(&rig, &engine, 8, MEMORY_WRITE, FAULT_READ_ONLY, 0, "PROTECTION");
    }
    rig_stop(&rig);
}

static void nv4_linear_object_adds_frame_and_adjust(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &nv4);
    struct dma_object object = nv4_object(&rig, LINEAR | 0x03d | 0x123u << 20, 0xffff, 0x00200000 | 2);
    assert_int_equal(object.class, 0x3d);
    assert_int_equal(object.word0, 0x1230303d);
    assert_true(object.linear && object.present);
    assert_maps(&rig, &object.space, 0x10, MEMORY_VRAM, 0x200133);
    assert_span(&rig, &object.space, 0, MIB(1), MEMORY_READ, MEMORY_VRAM, 0x200123, 0x10000);
    rig_stop(&rig);
}

static void nv4_target_selects_vram_or_the_bus(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &nv4);
    struct dma_object pci = nv4_object(&rig, LINEAR | PCI | 0x02, 0xfff, 0x3000 | 2);
    assert_maps(&rig, &pci.space, 8, MEMORY_SYSTEM, 0x3008);
    struct dma_object agp = nv4_object(&rig, LINEAR | AGP | 0x02, 0xfff, 0x4000 | 2);
    assert_maps(&rig, &agp.space, 8, MEMORY_SYSTEM, 0x4008);
    rig_stop(&rig);
}

static void nv4_limit_is_the_last_offset(void **state) {
    struct rig rig;
    uint32_t value;
    struct fault fault;
    (void)state;
    rig_start(&rig, &nv4);
    struct dma_object object = nv4_object(&rig, LINEAR, 0xfff, 0x200000 | 2);
    assert_span(&rig, &object.space, 0xfff, 4, MEMORY_READ, MEMORY_VRAM, 0x200fff, 1);
    assert_faults(&rig, &object.space, 0x1000, MEMORY_READ, FAULT_OBJECT_LIMIT, 0, "DMAOBJ_LIMIT");
    assert_false(memory_rd32(&rig.memory, &object.space, 0xffe, &value, &fault));
    assert_int_equal(fault.address, 0x1000);
    rig_stop(&rig);
}

static void nv4_object_that_is_not_present_faults(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &nv4);
    struct dma_object object = nv4_object(&rig, 0x30, 0xffffffff, 0x200000 | 3);
    assert_int_equal(object.class, 0x30);
    assert_false(object.present);
    assert_faults(&rig, &object.space, 0, MEMORY_READ, FAULT_NULL_OBJECT, 0, "NULL_DMAOBJ");
    rig_stop(&rig);
}

static void nv4_write_through_a_read_only_object_faults(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &nv4);
    struct dma_object object = nv4_object(&rig, LINEAR, 0xfff, 0x200000);
    assert_span(&rig, &object.space, 0, 4, MEMORY_READ, MEMORY_VRAM, 0x200000, 4);
    assert_faults(&rig, &object.space, 0, MEMORY_WRITE, FAULT_READ_ONLY, 0, "PROTECTION");
    rig_stop(&rig);
}

static void nv4_linear_object_wraps_at_32_bits(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &nv4);
    struct dma_object object = nv4_object(&rig, LINEAR, 0xffffffff, 0xfffff000 | 2);
    assert_maps(&rig, &object.space, 0x1000, MEMORY_VRAM, 0);
    rig_stop(&rig);
}

/* Pages 5 and 6 are neighbours, page 7 is elsewhere and read-only, page 8 is missing. */
static void nv4_paged_object_walks_its_table(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &nv4);
    struct dma_object object = nv4_object(&rig, PAGED | PCI | 0x800u << 20, 0xffffff, 0);
    memory_ramin_wr32(&rig.memory, INSTANCE + 8 + 4 * 5, 0x00100003);
    memory_ramin_wr32(&rig.memory, INSTANCE + 8 + 4 * 6, 0x00101003);
    memory_ramin_wr32(&rig.memory, INSTANCE + 8 + 4 * 7, 0x00108001);
    assert_false(object.linear);
    assert_maps(&rig, &object.space, 0x4800, MEMORY_SYSTEM, 0x100000);
    assert_span(&rig, &object.space, 0x4804, MIB(1), MEMORY_READ, MEMORY_SYSTEM, 0x100004, 0x1ffc);
    assert_span(&rig, &object.space, 0x6800, 4, MEMORY_READ, MEMORY_SYSTEM, 0x108000, 4);
    assert_faults(&rig, &object.space, 0x6800, MEMORY_WRITE, FAULT_READ_ONLY, 0, "PROTECTION");
    assert_faults(&rig, &object.space, 0x7800, MEMORY_READ, FAULT_PTE, 0, "PAGE_NOT_PRESENT");
    rig_stop(&rig);
}

static void nv4_span_stops_before_a_read_only_page_when_it_writes(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &nv4);
    struct dma_object object = nv4_object(&rig, PAGED, 0xffff, 0x00100003);
    memory_ramin_wr32(&rig.memory, INSTANCE + 12, 0x00101001);
    assert_span(&rig, &object.space, 0, 0x2000, MEMORY_READ, MEMORY_VRAM, 0x100000, 0x2000);
    assert_span(&rig, &object.space, 0, 0x2000, MEMORY_WRITE, MEMORY_VRAM, 0x100000, 0x1000);
    assert_int_equal(rig.faults, 0);
    rig_stop(&rig);
}

/* Neighbours with the same rights are taken together, whatever the table looks like in VRAM. */
static void nv4_pages_in_a_row_are_one_span(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &nv4);
    struct dma_object object = nv4_object(&rig, PAGED, 0xffffffff, 0x00000003);
    for (uint32_t i = 0; i < 300; i++)
        memory_ramin_wr32(&rig.memory, INSTANCE + 8 + 4 * i, (i < 200 ? i : i + 1) << 12 | 3);
    assert_span(&rig, &object.space, 0x10, MIB(1), MEMORY_READ, MEMORY_VRAM, 0x10, 200 * 0x1000 - 0x10);
    assert_span(&rig, &object.space, 200 * 0x1000, 0x2000, MEMORY_WRITE, MEMORY_VRAM, 201 * 0x1000, 0x2000);
    rig_stop(&rig);
}

/* 8192 pages in a row that differ in an unused bit, so that each is looked up: the work of one call is bounded. */
static void one_call_looks_up_a_bounded_number_of_pages(void **state) {
    struct rig rig;
    struct span span;
    (void)state;
    rig_start(&rig, &nv4);
    struct dma_object object = nv4_object(&rig, PAGED, 0xffffffff, 0x00000003);
    for (uint32_t i = 0; i < 8192; i++)
        memory_ramin_wr32(&rig.memory, INSTANCE + 8 + 4 * i, i << 12 | (i & 1) << 2 | 3);
    assert_true(memory_span(&rig.memory, &object.space, 0, MIB(32), MEMORY_READ, &span, NULL));
    assert_int_equal(span.bytes, MIB(16));
    rig_stop(&rig);
}

#define DESCRIPTOR 0x100000u
#define OBJECT     (DESCRIPTOR + 0x5400u)
#define G80_VRAM   0x10000u
#define G80_BUS    0x20000u
#define RW         0x80000u
#define ANYONE     0x100000u

static struct dma_object g80_object(struct rig *rig, uint32_t word0, uint64_t base, uint64_t limit) {
    struct address_space vm = address_space_vm(&rig->memory, MEMORY_VRAM, DESCRIPTOR);
    struct dma_object object;
    rig_put32(rig, MEMORY_VRAM, OBJECT, word0);
    rig_put32(rig, MEMORY_VRAM, OBJECT + 4, (uint32_t)limit);
    rig_put32(rig, MEMORY_VRAM, OBJECT + 8, (uint32_t)base);
    rig_put32(rig, MEMORY_VRAM, OBJECT + 12, (uint32_t)(base >> 32 | limit >> 32 << 24));
    dma_object_g80(&rig->memory, MEMORY_VRAM, OBJECT, &vm, &object);
    return object;
}

/* One page of 4 KiB at virtual 0x12345000 -> VRAM 0x300000, with `bits` of the PTE. */
static void g80_page(struct rig *rig, uint64_t bits) {
    rig_put64(rig, MEMORY_VRAM, DESCRIPTOR + 0x1400, 0x200000 | 3);
    rig_put64(rig, MEMORY_VRAM, 0x200000 + 8 * 0x12345, 0x300000 | 1 | bits);
}

static void g80_unpaged_object_is_a_segment_of_memory(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &g80);
    struct dma_object vram = g80_object(&rig, G80_VRAM | RW | ANYONE | 0x3d, 0x200000, 0x200fff);
    assert_int_equal(vram.class, 0x3d);
    assert_maps(&rig, &vram.space, 0x20, MEMORY_VRAM, 0x200020);
    assert_span(&rig, &vram.space, 0, MIB(1), MEMORY_READ, MEMORY_VRAM, 0x200000, 0x1000);
    struct dma_object bus = g80_object(&rig, G80_BUS | RW | ANYONE | 0x3d, 0x200000, 0x200fff);
    assert_maps(&rig, &bus.space, 0x20, MEMORY_SYSTEM, 0x200020);
    struct dma_object unsnooped = g80_object(&rig, G80_BUS | G80_VRAM | RW | ANYONE | 0x3d, 0x200000, 0x200fff);
    assert_maps(&rig, &unsnooped.space, 0x20, MEMORY_SYSTEM, 0x200020);
    rig_stop(&rig);
}

static void g80_vram_address_has_32_bits(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &g80);
    struct dma_object object = g80_object(&rig, G80_VRAM | RW, 0xff00001000, 0xffffffffff);
    assert_maps(&rig, &object.space, 0, MEMORY_VRAM, 0x1000);
    rig_stop(&rig);
}

static void g80_limit_is_absolute_and_inclusive(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &g80);
    struct dma_object object = g80_object(&rig, G80_VRAM | RW, 0x200000, 0x200010);
    assert_span(&rig, &object.space, 0x10, 4, MEMORY_READ, MEMORY_VRAM, 0x200010, 1);
    assert_faults(&rig, &object.space, 0x11, MEMORY_READ, FAULT_OBJECT_LIMIT, 0xf, "DMAOBJ_LIMIT");
    object = g80_object(&rig, G80_BUS | RW, 0x0100001000, 0x0200000fff);
    assert_int_equal(object.space.offset, 0x0100001000);
    assert_int_equal(object.space.limit, 0x00ffffffff);
    object = g80_object(&rig, G80_VRAM | RW, 0x200000, 0x1fffff);
    assert_faults(&rig, &object.space, 0, MEMORY_READ, FAULT_OBJECT_LIMIT, 0xf, "DMAOBJ_LIMIT");
    rig_stop(&rig);
}

static void g80_read_only_object_faults_on_write(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &g80);
    struct dma_object object = g80_object(&rig, G80_VRAM | 0x40000 | 0x3d, 0x200000, 0x200fff);
    assert_span(&rig, &object.space, 0, 4, MEMORY_READ, MEMORY_VRAM, 0x200000, 4);
    assert_faults(&rig, &object.space, 0, MEMORY_WRITE, FAULT_READ_ONLY, 4, "PAGE_READ_ONLY");
    rig_stop(&rig);
}

static void g80_paged_object_adds_its_base_to_the_virtual_address(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &g80);
    g80_page(&rig, 0);
    struct dma_object object = g80_object(&rig, 0x3d, 0x12345010, 0x12345fff);
    assert_false(object.linear);
    assert_span(&rig, &object.space, 0, MIB(1), MEMORY_READ, MEMORY_VRAM, 0x300010, 0xff0);
    assert_maps(&rig, &object.space, 0x20, MEMORY_VRAM, 0x300030);
    assert_faults(&rig, &object.space, 0xff0, MEMORY_READ, FAULT_OBJECT_LIMIT, 0xf, "DMAOBJ_LIMIT");
    object = g80_object(&rig, 0x3d, 0x12345010, 0xffffffffff);
    assert_faults(&rig, &object.space, 0xff0, MEMORY_READ, FAULT_PTE, 2, "PAGE_NOT_PRESENT");
    rig_stop(&rig);
}

static void g80_object_overrides_the_read_only_flag_of_pages(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &g80);
    g80_page(&rig, 8);
    struct dma_object object = g80_object(&rig, 0x3d, 0x12345000, 0x12345fff);
    assert_faults(&rig, &object.space, 0, MEMORY_WRITE, FAULT_READ_ONLY, 4, "PAGE_READ_ONLY");
    object = g80_object(&rig, RW | 0x3d, 0x12345000, 0x12345fff);
    assert_maps(&rig, &object.space, 0, MEMORY_VRAM, 0x300000);
    rig_stop(&rig);
}

static void g80_object_decides_about_privilege(void **state) {
    static const struct {
        uint32_t word0;
        bool allowed;
    } rows[] = {
        {0x3d, false},                        /* the page says: supervisors only */
        {0x3d | 0x80000000u, true},           /* a supervisor's object */
        {0x3d | ANYONE, true},                /* the object says: everyone */
        {0x3d | 0x200000, false},             /* the object says: supervisors only */
        {0x3d | 0x200000 | 0x80000000, true}, /* and is one */
    };
    struct rig rig;
    (void)state;
    rig_start(&rig, &g80);
    g80_page(&rig, 0x40);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dma_object object = g80_object(&rig, rows[i].word0, 0x12345000, 0x12345fff);
        if (rows[i].allowed)
            assert_maps(&rig, &object.space, 0, MEMORY_VRAM, 0x300000);
        else
            assert_faults(&rig, &object.space, 0, MEMORY_READ, FAULT_PRIVILEGE, 3, "PAGE_SUPERVISOR_ONLY");
    }
    struct dma_object unpaged = g80_object(&rig, G80_VRAM | 0x200000, 0, 0xfff);
    assert_faults(&rig, &unpaged.space, 0, MEMORY_READ, FAULT_PRIVILEGE, 3, "PAGE_SUPERVISOR_ONLY");
    rig_stop(&rig);
}

/* Two objects on one VM share neither rights nor limits through the TLB. */
static void g80_objects_do_not_share_tlb_entries(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &g80);
    g80_page(&rig, 0x40);
    struct dma_object privileged = g80_object(&rig, 0x3d | 0x80000000u, 0x12345000, 0x12345fff);
    assert_maps(&rig, &privileged.space, 0, MEMORY_VRAM, 0x300000);
    struct dma_object user = g80_object(&rig, 0x3d, 0x12345000, 0x12345fff);
    assert_faults(&rig, &user.space, 0, MEMORY_READ, FAULT_PRIVILEGE, 3, "PAGE_SUPERVISOR_ONLY");
    assert_maps(&rig, &privileged.space, 4, MEMORY_VRAM, 0x300004);
    rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nv3_object_in_vram_is_linear),
        cmocka_unit_test(nv3_object_on_the_bus_is_paged),
        cmocka_unit_test(nv3_object_that_is_not_present_faults),
        cmocka_unit_test(nv1_object_is_always_paged_system_memory),
        cmocka_unit_test(nv4_access_bits_bind_engines),
        cmocka_unit_test(nv4_linear_object_adds_frame_and_adjust),
        cmocka_unit_test(nv4_target_selects_vram_or_the_bus),
        cmocka_unit_test(nv4_limit_is_the_last_offset),
        cmocka_unit_test(nv4_object_that_is_not_present_faults),
        cmocka_unit_test(nv4_write_through_a_read_only_object_faults),
        cmocka_unit_test(nv4_linear_object_wraps_at_32_bits),
        cmocka_unit_test(nv4_paged_object_walks_its_table),
        cmocka_unit_test(nv4_span_stops_before_a_read_only_page_when_it_writes),
        cmocka_unit_test(nv4_pages_in_a_row_are_one_span),
        cmocka_unit_test(one_call_looks_up_a_bounded_number_of_pages),
        cmocka_unit_test(g80_unpaged_object_is_a_segment_of_memory),
        cmocka_unit_test(g80_vram_address_has_32_bits),
        cmocka_unit_test(g80_limit_is_absolute_and_inclusive),
        cmocka_unit_test(g80_read_only_object_faults_on_write),
        cmocka_unit_test(g80_paged_object_adds_its_base_to_the_virtual_address),
        cmocka_unit_test(g80_object_overrides_the_read_only_flag_of_pages),
        cmocka_unit_test(g80_object_decides_about_privilege),
        cmocka_unit_test(g80_objects_do_not_share_tlb_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
