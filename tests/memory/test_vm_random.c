/* SPDX-License-Identifier: MIT */
/*
 * Random page tables of G80 .. GM20B against a plain walk: one address at a time, from the tables, as the documents say
 * it (envytools docs/hw/memory/g80-vm.rst, rnndb/memory/gf100_vm.xml; open-gpu-kernel-modules dev_mmu.h). The TLB may
 * keep what it likes, for the tables of a round do not change.
 */
#include "rig.h"

#include <stdlib.h>

#define DESCRIPTOR 0x100000u /* or instance block */
#define DIRECTORY  0x110000u /* GF100- */
#define TABLES     0x200000u /* four of them, 256 KiB apart, in both memories */
#define ENTRIES    256u      /* of a table that say something */
#define ACCESSES   400

enum { NO_FAULT = -1, BOTH_VALID = 0xe };

/* What the plain walk says of one address. */
struct place {
    int fault;  /* the chip's number */
    bool empty; /* there is no memory: a peer's, a sparse page, beyond the end */
    enum memory_target target;
    uint64_t physical;
};

static uint64_t state;

static uint32_t any(uint32_t below) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(state >> 33) % below;
}

static bool once_in(uint32_t times) {
    return any(times) == 0;
}

static uint64_t entry_at(struct rig *rig, bool vram, uint64_t address) {
    return memory_physical_rd64(&rig->memory, vram ? MEMORY_VRAM : MEMORY_SYSTEM, address);
}

static struct place fault(int number) {
    return (struct place){.fault = number};
}

static struct place page(unsigned target, uint64_t physical) {
    return (struct place){.fault = NO_FAULT,
                          .empty = target == 1 || physical >= RIG_VRAM_BYTES,
                          .target = target == 0 ? MEMORY_VRAM : MEMORY_SYSTEM,
                          .physical = physical};
}

/* ---- Tesla ---- */

static unsigned directory_offset(const struct pfifo_chip *chip) {
    return chip->vm == CHIP_VM_G80 ? 0x1400 : 0x200;
}

static struct place walk_tesla(struct rig *rig, uint64_t va, bool write, bool supervisor) {
    static const uint32_t lengths[4] = {0x20000, 0x8000, 0x4000, 0x2000};
    uint64_t pde = entry_at(rig, true, DESCRIPTOR + directory_offset(rig->memory.config.chip) + 8 * (va >> 29));
    unsigned type = pde & 3, shift = type == 1 ? 16 : type == 2 ? 14 : 12;
    if (type == 0 || (pde >> 2 & 3) == 1)
        return fault(0);
    uint64_t index = (va & 0x1fffffff) >> shift;
    uint64_t length = type == 1 ? 0x2000 : type == 2 ? 0x8000 : lengths[pde >> 5 & 3];
    if (index >= length)
        return fault(1);
    bool vram = (pde >> 2 & 3) == 0;
    uint64_t pte = entry_at(rig, vram, (pde & (vram ? 0xfffff000 : UINT64_C(0xfffffff000))) + 8 * index);
    if (!(pte & 1))
        return fault(2);
    if ((pte >> 40 & 0x7f) == 0x7f)
        return fault(7);
    if (pte & 0x40 && !supervisor)
        return fault(3);
    if (pte & 8 && write)
        return fault(4);
    uint64_t block = (UINT64_C(1) << (shift + (pte >> 7 & 7))) - 1;
    uint64_t linear = (pte & UINT64_C(0xffffffffff) & ~((UINT64_C(1) << shift) - 1)) + (va & block);
    unsigned target = pte >> 4 & 3;
    return page(target, target == 0 ? linear & UINT32_MAX : linear);
}

/* An entry of a table, and as many more as its block has. Returns how many. */
static unsigned put_block(struct rig *rig, bool vram, uint64_t table, unsigned index) {
    unsigned order = once_in(4) ? any(8) : 0;
    while (index & ((1u << order) - 1) || index + (1u << order) > ENTRIES)
        order--;
    uint64_t pte = (uint64_t)any(0x6000) << 12 | order << 7;
    pte |= once_in(8) ? 0 : 1;
    pte |= once_in(6) ? 8 : 0;
    pte |= once_in(8) ? 0x40 : 0;
    pte |= (uint64_t)(once_in(4) ? any(4) : 0) << 4;
    pte |= (uint64_t)(once_in(8) ? 0x7e + any(2) : 0) << 40;
    pte |= (uint64_t)(once_in(8) ? any(256) : 0) << 32;
    for (unsigned i = 0; i < 1u << order; i++)
        rig_put64(rig, vram ? MEMORY_VRAM : MEMORY_SYSTEM, table + 8 * (uint64_t)(index + i), pte);
    return 1u << order;
}

