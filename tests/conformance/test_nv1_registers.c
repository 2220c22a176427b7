/* SPDX-License-Identifier: MIT */
/* Registers of NV1 and NV3T as scans of silicon found them (envytools hwtest/pfifo.cc). */
#include "nv1.h"

struct scanned {
    uint32_t offset, mask, count, stride;
};

static const struct scanned nv1_scan[] = {
    {0x602200, 0x3, 1, 0},  {0x2040, 0xff, 1, 0},     {0x2140, 0x111, 1, 0},      {0x2200, 0x3, 1, 0},
    {0x2410, 0x3ff8, 1, 0}, {0x2420, 0x3ff8, 1, 0},   {0x2500, 0x1, 1, 0},        {0x3000, 0x1, 1, 0},
    {0x3010, 0x7f, 1, 0},   {0x3030, 0x4, 1, 0},      {0x3040, 0x1, 1, 0},        {0x3050, 0x100, 1, 0},
    {0x3070, 0x4, 1, 0},    {0x3080, 0x7fffff, 1, 0}, {0x3100, 0xfffc, 1, 0},     {0x3104, ~0u, 1, 0},
    {0x3200, 0x1, 1, 0},    {0x3210, 0x7f, 1, 0},     {0x3230, 0x7c, 1, 0},       {0x3240, 0x1, 1, 0},
    {0x3250, 0x117, 1, 0},  {0x3270, 0x7c, 1, 0},     {0x3280, 0x17fffff, 8, 16}, {0x3300, 0xfffc, 32, 8},
    {0x3304, ~0u, 32, 8},
};

static const struct scanned nv3t_scan[] = {
    {0x2040, 0xff, 1, 0},       {0x2140, 0x11111, 1, 0},   {0x2200, 0xfc0300, 1, 0}, {0x2210, 0x3f000, 1, 0},
    {0x2214, 0xfe00, 1, 0},     {0x2218, 0x1fe00, 1, 0},   {0x2410, 0x1ff8, 1, 0},   {0x2420, 0x3ff8, 1, 0},
    {0x2500, 0x1, 1, 0},        {0x3000, 0x1, 1, 0},       {0x3004, 0x7f, 1, 0},     {0x3010, 0x4, 1, 0},
    {0x3040, 0x1, 1, 0},        {0x3070, 0x4, 1, 0},       {0x3080, 0xffffff, 1, 0}, {0x3100, 0xfffc, 1, 0},
    {0x3104, ~0u, 1, 0},        {0x3200, 0x1, 1, 0},       {0x3204, 0x17f, 1, 0},    {0x3210, 0x1fc, 1, 0},
    {0x3218, 0x5ffcfffc, 1, 0}, {0x3220, 0x1, 1, 0},       {0x3224, 0xfffffc, 1, 0}, {0x3228, 0xfffffc, 1, 0},
    {0x3234, 0xfffff001, 1, 0}, {0x3238, 0xffffc, 1, 0},   {0x3240, 0x1, 1, 0},      {0x3250, 0x10, 1, 0},
    {0x3270, 0x1fc, 1, 0},      {0x3280, 0xffffff, 8, 16}, {0x3400, 0xfffc, 64, 8},  {0x3404, ~0u, 64, 8},
};

struct list {
    const struct scanned *scan;
    size_t count;
};

static struct list list_of(const struct rig *rig) {
    if (rig->nv1)
        return (struct list){nv1_scan, COUNT_OF(nv1_scan)};
    return (struct list){nv3t_scan, COUNT_OF(nv3t_scan)};
}

static void writing_all_ones_reads_the_mask_and_writing_0_reads_0(void **state) {
    struct rig *rig = *state;
    struct list list = list_of(rig);
    for (size_t i = 0; i < list.count; i++)
        for (uint32_t n = 0; n < list.scan[i].count; n++) {
            uint32_t offset = list.scan[i].offset + n * list.scan[i].stride;
            wr(rig, offset, ~0u);
            expect_reg(rig, offset, list.scan[i].mask);
            wr(rig, offset, 0);
            expect_reg(rig, offset, 0);
        }
}

/* With something to send bit 4 of NV3's DMA shows that it runs. */
static void the_run_bit_of_the_dma_can_be_set_and_cleared(void **state) {
    struct rig *rig = *state;
    wr(rig, PUSH0, 0);
    wr(rig, 0x3224, 4);
    wr(rig, 0x3220, ~0u);
    expect_reg(rig, 0x3220, 0x11);
    wr(rig, 0x3224, 0);
    expect_reg(rig, 0x3220, 1);
    wr(rig, 0x3220, 0);
    expect_reg(rig, 0x3220, 0);
}

static void error_and_interrupt_registers_read_0_whatever_is_written(void **state) {
    struct rig *rig = *state;
    for (uint32_t bit = 0; bit < 32; bit++) {
        wr(rig, DEBUG_0, 1u << bit);
        wr(rig, INTR, 1u << bit);
        expect_reg(rig, DEBUG_0, 0);
        expect_reg(rig, INTR, 0);
    }
    wr(rig, DEBUG_0, ~0u);
    wr(rig, INTR, ~0u);
    expect_reg(rig, DEBUG_0, 0);
    expect_reg(rig, INTR, 0);
}

