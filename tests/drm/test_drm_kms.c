/* SPDX-License-Identifier: MIT */
/* A display: its objects and modes, the CRTC and its cursor. */
#include "drm/display.h"

static struct rig rig;

static int call(const struct display *display, unsigned long request, void *structure) {
    return rig_ioctl(&rig, display->file, request, structure);
}

/* ---- the objects ---- */

static void there_is_one_of_each(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct display display = display_open(&rig, part, 0);
        struct drm_mode_card_res resources = {0};
        assert_int_equal(call(&display, DRM_IOCTL_MODE_GETRESOURCES, &resources), 0);
        assert_int_equal(resources.count_crtcs, 1);
        assert_int_equal(resources.count_connectors, 1);
        assert_int_equal(resources.count_encoders, 1);
        assert_int_equal(resources.count_fbs, 0);
        assert_int_equal(resources.max_width, part->calls ? 4096 : part->classes ? 16384 : 8192);
        assert_int_equal(resources.max_height, resources.max_width);
        struct drm_mode_get_encoder encoder = {.encoder_id = display.encoder};
        assert_int_equal(call(&display, DRM_IOCTL_MODE_GETENCODER, &encoder), 0);
        assert_int_equal(encoder.crtc_id, display.crtc);
        assert_int_equal(encoder.possible_crtcs, 1);
        encoder.encoder_id = display.crtc;
        assert_int_equal(call(&display, DRM_IOCTL_MODE_GETENCODER, &encoder), -ENOENT);
        rig_close(&rig);
    }
}

static void a_file_sees_its_framebuffers_only(void **state) {
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0), other = display;
    other.file = rig_file(&rig, CARD);
    uint32_t first = display_screen(&display), second = display_screen(&display), ids[2] = {0};
    display_screen(&other);
    uint64_t at = rig_put(&rig, ids, sizeof ids);
    struct drm_mode_card_res resources = {.fb_id_ptr = at, .count_fbs = 2};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETRESOURCES, &resources), 0);
    assert_int_equal(resources.count_fbs, 2);
    rig_get(&rig, at, ids, sizeof ids);
    assert_true((ids[0] == first && ids[1] == second) || (ids[0] == second && ids[1] == first));
    resources = (struct drm_mode_card_res){.fb_id_ptr = NOT_MAPPED, .count_fbs = 1};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETRESOURCES, &resources), -EFAULT);
    resources = (struct drm_mode_card_res){.crtc_id_ptr = NOT_MAPPED, .count_crtcs = 1};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETRESOURCES, &resources), -EFAULT);
    rig_close(&rig);
}

/* A device with another preferred mode than the other tests have. */
static struct display open_panel(unsigned width, unsigned height, unsigned refresh) {
    rig.config = (struct drm_config){.width = width, .height = height, .refresh = refresh};
    rig_open(&rig, &parts[4]);
    struct display display = {.rig = &rig, .file = rig_file(&rig, CARD)};
    struct drm_mode_card_res resources = {.count_connectors = 1,
                                          .connector_id_ptr = rig_put(&rig, &display.connector, sizeof(uint32_t))};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETRESOURCES, &resources), 0);
    rig_get(&rig, resources.connector_id_ptr, &display.connector, sizeof display.connector);
    return display;
}

static void the_preferred_mode_comes_first(void **state) {
    struct drm_mode_modeinfo modes[8];
    (void)state;
    struct display display = open_panel(1280, 800, 75);
    struct drm_mode_get_connector connector = display_connector(&display, modes);
    assert_int_equal(connector.count_modes, 3);
    assert_int_equal(connector.connection, 1);
    assert_string_equal(modes[0].name, "1280x800");
    assert_string_equal(modes[1].name, "1280x720");
    assert_string_equal(modes[2].name, "640x480");
    assert_true(modes[0].type & DRM_MODE_TYPE_PREFERRED);
    for (unsigned i = 0; i < 3; i++) {
        const struct drm_mode_modeinfo *mode = &modes[i];
        uint64_t dots = (uint64_t)mode->htotal * mode->vtotal;
        assert_true(i == 0 || !(mode->type & DRM_MODE_TYPE_PREFERRED));
        assert_int_equal(mode->vrefresh, 75);
        assert_int_equal((mode->clock * UINT64_C(1000) + dots / 2) / dots, 75);
        assert_true(mode->hdisplay < mode->hsync_start && mode->hsync_end < mode->htotal);
        assert_true(mode->vdisplay < mode->vsync_start && mode->vsync_end < mode->vtotal);
    }
    rig_close(&rig);
    display = open_panel(640, 480, 0);
    assert_int_equal(display_connector(&display, modes).count_modes, 1);
    assert_string_equal(modes[0].name, "640x480");
    assert_int_equal(modes[0].vrefresh, 60);
    rig_close(&rig);
}

