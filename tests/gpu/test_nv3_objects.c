/* SPDX-License-Identifier: MIT */
/*
 * The object that PGRAPH of NV1 and NV3 works on: what is loaded when, and NOTIFY, of which one at a time may be due.
 *
 * What is expected is from envytools hwtest/pgraph_mthd.cc, pgraph_mthd_misc.cc, rnndb/graph/nv3_pgraph.xml and
 * docs/hw/graph/intro.rst.
 */
#include "nv3.h"

#include <string.h>

#include "differential/choice.h"
#include "unit/graph/graph.h"
#include "unit/graph/graph_error.h"

#define BLIT    0x10u /* type */
#define M2MF    0x0du
#define NOTES   0x2000u /* instances */
#define FIRST   0x2010u
#define SECOND  0x2020u
#define MEMORY  0x20000u /* of notifiers, in VRAM */
#define NOTIFY  0x104u
#define PLAIN   0x300u /* a method of a blit that only sets something */
#define MISSING 0x190u /* a method that nothing has */

#define INVALID_METHOD 0x1u
#define INVALID_VALUE  0x10u
#define INVALID_NOTIFY 0x100u
#define DOUBLE_NOTIFY  0x1000u
#define CTXSW_NOTIFY   0x10000u

static struct pfifo_gpu *make(const char *chip) {
    static const uint8_t unwritten[0x100] = {[0 ... 0xff] = 0xff};
    struct pfifo_gpu *gpu = nv3_make(chip);
    pfifo_gpu_vram_write(gpu, MEMORY, unwritten, sizeof unwritten);
    nv3_vram_object(gpu, NOTES, MEMORY, 0x100);
    ramin_wr(gpu, FIRST, 1, NOTES << 16);
    ramin_wr(gpu, SECOND, 1, NOTES << 16);
    nv3_context(gpu, 1, BLIT, FIRST);
    nv3_context(gpu, 2, BLIT, SECOND);
    nv3_send(gpu, 1, PLAIN, 0);
    return gpu;
}

/* Bit n: a record was written at 16 n, and is good. */
static unsigned records(struct pfifo_gpu *gpu) {
    unsigned written = 0;
    for (unsigned n = 0; n < 16; n++) {
        uint32_t record[4];
        pfifo_gpu_vram_read(gpu, MEMORY + 16 * n, record, sizeof record);
        if (record[3] == ~0u)
            continue;
        assert_int_equal(record[2], 0);
        assert_int_equal(record[3], 0);
        written |= 1u << n;
    }
    return written;
}

static void assert_state(struct pfifo_gpu *gpu, uint32_t intr, uint32_t invalid, uint32_t notify) {
    assert_int_equal(rd(gpu, REG_INTR), intr);
    assert_int_equal(rd(gpu, REG_INVALID), invalid);
    assert_int_equal(rd(gpu, REG_NOTIFY), notify << 16 | NOTES);
    assert_int_equal(rd(gpu, REG_FIFO) & 1, (intr & INTR_INVALID) == 0);
}

/* ---- loading ---- */

struct model {
    uint32_t debug_1, user, dma, notify, instance, m2mf;
};

/* The rules, as hwtest has them. */
static void model_method(struct model *m, const uint32_t words[2], uint32_t subchannel, uint32_t type,
                         uint32_t instance, uint32_t method) {
    if (subchannel != (m->user >> 13 & 7))
        m->user = CHANNEL << 24 | type << 16 | subchannel << 13;
    bool with_dma = type == 0x0d || type == 0x0e || type == 0x14 || type == 0x17 || method == NOTIFY;
    if (!(m->debug_1 >> 16 & 1) || instance == m->instance || !with_dma)
        return;
    m->instance = instance;
    m->dma = words[0] & 0xffff;
    m->notify = (m->notify & 0xf10000) | words[0] >> 16;
    m->m2mf = words[1] & 0x1ffff;
}

static void assert_model(struct pfifo_gpu *gpu, const struct model *m, uint32_t mask) {
    assert_int_equal(rd(gpu, REG_USER), m->user);
    assert_int_equal(rd(gpu, REG_DMA), m->dma);
    assert_int_equal(rd(gpu, REG_NOTIFY) & mask, m->notify & mask);
    assert_int_equal(rd(gpu, REG_INST), m->instance);
    assert_int_equal(rd(gpu, REG_M2MF), m->m2mf);
}

