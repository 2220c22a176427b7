/* SPDX-License-Identifier: MIT */
/* The assembler's form for people: methods, fields and values by name, labels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/classes.h>

#include "decode/assemble_words.h"

static struct pfifo_assemble_options on(const char *chip) {
    return (struct pfifo_assemble_options){.chip = pfifo_chip_by_name(chip)};
}

static void a_method_by_name_of_the_class_that_is_bound(void **state) {
    struct pfifo_assemble_options gf100 = on("GF100"), gk104 = on("GK104"), nv40 = on("NV40");

    (void)state;
    EXPECT_WORDS(&gf100, "inc 3 SET_OBJECT 0x902d\ninc 3 SET_DST_WIDTH 16", 0x20016000, 0x902d, 0x20016086, 16);
    EXPECT_WORDS(&gf100, "inc 0 SET_OBJECT FERMI_A\nimm 0 NO_OPERATION 1", 0x20010000, 0x9097, 0x80010040);
    /* Subchannel 4 has the copy engine where drivers bind nothing. */
    EXPECT_WORDS(&gk104, "OFFSET_IN_LOWER 1 2", 0x20028101, 1, 2);
    EXPECT_WORDS(&nv40, "bind 7 NV40_3D\ninc 7 CLEAR_COLOR_VALUE 5", 0x0004fd90, 5);
    gf100.bound[1] = 0x90c0;
    EXPECT_WORDS(&gf100, "SET_CTA_THREAD_COUNT 1", 0x20012094, 1);
    gf100 = on("GF100");
    EXPECT_WORDS(&gf100, "bind 2 9097\nFERMI_A.SET_COLOR_CLEAR_VALUE(1) 1", 0x20014361, 0x3f800000);
    /* Methods of the channel need no class. */
    EXPECT_WORDS(&gf100, "SEMAPHOREA 1\n.SET_REFERENCE 2", 0x20010004, 1, 0x20010014, 2);
}

static void indices_with_a_comma(void **state) {
    struct pfifo_assemble_options options = on("GF100");

    (void)state;
    EXPECT_WORDS(&options, "inc 0 FERMI_A.SET_STREAM_OUT_LAYOUT_SELECT(1,2),3", 0x20010a22, 3);
}

static void fields_by_name_make_a_word(void **state) {
    struct pfifo_assemble_options options = on("GF100");

    (void)state;
    options.bound[0] = 0x9097;
    EXPECT_WORDS(&options, "CLEAR_SURFACE { R_ENABLE=TRUE, Z_ENABLE=TRUE MRT_SELECT=3 }", 0x20010674, 0xc5);
    EXPECT_WORDS(&options, "CLEAR_SURFACE {r_enable=true}{}", 0x20020674, 4, 0);
    EXPECT_WORDS(&options, "imm 0 CLEAR_SURFACE {RT_ARRAY_INDEX=0x1}", 0x84000674);
    EXPECT_WORDS(&options, "SET_DEPTH_FUNC OGL_LESS", 0x200104c3, 0x201);
    EXPECT_WORDS(&options, "noninc 0 SET_DEPTH_FUNC OGL_LESS {OGL_GREATER}", 0x600204c3, 0x201, 0x204);
    EXPECT_WORDS(&options, "SET_COLOR_CLEAR_VALUE(0) {1} {0.5} {-inf} 1", 0x20040360, 0x3f800000, 0x3f000000,
                 0xff800000, 0x3f800000);
}

