/* SPDX-License-Identifier: MIT */
/*
 * x11 STEP: what Mesa asks of an X server, without Mesa: a buffer of the node becomes a pixmap, and its picture appears
 * in a window. Ends with 1, and says why, if something is not as it should be; with 77 if there is no server.
 */
#include <stdint.h>

#include <dirent.h>
#include <drm.h>
#include <drm_fourcc.h>
#include <drm_mode.h>
#include <fcntl.h>
#include <nouveau_drm.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xcb/dri3.h>
#include <xcb/present.h>
#include <xcb/sync.h>
#include <xcb/xcb.h>

#define GEM_NEW DRM_IOWR(DRM_COMMAND_BASE + DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new)

enum { WIDTH = 75, HEIGHT = 53, PITCH = 320, TALL = 64, DEPTH = 24, BAD_VALUE = 2, BAD_ALLOC = 11 };

struct place {
    const char *name;
    bool block_linear, modifier;
    unsigned height; /* log2 of a block's gobs */
};

static const struct place places[] = {
    {"linear, by its modifier", false, true, 0},     {"linear, by its buffer", false, false, 0},
    {"blocks of 1, by the modifier", true, true, 0}, {"blocks of 8, by the modifier", true, true, 3},
    {"blocks of 4, by the buffer", true, false, 2},
};
#define PLACES (sizeof places / sizeof places[0])

static xcb_connection_t *c;
static xcb_window_t window;
static xcb_gcontext_t gc;
static xcb_special_event_t *events;
static int node = -1;

static void must(bool is, const char *what) {
    if (is)
        return;
    fprintf(stderr, "x11: %s\n", what);
    exit(1);
}

/* ---- the server and the node ---- */

static void open_window(void) {
    c = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(c))
        exit(77);
    const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
    const uint32_t black = 0;
    must(screen->root_depth == DEPTH, "the screen has another depth");
    window = xcb_generate_id(c);
    xcb_create_window(c, DEPTH, window, screen->root, 0, 0, WIDTH, HEIGHT, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                      screen->root_visual, XCB_CW_BACK_PIXEL, &black);
    xcb_map_window(c, window);
    gc = xcb_generate_id(c);
    xcb_create_gc(c, gc, window, 0, NULL);
    uint32_t id = xcb_generate_id(c);
    events = xcb_register_for_special_xge(c, &xcb_present_id, id, NULL);
    xcb_present_select_input(c, id, window, XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY);
}

static void open_node(void) {
    const xcb_query_extension_reply_t *extension = xcb_get_extension_data(c, &xcb_dri3_id);
    must(extension && extension->present, "the server has no DRI3");
    xcb_dri3_query_version_reply_t *version = xcb_dri3_query_version_reply(c, xcb_dri3_query_version(c, 1, 2), NULL);
    must(version && version->major_version == 1 && version->minor_version == 2, "DRI3 is not of version 1.2");
    free(version);
    xcb_dri3_open_reply_t *opened = xcb_dri3_open_reply(c, xcb_dri3_open(c, window, 0), NULL);
    must(opened && opened->nfd == 1, "DRI3 has no node");
    node = xcb_dri3_open_reply_fds(c, opened)[0];
    free(opened);
    struct drm_version said = {0};
    must(ioctl(node, DRM_IOCTL_VERSION, &said) == 0, "what was opened is no node");
}

/* ---- buffers ---- */

static uint64_t block_modifier(unsigned height) {
    return DRM_FORMAT_MOD_NVIDIA_BLOCK_LINEAR_2D(UINT64_C(0), UINT64_C(1), UINT64_C(0), UINT64_C(0xfe), height);
}

/* A gob has 64 bytes by 8 lines, in sectors of 16 bytes by 2. */
static size_t offset_of(const struct place *place, unsigned x, unsigned y) {
    if (!place->block_linear)
        return (size_t)y * PITCH + x;
    unsigned lines = 8u << place->height;
    size_t gob = ((size_t)(y / lines) * (PITCH / 64) + x / 64) << place->height;
    gob += y % lines / 8;
    return gob * 512 + (x / 32 % 2) * 256 + (y / 2 % 4) * 64 + (x / 16 % 2) * 32 + y % 2 * 16 + x % 16;
}

