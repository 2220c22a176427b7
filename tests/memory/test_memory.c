/* SPDX-License-Identifier: MIT */
/* Physical memory, holes, the embedder's memory, RAMIN, the watch, and copies through address spaces. */
#include <sys/mman.h>

#include "memory/translate.h"
#include "rig.h"

static const struct pfifo_chip with_vram = {.name = "VRAM", .vram_bytes = 1};
static const struct pfifo_chip without_vram = {.name = "no VRAM"};

static void words_are_little_endian_at_any_alignment(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &with_vram);
    rig_put32(&rig, MEMORY_VRAM, 0x1001, 0x44332211);
    assert_int_equal(rig.memory.vram[0x1001], 0x11);
    assert_int_equal(rig.memory.vram[0x1004], 0x44);
    rig_put32(&rig, MEMORY_VRAM, 0x1005, 0x88776655);
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_VRAM, 0x1002), 0x55443322);
    assert_int_equal(memory_physical_rd64(&rig.memory, MEMORY_VRAM, 0x1001), 0x8877665544332211);
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_SYSTEM, 0x1001), 0);
    rig_stop(&rig);
}

static void memory_beyond_the_end_reads_zero_and_drops_writes(void **state) {
    static const uint64_t beyond[] = {RIG_VRAM_BYTES,        RIG_VRAM_BYTES + 0xfffe, UINT64_C(1) << 32,
                                      UINT64_C(0xfffffffff), UINT64_C(1) << 63,       UINT64_MAX - 3};
    struct rig rig;
    (void)state;
    rig_start(&rig, &with_vram);
    for (int target = MEMORY_VRAM; target <= MEMORY_PEER; target++) {
        struct address_space space = address_space_physical((enum memory_target)target);
        for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
            memory_physical_wr32(&rig.memory, space.target, beyond[i], 0xffffffff);
            assert_int_equal(memory_physical_rd32(&rig.memory, space.target, beyond[i]), 0);
            assert_nothing_there(&rig, &space, beyond[i]);
        }
    }
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_PEER, 0), 0);
    assert_int_equal(rig.faults, 0);
    rig_stop(&rig);
}

static void a_word_across_the_end_is_half_there(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &with_vram);
    rig_put32(&rig, MEMORY_VRAM, RIG_VRAM_BYTES - 2, 0xddccbbaa);
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_VRAM, RIG_VRAM_BYTES - 2), 0xbbaa);
    assert_int_equal(rig.memory.vram[RIG_VRAM_BYTES - 1], 0xbb);
    rig_stop(&rig);
}

static void a_span_ends_where_memory_ends(void **state) {
    struct rig rig;
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    (void)state;
    rig_start(&rig, &with_vram);
    assert_span(&rig, &vram, 0, UINT64_MAX, MEMORY_READ, MEMORY_VRAM, 0, RIG_VRAM_BYTES);
    assert_span(&rig, &vram, 0x1234, 0x100000, MEMORY_WRITE, MEMORY_VRAM, 0x1234, 0x100000);
    assert_span(&rig, &vram, RIG_VRAM_BYTES - 1, 2, MEMORY_READ, MEMORY_VRAM, RIG_VRAM_BYTES - 1, 1);
    rig_stop(&rig);
}

static void a_copy_does_not_go_round_the_end_of_the_address_space(void **state) {
    struct rig rig;
    uint8_t data[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    struct fault fault;
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    (void)state;
    rig_start(&rig, &with_vram);
    rig.memory.vram[0] = 0x5a;
    assert_false(memory_read(&rig.memory, &vram, UINT64_MAX - 3, data, sizeof data, &fault));
    assert_int_equal(fault.reason, FAULT_VA_LIMIT);
    assert_int_equal(data[3], 0);
    assert_int_equal(data[4], 1);
    rig_stop(&rig);
}

static void vram_of_a_chip_without_vram_is_system_memory(void **state) {
    struct rig rig;
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    (void)state;
    rig_start(&rig, &without_vram);
    rig_put32(&rig, MEMORY_VRAM, 0x4000, 0x1234);
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_SYSTEM, 0x4000), 0x1234);
    assert_maps(&rig, &vram, 0x8000, MEMORY_SYSTEM, 0x8000);
    rig_stop(&rig);
}

static void memory_of_any_size_costs_nothing_until_touched(void **state) {
    struct memory memory;
    struct memory_config config = {.chip = &with_vram, .vram_bytes = GIB(64), .system_bytes = GIB(64)};
    (void)state;
    assert_int_equal(memory_init(&memory, &config, NULL), PFIFO_OK);
    memory_physical_wr32(&memory, MEMORY_VRAM, GIB(64) - 4, 7);
    assert_int_equal(memory_physical_rd32(&memory, MEMORY_VRAM, GIB(64) - 4), 7);
    memory_free(&memory);
}

