/* SPDX-License-Identifier: MIT */
/* pfifo image: targets, textures and memory as pictures, at the end and at a place; what has none is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mesa/png.h"
#include "tool/capture.h"
#include "tool/json.h"
#include "tool/tool.h"

enum { SIZE = 64, TEXELS = 4 };

static const char *const with_textures[] = {"nva3", "nvc0", "nve4", "nv117", "nv12b"};

static char *sample_of(const char *chip, const char *what) {
    char name[96];
    snprintf(name, sizeof name, "%s-%s.nvcap.xz", chip, what);
    return sample_path(name);
}

/* The pixels of a picture that the tool writes with these options, to be freed. */
static uint8_t *image_of(const char *sample, const char *surface, const char *const *more, unsigned *width,
                         unsigned *height) {
    char *path = temporary_path(".png");
    const char *arguments[16] = {"image", sample, surface, "-o", path};
    for (size_t i = 0; more && more[i]; i++)
        arguments[5 + i] = more[i];
    struct outcome outcome = tool_run_to(NULL, arguments);
    expect_status(0, &outcome);
    assert_string_equal(outcome.err, "");
    uint8_t *pixels = png_read(path, width, height);
    outcome_free(&outcome);
    unlink(path);
    free(path);
    return pixels;
}

static void expect_failure(const char *why, const char *const *arguments) {
    struct outcome outcome = tool_run_to(NULL, arguments);
    expect_status(2, &outcome);
    if (!strstr(outcome.err, why))
        fail_msg("no '%s' in %s", why, outcome.err);
    outcome_free(&outcome);
}

#define expect_refused(why, ...) expect_failure(why, (const char *const[]){"image", __VA_ARGS__, NULL})

/* Texels of 4 x 4: red grows to the right, green upwards, blue is a chessboard. */
static void a_texture_is_what_the_program_has_written(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof with_textures / sizeof with_textures[0]; i++) {
        char *sample = sample_of(with_textures[i], "quad");
        unsigned width, height;
        uint8_t *pixels = image_of(sample, "tic:0", NULL, &width, &height);
        assert_int_equal(width, TEXELS);
        assert_int_equal(height, TEXELS);
        for (unsigned t = 0; t < TEXELS; t++)
            for (unsigned s = 0; s < TEXELS; s++) {
                const uint8_t *pixel = pixels + ((size_t)t * TEXELS + s) * 4;
                assert_int_equal(pixel[0], 0x20 + 0x40 * s);
                assert_int_equal(pixel[1], 0x20 + 0x40 * t);
                assert_int_equal(pixel[2], (s ^ t) & 1 ? 0xff : 0);
            }
        free(pixels);
        free(sample);
    }
}

static void a_target_is_the_screenshot(void **state) {
    static const char *const chips[] = {"nv40", "nva3", "nvc0", "nv117", "nv12b"};
    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        char *sample = sample_of(chips[i], "quad"), *path = temporary_path(".png"), option[600];
        unsigned width, height, wide, high;
        snprintf(option, sizeof option, "--screenshot=%s", path);
        struct outcome outcome = tool_run("run", option, sample);
        expect_status(0, &outcome);
        outcome_free(&outcome);
        uint8_t *shot = png_read(path, &wide, &high);
        uint8_t *pixels = image_of(sample, "target", NULL, &width, &height);
        assert_int_equal(width, wide);
        assert_int_equal(height, high);
        assert_memory_equal(pixels, shot, (size_t)wide * high * 4);
        free(pixels);
        free(shot);
        unlink(path);
        free(path);
        free(sample);
    }
}

