/* SPDX-License-Identifier: MIT */
/*
 * A cubin: an ELF whose functions are sections .text.NAME, beside others that say what a function needs.
 *
 *   .text.NAME          code; sh_info has the registers in [31:24] and its symbol below; sh_flags the barriers in [26:20]
 *   .rel[a].text.NAME   what a linker changes in it
 *   .nv.constantN.NAME  what is in constant bank N when it runs; .nv.constantN: for all
 *   .nv.shared.NAME     its shared memory
 *   .nv.info.NAME       attributes; parameters in constant bank 0
 *   .nv.info            attributes of all functions, by symbol; the stack of a thread
 *
 * Source: CUDA Binary Utilities (nvdisasm prints all this by name); CuAssembler CuNVInfo.py for numbers of attributes.
 */
#include "cubin/relocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name of a function that is longer is cut off; and how often the bytes of a file may be in names. */
enum { LONGEST_NAME = DISASM_NAME + 32, MOST_NAMES = 16 };
enum { FORM_SIZED = 4, ATTRIBUTE_PARAMETERS = 0x0a, ATTRIBUTE_FRAME = 0x11, SYMBOL_IS_ENTRY = 0x10 };

/* Attributes: a byte of form, a byte of number, a half that is the value, or the bytes that follow. */
struct attribute {
    unsigned number, bytes;
    const uint8_t *data; /* of the form with a size */
};

/* False: no more. */
static bool next_attribute(const struct elf_section *section, size_t *at, struct attribute *attribute) {
    if (!section->data || section->size - *at < 4)
        return false;
    const uint8_t *from = section->data + *at;
    unsigned bytes = from[0] == FORM_SIZED ? (unsigned)elf_number(from + 2, 2) : 0;
    if (bytes > section->size - *at - 4)
        return false;
    *attribute = (struct attribute){from[1], bytes, from + 4};
    *at += 4 + bytes;
    return true;
}

/* ---- sections, each read once ---- */

struct cubin {
    const struct elf *elf;
    const struct pfifo_chip *chip;
    uint64_t offset;              /* of the ELF in the file */
    struct elf_section *sections; /* elf->sections of them, in their order */
    const struct elf_section **by_name;
    const struct elf_section *symbol_table; /* NULL: there is none */
    const uint8_t *symbol;
    size_t symbols;
    uint32_t *frames; /* bytes of the stack, by symbol */
};

/* No name that is looked for is longer than what is compared. */
static int compare_names(const void *a, const void *b) {
    const struct elf_section *const *left = a, *const *right = b;
    int order = strncmp((*left)->name, (*right)->name, LONGEST_NAME);
    return order ? order : *left < *right ? -1 : *left > *right;
}

