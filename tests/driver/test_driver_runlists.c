/* SPDX-License-Identifier: MIT */
/* Channels for other engines than PGRAPH: every engine that the topology table lists can be reached by its channels. */
#include "driver/rig.h"

static struct rig rig;

#define PCCSR    0x800000u
#define METHOD   0x400u /* that no engine gives a meaning to without an object */
#define TOPOLOGY 0x22700u

static struct pfifo_channel *open_for(enum pfifo_channel_engine engine) {
    const struct pfifo_channel_config config = {.engine = engine, .entries = 16};
    return pfifo_channel_open(rig.device, &config, &rig.error);
}

/* Chips with a runlist per engine, and what they have. */
static const struct {
    const char *chips[8];
    bool copy, decoder, processor, bitstream, encoder, security;
} has[] = {
    {{"GK104", "GK107", "GK106", "GK110", "GK110B", "GK208", "GK208B"}, true, true, true, true, true, false},
    {{"GK20A", "GM20B", "GP10B"}, true, false, false, false, false, false},
    {{"GM107", "GM108"}, true, true, false, false, true, true},
    {{"GM200", "GM204", "GM206", "GP100"}, true, true, false, false, true, false},
    {{"GP102", "GP104", "GP106", "GP107", "GP108"}, true, true, false, false, true, true},
};

static void expect_engine(enum pfifo_channel_engine engine, bool there) {
    struct pfifo_channel *channel = open_for(engine);
    if (there)
        assert_non_null(channel);
    else
        assert_null(channel);
    if (!there) {
        assert_int_equal(rig.error.status, PFIFO_ERROR_UNSUPPORTED);
        assert_non_null(strstr(rig.error.message, rig.part->chip));
    }
    pfifo_channel_close(channel);
}

static void an_engine_that_the_chip_does_not_have_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(has); i++)
        for (size_t n = 0; n < COUNT_OF(has[i].chips) && has[i].chips[n]; n++) {
            rig_open(&rig, rig_part(has[i].chips[n]));
            expect_engine(PFIFO_ENGINE_GRAPHICS, true);
            expect_engine(PFIFO_ENGINE_COPY, has[i].copy);
            expect_engine(PFIFO_ENGINE_VIDEO_DECODER, has[i].decoder);
            expect_engine(PFIFO_ENGINE_VIDEO_PROCESSOR, has[i].processor);
            expect_engine(PFIFO_ENGINE_VIDEO_BITSTREAM, has[i].bitstream);
            expect_engine(PFIFO_ENGINE_VIDEO_ENCODER, has[i].encoder);
            expect_engine(PFIFO_ENGINE_SECURITY, has[i].security);
            assert_null(open_for((enum pfifo_channel_engine)7));
            assert_int_equal(rig.error.status, PFIFO_ERROR_ARGUMENT);
            rig_close(&rig);
        }
}

/* Before GK104 a channel feeds them all; what matters is whether there is one. */
static void before_kepler_any_channel_will_do(void **state) {
    static const struct {
        const char *chip;
        enum pfifo_channel_engine engine;
        bool there;
    } cases[] = {
        {"NV40", PFIFO_ENGINE_COPY, false},
        {"G80", PFIFO_ENGINE_COPY, false},
        {"G80", PFIFO_ENGINE_VIDEO_DECODER, true},
        {"G80", PFIFO_ENGINE_VIDEO_BITSTREAM, false},
        {"G84", PFIFO_ENGINE_VIDEO_BITSTREAM, true},
        {"G84", PFIFO_ENGINE_SECURITY, true},
        {"G98", PFIFO_ENGINE_VIDEO_PROCESSOR, true},
        {"G98", PFIFO_ENGINE_SECURITY, true},
        {"G98", PFIFO_ENGINE_COPY, false},
        {"GT215", PFIFO_ENGINE_COPY, true},
        {"GT215", PFIFO_ENGINE_SECURITY, false},
        {"MCP89", PFIFO_ENGINE_COPY, true},
        {"GF100", PFIFO_ENGINE_COPY, true},
        {"GF119", PFIFO_ENGINE_VIDEO_PROCESSOR, true},
        {"GF117", PFIFO_ENGINE_VIDEO_ENCODER, false},
        {"GF100", PFIFO_ENGINE_GRAPHICS, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        rig_open(&rig, rig_part(cases[i].chip));
        expect_engine(cases[i].engine, cases[i].there);
        rig_close(&rig);
    }
}

/* Read as the documents say, not as the driver does. Types: GR, COPY0 .. 2. */
static uint32_t runlist_in_topology(uint32_t type) {
    struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
    uint32_t runlist = UINT32_MAX, found = UINT32_MAX;
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t word = pfifo_gpu_rd32(gpu, TOPOLOGY + 4 * i);
        if ((word & 3) == 2)
            runlist = word >> 21 & 0xf;
        if ((word & 3) == 3)
            found = (word & 0x7ffffffc) >> 2;
        if ((word & 3) != 0 && !(word >> 31)) {
            if (found == type)
                return runlist;
        }
    }
    return UINT32_MAX;
}

