/* SPDX-License-Identifier: MIT */
/* Shader programs as text: one instruction, and the listing of what a stream uploads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "decode/shaders.h"
#include "differential/choice.h"

struct text {
    size_t used;
    char bytes[16384];
};

static bool append(void *opaque, const char *bytes, size_t count) {
    struct text *text = opaque;
    assert_true(text->used + count < sizeof text->bytes);
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
    text->bytes[text->used] = 0;
    return true;
}

static size_t format(const char *chip, uint32_t address, uint64_t word, size_t *bytes, char *text, size_t room) {
    uint8_t words[8];
    for (unsigned i = 0; i < 8; i++)
        words[i] = (uint8_t)(word >> 8 * i);
    return pfifo_shader_format(pfifo_chip_by_name(chip), address, words, bytes, text, room);
}

/* The same instruction in the four sets, or none. */
static void each_chip_has_its_instruction_set(void **state) {
    static const struct {
        const char *chip;
        uint64_t word;
    } exits[] = {
        {"GF100", 0x8000000000001de7}, {"GF119", 0x8000000000001de7}, {"GK104", 0x8000000000001de7},
        {"GK107", 0x8000000000001de7}, {"GK20A", 0x18000000001c003c}, {"GK110", 0x18000000001c003c},
        {"GK208", 0x18000000001c003c}, {"GM107", 0xe30000000007000f}, {"GM20B", 0xe30000000007000f},
        {"GP102", 0xe30000000007000f},
    };
    static const char *const others[] = {"NV40", "GT215", "GV100", "TU102", "GA102"};
    char text[32];
    size_t bytes;
    (void)state;
    for (unsigned i = 0; i < sizeof exits / sizeof exits[0]; i++) {
        assert_int_equal(format(exits[i].chip, 8, exits[i].word, &bytes, text, sizeof text), 4);
        assert_string_equal(text, "EXIT");
        assert_int_equal(bytes, 8);
    }
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(format(others[i], 8, 0, &bytes, text, sizeof text), 0);
        assert_int_equal(bytes, 0);
        assert_string_equal(text, "");
    }
}

static void words_that_are_no_instructions_say_so(void **state) {
    char text[100];
    size_t bytes;
    (void)state;
    format("GM107", 0x20, 0x001cfc00e22007f6, &bytes, text, sizeof text);
    assert_string_equal(text, "schedule [B------:R-:W-:-:S06] [B------:R-:W0:-:S01] [B------:R-:W1:-:S15]");
    format("GM107", 0x28, 0, &bytes, text, sizeof text);
    assert_string_equal(text, "illegal");
    assert_int_equal(bytes, 8);
    format("GF100", 4, 0x00001c08, &bytes, text, sizeof text);
    assert_string_equal(text, "NOP_N");
    assert_int_equal(bytes, 4);
}

static void text_that_does_not_fit_is_cut_and_counted(void **state) {
    char text[8];
    size_t bytes;
    (void)state;
    assert_int_equal(format("GF100", 0, 0x580000000c111c40, &bytes, text, sizeof text), 19);
    assert_string_equal(text, "FMUL.FT");
    assert_int_equal(format("GF100", 0, 0x580000000c111c40, &bytes, NULL, 0), 19);
}

static void any_words_have_a_text(void **state) {
    static const char *const chips[] = {"GF100", "GK104", "GK110", "GM107"};
    struct choice c = choice_from_seed(0x3a1);
    size_t bytes;
    (void)state;
    for (unsigned i = 0; i < 100000; i++) {
        uint64_t word = (uint64_t)choice_word(&c) << 32 | choice_word(&c);
        assert_in_range(format(chips[i & 3], choice_word(&c) & ~3u, word, &bytes, NULL, 0), 2, 399);
        assert_true(bytes == 4 || bytes == 8);
    }
}

/* ---- listings ---- */

static void copy(struct shaders *shaders, struct output *out, uint32_t class_id, uint64_t address,
                 const uint32_t *words, uint32_t count) {
    bool fermi = class_id == 0x9039;
    const uint32_t methods[][2] = {
        {fermi ? 0x238 : 0x188, (uint32_t)(address >> 32)},
        {fermi ? 0x23c : 0x18c, (uint32_t)address},
        {fermi ? 0x31c : 0x180, 4 * count},
        {fermi ? 0x300 : 0x1b0, 0},
    };
    struct pfifo_decode_event event = {.kind = PFIFO_DECODE_METHOD, .channel = 3, .bound_class = class_id};
    for (unsigned i = 0; i < 4 + count; i++) {
        event.method = i < 4 ? methods[i][0] : fermi ? 0x304 : 0x1b4;
        event.data = i < 4 ? methods[i][1] : words[i - 4];
        shaders_event(shaders, &event, out);
    }
}

