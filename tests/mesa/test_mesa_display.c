/* SPDX-License-Identifier: MIT */
/*
 * Programs of Vulkan that show something on the display, by VK_KHR_display: Mesa 26 with atomic commits, Mesa 25 with the
 * older calls. Which of them draws is NVK; Mesa 25 takes chips before Turing only with a variable.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mesa/client.h"
#include "mesa/png.h"
#include "mesa/summary.h"

#define MODE       "PFIFO_DRM_MODE=320x240"
#define NVK        "/usr/share/vulkan/icd.d/nouveau_icd*.json"
#define LAVAPIPE   "/usr/share/vulkan/icd.d/lvp_icd*.json"
#define SCREENSHOT "/usr/share/vulkan/explicit_layer.d/VkLayer_MESA_screenshot.json" /* Mesa 26 has it */
#define VULKANINFO "/usr/bin/vulkaninfo"
#define VKCUBE     "/usr/bin/vkcube"
#define XVFB       "/usr/bin/Xvfb"

enum {
    WIDTH = 320,
    HEIGHT = 240,
    FRAMES = 4,
    CUBES = 10, /* pictures that vkcube presents, of which Mesa may not come to show the last ones */
    COMPARED = 3,
    IN_EDGES = 2000 /* one of so many pixels may differ by more than a step: where two texels are equally near */
};

static const char *const usual[] = {"gk104", "gm107", "gp102", NULL};

static bool has(const char *pattern) {
    glob_t found;
    bool is_there = glob(pattern, 0, NULL, &found) == 0;
    if (is_there)
        globfree(&found);
    return is_there;
}

/* Variables of a run on the model, with pictures N.png (from 1 on) and a summary in the directory. */
struct run {
    char *directory, summary[400], output[440], pictures[440];
    const char *variables[8];
};

static void run_prepare(struct run *run, const char *refresh) {
    run->directory = client_directory();
    snprintf(run->summary, sizeof run->summary, "%.380s/summary", run->directory);
    snprintf(run->output, sizeof run->output, "PFIFO_DRM_OUTPUT=%s", run->summary);
    snprintf(run->pictures, sizeof run->pictures, "PFIFO_DRM_SCREENSHOT=%s/%%u.png", run->directory);
    const char *const variables[] = {
        "NVK_I_WANT_A_BROKEN_VULKAN_DRIVER=1", "PFIFO_DRM_JSON=1", MODE, run->output, run->pictures, refresh, NULL};
    memcpy(run->variables, variables, sizeof variables);
}

static void picture_path(char path[440], const struct run *run, unsigned picture) {
    snprintf(path, 440, "%.380s/%u.png", run->directory, picture);
}

static void run_check(const struct run *run) {
    struct summary seen = summary_read(run->summary);
    assert_true(seen.submissions > 0);
    assert_int_equal(seen.faults, 0);
    assert_int_equal(seen.not_executed, 0);
}

static void run_end(struct run *run) {
    char path[440];
    for (unsigned i = 0; i <= CUBES; i++) {
        picture_path(path, run, i);
        unlink(path);
    }
    assert_true(client_directory_remove(run->directory, "summary"));
}

static struct client_end execute(const char *chip, const char *const *arguments, const char *const *variables) {
    struct client client = {.chip = chip, .arguments = arguments, .variables = variables};
    struct client_end end = client_run(&client);
    client_expect(0, &end);
    return end;
}

/* ---- what is known of a picture ---- */

static void compare_with_pattern(const char *chip, const char *path, unsigned frame) {
    unsigned width, height;
    uint8_t *seen = png_read(path, &width, &height);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
        unsigned x = i % WIDTH, y = i / WIDTH;
        const uint8_t wanted[] = {(uint8_t)(x + frame), (uint8_t)y, (uint8_t)(x ^ y)};
        if (memcmp(seen + (size_t)i * 4, wanted, sizeof wanted) != 0)
            fail_msg("%s: pixel %u,%u of picture %u is not as it was presented", chip, x, y, frame);
    }
    free(seen);
}

static void show_pattern(const char *chip, const char *refresh) {
    struct run run;
    char path[440];
    run_prepare(&run, refresh);
    struct client_end end = execute(chip, ARGUMENTS(client_program("PFIFO_MESA_PRESENT"), "4"), run.variables);
    assert_non_null(strstr(end.out, "320x240"));
    client_end_free(&end);
    run_check(&run);
    for (unsigned i = 0; i < FRAMES; i++) {
        picture_path(path, &run, i + 1);
        compare_with_pattern(chip, path, i);
    }
    run_end(&run);
}

/* With Mesa 25.0 vkCreateSwapchainKHR() does not return on Tegras: NVK is in a loop. */
static bool can_show(const char *chip) {
    static const char *const tegras[] = {"gk20a", "gm20b", "gp10b"};
    for (size_t i = 0; i < sizeof tegras / sizeof tegras[0]; i++)
        if (strcmp(chip, tegras[i]) == 0)
            return has(SCREENSHOT);
    return true;
}

