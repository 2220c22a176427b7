/* SPDX-License-Identifier: MIT */
/*
 * PGRAPH's front and those of the other units, by themselves: which bits an error, a fault or a wish to be woken sets
 * on each generation, what holds the unit, and how the lines into PMC follow.
 *
 * What is expected is from envytools rnndb/graph, rnndb/falcon.xml, hwtest (nvhw/pgraph_xy4.c) and nouveau, not from
 * the tables under test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gpu/gpu.h"
#include "unit/graph/graph.h"
#include "unit/graph/graph_error.h"
#include "fifo/ops.h"
#include "unit/simple.h"

#define INTR     0x400100u
#define LINE     (1u << 12)
#define COUNT(x) (sizeof(x) / sizeof((x)[0]))

static struct pfifo_gpu *make(const char *chip) {
    const struct pfifo_config config = {
        .chip = pfifo_chip_by_name(chip), .vram_bytes = 16u << 20, .system_bytes = 1u << 20};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_non_null(gpu);
    pfifo_gpu_wr32(gpu, 0x200, ~0u);
    return gpu;
}

static uint32_t rd(struct pfifo_gpu *gpu, uint32_t offset) {
    return pfifo_gpu_rd32(gpu, offset);
}

static void wr(struct pfifo_gpu *gpu, uint32_t offset, uint32_t value) {
    pfifo_gpu_wr32(gpu, offset, value);
}

static bool open(const struct pfifo_gpu *gpu) {
    return (gpu->fifo->graph->r.access & GRAPH_ACCESS) != 0;
}

/* ---- PGRAPH ---- */

static void status_follows_its_source(void **state) {
    static const struct {
        uint32_t nsource, nv4, nv10;
    } rows[] = {
        {1u << 1, 0x2000, 0x02000000},  {1u << 2, 0x4000, 0x01000000},  {1u << 3, 0x4000, 0x04000000},
        {1u << 6, 0x4000, 0x04000000},  {1u << 9, 0x1000, 0x01000000},  {1u << 11, 0x1000, 0x01000000},
        {1u << 12, 0x0800, 0x00800000}, {1u << 13, 0x0800, 0x00800000}, {1u << 14, 0x1000, 0x01000000},
        {1u << 18, 0x1000, 0x01000000}, {1u << 19, 0x1000, 0x01000000}, {1u << 1 | 1u << 12, 0x2800, 0x02800000},
    };
    static const char *const chips[] = {"NV4", "NV5", "NV10", "NV17", "NV20", "NV34", "NV40", "NV44"};
    (void)state;
    for (size_t c = 0; c < COUNT(chips); c++)
        for (size_t i = 0; i < COUNT(rows); i++) {
            struct pfifo_gpu *gpu = make(chips[c]);
            const struct unit_trap trap = {0};
            const struct graph_codes trap_codes = {.nsource = rows[i].nsource};
            bool nv4 = c < 2;
            assert_true(graph_show(gpu->fifo->graph, 1, &trap, &trap_codes));
            assert_int_equal(rd(gpu, 0x400108), rows[i].nsource);
            assert_int_equal(rd(gpu, 0x400104), nv4 ? rows[i].nv4 : rows[i].nv10);
            assert_int_equal(rd(gpu, INTR), nv4 ? 1 : 1u << 20);
            assert_false(open(gpu));
            pfifo_gpu_free(gpu);
        }
}

static void checks_can_be_switched_off(void **state) {
    static const struct {
        const char *chip;
        uint32_t data, state;
    } rows[] = {{"NV4", 1u << 20, 1u << 28}, {"NV10", 1u << 20, 1u << 24}, {"NV40", 1u << 20, 1u << 24}};
    const struct unit_trap data = {0}, missing = {0}, method = {0};
    const struct graph_codes data_codes = {.nsource = 2}, missing_codes = {.nsource = 1u << 11},
                             method_codes = {.nsource = 1u << 6};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct pfifo_gpu *gpu = make(rows[i].chip);
        wr(gpu, 0x40008c, rows[i].state);
        assert_false(graph_show(gpu->fifo->graph, 1, &data, &data_codes));
        assert_true(open(gpu));
        wr(gpu, 0x40008c, rows[i].data);
        assert_false(graph_show(gpu->fifo->graph, 1, &missing, &missing_codes));
        assert_int_equal(rd(gpu, INTR), 0);
        wr(gpu, 0x40008c, 0);
        assert_true(
            graph_show(gpu->fifo->graph, 1, &method, &method_codes)); /* of what does not exist there is no choice */
        pfifo_gpu_free(gpu);
    }
}

static void nv1_and_nv3_say_what_is_invalid(void **state) {
    static const char *const chips[] = {"NV1", "NV3", "NV3T"};
    const struct unit_trap trap = {.subchannel = 5, .method = 0x300, .data = 77};
    const struct graph_codes trap_codes = {.invalid = 0x10};
    (void)state;
    for (size_t i = 0; i < COUNT(chips); i++) {
        struct pfifo_gpu *gpu = make(chips[i]);
        bool nv1 = i == 0;
        wr(gpu, 0x400140, 1);
        assert_true(graph_show(gpu->fifo->graph, 9, &trap, &trap_codes));
        assert_int_equal(rd(gpu, INTR), 1);
        assert_int_equal(rd(gpu, 0x400104), 0x10);
        assert_int_equal(rd(gpu, 0x100) & LINE, LINE);
        assert_int_equal(rd(gpu, nv1 ? 0x4006a8 : 0x4006b4), (nv1 ? 0 : 9u << 24) | 5u << 13 | 0x300);
        assert_int_equal(rd(gpu, nv1 ? 0x4006ac : 0x4006b8), 77);
        assert_int_equal(rd(gpu, 0x4006a4), nv1 ? 0x0f000000 : 0);
        wr(gpu, 0x400104, 0x10);
        assert_int_equal(rd(gpu, 0x400104), 0);
        wr(gpu, INTR, 1);
        assert_int_equal(rd(gpu, 0x100) & LINE, 0);
        pfifo_gpu_free(gpu);
    }
}