static void a_channel_is_on_the_runlist_of_its_engine(void **state) {
    static const struct {
        enum pfifo_channel_engine engine;
        uint32_t types[2];
    } engines[] = {
        {PFIFO_ENGINE_GRAPHICS, {0, 0}},          {PFIFO_ENGINE_VIDEO_DECODER, {0x8, 0x10}},
        {PFIFO_ENGINE_VIDEO_PROCESSOR, {9, 9}},   {PFIFO_ENGINE_VIDEO_BITSTREAM, {0xa, 0xa}},
        {PFIFO_ENGINE_VIDEO_ENCODER, {0xb, 0xe}}, {PFIFO_ENGINE_SECURITY, {0xd, 0xd}},
    };
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi || part->chip[1] == 'F')
            continue;
        rig_open(&rig, part);
        for (size_t i = 0; i < COUNT_OF(engines); i++) {
            struct pfifo_channel *channel = open_for(engines[i].engine);
            if (!channel)
                continue;
            uint32_t want = runlist_in_topology(engines[i].types[0]);
            want = want == UINT32_MAX ? runlist_in_topology(engines[i].types[1]) : want;
            uint32_t word = pfifo_gpu_rd32(pfifo_device_gpu(rig.device), PCCSR + 8 * pfifo_channel_number(channel) + 4);
            assert_int_equal(word >> 16 & 0xf, want);
            assert_int_equal(word & 1, 1);
            /* the list has this channel, and only it */
            assert_int_equal(pfifo_gpu_rd32(pfifo_device_gpu(rig.device), 0x2284 + 8 * want) & 0xffff, 1);
            pfifo_channel_close(channel);
            assert_int_equal(pfifo_gpu_rd32(pfifo_device_gpu(rig.device), 0x2284 + 8 * want) & 0xffff, 0);
        }
        rig_close(&rig);
    }
}

/* On a runlist of its own; the Tegras have their only copy engine on PGRAPH's. */
static void copies_have_a_runlist_of_their_own_where_there_is_one(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi || part->chip[1] == 'F')
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_for(PFIFO_ENGINE_COPY);
        assert_non_null(channel);
        uint32_t word = pfifo_gpu_rd32(pfifo_device_gpu(rig.device), PCCSR + 8 * pfifo_channel_number(channel) + 4);
        if (part->vram)
            assert_int_not_equal(word >> 16 & 0xf, runlist_in_topology(0));
        else
            assert_int_equal(word >> 16 & 0xf, runlist_in_topology(0));
        rig_close(&rig);
    }
}

/* Its methods come on a subchannel of channels for graphics. */
static void the_third_copy_engine_is_on_the_list_of_graphics(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi || part->chip[1] == 'F')
            continue;
        rig_open(&rig, part);
        assert_int_equal(runlist_in_topology(3), runlist_in_topology(0));
        rig_close(&rig);
    }
}

static void send(struct pfifo_channel *channel, struct pfifo_buffer *push, uint64_t offset, uint32_t data) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_method(&words, SUBCHANNEL, METHOD, data);
    words_submit(&words, &rig, channel, push, offset);
}

/* All at once, several channels per engine: each takes its methods, and nobody else's. */
static void every_engine_takes_the_methods_of_its_channels(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi || part->chip[1] == 'F')
            continue;
        struct pfifo_channel *channel[2][PFIFO_ENGINE_SECURITY + 1] = {0};
        uint32_t sent = 0;
        rig_open(&rig, part);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        for (unsigned turn = 0; turn < 2; turn++)
            for (int e = PFIFO_ENGINE_GRAPHICS; e <= PFIFO_ENGINE_SECURITY; e++) {
                channel[turn][e] = open_for((enum pfifo_channel_engine)e);
                if (channel[turn][e])
                    send(channel[turn][e], push, 0x100 * sent++, 0x100 * turn + (uint32_t)e);
            }
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig_count(&rig, METHOD), sent);
        for (size_t i = 0; i < rig.method_count; i++) {
            uint32_t data = rig.methods[i].data;
            assert_int_equal(rig.methods[i].channel, pfifo_channel_number(channel[data >> 8][data & 0xff]));
        }
        rig_close(&rig);
    }
}

