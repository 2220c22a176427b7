/* SPDX-License-Identifier: MIT */
/* Counters of queries: what reports show of them, what clears them, and whose they are. Nothing draws: they are set. */
#include "check.h"

#include "engine/core/register_file.h"
#include "engine/sync/counters.h"

#define RECORD  0x1000u
#define PAYLOAD 0x77u

static struct call call_of(struct engine_rig *rig, unsigned id) {
    struct engine *engine = rig->fifo.engines[id].engine;
    return (struct call){.engine = engine, .channel = &rig->channel, .object = engine_object(engine, &rig->channel, 0)};
}

static uint64_t value_of(enum counter counter) {
    return UINT64_C(0x500000001) * (counter + 1);
}

static void count_all(struct engine_rig *rig, unsigned id) {
    struct call call = call_of(rig, id);
    for (unsigned i = 0; i < COUNTERS; i++)
        counter_add(&call, i, value_of(i));
}

/* Method 0x1b0c: REPORT_ONLY of four words. */
static void report(struct engine_rig *rig, unsigned id, unsigned number, unsigned stream) {
    send(rig, id, 0, 0x1b00, 0, RECORD, PAYLOAD, number << 23 | stream << 5 | 2);
}

static void even_reports_have_the_payload_and_32_bits_of_the_counter(void **state) {
    (void)state;
    static const struct {
        unsigned number, stream;
        enum counter counter;
    } rows[] = {{0x02, 0, COUNTER_SAMPLES},
                {0x12, 0, COUNTER_STREAM_OUT},
                {0x12, 3, COUNTER_STREAM_OUT + 3},
                {0x1a, 2, COUNTER_STREAM_BYTES + 2}};
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    count_all(&rig, id);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        report(&rig, id, rows[i].number, rows[i].stream);
        assert_int_equal(engine_rig_rd32(&rig, RECORD), PAYLOAD);
        assert_int_equal(engine_rig_rd32(&rig, RECORD + 4), (uint32_t)value_of(rows[i].counter));
        assert_int_equal(engine_rig_rd64(&rig, RECORD + 8), ENGINE_RIG_TIME);
    }
    engine_rig_stop(&rig);
}

static void odd_reports_have_64_bits_of_the_counter(void **state) {
    (void)state;
    static const struct {
        unsigned number, stream;
        enum counter counter;
    } rows[] = {{0x01, 0, COUNTER_VERTICES},
                {0x03, 0, COUNTER_PRIMITIVES},
                {0x05, 0, COUNTER_VERTEX_SHADER},
                {0x07, 0, COUNTER_GEOMETRY_SHADER},
                {0x09, 0, COUNTER_GEOMETRY_PRIMITIVES},
                {0x0b, 0, COUNTER_STREAM_SUCCEEDED},
                {0x0b, 3, COUNTER_STREAM_SUCCEEDED + 3},
                {0x0d, 1, COUNTER_STREAM_NEEDED + 1},
                {0x0f, 0, COUNTER_CLIPPER},
                {0x11, 0, COUNTER_CLIPPER_PRIMITIVES},
                {0x13, 0, COUNTER_PIXEL_SHADER},
                {0x15, 0, COUNTER_SAMPLES},
                {0x1b, 0, COUNTER_TESS_INIT_SHADER},
                {0x1d, 0, COUNTER_TESS_SHADER},
                {0x1f, 0, COUNTER_TESS_PRIMITIVES}};
    struct engine_rig rig;
    unsigned id = start(&rig, "GK104", CHIP_UNIT_PGRAPH, 0xa097);
    count_all(&rig, id);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        report(&rig, id, rows[i].number, rows[i].stream);
        assert_int_equal(engine_rig_rd64(&rig, RECORD), value_of(rows[i].counter));
        assert_int_equal(engine_rig_rd64(&rig, RECORD + 8), ENGINE_RIG_TIME);
    }
    engine_rig_stop(&rig);
}

/* What was needed and did not succeed; the value comes first. */
static void reports_6_and_1e_are_differences(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    struct call call = call_of(&rig, id);
    for (unsigned i = 0; i < COUNTER_STREAMS; i++) {
        counter_add(&call, COUNTER_STREAM_NEEDED + i, 100 * (i + 1));
        counter_add(&call, COUNTER_STREAM_SUCCEEDED + i, 10);
    }
    report(&rig, id, 0x06, 2);
    assert_int_equal(engine_rig_rd32(&rig, RECORD), 290);
    assert_int_equal(engine_rig_rd32(&rig, RECORD + 4), PAYLOAD);
    report(&rig, id, 0x1e, 0);
    assert_int_equal(engine_rig_rd32(&rig, RECORD), PAYLOAD);
    assert_int_equal(engine_rig_rd32(&rig, RECORD + 4), 1000 - 40);
    engine_rig_stop(&rig);
}

