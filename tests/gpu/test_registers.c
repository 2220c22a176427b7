/* SPDX-License-Identifier: MIT */
/* Registers by name, on every chip whose machine is built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>

#include <pfifo/gpu.h>
#include <pfifo/registers.h>

enum { NAME_BYTES = 128 };

static struct pfifo_gpu *gpu_of(const struct pfifo_chip *chip) {
    struct pfifo_config config = {.chip = chip};
    struct pfifo_error error;
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, &error);
    if (!gpu)
        fail_msg("%s", error.message);
    return gpu;
}

static void on_every_chip(void (*check)(struct pfifo_gpu *gpu)) {
    size_t chips = 0;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        if (!pfifo_chip_info(pfifo_chip_at(i)).runs)
            continue;
        struct pfifo_gpu *gpu = gpu_of(pfifo_chip_at(i));
        check(gpu);
        pfifo_gpu_free(gpu);
        chips++;
    }
    assert_true(chips > 0);
}

static const char *chip_name(const struct pfifo_gpu *gpu) {
    return pfifo_chip_info(pfifo_gpu_chip(gpu)).name;
}

static void expect_found(struct pfifo_gpu *gpu, const char *name, uint32_t offset) {
    struct pfifo_error error = {0};
    uint32_t found = UINT32_MAX;
    if (pfifo_registers_find(pfifo_gpu_registers(gpu), name, &found, &error) != PFIFO_OK)
        fail_msg("%s: %s", chip_name(gpu), error.message);
    if (found != offset)
        fail_msg("%s: %s is at 0x%x, not 0x%x", chip_name(gpu), name, found, offset);
}

/* By its unit and name, by the short name that the library gives it, and by its offset. */
static void expect_names_of(struct pfifo_gpu *gpu, const struct pfifo_register *reg, uint32_t element) {
    uint32_t offset = reg->offset + element * reg->stride, index = UINT32_MAX;
    struct pfifo_register same;
    char name[NAME_BYTES];
    snprintf(name, sizeof name, reg->count > 1 ? "%s.%s[%u]" : "%s.%s", reg->unit, reg->name, element);
    expect_found(gpu, name, offset);
    if (reg->unit[0] == 'P') {
        snprintf(name, sizeof name, reg->count > 1 ? "NV_%s_%s[%u]" : "NV_%s_%s", reg->unit, reg->name, element);
        expect_found(gpu, name, offset);
    }
    assert_true(pfifo_registers_name(pfifo_gpu_registers(gpu), offset, name, sizeof name) < sizeof name);
    expect_found(gpu, name, offset);
    for (char *p = name; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    expect_found(gpu, name, offset);
    snprintf(name, sizeof name, "0x%x", offset);
    expect_found(gpu, name, offset);
    assert_true(pfifo_registers_describe(pfifo_gpu_registers(gpu), offset, &same, &index));
    assert_int_equal(index, element);
    assert_string_equal(same.unit, reg->unit);
    assert_string_equal(same.name, reg->name);
}

static void names_of_chip(struct pfifo_gpu *gpu) {
    struct pfifo_register reg;
    uint32_t last = 0;
    for (size_t i = 0; pfifo_registers_at(pfifo_gpu_registers(gpu), i, &reg); i++) {
        assert_true(reg.offset >= last);
        assert_true(reg.count >= 1 && reg.stride >= 4 && reg.unit[0] && reg.name[0]);
        expect_names_of(gpu, &reg, 0);
        expect_names_of(gpu, &reg, reg.count - 1);
        last = reg.offset;
    }
    assert_false(pfifo_registers_at(pfifo_gpu_registers(gpu), pfifo_registers_count(pfifo_gpu_registers(gpu)), &reg));
}

static void every_register_is_found_by_its_names(void **state) {
    (void)state;
    on_every_chip(names_of_chip);
}

static void expect_fields_of(struct pfifo_gpu *gpu, const struct pfifo_register *reg) {
    struct pfifo_register_field field;
    size_t commas = 0, count = 0;
    uint32_t seen = 0;
    for (const char *p = reg->fields; *p; p++)
        commas += *p == ',';
    for (; pfifo_register_field_at(reg, count, &field); count++) {
        uint32_t bits = (uint32_t)((UINT64_C(2) << field.high) - (UINT64_C(1) << field.low));
        if (bits & seen || !field.name[0])
            fail_msg("%s: fields of %s.%s overlap: %s", chip_name(gpu), reg->unit, reg->name, reg->fields);
        if (bits & ~(reg->readable | reg->writable) && !reg->write_acts)
            fail_msg("%s: %s.%s has no bits for %s", chip_name(gpu), reg->unit, reg->name, field.name);
        seen |= bits;
    }
    if (count != commas + 1)
        fail_msg("%s: %s.%s: cannot read the fields: %s", chip_name(gpu), reg->unit, reg->name, reg->fields);
}

static void fields_of_chip(struct pfifo_gpu *gpu) {
    struct pfifo_register reg;
    for (size_t i = 0; pfifo_registers_at(pfifo_gpu_registers(gpu), i, &reg); i++)
        if (reg.fields)
            expect_fields_of(gpu, &reg);
}

/* The text in the tables is for people, but it is checked. */
static void every_list_of_fields_can_be_read(void **state) {
    (void)state;
    on_every_chip(fields_of_chip);
}

static void fields_have_names_and_bits(void **state) {
    static const struct pfifo_register reg = {.fields = "ACCESS 0, HASH_FAILED 4,SEMAPHORE_ERROR 23:20"};
    static const struct pfifo_register broken = {.fields = "A 0, B"}, wide = {.fields = "A 32"}, none = {0};
    struct pfifo_register_field field;
    (void)state;
    assert_true(pfifo_register_field_at(&reg, 0, &field));
    assert_string_equal(field.name, "ACCESS");
    assert_int_equal(field.high, 0);
    assert_true(pfifo_register_field_at(&reg, 2, &field));
    assert_string_equal(field.name, "SEMAPHORE_ERROR");
    assert_int_equal(field.high, 23);
    assert_int_equal(field.low, 20);
    assert_false(pfifo_register_field_at(&reg, 3, &field));
    assert_false(pfifo_register_field_at(&broken, 1, &field));
    assert_false(pfifo_register_field_at(&wide, 0, &field));
    assert_false(pfifo_register_field_at(&none, 0, &field));
}

static void expect_error(struct pfifo_gpu *gpu, const char *name, const char *message) {
    struct pfifo_error error = {0};
    uint32_t offset = 0;
    assert_int_equal(pfifo_registers_find(pfifo_gpu_registers(gpu), name, &offset, &error), PFIFO_ERROR_ARGUMENT);
    if (!strstr(error.message, message))
        fail_msg("'%s' is not in: %s", message, error.message);
    assert_int_equal(pfifo_registers_find(pfifo_gpu_registers(gpu), name, &offset, NULL), PFIFO_ERROR_ARGUMENT);
}

static void what_is_no_register_is_an_error(void **state) {
    struct pfifo_gpu *gpu = gpu_of(pfifo_chip_by_name("nv40"));
    char longest[300];
    (void)state;
    memset(longest, 'A', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    expect_error(gpu, "CACHE1_NOTHING", "NV40 has no register 'CACHE1_NOTHING'");
    expect_error(gpu, longest, "no register");
    expect_error(gpu, "", "no register");
    expect_error(gpu, ".", "no register");
    expect_error(gpu, ".CACHE1_GET", "no register");
    expect_error(gpu, "PFIFO.", "no register");
    expect_error(gpu, "PMC.CACHE1_GET", "no register");
    expect_error(gpu, "INTR", "ambiguous: PMC.INTR");
    expect_error(gpu, "CACHE1_GET[0]", "not an array");
    expect_error(gpu, "CACHE1_ENTRY[1024]", "has 1024 elements");
    expect_error(gpu, "CACHE1_ENTRY[99999999999999999999]", "no register");
    expect_error(gpu, "CACHE1_ENTRY[1", "no register");
    expect_error(gpu, "CACHE1_ENTRY[]", "no register");
    expect_error(gpu, "CACHE1_ENTRY[-1]", "no register");
    expect_error(gpu, "CACHE1_ENTRY[1]]", "no register");
    expect_error(gpu, "0x3270x", "no register at");
    expect_error(gpu, "0xfffffff0", "no register at");
    expect_error(gpu, "0x103270000", "no register at");
    pfifo_gpu_free(gpu);
}

static void names_are_as_short_as_can_be(void **state) {
    struct pfifo_gpu *gpu = gpu_of(pfifo_chip_by_name("nv40"));
    char name[NAME_BYTES];
    (void)state;
    assert_int_equal(pfifo_registers_name(pfifo_gpu_registers(gpu), 0x3272, name, sizeof name), 10);
    assert_string_equal(name, "CACHE1_GET");
    pfifo_registers_name(pfifo_gpu_registers(gpu), 0x100, name, sizeof name);
    assert_string_equal(name, "PMC.INTR");
    assert_int_equal(pfifo_registers_name(pfifo_gpu_registers(gpu), 0x3270, name, 4), 10);
    assert_string_equal(name, "CAC");
    assert_int_equal(pfifo_registers_name(pfifo_gpu_registers(gpu), 0x3270, NULL, 0), 10);
    assert_int_equal(pfifo_registers_name(pfifo_gpu_registers(gpu), 0x3ffffc, name, sizeof name), 0);
    assert_string_equal(name, "");
    pfifo_gpu_free(gpu);
}

static void a_description_says_what_the_table_says(void **state) {
    struct pfifo_gpu *gpu = gpu_of(pfifo_chip_by_name("nv40"));
    struct pfifo_register reg;
    uint32_t index = 7;
    (void)state;
    assert_true(pfifo_registers_describe(pfifo_gpu_registers(gpu), 0x3214, &reg, &index)); /* CACHE1_STATUS */
    assert_true(reg.computed && !reg.write_acts && !reg.read_acts && index == 0);
    assert_int_equal(reg.readable & ~0x111u, 0);
    assert_int_equal(reg.writable, 0);
    assert_true(pfifo_registers_describe(pfifo_gpu_registers(gpu), 0x2210, &reg, NULL)); /* RAMHT */
    assert_true(!reg.computed && reg.readable == reg.writable);
    assert_int_equal(reg.reset, 0x100);
    assert_true(pfifo_registers_describe(pfifo_gpu_registers(gpu), 0x2100, &reg, NULL)); /* INTR_0 */
    assert_true(reg.write_acts && !reg.writable);
    assert_false(pfifo_registers_describe(pfifo_gpu_registers(gpu), 0x3fffc, &reg, NULL));
    pfifo_gpu_free(gpu);
}

/* NV1 has its VRAM in BAR0, too. */
static void windows_are_inside_bar0(struct pfifo_gpu *gpu) {
    struct pfifo_window window;
    uint64_t bytes = UINT64_C(1) << (pfifo_chip_info(pfifo_gpu_chip(gpu)).id == 1 ? 25 : 24);
    size_t count = 0;
    for (; pfifo_registers_window(pfifo_gpu_registers(gpu), count, &window); count++) {
        assert_true(window.name[0] && window.bytes && window.base + (uint64_t)window.bytes <= bytes);
        if (strcmp(window.name, "PRAMIN") == 0)
            assert_int_equal(window.base, 0x700000);
    }
    assert_true(count > 0);
}

static void windows_have_names(void **state) {
    (void)state;
    on_every_chip(windows_are_inside_bar0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_register_is_found_by_its_names),
        cmocka_unit_test(every_list_of_fields_can_be_read),
        cmocka_unit_test(fields_have_names_and_bits),
        cmocka_unit_test(what_is_no_register_is_an_error),
        cmocka_unit_test(names_are_as_short_as_can_be),
        cmocka_unit_test(windows_have_names),
        cmocka_unit_test(a_description_says_what_the_table_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
