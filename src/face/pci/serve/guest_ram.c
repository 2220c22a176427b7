/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/guest_ram.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void guest_ram_clear(struct guest_ram *ram, struct pfifo_pci *card) {
    for (unsigned i = 0; i < ram->count; i++) {
        struct guest_ram_region *region = &ram->regions[i];
        pfifo_pci_dma_unmap(card, region->address, region->bytes, NULL);
        munmap(region->host, region->bytes);
    }
    ram->count = 0;
}

void *guest_ram_map_file(const struct mpqemu_region *region, int fd, bool writable, struct pfifo_error *error) {
    struct stat file;
    int seals = fcntl(fd, F_GET_SEALS);

    if (seals < 0 || !(seals & F_SEAL_SHRINK)) {
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED,
                        "the guest's memory is in a file that may shrink: use memory-backend-memfd");
        return NULL;
    }
    if (fstat(fd, &file) != 0 || region->offset < 0 || region->offset > file.st_size || region->bytes == 0 ||
        region->bytes > (uint64_t)file.st_size - (uint64_t)region->offset ||
        region->offset % sysconf(_SC_PAGESIZE) != 0) {
        pfifo_error_set(error, PFIFO_ERROR_FORMAT,
                        "memory at 0x%" PRIx64 " of 0x%" PRIx64 " bytes is not in its file at offset %" PRId64,
                        region->address, region->bytes, region->offset);
        return NULL;
    }
    void *host =
        mmap(NULL, region->bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd, region->offset);
    if (host != MAP_FAILED)
        return host;
    pfifo_error_set(error, PFIFO_ERROR_IO, "the guest's memory cannot be mapped: %s", strerror(errno));
    return NULL;
}

enum pfifo_status guest_ram_set(struct guest_ram *ram, struct pfifo_pci *card, const struct mpqemu_message *message,
                                struct pfifo_error *error) {
    guest_ram_clear(ram, card);
    for (unsigned i = 0; i < message->fd_count; i++) {
        const struct mpqemu_region *region = &message->regions[i];
        void *host = guest_ram_map_file(region, message->fds[i], true, error);
        enum pfifo_status status =
            host ? pfifo_pci_dma_map(card, region->address, region->bytes, host, true, error) : PFIFO_ERROR_FORMAT;
        if (status != PFIFO_OK) {
            if (host)
                munmap(host, region->bytes);
            guest_ram_clear(ram, card);
            return status;
        }
        ram->regions[ram->count++] = (struct guest_ram_region){region->address, region->bytes, host};
    }
    return PFIFO_OK;
}
