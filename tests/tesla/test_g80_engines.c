/* SPDX-License-Identifier: MIT */
/*
 * Engines of G80 .. MCP89 as PFIFO knows them: who is idle, and whose fault it was.
 *
 * Sources: envytools rnndb/fifo/g80_pfifo.xml, docs/hw/fifo/intro.rst, docs/hw/memory/g80-vm.rst. What they do not say
 * is [chosen].
 */
#include <string.h>

#include "g80.h"

#define HANDLE 0xbeef0001u

/* ---- ENGINE_IDLE ---- */

static bool busy_with_channel_1(void *engine, const struct pfifo_channel_context *channel) {
    (void)engine;
    return pfifo_channel_context_id(channel) == 1;
}

/* It does not matter who is in CACHE1. */
static void an_engine_is_not_idle_while_it_works_for_a_channel_that_left(void **state) {
    struct rig *rig = *state;
    static struct pfifo_engine_ops ops;
    ops = *rig->fifo->engines[1].ops;
    ops.busy = busy_with_channel_1;
    rig->fifo->engines[1].ops = &ops;
    rig_open(rig, 2);
    assert_int_equal(rd(rig, ENGINE_IDLE), 0x3f);
    rig_object(rig, 1, HANDLE, 1, 0x502d);
    push(rig, INC(0, 0, 1), HANDLE);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, ENGINE_IDLE), 0x3e);
    bring_in(rig, 2);
    assert_int_equal(rd(rig, ENGINE_IDLE), 0x3e);
    rig_object(rig, 2, HANDLE, 1, 0x502d);
    push_to(rig, 2, INC(0, 0, 1), HANDLE);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE); /* now it works for channel 2 */
    assert_int_equal(rd(rig, ENGINE_IDLE), 0x3f);
}

/* ---- faults ---- */

/* VM engine, client and DMA slot of the engines 1 .. 6; 0xff: there is none. [chosen] the client of PME and PVP1. */
#define NONE 0xff
static const struct sources {
    const char *chips[7];
    struct {
        uint8_t engine, client, slot; /* of what writes */
    } id[7];
} table[] = {
    {{"G80"}, {{NONE, 0}, {0, 3}, {8, 6}, {7, 6}, {1, 6}, {NONE, 0}, {NONE, 0}}},
    {{"G84", "G86", "G92", "G94", "G96", "GT200"},
     {{NONE, 0}, {0, 3}, {8, 6}, {NONE, 0}, {1, 0xc}, {0xa, 0xe, 2}, {9, 0xd}}},
    {{"G98", "MCP77", "MCP79"}, {{NONE, 0}, {0, 3}, {8, 6}, {NONE, 0}, {1, 0xc}, {0xa, 0xe}, {9, 0xd}}},
    {{"GT215", "GT216", "GT218"}, {{NONE, 0}, {0, 3}, {8, 6}, {0xd, 0x13}, {1, 0xc}, {NONE, 0}, {9, 0xd}}},
    {{"MCP89"}, {{NONE, 0}, {0, 3}, {8, 6}, {0xd, 0x13}, {1, 0xc}, {7, 0x14}, {9, 0xd}}},
};

static const struct sources *sources_of(const struct rig *rig) {
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (size_t j = 0; table[i].chips[j]; j++)
            if (strcmp(table[i].chips[j], rig->chip->name) == 0)
                return &table[i];
    fail_msg("%s is not in the table", rig->chip->name);
    return NULL;
}

/* The engine writes through object 0, which is no object. */
static void a_fault_has_the_numbers_of_its_engine(void **state) {
    struct rig *rig = *state;
    const struct sources *s = sources_of(rig);
    uint32_t bits = rig->chip->has_nrhost ? 8 : 4;
    for (uint32_t id = 1; id < 7; id++) {
        if (s->id[id].engine == NONE)
            continue;
        if (id > 2) {
            rig->fifo->engines[id].ops = rig->fifo->engines[2].ops;
            rig->fifo->engines[id].engine = rig->fifo->engines[2].engine;
        }
        rig_object(rig, 1, HANDLE + id, id, 0);
        push(rig, INC(id, 0, 1), HANDLE + id, INC(id, RIG_WRITE, 1), 1);
        assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
        uint32_t word = vm_fault_word(rig, 0), mask = (1u << bits) - 1;
        assert_int_equal(word & mask, s->id[id].engine);
        assert_int_equal(word >> 2 * bits & mask, s->id[id].client);
        assert_int_equal(word >> 3 * bits, s->id[id].slot);
        wr(rig, VM_FAULT, 1u << 31);
    }
}

