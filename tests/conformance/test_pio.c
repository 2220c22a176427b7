/* SPDX-License-Identifier: MIT */
/*
 * USER of NV3 .. NV4x: what the PIO pusher takes, refuses and answers where it differs from NV1.
 *
 * Sources: envytools rnndb/fifo/nv1_pfifo.xml, nv4_pfifo.xml (RAMRO reasons), hwtest/pfifo.cc, docs/hw/fifo/intro.rst;
 *          Linux riva nv4ref.h (SIZE, STATUS1). UNKNOWN there and chosen: DMA channels and PIO, the free count of NV4.
 */
#include "rig.h"

static void drained(struct rig *rig) {
    wr(rig, RUNOUT_GET, 0);
    wr(rig, RUNOUT_PUT, 0);
    wr(rig, INTR, ~0u);
    wr(rig, rig->c1.get, rd(rig, rig->c1.put));
}

/* The write at `offset` of USER was refused with this reason, alone. */
static void expect_refused(struct rig *rig, uint32_t offset, uint32_t reason, uint32_t data) {
    expect_reg(rig, RUNOUT_PUT, 8);
    expect_runout(rig, 0, offset | reason << 28, data);
    expect_reg(rig, INTR, I_RUNOUT);
}

/* Bits 27:24 of an entry: the lanes that were not active. */
static void an_entry_says_which_bytes_were_written(void **state) {
    struct rig *rig = *state;
    static const struct {
        uint32_t position, bytes, lanes;
    } accesses[] = {{0, 1, 0x1}, {1, 1, 0x2}, {2, 1, 0x4}, {3, 1, 0x8}, {0, 2, 0x3}, {1, 2, 0x6}, {2, 2, 0xc}};
    for (size_t i = 0; i < COUNT_OF(accesses); i++) {
        uint32_t position = accesses[i].position, bytes = accesses[i].bytes;
        uint32_t value = 0x8899aabb & ((1u << 8 * bytes) - 1);
        drained(rig);
        write_bytes(rig, user_at(3, METHOD(2, 0x300)) + position, value, bytes);
        uint32_t word = 3u << 16 | METHOD(2, 0x300) | (~accesses[i].lanes & 0xf) << 24;
        expect_reg(rig, INTR, I_RUNOUT);
        assert_int_equal(ramro_rd(rig, 0) & ~3u, word);
        assert_int_equal(ramro_rd(rig, 4), value << 8 * position);
    }
    drained(rig);
    wr(rig, PUSH0, 0);
    user_wr(rig, 3, METHOD(2, 0x300), 5);
    expect_refused(rig, 3u << 16 | METHOD(2, 0x300), NO_CACHE, 5);
}

/* What the puller knows by itself passes. */
static bool builtin(const struct rig *rig, uint32_t method) {
    if (method == 0x50)
        return on(rig, "NV10-");
    if (method >= 0x60 && method < 0x70)
        return on(rig, "NV1A-");
    return method == 0x80 && on(rig, "NV40-");
}

static void reserved_methods_are_refused_and_builtin_ones_pass(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.pull0, 0);
    wr(rig, rig->c1.push1, 3);
    for (uint32_t method = 0; method < 0x140; method += 4)
        for (uint32_t subchannel = 0; subchannel < 8; subchannel += 7) {
            uint32_t at = 3u << 16 | METHOD(subchannel, method), put;
            drained(rig);
            put = rd(rig, rig->c1.put);
            user_wr(rig, 3, METHOD(subchannel, method), method);
            if (method == 0 || method >= 0x100 || builtin(rig, method)) {
                expect_reg(rig, RUNOUT_STATUS, 0x10);
                assert_true(rd(rig, rig->c1.put) != put);
            } else {
                expect_refused(rig, at, RESERVED, method);
                expect_reg(rig, rig->c1.put, put);
            }
        }
}

