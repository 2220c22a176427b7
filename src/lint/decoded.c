/* SPDX-License-Identifier: MIT */
/*
 * Captures of chips whose machine is not built: methods as the decoder sees them (pfifo/decode.h). Macros are not executed, and
 * what they send is not looked at.
 */
#include "lint/lint.h"

#include <pfifo/decode.h>

#include <stdlib.h>

enum { LOOK_EVERY = 4096 };

/* What is bound to the subchannels of a channel. The decoder supposes what drivers bind; here it has to be said. */
struct decoded_channel {
    uint32_t channel;
    uint32_t bound[PFIFO_DECODE_SUBCHANNELS];
};

struct decoded {
    struct lint *lint;
    const struct pfifo_lint_options *options;
    struct pfifo_lint_result *result;
    struct decoded_channel *channels;
    size_t count, last; /* the one that was asked for last */
    uint64_t events;
    bool interrupted, no_memory;
};

/* NULL: no memory. There are not more than the decoder tells apart. */
static struct decoded_channel *channel_of(struct decoded *decoded, uint32_t channel) {
    struct decoded_channel *grown;

    if (decoded->last < decoded->count && decoded->channels[decoded->last].channel == channel)
        return &decoded->channels[decoded->last];
    for (decoded->last = 0; decoded->last < decoded->count; decoded->last++)
        if (decoded->channels[decoded->last].channel == channel)
            return &decoded->channels[decoded->last];
    if (decoded->count % 64 == 0) {
        grown = realloc(decoded->channels, (decoded->count + 64) * sizeof *grown);
        if (!grown)
            return NULL;
        decoded->channels = grown;
    }
    decoded->channels[decoded->count] = (struct decoded_channel){.channel = channel};
    return &decoded->channels[decoded->count++];
}

static void decoded_method(struct decoded *decoded, const struct pfifo_decode_event *event) {
    struct decoded_channel *channel = channel_of(decoded, event->channel);
    const unsigned subchannel = event->subchannel % PFIFO_DECODE_SUBCHANNELS;

    decoded->no_memory = !channel;
    if (!channel)
        return;
    if (event->method == 0)
        channel->bound[subchannel] = event->bound_class;
    const uint32_t bound = channel->bound[subchannel];
    const struct lint_place place = {
        .channel = event->channel,
        .submission = event->sequence,
        .name_class = event->method < HOST_METHODS ? decoded->lint->host_class : bound,
        .word = {.has_address = true,
                 .has_word = true,
                 .has_method = true,
                 .address = event->address,
                 .word = event->word,
                 .submission = event->sequence,
                 .subchannel = subchannel,
                 .oclass = bound,
                 .method = event->method,
                 .data = event->data},
    };

    decoded->lint->decoded = &place;
    lint_method_sent(decoded->lint,
                     (struct lint_sent_to){event->channel, subchannel, bound, event->method, event->data});
    decoded->lint->decoded = NULL;
}

static bool decoded_look(void *opaque, const struct pfifo_decode_event *event) {
    struct decoded *decoded = opaque;
    const struct pfifo_lint_options *options = decoded->options;

    if (event->kind == PFIFO_DECODE_SUBMISSION)
        decoded->result->submissions++;
    if (event->kind == PFIFO_DECODE_METHOD && !event->discarded)
        decoded_method(decoded, event);
    if (options->enough && ++decoded->events % LOOK_EVERY == 0)
        decoded->interrupted = options->enough(options->opaque);
    return !decoded->interrupted && !decoded->no_memory;
}

/* There is no output. */
static bool decoded_write(void *opaque, const char *text, size_t bytes) {
    (void)opaque, (void)text, (void)bytes;
    return true;
}

enum pfifo_status lint_decoded(struct lint *lint, struct pfifo_stream *stream, const struct pfifo_chip *chip,
                               const struct pfifo_lint_options *options, struct pfifo_lint_result *result,
                               struct pfifo_error *error) {
    struct decoded decoded = {.lint = lint, .options = options, .result = result};
    const struct pfifo_decode_options decode = {.size = sizeof decode,
                                                .chip = chip,
                                                .format = PFIFO_DECODE_NOTHING,
                                                .errors = &result->faults,
                                                .event = decoded_look,
                                                .event_opaque = &decoded};
    enum pfifo_status status;

    lint->host_class = pfifo_chip_info(chip).host_class;
    result->decoded = true;
    status = pfifo_decode_stream(stream, &decode, decoded_write, NULL, error);
    result->whole = status == PFIFO_OK;
    if (decoded.no_memory)
        status = pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a channel");
    else if (decoded.interrupted)
        status = PFIFO_OK;
    free(decoded.channels);
    return status;
}
