/* SPDX-License-Identifier: MIT */
/*
 * Errors of the DMA pusher of NV4 .. NV4x and the state they leave; the pushbuffer object and its limits.
 *
 * Sources: envytools docs/hw/fifo/dma-pusher.rst, rnndb/fifo/nv4_pfifo.xml; Linux riva nv4ref.h; nxdk outer.h; xemu
 */
#include "rig.h"

/* DMA_STATE.ERROR as the chip shows it. */
static uint32_t code(const struct rig *rig, uint32_t error) {
    static const uint32_t of_nv4[] = {0, 0, 1, 0, 2, 0, 3};
    return on(rig, "NV4") ? of_nv4[error] : error;
}

static void expect_stopped(struct rig *rig, uint32_t error, uint32_t get) {
    assert_int_equal(pusher_error(rig), code(rig, error));
    assert_int_equal(rd(rig, DMA_PUSH) & 0x1001, 0x1001);
    assert_int_equal(rd(rig, INTR) & I_DMA_PUSHER, I_DMA_PUSHER);
    expect_reg(rig, DMA_GET, get);
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT); /* nothing more happens */
    expect_reg(rig, DMA_GET, get);
}

static void an_unknown_low_method_stops_behind_its_data(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    uint32_t start = rig->pushed[1];
    push(rig, INC(2, 0x20, 5), 0xda, 0xdb);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    expect_stopped(rig, 2, start + 8);
    assert_int_equal(rd(rig, DMA_STATE) & 0x1fffffff, INC(2, 0x20, 5)); /* neither count nor method moved */
    expect_reg(rig, DCOUNT, 0);
    expect_no_methods(rig);
}

static void an_invalid_word_stops_behind_it(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    uint32_t start = rig->pushed[1];
    push(rig, 0xe0000003, INC(0, 0x300, 1), 7);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    expect_stopped(rig, 4, start + 4);
    if (on(rig, "NV5-"))
        expect_reg(rig, RSVD_SHADOW, 0xe0000003);
    expect_no_methods(rig);
}

static void a_call_within_a_subroutine_stops(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    uint32_t start = rig->pushed[1];
    push(rig, CALL(0x8000));
    system_wr(rig, (1 << 20) + 0x8000, CALL(0x9000));
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    expect_stopped(rig, 1, 0x8004);
    assert_int_equal(rd(rig, SUBROUTINE) & ~1u, start + 4);
}

