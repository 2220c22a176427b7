/* SPDX-License-Identifier: MIT */
/* The messages between a program and its Wayland compositor, as the translator lets them through or changes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <drm_fourcc.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "face/drm/window/wayland.h"

/* Ids that the program gives. */
enum { REGISTRY = 2, COMPOSITOR, SURFACE, DMABUF, PARAMS, BUFFER, FEEDBACK, SHM, OTHER };
enum { WIDTH = 60, HEIGHT = 40, PITCH = 256, SHM_NAME = 9, MOST_WORDS = 64 };

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4
#define NOTHING    NULL, 0

static struct wayland wayland;
static unsigned reads;
static struct drm_image last;

/* ---- the host: devices are buffers of the model ---- */

static bool host_buffer(void *opaque, int fd) {
    struct stat as;
    (void)opaque;
    return fstat(fd, &as) == 0 && S_ISCHR(as.st_mode);
}

static uint32_t host_modifiers(void *opaque, uint64_t modifiers[DRM_MOST_MODIFIERS]) {
    (void)opaque;
    modifiers[0] = UINT64_C(0x300000000000014);
    modifiers[1] = DRM_FORMAT_MOD_LINEAR;
    return 2;
}

static bool host_check(void *opaque, const struct drm_image *image) {
    last = *image;
    assert_true(host_buffer(opaque, image->file));
    return image->height <= HEIGHT;
}

static bool host_read(void *opaque, const struct drm_image *image, uint8_t *to, size_t pitch) {
    (void)opaque, (void)image;
    reads++;
    memset(to, (int)reads, pitch * image->height);
    return true;
}

static const struct wayland_host host = {host_buffer, host_modifiers, host_check, host_read, 0xe280, NULL};

static int begin(void **state) {
    (void)state;
    reads = 0;
    last = (struct drm_image){0};
    wayland_begin(&wayland, &host);
    return 0;
}

static int end(void **state) {
    (void)state;
    wayland_end(&wayland);
    return 0;
}

/* ---- messages ---- */

static void give_bytes(struct wayland_stream *stream, const void *bytes, size_t size) {
    memcpy(stream->in + stream->in_bytes, bytes, size);
    stream->in_bytes += size;
}

static void give(struct wayland_stream *stream, uint32_t object, uint32_t code, const uint32_t *words, size_t count) {
    const uint32_t head[2] = {object, (uint32_t)(8 + 4 * count) << 16 | code};
    give_bytes(stream, head, sizeof head);
    if (count)
        give_bytes(stream, words, 4 * count);
}

static void give_fd(const char *path) {
    wayland.requests.in_fds[wayland.requests.in_fd_count++] = open(path, O_RDONLY | O_CLOEXEC);
}

/* Words, a string, words: into `to`; how many. */
static size_t interface_words(uint32_t *to, uint32_t name, const char *interface, const uint32_t *rest, size_t count) {
    size_t length = 2 + (strlen(interface) + 4) / 4;
    memset(to, 0, 4 * length);
    to[0] = name;
    to[1] = (uint32_t)strlen(interface) + 1;
    memcpy(to + 2, interface, strlen(interface));
    memcpy(to + length, rest, 4 * count);
    return length + count;
}

static void give_interface(struct wayland_stream *stream, uint32_t name, const char *interface, const uint32_t *rest,
                           size_t count) {
    uint32_t words[MOST_WORDS];
    give(stream, REGISTRY, 0, words, interface_words(words, name, interface, rest, count));
}

/* The first message that has come out must be this. */
static void expect(struct wayland_stream *stream, uint32_t object, uint32_t code, const uint32_t *words, size_t count) {
    uint32_t head[2];
    assert_true(stream->out_bytes >= sizeof head);
    memcpy(head, stream->out, sizeof head);
    assert_int_equal(head[0], object);
    assert_int_equal(head[1] & 0xffff, code);
    assert_true(head[1] >> 16 >= 8 + 4 * count && head[1] >> 16 <= stream->out_bytes);
    if (count)
        assert_memory_equal(stream->out + 8, words, 4 * count);
    stream->out_bytes -= head[1] >> 16;
    memmove(stream->out, stream->out + (head[1] >> 16), stream->out_bytes);
}

