/* SPDX-License-Identifier: MIT */
/* Spot checks of every family against what the public headers and rnndb say, and how lookups behave at their edges. */
#include <pfifo/classes.h>

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#include "classes/console_names.h"

struct named {
    uint32_t class_id, method;
    const char *name, *alias; /* with indices */
};

static const struct named named[] = {
    {0x006e, 0x0050, "REF_CNT", "SET_REFERENCE"},
    {0x406e, 0x0000, "OBJECT", "SET_OBJECT"},
    {0x406e, 0x006c, "SEMAPHORE_RELEASE", ""},
    {0x906f, 0x0000, "SET_OBJECT", "OBJECT"},
    {0x906f, 0x001c, "SEMAPHORED", "SEMAPHORE_TRIGGER"},
    {0x826f, 0x001c, "SEMAPHORE_TRIGGER", "SEMAPHORED"},
    {0x0039, 0x0328, "BUF_NOTIFY", "BUFFER_NOTIFY"},
    {0x5039, 0x0328, "BUF_NOTIFY", "BUFFER_NOTIFY"},
    {0x0044, 0x0100, "NOP", "NO_OPERATION"},
    {0x0065, 0x0400, "COLOR(0)", "COLOR_A"},
    {0x0065, 0x0404, "COLOR(1)", "COLOR_B"},
    {0x502d, 0x02f4, "PATTERN_BITMAP_COLOR(1)", "SET_MONOCHROME_PATTERN_COLOR1"},
    {0x0097, 0x0480, "MODELVIEW_MATRIX(0,0)", "SET_MODEL_VIEW_MATRIX(0,0)"},
    {0x0097, 0x057c, "MODELVIEW_MATRIX(3,15)", "SET_MODEL_VIEW_MATRIX(3,15)"},
    {0x4097, 0x1d94, "CLEAR_BUFFERS", "CLEAR_SURFACE"},
    {0x5097, 0x187c, "POLYGON_OFFSET_CLAMP", ""},
    {0x8697, 0x187c, "POLYGON_OFFSET_CLAMP", ""},
    {0x8297, 0x0ffc, "UNK0FFC", ""},
    {0x9097, 0x08c8, "SET_COLOR_TARGET_WIDTH(3)", "RT_HORIZ(3)"},
    {0x9097, 0x1b0c, "SET_REPORT_SEMAPHORE_D", "QUERY_GET"},
    {0x9097, 0x023c, "SET_VAB_VERTEX4F(3)", "UNK0220(7)"},
    {0xb197, 0x0000, "SET_OBJECT", ""},
    {0xc197, 0x0224, "SET_POSITION_W_SCALED_OFFSET_ENABLE", "UNK0220(1)"},
    {0x9097, 0x3820, "CALL_MME_MACRO(4)", "NVRM_MACRO_VERTEX_ARRAY_SELECT"},
    {0x9097, 0x3828, "CALL_MME_MACRO(5)", "MACRO(5)"},
    {0xa0c0, 0x02b4, "SEND_PCAS_A", "LAUNCH_DESC_ADDRESS"},
    {0xa140, 0x01b0, "LAUNCH_DMA", "UPLOAD_EXEC"},
    {0x85c0, 0x0334, "SET_SPARE_NOOP13", "UNK0334(0)"},
    {0xc197, 0x0414, "SET_POSITION_W_SCALED_OFFSET_SCALE_B(1)", "UNK0400(5)"},
    {0xb197, 0x2060, "SET_PIPELINE_RESERVED_E(1)", "SP_UNK14(1,3)"},
    {0xc5b5, 0x0300, "LAUNCH_DMA", "EXEC"},
};

static void methods_of_every_family_have_their_published_names(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        const struct named *n = &named[i];
        struct pfifo_method_name method;
        char text[128];
        assert_true(pfifo_method_find(n->class_id, n->method, &method));
        assert_int_equal(method.offset, n->method);
        assert_int_equal(pfifo_method_format(&method, text, sizeof text), strlen(n->name));
        assert_string_equal(text, n->name);
        assert_int_equal(pfifo_method_format_alias(&method, text, sizeof text), strlen(n->alias));
        assert_string_equal(text, n->alias);
    }
}

