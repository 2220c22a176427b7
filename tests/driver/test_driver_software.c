/* SPDX-License-Identifier: MIT */
/* What the host does with methods of software objects: as nouveau, or what a program wants. */
#include "driver/rig.h"

#include <pfifo/event.h>

#define OBJECT_IN_DMA 0xbeef0777u
#define FIRST         0x150u /* a method that no generation but the first has */

static struct rig rig; /* too large for a stack with a sanitizer */

struct said {
    uint32_t channel, object_class, subchannel, method, data, engine_value;
};

static struct {
    struct said said[16];
    size_t count, binds, gone;
    bool refuse_bind, fall_back;
    uint32_t events[16];
    size_t event_count;
    struct pfifo_device_fault faults[16];
    size_t fault_count;
    uint32_t written[16], values[16]; /* registers of the MPs */
    size_t writes;
} seen;

static void take_event(void *opaque, uint32_t channel, uint32_t data) {
    (void)opaque, (void)channel;
    assert_true(seen.event_count < COUNT_OF(seen.events));
    seen.events[seen.event_count++] = data;
}

static void take_fault(void *opaque, const struct pfifo_device_fault *fault) {
    (void)opaque;
    assert_true(seen.fault_count < COUNT_OF(seen.faults));
    seen.faults[seen.fault_count++] = *fault;
}

static void take_write(void *opaque, const struct pfifo_event *event) {
    (void)opaque;
    if (event->value[0] >= 0x419000 && event->value[0] < 0x41a000 && seen.writes < COUNT_OF(seen.written)) {
        seen.written[seen.writes] = (uint32_t)event->value[0];
        seen.values[seen.writes++] = (uint32_t)event->value[1];
    }
}

/* A device with the driver's own handler, and one channel with its software object. */
static struct pfifo_channel *open_part(const char *chip) {
    memset(&seen, 0, sizeof seen);
    rig = (struct rig){.part = rig_part(chip)};
    const struct pfifo_device_config config = {
        .gpu.chip = pfifo_chip_by_name(chip), .fault = take_fault, .user_event = take_event};
    rig.device = pfifo_device_open(&config, &rig.error);
    assert_non_null(rig.device);
    assert_int_equal(pfifo_gpu_observe(pfifo_device_gpu(rig.device), "bus.write", take_write, NULL, NULL), PFIFO_OK);
    struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
    assert_int_equal(pfifo_channel_object(channel, SOFTWARE, rig.part->software, &rig.error), PFIFO_OK);
    return channel;
}

static struct words bound(void) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_bind_software(&words, &rig, 7);
    words_bind_class(&words, &rig, SUBCHANNEL);
    return words;
}

static void run(struct words *words, struct pfifo_channel *channel) {
    struct pfifo_buffer *push = rig_push_buffer(&rig);
    words_submit(words, &rig, channel, push, 0);
    rig_wait(&rig);
}

static void nv4_keeps_a_reference(void **state) {
    (void)state;
    struct pfifo_channel *channel = open_part("NV4");
    struct words words = bound();
    words_method(&words, 7, FIRST, 41);
    words_method(&words, 7, FIRST, 42);
    run(&words, channel);
    assert_int_equal(seen.fault_count, 0);
    assert_int_equal(pfifo_channel_reference(channel), 42);
    rig_close(&rig);
}

static void an_event_is_the_programs_on_every_generation(void **state) {
    (void)state;
    FOR_EACH_KIND {
        struct pfifo_channel *channel = open_part(part->chip);
        struct words words = bound();
        words_method(&words, 7, 0x500, 9);
        words_method(&words, 7, 0x500, 10);
        run(&words, channel);
        assert_int_equal(seen.fault_count, 0);
        assert_int_equal(seen.event_count, 2);
        assert_int_equal(seen.events[0], 9);
        assert_int_equal(seen.events[1], 10);
        rig_close(&rig);
    }
}

