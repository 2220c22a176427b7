/* SPDX-License-Identifier: MIT */
/* Virtual spaces: the format of each chip, and the instance block of GF100 and later. */
#include "memory/address_space.h"
#include "memory/translate.h"

static const struct vm_format formats[] = {
    [CHIP_VM_G80] = {.directory_offset = 0x1400, .open = vm_g80_open},
    [CHIP_VM_G84] = {.directory_offset = 0x200, .open = vm_g80_open},
    [CHIP_VM_GF100] = {.open = vm_gf100_open},
    [CHIP_VM_GK104] = {.open = vm_gk104_open},
    [CHIP_VM_GM200] = {.open = vm_gm200_open, .big_page_in_instance = true},
    [CHIP_VM_GP100] = {.open = vm_gp100_open, .big_page_in_instance = true},
    [CHIP_VM_GH100] = {.open = vm_gh100_open},
};

const struct vm_format *vm_format_of(const struct pfifo_chip *chip) {
    if (chip->vm >= sizeof formats / sizeof formats[0] || !formats[chip->vm].open)
        return NULL;
    return &formats[chip->vm];
}

struct address_space address_space_vm(struct memory *memory, enum memory_target target, uint64_t instance) {
    const struct vm_format *format = vm_format_of(memory->config.chip);
    return format ? format->open(memory, target, instance) : address_space_fault(FAULT_UNBOUND);
}

/* Instance block words [doc: open-gpu-doc dev_ram.ref.txt; driver: nouveau vmmgf100.c, vmmgm200.c, vmmgp100.c]. */
#define INSTANCE_DIRECTORY 0x200
#define INSTANCE_LIMIT     0x208
#define DIRECTORY_TARGET   0x3u
#define DIRECTORY_VER2     0x400u
#define DIRECTORY_BIG_64K  0x800u

bool vm_instance_read(struct memory *memory, enum memory_target target, uint64_t address,
                      struct vm_instance *instance) {
    uint64_t directory = memory_physical_rd64(memory, target, address + INSTANCE_DIRECTORY);
    instance->target = memory_target_of(directory & DIRECTORY_TARGET);
    instance->directory = directory & ~UINT64_C(0xfff);
    instance->limit = memory_physical_rd64(memory, target, address + INSTANCE_LIMIT);
    instance->ver2 = (directory & DIRECTORY_VER2) != 0;
    instance->big_64k = (directory & DIRECTORY_BIG_64K) != 0;
    return instance->target != MEMORY_PEER;
}
