/* SPDX-License-Identifier: MIT */
#include "mesa/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "temporary.h"

const struct mesa_chip mesa_chips[] = {
    {"nv40", "NV40", 20, false},   {"nv44", "NV44", 20, false},   {"g80", "NV50", 30, false},
    {"g84", "NV84", 30, false},    {"gt215", "NVA3", 30, false},  {"gf100", "NVC0", 31, false},
    {"gf119", "NVD9", 31, true},   {"gk104", "NVE4", 31, false},  {"gk20a", "NVEA", 31, true},
    {"gk110", "NVF0", 31, false},  {"gk208", "NV108", 31, true},  {"gm107", "NV117", 31, false},
    {"gm200", "NV120", 31, true},  {"gm20b", "NV12B", 31, false}, {"gp100", "NV130", 31, true},
    {"gp102", "NV132", 31, false}, {"gp10b", "NV13B", 31, true},  {NULL, NULL, 0, false},
};

/* Is this one of the words? */
static bool has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words + strspn(words, " "); *at; at += strspn(at, " ")) {
        size_t bytes = strcspn(at, " ");
        if (bytes == length && strncmp(at, word, bytes) == 0)
            return true;
        at += bytes;
    }
    return false;
}

bool client_wants(const struct mesa_chip *chip) {
    const char *wanted = getenv("PFIFO_MESA_CHIPS");
    return wanted ? has_word(wanted, chip->name) : !chip->further;
}

const char *const *client_chips(const char *const *usual) {
    static const char *asked[32];
    size_t count = 0;
    if (!getenv("PFIFO_MESA_CHIPS"))
        return usual;
    for (const struct mesa_chip *chip = mesa_chips; chip->name; chip++)
        if (client_wants(chip))
            asked[count++] = chip->name;
    asked[count] = NULL;
    return asked;
}

const struct mesa_chip *client_chip(const char *name) {
    for (const struct mesa_chip *chip = mesa_chips; chip->name; chip++)
        if (strcmp(chip->name, name) == 0)
            return chip;
    fail_msg("no chip %s", name);
    return NULL;
}

const char *client_program(const char *variable) {
    const char *path = getenv(variable);
    if (!path)
        skip();
    return path;
}

bool client_is_zink(void) {
    const char *driver = getenv("PFIFO_MESA_DRIVER");
    return driver && strcmp(driver, "zink") == 0;
}

const char *client_renderer(const char *chip) {
    static char text[64];
    if (!client_is_zink())
        return client_chip(chip)->renderer;
    int length = snprintf(text, sizeof text, "NVK %s", chip);
    for (int i = 0; i < length; i++)
        text[i] = (char)toupper((unsigned char)text[i]);
    return text;
}

static void put(const char *assignment) {
    char name[64];
    const char *equals = strchr(assignment, '=');
    snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - assignment) : 0, assignment);
    if (!equals || setenv(name, equals + 1, 1) != 0)
        _exit(125);
}

static void put_renderer(const char *name) {
    char text[96];
    for (const struct mesa_chip *chip = mesa_chips; chip->name; chip++) {
        if (strcmp(chip->name, name) != 0)
            continue;
        snprintf(text, sizeof text, "PFIFO_MESA_RENDERER=%s", client_renderer(name));
        put(text);
    }
    if (client_is_zink()) {
        put("MESA_LOADER_DRIVER_OVERRIDE=zink");
        put("NVK_I_WANT_A_BROKEN_VULKAN_DRIVER=1"); /* Mesa 25 */
    }
}

static void put_variables(const struct client *client) {
    char text[4200];
    /* What is compiled once and kept would change what is submitted. */
    put("MESA_SHADER_CACHE_DISABLE=1");
    if (client->chip) {
        snprintf(text, sizeof text, "PFIFO_CHIP=%s", client->chip);
        put(text);
        snprintf(text, sizeof text, "LD_PRELOAD=%s", getenv("PFIFO_SHIM"));
        put(text);
        put_renderer(client->chip);
    } else {
        put("LIBGL_ALWAYS_SOFTWARE=1");
    }
    for (size_t i = 0; client->variables && client->variables[i]; i++)
        put(client->variables[i]);
}

/* Mesa keeps some memory to the end. */
static void put_sanitizers(void) {
    char text[8400];
    const char *preloaded = getenv("LD_PRELOAD"), *sanitizers = getenv("PFIFO_SANITIZERS");
    if (!sanitizers)
        return;
    put("ASAN_OPTIONS=detect_leaks=0");
    snprintf(text, sizeof text, "LD_PRELOAD=%s:%s", sanitizers, preloaded ? preloaded : "");
    if (preloaded)
        put(text);
}

