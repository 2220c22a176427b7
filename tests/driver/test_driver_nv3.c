/* SPDX-License-Identifier: MIT */
/* DMA objects and copies on NV3, where PGRAPH has no methods to bind them: programs send these all the same. */
#include "driver/rig.h"

static struct rig rig;

#define COPY    0x39u /* handles: the object, ... */
#define FROM    0xd0u /* ... and DMA objects */
#define TO      0xd1u
#define NOTES   0xd2u
#define BYTES   0x6000u
#define PITCH   0x100u
#define LINES   0x20u
#define SUB     3u
#define NOTIFY  0x104u
#define RECORD  16u
#define NO_NOTE 0xffffffffu

struct side {
    enum pfifo_domain domain;
    uint64_t skip; /* of the buffer, before the DMA object begins */
};

struct scene {
    struct pfifo_channel *channel;
    struct pfifo_buffer *from, *to, *notes;
};

static const struct part *const chips[] = {&pio_parts[1], &pio_parts[2]};

#define FOR_EACH_CHIP for (size_t chip = 0; chip < COUNT_OF(chips); chip++)

static void put(struct pfifo_channel *channel, uint32_t method, uint32_t data) {
    if (pfifo_channel_write_methods(channel, SUB, method, 0, &data, 1, &rig.error) != PFIFO_OK)
        fail_msg("%s: %s", rig.part->chip, rig.error.message);
}

static void put_all(struct pfifo_channel *channel, uint32_t method, const uint32_t *data, uint32_t count) {
    assert_int_equal(pfifo_channel_write_methods(channel, SUB, method, 4, data, count, &rig.error), PFIFO_OK);
}

/* Lines of PITCH bytes, from and to offset 8. */
static void put_copy(struct pfifo_channel *channel, uint32_t lines) {
    const uint32_t state[] = {8, 8, PITCH, PITCH, PITCH, lines, 0x101, 0};
    put_all(channel, 0x30c, state, COUNT_OF(state));
}

static uint32_t pattern(uint32_t word, uint32_t seed) {
    return (word + seed) * 2654435761u;
}

static void fill(struct pfifo_buffer *buffer, uint32_t seed) {
    for (uint32_t i = 0; i < BYTES; i += 4) {
        uint32_t word = pattern(i, seed);
        assert_true(pfifo_buffer_write(buffer, i, &word, 4));
    }
}

static void add_object(struct pfifo_channel *channel, uint32_t handle, struct pfifo_buffer *buffer, uint64_t skip,
                       uint64_t bytes) {
    if (pfifo_channel_dma_object(channel, handle, buffer, skip, bytes, &rig.error) != PFIFO_OK)
        fail_msg("%s: %s", rig.part->chip, rig.error.message);
}

static struct scene scene_on(struct side from, struct side to) {
    struct scene s = {.channel = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0),
                      .from = rig_buffer(&rig, from.domain, BYTES, 0),
                      .to = rig_buffer(&rig, to.domain, BYTES, 0),
                      .notes = rig_buffer(&rig, PFIFO_GART, 0x1000, 0)};
    uint32_t unwritten[64];
    memset(unwritten, 0xff, sizeof unwritten);
    fill(s.from, 1);
    fill(s.to, 2);
    assert_true(pfifo_buffer_write(s.notes, 0, unwritten, sizeof unwritten));
    assert_int_equal(pfifo_channel_object(s.channel, COPY, 0x39, &rig.error), PFIFO_OK);
    add_object(s.channel, FROM, s.from, from.skip, BYTES - from.skip);
    add_object(s.channel, TO, s.to, to.skip, BYTES - to.skip);
    add_object(s.channel, NOTES, s.notes, 0, 0x1000);
    return s;
}

static void bind_all(struct pfifo_channel *channel) {
    const uint32_t handles[] = {NOTES, FROM, TO};
    put(channel, 0, COPY);
    put_all(channel, 0x180, handles, COUNT_OF(handles));
}

static void assert_copied(const struct scene *s, uint64_t from_skip, uint64_t to_skip, uint32_t lines) {
    uint32_t bytes = lines * PITCH, at = (uint32_t)to_skip + 8;
    for (uint32_t i = 0; i < BYTES; i += 4) {
        bool inside = i >= at && i < at + bytes;
        uint32_t expected = inside ? pattern((uint32_t)from_skip + 8 + i - at, 1) : pattern(i, 2);
        assert_int_equal(rig_read(s->to, i), expected);
    }
}

