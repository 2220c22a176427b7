/* SPDX-License-Identifier: MIT */
#include "structure/structure.h"

#include <string.h>
#include <strings.h>

#include "chip/error.h"

static const struct structure_reader *const readers[PFIFO_STRUCTURE_KINDS] = {
    [PFIFO_STRUCTURE_GPFIFO] = &structure_gpfifo, [PFIFO_STRUCTURE_QMD] = &structure_qmd,
    [PFIFO_STRUCTURE_TIC] = &structure_tic,       [PFIFO_STRUCTURE_TSC] = &structure_tsc,
    [PFIFO_STRUCTURE_PTE] = &structure_pte,       [PFIFO_STRUCTURE_PDE] = &structure_pde,
    [PFIFO_STRUCTURE_PDE0] = &structure_pde0,     [PFIFO_STRUCTURE_USERD] = &structure_userd,
    [PFIFO_STRUCTURE_RAMFC] = &structure_ramfc,
};

static const struct structure_reader *reader_of(enum pfifo_structure_kind kind) {
    return (unsigned)kind < PFIFO_STRUCTURE_KINDS ? readers[kind] : NULL;
}

const char *pfifo_structure_kind_name(enum pfifo_structure_kind kind) {
    const struct structure_reader *reader = reader_of(kind);
    return reader ? reader->name : NULL;
}

const char *pfifo_structure_kind_text(enum pfifo_structure_kind kind) {
    const struct structure_reader *reader = reader_of(kind);
    return reader ? reader->text : NULL;
}

bool pfifo_structure_kind_by_name(const char *name, enum pfifo_structure_kind *kind) {
    for (unsigned i = 0; i < PFIFO_STRUCTURE_KINDS; i++)
        if (strcasecmp(readers[i]->name, name) == 0) {
            *kind = (enum pfifo_structure_kind)i;
            return true;
        }
    return false;
}

size_t pfifo_structure_words(const struct pfifo_chip *chip, enum pfifo_structure_kind kind, const uint32_t *words,
                             size_t count) {
    const struct structure structure = {.chip = chip, .words = words, .count = words ? count : 0};
    const struct structure_reader *reader = reader_of(kind);
    return chip && reader ? reader->words(&structure) : 0;
}

enum pfifo_status pfifo_structure_read(const struct pfifo_chip *chip, enum pfifo_structure_kind kind,
                                       const uint32_t *words, size_t count, pfifo_structure_sink sink, void *opaque,
                                       struct pfifo_error *error) {
    const struct structure_reader *reader = reader_of(kind);
    struct structure structure = {.chip = chip, .words = words, .count = count, .sink = sink, .opaque = opaque};
    size_t least;

    if (!chip || !reader)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no chip, or no kind of structure, is given");
    least = reader->words(&structure);
    if (!least)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no %s", pfifo_chip_info(chip).name,
                               reader->text);
    if (count < least && (!reader->may_be_cut || !count))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a %s of %s has %zu words, and there %s %zu", reader->text,
                               pfifo_chip_info(chip).name, least, count == 1 ? "is" : "are", count);
    if (structure.count > least)
        structure.count = least;
    reader->read(&structure);
    return PFIFO_OK;
}
