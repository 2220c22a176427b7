/* SPDX-License-Identifier: MIT */
#include "unit/topology.h"

#include <assert.h>

#include "chip/units.h"
#include "hw/pfifo_gf100.h"

#define BASE 0x00fff000u

static void topology_describe(uint32_t words[3], const struct chip_unit_row *unit, unsigned engine, unsigned list) {
    words[0] = PTOP_KIND_TYPE | (uint32_t)unit->topology << PTOP_TYPE | PTOP_CONTINUES;
    words[1] = PTOP_KIND_ENUM | PTOP_ENUM_ENGINE_VALID | engine << PTOP_ENUM_ENGINE | PTOP_ENUM_RUNLIST_VALID |
               list << PTOP_ENUM_RUNLIST | PTOP_CONTINUES;
    words[2] = PTOP_KIND_DATA | PTOP_DATA_FAULT_VALID | (uint32_t)unit->fault_unit << PTOP_DATA_FAULT;
    if (unit->topology_has_lines) {
        words[1] |= PTOP_ENUM_INTR_VALID | (uint32_t)unit->line << PTOP_ENUM_INTR | PTOP_ENUM_RESET_VALID |
                    (uint32_t)unit->enable << PTOP_ENUM_RESET;
        words[2] |= unit->base & BASE;
    }
}

static void topology_make_table(struct topology *t, const struct pfifo_chip *chip, unsigned lists) {
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
        assert(word + 3 <= TOPOLOGY_WORDS && t->engine_list[e] <= list);
        topology_describe(&t->words[word], unit, e, t->engine_list[e]);
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
    topology_make_table(topology, bus->chip, lists);
    return status;
}
