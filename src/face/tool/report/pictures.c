/* SPDX-License-Identifier: MIT */
#include "face/tool/report/pictures.h"

#include "face/drm/session/pictures.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Most draws of a frame go to one picture; a frame begins with a clear, which looks like the one before. */
enum { KEPT = 4, NAME_BYTES = 32 };

/* WRITTEN: also of a slot without a picture. */
enum slot_state { WRITTEN, WAITS, IS_WRITTEN_NOW };

struct slot {
    uint32_t width, height;
    uint8_t *rgba;
    size_t room; /* pixels */
    char name[NAME_BYTES];
    uint64_t file, used; /* in which order its file was made, and it was last shown */
    enum slot_state state;
};

struct report_pictures {
    const char *folder;
    struct slot kept[KEPT], next; /* next: the room */
    uint64_t files, shown;

    pthread_t thread[KEPT];
    unsigned threads;
    pthread_mutex_t lock; /* of what follows, and of the state of slots */
    pthread_cond_t work, done;
    bool ends;
    struct pfifo_error error; /* the first one; status PFIFO_OK: none */
};

/* ---- files ---- */

/* The one that waits longest, or NULL. With the lock. */
static struct slot *waiting(struct report_pictures *pictures) {
    struct slot *first = NULL;

    for (unsigned i = 0; i < KEPT; i++) {
        struct slot *slot = &pictures->kept[i];
        if (slot->state == WAITS && (!first || slot->file < first->file))
            first = slot;
    }
    return first;
}

/* With the lock, which is open meanwhile. */
static void write_slot(struct report_pictures *pictures, struct slot *slot) {
    char path[4200];
    struct pfifo_error error = {0};

    slot->state = IS_WRITTEN_NOW;
    pthread_mutex_unlock(&pictures->lock);
    snprintf(path, sizeof path, "%s/%s", pictures->folder, slot->name);
    bool written = pictures_write(path, slot->width, slot->height, slot->rgba, &error);
    pthread_mutex_lock(&pictures->lock);
    if (!written && pictures->error.status == PFIFO_OK)
        pictures->error = error;
    slot->state = WRITTEN;
    pthread_cond_signal(&pictures->done);
}

static void *report_pictures_write_all(void *opaque) {
    struct report_pictures *pictures = opaque;

    pthread_mutex_lock(&pictures->lock);
    for (;;) {
        struct slot *slot = waiting(pictures);
        if (slot)
            write_slot(pictures, slot);
        else if (pictures->ends)
            break;
        else
            pthread_cond_wait(&pictures->work, &pictures->lock);
    }
    pthread_mutex_unlock(&pictures->lock);
    return NULL;
}

/* Until the slot's file is written; the caller's thread helps. With the lock. */
static void report_pictures_finish(struct report_pictures *pictures, const struct slot *slot) {
    while (slot->state != WRITTEN) {
        struct slot *other = waiting(pictures);
        if (other)
            write_slot(pictures, other);
        else
            pthread_cond_wait(&pictures->done, &pictures->lock);
    }
}

/* ---- pictures ---- */

/* Signals are for the program's first thread. As many threads as there can be. */
static void start_threads(struct report_pictures *pictures, unsigned threads) {
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pictures->threads < threads && pictures->threads < KEPT - 1 &&
           pthread_create(&pictures->thread[pictures->threads], NULL, report_pictures_write_all, pictures) == 0)
        pictures->threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct report_pictures *report_pictures_new(const char *folder, unsigned threads, struct pfifo_error *error) {
    struct report_pictures *pictures = calloc(1, sizeof *pictures);

    if (!pictures) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for pictures");
        return NULL;
    }
    pictures->folder = folder;
    pthread_mutex_init(&pictures->lock, NULL);
    pthread_cond_init(&pictures->work, NULL);
    pthread_cond_init(&pictures->done, NULL);
    start_threads(pictures, threads);
    return pictures;
}