static void names_lead_back_to_offsets_in_any_case_and_spelling(void **state) {
    static const struct {
        uint32_t class_id;
        const char *text;
        uint32_t method;
    } cases[] = {
        {0x906f, "SET_OBJECT", 0},
        {0x906f, "object", 0},
        {0x406e, "Set_Object", 0},
        {0x9097, "SET_COLOR_TARGET_A", 0x800},
        {0x9097, "SET_COLOR_TARGET_A(3)", 0x8c0},
        {0x9097, "rt_address_high(0x3)", 0x8c0},
        {0x0097, "MODELVIEW_MATRIX(3,15)", 0x57c},
        {0x0097, "MODELVIEW_MATRIX(3, 0xf)", 0x57c},
        {0x9097, "UNK0220(7)", 0x23c},
        {0xc197, "UNK0220(1)", 0x224},
        {0x9097, "MACRO(5)", 0x3828},
        {0x9097, "NVRM_MACRO_VERTEX_ARRAY_SELECT", 0x3820},
        {0x0065, "COLOR_B", 0x404},
        {0xc197, "UNK0400(5)", 0x414},
        {0xb197, "SP_UNK14(1,3)", 0x2060},
        {0x50c0, "SET_SPARE02", 0x348},
        {0x5097, "GP_RESULT_MAP(0)", 0x17fc},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t offset = 0xffffffff;
        assert_true(pfifo_method_by_name(cases[i].class_id, cases[i].text, &offset));
        assert_int_equal(offset, cases[i].method);
        assert_true(pfifo_method_by_name(cases[i].class_id, cases[i].text, NULL));
    }
}

static void what_does_not_exist_is_not_found(void **state) {
    static const struct {
        uint32_t class_id;
        const char *text;
    } cases[] = {
        {0x1234, "SET_OBJECT"},            /* no such class */
        {0x9097, ""},                      /* no name */
        {0x9097, "SET_COLOR_TARGET"},      /* only the beginning of a name */
        {0x9097, "SET_COLOR_TARGET_A(8)"}, /* the array has 8 elements */
        {0x9097, "SET_COLOR_TARGET_A(0,0)"},
        {0x9097, "SET_COLOR_TARGET_A(4294967296)"},
        {0x9097, "SET_COLOR_TARGET_A(-1)"},
        {0x9097, "SET_COLOR_TARGET_A("},
        {0x9097, "SET_COLOR_TARGET_A()"},
        {0x9097, "SET_COLOR_TARGET_A(1"},
        {0x9097, "SET_COLOR_TARGET_A(1)x"},
        {0x9097, "SET_REPORT_SEMAPHORE_D(0)"},
        {0x9097, "CLEAR_BUFFERS@"},
        {0x906f, "@GP_ENTRY0"},
        {0x9097, "UNK0220(40)"}, /* beyond the pieces of this array */
        {0x0097, "MODELVIEW_MATRIX(0,16)"},
        {0x0097, "MODELVIEW_MATRIX(0,0,0)"},
        {0x4097, "SET_COLOR_TARGET_A"},
    };
    struct pfifo_method_name method;
    char longest[400];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t offset = 0xabcd;
        assert_false(pfifo_method_by_name(cases[i].class_id, cases[i].text, &offset));
        assert_int_equal(offset, 0xabcd);
    }
    memset(longest, 'A', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_false(pfifo_method_by_name(0x9097, longest, NULL));
    assert_false(pfifo_method_find(0x1234, 0, &method));
    assert_null(method.name);
    assert_false(pfifo_method_find(0x9097, 0x4, &method));
    assert_null(method.name);
    assert_false(pfifo_method_find(0x9097, 0x802, &method));
    assert_false(pfifo_method_find(0x9097, 0xfffffffc, &method));
    assert_false(pfifo_method_find(0xfffffff9, 0x3ffc, &method));
    assert_false(pfifo_method_find(0x0030, 0, &method));
    assert_int_equal(pfifo_method_count(0x1234), 0);
    assert_false(pfifo_method_at(0x9097, pfifo_method_count(0x9097), &method));
    assert_int_equal(pfifo_method_format(&method, longest, sizeof longest), 0);
    assert_string_equal(longest, "");
}

