/* SPDX-License-Identifier: MIT */
/* What observers are told that operations read and write: engine.read, engine.write. */
#include "check.h"

#include <string.h>

#include "nv4_scene.h"

#define OBJECT(n) ((uint64_t)(n) << 16)

enum { FROM = 0x4000, TO = 0x8000 };

/* Fields of both events. */
enum { CLASS, METHOD, SPACE, ADDRESS, BYTES, LINES, PITCH, FIELDS };
enum { VIRTUAL = 1, VRAM = 1 }; /* the rig has no page tables */

struct wanted {
    uint64_t space, address, bytes, lines, pitch;
};

static void expect_access(const struct engine_rig *rig, enum event_id id, unsigned nth, const char *kind,
                          struct wanted wanted) {
    const struct engine_rig_event *event = engine_rig_event(rig, id, nth);
    assert_non_null(event);
    assert_string_equal(event->text, kind);
    assert_int_equal(event->channel, rig->channel.id);
    assert_int_equal(event->value[SPACE], wanted.space);
    assert_int_equal(event->value[ADDRESS], wanted.address);
    assert_int_equal(event->value[BYTES], wanted.bytes);
    assert_int_equal(event->value[LINES], wanted.lines);
    assert_int_equal(event->value[PITCH], wanted.pitch);
}

/* One of each kind, and both before engine.done. */
static void expect_copy(struct engine_rig *rig, const char *kind, struct wanted from, struct wanted to) {
    expect_access(rig, EVENT_ENGINE_READ, 0, kind, from);
    expect_access(rig, EVENT_ENGINE_WRITE, 0, kind, to);
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_READ), 1);
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_WRITE), 1);
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_DONE), 1);
    assert_true(engine_rig_event(rig, EVENT_ENGINE_DONE, 0) > engine_rig_event(rig, EVENT_ENGINE_READ, 0));
    assert_true(engine_rig_event(rig, EVENT_ENGINE_DONE, 0) > engine_rig_event(rig, EVENT_ENGINE_WRITE, 0));
    engine_rig_stop(rig);
}

/* ---- copies ---- */

/* Before G80 addresses are those that DMA objects lead to: here VRAM. */
static void a_copy_of_each_generation_reads_its_lines(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x0039);
    send(&rig, id, 0, 0x180, 7, 1, 2);
    send(&rig, id, 0, 0x30c, 0x100, 0x200, 32, 64, 16, 4, 0x101, 0);
    expect_copy(&rig, "copy", (struct wanted){VRAM, OBJECT(1) + 0x100, 16, 4, 32},
                (struct wanted){VRAM, OBJECT(2) + 0x200, 16, 4, 64});
    id = start(&rig, "G84", CHIP_UNIT_PGRAPH, 0x5039);
    send(&rig, id, 0, 0x180, 7, 1, 2);
    send(&rig, id, 0, 0x200, 1);
    send(&rig, id, 0, 0x21c, 1);
    send(&rig, id, 0, 0x238, 0, 0);
    send(&rig, id, 0, 0x30c, 0x100, 0x200, 32, 64, 16, 4, 0x101, 0);
    expect_copy(&rig, "copy", (struct wanted){VRAM, OBJECT(1) + 0x100, 16, 4, 32},
                (struct wanted){VRAM, OBJECT(2) + 0x200, 16, 4, 64});
    id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9039);
    send(&rig, id, 0, 0x238, 0, TO);
    send(&rig, id, 0, 0x30c, 0, FROM, 32, 64, 16, 4);
    send(&rig, id, 0, 0x300, 0x110);
    expect_copy(&rig, "copy", (struct wanted){VIRTUAL, FROM, 16, 4, 32}, (struct wanted){VIRTUAL, TO, 16, 4, 64});
    id = start(&rig, "GM107", CHIP_UNIT_PCOPY0, 0xb0b5);
    send(&rig, id, 0, 0x400, 0, FROM, 0, TO, 32, 64, 16, 4);
    send(&rig, id, 0, 0x300, 0x382);
    expect_copy(&rig, "copy", (struct wanted){VIRTUAL, FROM, 16, 4, 32}, (struct wanted){VIRTUAL, TO, 16, 4, 64});
}

