/* SPDX-License-Identifier: MIT */
/* The DMA pusher of NV40 .. MCP89 in DMA mode: forms of words, control flow, what stops it. Errors:
 * test_pusher_errors.c */
#include "rig.h"

static void increasing_methods_go_up_by_4(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x200, 3), 1, 2, 3);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1}, {0, 0x204, 2}, {0, 0x208, 3});
    assert_int_equal(rd(rig, DMA_GET), rig->pushed[1]);
}

static void noninc_methods_stay(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, NONINC(0, 0x200, 3), 1, 2, 3, INC(0, 0x100, 1), 4);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1}, {0, 0x200, 2}, {0, 0x200, 3}, {0, 0x100, 4});
}

static void count_has_11_bits(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, NONINC(0, 0x200, 0x7ff));
    for (uint32_t i = 0; i < 0x7ff; i++)
        push(rig, i);
    push(rig, INC(0, 0x400, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->logged, 0x800);
    assert_int_equal(rig->log[0x7fe].data, 0x7fe);
    assert_int_equal(rig->log[0x7ff].method, 0x400);
}

static void every_subchannel_is_its_own(void **state) {
    struct rig *rig = *state;
    uint32_t instance[8];
    for (uint32_t s = 0; s < 8; s++) {
        instance[s] = rig_object(rig, 1, 0x1000 + s, 1 + s % 2, 0x4097);
        push(rig, INC(s, 0, 1), 0x1000 + s);
    }
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, ENGINE), 0x21212121);
    for (uint32_t s = 0; s < 8; s++) {
        assert_int_equal(rig->log[s].data, instance[s]);
        push(rig, INC(s, 0x1ffc, 1), s);
    }
    rig->logged = 0;
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->logged, 8);
    for (uint32_t s = 0; s < 8; s++) {
        assert_int_equal(rig->log[s].subchannel, s);
        assert_int_equal(rig->log[s].method, 0x1ffc);
        assert_int_equal(rig->log_engine[s], 1 + s % 2);
    }
}

static uint32_t remaining_count(struct rig *rig) {
    return rig->tesla ? rd(rig, METHOD_COUNT) : rd(rig, DMA_STATE) >> 18 & 0x7ff;
}

static void header_with_count_zero_only_loads_dma_state(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, NONINC(5, 0x1abc, 0));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_STATE) & 0xffff, 0xa000 | 0x1abc | 1);
    assert_int_equal(remaining_count(rig), 0);
    push(rig, INC(0, 0x3c, 0));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_STATE) & 0xffff, 0x3c);
    assert_int_equal(pusher_error(rig), 0);
    expect_no_methods(rig);
}

static void the_zero_word_is_a_nop(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, 0, 0, INC(0, 0x200, 1), 7, 0, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 7});
    assert_int_equal(rd(rig, DMA_STATE), 0);
}

/* The header is read, the data not yet there: everything is in registers and goes on later. */
static void packet_stops_at_put_and_goes_on(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(3, 0x1200, 4));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(remaining_count(rig), 4);
    push(rig, 1);
    wr(rig, ENGINE, 0x00001000);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(remaining_count(rig), 3);
    assert_int_equal(rd(rig, DMA_STATE) & 0xffff, 0x6000 | 0x1204);
    push(rig, 2, 3, 4, INC(3, 0x100, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {3, 0x1200, 1}, {3, 0x1204, 2}, {3, 0x1208, 3}, {3, 0x120c, 4}, {3, 0x100, 5});
}

static void old_jump_goes_on_at_its_target(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, OLD_JUMP(0x1000));
    rig->pushed[1] = 0x1000;
    push(rig, INC(0, 0x200, 1), 9);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 9});
    assert_int_equal(user_rd(rig, 1, USER_GET), 0x1008);
}

static void old_jump_keeps_29_bits(void **state) {
    struct rig *rig = *state;
    push(rig, 0x3ffffffc, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, DMA_GET), 0x1ffffffc);
    assert_int_equal(pusher_error(rig), 6);
}

static void jump_keeps_32_bits(void **state) {
    struct rig *rig = *state;
    push(rig, 0xfffffff1, 0);
    if (rig->tesla)
        ramfc_wr(rig, 1, 0x4c, 0xfffffff0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, DMA_GET), 0xfffffff0);
    assert_int_equal(pusher_error(rig), 6);
}