static void expect_interface(struct wayland_stream *stream, uint32_t name, const char *interface, const uint32_t *rest,
                             size_t count) {
    uint32_t words[MOST_WORDS];
    expect(stream, REGISTRY, 0, words, interface_words(words, name, interface, rest, count));
}

static void expect_no_more(void) {
    assert_int_equal(wayland.requests.out_bytes, 0);
    assert_int_equal(wayland.events.out_bytes, 0);
}

/* One descriptor goes along, to a file of the kind. */
static void expect_fd(struct wayland_stream *stream, mode_t kind, off_t bytes) {
    struct stat as;
    assert_true(stream->out_fd_count > 0);
    assert_int_equal(fstat(stream->out_fds[0], &as), 0);
    assert_int_equal(as.st_mode & S_IFMT, kind);
    if (kind == S_IFREG)
        assert_true(as.st_size >= bytes);
    close(stream->out_fds[0]);
    stream->out_fd_count--;
    memmove(stream->out_fds, stream->out_fds + 1, stream->out_fd_count * sizeof(int));
}

static struct wayland_stream *const from_program = &wayland.requests, *const from_compositor = &wayland.events;

static void request(uint32_t object, uint32_t code, const uint32_t *words, size_t count) {
    give(from_program, object, code, words, count);
    assert_true(wayland_take_requests(&wayland));
}

static void bind_dmabuf(uint32_t version) {
    request(1, 1, WORDS(REGISTRY));
    give_interface(from_compositor, SHM_NAME, "wl_shm", WORDS(1));
    assert_true(wayland_take_events(&wayland));
    give_interface(from_program, 4, "wl_compositor", WORDS(4, COMPOSITOR));
    give(from_program, COMPOSITOR, 0, WORDS(SURFACE));
    give_interface(from_program, WAYLAND_DMABUF_NAME, "zwp_linux_dmabuf_v1", WORDS(version, DMABUF));
    assert_true(wayland_take_requests(&wayland));
    from_compositor->out_bytes = 0;
}

static void make_params(void) {
    bind_dmabuf(4);
    give_fd("/dev/null");
    give(from_program, DMABUF, 1, WORDS(PARAMS));
    give(from_program, PARAMS, 1, WORDS(0, 16, PITCH, 0x3000000, 0x14));
    assert_true(wayland_take_requests(&wayland));
    from_program->out_bytes = 0;
    expect_fd(from_program, S_IFREG, 4096);
}

static void make_buffer(void) {
    make_params();
    request(PARAMS, 3, WORDS(BUFFER, WIDTH, HEIGHT, DRM_FORMAT_ARGB8888, 0));
}

/* The request ends the connection, and the program learns why. */
static void expect_error(uint32_t code, uint32_t object, uint32_t of, const uint32_t *words, size_t count) {
    give(from_program, object, of, words, count);
    assert_false(wayland_take_requests(&wayland));
    expect(from_compositor, 1, 0, WORDS(PARAMS, code));
}

/* ---- globals ---- */

static void linux_dmabuf_of_another_card_is_hidden(void **state) {
    static const char *const hidden[] = {"zwp_linux_dmabuf_v1", "wl_drm", "wp_linux_drm_syncobj_manager_v1",
                                         "zwp_linux_explicit_synchronization_v1"};
    (void)state;
    request(1, 1, WORDS(REGISTRY));
    expect(from_program, 1, 1, WORDS(REGISTRY));
    for (uint32_t i = 0; i < 4; i++)
        give_interface(from_compositor, i + 1, hidden[i], WORDS(1));
    give_interface(from_compositor, 8, "wl_output", WORDS(3));
    give_interface(from_compositor, SHM_NAME, "wl_shm", WORDS(1));
    give(from_compositor, REGISTRY, 1, WORDS(8));
    assert_true(wayland_take_events(&wayland));
    expect_interface(from_compositor, 8, "wl_output", WORDS(3));
    expect_interface(from_compositor, SHM_NAME, "wl_shm", WORDS(1));
    expect_interface(from_compositor, WAYLAND_DMABUF_NAME, "zwp_linux_dmabuf_v1", WORDS(4));
    expect(from_compositor, REGISTRY, 1, WORDS(8));
    expect_no_more();
}

