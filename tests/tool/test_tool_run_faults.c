/* SPDX-License-Identifier: MIT */
/*
 * `pfifo run`: the summary names the word that faults, on every generation: which it is, where it lies, in which
 * submission, what it says, and what is around it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pfifo/chip.h>
#include <pfifo/classes.h>

#include "tool/capture.h"
#include "tool/tool.h"

enum {
    NOP = 0x100,
    SEMAPHORE = 0x10,
    ACQUIRE = 1,
    RELEASE = 2,
    FOUR_BYTES = 1 << 24,
    OBJECT = 0xbeef3900,
    GART = 0xbeef0202,
    RETURN = 0x20000,
};

/* A chip of each way in which commands are fetched and faults are told. */
static const struct part {
    uint32_t chipset;
    bool fermi, calls; /* new commands; segments that return */
    uint32_t bad_word;
    uint32_t m2mf;  /* class, 0: use the report of ... */
    uint32_t three; /* ... this class */
} parts[] = {
    {0x04, false, true, 0xe0000000, 0x39, 0},    {0x11, false, true, 0xe0000000, 0x39, 0},
    {0x25, false, true, 0xe0000000, 0x39, 0},    {0x40, false, true, 0xe0000000, 0x39, 0},
    {0x44, false, true, 0xe0000000, 0x39, 0},    {0x50, false, false, 0xe0000000, 0x5039, 0},
    {0x84, false, false, 0xe0000000, 0x5039, 0}, {0xa3, false, false, 0xe0000000, 0x5039, 0},
    {0xc0, true, false, 0xc0000000, 0, 0x9097},  {0xe4, true, false, 0xc0000000, 0, 0xa097},
    {0xea, true, false, 0xc0000000, 0, 0xa297},  {0x117, true, false, 0xc0000000, 0, 0xb097},
    {0x12b, true, false, 0xc0000000, 0, 0xb197}, {0x132, true, false, 0xc0000000, 0, 0xc197},
};

#define FOR_EACH_PART for (const struct part *part = parts; part < parts + sizeof parts / sizeof parts[0]; part++)

struct words {
    const struct part *part;
    uint32_t word[64];
    uint32_t count;
};

static void add(struct words *words, uint32_t word) {
    assert_true(words->count < 64);
    words->word[words->count++] = word;
}

static void add_header(struct words *words, uint32_t method, uint32_t count) {
    add(words, words->part->fermi ? 1u << 29 | count << 16 | method / 4 : count << 18 | method);
}

static void add_method(struct words *words, uint32_t method, uint32_t data) {
    add_header(words, method, 1);
    add(words, data);
}

/* A capture with a channel, and an object of the class. */
static void begin(struct capture *capture, const struct part *part) {
    const struct pfifo_stream_obj object = {.handle = OBJECT, .oclass = part->m2mf ? part->m2mf : part->three};

    capture_begin(capture, part->chipset, !part->fermi);
    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_OBJ, .obj = object});
}

static void submit(struct capture *capture, struct words *words) {
    if (words->part->calls)
        add(words, RETURN);
    capture_submit(capture, words->word, words->count, NULL);
}

/* As text and as JSON. */
struct outcomes {
    struct outcome text, json;
};

static struct outcomes run(struct capture *capture) {
    char *path = capture_file(capture);
    struct outcomes outcomes = {tool_run("run", path), tool_run("run", "--json", path)};

    unlink(path);
    free(path);
    expect_status(1, &outcomes.text);
    expect_status(1, &outcomes.json);
    return outcomes;
}

static void forget(struct outcomes *outcomes) {
    outcome_free(&outcomes->text);
    outcome_free(&outcomes->json);
}

static void expect(const struct part *part, const char *out, const char *format, ...) {
    char text[400];
    va_list args;

    va_start(args, format);
    /* The analyzer sees va_start only in the first file of a batch. */
    vsnprintf(text, sizeof text, format, args); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    va_end(args);
    if (!strstr(out, text))
        fail_msg("nv%02x: no '%s' in: %.3000s", part->chipset, text, out);
}

/* GK104 and later have names of their own for the reasons of faults. */
static const char *no_table(const struct part *part) {
    return part->chipset >= 0xe0 ? "PDE" : "PT_NOT_PRESENT";
}

