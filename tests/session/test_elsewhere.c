/* SPDX-License-Identifier: MIT */
/* What a program that opens the nodes and draws elsewhere is told at its end. */
#include "drm/rig.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "drm/display.h"
#include "face/drm/node/node.h"
#include "face/drm/session/session.h"
#include "temporary.h"

static struct rig rig;
static struct settings settings;
static char told[TEMPORARY_PATH], text[1 << 14];

static struct session *begin(void) {
    struct pfifo_error error;
    temporary_pattern(told, "");
    int fd = mkstemp(told);
    assert_true(fd >= 0);
    close(fd);
    snprintf(settings.require, sizeof settings.require, "%s", told);
    struct session *session = session_new(&settings, rig.device, &error);
    assert_non_null(session);
    return session;
}

static struct session *begin_on(const struct part *part) {
    rig_open(&rig, part);
    return begin();
}

static const char *contents(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_int_equal(unlink(path), 0);
    return text;
}

/* What it says on standard error. */
static const char *end(struct session *session) {
    char path[TEMPORARY_PATH];
    temporary_pattern(path, "");
    int before = dup(2), file = mkstemp(path);
    assert_true(before >= 0 && file >= 0);
    dup2(file, 2);
    session_end(session);
    dup2(before, 2);
    close(before);
    close(file);
    rig_close(&rig);
    return contents(path);
}

static void expect(const char *said, const char *line) {
    char whole[512];
    snprintf(whole, sizeof whole, "pfifo: %.40s: %s\n", program_invocation_short_name, line);
    if (!strstr(said, whole))
        fail_msg("no '%s' in: %s", whole, said);
}

static void expect_told(bool elsewhere) {
    const char *lines = contents(told);
    assert_memory_equal(lines, "opened ", 7);
    assert_int_equal(strstr(lines, "\nelsewhere ") != NULL, elsewhere);
}

static void submit(void) {
    struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
    struct words words = {.part = rig.part};
    words_bind_object(&words, 0);
    words_method(&words, 0, NOP, 0);
    assert_int_equal(rig_run(&rig, &channel, &words, NULL), 0);
}

static void copy(void) {
    struct drm_file *file = rig_file(&rig, RENDER);
    struct rig_channel channel = rig_channel(&rig, file);
    struct drm_nouveau_gem_info from = rig_buffer(&rig, file, GART, PAGE), to = rig_buffer(&rig, file, GART, PAGE);
    struct words words = {.part = rig.part};
    rig_wr32(file, &from, 0, 0x600d);
    words_copy(&words, &from, &to, 64);
    assert_int_equal(rig_run(&rig, &channel, &words, &to), 0);
    assert_int_equal(rig_rd32(file, &to, 0), 0x600d);
}

/* A target of one line, as wide as a byte is long. */
static void clear(void) {
    struct drm_file *file = rig_file(&rig, RENDER);
    struct rig_channel channel = rig_channel(&rig, file);
    struct drm_nouveau_gem_info target = rig_buffer(&rig, file, rig_vram(&rig), PAGE);
    const uint32_t place[] = {(uint32_t)(target.offset >> 32), (uint32_t)target.offset, 64, 1, 0xcf, 1 << 12, 1, 0, 0};
    struct words words = {.part = rig.part};
    words_bind_object(&words, 0);
    words_header(&words, 0, 0x800, COUNT_OF(place));
    for (size_t i = 0; i < COUNT_OF(place); i++)
        words_add(&words, place[i]);
    words_method(&words, 0, 0xff4, 16 << 16);
    words_method(&words, 0, 0xff8, 1 << 16);
    words_method(&words, 0, 0x121c, 1);
    words_method(&words, 0, 0x10f8, 0);
    words_method(&words, 0, 0x19d0, 0x3c);
    assert_int_equal(rig_run(&rig, &channel, &words, &target), 0);
}

/* ---- how ---- */

static void a_run_without_a_channel_is_one_in_software(void **state) {
    (void)state;
    const char *said = end(begin_on(&parts[4]));
    expect(said, "no channel was opened: Mesa renders in software");
    expect(said, "no call was refused");
    expect_told(true);
}

static void so_is_one_that_submits_nothing(void **state) {
    (void)state;
    struct session *session = begin_on(&parts[4]);
    rig_channel(&rig, rig_file(&rig, RENDER));
    expect(end(session), "nothing was submitted to a channel: Mesa renders in software");
    expect_told(true);
}

/* A driver that gets started moves its data. */
static void so_is_one_that_shows_frames_and_draws_nothing(void **state) {
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0);
    struct session *session = begin();
    copy();
    assert_int_equal(display_set(&display, display_screen(&display)), 0);
    expect(end(session), "frames were shown, and no channel has drawn anything: Mesa renders in software");
    expect_told(true);
}

