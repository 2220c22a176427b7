/* SPDX-License-Identifier: MIT */
/*
 * Methods in PGRAPH's input stage, past PFIFO. What is expected is from envytools hwtest/pgraph_mthd.cc, which sends
 * all its methods of NV4 to NV4x so, and from nouveau's load of a context of NV10 (nvkm/engine/gr/nv10.c).
 */
#include "nv3.h"

#include "unit/graph/graph.h"

#define BETA     0x12u
#define M2MF     0x39u
#define INSTANCE 0x1203u
#define OTHER    0x1300u
#define FIFO     0x400720u
#define BUDGET   1000000u /* much more than one method takes: a unit that never becomes idle is seen soon */

enum { NV4, NV10, NV40 };

/* Registers: the stage, CTX_CONTROL, CTX_USER, CTX_SWITCH1, CTX_CACHE1; words of an object before its instance. */
static const struct layout {
    uint32_t stage, data, control, user, switched, cached, instance_word, valid;
} layouts[] = {[NV4] = {0x400754, 0x400758, 0x400170, 0x400174, 0x400160, 0x400180, 3, 1},
               [NV10] = {0x400764, 0x400768, 0x400144, 0x400148, 0x40014c, 0x400160, 3, 1u << 26},
               [NV40] = {0x400764, 0x400768, 0, 0x400144, 0x400148, 0x400160, 4, 1u << 26}};

static const struct part {
    const char *chip;
    unsigned layout;
} parts[] = {{"NV4", NV4},   {"NV5", NV4},   {"NV10", NV10}, {"NV15", NV10}, {"NV17", NV10}, {"NV20", NV10},
             {"NV25", NV10}, {"NV30", NV10}, {"NV34", NV10}, {"NV40", NV40}, {"NV44", NV40}};

/* PFIFO is off; PGRAPH works for channel 0, on subchannel 0, whose object is a Beta. */
static struct pfifo_gpu *make(const struct part *part) {
    const struct layout *l = &layouts[part->layout];
    const struct pfifo_config config = {
        .chip = pfifo_chip_by_name(part->chip), .vram_bytes = 32u << 20, .system_bytes = 1u << 20};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_non_null(gpu);
    wr(gpu, 0x200, ~0u);
    wr(gpu, FIFO, 0);
    wr(gpu, 0x400100, ~0u);
    wr(gpu, l->switched, BETA);
    wr(gpu, l->switched + 4 * l->instance_word, INSTANCE);
    if (l->control)
        wr(gpu, l->control, 0x10010100);
    wr(gpu, l->user, 0);
    wr(gpu, 0x40008c, 1u << 20);
    return gpu;
}

static void put(struct pfifo_gpu *gpu, const struct part *part, uint32_t channel, uint32_t subchannel, uint32_t method,
                uint32_t data) {
    const struct layout *l = &layouts[part->layout];
    uint32_t address = part->layout == NV4 ? channel << 15 | subchannel << 12 | method >> 1 | 1
                                           : channel << 20 | subchannel << 16 | method | 1u << 26;
    wr(gpu, FIFO, 0);
    wr(gpu, l->data, data);
    wr(gpu, l->stage, address);
    assert_int_equal(rd(gpu, l->stage), address);
}

static void send(struct pfifo_gpu *gpu, const struct part *part, uint32_t subchannel, uint32_t method, uint32_t data) {
    put(gpu, part, 0, subchannel, method, data);
    wr(gpu, FIFO, 1);
}

static bool is_there(struct pfifo_gpu *gpu, const struct part *part) {
    return (rd(gpu, layouts[part->layout].stage) & layouts[part->layout].valid) != 0;
}

static void assert_taken(struct pfifo_gpu *gpu, const struct part *part) {
    if (is_there(gpu, part) || rd(gpu, 0x400108) || rd(gpu, FIFO) != 1)
        fail_msg("%s: stage %#x, NSOURCE %#x, FIFO %u", part->chip, (unsigned)rd(gpu, layouts[part->layout].stage),
                 (unsigned)rd(gpu, 0x400108), (unsigned)rd(gpu, FIFO));
}

static uint32_t kept(struct pfifo_gpu *gpu, uint32_t object_class, uint32_t method) {
    uint32_t value = 0;
    assert_true(pfifo_gpu_method_value(gpu, 0, object_class, method, &value));
    return value;
}

