/* SPDX-License-Identifier: MIT */
/* What an embedder brings along when its GPU is saved: engines, memory, a clock, observers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pfifo/engine.h>

#include "state/player.h"
#include "state/sections.h"

#define PGRAPH 0 /* GF100- */
#define MEMORY (32u << 20)

/* An engine that counts what it is given. */
struct counter {
    uint32_t binds, methods;
    bool refuses;
    unsigned gone; /* channels */
};

static bool counter_bind(void *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                         uint32_t object_class, uint32_t object) {
    (void)channel, (void)subchannel, (void)object_class, (void)object;
    ((struct counter *)engine)->binds++;
    return true;
}

static uint32_t counter_methods(void *engine, const struct pfifo_methods *run) {
    ((struct counter *)engine)->methods += run->count;
    return run->count;
}

static void counter_gone(void *engine, uint32_t channel) {
    (void)channel;
    ((struct counter *)engine)->gone++;
}

static enum pfifo_status counter_save(void *engine, pfifo_writer write, void *opaque, struct pfifo_error *error) {
    const struct counter *counter = engine;
    if (counter->refuses)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "not today");
    /* In pieces, and not a whole number of words. */
    bool good = write(opaque, &counter->binds, sizeof counter->binds) &&
                write(opaque, &counter->methods, sizeof counter->methods) && write(opaque, "!", 1);
    return good ? PFIFO_OK : pfifo_error_set(error, PFIFO_ERROR_IO, "cannot write");
}

static enum pfifo_status counter_load(void *engine, const void *data, size_t bytes, struct pfifo_error *error) {
    struct counter *counter = engine;
    counter->binds = counter->methods = 0;
    if (!data)
        return PFIFO_OK;
    if (bytes != 9 || ((const char *)data)[8] != '!')
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "no count");
    memcpy(&counter->binds, data, 4);
    memcpy(&counter->methods, (const uint8_t *)data + 4, 4);
    return PFIFO_OK;
}

static const struct pfifo_engine_ops with_save = {
    .name = "COUNTER", .bind = counter_bind, .methods = counter_methods, .save = counter_save, .load = counter_load};
static const struct pfifo_engine_ops without_save = {
    .name = "FORGETFUL", .bind = counter_bind, .methods = counter_methods, .channel_gone = counter_gone};

static const struct player_part gf100 = {"GF100", 0x9097, 0x906e, PLAYER_NEW_SEMAPHORE, true, false};

static void open_with(struct player *player, const struct pfifo_engine_ops *ops, struct counter *counter) {
    struct choice none = choice_from_seed(0);
    assert_true(player_open(player, &gf100, false, NULL, &none));
    if (ops)
        assert_int_equal(pfifo_gpu_set_engine(player->gpu, PGRAPH, ops, counter, NULL), PFIFO_OK);
}

/* SET_OBJECT and some methods. */
static void use_engine(struct player *player) {
    static const uint32_t words[] = {1u << 29 | 1u << 16, 0x9097, 1u << 29 | 3u << 16 | 0x200 >> 2, 1, 2, 3};
    uint8_t bytes[sizeof words];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    pfifo_buffer_write(player->push, 0, bytes, sizeof bytes);
    assert_int_equal(
        pfifo_channel_submit(player->channel[0], pfifo_buffer_address(player->push), sizeof bytes, 0, NULL), PFIFO_OK);
    assert_int_equal(pfifo_device_wait(player->device, 10000, NULL), PFIFO_OK);
}

static void an_embedders_engine_is_saved_by_itself(void **state) {
    (void)state;
    struct counter one = {0}, other = {.binds = 77};
    struct player a, b;
    struct player_bytes bytes, again;
    struct pfifo_error error;
    open_with(&a, &with_save, &one);
    open_with(&b, &with_save, &other);
    use_engine(&a);
    assert_int_equal(one.binds, 1);
    assert_int_equal(one.methods, 3);
    assert_true(player_save(a.gpu, &bytes, NULL));
    assert_int_equal(pfifo_gpu_load(b.gpu, bytes.data, bytes.bytes, &error), PFIFO_OK);
    assert_int_equal(other.binds, 1);
    assert_int_equal(other.methods, 3);
    assert_true(player_save(b.gpu, &again, NULL));
    assert_int_equal(again.bytes, bytes.bytes);
    assert_memory_equal(again.data, bytes.data, bytes.bytes);
    free(again.data);
    one.refuses = true;
    assert_false(player_save(a.gpu, &again, &error));
    free(again.data);
    assert_int_equal(error.status, PFIFO_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "engine COUNTER: not today");
    player_close(&a);
    player_close(&b);
    free(bytes.data);
}

