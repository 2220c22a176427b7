/* SPDX-License-Identifier: MIT */
/* Time that passes on the virtual clock although nobody works. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pfifo/gpu.h>
#include <pfifo/state.h>

#include "fifo/runlist/channel.h"
#include "fifo/runlist/pfifo.h"
#include "gpu/gpu.h"
#include "fifo/ops.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define ALARM_NS 1000000u

/* NV1 has PTIMER elsewhere. */
struct ptimer_regs {
    uint32_t intr, intr_en, low, high, alarm;
};

static const struct ptimer_regs nv1 = {0x101100, 0x101140, 0x101400, 0x101404, 0x101410},
                                nv3 = {0x9100, 0x9140, 0x9400, 0x9410, 0x9420};

static const struct ptimer_regs *ptimer_of(const struct pfifo_gpu *gpu) {
    return chip_in_range(pfifo_gpu_chip(gpu), "NV1") ? &nv1 : &nv3;
}

static struct pfifo_gpu *make(const struct pfifo_chip *chip, uint64_t (*clock)(void *opaque)) {
    const struct pfifo_config config = {
        .chip = chip, .vram_bytes = 16u << 20, .system_bytes = 1u << 20, .clock = clock};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_non_null(gpu);
    pfifo_gpu_wr32(gpu, 0x140, 1);   /* INTA */
    pfifo_gpu_wr32(gpu, 0x160, ~0u); /* GP100: of every line */
    return gpu;
}

static void set_alarm(struct pfifo_gpu *gpu, uint32_t at, bool enable) {
    pfifo_gpu_wr32(gpu, ptimer_of(gpu)->alarm, at);
    pfifo_gpu_wr32(gpu, ptimer_of(gpu)->intr_en, enable);
}

static uint64_t time_of(struct pfifo_gpu *gpu) {
    const struct ptimer_regs *t = ptimer_of(gpu);
    return (uint64_t)pfifo_gpu_rd32(gpu, t->high) << 32 | pfifo_gpu_rd32(gpu, t->low);
}

static void the_alarm_rings_while_the_gpu_is_idle(void **state) {
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        if (!pfifo_chip_info(pfifo_chip_at(i)).runs)
            continue;
        struct pfifo_gpu *gpu = make(pfifo_chip_at(i), NULL);
        set_alarm(gpu, ALARM_NS, true);
        assert_false(pfifo_gpu_irq(gpu));
        assert_int_equal(pfifo_gpu_run(gpu, 1), PFIFO_STOP_IDLE);
        assert_true(pfifo_gpu_irq(gpu));
        assert_int_equal(pfifo_gpu_rd32(gpu, 0x100), 1u << 20);
        assert_int_equal(pfifo_gpu_rd32(gpu, ptimer_of(gpu)->intr), 1);
        assert_int_equal(time_of(gpu), ALARM_NS);
        assert_int_equal(pfifo_gpu_stop_info(gpu)->used, 0);
        pfifo_gpu_free(gpu);
    }
}

/* As nouveau's timer does it: acknowledge, set the next one or disable it. */
static void one_alarm_follows_the_other(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make(pfifo_chip_by_name("G84"), NULL);
    for (uint32_t n = 1; n < 10; n++) {
        set_alarm(gpu, n * 12345 & ~31u, true);
        pfifo_gpu_run(gpu, 100);
        assert_int_equal(time_of(gpu), n * 12345 & ~31u);
        pfifo_gpu_wr32(gpu, nv3.intr, 1);
        assert_false(pfifo_gpu_irq(gpu));
    }
    pfifo_gpu_wr32(gpu, nv3.intr_en, 0);
    uint64_t before = time_of(gpu);
    pfifo_gpu_run(gpu, 100);
    assert_int_equal(time_of(gpu), before);
    pfifo_gpu_free(gpu);
}

static void time_stands_still_without_an_alarm_that_interrupts(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make(pfifo_chip_by_name("NV40"), NULL);
    set_alarm(gpu, ALARM_NS, false); /* not enabled */
    pfifo_gpu_run(gpu, 100);
    assert_int_equal(time_of(gpu), 0);
    pfifo_gpu_wr32(gpu, nv3.intr_en, 1);
    pfifo_gpu_run(gpu, 0); /* nothing may be done in no time */
    assert_int_equal(time_of(gpu), 0);
    pfifo_gpu_wr32(gpu, 0x140, 3);
    pfifo_gpu_wr32(gpu, 0x100, 0x80000000); /* the driver has to look at this first */
    pfifo_gpu_run(gpu, 100);
    assert_int_equal(time_of(gpu), 0);
    pfifo_gpu_wr32(gpu, 0x100, 0);
    pfifo_gpu_run(gpu, 100);
    assert_int_equal(time_of(gpu), ALARM_NS);
    pfifo_gpu_run(gpu, 100); /* it has rung */
    assert_int_equal(time_of(gpu), ALARM_NS);
    pfifo_gpu_free(gpu);
}

static uint64_t owners_clock(void *opaque) {
    (void)opaque;
    return 5000;
}

static void the_owners_clock_is_the_owners(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make(pfifo_chip_by_name("GM107"), owners_clock);
    set_alarm(gpu, ALARM_NS, true);
    pfifo_gpu_run(gpu, 100);
    assert_false(pfifo_gpu_irq(gpu));
    assert_int_equal(pfifo_gpu_pass_time(gpu, 1000), 0);
    assert_int_equal(time_of(gpu), 5000 & ~31u);
    pfifo_gpu_free(gpu);
}

