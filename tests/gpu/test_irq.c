/* SPDX-License-Identifier: MIT */
/* pfifo_config.irq: each change of the interrupt line, at the moment when it happens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pfifo/gpu.h>
#include <pfifo/state.h>

#define ALARM_NS 1000000u

struct owner {
    struct pfifo_gpu *gpu;
    unsigned calls;
    bool level;
    uint64_t now;
    uint8_t *state;
    size_t bytes;
};

static void set_line(void *opaque, bool level) {
    struct owner *owner = opaque;
    assert_true(pfifo_gpu_irq(owner->gpu) == level);
    assert_true(owner->level != level); /* a change */
    owner->level = level;
    owner->calls++;
}

static uint64_t clock_of(void *opaque) {
    return ((struct owner *)opaque)->now;
}

static void open_chip(struct owner *owner, const struct pfifo_chip *chip, bool own_clock) {
    const struct pfifo_config config = {.size = sizeof config,
                                        .chip = chip,
                                        .vram_bytes = 16 << 20,
                                        .system_bytes = 1 << 20,
                                        .irq = set_line,
                                        .clock = own_clock ? clock_of : NULL,
                                        .opaque = owner};
    *owner = (struct owner){.gpu = pfifo_gpu_new(&config, NULL)};
    assert_non_null(owner->gpu);
    assert_int_equal(owner->calls, 0);
    pfifo_gpu_wr32(owner->gpu, 0x140, 1);   /* INTA */
    pfifo_gpu_wr32(owner->gpu, 0x160, ~0u); /* GP100: of every line */
}

static void close_chip(struct owner *owner) {
    pfifo_gpu_free(owner->gpu);
    free(owner->state);
}

static bool is_nv1(const struct owner *owner) {
    return pfifo_chip_info(pfifo_gpu_chip(owner->gpu)).id == 1;
}

static void set_alarm(struct owner *owner) {
    pfifo_gpu_wr32(owner->gpu, is_nv1(owner) ? 0x101410 : 0x9420, ALARM_NS);
    pfifo_gpu_wr32(owner->gpu, is_nv1(owner) ? 0x101140 : 0x9140, 1);
}

static void acknowledge_alarm(struct owner *owner) {
    pfifo_gpu_wr32(owner->gpu, is_nv1(owner) ? 0x101100 : 0x9100, 1);
}

static void each_change_is_told_once_on_every_chip(void **state) {
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        struct owner owner;
        if (!pfifo_chip_info(pfifo_chip_at(i)).runs)
            continue;
        open_chip(&owner, pfifo_chip_at(i), false);
        set_alarm(&owner);
        assert_int_equal(owner.calls, 0);
        pfifo_gpu_run(owner.gpu, 1);
        assert_true(owner.calls == 1 && owner.level);
        pfifo_gpu_run(owner.gpu, 1);
        acknowledge_alarm(&owner);
        assert_true(owner.calls == 2 && !owner.level);
        close_chip(&owner);
    }
}

/* Pending interrupts come and go with the enables, too. */
static void enables_of_pmc_change_the_line(void **state) {
    struct owner owner;
    (void)state;
    open_chip(&owner, pfifo_chip_by_name("GK104"), false);
    set_alarm(&owner);
    pfifo_gpu_run(owner.gpu, 1);
    pfifo_gpu_wr32(owner.gpu, 0x140, 0);
    assert_true(owner.calls == 2 && !owner.level);
    pfifo_gpu_wr32(owner.gpu, 0x140, 1);
    assert_true(owner.calls == 3 && owner.level);
    close_chip(&owner);
}

static bool keep(void *opaque, const void *data, size_t bytes) {
    struct owner *owner = opaque;
    owner->state = realloc(owner->state, owner->bytes + bytes);
    memcpy(owner->state + owner->bytes, data, bytes);
    owner->bytes += bytes;
    return true;
}

static void a_load_tells_of_a_line_that_is_another_one(void **state) {
    struct owner owner;
    (void)state;
    open_chip(&owner, pfifo_chip_by_name("NV40"), false);
    set_alarm(&owner);
    pfifo_gpu_run(owner.gpu, 1);
    assert_int_equal(pfifo_gpu_save(owner.gpu, keep, &owner, NULL), PFIFO_OK);
    assert_int_equal(pfifo_gpu_load(owner.gpu, owner.state, owner.bytes, NULL), PFIFO_OK);
    assert_int_equal(owner.calls, 1); /* it is up, and was */
    acknowledge_alarm(&owner);
    assert_int_equal(owner.calls, 2);
    assert_int_equal(pfifo_gpu_load(owner.gpu, owner.state, owner.bytes, NULL), PFIFO_OK);
    assert_true(owner.calls == 3 && owner.level);
    assert_int_equal(pfifo_gpu_load(owner.gpu, owner.state, owner.bytes - 4, NULL), PFIFO_ERROR_FORMAT);
    assert_true(owner.calls == 4 && !owner.level); /* power-on state */
    close_chip(&owner);
}

static void the_alarm_is_due_on_either_clock(void **state) {
    struct owner owner;
    (void)state;
    for (int own_clock = 0; own_clock < 2; own_clock++) {
        open_chip(&owner, pfifo_chip_by_name("G84"), own_clock);
        assert_true(pfifo_gpu_due(owner.gpu) == UINT64_MAX);
        set_alarm(&owner);
        assert_int_equal(pfifo_gpu_due(owner.gpu), ALARM_NS);
        owner.now = ALARM_NS - 40;
        assert_int_equal(pfifo_gpu_due(owner.gpu), own_clock ? 40 : ALARM_NS);
        owner.now = ALARM_NS + 100;
        assert_int_equal(pfifo_gpu_due(owner.gpu), own_clock ? 0 : ALARM_NS);
        assert_int_equal(owner.calls, 0); /* asking changes nothing */
        pfifo_gpu_run(owner.gpu, 1);
        assert_int_equal(owner.calls, 1);
        assert_true(pfifo_gpu_due(owner.gpu) == UINT64_MAX);
        close_chip(&owner);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_change_is_told_once_on_every_chip),
        cmocka_unit_test(enables_of_pmc_change_the_line),
        cmocka_unit_test(a_load_tells_of_a_line_that_is_another_one),
        cmocka_unit_test(the_alarm_is_due_on_either_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
