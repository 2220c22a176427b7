/* SPDX-License-Identifier: MIT */
/*
 * The scenes of vkmark look with NVK on chips that draw as lavapipe draws them, up to the last steps of a colour and a
 * few pixels at edges. Both show to no screen; what they show is written by programs/frames.c, and time passes alike for
 * both (programs/clock.c).
 *
 * Left out: a texture with nearest filters and anisotropy. What one pixel shows then no document says; the model takes
 * one texel (docs/mesa.md).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mesa/client.h"
#include "mesa/summary.h"

#define STEPS    8   /* of a colour that may differ */
#define IN_EDGES 200 /* one of so many pixels may differ more */
/* Mesa 25.0 crashes when it shows a picture to no screen, with NVK on any card: see docs/mesa.md. */
#define FIRST_HEADLESS 26u

#define SIZE "800x600" /* of the background of effect2d, so that each pixel shows the middle of a texel */

/* Time passes by 4 ms with each look, and scenes look once or twice for each frame. */
struct scene {
    const char *option;
    unsigned frames;
};

static const struct scene scenes[] = {
    {"vertex:duration=0.01", 2},
    {"vertex:device-local=false:interleave=false:duration=0.01", 2},
    {"texture:texture-filter=nearest:anisotropy=0:duration=0.01", 2},
    {"texture:anisotropy=0:duration=0.01", 2},
    {"texture:anisotropy=16:duration=0.01", 2},
    {"shading:shading=gouraud:duration=0.01", 2},
    {"shading:shading=blinn-phong-inf:duration=0.01", 2},
    {"shading:shading=phong:duration=0.01", 2},
    {"shading:shading=cel:duration=0.01", 2},
    {"effect2d:kernel=blur:duration=0.01", 3},
    {"effect2d:kernel=edge:duration=0.01", 3},
    {"effect2d:kernel=none:duration=0.01", 3},
    {"effect2d:kernel=none:background-resolution=1920x1080:duration=0.01", 3},
    {"desktop:duration=0.01", 2},
    {"desktop:windows=8:window-size=0.2:duration=0.01", 2},
    {"cube:duration=0.01", 2},
    {"clear:duration=0.01", 2},
    {"clear:color=0.2,0.4,0.6,1.0:duration=0.01", 2},
};
#define SCENES (sizeof scenes / sizeof scenes[0])

/* Frames of all scenes, as files FOLDER/N.ppm, N from 1 on. */
struct shown {
    char *directory;
    unsigned mesa; /* the first number of its version */
};

static unsigned frames_of_all(void) {
    unsigned frames = 0;
    for (size_t i = 0; i < SCENES; i++)
        frames += scenes[i].frames;
    return frames;
}

static void path_of(char path[400], const struct shown *shown, unsigned frame) {
    snprintf(path, 400, "%.380s/%u.ppm", shown->directory, frame);
}

static void drop(struct shown *shown) {
    char path[400];
    for (unsigned i = 1; i <= frames_of_all(); i++) {
        path_of(path, shown, i);
        unlink(path);
    }
    assert_true(client_directory_remove(shown->directory, "summary"));
}

/* Vulkan's number of the version, as vkmark prints it. */
static unsigned mesa_of(const char *out) {
    const char *version = strstr(out, "Driver Version: ");
    assert_non_null(version);
    return (unsigned)strtoul(version + strlen("Driver Version: "), NULL, 10) >> 22 & 0x7f;
}

/* False: there is none. `path`: the first one, or NULL. */
static bool find_file(const char *pattern, char path[300]) {
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0)
        return false;
    if (path)
        snprintf(path, 300, "%s", found.gl_pathv[0]);
    globfree(&found);
    return true;
}

#define NVK      "/usr/share/vulkan/icd.d/nouveau_icd*.json"
#define LAVAPIPE "/usr/share/vulkan/icd.d/lvp_icd*.json"