static void a_method_limited_to_chips_says_so(void **state) {
    struct pfifo_method_name method;
    (void)state;
    assert_true(pfifo_method_find(0x8297, 0xffc, &method));
    assert_string_equal(method.chips, "G84-");
    assert_true(pfifo_method_find(0x5039, 0x120, &method));
    assert_string_equal(method.chips, "GT215-MCP89");
    assert_true(pfifo_method_find(0x9097, 0x800, &method));
    assert_null(method.chips);
}

static void methods_of_a_class_come_in_ascending_order(void **state) {
    struct pfifo_method_name method;
    uint32_t last = 0;
    size_t count = pfifo_method_count(0x9097);
    (void)state;
    assert_true(count > 500);
    for (size_t i = 0; i < count; i++) {
        assert_true(pfifo_method_at(0x9097, i, &method));
        assert_true(i == 0 || method.offset > last);
        assert_int_equal(method.offset, method.first);
        last = method.offset;
    }
}

static void classes_are_found_by_id_name_alias_and_hex(void **state) {
    (void)state;
    const struct pfifo_class *fermi = pfifo_class_find(0x9097);
    assert_non_null(fermi);
    assert_string_equal(fermi->name, "FERMI_A");
    assert_string_equal(fermi->family, "3d");
    assert_string_equal(fermi->first_chip, "GF100");
    assert_ptr_equal(pfifo_class_by_name("fermi_a"), fermi);
    assert_ptr_equal(pfifo_class_by_name(fermi->alias), fermi);
    assert_ptr_equal(pfifo_class_by_name("9097"), fermi);
    assert_ptr_equal(pfifo_class_by_name("0x9097"), fermi);
    assert_string_equal(pfifo_class_find(0x906f)->family, "host");
    assert_string_equal(pfifo_class_find(0xfffffff9)->family, "software");
    assert_string_equal(pfifo_class_find(0xa0c0)->family, "compute");
    assert_null(pfifo_class_find(0x9098));
    assert_null(pfifo_class_find(0xffffffff));
    assert_null(pfifo_class_by_name(""));
    assert_null(pfifo_class_by_name("0x"));
    assert_null(pfifo_class_by_name("9098"));
    assert_null(pfifo_class_by_name("19097"));
    assert_null(pfifo_class_by_name("100009097"));
    assert_null(pfifo_class_by_name("FERMI_"));
}

static void the_later_class_of_a_shared_id_is_found_by_id_and_both_by_name(void **state) {
    (void)state;
    const struct pfifo_class *later = pfifo_class_find(0x65);
    const struct pfifo_class *older = pfifo_class_by_name("NV3_OP_SRCCOPY");
    assert_string_equal(later->name, "NV5_IFC");
    assert_non_null(older);
    assert_int_equal(older->id, 0x65);
    assert_ptr_equal(older + 1, later);
}

static void every_class_is_found_by_its_id_and_names(void **state) {
    size_t shared = 0, named_before = 0;
    (void)state;
    assert_int_equal(pfifo_class_count(), 268);
    assert_null(pfifo_class_at(268));
    for (size_t i = 0; i < pfifo_class_count(); i++) {
        const struct pfifo_class *class = pfifo_class_at(i);
        shared += pfifo_class_find(class->id) != class;
        named_before += pfifo_class_by_name(class->name) != class;
        assert_true(i == 0 || pfifo_class_at(i - 1)->id <= class->id);
        assert_true(class->family[0] != '\0');
    }
    assert_int_equal(shared, 3);       /* 0064, 0065, 0066 */
    assert_int_equal(named_before, 1); /* the second NV35_3D */
}

