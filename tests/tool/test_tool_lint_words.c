/* SPDX-License-Identifier: MIT */
/*
 * words-overwritten of `pfifo lint`: whoever writes, by whatever way, to words that are queued. The words are text for
 * `pfifo asm`, whose capture has them at 0x100000, and its buffers in the pages after them. And what faults of such words,
 * and of methods that lack state, show.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

/* Objects that text before GF100 binds by handles. */
#define OBJECTS                                                                                                        \
    "--object=0xbeef0039=0039", "--object=0xbeef0042=0042", "--object=0xbeef004a=004a", "--object=0xbeef5039=5039"

/* The capture of a text. */
static char *assembled(const char *chip, const char *text) {
    char *path = temporary_path(".txt"), *capture = temporary_path(".nvcap"), option[100];
    bool handles = strstr(text, "0xbeef");

    write_file(path, text, strlen(text));
    snprintf(option, sizeof option, "--chip=%s", chip);
    struct outcome outcome =
        handles ? tool_run("asm", option, OBJECTS, "-o", capture, path) : tool_run("asm", option, "-o", capture, path);
    assert_string_equal(outcome.err, "");
    expect_status(0, &outcome);
    outcome_free(&outcome);
    remove(path);
    free(path);
    return capture;
}

static struct outcome lint_of(const char *chip, const char *text) {
    char *capture = assembled(chip, text);
    struct outcome outcome = tool_run("lint", "--rule=words-*", "--budget=100000", capture);

    remove(capture);
    free(capture);
    return outcome;
}

static void expect_overwritten(const char *chip, const char *text, const char *what, const char *by) {
    struct outcome outcome = lint_of(chip, text);

    if (!strstr(outcome.out, what) || !strstr(outcome.out, by))
        fail_msg("%s: no '%s' and '%s' in: %s", chip, what, by, outcome.out);
    expect_status(1, &outcome);
    outcome_free(&outcome);
}

static void expect_nothing(const char *chip, const char *text) {
    struct outcome outcome = lint_of(chip, text);

    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
}

/* ---- NV4 to NV4x: pushbuffers in DMA mode ---- */

#define NV4_COPY(to, bytes)                                                                                            \
    "bind 2 NV3_M2MF\n"                                                                                                \
    "inc 2 OBJECT 0xbeef0039\n"                                                                                        \
    "inc 2 DMA_NOTIFY 0xbeef0201 0xbeef0202 0xbeef0202\n"                                                              \
    "inc 2 OFFSET_IN @src " to " 16 16 " bytes " 1 0x101 0\n"
#define TWO_REFERENCES                                                                                                 \
    "victim:\n"                                                                                                        \
    "word 00044050 11111111\n"                                                                                         \
    "word 00044050 22222222\n"
#define SOURCE(word) "buffer src 4096\nword " word "\nendbuffer\n"

static const char *const dma_chips[] = {"NV4", "NV5", "NV10", "NV15", "NV1A", "NV20", "NV2A", "NV34", "NV40", "NV44"};

/* Also where CACHE1 has them all before they change, and so nothing goes wrong. */
static void words_that_a_copy_overwrites_are_found_in_dma_mode(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof dma_chips / sizeof dma_chips[0]; i++)
        expect_overwritten(dma_chips[i], NV4_COPY("@victim", "16") TWO_REFERENCES SOURCE("deadbee3"),
                           "overwrites the word 0x00044050 at 0x10003c of submission 1, channel 0, with 0xdeadbee3: it "
                           "is queued, may be prefetched, and is not executed\n",
                           "at 0x100038, buffer 1 + 0x38: subchannel 2, 0x0039 NV3_M2MF, 0x0328 BUF_NOTIFY");
}

static void words_that_stay_the_same_are_not_found(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof dma_chips / sizeof dma_chips[0]; i++)
        expect_nothing(dma_chips[i],
                       NV4_COPY("@victim", "16") TWO_REFERENCES SOURCE("00044050 11111111 00044050 22222222"));
}

