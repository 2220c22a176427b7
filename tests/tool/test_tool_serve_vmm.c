/* SPDX-License-Identifier: MIT */
/* `pfifo serve -- VMM`: it gets a card, and whatever becomes of the two, neither stays behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tool/process.h"
#include "tool/tool.h"

enum { MPQEMU, VFIO_USER };

static char folder[] = "/tmp/pfifo-vmm-XXXXXX"; /* TMPDIR of the servers */

static const char *vmm_name(void) {
    const char *name = getenv("PFIFO_VMM");

    assert_non_null(name);
    return name;
}

/* A server with this option, NULL: none, whose VMM does this. */
static void start(struct process *process, int protocol, const char *option, const char *action) {
    static const char *const names[] = {"--protocol=mpqemu", "--protocol=vfio-user"};

    process_start(process, false,
                  (const char *const[]){"serve", "--chip=NV34", names[protocol], option ? option : "--timeout=600",
                                        "--", vmm_name(), action, protocol == VFIO_USER ? "{socket}" : NULL, NULL});
}

static unsigned files_in_folder(void) {
    DIR *all = opendir(folder);
    unsigned count = 0;

    assert_non_null(all);
    for (struct dirent *entry; (entry = readdir(all));)
        count += entry->d_name[0] != '.';
    closedir(all);
    return count;
}

/* The VMM has the pipes, too: they are at their end when both processes have ended. */
static void expect_end(struct process *process, int status) {
    int ended = process_finish(process);

    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != status)
        fail_msg("0x%x: %s%s", ended, process->said[0], process->said[1]);
    assert_int_equal(files_in_folder(), 0);
}

static uint64_t milliseconds(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- a VMM of vfio-user ---- */

static void a_vmm_finds_the_card_at_a_private_socket(void **state) {
    static struct process process;
    (void)state;
    start(&process, VFIO_USER, NULL, "work");
    expect_end(&process, 7);
    process_expect(&process, 0, "BOOT_0 0x034000a1\n");
    process_expect(&process, 1, folder);
}

static void the_path_may_be_a_part_of_an_argument(void **state) {
    static struct process process;
    (void)state;
    process_start(&process, false,
                  (const char *const[]){"serve", "--chip=NV34", "--protocol=vfio-user", "--", "/bin/echo",
                                        "a={socket},b", "{socket}{socket}", NULL});
    expect_end(&process, 0);
    process_expect(&process, 0, "a=/tmp/pfifo-vmm-");
    process_expect(&process, 0, "/socket,b /tmp/pfifo-vmm-");
    process_expect(&process, 0, "/socket/tmp/pfifo-vmm-");
    process_expect(&process, 1, "/bin/echo: ended without a connection to the card\n");
}

/* A program that has QEMU's name. */
static void qemu_gets_the_card_by_arguments(void **state) {
    static struct process process;
    char path[100], program[200];
    (void)state;
    snprintf(path, sizeof path, "%s-bin", folder);
    snprintf(program, sizeof program, "%s/qemu-system-test", path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(symlink("/bin/echo", program), 0);
    process_start(&process, false,
                  (const char *const[]){"serve", "--chip=NV34", "--protocol=vfio-user", "--memory=64", "--", program,
                                        "-nodefaults", NULL});
    expect_end(&process, 0);
    process_expect(&process, 0,
                   "-machine q35,memory-backend=pfifo-ram -m 64M -object "
                   "memory-backend-memfd,id=pfifo-ram,size=64M,share=on -device "
                   "{\"driver\":\"vfio-user-pci\",\"socket\":{\"type\":\"unix\",\"path\":\"/tmp/pfifo-vmm-");
    process_expect(&process, 0, "/socket\"}} -nodefaults\n");
    unlink(program);
    rmdir(path);
}

static void write_executable(const char *name, const char *text) {
    char path[200];
    FILE *file;

    snprintf(path, sizeof path, "%s-vm/%s", folder, name);
    assert_non_null(file = fopen(path, "w"));
    fputs(text, file);
    fclose(file);
    chmod(path, 0700);
}

/* A kernel with one module, as far as `pfifo vm` looks at them. */
static void make_kernel(void) {
    static const char *const folders[] = {"", "/lib", "/lib/modules", "/lib/modules/1"};
    char text[200];

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(text, sizeof text, "%s-vm%s", folder, folders[i]);
        assert_int_equal(mkdir(text, 0700), 0);
    }
    write_executable("vmlinuz-1", "");
    write_executable("lib/modules/1/modules.dep", "");
    write_executable("lib/modules/1/nouveau.ko", "");
    snprintf(text, sizeof text, "#!/bin/sh\necho insmod %s-vm/lib/modules/1/nouveau.ko\n", folder);
    write_executable("modprobe", text);
}

static void remove_kernel(void) {
    static const char *const names[] = {"vmlinuz-1",
                                        "lib/modules/1/modules.dep",
                                        "lib/modules/1/nouveau.ko",
                                        "modprobe",
                                        "lib/modules/1",
                                        "lib/modules",
                                        "lib",
                                        ""};
    char path[200];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s-vm/%s", folder, names[i]);
        assert_int_equal(remove(path), 0);
    }
}