static void fields_come_by_ascending_bit_and_as_the_class_has_them(void **state) {
    static const struct {
        const char *name;
        uint32_t high, low;
    } fermi[] = {{"OPERATION", 3, 0}, {"ACQUIRE_SWITCH", 12, 12}, {"RELEASE_WFI", 20, 20}, {"RELEASE_SIZE", 24, 24}};
    struct pfifo_method_name method;
    struct pfifo_field field = {0};
    size_t count = 0;
    (void)state;
    assert_true(pfifo_method_find(0x906f, 0x1c, &method));
    for (; pfifo_field_next(&method, &field); count++) {
        assert_true(count < 4);
        assert_string_equal(field.name, fermi[count].name);
        assert_int_equal(field.high, fermi[count].high);
        assert_int_equal(field.low, fermi[count].low);
    }
    assert_int_equal(count, 4);
    assert_false(pfifo_field_next(&method, &field));
    /* Later channels have a wider OPERATION. */
    assert_true(pfifo_method_find(0xb06f, 0x1c, &method));
    assert_true(pfifo_field_find(&method, "operation", &field));
    assert_int_equal(field.high, 4);
    assert_int_equal(pfifo_field_get(&field, 0xfffffff4), 0x14);
    assert_string_equal(pfifo_field_value_name(&field, 0x10), "REDUCTION");
    assert_false(pfifo_field_find(&method, "NO_SUCH_FIELD", &field));
}

/* As deko3d calls them. */
static void methods_of_the_switch_have_names(void **state) {
    static const struct {
        uint16_t object_class, method;
        const char *name;
    } cases[] = {
        {0xb06f, 0x2c, "MEM_OP_B"},
        {0xb06f, 0x70, "SYNCPOINTA"},
        {0xb06f, 0x74, "SYNCPOINTB"},
        {0xb197, 0xf60, "TILED_CACHE_ENABLE"},
        {0xb197, 0xf64, "TILED_CACHE_TILE_SIZE"},
        {0xb197, 0xf68, "TILED_CACHE_UNKNOWN_CONFIG0"},
        {0xb197, 0xf6c, "TILED_CACHE_UNKNOWN_CONFIG1"},
        {0xb197, 0xf70, "TILED_CACHE_UNKNOWN_CONFIG3"},
        {0xb197, 0xf74, "INVALIDATE_TEXTURE_DATA"},
        {0xb197, 0xf78, "DISCARD_RENDER_TARGET"},
        {0xb197, 0xf7c, "TILED_CACHE_BARRIER"},
        {0xb197, 0xf80, "TILED_CACHE_FLUSH"},
        {0xb197, 0x1108, "TILED_CACHE_UNKNOWN_CONFIG2"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pfifo_method_name method;
        assert_true(pfifo_method_find(cases[i].object_class, cases[i].method, &method));
        assert_string_equal(method.name, cases[i].name);
    }
}

static void values_are_found_both_ways(void **state) {
    struct pfifo_method_name method;
    struct pfifo_field field;
    const char *name;
    uint32_t value = 0;
    (void)state;
    assert_string_equal(pfifo_value_name(0x906f, 0x1c, "OPERATION", 2), "RELEASE");
    assert_string_equal(pfifo_value_name(0x9097, 0x1b0c, "operation", 3), "TRAP");
    assert_null(pfifo_value_name(0x906f, 0x1c, "OPERATION", 0x10)); /* not before a16f */
    assert_string_equal(pfifo_value_name(0x90b5, 0x200, "ID", 3), "LOW_LEVEL_CLASS");
    assert_null(pfifo_value_name(0x85b5, 0x200, "ID", 3)); /* one field, with a value more from 90b5 on */
    assert_null(pfifo_value_name(0x906f, 0x1c, "NO_SUCH_FIELD", 0));
    assert_null(pfifo_value_name(0x906f, 0x2000, "OPERATION", 0));
    assert_true(pfifo_method_find(0x9097, 0x130c, &method));
    assert_true(pfifo_field_find(&method, "V", &field));
    assert_int_equal(field.type, PFIFO_FIELD_ENUM);
    assert_true(pfifo_field_value_by_name(&field, "ogl_lequal", &value));
    assert_int_equal(value, 0x203);
    assert_false(pfifo_field_value_by_name(&field, "NEVER_SO", &value));
    assert_true(pfifo_field_value_at(&field, 0, &value, &name));
    assert_false(pfifo_field_value_at(&field, 1000, &value, &name));
    assert_string_equal(pfifo_value_name(0xc5b5, 0x300, "SEMAPHORE_TYPE", 1), "RELEASE_ONE_WORD_SEMAPHORE");
}

static void data_words_are_described_field_by_field(void **state) {
    static const struct {
        uint32_t class_id, method, data;
        const char *text;
    } cases[] = {
        {0x906f, 0x1c, 0x01000002, "OPERATION=RELEASE ACQUIRE_SWITCH=DISABLED RELEASE_WFI=EN RELEASE_SIZE=4BYTE"},
        {0x906f, 0x1c, 0x00000003, "OPERATION=0x3 ACQUIRE_SWITCH=DISABLED RELEASE_WFI=EN RELEASE_SIZE=16BYTE"},
        {0x906f, 0x00, 0x00009097, "NVCLASS=0x9097 ENGINE=0x0"},
        {0x4097, 0x1d94, 0xf3, "DEPTH=0x1 STENCIL=0x1 COLOR_R=0x1 COLOR_G=0x1 COLOR_B=0x1 COLOR_A=0x1"},
        {0x9097, 0x130c, 0x203, "OGL_LEQUAL"}, /* V: the value alone */
        {0x9097, 0x130c, 0x777, ""},           /* V without a name says nothing new */
        {0x8697, 0x187c, 0xbf800000, "-1"},    /* V, float */
        {0x8697, 0x187c, 0x7fc00000, "nan"},
        {0x8697, 0x187c, 0xff800000, "-inf"},
        {0x5097, 0x700, 0x4000c000, "X=-16384 Y=16384"}, /* int */
        {0xa0c0, 0x2b4, 0x123, "QMD_ADDRESS_SHIFTED8=0x12300"},
        {0x9097, 0x4, 0, ""},
        {0x1234, 0x0, 0, ""},
    };
    char text[256];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *expected = cases[i].text;
        size_t length = pfifo_method_describe(cases[i].class_id, cases[i].method, cases[i].data, text, sizeof text);
        assert_string_equal(text, expected);
        assert_int_equal(length, strlen(expected));
    }
}

