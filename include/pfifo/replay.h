/* SPDX-License-Identifier: MIT */
/*
 * A replay: a capture (pfifo/stream.h), record by record, through the driver layer (pfifo/driver.h) of a machine.
 *
 *   CHAN OBJ NTFY ------> channel and its objects
 *   BONEW BODATA BODEL -> buffers, at the recorded addresses
 *   PUSH ---------------> words to their place, submission of a segment
 *   SUBEND -------------> run until there is nothing left to do
 *
 * Of version 2:
 *
 *   SPACE SPARSE MAP ---> address spaces (pfifo/vm.h), which CHANIN puts a channel into
 *   SYNCPT WRITE -------> what the CPU does between two runs
 *   RUN ----------------> run so long, and not at SUBEND
 *
 *   struct pfifo_replay *replay = pfifo_replay_new(stream, NULL, &error);
 *   for (bool more = true; more;)
 *       if (pfifo_replay_next(replay, &more, &error) != PFIFO_OK)
 *           break;
 *   if (pfifo_replay_result(replay)->faults)
 *       ...
 *   pfifo_replay_free(replay);
 *
 * Modelled:     everything that decides what the GPU does Not modelled: PREP (the replay always waits), WAIT and FENCE
 * (their commands are in the PUSHes), RELOC (buffers are where they were presumed), tiling of a buffer. Where the GPU
 * itself has written words of a PUSH, those in memory are used, not the recorded ones.
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_REPLAY_H
#define PFIFO_REPLAY_H

#include <pfifo/decode.h>
#include <pfifo/driver.h>
#include <pfifo/picture.h>
#include <pfifo/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PFIFO_REPLAY_BUDGET  (UINT64_C(1) << 28) /* 4.3 s of a GPU, and seconds of a processor at most */
#define PFIFO_REPLAY_FAULTS  64
#define PFIFO_REPLAY_REFUSED 16

/* Fields that are 0 take defaults. */
struct pfifo_replay_config {
    size_t size;                    /* sizeof(struct pfifo_replay_config), see struct pfifo_config */
    const struct pfifo_chip *chip;  /* NULL: the one that the capture names */
    bool materialise_cache, locate; /* as of struct pfifo_config; find the words that fault (result.fault[].word) */
    uint64_t budget;                /* of each submission, in units of pfifo_gpu_run(); 0: PFIFO_REPLAY_BUDGET */
    /* As of struct pfifo_config. NULL: all is done by the caller. */
    void (*side_by_side)(void *opaque, uint32_t count, void (*call)(void *argument, uint32_t number), void *argument);
    /* A buffer of this handle is about to be freed: these are its last contents. NULL: not called. */
    void (*buffer_gone)(void *opaque, uint32_t handle, struct pfifo_buffer *buffer);
    void *opaque; /* of these */
    /* As of struct pfifo_config. Sizes of 0: what the capture needs, at least the chip's default. */
    struct pfifo_memory vram, system;
    uint64_t vram_bytes, system_bytes;
    uint64_t no_compile; /* as of struct pfifo_config */
};

/* A word of a pushbuffer and its meaning. What is not known is 0. */
struct pfifo_replay_word {
    bool has_address, has_word, has_method, in_push;
    uint64_t address;
    uint32_t word;
    uint32_t submission, buffer; /* if in_push: the recorded ones, */
    uint64_t offset;             /* and where in the buffer */
    uint32_t subchannel, oclass, method, data;
    /* Of a fault, if the method was refused because state that it needs is not there (engine.missing): */
    uint32_t missing_count;  /* how much of it; 0: that is not why, or not known */
    uint32_t missing_method; /* the method that would have set the first of it */
    const char *missing_why; /* constant text */
};

/* Equal faults are counted. */
struct pfifo_replay_fault {
    uint64_t count;
    uint32_t submission;             /* of the first: the one that its word is from, if that is known, else what ran */
    struct pfifo_device_fault first; /* its strings are constants */
    struct pfifo_replay_word word;   /* that the first is about */
};

/* An object that the driver refused. The replay goes on, and faults if the stream uses the object. */
struct pfifo_replay_refused {
    uint32_t handle, oclass;
    char message[120];
};