static uint32_t pixel(unsigned x, unsigned y, uint32_t seed) {
    return ((x * 0x010305 + y * 0x070b01) ^ seed) & 0xffffff;
}

struct buffer {
    uint32_t handle;
    uint8_t *memory;
    int fd;
};

static struct buffer make_buffer(const struct place *place) {
    struct buffer buffer;
    struct drm_nouveau_gem_new new = {.info = {.domain = NOUVEAU_GEM_DOMAIN_GART | NOUVEAU_GEM_DOMAIN_MAPPABLE,
                                               .size = (uint64_t)PITCH * TALL,
                                               .tile_mode = place->height << 4,
                                               .tile_flags = place->block_linear ? 0xfe00 : 0}};
    must(ioctl(node, GEM_NEW, &new) == 0, "no buffer");
    struct drm_prime_handle prime = {.handle = new.info.handle, .flags = DRM_CLOEXEC | DRM_RDWR};
    must(ioctl(node, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime) == 0, "no descriptor of the buffer");
    buffer.handle = new.info.handle;
    buffer.fd = prime.fd;
    buffer.memory = mmap(NULL, PITCH * TALL, PROT_READ | PROT_WRITE, MAP_SHARED, node, (off_t) new.info.map_handle);
    must(buffer.memory != MAP_FAILED, "the buffer cannot be mapped");
    return buffer;
}

static void fill(const struct buffer *buffer, const struct place *place, uint32_t seed) {
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint32_t value = pixel(x, y, seed);
            memcpy(buffer->memory + offset_of(place, 4 * x, y), &value, sizeof value);
        }
}

/* ---- pixmaps ---- */

static xcb_void_cookie_t ask_pixmap(xcb_pixmap_t pixmap, const struct place *place, unsigned width, unsigned height,
                                    unsigned pitch, int fd) {
    if (!place->modifier)
        return xcb_dri3_pixmap_from_buffer_checked(c, pixmap, window, pitch * height, (uint16_t)width, (uint16_t)height,
                                                   (uint16_t)pitch, DEPTH, 32, fd);
    return xcb_dri3_pixmap_from_buffers_checked(
        c, pixmap, window, 1, (uint16_t)width, (uint16_t)height, pitch, 0, 0, 0, 0, 0, 0, 0, DEPTH, 32,
        place->block_linear ? block_modifier(place->height) : DRM_FORMAT_MOD_LINEAR, (const int32_t[]){fd});
}

static xcb_pixmap_t make_pixmap(const struct place *place, int fd) {
    xcb_pixmap_t pixmap = xcb_generate_id(c);
    must(!xcb_request_check(c, ask_pixmap(pixmap, place, WIDTH, HEIGHT, PITCH, fd)), "no pixmap of the buffer");
    return pixmap;
}

static void present(xcb_pixmap_t pixmap, xcb_sync_fence_t idle) {
    static uint32_t serial;
    xcb_present_pixmap(c, window, pixmap, ++serial, 0, 0, 0, 0, 0, 0, idle, XCB_PRESENT_OPTION_COPY, 0, 0, 0, 0, NULL);
    xcb_flush(c);
    xcb_generic_event_t *event = xcb_wait_for_special_event(c, events);
    must(event != NULL, "nothing was presented");
    free(event);
}

/* Has the window it? Only one pixel is looked at. */
static bool shows(uint32_t seed) {
    xcb_get_image_reply_t *image =
        xcb_get_image_reply(c, xcb_get_image(c, XCB_IMAGE_FORMAT_Z_PIXMAP, window, 1, 1, 1, 1, UINT32_MAX), NULL);
    uint32_t value = 0;
    if (image)
        memcpy(&value, xcb_get_image_data(image), sizeof value);
    free(image);
    return (value & 0xffffff) == pixel(1, 1, seed);
}