/* Rule for rule: partial before reserved, both before everything about channels. */
static void partial_writes_are_illegal_except_of_free(void **state) {
    struct rig *rig = *state;
    for (uint32_t method = 0; method < 0x110; method += 4)
        for (uint32_t bytes = 1; bytes <= 2; bytes++)
            for (uint32_t position = 0; position + bytes <= 4; position++) {
                bool half_of_free = (method & ~0xfu) == 0x10 && bytes == 2 && position != 1;
                drained(rig);
                write_bytes(rig, user_at(5, method) + position, 0, bytes);
                assert_int_equal(ramro_rd(rig, 0) >> 28, half_of_free ? RESERVED : ILLEGAL_ACCESS);
                expect_reg(rig, RUNOUT_PUT, 8);
                expect_reg(rig, INTR, I_RUNOUT);
            }
}

static void a_dma_channel_takes_no_methods(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 1);
    static const uint32_t methods[] = {0, 0x100, 0x180, 0x1ffc};
    for (size_t i = 0; i < COUNT_OF(methods); i++) {
        drained(rig);
        user_wr(rig, 1, methods[i], 1);
        expect_refused(rig, 1u << 16 | methods[i], NO_CACHE, 1);
    }
    static const uint32_t reserved[] = {0x04, 0x10, 0x20, 0xfc};
    for (size_t i = 0; i < COUNT_OF(reserved); i++) {
        drained(rig);
        user_wr(rig, 1, reserved[i], 1);
        expect_refused(rig, 1u << 16 | reserved[i], RESERVED, 1);
    }
}

/* DMA control registers of a channel that is not in DMA mode are reserved; the read only ones of one that is, nothing.
 */
static void dma_control_belongs_to_dma_channels(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 1);
    static const uint32_t registers[] = {USER_PUT, USER_GET, USER_REF, USER_CGET};
    for (size_t i = 0; i < COUNT_OF(registers); i++) {
        drained(rig);
        user_wr(rig, 2, registers[i], 0x44);
        expect_refused(rig, 2u << 16 | registers[i], RESERVED, 0x44);
        drained(rig);
        user_wr(rig, 1, registers[i], 0x44);
        expect_reg(rig, RUNOUT_STATUS, 0x10);
    }
    assert_int_equal(ramfc_rd(rig, 1, 0), 0x44);
    assert_int_equal(ramfc_rd(rig, 1, 4), 0);
    assert_int_equal(ramfc_rd(rig, 1, 8) & 0xffff0000, 0);
    drained(rig);
    write_bytes(rig, user_at(1, USER_PUT), 0x88, 2);
    assert_int_equal(ramfc_rd(rig, 1, 0), 0x44);
    assert_int_equal(ramro_rd(rig, 0) >> 28, ILLEGAL_ACCESS);
}

static void put_of_a_channel_is_in_the_cache_or_in_ramfc(void **state) {
    struct rig *rig = *state;
    uint32_t mask = on(rig, "NV4:NV1A") ? 0x1ffffffc : 0xfffffffc;
    wr(rig, CACHES, 0);
    rig_open(rig, 1);
    rig_open(rig, 2);
    wr(rig, rig->c1.push1, 1 | rig->mode_bit);
    wr(rig, PUSH0, 0);
    for (uint32_t bit = 0; bit < 32; bit++) {
        user_wr(rig, 1, USER_PUT, 1u << bit);
        expect_reg(rig, DMA_PUT, 1u << bit & mask);
        expect_reg(rig, user_at(1, USER_PUT), 1u << bit & mask);
        assert_int_equal(ramfc_rd(rig, 1, 0), 0);
        user_wr(rig, 2, USER_PUT, 1u << bit);
        assert_int_equal(ramfc_rd(rig, 2, 0), 1u << bit & mask);
        expect_reg(rig, user_at(2, USER_PUT), 1u << bit & mask);
        expect_reg(rig, DMA_PUT, 1u << bit & mask);
    }
    wr(rig, DMA_GET, 0x120);
    ramfc_wr(rig, 2, 4, 0x340);
    for (uint32_t subchannel = 0; subchannel < 8; subchannel++) { /* the same in each window */
        expect_reg(rig, user_at(1, METHOD(subchannel, USER_GET)), 0x120);
        expect_reg(rig, user_at(2, METHOD(subchannel, USER_GET)), 0x340);
    }
    if (on(rig, "NV10-")) {
        wr(rig, REF, 0xabcdef01);
        ramfc_wr(rig, 2, 8, 0x10fedcba);
        expect_reg(rig, user_at(1, USER_REF), 0xabcdef01);
        expect_reg(rig, user_at(2, USER_REF), 0x10fedcba);
    }
    expect_reg(rig, RUNOUT_STATUS, 0x10);
}