static void pictures_are_shown_as_they_were_presented(void **state) {
    (void)state;
    const char *const *chips = client_chips(usual);
    for (size_t i = 0; chips[i]; i++) {
        if (!can_show(chips[i]))
            continue;
        show_pattern(chips[i], "PFIFO_DRM_REFRESH=0");
        show_pattern(chips[i], "PFIFO_DRM_REFRESH=60");
    }
}

/* ---- vulkaninfo ---- */

static void vulkaninfo_lists_the_display(void **state) {
    (void)state;
    const char *const *chips = client_chips(usual);
    for (size_t i = 0; chips[i]; i++) {
        struct client_end end =
            execute(chips[i], ARGUMENTS(VULKANINFO), ARGUMENTS("NVK_I_WANT_A_BROKEN_VULKAN_DRIVER=1"));
        assert_non_null(strstr(end.out, "NVK"));
        assert_null(strstr(end.err, "ERROR"));
        assert_null(strstr(end.out, "ERROR at"));
        client_end_free(&end);
    }
}

/* ---- vkcube ---- */

/* Mesa 25's time has a vkcube that crashes there with any driver; the layer came later. */
static bool has_cube(void) {
    return has(VKCUBE) && has(SCREENSHOT) && has(LAVAPIPE) && has(XVFB);
}

/* An X server that takes a number which is free, and says which. */
static pid_t start_server(char display[24]) {
    int ends[2];
    char number[8] = "", descriptor[16];
    assert_int_equal(pipe(ends), 0);
    snprintf(descriptor, sizeof descriptor, "%d", ends[1]);
    pid_t pid = fork();
    if (pid == 0) {
        if (!freopen("/dev/null", "w", stderr)) /* it warns of the keyboard */
            _exit(127);
        execl(XVFB, XVFB, "-displayfd", descriptor, "-screen", "0", "800x600x24", "-nolisten", "tcp", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    assert_true(read(ends[0], number, sizeof number - 1) > 0);
    close(ends[0]);
    snprintf(display, 24, "DISPLAY=:%lu", strtoul(number, NULL, 10));
    return pid;
}

/* Frames as lavapipe draws them, in a window: N.png, N from 0 on. The layer writes them while the program goes on, and
 * those at its end may be lost. */
static void draw_by_lavapipe(struct run *run) {
    char config[500], display[24];
    run_prepare(run, NULL);
    snprintf(config, sizeof config, "VK_LAYER_MESA_SCREENSHOT_CONFIG=output_dir=%s,frames=0/1/2", run->directory);
    pid_t server = start_server(display);
    struct client_end end =
        execute(NULL, ARGUMENTS(VKCUBE, "--wsi", "xcb", "--width", "320", "--height", "240", "--c", "30"),
                ARGUMENTS("VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.json", display,
                          "VK_INSTANCE_LAYERS=VK_LAYER_MESA_screenshot", config));
    client_end_free(&end);
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
}

static unsigned far_pixels(const char *path, const char *other) {
    unsigned width, height, far = 0;
    uint8_t *a = png_read(path, &width, &height);
    assert_true(width == WIDTH && height == HEIGHT);
    uint8_t *b = png_read(other, &width, &height);
    assert_true(width == WIDTH && height == HEIGHT);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT * 4; i += 4) {
        bool is_far = false;
        for (unsigned j = 0; j < 3; j++)
            is_far |= abs(a[i + j] - b[i + j]) > 1;
        far += is_far;
    }
    free(a);
    free(b);
    return far;
}

static void vkcube_shows_its_cube_as_lavapipe_draws_it(void **state) {
    struct run wanted, run;
    char path[440], other[440];
    (void)state;
    const char *const *chips = client_chips(usual);
    draw_by_lavapipe(&wanted);
    for (size_t i = 0; chips[i]; i++) {
        run_prepare(&run, NULL);
        struct client_end end = execute(chips[i], ARGUMENTS(VKCUBE, "--wsi", "display", "--c", "10"), run.variables);
        client_end_free(&end);
        run_check(&run);
        for (unsigned j = 0; j < COMPARED; j++) {
            picture_path(path, &run, j + 1);
            picture_path(other, &wanted, j);
            unsigned far = far_pixels(path, other);
            if (far > WIDTH * HEIGHT / IN_EDGES)
                fail_msg("%s: %u pixels of picture %u are not lavapipe's", chips[i], far, j);
        }
        run_end(&run);
    }
    run_end(&wanted);
}

int main(void) {
    struct CMUnitTest tests[3] = {cmocka_unit_test(pictures_are_shown_as_they_were_presented)};
    size_t count = 1;
    if (!has(NVK) || !getenv("PFIFO_MESA_PRESENT"))
        return 77;
    if (has(VULKANINFO))
        tests[count++] = (struct CMUnitTest)cmocka_unit_test(vulkaninfo_lists_the_display);
    if (has_cube())
        tests[count++] = (struct CMUnitTest)cmocka_unit_test(vkcube_shows_its_cube_as_lavapipe_draws_it);
    return _cmocka_run_group_tests("display", tests, count, NULL, NULL);
}
