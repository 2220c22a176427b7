/* SPDX-License-Identifier: MIT */
/* Programs of OpenGL ES that are recorded: the replay of each paints what the program has read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/replay.h>

#include "mesa/client.h"

#define WIDTH         65
#define HEIGHT        63
#define ROW           (4 * (size_t)WIDTH)
#define LARGEST       (1u << 20) /* bytes of a buffer that may have an image */
#define PIXELS_OFFSET "mosaic:65x63\n"

/* An image, and which of its rows some buffer has had. */
struct image {
    uint8_t row[HEIGHT][ROW];
    uint8_t swapped[HEIGHT][ROW]; /* blue first: the order of Mesa's surfaces */
    bool found[HEIGHT];
};

static void read_image(struct image *image, const char *path) {
    size_t bytes;
    char *text = client_slurp(path, &bytes);
    size_t head = strlen(PIXELS_OFFSET);
    assert_int_equal(bytes, head + sizeof image->row);
    assert_memory_equal(text, PIXELS_OFFSET, head);
    memcpy(image->row, text + head, sizeof image->row);
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t i = 0; i < ROW; i++)
            image->swapped[y][i] = image->row[y][i % 4 == 0 ? i + 2 : i % 4 == 2 ? i - 2 : i];
    memset(image->found, 0, sizeof image->found);
    free(text);
}

/* A buffer has its last contents. */
static void look(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    struct image *image = opaque;
    size_t bytes = (size_t)pfifo_buffer_bytes(buffer);
    uint8_t *contents = bytes <= LARGEST ? malloc(bytes) : NULL;
    (void)handle;
    if (contents && pfifo_buffer_read(buffer, 0, contents, bytes))
        for (size_t y = 0; y < HEIGHT; y++)
            image->found[y] = image->found[y] || memmem(contents, bytes, image->row[y], ROW) ||
                              memmem(contents, bytes, image->swapped[y], ROW);
    free(contents);
}

static void replay_all(const char *path, struct image *image) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_stream_open(path, &error);
    const struct pfifo_replay_config config = {.size = sizeof config, .buffer_gone = look, .opaque = image};
    struct pfifo_replay *replay = stream ? pfifo_replay_new(stream, &config, &error) : NULL;
    if (!replay)
        fail_msg("%s", error.message);
    assert_false(pfifo_stream_truncated(stream));
    for (bool more = true; more;)
        if (pfifo_replay_next(replay, &more, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
    const struct pfifo_replay_result *result = pfifo_replay_result(replay);
    assert_true(result->submissions > 1);
    assert_int_equal(result->stop, PFIFO_STOP_IDLE);
    assert_int_equal(result->faults, 0);
    assert_int_equal(result->changed, 0);
    assert_int_equal(result->refused, 0);
    pfifo_replay_free(replay);
    pfifo_stream_close(stream);
}

static void record(const struct mesa_chip *chip) {
    const char *recorder = client_program("PFIFO_RECORDER"); /* none under sanitizers: the test is skipped */
    char *directory = client_directory(), images[4096], capture[4096], setting[4200], preload[8300];
    snprintf(images, sizeof images, "%s/images", directory);
    snprintf(capture, sizeof capture, "%s/capture", directory);
    snprintf(setting, sizeof setting, "PFIFO_RECORD=%s", capture);
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s:%s", recorder, getenv("PFIFO_SHIM"));
    const char *const variables[] = {setting, preload, NULL};
    struct client client = {.chip = chip->name,
                            .arguments =
                                ARGUMENTS(client_program("PFIFO_MESA_PAINT"), "-s", "mosaic", "65", "63", images),
                            .variables = variables};
    struct client_end end = client_run(&client);
    client_expect(0, &end);
    assert_memory_equal(end.out, chip->renderer, strlen(chip->renderer));
    client_end_free(&end);
    static struct image image;
    read_image(&image, images);
    replay_all(capture, &image);
    for (size_t y = 0; y < HEIGHT; y++)
        if (!image.found[y])
            fail_msg("%s: row %zu is in no buffer of the replay", chip->name, y);
    assert_int_equal(remove(capture), 0);
    assert_true(client_directory_remove(directory, "images"));
}

/* No EGL, or no driver: as in the other tests. */
static void skip_without_mesa(void) {
    char *directory = client_directory(), path[4096];
    snprintf(path, sizeof path, "%s/images", directory);
    struct client client = {.arguments =
                                ARGUMENTS(client_program("PFIFO_MESA_PAINT"), "-s", "whole", "65", "63", path)};
    struct client_end end = client_run(&client);
    bool none = end.status == 77;
    client_end_free(&end);
    client_directory_remove(directory, "images");
    if (none)
        skip();
}

static void a_replay_paints_what_the_program_has_read(void **state) {
    (void)state;
    skip_without_mesa();
    for (const struct mesa_chip *chip = mesa_chips; chip->name; chip++)
        if (client_wants(chip))
            record(chip);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replay_paints_what_the_program_has_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