static void memory_that_the_host_cannot_reserve_is_an_error(void **state) {
    struct memory memory;
    struct pfifo_error error = {0};
    struct memory_config config = {.chip = &with_vram, .vram_bytes = UINT64_C(1) << 62};
    (void)state;
    assert_int_equal(memory_init(&memory, &config, &error), PFIFO_ERROR_MEMORY);
    assert_int_equal(error.status, PFIFO_ERROR_MEMORY);
    assert_null(memory.hole);
    memory_free(&memory);
}

/* An embedder with two pages: bus addresses 0x10000 (read-write) and 0x11000 (read only), far apart in the host. */
struct two_pages {
    uint8_t page[2][0x1000];
    unsigned calls;
};

static void *map_two_pages(void *opaque, uint64_t address, uint64_t *bytes, bool write) {
    struct two_pages *pages = opaque;
    uint64_t page = (address >> 12) - 0x10, within = address & 0xfff;
    pages->calls++;
    if (page > 1 || (page == 1 && write))
        return NULL;
    if (*bytes > 0x1000 - within)
        *bytes = 0x1000 - within;
    return pages->page[1 - page] + within;
}

static void system_memory_of_the_embedder_is_mapped_piece_by_piece(void **state) {
    struct memory memory;
    static struct two_pages pages;
    struct memory_config config = {.chip = &with_vram, .host = {map_two_pages, &pages}};
    struct address_space bus = address_space_physical(MEMORY_SYSTEM);
    struct span span;
    uint8_t data[0x2800];
    (void)state;
    memset(pages.page[1], 0x11, 0x1000);
    memset(pages.page[0], 0x22, 0x1000);
    assert_int_equal(memory_init(&memory, &config, NULL), PFIFO_OK);
    assert_true(memory_span(&memory, &bus, 0x10800, 0x2000, MEMORY_READ, &span, NULL));
    assert_ptr_equal(span.data, pages.page[1] + 0x800);
    assert_int_equal(span.bytes, 0x800);

    memset(data, 0xff, sizeof data);
    assert_true(memory_read(&memory, &bus, 0xfc00, data, sizeof data, NULL));
    assert_int_equal(data[0x3ff], 0);
    assert_int_equal(data[0x400], 0x11);
    assert_int_equal(data[0x1400], 0x22);
    assert_int_equal(data[0x23ff], 0x22);
    assert_int_equal(data[0x2400], 0);

    memory_physical_wr32(&memory, MEMORY_SYSTEM, 0x10ffe, 0xddccbbaa);
    assert_int_equal(pages.page[1][0xfff], 0xbb);
    assert_int_equal(pages.page[0][0], 0x22);
    assert_true(pages.calls > 4);
    memory_free(&memory);
}

static void count_hit(void *opaque, const uint8_t *begin, const uint8_t *end) {
    assert_true(begin < end);
    ++*(unsigned *)opaque;
}

static void the_watch_sees_spans_for_writing_that_overlap(void **state) {
    struct rig rig;
    unsigned hits = 0;
    struct span span;
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    (void)state;
    rig_start(&rig, &with_vram);
    rig.memory.watch = (struct memory_watch){rig.memory.vram + 0x1000, rig.memory.vram + 0x1080, count_hit, &hits};
    assert_true(memory_span(&rig.memory, &vram, 0x1000, 0x80, MEMORY_READ, &span, NULL));
    assert_true(memory_span(&rig.memory, &vram, 0xff0, 0x10, MEMORY_WRITE, &span, NULL));
    assert_true(memory_span(&rig.memory, &vram, 0x1080, 0x10, MEMORY_WRITE, &span, NULL));
    assert_int_equal(hits, 0);
    assert_true(memory_span(&rig.memory, &vram, 0xff0, 0x11, MEMORY_WRITE, &span, NULL));
    assert_int_equal(hits, 1);
    assert_true(memory_span(&rig.memory, &vram, 0x107f, 1, MEMORY_WRITE, &span, NULL));
    assert_int_equal(hits, 2);
    assert_true(memory_span(&rig.memory, &vram, 0, 0x10000, MEMORY_WRITE, &span, NULL));
    assert_int_equal(hits, 3);
    memory_physical_wr32(&rig.memory, MEMORY_VRAM, 0x1010, 0);
    assert_int_equal(hits, 4);
    rig_stop(&rig);
}