static void modes_need_room_for_all_of_them(void **state) {
    struct drm_mode_modeinfo modes[4] = {0};
    (void)state;
    struct display display = open_panel(0, 0, 0);
    struct drm_mode_get_connector connector = {.connector_id = display.connector, .count_modes = 1};
    connector.modes_ptr = rig_put(&rig, modes, sizeof modes);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETCONNECTOR, &connector), 0);
    assert_int_equal(connector.count_modes, 2);
    rig_get(&rig, connector.modes_ptr, modes, sizeof modes);
    assert_int_equal(modes[0].clock, 0);
    connector.modes_ptr = NOT_MAPPED;
    connector.count_props = connector.count_encoders = 0;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETCONNECTOR, &connector), -EFAULT);
    connector.connector_id = NOTHING;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETCONNECTOR, &connector), -ENOENT);
    rig_close(&rig);
}

/* ---- the CRTC ---- */

static void a_mode_needs_a_framebuffer_and_a_connector(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct display display = display_open(&rig, part, 0);
        uint32_t screen = display_screen(&display);
        assert_int_equal(display_set(&display, screen), 0);
        struct drm_mode_crtc crtc = display_get(&display);
        assert_int_equal(crtc.mode_valid, 1);
        assert_int_equal(crtc.fb_id, screen);
        assert_memory_equal(&crtc.mode, &display.mode, sizeof crtc.mode);
        assert_int_equal(crtc.gamma_size, 256);
        assert_int_equal(display_set(&display, 0), 0);
        assert_int_equal(display_get(&display).mode_valid, 0);
        assert_int_equal(display_get(&display).fb_id, 0);
        rig_close(&rig);
    }
}

static struct drm_mode_crtc good_request(const struct display *display, uint32_t screen) {
    return (struct drm_mode_crtc){
        .set_connectors_ptr = rig_put(&rig, &display->connector, sizeof display->connector),
        .count_connectors = 1,
        .crtc_id = display->crtc,
        .fb_id = screen,
        .mode_valid = 1,
        .mode = display->mode,
    };
}

static void setcrtc_finds_what_is_wrong(void **state) {
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0);
    uint32_t screen = display_screen(&display);
    assert_int_equal(display_set(&display, 0), 0);
    enum { X, CRTC, FRAMEBUFFER, NO_FRAMEBUFFER, VIEW, NO_CONNECTOR, TWO, NOT_ONE, NO_MODE, NO_CLOCK, TOTAL, FAULT };
    static const int wanted[] = {
        [X] = -ERANGE,       [CRTC] = -ENOENT,     [FRAMEBUFFER] = -ENOENT,  [NO_FRAMEBUFFER] = -EINVAL,
        [VIEW] = -ENOSPC,    [TWO] = -EINVAL,      [NO_CONNECTOR] = -EINVAL, [NOT_ONE] = -ENOENT,
        [NO_MODE] = -EINVAL, [NO_CLOCK] = -EINVAL, [TOTAL] = -EINVAL,        [FAULT] = -EFAULT,
    };
    for (unsigned i = 0; i < COUNT_OF(wanted); i++) {
        struct drm_mode_crtc request = good_request(&display, screen);
        request.x = i == X ? 0x10000 : i == VIEW ? 1 : 0;
        request.crtc_id = i == CRTC ? display.connector : request.crtc_id;
        request.fb_id = i == FRAMEBUFFER ? NOTHING - 1 : i == NO_FRAMEBUFFER ? UINT32_MAX : screen;
        request.count_connectors = i == NO_CONNECTOR ? 0 : i == TWO ? 2 : 1;
        request.mode_valid = i != NO_MODE;
        request.mode.clock = i == NO_CLOCK ? 0 : request.mode.clock;
        request.mode.vtotal = i == TOTAL ? HEIGHT : request.mode.vtotal;
        if (i == NOT_ONE)
            request.set_connectors_ptr = rig_put(&rig, &display.encoder, sizeof display.encoder);
        if (i == FAULT)
            request.set_connectors_ptr = NOT_MAPPED;
        int result = call(&display, DRM_IOCTL_MODE_SETCRTC, &request);
        if (result != wanted[i])
            fail_msg("case %u: %d instead of %d", i, result, wanted[i]);
        assert_int_equal(display_get(&display).mode_valid, 0);
    }
    rig_close(&rig);
}