/* What decode prints of a float is a float; bits are hexadecimal. A method without a name is no float's. */
static void a_number_for_a_float_is_one(void **state) {
    struct pfifo_assemble_options options = on("GF100");

    (void)state;
    options.bound[0] = 0x9097;
    EXPECT_WORDS(&options, "SET_COLOR_CLEAR_VALUE(0) 1 1.0 -2 0x3f800000", 0x20040360, 0x3f800000, 0x3f800000,
                 0xc0000000, 0x3f800000);
    EXPECT_WORDS(&options, "SET_COLOR_CLEAR_VALUE(0) {0x1} {V=1} inf nan", 0x20040360, 1, 0x3f800000, 0x7f800000,
                 0x7fc00000);
    EXPECT_WORDS(&options, "inc 0 0xd80 1\ninc 1 0xd80 1\ndata 1\nSET_DEPTH_FUNC 1", 0x20010360, 0x3f800000, 0x20012360,
                 1, 1, 0x200104c3, 1);
    /* Only the first of these methods is a float's: 0x1310 is SET_ALPHA_REF, 0x1314 SET_ALPHA_FUNC. */
    EXPECT_WORDS(&options, "inc 0 SET_ALPHA_REF 1 1", 0x200204c4, 0x3f800000, 1);
}

static void a_float_of_16_bits_may_be_zero(void **state) {
    struct pfifo_assemble_options options = on("G84");

    (void)state;
    options.bound[0] = 0x8297;
    EXPECT_WORDS(&options, "VTX_ATTR_4H_0(0) { X=0 Y=1.0 } { Z=-0.0 W=0.00006103515625 }", 0x00080600, 0x3c000000,
                 0x04008000);
}

static void values_of_flags_are_put_together(void **state) {
    struct pfifo_assemble_options options = on("GF100");

    (void)state;
    options.bound[0] = 0x9097;
    EXPECT_WORDS(&options, "CLEAR_SURFACE R_ENABLE|G_ENABLE", 0x20010674, 0xc);
    EXPECT_WORDS(&options, "CLEAR_SURFACE { r_enable|B_ENABLE Z_ENABLE MRT_SELECT=1|2 A_ENABLE=FALSE }", 0x20010674,
                 0xd5);
    EXPECT_WORDS(&options, "SET_DEPTH_FUNC 1|2", 0x200104c3, 3);
    expect_refused(&options, "CLEAR_SURFACE R_ENABLE|R_ENABLE",
                   "line 1, column 15: values that have a bit in common are no flags: 'R_ENABLE|R_ENABLE'");
    expect_refused(&options, "SET_DEPTH_FUNC OGL_LESS|OGL_GREATER",
                   "line 1, column 16: values that have a bit in common are no flags: 'OGL_LESS|OGL_GREATER'");
    expect_refused(&options, "CLEAR_SURFACE R_ENABLE|G_ENABEL",
                   "line 1, column 15: no data: 'R_ENABLE|G_ENABEL'; did you mean 'G_ENABLE'?");
    expect_refused(&options, "CLEAR_SURFACE MRT_SELECT", "line 1, column 15: no data: 'MRT_SELECT'");
    expect_refused(&options, "CLEAR_SURFACE { R_ENABLE R_ENABLE=FALSE }",
                   "line 1, column 26: bits that another field gave another value: 'R_ENABLE=FALSE'");
    expect_refused(&options, "CLEAR_SURFACE R_ENABLE|", "line 1, column 15: no data: 'R_ENABLE|'");
}

static void expect_data(uint32_t oclass, uint32_t method, const char *text, uint32_t old, uint32_t expected,
                        const char *message) {
    struct pfifo_error error = {0};
    uint32_t word = old;
    enum pfifo_status status =
        pfifo_assemble_data(pfifo_chip_by_name("GF100"), oclass, method, text, &word, message ? &error : NULL);

    assert_int_equal(status, message ? PFIFO_ERROR_ARGUMENT : PFIFO_OK);
    if (word != expected)
        fail_msg("%s: %08x, expected %08x", text, word, expected);
    if (message)
        assert_string_equal(error.message, message);
}

