/* SPDX-License-Identifier: MIT */
/*
 * Which chip a card has: PMC_BOOT_0, the same register on all chips, with different fields.
 *
 *   NV1, NV3    31:28 foundry, 19:16 chip, 15:8 = 1, 7:0 revision; NV3T is NV3 from revision 0x20 on
 *   NV4, NV5    31:28 foundry, 23:20 major revision (0 NV4, 1 and 2 NV5), 19:16 minor revision, 15:12 = 4, 3:0 unknown
 *   NV10-       28:20 chipset, 7:0 stepping, of which bit 7 is always set
 *
 * Modelled:     all chips of the table
 * Not modelled: NV2, which was never sold and has another implementation number
 * Sources:      envytools docs/hw/bus/pmc.rst, nvhw/chipset.c; nouveau nvkm/engine/device/base.c
 */
#include "chip/chip.h"

#define STEPPING_SET (1u << 7)
#define OLD_BITS     0xf00u /* 1 on NV1 and NV3, 0 on all later chips */
#define FIRST_NEW_ID 0x10u

static const struct {
    uint32_t mask, value;
    const char *name;
} old_chips[] = {
    {0x0fffff80, 0x00010100, "NV1"}, {0x0fffffe0, 0x00030100, "NV3"}, {0x0fffff80, 0x00030100, "NV3T"},
    {0x0ff0fff0, 0x00004000, "NV4"}, {0x0ff0fff0, 0x00104000, "NV5"}, {0x0ff0fff0, 0x00204000, "NV5"},
};

static uint32_t boot0_swap(uint32_t word) {
    return word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
}

/*
 * A value in the wrong byte order has the stepping, whose bit 7 is set, in its highest byte. Its lowest byte, where the
 * stepping should be, has bits of the chipset; the position of the old bits has bits of the chipset and the device.
 */
static bool boot0_is_swapped(uint32_t boot0) {
    return boot0 >> 31 && (!(boot0 & STEPPING_SET) || boot0 & OLD_BITS);
}

const struct pfifo_chip *pfifo_chip_by_boot0(uint32_t boot0, bool *swapped) {
    bool other_order = boot0_is_swapped(boot0);
    uint32_t word = other_order ? boot0_swap(boot0) : boot0;

    if (swapped)
        *swapped = other_order;
    if (boot0_is_swapped(word))
        return NULL;
    if (word & STEPPING_SET)
        return (word >> 20 & 0x1ff) >= FIRST_NEW_ID ? pfifo_chip_by_id(word >> 20 & 0x1ff) : NULL;
    for (size_t i = 0; i < sizeof old_chips / sizeof old_chips[0]; i++)
        if ((word & old_chips[i].mask) == old_chips[i].value)
            return pfifo_chip_by_name(old_chips[i].name);
    return NULL;
}
