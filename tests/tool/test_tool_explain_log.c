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
#include <sys/wait.h>

#include "face/tool/explain/log/log.h"
#include "tool/log_lines.h"
#include "tool/log_lines_nvgpu.h"
#include "tool/log_lines_old.h"
#include "tool/tool.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

enum { LINES = COUNT_OF(log_test_lines) + COUNT_OF(log_test_old) + COUNT_OF(log_test_nvgpu), TABLES = 5 };

static const struct log_forms *const tables[TABLES] = {&log_nouveau, &log_driver, &log_nvrm, &log_nvgpu, &log_l4t};

/* Of all lists, one after the other. */
static const struct log_test_line *test_line(size_t index) {
    if (index < COUNT_OF(log_test_lines))
        return &log_test_lines[index];
    index -= COUNT_OF(log_test_lines);
    return index < COUNT_OF(log_test_old) ? &log_test_old[index] : &log_test_nvgpu[index - COUNT_OF(log_test_old)];
}

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
        const struct log_test_line *line = test_line(i);
        const struct log_form *form = form_of(line->line);
        if (!form)
            fail_msg("of no form: %s", line->line);
        if (line->means ? !form->means || !strstr(form->means, line->means) : form->means != NULL)
            fail_msg("%s: %s (%s)", line->line, form->means ? form->means : "NULL", form->pattern);
    }
}

static void each_form_has_a_line(void **state) {
    static const struct log_form *found[LINES];
    size_t without = 0;
    (void)state;

    for (size_t i = 0; i < LINES; i++)
        found[i] = form_of(test_line(i)->line);
    for (size_t t = 0; t < TABLES; t++)
        for (size_t f = 0; f < tables[t]->count; f++) {
            const struct log_form *form = &tables[t]->rows[f];
            size_t i = 0;
            while (i < LINES && found[i] != form)
                i++;
            if (i == LINES)
                print_error("no line is of the form '%s'\n", form->pattern);
            without += i == LINES;
        }
    assert_int_equal(without, 0);
}

/* A form's table of errors is one that there is. */
static void each_form_names_errors_that_there_are(void **state) {
    struct pfifo_error_code code;
    (void)state;

    for (size_t t = 0; t < TABLES; t++)
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

/* What a * stands for may be all that is left of a line; what is behind its end is not read. */
static void a_form_ends_with_the_line(void **state) {
    static const char line[] = "ce: in\0 1: mthd buffer fault";
    struct log_numbers numbers = {0};
    (void)state;

    assert_null(log_match_text("ce: *#: mthd buffer fault", line, &numbers));
    assert_null(log_match_text("ce: *{v} fault", line, &numbers));
    assert_non_null(log_match_text("ce: *#: mthd", "ce: inst 1: mthd", &numbers));
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
            assert_true(name && means && means[0] && (cause ? cause[0] != 0 : strstr(means, "error") != NULL));
    }
}

static void each_register_of_an_xid_13_is_said(void **state) {
    static const char *const offsets[] = {
        "0x404000", "0x4041b0", "0x404490", "0x404600", "0x405840", "0x405848", "0x405a14", "0x406018", "0x40601c",
        "0x407020", "0x408030", "0x410070", "0x410144", "0x500420", "0x508434", "0x500438", "0x50043c", "0x500824",
        "0x500900", "0x501028", "0x504084", "0x504224", "0x504430", "0x50448c", "0x504e44", "0x504648", "0x50464c",
        "0x504650", "0x504728", "0x50472c", "0x5047a8", "0x504730", "0x504734", "0x5047b0", "0x5047b4",
    };
    char line[128], said[64];
    (void)state;

    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        snprintf(line, sizeof line, XID "13, Graphics Exception: ESR %s=0x80000001", offsets[i]);
        snprintf(said, sizeof said, "register   %s, ", offsets[i]);
        EXPECT_OUT(said, line);
    }
    EXPECT_OUT("0x999998: a register without a name; it has 0x3", XID "13, Graphics Exception: ESR 0x999998=0x3");
    EXPECT_OUT("check 18 of a shader program's header", XID "13, Graphics Exception: ESR 0x405840=0xa2040a00");
    EXPECT_OUT("bits 0x22000000: a number without a name", XID "13, Graphics Exception: ESR 0x405840=0xa2040a00");
    EXPECT_OUT("value      0x80000000: no error", XID "13, Graphics Exception: ESR 0x405848=0x80000000");
    EXPECT_OUT("0x1234: a setting, no error", XID "13, Graphics Exception: ESR 0x504728=0x1234");
}