/* The target's address, its memory taken as what it is, and as something else. */
static void an_address_is_a_target_or_what_options_say(void **state) {
    static const char *const block[] = {"--size=64x64", "--format=BGRA8_UNORM", "--layout=block:8", NULL};
    static const char *const lines[] = {"--size=64x64", "--format=bgra8_unorm", NULL};
    unsigned width, height;
    char *sample = sample_of("nv117", "quad"), address[32];
    (void)state;
    struct outcome outcome = tool_run("image", sample, "target", "--json");
    expect_status(0, &outcome);
    struct json *json = json_parse(outcome.out, strlen(outcome.out));
    assert_non_null(json);
    assert_string_equal(json_get(json, "format")->text, "BGRA8_UNORM");
    assert_string_equal(json_get(json, "layout")->text, "block");
    assert_string_equal(json_get(json, "width")->text, "64");
    snprintf(address, sizeof address, "%s", json_get(json, "address")->text);
    json_free(json);
    outcome_free(&outcome);
    uint8_t *target = image_of(sample, "target:0", NULL, &width, &height);
    uint8_t *same = image_of(sample, address, NULL, &width, &height);
    assert_memory_equal(target, same, SIZE * SIZE * 4);
    free(same);
    same = image_of(sample, address, block, &width, &height);
    assert_memory_equal(target, same, SIZE * SIZE * 4);
    free(same);
    same = image_of(sample, address, lines, &width, &height);
    assert_memory_not_equal(target, same, SIZE * SIZE * 4);
    free(same);
    free(target);
    free(sample);
}

/* A frame is cleared to another colour than the one before: a place decides. */
static void a_place_is_before_what_follows(void **state) {
    static const char *const first[] = {"--at=draw:0", NULL}, *const later[] = {"--at=draw:7", NULL};
    char *sample = sample_of("nv117", "glmark2-desktop-3frames");
    unsigned width, height, wide, high;
    (void)state;
    uint8_t *one = image_of(sample, "target", first, &width, &height);
    uint8_t *other = image_of(sample, "target", later, &wide, &high);
    assert_true(wide != width || high != height || memcmp(one, other, (size_t)wide * high * 4) != 0);
    free(one);
    free(other);
    free(sample);
}

/* 4 x 2 pixels of a buffer; `index` of each from `first` on. */
static void expect_pixels(const char *path, const char *surface, const char *layout, const uint8_t index[8],
                          unsigned first) {
    const char *const more[] = {"--size=4x2", "--format=RGBA8_UNORM", layout, NULL};
    unsigned width, height;
    uint8_t *pixels = image_of(path, surface, more, &width, &height);
    assert_int_equal(width, 4);
    assert_int_equal(height, 2);
    for (unsigned i = 0; i < 8; i++)
        for (unsigned c = 0; c < 3; c++)
            assert_int_equal(pixels[4 * i + c], 4 * (first + index[i]) + c);
    free(pixels);
}

/* Also before G80, where memory may be swizzled: of 4 x 2 pixels, y is the middle bit of the index. */
static void a_buffer_is_what_options_say(void **state) {
    static const uint8_t in_order[] = {0, 1, 2, 3, 4, 5, 6, 7}, swizzled[] = {0, 1, 4, 5, 2, 3, 6, 7};
    static const uint32_t nothing[] = {0};
    uint8_t page[4096];
    struct capture capture;
    (void)state;
    for (unsigned i = 0; i < sizeof page; i++)
        page[i] = (uint8_t)i;
    capture_begin(&capture, 0x40, true);
    capture_submit(&capture, nothing, 1, page);
    char *path = capture_file(&capture);
    expect_pixels(path, "buffer:3", "--layout=pitch", in_order, 0);
    expect_pixels(path, "buffer:3", "--layout=swizzled", swizzled, 0);
    expect_pixels(path, "buffer:3+0x10", "--layout=swizzled", swizzled, 4);
    unsigned width, height;
    uint8_t *depth = image_of(path, "buffer:3+0x10", (const char *const[]){"--size=4x2", "--format=Z24S8_UNORM", NULL},
                              &width, &height);
    assert_int_equal(depth[0], 0x12); /* of 0x121110 */
    assert_int_equal(depth[4], 0x16);
    free(depth);
    expect_refused("powers of two as width and height, not 4x3", path, "buffer:3", "--size=4x3", "--format=RGBA8_UNORM",
                   "--layout=swizzled", "-o", "/dev/null");
    expect_refused("surfaces of NV40 have no blocks: pitch or swizzled", path, "buffer:3", "--size=4x2",
                   "--format=RGBA8_UNORM", "--layout=block:1", "-o", "/dev/null");
    expect_refused("there is no buffer 9 then", path, "buffer:9", "--size=4x2", "--format=RGBA8_UNORM", "-o",
                   "/dev/null");
    expect_refused("32 bytes at 0xff0 are not in buffer 3", path, "buffer:3+0xff0", "--size=4x2",
                   "--format=RGBA8_UNORM", "-o", "/dev/null");
    expect_refused("a buffer needs --size and --format", path, "buffer:3", "-o", "/dev/null");
    unlink(path);
    free(path);
}