static void a_return_from_nowhere_stops(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    uint32_t start = rig->pushed[1];
    push(rig, RETURN, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    expect_stopped(rig, 3, start + 4);
}

/* What is in the cache is executed all the same. */
static void the_puller_goes_on_after_an_error(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    wr(rig, rig->c1.pull0, 0);
    push(rig, INC(0, 0x300, 2), 1, 2, 0xe0000003);
    rig_go(rig);
    assert_int_equal(pusher_error(rig), code(rig, 4));
    assert_int_equal(cache_entries(rig), 2);
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
    expect_methods(rig, {0, 0x300, 1}, {0, 0x304, 2});
}

/* No other channel while the error waits for the driver. */
static void the_channel_stays_until_the_error_is_acknowledged(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    rig_open(rig, 2);
    push(rig, 0xe0000003);
    rig_go(rig);
    push_to(rig, 2, 0);
    rig_submit(rig, 2);
    rig_run(rig);
    assert_int_equal(current_channel(rig), 1);
    wr(rig, INTR, I_DMA_PUSHER);
    rig_run(rig);
    assert_int_equal(current_channel(rig), 2);
    uint32_t word = ramfc_rd(rig, 1, rig->nv40 ? 0x14 : on(rig, "NV10-") ? 0x10 : 0x0c);
    assert_int_equal(word >> (on(rig, "NV4") ? 30 : 29), code(rig, 4));
}

/* ---- the pushbuffer object ---- */

/* Channel 1 reads its pushbuffer through an object of these words, from `get` on, `words` words. */
static enum pfifo_stop read_through(struct rig *rig, const uint32_t *words, unsigned count, uint32_t get,
                                    uint32_t length) {
    uint32_t instance = rig_instance(rig, words, count);
    wr(rig, CACHES, 0);
    wr(rig, INTR, ~0u);
    wr(rig, DMA_STATE, 0);
    wr(rig, DMA_PUSH, 1);
    wr(rig, DMA_INSTANCE, instance);
    wr(rig, DMA_CTL, 0);
    wr(rig, DMA_GET, get);
    wr(rig, DMA_PUT, get + 4 * length);
    return rig_run(rig);
}

/* The last dword is inside if all its bytes are: LIMIT counts with its low two bits set. */
static void the_limit_is_the_last_byte(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    for (uint32_t limit = 0x3f0; limit < 0x410; limit++) {
        uint32_t inside = (limit | 3) - 3;
        const uint32_t object[] = {0x0002303d, limit, 0x00100002, 0x00100002};
        assert_int_equal(read_through(rig, object, 4, inside, 1), PFIFO_STOP_IDLE);
        expect_reg(rig, DMA_LIMIT, limit & ~3u);
        read_through(rig, object, 4, inside + 4, 1);
        expect_stopped(rig, 6, inside + 4);
        expect_reg(rig, INTR, I_DMA_PUSHER);
    }
}

static void a_linear_object_starts_at_its_base_and_adjust(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    rig->logged = 0;
    for (uint32_t adjust = 0; adjust < 0x1000; adjust += 0x3fc) {
        const uint32_t object[] = {0x0002303d | adjust << 20, 0xffff, 0x00300002, 0};
        system_wr(rig, 0x300000 + adjust + 0x40, INC(0, 0x300, 1));
        system_wr(rig, 0x300000 + adjust + 0x44, adjust);
        assert_int_equal(read_through(rig, object, 4, 0x40, 2), PFIFO_STOP_IDLE);
        expect_methods(rig, {0, 0x300, adjust});
        expect_reg(rig, DMA_CTL, 0x80023000 | adjust);
    }
}

/* A page table, its frames in any order; ADJUST moves the pages along. */
static void a_paged_object_is_translated_page_by_page(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    rig->logged = 0;
    for (uint32_t adjust = 0; adjust < 0x1000; adjust += 0x800) {
        const uint32_t object[] = {0x0002103d | adjust << 20, 0x2fff, 0x00305003, 0x00302001, 0x00309003, 0x00303003};
        for (uint32_t page = 0; page < 3; page++) {
            uint32_t get = page * 0x1000 + 0xff8 - adjust, linear = get + adjust;
            static const uint32_t frames[] = {0x305000, 0x302000, 0x309000, 0x303000};
            system_wr(rig, frames[linear >> 12] + (linear & 0xfff), INC(0, 0x300, 2));
            system_wr(rig, frames[linear >> 12] + (linear & 0xfff) + 4, page);
            system_wr(rig, frames[(linear >> 12) + 1], adjust);
            if (get + 12 > 0x3000)
                continue;
            assert_int_equal(read_through(rig, object, 6, get, 3), PFIFO_STOP_IDLE);
            expect_methods(rig, {0, 0x300, page}, {0, 0x304, adjust});
        }
    }
}

static void a_page_that_is_not_there_raises_both_interrupts(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    const uint32_t object[] = {0x0002103d, 0x1fff, 0x00305003, 0x00302002};
    system_wr(rig, 0x305ffc, 0);
    read_through(rig, object, 4, 0xffc, 2);
    expect_stopped(rig, 6, 0x1000);
    expect_reg(rig, INTR, I_DMA_PUSHER | I_DMA_PTE);
}

/* NV4 alone takes no commands out of VRAM. */
static void a_pushbuffer_in_vram(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    rig->logged = 0;
    const uint32_t object[] = {0x0000303d, 0xffff, 0x00200002, 0x00200002};
    vram_wr(rig, 0x200100, INC(0, 0x300, 1));
    vram_wr(rig, 0x200104, 5);
    enum pfifo_stop stop = read_through(rig, object, 4, 0x100, 2);
    if (on(rig, "NV4")) {
        expect_stopped(rig, 6, 0x100);
        return;
    }
    assert_int_equal(stop, PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x300, 5});
}

