/* SPDX-License-Identifier: MIT */
/* NV4 and NV10 where registers meet: CACHE0 beside CACHE1, RAMHT, what NV4 shows twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bus/bus.h"
#include "event/event.h"
#include "fifo/fifo.h"

enum {
    PMC_ENABLE = 0x200,
    INTR = 0x2100,
    CACHE0_PUSH1 = 0x3004,
    CACHE0_PUT = 0x3010,
    CACHE0_PULL0 = 0x3050,
    CACHE0_PULL1 = 0x3054,
    CACHE0_HASH = 0x3058,
    CACHE0_GET = 0x3070,
    CACHE0_ENGINE = 0x3080,
    CACHE0_METHOD = 0x3100,
    CACHE0_DATA = 0x3104,
    STATUS = 0x3214,
    STATUS1 = 0x3218,
    PULL0 = 0x3250,
    PULL1 = 0x3254,
    HASH = 0x3258,
    ENGINE = 0x3280,
    USER = 0x800000,
};

#define HANDLE   0x80000001u
#define INSTANCE 0x2000u /* RAMIN 0x20000 */
#define RAMHT    0x10000u
#define SEEN     4

struct bench {
    struct event_hub hub;
    struct memory memory;
    struct bus bus;
    struct fifo *fifo;
    bool refuses;
    uint32_t methods, object;
    uint32_t seen[SEEN]; /* by the engine, while it works: PULL0, PULL1, HASH, ENGINE */
    unsigned announced;
};

static bool engine_bind(void *opaque, const struct pfifo_channel_context *channel, unsigned subchannel,
                        uint32_t object_class, uint32_t object) {
    (void)channel, (void)subchannel, (void)object_class;
    ((struct bench *)opaque)->object = object;
    return true;
}

static uint32_t engine_methods(void *opaque, const struct pfifo_methods *run) {
    static const uint32_t registers[SEEN] = {PULL0, PULL1, HASH, ENGINE};
    struct bench *b = opaque;
    for (unsigned i = 0; i < SEEN; i++)
        b->seen[i] = bus_rd32(&b->bus, registers[i]);
    b->methods += b->refuses ? 0 : run->count;
    return b->refuses ? 0 : run->count;
}

static void on_method(void *opaque, const struct pfifo_event *event) {
    (void)event;
    ((struct bench *)opaque)->announced++;
}

static const struct pfifo_engine_ops engine_ops = {.name = "BENCH", .bind = engine_bind, .methods = engine_methods};

static void wr(struct bench *b, uint32_t offset, uint32_t value) {
    bus_wr32(&b->bus, offset, value);
}

static uint32_t rd(struct bench *b, uint32_t offset) {
    return bus_rd32(&b->bus, offset);
}

static void run(struct bench *b) {
    uint64_t budget = 100;
    fifo_run(b->fifo, &budget);
}

static void start(struct bench *b, const char *name) {
    const struct pfifo_chip *chip = pfifo_chip_by_name(name);
    struct memory_config memory = {.chip = chip, .vram_bytes = 1 << 20, .system_bytes = 4096, .events = &b->hub};
    struct bus_clock clock = {NULL, NULL};
    *b = (struct bench){.refuses = false};
    assert_int_equal(memory_init(&b->memory, &memory, NULL), PFIFO_OK);
    assert_int_equal(bus_init(&b->bus, chip, &b->memory, &b->hub, &clock, NULL), PFIFO_OK);
    assert_int_equal(fifo_new(&b->fifo, chip, &b->memory, &b->bus, &b->hub, NULL), PFIFO_OK);
    b->fifo->engines[1].ops = &engine_ops;
    b->fifo->engines[1].engine = b;
    assert_int_equal(event_observe(&b->hub, "puller.method", on_method, b, NULL), PFIFO_OK);
    wr(b, PMC_ENABLE, UINT32_MAX);
}

