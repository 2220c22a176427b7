/* SPDX-License-Identifier: MIT */
#include "engine/compute/qmd.h"

#include <assert.h>

#include "methods/gf100_compute.h"

#include <stddef.h>

#define LONG_FROM     4u /* major version */
#define POINTER_SHIFT 8u /* of the address of another QMD */

/* Bits of the QMD; a width of 0: there is no such field, and it reads 0. */
struct qmd_bits {
    uint16_t first;
    uint8_t width;
};

/* Offsets of the fields of a release from where its control bits begin; address and payload from `data`. */
struct release_form {
    struct qmd_bits enable, reduces, operation, format, size, trap, is_64;
    struct qmd_bits high; /* upper address bits, and */
    bool has_payload_high;
};

/* What programs use. Constants: where the first buffer's fields are; the others follow, CONSTANTS_STRIDE bits apart. */
struct program_form {
    struct qmd_bits shared, local_low, local_high, registers, linked;
    struct qmd_bits valid, low, high, size;
    uint8_t size_shift;
};
#define CONSTANTS_STRIDE 64u

struct qmd_layout {
    uint8_t major, minor;
    uint16_t first_class, last_class;
    const char *form;
    struct qmd_bits queue, type; /* one of them */
    struct qmd_bits offset, low, high;
    struct qmd_bits grid[3], threads[3];
    struct qmd_bits dependents[2], dependent_type, dependent;
    const struct program_form *program; /* NULL: not decoded */
    const struct release_form *release;
    uint16_t enable[QMD_MAX_RELEASES]; /* of releases: where the bit is that enables them ... */
    uint16_t control[QMD_MAX_RELEASES];
    uint16_t data[QMD_MAX_RELEASES]; /* 0: no more of them */
};

static const struct release_form kepler_release = {
    .enable = {0, 1}, .reduces = {58, 1}, .operation = {52, 3}, .format = {56, 2}, .size = {63, 1}, .high = {32, 8}};
static const struct release_form ampere_release = {.enable = {0, 1},
                                                   .reduces = {58, 1},
                                                   .operation = {52, 3},
                                                   .format = {56, 2},
                                                   .size = {62, 2},
                                                   .trap = {59, 2},
                                                   .is_64 = {61, 1},
                                                   .high = {32, 8},
                                                   .has_payload_high = true};
static const struct release_form hopper_release = {.enable = {0, 1},
                                                   .reduces = {4, 1},
                                                   .operation = {5, 3},
                                                   .format = {8, 2},
                                                   .size = {1, 2},
                                                   .trap = {10, 2},
                                                   .is_64 = {12, 1},
                                                   .high = {32, 25},
                                                   .has_payload_high = true};

/* A field of a version, by the name in the class data; and where it begins. */
#define BITS(version, field)  STRUCTURE_BITS(GF100_COMPUTE_QMDV##version##_##field)
#define FIRST(version, field) GF100_COMPUTE_QMDV##version##_##field##__LOW

