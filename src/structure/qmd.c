/* SPDX-License-Identifier: MIT */
/*
 * QMDs: what a launch of GK104 and later is described by. The version that is in the words tells where fields are; a class
 * knows some of the versions (engine/compute/qmd.h).
 *
 * Limits: NVIDIA's CUDA C programming guide, table of compute capabilities. Sources: NVIDIA open-gpu-doc
 * classes/compute/cl*qmd.h.
 */
#include "structure/structure.h"

#include <pfifo/classes.h>

#include <stdio.h>
#include <string.h>

#include "chip/chip.h"

enum { SHORT_WORDS = 64, LONG_WORDS = 96, LONG_FROM = 4, CONSTANTS = 8, RELEASES = 3 };
enum { MOST_THREADS = 1024, MOST_DEPTH = 64, MOST_BARRIERS = 16, MOST_CONSTANTS = 65536, LOCAL_UNIT = 16 };

static const struct qmd_version {
    const char *name;
    uint8_t major, minor;
} versions[] = {
    {"@QMDV00_06", 0, 6}, {"@QMDV01_06", 1, 6}, {"@QMDV01_07", 1, 7}, {"@QMDV02_00", 2, 0}, {"@QMDV02_01", 2, 1},
    {"@QMDV02_02", 2, 2}, {"@QMDV02_03", 2, 3}, {"@QMDV02_04", 2, 4}, {"@QMDV03_00", 3, 0}, {"@QMDV04_00", 4, 0},
    {"@QMDV04_01", 4, 1}, {"@QMDV05_00", 5, 0}, {"@QMDV05_01", 5, 1},
};
enum { VERSIONS = sizeof versions / sizeof versions[0] };

/*
 * By the class of the chip: the version that is meant where the words have none, NULL: none is; and the most shared memory of a
 * block. Mesa's driver of GK104 to Pascal sets no version (engine/compute/qmd.c).
 */
static const struct qmd_class {
    uint32_t last;
    const char *unset;
    uint32_t shared;
} classes[] = {
    {0xb1c0, "@QMDV00_06", 48 << 10}, {0xc1c0, "@QMDV02_01", 48 << 10}, {0xc4c0, NULL, 96 << 10},
    {0xc5c0, NULL, 64 << 10},         {0xc6c0, NULL, 164 << 10},        {0xc9c0, NULL, 100 << 10},
    {UINT32_MAX, NULL, 228 << 10},
};

static const struct qmd_class *qmd_class(uint32_t id) {
    const struct qmd_class *at = classes;

    while (id > at->last)
        at++;
    return at;
}

/* The compute class of the chip. 0: it has none with QMDs. */
static uint32_t compute_class(const struct pfifo_chip *chip) {
    uint32_t last = 0;

    for (size_t i = 0; i < VERSIONS; i++) {
        const uint32_t id = structure_class(chip, "compute", versions[i].name);
        last = id > last ? id : last;
    }
    return last;
}

static bool is_version(const struct structure *structure, const struct structure_form *form,
                       const struct qmd_version *version) {
    uint64_t minor;

    if (!structure_value(structure, form, "QMD_VERSION", &minor) &&
        !structure_value(structure, form, "QMD_MINOR_VERSION", &minor))
        return false;
    return minor == version->minor && structure_value_or_0(structure, form, "QMD_MAJOR_VERSION") == version->major;
}

/* The version of the words, if the class has it. */
static const struct qmd_version *version_of(const struct structure *structure, uint32_t class_id) {
    for (size_t i = 0; i < VERSIONS; i++) {
        const struct structure_form form = {.class_id = class_id, .name = versions[i].name};
        if (is_version(structure, &form, &versions[i]))
            return &versions[i];
    }
    return NULL;
}

static size_t length_of(const struct qmd_version *version) {
    return version && version->major >= LONG_FROM ? LONG_WORDS : SHORT_WORDS;
}

static size_t qmd_words(const struct structure *structure) {
    const uint32_t class_id = compute_class(structure->chip);

    if (!class_id)
        return 0;
    return structure->count >= SHORT_WORDS ? length_of(version_of(structure, class_id)) : SHORT_WORDS;
}

/* ---- what it says ---- */

static uint64_t either(const struct structure *structure, const struct structure_form *form, const char *field,
                       const char *other, unsigned shift) {
    uint64_t value;

    if (structure_value(structure, form, field, &value))
        return value;
    return structure_value_or_0(structure, form, other) << shift;
}

static uint64_t wide(const struct structure *structure, const struct structure_form *form, const char *high,
                     const char *low) {
    return structure_value_or_0(structure, form, high) << 32 | structure_value_or_0(structure, form, low);
}