static void being_woken_sets_its_own_bit_and_halts_nothing(void **state) {
    static const struct {
        const char *chip;
        uint32_t notify, buffer_notify, query, sync;
    } rows[] = {
        {"NV1", 1u << 28, 1u << 28, 1u << 28, 1u << 28},
        {"NV4", 1, 1u << 16, 1, 1},
        {"NV20", 1, 1u << 16, 1, 1},
        {"NV40", 1, 1u << 16, 1, 1},
        {"G80", 1, 1u << 16, 2, 4},
        {"MCP89", 1, 1u << 16, 2, 4},
        {"GF100", 1, 1u << 16, 2, 0}, /* the last one is told to the second destination */
        {"GM20B", 1, 1u << 16, 2, 0},
        {"GP102", 1, 1u << 16, 2, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const uint32_t expected[] = {rows[i].notify, rows[i].buffer_notify, rows[i].query, rows[i].sync};
        for (unsigned cause = CAUSE_NOTIFY; cause <= CAUSE_SYNC; cause++) {
            struct pfifo_gpu *gpu = make(rows[i].chip);
            graph_notify(gpu->fifo->graph, (enum unit_cause)cause);
            assert_int_equal(rd(gpu, INTR), expected[cause]);
            assert_true(open(gpu));
            assert_false(graph_asks(gpu->fifo->graph));
            assert_int_equal(rd(gpu, 0x100) & LINE, 0); /* not enabled */
            pfifo_gpu_free(gpu);
        }
    }
}

static void a_report_that_traps_reaches_the_second_line_of_fermi(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make("GF100");
    wr(gpu, 0x400124, 2);
    wr(gpu, 0x144, 1);
    graph_notify(gpu->fifo->graph, CAUSE_SYNC);
    assert_int_equal(rd(gpu, 0x400120), 2);
    assert_int_equal(rd(gpu, 0x104), LINE);
    assert_int_equal(rd(gpu, 0x100) & LINE, 0);
    assert_true(pfifo_gpu_irq(gpu));
    wr(gpu, 0x400120, 2);
    assert_int_equal(rd(gpu, 0x104), 0);
    assert_false(pfifo_gpu_irq(gpu));
    pfifo_gpu_free(gpu);
}

/* As nouveau's gf100_gr_intr() does it: what INTR shows is written back, and nothing else. */
static void what_programs_of_fermi_ask_for_is_acknowledged_in_intr(void **state) {
    static const enum unit_cause causes[] = {CAUSE_NOTIFY, CAUSE_BUFFER_NOTIFY, CAUSE_QUERY};
    static const char *const chips[] = {"GF100", "GK104", "GM107", "GP102"};
    (void)state;
    for (size_t i = 0; i < COUNT(chips); i++) {
        struct pfifo_gpu *gpu = make(chips[i]);
        wr(gpu, 0x400124, 2);
        wr(gpu, 0x40013c, ~0u);
        for (uint32_t n = 0; n < 2; n++) {
            wr(gpu, 0x140 + 4 * n, 1);
            wr(gpu, 0x160 + 4 * n, ~0u); /* GP100 */
        }
        for (size_t n = 0; n < COUNT(causes); n++) {
            graph_notify(gpu->fifo->graph, causes[n]);
            assert_int_equal(rd(gpu, 0x100) & LINE, LINE);
            assert_true(pfifo_gpu_irq(gpu));
            wr(gpu, INTR, rd(gpu, INTR));
            assert_int_equal((rd(gpu, 0x100) | rd(gpu, 0x104)) & LINE, 0);
            assert_false(pfifo_gpu_irq(gpu));
        }
        pfifo_gpu_free(gpu);
    }
}

/* What a notifier says of its source goes when it is acknowledged, what an error says stays, and the other way round.
 */
static void sources_go_with_their_interrupt(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make("NV10");
    const struct unit_trap trap = {0};
    const struct graph_codes trap_codes = {.nsource = 0x40};
    graph_notify(gpu->fifo->graph, CAUSE_NOTIFY);
    graph_notify(gpu->fifo->graph, CAUSE_BUFFER_NOTIFY);
    assert_true(graph_show(gpu->fifo->graph, 1, &trap, &trap_codes));
    assert_int_equal(rd(gpu, 0x400108), 0x8041);
    wr(gpu, INTR, 1);
    assert_int_equal(rd(gpu, 0x400108), 0x8040);
    assert_int_equal(rd(gpu, 0x400104), 0x04000000);
    wr(gpu, INTR, 1u << 20);
    assert_int_equal(rd(gpu, 0x400108), 0x8000);
    assert_int_equal(rd(gpu, 0x400104), 0x04000000); /* a register of its own: see graph_drawing */
    wr(gpu, INTR, 1u << 16);
    assert_int_equal(rd(gpu, 0x400108), 0);
    pfifo_gpu_free(gpu);
}

static const struct unit_place {
    const char *chip;
    uint32_t unit, offset;
} trap_places[] = {
    {"G80", 0, 0x400804},   {"G80", 1, 0x406800},   {"G80", 2, 0x400c04},   {"G80", 3, 0x401800},
    {"G80", 4, 0x405018},   {"G80", 5, 0x402000},   {"G80", 6, 0x408900},   {"G80", 7, 0x408314},
    {"G80", 8, 0x408e08},   {"GT215", 6, 0x408600}, {"GT215", 7, 0x40831c}, {"GT215", 8, 0x408708},
    {"GF100", 0, 0x404000}, {"GF100", 1, 0x404600}, {"GF100", 3, 0x408030}, {"GF100", 4, 0x405840},
    {"GF100", 6, 0x40601c}, {"GF100", 7, 0x404490}, {"GK104", 8, 0x407020}, {"GP102", 7, 0x404490},
};

static void units_trap_in_their_own_register(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(trap_places); i++) {
        const struct unit_place *place = &trap_places[i];
        struct pfifo_gpu *gpu = make(place->chip);
        const struct unit_trap trap = {0};
        const struct graph_codes trap_codes = {.intr = 1u << 21, .unit = place->unit, .status = 5};
        wr(gpu, place->offset, 0x80000000);
        assert_true(graph_show(gpu->fifo->graph, 1, &trap, &trap_codes));
        assert_int_equal(rd(gpu, INTR), 1u << 21);
        assert_int_equal(rd(gpu, 0x400108), 1u << place->unit);
        assert_int_equal(rd(gpu, place->offset), 0x80000005);
        wr(gpu, 0x400108, 1u << place->unit);
        assert_int_equal(rd(gpu, 0x400108), 0);
        wr(gpu, place->offset, 0xc0000000);
        assert_int_equal(rd(gpu, place->offset), 0x80000000);
        wr(gpu, place->offset, 0x7);
        assert_int_equal(rd(gpu, place->offset), 0);
        pfifo_gpu_free(gpu);
    }
}