static void the_words_of_an_xid_13_are_said(void **state) {
    (void)state;
    EXPECT_OUT("check 18 of a shader program's header", XID "13, Graphics Exception: Shader Program Header 18 Error");
    EXPECT_OUT("RT_WIDTH_OVERRUN in GPC_PROP",
               XID "13, Graphics Exception on (GPC 0, TPC 1): WIDTH CT Violation. Coordinates: (0x0, 0x0)");
    EXPECT_OUT("TOTAL_THREADS in SKED", XID "13, Graphics Exception: SKEDCHECK18_TOTAL_THREADS failed");
    EXPECT_OUT("LOCAL_MEMORY_TOTAL_SIZE: check 5",
               XID "13, Graphics Exception: SKEDCHECK05_LOCAL_MEMORY_TOTAL_SIZE failed");
    EXPECT_OUT("MISSING_MACRO_DATA: ", XID "13, Graphics Exception: MISSING_MACRO_DATA");
    EXPECT_OUT("MMU_FAULT in MP_TRAP", XID "13, Graphics SM Global Exception on (GPC 0, TPC 1, SM 1): MMU NACK Errors");
    EXPECT_OUT("Something New: words that are not known", XID "13, Graphics Exception: Something New");
}

static void a_channel_of_an_xid_is_no_number_of_the_error(void **state) {
    struct outcome outcome = tool_run("explain", XID "43, pid=12345678, Ch 00000010");
    (void)state;
    expect_status(0, &outcome);
    assert_null(strstr(outcome.out, "numbers"));
    outcome_free(&outcome);
}

static void an_xid_that_is_no_error_has_no_cause(void **state) {
    struct outcome outcome = tool_run("explain", XID "106, pid=1, name=a");
    (void)state;
    expect_status(0, &outcome);
    expect_in(outcome.out, "106 SMBPBI_TEST_MESSAGE: a test");
    assert_null(strstr(outcome.out, "cause"));
    outcome_free(&outcome);
}