struct pfifo_replay_result {
    uint64_t submissions;
    uint32_t sequence; /* of the last of them */
    uint64_t words;    /* of all segments */
    uint64_t changed;  /* segments that may be prefetched, and whose words are not those of the recording */
    uint64_t refused;  /* the first of them are in `refusal` */
    struct pfifo_replay_refused refusal[PFIFO_REPLAY_REFUSED];
    uint64_t faults;
    size_t fault_kinds; /* that fit into `fault` */
    struct pfifo_replay_fault fault[PFIFO_REPLAY_FAULTS];
    /*
     * Why the last run ended, and the submission it belongs to. A replay ends early at anything but IDLE, WAITING, and,
     * in version 2, BUDGET.
     */
    enum pfifo_stop stop;
    struct pfifo_stop_info stop_info;
    uint32_t stop_submission;
    bool interrupted;       /* by the watch, in that submission or after it */
    uint64_t budget;        /* that each submission had */
    char stop_message[240]; /* what the driver says about a submission that it could not queue, or empty */
    uint64_t runs;          /* that were begun: of submissions, of RUN records in version 2 */
    bool running;           /* the last of them is not at its end: pfifo_replay_step() */
    uint64_t time;          /* nanoseconds of the machine's clock */
    uint32_t channel;       /* of the last submission, in the capture */
};

struct pfifo_replay;

/*
 * Make the machine that `stream` needs. The stream must be at its beginning, stay open as long as the replay, and is
 * read by it alone. `config` may be NULL. NULL on error: PFIFO_ERROR_ARGUMENT (`size`), _FORMAT (the capture does not
 * name its chip), _UNSUPPORTED (the chip does not run, or not what was recorded on the capture's), and those of
 * pfifo_device_open().
 */
PFIFO_API struct pfifo_replay *pfifo_replay_new(struct pfifo_stream *stream, const struct pfifo_replay_config *config,
                                                struct pfifo_error *error);
PFIFO_API void pfifo_replay_free(struct pfifo_replay *replay);

/* Callbacks of a replay. Those that are NULL are not called. */
struct pfifo_replay_watch {
    /* A submission with this number in the capture begins; nothing of it has run. */
    void (*submission)(void *opaque, uint32_t sequence);
    /* A channel is about to be closed, with its address space. */
    void (*closes)(void *opaque);
    /* What the program hands to the display, of a capture that says so: 4 bytes per pixel, to be freed by free(). */
    void (*presents)(void *opaque, const struct pfifo_picture *picture, uint8_t *rgba);
    /* Called a few times a second. True: interrupt the replay here; it does not go on after that. */
    bool (*enough)(void *opaque);
    void *opaque;
};

/* Set the callbacks, in place of those that were set before. The structure is copied. */
PFIFO_API void pfifo_replay_set_watch(struct pfifo_replay *replay, const struct pfifo_replay_watch *watch);

/* The machine, for observers, registers and memory. It is the replay's; do not run it. */
PFIFO_API struct pfifo_device *pfifo_replay_device(struct pfifo_replay *replay);
PFIFO_API struct pfifo_gpu *pfifo_replay_gpu(struct pfifo_replay *replay);

/* The buffer with this handle in the capture now; NULL: there is none. */
PFIFO_API struct pfifo_buffer *pfifo_replay_buffer(const struct pfifo_replay *replay, uint32_t handle);

/* The handles of all buffers now, in ascending order, to be freed by free(). NULL: no memory. */
PFIFO_API uint32_t *pfifo_replay_handles(const struct pfifo_replay *replay, size_t *count);

/* So far. Valid until the replay is freed. */
PFIFO_API const struct pfifo_replay_result *pfifo_replay_result(const struct pfifo_replay *replay);

/*
 * Go on up to the end of a submission, of a run in version 2, or of the capture: then *more is false. Faults are
 * results, not errors. Errors: PFIFO_ERROR_FORMAT, which names the capture, the offset and the record, _UNSUPPORTED
 * (what the chip cannot do), _MEMORY.
 */
PFIFO_API enum pfifo_status pfifo_replay_next(struct pfifo_replay *replay, bool *more, struct pfifo_error *error);

