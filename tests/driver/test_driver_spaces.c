/* SPDX-License-Identifier: MIT */
/* Address spaces: several of a device, what is mapped in each, and that calls which cannot be change nothing. */
#include "driver/rig.h"

#include "driver/g80.h"
#include "driver/gpfifo.h"
#include "gpu/gpu.h"
#include "memory/translate.h"

static struct rig rig;

#define AT        UINT64_C(0x10000000)
#define PUSH_AT   UINT64_C(0x1000000)
#define PAGE      0x1000u
#define MIB(n)    ((uint64_t)(n) << 20)
#define HALF_MEGA UINT64_C(0x80000)

#define FOR_EACH_SPACED FOR_EACH_KIND if (!part->calls)

static struct pfifo_vm *new_vm(void) {
    struct pfifo_vm *vm = pfifo_vm_new(rig.device, &(const struct pfifo_vm_config){0}, &rig.error);
    if (!vm)
        fail_msg("%s: %s", rig.part->chip, rig.error.message);
    return vm;
}

static struct pfifo_channel *channel_in(struct pfifo_vm *vm) {
    const struct pfifo_channel_config config = {
        .size = sizeof config, .vram_handle = rig.part->fermi ? 0 : VRAM_HANDLE, .vm = vm};
    struct pfifo_channel *channel = pfifo_channel_open(rig.device, &config, &rig.error);
    if (!channel)
        fail_msg("%s: %s", rig.part->chip, rig.error.message);
    return channel;
}

static enum pfifo_status try_map(struct pfifo_vm *vm, struct pfifo_buffer *buffer, uint64_t address, uint64_t offset,
                                 uint64_t bytes) {
    const struct pfifo_vm_map map = {.size = sizeof map,
                                     .buffer = buffer,
                                     .offset = offset,
                                     .bytes = bytes,
                                     .address = address,
                                     .flags = PFIFO_VM_FIXED};
    return pfifo_vm_map(vm, &map, NULL, &rig.error);
}

static void map_at(struct pfifo_vm *vm, struct pfifo_buffer *buffer, uint64_t address) {
    if (try_map(vm, buffer, address, 0, 0) != PFIFO_OK)
        fail_msg("%s: %s", rig.part->chip, rig.error.message);
}

/* What the channels of a space see. */
static struct address_space space_of(struct pfifo_channel *channel) {
    uint64_t instance = rig.part->fermi ? gpfifo_instance(channel) : g80_channel_of(channel)->descriptor;
    return address_space_vm(&pfifo_device_gpu(rig.device)->memory, MEMORY_VRAM, instance);
}

static bool page_is(const struct address_space *space, uint64_t address, const struct pfifo_buffer *buffer,
                    uint64_t offset) {
    struct memory *memory = &pfifo_device_gpu(rig.device)->memory;
    struct span seen, real = memory_physical_span(memory, buffer->system ? MEMORY_SYSTEM : MEMORY_VRAM,
                                                  buffer->physical + offset, 4, MEMORY_READ);
    return memory_try_span(memory, space, address, 4, MEMORY_READ, &seen) && seen.data == real.data;
}

static bool is_mapped(const struct address_space *space, uint64_t address) {
    struct span span;
    return memory_try_span(&pfifo_device_gpu(rig.device)->memory, space, address, 4, MEMORY_READ, &span);
}

static bool is_writable(const struct address_space *space, uint64_t address) {
    struct span span;
    return memory_try_span(&pfifo_device_gpu(rig.device)->memory, space, address, 4, MEMORY_WRITE, &span);
}

static void assert_pages(const struct address_space *space, uint64_t address, const struct pfifo_buffer *buffer,
                         uint64_t offset, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes; at += PAGE)
        if (!page_is(space, address + at, buffer, offset + at))
            fail_msg("%s: 0x%llx of 0x%llx is elsewhere", rig.part->chip, (unsigned long long)at,
                     (unsigned long long)address);
}

static void assert_unmapped(const struct address_space *space, uint64_t address, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes; at += PAGE)
        if (is_mapped(space, address + at))
            fail_msg("%s: 0x%llx of 0x%llx is mapped", rig.part->chip, (unsigned long long)at,
                     (unsigned long long)address);
}

static unsigned kind_at(const struct address_space *space, uint64_t address) {
    struct mapping mapping;
    struct fault fault;
    assert_true(space->ops->translate(&pfifo_device_gpu(rig.device)->memory, space, address, &mapping, &fault));
    return mapping.kind;
}

/* Commands at PUSH_AT + `offset` of the channel's space, from a buffer that is mapped there. */
static void submit(struct words *words, struct pfifo_channel *channel, struct pfifo_buffer *push, uint64_t offset) {
    for (size_t i = 0; i < words->count; i++) {
        uint32_t w = words->word[i];
        const uint8_t bytes[4] = {(uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16), (uint8_t)(w >> 24)};
        assert_true(pfifo_buffer_write(push, offset + 4 * i, bytes, sizeof bytes));
    }
    if (pfifo_channel_submit(channel, PUSH_AT + offset, 4 * words->count, 0, &rig.error) != PFIFO_OK)
        fail_msg("%s: %s", rig.part->chip, rig.error.message);
}

static void release(struct pfifo_channel *channel, struct pfifo_buffer *push, uint64_t offset, uint64_t address,
                    uint32_t value) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_IB);
    words_release(&words, &rig, address, value);
    submit(&words, channel, push, offset);
}

