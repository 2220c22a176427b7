/* SPDX-License-Identifier: MIT */
#include "face/tool/pictures.h"

#include <pfifo/draw.h>
#include <pfifo/trace.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "face/tool/tool.h"

#ifdef PFIFO_HAS_PNG
#include "face/drm/session/picture.h"
#endif

struct image {
    uint32_t width, height;
    uint8_t *rgba; /* NULL: none */
};

struct pictures {
    struct pictures_config config;
    struct pfifo_gpu *gpu;
    bool pending; /* `last` was written to since the image was taken */
    struct pfifo_target last;
    struct image image;
    struct pfifo_trace *lines; /* NULL: no draws are wanted */
    FILE *index;
    uint64_t draws, written;
    bool has_picture; /* of the line being written */
    bool failed;
};

static void failed(struct pictures *pictures, const char *what, const char *why) {
    if (!pictures->failed)
        tool_message("%s: %s", what, why);
    pictures->failed = true;
}

/* ---- PNG ---- */

#ifdef PFIFO_HAS_PNG
static bool save(struct image *image, const char *path, struct pfifo_error *error) {
    return picture_write(&(struct drm_picture){image->width, image->height, image->rgba}, path, error);
}
#else
static bool save(struct image *image, const char *path, struct pfifo_error *error) {
    (void)image;
    pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%.160s: built without libpng", path);
    return false;
}
#endif

static bool take(const struct pictures *pictures, const struct pfifo_target *target, struct image *image,
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

/* The line of a trace, with the number and the picture before its other keys. */
static bool write_line(void *opaque, const char *text, size_t bytes) {
    struct pictures *pictures = opaque;
    if (bytes < 2 || !pictures->index)
        return true;
    fprintf(pictures->index, "%s{\"number\":%" PRIu64 ",", pictures->draws == pictures->config.first ? "" : ",\n",
            pictures->draws);
    if (pictures->has_picture)
        fprintf(pictures->index, "\"picture\":\"%04" PRIu64 ".png\",", pictures->draws);
    return fwrite(text + 1, bytes - 2, 1, pictures->index) == 1;
}

/* A target that is no picture (one of nothing, or that is not mapped) leaves a line without one. */
static void save_draw(struct pictures *pictures, const struct pfifo_target *target) {
    struct pfifo_error error;
    struct image image;
    char *path;
    pictures->has_picture = false;
    if (!target || !take(pictures, target, &image, &error))
        return;
    if (asprintf(&path, "%s/%04" PRIu64 ".png", pictures->config.folder, pictures->draws) >= 0) {
        pictures->has_picture = save(&image, path, &error);
        if (!pictures->has_picture && !pictures->failed) {
            tool_message("%s", error.message);
            pictures->failed = true;
        }
        free(path);
    }
    free(image.rgba);
}

static void see_draw(struct pictures *pictures, const struct pfifo_event *event, const struct pfifo_target *target) {
    const struct pictures_config *config = &pictures->config;
    if (pictures->lines && pictures->draws >= config->first && pictures->draws - config->first < config->count) {
        save_draw(pictures, target);
        pfifo_trace_event(pictures->lines, event);
        if (!pfifo_trace_flush(pictures->lines))
            failed(pictures, config->folder, strerror(errno));
        pictures->written++;
    }
    pictures->draws++;
}

static void see(void *opaque, const struct pfifo_event *event) {
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
        pfifo_error_set(error, PFIFO_ERROR_IO, "%.200s: %s", folder, strerror(errno));
        return false;
    }
    if (asprintf(&path, "%s/index.json", folder) < 0)
        return false;
    pictures->index = fopen(path, "w");
    if (!pictures->index)
        pfifo_error_set(error, PFIFO_ERROR_IO, "%.200s: %s", path, strerror(errno));
    free(path);
    if (!pictures->index)
        return false;
    fputs("[\n", pictures->index);
    pictures->lines = pfifo_trace_new(PFIFO_TRACE_JSON, write_line, pictures, error);
    if (pictures->lines)
        pfifo_trace_set_file(pictures->lines, file);
    return pictures->lines != NULL;
}

static void pictures_free(struct pictures *pictures) {
    pfifo_gpu_unobserve(pictures->gpu, see, pictures);
    pfifo_trace_free(pictures->lines);
    if (pictures->index)
        fclose(pictures->index);
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
    if ((!config->folder || open_folder(pictures, file, error)) &&
        pfifo_gpu_observe(gpu, "engine.draw,engine.done", see, pictures, error) == PFIFO_OK)
        return pictures;
    pictures_free(pictures);
    return NULL;
}

void pictures_submission(struct pictures *pictures, uint32_t sequence) {
    if (pictures->lines)
        pfifo_trace_set_submission(pictures->lines, sequence);
}

void pictures_keep(struct pictures *pictures) {
    struct image image;
    if (!pictures->pending || !pictures->config.screenshot)
        return;
    pictures->pending = false;
    if (!take(pictures, &pictures->last, &image, NULL))
        return;
    free(pictures->image.rgba);
    pictures->image = image;
}

static void end_screenshot(struct pictures *pictures) {
    struct pfifo_error error = {0};
    pictures_keep(pictures);
    if (!pictures->image.rgba) {
        failed(pictures, pictures->config.screenshot, "nothing was drawn or cleared, so there is no picture");
    } else if (!save(&pictures->image, pictures->config.screenshot, &error)) {
        tool_message("%s", error.message);
        pictures->failed = true;
    }
}

static void end_draws(struct pictures *pictures) {
    FILE *index = pictures->index;
    pictures->index = NULL;
    fputs(pictures->written ? "\n]\n" : "]\n", index);
    if (fclose(index) != 0)
        failed(pictures, pictures->config.folder, strerror(errno));
    tool_message("%s: %" PRIu64 " of %" PRIu64 " draws", pictures->config.folder, pictures->written, pictures->draws);
}

bool pictures_end(struct pictures *pictures) {
    if (!pictures)
        return true;
    if (pictures->config.screenshot)
        end_screenshot(pictures);
    if (pictures->index)
        end_draws(pictures);
    bool good = !pictures->failed;
    pictures_free(pictures);
    return good;
}
