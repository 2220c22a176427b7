/* SPDX-License-Identifier: MIT */
/* Words that are a part of what a channel reads: they begin and end anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <pfifo/decode.h>

static char out[16384];
static size_t used;

static bool append(void *opaque, const char *bytes, size_t count) {
    (void)opaque;
    assert_true(used + count < sizeof out);
    memcpy(out + used, bytes, count);
    used += count;
    out[used] = 0;
    return true;
}

static void decode(const char *chip, struct pfifo_decode_options options, const char *source) {
    struct pfifo_error error = {0};
    uint32_t words[64];
    uint8_t bytes[sizeof words];
    size_t count;

    options.size = sizeof options;
    options.chip = pfifo_chip_by_name(chip);
    options.part = true;
    if (pfifo_assemble(options.chip, source, words, 64, &count, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    assert_true(count <= 64);
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> (i % 4 * 8));
    used = 0;
    out[0] = 0;
    if (pfifo_decode_raw(bytes, 4 * count, &options, append, NULL, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
}

/* The lines begin with these texts, one after the other, and there are no others. */
static void expect(const char *const *lines, size_t count) {
    const char *at = out;

    for (size_t i = 0; i < count; i++) {
        at += strspn(at, " ");
        if (strncmp(at, lines[i], strlen(lines[i])) != 0)
            fail_msg("line %zu is not '%s':\n%s", i, lines[i], out);
        at = strchr(at, '\n');
        assert_non_null(at);
        at++;
    }
    if (*at)
        fail_msg("more than %zu lines:\n%s", count, out);
}