/* The first line of the copy has what is there; the second is 16 KiB further. */
static void words_that_change_far_from_others_that_are_written_are_found(void **state) {
    enum { FAR = 0x4000 / 4 };
    static const char head[] = "bind 2 NV3_M2MF\n"
                               "inc 2 OBJECT 0xbeef0039\n"
                               "inc 2 DMA_NOTIFY 0xbeef0201 0xbeef0202 0xbeef0202\n"
                               "inc 2 OFFSET_IN @src @victim 16 0x4000 4 2 0x101 0\n"
                               "victim:\n",
                      word[] = "word 00000000\n", tail[] = SOURCE("00000000 11111111 22222222 33333333 deadbee3");
    char *text = malloc(sizeof head + (FAR + 2) * sizeof word + sizeof tail), *at = text;
    (void)state;
    assert_non_null(text);
    at += sprintf(at, "%s", head);
    for (unsigned i = 0; i < FAR + 2; i++)
        at += sprintf(at, "%s", word);
    sprintf(at, "%s", tail);
    for (size_t i = 0; i < sizeof dma_chips / sizeof dma_chips[0]; i++)
        expect_overwritten(dma_chips[i], text,
                           "overwrites the word 0x00000000 at 0x10403c of submission 1, channel 0, with 0xdeadbee3",
                           "subchannel 2, 0x0039 NV3_M2MF, 0x0328 BUF_NOTIFY");
    free(text);
}

/* Up to the launch, which begins the copy over them. */
static void words_that_are_executed_may_be_overwritten(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof dma_chips / sizeof dma_chips[0]; i++)
        expect_nothing(dma_chips[i], NV4_COPY("0x100000", "16") TWO_REFERENCES SOURCE("deadbee3"));
}

/* The words go to 0x104000 and back, behind the jump. */
#define JUMPS                                                                                                          \
    "word JUMP\n"                                                                                                      \
    "word 00044050 11111111\n" SOURCE("00044050 deadbee3") "buffer sub 4096\n"                                         \
                                                           "word 00044050 33333333 00044050 44444444 BACK\n"           \
                                                           "endbuffer\n"

static char *with_jumps(const char *text, const char *jump, const char *back) {
    char *made = malloc(strlen(text) + 32), *at;
    size_t head;

    assert_non_null(made);
    at = strstr(text, "JUMP");
    head = (size_t)(at - text);
    sprintf(made, "%.*s%s%s", (int)head, text, jump, at + 4);
    at = strstr(made, "BACK");
    memmove(at + strlen(back), at + 4, strlen(at + 4) + 1);
    memcpy(at, back, strlen(back));
    return made;
}

static void words_to_which_a_pushbuffer_jumps_are_queued_too(void **state) {
    (void)state;
    static const struct {
        const char *chip, *jump, *back;
    } cases[] = {{"NV4", "20104000", "20100040"}, {"NV1A", "20104000", "20100040"}, {"NV40", "00104001", "00100041"}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = with_jumps(NV4_COPY("0x104008", "8") JUMPS, cases[i].jump, cases[i].back);
        expect_overwritten(cases[i].chip, text, "overwrites the word 0x44444444 at 0x10400c of submission 1",
                           "at 0x100038, buffer 1 + 0x38");
        free(text);
        /* the word after the jump back */
        text = with_jumps(NV4_COPY("0x100040", "8") JUMPS, cases[i].jump, cases[i].back);
        expect_overwritten(cases[i].chip, text, "overwrites the word 0x11111111 at 0x100044 of submission 1",
                           "at 0x100038, buffer 1 + 0x38");
        free(text);
    }
}

/* A ring is not read beyond PUT, which is after its last word. */
static void words_after_the_end_of_a_ring_are_not_queued(void **state) {
    (void)state;
    expect_nothing("NV40", NV4_COPY("0x100080", "16") "word 00104002\n" SOURCE("deadbee3") "buffer sub 4096\n"
                                                                                           "word 00020000\n"
                                                                                           "endbuffer\n");
}

/* Its words are queued once more each time, which is one finding. */
static void a_pushbuffer_that_loops_is_followed_for_a_while(void **state) {
    (void)state;
    char *text = with_jumps(NV4_COPY("0x104008", "8") JUMPS, "00104001", "0010003d");
    struct outcome outcome = lint_of("NV40", text);

    expect_printed(&outcome, "overwrites the word 0x44444444 at 0x10400c of submission 1");
    assert_null(strstr(outcome.out, "times)"));
    outcome_free(&outcome);
    free(text);
}

