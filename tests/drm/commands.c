/* SPDX-License-Identifier: MIT */
/* Commands of each generation, and their submission. */
#include "drm/rig.h"

#define RETURN 0x00020000u

/* ---- commands ---- */

void words_add(struct words *words, uint32_t word) {
    assert_true(words->count < COUNT_OF(words->word));
    words->word[words->count++] = word;
}

void words_header(struct words *words, uint32_t subchannel, uint32_t method, uint32_t count) {
    words_add(words, words->part->classes ? 1u << 29 | count << 16 | subchannel << 13 | method >> 2
                                          : count << 18 | subchannel << 13 | method);
}

void words_method(struct words *words, uint32_t subchannel, uint32_t method, uint32_t data) {
    words_header(words, subchannel, method, 1);
    words_add(words, data);
}

void words_bind_object(struct words *words, uint32_t subchannel) {
    words_method(words, subchannel, 0, words->part->classes ? words->part->graphics : GRAPHICS);
}

/* NV4x: the fence of the 3D object; its semaphores want a DMA object that nobody can make (src/fifo/cache/nv1a_host.c).
 */
static void release_curie(struct words *words, uint32_t value) {
    words_bind_object(words, 0);
    words_method(words, 0, 0x1a4, SEMAPHORE);
    words_method(words, 0, 0x1d6c, 0);
    words_method(words, 0, 0x1d70, value);
}

/* By address from GF100 on; before, at the beginning of the DMA object. */
static void semaphore(struct words *words, const struct rig_channel *channel, uint32_t value, bool acquire) {
    if (!words->part->classes) {
        words_method(words, 0, 0x60, SEMAPHORE);
        words_method(words, 0, 0x64, 0);
        words_method(words, 0, acquire ? 0x68 : 0x6c, value);
        return;
    }
    uint64_t address = channel->semaphore.offset + channel->at;
    words_header(words, 0, 0x10, 4);
    words_add(words, (uint32_t)(address >> 32));
    words_add(words, (uint32_t)address);
    words_add(words, value);
    words_add(words, acquire ? 1 : 2);
}

void words_release(struct words *words, const struct rig_channel *channel, uint32_t value) {
    if (words->part->calls)
        release_curie(words, value);
    else
        semaphore(words, channel, value, false);
}

void words_acquire(struct words *words, const struct rig_channel *channel, uint32_t value) {
    assert_false(words->part->calls);
    semaphore(words, channel, value, true);
}

static void add_list(struct words *words, uint32_t subchannel, uint32_t method, const uint32_t *data, uint32_t count) {
    words_header(words, subchannel, method, count);
    for (uint32_t i = 0; i < count; i++)
        words_add(words, data[i]);
}