/* hwtest shows what of NV1 to NV4x is extended by its sign; a colour, a size or a count never is. */
static void numbers_have_the_sign_that_the_chip_gives_them(void **state) {
    static const struct {
        uint32_t class_id, method, data;
        const char *text;
    } cases[] = {
        /* Colours. */
        {0x4097, 0x1d90, 0xff4080bf, "B=191 G=128 R=64 A=255"},  /* CLEAR_COLOR_VALUE */
        {0x4097, 0x31c, 0x80ff7f81, "B=129 G=127 R=255 A=128"},  /* BLEND_COLOR */
        {0x4097, 0x1a1c, 0xfffefdfc, "B=252 G=253 R=254 A=255"}, /* TEX_BORDER_COLOR */
        {0x0055, 0x410, 0xff8090a0, "B=160 G=144 R=128 A=255"},  /* TLMTVERTEX_COLOR */
        /* Places of surfaces, sizes, pitches, counts, numbers. */
        {0x4097, 0x200, 0xa0009000, "X=36864 W=40960"}, /* RT_HORIZ */
        {0x9097, 0xff4, 0xffff8000, "X=32768 WIDTH=65535"},
        {0x0097, 0x20c, 0xfff0ffc0, "COLOR_PITCH=65472 ZETA_PITCH=65520"},
        {0x004b, 0x404, 0x8000ffff, "H=65535 W=32768"},  /* UNCLIPPED_RECTANGLE_SIZE */
        {0x4097, 0x180c, 0xfffe8001, "0=32769 1=65534"}, /* VB_ELEMENT_U16 */
        {0x9097, 0x1304, 0x80ff017f, "INDEX0=127 INDEX1=1 INDEX2=255 INDEX3=128"},
        {0x5097, 0x1910, 0x811, "PTSZ_EN=1 PTSZ_ID=129"},      /* SEMANTIC_PTSZ: one bit, eight bits */
        {0x4097, 0x1940, 0x80ff017f, "X=127 Y=1 Z=255 W=128"}, /* VTX_ATTR_4UB */
        /* Two's complement. */
        {0x5097, 0x840, 0x80ff017f, "X=127 Y=1 Z=-1 W=-128"}, /* VTX_ATTR_4B */
        {0x004b, 0x400, 0xfffe8000, "Y=-32768 X=-2"},         /* UNCLIPPED_RECTANGLE_POINT */
        {0x005c, 0x400, 0x8000ffff, "X=-1 Y=-32768"},         /* LINE_XY */
        {0x005f, 0x300, 0xfff00010, "X=16 Y=-16"},            /* POINT_IN */
        {0x004b, 0x7f4, 0xfffffffe, "L=-2 T=-1"},             /* a clip point */
        {0x502d, 0x5e0, 0xffff0001, "X=1 Y=-1"},              /* DRAW_POINT16 */
        {0x4097, 0x2b8, 0x0001fff8, "X=-8 Y=1"},              /* VIEWPORT_TX_ORIGIN */
        {0x0048, 0x30c, 0xff0000 | 31 << 8 | 30, "SPREAD_X=30 SPREAD_Y=31 SIZE_ADJUST=-1"}, /* FILTER */
    };
    char text[256];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pfifo_method_describe(cases[i].class_id, cases[i].method, cases[i].data, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
    /* LOD_BIAS has its sign in bit 12, above what rnndb gives it. */
    struct pfifo_method_name method;
    struct pfifo_field field;
    static const uint32_t filters[][2] = {{0x0056, 0x248}, {0x0097, 0x1b14}, {0x0397, 0x1a14}};
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        assert_true(pfifo_method_find(filters[i][0], filters[i][1], &method));
        assert_true(pfifo_field_find(&method, "LOD_BIAS", &field));
        assert_int_equal(field.type, PFIFO_FIELD_INT);
        assert_int_equal(field.high, 12);
    }
}

