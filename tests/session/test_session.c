/* SPDX-License-Identifier: MIT */
/* Traces, counts and reports of a device, in a file. */
#include "drm/rig.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "face/drm/session/session.h"
#include "temporary.h"
#include "tool/json.h"

static struct rig rig;
static struct settings settings;
static struct pfifo_error error;
static char path[TEMPORARY_PATH];
static char text[1 << 16];

static int make_path(void **state) {
    (void)state;
    temporary_pattern(path, "");
    int fd = mkstemp(path);
    if (fd < 0)
        return -1;
    close(fd);
    settings = (struct settings){0};
    snprintf(settings.output, sizeof settings.output, "%s", path);
    return 0;
}

static int remove_path(void **state) {
    (void)state;
    unlink(path);
    return 0;
}

static const char *written(void) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    text[bytes] = '\0';
    fclose(file);
    return text;
}

static void expect(const char *what) {
    if (!strstr(written(), what))
        fail_msg("%s: no '%s' in\n%s", rig.part->chip, what, text);
}

static struct session *begin(const struct part *part) {
    rig_open(&rig, part);
    struct session *session = session_new(&settings, rig.device, &error);
    assert_non_null(session);
    return session;
}

static void work(uint32_t value) {
    struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
    struct words words = {.part = rig.part};
    words_bind_object(&words, 0);
    words_method(&words, 0, NOP, 0);
    if (!rig.part->calls)
        words_release(&words, &channel, value);
    assert_int_equal(rig_run(&rig, &channel, &words, &channel.semaphore), 0);
    if (!rig.part->calls)
        assert_int_equal(rig_released(&channel), value);
}

static void end(struct session *session) {
    session_end(session);
    rig_close(&rig);
}

static void what_is_not_asked_for_is_not_written(void **state) {
    (void)state;
    struct session *session = begin(&parts[0]);
    work(1);
    end(session);
    assert_string_equal(written(), "");
}

static void counts_come_at_the_end(void **state) {
    (void)state;
    settings.stats = true;
    FOR_EACH_PART {
        struct session *session = begin(part);
        work(5);
        assert_int_equal(truncate(path, 0), 0);
        end(session);
        char head[64];
        snprintf(head, sizeof head, ": %s, 1 submission, ", part->chip);
        expect(head);
        expect("  faults        0\n");
        expect("  not executed  0\n");
        expect("methods by class\n");
        expect("  pusher.packet\n");
    }
}

/* Every line fits docs/json.schema.json. */
static void expect_schema(void) {
    char why[400];
    struct json *schema = json_schema();
    assert_non_null(schema);
    for (const char *at = written(), *stop; (stop = strchr(at, '\n')); at = stop + 1) {
        struct json *line = json_parse(at, (size_t)(stop - at));
        if (!line || !json_fits(line, schema, schema, why, sizeof why))
            fail_msg("%s: %.*s", line ? why : "not JSON", (int)(stop - at), at);
        json_free(line);
    }
    json_free(schema);
}

static void all_of_json_fits_the_schema(void **state) {
    (void)state;
    settings.json = settings.stats = true;
    strcpy(settings.trace, "*");
    struct session *session = begin(&parts[0]);
    struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
    struct words words = {.part = rig.part};
    words_bind_object(&words, 0);
    words_method(&words, 0, NOP, 0);
    words_method(&words, 0, 0xffc, 1); /* which the class does not have */
    words_method(&words, 0, 0, 0xbad00001);
    rig_run(&rig, &channel, &words, NULL);
    end(session);
    expect("\"submission\":1,\"time\":");
    expect("\"event\":\"summary\"");
    expect("\"faults\":2,\"fault\":[{\"unit\":\"");
    expect_schema();
}

