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

#define TOPOLOGY       0x22700u
#define TOPOLOGY_WORDS 64

enum { WORD_DATA = 1, WORD_ENUM = 2, WORD_TYPE = 3 };
#define WORD_CONTINUES (1u << 31)

#define DATA_FAULT_VALID (1u << 2)
#define ENUM_RESET       (1u << 2)
#define ENUM_RUNLIST     (1u << 4)
#define ENUM_ENGINE      (1u << 5)

/* What the words of one device have said so far. */
struct device_words {
    struct gpfifo_engine engine;
    bool has_type, has_engine, has_runlist;
};

static void add_word(struct device_words *words, uint32_t word) {
    struct gpfifo_engine *engine = &words->engine;
    switch (word & 3) {
    case WORD_DATA:
        if (word & DATA_FAULT_VALID)
            engine->fault_unit = word >> 3 & 0x7f;
        break;
    case WORD_ENUM:
        if (word & ENUM_ENGINE)
            engine->id = word >> 26 & 0xf;
        if (word & ENUM_RUNLIST)
            engine->runlist = word >> 21 & 0xf;
        if (word & ENUM_RESET)
            engine->enable = 1u << (word >> 9 & 0x1f);
        words->has_engine |= (word & ENUM_ENGINE) != 0;
        words->has_runlist |= (word & ENUM_RUNLIST) != 0;
        break;
    case WORD_TYPE:
        engine->type = word >> 2 & 0x1fffffff;
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
    for (uint32_t i = 0; i < TOPOLOGY_WORDS; i++) {
        uint32_t word = device_rd32(device, TOPOLOGY + 4 * i);
        add_word(&words, word);
        if ((word & 3) == 0 || (word & WORD_CONTINUES))
            continue;
        if (words.has_type && words.has_engine && words.has_runlist && count < GPFIFO_ENGINES)
            engines[count++] = words.engine;
        words = none;
    }
    return count;
}