static void data_alone_is_that_of_a_method(void **state) {
    (void)state;
    expect_data(0x9097, 0xd80, "1", 7, 0x3f800000, NULL);
    expect_data(0x9097, 0x130c, " OGL_LESS # less", 7, 0x201, NULL);
    expect_data(0x9097, 0, "FERMI_A", 7, 0x9097, NULL);
    expect_data(0x9097, 0x19d0, "{ R_ENABLE MRT_SELECT=1 }", 0x3c, 0x44, NULL);
    /* Without braces what is not named stays. */
    expect_data(0x9097, 0x19d0, "R_ENABLE=FALSE, MRT_SELECT=1", 0x3c, 0x78, NULL);
    expect_data(0, 0x100, "0xffffffff", 7, 0xffffffff, NULL);
    expect_data(0x9097, 0x19d0, "R_ENABLE=FALSE X=1", 0x3c, 0x3c, "the method has no field 'X'");
    expect_data(0x9097, 0x19d0, "1 2", 7, 7, "too much: '2'");
    expect_data(0x9097, 0x19d0, "", 7, 7, "the data is missing");
    expect_data(0x9097, 0x19d0, "@here", 7, 7, "there are no labels here: '@here'");
    expect_data(0, 0x100, "OGL_LESS", 7, 7, "no data: 'OGL_LESS'");
    expect_data(0, 0x100, "A=1", 7, 7, "the method has no known fields: 'A=1'");
    expect_data(0x9097, 0x130c, "OGL_LES", 7, 7, "no data: 'OGL_LES'; did you mean 'OGL_LESS'?");
    expect_data(0x9097, 0x10000, "1", 7, 7, "data needs a chip, a method, a text and a place for it");
}

static void fields_of_an_increasing_packet_are_those_of_each_method(void **state) {
    struct pfifo_assemble_options options = on("GF100");

    (void)state;
    options.bound[0] = 0x9097;
    /* SET_DEPTH_FUNC is at 0x130c, SET_ALPHA_REF at 0x1310, SET_ALPHA_FUNC at 0x1314. */
    EXPECT_WORDS(&options, "inc 0 SET_DEPTH_FUNC OGL_LESS 0 OGL_ALWAYS", 0x200304c3, 0x201, 0, 0x207);
    expect_refused(&options, "inc 0 SET_DEPTH_FUNC OGL_LESS OGL_LESS", "line 1, column 31: no data: 'OGL_LESS'");
}

static void what_is_wrong_with_a_name(void **state) {
    struct pfifo_assemble_options options = on("GF100");

    (void)state;
    options.bound[0] = 0x9097;
    expect_refused(&options, "nop\n CLEAR_SURFACE { R_ENABLE=MAYBE }",
                   "line 2, column 18: the field has no value 'R_ENABLE=MAYBE'");
    expect_refused(&options, "CLEAR_SURFACE { X=1 }", "line 1, column 17: the method has no field 'X'");
    expect_refused(&options, "CLEAR_SURFACE { MRT_SELECT=16 }",
                   "line 1, column 17: the field has no value 'MRT_SELECT=16'");
    expect_refused(&options, "CLEAR_SURFACE { MRT_SELECT=1 MRT_SELECT=2 }",
                   "line 1, column 30: bits that another field gave another value: 'MRT_SELECT=2'");
    expect_refused(&options, "CLEAR_SURFACE { MRT_SELECT=1", "line 1, column 29: a } is missing");
    expect_refused(&options, "CLEAR_SURFACE MRT_SELECT=1", "line 1, column 15: fields stand in { }: 'MRT_SELECT=1'");
    expect_refused(&options, "inc 0 0x3ff0 {X=1}", "line 1, column 14: the method has no known fields: '{'");
    expect_refused(&options, "CLAER_SURFACE 1",
                   "line 1, column 1: no command, and no method of a class that is bound: 'CLAER_SURFACE'; "
                   "did you mean 'CLEAR_SURFACE'?");
    expect_refused(&options, "inc 0 FERMI_A.CLEAR_SURFACES 1",
                   "line 1, column 7: no method: 'FERMI_A.CLEAR_SURFACES'; did you mean 'CLEAR_SURFACE'?");
    expect_refused(&options, "inc 0 CLEAR_SURFCE 1",
                   "line 1, column 7: no method: 'CLEAR_SURFCE'; did you mean 'CLEAR_SURFACE'?");
    expect_refused(
        &options, "nonic 0 0x100 1",
        "line 1, column 1: no command, and no method of a class that is bound: 'nonic'; did you mean 'noninc'?");
    expect_refused(&options, "CLEAR_SURFACE { R_ENABEL=TRUE }",
                   "line 1, column 17: the method has no field 'R_ENABEL'; did you mean 'R_ENABLE'?");
    expect_refused(&options, "CLEAR_SURFACE { R_ENABLE=TREU }",
                   "line 1, column 17: the field has no value 'R_ENABLE=TREU'; did you mean 'TRUE'?");
    expect_refused(&options, "SET_DEPTH_FUNC OGL_LES",
                   "line 1, column 16: no data: 'OGL_LES'; did you mean 'OGL_LESS'?");
    expect_refused(&options, "bind 0 FERMI_Z",
                   "line 1, column 8: there is no class 'FERMI_Z'; did you mean 'FERMI_A'?");
    expect_refused(&options, "data 1 {X=1}", "line 1, column 8: no data: '{'");
    expect_refused(&options, "inc 0 0x100 \1x", "line 1, column 13: no data: '?x'");
}