static void assert_fault(size_t nth, const struct pfifo_channel *channel, const char *error, uint32_t method,
                         uint32_t data) {
    assert_true(nth < rig.fault_count);
    assert_string_equal(rig.faults[nth].unit, "PGRAPH");
    assert_string_equal(rig.faults[nth].error, error);
    assert_int_equal(rig.faults[nth].channel, pfifo_channel_number(channel));
    assert_int_equal(rig.faults[nth].subchannel, SUB);
    assert_int_equal(rig.faults[nth].method, method);
    assert_int_equal(rig.faults[nth].data, data);
}

/* ---- what works ---- */

static void programs_bind_dma_objects_as_on_later_chips(void **state) {
    static const struct {
        struct side from, to;
    } cases[] = {
        {{PFIFO_VRAM, 0}, {PFIFO_GART, 0}},
        {{PFIFO_GART, 0}, {PFIFO_VRAM, 0}},
        {{PFIFO_GART, 0x1234}, {PFIFO_GART, 0xffc}},
        {{PFIFO_VRAM, 0x344}, {PFIFO_VRAM, 0x1004}},
    };
    (void)state;
    FOR_EACH_CHIP for (size_t i = 0; i < COUNT_OF(cases); i++) {
        rig_open(&rig, chips[chip]);
        struct scene s = scene_on(cases[i].from, cases[i].to);
        bind_all(s.channel);
        put_copy(s.channel, LINES);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_copied(&s, cases[i].from.skip, cases[i].to.skip, LINES);
        assert_int_equal(rig_read(s.notes, 0), NO_NOTE);
        assert_int_equal(rig_read(s.notes, RECORD + 12), 0); /* notifier 1: done */
        rig_close(&rig);
    }
}

/* It has been loaded; what is bound then counts for the next copy all the same. */
static void another_object_can_be_bound_between_copies(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        rig_open(&rig, chips[chip]);
        struct scene s = scene_on((struct side){PFIFO_GART, 0}, (struct side){PFIFO_VRAM, 0});
        struct pfifo_buffer *other = rig_buffer(&rig, PFIFO_VRAM, BYTES, 0);
        add_object(s.channel, 0xee, other, 0, BYTES);
        bind_all(s.channel);
        put_copy(s.channel, LINES);
        put(s.channel, 0x188, 0xee);
        put_copy(s.channel, LINES);
        put(s.channel, 0x184, 0xee);
        put(s.channel, 0x188, FROM);
        put(s.channel, 0x180, 0); /* no object is one, too, until it is used */
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_copied(&s, 0, 0, LINES);
        for (uint32_t i = 8; i < 8 + LINES * PITCH; i += 4)
            assert_int_equal(rig_read(other, i), pattern(i, 1));
        rig_close(&rig);
    }
}

static void all_of_vram_and_gart_have_handles(void **state) {
    const struct pfifo_channel_config config = {.vram_handle = VRAM_HANDLE, .gart_handle = GART_HANDLE};
    (void)state;
    FOR_EACH_CHIP {
        rig_open(&rig, chips[chip]);
        struct scene s = {.channel = pfifo_channel_open(rig.device, &config, &rig.error),
                          .from = rig_buffer(&rig, PFIFO_GART, BYTES, 0),
                          .to = rig_buffer(&rig, PFIFO_VRAM, BYTES, 0)};
        assert_non_null(s.channel);
        fill(s.from, 1);
        assert_int_equal(pfifo_channel_object(s.channel, COPY, 0x39, &rig.error), PFIFO_OK);
        const uint32_t handles[] = {GART_HANDLE, GART_HANDLE, VRAM_HANDLE};
        const uint32_t copy[] = {
            (uint32_t)pfifo_buffer_address(s.from), (uint32_t)pfifo_buffer_address(s.to), 0, 0, BYTES, 1, 0x101, 0};
        put(s.channel, 0, COPY);
        put_all(s.channel, 0x180, handles, COUNT_OF(handles));
        put_all(s.channel, 0x30c, copy, COUNT_OF(copy));
        rig_wait(&rig);
        for (uint32_t i = 0; i < BYTES; i += 4)
            assert_int_equal(rig_read(s.to, i), pattern(i, 1));
        assert_int_equal(rig.fault_count, 1); /* the notifier, at the begin of GART, where nothing is */
        assert_fault(0, s.channel, "DMA_PRESENT", 0x328, 0);
        rig_close(&rig);
    }
}

