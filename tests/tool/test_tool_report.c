/* SPDX-License-Identifier: MIT */
/*
 * pfifo report: what data.js says of words, draws, faults and memory, that text of a capture stays text, and that the
 * page is whole. scripts/report-test opens it in a browser.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/capture.h"
#include "tool/json.h"
#include "tool/tool.h"

static const char begin[] = "// What a capture says, for page.js.\nconst report = ";

/* A page in a folder of its own. */
struct page {
    char *folder, *text; /* of data.js */
    struct json *data;
};

static char *read_text(const char *folder, const char *name) {
    enum { MOST = 1 << 22 };
    char path[700], *text = calloc(1, MOST);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("there is no %s", path);
    assert_non_null(text);
    assert_true(fread(text, 1, MOST - 1, file) > 0);
    fclose(file);
    return text;
}

static struct page page_of(int status, const char *file, const char *option) {
    struct page page = {.folder = temporary_path(".d")};
    unlink(page.folder);
    struct outcome outcome =
        option ? tool_run("report", file, "-o", page.folder, option) : tool_run("report", file, "-o", page.folder);
    expect_status(status, &outcome);
    outcome_free(&outcome);
    page.text = read_text(page.folder, "data.js");
    assert_int_equal(strncmp(page.text, begin, sizeof begin - 1), 0);
    char *end = strrchr(page.text, ';');
    assert_non_null(end);
    page.data = json_parse(page.text + sizeof begin - 1, (size_t)(end - page.text) - (sizeof begin - 1));
    if (!page.data)
        fail_msg("data.js is no JSON: %.400s", page.text);
    return page;
}

static void page_free(struct page *page) {
    char path[1024];
    DIR *folder = opendir(page->folder);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        snprintf(path, sizeof path, "%s/%s", page->folder, entry->d_name);
        unlink(path);
    }
    closedir(folder);
    assert_int_equal(rmdir(page->folder), 0);
    json_free(page->data);
    free(page->folder);
    free(page->text);
}

static const struct json *member(const struct json *object, const char *key) {
    const struct json *found = json_get(object, key);
    if (!found)
        fail_msg("no \"%s\"", key);
    return found;
}

static long number(const struct json *value) {
    return strtol(value->text, NULL, 10);
}

static const struct json *element(const struct json *array, long index) {
    const struct json *found = array->child;
    while (found && index-- > 0)
        found = found->next;
    if (!found)
        fail_msg("there is no element %ld", index);
    return found;
}

static long length(const struct json *array) {
    long count = 0;
    for (const struct json *one = array->child; one; one = one->next)
        count++;
    return count;
}

/* The name of the method of a row of the table of rows. */
static const char *method_of_row(const struct page *page, long row) {
    const struct json *at = element(member(page->data, "rows"), row);
    assert_in_range(number(element(at, 0)), 2, 3);
    return member(element(member(page->data, "methods"), number(element(at, 6))), "name")->text;
}

static void a_draw_has_its_word_its_picture_and_what_changed(void **state) {
    char *sample = sample_path("nv117-quad.nvcap.xz"), path[700];
    struct page page = page_of(0, sample, NULL);
    const struct json *draw = NULL;
    (void)state;
    for (const struct json *one = member(page.data, "draws")->child; one; one = one->next)
        if (strncmp(member(one, "title")->text, "draw ", 5) == 0)
            draw = one;
    assert_non_null(draw);
    assert_string_equal(method_of_row(&page, number(member(draw, "row"))), "END");
    snprintf(path, sizeof path, "%s/%s", page.folder, member(draw, "picture")->text);
    assert_int_equal(access(path, R_OK), 0);
    assert_string_equal(member(element(member(draw, "targets"), 0), "format")->text, "BGRA8_UNORM");
    assert_true(length(member(draw, "changed")) > 0);
    assert_int_equal(number(member(element(member(draw, "textures"), 0), "header")), 0);
    assert_string_equal(member(element(member(draw, "textures"), 0), "format")->text, "A8B8G8R8");
    page_free(&page);
    free(sample);
}

