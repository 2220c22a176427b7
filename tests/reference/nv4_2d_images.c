/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "reference/nv4_2d.h"

void reference_image(struct reference_2d *s, int x, int y, int out_width, int out_height,
                     const struct reference_image *image) {
    for (int j = 0; j < image->height && j < out_height; j++)
        for (int i = 0; i < image->width && i < out_width; i++)
            reference_draw(s, x + i, y + j, image->format, image->pixel[j * image->width + i]);
}

/* Does source pixel n cover the destination's `at`? */
static bool covers(int start12, uint32_t step, int n, int at) {
    double begin = floor(start12 / 16.0 + n * (step / 1048576.0));
    double end = floor(start12 / 16.0 + (n + 1) * (step / 1048576.0));
    return at >= begin && at < end;
}

void reference_stretch(struct reference_2d *s, int x12, int y12, uint32_t dx, uint32_t dy,
                       const struct reference_image *image) {
    for (int y = 0; y < 128; y++)
        for (int j = 0; j < image->height; j++) {
            if (!covers(y12, dy, j, y))
                continue;
            for (int x = 0; x < 128; x++)
                for (int i = 0; i < image->width; i++)
                    if (covers(x12, dx, i, x))
                        reference_draw(s, x, y, image->format, image->pixel[j * image->width + i]);
        }
}

static struct reference_color texel(const struct reference_image *image, int u, int v) {
    u = u < 0 ? 0 : u >= image->width ? image->width - 1 : u;
    v = v < 0 ? 0 : v >= image->height ? image->height - 1 : v;
    return reference_unpack(image->format, image->pixel[v * image->width + u]);
}

static int mix(int a, int b, int weight) {
    return (a * (256 - weight) + b * weight + 128) / 256;
}

static struct reference_color mixed(struct reference_color a, struct reference_color b, int weight) {
    return (struct reference_color){mix(a.a, b.a, weight), mix(a.r, b.r, weight), mix(a.g, b.g, weight),
                                    mix(a.b, b.b, weight)};
}

static struct reference_color sample(const struct reference_image *image, double u, double v, bool bilinear) {
    if (!bilinear)
        return texel(image, (int)floor(u), (int)floor(v));
    u -= 0.5;
    v -= 0.5;
    int left = (int)floor(u), top = (int)floor(v);
    int across = (int)floor((u - left) * 256), down = (int)floor((v - top) * 256);
    return mixed(mixed(texel(image, left, top), texel(image, left + 1, top), across),
                 mixed(texel(image, left, top + 1), texel(image, left + 1, top + 1), across), down);
}

void reference_scale(struct reference_2d *s, const int out[4], uint32_t u, uint32_t v, int32_t du, int32_t dv,
                     bool center, bool bilinear, const struct reference_image *image) {
    double half = center ? 0.5 : 0;
    for (int j = 0; j < out[3]; j++)
        for (int i = 0; i < out[2]; i++) {
            struct reference_color c =
                sample(image, u / 16.0 + half + i * (du / 1048576.0), v / 16.0 + half + j * (dv / 1048576.0), bilinear);
            uint32_t pixel = (uint32_t)c.a << 24 | (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | (uint32_t)c.b;
            reference_draw(s, out[0] + i, out[1] + j, PIXEL_A8R8G8B8, pixel);
        }
}

void reference_text(struct reference_2d *s, int x, int y, int width, int height, int out_width, int out_height,
                    bool cga6, const uint8_t *bits, enum reference_pixel format, const uint32_t *zero, uint32_t one) {
    for (int n = 0; n < width * height; n++) {
        int i = n % width, j = n / width;
        bool set = bits[n / 8] >> (cga6 ? 7 - n % 8 : n % 8) & 1;
        if (i < out_width && j < out_height && (set || zero))
            reference_draw(s, x + i, y + j, format, set ? one : *zero);
    }
}
