/* SPDX-License-Identifier: MIT */
/*
 * pfifo serve: a VMM runs, with a card that its guest's driver takes as it takes the hardware.
 */
#include "face/pci/serve/line.h"
#include "face/pci/serve/listen.h"
#include "face/pci/serve/vmm.h"
#include "face/tool/command/command_line.h"
#include "face/tool/vm/vbios.h"
#include "face/tool/vm/watch.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct serve_options {
    struct vmm_config vmm;
    struct watch watch;
    const char *socket, *vbios;
    bool vfio_user, mpqemu; /* what --protocol says */
    bool irq;               /* --irq is there */
};

enum { KEY_IRQ = 256, KEY_MEMORY, KEY_PROTOCOL, KEY_SECONDS, KEY_SOCKET, KEY_VBIOS };

static const struct argp_option options[] = {
    {"chip", 'c', "CHIP", 0, "The chip on the card", 0},
    {"memory", KEY_MEMORY, "MIB", 0, "The guest's memory, up to 2048 (default 512)", 0},
    {"irq", KEY_IRQ, "HOW", 0, "Interrupts by qtest (default; with TCG and KVM) or by irqfd (KVM only, no MSI)", 0},
    {"socket", KEY_SOCKET, "PATH", 0, "Wait at a socket for a VMM that somebody else starts", 0},
    {"protocol", KEY_PROTOCOL, "NAME", 0,
     "vfio-user (default at a --socket) or mpqemu, of QEMU's x-pci-proxy-dev (default with a VMM)", 0},
    {"vbios", KEY_VBIOS, "FILE", 0, "The image in the card's ROM (default: one of a board without outputs)", 0},
    {"timeout", KEY_SECONDS, "SECONDS", 0, "End the VMM, or the service at a socket, after this time", 0},
    {0},
};

static void parse_irq(struct argp_state *state, struct vmm_config *vmm, const char *arg) {
    vmm->irqfd = strcmp(arg, "irqfd") == 0;
    if (!vmm->irqfd && strcmp(arg, "qtest") != 0)
        argp_error(state, "--irq is qtest or irqfd, not '%s'", arg);
}

static void parse_protocol(struct argp_state *state, struct serve_options *serve, const char *arg) {
    serve->vfio_user = strcmp(arg, "vfio-user") == 0;
    serve->mpqemu = strcmp(arg, "mpqemu") == 0;
    if (!serve->vfio_user && !serve->mpqemu)
        argp_error(state, "--protocol is vfio-user or mpqemu, not '%s'", arg);
}