/* The text of a fact. */
static const char *fact(const struct json *work, const char *name) {
    for (const struct json *one = member(work, "facts")->child; one; one = one->next)
        if (strcmp(element(one, 0)->text, name) == 0)
            return element(one, 1)->text;
    fail_msg("no fact %s", name);
    return NULL;
}

static void a_launch_has_its_grid_its_program_and_its_buffers(void **state) {
    static const struct {
        const char *name, *method, *form, *bank, *instructions;
    } launches[] = {{"gf100", "LAUNCH", "registers", "c[15]", "112 of 8 warps"},
                    {"gk104", "SEND_SIGNALING_PCAS_B", "QMD 0.0", "c[7]", NULL},
                    {"gm107", "SEND_SIGNALING_PCAS_B", "QMD 0.0", "c[7]", "160 of 8 warps"}};
    (void)state;
    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++) {
        char name[100];
        snprintf(name, sizeof name, "../../tests/tool/captures/launch-%s.nvcap.zst", launches[i].name);
        char *sample = sample_path(name);
        struct page page = page_of(0, sample, NULL);
        long count = 0;
        const struct json *first = NULL;
        for (const struct json *one = member(page.data, "draws")->child; one; one = one->next)
            if (strncmp(member(one, "title")->text, "launch ", 7) == 0 && !count++)
                first = one;
        assert_int_equal(count, 6);
        assert_string_equal(member(first, "title")->text, "launch 0");
        assert_string_equal(method_of_row(&page, number(member(first, "row"))), launches[i].method);
        assert_string_equal(fact(first, "blocks"), "1 x 1 x 1");
        assert_string_equal(fact(first, "threads of a block"), "256 x 1 x 1");
        assert_string_equal(fact(first, "form"), launches[i].form);
        assert_string_equal(fact(first, "shared memory of a block"), "0 bytes");
        assert_non_null(fact(first, launches[i].bank));
        if (launches[i].instructions)
            assert_string_equal(fact(first, "instructions"), launches[i].instructions);
        assert_int_equal(length(member(first, "targets")), 0);
        assert_true(length(member(first, "changed")) > 0);
        page_free(&page);
        free(sample);
    }
}

/* Stages that not all draws have, with their warps. */
static void a_draw_has_the_programs_of_all_its_stages(void **state) {
    static const struct {
        const char *name, *stage, *fact, *json;
    } draws[] = {{"tessellation-gm107", "control program", "0x7fffddf2b0, 1 warp",
                  "{\"stage\":\"control\",\"program\":549753582256,\"warps\":1,"},
                 {"tessellation-gm107", "evaluation program", "0x7fffdde8b0, 30 warps",
                  "{\"stage\":\"evaluation\",\"program\":549753579696,\"warps\":30,"},
                 {"geometry-gm107", "geometry program", "0x7fffddf330, 1 warp",
                  "{\"stage\":\"geometry\",\"program\":549753582384,\"warps\":1,"}};
    (void)state;
    for (size_t i = 0; i < sizeof draws / sizeof draws[0]; i++) {
        char name[100];
        snprintf(name, sizeof name, "../../tests/tool/captures/%s.nvcap.zst", draws[i].name);
        char *sample = sample_path(name);
        struct page page = page_of(0, sample, NULL);
        const struct json *draw = NULL;
        for (const struct json *one = member(page.data, "draws")->child; one; one = one->next)
            if (strncmp(member(one, "title")->text, "draw ", 5) == 0)
                draw = one;
        assert_non_null(draw);
        assert_string_equal(fact(draw, draws[i].stage), draws[i].fact);
        struct outcome outcome = tool_run("run", "--trace=engine.draw", "--json", sample);
        expect_status(0, &outcome);
        if (!strstr(outcome.out, draws[i].json))
            fail_msg("no %s in %.3000s", draws[i].json, outcome.out);
        assert_null(strstr(outcome.out, "\"program\":0,"));
        outcome_free(&outcome);
        page_free(&page);
        free(sample);
    }
}

