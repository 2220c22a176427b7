/* SPDX-License-Identifier: MIT */
/*
 * `pfifo explain`: what a person asks about. tests/golden/explain.txt has whole answers; scripts/refresh-golden writes
 * it anew (PFIFO_REFRESH_GOLDEN).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/classes.h>
#include <pfifo/registers.h>

#include "face/tool/explain/explain.h"
#include "tool/json.h"
#include "tool/tool.h"

static void expect_in(const char *where, const char *text) {
    if (!strstr(where, text))
        fail_msg("no '%s' in: %.3000s", text, where);
}

#define EXPECT_OUT(text, ...)     expect_out(text, (const char *const[]){"explain", __VA_ARGS__, NULL})
#define EXPECT_UNKNOWN(text, ...) expect_unknown(text, (const char *const[]){"explain", __VA_ARGS__, NULL})

static void expect_out(const char *text, const char *const *arguments) {
    struct outcome outcome = tool_run_to(NULL, arguments);

    expect_status(0, &outcome);
    expect_in(outcome.out, text);
    outcome_free(&outcome);
}

static void expect_unknown(const char *text, const char *const *arguments) {
    struct outcome outcome = tool_run_to(NULL, arguments);

    expect_status(2, &outcome);
    assert_string_equal(outcome.out, "");
    expect_in(outcome.err, text);
    outcome_free(&outcome);
}

static void whole_answers_are_as_they_were(void **state) {
    (void)state;
    struct outcome outcome =
        tool_run("explain", "--chip=GF100", "FERMI_A", "FERMI_A.CLEAR_SURFACE=0x3c", "SET_COLOR_TARGET_A(3)",
                 "9097.0x19d0", "CLEAR_SURFACE.R_ENABLE=TRUE", "PBDMA.PBENTRY", "DATA_ERROR=0xc", "PFIFO.INTR=0x10000",
                 "0x002140", "puller.acquire", "0x20018000", "80000042", "MRT_SELECT", "PRAMIN");
    expect_status(0, &outcome);
    expect_golden("explain.txt", &outcome);
    outcome_free(&outcome);
}

static void words_of_the_field(void **state) {
    static const char *const names[] = {"CACHE0",  "CACHE1", "RAMHT",      "RAMFC",       "RAMRO",
                                        "PFIFO",   "PBDMA",  "GPFIFO",     "pusher",      "PULLER",
                                        "runlist", "TSG",    "subchannel", "context DMA", "PTE"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct outcome outcome = tool_run("explain", names[i]);
        expect_status(0, &outcome);
        if (strncmp(outcome.out, "term ", 5) != 0)
            fail_msg("%s: %s", names[i], outcome.out);
        expect_in(outcome.out, "\n  source     docs/glossary.md; ");
        outcome_free(&outcome);
    }
    EXPECT_OUT("term CACHE0, CACHE1\n  means      the queues of methods between pusher and puller, before GF100. ",
               "cache1");
    EXPECT_OUT("\"is\":\"term\",\"title\":\"term TSG\",\"means\":\"time slice group: ", "--json", "TSG");
    /* Other readings stay. */
    EXPECT_OUT("\nregister PFIFO.RAMHT\n", "RAMHT");
    EXPECT_OUT("\nfield PFIFO of registers\n", "PFIFO");
    EXPECT_UNKNOWN("did you mean 'runlist'?", "runlits");
    EXPECT_UNKNOWN("'bulk path': the line names no error", "bulk path"); /* which is our own */
}

static void a_method_by_each_of_its_names(void **state) {
    (void)state;
    EXPECT_OUT("method FERMI_A.SET_COLOR_TARGET_A(3)\n", "9097.SET_COLOR_TARGET_A(3)");
    EXPECT_OUT("method FERMI_A.SET_COLOR_TARGET_A(3)\n", "fermi_a.rt_address_high(3)");
    EXPECT_OUT("method FERMI_A.SET_COLOR_TARGET_A(3)\n", "GF100_3D.0x8c0");
    EXPECT_OUT("element 3 of 8, one every 0x40 bytes from 0x0800 on", "9097.0x8c0");
    EXPECT_OUT("a097 KEPLER_A", "FERMI_A.CLEAR_SURFACE");
    EXPECT_OUT("chips      GF100 to GH100", "FERMI_A.CLEAR_SURFACE");
}

