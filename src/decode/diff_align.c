/* SPDX-License-Identifier: MIT */
/*
 * Where two streams that differ go on alike.
 *
 * Near: the shortest edit that leads to some lines in a row that are alike, after E. Myers, "An O(ND) Difference
 * Algorithm and Its Variations" (Algorithmica 1, 1986), stopped there. Its work is bounded by DIFF_EDITS squared.
 * Far: the first place where more lines in a row are alike, by a table of their hashes.
 */
#include "decode/diff.h"

#include <stdlib.h>
#include <string.h>

enum { UNREACHED = -1, ANCHOR_SLOTS = 4 * PFIFO_DIFF_WINDOW };

struct diff_aligner {
    /* After `d` edits, on diagonal k = x - y: the furthest x, at reached[d][k + d]; x and y are lines of A and B. */
    int reached[DIFF_EDITS + 1][2 * DIFF_EDITS + 1];
    uint32_t slots[ANCHOR_SLOTS]; /* 1 + the line of B where an anchor of that hash begins first; 0: none */
    uint64_t hashes[PFIFO_DIFF_WINDOW];
};

struct diff_aligner *diff_aligner_new(void) {
    return malloc(sizeof(struct diff_aligner));
}

void diff_aligner_free(struct diff_aligner *aligner) {
    free(aligner);
}

struct near {
    struct diff_aligner *aligner;
    const struct diff_side *a, *b;
    int lines_a, lines_b;
    bool ends; /* both streams end there */
};

static int reached(const struct near *near, int d, int k) {
    return k < -d || k > d ? UNREACHED : near->aligner->reached[d][k + d];
}

/* Where diagonal k begins after `d` edits, before the lines that are alike. *added: the last edit adds a line. */
static int begin_of(const struct near *near, int d, int k, bool *added) {
    int below = reached(near, d - 1, k - 1), above = reached(near, d - 1, k + 1);
    int removed = below == UNREACHED ? UNREACHED : below + 1;

    *added = above != UNREACHED && above > removed;
    return *added ? above : removed;
}

/* One diagonal, one edit further. True: both agree from there on. */
static bool diff_align_extend(const struct near *near, int d, int k) {
    bool added;
    int x = d ? begin_of(near, d, k, &added) : 0, begin = x;
    int *to = &near->aligner->reached[d][k + d];

    *to = UNREACHED;
    if (x == UNREACHED || x > near->lines_a || x - k > near->lines_b)
        return false;
    while (x < near->lines_a && x - k < near->lines_b &&
           diff_same(diff_line_at(near->a, (size_t)x), diff_line_at(near->b, (size_t)(x - k))))
        x++;
    *to = x;
    return x - begin >= DIFF_AGREE || (near->ends && x == near->lines_a && x - k == near->lines_b);
}

/* The way to diagonal k after `d` edits, in groups. Edits without lines in between are one group. */
static size_t groups_to(const struct near *near, int d, int k, struct diff_group groups[DIFF_GROUPS]) {
    size_t first = DIFF_GROUPS;

    for (bool joined = false; d > 0; d--) {
        bool added;
        int begin = begin_of(near, d, k, &added);
        size_t same = (size_t)(reached(near, d, k) - begin);
        if (!joined || same)
            groups[--first] = (struct diff_group){.same = same};
        groups[first].added += added;
        groups[first].removed += !added;
        joined = true;
        k += added ? 1 : -1;
    }
    memmove(groups, groups + first, (DIFF_GROUPS - first) * sizeof *groups);
    return DIFF_GROUPS - first;
}

size_t diff_align_near(struct diff_aligner *aligner, const struct diff_side *a, const struct diff_side *b,
                       struct diff_group groups[DIFF_GROUPS]) {
    struct near near = {.aligner = aligner,
                        .a = a,
                        .b = b,
                        .lines_a = a->count < DIFF_NEAR ? (int)a->count : DIFF_NEAR,
                        .lines_b = b->count < DIFF_NEAR ? (int)b->count : DIFF_NEAR};

    near.ends = !a->more && !b->more && a->count <= DIFF_NEAR && b->count <= DIFF_NEAR;
    for (int d = 0; d <= DIFF_EDITS; d++)
        for (int k = -d; k <= d; k += 2)
            if (diff_align_extend(&near, d, k))
                return groups_to(&near, d, k, groups);
    return 0;
}

/* ---- far ---- */

static size_t window_of(const struct diff_side *side) {
    return side->count < PFIFO_DIFF_WINDOW ? side->count : PFIFO_DIFF_WINDOW;
}

/* hashes[i]: of the anchor that begins at line i. How many there are. */
static size_t hash_anchors(const struct diff_side *side, uint64_t hashes[PFIFO_DIFF_WINDOW]) {
    const uint64_t base = UINT64_C(0x100000001b3);
    size_t lines = window_of(side);
    uint64_t hash = 0, power = 1;

    if (lines < DIFF_ANCHOR)
        return 0;
    for (size_t i = 0; i < DIFF_ANCHOR; i++) {
        hash = hash * base + diff_line_at(side, i)->key;
        power *= i ? base : 1;
    }
    for (size_t i = 0;; i++) {
        hashes[i] = hash;
        if (i + DIFF_ANCHOR == lines)
            return i + 1;
        hash = (hash - diff_line_at(side, i)->key * power) * base + diff_line_at(side, i + DIFF_ANCHOR)->key;
    }
}

static size_t diff_align_slot_of(uint64_t hash) {
    return (size_t)((hash * UINT64_C(0xbf58476d1ce4e5b9)) >> 40) & (ANCHOR_SLOTS - 1);
}

/* Of lines with one slot the first is kept. */
static void enter_anchors(struct diff_aligner *aligner, size_t anchors) {
    memset(aligner->slots, 0, sizeof aligner->slots);
    for (size_t i = anchors; i-- > 0;)
        aligner->slots[diff_align_slot_of(aligner->hashes[i])] = (uint32_t)i + 1;
}

static bool agree(const struct diff_side *a, size_t i, const struct diff_side *b, size_t j) {
    for (size_t n = 0; n < DIFF_ANCHOR; n++)
        if (!diff_same(diff_line_at(a, i + n), diff_line_at(b, j + n)))
            return false;
    return true;
}

struct diff_group diff_align_far(struct diff_aligner *aligner, const struct diff_side *a, const struct diff_side *b) {
    struct diff_group best = {.removed = window_of(a), .added = window_of(b)};
    size_t anchors;

    enter_anchors(aligner, hash_anchors(b, aligner->hashes));
    anchors = hash_anchors(a, aligner->hashes);
    for (size_t i = 0; i < anchors && i < best.removed + best.added; i++) {
        uint32_t slot = aligner->slots[diff_align_slot_of(aligner->hashes[i])];
        if (slot && i + slot - 1 < best.removed + best.added && agree(a, i, b, slot - 1))
            best = (struct diff_group){.removed = i, .added = slot - 1};
    }
    return best;
}