/* Of large pages where that is worth it: the first access to a page costs more than all that is done with it. */
static uint8_t *allocate(size_t bytes) {
    const size_t large = (size_t)2 << 20;
    uint8_t *data;
    if (bytes < large / 2)
        return malloc(bytes);
    bytes = (bytes + large - 1) / large * large;
    data = aligned_alloc(large, bytes);
    if (data)
        madvise(data, bytes, MADV_HUGEPAGE);
    return data;
}

uint8_t *report_pictures_room(struct report_pictures *pictures, uint32_t width, uint32_t height) {
    struct slot *next = &pictures->next;
    const size_t room = (size_t)width * height;

    next->width = width;
    next->height = height;
    if (next->room < room || !next->rgba) {
        free(next->rgba);
        next->rgba = allocate((room + 1) * 4);
        next->room = next->rgba ? room : 0;
    }
    return next->rgba;
}

static bool shows_the_same(const struct slot *slot, const struct slot *other) {
    return slot->rgba && slot->width == other->width && slot->height == other->height &&
           memcmp(slot->rgba, other->rgba, (size_t)slot->width * slot->height * 4) == 0;
}

/* The one that shows what is in the room (*same); else the one that was shown longest ago. */
static struct slot *pictures_choose_slot(struct report_pictures *pictures, bool *same) {
    struct slot *oldest = &pictures->kept[0];

    *same = true;
    for (unsigned i = 0; i < KEPT; i++) {
        struct slot *slot = &pictures->kept[i];
        if (shows_the_same(slot, &pictures->next))
            return slot;
        if (slot->used < oldest->used)
            oldest = slot;
    }
    *same = false;
    return oldest;
}

/* Without threads, at once. */
static void pictures_replace(struct report_pictures *pictures, struct slot *slot, const char *what, uint64_t number) {
    pthread_mutex_lock(&pictures->lock);
    report_pictures_finish(pictures, slot);
    struct slot before = *slot;
    *slot = pictures->next;
    pictures->next = before;
    slot->file = pictures->files++;
    snprintf(slot->name, sizeof slot->name, "%s-%04" PRIu64 ".png", what, number);
    slot->state = WAITS;
    pthread_cond_signal(&pictures->work);
    if (!pictures->threads)
        report_pictures_finish(pictures, slot);
    pthread_mutex_unlock(&pictures->lock);
}

const char *report_pictures_put(struct report_pictures *pictures, const char *what, uint64_t number) {
    bool same;
    struct slot *slot = pictures_choose_slot(pictures, &same);

    if (!same)
        pictures_replace(pictures, slot, what, number);
    slot->used = ++pictures->shown;
    pthread_mutex_lock(&pictures->lock);
    bool good = pictures->error.status == PFIFO_OK;
    pthread_mutex_unlock(&pictures->lock);
    return good ? slot->name : NULL;
}

uint64_t report_pictures_files(const struct report_pictures *pictures) {
    return pictures->files;
}

bool report_pictures_end(struct report_pictures *pictures, struct pfifo_error *error) {
    bool good;

    if (!pictures)
        return true;
    pthread_mutex_lock(&pictures->lock);
    pictures->ends = true;
    pthread_cond_broadcast(&pictures->work);
    for (unsigned i = 0; i < KEPT; i++)
        report_pictures_finish(pictures, &pictures->kept[i]);
    pthread_mutex_unlock(&pictures->lock);
    for (unsigned i = 0; i < pictures->threads; i++)
        pthread_join(pictures->thread[i], NULL);
    good = pictures->error.status == PFIFO_OK;
    if (!good)
        *error = pictures->error;
    for (unsigned i = 0; i < KEPT; i++)
        free(pictures->kept[i].rgba);
    free(pictures->next.rgba);
    pthread_cond_destroy(&pictures->done);
    pthread_cond_destroy(&pictures->work);
    pthread_mutex_destroy(&pictures->lock);
    free(pictures);
    return good;
}