static void expect(uint32_t seed, const char *what) {
    xcb_get_image_reply_t *image = xcb_get_image_reply(
        c, xcb_get_image(c, XCB_IMAGE_FORMAT_Z_PIXMAP, window, 0, 0, WIDTH, HEIGHT, UINT32_MAX), NULL);
    must(image != NULL, "the window has no picture");
    const uint8_t *at = xcb_get_image_data(image);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++, at += 4) {
            uint32_t value;
            memcpy(&value, at, sizeof value);
            if ((value & 0xffffff) == pixel(x, y, seed))
                continue;
            fprintf(stderr, "x11: %s: pixel %u,%u of the window is %06x\n", what, x, y, value & 0xffffff);
            exit(1);
        }
    free(image);
}

/* ---- steps ---- */

static void pictures_of_all_layouts(void) {
    for (unsigned i = 0; i < PLACES; i++) {
        struct buffer buffer = make_buffer(&places[i]);
        xcb_pixmap_t pixmap = make_pixmap(&places[i], buffer.fd);
        for (uint32_t frame = 0; frame < 3; frame++) {
            uint32_t seed = (i * 3 + frame + 1) * 0x123457;
            fill(&buffer, &places[i], seed);
            present(pixmap, 0);
            expect(seed, places[i].name);
        }
        xcb_free_pixmap(c, pixmap);
    }
}

static void modifiers_are_the_displays(void) {
    xcb_dri3_get_supported_modifiers_reply_t *reply =
        xcb_dri3_get_supported_modifiers_reply(c, xcb_dri3_get_supported_modifiers(c, window, DEPTH, 32), NULL);
    must(reply != NULL, "no modifiers");
    int count = xcb_dri3_get_supported_modifiers_window_modifiers_length(reply);
    const uint64_t *modifiers = xcb_dri3_get_supported_modifiers_window_modifiers(reply);
    must(count == 7 && xcb_dri3_get_supported_modifiers_screen_modifiers_length(reply) == 7, "other modifiers");
    must(modifiers[6] == DRM_FORMAT_MOD_LINEAR, "the last is not linear");
    must(memcmp(modifiers, xcb_dri3_get_supported_modifiers_screen_modifiers(reply), 7 * sizeof *modifiers) == 0,
         "those of the screen are others");
    for (unsigned height = 0; height < 6; height++)
        must(modifiers[height] == block_modifier(height), "another modifier than the display's");
    free(reply);
}

/* An int in memory that both have: 1 is triggered (X11/xshmfence.h). */
static void fences_are_triggered(void) {
    struct buffer buffer = make_buffer(&places[0]);
    xcb_pixmap_t pixmap = make_pixmap(&places[0], buffer.fd);
    int fd = memfd_create("fence", MFD_CLOEXEC);
    must(fd >= 0 && ftruncate(fd, 4096) == 0, "no memory of a fence");
    volatile int32_t *state = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    xcb_sync_fence_t fence = xcb_generate_id(c);
    must(!xcb_request_check(c, xcb_dri3_fence_from_fd_checked(c, window, fence, 0, fd)), "no fence");
    must(*state == 0, "a new fence is triggered");
    present(pixmap, fence);
    must(*state == 1, "the fence of what was presented is not triggered");
    *state = 0;
    must(!xcb_request_check(c, xcb_sync_trigger_fence_checked(c, fence)), "the server does not know the fence");
    must(*state == 1, "the fence is not triggered");
    xcb_sync_destroy_fence(c, fence);
}

/* Half of the picture to the window, the other half back; what is outside stays. */
static void areas_are_copied_both_ways(void) {
    for (unsigned i = 0; i < PLACES; i++) {
        struct buffer one = make_buffer(&places[i]), other = make_buffer(&places[i]);
        xcb_pixmap_t from = make_pixmap(&places[i], one.fd), to = make_pixmap(&places[i], other.fd);
        fill(&one, &places[i], 0x654321);
        xcb_copy_area(c, from, window, gc, 0, 0, 0, 0, WIDTH, HEIGHT);
        expect(0x654321, places[i].name);
        fill(&other, &places[i], 0);
        xcb_copy_area(c, window, to, gc, 10, 20, 10, 20, WIDTH, 7);
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++) {
                bool copied = x >= 10 && y >= 20 && y < 27;
                uint32_t value;
                memcpy(&value, other.memory + offset_of(&places[i], 4 * x, y), sizeof value);
                must((value & 0xffffff) == pixel(x, y, copied ? 0x654321 : 0), "the buffer has not the window's area");
            }
    }
}

