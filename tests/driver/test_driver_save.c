/* SPDX-License-Identifier: MIT */
/* Devices that are saved with work under way, and loaded. */
#include "driver/rig.h"

#include <pfifo/state.h>
#include <stdlib.h>

#include "driver/vm.h"

#define SEGMENTS 40u

static const char *const chips[] = {"GF100", "GK104", "GM107", "GM20B", "GP102"};

struct bytes {
    uint8_t *data;
    size_t used, room;
};

/* A device, and the numbers of what it has. */
struct scene {
    struct rig rig;
    struct pfifo_channel *channel[2];
    struct pfifo_buffer *push, *data, *shared;
    struct pfifo_vm *vm;
    uint32_t ids[6];
};

static struct scene one, other;

static bool collect(void *opaque, const void *data, size_t bytes) {
    struct bytes *to = opaque;
    if (bytes > to->room - to->used) {
        to->room = 2 * (to->used + bytes);
        to->data = realloc(to->data, to->room);
        assert_non_null(to->data);
    }
    memcpy(to->data + to->used, data, bytes);
    to->used += bytes;
    return true;
}

static struct bytes save(struct pfifo_device *device) {
    struct bytes bytes = {0};
    struct pfifo_error error;
    if (pfifo_device_save(device, collect, &bytes, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    return bytes;
}

static void assert_same(const struct bytes *a, const struct bytes *b) {
    assert_int_equal(a->used, b->used);
    assert_memory_equal(a->data, b->data, a->used);
}

static void load(struct pfifo_device *device, const struct bytes *bytes) {
    struct pfifo_error error;
    if (pfifo_device_load(device, bytes->data, bytes->used, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
}

/* Every segment releases a value; one has a method of the host that does not exist. */
static void submit_work(struct scene *scene, unsigned bad) {
    for (unsigned i = 0; i < SEGMENTS; i++) {
        struct words words = words_for(&scene->rig, PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &scene->rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, i);
        if (i == bad)
            words_method(&words, SUBCHANNEL, 0x3c, i);
        words_release(&words, &scene->rig, pfifo_buffer_address(scene->data) + 16 * (i % 8), i + 1);
        words_submit(&words, &scene->rig, scene->channel[i % 2], scene->push, (uint64_t)0x100 * i);
    }
}

static void open_scene(struct scene *scene, const char *chip) {
    uint64_t address;
    rig_open(&scene->rig, rig_part(chip));
    scene->push = rig_push_buffer(&scene->rig);
    scene->data = rig_buffer(&scene->rig, PFIFO_VRAM, 0x40000, 0);
    scene->shared = rig_buffer(&scene->rig, PFIFO_VRAM, 0x3000, 0);
    scene->vm = pfifo_vm_new(scene->rig.device, &(const struct pfifo_vm_config){0}, &scene->rig.error);
    assert_non_null(scene->vm);
    const struct pfifo_vm_range range = {.address = 0x10000000, .bytes = 0x100000, .flags = PFIFO_VM_FIXED};
    const struct pfifo_vm_map map = {
        .buffer = scene->shared, .address = 0x10001000, .flags = PFIFO_VM_FIXED | PFIFO_VM_RESERVED};
    assert_int_equal(pfifo_vm_reserve(scene->vm, &range, &address, &scene->rig.error), PFIFO_OK);
    assert_int_equal(pfifo_vm_map(scene->vm, &map, NULL, &scene->rig.error), PFIFO_OK);
    for (unsigned i = 0; i < 2; i++)
        scene->channel[i] = rig_channel(&scene->rig, PFIFO_CHANNEL_DEFAULT, 64);
    const uint32_t ids[] = {pfifo_buffer_id(scene->push),        pfifo_buffer_id(scene->data),
                            pfifo_buffer_id(scene->shared),      pfifo_vm_id(scene->vm),
                            pfifo_channel_id(scene->channel[0]), pfifo_channel_id(scene->channel[1])};
    memcpy(scene->ids, ids, sizeof ids);
}

/* The objects of a device that was loaded, by the numbers of those that were saved. */
static void find_again(struct scene *scene, const struct scene *saved) {
    const struct pfifo_device *device = scene->rig.device;
    scene->push = pfifo_device_buffer(device, saved->ids[0]);
    scene->data = pfifo_device_buffer(device, saved->ids[1]);
    scene->shared = pfifo_device_buffer(device, saved->ids[2]);
    scene->vm = pfifo_device_space(device, saved->ids[3]);
    scene->channel[0] = pfifo_device_channel(device, saved->ids[4]);
    scene->channel[1] = pfifo_device_channel(device, saved->ids[5]);
    assert_true(scene->push && scene->data && scene->shared && scene->vm);
    assert_true(scene->channel[0] && scene->channel[1]);
    assert_int_equal(pfifo_buffer_owners(scene->data), 1);
    assert_null(pfifo_device_buffer(device, 0));
}

static void close_both(void) {
    rig_close(&one.rig);
    rig_close(&other.rig);
}

static void assert_same_devices(void) {
    struct bytes a = save(one.rig.device), b = save(other.rig.device);
    assert_same(&a, &b);
    free(a.data);
    free(b.data);
}

/* Save `one` as it stands, load it into a device of its own. */
static void move(const char *chip) {
    struct bytes bytes = save(one.rig.device);
    rig_open(&other.rig, rig_part(chip));
    rig_channel(&other.rig, PFIFO_CHANNEL_DEFAULT, 16); /* goes */
    load(other.rig.device, &bytes);
    free(bytes.data);
    find_again(&other, &one);
    assert_same_devices();
}

static void a_device_goes_on_where_it_was_saved(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        open_scene(&one, chips[i]);
        submit_work(&one, SEGMENTS / 2);
        pfifo_device_run(one.rig.device, 40);
        assert_false(pfifo_channel_idle(one.channel[0]) && pfifo_channel_idle(one.channel[1]));
        size_t before = one.rig.fault_count;
        move(chips[i]);
        rig_wait(&one.rig);
        rig_wait(&other.rig);
        assert_int_equal(other.rig.fault_count, 1);
        assert_int_equal(one.rig.fault_count, before + 1);
        assert_string_equal(other.rig.faults[0].error, one.rig.faults[before].error);
        assert_int_equal(other.rig.faults[0].address, one.rig.faults[before].address);
        assert_int_equal(rig_read(other.data, 16 * 7), SEGMENTS);
        assert_int_equal(rig_read(one.data, 16 * 7), SEGMENTS); /* through BAR 1, which fills a TLB */
        assert_same_devices();
        submit_work(&one, SEGMENTS); /* it is a device like any other */
        submit_work(&other, SEGMENTS);
        rig_wait(&one.rig);
        rig_wait(&other.rig);
        assert_same_devices();
        close_both();
    }
}

static void what_was_loaded_can_be_taken_apart(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        open_scene(&one, chips[i]);
        move(chips[i]);
        struct scene *scenes[] = {&one, &other};
        for (size_t n = 0; n < 2; n++) {
            struct pfifo_vm_map map;
            assert_true(pfifo_vm_at(scenes[n]->vm, 0x10001000, &map));
            assert_ptr_equal(map.buffer, scenes[n]->shared);
            assert_int_equal(pfifo_vm_release(scenes[n]->vm, 0x10000000, NULL), PFIFO_ERROR_ARGUMENT);
            assert_int_equal(pfifo_vm_free(scenes[n]->vm, NULL), PFIFO_OK);
            pfifo_buffer_free(scenes[n]->shared);
            pfifo_channel_close(scenes[n]->channel[0]);
            pfifo_buffer_free(scenes[n]->data);
        }
        assert_same_devices();
        close_both();
    }
}

/* The interrupt is pending when the device is saved: the driver that loads handles it. */
static void a_fault_is_recovered_from_after_loading(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        open_scene(&one, chips[i]);
        assert_int_equal(pfifo_channel_submit(one.channel[0], 0x7000000000, 16, 0, &one.rig.error), PFIFO_OK);
        pfifo_gpu_run(pfifo_device_gpu(one.rig.device), BUDGET);
        move(chips[i]);
        pfifo_device_run(one.rig.device, BUDGET);
        pfifo_device_run(other.rig.device, BUDGET);
        assert_int_equal(other.rig.fault_count, 1);
        assert_string_equal(other.rig.faults[0].unit, "MMU");
        assert_int_equal(other.rig.faults[0].address, one.rig.faults[0].address);
        assert_int_equal(pfifo_channel_submit(other.channel[0], pfifo_buffer_address(other.push), 16, 0, NULL),
                         PFIFO_ERROR_FAULT);
        assert_same_devices();
        close_both();
    }
}

static void a_fence_is_reached_after_loading(void **state) {
    struct pfifo_fence fence;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        open_scene(&one, chips[i]);
        submit_work(&one, SEGMENTS);
        assert_int_equal(pfifo_channel_fence(one.channel[1], &fence, &one.rig.error), PFIFO_OK);
        assert_int_equal(pfifo_buffer_use(one.data, &fence, &one.rig.error), PFIFO_OK);
        move(chips[i]);
        assert_true(pfifo_buffer_busy(other.data));
        assert_int_equal(pfifo_buffer_wait(other.data, BUDGET, &other.rig.error), PFIFO_OK);
        assert_int_equal(rig_read(other.data, 16 * 7), SEGMENTS);
        close_both();
    }
}

