/* SPDX-License-Identifier: MIT */
/* Instructions as people know them from nvdisasm: order, names, operands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isa/shader/text.h"
#include "memory/little_endian.h"

enum { ROOM = 400 };

static void expect_at(const struct isa *isa, uint64_t address, uint64_t control, uint64_t word, const char *expected) {
    uint8_t code[8];
    char text[ROOM];
    store_le64(code, word);
    size_t length = isa_text(isa, code, sizeof code, address, control, text, ROOM);
    if (!length)
        fail_msg("%016llx has no text", (unsigned long long)word);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
}

static void expect(uint64_t word, const char *expected) {
    expect_at(&isa_gm107, 8, 0, word, expected);
}

static void products_of_halves_say_all_their_modes(void **state) {
    (void)state;
    expect(0x4f107f8000270005, "XMAD.MRG R5, R0, c[0x0][0x8].H1, RZ");
    expect(0x5b30011800370000, "XMAD.PSL.CBCC R0, R0.H1, R3.H1, R2");
    expect(0x3624011000170004, "XMAD.PSL.CLO R4, R0.H1, 0x1, R2");
    expect(0x5b2f7f8800571805, "XMAD.S16.S16.CSFU R5, R24.H1, R5.H1, RZ");
    expect(0x362004c000170209, "XMAD.X R9, R2.H1, 0x1, R9");
    expect(0x5b00ff8000c70105, "XMAD R5.CC, R1, R12, RZ");
    expect(0x53fbff8002772621, "IDP.2A.LO.S16.S8 R33, R38, R39, RZ");
}

static void what_has_no_predicate_shows_none(void **state) {
    (void)state;
    expect(0xe290000000800000, "SSY 0x18");
    expect(0xe2a0000000800000, "PBK 0x18");
    expect(0xe2b0000000800000, "PCNT 0x18");
    expect(0xe260000000800040, "CAL 0x18");
    expect(0xe260000000800000, "CAL.NOINC 0x18");
    expect(0xe220000010000040, "JCAL 0x100");
    expect(0xe270000000800040, "PRET 0x18");
    expect(0xe370000000000000, "SAM");
    expect(0xe380000000000000, "RAM");
    expect(0xe3a00000001000c0, "BPT.TRAP 0x1");
    expect(0xe24000000088000f, "@!P0 BRA 0x18");
    expect(0xe240000000870002, "BRA CC.EQ, 0x18");
    expect(0xe24000000089008f, "@!P1 BRA.U 0x18");
    expect(0xe30000000008000f, "@!P0 EXIT");
    expect(0xe2500fffc007000f, "BRX R0 -0x400");
    expect(0xe20000000007000f, "JMX R0");
}

/* Base addresses are the caller's. */
static void a_target_beyond_the_largest_address_wraps(void **state) {
    (void)state;
    expect_at(&isa_gm107, 0x7ffffffffffffff0, 0, 0xe24000000087000f, "BRA -0x8000000000000000");
    expect_at(&isa_gm107, 0xfffffffffffffff0, 0, 0xe24000000087000f, "BRA 0x0");
}

static void memory_says_what_it_is_kept_in(void **state) {
    (void)state;
    expect(0x8090000000070808, "LD.E R8, [R8], P0");
    expect(0x95d0000000070404, "LD.E.CG.128 R4, [R4], P5");
    expect(0xa39fffffffc70e00, "ST.E.WT [R14+-0x4], R0, P0");
    expect(0xef44100000070104, "LDL.LU R4, [R1]");
    expect(0xef4c10050107ff0c, "LDS.U.32 R12, [0x5010]");
    expect(0xef5800000087ffff, "STS.U8 [0x8], RZ");
    expect(0xeed6aff800071810, "LDG.E.CI.128 R16, [R24+-0x8000]");
    expect(0xeed7200000071a04, "LDG.E.U.128 R4, [R26]");
    expect(0xeedda00000071012, "STG.E.CS.64 [R16], R18");
    expect(0xef94003fffc7050b, "LDC R11, c[0x3][R5+-0x4]");
    expect(0xed0c00000087071a, "ATOM.ADD.F64.RN R26, [R7], R8");
    expect(0xebf9000000670406, "RED.E.ADD.F64.RN [R4], R6");
    expect(0xeef3000000470e06, "ATOM.E.CAS.64 R6, [R14], R4, R6");
    expect(0xee40000000670000, "ATOMS.CAS R0, [R0], R6, R7");
    expect(0xec10000022f71012, "ATOMS.MIN.U64 R18, [R16], R47");
    expect(0xef98000000070101, "MEMBAR.GL.IVALLD");
    expect(0xef98000000070000, "MEMBAR.CTA");
    expect(0xef98000000070200, "MEMBAR.SYS");
    expect(0xf0f0000034170000, "DEPBAR.LE SB5, 0x1");
    expect(0xf0f0000020070006, "DEPBAR.LE SB0, 0x0, {2,1}");
    expect(0xf0f0000000070002, "DEPBAR {1}");
}

