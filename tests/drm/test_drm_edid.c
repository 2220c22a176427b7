/* SPDX-License-Identifier: MIT */
/*
 * The connector's EDID and its other properties: drm_connector.c, drm_connector_init(); drm_edid.c. The layout is VESA
 * E-EDID, release A2.
 */
#include "drm/rig.h"

#include <drm_mode.h>
#include <stdio.h>

#define EDID_BYTES 128u
#define MOST_PROPS 16u
#define MOST_MODES 8u

static struct rig rig;

struct screen {
    struct drm_file *file;
    uint32_t connector;
    uint32_t count, ids[MOST_PROPS];
    uint64_t values[MOST_PROPS];
    struct drm_mode_modeinfo modes[MOST_MODES];
    uint32_t mode_count, mm_width, mm_height;
};

static struct screen open_screen(uint32_t width, uint32_t height, uint32_t refresh) {
    rig.config = (struct drm_config){.width = width, .height = height, .refresh = refresh};
    rig_open(&rig, &parts[7]);
    struct screen screen = {.file = rig_file(&rig, DRM_NODE_CARD)};
    struct drm_mode_card_res resources = {.count_connectors = 1};
    resources.connector_id_ptr = rig_put(&rig, &screen.connector, sizeof screen.connector);
    assert_int_equal(rig_ioctl(&rig, screen.file, DRM_IOCTL_MODE_GETRESOURCES, &resources), 0);
    rig_get(&rig, resources.connector_id_ptr, &screen.connector, sizeof screen.connector);
    struct drm_mode_get_connector get = {
        .connector_id = screen.connector, .count_props = MOST_PROPS, .count_modes = MOST_MODES};
    get.props_ptr = rig_put(&rig, screen.ids, sizeof screen.ids);
    get.prop_values_ptr = rig_put(&rig, screen.values, sizeof screen.values);
    get.modes_ptr = rig_put(&rig, screen.modes, sizeof screen.modes);
    assert_int_equal(rig_ioctl(&rig, screen.file, DRM_IOCTL_MODE_GETCONNECTOR, &get), 0);
    assert_in_range(get.count_props, 1, MOST_PROPS);
    assert_in_range(get.count_modes, 1, MOST_MODES);
    rig_get(&rig, get.props_ptr, screen.ids, sizeof screen.ids);
    rig_get(&rig, get.prop_values_ptr, screen.values, sizeof screen.values);
    rig_get(&rig, get.modes_ptr, screen.modes, sizeof screen.modes);
    screen.count = get.count_props;
    screen.mode_count = get.count_modes;
    screen.mm_width = get.mm_width;
    screen.mm_height = get.mm_height;
    return screen;
}

static int get_blob(const struct screen *screen, uint32_t id, uint64_t to, uint32_t *bytes) {
    struct drm_mode_get_blob request = {.blob_id = id, .length = *bytes, .data = to};
    int status = rig_ioctl(&rig, screen->file, DRM_IOCTL_MODE_GETPROPBLOB, &request);
    *bytes = request.length;
    return status;
}

static struct drm_mode_get_property property_at(const struct screen *screen, uint32_t index) {
    struct drm_mode_get_property get = {.prop_id = screen->ids[index]};
    assert_int_equal(rig_ioctl(&rig, screen->file, DRM_IOCTL_MODE_GETPROPERTY, &get), 0);
    return get;
}

static uint32_t edid_id(const struct screen *screen) {
    for (uint32_t i = 0; i < screen->count; i++)
        if (strcmp(property_at(screen, i).name, "EDID") == 0)
            return (uint32_t)screen->values[i];
    fail_msg("no EDID");
    return 0;
}

/* In two calls, as programs do it. */
static void read_edid(const struct screen *screen, uint8_t edid[EDID_BYTES]) {
    uint32_t id = edid_id(screen), bytes = 0;
    assert_int_equal(get_blob(screen, id, 0, &bytes), 0);
    assert_int_equal(bytes, EDID_BYTES);
    memset(edid, 0, EDID_BYTES);
    uint64_t to = rig_put(&rig, edid, EDID_BYTES);
    assert_int_equal(get_blob(screen, id, to, &bytes), 0);
    rig_get(&rig, to, edid, EDID_BYTES);
}

