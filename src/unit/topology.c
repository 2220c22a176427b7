/* SPDX-License-Identifier: MIT */
#include "unit/topology.h"

#include "chip/units.h"
#include "hw/pfifo_gf100.h"

#define TOP_DATA     1u
#define TOP_ENUM     2u
#define TOP_TYPE     3u
#define TOP_CONTINUE (1u << 31)

#define HAS_ENGINE (1u << 5) /* of ENUM */
#define HAS_LIST   (1u << 4)
#define HAS_INTR   (1u << 3)
#define HAS_RESET  (1u << 2)
#define HAS_FAULT  (1u << 2) /* of DATA */
#define BASE       0x00fff000u

static void describe(uint32_t words[3], const struct chip_unit_row *unit, unsigned engine, unsigned list) {
    words[0] = TOP_TYPE | (uint32_t)unit->topology << 2 | TOP_CONTINUE;
    words[1] = TOP_ENUM | HAS_ENGINE | engine << 26 | HAS_LIST | list << 21 | TOP_CONTINUE;
    words[2] = TOP_DATA | HAS_FAULT | (uint32_t)unit->fault_unit << 3;
    if (unit->topology_has_lines) {
        words[1] |= HAS_INTR | (uint32_t)unit->line << 15 | HAS_RESET | (uint32_t)unit->enable << 9;
        words[2] |= unit->base & BASE;
    }
}

static void make_table(struct topology *t, const struct pfifo_chip *chip, unsigned lists) {
    unsigned list = 0, word = 0;
    for (unsigned e = 0; e < CHIP_MAX_ENGINES; e++) {
        const struct chip_unit_row *unit = chip_unit_row(chip, chip->engines[e]);
        if (!unit)
            continue;
        bool shared = unit->unit == CHIP_UNIT_PCOPY2 || list >= lists;
        if (unit->unit == CHIP_UNIT_PCOPY2)
            t->shared_copy = e;
        t->engine_list[e] = shared ? 0 : list;
        if (!shared)
            t->list_engine[list++] = e;
        describe(&t->words[word], unit, e, t->engine_list[e]);
        word += 3;
    }
}

static const struct reg rows[] = {
    {NV_PTOP_DEVICE_INFO, "TOPOLOGY", .at = offsetof(struct topology, words), .readable = ~0u, .count = TOPOLOGY_WORDS},
};
static const struct reg_table table = {"PTOP", rows, 1};

enum pfifo_status topology_attach(struct topology *topology, struct bus *bus, unsigned lists,
                                  struct pfifo_error *error) {
    _Static_assert(3 * CHIP_MAX_ENGINES <= TOPOLOGY_WORDS, "the table has room for all engines");
    enum pfifo_status status = bus_attach_table(bus, &table, topology, error);
    make_table(topology, bus->chip, lists);
    return status;
}
