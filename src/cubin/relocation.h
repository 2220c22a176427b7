/* SPDX-License-Identifier: MIT */
/*
 * What a linker changes in a function: sections .rel.text.NAME and .rela.text.NAME.
 *
 * Source: CUDA Binary Utilities (nvdisasm prints the names); public tables of R_CUDA_* by number
 */
#ifndef PFIFO_SRC_CUBIN_RELOCATION_H
#define PFIFO_SRC_CUBIN_RELOCATION_H

#include "cubin/disasm.h"

struct relocation {
    uint64_t at;     /* in the function */
    uint64_t offset; /* of the entry in the file */
    uint64_t addend;
    uint32_t type, symbol;
    uint8_t bytes; /* of the entry */
};

/* Of one function, by their places. */
struct relocations {
    const struct elf *elf;
    const struct elf_section *sections;          /* of the ELF: what a symbol may be the name of */
    const struct elf_section *symbols, *strings; /* NULL: there are none */
    struct relocation *all;
    size_t count, next;
};

/* Add those of a section. False: no memory. */
bool relocations_add(struct relocations *relocations, const struct elf_section *section, uint64_t offset);
void relocations_sort(struct relocations *relocations);
/* Those before `end` that were not said yet. */
void relocations_say(struct relocations *relocations, struct disasm *disasm, uint64_t end);
void relocations_free(struct relocations *relocations);

#endif