/* Methods describe the texture that the last draw of the sample reads, which is the target of the one before. */
static void a_texture_unit_has_the_texture_that_methods_describe(void **state) {
    char *sample = sample_of("nv40", "quad"), *new = sample_of("nv117", "quad");
    unsigned width, height;
    (void)state;
    uint8_t *texture = image_of(sample, "tex:0", NULL, &width, &height);
    assert_int_equal(width, SIZE);
    assert_int_equal(height, SIZE);
    uint8_t *target = image_of(sample, "target", NULL, &width, &height);
    assert_memory_equal(texture, target, SIZE * SIZE * 4);
    struct outcome outcome = tool_run("image", sample, "tex:0", "--json");
    expect_status(0, &outcome);
    expect_printed(&outcome, "\"format\":\"A8R8G8B8\",\"layout\":\"swizzled\",\"address\":2097152,");
    outcome_free(&outcome);
    expect_refused("texture unit 1 has no texture", sample, "tex:1", "-o", "/dev/null");
    expect_refused("texture units are 0 to 19", sample, "tex:20", "-o", "/dev/null");
    expect_refused("there is no object whose texture units are described by methods", new, "tex:0", "-o", "/dev/null");
    free(texture);
    free(target);
    free(sample);
    free(new);
}

/* It is freed before the capture ends. */
static void a_buffer_that_goes_is_as_it_was(void **state) {
    static const uint8_t in_order[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const uint32_t nothing[] = {0};
    uint8_t page[4096];
    struct capture capture;
    (void)state;
    for (unsigned i = 0; i < sizeof page; i++)
        page[i] = (uint8_t)i;
    capture_begin(&capture, 0xc0, false);
    capture_submit(&capture, nothing, 1, page);
    capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BODEL, .bodel = {CAPTURE_DATA}});
    char *path = capture_file(&capture);
    expect_pixels(path, "buffer:3", "--layout=pitch", in_order, 0);
    unlink(path);
    free(path);
}

/* The picture would be of a place before. */
static void a_capture_that_does_not_run_to_the_place_has_no_picture(void **state) {
    static const uint32_t nothing[] = {0};
    static const uint8_t page[4096];
    struct capture capture;
    (void)state;
    capture_begin(&capture, 0xc0, false);
    capture_submit(&capture, nothing, 1, page);
    capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BODEL, .bodel = {CAPTURE_DATA}});
    capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_CHANFREE, .chanfree = {77}});
    char *path = capture_file(&capture);
    expect_refused("there is no channel 77", path, "buffer:3", "--size=4x2", "--format=RGBA8_UNORM", "-o", "/dev/null");
    unlink(path);
    free(path);
}