/* The bytes of a file of a folder; none: it is not there. */
static char *bytes_of(const char *folder, const char *name, size_t *bytes) {
    enum { MOST = 1 << 20 };
    char path[1024], *data = malloc(MOST);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(data);
    *bytes = file ? fread(data, 1, MOST, file) : 0;
    assert_true(*bytes < MOST);
    if (file)
        fclose(file);
    return data;
}

static void expect_same_file(const char *folder, const char *name, const char *other, const char *other_name) {
    size_t bytes, other_bytes;
    char *data = bytes_of(folder, name, &bytes), *other_data = bytes_of(other, other_name, &other_bytes);
    if (!bytes || bytes != other_bytes || memcmp(data, other_data, bytes) != 0)
        fail_msg("%s/%s (%zu bytes) is not %s/%s (%zu)", folder, name, bytes, other, other_name, other_bytes);
    free(data);
    free(other_data);
}

/* 20 frames: a clear, which always looks the same, and a quad of another colour each. Each draw as run --draws has it.
 */
static void draws_that_look_the_same_share_a_picture(void **state) {
    char *sample = sample_path("nv117-quad-gbm-20frames.nvcap.xz"), option[600], name[32];
    struct page page = page_of(0, sample, NULL), draws = {.folder = temporary_path(".draws")};
    const char *cleared = NULL;
    unsigned number = 0;
    (void)state;
    snprintf(option, sizeof option, "--draws=%s", draws.folder);
    unlink(draws.folder);
    struct outcome outcome = tool_run("run", option, sample);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    for (const struct json *one = member(page.data, "draws")->child; one; one = one->next) {
        const char *picture = member(one, "picture")->text;
        if (strncmp(member(one, "title")->text, "clear", 5) == 0) {
            assert_string_equal(picture, cleared ? cleared : picture);
            cleared = picture;
            continue;
        }
        snprintf(name, sizeof name, "draw %u", number);
        assert_string_equal(member(one, "title")->text, name);
        snprintf(name, sizeof name, "%04u.png", number++);
        expect_same_file(page.folder, picture, draws.folder, name);
    }
    assert_non_null(cleared);
    assert_int_equal(number, 20);
    page_free(&draws);
    page_free(&page);
    free(sample);
}

static void a_page_is_the_same_however_many_threads_there_are(void **state) {
    char *sample = sample_path("nv117-quad-gbm-20frames.nvcap.xz");
    struct page one = page_of(0, sample, "--jobs=1"), more = page_of(0, sample, "--jobs=4");
    DIR *folder = opendir(one.folder);
    unsigned files = 0;
    (void)state;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)); files++)
        if (entry->d_name[0] != '.')
            expect_same_file(one.folder, entry->d_name, more.folder, entry->d_name);
    closedir(folder);
    assert_true(files > 20);
    page_free(&one);
    page_free(&more);
    free(sample);
}

/* Who writes the target: the clear and the draw; who reads the texture: the draw. */
static void an_address_has_who_writes_and_who_reads_it(void **state) {
    char *sample = sample_path("nv117-quad.nvcap.xz");
    struct page page = page_of(0, sample, NULL);
    const struct json *draws = member(page.data, "draws"), *last = element(draws, length(draws) - 1);
    const char *target = member(element(member(last, "targets"), 0), "address")->text;
    const char *texture = member(element(member(last, "textures"), 0), "address")->text;
    unsigned writes = 0, reads = 0, semaphores = 0;
    (void)state;
    for (const struct json *one = member(page.data, "accesses")->child; one; one = one->next) {
        const char *address = element(one, 0)->text, *mode = element(one, 3)->text, *what = element(one, 4)->text;
        writes += strcmp(address, target) == 0 && strcmp(mode, "w") == 0;
        reads += strcmp(address, texture) == 0 && strcmp(mode, "r") == 0;
        semaphores += strcmp(what, "fence") == 0 || strcmp(what, "semaphore release") == 0;
    }
    assert_int_equal(writes, 2);
    assert_int_equal(reads, 1);
    assert_true(semaphores > 0);
    page_free(&page);
    free(sample);
}