static void write_object(struct pfifo_gpu *gpu, uint32_t instance, const uint32_t *words, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        memory_ramin_wr32(&gpu->memory, (instance << 4) + 4 * i, words[i]);
}

/* ---- one method ---- */

static void a_method_in_the_stage_goes_in_when_fifo_access_goes_on(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(parts); i++) {
        struct pfifo_gpu *gpu = make(&parts[i]);
        put(gpu, &parts[i], 0, 0, 0x300, 0x12345678);
        assert_true(is_there(gpu, &parts[i]));
        wr(gpu, FIFO, 1);
        assert_taken(gpu, &parts[i]); /* at once */
        assert_int_equal(kept(gpu, BETA, 0x300), 0x12345678);
        assert_int_equal(rd(gpu, 0x400704) & 0x1ffc, 0x300);
        assert_int_equal(rd(gpu, 0x400708), 0x12345678);
        pfifo_gpu_free(gpu);
    }
}

static void a_method_that_comes_while_fifo_access_is_on_goes_in(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(parts); i++) {
        const struct layout *l = &layouts[parts[i].layout];
        struct pfifo_gpu *gpu = make(&parts[i]);
        wr(gpu, FIFO, 1);
        wr(gpu, l->data, 0x23456789);
        wr(gpu, l->stage, (parts[i].layout == NV4 ? 0x300 >> 1 : 0x300) | l->valid);
        assert_taken(gpu, &parts[i]);
        assert_int_equal(kept(gpu, BETA, 0x300), 0x23456789);
        pfifo_gpu_free(gpu);
    }
}

/* Beta has no method 4. The cache of objects stays as it is. */
static void an_illegal_method_in_the_stage_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(parts); i++) {
        const struct layout *l = &layouts[parts[i].layout];
        struct pfifo_gpu *gpu = make(&parts[i]);
        for (uint32_t s = 0; s < 8; s++)
            wr(gpu, l->cached + 4 * s, 0x3000 + s);
        put(gpu, &parts[i], 0, 0, 4, 0x1234);
        uint32_t stage = rd(gpu, l->stage);
        wr(gpu, FIFO, 1);
        assert_int_equal(rd(gpu, 0x400108), 0x40);
        assert_int_equal(rd(gpu, 0x400100), parts[i].layout == NV4 ? 1 : 1u << 20);
        assert_int_equal(rd(gpu, 0x400704), 4);
        assert_int_equal(rd(gpu, 0x400708), 0x1234);
        assert_int_equal(rd(gpu, FIFO), 0);
        assert_int_equal(rd(gpu, l->stage), stage & ~l->valid);
        for (uint32_t s = 0; s < 8; s++)
            assert_int_equal(rd(gpu, l->cached + 4 * s), 0x3000 + s);
        pfifo_gpu_free(gpu);
    }
}

static void without_valid_nothing_goes_in(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(parts); i++) {
        const struct layout *l = &layouts[parts[i].layout];
        struct pfifo_gpu *gpu = make(&parts[i]);
        wr(gpu, l->stage, parts[i].layout == NV4 ? 4 >> 1 : 4);
        wr(gpu, FIFO, 1);
        assert_int_equal(pfifo_gpu_run(gpu, BUDGET), PFIFO_STOP_IDLE);
        assert_int_equal(rd(gpu, 0x400108), 0);
        pfifo_gpu_free(gpu);
    }
}

/* ---- objects ---- */

static void method_0_selects_the_object_of_an_instance(void **state) {
    const uint32_t words[] = {M2MF, 0x00000100, 0x22222222, 0x33333333, 0x44444444};
    (void)state;
    for (size_t i = 0; i < COUNT(parts); i++) {
        const struct layout *l = &layouts[parts[i].layout];
        struct pfifo_gpu *gpu = make(&parts[i]);
        write_object(gpu, OTHER, words, 5);
        wr(gpu, 0x400084, 1u << 20);
        send(gpu, &parts[i], 3, 0, OTHER);
        assert_taken(gpu, &parts[i]);
        assert_int_equal(rd(gpu, l->user) & 0xe000, 3u << 13);
        assert_int_equal(rd(gpu, l->switched) & 0xff, M2MF);
        assert_int_equal(rd(gpu, l->switched + 4 * l->instance_word), OTHER);
        assert_int_equal(rd(gpu, l->cached + 12) & 0xff, M2MF);
        assert_int_equal(rd(gpu, l->cached + 0x40 + 12), 0x22222222);
        send(gpu, &parts[i], 3, 0x30c, 0x77); /* M2MF's, which a Beta lacks */
        assert_taken(gpu, &parts[i]);
        assert_int_equal(kept(gpu, M2MF, 0x30c), 0x77);
        pfifo_gpu_free(gpu);
    }
}