static unsigned count(const char *text, const char *of) {
    unsigned found = 0;

    for (; (text = strstr(text, of)); text++)
        found++;
    return found;
}

/* Word `index` of the pushbuffer is marked, and says `word`. */
static void expect_word(const struct outcomes *outcomes, const struct part *part, const struct capture *capture,
                        uint32_t index, uint32_t word) {
    uint64_t address = capture->push_address + 4 * index;
    bool wide = !part->calls;

    expect(part, outcomes->text.out, "            word 0x%08x at 0x%llx, buffer 2 + 0x%x", word,
           (unsigned long long)address, 4 * index);
    expect(part, outcomes->text.out, "\n            > %0*llx %08x ", wide ? 10 : 8, (unsigned long long)address, word);
    expect(part, outcomes->text.out, "\n              %0*llx ", wide ? 10 : 8, (unsigned long long)address - 4);
    /* On Tesla a fault is told twice, by the MMU and by its unit: both know the word. */
    assert_int_equal(count(outcomes->text.out, ", first in submission "),
                     count(outcomes->text.out, "\n            word 0x"));
    assert_int_equal(count(outcomes->text.out, ", first in submission "),
                     count(outcomes->text.out, "\n            > "));
    expect(part, outcomes->json.out, ",\"word_address\":%llu,\"word\":%u,\"buffer\":2,\"offset\":%u",
           (unsigned long long)address, word, 4 * index);
    expect(part, outcomes->json.out, "{\"distance\":0,\"line\":{");
    expect(part, outcomes->json.out, "{\"distance\":-1,\"line\":{");
}

/* The bad word is in the middle: before and after it are methods. */
static void a_word_that_is_no_command_is_shown_with_its_place(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct capture capture;
        struct words words = {part}, before = {part};
        begin(&capture, part);
        add_method(&before, 0, part->m2mf ? OBJECT : part->three);
        submit(&capture, &before);
        add_method(&words, NOP, 2);
        add(&words, part->bad_word);
        add_method(&words, NOP, 3);
        submit(&capture, &words);
        struct outcomes outcomes = run(&capture);
        expect(part, outcomes.text.out,
               part->fermi ? "PBDMA PBENTRY, first in submission 2: channel "
                           : "DMA_PUSHER INVALID_CMD, first in submission 2: channel ");
        expect_word(&outcomes, part, &capture, before.count + 2, part->bad_word);
        expect(part, outcomes.text.out, "> %0*llx %08x ERROR: no command has this form\n", part->calls ? 8 : 10,
               (unsigned long long)capture.push_address + 4 * (before.count + 2), part->bad_word);
        forget(&outcomes);
    }
}

/* The address is in the fault, the word and its method are the engine's. */
static void add_fault(struct words *words, uint32_t *index, uint32_t *method) {
    const struct part *part = words->part;

    if (part->m2mf) {
        add_method(words, 0, OBJECT);
        add_header(words, 0x180, 3);
        add(words, GART), add(words, GART), add(words, GART);
        if (part->m2mf == 0x5039) {
            add_method(words, 0x200, 1);
            add_method(words, 0x21c, 1);
            add_header(words, 0x238, 2);
            add(words, 0), add(words, 0x7f);
        }
        add_header(words, 0x30c, 8);
        const uint32_t copy[] = {0x10000, 0xf0000000, 64, 64, 64, 1, 0x101, 0};
        for (size_t i = 0; i < 8; i++)
            add(words, copy[i]);
        *method = 0x328;
    } else {
        add_method(words, 0, part->three);
        add_header(words, 0x1b00, 4);
        add(words, 0x7f), add(words, 0x20020040), add(words, 7), add(words, 0x10000000);
        *method = 0x1b0c;
    }
    *index = words->count - 1;
    add_method(words, NOP, 3);
}

