/* SPDX-License-Identifier: MIT */
#include "vm.h"

#include <stdlib.h>

static void bar1_of_tesla(const struct vm *vm) {
    static const uint32_t object[] = {0x7fc00000, 0xffffffff, 0, 0xff000000, 0, 0};
    for (unsigned i = 0; i < COUNT_OF(object); i++)
        put32(vm, OBJECT + 4 * i, object[i]);
    wr(vm, BAR_1704, DESCRIPTOR >> 12);
    wr(vm, BAR_1704, DESCRIPTOR >> 12 | 1u << 30);
    wr(vm, BAR1_OBJECT, 1u << 31 | (OBJECT - DESCRIPTOR) >> 4);
}

static void bar1_of_fermi(const struct vm *vm) {
    put64(vm, DESCRIPTOR + 0x200, DIRECTORY);
    put64(vm, DESCRIPTOR + 0x208, BIT(40) - 1);
    wr(vm, BAR_1704, 1u << 31 | DESCRIPTOR >> 12);
}

void vm_start(struct vm *vm, const char *chip) {
    struct pfifo_error error = {0};
    struct vm_parts *parts = calloc(1, sizeof *parts);
    assert_non_null(parts);
    *vm = (struct vm){.chip = pfifo_chip_by_name(chip), .parts = parts};
    vm->tesla = chip_in_range(vm->chip, "G80:GF100");
    struct memory_config config = {
        .chip = vm->chip, .vram_bytes = 64 << 20, .system_bytes = 64 << 20, .events = &parts->events};
    assert_int_equal(memory_init(&parts->memory, &config, &error), PFIFO_OK);
    assert_int_equal(bus_init(&parts->bus, vm->chip, &parts->memory, &parts->events, NULL, &error), PFIFO_OK);
    bus_resize_bar1(&parts->bus, BIT(36)); /* room for pages anywhere */
    if (fifo_new(&parts->fifo, vm->chip, &parts->memory, &parts->bus, &parts->events, &error) != PFIFO_OK)
        fail_msg("%s: %s", chip, error.message);
    wr(vm, PMC_ENABLE, ~0u);
    if (!vm->tesla)
        wr(vm, PMC_SUBFIFO_ENABLE, ~0u);
    (vm->tesla ? bar1_of_tesla : bar1_of_fermi)(vm);
}

void vm_stop(struct vm *vm) {
    fifo_free(vm->parts->fifo);
    bus_free(&vm->parts->bus);
    memory_free(&vm->parts->memory);
    free(vm->parts);
}

/* A chip without memory of its own has that of the system. */
static enum memory_target target_of(uint64_t address) {
    return address & SYSTEM ? MEMORY_SYSTEM : MEMORY_VRAM;
}

void put32(const struct vm *vm, uint64_t address, uint32_t value) {
    memory_physical_wr32(&vm->parts->memory, target_of(address), address & ~SYSTEM, value);
}

void put64(const struct vm *vm, uint64_t address, uint64_t value) {
    put32(vm, address, (uint32_t)value);
    put32(vm, address + 4, (uint32_t)(value >> 32));
}

uint32_t get32(const struct vm *vm, uint64_t address) {
    return memory_physical_rd32(&vm->parts->memory, target_of(address), address & ~SYSTEM);
}

uint32_t bar_rd(const struct vm *vm, unsigned bar, uint64_t offset) {
    uint8_t bytes[4];
    bar_read(vm, bar, offset, bytes, sizeof bytes);
    return load_le32(bytes);
}

void bar_wr(const struct vm *vm, unsigned bar, uint64_t offset, uint32_t value) {
    uint8_t bytes[4];
    store_le32(bytes, value);
    bar_write(vm, bar, offset, bytes, sizeof bytes);
}

void put_pde(const struct vm *vm, unsigned index, uint64_t pde) {
    uint32_t directory = !vm->tesla                       ? DIRECTORY
                         : chip_in_range(vm->chip, "G80") ? DESCRIPTOR + 0x1400
                                                          : DESCRIPTOR + 0x200;
    put64(vm, directory + 8 * (uint64_t)index, pde);
}

void put_pte(const struct vm *vm, uint64_t table, unsigned index, uint64_t pte) {
    put64(vm, table + 8 * (uint64_t)index, pte);
}

