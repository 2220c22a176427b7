/* SPDX-License-Identifier: MIT */
/* Buffers of the model in the windows of a Wayland compositor that has only wl_shm: the steps of programs/wayland.c. */
#include "mesa/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

static const char *const chips[] = {"gf100", "gm107"};

static void expect(const char *step) {
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        char *directory = client_directory(), runtime[400];
        snprintf(runtime, sizeof runtime, "XDG_RUNTIME_DIR=%s", directory);
        struct client client = {.chip = chips[i],
                                .arguments = ARGUMENTS(client_program("PFIFO_WAYLAND"), step),
                                .variables = ARGUMENTS(runtime)};
        struct client_end end = client_run(&client);
        client_expect(0, &end);
        client_end_free(&end);
        assert_true(client_directory_remove(directory, NULL));
    }
}

static void a_commit_brings_the_picture_to_the_compositor(void **state) {
    (void)state;
    expect("pictures");
}

static void a_compositor_cannot_make_a_pool_smaller(void **state) {
    (void)state;
    expect("pools");
}

static void feedback_tells_the_formats_of_the_model(void **state) {
    (void)state;
    expect("feedback");
}

static void descriptors_stay_with_their_messages(void **state) {
    (void)state;
    expect("descriptors");
}

static void pieces_of_messages_are_put_together(void **state) {
    (void)state;
    expect("pieces");
}

static void what_is_no_picture_is_an_error_of_the_protocol(void **state) {
    (void)state;
    expect("wrong");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_commit_brings_the_picture_to_the_compositor),
        cmocka_unit_test(a_compositor_cannot_make_a_pool_smaller),
        cmocka_unit_test(feedback_tells_the_formats_of_the_model),
        cmocka_unit_test(descriptors_stay_with_their_messages),
        cmocka_unit_test(pieces_of_messages_are_put_together),
        cmocka_unit_test(what_is_no_picture_is_an_error_of_the_protocol),
    };
    if (!getenv("PFIFO_WAYLAND"))
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
