/* SPDX-License-Identifier: MIT */
/*
 * Registers of PFIFO that memory keeps (pfifo/registers.h): RAMFC before GF100 by the rows that channels are switched with
 * (fifo/cache/ramfc.h). From there on its words are those of a PBDMA, and USERD has copies of some.
 *
 * Source for GA100 and later: NVIDIA open-gpu-doc manuals/ampere/ga100/dev_ram.ref.txt.
 */
#include <pfifo/registers.h>

#include "fifo/ops.h"
#include "fifo/pbdma/userd.h"
#include "gpu/gpu.h"
#include "hw/pbdma.h"

enum { RAMFC_BYTES = 4 * PBDMA_WORDS, USERD_BYTES = 0x200 };

static bool has_pbdmas(const struct pfifo_registers *registers) {
    return registers->chip->ring_only;
}

size_t pfifo_registers_kept_bytes(const struct pfifo_registers *registers, enum pfifo_kept_in memory) {
    const struct fifo *fifo = registers->gpu->fifo;

    if (has_pbdmas(registers))
        return memory == PFIFO_KEPT_IN_USERD ? USERD_BYTES : RAMFC_BYTES;
    return memory == PFIFO_KEPT_IN_RAMFC && fifo && fifo->ops->kept ? registers->chip->ramfc_bytes : 0;
}

/* The register of a word of a PBDMA. */
static bool pbdma_register(const struct pfifo_registers *registers, uint32_t offset, struct pfifo_register *reg) {
    const struct reg *name = NULL;

    if (pfifo_registers_describe(registers, NV_PBDMA_BASE + offset, reg, NULL))
        return true;
    if (!registers->gpu->fifo)
        name = fifo_names_word(offset);
    if (name)
        *reg = (struct pfifo_register){.unit = "PBDMA",
                                       .name = name->name,
                                       .offset = name->offset,
                                       .count = 1,
                                       .stride = NV_PBDMA_STRIDE,
                                       .readable = name->readable,
                                       .writable = name->writable,
                                       .fields = name->fields};
    return name != NULL;
}

/* A whole word at `offset` that is the register of a PBDMA's word. */
static bool keep_word(const struct pfifo_registers *registers, uint32_t offset, uint32_t word,
                      struct pfifo_kept_register *kept) {
    *kept = (struct pfifo_kept_register){.offset = offset, .bits = 32};
    return pbdma_register(registers, word, &kept->reg);
}

static bool kept_in_ramfc(const struct pfifo_registers *registers, size_t index, struct pfifo_kept_register *kept) {
    for (uint32_t word = 0; word < RAMFC_BYTES; word += 4)
        if (keep_word(registers, word, word, kept) && index-- == 0)
            return true;
    return false;
}

static bool kept_in_userd(const struct pfifo_registers *registers, size_t index, struct pfifo_kept_register *kept) {
    if (index < USERD_WRITTEN)
        return keep_word(registers, userd_written[index].offset, 4u * userd_written[index].word, kept);
    return index == USERD_WRITTEN && keep_word(registers, NV_USERD_GP_PUT, NV_PBDMA_GP_PUT, kept);
}

static bool kept_by_rows(const struct pfifo_registers *registers, size_t index, struct pfifo_kept_register *kept) {
    const struct fifo *fifo = registers->gpu->fifo;
    struct fifo_kept row;

    for (size_t i = 0; fifo && fifo->ops->kept && fifo->ops->kept(fifo, i, &row); i++) {
        if (row.offset >= registers->chip->ramfc_bytes || index-- > 0)
            continue;
        *kept = (struct pfifo_kept_register){
            .offset = row.offset, .low = row.low, .bits = row.bits, .reg_low = row.reg_low};
        if (row.reg)
            pfifo_registers_describe(registers, row.reg->offset, &kept->reg, NULL);
        return true;
    }
    return false;
}

bool pfifo_registers_kept(const struct pfifo_registers *registers, enum pfifo_kept_in memory, size_t index,
                          struct pfifo_kept_register *kept) {
    if (!has_pbdmas(registers))
        return memory == PFIFO_KEPT_IN_RAMFC && kept_by_rows(registers, index, kept);
    return memory == PFIFO_KEPT_IN_USERD ? kept_in_userd(registers, index, kept)
                                         : kept_in_ramfc(registers, index, kept);
}
