/* SPDX-License-Identifier: MIT */
#include "summer.h"

static bool summer_bind(void *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                        uint32_t object_class, uint32_t object) {
    (void)engine, (void)channel, (void)subchannel, (void)object_class, (void)object;
    return true;
}

uint64_t sum_words(const uint32_t *words, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += words[i];
    return sum;
}

static uint32_t summer_methods(void *engine, const struct pfifo_methods *run) {
    struct summer *summer = engine;
    uint32_t *file = summer->file[run->subchannel], method = run->method / 4u, step = run->step / 4u;
    const uint32_t *data = run->data, count = run->count;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++, method += step) {
        file[method] = data[i];
        sum += data[i];
    }
    summer->sum += sum;
    summer->methods += count;
    summer->calls++;
    return count;
}

const struct pfifo_engine_ops summer_ops = {.name = "summer", .bind = summer_bind, .methods = summer_methods};
