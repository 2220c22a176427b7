/* SPDX-License-Identifier: MIT */
/*
 * Logs of kernels, as people bring them to `pfifo explain`: each form of a line by itself, then whole answers of the
 * tool.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "face/tool/explain/log/log.h"
#include "tool/log_lines.h"
#include "tool/tool.h"

enum { LINES = sizeof log_test_lines / sizeof log_test_lines[0], FORMS = 512 };

static const struct log_form *form_of(const char *text) {
    static struct log_line line; /* a match points into it */
    struct log_match match = {0};

    if (!log_line_read(&line, text, strlen(text)))
        fail_msg("no line of a driver: %s", text);
    return log_match_line(&match, &line) ? match.form : NULL;
}

/* ---- forms ---- */

static void each_line_of_the_drivers_means_what_it_should(void **state) {
    (void)state;
    for (size_t i = 0; i < LINES; i++) {
        const struct log_form *form = form_of(log_test_lines[i].line);
        if (!form)
            fail_msg("of no form: %s", log_test_lines[i].line);
        if (log_test_lines[i].means ? !form->means || !strstr(form->means, log_test_lines[i].means)
                                    : form->means != NULL)
            fail_msg("%s: %s (%s)", log_test_lines[i].line, form->means ? form->means : "NULL", form->pattern);
    }
}

static void each_form_has_a_line(void **state) {
    static const struct log_forms *const tables[] = {&log_nouveau, &log_nvrm, &log_nvgpu};
    const struct log_form *found[LINES];
    (void)state;

    for (size_t i = 0; i < LINES; i++)
        found[i] = form_of(log_test_lines[i].line);
    for (size_t t = 0; t < 3; t++)
        for (size_t f = 0; f < tables[t]->count; f++) {
            const struct log_form *form = &tables[t]->rows[f];
            size_t i = 0;
            while (i < LINES && found[i] != form)
                i++;
            if (i == LINES)
                fail_msg("no line is of the form '%s'", form->pattern);
        }
}

/* A form's table of errors is one that there is. */
static void each_form_names_errors_that_there_are(void **state) {
    static const struct log_forms *const tables[] = {&log_nouveau, &log_nvrm, &log_nvgpu};
    struct pfifo_error_code code;
    (void)state;

    for (size_t t = 0; t < 3; t++)
        for (size_t f = 0; f < tables[t]->count; f++) {
            const struct log_form *form = &tables[t]->rows[f];
            bool found = !form->set_unit;
            for (size_t i = 0; !found && pfifo_error_code_at(i, &code); i++)
                found =
                    strcmp(code.unit, form->set_unit) == 0 && (!form->set_of || strcmp(code.where, form->set_of) == 0);
            if (!found)
                fail_msg("'%s': there are no errors %s %s", form->pattern, form->set_unit,
                         form->set_of ? form->set_of : "");
        }
}

static void what_stands_before_a_line_is_left_out(void **state) {
    static const char *const before[] = {"", "[ 7175.736804] ", "Jun 15 16:26:50 host kernel: [ 7175.736804] ",
                                         "<3>[    1.000000] ", "kernel: "};
    struct log_line line = {0};
    char text[256];
    (void)state;

    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        snprintf(text, sizeof text, "%snouveau 0000:01:00.0: gr: TRAP ch 8 [a]\r", before[i]);
        assert_true(log_line_read(&line, text, strlen(text)));
        assert_string_equal(line.message, "TRAP ch 8 [a] ");
        assert_string_equal(line.device, "0000:01:00.0");
        assert_string_equal(line.unit, "gr");
    }
}

static void a_line_of_something_else_is_none(void **state) {
    static const char *const others[] = {"",
                                         " ",
                                         "usb 1-1: new device",
                                         "xnouveau 0000:01:00.0: gr: TRAP ch 8",
                                         "gr:TRAP",
                                         "nouveau",
                                         "nouveau E[",
                                         "nouveau [drm]",
                                         "METHOD PBENTRY [PBENTRY]"};
    struct log_line line = {0};
    (void)state;

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(log_line_read(&line, others[i], strlen(others[i])));
}

/* ---- answers ---- */

static void expect_in(const char *where, const char *text) {
    if (!strstr(where, text))
        fail_msg("no '%s' in: %.3000s", text, where);
}

