/* SPDX-License-Identifier: MIT */
#include "bus/shape.h"

#include "memory/power.h"

#define MIB (UINT64_C(1) << 20)

static unsigned shape_log2_of(uint64_t value) {
    unsigned log2 = 0;
    while (value >>= 1)
        log2++;
    return log2;
}

static uint64_t highest_bit(uint64_t value) {
    return value ? UINT64_C(1) << shape_log2_of(value) : 0;
}

/* ---- Tesla ---- */

#define BUS_BITS      3 /* log2 of the width of a partition in bytes */
#define BANK_BITS     3
#define MIN_BANK_BITS 2
#define COLUMN_BITS   9
#define ROW_BITS      8 /* at least */
#define CFG0_RANK_B   0x00000004u

/* Bits of a row over all banks, so that both ranks are whole rows: as many as GDDR3 has, or fewer. */
static unsigned row_size_bits(uint64_t smaller, unsigned *banks, unsigned *columns) {
    *banks = BANK_BITS;
    *columns = COLUMN_BITS;
    while (BUS_BITS + *banks + *columns + ROW_BITS > shape_log2_of(smaller) && (*columns || *banks > MIN_BANK_BITS)) {
        if (*columns)
            --*columns;
        else
            --*banks;
    }
    return BUS_BITS + *banks + *columns;
}

void memory_shape_tesla(uint64_t bytes, uint32_t *cfg0, uint32_t *cfg1) {
    uint64_t a = highest_bit(bytes), b = highest_bit(bytes - a);
    unsigned banks, columns, row = row_size_bits(b ? b : a, &banks, &columns);
    uint32_t rows_a = shape_log2_of(a) - row - ROW_BITS, rows_b = b ? shape_log2_of(b) - row - ROW_BITS : 0;
    *cfg0 = b ? CFG0_RANK_B : 0;
    *cfg1 = (banks - MIN_BANK_BITS) << 24 | (rows_b & 0xf) << 20 | (rows_a & 0xf) << 16 | columns << 12;
}

/* One rank with a power of two bytes, or two such ranks. */
static bool fits_ranks(uint64_t bytes, unsigned ranks) {
    uint64_t rest = bytes - highest_bit(bytes);
    return is_power_of_two(bytes) || (ranks == 2 && is_power_of_two(rest));
}

static struct memory_shape shape_g80(const struct pfifo_chip *chip, uint64_t vram_bytes) {
    for (unsigned ranks = 1; ranks <= 2; ranks++)
        for (uint32_t n = chip->units.partitions; n > 0; n--)
            if (vram_bytes % n == 0 && fits_ranks(vram_bytes / n, ranks))
                return (struct memory_shape){.partitions = n, .bytes = vram_bytes / n};
    return (struct memory_shape){.partitions = chip->units.partitions, .bytes = vram_bytes / chip->units.partitions};
}

/* ---- GF100 and later ---- */

/* Each controller has a whole number of MiB, and so has each L2 cache, since drivers compute with it. */
static bool is_even(uint64_t mib, const struct memory_shape *shape) {
    return mib % (shape->partitions * shape->controllers) == 0 && mib / shape->partitions % shape->ltcs == 0;
}

/* Equal powers of two if possible, else equal parts; fewer partitions are preferred to smaller ones.
 */
static bool shape_find(const struct pfifo_chip *chip, uint64_t mib, bool power_of_two, struct memory_shape *shape) {
    for (shape->ltcs = chip->units.ltcs; shape->ltcs > 0; shape->ltcs--)
        for (shape->controllers = chip->units.controllers; shape->controllers > 0; shape->controllers--)
            for (shape->partitions = chip->units.partitions; shape->partitions > 0; shape->partitions--) {
                shape->bytes = mib / (shape->partitions * shape->controllers) * MIB;
                if (is_even(mib, shape) && (!power_of_two || is_power_of_two(shape->bytes)))
                    return true;
            }
    return false;
}

struct memory_shape memory_shape_of(const struct pfifo_chip *chip, uint64_t vram_bytes) {
    const struct chip_units *units = &chip->units;
    struct memory_shape shape = {units->partitions, units->controllers, units->ltcs, 0};
    if (!vram_bytes || !units->partitions)
        return shape;
    if (!units->controllers)
        return shape_g80(chip, vram_bytes);
    if (!shape_find(chip, vram_bytes / MIB, true, &shape))
        shape_find(chip, vram_bytes / MIB, false, &shape); /* one of everything always fits */
    return shape;
}