/* The section "PREFIXNAME". NULL: there is none. */
static const struct elf_section *section_of(const struct cubin *cubin, const char *prefix, const char *function) {
    char name[LONGEST_NAME];
    if (snprintf(name, sizeof name, "%s%s", prefix, function) >= (int)sizeof name)
        return NULL;
    unsigned low = 0, high = cubin->elf->sections;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (strcmp(cubin->by_name[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < cubin->elf->sections && strcmp(cubin->by_name[low]->name, name) == 0 ? cubin->by_name[low] : NULL;
}

static void read_frames(struct cubin *cubin) {
    const struct elf_section *info = section_of(cubin, ".nv.info", "");
    struct attribute attribute;
    size_t at = 0;
    while (info && next_attribute(info, &at, &attribute)) {
        uint64_t symbol = attribute.bytes >= 8 ? elf_number(attribute.data, 4) : cubin->symbols;
        if (attribute.number == ATTRIBUTE_FRAME && symbol < cubin->symbols)
            cubin->frames[symbol] = (uint32_t)elf_number(attribute.data + 4, 4);
    }
}

static void cubin_close(struct cubin *cubin) {
    free(cubin->sections);
    free(cubin->by_name);
    free(cubin->frames);
}

static enum pfifo_status cubin_no_memory(const struct cubin *cubin, struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%.120s: no memory for %u sections", cubin->elf->name,
                           cubin->elf->sections);
}

/*
 * Sections that lie on each other would make the listing of a small file endless, and so would names: those that end alike
 * may share their bytes, but not all of them with all.
 */
static enum pfifo_status read_sections(struct cubin *cubin, struct pfifo_error *error) {
    const struct elf *elf = cubin->elf;
    uint64_t total = 0, names = 0;
    for (unsigned i = 0; i < elf->sections; i++) {
        struct elf_section *section = &cubin->sections[i];
        enum pfifo_status status = elf_section(elf, i, section, error);
        if (status != PFIFO_OK)
            return status;
        names += strlen(section->name);
        if (names / MOST_NAMES > elf->bytes)
            return pfifo_error_set(error, PFIFO_ERROR_FORMAT,
                                   "%.120s: section %u: up to here the names of sections are longer than the file",
                                   elf->name, i);
        total += section->data ? section->size : 0;
        if (total > elf->bytes)
            return pfifo_error_set(error, PFIFO_ERROR_FORMAT,
                                   "%.120s: section %u: up to here the sections have more bytes than the file",
                                   elf->name, i);
        cubin->by_name[i] = section;
    }
    qsort(cubin->by_name, elf->sections, sizeof *cubin->by_name, compare_names);
    return PFIFO_OK;
}

static enum pfifo_status cubin_open(struct cubin *cubin, struct pfifo_error *error) {
    cubin->sections = calloc(cubin->elf->sections + 1, sizeof *cubin->sections);
    cubin->by_name = calloc(cubin->elf->sections + 1, sizeof *cubin->by_name);
    if (!cubin->sections || !cubin->by_name)
        return cubin_no_memory(cubin, error);
    enum pfifo_status status = read_sections(cubin, error);
    if (status != PFIFO_OK)
        return status;
    const struct elf_section *symbols = section_of(cubin, ".symtab", "");
    cubin->symbol_table = symbols && symbols->data ? symbols : NULL;
    cubin->symbol = symbols ? symbols->data : NULL;
    cubin->symbols = cubin->symbol ? (size_t)symbols->size / elf_symbol_bytes(cubin->elf) : 0;
    cubin->frames = calloc(cubin->symbols + 1, sizeof *cubin->frames);
    if (!cubin->frames)
        return cubin_no_memory(cubin, error);
    read_frames(cubin);
    return PFIFO_OK;
}

/* ---- functions ---- */

static void read_parameters(const struct cubin *cubin, const char *function, struct pfifo_disasm_event *event) {
    const struct elf_section *info = section_of(cubin, ".nv.info.", function);
    struct attribute attribute;
    size_t at = 0;
    while (info && next_attribute(info, &at, &attribute))
        if (attribute.number == ATTRIBUTE_PARAMETERS && attribute.bytes >= 8) {
            event->parameters_at = (uint32_t)elf_number(attribute.data + 4, 2);
            event->parameters_bytes = (uint32_t)elf_number(attribute.data + 6, 2);
        }
}

static void read_symbol(const struct cubin *cubin, uint32_t symbol, struct pfifo_disasm_event *event) {
    if (symbol >= cubin->symbols)
        return;
    const uint8_t *from = cubin->symbol + (size_t)symbol * elf_symbol_bytes(cubin->elf);
    event->local_bytes = cubin->frames[symbol];
    event->is_kernel = from[cubin->elf->is_64 ? 5 : 13] & SYMBOL_IS_ENTRY;
}

/* Sections of another function's that has the same name would be read again and again. */
static bool add_relocations(struct relocations *relocations, const struct cubin *cubin, const char *prefix,
                            const struct elf_section *section) {
    const struct elf_section *found = section_of(cubin, prefix, section->name + strlen(".text."));
    bool is_its = found && found->info == (uint64_t)(section - cubin->sections) &&
                  (found->type == ELF_TYPE_REL || found->type == ELF_TYPE_RELA);
    return !is_its || relocations_add(relocations, found, cubin->offset);
}

/* Without memory for them, the code is listed without them. */
static void list_code(struct disasm *disasm, const struct cubin *cubin, const struct elf_section *section) {
    const struct elf_section *table = cubin->symbol_table;
    struct relocations relocations = {.elf = cubin->elf, .sections = cubin->sections, .symbols = table};
    if (table && table->link < cubin->elf->sections && cubin->sections[table->link].data)
        relocations.strings = &cubin->sections[table->link];
    if (add_relocations(&relocations, cubin, ".rel.text.", section) &&
        add_relocations(&relocations, cubin, ".rela.text.", section)) {
        relocations_sort(&relocations);
        disasm->relocations = &relocations;
    }
    disasm_code(disasm, cubin->chip, section->data, (size_t)section->size, 0, cubin->offset + section->offset);
    if (disasm->relocations)
        relocations_say(&relocations, disasm, UINT64_MAX);
    disasm->relocations = NULL;
    relocations_free(&relocations);
}

static void list_function(struct disasm *disasm, const struct cubin *cubin, const struct elf_section *section) {
    char name[DISASM_NAME];
    const char *function = section->name + strlen(".text.");
    const struct elf_section *shared = section_of(cubin, ".nv.shared.", function);
    disasm_clean_name(name, function, SIZE_MAX);
    struct pfifo_disasm_event event = {.kind = PFIFO_DISASM_FUNCTION,
                                       .name = name,
                                       .chip = cubin->chip,
                                       .sm = elf_sm(cubin->elf),
                                       .offset = cubin->offset + section->offset,
                                       .size = section->size,
                                       .registers = section->info >> 24,
                                       .barriers = (unsigned)(section->flags >> 20 & 0x7f),
                                       .shared_bytes = shared ? shared->size : 0,
                                       .has_sections = true};
    read_parameters(cubin, function, &event);
    read_symbol(cubin, section->info & 0xffffff, &event);
    disasm_say(disasm, &event);
    list_code(disasm, cubin, section);
}

/* ".nv.constant2.NAME": 2; -1: none. */
static int bank_of(const char *name) {
    static const char prefix[] = ".nv.constant";
    const char *number = name + sizeof prefix - 1;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0 || number[0] < '0' || number[0] > '9')
        return -1;
    char *end;
    long bank = strtol(number, &end, 10);
    return bank <= 31 && (*end == '.' || !*end) ? (int)bank : -1;
}

static void list_section(struct disasm *disasm, const struct elf_section *section, unsigned index, uint64_t offset) {
    char name[DISASM_NAME];
    int bank = bank_of(section->name);
    disasm_clean_name(name, section->name, SIZE_MAX);
    struct pfifo_disasm_event event = {.kind = PFIFO_DISASM_SECTION,
                                       .name = name,
                                       .index = index,
                                       .offset = offset + section->offset,
                                       .size = section->size,
                                       .has_sections = true};
    disasm_say(disasm, &event);
    if (bank < 0 || !section->data || !section->size)
        return;
    event.kind = PFIFO_DISASM_CONSTANTS;
    event.bank = (unsigned)bank;
    event.data = section->data;
    disasm_say(disasm, &event);
}

static bool is_function(const struct elf_section *section) {
    return section->type == ELF_TYPE_CODE && section->flags & ELF_FLAG_EXECUTED &&
           strncmp(section->name, ".text.", 6) == 0;
}

static enum pfifo_status no_decoder(const struct disasm *disasm, const struct elf *elf, uint64_t offset) {
    return pfifo_error_set(disasm->error, PFIFO_ERROR_UNSUPPORTED,
                           "%.100s: 0x%llx: it is for sm_%u (e_flags 0x%08x), whose instructions have no decoder; "
                           "sm_20 to sm_62 have",
                           elf->name, (unsigned long long)(offset + elf->flags_at), elf_sm(elf), (unsigned)elf->flags);
}

static void cubin_list(struct disasm *disasm, const struct cubin *cubin) {
    const struct pfifo_disasm_event event = {.kind = PFIFO_DISASM_PROGRAM,
                                             .name = cubin->elf->is_64 ? "ELF64" : "ELF32",
                                             .chip = cubin->chip,
                                             .sm = elf_sm(cubin->elf),
                                             .offset = cubin->offset,
                                             .size = cubin->elf->bytes,
                                             .word = cubin->elf->flags,
                                             .has_sections = true};
    disasm_say(disasm, &event);
    for (unsigned i = 1; i < cubin->elf->sections; i++)
        list_section(disasm, &cubin->sections[i], i, cubin->offset);
    for (unsigned i = 1; i < cubin->elf->sections && !disasm->stopped; i++)
        if (is_function(&cubin->sections[i]))
            list_function(disasm, cubin, &cubin->sections[i]);
}

enum pfifo_status disasm_cubin(struct disasm *disasm, const struct elf *elf, uint64_t offset) {
    struct cubin cubin = {.elf = elf, .offset = offset};
    if (!disasm_chip_of(elf_sm(elf)))
        return no_decoder(disasm, elf, offset);
    cubin.chip = disasm->chip ? disasm->chip : disasm_chip_of(elf_sm(elf));
    enum pfifo_status status = cubin_open(&cubin, disasm->error);
    if (status == PFIFO_OK)
        cubin_list(disasm, &cubin);
    cubin_close(&cubin);
    return status;
}
