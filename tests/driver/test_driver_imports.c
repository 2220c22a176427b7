/* SPDX-License-Identifier: MIT */
/* Buffers of memory that the owner supplies, several owners of one, and what the CPU maps. */
#include "driver/rig.h"

#include "driver/gpfifo.h"
#include "gpu/gpu.h"
#include "memory/translate.h"

#include <stdlib.h>

static struct rig rig;

#define PAGE         0x1000u
#define SYSTEM_BYTES (UINT64_C(64) << 20)
#define OWN_BYTES    (UINT64_C(48) << 20) /* the driver's; what is above is imported */

static uint8_t *memory;

static void *map_memory(void *opaque, uint64_t address, uint64_t *bytes, bool write) {
    (void)opaque, (void)write;
    if (address >= SYSTEM_BYTES)
        return NULL;
    if (*bytes > SYSTEM_BYTES - address)
        *bytes = SYSTEM_BYTES - address;
    return memory + address;
}

static void open_device(const struct part *part) {
    const struct pfifo_device_config config = {.gpu = {.size = sizeof config.gpu,
                                                       .chip = pfifo_chip_by_name(part->chip),
                                                       .system_bytes = OWN_BYTES,
                                                       .system_map = map_memory}};
    memory = calloc(1, SYSTEM_BYTES);
    memset(&rig, 0, sizeof rig);
    rig.part = part;
    rig.device = pfifo_device_open(&config, &rig.error);
    if (!rig.device)
        fail_msg("%s: %s", part->chip, rig.error.message);
}

static void close_device(void) {
    pfifo_device_close(rig.device);
    free(memory);
}

static const struct pfifo_extent extents[] = {
    {OWN_BYTES + 0x5000, 0x2000}, {OWN_BYTES + 0x100000, 0x1000}, {OWN_BYTES, 0x3000}};

static struct pfifo_buffer *import(void) {
    const struct pfifo_buffer_config config = {.size = sizeof config, .kind = 0xfe, .tile_mode = 0x40};
    struct pfifo_buffer *buffer = pfifo_buffer_import(rig.device, extents, COUNT_OF(extents), &config, &rig.error);
    if (!buffer)
        fail_msg("%s: %s", rig.part->chip, rig.error.message);
    return buffer;
}

/* Where a byte of the import is in the owner's memory. */
static uint8_t *byte_of(uint64_t offset) {
    for (size_t i = 0; i < COUNT_OF(extents); offset -= extents[i++].bytes)
        if (offset < extents[i].bytes)
            return memory + extents[i].address + offset;
    fail();
    return NULL;
}

static void the_gpu_works_on_the_very_bytes_that_are_imported(void **state) {
    (void)state;
    FOR_EACH_KIND {
        if (part->semaphores != NEW_SEMAPHORE)
            continue;
        open_device(part);
        memset(memory + OWN_BYTES, 0x55, SYSTEM_BYTES - OWN_BYTES);
        struct pfifo_buffer *buffer = import();
        assert_int_equal(pfifo_buffer_bytes(buffer), 0x6000);
        assert_int_equal(*byte_of(0x2fff), 0x55); /* it is not cleared */
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        for (uint32_t at = 0; at < 0x6000; at += PAGE) {
            struct words words = words_for(&rig, PFIFO_CHANNEL_IB);
            words_release(&words, &rig, pfifo_buffer_address(buffer) + at, 0x11 + at / PAGE);
            words_submit(&words, &rig, channel, push, at / PAGE * 0x100);
        }
        rig_wait(&rig);
        for (uint32_t at = 0; at < 0x6000; at += PAGE)
            assert_int_equal(*byte_of(at), 0x11 + at / PAGE);
        close_device();
    }
}

static void the_cpu_reads_and_writes_across_the_pieces(void **state) {
    (void)state;
    FOR_EACH_KIND {
        if (part->calls)
            continue;
        uint8_t data[0x6000], copy[0x6000];
        open_device(part);
        struct pfifo_buffer *buffer = import();
        for (size_t i = 0; i < sizeof data; i++)
            data[i] = (uint8_t)(i * 7 + i / 256);
        assert_true(pfifo_buffer_write(buffer, 0, data, sizeof data));
        for (size_t i = 0; i < sizeof data; i++)
            assert_int_equal(*byte_of(i), data[i]);
        assert_true(pfifo_buffer_read(buffer, 1, copy, sizeof copy - 1));
        assert_memory_equal(copy, data + 1, sizeof copy - 1);
        assert_false(pfifo_buffer_read(buffer, 1, copy, sizeof copy));
        assert_null(pfifo_buffer_map(buffer, &rig.error)); /* it is not contiguous */
        assert_int_equal(rig.error.status, PFIFO_ERROR_MEMORY);
        assert_int_equal(pfifo_buffer_kind(buffer), 0xfe);
        assert_int_equal(pfifo_buffer_tile_mode(buffer), 0x40);
        close_device();
    }
}

