/* SPDX-License-Identifier: MIT */
/*
 * A card in a PCI slot: the GPU of pfifo/gpu.h with the board around it: configuration space, BARs, the ROM with a
 * VBIOS, straps, PLLs, I2C, fuses, sensors. A guest's own driver drives it as it drives the hardware.
 *
 *   struct pfifo_pci_config config = {.size = sizeof config, .intx = set_line, .opaque = slot};
 *   config.gpu = (struct pfifo_config){.size = sizeof config.gpu, .chip = pfifo_chip_by_name("NV34")};
 *   struct pfifo_pci *card = pfifo_pci_new(&config, &error);
 *   pfifo_pci_dma_map(card, 0, ram_bytes, ram, true, &error);        the guest's RAM, for the card's reads and writes
 *
 *   value = pfifo_pci_config_read(card, 0x10, 4);                    what the guest does
 *   pfifo_pci_region_write(card, 0, 0x002500, &value, 4);
 *
 *   while (pfifo_gpu_has_work(pfifo_pci_gpu(card)))                  between the guest's accesses:
 *       pfifo_pci_run(card, 100000);
 *
 * An access is answered at once; the work that it brings is done by pfifo_pci_run() afterwards. So a guest never waits
 * for the card's work in an access, and one that polls sees progress if the card is run between its accesses. When an
 * access returns, the interrupt line and messages are as they should be after it.
 *
 * A card is single-threaded as its GPU is. All numbers are little endian, as PCI is.
 *
 * Modelled:     what drivers read on their way to a working GPU, see docs/pci.md; boards of NV1 to GP108
 * Not modelled: displays (the VBIOS has no outputs), sound, USB of later boards, AGP transfers, PCI Express beyond its
 *               capability. What is not modelled is storage, and is counted: pfifo_pci_unknown()
 * Sources: PCI Local Bus Specification 3.0; envytools docs/hw/bus; nouveau, for what it wants of each board
 *
 * Library: libpfifo
 */
#ifndef PFIFO_PCI_H
#define PFIFO_PCI_H

#include <pfifo/gpu.h>
#include <pfifo/state.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_pci;

/* ---- the card ---- */

struct pfifo_pci_config {
    size_t size; /* sizeof(struct pfifo_pci_config), see struct pfifo_config */
    /* The image that the ROM and PROM show; copied. NULL: one that the project makes, for a board without outputs. */
    const void *vbios;
    size_t vbios_bytes; /* at most PFIFO_PCI_ROM_MAX */
    /* Ids; 0: those of a common board of the chip. */
    uint16_t device_id, subsystem_vendor, subsystem_id;
    /*
     * No BAR of 64 bits, for a bus that cannot have them. Boards from NV41 on have them, and nouveau since Linux 6.16
     * counts BARs by their widths: it does not find RAMIN with narrow ones.
     */
    bool bars_32;
    /*
     * The interrupt line INTA has changed, as the slot sees it: after the gate in the command register, and never while
     * MSI is enabled. Called from within an access or a run.
     */
    void (*intx)(void *opaque, bool level);
    /*
     * The card writes `data` to `address`: an interrupt by message. Sent while the card is master of the bus, and again
     * only after the driver has armed MSI anew. Called as intx().
     */
    void (*msi)(void *opaque, uint64_t address, uint32_t data);
    /* There is something to run, as work() of struct pfifo_config. */
    void (*work)(void *opaque);
    void *opaque; /* of the three callbacks */
    /*
     * The GPU: chip, memory, clock, threads. Its system memory is the guest's, and its line and its work are the card's
     * to pass on: system_map, system_bytes, system, irq and work must be 0. opaque goes to clock and side_by_side.
     * It stays the last field, so that both structures can grow at the end.
     */
    struct pfifo_config gpu;
};

#define PFIFO_PCI_ROM_MAX (UINT32_C(1) << 20)

/* NULL on error: as pfifo_gpu_new(); also PFIFO_ERROR_UNSUPPORTED for a chip that is on no PCI card (Tegra). */
PFIFO_API struct pfifo_pci *pfifo_pci_new(const struct pfifo_pci_config *config, struct pfifo_error *error);
PFIFO_API void pfifo_pci_free(struct pfifo_pci *card);

/*
 * The GPU on the card: to run it, for observers, and for what a debugger looks at. Accesses to its BARs that come from
 * the guest go through pfifo_pci_region_read() and _write().
 */
PFIFO_API struct pfifo_gpu *pfifo_pci_gpu(struct pfifo_pci *card);

/* Reset of the bus: configuration space, the board and the GPU are as after power on; memory keeps its contents. */
PFIFO_API enum pfifo_status pfifo_pci_reset(struct pfifo_pci *card, struct pfifo_error *error);

/* ---- work ---- */

/*
 * As pfifo_gpu_run() and pfifo_gpu_due() of its GPU. A program that records a session (pfifo/session.h) must call these
 * instead, so that the session has them, with a budget of at most PFIFO_PCI_RUN_MAX.
 */
#define PFIFO_PCI_RUN_MAX UINT64_C(1000000)
PFIFO_API enum pfifo_stop pfifo_pci_run(struct pfifo_pci *card, uint64_t budget);
PFIFO_API uint64_t pfifo_pci_due(struct pfifo_pci *card);

/* ---- configuration space ---- */

#define PFIFO_PCI_CONFIG_BYTES 256u

/*
 * `bytes` 1, 2 or 4 at an offset that is a multiple of it. Anything else, and offsets beyond the end, read all ones and
 * are not written, as where no card answers.
 */
