/* SPDX-License-Identifier: MIT */
/*
 * Programs on the display of the DRM face, with identities that are there: commits, blobs, framebuffers, and the older
 * calls between them. What has any numbers in any place is in drm.c.
 *
 *   byte 0   chip, whether time is virtual
 *   then     steps
 *
 * After each step what the display says of itself must go together, whatever was asked for.
 */
#include "fuzz/input.h"

#include <drm.h>
#include <drm_mode.h>
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "face/drm/kms/kms.h"

#define MEMORY 0x2000u
#include "fuzz/program.h"

#define STEPS  128u
#define FILES  2u
#define NAMED  24u /* properties of a commit */
#define WIDTH  64u
#define HEIGHT 32u
#define SECOND UINT64_C(1000000000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct program {
    uint8_t memory[MEMORY]; /* first: program.h */
    struct input input;
    struct drm_device *device;
    struct drm_file *files[FILES];
    uint64_t now;
};

/* ---- the host ---- */

static void host_event(void *opaque, struct drm_file *file, const void *data, size_t bytes) {
    const struct program *program = opaque;
    (void)data;
    require(bytes >= sizeof(struct drm_event) && (file == program->files[0] || file == program->files[1]));
}

static uint64_t host_now(void *opaque) {
    return ((const struct program *)opaque)->now;
}

static void host_sleep(void *opaque, uint64_t nanoseconds) {
    ((struct program *)opaque)->now += nanoseconds < SECOND ? nanoseconds + 1 : SECOND;
}

static bool host_wait(void *opaque, uint64_t nanoseconds) {
    host_sleep(opaque, nanoseconds);
    return true;
}

static void host_log(void *opaque, const char *line) {
    (void)opaque, (void)line;
}

/* The program passes no descriptors: those of out-fences go back at once. */
static int host_give(void *opaque, int fd, unsigned flags) {
    (void)opaque, (void)flags;
    close(fd);
    return -EMFILE;
}

static int host_take(void *opaque, int fd) {
    (void)opaque, (void)fd;
    return -EBADF;
}

/* ---- calls ---- */

static int call(struct program *program, unsigned file, unsigned long request, void *structure) {
    size_t bytes = _IOC_SIZE(request);
    uint64_t address = BASE + MEMORY - 0x200;
    memcpy(at(program, address, bytes), structure, bytes);
    int result = drm_file_ioctl(program->files[file], request, address);
    memcpy(structure, at(program, address, bytes), bytes);
    require(result <= 0 && result >= -4095);
    return result;
}

static void put_32(struct program *program, uint64_t address, uint32_t value) {
    memcpy(at(program, address, sizeof value), &value, sizeof value);
}

/* A property of an object, most often one that it has, with a value that is near to a good one. */
static void choose(struct program *program, uint32_t *object, uint32_t *property, uint64_t *value) {
    static const uint32_t first[] = {KMS_PROPERTY_FB_ID, KMS_PROPERTY_ACTIVE, KMS_PROPERTY_CRTC_ID};
    static const uint32_t objects[] = {KMS_PLANE, KMS_CRTC, KMS_CONNECTOR};
    static const uint32_t count[] = {11, 4, 1};
    static const uint64_t numbers[] = {0, 1, KMS_CRTC, WIDTH, HEIGHT, WIDTH << 16, HEIGHT << 16, UINT64_MAX};
    uint32_t bits = (uint32_t)take(&program->input, 2), which = bits % 3;
    *object = objects[which];
    *property = bits & 0x8000 ? bits >> 4 & 0x1f : first[which] + (bits >> 4) % count[which];
    bits = (uint32_t)take(&program->input, 1);
    *value = bits & 0x80   ? take(&program->input, 8)
             : bits & 0x40 ? KMS_FIRST_FRAMEBUFFER + (bits & 0xf)
                           : numbers[bits & 7];
}

static void commit(struct program *program, unsigned file) {
    struct drm_mode_atomic request = {.objs_ptr = BASE,
                                      .count_props_ptr = BASE + 0x100,
                                      .props_ptr = BASE + 0x200,
                                      .prop_values_ptr = BASE + 0x300,
                                      .flags = (uint32_t)take(&program->input, 2) & (DRM_MODE_ATOMIC_FLAGS | 0x800),
                                      .count_objs = (uint32_t)take(&program->input, 1) % NAMED};
    for (uint32_t i = 0; i < request.count_objs; i++) {
        uint32_t object, property;
        uint64_t value;
        choose(program, &object, &property, &value);
        put_32(program, BASE + i * UINT64_C(4), object);
        put_32(program, BASE + 0x100 + i * UINT64_C(4), 1);
        put_32(program, BASE + 0x200 + i * UINT64_C(4), property);
        memcpy(at(program, BASE + 0x300 + i * UINT64_C(8), 8), &value, 8);
    }
    call(program, file, DRM_IOCTL_MODE_ATOMIC, &request);
}

