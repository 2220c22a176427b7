/* SPDX-License-Identifier: MIT */
/*
 * The words of a frame. Of the state of registers, all but what would do something is written as methods; of
 * subchannels other than that of the 3D object only what they have bound, and their DMA objects. Methods of the
 * driver's subchannel are the PS3's kernel's, which takes them from the error that they raise: they are left out.
 */
#include "foreign/rpcs3.h"

#include <stdlib.h>
#include <string.h>

#include "grammar/grammar.h"
#include "memory/little_endian.h"
#include "methods/nv40_3d.h"

#define COMMAND_RETURN 0x00020000u

enum {
    SUBCHANNELS = 8,
    SUBCHANNEL_WORDS = RPCS3_REGISTERS / SUBCHANNELS,
    FIRST_CONTEXT = 0x180,
    LAST_CONTEXT = 0x1fc,
    LAST_METHOD = 0x1ffc,
    UPLOAD_WORDS = 32, /* of a vertex program at a time */
    MOST_PROGRAM_WORDS = 512 * RPCS3_INSTRUCTION_WORDS,
    CONSTANTS = 512,
    MOST_PUSH_WORDS = 0x7ffffc / 4,
};

/* Methods of the 3D object that do something besides being kept. */
static const uint16_t acting[][2] = {
    {NV40_3D_INVALIDATE_ZCULL, 1},
    {NV40_3D_VP_UPLOAD_INST(0), UPLOAD_WORDS},
    {NV40_3D_INVALIDATE_VERTEX_CACHE_FILE, 1},
    {NV40_3D_VTX_CACHE_INVALIDATE, 1},
    {NV40_3D_XF_NOP, 1},
    {NV40_3D_QUERY_RESET, 1},
    {NV40_3D_QUERY_GET, 1},
    {NV40_3D_VERTEX_BEGIN_END, 1},
    {NV40_3D_VB_ELEMENT_U16, 1},
    {NV40_3D_VB_ELEMENT_U32, 1},
    {NV40_3D_VB_VERTEX_BATCH, 1},
    {NV40_3D_VERTEX_DATA, 1},
    {NV40_3D_VB_INDEX_BATCH, 1},
    {NV40_3D_FENCE_VALUE, 1},
    {NV40_3D_TEXTURE_FENCE_VALUE, 1},
    {NV40_3D_CLEAR_BUFFERS, 1},
    {NV40_3D_VP_UPLOAD_CONST_ID, 1 + UPLOAD_WORDS},
    {NV40_3D_TEX_CACHE_CTL, 1},
};

static bool words_no_memory(const struct rpcs3_words *words) {
    return foreign_no_memory(words->file, words->error, "its words") == PFIFO_OK;
}

static bool rpcs3_word(struct rpcs3_words *words, uint32_t word) {
    uint8_t bytes[4];

    store_le32(bytes, word);
    return bytes_append(&words->bytes, bytes, sizeof bytes) || words_no_memory(words);
}

static bool rpcs3_header(struct rpcs3_words *words, unsigned subchannel, uint32_t method, uint32_t count) {
    return rpcs3_word(words, count << NV4_COUNT_SHIFT | subchannel << GRAMMAR_SUBCHANNEL_SHIFT | method);
}

static bool rpcs3_method(struct rpcs3_words *words, unsigned subchannel, uint32_t method, uint32_t data) {
    return rpcs3_header(words, subchannel, method, 1) && rpcs3_word(words, data);
}

static bool acts(uint32_t method) {
    for (size_t i = 0; i < sizeof acting / sizeof acting[0]; i++)
        if (method - acting[i][0] < 4u * acting[i][1])
            return true;
    return false;
}

static uint32_t rpcs3_register(const struct rpcs3_words *words, unsigned subchannel, uint32_t method) {
    return load_le32(words->frame->registers + 4 * (subchannel * (size_t)SUBCHANNEL_WORDS + method / 4));
}

static bool upload_program(struct rpcs3_words *words) {
    const uint8_t *program = words->frame->program;
    size_t count = words->frame->program_words < MOST_PROGRAM_WORDS ? words->frame->program_words : MOST_PROGRAM_WORDS;
    bool good = true;

    while (count && load_le32(program + 4 * (count - 1)) == 0)
        count--;
    count = (count + RPCS3_INSTRUCTION_WORDS - 1) / RPCS3_INSTRUCTION_WORDS * RPCS3_INSTRUCTION_WORDS;
    if (count)
        good = rpcs3_method(words, 0, NV40_3D_VP_UPLOAD_FROM_ID, 0);
    for (size_t i = 0; i < count && good; i++) {
        uint32_t part = count - i < UPLOAD_WORDS ? (uint32_t)(count - i) : UPLOAD_WORDS;
        if (i % UPLOAD_WORDS == 0)
            good = rpcs3_header(words, 0, NV40_3D_VP_UPLOAD_INST(0), part);
        good = good && rpcs3_word(words, load_le32(program + 4 * i));
    }
    return good;
}

