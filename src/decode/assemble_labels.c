/* SPDX-License-Identifier: MIT */
/* Labels: sorted when all of the text is read, so that each use of one is a binary search. */
#include "decode/assemble.h"

#include <stdlib.h>
#include <string.h>

bool assemble_is_label(const char *text, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        char lower = (char)(text[i] | 0x20);
        bool letter = (lower >= 'a' && lower <= 'z') || text[i] == '_';
        if (!letter && !(i && text[i] >= '0' && text[i] <= '9'))
            return false;
    }
    return bytes > 0;
}

/* Room for one more; NULL: no memory. */
static void *assemble_labels_grow(void *array, size_t count, size_t *room, size_t bytes) {
    size_t wanted = *room ? 2 * *room : 64;
    void *grown = array;

    if (count == *room) {
        grown = wanted <= SIZE_MAX / bytes ? realloc(array, wanted * bytes) : NULL;
        *room = grown ? wanted : *room;
    }
    return grown;
}

static struct assemble_label this_label(const struct assembler *assembler, size_t skip, size_t at) {
    const char *name = assembler->begin + assembler->column - 1;

    return (struct assemble_label){name + skip,     assembler->token_bytes - skip, at,
                                   assembler->line, assembler->buffers.open,       assembler->column};
}

enum pfifo_status assemble_define_label(struct assembler *assembler, size_t bytes) {
    struct assemble_labels *all = &assembler->labels;
    struct assemble_label *grown = assemble_labels_grow(all->labels, all->count, &all->room, sizeof *grown);

    if (!grown)
        return assemble_no_memory(assembler, "label");
    all->labels = grown;
    grown[all->count] = this_label(assembler, 0, assembler->count);
    grown[all->count++].bytes = bytes;
    return PFIFO_OK;
}

enum pfifo_status assemble_use_label(struct assembler *assembler, size_t skip, enum grammar_form form, size_t at) {
    static const char suffix[] = ".high";
    const size_t length = sizeof suffix - 1;
    struct assemble_labels *all = &assembler->labels;
    struct assemble_use *grown, use = {.label = this_label(assembler, skip, at), .form = form};

    use.high = form == FORM_INVALID && use.label.bytes > length &&
               memcmp(use.label.name + use.label.bytes - length, suffix, length) == 0;
    use.label.bytes -= use.high ? length : 0;
    if (!assemble_is_label(use.label.name, use.label.bytes))
        return assemble_wrong(assembler, "no number and no label:");
    grown = assemble_labels_grow(all->uses, all->use_count, &all->use_room, sizeof *grown);
    if (!grown)
        return assemble_no_memory(assembler, "label");
    all->uses = grown;
    grown[all->use_count++] = use;
    return PFIFO_OK;
}

static int assemble_labels_compare_names(const struct assemble_label *a, const struct assemble_label *b) {
    int order = memcmp(a->name, b->name, a->bytes < b->bytes ? a->bytes : b->bytes);

    return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* By name; of one name, by place. */
static int compare_labels(const void *left, const void *right) {
    const struct assemble_label *a = left, *b = right;
    int order = assemble_labels_compare_names(a, b);

    return order ? order : (a->name > b->name) - (a->name < b->name);
}

static const struct assemble_label *find_label(const struct assemble_labels *all, const struct assemble_label *wanted) {
    size_t low = 0, high = all->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = assemble_labels_compare_names(&all->labels[middle], wanted);
        if (order == 0)
            return &all->labels[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void wrong_label(const struct assembler *assembler, const struct assemble_label *label, const char *what) {
    int bytes = label->bytes < 60 ? (int)label->bytes : 60;

    assemble_error(assembler, label->line, label->column, "%s '%.*s'", what, bytes, label->name);
}

static void assemble_labels_resolve(struct assembler *assembler, const struct assemble_use *use) {
    const struct assemble_label *label = find_label(&assembler->labels, &use->label);
    struct grammar_word in = {.form = use->form};
    uint64_t address;
    uint32_t word;

    if (!label) {
        wrong_label(assembler, &use->label, "there is no label");
        return;
    }
    address = assemble_address_of(assembler, label);
    word = (uint32_t)(use->high ? address >> 32 : address);
    if (use->form != FORM_INVALID) {
        in.target = (uint32_t)address;
        if (address > UINT32_MAX || !grammar_encode_any(assembler->grammar, &in, &word)) {
            wrong_label(assembler, &use->label, "this chip cannot go to the address of");
            return;
        }
    }
    assemble_set(assembler, use->label.at, word);
}

void assemble_resolve_labels(struct assembler *assembler) {
    struct assemble_labels *all = &assembler->labels;

    if (all->count)
        qsort(all->labels, all->count, sizeof *all->labels, compare_labels);
    for (size_t i = 1; i < all->count && !assemble_is_over(assembler); i++)
        if (assemble_labels_compare_names(&all->labels[i - 1], &all->labels[i]) == 0)
            wrong_label(assembler, &all->labels[i], "there already is a label");
    for (size_t i = 0; i < all->use_count && !assemble_is_over(assembler); i++)
        assemble_labels_resolve(assembler, &all->uses[i]);
}