static void a_unit_that_may_not_trap_only_shows_its_status(void **state) {
    const struct unit_trap trap = {0};
    const struct graph_codes trap_codes = {.intr = 1u << 21, .unit = 1, .status = 2};
    (void)state;
    struct pfifo_gpu *gpu = make("G84");
    wr(gpu, 0x400138, ~2u);
    assert_false(graph_show(gpu->fifo->graph, 1, &trap, &trap_codes));
    assert_int_equal(rd(gpu, INTR), 0);
    assert_int_equal(rd(gpu, 0x400108), 2);
    assert_int_equal(rd(gpu, 0x406800), 2);
    assert_true(open(gpu));
    pfifo_gpu_free(gpu);
}

/* The method that failed in DISPATCH of Tesla is still there, until the driver takes it away. */
static void dispatch_keeps_what_is_stuck(void **state) {
    struct unit_trap trap = {.subchannel = 3, .method = 0x104, .data = 6, .object_class = 0x502d};
    struct graph_codes trap_codes = {.intr = 1u << 21};
    (void)state;
    struct pfifo_gpu *gpu = make("GT215");
    trap_codes.status = 1;
    assert_true(graph_show(gpu->fifo->graph, 1, &trap, &trap_codes));
    assert_int_equal(rd(gpu, 0x400808), 0x80030104);
    assert_int_equal(rd(gpu, 0x40080c), 6);
    assert_int_equal(rd(gpu, 0x400814), 0x502d);
    trap_codes.status = 2;
    assert_true(graph_show(gpu->fifo->graph, 1, &trap, &trap_codes));
    assert_int_equal(rd(gpu, 0x40084c), 0x80030104);
    assert_int_equal(rd(gpu, 0x400804), 3);
    pfifo_gpu_free(gpu);
}

static void a_macro_that_trapped_shows_its_machine(void **state) {
    struct unit_macro_state macro = {.opcode = 0x91, .pc = 0x7f3, .next_pc = 0x7f4, .state = 0x101};
    const struct unit_trap trap = {.macro = &macro};
    const struct graph_codes trap_codes = {.intr = 1u << 21, .unit = 7, .status = 4};
    (void)state;
    struct pfifo_gpu *gpu = make("GK104");
    for (uint32_t i = 0; i < 8; i++)
        macro.reg[i] = 0x100 + i;
    assert_true(graph_show(gpu->fifo->graph, 1, &trap, &trap_codes));
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(rd(gpu, 0x404400 + 4 * i), 0x100 + i);
    assert_int_equal(rd(gpu, 0x404420), 0x91);
    assert_int_equal(rd(gpu, 0x404424), 0x7f3);
    assert_int_equal(rd(gpu, 0x404428), 0x7f4);
    assert_int_equal(rd(gpu, 0x40442c), 0x101);
    assert_int_equal(rd(gpu, 0x404494), 0x100007f3);
    assert_int_equal(rd(gpu, 0x40449c), 0x91);
    pfifo_gpu_free(gpu);
}

static void classes_of_all_subchannels_are_kept(void **state) {
    static const struct {
        const char *chip;
        uint32_t offset, count;
    } rows[] = {{"NV4", 0x400180, 8},   {"NV10", 0x400160, 8},  {"NV40", 0x400160, 8},
                {"GF100", 0x404200, 8}, {"GK104", 0x404200, 4}, {"GP102", 0x404200, 4}};
    struct unit_trap trap = {0};
    struct graph_codes trap_codes = {.nsource = 0x40, .intr = 0x10};
    (void)state;
    for (uint16_t s = 0; s < 8; s++)
        trap.classes[s] = (uint16_t)(0x90 + s);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct pfifo_gpu *gpu = make(rows[i].chip);
        assert_true(graph_show(gpu->fifo->graph, 1, &trap, &trap_codes));
        for (uint32_t s = 0; s < rows[i].count; s++)
            assert_int_equal(rd(gpu, rows[i].offset + 4 * s), 0x90 + s);
        pfifo_gpu_free(gpu);
    }
}

