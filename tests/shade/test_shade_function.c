/* SPDX-License-Identifier: MIT */
/* MUFU against libm, within the errors that NVIDIA states and far below them, and its values at the edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "differential/choice.h"
#include "shade/rig.h"

static float f32(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void run(enum ir_function function, const uint32_t in[SHADE_LANES], uint32_t out[SHADE_LANES]) {
    struct rig *rig = malloc(sizeof *rig);
    assert_non_null(rig);
    rig_begin(rig);
    struct ir *ir = rig_add(rig, IR_MUFU);
    ir->type = IR_F32;
    ir->mode = (uint16_t)function;
    ir->d = 1;
    ir->a = rig_register(0);
    rig_load(rig, UINT32_MAX, 0);
    memcpy(rig->warp.registers[0], in, sizeof(shade_row));
    assert_int_equal(rig_run(rig), SHADE_DONE);
    memcpy(out, rig->warp.registers[1], sizeof(shade_row));
    rig_end(rig);
    free(rig);
}

static uint32_t one(enum ir_function function, uint32_t in) {
    uint32_t row[SHADE_LANES] = {in}, out[SHADE_LANES];
    run(function, row, out);
    return out[0];
}

static double exact(enum ir_function function, double x) {
    switch (function) {
    case IR_COS:
        return cos(x);
    case IR_SIN:
        return sin(x);
    case IR_EX2:
        return exp2(x);
    case IR_LG2:
        return log2(x);
    case IR_RCP:
        return 1 / x;
    case IR_RSQ:
        return 1 / sqrt(x);
    default:
        return sqrt(x);
    }
}

/* Half an ulp, and a thousandth. */
static void values_are_rounded_to_the_nearest(void **state) {
    (void)state;
    static const struct {
        enum ir_function function;
        uint32_t low, high; /* exponents of the argument */
        bool negative;
    } ranges[] = {
        {IR_COS, 100, 140, true}, {IR_SIN, 100, 140, true}, {IR_EX2, 110, 132, true}, {IR_LG2, 1, 254, false},
        {IR_RCP, 3, 250, true},   {IR_RSQ, 1, 254, false},  {IR_SQRT, 1, 254, false},
    };
    struct choice choice = choice_from_seed(14);
    for (unsigned i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        for (unsigned round = 0; round < 200; round++) {
            uint32_t in[SHADE_LANES], out[SHADE_LANES];
            for (unsigned k = 0; k < SHADE_LANES; k++)
                in[k] = (choice_word(&choice) & (ranges[i].negative ? 0x807fffff : 0x007fffff)) |
                        choice_between(&choice, ranges[i].low, ranges[i].high) << 23;
            run(ranges[i].function, in, out);
            for (unsigned k = 0; k < SHADE_LANES; k++) {
                double value = exact(ranges[i].function, f32(in[k]));
                double ulp = ldexp(1, ilogb(value) - 23), error = fabs(f32(out[k]) - value);
                if (error > 0.501 * ulp)
                    fail_msg("function %u of %a is %a, not %a", ranges[i].function, (double)f32(in[k]),
                             (double)f32(out[k]), value);
            }
        }
}

static void edges_have_the_values_of_the_hardware(void **state) {
    (void)state;
    static const struct {
        enum ir_function function;
        uint32_t in, out;
    } edges[] = {
        {IR_RCP, 0, 0x7f800000},
        {IR_RCP, 0x80000000, 0xff800000},
        {IR_RCP, 0x00000001, 0x7f800000},
        {IR_RCP, 0x7f800000, 0},
        {IR_RCP, 0xff800000, 0x80000000},
        {IR_RCP, 0x7f7fffff, 0},
        {IR_RCP, 0x7fc00000, 0x7fffffff},
        {IR_RCP, 0x40000000, 0x3f000000},
        {IR_RSQ, 0, 0x7f800000},
        {IR_RSQ, 0x80000000, 0xff800000},
        {IR_RSQ, 0xbf800000, 0x7fffffff},
        {IR_RSQ, 0x7f800000, 0},
        {IR_RSQ, 0x40800000, 0x3f000000},
        {IR_SQRT, 0, 0},
        {IR_SQRT, 0xbf800000, 0x7fffffff},
        {IR_SQRT, 0x7f800000, 0x7f800000},
        {IR_EX2, 0, 0x3f800000},
        {IR_EX2, 0xff800000, 0},
        {IR_EX2, 0x7f800000, 0x7f800000},
        {IR_EX2, 0x43000000, 0x7f800000},
        {IR_EX2, 0xc2fc0000, 0x00800000},
        {IR_EX2, 0xc2fe0000, 0},
        {IR_EX2, 0x7fc00000, 0x7fffffff},
        {IR_EX2, 0x41200000, 0x44800000},
        {IR_LG2, 0, 0xff800000},
        {IR_LG2, 0x80000001, 0xff800000},
        {IR_LG2, 0xbf800000, 0x7fffffff},
        {IR_LG2, 0x3f800000, 0},
        {IR_LG2, 0x7f800000, 0x7f800000},
        {IR_LG2, 0x41000000, 0x40400000},
        {IR_SIN, 0, 0},
        {IR_SIN, 0x7f800000, 0x7fffffff},
        {IR_COS, 0, 0x3f800000},
        {IR_COS, 0xff800000, 0x7fffffff},
    };
    for (unsigned i = 0; i < sizeof edges / sizeof edges[0]; i++)
        if (one(edges[i].function, edges[i].in) != edges[i].out)
            fail_msg("function %u of 0x%08x is 0x%08x, not 0x%08x", edges[i].function, edges[i].in,
                     one(edges[i].function, edges[i].in), edges[i].out);
}

static void high_words_are_good_to_twenty_bits(void **state) {
    (void)state;
    struct choice choice = choice_from_seed(15);
    for (unsigned i = 0; i < 500; i++) {
        uint32_t in = (choice_word(&choice) & 0xfffff) | choice_between(&choice, 3, 2040) << 20;
        uint64_t wide = (uint64_t)in << 32, bits;
        double x, r;
        memcpy(&x, &wide, sizeof x);
        bits = (uint64_t)one(IR_RCP64H, in) << 32;
        memcpy(&r, &bits, sizeof r);
        assert_true(fabs(r * x - 1) < 0x1p-19);
        bits = (uint64_t)one(IR_RSQ64H, in) << 32;
        memcpy(&r, &bits, sizeof r);
        assert_true(fabs(r * sqrt(x) - 1) < 0x1p-19);
    }
    assert_int_equal(one(IR_RCP64H, 0x80000000), 0xfff00000);
    assert_int_equal(one(IR_RSQ64H, 0xbff00000), 0x7fffffff);
}

/* So that a picture is the same on all machines, wherever it was taken. */
static void results_are_the_same_everywhere(void **state) {
    (void)state;
    uint32_t sum = 0;
    for (enum ir_function function = IR_COS; function <= IR_SQRT; function++)
        for (unsigned i = 0; i < 40; i++) {
            uint32_t in[SHADE_LANES], out[SHADE_LANES];
            for (unsigned k = 0; k < SHADE_LANES; k++)
                in[k] = (i * SHADE_LANES + k) * 0x02f1e3d7u;
            run(function, in, out);
            for (unsigned k = 0; k < SHADE_LANES; k++)
                sum = sum * 31 + out[k];
        }
    assert_int_equal(sum, 0xab6b5f22);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_rounded_to_the_nearest),
        cmocka_unit_test(edges_have_the_values_of_the_hardware),
        cmocka_unit_test(high_words_are_good_to_twenty_bits),
        cmocka_unit_test(results_are_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
