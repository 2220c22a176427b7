/* SPDX-License-Identifier: MIT */
/* The GPU as an embedder sees it: making one, its memories, its clock, observers and engines of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pfifo/engine.h>
#include <pfifo/gpu.h>

static struct pfifo_gpu *gpu_of(const char *name) {
    struct pfifo_config config = {.chip = pfifo_chip_by_name(name)};
    struct pfifo_error error;
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, &error);
    if (!gpu)
        fail_msg("%s: %s", name, error.message);
    return gpu;
}

static uint32_t vram32(struct pfifo_gpu *gpu, uint64_t address) {
    uint32_t value;
    pfifo_gpu_vram_read(gpu, address, &value, sizeof value);
    return value;
}

static void a_gpu_needs_a_chip(void **opaque) {
    (void)opaque;
    struct pfifo_config config = {0};
    struct pfifo_error error = {0};
    assert_null(pfifo_gpu_new(&config, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    assert_null(pfifo_gpu_new(NULL, &error));
    assert_null(pfifo_gpu_new(&config, NULL));
    pfifo_gpu_free(NULL);
}

static void every_chip_either_is_built_or_says_that_it_is_not(void **opaque) {
    (void)opaque;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        struct pfifo_config config = {.chip = pfifo_chip_at(i)};
        struct pfifo_chip_info info = pfifo_chip_info(config.chip);
        struct pfifo_error error = {0};
        struct pfifo_gpu *gpu = pfifo_gpu_new(&config, &error);
        if (!info.runs) {
            assert_null(gpu);
            assert_int_equal(error.status, PFIFO_ERROR_UNSUPPORTED);
            assert_non_null(strstr(error.message, info.name));
            continue;
        }
        if (!gpu)
            fail_msg("%s: %s", info.name, error.message);
        assert_ptr_equal(pfifo_gpu_chip(gpu), config.chip);
        assert_int_equal(pfifo_gpu_rd32(gpu, 0), info.boot0);
        assert_false(pfifo_gpu_irq(gpu));
        pfifo_gpu_free(gpu);
    }
}

static void too_much_vram_is_an_error_and_not_a_crash(void **opaque) {
    (void)opaque;
    struct pfifo_config config = {.chip = pfifo_chip_by_name("nv40"), .vram_bytes = UINT64_C(1) << 62};
    struct pfifo_error error = {0};
    assert_null(pfifo_gpu_new(&config, &error));
    assert_int_equal(error.status, PFIFO_ERROR_MEMORY);
}

static void a_gpu_without_channels_is_idle(void **opaque) {
    (void)opaque;
    struct pfifo_gpu *gpu = gpu_of("nv40");
    assert_int_equal(pfifo_gpu_run(gpu, 1000), PFIFO_STOP_IDLE);
    assert_int_equal(pfifo_gpu_stop_info(gpu)->reason, PFIFO_STOP_IDLE);
    pfifo_gpu_free(gpu);
}

static void vram_is_the_same_through_bar1_and_as_a_debugger_sees_it(void **opaque) {
    (void)opaque;
    struct pfifo_config config = {.chip = pfifo_chip_by_name("nv40"), .vram_bytes = 32 << 20};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_non_null(gpu);
    char text[6] = "";
    pfifo_gpu_vram_write(gpu, 0x12345, "pfifo", 6);
    pfifo_gpu_bar_read(gpu, 1, 0x12345, text, 6);
    assert_string_equal(text, "pfifo");
    pfifo_gpu_bar_write(gpu, 1, 0x12346, "F", 1);
    pfifo_gpu_vram_read(gpu, 0x12345, text, 6);
    assert_string_equal(text, "pFifo");
    pfifo_gpu_bar_write(gpu, 3, 0x10, "ramin", 6);
    pfifo_gpu_vram_read(gpu, (32 << 20) - 0x80000 + 0x10, text, 6);
    assert_string_equal(text, "ramin");
    pfifo_gpu_free(gpu);
}

static void bar0_is_the_registers_in_bytes(void **opaque) {
    (void)opaque;
    struct pfifo_gpu *gpu = gpu_of("nv40");
    uint8_t bytes[6] = {0};
    pfifo_gpu_bar_write(gpu, 0, 0x700002, "\x11\x22\x33\x44\x55", 5);
    assert_int_equal(pfifo_gpu_rd32(gpu, 0x700000), 0x22110000);
    assert_int_equal(pfifo_gpu_rd32(gpu, 0x700004), 0x00554433);
    pfifo_gpu_bar_read(gpu, 0, 0x700001, bytes, sizeof bytes);
    assert_memory_equal(bytes, "\0\x11\x22\x33\x44\x55", sizeof bytes);
    memset(bytes, 0xff, sizeof bytes);
    pfifo_gpu_bar_write(gpu, 0, 0xfffffffe, bytes, sizeof bytes);
    pfifo_gpu_bar_read(gpu, 0, UINT64_C(0x100000000), bytes, sizeof bytes);
    assert_memory_equal(bytes, "\0\0\0\0\0\0", sizeof bytes);
    pfifo_gpu_free(gpu);
}

static void beyond_the_end_of_memory_reads_give_0(void **opaque) {
    (void)opaque;
    struct pfifo_config config = {.chip = pfifo_chip_by_name("g80"), .vram_bytes = 16 << 20, .system_bytes = 1 << 20};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_non_null(gpu);
    static const uint64_t addresses[] = {(16 << 20) - 4, UINT64_MAX - 3, UINT64_C(1) << 40};
    for (size_t i = 0; i < 3; i++) {
        uint8_t bytes[16];
        memset(bytes, 0xff, sizeof bytes);
        pfifo_gpu_vram_write(gpu, addresses[i], bytes, sizeof bytes);
        pfifo_gpu_system_write(gpu, addresses[i], bytes, sizeof bytes);
        pfifo_gpu_vram_read(gpu, addresses[i], bytes, sizeof bytes);
        assert_int_equal(bytes[3], i == 0 ? 0xff : 0);
        for (size_t at = 4; at < sizeof bytes; at++)
            assert_int_equal(bytes[at], 0);
        memset(bytes, 0xff, sizeof bytes);
        pfifo_gpu_system_read(gpu, addresses[i], bytes, sizeof bytes);
        for (size_t at = 0; at < sizeof bytes; at++)
            assert_int_equal(bytes[at], 0);
    }
    pfifo_gpu_free(gpu);
}

struct embedder {
    uint8_t page[0x1000];
    uint64_t time;
    unsigned maps;
};

static void *system_map(void *opaque, uint64_t address, uint64_t *bytes, bool write) {
    struct embedder *embedder = opaque;
    (void)write;
    embedder->maps++;
    if (address < 0x5000 || address >= 0x6000)
        return NULL;
    if (*bytes > 0x6000 - address)
        *bytes = 0x6000 - address;
    return embedder->page + (address - 0x5000);
}

static uint64_t embedders_clock(void *opaque) {
    return ((struct embedder *)opaque)->time;
}

static void the_embedders_memory_and_clock_are_used(void **opaque) {
    (void)opaque;
    static struct embedder embedder;
    embedder.time = UINT64_C(0x300000020);
    struct pfifo_config config = {
        .chip = pfifo_chip_by_name("g80"), .system_map = system_map, .clock = embedders_clock, .opaque = &embedder};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_non_null(gpu);
    uint32_t value = 0x1234;
    pfifo_gpu_system_write(gpu, 0x5ffe, &value, sizeof value);
    assert_int_equal(embedder.page[0xffe], 0x34);
    assert_int_equal(embedder.page[0xfff], 0x12);
    assert_true(embedder.maps > 0);
    assert_int_equal(pfifo_gpu_rd32(gpu, 0x9400), 0x20);
    assert_int_equal(pfifo_gpu_rd32(gpu, 0x9410), 3);
    pfifo_gpu_free(gpu);
}

static void count_event(void *opaque, const struct pfifo_event *event) {
    assert_true(event->id < pfifo_event_count());
    ++*(unsigned *)opaque;
}

static void observers_see_what_they_asked_for_until_they_go(void **opaque) {
    (void)opaque;
    struct pfifo_gpu *gpu = gpu_of("nv40");
    unsigned count = 0;
    assert_int_equal(pfifo_gpu_observe(gpu, "bus.read", count_event, &count, NULL), PFIFO_OK);
    pfifo_gpu_rd32(gpu, 0);
    pfifo_gpu_wr32(gpu, 0x140, 0);
    assert_int_equal(count, 1);
    pfifo_gpu_unobserve(gpu, count_event, &count);
    pfifo_gpu_rd32(gpu, 0);
    assert_int_equal(count, 1);
    assert_int_equal(pfifo_gpu_observe(gpu, "no.such", count_event, &count, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_gpu_observe(gpu, "*", NULL, NULL, NULL), PFIFO_ERROR_ARGUMENT);
    pfifo_gpu_free(gpu);
}

static bool take_class(void *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                       uint32_t object_class, uint32_t object) {
    (void)engine, (void)channel, (void)subchannel, (void)object_class, (void)object;
    return true;
}

static uint32_t take_methods(void *engine, const struct pfifo_methods *run) {
    (void)engine;
    return run->count;
}

static bool know_value(void *engine, uint32_t channel, uint32_t object_class, uint32_t method, uint32_t *value) {
    (void)engine;
    *value = channel + method;
    return object_class == 0x4097;
}

static void count_free(void *engine) {
    ++*(unsigned *)engine;
}

static const struct pfifo_engine_ops own_engine = {
    .name = "own", .bind = take_class, .methods = take_methods, .method_value = know_value, .free = count_free};

static void an_engine_is_freed_when_it_is_replaced_and_with_the_gpu(void **opaque) {
    (void)opaque;
    struct pfifo_gpu *gpu = gpu_of("nv40");
    unsigned first = 0, second = 0;
    assert_int_equal(pfifo_gpu_set_engine(gpu, 1, &own_engine, &first, NULL), PFIFO_OK);
    assert_int_equal(first, 0);
    assert_int_equal(pfifo_gpu_set_engine(gpu, 1, &own_engine, &second, NULL), PFIFO_OK);
    assert_int_equal(first, 1);
    pfifo_gpu_free(gpu);
    assert_int_equal(first, 1);
    assert_int_equal(second, 1);
}

static void engines_that_cannot_be_are_refused(void **opaque) {
    (void)opaque;
    struct pfifo_gpu *gpu = gpu_of("nv40");
    static const struct pfifo_engine_ops without_methods = {.name = "half", .bind = take_class};
    struct pfifo_error error;
    unsigned freed = 0;
    assert_int_equal(pfifo_gpu_set_engine(gpu, 7, &own_engine, &freed, &error), PFIFO_ERROR_ARGUMENT);
    assert_string_equal(error.message, "NV40 has no engine 7");
    assert_int_equal(pfifo_gpu_set_engine(gpu, 4000000000u, &own_engine, &freed, &error), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_gpu_set_engine(gpu, 1, NULL, &freed, &error), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_gpu_set_engine(gpu, 1, &without_methods, &freed, &error), PFIFO_ERROR_ARGUMENT);
    pfifo_gpu_free(gpu);
    assert_int_equal(freed, 0);
}

static void the_register_file_of_an_engine_can_be_read(void **opaque) {
    (void)opaque;
    struct pfifo_gpu *gpu = gpu_of("nv40");
    unsigned freed = 0;
    uint32_t value = 0;
    assert_int_equal(pfifo_gpu_set_engine(gpu, 1, &own_engine, &freed, NULL), PFIFO_OK);
    assert_true(pfifo_gpu_method_value(gpu, 3, 0x4097, 0x100, &value));
    assert_int_equal(value, 0x103);
    assert_false(pfifo_gpu_method_value(gpu, 3, 0x1234, 0x100, &value));
    pfifo_gpu_free(gpu);
}

/* An embedder that answers PGRAPH's registers itself interrupts as the unit does. */
static void an_engine_has_its_own_line_into_pmc(void **opaque) {
    (void)opaque;
    static const struct {
        const char *chip;
        unsigned id;
        uint32_t line;
    } cases[] = {{"nv4", 1, 1u << 12},   {"nv40", 1, 1u << 12},  {"nv40", 2, 1u << 0},   {"nv40", 3, 0},
                 {"nv40", 7, 0},         {"g84", 4, 1u << 17},   {"g84", 5, 1u << 14},   {"g84", 6, 1u << 15},
                 {"gt215", 3, 1u << 22}, {"gf100", 0, 1u << 12}, {"gf100", 4, 1u << 5},  {"gf100", 99, 0},
                 {"gk104", 6, 1u << 16}, {"gm107", 3, 1u << 15}, {"gm107", 1, 1u << 17}, {"g98", 5, 1u << 14}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pfifo_gpu *gpu = gpu_of(cases[i].chip);
        pfifo_gpu_wr32(gpu, 0x140, 1);
        pfifo_gpu_wr32(gpu, 0x640, ~0u);
        assert_int_equal(pfifo_gpu_engine_line(gpu, cases[i].id, true), cases[i].line != 0);
        assert_int_equal(pfifo_gpu_rd32(gpu, 0x100), cases[i].line);
        assert_int_equal(pfifo_gpu_irq(gpu), cases[i].line != 0);
        pfifo_gpu_engine_line(gpu, cases[i].id, false);
        assert_int_equal(pfifo_gpu_rd32(gpu, 0x100), 0);
        assert_false(pfifo_gpu_irq(gpu));
        pfifo_gpu_free(gpu);
    }
}

