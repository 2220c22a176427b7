/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/vmm.h"

#include "face/pci/serve/serve.h"
#include "face/pci/serve/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_MS 3000 /* to end by itself, and again after SIGTERM */

/* ---- the command line ---- */

#define TEXT_BYTES 128
#define ADDED_MAX  16

/* What the card needs of the VMM. */
struct arguments {
    char memory[TEXT_BYTES], size[TEXT_BYTES], device[TEXT_BYTES], qtest[TEXT_BYTES];
    char *added[ADDED_MAX];
    unsigned count;
};

static void add(struct arguments *arguments, char *option, char *value) {
    arguments->added[arguments->count++] = option;
    arguments->added[arguments->count++] = value;
}

static void make_arguments(struct arguments *arguments, const struct vmm_config *config, int client, int qtest) {
    static char machine[] = "q35,memory-backend=pfifo-ram",
                object[] = "qtest,id=pfifo-qtest,chardev=pfifo-irq,log=/dev/null";

    *arguments = (struct arguments){0};
    snprintf(arguments->size, TEXT_BYTES, "%uM", config->memory_mib);
    snprintf(arguments->memory, TEXT_BYTES, "memory-backend-memfd,id=pfifo-ram,size=%uM,share=on", config->memory_mib);
    snprintf(arguments->device, TEXT_BYTES, "x-pci-proxy-dev,id=pfifo,fd=%d,addr=" INTERRUPTS_SLOT, client);
    snprintf(arguments->qtest, TEXT_BYTES, "socket,id=pfifo-irq,fd=%d", qtest);
    add(arguments, "-machine", machine);
    add(arguments, "-m", arguments->size);
    add(arguments, "-object", arguments->memory);
    add(arguments, "-device", arguments->device);
    if (qtest < 0)
        return;
    add(arguments, "-chardev", arguments->qtest);
    add(arguments, "-object", object);
}

/* To be freed. NULL: no memory. */
static char **whole_line(const struct arguments *arguments, char **argv) {
    size_t given = 0;

    while (argv[given])
        given++;
    char **line = calloc(given + arguments->count + 1, sizeof *line);
    if (!line)
        return NULL;
    line[0] = argv[0];
    memcpy(line + 1, arguments->added, arguments->count * sizeof *line);
    memcpy(line + 1 + arguments->count, argv + 1, (given - 1) * sizeof *line);
    return line;
}

static void print_word(const char *word, FILE *file) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=,./:@%";

    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, file);
        return;
    }
    fputc('\'', file);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", file);
        else
            fputc(*word, file);
    }
    fputc('\'', file);
}

static void print_line(char **line, FILE *file) {
    for (size_t i = 0; line[i]; i++) {
        if (i)
            fputc(' ', file);
        print_word(line[i], file);
    }
    fputc('\n', file);
}

void vmm_print(const struct vmm_config *config, FILE *file) {
    struct arguments arguments;

    make_arguments(&arguments, config, 3, config->irqfd ? -1 : 4);
    char **line = whole_line(&arguments, config->argv);
    if (line)
        print_line(line, file);
    free(line);
}

/* ---- the child ---- */

/* A pair of sockets: [0] is for this process, [1] for the child. */
struct ends {
    int client[2], qtest[2];
    struct stop stop;
    pid_t child, parent;
};

static void close_end(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static bool open_ends(struct ends *ends, const struct vmm_config *config) {
    *ends = (struct ends){.client = {-1, -1}, .qtest = {-1, -1}, .parent = getpid()};
    if (stop_begin(&ends->stop, config->seconds, true) &&
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends->client) == 0 &&
        (config->irqfd || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends->qtest) == 0))
        return true;
    config->say("cannot make sockets: %s", strerror(errno));
    return false;
}

static void inherit(int fd) {
    if (fd >= 0)
        fcntl(fd, F_SETFD, 0);
}

static void become(const struct ends *ends, const struct vmm_config *config, char **line) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != ends->parent)
        _exit(127);
    inherit(ends->client[1]);
    inherit(ends->qtest[1]);
    inherit(config->inherit);
    if (config->input >= 0)
        dup2(config->input, STDIN_FILENO);
    if (config->output >= 0)
        dup2(config->output, STDOUT_FILENO);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &ends->stop.before, NULL);
    execvp(line[0], line);
    config->say("%s: cannot run: %s", line[0], strerror(errno));
    _exit(errno == ENOENT ? 127 : 126);
}

static bool start(struct ends *ends, const struct vmm_config *config) {
    struct arguments arguments;

    make_arguments(&arguments, config, ends->client[1], ends->qtest[1]);
    char **line = whole_line(&arguments, config->argv);
    if (!line)
        return false;
    if (config->show)
        print_line(line, stderr);
    fflush(NULL);
    ends->child = fork();
    if (ends->child == 0)
        become(ends, config, line);
    free(line);
    close_end(&ends->client[1]);
    close_end(&ends->qtest[1]);
    if (config->inherit >= 0)
        close(config->inherit);
    if (ends->child > 0)
        return true;
    config->say("%s: cannot run: %s", config->argv[0], strerror(errno));
    return false;
}

/* False: it still runs after the time. */
static bool wait_child(pid_t child, unsigned milliseconds, int *status) {
    const struct timespec step = {.tv_nsec = 5000000};

    for (unsigned waited = 0; waited <= milliseconds; waited += 5) {
        pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child || (ended < 0 && errno == ECHILD))
            return true;
        nanosleep(&step, NULL);
    }
    return false;
}

static int end_child(pid_t child, bool by_itself) {
    int status = 0;

    if (!by_itself || !wait_child(child, GRACE_MS, &status)) {
        kill(child, SIGTERM);
        if (!wait_child(child, GRACE_MS, &status)) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
        }
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- the card ---- */

static bool make_card(struct serve *serve, const struct vmm_config *config) {
    struct pfifo_error error;
    struct pfifo_pci_config card = {
        .size = sizeof card,
        .gpu = {.size = sizeof card.gpu, .chip = config->chip, .clock = pump_clock},
        .bars_32 = true,
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
static enum vmm_end end_of(const struct stop *stop, int *status) {
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

    if (!start(ends, config))
        return VMM_FAILED;
    bool served = serve_run(serve, ends->stop.fd, &error) == PFIFO_OK;
    enum vmm_end end = served ? end_of(&ends->stop, status) : VMM_FAILED;
    if (!served)
        config->say("%s: %s", config->argv[0], error.message);
    if (serve->interrupts.lost)
        config->say("%s: messages of interrupts were lost; they need qtest", config->argv[0]);
    serve_end(serve);
    int code = end_child(ends->child, end == VMM_EXITED);
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
        serve.watched = config->watched;
        serve.readable = config->readable;
        serve.opaque = config->opaque;
        if (make_card(&serve, config))
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