static void expect_out(const char *text, const char *const *arguments) {
    struct outcome outcome = tool_run_to(NULL, arguments);

    expect_status(0, &outcome);
    expect_in(outcome.out, text);
    outcome_free(&outcome);
}

#define EXPECT_OUT(text, ...) expect_out(text, (const char *const[]){"explain", __VA_ARGS__, NULL})

static void a_number_without_a_name_is_said_to_be_one(void **state) {
    static const char line[] =
        "nouveau 0000:03:00.0: gr: DATA_ERROR 0000009c [] ch 3 [x] subc 3 class 902d mthd 0d78 data 1";
    (void)state;
    EXPECT_OUT("0x9c: a number without a name", line);
    EXPECT_OUT("bits 0x80000000 more: a number without a name",
               "nouveau 0000:03:00.0: ltc: LTC0_LTS1: 80000020 [ILLEGAL_COMPSTAT]");
}

/* A program may be called anything. */
static void a_word_in_capitals_is_not_an_error(void **state) {
    struct outcome outcome =
        tool_run("explain", "nouveau 0000:01:00.0: gr: TRAP ch 8 [003f61d000 PBENTRY METHOD[697]] RT_FAULT");
    (void)state;
    expect_status(0, &outcome);
    assert_null(strstr(outcome.out, "PBENTRY ("));
    assert_null(strstr(outcome.out, "RT_FAULT:"));
    outcome_free(&outcome);
}

static void the_reason_of_a_fault_is_of_the_chips_own_table(void **state) {
    static const char kepler[] = "nouveau 0000:01:00.0: NVIDIA GK104 (0e4000a1)\n"
                                 "nouveau 0000:01:00.0: fifo: read fault at 0000000000 engine 00 [GR] client 0f "
                                 "[GPC0/PROP] reason 03 [VA_LIMIT_VIOLATION] on channel 2";
    static const char fermi[] = "nouveau 0000:01:00.0: NVIDIA GF100 (0c0000a3)\n"
                                "nouveau 0000:01:00.0: fifo: read fault at 0000000000 engine 00 [PGRAPH] client 0f "
                                "[GPC0/PROP] reason 05 [PAGE_SYSTEM_ONLY] on channel 2";
    (void)state;
    EXPECT_OUT("VA_LIMIT_VIOLATION (MMU)", kepler);
    EXPECT_OUT("chip       GK104", kepler);
    EXPECT_OUT("PAGE_SYSTEM_ONLY (MMU)", fermi);
    EXPECT_OUT("writes and reads render targets", fermi);
}

static void what_repeats_is_said_once(void **state) {
    static const char log[] =
        "nouveau 0000:01:00.0: gr: ILLEGAL_MTHD ch 3 [x] subc 3 class a0c0 mthd fffc data 00000001\n"
        "usb 1-1: new device\n"
        "nouveau 0000:01:00.0: gr: ILLEGAL_MTHD ch 9 [y] subc 3 class a0c0 mthd fffc data 00000002\n"
        "nouveau 0000:01:00.0: gr: ILLEGAL_MTHD ch 9 [y] subc 3 class a0c0 mthd fff8 data 00000002\n";
    (void)state;
    EXPECT_OUT("times      2, lines 1 to 3", log);
    EXPECT_OUT("has no method 0xfff8", log);
}

/* Two lines in one text: how many answers? */
static void expect_answers(size_t answers, const char *first, const char *second) {
    char text[1024];
    struct outcome outcome;
    size_t found = 0;

    snprintf(text, sizeof text, "%s\n%s", first, second);
    outcome = tool_run("explain", text);
    expect_status(0, &outcome);
    for (const char *at = outcome.out; (at = strstr(at, "  means ")); at++)
        found++;
    if (found != answers)
        fail_msg("%zu answers: %s", found, outcome.out);
    outcome_free(&outcome);
}

