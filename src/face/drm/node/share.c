/* SPDX-License-Identifier: MIT */
#include "face/drm/node/share.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <nouveau_drm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "driver/buffer.h"
#include "face/drm/node/buffer.h"
#include "face/drm/node/sync.h"
#include "face/drm/node/jobs.h"

#define NAME         "pfifo-buffer:"
#define LINK         "/memfd:" NAME
#define FORMAT       "%" SCNx32 ":%" SCNx32 ":%" SCNx32 ":%" SCNx32 ":%" SCNx32
#define NAME_BYTES   200
#define MOST_BYTES   (UINT64_C(1) << 40)
#define PAGE         UINT64_C(4096)
#define READS_AT     (UINT64_C(1) << 61) /* bytes of uses that read are from here on; those that write from 0 on */
#define MOST_TICKETS 4096u               /* of a buffer: work of more is not seen by others */
#define FIRST_OURS   512                 /* programs get descriptors from 0 up, and put copies where they like */

/* What the name says. */
struct share_kind {
    uint32_t chip, domain, valid_domains, tile_mode, tile_flags;
};

/* ---- files ---- */

static bool share_path_of(int fd, char *link, size_t bytes) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(path, link, bytes - 1);
    if (length < 0)
        return false;
    link[length] = '\0';
    return true;
}

bool drm_is_buffer_file(int file) {
    char link[NAME_BYTES + 32];
    return share_path_of(file, link, sizeof link) && strncmp(link, LINK, sizeof LINK - 1) == 0;
}

static bool share_read_name(int file, struct share_kind *kind) {
    char link[NAME_BYTES + 32];
    return share_path_of(file, link, sizeof link) && strncmp(link, LINK, sizeof LINK - 1) == 0 &&
           sscanf(link + sizeof LINK - 1, FORMAT, &kind->chip, &kind->domain, // NOLINT(cert-err34-c): our format
                  &kind->valid_domains, &kind->tile_mode, &kind->tile_flags) == 5;
}

/* A new file with the buffer's name and size. -errno */
static int share_new_file(const struct drm_buffer *buffer) {
    char name[NAME_BYTES];
    snprintf(name, sizeof name, NAME "%" PRIx32 ":%" PRIx32 ":%" PRIx32 ":%" PRIx32 ":%" PRIx32,
             (uint32_t)pfifo_chip_info(buffer->device->config.chip).id, buffer->domain, buffer->valid_domains,
             buffer->tile_mode, buffer->tile_flags);
    int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0)
        return -errno;
    file = drm_out_of_way(file);
    if (ftruncate(file, (off_t)buffer->bytes) == 0 &&
        fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return file;
    int status = -errno;
    close(file);
    return status;
}

/* Takes the file. NULL: *status says why. */
static struct drm_share *share_new(int file, int *status) {
    struct stat as;
    char path[64];
    struct drm_share *share = calloc(1, sizeof *share);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    int locks = share ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (locks >= 0)
        locks = drm_out_of_way(locks);
    *status = share ? -EINVAL : -ENOMEM;
    if (locks < 0 || fstat(file, &as) != 0) {
        free(share);
        close(file);
        return NULL;
    }
    *share = (struct drm_share){.file = file, .locks = locks, .dev = as.st_dev, .ino = as.st_ino};
    *status = 0;
    return share;
}

static void share_free(struct drm_share *share) {
    struct flock all = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    fcntl(share->locks, F_OFD_SETLK, &all); /* fences may have the descriptor still */
    while (share->tickets) {
        struct drm_ticket *ticket = share->tickets;
        share->tickets = ticket->next;
        drm_point_unref(ticket->until);
        free(ticket);
    }
    close(share->locks);
    close(share->file);
    free(share);
}

/* ---- memory ---- */

static bool share_map_over(void *at, uint64_t bytes, int fd, uint64_t offset) {
    return mmap(at, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, (off_t)offset) !=
           MAP_FAILED;
}

/*
 * As that; where it cannot be, what was there is there again: kernels before 6.13 look at the seals of a file only when
 * the old mapping has gone (mm/shmem.c, shmem_mmap()), and a peer may add a seal at any time.
 */
static bool share_map_instead(void *at, uint64_t bytes, int fd, uint64_t offset, const struct drm_memory *was) {
    if (share_map_over(at, bytes, fd, offset))
        return true;
    if (!share_map_over(at, bytes, was->fd, was->offset)) /* at least no hole */
        (void)mmap(at, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE,
                   -1, 0);
    return false;
}