static void disabling_pgraph_in_pmc_forgets_its_error(void **state) {
    static const char *const chips[] = {"NV3", "NV4", "NV40", "G80", "GT215", "GF100", "GK104", "GP102"};
    const struct unit_trap trap = {0};
    const struct graph_codes trap_codes = {.invalid = 1, .nsource = 0x40, .intr = 0x10};
    (void)state;
    for (size_t i = 0; i < COUNT(chips); i++) {
        struct pfifo_gpu *gpu = make(chips[i]);
        wr(gpu, i < 2 ? 0x400140 : 0x40013c, ~0u);
        assert_true(graph_show(gpu->fifo->graph, 1, &trap, &trap_codes));
        assert_int_equal(rd(gpu, 0x100) & LINE, LINE);
        wr(gpu, 0x200, ~LINE);
        wr(gpu, 0x200, ~0u);
        assert_true(open(gpu));
        assert_int_equal(rd(gpu, INTR), 0);
        assert_int_equal(rd(gpu, 0x100) & LINE, 0);
        pfifo_gpu_free(gpu);
    }
}

/* ---- other units ---- */

static struct unit_regs *registers_of(struct unit *unit) {
    return &((struct simple_unit *)unit)->r;
}

static struct unit *front_of(struct pfifo_gpu *gpu, enum chip_unit unit) {
    struct unit *front = fifo_unit(gpu->fifo, unit);
    assert_non_null(front);
    return front;
}

static const struct unit_row {
    const char *chip;
    enum chip_unit unit;
    uint32_t line;
    uint32_t intr, acknowledge; /* registers */
    uint32_t notify, error;     /* bits; no error: nothing is refused */
    uint32_t where, shown;      /* register, and what it says of method 0x300 on subchannel 2; none: 0 */
    uint32_t enable;            /* bit of PMC ENABLE */
} unit_rows[] = {
    {"NV40", CHIP_UNIT_PMPEG, 0, 0xb100, 0xb100, 1, 1u << 24, 0xb234, 0x300, 1},
    {"G84", CHIP_UNIT_PMPEG, 0, 0xb100, 0xb100, 1, 1u << 24, 0xb234, 0x300, 1},
    {"G84", CHIP_UNIT_PVP2, 17, 0xfc20, 0xfc20, 1, 0, 0, 0, 17},
    {"G84", CHIP_UNIT_PBSP, 15, 0x103c20, 0x103c20, 1, 0, 0, 0, 15},
    {"GT200", CHIP_UNIT_PCIPHER, 14, 0x102130, 0x102130, 0x80, 1, 0x102190, 0x300, 14},
    {"G98", CHIP_UNIT_PVLD, 15, 0x84008, 0x84004, 0x80, 0x40, 0x84040, 0x10c00001, 15},
    {"G98", CHIP_UNIT_PPDEC, 17, 0x85008, 0x85004, 0x80, 0x40, 0x85040, 0x10c00001, 17},
    {"G98", CHIP_UNIT_PPPP, 0, 0x86008, 0x86004, 0x80, 0x40, 0x86040, 0x10c00001, 1},
    {"G98", CHIP_UNIT_PSEC, 14, 0x87008, 0x87004, 0x80, 0x40, 0x87040, 0x10c00001, 14},
    {"MCP89", CHIP_UNIT_PVCOMP, 14, 0x1c1008, 0x1c1004, 0x80, 0x40, 0x1c1040, 0x10c00001, 14},
    {"GT215", CHIP_UNIT_PCOPY0, 22, 0x104008, 0x104004, 0x800, 0x40, 0x104040, 0x10c00001, 13},
    {"GF100", CHIP_UNIT_PCOPY1, 6, 0x105008, 0x105004, 0x800, 0x40, 0x105040, 0x10c00001, 7},
    {"GF100", CHIP_UNIT_PVLD, 15, 0x84008, 0x84004, 0x80, 0x40, 0x84040, 0x10c00001, 15},
    {"GK104", CHIP_UNIT_PVENC, 16, 0x1c2008, 0x1c2004, 0x80, 0x40, 0x1c2040, 0x10c00001, 18},
    {"GK104", CHIP_UNIT_PCOPY2, 7, 0x106908, 0x106908, 0, 4, 0x106f14, 9, 21},
    {"GM107", CHIP_UNIT_PVENC, 16, 0x1c8008, 0x1c8004, 0x80, 0x40, 0x1c8040, 0x10c00001, 18},
    {"GM107", CHIP_UNIT_PVDEC, 17, 0x84008, 0x84004, 0x80, 0x40, 0x84040, 0x10c00001, 15},
    {"GM107", CHIP_UNIT_PSEC, 15, 0x87008, 0x87004, 0x80, 0x40, 0x87040, 0x10c00001, 14},
    {"GP102", CHIP_UNIT_PCOPY1, 6, 0x104490, 0x104490, 0, 4, 0x104498, 9, 7},
};

static const struct unit_trap refused = {
    .subchannel = 2, .method = 0x300, .data = 5, .error = ENGINE_ERROR_GIVEN, .code = 1};