static void acquire_and_release(struct pfifo_channel *channel, struct pfifo_buffer *push, uint64_t offset,
                                uint64_t address, uint32_t value) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_IB);
    words_acquire(&words, &rig, address, value);
    words_release(&words, &rig, address, value + 1);
    submit(&words, channel, push, offset);
}

/* ---- chips without address spaces ---- */

static void before_g80_there_are_no_address_spaces(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->calls)
            continue;
        rig_open(&rig, part);
        assert_null(pfifo_device_vm(rig.device, &rig.error));
        assert_int_equal(rig.error.status, PFIFO_ERROR_UNSUPPORTED);
        rig.error.status = PFIFO_OK;
        assert_null(pfifo_vm_new(rig.device, &(const struct pfifo_vm_config){0}, &rig.error));
        assert_int_equal(rig.error.status, PFIFO_ERROR_UNSUPPORTED);
        assert_non_null(strstr(rig.error.message, part->chip));
        rig_close(&rig);
    }
}

/* ---- channels ---- */

static void the_same_address_is_other_memory_in_another_space(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->semaphores != NEW_SEMAPHORE)
            continue;
        struct pfifo_vm *vm[2];
        struct pfifo_channel *channel[2];
        struct pfifo_buffer *buffer[2], *push;
        rig_open(&rig, part);
        push = rig_push_buffer(&rig);
        for (unsigned i = 0; i < 2; i++) {
            vm[i] = new_vm();
            buffer[i] = rig_buffer(&rig, PFIFO_VRAM, PAGE, 0);
            map_at(vm[i], buffer[i], AT);
            map_at(vm[i], push, PUSH_AT);
            channel[i] = channel_in(vm[i]);
        }
        release(channel[0], push, 0, AT, 0x11);
        release(channel[1], push, 0x100, AT, 0x22);
        rig_wait(&rig);
        assert_int_equal(rig_read(buffer[0], 0), 0x11);
        assert_int_equal(rig_read(buffer[1], 0), 0x22);
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

static void channels_of_one_space_see_the_same_memory(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->semaphores != NEW_SEMAPHORE)
            continue;
        rig_open(&rig, part);
        struct pfifo_vm *vm = new_vm();
        struct pfifo_channel *first = channel_in(vm), *second = channel_in(vm);
        struct pfifo_buffer *push = rig_push_buffer(&rig), *buffer = rig_buffer(&rig, PFIFO_GART, PAGE, 0);
        map_at(vm, push, PUSH_AT); /* after the channels: those of G80 have copies of the directory */
        map_at(vm, buffer, AT);
        acquire_and_release(second, push, 0, AT, 7);
        release(first, push, 0x100, AT, 7);
        rig_wait(&rig);
        assert_int_equal(rig_read(buffer, 0), 8);
        rig_close(&rig);
    }
}

static void a_space_has_nothing_of_the_device_s_own(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        rig_open(&rig, part);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, PAGE, AT);
        struct pfifo_vm *vm = new_vm();
        struct address_space own = space_of(channel_in(NULL)), other = space_of(channel_in(vm));
        assert_true(page_is(&own, AT, buffer, 0));
        assert_false(is_mapped(&other, AT));
        struct pfifo_buffer *second = rig_buffer(&rig, PFIFO_VRAM, PAGE, 0);
        map_at(vm, second, AT);
        assert_true(page_is(&own, AT, buffer, 0));
        assert_true(page_is(&other, AT, second, 0));
        rig_close(&rig);
    }
}

static void a_fault_in_one_space_leaves_the_channel_of_another_alone(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->semaphores != NEW_SEMAPHORE)
            continue;
        rig_open(&rig, part);
        struct pfifo_vm *bad = new_vm(), *good = new_vm();
        struct pfifo_channel *faulty = channel_in(bad), *healthy = channel_in(good);
        struct pfifo_buffer *push = rig_push_buffer(&rig), *buffer = rig_buffer(&rig, PFIFO_VRAM, PAGE, 0);
        map_at(bad, push, PUSH_AT);
        map_at(good, push, PUSH_AT);
        map_at(good, buffer, AT);
        release(faulty, push, 0, AT, 1); /* nothing is there */
        release(healthy, push, 0x100, AT, 2);
        pfifo_device_run(rig.device, BUDGET);
        assert_true(rig.fault_count > 0);
        for (size_t i = 0; i < rig.fault_count; i++)
            assert_int_not_equal(rig.faults[i].channel, pfifo_channel_number(healthy));
        release(healthy, push, 0x200, AT + 16, 3);
        pfifo_device_run(rig.device, BUDGET);
        assert_int_equal(rig_read(buffer, 0), 2);
        assert_int_equal(rig_read(buffer, 16), 3);
        rig_close(&rig);
    }
}