static void jump_goes_on_at_its_target(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t at = (uint32_t)rig->pushed[1];
    push(rig, JUMP(0x2000));
    rig->pushed[1] = 0x2000;
    push(rig, INC(0, 0x200, 1), 9);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 9});
    assert_int_equal(rd(rig, JMP_SHADOW), at + 4);
}

static void call_returns_to_the_word_after_it(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    rig_poke(rig, 1, 0x3000, INC(0, 0x200, 1));
    rig_poke(rig, 1, 0x3004, 1);
    rig_poke(rig, 1, 0x3008, RETURN);
    push(rig, CALL(0x3000), INC(0, 0x300, 1), 2, CALL(0x3000));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1}, {0, 0x300, 2}, {0, 0x200, 1});
    assert_int_equal(rd(rig, DMA_STATE) >> 17 & 1, 0);
    assert_int_equal(rd(rig, DMA_GET), rig->pushed[1]);
    assert_int_equal(rd(rig, JMP_SHADOW), 0);
}

static void subroutine_shows_in_state_register_and_user(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    rig_poke(rig, 1, 0x3000, NONINC(0, 0x200, 2));
    rig_poke(rig, 1, 0x3004, 1);
    rig_poke(rig, 1, 0x3008, 2);
    uint32_t call = (uint32_t)rig->pushed[1];
    push(rig, CALL(0x3000));
    rig_submit(rig, 1);
    assert_int_equal(rig_run_for(rig, 2), PFIFO_STOP_BUDGET);
    assert_int_equal(rd(rig, DMA_STATE) >> 17 & 1, 1);
    assert_int_equal(rd(rig, SUBROUTINE), call + 4);
    assert_int_equal(user_rd(rig, 1, USER_GET), 0x3004);
    assert_int_equal(user_rd(rig, 1, USER_CGET), call + 4);
    rig_poke(rig, 1, 0x300c, RETURN);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_CGET), call + 4);
    assert_int_equal(rd(rig, DMA_STATE) >> 17 & 1, 0);
    expect_methods(rig, {0, 0x200, 1}, {0, 0x200, 2});
}

/* A packet in a subroutine does not forget that it is in one. */
static void subroutine_survives_packets(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    rig_poke(rig, 1, 0x3000, INC(7, 0x1ffc, 0));
    rig_poke(rig, 1, 0x3004, NONINC(0, 0x200, 1));
    rig_poke(rig, 1, 0x3008, 1);
    rig_poke(rig, 1, 0x300c, RETURN);
    push(rig, CALL(0x3000), INC(0, 0x300, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1}, {0, 0x300, 2});
}

static void jumps_are_allowed_in_a_subroutine(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    rig_poke(rig, 1, 0x3000, JUMP(0x4000));
    rig_poke(rig, 1, 0x4000, RETURN);
    push(rig, CALL(0x3000), INC(0, 0x300, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x300, 2});
}

static void shadows_show_header_data_and_count(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x200, 5), 0x11, 0x22, 0x33);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, RSVD_SHADOW), INC(0, 0x200, 5));
    assert_int_equal(rd(rig, DATA_SHADOW), 0x33);
    assert_int_equal(rd(rig, DCOUNT), 3 * 4);
    push(rig, 0x44, 0x55, INC(0, 0x400, 1));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, RSVD_SHADOW), INC(0, 0x400, 1));
    assert_int_equal(rd(rig, DATA_SHADOW), 0x55);
    assert_int_equal(rd(rig, DCOUNT), 0);
}

/* [chosen] the method field is 11 bits wide: after 0x1ffc comes method 0, which binds. */
static void method_after_1ffc_is_0(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t other = rig_object(rig, 1, 0x77, 2, 0x3174);
    push(rig, INC(0, 0x1ffc, 2), 1, 0x77);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x1ffc, 1}, {0, 0, other});
    assert_int_equal(rig->engine[2].bound_class, 0x3174);
}

/* ---- SLI ---- */

static void sli_inactive_discards_methods_but_not_jumps(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    rig_poke(rig, 1, 0x3000, INC(0, 0x204, 1));
    rig_poke(rig, 1, 0x3004, 2);
    rig_poke(rig, 1, 0x3008, RETURN);
    push(rig, SLI(2), INC(0, 0x200, 1), 1, CALL(0x3000), JUMP(0x5000));
    rig->pushed[1] = 0x5000;
    push(rig, INC(0, 0, 1), 0xbad, SLI(3), INC(0, 0x208, 1), 3);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x208, 3});
    assert_int_equal(rd(rig, SLI_REG), 0x30000001);
}