static void words_that_a_rectangle_overwrites_are_found(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof dma_chips / sizeof dma_chips[0]; i++)
        expect_overwritten(dma_chips[i],
                           "bind 1 NV4_SURFACE_2D\nbind 2 NV4_GDI\n"
                           "inc 1 OBJECT 0xbeef0042\n"
                           "inc 1 0x184 0xbeef0202 0xbeef0202\n"
                           "inc 1 0x300 10 0x01000100 0 0x100040\n"
                           "inc 2 OBJECT 0xbeef004a\n"
                           "inc 2 0x198 0xbeef0042\n"
                           "inc 2 0x2fc 3 3\n"
                           "inc 2 0x3fc 0xdeadbee3\n"
                           "inc 2 0x400 0x00070000 0x00010001\n"
                           "word 00044050 11111111\n",
                           "overwrites the word 0x11111111 at 0x10005c of submission 1, channel 0, with 0x",
                           "at 0x100054, buffer 1 + 0x54: subchannel 2, 0x004a NV4_GDI");
}

/* ---- G80 and later: rings of segments ---- */

#define REFERENCE "victim:\nword 20010014 11111111\n"

static void words_that_a_copy_overwrites_are_found_in_a_segment(void **state) {
    (void)state;
    static const char *const tesla[] = {"G80", "G84", "GT200", "GT215", "MCP79"}, *const fermi[] = {"GF100", "GF119"};

    for (size_t i = 0; i < sizeof tesla / sizeof tesla[0]; i++)
        expect_overwritten(tesla[i],
                           "bind 2 G80_M2MF\n"
                           "inc 2 OBJECT 0xbeef5039\n"
                           "inc 2 DMA_NOTIFY 0xbeef0201 0xbeef0201 0xbeef0201\n"
                           "inc 2 0x200 1\ninc 2 0x21c 1\ninc 2 0x238 0 0\n"
                           "inc 2 OFFSET_IN @src @victim 16 16 16 1 0x101 0\n" TWO_REFERENCES SOURCE("deadbee3"),
                           "overwrites the word 0x00044050 at 0x100058 of submission 1, channel 0, with 0xdeadbee3",
                           "at 0x100054, buffer 1 + 0x54: subchannel 2, 0x5039 G80_M2MF, 0x0328 BUF_NOTIFY");
    for (size_t i = 0; i < sizeof fermi / sizeof fermi[0]; i++)
        expect_overwritten(fermi[i],
                           "inc 2 SET_OBJECT 0x9039\n"
                           "inc 2 OFFSET_OUT_UPPER 0 @victim\ninc 2 OFFSET_IN_UPPER 0 @src\n"
                           "inc 2 LINE_LENGTH_IN 4 1\ninc 2 LAUNCH_DMA 0x110\n" REFERENCE SOURCE("deadbee3"),
                           "overwrites the word 0x20010014 at 0x100034 of submission 1, channel 0, with 0xdeadbee3",
                           "at 0x100030, buffer 1 + 0x30: subchannel 2, 0x9039");
}

