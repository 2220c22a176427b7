/* SPDX-License-Identifier: MIT */
/*
 * ELF files, little endian, of 32 or 64 bits: their header and sections. Nothing in them is trusted: what lies outside
 * the file is an error that says where.
 *
 * Sources: the ELF specification; for GPUs LLVM BinaryFormat/ELF.h
 */
#ifndef PFIFO_SRC_CUBIN_ELF_H
#define PFIFO_SRC_CUBIN_ELF_H

#include <pfifo/error.h>

enum {
    ELF_MACHINE_CUDA = 190,
    ELF_TYPE_CODE = 1,   /* SHT_PROGBITS */
    ELF_TYPE_RELA = 4,   /* relocations with addends */
    ELF_TYPE_NOBITS = 8, /* takes no room in the file */
    ELF_TYPE_REL = 9,
    ELF_FLAG_EXECUTED = 4,
};

struct elf {
    const char *name; /* for messages */
    const uint8_t *data;
    size_t bytes;
    bool is_64;
    uint8_t abi; /* EI_ABIVERSION */
    uint16_t machine;
    uint32_t flags;
    size_t flags_at; /* where the file has them */
    uint64_t sections_at;
    unsigned sections, names; /* how many; the one with their names */
    const char *name_data;    /* of that section, up to its last zero: each of its bytes is in a name that ends */
    size_t name_bytes;
};

struct elf_section {
    const char *name; /* in the file */
    uint32_t type, link, info;
    uint64_t flags, offset, size;
    const uint8_t *data; /* NULL: none in the file */
};

bool elf_is(const uint8_t *data, size_t bytes);
enum pfifo_status elf_open(struct elf *elf, const uint8_t *data, size_t bytes, const char *name,
                           struct pfifo_error *error);
/* Section `index`, which is less than their number. */
enum pfifo_status elf_section(const struct elf *elf, unsigned index, struct elf_section *section,
                              struct pfifo_error *error);
/* The sm that an ELF for a GPU is for. 0: none. */
unsigned elf_sm(const struct elf *elf);

/* An entry of the table of symbols. */
static inline unsigned elf_symbol_bytes(const struct elf *elf) {
    return elf->is_64 ? 24 : 16;
}

/* `count` bytes, 8 at most, little endian. */
static inline uint64_t elf_number(const uint8_t *data, unsigned count) {
    uint64_t number = 0;
    for (unsigned i = 0; i < count; i++)
        number |= (uint64_t)data[i] << 8 * i;
    return number;
}

#endif
