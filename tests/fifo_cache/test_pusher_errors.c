/* SPDX-License-Identifier: MIT */
/* Errors of the DMA pusher: the code, what the registers show, what goes on and what stops. */
#include "rig.h"

/* The pusher met `code` and shows `get`. */
static void assert_error(struct rig *rig, uint32_t code, uint32_t get) {
    assert_int_equal(pusher_error(rig), code);
    assert_int_equal(rd(rig, DMA_GET), get);
    assert_int_equal(rd(rig, INTR), 1u << 12);
    assert_int_equal(rd(rig, DMA_PUSH) & 0x1001, 0x1001);
}

static void recover(struct rig *rig) {
    wr(rig, DMA_STATE, 0);
    if (rig->tesla)
        wr(rig, METHOD_COUNT, 0);
    wr(rig, DMA_PUSH, 1);
    wr(rig, INTR, 1u << 12);
    assert_int_equal(rd(rig, INTR), 0);
}

static void call_in_subroutine_is_error_1_and_get_is_past_the_word(void **state) {
    struct rig *rig = *state;
    rig_poke(rig, 1, 0x3000, CALL(0x4000));
    push(rig, CALL(0x3000), 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_error(rig, 1, 0x3004);
    assert_int_equal(rd(rig, SUBROUTINE), 4);
    assert_int_equal(rd(rig, DMA_STATE) >> 17 & 1, 1);
}

static void return_without_call_is_error_3(void **state) {
    struct rig *rig = *state;
    push(rig, RETURN, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_error(rig, 3, 4);
}

static void second_return_is_error_3(void **state) {
    struct rig *rig = *state;
    rig_poke(rig, 1, 0x3000, RETURN);
    push(rig, CALL(0x3000), RETURN, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_error(rig, 3, 8);
}

/* Each of these words fits no form. In the order: nothing is known about them beyond error 4. */
static void words_without_form_are_error_4(void **state) {
    struct rig *rig = *state;
    static const uint32_t words[] = {0x60000000, 0x80000000, 0xa0000000, 0xc0000000, 0xe0000000, 0x00000003,
                                     0x20000003, 0x00030000, 0x40010000, 0x40020000, 0x40030000, 0xfffffffc,
                                     0x60040200, 0x8004a100, 0x00040203, 0x00050200};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        push(rig, words[i]);
        uint32_t past = (uint32_t)rig->pushed[1];
        push(rig, 0);
        assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
        assert_error(rig, 4, past);
        assert_int_equal(rd(rig, RSVD_SHADOW), words[i]);
        recover(rig);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    }
}

static void return_word_must_be_exact(void **state) {
    struct rig *rig = *state;
    rig_poke(rig, 1, 0x3000, RETURN | 4);
    rig_poke(rig, 1, 0x3004, RETURN | 0x2000);
    rig_poke(rig, 1, 0x3008, RETURN | 1 << 18);
    rig_poke(rig, 1, 0x300c, RETURN);
    push(rig, CALL(0x3000), 0);
    rig_submit(rig, 1);
    for (uint32_t past = 0x3004; past <= 0x300c; past += 4) {
        assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
        assert_error(rig, 4, past);
        wr(rig, DMA_STATE, 1u << 17);
        wr(rig, DMA_PUSH, 1);
        wr(rig, INTR, 1u << 12);
    }
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_GET), 8);
}

