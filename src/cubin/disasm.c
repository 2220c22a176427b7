/* SPDX-License-Identifier: MIT */
/* What kind of file it is, and the events of its code. */
#include "cubin/disasm.h"

#include "chip/config.h"
#include "chip/error.h"
#include "cubin/relocation.h"
#include "decode/shader.h"

#include <string.h>

static const char *const kinds[] = {"program",  "skipped", "section",     "constants",
                                    "function", "control", "instruction", "relocation"};

const char *pfifo_disasm_kind_name(enum pfifo_disasm_kind kind) {
    return (size_t)kind < sizeof kinds / sizeof kinds[0] ? kinds[kind] : NULL;
}

/* A chip of each sm, whose chips all have the same instructions; boards.txt of the tool has the sm of each chip. */
static const struct {
    unsigned sm;
    const char *chip;
} chips[] = {
    {20, "GF100"}, {21, "GF104"}, {30, "GK104"}, {32, "GK20A"}, {35, "GK110"}, {37, "GK110"},
    {50, "GM107"}, {52, "GM204"}, {53, "GM20B"}, {60, "GP100"}, {61, "GP104"}, {62, "GP10B"},
};

const struct pfifo_chip *disasm_chip_of(unsigned sm) {
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
        if (chips[i].sm == sm)
            return pfifo_chip_by_name(chips[i].chip);
    return NULL;
}

void disasm_say(struct disasm *disasm, const struct pfifo_disasm_event *event) {
    disasm->programs += event->kind == PFIFO_DISASM_PROGRAM;
    if (!disasm->stopped)
        disasm->stopped = !disasm->sink(disasm->opaque, event);
}

void disasm_clean_name(char name[DISASM_NAME], const char *from, size_t length) {
    size_t i = 0;
    for (; i + 1 < DISASM_NAME && i < length && from[i]; i++)
        name[i] = (unsigned char)from[i] >= ' ' && from[i] != 127 ? from[i] : '?';
    name[i] = 0;
}

/* The last instruction may be cut off: it is decoded with zeros for what is missing, to know its length. */
void disasm_code(struct disasm *disasm, const struct pfifo_chip *chip, const uint8_t *code, size_t bytes,
                 uint64_t address, uint64_t offset) {
    const struct isa *isa = shader_isa_of(chip);
    uint64_t control = 0;
    size_t length;
    for (size_t at = 0; at < bytes && !disasm->stopped; at += length) {
        char text[SHADER_TEXT];
        uint8_t words[ISA_MOST_BYTES] = {0};
        size_t left = bytes - at;
        memcpy(words, code + at, left < sizeof words ? left : sizeof words);
        struct isa_decoded found = shader_list_one(isa, address + at, words, &control, text);
        length = found.bytes;
        bool cut = length > left;
        struct pfifo_disasm_event event = {.kind = PFIFO_DISASM_INSTRUCTION,
                                           .text = cut ? "cut off" : text,
                                           .chip = chip,
                                           .address = address + at,
                                           .offset = offset + at,
                                           .size = cut ? left : length,
                                           .word = elf_number(words, cut ? (unsigned)left : (unsigned)length)};
        if (!cut && found.result == ISA_SCHEDULE)
            event.kind = PFIFO_DISASM_CONTROL;
        disasm_say(disasm, &event);
        if (disasm->relocations)
            relocations_say(disasm->relocations, disasm, address + at + length);
    }
}

/* ---- files ---- */

static const char *const fatbin_sections[] = {".nv_fatbin", "__nv_relfatbin"};

static bool has_fatbins(const struct elf_section *section) {
    for (size_t i = 0; i < sizeof fatbin_sections / sizeof fatbin_sections[0]; i++)
        if (section->data && strcmp(section->name, fatbin_sections[i]) == 0)
            return true;
    return false;
}

/* An ELF of the host, with fatbins in it. Sections that lie on each other would list a small file without end. */
static enum pfifo_status disasm_host(struct disasm *disasm, const struct elf *elf) {
    size_t found = 0;
    uint64_t total = 0;
    for (unsigned i = 0; i < elf->sections && !disasm->stopped; i++) {
        struct elf_section section;
        enum pfifo_status status = elf_section(elf, i, &section, disasm->error);
        if (status == PFIFO_OK && has_fatbins(&section)) {
            found++;
            total += section.size;
            if (total > elf->bytes)
                return pfifo_error_set(disasm->error, PFIFO_ERROR_FORMAT,
                                       "%.120s: section %u: up to here the fatbins have more bytes than the file",
                                       disasm->name, i);
            status = disasm_fatbin(disasm, section.data, (size_t)section.size, section.offset);
        }
        if (status != PFIFO_OK)
            return status;
    }
    if (found)
        return PFIFO_OK;
    return pfifo_error_set(disasm->error, PFIFO_ERROR_FORMAT,
                           "%.120s: 0x12: an ELF for machine %u, not for a GPU (190), and without a section .nv_fatbin",
                           disasm->name, elf->machine);
}

