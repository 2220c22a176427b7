/* SPDX-License-Identifier: MIT */
/*
 * Entries of a channel's ring (GPFIFO, IB): they name a segment of words, and on GF100 and later tell the PBDMA something
 * if their length is 0.
 *
 * Sources: NVIDIA open-gpu-doc classes/host/cl*6f.h, manuals/volta/gv100/dev_pbdma.ref.txt; envytools
 * docs/hw/fifo/dma-pusher.rst.
 */
#include "structure/structure.h"

#include <pfifo/classes.h>

#include "chip/chip.h"

enum { ENTRY_WORDS = 2, EXTENDED_BASE = 4, FIRST_EXTENDED = 0xc86f };
#define GPFIFO_VA_END (UINT64_C(1) << 40)

static const struct structure_condition segments_and_controls[] = {
    {"FETCH", "LENGTH", STRUCTURE_UNLESS_0},
    {"NO_CONTEXT_SWITCH", "LENGTH", STRUCTURE_UNLESS_0},
    {"GET", "LENGTH", STRUCTURE_UNLESS_0},
    {"GET_HI", "LENGTH", STRUCTURE_UNLESS_0},
    {"OPERAND", "LENGTH", STRUCTURE_IF(0)},
    {"OPCODE", "LENGTH", STRUCTURE_IF(0)},
    {"PB_EXTENDED_BASE_OPERAND", "LENGTH", STRUCTURE_IF(0)},
    {"PB_EXTENDED_BASE_OPERAND", "OPCODE", STRUCTURE_IF(EXTENDED_BASE)},
    {0},
};

/* What control entries do, by opcode. */
static const char *const controls[] = {
    "does nothing",
    "raises the interrupt GPENTRY",
    "compares OPERAND with the checksum of the entries before it, and begins a new one; else GPCRC",
    "compares OPERAND with the checksum of the segment before it; else PBCRC",
    "sets the upper bits of the addresses of the segments after it",
};
enum { CONTROLS = sizeof controls / sizeof controls[0] };

static size_t gpfifo_words(const struct structure *structure) {
    const struct structure_form form = {.class_id = structure->chip->host_class, .name = "@GP_ENTRY#"};
    return structure_exists(&form) ? ENTRY_WORDS : 0;
}

static void gpfifo_control(struct structure *structure, const struct structure_form *form) {
    const uint64_t opcode = structure_value_or_0(structure, form, "OPCODE");
    struct pfifo_method_name word;
    struct pfifo_field field;
    const char *name = NULL;

    if (pfifo_structure_find(form->class_id, "@GP_ENTRY1", &word) && pfifo_field_find(&word, "OPCODE", &field))
        name = pfifo_field_value_name(&field, (uint32_t)opcode);
    structure_form_begin(structure, "control entry: its length is 0");
    if (name && opcode < CONTROLS)
        structure_says(structure, "does", "%s: %s", name, controls[opcode]);
    else
        structure_odd(structure, "opcode 0x%llx does not exist: the entry is taken as ILLEGAL, and raises GPENTRY",
                      (unsigned long long)opcode);
    structure_fields(structure, form, ENTRY_WORDS);
}

static void gpfifo_segment(struct structure *structure, const struct structure_form *form, bool ring_only) {
    const uint64_t address =
        structure_value_or_0(structure, form, "GET_HI") << 32 | structure_value_or_0(structure, form, "GET");
    const uint64_t words = structure_value_or_0(structure, form, "LENGTH");
    const bool skipped = !ring_only && structure_value_or_0(structure, form, "DISABLE");

    structure_form_begin(structure, "%s", skipped ? "segment that is skipped" : "segment of the pushbuffer");
    structure_says_number(structure, "address", "0x%010llx", address);
    structure_says_number(structure, "words", "%llu", words);
    structure_says(structure, "level", "%s",
                   structure_value_or_0(structure, form, "LEVEL") ? "subroutine: TOP_LEVEL_GET stays where it is"
                                                                  : "main");
    if (structure_value_or_0(structure, form, "SYNC"))
        structure_says(structure, "fetched", "not before all segments before it are executed");
    if (structure_value_or_0(structure, form, "FETCH"))
        structure_says(structure, "fetched", "only if methods are not dropped (conditional)");
    if (!words)
        structure_odd(structure, "the segment has no words");
    if (form->class_id < FIRST_EXTENDED && address + 4 * words >= GPFIFO_VA_END)
        structure_odd(structure, "the segment reaches beyond 40 bits of address%s", ring_only ? ": GPENTRY" : "");
    structure_fields(structure, form, ENTRY_WORDS);
}

static void gpfifo_read(struct structure *structure) {
    const bool ring_only = structure->chip->ring_only;
    const struct structure_form form = {.class_id = structure->chip->host_class,
                                        .name = "@GP_ENTRY#",
                                        .conditions = ring_only ? segments_and_controls : NULL};

    if (ring_only && !structure_value_or_0(structure, &form, "LENGTH"))
        gpfifo_control(structure, &form);
    else
        gpfifo_segment(structure, &form, ring_only);
}

const struct structure_reader structure_gpfifo = {
    .name = "gpfifo", .text = "GPFIFO entry", .words = gpfifo_words, .read = gpfifo_read};
