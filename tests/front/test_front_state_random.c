/* SPDX-License-Identifier: MIT */
/* The state that random methods say, beside the reference. */
#include "engine/draw/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "reference/draw_state.h"
#include "rounds.h"

#define WORDS_OF_CLASS 0x1000u

/* Bits, codes of OpenGL and of D3D, anything. */
static uint32_t value_of(struct choice *c) {
    static const uint16_t codes[] = {0x200,  0x203,  0x207,  0x404,  0x405,  0x408,  0x900,  0x901,  0x1b00, 0x1b01,
                                     0x1d00, 0x1e00, 0x1e01, 0x1e02, 0x1e03, 0x150a, 0x8507, 0x8508, 0x8006, 0x8007,
                                     0x8008, 0x800a, 0x800b, 0x4000, 0x4001, 0x4300, 0x4302, 0x4307, 0x4308, 0xc001,
                                     0xc002, 0xc003, 0xc004, 0xc900, 0xc901, 0xc902, 0xc903};
    switch (choice_below(c, 6)) {
    case 0:
        return choice_below(c, 2);
    case 1:
        return choice_below(c, 32);
    case 2:
        return 1u << choice_below(c, 32);
    case 3:
        return codes[choice_below(c, sizeof codes / sizeof codes[0])];
    default:
        return choice_word(c);
    }
}

/* Formats and sizes that are there, mostly. */
static void bind_targets(uint32_t *value, struct choice *c) {
    for (uint32_t i = 0; i < 8; i++) {
        value[(0x808 + i * 64) / 4] = choice_below(c, 5000);
        value[(0x80c + i * 64) / 4] = choice_below(c, 300);
        value[(0x810 + i * 64) / 4] = choice_between(c, 0xc0, 0xff);
    }
    value[0x1228 / 4] = choice_below(c, 5000);
    value[0x122c / 4] = choice_below(c, 300);
    value[0xfe8 / 4] = choice_between(c, 0xa, 0x1f);
}

static bool decode(struct choice *c, FILE *report) {
    static const uint16_t classes[] = {0x9097, 0x9297, 0xa097, 0xa197, 0xb097, 0xb197, 0xc097, 0xc197};
    static uint32_t value[WORDS_OF_CLASS];
    static struct draw_state state;
    uint32_t header[2][HEADER_WORDS];
    for (unsigned i = 0; i < WORDS_OF_CLASS; i++)
        value[i] = value_of(c);
    for (unsigned i = 0; i < HEADER_WORDS; i++)
        for (unsigned stage = 0; stage < 2; stage++)
            header[stage][i] = choice_word(c);
    if (!choice_once_in(c, 4))
        bind_targets(value, c);
    const struct draw_state_methods methods = {.object_class = classes[choice_below(c, 8)],
                                               .value = value,
                                               .fragment = header[1],
                                               .order = choice_once_in(c, 3) ? GOB_LINES : GOB_SECTORS};
    const struct draw_source source = {
        .of = draw_class_of(methods.object_class), .value = value, .order = methods.order};
    memset(&state, 0, sizeof state);
    draw_decode(&state, &source, STATE_ALL);
    draw_header(&state, &source, STAGE_VERTEX, header[0]);
    draw_header(&state, &source, STAGE_FRAGMENT, header[1]);
    return draw_state_reference(&methods, &state, report);
}

static void random_methods_say_what_the_reference_reads(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(decode, 2000), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_methods_say_what_the_reference_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
