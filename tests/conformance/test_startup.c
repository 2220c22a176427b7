/* SPDX-License-Identifier: MIT */
/*
 * How drivers bring PFIFO up, from power-on: after each, commands get through. And how they pause it.
 *
 * Sources: nouveau nvkm/engine/fifo/nv04.c, nv17.c, nv40.c; XFree86 riva_tbl.h, nv1setup.c (NetBSD xsrc); Haiku
 *          nv_acc_dma.c
 */
#include "rig.h"

struct write {
    uint32_t offset, value;
};

static void write_all(struct rig *rig, const struct write *writes, size_t count) {
    for (size_t i = 0; i < count; i++)
        wr(rig, writes[i].offset, writes[i].value);
}
#define WRITES(rig, ...)                                                                                               \
    write_all(rig, (const struct write[]){__VA_ARGS__}, COUNT_OF(((const struct write[]){__VA_ARGS__})))

/* ---- nouveau ---- */

static void nouveau(struct rig *rig) {
    uint32_t enable = rd(rig, PMC_ENABLE);
    wr(rig, PMC_ENABLE, enable & ~0x100u);
    wr(rig, PMC_ENABLE, enable | 0x1100);
    rig->ramht = 0x10000;
    WRITES(rig, {DELAY_0, 0xff}, {DMA_TIMESLICE, rig->nv40 ? 0x2101ffff : 0x0101ffff});
    if (rig->nv40)
        wr(rig, SLI_REG, 1);
    WRITES(rig, {RAMHT, 3u << 24 | 0x100}, {RAMRO, rig->ramro >> 8});
    if (on(rig, "NV40:NV44"))
        wr(rig, RAMFC_NV40, 0x30002);
    else if (on(rig, "G70:G72"))
        WRITES(rig, {RAMFC_SELECT, 1}, {RAMFC_NV40, 0x30002});
    else if (rig->nv40)
        WRITES(rig, {RAMFC_SELECT, 0},
               {RAMFC_NV40, ((uint32_t)(rig->memory.config.vram_bytes - 0x80000 + 0x20000) >> 16) | 0x30000});
    else
        wr(rig, RAMFC, rig->ramfc >> 8 | (on(rig, "NV17-") ? 0x10000 : 0));
    if (on(rig, "NV1A:NV17")) /* the small form on these */
        rig->ramfc_stride = 32;
    WRITES(rig, {rig->c1.push1, rig->channels - 1}, {INTR, ~0u}, {INTR_EN, ~0u}, {PUSH0, 1}, {rig->c1.pull0, 1},
           {CACHES, 1});
}

static void nouveau_starts_channels(void **state) {
    struct rig *rig = *state;
    nouveau(rig);
    for (uint32_t channel = 1; channel < 6; channel++) {
        rig_open(rig, channel);
        uint32_t instance = rig_object(rig, channel, 0x80000001, 1, 0x62);
        push_to(rig, channel, INC(0, 0, 1), 0x80000001, INC(0, 0x104, 2), channel, 7);
        assert_int_equal(current_channel(rig), channel == 1 ? rig->channels - 1 : channel - 1);
        rig_submit(rig, channel); /* this write starts it */
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        expect_methods(rig, {0, 0, instance}, {0, 0x104, channel}, {0, 0x108, 7});
        expect_reg(rig, user_at(channel, USER_GET), rig->pushed[channel]);
        expect_reg(rig, INTR, 0);
    }
}