static void refused(xcb_void_cookie_t cookie, const char *what) {
    xcb_generic_error_t *error = xcb_request_check(c, cookie);
    must(error && error->error_code == BAD_VALUE, what);
    free(error);
}

static void wrong_buffers_are_refused(void) {
    static const struct place unknown = {"", true, true, 6};
    struct buffer buffer = make_buffer(&places[0]);
    xcb_pixmap_t pixmap = xcb_generate_id(c);
    int pipes[2];
    must(pipe(pipes) == 0, "no pipe");
    refused(ask_pixmap(pixmap, &places[0], WIDTH, HEIGHT, PITCH, pipes[0]), "a pipe is no buffer");
    refused(ask_pixmap(pixmap, &places[0], WIDTH, HEIGHT, PITCH, -1), "nothing is no buffer");
    refused(ask_pixmap(pixmap, &places[0], WIDTH, 16 * TALL, PITCH, dup(buffer.fd)), "it is higher than its buffer");
    refused(ask_pixmap(pixmap, &places[0], WIDTH, HEIGHT, 4 * WIDTH - 4, dup(buffer.fd)), "lines overlap");
    refused(ask_pixmap(pixmap, &places[0], 0, HEIGHT, PITCH, dup(buffer.fd)), "it has no width");
    refused(ask_pixmap(pixmap, &unknown, WIDTH, HEIGHT, PITCH, dup(buffer.fd)), "no such modifier");
    refused(xcb_dri3_pixmap_from_buffers_checked(c, pixmap, window, 2, WIDTH, HEIGHT, PITCH, 0, PITCH, 0, 0, 0, 0, 0,
                                                 DEPTH, 32, 0, (const int32_t[]){dup(buffer.fd), dup(buffer.fd)}),
            "two planes");
    refused(xcb_dri3_pixmap_from_buffer_checked(c, pixmap, window, 0, WIDTH, HEIGHT, PITCH, 8, 8, dup(buffer.fd)),
            "no such format");
    refused(xcb_dri3_fence_from_fd_checked(c, window, pixmap, 0, -1), "nothing is no fence");
    xcb_generic_error_t *error = NULL;
    must(!xcb_dri3_buffer_from_pixmap_reply(c, xcb_dri3_buffer_from_pixmap(c, window), &error) && error &&
             error->error_code == BAD_ALLOC,
         "the server's own have no buffer");
    free(error);
}

static unsigned open_descriptors(void) {
    unsigned count = 0;
    DIR *stream = opendir("/proc/self/fd");
    while (stream && readdir(stream))
        count++;
    if (stream)
        closedir(stream);
    return count;
}

/* The buffer lives as long as a pixmap of it, whatever the program closes; and no longer. */
static void pixmaps_keep_their_buffers(void) {
    struct buffer buffer = make_buffer(&places[3]);
    fill(&buffer, &places[3], 0xabcdef);
    unsigned before = open_descriptors();
    xcb_pixmap_t pixmap = make_pixmap(&places[3], dup(buffer.fd));
    struct drm_gem_close closing = {.handle = buffer.handle};
    must(ioctl(node, DRM_IOCTL_GEM_CLOSE, &closing) == 0, "the handle cannot be closed");
    close(buffer.fd);
    present(pixmap, 0);
    expect(0xabcdef, "the buffer has no handle");
    xcb_free_pixmap(c, pixmap);
    /* The program's own, and two of the node's, go with the buffer. */
    must(open_descriptors() == before - 3, "the descriptor of a pixmap stays");
}

