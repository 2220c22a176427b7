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
    } rows[] = {{0x02, 0, COUNTER_SAMPLES}, {0x1a, 2, COUNTER_STREAM_BYTES + 2}};
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

/* Odd ones, and 0x12, "primitives generated": Mesa, NVK and deko3d read {count of 64 bits, time}. */
static void counters_have_64_bits(void **state) {
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
                {0x12, 0, COUNTER_STREAM_OUT},
                {0x12, 3, COUNTER_STREAM_OUT + 3},
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

/* ---- layouts, of each report and each class ---- */

struct report_class {
    const char *chip;
    uint32_t object_class;
    bool is_tesla, second; /* second: the interface at 0x158 */
};

static const struct report_class classes[] = {
    {"G80", 0x5097, true, false},    {"G84", 0x8297, true, false},    {"GT200", 0x8397, true, false},
    {"GT215", 0x8597, true, false},  {"GF100", 0x9097, false, false}, {"GF108", 0x9197, false, false},
    {"GF110", 0x9297, false, false}, {"GK104", 0xa097, false, false}, {"GK110", 0xa197, false, false},
    {"GK20A", 0xa297, false, false}, {"GM107", 0xb097, false, false}, {"GM20B", 0xb197, false, false},
    {"GP100", 0xc097, false, false}, {"GP102", 0xc197, false, false}, {"GV100", 0xc397, false, false},
    {"TU102", 0xc597, false, false}, {"GA102", 0xc797, false, false}, {"GA102", 0xc797, false, true},
};

/* P payload, V value, v value of 32 bits, 0 zero, T time; two characters for words 0 and 1. */
static const char *layout_of(const struct report_class *c, unsigned number) {
    if (number == 0x06)
        return "vP";
    if (c->object_class >= 0xc797 && number == 0x14)
        return "T";
    if (number % 2 || (number == 0x12 && !c->is_tesla))
        return c->is_tesla ? "v0" : "V";
    return "Pv";
}

static uint64_t laid_out(const char *layout, uint64_t value) {
    uint64_t words = 0;
    if (layout[0] == 'V')
        return value;
    if (layout[0] == 'T')
        return ENGINE_RIG_TIME;
    for (unsigned i = 0; i < 2; i++)
        words |= (layout[i] == 'P' ? PAYLOAD : layout[i] == 'v' ? value & UINT32_MAX : 0) << 32 * i;
    return words;
}

static void ask(struct engine_rig *rig, unsigned id, const struct report_class *c, unsigned number, bool one_word) {
    if (c->second)
        send(rig, id, 0, 0x158, PAYLOAD, 0, RECORD, 0, number << 7 | (uint32_t)one_word << 13 | 2);
    else
        send(rig, id, 0, 0x1b00, 0, RECORD, PAYLOAD, number << 23 | (uint32_t)one_word << 28 | 2);
}

/* Which place has the value is known by counting: words 0 and 1, before and after. */
static void every_report_has_the_layout_that_its_readers_know(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        struct engine_rig rig;
        unsigned id = start(&rig, classes[i].chip, CHIP_UNIT_PGRAPH, classes[i].object_class);
        struct call call = call_of(&rig, id);
        uint64_t at = (classes[i].is_tesla ? 0x20000 : 0) + RECORD;
        count_all(&rig, id);
        send(&rig, id, 0, 0x188, 2);
        for (unsigned number = 0; number < 32; number++) {
            engine_rig_wr32(&rig, at, 0x11111111);
            engine_rig_wr32(&rig, at + 4, 0x22222222);
            ask(&rig, id, &classes[i], number, false);
            uint64_t value = counter_report(&call, number, 0);
            if (classes[i].is_tesla && number == 4)
                value = 0; /* more was needed than succeeded */
            assert_int_equal(engine_rig_rd64(&rig, at), laid_out(layout_of(&classes[i], number), value));
            assert_int_equal(engine_rig_rd64(&rig, at + 8), ENGINE_RIG_TIME);
        }
        engine_rig_stop(&rig);
    }
}

/* One word of Fermi and later is the value, of Tesla the first word of four; report 0 has none: the payload. */
static void one_word_of_a_report_is_its_value(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        struct engine_rig rig;
        unsigned id = start(&rig, classes[i].chip, CHIP_UNIT_PGRAPH, classes[i].object_class);
        uint64_t at = (classes[i].is_tesla ? 0x20000 : 0) + RECORD;
        count_all(&rig, id);
        send(&rig, id, 0, 0x188, 2);
        engine_rig_wr32(&rig, at + 4, 0x22222222);
        ask(&rig, id, &classes[i], 2, true);
        assert_int_equal(engine_rig_rd32(&rig, at),
                         classes[i].is_tesla ? PAYLOAD : value_of(COUNTER_SAMPLES) & UINT32_MAX);
        ask(&rig, id, &classes[i], 0, true);
        assert_int_equal(engine_rig_rd32(&rig, at), PAYLOAD);
        assert_int_equal(engine_rig_rd32(&rig, at + 4), 0x22222222);
        engine_rig_stop(&rig);
    }
}

/* REPORT_DWORD_NUMBER, bit 21. */
static void one_word_may_be_the_upper_of_the_value(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    count_all(&rig, id);
    send(&rig, id, 0, 0x1b00, 0, RECORD, PAYLOAD, 0x12u << 23 | 1u << 28 | 1u << 21 | 2);
    assert_int_equal(engine_rig_rd32(&rig, RECORD), value_of(COUNTER_STREAM_OUT) >> 32);
    send(&rig, id, 0, 0x1b00, 0, RECORD, PAYLOAD, 0x12u << 23 | 1u << 21 | 2); /* four have both */
    assert_int_equal(engine_rig_rd64(&rig, RECORD), value_of(COUNTER_STREAM_OUT));
    engine_rig_stop(&rig);
}

/* STRMOUT_NO_OVERFLOW of Tesla: what was needed fits. */
static void report_4_of_tesla_is_1_without_overflow(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "G80", CHIP_UNIT_PGRAPH, 0x5097);
    struct call call = call_of(&rig, id);
    send(&rig, id, 0, 0x188, 2);
    report(&rig, id, 0x04, 0);
    assert_int_equal(engine_rig_rd64(&rig, 0x20000 + RECORD), PAYLOAD | UINT64_C(1) << 32);
    counter_add(&call, COUNTER_STREAM_NEEDED, 1);
    report(&rig, id, 0x04, 0);
    assert_int_equal(engine_rig_rd64(&rig, 0x20000 + RECORD), PAYLOAD);
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

/* Send a type of reset; `first` and the `count` - 1 after it are 0 then, all others are as before. */
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
        cmocka_unit_test(counters_have_64_bits),
        cmocka_unit_test(every_report_has_the_layout_that_its_readers_know),
        cmocka_unit_test(one_word_of_a_report_is_its_value),
        cmocka_unit_test(one_word_may_be_the_upper_of_the_value),
        cmocka_unit_test(report_4_of_tesla_is_1_without_overflow),
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
