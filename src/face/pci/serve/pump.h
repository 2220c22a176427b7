/* SPDX-License-Identifier: MIT */
/*
 * What servers have in common, whatever their protocol: turns, and the card's own work between messages.
 *
 *   wait for messages, until the card wants to run --> a message --> a bounded run --> ...
 */
#ifndef PFIFO_FACE_PCI_PUMP_H
#define PFIFO_FACE_PCI_PUMP_H

#include <pfifo/pci.h>

#include <poll.h>

struct pump {
    uint64_t patience; /* nanoseconds until the next look, while nothing moves; 0: something did, or a message came */
    uint64_t wait;     /* nanoseconds that the next turn may wait, UINT64_MAX: until something comes */
};

/* poll(2) with nanoseconds. */
bool pump_wait(struct pollfd *fds, nfds_t count, uint64_t nanoseconds);
/* One bounded run, if there is work. */
void pump_run(struct pump *pump, struct pfifo_pci *card);
/* A message has come. */
static inline void pump_wake(struct pump *pump) {
    pump->patience = 0;
}

enum serve_state {
    SERVE_GOES_ON,
    SERVE_ENDED,  /* the client is gone, or `stop` is readable */
    SERVE_BROKEN, /* the client is not to be trusted any more; see the error */
};

/* Wait, answer at most one message, run at most one budget. stop: -1, or a descriptor that ends the wait. */
typedef enum serve_state pump_turn(void *server, int stop, struct pfifo_error *error);

/* Turns until the end. PFIFO_OK: the client is gone, or `stop` is readable. */
enum pfifo_status pump_loop(pump_turn *turn, void *server, int stop, struct pfifo_error *error);

/* For struct pfifo_config: nanoseconds of the host. */
uint64_t pump_clock(void *opaque);

/* One more descriptor that a server watches for its owner. */
struct pump_port {
    int fd;                         /* -1: none */
    bool (*readable)(void *opaque); /* false: not any more */
    void *opaque;
};

static inline void pump_port_take(struct pump_port *port) {
    if (!port->readable(port->opaque))
        port->fd = -1;
}

/* Who wants to see a server's card. */
struct pump_watch {
    bool (*made)(void *opaque, struct pfifo_pci *card, struct pfifo_error *error); /* before it works; NULL: none */
    void (*ends)(void *opaque);                                                    /* before it is freed; NULL: none */
    void *opaque;
    bool records; /* a session: all accesses have to come by */
};

/* False: it does not do what was asked for; see the error. */
bool pump_watch_made(const struct pump_watch *watch, struct pfifo_pci *card, struct pfifo_error *error);
void pump_watch_ends(const struct pump_watch *watch);

#endif