static void qmd_program(struct structure *structure, const struct structure_form *form) {
    uint64_t offset;

    if (structure_value(structure, form, "PROGRAM_OFFSET", &offset))
        structure_says_number(structure, "program", "0x%llx after the start of the code", offset);
    else if (wide(structure, form, "PROGRAM_ADDRESS_UPPER_SHIFTED4", "PROGRAM_ADDRESS_LOWER_SHIFTED4"))
        structure_says_number(structure, "program", "0x%llx",
                              wide(structure, form, "PROGRAM_ADDRESS_UPPER_SHIFTED4", "PROGRAM_ADDRESS_LOWER_SHIFTED4")
                                  << 4);
    else
        structure_says_number(structure, "program", "0x%llx",
                              wide(structure, form, "PROGRAM_ADDRESS_UPPER", "PROGRAM_ADDRESS_LOWER"));
}

static void qmd_sizes(struct structure *structure, const struct structure_form *form, uint32_t most_shared) {
    const uint64_t x = structure_value_or_0(structure, form, "CTA_THREAD_DIMENSION0");
    const uint64_t y = structure_value_or_0(structure, form, "CTA_THREAD_DIMENSION1");
    const uint64_t z = structure_value_or_0(structure, form, "CTA_THREAD_DIMENSION2");
    const uint64_t width = either(structure, form, "CTA_RASTER_WIDTH", "GRID_WIDTH", 0);
    const uint64_t height = either(structure, form, "CTA_RASTER_HEIGHT", "GRID_HEIGHT", 0);
    const uint64_t depth = either(structure, form, "CTA_RASTER_DEPTH", "GRID_DEPTH", 0);
    const uint64_t shared = either(structure, form, "SHARED_MEMORY_SIZE", "SHARED_MEMORY_SIZE_SHIFTED7", 7);
    const uint64_t registers = either(structure, form, "REGISTER_COUNT_V", "REGISTER_COUNT", 0);

    structure_says(structure, "grid", "%llux%llux%llu blocks of %llux%llux%llu threads", (unsigned long long)width,
                   (unsigned long long)height, (unsigned long long)depth, (unsigned long long)x, (unsigned long long)y,
                   (unsigned long long)z);
    structure_says_number(structure, "shared", "%llu bytes of a block", shared);
    structure_says_number(structure, "registers", "%llu of a thread", registers);
    if (!width || !height || !depth)
        structure_odd(structure, "the grid has no blocks");
    if (!x || !y || !z)
        structure_odd(structure, "a block has no threads");
    if (x * y * z > MOST_THREADS || x > MOST_THREADS || y > MOST_THREADS || z > MOST_DEPTH)
        structure_odd(structure, "a block has more than %d threads, or more than %d layers of them", MOST_THREADS,
                      MOST_DEPTH);
    if (shared > most_shared)
        structure_odd(structure, "a block has at most %u bytes of shared memory", (unsigned)most_shared);
    if (structure_value_or_0(structure, form, "BARRIER_COUNT") > MOST_BARRIERS)
        structure_odd(structure, "a block has at most %d barriers", MOST_BARRIERS);
    if (!registers)
        structure_odd(structure, "threads have no registers");
    if (structure_value_or_0(structure, form, "SHADER_LOCAL_MEMORY_LOW_SIZE") % LOCAL_UNIT ||
        structure_value_or_0(structure, form, "SHADER_LOCAL_MEMORY_HIGH_SIZE") % LOCAL_UNIT)
        structure_odd(structure, "local memory is not a multiple of %d bytes", LOCAL_UNIT);
}

static uint64_t element_of_either(const struct structure *structure, const struct structure_form *form,
                                  const char *field, const char *other, unsigned shift, unsigned index) {
    uint64_t value;

    if (structure_value(structure, form, field, &value))
        return structure_element(structure, form, field, index);
    return structure_element(structure, form, other, index) << shift;
}

static void qmd_constants(struct structure *structure, const struct structure_form *form) {
    for (unsigned i = 0; i < CONSTANTS; i++) {
        const uint64_t low = element_of_either(structure, form, "CONSTANT_BUFFER_ADDR_LOWER",
                                               "CONSTANT_BUFFER_ADDR_LOWER_SHIFTED6", 6, i);
        const uint64_t high = element_of_either(structure, form, "CONSTANT_BUFFER_ADDR_UPPER",
                                                "CONSTANT_BUFFER_ADDR_UPPER_SHIFTED6", 6, i);
        const uint64_t address = high << 32 | low;
        const uint64_t bytes =
            element_of_either(structure, form, "CONSTANT_BUFFER_SIZE", "CONSTANT_BUFFER_SIZE_SHIFTED4", 4, i);
        if (!structure_element(structure, form, "CONSTANT_BUFFER_VALID", i))
            continue;
        structure_says(structure, "constants", "c%u: %llu bytes at 0x%llx", i, (unsigned long long)bytes,
                       (unsigned long long)address);
        if (!bytes || !address || bytes > MOST_CONSTANTS)
            structure_odd(structure, "constants c%u are valid, and have %s", i,
                          !address ? "no address"
                          : !bytes ? "no bytes"
                                   : "more than 65536 bytes");
    }
}