static void what_the_cpu_maps_is_the_owners_memory(void **state) {
    (void)state;
    FOR_EACH_KIND {
        open_device(part);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_GART, 3 * PAGE, 0);
        uint8_t *data = pfifo_buffer_map(buffer, &rig.error);
        assert_non_null(data);
        assert_true(data >= memory && data + 3 * PAGE <= memory + SYSTEM_BYTES);
        data[2 * PAGE] = 9;
        assert_int_equal(rig_read(buffer, 2 * PAGE), 9);
        close_device();
    }
}

static void the_cpu_maps_buffers_in_the_models_memory(void **state) {
    static const enum pfifo_domain domains[] = {PFIFO_VRAM, PFIFO_GART};
    (void)state;
    FOR_EACH_KIND {
        rig_open(&rig, part);
        for (size_t i = 0; i < COUNT_OF(domains); i++) {
            struct pfifo_buffer *buffer = rig_buffer(&rig, domains[i], 3 * PAGE, 0);
            uint32_t word = 0x12345678;
            uint8_t *data = pfifo_buffer_map(buffer, &rig.error);
            if (!data)
                fail_msg("%s: %s", part->chip, rig.error.message);
            assert_true(pfifo_buffer_write(buffer, 2 * PAGE, &word, sizeof word));
            assert_int_equal(load_le32(data + 2 * PAGE), word);
            store_le32(data + PAGE, 0x89abcdef);
            assert_int_equal(rig_read(buffer, PAGE), 0x89abcdef);
        }
        rig_close(&rig);
    }
}

static void imports_that_cannot_be_are_refused(void **state) {
    static const struct pfifo_extent bad[] = {{0, PAGE},
                                              {OWN_BYTES - PAGE, 2 * PAGE},
                                              {OWN_BYTES + 1, PAGE},
                                              {OWN_BYTES, 0},
                                              {OWN_BYTES, 1},
                                              {UINT64_C(1) << 40, PAGE},
                                              {OWN_BYTES, UINT64_C(1) << 40},
                                              {UINT64_MAX - PAGE + 1, PAGE},
                                              {OWN_BYTES, UINT64_MAX - PAGE + 1}};
    const struct pfifo_buffer_config config = {.size = sizeof config};
    (void)state;
    FOR_EACH_KIND {
        open_device(part);
        for (size_t i = 0; i < COUNT_OF(bad); i++) {
            rig.error.status = PFIFO_OK;
            assert_null(pfifo_buffer_import(rig.device, &bad[i], 1, &config, &rig.error));
            assert_int_equal(rig.error.status, part->calls ? PFIFO_ERROR_UNSUPPORTED : PFIFO_ERROR_ARGUMENT);
        }
        assert_null(pfifo_buffer_import(rig.device, NULL, 0, &config, &rig.error));
        assert_null(pfifo_buffer_import(rig.device, extents, 1, NULL, &rig.error));
        close_device();
        rig_open(&rig, part); /* without memory of the owner */
        assert_null(pfifo_buffer_import(rig.device, extents, 1, &config, &rig.error));
        assert_int_equal(rig.error.status, PFIFO_ERROR_UNSUPPORTED);
        rig_close(&rig);
    }
}

static void a_buffer_goes_with_its_last_owner(void **state) {
    (void)state;
    FOR_EACH_KIND {
        rig_open(&rig, part);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_GART, PAGE, 0);
        uint64_t address = pfifo_buffer_address(buffer);
        assert_ptr_equal(pfifo_buffer_ref(buffer), buffer);
        pfifo_buffer_free(buffer);
        assert_int_equal(pfifo_buffer_address(buffer), address);
        assert_null(pfifo_buffer_new(rig.device, PFIFO_GART, PAGE, address, &rig.error));
        pfifo_buffer_free(buffer);
        assert_int_equal(pfifo_buffer_address(rig_buffer(&rig, PFIFO_GART, PAGE, address)), address);
        rig_close(&rig);
    }
}

