/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/child.h"
#include "face/pci/serve/line.h"
#include "face/pci/serve/listen.h"
#include "face/pci/serve/vmm.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct vmm {
    const struct vmm_config *config;
    struct stop stop;
    struct pump_port port;
    char folder[PATH_MAX], socket[PATH_MAX + 8];
    int listener;
    pid_t child;
};

/* ---- the socket ---- */

/* Only this user may enter the folder. */
static bool vmm_vfio_user_make_place(struct vmm *vmm) {
    const char *temporary = getenv("TMPDIR");
    int length =
        snprintf(vmm->folder, sizeof vmm->folder, "%s/pfifo-XXXXXX", temporary && *temporary ? temporary : "/tmp");

    if ((size_t)length >= sizeof vmm->folder || !mkdtemp(vmm->folder)) {
        vmm->config->say("%s: cannot make a folder: %s", vmm->folder, strerror(errno));
        vmm->folder[0] = 0;
        return false;
    }
    snprintf(vmm->socket, sizeof vmm->socket, "%s/socket", vmm->folder);
    vmm->listener = listen_socket(vmm->socket, vmm->config->say);
    return vmm->listener >= 0;
}

static void remove_place(struct vmm *vmm) {
    if (vmm->listener >= 0)
        close(vmm->listener);
    vmm->listener = -1;
    if (!vmm->folder[0])
        return;
    unlink(vmm->socket);
    rmdir(vmm->folder);
    vmm->folder[0] = 0;
}

/* ---- the command line ---- */

static bool has_place(char *const *argv) {
    for (; *argv; argv++)
        if (strstr(*argv, VMM_SOCKET))
            return true;
    return false;
}

static bool is_qemu(const char *program) {
    const char *slash = strrchr(program, '/');

    return strncmp(slash ? slash + 1 : program, "qemu-system-", 12) == 0;
}

/* The word, with the path for each VMM_SOCKET. */
static void add_with_path(struct line *line, const char *word, const char *path) {
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);

    line->failed |= !file;
    if (!file)
        return;
    for (const char *at; (at = strstr(word, VMM_SOCKET)); word = at + strlen(VMM_SOCKET))
        fprintf(file, "%.*s%s", (int)(at - word), word, path);
    fputs(word, file);
    if (fclose(file) == 0)
        line_add(line, "%s", text);
    else
        line->failed = true;
    free(text);
}

/* False: the VMM would not find the card; a message was printed. */
static bool vmm_vfio_user_make_line(const struct vmm *vmm, struct line *line) {
    const struct vmm_config *config = vmm->config;
    bool placed = has_place(config->argv);

    if (!placed && !config->is_qemu && !is_qemu(config->argv[0])) {
        config->say("%s: " VMM_SOCKET " is in none of its arguments, so it would not find the card", config->argv[0]);
        return false;
    }
    line_add(line, "%s", config->argv[0]);
    if (!placed)
        line_add_vfio_user(line, config->memory_mib, vmm->socket);
    for (char **word = config->argv + 1; *word; word++)
        add_with_path(line, *word, vmm->socket);
    if (line->failed)
        config->say("no memory");
    return !line->failed;
}

static bool vmm_vfio_user_start(struct vmm *vmm) {
    const struct vmm_config *config = vmm->config;
    struct line line = {0};

    if (vmm_vfio_user_make_line(vmm, &line)) {
        const struct child_config child = {.argv = line.words,
                                           .inherit = {config->inherit, -1, -1},
                                           .input = config->input,
                                           .output = config->output,
                                           .say = config->say};
        if (config->show)
            line_print(&line, stderr);
        vmm->child = child_start(&child, &vmm->stop);
    }
    line_free(&line);
    if (config->inherit >= 0)
        close(config->inherit);
    return vmm->child > 0;
}

/* ---- its run ---- */

/* Has anything ended it, the time limit, a signal or itself? */
static bool vmm_vfio_user_has_ended(const struct vmm *vmm, enum vmm_end *end, int *status) {
    switch (stop_read(&vmm->stop, status)) {
    case STOP_ALARM:
        *end = VMM_TIMEOUT;
        return true;
    case STOP_SIGNAL:
        *end = VMM_STOPPED;
        return true;
    case STOP_NONE:
        break;
    }
    *end = VMM_EXITED;
    return child_has_ended(vmm->child);
}

/* Not the client's own end before it was met: that goes on failing. */
static bool accept_fails(int error) {
    return error != EAGAIN && error != EINTR && error != ECONNABORTED;
}

/* The client; -1: the run has ended before one came, as *end says. */
static int wait_client(struct vmm *vmm, enum vmm_end *end, int *status) {
    struct pollfd fds[] = {{.fd = vmm->listener, .events = POLLIN}, {.fd = vmm->stop.fd, .events = POLLIN}};

    while (!vmm_vfio_user_has_ended(vmm, end, status)) {
        if (!pump_wait(fds, 2, UINT64_MAX) || !(fds[0].revents & POLLIN))
            continue;
        int client = accept4(vmm->listener, NULL, NULL, SOCK_CLOEXEC);
        if (client >= 0)
            return client;
        if (accept_fails(errno)) {
            vmm->config->say("%s: cannot accept its connection: %s", vmm->config->argv[0], strerror(errno));
            *end = VMM_FAILED;
            break;
        }
    }
    return -1;
}

/* A VMM may work on after it has left the card. */
static enum vmm_end wait_end(struct vmm *vmm, int *status) {
    enum vmm_end end;

    while (!vmm_vfio_user_has_ended(vmm, &end, status)) {
        struct pollfd fds[] = {{.fd = vmm->stop.fd, .events = POLLIN}, {.fd = vmm->port.fd, .events = POLLIN}};
        if (pump_wait(fds, 2, UINT64_MAX) && fds[1].revents)
            pump_port_take(&vmm->port);
    }
    return end;
}

static enum vmm_end serve_client(struct vmm *vmm, int *status) {
    const struct vmm_config *config = vmm->config;
    const struct listen_config listen = {.chip = config->chip,
                                         .path = vmm->socket,
                                         .vfio_user = true,
                                         .vbios = config->vbios,
                                         .vbios_bytes = config->vbios_bytes,
                                         .watch = config->watch,
                                         .port = &vmm->port,
                                         .say = config->say};
    struct pfifo_error error = {0};
    enum vmm_end end;
    int client = wait_client(vmm, &end, status);

    if (client < 0) {
        if (end == VMM_EXITED)
            config->say("%s: ended without a connection to the card", config->argv[0]);
        return end;
    }
    remove_place(vmm);
    if (listen_serve(&listen, client, vmm->stop.fd, &error) == PFIFO_OK)
        return wait_end(vmm, status);
    config->say("%s: %s", config->argv[0], error.message);
    return VMM_FAILED;
}

enum vmm_end vmm_run_vfio_user(const struct vmm_config *config, int *status) {
    struct vmm vmm = {.config = config, .listener = -1, .port = config->port};
    enum vmm_end end = VMM_FAILED;

    if (!stop_begin(&vmm.stop, config->seconds, true)) {
        config->say("cannot wait for signals: %s", strerror(errno));
    } else if (vmm_vfio_user_make_place(&vmm) && vmm_vfio_user_start(&vmm)) {
        end = serve_client(&vmm, status);
        int code = child_end(vmm.child, end == VMM_EXITED);
        if (end == VMM_EXITED)
            *status = code;
    }
    remove_place(&vmm);
    stop_end(&vmm.stop);
    return end;
}
