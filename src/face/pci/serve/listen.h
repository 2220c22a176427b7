/* SPDX-License-Identifier: MIT */
/* A card behind a socket in the file system: for one client, of either protocol, which is started separately. */
#ifndef PFIFO_FACE_PCI_LISTEN_H
#define PFIFO_FACE_PCI_LISTEN_H

#include "face/pci/serve/pump.h"

struct listen_config {
    const struct pfifo_chip *chip;
    const char *path;  /* of the socket: made, and removed once the client has come */
    bool vfio_user;    /* the protocol; false: that of QEMU's x-pci-proxy-dev, with interrupts by irqfd */
    const void *vbios; /* an image for the ROM; NULL: the card's own */
    size_t vbios_bytes;
    unsigned seconds;        /* end after these; 0: no limit */
    struct pump_watch watch; /* of the card */
    struct pump_port *port;  /* watched while a client of vfio-user is served; NULL: none */
    void (*say)(const char *format, ...) PFIFO_PRINTF(1, 2);
};

enum listen_end {
    LISTEN_CLOSED,  /* the client has gone */
    LISTEN_FAILED,  /* no socket, no card, or the connection broke; a message was printed */
    LISTEN_STOPPED, /* a signal, whose number is *number */
    LISTEN_TIMEOUT, /* while it was served */
    LISTEN_ALONE,   /* the time is over, and no client has come */
};

/* Wait for a client and serve it to its end. Signals that end processes are blocked meanwhile. */
enum listen_end listen_run(const struct listen_config *config, int *number);

/* ---- in parts ---- */

/* A socket at the path. -1: none; a message was printed. */
int listen_socket(const char *path, void (*say)(const char *format, ...) PFIFO_PRINTF(1, 2));
/* Serve a client with a card, until it is gone or `stop` is readable. The client's descriptor is closed. */
enum pfifo_status listen_serve(const struct listen_config *config, int client, int stop, struct pfifo_error *error);

#endif