static void images_say_kind_size_and_what_is_outside(void **state) {
    (void)state;
    expect(0xeb12138400a7040e, "SULD.D.BA.1D_ARRAY.U16 R14, [R4], R39");
    expect(0xeb1a050000a70617, "SULD.D.BA.1D.U16 R23, [R6], 0x50");
    expect(0xeb1c056400a72220, "SULD.D.BA.1D_ARRAY.U16.TRAP R32, [R34], 0x56");
    expect(0xeb38050400a71630, "SUST.D.BA.1D_ARRAY.U16.IGN [R22], R48, 0x50");
    expect(0xeb2c05040037160c, "SUST.P.1D_ARRAY.RG.TRAP [R22], R12, 0x50");
}

static void video_says_its_types(void **state) {
    (void)state;
    expect(0x2044044040470308, "VADD.U16.U16.MRG_16H R8, R3, R4, R8");
    expect(0x3b7706e061c7131c, "VMNMX.MX.MAX R28, R19, R28, R13");
    expect(0x3a28006ffff71111, "VMNMX.UD.U32.U16.MIN R17, R17, 0xffff, R0");
    expect(0x562021600057420c, "VSHR.UD.U32.U16.ACC R12, R66, 0x5, R66");
    expect(0x50387fb441270812, "VABSDIFF4.U8.U8.ACC R18, R8, R18, RZ");
}

static void outcomes_are_beside_the_operation(void **state) {
    (void)state;
    expect(0x5c4038000ff705ff, "LOP.AND.X.NZ P0, RZ, R5, RZ");
    expect(0x5be002bc807706ff, "LOP3.LUT.NZ P0, RZ, R6, R7, R5, 0xc8");
    expect(0x5c4702000077080a, "LOP.OR R10, R8, R7");
    expect(0x5bd7a00004675446, "LEA R70.CC, -R84, R70");
    expect(0x5bdf1ce032773827, "LEA.HI.X R39, -R56, R39, R57, 0x3");
    expect(0x5c11800000270000, "IADD R0.CC, R0, -R2");
    expect(0x5c13000000270000, "IADD.PO R0, R0, R2");
    expect(0x50d82480000700ff, "VOTE.ALL P1, !P1");
    expect(0x50d9e08000070000, "VOTE.ANY R0, PT, P1");
    expect(0x38e8020007873737, "P2R.B1 R55, PR, R55, 0x78");
    expect(0x38f0020007f70800, "R2P PR, R8.B1, 0x7f");
    expect(0xf0b8e0010007ff0c, "B2R.RESULT R12");
    expect(0xf0a81b8000070000, "BAR.SYNC 0x0");
    expect(0xf0a80b8000070400, "BAR.SYNC R4");
    expect(0xf0a8038001171100, "BAR.SYNC R17, R17");
    expect(0xf0a8180a00070000, "BAR.RED.AND 0x0, P0");
    expect(0x50f8004cc1c71d1c, "FSWZADD.NDV R28, R29, R28, ZPPPZPPP");
    expect(0x5cb8020001f7221f, "I2F.F32.S8 R31, R31.B1");
    expect(0x5cb8040002c7263a, "I2F.F32.S16 R58, R44.H1");
}

static void special_registers_have_names(void **state) {
    (void)state;
    expect(0xf0c8000002170002, "S2R R2, SR_TID.X");
    expect(0xf0c8000002570000, "S2R R0, SR_CTAID.X");
    expect(0xf0c8000000070006, "S2R R6, SR_LANEID");
    expect(0x50c8000005070000, "CS2R R0, SR_CLOCKLO");
    expect(0xf0c800000ff70000, "S2R R0, ?255");
}

