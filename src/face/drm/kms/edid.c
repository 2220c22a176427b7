/* SPDX-License-Identifier: MIT */
/*
 * What the display says of itself: 128 bytes, by VESA E-EDID, release A2 (EDID 1.4). Its timings are those of the
 * connector's modes, as a kernel would have found these there.
 *
 *   0 header | 8 maker, product | 20 what it is | 25 colours of sRGB | 35 well-known modes | 54 four descriptors of 18
 *   bytes: up to three modes, the preferred one first, and a name | 126 extensions: none | 127 sum
 *
 * A descriptor has 12 bits for the size, and 16 for the clock in units of 10 kHz. Modes that are larger are left out:
 * real displays have an extension block for them.
 */
#include <string.h>

#include "face/drm/kms/kms.h"

#define MAKER           "PFO" /* not assigned to anybody */
#define NAME            "pfifo\n"
#define YEAR            (2024 - 1990)
#define DIGITAL_8_HDMI  0xa2
#define GAMMA_2_2       120
#define SRGB            0x04
#define FIRST_IS_NATIVE 0x02
#define IS_640_480_60   0x20 /* of byte 35 */
#define SIZE_MOST       0xfffu
#define CLOCK_MOST      655350u /* kHz */
#define DESCRIPTOR      18u
#define DESCRIPTORS     4u

static bool edid_fits(const struct drm_mode_modeinfo *mode) {
    return mode->hdisplay <= SIZE_MOST && mode->vdisplay <= SIZE_MOST && mode->clock <= CLOCK_MOST;
}

/* Two values of 12 bits: 8 of each, and a byte of the rest. */
static void put_12_12(uint8_t to[3], uint32_t first, uint32_t second) {
    to[0] = (uint8_t)first;
    to[1] = (uint8_t)second;
    to[2] = (uint8_t)((first >> 8 & 0xf) << 4 | (second >> 8 & 0xf));
}

/* In millimetres, at most what fits. */
static uint32_t picture_size(uint32_t pixels) {
    uint32_t size = kms_millimetres(pixels);
    return size < SIZE_MOST ? size : SIZE_MOST;
}

/* The picture is as large as the panel, whose size is that of `panel`. */
static void put_mode(uint8_t at[DESCRIPTOR], const struct drm_mode_modeinfo *mode,
                     const struct drm_mode_modeinfo *panel) {
    uint32_t clock = mode->clock / 10;
    uint32_t h_front = mode->hsync_start - mode->hdisplay, h_sync = mode->hsync_end - mode->hsync_start;
    uint32_t v_front = mode->vsync_start - mode->vdisplay, v_sync = mode->vsync_end - mode->vsync_start;
    at[0] = (uint8_t)clock;
    at[1] = (uint8_t)(clock >> 8);
    put_12_12(at + 2, mode->hdisplay, mode->htotal - mode->hdisplay);
    put_12_12(at + 5, mode->vdisplay, mode->vtotal - mode->vdisplay);
    at[8] = (uint8_t)h_front;
    at[9] = (uint8_t)h_sync;
    at[10] = (uint8_t)((v_front & 0xf) << 4 | (v_sync & 0xf));
    at[11] = (uint8_t)((h_front >> 8 & 3) << 6 | (h_sync >> 8 & 3) << 4 | (v_front >> 4 & 3) << 2 | (v_sync >> 4 & 3));
    put_12_12(at + 12, picture_size(panel->hdisplay), picture_size(panel->vdisplay));
    at[17] = 0x18; /* separate digital syncs */
    at[17] |= mode->flags & DRM_MODE_FLAG_PHSYNC ? 0x02 : 0;
    at[17] |= mode->flags & DRM_MODE_FLAG_PVSYNC ? 0x04 : 0;
}

static void edid_put_text(uint8_t at[DESCRIPTOR], uint8_t type, const char *text) {
    at[3] = type;
    memset(at + 5, ' ', DESCRIPTOR - 5);
    memcpy(at + 5, text, strlen(text));
}

/* How many modes there are; the rest of the descriptors say nothing. */
static unsigned put_modes(const struct kms *kms, uint8_t *at) {
    unsigned count = 0;
    for (uint32_t i = 0; i < kms->mode_count && count < DESCRIPTORS - 1; i++)
        if (edid_fits(&kms->modes[i]))
            put_mode(at + DESCRIPTOR * count++, &kms->modes[i], &kms->modes[0]);
    edid_put_text(at + (size_t)DESCRIPTOR * count, 0xfc, NAME);
    for (unsigned i = count + 1; i < DESCRIPTORS; i++)
        at[DESCRIPTOR * i + 3] = 0x10;
    return count;
}

static bool has_640_480_60(const struct kms *kms) {
    for (uint32_t i = 0; i < kms->mode_count; i++)
        if (kms->modes[i].hdisplay == 640 && kms->modes[i].vdisplay == 480 && kms->modes[i].vrefresh == 60)
            return true;
    return false;
}

static uint8_t centimetres(uint32_t pixels) {
    uint32_t size = (kms_millimetres(pixels) + 5) / 10;
    return size > UINT8_MAX ? UINT8_MAX : (uint8_t)size;
}

static void put_colours(uint8_t at[10]) {
    static const uint8_t srgb[10] = {0xee, 0x91, 0xa3, 0x54, 0x4c, 0x99, 0x26, 0x0f, 0x50, 0x54};
    memcpy(at, srgb, sizeof srgb);
}

void kms_make_edid(const struct kms *kms, uint8_t edid[KMS_EDID_BYTES]) {
    uint32_t maker =
        (uint32_t)(MAKER[0] - 'A' + 1) << 10 | (uint32_t)(MAKER[1] - 'A' + 1) << 5 | (uint32_t)(MAKER[2] - 'A' + 1);
    uint8_t sum = 0;
    memset(edid, 0, KMS_EDID_BYTES);
    memset(edid + 1, 0xff, 6);
    edid[8] = (uint8_t)(maker >> 8);
    edid[9] = (uint8_t)maker;
    edid[10] = 1; /* product */
    edid[17] = YEAR;
    edid[18] = 1;
    edid[19] = 4;
    edid[20] = DIGITAL_8_HDMI;
    edid[21] = centimetres(kms->modes[0].hdisplay);
    edid[22] = centimetres(kms->modes[0].vdisplay);
    edid[23] = GAMMA_2_2;
    put_colours(edid + 25);
    edid[35] = has_640_480_60(kms) ? IS_640_480_60 : 0;
    memset(edid + 38, 0x01, 16); /* no standard timings */
    edid[24] = SRGB | (put_modes(kms, edid + 54) && edid_fits(&kms->modes[0]) ? FIRST_IS_NATIVE : 0);
    for (unsigned i = 0; i + 1 < KMS_EDID_BYTES; i++)
        sum = (uint8_t)(sum + edid[i]);
    edid[KMS_EDID_BYTES - 1] = (uint8_t)(0x100 - sum);
}
