/* SPDX-License-Identifier: MIT */
/* PMPEG before G80: its driver binds DMA objects for it, and refuses what cannot be bound, as nouveau does. */
#include "driver/rig.h"

static struct rig rig;

#define MPEG   0xbeef3174u
#define BUFFER 0xd0u
#define BYTES  0x3000u
#define SKIP   0x344u

struct place {
    uint32_t method, base, bytes, nv31, nv40; /* registers, and bits of CONFIG for an object in system memory */
};

static const struct place places[] = {
    {0x190, 0xb334, 0xb324, 1u << 16, 2u << 16},
    {0x1a0, 0xb360, 0xb364, 1u << 17, 2u << 18},
    {0x1b0, 0xb370, 0xb374, 0, 0},
};

#define CONFIG_BITS 0x000f0000u

static bool has_mpeg(const struct part *part) {
    static const char *const chips[] = {"NV34", "NV40", "NV44", "NV44A", "G71"};
    for (size_t i = 0; i < COUNT_OF(chips); i++)
        if (strcmp(part->chip, chips[i]) == 0)
            return true;
    return false;
}

#define FOR_EACH_MPEG FOR_EACH_PART if (has_mpeg(part))

static uint32_t rd(uint32_t offset) {
    return pfifo_gpu_rd32(pfifo_device_gpu(rig.device), offset);
}

static struct pfifo_channel *open_channel(void) {
    struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DMA, 0);
    if (pfifo_channel_object(channel, MPEG, 0x3174, &rig.error) != PFIFO_OK)
        fail_msg("%s: %s", rig.part->chip, rig.error.message);
    return channel;
}

static struct pfifo_buffer *add_buffer(struct pfifo_channel *channel, enum pfifo_domain domain) {
    struct pfifo_buffer *buffer = rig_buffer(&rig, domain, 0x4000, 0);
    assert_int_equal(pfifo_channel_dma_object(channel, BUFFER, buffer, SKIP, BYTES, &rig.error), PFIFO_OK);
    return buffer;
}

/* Bind, and a method that only PMPEG has, after it. */
static void bind(struct pfifo_channel *channel, uint32_t method, uint32_t handle, uint32_t behind) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_DMA);
    words_method(&words, SUBCHANNEL, 0, MPEG);
    words_method(&words, SUBCHANNEL, method, handle);
    words_method(&words, SUBCHANNEL, 0x200, behind);
    words_submit(&words, &rig, channel, rig_push_buffer(&rig), 0);
    rig_wait(&rig);
}

static void the_driver_starts_it(void **state) {
    (void)state;
    FOR_EACH_MPEG {
        rig_open(&rig, part);
        assert_int_equal(rd(0xb220), 0x31);
        assert_int_equal(rd(0xb300), 0x02001ec1);
        assert_int_equal(rd(0xb314), 0x100);
        assert_int_equal(rd(0xb32c), 1);
        assert_int_equal(rd(0xb140), 0xffffffff);
        rig_close(&rig);
    }
}

static void dma_objects_are_bound_by_the_driver(void **state) {
    (void)state;
    FOR_EACH_MPEG for (unsigned system = 0; system < 2; system++) for (size_t i = 0; i < COUNT_OF(places); i++) {
        const struct place *place = &places[i];
        uint32_t value = 0;
        if (system && !place->nv31) /* images are in VRAM */
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_channel();
        struct pfifo_buffer *buffer = add_buffer(channel, system ? PFIFO_GART : PFIFO_VRAM);
        bind(channel, place->method, BUFFER, 0x77);
        assert_int_equal(rig.fault_count, 0);
        if (!system) /* where VRAM buffers are, programs know */
            assert_int_equal(rd(place->base), ((uint32_t)pfifo_buffer_address(buffer) + SKIP) & ~(i ? 0u : 3u));
        assert_true(rd(place->base) % 0x1000 == SKIP);
        assert_int_equal(rd(place->bytes), BYTES);
        bool nv40 = strcmp(part->chip, "NV34") != 0;
        assert_int_equal(rd(0xb300) & CONFIG_BITS, !system ? 0 : nv40 ? place->nv40 : place->nv31);
        assert_int_equal(rd(0xb300) & ~CONFIG_BITS, 0x02001ec1 & ~CONFIG_BITS);
        assert_int_equal(rd(0xb100), 0);
        assert_int_equal(rd(0xb230), 0);
        assert_true(
            pfifo_gpu_method_value(pfifo_device_gpu(rig.device), pfifo_channel_number(channel), 0x3174, 0x200, &value));
        assert_int_equal(value, 0x77);
        rig_close(&rig);
    }
}

/* Pages, images that are not in VRAM, and values that have nothing to do with it. */
static void what_cannot_be_bound_is_a_fault(void **state) {
    static const struct {
        uint32_t method, handle;
    } cases[] = {{0x190, GART_HANDLE}, {0x1a0, GART_HANDLE}, {0x1b0, GART_HANDLE}, {0x1b0, BUFFER}, {0x160, 5}};
    (void)state;
    FOR_EACH_MPEG for (size_t i = 0; i < COUNT_OF(cases); i++) {
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_channel();
        uint32_t config = rd(0xb300);
        add_buffer(channel, PFIFO_GART);
        bind(channel, cases[i].method, cases[i].handle, 0x78);
        assert_int_equal(rig.fault_count, 1);
        assert_string_equal(rig.faults[0].unit, "PMPEG");
        assert_string_equal(rig.faults[0].error, "METHOD");
        assert_int_equal(rig.faults[0].method, cases[i].method);
        for (size_t n = 0; n < COUNT_OF(places); n++)
            assert_int_equal(rd(places[n].base) | rd(places[n].bytes), 0);
        assert_int_equal(rd(0xb300), config);
        bind(channel, 0x200, 1, 2); /* it goes on */
        assert_int_equal(rig.fault_count, 1);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_driver_starts_it),
        cmocka_unit_test(dma_objects_are_bound_by_the_driver),
        cmocka_unit_test(what_cannot_be_bound_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