static enum pfifo_status disasm_elf(struct disasm *disasm, const uint8_t *data, size_t bytes) {
    struct elf elf;
    enum pfifo_status status = elf_open(&elf, data, bytes, disasm->name, disasm->error);
    if (status != PFIFO_OK)
        return status;
    return elf.machine == ELF_MACHINE_CUDA ? disasm_cubin(disasm, &elf, 0) : disasm_host(disasm, &elf);
}

static enum pfifo_status disasm_raw(struct disasm *disasm, const uint8_t *data, size_t bytes) {
    const struct pfifo_disasm_event program = {
        .kind = PFIFO_DISASM_PROGRAM, .name = "words", .chip = disasm->chip, .size = bytes};
    const struct pfifo_disasm_event function = {.kind = PFIFO_DISASM_FUNCTION, .chip = disasm->chip, .size = bytes};
    disasm_say(disasm, &program);
    disasm_say(disasm, &function);
    disasm_code(disasm, disasm->chip, data, bytes, disasm->base, 0);
    return PFIFO_OK;
}

bool pfifo_disasm_recognise(const void *data, size_t bytes) {
    struct elf elf;
    struct elf_section section;
    if (fatbin_is(data, bytes))
        return true;
    if (!elf_is(data, bytes) || elf_open(&elf, data, bytes, "", NULL) != PFIFO_OK)
        return false;
    bool found = elf.machine == ELF_MACHINE_CUDA;
    for (unsigned i = 0; i < elf.sections && !found; i++)
        found = elf_section(&elf, i, &section, NULL) == PFIFO_OK && has_fatbins(&section);
    return found;
}

static enum pfifo_status disasm_words(struct disasm *disasm, const uint8_t *data, size_t bytes, bool raw) {
    if (!raw && !disasm_text_is(data, bytes))
        return pfifo_error_set(disasm->error, PFIFO_ERROR_FORMAT,
                               "%.120s: no ELF, no fatbin, and no text with words of code; if it is code alone: --raw "
                               "--chip=CHIP",
                               disasm->name);
    if (!disasm->chip)
        return pfifo_error_set(disasm->error, PFIFO_ERROR_ARGUMENT, "%.120s: words of code need --chip=CHIP",
                               disasm->name);
    return raw ? disasm_raw(disasm, data, bytes) : disasm_text(disasm, data, bytes);
}

static enum pfifo_status disasm_file(struct disasm *disasm, const uint8_t *data, size_t bytes, bool raw) {
    enum pfifo_status status;
    if (!bytes)
        return error_empty(disasm->error, disasm->name);
    if (!raw && elf_is(data, bytes))
        status = disasm_elf(disasm, data, bytes);
    else if (!raw && fatbin_is(data, bytes))
        status = disasm_fatbin(disasm, data, bytes, 0);
    else
        status = disasm_words(disasm, data, bytes, raw);
    if (status == PFIFO_OK && !disasm->programs && !disasm->stopped)
        return pfifo_error_set(disasm->error, PFIFO_ERROR_UNSUPPORTED,
                               "%.120s: none of its code is for sm_20 to sm_62, which have decoders", disasm->name);
    return status;
}

enum pfifo_status pfifo_disasm(const void *data, size_t bytes, const struct pfifo_disasm_options *given,
                               pfifo_disasm_sink sink, void *opaque, struct pfifo_error *error) {
    struct pfifo_disasm_options with = {0};
    if ((!data && bytes) || !sink)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "pfifo_disasm: no data, or no sink");
    enum pfifo_status status =
        given ? config_read(&with, sizeof with, given, sizeof with, "pfifo_disasm_options", error) : PFIFO_OK;
    if (status != PFIFO_OK)
        return status;
    if (with.base % 8)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the base of code has to be a multiple of 8, not 0x%llx",
                               (unsigned long long)with.base);
    if (with.chip && !shader_isa_of(with.chip))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "the instructions of %s have no decoder; those of Fermi to Pascal have",
                               pfifo_chip_info(with.chip).name);
    struct disasm disasm = {.name = with.name ? with.name : "program",
                            .chip = with.chip,
                            .base = with.base,
                            .sink = sink,
                            .opaque = opaque,
                            .error = error};
    return disasm_file(&disasm, data, bytes, with.raw);
}