static void what_has_no_picture_is_named(void **state) {
    char *quad = sample_of("nv117", "quad"), *curie = sample_of("nv40", "quad");
    (void)state;
    expect_refused("the pool of textures ends with header", quad, "tic:99999999", "-o", "/dev/null");
    expect_refused("the texture header has a format that does not exist", quad, "tic:5", "-o", "/dev/null");
    expect_refused("has no such image", quad, "tic:0", "--level=3", "-o", "/dev/null");
    expect_refused("has no such image", quad, "tic:0", "--layer=1", "-o", "/dev/null");
    expect_refused("textures of NV40 have no headers in a pool", curie, "tic:0", "-o", "/dev/null");
    expect_refused("NV40 has no virtual addresses", curie, "0x1000", "--size=4x4", "--format=RGBA8_UNORM", "-o",
                   "/dev/null");
    expect_refused("the draw has no such target", quad, "target:5", "-o", "/dev/null");
    expect_refused("--size and --format say what is there", quad, "0x1000", "-o", "/dev/null");
    expect_refused("nothing is mapped at 0x1000", quad, "0x1000", "--size=4x4", "--format=RGBA8_UNORM", "-o",
                   "/dev/null");
    expect_refused("it has 1 draw", quad, "target", "--at=draw:9", "-o", "/dev/null");
    expect_refused("there is no format 'PAINT'", quad, "0x1000", "--size=4x4", "--format=PAINT");
    expect_refused("did you mean RGBA8_UNORM?", quad, "0x1000", "--size=4x4", "--format=RGBA8_UNROM");
    expect_refused("surfaces of GM107 are not swizzled: pitch or block", quad, "buffer:1", "--size=4x4",
                   "--format=RGBA8_UNORM", "--layout=swizzled", "-o", "/dev/null");
    expect_refused("--size takes WIDTHxHEIGHT, not '4x'", quad, "0x1000", "--size=4x");
    expect_refused("--size takes WIDTHxHEIGHT, not 'x4'", quad, "0x1000", "--size=x4");
    expect_refused("--size=0x4 has no pixels", quad, "0x1000", "--size=0x4");
    expect_refused("--pitch is at least a byte", quad, "0x1000", "--pitch=0");
    expect_refused("blocks are 1, 2, 4, 8, 16 or 32 GOBs high, not '3'", quad, "0x1000", "--layout=block:3");
    expect_refused("GOBs high, not ''", quad, "0x1000", "--layout=block:");
    expect_refused("'x' is not a number in the surface 'tic:x'", quad, "tic:x");
    expect_refused("targets are 0 to 7, and depth, not 'target:9'", quad, "target:9");
    expect_refused("tiled memory is a pitch surface", quad, "0x1000", "--layout=tiled");
    expect_refused("64 pixels of RGBA8_UNORM take more than 4 bytes a line", quad, "0x1000", "--size=64x64",
                   "--format=RGBA8_UNORM", "--pitch=4", "-o", "/dev/null");
    expect_refused("a swizzled surface has no pitch", quad, "0x1000", "--size=64x64", "--format=RGBA8_UNORM",
                   "--layout=swizzled", "--pitch=256");
    expect_refused("kitty's graphics protocol", quad, "target");
    expect_refused("a surface is missing", quad, "--level=1");
    expect_refused("kitty's graphics protocol", quad, "--terminal");
    expect_refused("/nowhere/a.png: cannot write", quad, "target", "-o", "/nowhere/a.png");
    free(quad);
    free(curie);
}

static void surfaces_that_are_used_are_listed(void **state) {
    char *quad = sample_of("nv117", "quad"), *clear = sample_of("nv40", "clear");
    (void)state;
    struct outcome outcome = tool_run("image", quad);
    expect_status(0, &outcome);
    assert_string_equal(
        outcome.out,
        "channel 0:\n"
        "0x1025e0000    target:0     BGRA8_UNORM       block      64x64          1 draw, draw:0, 1 clear, submission 2 "
        "to "
        "3\n"
        "0x1025e4000    tic:0        A8B8G8R8          2D         4x4            1 draw, draw:0, submission 3\n");
    outcome_free(&outcome);
    outcome = tool_run("image", "--at=method:CLEAR_SURFACE", quad);
    expect_status(0, &outcome);
    expect_printed(&outcome, "block      64x64          1 clear, submission 2\n");
    assert_null(strstr(outcome.out, "tic:"));
    outcome_free(&outcome);
    outcome = tool_run("image", "--at=draw:7", quad);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "the capture ends before draw 7: it has 1 draw\n"));
    outcome_free(&outcome);
    outcome = tool_run("image", clear);
    expect_printed(&outcome, "target:0     A8R8G8B8          swizzled   64x64          1 clear, submission 2\n");
    assert_non_null(strstr(outcome.err, "draws of NV40 are not executed: these are targets of clears only\n"));
    outcome_free(&outcome);
    free(quad);
    free(clear);
}

