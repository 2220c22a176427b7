/* SPDX-License-Identifier: MIT */
/*
 * Streams that are damaged, cut off, of another machine or of nothing: an error that says where, and the GPU is as
 * after power-on. Nothing that is loaded hurts: with checksums made right again, it runs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rounds.h"
#include "state/player.h"
#include "state/sections.h"

#define VRAM (4u << 20)

static struct pfifo_gpu *make(const char *chip, uint64_t vram, uint64_t system) {
    const struct pfifo_config config = {.chip = pfifo_chip_by_name(chip), .vram_bytes = vram, .system_bytes = system};
    struct pfifo_error error = {0};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, &error);
    if (!gpu)
        fail_msg("%s: %s", chip, error.message);
    return gpu;
}

/* A machine in the middle of its work, and what it is right after it was made. */
struct machine {
    struct player player;
    struct player_bytes state, power_on;
};

static void work(struct machine *m, const struct player_part *part, uint64_t seed) {
    struct choice choice = choice_from_seed(seed);
    memset(m, 0, sizeof *m);
    assert_true(player_open(&m->player, part, false, NULL, &choice));
    for (int i = 0; i < 40; i++)
        player_step(&m->player, &choice);
    assert_true(player_save(m->player.gpu, &m->state, NULL));
    struct pfifo_gpu *fresh = make(part->chip, 32 << 20, 32 << 20);
    assert_true(player_save(fresh, &m->power_on, NULL));
    pfifo_gpu_free(fresh);
}

static void finish(struct machine *m) {
    player_close(&m->player);
    free(m->state.data);
    free(m->power_on.data);
}

static void assert_power_on(struct machine *m) {
    struct player_bytes now;
    assert_true(player_save(m->player.gpu, &now, NULL));
    assert_int_equal(now.bytes, m->power_on.bytes);
    assert_memory_equal(now.data, m->power_on.data, now.bytes);
    free(now.data);
}

/* Load what must not be taken, and give back the message. */
static struct pfifo_error refused(struct machine *m, const uint8_t *data, size_t bytes) {
    struct pfifo_error error = {0};
    /* Exactly as many bytes as there are: what reads beyond them is found. */
    uint8_t *copy = malloc(bytes ? bytes : 1);
    assert_non_null(copy);
    memcpy(copy, data, bytes);
    enum pfifo_status status = pfifo_gpu_load(m->player.gpu, copy, bytes, &error);
    free(copy);
    assert_int_not_equal(status, PFIFO_OK);
    assert_int_equal(status, error.status);
    assert_power_on(m);
    return error;
}

/* One part of each kind of machine. */
static const char *const kinds[] = {"NV40", "G84", "GF100", "GM107"};

static const struct player_part *part_of(const char *chip) {
    for (size_t i = 0; i < player_part_count; i++)
        if (strcmp(player_parts[i].chip, chip) == 0)
            return &player_parts[i];
    fail_msg("no %s", chip);
    return NULL;
}

#define FOR_EACH_KIND(m)                                                                                               \
    for (size_t kind_ = 0; kind_ < sizeof kinds / sizeof kinds[0]; kind_++)                                            \
        for (bool once_ = (work(m, part_of(kinds[kind_]), kind_), true); once_; once_ = (finish(m), false))

static void a_stream_that_is_cut_off_is_refused(void **state) {
    (void)state;
    struct machine m;
    FOR_EACH_KIND(&m) {
        /* Every length within the headers of sections and around their ends, and some of the long rest. */
        for (size_t at = STREAM_HEADER; at < m.state.bytes; at = section_after(&m.state, at))
            for (size_t cut = at - 2; cut < at + SECTION_HEADER + 6 && cut < m.state.bytes; cut++)
                assert_int_equal(refused(&m, m.state.data, cut).status, PFIFO_ERROR_FORMAT);
        for (size_t cut = 0; cut < m.state.bytes; cut += 997)
            assert_int_equal(refused(&m, m.state.data, cut).status, PFIFO_ERROR_FORMAT);
    }
}

