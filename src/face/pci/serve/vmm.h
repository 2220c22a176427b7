/* SPDX-License-Identifier: MIT */
/*
 * A VMM that this process starts, and which gets a card.
 *
 * At the end its socket is closed before it is asked to end (child.h), because QEMU ignores SIGTERM while it waits for
 * an answer.
 */
#ifndef PFIFO_FACE_PCI_VMM_H
#define PFIFO_FACE_PCI_VMM_H

#include "face/pci/serve/pump.h"

#include <stdio.h>

struct vmm_config {
    const struct pfifo_chip *chip;
    char **argv;       /* of the program; NULL ends it. What QEMU needs comes after argv[0] */
    const void *vbios; /* an image for the ROM; NULL: the card's own */
    size_t vbios_bytes;
    unsigned memory_mib;     /* of the guest; 1 to VMM_MEMORY_MAX */
    bool irqfd;              /* interrupts by eventfd, for KVM, not by qtest */
    unsigned seconds;        /* end after these; 0: no limit */
    int inherit;             /* one more descriptor for the child, closed here once it runs; -1: none */
    int input, output;       /* the child's standard input and output; -1: this process's */
    struct pump_port port;   /* watched while the child runs */
    struct pump_watch watch; /* of the card */
    bool is_qemu;            /* argv is QEMU's, whatever the name of its file */
    bool show;               /* write the command line to standard error */
    void (*say)(const char *format, ...) PFIFO_PRINTF(1, 2);
};

#define VMM_SOCKET "{socket}" /* in the arguments of a VMM of vfio-user: where it finds the card */

#define VMM_MEMORY_MAX 2048u /* more would not be one region of q35 */

enum vmm_end {
    VMM_EXITED,  /* *status is what a shell would say */
    VMM_FAILED,  /* it was not started, or the connection broke; a message was printed */
    VMM_STOPPED, /* a signal, whose number is *status */
    VMM_TIMEOUT,
    VMM_ALONE, /* the time is over, and none has come to the socket */
};

/* Run QEMU with x-pci-proxy-dev to its end. Signals that end processes, and SIGCHLD, are blocked meanwhile. */
enum vmm_end vmm_run(const struct vmm_config *config, int *status);

/*
 * The same with any VMM that speaks vfio-user. Its socket is in a folder of its own, which only this user can enter and
 * which is gone when it has connected. QEMU without VMM_SOCKET gets its path by arguments that are added. irqfd is not
 * used.
 */
enum vmm_end vmm_run_vfio_user(const struct vmm_config *config, int *status);

/* The command line that a child would get, as a shell reads it. */
void vmm_print(const struct vmm_config *config, FILE *file);

#endif