/* One that is used again is the same, with its last name. */
static void a_surface_that_is_used_again_has_one_line(void **state) {
    char *sample = sample_of("nv117", "piglit-copy-pixels");
    (void)state;
    struct outcome outcome = tool_run("image", sample);
    expect_printed(&outcome,
                   "\n0x10261c000    target:depth Z24S8_UNORM       block      160x160        10 draws, draw:0 to "
                   "draw:11, 2 clears, submission 4 to 32\n");
    assert_null(strstr(strstr(outcome.out, "target:depth") + 1, "target:depth"));
    outcome_free(&outcome);
    free(sample);
}

static void without_a_surface_a_picture_is_of_the_target(void **state) {
    char *sample = sample_of("nvc0", "quad"), *path = temporary_path(".png");
    unsigned width, height, wide, high;
    (void)state;
    uint8_t *target = image_of(sample, "target", NULL, &width, &height);
    struct outcome outcome = tool_run("image", "-o", path, sample);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    uint8_t *pixels = png_read(path, &wide, &high);
    assert_int_equal(wide, width);
    assert_int_equal(high, height);
    assert_memory_equal(pixels, target, (size_t)width * height * 4);
    outcome_free(&outcome);
    unlink(path);
    free(path);
    free(target);
    free(pixels);
    free(sample);
}

static void formats_are_listed(void **state) {
    (void)state;
    struct outcome outcome = tool_run("image", "--format=help");
    expect_status(0, &outcome);
    expect_printed(&outcome, "\nBGRA8_UNORM\n");
    expect_printed(&outcome, "\nZ24S8_UNORM\n");
    outcome_free(&outcome);
}

/* A terminal that says that it has the protocol, or not. It answers when it has been asked. */
static size_t shown_in_terminal(const char *sample, const char *answer, char *text, size_t room, int *status) {
    int leader = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(leader >= 0 && grantpt(leader) == 0 && unlockpt(leader) == 0);
    int follower = open(ptsname(leader), O_RDWR | O_NOCTTY);
    assert_true(follower >= 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(follower, STDOUT_FILENO);
        execl(tool_name(), tool_name(), "image", sample, "tic:0", (char *)NULL);
        _exit(127);
    }
    close(follower);
    size_t have = 0;
    bool answered = false;
    for (ssize_t got; have < room - 1 && (got = read(leader, text + have, room - 1 - have)) > 0;) {
        have += (size_t)got;
        text[have] = 0;
        if (!answered && strstr(text, "\033[c")) {
            assert_int_equal(write(leader, answer, strlen(answer)), strlen(answer));
            answered = true;
        }
    }
    close(leader);
    assert_int_equal(waitpid(child, status, 0), child);
    return have;
}

static void a_terminal_is_asked_first(void **state) {
    static char text[65536];
    char *sample = sample_of("nv117", "quad");
    int status;
    (void)state;
    shown_in_terminal(sample, "\033_Gi=31;OK\033\\\033[?62;c", text, sizeof text, &status);
    assert_int_equal(WEXITSTATUS(status), 0);
    /* 4 x 4 texels of 3 bytes, 4 letters each; the first is 20 20 00. */
    char *picture = strstr(text, "\033_Ga=T,q=2,f=24,s=4,v=4,m=0;ICAA");
    assert_non_null(picture);
    assert_int_equal(strcspn(picture + 1, "\033"), strlen("_Ga=T,q=2,f=24,s=4,v=4,m=0;") + 64);
    shown_in_terminal(sample, "\033[?62;c", text, sizeof text, &status);
    assert_int_equal(WEXITSTATUS(status), 2);
    assert_null(strstr(text, "a=T"));
    free(sample);
}