/* Whatever the name of QEMU's file is. */
static void a_guest_gets_a_card_of_vfio_user_by_arguments(void **state) {
    static struct process process;
    char kernel[100], modules[100], path[4096], *before = strdup(getenv("PATH"));
    (void)state;
    make_kernel();
    snprintf(kernel, sizeof kernel, "--kernel=%s-vm/vmlinuz-1", folder);
    snprintf(modules, sizeof modules, "--modules=%s-vm", folder);
    snprintf(path, sizeof path, "%s-vm:%s", folder, before);
    setenv("PATH", path, 1);
    process_start(&process, false,
                  (const char *const[]){"vm", "--chip=NV34", "--protocol=vfio-user", "--qemu=/bin/echo",
                                        "--busybox=/bin/echo", kernel, modules, "--memory=64", NULL});
    expect_end(&process, 2);
    setenv("PATH", before, 1);
    free(before);
    remove_kernel();
    process_expect(&process, 0,
                   "-object memory-backend-memfd,id=pfifo-ram,size=64M,share=on -device "
                   "{\"driver\":\"vfio-user-pci\",\"socket\":{\"type\":\"unix\",\"path\":\"/tmp/pfifo-vmm-");
    process_expect(&process, 0, "/socket\"}} -accel tcg ");
    process_expect(&process, 1, "/bin/echo: ended without a connection to the card\n");
}

static void the_protocol_of_a_guest_is_one_of_two(void **state) {
    struct outcome outcome = tool_run("vm", "--chip=NV34", "--protocol=vfio");
    (void)state;
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--protocol is mpqemu or vfio-user, not 'vfio'\n"));
    outcome_free(&outcome);
}

static void a_vmm_that_would_not_find_the_card_is_not_run(void **state) {
    struct outcome outcome = tool_run("serve", "--chip=NV34", "--protocol=vfio-user", "--", vmm_name(), "exit");
    (void)state;
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, ": {socket} is in none of its arguments, so it would not find the card\n"));
    outcome_free(&outcome);
    assert_int_equal(files_in_folder(), 0);
}

static void a_vmm_that_never_connects_does_not_hang_the_server(void **state) {
    static struct process process;
    (void)state;
    start(&process, VFIO_USER, NULL, "exit");
    expect_end(&process, 5);
    start(&process, VFIO_USER, "--timeout=1", "never");
    expect_end(&process, 124);
    start(&process, VFIO_USER, NULL, "never");
    assert_true(process_listen(&process, 0, "started\n"));
    kill(process.pid, SIGINT);
    expect_end(&process, 128 + SIGINT);
}

/* It is not killed for that. */
static void a_vmm_may_leave_the_card_and_work_on(void **state) {
    static struct process process;
    (void)state;
    start(&process, VFIO_USER, NULL, "leave");
    expect_end(&process, 7);
}

static void a_program_that_is_not_there_is_told(void **state) {
    static struct process process;
    (void)state;
    process_start(
        &process, false,
        (const char *const[]){"serve", "--chip=NV34", "--protocol=vfio-user", "--", "/no/such/vmm", "{socket}", NULL});
    expect_end(&process, 127);
    process_expect(&process, 1, "/no/such/vmm: cannot run: No such file or directory\n");
}

/* ---- nothing stays behind ---- */

static void a_server_that_is_killed_leaves_no_vmm(void **state) {
    (void)state;
    for (int protocol = MPQEMU; protocol <= VFIO_USER; protocol++) {
        static struct process process;
        start(&process, protocol, NULL, "stubborn");
        assert_true(process_listen(&process, 0, "half\n"));
        kill(process.pid, SIGKILL);
        int ended = process_finish(&process);
        assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
        assert_int_equal(files_in_folder(), 0); /* the socket went when the VMM had come */
    }
}

static void a_vmm_that_hangs_is_ended_by_a_signal_or_the_time_limit(void **state) {
    (void)state;
    for (int protocol = MPQEMU; protocol <= VFIO_USER; protocol++) {
        static struct process process;
        uint64_t before = milliseconds();
        start(&process, protocol, NULL, "half");
        assert_true(process_listen(&process, 0, "half\n"));
        kill(process.pid, SIGTERM);
        expect_end(&process, 128 + SIGTERM);
        start(&process, protocol, "--timeout=1", "half");
        expect_end(&process, 124);
        assert_true(milliseconds() - before < 20000);
    }
}

static void a_vmm_that_ignores_sigterm_is_killed(void **state) {
    (void)state;
    for (int protocol = MPQEMU; protocol <= VFIO_USER; protocol++) {
        static struct process process;
        start(&process, protocol, NULL, "stubborn");
        assert_true(process_listen(&process, 0, "half\n"));
        kill(process.pid, SIGTERM);
        expect_end(&process, 128 + SIGTERM);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vmm_finds_the_card_at_a_private_socket),
        cmocka_unit_test(the_path_may_be_a_part_of_an_argument),
        cmocka_unit_test(qemu_gets_the_card_by_arguments),
        cmocka_unit_test(a_guest_gets_a_card_of_vfio_user_by_arguments),
        cmocka_unit_test(the_protocol_of_a_guest_is_one_of_two),
        cmocka_unit_test(a_vmm_that_would_not_find_the_card_is_not_run),
        cmocka_unit_test(a_vmm_that_never_connects_does_not_hang_the_server),
        cmocka_unit_test(a_vmm_may_leave_the_card_and_work_on),
        cmocka_unit_test(a_program_that_is_not_there_is_told),
        cmocka_unit_test(a_server_that_is_killed_leaves_no_vmm),
        cmocka_unit_test(a_vmm_that_hangs_is_ended_by_a_signal_or_the_time_limit),
        cmocka_unit_test(a_vmm_that_ignores_sigterm_is_killed),
    };

    unsetenv("PFIFO_TRACE");
    if (!mkdtemp(folder) || setenv("TMPDIR", folder, 1) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
