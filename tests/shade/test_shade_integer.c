/* SPDX-License-Identifier: MIT */
/* Integers of several registers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "shade/rig.h"

enum { XLO = 1, XHI = 3 };

static void add_word(struct rig *rig, unsigned mode, unsigned d, bool is_signed, bool least) {
    struct ir *ir = rig_add(rig, IR_IMNMX);
    ir->type = is_signed ? IR_S32 : IR_U32;
    ir->mode = (uint16_t)mode;
    ir->write_flags = mode == XHI;
    ir->combine_negate = !least;
    ir->d = (uint8_t)d;
    ir->a = rig_register(d + 2);
    ir->b = rig_register(d + 4);
}

static void set_pair(struct rig *rig, unsigned number, unsigned lane, uint64_t value) {
    rig->warp.registers[number][lane] = (uint32_t)value;
    rig->warp.registers[number + 1][lane] = (uint32_t)(value >> 32);
}

/* Every pair of values in a lane of its own: as Mesa does it, the high words first, then the low ones. */
static void minimum_and_maximum_of_64_bits_go_word_by_word(void **state) {
    static const uint64_t values[] = {0, 1, 0x80000000, 0xffffffffffffffff, 0xffffffff7fffffff};
    enum { VALUES = sizeof values / sizeof values[0] };
    struct rig *rig = malloc(sizeof *rig);
    (void)state;
    assert_non_null(rig);
    for (unsigned kind = 0; kind < 4; kind++) {
        bool is_signed = kind & 1, least = kind & 2;
        rig_begin(rig);
        add_word(rig, XHI, 1, is_signed, least);
        add_word(rig, XLO, 0, is_signed, least);
        rig_load(rig, (1u << VALUES * VALUES) - 1, 0);
        for (unsigned i = 0; i < VALUES * VALUES; i++) {
            set_pair(rig, 2, i, values[i / VALUES]);
            set_pair(rig, 4, i, values[i % VALUES]);
        }
        assert_int_equal(rig_run(rig), SHADE_DONE);
        for (unsigned i = 0; i < VALUES * VALUES; i++) {
            uint64_t a = values[i / VALUES], b = values[i % VALUES];
            bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
            uint64_t found = (uint64_t)rig->warp.registers[1][i] << 32 | rig->warp.registers[0][i];
            assert_int_equal(found, less == least ? a : b);
        }
        rig_end(rig);
    }
    free(rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minimum_and_maximum_of_64_bits_go_word_by_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