/* A name that is known is not asked for again: what is missing is a subchannel, or the class on it. */
#define COLOUR "macro colour R G B\n SET_COLOR_CLEAR_VALUE(0) $R $G $B 1 # $alpha is 1\nendmacro\n"
#define CLEAR  "macro clear R G B FIELDS # uses the other\n\tcolour $R $G $B\n CLEAR_SURFACE $FIELDS\n endmacro\n"

static void a_macro_stands_for_its_lines(void **state) {
    struct pfifo_assemble_options gf100 = on("GF100"), nv40 = on("NV40");

    (void)state;
    gf100.bound[0] = 0x9097;
    EXPECT_WORDS(&gf100, COLOUR "colour 0.5, 1 0", 0x20040360, 0x3f000000, 0x3f800000, 0, 0x3f800000);
    EXPECT_WORDS(&gf100, COLOUR CLEAR "nop\nclear 0.5 1 0 { R_ENABLE G_ENABLE }\nnop", 0, 0x20040360, 0x3f000000,
                 0x3f800000, 0, 0x3f800000, 0x20010674, 0xc, 0);
    /* Labels before it, and in it. */
    EXPECT_WORDS(&nv40,
                 "macro spin name N\nname_$name: nop\njump name_$name\ndata $N$N\nendmacro\nend: spin a 1\n"
                 "spin b 2\njump end",
                 0, 1, 11, 0, 0xd, 22, 1);
    expect_assembled(&gf100, "macro nothing\nendmacro\nnothing", 0, NULL);
    /* A macro that has a method's name, and nothing in it. */
    EXPECT_WORDS(&gf100, "macro NO_OPERATION\nendmacro\nNO_OPERATION\nnop", 0);
}

struct found_buffers {
    struct pfifo_assemble_buffer buffer[4];
    size_t count;
};

static void find_buffer(void *opaque, const struct pfifo_assemble_buffer *buffer) {
    struct found_buffers *found = opaque;

    assert_in_range(found->count, 0, 3);
    found->buffer[found->count++] = *buffer;
}

static void expect_buffer(const struct pfifo_assemble_buffer *found, uint64_t address, uint64_t bytes, size_t first,
                          size_t count) {
    assert_int_equal(found->address, address);
    assert_int_equal(found->bytes, bytes);
    assert_int_equal(found->first, first);
    assert_int_equal(found->count, count);
}

/* Labels of the pushbuffer do not count the words of buffers, wherever these stand. */
static void buffers_have_words_and_labels_of_their_own(void **state) {
    struct found_buffers found = {.count = 0};
    struct pfifo_assemble_options options = on("NV40");

    (void)state;
    options.base = 0x10000;
    options.buffer = find_buffer;
    options.buffer_opaque = &found;
    EXPECT_WORDS(&options,
                 "first: nop\nbuffer one 4097 0x40000\ndata 5 @last\ntail: endbuffer\nlast: jump first\n"
                 "buffer two 1\nin: data @in @one @tail @two\nendbuffer\nempty: data @empty @first\n",
                 0, 5, 0x10004, 0x10001, 0x43000, 0x40000, 0x40008, 0x43000, 0x10008, 0x10000);
    assert_int_equal(found.count, 2);
    expect_buffer(&found.buffer[0], 0x40000, 8192, 1, 2);
    expect_buffer(&found.buffer[1], 0x43000, 4096, 4, 4);
}