/* In the order in which drm_connector_init() attaches them. */
static void a_connector_has_the_properties_of_all_connectors(void **state) {
    static const struct {
        const char *name;
        uint32_t flags;
        uint64_t value;
    } properties[] = {{"EDID", DRM_MODE_PROP_BLOB | DRM_MODE_PROP_IMMUTABLE, 1},
                      {"DPMS", DRM_MODE_PROP_ENUM, DRM_MODE_DPMS_ON},
                      {"link-status", DRM_MODE_PROP_ENUM, 0},
                      {"non-desktop", DRM_MODE_PROP_RANGE | DRM_MODE_PROP_IMMUTABLE, 0},
                      {"TILE", DRM_MODE_PROP_BLOB | DRM_MODE_PROP_IMMUTABLE, 0}};
    (void)state;
    struct screen screen = open_screen(1024, 768, 60);
    assert_int_equal(screen.count, COUNT_OF(properties));
    for (uint32_t i = 0; i < COUNT_OF(properties); i++) {
        struct drm_mode_get_property property = property_at(&screen, i);
        assert_string_equal(property.name, properties[i].name);
        assert_int_equal(property.flags, properties[i].flags);
        assert_int_equal(i == 0 ? screen.values[i] != 0 : screen.values[i], properties[i].value);
    }
    rig_close(&rig);
}

static void an_edid_is_a_blob_of_the_kernel(void **state) {
    (void)state;
    struct screen screen = open_screen(1024, 768, 60);
    uint32_t id = edid_id(&screen), bytes = EDID_BYTES;
    struct drm_mode_destroy_blob destroy = {.blob_id = id};
    assert_int_equal(rig_ioctl(&rig, screen.file, DRM_IOCTL_MODE_DESTROYPROPBLOB, &destroy), -EPERM);
    assert_int_equal(get_blob(&screen, id, NOT_MAPPED, &bytes), -EFAULT);
    bytes = EDID_BYTES - 1; /* a length that is not the blob's: only that is told */
    assert_int_equal(get_blob(&screen, id, NOT_MAPPED, &bytes), 0);
    assert_int_equal(bytes, EDID_BYTES);
    assert_int_equal(get_blob(&screen, 0, NOT_MAPPED, &bytes), -ENOENT); /* that of TILE */
    rig_close(&rig);
}

