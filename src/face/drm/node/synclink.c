/* SPDX-License-Identifier: MIT */
#include "face/drm/node/synclink.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "face/drm/node/share.h"

#define NAME  "pfifo-syncobj"
#define MAGIC UINT64_C(0x316a626f636e7973) /* "syncobj1" */

#define SLOTS       256u
#define LISTED      1u /* of the object's points; else somebody may still wait for it */
#define IN_LINE     2u
#define DONE        4u
#define LOCK_AT     0
#define ALIVE_AT    1
#define ALIVE_BYTES (UINT64_C(1) << 60)
#define TRIES       40u /* for the lock: a peer that keeps it is not waited for */
#define TRY_NANO    500000

struct slot {
    uint64_t serial; /* 0: it is free */
    uint64_t owner;
    uint64_t number, before, line;
    uint32_t flags, order;
};

struct state {
    uint64_t magic, change;
    uint32_t order, pad;
    struct slot slots[SLOTS];
    uint64_t end; /* as `change`, which is written first, and this last */
};

/* ---- the file ---- */

static bool link_lock_byte(int file, uint64_t at, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)at, .l_len = 1};
    return fcntl(file, F_OFD_SETLK, &lock) == 0;
}

static uint64_t link_alive_at(uint64_t owner) {
    return ALIVE_AT + owner % ALIVE_BYTES;
}

static bool link_is_alive(int file, uint64_t owner) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)link_alive_at(owner), .l_len = 1};
    return fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/*
 * For a while; then without. Who has not let it go once is not waited for again, and a little longer each time that it
 * is to be had: a call may need it for each of many objects.
 */
static void link_lock(struct drm_sync_link *link) {
    const struct timespec pause = {.tv_nsec = TRY_NANO};
    bool had = link_lock_byte(link->file, LOCK_AT, F_WRLCK);
    for (unsigned i = 1; i < link->tries && !had; i++) {
        nanosleep(&pause, NULL);
        had = link_lock_byte(link->file, LOCK_AT, F_WRLCK);
    }
    if (!had)
        link->tries = 1;
    else if (link->tries < TRIES)
        link->tries++;
}

static void link_unlock(const struct drm_sync_link *link) {
    link_lock_byte(link->file, LOCK_AT, F_UNLCK);
}

/* What is no state is one without points. */
static void link_load(const struct drm_sync_link *link, struct state *state) {
    if (pread(link->file, state, sizeof *state, 0) == (ssize_t)sizeof *state && state->magic == MAGIC)
        return;
    memset(state, 0, sizeof *state);
    state->magic = MAGIC;
}

/* Without the lock. False: another process may have written meanwhile. */
static bool link_load_whole(const struct drm_sync_link *link, struct state *state) {
    uint64_t end, head[2];
    bool good = pread(link->file, &end, sizeof end, offsetof(struct state, end)) == (ssize_t)sizeof end;
    link_load(link, state);
    return good && pread(link->file, head, sizeof head, 0) == (ssize_t)sizeof head && head[0] == state->magic &&
           head[1] == state->change && end == state->change;
}

static void link_store(struct drm_sync_link *link, struct state *state) {
    const size_t at = offsetof(struct state, end);
    state->end = ++state->change;
    bool good = pwrite(link->file, state, offsetof(struct state, order), 0) == offsetof(struct state, order);
    if (good && pwrite(link->file, state, at, 0) == (ssize_t)at &&
        pwrite(link->file, &state->end, sizeof state->end, (off_t)at) == (ssize_t)sizeof state->end)
        link->seen = state->change;
}

/* ---- what is done ---- */

bool drm_link_slot_done(const struct drm_sync_link *link, const struct drm_link_slot *wanted) {
    struct slot slot;
    const off_t at = (off_t)(offsetof(struct state, slots) + wanted->at * sizeof slot);
    assert(wanted->at < SLOTS);
    return pread(link->file, &slot, sizeof slot, at) != (ssize_t)sizeof slot || slot.serial != wanted->serial ||
           slot.owner != wanted->owner || (slot.flags & DONE) || !link_is_alive(link->file, wanted->owner);
}

static bool link_slot_is_over(const struct drm_sync_link *link, const struct slot *slot) {
    return (slot->flags & DONE) || (slot->owner != link->device->sync_owner && !link_is_alive(link->file, slot->owner));
}