static void sli_active_is_any_common_bit(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    wr(rig, SLI_REG, 0x20000a5a);
    static const struct {
        uint32_t word;
        bool active;
    } rows[] = {{SLI(0x5a5), false}, {SLI(0x800), true}, {SLI(0x000), false},       {SLI(0xfff), true},
                {SLI(0x400), false}, {SLI(0x002), true}, {SLI(0x001) | 0xc, false}, {SLI(0x008) | 0x4, true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        push(rig, rows[i].word);
        assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
        assert_int_equal(rd(rig, SLI_REG), 0x20000a5a | (rows[i].active ? 1u << 28 : 0));
    }
}

/* Discarded words still count: the packet ends where it ends, and its method goes on. */
static void discarded_words_are_counted(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    wr(rig, SLI_REG, 0x20000001);
    push(rig, INC(0, 0x200, 4), 1, 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_no_methods(rig);
    wr(rig, SLI_REG, 0x30000001);
    push(rig, 3, 4);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x208, 3}, {0, 0x20c, 4});
}

static void sli_active_counts_only_while_enabled(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    wr(rig, SLI_REG, 1);
    push(rig, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1});
}

/* ---- when it runs ---- */

static void pusher_fills_cache1_and_stops(void **state) {
    struct rig *rig = *state;
    uint32_t depth = rig->chip->cache1_entries;
    rig_bind(rig);
    wr(rig, PULL0, 0);
    uint32_t begin = (uint32_t)rig->pushed[1];
    push(rig, NONINC(0, 0x200, depth + 10));
    for (uint32_t i = 0; i < depth + 10; i++)
        push(rig, i);
    assert_int_equal(rig_go(rig), PFIFO_STOP_FROZEN);
    assert_int_equal(cache_entries(rig), depth);
    assert_int_equal(rd(rig, STATUS), 0x100);
    assert_int_equal(rd(rig, DMA_GET), begin + 4 + 4 * depth);
    uint32_t slot = rd(rig, CACHE_GET) / 4 % depth;
    assert_int_equal(rd(rig, CACHE_METHOD + 8 * slot), 0x200 | 1);
    assert_int_equal(rd(rig, CACHE_DATA + 8 * slot), 0);
    wr(rig, PULL0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, STATUS), 0x10);
    assert_int_equal(rig->logged, depth + 10);
    for (uint32_t i = 0; i < depth + 10; i++)
        assert_int_equal(rig->log[i].data, i);
}

static void entry_has_method_subchannel_and_noninc_bit(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    wr(rig, PULL0, 0);
    uint32_t first = rd(rig, CACHE_GET) / 4;
    push(rig, INC(5, 0x1234, 2), 0xaaaa5555, 2, NONINC(7, 0x100, 1), 3);
    assert_int_equal(rig_go(rig), PFIFO_STOP_FROZEN);
    assert_int_equal(rd(rig, CACHE_METHOD + 8 * first), 5 << 13 | 0x1234);
    assert_int_equal(rd(rig, CACHE_DATA + 8 * first), 0xaaaa5555);
    assert_int_equal(rd(rig, CACHE_METHOD + 8 * first + 8), 5 << 13 | 0x1238);
    assert_int_equal(rd(rig, CACHE_METHOD + 8 * first + 16), 7 << 13 | 0x100 | 1);
    assert_int_equal(rd(rig, CACHE_DATA + 8 * first + 16), 3);
}

static void switched_off(struct rig *rig, uint32_t reg, uint32_t off, uint32_t on) {
    uint32_t get = rd(rig, DMA_GET);
    wr(rig, reg, off);
    push(rig, INC(0, 0x200, 1), reg);
    assert_int_equal(rig_go(rig), PFIFO_STOP_FROZEN);
    assert_int_equal(rd(rig, DMA_GET), get);
    expect_no_methods(rig);
    wr(rig, reg, on);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, reg});
}