static bool share_is_zero(const uint8_t *data, size_t bytes) {
    return data[0] == 0 && memcmp(data, data + 1, bytes - 1) == 0;
}

/* Pages of zeros stay holes. */
static bool share_copy(int file, const uint8_t *from, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes; at += PAGE)
        if (!share_is_zero(from + at, PAGE) && pwrite(file, from + at, PAGE, (off_t)at) != (ssize_t)PAGE)
            return false;
    return true;
}

/* The file takes the place of the buffer's memory. */
static int share_take_place(struct drm_buffer *buffer, struct drm_share *share, bool copy) {
    struct pfifo_error error;
    uint8_t *at = pfifo_buffer_map(buffer->memory, &error);
    assert(!buffer->share && buffer->bytes % PAGE == 0);
    if (!at || (copy && !share_copy(share->file, at, buffer->bytes)) ||
        !share_map_instead(at, buffer->bytes, share->file, 0, &buffer->backing))
        return -ENOMEM;
    share->pool = buffer->backing;
    buffer->backing.fd = share->file;
    buffer->backing.offset = 0;
    buffer->share = share;
    buffer->device->share_count++;
    return 0;
}

int drm_buffer_share(struct drm_buffer *buffer) {
    const struct drm_config *config = &buffer->device->config;
    const struct drm_memory before = buffer->backing;
    int status, file = buffer->share ? 0 : share_new_file(buffer);
    if (buffer->share || file < 0)
        return buffer->share ? 0 : file;
    struct drm_share *share = share_new(file, &status);
    if (!share)
        return status;
    status = share_take_place(buffer, share, true);
    if (status) {
        share_free(share);
        return status;
    }
    if (config->host->moved)
        config->host->moved(config->opaque, &before, &buffer->backing);
    if (drm_buffer_used(buffer))
        drm_share_use(buffer, (struct drm_ticket){.time = drm_share_time(buffer->device), .writes = true});
    return 0;
}

/* ---- descriptors of others ---- */

struct drm_buffer *drm_buffer_with_file(struct drm_device *device, dev_t dev, ino_t ino) {
    struct drm_buffer *buffer = device->share_count ? device->buffers : NULL;
    while (buffer && !(buffer->share && buffer->share->ino == ino && buffer->share->dev == dev))
        buffer = buffer->next;
    return buffer;
}

/* Pages of others may not be there when they are touched, and map only whole ones (MFD_HUGETLB): SIGBUS. */
static bool share_has_usual_pages(int file, const struct stat *as) {
    struct statfs system;
    return (uint64_t)as->st_blksize == PAGE && fstatfs(file, &system) == 0 && system.f_type != HUGETLBFS_MAGIC;
}

/* Nobody can make it shorter, and it can be written. */
static bool share_is_safe(int file, const struct stat *as) {
    int seals = fcntl(file, F_GET_SEALS), flags = fcntl(file, F_GETFL);
    return S_ISREG(as->st_mode) && as->st_size > 0 && (uint64_t)as->st_size <= MOST_BYTES &&
           (uint64_t)as->st_size % PAGE == 0 && seals >= 0 && (seals & F_SEAL_SHRINK) &&
           !(seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)) && flags >= 0 && (flags & O_ACCMODE) == O_RDWR &&
           share_has_usual_pages(file, as);
}

/*
 * As on the card that all processes would have; on another chip it is memory of the host by lines
 * (nouveau_prime.c, nouveau_gem_prime_import_sg_table()).
 */
static int share_new_buffer(struct drm_device *device, const struct share_kind *kind, uint64_t bytes,
                            struct drm_buffer **made) {
    const uint32_t all = NOUVEAU_GEM_DOMAIN_VRAM | NOUVEAU_GEM_DOMAIN_GART, domain = kind->domain & all;
    const struct drm_layout layout = {bytes, kind->valid_domains & all, kind->tile_mode, kind->tile_flags};
    struct drm_buffer *buffer;
    int status = -EINVAL;
    if (kind->chip == (uint32_t)pfifo_chip_info(device->config.chip).id && domain && layout.domains)
        status = drm_buffer_new_in(device, &layout, domain, &buffer);
    bool same = status == 0;
    if (!same)
        status = drm_buffer_new(device, bytes, 0, NOUVEAU_GEM_DOMAIN_GART, 0, 0, &buffer);
    if (status)
        return status;
    assert(buffer->bytes == bytes);
    if (same)
        buffer->valid_domains = kind->valid_domains & all;
    *made = buffer;
    return 0;
}

