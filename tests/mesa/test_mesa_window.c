/* SPDX-License-Identifier: MIT */
/* Mesa's OpenGL on the model in windows of an X server that has no DRI3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "drm/x_server.h"
#include "mesa/client.h"

static struct x_server server;

static void expect(const char *chip, const char *mode) {
    struct client client = {.chip = chip,
                            .arguments = ARGUMENTS(client_program("PFIFO_MESA_WINDOW"), mode),
                            .variables = ARGUMENTS(server.display)};
    struct client_end end = client_run(&client);
    client_expect(0, &end);
    client_end_free(&end);
}

static void swapped_frames_appear_in_the_window(void **state) {
    static const char *const usual[] = {"nv40", "g84", "gf100", "gk104", "gm107", "gp102", NULL};
    (void)state;
    for (const char *const *chip = client_chips(usual); *chip; chip++)
        expect(*chip, "swap");
}

/* Chips before G80 cannot: to read such a buffer, Mesa draws there. */
static void front_buffers_are_the_windows(void **state) {
    static const char *const usual[] = {"g84", "gf100", "gk104", "gm107", "gp102", NULL};
    (void)state;
    for (const char *const *chip = client_chips(usual); *chip; chip++)
        if (strncmp(*chip, "nv", 2) != 0)
            expect(*chip, "front");
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