/* Methods may be taken through CACHE1: then each is in its slot, the oldest ones last, as on the chip. */
static void what_went_through_cache1_stays_in_its_slots(void **state) {
    struct rig *rig = *state;
    const uint32_t entries = rig->tesla ? 512 : 256;
    struct {
        uint32_t method, data;
    } slot[512] = {{0}};
    rig->fifo->materialise = true;
    rig_bind(rig);
    uint32_t at = rd(rig, CACHE_PUT) / 4;
    for (uint32_t packet = 0; packet < 200; packet++) {
        uint32_t count = 1 + packet % 7, noninc = packet & 1, method = 0x400 + 8 * packet, subchannel = 0;
        push(rig, noninc ? NONINC(subchannel, method, count) : INC(subchannel, method, count));
        for (uint32_t i = 0; i < count; i++, at++) {
            slot[at % entries].method = subchannel << 13 | (method + (noninc ? 0 : 4 * i)) | noninc;
            slot[at % entries].data = packet << 8 | i;
            push(rig, packet << 8 | i);
        }
    }
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->logged, at - 1);
    for (uint32_t i = 0; i < entries; i++) {
        assert_int_equal(rd(rig, CACHE_METHOD + 8 * i), slot[i].method);
        assert_int_equal(rd(rig, CACHE_DATA + 8 * i), slot[i].data);
    }
}

static void pusher_switched_off_is_frozen(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    switched_off(rig, PUSH0, 0, 1);
    switched_off(rig, DMA_PUSH, 0, 1);
}

/* SUSPENDED alone keeps the pusher still; nothing but the driver clears it. */
static void suspended_pusher_does_not_fetch(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t get = rd(rig, DMA_GET);
    wr(rig, DMA_PUSH, 1 << 12 | 1);
    push(rig, INC(0, 0x200, 1), 1);
    assert_int_not_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_GET), get);
    wr(rig, DMA_PUSH, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1});
}

static void pio_mode_does_not_fetch(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t get = rd(rig, DMA_GET);
    push(rig, INC(0, 0x200, 1), 1);
    rig_submit(rig, 1);
    wr(rig, PUSH1, 1);
    wr(rig, CACHES, 0);
    rig_run(rig);
    assert_int_equal(rd(rig, DMA_GET), get);
    wr(rig, PUSH1, 1 | 1 << 16);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1});
}

static void dma_push_shows_busy_while_work_is_left(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    assert_int_equal(rd(rig, DMA_PUSH) & 0x111, 0x101);
    push(rig, 0, 0);
    rig_submit(rig, 1);
    assert_int_equal(rd(rig, DMA_PUSH) & 0x111, 0x111);
    wr(rig, DMA_PUSH, 0);
    assert_int_equal(rd(rig, DMA_PUSH) & 0x111, 0x100);
}

static void endless_jump_is_a_budget_stop(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t here = (uint32_t)rig->pushed[1];
    push(rig, JUMP(here), 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_BUDGET);
    assert_int_equal(rd(rig, DMA_GET), here);
    rig_poke(rig, 1, here, OLD_JUMP(here + 4));
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ALL(increasing_methods_go_up_by_4),
        ON_ALL(noninc_methods_stay),
        ON_ALL(count_has_11_bits),
        ON_ALL(every_subchannel_is_its_own),
        ON_ALL(header_with_count_zero_only_loads_dma_state),
        ON_ALL(the_zero_word_is_a_nop),
        ON_ALL(packet_stops_at_put_and_goes_on),
        ON_ALL(old_jump_goes_on_at_its_target),
        ON_ALL(old_jump_keeps_29_bits),
        ON_ALL(jump_keeps_32_bits),
        ON_ALL(jump_goes_on_at_its_target),
        ON_ALL(call_returns_to_the_word_after_it),
        ON_ALL(subroutine_shows_in_state_register_and_user),
        ON_ALL(subroutine_survives_packets),
        ON_ALL(jumps_are_allowed_in_a_subroutine),
        ON_ALL(shadows_show_header_data_and_count),
        ON_ALL(method_after_1ffc_is_0),
        ON_ALL(sli_inactive_discards_methods_but_not_jumps),
        ON_ALL(sli_active_is_any_common_bit),
        ON_ALL(discarded_words_are_counted),
        ON_ALL(sli_active_counts_only_while_enabled),
        ON_ALL(pusher_fills_cache1_and_stops),
        ON_ALL(entry_has_method_subchannel_and_noninc_bit),
        ON_ALL(what_went_through_cache1_stays_in_its_slots),
        ON_ALL(pusher_switched_off_is_frozen),
        ON_ALL(suspended_pusher_does_not_fetch),
        ON_ALL(pio_mode_does_not_fetch),
        ON_ALL(dma_push_shows_busy_while_work_is_left),
        ON_ALL(endless_jump_is_a_budget_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
