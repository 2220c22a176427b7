/* SPDX-License-Identifier: MIT */
/*
 * pfifo vm: a Linux of this host boots in QEMU, and its nouveau finds a card.
 */
#include "face/pci/serve/vmm.h"
#include "face/pci/vm/guest.h"
#include "face/pci/vm/output.h"
#include "face/tool/command/command_line.h"
#include "face/tool/vm/vbios.h"
#include "face/tool/vm/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#define TEXT_BYTES   (PATH_MAX + 128)
#define EXEC_SECONDS 600 /* of a program, without --timeout */

struct vm {
    struct vmm_config vmm;
    struct guest_config guest;
    const char *append, *qemu, *vbios;
    char folder[64], initramfs[80]; /* temporary */
    struct output output;           /* of the guest's program */
    int port;                       /* where it comes from */
    bool vfio_user;                 /* the protocol; false: that of x-pci-proxy-dev */
    struct watch watch;
};

enum {
    KEY_MEMORY = 256,
    KEY_SECONDS,
    KEY_KERNEL,
    KEY_MODULES,
    KEY_BUSYBOX,
    KEY_EXEC,
    KEY_NOUVEAU,
    KEY_APPEND,
    KEY_QEMU,
    KEY_MESA,
    KEY_PROTOCOL,
    KEY_VBIOS
};

static const struct argp_option options[] = {
    {"chip", 'c', "CHIP", 0, "The chip on the card", 0},
    {"exec", KEY_EXEC, "PROGRAM", 0, "Run this static program in the guest, and end with its exit status", 0},
    {"mesa", KEY_MESA, NULL, 0, "The guest has the host's Mesa, and PROGRAM may have libraries", 0},
    {"kernel", KEY_KERNEL, "FILE", 0, "The kernel, vmlinuz-VERSION (default: the last of /boot that has modules)", 0},
    {"modules", KEY_MODULES, "DIR", 0, "The folder with lib/modules/ or usr/lib/modules/ (default /)", 0},
    {"nouveau", KEY_NOUVEAU, "OPTIONS", 0, "Options of the module, as debug=debug", 0},
    {"append", KEY_APPEND, "ARGUMENTS", 0, "More arguments of the kernel", 0},
    {"memory", KEY_MEMORY, "MIB", 0, "The guest's memory, up to 2048 (default 512; 1536 with --mesa)", 0},
    {"vbios", KEY_VBIOS, "FILE", 0, "The image in the card's ROM (default: one of a board without outputs)", 0},
    {"protocol", KEY_PROTOCOL, "NAME", 0,
     "mpqemu, of QEMU's x-pci-proxy-dev (default), or vfio-user, of QEMU 10.1 and later", 0},
    {"timeout", KEY_SECONDS, "SECONDS", 0, "End the guest after this time", 0},
    {"busybox", KEY_BUSYBOX, "FILE", 0, "A static busybox (default: that in PATH)", 0},
    {"qemu", KEY_QEMU, "FILE", 0, "QEMU (default: qemu-system-x86_64)", 0},
    {0},
};

/* The text that an option sets, NULL: none. */
static const char **cmd_vm_text_of(struct vm *vm, int key) {
    switch (key) {
    case KEY_KERNEL:
        return &vm->guest.kernel;
    case KEY_MODULES:
        return &vm->guest.modules;
    case KEY_BUSYBOX:
        return &vm->guest.busybox;
    case KEY_NOUVEAU:
        return &vm->guest.options;
    case KEY_EXEC:
        return &vm->guest.program;
    case KEY_APPEND:
        return &vm->append;
    case KEY_QEMU:
        return &vm->qemu;
    case KEY_VBIOS:
        return &vm->vbios;
    default:
        return NULL;
    }
}

