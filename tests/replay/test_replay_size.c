/* SPDX-License-Identifier: MIT */
/* Captures of cards with more memory than the model of their chip has by default. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pfifo/replay.h>

#define PART   (UINT64_C(128) << 20)
#define FIRST  UINT64_C(0x100000000)
#define MOST   1000u
#define STREAM PFIFO_STREAM_PLAIN

/* A capture for a chip, in which buffers are made, and `kept` of them exist at a time. */
static struct pfifo_stream *make_capture(const char *chipset, uint32_t domain, uint32_t buffers, uint32_t kept) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(STREAM, NULL);
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_BONEW};
    size_t bytes;
    assert_non_null(writer);
    assert_int_equal(pfifo_stream_writer_text(writer, "chipset", chipset, NULL), PFIFO_OK);
    for (uint32_t i = 0; i < buffers; i++) {
        record.type = PFIFO_STREAM_BONEW;
        record.bonew = (struct pfifo_stream_bonew){
            .handle = 1 + i, .domain = domain, .bytes = PART, .address = FIRST + i % kept * PART};
        if (i >= kept) {
            const struct pfifo_stream_record gone = {.type = PFIFO_STREAM_BODEL, .bodel = {.handle = 1 + i - kept}};
            assert_int_equal(pfifo_stream_writer_append(writer, &gone, NULL), PFIFO_OK);
        }
        assert_int_equal(pfifo_stream_writer_append(writer, &record, NULL), PFIFO_OK);
    }
    const void *data = pfifo_stream_writer_memory(writer, &bytes);
    struct pfifo_stream *stream = pfifo_stream_open_memory(data, bytes, "made", NULL);
    assert_non_null(stream);
    pfifo_stream_writer_close(writer);
    return stream;
}

/* Its VRAM and system memory. */
static void replay_all(struct pfifo_stream *stream, uint64_t *vram, uint64_t *system) {
    struct pfifo_error error = {0};
    const struct pfifo_replay_config config = {.size = sizeof config};
    struct pfifo_replay *replay = pfifo_replay_new(stream, &config, &error);
    if (!replay)
        fail_msg("%s", error.message);
    for (bool more = true; more;)
        if (pfifo_replay_next(replay, &more, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
    *vram = pfifo_gpu_vram_bytes(pfifo_replay_gpu(replay));
    *system = pfifo_gpu_system_bytes(pfifo_replay_gpu(replay));
    pfifo_replay_free(replay);
    pfifo_stream_close(stream);
}

static void memory_is_as_large_as_buffers_need(void **state) {
    static const struct {
        const char *chipset;
        uint32_t domain, buffers;
    } cases[] = {{"0x50", PFIFO_STREAM_VRAM, 28}, {"0xa3", PFIFO_STREAM_VRAM, 28},  {"0xc0", PFIFO_STREAM_VRAM, 40},
                 {"0xe4", PFIFO_STREAM_VRAM, 40}, {"0x132", PFIFO_STREAM_VRAM, 80}, {"0xc0", PFIFO_STREAM_GART, 40},
                 {"0xa3", PFIFO_STREAM_GART, 40}, {"0x12b", PFIFO_STREAM_VRAM, 40}, {"0x12b", PFIFO_STREAM_GART, 40}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t vram, system;
        replay_all(make_capture(cases[i].chipset, cases[i].domain, cases[i].buffers, MOST), &vram, &system);
        assert_true((vram > system ? vram : system) >= cases[i].buffers * PART);
    }
}

static void memory_stays_as_it_is_if_it_is_enough(void **state) {
    uint64_t vram, system, usual_vram, usual_system;
    (void)state;
    replay_all(make_capture("0xc0", PFIFO_STREAM_VRAM, 1, MOST), &usual_vram, &usual_system);
    replay_all(make_capture("0xc0", PFIFO_STREAM_VRAM, 200, 2), &vram, &system);
    assert_int_equal(vram, usual_vram);
    assert_int_equal(system, usual_system);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_as_large_as_buffers_need),
        cmocka_unit_test(memory_stays_as_it_is_if_it_is_enough),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