/* Sixels of up to 8 x 6 pixels with a palette of percents: those of each colour, six in a column from bit 0 on. */
static void read_sixels(const char *text, unsigned width, unsigned height, uint8_t rgb[8 * 6][3]) {
    uint8_t palette[256][3] = {{0}};
    unsigned x = 0, color = 0, repeat = 1;
    assert_true(width <= 8 && height <= 6);
    for (char *at = strchr(text, 'q') + 1; *at && *at != '\033'; at++) {
        if (*at == '#') {
            color = (unsigned)strtoul(at + 1, &at, 10) & 255;
            if (strncmp(at, ";2;", 3) == 0)
                for (unsigned c = 0; c < 3; c++)
                    palette[color][c] = (uint8_t)((strtoul(at + (c ? 1 : 3), &at, 10) * 255 + 50) / 100);
            at--;
        } else if (*at == '!') {
            repeat = (unsigned)strtoul(at + 1, &at, 10);
            at--;
        } else if (*at == '"') {
            at += strspn(at + 1, "0123456789;");
        } else if (*at == '$') {
            x = 0;
        } else if (*at >= '?' && *at <= '~') {
            for (; repeat; repeat--, x++)
                for (unsigned y = 0; y < height && x < width; y++)
                    if ((*at - '?') >> y & 1)
                        memcpy(rgb[y * width + x], palette[color], 3);
            repeat = 1;
        }
    }
}

