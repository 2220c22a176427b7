/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lend/sampling.h"

#define ENTRY_BYTES (4u * TEXTURE_WORDS)

_Static_assert(SHADE_LANES == TEXTURE_LANES, "rows of programs are those of textures");

/* An entry of a pool as it was read. */
struct kept {
    uint64_t address;
    uint64_t checked; /* the number of the draw in which it was compared with memory; 0: nothing is kept */
    uint32_t words[TEXTURE_WORDS];
};

struct kept_view {
    struct kept kept;
    bool known; /* else `reason` says what is wrong */
    const char *reason;
    struct texture_view view;
};

struct kept_sampler {
    struct kept kept;
    struct texture_sampler sampler;
};

struct sampling {
    struct texture_memory memory;
    struct sampling_pools pools;
    uint64_t draw;
    uint64_t texels; /* read, that nobody has asked for yet */
    const char *reason;
    unsigned used_count;
    uint32_t used[SAMPLING_KEPT]; /* the lowest numbers of headers of this draw, in order */
    struct kept_view views[SAMPLING_KEPT];
    struct kept_sampler samplers[SAMPLING_KEPT];
};

struct sampling *sampling_new(const struct texture_memory *memory) {
    struct sampling *sampling = calloc(1, sizeof *sampling);
    if (sampling)
        sampling->memory = *memory;
    return sampling;
}

void sampling_free(struct sampling *sampling) {
    free(sampling);
}

void sampling_begin(struct sampling *sampling, const struct sampling_pools *pools) {
    const struct texture_unit *unit = &pools->unit, *last = &sampling->pools.unit;
    if (unit->layout != last->layout || unit->order != last->order || unit->mobile != last->mobile)
        for (unsigned i = 0; i < SAMPLING_KEPT; i++)
            sampling->views[i].kept.checked = 0;
    if (pools->faces_here != sampling->pools.faces_here || pools->faces != sampling->pools.faces)
        for (unsigned i = 0; i < SAMPLING_KEPT; i++)
            sampling->samplers[i].kept.checked = 0;
    sampling->pools = *pools;
    sampling->draw++;
    sampling->reason = NULL;
    sampling->used_count = 0;
}

const char *sampling_reason(const struct sampling *sampling) {
    return sampling->reason;
}

/* ---- headers and samplers ---- */

static bool entry_read(const struct sampling *sampling, uint64_t address, uint32_t words[TEXTURE_WORDS]) {
    uint8_t bytes[ENTRY_BYTES];
    for (unsigned have = 0; have < ENTRY_BYTES;) {
        uint64_t room = 0;
        const uint8_t *from = sampling->memory.at(sampling->memory.opaque, address + have, &room);
        if (!from || !room)
            return false;
        unsigned part = room < ENTRY_BYTES - have ? (unsigned)room : ENTRY_BYTES - have;
        memcpy(bytes + have, from, part);
        have += part;
    }
    for (unsigned i = 0; i < TEXTURE_WORDS; i++)
        words[i] = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16 |
                   (uint32_t)bytes[4 * i + 3] << 24;
    return true;
}

/* Of several reasons the first one by its text. */
static void note(struct sampling *sampling, const char *reason) {
    if (!sampling->reason || (reason && strcmp(reason, sampling->reason) < 0))
        sampling->reason = reason;
}

/* Is the entry what it was? It is looked up in memory once for each draw. */
enum state { STATE_SAME, STATE_NEW, STATE_UNREADABLE };

static enum state kept_update(const struct sampling *sampling, struct kept *kept, uint64_t address) {
    uint32_t words[TEXTURE_WORDS];
    assert(sampling->draw);
    if (kept->address == address && kept->checked == sampling->draw)
        return STATE_SAME;
    if (!entry_read(sampling, address, words)) {
        kept->checked = 0;
        return STATE_UNREADABLE;
    }
    bool same = kept->checked && kept->address == address && memcmp(kept->words, words, sizeof words) == 0;
    kept->checked = sampling->draw;
    if (same)
        return STATE_SAME;
    kept->address = address;
    memcpy(kept->words, words, sizeof words);
    return STATE_NEW;
}

/* The lowest stay, so that it does not matter which of several threads has used which of them. */
static void note_used(struct sampling *sampling, uint32_t index) {
    unsigned at = 0, after;
    while (at < sampling->used_count && sampling->used[at] < index)
        at++;
    if (at == SAMPLING_KEPT || (at < sampling->used_count && sampling->used[at] == index))
        return;
    sampling->used_count += sampling->used_count < SAMPLING_KEPT;
    after = sampling->used_count - 1 - at;
    memmove(&sampling->used[at + 1], &sampling->used[at], after * sizeof sampling->used[0]);
    sampling->used[at] = index;
}