static void it_is_bound_as_wl_shm_whose_formats_are_not_told(void **state) {
    (void)state;
    bind_dmabuf(4);
    expect(from_program, 1, 1, WORDS(REGISTRY));
    expect_interface(from_program, 4, "wl_compositor", WORDS(4, COMPOSITOR));
    expect(from_program, COMPOSITOR, 0, WORDS(SURFACE));
    expect_interface(from_program, SHM_NAME, "wl_shm", WORDS(1, DMABUF));
    give(from_compositor, DMABUF, 0, WORDS(1));
    assert_true(wayland_take_events(&wayland));
    request(DMABUF, 0, NOTHING);
    expect_no_more();
}

static void older_versions_have_their_formats_when_bound(void **state) {
    (void)state;
    request(1, 1, WORDS(REGISTRY));
    give_interface(from_program, WAYLAND_DMABUF_NAME, "zwp_linux_dmabuf_v1", WORDS(3, DMABUF));
    give_interface(from_program, WAYLAND_DMABUF_NAME, "zwp_linux_dmabuf_v1", WORDS(2, OTHER));
    assert_true(wayland_take_requests(&wayland));
    expect(from_compositor, DMABUF, 1, WORDS(DRM_FORMAT_XRGB8888, 0x3000000, 0x14));
    expect(from_compositor, DMABUF, 1, WORDS(DRM_FORMAT_XRGB8888, 0, 0));
    expect(from_compositor, DMABUF, 1, WORDS(DRM_FORMAT_ARGB8888, 0x3000000, 0x14));
    expect(from_compositor, DMABUF, 1, WORDS(DRM_FORMAT_ARGB8888, 0, 0));
    expect(from_compositor, OTHER, 0, WORDS(DRM_FORMAT_XRGB8888));
    expect(from_compositor, OTHER, 0, WORDS(DRM_FORMAT_ARGB8888));
    assert_int_equal(from_compositor->out_bytes, 0);
}

static void feedback_has_a_table_of_formats_and_the_device(void **state) {
    (void)state;
    bind_dmabuf(4);
    from_program->out_bytes = 0;
    request(DMABUF, 3, WORDS(FEEDBACK, SURFACE));
    expect_fd(from_program, S_IFREG, 4096);
    expect(from_program, DMABUF, 0, WORDS(FEEDBACK));
    expect_fd(from_compositor, S_IFREG, 4 * 16);
    expect(from_compositor, FEEDBACK, 1, WORDS(4 * 16));
    expect(from_compositor, FEEDBACK, 2, WORDS(8, 0xe280, 0));
    expect(from_compositor, FEEDBACK, 4, WORDS(8, 0xe280, 0));
    expect(from_compositor, FEEDBACK, 6, WORDS(0));
    expect(from_compositor, FEEDBACK, 5, WORDS(8, 0x10000, 0x30002));
    expect(from_compositor, FEEDBACK, 3, NOTHING);
    expect(from_compositor, FEEDBACK, 0, NOTHING);
    request(FEEDBACK, 0, NOTHING);
    expect(from_program, FEEDBACK, 1, NOTHING);
    expect_no_more();
}

/* ---- buffers ---- */

