/* SPDX-License-Identifier: MIT */
/*
 * What the driver writes when channels come and go and when PFIFO calls, in order, as nouveau does it
 * (nvkm/engine/fifo/{nv04,nv50,gf100,gk104}.c), and that the machine is as before afterwards.
 */
#include "driver/probe.h"

#define REPORT  0x1b00u     /* address high, low, payload, control: of every 3D class from G80 on */
#define RELEASE 0x10000000u /* one word */
#define NOWHERE UINT64_C(0x12345000)

static void send(struct pfifo_channel *channel, struct pfifo_buffer *push, uint64_t offset, uint32_t data) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_bind_class(&words, &rig, SUBCHANNEL);
    words_method(&words, SUBCHANNEL, NOP, data);
    words_submit(&words, &rig, channel, push, offset);
    rig_wait(&rig);
}

/* A report of the 3D class to where nothing is. */
static void report_nowhere(struct pfifo_channel *channel, struct pfifo_buffer *push, uint64_t offset) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_bind_class(&words, &rig, SUBCHANNEL);
    words_header(&words, SUBCHANNEL, REPORT, 4);
    words_add(&words, (uint32_t)(NOWHERE >> 32));
    words_add(&words, (uint32_t)NOWHERE);
    words_add(&words, 1);
    words_add(&words, RELEASE);
    words_submit(&words, &rig, channel, push, offset);
    rig_wait(&rig);
}

/* Everything is acknowledged, nothing blocked. */
static void expect_calm(void) {
    assert_int_equal(reg(0x2100), 0);
    assert_int_equal(reg(0x259c), 0);
    assert_int_equal(reg(0x2630), 0);
    assert_int_equal(reg(0x100), 0);
    assert_false(pfifo_gpu_irq(pfifo_device_gpu(rig.device)));
}

static void a_fault_of_a_segment_ends_its_channel_on_fermi(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!is_fermi(part))
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        send(channel, push, 0, 1);
        record_writes();
        assert_int_equal(pfifo_channel_submit(channel, NOWHERE, 64, 0, &rig.error), PFIFO_OK);
        rig_wait(&rig);
        uint32_t unit = 0x80; /* PSUBFIFO0: the first that takes graphics */
        const struct step steps[] = {
            {0x3004 + 8 * pfifo_channel_number(channel), 1, 0},
            {0x259c, ~0u, unit},
            {0x2630, ~0u, 0}, /* no engine is to blame */
            {0x2274, ~0u, 0x01f00001},
            {0x262c, ~0u, 0},
            {0x2630, ~0u, 0},
        };
        expect_steps(steps, COUNT_OF(steps));
        expect_calm();
        send(other, push, 0x1000, 2);
        assert_int_equal(rig_count(&rig, NOP), 2);
        assert_int_equal(rig.fault_count, 1);
        rig_close(&rig);
    }
}

static void a_fault_of_an_engine_blocks_it_on_fermi(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!is_fermi(part))
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        record_writes();
        report_nowhere(channel, push, 0);
        const struct step steps[] = {
            {0x3004 + 8 * pfifo_channel_number(channel), 1, 0},
            {0x259c, ~0u, 1}, /* PGRAPH */
            {0x2630, ~0u, 1},
            {0x200, 1u << 12, 0}, /* PGRAPH is reset */
            {0x200, 1u << 12, 1u << 12},
            {0x2274, ~0u, 0x01f00001},
            {0x262c, ~0u, 1},
            {0x2630, ~0u, 0},
        };
        expect_steps(steps, COUNT_OF(steps));
        expect_calm();
        send(other, push, 0x1000, 2);
        assert_int_equal(rig_count(&rig, NOP), 1);
        rig_close(&rig);
    }
}