static void model_registers(struct pfifo_gpu *gpu, struct model *m, struct choice *choice) {
    uint32_t word = choice_word(choice);
    if (choice_once_in(choice, 4))
        wr(gpu, REG_DEBUG_1, word), m->debug_1 = word;
    if (choice_once_in(choice, 4))
        wr(gpu, REG_INST, word), m->instance = word & 0xffff;
    if (choice_once_in(choice, 4))
        wr(gpu, REG_DMA, word), m->dma = word & 0xffff;
    if (choice_once_in(choice, 4))
        wr(gpu, REG_M2MF, word), m->m2mf = word & 0x1ffff;
    wr(gpu, REG_NOTIFY, word & 0xffff), m->notify = word & 0xffff; /* nothing is due */
}

static void objects_are_loaded_where_methods_need_them(void **state) {
    static const uint32_t types[] = {0x0d, 0x0e, 0x14, 0x17, 0x10, 0x07, 0x18, 0x1c, 0x05};
    struct choice choice = choice_from_seed(1);
    struct pfifo_gpu *gpu = nv3_make("NV3");
    struct model m = {.debug_1 = rd(gpu, REG_DEBUG_1), .user = rd(gpu, REG_USER)};
    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        uint32_t subchannel = choice_below(&choice, 4), instance = 0x2000 + choice_below(&choice, 4);
        uint32_t type = types[choice_below(&choice, COUNT(types))];
        uint32_t method = choice_once_in(&choice, 3) ? NOTIFY : PLAIN;
        uint32_t words[2] = {choice_word(&choice), choice_word(&choice)};
        if (subchannel == (m.user >> 13 & 7)) /* the type of the last switch stays */
            type = m.user >> 16 & 0x1f;
        model_registers(gpu, &m, &choice);
        ramin_wr(gpu, instance, 1, words[0]);
        ramin_wr(gpu, instance, 2, words[1]);
        nv3_context(gpu, subchannel, type, instance);
        nv3_send(gpu, subchannel, method, 0);
        model_method(&m, words, subchannel, type, instance, method);
        assert_model(gpu, &m, 0xffff);
        assert_int_equal(rd(gpu, TRAPPED_INST), instance);
        nv3_acknowledge(gpu);
    }
    pfifo_gpu_free(gpu);
}

/* ---- NOTIFY of NV3 ---- */

static void each_number_has_its_place(void **state) {
    (void)state;
    for (uint32_t n = 0; n < 16; n++) {
        struct pfifo_gpu *gpu = make("NV3");
        nv3_send(gpu, 1, NOTIFY, n);
        assert_state(gpu, 0, 0, 1 | n << 4);
        assert_int_equal(records(gpu), 0);
        nv3_send(gpu, 1, PLAIN, 0);
        assert_state(gpu, n ? INTR_NOTIFY : 0, 0, n << 4);
        assert_int_equal(records(gpu), 1u << (n == 1 ? 0 : n));
        nv3_send(gpu, 1, PLAIN, 0);
        assert_int_equal(records(gpu), 1u << (n == 1 ? 0 : n));
        pfifo_gpu_free(gpu);
    }
}

static void numbers_above_15_are_refused(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make("NV3T");
    nv3_send(gpu, 1, NOTIFY, 16);
    assert_int_equal(rd(gpu, REG_INVALID), INVALID_VALUE);
    assert_int_equal(rd(gpu, REG_NOTIFY) & ARMED, 0);
    nv3_acknowledge(gpu);
    wr(gpu, REG_DEBUG_3, 0); /* nobody checks: the low bits count */
    nv3_send(gpu, 1, NOTIFY, 0x12);
    assert_state(gpu, 0, 0, 0x21);
    pfifo_gpu_free(gpu);
}

