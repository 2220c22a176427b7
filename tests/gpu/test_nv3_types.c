/* SPDX-License-Identifier: MIT */
/*
 * PGRAPH of NV3 takes the type of a context when the subchannel changes, and with method 0. In between a method is for
 * the type that CTX_USER shows, whatever the context of PFIFO says.
 *
 * What is expected is from envytools hwtest/pgraph_mthd.cc.
 */
#include "nv3.h"

#define BLIT       0x10u /* types */
#define IMAGE      0x11u
#define M2MF       0x0du
#define BLIT_CLASS 0x1fu
#define IFC_CLASS  0x21u
#define PLAIN      0x304u /* both types have it */
#define INSTANCE   0x2000u

static uint32_t user(uint32_t type, uint32_t subchannel) {
    return CHANNEL << 24 | type << 16 | subchannel << 13;
}

/* A method through CACHE0, with the context of CACHE0. */
static void inject(struct pfifo_gpu *gpu, uint32_t type, uint32_t subchannel, uint32_t method, uint32_t data) {
    wr(gpu, 0x3000, 0);
    wr(gpu, 0x3040, 0);
    wr(gpu, 0x3004, CHANNEL);
    wr(gpu, 0x3010, 4);
    wr(gpu, 0x3070, 0);
    wr(gpu, 0x3080, 1u << 23 | (0x40 | type) << 16 | INSTANCE);
    wr(gpu, 0x3100, subchannel << 13 | method);
    wr(gpu, 0x3104, data);
    wr(gpu, 0x3000, 1);
    wr(gpu, 0x3040, 1);
    pfifo_gpu_run(gpu, UINT64_MAX);
}

static void assert_went_to(struct pfifo_gpu *gpu, uint32_t object_class, uint32_t data) {
    uint32_t value;
    assert_true(pfifo_gpu_method_value(gpu, CHANNEL, object_class, PLAIN, &value));
    assert_int_equal(value, data);
}

static void a_method_of_cache0_is_for_the_type_of_ctx_user(void **state) {
    struct pfifo_gpu *gpu = nv3_make("NV3");
    (void)state;
    wr(gpu, REG_USER, user(BLIT, 5));
    inject(gpu, IMAGE, 5, PLAIN, 1);
    assert_went_to(gpu, BLIT_CLASS, 1);
    assert_int_equal(rd(gpu, REG_USER), user(BLIT, 5));
    inject(gpu, IMAGE, 4, PLAIN, 2); /* another subchannel: the type of the context */
    assert_went_to(gpu, IFC_CLASS, 2);
    assert_went_to(gpu, BLIT_CLASS, 1);
    assert_int_equal(rd(gpu, REG_USER), user(IMAGE, 4));
    inject(gpu, BLIT, 4, PLAIN, 3); /* which stays */
    assert_went_to(gpu, IFC_CLASS, 3);
    wr(gpu, REG_USER, user(BLIT, 4)); /* until the driver says something else */
    inject(gpu, IMAGE, 4, PLAIN, 4);
    assert_went_to(gpu, BLIT_CLASS, 4);
    pfifo_gpu_free(gpu);
}

static void a_method_of_cache1_is_for_the_type_of_ctx_user(void **state) {
    struct pfifo_gpu *gpu = nv3_make("NV3T");
    (void)state;
    nv3_context(gpu, 1, BLIT, INSTANCE);
    nv3_send(gpu, 1, PLAIN, 1);
    assert_went_to(gpu, BLIT_CLASS, 1);
    nv3_context(gpu, 1, IMAGE, INSTANCE);
    nv3_send(gpu, 1, PLAIN, 2);
    assert_went_to(gpu, BLIT_CLASS, 2);
    assert_int_equal(rd(gpu, REG_USER), user(BLIT, 1));
    wr(gpu, REG_USER, user(IMAGE, 1)); /* as after a change of the channel */
    nv3_send(gpu, 1, PLAIN, 3);
    assert_went_to(gpu, IFC_CLASS, 3);
    assert_went_to(gpu, BLIT_CLASS, 2);
    wr(gpu, REG_USER, user(BLIT, 1));
    nv3_send(gpu, 1, PLAIN, 4);
    assert_went_to(gpu, BLIT_CLASS, 4);
    wr(gpu, REG_USER, user(BLIT, 0)); /* of another subchannel: the context counts */
    nv3_send(gpu, 1, PLAIN, 5);
    assert_went_to(gpu, IFC_CLASS, 5);
    assert_int_equal(rd(gpu, REG_USER), user(IMAGE, 1));
    pfifo_gpu_free(gpu);
}

/* M2MF on CTX_USER's subchannel, with a pitch that it does not take. */
static void what_is_wrong_is_decided_by_the_type_of_ctx_user(void **state) {
    struct pfifo_gpu *gpu = nv3_make("NV3");
    (void)state;
    wr(gpu, REG_USER, user(M2MF, 5));
    inject(gpu, 0x14, 5, 0x314, 0xa2c5ce2f);
    assert_int_equal(rd(gpu, REG_INTR), INTR_INVALID);
    assert_int_equal(rd(gpu, REG_INVALID), 0x10);
    assert_int_equal(rd(gpu, REG_FIFO), 0);
    assert_int_equal(rd(gpu, TRAPPED_ADDR), user(M2MF, 5) | 0x314);
    pfifo_gpu_free(gpu);
}

/* NV1 is told the type with each method: it is the number of the window that PFIFO writes to. */
static void nv1_has_the_type_of_the_context(void **state) {
    struct pfifo_gpu *gpu = nv3_make("NV1");
    (void)state;
    nv3_context(gpu, 1, BLIT, 0);
    nv3_send(gpu, 1, PLAIN, 1);
    assert_went_to(gpu, BLIT_CLASS, 1);
    nv3_context(gpu, 1, IMAGE, 0);
    nv3_send(gpu, 1, PLAIN, 2);
    assert_went_to(gpu, IFC_CLASS, 2);
    assert_went_to(gpu, BLIT_CLASS, 1);
    pfifo_gpu_free(gpu);
}

/* A NOTIFY that came in while PMC had it off is forgotten, and so does not break the first binding. */
static void pgraph_begins_anew_when_it_is_switched_on(void **state) {
    struct pfifo_gpu *gpu = nv3_make("NV3");
    (void)state;
    wr(gpu, 0x200, ~PMC_LINE);
    nv3_context(gpu, 1, BLIT, INSTANCE);
    nv3_send(gpu, 1, 0x104, 0);
    wr(gpu, 0x200, ~0u);
    assert_int_equal(rd(gpu, REG_NOTIFY) & ARMED, 0);
    assert_int_equal(rd(gpu, REG_INTR), 0);
    pfifo_gpu_free(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pgraph_begins_anew_when_it_is_switched_on),
        cmocka_unit_test(a_method_of_cache0_is_for_the_type_of_ctx_user),
        cmocka_unit_test(a_method_of_cache1_is_for_the_type_of_ctx_user),
        cmocka_unit_test(what_is_wrong_is_decided_by_the_type_of_ctx_user),
        cmocka_unit_test(nv1_has_the_type_of_the_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