/* Method 0 of a software object takes the subchannel from the engine that had it. */
static void a_software_object_takes_the_subchannel_of_another(void **state) {
    (void)state;
    FOR_EACH_KIND {
        if (part->fermi) /* a PBDMA has no engine on a subchannel */
            continue;
        struct pfifo_channel *channel = open_part(part->chip);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, 7);
        words_method(&words, 7, NOP, 0);
        words_bind_software(&words, &rig, 7);
        words_method(&words, 7, 0x500, 9);
        run(&words, channel);
        assert_int_equal(seen.fault_count, 0);
        assert_int_equal(seen.event_count, 1);
        assert_int_equal(seen.events[0], 9);
        rig_close(&rig);
    }
}

/* NV40 has nothing but the event; others have only what is theirs. */
static void a_method_that_nouveau_does_not_know_is_a_fault_and_is_skipped(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t method, data;
    } cases[] = {{"NV4", 0x400, 1},   {"NV40", 0x150, 1},  {"NV40", 0x400, 1},         {"G84", 0x150, 1},
                 {"G84", 0x40c, 0},   {"G84", 0x600, 1},   {"GT215", 0x408, 2},        {"GF100", 0x150, 1},
                 {"GF100", 0x40c, 2}, {"GF100", 0x644, 1}, {"GF100", 0x644, 0x200000}, {"GK104", 0x40c, 4},
                 {"GM20B", 0x40c, 0}, {"GK104", 0x18c, 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct pfifo_channel *channel = open_part(cases[i].chip);
        struct words words = bound();
        uint32_t data = cases[i].method == 0x18c ? 0 : cases[i].data;
        words_method(&words, 7, cases[i].method, data);
        words_method(&words, 7, 0x500, 5);
        run(&words, channel);
        assert_int_equal(seen.fault_count, 1);
        assert_string_equal(seen.faults[0].unit, rig.part->fermi ? "PBDMA" : "CACHE_ERROR");
        assert_int_equal(seen.faults[0].subchannel, 7);
        assert_int_equal(seen.faults[0].method, cases[i].method);
        assert_int_equal(seen.faults[0].data, data);
        assert_int_equal(seen.faults[0].channel, pfifo_channel_number(channel));
        assert_int_equal(seen.event_count, 1);
        rig_close(&rig);
    }
}

static void shader_registers_are_written_from_gf100_on(void **state) {
    (void)state;
    static const char *const chips[] = {"GF100", "GK104", "GP102"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        struct pfifo_channel *channel = open_part(chips[i]);
        struct words words = bound();
        words_method(&words, 7, 0x600, 0x12345678);
        words_method(&words, 7, 0x644, 0x1ffffe);
        words_method(&words, 7, 0x6ac, 0xffffffff);
        run(&words, channel);
        assert_int_equal(seen.fault_count, 0);
        assert_int_equal(seen.writes, 3);
        assert_int_equal(seen.written[0], 0x419e00);
        assert_int_equal(seen.values[0], 0x12345678);
        assert_int_equal(seen.written[1], 0x419e44);
        assert_int_equal(seen.values[1], 0x1ffffe);
        assert_int_equal(seen.written[2], 0x419eac);
        rig_close(&rig);
    }
}

/* ---- semaphores ---- */

static void ask_for_release(struct words *words, uint64_t address, uint32_t value, uint32_t head) {
    if (words->fermi) {
        words_method(words, 7, 0x400, (uint32_t)(address >> 32));
        words_method(words, 7, 0x404, (uint32_t)address);
        words_method(words, 7, 0x408, value);
        words_method(words, 7, 0x40c, head);
    } else {
        words_method(words, 7, 0x18c, OBJECT_IN_DMA);
        words_method(words, 7, 0x400, (uint32_t)address);
        words_method(words, 7, 0x404, value);
        words_method(words, 7, 0x408, head);
    }
}