static void a_second_notify_is_an_error_and_counts(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make("NV3");
    nv3_send(gpu, 1, NOTIFY, 2);
    nv3_send(gpu, 1, NOTIFY, 3);
    assert_state(gpu, INTR_INVALID, DOUBLE_NOTIFY, 0x31);
    nv3_acknowledge(gpu);
    nv3_send(gpu, 1, NOTIFY, 0x14); /* two errors: the number stays */
    assert_state(gpu, INTR_INVALID, DOUBLE_NOTIFY | INVALID_VALUE, 0x31);
    nv3_acknowledge(gpu);
    nv3_send(gpu, 1, PLAIN, 0);
    assert_int_equal(records(gpu), 1u << 3);
    pfifo_gpu_free(gpu);
}

static void a_method_that_is_missing_keeps_a_notify_waiting(void **state) {
    (void)state;
    for (uint32_t n = 0; n < 3; n++) {
        struct pfifo_gpu *gpu = make("NV3");
        nv3_send(gpu, 1, NOTIFY, n);
        nv3_send(gpu, 1, MISSING, 0);
        assert_state(gpu, INTR_INVALID | (n ? INTR_NOTIFY : 0), INVALID_METHOD, 1 | n << 4);
        assert_int_equal(records(gpu), 0);
        nv3_acknowledge(gpu);
        nv3_send(gpu, 1, PLAIN, 0);
        assert_int_equal(records(gpu), n == 2 ? 4 : 1);
        pfifo_gpu_free(gpu);
    }
}

/* The method is executed, and its own errors do not show. */
static void going_to_another_object_is_an_error_while_a_notify_is_due(void **state) {
    static const struct { uint32_t method, data; } cases[] = {{PLAIN, 7}, {MISSING, 7}, {NOTIFY, 3}, {NOTIFY, 99}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make("NV3");
        uint32_t value;
        nv3_send(gpu, 1, NOTIFY, 2);
        nv3_context(gpu, 2, 0x05, SECOND); /* a clip rectangle */
        nv3_send(gpu, 2, cases[i].method, cases[i].data);
        assert_state(gpu, INTR_INVALID, CTXSW_NOTIFY, 0x21);
        assert_int_equal(rd(gpu, TRAPPED_ADDR), CHANNEL << 24 | 0x05 << 16 | 2 << 13 | cases[i].method);
        assert_int_equal(rd(gpu, TRAPPED_DATA), cases[i].data);
        assert_true(pfifo_gpu_method_value(gpu, CHANNEL, 0x19, cases[i].method, &value));
        assert_int_equal(value, cases[i].data);
        assert_int_equal(records(gpu), 0);
        assert_int_equal(nv3_send(gpu, 2, PLAIN, 0), PFIFO_STOP_INTERRUPT);
        nv3_acknowledge(gpu);
        wr(gpu, REG_NOTIFY, NOTES); /* what the driver does: take it back */
        assert_int_equal(pfifo_gpu_run(gpu, UINT64_MAX), PFIFO_STOP_IDLE);
        nv3_send(gpu, 1, PLAIN, 0);
        assert_int_equal(records(gpu), 0);
        assert_int_equal(rd(gpu, REG_INTR), 0);
        pfifo_gpu_free(gpu);
    }
}

/* By a method 0, too, and if it is the same object. */
static void binding_is_an_error_while_a_notify_is_due(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make("NV3");
    wr(gpu, 0x2210, 0x30000);
    for (uint32_t at = 0; at < 0x8000; at += 8) { /* whatever the handle, and wherever it is looked up */
        memory_ramin_wr32(&gpu->memory, at, 0xbeef);
        memory_ramin_wr32(&gpu->memory, at + 4, CHANNEL << 24 | 1u << 23 | 0x50 << 16 | FIRST);
    }
    nv3_send(gpu, 1, 0, 0xbeef);
    assert_int_equal(rd(gpu, REG_INTR), 0);
    nv3_send(gpu, 1, NOTIFY, 0);
    nv3_send(gpu, 1, 0, 0xbeef);
    assert_state(gpu, INTR_INVALID, CTXSW_NOTIFY, 1);
    pfifo_gpu_free(gpu);
}

