/* SPDX-License-Identifier: MIT */
/*
 * The engines of G80 .. MCP89 by their ids: what can be bound, what cannot, and who is idle.
 *
 * Sources: envytools rnndb/fifo/g80_pfifo.xml, docs/hw/fifo/intro.rst; nouveau nvkm/engine/fifo/chang84.c.
 */
#include <string.h>

#include "chip/chip.h"
#include "engine/engines.h"
#include "tesla/g80.h"

#define IDS 7

static const struct {
    const char *chips;
    const char *unit[IDS];
} engines[] = {
    {"g80", {"SOFTWARE", "PGRAPH", "PMPEG", "PME", "PVP1", NULL, NULL}},
    {"g84 g86 g92 g94 g96 gt200", {"SOFTWARE", "PGRAPH", "PMPEG", NULL, "PVP2", "PCIPHER", "PBSP"}},
    {"g98 mcp77 mcp79", {"SOFTWARE", "PGRAPH", "PPPP", NULL, "PPDEC", "PSEC", "PVLD"}},
    {"gt215 gt216 gt218", {"SOFTWARE", "PGRAPH", "PPPP", "PCOPY0", "PPDEC", NULL, "PVLD"}},
    {"mcp89", {"SOFTWARE", "PGRAPH", "PPPP", "PCOPY0", "PPDEC", "PVCOMP", "PVLD"}},
};

static bool listed(const char *chips, const char *name) {
    for (size_t length; *chips; chips += length + (chips[length] == ' ')) {
        length = strcspn(chips, " ");
        if (strlen(name) == length && strncasecmp(chips, name, length) == 0)
            return true;
    }
    return false;
}

/* Name of the engine, NULL: the chip has none of this id. */
static const char *unit_of(const struct rig *rig, uint32_t id) {
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
        if (listed(engines[i].chips, rig->chip->name))
            return id < IDS ? engines[i].unit[id] : NULL;
    fail_msg("%s is missing in the list", rig->chip->name);
    return NULL;
}

/* As drivers do it, for an entry that they skip. */
static void skip_entry(struct rig *rig) {
    wr(rig, INTR, I_CACHE_ERROR);
    wr(rig, CACHE_GET, rd(rig, CACHE_GET) + 4);
    wr(rig, HASH, 0);
    wr(rig, PULL0, 1);
}

static void expect_stop(struct rig *rig, uint32_t cause, uint32_t get) {
    assert_int_equal(rd(rig, PULL0), cause);
    assert_int_equal(rd(rig, INTR), I_CACHE_ERROR);
    assert_int_equal(rd(rig, DEBUG_0), 0x10);
    assert_int_equal(rd(rig, CACHE_GET), get);
    skip_entry(rig);
}

static void each_id_binds_if_there_is_an_engine(void **state) {
    struct rig *rig = *state;
    assert_int_equal(engine_install(rig->fifo, NULL), PFIFO_OK);
    for (uint32_t id = 0; id < 16; id++) {
        const char *unit = unit_of(rig, id);
        uint32_t before = rd(rig, PULL1), nibbles = rd(rig, ENGINE);
        uint32_t instance = rig_object(rig, 1, 0xbeef0000 + id, id, 0x30);
        push(rig, INC(id & 7, 0, 1), 0xbeef0000 + id);
        uint32_t get = rd(rig, CACHE_GET);
        enum pfifo_stop stop = rig_go(rig);
        if (unit && id != 0) {
            assert_int_equal(stop, PFIFO_STOP_IDLE);
            assert_string_equal(chip_unit_name(rig->fifo->engines[id].unit), unit);
            assert_int_equal(rd(rig, PULL1), id);
            assert_int_equal(rd(rig, ENGINE) >> (4 * (id & 7)) & 0xf, id);
            assert_int_equal(rd(rig, HASH), instance);
            continue;
        }
        assert_int_equal(stop, PFIFO_STOP_INTERRUPT);
        expect_stop(rig, id ? P_INVALID_ENGINE : P_SOFTWARE, get);
        assert_int_equal(rd(rig, PULL1), before);
        assert_int_equal(rd(rig, ENGINE), nibbles);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    }
}

/* The nibble of a subchannel is a register: a driver can write what it likes. */
static void methods_to_an_id_without_engine_are_invalid_engine(void **state) {
    struct rig *rig = *state;
    assert_int_equal(engine_install(rig->fifo, NULL), PFIFO_OK);
    for (uint32_t id = 0; id < 16; id++) {
        bring_in(rig, 1);
        wr(rig, ENGINE, id << 12);
        uint32_t get = rd(rig, CACHE_GET);
        push(rig, INC(3, 0x200, 1), 0);
        enum pfifo_stop stop = rig_go(rig);
        if (id != 0 && unit_of(rig, id)) {
            assert_int_equal(stop, PFIFO_STOP_IDLE);
            continue;
        }
        assert_int_equal(stop, PFIFO_STOP_INTERRUPT);
        expect_stop(rig, id ? P_INVALID_ENGINE : P_SOFTWARE, get);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    }
}

/* Bit id - 1; those that are not there are idle, as drivers that wait for all of them want it. */
static void engine_idle_has_a_bit_for_each_engine(void **state) {
    struct rig *rig = *state;
    struct fifo_engine bench = rig->fifo->engines[1];
    for (uint32_t id = 1; id < IDS; id++)
        rig->fifo->engines[id].ops = NULL;
    assert_int_equal(rd(rig, ENGINE_IDLE), 0x3f);
    bring_in(rig, 1);
    rig->engine[1].busy = true;
    for (uint32_t id = 1; id < IDS; id++) {
        rig->fifo->engines[id].ops = bench.ops;
        rig->fifo->engines[id].engine = bench.engine;
        assert_int_equal(rd(rig, ENGINE_IDLE), 0x3f & ~(1u << (id - 1)));
        rig->fifo->engines[id].ops = NULL;
    }
}

/* Each goes to its own engine, in the order of the stream; a change waits for the last one. */
static void a_change_of_engine_waits_until_the_last_is_idle(void **state) {
    struct rig *rig = *state;
    rig_object(rig, 1, 0xbeef0001, 1, 0x5097);
    rig_object(rig, 1, 0xbeef0002, 2, 0x3174);
    push(rig, INC(0, 0, 1), 0xbeef0001, INC(1, 0, 1), 0xbeef0002);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    rig->logged = 0;
    rig->engine[2].busy = true;
    push(rig, INC(1, 0x200, 1), 1, INC(0, 0x200, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    expect_methods(rig, {1, 0x200, 1});
    rig->engine[2].busy = false;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 2});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH(each_id_binds_if_there_is_an_engine),
        ON_EACH(methods_to_an_id_without_engine_are_invalid_engine),
        ON_EACH(engine_idle_has_a_bit_for_each_engine),
        ON_KINDS(a_change_of_engine_waits_until_the_last_is_idle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