/* What an engine does: units that show no method are the MMU, and VM units. */
static void memory_that_an_engine_does_not_find_is_told_with_the_method(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct capture capture;
        struct words words = {part};
        uint32_t index, method;
        begin(&capture, part);
        add_fault(&words, &index, &method);
        submit(&capture, &words);
        struct outcomes outcomes = run(&capture);
        expect_word(&outcomes, part, &capture, index, words.word[index]);
        expect(part, outcomes.text.out, ", buffer 2 + 0x%x: subchannel 0, 0x%04x ", 4 * index,
               part->m2mf ? part->m2mf : part->three);
        expect(part, outcomes.text.out, ", 0x%04x %s, data 0x%08x\n", method,
               part->m2mf ? "BUF_NOTIFY" : "SET_REPORT_SEMAPHORE_D", words.word[index]);
        expect(part, outcomes.json.out, ",\"subchannel\":0,\"class\":%u,\"class_name\":\"",
               part->m2mf ? part->m2mf : part->three);
        expect(part, outcomes.json.out, ",\"method\":%u,\"method_name\":\"", method);
        if (part->fermi)
            expect(part, outcomes.text.out,
                   "  MMU %s, first in submission 1: channel 0, address 0x7f20020040\n"
                   "            the page directory has no entry for the address",
                   no_table(part));
        forget(&outcomes);
    }
}

/* A value that is none; on Fermi and later a parameter without a macro. */
static void a_method_that_an_engine_refuses_is_told_with_its_word(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct capture capture;
        struct words words = {part};
        begin(&capture, part);
        add_method(&words, 0, part->m2mf ? OBJECT : part->three);
        add_method(&words, part->fermi ? 0x3804 : 0x104, 2);
        add_method(&words, NOP, 3);
        submit(&capture, &words);
        struct outcomes outcomes = run(&capture);
        expect(part, outcomes.text.out, "  PGRAPH %s, first in submission 1: channel ",
               part->fermi   ? "TRAP_MACRO"
               : part->calls ? "DATA_ERROR"
                             : "INVALID_VALUE");
        expect_word(&outcomes, part, &capture, 3, 2);
        expect(part, outcomes.text.out, ": subchannel 0, 0x%04x ", part->m2mf ? part->m2mf : part->three);
        forget(&outcomes);
    }
}

/* Copy engines say neither channel nor method. */
static void a_launch_that_a_copy_engine_refuses_is_told_with_its_word(void **state) {
    static const struct {
        uint32_t chipset, oclass;
    } rows[] = {{0xe4, 0xa0b5}, {0xf0, 0xa0b5}, {0x117, 0xb0b5}, {0x124, 0xb0b5}, {0x132, 0xc0b5}, {0x134, 0xc1b5}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct part part = {.chipset = rows[i].chipset, .fermi = true, .three = rows[i].oclass};
        struct capture capture;
        struct words words = {&part};
        begin(&capture, &part);
        add_method(&words, 4 << 13, part.three);
        words.word[0] = 1u << 29 | 1 << 16 | 4 << 13;
        add(&words, 1u << 29 | 1 << 16 | 4 << 13 | 0x300 / 4), add(&words, 3);
        submit(&capture, &words);
        struct outcomes outcomes = run(&capture);
        expect(&part, outcomes.text.out, "  PCOPY");
        expect_word(&outcomes, &part, &capture, 3, 3);
        expect(&part, outcomes.text.out, ": subchannel 4, 0x%04x ", part.three);
        expect(&part, outcomes.text.out, ", 0x0300 LAUNCH_DMA, data 0x00000003\n");
        forget(&outcomes);
    }
}

/* A macro sends the method: the word is the one that has called the macro, or its last parameter. */
static void a_method_of_a_macro_is_told_with_the_word_of_its_call(void **state) {
    (void)state;
    FOR_EACH_PART {
        /* maddr = 0x1b0c; send $r1, exit; nop */
        static const uint32_t code[] = {0x6c3 << 14 | 0x21, 1 << 11 | 0xc0, 0x11};
        struct capture capture;
        struct words words = {part};
        if (!part->fermi)
            continue;
        begin(&capture, part);
        add_method(&words, 0, part->three);
        add_method(&words, 0x114, 0);
        for (size_t i = 0; i < sizeof code / sizeof code[0]; i++)
            add_method(&words, 0x118, code[i]);
        add_method(&words, 0x11c, 0);
        add_method(&words, 0x120, 0);
        add_header(&words, 0x1b00, 3);
        add(&words, 0x7f), add(&words, 0x20020040), add(&words, 7);
        add_method(&words, 0x3800, 0x10000000);
        submit(&capture, &words);
        struct outcomes outcomes = run(&capture);
        expect_word(&outcomes, part, &capture, words.count - 1, 0x10000000);
        expect(part, outcomes.text.out, ", 0x1b0c SET_REPORT_SEMAPHORE_D, data 0x10000000\n");
        forget(&outcomes);
    }
}

