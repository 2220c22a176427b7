/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/listen.h"

#include "face/pci/serve/serve.h"
#include "face/pci/serve/stop.h"
#include "face/pci/serve/vfio_serve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- the socket ---- */

int listen_socket(const char *path, void (*say)(const char *format, ...) PFIFO_PRINTF(1, 2)) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(path) >= sizeof address.sun_path) {
        say("%s: the path of a socket is shorter", path);
        return -1;
    }
    memcpy(address.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0)
        return fd;
    say("%s: cannot listen: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

/* -1: stopped, or it failed. */
static int accept_one(int listener, int stop) {
    struct pollfd fds[] = {{.fd = listener, .events = POLLIN}, {.fd = stop, .events = POLLIN}};

    if (pump_wait(fds, 2, UINT64_MAX) && !fds[1].revents)
        return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    return -1;
}

/* ---- the card ---- */

static struct pfifo_pci_config card_config(const struct listen_config *config) {
    struct pfifo_pci_config card = {.size = sizeof card, .vbios = config->vbios, .vbios_bytes = config->vbios_bytes};

    card.gpu = (struct pfifo_config){.size = sizeof card.gpu, .chip = config->chip, .clock = pump_clock};
    /* A file, so that the client can map it; but no session has what goes by there. */
    if (config->vfio_user && !config->watch.records && pfifo_chip_info(config->chip).vram_bytes)
        card.gpu.vram.form = PFIFO_MEMORY_SHARED;
    return card;
}

/* NULL: see the error. */
static struct pfifo_pci *listen_make_card(const struct listen_config *config, const struct pfifo_pci_config *card,
                                          struct pfifo_error *error) {
    struct pfifo_pci *made = pfifo_pci_new(card, error);

    if (made && pump_watch_made(&config->watch, made, error))
        return made;
    pump_watch_ends(&config->watch);
    pfifo_pci_free(made);
    return NULL;
}

static void free_card(const struct listen_config *config, struct pfifo_pci *card) {
    if (!card)
        return;
    pump_watch_ends(&config->watch);
    pfifo_pci_free(card);
}

static enum pfifo_status run_vfio_user(const struct listen_config *config, struct vfio_serve *serve, int stop,
                                       struct pfifo_error *error) {
    if (config->port)
        serve->port = *config->port;
    enum pfifo_status status = vfio_serve_run(serve, stop, error);
    if (config->port)
        *config->port = serve->port;
    return status;
}

static enum pfifo_status serve_vfio_user(const struct listen_config *config, int client, int stop,
                                         struct pfifo_error *error) {
    struct pfifo_pci_config card = card_config(config);
    struct vfio_serve *serve = calloc(1, sizeof *serve);
    enum pfifo_status status;

    if (!serve) {
        close(client);
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory");
    }
    card.intx = vfio_serve_intx;
    card.msi = vfio_serve_msi;
    card.opaque = serve;
    if (!vfio_serve_begin(serve, client))
        status = pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory");
    else if ((serve->card = listen_make_card(config, &card, error)))
        status = run_vfio_user(config, serve, stop, error);
    else
        status = error->status;
    vfio_serve_end(serve);
    free_card(config, serve->card);
    free(serve);
    return status;
}

static enum pfifo_status serve_mpqemu(const struct listen_config *config, int client, int stop,
                                      struct pfifo_error *error) {
    struct pfifo_pci_config card = card_config(config);
    struct serve serve;

    serve_begin(&serve, client, -1);
    card.intx = serve_intx;
    card.msi = serve_msi;
    card.opaque = &serve;
    serve.card = listen_make_card(config, &card, error);
    enum pfifo_status status = serve.card ? serve_run(&serve, stop, error) : error->status;
    serve_end(&serve);
    free_card(config, serve.card);
    return status;
}

enum pfifo_status listen_serve(const struct listen_config *config, int client, int stop, struct pfifo_error *error) {
    return config->vfio_user ? serve_vfio_user(config, client, stop, error) : serve_mpqemu(config, client, stop, error);
}

/* ---- all of it ---- */

static enum listen_end listen_end_of(const struct stop *stop, enum listen_end without, int *number) {
    switch (stop_read(stop, number)) {
    case STOP_ALARM:
        return LISTEN_TIMEOUT;
    case STOP_SIGNAL:
        return LISTEN_STOPPED;
    case STOP_NONE:
        break;
    }
    return without;
}

static enum listen_end serve_one(const struct listen_config *config, const struct stop *stop, int *number) {
    struct pfifo_error error = {0};
    int listener = listen_socket(config->path, config->say);

    if (listener < 0)
        return LISTEN_FAILED;
    int client = accept_one(listener, stop->fd);
    close(listener);
    unlink(config->path);
    if (client < 0) {
        enum listen_end end = listen_end_of(stop, LISTEN_FAILED, number);
        return end == LISTEN_TIMEOUT ? LISTEN_ALONE : end;
    }
    if (listen_serve(config, client, stop->fd, &error) == PFIFO_OK)
        return listen_end_of(stop, LISTEN_CLOSED, number);
    config->say("%s: %s", config->path, error.message);
    return LISTEN_FAILED;
}

enum listen_end listen_run(const struct listen_config *config, int *number) {
    enum listen_end end = LISTEN_FAILED;
    struct stop stop;

    if (stop_begin(&stop, config->seconds, false))
        end = serve_one(config, &stop, number);
    else
        config->say("cannot wait for signals: %s", strerror(errno));
    stop_end(&stop);
    return end;
}
