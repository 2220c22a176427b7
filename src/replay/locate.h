/* SPDX-License-Identifier: MIT */
/*
 * Finds the word of a submission that the machine works on, to report the word that faulted.
 *
 *   PUSH ------------------> pieces of the channel --.
 *   pusher.segment, .jump -> segments ----------------> address of a word
 *   pusher.packet ---------> packets ----------------'         |
 *   puller.method --------------------------------------> the method that is executed, and its word
 *   *.error, *.fault ------> what went wrong there, until the driver reports it
 *
 * A driver reads registers, which show the pusher where it has got to, and of an engine the method at most. The events
 * come when the word is fetched, and when the method is executed.
 *
 * Modelled:     DMA and IB channels; packets that go on in the next segment; words that the GPU wrote itself
 * Not modelled: methods by PIO: they are in no pushbuffer
 */
#ifndef PFIFO_REPLAY_LOCATE_H
#define PFIFO_REPLAY_LOCATE_H

#include <pfifo/replay.h>

struct locator;

/* Watch a GPU, until the locator is freed, before the GPU. NULL on error. */
struct locator *locator_new(struct pfifo_gpu *gpu, struct pfifo_error *error);
void locator_free(struct locator *locator);

/* A piece of a pushbuffer is about to be submitted; `channel` is the hardware's number. False: no memory. */
bool locator_push(struct locator *locator, uint32_t channel, uint32_t submission, const struct pfifo_stream_push *push);

/* Reads a word of a PUSH from memory, by `buffer` and `offset`. False: it is not there. */
typedef bool (*locate_read)(void *opaque, const struct pfifo_replay_word *at, uint32_t *word);

/* See pfifo_replay_progress(). */
bool locator_progress(struct locator *locator, uint32_t channel, locate_read read, void *opaque,
                      struct pfifo_replay_progress *progress);

/* See pfifo_replay_rest(). */
bool locator_rest(struct locator *locator, uint32_t channel, locate_read read, void *opaque,
                  struct pfifo_push_packet *rest);

/* A channel was closed: its number may come again. */
void locator_forget(struct locator *locator, uint32_t channel);

/* What is known now, to come back to in the same run (mark.c). NULL: no memory. */
struct locate_mark *locator_mark(const struct locator *locator);
void locator_return(struct locator *locator, const struct locate_mark *mark);
void locate_mark_free(struct locate_mark *mark);

/* The same to come back to from any other place: with channels and pieces. False: no memory, and nothing is known. */
struct locate_mark *locator_mark_whole(const struct locator *locator);
bool locator_return_whole(struct locator *locator, const struct locate_mark *mark);

/* The method that a channel executes; all zero: it is not known. */
struct pfifo_replay_word locator_now(struct locator *locator, uint32_t channel);

/* The word that caused a fault. Unknown fields stay empty. */
struct pfifo_replay_word locator_find(struct locator *locator, const struct pfifo_device_fault *fault);

#endif
