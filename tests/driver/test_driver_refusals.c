/* SPDX-License-Identifier: MIT */
/*
 * What engines refuse and what faults in them: the registers that tell it, that the unit halts until its driver has
 * looked, that others go on, and what the driver writes to let it go on, in order, as nouveau does it
 * (nvkm/engine/gr/{nv04,nv10,nv40,nv50,gf100}.c, ce/{gt215,gk104,gp100}.c, falcon.c).
 */
#include "driver/probe.h"

#define GRAPH_INTR   0x400100u
#define LINE         (1u << 12) /* of PMC INTR */
#define NOTIFY       0x104u     /* before GF100: 0 or 1 */
#define MACRO_DATA   0x3804u    /* GF100-: a parameter of a macro that is not under way */
#define MACRO_CALL   0x3800u
#define SOME_STATE   0x308u
#define BLOCKING     0x20u /* LAUNCH_DMA */
#define BAD_TRANSFER 0x3u
#define NOWHERE      UINT64_C(0x12345000)

/* What a generation shows of a value that it refuses, or (GF100-) of a macro with too many parameters. */
static const struct generation {
    const char *first; /* in the order of `parts` */
    uint32_t intr;
    const char *error;
    struct word shown[4];
    uint32_t class_at, class_mask;
    uint32_t access, access_on;
} generations[] = {
    {"NV4", 1, "DATA_ERROR", {{0x400104, 0x2000}, {0x400108, 2}}, 0x400180, 0xff, 0x400720, 1},
    {"NV10", 1u << 20, "DATA_ERROR", {{0x400104, 0x2000000}, {0x400108, 2}}, 0x400160, 0xff, 0x400720, 1},
    {"NV40", 1u << 20, "DATA_ERROR", {{0x400104, 0x2000000}, {0x400108, 2}}, 0x400160, 0xffff, 0x400720, 1},
    {"G80", 1u << 20, "INVALID_VALUE", {{0x400110, 4}}, 0x400814, 0xffff, 0x400500, 0x00010001},
    {"GF100",
     1u << 21,
     "TRAP_MACRO",
     {{0x400108, 0x80}, {0x404490, 0x80000002}},
     0x404200,
     0xffff,
     0x400500,
     0x00010001},
};

static const struct generation *generation_of(const struct part *part) {
    const struct generation *found = &generations[0];
    size_t next = 1;
    for (const struct part *p = parts; p <= part; p++)
        if (next < COUNT_OF(generations) && strcmp(p->chip, generations[next].first) == 0)
            found = &generations[next++];
    return found;
}

static struct pfifo_gpu *gpu(void) {
    return pfifo_device_gpu(rig.device);
}

static void write_reg(uint32_t offset, uint32_t value) {
    pfifo_gpu_wr32(gpu(), offset, value);
}

static void add_refused(struct words *words) {
    words_method(words, SUBCHANNEL, rig.part->fermi ? MACRO_DATA : NOTIFY, 2);
}

static void submit_bound(struct pfifo_channel *channel, struct pfifo_buffer *push, uint64_t at, bool refused,
                         uint32_t state_value) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_bind_class(&words, &rig, SUBCHANNEL);
    if (refused)
        add_refused(&words);
    words_method(&words, SUBCHANNEL, SOME_STATE, state_value);
    words_submit(&words, &rig, channel, push, at);
}

static uint32_t value_of(const struct pfifo_channel *channel, uint32_t object_class, uint32_t method) {
    uint32_t value = 0;
    pfifo_gpu_method_value(gpu(), pfifo_channel_number(channel), object_class, method, &value);
    return value;
}

static uint32_t state_of(const struct pfifo_channel *channel) {
    return value_of(channel, rig.part->graphics, SOME_STATE);
}

/* Where TRAPPED_ADDR has channel and subchannel; by subchannel 0 it is only the channel that shows. */
static uint32_t trapped(const struct pfifo_channel *channel) {
    const struct part *part = rig.part;
    uint32_t number = pfifo_channel_number(channel);
    if (part->fermi)
        return MACRO_CALL;
    if (strcmp(part->chip, "NV4") == 0 || strcmp(part->chip, "NV5") == 0)
        return number << 24 | NOTIFY;
    return generation_of(part)->intr == 1u << 20 && part->calls && generation_of(part)->class_mask == 0xff
               ? number << 20 | NOTIFY
               : NOTIFY;
}