static struct address_space build_tesla(struct rig *rig) {
    for (unsigned i = 0; i < 8; i++)
        for (unsigned e = 0; e < ENTRIES;)
            e += put_block(rig, i & 1, TABLES + 0x40000 * (uint64_t)(i / 2), e);
    for (unsigned i = 0; i < 64; i++) {
        uint64_t pde = (TABLES + 0x40000 * (uint64_t)any(4)) | any(4) | (once_in(3) ? any(4) : 0) << 2 | any(4) << 5;
        rig_put64(rig, MEMORY_VRAM, DESCRIPTOR + directory_offset(rig->memory.config.chip) + 8 * i,
                  once_in(8) ? UINT64_C(0xdeadcafe00000000) : pde);
    }
    return address_space_vm(&rig->memory, MEMORY_VRAM, DESCRIPTOR);
}

/* ---- Fermi ---- */

static bool big_64k;
static uint64_t limit;

static struct place map_fermi(const struct pfifo_chip *chip, uint64_t pte, uint64_t va, unsigned shift, bool write) {
    unsigned target = pte >> 33 & 3;
    if ((pte >> 36 & 0xff) == 0xff)
        return fault(0xc);
    if (target >= 2 && pte >> 44 & 0x1ffff)
        return fault(chip->vm == CHIP_VM_GF100 ? 0xa : 0xb);
    if (pte & 2)
        return fault(5);
    if (chip->has_page_access && !write && pte >> 62 & 1)
        return fault(7);
    if (write && (pte & 4 || (chip->has_page_access && pte >> 63)))
        return fault(6);
    uint64_t low = (UINT64_C(1) << shift) - 1, frame = (pte >> 4 & (target < 2 ? 0x1ffffff : 0xfffffff)) << 12;
    return page(target, (frame & ~low) + (va & low));
}

static uint64_t table_entry(struct rig *rig, uint32_t half, uint64_t index) {
    bool vram = (half & 3) == 1;
    return entry_at(rig, vram, (uint64_t)(half >> 4 & (vram ? 0x1ffffff : 0xfffffff)) * 0x1000 + 8 * index);
}

static struct place walk_fermi(struct rig *rig, uint64_t va, bool write) {
    const struct pfifo_chip *chip = rig->memory.config.chip;
    const struct place sparse = {.fault = NO_FAULT, .empty = true};
    unsigned big_shift = big_64k ? 16 : 17, pde_shift = big_shift + 10;
    bool kepler = chip->vm >= CHIP_VM_GK104, maxwell_2 = chip->vm >= CHIP_VM_GM200, skip_small = false;
    if (va > limit)
        return fault(3);
    uint64_t pde = entry_at(rig, true, DIRECTORY + 8 * (va >> pde_shift)), big = 0;
    uint64_t within = va & ((UINT64_C(1) << pde_shift) - 1);
    if (within >= UINT64_C(1) << pde_shift >> (pde >> 2 & 3))
        return fault(1);
    if (pde & 3) {
        big = table_entry(rig, (uint32_t)pde, within >> big_shift);
        skip_small = kepler && !(big & 1) && big & 2;
        if (maxwell_2 && !(big & 1) && big >> 32 & 1)
            return sparse;
    }
    if (pde >> 32 & 3 && !skip_small) {
        uint64_t small = table_entry(rig, (uint32_t)(pde >> 32), within >> 12);
        if (big & 1 && small & 1 && kepler)
            return fault(BOTH_VALID);
        if (!(big & 1) && small & 1)
            return map_fermi(chip, small, va, 12, write);
        if (!(big & 1) && maxwell_2 && small >> 32 & 1)
            return sparse;
    }
    if (big & 1)
        return map_fermi(chip, big, va, big_shift, write);
    if (pde & 3 || pde >> 32 & 3)
        return fault(2);
    return maxwell_2 && pde >> 35 & 1 ? sparse : fault(0);
}

static uint64_t fermi_pte(void) {
    uint64_t pte = (uint64_t)any(0x6000) << 4 | (once_in(8) ? any(8) : once_in(2) ? 0 : 1);
    pte |= (uint64_t)(once_in(4) ? any(4) : 0) << 33;
    pte |= (uint64_t)once_in(6) << 32;
    pte |= (uint64_t)(once_in(8) ? 0xfe + any(2) : 0) << 36;
    pte |= (uint64_t)(once_in(8) ? any(0x20000) : 0) << 44;
    pte |= (uint64_t)(once_in(6) ? any(4) : 0) << 62;
    return pte | (uint64_t)(once_in(6) ? any(8) : 0) << 29;
}