/* ---- own points ---- */

static struct drm_link_own *link_find_own(const struct drm_sync_link *link, uint64_t serial) {
    struct drm_link_own *own = link->own;
    while (own && own->serial != serial)
        own = own->next;
    return own;
}

static void link_forget_own(struct drm_sync_link *link) {
    while (link->own) {
        struct drm_link_own *own = link->own;
        link->own = own->next;
        drm_point_unref(own->point);
        free(own);
    }
}

/* 0: no memory. */
static uint64_t link_add_own(struct drm_sync_link *link, struct drm_point *point) {
    struct drm_link_own *own = malloc(sizeof *own);
    if (!own)
        return 0;
    *own = (struct drm_link_own){link->own, ++link->device->sync_serial, drm_point_ref(point)};
    link->own = own;
    return own->serial;
}

void drm_sync_link_unref(struct drm_sync_link *link) {
    assert(!link || link->references);
    if (!link || --link->references)
        return;
    assert(!link->own);
    close(link->file);
    free(link);
}

/* ---- reading ---- */

static int link_compare_order(const void *one, const void *other) {
    const uint32_t a = (*(const struct slot *const *)one)->order, b = (*(const struct slot *const *)other)->order;
    return (a > b) - (a < b);
}

/* NULL: no memory. */
static struct drm_fence *link_fence_of_slot(struct drm_sync_link *link, const struct state *state,
                                            const struct slot *slot) {
    struct drm_fence *fence = drm_fence_new(false);
    if (!fence)
        return NULL;
    link->references++;
    link->device->peers = true;
    fence->link = link;
    fence->slot = (struct drm_link_slot){(uint32_t)(slot - state->slots), slot->serial, slot->owner};
    return fence;
}

/* One that is over has no fences. NULL: no memory. */
static struct drm_point *link_point_of_slot(struct drm_sync_link *link, const struct state *state,
                                            const struct slot *slot) {
    const struct drm_link_own *own = slot->owner == link->device->sync_owner ? link_find_own(link, slot->serial) : NULL;
    struct drm_point *point = own ? drm_point_merged(own->point) : drm_point_new();
    struct drm_fence *fence = NULL;
    if (point && !own && slot->owner != link->device->sync_owner && !link_slot_is_over(link, slot)) {
        fence = link_fence_of_slot(link, state, slot);
        if (fence)
            point->fences[point->fence_count++] = fence;
    }
    if (!point)
        return NULL;
    point->in_line = slot->flags & IN_LINE;
    point->line = slot->line;
    point->number = slot->number;
    point->before = slot->before;
    return point;
}

static void link_rebuild(struct drm_syncobj *object, const struct state *state) {
    const struct slot *listed[SLOTS];
    struct drm_point *last = NULL;
    size_t count = 0;
    for (size_t i = 0; i < SLOTS; i++)
        if (state->slots[i].serial && (state->slots[i].flags & LISTED))
            listed[count++] = &state->slots[i];
    qsort(listed, count, sizeof(void *), link_compare_order);
    for (size_t i = 0; i < count; i++) {
        struct drm_point *point = link_point_of_slot(object->link, state, listed[i]);
        if (!point)
            continue; /* no memory: as if it had not come */
        point->previous = last;
        last = point;
    }
    drm_point_unref(object->last);
    object->last = last;
}

void drm_sync_link_pull(struct drm_syncobj *object) {
    struct drm_sync_link *link = object->link;
    uint64_t head[2];
    struct state state;
    if (!link || (pread(link->file, head, sizeof head, 0) == (ssize_t)sizeof head && head[1] == link->seen))
        return;
    if (!link_load_whole(link, &state)) {
        link_lock(link);
        link_load(link, &state);
        link_unlock(link);
    }
    link->seen = state.change;
    link_rebuild(object, &state);
}

/* ---- writing ---- */

/* Slots that nobody needs are free again: of the object's, all that are over but the last. */
static void link_sweep(const struct drm_sync_link *link, struct state *state) {
    const struct slot *last = NULL;
    for (size_t i = 0; i < SLOTS; i++)
        if (state->slots[i].serial && (state->slots[i].flags & LISTED) &&
            (!last || state->slots[i].order > last->order))
            last = &state->slots[i];
    for (size_t i = 0; i < SLOTS; i++)
        if (state->slots[i].serial && &state->slots[i] != last && link_slot_is_over(link, &state->slots[i]))
            state->slots[i].serial = 0;
}