static void a_unit_that_refuses_holds_until_it_is_acknowledged(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(unit_rows); i++) {
        const struct unit_row *row = &unit_rows[i];
        struct pfifo_gpu *gpu = make(row->chip);
        struct unit *front = front_of(gpu, row->unit);
        struct unit_trap trap = refused;
        if (row->error == 4) /* of a copy engine */
            trap.code = 9;
        assert_int_equal(unit_trap(front, 1, &trap), row->error != 0);
        assert_int_equal(registers_of(front)->holds, row->error);
        if (row->error) {
            assert_int_equal(rd(gpu, row->intr), row->error);
            assert_int_equal(rd(gpu, row->where), row->shown);
            assert_int_equal(rd(gpu, 0x100) & 1u << row->line, 1u << row->line);
            wr(gpu, row->acknowledge, row->error);
        }
        assert_int_equal(registers_of(front)->holds, 0);
        assert_int_equal(rd(gpu, row->intr), 0);
        assert_int_equal(rd(gpu, 0x100) & 1u << row->line, 0);
        pfifo_gpu_free(gpu);
    }
}

/* nouveau nvkm/engine/falcon.c, sec/g98.c, ce/gk104.c. */
static void an_error_has_the_number_that_its_unit_knows(void **state) {
    static const struct {
        const char *chip;
        enum chip_unit unit;
        uint32_t where, mask, illegal_method, invalid_enum, invalid_bitfield;
    } rows[] = {{"G98", CHIP_UNIT_PVLD, 0x84040, 0xffff, 1, 2, 3},
                {"G98", CHIP_UNIT_PSEC, 0x87040, 0xffff, 0, 2, 1},
                {"GM107", CHIP_UNIT_PSEC, 0x87040, 0xffff, 1, 2, 3},
                {"GK104", CHIP_UNIT_PCOPY2, 0x106f14, 0xf, 9, 9, 10}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct {
            enum engine_error error;
            uint32_t number;
        } errors[] = {{ENGINE_ERROR_ILLEGAL_METHOD, rows[i].illegal_method},
                      {ENGINE_ERROR_INVALID_ENUM, rows[i].invalid_enum},
                      {ENGINE_ERROR_INVALID_BITFIELD, rows[i].invalid_bitfield}};
        struct pfifo_gpu *gpu = make(rows[i].chip);
        for (size_t e = 0; e < COUNT(errors); e++) {
            const struct unit_trap trap = {.error = errors[e].error, .method = 0x300};
            assert_true(unit_trap(front_of(gpu, rows[i].unit), 1, &trap));
            assert_int_equal(rd(gpu, rows[i].where) & rows[i].mask, errors[e].number);
        }
        pfifo_gpu_free(gpu);
    }
}

static void every_error_has_a_name(void **state) {
    (void)state;
    for (unsigned error = 0; error < ENGINE_ERRORS; error++)
        assert_non_null(unit_error_name((enum engine_error)error));
}

static void a_unit_that_wakes_somebody_goes_on(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(unit_rows); i++) {
        const struct unit_row *row = &unit_rows[i];
        struct pfifo_gpu *gpu = make(row->chip);
        struct unit *front = front_of(gpu, row->unit);
        unit_notify(front, CAUSE_QUERY);
        assert_int_equal(registers_of(front)->holds, 0);
        if (row->notify) {
            assert_int_equal(rd(gpu, row->intr), row->notify);
            assert_int_equal(rd(gpu, 0x100) & 1u << row->line, 1u << row->line);
        } else { /* copy engines from GK104 on: NONBLOCKPIPE, to the second destination */
            assert_int_equal(rd(gpu, row->intr), 2);
            assert_int_equal(rd(gpu, 0x100) & 1u << row->line, 0);
            assert_int_equal(rd(gpu, 0x104), 1u << row->line);
        }
        pfifo_gpu_free(gpu);
    }
}

static void disabling_a_unit_in_pmc_resets_it(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(unit_rows); i++) {
        const struct unit_row *row = &unit_rows[i];
        struct pfifo_gpu *gpu = make(row->chip);
        struct unit *front = front_of(gpu, row->unit);
        unit_notify(front, CAUSE_BLOCKING);
        unit_trap(front, 1, &refused);
        wr(gpu, 0x200, ~(1u << row->enable));
        wr(gpu, 0x200, ~0u);
        assert_int_equal(registers_of(front)->holds, 0);
        assert_int_equal(rd(gpu, row->intr), 0);
        assert_int_equal(rd(gpu, 0x100) & 1u << row->line, 0);
        pfifo_gpu_free(gpu);
    }
}

static void falcons_have_enables_and_routes(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make("GF100");
    const uint32_t base = 0x84000, line = 1u << 15;
    assert_int_equal(rd(gpu, base + 0x18), 0xffff);
    assert_int_equal(rd(gpu, base + 0x1c), 0xfff3);
    wr(gpu, base, 1u << 7 | 1u << 2); /* line 2 goes to the firmware */
    assert_int_equal(rd(gpu, base + 8), 1u << 7 | 1u << 2);
    assert_int_equal(rd(gpu, 0x100) & line, line);
    wr(gpu, base + 0x14, 1u << 7);
    assert_int_equal(rd(gpu, base + 0x18), 0xff7f);
    assert_int_equal(rd(gpu, 0x100) & line, 0);
    wr(gpu, base + 0x10, 1u << 7);
    assert_int_equal(rd(gpu, 0x100) & line, line);
    wr(gpu, base + 0x1c, 0x0080fff3); /* both bits: the second destination */
    assert_int_equal(rd(gpu, 0x100) & line, 0);
    wr(gpu, base + 0x1c, 0x0000fff7);
    assert_int_equal(rd(gpu, 0x100) & line, line);
    wr(gpu, base + 4, 1u << 7);
    assert_int_equal(rd(gpu, 0x100) & line, line); /* of line 2 now */
    wr(gpu, base + 4, 1u << 2);
    assert_int_equal(rd(gpu, 0x100) & line, 0);
    pfifo_gpu_free(gpu);
}