/* ---- what does not ---- */

static void what_nobody_knows_is_a_fault_and_changes_nothing(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        rig_open(&rig, chips[chip]);
        struct scene s = scene_on((struct side){PFIFO_VRAM, 0}, (struct side){PFIFO_GART, 0});
        bind_all(s.channel);
        put(s.channel, 0x188, 0x1234); /* a handle of nothing, */
        put(s.channel, 0x184, COPY);   /* of an object that is no DMA object, */
        put(s.channel, 0x18c, FROM);   /* and methods that nobody has */
        put(s.channel, 0x100, 0);
        put_copy(s.channel, LINES);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 4);
        assert_fault(0, s.channel, "INVALID_METHOD", 0x188, 0x1234);
        assert_fault(1, s.channel, "INVALID_METHOD", 0x184, COPY);
        assert_fault(2, s.channel, "INVALID_METHOD", 0x18c, FROM);
        assert_fault(3, s.channel, "INVALID_METHOD", 0x100, 0);
        assert_copied(&s, 0, 0, LINES);
        rig_close(&rig);
    }
}

/* Only M2MF has a second DMA object; a blit has none but its notifiers. */
static void each_class_has_binds_of_its_own(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        rig_open(&rig, chips[chip]);
        struct scene s = scene_on((struct side){PFIFO_VRAM, 0}, (struct side){PFIFO_GART, 0});
        assert_int_equal(pfifo_channel_object(s.channel, 0x1f, 0x1f, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_channel_object(s.channel, 0x37, 0x37, &rig.error), PFIFO_OK);
        for (uint32_t object = 0x1f; object <= 0x37; object += 0x37 - 0x1f) {
            put(s.channel, 0, object);
            for (uint32_t method = 0x180; method <= 0x188; method += 4)
                put(s.channel, method, FROM);
        }
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 3);
        assert_fault(0, s.channel, "INVALID_METHOD", 0x184, FROM);
        assert_fault(1, s.channel, "INVALID_METHOD", 0x188, FROM);
        assert_fault(2, s.channel, "INVALID_METHOD", 0x188, FROM);
        rig_close(&rig);
    }
}

static void errors_have_their_names(void **state) {
    static const struct {
        uint32_t method, data;
        const char *error;
        bool early; /* before the state is set */
    } cases[] = {
        {0x314, 0x8000, "INVALID_VALUE", false},  {NOTIFY, 16, "INVALID_VALUE", false},
        {0x2fc, 0, "INVALID_METHOD", false},      {0x328, 0, "MISSING_METHOD", true},
        {0x310, BYTES - 64, "DMA_LINEAR", false}, {0x180, 0, "DMA_INSTANCE", false},
        {0x188, 0, "DMA_INSTANCE", false},
    };
    (void)state;
    FOR_EACH_CHIP for (size_t i = 0; i < COUNT_OF(cases); i++) {
        rig_open(&rig, chips[chip]);
        struct scene s = scene_on((struct side){PFIFO_VRAM, 0}, (struct side){PFIFO_GART, 0});
        bool at_launch = cases[i].error[0] == 'D';
        bind_all(s.channel);
        if (!cases[i].early) {
            put_copy(s.channel, 1);
            put(s.channel, cases[i].method, cases[i].data);
        }
        if (at_launch || cases[i].early)
            put(s.channel, 0x328, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        if (at_launch)
            assert_fault(0, s.channel, cases[i].error, 0x328, 0);
        else
            assert_fault(0, s.channel, cases[i].error, cases[i].method, cases[i].data);
        rig_close(&rig);
    }
}

static void one_channel_faults_and_the_other_goes_on(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        rig_open(&rig, chips[chip]);
        struct scene good = scene_on((struct side){PFIFO_VRAM, 0}, (struct side){PFIFO_GART, 0});
        struct scene bad = scene_on((struct side){PFIFO_GART, 0}, (struct side){PFIFO_VRAM, 0x5000});
        bind_all(good.channel);
        bind_all(bad.channel);
        for (unsigned i = 0; i < 5; i++) {
            put_copy(bad.channel, LINES); /* 0x2000 bytes into 0x1000 */
            put_copy(good.channel, LINES);
        }
        rig_wait(&rig);
        assert_copied(&good, 0, 0, LINES);
        assert_int_equal(rig_read(good.notes, RECORD + 12), 0);
        assert_int_equal(rig_read(bad.notes, RECORD + 12), 0x40000000);
        assert_copied(&bad, 0, 0x5000, 0xff8 / PITCH + 1); /* as far as it goes */
        assert_int_equal(rig.fault_count, 5);
        for (unsigned i = 0; i < 5; i++)
            assert_fault(i, bad.channel, "DMA_LINEAR", 0x328, 0);
        rig_close(&rig);
    }
}