/* On the chip, or by lavapipe. No other driver is there: which one vkmark takes first depends on the bus of the card. */
static struct shown show(const char *chip) {
    const char *arguments[2 * SCENES + 8] = {"/usr/bin/vkmark", "--winsys", "headless", "-s", SIZE};
    struct shown shown = {client_directory(), 0};
    char output[440], folder[440], path[400], preload[4200], driver[300], only[320];
    find_file(chip ? NVK : LAVAPIPE, driver);
    snprintf(only, sizeof only, "VK_DRIVER_FILES=%s", driver);
    for (size_t i = 0; i < SCENES; i++) {
        arguments[5 + 2 * i] = "-b";
        arguments[6 + 2 * i] = scenes[i].option;
    }
    snprintf(path, sizeof path, "%.380s/summary", shown.directory);
    snprintf(output, sizeof output, "PFIFO_DRM_OUTPUT=%s", path);
    snprintf(folder, sizeof folder, "FRAMES=%s", shown.directory);
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s%s%s:%s", chip ? getenv("PFIFO_SHIM") : "", chip ? ":" : "",
             client_program("PFIFO_MESA_CLOCK"), client_program("PFIFO_MESA_FRAMES"));
    struct client client = {
        .chip = chip,
        .arguments = arguments,
        .variables = ARGUMENTS(folder, output, preload, only, "PFIFO_DRM_JSON=1", "NVK_I_WANT_A_BROKEN_VULKAN_DRIVER=1",
                               "GALLIVM_PERF=no_brilinear,no_rho_approx,no_quad_lod,no_aos_sampling",
                               "GALLIUM_OVERRIDE_CPU_CAPS=sse4.1")};
    struct client_end end = client_run(&client);
    shown.mesa = mesa_of(end.out);
    if (chip && shown.mesa < FIRST_HEADLESS) {
        client_end_free(&end);
        return shown;
    }
    client_expect(0, &end);
    if (!strstr(end.out, chip ? "NVK" : "llvmpipe"))
        fail_msg("%s: it was drawn by another: %.1000s", chip, end.out);
    client_end_free(&end);
    if (chip) {
        struct summary summary = summary_read(path);
        assert_true(summary.submissions >= frames_of_all());
        assert_int_equal(summary.unknown, 0);
        assert_int_equal(summary.faults, 0);
        assert_int_equal(summary.not_executed, 0);
    }
    return shown;
}

/* Its pixels, to be freed. */
static uint8_t *read_frame(const struct shown *shown, unsigned frame, size_t *pixels) {
    char path[400];
    unsigned width, height;
    int begin = 0;
    size_t bytes;
    path_of(path, shown, frame);
    char *text = client_slurp(path, &bytes);
    assert_int_equal(sscanf(text, "P6 %u %u 255%n", &width, &height, &begin), 2);
    assert_int_equal(width, 800);
    assert_int_equal(height, 600);
    *pixels = (size_t)width * height;
    assert_int_equal(bytes, (size_t)begin + 1 + 3 * *pixels);
    memmove(text, text + begin + 1, 3 * *pixels);
    return (uint8_t *)text;
}

/* False: it is not the same picture; this is told. */
static bool same_frame(const struct shown *seen, const struct shown *wanted, unsigned frame, const struct scene *scene,
                       const char *chip) {
    size_t pixels, count = 0;
    uint8_t *a = read_frame(seen, frame, &pixels), *b = read_frame(wanted, frame, &pixels);
    for (size_t i = 0; i < 3 * pixels; i += 3)
        count += abs(a[i] - b[i]) > STEPS || abs(a[i + 1] - b[i + 1]) > STEPS || abs(a[i + 2] - b[i + 2]) > STEPS;
    bool same = count <= pixels / IN_EDGES;
    if (!same || getenv("PFIFO_MESA_SHOW_COUNTS"))
        print_error("%s on %s, frame %u: %zu pixels are not as lavapipe's\n", scene->option, chip, frame, count);
    free(a);
    free(b);
    return same;
}

static void scenes_of_vkmark_look_as_lavapipe_draws_them(void **state) {
    const char *chip = *state;
    bool same = true;
    unsigned frame = 1;
    struct shown seen = show(chip);
    if (seen.mesa < FIRST_HEADLESS) {
        print_message("Mesa %u crashes without a screen\n", seen.mesa);
        drop(&seen);
        skip();
    }
    struct shown wanted = show(NULL);
    for (size_t i = 0; i < SCENES; i++)
        for (unsigned n = 0; n < scenes[i].frames; n++)
            same &= same_frame(&seen, &wanted, frame++, &scenes[i], chip);
    drop(&seen);
    drop(&wanted);
    assert_true(same);
}

/* vkmark of Debian 13 and later; lavapipe and NVK. */
static bool has_all(void) {
    return find_file("/usr/lib/*/vkmark/headless.so", NULL) && find_file(NVK, NULL) && find_file(LAVAPIPE, NULL) &&
           getenv("PFIFO_MESA_FRAMES");
}

int main(void) {
    static const char *const usual[] = {"gk110", "gp102", NULL};
    struct CMUnitTest tests[32] = {0};
    size_t count = 0;
    if (!has_all())
        return 77;
    for (const char *const *name = client_chips(usual); *name; name++)
        tests[count++] = (struct CMUnitTest){*name, scenes_of_vkmark_look_as_lavapipe_draws_them, NULL, NULL,
                                             (void *)(uintptr_t)*name};
    return count ? _cmocka_run_group_tests("mesa_vkmark", tests, count, NULL, NULL) : 77;
}