static void stop(struct bench *b) {
    fifo_free(b->fifo);
    bus_free(&b->bus);
    memory_free(&b->memory);
}

/* The handle belongs to channel 0 by its place in RAMHT, and to `channel` by its context. */
static void give_handle(struct bench *b, uint32_t channel) {
    uint32_t index = (HANDLE & 0x1ff) ^ (HANDLE >> 9 & 0x1ff) ^ (HANDLE >> 18 & 0x1ff) ^ HANDLE >> 27;
    memory_ramin_wr32(&b->memory, RAMHT + 8 * index, HANDLE);
    memory_ramin_wr32(&b->memory, RAMHT + 8 * index + 4, 1u << 31 | channel << 24 | 1u << 16 | INSTANCE);
}

static void inject(struct bench *b, uint32_t method, uint32_t data) {
    wr(b, CACHE0_PUSH1, 0);
    wr(b, CACHE0_GET, 0);
    wr(b, CACHE0_PUT, 4);
    wr(b, CACHE0_METHOD, method);
    wr(b, CACHE0_DATA, data);
    wr(b, CACHE0_PULL0, 1);
}

static void status1_is_the_ranout_bit_alone(void **state) {
    struct bench b;
    (void)state;
    start(&b, "NV4");
    assert_int_equal(rd(&b, STATUS), 0x10);
    assert_int_equal(rd(&b, STATUS1), 0);
    wr(&b, USER + 0x100, 1); /* PUSH0 is off */
    assert_int_equal(rd(&b, STATUS), 0x11);
    assert_int_equal(rd(&b, STATUS1), 1);
    stop(&b);
}

static bool found(const char *chip, uint32_t channel) {
    struct bench b;
    start(&b, chip);
    give_handle(&b, channel);
    inject(&b, 0, HANDLE);
    run(&b);
    bool hit = b.object == INSTANCE;
    assert_int_equal(rd(&b, CACHE0_HASH), hit ? 0x10000 | INSTANCE : 0);
    stop(&b);
    return hit;
}

static void ramht_compares_the_channel_bits_of_the_chip(void **state) {
    (void)state;
    assert_true(found("NV4", 0));
    assert_true(found("NV4", 0x10));
    assert_false(found("NV4", 1));
    assert_true(found("NV10", 0x20));
    assert_false(found("NV10", 0x10));
}

static void cache1_stays_as_it_is_while_cache0_executes(void **state) {
    struct bench b;
    (void)state;
    start(&b, "NV17");
    wr(&b, PULL1, 2);
    wr(&b, HASH, 0x11234);
    wr(&b, ENGINE, 0x22222222);
    wr(&b, CACHE0_PULL1, 1);
    wr(&b, CACHE0_ENGINE, 0x11111111);
    inject(&b, 0x300, 5);
    run(&b);
    assert_int_equal(b.methods, 1);
    assert_int_equal(b.seen[0], 0);
    assert_int_equal(b.seen[1], 2);
    assert_int_equal(b.seen[2], 0x11234);
    assert_int_equal(b.seen[3], 0x22222222);
    stop(&b);
}

static void another_entry_in_cache0_is_announced(void **state) {
    struct bench b;
    (void)state;
    start(&b, "NV17");
    wr(&b, CACHE0_ENGINE, 0x11111111);
    b.refuses = true;
    inject(&b, 0x300, 5);
    run(&b);
    run(&b);
    assert_int_equal(b.announced, 1);
    wr(&b, CACHE0_DATA, 6);
    run(&b);
    assert_int_equal(b.announced, 2);
    assert_int_equal(b.methods, 0);
    stop(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status1_is_the_ranout_bit_alone),
        cmocka_unit_test(ramht_compares_the_channel_bits_of_the_chip),
        cmocka_unit_test(cache1_stays_as_it_is_while_cache0_executes),
        cmocka_unit_test(another_entry_in_cache0_is_announced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