static void a_notify_has_the_object_of_its_own_class(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make("NV3");
    nv3_vram_object(gpu, 0x2040, MEMORY + 0x1000, 0x100);
    ramin_wr(gpu, SECOND, 1, 0x2040u << 16);
    nv3_send(gpu, 1, NOTIFY, 0);
    nv3_send(gpu, 1, PLAIN, 0);
    assert_int_equal(records(gpu), 1);
    nv3_send(gpu, 2, NOTIFY, 4);
    assert_int_equal(rd(gpu, REG_NOTIFY), 0x412040);
    nv3_send(gpu, 2, PLAIN, 0);
    uint32_t written;
    pfifo_gpu_vram_read(gpu, MEMORY + 0x1000 + 0x40, &written, 4);
    assert_true(written);
    assert_int_equal(records(gpu), 1);
    pfifo_gpu_free(gpu);
}

/* The driver may do it with CACHE0, whose puller tells PGRAPH the object with each command. */
static void commands_of_cache0_may_ask_for_a_notifier(void **state) {
    static const uint32_t commands[][2] = {{NOTIFY, 3}, {PLAIN, 0}};
    (void)state;
    struct pfifo_gpu *gpu = make("NV3");
    wr(gpu, 0x3200, 0);
    wr(gpu, 0x3240, 0);
    wr(gpu, 0x3004, CHANNEL);
    for (size_t i = 0; i < COUNT(commands); i++) {
        wr(gpu, 0x3000, 0);
        wr(gpu, 0x3010, 4);
        wr(gpu, 0x3070, 0);
        wr(gpu, 0x3080, 1u << 23 | (0x40 | BLIT) << 16 | SECOND);
        wr(gpu, 0x3100, 2u << 13 | commands[i][0]);
        wr(gpu, 0x3104, commands[i][1]);
        wr(gpu, 0x3000, 1);
        wr(gpu, 0x3040, 1);
        assert_int_equal(pfifo_gpu_run(gpu, UINT64_MAX), PFIFO_STOP_IDLE);
        assert_state(gpu, i ? INTR_NOTIFY : 0, 0, i ? 0x30 : 0x31);
    }
    assert_int_equal(records(gpu), 1u << 3);
    pfifo_gpu_free(gpu);
}

/* ---- NV1 ---- */

#define VALID 0x100u /* option of a context */

static struct pfifo_gpu *make_nv1(uint32_t type, uint32_t options) {
    struct pfifo_gpu *gpu = nv3_make("NV1");
    uint8_t unwritten[0x100];
    memset(unwritten, 0xff, sizeof unwritten);
    pfifo_gpu_system_write(gpu, MEMORY, unwritten, sizeof unwritten);
    ramin_wr(gpu, NOTES, 0, 0x00010000);
    ramin_wr(gpu, NOTES, 1, 0xff);
    ramin_wr(gpu, NOTES, 2, MEMORY | 3);
    wr(gpu, REG_NOTIFY, NOTES);
    nv3_context(gpu, 1, type, options);
    return gpu;
}

static bool nv1_record(struct pfifo_gpu *gpu) {
    uint32_t word;
    pfifo_gpu_system_read(gpu, MEMORY + 12, &word, 4);
    return word == 0;
}

static void nv1_writes_one_notifier_and_wakes_nobody(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make_nv1(BLIT, VALID);
    nv3_send(gpu, 1, NOTIFY, 0);
    assert_int_equal(rd(gpu, REG_CTX_SWITCH), CHANNEL << 16 | VALID);
    assert_state(gpu, 0, 0, 1);
    assert_false(nv1_record(gpu));
    nv3_send(gpu, 1, PLAIN, 0);
    assert_state(gpu, 0, 0, 0);
    assert_true(nv1_record(gpu));
    nv3_send(gpu, 1, NOTIFY, 0);
    wr(gpu, REG_NOTIFY, 0x110000 | NOTES); /* but if the driver wants it */
    nv3_send(gpu, 1, PLAIN, 0);
    assert_state(gpu, INTR_NOTIFY, 0, 0);
    pfifo_gpu_free(gpu);
}