PFIFO_API uint32_t pfifo_pci_config_read(struct pfifo_pci *card, unsigned offset, unsigned bytes);
PFIFO_API void pfifo_pci_config_write(struct pfifo_pci *card, unsigned offset, unsigned bytes, uint32_t value);

/* ---- regions: the BARs and the ROM ---- */

#define PFIFO_PCI_REGIONS 7u
#define PFIFO_PCI_ROM     6u /* the region of the expansion ROM; 0 to 5 are those of the BARs */

struct pfifo_pci_region {
    uint64_t bytes; /* a power of two; 0: there is no such region */
    bool ports;     /* I/O ports, not memory */
    bool wide;      /* a BAR of 64 bits; its upper half takes the place of the next one */
    bool prefetch;
    bool writable; /* false: the ROM */
    /*
     * The CPU may map the region: it is the beginning of VRAM, see pfifo_gpu_vram_map() and pfifo_gpu_vram_fd(). False
     * where the card translates addresses.
     */
    bool vram;
};

/* False: there is no such region; *info is then all 0. */
PFIFO_API bool pfifo_pci_region(const struct pfifo_pci *card, unsigned region, struct pfifo_pci_region *info);

/*
 * An access of any size and alignment. It is answered whatever the command register says: a bus that forwards nothing
 * to a card that does not decode asks pfifo_pci_find(). What is beyond the end reads 0 and is not written.
 */
PFIFO_API void pfifo_pci_region_read(struct pfifo_pci *card, unsigned region, uint64_t offset, void *data,
                                     size_t bytes);
PFIFO_API void pfifo_pci_region_write(struct pfifo_pci *card, unsigned region, uint64_t offset, const void *data,
                                      size_t bytes);

/*
 * Which region answers at an address of the bus (or a port), by the BARs and the command register. False: none does.
 */
PFIFO_API bool pfifo_pci_find(const struct pfifo_pci *card, bool ports, uint64_t address, unsigned *region,
                              uint64_t *offset);

/* ---- the guest's memory ---- */

#define PFIFO_PCI_DMA_MAX 256u /* ranges at a time */

/*
 * From now on the card, while the command register makes it master of the bus, finds `host` at [address, address +
 * bytes) of the bus. The memory stays the owner's, and readable (and writable, if `writable`) until it is unmapped.
 * Errors: PFIFO_ERROR_ARGUMENT (empty, beyond 2^64, or overlaps another range, or in a run), _UNSUPPORTED (more than
 * PFIFO_PCI_DMA_MAX).
 */
PFIFO_API enum pfifo_status pfifo_pci_dma_map(struct pfifo_pci *card, uint64_t address, uint64_t bytes, void *host,
                                              bool writable, struct pfifo_error *error);

/*
 * The same for memory that has no pointer, such as memory at the other end of a socket: the card asks for its bytes,
 * and hands over those that it has written. Both functions are called within calls of this card, must not call it, and
 * get at most PFIFO_PCI_REMOTE_MAX bytes that do not cross a multiple of it.
 *
 *   read    false: nobody answers, the card finds all ones. What is read may be more than the card needs.
 *   write   dwords that the card has changed, no later than at an interrupt or the end of the call, and those of one
 *           page before the card begins to write to another. False: they are lost. NULL: the range is not writable
 *
 * In a session, ranges are of whole pages. While there is such a range, threads that are lent (side_by_side) are not
 * used.
 */
struct pfifo_pci_remote {
    bool (*read)(void *opaque, uint64_t address, void *data, size_t bytes);
    bool (*write)(void *opaque, uint64_t address, const void *data, size_t bytes);
    void *opaque;
};
#define PFIFO_PCI_REMOTE_MAX 4096u
PFIFO_API enum pfifo_status pfifo_pci_dma_map_remote(struct pfifo_pci *card, uint64_t address, uint64_t bytes,
                                                     const struct pfifo_pci_remote *remote, struct pfifo_error *error);
/* Ranges that lie within [address, address + bytes) are gone; one that lies across an edge is _ARGUMENT. */
PFIFO_API enum pfifo_status pfifo_pci_dma_unmap(struct pfifo_pci *card, uint64_t address, uint64_t bytes,
                                                struct pfifo_error *error);
/* How many ranges there are. */
PFIFO_API size_t pfifo_pci_dma_count(const struct pfifo_pci *card);

/* ---- interrupts ---- */

/* The level of INTA as the slot sees it, see intx(). */
PFIFO_API bool pfifo_pci_intx(const struct pfifo_pci *card);

/* ---- unknown registers ---- */

/*
 * A dword of BAR0 where the chip has nothing that is documented. The card answers it as storage: what the guest writes,
 * it reads. Event bus.unmapped. Registers that are not modelled, in blocks that are known, are the GPU's: bus.unknown.
 */
struct pfifo_pci_unknown {
    uint32_t offset;
    uint32_t value;         /* now */
    uint64_t reads, writes; /* as BAR0 is accessed; at most UINT32_MAX */
};

/* The first `count` of them by offset, into `rows`. Returns how many there are. */
PFIFO_API size_t pfifo_pci_unknown(const struct pfifo_pci *card, struct pfifo_pci_unknown *rows, size_t count);

/* ---- save and restore ---- */

/*
 * As pfifo_gpu_save() and pfifo_gpu_load() (pfifo/state.h), with the state of the card around it: registers of
 * configuration space and board. DMA ranges are the owner's; their memory is not saved.
 */
PFIFO_API enum pfifo_status pfifo_pci_save(struct pfifo_pci *card, pfifo_writer write, void *opaque,
                                           struct pfifo_error *error);
PFIFO_API enum pfifo_status pfifo_pci_load(struct pfifo_pci *card, const void *data, size_t bytes,
                                           struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