/* Whoever finds a buffer where it is mapped may keep it, although its owner has gone. */
static void a_buffer_that_is_only_mapped_gets_an_owner_again(void **state) {
    (void)state;
    FOR_EACH_KIND {
        if (part->calls)
            continue;
        rig_open(&rig, part);
        struct pfifo_vm *vm = pfifo_device_vm(rig.device, &rig.error);
        struct pfifo_vm_map map = {.buffer = rig_buffer(&rig, PFIFO_GART, PAGE, 0)}, found;
        uint64_t address, second;
        assert_true(pfifo_buffer_write(map.buffer, 8, "some", 4));
        assert_int_equal(pfifo_vm_map(vm, &map, &address, &rig.error), PFIFO_OK);
        pfifo_buffer_free(map.buffer);
        assert_int_equal(pfifo_vm_map(vm, &map, &second, &rig.error), PFIFO_ERROR_ARGUMENT);
        pfifo_buffer_free(map.buffer); /* nobody's */
        assert_true(pfifo_vm_at(vm, address, &found));
        assert_ptr_equal(pfifo_buffer_ref(found.buffer), map.buffer);
        assert_int_equal(pfifo_vm_unmap(vm, address, 0, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_buffer_address(found.buffer), 0);
        assert_int_equal(rig_read(found.buffer, 8), 0x656d6f73);
        assert_int_equal(pfifo_vm_map(vm, &map, &second, &rig.error), PFIFO_OK);
        pfifo_buffer_free(found.buffer);
        assert_int_equal(pfifo_vm_unmap(vm, second, 0, &rig.error), PFIFO_OK);
        rig_close(&rig);
    }
}

/* As a program's list of pages is that happen to follow each other. */
static void pages_that_follow_each_other_become_a_big_one(void **state) {
    enum { PAGES = 64 };
    (void)state;
    FOR_EACH_KIND {
        if (!part->fermi)
            continue;
        struct pfifo_extent pages[PAGES];
        const struct pfifo_buffer_config config = {.no_address = true};
        const struct pfifo_vm_config usual = {0};
        open_device(part);
        for (unsigned i = 0; i < PAGES; i++)
            pages[i] = (struct pfifo_extent){OWN_BYTES + PAGE * i, PAGE};
        struct pfifo_vm *vm = pfifo_vm_new(rig.device, &usual, &rig.error);
        struct pfifo_vm_map map = {.buffer = pfifo_buffer_import(rig.device, pages, PAGES, &config, &rig.error),
                                   .page_bytes = pfifo_vm_big_page_bytes(vm)};
        const struct pfifo_channel_config in = {.vm = vm};
        struct pfifo_channel *channel = pfifo_channel_open(rig.device, &in, &rig.error);
        assert_int_equal(pfifo_vm_map(vm, &map, &map.address, &rig.error), PFIFO_OK);
        struct memory *seen = &pfifo_device_gpu(rig.device)->memory;
        struct address_space space = address_space_vm(seen, MEMORY_VRAM, gpfifo_instance(channel));
        struct mapping mapping;
        struct fault fault;
        for (uint64_t at = 0; at < PAGES * PAGE; at += PAGE) {
            assert_true(space.ops->translate(seen, &space, map.address + at, &mapping, &fault));
            assert_int_equal(mapping.bytes, map.page_bytes - at % map.page_bytes);
        }
        close_device();
    }
}

static void a_buffer_without_an_address_gets_some_by_mapping(void **state) {
    const struct pfifo_buffer_config config = {
        .size = sizeof config, .domain = PFIFO_VRAM, .bytes = PAGE, .no_address = true};
    (void)state;
    FOR_EACH_KIND {
        rig_open(&rig, part);
        struct pfifo_buffer *buffer = pfifo_buffer_create(rig.device, &config, &rig.error);
        assert_int_equal(buffer == NULL, part->calls);
        if (part->calls) {
            assert_int_equal(rig.error.status, PFIFO_ERROR_UNSUPPORTED);
        } else {
            struct pfifo_vm *vm = pfifo_device_vm(rig.device, &rig.error);
            const struct pfifo_vm_map map = {.size = sizeof map, .buffer = buffer};
            uint64_t address;
            assert_int_equal(pfifo_buffer_address(buffer), 0);
            assert_int_equal(pfifo_vm_map(vm, &map, &address, &rig.error), PFIFO_OK);
            assert_int_equal(pfifo_vm_unmap(vm, address, 0, &rig.error), PFIFO_OK);
            pfifo_buffer_free(buffer);
        }
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gpu_works_on_the_very_bytes_that_are_imported),
        cmocka_unit_test(the_cpu_reads_and_writes_across_the_pieces),
        cmocka_unit_test(what_the_cpu_maps_is_the_owners_memory),
        cmocka_unit_test(the_cpu_maps_buffers_in_the_models_memory),
        cmocka_unit_test(imports_that_cannot_be_are_refused),
        cmocka_unit_test(a_buffer_goes_with_its_last_owner),
        cmocka_unit_test(a_buffer_that_is_only_mapped_gets_an_owner_again),
        cmocka_unit_test(pages_that_follow_each_other_become_a_big_one),
        cmocka_unit_test(a_buffer_without_an_address_gets_some_by_mapping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
