/* SPDX-License-Identifier: MIT */
/*
 * Memory, bus and PFIFO of a chip from G80 on, seen from the host: registers and BARs, with a page table behind BAR 1.
 *
 *   VRAM   0x100000  descriptor of the BAR channel (Tesla) or instance block (GF100-)
 *          0x106000  Tesla: DMA object of BAR 1, all of the space; 0x106020: that of BAR 3; 0x106040: of PEEPHOLE
 *          0x110000  GF100-: page directory
 *          0x200000  page table: of any size (Tesla), of small pages (GF100-)
 *          0x300000  GF100-: page table of big pages
 *          0x400000  pages
 *
 * Layouts are written out once more from the documents: envytools docs/hw/memory/g80-vm.rst, docs/hw/bus/bars.rst,
 * rnndb/memory/{g80_vm,gf100_vm}.xml; open-gpu-doc dev_mmu, dev_ram; nouveau nvkm/subdev/{bar,mmu}.
 */
#ifndef PFIFO_TESTS_CONFORMANCE_VM_H
#define PFIFO_TESTS_CONFORMANCE_VM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bus/bus.h"
#include "event/event.h"
#include "fifo/fifo.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define BIT(n)          (UINT64_C(1) << (n))

enum {
    DESCRIPTOR = 0x100000, /* also the instance block */
    OBJECT = 0x106000,
    OBJECT_BAR3 = 0x106020,
    OBJECT_PEEPHOLE = 0x106040,
    DIRECTORY = 0x110000,
    TABLE = 0x200000,
    BIG_TABLE = 0x300000,
    PAGES = 0x400000,
};

/* Registers. */
enum {
    PMC_INTR = 0x100,
    PMC_INTR_EN = 0x140,
    PMC_ENABLE = 0x200,
    PMC_SUBFIFO_ENABLE = 0x204,
    PBUS_INTR = 0x1100,
    PBUS_INTR_EN = 0x1140,
    PRAMIN_BASE = 0x1700,
    BAR_1704 = 0x1704, /* Tesla: channels of BAR and PEEPHOLE; GF100-: BAR 1 */
    BAR1_OBJECT = 0x1708,
    BAR3_OBJECT = 0x170c,
    PEEPHOLE_OBJECT = 0x1710,
    BAR3_BLOCK = 0x1714,
    PEEPHOLE_BLOCK = 0x1718,
    PFIFO_INTR = 0x2100,
    PFIFO_INTR_EN = 0x2140,
    FAULT_SOURCE = 0x259c,
    FAULT_RECORD = 0x2800,
    BUS_ERROR_ADDRESS = 0x9084,
    BUS_ERROR_DATA = 0x9088,
    TLB_FLUSH_TESLA = 0x100c80,
    MMU_CONFIG = 0x100c80,
    VM_FAULT = 0x100c90,
    VM_FAULT_DATA = 0x100c94,
    DIRECTORY_OFFSET = 0x100c9c,
    FLUSH_PAGE = 0x100cb4,
    FLUSH_SPACE = 0x100cb8,
    FLUSH = 0x100cbc,
    VRAM_LIMIT = 0x100e1c,
    SYSTEM_HIGH = 0x100f04,
    PRAMIN = 0x700000,
};

/* What is read instead of data. */
#define BAD_NOTHING  0xbad00100u
#define BAD_FAULT    0xbad0ac00u
#define BAD_DISABLED 0xbad0da00u

struct vm {
    const struct pfifo_chip *chip;
    bool tesla;
    struct vm_parts {
        struct event_hub events;
        struct memory memory;
        struct bus bus;
        struct fifo *fifo;
    } * parts;
};

/* A machine with 64 MiB of each memory, everything on, and BAR 1 in VM mode. Its directory is empty. */
void vm_start(struct vm *vm, const char *chip);
void vm_stop(struct vm *vm);

static inline uint32_t rd(const struct vm *vm, uint32_t offset) {
    return bus_rd32(&vm->parts->bus, offset);
}
static inline void wr(const struct vm *vm, uint32_t offset, uint32_t value) {
    bus_wr32(&vm->parts->bus, offset, value);
}
static inline bool irq(const struct vm *vm) {
    return vm->parts->bus.line;
}

/* Memory as a debugger sees it; `system` addresses have bit 63 set. */
#define SYSTEM BIT(63)
void put32(const struct vm *vm, uint64_t address, uint32_t value);
void put64(const struct vm *vm, uint64_t address, uint64_t value);
uint32_t get32(const struct vm *vm, uint64_t address);

/* Through a BAR; BAR 0 has the registers. */
static inline void bar_read(const struct vm *vm, unsigned bar, uint64_t offset, void *data, uint64_t bytes) {
    bus_bar_read(&vm->parts->bus, bar, offset, data, bytes);
}
static inline void bar_write(const struct vm *vm, unsigned bar, uint64_t offset, const void *data, uint64_t bytes) {
    bus_bar_write(&vm->parts->bus, bar, offset, data, bytes);
}
uint32_t bar_rd(const struct vm *vm, unsigned bar, uint64_t offset);
void bar_wr(const struct vm *vm, unsigned bar, uint64_t offset, uint32_t value);

/* Entry `index` of the directory behind BAR 1; of a table. */
void put_pde(const struct vm *vm, unsigned index, uint64_t pde);
void put_pte(const struct vm *vm, uint64_t table, unsigned index, uint64_t pte);

/* The chip's way to make BAR 1 forget translations. */
void flush(const struct vm *vm);

/* BAR 1 at `offset` is the word at `address` of memory, for reads and for writes. */
void assert_bar1_is(const struct vm *vm, uint64_t offset, uint64_t address, const char *file, int line);
#define assert_is(vm, offset, address) assert_bar1_is(vm, offset, address, __FILE__, __LINE__)

/* The access through BAR 1 faults with the chip's number, and the record says so; it is then acknowledged. */
void assert_bar1_faults(const struct vm *vm, uint64_t offset, bool write, uint32_t reason, const char *file, int line);
#define assert_read_faults(vm, offset, reason)  assert_bar1_faults(vm, offset, false, reason, __FILE__, __LINE__)
#define assert_write_faults(vm, offset, reason) assert_bar1_faults(vm, offset, true, reason, __FILE__, __LINE__)

/* Word `index` of Tesla's fault record. */
uint32_t fault_word(const struct vm *vm, unsigned index);

/* Entries. */
#define TESLA_64K                1u
#define TESLA_16K                2u
#define TESLA_4K                 3u
#define FERMI_SMALL(address, at) ((uint64_t)((uint32_t)(address) >> 8 | (at)) << 32)
#define FERMI_BIG(address, at)   ((uint64_t)((address) >> 8 | (at)))
#define FERMI_PTE(address)       ((uint64_t)(address) >> 8 | 1)
#define IN_VRAM                  1u
#define IN_SYSTEM                2u
/* A page of 4 KiB of VRAM in the first table, by the format of the chip. */
uint64_t pde_4k(const struct vm *vm);
uint64_t pte_4k(const struct vm *vm, uint64_t address);

#endif
