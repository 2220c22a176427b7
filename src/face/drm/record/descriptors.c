/* SPDX-License-Identifier: MIT */
#include "face/drm/record/descriptors.h"

#include <linux/kcmp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic(struct recorded *) table[DESCRIPTORS_MOST];
static atomic_int top; /* none above it was ever set */

struct recorded *descriptors_at(int fd) {
    return fd >= 0 && fd < DESCRIPTORS_MOST ? atomic_load(&table[fd]) : NULL;
}

bool descriptors_set(int fd, struct recorded *recorded) {
    if (fd < 0 || fd >= DESCRIPTORS_MOST)
        return false;
    if (recorded) {
        int seen = atomic_load(&top);
        while (seen < fd && !atomic_compare_exchange_weak(&top, &seen, fd))
            continue;
        atomic_fetch_add(&recorded->descriptors, 1);
    }
    struct recorded *before = atomic_exchange(&table[fd], recorded);
    return before && atomic_fetch_sub(&before->descriptors, 1) == 1;
}

static bool is_same_file(int a, int b) {
    return syscall(SYS_kcmp, getpid(), getpid(), KCMP_FILE, a, b) == 0;
}

struct recorded *descriptors_same(int fd, dev_t rdev) {
    int last = atomic_load(&top);
    for (int other = 0; other <= last; other++) {
        struct recorded *recorded = descriptors_at(other);
        if (recorded && other != fd && recorded->rdev == rdev && is_same_file(fd, other))
            return recorded;
    }
    return NULL;
}

void descriptors_forget(void) {
    int last = atomic_load(&top);
    for (int fd = 0; fd <= last; fd++)
        descriptors_set(fd, NULL);
}