static void what_is_not_modelled_is_0(void **state) {
    (void)state;
    static const unsigned numbers[] = {0x00, 0x04, 0x08, 0x0a, 0x0c, 0x0e, 0x10, 0x16, 0x17, 0x18, 0x19, 0x1c};
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    count_all(&rig, id);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        report(&rig, id, numbers[i], 0);
        assert_int_equal(engine_rig_rd64(&rig, RECORD), numbers[i] % 2 ? 0 : PAYLOAD);
    }
    engine_rig_stop(&rig);
}

static void reports_of_tesla_have_32_bits_and_no_streams(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "G80", CHIP_UNIT_PGRAPH, 0x5097);
    count_all(&rig, id);
    send(&rig, id, 0, 0x188, 2);
    report(&rig, id, 0x0b, 3);
    assert_int_equal(engine_rig_rd64(&rig, 0x20000 + RECORD), (uint32_t)value_of(COUNTER_STREAM_SUCCEEDED));
    report(&rig, id, 0x02, 0);
    assert_int_equal(engine_rig_rd32(&rig, 0x20000 + RECORD + 4), (uint32_t)value_of(COUNTER_SAMPLES));
    engine_rig_stop(&rig);
}

static void the_second_interface_of_ga102_reads_them_too(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GA102", CHIP_UNIT_PGRAPH, 0xc797);
    count_all(&rig, id);
    send(&rig, id, 0, 0x158, PAYLOAD, 0, RECORD, 0, 2u << 15 | 0x0b << 7 | 2);
    assert_int_equal(engine_rig_rd64(&rig, RECORD), value_of(COUNTER_STREAM_SUCCEEDED + 2));
    engine_rig_stop(&rig);
}

/* ---- resets ---- */

/* Send a type of reset; `first` and the `count` - 1 behind it are 0 then, all others are as before. */
static void assert_clears(const char *chip, uint32_t object_class, uint32_t method, uint32_t type, unsigned first,
                          unsigned count) {
    struct engine_rig rig;
    unsigned id = start(&rig, chip, CHIP_UNIT_PGRAPH, object_class);
    count_all(&rig, id);
    send(&rig, id, 0, method, type);
    struct call call = call_of(&rig, id);
    for (unsigned i = 0; i < COUNTERS; i++)
        assert_int_equal(counter_value(&call, i), i >= first && i < first + count ? 0 : value_of(i));
    engine_rig_stop(&rig);
}