/* As many channels as there are, in the small form on NV1A, too. */
static void nouveau_channels_do_not_disturb_each_other(void **state) {
    struct rig *rig = *state;
    nouveau(rig);
    for (uint32_t channel = 0; channel < RIG_CHANNELS; channel++) {
        rig_open(rig, channel);
        rig_object(rig, channel, 0x80000001, 1, 0x62);
        push_to(rig, channel, INC(channel, 0, 1), 0x80000001);
        for (uint32_t i = 0; i < 50; i++)
            push_to(rig, channel, INC(channel, 0x200, 1), channel << 8 | i);
        rig_submit(rig, channel);
    }
    uint32_t seen[RIG_CHANNELS] = {0};
    for (unsigned turn = 0; turn < 2000; turn++) {
        wr(rig, TIMESLICE, ~0u); /* as often as possible */
        if (rig_run_for(rig, 1) == PFIFO_STOP_IDLE)
            break;
    }
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    for (size_t i = 0; i < rig->logged; i++) {
        const struct rig_method *m = &rig->log[i];
        uint32_t channel = rig->log_channel[i];
        assert_int_equal(m->subchannel, channel);
        if (m->method == 0x200)
            assert_int_equal(m->data, channel << 8 | seen[channel]++);
    }
    for (uint32_t channel = 0; channel < RIG_CHANNELS; channel++)
        assert_int_equal(seen[channel], 50);
}

/* ---- pause ---- */

static void nouveau_pauses_and_resumes(void **state) {
    struct rig *rig = *state;
    rig_start(rig);
    rig_open_bound(rig);
    rig_object(rig, 1, 0x5f, 0, 0x500);
    push(rig, INC(0, 0x300, 3), 1, 2, 3, INC(1, 0, 1), 0xbad, INC(0, 0x300, 1), 4);
    rig_submit(rig, 1);
    for (uint32_t unit = 0; unit < 20; unit++) {
        rig_run_for(rig, 1);
        wr(rig, CACHES, 0);
        wr(rig, rig->c1.pull0, rd(rig, rig->c1.pull0) & ~1u);
        uint32_t pull0 = rd(rig, rig->c1.pull0), logged = (uint32_t)rig->logged;
        assert_int_equal(pull0 & 0x1001, 0);
        if (pull0 & P_HASH_FAILED) {
            wr(rig, INTR, I_CACHE_ERROR);
            expect_reg(rig, INTR, 0);
        }
        wr(rig, HASH, 0);
        rig_run_for(rig, 0);
        assert_int_equal(rig->logged, logged);
        wr(rig, rig->c1.pull0, pull0 | 1);
        wr(rig, CACHES, 1);
    }
    rig_run(rig);
    expect_reg(rig, INTR, I_CACHE_ERROR); /* the bad entry is met again after each resume */
    wr(rig, INTR, I_CACHE_ERROR);
    wr(rig, rig->c1.get, rd(rig, rig->c1.get) + 4);
    wr(rig, rig->c1.pull0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x300, 1}, {0, 0x304, 2}, {0, 0x308, 3}, {0, 0x300, 4});
}

/* ---- XFree86 ---- */

/* The drivers' handles and where the tables have them. */
static const struct {
    uint32_t handle, nv3_byte, nv4_byte;
} xfree86[] = {{0x80000000, 0x800, 0x080}, {0x80000001, 0x810, 0x088}, {0x80000002, 0x820, 0x090},
               {0x80000010, 0x900, 0x000}, {0x80000011, 0x910, 0x008}, {0x80000012, 0x920, 0x010},
               {0x80000013, 0x930, 0x018}};

static uint32_t xfree86_object(struct rig *rig, size_t i) {
    uint32_t instance = 0x1140 + (uint32_t)i;
    if (rig->nv4) {
        ramin_wr(rig, instance << 4, 0x42 + (uint32_t)i);
        ramin_wr(rig, 0x10000 + xfree86[i].nv4_byte, xfree86[i].handle);
        ramin_wr(rig, 0x10004 + xfree86[i].nv4_byte, 0x80010000 | instance);
    } else if (rig->nv3) {
        ramin_wr(rig, xfree86[i].nv3_byte, xfree86[i].handle);
        ramin_wr(rig, xfree86[i].nv3_byte + 4, 0x00c20000 | instance);
    } else {
        rig_old_object(rig, 0, xfree86[i].handle, 0x42, instance);
    }
    return instance;
}