static void words_are_those_of_the_decoder(void **state) {
    char *sample = sample_path("nvc0-clear.nvcap.xz");
    struct page page = page_of(0, sample, NULL);
    struct outcome outcome = tool_run("decode", "--json", sample);
    long lines = 0;
    (void)state;
    expect_status(0, &outcome);
    for (const char *at = outcome.out; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(length(member(page.data, "rows")), lines);
    outcome_free(&outcome);
    page_free(&page);
    free(sample);
}

static void what_is_left_out_is_noted(void **state) {
    char *sample = sample_path("nvc0-clear.nvcap.xz");
    struct page page = page_of(0, sample, "--rows=10");
    (void)state;
    assert_int_equal(length(member(page.data, "rows")), 10);
    assert_non_null(strstr(element(member(page.data, "notes"), 0)->text, "left out: "));
    page_free(&page);
    page = page_of(0, sample, "--submit=2..2");
    for (const struct json *row = member(page.data, "rows")->child; row; row = row->next)
        assert_int_equal(number(element(row, 1)), 2);
    assert_string_equal(element(member(page.data, "notes"), 0)->text, "only submissions 2 to 2");
    page_free(&page);
    page = page_of(0, sample, "--pictures=0");
    assert_null(strstr(page.text, ".png"));
    page_free(&page);
    free(sample);
}

/* A capture whose second word is no command. */
static char *faulting_capture(const char *key, const char *value) {
    static const uint32_t words[] = {0x80000000, 0xc0000000, 0x80000000};
    static struct capture capture;
    capture_begin(&capture, 0xc0, false);
    if (key)
        assert_int_equal(pfifo_stream_writer_text(capture.writer, key, value, NULL), PFIFO_OK);
    capture_submit(&capture, words, 3, NULL);
    capture_submit(&capture, words, 1, NULL);
    return capture_file(&capture);
}

static void a_fault_leads_to_its_word(void **state) {
    char *path = faulting_capture(NULL, NULL);
    struct page page = page_of(1, path, NULL);
    const struct json *fault = element(member(page.data, "faults"), 0);
    (void)state;
    assert_true(number(member(page.data, "faultCount")) > 0);
    assert_string_equal(member(fault, "unit")->text, "PBDMA");
    assert_true(strlen(member(fault, "means")->text) > 0);
    const struct json *row = element(member(page.data, "rows"), number(member(fault, "row")));
    assert_int_equal(strtoul(element(row, 4)->text, NULL, 10), 0xc0000000);
    page_free(&page);
    unlink(path);
    free(path);
}

static void text_of_a_capture_stays_text(void **state) {
    static const char hostile[] = "</script><script>alert(1)</script><!--\"'\\ &";
    char *made = faulting_capture("title", hostile), *path = temporary_path("<b>&\".nvcap");
    (void)state;
    assert_int_equal(rename(made, path), 0);
    struct page page = page_of(1, path, NULL);
    assert_null(strchr(page.text, '<'));
    const struct json *text = NULL;
    for (const struct json *one = member(page.data, "texts")->child; one; one = one->next)
        if (strstr(element(one, 1)->text, "alert"))
            text = one;
    assert_non_null(text);
    assert_non_null(strstr(member(page.data, "capture")->text, "b>&"));
    page_free(&page);
    unlink(path);
    free(path);
    free(made);
}

/* Nothing is fetched from elsewhere, and nothing becomes markup. */
static void the_page_is_whole_and_alone(void **state) {
    static const char *const files[] = {"index.html", "page.css", "page.js"};
    static const char *const forbidden[] = {"http:",          "https:", "innerHTML", "outerHTML", "insertAdjacent",
                                            "document.write", "eval(",  "@import",   "fetch("};
    char *sample = sample_path("nv40-clear.nvcap.xz");
    struct page page = page_of(0, sample, NULL);
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char *text = read_text(page.folder, files[i]);
        for (size_t f = 0; f < sizeof forbidden / sizeof forbidden[0]; f++)
            if (strstr(text, forbidden[f]))
                fail_msg("%s has %s", files[i], forbidden[f]);
        free(text);
    }
    char *text = read_text(page.folder, "index.html");
    assert_non_null(strstr(text, "<script src=\"data.js\">"));
    assert_non_null(strstr(text, "default-src 'none'"));
    free(text);
    page_free(&page);
    free(sample);
}

