/* SPDX-License-Identifier: MIT */
/*
 * Address spaces that the program manages: VM_INIT, VM_BIND. Linux drivers/gpu/drm/nouveau/nouveau_uvmm.c.
 *
 * What differs: memory that is mapped stays where it is, it is not moved out of VRAM; page tables are made when a job
 * is done, so that no room for them is an error of a job, not of its call.
 */
#include "face/drm/node/exec.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "chip/chip.h"
#include "driver/vm.h"
#include "face/drm/node/buffer.h"
#include "face/drm/node/job.h"
#include "face/drm/node/kind.h"
#include "face/drm/node/space.h"
#include "face/drm/node/sync.h"
#include "face/drm/node/uapi.h"
#include "face/drm/node/wait.h"

#define TABLE_END    (UINT64_C(1) << 40) /* of the address spaces here */
#define PAGES        (UINT64_C(0xfff))
#define BIND_SECONDS UINT64_C(30000000000)

/* ---- VM_INIT ---- */

/* Has the chip what the kernel maps memory with in such a space (nouveau_uvmm_vmm_map())? */
static bool bind_has_space(const struct pfifo_chip *chip) {
    static const struct { const char *chips; } rows[] = {{"GF100-"}};
    return CHIP_ROW(chip, rows) != NULL;
}

/* What it has of others, by names and descriptors, has no address in it. */
static void bind_forget_addresses(struct drm_file *file) {
    drm_file_reap(file, true);
    for (uint32_t handle = 1; handle < file->handle_room; handle++)
        file->handles[handle].address = 0;
}

/* Rings and fences of channels come from the kernel's part. */
static int bind_new_space(struct drm_file *file, uint64_t begin, uint64_t end) {
    const struct pfifo_vm_config config = {.size = sizeof config, .ceiling = end};
    struct pfifo_error error;
    struct pfifo_vm *vm = pfifo_vm_new(file->device->pfifo, &config, &error);
    struct drm_space *space = vm ? drm_space_new(begin, end, ++file->device->spaces) : NULL;
    if (!space) {
        if (vm)
            pfifo_vm_free(vm, NULL);
        return vm ? -ENOMEM : drm_memory_errno(&error);
    }
    pfifo_private_vm_keep(vm, begin);
    assert(!file->channels);
    bind_forget_addresses(file);
    drm_tell_leaves(file->device);
    pfifo_vm_free(file->vm, NULL);
    file->vm = vm;
    file->space = space;
    return 0;
}

/* UNKNOWN: what a second VM_INIT is for: the kernel makes another space, and loses the first; chosen: ENOSYS. */
static int bind_vm_init(struct drm_file *file, void *data) {
    const struct uapi_vm_init *request = data;
    uint64_t end = request->begin + request->bytes;
    if (end < request->begin || end > UAPI_SPACE_END)
        return -EINVAL;
    if (file->no_space || file->space || !bind_has_space(file->device->config.chip))
        return -ENOSYS;
    if (!request->bytes || ((request->begin | end) & PAGES) || end > TABLE_END)
        return -EINVAL;
    return bind_new_space(file, request->begin, end);
}

/* ---- VM_BIND: what the program passes ---- */

/* Sparse pages: nvkm/subdev/mmu/vmmgm200.c, vmmgp100.c. */
static bool bind_has_sparse(const struct pfifo_chip *chip) {
    static const struct { const char *chips; } rows[] = {{"GM200-"}};
    return CHIP_ROW(chip, rows) != NULL;
}

static enum drm_bind_kind bind_choose_kind(const struct uapi_bind_operation *operation) {
    bool sparse = operation->flags & UAPI_BIND_SPARSE;
    if (operation->operation == UAPI_BIND_MAP)
        return sparse ? DRM_BIND_MAP_SPARSE : DRM_BIND_MAP;
    if (operation->operation == UAPI_BIND_UNMAP)
        return sparse ? DRM_BIND_UNMAP_SPARSE : DRM_BIND_UNMAP;
    return DRM_BIND_UNKNOWN;
}

static int bind_check_memory(struct drm_file *file, const struct uapi_bind_operation *operation,
                             struct drm_bind *bind) {
    const struct pfifo_chip *chip = file->device->config.chip;
    uint32_t page_kind = operation->flags & UAPI_BIND_KIND, plain;
    struct drm_buffer *buffer = drm_file_buffer(file, operation->handle);
    if (!buffer)
        return -ENOENT;
    if (operation->offset & PAGES || operation->offset >= buffer->bytes ||
        operation->bytes > buffer->bytes - operation->offset)
        return -EINVAL;
    /* The kernel's job finds that out, maps nothing, and reports nothing (op_map()). Small pages are not compressed. */
    bind->no_pages = !drm_kind_plain(chip, page_kind << 8, &plain) || plain != page_kind;
    if (bind->no_pages)
        drm_log(file->device, "vm_bind: no pages of type %02x, nothing is mapped at 0x%llx", (unsigned)page_kind,
                (unsigned long long)operation->address);
    bind->buffer = drm_buffer_ref(buffer);
    bind->offset = operation->offset;
    bind->page_kind = (uint8_t)page_kind;
    return 0;
}