/* To ask is not to write: a record that turns out not to fit must not make anybody act on it. */
static bool chunk_is_used(const struct memory *memory, uint64_t address) {
    uint64_t chunk = address / MEMORY_CHUNK;
    return memory->vram_used[chunk / 64] >> chunk % 64 & 1;
}

static void clearing_reaches_its_range_and_no_more(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &with_vram);
    for (uint64_t at = 0; at < MIB(16); at += 0x1000)
        rig_put32(&rig, MEMORY_VRAM, at, 0xffffffff);
    memory_protect(&rig.memory, MIB(4), true); /* whoever clears is not stopped by what programs may not write */
    memory_clear(&rig.memory, MEMORY_VRAM, 0x3002, MIB(9));
    memory_clear(&rig.memory, MEMORY_VRAM, MIB(64) - 8, UINT64_MAX);
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_VRAM, 0x2000), 0xffffffff);
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_VRAM, 0x3000), 0x0000ffff);
    for (uint64_t at = 0x4000; at < MIB(9) + 0x3000; at += 0x1000)
        assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_VRAM, at), 0);
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_VRAM, MIB(9) + 0x3000), 0xffff0000);
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_VRAM, MIB(9) + 0x4000), 0xffffffff);
    rig_stop(&rig);
}

static void a_chunk_that_is_cleared_counts_as_never_written(void **state) {
    struct rig rig;
    (void)state;
    rig_start(&rig, &with_vram);
    rig_put32(&rig, MEMORY_VRAM, MIB(3), 1);
    rig_put32(&rig, MEMORY_VRAM, MIB(5), 2);
    memory_clear(&rig.memory, MEMORY_VRAM, MIB(2), MIB(3) + 0x100);
    assert_false(chunk_is_used(&rig.memory, MIB(3)));
    assert_true(chunk_is_used(&rig.memory, MIB(5)));
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_VRAM, MIB(5)), 0);
    rig_put32(&rig, MEMORY_VRAM, MIB(3), 4);
    assert_true(chunk_is_used(&rig.memory, MIB(3)));
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_VRAM, MIB(3)), 4);
    rig_stop(&rig);
}

static void a_chunk_of_shared_memory_that_is_cleared_in_part_counts_as_written(void **state) {
    struct memory_config config = {
        .chip = &with_vram, .vram_bytes = RIG_VRAM_BYTES, .vram = {.form = PFIFO_MEMORY_SHARED}};
    struct rig rig = {0};
    (void)state;
    assert_int_equal(memory_init(&rig.memory, &config, NULL), PFIFO_OK);
    rig_put32(&rig, MEMORY_VRAM, MIB(3) + 0x100, 1);
    rig_put32(&rig, MEMORY_VRAM, MIB(3) + 0x800, 2);
    memory_clear(&rig.memory, MEMORY_VRAM, MIB(3) + 0x100, 0x100);
    assert_true(chunk_is_used(&rig.memory, MIB(3)));
    memory_clear(&rig.memory, MEMORY_VRAM, MIB(2), MIB(1) + 0x800);
    assert_true(chunk_is_used(&rig.memory, MIB(3)));
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_VRAM, MIB(3) + 0x100), 0);
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_VRAM, MIB(3) + 0x800), 2);
    rig_stop(&rig);
}

static void what_was_never_written_is_read_without_a_page_of_the_host(void **state) {
    const struct address_space vram = address_space_physical(MEMORY_VRAM);
    const uint64_t first = MIB(3) + MEMORY_CHUNK - 4, bytes = 3 * MEMORY_CHUNK;
    static uint8_t data[3 * MEMORY_CHUNK];
    unsigned char resident;
    struct rig rig;
    (void)state;
    rig_start(&rig, &with_vram);
    rig_put32(&rig, MEMORY_VRAM, first, 0x04030201);
    rig_put32(&rig, MEMORY_VRAM, MIB(3) + 3 * MEMORY_CHUNK, 0x08070605);
    memset(data, 0xff, sizeof data);
    assert_true(memory_read(&rig.memory, &vram, first, data, bytes, NULL));
    assert_int_equal(load_le32(data), 0x04030201);
    assert_int_equal(load_le32(data + 4), 0);
    assert_int_equal(load_le32(data + 2 * MEMORY_CHUNK), 0);
    assert_int_equal(load_le32(data + 2 * MEMORY_CHUNK + 4), 0x08070605);
    assert_int_equal(load_le32(data + bytes - 4), 0);
    assert_int_equal(mincore(rig.memory.vram + MIB(3) + MEMORY_CHUNK, MEMORY_CHUNK, &resident), 0);
    assert_false(resident & 1);
    rig_stop(&rig);
}

