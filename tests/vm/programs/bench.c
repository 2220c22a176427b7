/* SPDX-License-Identifier: MIT */
/*
 * What accesses of a guest to its card cost: a register, and VRAM through BAR1. The card has no driver meanwhile. A
 * line "NAME NANOSECONDS" for each.
 */
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define BYTES       65536u
#define ROUNDS      9u
#define ROUND_NS    50000000.0 /* a round takes so long, or one access */
#define DWORDS      (BYTES / 4)
#define PMC_BOOT_0  0u
#define NVIDIA      0x10deu
#define PATH_BYTES  256u
#define FIRST_BATCH 16u

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

static bool has_vendor(const char *folder, unsigned vendor) {
    char path[PATH_BYTES], text[16] = "";

    snprintf(path, sizeof path, "%s/vendor", folder);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool read = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    return read && strtoul(text, NULL, 16) == vendor;
}

static void find_card(char folder[PATH_BYTES]) {
    glob_t found = {0};
    bool there = false;

    glob("/sys/bus/pci/devices/*", 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc && !there; i++) {
        there = has_vendor(found.gl_pathv[i], NVIDIA);
        snprintf(folder, PATH_BYTES, "%s", found.gl_pathv[i]);
    }
    globfree(&found);
    if (!there)
        fail("no card");
}

static void enable(const char *folder) {
    char path[PATH_BYTES + 16];

    snprintf(path, sizeof path, "%s/enable", folder);
    int fd = open(path, O_WRONLY);
    if (fd < 0 || write(fd, "1", 1) != 1)
        fail("the card cannot be enabled");
    close(fd);
}

static volatile uint32_t *map_bar(const char *folder, unsigned bar) {
    char path[PATH_BYTES + 16];

    snprintf(path, sizeof path, "%s/resource%u", folder, bar);
    int fd = open(path, O_RDWR);
    void *at = fd < 0 ? MAP_FAILED : mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        fail("a BAR cannot be mapped");
    close(fd);
    return at;
}

/* ---- what is measured ---- */

static volatile uint32_t *registers, *vram;

static void read_register(unsigned count) {
    while (count--)
        (void)registers[PMC_BOOT_0];
}

static void read_vram(unsigned count) {
    while (count--)
        (void)vram[count % DWORDS];
}

static void write_vram(unsigned count) {
    while (count--)
        vram[count % DWORDS] = count;
}

static double now(void) {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double nanoseconds_of(void (*work)(unsigned count), unsigned count) {
    double start = now();

    work(count);
    return now() - start;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The median of the rounds. */
static void measure(const char *name, void (*work)(unsigned count)) {
    double each[ROUNDS];
    unsigned count = FIRST_BATCH;

    while (count < 1u << 28 && nanoseconds_of(work, count) < ROUND_NS)
        count *= 2;
    for (unsigned i = 0; i < ROUNDS; i++)
        each[i] = nanoseconds_of(work, count) / count;
    qsort(each, ROUNDS, sizeof each[0], by_value);
    printf("%s %.1f\n", name, each[ROUNDS / 2]);
    fflush(stdout);
}

int main(void) {
    char folder[PATH_BYTES];

    find_card(folder);
    enable(folder);
    registers = map_bar(folder, 0);
    vram = map_bar(folder, 1);
    if (registers[PMC_BOOT_0] == UINT32_MAX)
        fail("the card does not answer");
    vram[0] = 0x12345678;
    if (vram[0] != 0x12345678)
        fail("VRAM does not keep what is written");
    measure("register-read", read_register);
    measure("vram-read", read_vram);
    measure("vram-write", write_vram);
    return 0;
}