static void immediates_of_floats_are_numbers(void **state) {
    (void)state;
    expect(0x3970003ff0070404, "DADD R4, R4, -1");
    expect(0x3970004338071a06, "DADD R6, R26, -6.75539944105574400000e+15");
    expect(0x3880000010071212, "DMUL R18, R18, 2.2250738585072013831e-308");
    expect(0x3870007ff0071818, "DADD R24, R24, +INF");
    expect(0x3870007ff8071818, "DADD R24, R24, +QNAN");
    expect(0x3870007ff4071818, "DADD R24, R24, +SNAN(0x4000000000000)");
    expect(0x3968003f00070c0d, "FMUL R13, R12, -0.5");
    expect(0x328109c040071413, "FFMA R19, R20, 3.NEG, R19");
    expect(0x0803eaaa64c70c0f, "FADD32I R15, R12, 0.33329999446868896484");
    expect(0x1e04b80000071717, "FMUL32I R23, R23, 16777216");
    expect(0x1e08000000071717, "FMUL32I R23, R23, -0");
    expect(0x7a01003c0f070707, "HADD2 R7, R7.H0_H0, 1, 1");
    expect(0x7100083c0f071212, "HFMA2 R18, R18, -1, 1, R16");
    expect(0x3910007ffff70202, "IADD R2, R2, -0x1");
}

static void textures_have_handle_kind_and_mask(void **state) {
    (void)state;
    expect(0xc0780507a2a7040c, "TEX.AOFFI R12, R4, R42, 0x50, 2D, 0xf");
    expect(0xdebc0067e0c72c0c, "TEX.B.LL.DC R12, R44, R12, 0x0, CUBE, 0xf");
    expect(0xd82005aff0570403, "TEXS RZ, R3, R4, R5, 0x5a, 2D, R");
    expect(0xd8300501c2672202, "TEXS R28, R2, R34, R38, 0x50, 2D, RGBA");
    expect(0xda90050203573622, "TLDS.LZ.AOFFI R32, R34, R54, R53, 0x50, 2D, RGBA");
    expect(0xdf48050100471f0f, "TXQ R15, R31, TEX_HEADER_DIMENSION, 0x50, 0x2");
    expect(0xdef800d7a0273814, "TLD4.A.B.AOFFI R20, R56, R2, 0x0, 2D, 0xf");
}

static void expect_kepler(uint64_t word, const char *expected) {
    expect_at(&isa_gk110, 8, 0, word, expected);
}

/* Names and order as KeplerAs has them. */
static void kepler_is_said_in_the_same_way(void **state) {
    (void)state;
    expect_kepler(0x18000000001c003c, "EXIT");
    expect_kepler(0x180000000020003c, "@!P0 EXIT");
    expect_kepler(0x1800000000200008, "@!P0 EXIT CC.EQ");
    expect_kepler(0x1480000008000000, "SSY 0x20");
    expect_kepler(0x1300000008000100, "CAL 0x20");
    expect_kepler(0x1300000008000000, "CAL.NOINC 0x20");
    expect_kepler(0x85800000005c3c02, "NOP.S");
    expect_kepler(0x85800000001c3c02, "NOP");
    expect_kepler(0xe4c03c00011c0006, "MOV R1, R2");
    expect_kepler(0x64c03c00089c0006, "MOV R1, c[0x0][0x44]");
    expect_kepler(0x86400000109c0002, "S2R R0, SR_TID.X");
    expect_kepler(0xe2c00000019c080a, "FADD R2, R2, R3");
    expect_kepler(0xe2c80000019c080a, "FADD R2, -R2, R3");
    expect_kepler(0xc0800000009c0809, "IADD R2, R2, 0x1");
    expect_kepler(0xc4800000001c0808, "LD.E R2, [R2]");
    expect_kepler(0xe4800000021c0408, "ST.E [R1+0x4], R2");
    expect_kepler(0x7a500000021c080a, "LDS.U16 R2, [R2+0x4]");
    expect_kepler(0x68080000019c0bfe, "RED.E.ADD [R2], R3");
    expect_kepler(0x68080000019c080a, "ATOM.E.ADD R2, [R2], R3");
    expect_kepler(0xdb681c00019c081e, "ISETP.GE.AND P0, PT, R2, R3, PT");
    expect_kepler(0xcc000c00019c080a, "FFMA R2, R2, R3, R3");
    expect_kepler(0x770000000f9c0002, "TEXDEPBAR 0x1f");
}

