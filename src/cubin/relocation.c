/* SPDX-License-Identifier: MIT */
#include "cubin/relocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By number; later ones are of instructions of 16 bytes. */
static const char *const types[] = {
    "NONE",
    "32",
    "64",
    "G32",
    "G64",
    "ABS32_26",
    "TEX_HEADER_INDEX",
    "SAMP_HEADER_INDEX",
    "SURF_HW_DESC",
    "SURF_HW_SW_DESC",
    "ABS32_LO_26",
    "ABS32_HI_26",
    "ABS32_23",
    "ABS32_LO_23",
    "ABS32_HI_23",
    "ABS24_26",
    "ABS24_23",
    "ABS16_26",
    "ABS16_23",
    "TEX_SLOT",
    "SAMP_SLOT",
    "SURF_SLOT",
    "TEX_BINDLESSOFF13_32",
    "TEX_BINDLESSOFF13_47",
    "CONST_FIELD19_28",
    "CONST_FIELD19_23",
    "TEX_SLOT9_49",
    "6_31",
    "2_47",
    "TEX_BINDLESSOFF13_41",
    "TEX_BINDLESSOFF13_45",
    "FUNC_DESC32_23",
    "FUNC_DESC32_LO_23",
    "FUNC_DESC32_HI_23",
    "FUNC_DESC_32",
    "FUNC_DESC_64",
    "CONST_FIELD21_26",
    "QUERY_DESC21_37",
    "CONST_FIELD19_26",
    "CONST_FIELD21_23",
    "PCREL_IMM24_26",
    "PCREL_IMM24_23",
    "ABS32_20",
    "ABS32_LO_20",
    "ABS32_HI_20",
    "ABS24_20",
    "ABS16_20",
    "FUNC_DESC32_20",
    "FUNC_DESC32_LO_20",
    "FUNC_DESC32_HI_20",
    "CONST_FIELD19_20",
    "BINDLESSOFF13_36",
    "SURF_HEADER_INDEX",
    "INSTRUCTION64",
    "CONST_FIELD21_20",
};

bool relocations_add(struct relocations *relocations, const struct elf_section *section, uint64_t offset) {
    bool is_64 = relocations->elf->is_64, has_addend = section->type == ELF_TYPE_RELA;
    unsigned word = is_64 ? 8 : 4, bytes = (has_addend ? 3 : 2) * word;
    size_t count = section->data ? (size_t)section->size / bytes : 0;
    if (!count)
        return true;
    struct relocation *all = realloc(relocations->all, (relocations->count + count) * sizeof *all);
    if (!all)
        return false;
    relocations->all = all;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *from = section->data + i * bytes;
        uint64_t info = elf_number(from + word, word);
        all[relocations->count++] = (struct relocation){.at = elf_number(from, word),
                                                        .offset = offset + section->offset + i * bytes,
                                                        .addend = has_addend ? elf_number(from + 2 * word, word) : 0,
                                                        .type = (uint32_t)(is_64 ? info : info & 0xff),
                                                        .symbol = (uint32_t)(info >> (is_64 ? 32 : 8)),
                                                        .bytes = (uint8_t)bytes};
    }
    return true;
}

static int compare_places(const void *a, const void *b) {
    const struct relocation *left = a, *right = b;
    if (left->at != right->at)
        return left->at < right->at ? -1 : 1;
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

void relocations_sort(struct relocations *relocations) {
    if (relocations->count)
        qsort(relocations->all, relocations->count, sizeof *relocations->all, compare_places);
}

/* The name of a symbol; one that is of a section has the section's. */
static void name_of(const struct relocations *relocations, uint32_t symbol, char name[DISASM_NAME]) {
    enum { OF_SECTION = 3 };
    const struct elf *elf = relocations->elf;
    unsigned bytes = elf_symbol_bytes(elf);
    name[0] = 0;
    if (!relocations->symbols || symbol >= relocations->symbols->size / bytes)
        return;
    const uint8_t *from = relocations->symbols->data + (size_t)symbol * bytes;
    uint64_t at = elf_number(from, 4), section = elf_number(from + (elf->is_64 ? 6 : 14), 2);
    if ((from[elf->is_64 ? 4 : 12] & 15) == OF_SECTION && section < elf->sections)
        disasm_clean_name(name, relocations->sections[section].name, SIZE_MAX);
    else if (relocations->strings && at < relocations->strings->size)
        disasm_clean_name(name, (const char *)relocations->strings->data + at,
                          (size_t)(relocations->strings->size - at));
}

static void say_relocation(const struct relocations *relocations, struct disasm *disasm,
                           const struct relocation *relocation) {
    char name[DISASM_NAME], text[40];
    if (relocation->type < sizeof types / sizeof types[0])
        snprintf(text, sizeof text, "R_CUDA_%s", types[relocation->type]);
    else
        snprintf(text, sizeof text, "R_CUDA_?%u", (unsigned)relocation->type);
    name_of(relocations, relocation->symbol, name);
    disasm_say(disasm, &(struct pfifo_disasm_event){.kind = PFIFO_DISASM_RELOCATION,
                                                    .name = name,
                                                    .text = text,
                                                    .address = relocation->at,
                                                    .offset = relocation->offset,
                                                    .size = relocation->bytes,
                                                    .word = relocation->addend,
                                                    .has_sections = true});
}

void relocations_say(struct relocations *relocations, struct disasm *disasm, uint64_t end) {
    while (relocations->next < relocations->count && relocations->all[relocations->next].at < end && !disasm->stopped)
        say_relocation(relocations, disasm, &relocations->all[relocations->next++]);
}

void relocations_free(struct relocations *relocations) {
    free(relocations->all);
}
