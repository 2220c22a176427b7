/* SPDX-License-Identifier: MIT */
#include "decode/sink.h"

bool sink_digest(void *opaque, const struct pfifo_decode_event *event) {
    struct sink *sink = opaque;

    if (event->kind == PFIFO_DECODE_METHOD && !event->discarded)
        method_digest_method(&sink->digest, event->subchannel, event->method, event->data);
    else if (event->kind == PFIFO_DECODE_SEGMENT)
        method_digest_words(&sink->digest, event->count);
    else if (event->kind == PFIFO_DECODE_SUBMISSION)
        method_digest_submission(&sink->digest);
    return true;
}