void flush(const struct vm *vm) {
    if (vm->tesla) {
        wr(vm, TLB_FLUSH_TESLA, 6 << 16 | 1);
        assert_int_equal(rd(vm, TLB_FLUSH_TESLA) & 1, 0);
        return;
    }
    assert_true(rd(vm, MMU_CONFIG) & 0x00ff0000); /* there is room for another flush */
    wr(vm, FLUSH_SPACE, DIRECTORY >> 8);
    wr(vm, FLUSH, 0x80000001);
    assert_true(rd(vm, MMU_CONFIG) & 0x8000);
}

void assert_bar1_is(const struct vm *vm, uint64_t offset, uint64_t address, const char *file, int line) {
    put32(vm, address, 0x600d0000);
    _assert_int_equal(bar_rd(vm, 1, offset), 0x600d0000, file, line);
    bar_wr(vm, 1, offset, 0x600d0001);
    _assert_int_equal(get32(vm, address), 0x600d0001, file, line);
}

uint32_t fault_word(const struct vm *vm, unsigned index) {
    wr(vm, VM_FAULT, 0x000707ff | index << 24);
    return rd(vm, VM_FAULT_DATA);
}

/* Engine 6, client 4 or 8, slot 0. */
static void check_tesla(const struct vm *vm, uint64_t offset, bool write, uint32_t reason, const char *file, int line) {
    _assert_int_equal(rd(vm, VM_FAULT) >> 31, 1, file, line);
    unsigned width = chip_in_range(vm->chip, "GT215:GF100") ? 8 : 4;
    _assert_int_equal(fault_word(vm, 0), 6u | reason << width | (write ? 4u : 8u) << 2 * width, file, line);
    _assert_int_equal(fault_word(vm, 1) | fault_word(vm, 2) << 16, DESCRIPTOR >> 12, file, line);
    _assert_int_equal(fault_word(vm, 3) | (uint64_t)fault_word(vm, 4) << 16 |
                          (uint64_t)(fault_word(vm, 5) & 0xff) << 32,
                      offset, file, line);
    _assert_int_equal(fault_word(vm, 5) >> 8 & 1, !write, file, line);
    _assert_int_equal(rd(vm, PFIFO_INTR) & 0x50, 0x10, file, line); /* BAR_FAULT */
    wr(vm, PFIFO_INTR, 0x10);
    wr(vm, VM_FAULT, 0x80000000);
    _assert_int_equal(rd(vm, VM_FAULT) >> 31, 0, file, line);
}

/* Unit 4, hub client 7 or 8. */
static void check_fermi(const struct vm *vm, uint64_t offset, bool write, uint32_t reason, const char *file, int line) {
    _assert_int_equal(rd(vm, FAULT_SOURCE), 1 << 4, file, line);
    _assert_int_equal(rd(vm, FAULT_RECORD + 0x40), DESCRIPTOR >> 12, file, line);
    _assert_int_equal(rd(vm, FAULT_RECORD + 0x44), (uint32_t)offset, file, line);
    _assert_int_equal(rd(vm, FAULT_RECORD + 0x48), offset >> 32, file, line);
    _assert_int_equal(rd(vm, FAULT_RECORD + 0x4c), reason | 1u << 6 | (write ? 1u << 7 | 8u << 8 : 7u << 8), file,
                      line);
    wr(vm, FAULT_SOURCE, 1 << 4);
    _assert_int_equal(rd(vm, FAULT_SOURCE), 0, file, line);
}

void assert_bar1_faults(const struct vm *vm, uint64_t offset, bool write, uint32_t reason, const char *file, int line) {
    if (write)
        bar_wr(vm, 1, offset, 0xbadbad);
    else
        _assert_int_equal(bar_rd(vm, 1, offset), BAD_FAULT, file, line);
    (vm->tesla ? check_tesla : check_fermi)(vm, offset, write, reason, file, line);
}

uint64_t pde_4k(const struct vm *vm) {
    return vm->tesla ? TABLE | TESLA_4K : FERMI_SMALL(TABLE, IN_VRAM);
}

uint64_t pte_4k(const struct vm *vm, uint64_t address) {
    return vm->tesla ? address | 1 : FERMI_PTE(address);
}