static struct slot *link_free_slot(struct state *state) {
    for (size_t i = 0; i < SLOTS; i++)
        if (!state->slots[i].serial)
            return &state->slots[i];
    return NULL;
}

/* What waits for it waits for `open`. */
static void link_put(struct drm_sync_link *link, struct state *state, const struct drm_point *point,
                     struct drm_point *open) {
    struct slot *slot = link_free_slot(state);
    uint64_t serial = slot ? link_add_own(link, open) : 0;
    if (!serial) {
        drm_log(link->device, "syncobj: more than %u points that are not done", SLOTS);
        return;
    }
    *slot = (struct slot){.serial = serial,
                          .owner = link->device->sync_owner,
                          .number = point->number,
                          .before = point->before,
                          .line = point->line,
                          .flags = LISTED | (point->in_line ? IN_LINE : 0),
                          .order = ++state->order};
}

static void link_unlist(struct state *state) {
    for (size_t i = 0; i < SLOTS; i++)
        state->slots[i].flags &= ~LISTED;
}

/* A point of a timeline waits for those before by itself: here only its own fences count. NULL: no memory. */
static struct drm_point *link_own_fences(struct drm_point *point) {
    struct drm_point *alone = drm_point_with_room(point->fence_count + 1);
    for (uint32_t i = 0; alone && i < point->fence_count; i++)
        alone->fences[alone->fence_count++] = drm_fence_ref(point->fences[i]);
    return alone;
}

void drm_sync_link_push(struct drm_syncobj *object, bool in_place) {
    struct drm_sync_link *link = object->link;
    struct drm_point *open = NULL;
    struct state state;
    if (!link)
        return;
    link_lock(link);
    link_load(link, &state);
    if (in_place)
        link_unlist(&state);
    link_sweep(link, &state);
    if (object->last)
        open = in_place ? drm_point_merged(object->last) : link_own_fences(object->last);
    if (open)
        link_put(link, &state, object->last, open);
    const bool seen = link->seen == state.change;
    link_store(link, &state);
    if (!seen)
        link->seen = UINT64_MAX; /* others have changed it since it was pulled */
    link_unlock(link);
    drm_point_unref(open);
    drm_sync_links_look(link->device, false);
}

/* ---- descriptors ---- */

/* Gives the object its link, and enters that into the device's list. */
static void link_enter(struct drm_device *device, struct drm_syncobj *object, struct drm_sync_link *link) {
    if (!device->sync_owner) {
        if (getrandom(&device->sync_owner, sizeof device->sync_owner, 0) < 0 || !device->sync_owner)
            device->sync_owner = (uint64_t)getpid() << 32 | 1;
        device->lines += device->sync_owner; /* lines of all processes differ */
    }
    link_lock_byte(link->file, link_alive_at(device->sync_owner), F_WRLCK);
    object->link = link;
    object->next = device->syncobjs;
    device->syncobjs = drm_syncobj_ref(object);
}

/* Takes the descriptor; opens the file anew. NULL: no memory, or no descriptor. */
static struct drm_sync_link *link_new(struct drm_device *device, int file) {
    char path[64];
    struct stat as;
    struct drm_sync_link *link = calloc(1, sizeof *link);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    int own = link ? open(path, O_RDWR | O_CLOEXEC) : -1;
    bool good = own >= 0 && fstat(own, &as) == 0;
    close(file);
    if (!good) {
        if (own >= 0)
            close(own);
        free(link);
        return NULL;
    }
    *link = (struct drm_sync_link){.references = 1,
                                   .device = device,
                                   .tries = TRIES,
                                   .file = drm_out_of_way(own),
                                   .dev = as.st_dev,
                                   .ino = as.st_ino};
    return link;
}