static void a_method_of_the_front_end_names_its_events(void **state) {
    (void)state;
    EXPECT_OUT("  events     puller.acquire, puller.release\n", "906f.SEMAPHORED");
    EXPECT_OUT("  events     puller.bind\n", "NV40_CHANNEL_DMA.0");
    EXPECT_OUT("  events     puller.host\n", "906f.NON_STALL_INTERRUPT");
}

static void a_method_without_a_class_is_told_for_each_place(void **state) {
    (void)state;
    struct outcome outcome = tool_run("explain", "NOTIFY");
    expect_status(0, &outcome);
    expect_in(outcome.out, "  offset     0x0104\n");
    expect_in(outcome.out, "  offset     0x010c\n");
    outcome_free(&outcome);
    outcome = tool_run("explain", "--chip=GF100", "NOTIFY");
    expect_status(0, &outcome);
    assert_null(strstr(outcome.out, "  offset     0x0104\n"));
    outcome_free(&outcome);
}

static void structures_and_chips_have_a_reading(void **state) {
    (void)state;
    EXPECT_OUT("structure GF100_CHANNEL_GPFIFO.@GP_ENTRY1 in memory\n", "906f.@GP_ENTRY1");
    EXPECT_OUT("LENGTH bits 30:10", "906f.@GP_ENTRY1");
    EXPECT_OUT("chip GF100\n  generation Fermi\n", "gf100");
    EXPECT_UNKNOWN("did you mean 'GF100'?", "GF1000");
}

static void data_and_values_are_told_in_words(void **state) {
    (void)state;
    EXPECT_OUT("R_ENABLE=TRUE G_ENABLE=TRUE", "CLEAR_SURFACE=0x3c");
    EXPECT_OUT("  word       0x00000004\n", "CLEAR_SURFACE.R_ENABLE=true");
    EXPECT_OUT("  name       OGL_LESS\n", "FERMI_A.SET_DEPTH_FUNC=OGL_LESS");
    EXPECT_OUT("0xcf A8R8G8B8", "FERMI_A.SET_COLOR_TARGET_FORMAT.V");
    EXPECT_OUT("  says       CHSW_ERROR\n", "-cGF100", "PFIFO.INTR=0x10000");
}

static void a_word_says_form_count_subchannel_and_method(void **state) {
    (void)state;
    struct outcome outcome = tool_run("explain", "--chip=GF100", "0x20018000");
    expect_status(0, &outcome);
    expect_in(outcome.out, "  form       increasing: ");
    expect_in(outcome.out,
              "  count      1\n  subchannel 4\n  method     0x0000\n  names      GF100_CHANNEL_GPFIFO.SET_OBJECT\n");
    outcome_free(&outcome);
    EXPECT_OUT("  form       old-jump: a jump within the first 512 MiB\n  target     0x18000\n", "-cNV40", "20018000");
    EXPECT_OUT("in a segment of an IB of G84\n  form       long-non-increasing", "-cG84", "0x00032104");
    EXPECT_OUT("no command has this form", "-cGF100", "0x00002100");
}

static void errors_by_name_by_number_and_by_unit(void **state) {
    (void)state;
    EXPECT_OUT("error PGRAPH INVALID_BITFIELD\n", "DATA_ERROR=0xc");
    EXPECT_OUT("error PBDMA PBENTRY\n", "PBDMA_INTR_0=0x40000");
    EXPECT_OUT("CACHE1_DMA_STATE 0x4 INVALID_CMD (NV4:GF100)", "DMA_PUSHER");
    EXPECT_OUT("error PGRAPH TRAP_M2MF\n", "trap_m2mf");
    EXPECT_OUT("error MMU PAGE_NOT_PRESENT\n", "-cG84", "MMU.PAGE_NOT_PRESENT");
    EXPECT_OUT("error PGRAPH STACK_ERROR\n", "STACK_ERROR");
    EXPECT_OUT("field RUNLIST_EVENT of registers\n  of         PFIFO.INTR.RUNLIST_EVENT\n", "-cGF100", "RUNLIST_EVENT");
    EXPECT_UNKNOWN("GF100 has no 'CALL_SUBR_ACTIVE'; other chips have it", "-cGF100", "CALL_SUBR_ACTIVE");
}

