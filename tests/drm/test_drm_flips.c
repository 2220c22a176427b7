/* SPDX-License-Identifier: MIT */
/* Page flips, vertical blanks and their events, in virtual time and at a refresh rate. */
#include "drm/display.h"

#include <stdlib.h>

#define EVENT  DRM_MODE_PAGE_FLIP_EVENT
#define HZ     50u
#define FRAME  (UINT64_C(1000000000) / HZ)
#define FERMI  (&parts[4])
#define SECOND UINT64_C(1000000000)

static struct rig rig;

static int call(const struct display *display, unsigned long request, void *structure) {
    return rig_ioctl(&rig, display->file, request, structure);
}

/* With a framebuffer on the screen. */
static struct display open_with(const struct part *part, unsigned refresh, uint32_t *screen) {
    struct display display = display_open(&rig, part, refresh);
    *screen = display_screen(&display);
    assert_int_equal(display_set(&display, *screen), 0);
    return display;
}

/* ---- virtual time ---- */

static void without_a_refresh_rate_a_flip_is_done_at_once(void **state) {
    uint32_t first;
    (void)state;
    FOR_EACH_PART {
        struct display display = open_with(part, 0, &first);
        uint32_t second = display_screen(&display);
        for (unsigned i = 1; i <= 60; i++) {
            assert_int_equal(display_flip(&display, i % 2 ? second : first, EVENT, 0x100 + i), 0);
            struct drm_event_vblank event = display_event(&display);
            assert_int_equal(event.base.type, DRM_EVENT_FLIP_COMPLETE);
            assert_int_equal(event.user_data, 0x100 + i);
            assert_int_equal(event.sequence, i);
            assert_int_equal(event.crtc_id, display.crtc);
            assert_int_equal(event.tv_sec * SECOND / 1000 + event.tv_usec, i * FRAME_60 / 1000);
        }
        assert_ptr_equal(rig.event_file, display.file);
        assert_int_equal(display_get(&display).fb_id, first);
        assert_int_equal(display_flip(&display, second, 0, 0), 0);
        assert_int_equal(rig.event_bytes, 0);
        assert_true(drm_device_due(rig.device) == UINT64_MAX);
        rig_close(&rig);
    }
}

static void a_wait_makes_virtual_frames_come(void **state) {
    uint32_t screen;
    (void)state;
    struct display display = open_with(FERMI, 0, &screen);
    union drm_wait_vblank wait = {.request = {.type = _DRM_VBLANK_RELATIVE, .sequence = 90}};
    assert_int_equal(call(&display, DRM_IOCTL_WAIT_VBLANK, &wait), 0);
    assert_int_equal(wait.reply.sequence, 90);
    assert_int_equal(wait.reply.tval_sec, 1);
    assert_int_equal(wait.reply.tval_usec, 499999);
    assert_int_equal(rig.waits, 0);
    wait.request.type = _DRM_VBLANK_ABSOLUTE | _DRM_VBLANK_EVENT;
    wait.request.sequence = 100;
    wait.request.signal = 7;
    assert_int_equal(call(&display, DRM_IOCTL_WAIT_VBLANK, &wait), 0);
    struct drm_event_vblank event = display_event(&display);
    assert_int_equal(event.base.type, DRM_EVENT_VBLANK);
    assert_int_equal(event.sequence, 100);
    assert_int_equal(event.user_data, 7);
    rig_close(&rig);
}

/* ---- at a refresh rate ---- */

static void a_flip_comes_with_the_next_blank(void **state) {
    uint32_t first;
    (void)state;
    struct display display = open_with(FERMI, HZ, &first);
    uint32_t second = display_screen(&display);
    rig.now += 10 * FRAME + FRAME / 4;
    assert_int_equal(display_flip(&display, second, EVENT, 5), 0);
    assert_int_equal(display_flip(&display, first, EVENT, 6), -EBUSY);
    assert_int_equal(display_get(&display).fb_id, second);
    assert_int_equal(drm_device_due(rig.device), FRAME - FRAME / 4);
    drm_device_vblank(rig.device); /* too early */
    assert_int_equal(rig.event_bytes, 0);
    rig.now += FRAME - FRAME / 4;
    assert_int_equal(drm_device_due(rig.device), 0);
    drm_device_vblank(rig.device);
    struct drm_event_vblank event = display_event(&display);
    assert_int_equal(event.sequence, 11);
    assert_int_equal(event.tv_sec * 1000000 + event.tv_usec, 11 * FRAME / 1000);
    assert_true(drm_device_due(rig.device) == UINT64_MAX);
    assert_int_equal(display_flip(&display, first, DRM_MODE_PAGE_FLIP_ASYNC | EVENT, 6), 0);
    assert_int_equal(display_event(&display).user_data, 6);
    rig_close(&rig);
}

