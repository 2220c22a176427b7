/* SPDX-License-Identifier: MIT */
#include <pfifo/trace.h>

#include "digest/digest.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char method_event[] = "puller.method";

struct pfifo_digest {
    struct pfifo_gpu *gpu;
    size_t event; /* id of puller.method */
    unsigned subchannel, method, data;
    struct method_digest digest;
};

/* The fields that the hash is made of are found by name, once. */
static void find_fields(struct pfifo_digest *digest) {
    const struct pfifo_event_info *info;

    digest->event = pfifo_event_find(method_event);
    info = pfifo_event_info(digest->event);
    assert(info);
    for (unsigned i = 0; i < info->fields; i++) {
        if (strcmp(info->field[i], "subchannel") == 0)
            digest->subchannel = i;
        else if (strcmp(info->field[i], "method") == 0)
            digest->method = i;
        else if (strcmp(info->field[i], "data") == 0)
            digest->data = i;
    }
    assert(digest->subchannel != digest->method && digest->method != digest->data);
}

struct pfifo_digest *pfifo_digest_new(struct pfifo_error *error) {
    struct pfifo_digest *digest = calloc(1, sizeof *digest);

    if (!digest) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a digest");
        return NULL;
    }
    method_digest_init(&digest->digest);
    find_fields(digest);
    return digest;
}

void pfifo_digest_free(struct pfifo_digest *digest) {
    if (!digest)
        return;
    pfifo_digest_detach(digest);
    free(digest);
}

static void digest_observe(void *opaque, const struct pfifo_event *event) {
    pfifo_digest_event(opaque, event);
}

enum pfifo_status pfifo_digest_attach(struct pfifo_digest *digest, struct pfifo_gpu *gpu, struct pfifo_error *error) {
    if (digest->gpu)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the digest is attached already");
    enum pfifo_status status = pfifo_gpu_observe(gpu, method_event, digest_observe, digest, error);
    if (status == PFIFO_OK)
        digest->gpu = gpu;
    return status;
}

void pfifo_digest_detach(struct pfifo_digest *digest) {
    if (digest->gpu)
        pfifo_gpu_unobserve(digest->gpu, digest_observe, digest);
    digest->gpu = NULL;
}

void pfifo_digest_event(struct pfifo_digest *digest, const struct pfifo_event *event) {
    if (event->id == digest->event)
        method_digest_method(&digest->digest, (uint32_t)event->value[digest->subchannel],
                             (uint32_t)event->value[digest->method], (uint32_t)event->value[digest->data]);
}

void pfifo_digest_submission(struct pfifo_digest *digest, uint64_t words) {
    method_digest_submission(&digest->digest);
    method_digest_words(&digest->digest, words);
}

uint64_t pfifo_digest_methods(const struct pfifo_digest *digest) {
    return digest->digest.methods;
}

size_t pfifo_digest_format(const struct pfifo_digest *digest, const char *name, char *buf, size_t size) {
    return (size_t)method_digest_render(&digest->digest, name, buf, size);
}
