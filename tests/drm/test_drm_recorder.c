/* SPDX-License-Identifier: MIT */
/* libpfifo-record.so in front of libpfifo-drm.so: which captures a program leaves, whatever it does. */
#include "mesa/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pfifo/stream.h>

#include <pfifo/replay.h>

#include "face/drm/record/file.h"

/* ---- running ---- */

static char *folder;

static const char *path_of(const char *name) {
    static char path[2][300];
    static unsigned next;
    next = !next;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static bool exists(const char *name) {
    return access(path_of(name), F_OK) == 0;
}

/* The steps of programs/submitter.c. The capture is FOLDER/c, or as `setting` says. */
static void run(const char *chip, const char *steps, const char *setting, int status) {
    char record[400], preload[8300];
    const char *program = client_program("PFIFO_SUBMITTER");
    snprintf(record, sizeof record, "PFIFO_RECORD=%s", setting ? setting : path_of("c"));
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s:%s", getenv("PFIFO_RECORDER"), getenv("PFIFO_SHIM"));
    const char *const variables[] = {record, preload, NULL};
    struct client client = {.chip = chip, .arguments = ARGUMENTS(program, steps), .variables = variables};
    struct client_end end = client_run(&client);
    client_expect(status, &end);
    client_end_free(&end);
}

static int set_up(void **state) {
    (void)state;
    folder = client_directory();
    return folder ? 0 : -1;
}

static int tear_down(void **state) {
    static const char *const names[] = {"c", "c.2", "c.3"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(path_of(names[i]));
    return client_directory_remove(folder, NULL) ? 0 : -1;
}

/* ---- looking at captures ---- */

/* A capture of so many submissions, which a replay on its chip, or on `chip`, executes without a fault. */
static void expect(const char *name, uint64_t submissions, bool truncated, const char *chip) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_stream_open(path_of(name), &error);
    if (!stream)
        fail_msg("%s", error.message);
    assert_int_equal(pfifo_stream_truncated(stream), truncated);
    const struct pfifo_replay_config config = {.size = sizeof config, .chip = chip ? pfifo_chip_by_name(chip) : NULL};
    struct pfifo_replay *replay = pfifo_replay_new(stream, &config, &error);
    if (!replay)
        fail_msg("%s", error.message);
    bool more = true;
    while (more)
        if (pfifo_replay_next(replay, &more, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
    const struct pfifo_replay_result *result = pfifo_replay_result(replay);
    assert_int_equal(result->submissions, submissions);
    assert_int_equal(result->stop, PFIFO_STOP_IDLE);
    assert_int_equal(result->faults, 0);
    assert_int_equal(result->changed, 0);
    assert_int_equal(result->refused, 0);
    pfifo_replay_free(replay);
    pfifo_stream_close(stream);
}

static void a_run_is_replayed_on_its_chip_and_on_another(void **state) {
    (void)state;
    run("gf100", "ocsss", NULL, 0);
    expect("c", 3, false, NULL);
    expect("c", 3, false, "GK104");
    assert_false(exists("c.2"));
}

static void each_open_file_with_a_channel_has_a_capture(void **state) {
    (void)state;
    run("gk104", "oooocsxocssx", NULL, 0);
    expect("c", 1, false, NULL);
    expect("c.2", 2, false, NULL);
    assert_false(exists("c.3"));
}

static void copies_of_a_descriptor_are_one_file(void **state) {
    (void)state;
    run("gm107", "odcsdsFs", NULL, 0);
    expect("c", 3, false, NULL);
    assert_false(exists("c.2"));
}

static void a_killed_program_leaves_what_it_has_submitted(void **state) {
    (void)state;
    run("gf100", "ocssssk", NULL, -SIGKILL);
    expect("c", 4, true, NULL);
}

static void a_program_without_a_channel_leaves_no_file(void **state) {
    (void)state;
    run("gf100", "ooxo", NULL, 0);
    assert_false(exists("c"));
}

static void a_file_that_is_there_is_left_alone(void **state) {
    char text[8] = "";
    (void)state;
    int fd = open(path_of("c"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_int_equal(write(fd, "mine", 4), 4);
    close(fd);
    run("gf100", "ocs", NULL, 0);
    expect("c.2", 1, false, NULL);
    fd = open(path_of("c"), O_RDONLY | O_CLOEXEC);
    assert_int_equal(read(fd, text, sizeof text), 4);
    close(fd);
    assert_string_equal(text, "mine");
}

static void children_have_captures_of_their_own(void **state) {
    (void)state;
    run("gf100", "ocsfss", NULL, 0);
    expect("c", 3, false, NULL);
    expect("c.2", 1, false, NULL);
}

static void a_fork_waits_for_nobody(void **state) {
    (void)state;
    run("gf100", "ocsg", NULL, 0);
    expect("c", 51, false, NULL);
    assert_false(exists("c.2"));
}

static void a_child_from_before_the_first_file_is_recorded(void **state) {
    (void)state;
    run("gf100", "focs", NULL, 0);
    expect("c", 1, false, NULL);
    expect("c.2", 1, false, NULL);
}

static void a_child_of_vfork_changes_nothing(void **state) {
    (void)state;
    run("gf100", "ocsvs", NULL, 0);
    expect("c", 2, false, NULL);
    assert_false(exists("c.2"));
}

static void descriptors_closed_by_the_range_end_the_capture(void **state) {
    (void)state;
    run("gf100", "ocsro", NULL, 0);
    expect("c", 1, false, NULL);
}

static void two_threads_are_recorded(void **state) {
    (void)state;
    run("gf100", "oct", NULL, 0);
    expect("c", 100, false, NULL);
}

static void a_relative_path_is_from_where_the_program_starts(void **state) {
    char here[400];
    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    run("gf100", "hocs", "c", 0);
    assert_int_equal(chdir(here), 0);
    expect("c", 1, false, NULL);
}

static void a_path_that_cannot_be_written_does_not_stop_the_program(void **state) {
    (void)state;
    run("gf100", "ocss", path_of("none/c"), 0);
}

/* ---- locks ---- */

static void a_handler_may_fork_wherever_it_comes(void **state) {
    (void)state;
    run("gf100", "ocsas", NULL, 0);
    expect("c", 2, false, NULL);
}

static void a_handler_may_end_the_program_wherever_it_comes(void **state) {
    (void)state;
    run("gf100", "oce", NULL, 0);
}

static void cancelled_threads_leave_no_lock(void **state) {
    (void)state;
    run("gf100", "ocns", NULL, 0);
    expect("c", 11, false, NULL);
}

static void children_list_directories_that_a_thread_lists(void **state) {
    (void)state;
    run("gf100", "op", NULL, 0);
}

static void who_writes_to_a_node_does_not_wait(void **state) {
    (void)state;
    run("gf100", "ow", NULL, 0);
}

static void descriptors_of_nodes_are_what_they_are(void **state) {
    (void)state;
    run("gf100", "om", NULL, 0);
}

/* ---- the tool ---- */

static void run_tool(const char *const *arguments, const char *chip) {
    struct client client = {.chip = chip, .arguments = arguments};
    struct client_end end = client_run(&client);
    client_expect(0, &end);
    client_end_free(&end);
}

/* The model's node stands where the kernel's would be. */
static void the_tool_records_a_card_that_it_knows_nothing_of(void **state) {
    const char *program = client_program("PFIFO_SUBMITTER"), *tool = getenv("PFIFO_TOOL"), *path = path_of("c");
    (void)state;
    run_tool(ARGUMENTS(tool, "record", "-o", path, "--", program, "ocssx"), "gk110");
    expect("c", 2, false, NULL);
    run_tool(ARGUMENTS(tool, "run", path), NULL);
}

static void put_file(const char *name, const char *text) {
    int fd = open(path_of(name), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static void captures_of_an_earlier_run_are_replaced(void **state) {
    const char *program = client_program("PFIFO_SUBMITTER"), *tool = getenv("PFIFO_TOOL");
    char option[400];
    (void)state;
    snprintf(option, sizeof option, "--capture=%s", path_of("c"));
    run_tool(ARGUMENTS(tool, "run", "--chip=gf100", option, "--", program, "ocsxocsx"), NULL);
    expect("c.2", 1, false, NULL);
    put_file("c.3", "a text of the user's");
    run_tool(ARGUMENTS(tool, "run", "--chip=gf100", option, "--", program, "ocssx"), NULL);
    expect("c", 2, false, NULL);
    assert_false(exists("c.2"));
    assert_true(exists("c.3"));
}

/* ---- files by themselves ---- */

static void names_are_numbered(void **state) {
    struct record_file first = {.fd = -1}, second = {.fd = -1};
    (void)state;
    assert_true(record_file_open(&first, path_of("c")));
    assert_true(record_file_open(&second, path_of("c")));
    assert_true(exists("c") && exists("c.2"));
    assert_true(first.fd >= 512 && (fcntl(first.fd, F_GETFD) & FD_CLOEXEC));
    assert_true(record_file_write(&first, "one", 3));
    record_file_close(&first);
    assert_false(record_file_write(&first, "one", 3));
    /* The program has closed it, and the number is that of another file. */
    int other = open(path_of("c.3"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(other >= 0);
    assert_int_equal(dup2(other, second.fd), second.fd);
    assert_false(record_file_write(&second, "two", 3));
    assert_int_equal(lseek(other, 0, SEEK_END), 0);
    close(second.fd);
    close(other);
    record_file_close(&second);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_run_is_replayed_on_its_chip_and_on_another),
        TEST(each_open_file_with_a_channel_has_a_capture),
        TEST(copies_of_a_descriptor_are_one_file),
        TEST(a_killed_program_leaves_what_it_has_submitted),
        TEST(a_program_without_a_channel_leaves_no_file),
        TEST(a_file_that_is_there_is_left_alone),
        TEST(children_have_captures_of_their_own),
        TEST(a_fork_waits_for_nobody),
        TEST(a_child_from_before_the_first_file_is_recorded),
        TEST(a_child_of_vfork_changes_nothing),
        TEST(descriptors_closed_by_the_range_end_the_capture),
        TEST(two_threads_are_recorded),
        TEST(a_relative_path_is_from_where_the_program_starts),
        TEST(a_path_that_cannot_be_written_does_not_stop_the_program),
        TEST(a_handler_may_fork_wherever_it_comes),
        TEST(a_handler_may_end_the_program_wherever_it_comes),
        TEST(cancelled_threads_leave_no_lock),
        TEST(children_list_directories_that_a_thread_lists),
        TEST(who_writes_to_a_node_does_not_wait),
        TEST(descriptors_of_nodes_are_what_they_are),
        TEST(the_tool_records_a_card_that_it_knows_nothing_of),
        TEST(captures_of_an_earlier_run_are_replaced),
        TEST(names_are_numbered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
