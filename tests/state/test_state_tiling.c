/* SPDX-License-Identifier: MIT */
/* Tiled VRAM of NV10 to NV4x in a saved machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "state/fields.h"

#define COMPARED (4u << 20) /* bytes */

static void assert_same_vram(struct pfifo_gpu *a, struct pfifo_gpu *b) {
    static uint8_t x[COMPARED], y[COMPARED];
    pfifo_gpu_vram_read(a, 0, x, COMPARED);
    pfifo_gpu_vram_read(b, 0, y, COMPARED);
    assert_memory_equal(x, y, COMPARED);
}

static void set_region(struct pfifo_gpu *gpu, uint32_t first, uint32_t limit, uint32_t pitch, uint32_t base) {
    pfifo_gpu_wr32(gpu, first + 4, limit);
    pfifo_gpu_wr32(gpu, first + 8, pitch);
    pfifo_gpu_wr32(gpu, first, base);
}

/*
 * VRAM is saved as it is seen. A restore does not rearrange it, neither for its own regions nor for those that were
 * there before; what is raw shows when a region is taken away afterwards, as it does without a restore.
 */
static void vram_is_restored_as_it_was_seen_through_its_regions(void **state) {
    (void)state;
    struct choice choice = choice_from_seed(9), *c = &choice;
    struct pfifo_gpu *a = fields_machine("NV40"), *b = fields_machine("NV40"), *fresh = fields_machine("NV40");
    for (uint32_t at = 0; at < 0x200000; at += 0x84)
        pfifo_gpu_bar_write(a, 1, at, (uint32_t[]){choice_word(c)}, 4);
    pfifo_gpu_wr32(a, 0x100200, 3);
    set_region(a, 0x100240, 0x7ffff, 0x400, 0x00001);
    set_region(a, 0x100270, 0x1fffff, 0xa00, 0x100021);
    pfifo_gpu_bar_write(b, 1, 0x40000, "b", 1);
    set_region(b, 0x100250, 0x17ffff, 0x600, 0x00011);
    fields_restore(a, b);
    assert_same_vram(a, b);
    set_region(a, 0x100240, 0, 0, 0);
    set_region(b, 0x100240, 0, 0, 0);
    assert_same_vram(a, b);
    pfifo_gpu_wr32(a, 0x100278, 0x800);
    pfifo_gpu_wr32(b, 0x100278, 0x800);
    assert_same_vram(a, b);
    fields_restore(fresh, b);
    assert_same_vram(fresh, b);
    pfifo_gpu_bar_write(b, 1, 0x40000, "b", 1);
    pfifo_gpu_bar_write(fresh, 1, 0x40000, "b", 1);
    set_region(b, 0x100250, 0x17ffff, 0x600, 0x00011);
    set_region(fresh, 0x100250, 0x17ffff, 0x600, 0x00011);
    assert_same_vram(fresh, b);
    pfifo_gpu_free(a);
    pfifo_gpu_free(b);
    pfifo_gpu_free(fresh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vram_is_restored_as_it_was_seen_through_its_regions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
