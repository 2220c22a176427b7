/* SPDX-License-Identifier: MIT */
/*
 * kmscube and the scenes of glmark2 look on chips that draw as llvmpipe draws them, up to the last steps of a colour
 * and a few pixels at edges. Both are on the same display, and time passes alike for both (programs/clock.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mesa/client.h"
#include "mesa/png.h"
#include "mesa/summary.h"

#define FRAMES   2u
#define STEPS    8   /* of a colour that may differ */
#define IN_EDGES 200 /* one of so many pixels may differ more */

/*
 * What the compiler of Mesa's nouveau makes of some programs, so that their pictures are not compared. NVK has another.
 *
 * SIGN: for GF100 to GK107 it leaves out the sign of what is subtracted from a product with an immediate of 32 bits
 * (docs/mesa.md).
 *
 * POSITION: it reads gl_FragCoord with the perspective mode of IPA, which multiplies by W; Mesa 22.3 did without. No
 * source says that a card leaves out the product there, which would make such programs right (docs/mesa.md).
 */
enum { SIGN = 1, POSITION = 2 };
#define FIRST_WITH_POSITION 24

struct scene {
    const char *name, *option;
    unsigned of;     /* one of so many pixels may differ; 0: IN_EDGES */
    unsigned unlike; /* SIGN, POSITION */
};

/* An edge is many times what one colour differs from the next. llvmpipe approximates levels of detail. */
static const struct scene scenes[] = {
    {"build", "build:nframes=2", 0, 0},
    {"texture", "texture:texture-filter=mipmap:nframes=2", 0, 0},
    {"shading", "shading:shading=phong:nframes=2", 0, 0},
    {"bump", "bump:bump-render=height:nframes=2", 0, 0},
    {"effect2d", "effect2d:nframes=2", 50, 0},
    {"pulsar", "pulsar:nframes=2", 0, 0},
    {"desktop", "desktop:nframes=2", 0, 0},
    {"buffer", "buffer:nframes=2", 0, 0},
    {"ideas", "ideas:nframes=2", 0, POSITION},
    {"jellyfish", "jellyfish:nframes=2", 0, 0},
    {"shadow", "shadow:nframes=2", 0, 0},
    {"conditionals", "conditionals:nframes=2", 0, POSITION},
    {"function", "function:nframes=2", 0, POSITION},
    {"loop", "loop:nframes=2", 0, POSITION},
    {"terrain", "terrain:nframes=2", 25, POSITION | SIGN},
    {"refract", "refract:nframes=2", 25, SIGN},
};
#define SCENES (sizeof scenes / sizeof scenes[0])

/* Frames of a program from 1 on, as files FOLDER/N.png. */
struct shown {
    char *directory;
    unsigned frames;
    int mesa; /* the first number of its version */
};

static void path_of(char path[400], const struct shown *shown, unsigned frame) {
    snprintf(path, 400, "%.380s/%u.png", shown->directory, frame);
}

static void drop(struct shown *shown) {
    char path[400];
    for (unsigned i = 1; i < shown->frames + 8; i++) {
        path_of(path, shown, i);
        unlink(path);
    }
    assert_true(client_directory_remove(shown->directory, "summary"));
}

/* On the chip, or by llvmpipe for its display. */
static struct shown show(const char *chip, bool software, const char *const *arguments, unsigned frames) {
    struct shown shown = {client_directory(), frames, 0};
    char screenshot[440], output[440], path[400], preload[4200];
    snprintf(screenshot, sizeof screenshot, "PFIFO_DRM_SCREENSHOT=%s/%%u.png", shown.directory);
    snprintf(path, sizeof path, "%.380s/summary", shown.directory);
    snprintf(output, sizeof output, "PFIFO_DRM_OUTPUT=%s", path);
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s:%s", getenv("PFIFO_SHIM"), client_program("PFIFO_MESA_CLOCK"));
    struct client client = {
        .chip = chip,
        .arguments = arguments,
        .variables = ARGUMENTS(screenshot, output, preload, "PFIFO_DRM_JSON=1", "PFIFO_DRM_MODE=400x300",
                               "GALLIVM_PERF=no_brilinear,no_rho_approx,no_quad_lod,no_aos_sampling",
                               "GALLIUM_OVERRIDE_CPU_CAPS=sse4.1",
                               software ? "MESA_LOADER_DRIVER_OVERRIDE=kms_swrast" : "PFIFO_DRM_REFRESH=60")};
    struct client_end end = client_run(&client);
    client_expect(0, &end);
    if (!strstr(end.out, software ? "llvmpipe" : client_renderer(chip)))
        fail_msg("%s: it was drawn by another: %.1000s", chip, end.out);
    const char *version = strstr(end.out, " Mesa ");
    assert_non_null(version);
    shown.mesa = atoi(version + 6);
    client_end_free(&end);
    if (!software) {
        struct summary summary = summary_read(path);
        assert_true(summary.submissions >= frames);
        assert_int_equal(summary.unknown, 0);
        assert_int_equal(summary.faults, 0);
        assert_int_equal(summary.not_executed, 0);
    }
    return shown;
}