/* Each of these writes a word over the last reference, or its value; 0x100000 + `at` is the word that does it. */
static void words_that_any_engine_overwrites_are_found(void **state) {
    (void)state;
    static const struct {
        const char *chip, *text, *what, *by;
    } cases[] = {
        {"GK104",
         "inc 2 SET_OBJECT 0xa040\ninc 2 LINE_LENGTH_IN 4 1\ninc 2 OFFSET_OUT_UPPER 0 @victim\n"
         "inc 2 LAUNCH_DMA 0x11\ninc 2 LOAD_INLINE_DATA 0xdeadbee3\n" REFERENCE,
         "overwrites the word 0x20010014 at 0x100030", "0x01b4 LOAD_INLINE_DATA"},
        {"GF100", "inc 0 SET_OBJECT FERMI_A\ninc 0 SET_REPORT_SEMAPHORE_A 0 @victim 0xdeadbee3 0x10000000\n" REFERENCE,
         "overwrites the word 0x20010014 at 0x10001c", "0x1b0c SET_REPORT_SEMAPHORE_D"},
        {"GF100",
         "inc 3 SET_OBJECT FERMI_TWOD_A\ninc 3 SET_DST_FORMAT 0xcf 1\ninc 3 SET_DST_PITCH 64 1 1 0 @victim\n"
         "inc 3 0x580 4 0xcf 0xdeadbee3\ninc 3 0x600 0 0 1 1\n" REFERENCE,
         "overwrites the word 0x20010014 at 0x100050", "0x060c RENDER_SOLID_PRIM_POINT_Y(1)"},
        {"GM107", "inc 0 0x10 0 @victim 0xdeadbee3 0x01100002\n" REFERENCE,
         "overwrites the word 0x20010014 at 0x100014", "0x001c SEMAPHORED"},
        {"GK104",
         "inc 4 SET_OBJECT 0xa0b5\ninc 4 OFFSET_IN_UPPER 0 @src 0 @victim 4 4 4 1\ninc 4 LAUNCH_DMA 0x182\n" REFERENCE
             SOURCE("deadbee3"),
         "overwrites the word 0x20010014 at 0x100034", "0x0300 LAUNCH_DMA"},
        /* MOV32I R0, 0xdeadbee3; MOV32I R1, 0x100048; ST [R1], R0; EXIT */
        {"GF100",
         "inc 1 SET_OBJECT FERMI_COMPUTE_A\ninc 1 SET_PROGRAM_REGION_A 0 @code\ninc 1 0x3b4 0\n"
         "inc 1 0x3ac 0x00010001 1\ninc 1 0x238 0x00010001 1\ninc 1 0x2c0 8\ninc 1 0x368 0x1000\n" REFERENCE
         "buffer code 4096\n"
         "word 8c001de2 1b7ab6fb 20005de2 18004001 00101c85 90000000 00001de7 80000000\n"
         "endbuffer\n",
         "overwrites the word 0x11111111 at 0x100048 of submission 1, channel 0, with 0xdeadbee3", "0x0368 LAUNCH"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_overwritten(cases[i].chip, cases[i].text, cases[i].what, cases[i].by);
}

/* ---- what a fault shows ---- */

static void expect_told(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("no '%s' in: %.3000s", part, text);
}

static void a_fault_shows_the_fetched_word_beside_the_recorded_one(void **state) {
    char *capture = assembled("GF100", "inc 2 SET_OBJECT 0x9039\n"
                                       "inc 2 OFFSET_OUT_UPPER 0 @victim\ninc 2 OFFSET_IN_UPPER 0 @src\n"
                                       "inc 2 LINE_LENGTH_IN 4 1\ninc 2 LAUNCH_DMA 0x110\n"
                                       "inc 1 0x100 0\n" REFERENCE SOURCE("deadbee3"));
    struct outcome outcome = tool_run("run", capture);
    (void)state;

    expect_told(outcome.out, "            word 0xdeadbee3 at 0x10003c, buffer 1 + 0x3c\n"
                             "            the capture has 0x20010014 there: it was overwritten before it was fetched");
    outcome_free(&outcome);
    outcome = tool_run("run", "--json", capture);
    expect_told(outcome.out, "\"word\":3735928547,\"buffer\":1,\"offset\":60,\"recorded_word\":536936468,");
    outcome_free(&outcome);
    outcome = tool_run("debug", "-e", "run", "-e", "continue", "-e", "info faults", capture);
    expect_told(outcome.out, "by the word 0xdeadbee3, which the capture does not have there\n");
    expect_told(outcome.out, "   the word was 0xdeadbee3, not 0x20010014 as in the capture");
    outcome_free(&outcome);
    remove(capture);
    free(capture);
}

static void a_fault_of_a_word_that_is_as_recorded_shows_one(void **state) {
    char *capture = assembled("GF100", "word deadbee3\n");
    struct outcome outcome = tool_run("run", capture);
    (void)state;

    expect_told(outcome.out, "            word 0xdeadbee3 at 0x100000, buffer 1 + 0x0\n");
    assert_null(strstr(outcome.out, "overwritten"));
    outcome_free(&outcome);
    outcome = tool_run("run", "--json", capture);
    assert_null(strstr(outcome.out, "recorded_word"));
    outcome_free(&outcome);
    remove(capture);
    free(capture);
}

/* On all chips with NSOURCE, in the summary, its JSON and the trace. */
static void a_method_without_its_state_says_which(void **state) {
    (void)state;
    static const struct {
        const char *text, *needs, *json, *trace;
    } cases[] = {
        {"bind 2 NV3_M2MF\ninc 2 OBJECT 0xbeef0039\ninc 2 0x184 0xbeef0202 0xbeef0202\n"
         "inc 2 OFFSET_IN 0x101000 0x101800 16 16 16 1 0x101 0\n",
         "PGRAPH STATE_INVALID, first in ", "\"missing_method\":384,\"missing_name\":\"DMA_NOTIFY\",",
         "state=0x0180:DMA_NOTIFY why=\"no DMA object\""},
        {"bind 2 NV3_M2MF\ninc 2 OBJECT 0xbeef0039\n"
         "inc 2 OFFSET_IN 0x101000 0x101800 16 16 16 1 0x101 0\n",
         "            it needs 0x0180 DMA_NOTIFY: no DMA object; and 2 more, which --trace=engine.missing shows\n",
         "\"missing_count\":3,", "state=0x0188:DMA_BUFFER_OUT why=\"no DMA object\""},
        {"bind 2 NV3_M2MF\ninc 2 OBJECT 0xbeef0039\ninc 2 0x180 0xbeef0201 0xbeef0202 0xbeef0202\n"
         "inc 2 OFFSET_OUT 0x101800 16 16 16 1 0x101 0\n",
         "            it needs 0x030c OFFSET_IN: never set\n", "\"missing_why\":\"never set\"",
         "state=0x030c:OFFSET_IN why=\"never set\""},
        {"bind 2 NV4_GDI\ninc 2 OBJECT 0xbeef004a\ninc 2 0x2fc 3 3\ninc 2 0x400 0x00070000 0x00010001\n",
         "            it needs 0x0198 SURFACE: nothing is bound\n", "\"missing_method\":408,",
         "state=0x0198:SURFACE why=\"nothing is bound\""},
    };
    static const char *const chips[] = {"NV5", "NV10", "NV2A", "NV34", "NV40"};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t c = 0; c < sizeof chips / sizeof chips[0]; c++) {
            char *capture = assembled(chips[c], cases[i].text);
            struct outcome outcome = tool_run("run", "--trace=engine.missing", capture);
            expect_told(outcome.out, cases[i].needs);
            expect_told(outcome.out, cases[i].trace);
            outcome_free(&outcome);
            outcome = tool_run("run", "--json", capture);
            expect_told(outcome.out, cases[i].json);
            outcome_free(&outcome);
            remove(capture);
            free(capture);
        }
}

/* Each piece of it; twice the same is one finding. */
static void lint_names_the_state_that_a_refused_method_needs(void **state) {
    char *capture = assembled("NV34", "bind 2 NV3_M2MF\ninc 2 OBJECT 0xbeef0039\ninc 2 0x184 0xbeef0202\n"
                                      "inc 2 OFFSET_IN 0x101000 0x101800 16 16 16 1 0x101 0\n"
                                      "inc 2 OFFSET_IN 0x101000 0x101800 16 16 16 1 0x101 0\n");
    struct outcome outcome = tool_run("lint", "--rule=state-missing", capture);
    (void)state;

    expect_status(1, &outcome);
    expect_told(outcome.out, ": error: state-missing\n"
                             "    STATE_INVALID: the method needs state that is not there (2 times)\n"
                             "    at 0x100030, buffer 1 + 0x30: subchannel 2, 0x0039 NV3_M2MF, 0x0328 BUF_NOTIFY, "
                             "data 0x00000000\n"
                             "    it needs 0x0180 DMA_NOTIFY: no DMA object\n");
    expect_told(outcome.out, "    it needs 0x0188 DMA_BUFFER_OUT: no DMA object\n");
    assert_null(strstr(outcome.out, "0x0184"));
    outcome_free(&outcome);
    outcome = tool_run("lint", "--rule=state-missing", "--json", capture);
    expect_told(outcome.out, "\"missing_method\":392,\"missing_name\":\"DMA_BUFFER_OUT\","
                             "\"missing_why\":\"no DMA object\",\"missing_count\":1,\"count\":2,"
                             "\"text\":\"STATE_INVALID: the method needs state that is not there\"}\n");
    outcome_free(&outcome);
    remove(capture);
    free(capture);
}

/* An error of a method that has all its state is a fault, and no finding. */
static void lint_finds_no_state_missing_where_a_value_is_refused(void **state) {
    char *capture = assembled("NV40", "bind 2 NV4_GDI\ninc 2 OBJECT 0xbeef004a\ninc 2 0x2fc 9\n");
    struct outcome outcome = tool_run("lint", capture);
    (void)state;

    expect_status(1, &outcome);
    assert_null(strstr(outcome.out, "state-missing"));
    expect_told(outcome.err, "1 fault: pfifo run says which\n");
    outcome_free(&outcome);
    remove(capture);
    free(capture);
}

/* The trace, the summary and its JSON; the trace alone has the finer name, too. */
static void the_trace_calls_an_error_what_the_summary_calls_it(void **state) {
    static const struct {
        const char *chip, *text, *trace, *summary, *json;
    } cases[] = {
        {"NV2A",
         "bind 2 NV3_M2MF\ninc 2 OBJECT 0xbeef0039\ninc 2 0x180 0xbeef0201 0xbeef0202 0xbeef0202\ninc 2 0x328 0\n",
         "error=METHOD_CNT detail=MISSING_METHOD", "PGRAPH METHOD_CNT, first in ", "\"error\":\"METHOD_CNT\""},
        {"NV40", "bind 2 NV4_GDI\ninc 2 OBJECT 0xbeef004a\ninc 2 0x2fc 9\n", "error=DATA_ERROR detail=INVALID_VALUE",
         "PGRAPH DATA_ERROR, first in ", "\"error\":\"DATA_ERROR\""},
        {"GF100", "inc 2 SET_OBJECT 0x9097\ninc 2 0x3804 1\n", "error=TRAP_MACRO detail=MACRO_TOO_MANY_PARAMETERS",
         "PGRAPH TRAP_MACRO, first in ", "\"error\":\"TRAP_MACRO\""},
        {"GF100", "word deadbee3\n", "error=PBENTRY detail=\"invalid word\"", "PBDMA PBENTRY, first in ",
         "\"error\":\"PBENTRY\""},
        {"GF100", "inc 0 0x40 1\n", "error=METHOD detail=\"no such method\"", "PBDMA METHOD, first in ",
         "\"error\":\"METHOD\""},
        {"NV34", "bind 2 NV3_M2MF\ninc 2 OBJECT 0xbeef0039\ninc 2 0x180 0x1234\n", "error=HASH_FAILED detail=\"\"",
         "CACHE_ERROR HASH_FAILED, first in ", "\"error\":\"HASH_FAILED\""},
        {"NV34",
         "bind 2 NV3_M2MF\ninc 2 OBJECT 0xbeef0039\ninc 2 0x180 0xbeef0201 0xbeef0202 0xbeef0202\n"
         "inc 2 OFFSET_IN 0xffff0000 0x101800 16 16 16 1 0x101 0\n",
         "reason=DMA_R_PROTECTION detail=", "PGRAPH DMA_R_PROTECTION, first in ", "\"error\":\"DMA_R_PROTECTION\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *capture = assembled(cases[i].chip, cases[i].text);
        struct outcome outcome = tool_run("run", "--trace=*.error,engine.fault", capture);
        expect_told(outcome.out, cases[i].trace);
        expect_told(outcome.out, cases[i].summary);
        outcome_free(&outcome);
        outcome = tool_run("run", "--json", capture);
        expect_told(outcome.out, cases[i].json);
        outcome_free(&outcome);
        remove(capture);
        free(capture);
    }
}

static void a_refused_value_needs_no_state(void **state) {
    char *capture = assembled("NV40", "bind 2 NV4_GDI\ninc 2 OBJECT 0xbeef004a\ninc 2 0x2fc 9\n");
    struct outcome outcome = tool_run("run", "--json", capture);
    (void)state;

    expect_told(outcome.out, "\"error\":\"DATA_ERROR\"");
    assert_null(strstr(outcome.out, "missing"));
    outcome_free(&outcome);
    remove(capture);
    free(capture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_that_a_copy_overwrites_are_found_in_dma_mode),
        cmocka_unit_test(words_that_stay_the_same_are_not_found),
        cmocka_unit_test(words_that_change_far_from_others_that_are_written_are_found),
        cmocka_unit_test(words_that_are_executed_may_be_overwritten),
        cmocka_unit_test(words_to_which_a_pushbuffer_jumps_are_queued_too),
        cmocka_unit_test(words_after_the_end_of_a_ring_are_not_queued),
        cmocka_unit_test(a_pushbuffer_that_loops_is_followed_for_a_while),
        cmocka_unit_test(words_that_a_rectangle_overwrites_are_found),
        cmocka_unit_test(words_that_a_copy_overwrites_are_found_in_a_segment),
        cmocka_unit_test(words_that_any_engine_overwrites_are_found),
        cmocka_unit_test(a_fault_shows_the_fetched_word_beside_the_recorded_one),
        cmocka_unit_test(a_fault_of_a_word_that_is_as_recorded_shows_one),
        cmocka_unit_test(a_method_without_its_state_says_which),
        cmocka_unit_test(lint_names_the_state_that_a_refused_method_needs),
        cmocka_unit_test(lint_finds_no_state_missing_where_a_value_is_refused),
        cmocka_unit_test(the_trace_calls_an_error_what_the_summary_calls_it),
        cmocka_unit_test(a_refused_value_needs_no_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