/* LAUNCH_DMA without a transfer: the semaphore alone, which only a copy engine knows. */
static void a_copy_engine_on_its_own_runlist_releases_its_semaphore(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi || part->chip[1] == 'F' || !part->vram)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_for(PFIFO_ENGINE_COPY);
        struct pfifo_buffer *push = rig_push_buffer(&rig), *memory = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        uint64_t address = pfifo_buffer_address(memory) + 0x10;
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_header(&words, SUBCHANNEL, 0x240, 3);
        words_add(&words, (uint32_t)(address >> 32));
        words_add(&words, (uint32_t)address);
        words_add(&words, 0xc0b1e5);
        words_method(&words, SUBCHANNEL, 0x300, 0x8);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig_read(memory, 0x10), 0xc0b1e5);
        rig_close(&rig);
    }
}

static void ping_pong(struct words *words, uint64_t address, uint32_t wait, uint32_t give) {
    words_acquire(words, &rig, address, wait);
    words_method(words, SUBCHANNEL, METHOD, give);
    words_release(words, &rig, address, give);
}

/* Three rounds, begun by the one that is submitted last. */
static void channels_of_two_engines_wait_for_each_other(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi || part->chip[1] == 'F')
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *copy = open_for(PFIFO_ENGINE_COPY), *graphics = open_for(PFIFO_ENGINE_GRAPHICS);
        struct pfifo_buffer *push = rig_push_buffer(&rig), *memory = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        uint64_t address = pfifo_buffer_address(memory);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        for (uint32_t i = 1; i < 7; i += 2)
            ping_pong(&words, address, i, i + 1);
        words_submit(&words, &rig, copy, push, 0);
        assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_WAITING);
        assert_int_equal(pfifo_gpu_stop_info(pfifo_device_gpu(rig.device))->channel, pfifo_channel_number(copy));
        words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        for (uint32_t i = 0; i < 6; i += 2)
            ping_pong(&words, address, i, i + 1);
        words_submit(&words, &rig, graphics, push, 0x1000);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        rig_assert_data(&rig, METHOD, (const uint32_t[]){1, 2, 3, 4, 5, 6}, 6);
        assert_int_equal(rig_read(memory, 0), 6);
        rig_close(&rig);
    }
}

/* One engine's channel faults: those of other runlists do not notice. */
static void a_fault_on_one_runlist_leaves_the_others_alone(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi || part->chip[1] == 'F' || !part->vram)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *graphics = open_for(PFIFO_ENGINE_GRAPHICS), *copy = open_for(PFIFO_ENGINE_COPY),
                             *other = open_for(PFIFO_ENGINE_COPY);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        assert_int_equal(pfifo_channel_submit(copy, 0x12345000, 64, 0, &rig.error), PFIFO_OK);
        send(graphics, push, 0, 1);
        send(other, push, 0x100, 2);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        assert_int_equal(rig.faults[0].channel, pfifo_channel_number(copy));
        assert_int_equal(rig_count(&rig, METHOD), 2);
        assert_int_equal(pfifo_channel_submit(copy, pfifo_buffer_address(push), 4, 0, &rig.error), PFIFO_ERROR_FAULT);
        send(graphics, push, 0x200, 3);
        send(other, push, 0x300, 4);
        rig_wait(&rig);
        assert_int_equal(rig_count(&rig, METHOD), 4);
        assert_int_equal(pfifo_gpu_rd32(pfifo_device_gpu(rig.device), 0x2630), 0); /* no runlist is blocked */
        rig_close(&rig);
    }
}