static int bind_check_range(const struct drm_file *file, const struct uapi_bind_operation *operation) {
    uint64_t begin = operation->address, end = begin + operation->bytes;
    if ((begin | operation->bytes) & PAGES || end <= begin || end > TABLE_END)
        return -EINVAL;
    return drm_space_has(file->space, begin, end) ? 0 : -EINVAL;
}

static int bind_read_one(struct drm_file *file, const struct uapi_bind_operation *operation, struct drm_bind *bind) {
    bind->kind = bind_choose_kind(operation);
    int status = bind->kind == DRM_BIND_MAP ? bind_check_memory(file, operation, bind) : 0;
    if (status == 0)
        status = bind_check_range(file, operation);
    if (status == 0 && bind->kind == DRM_BIND_MAP_SPARSE && !bind_has_sparse(file->device->config.chip))
        status = -EINVAL;
    bind->begin = operation->address;
    bind->end = operation->address + operation->bytes;
    return status;
}

/* NULL: *status says why. */
static struct drm_bind *bind_read(struct drm_file *file, const struct uapi_bind_operation *operations, uint32_t count,
                                  int *status) {
    struct drm_bind *binds = calloc(count + 1, sizeof *binds);
    *status = binds ? 0 : -ENOMEM;
    for (uint32_t i = 0; i < count && *status == 0; i++)
        *status = bind_read_one(file, &operations[i], &binds[i]);
    if (*status == 0)
        return binds;
    drm_binds_free(binds, binds ? count : 0);
    return NULL;
}

/* ---- VM_BIND: the job ---- */

static bool bind_is_under_way(const void *what) {
    const struct drm_job *job = what;
    return job->queued;
}

/* A signal is no reason to do it again: the book has it already. */
static int bind_wait(struct drm_device *device, const struct drm_job *job) {
    const struct drm_wait wait = {.device = device, .is_busy = bind_is_under_way, .what = job};
    int status = drm_wait(&wait, BIND_SECONDS);
    return status ? status : job->status;
}

/* Takes the operations. */
static int bind_submit(struct drm_file *file, struct drm_bind *binds, uint32_t count, struct drm_syncs *syncs,
                       bool async) {
    int status = drm_space_enter(file->space, binds, count);
    if (status) {
        drm_binds_free(binds, count);
        return status;
    }
    for (uint32_t i = 0; i < count; i++)
        if (binds[i].buffer)
            binds[i].buffer->bound = binds[i].buffer->pinned = true;
    struct drm_job *job = drm_work_queue_binds(file, binds, count, syncs);
    if (!job) { /* the book says more than the page tables: as if pages had gone */
        drm_binds_free(binds, count);
        return -ENOMEM;
    }
    drm_work_push(file->device);
    status = async ? 0 : bind_wait(file->device, job);
    drm_job_unref(job);
    return status;
}

static int bind_take(struct drm_file *file, const struct uapi_vm_bind *request,
                     const struct uapi_bind_operation *operations, const struct drm_sync_lists *lists) {
    struct drm_syncs syncs;
    int status = drm_work_wait_for_room(file->device);
    if (status == 0)
        status = drm_syncs_take(file, lists, &syncs);
    if (status)
        return status;
    struct drm_bind *binds = bind_read(file, operations, request->operation_count, &status);
    if (binds)
        status = bind_submit(file, binds, request->operation_count, &syncs, request->flags & UAPI_BIND_RUN_ASYNC);
    drm_syncs_free(&syncs);
    return status;
}

/* All lists are read before what they say is looked at (nouveau_uvmm_vm_bind_ucopy()). */
static int bind_vm_bind(struct drm_file *file, void *data) {
    const struct uapi_vm_bind *request = data;
    struct drm_sync_lists lists = {.wait_count = request->wait_count, .signal_count = request->signal_count};
    void *operations;
    if (!file->space)
        return -ENOSYS;
    int status = drm_list_fetch(file, request->operations, request->operation_count, sizeof(struct uapi_bind_operation),
                                &operations);
    if (status == 0)
        status = drm_sync_lists_fetch(file, request->waits, request->signals, &lists);
    if (status == 0 && !(request->flags & UAPI_BIND_RUN_ASYNC) && (request->wait_count || request->signal_count))
        status = -EINVAL;
    if (status == 0)
        status = bind_take(file, request, operations, &lists);
    drm_sync_lists_free(&lists);
    free(operations);
    return status;
}

/*
 * The kernel has what the firmware says of Turing and later, and nothing of chips before: ENOTTY (nouveau_abi16.c,
 * has_zcull_info; the call came in 2026).
 */
static int get_zcull_info(struct drm_file *file, void *data) {
    (void)file;
    (void)data;
    return -ENOTTY;
}

#define ROW(number, structure, function)                                                                               \
    { 0x40 + (number), sizeof(structure), DRM_IOCTL_RENDER_ALLOWED, #function, function }

const struct drm_ioctl drm_nouveau_spaces[] = {
    ROW(UAPI_VM_INIT, struct uapi_vm_init, bind_vm_init),
    ROW(UAPI_VM_BIND, struct uapi_vm_bind, bind_vm_bind),
    ROW(UAPI_EXEC, struct uapi_exec, drm_exec),
    ROW(UAPI_GET_ZCULL_INFO, struct uapi_zcull_info, get_zcull_info),
    {0},
};