/* RAMIN is read again if DEBUG_1 (NV5) or DEBUG_3 (NV10-) says so; NV4 has no such bit. */
static void another_subchannel_selects_the_object_in_the_cache(void **state) {
    const uint32_t words[] = {M2MF, 0, 0, 0, 0};
    (void)state;
    for (size_t i = 0; i < COUNT(parts); i++) {
        const struct layout *l = &layouts[parts[i].layout];
        for (unsigned reload = 0; reload < (strcmp(parts[i].chip, "NV4") ? 2 : 1); reload++) {
            struct pfifo_gpu *gpu = make(&parts[i]);
            write_object(gpu, OTHER, words, 5);
            wr(gpu, l->cached + 8, 0x57); /* Chroma */
            wr(gpu, l->cached + 8 + 0x20 * l->instance_word, OTHER);
            wr(gpu, 0x400084, 1u << 20 | (reload && parts[i].layout == NV4 ? 1u << 15 : 0));
            wr(gpu, 0x40008c, 1u << 20 | (reload && parts[i].layout != NV4 ? 1u << 14 : 0));
            send(gpu, &parts[i], 2, reload ? 0x30c : 0x304, 5);
            assert_taken(gpu, &parts[i]);
            assert_int_equal(rd(gpu, l->switched) & 0xff, reload ? M2MF : 0x57);
            assert_int_equal(kept(gpu, reload ? M2MF : 0x57, reload ? 0x30c : 0x304), 5);
            assert_int_equal(rd(gpu, l->user) & 0xe000, 2u << 13);
            pfifo_gpu_free(gpu);
        }
    }
}

/* DEBUG_1 bit 20 is off: CTX_SWITCH, and with it the class, stay. */
static void without_its_bit_another_subchannel_keeps_the_object(void **state) {
    struct pfifo_gpu *gpu = make(&parts[2]);
    (void)state;
    wr(gpu, layouts[NV10].cached + 8, M2MF);
    wr(gpu, 0x400084, 0);
    send(gpu, &parts[2], 2, 0x300, 6);
    assert_taken(gpu, &parts[2]);
    assert_int_equal(kept(gpu, BETA, 0x300), 6);
    pfifo_gpu_free(gpu);
}