static void expect_shown(const struct pfifo_channel *channel) {
    const struct generation *g = generation_of(rig.part);
    expect_reg(GRAPH_INTR, ~0u, g->intr);
    expect_reg(0x100, LINE, LINE);
    for (size_t i = 0; i < COUNT_OF(g->shown) && g->shown[i].offset; i++)
        expect_reg(g->shown[i].offset, ~0u, g->shown[i].value);
    expect_reg(0x400704, 0x1f7ffffc, trapped(channel));
    if (!rig.part->fermi)
        expect_reg(0x400708, ~0u, 2);
    expect_reg(g->class_at, g->class_mask, rig.part->graphics & g->class_mask);
}

/* A channel that PGRAPH works for; NV4 .. NV1x ask their driver before. */
static struct pfifo_channel *working_channel(struct pfifo_buffer *push) {
    struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
    submit_bound(channel, push, 0x800, false, 1);
    rig_wait(&rig);
    assert_int_equal(state_of(channel), 1);
    return channel;
}

static void a_refused_method_halts_pgraph_until_the_driver_has_looked(void **state) {
    (void)state;
    FOR_EACH_PART {
        const struct generation *g = generation_of(part);
        rig_open(&rig, part);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct pfifo_channel *channel = working_channel(push);
        submit_bound(channel, push, 0, true, 2);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_INTERRUPT);
        if (!part->fermi)
            assert_int_equal(pfifo_gpu_stop_info(gpu())->channel, pfifo_channel_number(channel));
        assert_int_equal(state_of(channel), 1);
        expect_shown(channel);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_INTERRUPT);
        write_reg(GRAPH_INTR, g->intr);
        expect_reg(0x100, LINE, 0);
        if (part->calls)
            expect_reg(0x400108, ~0u, 0); /* the source goes with the interrupt */
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_WAITING);
        assert_int_equal(state_of(channel), 1);
        write_reg(g->access, g->access_on);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_IDLE);
        assert_int_equal(state_of(channel), 2);
        rig_close(&rig);
    }
}

/* The same when nobody observes methods, and packets go in as a whole. */
static void packets_behind_a_refused_method_wait(void **state) {
    (void)state;
    FOR_EACH_KIND {
        rig_open(&rig, part);
        pfifo_gpu_unobserve(gpu(), rig_observe, &rig);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct pfifo_channel *channel = working_channel(push);
        submit_bound(channel, push, 0, true, 2);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_INTERRUPT);
        assert_int_equal(state_of(channel), 1);
        rig_wait(&rig);
        assert_int_equal(state_of(channel), 2);
        rig_close(&rig);
    }
}

static void an_interrupt_that_is_not_enabled_halts_all_the_same(void **state) {
    (void)state;
    FOR_EACH_KIND {
        rig_open(&rig, part);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct pfifo_channel *channel = working_channel(push);
        uint32_t enable = part->calls && generation_of(part)->class_mask == 0xff ? 0x400140 : 0x40013c;
        write_reg(enable, 0);
        submit_bound(channel, push, 0, true, 2);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_INTERRUPT);
        expect_reg(0x100, LINE, 0);
        assert_int_equal(state_of(channel), 1);
        write_reg(enable, ~0u);
        expect_reg(0x100, LINE, LINE);
        rig_close(&rig);
    }
}

/* DEBUG_3 of NV4 .. NV4x. */
static void what_nobody_checks_for_is_only_ignored(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->calls)
            continue;
        rig_open(&rig, part);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct pfifo_channel *channel = working_channel(push);
        write_reg(0x40008c, reg(0x40008c) & ~(1u << 20));
        submit_bound(channel, push, 0, true, 2);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_IDLE);
        assert_int_equal(state_of(channel), 2);
        expect_reg(GRAPH_INTR, ~0u, 0);
        rig_close(&rig);
    }
}

