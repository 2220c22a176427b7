/* SPDX-License-Identifier: MIT */
/* The wiring of all chips with a CACHE1: a table of operations is complete, or the chip does not have the part at all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fifo/cache/g80.h"
#include "fifo/cache/host.h"
#include "fifo/cache/nv1.h"
#include "fifo/cache/pio.h"
#include "fifo/cache/puller.h"
#include "fifo/cache/pusher.h"
#include "fifo/cache/ramfc.h"
#include "fifo/cache/switcher.h"
#include "gpu/gpu.h"

static void for_each_family(void (*check)(const struct pfifo_chip *chip, const struct cache_fifo *c)) {
    unsigned chips = 0;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        const struct pfifo_chip *chip = pfifo_chip_at(i);
        const struct pfifo_config config = {.chip = chip, .vram_bytes = UINT64_C(16) << 20};
        if (!chip->cache1_entries)
            continue;
        struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
        assert_non_null(gpu);
        check(chip, (const struct cache_fifo *)gpu->fifo);
        pfifo_gpu_free(gpu);
        chips++;
    }
    assert_in_range(chips, 40, 100);
}

/* ---- what each chip has ---- */

static void check_parts(const struct pfifo_chip *chip, const struct cache_fifo *c) {
    const struct cache_family *f = c->family;
    assert_non_null(f->pusher);
    assert_non_null(f->puller);
    assert_non_null(f->switcher);
    assert_int_equal(f->pushbuffer != NULL, chip->has_dma);
    assert_int_equal(f->host != NULL, chip->has_dma);
    assert_int_equal(f->ramht != NULL, chip->has_dma);
    assert_int_equal(f->ramfc != NULL, chip->has_dma);
    assert_int_equal(f->pio != NULL, !chip->has_ib);
    assert_int_equal(f->nv1 != NULL, !chip->has_dma);
    assert_int_equal(f->g80 != NULL, chip->has_ib);
}

static void a_chip_has_the_parts_of_its_generation(void **state) {
    (void)state;
    for_each_family(check_parts);
}

/* ---- what is in a table ---- */

static void check_fifo_parts(const struct cache_family *f) {
    assert_true(f->pusher->has_work && f->pusher->can_fetch && f->pusher->fetch && f->pusher->run);
    assert_true(f->pusher->stopped && f->puller->execute && f->puller->execute_cache0);
    assert_true(f->puller->last_engine && f->puller->shown_instance);
    assert_true(f->switcher->next_channel && f->switcher->open_channel && f->switcher->dma_mode);
    assert_true(f->switcher->begin_run && f->switcher->left);
}

static void check_dma_parts(const struct cache_family *f) {
    const struct semaphore_ops *semaphore = f->host->semaphore;
    assert_true(f->pushbuffer->open && f->pushbuffer->fault);
    assert_true(f->ramht->layout && f->ramht->rd32 && f->ramht->object_class);
    assert_true(f->ramfc->rows && f->ramfc->count && f->ramfc->bytes && f->ramfc->address);
    assert_true(f->ramfc->rd32 && f->ramfc->wr32 && f->ramfc->save_entries && f->ramfc->load_entries);
    assert_true(semaphore && semaphore->space && semaphore->address && semaphore->fault && semaphore->failed);
    assert_true(f->switcher->slice_units && f->switcher->mode_bit);
    for (size_t i = 0; i < f->host->count; i++) {
        assert_non_null(f->host->rows[i].name);
        assert_non_null(f->host->rows[i].function);
    }
    for (size_t i = 1; i < f->ramfc->count; i++)
        assert_true(f->ramfc->rows[i - 1].offset <= f->ramfc->rows[i].offset);
}

static void check_tables(const struct pfifo_chip *chip, const struct cache_fifo *c) {
    const struct cache_family *f = c->family;
    (void)chip;
    check_fifo_parts(f);
    if (f->pushbuffer)
        check_dma_parts(f);
    if (f->pio)
        assert_true(f->pio->switch_channel && f->pio->ramro && f->pio->promise && f->pio->free_lie &&
                    f->pio->control_read && f->pio->control_write);
    if (f->nv1)
        assert_true(f->nv1->classes && f->nv1->context_mask);
    if (f->g80)
        assert_true(f->g80->ramfc_at && f->g80->entries_at && f->g80->descriptor && f->g80->kick_engines);
}

static void a_table_of_operations_has_no_gaps(void **state) {
    (void)state;
    for_each_family(check_tables);
}

/* ---- host methods ---- */

/* A row without a capability would be for all chips, or for none. */
static void check_host_methods(const struct pfifo_chip *chip, const struct cache_fifo *c) {
    static const struct {
        uint8_t method;
        size_t capability;
    } methods[] = {
        {0x10, offsetof(struct pfifo_chip, has_new_semaphore)}, {0x1c, offsetof(struct pfifo_chip, has_new_semaphore)},
        {0x20, offsetof(struct pfifo_chip, has_notify_intr)},   {0x2c, offsetof(struct pfifo_chip, has_line_flush)},
        {0x50, offsetof(struct pfifo_chip, has_ref_cnt)},       {0x60, offsetof(struct pfifo_chip, has_old_semaphore)},
        {0x6c, offsetof(struct pfifo_chip, has_old_semaphore)}, {0x80, offsetof(struct pfifo_chip, has_yield)},
        {0x84, offsetof(struct pfifo_chip, has_new_semaphore)},
    };
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        bool has = *(const bool *)(const void *)((const char *)chip + methods[i].capability);
        assert_int_equal(c->puller.host[methods[i].method >> 2] != NULL, has);
        assert_int_equal(c->puller.host_name[methods[i].method >> 2] != NULL, has);
    }
    assert_null(c->puller.host[0]);
}

static void a_chip_knows_the_host_methods_of_its_capabilities(void **state) {
    (void)state;
    for_each_family(check_host_methods);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chip_has_the_parts_of_its_generation),
        cmocka_unit_test(a_table_of_operations_has_no_gaps),
        cmocka_unit_test(a_chip_knows_the_host_methods_of_its_capabilities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
