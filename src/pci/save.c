/* SPDX-License-Identifier: MIT */
/*
 * The state of a card: a head, a stream of the board, the stream of the GPU (pfifo/state.h).
 *
 *   "PFIFOPCI" version, bytes of the board's stream | "PCI " registers, "PCIU" storage | the GPU
 */
#include <stdlib.h>

#include "pci/card.h"
#include "state/bytes.h"
#include "state/state.h"

#define HEAD_BYTES 16u
#define VERSION    1u
static const char magic[8] = {'P', 'F', 'I', 'F', 'O', 'P', 'C', 'I'};

/* ---- sections ---- */

static void state_vga(struct state_io *io, struct pci_vga *vga) {
    state_u8(io, &vga->crtc_index);
    state_bytes(io, vga->crtc, sizeof vga->crtc);
    state_u8(io, &vga->attr_index);
    state_bytes(io, vga->attr, sizeof vga->attr);
    state_bool(io, &vga->attr_data);
}

static void state_card(struct state_io *io, struct pci_state *state) {
    if (state_begin(io, "PCI ", 1)) {
        state_bytes(io, state->config, sizeof state->config);
        state_u32(io, &state->straps);
        state_bool(io, &state->armed);
        for (unsigned i = 0; i < PCI_HEADS; i++)
            state_vga(io, &state->vga[i]);
    }
    state_end(io);
}

static void save_state_page(struct state_io *io, struct pci_page *page) {
    state_words(io, page->value, PCI_PAGE_WORDS, "storage");
    state_words(io, page->reads, PCI_PAGE_WORDS, "reads");
    state_words(io, page->writes, PCI_PAGE_WORDS, "writes");
}

static void save_storage(struct pfifo_pci *card, struct state_io *io) {
    uint32_t count = 0;
    for (size_t i = 0; i < card->page_count; i++)
        count += card->pages[i] != NULL;
    state_count(io, count, (uint32_t)card->page_count, "pages");
    for (unsigned i = 0; i < card->page_count; i++) {
        if (!card->pages[i])
            continue;
        state_index(io, &i, (unsigned)card->page_count, "page");
        save_state_page(io, card->pages[i]);
    }
}

static void load_storage(struct pfifo_pci *card, struct state_io *io) {
    uint32_t count = state_count(io, 0, (uint32_t)card->page_count, "pages");
    for (uint32_t i = 0; i < count && state_good(io); i++) {
        unsigned number = 0;
        state_index(io, &number, (unsigned)card->page_count, "page");
        struct pci_page *page = state_good(io) ? pci_storage_page(card, number) : NULL;
        if (page)
            save_state_page(io, page);
        else if (state_good(io))
            state_fail(io, PFIFO_ERROR_MEMORY, "no memory for a page");
    }
}

/* ---- save ---- */

static enum pfifo_status collect_card(struct pfifo_pci *card, struct state_bytes *to, struct pfifo_error *error) {
    struct state_io io;
    state_open_save(&io, state_bytes_write, to, error);
    state_card(&io, &card->state);
    if (state_begin(&io, "PCIU", 1))
        save_storage(card, &io);
    state_end(&io);
    return state_close(&io);
}

enum pfifo_status pfifo_pci_save(struct pfifo_pci *card, pfifo_writer write, void *opaque, struct pfifo_error *error) {
    struct state_bytes board = {0};
    uint8_t head[HEAD_BYTES];
    if (card->gpu->running)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a card cannot be saved while it runs");
    enum pfifo_status status = collect_card(card, &board, error);
    if (status == PFIFO_OK) {
        memcpy(head, magic, sizeof magic);
        store_le32(head + 8, VERSION);
        store_le32(head + 12, (uint32_t)board.used);
        if (!write(opaque, head, sizeof head) || !write(opaque, board.data, board.used))
            status = pfifo_error_set(error, PFIFO_ERROR_IO, "the state could not be written");
    }
    free(board.data);
    return status == PFIFO_OK ? pfifo_gpu_save(card->gpu, write, opaque, error) : status;
}

/* ---- load ---- */

/* Bits that nobody can write are the board's: a state of one with other ids is another card's. */
static void adopt(struct pfifo_pci *card, struct state_io *io, const struct pci_state *found) {
    struct pci_state *own = &card->state;
    for (unsigned i = 0; i < PFIFO_PCI_CONFIG_BYTES && state_good(io); i++)
        if ((own->config[i] ^ found->config[i]) & ~card->writable[i])
            state_fail(io, PFIFO_ERROR_ARGUMENT, "it is of another card: byte 0x%x of its configuration space", i);
    if (!state_good(io))
        return;
    bool intx = own->intx;
    *own = *found;
    own->intx = intx;
    own->line = card->gpu->bus.line;
}

static enum pfifo_status load_card(struct pfifo_pci *card, const uint8_t *data, size_t bytes,
                                   struct pfifo_error *error) {
    struct state_io io;
    struct pci_state state = {0};
    pci_storage_clear(card);
    state_open_load(&io, data, bytes, error);
    state_card(&io, &state);
    if (state_begin(&io, "PCIU", 1))
        load_storage(card, &io);
    state_end(&io);
    adopt(card, &io, &state);
    return state_close(&io);
}

static enum pfifo_status check_head(const uint8_t *head, size_t bytes, struct pfifo_error *error) {
    if (bytes < HEAD_BYTES || memcmp(head, magic, sizeof magic) != 0)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "offset 0x0: this is not the state of a card");
    if (load_le32(head + 8) != VERSION)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "offset 0x8: version %u is not known", load_le32(head + 8));
    if (load_le32(head + 12) > bytes - HEAD_BYTES)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "offset 0xc: it ends too early");
    return PFIFO_OK;
}

/* The GPU first: its line is then known. */
static enum pfifo_status load_both(struct pfifo_pci *card, const uint8_t *data, size_t bytes,
                                   struct pfifo_error *error) {
    enum pfifo_status status = check_head(data, bytes, error);
    if (status != PFIFO_OK)
        return status;
    size_t board = load_le32(data + 12);
    status = pfifo_gpu_load(card->gpu, data + HEAD_BYTES + board, bytes - HEAD_BYTES - board, error);
    return status == PFIFO_OK ? load_card(card, data + HEAD_BYTES, board, error) : status;
}

enum pfifo_status pfifo_pci_load(struct pfifo_pci *card, const void *data, size_t bytes, struct pfifo_error *error) {
    if (card->gpu->running)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a card cannot be loaded while it runs");
    if (card->tap && card->tap->end)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a card cannot be loaded while its session is recorded");
    card->quiet = true;
    enum pfifo_status status = load_both(card, data, bytes, error);
    if (status != PFIFO_OK) {
        pfifo_gpu_reset(card->gpu, 0, NULL);
        pci_config_init(card);
        pci_registers_reset(card);
        card->state.armed = true;
    }
    card->state.line = card->gpu->bus.line;
    card->quiet = false;
    pci_lines_update(card);
    return status;
}