static void each_event_and_its_fields_have_words(void **state) {
    enum { EVENTS = 128, NAME = 80 };
    static char names[EVENTS][NAME];
    const char *arguments[EVENTS + 2] = {"explain"};
    struct outcome events = tool_run("events");
    size_t count = 0;

    (void)state;
    expect_status(0, &events);
    for (char *line = strtok(events.out, "\n"); line; line = strtok(NULL, "\n"), count++) {
        assert_in_range(count, 0, EVENTS - 1);
        assert_int_equal(sscanf(line, "%79s", names[count]), 1);
        arguments[1 + count] = names[count];
    }
    struct outcome outcome = tool_run_to(NULL, arguments);
    expect_status(0, &outcome);
    for (size_t i = 0; i < count; i++) {
        char *title;
        assert_true(asprintf(&title, "event %s\n", names[i]) > 0);
        expect_in(outcome.out, title);
        free(title);
    }
    const char *empty = strstr(outcome.out, "means      \n");
    if (!empty)
        empty = strstr(outcome.out, ": \n");
    if (empty)
        fail_msg("no words: %.300s", empty - outcome.out > 200 ? empty - 200 : outcome.out);
    outcome_free(&outcome);
    outcome_free(&events);
}

static void a_wrong_name_suggests_the_nearest(void **state) {
    (void)state;
    EXPECT_UNKNOWN("nothing called 'CLAER_SURFACE'; did you mean 'CLEAR_SURFACE'?", "CLAER_SURFACE");
    EXPECT_UNKNOWN("did you mean 'FERMI_B.CLEAR_SURFACE'?", "FERMI_B.CLAER_SURFACE");
    EXPECT_UNKNOWN("did you mean 'CLEAR_SURFACE.R_ENABLE'?", "CLEAR_SURFACE.R_ENABEL");
    EXPECT_UNKNOWN("did you mean 'CLEAR_SURFACE.R_ENABLE=TRUE'?", "CLEAR_SURFACE.R_ENABLE=TURE");
    EXPECT_UNKNOWN("did you mean 'FERMI_A.CLEAR_SURFACE'?", "FREMI_A.CLEAR_SURFACE");
    EXPECT_UNKNOWN("did you mean 'puller.method'?", "puller.metod");
    EXPECT_UNKNOWN("did you mean 'PBDMA.PBENTRY'?", "PBDMA.PBENTYR");
    EXPECT_UNKNOWN("did you mean 'PFIFO.INTR'?", "-cG80", "PFIFO.INTX");
    EXPECT_UNKNOWN("G84 has no 'NV40_3D'; other chips have it", "-cG84", "NV40_3D");
    EXPECT_UNKNOWN("GF100 has nothing called 'nonsense'", "-cGF100", "nonsense");
    EXPECT_UNKNOWN("'CACHE1_CTX[99]': PFIFO.CACHE1_CTX has 8 elements", "CACHE1_CTX[99]");
    EXPECT_UNKNOWN("'PFIFO.INTR=zz': 'zz' is neither a number nor the name of a value there", "PFIFO.INTR=zz");
    EXPECT_UNKNOWN("'zz' is neither a number nor the name of a value there", "FERMI_A.CLEAR_SURFACE=zz");
    EXPECT_UNKNOWN("'zz' is neither a number nor the name of a value there", "CLEAR_SURFACE.R_ENABLE=zz");
    EXPECT_UNKNOWN("there is nothing called 'QQQQQ.WWWWW=zz'", "QQQQQ.WWWWW=zz");
    EXPECT_UNKNOWN("explain takes a name, not a glob", "SET_*");
    EXPECT_UNKNOWN("with --chip=CHIP it may be a register or a word", "0x2100");
}

static void what_cannot_be_a_name_is_refused(void **state) {
    (void)state;
    static const char *const things[] = {"",
                                         ".",
                                         "=",
                                         "..",
                                         "a.b.c.d",
                                         "NOTIFY=",
                                         "9097.1",
                                         "%n%s%n",
                                         "9097.0xffffffffff",
                                         "[",
                                         "X[",
                                         "CACHE1_CTX[99999999999]",
                                         "\x01\xff",
                                         "0xffffffffffffffffff",
                                         "PFIFO.INTR=",
                                         "9097.=1",
                                         "FERMI_A="};
    char longest[5000];

    for (size_t i = 0; i < sizeof things / sizeof things[0]; i++)
        EXPECT_UNKNOWN("pfifo: ", "--", things[i]);
    memset(longest, 'A', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    EXPECT_UNKNOWN("pfifo: ", longest);
    EXPECT_UNKNOWN("is missing", "--json");
    /* What is known is said before. */
    struct outcome outcome = tool_run("explain", "NO.SUCH.THING", "puller.bind");
    expect_status(2, &outcome);
    expect_in(outcome.out, "event puller.bind\n");
    outcome_free(&outcome);
}

static void json_has_an_object_for_each_meaning(void **state) {
    (void)state;
    struct outcome outcome = tool_run("explain", "--json", "--chip=GF100", "FERMI_A", "FERMI_A.CLEAR_SURFACE",
                                      "CLEAR_SURFACE.R_ENABLE", "CLEAR_SURFACE.R_ENABLE=TRUE", "PFIFO.INTR", "PRAMIN",
                                      "PBENTRY", "PBDMA", "puller.bind", "0x20018000");
    static const char *const kinds[] = {"class", "method", "field",  "value", "register", "window",
                                        "error", "term",   "errors", "event", "word"};
    const char *at = outcome.out, *end;

    expect_status(0, &outcome);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++, at = end + 1) {
        char is[32];
        end = strchr(at, '\n');
        assert_non_null(end);
        struct json *line = json_parse(at, (size_t)(end - at));
        if (!line)
            fail_msg("not JSON: %.*s", (int)(end - at), at);
        json_free(line);
        snprintf(is, sizeof is, "\"is\":\"%s\"", kinds[i]);
        expect_in(at, is);
    }
    assert_string_equal(at, "");
    outcome_free(&outcome);
}

