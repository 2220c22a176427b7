/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/vfio_memory.h"

#include "face/pci/serve/guest_ram.h"

#include <errno.h>
#include <sys/mman.h>

#define DMA_READ  0x1u
#define DMA_WRITE 0x2u
#define UNMAP_ALL 0x2u

void vfio_memory_begin(struct vfio_memory *memory, struct vfio_user *client) {
    *memory = (struct vfio_memory){.dma = {.client = client, .stop = -1, .most = VFIO_USER_DATA_MAX}};
}

static void vfio_memory_drop_range(struct vfio_memory *memory, struct pfifo_pci *card, unsigned index) {
    struct vfio_range *range = &memory->ranges[index];

    pfifo_pci_dma_unmap(card, range->address, range->bytes, NULL);
    if (range->host)
        munmap(range->host, range->bytes);
    *range = memory->ranges[--memory->count];
}

void vfio_memory_end(struct vfio_memory *memory, struct pfifo_pci *card) {
    memory->dma.ended = true; /* the client is not there to be asked */
    while (memory->count)
        vfio_memory_drop_range(memory, card, memory->count - 1);
}

static bool vfio_memory_overlaps(const struct vfio_memory *memory, uint64_t address, uint64_t bytes) {
    for (unsigned i = 0; i < memory->count; i++) {
        const struct vfio_range *range = &memory->ranges[i];
        if (address - range->address < range->bytes || range->address - address < bytes)
            return true;
    }
    return false;
}

static int errno_of(enum pfifo_status status) {
    return status == PFIFO_OK ? 0 : status == PFIFO_ERROR_UNSUPPORTED ? EOPNOTSUPP : EINVAL;
}

static int vfio_memory_add_file(struct vfio_range *range, struct pfifo_pci *card, const struct mpqemu_region *file,
                                int fd, bool writable) {
    struct pfifo_error error;

    range->host = guest_ram_map_file(file, fd, writable, &error);
    if (!range->host)
        return errno_of(error.status);
    enum pfifo_status status = pfifo_pci_dma_map(card, range->address, range->bytes, range->host, writable, &error);
    if (status != PFIFO_OK)
        munmap(range->host, range->bytes);
    return errno_of(status);
}

static int add_remote(const struct vfio_range *range, struct pfifo_pci *card, struct vfio_dma *dma, bool writable) {
    const struct pfifo_pci_remote remote = {vfio_dma_read, writable ? vfio_dma_write : NULL, dma};

    return errno_of(pfifo_pci_dma_map_remote(card, range->address, range->bytes, &remote, NULL));
}

int vfio_memory_map(struct vfio_memory *memory, struct pfifo_pci *card, const uint8_t *payload, size_t bytes,
                    const int *fds, unsigned fd_count) {
    if (bytes != 32 || fd_count > 1)
        return EINVAL;
    uint32_t flags = (uint32_t)vfio_user_get(payload + 4, 4);
    struct mpqemu_region file = {vfio_user_get(payload + 16, 8), vfio_user_get(payload + 24, 8),
                                 (int64_t)vfio_user_get(payload + 8, 8)};
    if (!(flags & DMA_READ) || flags & ~(DMA_READ | DMA_WRITE) || file.bytes == 0 ||
        file.bytes - 1 > UINT64_MAX - file.address)
        return EINVAL;
    if (vfio_memory_overlaps(memory, file.address, file.bytes))
        return EEXIST;
    if (memory->count == PFIFO_PCI_DMA_MAX)
        return ENOSPC;
    struct vfio_range *range = &memory->ranges[memory->count];
    *range = (struct vfio_range){.address = file.address, .bytes = file.bytes};
    int number = fd_count ? vfio_memory_add_file(range, card, &file, fds[0], flags & DMA_WRITE)
                          : add_remote(range, card, &memory->dma, flags & DMA_WRITE);
    memory->count += number == 0;
    return number;
}

/* Whole ranges only. */
int vfio_memory_unmap(struct vfio_memory *memory, struct pfifo_pci *card, const uint8_t *payload, size_t bytes) {
    if (bytes != 24)
        return EINVAL;
    uint32_t flags = (uint32_t)vfio_user_get(payload + 4, 4);
    uint64_t address = vfio_user_get(payload + 8, 8), size = vfio_user_get(payload + 16, 8);
    bool all = flags == UNMAP_ALL && !address && !size, found = all;
    if (flags && !all)
        return flags == UNMAP_ALL ? EINVAL : EOPNOTSUPP;
    for (unsigned i = memory->count; i-- > 0;) {
        const struct vfio_range *range = &memory->ranges[i];
        if (!all && (range->address != address || range->bytes != size))
            continue;
        vfio_memory_drop_range(memory, card, i);
        found = true;
    }
    return found ? 0 : ENOENT;
}
