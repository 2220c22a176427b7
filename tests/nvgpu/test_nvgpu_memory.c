/* SPDX-License-Identifier: MIT */
/* nvmap and nvhost-as-gpu: handles and their references, places, kinds, sparse spaces, and what is refused. */
#include "nvgpu/console.h"

#include <string.h>

#define BIG 0x10000u

static uint32_t make(struct console *console, uint32_t bytes) {
    uint32_t handle;
    assert_ok(pfifo_nvmap_create(console->client, console->nvmap, bytes, &handle));
    return handle;
}

static uint32_t make_at(struct console *console, uint32_t bytes, uint32_t offset) {
    uint32_t handle = make(console, bytes);
    assert_ok(pfifo_nvmap_alloc(console->client, console->nvmap, handle, BIG, 0xfe, false, CONSOLE_BASE + offset));
    return handle;
}

static void handles_begin_at_4_and_sizes_are_in_pages(void **state) {
    struct console console;
    uint32_t value;
    (void)state;
    console_start(&console);
    uint32_t first = make_at(&console, 0x1234, 0), second = make(&console, 0x1000);
    assert_int_equal(first % 4, 0);
    assert_int_equal(second, first + 4);
    assert_ok(pfifo_nvmap_param(console.client, console.nvmap, first, 1, &value));
    assert_int_equal(value, 0x1234);
    assert_ok(pfifo_nvmap_param(console.client, console.nvmap, first, 2, &value));
    assert_int_equal(value, BIG);
    assert_ok(pfifo_nvmap_param(console.client, console.nvmap, first, 5, &value));
    assert_int_equal(value, 0xfe);
    assert_int_equal(pfifo_nvmap_param(console.client, console.nvmap, first, 7, &value), PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(pfifo_nvmap_create(console.client, console.nvmap, 0, &value), PFIFO_NVGPU_BAD_VALUE);
    console_stop(&console);
}

static void alloc_refuses_what_cannot_be(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    struct pfifo_nvgpu_client *client = console.client;
    uint32_t handle = make(&console, 0x2000);
    assert_int_equal(pfifo_nvmap_alloc(client, console.nvmap, handle, 0x3000, 0, false, CONSOLE_BASE),
                     PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(pfifo_nvmap_alloc(client, console.nvmap, handle, 0x1000, 0, false, CONSOLE_BASE + 8),
                     PFIFO_NVGPU_INVALID_ADDRESS);
    assert_int_equal(
        pfifo_nvmap_alloc(client, console.nvmap, handle, 0x1000, 0, false, CONSOLE_BASE + CONSOLE_BYTES - 0x1000),
        PFIFO_NVGPU_INVALID_ADDRESS);
    assert_int_equal(pfifo_nvmap_alloc(client, console.nvmap, 0x4000, 0x1000, 0, false, CONSOLE_BASE),
                     PFIFO_NVGPU_BAD_VALUE);
    assert_ok(pfifo_nvmap_alloc(client, console.nvmap, handle, 0, 0, false, CONSOLE_BASE));
    assert_int_equal(pfifo_nvmap_alloc(client, console.nvmap, handle, 0x1000, 0, false, CONSOLE_BASE),
                     PFIFO_NVGPU_INSUFFICIENT_MEMORY);
    console_stop(&console);
}

/* A compositor opens a window buffer by its id, and frees it again. */
static void an_object_lives_until_its_last_handle_is_freed(void **state) {
    struct console console;
    uint32_t id, again;
    uint64_t address = 1;
    bool freed = true;
    (void)state;
    console_start(&console);
    struct pfifo_nvgpu_client *client = console.client;
    uint32_t handle = make_at(&console, 0x1000, 0x4000);
    assert_ok(pfifo_nvmap_get_id(client, console.nvmap, handle, &id));
    assert_int_equal(id, handle);
    assert_ok(pfifo_nvmap_from_id(client, console.nvmap, id, &again));
    assert_int_equal(again, handle);
    assert_ok(pfifo_nvmap_free(client, console.nvmap, handle, &address, &freed));
    assert_false(freed);
    assert_int_equal(address, 0);
    assert_ok(pfifo_nvmap_free(client, console.nvmap, handle, &address, &freed));
    assert_true(freed);
    assert_true(address == CONSOLE_BASE + 0x4000);
    assert_int_equal(pfifo_nvmap_free(client, console.nvmap, handle, &address, &freed), PFIFO_NVGPU_BAD_VALUE);
    assert_ok(pfifo_nvmap_free(client, console.nvmap, 0, NULL, NULL));
    assert_int_equal(pfifo_nvmap_from_id(client, console.nvmap, id, &again), PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(pfifo_nvmap_from_id(client, console.nvmap, 0, &again), PFIFO_NVGPU_BAD_VALUE);
    console_stop(&console);
}

/* Only what GET_ID was asked for can be opened by another. */
static void clients_do_not_see_each_others_memory(void **state) {
    struct console one, other;
    uint32_t value;
    (void)state;
    console_start(&one);
    console_join(&other, one.nvgpu);
    uint32_t handle = make_at(&one, 0x1000, 0);
    struct pfifo_nvhost_as_map map = {.handle = handle, .page_bytes = BIG};
    assert_int_equal(pfifo_nvmap_from_id(other.client, other.nvmap, handle, &value), PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(pfifo_nvmap_get_id(other.client, other.nvmap, handle, &value), PFIFO_NVGPU_ACCESS_DENIED);
    assert_int_equal(pfifo_nvhost_as_map_buffer(other.client, other.as, &map), PFIFO_NVGPU_BAD_VALUE);
    assert_ok(pfifo_nvmap_get_id(one.client, one.nvmap, handle, &value));
    assert_ok(pfifo_nvmap_from_id(other.client, other.nvmap, handle, &value));
    assert_ok(pfifo_nvhost_as_map_buffer(other.client, other.as, &map));
    console_stop(&other);
    console_stop(&one);
}

static void a_fixed_mapping_lies_inside_a_space(void **state) {
    struct console console;
    uint64_t address = UINT64_C(0x500000000);
    (void)state;
    console_start(&console);
    struct pfifo_nvgpu_client *client = console.client;
    struct pfifo_nvhost_as_map map = {.flags = PFIFO_NVHOST_AS_MAP_FIXED,
                                      .handle = make_at(&console, 0x1000, 0),
                                      .page_bytes = BIG,
                                      .address = address + BIG};
    assert_int_equal(pfifo_nvhost_as_map_buffer(client, console.as, &map), PFIFO_NVGPU_BAD_VALUE);
    assert_ok(pfifo_nvhost_as_alloc_space(client, console.as, 4, BIG, PFIFO_NVHOST_AS_FIXED, &address));
    assert_int_equal(pfifo_nvhost_as_alloc_space(client, console.as, 1, BIG, PFIFO_NVHOST_AS_FIXED, &address),
                     PFIFO_NVGPU_BAD_VALUE);
    assert_ok(pfifo_nvhost_as_map_buffer(client, console.as, &map));
    assert_true(map.address == address + BIG);
    assert_int_equal(pfifo_nvhost_as_map_buffer(client, console.as, &map), PFIFO_NVGPU_BAD_VALUE);
    struct pfifo_nvhost_as_map beyond = {.flags = PFIFO_NVHOST_AS_MAP_FIXED,
                                         .handle = make_at(&console, 2 * BIG, 0),
                                         .page_bytes = BIG,
                                         .address = address + 3 * (uint64_t)BIG};
    assert_int_equal(pfifo_nvhost_as_map_buffer(client, console.as, &beyond), PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(pfifo_nvhost_as_free_space(client, console.as, address, 3, BIG), PFIFO_NVGPU_BAD_VALUE);
    assert_ok(pfifo_nvhost_as_free_space(client, console.as, address, 4, BIG));
    assert_int_equal(pfifo_nvhost_as_map_buffer(client, console.as, &map), PFIFO_NVGPU_BAD_VALUE);
    console_stop(&console);
}

/* 4 GiB for programs of shaders: they cost no memory. */
static void a_space_costs_nothing_until_it_is_mapped(void **state) {
    struct console console;
    uint64_t address = BIG;
    (void)state;
    console_start(&console);
    assert_ok(pfifo_nvhost_as_alloc_space(console.client, console.as, 0x10000, BIG, 0, &address));
    assert_true(address >= UINT64_C(1) << 34 && address % BIG == 0);
    assert_ok(pfifo_nvhost_as_free_space(console.client, console.as, address, 0x10000, BIG));
    console_stop(&console);
}

static void release(struct console *console, uint64_t address, uint32_t value) {
    console_submit(console, console->channel,
                   CONSOLE_WORDS(0x20040004, (uint32_t)(address >> 32), (uint32_t)address, value, 2));
}

/* Each mapping of an image's memory shows the same bytes; a part gets another kind while it is mapped. */
static void mappings_of_the_same_memory_share_its_bytes(void **state) {
    static const uint32_t kinds[3] = {0, 0xfe, 0xdb};
    struct console console;
    struct pfifo_nvhost_as_map map[3];
    (void)state;
    console_start(&console);
    uint32_t handle = make_at(&console, 2 * BIG, 0);
    for (unsigned i = 0; i < 3; i++) {
        map[i] = (struct pfifo_nvhost_as_map){.handle = handle, .kind = kinds[i], .page_bytes = BIG};
        assert_ok(pfifo_nvhost_as_map_buffer(console.client, console.as, &map[i]));
        release(&console, map[i].address + 0x100, i + 1);
        assert_int_equal(console_rd32(&console, 0x100), i + 1);
    }
    map[1].flags = PFIFO_NVHOST_AS_MAP_MODIFY;
    map[1].kind = 0xdb;
    map[1].offset = map[1].bytes = BIG;
    assert_ok(pfifo_nvhost_as_map_buffer(console.client, console.as, &map[1]));
    release(&console, map[1].address + BIG, 7);
    assert_int_equal(console_rd32(&console, BIG), 7);
    map[1].bytes = 2 * BIG;
    assert_int_equal(pfifo_nvhost_as_map_buffer(console.client, console.as, &map[1]), PFIFO_NVGPU_BAD_VALUE);
    assert_ok(pfifo_nvhost_as_unmap_buffer(console.client, console.as, map[1].address));
    assert_ok(pfifo_nvhost_as_unmap_buffer(console.client, console.as, map[1].address));
    release(&console, map[0].address, 9);
    assert_int_equal(console_rd32(&console, 0), 9);
    console_stop(&console);
}

/* What is not mapped takes writes and forgets them; a piece can be mapped, and taken out again. */
static void pages_of_a_sparse_space_come_and_go(void **state) {
    struct console console;
    uint64_t address = 0;
    (void)state;
    console_start(&console);
    struct pfifo_nvgpu_client *client = console.client;
    uint32_t handle = make_at(&console, 4 * BIG, 0);
    assert_ok(pfifo_nvhost_as_alloc_space(client, console.as, 8, BIG, PFIFO_NVHOST_AS_SPARSE, &address));
    release(&console, address + BIG, 1);
    struct pfifo_nvhost_as_remap remap = {.kind = 0xfe, .handle = handle, .offset = 1, .pages = 3};
    remap.address = (uint32_t)(address / BIG) + 2;
    assert_ok(pfifo_nvhost_as_remap_pages(client, console.as, &remap, 1));
    release(&console, address + 2 * (uint64_t)BIG, 2);
    assert_int_equal(console_rd32(&console, BIG), 2);
    remap = (struct pfifo_nvhost_as_remap){.address = remap.address + 1, .pages = 1};
    assert_ok(pfifo_nvhost_as_remap_pages(client, console.as, &remap, 1));
    release(&console, address + 3 * (uint64_t)BIG, 3);
    release(&console, address + 4 * (uint64_t)BIG, 4);
    assert_int_equal(console_rd32(&console, 2 * BIG), 0);
    assert_int_equal(console_rd32(&console, 3 * BIG), 4);
    remap.pages = 16;
    assert_int_equal(pfifo_nvhost_as_remap_pages(client, console.as, &remap, 1), PFIFO_NVGPU_BAD_VALUE);
    assert_ok(pfifo_nvhost_as_free_space(client, console.as, address, 8, BIG));
    console_stop(&console);
}

/* The mapping keeps the object, and the GPU still reaches the program's bytes. */
static void memory_may_be_freed_before_it_is_unmapped(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    struct pfifo_nvhost_as_map map = {.handle = make_at(&console, BIG, 0), .page_bytes = BIG};
    assert_ok(pfifo_nvhost_as_map_buffer(console.client, console.as, &map));
    assert_ok(pfifo_nvmap_free(console.client, console.nvmap, map.handle, NULL, NULL));
    release(&console, map.address, 5);
    assert_int_equal(console_rd32(&console, 0), 5);
    assert_ok(pfifo_nvhost_as_unmap_buffer(console.client, console.as, map.address));
    console_stop(&console);
}

/* Bytes up to the end of a page are mapped, and go again with the rest. */
static void a_mapping_of_odd_bytes_goes_as_a_whole(void **state) {
    struct console console;
    uint64_t address = 0;
    (void)state;
    console_start(&console);
    struct pfifo_nvgpu_client *client = console.client;
    uint32_t handle = make_at(&console, 2 * BIG, 0);
    assert_ok(pfifo_nvhost_as_alloc_space(client, console.as, 4, BIG, 0, &address));
    for (uint64_t bytes = 1; bytes < 2 * BIG; bytes += 0x2345) {
        struct pfifo_nvhost_as_map map = {.flags = PFIFO_NVHOST_AS_MAP_FIXED,
                                          .handle = handle,
                                          .page_bytes = BIG,
                                          .bytes = bytes,
                                          .address = address};
        assert_ok(pfifo_nvhost_as_map_buffer(client, console.as, &map));
        release(&console, address, (uint32_t)bytes);
        assert_int_equal(console_rd32(&console, 0), bytes);
        assert_ok(pfifo_nvhost_as_unmap_buffer(client, console.as, address));
    }
    console_stop(&console);
}

/* A big page of a small buffer: the rest of it is nobody's. */
static void a_page_does_not_reach_beyond_its_buffer(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    console_buffer(&console, 0x1000, 0x1000, NULL);
    release(&console, at + 0x800, 5);
    release(&console, at + 0x1000, 6);
    assert_int_equal(console_rd32(&console, 0x800), 5);
    assert_int_equal(console_rd32(&console, 0x1000), 0);
    console_stop(&console);
}

static void sizes_that_cannot_be_are_refused(void **state) {
    struct console console;
    uint32_t handle;
    uint64_t address = 0;
    (void)state;
    console_start(&console);
    struct pfifo_nvgpu_client *client = console.client;
    assert_int_equal(pfifo_nvmap_create(client, console.nvmap, 0xffffffff, &handle), PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(pfifo_nvmap_create(client, console.nvmap, 0xfffff001, &handle), PFIFO_NVGPU_BAD_VALUE);
    assert_ok(pfifo_nvmap_create(client, console.nvmap, 0xfffff000, &handle));
    assert_int_equal(pfifo_nvmap_alloc(client, console.nvmap, handle, BIG, 0, false, CONSOLE_BASE),
                     PFIFO_NVGPU_INVALID_ADDRESS);
    assert_int_equal(pfifo_nvmap_alloc(client, console.nvmap, handle, BIG, 0, false, 0),
                     PFIFO_NVGPU_INSUFFICIENT_MEMORY);
    assert_int_equal(pfifo_nvmap_alloc(client, console.nvmap, handle, BIG, 0, false, UINT64_MAX - 0xfff),
                     PFIFO_NVGPU_INVALID_ADDRESS);
    assert_int_equal(pfifo_nvhost_as_alloc_space(client, console.as, 0xffffffff, BIG, 0, &address),
                     PFIFO_NVGPU_INSUFFICIENT_MEMORY);
    assert_int_equal(pfifo_nvhost_as_alloc_space(client, console.as, 0xffffffff, BIG, PFIFO_NVHOST_AS_FIXED, &address),
                     PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(pfifo_nvhost_as_alloc_space(client, console.as, 1, 0x20000, 0, &address), PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(pfifo_nvhost_as_alloc_space(client, console.as, 1, 0x1000, PFIFO_NVHOST_AS_SPARSE, &address),
                     PFIFO_NVGPU_NOT_IMPLEMENTED);
    address = 0x3000;
    assert_int_equal(pfifo_nvhost_as_alloc_space(client, console.as, 1, BIG, 0, &address), PFIFO_NVGPU_BAD_VALUE);
    struct pfifo_nvhost_as_map map = {.handle = make_at(&console, BIG, 0), .offset = BIG};
    assert_int_equal(pfifo_nvhost_as_map_buffer(client, console.as, &map), PFIFO_NVGPU_BAD_VALUE);
    map.offset = UINT64_MAX - 0xfff;
    assert_int_equal(pfifo_nvhost_as_map_buffer(client, console.as, &map), PFIFO_NVGPU_BAD_VALUE);
    map.offset = 0x1000;
    map.bytes = UINT64_MAX;
    assert_int_equal(pfifo_nvhost_as_map_buffer(client, console.as, &map), PFIFO_NVGPU_BAD_VALUE);
    map.bytes = 0;
    map.kind = 0x1234;
    assert_int_equal(pfifo_nvhost_as_map_buffer(client, console.as, &map), PFIFO_NVGPU_BAD_VALUE);
    console_stop(&console);
}

static void count_cached(void *opaque, uint32_t process, uint32_t handle, uint64_t address) {
    (void)process;
    (void)handle;
    assert_true(address == CONSOLE_BASE);
    ++*(unsigned *)opaque;
}

/* By a mapping, and by a remap of a sparse space. */
static void memory_that_the_cpu_caches_is_reported_when_it_is_mapped(void **state) {
    struct console console;
    unsigned count = 0;
    uint32_t handle;
    uint64_t address = 0;
    struct pfifo_nvgpu_config config = {.size = sizeof config, .cached = count_cached, .opaque = &count};
    (void)state;
    struct pfifo_nvgpu *nvgpu = pfifo_nvgpu_new(&config, NULL);
    assert_non_null(nvgpu);
    console_join(&console, nvgpu);
    struct pfifo_nvgpu_client *client = console.client;
    assert_int_equal(count, 0);
    handle = make(&console, BIG);
    assert_ok(pfifo_nvmap_alloc(client, console.nvmap, handle, BIG, 0, true, CONSOLE_BASE));
    struct pfifo_nvhost_as_map map = {.handle = handle};
    assert_ok(pfifo_nvhost_as_map_buffer(client, console.as, &map));
    assert_int_equal(count, 1);
    assert_ok(pfifo_nvhost_as_alloc_space(client, console.as, 1, BIG, PFIFO_NVHOST_AS_SPARSE, &address));
    struct pfifo_nvhost_as_remap remap = {.handle = handle, .address = (uint32_t)(address / BIG), .pages = 1};
    assert_ok(pfifo_nvhost_as_remap_pages(client, console.as, &remap, 1));
    assert_int_equal(count, 2);
    console_stop(&console);
    pfifo_nvgpu_free(nvgpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_begin_at_4_and_sizes_are_in_pages),
        cmocka_unit_test(alloc_refuses_what_cannot_be),
        cmocka_unit_test(an_object_lives_until_its_last_handle_is_freed),
        cmocka_unit_test(clients_do_not_see_each_others_memory),
        cmocka_unit_test(a_fixed_mapping_lies_inside_a_space),
        cmocka_unit_test(a_space_costs_nothing_until_it_is_mapped),
        cmocka_unit_test(mappings_of_the_same_memory_share_its_bytes),
        cmocka_unit_test(pages_of_a_sparse_space_come_and_go),
        cmocka_unit_test(memory_may_be_freed_before_it_is_unmapped),
        cmocka_unit_test(a_mapping_of_odd_bytes_goes_as_a_whole),
        cmocka_unit_test(a_page_does_not_reach_beyond_its_buffer),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test(memory_that_the_cpu_caches_is_reported_when_it_is_mapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