/* [doc: 256 MiB on boards of the time; Tegras have a range of 16 MiB for it.] */
static void bar1_has_the_size_that_a_board_has(void **opaque) {
    (void)opaque;
    static const struct {
        const char *chip;
        uint64_t vram, bytes;
    } cases[] = {
        {"NV1", 0, 0},
        {"NV3", 0, 16 << 20},
        {"NV4", 0, 16 << 20},
        {"NV4", 24 << 20, 32 << 20}, /* a BAR is a power of two */
        {"NV34", 64 << 20, 64 << 20},
        {"NV40", 512 << 20, 256 << 20},
        {"G80", 0, 256 << 20},
        {"GT218", 64 << 20, 256 << 20},
        {"GF100", 0, 256 << 20},
        {"GK104", 0, 256 << 20},
        {"GM204", 0, 256 << 20},
        {"GP104", 0, 256 << 20},
        {"GP100", 0, UINT64_C(16) << 30},
        {"GK20A", 0, 16 << 20},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pfifo_config config = {.chip = pfifo_chip_by_name(cases[i].chip), .vram_bytes = cases[i].vram};
        struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
        assert_int_equal(pfifo_gpu_bar_bytes(gpu, 1), cases[i].bytes);
        if (!cases[i].vram)
            assert_int_equal(pfifo_chip_info(config.chip).bar1_bytes, cases[i].bytes);
        pfifo_gpu_free(gpu);
    }
}

