/* SPDX-License-Identifier: MIT */
/* Buffers of the model in the windows of an X server that has no DRI3: the steps of programs/x11.c. */
#include "drm/x_server.h"
#include "mesa/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

static struct x_server server;

static const char *const chips[] = {"gf100", "gm107", "gp102"};

static void expect_with(const char *step, const char *setting, const char *mode) {
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct client client = {.chip = chips[i],
                                .arguments = ARGUMENTS(client_program("PFIFO_X11"), step),
                                .variables = ARGUMENTS(server.display, setting, mode)};
        struct client_end end = client_run(&client);
        client_expect(0, &end);
        client_end_free(&end);
    }
}

static void expect(const char *step) {
    expect_with(step, "PFIFO_DRM_WINDOW=0", "PFIFO_DRM_MODE=");
}

static void pictures_of_all_layouts_are_presented(void **state) {
    (void)state;
    expect("pictures");
}

static void modifiers_are_those_of_the_display(void **state) {
    (void)state;
    expect("modifiers");
}

static void fences_are_triggered_when_a_buffer_is_free(void **state) {
    (void)state;
    expect("fences");
}

static void areas_are_copied_to_the_window_and_back(void **state) {
    (void)state;
    expect("copies");
}

static void what_is_no_picture_is_refused_with_an_error(void **state) {
    (void)state;
    expect("wrong");
}

static void a_pixmap_keeps_its_buffer(void **state) {
    (void)state;
    expect("kept");
}

static void a_connection_that_ends_frees_its_pixmaps(void **state) {
    (void)state;
    expect("ends");
}

static void the_display_is_a_window_if_asked_for(void **state) {
    (void)state;
    expect_with("display", "PFIFO_DRM_WINDOW=1", "PFIFO_DRM_MODE=75x53");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_of_all_layouts_are_presented),
        cmocka_unit_test(modifiers_are_those_of_the_display),
        cmocka_unit_test(fences_are_triggered_when_a_buffer_is_free),
        cmocka_unit_test(areas_are_copied_to_the_window_and_back),
        cmocka_unit_test(what_is_no_picture_is_refused_with_an_error),
        cmocka_unit_test(a_pixmap_keeps_its_buffer),
        cmocka_unit_test(a_connection_that_ends_frees_its_pixmaps),
        cmocka_unit_test(the_display_is_a_window_if_asked_for),
    };
    if (!getenv("PFIFO_X11") || !x_server_start(&server))
        return 77;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    x_server_stop(&server);
    return failed;
}