static void the_driver_reports_the_method_and_goes_on(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct pfifo_channel *first = working_channel(push), *channel = working_channel(push);
        submit_bound(channel, push, 0, true, 2);
        submit_bound(first, push, 0x100, false, 3);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        const struct pfifo_device_fault *fault = &rig.faults[0];
        assert_string_equal(fault->unit, "PGRAPH");
        assert_string_equal(fault->error, generation_of(part)->error);
        assert_int_equal(fault->channel, pfifo_channel_number(channel));
        assert_int_equal(fault->subchannel, SUBCHANNEL);
        assert_int_equal(fault->method, part->fermi ? MACRO_CALL : NOTIFY);
        if (!part->fermi)
            assert_int_equal(fault->data, 2);
        assert_int_equal(fault->interrupt, generation_of(part)->intr);
        assert_int_equal(fault->object_class, part->graphics & generation_of(part)->class_mask);
        assert_int_equal(state_of(channel), 2);
        assert_int_equal(state_of(first), 3);
        expect_reg(0x100, ~0u, 0);
        rig_close(&rig);
    }
}

/* Subchannel 0 has no object here. */
static void the_class_is_that_of_the_subchannel(void **state) {
    enum { OTHER = 5 };
    (void)state;
    FOR_EACH_PART {
        if (part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, OTHER);
        words_method(&words, OTHER, NOTIFY, 2);
        words_submit(&words, &rig, channel, rig_push_buffer(&rig), 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        assert_int_equal(rig.faults[0].subchannel, OTHER);
        assert_int_equal(rig.faults[0].object_class, part->graphics & generation_of(part)->class_mask);
        rig_close(&rig);
    }
}

static void pgraph_shows_its_channel(void **state) {
    static const struct {
        const char *chip;
        uint32_t offset, valid;
    } cases[] = {{"NV40", 0x40032c, 1u << 24},
                 {"G80", 0x40032c, 1u << 31},
                 {"GF100", 0x409b00, 1u << 31},
                 {"GK104", 0x409b00, 1u << 31}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        rig_open(&rig, rig_part(cases[i].chip));
        expect_reg(cases[i].offset, cases[i].valid, 0);
        working_channel(rig_push_buffer(&rig));
        expect_reg(cases[i].offset, cases[i].valid, cases[i].valid);
        assert_int_not_equal(pfifo_gpu_rd32(gpu(), cases[i].offset) & 0xffffff, 0);
        rig_close(&rig);
    }
}

static void the_driver_acknowledges_in_nouveaus_order(void **state) {
    (void)state;
    FOR_EACH_PART {
        const struct generation *g = generation_of(part);
        rig_open(&rig, part);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct pfifo_channel *channel = working_channel(push);
        record_writes();
        submit_bound(channel, push, 0, true, 2);
        rig_wait(&rig);
        const struct step plain[] = {{GRAPH_INTR, ~0u, g->intr}, {g->access, ~0u, g->access_on}};
        const struct step macro[] = {{0x404490, ~0u, 0xc0000000},
                                     {0x400108, ~0u, 0x80},
                                     {GRAPH_INTR, ~0u, 1u << 21},
                                     {0x400500, ~0u, 0x00010001}};
        if (part->fermi)
            expect_steps(macro, COUNT_OF(macro));
        else
            expect_steps(plain, COUNT_OF(plain));
        rig_close(&rig);
    }
}

/* ---- macros ---- */

/* Instructions of GF100 .. GV100: the next parameter to a register, the method to send to, a value to send. */
#define PARAMETER      0x00000200u
#define SEND_TO(byte)  (0x00000021u | ((uint32_t)(byte) >> 2) << 14)
#define SEND(value)    (0x00000041u | (uint32_t)(value) << 14)
#define EXIT           0x00000080u
#define NOTHING        0x00000011u
#define INLINE_BLOCK   0x194u
#define INLINE_LAUNCH  0x1b0u
#define PROGRAM_LENGTH 8

static void submit_macro(struct pfifo_channel *channel, struct pfifo_buffer *push, const uint32_t *program) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_bind_class(&words, &rig, SUBCHANNEL);
    words_method(&words, SUBCHANNEL, 0x114, 0);
    for (unsigned i = 0; i < PROGRAM_LENGTH; i++)
        words_method(&words, SUBCHANNEL, 0x118, program[i]);
    words_method(&words, SUBCHANNEL, 0x11c, 0);
    words_method(&words, SUBCHANNEL, 0x120, 0);
    words_method(&words, SUBCHANNEL, MACRO_CALL, 0);
    words_submit(&words, &rig, channel, push, 0);
}