static void a_mode_can_be_set_with_the_framebuffer_that_is_there(void **state) {
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0);
    struct drm_mode_create_dumb dumb = display_dumb(&display, 2 * WIDTH, HEIGHT);
    uint32_t screen = display_framebuffer(&display, dumb.handle, 2 * WIDTH, HEIGHT, dumb.pitch);
    assert_int_equal(display_set(&display, screen), 0);
    struct drm_mode_crtc request = good_request(&display, UINT32_MAX);
    request.x = WIDTH;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETCRTC, &request), 0);
    assert_int_equal(display_get(&display).fb_id, screen);
    assert_int_equal(display_get(&display).x, WIDTH);
    rig_close(&rig);
}

static void a_framebuffer_that_goes_turns_the_screen_off(void **state) {
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0), other = display;
    uint32_t screen = display_screen(&display);
    other.file = rig_file(&rig, CARD);
    assert_int_equal(display_set(&display, screen), 0);
    assert_int_equal(display_remove(&other, screen), -ENOENT);
    assert_int_equal(display_remove(&display, screen), 0);
    assert_int_equal(display_get(&display).mode_valid, 0);
    assert_int_equal(display_remove(&display, screen), -ENOENT);
    struct drm_mode_get_encoder encoder = {.encoder_id = display.encoder};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETENCODER, &encoder), 0);
    assert_int_equal(encoder.crtc_id, 0);
    assert_int_equal(display_set(&display, display_screen(&display)), 0);
    assert_int_equal(display_get(&other).mode_valid, 1);
    drm_file_close(display.file);
    assert_int_equal(display_get(&other).mode_valid, 0);
    rig_close(&rig);
}

/* As it is found before the first program: on the screen, nobody's, without a picture. */
static void assert_console(const struct display *display) {
    struct drm_picture picture;
    struct drm_mode_crtc crtc = display_get(display);
    struct drm_mode_fb_cmd console = {.fb_id = crtc.fb_id};
    assert_int_equal(crtc.mode_valid, 1);
    assert_memory_equal(&crtc.mode, &display->mode, sizeof crtc.mode);
    assert_int_equal(call(display, DRM_IOCTL_MODE_GETFB, &console), -ENODEV);
    assert_int_equal(console.width, WIDTH);
    assert_int_equal(console.height, HEIGHT);
    assert_int_equal(display_remove(display, crtc.fb_id), -ENOENT);
    assert_false(drm_device_picture(rig.device, &picture));
}

static void the_console_can_be_put_back(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct display display = display_open(&rig, part, 0);
        uint32_t console = display_get(&display).fb_id, screen = display_screen(&display);
        assert_console(&display);
        assert_int_equal(display_set(&display, screen), 0);
        assert_int_equal(display_flip(&display, console, 0, 0), 0);
        assert_int_equal(display_flip(&display, screen, 0, 0), 0);
        assert_int_equal(display_set(&display, console), 0);
        assert_int_equal(display_remove(&display, screen), 0);
        assert_console(&display);
        rig_close(&rig);
    }
}

static void the_console_comes_back_after_the_last_program(void **state) {
    (void)state;
    struct display display = display_open(&rig, &parts[4], 50), other = display;
    other.file = rig_file(&rig, CARD);
    assert_int_equal(display_set(&display, display_screen(&display)), 0);
    assert_int_equal(display_flip(&display, display_screen(&display), DRM_MODE_PAGE_FLIP_EVENT, 0), 0);
    drm_file_close(display.file);
    assert_int_equal(display_get(&other).mode_valid, 0);
    drm_file_close(other.file);
    display.file = rig_file(&rig, CARD);
    assert_console(&display);
    rig_close(&rig);
}