static void an_engine_that_refuses_its_bytes_refuses_the_stream(void **state) {
    (void)state;
    struct counter counter = {.binds = 77};
    struct player a, b;
    struct player_bytes bytes, power_on;
    struct pfifo_error error;
    open_with(&a, NULL, NULL);
    open_with(&b, &with_save, &counter);
    use_engine(&a);
    assert_true(player_save(a.gpu, &bytes, NULL));
    assert_int_equal(pfifo_gpu_load(b.gpu, bytes.data, bytes.bytes, &error), PFIFO_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "section ENG, "));
    assert_non_null(strstr(error.message, "engine COUNTER: no count"));
    assert_int_equal(counter.binds, 0); /* power-on */
    const struct pfifo_config config = {
        .chip = pfifo_chip_by_name("GF100"), .vram_bytes = MEMORY, .system_bytes = MEMORY};
    struct pfifo_gpu *fresh = pfifo_gpu_new(&config, NULL);
    assert_int_equal(pfifo_gpu_set_engine(fresh, PGRAPH, &with_save, &counter, NULL), PFIFO_OK);
    assert_true(player_save(fresh, &power_on, NULL));
    free(bytes.data);
    assert_true(player_save(b.gpu, &bytes, NULL));
    assert_int_equal(bytes.bytes, power_on.bytes);
    assert_memory_equal(bytes.data, power_on.data, bytes.bytes);
    pfifo_gpu_free(fresh);
    player_close(&a);
    player_close(&b);
    free(bytes.data);
    free(power_on.data);
}

static void an_engine_that_cannot_be_saved_stands_in_the_way_once_it_was_used(void **state) {
    (void)state;
    struct counter one = {0}, other = {0};
    struct player a, b;
    struct player_bytes bytes, used;
    struct pfifo_error error;
    open_with(&a, &without_save, &one);
    open_with(&b, &without_save, &other);
    assert_true(player_save(a.gpu, &bytes, NULL));
    use_engine(&a);
    use_engine(&b);
    assert_false(player_save(a.gpu, &used, &error));
    assert_int_equal(error.status, PFIFO_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "engine FORGETFUL cannot be saved");
    free(used.data);
    /* Going back to before it was used: its channels are gone. */
    assert_int_equal(pfifo_gpu_load(b.gpu, bytes.data, bytes.bytes, &error), PFIFO_OK);
    assert_true(other.gone > 0);
    assert_true(player_save(b.gpu, &used, NULL));
    assert_int_equal(used.bytes, bytes.bytes);
    assert_memory_equal(used.data, bytes.data, used.bytes);
    player_close(&a);
    player_close(&b);
    free(bytes.data);
    free(used.data);
}

static void what_an_engine_kept_needs_an_engine_that_loads_it(void **state) {
    (void)state;
    struct counter counter = {0};
    struct player a, b;
    struct player_bytes bytes;
    struct pfifo_error error;
    open_with(&a, NULL, NULL);
    open_with(&b, &without_save, &counter);
    use_engine(&a);
    assert_true(player_save(a.gpu, &bytes, NULL));
    assert_int_equal(pfifo_gpu_load(b.gpu, bytes.data, bytes.bytes, &error), PFIFO_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "FORGETFUL"));
    player_close(&a);
    player_close(&b);
    free(bytes.data);
}

/* ---- not in a run ---- */

struct intruder {
    struct pfifo_gpu *gpu;
    const struct player_bytes *bytes;
    unsigned events;
};

