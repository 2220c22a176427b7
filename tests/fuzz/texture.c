/* SPDX-License-Identifier: MIT */
/*
 * Headers and samplers of any words, and samples at any coordinates, twice: from memory in a piece, and from memory in
 * short pieces. Both must give the same; holes read 0. Work is bounded by the number of probes.
 *
 *   byte 0        layout, order of lines, whether it is a Tegra
 *   byte 1        operation and level of detail
 *   byte 2        shadow, derivatives, offsets, which rows are there
 *   byte 3        what is contiguous in the second memory, and where holes are
 *   8 words       header;  then 8 words of sampler
 *   then          words of coordinates and the like; they repeat
 */
#include "engine/texture/texture.h"
#include "fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES = 1 << 14, ROWS = 24 };

struct pieces {
    const uint8_t *bytes;
    uint64_t piece, hole; /* every so many pieces one is missing; 0: none */
    uint64_t asked;
};

static const uint8_t *at(void *opaque, uint64_t address, uint64_t *bytes) {
    struct pieces *p = opaque;
    const uint64_t offset = address % BYTES, end = offset - offset % p->piece + p->piece;
    const uint64_t left = (end < BYTES ? end : BYTES) - offset;
    p->asked++;
    if (p->hole && address % (p->hole * 4096) >= (p->hole - 1) * 4096)
        return NULL;
    const uint64_t to_hole = p->hole ? 4096 - address % 4096 : left;
    *bytes = left < to_hole ? left : to_hole;
    return p->bytes + offset;
}

struct scene {
    texture_row row[ROWS], out[2][4];
    struct texture_view view;
    struct texture_sampler sampler;
    struct texture_request request;
    uint8_t bytes[BYTES];
};

static void fill_rows(struct scene *s, struct input *in) {
    const uint8_t *first = in->data;
    const size_t size = in->left;
    for (unsigned i = 0; i < ROWS * TEXTURE_LANES; i++) {
        if (!in->left)
            *in = (struct input){first, size};
        s->row[i / TEXTURE_LANES][i % TEXTURE_LANES] = (uint32_t)take(in, 4);
    }
}

static void choose_request(struct scene *s, unsigned what, unsigned how) {
    struct texture_request *q = &s->request;
    unsigned row = 0;
    q->operation = (enum texture_operation)(what % 3);
    q->lod = (enum texture_lod)(what / 3 % 5);
    q->component = (uint8_t)(what / 15 % 4);
    q->shadow = how & 1;
    q->has_derivatives = how & 2;
    for (unsigned i = 0; i < 3; i++)
        q->coordinate[i] = how & 4 && i == 2 ? NULL : s->row[row++];
    q->layer = how & 8 ? s->row[row++] : NULL;
    q->level = how & 16 ? s->row[row++] : NULL;
    q->sample = q->reference = how & 32 ? s->row[row++] : NULL;
    for (unsigned i = 0; i < 6; i++)
        q->gradient[i] = s->row[row++];
    for (unsigned i = 0; i < 3 && how & 64; i++)
        q->offset[i] = s->row[row++];
    for (unsigned i = 0; i < 8 && how & 128; i++)
        q->offsets4[i / 2][i % 2] = s->row[row++];
}

static void sample(struct scene *s, unsigned which, uint64_t piece, uint64_t hole) {
    struct pieces pieces = {s->bytes, piece, hole, 0};
    const struct texture_memory memory = {&pieces, at};
    texture_sample(&memory, &s->view, &s->sampler, &s->request, UINT32_MAX, s->out[which]);
    /* lanes, probes, levels, texels with those at corners of cubes, pieces of a texel */
    require(pieces.asked <= 32ull * 16 * 2 * 8 * 3 * 16);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint16_t lengths[8] = {1, 3, 7, 16, 64, 100, 4096, 512};
    struct input in = {data, size};
    struct scene *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
    if (!s)
        return 0;
    memset(s, 0, sizeof *s);
    const unsigned chip = (unsigned)take(&in, 1), what = (unsigned)take(&in, 1), how = (unsigned)take(&in, 1);
    const unsigned memory = (unsigned)take(&in, 1);
    const struct texture_unit unit = {(enum texture_layout)(chip & 1), chip & 2 ? GOB_LINES : GOB_SECTORS, chip & 4};
    uint32_t words[2][TEXTURE_WORDS];
    for (unsigned i = 0; i < 2 * TEXTURE_WORDS; i++)
        words[i / TEXTURE_WORDS][i % TEXTURE_WORDS] = (uint32_t)take(&in, 4);
    for (unsigned i = 0; i < BYTES; i++)
        s->bytes[i] = (uint8_t)(i * 2654435761u >> 24);
    fill_rows(s, &in);
    choose_request(s, what, how);
    texture_sampler(&s->sampler, words[1]);
    const char *reason = NULL;
    if (texture_header(&s->view, &unit, words[0], &reason)) {
        sample(s, 0, BYTES, memory >> 3 & 7);
        sample(s, 1, lengths[memory & 7], memory >> 3 & 7);
        require(memcmp(s->out[0], s->out[1], sizeof s->out[0]) == 0);
        texture_query_lod(&s->view, &s->sampler, &s->request, UINT32_MAX, s->out[0]);
        texture_query_size(&s->view, s->row[0], UINT32_MAX, s->out[0]);
    } else {
        require(reason ? *reason : s->view.width == 0);
    }
    free(s);
    return 0;
}