static const char *const vblank_chips[] = {"G80", "G84", "GT215", "MCP89", "GF100", "GK104", "GM107", "GP102"};

/* Its address: from GF100 on virtual, before an offset in a DMA object over the buffer from 0x100 on. */
static uint64_t make_semaphore(struct pfifo_channel *channel, struct pfifo_buffer *buffer) {
    if (rig.part->fermi)
        return pfifo_buffer_address(buffer) + 0x120;
    assert_int_equal(pfifo_channel_dma_object(channel, OBJECT_IN_DMA, buffer, 0x100, 0x100, &rig.error), PFIFO_OK);
    return 0x20;
}

static void a_semaphore_is_released_at_the_next_vertical_blank(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(vblank_chips); i++) {
        struct pfifo_channel *channel = open_part(vblank_chips[i]);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        uint64_t address = make_semaphore(channel, buffer);
        struct words words = bound();
        ask_for_release(&words, address, 0x77, 1);
        run(&words, channel);
        assert_int_equal(rig_read(buffer, 0x120), 0);
        pfifo_device_vblank(rig.device, 0);
        pfifo_device_vblank(rig.device, 31);
        pfifo_device_vblank(rig.device, 32);
        assert_int_equal(rig_read(buffer, 0x120), 0);
        pfifo_device_vblank(rig.device, 1);
        assert_int_equal(rig_read(buffer, 0x120), 0x77);
        assert_int_equal(rig_read(buffer, 0x11c), 0);
        assert_int_equal(rig_read(buffer, 0x124), 0);
        const uint8_t zero[4] = {0};
        assert_true(pfifo_buffer_write(buffer, 0x120, zero, 4));
        pfifo_device_vblank(rig.device, 1); /* once */
        assert_int_equal(rig_read(buffer, 0x120), 0);
        assert_int_equal(seen.fault_count, 0);
        rig_close(&rig);
    }
}

/* The stream waits for it, as a program does that must not draw into what is shown. */
static void a_channel_waits_for_the_vertical_blank(void **state) {
    (void)state;
    static const char *const chips[] = {"G84", "GF100", "GK104"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        struct pfifo_channel *channel = open_part(chips[i]);
        struct pfifo_buffer *push = rig_push_buffer(&rig), *buffer = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        uint64_t address = make_semaphore(channel, buffer);
        struct words words = bound();
        ask_for_release(&words, address, 0x77, 0);
        words_acquire(&words, &rig, pfifo_buffer_address(buffer) + 0x120, 0x77);
        words_method(&words, 7, 0x500, 1);
        words_submit(&words, &rig, channel, push, 0);
        assert_int_equal(pfifo_device_run(rig.device, 1000), PFIFO_STOP_WAITING);
        assert_int_equal(seen.event_count, 0);
        pfifo_device_vblank(rig.device, 0);
        rig_wait(&rig);
        assert_int_equal(seen.event_count, 1);
        rig_close(&rig);
    }
}

/* As in nouveau, value and place are those of the moment when it is released. */
static void what_is_released_is_what_was_said_last(void **state) {
    (void)state;
    struct pfifo_channel *channel = open_part("GF100");
    struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
    struct words words = bound();
    ask_for_release(&words, pfifo_buffer_address(buffer), 1, 0);
    words_method(&words, 7, 0x408, 2);
    words_method(&words, 7, 0x404, (uint32_t)pfifo_buffer_address(buffer) + 8);
    run(&words, channel);
    pfifo_device_vblank(rig.device, 0);
    assert_int_equal(rig_read(buffer, 0), 0);
    assert_int_equal(rig_read(buffer, 8), 2);
    rig_close(&rig);
}

/* The low word leaves 8 bits of the high one, so what is above does not count. */
static void an_address_has_40_bits(void **state) {
    (void)state;
    struct pfifo_channel *channel = open_part("GK104");
    struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
    struct words words = bound();
    ask_for_release(&words, pfifo_buffer_address(buffer) | UINT64_C(0xabcdef) << 40, 3, 0);
    run(&words, channel);
    pfifo_device_vblank(rig.device, 0);
    assert_int_equal(rig_read(buffer, 0), 3);
    rig_close(&rig);
}