static int share_import(struct drm_device *device, int file, uint64_t bytes, struct drm_buffer **found) {
    struct share_kind kind;
    struct drm_buffer *buffer;
    int status = share_read_name(file, &kind) ? share_new_buffer(device, &kind, bytes, &buffer) : -EINVAL;
    if (status) {
        close(file);
        return status;
    }
    struct drm_share *share = share_new(file, &status);
    if (share && (status = share_take_place(buffer, share, false)) != 0)
        share_free(share);
    if (status) {
        drm_buffer_unref(buffer);
        return status;
    }
    *found = buffer;
    return 0;
}

int drm_buffer_of_file(struct drm_device *device, int file, struct drm_buffer **found) {
    struct stat as;
    if (fstat(file, &as) != 0 || !drm_is_buffer_file(file)) {
        close(file);
        return -EINVAL;
    }
    struct drm_buffer *buffer = drm_buffer_with_file(device, as.st_dev, as.st_ino);
    if (buffer || !share_is_safe(file, &as)) {
        close(file);
        *found = buffer ? drm_buffer_ref(buffer) : NULL;
        return buffer ? 0 : -EINVAL;
    }
    return share_import(device, file, (uint64_t)as.st_size, found);
}

/* ---- moving and leaving ---- */

int drm_share_move(struct drm_buffer *buffer, struct drm_buffer *place) {
    struct pfifo_error error;
    struct drm_share *share = buffer->share;
    const struct drm_memory pool = share->pool;
    const uint32_t domain = buffer->domain;
    void *from = pfifo_buffer_map(buffer->memory, &error), *to = pfifo_buffer_map(place->memory, &error);
    struct pfifo_buffer *memory = buffer->memory;
    assert(!place->share && place->bytes == buffer->bytes);
    if (!from || !to || !share_map_instead(to, buffer->bytes, share->file, 0, &place->backing))
        return -ENOMEM;
    if (!share_map_instead(from, buffer->bytes, pool.fd, pool.offset, &buffer->backing)) {
        share_map_over(to, buffer->bytes, place->backing.fd, place->backing.offset);
        return -ENOMEM;
    }
    share->pool = place->backing;
    place->backing = pool;
    buffer->memory = place->memory;
    place->memory = memory;
    buffer->domain = place->domain;
    place->domain = domain;
    return 0;
}

/* Memory of a buffer that has gone, with a mapping that is left. */
struct drm_left {
    struct drm_left *next;
    struct pfifo_buffer *memory;
    struct drm_share *share;
    uint64_t bytes;
};

/* False: it is still mapped, or cannot be the machine's again: then nobody else gets it. */
static bool share_give_back(const struct drm_left *left) {
    struct pfifo_error error;
    void *at = pfifo_buffer_map(left->memory, &error);
    if (!at || !share_map_over(at, left->bytes, left->share->pool.fd, left->share->pool.offset))
        return false;
    pfifo_buffer_free(left->memory);
    return true;
}

void drm_share_leave(struct drm_buffer *buffer) {
    struct drm_left *left = malloc(sizeof *left);
    assert(buffer->share && buffer->device->share_count);
    buffer->device->share_count--;
    if (!left) { /* the memory is lost to the machine */
        share_free(buffer->share);
        return;
    }
    *left = (struct drm_left){buffer->device->left_shares, buffer->memory, buffer->share, buffer->bytes};
    buffer->device->left_shares = left;
    drm_shares_reap(buffer->device, false);
}

void drm_shares_reap(struct drm_device *device, bool all) {
    for (struct drm_left **at = &device->left_shares; *at;) {
        struct drm_left *left = *at;
        assert(left->memory->holds);
        if (!all && (left->memory->holds > 1 || !share_give_back(left))) {
            at = &left->next;
            continue;
        }
        *at = left->next;
        share_free(left->share);
        free(left);
    }
}

void drm_shares_abandon(struct drm_device *device) {
    for (struct drm_buffer *buffer = device->buffers; buffer; buffer = buffer->next)
        if (buffer->share)
            close(buffer->share->locks);
}

/* ---- reservations ---- */

uint64_t drm_share_time(struct drm_device *device) {
    uint64_t now = device->config.host->now(device->config.opaque);
    assert(now < READS_AT / 2);
    device->share_time = now > device->share_time ? now : device->share_time + 1;
    return device->share_time;
}

static bool share_lock(const struct drm_share *share, const struct drm_ticket *ticket, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_len = 1};
    lock.l_start = (off_t)(ticket->time + (ticket->writes ? 0 : READS_AT));
    return fcntl(share->locks, F_OFD_SETLK, &lock) == 0;
}