static void numbers_of_other_xids_have_names_or_are_said_to_have_none(void **state) {
    (void)state;
    EXPECT_OUT("HCE_ILLEGAL_MTHD (bit 3)", XID "32, Ch 0000000d, intr0 00000000. intr1 00000008. HCE_DBG0 00000300 "
                                               "HCE_DBG1 04002186");
    EXPECT_OUT("0x0300 of a copy class, data 0x04002186",
               XID "32, Ch 0000000d, intr0 00000000. intr1 80000008. HCE_DBG0 00000300 HCE_DBG1 04002186");
    EXPECT_OUT("CTXNOTVALID (bit 31)", XID "32, Ch 0000000d, intr0 00000000. intr1 80000000");
    EXPECT_OUT("PBENTRY (bit 18)", XID "32, Ch 0000000d, intr0 00040000");
    EXPECT_OUT("state (bits 15:14) 3: the engine switches contexts",
               XID "109, Ch 00000008, errorString CTX SWITCH TIMEOUT, Info 0x5c01a");
    EXPECT_OUT("group of channels after (bits 29:16): 5",
               XID "109, Ch 00000008, errorString CTX SWITCH TIMEOUT, Info 0x5c01a");
    EXPECT_OUT("0x5c01a, as GV100 and later chips have it",
               XID "109, Ch 00000008, errorString CTX SWITCH TIMEOUT, Info 0x5c01a");
    EXPECT_OUT("info       0x5c01a: a number without a name", "--chip=GP104",
               XID "109, Ch 00000008, errorString CTX SWITCH TIMEOUT, Info 0x5c01a");
    EXPECT_OUT("162 ISINK_REENGAGED: the circuit that smooths", XID "162, pid=1, name=a");
    EXPECT_OUT("165 ISINK_ZERO_LIFETIME: the circuit that smooths", XID "165, pid=1, name=a");
    EXPECT_OUT("107 SMBPBI_TEST_MESSAGE: a test", XID "107, pid=1, name=a");
    EXPECT_OUT("numbers    8207d20c 00000000: numbers without names", XID "62, 0f8b(2d50) 8207d20c 00000000");
    EXPECT_OUT("numbers    0x10000 0x0: numbers without names",
               XID "74, pid=1, NVLink: fatal error detected on link 4(0x10000, 0x0)");
    /* Six numbers have PGRAPH's meaning only in PGRAPH's Xids. */
    EXPECT_OUT("numbers    00000000 00008597", XID "38, 0003 00000000 00008597 00001b0c 1000f010 0000000c");
    EXPECT_OUT("command    0x2080014b", XID "119, pid=1, Timeout waiting for RPC from GSP0! Expected function 76 "
                                            "(GSP_RM_CONTROL) (0x2080014b 0x5).");
    EXPECT_OUT("parameters 5 bytes", XID "119, pid=1, Timeout waiting for RPC from GSP0! Expected function 76 "
                                         "(GSP_RM_CONTROL) (0x2080014b 0x5).");
    EXPECT_OUT("did not finish its work in time", "NVRM: GPU0 RC watchdog: GPU is probably locked!");
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

/* ---- what follows from a chip ---- */

static void the_bits_above_a_warps_error_are_read_by_generation(void **state) {
    (void)state;
    /* GV100 and later, by the register and by the form. */
    EXPECT_OUT("WRAP_ID (bits 23:16) 0x4", XID "13, Graphics Exception: ESR 0x57c730=0xc040017 0x57c734=0x124");
    EXPECT_OUT("ADDR_ERROR_TYPE (bits 27:24) 0xc",
               NOUVEAU "gr: GPC0/TPC1/SM0 trap: global 00000000 [] warp c04000e [OOR_ADDR]");
    EXPECT_OUT("MMU_FAULT (PGRAPH)", XID "13, Graphics Exception: ESR 0x57c7b0=0xc040017 0x57c7b4=0x124");
    /* GP100 to GP108. */
    EXPECT_OUT("ADDR_VALID (bit 24) 0x1", "--chip=GP104", XID "13, Graphics Exception: ESR 0x504648=0x5000009");
    EXPECT_OUT("ADDR_ERROR_TYPE (bits 27:25) 0x2", "--chip=GP104",
               XID "13, Graphics Exception: ESR 0x504648=0x5000009");
    /* Before: the sources have no names. */
    EXPECT_OUT("bits 0x003c0000: they have no names on this chip", "--chip=GK104",
               NOUVEAU "gr: GPC0/TPC1/MP trap: global 00000004 [MULTIPLE_WARP_ERRORS] warp 3c000e [OOR_ADDR]");
    EXPECT_OUT("bits 0x003c0000: what they are depends on the chip",
               NOUVEAU "gr: GPC0/TPC1/MP trap: global 00000004 [MULTIPLE_WARP_ERRORS] warp 3c000e [OOR_ADDR]");
    /* Which generation it is the register does not say; from Ampere on they have no names. */
    EXPECT_OUT("no names, on Volta and Turing",
               NOUVEAU "gr: GPC0/TPC1/SM0 trap: global 00000000 [] warp c04000e [OOR_ADDR]");
    EXPECT_OUT("bits 0x0c040000: they have no names on this chip", "--chip=GA102",
               NOUVEAU "gr: GPC0/TPC1/SM0 trap: global 00000000 [] warp c04000e [OOR_ADDR]");
    /* Nothing above it. */
    EXPECT_OUT("  cause", NOUVEAU "gr: GPC0/TPC1/MP trap: global 00000004 [MULTIPLE_WARP_ERRORS] warp 000e [OOR_ADDR]");
    EXPECT_OUT("OOR_ADDR (PGRAPH)",
               NVGPU "sm err state gpc_id(0), tpc_id(0), offset(0), sm_id(0), hww_global_esr 4,hww_warp_esr 14, "
                     "hww_warp_esr_pc 0x10");
}

static void the_chip_comes_from_the_kernels_list_of_pci_devices(void **state) {
    static const char pci[] = "[ 1.0] pci 0000:01:00.0: [10de:1c03] type 00 class 0x030000\n";
    static const char nvrm[] = "NVRM: The NVIDIA GPU 0000:02:00.0 (PCI ID: 10de:1c03)\n";
    char text[512];
    (void)state;

    snprintf(text, sizeof text, "%s%s", pci, XID "45, Ch 00000010");
    EXPECT_OUT("chip       GP106", text);
    snprintf(text, sizeof text, "%s%s", pci, NOUVEAU "fifo: PIO_ERROR");
    EXPECT_OUT("chip       GP106", text);
    snprintf(text, sizeof text, "%sNVRM: Xid (PCI:0000:02:00): 45, Ch 00000010", nvrm);
    EXPECT_OUT("chip       GP106", text);
    EXPECT_OUT("chip       GV11B", "nvgpu: 17000000.gv11b gk20a_isr:1 [ERR] fifo pio error!");
}

/* Another GPU's chip is not taken. */
static void the_chip_of_another_device_is_not_taken(void **state) {
    struct outcome outcome =
        tool_run("explain", "pci 0000:02:00.0: [10de:1c03] type 00 class 0x030000\n" XID "45, Ch 1");
    (void)state;
    expect_status(0, &outcome);
    assert_null(strstr(outcome.out, "chip  "));
    outcome_free(&outcome);
}

static void an_answer_of_the_register_ring_is_by_chip(void **state) {
    static const char line[] = "nvgpu: 57000000.gpu gk20a_isr:1 [ERR] CODE 0xbadf1800";
    (void)state;
    EXPECT_OUT("single bytes cannot be written", "--chip=GP10B", line);
    EXPECT_OUT("waited too long with the data", "--chip=GA10B", line);
    EXPECT_OUT("its number has no name", "nvgpu: 57000000.gpu gk20a_isr:1 [ERR] CODE 0xbadf7f00");
    EXPECT_OUT("register   0x002100 PFIFO.INTR", "--chip=GK20A",
               NVGPU "SYS write error. ADR 0x00002100 WRDAT 0x00000000 INFO 0x00000000, CODE 0xbadf1100");
}

/* ---- names and numbers of old kernels and other drivers ---- */

static void numbers_that_an_old_kernel_has_no_name_for_are_said(void **state) {
    (void)state;
    EXPECT_OUT("0x10000000: a number without a name",
               OLD("   PFIFO") "PBDMA0: METHOD EMPTY_SUBC (unknown bits 0x10000000)");
    EXPECT_OUT("DEVICE: a method for software", OLD("   PFIFO") "PBDMA0: METHOD EMPTY_SUBC");
    EXPECT_OUT("0xb: a number without a name", OLD("   PFIFO") "SCHED_ERROR [ UNK0b ]");
    EXPECT_OUT(
        "0x9c: a number without a name",
        OLD("  PGRAPH") "DATA_ERROR [(unknown enum 0x0000009c)] ch 3 [0x1 a] subc 3 class 0x902d mthd 0xd78 data 1");
    EXPECT_OUT("the line has none that is known", OLDEST "PFIFO1: NOTHING_KNOWN");
}

/* No form has an error table for these bits. */
static void bits_that_have_no_names_at_all_are_said(void **state) {
    (void)state;
    EXPECT_OUT("value      0x80000001: a number without a name", NOUVEAU "gr: GPC0/TPC0/TEX: 80000001");
    EXPECT_OUT("value      0x1: a number without a name", NOUVEAU "fifo: CHSW_ERROR 00000001");
    EXPECT_OUT("bits 0x2 more: a number without a name", NOUVEAU "gr: TRAP_VFETCH 00000003 [FAULT]");
    EXPECT_OUT("DATA_ERROR (bit 20)",
               NOUVEAU "gr: 00100000 [DATA_ERROR] ch 4 [1 a] subc 3 class 8297 mthd 15e0 data 0");
    EXPECT_OUT("value      0x00010000: CHSW_ERROR", NOUVEAU "fifo: INTR 00010000: 00000001");
}

static void a_fault_of_nvgpu_is_read_in_all_its_forms(void **state) {
    static const char old[] =
        "gk20a 57000000.gpu: gk20a_fifo_handle_mmu_fault:  mmu fault on engine 0, engine subid 0 "
        "(gpc), client 15 (prop 0), addr 0x00000001:0x00200000, type 2 (pte), info 0x1,inst_ptr 0x1";
    static const char fault[] =
        NVGPU " mmu fault on engine 0, engine subid 0 (gpc), client 15 (prop 0), addr 0x100200000, type 13 (region "
              "violation), access_type 0x1,inst_ptr 0x1";
    (void)state;
    EXPECT_OUT("address    0x100200000", old);
    EXPECT_OUT("client     0x0f prop_0: writes and reads render targets", old);
    EXPECT_OUT("PTE (MMU)", old);
    EXPECT_OUT("REGION_VIOLATION (MMU)", "--chip=GM20B", fault);
    EXPECT_OUT("address    0x100200000", fault);
    EXPECT_OUT("RO_VIOLATION (MMU)", NVGPU "  Tpe 6 (write); access_type 0x00000001; inst_ptr 0x1");
    EXPECT_OUT("31 FIFO_ERROR_MMU_ERR_FLT", NVGPU "error notifier set to 31 for ch 5");
    EXPECT_OUT("999: a number without a name", NVGPU "error notifier set to 999 for ch 5");
}

static void what_is_no_xid_of_nvidias_driver_is_read(void **state) {
    static const char fault[] =
        "NVRM: kgmmuPrintFaultInfo_GV100: MMU Fault: ENGINE 0x0 (GRAPHICS GPCCLIENT_T1_3) faulted "
        "@ 0x17_00592000. Fault is of type 0xe (FAULT_INFO_TYPE_POISONED). Access type is 0x0 "
        "(ACCESS_TYPE_VIRT_READ)";
    (void)state;
    EXPECT_OUT("client     GPCCLIENT_T1_3: reads textures", fault);
    EXPECT_OUT("address    0x1700592000", fault);
    EXPECT_OUT("reason     POISONED: ", fault);
    EXPECT_OUT("access     ACCESS_TYPE_VIRT_READ", fault);
    EXPECT_OUT("answer     0xbadf1200: the unit is in reset",
               "NVRM: f: Possible bad register read: addr: 0x2100,  regvalue: 0xbadf1200,  error code: x");
    EXPECT_OUT("13 GR_EXCEPTION", NOUVEAU "gsp: Xid:13 Graphics Exception: ESR 0x404000=0x80000002");
    EXPECT_OUT("CLASS_SUBCH_MISMATCH", NOUVEAU "gsp: Xid:13 Graphics Exception: ESR 0x404000=0x80000002");
    EXPECT_OUT("errno      19 ENODEV", NOUVEAU "x[1]: error fencing pushbuf: -19");
    EXPECT_OUT("errno      77: a number without a name", NOUVEAU "x[1]: validate: -77");
}

/* All that NVIDIA's header or its pages have a name for, but those that are reserved or unused. */
static void each_xid_of_nvidias_header_is_known(void **state) {
    static const unsigned none[] = {91, 111, 112, 113, 114, 115, 116, 117, 118, 152, 153};
    (void)state;

    for (unsigned number = 27; number <= 176; number++) {
        const char *name, *means, *cause;
        bool unused = number >= 49 && number <= 55 && number != 54;
        for (size_t i = 0; i < COUNT_OF(none); i++)
            unused = unused || none[i] == number;
        if (log_xid(number, &name, &means, &cause) == unused)
            fail_msg("Xid %u", number);
    }
}

/* ---- what to run next ---- */

/* A command as it is printed: of pfifo as it was built, and of a recording that there is. */
static void run_next(const char *command) {
    const char *tool = getenv("PFIFO_TOOL"), *samples = getenv("PFIFO_SAMPLES");
    char shell[4096] = "", *end = shell;
    int status;

    assert_true(tool && samples);
    for (const char *at = command; *at && (size_t)(end - shell) < sizeof shell - 512;)
        if (strncmp(at, "pfifo ", 6) == 0) {
            end += snprintf(end, 512, "%s ", tool);
            at += 6;
        } else if (strncmp(at, "CAPTURE", 7) == 0) {
            end += snprintf(end, 512, "%s/captures/nv117-quad.nvcap.xz", samples);
            at += 7;
        } else {
            *end++ = *at++;
        }
    *end = 0;
    strcat(shell, " >/dev/null 2>&1");
    status = system(shell);
    /* 1: nothing is found, or the method faults on the model, too. */
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
        fail_msg("status %d: %s", status, command);
}

/* The number of commands under "next". */
static size_t run_all_next(const char *out) {
    size_t count = 0;
    bool in = false;

    while (*out) {
        size_t bytes = strcspn(out, "\n");
        char line[1024];
        snprintf(line, sizeof line, "%.*s", (int)bytes, out);
        in = strncmp(line, "  next ", 7) == 0 || (in && strncmp(line, "             ", 13) == 0);
        if (in) {
            run_next(line + 13);
            count++;
        }
        out += bytes + (out[bytes] == '\n');
    }
    return count;
}

static void each_command_that_is_next_runs(void **state) {
    static const char *const lines[] = {
        "nouveau 0000:01:00.0: NVIDIA GK104 (0e4000a1)",
        NOUVEAU "fifo: fault 01 [WRITE] at 0000000001230000 engine 00 [GR] client 0f [GPC0/PROP_0] reason 02 [PTE] on "
                "channel 4 [003f8aa000 game[2059]]",
        NOUVEAU "fifo: SCHED_ERROR 0a [CTXSW_TIMEOUT]",
        NOUVEAU "fifo: PBDMA0: 00040000 [PBENTRY] ch 2 [00ff8a2000 a[1]] subc 0 mthd 0000 data 00000000",
        NOUVEAU "gr: GPC0/TPC1/MP trap: global 00000004 [MULTIPLE_WARP_ERRORS] warp 000e [OOR_ADDR]",
        NOUVEAU
        "gr: DATA_ERROR 0000000c [INVALID_BITFIELD] ch 4 [003f8aa000 a[1]] subc 0 class a097 mthd 19d0 data fc00",
        NOUVEAU "gr: ILLEGAL_MTHD ch 4 [003f8aa000 a[1]] subc 1 class a0c0 mthd 7ffc data 00000001",
        NOUVEAU "bus: MMIO read of badf1200 FAULT at 002100 [ PRIVRING ]",
        "nouveau 0000:02:00.0: NVIDIA NV40 (040000a1)",
        "nouveau 0000:02:00.0: gr: intr 00100000 [ERROR] nsource 00000040 [ILLEGAL_MTHD] nstatus 02000000 [] ch 2 "
        "[x[1]] "
        "subc 7 class 4097 mthd 1710 data 00000000",
        "nouveau 0000:02:00.0: fifo: DMA_PUSHER - ch 2 [x[1]] get 00200c put 002014 state 80000000 (err: INVALID_CMD) "
        "push 00406040",
        "nvgpu: 57000000.gpu f:1 [ERR] pbdma_intr_0(0):0x00040000 PBH: 20018000 SHADOW: 0000b197 gp shadow0: 00a00000 "
        "gp "
        "shadow1: 00000801 M0: 80000000",
        XID "31, pid=1, name=a, Ch 00000030, intr 00000000. MMU Fault: ENGINE HOST0 HUBCLIENT_ESC faulted @ "
            "0x10_00200000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ",
        XID "13, Graphics Exception: ChID 0010, Class 0000b197, Offset 00001614, Data 00000000",
        XID "109, pid=1, name=a, Ch 8, errorString CTX SWITCH TIMEOUT, Info 0x5",
    };
    char text[8192] = "";
    struct outcome outcome;
    (void)state;

    for (size_t i = 0; i < COUNT_OF(lines); i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n", lines[i]);
    outcome = tool_run("explain", text);
    expect_status(0, &outcome);
    expect_in(outcome.out, "pfifo grep 'data=0x1230000..0x1230fff' CAPTURE");
    expect_in(outcome.out, "pfifo explain --chip=GM20B gpfifo:0x0000080100a00000");
    expect_in(outcome.out, "pfifo explain --chip=GK104 0x002100");
    expect_in(outcome.out, "--object=0xbeef4097=4097 -");
    expect_in(outcome.out, "pfifo lint CAPTURE");
    expect_in(outcome.out, "pfifo decode --shaders CAPTURE");
    assert_true(run_all_next(outcome.out) >= 20);
    outcome_free(&outcome);
}

/* Nothing that would say less than the line. */
static void a_line_that_only_follows_has_nothing_next(void **state) {
    struct outcome outcome =
        tool_run("explain", "--chip=GK104",
                 NOUVEAU "fifo: channel 5: killed\n" NOUVEAU "fifo: PIO_ERROR\n" NOUVEAU
                         "bus: MMIO read of 00000000 FAULT at 0184f4 [ PRIVRING ]"); /* which has no name */
    (void)state;
    expect_status(0, &outcome);
    assert_null(strstr(outcome.out, "  next "));
    outcome_free(&outcome);
}

static void a_log_comes_from_a_file_or_from_the_standard_input(void **state) {
    char path[] = "/tmp/pfifo-log-XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    (void)state;

    assert_non_null(file);
    for (size_t i = 0; i < COUNT_OF(log_test_lines); i++)
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
        cmocka_unit_test(a_form_ends_with_the_line),
        cmocka_unit_test(a_line_of_something_else_is_none),
        cmocka_unit_test(a_number_without_a_name_is_said_to_be_one),
        cmocka_unit_test(a_word_in_capitals_is_not_an_error),
        cmocka_unit_test(the_reason_of_a_fault_is_of_the_chips_own_table),
        cmocka_unit_test(what_repeats_is_said_once),
        cmocka_unit_test(different_errors_have_answers_of_their_own),
        cmocka_unit_test(a_programs_name_says_nothing_of_a_fault),
        cmocka_unit_test(a_pbdma_of_nvgpu_shows_its_header_and_data),
        cmocka_unit_test(xids_are_read_in_all_their_forms),
        cmocka_unit_test(each_register_of_an_xid_13_is_said),
        cmocka_unit_test(the_words_of_an_xid_13_are_said),
        cmocka_unit_test(a_channel_of_an_xid_is_no_number_of_the_error),
        cmocka_unit_test(an_xid_that_is_no_error_has_no_cause),
        cmocka_unit_test(numbers_of_other_xids_have_names_or_are_said_to_have_none),
        cmocka_unit_test(a_register_that_did_not_answer_has_its_name_and_reason),
        cmocka_unit_test(the_pushers_state_is_taken_apart),
        cmocka_unit_test(names_of_old_kernels_do_without_numbers),
        cmocka_unit_test(the_bits_above_a_warps_error_are_read_by_generation),
        cmocka_unit_test(the_chip_comes_from_the_kernels_list_of_pci_devices),
        cmocka_unit_test(the_chip_of_another_device_is_not_taken),
        cmocka_unit_test(an_answer_of_the_register_ring_is_by_chip),
        cmocka_unit_test(numbers_that_an_old_kernel_has_no_name_for_are_said),
        cmocka_unit_test(bits_that_have_no_names_at_all_are_said),
        cmocka_unit_test(a_fault_of_nvgpu_is_read_in_all_its_forms),
        cmocka_unit_test(what_is_no_xid_of_nvidias_driver_is_read),
        cmocka_unit_test(each_xid_of_nvidias_header_is_known),
        cmocka_unit_test(each_command_that_is_next_runs),
        cmocka_unit_test(a_line_that_only_follows_has_nothing_next),
        cmocka_unit_test(a_log_comes_from_a_file_or_from_the_standard_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