static void refuse(const struct bytes *before, const uint8_t *data, size_t bytes, bool compare) {
    struct pfifo_error error = {0};
    assert_int_not_equal(pfifo_device_load(one.rig.device, data, bytes, &error), PFIFO_OK);
    assert_true(error.message[0]);
    if (!compare)
        return;
    struct bytes after = save(one.rig.device);
    assert_same(before, &after);
    free(after.data);
}

/* All of the driver's sections, and the GPU's here and there. */
static void damage_is_refused_and_changes_nothing(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        open_scene(&one, chips[i]);
        submit_work(&one, SEGMENTS);
        pfifo_device_run(one.rig.device, 40);
        struct bytes bytes = save(one.rig.device);
        size_t step = bytes.used / 150 + 1, turn = 0;
        for (size_t at = 0; at < bytes.used; at += at < 2000 ? 7 : step, turn++) {
            refuse(&bytes, bytes.data, at, turn % 32 == 0);
            bytes.data[at] ^= (uint8_t)(1u << turn % 8);
            refuse(NULL, bytes.data, bytes.used, false);
            bytes.data[at] ^= (uint8_t)(1u << turn % 8);
        }
        refuse(&bytes, NULL, 0, true);
        load(one.rig.device, &bytes); /* whole, it loads into its own device */
        struct bytes after = save(one.rig.device);
        assert_same(&bytes, &after);
        free(after.data);
        free(bytes.data);
        rig_close(&one.rig);
    }
}