static void different_errors_have_answers_of_their_own(void **state) {
    (void)state;
    expect_answers(2, NOUVEAU "gr: GPC0/TPC0/MP trap: global 00000004 [MULTIPLE_WARP_ERRORS] warp 000e [OOR_ADDR]",
                   NOUVEAU
                   "gr: GPC1/TPC2/MP trap: global 00000004 [MULTIPLE_WARP_ERRORS] warp 0009 [ILLEGAL_INSTR_ENCODING]");
    expect_answers(1, NOUVEAU "gr: GPC0/TPC0/MP trap: global 00000004 [MULTIPLE_WARP_ERRORS] warp 000e [OOR_ADDR]",
                   NOUVEAU "gr: GPC1/TPC2/MP trap: global 00000004 [MULTIPLE_WARP_ERRORS] warp 000e [OOR_ADDR]");
    expect_answers(2, OLDEST "PGRAPH - DATA_ERROR [INVALID_ENUM]", OLDEST "PGRAPH - DATA_ERROR [INVALID_BITFIELD]");
    expect_answers(2, NVGPU "fifo sched error :CTXSW_TIMEOUT", NVGPU "fifo sched error :NEW_RUNLIST");
    expect_answers(2, NVGPU "sm hww global 0x00000004 warp 0x0000000e",
                   NVGPU "sm hww global 0x00000000 warp 0x00000009");
    expect_answers(2, OLD("   PFIFO") "read fault at 0x1000 [PTE] from GR/GPC0/PROP_0 on channel 0x1 [a[1]]",
                   OLD("   PFIFO") "write fault at 0x1000 [RO_VIOLATION] from GR/GPC0/T1_0 on channel 0x1 [a[1]]");
}

static void a_programs_name_says_nothing_of_a_fault(void **state) {
    (void)state;
    EXPECT_OUT("engine     0x00 GR: ", NOUVEAU
               "fifo: fault 00 [READ] at 0000000000050000 engine 00 [GR] client 0f [GPC0/PROP_0] reason 02 [PTE] on "
               "channel 2 [007fa00000 game engine 3[77]]");
}

static void a_pbdma_of_nvgpu_shows_its_header_and_data(void **state) {
    static const char line[] =
        "nvgpu: 57000000.gpu gk20a_fifo_handle_pbdma_intr_0:1 [ERR] pbdma_intr_0(0):0x00040000 PBH: "
        "20018000 SHADOW: 0000b197 gp shadow0: 00a00000 gp shadow1: 00000001 M0: 80000000";
    (void)state;
    EXPECT_OUT("PBENTRY (bit 18)", line);
    EXPECT_OUT("method 0x0000 of subchannel 4, count 1", line);
    EXPECT_OUT("0x0000b197", line);
}

static void xids_are_read_in_all_their_forms(void **state) {
    static const char fault[] =
        XID "31, pid=1, name=a, Ch 00000030, intr 00000000. MMU Fault: ENGINE HOST0 HUBCLIENT_ESC "
            "faulted @ 0x10_00200000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ";
    static const char old[] = "NVRM: Xid (0000:01:00): 13, 0003 00000000 00008597 00001b0c 1000f010 0000000c";
    (void)state;
    EXPECT_OUT("address    0x1000200000", fault);
    EXPECT_OUT("reason     PDE: ", fault);
    EXPECT_OUT("ILLEGAL_INSTR_PARAM",
               XID "13, Graphics Exception: ESR 0x57c730=0xc04000b 0x57c734=0x24 0x57c728=0x1f81fb60");
    EXPECT_OUT("CLASS_SUBCH_MISMATCH", XID "13, Graphics Exception: ESR 0x404000=0x80000002");
    EXPECT_OUT("ILLEGAL_INSTR_PARAM in MP_TRAP_WARP_ERROR",
               XID "13, Graphics SM Warp Exception on (GPC 7, TPC 7, SM 0): Illegal Instruction Parameter");
    EXPECT_OUT("MAXWELL_B.END",
               XID "13, Graphics Exception: ChID 0010, Class 0000b197, Offset 00001614, Data 00000000");
    EXPECT_OUT("PBENTRY (bit 18)", XID "32, pid=1, Channel ID 0000001a intr 00040000");
    EXPECT_OUT("INVALID_BITFIELD",
               XID "69, pid=1, Class Error: ChId 0005, Class 0000c7c0, Offset 000002b4, Data 00012345, "
                   "ErrorCode 0000000c");
    EXPECT_OUT("CTXSW_TIMEOUT of the scheduler",
               XID "109, pid=1, name=a, Ch 8, errorString CTX SWITCH TIMEOUT, Info 0x5");
    EXPECT_OUT("GT215_3D.QUERY_GET", old);
    EXPECT_OUT("45 PREEMPTIVE_REMOVAL", XID "45, Ch 00000010");
    EXPECT_OUT("9999 is an error that is not known", XID "9999, something");
    EXPECT_OUT("31 FIFO_ERROR_MMU_ERR_FLT", "Xid (PCI:0000:01:00): 31, Ch 00000010, engmask 00000101, intr 10000000");
    EXPECT_OUT("31 FIFO_ERROR_MMU_ERR_FLT", "NVRM: Xid 31, pid=1");
    for (unsigned number = 0; number < 200; number++) {
        const char *name, *means, *cause;
        if (log_xid(number, &name, &means, &cause))
            assert_true(name && means && means[0] && cause && cause[0]);
    }
}