static void each_channel_has_its_own(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(vblank_chips); i++) {
        struct pfifo_channel *one = open_part(vblank_chips[i]);
        struct pfifo_channel *other = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        assert_int_equal(pfifo_channel_object(other, SOFTWARE, rig.part->software, &rig.error), PFIFO_OK);
        struct pfifo_buffer *a = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0), *b = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        uint64_t first = make_semaphore(one, a), second = make_semaphore(other, b);
        struct words words = bound();
        ask_for_release(&words, first, 1, 0);
        run(&words, one);
        words = bound();
        ask_for_release(&words, second, 2, 0);
        run(&words, other);
        pfifo_device_vblank(rig.device, 0);
        assert_int_equal(rig_read(a, 0x120), 1);
        assert_int_equal(rig_read(b, 0x120), 2);
        rig_close(&rig);
    }
}

static void an_address_that_is_not_mapped_is_a_fault_of_the_device(void **state) {
    (void)state;
    static const char *const chips[] = {"G84", "GF100", "GK104", "GP102"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        struct pfifo_channel *channel = open_part(chips[i]);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        make_semaphore(channel, buffer);
        struct words words = bound();
        ask_for_release(&words, 0x123456000, 1, 0);
        run(&words, channel);
        pfifo_device_vblank(rig.device, 0);
        assert_true(seen.fault_count >= 1);
        words = bound(); /* the channel lives on */
        words_method(&words, 7, 0x500, 1);
        run(&words, channel);
        assert_int_equal(seen.event_count, 1);
        rig_close(&rig);
    }
}

/* ---- the program's own handler ---- */

static bool own_bind(void *software, struct pfifo_channel *channel, unsigned subchannel, uint32_t object_class) {
    (void)channel, (void)subchannel, (void)object_class;
    assert_ptr_equal(software, &seen);
    seen.binds++;
    return !seen.refuse_bind;
}

static bool own_method(void *software, struct pfifo_channel *channel, uint32_t object_class, unsigned subchannel,
                       uint32_t method, uint32_t data) {
    uint32_t value = 0;
    assert_ptr_equal(software, &seen);
    assert_true(seen.count < COUNT_OF(seen.said));
    pfifo_gpu_method_value(pfifo_device_gpu(rig.device), pfifo_channel_number(channel), rig.part->graphics, NOP,
                           &value);
    seen.said[seen.count++] =
        (struct said){pfifo_channel_number(channel), object_class, subchannel, method, data, value};
    return seen.fall_back ? pfifo_channel_software_method(channel, method, data) : method != 0x700;
}

static void own_gone(void *software, uint32_t channel) {
    (void)software, (void)channel;
    seen.gone++;
}

static const struct pfifo_software_ops own_ops = {
    .name = "own", .bind = own_bind, .method = own_method, .channel_gone = own_gone};

static void a_program_may_take_the_methods_itself(void **state) {
    (void)state;
    FOR_EACH_KIND {
        struct pfifo_channel *channel = open_part(part->chip);
        pfifo_device_set_software(rig.device, &own_ops, &seen);
        struct words words = bound();
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_method(&words, 7, 0x600, 10);
        words_method(&words, SUBCHANNEL, NOP, 2);
        words_method(&words, 7, 0x700, 11);
        words_method(&words, SUBCHANNEL, NOP, 3);
        run(&words, channel);
        assert_int_equal(seen.binds, 1);
        assert_int_equal(seen.count, 2);
        assert_int_equal(seen.said[0].object_class, part->software);
        assert_int_equal(seen.said[0].channel, pfifo_channel_number(channel));
        assert_int_equal(seen.said[0].subchannel, 7);
        assert_int_equal(seen.said[0].method, 0x600);
        assert_int_equal(seen.said[0].data, 10);
        assert_int_equal(seen.said[0].engine_value, 1); /* what comes before is done, what comes after is not */
        assert_int_equal(seen.said[1].engine_value, 2);
        assert_int_equal(seen.fault_count, 1); /* it did not want 0x700 */
        assert_int_equal(seen.faults[0].method, 0x700);
        pfifo_channel_close(channel);
        assert_int_equal(seen.gone, 1);
        rig_close(&rig);
        assert_int_equal(seen.gone, 1);
    }
}