#define FIRST_BITS(version, field)                                                                                     \
    { GF100_COMPUTE_QMDV##version##_##field##__LOW(0), GF100_COMPUTE_QMDV##version##_##field##__BITS }
#define PROGRAM_FORM(version, size_field, shift)                                                                       \
    {                                                                                                                  \
        .shared = BITS(version, SHARED_MEMORY_SIZE), .local_low = BITS(version, SHADER_LOCAL_MEMORY_LOW_SIZE),         \
        .local_high = BITS(version, SHADER_LOCAL_MEMORY_HIGH_SIZE), .registers = BITS(version, REGISTER_COUNT),        \
        .linked = BITS(version, SAMPLER_INDEX), .valid = FIRST_BITS(version, CONSTANT_BUFFER_VALID),                   \
        .low = FIRST_BITS(version, CONSTANT_BUFFER_ADDR_LOWER),                                                        \
        .high = FIRST_BITS(version, CONSTANT_BUFFER_ADDR_UPPER), .size = FIRST_BITS(version, size_field),              \
        .size_shift = (shift)                                                                                          \
    }
static const struct program_form kepler_program = PROGRAM_FORM(01_07, CONSTANT_BUFFER_SIZE, 0);
static const struct program_form pascal_program = PROGRAM_FORM(02_01, CONSTANT_BUFFER_SIZE_SHIFTED4, 4);

/* Between versions of a form, only other fields have moved. */
#define LOCAL_OF(version) FIRST(version, SHADER_LOCAL_MEMORY_LOW_SIZE)
_Static_assert(LOCAL_OF(00_06) == LOCAL_OF(01_07), "local memory");
_Static_assert(LOCAL_OF(01_06) == LOCAL_OF(01_07), "local memory");
_Static_assert(LOCAL_OF(02_00) == LOCAL_OF(02_01), "local memory");
#define LOW_OF(version, number) GF100_COMPUTE_QMDV##version##_CONSTANT_BUFFER_ADDR_LOWER__LOW(number)
_Static_assert(LOW_OF(00_06, 1) - LOW_OF(01_07, 0) == CONSTANTS_STRIDE, "constants");
_Static_assert(LOW_OF(01_06, 1) - LOW_OF(01_07, 0) == CONSTANTS_STRIDE, "constants");
_Static_assert(LOW_OF(02_00, 1) - LOW_OF(02_01, 0) == CONSTANTS_STRIDE, "constants");

#define GRID(version)                                                                                                  \
    .grid = {BITS(version, CTA_RASTER_WIDTH), BITS(version, CTA_RASTER_HEIGHT), BITS(version, CTA_RASTER_DEPTH)},      \
    THREADS(version)
#define THREADS(version)                                                                                               \
    .threads = {BITS(version, CTA_THREAD_DIMENSION0), BITS(version, CTA_THREAD_DIMENSION1),                            \
                BITS(version, CTA_THREAD_DIMENSION2)}
#define RELEASES(version)                                                                                              \
    .release = &kepler_release,                                                                                        \
    .enable = {FIRST(version, SEMAPHORE_RELEASE_ENABLE0), FIRST(version, SEMAPHORE_RELEASE_ENABLE1)},                  \
    .control = {FIRST(version, RELEASE0_ADDRESS_LOWER), FIRST(version, RELEASE1_ADDRESS_LOWER)},                       \
    .data = {FIRST(version, RELEASE0_ADDRESS_LOWER), FIRST(version, RELEASE1_ADDRESS_LOWER)}
#define QUEUE(version)    .queue = BITS(version, IS_QUEUE)
#define OFFSET(version)   .offset = BITS(version, PROGRAM_OFFSET)
#define ABSOLUTE(version) .low = BITS(version, PROGRAM_ADDRESS_LOWER), .high = BITS(version, PROGRAM_ADDRESS_UPPER)
#define DEPENDENT(version)                                                                                             \
    .dependents = {BITS(version, DEPENDENT_QMD_SCHEDULE_ENABLE)}, .dependent_type = BITS(version, DEPENDENT_QMD_TYPE), \
    .dependent = BITS(version, DEPENDENT_QMD_POINTER)
#define KEPLER              .program = (&kepler_program)
#define PASCAL              .program = (&pascal_program)
#define DEPENDENTS(version) .dependents = {BITS(version, DEPENDENT_QMD0_ENABLE), BITS(version, DEPENDENT_QMD1_ENABLE)}

/*
 * UNKNOWN: what version 0.0 means. Mesa leaves it so, and its grids run on the hardware; chosen: the layout that Mesa
 * fills in for the class (nve4_compute.h, nve4_compute.c).
 */
static const struct qmd_layout layouts[] = {
    {0, 0, 0xa0c0, 0xb1c0, "QMD 0.0", GRID(00_06), KEPLER, OFFSET(00_06), RELEASES(00_06)},
    {0, 0, 0xc0c0, 0xc1c0, "QMD 0.0", GRID(02_01), PASCAL, OFFSET(02_01), RELEASES(02_01), QUEUE(02_01),
     DEPENDENT(02_01)},
    {0, 6, 0xa0c0, 0xb1c0, "QMD 0.6", GRID(00_06), KEPLER, OFFSET(00_06), RELEASES(00_06)},
    {1, 6, 0xa0c0, 0xa0c0, "QMD 1.6", GRID(01_06), KEPLER, OFFSET(01_06), RELEASES(01_06)},
    {1, 7, 0xa0c0, 0xa0c0, "QMD 1.7", GRID(01_07), KEPLER, OFFSET(01_07), RELEASES(01_07), DEPENDENT(01_07)},
    {1, 7, 0xa1c0, 0xc1c0, "QMD 1.7", GRID(01_07), KEPLER, OFFSET(01_07), RELEASES(01_07), QUEUE(01_07),
     DEPENDENT(01_07)},
    {2, 0, 0xc0c0, 0xc1c0, "QMD 2.0", GRID(02_00), PASCAL, OFFSET(02_00), RELEASES(02_00), QUEUE(02_00),
     DEPENDENT(02_00)},
    {2, 1, 0xc0c0, 0xc1c0, "QMD 2.1", GRID(02_01), PASCAL, OFFSET(02_01), RELEASES(02_01), QUEUE(02_01),
     DEPENDENT(02_01)},
    {2, 2, 0xc3c0, 0xc4c0, "QMD 2.2", GRID(02_02), ABSOLUTE(02_02), RELEASES(02_02), QUEUE(02_02), DEPENDENT(02_02)},
    {2, 3, 0xc5c0, 0xc7c0, "QMD 2.3", GRID(02_03), ABSOLUTE(02_03), RELEASES(02_03), QUEUE(02_03), DEPENDENT(02_03)},
    {2, 4, 0xc6c0, 0xc9c0, "QMD 2.4", GRID(02_04), ABSOLUTE(02_04), RELEASES(02_04), QUEUE(02_04), DEPENDENTS(02_04)},
    {3, 0, 0xc6c0, 0xcbc0, "QMD 3.0", GRID(03_00), ABSOLUTE(03_00), QUEUE(03_00), DEPENDENTS(03_00),
     .release = &ampere_release,
     .enable = {FIRST(03_00, RELEASE0_ENABLE), FIRST(03_00, RELEASE1_ENABLE), FIRST(03_00, RELEASE2_ENABLE)},
     .control = {FIRST(03_00, RELEASE0_ADDRESS_LOWER), FIRST(03_00, RELEASE1_ADDRESS_LOWER),
                 FIRST(03_00, RELEASE2_ADDRESS_LOWER)},
     .data = {FIRST(03_00, RELEASE0_ADDRESS_LOWER), FIRST(03_00, RELEASE1_ADDRESS_LOWER),
              FIRST(03_00, RELEASE2_ADDRESS_LOWER)}},
    {4, 0, 0xcbc0, 0xcbc0, "QMD 4.0", ABSOLUTE(04_00), .type = BITS(04_00, QMD_TYPE),
     .grid = {BITS(04_00, GRID_WIDTH), BITS(04_00, GRID_HEIGHT), BITS(04_00, GRID_DEPTH)}, THREADS(04_00),
     .dependents = {{GF100_COMPUTE_QMDV04_00_DEPENDENT_QMD_ENABLE__LOW(0), 1},
                    {GF100_COMPUTE_QMDV04_00_DEPENDENT_QMD_ENABLE__LOW(1), 1}},
     .release = &hopper_release,
     .enable = {GF100_COMPUTE_QMDV04_00_RELEASE_ENABLE__LOW(0), GF100_COMPUTE_QMDV04_00_RELEASE_ENABLE__LOW(1),
                GF100_COMPUTE_QMDV04_00_RELEASE_ENABLE__LOW(2)},
     .control = {GF100_COMPUTE_QMDV04_00_RELEASE_ENABLE__LOW(0), GF100_COMPUTE_QMDV04_00_RELEASE_ENABLE__LOW(1),
                 GF100_COMPUTE_QMDV04_00_RELEASE_ENABLE__LOW(2)},
     .data = {FIRST(04_00, RELEASE_SEMAPHORE0_ADDR_LOWER), FIRST(04_00, RELEASE_SEMAPHORE1_ADDR_LOWER),
              FIRST(04_00, RELEASE_SEMAPHORE2_ADDR_LOWER)}},
};

enum { TYPE_QUEUE, TYPE_NULL };

static uint32_t qmd_field(const uint32_t *words, unsigned base, struct qmd_bits bits) {
    unsigned first = base + bits.first;
    if (bits.width == 0)
        return 0;
    assert(first + bits.width <= QMD_MAX_WORDS * 32 && bits.width <= 32);
    uint64_t pair = words[first / 32];
    if (first / 32 + 1 < QMD_MAX_WORDS)
        pair |= (uint64_t)words[first / 32 + 1] << 32;
    return (uint32_t)(pair >> first % 32 & ((UINT64_C(1) << bits.width) - 1));
}

static const struct qmd_layout *find_layout(unsigned major, unsigned minor, uint32_t object_class) {
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (layouts[i].major == major && layouts[i].minor == minor && object_class >= layouts[i].first_class &&
            object_class <= layouts[i].last_class)
            return &layouts[i];
    return NULL;
}

static void decode_release(const uint32_t *words, const struct qmd_layout *layout, unsigned n, struct qmd_release *r) {
    const struct release_form *form = layout->release;
    assert(n < QMD_MAX_RELEASES);
    unsigned control = layout->control[n], data = layout->data[n];
    if (!data)
        return;
    r->enabled = qmd_field(words, layout->enable[n], form->enable);
    r->reduces = qmd_field(words, control, form->reduces);
    r->is_64 = qmd_field(words, control, form->is_64);
    r->operation = (uint8_t)qmd_field(words, control, form->operation);
    r->format = (uint8_t)qmd_field(words, control, form->format);
    r->size = (uint8_t)qmd_field(words, control, form->size);
    r->trap = (uint8_t)qmd_field(words, control, form->trap);
    r->address = qmd_field(words, data, (struct qmd_bits){0, 32}) | (uint64_t)qmd_field(words, data, form->high) << 32;
    r->payload = qmd_field(words, data, (struct qmd_bits){64, 32});
    if (form->has_payload_high)
        r->payload |= (uint64_t)qmd_field(words, data, (struct qmd_bits){96, 32}) << 32;
}

static const struct qmd_layout *qmd_layout_of(const uint32_t *words, uint32_t object_class) {
    uint32_t version = words[GF100_COMPUTE_QMDV00_06_QMD_VERSION__LOW / 32] & 0xff;
    return find_layout(version >> 4, version & 0xf, object_class);
}

uint32_t qmd_words(const uint32_t *words, uint32_t object_class) {
    const struct qmd_layout *layout = qmd_layout_of(words, object_class);
    return layout && layout->major >= LONG_FROM ? QMD_MAX_WORDS : QMD_MIN_WORDS;
}

static void decode_constants(const uint32_t *words, const struct program_form *form, unsigned n,
                             struct qmd_constants *constants) {
    unsigned base = n * CONSTANTS_STRIDE;
    uint32_t size = qmd_field(words, base, form->size) << form->size_shift;
    constants->address = qmd_field(words, base, form->low) | (uint64_t)qmd_field(words, base, form->high) << 32;
    constants->bytes = qmd_field(words, n, form->valid) ? size : 0;
}

static void decode_program(const uint32_t *words, const struct program_form *form, struct qmd *qmd) {
    qmd->has_program = true;
    qmd->linked_samplers = qmd_field(words, 0, form->linked);
    qmd->shared = qmd_field(words, 0, form->shared);
    qmd->local_low = qmd_field(words, 0, form->local_low);
    qmd->local_high = qmd_field(words, 0, form->local_high);
    qmd->registers = qmd_field(words, 0, form->registers);
    for (unsigned i = 0; i < QMD_CONSTANTS; i++)
        decode_constants(words, form, i, &qmd->constants[i]);
}

bool qmd_decode(const uint32_t all[QMD_MAX_WORDS], uint32_t object_class, struct qmd *qmd) {
    const struct qmd_layout *layout = qmd_layout_of(all, object_class);
    if (!layout)
        return false;
    *qmd = (struct qmd){.form = layout->form, .is_offset = layout->offset.width != 0};
    uint32_t type = qmd_field(all, 0, layout->type);
    qmd->is_queue = layout->type.width ? type == TYPE_QUEUE : qmd_field(all, 0, layout->queue);
    qmd->is_null = layout->type.width && type == TYPE_NULL;
    qmd->has_dependents = qmd_field(all, 0, layout->dependents[0]) || qmd_field(all, 0, layout->dependents[1]);
    qmd->program = qmd_field(all, 0, layout->offset) | qmd_field(all, 0, layout->low) |
                   (uint64_t)qmd_field(all, 0, layout->high) << 32;
    for (unsigned i = 0; i < 3; i++) {
        qmd->grid[i] = qmd_field(all, 0, layout->grid[i]);
        qmd->threads[i] = qmd_field(all, 0, layout->threads[i]);
    }
    qmd->dependent_is_grid =
        qmd->has_dependents && layout->dependent_type.width && qmd_field(all, 0, layout->dependent_type);
    qmd->dependent = (uint64_t)qmd_field(all, 0, layout->dependent) << POINTER_SHIFT;
    if (layout->program)
        decode_program(all, layout->program, qmd);
    for (unsigned i = 0; i < QMD_MAX_RELEASES; i++)
        decode_release(all, layout, i, &qmd->release[i]);
    return true;
}
