/* SPDX-License-Identifier: MIT */
/* Variables of the environment, and what they may hold. */
#include "drm/rig.h"

#include <stdio.h>
#include <stdlib.h>

#include "face/drm/session/names.h"
#include "face/drm/session/session.h"

static struct settings settings;
static struct pfifo_error error;

static int forget_all(void **state) {
    static const char *const names[] = {
        SETTING_CHIP,       SETTING_VRAM,  SETTING_BUDGET, SETTING_VERSION, SETTING_MODE,   SETTING_REFRESH,
        SETTING_QUIET,      SETTING_TRACE, SETTING_STATS,  SETTING_JSON,    SETTING_REPORT, SETTING_OUTPUT,
        SETTING_SCREENSHOT, SETTING_DRAWS, SETTING_FROM,   SETTING_COUNT,   SETTING_ATOMIC};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        unsetenv(names[i]);
    return 0;
}

static void nothing_set_leaves_the_program_alone(void **state) {
    static const struct settings nothing = {.atomic = true};
    (void)state;
    assert_true(settings_read(&settings, &error));
    assert_memory_equal(&settings, &nothing, sizeof settings);
}

static void every_variable_has_its_field(void **state) {
    (void)state;
    setenv(SETTING_CHIP, "gf100", 1);
    setenv(SETTING_VRAM, "0x10000000", 1);
    setenv(SETTING_BUDGET, "1000", 1);
    setenv(SETTING_VERSION, "1.2.3", 1);
    setenv(SETTING_MODE, "640x480", 1);
    setenv(SETTING_REFRESH, "75", 1);
    setenv(SETTING_ATOMIC, "0", 1);
    setenv(SETTING_QUIET, "1", 1);
    setenv(SETTING_TRACE, "puller.*", 1);
    setenv(SETTING_STATS, "1", 1);
    setenv(SETTING_JSON, "1", 1);
    setenv(SETTING_REPORT, "1", 1);
    setenv(SETTING_OUTPUT, "out", 1);
    setenv(SETTING_SCREENSHOT, "%u.png", 1);
    setenv(SETTING_DRAWS, "draws", 1);
    setenv(SETTING_FROM, "0", 1);
    setenv(SETTING_COUNT, "7", 1);
    assert_true(settings_read(&settings, &error));
    assert_ptr_equal(settings.chip, pfifo_chip_by_name("GF100"));
    assert_int_equal(settings.vram_bytes, 0x10000000);
    assert_int_equal(settings.budget, 1000);
    assert_int_equal(settings.major, 1);
    assert_int_equal(settings.minor, 2);
    assert_int_equal(settings.patch, 3);
    assert_int_equal(settings.width, 640);
    assert_int_equal(settings.height, 480);
    assert_int_equal(settings.refresh, 75);
    assert_true(settings.quiet && settings.stats && settings.json && settings.report && !settings.atomic);
    assert_string_equal(settings.trace, "puller.*");
    assert_string_equal(settings.output, "out");
    assert_string_equal(settings.screenshot, "%u.png");
    assert_string_equal(settings.draws, "draws");
    assert_int_equal(settings.draws_from, 0);
    assert_int_equal(settings.draws_count, 7);
}

static void an_empty_variable_is_as_none(void **state) {
    (void)state;
    setenv(SETTING_CHIP, "", 1);
    setenv(SETTING_MODE, "", 1);
    setenv(SETTING_TRACE, "", 1);
    nothing_set_leaves_the_program_alone(state);
}

static void a_trace_is_off_all_or_globs(void **state) {
    (void)state;
    setenv(SETTING_TRACE, "0", 1);
    assert_true(settings_read(&settings, &error));
    assert_string_equal(settings.trace, "");
    setenv(SETTING_TRACE, "1", 1);
    assert_true(settings_read(&settings, &error));
    assert_non_null(strstr(settings.trace, "puller.*"));
}

static void nonsense_is_refused_by_name(void **state) {
    static const struct {
        const char *name, *value;
    } bad[] = {
        {SETTING_CHIP, "NV99"},      {SETTING_VRAM, "0"},         {SETTING_VRAM, "256M"},
        {SETTING_VRAM, "-1"},        {SETTING_BUDGET, "0"},       {SETTING_BUDGET, "18446744073709551616"},
        {SETTING_VERSION, "1"},      {SETTING_VERSION, "1.3"},    {SETTING_VERSION, "1.3.1.0"},
        {SETTING_VERSION, "0.0.0"},  {SETTING_VERSION, "1..1"},   {SETTING_VERSION, "4294967296.0.0"},
        {SETTING_MODE, "640"},       {SETTING_MODE, "640x"},      {SETTING_MODE, "0x480"},
        {SETTING_MODE, "640x480x1"}, {SETTING_MODE, "9000x9000"}, {SETTING_MODE, "640 x480"},
        {SETTING_REFRESH, "x"},      {SETTING_REFRESH, "5000"},   {SETTING_REFRESH, "59.9"},
        {SETTING_QUIET, "yes"},      {SETTING_STATS, "2"},        {SETTING_JSON, " 1"},
        {SETTING_FROM, "first"},     {SETTING_COUNT, "0"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        forget_all(state);
        setenv(bad[i].name, bad[i].value, 1);
        if (settings_read(&settings, &error))
            fail_msg("%s=%s is taken", bad[i].name, bad[i].value);
        assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, bad[i].name));
        assert_non_null(strstr(error.message, bad[i].value));
    }
}

static void a_name_that_is_too_long_is_refused(void **state) {
    static char name[5000];
    (void)state;
    memset(name, 'a', sizeof name - 1);
    setenv(SETTING_OUTPUT, name, 1);
    assert_false(settings_read(&settings, &error));
    forget_all(state);
    setenv(SETTING_MODE, name, 1);
    assert_false(settings_read(&settings, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_set_leaves_the_program_alone, forget_all),
        cmocka_unit_test_setup(every_variable_has_its_field, forget_all),
        cmocka_unit_test_setup(an_empty_variable_is_as_none, forget_all),
        cmocka_unit_test_setup(a_trace_is_off_all_or_globs, forget_all),
        cmocka_unit_test_setup(nonsense_is_refused_by_name, forget_all),
        cmocka_unit_test_setup(a_name_that_is_too_long_is_refused, forget_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