enum { MOST_NAMES = 4096, NAME_BYTES = 96 };

/* Sorted names of registers, words of windows and windows. */
struct names {
    char name[MOST_NAMES][NAME_BYTES];
    size_t count;
};

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

static void add_name(struct names *names, const char *unit, const char *name) {
    assert_true(names->count < MOST_NAMES);
    snprintf(names->name[names->count++], NAME_BYTES, "%s.%s", unit, name);
}

/* Names that are there once are kept. */
static void add_names(struct names *names, const struct pfifo_chip *chip) {
    struct pfifo_registers *tables = pfifo_registers_new(chip, NULL);
    struct pfifo_register reg;
    struct pfifo_window window;
    size_t kept = 0;

    assert_non_null(tables);
    for (size_t i = 0; pfifo_registers_at(tables, i, &reg); i++)
        add_name(names, reg.unit, reg.name);
    for (size_t w = 0; pfifo_registers_window(tables, w, &window); w++) {
        add_name(names, "", window.name);
        for (size_t i = 0; pfifo_registers_window_word(tables, w, i, &reg); i++)
            add_name(names, reg.unit, reg.name);
    }
    qsort(names->name, names->count, NAME_BYTES, by_name);
    for (size_t i = 0; i < names->count; i++)
        if (!kept || strcmp(names->name[kept - 1], names->name[i]) != 0)
            memmove(names->name[kept++], names->name[i], NAME_BYTES);
    names->count = kept;
    pfifo_registers_free(tables);
}

/* Else explain would not know a register that only others have. */
static void some_chips_have_all_names_of_registers(void **state) {
    static struct names some, all;
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++)
        if (explain_covers(i))
            add_names(&some, pfifo_chip_at(i));
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        all.count = 0;
        add_names(&all, pfifo_chip_at(i));
        for (size_t j = 0; j < all.count; j++)
            if (!bsearch(all.name[j], some.name, some.count, NAME_BYTES, by_name))
                fail_msg("%s has %s: src/face/tool/explain/cover.c lacks it", pfifo_chip_info(pfifo_chip_at(i)).name,
                         all.name[j]);
    }
}

/* So a thing that begins with a class needs no tables of registers. */
static void no_unit_of_registers_is_called_like_a_class(void **state) {
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        struct pfifo_registers *tables = pfifo_registers_new(pfifo_chip_at(i), NULL);
        struct pfifo_register reg;
        const char *unit = "";
        assert_non_null(tables);
        for (size_t row = 0; pfifo_registers_at(tables, row, &reg); row++)
            if (strcmp(reg.unit, unit) != 0) {
                unit = reg.unit;
                assert_null(pfifo_class_by_name(unit));
            }
        pfifo_registers_free(tables);
    }
}

static void the_pushers_state_has_a_method_in_bytes_and_an_error_by_name(void **state) {
    (void)state;
    EXPECT_OUT("METHOD=0x860", "CACHE1_DMA_STATE=0x80004861");
    EXPECT_OUT("ERROR=4 (INVALID_CMD)", "CACHE1_DMA_STATE=0x80004861");
    EXPECT_OUT("error DMA_PUSHER INVALID_CMD", "CACHE1_DMA_STATE=0x80004861");
    EXPECT_OUT("error DMA_PUSHER INVALID_CMD", "CACHE1_DMA_STATE=4");
}

