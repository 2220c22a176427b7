/* SPDX-License-Identifier: MIT */
/* Instructions as people know them from nvdisasm: order, names, operands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "differential/choice.h"
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

/* Words and text of public listings: KeplerAs, and what nvdisasm says of LD with each of its bits. */
static void kepler_is_said_as_listings_have_it(void **state) {
    (void)state;
    expect_kepler(0x64c03c0008dc0006, "MOV.S R1, c[0x0][0x44]");
    expect_kepler(0xc0000000001c1000, "LD.U8 R0, [R4]");
    expect_kepler(0xc0800000005c1000, "LD.E.U8.S R0, [R4]");
    expect_kepler(0xc3800000005c1000, "LD.E.S16.S R0, [R4]");
    expect_kepler(0xc7800000005c1000, "LD.E.U.128.S R0, [R4]");
    expect_kepler(0xcd000000005c1000, "LD.CG.64.S R0, [R4]");
    expect_kepler(0x51080c00051c0002, "IMAD R0, R0, c[0x0][0x28], R3");
    expect_kepler(0x931824002a9c0026, "IMAD.HI.X R9, R0, R9, c[0x0][0x154]");
    expect_kepler(0x60c40c00281c0012, "ISCADD R4.CC, R0, c[0x0][0x140], 0x3");
    expect_kepler(0xcc800000001c2020, "LD.E.CG R8, [R8]");
    expect_kepler(0xe5800000001c2008, "ST.E.64 [R8], R2");
    expect_kepler(0xe3800000021c080a, "DADD R2, R2, R4");
    expect_kepler(0xc080000000dc0001, "IADD.S R0, R0, 0x1");
    expect_kepler(0x7ca0000c401ffc12, "LDC R4, c[0x0][0x1880]");
    expect_kepler(0x1080058e7c1c003c, "JMP 0xb1cf8");
    expect_kepler(0x1100058e00000100, "JCAL 0xb1c00");
    expect_kepler(0x8540dc00001c0002, "BAR.SYNC 0x0");
    expect_kepler(0x120000000c20003c, "@!P0 BRA 0x28");
    expect_kepler(0xe0880000041c1812, "ISUB R4, R6, R8");
    expect_kepler(0xe0900000041c1812, "IADD R4, -R6, R8");
    expect_kepler(0xe0980000041c1812, "IADD.PO R4, R6, R8");
    expect_kepler(0x700a00067f9ffc02, "TLD.LZ.P R0, RZ, 0x50, 1D, 0x1");
}

static void textures_and_surfaces_of_kepler_have_all_their_modes(void **state) {
    (void)state;
    expect_kepler(0x602938bd041c1811, "TEX.LL.AOFFI.T R4, R6, R8, 0x52, 2D, 0xf");
    expect_kepler(0x7d8012bcff9c1812, "TEX.B.LZ.NDV.NODEP R4, R6, 0x0, 2D, 0xf");
    expect_kepler(0x702930bc041c1811, "TLD4.G.PTP R4, R6, R8, 0x52, 2D, 0xf");
    expect_kepler(0x7540a43c021c1812, "TXQ R4, R6, TEX_HEADER_DIMENSION, 0x52, 0xf");
    expect_kepler(0x7640a4bc041c1812, "TXD.AOFFI R4, R6, R8, 0x52, 2D, 0xf");
    expect_kepler(0x79a05c08841c1812, "SULDGA.CG.U8.TRAP R4, [R6], R8, PT");
    expect_kepler(0x79dc20001e1c1812, "SUSTGA.P.RGBA.U32.IGN [R6], R4, R8, PT");
    expect_kepler(0x3c1c20a0201c1802, "SUSTGA.B.U32.IGN [R6], c[0x5][0x100], R8, PT");
    expect_kepler(0xd8690800041c1812, "SUCLAMP.PL.R2 P1, R4, R6, R8, 0x2");
    expect_kepler(0x5ebc2800041c1812, "SUBFM.3D PT, R4, R6, c[0x0][0x20], R10");
    expect_kepler(0xb1102a000f9c1812, "VSHR.UD.U16.U16.W.ACC R4, R6, 0x1f, R10");
    expect_kepler(0x7fc0400d841c1812, "FSWZ.1032 R4, R6, R8, PPNPPNZP");
    expect_kepler(0x7f800000081c1812, "VILD R4, [R6+0x10]");
}

