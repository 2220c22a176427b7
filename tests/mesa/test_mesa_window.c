/* SPDX-License-Identifier: MIT */
/* Mesa's OpenGL on the model in windows of an X server that has no DRI3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "drm/x_server.h"
#include "mesa/client.h"

static struct x_server server;

static void expect(const char *const *usual, const char *mode) {
    const char *const *chips = client_chips(usual);
    for (size_t i = 0; chips[i]; i++) {
        struct client client = {.chip = chips[i],
                                .arguments = ARGUMENTS(client_program("PFIFO_MESA_WINDOW"), mode),
                                .variables = ARGUMENTS(server.display)};
        struct client_end end = client_run(&client);
        client_expect(0, &end);
        client_end_free(&end);
    }
}

static void swapped_frames_appear_in_the_window(void **state) {
    static const char *const usual[] = {"nv40", "g84", "gf100", "gk104", "gm107", "gp102", NULL};
    (void)state;
    expect(usual, "swap");
}

/* NV40 cannot: to read such a buffer, Mesa draws. */
static void front_buffers_are_the_windows(void **state) {
    static const char *const usual[] = {"g84", "gf100", "gk104", "gm107", "gp102", NULL};
    (void)state;
    expect(usual, "front");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swapped_frames_appear_in_the_window),
        cmocka_unit_test(front_buffers_are_the_windows),
    };
    if (!client_has_mesa() || !getenv("PFIFO_MESA_WINDOW") || !x_server_start(&server))
        return 77;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    x_server_stop(&server);
    return failed;
}