static void another_chip_or_configuration_is_refused(void **state) {
    struct pfifo_error error;
    (void)state;
    open_scene(&one, "GK104");
    struct bytes bytes = save(one.rig.device);
    const struct pfifo_device_config configs[] = {
        {.gpu.chip = pfifo_chip_by_name("GM107")},
        {.gpu.chip = pfifo_chip_by_name("GK104"), .gpu.vram_bytes = 64 << 20},
        {.gpu.chip = pfifo_chip_by_name("GK104"), .gpu.system_bytes = 64 << 20},
    };
    for (size_t i = 0; i < COUNT_OF(configs); i++) {
        struct pfifo_device *device = pfifo_device_open(&configs[i], &error);
        assert_non_null(device);
        assert_int_equal(pfifo_device_load(device, bytes.data, bytes.used, &error), PFIFO_ERROR_ARGUMENT);
        pfifo_device_close(device);
    }
    free(bytes.data);
    rig_close(&one.rig);
}

/* Through BAR 1 it would fill a TLB, or even map the buffer there. */
static void what_looks_at_a_space_changes_nothing(void **state) {
    static uint8_t seen[0x42000];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        open_scene(&one, chips[i]);
        const struct pfifo_vm *space = pfifo_device_vm(one.rig.device, NULL);
        uint64_t address = pfifo_buffer_address(one.data);
        assert_true(pfifo_buffer_write(one.data, 0x3fffc, "last", 4));
        struct bytes before = save(one.rig.device);
        assert_true(pfifo_vm_read(space, address, seen, sizeof seen));
        assert_memory_equal(seen + 0x3fffc, "last", 4);
        assert_int_equal(seen[0x20000], 0);
        assert_true(pfifo_vm_read(one.vm, 0x10000ffe, seen, 4)); /* half of it is mapped */
        assert_false(pfifo_vm_read(one.vm, 0x10000ffe, seen, 2));
        assert_true(pfifo_buffer_peek(one.data, 0x3fffc, seen, 4));
        assert_memory_equal(seen, "last", 4);
        assert_false(pfifo_buffer_peek(one.data, pfifo_buffer_bytes(one.data) - 3, seen, 4));
        struct bytes after = save(one.rig.device);
        assert_same(&before, &after);
        free(before.data);
        free(after.data);
        rig_close(&one.rig);
    }
}

