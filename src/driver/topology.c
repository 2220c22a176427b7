/* SPDX-License-Identifier: MIT */
/*
 * The topology table of GK104 and later: which engine is behind which runlist, which bit of PMC ENABLE it
 * has, and under which number it faults.
 *
 *   each word: [1:0] 1 DATA, 2 ENUM, 3 TYPE; bit 31: the next word belongs to the same device
 *
 * Sources: NVIDIA open-gpu-doc manuals/volta/gv100/dev_top.ref.txt; nouveau nvkm/subdev/top/gk104.c.
 */
#include "driver/gpfifo.h"

#include "hw/pfifo_gf100.h"

/* What is known of a device so far. */
struct device_words {
    struct gpfifo_engine engine;
    bool has_type, has_engine, has_runlist;
};

static void topology_add_word(struct device_words *words, uint32_t word) {
    struct gpfifo_engine *engine = &words->engine;
    switch (word & 3) {
    case PTOP_KIND_DATA:
        if (word & PTOP_DATA_FAULT_VALID)
            engine->fault_unit = word >> PTOP_DATA_FAULT & 0x7f;
        break;
    case PTOP_KIND_ENUM:
        if (word & PTOP_ENUM_ENGINE_VALID)
            engine->id = word >> PTOP_ENUM_ENGINE & 0xf;
        if (word & PTOP_ENUM_RUNLIST_VALID)
            engine->runlist = word >> PTOP_ENUM_RUNLIST & 0xf;
        if (word & PTOP_ENUM_RESET_VALID)
            engine->enable = 1u << (word >> PTOP_ENUM_RESET & 0x1f);
        words->has_engine |= (word & PTOP_ENUM_ENGINE_VALID) != 0;
        words->has_runlist |= (word & PTOP_ENUM_RUNLIST_VALID) != 0;
        break;
    case PTOP_KIND_TYPE:
        engine->type = word >> PTOP_TYPE & 0x1fffffff;
        words->has_type = true;
        break;
    default:
        break;
    }
}

unsigned topology_read(struct pfifo_device *device, struct gpfifo_engine engines[GPFIFO_ENGINES]) {
    const struct device_words none = {.engine.fault_unit = GPFIFO_NO_FAULT_UNIT};
    struct device_words words = none;
    unsigned count = 0;
    for (uint32_t i = 0; i < NV_PTOP_DEVICE_INFO_ROWS; i++) {
        uint32_t word = device_rd32(device, NV_PTOP_DEVICE_INFO + 4 * i);
        topology_add_word(&words, word);
        if ((word & 3) == 0 || (word & PTOP_CONTINUES))
            continue;
        if (words.has_type && words.has_engine && words.has_runlist && count < GPFIFO_ENGINES)
            engines[count++] = words.engine;
        words = none;
    }
    return count;
}