static void a_connection_takes_its_pixmaps_along(void) {
    unsigned before = open_descriptors();
    struct buffer buffer = make_buffer(&places[0]);
    make_pixmap(&places[0], buffer.fd);
    xcb_disconnect(c);
    must(open_descriptors() <= before + 1,
         "the descriptor of a pixmap stays"); /* the export's own, till it is looked at */
    open_window();
    must(xcb_connection_has_error(c) == 0, "no second connection");
}

/* With PFIFO_DRM_WINDOW and a mode of this size: what a CRTC shows is in a window, which without a window manager is in
 * the root's corner, and above others. */
static void the_display_is_a_window(void) {
    int card = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    uint32_t connector;
    struct drm_mode_modeinfo modes[8];
    struct drm_mode_card_res resources = {.count_connectors = 1, .connector_id_ptr = (uintptr_t)&connector};
    must(ioctl(card, DRM_IOCTL_MODE_GETRESOURCES, &resources) == 0, "no display");
    struct drm_mode_get_connector about = {.connector_id = connector, .count_modes = 8, .modes_ptr = (uintptr_t)modes};
    must(ioctl(card, DRM_IOCTL_MODE_GETCONNECTOR, &about) == 0, "no connector");
    uint32_t crtc;
    resources = (struct drm_mode_card_res){.count_crtcs = 1, .crtc_id_ptr = (uintptr_t)&crtc};
    must(ioctl(card, DRM_IOCTL_MODE_GETRESOURCES, &resources) == 0, "no CRTC");
    struct drm_mode_create_dumb dumb = {.width = WIDTH, .height = HEIGHT, .bpp = 32};
    must(ioctl(card, DRM_IOCTL_MODE_CREATE_DUMB, &dumb) == 0, "no buffer");
    struct drm_mode_map_dumb map = {.handle = dumb.handle};
    must(ioctl(card, DRM_IOCTL_MODE_MAP_DUMB, &map) == 0, "the buffer has no place");
    uint8_t *memory = mmap(NULL, dumb.size, PROT_READ | PROT_WRITE, MAP_SHARED, card, (off_t)map.offset);
    must(memory != MAP_FAILED, "the buffer cannot be mapped");
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint32_t value = pixel(x, y, 0x13579b);
            memcpy(memory + y * dumb.pitch + (size_t)4 * x, &value, sizeof value);
        }
    struct drm_mode_fb_cmd add = {
        .width = WIDTH, .height = HEIGHT, .pitch = dumb.pitch, .bpp = 32, .depth = DEPTH, .handle = dumb.handle};
    must(ioctl(card, DRM_IOCTL_MODE_ADDFB, &add) == 0, "no framebuffer");
    struct drm_mode_crtc set = {.set_connectors_ptr = (uintptr_t)&connector,
                                .count_connectors = 1,
                                .crtc_id = crtc,
                                .fb_id = add.fb_id,
                                .mode_valid = 1,
                                .mode = modes[0]};
    must(ioctl(card, DRM_IOCTL_MODE_SETCRTC, &set) == 0, "the CRTC shows nothing");
    xcb_unmap_window(c, window);
    window = xcb_setup_roots_iterator(xcb_get_setup(c)).data->root;
    for (unsigned i = 0; i < 200 && !shows(0x13579b); i++)
        usleep(10000);
    expect(0x13579b, "the display");
}

static const struct step {
    const char *name;
    void (*run)(void);
} steps[] = {{"pictures", pictures_of_all_layouts},
             {"modifiers", modifiers_are_the_displays},
             {"fences", fences_are_triggered},
             {"copies", areas_are_copied_both_ways},
             {"wrong", wrong_buffers_are_refused},
             {"kept", pixmaps_keep_their_buffers},
             {"ends", a_connection_takes_its_pixmaps_along},
             {"display", the_display_is_a_window}};

int main(int argc, char **argv) {
    open_window();
    open_node();
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (argc == 2 && strcmp(argv[1], steps[i].name) == 0) {
            steps[i].run();
            xcb_disconnect(c);
            return 0;
        }
    return 2;
}