#define ADD(words, subchannel, method, ...)                                                                            \
    add_list(words, subchannel, method, (const uint32_t[]){__VA_ARGS__},                                               \
             sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static uint32_t handle_of(const struct drm_nouveau_gem_info *buffer) {
    return buffer->domain == VRAM ? FB_HANDLE : TT_HANDLE;
}

void words_copy(struct words *words, const struct drm_nouveau_gem_info *from, const struct drm_nouveau_gem_info *to,
                uint32_t bytes) {
    const struct part *part = words->part;
    const uint32_t from_high = (uint32_t)(from->offset >> 32), to_high = (uint32_t)(to->offset >> 32),
                   from_low = (uint32_t)from->offset, to_low = (uint32_t)to->offset;
    words_method(words, COPY_SUBCHANNEL, 0, part->classes ? part->copy : COPY);
    if (part->runlists) {
        ADD(words, COPY_SUBCHANNEL, 0x400, from_high, from_low, to_high, to_low, bytes, bytes, bytes, 1);
        words_method(words, COPY_SUBCHANNEL, 0x300, 0x182);
    } else if (part->classes) {
        ADD(words, COPY_SUBCHANNEL, 0x238, to_high, to_low);
        ADD(words, COPY_SUBCHANNEL, 0x30c, from_high, from_low, bytes, bytes, bytes, 1);
        words_method(words, COPY_SUBCHANNEL, 0x300, 0x110);
    } else {
        ADD(words, COPY_SUBCHANNEL, 0x180, SEMAPHORE, handle_of(from), handle_of(to));
        if (!part->calls) {
            words_method(words, COPY_SUBCHANNEL, 0x200, 1);
            words_method(words, COPY_SUBCHANNEL, 0x21c, 1);
            ADD(words, COPY_SUBCHANNEL, 0x238, from_high, to_high);
        }
        ADD(words, COPY_SUBCHANNEL, 0x30c, from_low, to_low, bytes, bytes, bytes, 1, 0x101, 0);
    }
}

uint32_t rig_released(const struct rig_channel *channel) {
    return rig_rd32(channel->file, &channel->semaphore, channel->at);
}

/* ---- submissions ---- */

uint32_t rig_list(struct rig_submission *submission, const struct drm_nouveau_gem_info *buffer, bool writes) {
    uint32_t i = submission->request.nr_buffers++;
    assert_true(i < COUNT_OF(submission->buffers));
    submission->buffers[i] = (struct drm_nouveau_gem_pushbuf_bo){
        .handle = buffer->handle,
        .read_domains = buffer->domain,
        .write_domains = writes ? buffer->domain : 0,
        .valid_domains = VRAM | GART,
        .presumed = {.valid = 1, .domain = buffer->domain, .offset = buffer->offset}};
    return i;
}

void rig_push(struct rig *rig, struct rig_submission *submission, const struct rig_channel *channel,
              const struct drm_nouveau_gem_info *buffer, uint64_t offset, struct words *words) {
    if (rig->part->calls)
        words_add(words, RETURN);
    for (uint32_t i = 0; i < words->count; i++)
        rig_wr32(channel->file, buffer, offset + 4 * (uint64_t)i, words->word[i]);
    uint32_t index = 0;
    while (index < submission->request.nr_buffers && submission->buffers[index].handle != buffer->handle)
        index++;
    if (index == submission->request.nr_buffers)
        rig_list(submission, buffer, false);
    assert_true(submission->request.nr_push < COUNT_OF(submission->pushes));
    submission->pushes[submission->request.nr_push++] = (struct drm_nouveau_gem_pushbuf_push){
        .bo_index = index, .offset = offset, .length = 4 * (uint64_t)words->count};
}

int rig_submit(struct rig *rig, const struct rig_channel *channel, struct rig_submission *submission) {
    struct drm_nouveau_gem_pushbuf *request = &submission->request;
    request->channel = channel->id;
    request->buffers = rig_put(rig, submission->buffers, sizeof submission->buffers);
    request->relocs = rig_put(rig, submission->relocs, sizeof submission->relocs);
    request->push = rig_put(rig, submission->pushes, sizeof submission->pushes);
    unsigned long number = NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf);
    int result = rig_ioctl(rig, channel->file, number, request);
    rig_get(rig, request->buffers, submission->buffers, sizeof submission->buffers);
    return result;
}

int rig_run(struct rig *rig, const struct rig_channel *channel, struct words *words,
            const struct drm_nouveau_gem_info *used) {
    struct rig_submission submission = {0};
    struct drm_nouveau_gem_info push = rig_buffer(rig, channel->file, GART, PAGE);
    rig_push(rig, &submission, channel, &push, 0, words);
    if (used)
        rig_list(&submission, used, true);
    int result = rig_submit(rig, channel, &submission);
    assert_int_equal(rig_close_handle(rig, channel->file, push.handle), 0);
    return result;
}

struct rig_channel rig_waiting(struct rig *rig, struct drm_file *file, const struct drm_nouveau_gem_info *buffer,
                               bool writes) {
    struct rig_channel channel = rig_channel(rig, file);
    struct drm_nouveau_gem_info push = rig_buffer(rig, file, GART, PAGE);
    struct rig_submission submission = {0};
    struct words words = {.part = rig->part};
    words_acquire(&words, &channel, 1);
    words_release(&words, &channel, 2);
    rig_push(rig, &submission, &channel, &push, 0, &words);
    if (buffer)
        rig_list(&submission, buffer, writes);
    assert_int_equal(rig_submit(rig, &channel, &submission), 0);
    return channel;
}

void rig_let_go(const struct rig_channel *channel) {
    rig_wr32(channel->file, &channel->semaphore, channel->at, 1);
}