/* drm_edid.c: the header, the version, and a sum of 0. */
static void an_edid_is_valid(void **state) {
    static const uint8_t header[8] = {0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0};
    static const uint32_t sizes[][3] = {
        {1024, 768, 60}, {640, 480, 0}, {1920, 1080, 75}, {16384, 16384, 60}, {1, 1, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        uint8_t edid[EDID_BYTES], sum = 0;
        struct screen screen = open_screen(sizes[i][0], sizes[i][1], sizes[i][2]);
        read_edid(&screen, edid);
        for (unsigned at = 0; at < EDID_BYTES; at++)
            sum = (uint8_t)(sum + edid[at]);
        assert_int_equal(sum, 0);
        assert_memory_equal(edid, header, sizeof header);
        assert_int_equal(edid[18], 1);
        assert_int_equal(edid[19], 4);
        assert_int_equal(edid[20] & 0x80, 0x80); /* digital */
        assert_int_equal(edid[126], 0);
        rig_close(&rig);
    }
}

/* A detailed timing, as drm_mode_detailed() takes it apart. False: it is none. */
static bool decode(const uint8_t at[18], struct drm_mode_modeinfo *mode, uint32_t mm[2]) {
    *mode = (struct drm_mode_modeinfo){.clock = (at[0] | (uint32_t)at[1] << 8) * 10};
    uint32_t h = at[2] | (at[4] & 0xf0u) << 4, v = at[5] | (at[7] & 0xf0u) << 4;
    uint32_t h_blank = at[3] | (at[4] & 0xfu) << 8, v_blank = at[6] | (at[7] & 0xfu) << 8;
    uint32_t h_front = at[8] | (at[11] & 0xc0u) << 2, h_sync = at[9] | (at[11] & 0x30u) << 4;
    uint32_t v_front = at[10] >> 4 | (at[11] & 0xcu) << 2, v_sync = (at[10] & 0xfu) | (at[11] & 0x3u) << 4;
    mode->hdisplay = (uint16_t)h;
    mode->hsync_start = (uint16_t)(h + h_front);
    mode->hsync_end = (uint16_t)(h + h_front + h_sync);
    mode->htotal = (uint16_t)(h + h_blank);
    mode->vdisplay = (uint16_t)v;
    mode->vsync_start = (uint16_t)(v + v_front);
    mode->vsync_end = (uint16_t)(v + v_front + v_sync);
    mode->vtotal = (uint16_t)(v + v_blank);
    mode->flags = (at[17] & 2 ? DRM_MODE_FLAG_PHSYNC : DRM_MODE_FLAG_NHSYNC) |
                  (at[17] & 4 ? DRM_MODE_FLAG_PVSYNC : DRM_MODE_FLAG_NVSYNC);
    mm[0] = at[12] | (at[14] & 0xf0u) << 4;
    mm[1] = at[13] | (at[14] & 0xfu) << 8;
    return mode->clock != 0;
}

static void check_timing(const struct drm_mode_modeinfo *is, const struct drm_mode_modeinfo *wanted) {
    assert_int_equal(is->clock, wanted->clock);
    assert_int_equal(is->hdisplay, wanted->hdisplay);
    assert_int_equal(is->hsync_start, wanted->hsync_start);
    assert_int_equal(is->hsync_end, wanted->hsync_end);
    assert_int_equal(is->htotal, wanted->htotal);
    assert_int_equal(is->vdisplay, wanted->vdisplay);
    assert_int_equal(is->vsync_start, wanted->vsync_start);
    assert_int_equal(is->vsync_end, wanted->vsync_end);
    assert_int_equal(is->vtotal, wanted->vtotal);
    assert_int_equal(is->flags, wanted->flags);
}

/* The preferred timing is the mode that was asked for, and at its rate. */
static void the_preferred_timing_is_the_preferred_mode(void **state) {
    static const uint32_t sizes[][3] = {
        {1024, 768, 60}, {320, 240, 30}, {1920, 1080, 144}, {4095, 2160, 60}, {800, 600, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        uint8_t edid[EDID_BYTES];
        uint32_t mm[2], hz = sizes[i][2] ? sizes[i][2] : 60;
        struct drm_mode_modeinfo mode;
        struct screen screen = open_screen(sizes[i][0], sizes[i][1], sizes[i][2]);
        read_edid(&screen, edid);
        assert_true(decode(edid + 54, &mode, mm));
        check_timing(&mode, &screen.modes[0]);
        assert_int_equal(mode.hdisplay, sizes[i][0]);
        assert_int_equal(mode.vdisplay, sizes[i][1]);
        uint64_t dots = (uint64_t)mode.htotal * mode.vtotal;
        assert_int_equal((mode.clock * UINT64_C(1000) + dots / 2) / dots, hz);
        assert_int_equal(edid[24] & 2, 2); /* it is the native one */
        assert_int_equal(mm[0], screen.mm_width);
        assert_int_equal(mm[1], screen.mm_height);
        assert_int_equal(edid[21], (screen.mm_width + 5) / 10);
        rig_close(&rig);
    }
}

static void the_other_modes_are_in_the_edid_too(void **state) {
    uint8_t edid[EDID_BYTES];
    uint32_t mm[2];
    struct drm_mode_modeinfo mode;
    (void)state;
    struct screen screen = open_screen(2560, 1440, 60);
    assert_int_equal(screen.mode_count, 4);
    read_edid(&screen, edid);
    for (unsigned i = 0; i < 3; i++) {
        assert_true(decode(edid + 54 + 18 * i, &mode, mm));
        check_timing(&mode, &screen.modes[i]);
        assert_int_equal(mm[0], screen.mm_width); /* of the panel, which scales */
        assert_int_equal(mm[1], screen.mm_height);
    }
    assert_int_equal(screen.modes[3].hdisplay, 640);
    assert_int_equal(edid[35], 0x20); /* 640 x 480 at 60 Hz */
    assert_int_equal(edid[54 + 18 * 3 + 3], 0xfc);
    assert_memory_equal(edid + 54 + 18 * 3 + 5, "pfifo\n       ", 13);
    rig_close(&rig);
    screen = open_screen(2560, 1440, 75);
    read_edid(&screen, edid);
    assert_int_equal(edid[35], 0);
    rig_close(&rig);
}

/* 12 bits for the size: real displays have an extension block for more. */
static void a_mode_that_is_too_large_is_left_out(void **state) {
    uint8_t edid[EDID_BYTES];
    uint32_t mm[2];
    struct drm_mode_modeinfo mode;
    (void)state;
    struct screen screen = open_screen(4096, 2160, 60);
    read_edid(&screen, edid);
    assert_true(decode(edid + 54, &mode, mm));
    check_timing(&mode, &screen.modes[1]);
    assert_int_equal(edid[24] & 2, 0);
    rig_close(&rig);
    screen = open_screen(16384, 1080, 60);
    read_edid(&screen, edid);
    assert_true(decode(edid + 54, &mode, mm));
    assert_int_equal(mode.hdisplay, 1920);
    assert_int_equal(mm[0], 4095); /* of 4334 */
    rig_close(&rig);
    screen = open_screen(1024, 768, 2000); /* 16 bits for the clock */
    read_edid(&screen, edid);
    assert_false(decode(edid + 54, &mode, mm) && mode.hdisplay == 1024);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_connector_has_the_properties_of_all_connectors),
        cmocka_unit_test(an_edid_is_a_blob_of_the_kernel),
        cmocka_unit_test(an_edid_is_valid),
        cmocka_unit_test(the_preferred_timing_is_the_preferred_mode),
        cmocka_unit_test(the_other_modes_are_in_the_edid_too),
        cmocka_unit_test(a_mode_that_is_too_large_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