/* Attribute 4 of the answer to DA1; a terminal that has kitty's protocol as well shows pictures by that. */
static void a_terminal_with_sixels_is_shown_these(void **state) {
    static char text[65536];
    char *sample = sample_of("nv117", "quad");
    uint8_t rgb[8 * 6][3] = {{0}};
    int status;
    (void)state;
    shown_in_terminal(sample, "\033[?62;4;22c", text, sizeof text, &status);
    if (!getenv("PFIFO_SIXEL")) {
        assert_int_equal(WEXITSTATUS(status), 2);
        free(sample);
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
    char *picture = strstr(text, "\033P");
    assert_non_null(picture);
    assert_non_null(strstr(picture, "\033\\"));
    read_sixels(picture, TEXELS, TEXELS, rgb);
    for (unsigned i = 0; i < TEXELS * TEXELS; i++) {
        const int expected[] = {0x20 + 0x40 * (int)(i % TEXELS), 0x20 + 0x40 * (int)(i / TEXELS),
                                (i ^ i / TEXELS) & 1 ? 0xff : 0};
        for (unsigned c = 0; c < 3; c++)
            if (abs(rgb[i][c] - expected[c]) > 2)
                fail_msg("pixel %u: %02x %02x %02x", i, rgb[i][0], rgb[i][1], rgb[i][2]);
    }
    shown_in_terminal(sample, "\033[?64;14c", text, sizeof text, &status); /* no 4 */
    assert_int_equal(WEXITSTATUS(status), 2);
    shown_in_terminal(sample, "\033_Gi=31;OK\033\\\033[?62;4c", text, sizeof text, &status);
    assert_non_null(strstr(text, "\033_Ga=T,"));
    assert_null(strstr(text, "\033P"));
    free(sample);
}

static void a_missing_libsixel_is_told(void **state) {
    static char text[65536];
    char *sample = sample_of("nv117", "quad"), *said = temporary_path(".err"), error[400] = "";
    struct hidden hidden = hide_library("libsixel.so.1");
    int status, file = open(said, O_RDWR | O_CLOEXEC), kept = dup(STDERR_FILENO);
    (void)state;
    assert_true(file >= 0 && kept >= 0);
    dup2(file, STDERR_FILENO);
    shown_in_terminal(sample, "\033[?62;4;22c", text, sizeof text, &status);
    dup2(kept, STDERR_FILENO);
    close(kept);
    show_library(&hidden);
    assert_int_equal(WEXITSTATUS(status), 2);
    assert_null(strstr(text, "\033P"));
    assert_true(pread(file, error, sizeof error - 1, 0) > 0);
    if (!strstr(error, "the terminal has sixels, but ") || !strstr(error, "libsixel"))
        fail_msg("%s", error);
    close(file);
    unlink(said);
    free(said);
    free(sample);
}

/* What a picture is, and a sum of its pixels: FNV-1a. */
static void put_golden(FILE *golden, const char *chip, const char *what, const char *surface, const char *place) {
    const char *const more[] = {place, NULL};
    char *sample = sample_of(chip, what);
    unsigned width, height;
    uint8_t *pixels = image_of(sample, surface, more, &width, &height);
    struct outcome outcome =
        place ? tool_run("image", sample, surface, "--json", place) : tool_run("image", sample, surface, "--json");
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    char why[400];
    for (size_t i = 0; i < (size_t)width * height * 4; i++)
        sum = (sum ^ pixels[i]) * UINT64_C(0x100000001b3);
    expect_status(0, &outcome);
    if (!json_fits_definition(outcome.out, outcome.out_bytes, "surface", why, sizeof why))
        fail_msg("%s: %s", why, outcome.out);
    fprintf(golden, "%s-%s %s %s: %ux%u %016" PRIx64 "\n  {%s", chip, what, surface, place ? place : "at the end",
            width, height, sum, strstr(outcome.out, "\"surface\":"));
    outcome_free(&outcome);
    free(pixels);
    free(sample);
}

/* tests/golden/images.txt */
static void pictures_are_those_of_before(void **state) {
    static const char *const chips[] = {"nv40", "nva3", "nvc0", "nve4", "nv117", "nv12b"};
    struct outcome golden = {0};
    FILE *file = open_memstream(&golden.out, &golden.out_bytes);
    (void)state;
    assert_non_null(file);
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        put_golden(file, chips[i], "quad", "target", NULL);
        put_golden(file, chips[i], "clear-65x63", "target", NULL);
        if (i)
            put_golden(file, chips[i], "quad", "tic:0", NULL);
    }
    put_golden(file, "nvc0", "kmscube-8frames", "target", "--at=draw:9");
    put_golden(file, "nvc0", "piglit-occlusion_query", "target:depth", "--at=draw:3");
    fclose(file);
    expect_golden("images.txt", &golden);
    free(golden.out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_texture_is_what_the_program_has_written),
        cmocka_unit_test(a_target_is_the_screenshot),
        cmocka_unit_test(an_address_is_a_target_or_what_options_say),
        cmocka_unit_test(a_place_is_before_what_follows),
        cmocka_unit_test(what_has_no_picture_is_named),
        cmocka_unit_test(surfaces_that_are_used_are_listed),
        cmocka_unit_test(a_surface_that_is_used_again_has_one_line),
        cmocka_unit_test(without_a_surface_a_picture_is_of_the_target),
        cmocka_unit_test(formats_are_listed),
        cmocka_unit_test(a_buffer_is_what_options_say),
        cmocka_unit_test(a_buffer_that_goes_is_as_it_was),
        cmocka_unit_test(a_texture_unit_has_the_texture_that_methods_describe),
        cmocka_unit_test(a_capture_that_does_not_run_to_the_place_has_no_picture),
        cmocka_unit_test(pictures_are_those_of_before),
        cmocka_unit_test(a_terminal_is_asked_first),
        cmocka_unit_test(a_terminal_with_sixels_is_shown_these),
        cmocka_unit_test(a_missing_libsixel_is_told),
    };
    return cmocka_run_group_tests_name("tool_image", tests, NULL, NULL);
}