static void a_wait_lasts_until_the_blank(void **state) {
    uint32_t screen;
    (void)state;
    struct display display = open_with(FERMI, HZ, &screen);
    rig.now += FRAME / 2;
    union drm_wait_vblank wait = {.request = {.type = _DRM_VBLANK_RELATIVE, .sequence = 2}};
    assert_int_equal(call(&display, DRM_IOCTL_WAIT_VBLANK, &wait), 0);
    assert_int_equal(wait.reply.sequence, 2);
    assert_int_equal(rig.now, 2 * FRAME);
    wait.request.type = _DRM_VBLANK_ABSOLUTE | _DRM_VBLANK_NEXTONMISS;
    wait.request.sequence = 1;
    assert_int_equal(call(&display, DRM_IOCTL_WAIT_VBLANK, &wait), 0);
    assert_int_equal(wait.reply.sequence, 3);
    wait.request.type = _DRM_VBLANK_RELATIVE;
    wait.request.sequence = 10 * HZ;
    assert_int_equal(call(&display, DRM_IOCTL_WAIT_VBLANK, &wait), -EBUSY);
    rig.signal = true;
    wait.request.type = _DRM_VBLANK_RELATIVE;
    wait.request.sequence = 1;
    assert_int_equal(call(&display, DRM_IOCTL_WAIT_VBLANK, &wait), -EINTR);
    rig_close(&rig);
}

static void events_come_with_their_blank_in_order(void **state) {
    uint32_t screen;
    (void)state;
    struct display display = open_with(FERMI, HZ, &screen);
    for (uint32_t i = 3; i >= 1; i--) {
        union drm_wait_vblank wait = {
            .request = {.type = _DRM_VBLANK_RELATIVE | _DRM_VBLANK_EVENT, .sequence = i, .signal = i}};
        assert_int_equal(call(&display, DRM_IOCTL_WAIT_VBLANK, &wait), 0);
        assert_int_equal(wait.reply.sequence, i);
    }
    assert_int_equal(drm_device_due(rig.device), FRAME);
    rig.now += FRAME;
    drm_device_vblank(rig.device);
    assert_int_equal(display_event(&display).user_data, 1);
    assert_int_equal(rig.event_bytes, 0);
    rig.now += 2 * FRAME;
    drm_device_vblank(rig.device);
    assert_int_equal(display_event(&display).user_data, 3);
    assert_int_equal(display_event(&display).user_data, 2);
    rig_close(&rig);
}

static void a_file_can_wait_for_so_many_events(void **state) {
    uint32_t screen;
    (void)state;
    struct display display = open_with(FERMI, HZ, &screen);
    for (unsigned i = 0; i <= 128; i++) {
        union drm_wait_vblank wait = {.request = {.type = _DRM_VBLANK_RELATIVE | _DRM_VBLANK_EVENT, .sequence = 9}};
        assert_int_equal(call(&display, DRM_IOCTL_WAIT_VBLANK, &wait), i < 128 ? 0 : -ENOMEM);
    }
    drm_file_close(display.file);
    assert_true(drm_device_due(rig.device) == UINT64_MAX);
    rig.now += 20 * FRAME;
    drm_device_vblank(rig.device);
    assert_int_equal(rig.event_bytes, 0);
    rig_close(&rig);
}