static void sli_word_without_sli_is_error_4(void **state) {
    struct rig *rig = *state;
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    wr(rig, SLI_REG, 0x10000001);
    push(rig, SLI(1), 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_error(rig, 4, 8);
    assert_int_equal(rd(rig, SLI_REG), 0x10000001);
}

/* The long form belongs to IB mode. */
static void long_noninc_in_dma_mode_is_error_4(void **state) {
    struct rig *rig = *state;
    push(rig, LONG_NONINC(0, 0x200), 1, 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_error(rig, 4, 4);
}

static uint32_t count_left(struct rig *rig) {
    return rig->tesla ? rd(rig, METHOD_COUNT) : rd(rig, DMA_STATE) >> 18 & 0x7ff;
}

static void invalid_mthd_is_raised_at_the_data_word(void **state) {
    struct rig *rig = *state;
    push(rig, INC(2, 0x30, 3));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(pusher_error(rig), 0);
    push(rig, 0x1234, 0x5678);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_error(rig, 2, 8);
    assert_int_equal(rd(rig, DATA_SHADOW), 0x1234);
    assert_int_equal(rd(rig, DMA_STATE) & 0xffff, 2 << 13 | 0x30);
    assert_int_equal(count_left(rig), 3);
    assert_int_equal(cache_entries(rig), 0);
}

static bool method_exists(const struct rig *rig, uint32_t method) {
    static const uint8_t all[] = {0x00, 0x50, 0x60, 0x64, 0x68, 0x6c, 0x80},
                         g84[] = {0x10, 0x14, 0x18, 0x1c, 0x20, 0x24, 0x84};
    for (size_t i = 0; i < sizeof all; i++)
        if (method == all[i])
            return true;
    for (size_t i = 0; i < sizeof g84; i++)
        if (method == g84[i])
            return rig->chip->has_new_semaphore;
    return false;
}

static void low_methods_that_the_puller_has_not_are_error_2(void **state) {
    struct rig *rig = *state;
    push(rig, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    for (uint32_t method = 0; method < 0x100; method += 4) {
        wr(rig, PULL0, 0);
        push(rig, INC(0, method, 1), 0);
        rig_go(rig);
        assert_int_equal(pusher_error(rig), method_exists(rig, method) ? 0 : 2);
        recover(rig);
        assert_int_equal(cache_entries(rig), method_exists(rig, method) ? 1 : 0);
        wr(rig, CACHE_GET, rd(rig, CACHE_PUT));
    }
}

/* The puller is not concerned: entries before the bad word are executed. */
static void puller_goes_on_after_a_pusher_error(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    wr(rig, PULL0, 0);
    push(rig, INC(0, 0x200, 2), 1, 2, 0xe0000000, 0);
    rig_submit(rig, 1);
    rig_run(rig);
    assert_int_equal(cache_entries(rig), 2);
    assert_int_equal(pusher_error(rig), 4);
    wr(rig, PULL0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    expect_methods(rig, {0, 0x200, 1}, {0, 0x204, 2});
}

/* Neither the bit SUSPENDED nor the code alone lets it go on. */
static void error_stays_until_code_and_suspended_are_cleared(void **state) {
    struct rig *rig = *state;
    push(rig, 0xe0000000, 0, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    wr(rig, DMA_PUSH, 1);
    rig_run(rig);
    assert_int_equal(rd(rig, DMA_GET), 4);
    wr(rig, DMA_PUSH, 0x1001);
    wr(rig, DMA_STATE, 0);
    rig_run(rig);
    assert_int_equal(rd(rig, DMA_GET), 4);
    wr(rig, DMA_PUSH, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_GET), 12);
}

static void intr_en_gates_the_line_and_not_the_status(void **state) {
    struct rig *rig = *state;
    wr(rig, INTR_EN, 0);
    push(rig, 0xe0000000, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, INTR), 0x1000);
    assert_int_equal(rd(rig, PMC_INTR), 0);
    assert_false(rig->bus.line);
    wr(rig, INTR_EN, 0x1000);
    assert_int_equal(rd(rig, PMC_INTR), 0x100);
    assert_true(rig->bus.line);
    wr(rig, INTR, ~0x1000u);
    assert_true(rig->bus.line);
    wr(rig, INTR, 0x1000);
    assert_int_equal(rd(rig, INTR), 0);
    assert_false(rig->bus.line);
}

/* A channel in error is not left, however long others wait: its registers belong to the driver now. */
static void channel_in_error_stays_in_cache1(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    push(rig, 0xe0000000, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    push_to(rig, 2, 0);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(current_channel(rig), 1);
    assert_int_equal(user_rd(rig, 2, USER_GET), 0);
    recover(rig);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 2, USER_GET), 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ALL(call_in_subroutine_is_error_1_and_get_is_past_the_word),
        ON_ALL(return_without_call_is_error_3),
        ON_ALL(second_return_is_error_3),
        ON_ALL(words_without_form_are_error_4),
        ON_ALL(return_word_must_be_exact),
        ON_ALL(sli_word_without_sli_is_error_4),
        ON_ALL(long_noninc_in_dma_mode_is_error_4),
        ON_ALL(invalid_mthd_is_raised_at_the_data_word),
        ON_ALL(low_methods_that_the_puller_has_not_are_error_2),
        ON_ALL(puller_goes_on_after_a_pusher_error),
        ON_ALL(error_stays_until_code_and_suspended_are_cleared),
        ON_ALL(intr_en_gates_the_line_and_not_the_status),
        ON_ALL(channel_in_error_stays_in_cache1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