static void chunks_that_were_written_are_found_however_far_they_are(void **state) {
    uint64_t used[4] = {0};
    const uint64_t end = 256 * MEMORY_CHUNK;
    (void)state;
    assert_int_equal(memory_next_used(used, 5, end, true), end);
    assert_int_equal(memory_next_used(used, 5, end, false), 5);
    memory_mark_used(used, 200 * MEMORY_CHUNK + 8, 40 * MEMORY_CHUNK);
    assert_int_equal(memory_next_used(used, 5, end, true), 200 * MEMORY_CHUNK);
    assert_int_equal(memory_next_used(used, 5, 100, true), 100);
    assert_int_equal(memory_next_used(used, 200 * MEMORY_CHUNK + 9, end, true), 200 * MEMORY_CHUNK + 9);
    assert_int_equal(memory_next_used(used, 200 * MEMORY_CHUNK, end, false), 241 * MEMORY_CHUNK);
    memory_mark_unused(used, 200 * MEMORY_CHUNK, 40 * MEMORY_CHUNK);
    assert_int_equal(memory_next_used(used, 0, end, true), 240 * MEMORY_CHUNK);
    assert_int_equal(memory_next_used(used, 241 * MEMORY_CHUNK, end, true), end);
}

static void clearing_what_is_watched_is_told(void **state) {
    unsigned hits = 0;
    struct rig rig;
    (void)state;
    rig_start(&rig, &with_vram);
    rig_put32(&rig, MEMORY_VRAM, MIB(3), 1);
    rig.memory.watch.begin = rig.memory.vram + MIB(3);
    rig.memory.watch.end = rig.memory.watch.begin + 16;
    rig.memory.watch.hit = count_hit;
    rig.memory.watch.opaque = &hits;
    memory_clear(&rig.memory, MEMORY_VRAM, MIB(3) + 16, 0x1000);
    assert_int_equal(hits, 0);
    memory_clear(&rig.memory, MEMORY_VRAM, MIB(2), MIB(2));
    assert_int_equal(hits, 1);
    rig_stop(&rig);
}

static void memory_of_the_embedder_is_cleared_where_it_may_be_written(void **state) {
    struct memory memory;
    static struct two_pages pages;
    struct memory_config config = {.chip = &with_vram, .host = {map_two_pages, &pages}};
    (void)state;
    memset(&pages, 0x55, sizeof pages);
    assert_int_equal(memory_init(&memory, &config, NULL), PFIFO_OK);
    memory_clear(&memory, MEMORY_SYSTEM, 0xf800, 0x2000);
    assert_int_equal(pages.page[1][0], 0);
    assert_int_equal(pages.page[1][0xfff], 0);
    assert_int_equal(pages.page[0][0], 0x55); /* read only */
    memory_free(&memory);
}

static void asking_whether_a_record_fits_is_not_watched(void **state) {
    struct rig rig;
    unsigned hits = 0;
    struct fault fault;
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    (void)state;
    rig_start(&rig, &with_vram);
    vram.limit = 0x1007;
    rig.memory.watch = (struct memory_watch){rig.memory.vram + 0x1000, rig.memory.vram + 0x1080, count_hit, &hits};
    assert_true(memory_writable(&rig.memory, &vram, 0xff8, 0x10, &fault));
    assert_false(memory_writable(&rig.memory, &vram, 0xff8, 0x11, &fault));
    assert_int_equal(fault.address, 0x1008);
    assert_int_equal(hits, 0);
    vram.limit = UINT64_MAX;
    assert_false(memory_writable(&rig.memory, &vram, UINT64_MAX - 1, 4, &fault));
    assert_int_equal(fault.address, 0);
    rig_stop(&rig);
}