static void intrude(void *opaque, const struct pfifo_event *event) {
    struct intruder *intruder = opaque;
    struct player_bytes bytes;
    struct pfifo_error error;
    (void)event;
    intruder->events++;
    assert_false(player_save(intruder->gpu, &bytes, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_gpu_load(intruder->gpu, intruder->bytes->data, intruder->bytes->bytes, &error),
                     PFIFO_ERROR_ARGUMENT);
}

static void a_run_under_way_is_not_saved(void **state) {
    (void)state;
    struct player player;
    struct player_bytes bytes;
    open_with(&player, NULL, NULL);
    assert_true(player_save(player.gpu, &bytes, NULL));
    struct intruder intruder = {player.gpu, &bytes, 0};
    assert_int_equal(pfifo_gpu_observe(player.gpu, "puller.method", intrude, &intruder, NULL), PFIFO_OK);
    use_engine(&player);
    assert_true(intruder.events >= 4);
    player_close(&player);
    free(bytes.data);
}

/* ---- memory and time of the embedder ---- */

static uint8_t host[0x10000];

static void *map_host(void *opaque, uint64_t address, uint64_t *bytes, bool write) {
    (void)opaque, (void)write;
    if (address >= sizeof host)
        return NULL;
    if (*bytes > sizeof host - address)
        *bytes = sizeof host - address;
    return host + address;
}

static uint64_t host_time;

static uint64_t host_clock(void *opaque) {
    (void)opaque;
    return host_time;
}

static void the_embedders_memory_is_not_saved(void **state) {
    (void)state;
    const struct pfifo_config config = {
        .chip = pfifo_chip_by_name("GM107"), .vram_bytes = MEMORY, .system_map = map_host};
    const struct pfifo_config own = {.chip = pfifo_chip_by_name("GM107"), .vram_bytes = MEMORY, .system_bytes = MEMORY};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL), *other = pfifo_gpu_new(&own, NULL);
    struct player_bytes bytes, again;
    struct pfifo_error error;
    uint8_t value = 1;
    pfifo_gpu_vram_write(gpu, 0x1234, &value, 1);
    assert_true(player_save(gpu, &bytes, NULL));
    memset(host, 0xaa, sizeof host);
    pfifo_gpu_system_write(gpu, 0, "x", 1);
    assert_true(player_save(gpu, &again, NULL));
    assert_int_equal(bytes.bytes, again.bytes);
    assert_memory_equal(bytes.data, again.data, bytes.bytes);
    value = 2;
    pfifo_gpu_vram_write(gpu, 0x1234, &value, 1);
    assert_int_equal(pfifo_gpu_load(gpu, bytes.data, bytes.bytes, NULL), PFIFO_OK);
    pfifo_gpu_vram_read(gpu, 0x1234, &value, 1);
    assert_int_equal(value, 1);
    assert_int_equal(host[1], 0xaa);
    assert_int_equal(pfifo_gpu_load(other, bytes.data, bytes.bytes, &error), PFIFO_ERROR_ARGUMENT);
    pfifo_gpu_free(gpu);
    pfifo_gpu_free(other);
    free(bytes.data);
    free(again.data);
}

static void time_goes_on_by_the_clock_of_the_gpu(void **state) {
    (void)state;
    struct pfifo_config config = {.chip = pfifo_chip_by_name("NV40"), .clock = host_clock};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    struct player_bytes bytes;
    host_time = 0x1000;
    pfifo_gpu_wr32(gpu, 0x9400, 0x400); /* PTIMER TIME_LOW */
    host_time += 0x100;
    assert_int_equal(pfifo_gpu_rd32(gpu, 0x9400), 0x500);
    assert_true(player_save(gpu, &bytes, NULL));
    host_time += 0x100;
    assert_int_equal(pfifo_gpu_load(gpu, bytes.data, bytes.bytes, NULL), PFIFO_OK);
    assert_int_equal(pfifo_gpu_rd32(gpu, 0x9400), 0x600);
    pfifo_gpu_free(gpu);
    /* A virtual clock stands still until there is work. */
    config.clock = NULL;
    gpu = pfifo_gpu_new(&config, NULL);
    assert_int_equal(pfifo_gpu_load(gpu, bytes.data, bytes.bytes, NULL), PFIFO_OK);
    assert_int_equal(pfifo_gpu_rd32(gpu, 0x9400), 0x500);
    pfifo_gpu_free(gpu);
    free(bytes.data);
}

/*
 * A stream of an older layout is refused for its version, and not for being damaged. What objects and channels keep is
 * all in one section of the engine's own stream, so that a field which is added anywhere must raise its version.
 */
static void the_layout_of_a_channel_goes_with_a_version(void **state) {
    static const uint8_t tag_and_version[] = {'C', 'H', 'A', 'N', 15, 0, 0, 0};
    enum { WORDS = 2590 };
    (void)state;
    struct player player;
    struct player_bytes bytes;
    unsigned found = 0;
    open_with(&player, NULL, NULL);
    use_engine(&player);
    assert_true(player_save(player.gpu, &bytes, NULL));
    for (size_t at = section_find(&bytes, "ENG "); at + SECTION_HEADER <= bytes.bytes; at++) {
        if (memcmp(bytes.data + at, tag_and_version, sizeof tag_and_version) != 0)
            continue;
        if (section_words(&bytes, at) != WORDS)
            fail_msg("%zu words: raise the version in engine_save.c, and set both here", section_words(&bytes, at));
        found++;
    }
    assert_int_equal(found, 1);
    free(bytes.data);
    player_close(&player);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_embedders_engine_is_saved_by_itself),
        cmocka_unit_test(an_engine_that_refuses_its_bytes_refuses_the_stream),
        cmocka_unit_test(an_engine_that_cannot_be_saved_stands_in_the_way_once_it_was_used),
        cmocka_unit_test(what_an_engine_kept_needs_an_engine_that_loads_it),
        cmocka_unit_test(a_run_under_way_is_not_saved),
        cmocka_unit_test(the_embedders_memory_is_not_saved),
        cmocka_unit_test(the_layout_of_a_channel_goes_with_a_version),
        cmocka_unit_test(time_goes_on_by_the_clock_of_the_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