static void lines_without_a_gap_are_one(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GM107", CHIP_UNIT_PCOPY0, 0xb0b5);
    send(&rig, id, 0, 0x400, 0, FROM, 0, TO, 16, 16, 16, 4);
    send(&rig, id, 0, 0x300, 0x382);
    expect_copy(&rig, "copy", (struct wanted){VIRTUAL, FROM, 64, 1, 0}, (struct wanted){VIRTUAL, TO, 64, 1, 0});
}

static void lines_upwards_begin_with_the_last(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GM107", CHIP_UNIT_PCOPY0, 0xb0b5);
    send(&rig, id, 0, 0x400, 0, FROM + 96, 0, TO, (uint32_t)-32, 64, 16, 4);
    send(&rig, id, 0, 0x300, 0x382);
    expect_copy(&rig, "copy", (struct wanted){VIRTUAL, FROM, 16, 4, 32}, (struct wanted){VIRTUAL, TO, 16, 4, 64});
}

/* Two rows of gobs, of one gob of 8 lines each, of a surface that is two gobs wide. */
static void blocks_are_touched_as_a_whole(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GP102", CHIP_UNIT_PCOPY0, 0xc1b5);
    send(&rig, id, 0, 0x70c, 0x1000, 128, 32, 1, 0, 70 | 7 << 16);
    send(&rig, id, 0, 0x400, 0, FROM, 0, TO, 16, 0, 16, 2);
    send(&rig, id, 0, 0x300, 0x282);
    expect_copy(&rig, "copy", (struct wanted){VIRTUAL, FROM, 32, 1, 0},
                (struct wanted){VIRTUAL, TO + 512, 512, 2, 1024});
}

static void a_fill_reads_nothing(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GM107", CHIP_UNIT_PCOPY0, 0xb0b5);
    send(&rig, id, 0, 0x400, 0, FROM, 0, TO, 64, 64, 4, 4);
    send(&rig, id, 0, 0x700, 7, 0, 0x00030004); /* 4 bytes, a constant */
    send(&rig, id, 0, 0x300, 0x782);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_READ), 0);
    expect_access(&rig, EVENT_ENGINE_WRITE, 0, "copy", (struct wanted){VIRTUAL, TO, 16, 4, 64});
    engine_rig_stop(&rig);
}

/* Slice by slice, as long as it takes. */
static void a_long_copy_is_told_once(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GM107", CHIP_UNIT_PCOPY0, 0xb0b5);
    send(&rig, id, 0, 0x400, 0, 0x10000, 0, 0x40000, 0, 0, 0x30000, 1);
    send(&rig, id, 0, 0x300, 0x182);
    expect_copy(&rig, "copy", (struct wanted){VIRTUAL, 0x10000, 0x30000, 1, 0},
                (struct wanted){VIRTUAL, 0x40000, 0x30000, 1, 0});
}

static void what_faults_is_not_told(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GM107", CHIP_UNIT_PCOPY0, 0xb0b5);
    send(&rig, id, 0, 0x400, 0, ENGINE_RIG_LIMIT, 0, TO, 0, 0, 16, 1);
    send(&rig, id, 0, 0x300, 0x182);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FAULT), 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_READ) + engine_rig_count(&rig, EVENT_ENGINE_WRITE), 0);
    engine_rig_stop(&rig);
}

static void inline_data_is_written_once(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GK104", CHIP_UNIT_PGRAPH, 0xa040);
    send(&rig, id, 0, 0x180, 8, 2, 0, TO, 32);
    send(&rig, id, 0, 0x1b0, 1);
    sent(&rig, id, 0, 0x1b4, 0, WORDS(1, 2, 3, 4));
    expect_access(&rig, EVENT_ENGINE_WRITE, 0, "upload", (struct wanted){VIRTUAL, TO, 8, 2, 32});
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_WRITE), 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_READ), 0);
    engine_rig_stop(&rig);
}

/* ---- 2D ---- */