static void a_space_in_which_a_channel_is_open_is_not_freed(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        rig_open(&rig, part);
        struct pfifo_vm *vm = new_vm();
        struct pfifo_channel *channel = channel_in(vm);
        assert_int_equal(pfifo_vm_free(vm, &rig.error), PFIFO_ERROR_ARGUMENT);
        pfifo_channel_close(channel);
        assert_int_equal(pfifo_vm_free(vm, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_vm_free(pfifo_device_vm(rig.device, &rig.error), &rig.error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_vm_free(NULL, &rig.error), PFIFO_OK);
        rig_close(&rig);
    }
}

static void a_space_of_another_device_is_refused(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        static struct rig other;
        rig_open(&rig, part);
        rig_open(&other, part);
        const struct pfifo_channel_config config = {.vm = new_vm()};
        assert_null(pfifo_channel_open(other.device, &config, &other.error));
        assert_int_equal(other.error.status, PFIFO_ERROR_ARGUMENT);
        struct pfifo_buffer *buffer = rig_buffer(&other, PFIFO_VRAM, PAGE, 0);
        assert_int_equal(try_map(config.vm, buffer, AT, 0, 0), PFIFO_ERROR_ARGUMENT);
        rig_close(&other);
        rig_close(&rig);
    }
}

/* Directory and tables come back: else this many would not fit. */
static void what_a_space_took_comes_back(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        const struct pfifo_device_config config = {
            .gpu = {.chip = pfifo_chip_by_name(part->chip), .vram_bytes = MIB(64), .system_bytes = MIB(64)}};
        memset(&rig, 0, sizeof rig);
        rig.part = part;
        rig.device = pfifo_device_open(&config, &rig.error);
        assert_non_null(rig.device);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, MIB(1), 0);
        for (unsigned i = 0; i < 100; i++) {
            struct pfifo_vm *vm = new_vm();
            for (uint64_t at = 1; at < 16; at++)
                map_at(vm, buffer, at << 30 | PAGE);
            assert_int_equal(pfifo_vm_free(vm, &rig.error), PFIFO_OK);
        }
        rig_close(&rig);
    }
}

/* ---- mappings ---- */

static const struct {
    uint64_t address, offset, bytes;
} pieces[] = {
    {AT, 0, PAGE},
    {AT, 0x3000, 0x5000},
    {AT, 0, MIB(2)},
    {AT + PAGE, 0, MIB(2)},
    {AT + 0x10000, 0x10000, MIB(1)},
    {(UINT64_C(1) << 29) - 0x21000, 0x1000, 0x43000}, /* across tables */
};

static void a_part_of_a_buffer_is_mapped_where_it_is_wanted(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        static const enum pfifo_domain domains[] = {PFIFO_VRAM, PFIFO_GART};
        rig_open(&rig, part);
        struct pfifo_vm *vm = new_vm();
        struct address_space space = space_of(channel_in(vm));
        for (size_t d = 0; d < COUNT_OF(domains); d++) {
            struct pfifo_buffer *buffer = rig_buffer(&rig, domains[d], MIB(2), 0);
            for (size_t i = 0; i < COUNT_OF(pieces); i++) {
                assert_int_equal(try_map(vm, buffer, pieces[i].address, pieces[i].offset, pieces[i].bytes), PFIFO_OK);
                assert_pages(&space, pieces[i].address, buffer, pieces[i].offset, pieces[i].bytes);
                assert_false(is_mapped(&space, pieces[i].address - PAGE));
                assert_false(is_mapped(&space, pieces[i].address + pieces[i].bytes));
                assert_int_equal(pfifo_vm_unmap(vm, pieces[i].address, 0, &rig.error), PFIFO_OK);
                assert_unmapped(&space, pieces[i].address, pieces[i].bytes);
            }
        }
        rig_close(&rig);
    }
}

static void memory_has_several_addresses_at_once(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        rig_open(&rig, part);
        struct pfifo_vm *vm = new_vm();
        struct address_space space = space_of(channel_in(vm));
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, MIB(1), 0);
        uint64_t address[5];
        for (unsigned i = 0; i < COUNT_OF(address); i++) {
            const struct pfifo_vm_map map = {.buffer = buffer, .kind = i};
            assert_int_equal(pfifo_vm_map(vm, &map, &address[i], &rig.error), PFIFO_OK);
        }
        for (unsigned i = 0; i < COUNT_OF(address); i++) {
            assert_pages(&space, address[i], buffer, 0, MIB(1));
            assert_int_equal(kind_at(&space, address[i]), i);
            struct pfifo_vm_map found;
            assert_true(pfifo_vm_at(vm, address[i] + 0x5000, &found));
            assert_ptr_equal(found.buffer, buffer);
            assert_int_equal(found.address, address[i]);
            assert_int_equal(found.kind, i);
        }
        rig_close(&rig);
    }
}

/* Each range is cut out of a mapping of big pages; what is around it stays. */
static void a_mapping_is_taken_apart(void **state) {
    static const struct {
        uint64_t first, bytes;
    } holes[] = {{0, PAGE},         {0x1000, PAGE},        {0x1f000, 0x2000},          {0x20000, 0x20000},
                 {0x3000, 0x9d000}, {MIB(2) - PAGE, PAGE}, {0x11000, MIB(2) - 0x11000}};
    (void)state;
    FOR_EACH_SPACED {
        static const uint64_t starts[] = {AT, AT + PAGE};
        rig_open(&rig, part);
        struct pfifo_vm *vm = new_vm();
        struct address_space space = space_of(channel_in(vm));
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, MIB(2), 0);
        for (size_t i = 0; i < COUNT_OF(holes) * COUNT_OF(starts); i++) {
            uint64_t start = starts[i % 2], first = holes[i / 2].first, end = first + holes[i / 2].bytes;
            map_at(vm, buffer, start);
            assert_int_equal(pfifo_vm_unmap(vm, start + first, end - first, &rig.error), PFIFO_OK);
            assert_pages(&space, start, buffer, 0, first);
            assert_unmapped(&space, start + first, end - first);
            assert_pages(&space, start + end, buffer, end, MIB(2) - end);
            assert_int_equal(try_map(vm, buffer, start + first, 0, end - first), PFIFO_OK); /* its addresses are free */
            assert_int_equal(pfifo_vm_unmap(vm, start, MIB(2), &rig.error), PFIFO_OK);
            assert_unmapped(&space, start, MIB(2));
        }
        rig_close(&rig);
    }
}