static void a_method_that_the_puller_refuses_is_told_with_its_word(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct capture capture;
        struct words words = {part};
        if (part->fermi)
            continue;
        begin(&capture, part);
        add_method(&words, 0, OBJECT);
        add_header(&words, 0x180, 2);
        add(&words, GART), add(&words, 0xdeadbee0);
        submit(&capture, &words);
        struct outcomes outcomes = run(&capture);
        expect(part, outcomes.text.out, "  CACHE_ERROR HASH_FAILED, first in submission 1: channel ");
        expect(part, outcomes.text.out,
               "\n            the handle that method 0 or a method of objects gave is not in ");
        expect_word(&outcomes, part, &capture, 4, 0xdeadbee0);
        expect(part, outcomes.text.out, ": subchannel 0, 0x%04x ", part->m2mf);
        expect(part, outcomes.text.out, ", 0x0184 ");
        expect(part, outcomes.text.out, ", data 0xdeadbee0\n");
        forget(&outcomes);
    }
}

/* The driver executes methods of software objects, and knows no method 0x700. */
static void a_method_that_the_driver_does_not_know_is_told_with_its_word(void **state) {
    (void)state;
    FOR_EACH_PART {
        const struct pfifo_stream_obj object = {.handle = part->fermi ? 0x906e : OBJECT + 1,
                                                .oclass = part->fermi ? 0x906e : 0xfffffff9};
        struct capture capture;
        struct words words = {part};
        begin(&capture, part);
        capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_OBJ, .obj = object});
        add_method(&words, 0, object.handle);
        add_method(&words, 0x500, 1); /* a page flip: no fault */
        add_method(&words, 0x700, 9);
        words.word[0] |= 7u << 13, words.word[2] |= 7u << 13, words.word[4] |= 7u << 13;
        submit(&capture, &words);
        struct outcomes outcomes = run(&capture);
        expect(part, outcomes.text.out, part->fermi ? "  PBDMA DEVICE, first" : "  CACHE_ERROR DEVICE_SOFTWARE, first");
        expect_word(&outcomes, part, &capture, 5, 9);
        expect(part, outcomes.text.out, ": subchannel 7, ");
        expect(part, outcomes.text.out, ", 0x0700 ");
        forget(&outcomes);
    }
}

/* What cannot be read has no word, and is in no buffer. */
static void a_jump_to_nowhere_is_told_with_its_address(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct capture capture;
        struct words words = {part};
        if (part->chipset < 0x25 || !part->calls)
            continue;
        begin(&capture, part);
        add(&words, 0x12345001); /* a jump */
        submit(&capture, &words);
        struct outcomes outcomes = run(&capture);
        expect(part, outcomes.text.out,
               "  DMA_PUSHER MEM_FAULT, first in submission 1: channel 0, address 0x12345000\n"
               "            the pushbuffer or the ring could not be read: nothing is mapped at the address, or it is "
               "beyond "
               "the limit\n"
               "            the word at 0x12345000, which was not recorded\n");
        expect(part, outcomes.json.out, ",\"word_address\":%u,\"around\":[]", 0x12345000);
        forget(&outcomes);
    }
}

static void a_semaphore_of_the_host_is_told_with_its_word(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct capture capture;
        struct words words = {part};
        if (!part->fermi)
            continue;
        begin(&capture, part);
        add_header(&words, SEMAPHORE, 4);
        add(&words, 0x7f), add(&words, 0x20020040), add(&words, 7), add(&words, RELEASE);
        submit(&capture, &words);
        struct outcomes outcomes = run(&capture);
        expect(part, outcomes.text.out, "  MMU %s, first in submission 1: channel 0, address 0x7f200200",
               no_table(part));
        expect_word(&outcomes, part, &capture, 4, RELEASE);
        const uint32_t host = pfifo_chip_info(pfifo_chip_by_id(part->chipset)).host_class;
        expect(part, outcomes.text.out, ": subchannel 0, 0x%04x %s, 0x001c SEMAPHORED, data 0x00000002\n", host,
               pfifo_class_find(host)->name);
        forget(&outcomes);
    }
}

