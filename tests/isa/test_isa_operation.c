/* SPDX-License-Identifier: MIT */
/* What an instruction touches by its row, and what the validator refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "isa/rows.h"
#include "isa/shader/operation.h"

enum { ROOM = 200 };

static struct ir decoded(uint64_t word) {
    struct ir ir;
    if (decode_word(&isa_gm107, word, 8, &ir) != ISA_OK)
        fail_msg("%016llx: illegal", (unsigned long long)word);
    return ir;
}

/* "r R4-R7, w P0, r Z": in the order of the row, after guard and flags. */
static void describe(const struct ir *ir, char *text) {
    static const char *const roles[] = {"n", "r", "w", "rw"};
    struct ir_touch touches[IR_MOST_TOUCHES];
    unsigned count = ir_touches(ir, touches);
    *text = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct ir_touch *t = &touches[i];
        text += sprintf(text, "%s%s ", i ? ", " : "", roles[t->role]);
        if (t->file == IR_FILE_FLAGS)
            text += sprintf(text, "%s%s%s%s", t->first & IR_FLAG_Z ? "Z" : "", t->first & IR_FLAG_S ? "S" : "",
                            t->first & IR_FLAG_C ? "C" : "", t->first & IR_FLAG_V ? "V" : "");
        else if (t->count == 1)
            text += sprintf(text, "%c%u", t->file == IR_FILE_PREDICATES ? 'P' : 'R', t->first);
        else
            text +=
                sprintf(text, "%c%u-%u", t->file == IR_FILE_PREDICATES ? 'P' : 'R', t->first, t->first + t->count - 1);
    }
}

static void expect(uint64_t word, const char *expected) {
    char text[ROOM];
    struct ir ir = decoded(word);
    describe(&ir, text);
    assert_string_equal(text, expected);
}

static void values_have_as_many_registers_as_their_type_needs(void **state) {
    (void)state;
    expect(0x5c58000000370104, "w R4, r R1, r R3");            /* FADD */
    expect(0x5c7000000067020a, "w R10-11, r R2-3, r R6-7");    /* DADD */
    expect(0xeede200000070804, "r R8-9, r R4-7");              /* STG.128 [R8.64], R4 */
    expect(0xeed6200000070804 | 1ull << 16, "w R4-7, r R8-9"); /* LDG.128 */
    expect(0x5ca8000000270b04, "w R4-5, r R2");                /* F2F.F64.F32 */
    expect(0x5ca8000000270e04, "w R4, r R2-3");                /* F2F.F32.F64 */
}

static void flags_and_predicates_are_touched_by_modifiers(void **state) {
    (void)state;
    expect(0x5c10880000370104, "r C, w ZSCV, w R4, r R1, r R3");      /* IADD.X.CC */
    expect(0x5c58000000320104, "r P2, w R4, r R1, r R3");             /* @P2 FADD */
    expect(0x5b6d018000370113, "w P2, w P3, r R1, r R3, r P3");       /* ISETP */
    expect(0x5b6d098000370113, "r ZC, w P2, w P3, r R1, r R3, r P3"); /* ISETP.X */
    expect(0x5cf0000000370100, "r R1, r R3, w P0-6");                 /* R2P */
    expect(0x5cf0010000370100, "r R1, r R3, w ZSCV");                 /* R2P.CC */
    expect(0xe30000000007000d, "r ZS");                               /* EXIT CC.GTU is S or not Z */
}

static void textures_and_images_touch_their_blocks(void **state) {
    (void)state;
    expect(0xd830008020070100, "n R0, r R1, r R0, w R0, w R1, w R2, w R3"); /* TEXS.2D, h[0x8] */
    struct ir ir = decoded(0xeb00000000f70804);                             /* SULD.P */
    char text[ROOM];
    ir.surface.dim = 3;
    ir.surface.in_bank = true;
    describe(&ir, text);
    assert_string_equal(text, "n R4, n R8, r R8-9, w R4-7");
    ir.surface.in_bank = false;
    ir.surface.handle = 20;
    ir.surface.components = 1;
    describe(&ir, text);
    assert_string_equal(text, "n R4, n R8, r R8-9, r R20, w R4");
}