/* Has another a byte in front of that time? */
static bool share_others_have(int locks, uint64_t time, bool writes) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    lock.l_start = (off_t)(writes ? 0 : READS_AT);
    lock.l_len = (off_t)(time < READS_AT ? time : READS_AT - 1);
    return lock.l_len > 0 && fcntl(locks, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

bool drm_locks_busy(int locks, uint64_t time, bool writes) {
    return share_others_have(locks, time, true) || (writes && share_others_have(locks, time, false));
}

int drm_share_use(struct drm_buffer *buffer, struct drm_ticket ticket) {
    struct drm_share *share = buffer->share;
    unsigned count = 0;
    for (const struct drm_ticket *other = share->tickets; other; other = other->next)
        count++;
    struct drm_ticket *made = count < MOST_TICKETS ? (struct drm_ticket *)malloc(sizeof *made) : NULL;
    if (!made) {
        drm_point_unref(ticket.until);
        return -ENOMEM;
    }
    *made = ticket;
    made->next = share->tickets;
    share->tickets = made;
    if (made->imported) {
        drm_buffer_ref(buffer);
        buffer->device->imported_count++;
    }
    share_lock(share, made, F_WRLCK);
    return 0;
}

bool drm_share_busy(const struct drm_buffer *buffer, uint64_t time, bool writes) {
    const struct drm_share *share = buffer->share;
    if (!share)
        return false;
    for (const struct drm_ticket *ticket = share->tickets; ticket; ticket = ticket->next)
        if (ticket->imported && ticket->time < time && (ticket->writes || writes) && !drm_point_done(ticket->until))
            return true;
    return drm_locks_busy(share->locks, time, writes);
}

/* Takes the ticket out, at *at. Returns the buffer if it may go with it. */
static struct drm_buffer *share_end_ticket(struct drm_buffer *buffer, struct drm_ticket **at) {
    struct drm_ticket *ticket = *at;
    *at = ticket->next;
    share_lock(buffer->share, ticket, F_UNLCK);
    drm_point_unref(ticket->until);
    assert(!ticket->imported || buffer->device->imported_count);
    if (ticket->imported)
        buffer->device->imported_count--;
    else
        buffer = NULL;
    free(ticket);
    return buffer;
}

static bool share_is_over(struct drm_buffer *buffer, const struct drm_ticket *ticket) {
    return ticket->until ? drm_point_done(ticket->until) : !drm_buffer_used(buffer);
}

/* Those that are done, or all that were imported. False: the buffer may have gone. */
static bool share_look(struct drm_buffer *buffer, bool imported) {
    for (struct drm_ticket **at = &buffer->share->tickets; *at;) {
        if (imported ? !(*at)->imported : !share_is_over(buffer, *at)) {
            at = &(*at)->next;
            continue;
        }
        struct drm_buffer *kept = share_end_ticket(buffer, at);
        if (!kept)
            continue;
        drm_buffer_unref(kept);
        return false;
    }
    return true;
}

static void shares_look(struct drm_device *device, bool imported) {
    struct drm_buffer *buffer = device->share_count ? device->buffers : NULL;
    while (buffer)
        buffer = !buffer->share || share_look(buffer, imported) ? buffer->next : device->buffers;
}

void drm_shares_look(struct drm_device *device) {
    shares_look(device, false);
}

void drm_shares_end_imported(struct drm_device *device) {
    shares_look(device, true);
}

/* ---- what is waited for ---- */

static uint32_t share_count_fences(const struct drm_share *share, bool writes) {
    uint32_t count = 0;
    for (const struct drm_ticket *ticket = share->tickets; ticket; ticket = ticket->next)
        if (ticket->writes || writes)
            count += drm_point_open(ticket->until);
    return count;
}

struct drm_point *drm_share_point(struct drm_buffer *buffer, bool writes) {
    const struct drm_share *share = buffer->share;
    struct drm_point *point = drm_point_with_room(share_count_fences(share, writes) + 1);
    struct drm_fence *others = drm_fence_of_locks(share->locks, drm_share_time(buffer->device), writes);
    buffer->device->peers = true; /* the point stays when the buffer has gone */
    for (const struct drm_ticket *ticket = share->tickets; ticket && point; ticket = ticket->next)
        if (ticket->writes || writes)
            drm_point_take_open(point, ticket->until);
    if (point && others)
        point->fences[point->fence_count++] = others;
    else
        drm_fence_unref(others);
    if (others)
        return point;
    drm_point_unref(point);
    return NULL;
}

int drm_out_of_way(int fd) {
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_OURS);
    if (moved < 0)
        return fd;
    close(fd);
    return moved;
}