/* ---- Fermi and GK104 ---- */

static void expect_fermi(uint64_t word, const char *expected) {
    expect_at(&isa_gf100, 8, 0, word, expected);
}

static void expect_gk104(uint64_t word, const char *expected) {
    expect_at(&isa_gf100k, 8, 0, word, expected);
}

/* Words and text of public listings of cuobjdump for sm_20 and sm_30. */
static void fermi_and_gk104_are_said_as_listings_have_it(void **state) {
    (void)state;
    expect_fermi(0x2800440400005de4, "MOV R1, c[0x1][0x100]");
    expect_fermi(0x8c00000000209c85, "LDU.E R2, [R2]");
    expect_gk104(0x2800400110005de4, "MOV R1, c[0x0][0x44]");
    expect_gk104(0x2c00000094001c04, "S2R R0, SR_CTAID.X");
    expect_gk104(0x20064000a0001ca3, "IMAD R0, R0, c[0x0][0x28], R3");
    expect_gk104(0x1b0e40054001dc23, "ISETP.GE.AND P0, PT, R0, c[0x0][0x150], PT");
    expect_gk104(0x188e00001871dc23, "ISETP.LT.AND P0, PT, R7, R6, PT");
    expect_gk104(0x80000000000001e7, "@P0 EXIT");
    expect_gk104(0x4001400500009c43, "ISCADD R2.CC, R0, c[0x0][0x140], 0x2");
    expect_gk104(0x1800000010015de2, "MOV32I R5, 0x4");
    expect_gk104(0x208a80051000dce3, "IMAD.HI.X R3, R0, R5, c[0x0][0x144]");
    expect_gk104(0x2008800540209c43, "IMAD.U32.U32.HI R2, R2, R4, c[0x0][0x150]");
    expect_gk104(0x2000c00008619ca3, "IMAD R6, R6, 0x2, R0");
    expect_gk104(0x5800c00004219c23, "SHR R6, R2, 0x1");
    expect_gk104(0x4800000018019c03, "IADD R6, R0, R6");
    expect_gk104(0x5000000000011ca3, "IMUL R4, R0, R0");
    expect_gk104(0x8400000000411cc5, "LD.E.128 R4, [R4]");
    expect_gk104(0x9400000000409ca5, "ST.E.64 [R4], R2");
    expect_gk104(0x40000000000001f4, "@P0 NOP.S");
    expect_gk104(0x4000000000001de4, "NOP");
    expect_at(&isa_gf100k, 0x98, 0, 0x4003fffe600001e7, "@P0 BRA 0x38");
    expect_at(&isa_gf100k, 0x28, 0, 0x60000002c0001c07, "SSY 0xe0");
    expect_gk104(0x50ee0000ffffdc04, "BAR.RED.POPC RZ, RZ, RZ, PT");
}

