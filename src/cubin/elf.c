/* SPDX-License-Identifier: MIT */
#include "cubin/elf.h"

#include <assert.h>
#include <string.h>

/* Where fields are: of 32 bits, of 64 bits. */
enum { FLAGS, SECTIONS_AT, SECTION_BYTES, SECTION_COUNT, NAMES_INDEX, HEADER_BYTES, HEADER_FIELDS };
static const uint8_t header_at[2][HEADER_FIELDS] = {{36, 32, 46, 48, 50, 52}, {48, 40, 58, 60, 62, 64}};

bool elf_is(const uint8_t *data, size_t bytes) {
    return bytes >= 4 && memcmp(data, "\177ELF", 4) == 0;
}

static enum pfifo_status check_sections(const struct elf *elf, unsigned bytes, struct pfifo_error *error) {
    unsigned expected = elf->is_64 ? 64 : 40;
    if (!elf->sections)
        return PFIFO_OK;
    if (bytes != expected)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.120s: 0x%x: headers of sections have %u bytes, not %u",
                               elf->name, header_at[elf->is_64][SECTION_BYTES], bytes, expected);
    if (elf->sections_at > elf->bytes || elf->sections > (elf->bytes - elf->sections_at) / expected)
        return pfifo_error_set(
            error, PFIFO_ERROR_FORMAT, "%.120s: 0x%x: %u headers of sections at 0x%llx are beyond the end of the file",
            elf->name, header_at[elf->is_64][SECTIONS_AT], elf->sections, (unsigned long long)elf->sections_at);
    return PFIFO_OK;
}

static bool elf_lies_inside(const struct elf *elf, const struct elf_section *section) {
    return section->type == ELF_TYPE_NOBITS ||
           (section->offset <= elf->bytes && section->size <= elf->bytes - section->offset);
}

/* All but the name; offset of the name. A section that does not lie inside of the file has no data. */
static uint32_t elf_read_section(const struct elf *elf, unsigned index, struct elf_section *section) {
    unsigned word = elf->is_64 ? 8 : 4;
    const uint8_t *at = elf->data + elf->sections_at + (size_t)index * (elf->is_64 ? 64 : 40);
    section->type = (uint32_t)elf_number(at + 4, 4);
    section->flags = elf_number(at + 8, word);
    section->offset = elf_number(at + 8 + 2 * word, word);
    section->size = elf_number(at + 8 + 3 * word, word);
    section->link = (uint32_t)elf_number(at + 8 + 4 * word, 4);
    section->info = (uint32_t)elf_number(at + 12 + 4 * word, 4);
    section->data =
        section->type != ELF_TYPE_NOBITS && elf_lies_inside(elf, section) ? elf->data + section->offset : NULL;
    return (uint32_t)elf_number(at, 4);
}

static void find_names(struct elf *elf) {
    struct elf_section names;
    if (elf->names >= elf->sections)
        return;
    elf_read_section(elf, elf->names, &names);
    if (!names.data)
        return;
    elf->name_data = (const char *)names.data;
    elf->name_bytes = (size_t)names.size;
    while (elf->name_bytes && elf->name_data[elf->name_bytes - 1])
        elf->name_bytes--;
}

enum pfifo_status elf_open(struct elf *elf, const uint8_t *data, size_t bytes, const char *name,
                           struct pfifo_error *error) {
    assert(elf_is(data, bytes));
    *elf = (struct elf){.name = name, .data = data, .bytes = bytes};
    if (bytes < 16 || (data[4] != 1 && data[4] != 2) || data[5] != 1)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT,
                               "%.120s: 0x4: an ELF that is not little endian of 32 or 64 bits", name);
    elf->is_64 = data[4] == 2;
    const uint8_t *at = header_at[elf->is_64];
    if (bytes < at[HEADER_BYTES])
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.120s: the ELF ends in its header, after 0x%zx bytes", name,
                               bytes);
    elf->abi = data[8];
    elf->machine = (uint16_t)elf_number(data + 18, 2);
    elf->flags_at = at[FLAGS];
    elf->flags = (uint32_t)elf_number(data + at[FLAGS], 4);
    elf->sections_at = elf_number(data + at[SECTIONS_AT], elf->is_64 ? 8 : 4);
    elf->sections = (unsigned)elf_number(data + at[SECTION_COUNT], 2);
    elf->names = (unsigned)elf_number(data + at[NAMES_INDEX], 2);
    enum pfifo_status status = check_sections(elf, (unsigned)elf_number(data + at[SECTION_BYTES], 2), error);
    if (status == PFIFO_OK)
        find_names(elf);
    return status;
}

enum pfifo_status elf_section(const struct elf *elf, unsigned index, struct elf_section *section,
                              struct pfifo_error *error) {
    assert(index < elf->sections);
    uint32_t name = elf_read_section(elf, index, section);
    section->name = name < elf->name_bytes ? elf->name_data + name : NULL;
    if (!elf_lies_inside(elf, section))
        return pfifo_error_set(
            error, PFIFO_ERROR_FORMAT, "%.120s: section %u, of 0x%llx bytes at 0x%llx, is beyond the end of the file",
            elf->name, index, (unsigned long long)section->size, (unsigned long long)section->offset);
    if (!section->name)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.120s: section %u has no name: section %u has none at 0x%x",
                               elf->name, index, elf->names, (unsigned)name);
    return PFIFO_OK;
}

/* From version 8 of the ABI on the sm is a byte higher. */
unsigned elf_sm(const struct elf *elf) {
    return elf->abi >= 8 ? elf->flags >> 8 & 0xff : elf->flags & 0xff;
}
