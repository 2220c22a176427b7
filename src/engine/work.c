/* SPDX-License-Identifier: MIT */
#include "engine/work.h"

struct work_slice work_slice(const struct call *call, uint64_t total, uint64_t unit_bytes) {
    uint64_t most = WORK_SLICE_BYTES / unit_bytes;
    uint64_t first = call->object->work_done < total ? call->object->work_done : 0;
    uint64_t left = total - first;
    most = most ? most : 1;
    return (struct work_slice){first, left < most ? left : most, total};
}

bool work_advance(const struct call *call, const struct work_slice *slice) {
    uint64_t done = slice->first + slice->count;
    call->object->work_done = done < slice->total ? done : 0;
    return call->object->work_done == 0;
}

void work_end(const struct call *call) {
    call->object->work_done = 0;
}
