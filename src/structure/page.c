/* SPDX-License-Identifier: MIT */
/*
 * Entries of page tables and directories. The class of the chip's channels has their fields; how far a format goes is a row
 * here, and memory/vm_*.c has the walks that these words are about.
 *
 * Sources: those of memory/vm_g80.c, vm_gf100.c and vm_gp100.c.
 */
#include "structure/structure.h"

#include <stdio.h>

#include "chip/chip.h"

enum { PAGE_WORDS = 2, DUAL_WORDS = 4, TEXT_BYTES = 160 };
enum { SYSTEM = STRUCTURE_IF(2) | STRUCTURE_IF(3), LOCAL = STRUCTURE_IF(0) | STRUCTURE_IF(1), PEER = STRUCTURE_IF(1) };
enum { PCF_PRIVILEGE = 2, PCF_READ_ONLY = 4 }; /* of a valid PTE */

static const struct structure_condition conditions[] = {
    {"ADDRESS_SYS", "APERTURE", SYSTEM},
    {"ADDRESS_VID", "APERTURE", LOCAL},
    {"ADDRESS_VID_PEER", "APERTURE", PEER},
    {"COMPTAGLINE", "APERTURE", LOCAL},
    {"ADDRESS_BIG_SYS", "APERTURE_BIG", SYSTEM},
    {"ADDRESS_BIG_VID", "APERTURE_BIG", LOCAL},
    {"ADDRESS_SMALL_SYS", "APERTURE_SMALL", SYSTEM},
    {"ADDRESS_SMALL_VID", "APERTURE_SMALL", LOCAL},
    {0},
};
/* Version 3, whose peers have addresses as long as the system's. */
static const struct structure_condition ver3_conditions[] = {
    {"ADDRESS_SYS", "APERTURE", SYSTEM},
    {"ADDRESS_VID", "APERTURE", STRUCTURE_IF(0)},
    {"ADDRESS_PEER", "APERTURE", PEER},
    {"PEER_ID", "APERTURE", PEER},
    {0},
};

/* Of what has no such field, the name is NULL. */
struct page_format {
    const char *text, *valid, *privileged, *no_small;
    const struct structure_condition *conditions;
    const char *sparse; /* set in an entry that is not valid: reads give 0 */
    bool has_pcf;       /* these are codes of PCF */
    uint8_t bad_kind;   /* which no memory has */
    bool has_dual;
};

static const struct page_format formats[] = {
    [CHIP_VM_G80] = {"Tesla", "PRESENT", "SUPERVISOR_ONLY", NULL, conditions, NULL, false, 0x7f, false},
    [CHIP_VM_G84] = {"Tesla", "PRESENT", "SUPERVISOR_ONLY", NULL, conditions, NULL, false, 0x7f, false},
    [CHIP_VM_GF100] = {"Fermi", "VALID", "PRIVILEGE", NULL, conditions, NULL, false, 0xff, false},
    [CHIP_VM_GK104] = {"Kepler", "VALID", "PRIVILEGE", "PRIVILEGE", conditions, NULL, false, 0xff, false},
    [CHIP_VM_GM200] = {"Maxwell", "VALID", "PRIVILEGE", "PRIVILEGE", conditions, "VOL", false, 0xff, false},
    [CHIP_VM_GP100] = {"version 2", "VALID", "PRIVILEGE", "PRIVILEGE", conditions, "VOL", false, 0xff, true},
    [CHIP_VM_GH100] = {"version 3", "VALID", NULL, NULL, ver3_conditions, NULL, true, 0x07, true},
};
enum { FIRST_SMALL_KINDS = 0xc46f, SMALL_KIND_NONE = 7 }; /* Turing has 16 kinds */

static const struct page_format *page_format(const struct structure *structure) {
    return chip_has_page_tables(structure->chip) ? &formats[structure->chip->vm] : NULL;
}

static struct structure_form page_form(const struct structure *structure, const char *name) {
    return (struct structure_form){structure->chip->host_class, name, page_format(structure)->conditions};
}

static size_t page_words(const struct structure *structure) {
    return page_format(structure) ? PAGE_WORDS : 0;
}

static size_t dual_words(const struct structure *structure) {
    return page_format(structure) && page_format(structure)->has_dual ? DUAL_WORDS : 0;
}

/* Memory of a page, by its target. */
static const char *const page_memory[4] = {"VRAM", "the VRAM of a peer", "system memory", "system memory, not snooped"};
/* Memory of a table, on GF100 and later. */
static const char *const table_memory[4] = {"no memory", "VRAM", "system memory", "system memory, not snooped"};

static uint64_t page_address(const struct structure *structure, const struct structure_form *form, uint64_t target) {
    static const char *const fields[4] = {"ADDRESS_VID", "ADDRESS_PEER", "ADDRESS_SYS", "ADDRESS_SYS"};
    uint64_t address;

    if (structure_value(structure, form, "ADDRESS", &address) ||
        structure_value(structure, form, fields[target], &address))
        return address;
    return structure_value_or_0(structure, form, "ADDRESS_VID");
}

/* ---- pages ---- */

static const char *invalid_page(const struct structure *structure, const struct structure_form *form,
                                const struct page_format *format) {
    static const char *const codes[] = {"no page: accesses fault", "sparse: reads give 0, and writes are dropped",
                                        "mapped to nowhere",
                                        "no page, and in a table of big pages none of the small ones below it"};
    const uint64_t pcf = structure_value_or_0(structure, form, "PCF");

    if (format->has_pcf)
        return codes[pcf < 4 ? pcf : 0];
    if (format->sparse && structure_value_or_0(structure, form, format->sparse))
        return codes[1];
    return format->no_small && structure_value_or_0(structure, form, format->no_small) ? codes[3] : codes[0];
}