/* Method 0 with a handle on each subchannel, then commands as long as FREE allows them. */
static void xfree86_draws(struct rig *rig, uint32_t promise) {
    for (uint32_t i = 0; i < COUNT_OF(xfree86); i++) {
        uint32_t instance = xfree86_object(rig, i);
        user_wr(rig, 0, METHOD(i, 0), xfree86[i].handle);
        rig_run(rig);
        expect_methods(rig, {i, 0, instance});
    }
    uint32_t sent = 0, room = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        while (room == 0) {
            room = read_bytes(rig, user_at(0, METHOD(6, USER_FREE)), 2) >> 2;
            if (room == 0)
                rig_run(rig);
            assert_true(room <= promise / 4);
        }
        user_wr(rig, 0, METHOD(6, 0x300), sent++);
        room--;
    }
    rig_run(rig);
    assert_int_equal(read_bytes(rig, user_at(0, USER_FREE), 2), promise);
    assert_int_equal(rig->logged, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(rig->log[i].data, i);
    expect_reg(rig, RUNOUT_STATUS, 0x10);
    expect_reg(rig, INTR, 0);
}

static void xfree86_starts_nv4(void **state) {
    struct rig *rig = *state;
    wr(rig, PMC_ENABLE, ~0u);
    WRITES(rig, {0x2500, 0}, {0x3200, 0}, {0x3250, 0}, {0x3000, 0}, {0x3050, 0}, {0x2210, 0x03000100}, {0x2214, 0x110},
           {0x2218, 0x112}, {0x250c, 0xffff}, {0x3258, 0xffff}, {0x2140, 0}, {0x2100, ~0u}, {0x3054, 1}, {0x3200, 1},
           {0x3250, 1}, {0x3254, 1}, {0x2500, 1});
    xfree86_draws(rig, 0x200);
}

static void xfree86_starts_nv3(void **state) {
    struct rig *rig = *state;
    wr(rig, PMC_ENABLE, ~0u);
    WRITES(rig, {0x2500, 0}, {0x3200, 0}, {0x3240, 0}, {0x3250, 0}, {0x3204, 0}, {0x2210, 0}, {0x2218, 0x2000},
           {0x2214, 0x2200}, {0x3210, 0}, {0x3270, 0}, {0x2410, 0}, {0x2420, 0}, {0x2400, 0});
    for (uint32_t i = 0; i < 8; i++)
        wr(rig, 0x3280 + 16 * i, 0);
    WRITES(rig, {0x2140, 0}, {0x2100, ~0u}, {0x3200, 1}, {0x3240, 1}, {0x2500, 1});
    xfree86_draws(rig, on(rig, "NV3T") ? 0xfc : 0x7c);
}

static void xfree86_starts_nv1(void **state) {
    struct rig *rig = *state;
    wr(rig, PMC_ENABLE, ~0u);
    WRITES(rig, {0x2500, 0}, {0x3000, 0}, {0x3200, 0}, {0x3040, 0}, {0x3240, 0});
    for (uint32_t channel = 0; channel < 64; channel++)
        for (uint32_t i = 0; i < 32; i += 4)
            ramfc_wr(rig, channel, i, 0);
    WRITES(rig, {0x3070, 0}, {0x3030, 0}, {0x3270, 0}, {0x3230, 0}, {0x2410, 0}, {0x2420, 0}, {0x2200, 0}, {0x3080, 0});
    for (uint32_t i = 0; i < 8; i++)
        wr(rig, 0x3280 + 16 * i, 0);
    for (uint32_t i = 0; i < 0x1000; i += 4)
        ramin_wr(rig, i, 0);
    for (uint32_t i = 0; i < 128; i++)
        wr(rig, HASH_VIRTUAL + 4 * i, 0);
    WRITES(rig, {0x3010, 0}, {0x3210, 0}, {0x3250, 0x110}, {0x3050, 0x100}, {0x2100, ~0u}, {0x2140, 0x111}, {0x3200, 1},
           {0x3240, 1}, {0x2500, 1});
    xfree86_draws(rig, 0x7c);
}

