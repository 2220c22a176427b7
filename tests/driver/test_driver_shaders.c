/* SPDX-License-Identifier: MIT */
/* Programs that go wrong, in draws: the driver says which and where, and the other channel goes on. */
#include "driver/rig.h"

#define CODE  UINT64_C(0x40000000)
#define BYTES 0x1000

enum { HEADER = 0x30, ENTRY = HEADER + 0x50 };

static struct rig rig;

/* BRA to itself. */
static uint64_t endless(uint32_t object_class) {
    uint64_t back = -8 & 0xffffff;
    if (object_class < 0xa197)
        return 0x4000000000001de7 | back << 26;
    if (object_class < 0xb097)
        return UINT64_C(0x12000000001c003c) | back << 23;
    return 0xe24000000007000f | back << 20;
}

static bool draws(const struct part *part) {
    return part->fermi && part->graphics >= 0x9097 && part->graphics <= 0xc197;
}

/* The same word everywhere, so that words for the scheduler may be where they are. */
static struct pfifo_buffer *program(uint64_t word) {
    struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_GART, BYTES, CODE);
    uint32_t header = 0x20461, zero = 0;
    for (unsigned i = 0; i < 20; i++)
        pfifo_buffer_write(buffer, HEADER + 4 * i, i ? &zero : &header, 4);
    for (unsigned i = ENTRY; i < BYTES; i += 8)
        pfifo_buffer_write(buffer, i, &word, 8);
    return buffer;
}

static void submit_draw(struct pfifo_channel *channel, struct pfifo_buffer *push) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_bind_class(&words, &rig, SUBCHANNEL);
    words_method(&words, SUBCHANNEL, 0x1608, CODE >> 32);
    words_method(&words, SUBCHANNEL, 0x160c, (uint32_t)CODE);
    words_method(&words, SUBCHANNEL, 0x2040, 0x11);
    words_method(&words, SUBCHANNEL, 0x2044, HEADER);
    words_method(&words, SUBCHANNEL, 0x2140, 0x50);
    words_method(&words, SUBCHANNEL, 0x1618, 0);
    words_method(&words, SUBCHANNEL, 0xd74, 0);
    words_method(&words, SUBCHANNEL, 0xd78, 1);
    words_method(&words, SUBCHANNEL, 0x1614, 0);
    words_method(&words, SUBCHANNEL, NOP, 3);
    words_submit(&words, &rig, channel, push, 0);
}

static void submit_honest(struct pfifo_channel *channel, struct pfifo_buffer *push) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_bind_class(&words, &rig, SUBCHANNEL);
    words_method(&words, SUBCHANNEL, NOP, 7);
    words_submit(&words, &rig, channel, push, 0x1000);
}

static void expect_error(uint64_t word, const char *error) {
    struct pfifo_channel *bad = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
    struct pfifo_channel *honest = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
    struct pfifo_buffer *push = rig_push_buffer(&rig);
    program(word);
    submit_draw(bad, push);
    submit_honest(honest, push);
    rig_wait(&rig);
    if (rig.fault_count != 1)
        fail_msg("%s: %u faults", rig.part->chip, (unsigned)rig.fault_count);
    assert_string_equal(rig.faults[0].unit, "PGRAPH");
    assert_string_equal(rig.faults[0].error, error);
    assert_int_equal(rig.faults[0].channel, pfifo_channel_number(bad));
    assert_in_range(rig.faults[0].address, ENTRY, ENTRY + 8);
    assert_int_equal(rig_count(&rig, NOP), 2); /* of both */
    assert_true(pfifo_channel_idle(bad));
    assert_true(pfifo_channel_idle(honest));
}

static void a_program_without_an_end_is_a_timeout_and_others_go_on(void **state) {
    (void)state;
    FOR_EACH_KIND {
        if (!draws(part))
            continue;
        rig_open(&rig, part);
        expect_error(endless(part->graphics), "TIMEOUT");
        rig_close(&rig);
    }
}

static void what_is_no_instruction_is_named_and_others_go_on(void **state) {
    (void)state;
    FOR_EACH_KIND {
        if (!draws(part))
            continue;
        rig_open(&rig, part);
        expect_error(0xfffffffffffffff7, "ILLEGAL_INSTR_ENCODING");
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_without_an_end_is_a_timeout_and_others_go_on),
        cmocka_unit_test(what_is_no_instruction_is_named_and_others_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