const struct texture_view *sampling_view(struct sampling *sampling, uint32_t index) {
    if (index > sampling->pools.last_header) {
        note(sampling, "texture header beyond the end of its pool");
        return NULL;
    }
    struct kept_view *kept = &sampling->views[index % SAMPLING_KEPT];
    const uint64_t address = sampling->pools.headers + (uint64_t)index * ENTRY_BYTES;
    const bool first = kept->kept.checked != sampling->draw || kept->kept.address != address;
    switch (kept_update(sampling, &kept->kept, address)) {
    case STATE_UNREADABLE:
        note(sampling, "texture header that cannot be read");
        return NULL;
    case STATE_NEW:
        kept->reason = "texture header";
        kept->known = texture_header(&kept->view, &sampling->pools.unit, kept->kept.words, &kept->reason);
        break;
    default:
        break;
    }
    if (first)
        note_used(sampling, index);
    if (!kept->known)
        note(sampling, kept->reason);
    return kept->known ? &kept->view : NULL;
}

unsigned sampling_used(const struct sampling *sampling, uint32_t *headers, unsigned most) {
    unsigned count = sampling->used_count < most ? sampling->used_count : most;
    memcpy(headers, sampling->used, count * sizeof headers[0]);
    return count;
}

bool sampling_extent(const struct sampling *sampling, uint32_t header, uint64_t *begin, uint64_t *bytes) {
    uint32_t words[TEXTURE_WORDS];
    struct texture_view view;
    const char *reason;
    if (header > sampling->pools.last_header ||
        !entry_read(sampling, sampling->pools.headers + (uint64_t)header * ENTRY_BYTES, words) ||
        !texture_header(&view, &sampling->pools.unit, words, &reason))
        return false;
    uint64_t layer = view.layer_bytes > view.whole_layer_bytes ? view.layer_bytes : view.whole_layer_bytes;
    *begin = view.address;
    *bytes = layer > UINT64_MAX >> 32 ? UINT64_MAX : layer * view.layers;
    return true;
}

static const struct texture_sampler *sampler_of(struct sampling *sampling, uint32_t index) {
    static const struct texture_sampler none;
    if (index > sampling->pools.last_sampler) {
        note(sampling, "texture sampler beyond the end of its pool");
        return &none;
    }
    struct kept_sampler *kept = &sampling->samplers[index % SAMPLING_KEPT];
    switch (kept_update(sampling, &kept->kept, sampling->pools.samplers + (uint64_t)index * ENTRY_BYTES)) {
    case STATE_UNREADABLE:
        note(sampling, "texture sampler that cannot be read");
        return &none;
    case STATE_NEW:
        texture_sampler(&kept->sampler, kept->kept.words);
        if (sampling->pools.faces_here)
            texture_sampler_faces(&kept->sampler, sampling->pools.faces);
        break;
    default:
        break;
    }
    return &kept->sampler;
}

/* ---- an instruction ---- */

/* Rows that a request points to and that are no registers. */
struct rows {
    shade_row layer, offset[3], each[4][2];
};

/* NULL: the item is not there. */
static const uint32_t *item(const struct shade_warp *warp, uint8_t number) {
    return number == IR_ZERO ? NULL : shade_lanes(warp, number);
}

static void signed_field(const uint32_t *row, unsigned at, unsigned bits, uint32_t *out) {
    uint32_t top = 1u << (bits - 1), mask = (top << 1) - 1;
    assert(at + bits <= 32);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = ((row[i] >> at & mask) ^ top) - top;
}

/* One word: 4 bits for each coordinate; of gathers 8 bits, of which 6 count. Or a word for two of four texels. */
static void offsets(const struct shade_warp *warp, const struct ir *ir, struct rows *rows,
                    struct texture_request *request) {
    const struct ir_texture *texture = &ir->texture;
    const uint32_t *row = shade_lanes(warp, texture->offset[0]), *next = shade_lanes(warp, texture->offset[1]);
    if (texture->offsets4) {
        for (unsigned i = 0; i < 4; i++)
            for (unsigned k = 0; k < 2; k++) {
                signed_field(i < 2 ? row : next, 16 * (i & 1) + 8 * k, 6, rows->each[i][k]);
                request->offsets4[i][k] = rows->each[i][k];
            }
        return;
    }
    bool gather = ir->op == IR_TLD4;
    for (unsigned i = 0; i < (gather ? 2u : 3u); i++) {
        signed_field(row, (gather ? 8 : 4) * i + (texture->offset_high ? 16 : 0), gather ? 6 : 4, rows->offset[i]);
        request->offset[i] = rows->offset[i];
    }
}