/* DMA objects come by instance, as the puller passes them on. */
static void a_copy_through_the_stage(void **state) {
    static const struct {
        uint32_t method, data;
    } methods[] = {{0x180, 0x1400}, {0x184, 0x1400}, {0x188, 0x1400}, {0x30c, 0x1000}, {0x310, 0x2000}, {0x314, 16},
                   {0x318, 16},     {0x31c, 16},     {0x320, 1},      {0x324, 0x101},  {0x328, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(parts); i++) {
        struct pfifo_gpu *gpu = make(&parts[i]);
        write_object(gpu, 0x1400, (const uint32_t[]){0x00003000 | 0x3d, 0xfffff, 2, 2}, 4);
        wr(gpu, layouts[parts[i].layout].switched, M2MF);
        for (uint32_t n = 0; n < 4; n++)
            memory_physical_wr32(&gpu->memory, MEMORY_VRAM, 0x1000 + 4 * n, 0x11111111 * (n + 1));
        for (size_t m = 0; m < COUNT(methods); m++) {
            send(gpu, &parts[i], 0, methods[m].method, methods[m].data);
            pfifo_gpu_run(gpu, BUDGET);
            assert_taken(gpu, &parts[i]);
        }
        for (uint32_t n = 0; n < 4; n++)
            assert_int_equal(memory_physical_rd32(&gpu->memory, MEMORY_VRAM, 0x2000 + 4 * n), 0x11111111 * (n + 1));
        pfifo_gpu_free(gpu);
    }
}

/* ---- channels, and PFIFO ---- */

static void count_event(void *opaque, const struct pfifo_event *event) {
    (void)event;
    ++*(unsigned *)opaque;
}

static void a_method_of_another_channel_asks_the_driver_to_switch(void **state) {
    static const unsigned some[] = {0, 1, 2, 4, 5, 7};
    (void)state;
    for (size_t i = 0; i < COUNT(some); i++) {
        const struct part *part = &parts[some[i]];
        struct pfifo_gpu *gpu = make(part);
        put(gpu, part, 5, 0, 0x300, 9);
        wr(gpu, FIFO, 1);
        assert_int_equal(rd(gpu, 0x400100), 1u << 12);
        assert_true(is_there(gpu, part));
        assert_int_equal(rd(gpu, 0x400704) & 0x1ffc, 0x300);
        assert_int_equal(pfifo_gpu_run(gpu, BUDGET), PFIFO_STOP_IDLE);
        assert_true(is_there(gpu, part));
        wr(gpu, FIFO, 0);
        wr(gpu, layouts[part->layout].user, 5u << 24);
        wr(gpu, 0x400100, 1u << 12);
        wr(gpu, FIFO, 1);
        assert_taken(gpu, part);
        uint32_t value = 0;
        assert_true(pfifo_gpu_method_value(gpu, 5, BETA, 0x300, &value));
        assert_int_equal(value, 9);
        pfifo_gpu_free(gpu);
    }
}

static void the_driver_is_asked_once_for_a_switch(void **state) {
    (void)state;
    struct pfifo_gpu *gpu = make(&parts[2]);
    unsigned asked = 0;
    assert_int_equal(pfifo_gpu_observe(gpu, "engine.interrupt", count_event, &asked, NULL), PFIFO_OK);
    put(gpu, &parts[2], 5, 0, 0x300, 9);
    for (unsigned i = 0; i < 3; i++) {
        wr(gpu, FIFO, 1);
        pfifo_gpu_run(gpu, BUDGET);
        assert_int_equal(asked, 1);
        wr(gpu, FIFO, 0);
    }
    wr(gpu, 0x400100, 1u << 12); /* without a switch: it asks again */
    wr(gpu, FIFO, 1);
    assert_int_equal(asked, 2);
    pfifo_gpu_free(gpu);
}

static void pgraph_switches_by_itself_when_it_may(void **state) {
    (void)state;
    static const unsigned some[] = {5, 6, 7, 8};
    for (size_t i = 0; i < COUNT(some); i++) {
        const struct part *part = &parts[some[i]];
        struct pfifo_gpu *gpu = make(part);
        wr(gpu, 0x40008c, 1u << 20 | GRAPH_DEBUG_3_AUTOMATIC);
        put(gpu, part, 5, 0, 0x300, 9);
        wr(gpu, FIFO, 1);
        assert_int_equal(rd(gpu, 0x400100), 0);
        assert_taken(gpu, part);
        assert_int_equal(rd(gpu, layouts[part->layout].user) >> 24, 5);
        pfifo_gpu_free(gpu);
    }
}

/* As nouveau does it: the stage saved, a method of Celsius sent, FIFO access on and off, the stage restored. */
static void nouveau_sends_dma_vtxbuf_of_a_channel(void **state) {
    static const struct part part = {"NV17", NV10};
    struct pfifo_gpu *gpu = make(&part);
    (void)state;
    wr(gpu, 0x400764, 0x03001234 & 0x3ff71ffc);
    uint32_t saved = rd(gpu, 0x400764);
    wr(gpu, 0x40014c, 0x99);
    wr(gpu, 0x400148, 3u << 24);
    wr(gpu, 0x400760, 0);
    wr(gpu, 0x400764, 0x2c000000 | 3u << 20 | 0u << 16 | 0x18c);
    wr(gpu, 0x400768, 0x1400);
    wr(gpu, FIFO, 1);
    wr(gpu, FIFO, 0);
    assert_int_equal(rd(gpu, 0x400764) & 1u << 26, 0);
    uint32_t value = 0;
    assert_true(pfifo_gpu_method_value(gpu, 3, 0x99, 0x18c, &value));
    assert_int_equal(value, 0x1400);
    wr(gpu, 0x400764, saved);
    wr(gpu, FIFO, 1);
    assert_int_equal(rd(gpu, 0x400100), 0);
    assert_int_equal(rd(gpu, 0x400764), saved);
    pfifo_gpu_free(gpu);
}

/* While a method waits in the stage, PFIFO's do; and it goes before them. */
static void methods_of_pfifo_come_after_that_of_the_stage(void **state) {
    const struct part *part = &parts[2];
    struct pfifo_gpu *gpu = make(part);
    (void)state;
    wr(gpu, 0x2210, 3u << 24 | 0x100);
    wr(gpu, 0x2214, 0x112);
    wr(gpu, 0x2218, 1u << 16 | 0x180);
    memory_ramin_wr32(&gpu->memory, INSTANCE << 4, BETA);
    memory_ramin_wr32(&gpu->memory, 0x10010, 2);
    memory_ramin_wr32(&gpu->memory, 0x10014, 0x80010000 | INSTANCE);
    wr(gpu, 0x2500, 0);
    wr(gpu, 0x3204, 0);
    wr(gpu, 0x3200, 1);
    wr(gpu, 0x3250, 1);
    wr(gpu, 0x2500, 1);
    put(gpu, part, 5, 0, 0x300, 9); /* which waits for its channel */
    wr(gpu, FIFO, 1);
    wr(gpu, 0x800000, 2);
    wr(gpu, 0x800300, 7);
    assert_int_equal(pfifo_gpu_run(gpu, BUDGET), PFIFO_STOP_INTERRUPT);
    assert_true(is_there(gpu, part));
    wr(gpu, layouts[NV10].stage, 0); /* given up */
    wr(gpu, 0x400100, ~0u);
    assert_int_equal(pfifo_gpu_run(gpu, BUDGET), PFIFO_STOP_IDLE);
    assert_int_equal(kept(gpu, BETA, 0x300), 7);
    pfifo_gpu_free(gpu);
}

/* DEBUG_3 bits 20 and 21: the method is executed, and refused; method 0 is not. */
static void a_forced_error_comes_with_each_method_but_0(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(parts); i++) {
        struct pfifo_gpu *gpu = make(&parts[i]);
        wr(gpu, 0x40008c, 3u << 20);
        if (rd(gpu, 0x40008c) >> 20 != 3) { /* NV40 has no such bit */
            pfifo_gpu_free(gpu);
            continue;
        }
        write_object(gpu, OTHER, (const uint32_t[]){BETA, 0, 0, 0, 0}, 5);
        send(gpu, &parts[i], 0, 0, OTHER);
        assert_taken(gpu, &parts[i]);
        send(gpu, &parts[i], 0, 0x300, 0x456);
        assert_int_equal(rd(gpu, 0x400108), 2);
        assert_int_equal(rd(gpu, FIFO), 0);
        assert_int_equal(kept(gpu, BETA, 0x300), 0x456);
        wr(gpu, 0x400100, ~0u);
        send(gpu, &parts[i], 0, 4, 0);
        assert_int_equal(rd(gpu, 0x400108), 0x42);
        pfifo_gpu_free(gpu);
    }
}

