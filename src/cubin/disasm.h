/* SPDX-License-Identifier: MIT */
/* A listing that is being made, and the readers of files that make it. */
#ifndef PFIFO_SRC_CUBIN_DISASM_H
#define PFIFO_SRC_CUBIN_DISASM_H

#include <pfifo/disasm.h>

#include "cubin/elf.h"

enum { DISASM_NAME = 1001 };

struct disasm {
    const char *name;              /* of the file */
    const struct pfifo_chip *chip; /* that was asked for, or NULL */
    uint64_t base;
    pfifo_disasm_sink sink;
    void *opaque;
    struct pfifo_error *error;
    bool stopped;                    /* the sink wants no more */
    struct relocations *relocations; /* of the function that is listed; NULL: none are known */
    size_t programs;                 /* found */
};

/* To the sink, unless it wants no more. */
void disasm_say(struct disasm *disasm, const struct pfifo_disasm_event *event);
/* A name that can be printed, of the first `length` characters of `from`, or less if it ends before. */
void disasm_clean_name(char name[DISASM_NAME], const char *from, size_t length);

/* Instructions, from `address` on. */
void disasm_code(struct disasm *disasm, const struct pfifo_chip *chip, const uint8_t *code, size_t bytes,
                 uint64_t address, uint64_t offset);

/* A chip of this sm. NULL: there is no decoder for it, as only for sm_20 to sm_62. */
const struct pfifo_chip *disasm_chip_of(unsigned sm);

/* cubin.c: an ELF for a GPU, which is at `offset` of the file. */
enum pfifo_status disasm_cubin(struct disasm *disasm, const struct elf *elf, uint64_t offset);
/* fatbin.c: does a fatbin begin here; those that follow each other from here on. */
bool fatbin_is(const uint8_t *data, size_t bytes);
enum pfifo_status disasm_fatbin(struct disasm *disasm, const uint8_t *data, size_t bytes, uint64_t offset);
/* text.c: words in a text. */
bool disasm_text_is(const uint8_t *data, size_t bytes);
enum pfifo_status disasm_text(struct disasm *disasm, const uint8_t *data, size_t bytes);

#endif