static error_t cmd_serve_parse(int key, char *arg, struct argp_state *state) {
    struct serve_options *serve = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &serve->watch;
        return 0;
    case 'c':
        serve->vmm.chip = tool_chip(state, arg);
        return 0;
    case KEY_MEMORY:
        serve->vmm.memory_mib = tool_amount(state, "memory", arg, VMM_MEMORY_MAX);
        return 0;
    case KEY_IRQ:
        serve->irq = true;
        parse_irq(state, &serve->vmm, arg);
        return 0;
    case KEY_SOCKET:
        serve->socket = arg;
        return 0;
    case KEY_VBIOS:
        serve->vbios = arg;
        return 0;
    case KEY_PROTOCOL:
        parse_protocol(state, serve, arg);
        return 0;
    case KEY_SECONDS:
        serve->vmm.seconds = tool_amount(state, "timeout", arg, 1000000);
        return 0;
    case ARGP_KEY_ARGS:
        serve->vmm.argv = state->argv + state->next;
        return 0;
    case ARGP_KEY_END:
        if (!serve->vmm.chip)
            argp_error(state, "--chip is missing");
        if (serve->socket && serve->vmm.argv)
            argp_error(state, "a VMM is run, or waited for at a --socket, not both");
        if (serve->vfio_user && !serve->socket && !serve->vmm.argv)
            argp_error(state, "vfio-user needs a VMM, or a --socket where one comes");
        if (serve->irq && (serve->socket || serve->vfio_user))
            argp_error(state, "--irq is for a VMM of mpqemu");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child serve_children[] = {{&watch_argp, 0, NULL, 0}, {0}};

static const struct argp serve_argp = {
    options,
    cmd_serve_parse,
    "--chip=CHIP -- VMM [ARGUMENT...]\n--chip=CHIP --protocol=vfio-user -- VMM [ARGUMENT...]\n"
    "--chip=CHIP --socket=PATH\n--chip=CHIP",
    "Run a VMM (qemu-system-x86_64) with a card in a PCI slot. The machine, its memory and the device are added to the "
    "arguments. With vfio-user, " VMM_SOCKET
    " in the arguments becomes the path of the card's socket; QEMU needs none. "
    "Without a VMM: print the line for one whose parent has the sockets as descriptors 3 and 4."
    "\vThe exit status is the VMM's; 128 + N if signal N ended it; 124 after --timeout.",
    serve_children,
    NULL,
    NULL,
};

/* cloud-hypervisor: --user-device socket=PATH. */
static void print_qemu(const struct serve_options *serve) {
    struct line line = {0};

    line_add(&line, "qemu-system-x86_64");
    line_add_vfio_user(&line, serve->vmm.memory_mib, serve->socket);
    if (!line.failed)
        line_print(&line, stderr);
    line_free(&line);
}

static enum vmm_end serve_socket(struct serve_options *serve, int *status) {
    const struct listen_config config = {.chip = serve->vmm.chip,
                                         .path = serve->socket,
                                         .vfio_user = !serve->mpqemu,
                                         .vbios = serve->vmm.vbios,
                                         .vbios_bytes = serve->vmm.vbios_bytes,
                                         .seconds = serve->vmm.seconds,
                                         .watch = watch_card(&serve->watch),
                                         .say = tool_message};

    if (config.vfio_user)
        print_qemu(serve);
    switch (listen_run(&config, status)) {
    case LISTEN_CLOSED:
        *status = 0;
        return VMM_EXITED;
    case LISTEN_STOPPED:
        return VMM_STOPPED;
    case LISTEN_TIMEOUT:
        return VMM_TIMEOUT;
    case LISTEN_ALONE:
        return VMM_ALONE;
    case LISTEN_FAILED:
        break;
    }
    return VMM_FAILED;
}

static enum vmm_end cmd_serve_run(struct serve_options *serve, int *status) {
    if (serve->socket)
        return serve_socket(serve, status);
    return serve->vfio_user ? vmm_run_vfio_user(&serve->vmm, status) : vmm_run(&serve->vmm, status);
}

enum tool_status cmd_serve(int argc, char **argv) {
    static char qemu[] = "qemu-system-x86_64";
    static char *qemu_argv[] = {qemu, NULL};
    struct serve_options serve = {.vmm = {.memory_mib = 512,
                                          .inherit = -1,
                                          .input = -1,
                                          .output = -1,
                                          .port = {.fd = -1},
                                          .show = true,
                                          .say = tool_message}};
    int status = 0;

    command_line_parse(&serve_argp, argc, argv, ARGP_IN_ORDER, &serve);
    if (!serve.socket && !serve.vmm.argv) {
        serve.vmm.argv = qemu_argv;
        vmm_print(&serve.vmm, stdout);
        return TOOL_OK;
    }
    struct vbios vbios;
    if (!vbios_read(&vbios, serve.vbios))
        return TOOL_FAILED;
    if (!watch_open(&serve.watch)) {
        vbios_free(&vbios);
        return TOOL_FAILED;
    }
    serve.vmm.vbios = vbios.data;
    serve.vmm.vbios_bytes = vbios.bytes;
    serve.vmm.watch = watch_card(&serve.watch);
    enum vmm_end end = cmd_serve_run(&serve, &status);
    vbios_free(&vbios);
    if (!watch_close(&serve.watch))
        return TOOL_FAILED;
    switch (end) {
    case VMM_EXITED:
        exit(status);
    case VMM_STOPPED:
        exit(128 + status);
    case VMM_TIMEOUT:
        tool_message("the VMM did not end within %u seconds", serve.vmm.seconds);
        exit(124);
    case VMM_ALONE:
        tool_message("no VMM came to %s within %u seconds", serve.socket, serve.vmm.seconds);
        exit(124);
    case VMM_FAILED:
        break;
    }
    return TOOL_FAILED;
}
