/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/vmm.h"

#include "face/pci/serve/child.h"
#include "face/pci/serve/line.h"
#include "face/pci/serve/serve.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- the command line ---- */

/* What the card needs of the VMM is in front of what the user wants. qtest: -1: none. */
static void vmm_make_line(struct line *line, const struct vmm_config *config, int client, int qtest) {
    *line = (struct line){0};
    line_add(line, "%s", config->argv[0]);
    line_add(line, "-machine");
    line_add(line, "q35,memory-backend=pfifo-ram");
    line_add(line, "-m");
    line_add(line, "%uM", config->memory_mib);
    line_add(line, "-object");
    line_add(line, "memory-backend-memfd,id=pfifo-ram,size=%uM,share=on", config->memory_mib);
    line_add(line, "-device");
    line_add(line, "x-pci-proxy-dev,id=pfifo,fd=%d,addr=" INTERRUPTS_SLOT, client);
    if (qtest >= 0) {
        line_add(line, "-chardev");
        line_add(line, "socket,id=pfifo-irq,fd=%d", qtest);
        line_add(line, "-object");
        line_add(line, "qtest,id=pfifo-qtest,chardev=pfifo-irq,log=/dev/null");
    }
    line_add_words(line, config->argv + 1);
}

void vmm_print(const struct vmm_config *config, FILE *file) {
    struct line line;

    vmm_make_line(&line, config, 3, config->irqfd ? -1 : 4);
    if (!line.failed)
        line_print(&line, file);
    line_free(&line);
}

/* ---- the child ---- */

/* A pair of sockets: [0] is for this process, [1] for the child. */
struct ends {
    int client[2], qtest[2];
    struct stop stop;
    pid_t child;
};

static void close_end(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static bool open_ends(struct ends *ends, const struct vmm_config *config) {
    *ends = (struct ends){.client = {-1, -1}, .qtest = {-1, -1}};
    if (stop_begin(&ends->stop, config->seconds, true) &&
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends->client) == 0 &&
        (config->irqfd || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends->qtest) == 0))
        return true;
    config->say("cannot make sockets: %s", strerror(errno));
    return false;
}

static bool vmm_start(struct ends *ends, const struct vmm_config *config) {
    struct line line;

    vmm_make_line(&line, config, ends->client[1], ends->qtest[1]);
    const struct child_config child = {.argv = line.words,
                                       .inherit = {ends->client[1], ends->qtest[1], config->inherit},
                                       .input = config->input,
                                       .output = config->output,
                                       .say = config->say};
    if (line.failed)
        config->say("no memory");
    else if (config->show)
        line_print(&line, stderr);
    ends->child = line.failed ? -1 : child_start(&child, &ends->stop);
    line_free(&line);
    close_end(&ends->client[1]);
    close_end(&ends->qtest[1]);
    if (config->inherit >= 0)
        close(config->inherit);
    return ends->child > 0;
}

/* ---- the card ---- */

static bool vmm_make_card(struct serve *serve, const struct vmm_config *config) {
    struct pfifo_error error;
    struct pfifo_pci_config card = {
        .size = sizeof card,
        .gpu = {.size = sizeof card.gpu, .chip = config->chip, .clock = pump_clock},
        .vbios = config->vbios,
        .vbios_bytes = config->vbios_bytes,
        .intx = serve_intx,
        .msi = serve_msi,
        .opaque = serve,
    };

    serve->card = pfifo_pci_new(&card, &error);
    bool made = serve->card && pump_watch_made(&config->watch, serve->card, &error);
    if (!made)
        config->say("%s", error.message);
    return made;
}

/* Why the loop has ended, if not by the client: the time limit, a signal, or the child's own end. */
static enum vmm_end vmm_end_of(const struct stop *stop, int *status) {
    switch (stop_read(stop, status)) {
    case STOP_ALARM:
        return VMM_TIMEOUT;
    case STOP_SIGNAL:
        return VMM_STOPPED;
    case STOP_NONE:
        break;
    }
    return VMM_EXITED;
}

static enum vmm_end run_child(struct ends *ends, struct serve *serve, const struct vmm_config *config, int *status) {
    struct pfifo_error error;

    if (!vmm_start(ends, config))
        return VMM_FAILED;
    bool served = serve_run(serve, ends->stop.fd, &error) == PFIFO_OK;
    enum vmm_end end = served ? vmm_end_of(&ends->stop, status) : VMM_FAILED;
    if (!served)
        config->say("%s: %s", config->argv[0], error.message);
    if (serve->interrupts.lost)
        config->say("%s: messages of interrupts were lost; they need qtest", config->argv[0]);
    serve_end(serve);
    int code = child_end(ends->child, end == VMM_EXITED);
    if (end == VMM_EXITED)
        *status = code;
    return end;
}

enum vmm_end vmm_run(const struct vmm_config *config, int *status) {
    struct ends ends;
    struct serve serve;
    enum vmm_end end = VMM_FAILED;

    if (open_ends(&ends, config)) {
        serve_begin(&serve, ends.client[0], ends.qtest[0]);
        ends.client[0] = ends.qtest[0] = -1;
        serve.port = config->port;
        if (vmm_make_card(&serve, config))
            end = run_child(&ends, &serve, config, status);
        serve_end(&serve);
        pump_watch_ends(&config->watch);
        pfifo_pci_free(serve.card);
    }
    for (unsigned i = 0; i < 2; i++) {
        close_end(&ends.client[i]);
        close_end(&ends.qtest[i]);
    }
    stop_end(&ends.stop);
    return end;
}