static void methods_are_found_by_the_names_that_programs_of_consoles_have(void **state) {
    unsigned missing = 0;
    (void)state;

    for (size_t i = 0; i < sizeof console_names / sizeof console_names[0]; i++) {
        const struct console_name *row = &console_names[i];
        uint32_t offset;
        bool found = pfifo_method_by_name(row->class_id, row->name, &offset) && offset == row->offset;
        if (found)
            continue;
        missing++;
        print_error("%s is not at 0x%04x\n", row->name, row->offset);
    }
    assert_int_equal(missing, 0);
}

static void a_name_may_have_its_class_before_it(void **state) {
    uint32_t offset;
    (void)state;

    assert_true(pfifo_method_by_name(0x4097, "NV40TCL_RT_FORMAT", &offset));
    assert_int_equal(offset, 0x208);
    assert_true(pfifo_method_by_name(0x9097, "NVC0_3D_CLEAR_BUFFERS", &offset));
    assert_int_equal(offset, 0x19d0);
    assert_true(pfifo_method_by_name(0xc597, "nvc597_set_object", &offset));
    assert_false(pfifo_method_by_name(0x9097, "NV4097_SET_OBJECT", &offset)); /* another class */
    assert_false(pfifo_method_by_name(0x4097, "NV4097_", &offset));
    assert_false(pfifo_method_by_name(0x4097, "NV_", &offset));
}