static void a_handler_may_fall_back_on_the_drivers(void **state) {
    (void)state;
    struct pfifo_channel *channel = open_part("GF100");
    seen.fall_back = true;
    pfifo_device_set_software(rig.device, &own_ops, &seen);
    struct words words = bound();
    words_method(&words, 7, 0x500, 1);
    words_method(&words, 7, 0x700, 1);
    run(&words, channel);
    assert_int_equal(seen.event_count, 1);
    assert_int_equal(seen.fault_count, 1);
    pfifo_device_set_software(rig.device, NULL, NULL);
    words = bound();
    words_method(&words, 7, 0x500, 1);
    run(&words, channel);
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.event_count, 2);
    rig_close(&rig);
}

static void a_handler_may_refuse_an_object(void **state) {
    (void)state;
    static const char *const chips[] = {"NV4", "NV40", "G84", "GF100", "GK104"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        struct pfifo_channel *channel = open_part(chips[i]);
        seen.refuse_bind = true;
        pfifo_device_set_software(rig.device, &own_ops, &seen);
        struct words words = bound();
        words_method(&words, 7, 0x600, 1);
        run(&words, channel);
        assert_int_equal(seen.binds, 1);
        assert_int_equal(seen.count, 0);
        assert_int_equal(seen.fault_count, 2);
        rig_close(&rig);
    }
}

/* Mesa says 0x1f906e below GK104 and 0x906e, engine 0, from there on. */
static void mesas_bare_class_is_the_software_too(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t subchannel, data;
    } cases[] = {{"GF100", 7, 0x1f906e}, {"GF100", 7, 0x906e}, {"GF100", 0, 0x906e},   {"GK104", 7, 0x906e},
                 {"GM107", 7, 0x906e},   {"GP102", 7, 0x906e}, {"GK104", 7, 0x1f906e}, {"GM20B", 5, 0x906e}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct pfifo_channel *channel = open_part(cases[i].chip);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_method(&words, cases[i].subchannel, 0, cases[i].data);
        words_method(&words, cases[i].subchannel, 0x500, 3);
        run(&words, channel);
        assert_int_equal(seen.fault_count, 0);
        assert_int_equal(seen.event_count, 1);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nv4_keeps_a_reference),
        cmocka_unit_test(an_event_is_the_programs_on_every_generation),
        cmocka_unit_test(a_software_object_takes_the_subchannel_of_another),
        cmocka_unit_test(a_method_that_nouveau_does_not_know_is_a_fault_and_is_skipped),
        cmocka_unit_test(shader_registers_are_written_from_gf100_on),
        cmocka_unit_test(a_semaphore_is_released_at_the_next_vertical_blank),
        cmocka_unit_test(a_channel_waits_for_the_vertical_blank),
        cmocka_unit_test(what_is_released_is_what_was_said_last),
        cmocka_unit_test(an_address_has_40_bits),
        cmocka_unit_test(each_channel_has_its_own),
        cmocka_unit_test(an_address_that_is_not_mapped_is_a_fault_of_the_device),
        cmocka_unit_test(a_program_may_take_the_methods_itself),
        cmocka_unit_test(a_handler_may_fall_back_on_the_drivers),
        cmocka_unit_test(a_handler_may_refuse_an_object),
        cmocka_unit_test(mesas_bare_class_is_the_software_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