static void waits_for_what_is_not_there_are_refused(void **state) {
    static const uint32_t bad[] = {_DRM_VBLANK_RELATIVE | _DRM_VBLANK_SIGNAL, _DRM_VBLANK_SECONDARY, 2u, 0x100u,
                                   1u << _DRM_VBLANK_HIGH_CRTC_SHIFT};
    uint32_t screen;
    (void)state;
    struct display display = open_with(FERMI, HZ, &screen);
    for (unsigned i = 0; i < COUNT_OF(bad); i++) {
        union drm_wait_vblank wait = {.request = {.type = (enum drm_vblank_seq_type)bad[i]}};
        assert_int_equal(call(&display, DRM_IOCTL_WAIT_VBLANK, &wait), -EINVAL);
    }
    union drm_wait_vblank wait = {.request = {.type = _DRM_VBLANK_RELATIVE}};
    assert_int_equal(call(&display, DRM_IOCTL_WAIT_VBLANK, &wait), 0);
    assert_int_equal(display_set(&display, 0), 0);
    wait.request.type = _DRM_VBLANK_RELATIVE;
    assert_int_equal(call(&display, DRM_IOCTL_WAIT_VBLANK, &wait), -EINVAL);
    rig_close(&rig);
}

static void sequences_have_64_bits(void **state) {
    uint32_t screen;
    struct drm_event_crtc_sequence event;
    (void)state;
    struct display display = open_with(FERMI, HZ, &screen);
    rig.now += 4 * FRAME;
    struct drm_crtc_get_sequence get = {.crtc_id = display.crtc};
    assert_int_equal(call(&display, DRM_IOCTL_CRTC_GET_SEQUENCE, &get), 0);
    assert_int_equal(get.sequence, 4);
    assert_int_equal(get.sequence_ns, 4 * FRAME);
    assert_int_equal(get.active, 1);
    struct drm_crtc_queue_sequence queue = {
        .crtc_id = display.crtc, .flags = DRM_CRTC_SEQUENCE_RELATIVE | DRM_CRTC_SEQUENCE_NEXT_ON_MISS, .user_data = 11};
    assert_int_equal(call(&display, DRM_IOCTL_CRTC_QUEUE_SEQUENCE, &queue), 0);
    assert_int_equal(queue.sequence, 5);
    rig.now += FRAME;
    drm_device_vblank(rig.device);
    assert_int_equal(rig.event_bytes, sizeof event);
    memcpy(&event, rig.events, sizeof event);
    assert_int_equal(event.base.type, DRM_EVENT_CRTC_SEQUENCE);
    assert_int_equal(event.sequence, 5);
    assert_int_equal(event.time_ns, 5 * FRAME);
    assert_int_equal(event.user_data, 11);
    queue.flags = 0;
    queue.sequence = INT64_MAX;
    assert_int_equal(call(&display, DRM_IOCTL_CRTC_QUEUE_SEQUENCE, &queue), 0);
    assert_true(drm_device_due(rig.device) > SECOND);
    queue.flags = 4;
    assert_int_equal(call(&display, DRM_IOCTL_CRTC_QUEUE_SEQUENCE, &queue), -EINVAL);
    queue.crtc_id = get.crtc_id = NOTHING;
    assert_int_equal(call(&display, DRM_IOCTL_CRTC_QUEUE_SEQUENCE, &queue), -ENOENT);
    assert_int_equal(call(&display, DRM_IOCTL_CRTC_GET_SEQUENCE, &get), -ENOENT);
    rig_close(&rig);
}

/* ---- what is wrong with a flip ---- */

