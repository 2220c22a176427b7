/* SPDX-License-Identifier: MIT */
/*
 * What an access of Tesla's PGRAPH that fails was for, and which of its units traps: envytools
 * docs/hw/memory/g80-vm.rst (DMA slots), rnndb/graph/g80_pgraph/pgraph.xml, tpc.xml; nouveau nvkm/engine/gr/nv50.c.
 */
#include "check.h"
#include "unit/graph/graph_error.h"

#define DISPATCH 0
#define M2MF     1
#define CCACHE   4
#define TEX      6
#define PROP     8

struct scene {
    uint32_t class;
    enum unit_use use;
    uint32_t unit, status, misc;
    uint32_t last; /* methods whose last one has the access that fails */
    struct {
        uint32_t method, data;
    } send[16];
};

/* DMA object 0 is none, 1 and 2 are memory. */
static const struct scene scenes[] = {
    /* M2MF: 16 bytes */
    {0x5039,
     USE_COPY_IN,
     M2MF,
     2,
     0,
     10,
     {{0x180, 1},
      {0x188, 2},
      {0x200, 1},
      {0x21c, 1},
      {0x314, 16},
      {0x318, 16},
      {0x31c, 16},
      {0x320, 1},
      {0x324, 0x101},
      {0x328, 0}}},
    {0x5039,
     USE_COPY_OUT,
     M2MF,
     4,
     0,
     10,
     {{0x180, 1},
      {0x184, 2},
      {0x200, 1},
      {0x21c, 1},
      {0x314, 16},
      {0x318, 16},
      {0x31c, 16},
      {0x320, 1},
      {0x324, 0x101},
      {0x328, 0}}},
    {0x5039,
     USE_BUFFER_NOTIFIER,
     M2MF,
     1,
     0,
     10,
     {{0x184, 1},
      {0x188, 2},
      {0x200, 1},
      {0x21c, 1},
      {0x314, 16},
      {0x318, 16},
      {0x31c, 16},
      {0x320, 1},
      {0x324, 0x101},
      {0x328, 0}}},
    /* the object of a notifier that is due is taken away */
    {0x5039, USE_NOTIFIER, DISPATCH, 1, 1, 4, {{0x180, 1}, {0x104, 0}, {0x180, 0}, {0x100, 0}}},
    /* 2D: a rectangle, a blit */
    {0x502d,
     USE_2D_DESTINATION,
     PROP,
     0x10,
     0,
     13,
     {{0x200, 0xcf},
      {0x204, 1},
      {0x214, 256},
      {0x218, 64},
      {0x21c, 16},
      {0x2ac, 3},
      {0x580, 4},
      {0x584, 0xcf},
      {0x588, 1},
      {0x600, 3},
      {0x604, 2},
      {0x608, 7},
      {0x60c, 5}}},
    /* 3D: QUERY_GET, a condition, targets 0 and 5 and the depth of a clear, a constant */
    {0x5097, USE_QUERY, DISPATCH, 2, 0, 1, {{0x1b0c, 0}}},
    {0x5097, USE_CONDITION, DISPATCH, 1, 8, 2, {{0x1558, 2}, {0x15dc, 4}}},
    {0x5097,
     USE_COLOR,
     PROP,
     0x40,
     0,
     8,
     {{0x1558, 1},
      {0x208, 0xcf},
      {0x1240, 0x80000100},
      {0x1244, 16},
      {0xff4, 64 << 16},
      {0xff8, 16 << 16},
      {0x1224, 1},
      {0x19d0, 0x3c}}},
    {0x5097,
     USE_COLOR + 5,
     PROP,
     0x40,
     0,
     8,
     {{0x1558, 1},
      {0x2a8, 0xcf},
      {0x1268, 0x80000100},
      {0x126c, 16},
      {0xff4, 64 << 16},
      {0xff8, 16 << 16},
      {0x1224, 1},
      {0x19d0, 5 << 6 | 0x3c}}},
    {0x5097,
     USE_ZETA,
     PROP,
     0x20,
     0,
     10,
     {{0x1558, 1},
      {0xfe8, 0x0a},
      {0x1228, 64},
      {0x122c, 16},
      {0x1230, 1},
      {0xff4, 64 << 16},
      {0xff8, 16 << 16},
      {0x1224, 1},
      {0x1538, 1},
      {0x19d0, 3}}},
    {0x5097, USE_CONSTANTS, CCACHE, 1, 0, 5, {{0x1280, 0}, {0x1284, 0}, {0x1288, 0x100}, {0xf00, 0}, {0xf04, 7}}},
    /* compute */
    {0x50c0, USE_QUERY, DISPATCH, 2, 0, 1, {{0x31c, 0}}},
};

static void an_access_that_fails_says_what_it_was_for(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        const struct scene *s = &scenes[i];
        struct engine_rig rig;
        unsigned id = start(&rig, "G80", CHIP_UNIT_PGRAPH, s->class);
        for (uint32_t m = 0; m < s->last; m++) {
            if (rig.faults)
                fail_msg("scene %u: a fault before method %u", (unsigned)i, (unsigned)m);
            send(&rig, id, 0, s->send[m].method, s->send[m].data);
        }
        if (rig.faults != 1)
            fail_msg("scene %u: %u faults", (unsigned)i, rig.faults);
        struct graph_codes codes = {0};
        graph_codes_g80(&rig.trap, &codes);
        if (rig.trap.use != s->use || codes.unit != s->unit || codes.status != s->status || codes.misc != s->misc)
            fail_msg("scene %u: use %u, unit %u, status %#x, misc %#x", (unsigned)i, (unsigned)rig.trap.use,
                     (unsigned)codes.unit, (unsigned)codes.status, (unsigned)codes.misc);
        assert_int_equal(rig.trap.address, rig.fault.address);
        engine_rig_stop(&rig);
    }
}

/* A blit has both sides: that it is a read does not make it the source. */
static void a_destination_that_is_read_is_the_destination(void **state) {
    (void)state;
    for (uint32_t bad = 0; bad < 2; bad++) {
        struct engine_rig rig;
        unsigned id = start(&rig, "G80", CHIP_UNIT_PGRAPH, 0x502d);
        send(&rig, id, 0, bad ? 0x184 : 0x188, 1); /* DMA_DST, DMA_SRC */
        send(&rig, id, 0, 0x200, 0xcf, 1);
        send(&rig, id, 0, 0x214, 256, 64, 16);
        send(&rig, id, 0, 0x230, 0xcf, 1);
        send(&rig, id, 0, 0x244, 256, 64, 16);
        send(&rig, id, 0, 0x2ac, 1);    /* operation ROP */
        send(&rig, id, 0, 0x2a0, 0x66); /* destination XOR source */
        send(&rig, id, 0, 0x8b0, 0, 0, 4, 4, 0, 1, 0, 1, 0, 0, 0, 0);
        assert_true(rig.faults > 0);
        if (rig.trap.use != (bad ? USE_2D_SOURCE : USE_2D_DESTINATION))
            fail_msg("object %u: use %u", (unsigned)bad, (unsigned)rig.trap.use);
        struct graph_codes codes = {0};
        graph_codes_g80(&rig.trap, &codes);
        assert_int_equal(codes.unit, bad ? TEX : PROP);
        assert_int_equal(codes.status, bad ? 2 : 0x10);
        engine_rig_stop(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_access_that_fails_says_what_it_was_for),
        cmocka_unit_test(a_destination_that_is_read_is_the_destination),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