static void what_is_wrong_with_a_buffer(void **state) {
    struct found_buffers found = {.count = 0};
    struct pfifo_assemble_options options = on("NV40");

    (void)state;
    expect_refused(&options, "buffer a 4096",
                   "line 1, column 1: only a capture has buffers beside the words: 'buffer'");
    options.buffer = find_buffer;
    options.buffer_opaque = &found;
    expect_refused(&options, "nop\nbuffer a 4096\nnop", "line 2, column 1: the buffer has no endbuffer");
    expect_refused(&options, "buffer a 4096\nbuffer b 4096\nendbuffer",
                   "line 2, column 1: the buffer before has no endbuffer: 'buffer'");
    expect_refused(&options, "endbuffer", "line 1, column 1: there is no buffer before 'endbuffer'");
    expect_refused(&options, "buffer", "line 1, column 7: the name is missing");
    expect_refused(&options, "buffer 1 4096\nendbuffer", "line 1, column 8: no name of a buffer: '1'");
    expect_refused(&options, "buffer a\nendbuffer", "line 1, column 9: the bytes of the buffer are missing");
    expect_refused(&options, "buffer a 0\nendbuffer", "line 1, column 10: no number of bytes: '0'");
    expect_refused(&options, "buffer a 0x100000001\nendbuffer", "line 1, column 10: no number of bytes: '0x100000001'");
    expect_refused(&options, "buffer a 1 0x1004\nendbuffer",
                   "line 1, column 12: buffers are at multiples of 4096, not at '0x1004'");
    expect_refused(&options, "a: nop\nbuffer a 1\nendbuffer", "line 2, column 8: there already is a label 'a'");
    expect_refused(&options,
                   "macro m\ndata 1 2 3 4 5 6 7 8\nendmacro\nmacro n\nm\nm\nm\nm\nm\nm\nm\nm\nm\nendmacro\n"
                   "buffer a 4096\nn\nn\nn\nn\nn\nn\nn\nn\nn\nn\nn\nn\nn\nn\nn\nendbuffer",
                   "line 15, column 1: the buffer has 1080 words, and not so many bytes");
    assert_int_equal(found.count, 0);
}

static void what_is_wrong_with_a_macro(void **state) {
    struct pfifo_assemble_options options = on("GF100");
    char text[9000] = "macro a\n";

    (void)state;
    options.bound[0] = 0x9097;
    expect_refused(&options, COLOUR CLEAR "nop\nclear 0.5 x 0 R_ENABLE",
                   "line 9, column 1: in macro 'colour', line 2: no data: 'x'");
    expect_refused(&options, COLOUR "colour 1 2", "line 4, column 1: macro 'colour' takes 3 arguments, not 2");
    expect_refused(&options, "nop\nmacro one\nnop\nendmacro\nfoo",
                   "line 5, column 1: no command, and no method of a class that is bound: 'foo'");
    expect_refused(&options, "macro a\n a\nendmacro\na",
                   "line 4, column 1: too many macros in each other, or one in itself: 'a'");
    expect_refused(&options, "macro a b\n nop $c\nendmacro\na 1", "line 4, column 1: the macro has no parameter 'c'");
    expect_refused(&options, "macro a\nnop", "line 1, column 1: no endmacro of macro 'a'");
    expect_refused(&options, "macro 1\nendmacro\n", "line 1, column 1: no name of a macro: '1'");
    expect_refused(&options, "macro\nendmacro\n", "line 1, column 1: no name of a macro: ''");
    expect_refused(&options, "macro a 1\nendmacro\n", "line 1, column 1: no parameter: '1'");
    expect_refused(&options, "macro a\nendmacro\nmacro a\nendmacro", "line 3, column 1: there already is a macro 'a'");
    expect_refused(&options, "macro a\nendmacro\nendmacro", "line 3, column 1: no macro before 'endmacro'");
    /* 500 * 500 * 500 lines. */
    for (unsigned i = 0; i < 500; i++)
        strcat(text, "nop\n");
    for (const char *name = "bc"; *name; name++) {
        snprintf(text + strlen(text), 32, "endmacro\nmacro %c\n", *name);
        for (unsigned i = 0; i < 500; i++)
            snprintf(text + strlen(text), 8, "%c\n", *name - 1);
    }
    strcat(text, "endmacro\nc\n");
    expect_refused(&options, text, "line 1507, column 1: macros make too much of this text, at 'a'");
}

