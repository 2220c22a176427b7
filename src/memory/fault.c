/* SPDX-License-Identifier: MIT */
/*
 * Faults: the number and the name that each generation has for a reason.
 *
 * Sources: envytools docs/hw/memory/g80-vm.rst, rnndb/fifo/gf100_pfifo.xml; nouveau nvkm/engine/fifo/{gf100,gk104}.c;
 *          open-gpu-doc manuals volta/gv100 dev_mmu_fault. UNKNOWN: the number of a reason that a generation's
 *          documents do not list; chosen: the number of the most similar reason, under a name of our own. Their rows
 *          are marked "guessed".
 */
#include <assert.h>

#include "memory/address_space.h"
#include "memory/translate.h"

struct fault_row {
    uint8_t code;
    const char *name;
};

/* DMA objects only: nothing reports a number, the unit that faults has its own error codes. */
static const struct fault_row nv4_faults[FAULT_REASONS] = {
    [FAULT_NONE] = {0, "NONE"},
    [FAULT_PDE] = {0, "PDE"},
    [FAULT_PDE_SIZE] = {0, "PDE_SIZE"},
    [FAULT_PTE] = {0, "PAGE_NOT_PRESENT"},
    [FAULT_VA_LIMIT] = {0, "LIMIT"},
    [FAULT_UNBOUND] = {0, "UNBOUND"},
    [FAULT_PRIVILEGE] = {0, "PRIVILEGE"},
    [FAULT_READ_ONLY] = {0, "PROTECTION"},
    [FAULT_WRITE_ONLY] = {0, "WRITE_ONLY"},
    [FAULT_NULL_OBJECT] = {0, "NULL_DMAOBJ"},
    [FAULT_OBJECT_LIMIT] = {0, "DMAOBJ_LIMIT"},
    [FAULT_APERTURE] = {0, "APERTURE"},
    [FAULT_BOTH_PTES] = {0, "BOTH_PTES"},
    [FAULT_VRAM_LIMIT] = {0, "VRAM_LIMIT"},
    [FAULT_KIND] = {0, "KIND"},
    [FAULT_COMPRESSION] = {0, "COMPRESSION"},
};

static const struct fault_row g80_faults[FAULT_REASONS] = {
    [FAULT_NONE] = {0, "NONE"},
    [FAULT_PDE] = {0x0, "PT_NOT_PRESENT"},
    [FAULT_PDE_SIZE] = {0x1, "PT_TOO_SHORT"},
    [FAULT_PTE] = {0x2, "PAGE_NOT_PRESENT"},
    [FAULT_VA_LIMIT] = {0x0, "VA_LIMIT"}, /* UNKNOWN: guessed */
    [FAULT_UNBOUND] = {0x5, "NO_CHANNEL"},
    [FAULT_PRIVILEGE] = {0x3, "PAGE_SUPERVISOR_ONLY"},
    [FAULT_READ_ONLY] = {0x4, "PAGE_READ_ONLY"},
    [FAULT_WRITE_ONLY] = {0x4, "WRITE_ONLY"}, /* UNKNOWN: guessed */
    [FAULT_NULL_OBJECT] = {0x6, "NULL_DMAOBJ"},
    [FAULT_OBJECT_LIMIT] = {0xf, "DMAOBJ_LIMIT"},
    [FAULT_APERTURE] = {0x0, "APERTURE"},   /* UNKNOWN: guessed */
    [FAULT_BOTH_PTES] = {0x2, "BOTH_PTES"}, /* UNKNOWN: guessed */
    [FAULT_VRAM_LIMIT] = {0xb, "VRAM_LIMIT"},
    [FAULT_KIND] = {0x7, "WRONG_MEMTYPE"},
    [FAULT_COMPRESSION] = {0x7, "COMPRESSION"}, /* UNKNOWN: guessed */
};

