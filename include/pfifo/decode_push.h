/* SPDX-License-Identifier: MIT */
/*
 * What the words mean that a channel of a GPU reads (pfifo/push.h).
 *
 *   struct pfifo_push push;
 *   const struct pfifo_decode_options options = {.size = sizeof options};
 *   if (pfifo_gpu_push(gpu, 3, &push, &error) == PFIFO_OK)
 *       pfifo_push_around(gpu, &push, 5, 5, &options, write_text, NULL, &error);
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_DECODE_PUSH_H
#define PFIFO_DECODE_PUSH_H

#include <pfifo/decode.h>
#include <pfifo/gpu.h>
#include <pfifo/push.h>

#ifdef __cplusplus
extern "C" {
#endif

/* At most this many words are decoded at a time. */
#define PFIFO_PUSH_WORDS 4096

/*
 * Decode `words` words at an address of a channel, as a part (pfifo_decode_options.part), with the classes, handles and
 * forms that the channel has at GET. If GET is among the words, the command under way goes on there. Of the options,
 * those for the output are used; chip, bound, old_forms and those for raw words are not. PFIFO_ERROR_ARGUMENT: some of
 * the words are not mapped, or the address is no multiple of 4.
 */
PFIFO_API enum pfifo_status pfifo_push_decode(struct pfifo_gpu *gpu, const struct pfifo_push *push, uint64_t address,
                                              size_t words, const struct pfifo_decode_options *options,
                                              pfifo_decode_write write, void *opaque, struct pfifo_error *error);

/*
 * The same for the words around GET: before it up to `before`, as many as belong to packets that lead to GET; from it
 * on up to `after`: to PUT, then the next entries of the ring with their words. PFIFO_ERROR_ARGUMENT: nothing is mapped
 * at GET.
 */
PFIFO_API enum pfifo_status pfifo_push_around(struct pfifo_gpu *gpu, const struct pfifo_push *push, size_t before,
                                              size_t after, const struct pfifo_decode_options *options,
                                              pfifo_decode_write write, void *opaque, struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