/* A8R8G8B8, 256 bytes a line; `at` is the surface. */
static void a_blit_reads_its_source(void **state) {
    (void)state;
    struct scene scene;
    scene_start(&scene, "NV17", FORMAT_A8R8G8B8, 256);
    scene_object(&scene, 0x5f, 0x19c, 0x2fc, SRCCOPY);
    scene_send(&scene, 0x300, xy(1, 2), xy(10, 20), xy(3, 4));
    const struct engine_rig_event *done = engine_rig_event(&scene.rig, EVENT_ENGINE_DONE, 0);
    const struct engine_rig_event *write = engine_rig_event(&scene.rig, EVENT_ENGINE_WRITE, 0);
    const struct engine_rig_event *read = engine_rig_event(&scene.rig, EVENT_ENGINE_READ, 0);
    assert_true(done && write && read);
    expect_access(&scene.rig, EVENT_ENGINE_WRITE, 0, "blit", (struct wanted){VRAM, write->value[ADDRESS], 12, 4, 256});
    assert_int_equal(write->value[ADDRESS] % OBJECT(1), done->value[2]);
    expect_access(&scene.rig, EVENT_ENGINE_READ, 0, "blit",
                  (struct wanted){VRAM, write->value[ADDRESS] - UINT64_C(256) * 18 - 36, 12, 4, 256});
    scene_stop(&scene);
}

/* A blit to twice the size, of 8 by 4 pixels of the source: A8R8G8B8, pitches of 256 and 512. */
static void a_scaled_blit_reads_what_it_samples(void **state) {
    (void)state;
    struct engine_rig rig;
    for (unsigned bilinear = 0; bilinear < 2; bilinear++) {
        unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x902d);
        send(&rig, id, 0, 0x200, 0xcf, 1, 0, 1, 0, 512, 64, 32, 0, TO);
        send(&rig, id, 0, 0x230, 0xcf, 1, 0, 1, 0, 256, 64, 32, 0, FROM);
        send(&rig, id, 0, 0x290, 0);
        send(&rig, id, 0, 0x2ac, 3);
        send(&rig, id, 0, 0x88c, bilinear << 4);
        send(&rig, id, 0, 0x8b0, 4, 2, 16, 8, 0x80000000, 0, 0x80000000, 0, 0, 10, 0, 5);
        expect_access(&rig, EVENT_ENGINE_WRITE, 0, "blit", (struct wanted){VIRTUAL, TO + 2 * 512 + 16, 64, 8, 512});
        expect_access(&rig, EVENT_ENGINE_READ, 0, "blit",
                      (struct wanted){VIRTUAL, FROM + 5 * 256 + 40, 32 + 4 * bilinear, 4 + bilinear, 256});
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_READ), 1);
        engine_rig_stop(&rig);
    }
}

static void a_fill_of_a_rectangle_writes_its_rows(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x902d);
    send(&rig, id, 0, 0x200, 0xcf, 1, 0, 1, 0, 512, 64, 32, 0, TO);
    send(&rig, id, 0, 0x290, 0);
    send(&rig, id, 0, 0x2ac, 3);
    send(&rig, id, 0, 0x580, 4, 0xcf, 7);
    send(&rig, id, 0, 0x600, 1, 2, 4, 5);
    expect_access(&rig, EVENT_ENGINE_WRITE, 0, "fill", (struct wanted){VIRTUAL, TO + 2 * 512 + 4, 12, 3, 512});
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_READ), 0);
    engine_rig_stop(&rig);
}

/* ---- nobody observes ---- */

static void without_observers_nothing_is_sent(void **state) {
    (void)state;
    struct engine_rig rig;
    assert_true(engine_rig_start(&rig, "GM107"));
    engine_rig_observe(&rig, "engine.done");
    unsigned id = engine_rig_id(&rig, CHIP_UNIT_PCOPY0);
    assert_true(engine_rig_bind(&rig, id, 0, 0xb0b5));
    send(&rig, id, 0, 0x400, 0, FROM, 0, TO, 0, 0, 16, 1);
    send(&rig, id, 0, 0x300, 0x182);
    assert_int_equal(rig.events, 1);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_of_each_generation_reads_its_lines),
        cmocka_unit_test(lines_without_a_gap_are_one),
        cmocka_unit_test(lines_upwards_begin_with_the_last),
        cmocka_unit_test(blocks_are_touched_as_a_whole),
        cmocka_unit_test(a_fill_reads_nothing),
        cmocka_unit_test(a_long_copy_is_told_once),
        cmocka_unit_test(what_faults_is_not_told),
        cmocka_unit_test(inline_data_is_written_once),
        cmocka_unit_test(a_blit_reads_its_source),
        cmocka_unit_test(a_scaled_blit_reads_what_it_samples),
        cmocka_unit_test(a_fill_of_a_rectangle_writes_its_rows),
        cmocka_unit_test(without_observers_nothing_is_sent),
    };
    return cmocka_run_group_tests_name("engine_access", tests, NULL, NULL);
}