/* Any legal combination reads back, and no write changes another register. */
static void no_write_changes_another_register(void **state) {
    struct rig *rig = *state;
    struct list list = list_of(rig);
    static uint32_t values[64][64];
    uint32_t seed = 0x1234567;
    wr(rig, rig->c0.pull0, 0);
    wr(rig, rig->c1.pull0, 0);
    for (unsigned turn = 0; turn < 20; turn++) {
        bool pull = turn % 3 == 0;
        wr(rig, rig->c0.pull0, 0);
        wr(rig, rig->c1.pull0, 0);
        for (size_t i = 0; i < list.count; i++)
            for (uint32_t n = 0; n < list.scan[i].count; n++) {
                const struct scanned *reg = &list.scan[i];
                uint32_t at = reg->offset;
                bool pointer = at == rig->c0.put || at == rig->c0.get || at == rig->c1.put || at == rig->c1.get;
                values[i][n] = nv1_random(&seed) & reg->mask;
                /* With a puller on, the caches are empty. */
                if (at == rig->c0.pull0 || at == rig->c1.pull0 || (pull && pointer))
                    values[i][n] = 0;
                wr(rig, at + n * reg->stride, values[i][n] | ~reg->mask);
            }
        if (pull) {
            wr(rig, rig->c0.pull0, 1);
            wr(rig, rig->c1.pull0, 1);
        }
        for (size_t i = 0; i < list.count; i++)
            for (uint32_t n = 0; n < list.scan[i].count; n++) {
                const struct scanned *reg = &list.scan[i];
                bool puller = reg->offset == rig->c0.pull0 || reg->offset == rig->c1.pull0;
                bool runs = !rig->nv1 && reg->offset == 0x3220 && values[i][n] && rd(rig, 0x3224);
                expect_reg(rig, reg->offset + n * reg->stride, puller ? pull : runs ? 0x11 : values[i][n]);
            }
    }
}

/* Each register for itself: all ones into it, and no other register moves. */
static void a_register_is_alone(void **state) {
    struct rig *rig = *state;
    struct list list = list_of(rig);
    wr(rig, PUSH0, 0);
    wr(rig, rig->c1.pull0, 0);
    wr(rig, CACHES, 0);
    for (size_t i = 0; i < list.count; i++)
        for (uint32_t n = 0; n < list.scan[i].count; n++)
            wr(rig, list.scan[i].offset + n * list.scan[i].stride, 0);
    for (size_t i = 0; i < list.count; i++)
        for (uint32_t n = 0; n < list.scan[i].count; n++) {
            uint32_t written = list.scan[i].offset + n * list.scan[i].stride;
            if (written == rig->c0.pull0 || written == rig->c1.pull0)
                continue;
            wr(rig, written, ~0u);
            for (size_t j = 0; j < list.count; j++)
                for (uint32_t m = 0; m < list.scan[j].count; m++) {
                    uint32_t offset = list.scan[j].offset + m * list.scan[j].stride;
                    expect_reg(rig, offset, offset == written ? list.scan[i].mask : 0);
                }
            wr(rig, written, 0);
        }
}

/* envytools: turning PFIFO off forces these to 0 and leaves the rest, and the registers stay there. */
static void turning_pfifo_off_forces_some_registers(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.pull0, 0);
    wr(rig, CACHES, 1);
    wr(rig, C0_PUSH0, 1);
    wr(rig, DELAY_0, 0x55);
    wr(rig, INTR_EN, 0x111);
    wr(rig, rig->c1.push1, 0x2a);
    wr(rig, rig->c1.put, 0x0c);
    wr(rig, rig->c1.get, 0x08);
    wr(rig, rig->c1.entry, 0x2100);
    wr(rig, RUNOUT_PUT, 0x88);
    wr(rig, rig->c1.pull1, 0x10);
    if (rig->nv3) {
        wr(rig, 0x3224, 8);
        wr(rig, 0x3220, 1);
    }
    write_bytes(rig, user_at(0, 0x100), 0, 1); /* an interrupt */
    wr(rig, PMC_ENABLE, 0xffffeeff);
    expect_reg(rig, DELAY_0, 0);
    expect_reg(rig, INTR_EN, 0);
    expect_reg(rig, CACHES, 0);
    expect_reg(rig, C0_PUSH0, 0);
    expect_reg(rig, PUSH0, 0);
    expect_reg(rig, rig->c0.pull0, 0);
    expect_reg(rig, rig->c1.pull0, 0);
    if (rig->nv3) {
        assert_int_equal(rd(rig, 0x3220) & 1, 0);
        expect_reg(rig, 0x2210, 0);
        expect_reg(rig, 0x2214, 0x1c00);
        expect_reg(rig, 0x2218, 0x1e00);
        expect_reg(rig, 0x3250, 0);
    } else {
        expect_reg(rig, rig->c1.pull1, 0x10);
    }
    expect_reg(rig, INTR, I_RUNOUT);
    expect_reg(rig, rig->c1.push1, 0x2a);
    expect_reg(rig, rig->c1.put, 0x0c);
    expect_reg(rig, rig->c1.get, 0x08);
    expect_reg(rig, rig->c1.entry, 0x2100);
    wr(rig, rig->c1.entry, 0x2104); /* still there */
    expect_reg(rig, rig->c1.entry, 0x2104);
    wr(rig, PMC_ENABLE, ~0u);
    expect_reg(rig, CACHES, 0);
    expect_reg(rig, rig->c1.entry, 0x2104);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_NV1(writing_all_ones_reads_the_mask_and_writing_0_reads_0),
        ON("NV3T", writing_all_ones_reads_the_mask_and_writing_0_reads_0),
        ON_NV3(the_run_bit_of_the_dma_can_be_set_and_cleared),
        ON_OLD(error_and_interrupt_registers_read_0_whatever_is_written),
        ON_NV1(no_write_changes_another_register),
        ON("NV3T", no_write_changes_another_register),
        ON_NV1(a_register_is_alone),
        ON("NV3T", a_register_is_alone),
        ON_OLD(turning_pfifo_off_forces_some_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