/* GF100 .. GF117: SET_OBJECT names the engine, and one channel uses them all. */
static void a_channel_of_fermi_feeds_every_engine(void **state) {
    static const char *const one_copy[] = {"GF119", "GF117"};
    static const struct {
        uint32_t engine, object_class;
    } engines[] = {{0, 0x9097}, {1, 0x90b2}, {2, 0x90b3}, {3, 0x90b1}, {4, 0x90b5}, {5, 0x90b5}};
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi || part->chip[1] != 'F')
            continue;
        uint32_t count = COUNT_OF(engines);
        for (size_t i = 0; i < COUNT_OF(one_copy); i++)
            count -= strcmp(part->chip, one_copy[i]) == 0;
        rig_open(&rig, part);
        struct pfifo_channel *channel = open_for(PFIFO_ENGINE_GRAPHICS);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        for (uint32_t i = 0; i < count; i++)
            words_method(&words, i, 0, engines[i].engine << 16 | engines[i].object_class);
        for (uint32_t i = 0; i < 2 * count; i++)
            words_method(&words, i % count, METHOD, i);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig_count(&rig, METHOD), 2 * count);
        for (size_t i = 0, seen = 0; i < rig.method_count; i++)
            if (rig.methods[i].method == METHOD) {
                assert_int_equal(rig.methods[i].subchannel, seen % count);
                assert_int_equal(rig.methods[i].data, seen++);
            }
        rig_close(&rig);
    }
}

/* Objects of one class for each engine of the chip. */
static const struct {
    const char *chips[8];
    uint32_t classes[6];
} tesla[] = {
    {{"G80"}, {0x5097, 0x3174, 0x4075, 0x4176}},
    {{"G84", "G86", "G92", "G94", "G96"}, {0x8297, 0x8274, 0x7476, 0x74b0, 0x74c1}},
    {{"GT200"}, {0x8397, 0x8274, 0x7476, 0x74b0, 0x74c1}},
    {{"G98"}, {0x8297, 0x88b1, 0x88b2, 0x88b3, 0x88b4}},
    {{"MCP77", "MCP79"}, {0x8397, 0x88b1, 0x88b2, 0x88b3, 0x88b4}},
    {{"GT215", "GT216", "GT218"}, {0x8597, 0x85b5, 0x85b1, 0x85b2, 0x85b3}},
    {{"MCP89"}, {0x8697, 0x85b5, 0x86b1, 0x85b2, 0x85b3}},
};

static void feed_all(const char *chip, const uint32_t *classes) {
    uint32_t count = 0;
    rig_open(&rig, rig_part(chip));
    struct pfifo_channel *channel = open_for(PFIFO_ENGINE_GRAPHICS);
    struct pfifo_buffer *push = rig_push_buffer(&rig);
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    for (; count < 6 && classes[count]; count++) {
        assert_int_equal(pfifo_channel_object(channel, 0x1000 + count, classes[count], &rig.error), PFIFO_OK);
        words_method(&words, count, 0, 0x1000 + count);
    }
    for (uint32_t i = 0; i < 2 * count; i++)
        words_method(&words, i % count, METHOD, i);
    words_submit(&words, &rig, channel, push, 0);
    rig_wait(&rig);
    assert_int_equal(rig.fault_count, 0);
    assert_int_equal(rig_count(&rig, METHOD), 2 * count);
    /* Each is bound to another engine: a nibble per subchannel. */
    uint32_t bound = pfifo_gpu_rd32(pfifo_device_gpu(rig.device), 0x3280), seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert_int_not_equal(bound >> 4 * i & 0xf, 0);
        assert_int_equal(seen >> (bound >> 4 * i & 0xf) & 1, 0);
        seen |= 1u << (bound >> 4 * i & 0xf);
    }
    rig_close(&rig);
}

static void a_channel_of_tesla_feeds_every_engine(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(tesla); i++)
        for (size_t n = 0; n < COUNT_OF(tesla[i].chips) && tesla[i].chips[n]; n++)
            feed_all(tesla[i].chips[n], tesla[i].classes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_engine_that_the_chip_does_not_have_is_refused),
        cmocka_unit_test(before_kepler_any_channel_will_do),
        cmocka_unit_test(a_channel_is_on_the_runlist_of_its_engine),
        cmocka_unit_test(copies_have_a_runlist_of_their_own_where_there_is_one),
        cmocka_unit_test(the_third_copy_engine_is_on_the_list_of_graphics),
        cmocka_unit_test(every_engine_takes_the_methods_of_its_channels),
        cmocka_unit_test(a_copy_engine_on_its_own_runlist_releases_its_semaphore),
        cmocka_unit_test(channels_of_two_engines_wait_for_each_other),
        cmocka_unit_test(a_channel_of_fermi_feeds_every_engine),
        cmocka_unit_test(a_channel_of_tesla_feeds_every_engine),
        cmocka_unit_test(a_fault_on_one_runlist_leaves_the_others_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
