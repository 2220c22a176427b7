/* SPDX-License-Identifier: MIT */
/*
 * The guest's memory, which its VMM shares as files.
 *
 * Only files that cannot become shorter (memfd with F_SEAL_SHRINK) are mapped: an access beyond the end of a file would
 * kill this process.
 */
#ifndef PFIFO_FACE_PCI_GUEST_RAM_H
#define PFIFO_FACE_PCI_GUEST_RAM_H

#include "face/pci/serve/mpqemu.h"

#include <pfifo/pci.h>

struct guest_ram_region {
    uint64_t address, bytes;
    void *host;
};

struct guest_ram {
    struct guest_ram_region regions[MPQEMU_REGIONS];
    unsigned count;
};

/* The card finds what a SYNC_SYSMEM says, and nothing else. On an error it finds nothing. */
enum pfifo_status guest_ram_set(struct guest_ram *ram, struct pfifo_pci *card, const struct mpqemu_message *message,
                                struct pfifo_error *error);
void guest_ram_clear(struct guest_ram *ram, struct pfifo_pci *card);

/* A region of a file. NULL: a file or range that is not safe to map. To be unmapped by the caller. */
void *guest_ram_map_file(const struct mpqemu_region *region, int fd, bool writable, struct pfifo_error *error);

#endif