/* A method comes while a macro waits for a parameter: the macro traps, and the method has to wait for the driver. */
static void the_method_that_ends_a_macro_waits(void **state) {
    static const uint32_t program[PROGRAM_LENGTH] = {PARAMETER | EXIT, NOTHING};
    static const char *const chips[] = {"GF100", "GK104", "GM20B", "GP102"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        rig_open(&rig, rig_part(chips[i]));
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct pfifo_channel *channel = working_channel(push);
        submit_macro(channel, push, program);
        submit_bound(channel, push, 0x400, false, 2);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_INTERRUPT);
        expect_reg(0x404490, 0x1f, 1);
        assert_int_equal(state_of(channel), 1);
        rig_wait(&rig);
        assert_int_equal(state_of(channel), 2);
        rig_close(&rig);
    }
}

static void a_macro_that_is_ended_shows_its_subchannel(void **state) {
    (void)state;
    rig_open(&rig, rig_part("GF100"));
    struct pfifo_buffer *push = rig_push_buffer(&rig);
    struct pfifo_channel *channel = working_channel(push);
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_method(&words, 5, 0, 0x902d);
    words_method(&words, 5, 0x118, PARAMETER | EXIT);
    words_method(&words, 5, MACRO_CALL, 0);
    words_method(&words, 5, SOME_STATE, 2);
    words_submit(&words, &rig, channel, push, 0);
    assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_INTERRUPT);
    expect_reg(0x404490, 0x1f, 1);
    expect_reg(0x400704, 0x1f7ffffc, 5u << 16 | MACRO_CALL);
    rig_close(&rig);
}

/* A macro sends a launch that is refused, and then something else. */
static void a_macro_sends_nothing_while_pgraph_has_halted(void **state) {
    static const uint32_t program[PROGRAM_LENGTH] = {
        SEND_TO(INLINE_BLOCK), SEND(0xfff), SEND_TO(INLINE_LAUNCH), SEND(0), SEND_TO(SOME_STATE),
        SEND(5) | EXIT,        NOTHING};
    static const char *const chips[] = {"GK104", "GM107", "GP102"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        rig_open(&rig, rig_part(chips[i]));
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct pfifo_channel *channel = working_channel(push);
        submit_macro(channel, push, program);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_INTERRUPT);
        expect_reg(GRAPH_INTR, ~0u, 1u << 20);
        expect_reg(0x400704, 0x3ffc, INLINE_LAUNCH);
        assert_int_equal(state_of(channel), 1);
        rig_wait(&rig);
        assert_int_equal(state_of(channel), 5);
        assert_string_equal(rig.faults[0].error, "INVALID_ENUM");
        rig_close(&rig);
    }
}

/* ---- other engines go on ---- */

/* A channel of an engine that is not PGRAPH: its class, how it is bound, and a method that only keeps a value. */
static const struct other {
    const char *chip;
    uint32_t object_class, bind, method;
} others[] = {
    {"NV40", 0x3174, 0xbeef3174, 0x200},  {"GT215", 0x85b5, 0xbeef85b5, 0x248}, {"GF100", 0x90b5, 0x000490b5, 0x248},
    {"GK104", 0xa0b5, 0x0000a0b5, 0x248}, {"GM107", 0xb0b5, 0x0000b0b5, 0x248}, {"GP102", 0xc1b5, 0x0000c1b5, 0x248},
};