static void faults_of_tesla_units_are_their_own(void **state) {
    static const struct {
        const char *chip;
        enum chip_unit unit;
        uint32_t intr, bit;
    } rows[] = {{"GT215", CHIP_UNIT_PCOPY0, 0x104008, 1u << 9},
                {"GT200", CHIP_UNIT_PCIPHER, 0x102130, 1u << 8},
                {"G98", CHIP_UNIT_PVLD, 0x84008, 1u << 9}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct pfifo_gpu *gpu = make(rows[i].chip);
        const struct pfifo_channel_context channel = {.fifo = gpu->fifo, .id = 1, .instance = 0x4000};
        const struct fault fault = {FAULT_PTE, 0x5000, true};
        fifo_engine_fault(&channel, rows[i].unit, &fault, &refused);
        assert_int_equal(rd(gpu, rows[i].intr), rows[i].bit);
        assert_int_equal(rd(gpu, INTR), 0); /* PGRAPH has nothing to do with it */
        assert_int_equal(rd(gpu, 0x100c90) >> 31, 1);
        pfifo_gpu_free(gpu);
    }
}

/* Who asked interrupts: VM_FAULT has no line to PMC, and keeps none up. */
static void a_fault_of_teslas_vm_has_no_line_of_its_own(void **state) {
    static const struct {
        const char *chip;
        enum chip_unit unit;
        uint32_t line, intr, acknowledged;
    } rows[] = {{"G80", CHIP_UNIT_PGRAPH, 1u << 12, INTR, ~0u},
                {"G84", CHIP_UNIT_PGRAPH, 1u << 12, INTR, ~0u},
                {"GT200", CHIP_UNIT_PCIPHER, 1u << 14, 0x102130, ~0u},
                {"G98", CHIP_UNIT_PVLD, 1u << 15, 0x84004, 1u << 9},
                {"GT215", CHIP_UNIT_PCOPY0, 1u << 22, 0x104004, 1u << 9},
                {"MCP89", CHIP_UNIT_PCOPY0, 1u << 22, 0x104004, 1u << 9}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct pfifo_gpu *gpu = make(rows[i].chip);
        const struct pfifo_channel_context channel = {.fifo = gpu->fifo, .id = 1, .instance = 0x4000};
        const struct fault fault = {FAULT_PTE, 0x5000, true};
        struct unit_trap trap = refused;
        trap.error = ENGINE_ERROR_ACCESS;
        wr(gpu, 0x40013c, ~0u);
        fifo_engine_fault(&channel, rows[i].unit, &fault, &trap);
        assert_int_equal(rd(gpu, 0x100), rows[i].line);
        wr(gpu, rows[i].intr, rows[i].acknowledged);
        assert_int_equal(rd(gpu, 0x100), 0);
        assert_int_equal(rd(gpu, 0x100c90) >> 31, 1); /* still to be read */
        pfifo_gpu_free(gpu);
    }
}

