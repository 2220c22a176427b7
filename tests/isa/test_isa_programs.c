/* SPDX-License-Identifier: MIT */
/* The programs in samples/captures decode whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "isa/shader/isa.h"
#include "isa/shader/operation.h"
#include "isa/uploads.h"

struct count {
    const struct isa *isa;
    unsigned programs, instructions, not_executed, exits;
};

static void decode_program(void *opaque, const struct upload *upload) {
    struct count *count = opaque;
    unsigned length = 8;

    if (!upload->is_code)
        return;
    count->programs += (unsigned)upload->is_first;
    for (size_t at = 0; at < upload->length; at += length) {
        struct ir ir;
        struct isa_decoded found =
            count->isa->decode(upload->data + at, upload->length - at, (uint32_t)(upload->address + at), &ir, 1);
        length = found.bytes;
        if (found.result == ISA_ILLEGAL)
            fail_msg("%s: illegal at %zx of a program", count->isa->name, at);
        if (found.result == ISA_OK) {
            assert_null(ir_validate(&ir));
            count->instructions++;
            count->not_executed += ir.op == IR_OTHER;
            count->exits += ir.op == IR_EXIT;
            assert_non_null(ir.name);
        }
    }
}

static void expect_programs(const struct isa *isa, const char *const *captures, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct count found = {.isa = isa};
        each_upload(captures[i], decode_program, &found);
        if (!found.programs || found.not_executed || found.exits < found.programs)
            fail_msg("%s: %u programs, %u instructions, %u not executed", captures[i], found.programs,
                     found.instructions, found.not_executed);
    }
}

static void programs_of_maxwell_decode(void **state) {
    static const char *const captures[] = {
        "nv117-quad",
        "nv117-kmscube-8frames",
        "nv117-piglit-copy-pixels",
        "nv117-piglit-texsubimage",
        "nv117-piglit-arb_query_buffer_object-qbo",
        "nv117-glmark2-desktop-3frames",
        "nv12b-glmark2-desktop-3frames",
    };
    (void)state;
    expect_programs(&isa_gm107, captures, sizeof(captures) / sizeof(captures[0]));
}

static void programs_of_fermi_decode(void **state) {
    static const char *const captures[] = {
        "nvc0-quad",
        "nvc0-kmscube-8frames",
        "nvc0-piglit-copy-pixels",
        "nvc0-piglit-texsubimage",
        "nvc0-piglit-arb_query_buffer_object-qbo",
        "nvc0-piglit-occlusion_query",
        "nvc0-glmark2-desktop-3frames",
    };
    (void)state;
    expect_programs(&isa_gf100, captures, sizeof(captures) / sizeof(captures[0]));
}

static void programs_of_gk104_decode(void **state) {
    static const char *const captures[] = {
        "nve4-quad",
        "nve4-kmscube-8frames",
        "nve4-piglit-copy-pixels",
        "nve4-piglit-texsubimage",
        "nve4-piglit-arb_query_buffer_object-qbo",
        "nve4-piglit-occlusion_query",
        "nve4-glmark2-desktop-3frames",
    };
    (void)state;
    expect_programs(&isa_gf100k, captures, sizeof(captures) / sizeof(captures[0]));
}

/* Functions of the driver, for integer division and 64-bit floats, come before the first program and without a header.
 */
static void decode_library(void *opaque, const struct upload *upload) {
    struct count *count = opaque;
    unsigned length = 8;
    if (count->programs++)
        return;
    for (size_t at = 0; at < upload->length; at += length) {
        struct ir ir;
        struct isa_decoded found =
            count->isa->decode(upload->data + at, upload->length - at, (uint32_t)(upload->address + at), &ir, 1);
        length = found.bytes;
        if (found.result == ISA_ILLEGAL)
            fail_msg("%s: illegal at %zx of the library", count->isa->name, at);
        count->instructions++;
    }
}

static void the_library_of_maxwell_decodes(void **state) {
    struct count found = {.isa = &isa_gm107};
    (void)state;
    each_upload("nv117-quad", decode_library, &found);
    assert_int_equal(found.instructions, 1792 / 8);
}

/* That of Fermi has 400 bytes, of short and long words. */
static void the_library_of_fermi_decodes(void **state) {
    struct count found = {.isa = &isa_gf100};
    (void)state;
    each_upload("nvc0-quad", decode_library, &found);
    assert_int_equal(found.instructions, 62);
}

static void the_library_of_gk104_decodes(void **state) {
    struct count found = {.isa = &isa_gf100k};
    (void)state;
    each_upload("nve4-quad", decode_library, &found);
    assert_int_equal(found.instructions, 691);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_of_fermi_decode),     cmocka_unit_test(programs_of_gk104_decode),
        cmocka_unit_test(programs_of_maxwell_decode),   cmocka_unit_test(the_library_of_fermi_decodes),
        cmocka_unit_test(the_library_of_gk104_decodes), cmocka_unit_test(the_library_of_maxwell_decodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