static struct address_space build_fermi(struct rig *rig) {
    for (unsigned i = 0; i < 8; i++)
        for (unsigned e = 0; e < ENTRIES; e++)
            rig_put64(rig, i & 1 ? MEMORY_VRAM : MEMORY_SYSTEM, TABLES + 0x40000 * (uint64_t)(i / 2) + 8 * e,
                      fermi_pte());
    for (unsigned i = 0; i < 64; i++) {
        uint64_t big = (TABLES + 0x40000 * (uint64_t)any(4)) >> 8 | any(4);
        uint64_t small = (TABLES + 0x40000 * (uint64_t)any(4)) >> 8 | any(4) | (uint64_t)once_in(4) << 3;
        rig_put64(rig, MEMORY_VRAM, DIRECTORY + 8 * i, big | any(4) << 2 | small << 32);
    }
    big_64k = once_in(2);
    limit = once_in(2) ? (UINT64_C(1) << 40) - 1 : UINT64_C(0x100000) * (1 + any(4096)) - 1;
    rig->memory.mmu.big_page = big_64k ? MEMORY_BIG_PAGE_64K : MEMORY_BIG_PAGE_128K;
    rig_put64(rig, MEMORY_VRAM, DESCRIPTOR + 0x200, DIRECTORY);
    rig_put64(rig, MEMORY_VRAM, DESCRIPTOR + 0x208, limit);
    return address_space_vm(&rig->memory, MEMORY_VRAM, DESCRIPTOR);
}

/* ---- both ---- */

static bool tesla(const struct rig *rig) {
    return rig->memory.config.chip->vm < CHIP_VM_GF100;
}

static struct place walk(struct rig *rig, const struct address_space *vm, uint64_t va, bool write) {
    return tesla(rig) ? walk_tesla(rig, va, write, (vm->flags & ADDRESS_SPACE_SUPERVISOR) != 0)
                      : walk_fermi(rig, va, write);
}

/* Mostly where the tables have something: a directory entry, an entry of its table, a byte. */
static uint64_t address(const struct rig *rig) {
    static const unsigned shifts[] = {12, 14, 16, 17};
    unsigned pde_shift = tesla(rig) ? 29 : big_64k ? 26 : 27;
    uint64_t within = ((uint64_t)any(ENTRIES) << shifts[any(4)]) + (once_in(2) ? any(0x1000) : 0);
    if (once_in(8))
        within = (uint64_t)any(1u << 30) << any(3);
    return ((uint64_t)any(64) << pde_shift) + (within & ((UINT64_C(1) << pde_shift) - 1));
}

static const uint8_t *memory_of(const struct rig *rig, const struct place *place) {
    return (place->target == MEMORY_VRAM ? rig->memory.vram : rig->memory.system) + place->physical;
}

static void check(struct rig *rig, const struct address_space *vm, uint64_t va, bool write) {
    struct place want = walk(rig, vm, va, write);
    struct span span = {0};
    struct fault got = {0};
    bool there = memory_span(&rig->memory, vm, va, 1 + any(0x40000), write ? MEMORY_WRITE : MEMORY_READ, &span, &got);
    const struct pfifo_chip *chip = rig->memory.config.chip;
    if (want.fault == BOTH_VALID && (there || got.reason != FAULT_BOTH_PTES))
        return; /* a big page of which another part was found first: it is kept as one */
    if (!there) {
        if (want.fault != (int)fault_code(chip, got.reason))
            fail_msg("%s %#llx: fault %u, not %d", chip->name, (unsigned long long)va, fault_code(chip, got.reason),
                     want.fault);
        return;
    }
    if (want.fault != NO_FAULT)
        fail_msg("%s %#llx: no fault %d", chip->name, (unsigned long long)va, want.fault);
    uintptr_t hole = (uintptr_t)rig->memory.hole, data = (uintptr_t)span.data;
    if (want.empty) {
        assert_true(data >= hole && data - hole < 0x20000);
        return;
    }
    assert_ptr_equal(span.data, memory_of(rig, &want));
    /* All of the span is there, and goes on as it began. */
    for (uint64_t at = 0; at < span.bytes; at += 0x1000) {
        struct place next = walk(rig, vm, va + at, write);
        if (next.fault == BOTH_VALID)
            return;
        if (next.fault != NO_FAULT || next.empty)
            fail_msg("%s %#llx + %#llx of %#llx: fault %d", chip->name, (unsigned long long)va, (unsigned long long)at,
                     (unsigned long long)span.bytes, next.fault);
        assert_ptr_equal(memory_of(rig, &next), span.data + at);
    }
}

static void tables_mean_what_a_plain_walk_finds(void **unused) {
    static const char *const names[] = {"G80", "G84", "GT215", "GF100", "GK104", "GM107", "GM204"};
    const char *rounds = getenv("PFIFO_ROUNDS");
    unsigned count = rounds ? (unsigned)strtoul(rounds, NULL, 10) / 50 + 1 : 60;
    (void)unused;
    for (unsigned round = 0; round < count; round++)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            struct rig rig;
            state = round * UINT64_C(0x9e3779b97f4a7c15) + i;
            rig_start(&rig, pfifo_chip_by_name(names[i]));
            struct address_space vm = (tesla(&rig) ? build_tesla : build_fermi)(&rig);
            if (tesla(&rig) && once_in(2))
                vm.flags |= ADDRESS_SPACE_SUPERVISOR;
            for (unsigned n = 0; n < ACCESSES; n++)
                check(&rig, &vm, address(&rig), once_in(2));
            rig_stop(&rig);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_mean_what_a_plain_walk_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