static struct pfifo_channel *open_other(const struct other *other) {
    if (!is_runlist(rig.part)) {
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        if (!rig.part->fermi)
            assert_int_equal(pfifo_channel_object(channel, other->bind, other->object_class, &rig.error), PFIFO_OK);
        return channel;
    }
    const struct pfifo_channel_config config = {.engine = PFIFO_ENGINE_COPY};
    return pfifo_channel_open(rig.device, &config, &rig.error);
}

static void submit_other(struct pfifo_channel *channel, const struct other *other, struct pfifo_buffer *push,
                         uint64_t at, uint32_t value) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_method(&words, SUBCHANNEL, 0, other->bind);
    words_method(&words, SUBCHANNEL, other->method, value);
    words_submit(&words, &rig, channel, push, at);
}

static void other_engines_go_on_while_pgraph_has_halted(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        rig_open(&rig, rig_part(others[i].chip));
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct pfifo_channel *graphics = working_channel(push), *other = open_other(&others[i]);
        assert_non_null(other);
        submit_bound(graphics, push, 0, true, 2);
        submit_other(other, &others[i], push, 0x100, 0x77);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_INTERRUPT);
        assert_int_equal(state_of(graphics), 1);
        assert_int_equal(value_of(other, others[i].object_class, others[i].method), 0x77);
        rig_wait(&rig);
        assert_int_equal(state_of(graphics), 2);
        rig_close(&rig);
    }
}

/* ---- copy engines ---- */

static const struct copier {
    const struct other *other;
    uint32_t line; /* of PMC INTR */
    uint32_t intr, acknowledge, blocking, code;
    uint32_t enable;     /* of PMC ENABLE */
    struct word off, on; /* what takes the blocking interrupt from the line, and gives it back */
    uint32_t channel;    /* CHANNEL_CUR; 0: there is none */
} copiers[] = {
    {&others[1], 1u << 22, 0x104008, 0x104004, 1u << 10, 0, 1u << 13, {0x104014, 0x400}, {0x104010, 0x400}, 0x104050},
    {&others[2], 1u << 5, 0x104008, 0x104004, 1u << 10, 0, 1u << 6, {0x104014, 0x400}, {0x104010, 0x400}, 0x104050},
    {&others[3], 1u << 5, 0x104908, 0x104908, 1, 0x104f14, 1u << 6, {0x104904, 6}, {0x104904, 1}, 0},
    {&others[4], 1u << 5, 0x104908, 0x104908, 1, 0x104f14, 1u << 6, {0x104904, 6}, {0x104904, 1}, 0},
    {&others[5], 1u << 5, 0x104410, 0x104410, 1, 0x104418, 1u << 6, {0x10440c, 6}, {0x10440c, 1}, 0},
};

static struct pfifo_channel *submit_launch(const struct copier *copier, struct pfifo_buffer *push, uint32_t launch) {
    struct pfifo_channel *channel = open_other(copier->other);
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    assert_non_null(channel);
    words_method(&words, SUBCHANNEL, 0, copier->other->bind);
    words_method(&words, SUBCHANNEL, 0x300, launch);
    words_method(&words, SUBCHANNEL, 0x248, 0x99);
    words_submit(&words, &rig, channel, push, 0);
    return channel;
}

static void a_blocking_interrupt_holds_the_copy_engine(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(copiers); i++) {
        const struct copier *c = &copiers[i];
        rig_open(&rig, rig_part(c->other->chip));
        struct pfifo_channel *channel = submit_launch(c, rig_push_buffer(&rig), BLOCKING);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_INTERRUPT);
        assert_int_equal(value_of(channel, c->other->object_class, 0x248), 0);
        expect_reg(0x100, c->line, c->line);
        expect_reg(c->intr, ~0u, c->blocking);
        write_reg(c->acknowledge, c->blocking);
        expect_reg(0x100, c->line, 0);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_IDLE);
        assert_int_equal(value_of(channel, c->other->object_class, 0x248), 0x99);
        rig_close(&rig);
    }
}