static void fermi_says_all_its_modes(void **state) {
    (void)state;
    expect_fermi(0x580000000c111c40, "FMUL.FTZ R4, R1, R3");
    expect_fermi(0x3008000008011d40, "FFMA.FTZ R4, R0, R2, -R4");
    expect_fermi(0x5a00000020611c00, "FMUL R4, R6, -R8");
    expect_fermi(0x2014000020611f01, "DFMA R4, R6, -R8, -R10");
    expect_fermi(0x3000d68860851c00, "FFMA R20, R8, 1.13645521846927360000e+16, R0");
    expect_fermi(0x4800000000101f03, "IADD.PO R0, R1, R0");
    expect_fermi(0x9000000000201c85 | UINT64_C(0xfffffffc) << 26, "ST [R2+-0x4], R0");
    expect_fermi(0x4003ffffe0000427, "@P1 BRA CC.LT, 0x8");
    expect_fermi(0x4000400100005de7, "BRA c[0x10][0x40]");
    expect_fermi(0x4803ffffc0401de7, "BRX R4 -0x10");
    expect_fermi(0x5000000020010007, "CAL 0x18");
    expect_fermi(0x5000000020000007, "CAL.NOINC 0x18");
    expect_fermi(0x401c000048001de4, "NOP.TRIG.XLU 0x12");
    expect_fermi(0x9c000000006fdca5, "CCTL.E.IV [R6]");
    expect_fermi(0x5418500010611d25, "ATOM.E.CAS R10, [R6+0x4], R4, R12");
    expect_fermi(0x57fe57fffc611c05, "ATOM.E.ADD R10, [R6+-0x1], R4");
    expect_fermi(0xc390e00118511c44, "VADD.UD.S32.U8 R4, R5, R6.B1, R8");
    expect_fermi(0xc2104048d0511de4, "VADD.UD.S16.S16.PO.ACC R4, R5, 0x1234, R8");
    expect_fermi(0x8190844c18511c04, "VADD4.U8.U8 R4, R5, R6, R8");
    expect_fermi(0xad90c4e018511d04, "VSET2.EQ.ACC R4, R5, R6, R8");
    expect_fermi(0xf090e00618511c64, "VMAD.SHR_7 R4, R5, R6, R8");
    expect_fermi(0xd401500008611c85, "SULD.D.2D.TRAP R4, [R6], 0x2");
    expect_fermi(0xdc1f500008611d05, "SUST.P.2D.RGBA.CG.TRAP [R6], R4, 0x2");
    expect_fermi(0x875bc20720611d06, "TEX.LL.AOFFI.DC.P R4, R6, R8, 0x7, 0x2, ARRAY_2D, 0xf");
    expect_fermi(0xc243c007fc611c06, "TXQ R4, R6, TEX_SAMPLER_LOD, 0x7, 0x0, 0xf");
    expect_gk104(0x8617c00720611c06, "TEX.B.LL R4, R6, R8, 0x7, 2D, 0xf");
    expect_gk104(0x5906c00040611f04, "SUCLAMP.PL.R8 P2, R4, R6, 0x10, 0x3");
    expect_gk104(0xd42e050100611c85, "SULDGA.U32.IGN R4, [R6], c[0x5][0x100], PT");
    expect_gk104(0xbc00000040611f85, "STSCUL PT, [R6+0x10], R4");
    expect_gk104(0x8d807c0004611f65, "SHFL.BFLY PT, R4, R6, 0x1, 0x1f");
    expect_gk104(0x0114000020611da3, "IMADSP.S24.S16H0.S16H0 R4, R6, R8, R10");
}

/* The types of both are in one number, and the offsets are counted in them. */
static void two_loads_in_one_have_their_types(void **state) {
    static const char *const types[32] = {
        "U8.U8",  "U8.S8",   "U8.U16",  "U8.S16", "U8.32",  "S8.U8",  "S8.S8",   "S8.U16",  "S8.S16", "S8.32", "U16.U8",
        "U16.S8", "U16.U16", "U16.S16", "U16.32", "S16.U8", "S16.S8", "S16.U16", "S16.S16", "S16.32", "32.U8", "32.S8",
        "32.U16", "32.S16",  "32.32",   "32.64",  "32.128", "64.32",  "64.64",   "64.128",  "128.32", "128.64"};
    char expected[ROOM];
    (void)state;
    for (unsigned i = 0; i < 32; i++) {
        snprintf(expected, sizeof expected, "LDS_LDU.%s R10, [R6], R4, [R8]", types[i]);
        expect_fermi(0xa800000a20611c05 | (uint64_t)i << 53, expected);
    }
    expect_fermi(0xab40180a20611c25, "LDS_LDU.32.128 R10, [R6+0xc], R4, [R8+0x10]");
    expect_fermi(0xbf40180a20611c25, "LD_LDU.E.E.32.128 R10, [R6+0xc], R4, [R8+0x10]");
}