static const uint32_t header[20] = {0x00021462};

static void programs_are_listed_behind_their_headers(void **state) {
    static const uint32_t code[] = {0x00001c08, 0x0c111c40, 0x58000000}, rest[] = {0x00001de7, 0x80000000};
    struct shaders shaders = {.chip = pfifo_chip_by_name("GF100")};
    struct text text = {0};
    struct output out = {.write = append, .opaque = &text};
    (void)state;
    copy(&shaders, &out, 0x9039, 0x100000200, code, 3); /* nothing said that it is code */
    copy(&shaders, &out, 0x9039, 0x100000100, header, 20);
    copy(&shaders, &out, 0x9039, 0x100000150, code, 3);
    copy(&shaders, &out, 0x9039, 0x10000015c, rest, 2);
    copy(&shaders, &out, 0x9039, 0x100000200, rest, 2);
    shaders_end_all(&shaders, &out);
    output_flush(&out);
    assert_string_equal(
        text.bytes, "channel 3: fragment program at 0100000100\n"
                    "  header 00021462 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000"
                    " 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000\n"
                    "  0100000150 00001c08          NOP_N\n"
                    "  0100000154 580000000c111c40  FMUL.FTZ R4, R1, R3\n"
                    "  010000015c 8000000000001de7  EXIT\n");
}

static void later_classes_copy_with_other_methods(void **state) {
    static const uint32_t code[] = {0, 0, 0x0007000f, 0xe3000000};
    struct shaders shaders = {.chip = pfifo_chip_by_name("GM107")};
    struct text text = {0};
    struct output out = {.write = append, .opaque = &text};
    (void)state;
    copy(&shaders, &out, 0xa140, 0x1b0, header, 20);
    copy(&shaders, &out, 0xa140, 0x200, code, 4);
    copy(&shaders, &out, 0xa140, 0x200, code, 0);
    shaders_end_all(&shaders, &out);
    output_flush(&out);
    assert_non_null(strstr(text.bytes,
                           "  0000000200 0000000000000000  schedule [B------:R0:W0:Y:S00] [B------:R0:W0:Y:S00] "
                           "[B------:R0:W0:Y:S00]\n"
                           "  0000000208 e30000000007000f  EXIT\n"));
}

static void copies_of_any_length_and_channel_are_bounded(void **state) {
    struct shaders shaders = {.chip = pfifo_chip_by_name("GF100")};
    struct text text = {0};
    struct output out = {.write = append, .opaque = &text};
    struct pfifo_decode_event event = {.kind = PFIFO_DECODE_METHOD, .bound_class = 0x9039};
    static const uint32_t methods[][2] = {{0x304, 1}, {0x31c, UINT32_MAX}, {0x300, 0}, {0x304, 1}};
    (void)state;
    for (event.channel = 0; event.channel <= SHADERS_CHANNELS; event.channel++)
        for (unsigned i = 0; i < 4; i++) {
            event.method = methods[i][0];
            event.data = methods[i][1];
            shaders_event(&shaders, &event, &out);
        }
    shaders_end(&shaders, 5);
    assert_int_equal(shaders.count, SHADERS_CHANNELS - 1);
    shaders_end_all(&shaders, &out);
    output_flush(&out);
    assert_string_equal(text.bytes, "4 words of copies were not looked at: no memory, or too many channels copy\n");
}

static void a_chip_without_a_known_set_is_an_error(void **state) {
    struct pfifo_decode_options options = {.chip = pfifo_chip_by_name("GV100"), .format = PFIFO_DECODE_SHADERS};
    struct pfifo_error error = {0};
    struct text text = {0};
    (void)state;
    assert_int_equal(pfifo_decode_raw("", 0, &options, append, &text, &error), PFIFO_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "programs of GV100 cannot be listed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_chip_has_its_instruction_set),
        cmocka_unit_test(words_that_are_no_instructions_say_so),
        cmocka_unit_test(text_that_does_not_fit_is_cut_and_counted),
        cmocka_unit_test(any_words_have_a_text),
        cmocka_unit_test(programs_are_listed_behind_their_headers),
        cmocka_unit_test(later_classes_copy_with_other_methods),
        cmocka_unit_test(copies_of_any_length_and_channel_are_bounded),
        cmocka_unit_test(a_chip_without_a_known_set_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