static void a_line_of_a_copy_engine_has_what_is_enabled(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(copiers); i++) {
        const struct copier *c = &copiers[i];
        rig_open(&rig, rig_part(c->other->chip));
        submit_launch(c, rig_push_buffer(&rig), BLOCKING);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_INTERRUPT);
        write_reg(c->off.offset, c->off.value);
        expect_reg(0x100, c->line, 0);
        expect_reg(c->intr, ~0u, c->blocking);
        write_reg(c->on.offset, c->on.value);
        expect_reg(0x100, c->line, c->line);
        rig_close(&rig);
    }
}

/* Its interrupts are gone, and with them what held it. */
static void a_copy_engine_that_was_off_is_not_held(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(copiers); i++) {
        const struct copier *c = &copiers[i];
        rig_open(&rig, rig_part(c->other->chip));
        struct pfifo_channel *channel = submit_launch(c, rig_push_buffer(&rig), BLOCKING);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_INTERRUPT);
        uint32_t enabled = pfifo_gpu_rd32(gpu(), 0x200);
        write_reg(0x200, enabled & ~c->enable);
        expect_reg(0x100, c->line, 0);
        write_reg(0x200, enabled);
        expect_reg(0x100, c->line, 0);
        expect_reg(c->intr, ~0u, 0);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_IDLE);
        assert_int_equal(value_of(channel, c->other->object_class, 0x248), 0x99);
        rig_close(&rig);
    }
}

static void a_copy_engine_shows_its_channel(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(copiers); i++) {
        const struct copier *c = &copiers[i];
        if (!c->channel)
            continue;
        rig_open(&rig, rig_part(c->other->chip));
        expect_reg(c->channel, ~0u, 0);
        submit_launch(c, rig_push_buffer(&rig), 0);
        assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_IDLE);
        expect_reg(c->channel, 1u << 30, 1u << 30);
        assert_int_not_equal(pfifo_gpu_rd32(gpu(), c->channel) & 0x3fffffff, 0);
        rig_close(&rig);
    }
}

static void a_refused_launch_says_why(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(copiers); i++) {
        const struct copier *c = &copiers[i];
        rig_open(&rig, rig_part(c->other->chip));
        if (c->code) {
            submit_launch(c, rig_push_buffer(&rig), BAD_TRANSFER);
            assert_int_equal(pfifo_gpu_run(gpu(), BUDGET), PFIFO_STOP_INTERRUPT);
            expect_reg(c->intr, ~0u, 4);
            expect_reg(c->code, ~0u, 9);
            expect_reg(0x100, c->line, c->line);
        }
        rig_close(&rig);
    }
}

static void the_driver_lets_copy_engines_go_on(void **state) {
    static const uint32_t launches[] = {BLOCKING, BAD_TRANSFER};
    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(copiers); i++) {
        const struct copier *c = &copiers[i / 2];
        rig_open(&rig, rig_part(c->other->chip));
        struct pfifo_channel *channel = submit_launch(c, rig_push_buffer(&rig), launches[i % 2]);
        rig_wait(&rig);
        assert_int_equal(value_of(channel, c->other->object_class, 0x248), 0x99);
        assert_int_equal(rig.fault_count, i % 2);
        if (i % 2) {
            assert_string_equal(rig.faults[0].unit, "PCOPY0");
            assert_string_equal(rig.faults[0].error, c->code ? "INVALID_VALUE" : "INVALID_BITFIELD");
        }
        expect_reg(0x100, ~0u, 0);
        rig_close(&rig);
    }
}