static int link_new_file(void) {
    struct state state = {.magic = MAGIC};
    int file = memfd_create(NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0)
        return -errno;
    if (pwrite(file, &state, sizeof state, 0) == (ssize_t)sizeof state &&
        fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return file;
    close(file);
    return -ENOMEM;
}

/* What it has goes into the file, the oldest first. */
static void link_fill(struct drm_syncobj *object, struct drm_point *point, unsigned depth) {
    struct state state;
    struct drm_sync_link *link = object->link;
    struct drm_point *chain[SLOTS / 2];
    size_t count = 0;
    for (; point && count < depth; point = point->previous)
        chain[count++] = point;
    link_load(link, &state);
    while (count) {
        struct drm_point *open = link_own_fences(chain[--count]);
        if (open)
            link_put(link, &state, chain[count], open);
        drm_point_unref(open);
    }
    link_store(link, &state);
}

int drm_sync_link_open(struct drm_device *device, struct drm_syncobj *object) {
    char path[64];
    if (!object->link) {
        int file = link_new_file();
        struct drm_sync_link *link = file < 0 ? NULL : link_new(device, file);
        if (!link)
            return file < 0 ? file : -ENOMEM;
        link_enter(device, object, link);
        link_fill(object, object->last, SLOTS / 2);
        drm_sync_links_look(device, false);
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", object->link->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    return file < 0 ? -errno : drm_out_of_way(file);
}

static bool link_is_of_object(int file) {
    static const char wanted[] = "/memfd:" NAME " ";
    char path[64], link[sizeof wanted + 32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ssize_t length = readlink(path, link, sizeof link);
    return length >= (ssize_t)sizeof wanted - 1 && memcmp(link, wanted, sizeof wanted - 1) == 0;
}

int drm_sync_link_find(struct drm_device *device, int file, struct drm_syncobj **found) {
    struct stat as;
    struct drm_syncobj *object = device->syncobjs;
    if (!link_is_of_object(file) || fstat(file, &as) != 0) {
        close(file);
        return -EINVAL;
    }
    while (object && !(object->link->ino == as.st_ino && object->link->dev == as.st_dev))
        object = object->next;
    if (object) {
        close(file);
        *found = drm_syncobj_ref(object);
        return 0;
    }
    struct drm_sync_link *link = link_new(device, file);
    object = link ? (struct drm_syncobj *)calloc(1, sizeof *object) : NULL;
    if (!object) {
        drm_sync_link_unref(link);
        return -ENOMEM;
    }
    object->references = 1;
    link_enter(device, object, link);
    link->seen = UINT64_MAX;
    drm_sync_link_pull(object);
    *found = object;
    return 0;
}

/* ---- time goes on ---- */

static void link_mark_done(struct drm_sync_link *link) {
    struct state state;
    bool any = false;
    for (const struct drm_link_own *own = link->own; own && !any; own = own->next)
        any = drm_point_done(own->point);
    if (!any)
        return;
    link_lock(link);
    link_load(link, &state);
    for (struct drm_link_own **at = &link->own; *at;) {
        struct drm_link_own *own = *at;
        if (!drm_point_done(own->point)) {
            at = &own->next;
            continue;
        }
        for (size_t i = 0; i < SLOTS; i++)
            if (state.slots[i].serial == own->serial && state.slots[i].owner == link->device->sync_owner)
                state.slots[i].flags |= DONE;
        *at = own->next;
        drm_point_unref(own->point);
        free(own);
    }
    const bool seen = link->seen == state.change;
    link_store(link, &state);
    if (!seen)
        link->seen = UINT64_MAX; /* others have changed it meanwhile */
    link_unlock(link);
}

void drm_sync_links_look(struct drm_device *device, bool all) {
    for (struct drm_syncobj **at = &device->syncobjs; *at;) {
        struct drm_syncobj *object = *at;
        struct drm_sync_link *link = object->link;
        link_mark_done(link);
        if (!all && (link->own || object->references > 1)) {
            at = &object->next;
            continue;
        }
        *at = object->next;
        object->next = NULL;
        link_forget_own(link);
        drm_syncobj_unref(object);
    }
}

bool drm_sync_links_wait(const struct drm_device *device) {
    const struct drm_syncobj *object = device->syncobjs;
    while (object && !object->link->own)
        object = object->next;
    return object != NULL;
}

void drm_sync_links_abandon(struct drm_device *device) {
    for (const struct drm_syncobj *object = device->syncobjs; object; object = object->next)
        close(object->link->file);
}