/*
 * The same in pieces, to stop inside a run. Between two runs: go on up to where the next one begins, and nothing of it
 * is done (`units` does not matter); it is result.running then. In a run: do at most `units` of it (of pfifo_gpu_run(),
 * which says when it may be more). Events, memory and registers are those of a run in one, whatever the steps are; of a
 * saved state that is not so for what counts runs (the last stop, the order in which the TLB was used), and the clock
 * gains a unit where an engine's long work is cut. The same steps give the same bytes. pfifo_replay_next() does the
 * rest of a run that is under way. Work that the driver waits for while it queues a submission (its ring is full) is
 * not in pieces.
 */
PFIFO_API enum pfifo_status pfifo_replay_step(struct pfifo_replay *replay, uint64_t units, bool *more,
                                              struct pfifo_error *error);

/*
 * A place to come back to.
 *
 * Inside a run: while no other record has been played. Kept: the machine as a saved state, and what the replay knows of
 * the run. What the driver did in between cannot be undone: where it has handled an interrupt since, there is no way
 * back by the mark.
 *
 * Between two runs: from everywhere in the replay. Kept: the device (pfifo_device_save(), or before GF100 a copy), and
 * what has been recorded so far, of which marks and the replay share what is equal. The buffers, channels and spaces
 * are others then, and pointers to the former ones are invalid; callbacks of the watch are not called. The capture is
 * read again up to the place, but nothing of it is played.
 */
struct pfifo_replay_mark;

/* NULL: no run has begun, the state is larger than `most` bytes, or cannot be saved. */
PFIFO_API struct pfifo_replay_mark *pfifo_replay_mark_new(struct pfifo_replay *replay, size_t most);

/* Free it (NULL allowed). It may be freed after the replay. */
PFIFO_API void pfifo_replay_mark_free(struct pfifo_replay_mark *mark);

/* Can the replay go back to it? */
PFIFO_API bool pfifo_replay_mark_leads_back(const struct pfifo_replay_mark *mark, const struct pfifo_replay *replay);

/*
 * Go back; the mark stays. False: there is no way back, and nothing has changed, or the machine could not be loaded,
 * and is in the state after reset; or there was no memory, and the replay does not go on (result.interrupted).
 */
PFIFO_API bool pfifo_replay_mark_return(const struct pfifo_replay_mark *mark, struct pfifo_replay *replay);

/* Where a channel is in its commands. */
struct pfifo_replay_progress {
    struct pfifo_replay_word last; /* the method that was executed last; no has_method: none yet */
    uint32_t last_index;           /* which data word of its packet it was; UINT32_MAX: in none */
    /*
     * The method that comes next, as far as headers are fetched; no has_method: nothing is fetched that is not
     * executed. Its data is what is in memory now, if it is from a PUSH (has_word); oclass is what is bound, and of
     * method 0 on GF100 and later what is going to be.
     */
    struct pfifo_replay_word next;
    uint64_t packet;   /* running number of the packet of `next` in the channel */
    uint64_t header;   /* address of its header */
    const char *form;  /* of the header, as in pusher.packet; NULL: no `next` */
    uint32_t index;    /* which data word of it */
    uint32_t bound[8]; /* classes bound to the subchannels; 0: none that is known */
};

/*
 * Of a channel, by the hardware's number. False: nothing is known of it, or the replay was made without `locate`.
 * May be called by an observer that began after pfifo_replay_new(): an event of the puller is `last` then.
 */
PFIFO_API bool pfifo_replay_progress(struct pfifo_replay *replay, uint32_t channel,
                                     struct pfifo_replay_progress *progress);

/*
 * What is left of the packet of `next`: the command that a decoder of words from next.address on is in the middle of
 * (pfifo_decode_options.packet). All 0: `next` is a header, or is in none. False: there is no `next`, or its count is
 * not known.
 */
PFIFO_API bool pfifo_replay_rest(struct pfifo_replay *replay, uint32_t channel, struct pfifo_push_packet *rest);

/*
 * The buffer at an address, and the offset in it, as a channel (the hardware's number) sees it: in its address space,
 * or that of the device. Before G80, where an address alone says less: a buffer in GART, else one in VRAM. NULL: there
 * is none.
 */
PFIFO_API struct pfifo_buffer *pfifo_replay_at(struct pfifo_replay *replay, uint32_t channel, uint64_t address,
                                               uint64_t *offset);

/* Progress through the capture, 0 .. 100. */
PFIFO_API unsigned pfifo_replay_percent(const struct pfifo_replay *replay);

#ifdef __cplusplus
}
#endif

#endif
