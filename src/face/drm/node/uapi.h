/* SPDX-License-Identifier: MIT */
/*
 * What came to nouveau with version 1.4, and what libdrm's headers do not have yet. Source: Linux 6.6 and later,
 * include/uapi/drm/nouveau_drm.h.
 */
#ifndef PFIFO_SRC_FACE_DRM_NODE_UAPI_H
#define PFIFO_SRC_FACE_DRM_NODE_UAPI_H

#include <stdint.h>
#include <sys/ioctl.h>

#define UAPI_VM_INIT        0x10
#define UAPI_VM_BIND        0x11
#define UAPI_EXEC           0x12
#define UAPI_GET_ZCULL_INFO 0x13

#define UAPI_EXEC_PUSH_MAX    17 /* of GETPARAM */
#define UAPI_HAS_VMA_TILEMODE 20
#define UAPI_DOMAIN_NO_SHARE  0x20u
#define UAPI_EXEC_NO_PREFETCH 1u
#define UAPI_EXEC_MOST_BYTES  0x7fffffu /* of a push: nouveau_dma.h, NV50_DMA_PUSH_MAX_LENGTH */
#define UAPI_RING_ENTRIES     1023      /* that a channel of the kernel has: nouveau_dma.h, NV50_DMA_IB_MAX */
#define UAPI_MOST_PUSHES      (UAPI_RING_ENTRIES / 2 - 1)
#define UAPI_BIND_MAP         0u
#define UAPI_BIND_UNMAP       1u
#define UAPI_BIND_SPARSE      0x100u
#define UAPI_BIND_KIND        0xffu /* of the flags of an operation */
#define UAPI_BIND_RUN_ASYNC   1u
#define UAPI_SYNC_TYPE        0xfu
#define UAPI_SYNC_BINARY      0u
#define UAPI_SYNC_TIMELINE    1u
#define UAPI_SPACE_END        (UINT64_C(1) << 47)
#define UAPI_WAIT_DEADLINE    8u /* drm.h: of SYNCOBJ_WAIT, a hint */
#define UAPI_FD_TIMELINE      2u /* drm.h, from Linux 6.16 on: of HANDLE_TO_FD and FD_TO_HANDLE, `point` counts */

struct uapi_vm_init {
    uint64_t begin, bytes; /* that the kernel keeps */
};

struct uapi_sync {
    uint32_t flags, handle;
    uint64_t point;
};

/* drm.h: of HANDLE_TO_FD and FD_TO_HANDLE, 0xc1 and 0xc2. Before Linux 6.16 it ends at `point`. */
struct uapi_syncobj_handle {
    uint32_t handle, flags;
    int32_t fd;
    uint32_t pad;
    uint64_t point;
};

/* drm.h, from Linux 6.6 on: SYNCOBJ_EVENTFD, 0xcf */
struct uapi_syncobj_eventfd {
    uint32_t handle, flags;
    uint64_t point;
    int32_t fd;
    uint32_t pad;
};

/* linux/dma-buf.h, from Linux 6.0 on: EXPORT_SYNC_FILE, IMPORT_SYNC_FILE */
struct uapi_dma_buf_file {
    uint32_t flags;
    int32_t fd;
};

#define UAPI_DMA_BUF_EXPORT_SYNC_FILE _IOWR('b', 2, struct uapi_dma_buf_file)
#define UAPI_DMA_BUF_IMPORT_SYNC_FILE _IOW('b', 3, struct uapi_dma_buf_file)
#define UAPI_SYNC_SET_DEADLINE        _IOW('>', 5, uint64_t[2]) /* linux/sync_file.h, from Linux 6.6 on */

struct uapi_bind_operation {
    uint32_t operation, flags, handle, pad;
    uint64_t address, offset, bytes;
};

struct uapi_vm_bind {
    uint32_t operation_count, flags, wait_count, signal_count;
    uint64_t waits, signals, operations;
};

struct uapi_exec_push {
    uint64_t address;
    uint32_t bytes, flags;
};

struct uapi_exec {
    uint32_t channel, push_count, wait_count, signal_count;
    uint64_t waits, signals, pushes;
};

struct uapi_zcull_info {
    uint32_t words[12];
};

_Static_assert(sizeof(struct uapi_vm_bind) == 40 && sizeof(struct uapi_bind_operation) == 40, "VM_BIND");
_Static_assert(sizeof(struct uapi_exec) == 40 && sizeof(struct uapi_exec_push) == 16, "EXEC");
_Static_assert(sizeof(struct uapi_syncobj_handle) == 24 && sizeof(struct uapi_syncobj_eventfd) == 24, "drm.h");
_Static_assert(sizeof(struct uapi_sync) == 16 && sizeof(struct uapi_zcull_info) == 48, "structures of the kernel");

#endif