static void counts_in_json_are_a_line(void **state) {
    (void)state;
    settings.json = true;
    struct session *session = begin(&parts[5]);
    work(5);
    end(session);
    expect("{\"file\":");
    expect(",\"event\":\"summary\",\"chip\":\"GK104\",\"submissions\":1,");
    expect(",\"faults\":0,\"fault\":[],\"unknown\":0,");
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

static void a_trace_has_the_events_of_its_globs(void **state) {
    (void)state;
    strcpy(settings.trace, "puller.bind");
    struct session *session = begin(&parts[4]);
    work(5);
    expect("puller.bind subchannel=0"); /* even if the program is killed now */
    end(session);
    written();
    assert_null(strstr(text, "puller.method"));
}

static void a_trace_has_the_events_of_its_query(void **state) {
    (void)state;
    strcpy(settings.trace, "puller.*");
    strcpy(settings.where, "event=puller.bind");
    struct session *session = begin(&parts[4]);
    work(5);
    expect("puller.bind subchannel=0");
    end(session);
    written();
    assert_null(strstr(text, "puller.method"));
}

static void a_trace_of_a_wrong_query_is_an_error(void **state) {
    (void)state;
    strcpy(settings.trace, "puller.*");
    strcpy(settings.where, "(data=1");
    rig_open(&rig, &parts[0]);
    assert_null(session_new(&settings, rig.device, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    rig_close(&rig);
}

static void a_trace_of_no_event_is_an_error(void **state) {
    (void)state;
    strcpy(settings.trace, "nothing.*");
    rig_open(&rig, &parts[0]);
    assert_null(session_new(&settings, rig.device, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    work(1);
    rig_close(&rig);
}

static void an_output_that_cannot_be_is_an_error(void **state) {
    (void)state;
    strcpy(settings.output, "/nowhere/at/all");
    rig_open(&rig, &parts[0]);
    assert_null(session_new(&settings, rig.device, &error));
    assert_int_equal(error.status, PFIFO_ERROR_IO);
    assert_non_null(strstr(error.message, "/nowhere/at/all"));
    rig_close(&rig);
}

static void faults_are_grouped(void **state) {
    (void)state;
    settings.stats = true;
    struct session *session = begin(&parts[0]);
    struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
    struct words words = {.part = rig.part};
    words_method(&words, 0, 0, 0xbad00001);
    words_method(&words, 0, 0, 0xbad00002);
    rig_run(&rig, &channel, &words, NULL);
    end(session);
    expect("  faults        2\n         2  ");
    expect(", first in submission 1: channel ");
}

static void a_report_is_added_at_the_end(void **state) {
    (void)state;
    settings.report = true;
    struct session *session = begin(&parts[2]);
    work(3);
    session_report(session);
    expect("G80: nothing is left to do");
    assert_int_equal(truncate(path, 0), 0);
    end(session);
    expect("G80: nothing is left to do");
}

/* A program may close descriptors that it does not know, and get them again for files of its own. */
static void a_descriptor_that_the_program_took_is_left_alone(void **state) {
    (void)state;
    settings.report = true;
    struct session *session = begin(&parts[0]);
    char other[TEMPORARY_PATH];
    temporary_pattern(other, "");
    int fd = mkstemp(other), taken = 512;
    assert_true(fcntl(taken, F_GETFD) >= 0);
    assert_int_equal(dup2(fd, taken), taken);
    end(session);
    expect("methods not executed");
    assert_int_equal(lseek(fd, 0, SEEK_END), 0);
    close(fd);
    close(taken);
    unlink(other);
}

static void several_processes_add_to_a_file(void **state) {
    (void)state;
    settings.json = true;
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            struct session *session = begin(&parts[4]);
            work(1);
            end(session);
            _exit(0);
        }
    }
    for (int i = 0, status; i < 3; i++)
        assert_true(wait(&status) > 0 && status == 0);
    unsigned lines = 0;
    for (const char *at = written(); *at; at = strchr(at, '\n') + 1, lines++)
        assert_memory_equal(at, "{\"file\":", 8);
    assert_int_equal(lines, 3);
}

static void a_child_writes_nothing_of_its_parents(void **state) {
    (void)state;
    settings.stats = true;
    struct session *session = begin(&parts[0]);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        session_end(session);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_string_equal(written(), "");
    end(session);
    expect("0 submissions");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_path, remove_path)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_is_not_asked_for_is_not_written),
        TEST(counts_come_at_the_end),
        TEST(counts_in_json_are_a_line),
        TEST(all_of_json_fits_the_schema),
        TEST(a_trace_has_the_events_of_its_globs),
        TEST(a_trace_has_the_events_of_its_query),
        TEST(a_trace_of_a_wrong_query_is_an_error),
        TEST(a_trace_of_no_event_is_an_error),
        TEST(an_output_that_cannot_be_is_an_error),
        TEST(faults_are_grouped),
        TEST(a_report_is_added_at_the_end),
        TEST(a_descriptor_that_the_program_took_is_left_alone),
        TEST(several_processes_add_to_a_file),
        TEST(a_child_writes_nothing_of_its_parents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