static void a_buffer_is_one_of_a_pool(void **state) {
    (void)state;
    make_buffer();
    expect(from_program, PARAMS, 2, WORDS(4 * WIDTH * HEIGHT));
    expect(from_program, PARAMS, 0, WORDS(BUFFER, 0, WIDTH, HEIGHT, 4 * WIDTH, 0));
    assert_int_equal(last.pitch, PITCH);
    assert_int_equal(last.offset, 16);
    assert_true(last.has_modifier && last.modifier == UINT64_C(0x300000000000014));
    request(PARAMS, 0, NOTHING);
    expect(from_program, PARAMS, 1, NOTHING);
    give(from_compositor, BUFFER, 0, NOTHING);
    assert_true(wayland_take_events(&wayland));
    expect(from_compositor, BUFFER, 0, NOTHING);
    expect_no_more();
}

static void a_small_buffer_leaves_its_pool_a_page(void **state) {
    (void)state;
    make_params();
    request(PARAMS, 3, WORDS(BUFFER, 2, 2, DRM_FORMAT_XRGB8888, 0));
    expect(from_program, PARAMS, 2, WORDS(4096));
    expect(from_program, PARAMS, 0, WORDS(BUFFER, 0, 2, 2, 8, 1));
}

static void a_commit_copies_what_was_attached(void **state) {
    (void)state;
    make_buffer();
    request(SURFACE, 6, NOTHING);
    assert_int_equal(reads, 0);
    request(SURFACE, 1, WORDS(BUFFER, 0, 0));
    assert_int_equal(reads, 0);
    request(SURFACE, 6, NOTHING);
    assert_int_equal(reads, 1);
    request(SURFACE, 6, NOTHING);
    assert_int_equal(reads, 1);
    request(SURFACE, 1, WORDS(BUFFER, 0, 0));
    request(BUFFER, 0, NOTHING);
    request(SURFACE, 6, NOTHING);
    assert_int_equal(reads, 1);
    make_buffer();
    request(SURFACE, 0, NOTHING);
    request(SURFACE, 1, WORDS(BUFFER, 0, 0)); /* of another object at this id */
    request(SURFACE, 6, NOTHING);
    assert_int_equal(reads, 1);
}

static void create_fails_where_create_immed_does(void **state) {
    (void)state;
    make_params();
    request(PARAMS, 2, WORDS(WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, 0));
    expect(from_compositor, PARAMS, 1, NOTHING);
    expect_no_more();
    expect_error(0, PARAMS, 3, WORDS(BUFFER, WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, 0));
}

/* ---- mistakes ---- */

static void mistakes_with_planes_are_errors(void **state) {
    (void)state;
    make_params();
    expect_error(2, PARAMS, 1, WORDS(0, 0, PITCH, 0, 0));
    end(NULL), begin(NULL);
    make_params();
    expect_error(1, PARAMS, 1, WORDS(1, 0, PITCH, 0, 0));
    end(NULL), begin(NULL);
    make_buffer();
    expect_error(0, PARAMS, 1, WORDS(0, 0, PITCH, 0, 0));
    end(NULL), begin(NULL);
    bind_dmabuf(4);
    request(DMABUF, 1, WORDS(PARAMS));
    expect_error(3, PARAMS, 3, WORDS(BUFFER, WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, 0));
    end(NULL), begin(NULL);
    bind_dmabuf(4);
    request(DMABUF, 1, WORDS(PARAMS));
    give_fd("/");
    expect_error(7, PARAMS, 1, WORDS(0, 0, PITCH, 0, 0));
}