static void pages_that_are_read_only_cannot_be_written(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        rig_open(&rig, part);
        struct pfifo_vm *vm = new_vm();
        struct address_space space = space_of(channel_in(vm));
        struct pfifo_vm_map map = {.buffer = rig_buffer(&rig, PFIFO_VRAM, MIB(1), 0),
                                   .address = AT,
                                   .flags = PFIFO_VM_FIXED | PFIFO_VM_READ_ONLY};
        assert_int_equal(pfifo_vm_map(vm, &map, NULL, &rig.error), PFIFO_OK);
        assert_true(is_mapped(&space, AT));
        assert_false(is_writable(&space, AT));
        map.flags = PFIFO_VM_FIXED;
        map.buffer = NULL;
        assert_int_equal(pfifo_vm_remap(vm, &map, &rig.error), PFIFO_OK);
        assert_true(is_writable(&space, AT));
        rig_close(&rig);
    }
}

static void the_kind_of_a_part_of_a_mapping_changes(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        rig_open(&rig, part);
        struct pfifo_vm *vm = new_vm();
        struct address_space space = space_of(channel_in(vm));
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, MIB(1), 0);
        map_at(vm, buffer, AT);
        const struct pfifo_vm_map map = {
            .address = AT + 0x13000, .bytes = 0x30000, .kind = 0x51, .flags = PFIFO_VM_FIXED};
        assert_int_equal(pfifo_vm_remap(vm, &map, &rig.error), PFIFO_OK);
        assert_pages(&space, AT, buffer, 0, MIB(1));
        assert_int_equal(kind_at(&space, AT + 0x12000), 0);
        assert_int_equal(kind_at(&space, AT + 0x13000), 0x51);
        assert_int_equal(kind_at(&space, AT + 0x42000), 0x51);
        assert_int_equal(kind_at(&space, AT + 0x43000), 0);
        rig_close(&rig);
    }
}

/* Small pages need a table that large ones do not have; there is no memory for it. */
static void a_change_without_memory_for_tables_changes_nothing(void **state) {
    static const struct pfifo_buffer_config page = {.domain = PFIFO_VRAM, .bytes = PAGE, .no_address = true};
    (void)state;
    FOR_EACH_SPACED {
        if (!part->fermi || !part->vram)
            continue;
        const struct pfifo_device_config config = {
            .gpu = {.chip = pfifo_chip_by_name(part->chip), .vram_bytes = MIB(64)}};
        memset(&rig, 0, sizeof rig);
        rig.part = part;
        rig.device = pfifo_device_open(&config, &rig.error);
        struct pfifo_vm *vm = pfifo_device_vm(rig.device, &rig.error);
        struct address_space space = space_of(channel_in(vm));
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, MIB(1), UINT64_C(0x80000000));
        struct pfifo_vm_map map = {
            .address = pfifo_buffer_address(buffer), .bytes = HALF_MEGA, .page_bytes = PAGE, .flags = PFIFO_VM_FIXED};
        while (pfifo_buffer_create(rig.device, &page, &rig.error))
            continue;
        assert_int_equal(pfifo_vm_remap(vm, &map, &rig.error), PFIFO_ERROR_MEMORY);
        assert_int_equal(pfifo_buffer_address(buffer), map.address);
        assert_pages(&space, map.address, buffer, 0, MIB(1));
        pfifo_buffer_free(buffer);
        assert_unmapped(&space, map.address, MIB(1));
        rig_close(&rig);
    }
}

static void other_memory_takes_the_place_of_what_is_mapped(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        rig_open(&rig, part);
        struct pfifo_vm *vm = new_vm();
        struct address_space space = space_of(channel_in(vm));
        struct pfifo_buffer *old = rig_buffer(&rig, PFIFO_VRAM, MIB(1), 0);
        struct pfifo_buffer *new = rig_buffer(&rig, PFIFO_GART, MIB(1), 0);
        map_at(vm, old, AT);
        const struct pfifo_vm_map map = {
            .buffer = new, .offset = 0x2000, .bytes = 0x21000, .address = AT + 0x1f000, .flags = PFIFO_VM_FIXED};
        assert_int_equal(pfifo_vm_remap(vm, &map, &rig.error), PFIFO_OK);
        assert_pages(&space, AT, old, 0, 0x1f000);
        assert_pages(&space, AT + 0x1f000, new, 0x2000, 0x21000);
        assert_pages(&space, AT + 0x40000, old, 0x40000, MIB(1) - 0x40000);
        rig_close(&rig);
    }
}

static void memory_stays_as_long_as_it_is_mapped(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        rig_open(&rig, part);
        struct pfifo_vm *vm = new_vm();
        struct address_space space = space_of(channel_in(vm));
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, MIB(1), 0);
        uint64_t own = pfifo_buffer_address(buffer);
        map_at(vm, buffer, AT);
        pfifo_buffer_free(buffer);
        struct address_space device_space = space_of(channel_in(NULL));
        assert_false(is_mapped(&device_space, own));
        struct pfifo_buffer *next = rig_buffer(&rig, PFIFO_VRAM, MIB(1), 0);
        assert_true(is_mapped(&space, AT));
        assert_false(page_is(&space, AT, next, 0)); /* its memory was not given away */
        assert_int_equal(pfifo_vm_unmap(vm, AT, 0, &rig.error), PFIFO_OK);
        rig_close(&rig);
    }
}

