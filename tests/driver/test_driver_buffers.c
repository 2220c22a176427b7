/* SPDX-License-Identifier: MIT */
/* Buffers: where they are, who else may be there, and that GPU and CPU see the same memory. */
#include "driver/rig.h"

static struct rig rig;

static const enum pfifo_domain domains[] = {PFIFO_VRAM, PFIFO_GART};

static void assert_refused(enum pfifo_domain domain, uint64_t bytes, uint64_t address, enum pfifo_status status) {
    rig.error.status = PFIFO_OK;
    assert_null(pfifo_buffer_new(rig.device, domain, bytes, address, &rig.error));
    assert_int_equal(rig.error.status, status);
}

static void a_buffer_has_whole_cleared_pages_and_keeps_what_is_written(void **state) {
    (void)state;
    FOR_EACH_PART {
        for (size_t i = 0; i < COUNT_OF(domains); i++) {
            static const char text[] = "pushbuffer";
            char copy[sizeof text];
            rig_open(&rig, part);
            struct pfifo_buffer *buffer = rig_buffer(&rig, domains[i], 5000, 0);
            assert_int_equal(pfifo_buffer_bytes(buffer), 8192);
            assert_int_equal(pfifo_buffer_address(buffer) % 4096, 0);
            assert_int_not_equal(pfifo_buffer_address(buffer), 0);
            for (uint64_t at = 0; at < 8192; at += 4)
                assert_int_equal(rig_read(buffer, at), 0);
            assert_true(pfifo_buffer_write(buffer, 4090, text, sizeof text)); /* across the page */
            assert_true(pfifo_buffer_read(buffer, 4090, copy, sizeof copy));
            assert_memory_equal(copy, text, sizeof text);
            rig_close(&rig);
        }
    }
}

static void an_access_beyond_the_end_is_refused(void **state) {
    (void)state;
    FOR_EACH_PART {
        uint8_t bytes[16] = {0};
        rig_open(&rig, part);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_GART, 4096, 0);
        assert_true(pfifo_buffer_write(buffer, 4096 - 16, bytes, 16));
        assert_true(pfifo_buffer_write(buffer, 4096, bytes, 0));
        assert_false(pfifo_buffer_write(buffer, 4096 - 15, bytes, 16));
        assert_false(pfifo_buffer_read(buffer, 4096, bytes, 1));
        assert_false(pfifo_buffer_read(buffer, UINT64_MAX, bytes, 16));
        assert_false(pfifo_buffer_write(buffer, UINT64_MAX - 8, bytes, 16));
        rig_close(&rig);
    }
}

static void a_page_that_is_used_again_is_cleared(void **state) {
    (void)state;
    FOR_EACH_KIND {
        for (size_t i = 0; i < COUNT_OF(domains); i++) {
            rig_open(&rig, part);
            struct pfifo_buffer *buffer = rig_buffer(&rig, domains[i], 0x30000, 0);
            uint64_t address = pfifo_buffer_address(buffer);
            assert_true(pfifo_buffer_write(buffer, 0x2fff0, "dirt", 4));
            pfifo_buffer_free(buffer);
            buffer = rig_buffer(&rig, domains[i], 0x30000, 0);
            assert_int_equal(pfifo_buffer_address(buffer), address);
            assert_int_equal(rig_read(buffer, 0x2fff0), 0);
            rig_close(&rig);
        }
    }
}

static uint64_t fixed_address(const struct part *part) {
    return part->calls ? 0x100000 : part->fermi ? UINT64_C(0x100000000) : 0x20000000;
}

static void a_fixed_address_is_kept_and_must_be_free(void **state) {
    (void)state;
    FOR_EACH_PART {
        for (size_t i = 0; i < COUNT_OF(domains); i++) {
            rig_open(&rig, part);
            uint64_t at = fixed_address(part);
            enum pfifo_domain domain = domains[i];
            struct pfifo_buffer *buffer = rig_buffer(&rig, domain, 0x4000, at);
            assert_int_equal(pfifo_buffer_address(buffer), at);
            assert_refused(domain, 0x1000, at, PFIFO_ERROR_ARGUMENT);
            assert_refused(domain, 0x1000, at + 0x3000, PFIFO_ERROR_ARGUMENT);
            assert_refused(domain, 0x2000, at - 0x1000, PFIFO_ERROR_ARGUMENT);
            assert_refused(domain, 0x8000, at - 0x1000, PFIFO_ERROR_ARGUMENT);
            rig_buffer(&rig, domain, 0x1000, at - 0x1000);
            rig_buffer(&rig, domain, 0x1000, at + 0x4000);
            pfifo_buffer_free(buffer);
            assert_refused(domain, 0x5000, at, PFIFO_ERROR_ARGUMENT); /* the neighbour */
            assert_int_equal(pfifo_buffer_address(rig_buffer(&rig, domain, 0x4000, at)), at);
            rig_close(&rig);
        }
    }
}

static void addresses_and_sizes_that_cannot_be_are_refused(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        for (size_t i = 0; i < COUNT_OF(domains); i++) {
            assert_refused(domains[i], 0x1000, 0x10800, PFIFO_ERROR_ARGUMENT);
            assert_refused(domains[i], 0, 0, PFIFO_ERROR_ARGUMENT);
            assert_refused(domains[i], UINT64_MAX, 0, PFIFO_ERROR_ARGUMENT);
            assert_refused(domains[i], 0x1000, UINT64_C(1) << 40, PFIFO_ERROR_ARGUMENT);
            assert_refused(domains[i], 0x2000, UINT64_C(0xfffffffffffff000), PFIFO_ERROR_ARGUMENT);
            assert_refused(domains[i], UINT64_C(1) << 50, 0, PFIFO_ERROR_MEMORY);
        }
        assert_refused((enum pfifo_domain)0, 0x1000, 0, PFIFO_ERROR_ARGUMENT);
        assert_refused((enum pfifo_domain)6, 0x1000, 0, PFIFO_ERROR_ARGUMENT);
        rig_close(&rig);
    }
}

/* Programs that have recorded addresses must get them, whatever the kernel has for itself by then. */
static void what_the_driver_chooses_stays_out_of_the_way(void **state) {
    (void)state;
    FOR_EACH_KIND {
        rig_open(&rig, part);
        for (unsigned i = 0; i < 8; i++)
            rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        for (unsigned i = 0; i < 50; i++)
            for (size_t d = 0; d < COUNT_OF(domains); d++)
                rig_buffer(&rig, domains[d], 0x11000, 0);
        uint64_t bytes = part->calls ? 0x800000 : 0x4000000;
        assert_int_equal(pfifo_buffer_address(rig_buffer(&rig, PFIFO_GART, bytes, fixed_address(part))),
                         fixed_address(part));
        if (part->calls) /* two spaces */
            rig_buffer(&rig, PFIFO_VRAM, bytes, fixed_address(part));
        else
            assert_refused(PFIFO_VRAM, 0x1000, fixed_address(part), PFIFO_ERROR_ARGUMENT);
        rig_close(&rig);
    }
}

static bool same_space(const struct part *part, const struct pfifo_buffer *a, enum pfifo_domain da,
                       const struct pfifo_buffer *b, enum pfifo_domain db) {
    return a != b && (!part->calls || da == db);
}

static void chosen_addresses_do_not_overlap(void **state) {
    enum { BUFFERS = 60 };
    (void)state;
    FOR_EACH_PART {
        struct pfifo_buffer *buffer[BUFFERS];
        rig_open(&rig, part);
        for (unsigned i = 0; i < BUFFERS; i++)
            buffer[i] = rig_buffer(&rig, domains[i % 2], (i * 37 % 50 + 1) * 0x1000, 0);
        for (unsigned i = 0; i < BUFFERS; i += 3) { /* holes, filled again with other sizes */
            pfifo_buffer_free(buffer[i]);
            buffer[i] = rig_buffer(&rig, domains[i % 2], (i * 11 % 53 + 1) * 0x1000, 0);
        }
        for (unsigned i = 0; i < BUFFERS; i++)
            assert_true(pfifo_buffer_write(buffer[i], 0, &(const uint8_t[4]){(uint8_t)(i + 1)}, 4));
        for (unsigned i = 0; i < BUFFERS; i++) {
            assert_int_equal(rig_read(buffer[i], 0), i + 1); /* nor do their places */
            for (unsigned k = 0; k < BUFFERS; k++)
                if (same_space(part, buffer[i], domains[i % 2], buffer[k], domains[k % 2]))
                    assert_true(pfifo_buffer_address(buffer[i]) + pfifo_buffer_bytes(buffer[i]) <=
                                    pfifo_buffer_address(buffer[k]) ||
                                pfifo_buffer_address(buffer[k]) + pfifo_buffer_bytes(buffer[k]) <=
                                    pfifo_buffer_address(buffer[i]));
        }
        rig_close(&rig);
    }
}

static void memory_runs_out_and_comes_back(void **state) {
    (void)state;
    FOR_EACH_KIND {
        enum { MAX = 64 };
        struct pfifo_buffer *buffer[MAX];
        unsigned count = 0;
        rig = (struct rig){.part = part};
        const struct pfifo_device_config config = {
            .gpu = {.chip = pfifo_chip_by_name(part->chip), .vram_bytes = 64 << 20, .system_bytes = 64 << 20}};
        rig.device = pfifo_device_open(&config, &rig.error);
        assert_non_null(rig.device);
        while (count < MAX && (buffer[count] = pfifo_buffer_new(rig.device, PFIFO_VRAM, 2 << 20, 0, &rig.error)))
            count++;
        assert_true(count >= 16 && count < MAX);
        assert_int_equal(rig.error.status, PFIFO_ERROR_MEMORY);
        assert_refused(PFIFO_VRAM, 2 << 20, part->calls ? 0 : 0x40000000, PFIFO_ERROR_MEMORY);
        pfifo_buffer_free(buffer[count / 2]);
        rig_buffer(&rig, PFIFO_VRAM, 2 << 20, 0);
        rig_close(&rig);
    }
}

/*
 * The GPU writes at addresses all over buffers of every alignment, so that each page size and table is used; the CPU
 * finds what it wrote where it belongs.
 */
static void gpu_and_cpu_see_the_same_memory(void **state) {
    static const struct {
        uint64_t offset, bytes;
    } shapes[] = {{0, 0x1000},  {0x1000, 0x3000},   {0, 0x7000},          {0x2000, 0x6000},
                  {0, 0x20000}, {0x10000, 0x50000}, {0x7ff000, 0x402000}, {0, 0x800000}};
    (void)state;
    FOR_EACH_KIND {
        if (part->semaphores != NEW_SEMAPHORE)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        for (size_t i = 0; i < 2 * COUNT_OF(shapes); i++) {
            uint64_t bytes = shapes[i / 2].bytes, base = UINT64_C(0x3fe0000000) + i * 0x8000000;
            struct pfifo_buffer *buffer = rig_buffer(&rig, domains[i % 2], bytes, base + shapes[i / 2].offset);
            uint64_t step = bytes > 0x100000 ? 0x3f000 : 0x1000;
            for (uint64_t at = 0; at < bytes; at += step) {
                struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
                words_release(&words, &rig, pfifo_buffer_address(buffer) + at + 16, (uint32_t)at | 1);
                words_submit(&words, &rig, channel, push, 0);
                rig_wait(&rig);
            }
            for (uint64_t at = 0; at < bytes; at += step)
                assert_int_equal(rig_read(buffer, at + 16), (uint32_t)at | 1);
            assert_int_equal(rig.fault_count, 0);
            if (i % 4 == 0)
                pfifo_buffer_free(buffer);
        }
        rig_close(&rig);
    }
}

/* Small pages where a big one was, and back: nothing of the old table may be left. */
static void an_address_changes_between_large_and_small_buffers(void **state) {
    (void)state;
    FOR_EACH_KIND {
        if (part->semaphores != NEW_SEMAPHORE)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        uint64_t base = UINT64_C(0x1200000000);
        for (uint32_t turn = 0; turn < 6; turn++) {
            bool large = turn % 2 == 0;
            struct pfifo_buffer *first = rig_buffer(&rig, turn < 4 ? PFIFO_VRAM : PFIFO_GART, large ? 0x40000 : 0x3000,
                                                    large ? base : base + 0x21000);
            struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
            words_release(&words, &rig, base + 0x22000, 100 + turn);
            words_submit(&words, &rig, channel, push, 0);
            rig_wait(&rig);
            assert_int_equal(rig_read(first, large ? 0x22000 : 0x1000), 100 + turn);
            pfifo_buffer_free(first);
        }
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

/* Before G80: the same offset means one thing in VRAM and another in GART. */
static void vram_and_gart_are_separate_spaces_before_tesla(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->calls)
            continue;
        rig_open(&rig, part);
        struct pfifo_buffer *vram = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0x200000);
        struct pfifo_buffer *gart = rig_buffer(&rig, PFIFO_GART, 0x1000, 0x200000);
        assert_int_equal(pfifo_buffer_address(vram), pfifo_buffer_address(gart));
        assert_true(pfifo_buffer_write(vram, 0, "vram", 4));
        assert_true(pfifo_buffer_write(gart, 0, "gart", 4));
        char text[5] = {0};
        pfifo_gpu_vram_read(pfifo_device_gpu(rig.device), 0x200000, text, 4);
        assert_string_equal(text, "vram");
        assert_true(pfifo_buffer_read(gart, 0, text, 4));
        assert_string_equal(text, "gart");
        rig_close(&rig);
    }
}

/* Memory that an embedder brings is not zero, and its bounds are what system_bytes says. */
static void *map_dirty(void *opaque, uint64_t address, uint64_t *bytes, bool write) {
    (void)write;
    uint64_t size = 8 << 20;
    if (address >= size)
        return NULL;
    *bytes = *bytes < size - address ? *bytes : size - address;
    return (uint8_t *)opaque + address;
}

static void the_embedders_memory_is_cleared_too(void **state) {
    static uint8_t memory[8 << 20];
    (void)state;
    memset(memory, 0xa5, sizeof memory);
    rig = (struct rig){.part = &parts[0]};
    const struct pfifo_device_config config = {.gpu = {.chip = pfifo_chip_by_name("NV40"),
                                                       .system_bytes = sizeof memory,
                                                       .system_map = map_dirty,
                                                       .opaque = memory}};
    rig.device = pfifo_device_open(&config, &rig.error);
    assert_non_null(rig.device);
    struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
    struct pfifo_buffer *push = rig_buffer(&rig, PFIFO_GART, 0x2000, 0);
    for (uint64_t at = 0; at < 0x2000; at += 4)
        assert_int_equal(rig_read(push, at), 0);
    assert_refused(PFIFO_GART, sizeof memory, 0, PFIFO_ERROR_MEMORY);
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_bind_class(&words, &rig, SUBCHANNEL);
    words_submit(&words, &rig, channel, push, 0);
    rig_wait(&rig);
    assert_int_equal(pfifo_device_faults(rig.device), 0);
    assert_int_equal(memory[0], 0xa5); /* the first MiB is the computer's own */
    rig_close(&rig);
}

/* 32 bits of bus address before G80; 32 bits of VRAM on Tesla. */
static void memory_that_page_tables_cannot_name_is_left_alone(void **state) {
    (void)state;
    FOR_EACH_PART {
        const unsigned shift = part->fermi ? 35 : 30;
        const struct pfifo_device_config config = {.gpu = {.chip = pfifo_chip_by_name(part->chip),
                                                           .vram_bytes = part->calls ? 0 : UINT64_C(6) << shift,
                                                           .system_bytes = UINT64_C(6) << (part->fermi ? 38 : 30)}};
        uint32_t value = 0;
        memset(&rig, 0, sizeof rig);
        rig.part = part;
        rig.device = pfifo_device_open(&config, &rig.error);
        assert_non_null(rig.device);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 77);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(pfifo_device_faults(rig.device), 0);
        assert_true(pfifo_gpu_method_value(pfifo_device_gpu(rig.device), pfifo_channel_number(channel), part->graphics,
                                           NOP, &value));
        assert_int_equal(value, 77);
        rig_close(&rig);
    }
}

static uint32_t bar_word(uint64_t offset) {
    uint32_t value = 0;
    pfifo_gpu_bar_read(pfifo_device_gpu(rig.device), 1, offset, &value, sizeof value);
    return value;
}

/* From G80 on the CPU sees the first buffer at the end of BAR 1. */
static void a_freed_buffer_is_gone_from_the_bar(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->calls || !part->vram)
            continue;
        rig_open(&rig, part);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        assert_true(pfifo_buffer_write(buffer, 0x10, "here", 4));
        assert_int_equal(bar_word(0xffff010), 0x65726568);
        pfifo_buffer_free(buffer);
        assert_int_equal(bar_word(0xffff010), 0xbad0ac00);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        buffer = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        assert_int_equal(rig_read(buffer, 0x10), 0);
        assert_int_equal(bar_word(0xffff010), 0);
        rig_close(&rig);
    }
}

static void count_event(void *opaque, const struct pfifo_event *event) {
    (void)event;
    ++*(unsigned *)opaque;
}

/* A debugger may read what it likes: registers and page tables stay as they are. */
static void the_cpus_look_at_a_buffer_changes_nothing_in_the_gpu(void **state) {
    (void)state;
    FOR_EACH_PART {
        unsigned events = 0;
        rig_open(&rig, part);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, 0x30000, 0);
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        assert_int_equal(pfifo_gpu_observe(gpu, "bus.*,memory.*", count_event, &events, &rig.error), PFIFO_OK);
        assert_int_equal(rig_read(buffer, 0x2fffc), 0);
        assert_true(pfifo_buffer_write(buffer, 0x2fffc, "seen", 4));
        assert_int_equal(rig_read(buffer, 0x2fffc), 0x6e656573);
        assert_int_equal(events, 0);
        rig_close(&rig);
    }
}

/* Two buffers of 160 MiB do not fit into BAR 1 together, and one of 260 MiB never does. */
static void buffers_take_turns_in_the_bar(void **state) {
    static const char *const chips[] = {"GT200", "GF100"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        FOR_EACH_PART {
            if (strcmp(part->chip, chips[i]) != 0)
                continue;
            rig_open(&rig, part);
            struct pfifo_buffer *one = rig_buffer(&rig, PFIFO_VRAM, 0xa000000, 0),
                                *other = rig_buffer(&rig, PFIFO_VRAM, 0xa000000, 0);
            for (uint32_t turn = 0; turn < 3; turn++) {
                assert_true(pfifo_buffer_write(one, 0x9fffffc, &(const uint32_t){0x100 + turn}, 4));
                assert_true(pfifo_buffer_write(other, 0x9fffffc, &(const uint32_t){0x200 + turn}, 4));
                assert_int_equal(rig_read(one, 0x9fffffc), 0x100 + turn);
                assert_int_equal(rig_read(other, 0x9fffffc), 0x200 + turn);
                assert_int_equal(bar_word(0x10000000 - 4), 0x200 + turn); /* it is the one that is shown */
            }
            pfifo_buffer_free(one);
            struct pfifo_buffer *large = rig_buffer(&rig, PFIFO_VRAM, 0x10400000, 0);
            assert_true(pfifo_buffer_write(large, 0x103ffffc, "last", 4));
            assert_int_equal(rig_read(large, 0x103ffffc), 0x7473616c);
            assert_int_equal(rig_read(other, 0x9fffffc), 0x202);
            rig_wait(&rig);
            assert_int_equal(rig.fault_count, 0);
            rig_close(&rig);
        }
    }
}

/* Too little for the driver's own structures is an error; from some size on everything works. */
static void a_device_opens_with_whatever_memory_is_enough(void **state) {
    static const uint64_t sizes[] = {0x1000,   0x10000,   0x41000,   0x100000, 0x2ff000,
                                     0x800000, 0x1001000, 0x2000000, 0x5021000};
    (void)state;
    FOR_EACH_KIND {
        if (part->calls) /* there RAMIN has a fixed size */
            continue;
        for (size_t i = 0; i < COUNT_OF(sizes); i++) {
            const struct pfifo_device_config config = {.gpu = {.chip = pfifo_chip_by_name(part->chip),
                                                               .vram_bytes = sizes[i],
                                                               .system_bytes = sizes[i] + 0x100000}};
            memset(&rig, 0, sizeof rig);
            rig.part = part;
            rig.device = pfifo_device_open(&config, &rig.error);
            if (!rig.device) {
                assert_int_equal(rig.error.status, PFIFO_ERROR_MEMORY);
                assert_true(sizes[i] < 0x2000000);
                continue;
            }
            struct pfifo_buffer *buffer = pfifo_buffer_new(rig.device, PFIFO_VRAM, 0x1000, 0, &rig.error);
            if (buffer) {
                assert_true(pfifo_buffer_write(buffer, 0xffc, "some", 4));
                assert_int_equal(rig_read(buffer, 0xffc), 0x656d6f73);
            }
            assert_true(buffer || sizes[i] < 0x2000000);
            assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_IDLE);
            assert_int_equal(pfifo_device_faults(rig.device), 0);
            rig_close(&rig);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_has_whole_cleared_pages_and_keeps_what_is_written),
        cmocka_unit_test(an_access_beyond_the_end_is_refused),
        cmocka_unit_test(a_page_that_is_used_again_is_cleared),
        cmocka_unit_test(a_fixed_address_is_kept_and_must_be_free),
        cmocka_unit_test(addresses_and_sizes_that_cannot_be_are_refused),
        cmocka_unit_test(what_the_driver_chooses_stays_out_of_the_way),
        cmocka_unit_test(chosen_addresses_do_not_overlap),
        cmocka_unit_test(memory_runs_out_and_comes_back),
        cmocka_unit_test(gpu_and_cpu_see_the_same_memory),
        cmocka_unit_test(an_address_changes_between_large_and_small_buffers),
        cmocka_unit_test(vram_and_gart_are_separate_spaces_before_tesla),
        cmocka_unit_test(the_embedders_memory_is_cleared_too),
        cmocka_unit_test(a_device_opens_with_whatever_memory_is_enough),
        cmocka_unit_test(a_freed_buffer_is_gone_from_the_bar),
        cmocka_unit_test(the_cpus_look_at_a_buffer_changes_nothing_in_the_gpu),
        cmocka_unit_test(buffers_take_turns_in_the_bar),
        cmocka_unit_test(memory_that_page_tables_cannot_name_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