/* 0xc00000: control registers alone, with the call address that hides subroutines. */
static void the_new_control_area_shows_the_same_registers(void **state) {
    struct rig *rig = *state;
    wr(rig, CACHES, 0);
    rig_open(rig, 1);
    rig_open(rig, 2);
    wr(rig, PUSH0, 0);
    wr(rig, rig->c1.push1, 1 | rig->mode_bit);
    for (uint32_t channel = 1; channel <= 2; channel++) {
        uint32_t area = 0xc00000 + channel * 0x1000;
        wr(rig, area + USER_PUT, 0x400 * channel);
        expect_reg(rig, area + USER_PUT, 0x400 * channel);
        expect_reg(rig, user_at(channel, USER_PUT), 0x400 * channel);
        wr(rig, area + USER_GET, 0x77777770);
        wr(rig, area + USER_REF, 0x77777770);
        wr(rig, area + USER_CGET, 0x77777770);
        for (uint32_t offset = 0; offset < 0x1000; offset += 4)
            if (offset != USER_PUT)
                expect_reg(rig, area + offset, 0);
    }
    wr(rig, DMA_GET, 0x208);
    expect_reg(rig, 0xc01000 + USER_CGET, 0x208);
    wr(rig, SUBROUTINE, 0x3000);
    wr(rig, DMA_STATE, 1u << 17);
    expect_reg(rig, 0xc01000 + USER_GET, 0x208);
    expect_reg(rig, 0xc01000 + USER_CGET, 0x3000);
    expect_reg(rig, RUNOUT_STATUS, 0x10);
}

/* ---- reads ---- */

static void a_read_of_a_method_is_refused_and_gives_0(void **state) {
    struct rig *rig = *state;
    for (uint32_t method = 0; method < 0x200; method += 4)
        for (uint32_t channel = 0; channel < 2; channel++) {
            bool dma =
                rig->nv4 && (method == USER_PUT || method == USER_GET || (method == USER_REF && on(rig, "NV10-")));
            drained(rig);
            wr(rig, rig->c1.push1, 0);
            uint32_t value = rd(rig, user_at(channel, METHOD(3, method)));
            if (method == USER_FREE || dma) {
                expect_reg(rig, RUNOUT_STATUS, 0x10);
                continue;
            }
            assert_int_equal(value, 0);
            expect_refused(rig, channel << 16 | METHOD(3, method) | 1u << 23, ILLEGAL_ACCESS, 0);
            assert_int_equal(rd(rig, rig->c1.status) & 1, channel == 0);
        }
}

static void free_is_read_in_any_size(void **state) {
    struct rig *rig = *state;
    uint32_t count = rd(rig, user_at(1, USER_FREE));
    assert_true(count == 0x7c || count == 0xfc);
    assert_int_equal(read_bytes(rig, user_at(1, USER_FREE), 1), count);
    assert_int_equal(read_bytes(rig, user_at(1, USER_FREE), 2), count);
    assert_int_equal(read_bytes(rig, user_at(1, USER_FREE) + 2, 2), 0);
    expect_reg(rig, RUNOUT_STATUS, 0x10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_NV3(an_entry_says_which_bytes_were_written),
        FROM_NV4(an_entry_says_which_bytes_were_written),
        ON_NV3(partial_writes_are_illegal_except_of_free),
        FROM_NV4(partial_writes_are_illegal_except_of_free),
        ON_NV3(reserved_methods_are_refused_and_builtin_ones_pass),
        FROM_NV4(reserved_methods_are_refused_and_builtin_ones_pass),
        FROM_NV4(a_dma_channel_takes_no_methods),
        FROM_NV4(dma_control_belongs_to_dma_channels),
        FROM_NV4(put_of_a_channel_is_in_the_cache_or_in_ramfc),
        FROM_NV40(the_new_control_area_shows_the_same_registers),
        ON_ALL(a_read_of_a_method_is_refused_and_gives_0),
        ON_ALL(free_is_read_in_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