static bool upload_constants(struct rpcs3_words *words) {
    static const uint8_t nothing[16];
    bool good = true;

    for (uint32_t i = 0; words->frame->constants && i < CONSTANTS && good; i++) {
        const uint8_t *constant = words->frame->constants + 16 * i;
        if (memcmp(constant, nothing, sizeof nothing) == 0)
            continue;
        good = rpcs3_header(words, 0, NV40_3D_VP_UPLOAD_CONST_ID, 5) && rpcs3_word(words, i);
        for (unsigned j = 0; j < 4 && good; j++)
            good = rpcs3_word(words, load_le32(constant + 4 * j));
    }
    return good;
}

/* What the frame begins with: bound objects, then state. */
static bool state_words(struct rpcs3_words *words) {
    bool good = true;

    for (unsigned i = 0; i < SUBCHANNELS && good; i++) {
        uint32_t handle = rpcs3_register(words, i, 0), last = i ? LAST_CONTEXT : LAST_METHOD;
        if (!handle || i == RPCS3_DRIVER_SUBCHANNEL)
            continue;
        good = rpcs3_method(words, i, 0, handle) && (i || (upload_program(words) && upload_constants(words)));
        for (uint32_t method = FIRST_CONTEXT; method <= last && good; method += 4) {
            uint32_t value = rpcs3_register(words, i, method);
            if (value && !(i == 0 && acts(method)))
                good = rpcs3_method(words, i, method, value);
        }
    }
    return good;
}

/* A submission ends. Pushbuffers of this chip are called. */
static bool rpcs3_cut(struct rpcs3_words *words, size_t command) {
    size_t first;

    if (words->cuts && !rpcs3_word(words, COMMAND_RETURN))
        return false;
    first = words->bytes.size / 4;
    if (words->cuts && first - words->cut[words->cuts - 1].first > MOST_PUSH_WORDS)
        return pfifo_error_set(words->error, PFIFO_ERROR_UNSUPPORTED, "%.100s: more than %d words between two draws",
                               words->file->name, MOST_PUSH_WORDS) == PFIFO_OK;
    words->cut[words->cuts++] = (struct rpcs3_cut){first, command};
    return true;
}

/* Is this the driver's? It is counted then. */
static bool is_driver_method(struct rpcs3_words *words, uint32_t header) {
    const uint32_t method = header & 0xfffc;

    if (method >> GRAMMAR_SUBCHANNEL_SHIFT != RPCS3_DRIVER_SUBCHANNEL)
        return false;
    words->driver[rpcs3_driver_method(method)]++;
    return true;
}

static bool command_words(struct rpcs3_words *words) {
    const struct rpcs3_frame *frame = words->frame;
    uint32_t left = 0;
    bool good = true, skipped = false;

    for (size_t i = 0; i < frame->commands && good; i++) {
        const struct rpcs3_command *command = &frame->command[i];
        if (command->blocks && left)
            return foreign_error(words->file, command->at, words->error, "memory in the middle of a packet") ==
                   PFIFO_OK;
        if (command->blocks)
            good = rpcs3_cut(words, i);
        if (!left && good) {
            left = command->header >> NV4_COUNT_SHIFT & ((1u << NV4_COUNT_BITS) - 1);
            skipped = is_driver_method(words, command->header);
            good = skipped || rpcs3_word(words, command->header);
        }
        if (left && good) {
            good = skipped || rpcs3_word(words, command->word);
            left--;
        }
    }
    if (good && left)
        return foreign_error(words->file, words->file->at, words->error, "the last packet lacks %u words",
                             (unsigned)left) == PFIFO_OK;
    return good;
}

enum pfifo_status rpcs3_make_words(struct rpcs3_words *words, const struct rpcs3_frame *frame,
                                   const struct foreign_file *file, struct pfifo_error *error) {
    bool good;

    *words = (struct rpcs3_words){.frame = frame, .file = file, .error = error};
    bytes_init(&words->bytes, PFIFO_STREAM_WHOLE_LIMIT);
    words->cut = calloc(frame->commands + 2, sizeof *words->cut);
    good = words->cut ? rpcs3_cut(words, frame->commands) && state_words(words) && command_words(words) &&
                            rpcs3_cut(words, frame->commands)
                      : words_no_memory(words);
    return good ? PFIFO_OK : error->status;
}

void rpcs3_words_free(struct rpcs3_words *words) {
    free(words->cut);
    bytes_free(&words->bytes);
}