/* PGRAPH still works for the channel when its segment faults: it is made to fault, too, and that is acknowledged. */
static void a_fault_of_a_segment_frees_the_engine_on_kepler(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!is_runlist(part))
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        send(channel, push, 0, 1);
        record_writes();
        assert_int_equal(pfifo_channel_submit(channel, NOWHERE, 64, 0, &rig.error), PFIFO_OK);
        rig_wait(&rig);
        uint32_t host = part->chip[1] == 'P' ? 0x40 : 0x80; /* the unit of PBDMA 0 */
        const struct step steps[] = {
            {0x800004 + 8 * pfifo_channel_number(channel), 0x800, 0x800}, /* off */
            {0x2630, ~0u, 1},                                             /* its runlist is blocked */
            {0x2a30, ~0u, 0x100},                                         /* PGRAPH is unit 0 */
            {0x2a30, ~0u, 0},
            {0x259c, ~0u, 1},
            {0x2100, ~0u, 0x10000000},
            {0x259c, ~0u, host}, /* the fault itself */
            {0x2630, ~0u, 1},
            {0x200, 1u << 12, 0}, /* PGRAPH is reset */
            {0x200, 1u << 12, 1u << 12},
            {0x2274, ~0u, 0x00000001},
            {0x262c, ~0u, 1},
            {0x2630, ~0u, 0},
        };
        expect_steps(steps, COUNT_OF(steps));
        expect_calm();
        assert_int_equal(reg(0x800004 + 8 * pfifo_channel_number(channel)) & 1, 0);
        send(other, push, 0x1000, 2);
        assert_int_equal(rig_count(&rig, NOP), 2);
        assert_int_equal(rig.fault_count, 1);
        rig_close(&rig);
    }
}

static void a_fault_of_an_engine_blocks_its_runlist_on_kepler(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!is_runlist(part))
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        record_writes();
        report_nowhere(channel, push, 0);
        const struct step steps[] = {
            {0x800004 + 8 * pfifo_channel_number(channel), 0x800, 0x800}, /* off */
            {0x2630, ~0u, 1},                                             /* its runlist is blocked */
            {0x259c, ~0u, 1},
            {0x2630, ~0u, 1},
            {0x200, 1u << 12, 0}, /* PGRAPH is reset */
            {0x200, 1u << 12, 1u << 12},
            {0x2274, ~0u, 0x00000001},
            {0x262c, ~0u, 1},
            {0x2630, ~0u, 0},
        };
        expect_steps(steps, COUNT_OF(steps));
        expect_calm();
        send(other, push, 0x1000, 2);
        assert_int_equal(rig_count(&rig, NOP), 1);
        pfifo_channel_close(channel);
        channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        send(channel, push, 0x2000, 3);
        assert_int_equal(rig_count(&rig, NOP), 2);
        rig_close(&rig);
    }
}

/* The method is replaced by a NOP, and all is acknowledged: the PBDMA, PFIFO. */
static void an_error_of_a_pbdma_is_skipped(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_method(&words, SUBCHANNEL, 4, 0x1e9a1); /* ILLEGAL */
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 1);
        record_writes();
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        const struct step steps[] = {
            {0x400c0, ~0u, 0x80600008},
            {0x40108, ~0u, 1u << 21},
            {0x25a0, ~0u, 1},
        };
        expect_steps(steps, COUNT_OF(steps));
        expect_calm();
        assert_int_equal(rig.fault_count, 1);
        assert_string_equal(rig.faults[0].error, "METHOD");
        assert_int_equal(rig.faults[0].method, 4);
        assert_int_equal(rig_count(&rig, NOP), 1);
        rig_close(&rig);
    }
}

/* ---- Tesla ---- */

static void a_cache_error_is_skipped(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!is_tesla(part))
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_method(&words, 3, 0, 0xdeadbeef);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_submit(&words, &rig, channel, push, 0);
        assert_int_equal(pfifo_gpu_run(pfifo_device_gpu(rig.device), BUDGET), PFIFO_STOP_INTERRUPT);
        uint32_t get = reg(0x3270);
        record_writes();
        rig_wait(&rig);
        const struct step steps[] = {
            {0x2500, 1, 0}, {0x3220, ~0u, 0}, {0x2100, ~0u, 1}, {0x3200, 1, 0},   {0x3270, ~0u, get + 4},
            {0x3200, 1, 1}, {0x3258, ~0u, 0}, {0x3220, 1, 1},   {0x3250, ~0u, 1}, {0x2500, 1, 1},
        };
        expect_steps(steps, COUNT_OF(steps));
        assert_int_equal(reg(0x2100), 0);
        assert_int_equal(rig_count(&rig, NOP), 1);
        rig_close(&rig);
    }
}