static void instructions_of_4_bytes_have_names_of_their_own(void **state) {
    (void)state;
    expect_fermi(0x84011c08, "MUFU_N.SIN R4, R0");
    expect_fermi(0x7ff01d18, "MOV_N R0, 0x7ff");
    expect_fermi(0x3f811f18, "MOV_N R4, 0x3f800000");
    expect_fermi(0x00001f08, "VADD4_N.SUBR.S8.S8 R0, R0, R0");
    expect_fermi(0x00001c18, "I2I_N.U16.U16 R0, R0");
    expect_fermi(0xfffddcc8, "ISETP_N.T P6, RZ, 0x3f");
    expect_fermi(0x0c041c58, "VMAD_N.U32.S32.H0.H0 R16, R0, R3");
    expect_fermi(0x04011c09, "IPA_N.MUL R4, a[0x4], R0");
    expect_fermi(0x0c211c6c, "IADD_N R4, -R2, R3");
    expect_fermi(0xfc211fec, "IADD_N R4, -R2, -0x1");
    expect_fermi(0x0c211d5c, "LDC_N R4, c[0x2][R2+0x10c]");
    expect_fermi(0x0c20dcdb, "ST_N.E.64 [R2+0x18], R3");
    expect_fermi(0x0c2112ad, "IMAD_N R4, R2, c[0x1][0xc], R18");
    expect_fermi(0x0c21126e, "FFMA_N R4, R2, R3, c[0x0][0x48]");
    expect_fermi(0x4004001f, "SSY_N 0x4c");
    expect_at(&isa_gf100, 0x10, 0, 0x0fffddff, "BRA_N 0x10");
    expect_fermi(0x800080ff, "BPT_N.TRAP 0x101");
    expect_fermi(0x5000dc08, "BAR_N.SYNC R0 {+0xc000}");
    /* what follows is not of it */
    expect_fermi(0x8000000088001dff, "EXIT_N");
}

/* What is not of a word for the scheduler is said as well: one is wherever the address says so. */
static void control_words_of_kepler_have_seven_codes(void **state) {
    static const struct {
        const struct isa *isa;
        uint64_t word;
        const char *text;
    } words[] = {{&isa_gf100k, 0x2202e2c282823307, "schedule 0x30 0x23 0x28 0x28 0x2c 0x2e 0x20"},
                 {&isa_gf100k, 0x4000000000001de4, "schedule 0xde 0x01 0x00 0x00 0x00 0x00 0x00 {^0x6000000000000003}"},
                 {&isa_gk110, 0x0880b8b0a0a08cac, "schedule 0x2b 0x23 0x28 0x28 0x2c 0x2e 0x20"},
                 {&isa_gk110, 0x85800000001c3c02, "schedule 0x00 0x0f 0x07 0x00 0x00 0x00 0x60 {^0x8c00000000000002}"}};
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        uint8_t code[8];
        char text[ROOM];
        store_le64(code, words[i].word);
        assert_int_equal(isa_text_control(words[i].isa, code, sizeof code, text, ROOM), strlen(words[i].text));
        assert_string_equal(text, words[i].text);
    }
}

/* Else a listing would call illegal what is executed. */
static void every_word_that_decodes_has_a_text(void **state) {
    static const struct isa *const sets[] = {&isa_gf100, &isa_gf100k, &isa_gk110, &isa_gm107};
    struct choice c = choice_from_seed(0x7e87);
    unsigned decoded = 0;
    (void)state;
    for (unsigned i = 0; i < 400000; i++) {
        const struct isa *isa = sets[i % 4];
        uint64_t word = (uint64_t)choice_word(&c) << 32 | choice_word(&c);
        uint8_t code[8];
        char text[ROOM];
        struct ir ir;
        store_le64(code, i & 4 ? word : word & word << 11);
        if (isa->decode(code, sizeof code, 8, &ir, 1).result != ISA_OK)
            continue;
        decoded++;
        size_t length = isa_text(isa, code, sizeof code, 8, 0, text, ROOM);
        if (!length)
            fail_msg("%s: %s, %016llx has no text", isa->name, ir.name, (unsigned long long)word);
        assert_int_equal(length, strlen(text));
        assert_in_range(length, 2, ROOM - 2);
    }
    assert_in_range(decoded, 50000, 400000);
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
        cmocka_unit_test(kepler_is_said_as_listings_have_it),
        cmocka_unit_test(textures_and_surfaces_of_kepler_have_all_their_modes),
        cmocka_unit_test(fermi_and_gk104_are_said_as_listings_have_it),
        cmocka_unit_test(fermi_says_all_its_modes),
        cmocka_unit_test(two_loads_in_one_have_their_types),
        cmocka_unit_test(instructions_of_4_bytes_have_names_of_their_own),
        cmocka_unit_test(control_words_of_kepler_have_seven_codes),
        cmocka_unit_test(every_word_that_decodes_has_a_text),
        cmocka_unit_test(what_the_control_word_keeps_is_said),
        cmocka_unit_test(control_words_say_stalls_and_barriers),
        cmocka_unit_test(bits_of_no_field_are_told_as_they_are),
        cmocka_unit_test(text_that_is_too_long_is_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