/* PSEC's firmware numbers errors unlike that of PCOPY. */
static void the_security_engine_has_its_own_numbers(void **state) {
    static const struct other sec = {"G98", 0x88b4, 0xbeef88b4, 0x218};
    static const struct {
        uint32_t value, code;
        const char *error;
    } cases[] = {{8, 1, "INVALID_BITFIELD"}, {5, 2, "INVALID_ENUM"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        rig_open(&rig, rig_part(sec.chip));
        submit_other(open_other(&sec), &sec, rig_push_buffer(&rig), 0, cases[i].value);
        rig_wait(&rig);
        expect_reg(0x87040, 0xffff, cases[i].code);
        assert_int_equal(rig.fault_count, 1);
        assert_string_equal(rig.faults[0].unit, "PSEC");
        assert_string_equal(rig.faults[0].error, cases[i].error);
        rig_close(&rig);
    }
}

/* ---- faults ---- */

#define COPY_HANDLE  0xbeef0039u
#define LIMITED      0xbeef0600u
#define NOTIFICATION 0xbeef0601u

/* An M2MF copy of 16 bytes from an offset in LIMITED, and what comes after it. */
static void submit_copy(struct pfifo_channel *channel, struct pfifo_buffer *push, uint64_t at, uint32_t from,
                        uint32_t to) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_method(&words, 1, 0, COPY_HANDLE);
    words_header(&words, 1, 0x180, 3);
    words_add(&words, NOTIFICATION);
    words_add(&words, LIMITED);
    words_add(&words, LIMITED);
    if (is_tesla(rig.part)) {
        words_method(&words, 1, 0x200, 1);
        words_method(&words, 1, 0x21c, 1);
        words_method(&words, 1, 0x238, 0);
        words_method(&words, 1, 0x23c, 0);
    }
    words_header(&words, 1, 0x30c, 8);
    words_add(&words, from);
    for (uint32_t i = 0; i < 7; i++)
        words_add(&words, (const uint32_t[]){to, 0x10, 0x10, 0x10, 1, 0x101, 0}[i]);
    words_method(&words, SUBCHANNEL, 0, GRAPHICS);
    words_method(&words, SUBCHANNEL, SOME_STATE, 4);
    words_submit(&words, &rig, channel, push, at);
}

static struct pfifo_channel *copying_channel(struct pfifo_buffer *push, struct pfifo_buffer *memory) {
    struct pfifo_channel *channel = working_channel(push);
    bool objects =
        pfifo_channel_object(channel, COPY_HANDLE, is_tesla(rig.part) ? 0x5039 : 0x39, &rig.error) == PFIFO_OK &&
        pfifo_channel_dma_object(channel, LIMITED, memory, 0, 0x100, &rig.error) == PFIFO_OK &&
        pfifo_channel_dma_object(channel, NOTIFICATION, memory, 0x200, 0x20, &rig.error) == PFIFO_OK;
    assert_true(objects);
    return channel;
}

/* Beyond the end of a DMA object: PGRAPH halts, and what comes after goes on when it was told. */
static void a_copy_that_faults_stops_its_channel_until_it_is_acknowledged(void **state) {
    static const char *const chips[] = {"NV4", "NV10", "NV20", "NV40", "NV44", "G80", "GT215"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        rig_open(&rig, rig_part(chips[i]));
        struct pfifo_buffer *push = rig_push_buffer(&rig), *memory = rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        struct pfifo_channel *bad = copying_channel(push, memory), *good = copying_channel(push, memory);
        const uint32_t word = 0x600d600d;
        assert_true(pfifo_buffer_write(memory, 0x20, &word, sizeof word));
        submit_copy(bad, push, 0x100, 0xf8, 0x60);
        submit_copy(good, push, 0x300, 0x20, 0x40);
        rig_wait(&rig);
        bool tesla = is_tesla(rig.part);
        assert_int_equal(rig.fault_count, tesla ? 2 : 1); /* PFB tells, too */
        const struct pfifo_device_fault *fault = &rig.faults[rig.fault_count - 1];
        assert_string_equal(fault->unit, "PGRAPH");
        assert_string_equal(fault->error, tesla ? "TRAP_M2MF" : "DMA_R_PROTECTION");
        assert_int_equal(fault->channel, pfifo_channel_number(bad));
        assert_int_equal(fault->method, 0x328);
        assert_int_equal(rig_read(memory, 0x40), word);
        assert_int_equal(state_of(bad), 4);
        assert_int_equal(state_of(good), 4);
        expect_reg(0x100, ~0u, 0);
        rig_close(&rig);
    }
}