/* [engine/client/slot] as envytools docs/hw/memory/g80-vm.rst lists them. */
static void accesses_of_tesla_have_the_documented_dma_slots(void **state) {
    static const struct {
        const char *chip;
        enum chip_unit unit;
        enum unit_use use;
        bool write;
        uint32_t engine, client, slot;
    } rows[] = {
        {"G80", CHIP_UNIT_PGRAPH, USE_NOTIFIER, true, 0, 3, 1},
        {"G80", CHIP_UNIT_PGRAPH, USE_QUERY, true, 0, 3, 2},
        {"G80", CHIP_UNIT_PGRAPH, USE_CONDITION, false, 0, 3, 3},
        {"G80", CHIP_UNIT_PGRAPH, USE_COPY_IN, false, 0, 3, 4},
        {"G80", CHIP_UNIT_PGRAPH, USE_COPY_OUT, true, 0, 3, 5},
        {"G80", CHIP_UNIT_PGRAPH, USE_BUFFER_NOTIFIER, true, 0, 3, 6},
        {"GT215", CHIP_UNIT_PGRAPH, USE_BUFFER_NOTIFIER, true, 0, 3, 6},
        {"G80", CHIP_UNIT_PGRAPH, USE_CONSTANTS, true, 0, 5, 0},
        {"G80", CHIP_UNIT_PGRAPH, USE_2D_SOURCE, false, 0, 0xa, 0},
        {"G80", CHIP_UNIT_PGRAPH, USE_2D_DESTINATION, true, 0, 0xb, 0xc},
        {"G80", CHIP_UNIT_PGRAPH, USE_ZETA, true, 0, 0xb, 8},
        {"G80", CHIP_UNIT_PGRAPH, USE_COLOR, true, 0, 0xb, 0},
        {"MCP89", CHIP_UNIT_PGRAPH, USE_COLOR + 7, true, 0, 0xb, 7},
        {"G84", CHIP_UNIT_PCIPHER, USE_OTHER, false, 0xa, 0xe, 1},
        {"G84", CHIP_UNIT_PCIPHER, USE_OTHER, true, 0xa, 0xe, 2},
        {"G84", CHIP_UNIT_PCIPHER, USE_QUERY, true, 0xa, 0xe, 3},
        {"G84", CHIP_UNIT_PMPEG, USE_QUERY, true, 8, 6, 5},
        {"GT215", CHIP_UNIT_PCOPY0, USE_OTHER, true, 0xd, 0x13, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct pfifo_gpu *gpu = make(rows[i].chip);
        const struct pfifo_channel_context channel = {.fifo = gpu->fifo, .id = 1, .instance = 0x4000};
        const struct fault fault = {FAULT_PTE, 0x5000, rows[i].write};
        struct unit_trap trap = refused;
        trap.use = rows[i].use;
        fifo_engine_fault(&channel, rows[i].unit, &fault, &trap);
        unsigned bits = gpu->chip->has_nrhost ? 8 : 4;
        uint32_t expected = rows[i].engine | 2u << bits | rows[i].client << 2 * bits | rows[i].slot << 3 * bits;
        if (rd(gpu, 0x100c94) != expected)
            fail_msg("row %u: %#x, not %#x", (unsigned)i, (unsigned)rd(gpu, 0x100c94), (unsigned)expected);
        pfifo_gpu_free(gpu);
    }
}

static void units_of_tesla_show_the_access_that_trapped(void **state) {
    static const struct {
        const char *chip;
        uint32_t unit, at, words[4];
    } rows[] = {{"G80", 1, 0x406804, {0, 0x89abcdef, 0x12, 0x77}},
                {"GT215", 1, 0x406804, {0, 0x89abcdef, 0x12, 0x77}},
                {"G80", 8, 0x408e0c, {0, 0x89abcdef, 0x12, 0}},
                {"GT200", 8, 0x40870c, {0, 0x89abcdef, 0x12, 0}}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct pfifo_gpu *gpu = make(rows[i].chip);
        const struct unit_trap trap = {.address = UINT64_C(0x1289abcdef), .object = 0x77};
        const struct graph_codes trap_codes = {.intr = 1u << 21, .unit = rows[i].unit, .status = 4};
        assert_true(graph_show(gpu->fifo->graph, 1, &trap, &trap_codes));
        for (uint32_t n = 0; n < 4; n++)
            assert_int_equal(rd(gpu, rows[i].at + 4 * n), rows[i].words[n]);
        pfifo_gpu_free(gpu);
    }
}

/* The registers that nouveau (gf100_gr_trap_mp) and nvgpu read, in their order; as they acknowledge it, it is gone. */
static void shader_errors_are_shown_by_the_first_processor(void **state) {
    static const char *const chips[] = {"GF100", "GK104", "GK110", "GK20A", "GM107", "GM20B", "GP102", "GP10B"};
    (void)state;
    for (size_t i = 0; i < COUNT(chips); i++) {
        struct pfifo_gpu *gpu = make(chips[i]);
        const struct pfifo_channel_context channel = {.fifo = gpu->fifo, .id = 1, .instance = 0x4000};
        struct unit_trap trap = {.error = ENGINE_ERROR_SHADER, .shader = {9, 0, 0x1238}};
        wr(gpu, 0x40013c, ~0u);
        assert_true(fifo_engine_error(&channel, CHIP_UNIT_PGRAPH, &trap));
        assert_int_equal(rd(gpu, 0x400100), 0x00200000);
        assert_int_equal(rd(gpu, 0x400108), 0x01000000);
        assert_int_equal(rd(gpu, 0x400118), 1);
        assert_int_equal(rd(gpu, 0x502c90), 0x00010000);
        assert_int_equal(rd(gpu, 0x504508), 2);
        assert_int_equal(rd(gpu, 0x504648), 9);
        assert_int_equal(rd(gpu, 0x504650), 0);
        assert_int_equal(rd(gpu, 0x504654), 0x1238);
        assert_int_equal(rd(gpu, 0x400500) & 1, 0);
        trap.shader = (struct unit_shader_error){14, 0x80000000, 0x18};
        assert_true(fifo_engine_error(&channel, CHIP_UNIT_PGRAPH, &trap));
        assert_int_equal(rd(gpu, 0x504648), 14);
        assert_int_equal(rd(gpu, 0x504650), 0x80000004); /* TIMEOUT, and there was another */
        wr(gpu, 0x504648, 0);
        assert_int_equal(rd(gpu, 0x504508), 2);
        wr(gpu, 0x504650, 0x80000004);
        assert_int_equal(rd(gpu, 0x504508), 0);
        wr(gpu, 0x502c90, 0x00010000);
        wr(gpu, 0x400118, 1);
        wr(gpu, 0x400108, 0x01000000);
        wr(gpu, 0x400100, 0x00200000);
        assert_int_equal(rd(gpu, 0x502c90) | rd(gpu, 0x400118) | rd(gpu, 0x400108) | rd(gpu, 0x400100), 0);
        pfifo_gpu_free(gpu);
    }
}

/* Masks of all processors, of bits by the number of a warp's error, and of the processor's. */
static void shader_errors_can_be_switched_off(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make("GM107");
    const struct pfifo_channel_context channel = {.fifo = gpu->fifo, .id = 1, .instance = 0x4000};
    struct unit_trap trap = {.error = ENGINE_ERROR_SHADER, .shader = {9, 0, 0}};
    wr(gpu, 0x419e44, ~(1u << 9));
    wr(gpu, 0x419e4c, 0x7fffffff);
    assert_int_equal(rd(gpu, 0x504644), ~(1u << 9));
    assert_false(fifo_engine_error(&channel, CHIP_UNIT_PGRAPH, &trap));
    trap.shader = (struct unit_shader_error){0, 0x80000000, 0};
    assert_false(fifo_engine_error(&channel, CHIP_UNIT_PGRAPH, &trap));
    assert_int_equal(rd(gpu, 0x400100) | rd(gpu, 0x400108), 0);
    assert_int_equal(rd(gpu, 0x400500) & 1, 1);
    wr(gpu, 0x504650, ~0u);
    trap.shader = (struct unit_shader_error){8, 0, 0};
    assert_true(fifo_engine_error(&channel, CHIP_UNIT_PGRAPH, &trap));
    pfifo_gpu_free(gpu);
}

/* Record 3: client in [12:8], of a GPC if bit 6 is 0. */
static void accesses_of_fermi_have_the_client_that_reads(void **state) {
    static const struct {
        enum unit_use use;
        uint32_t client;
    } rows[] = {{USE_OTHER, 0x440},    {USE_QUERY, 0x440},  {USE_CONSTANTS, 0x440}, {USE_PROGRAM, 0xd00},
                {USE_VERTEX, 0x200},   {USE_INDEX, 0x1040}, {USE_TEXTURE, 0x100},   {USE_SHADER, 0},
                {USE_FEEDBACK, 0x200}, {USE_ZETA, 0xf00},   {USE_COLOR, 0xf00},     {USE_COLOR + 7, 0xf00}};
    static const char *const chips[] = {"GF100", "GK104", "GM107", "GP102"};
    (void)state;
    for (size_t c = 0; c < COUNT(chips); c++)
        for (size_t i = 0; i < COUNT(rows); i++) {
            struct pfifo_gpu *gpu = make(chips[c]);
            const struct pfifo_channel_context channel = {.fifo = gpu->fifo, .id = 1, .instance = 0x4000};
            const struct fault fault = {FAULT_PTE, 0x5000, false};
            struct unit_trap trap = {.error = ENGINE_ERROR_ACCESS, .use = rows[i].use};
            fifo_engine_fault(&channel, CHIP_UNIT_PGRAPH, &fault, &trap);
            assert_int_equal(rd(gpu, 0x2804), 0x5000);
            assert_int_equal(rd(gpu, 0x280c), rows[i].client | 2);
            pfifo_gpu_free(gpu);
        }
}

/* DISPATCH says whether it was a notifier or a condition. */
static void dispatch_of_tesla_says_what_faulted(void **state) {
    const struct unit_trap notifier = {0}, condition = {0};
    const struct graph_codes notifier_codes = {.intr = 1u << 21, .status = 1, .misc = 1},
                             condition_codes = {.intr = 1u << 21, .status = 1, .misc = 8};
    (void)state;
    struct pfifo_gpu *gpu = make("G84");
    assert_true(graph_show(gpu->fifo->graph, 1, &notifier, &notifier_codes));
    assert_int_equal(rd(gpu, 0x400848), 1);
    wr(gpu, 0x400848, 0);
    assert_true(graph_show(gpu->fifo->graph, 1, &condition, &condition_codes));
    assert_int_equal(rd(gpu, 0x400848), 8);
    pfifo_gpu_free(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_follows_its_source),
        cmocka_unit_test(checks_can_be_switched_off),
        cmocka_unit_test(nv1_and_nv3_say_what_is_invalid),
        cmocka_unit_test(being_woken_sets_its_own_bit_and_halts_nothing),
        cmocka_unit_test(a_report_that_traps_reaches_the_second_line_of_fermi),
        cmocka_unit_test(what_programs_of_fermi_ask_for_is_acknowledged_in_intr),
        cmocka_unit_test(sources_go_with_their_interrupt),
        cmocka_unit_test(units_trap_in_their_own_register),
        cmocka_unit_test(a_unit_that_may_not_trap_only_shows_its_status),
        cmocka_unit_test(dispatch_keeps_what_is_stuck),
        cmocka_unit_test(a_macro_that_trapped_shows_its_machine),
        cmocka_unit_test(classes_of_all_subchannels_are_kept),
        cmocka_unit_test(disabling_pgraph_in_pmc_forgets_its_error),
        cmocka_unit_test(a_unit_that_refuses_holds_until_it_is_acknowledged),
        cmocka_unit_test(an_error_has_the_number_that_its_unit_knows),
        cmocka_unit_test(every_error_has_a_name),
        cmocka_unit_test(a_unit_that_wakes_somebody_goes_on),
        cmocka_unit_test(disabling_a_unit_in_pmc_resets_it),
        cmocka_unit_test(falcons_have_enables_and_routes),
        cmocka_unit_test(faults_of_tesla_units_are_their_own),
        cmocka_unit_test(a_fault_of_teslas_vm_has_no_line_of_its_own),
        cmocka_unit_test(accesses_of_tesla_have_the_documented_dma_slots),
        cmocka_unit_test(units_of_tesla_show_the_access_that_trapped),
        cmocka_unit_test(dispatch_of_tesla_says_what_faulted),
        cmocka_unit_test(shader_errors_are_shown_by_the_first_processor),
        cmocka_unit_test(shader_errors_can_be_switched_off),
        cmocka_unit_test(accesses_of_fermi_have_the_client_that_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