/* Client and DMA slot of what PGRAPH accesses: envytools docs/hw/memory/g80-vm.rst. */
static void a_fault_of_pgraph_names_client_and_slot(void **state) {
    struct rig *rig = *state;
    static const struct {
        enum unit_use use;
        uint32_t client, slot;
    } uses[] = {
        {USE_NOTIFIER, 3, 1},           {USE_QUERY, 3, 2},           {USE_CONDITION, 3, 3}, {USE_COPY_IN, 3, 4},
        {USE_COPY_OUT, 3, 5},           {USE_BUFFER_NOTIFIER, 3, 6}, {USE_CONSTANTS, 5, 0}, {USE_2D_SOURCE, 0xa, 0},
        {USE_2D_DESTINATION, 0xb, 0xc}, {USE_ZETA, 0xb, 8},          {USE_COLOR, 0xb, 0},   {USE_COLOR + 3, 0xb, 3},
    };
    uint32_t bits = rig->chip->has_nrhost ? 8 : 4;
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        const struct pfifo_channel_context channel = {.fifo = rig->fifo, .id = 1, .instance = 0x4000};
        const struct fault fault = {FAULT_PTE, 0x5000, true};
        const struct unit_trap trap = {.error = ENGINE_ERROR_ACCESS, .use = uses[i].use};
        fifo_engine_fault(&channel, CHIP_UNIT_PGRAPH, &fault, &trap);
        assert_int_equal(vm_fault_word(rig, 0), 2u << bits | uses[i].client << 2 * bits | uses[i].slot << 3 * bits);
        wr(rig, VM_FAULT, 1u << 31);
    }
}

/* ---- classes ---- */

/* nouveau nvkm/engine/{vp,bsp}/g84.c, {mspdec,msppp,sec}/g98.c, {msvld,mspdec,msppp,ce}/gt215.c, msvld/mcp89.c. */
static const struct own {
    const char *chips[7];
    uint32_t class[7]; /* of the engines 1 .. 6; 0: RAMIN says */
} own[] = {
    {{"G80"}, {0}},
    {{"G84", "G86", "G92", "G94", "G96", "GT200"}, {0, 0, 0, 0, 0x7476, 0, 0x74b0}},
    {{"G98", "MCP77", "MCP79"}, {0, 0, 0x88b3, 0, 0x88b2, 0x88b4, 0x88b1}},
    {{"GT215", "GT216", "GT218"}, {0, 0, 0x85b3, 0x85b5, 0x85b2, 0, 0x85b1}},
    {{"MCP89"}, {0, 0, 0x85b3, 0x85b5, 0x85b2, 0x86b6, 0x86b1}},
};

static const struct own *own_of(const struct rig *rig) {
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        for (size_t j = 0; own[i].chips[j]; j++)
            if (strcmp(own[i].chips[j], rig->chip->name) == 0)
                return &own[i];
    fail_msg("%s is not in the table", rig->chip->name);
    return NULL;
}

/* Instance 4 of nouveau is in the channel's descriptor, and nothing in particular is there. */
static void units_that_run_firmware_have_their_class_whatever_ramin_says(void **state) {
    struct rig *rig = *state;
    const struct own *classes = own_of(rig);
    for (uint32_t id = 1; id < 7; id++) {
        if (rig->chip->engines[id] == CHIP_UNIT_NONE)
            continue;
        rig->fifo->engines[id].ops = rig->fifo->engines[2].ops;
        rig->fifo->engines[id].engine = rig->fifo->engines[2].engine;
        rig_handle(rig, 1, HANDLE + id, id, 4);
        rig_object(rig, 1, HANDLE + 0x10 + id, id, 0x3d);
        push(rig, INC(id, 0, 1), HANDLE + id);
        assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
        if (classes->class[id])
            assert_int_equal(rig->engine[2].bound_class, classes->class[id]);
        push(rig, INC(id, 0, 1), HANDLE + 0x10 + id);
        assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
        assert_int_equal(rig->engine[2].bound_class, classes->class[id] ? classes->class[id] : 0x3d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_KINDS(an_engine_is_not_idle_while_it_works_for_a_channel_that_left),
        ON_EACH(a_fault_has_the_numbers_of_its_engine),
        ON_EACH(a_fault_of_pgraph_names_client_and_slot),
        ON_EACH(units_that_run_firmware_have_their_class_whatever_ramin_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