static void bar1_has_the_size_that_the_owner_chose(void **opaque) {
    (void)opaque;
    static const char *const chips[] = {"NV40", "G84", "GF100", "GK104", "GP100"};
    uint32_t value = 0x600d;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct pfifo_config config = {.chip = pfifo_chip_by_name(chips[i]), .bar1_bytes = 32 << 20};
        struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
        assert_int_equal(pfifo_gpu_bar_bytes(gpu, 1), 32 << 20);
        pfifo_gpu_bar_write(gpu, 1, (32 << 20) - 4, &value, 4);
        assert_int_equal(vram32(gpu, (32 << 20) - 4), 0x600d);
        pfifo_gpu_bar_write(gpu, 1, 32 << 20, &value, 4);
        assert_int_equal(vram32(gpu, 32 << 20), 0);
        pfifo_gpu_free(gpu);
    }
    /* What no BAR can be, and what is fixed. */
    static const uint64_t wrong[] = {1, 3 << 20, 1 << 19, PFIFO_BAR1_MIN - 1, PFIFO_BAR1_MAX * 2, UINT64_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct pfifo_config config = {.chip = pfifo_chip_by_name("GK104"), .bar1_bytes = wrong[i]};
        struct pfifo_error error = {0};
        assert_null(pfifo_gpu_new(&config, &error));
        assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    }
    struct pfifo_config config = {.chip = pfifo_chip_by_name("NV3"), .bar1_bytes = 64 << 20};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_int_equal(pfifo_gpu_bar_bytes(gpu, 1), 16 << 20);
    pfifo_gpu_free(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gpu_needs_a_chip),
        cmocka_unit_test(every_chip_either_is_built_or_says_that_it_is_not),
        cmocka_unit_test(too_much_vram_is_an_error_and_not_a_crash),
        cmocka_unit_test(a_gpu_without_channels_is_idle),
        cmocka_unit_test(vram_is_the_same_through_bar1_and_as_a_debugger_sees_it),
        cmocka_unit_test(bar0_is_the_registers_in_bytes),
        cmocka_unit_test(beyond_the_end_of_memory_reads_give_0),
        cmocka_unit_test(the_embedders_memory_and_clock_are_used),
        cmocka_unit_test(observers_see_what_they_asked_for_until_they_go),
        cmocka_unit_test(an_engine_is_freed_when_it_is_replaced_and_with_the_gpu),
        cmocka_unit_test(engines_that_cannot_be_are_refused),
        cmocka_unit_test(the_register_file_of_an_engine_can_be_read),
        cmocka_unit_test(an_engine_has_its_own_line_into_pmc),
        cmocka_unit_test(bar1_has_the_size_that_a_board_has),
        cmocka_unit_test(bar1_has_the_size_that_the_owner_chose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