static void an_extent_has_blocks_and_a_name_only_their_beginning(void **state) {
    struct ir ir = decoded(0xeed6200000070804);
    (void)state;
    assert_int_equal(ir_extent(&ir).registers, 10);
    assert_int_equal(ir_extent(&ir).named, 9);
    ir.d = 12;
    assert_int_equal(ir_extent(&ir).registers, 16);
    assert_int_equal(ir_extent(&ir).named, 13);
    ir.d = IR_ZERO - 3;
    assert_int_equal(ir_extent(&ir).registers, IR_ZERO);
}

/* ---- the validator ---- */

static void refuse(const struct ir *ir, const char *expected) {
    const char *wrong = ir_validate(ir);
    if (!wrong)
        fail_msg("nothing is wrong, not even that %s", expected);
    if (!strstr(wrong, expected))
        fail_msg("%s, not %s", wrong, expected);
}

#define REFUSE(word, change, expected)                                                                                 \
    do {                                                                                                               \
        struct ir ir = decoded(word);                                                                                  \
        assert_null(ir_validate(&ir));                                                                                 \
        change;                                                                                                        \
        refuse(&ir, expected);                                                                                         \
    } while (0)

static void what_no_row_allows_is_refused(void **state) {
    const uint64_t fadd = 0x5c58000000370104, dadd = 0x5c7000000067020a, mufu = 0x5080000000470002;
    const uint64_t tex = 0xd830008020070100, load = 0xeed6200000070804;
    (void)state;
    REFUSE(fadd, ir.op = IR_OPS, "the operation has no name");
    REFUSE(fadd, ir.guard = 8, "the guard");
    REFUSE(fadd, ir.type = IR_F64 + 1, "a type");
    REFUSE(fadd, ir.q = 8, "a predicate");
    REFUSE(fadd, ir.name = NULL, "the encoding");
    REFUSE(fadd, ir.b.kind = IR_SHARED + 1, "kind");
    REFUSE(fadd, ir.a.value = 256, "register");
    REFUSE(fadd, ir.a.kind = IR_CONSTANT; ir.a.bank = 32, "bank");
    REFUSE(fadd, ir.mode = 1, "the mode");
    REFUSE(mufu, ir.mode = 9, "the mode");
    REFUSE(fadd, ir.carry_in = true, "a modifier");
    REFUSE(fadd, ir.scale = -1, "a modifier");
    REFUSE(fadd, ir.mask = 7, "a modifier");
    REFUSE(fadd, ir.round = 4, "a modifier");
    REFUSE(load, ir.atomic = IR_MIN, "a modifier");
    REFUSE(fadd, ir.c = ir.a, "an operand");
    REFUSE(fadd, ir.p = 0, "an operand");
    REFUSE(fadd, ir.combine_predicate = 0, "an operand");
    REFUSE(dadd, ir.a.value = 3, "aligned");
    REFUSE(load, ir.d = 6, "aligned");
    REFUSE(load, ir.a.value = 9, "aligned");
    REFUSE(tex, ir.texture.dim = 4, "a texture");
    REFUSE(tex, ir.texture.mask = 7, "a component");
    REFUSE(0x5b00000000370104, ir.xmad.c = 5, "the addend");
    REFUSE(0x2004000600370104, ir.video.select_a = 7, "a video operation");
    REFUSE(0xeb00000000f70804, ir.surface.components = 16, "an image");
}

/* ---- all rows ---- */

static void rows_are_complete(void **state) {
    (void)state;
    for (unsigned op = 0; op < IR_OPS; op++) {
        const struct ir_row *row = ir_row(op);
        assert_true(row->name && *row->name);
        assert_in_range(ir_modes_count(row->modes), 1, UINT16_MAX);
        unsigned count = 0;
        while (count < IR_ROW_OPERANDS && row->operands[count].place)
            count++;
        assert_in_range(count, 0, IR_ROW_OPERANDS - 1);
        if (row->effects & (IR_TARGET | IR_JUMPS | IR_PUSHES | IR_POPS | IR_ENDS | IR_KILLS | IR_BARRIER))
            assert_true(row->effects & IR_FLOW);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_have_as_many_registers_as_their_type_needs),
        cmocka_unit_test(flags_and_predicates_are_touched_by_modifiers),
        cmocka_unit_test(textures_and_images_touch_their_blocks),
        cmocka_unit_test(an_extent_has_blocks_and_a_name_only_their_beginning),
        cmocka_unit_test(what_no_row_allows_is_refused),
        cmocka_unit_test(rows_are_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