static void expect_refused(const char *why, const char *const *arguments) {
    struct outcome outcome = tool_run_to(NULL, arguments);
    expect_status(2, &outcome);
    if (!strstr(outcome.err, why))
        fail_msg("no '%s' in %s", why, outcome.err);
    outcome_free(&outcome);
}

static void errors_are_named(void **state) {
    char *sample = sample_path("nv40-clear.nvcap.xz");
    (void)state;
    expect_refused("-o DIR is missing", (const char *const[]){"report", sample, NULL});
    expect_refused("there are no submissions 3..2",
                   (const char *const[]){"report", sample, "-o", "/tmp", "--submit=3..2", NULL});
    expect_refused("--submit takes N or A..B, not '3..'",
                   (const char *const[]){"report", sample, "-o", "/tmp", "--submit=3..", NULL});
    expect_refused("--output takes a folder, not ''", (const char *const[]){"report", sample, "-o", "", NULL});
    expect_refused("/nowhere/a: cannot make a folder: No such file",
                   (const char *const[]){"report", sample, "-o", "/nowhere/a", NULL});
    free(sample);
}

static void data_is_as_the_schema_says(void **state) {
    char *sample = sample_path("nv117-quad.nvcap.xz"), *fault = faulting_capture("title", "<b>"), why[400];
    struct page pages[] = {page_of(0, sample, NULL), page_of(1, fault, NULL)};
    (void)state;
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        const char *text = pages[i].text + sizeof begin - 1;
        if (!json_fits_definition(text, (size_t)(strrchr(text, ';') - text), "report", why, sizeof why))
            fail_msg("%s", why);
        page_free(&pages[i]);
    }
    unlink(fault);
    free(fault);
    free(sample);
}

/* tests/golden/nv40-clear-65x63.report.js */
static void data_is_that_of_before(void **state) {
    char *sample = sample_path("nv40-clear-65x63.nvcap.xz");
    struct page page = page_of(0, sample, NULL);
    (void)state;
    expect_golden("nv40-clear-65x63.report.js",
                  &(const struct outcome){.out = page.text, .out_bytes = strlen(page.text)});
    page_free(&page);
    free(sample);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_draw_has_its_word_its_picture_and_what_changed),
        cmocka_unit_test(a_launch_has_its_grid_its_program_and_its_buffers),
        cmocka_unit_test(a_draw_has_the_programs_of_all_its_stages),
        cmocka_unit_test(draws_that_look_the_same_share_a_picture),
        cmocka_unit_test(a_page_is_the_same_however_many_threads_there_are),
        cmocka_unit_test(an_address_has_who_writes_and_who_reads_it),
        cmocka_unit_test(words_are_those_of_the_decoder),
        cmocka_unit_test(what_is_left_out_is_noted),
        cmocka_unit_test(a_fault_leads_to_its_word),
        cmocka_unit_test(text_of_a_capture_stays_text),
        cmocka_unit_test(the_page_is_whole_and_alone),
        cmocka_unit_test(data_is_as_the_schema_says),
        cmocka_unit_test(data_is_that_of_before),
        cmocka_unit_test(errors_are_named),
    };
    return cmocka_run_group_tests_name("tool_report", tests, NULL, NULL);
}
