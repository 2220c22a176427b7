/* SPDX-License-Identifier: MIT */
/* A recorder on a kernel of the test's own: a few buffers and answers. What it writes is read back as lines. */
#ifndef PFIFO_TESTS_DRM_RECORD_RIG_H
#define PFIFO_TESTS_DRM_RECORD_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <drm.h>
#include <drm_mode.h>
#include <errno.h>
#include <nouveau_drm.h>
#include <string.h>

#include "face/drm/node/uapi.h"
#include "face/drm/record/record.h"

#define COUNT_OF(array)            (sizeof(array) / sizeof((array)[0]))
#define NOUVEAU(number, structure) DRM_IOWR(DRM_COMMAND_BASE + (number), structure)

#define FAKE_BUFFERS 16u /* handles 1 .. 15 */
#define FAKE_PAGES   4u
#define PAGE         4096u
#define VRAM         NOUVEAU_GEM_DOMAIN_VRAM
#define GART         NOUVEAU_GEM_DOMAIN_GART
#define FAKE_FB_ID   17u /* the property of that name */
#define FAKE_LINES   96u

struct fake {
    struct record_client *client;
    uint8_t memory[FAKE_BUFFERS][FAKE_PAGES * PAGE];
    bool exists[FAKE_BUFFERS];
    unsigned same[FAKE_BUFFERS]; /* 0, or the handle whose memory and address this one has */
    bool cannot_map;
    unsigned maps, unmaps, settles, opens, infos;
    bool no_file;
    bool has_space; /* fake_space() was called */
    uint8_t file[1u << 20];
    size_t bytes, room;
    char line[200];          /* of the log, the last */
    char *lines[FAKE_LINES]; /* of the capture */
    unsigned line_count;
};

/* A client of a file of "nouveau". */
void fake_open(struct fake *fake);
/* The last descriptor is closed. */
void fake_close(struct fake *fake);

/* The program's ioctl, with the answer that the kernel has put into `structure`. */
void fake_ioctl(struct fake *fake, unsigned long request, void *structure, int status);

/* GEM_NEW of FAKE_PAGES pages; and whether the program maps it. */
void fake_buffer(struct fake *fake, uint32_t handle, bool mapped);
void fake_gem_close(struct fake *fake, uint32_t handle);
void fake_channel(struct fake *fake, uint32_t channel);
uint64_t fake_address(uint32_t handle);
uint64_t fake_map_handle(uint32_t handle);

/* A submission of 8 bytes of `handle` at `offset`, to channel 1; then come other buffers, up to a 0. */
struct fake_submission {
    struct drm_nouveau_gem_pushbuf request;
    struct drm_nouveau_gem_pushbuf_bo buffers[8];
    struct drm_nouveau_gem_pushbuf_reloc relocs[2];
    struct drm_nouveau_gem_pushbuf_push pushes[2];
    struct record_submission *under_way;
};

void fake_fill(struct fake_submission *submission, uint32_t handle, uint64_t offset, const uint32_t *others);
void fake_begin(struct fake *fake, struct fake_submission *submission);
void fake_end(struct fake *fake, struct fake_submission *submission, int status);
/* All three of it. */
void fake_submit(struct fake *fake, uint32_t handle, uint64_t offset, const uint32_t *others, int status);

/* ---- files that manage their address space ---- */

/* fake_open(), and VM_INIT: the kernel keeps all from 1 << 39 up to 1 << 40. */
void fake_space(struct fake *fake);
/* VM_BIND, which succeeds. */
void fake_bind(struct fake *fake, const struct uapi_bind_operation *operations, uint32_t count);
void fake_map(struct fake *fake, uint32_t handle, uint64_t address, uint64_t offset, uint64_t bytes);
void fake_unmap(struct fake *fake, uint64_t address, uint64_t bytes);

/* EXEC on channel 1. */
struct fake_exec {
    struct uapi_exec request;
    struct uapi_exec_push pushes[4];
    struct uapi_sync waits[2], signals[2];
    struct record_submission *under_way;
};

/* Of 8 bytes at an address. */
void fake_exec_fill(struct fake_exec *exec, uint64_t address);
void fake_exec_begin(struct fake *fake, struct fake_exec *exec);
void fake_exec_end(struct fake *fake, struct fake_exec *exec, int status);
/* All three of it. */
void fake_exec(struct fake *fake, uint64_t address, int status);

/*
 * The capture as it is in the file now, one line per record: "BONEW 1", "BODATA 1+0 2" (pages), "PUSH 1+8 aabbccdd
 * ...", "TEXT note=..." and so on.
 */
void fake_read(struct fake *fake);
/* It has these lines, in this order, NULL terminated; others may be between them. */
void fake_expect(struct fake *fake, const char *const *lines);
unsigned fake_count(const struct fake *fake, const char *prefix);

#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif
