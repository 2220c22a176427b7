/* SPDX-License-Identifier: MIT */
/* Page tables: each page of a buffer is where it is, and a large buffer costs what its tables do, not what it holds. */
#include "driver/rig.h"

#include <sys/resource.h>

#include "driver/g80.h"
#include "driver/gpfifo.h"
#include "gpu/gpu.h"
#include "memory/translate.h"

static struct rig rig;

#define GIB(n) ((uint64_t)(n) << 30)

static struct memory *memory_of_device(void) {
    return &pfifo_device_gpu(rig.device)->memory;
}

/* What channels of the device see. */
static struct address_space channel_space(struct pfifo_channel *channel) {
    uint64_t instance = rig.part->fermi ? gpfifo_instance(channel) : g80_channel_of(channel)->descriptor;
    return address_space_vm(memory_of_device(), MEMORY_VRAM, instance);
}

static bool page_is(const struct address_space *space, uint64_t address, const struct pfifo_buffer *buffer,
                    uint64_t offset) {
    struct memory *memory = memory_of_device();
    struct span seen, real = memory_physical_span(memory, buffer->system ? MEMORY_SYSTEM : MEMORY_VRAM,
                                                  buffer->physical + offset, 4, MEMORY_READ);
    return memory_try_span(memory, space, address, 4, MEMORY_READ, &seen) && seen.data == real.data;
}

static bool is_mapped(const struct address_space *space, uint64_t address) {
    struct span span;
    return memory_try_span(memory_of_device(), space, address, 4, MEMORY_READ, &span);
}

/* Across the ends of tables (2, 128, 512 MiB) and of large pages, with heads and tails of small ones. */
static const struct {
    uint64_t address, bytes;
} ranges[] = {
    {GIB(6), 0x1000},
    {GIB(6) + 0x1000, 0x40000},
    {GIB(6) + 0x1ff000, 0x2000},
    {GIB(6) + 0x200000 - 0x20000, 0x40000},
    {GIB(6) + 0x8000000 - 0x31000, 0x63000},
    {GIB(6) + 0x20000000 - 0x1000, 0x45000},
    {GIB(6) + 0x20000000 - 0x80000, 0x181000},
    {GIB(7) - 0x11000, 0x22000},
};

static void check_range(const struct address_space *space, enum pfifo_domain domain, uint64_t address, uint64_t bytes) {
    struct pfifo_buffer *below = rig_buffer(&rig, domain, 0x1000, address - 0x1000);
    struct pfifo_buffer *buffer = rig_buffer(&rig, domain, bytes, address);
    struct pfifo_buffer *above = rig_buffer(&rig, domain, 0x1000, address + bytes);
    for (uint64_t at = 0; at < bytes; at += 0x1000)
        if (!page_is(space, address + at, buffer, at))
            fail_msg("%s: byte 0x%llx of the buffer at 0x%llx is elsewhere", rig.part->chip, (unsigned long long)at,
                     (unsigned long long)address);
    pfifo_buffer_free(buffer);
    for (uint64_t at = 0; at < bytes; at += 0x1000)
        assert_false(is_mapped(space, address + at));
    assert_true(page_is(space, address - 0x1000, below, 0));
    assert_true(page_is(space, address + bytes, above, 0));
    pfifo_buffer_free(below);
    pfifo_buffer_free(above);
}

static void every_page_of_a_buffer_is_where_the_tables_say(void **state) {
    (void)state;
    FOR_EACH_KIND {
        if (part->calls)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct address_space space = channel_space(channel);
        struct pfifo_buffer *odd = rig_buffer(&rig, PFIFO_VRAM, 0x3000, 0); /* so that places differ */
        for (size_t i = 0; i < COUNT_OF(ranges); i++) {
            check_range(&space, PFIFO_VRAM, ranges[i].address, ranges[i].bytes);
            check_range(&space, PFIFO_GART, ranges[i].address, ranges[i].bytes);
        }
        pfifo_buffer_free(odd);
        assert_int_equal(pfifo_device_faults(rig.device), 0);
        rig_close(&rig);
    }
}

static void open_with_memory(const struct part *part, uint64_t bytes) {
    const struct pfifo_device_config config = {
        .gpu = {.chip = pfifo_chip_by_name(part->chip), .vram_bytes = bytes, .system_bytes = bytes}};
    memset(&rig, 0, sizeof rig);
    rig.part = part;
    rig.device = pfifo_device_open(&config, &rig.error);
    assert_non_null(rig.device);
}

static long pages_that_the_host_gave(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_minflt;
}

/* 3 GiB have 786432 pages. Tables of small pages have 1536; those of large ones next to nothing. */
static void a_large_buffer_costs_its_tables_and_nothing_else(void **state) {
    (void)state;
    FOR_EACH_KIND {
        enum pfifo_domain domain = part->vram ? PFIFO_VRAM : PFIFO_GART;
        open_with_memory(part, GIB(4) - 0x100000);
        long before = pages_that_the_host_gave();
        for (unsigned i = 0; i < 20; i++)
            pfifo_buffer_free(rig_buffer(&rig, domain, GIB(3), 0));
        assert_in_range(pages_that_the_host_gave() - before, 0, 20000);
        rig_close(&rig);
    }
}

/* What was written is cleared for the next one, wherever in the buffer it is. */
static void a_large_buffer_is_clear_where_another_one_was_written(void **state) {
    static const uint64_t places[] = {0, 0x1ffffc, 0x200000, 0x12345678, 0x7ffffffc, GIB(3) - 4};
    (void)state;
    FOR_EACH_KIND {
        enum pfifo_domain domain = part->vram ? PFIFO_VRAM : PFIFO_GART;
        open_with_memory(part, GIB(4) - 0x100000);
        struct pfifo_buffer *buffer = rig_buffer(&rig, domain, GIB(3), 0);
        uint64_t physical = buffer->physical;
        for (size_t i = 0; i < COUNT_OF(places); i++)
            assert_true(pfifo_buffer_write(buffer, places[i], "dirt", 4));
        pfifo_buffer_free(buffer);
        buffer = rig_buffer(&rig, domain, GIB(3), 0);
        assert_int_equal(buffer->physical, physical);
        for (size_t i = 0; i < COUNT_OF(places); i++)
            assert_int_equal(rig_read(buffer, places[i]), 0);
        rig_close(&rig);
    }
}

/* One after the other at new addresses, so that each has tables of its own, which stay. */
static void tables_that_stay_make_the_next_buffer_no_slower(void **state) {
    (void)state;
    FOR_EACH_KIND {
        if (part->calls)
            continue;
        open_with_memory(part, GIB(4) - 0x100000);
        const struct pool *pool = part->vram ? &rig.device->vram : &rig.device->system;
        for (uint64_t i = 0; i < 24; i++)
            pfifo_buffer_free(rig_buffer(&rig, PFIFO_GART, 0x10000000, GIB(8) + i * GIB(1)));
        assert_in_range(pool->count, 0, 64);
        rig_close(&rig);
    }
}

static void count_write(void *opaque, const struct pfifo_event *event) {
    (void)event;
    ++*(unsigned *)opaque;
}

/* Through the window of BAR 0: the same memory, whether somebody sees the writes or not. */
static void whoever_listens_sees_each_word_of_a_table(void **state) {
    (void)state;
    FOR_EACH_KIND {
        if (part->calls || part->vram) /* instance memory is in BAR 3 */
            continue;
        unsigned events = 0;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct address_space space = channel_space(channel);
        assert_int_equal(pfifo_gpu_observe(pfifo_device_gpu(rig.device), "bus.write", count_write, &events, &rig.error),
                         PFIFO_OK);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_GART, 0x80000, GIB(4));
        assert_in_range(events, 2 * 0x80, 2 * 0x80 + 64);
        for (uint64_t at = 0; at < 0x80000; at += 0x1000)
            assert_true(page_is(&space, GIB(4) + at, buffer, at));
        rig_close(&rig);
    }
}

/* ---- the pool against one that looks everywhere ---- */

#define UNITS 512u

static bool taken[UNITS];

static bool slow_find(unsigned count, unsigned align, unsigned *begin) {
    for (unsigned at = (UNITS - count) / align * align + align; at >= align; at -= align) {
        unsigned first = at - align, n = 0;
        while (n < count && first + n < UNITS && !taken[first + n])
            n++;
        if (n == count && first >= 1) {
            *begin = first;
            return true;
        }
    }
    return false;
}

static uint32_t next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void the_highest_place_is_found_as_by_a_search_of_all(void **state) {
    struct {
        unsigned begin, count;
    } live[UNITS];
    unsigned lives = 0;
    uint32_t seed = 7;
    struct pool pool = {.floor = 1, .ceiling = UNITS, .end = UNITS};
    (void)state;
    for (unsigned step = 0; step < 200000; step++) {
        unsigned count = 1u + next_random(&seed) % (step % 3 ? 6 : 40), align = 1u << next_random(&seed) % 4, want = 0;
        uint64_t got = 0;
        if (lives && next_random(&seed) % 2) {
            unsigned which = next_random(&seed) % lives;
            pool_give(&pool, live[which].begin);
            memset(taken + live[which].begin, 0, live[which].count);
            live[which] = live[--lives];
            continue;
        }
        bool found = slow_find(count, align, &want);
        bool kept = step % 5000 == 0;
        assert_int_equal((kept ? pool_find_kept : pool_find)(&pool, count, align, &got), found);
        if (!found)
            continue;
        assert_int_equal(got, want);
        memset(taken + want, 1, count);
        if (!kept) {
            live[lives].begin = want;
            live[lives++].count = count;
        }
    }
    pool_free(&pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_page_of_a_buffer_is_where_the_tables_say),
        cmocka_unit_test(a_large_buffer_costs_its_tables_and_nothing_else),
        cmocka_unit_test(a_large_buffer_is_clear_where_another_one_was_written),
        cmocka_unit_test(tables_that_stay_make_the_next_buffer_no_slower),
        cmocka_unit_test(whoever_listens_sees_each_word_of_a_table),
        cmocka_unit_test(the_highest_place_is_found_as_by_a_search_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