static struct texture_request request_of(const struct shade_warp *warp, const struct ir *ir, struct rows *rows) {
    static const uint8_t lods[] = {[IR_LOD_AUTO] = TEXTURE_LOD_AUTO,
                                   [IR_LOD_ZERO] = TEXTURE_LOD_ZERO,
                                   [IR_LOD_BIAS] = TEXTURE_LOD_BIAS,
                                   [IR_LOD_LEVEL] = TEXTURE_LOD_LEVEL};
    _Static_assert(sizeof lods == 4, "it is asked with two bits");
    const struct ir_texture *texture = &ir->texture;
    struct texture_request request = {.operation = TEXTURE_SAMPLE,
                                      .lod = (enum texture_lod)lods[texture->lod & 3],
                                      .shadow = texture->shadow,
                                      .has_derivatives = warp->io->quads,
                                      .component = texture->component,
                                      .level = item(warp, texture->level),
                                      .sample = item(warp, texture->sample),
                                      .reference = item(warp, texture->reference)};
    if (ir->op == IR_TLD)
        request.operation = TEXTURE_FETCH;
    if (ir->op == IR_TLD4)
        request.operation = TEXTURE_GATHER;
    if (ir->op == IR_TXD)
        request.lod = TEXTURE_LOD_GRADIENT;
    for (unsigned i = 0; i < 3; i++)
        request.coordinate[i] = item(warp, texture->coordinate[i]);
    for (unsigned i = 0; i < 6; i++)
        request.gradient[i] = ir->op == IR_TXD ? item(warp, texture->derivative[i]) : NULL;
    if (texture->layer != IR_ZERO) {
        const uint32_t *layer = shade_lanes(warp, texture->layer);
        for (unsigned i = 0; i < SHADE_LANES; i++)
            rows->layer[i] = layer[i] & 0xffff;
        request.layer = rows->layer;
    }
    if (texture->offsets || texture->offsets4)
        offsets(warp, ir, rows, &request);
    return request;
}

/* Sizes, and of the type the number of samples. UNKNOWN: the other results of the type, and the other queries. */
static void query(struct sampling *sampling, const struct ir *ir, const struct texture_view *view,
                  const struct texture_request *request, uint32_t lanes, shade_row out[4]) {
    if (ir->texture.query == IR_QUERY_SIZE) {
        texture_query_size(view, request->level, lanes, out);
        return;
    }
    if (ir->texture.query != IR_QUERY_TYPE)
        note(sampling, "TXQ of a sampler or of sample positions");
    for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            if (lanes >> i & 1)
                out[k][i] =
                    k == 2 && ir->texture.query == IR_QUERY_TYPE ? 1u << (view->samples_x + view->samples_y) : 0;
}

/* The same texture in all of these lanes. */
static void execute(struct sampling *sampling, const struct ir *ir, const struct texture_request *request,
                    uint32_t header, uint32_t sampler, uint32_t lanes, shade_row out[4]) {
    const struct texture_view *view = sampling_view(sampling, header);
    if (!view) {
        for (unsigned k = 0; k < 4; k++)
            for (unsigned i = 0; i < SHADE_LANES; i++)
                out[k][i] = lanes >> i & 1 ? 0 : out[k][i];
        return;
    }
    if (ir->op == IR_TXQ)
        query(sampling, ir, view, request, lanes, out);
    else if (ir->op == IR_TMML)
        texture_query_lod(view, sampler_of(sampling, sampler), request, lanes, out);
    else if (ir->op == IR_TLD)
        sampling->texels += texture_sample(&sampling->memory, view, &(struct texture_sampler){0}, request, lanes, out);
    else
        sampling->texels += texture_sample(&sampling->memory, view, sampler_of(sampling, sampler), request, lanes, out);
}

/* Fermi: what is bound to a slot. */
static uint32_t bound(const uint32_t *slots, uint32_t slot) {
    return slot < SHADE_SLOTS ? slots[slot] : SHADE_UNBOUND;
}

/* Mostly all of them. */
static uint32_t lanes_with(const uint32_t *handle, uint32_t value) {
    uint32_t other = 0, lanes = 0;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        other |= handle[i] ^ value;
    if (!other)
        return UINT32_MAX;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        lanes |= (handle[i] == value ? 1u : 0) << i;
    return lanes;
}

uint64_t sampling_texels(struct sampling *sampling) {
    uint64_t texels = sampling->texels;
    sampling->texels = 0;
    return texels;
}

bool sampling_texture(struct sampling *sampling, struct shade_warp *warp, uint32_t lanes, const struct ir *ir,
                      const uint32_t *handle, shade_row out[4]) {
    const struct shade_slots *slots = warp->io->slots;
    struct rows rows;
    struct texture_request request = request_of(warp, ir, &rows);
    for (uint32_t rest = lanes; rest;) {
        const uint32_t first = handle[__builtin_ctz(rest)], same = rest & lanes_with(handle, first);
        rest &= ~same;
        uint32_t header = first & 0xfffff, sampler = first >> 20;
        if (ir->texture.by_slot) {
            header = slots ? bound(slots->header, header) : SHADE_UNBOUND;
            sampler = slots ? bound(slots->sampler, sampler) : SHADE_UNBOUND;
        }
        if (sampling->pools.linked)
            sampler = header;
        execute(sampling, ir, &request, header, sampler, same, out);
    }
    return true;
}