static void qmd_releases(struct structure *structure, const struct structure_form *form) {
    for (unsigned i = 0; i < RELEASES; i++) {
        char enable[2][32], high[2][40], low[2][40];
        snprintf(enable[0], sizeof enable[0], "SEMAPHORE_RELEASE_ENABLE%u", i);
        snprintf(enable[1], sizeof enable[1], "RELEASE%u_ENABLE", i);
        snprintf(high[0], sizeof high[0], "RELEASE%u_ADDRESS_UPPER", i);
        snprintf(low[0], sizeof low[0], "RELEASE%u_ADDRESS_LOWER", i);
        snprintf(high[1], sizeof high[1], "RELEASE_SEMAPHORE%u_ADDR_UPPER", i);
        snprintf(low[1], sizeof low[1], "RELEASE_SEMAPHORE%u_ADDR_LOWER", i);
        const uint64_t address =
            either(structure, form, high[0], high[1], 0) << 32 | either(structure, form, low[0], low[1], 0);
        if (!either(structure, form, enable[0], enable[1], 0) &&
            !structure_element(structure, form, "RELEASE_ENABLE", i))
            continue;
        structure_says_number(structure, "releases", "a semaphore at 0x%llx when the grid is done", address);
        if (!address || address % 4)
            structure_odd(structure, "the semaphore of release %u %s", i,
                          address ? "is not at a multiple of 4" : "has no address");
    }
}

/* ---- which version ---- */

/* A class of another chip whose version it is. */
static const struct pfifo_class *class_with(const struct structure *structure) {
    for (size_t i = 0; i < pfifo_class_count(); i++) {
        const struct pfifo_class *class = pfifo_class_at(i);
        if (strcmp(class->family, "compute") == 0 && version_of(structure, class->id))
            return class;
    }
    return NULL;
}

/* What stands for a version that is none: as the drivers mean it, or the last one of the class. */
static const struct qmd_version *stand_in(uint32_t class_id) {
    const char *unset = qmd_class(class_id)->unset;

    for (size_t i = VERSIONS; i-- > 0;) {
        const struct structure_form form = {.class_id = class_id, .name = versions[i].name};
        if (unset ? strcmp(unset, versions[i].name) == 0 : structure_exists(&form))
            return &versions[i];
    }
    return &versions[0];
}

static void qmd_read_form(struct structure *structure, const struct structure_form *form, uint32_t class_id,
                          const struct qmd_version *version) {
    if (structure_value_or_0(structure, form, "IS_QUEUE"))
        structure_says(structure, "queue", "it is one, and not a grid");
    qmd_program(structure, form);
    qmd_sizes(structure, form, qmd_class(class_id)->shared);
    qmd_constants(structure, form);
    qmd_releases(structure, form);
    structure_fields(structure, form, length_of(version));
}

/* UNKNOWN: what version 0.0 means before GV100 (engine/compute/qmd.c); chosen: it is told as there. */
static void unknown_version(struct structure *structure, const struct structure_form *form) {
    const uint64_t major = structure_value_or_0(structure, form, "QMD_MAJOR_VERSION");
    const uint64_t minor = structure_value_or_0(structure, form, "QMD_VERSION");

    if (!major && !minor)
        structure_odd(structure, "no version is set: %s",
                      qmd_class(form->class_id)->unset ? "Mesa's driver leaves it so" : "the class refuses it");
    else
        structure_odd(structure, "version %llu.%llu is not known: the class refuses it", (unsigned long long)major,
                      (unsigned long long)minor);
}

static void qmd_read(struct structure *structure) {
    const uint32_t class_id = compute_class(structure->chip);
    const struct qmd_version *version = version_of(structure, class_id);
    struct structure_form form = {.class_id = class_id, .name = version ? version->name : NULL};
    const struct pfifo_class *known = pfifo_class_find(class_id), *other = version ? NULL : class_with(structure);
    const char *name = known ? known->name : "the class";

    if (version) {
        structure_form_begin(structure, "QMD %u.%u of %s", version->major, version->minor, name);
    } else if (other) {
        version = version_of(structure, other->id);
        form = (struct structure_form){.class_id = other->id, .name = version->name};
        structure_form_begin(structure, "QMD %u.%u of %s", version->major, version->minor, other->name);
        structure_odd(structure, "%s does not know version %u.%u, and refuses it", name, version->major,
                      version->minor);
    } else {
        version = stand_in(class_id);
        form.name = version->name;
        structure_form_begin(structure, "QMD of %s, read as version %u.%u", name, version->major, version->minor);
        unknown_version(structure, &form);
    }
    qmd_read_form(structure, &form, class_id, version);
}

const struct structure_reader structure_qmd = {.name = "qmd", .text = "QMD", .words = qmd_words, .read = qmd_read};