static void what_is_kept_for_the_driver_is_so_after_loading(void **state) {
    const struct pfifo_vm_config config = {.ceiling = 0x20001000};
    uint64_t address;
    (void)state;
    rig_open(&one.rig, rig_part("GM107"));
    rig_open(&other.rig, rig_part("GM107"));
    struct pfifo_vm *vm = pfifo_vm_new(one.rig.device, &config, &one.rig.error);
    const struct pfifo_vm_range range = {.bytes = 0x1000};
    pfifo_private_vm_keep(vm, 0x20000000);
    struct bytes bytes = save(one.rig.device);
    load(other.rig.device, &bytes);
    vm = pfifo_device_space(other.rig.device, pfifo_vm_id(vm));
    assert_non_null(vm);
    assert_int_equal(pfifo_vm_reserve(vm, &range, &address, &other.rig.error), PFIFO_OK);
    assert_int_equal(address, 0x20000000);
    assert_int_equal(pfifo_vm_reserve(vm, &range, &address, &other.rig.error), PFIFO_ERROR_MEMORY);
    free(bytes.data);
    close_both();
}

static void before_fermi_devices_cannot_be_saved(void **state) {
    struct pfifo_error error;
    struct bytes bytes = {0};
    (void)state;
    rig_open(&one.rig, rig_part("G84"));
    assert_int_equal(pfifo_device_save(one.rig.device, collect, &bytes, &error), PFIFO_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "G84"));
    assert_int_equal(pfifo_device_load(one.rig.device, "", 0, &error), PFIFO_ERROR_UNSUPPORTED);
    assert_int_equal(bytes.used, 0);
    rig_close(&one.rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_goes_on_where_it_was_saved),
        cmocka_unit_test(what_was_loaded_can_be_taken_apart),
        cmocka_unit_test(a_fault_is_recovered_from_after_loading),
        cmocka_unit_test(a_fence_is_reached_after_loading),
        cmocka_unit_test(damage_is_refused_and_changes_nothing),
        cmocka_unit_test(another_chip_or_configuration_is_refused),
        cmocka_unit_test(what_looks_at_a_space_changes_nothing),
        cmocka_unit_test(what_is_kept_for_the_driver_is_so_after_loading),
        cmocka_unit_test(before_fermi_devices_cannot_be_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
