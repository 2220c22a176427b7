/* SPDX-License-Identifier: MIT */
/*
 * What the words say that a channel of a GPU reads (pfifo/push.h).
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

/* Words that are decoded at once, at most. */
#define PFIFO_PUSH_WORDS 4096

/*
 * Decode so many words at an address of a channel, as a part (pfifo_decode_options.part), with what the channel knows
 * at GET: classes, handles, forms. If GET is among them, the command under way goes on there. Of the options, what says
 * how the output looks counts; chip, bound, old_forms and what belongs to raw words does not. PFIFO_ERROR_ARGUMENT: not
 * all of the words are there, or the address is no multiple of 4.
 */
PFIFO_API enum pfifo_status pfifo_push_decode(struct pfifo_gpu *gpu, const struct pfifo_push *push, uint64_t address,
                                              size_t words, const struct pfifo_decode_options *options,
                                              pfifo_decode_write write, void *opaque, struct pfifo_error *error);

/*
 * The same for the words around GET: up to `before` of them before it, as many as belong to packets that lead to GET,
 * and up to `after` from it on: to PUT, and behind that the entries of the ring that come next, with their words.
 * PFIFO_ERROR_ARGUMENT: GET is where nothing is.
 */
PFIFO_API enum pfifo_status pfifo_push_around(struct pfifo_gpu *gpu, const struct pfifo_push *push, size_t before,
                                              size_t after, const struct pfifo_decode_options *options,
                                              pfifo_decode_write write, void *opaque, struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