static error_t cmd_vm_parse(int key, char *arg, struct argp_state *state) {
    struct vm *vm = state->input;
    const char **text = cmd_vm_text_of(vm, key);

    if (text) {
        *text = arg;
        return 0;
    }
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &vm->watch;
        return 0;
    case 'c':
        vm->vmm.chip = tool_chip(state, arg);
        return 0;
    case KEY_MEMORY:
        vm->vmm.memory_mib = tool_amount(state, "memory", arg, VMM_MEMORY_MAX);
        return 0;
    case KEY_PROTOCOL:
        vm->vfio_user = strcmp(arg, "vfio-user") == 0;
        if (!vm->vfio_user && strcmp(arg, "mpqemu") != 0)
            argp_error(state, "--protocol is mpqemu or vfio-user, not '%s'", arg);
        return 0;
    case KEY_MESA:
        vm->guest.mesa = true;
        return 0;
    case KEY_SECONDS:
        vm->vmm.seconds = tool_amount(state, "timeout", arg, 1000000);
        return 0;
    case ARGP_KEY_ARGS:
        vm->guest.arguments = state->argv + state->next;
        return 0;
    case ARGP_KEY_END:
        if (vm->guest.arguments && !vm->guest.program)
            argp_error(state, "arguments are the program's: use --exec");
        if (!vm->vmm.chip)
            argp_error(state, "--chip is missing");
        if (!vm->vmm.memory_mib)
            vm->vmm.memory_mib = vm->guest.mesa ? 1536 : 512;
        if (vm->guest.program && !vm->vmm.seconds)
            vm->vmm.seconds = EXEC_SECONDS;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child vm_children[] = {{&watch_argp, 0, NULL, 0}, {0}};

static const struct argp vm_argp = {
    options,
    cmd_vm_parse,
    "--chip=CHIP\n--chip=CHIP --exec=PROGRAM [-- ARGUMENT...]",
    "Boot a Linux of this host in QEMU with a card in a PCI slot, and load nouveau. The console is on standard output, "
    "with --exec on standard error. Without --exec, and if standard input is a terminal, a shell is started; else the "
    "guest ends."
    "\vThe exit status is that of the program; 124 after --timeout, 2 if the guest did not come so far.",
    vm_children,
    NULL,
    NULL,
};

/* ---- the first file system ---- */

static bool make_folder(struct vm *vm) {
    const char *temporary = getenv("TMPDIR");

    if ((size_t)snprintf(vm->folder, sizeof vm->folder, "%s/pfifo-vm-XXXXXX", temporary ? temporary : "/tmp") >=
            sizeof vm->folder ||
        !mkdtemp(vm->folder)) {
        tool_cannot(vm->folder, "make a folder");
        vm->folder[0] = 0;
        return false;
    }
    snprintf(vm->initramfs, sizeof vm->initramfs, "%s/initramfs", vm->folder);
    return true;
}

static void remove_folder(const struct vm *vm) {
    if (!vm->folder[0])
        return;
    unlink(vm->initramfs);
    rmdir(vm->folder);
}

static bool make_guest(struct vm *vm, struct guest *guest) {
    struct pfifo_error error = {0};

    if (!make_folder(vm))
        return false;
    FILE *file = fopen(vm->initramfs, "wb");
    if (!file)
        return tool_cannot(vm->initramfs, "write");
    bool made = guest_make(guest, &vm->guest, file, &error);
    if (!made)
        tool_message("%s", error.message);
    return fclose(file) == 0 && made;
}

/* ---- the guest runs ---- */

/* False: the port is closed. */
static bool take_output(void *opaque) {
    struct vm *vm = opaque;
    char data[4096];
    ssize_t got = recv(vm->port, data, sizeof data, MSG_DONTWAIT);

    if (got > 0)
        output_take(&vm->output, data, (size_t)got);
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

/* All that the guest has sent. False: it did not send its status. */
static bool end_output(struct vm *vm, int *status) {
    char data[4096];
    ssize_t got;

    while ((got = recv(vm->port, data, sizeof data, MSG_DONTWAIT)) > 0)
        output_take(&vm->output, data, (size_t)got);
    return output_end(&vm->output, status);
}

static enum tool_status run_guest(struct vm *vm, const struct guest *guest, int *status) {
    char append[TEXT_BYTES], serial[64];
    char kernel[PATH_MAX], qemu[PATH_MAX];

    snprintf(append, sizeof append, "console=ttyS0 oops=panic panic=-1 %s", vm->append ? vm->append : "");
    snprintf(serial, sizeof serial, "socket,id=pfifo-status,fd=%d", vm->vmm.inherit);
    snprintf(kernel, sizeof kernel, "%s", guest->kernel);
    snprintf(qemu, sizeof qemu, "%s", vm->qemu ? vm->qemu : "qemu-system-x86_64");
    char *argv[] = {qemu,
                    "-accel",
                    "tcg",
                    "-smp",
                    "1",
                    "-nodefaults",
                    "-no-user-config",
                    "-display",
                    "none",
                    "-no-reboot",
                    "-chardev",
                    "stdio,id=pfifo-console,signal=off",
                    "-serial",
                    "chardev:pfifo-console",
                    "-chardev",
                    serial,
                    "-serial",
                    "chardev:pfifo-status",
                    "-kernel",
                    kernel,
                    "-initrd",
                    vm->initramfs,
                    "-append",
                    append,
                    NULL};
    vm->vmm.argv = argv;
    int ended = 0;
    enum vmm_end end = vm->vfio_user ? vmm_run_vfio_user(&vm->vmm, &ended) : vmm_run(&vm->vmm, &ended);
    bool has_status = end_output(vm, status);
    switch (end) {
    case VMM_EXITED:
        if (has_status)
            return TOOL_OK;
        tool_message("the guest ended without a status, as when its kernel panics; QEMU's is %d", ended);
        return TOOL_FAILED;
    case VMM_STOPPED:
        *status = 128 + ended;
        return TOOL_OK;
    case VMM_TIMEOUT:
        tool_message("the guest did not end within %u seconds", vm->vmm.seconds);
        *status = 124;
        return TOOL_OK;
    case VMM_ALONE:
    case VMM_FAILED:
        break;
    }
    return TOOL_FAILED;
}

static enum tool_status boot(struct vm *vm, int *status) {
    struct termios terminal;
    struct guest guest;
    int ends[2];
    bool interactive = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &terminal) == 0;

    vm->guest.shell = interactive && !vm->guest.program;
    if (!make_guest(vm, &guest))
        return TOOL_FAILED;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        tool_message("cannot make sockets: %s", strerror(errno));
        return TOOL_FAILED;
    }
    vm->vmm.inherit = ends[1];
    vm->port = ends[0];
    vm->vmm.port = (struct pump_port){vm->port, take_output, vm};
    vm->vmm.watch = watch_card(&vm->watch);
    vm->output.file = stdout;
    if (vm->guest.program)
        vm->vmm.output = STDERR_FILENO;
    if (!vm->guest.shell)
        vm->vmm.input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    enum tool_status result = run_guest(vm, &guest, status);
    close(ends[0]);
    if (vm->vmm.input >= 0)
        close(vm->vmm.input);
    if (interactive)
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal); /* QEMU may have been killed */
    return result;
}

enum tool_status cmd_vm(int argc, char **argv) {
    struct vm vm = {
        .vmm = {.inherit = -1, .input = -1, .output = -1, .port = {.fd = -1}, .is_qemu = true, .say = tool_message}};
    int status = 0;

    command_line_parse(&vm_argp, argc, argv, 0, &vm);
    struct vbios vbios;
    if (!vbios_read(&vbios, vm.vbios))
        return TOOL_FAILED;
    if (!watch_open(&vm.watch)) {
        vbios_free(&vbios);
        return TOOL_FAILED;
    }
    vm.vmm.vbios = vbios.data;
    vm.vmm.vbios_bytes = vbios.bytes;
    enum tool_status result = boot(&vm, &status);
    remove_folder(&vm);
    vbios_free(&vbios);
    if (!watch_close(&vm.watch))
        result = TOOL_FAILED;
    if (result == TOOL_OK)
        exit(status);
    return result;
}
