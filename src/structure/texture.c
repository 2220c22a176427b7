/* SPDX-License-Identifier: MIT */
/*
 * Texture headers (TIC) and samplers (TSC): of Tesla, of Fermi and Kepler, of Maxwell in its versions, and Hopper's second
 * form. On GM10x and GH100 a method tells which of two forms a program has: both are read.
 *
 * Sources: NVIDIA open-gpu-doc classes/3d/cl*tex.h; envytools rnndb/graph/g80_texture.xml.
 */
#include "structure/structure.h"

#include <pfifo/picture.h>

#include "chip/chip.h"

enum { TEXTURE_WORDS = PFIFO_TEXTURE_WORDS };
enum { LAST_OLD = 0xb097 }; /* GM10x, the last whose programs may have headers of Fermi's form */

/* Forms of headers. A form whose `field` has another value than `is` is not meant. NULL: it always is. */
static const struct texture_form {
    const char *name, *field;
    uint8_t is;
    const char *text;
    bool maxwell, described; /* for pfifo_texture_describe() */
} headers[] = {
    {"@TIC", NULL, 0, "texture header, Tesla", false, false},
    {"@TEXHEAD#", "USE_TEXTURE_HEADER_VERSION2", 0, "texture header, Fermi's first form", false, true},
    {"@TEXHEADV2_#", "USE_TEXTURE_HEADER_VERSION2", 1, "texture header, Fermi's second form", false, true},
    {"@TEXHEAD_1D", "HEADER_VERSION", 0, "texture header, Maxwell's form: buffer", true, true},
    {"@TEXHEAD_PITCHCK", "HEADER_VERSION", 1, "texture header, Maxwell's form: pitch with a colour key", true, true},
    {"@TEXHEAD_PITCH", "HEADER_VERSION", 2, "texture header, Maxwell's form: pitch", true, true},
    {"@TEXHEAD_BL", "HEADER_VERSION", 3, "texture header, Maxwell's form: blocks", true, true},
    {"@TEXHEAD_BLCK", "HEADER_VERSION", 4, "texture header, Maxwell's form: blocks with a colour key", true, true},
    {"@TEXHEAD_V2_PITCHCK", "HEADER_VERSION", 1, "texture header, Hopper's form: pitch with a colour key", true, false},
    {"@TEXHEAD_V2_PITCH", "HEADER_VERSION", 2, "texture header, Hopper's form: pitch", true, false},
    {"@TEXHEAD_V2_BL", "HEADER_VERSION", 3, "texture header, Hopper's form: blocks", true, false},
    {"@TEXHEAD_V2_BLCK", "HEADER_VERSION", 4, "texture header, Hopper's form: blocks with a colour key", true, false},
    {"@TEXHEAD_V2_1DRT", "HEADER_VERSION", 5, "texture header, Hopper's form: typed buffer", true, false},
    {"@TEXHEAD_V2_1DSB", "HEADER_VERSION", 6, "texture header, Hopper's form: structured buffer", true, false},
};
static const struct texture_form samplers[] = {
    {"@TSC", NULL, 0, "sampler, Tesla", false, false},
    {"@TEXSAMP#", NULL, 0, "sampler", false, false},
};
enum { HEADERS = sizeof headers / sizeof headers[0], SAMPLERS = sizeof samplers / sizeof samplers[0] };

/* In a header of Kepler's mobile chips that has this bit, sizes of components are others (ASTC). */
static const char *const extended = "USE_COMPONENT_SIZES_EXTENDED";

static size_t texture_words(const struct structure *structure, const struct texture_form *forms, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (structure_class(structure->chip, "3d", forms[i].name))
            return TEXTURE_WORDS;
    return 0;
}

static size_t tic_words(const struct structure *structure) {
    return texture_words(structure, headers, HEADERS);
}

static size_t tsc_words(const struct structure *structure) {
    return texture_words(structure, samplers, SAMPLERS);
}

/* What the fields say together, and what the model refuses. */
static void texture_says(struct structure *structure, const struct texture_form *row) {
    struct pfifo_error error = {0};
    struct pfifo_texture is;

    if (!row->described)
        return;
    if (pfifo_texture_describe(structure->chip, row->maxwell, structure->words, &is, &error) != PFIFO_OK) {
        if (structure->chip->family)
            structure_odd(structure, "%s", error.message);
        return;
    }
    structure_says(structure, "texture", "%s %s, %s, %ux%ux%u, %u layer%s, %u level%s", is.shape, is.format, is.layout,
                   (unsigned)is.width, (unsigned)is.height, (unsigned)is.depth, (unsigned)is.layers,
                   is.layers == 1 ? "" : "s", (unsigned)is.levels, is.levels == 1 ? "" : "s");
    structure_says_number(structure, "address", "0x%llx", is.address);
}

/* False: the words are not of the form, or the chip has no such headers. */
static bool texture_form_read(struct structure *structure, const struct texture_form *row) {
    struct structure_form form = {.class_id = structure_class(structure->chip, "3d", row->name), .name = row->name};
    uint64_t value;

    if (!form.class_id || (row->described && !row->maxwell && form.class_id > LAST_OLD) ||
        (row->field && (!structure_value(structure, &form, row->field, &value) || value != row->is)))
        return false;
    structure_form_begin(structure, "%s", row->text);
    texture_says(structure, row);
    if (structure_value_or_0(structure, &form, extended))
        form.name = "@TEXHEADV3_#";
    structure_fields(structure, &form, TEXTURE_WORDS);
    return true;
}

static void tic_read(struct structure *structure) {
    unsigned read = 0;

    for (size_t i = 0; i < HEADERS && !structure->stopped; i++)
        read += texture_form_read(structure, &headers[i]);
    if (!read) {
        structure_form_begin(structure, "texture header");
        structure_odd(structure, "the chip has no such version");
    }
}

static void tsc_read(struct structure *structure) {
    for (size_t i = 0; i < SAMPLERS && !structure->stopped; i++)
        texture_form_read(structure, &samplers[i]);
}

const struct structure_reader structure_tic = {
    .name = "tic", .text = "texture header (TIC entry)", .words = tic_words, .read = tic_read};
const struct structure_reader structure_tsc = {
    .name = "tsc", .text = "sampler (TSC entry)", .words = tsc_words, .read = tsc_read};