static void pageflip_finds_what_is_wrong(void **state) {
    uint32_t screen;
    (void)state;
    struct display display = open_with(FERMI, 0, &screen), wrong = display;
    wrong.crtc = display.connector;
    assert_int_equal(display_flip(&wrong, screen, 0, 0), -ENOENT);
    assert_int_equal(display_flip(&display, NOTHING, 0, 0), -ENOENT);
    assert_int_equal(display_flip(&display, screen, 0x10, 0), -EINVAL);
    assert_int_equal(display_flip(&display, screen, DRM_MODE_PAGE_FLIP_TARGET_ABSOLUTE, 0), -EINVAL);
    struct drm_mode_crtc_page_flip_target target = {.crtc_id = display.crtc, .fb_id = screen, .sequence = 1};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_PAGE_FLIP, &target), -EINVAL);
    struct drm_mode_create_dumb dumb = display_dumb(&display, WIDTH, HEIGHT);
    uint32_t small = display_framebuffer(&display, dumb.handle, WIDTH - 1, HEIGHT, dumb.pitch);
    assert_int_equal(display_flip(&display, small, 0, 0), -ENOSPC);
    struct drm_mode_fb_cmd other = {
        .width = WIDTH, .height = HEIGHT, .pitch = dumb.pitch, .bpp = 16, .depth = 16, .handle = dumb.handle};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_ADDFB, &other), 0);
    assert_int_equal(display_flip(&display, other.fb_id, 0, 0), -EINVAL);
    assert_int_equal(display_set(&display, 0), 0);
    assert_int_equal(display_flip(&display, screen, 0, 0), -EBUSY);
    rig_close(&rig);
}

/* ---- what goes while a flip is under way ---- */

static void a_flip_ends_with_its_framebuffer(void **state) {
    uint32_t first;
    (void)state;
    struct display display = open_with(FERMI, HZ, &first);
    uint32_t second = display_screen(&display), third = display_screen(&display);
    assert_int_equal(display_flip(&display, second, EVENT, 1), 0);
    assert_int_equal(display_remove(&display, first), 0); /* only leaves the screen */
    assert_int_equal(display_get(&display).mode_valid, 1);
    assert_int_equal(display_remove(&display, second), 0);
    assert_int_equal(display_get(&display).mode_valid, 0);
    assert_int_equal(display_event(&display).user_data, 1);
    assert_true(drm_device_due(rig.device) == UINT64_MAX);
    assert_int_equal(display_set(&display, third), 0);
    rig_close(&rig);
}

static void a_mode_ends_a_flip(void **state) {
    uint32_t first;
    (void)state;
    struct display display = open_with(FERMI, HZ, &first);
    uint32_t second = display_screen(&display);
    assert_int_equal(display_flip(&display, second, EVENT, 1), 0);
    assert_int_equal(display_set(&display, first), 0);
    assert_int_equal(display_event(&display).user_data, 1);
    assert_int_equal(display_get(&display).fb_id, first);
    assert_int_equal(display_flip(&display, second, EVENT, 2), 0);
    drm_file_close(display.file);
    assert_int_equal(rig.event_bytes, 0);
    rig_close(&rig);
}

/* ---- rendering ---- */

/* A submission that writes to the buffer, and waits until the program has set the semaphore. */
static struct rig_channel draw_for_long(const struct display *display, const struct drm_nouveau_gem_info *buffer) {
    struct rig_channel channel = rig_channel(&rig, display->file);
    struct rig_submission submission = {0};
    struct words words = {.part = rig.part};
    struct drm_nouveau_gem_info push = rig_buffer(&rig, display->file, GART, PAGE);
    words_bind_object(&words, 0);
    words_acquire(&words, &channel, 1);
    rig_push(&rig, &submission, &channel, &push, 0, &words);
    rig_list(&submission, buffer, true);
    assert_int_equal(rig_submit(&rig, &channel, &submission), 0);
    return channel;
}

static void a_flip_waits_for_its_rendering(void **state) {
    static const unsigned rates[] = {0, HZ};
    uint32_t first;
    (void)state;
    FOR_EACH_PART
    for (unsigned i = 0; i < COUNT_OF(rates) && !part->calls; i++) { /* NV4x: no program can make it wait */
        struct display display = open_with(part, rates[i], &first);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, display.file, rig_vram(&rig), UINT64_C(512) * HEIGHT);
        uint32_t second = display_framebuffer(&display, buffer.handle, WIDTH, HEIGHT, 512);
        struct rig_channel channel = draw_for_long(&display, &buffer);
        assert_int_equal(display_flip(&display, second, EVENT, 1), 0);
        for (unsigned frame = 0; frame < 3; frame++) {
            rig.now += FRAME;
            drm_device_vblank(rig.device);
            assert_int_equal(rig.event_bytes, 0);
            assert_int_equal(display_flip(&display, first, EVENT, 2), -EBUSY);
            assert_in_range(drm_device_due(rig.device), 1, FRAME);
        }
        rig_wr32(display.file, &channel.semaphore, channel.at, 1);
        drm_device_poll(rig.device);
        rig.now += FRAME;
        assert_int_equal(drm_device_due(rig.device), 0);
        drm_device_vblank(rig.device);
        assert_int_equal(display_event(&display).user_data, 1);
        rig_close(&rig);
    }
}