static void big_pages_have_the_size_of_the_space(void **state) {
    static const struct {
        const char *chip;
        uint64_t usual, other;
    } rows[] = {{"GF100", 0x20000, 0},       {"GK20A", 0x20000, 0}, {"GM107", 0x20000, 0}, {"GM204", 0x20000, 0x10000},
                {"GM20B", 0x20000, 0x10000}, {"GP102", 0x10000, 0}, {"G84", 0, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        rig_open(&rig, rig_part(rows[i].chip));
        for (uint64_t bytes = 0x10000; bytes <= 0x20000; bytes *= 2) {
            bool has = bytes == rows[i].usual || bytes == rows[i].other;
            const struct pfifo_vm_config config = {.big_page_bytes = bytes};
            struct pfifo_vm *vm = pfifo_vm_new(rig.device, &config, &rig.error);
            assert_int_equal(vm != NULL, has);
            if (!has) {
                assert_int_equal(rig.error.status, PFIFO_ERROR_UNSUPPORTED);
                continue;
            }
            assert_int_equal(pfifo_vm_big_page_bytes(vm), bytes);
            struct address_space space = space_of(channel_in(vm));
            const struct pfifo_vm_map map = {.buffer = rig_buffer(&rig, PFIFO_GART, MIB(4) - PAGE, 0),
                                             .page_bytes = bytes};
            uint64_t address;
            assert_int_equal(pfifo_vm_map(vm, &map, &address, &rig.error), PFIFO_OK);
            assert_int_equal(address % bytes, 0);
            assert_pages(&space, address, map.buffer, 0, MIB(4) - PAGE);
            struct mapping mapping;
            struct fault fault;
            assert_true(space.ops->translate(&pfifo_device_gpu(rig.device)->memory, &space, address, &mapping, &fault));
            assert_int_equal(mapping.bytes, bytes);
        }
        assert_int_equal(pfifo_vm_big_page_bytes(new_vm()), rows[i].usual);
        rig_close(&rig);
    }
}

/* ---- reservations ---- */

static void a_reservation_is_left_alone_until_it_is_asked_for(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        rig_open(&rig, part);
        const struct pfifo_vm_config config = {.size = sizeof config, .first = AT, .bytes = MIB(4)};
        struct pfifo_vm *vm = pfifo_vm_new(rig.device, &config, &rig.error);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_GART, PAGE, 0);
        const struct pfifo_vm_range range = {.bytes = MIB(2), .align = MIB(1)};
        struct pfifo_vm_map map = {.buffer = buffer};
        uint64_t reserved, address;
        assert_int_equal(pfifo_vm_reserve(vm, &range, &reserved, &rig.error), PFIFO_OK);
        assert_int_equal(reserved % MIB(1), 0);
        assert_in_range(reserved, AT, AT + MIB(2));
        for (unsigned i = 0; i < MIB(2) / PAGE; i++) { /* all others */
            assert_int_equal(pfifo_vm_map(vm, &map, &address, &rig.error), PFIFO_OK);
            assert_true(address >= AT && address < AT + MIB(4) && address - reserved >= MIB(2));
        }
        assert_int_equal(pfifo_vm_map(vm, &map, &address, &rig.error), PFIFO_ERROR_MEMORY);
        map.flags = PFIFO_VM_RESERVED;
        map.address = reserved + 0x5000;
        assert_int_equal(pfifo_vm_map(vm, &map, &address, &rig.error), PFIFO_OK);
        assert_true(address - reserved < MIB(2));
        map.flags = PFIFO_VM_RESERVED | PFIFO_VM_FIXED;
        assert_int_equal(pfifo_vm_map(vm, &map, &address, &rig.error), PFIFO_OK);
        assert_int_equal(address, reserved + 0x5000);
        assert_int_equal(pfifo_vm_map(vm, &map, &address, &rig.error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_vm_release(vm, reserved, &rig.error), PFIFO_ERROR_ARGUMENT); /* in use */
        rig_close(&rig);
    }
}

