/* SPDX-License-Identifier: MIT */
#include "memory/backing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory/memory.h"

#define DISCARD_LEAST 0x10000u /* what is less is faster cleared than mapped anew */

static bool backing_has_fd(const struct memory_backing *backing) {
    return backing->form == PFIFO_MEMORY_SHARED || backing->form == PFIFO_MEMORY_FD;
}

static enum pfifo_status backing_refuse(struct pfifo_error *error, const char *what, const char *why) {
    return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s: %s", what, why);
}

static enum pfifo_status backing_no_memory(struct pfifo_error *error, const char *what, uint64_t bytes) {
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "the host does not reserve %llu bytes of %s",
                           (unsigned long long)bytes, what);
}

/* ---- forms ---- */

static uint8_t *backing_map(uint64_t bytes, int flags, int fd) {
    if ((size_t)bytes != bytes)
        return NULL;
    void *data = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, fd, 0);
    return data == MAP_FAILED ? NULL : data;
}

static enum pfifo_status open_private(struct memory_own *own, const struct pfifo_memory *given, const char *what,
                                      struct pfifo_error *error) {
    (void)given;
    own->data = backing_map(own->bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    return own->data ? PFIFO_OK : backing_no_memory(error, what, own->bytes);
}

/* Nobody who has the descriptor can change the size: an access beyond the end of a file would kill this process. */
static bool size_file(int fd, uint64_t bytes) {
    return bytes <= INT64_MAX && ftruncate(fd, (off_t)bytes) == 0 &&
           fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

static enum pfifo_status open_shared(struct memory_own *own, const struct pfifo_memory *given, const char *what,
                                     struct pfifo_error *error) {
    (void)given;
    int fd = memfd_create(what, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && size_file(fd, own->bytes))
        own->data = backing_map(own->bytes, MAP_SHARED, fd);
    own->backing->fd = fd;
    if (own->data)
        return PFIFO_OK;
    if (fd >= 0)
        close(fd);
    return backing_no_memory(error, what, own->bytes);
}

static enum pfifo_status open_pointer(struct memory_own *own, const struct pfifo_memory *given, const char *what,
                                      struct pfifo_error *error) {
    if (!given->data || (uintptr_t)given->data % MEMORY_PAGE_BYTES != 0)
        return backing_refuse(error, what, "its memory must begin at a page of 4096 bytes");
    if (own->bytes - 1 > UINTPTR_MAX - (uintptr_t)given->data)
        return backing_refuse(error, what, "its memory reaches beyond the end of the process");
    own->data = given->data;
    return PFIFO_OK;
}

static enum pfifo_status open_fd(struct memory_own *own, const struct pfifo_memory *given, const char *what,
                                 struct pfifo_error *error) {
    struct stat file;
    if (fstat(given->fd, &file) != 0)
        return backing_refuse(error, what, "its descriptor is not open");
    if (!S_ISREG(file.st_mode) || (uint64_t)file.st_size < own->bytes)
        return backing_refuse(error, what, "its descriptor is not of a file with as many bytes");
    int fd = fcntl(given->fd, F_DUPFD_CLOEXEC, 0);
    if (fd >= 0)
        own->data = backing_map(own->bytes, MAP_SHARED, fd);
    own->backing->fd = fd;
    if (own->data)
        return PFIFO_OK;
    if (fd >= 0)
        close(fd);
    return backing_refuse(error, what, "its file cannot be mapped for reading and writing");
}

static const struct backing_form {
    enum pfifo_status (*open)(struct memory_own *own, const struct pfifo_memory *given, const char *what,
                              struct pfifo_error *error);
    bool any_size, shared;
} forms[] = {
    [PFIFO_MEMORY_PRIVATE] = {open_private, .any_size = true},
    [PFIFO_MEMORY_SHARED] = {open_shared},
    [PFIFO_MEMORY_POINTER] = {open_pointer, .shared = true},
    [PFIFO_MEMORY_FD] = {open_fd, .shared = true},
};

/* ---- all forms ---- */

static size_t used_words(uint64_t bytes) {
    return (size_t)(bytes / MEMORY_CHUNK / 64 + 1);
}

enum pfifo_status memory_backing_open(struct memory_own *own, const struct pfifo_memory *given, const char *what,
                                      struct pfifo_error *error) {
    if (!own->bytes)
        return PFIFO_OK;
    if ((unsigned)given->form >= sizeof forms / sizeof forms[0])
        return backing_refuse(error, what, "there is no such form of memory");
    const struct backing_form *form = &forms[given->form];
    if (!form->any_size && own->bytes % MEMORY_PAGE_BYTES != 0)
        return backing_refuse(error, what, "its size is not a multiple of 4096 bytes");
    *own->backing = (struct memory_backing){.form = given->form, .fd = -1};
    enum pfifo_status status = form->open(own, given, what, error);
    if (status != PFIFO_OK)
        return status;
    own->used = calloc(used_words(own->bytes), sizeof own->used[0]); /* not for sizes that no host has */
    if (!own->used) {
        memory_backing_close(own);
        return backing_no_memory(error, what, own->bytes);
    }
    if (form->shared)
        memory_backing_share(own);
    return PFIFO_OK;
}

void memory_backing_close(struct memory_own *own) {
    if (own->data && own->backing->form != PFIFO_MEMORY_POINTER)
        munmap(own->data, (size_t)own->bytes);
    if (own->data && backing_has_fd(own->backing))
        close(own->backing->fd);
    free(own->used);
    own->data = NULL;
    own->used = NULL;
}

void memory_backing_share(struct memory_own *own) {
    own->backing->shared = true;
    memset(own->used, 0xff, used_words(own->bytes) * sizeof own->used[0]);
}

static bool fresh_pages(uint8_t *data, uint64_t bytes) {
    return mmap(data, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
                -1, 0) != MAP_FAILED;
}

/* A hole may begin and end anywhere: the kernel clears what is left of a page. */
static bool punch_hole(int fd, uint64_t address, uint64_t bytes) {
    return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)address, (off_t)bytes) == 0;
}

bool memory_backing_whole(const struct memory_own *own, uint64_t address, uint64_t bytes) {
    return address % MEMORY_CHUNK == 0 && (bytes % MEMORY_CHUNK == 0 || address + bytes == own->bytes);
}

bool memory_backing_discard(const struct memory_own *own, uint64_t address, uint64_t bytes) {
    switch (own->backing->form) {
    case PFIFO_MEMORY_PRIVATE:
        return bytes >= DISCARD_LEAST && memory_backing_whole(own, address, bytes) &&
               fresh_pages(own->data + address, bytes);
    case PFIFO_MEMORY_SHARED:
        return punch_hole(own->backing->fd, address, bytes);
    default: /* the owner's */
        return false;
    }
}

uint64_t memory_backing_next_data(const struct memory_own *own, uint64_t address) {
    if (!own->backing->shared || !backing_has_fd(own->backing))
        return address;
    off_t data = lseek(own->backing->fd, (off_t)address, SEEK_DATA);
    if (data < 0)
        return errno == ENXIO ? UINT64_MAX : address; /* else a file system that does not know */
    return (uint64_t)data > address ? (uint64_t)data : address;
}