static void each_type_of_reset_clears_its_own_counter(void **state) {
    (void)state;
    static const struct {
        uint32_t type;
        unsigned first, count;
    } rows[] = {{0x01, COUNTER_SAMPLES, 1},
                {0x02, 0, 0},
                {0x03, COUNTER_STREAM_SUCCEEDED, 8},
                {0x04, 0, 0},
                {0x08, 0, 0},
                {0x10, COUNTER_STREAM_SUCCEEDED, 4},
                {0x11, COUNTER_STREAM_NEEDED, 4},
                {0x12, COUNTER_VERTICES, 1},
                {0x13, COUNTER_PRIMITIVES, 1},
                {0x15, COUNTER_VERTEX_SHADER, 1},
                {0x16, COUNTER_TESS_INIT_SHADER, 1},
                {0x17, COUNTER_TESS_SHADER, 1},
                {0x18, COUNTER_TESS_PRIMITIVES, 1},
                {0x1a, COUNTER_GEOMETRY_SHADER, 1},
                {0x1b, COUNTER_GEOMETRY_PRIMITIVES, 1},
                {0x1c, COUNTER_CLIPPER, 1},
                {0x1d, COUNTER_CLIPPER_PRIMITIVES, 1},
                {0x1e, COUNTER_PIXEL_SHADER, 1},
                {0x1f, COUNTER_STREAM_OUT, 4},
                {0x20, 0, 0},
                {UINT32_MAX, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_clears("GF100", 0x9097, 0x1530, rows[i].type, rows[i].first, rows[i].count);
        assert_clears("GA102", 0xc797, 0x1530, rows[i].type, rows[i].first, rows[i].count);
    }
}

static void tesla_clears_what_it_has(void **state) {
    (void)state;
    assert_clears("G80", 0x5097, 0x1530, 1, COUNTER_SAMPLES, 1);
    assert_clears("G80", 0x5097, 0x1530, 3, 0, 0);
    assert_clears("G80", 0x5097, 0x1530, 0x11, COUNTER_STREAM_NEEDED, 4);
    assert_clears("GT200", 0x8397, 0x1530, 8, COUNTER_STREAM_BYTES, 4);
    assert_clears("MCP89", 0x8697, 0x1530, 0x16, 0, 0);
    assert_clears("MCP89", 0x8697, 0x1530, 0x1e, COUNTER_PIXEL_SHADER, 1);
}

static void curie_counts_samples_until_query_reset(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    count_all(&rig, id);
    send(&rig, id, 0, 0x1a8, 1);
    send(&rig, id, 0, 0x1800, 0x01000040);
    assert_int_equal(engine_rig_rd64(&rig, 0x10040), ENGINE_RIG_TIME);
    assert_int_equal(engine_rig_rd64(&rig, 0x10048), (uint32_t)value_of(COUNTER_SAMPLES));
    send(&rig, id, 0, 0x17c8, 1);
    send(&rig, id, 0, 0x1800, 0x01000040);
    assert_int_equal(engine_rig_rd64(&rig, 0x10048), 0);
    engine_rig_stop(&rig);
    assert_clears("NV30", 0x0397, 0x17c8, 1, COUNTER_SAMPLES, 1);
}

/* ---- the owner ---- */

static void each_channel_counts_for_itself(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    count_all(&rig, id);
    assert_true(engine_rig_bind(&rig, id, 1, 0x9097)); /* another subchannel is the same context */
    struct call call = call_of(&rig, id);
    assert_int_equal(counter_value(&call, COUNTER_SAMPLES), value_of(COUNTER_SAMPLES));
    rig.channel.id = 4;
    assert_true(engine_rig_bind(&rig, id, 0, 0x9097));
    call = call_of(&rig, id);
    assert_int_equal(counter_value(&call, COUNTER_SAMPLES), 0);
    send(&rig, id, 0, 0x1530, 1);
    rig.channel.id = 3;
    call = call_of(&rig, id);
    assert_int_equal(counter_value(&call, COUNTER_SAMPLES), value_of(COUNTER_SAMPLES));
    engine_channel_gone(rig.fifo.engines[id].engine, 3);
    assert_true(engine_rig_bind(&rig, id, 0, 0x9097));
    call = call_of(&rig, id);
    assert_int_equal(counter_value(&call, COUNTER_SAMPLES), 0);
    engine_rig_stop(&rig);
}

static struct {
    uint8_t data[1 << 16];
    size_t bytes;
} stream;

static bool collect(void *opaque, const void *data, size_t bytes) {
    (void)opaque;
    assert_true(stream.bytes + bytes <= sizeof stream.data);
    memcpy(stream.data + stream.bytes, data, bytes);
    stream.bytes += bytes;
    return true;
}

static void counters_are_saved_and_restored(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t object_class;
    } rows[] = {{"NV40", 0x4097}, {"G80", 0x5097}, {"GF100", 0x9097}, {"GA102", 0xc797}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct engine_rig one, other;
        unsigned id = start(&one, rows[i].chip, CHIP_UNIT_PGRAPH, rows[i].object_class);
        assert_true(engine_rig_start(&other, rows[i].chip));
        count_all(&one, id);
        stream.bytes = 0;
        assert_int_equal(engine_save(one.fifo.engines[id].engine, collect, NULL, NULL), PFIFO_OK);
        assert_int_equal(engine_load(other.fifo.engines[id].engine, stream.data, stream.bytes, NULL), PFIFO_OK);
        struct call call = call_of(&other, id);
        for (unsigned c = 0; c < COUNTERS; c++)
            assert_int_equal(counter_value(&call, c), value_of(c));
        engine_rig_stop(&one);
        engine_rig_stop(&other);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_reports_have_the_payload_and_32_bits_of_the_counter),
        cmocka_unit_test(odd_reports_have_64_bits_of_the_counter),
        cmocka_unit_test(reports_6_and_1e_are_differences),
        cmocka_unit_test(what_is_not_modelled_is_0),
        cmocka_unit_test(reports_of_tesla_have_32_bits_and_no_streams),
        cmocka_unit_test(the_second_interface_of_ga102_reads_them_too),
        cmocka_unit_test(each_type_of_reset_clears_its_own_counter),
        cmocka_unit_test(tesla_clears_what_it_has),
        cmocka_unit_test(curie_counts_samples_until_query_reset),
        cmocka_unit_test(each_channel_counts_for_itself),
        cmocka_unit_test(counters_are_saved_and_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
