/* SPDX-License-Identifier: MIT */
/*
 * pfifo serve: a VMM runs, with a card that its guest's driver takes as it takes the hardware.
 */
#include "face/pci/serve/vmm.h"
#include "face/tool/watch.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct serve_options {
    struct vmm_config vmm;
    struct watch watch;
};

enum { KEY_IRQ = 256, KEY_MEMORY, KEY_SECONDS };

static const struct argp_option options[] = {
    {"chip", 'c', "CHIP", 0, "The chip on the card", 0},
    {"memory", KEY_MEMORY, "MIB", 0, "The guest's memory, up to 2048 (default 512)", 0},
    {"irq", KEY_IRQ, "HOW", 0, "Interrupts by qtest (default; with TCG and KVM) or by irqfd (KVM only, no MSI)", 0},
    {"timeout", KEY_SECONDS, "SECONDS", 0, "End the VMM after this time", 0},
    {0},
};

static void parse_irq(struct argp_state *state, struct vmm_config *vmm, const char *arg) {
    vmm->irqfd = strcmp(arg, "irqfd") == 0;
    if (!vmm->irqfd && strcmp(arg, "qtest") != 0)
        argp_error(state, "--irq is qtest or irqfd, not '%s'", arg);
}

static unsigned parse_number(struct argp_state *state, const char *option, const char *arg, unsigned most) {
    uint64_t number = tool_number(state, option, arg);

    if (number == 0 || number > most)
        argp_error(state, "%s is from 1 to %u", option, most);
    return (unsigned)number;
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
        serve->vmm.memory_mib = parse_number(state, "--memory", arg, VMM_MEMORY_MAX);
        return 0;
    case KEY_IRQ:
        parse_irq(state, &serve->vmm, arg);
        return 0;
    case KEY_SECONDS:
        serve->vmm.seconds = parse_number(state, "--timeout", arg, 1000000);
        return 0;
    case ARGP_KEY_ARGS:
        serve->vmm.argv = state->argv + state->next;
        return 0;
    case ARGP_KEY_END:
        if (!serve->vmm.chip)
            argp_error(state, "--chip is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child serve_children[] = {{&watch_argp, 0, NULL, 0}, {0}};

static const struct argp serve_argp = {
    options,
    cmd_serve_parse,
    "--chip=CHIP -- VMM [ARGUMENT...]\n--chip=CHIP",
    "Run a VMM (qemu-system-x86_64) with a card in a PCI slot. The machine, its memory and the device are added to the "
    "arguments. Without a VMM: print the line for one whose parent has the sockets as descriptors 3 and 4."
    "\vThe exit status is the VMM's; 128 + N if signal N ended it; 124 after --timeout.",
    serve_children,
    NULL,
    NULL,
};

enum tool_status cmd_serve(int argc, char **argv) {
    static char qemu[] = "qemu-system-x86_64";
    static char *qemu_argv[] = {qemu, NULL};
    struct serve_options serve = {.vmm = {.memory_mib = 512,
                                          .inherit = -1,
                                          .input = -1,
                                          .output = -1,
                                          .watched = -1,
                                          .show = true,
                                          .say = tool_message}};
    int status = 0;

    argp_parse(&serve_argp, argc, argv, ARGP_IN_ORDER, NULL, &serve);
    if (!serve.vmm.argv) {
        serve.vmm.argv = qemu_argv;
        vmm_print(&serve.vmm, stdout);
        return TOOL_OK;
    }
    if (!watch_open(&serve.watch))
        return TOOL_FAILED;
    serve.vmm.made = watch_made;
    serve.vmm.ends = watch_ends;
    serve.vmm.card_opaque = &serve.watch;
    enum vmm_end end = vmm_run(&serve.vmm, &status);
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
    case VMM_FAILED:
        break;
    }
    return TOOL_FAILED;
}