static void nv1_refuses_what_is_not_there(void **state) {
    static const struct {
        uint32_t type, options, data, before, invalid; /* before bit 20: the interrupt that was asked for comes */
    } cases[] = {
        {BLIT, 0, 0, 0, INVALID_NOTIFY},
        {BLIT, VALID, 1, 0, INVALID_VALUE},
        {BLIT, ~VALID & 0xffff, 2, 0, INVALID_NOTIFY | INVALID_VALUE},
        {0x0d, VALID, 1, 0, 0}, /* textured quads take any number */
        {0x1e, VALID, 77, 0, 0},
        {BLIT, VALID, 0, 0x10000, DOUBLE_NOTIFY},
        {BLIT, VALID, 0, 0x100000, DOUBLE_NOTIFY},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make_nv1(cases[i].type, cases[i].options);
        wr(gpu, REG_NOTIFY, cases[i].before | NOTES);
        nv3_send(gpu, 1, NOTIFY, cases[i].data);
        assert_int_equal(rd(gpu, REG_INVALID), cases[i].invalid);
        assert_int_equal(rd(gpu, REG_INTR), (cases[i].invalid ? INTR_INVALID : 0) | (cases[i].before >> 20) << 28);
        assert_int_equal(rd(gpu, REG_NOTIFY), NOTES | (cases[i].invalid ? cases[i].before : ARMED));
        assert_false(nv1_record(gpu));
        pfifo_gpu_free(gpu);
    }
}

/* ---- INVALID ---- */

static void invalid_goes_with_its_interrupt(void **state) {
    static const char *const chips[] = {"NV1", "NV3"};
    (void)state;
    for (size_t i = 0; i < COUNT(chips); i++) {
        const struct unit_trap value = {0}, method = {0};
        const struct graph_codes value_codes = {.invalid = INVALID_VALUE}, method_codes = {.invalid = INVALID_METHOD};
        struct pfifo_gpu *gpu = nv3_make(chips[i]);
        graph_show(gpu->fifo->graph, CHANNEL, &value, &value_codes);
        graph_show(gpu->fifo->graph, CHANNEL, &method, &method_codes);
        wr(gpu, REG_INVALID, INVALID_VALUE);
        assert_int_equal(rd(gpu, REG_INTR), INTR_INVALID);
        wr(gpu, REG_INVALID, INVALID_METHOD);
        assert_int_equal(rd(gpu, REG_INTR), 0);
        graph_show(gpu->fifo->graph, CHANNEL, &value, &value_codes);
        wr(gpu, REG_INTR, INTR_INVALID);
        assert_int_equal(rd(gpu, REG_INVALID), 0);
        nv3_acknowledge(gpu);
        wr(gpu, REG_INTR_EN, 0);
        graph_show(gpu->fifo->graph, CHANNEL, &value, &value_codes);
        wr(gpu, REG_FIFO, is_nv1(gpu) ? 0x04000100 : 1); /* NV1: the host's access */
        assert_int_equal(rd(gpu, 0x100) & PMC_LINE, 0);
        wr(gpu, REG_INVALID_EN, INVALID_VALUE);
        assert_int_equal(rd(gpu, 0x100) & PMC_LINE, PMC_LINE);
        wr(gpu, REG_INVALID_EN, INVALID_METHOD);
        assert_int_equal(rd(gpu, 0x100) & PMC_LINE, 0);
        pfifo_gpu_free(gpu);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_loaded_where_methods_need_them),
        cmocka_unit_test(each_number_has_its_place),
        cmocka_unit_test(numbers_above_15_are_refused),
        cmocka_unit_test(a_second_notify_is_an_error_and_counts),
        cmocka_unit_test(a_method_that_is_missing_keeps_a_notify_waiting),
        cmocka_unit_test(going_to_another_object_is_an_error_while_a_notify_is_due),
        cmocka_unit_test(binding_is_an_error_while_a_notify_is_due),
        cmocka_unit_test(a_notify_has_the_object_of_its_own_class),
        cmocka_unit_test(commands_of_cache0_may_ask_for_a_notifier),
        cmocka_unit_test(nv1_writes_one_notifier_and_wakes_nobody),
        cmocka_unit_test(nv1_refuses_what_is_not_there),
        cmocka_unit_test(invalid_goes_with_its_interrupt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
