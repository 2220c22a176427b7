/* SPDX-License-Identifier: MIT */
#include "driver/probe.h"

#define WRITES 4096

struct rig rig;

static struct { uint32_t address, value; } writes[WRITES];
static size_t write_count;
static size_t write_event;

bool in_list(const struct part *part, const char *const *chips, size_t count) {
    for (size_t i = 0; i < count && chips[i]; i++)
        if (strcmp(part->chip, chips[i]) == 0)
            return true;
    return false;
}

uint32_t reg(uint32_t offset) {
    return pfifo_gpu_rd32(pfifo_device_gpu(rig.device), offset);
}

void expect_reg(uint32_t offset, uint32_t mask, uint32_t value) {
    if ((reg(offset) & mask) != value)
        fail_msg("%s: 0x%x is 0x%x, not 0x%x", rig.part->chip, offset, reg(offset) & mask, value);
}

uint32_t mem(uint64_t address) {
    uint8_t b[4];
    (rig.part->vram ? pfifo_gpu_vram_read : pfifo_gpu_system_read)(pfifo_device_gpu(rig.device), address, b, sizeof b);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

void expect_words(uint64_t base, const struct word *words, size_t count, const char *what) {
    for (size_t i = 0; i < count; i++)
        if (mem(base + words[i].offset) != words[i].value)
            fail_msg("%s: %s + 0x%x is 0x%x, not 0x%x", rig.part->chip, what, words[i].offset,
                     mem(base + words[i].offset), words[i].value);
}

void expect_only(uint64_t base, uint32_t end, const struct word *words, size_t count, const char *what) {
    for (uint32_t offset = 0; offset < end; offset += 4) {
        struct word want = {offset, 0};
        for (size_t i = 0; i < count; i++)
            want.value = words[i].offset == offset ? words[i].value : want.value;
        expect_words(base, &want, 1, what);
    }
}

static void take_write(void *opaque, const struct pfifo_event *event) {
    (void)opaque;
    if (event->id != write_event || write_count == WRITES)
        return;
    writes[write_count].address = (uint32_t)event->value[0];
    writes[write_count++].value = (uint32_t)event->value[1];
}

void clear_writes(void) {
    write_count = 0;
}

void record_writes(void) {
    clear_writes();
    write_event = pfifo_event_find("bus.write");
    assert_int_equal(pfifo_gpu_observe(pfifo_device_gpu(rig.device), "bus.write", take_write, NULL, &rig.error),
                     PFIFO_OK);
}

size_t writes_to(uint32_t address, uint32_t *values, size_t room) {
    size_t count = 0;
    for (size_t i = 0; i < write_count && count < room; i++)
        if (writes[i].address == address)
            values[count++] = writes[i].value;
    return count;
}

static bool is_step(const struct step *steps, size_t count, uint32_t address) {
    for (size_t i = 0; i < count; i++)
        if (steps[i].address == address)
            return true;
    return false;
}

void expect_steps(const struct step *steps, size_t count) {
    size_t done = 0;
    for (size_t i = 0; i < write_count; i++) {
        if (!is_step(steps, count, writes[i].address))
            continue;
        if (done >= count || steps[done].address != writes[i].address ||
            (writes[i].value & steps[done].mask) != steps[done].value)
            fail_msg("%s: step %u is 0x%x = 0x%x", rig.part->chip, (unsigned)done, writes[i].address, writes[i].value);
        done++;
    }
    if (done != count)
        fail_msg("%s: %u steps", rig.part->chip, (unsigned)done);
}