static void a_pusher_error_drops_the_segment(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!is_tesla(part))
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_add(&words, 0xc0000000);
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_submit(&words, &rig, channel, push, 0);
        record_writes();
        rig_wait(&rig);
        uint32_t end = (uint32_t)pfifo_buffer_address(push) + 12;
        const struct step steps[] = {
            {0x2500, 1, 0},   {0x3364, ~0u, 0}, {0x3244, ~0u, end},    {0x3328, ~0u, 0},
            {0x3228, ~0u, 0}, {0x3220, ~0u, 1}, {0x2100, ~0u, 0x1000}, {0x2500, 1, 1},
        };
        expect_steps(steps, COUNT_OF(steps));
        assert_int_equal(rig_count(&rig, NOP), 0);
        rig_close(&rig);
    }
}

static void a_semaphore_error_is_skipped(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!is_tesla(part))
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_method(&words, SUBCHANNEL, 0x64, 2); /* not aligned */
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_submit(&words, &rig, channel, push, 0);
        assert_int_equal(pfifo_gpu_run(pfifo_device_gpu(rig.device), BUDGET), PFIFO_STOP_INTERRUPT);
        uint32_t get = reg(0x3270);
        record_writes();
        rig_wait(&rig);
        const struct step steps[] = {
            {0x2500, 1, 0},         {0x2100, ~0u, 0x100000}, {0x326c, 1, 1},
            {0x3270, ~0u, get + 4}, {0x3250, ~0u, 1},        {0x2500, 1, 1},
        };
        expect_steps(steps, COUNT_OF(steps));
        assert_string_equal(rig.faults[0].error, "ADDRESS_UNALIGNED");
        assert_int_equal(rig_count(&rig, NOP), 1);
        rig_close(&rig);
    }
}

/* Only MCP89 has the method, with operations that it does not know. */
static void a_flush_of_lines_that_is_wrong_is_skipped(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (strcmp(part->chip, "MCP89") != 0)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, 0x2c, 0xe0000000);
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        assert_string_equal(rig.faults[0].error, "MTHD_UNK2C");
        assert_int_equal(rig.faults[0].method, 0x2c);
        assert_int_equal(rig_count(&rig, NOP), 1);
        assert_int_equal(reg(0x2100), 0);
        rig_close(&rig);
    }
}

/* ---- the BARs ---- */

/* The CPU touches what is not there: reported, and both the BAR and the channels go on. */
static void a_fault_of_a_bar_ends_nothing(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->calls || !part->vram)
            continue;
        rig_open(&rig, part);
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig), *vram = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        uint32_t value = 0;
        assert_true(pfifo_buffer_write(vram, 0, "through BAR 1", 14));
        pfifo_gpu_bar_read(gpu, 1, 0x8000000, &value, sizeof value);
        assert_int_equal(value, 0xbad0ac00);
        assert_int_equal(reg(0x100) != 0, 1);
        record_writes();
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        assert_string_equal(rig.faults[0].unit, "MMU");
        assert_int_equal(rig.faults[0].address, 0x8000000);
        assert_int_equal(rig.faults[0].channel, UINT32_MAX);
        assert_int_equal(reg(0x100), 0);
        if (part->fermi) {
            const struct step steps[] = {{0x1704, 0x80000000, 0x80000000}, {0x259c, ~0u, 1u << 4}};
            expect_steps(steps, COUNT_OF(steps));
        }
        char text[14] = "";
        assert_true(pfifo_buffer_read(vram, 0, text, sizeof text));
        assert_string_equal(text, "through BAR 1");
        send(channel, push, 0, 1);
        assert_int_equal(rig_count(&rig, NOP), 1);
        assert_int_equal(rig.fault_count, 1);
        rig_close(&rig);
    }
}

/* ---- all ---- */

#define TABLE (part->fermi ? is_fermi(part) ? 0x3000u : 0x800000u : 0x2600u)

