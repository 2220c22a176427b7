/* SPDX-License-Identifier: MIT */
/*
 * Several who use the device: contexts, threads, children and processes; one that is killed; one that submits garbage.
 * The programs know what they must see, and end with 0 if they do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mesa/client.h"

/* Tesla's channels are their own, Kepler's have runlists, GM20B's memory is the system's. */
static const char *const usual[] = {"nv40", "gt215", "gf100", "gk104", "gm20b", "gp102", NULL};
static const char *const *chips; /* these, or what is asked for */

static void crowd(const char *mode) {
    for (size_t i = 0; chips[i]; i++) {
        struct client client = {.chip = chips[i], .arguments = ARGUMENTS(client_program("PFIFO_MESA_CROWD"), mode)};
        struct client_end end = client_run(&client);
        if (end.status != 0)
            print_error("%s\n", chips[i]);
        client_expect(0, &end);
        client_end_free(&end);
    }
}

static void contexts_take_turns(void **state) {
    (void)state;
    crowd("contexts");
}

static void threads_have_devices_of_their_own(void **state) {
    (void)state;
    crowd("threads");
}

static void children_that_do_not_draw_are_left_alone(void **state) {
    (void)state;
    crowd("fork");
}

static void parent_and_child_draw_at_once(void **state) {
    (void)state;
    crowd("processes");
}

static void texture_is_shared_by_two_devices(void **state) {
    (void)state;
    crowd("share");
}

/* Chips before Maxwell: Mesa's local memory for all shaders of a later one does not fit into so little. */
static void more_than_fits_into_vram_is_kept(void **state) {
    (void)state;
    static const char *const with_vram[] = {"nv40", "gt215", "gf100", "gk104"};
    for (size_t i = 0; i < 4; i++) {
        if (!client_wants(client_chip(with_vram[i])))
            continue;
        struct client client = {.chip = with_vram[i],
                                .arguments = ARGUMENTS(client_program("PFIFO_MESA_CROWD"), "hoard"),
                                .variables = ARGUMENTS("PFIFO_DRM_VRAM=67108864")};
        struct client_end end = client_run(&client);
        client_expect(0, &end);
        client_end_free(&end);
    }
}

/* ---- a program is killed ---- */

/* A file that it has open for writing, and that would stay where it is. */
static bool would_stay(pid_t pid, const char *descriptor) {
    char path[300], target[4096] = "";
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d/fd/%s", (int)pid, descriptor);
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink == 0)
        return false;
    struct stat link;
    if (lstat(path, &link) != 0 || !(link.st_mode & S_IWUSR)) /* how it was opened */
        return false;
    if (readlink(path, target, sizeof target - 1) < 0)
        return false;
    print_error("open for writing: %s\n", target);
    return true;
}

static bool keeps_files(pid_t pid) {
    char path[64];
    bool keeps = false;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *stream = opendir(path);
    assert_non_null(stream);
    for (struct dirent *entry = readdir(stream); entry; entry = readdir(stream))
        keeps |= entry->d_name[0] != '.' && would_stay(pid, entry->d_name);
    closedir(stream);
    return keeps;
}

static void killed_program_leaves_no_file(void **state) {
    (void)state;
    for (size_t i = 0; chips[i]; i++) {
        char *directory = client_directory(), variables[3][440];
        snprintf(variables[0], sizeof variables[0], "TMPDIR=%s", directory);
        snprintf(variables[1], sizeof variables[1], "HOME=%s", directory);
        snprintf(variables[2], sizeof variables[2], "XDG_RUNTIME_DIR=%s", directory);
        struct client client = {.chip = chips[i],
                                .arguments = ARGUMENTS(client_program("PFIFO_MESA_CROWD"), "wait"),
                                .variables = ARGUMENTS(variables[0], variables[1], variables[2]),
                                .tells = true};
        client_start(&client);
        assert_true(client_wait_for(&client));
        bool keeps = keeps_files(client.pid);
        kill(client.pid, SIGKILL);
        struct client_end end = client_wait(&client);
        client_expect(-SIGKILL, &end);
        client_end_free(&end);
        assert_false(keeps);
        assert_true(client_directory_remove(directory, NULL));
    }
}

static void program_draws_while_another_is_killed(void **state) {
    (void)state;
    struct client waiting = {
        .chip = "gf100", .arguments = ARGUMENTS(client_program("PFIFO_MESA_CROWD"), "wait"), .tells = true};
    struct client drawing = {.chip = "gf100", .arguments = ARGUMENTS(client_program("PFIFO_MESA_CROWD"), "processes")};
    client_start(&waiting);
    assert_true(client_wait_for(&waiting));
    client_start(&drawing);
    kill(waiting.pid, SIGKILL);
    struct client_end killed = client_wait(&waiting), end = client_wait(&drawing);
    client_expect(-SIGKILL, &killed);
    client_expect(0, &end);
    client_end_free(&killed);
    client_end_free(&end);
}

/* ---- garbage ---- */

static struct client_end garbage(const char *chip, const char *kind) {
    struct client client = {.chip = chip,
                            .arguments = ARGUMENTS(client_program("PFIFO_MESA_GARBAGE"), kind),
                            .variables = ARGUMENTS("PFIFO_DRM_BUDGET=1000000")};
    struct client_end end = client_run(&client);
    if (end.status != 0)
        print_error("%s, %s\n", chip, kind);
    client_expect(0, &end);
    return end;
}

static void words_without_sense_hurt_nobody_else(void **state) {
    (void)state;
    for (const struct mesa_chip *chip = mesa_chips; chip->name; chip++) {
        if (!client_wants(chip))
            continue;
        struct client_end end = garbage(chip->name, "random");
        client_end_free(&end);
    }
}

/* Of which the kernel knows nothing better than to end the channel; the log says which and why. */
static void wrong_channel_is_killed_and_another_goes_on(void **state) {
    (void)state;
    static const struct {
        const char *chip, *kind, *why;
    } rows[] = {
        {"nv40", "loop", "its work does not end"},
        {"nv44", "loop", "its work does not end"},
        {"gf100", "fault", "MMU: PT_NOT_PRESENT at fffffff000"},
        {"gk104", "fault", "MMU: PDE at fffffff000"},
        {"gk110", "fault", "MMU: PDE at fffffff000"},
        {"gm107", "fault", "MMU: PDE at fffffff000"},
        {"gm20b", "fault", "MMU: PDE at fffffff000"},
        {"gp102", "fault", "MMU: PDE at fffffff000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!client_wants(client_chip(rows[i].chip)))
            continue;
        struct client_end end = garbage(rows[i].chip, rows[i].kind);
        if (!strstr(end.err, rows[i].why) || !strstr(end.err, "killed"))
            fail_msg("%s: the log does not say '%s': %.2000s", rows[i].chip, rows[i].why, end.err);
        client_end_free(&end);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts_take_turns),
        cmocka_unit_test(threads_have_devices_of_their_own),
        cmocka_unit_test(children_that_do_not_draw_are_left_alone),
        cmocka_unit_test(parent_and_child_draw_at_once),
        cmocka_unit_test(texture_is_shared_by_two_devices),
        cmocka_unit_test(more_than_fits_into_vram_is_kept),
        cmocka_unit_test(killed_program_leaves_no_file),
        cmocka_unit_test(program_draws_while_another_is_killed),
        cmocka_unit_test(words_without_sense_hurt_nobody_else),
        cmocka_unit_test(wrong_channel_is_killed_and_another_goes_on),
    };
    if (!client_has_mesa())
        return 77;
    chips = client_chips(usual);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