/* Without DEBUG_1 bit 20 the words that are read again are of the object that CTX_SWITCH shows. */
static void what_is_read_again_is_the_object_that_is_selected(void **state) {
    struct pfifo_gpu *gpu = make(&parts[2]);
    const struct layout *l = &layouts[NV10];
    (void)state;
    write_object(gpu, INSTANCE, (const uint32_t[]){0x57, 0, 0x1111, 0}, 4);
    write_object(gpu, OTHER, (const uint32_t[]){M2MF, 0, 0x2222, 0}, 4);
    wr(gpu, l->cached + 0x60 + 8, OTHER);
    wr(gpu, 0x400084, 0);
    wr(gpu, 0x40008c, 1u << 14);
    send(gpu, &parts[2], 2, 0x300, 6);
    assert_taken(gpu, &parts[2]);
    assert_int_equal(rd(gpu, l->cached + 0x40 + 8), 0x1111);
    assert_int_equal(rd(gpu, l->cached + 0x60 + 8), OTHER);
    assert_int_equal(kept(gpu, BETA, 0x300), 6);
    pfifo_gpu_free(gpu);
}

/* A copy that takes several slices ends in runs, and needs no PFIFO. */
static void long_work_of_the_stage_goes_on_in_runs(void **state) {
    static const struct {
        uint32_t method, data;
    } methods[] = {{0x180, 0x1400}, {0x184, 0x1400}, {0x188, 0x1400}, {0x30c, 0},    {0x310, 0x800000},
                   {0x314, 0x2000}, {0x318, 0x2000}, {0x31c, 0x2000}, {0x320, 1024}, {0x324, 0x101}};
    const struct part *part = &parts[4];
    struct pfifo_gpu *gpu = make(part);
    unsigned runs = 0;
    (void)state;
    write_object(gpu, 0x1400, (const uint32_t[]){0x00003000 | 0x3d, 0x1ffffff, 2, 2}, 4);
    wr(gpu, layouts[NV10].switched, M2MF);
    memory_physical_wr32(&gpu->memory, MEMORY_VRAM, 0x7ffffc, 0x5555aaaa);
    for (size_t m = 0; m < COUNT(methods); m++)
        send(gpu, part, 0, methods[m].method, methods[m].data);
    send(gpu, part, 0, 0x328, 0);
    assert_true(is_there(gpu, part));
    while (is_there(gpu, part) && runs++ < 10000) {
        enum pfifo_stop stop = pfifo_gpu_run(gpu, 100);
        assert_int_equal(stop == PFIFO_STOP_BUDGET, is_there(gpu, part));
    }
    assert_taken(gpu, part);
    assert_int_not_equal(runs, 1);
    assert_int_equal(memory_physical_rd32(&gpu->memory, MEMORY_VRAM, 0xfffffc), 0x5555aaaa);
    pfifo_gpu_free(gpu);
}