static void a_flipped_bit_is_found(void **state) {
    (void)state;
    struct machine m;
    FOR_EACH_KIND(&m) {
        for (size_t at = 0, step = 1; at < m.state.bytes; at += step) {
            step = at < 200 ? 1 : 241;
            m.state.data[at] ^= (uint8_t)(1u << at % 8);
            refused(&m, m.state.data, m.state.bytes);
            m.state.data[at] ^= (uint8_t)(1u << at % 8);
        }
    }
}

static void an_error_names_section_and_offset(void **state) {
    (void)state;
    struct machine m;
    work(&m, part_of("GF100"), 1);
    size_t bus = section_find(&m.state, "BUS ");
    m.state.data[bus + SECTION_HEADER + 8] ^= 1;
    struct pfifo_error error = refused(&m, m.state.data, m.state.bytes);
    assert_string_equal(strchr(error.message, ':'), ": it is damaged: its checksum does not fit");
    assert_non_null(strstr(error.message, "section BUS, offset 0x"));
    m.state.data[bus + SECTION_HEADER + 8] ^= 1;
    m.state.data[bus + 4] = 77;
    error = refused(&m, m.state.data, m.state.bytes);
    assert_non_null(strstr(error.message, "section BUS, "));
    assert_non_null(strstr(error.message, "version 77"));
    finish(&m);
}

static void bytes_behind_the_end_are_an_error(void **state) {
    (void)state;
    struct machine m;
    work(&m, part_of("NV40"), 1);
    assert_true(player_collect(&m.state, "more", 4));
    refused(&m, m.state.data, m.state.bytes);
    refused(&m, (const uint8_t *)"", 0);
    refused(&m, (const uint8_t *)"PFIFOGPU", 8);
    refused(&m, m.state.data + 1, m.state.bytes - 1);
    finish(&m);
}

/* With the checksums made right, the words themselves are what is checked. What is taken must run. */
static void any_word_may_be_anything(void **state) {
    (void)state;
    static const uint32_t values[] = {0, 1, ~0u, 0x80000000, 0x7fffffff, 0x1000, 0xffff};
    struct machine m;
    FOR_EACH_KIND(&m) {
        struct choice choice = choice_from_seed(kind_);
        const int wanted = (int)rounds_wanted(400);
        for (int n = 0; n < wanted; n++) {
            size_t section = section_pick(&m.state, &choice), words = section_words(&m.state, section);
            if (words == 0)
                continue;
            size_t at = section + SECTION_HEADER + 4 * choice_below(&choice, words < 300 ? (uint32_t)words : 300);
            uint32_t kept = stream_word(&m.state, at);
            stream_set_word(&m.state, at, values[choice_below(&choice, sizeof values / sizeof values[0])]);
            section_seal(&m.state, section);
            if (pfifo_gpu_load(m.player.gpu, m.state.data, m.state.bytes, NULL) == PFIFO_OK) {
                pfifo_gpu_run(m.player.gpu, 300);
                struct player_bytes again;
                assert_true(player_save(m.player.gpu, &again, NULL));
                assert_int_equal(pfifo_gpu_load(m.player.gpu, again.data, again.bytes, NULL), PFIFO_OK);
                free(again.data);
            } else {
                assert_power_on(&m);
            }
            stream_set_word(&m.state, at, kept);
            section_seal(&m.state, section);
        }
        assert_int_equal(pfifo_gpu_load(m.player.gpu, m.state.data, m.state.bytes, NULL), PFIFO_OK);
    }
}

/* Words of a "PBDM" section, from its end. */
#define PBDM_CHANNEL 1
#define PBDM_PERIOD  7