/* ---- PGRAPH's registers go with the channel ---- */

static void a_pending_notify_waits_for_its_channel(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        rig_open(&rig, chips[chip]);
        struct scene a = scene_on((struct side){PFIFO_VRAM, 0}, (struct side){PFIFO_GART, 0});
        struct scene b = scene_on((struct side){PFIFO_VRAM, 0}, (struct side){PFIFO_GART, 0});
        bind_all(a.channel);
        bind_all(b.channel);
        put(a.channel, NOTIFY, 5);
        rig_wait(&rig);
        put_copy(b.channel, LINES);
        put(b.channel, NOTIFY, 7);
        rig_wait(&rig);
        put_copy(a.channel, LINES);
        rig_wait(&rig);
        assert_int_equal(rig_read(a.notes, 5 * RECORD + 12), 0);
        assert_int_equal(rig_read(b.notes, 5 * RECORD + 12), NO_NOTE);
        assert_int_equal(rig_read(b.notes, 7 * RECORD + 12), NO_NOTE);
        put(b.channel, 0x30c, 8);
        rig_wait(&rig);
        assert_int_equal(rig_read(a.notes, 7 * RECORD + 12), NO_NOTE);
        assert_int_equal(rig_read(b.notes, 7 * RECORD + 12), 0);
        assert_int_equal(rig.fault_count, 0);
        assert_copied(&a, 0, 0, LINES);
        assert_copied(&b, 0, 0, LINES);
        rig_close(&rig);
    }
}

/* A new channel has the number, and its objects the places, of one that is gone. */
static void nothing_is_left_of_a_channel_that_closes(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        rig_open(&rig, chips[chip]);
        struct scene old = scene_on((struct side){PFIFO_VRAM, 0}, (struct side){PFIFO_GART, 0});
        bind_all(old.channel);
        put_copy(old.channel, 1);
        put(old.channel, NOTIFY, 2);
        rig_wait(&rig);
        uint32_t number = pfifo_channel_number(old.channel);
        pfifo_channel_close(old.channel);
        struct scene s = scene_on((struct side){PFIFO_GART, 0}, (struct side){PFIFO_VRAM, 0});
        assert_int_equal(pfifo_channel_number(s.channel), number);
        put(s.channel, 0, COPY);
        put_copy(s.channel, LINES); /* before anything was bound */
        bind_all(s.channel);
        put_copy(s.channel, LINES);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        assert_fault(0, s.channel, "DMA_INSTANCE", 0x328, 0);
        assert_copied(&s, 0, 0, LINES);
        assert_int_equal(rig_read(old.notes, 2 * RECORD + 12), NO_NOTE);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_bind_dma_objects_as_on_later_chips),
        cmocka_unit_test(another_object_can_be_bound_between_copies),
        cmocka_unit_test(all_of_vram_and_gart_have_handles),
        cmocka_unit_test(what_nobody_knows_is_a_fault_and_changes_nothing),
        cmocka_unit_test(each_class_has_binds_of_its_own),
        cmocka_unit_test(errors_have_their_names),
        cmocka_unit_test(one_channel_faults_and_the_other_goes_on),
        cmocka_unit_test(a_pending_notify_waits_for_its_channel),
        cmocka_unit_test(nothing_is_left_of_a_channel_that_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