static void a_method_of_a_class_that_is_not_bound_there(void **state) {
    struct pfifo_assemble_options gf100 = on("GF100"), nv40 = on("NV40");

    (void)state;
    expect_refused(&gf100, "SET_OBJECT FERMI_A",
                   "line 1, column 1: 'SET_OBJECT' is a method that each subchannel has: say which, as in "
                   "'inc 0 SET_OBJECT'");
    expect_refused(&nv40, "OBJECT 7",
                   "line 1, column 1: 'OBJECT' is a method that each subchannel has: say which, as in 'inc 0 OBJECT'");
    expect_refused(
        &gf100, "FERMI_A.CLEAR_SURFACE 1",
        "line 1, column 1: 'CLEAR_SURFACE' is a method of FERMI_A, and no subchannel has that bound: say which "
        "has, as in 'inc 0 SET_OBJECT FERMI_A'");
    expect_refused(&nv40, "COLOR_MASK 1",
                   "line 1, column 1: 'COLOR_MASK' is a method of NV40_3D, and no subchannel has that bound: say which "
                   "has, as in 'bind 0 NV40_3D'");
    gf100.bound[1] = 0x902d;
    gf100.bound[2] = 0x9097;
    expect_refused(&gf100, "inc 1 CLEAR_SURFACE 1",
                   "line 1, column 7: 'CLEAR_SURFACE' is a method of FERMI_A, and subchannel 1 has FERMI_TWOD_A");
    expect_refused(
        &gf100, "inc 3 CLEAR_SURFACE 1",
        "line 1, column 7: 'CLEAR_SURFACE' is a method of FERMI_A, and subchannel 3 has no class bound that is "
        "known");
    expect_refused(&gf100, "FERMI_AA.CLEAR_SURFACE 1",
                   "line 1, column 1: there is no such class, to have a method: 'FERMI_AA.CLEAR_SURFACE'; did you mean "
                   "'FERMI_A'?");
}

static void labels_are_addresses_from_the_base(void **state) {
    struct pfifo_assemble_options options = on("NV40");

    (void)state;
    EXPECT_WORDS(&options, "loop: nop\n jump end\n jump loop\nend: call loop", 0, 0xd, 1, 2);
    options.base = 0x1000;
    EXPECT_WORDS(&options, "a:\nb: jump a\n_c1: oldjump b", 0x1001, 0x20001000);
    options = on("GF100");
    options.base = UINT64_C(0x1234567000);
    EXPECT_WORDS(&options, "inc 0 .SEMAPHOREA @there.high @there\nthere: data 7, 1.0, -1, 0xff", 0x20020004, 0x12,
                 0x3456700c, 7, 0x3f800000, 0xffffffff, 0xff);
}