static void setcrtc_waits_for_the_rendering(void **state) {
    uint32_t first;
    (void)state;
    struct display display = open_with(FERMI, 0, &first);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, display.file, VRAM, UINT64_C(512) * HEIGHT);
    uint32_t second = display_framebuffer(&display, buffer.handle, WIDTH, HEIGHT, 512);
    draw_for_long(&display, &buffer);
    rig.signal = true;
    assert_int_equal(display_set(&display, second), -EINTR);
    assert_int_equal(display_get(&display).fb_id, first);
    rig.signal = false;
    assert_int_equal(display_set(&display, second), 0); /* it hangs, so after half a minute */
    assert_true(rig.now >= 30 * SECOND);
    assert_int_equal(display_get(&display).fb_id, second);
    rig_close(&rig);
}

/* ---- those who watch ---- */

struct watcher {
    uint32_t framebuffers[8];
    bool pictures[8];
    unsigned count;
};

static void watch(void *opaque, uint32_t framebuffer) {
    struct watcher *watcher = opaque;
    struct drm_picture picture;
    assert_true(watcher->count < 8);
    watcher->pictures[watcher->count] = drm_device_picture(rig.device, &picture);
    if (watcher->pictures[watcher->count])
        free(picture.rgba);
    watcher->framebuffers[watcher->count++] = framebuffer;
}

static void who_watches_sees_each_picture_and_the_last(void **state) {
    struct watcher watcher = {0};
    (void)state;
    struct display display = display_open(&rig, FERMI, 0);
    uint32_t first = display_screen(&display), second = display_screen(&display);
    uint32_t console = display_get(&display).fb_id;
    drm_device_set_flip(rig.device, watch, &watcher);
    assert_int_equal(display_set(&display, first), 0);
    assert_int_equal(display_flip(&display, second, 0, 0), 0);
    assert_int_equal(display_remove(&display, second), 0);
    assert_int_equal(display_set(&display, 0), 0);
    assert_int_equal(watcher.count, 3);
    assert_int_equal(watcher.framebuffers[0], first);
    assert_int_equal(watcher.framebuffers[1], second);
    assert_int_equal(watcher.framebuffers[2], 0);
    for (unsigned i = 0; i < 3; i++)
        assert_true(watcher.pictures[i]);
    drm_device_set_flip(rig.device, NULL, NULL);
    assert_int_equal(display_set(&display, first), 0);
    assert_int_equal(watcher.count, 3);
    drm_device_set_flip(rig.device, watch, &watcher);
    assert_int_equal(display_set(&display, console), 0);
    assert_int_equal(watcher.count, 4);
    assert_int_equal(watcher.framebuffers[3], 0);
    assert_true(watcher.pictures[3]);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_refresh_rate_a_flip_is_done_at_once),
        cmocka_unit_test(a_wait_makes_virtual_frames_come),
        cmocka_unit_test(a_flip_comes_with_the_next_blank),
        cmocka_unit_test(a_wait_lasts_until_the_blank),
        cmocka_unit_test(events_come_with_their_blank_in_order),
        cmocka_unit_test(a_file_can_wait_for_so_many_events),
        cmocka_unit_test(waits_for_what_is_not_there_are_refused),
        cmocka_unit_test(sequences_have_64_bits),
        cmocka_unit_test(pageflip_finds_what_is_wrong),
        cmocka_unit_test(a_flip_ends_with_its_framebuffer),
        cmocka_unit_test(a_mode_ends_a_flip),
        cmocka_unit_test(a_flip_waits_for_its_rendering),
        cmocka_unit_test(setcrtc_waits_for_the_rendering),
        cmocka_unit_test(who_watches_sees_each_picture_and_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
