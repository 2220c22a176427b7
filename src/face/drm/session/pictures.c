/* SPDX-License-Identifier: MIT */
#include "face/drm/session/pictures.h"

#include <pfifo/draw.h>
#include <pfifo/trace.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "chip/counted.h"
#include "chip/error.h"
#include "face/drm/session/output.h"
#include "face/drm/session/picture.h"
#include "face/drm/session/wireframe.h"

struct pictures {
    struct pictures_config config;
    struct pfifo_gpu *gpu;
    bool pending; /* `last` was written to since the image was taken */
    struct pfifo_target last;
    struct drm_picture image;  /* no rgba: none */
    bool shown;                /* it is one that a program has handed to the display */
    struct pfifo_trace *lines; /* NULL: no draws are wanted */
    struct output index;
    uint64_t draws, written;
    bool has_picture, has_lines; /* of the line being written */
    struct wireframe *wireframe; /* NULL: no draws are wanted */
    bool failed;
};

static void failed(struct pictures *pictures, const char *what) {
    if (!pictures->failed)
        pictures->config.message(pictures->config.opaque, what);
    pictures->failed = true;
}

#ifndef PFIFO_NO_PNG
static bool pictures_save(const struct drm_picture *image, const char *path, struct pfifo_error *error) {
    return picture_write(image, path, error);
}
#else
static bool pictures_save(const struct drm_picture *image, const char *path, struct pfifo_error *error) {
    (void)image;
    pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%.160s: built without libpng", path);
    return false;
}
#endif

bool pictures_write(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba, struct pfifo_error *error) {
    const struct drm_picture image = {.width = width, .height = height, .rgba = (uint8_t *)(uintptr_t)rgba};
    return pictures_save(&image, path, error);
}

static bool pictures_take(const struct pictures *pictures, const struct pfifo_target *target, struct drm_picture *image,
                          struct pfifo_error *error) {
    image->width = target->width;
    image->height = target->height;
    image->rgba = calloc((size_t)target->width * target->height + 1, 4);
    if (!image->rgba)
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a picture");
    else if (pfifo_gpu_picture(pictures->gpu, target, image->rgba, error) == PFIFO_OK)
        return true;
    free(image->rgba);
    image->rgba = NULL;
    return false;
}

/* ---- draws ---- */

static bool write_index(struct pictures *pictures, const char *text, size_t bytes) {
    char why[400];
    if (output_write(&pictures->index, text, bytes))
        return true;
    snprintf(why, sizeof why, "%.200s: cannot write: %s", pictures->index.path, strerror(errno));
    failed(pictures, why);
    return false;
}

/* The line of a trace, with the number and the picture before its other keys. */
static bool index_line(void *opaque, const char *text, size_t bytes) {
    struct pictures *pictures = opaque;
    char head[160], name[48] = "", lines[64] = "";
    if (bytes < 2)
        return true;
    if (pictures->has_picture)
        snprintf(name, sizeof name, "\"picture\":\"%04" PRIu64 ".png\",", pictures->draws);
    if (pictures->has_lines)
        snprintf(lines, sizeof lines, "\"wireframe\":\"%04" PRIu64 "-lines.png\",", pictures->draws);
    int length = snprintf(head, sizeof head, "%s{\"number\":%" PRIu64 ",%s%s",
                          pictures->draws == pictures->config.first ? "[\n" : ",\n", pictures->draws, name, lines);
    return write_index(pictures, head, (size_t)length) && write_index(pictures, text + 1, bytes - 2);
}

/* In the folder, by the number of the draw. */
static bool save_numbered(struct pictures *pictures, const struct drm_picture *image, const char *end) {
    struct pfifo_error error;
    char *path;
    bool saved = false;
    if (asprintf(&path, "%s/%04" PRIu64 "%s", pictures->config.folder, pictures->draws, end) < 0)
        return false;
    saved = pictures_save(image, path, &error);
    if (!saved)
        failed(pictures, error.message);
    free(path);
    return saved;
}

/* A target that is no picture (one of nothing, or that is not mapped) leaves a line without one. */
static void save_draw(struct pictures *pictures, const struct pfifo_target *target) {
    struct pfifo_error error;
    struct drm_picture image;
    pictures->has_picture = false;
    if (!target || !pictures_take(pictures, target, &image, &error))
        return;
    pictures->has_picture = save_numbered(pictures, &image, ".png");
    free(image.rgba);
}

/* What stages have made that not all draws have. */
static void save_lines(struct pictures *pictures, const struct pfifo_draw *draw, const struct pfifo_target *target) {
    struct drm_picture image = {0};
    pictures->has_lines = false;
    if (!target || !pictures->has_picture || !(draw->evaluation_program || draw->geometry_program))
        return;
    image.width = target->width;
    image.height = target->height;
    image.rgba = wireframe_take(pictures->wireframe, image.width, image.height);
    pictures->has_lines = image.rgba && save_numbered(pictures, &image, "-lines.png");
    free(image.rgba);
}