static void a_released_range_is_free_again(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        rig_open(&rig, part);
        struct pfifo_vm *vm = new_vm();
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_GART, PAGE, 0);
        const struct pfifo_vm_range range = {.address = AT, .bytes = MIB(1), .flags = PFIFO_VM_FIXED};
        uint64_t address;
        assert_int_equal(pfifo_vm_reserve(vm, &range, &address, &rig.error), PFIFO_OK);
        assert_int_equal(address, AT);
        assert_int_equal(pfifo_vm_reserve(vm, &range, &address, &rig.error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(try_map(vm, buffer, AT + MIB(1) - PAGE, 0, 0), PFIFO_OK);
        assert_int_equal(pfifo_vm_unmap(vm, AT + MIB(1) - PAGE, 0, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_vm_release(vm, AT + PAGE, &rig.error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_vm_release(vm, AT, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_vm_release(vm, AT, &rig.error), PFIFO_ERROR_ARGUMENT);
        const struct pfifo_vm_map map = {.buffer = buffer, .address = AT, .flags = PFIFO_VM_FIXED | PFIFO_VM_RESERVED};
        assert_int_equal(pfifo_vm_map(vm, &map, NULL, &rig.error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_vm_reserve(vm, &range, &address, &rig.error), PFIFO_OK);
        rig_close(&rig);
    }
}

/* What lies before, in and after a reservation are mappings of their own; one that replaces them would be in none. */
static void a_mapping_across_a_whole_reservation_is_refused(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        rig_open(&rig, part);
        struct pfifo_vm *vm = new_vm();
        struct pfifo_buffer *old = rig_buffer(&rig, PFIFO_VRAM, 3 * PAGE, 0);
        const struct pfifo_vm_range range = {.address = AT + PAGE, .bytes = PAGE, .flags = PFIFO_VM_FIXED};
        struct pfifo_vm_map map = {
            .buffer = rig_buffer(&rig, PFIFO_VRAM, 3 * PAGE, 0), .address = AT, .flags = PFIFO_VM_FIXED};
        assert_int_equal(pfifo_vm_reserve(vm, &range, NULL, &rig.error), PFIFO_OK);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(try_map(vm, old, AT + PAGE * i, PAGE * i, PAGE), PFIFO_OK);
        struct address_space space = space_of(channel_in(vm));
        assert_int_equal(pfifo_vm_remap(vm, &map, &rig.error), PFIFO_ERROR_ARGUMENT);
        assert_pages(&space, AT, old, 0, 3 * PAGE);
        map.bytes = PAGE;
        assert_int_equal(pfifo_vm_remap(vm, &map, &rig.error), PFIFO_OK);
        assert_true(page_is(&space, AT, map.buffer, 0));
        rig_close(&rig);
    }
}

static uint32_t gpu_read(const struct address_space *space, uint64_t address) {
    struct span span;
    assert_true(memory_try_span(&pfifo_device_gpu(rig.device)->memory, space, address, 4, MEMORY_READ, &span));
    return span.data[0];
}

static void a_sparse_reservation_reads_0_where_nothing_is_mapped(void **state) {
    static const char *const have[] = {"GM204", "GM20B", "GP102"};
    (void)state;
    FOR_EACH_SPACED {
        bool sparse = false;
        for (size_t i = 0; i < COUNT_OF(have); i++)
            sparse |= strcmp(part->chip, have[i]) == 0;
        rig_open(&rig, part);
        struct pfifo_vm *vm = new_vm();
        struct address_space space = space_of(channel_in(vm));
        const struct pfifo_vm_range range = {.address = AT, .bytes = MIB(4), .flags = PFIFO_VM_FIXED | PFIFO_VM_SPARSE};
        enum pfifo_status status = pfifo_vm_reserve(vm, &range, NULL, &rig.error);
        assert_int_equal(status, sparse ? PFIFO_OK : PFIFO_ERROR_UNSUPPORTED);
        if (sparse) {
            static const enum pfifo_domain domains[] = {PFIFO_VRAM, PFIFO_GART}; /* big pages and small ones */
            assert_true(is_mapped(&space, AT) && is_mapped(&space, AT + MIB(4) - PAGE));
            for (size_t i = 0; i < COUNT_OF(domains); i++) {
                struct pfifo_buffer *buffer = rig_buffer(&rig, domains[i], MIB(1), 0);
                assert_true(pfifo_buffer_write(buffer, 0, "\7", 1));
                map_at(vm, buffer, AT + MIB(1));
                assert_pages(&space, AT + MIB(1), buffer, 0, MIB(1));
                assert_int_equal(gpu_read(&space, AT + MIB(1)), 7);
                assert_true(is_mapped(&space, AT + MIB(1) - PAGE) && is_mapped(&space, AT + MIB(2)));
                assert_int_equal(pfifo_vm_unmap(vm, AT + MIB(1), 0x23000, &rig.error), PFIFO_OK);
                assert_int_equal(gpu_read(&space, AT + MIB(1)), 0);
                assert_pages(&space, AT + MIB(1) + 0x23000, buffer, 0x23000, MIB(1) - 0x23000);
                assert_int_equal(pfifo_vm_unmap(vm, AT + MIB(1) + 0x23000, 0, &rig.error), PFIFO_OK);
                for (uint64_t at = 0; at < MIB(4); at += PAGE)
                    assert_int_equal(gpu_read(&space, AT + at), 0);
            }
            assert_int_equal(pfifo_vm_release(vm, AT, &rig.error), PFIFO_OK);
            assert_unmapped(&space, AT, MIB(4));
        } else {
            assert_non_null(strstr(rig.error.message, part->chip));
        }
        rig_close(&rig);
    }
}

/* ---- calls that cannot be ---- */

/* Its tables would stay as long as the space. */
static void a_sparse_range_that_is_too_large_takes_no_memory(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        if (strcmp(part->chip, "GM204") != 0 && strcmp(part->chip, "GP102") != 0)
            continue;
        const struct pfifo_device_config config = {
            .gpu = {.chip = pfifo_chip_by_name(part->chip), .vram_bytes = MIB(64)}};
        memset(&rig, 0, sizeof rig);
        rig.part = part;
        rig.device = pfifo_device_open(&config, &rig.error);
        struct pfifo_vm *vm = new_vm();
        struct pfifo_vm_range range = {.bytes = MIB(1) << 15, .flags = PFIFO_VM_SPARSE};
        uint64_t address;
        assert_int_equal(pfifo_vm_reserve(vm, &range, &address, &rig.error), PFIFO_ERROR_MEMORY);
        rig_buffer(&rig, PFIFO_VRAM, MIB(32), 0);
        range.bytes = MIB(1) << 10;
        assert_int_equal(pfifo_vm_reserve(vm, &range, &address, &rig.error), PFIFO_OK);
        range.flags |= PFIFO_VM_FIXED;
        range.address = address;
        assert_int_equal(pfifo_vm_release(vm, address, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_vm_reserve(vm, &range, &address, &rig.error), PFIFO_OK);
        rig_close(&rig);
    }
}

static void ranges_that_cannot_be_are_refused(void **state) {
    static const struct pfifo_vm_config configs[] = {
        {.first = 1},
        {.bytes = 1},
        {.first = UINT64_C(1) << 40},
        {.first = PAGE, .bytes = UINT64_C(1) << 40},
        {.first = UINT64_MAX - PAGE + 1, .bytes = PAGE},
        {.first = PAGE, .bytes = UINT64_MAX - PAGE + 1},
        {.bytes = PAGE},
        {.size = 1},
    };
    static const struct pfifo_vm_range ranges[] = {
        {.bytes = 0},
        {.bytes = 1},
        {.bytes = PAGE, .align = 3},
        {.bytes = PAGE, .flags = 0x100},
        {.address = 1, .bytes = PAGE, .flags = PFIFO_VM_FIXED},
        {.address = 0, .bytes = PAGE, .flags = PFIFO_VM_FIXED},
        {.address = UINT64_C(1) << 40, .bytes = PAGE, .flags = PFIFO_VM_FIXED},
        {.address = UINT64_MAX - PAGE + 1, .bytes = PAGE, .flags = PFIFO_VM_FIXED},
        {.address = PAGE, .bytes = UINT64_MAX - PAGE + 1, .flags = PFIFO_VM_FIXED},
        {.address = AT + PAGE, .bytes = PAGE, .align = 2 * PAGE, .flags = PFIFO_VM_FIXED},
    };
    (void)state;
    FOR_EACH_SPACED {
        rig_open(&rig, part);
        for (size_t i = 0; i < COUNT_OF(configs); i++) {
            rig.error.status = PFIFO_OK;
            assert_null(pfifo_vm_new(rig.device, &configs[i], &rig.error));
            assert_int_equal(rig.error.status, PFIFO_ERROR_ARGUMENT);
        }
        struct pfifo_vm *vm = new_vm();
        for (size_t i = 0; i < COUNT_OF(ranges); i++)
            assert_int_equal(pfifo_vm_reserve(vm, &ranges[i], NULL, &rig.error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(
            pfifo_vm_reserve(vm, &(const struct pfifo_vm_range){.bytes = UINT64_C(1) << 50}, NULL, &rig.error),
            PFIFO_ERROR_MEMORY);
        assert_int_equal(pfifo_vm_reserve(NULL, &ranges[0], NULL, &rig.error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_vm_reserve(vm, NULL, NULL, &rig.error), PFIFO_ERROR_ARGUMENT);
        rig_close(&rig);
    }
}

static void mappings_that_cannot_be_are_refused(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        rig_open(&rig, part);
        struct pfifo_vm *vm = new_vm();
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, 4 * PAGE, 0);
        const struct pfifo_vm_map maps[] = {
            {.buffer = NULL},
            {.buffer = buffer, .offset = 1},
            {.buffer = buffer, .offset = 4 * PAGE},
            {.buffer = buffer, .offset = UINT64_MAX - PAGE + 1},
            {.buffer = buffer, .bytes = 4 * PAGE + 1},
            {.buffer = buffer, .offset = PAGE, .bytes = UINT64_MAX},
            {.buffer = buffer, .kind = part->fermi ? 0xff : 0x7f},
            {.buffer = buffer, .kind = 0x100},
            {.buffer = buffer, .flags = PFIFO_VM_SPARSE},
            {.buffer = buffer, .page_bytes = 0x8000},
            {.buffer = buffer, .address = AT + 1, .flags = PFIFO_VM_FIXED},
            {.buffer = buffer, .address = 0, .flags = PFIFO_VM_FIXED},
            {.buffer = buffer, .address = UINT64_MAX - PAGE + 1, .flags = PFIFO_VM_FIXED},
            {.buffer = buffer, .address = (UINT64_C(1) << 40) - PAGE, .flags = PFIFO_VM_FIXED},
            {.buffer = buffer, .address = AT, .flags = PFIFO_VM_RESERVED},
        };
        for (size_t i = 0; i < COUNT_OF(maps); i++)
            assert_int_equal(pfifo_vm_map(vm, &maps[i], NULL, &rig.error), PFIFO_ERROR_ARGUMENT);
        map_at(vm, buffer, AT);
        assert_int_equal(try_map(vm, buffer, AT, 0, 0), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(try_map(vm, buffer, AT + 3 * PAGE, 0, 0), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(try_map(vm, buffer, AT - 3 * PAGE, 0, 0), PFIFO_ERROR_ARGUMENT);
        rig_close(&rig);
    }
}

static void what_is_not_mapped_is_neither_unmapped_nor_changed(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        rig_open(&rig, part);
        struct pfifo_vm *vm = new_vm();
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, 4 * PAGE, 0);
        map_at(vm, buffer, AT);
        map_at(vm, buffer, AT + 5 * PAGE); /* with a hole between them */
        static const struct {
            uint64_t address, bytes;
        } ranges[] = {{AT - PAGE, 2 * PAGE},       {AT, 9 * PAGE}, {AT + PAGE, 0},
                      {AT + 4 * PAGE, PAGE},       {AT + 1, PAGE}, {AT, 1},
                      {AT, UINT64_MAX - PAGE + 1}, {0, 0},         {UINT64_MAX - PAGE + 1, 2 * PAGE},
                      {AT + 8 * PAGE, 2 * PAGE}};
        for (size_t i = 0; i < COUNT_OF(ranges); i++) {
            const struct pfifo_vm_map map = {
                .address = ranges[i].address, .bytes = ranges[i].bytes, .kind = 1, .flags = PFIFO_VM_FIXED};
            assert_int_equal(pfifo_vm_unmap(vm, ranges[i].address, ranges[i].bytes, &rig.error), PFIFO_ERROR_ARGUMENT);
            assert_int_equal(pfifo_vm_remap(vm, &map, &rig.error), PFIFO_ERROR_ARGUMENT);
        }
        struct address_space space = space_of(channel_in(vm));
        assert_pages(&space, AT, buffer, 0, 4 * PAGE);
        assert_int_equal(kind_at(&space, AT), 0);
        assert_false(pfifo_vm_at(vm, AT + 4 * PAGE, NULL));
        rig_close(&rig);
    }
}

static void the_address_of_a_buffer_goes_only_with_it(void **state) {
    (void)state;
    FOR_EACH_SPACED {
        rig_open(&rig, part);
        struct pfifo_vm *vm = pfifo_device_vm(rig.device, &rig.error);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, MIB(1), 0);
        uint64_t own = pfifo_buffer_address(buffer);
        assert_int_equal(pfifo_vm_unmap(vm, own, 0, &rig.error), PFIFO_ERROR_ARGUMENT);
        struct pfifo_vm_map map = {.address = own + PAGE, .bytes = PAGE, .kind = 2, .flags = PFIFO_VM_FIXED};
        assert_int_equal(pfifo_vm_remap(vm, &map, &rig.error), PFIFO_OK);
        map.buffer = buffer;
        assert_int_equal(pfifo_vm_remap(vm, &map, &rig.error), PFIFO_ERROR_ARGUMENT);
        struct address_space space = space_of(channel_in(NULL));
        assert_pages(&space, own, buffer, 0, MIB(1));
        pfifo_buffer_free(buffer);
        assert_unmapped(&space, own, MIB(1));
        rig_close(&rig);
    }
}

/* A caller of tomorrow, who knows more than this library. */
static void what_a_larger_structure_says_beyond_the_known_must_be_0(void **state) {
    (void)state;
    struct {
        struct pfifo_vm_config known;
        uint64_t later;
    } config = {.known.size = sizeof config};
    rig_open(&rig, rig_part("GP102"));
    assert_non_null(pfifo_vm_new(rig.device, &config.known, &rig.error));
    config.later = 1;
    assert_null(pfifo_vm_new(rig.device, &config.known, &rig.error));
    assert_int_equal(rig.error.status, PFIFO_ERROR_UNSUPPORTED);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_g80_there_are_no_address_spaces),
        cmocka_unit_test(the_same_address_is_other_memory_in_another_space),
        cmocka_unit_test(channels_of_one_space_see_the_same_memory),
        cmocka_unit_test(a_space_has_nothing_of_the_device_s_own),
        cmocka_unit_test(a_fault_in_one_space_leaves_the_channel_of_another_alone),
        cmocka_unit_test(a_space_in_which_a_channel_is_open_is_not_freed),
        cmocka_unit_test(a_space_of_another_device_is_refused),
        cmocka_unit_test(what_a_space_took_comes_back),
        cmocka_unit_test(a_part_of_a_buffer_is_mapped_where_it_is_wanted),
        cmocka_unit_test(memory_has_several_addresses_at_once),
        cmocka_unit_test(a_mapping_is_taken_apart),
        cmocka_unit_test(pages_that_are_read_only_cannot_be_written),
        cmocka_unit_test(the_kind_of_a_part_of_a_mapping_changes),
        cmocka_unit_test(a_change_without_memory_for_tables_changes_nothing),
        cmocka_unit_test(other_memory_takes_the_place_of_what_is_mapped),
        cmocka_unit_test(memory_stays_as_long_as_it_is_mapped),
        cmocka_unit_test(big_pages_have_the_size_of_the_space),
        cmocka_unit_test(a_reservation_is_left_alone_until_it_is_asked_for),
        cmocka_unit_test(a_released_range_is_free_again),
        cmocka_unit_test(a_mapping_across_a_whole_reservation_is_refused),
        cmocka_unit_test(a_sparse_reservation_reads_0_where_nothing_is_mapped),
        cmocka_unit_test(a_sparse_range_that_is_too_large_takes_no_memory),
        cmocka_unit_test(ranges_that_cannot_be_are_refused),
        cmocka_unit_test(mappings_that_cannot_be_are_refused),
        cmocka_unit_test(what_is_not_mapped_is_neither_unmapped_nor_changed),
        cmocka_unit_test(the_address_of_a_buffer_goes_only_with_it),
        cmocka_unit_test(what_a_larger_structure_says_beyond_the_known_must_be_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