/* AT_INFO: the registers are used as they are until somebody clears it; a new DMA_INSTANCE does. */
static void the_object_is_read_when_its_copy_is_not_valid(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    rig->logged = 0;
    const uint32_t object[] = {0x0002303d, 0xffff, 0x00300002, 0};
    system_wr(rig, 0x300000, INC(0, 0x300, 1));
    system_wr(rig, 0x300004, 1);
    system_wr(rig, 0x400000, INC(0, 0x300, 1));
    system_wr(rig, 0x400004, 2);
    read_through(rig, object, 4, 0, 2);
    expect_methods(rig, {0, 0x300, 1});
    uint32_t at = rd(rig, DMA_INSTANCE) << 4;
    ramin_wr(rig, at + 8, 0x00400002);
    wr(rig, DMA_GET, 0); /* the copy is still valid */
    rig_run(rig);
    expect_methods(rig, {0, 0x300, 1});
    wr(rig, DMA_CTL, rd(rig, DMA_CTL) & 0x7fffffff);
    wr(rig, DMA_GET, 0);
    rig_run(rig);
    expect_methods(rig, {0, 0x300, 2});
    ramin_wr(rig, at + 8, 0x00300002);
    wr(rig, DMA_INSTANCE, at >> 4);
    assert_int_equal(rd(rig, DMA_CTL) >> 31, 0);
    wr(rig, DMA_GET, 0);
    rig_run(rig);
    expect_methods(rig, {0, 0x300, 1});
    assert_int_equal(rd(rig, DMA_CTL) >> 31, 1);
    wr(rig, DMA_LIMIT, 0); /* a driver may make it smaller */
    wr(rig, DMA_GET, 0);
    rig_run(rig);
    expect_stopped(rig, 6, 4);
}

/* Nothing is fetched unless all of these allow it. */
static void conditions_of_fetching(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    wr(rig, CACHES, 0);
    push(rig, INC(0, 0x300, 1), 6);
    uint32_t start = rd(rig, DMA_GET);
    const struct {
        uint32_t offset, off, on;
    } switches[] = {{PUSH0, 0, 1},
                    {rig->c1.push1, 1, 1 | rig->mode_bit},
                    {DMA_PUSH, 0, 1},
                    {DMA_PUSH, 0x1001, 1},
                    {DMA_STATE, 0x80000000, 0}};
    for (size_t i = 0; i < COUNT_OF(switches); i++)
        wr(rig, switches[i].offset, switches[i].on);
    for (size_t i = 0; i < COUNT_OF(switches); i++) {
        wr(rig, switches[i].offset, switches[i].off);
        wr(rig, DMA_PUT, rig->pushed[1]);
        assert_int_equal(rd(rig, DMA_PUSH) & 0x10, 0);
        rig_run(rig);
        expect_reg(rig, DMA_GET, start);
        wr(rig, switches[i].offset, switches[i].on);
        assert_int_equal(rd(rig, DMA_PUSH) & 0x110, 0x110); /* busy; nothing is buffered */
    }
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x300, 6});
    assert_int_equal(rd(rig, DMA_PUSH) & 0x110, 0x100);
}

/* GET comes around at the end of its bits. */
static void get_wraps_within_its_bits(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    uint32_t last = on(rig, "NV4:NV1A") ? 0x1ffffffc : 0xfffffffc;
    const uint32_t object[] = {0x0002303d, 0xffffffff, (0x00300000u - (last & ~0xfffu)) | 2, 0};
    system_wr(rig, 0x300ffc, 0);
    read_through(rig, object, 4, last, 1);
    expect_reg(rig, INTR, 0);
    expect_reg(rig, DMA_GET, 0);
}

/* An endless loop is the budget's end, no hang. */
static void a_jump_to_itself_uses_up_the_budget(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    uint32_t here = rig->pushed[1];
    push(rig, OLD_JUMP(here), 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_BUDGET);
    expect_reg(rig, DMA_GET, here);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FROM_NV4(an_unknown_low_method_stops_behind_its_data),
        FROM_NV4(an_invalid_word_stops_behind_it),
        FROM_NV1A(a_call_within_a_subroutine_stops),
        FROM_NV1A(a_return_from_nowhere_stops),
        FROM_NV4(the_puller_goes_on_after_an_error),
        FROM_NV4(the_channel_stays_until_the_error_is_acknowledged),
        FROM_NV4(the_limit_is_the_last_byte),
        FROM_NV4(a_linear_object_starts_at_its_base_and_adjust),
        FROM_NV4(a_paged_object_is_translated_page_by_page),
        FROM_NV4(a_page_that_is_not_there_raises_both_interrupts),
        FROM_NV4(a_pushbuffer_in_vram),
        FROM_NV4(the_object_is_read_when_its_copy_is_not_valid),
        FROM_NV4(conditions_of_fetching),
        FROM_NV4(get_wraps_within_its_bits),
        FROM_NV4(a_jump_to_itself_uses_up_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