static void valid_page(struct structure *structure, const struct structure_form *form,
                       const struct page_format *format) {
    const uint64_t pcf = structure_value_or_0(structure, form, "PCF");
    uint64_t target, kind = structure_value_or_0(structure, form, "KIND");
    bool read_only = format->has_pcf ? (pcf & PCF_READ_ONLY) : structure_value_or_0(structure, form, "READ_ONLY");
    bool privileged =
        format->has_pcf ? (pcf & PCF_PRIVILEGE) : structure_value_or_0(structure, form, format->privileged);
    const uint8_t bad = form->class_id >= FIRST_SMALL_KINDS ? SMALL_KIND_NONE : format->bad_kind;

    if (!structure_value(structure, form, "APERTURE", &target))
        target = structure_value_or_0(structure, form, "TARGET");
    kind |= structure_value_or_0(structure, form, "STORAGE_TYPE");
    structure_says(structure, "means", "a page in %s%s%s", page_memory[target & 3], read_only ? ", read-only" : "",
                   privileged ? ", not for programs (privileged)" : "");
    structure_says_number(structure, "address", "0x%llx", page_address(structure, form, target & 3));
    if (kind == bad)
        structure_odd(structure, "kind 0x%llx is not a kind of memory: accesses fault", (unsigned long long)kind);
}

static void pte_read(struct structure *structure) {
    const struct page_format *format = page_format(structure);
    const struct structure_form form = page_form(structure, "@PTE");

    structure_form_begin(structure, "entry of a page table, %s", format->text);
    if (structure_value_or_0(structure, &form, format->valid))
        valid_page(structure, &form, format);
    else
        structure_says(structure, "means", "%s", invalid_page(structure, &form, format));
    structure_fields(structure, &form, PAGE_WORDS);
}

/* ---- tables ---- */

static void tesla_table(struct structure *structure, const struct structure_form *form) {
    static const char *const pages[4] = {"", "64 KiB", "16 KiB", "4 KiB"};
    const uint64_t type = structure_value_or_0(structure, form, "PT_TYPE");

    if (!type) {
        structure_says(structure, "means", "no table: accesses fault");
        return;
    }
    structure_says(structure, "means", "a table of pages of %s in %s", pages[type & 3],
                   page_memory[structure_value_or_0(structure, form, "TARGET") & 3]);
    structure_says_number(structure, "address", "0x%llx", structure_value_or_0(structure, form, "ADDRESS"));
}

/* A table of which an entry says where it is: `which` is "", "_BIG" or "_SMALL". False: there is none. */
static bool table_says(struct structure *structure, const struct structure_form *form, const char *which,
                       const char *what) {
    char aperture[24], field[32];
    uint64_t target, address;

    snprintf(aperture, sizeof aperture, "APERTURE%s", which);
    target = structure_value_or_0(structure, form, aperture) & 3;
    if (!target)
        return false;
    snprintf(field, sizeof field, "ADDRESS%s", which);
    if (!structure_value(structure, form, field, &address)) {
        snprintf(field, sizeof field, "ADDRESS%s_%s", which, target == 1 ? "VID" : "SYS");
        address = structure_value_or_0(structure, form, field);
    }
    structure_says(structure, "means", "%s in %s", what, table_memory[target]);
    structure_says_number(structure, "address", "0x%llx", address);
    return true;
}

/* The bit or code that makes an entry without a table sparse. */
static bool table_is_sparse(const struct structure *structure, const struct structure_form *form,
                            const struct page_format *format) {
    static const char *const fields[] = {"VOL", "VOL_BIG", "PCF", "PCF_BIG"};

    for (unsigned i = 0; i < 4; i++)
        if ((format->sparse || format->has_pcf) && structure_value_or_0(structure, form, fields[i]) & 1)
            return true;
    return false;
}

static void tables_read(struct structure *structure, const char *name, size_t words) {
    const struct page_format *format = page_format(structure);
    const struct structure_form form = page_form(structure, name);
    uint64_t type;
    bool any;

    structure_form_begin(structure, "entry of a page directory, %s", format->text);
    if (structure_value(structure, &form, "PT_TYPE", &type)) {
        tesla_table(structure, &form);
    } else if (structure_value_or_0(structure, &form, "IS_PTE")) {
        structure_says(structure, "means", "a large page: its words are a PTE");
    } else {
        any = table_says(structure, &form, "", "a table");
        any |= table_says(structure, &form, "_BIG", "a table of big pages");
        any |= table_says(structure, &form, "_SMALL", "a table of small pages");
        if (!any)
            structure_says(structure, "means", "%s",
                           table_is_sparse(structure, &form, format) ? "sparse: reads give 0, and writes are dropped"
                                                                     : "no table: accesses fault");
    }
    structure_fields(structure, &form, words);
}

static void pde_read(struct structure *structure) {
    tables_read(structure, "@PDE", PAGE_WORDS);
}

static void pde0_read(struct structure *structure) {
    tables_read(structure, "@DUAL_PDE", DUAL_WORDS);
}

const struct structure_reader structure_pte = {
    .name = "pte", .text = "page table entry (PTE)", .words = page_words, .read = pte_read};
const struct structure_reader structure_pde = {
    .name = "pde", .text = "page directory entry (PDE)", .words = page_words, .read = pde_read};
const struct structure_reader structure_pde0 = {
    .name = "pde0", .text = "page directory entry for two tables (PDE0)", .words = dual_words, .read = pde0_read};