/* From GF100 on it is the MMU that tells, and the channel is over. */
static void a_copy_engine_that_faults_ends_its_channel_only(void **state) {
    (void)state;
    for (size_t i = 2; i < COUNT_OF(others); i++) {
        rig_open(&rig, rig_part(others[i].chip));
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct pfifo_channel *bad = open_other(&others[i]), *good = open_other(&others[i]),
                             *graphics = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_method(&words, SUBCHANNEL, 0, others[i].bind);
        words_header(&words, SUBCHANNEL, 0x400, 8);
        for (uint32_t n = 0; n < 8; n++)
            words_add(&words, (const uint32_t[]){0, NOWHERE, 0, NOWHERE, 16, 16, 16, 1}[n]);
        words_method(&words, SUBCHANNEL, 0x300, 0x386);
        words_submit(&words, &rig, bad, push, 0);
        submit_other(good, &others[i], push, 0x100, 0x55);
        submit_bound(graphics, push, 0x200, false, 6);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        assert_string_equal(rig.faults[0].unit, "MMU");
        assert_int_equal(rig.faults[0].channel, pfifo_channel_number(bad));
        assert_int_equal(rig.faults[0].address, NOWHERE);
        assert_int_equal(value_of(good, others[i].object_class, 0x248), 0x55);
        assert_int_equal(state_of(graphics), 6);
        assert_int_equal(pfifo_channel_submit(bad, NOWHERE, 4, 0, &rig.error), PFIFO_ERROR_FAULT);
        rig_close(&rig);
    }
}

/* A notifier that is due after a method that failed: its status says so. */
static void a_notifier_of_a_failed_method_has_an_error_status(void **state) {
    static const char *const chips[] = {"NV4", "NV20", "NV40"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        rig_open(&rig, rig_part(chips[i]));
        struct pfifo_buffer *push = rig_push_buffer(&rig), *memory = rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        struct pfifo_channel *channel = copying_channel(push, memory);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_method(&words, 1, 0, COPY_HANDLE);
        words_method(&words, 1, 0x180, NOTIFICATION);
        words_method(&words, 1, NOTIFY, 0);
        words_method(&words, 1, 0x31c, 0x400000); /* too long a line */
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_string_equal(rig.faults[0].error, "DATA_ERROR");
        assert_int_equal(rig_read(memory, 0x20c), 0x20000000); /* bad argument */
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_method_halts_pgraph_until_the_driver_has_looked),
        cmocka_unit_test(packets_behind_a_refused_method_wait),
        cmocka_unit_test(an_interrupt_that_is_not_enabled_halts_all_the_same),
        cmocka_unit_test(what_nobody_checks_for_is_only_ignored),
        cmocka_unit_test(the_driver_reports_the_method_and_goes_on),
        cmocka_unit_test(the_class_is_that_of_the_subchannel),
        cmocka_unit_test(pgraph_shows_its_channel),
        cmocka_unit_test(the_driver_acknowledges_in_nouveaus_order),
        cmocka_unit_test(the_method_that_ends_a_macro_waits),
        cmocka_unit_test(a_macro_that_is_ended_shows_its_subchannel),
        cmocka_unit_test(a_macro_sends_nothing_while_pgraph_has_halted),
        cmocka_unit_test(other_engines_go_on_while_pgraph_has_halted),
        cmocka_unit_test(a_blocking_interrupt_holds_the_copy_engine),
        cmocka_unit_test(a_line_of_a_copy_engine_has_what_is_enabled),
        cmocka_unit_test(a_copy_engine_that_was_off_is_not_held),
        cmocka_unit_test(a_copy_engine_shows_its_channel),
        cmocka_unit_test(a_refused_launch_says_why),
        cmocka_unit_test(the_driver_lets_copy_engines_go_on),
        cmocka_unit_test(the_security_engine_has_its_own_numbers),
        cmocka_unit_test(a_copy_that_faults_stops_its_channel_until_it_is_acknowledged),
        cmocka_unit_test(a_copy_engine_that_faults_ends_its_channel_only),
        cmocka_unit_test(a_notifier_of_a_failed_method_has_an_error_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