static _Noreturn void become(const struct client *client, const int input[2], int told) {
    /* A program that spins ends some time: by the processor's time, which does not depend on what else runs. */
    const struct rlimit seconds = {120, 121};
    setrlimit(RLIMIT_CPU, &seconds);
    dup2(input[0], 0);
    dup2(client->out, 1);
    dup2(client->err, 2);
    /* The writing end of the input stays open, so that no end of file comes. */
    if (fcntl(input[1], F_DUPFD, 4) < 0 || (client->tells && told != 3 && dup2(told, 3) < 0))
        _exit(125);
    if (client->tells)
        fcntl(3, F_SETFD, 0);
    put_variables(client);
    put_sanitizers();
    execv(client->arguments[0], (char **)(uintptr_t)client->arguments);
    fprintf(stderr, "%s: %s\n", client->arguments[0], strerror(errno));
    _exit(127);
}

static int temporary_file(void) {
    char name[TEMPORARY_PATH];
    temporary_pattern(name, "");
    int fd = mkostemp(name, O_CLOEXEC);
    assert_true(fd >= 0);
    unlink(name);
    return fd;
}

void client_start(struct client *client) {
    int input[2], told[2];
    assert_int_equal(pipe2(input, O_CLOEXEC), 0);
    assert_int_equal(pipe2(told, O_CLOEXEC), 0);
    client->out = temporary_file();
    client->err = temporary_file();
    client->pid = fork();
    assert_true(client->pid >= 0);
    if (client->pid == 0)
        become(client, input, told[1]);
    close(input[0]);
    close(input[1]);
    close(told[1]);
    client->told = told[0];
}

bool client_wait_for(struct client *client) {
    char byte;
    return read(client->told, &byte, 1) == 1;
}

static char *slurp_fd(int fd, size_t *bytes) {
    off_t size = lseek(fd, 0, SEEK_END);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(pread(fd, text, (size_t)size, 0), size);
    text[size] = '\0';
    *bytes = (size_t)size;
    close(fd);
    return text;
}

char *client_slurp(const char *path, size_t *bytes) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        fail_msg("%s: %s", path, strerror(errno));
    return slurp_fd(fd, bytes);
}

struct client_end client_wait(struct client *client) {
    struct client_end end = {0};
    size_t bytes;
    int status;
    assert_int_equal(waitpid(client->pid, &status, 0), client->pid);
    end.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    end.out = slurp_fd(client->out, &bytes);
    end.err = slurp_fd(client->err, &bytes);
    close(client->told);
    return end;
}

struct client_end client_run(struct client *client) {
    client_start(client);
    return client_wait(client);
}

void client_end_free(struct client_end *end) {
    free(end->out);
    free(end->err);
    *end = (struct client_end){0};
}

void client_expect(int status, const struct client_end *end) {
    if (end->status != status)
        print_error("%.2000s%.4000s", end->out, end->err);
    assert_int_equal(end->status, status);
}

char *client_directory(void) {
    char name[TEMPORARY_PATH];
    temporary_pattern(name, "");
    assert_non_null(mkdtemp(name));
    char *directory = strdup(name);
    assert_non_null(directory);
    return directory;
}

bool client_directory_remove(char *directory, const char *known) {
    char path[4096];
    bool clean = true;
    DIR *stream = opendir(directory);
    assert_non_null(stream);
    for (struct dirent *entry = readdir(stream); entry; entry = readdir(stream)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (!known || strcmp(entry->d_name, known) != 0) {
            print_error("left behind: %s/%s\n", directory, entry->d_name);
            clean = false;
        }
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        remove(path);
    }
    closedir(stream);
    rmdir(directory);
    free(directory);
    return clean;
}

bool client_has_mesa(void) {
    const char *program = getenv("PFIFO_MESA_PAINT");
    if (!program)
        return false;
    struct client client = {.arguments = ARGUMENTS(program, "-s", "whole", "65", "63", "/dev/null")};
    struct client_end end = client_run(&client);
    bool has = end.status != 77; /* of paint: there is no display of EGL, or no driver */
    client_end_free(&end);
    return has;
}

bool client_lists(const char *list, const char *text) {
    char path[4096], line[2048];
    bool found = false;
    snprintf(path, sizeof path, "%s/%s", getenv("PFIFO_TESTS"), list);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (!found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        found = line[0] != '#' && fnmatch(line, text, 0) == 0;
    }
    fclose(file);
    return found;
}