/* Everything that it takes to be on, with one thing that may be another. */
static void light(struct program *program, unsigned file) {
    const struct kms *kms = program->device->kms;
    uint32_t wrong = (uint32_t)take(&program->input, 1), blob = KMS_FIRST_FRAMEBUFFER + (wrong >> 4);
    const uint64_t rows[][3] = {
        {KMS_CONNECTOR, KMS_PROPERTY_CRTC_ID, KMS_CRTC},
        {KMS_CRTC, KMS_PROPERTY_MODE_ID, kms->mode_blob ? kms->mode_blob : blob},
        {KMS_CRTC, KMS_PROPERTY_ACTIVE, 1},
        {KMS_PLANE, KMS_PROPERTY_CRTC_ID, KMS_CRTC},
        {KMS_PLANE, KMS_PROPERTY_FB_ID, KMS_FIRST_FRAMEBUFFER + take(&program->input, 1) % 16},
        {KMS_PLANE, KMS_PROPERTY_SRC_W, WIDTH << 16},
        {KMS_PLANE, KMS_PROPERTY_SRC_H, HEIGHT << 16},
        {KMS_PLANE, KMS_PROPERTY_CRTC_W, WIDTH},
        {KMS_PLANE, KMS_PROPERTY_CRTC_H, HEIGHT},
    };
    struct drm_mode_atomic request = {.objs_ptr = BASE,
                                      .count_props_ptr = BASE + 0x100,
                                      .props_ptr = BASE + 0x200,
                                      .prop_values_ptr = BASE + 0x300,
                                      .flags =
                                          DRM_MODE_ATOMIC_ALLOW_MODESET | (wrong & 1 ? DRM_MODE_ATOMIC_NONBLOCK : 0),
                                      .count_objs = sizeof rows / sizeof rows[0]};
    for (uint32_t i = 0; i < request.count_objs; i++) {
        uint64_t value = i == (wrong >> 1 & 0xf) ? take(&program->input, 4) : rows[i][2];
        put_32(program, BASE + i * UINT64_C(4), (uint32_t)rows[i][0]);
        put_32(program, BASE + 0x100 + i * UINT64_C(4), 1);
        put_32(program, BASE + 0x200 + i * UINT64_C(4), (uint32_t)rows[i][1]);
        memcpy(at(program, BASE + 0x300 + i * UINT64_C(8), 8), &value, 8);
    }
    call(program, file, DRM_IOCTL_MODE_ATOMIC, &request);
}

static void make_blob(struct program *program, unsigned file) {
    struct drm_mode_modeinfo mode = program->device->kms->modes[0];
    uint32_t bits = (uint32_t)take(&program->input, 1);
    if (bits & 1)
        mode.hdisplay = (uint16_t)take(&program->input, 2);
    memcpy(at(program, BASE, sizeof mode), &mode, sizeof mode);
    struct drm_mode_create_blob request = {.data = BASE, .length = sizeof mode - (bits & 2)};
    call(program, file, DRM_IOCTL_MODE_CREATEPROPBLOB, &request);
}

static void destroy(struct program *program, unsigned file) {
    uint32_t bits = (uint32_t)take(&program->input, 1), id = KMS_FIRST_FRAMEBUFFER + (bits & 0xf);
    struct drm_mode_destroy_blob blob = {id};
    if (bits & 0x10)
        call(program, file, DRM_IOCTL_MODE_DESTROYPROPBLOB, &blob);
    else
        call(program, file, DRM_IOCTL_MODE_RMFB, &id);
}

static void make_framebuffer(struct program *program, unsigned file) {
    uint32_t more = (uint32_t)take(&program->input, 1) % 8;
    struct drm_mode_create_dumb dumb = {.width = WIDTH + more, .height = HEIGHT + more, .bpp = 32};
    if (call(program, file, DRM_IOCTL_MODE_CREATE_DUMB, &dumb))
        return;
    struct drm_mode_fb_cmd request = {dumb.width != 0, dumb.width, dumb.height, dumb.pitch, 32, 24, dumb.handle};
    request.fb_id = 0;
    call(program, file, DRM_IOCTL_MODE_ADDFB, &request);
}