static bool is_unlike(const struct scene *scene, const char *chip, int mesa) {
    static const char *const with_sign[] = {"gf100", "gf119", "gk104"};
    if (client_is_zink())
        return false;
    for (size_t i = 0; scene->unlike & SIGN && i < sizeof with_sign / sizeof with_sign[0]; i++)
        if (strcmp(chip, with_sign[i]) == 0)
            return true;
    return scene->unlike & POSITION && mesa >= FIRST_WITH_POSITION;
}

static size_t differing(const uint8_t *seen, const uint8_t *wanted, size_t pixels) {
    size_t count = 0;
    for (size_t i = 0; i < pixels; i++)
        count += abs(seen[4 * i] - wanted[4 * i]) > STEPS || abs(seen[4 * i + 1] - wanted[4 * i + 1]) > STEPS ||
                 abs(seen[4 * i + 2] - wanted[4 * i + 2]) > STEPS;
    return count;
}

/* False: it is not the same picture; this is told. */
static bool same_frame(const struct shown *seen, const struct shown *wanted, unsigned frame, const struct scene *scene,
                       const char *chip) {
    char path[400];
    unsigned width, height, wanted_width, wanted_height, of = scene->of ? scene->of : IN_EDGES;
    path_of(path, seen, frame);
    uint8_t *a = png_read(path, &width, &height);
    path_of(path, wanted, frame);
    uint8_t *b = png_read(path, &wanted_width, &wanted_height);
    assert_int_equal(width, wanted_width);
    assert_int_equal(height, wanted_height);
    size_t count = differing(a, b, (size_t)width * height);
    bool unlike = is_unlike(scene, chip, seen->mesa), same = count <= (size_t)width * height / of;
    if (!same || getenv("PFIFO_MESA_SHOW_COUNTS"))
        print_error("%s on %s, frame %u: %zu pixels are not as llvmpipe's%s\n", scene->name, chip, frame, count,
                    unlike ? ", by Mesa's compiler" : "");
    free(a);
    free(b);
    return same || unlike;
}

static void scenes_of_glmark2_look_as_llvmpipe_draws_them(void **state) {
    const char *arguments[2 * SCENES + 6] = {"/usr/bin/glmark2-es2-drm", "-s", "320x240"};
    const struct mesa_chip *chip = *state;
    bool same = true;
    if (access(arguments[0], X_OK) != 0)
        skip();
    for (size_t i = 0; i < SCENES; i++) {
        arguments[3 + 2 * i] = "-b";
        arguments[4 + 2 * i] = scenes[i].option;
    }
    /* The last frames of a program may come too late to be seen. */
    arguments[3 + 2 * SCENES] = "-b";
    arguments[4 + 2 * SCENES] = scenes[0].option;
    struct shown wanted = show(chip->name, true, arguments, FRAMES * SCENES),
                 seen = show(chip->name, false, arguments, FRAMES * SCENES);
    for (unsigned i = 0; i < FRAMES * SCENES; i++)
        same &= same_frame(&seen, &wanted, i + 1, &scenes[i / FRAMES], chip->name);
    drop(&seen);
    drop(&wanted);
    assert_true(same);
}

static void kmscube_looks_as_llvmpipe_draws_it(void **state) {
    static const struct scene cube = {"kmscube", NULL, 0, 0};
    const struct mesa_chip *chip = *state;
    const char *const *arguments = ARGUMENTS("/usr/bin/kmscube", "-c", "6");
    bool same = true;
    if (access(arguments[0], X_OK) != 0)
        skip();
    struct shown wanted = show(chip->name, true, arguments, 5), seen = show(chip->name, false, arguments, 5);
    for (unsigned i = 1; i <= 5; i++)
        same &= same_frame(&seen, &wanted, i, &cube, chip->name);
    drop(&seen);
    drop(&wanted);
    assert_true(same);
}

int main(void) {
    static const char *const usual[] = {"gk110", "gp102", NULL};
    struct CMUnitTest tests[64] = {0};
    size_t count = 0;
    if (!client_has_mesa())
        return 77;
    for (const char *const *name = client_chips(usual); *name; name++) {
        const struct mesa_chip *chip = client_chip(*name);
        void *state = (void *)(uintptr_t)chip;
        if (chip->version < 31)
            continue;
        tests[count++] = (struct CMUnitTest){chip->name, kmscube_looks_as_llvmpipe_draws_it, NULL, NULL, state};
        tests[count++] =
            (struct CMUnitTest){chip->name, scenes_of_glmark2_look_as_llvmpipe_draws_them, NULL, NULL, state};
    }
    return count ? _cmocka_run_group_tests("mesa_scenes", tests, count, NULL, NULL) : 77;
}
