/* SPDX-License-Identifier: MIT */
/* Processes that share buffers, sync objects and sync files: programs/peers.c on the nodes. */
#include "mesa/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static const char *const chips[] = {"gf100", "gk104", "gm107", "gm20b", "gp102"};

#define FOR_EACH_CHIP for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)

static struct client_end run(const char *chip, const char *what) {
    struct client client = {.chip = chip, .arguments = ARGUMENTS(client_program("PFIFO_PEERS"), what)};
    struct client_end end = client_run(&client);
    client_expect(0, &end);
    return end;
}

static void expect(const char *chip, const char *what) {
    struct client_end end = run(chip, what);
    client_end_free(&end);
}

static void a_buffer_is_used_by_both_cards(void **state) {
    (void)state;
    FOR_EACH_CHIP expect(chips[i], "buffer");
}

static void sync_objects_and_files_go_to_a_child(void **state) {
    (void)state;
    FOR_EACH_CHIP expect(chips[i], "sync");
}

static void they_go_to_another_program(void **state) {
    (void)state;
    FOR_EACH_CHIP expect(chips[i], "exec");
}

static void the_end_of_a_process_ends_its_work(void **state) {
    (void)state;
    FOR_EACH_CHIP expect(chips[i], "die");
}

static void what_others_do_is_told_to_who_only_polls(void **state) {
    (void)state;
    FOR_EACH_CHIP expect(chips[i], "event");
}

/* programs/devices.c: by libdrm, on PCI and in a device tree; and a mapping at an address. */
static void libdrm_finds_the_device_and_maps_its_memory(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        struct client client = {.chip = chips[i], .arguments = ARGUMENTS(client_program("PFIFO_DEVICES"))};
        struct client_end end = client_run(&client);
        client_expect(0, &end);
        client_end_free(&end);
    }
}

/* Of a second: who waits looks a thousand times, who does nothing not once. */
static void who_waits_sleeps(void **state) {
    (void)state;
    struct client_end end = run("gm107", "idle");
    double waiting = 1, idle = 1;
    const char *at = strstr(end.out, "waiting ");
    if (!at || sscanf(at, "waiting %lf idle %lf", &waiting, &idle) != 2 || waiting > 0.3 || idle > 0.05)
        fail_msg("%s", end.out);
    client_end_free(&end);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_is_used_by_both_cards),
        cmocka_unit_test(sync_objects_and_files_go_to_a_child),
        cmocka_unit_test(they_go_to_another_program),
        cmocka_unit_test(the_end_of_a_process_ends_its_work),
        cmocka_unit_test(what_others_do_is_told_to_who_only_polls),
        cmocka_unit_test(libdrm_finds_the_device_and_maps_its_memory),
        cmocka_unit_test(who_waits_sleeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