static void a_channel_is_opened_and_closed_in_nouveaus_order(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->calls)
            continue;
        rig_open(&rig, part);
        const struct pfifo_channel_config config = {.entries = 16};
        pfifo_channel_open(rig.device, &config, &rig.error); /* so that the list is never empty */
        record_writes();
        struct pfifo_channel *channel = pfifo_channel_open(rig.device, &config, &rig.error);
        assert_non_null(channel);
        uint32_t number = pfifo_channel_number(channel), at = TABLE + (part->fermi ? 8 : 4) * number;
        const struct step tesla_open[] = {
            {at, 1u << 31, 1u << 31}, {0x32f4, 0, 0}, {0x32ec, ~0u, 2}, {0x2500, ~0u, 0x101}};
        const struct step fermi_open[] = {{at, 0xf0000000, 0xc0000000}, {at + 4, ~0u, 0x001f0001}, {0x2274, 0xfff, 2}};
        const struct step kepler_open[] = {{at + 4, 0xf0c00, 0},
                                           {at, 1u << 31, 1u << 31},
                                           {at + 4, 0x400, 0x400},
                                           {0x2274, 0xffff, 2},
                                           {at + 4, 0x400, 0x400}};
        if (is_tesla(part))
            expect_steps(tesla_open, COUNT_OF(tesla_open));
        else if (is_fermi(part))
            expect_steps(fermi_open, COUNT_OF(fermi_open));
        else
            expect_steps(kepler_open, COUNT_OF(kepler_open));
        clear_writes();
        pfifo_channel_close(channel);
        const struct step tesla_close[] = {
            {at, 1u << 31, 0}, {0x32f4, 0, 0}, {0x32ec, ~0u, 1}, {0x2500, ~0u, 0x101}, {at, ~0u, 0}};
        const struct step fermi_close[] = {{0x2634, ~0u, number}, {at + 4, 1, 0}, {0x2274, 0xfff, 1}, {at, ~0u, 0}};
        const struct step kepler_close[] = {
            {at + 4, 0x800, 0x800}, {0x2634, ~0u, number}, {0x2274, 0xffff, 1}, {at, ~0u, 0}};
        if (is_tesla(part))
            expect_steps(tesla_close, COUNT_OF(tesla_close));
        else if (is_fermi(part))
            expect_steps(fermi_close, COUNT_OF(fermi_close));
        else
            expect_steps(kepler_close, COUNT_OF(kepler_close));
        rig_close(&rig);
    }
}

/* A channel that ends while its error waits for the driver takes nothing with it. */
static void a_channel_is_closed_with_an_error_that_nobody_has_seen(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->calls)
            continue;
        rig_open(&rig, part);
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        uint32_t number = pfifo_channel_number(channel);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_method(&words, part->fermi ? SUBCHANNEL : 3, part->fermi ? 4 : 0, 0xdeadbeef);
        words_method(&words, SUBCHANNEL, NOP, 2);
        words_submit(&words, &rig, channel, push, 0);
        assert_int_equal(pfifo_gpu_run(gpu, BUDGET), PFIFO_STOP_INTERRUPT);
        pfifo_channel_close(channel);
        send(other, push, 0x1000, 3);
        channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        assert_int_equal(pfifo_channel_number(channel), number);
        send(channel, push, 0x2000, 4);
        assert_true(pfifo_channel_idle(channel) && pfifo_channel_idle(other));
        assert_int_equal(rig.methods[rig.method_count - 1].data, 4);
        assert_true(rig.fault_count <= 1);
        assert_int_equal(reg(0x2100), 0);
        assert_int_equal(reg(0x100), 0);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_of_a_segment_ends_its_channel_on_fermi),
        cmocka_unit_test(a_fault_of_an_engine_blocks_it_on_fermi),
        cmocka_unit_test(a_fault_of_a_segment_frees_the_engine_on_kepler),
        cmocka_unit_test(a_fault_of_an_engine_blocks_its_runlist_on_kepler),
        cmocka_unit_test(an_error_of_a_pbdma_is_skipped),
        cmocka_unit_test(a_cache_error_is_skipped),
        cmocka_unit_test(a_pusher_error_drops_the_segment),
        cmocka_unit_test(a_semaphore_error_is_skipped),
        cmocka_unit_test(a_flush_of_lines_that_is_wrong_is_skipped),
        cmocka_unit_test(a_fault_of_a_bar_ends_nothing),
        cmocka_unit_test(a_channel_is_opened_and_closed_in_nouveaus_order),
        cmocka_unit_test(a_channel_is_closed_with_an_error_that_nobody_has_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
