/* SPDX-License-Identifier: MIT */
/* A session that somebody made up: it ends, with an error that says where, or replays. */
#include <stdlib.h>
#include <string.h>

#include <pfifo/session.h>

#define MAX_OPERATIONS 2000u
#define VRAM_AT        16u /* in the file: bytes of VRAM and of BAR1, which would only cost time */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct pfifo_error error = {0};
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    if (size > VRAM_AT + 16)
        memset(copy + VRAM_AT, 0, 16);
    struct pfifo_session *session = pfifo_session_open_memory(copy, size, "fuzz", &error);
    if (!session && !error.message[0])
        abort();
    bool more = session;
    for (unsigned i = 0; more && i < MAX_OPERATIONS; i++)
        if (pfifo_session_next(session, &more, &error) != PFIFO_OK) {
            if (strncmp(error.message, "fuzz: offset ", 13) != 0)
                abort();
            break;
        }
    pfifo_session_close(session);
    free(copy);
    return 0;
}