/* The end of the round: TIME_LOW comes to ALARM from above. */
static void an_alarm_is_at_most_a_round_away(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make(pfifo_chip_by_name("NV3"), NULL);
    pfifo_gpu_wr32(gpu, nv3.high, 7);
    pfifo_gpu_wr32(gpu, nv3.low, 0x1000);
    set_alarm(gpu, 0x800, true);
    pfifo_gpu_run(gpu, 1);
    assert_true(pfifo_gpu_irq(gpu));
    assert_true(time_of(gpu) == (UINT64_C(8) << 32 | 0x800));
    pfifo_gpu_wr32(gpu, nv3.intr, 1);
    pfifo_gpu_run(gpu, 1); /* the same again */
    assert_true(time_of(gpu) == (UINT64_C(9) << 32 | 0x800));
    pfifo_gpu_free(gpu);
}

/* ---- what comes before ---- */

static uint64_t due;

static uint64_t until_due(struct fifo *fifo) {
    uint64_t now = bus_now(fifo->bus);
    return now < due ? due - now : UINT64_MAX;
}

static unsigned passed_count;
static uint64_t passed[4];

static void passes(void *opaque, const struct pfifo_event *event) {
    (void)opaque;
    if (passed_count < COUNT(passed))
        passed[passed_count] = event->value[0];
    passed_count++;
}

static void acquires_that_give_up_before_the_alarm_come_first(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make(pfifo_chip_by_name("NV40"), NULL);
    struct fifo_ops ops = *gpu->fifo->ops;
    ops.until_timeout = until_due;
    gpu->fifo->ops = &ops;
    passed_count = 0;
    assert_int_equal(pfifo_gpu_observe(gpu, "bus.time", passes, NULL, NULL), PFIFO_OK);
    due = 4000;
    pfifo_gpu_run(gpu, 100); /* it alone moves nothing: somebody may write the semaphore */
    assert_int_equal(passed_count, 0);
    set_alarm(gpu, ALARM_NS, true);
    pfifo_gpu_run(gpu, 100);
    assert_int_equal(passed_count, 2);
    assert_int_equal(passed[0], 4000);
    assert_int_equal(time_of(gpu), ALARM_NS);
    assert_true(pfifo_gpu_irq(gpu));
    due = 2 * ALARM_NS;
    assert_int_equal(pfifo_gpu_pass_time(gpu, 500), 500);
    assert_int_equal(pfifo_gpu_pass_time(gpu, UINT64_MAX), ALARM_NS - 500);
    assert_int_equal(pfifo_gpu_pass_time(gpu, UINT64_MAX), 0);
    assert_int_equal(pfifo_gpu_pass_time(gpu, 77), 77);
    pfifo_gpu_free(gpu);
}

#define CLOCK_SHIFT 10 /* of ACQUIRE_DEADLINE: 1024 ns */
#define NOW         UINT64_C(0x90000000)

/* RAMFC is all ones: an acquire failed and gives up at the end of its clock. */
static void a_channel_that_may_not_run_gives_nothing_up(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make(pfifo_chip_by_name("GK104"), NULL);
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)gpu->fifo;
    struct pbdma_channel *channel = &fifo->channels[3];
    uint8_t ones[0x200];
    memset(ones, 0xff, sizeof ones);
    pfifo_gpu_vram_write(gpu, 0x10000, ones, sizeof ones);
    channel->context.instance = 0x10000;
    channel->bound = channel->enabled = true;
    fifo->list[0].count = 1;
    fifo->list[0].entries[0].channel = 3;
    assert_true(pfifo_gpu_pass_time(gpu, NOW << CLOCK_SHIFT) == NOW << CLOCK_SHIFT);
    assert_true(channel_until_timeout(gpu->fifo) == (0xffffffff - NOW) << CLOCK_SHIFT);
    channel->enabled = false;
    assert_true(channel_until_timeout(gpu->fifo) == UINT64_MAX);
    channel->enabled = true;
    channel->faulted = true;
    assert_true(channel_until_timeout(gpu->fifo) == UINT64_MAX);
    pfifo_gpu_free(gpu);
}

/* ---- saved asleep ---- */

static struct {
    uint8_t bytes[1 << 20];
    size_t used;
} saved;

static bool keep(void *opaque, const void *data, size_t bytes) {
    (void)opaque;
    if (bytes > sizeof saved.bytes - saved.used)
        return false;
    memcpy(saved.bytes + saved.used, data, bytes);
    saved.used += bytes;
    return true;
}

static void what_was_saved_asleep_wakes_at_the_same_time(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make(pfifo_chip_by_name("GT215"), NULL);
    struct pfifo_gpu *other = make(pfifo_chip_by_name("GT215"), NULL);
    assert_int_equal(pfifo_gpu_pass_time(gpu, 777), 777);
    set_alarm(gpu, ALARM_NS, true);
    saved.used = 0;
    assert_int_equal(pfifo_gpu_save(gpu, keep, NULL, NULL), PFIFO_OK);
    assert_int_equal(pfifo_gpu_load(other, saved.bytes, saved.used, NULL), PFIFO_OK);
    pfifo_gpu_run(gpu, 100);
    pfifo_gpu_run(other, 100);
    assert_int_equal(time_of(other), ALARM_NS);
    assert_int_equal(time_of(gpu), ALARM_NS);
    assert_true(pfifo_gpu_irq(other));
    pfifo_gpu_free(gpu);
    pfifo_gpu_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_alarm_rings_while_the_gpu_is_idle),
        cmocka_unit_test(one_alarm_follows_the_other),
        cmocka_unit_test(time_stands_still_without_an_alarm_that_interrupts),
        cmocka_unit_test(the_owners_clock_is_the_owners),
        cmocka_unit_test(an_alarm_is_at_most_a_round_away),
        cmocka_unit_test(acquires_that_give_up_before_the_alarm_come_first),
        cmocka_unit_test(a_channel_that_may_not_run_gives_nothing_up),
        cmocka_unit_test(what_was_saved_asleep_wakes_at_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