static void what_is_wrong_with_a_label(void **state) {
    struct pfifo_assemble_options options = on("NV40");

    (void)state;
    expect_refused(&options, "nop\njump nowhere", "line 2, column 6: there is no label 'nowhere'");
    expect_refused(&options, "a: nop\nb: nop\n  a: nop", "line 3, column 3: there already is a label 'a'");
    expect_refused(&options, "jump", "line 1, column 5: the target is missing");
    expect_refused(&options, "jump 1x", "line 1, column 6: no number and no label: '1x'");
    expect_refused(&options, "inc 0 0x100 @1", "line 1, column 13: no number and no label: '@1'");
    expect_refused(&options, "1a: nop", "line 1, column 1: no command, and no method of a class that is bound: '1a:'");
    options.base = UINT64_C(0x100000000);
    expect_refused(&options, "a: jump a", "line 1, column 9: this chip cannot go to the address of 'a'");
    options.base = 2;
    expect_refused(&options, "nop", "words are at multiples of 4");
}

/* A number is not cut: what is too long is wrong. */
static void a_token_of_any_length_is_read_whole(void **state) {
    struct pfifo_assemble_options options = on("NV40");
    char text[300];

    (void)state;
    snprintf(text, sizeof text, "data %0240d", 1);
    expect_refused(&options, text,
                   "line 1, column 6: no data: '000000000000000000000000000000000000000000000000000000000000'");
}

/* The bits that the fields of a method have; 0: some have no exact text. */
static uint32_t bits_of_fields(const struct pfifo_method_name *name) {
    struct pfifo_field field = {0};
    uint32_t covered = 0;

    while (pfifo_field_next(name, &field)) {
        if (field.high > 31)
            continue;
        if (field.type == PFIFO_FIELD_FLOAT || strcmp(field.name, "V") == 0)
            return 0;
        covered |= (UINT32_MAX >> (31 - (field.high - field.low))) << field.low;
    }
    return covered;
}

static bool check_described(const struct pfifo_assemble_options *options, const struct pfifo_method_name *name,
                            uint32_t data) {
    uint32_t covered = bits_of_fields(name);
    char described[1024], text[1200];

    if (name->offset < 0x100 || name->offset > 0x3ffc || !covered)
        return false;
    pfifo_method_describe(options->bound[0], name->offset, data & covered, described, sizeof described);
    snprintf(text, sizeof text, "inc 0 0x%x {%s}", (unsigned)name->offset, described);
    expect_assembled(options, text, 2, (const uint32_t[]){0x20010000 | name->offset / 4, data & covered});
    return true;
}

static void what_decode_says_of_a_word_makes_this_word(void **state) {
    struct pfifo_assemble_options options = on("GF100");
    uint32_t data = 1, checked = 0;

    (void)state;
    for (size_t i = 0; i < pfifo_class_count(); i++) {
        struct pfifo_method_name name;
        options.bound[0] = pfifo_class_at(i)->id;
        for (size_t m = 0; pfifo_method_at(options.bound[0], m, &name); m++)
            checked += check_described(&options, &name, data = data * 1664525 + 1013904223);
    }
    assert_true(checked > 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_method_by_name_of_the_class_that_is_bound),
        cmocka_unit_test(indices_with_a_comma),
        cmocka_unit_test(fields_by_name_make_a_word),
        cmocka_unit_test(a_number_for_a_float_is_one),
        cmocka_unit_test(a_float_of_16_bits_may_be_zero),
        cmocka_unit_test(values_of_flags_are_put_together),
        cmocka_unit_test(data_alone_is_that_of_a_method),
        cmocka_unit_test(fields_of_an_increasing_packet_are_those_of_each_method),
        cmocka_unit_test(what_is_wrong_with_a_name),
        cmocka_unit_test(a_macro_stands_for_its_lines),
        cmocka_unit_test(what_is_wrong_with_a_macro),
        cmocka_unit_test(buffers_have_words_and_labels_of_their_own),
        cmocka_unit_test(what_is_wrong_with_a_buffer),
        cmocka_unit_test(a_method_of_a_class_that_is_not_bound_there),
        cmocka_unit_test(labels_are_addresses_from_the_base),
        cmocka_unit_test(what_is_wrong_with_a_label),
        cmocka_unit_test(a_token_of_any_length_is_read_whole),
        cmocka_unit_test(what_decode_says_of_a_word_makes_this_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
