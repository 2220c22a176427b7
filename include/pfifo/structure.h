/* SPDX-License-Identifier: MIT */
/*
 * Structures in memory, which words alone do not explain: what a driver writes and the GPU reads, or the other way round.
 *
 *   words, chip, kind --> forms that they may have --> what it is about, fields with names and values, what is odd
 *
 *   static bool print(void *opaque, const struct pfifo_structure_item *item) {
 *       if (item->kind == PFIFO_STRUCTURE_FIELD)
 *           printf("%s %s\n", item->name, item->text);
 *       return true;
 *   }
 *   pfifo_structure_read(pfifo_chip_by_name("GA102"), PFIFO_STRUCTURE_GPFIFO, words, 2, print, NULL, &error);
 *
 * Names and bits of fields are those of pfifo_structure_find() (pfifo/classes.h), and of registers (pfifo/registers.h) where
 * memory keeps registers. Words may say anything: what the hardware would refuse is odd, and no error.
 *
 * Not modelled: kinds of memory before Turing by name, RAMIN's other structures.
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_STRUCTURE_H
#define PFIFO_STRUCTURE_H

#include <pfifo/chip.h>
#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

enum pfifo_structure_kind {
    PFIFO_STRUCTURE_GPFIFO, /* an entry of a channel's ring: G80- */
    PFIFO_STRUCTURE_QMD,    /* what a launch is described by: GK104- */
    PFIFO_STRUCTURE_TIC,    /* texture header: G80- */
    PFIFO_STRUCTURE_TSC,    /* sampler: G80- */
    PFIFO_STRUCTURE_PTE,    /* entry of a page table: G80- */
    PFIFO_STRUCTURE_PDE,    /* entry of a page directory: G80- */
    PFIFO_STRUCTURE_PDE0,   /* that of the last level, which is for two tables: GP100- */
    PFIFO_STRUCTURE_USERD,  /* through which a channel and its owner talk: GF100- */
    PFIFO_STRUCTURE_RAMFC,  /* registers of a channel that is not loaded: NV4- */
};

#define PFIFO_STRUCTURE_KINDS 9u

/* Words of the longest structure. */
#define PFIFO_STRUCTURE_WORDS 128u

/* "gpfifo", "qmd" ...; NULL: there is no such kind. */
PFIFO_API const char *pfifo_structure_kind_name(enum pfifo_structure_kind kind);
/* What one is called in a sentence: "GPFIFO entry". NULL: there is no such kind. */
PFIFO_API const char *pfifo_structure_kind_text(enum pfifo_structure_kind kind);
/* A kind by its name, case-insensitive. False: it is none. */
PFIFO_API bool pfifo_structure_kind_by_name(const char *name, enum pfifo_structure_kind *kind);

/*
 * Words of a structure of the chip, at most PFIFO_STRUCTURE_WORDS; 0: the chip has none of that kind. QMDs have several
 * lengths: that of the one that begins with these words, the shortest if there are fewer than that (`count` may be 0).
 */
PFIFO_API size_t pfifo_structure_words(const struct pfifo_chip *chip, enum pfifo_structure_kind kind,
                                       const uint32_t *words, size_t count);

enum pfifo_structure_item_kind {
    PFIFO_STRUCTURE_FORM,  /* what follows is a way to read the words, which `text` names */
    PFIFO_STRUCTURE_SAYS,  /* what fields say together: `name`, `text`, and `value` if it is a number */
    PFIFO_STRUCTURE_FIELD, /* all but `word` */
    PFIFO_STRUCTURE_ODD,   /* `text`: the hardware refuses that, or ignores it, or it means nothing */
};

/* Fields that a kind of item does not have are 0 or "". */
struct pfifo_structure_item {
    enum pfifo_structure_item_kind kind;
    const char *name;   /* of a field, with an index if it is one of an array: "CONSTANT_BUFFER_VALID(3)" */
    uint32_t high, low; /* bits, from the start of the structure */
    uint64_t value;     /* these bits as a number; that of SAYS */
    bool has_value;     /* SAYS */
    bool has_name;      /* FIELD: the value has a name, and `text` is it */
    const char *text;   /* of FIELD: the value as its type says, a name if it has one */
};

/* The item is valid during the call. False: no more. */
typedef bool (*pfifo_structure_sink)(void *opaque, const struct pfifo_structure_item *item);

/*
 * Read the structure that begins with `words`, of which there are `count`; those beyond its end are not looked at. Of RAMFC
 * and USERD there may be fewer words than they have. Where a chip has several forms, and the words do not say which it
 * is, there is one after the other. PFIFO_ERROR_UNSUPPORTED: the chip has none of that kind; PFIFO_ERROR_ARGUMENT: there
 * are too few words, or no chip; PFIFO_ERROR_MEMORY.
 */
PFIFO_API enum pfifo_status pfifo_structure_read(const struct pfifo_chip *chip, enum pfifo_structure_kind kind,
                                                 const uint32_t *words, size_t count, pfifo_structure_sink sink,
                                                 void *opaque, struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