static void a_register_that_did_not_answer_has_its_name_and_reason(void **state) {
    static const char line[] = "nouveau 0000:01:00.0: bus: MMIO read of badf1200 FAULT at 002100 [ PRIVRING ]";
    (void)state;
    EXPECT_OUT("register   0x002100 PFIFO.INTR", "--chip=GK104", line);
    EXPECT_OUT("PRIVRING: the register ring", line);
    EXPECT_OUT("answer     0xbadf1200: the unit is in reset", line);
}

static void the_pushers_state_is_taken_apart(void **state) {
    static const char line[] =
        "nouveau 0000:01:00.0: fifo: DMA_PUSHER - ch 2 [x[1]] get 00200c put 002014 state 80004861 "
        "(err: INVALID_CMD) push 00406040";
    (void)state;
    EXPECT_OUT("method 0x0860 of subchannel 2, 0 words", line);
    EXPECT_OUT("INVALID_CMD (DMA_PUSHER)", line);
}

static void names_of_old_kernels_do_without_numbers(void **state) {
    (void)state;
    EXPECT_OUT("RT_FAULT: a render target", "[drm] nouveau 0000:01:00.0: PGRAPH - TRAP_PROP - TP 0: RT_FAULT");
    EXPECT_OUT("reason     PDE: ",
               "nouveau E[   PFIFO][0000:01:00.0] read fault at 0x867e84f000 [PDE] from GR/GPC2/RAST on "
               "channel 0x003f61d000 [kwin_x11[697]]");
}

static void a_log_comes_from_a_file_or_from_the_standard_input(void **state) {
    char path[] = "/tmp/pfifo-log-XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    (void)state;

    assert_non_null(file);
    for (size_t i = 0; i < LINES; i++)
        fprintf(file, "[    %zu.000000] %s\n", i, log_test_lines[i].line);
    fwrite("[ 1.0] \0\0\n" NOUVEAU "fifo: BIND_ERROR 02 [SNOOP_WITHOUT_BAR1]\n", 1,
           sizeof "[ 1.0] \0\0\n" NOUVEAU "fifo: BIND_ERROR 02 [SNOOP_WITHOUT_BAR1]\n" - 1, file);
    fclose(file);
    EXPECT_OUT("SNOOP_WITHOUT_BAR1 (BIND_ERROR)", path); /* bytes of a crash before it */
    EXPECT_OUT("nouveau 0000:01:00.0: fifo: PIO_ERROR\n", path);
    EXPECT_OUT("\"is\":\"line\"", "--json", path);
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_line_of_the_drivers_means_what_it_should),
        cmocka_unit_test(each_form_has_a_line),
        cmocka_unit_test(each_form_names_errors_that_there_are),
        cmocka_unit_test(what_stands_before_a_line_is_left_out),
        cmocka_unit_test(a_line_of_something_else_is_none),
        cmocka_unit_test(a_number_without_a_name_is_said_to_be_one),
        cmocka_unit_test(a_word_in_capitals_is_not_an_error),
        cmocka_unit_test(the_reason_of_a_fault_is_of_the_chips_own_table),
        cmocka_unit_test(what_repeats_is_said_once),
        cmocka_unit_test(different_errors_have_answers_of_their_own),
        cmocka_unit_test(a_programs_name_says_nothing_of_a_fault),
        cmocka_unit_test(a_pbdma_of_nvgpu_shows_its_header_and_data),
        cmocka_unit_test(xids_are_read_in_all_their_forms),
        cmocka_unit_test(a_register_that_did_not_answer_has_its_name_and_reason),
        cmocka_unit_test(the_pushers_state_is_taken_apart),
        cmocka_unit_test(names_of_old_kernels_do_without_numbers),
        cmocka_unit_test(a_log_comes_from_a_file_or_from_the_standard_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