static void ramin_is_the_end_of_vram_reversed_in_chunks(void **state) {
    static const struct {
        uint32_t chunk, address;
        uint64_t vram;
    } rows[] = {
        {4, 0x0, RIG_VRAM_BYTES - 4},
        {4, 0x7, RIG_VRAM_BYTES - 5},
        {16, 0x0, RIG_VRAM_BYTES - 16},
        {16, 0x14, RIG_VRAM_BYTES - 32 + 4},
        {64, 0x50, RIG_VRAM_BYTES - 128 + 0x10},
        {0x80000, 0x20010, RIG_VRAM_BYTES - 0x80000 + 0x20010},
        {0x80000, 0x80010, RIG_VRAM_BYTES - 0x100000 + 0x10},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct pfifo_chip chip = {.vram_bytes = 1, .ramin_bytes = 0x100000, .ramin_chunk = rows[i].chunk};
        struct rig rig;
        rig_start(&rig, &chip);
        assert_int_equal(memory_ramin_to_vram(&rig.memory, rows[i].address), rows[i].vram);
        memory_ramin_wr32(&rig.memory, rows[i].address & ~3u, 0x12345678);
        assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_VRAM, rows[i].vram & ~UINT64_C(3)), 0x12345678);
        assert_int_equal(memory_ramin_rd32(&rig.memory, rows[i].address & ~3u), 0x12345678);
        assert_int_equal(memory_ramin_rd32(&rig.memory, 0x100000 + (rows[i].address & ~3u)), 0x12345678);
        rig_stop(&rig);
    }
}

static void a_space_can_fault_everywhere(void **state) {
    struct rig rig;
    struct address_space space = address_space_fault(FAULT_UNBOUND);
    (void)state;
    rig_start(&rig, &with_vram);
    assert_faults(&rig, &space, 0, MEMORY_READ, FAULT_UNBOUND, 0, "UNBOUND");
    assert_faults(&rig, &space, UINT64_MAX, MEMORY_WRITE, FAULT_UNBOUND, 0, "UNBOUND");
    rig_stop(&rig);
}

static void flags_of_a_space_forbid_access(void **state) {
    struct rig rig;
    struct address_space space = address_space_physical(MEMORY_VRAM);
    (void)state;
    rig_start(&rig, &with_vram);
    space.flags = ADDRESS_SPACE_READ_ONLY;
    assert_span(&rig, &space, 0, 4, MEMORY_READ, MEMORY_VRAM, 0, 4);
    assert_faults(&rig, &space, 0, MEMORY_WRITE, FAULT_READ_ONLY, 0, "PROTECTION");
    space.flags = ADDRESS_SPACE_WRITE_ONLY;
    assert_span(&rig, &space, 0, 4, MEMORY_WRITE, MEMORY_VRAM, 0, 4);
    assert_faults(&rig, &space, 0, MEMORY_READ, FAULT_WRITE_ONLY, 0, "WRITE_ONLY");
    rig_stop(&rig);
}

static void every_reason_has_a_name_on_every_chip(void **state) {
    (void)state;
    for (int vm = CHIP_VM_NONE; vm <= CHIP_VM_GH100; vm++) {
        const struct pfifo_chip chip = {.vm = (enum chip_vm)vm};
        for (int reason = FAULT_NONE; reason < FAULT_REASONS; reason++) {
            assert_non_null(fault_name(&chip, (enum fault_reason)reason));
            assert_true(fault_code(&chip, (enum fault_reason)reason) < 0x10);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_little_endian_at_any_alignment),
        cmocka_unit_test(memory_beyond_the_end_reads_zero_and_drops_writes),
        cmocka_unit_test(a_word_across_the_end_is_half_there),
        cmocka_unit_test(a_span_ends_where_memory_ends),
        cmocka_unit_test(a_copy_does_not_go_round_the_end_of_the_address_space),
        cmocka_unit_test(vram_of_a_chip_without_vram_is_system_memory),
        cmocka_unit_test(memory_of_any_size_costs_nothing_until_touched),
        cmocka_unit_test(memory_that_the_host_cannot_reserve_is_an_error),
        cmocka_unit_test(system_memory_of_the_embedder_is_mapped_piece_by_piece),
        cmocka_unit_test(the_watch_sees_spans_for_writing_that_overlap),
        cmocka_unit_test(clearing_reaches_its_range_and_no_more),
        cmocka_unit_test(a_chunk_that_is_cleared_counts_as_never_written),
        cmocka_unit_test(a_chunk_of_shared_memory_that_is_cleared_in_part_counts_as_written),
        cmocka_unit_test(what_was_never_written_is_read_without_a_page_of_the_host),
        cmocka_unit_test(chunks_that_were_written_are_found_however_far_they_are),
        cmocka_unit_test(clearing_what_is_watched_is_told),
        cmocka_unit_test(memory_of_the_embedder_is_cleared_where_it_may_be_written),
        cmocka_unit_test(asking_whether_a_record_fits_is_not_watched),
        cmocka_unit_test(ramin_is_the_end_of_vram_reversed_in_chunks),
        cmocka_unit_test(a_space_can_fault_everywhere),
        cmocka_unit_test(flags_of_a_space_forbid_access),
        cmocka_unit_test(every_reason_has_a_name_on_every_chip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