static void one_that_draws_is_told_nothing(void **state) {
    (void)state;
    FOR_EACH_PART if (part->classes) {
        struct display display = display_open(&rig, part, 0);
        struct session *session = begin();
        clear();
        assert_int_equal(display_set(&display, display_screen(&display)), 0);
        assert_string_equal(end(session), "");
        expect_told(false);
    }
}

static void nor_is_one_that_submits_and_shows_nothing(void **state) {
    (void)state;
    struct session *session = begin_on(&parts[4]);
    submit();
    assert_string_equal(end(session), "");
    expect_told(false);
}

static void a_quiet_run_says_nothing_and_tells_who_requires_it(void **state) {
    (void)state;
    settings.quiet = true;
    assert_string_equal(end(begin_on(&parts[4])), "");
    settings.quiet = false;
    expect_told(true);
}

/* ---- what was refused ---- */

static void the_last_call_that_was_refused_is_named(void **state) {
    (void)state;
    struct session *session = begin_on(&parts[7]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct drm_nouveau_channel_alloc alloc = {.fb_ctxdma_handle = UINT32_MAX, .tt_ctxdma_handle = 0x80};
    struct drm_nouveau_gem_new buffer = {.info = {.size = 0}};
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(rig_channel_alloc(&rig, file, &alloc), -ENOSYS);
    assert_int_equal(rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), &buffer), -EINVAL);
    assert_int_equal(rig_channel_alloc(&rig, file, &alloc), -ENOSYS);
    expect(end(session), "the last call that was refused, 4 times: DRM_IOCTL_NOUVEAU_CHANNEL_ALLOC, ENOSYS");
    expect_told(true);
}

static void the_reason_is_what_the_log_had_of_it(void **state) {
    (void)state;
    struct session *session = begin_on(&parts[7]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct drm_nouveau_gem_pushbuf request = {.channel = rig_channel(&rig, file).id, .nr_push = 513};
    unsigned long number = NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf);
    assert_int_equal(rig_ioctl(&rig, file, number, &request), -EINVAL);
    request.channel++;
    assert_int_equal(rig_ioctl(&rig, file, number, &request), -ENOENT);
    request.channel--;
    assert_int_equal(rig_ioctl(&rig, file, number, &request), -EINVAL);
    expect(end(session), "the last call that was refused, 2 times: DRM_IOCTL_NOUVEAU_GEM_PUSHBUF, EINVAL: pushbuf: 513 "
                         "pushes, at most 512 are possible");
    expect_told(true);
}

/* What a program only has to ask again is none; nor is what went well. */
static void a_busy_buffer_is_no_refusal(void **state) {
    (void)state;
    rig_open(&rig, &parts[7]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
    struct rig_channel channel = rig_waiting(&rig, file, &buffer, true);
    assert_int_equal(rig_prep(&rig, file, buffer.handle, NOUVEAU_GEM_CPU_PREP_NOWAIT), -EBUSY);
    assert_null(drm_device_refused(rig.device));
    rig_let_go(&channel);
    rig_close(&rig);
}

static void every_call_of_the_tables_has_a_name(void **state) {
    static const struct drm_ioctl *const tables[] = {
        drm_nouveau_buffers, drm_gem_ioctls,  drm_nouveau_ioctls, drm_nouveau_channels,
        drm_nouveau_objects, drm_core_ioctls, kms_ioctls};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (const struct drm_ioctl *row = tables[i]; row->run; row++)
            if (!drm_ioctl_name(row->number) || strncmp(drm_ioctl_name(row->number), "DRM_", 4) != 0)
                fail_msg("%s has no name", row->name);
    assert_null(drm_ioctl_name(0xff));
    assert_null(drm_ioctl_name(256));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_without_a_channel_is_one_in_software),
        cmocka_unit_test(so_is_one_that_submits_nothing),
        cmocka_unit_test(so_is_one_that_shows_frames_and_draws_nothing),
        cmocka_unit_test(one_that_draws_is_told_nothing),
        cmocka_unit_test(nor_is_one_that_submits_and_shows_nothing),
        cmocka_unit_test(a_quiet_run_says_nothing_and_tells_who_requires_it),
        cmocka_unit_test(the_last_call_that_was_refused_is_named),
        cmocka_unit_test(the_reason_is_what_the_log_had_of_it),
        cmocka_unit_test(a_busy_buffer_is_no_refusal),
        cmocka_unit_test(every_call_of_the_tables_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