static void only_the_master_changes_the_display(void **state) {
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0), other = display;
    other.file = rig_file(&rig, CARD);
    uint32_t screen = display_screen(&other);
    assert_int_equal(display_set(&other, screen), -EACCES);
    assert_int_equal(display_flip(&other, screen, 0, 0), -EACCES);
    assert_int_not_equal(display_get(&other).fb_id, screen);
    struct drm_mode_fb_cmd request = {.fb_id = screen};
    assert_int_equal(call(&other, DRM_IOCTL_MODE_GETFB, &request), 0);
    assert_int_equal(request.handle, 0);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETFB, &request), 0);
    assert_true(request.handle);
    rig_close(&rig);
}

static void a_gamma_table_is_kept(void **state) {
    uint16_t table[3][256];
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0);
    for (unsigned i = 0; i < 3 * 256; i++)
        table[i / 256][i % 256] = (uint16_t)(i * 7);
    uint64_t at = rig_put(&rig, table, sizeof table);
    struct drm_mode_crtc_lut lut = {
        .crtc_id = display.crtc, .gamma_size = 256, .red = at, .green = at + 512, .blue = at + 1024};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETGAMMA, &lut), 0);
    uint8_t none[sizeof table] = {0};
    lut.red = rig_put(&rig, none, sizeof none);
    lut.green = lut.red + 512;
    lut.blue = lut.red + 1024;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETGAMMA, &lut), 0);
    rig_get(&rig, lut.red, none, sizeof none);
    assert_memory_equal(none, table, sizeof table);
    lut.blue = NOT_MAPPED;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETGAMMA, &lut), -EFAULT);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETGAMMA, &lut), -EFAULT);
    lut.gamma_size = 255;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETGAMMA, &lut), -EINVAL);
    lut.crtc_id = NOTHING;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETGAMMA, &lut), -ENOENT);
    rig_close(&rig);
}

static void cursors_have_the_sizes_of_the_chip(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct display display = display_open(&rig, part, 0);
        struct drm_mode_create_dumb dumb = display_dumb(&display, 256, 256);
        struct drm_mode_cursor cursor = {.flags = DRM_MODE_CURSOR_BO | DRM_MODE_CURSOR_MOVE,
                                         .crtc_id = display.crtc,
                                         .width = 64,
                                         .height = 64,
                                         .handle = dumb.handle};
        assert_int_equal(call(&display, DRM_IOCTL_MODE_CURSOR, &cursor), 0);
        cursor.width = cursor.height = 256;
        assert_int_equal(call(&display, DRM_IOCTL_MODE_CURSOR, &cursor), part->runlists ? 0 : -EINVAL);
        cursor.width = cursor.height = 32;
        assert_int_equal(call(&display, DRM_IOCTL_MODE_CURSOR, &cursor), part->calls ? -EINVAL : 0);
        cursor.width = 64;
        assert_int_equal(call(&display, DRM_IOCTL_MODE_CURSOR, &cursor), -EINVAL);
        cursor.height = 64;
        cursor.handle = NOTHING;
        assert_int_equal(call(&display, DRM_IOCTL_MODE_CURSOR, &cursor), -ENOENT);
        cursor.handle = 0;
        assert_int_equal(call(&display, DRM_IOCTL_MODE_CURSOR, &cursor), 0);
        cursor.flags = 0;
        assert_int_equal(call(&display, DRM_IOCTL_MODE_CURSOR, &cursor), -EINVAL);
        struct drm_mode_cursor2 cursor2 = {.flags = DRM_MODE_CURSOR_MOVE, .crtc_id = NOTHING};
        assert_int_equal(call(&display, DRM_IOCTL_MODE_CURSOR2, &cursor2), -ENOENT);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_one_of_each),
        cmocka_unit_test(a_file_sees_its_framebuffers_only),
        cmocka_unit_test(the_preferred_mode_comes_first),
        cmocka_unit_test(modes_need_room_for_all_of_them),
        cmocka_unit_test(a_mode_needs_a_framebuffer_and_a_connector),
        cmocka_unit_test(setcrtc_finds_what_is_wrong),
        cmocka_unit_test(a_mode_can_be_set_with_the_framebuffer_that_is_there),
        cmocka_unit_test(a_framebuffer_that_goes_turns_the_screen_off),
        cmocka_unit_test(the_console_can_be_put_back),
        cmocka_unit_test(the_console_comes_back_after_the_last_program),
        cmocka_unit_test(only_the_master_changes_the_display),
        cmocka_unit_test(a_gamma_table_is_kept),
        cmocka_unit_test(cursors_have_the_sizes_of_the_chip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