/* Where only one source has a name, it is printed in all names; nxdk's have a class before them only if they are its. */
static void a_method_has_the_names_of_who_is_asked_for(void **state) {
    static const struct {
        uint32_t class_id, method;
        const char *own, *nvidia, *nouveau, *nxdk;
    } rows[] = {
        {0x0097, 0x0208, "RT_FORMAT", "SET_SURFACE_FORMAT", "RT_FORMAT", "NV097_SET_SURFACE_FORMAT"},
        {0x4097, 0x1d94, "CLEAR_BUFFERS", "CLEAR_SURFACE", "CLEAR_BUFFERS", "NV4097_CLEAR_SURFACE"},
        {0x9097, 0x19d0, "CLEAR_SURFACE", "CLEAR_SURFACE", "CLEAR_BUFFERS", "NV9097_CLEAR_SURFACE"},
        {0x0097, 0x0110, "WAIT_FOR_IDLE", "WAIT_FOR_IDLE", "WAIT_FOR_IDLE", "NV097_WAIT_FOR_IDLE"},
        {0x0097, 0x0290, "SET_CONTROL0", "SET_CONTROL0", "SET_CONTROL0", "NV097_SET_CONTROL0"},
        {0x0097, 0x01b0, NULL, NULL, NULL, NULL},
        {0x0597, 0x01b0, "DMA_HIERZ", "DMA_HIERZ", "DMA_HIERZ", "DMA_HIERZ"},
        {0x0097, 0x03c4, "TEX_GEN_MODE(0,1)", "SET_TEXGEN_T(0)", "TEX_GEN_MODE(0,1)", "NV097_SET_TEXGEN_T(0)"},
        {0x0097, 0x03d8, "TEX_GEN_MODE(1,2)", "SET_TEXGEN_R(1)", "TEX_GEN_MODE(1,2)", "NV097_SET_TEXGEN_R(1)"},
        {0x0097, 0x104c, "LIGHT_SPOT_CUTOFF(0,3)", "SET_LIGHT_SPOT_DIRECTION(0)", "LIGHT_SPOT_CUTOFF(0,3)",
         "NV097_SET_LIGHT_SPOT_DIRECTION(0)"},
    };
    char text[PFIFO_METHOD_NAME_BYTES];
    struct pfifo_method_name method;
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const expected[] = {rows[i].own, rows[i].nvidia, rows[i].nouveau, rows[i].nxdk};
        assert_int_equal(pfifo_method_find(rows[i].class_id, rows[i].method, &method), rows[i].own != NULL);
        for (int names = PFIFO_NAMES_OWN; rows[i].own && names <= PFIFO_NAMES_NXDK; names++) {
            size_t bytes = pfifo_method_format_as(&method, (enum pfifo_names)names, text, sizeof text);
            assert_string_equal(text, expected[names]);
            assert_int_equal(bytes, strlen(text));
        }
    }
}

/* What is printed is found again. */
static void methods_are_found_by_all_names_that_are_printed(void **state) {
    static const uint32_t classes[] = {0x0056, 0x0097, 0x0397, 0x4097, 0x5097, 0x9097, 0xc597, 0x0062, 0x009f};
    (void)state;
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        for (uint32_t at = 0; at < 0x2000; at += 4)
            for (int names = PFIFO_NAMES_OWN; names <= PFIFO_NAMES_NXDK; names++) {
                char text[PFIFO_METHOD_NAME_BYTES];
                struct pfifo_method_name method;
                uint32_t offset;
                if (!pfifo_method_find(classes[i], at, &method))
                    continue;
                pfifo_method_format_as(&method, (enum pfifo_names)names, text, sizeof text);
                if (!pfifo_method_by_name(classes[i], text, &offset) || offset != at)
                    fail_msg("%s of %04x is not at 0x%04x", text, classes[i], at);
            }
}

static void floats_that_differ_have_texts_that_differ(void **state) {
    static const uint32_t words[] = {0x3f800000, 0x3f800001, 0x3f7fffff, 0x3dcccccd, 0x3dcccccc, 0x00000001,
                                     0x00000002, 0x7f7fffff, 0x7f7ffffe, 0x7f800000, 0xff800000};
    char text[2][128];
    (void)state;

    for (size_t i = 0; i + 1 < sizeof words / sizeof words[0]; i++) {
        pfifo_method_describe(0x9097, 0xd80, words[i], text[0], sizeof text[0]);
        pfifo_method_describe(0x9097, 0xd80, words[i + 1], text[1], sizeof text[1]);
        assert_string_not_equal(text[0], text[1]);
    }
    pfifo_method_describe(0x9097, 0xd80, 0x3dcccccd, text[0], sizeof text[0]);
    assert_string_equal(text[0], "0.1");
}

static void half_floats_are_numbers(void **state) {
    struct pfifo_method_name method;
    uint32_t offset;
    char text[64];
    (void)state;
    assert_true(pfifo_method_by_name(0x5097, "VTX_ATTR_4H_0", &offset));
    assert_true(pfifo_method_find(0x5097, offset, &method));
    pfifo_method_describe(0x5097, offset, 0xc0003c00, text, sizeof text);
    assert_string_equal(text, "X=1 Y=-2");
    pfifo_method_describe(0x5097, offset, 0xfc000400, text, sizeof text);
    assert_string_equal(text, "X=6.10352e-05 Y=-inf");
    pfifo_method_describe(0x5097, offset, 0x7e000001, text, sizeof text);
    assert_string_equal(text, "X=5.96046e-08 Y=nan");
}