#define EXPECT(...)                                                                                                    \
    expect((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void a_part_may_end_inside_a_command(void **state) {
    (void)state;
    decode("NV40", (struct pfifo_decode_options){.bound = {0x4097}}, "inc 0 0x1d8c count=3 5\n");
    EXPECT("00000000 000c1d8c increasing            subc 0 method 1d8c count 3", "00000004 00000005   0 4097 NV40_3D");
    decode("G84", (struct pfifo_decode_options){.ib = true}, "word 30200\n");
    EXPECT("0000000000 00030200 long-non-increasing   subc 0 method 0200 count follows");
    decode("GF100", (struct pfifo_decode_options){.bound = {0x9097}}, "inc 0 0x19d0 count=2 0x3c\n");
    EXPECT("0000000000 20020674 increasing", "0000000004 0000003c   0 9097 FERMI_A");
}

/* Words that are no command end where a command begins, though its data are not in the part. */
static void a_header_may_end_a_part_behind_bad_words(void **state) {
    (void)state;
    decode("NV40", (struct pfifo_decode_options){.bound = {0x4097}}, "word e0000000 e0000000\ninc 0 0x1d8c count=3\n");
    EXPECT("00000000 e0000000 ERROR: no command has this form", "00000004 1 word skipped to find the next command",
           "00000004 : e0000000", "00000008 000c1d8c increasing            subc 0 method 1d8c count 3");
}

static void jumps_in_a_part_are_shown_and_not_taken(void **state) {
    (void)state;
    decode("NV40", (struct pfifo_decode_options){.base = 0x1000},
           "jump 0x1000\ncall 0x100000\nreturn\nreturn\noldjump 0x1004\nword 00040050 1\n");
    EXPECT("00001000 00001001 jump                  to 00001000", "00001004 00100002 call ", "00001008 00020000 return",
           "0000100c 00020000 return", "00001010 20001004 old-jump ", "00001014 00040050 increasing",
           "00001018 00000001   0 406e NV40_CHANNEL_DMA          0050 REF_CNT ");
    decode("GF100", (struct pfifo_decode_options){.bound = {0x9097}}, "end\nimm 0 FERMI_A.SET_ANTI_ALIAS 2\n");
    EXPECT("0000000000 e0000000 end-segment", "0000000004 80020574 = 0 9097 FERMI_A");
}

static void a_part_may_begin_inside_a_command(void **state) {
    const struct pfifo_push_packet once = {.count = 3, .method = 0x1000, .subchannel = 1, .form = "increase-once"},
                                   same = {.count = 2, .method = 0x200, .form = "non-increasing"},
                                   rising = {.count = 2, .method = 0x1ffc, .subchannel = 7},
                                   lengthy = {.method = 0x200, .form = "long-non-increasing", .long_count = true};
    (void)state;
    decode("GF100", (struct pfifo_decode_options){.packet = once}, "data 1 2 3\nnop\n");
    EXPECT("0000000000 00000001   1 ----                           1000 ",
           "0000000004 00000002   1 ----                           1004 ",
           "0000000008 00000003   1 ----                           1004 ", "000000000c 00000000 nop");
    decode("NV40", (struct pfifo_decode_options){.packet = same}, "data 1 2\ninc 0 0x100 0\n");
    EXPECT("00000000 00000001   0 ----                           0200 ",
           "00000004 00000002   0 ----                           0200 ", "00000008 00040100 increasing",
           "0000000c 00000000   0 ----                           0100 ");
    decode("NV40", (struct pfifo_decode_options){.packet = rising}, "data 1 2\n");
    EXPECT("00000000 00000001   7 ----                           1ffc ",
           "00000004 00000002   7 ----                           0000 OBJECT");
    decode("G84", (struct pfifo_decode_options){.packet = lengthy, .ib = true}, "data 2 8 9\nword 00040050\n");
    EXPECT("0000000000 00000002   count               2", "0000000004 00000008   0 ", "0000000008 00000009   0 ",
           "000000000c 00040050 increasing");
}

static uint32_t class_of(void *opaque, uint32_t handle) {
    ++*(unsigned *)opaque;
    return handle == 0xbeef ? 0x4097 : 0;
}

static void classes_of_handles_are_asked_for(void **state) {
    const struct pfifo_decode_object known = {0xcafe, 0x39};
    unsigned asked = 0;
    (void)state;
    decode("NV40",
           (struct pfifo_decode_options){
               .handle_class = class_of, .handle_opaque = &asked, .objects = &known, .object_count = 1},
           "inc 0 0 0xbeef\ninc 0 0x1d8c 0\ninc 1 0 0xcafe\ninc 2 0 0xdead\n");
    EXPECT("00000000 00040000 increasing", "00000004 0000beef   0 4097 NV40_3D", "00000008 00041d8c increasing",
           "0000000c 00000000   0 4097 NV40_3D                   1d8c CLEAR_DEPTH_VALUE",
           "00000010 00042000 increasing", "00000014 0000cafe   1 0039 NV3_M2MF", "00000018 00044000 increasing",
           "0000001c 0000dead   2 ----");
    assert_true(asked >= 2);
}

static void methods_below_0x100_are_shown_as_the_channels(void **state) {
    (void)state;
    decode("GF100", (struct pfifo_decode_options){.bound = {0x902d}}, "inc 0 0 0x902d\ninc 0 0x10 1\ninc 0 0x100 2\n");
    EXPECT("0000000000 20010000 increasing", "0000000004 0000902d   0 902d FERMI_TWOD_A              0000 SET_OBJECT",
           "0000000008 20010004 increasing", "000000000c 00000001   0 906f GF100_CHANNEL_GPFIFO      0010 SEMAPHOREA",
           "0000000010 20010040 increasing", "0000000014 00000002   0 902d FERMI_TWOD_A              0100 ");
}

static bool ignore(void *opaque, const struct pfifo_decode_event *event) {
    (void)opaque, (void)event;
    return true;
}

static void only_commands_can_be_resumed(void **state) {
    static const struct pfifo_push_packet bad[] = {
        {.count = 1, .form = "immediate"},          {.count = 1, .form = "jump"}, {.count = 1, .form = "no such form"},
        {.count = 1, .subchannel = 8, .method = 4}, {.count = 1, .method = 2},    {.count = 1, .method = 0x2000},
    };
    const struct pfifo_decode_options options = {.size = sizeof options, .chip = pfifo_chip_by_name("NV40")};
    struct pfifo_decoder *decoder = pfifo_decoder_new(&options, ignore, NULL, NULL, NULL);
    struct pfifo_error error;
    (void)state;
    assert_non_null(decoder);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(pfifo_decoder_resume(decoder, 0, &bad[i], &error), PFIFO_ERROR_ARGUMENT);
    pfifo_decoder_free(decoder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_may_end_inside_a_command),
        cmocka_unit_test(a_header_may_end_a_part_behind_bad_words),
        cmocka_unit_test(jumps_in_a_part_are_shown_and_not_taken),
        cmocka_unit_test(a_part_may_begin_inside_a_command),
        cmocka_unit_test(classes_of_handles_are_asked_for),
        cmocka_unit_test(methods_below_0x100_are_shown_as_the_channels),
        cmocka_unit_test(only_commands_can_be_resumed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