/* The end of the section of a PBDMA that has a channel; 0: none has. */
static size_t loaded_pbdma(const struct player_bytes *bytes) {
    for (size_t at = STREAM_HEADER, after; at < bytes->bytes; at = after) {
        after = section_after(bytes, at);
        if (memcmp(bytes->data + at, "PBDM", 4) == 0 && stream_word(bytes, after - 4 * PBDM_CHANNEL) != UINT32_MAX)
            return after;
    }
    return 0;
}

/* One that was never over would be taken up again and again. */
static void a_channel_on_a_pbdma_has_a_timeslice(void **state) {
    (void)state;
    struct machine m;
    size_t end = 0;
    for (uint64_t seed = 0; !end && seed < 50; seed++) {
        work(&m, part_of("GF100"), seed);
        end = loaded_pbdma(&m.state);
        if (!end)
            finish(&m);
    }
    assert_int_not_equal(end, 0);
    size_t at = STREAM_HEADER;
    while (section_after(&m.state, at) != end)
        at = section_after(&m.state, at);
    for (uint32_t high = 0; high < 2; high++) { /* 0, and less */
        stream_set_word(&m.state, end - 4 * PBDM_PERIOD, high ? UINT32_MAX : 0);
        stream_set_word(&m.state, end - 4 * PBDM_PERIOD + 4, high ? UINT32_MAX : 0);
        section_seal(&m.state, at);
        assert_non_null(strstr(refused(&m, m.state.data, m.state.bytes).message, "timeslice"));
    }
    finish(&m);
}

static void another_machine_is_refused(void **state) {
    (void)state;
    struct pfifo_error error;
    struct player_bytes bytes;
    struct pfifo_gpu *gpu = make("NV40", VRAM, VRAM);
    assert_true(player_save(gpu, &bytes, NULL));
    static const struct {
        const char *chip;
        uint32_t vram, system;
        const char *says;
    } others[] = {
        {"NV41", VRAM, VRAM, "this is the state of a NV40, not of a NV41"},
        {"NV40", 2 * VRAM, VRAM, "VRAM"},
        {"NV40", VRAM, 2 * VRAM, "system memory"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct pfifo_gpu *other = make(others[i].chip, others[i].vram, others[i].system);
        assert_int_equal(pfifo_gpu_load(other, bytes.data, bytes.bytes, &error), PFIFO_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, others[i].says));
        pfifo_gpu_free(other);
    }
    pfifo_gpu_free(gpu);
    free(bytes.data);
}

static bool full(void *opaque, const void *data, size_t bytes) {
    size_t *left = opaque;
    (void)data;
    if (bytes > *left)
        return false;
    *left -= bytes;
    return true;
}

/* A disk that is full at any point: an error, and the machine goes on as if nothing had happened. */
static void saving_that_fails_changes_nothing(void **state) {
    (void)state;
    struct machine m;
    FOR_EACH_KIND(&m) {
        for (size_t room = 0; room < m.state.bytes; room += 1 + m.state.bytes / 37) {
            size_t left = room;
            struct pfifo_error error = {0};
            assert_int_equal(pfifo_gpu_save(m.player.gpu, full, &left, &error), PFIFO_ERROR_IO);
            assert_int_equal(error.status, PFIFO_ERROR_IO);
        }
        struct player_bytes again;
        assert_true(player_save(m.player.gpu, &again, NULL));
        assert_int_equal(again.bytes, m.state.bytes);
        assert_memory_equal(again.data, m.state.data, again.bytes);
        free(again.data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_that_is_cut_off_is_refused),
        cmocka_unit_test(a_flipped_bit_is_found),
        cmocka_unit_test(an_error_names_section_and_offset),
        cmocka_unit_test(bytes_behind_the_end_are_an_error),
        cmocka_unit_test(any_word_may_be_anything),
        cmocka_unit_test(a_channel_on_a_pbdma_has_a_timeslice),
        cmocka_unit_test(another_machine_is_refused),
        cmocka_unit_test(saving_that_fails_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