/* The second of three instructions; what a texture keeps is a mode of it. */
static void what_the_control_word_keeps_is_said(void **state) {
    (void)state;
    expect_at(&isa_gm107, 0x30, UINT64_C(0x3) << (21 + 17), 0x5b007f8801971214,
              "XMAD R20, R18.reuse, R25.H1.reuse, RZ");
    expect_at(&isa_gm107, 0x28, UINT64_C(0x3) << (21 + 17), 0x5b007f8801971214, "XMAD R20, R18, R25.H1, RZ");
    expect_at(&isa_gm107, 0x30, UINT64_C(0x5) << (21 + 17), 0x5d11080061071e05,
              "HADD2 R5, -R30.H0_H0.reuse, |R16.H0_H0|.reuse");
    expect_at(&isa_gm107, 8, UINT64_C(1) << 17, 0xc0780507a2a7040c, "TEX.AOFFI.T R12, R4, R42, 0x50, 2D, 0xf");
    expect_at(&isa_gm107, 8, UINT64_C(2) << 17, 0xc0780507a2a7040c, "TEX.AOFFI.P R12, R4, R42, 0x50, 2D, 0xf");
}

static void control_words_say_stalls_and_barriers(void **state) {
    const uint64_t first = 6 | 1 << 4 | 7 << 5 | 2 << 8, second = 13 | 1 << 5 | 7 << 8 | 0x21 << 11,
                   third = 15 | 1 << 4 | 7 << 5 | 7 << 8 | 5 << 17;
    const uint64_t word = first | second << 21 | third << 42 | UINT64_C(1) << 63;
    uint8_t code[8];
    char text[ROOM];
    (void)state;
    store_le64(code, word);
    size_t length = isa_text_control(&isa_gm107, code, 8, text, ROOM);
    assert_int_equal(length, strlen(text));
    assert_string_equal(text, "schedule [B------:R2:W-:-:S06] [B0----5:R-:W1:Y:S13] [B------:R-:W-:-:S15 reuse ac] "
                              "{+0x8000000000000000}");
}

/* No field of any row has them. */
static void bits_of_no_field_are_told_as_they_are(void **state) {
    (void)state;
    expect(0xe30000000007010f, "EXIT {+0x100}");
    expect(0x5c58000100270001, "FADD R1, R0, R2 {+0x100000000}");
    expect(0xef9800000007033c, "MEMBAR.VC {+0x3c}");
    expect(0x5ba7ff800027ff01, "FCMP.NUM.FTZ R1, RZ, R2, RZ");
}

static void text_that_is_too_long_is_cut_off(void **state) {
    static const uint8_t code[8] = {5, 0, 0x27, 0, 0x80, 0x7f, 0x10, 0x4f};
    static const char whole[] = "XMAD.MRG R5, R0, c[0x0][0x8].H1, RZ";
    char text[ROOM];
    (void)state;
    for (size_t room = 1; room < sizeof whole + 3; room++) {
        memset(text, '#', sizeof text);
        size_t expected = room < sizeof whole ? room - 1 : sizeof whole - 1;
        assert_int_equal(isa_text(&isa_gm107, code, 8, 8, 0, text, room), expected);
        assert_memory_equal(text, whole, expected);
        assert_int_equal(text[expected], 0);
        assert_int_equal(text[room], '#');
    }
    assert_int_equal(isa_text(&isa_gm107, code, 8, 8, 0, text, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_halves_say_all_their_modes),
        cmocka_unit_test(what_has_no_predicate_shows_none),
        cmocka_unit_test(a_target_beyond_the_largest_address_wraps),
        cmocka_unit_test(memory_says_what_it_is_kept_in),
        cmocka_unit_test(images_say_kind_size_and_what_is_outside),
        cmocka_unit_test(video_says_its_types),
        cmocka_unit_test(outcomes_are_beside_the_operation),
        cmocka_unit_test(special_registers_have_names),
        cmocka_unit_test(immediates_of_floats_are_numbers),
        cmocka_unit_test(textures_have_handle_kind_and_mask),
        cmocka_unit_test(kepler_is_said_in_the_same_way),
        cmocka_unit_test(what_the_control_word_keeps_is_said),
        cmocka_unit_test(control_words_say_stalls_and_barriers),
        cmocka_unit_test(bits_of_no_field_are_told_as_they_are),
        cmocka_unit_test(text_that_is_too_long_is_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