/* ---- Haiku ---- */

/* One DMA channel, set up in the registers of CACHE1. */
static void haiku_starts_one_channel(void **state) {
    struct rig *rig = *state;
    wr(rig, PMC_ENABLE, ~0u);
    rig->ramht = 0x10000;
    WRITES(rig, {0x2500, 0}, {PUSH0, 0}, {rig->c1.pull0, 0}, {RAMHT, 0x03000100}, {INTR, ~0u}, {INTR_EN, ~0u});
    uint32_t instance = rig_object(rig, 0, 0x80000000, 1, 0x62), buffer = rig_dma_object(rig, 2, 0, 1 << 20);
    WRITES(rig, {MODE, 1}, {rig->c1.push1, rig->mode_bit}, {DMA_PUT, 0}, {DMA_GET, 0}, {DMA_INSTANCE, buffer},
           {DMA_CTL, 0}, {ENGINE, 0}, {DMA_FETCH, 0x000f0078}, {DMA_PUSH, 1}, {PUSH0, 1}, {rig->c1.pull0, 1},
           {rig->c1.pull1, 1}, {CACHES, 1});
    push_to(rig, 0, INC(3, 0, 1), 0x80000000, INC(3, 0x300, 2), 8, 9, OLD_JUMP(0));
    rig->pushed[0] -= 4;
    rig_submit(rig, 0);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {3, 0, instance}, {3, 0x300, 8}, {3, 0x304, 9});
    expect_reg(rig, user_at(0, USER_GET), 20);
    user_wr(rig, 0, USER_PUT, 8); /* around, through the jump at the end */
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {3, 0, instance});
    expect_reg(rig, user_at(0, USER_GET), 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BARE("NV4", nouveau_starts_channels),
        BARE("NV5", nouveau_starts_channels),
        BARE("NV10", nouveau_starts_channels),
        BARE("NV15", nouveau_starts_channels),
        BARE("NV1A", nouveau_starts_channels),
        BARE("NV11", nouveau_starts_channels),
        BARE("NV17", nouveau_starts_channels),
        BARE("NV20", nouveau_starts_channels),
        BARE("NV34", nouveau_starts_channels),
        BARE("NV40", nouveau_starts_channels),
        BARE("NV44", nouveau_starts_channels),
        BARE("G71", nouveau_starts_channels),
        BARE("MCP73", nouveau_starts_channels),
        BARE("NV4", nouveau_channels_do_not_disturb_each_other),
        BARE("NV10", nouveau_channels_do_not_disturb_each_other),
        BARE("NV11", nouveau_channels_do_not_disturb_each_other),
        BARE("NV25", nouveau_channels_do_not_disturb_each_other),
        BARE("NV31", nouveau_channels_do_not_disturb_each_other),
        BARE("NV40", nouveau_channels_do_not_disturb_each_other),
        BARE("MCP61", nouveau_channels_do_not_disturb_each_other),
        BARE("NV4", nouveau_pauses_and_resumes),
        BARE("NV11", nouveau_pauses_and_resumes),
        BARE("NV30", nouveau_pauses_and_resumes),
        BARE("NV40", nouveau_pauses_and_resumes),
        BARE("NV4", xfree86_starts_nv4),
        BARE("NV5", xfree86_starts_nv4),
        BARE("NV10", xfree86_starts_nv4),
        BARE("NV3", xfree86_starts_nv3),
        BARE("NV3T", xfree86_starts_nv3),
        BARE("NV1", xfree86_starts_nv1),
        BARE("NV4", haiku_starts_one_channel),
        BARE("NV5", haiku_starts_one_channel),
        BARE("NV11", haiku_starts_one_channel),
        BARE("NV18", haiku_starts_one_channel),
        BARE("NV28", haiku_starts_one_channel),
        BARE("NV35", haiku_starts_one_channel),
        BARE("NV40", haiku_starts_one_channel),
        BARE("G71", haiku_starts_one_channel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