/* As people have them from dmesg. */
static void a_line_of_the_log_is_explained(void **state) {
    static const char data_error[] =
        "nouveau 0000:01:00.0: gr: DATA_ERROR 0000000d [INVALID_BITFIELD] ch 3 [007fd51000 "
        "x[1]] subc 0 class 9097 mthd 19d0 data 0000003c";
    static const char nothing[] = "class mthd data [ ] [[ ]] class zz mthd 0x data 111111111111111111111 [\033[31m";
    (void)state;
    EXPECT_OUT("BEGIN_END_ACTIVE (PGRAPH)", data_error); /* the number counts, not what the line calls it */
    EXPECT_OUT("  method     FERMI_A.CLEAR_SURFACE (0x19d0)\n", data_error);
    EXPECT_OUT("  data       0x0000003c: ", data_error);
    EXPECT_OUT("CTXSW_TIMEOUT (SCHED_ERROR)", "fifo: SCHED_ERROR 0a [CTXSW_TIMEOUT]");
    EXPECT_OUT("error SCHED_ERROR CTXSW_TIMEOUT\n", "CTXSW_TIMEOUT");
    EXPECT_OUT("PAGE_NOT_PRESENT (MMU)", "fifo: read fault at 0000000000 engine 00 [GR] client 0c [GPC0/PE_0] "
                                         "reason 02 [PAGE_NOT_PRESENT] on channel 5");
    EXPECT_OUT("method     GF100_CHANNEL_GPFIFO.",
               "fifo: PBDMA0: 00040000 [PBENTRY] ch 2 subc 0 mthd 0000 data 00000000");
    EXPECT_OUT("has no method 0xfffc", "gr: ILLEGAL_MTHD ch 3 [x] subc 3 class a0c0 mthd fffc data 00000001");
    EXPECT_UNKNOWN("names no error, class or method", nothing);
}

/* A piece of a line, as people quote it, of which nothing says whose it is. */
static void a_number_without_a_name_is_said_to_be_one(void **state) {
    (void)state;
    EXPECT_OUT("error DATA_ERROR 0x9c\n  means      a number without a name\n",
               "...mthd 0d78 ... DATA_ERROR 0000009c []");
    EXPECT_OUT("error DATA_ERROR 0x9c\n  means      a number without a name\n", "DATA_ERROR=0x9c");
    EXPECT_OUT("error PGRAPH BEGIN_END_ACTIVE\n", "... DATA_ERROR 0000000d [INVALID_BITFIELD]");
    EXPECT_OUT("error PGRAPH ILLEGAL_MTHD\n", "... DATA_ERROR 0000009c [] ILLEGAL_MTHD");
}

static void drivers_names_of_classes_are_the_chips(void **state) {
    (void)state;
    EXPECT_OUT("class 0x9097 FERMI_A\n", "NVC0_3D");
    EXPECT_OUT("class 0xa097 KEPLER_A\n", "nve4_3d");
    EXPECT_OUT("class 0x5097 ", "NV50_3D");
    EXPECT_OUT("method FERMI_A.CLEAR_SURFACE\n", "NVC0_3D.CLEAR_BUFFERS");
    EXPECT_UNKNOWN("there is nothing called", "NVC0_4D");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pushers_state_has_a_method_in_bytes_and_an_error_by_name),
        cmocka_unit_test(a_line_of_the_log_is_explained),
        cmocka_unit_test(a_number_without_a_name_is_said_to_be_one),
        cmocka_unit_test(drivers_names_of_classes_are_the_chips),
        cmocka_unit_test(whole_answers_are_as_they_were),
        cmocka_unit_test(words_of_the_field),
        cmocka_unit_test(a_method_by_each_of_its_names),
        cmocka_unit_test(a_method_of_the_front_end_names_its_events),
        cmocka_unit_test(a_method_without_a_class_is_told_for_each_place),
        cmocka_unit_test(structures_and_chips_have_a_reading),
        cmocka_unit_test(data_and_values_are_told_in_words),
        cmocka_unit_test(a_word_says_form_count_subchannel_and_method),
        cmocka_unit_test(errors_by_name_by_number_and_by_unit),
        cmocka_unit_test(each_event_and_its_fields_have_words),
        cmocka_unit_test(a_wrong_name_suggests_the_nearest),
        cmocka_unit_test(what_cannot_be_a_name_is_refused),
        cmocka_unit_test(json_has_an_object_for_each_meaning),
        cmocka_unit_test(some_chips_have_all_names_of_registers),
        cmocka_unit_test(no_unit_of_registers_is_called_like_a_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