static void text_is_cut_at_the_size_of_the_buffer(void **state) {
    struct pfifo_method_name method;
    char text[12] = "###########";
    (void)state;
    assert_true(pfifo_method_find(0x9097, 0x8c8, &method));
    assert_int_equal(pfifo_method_format(&method, text, 4), strlen("SET_COLOR_TARGET_WIDTH(3)"));
    assert_memory_equal(text, "SET\0####", 8);
    assert_int_equal(pfifo_method_format(&method, NULL, 0), strlen("SET_COLOR_TARGET_WIDTH(3)"));
    assert_int_equal(pfifo_method_describe(0x906f, 0, 0x9097, text, 10), strlen("NVCLASS=0x9097 ENGINE=0x0"));
    assert_string_equal(text, "NVCLASS=0");
    assert_int_equal(text[10], '#');
    assert_int_equal(pfifo_method_describe(0x906f, 0, 0x9097, NULL, 0), strlen("NVCLASS=0x9097 ENGINE=0x0"));
}

static void structures_have_fields_but_no_offset(void **state) {
    struct pfifo_method_name entry;
    struct pfifo_field field;
    (void)state;
    assert_true(pfifo_structure_find(0x906f, "@gp_entry1", &entry));
    assert_string_equal(entry.name, "@GP_ENTRY1");
    assert_true(pfifo_field_find(&entry, "LENGTH", &field));
    assert_int_equal(field.high, 30);
    assert_int_equal(field.low, 10);
    assert_false(pfifo_structure_find(0x9097, "@GP_ENTRY1", &entry));
    assert_false(pfifo_structure_find(0x906f, "SET_OBJECT", &entry));
    assert_false(pfifo_structure_find(0x1234, "@GP_ENTRY1", &entry));
    assert_true(pfifo_structure_find(0xc0c0, "@QMDV02_00", &entry));
    assert_true(pfifo_field_find(&entry, "DEPENDENT_QMD_TYPE", &field));
    assert_int_equal(field.low, 206);
    assert_int_equal(pfifo_field_get(&field, 0xffffffff), 0);
}

static void a_zeroed_handle_has_no_fields_and_values(void **state) {
    struct pfifo_method_name method = {0};
    struct pfifo_field field = {0};
    uint32_t value;
    const char *name;
    (void)state;
    assert_false(pfifo_field_next(&method, &field));
    assert_null(pfifo_field_value_name(&field, 0));
    assert_false(pfifo_field_value_at(&field, 0, &value, &name));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_of_every_family_have_their_published_names),
        cmocka_unit_test(names_lead_back_to_offsets_in_any_case_and_spelling),
        cmocka_unit_test(what_does_not_exist_is_not_found),
        cmocka_unit_test(a_method_limited_to_chips_says_so),
        cmocka_unit_test(methods_of_a_class_come_in_ascending_order),
        cmocka_unit_test(classes_are_found_by_id_name_alias_and_hex),
        cmocka_unit_test(the_later_class_of_a_shared_id_is_found_by_id_and_both_by_name),
        cmocka_unit_test(every_class_is_found_by_its_id_and_names),
        cmocka_unit_test(fields_come_by_ascending_bit_and_as_the_class_has_them),
        cmocka_unit_test(methods_of_the_switch_have_names),
        cmocka_unit_test(values_are_found_both_ways),
        cmocka_unit_test(data_words_are_described_field_by_field),
        cmocka_unit_test(numbers_have_the_sign_that_the_chip_gives_them),
        cmocka_unit_test(methods_are_found_by_the_names_that_programs_of_consoles_have),
        cmocka_unit_test(a_name_may_have_its_class_before_it),
        cmocka_unit_test(a_method_has_the_names_of_who_is_asked_for),
        cmocka_unit_test(methods_are_found_by_all_names_that_are_printed),
        cmocka_unit_test(floats_that_differ_have_texts_that_differ),
        cmocka_unit_test(half_floats_are_numbers),
        cmocka_unit_test(text_is_cut_at_the_size_of_the_buffer),
        cmocka_unit_test(structures_have_fields_but_no_offset),
        cmocka_unit_test(a_zeroed_handle_has_no_fields_and_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