static void submit_pieces(struct capture *capture, const struct pfifo_stream_push *pushes, uint32_t count) {
    const struct pfifo_stream_submit record = {.sequence = ++capture->sequence, .pushes = count};
    const struct pfifo_stream_subend end = {.sequence = capture->sequence};

    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_SUBMIT, .submit = record});
    for (uint32_t i = 0; i < count; i++)
        capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_PUSH, .push = pushes[i]});
    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_SUBEND, .subend = end});
}

/* The header is at the end of a piece, its data are in two others; the last word faults. */
static void data_in_another_piece_than_the_header_are_found(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct capture capture;
        struct words words = {part};
        uint32_t index, method;
        uint8_t bytes[256];
        if (part->calls)
            continue;
        begin(&capture, part);
        add_fault(&words, &index, &method);
        for (uint32_t i = 0; i < 4 * words.count; i++)
            bytes[i] = (uint8_t)(words.word[i / 4] >> (8 * (i % 4)));
        const uint32_t cuts[] = {0, index - 2, index - 1, words.count};
        struct pfifo_stream_push pushes[3];
        for (uint32_t i = 0; i < 3; i++)
            pushes[i] = (struct pfifo_stream_push){.handle = CAPTURE_PUSH,
                                                   .offset = 0x800 - 0x200 * i,
                                                   .address = capture.push_address + 0x800 - 0x200 * i,
                                                   .length = 4 * (uint64_t)(cuts[i + 1] - cuts[i]),
                                                   .words = bytes + 4 * cuts[i],
                                                   .word_count = cuts[i + 1] - cuts[i]};
        submit_pieces(&capture, pushes, 3);
        struct outcomes outcomes = run(&capture);
        expect_word(&outcomes, part, &capture, 0x400 / 4 + 1, words.word[index]);
        forget(&outcomes);
    }
}

/* The first submission waits; what is wrong with it comes out while the second runs. */
static void a_fault_belongs_to_the_submission_of_its_word(void **state) {
    static const struct pfifo_stream_record second = {.type = PFIFO_STREAM_CHAN,
                                                      .chan = {.channel = 1, .notifier_bo = CAPTURE_NOTIFIERS}};
    (void)state;
    FOR_EACH_PART {
        struct capture capture;
        struct words words = {part}, release = {part};
        if (!part->fermi)
            continue;
        begin(&capture, part);
        capture_append(&capture, &second);
        add_header(&words, SEMAPHORE, 4);
        add(&words, 0), add(&words, (uint32_t)capture.data_address), add(&words, 7), add(&words, ACQUIRE);
        add(&words, part->bad_word);
        submit(&capture, &words);
        add_header(&release, SEMAPHORE, 4);
        add(&release, 0), add(&release, (uint32_t)capture.data_address), add(&release, 7);
        add(&release, RELEASE | FOUR_BYTES);
        capture.channel = 1;
        submit(&capture, &release);
        struct outcomes outcomes = run(&capture);
        expect(part, outcomes.text.out, "PBDMA PBENTRY, first in submission 1: channel ");
        expect_word(&outcomes, part, &capture, 5, part->bad_word);
        forget(&outcomes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_that_is_no_command_is_shown_with_its_place),
        cmocka_unit_test(memory_that_an_engine_does_not_find_is_told_with_the_method),
        cmocka_unit_test(a_method_that_an_engine_refuses_is_told_with_its_word),
        cmocka_unit_test(a_launch_that_a_copy_engine_refuses_is_told_with_its_word),
        cmocka_unit_test(a_method_of_a_macro_is_told_with_the_word_of_its_call),
        cmocka_unit_test(a_method_that_the_puller_refuses_is_told_with_its_word),
        cmocka_unit_test(a_method_that_the_driver_does_not_know_is_told_with_its_word),
        cmocka_unit_test(a_jump_to_nowhere_is_told_with_its_address),
        cmocka_unit_test(a_semaphore_of_the_host_is_told_with_its_word),
        cmocka_unit_test(data_in_another_piece_than_the_header_are_found),
        cmocka_unit_test(a_fault_belongs_to_the_submission_of_its_word),
    };

    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