/* ---- G80 and later ---- */

/* What the registers show of a failed method does not go in again, what the host writes does. */
static void dispatch_takes_what_the_host_has_written(void **state) {
    const struct unit_trap trap = {.method = 0x104, .error = ENGINE_ERROR_UNKNOWN_ACCESS};
    static const char *const chips[] = {"G80", "G84", "GT215"};
    (void)state;
    for (size_t i = 0; i < COUNT(chips); i++) {
        const struct pfifo_config config = {
            .chip = pfifo_chip_by_name(chips[i]), .vram_bytes = 4u << 20, .system_bytes = 1u << 20};
        struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
        wr(gpu, 0x200, ~0u);
        assert_true(graph_trap(gpu->fifo->graph, 0, &trap));
        uint32_t shown = rd(gpu, 0x400808);
        assert_int_equal(shown, 1u << 31 | 0x104);
        wr(gpu, 0x400100, ~0u);
        wr(gpu, 0x400500, 0x00010001);
        assert_int_equal(rd(gpu, 0x400808), shown);
        wr(gpu, 0x400500, 0x00010000);
        wr(gpu, 0x40080c, 0x12345678);
        wr(gpu, 0x400808, 1u << 31 | 0x100);
        assert_int_equal(rd(gpu, 0x400808), 1u << 31 | 0x100);
        wr(gpu, 0x400500, 0x00010001);
        assert_int_equal(rd(gpu, 0x400808), 0x100);
        pfifo_gpu_free(gpu);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_method_in_the_stage_goes_in_when_fifo_access_goes_on),
        cmocka_unit_test(a_method_that_comes_while_fifo_access_is_on_goes_in),
        cmocka_unit_test(an_illegal_method_in_the_stage_is_refused),
        cmocka_unit_test(without_valid_nothing_goes_in),
        cmocka_unit_test(method_0_selects_the_object_of_an_instance),
        cmocka_unit_test(another_subchannel_selects_the_object_in_the_cache),
        cmocka_unit_test(without_its_bit_another_subchannel_keeps_the_object),
        cmocka_unit_test(a_copy_through_the_stage),
        cmocka_unit_test(a_method_of_another_channel_asks_the_driver_to_switch),
        cmocka_unit_test(the_driver_is_asked_once_for_a_switch),
        cmocka_unit_test(pgraph_switches_by_itself_when_it_may),
        cmocka_unit_test(nouveau_sends_dma_vtxbuf_of_a_channel),
        cmocka_unit_test(methods_of_pfifo_come_after_that_of_the_stage),
        cmocka_unit_test(a_forced_error_comes_with_each_method_but_0),
        cmocka_unit_test(what_is_read_again_is_the_object_that_is_selected),
        cmocka_unit_test(long_work_of_the_stage_goes_on_in_runs),
        cmocka_unit_test(dispatch_takes_what_the_host_has_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