static void what_is_no_picture_is_an_error(void **state) {
    static const uint32_t wrong[][4] = {
        {WIDTH, HEIGHT + 1, DRM_FORMAT_XRGB8888, 0}, {WIDTH, HEIGHT, DRM_FORMAT_RGB565, 0},
        {WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, 1},     {0, HEIGHT, DRM_FORMAT_XRGB8888, 0},
        {WIDTH, 0, DRM_FORMAT_XRGB8888, 0},          {INT32_MAX / 4 / HEIGHT + 1, HEIGHT, DRM_FORMAT_XRGB8888, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const uint32_t *w = wrong[i];
        make_params();
        expect_error(7, PARAMS, 3, WORDS(BUFFER, w[0], w[1], w[2], w[3]));
        end(NULL), begin(NULL);
    }
}

static void sizes_that_no_message_has_end_the_connection(void **state) {
    static const uint32_t sizes[] = {0, 4, 10};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (int way = 0; way < 2; way++) {
            const uint32_t head[2] = {OTHER, sizes[i] << 16};
            give_bytes(way ? from_compositor : from_program, head, sizeof head);
            assert_false(way ? wayland_take_events(&wayland) : wayland_take_requests(&wayland));
            end(NULL), begin(NULL);
        }
}

static void objects_have_a_limit(void **state) {
    bool goes_on = true;
    uint32_t made = 0;
    (void)state;
    while (goes_on && made <= WAYLAND_OBJECTS) {
        give(from_program, 1, 1, WORDS(100 + made));
        goes_on = wayland_take_requests(&wayland);
        made += goes_on;
    }
    assert_int_equal(made, WAYLAND_OBJECTS);
}

/* ---- what passes ---- */

static void other_messages_pass_with_their_descriptors(void **state) {
    (void)state;
    request(1, 1, WORDS(REGISTRY));
    give_interface(from_program, SHM_NAME, "wl_shm", WORDS(1, SHM));
    bind_dmabuf(4);
    from_program->out_bytes = 0;
    give_fd("/");
    give_fd("/dev/null");
    give_fd("/");
    give(from_program, SHM, 0, WORDS(OTHER, 4096));
    give(from_program, DMABUF, 1, WORDS(PARAMS));
    give(from_program, PARAMS, 1, WORDS(0, 0, PITCH, 0, 0));
    give(from_program, OTHER, 5, WORDS(1, 2, 3));
    assert_true(wayland_take_requests(&wayland));
    expect(from_program, SHM, 0, WORDS(OTHER, 4096));
    expect_fd(from_program, S_IFDIR, 0);
    expect(from_program, DMABUF, 0, WORDS(PARAMS, 4096));
    expect_fd(from_program, S_IFREG, 4096);
    expect(from_program, OTHER, 5, WORDS(1, 2, 3));
    expect_fd(from_program, S_IFDIR, 0);
    expect_no_more();
}

/* Its descriptor has come, and stays until the message is whole. */
static void a_piece_of_a_message_waits_for_the_rest(void **state) {
    const uint32_t add[7] = {PARAMS, 28 << 16 | 1, 0, 0, PITCH, 0, 0};
    (void)state;
    bind_dmabuf(4);
    request(DMABUF, 1, WORDS(PARAMS));
    from_program->out_bytes = 0;
    expect_fd(from_program, S_IFREG, 4096);
    give_fd("/");
    give_fd("/dev/null");
    give_bytes(from_program, add, 12);
    assert_true(wayland_take_requests(&wayland));
    expect_fd(from_program, S_IFDIR, 0);
    assert_int_equal(from_program->out_fd_count, 0);
    give_bytes(from_program, add + 3, sizeof add - 12);
    assert_true(wayland_take_requests(&wayland));
    assert_int_equal(from_program->out_fd_count, 0);
    request(PARAMS, 3, WORDS(BUFFER, WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, 0));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(linux_dmabuf_of_another_card_is_hidden),
        TEST(it_is_bound_as_wl_shm_whose_formats_are_not_told),
        TEST(older_versions_have_their_formats_when_bound),
        TEST(feedback_has_a_table_of_formats_and_the_device),
        TEST(a_buffer_is_one_of_a_pool),
        TEST(a_small_buffer_leaves_its_pool_a_page),
        TEST(a_commit_copies_what_was_attached),
        TEST(create_fails_where_create_immed_does),
        TEST(mistakes_with_planes_are_errors),
        TEST(what_is_no_picture_is_an_error),
        TEST(sizes_that_no_message_has_end_the_connection),
        TEST(objects_have_a_limit),
        TEST(other_messages_pass_with_their_descriptors),
        TEST(a_piece_of_a_message_waits_for_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