static void older(struct program *program, unsigned file) {
    uint32_t bits = (uint32_t)take(&program->input, 1), id = KMS_FIRST_FRAMEBUFFER + (bits & 0xf),
             connector = KMS_CONNECTOR;
    uint64_t value;
    struct drm_mode_crtc crtc = {.crtc_id = KMS_CRTC, .fb_id = id, .set_connectors_ptr = BASE};
    struct drm_mode_crtc_page_flip flip = {KMS_CRTC, id, DRM_MODE_PAGE_FLIP_EVENT, 0, 1};
    struct drm_mode_obj_set_property property = {
        .obj_id = KMS_CONNECTOR, .prop_id = KMS_PROPERTY_DPMS, .value = bits & 3};
    switch (bits >> 4 & 3) {
    case 0:
        crtc.mode_valid = crtc.count_connectors = bits >> 6 & 1;
        crtc.mode = program->device->kms->modes[0];
        put_32(program, BASE, connector);
        call(program, file, DRM_IOCTL_MODE_SETCRTC, &crtc);
        break;
    case 1:
        call(program, file, DRM_IOCTL_MODE_PAGE_FLIP, &flip);
        break;
    case 2:
        choose(program, &property.obj_id, &property.prop_id, &value);
        property.value = value;
        call(program, file, DRM_IOCTL_MODE_OBJ_SETPROPERTY, &property);
        break;
    default:
        call(program, file, DRM_IOCTL_MODE_OBJ_SETPROPERTY, &property);
        break;
    }
}

static void pass_time(struct program *program, unsigned file) {
    (void)file;
    program->now += SECOND / 120 * take(&program->input, 1);
    drm_device_due(program->device);
    drm_device_vblank(program->device);
}

/* ---- what must be true ---- */

static void check(struct program *program) {
    const struct kms *kms = program->device->kms;
    struct drm_picture picture;
    require(kms->on == kms->bound && (kms->on || !kms->mode_blob));
    require(!kms->flip.framebuffer || kms_is_active(kms));
    if (kms_is_active(kms) && kms_current(kms)) {
        require(kms_check_plane(kms_current_view(kms), &kms->mode) == 0);
        require(kms_check_source(kms_current_view(kms), kms_current(kms)) == 0);
    }
    if (drm_device_picture(program->device, &picture)) {
        require(picture.width == kms->mode.hdisplay && picture.height == kms->mode.vdisplay);
        free(picture.rgba);
    }
}

static void step(struct program *program) {
    static void (*const steps[])(struct program *, unsigned) = {commit,  commit, light, light,     make_blob,
                                                                destroy, older,  older, pass_time, make_framebuffer};
    unsigned which = (unsigned)take(&program->input, 1);
    steps[which % (sizeof steps / sizeof steps[0])](program, which >> 7);
    check(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const chips[] = {"G80", "GT215", "GF100", "GM107"};
    static const struct drm_host host = {.read = host_read,
                                         .write = host_write,
                                         .event = host_event,
                                         .give = host_give,
                                         .take = host_take,
                                         .now = host_now,
                                         .wait = host_wait,
                                         .sleep = host_sleep,
                                         .log = host_log};
    static struct program program;
    struct pfifo_error error;
    program = (struct program){.input = {data, size}};
    const uint32_t first = (uint32_t)take(&program.input, 1);
    const struct drm_config config = {.chip = pfifo_chip_by_name(chips[first % 4]),
                                      .vram_bytes = 32 << 20,
                                      .system_bytes = 32 << 20,
                                      .width = WIDTH,
                                      .height = HEIGHT,
                                      .refresh = first & 0x40 ? 60 : 0,
                                      .atomic = true,
                                      .host = &host,
                                      .opaque = &program};
    program.device = drm_device_new(&config, &error);
    require(program.device != NULL);
    for (unsigned i = 0; i < FILES; i++) {
        struct drm_set_client_cap cap = {DRM_CLIENT_CAP_ATOMIC, 1};
        program.files[i] = drm_file_open(program.device, DRM_NODE_CARD);
        require(call(&program, i, DRM_IOCTL_SET_CLIENT_CAP, &cap) == 0);
        make_framebuffer(&program, i);
    }
    for (unsigned i = 0; i < STEPS && program.input.left; i++)
        step(&program);
    for (unsigned i = 0; i < FILES; i++)
        drm_file_close(program.files[i]);
    require(!program.device->buffers && !program.device->kms->blobs);
    drm_device_free(program.device);
    return 0;
}
