/* SPDX-License-Identifier: MIT */
/* Pictures of what a program has drawn: without a screen, and of draws; what is said of a run without a channel. */
#include "drm/rig.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "face/drm/session/session.h"
#include "mesa/png.h"
#include "temporary.h"

static struct rig rig;
static struct settings settings;
static char folder[TEMPORARY_PATH];

enum { SIZE = 16, PITCH = 64 };

static int make_folder(void **state) {
    (void)state;
    temporary_pattern(folder, "");
    settings = (struct settings){0};
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static const char *inside(const char *name) {
    static char path[TEMPORARY_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static struct session *begin(const struct part *part) {
    rig_open(&rig, part);
    struct session *session = session_new(&settings, rig.device, NULL);
    assert_non_null(session);
    return session;
}

static void begin_method(struct words *words, uint32_t method, const uint32_t *data, uint32_t count) {
    words_header(words, 0, method, count);
    for (uint32_t i = 0; i < count; i++)
        words_add(words, data[i]);
}

#define METHOD(method, ...)                                                                                            \
    begin_method(&words, method, (const uint32_t[]){__VA_ARGS__}, COUNT_OF(((const uint32_t[]){__VA_ARGS__})))

/* A target of lines, of one colour: red as given, 0.5, 0.75, opaque. */
static void clear(const struct rig_channel *channel, const struct drm_nouveau_gem_info *target, uint32_t red) {
    struct words words = {.part = rig.part};
    words_bind_object(&words, 0);
    METHOD(0x800, (uint32_t)(target->offset >> 32), (uint32_t)target->offset, PITCH, SIZE, 0xcf, 1 << 12, 1, 0, 0);
    METHOD(0xff4, SIZE << 16, SIZE << 16);
    METHOD(0x121c, 1);
    METHOD(0x10f8, 0); /* of the whole target, not only where the viewport is */
    METHOD(0xd80, red, 0x3f000000, 0x3f400000, 0x3f800000);
    METHOD(0x19d0, 0x3c);
    assert_int_equal(rig_run(&rig, channel, &words, target), 0);
}

static void expect_picture(const char *name, uint8_t red) {
    unsigned width, height;
    uint8_t *pixels = png_read(inside(name), &width, &height);
    const uint8_t wanted[3] = {red, 0x80, 0xbf};
    assert_int_equal(width, SIZE);
    assert_int_equal(height, SIZE);
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        assert_memory_equal(pixels + (size_t)i * 4, wanted, 3);
    free(pixels);
    assert_int_equal(unlink(inside(name)), 0);
}

#define FOR_EACH_THAT_DRAWS FOR_EACH_PART if (part->classes)

static void without_a_screen_the_screenshot_is_the_last_target(void **state) {
    (void)state;
    FOR_EACH_THAT_DRAWS {
        snprintf(settings.screenshot, sizeof settings.screenshot, "%s/last.png", folder);
        struct session *session = begin(part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info target = rig_buffer(&rig, file, rig_vram(&rig), PITCH * SIZE);
        clear(&channel, &target, 0x3f800000);
        clear(&channel, &target, 0x3e800000);
        session_end(session);
        rig_close(&rig);
        expect_picture("last.png", 0x40);
    }
}

/* By its own handle, with its channel, or with the file. */
static void a_target_that_is_freed_was_the_last(void **state) {
    (void)state;
    snprintf(settings.screenshot, sizeof settings.screenshot, "%s/freed.png", folder);
    for (unsigned way = 0; way < 3; way++)
        FOR_EACH_THAT_DRAWS {
            struct session *session = begin(part);
            struct drm_file *file = rig_file(&rig, RENDER);
            struct rig_channel channel = rig_channel(&rig, file);
            struct drm_nouveau_gem_info target = rig_buffer(&rig, file, rig_vram(&rig), PITCH * SIZE);
            clear(&channel, &target, 0x3e800000);
            if (way == 0)
                assert_int_equal(rig_close_handle(&rig, file, target.handle), 0);
            else if (way == 1)
                assert_int_equal(rig_channel_free(&rig, file, channel.id), 0);
            else
                drm_file_close(file);
            session_end(session);
            rig_close(&rig);
            expect_picture("freed.png", 0x40);
        }
}

static void a_child_leaves_pictures_to_its_parent(void **state) {
    (void)state;
    int status;
    snprintf(settings.screenshot, sizeof settings.screenshot, "%s/child.png", folder);
    snprintf(settings.draws, sizeof settings.draws, "%s/draws", folder);
    struct session *session = begin(&parts[4]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct rig_channel channel = rig_channel(&rig, file);
    struct drm_nouveau_gem_info target = rig_buffer(&rig, file, rig_vram(&rig), PITCH * SIZE);
    clear(&channel, &target, 0x3e800000);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        session_end(session);
        _exit(access(inside("child.png"), F_OK) == 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    session_end(session);
    rig_close(&rig);
    expect_picture("child.png", 0x40);
    char text[16] = "";
    FILE *index = fopen(inside("draws/index.json"), "r");
    assert_non_null(index);
    assert_true(fread(text, 1, sizeof text - 1, index) > 0);
    fclose(index);
    assert_string_equal(text, "[\n]\n"); /* a clear is no draw */
    assert_int_equal(unlink(inside("draws/index.json")), 0);
    assert_int_equal(rmdir(inside("draws")), 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(without_a_screen_the_screenshot_is_the_last_target),
        TEST(a_target_that_is_freed_was_the_last),
        TEST(a_child_leaves_pictures_to_its_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