static const struct fault_row gf100_faults[FAULT_REASONS] = {
    [FAULT_NONE] = {0, "NONE"},
    [FAULT_PDE] = {0x0, "PT_NOT_PRESENT"},
    [FAULT_PDE_SIZE] = {0x1, "PT_TOO_SHORT"},
    [FAULT_PTE] = {0x2, "PAGE_NOT_PRESENT"},
    [FAULT_VA_LIMIT] = {0x3, "VM_LIMIT_EXCEEDED"},
    [FAULT_UNBOUND] = {0x4, "NO_CHANNEL"},
    [FAULT_PRIVILEGE] = {0x5, "PAGE_SYSTEM_ONLY"},
    [FAULT_READ_ONLY] = {0x6, "PAGE_READ_ONLY"},
    [FAULT_WRITE_ONLY] = {0x7, "WRITE_ONLY"},     /* UNKNOWN: guessed */
    [FAULT_NULL_OBJECT] = {0x4, "NULL_DMAOBJ"},   /* UNKNOWN: guessed */
    [FAULT_OBJECT_LIMIT] = {0x3, "DMAOBJ_LIMIT"}, /* UNKNOWN: guessed */
    [FAULT_APERTURE] = {0xa, "APERTURE"},         /* UNKNOWN: guessed */
    [FAULT_BOTH_PTES] = {0x2, "BOTH_PTES"},       /* UNKNOWN: guessed */
    [FAULT_VRAM_LIMIT] = {0xd, "VRAM_LIMIT"},     /* UNKNOWN: guessed */
    [FAULT_KIND] = {0xc, "INVALID_STORAGE_TYPE"},
    [FAULT_COMPRESSION] = {0xa, "COMPRESSED_SYSRAM"},
};

static const struct fault_row gk104_faults[FAULT_REASONS] = {
    [FAULT_NONE] = {0, "NONE"},
    [FAULT_PDE] = {0x0, "PDE"},
    [FAULT_PDE_SIZE] = {0x1, "PDE_SIZE"},
    [FAULT_PTE] = {0x2, "PTE"},
    [FAULT_VA_LIMIT] = {0x3, "VA_LIMIT_VIOLATION"},
    [FAULT_UNBOUND] = {0x4, "UNBOUND_INST_BLOCK"},
    [FAULT_PRIVILEGE] = {0x5, "PRIV_VIOLATION"},
    [FAULT_READ_ONLY] = {0x6, "RO_VIOLATION"},
    [FAULT_WRITE_ONLY] = {0x7, "WO_VIOLATION"},
    [FAULT_NULL_OBJECT] = {0x4, "NULL_DMAOBJ"},   /* UNKNOWN: guessed */
    [FAULT_OBJECT_LIMIT] = {0x3, "DMAOBJ_LIMIT"}, /* UNKNOWN: guessed */
    [FAULT_APERTURE] = {0xa, "UNSUPPORTED_APERTURE"},
    [FAULT_BOTH_PTES] = {0xe, "BOTH_PTES_VALID"},
    [FAULT_VRAM_LIMIT] = {0xd, "REGION_VIOLATION"}, /* UNKNOWN: guessed */
    [FAULT_KIND] = {0xc, "UNSUPPORTED_KIND"},
    [FAULT_COMPRESSION] = {0xb, "COMPRESSION_FAILURE"},
};

static const struct fault_row *const faults_of_format[] = {
    [CHIP_VM_NONE] = nv4_faults,    [CHIP_VM_G80] = g80_faults,     [CHIP_VM_G84] = g80_faults,
    [CHIP_VM_GF100] = gf100_faults, [CHIP_VM_GK104] = gk104_faults, [CHIP_VM_GM200] = gk104_faults,
    [CHIP_VM_GP100] = gk104_faults, [CHIP_VM_GH100] = gk104_faults,
};

static const struct fault_row *fault_row(const struct pfifo_chip *chip, enum fault_reason reason) {
    assert((unsigned)reason < FAULT_REASONS);
    assert(chip->vm < sizeof faults_of_format / sizeof faults_of_format[0]);
    return &faults_of_format[chip->vm][reason];
}

uint32_t fault_code(const struct pfifo_chip *chip, enum fault_reason reason) {
    return fault_row(chip, reason)->code;
}

const char *fault_name(const struct pfifo_chip *chip, enum fault_reason reason) {
    return fault_row(chip, reason)->name;
}

bool memory_fault(struct memory *memory, uint64_t address, enum memory_access access, enum fault_reason reason,
                  struct fault *fault) {
    const struct pfifo_chip *chip = memory->config.chip;
    bool write = access == MEMORY_WRITE;
    if (fault)
        *fault = (struct fault){reason, address, write};
    if (memory->config.events)
        event_send(memory->config.events, EVENT_MEMORY_FAULT, UINT32_MAX, fault_name(chip, reason),
                   fault_code(chip, reason), address, write);
    return false;
}