static void see_draw(struct pictures *pictures, const struct pfifo_event *event, const struct pfifo_target *target) {
    const struct pictures_config *config = &pictures->config;
    if (pictures->lines && pictures->draws >= config->first && pictures->draws - config->first < config->count) {
        save_draw(pictures, target);
        save_lines(pictures, event->draw, target);
        pfifo_trace_event(pictures->lines, event);
        pfifo_trace_flush(pictures->lines);
        pictures->written++;
    }
    if (pictures->wireframe)
        wireframe_forget(pictures->wireframe);
    pictures->draws++;
}

static void pictures_see(void *opaque, const struct pfifo_event *event) {
    struct pictures *pictures = opaque;
    const struct pfifo_target *target = event->draw ? pfifo_draw_shown(event->draw) : NULL;
    if (!event->draw)
        return;
    if (target) {
        pictures->last = *target;
        pictures->pending = true;
    }
    if (!event->draw->clear)
        see_draw(pictures, event, target);
}

/* ---- a run ---- */

static bool open_folder(struct pictures *pictures, const char *file, struct pfifo_error *error) {
    const char *folder = pictures->config.folder;
    char *path;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        error_cannot(error, folder, "make a folder");
        return false;
    }
    if (asprintf(&path, "%s/index.json", folder) < 0)
        return false;
    bool opened = strlen(path) < sizeof pictures->index.path && output_create(&pictures->index, path);
    if (!opened)
        error_cannot(error, path, "write");
    free(path);
    if (!opened)
        return false;
    pictures->lines = pfifo_trace_new(PFIFO_TRACE_JSON, index_line, pictures, error);
    if (pictures->lines)
        pfifo_trace_set_file(pictures->lines, file);
    return pictures->lines != NULL;
}

void pictures_drop(struct pictures *pictures) {
    if (!pictures)
        return;
    pfifo_gpu_unobserve(pictures->gpu, pictures_see, pictures);
    wireframe_free(pictures->wireframe);
    pfifo_trace_free(pictures->lines);
    if (pictures->index.fd >= 0)
        output_close(&pictures->index);
    free(pictures->image.rgba);
    free(pictures);
}

struct pictures *pictures_new(const struct pictures_config *config, struct pfifo_gpu *gpu, const char *file,
                              struct pfifo_error *error) {
    struct pictures *pictures = calloc(1, sizeof *pictures);
    if (!pictures) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for pictures");
        return NULL;
    }
    pictures->config = *config;
    pictures->config.count = config->count ? config->count : PICTURES_DRAWS;
    pictures->gpu = gpu;
    pictures->index.fd = -1;
    pictures->wireframe = config->folder ? wireframe_new(gpu) : NULL;
    if (config->folder && !pictures->wireframe) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for pictures");
        pictures_drop(pictures);
        return NULL;
    }
    if ((!config->folder || open_folder(pictures, file, error)) &&
        pfifo_gpu_observe(gpu, "engine.draw,engine.done", pictures_see, pictures, error) == PFIFO_OK)
        return pictures;
    pictures_drop(pictures);
    return NULL;
}

void pictures_submission(struct pictures *pictures, uint32_t sequence) {
    if (pictures->lines)
        pfifo_trace_set_submission(pictures->lines, sequence);
}

void pictures_keep(struct pictures *pictures) {
    struct drm_picture image;
    if (!pictures->pending || pictures->shown || !pictures->config.screenshot)
        return;
    pictures->pending = false;
    if (!pictures_take(pictures, &pictures->last, &image, NULL))
        return;
    free(pictures->image.rgba);
    pictures->image = image;
}

void pictures_show(struct pictures *pictures, uint32_t width, uint32_t height, uint8_t *rgba) {
    free(pictures->image.rgba);
    pictures->image = (struct drm_picture){.width = width, .height = height, .rgba = rgba};
    pictures->shown = true;
}

void pictures_no_screenshot(struct pictures *pictures) {
    pictures->config.screenshot = NULL;
}

static void end_screenshot(struct pictures *pictures) {
    struct pfifo_error error = {0};
    pictures_keep(pictures);
    if (!pictures->image.rgba) {
        pfifo_error_set(&error, PFIFO_ERROR_ARGUMENT, "%.160s: nothing was drawn or cleared, so there is no picture",
                        pictures->config.screenshot);
        failed(pictures, error.message);
    } else if (!pictures_save(&pictures->image, pictures->config.screenshot, &error)) {
        failed(pictures, error.message);
    }
}

static void end_draws(struct pictures *pictures) {
    const struct pfifo_chip_info chip = pfifo_chip_info(pfifo_gpu_chip(pictures->gpu));
    const char *end = pictures->written ? "\n]\n" : "[\n]\n";
    char text[300];
    write_index(pictures, end, strlen(end));
    snprintf(text, sizeof text, "%.200s: %" PRIu64 " of %s%s%s%s", pictures->config.folder, pictures->written,
             counted(pictures->draws, "draw").text, chip.draws ? "" : "; those of ", chip.draws ? "" : chip.name,
             chip.draws ? "" : " are not executed");
    pictures->config.message(pictures->config.opaque, text);
}

bool pictures_end(struct pictures *pictures) {
    if (!pictures)
        return true;
    if (pictures->config.screenshot)
        end_screenshot(pictures);
    if (pictures->lines)
        end_draws(pictures);
    bool good = !pictures->failed;
    pictures_drop(pictures);
    return good;
}
