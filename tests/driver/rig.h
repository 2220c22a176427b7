/* SPDX-License-Identifier: MIT */
/* A device with everything that it says recorded, and commands for every generation. */
#ifndef PFIFO_TESTS_DRIVER_RIG_H
#define PFIFO_TESTS_DRIVER_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pfifo/driver.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define RECORDS 4096
#define BUDGET  UINT64_C(10000000)

#define VRAM_HANDLE 0xbeef0201u
#define GART_HANDLE 0xbeef0202u
#define SEMAPHORE   0xbeef0500u
#define SOFTWARE    0xbeef506eu
#define GRAPHICS    0xbeef0097u
#define SUBCHANNEL  0u
#define NOP         0x100u /* of every 3D class */

enum semaphores { NO_SEMAPHORE, OLD_SEMAPHORE, NEW_SEMAPHORE };

/* What the tests must know of a chip beside the API. */
struct part {
    const char *chip;
    uint32_t graphics; /* 3D class */
    uint32_t software; /* class that the kernel emulates */
    enum semaphores semaphores;
    bool fermi; /* GF100-: commands of that format, classes instead of handles */
    bool calls; /* before G80: a segment returns; VRAM and GART are spaces of their own */
    bool vram;
    bool pio_only; /* NV1, NV3: no pushbuffers */
};

static const struct part pio_parts[] = {
    {"NV1", 0x21, 0x6e, NO_SEMAPHORE, false, true, true, true},
    {"NV3", 0x21, 0x6e, NO_SEMAPHORE, false, true, true, true},
    {"NV3T", 0x36, 0x6e, NO_SEMAPHORE, false, true, true, true},
};

static const struct part parts[] = {
    {"NV4", 0x0054, 0x006e, NO_SEMAPHORE, false, true, true},
    {"NV5", 0x0054, 0x006e, NO_SEMAPHORE, false, true, true},
    {"NV10", 0x0056, 0x006e, NO_SEMAPHORE, false, true, true},
    {"NV1A", 0x0096, 0x006e, NO_SEMAPHORE, false, true, true},
    {"NV17", 0x0099, 0x176e, NO_SEMAPHORE, false, true, true},
    {"NV20", 0x0097, 0x206e, NO_SEMAPHORE, false, true, true},
    {"NV34", 0x0697, 0x206e, NO_SEMAPHORE, false, true, true},
    {"NV40", 0x4097, 0x406e, NO_SEMAPHORE, false, true, true},
    {"NV44", 0x4497, 0x446e, NO_SEMAPHORE, false, true, true},
    {"NV44A", 0x4497, 0x446e, NO_SEMAPHORE, false, true, true},
    {"G71", 0x4097, 0x406e, NO_SEMAPHORE, false, true, true},
    {"G80", 0x5097, 0x506e, OLD_SEMAPHORE, false, false, true},
    {"G84", 0x8297, 0x506e, NEW_SEMAPHORE, false, false, true},
    {"G86", 0x8297, 0x506e, NEW_SEMAPHORE, false, false, true},
    {"G92", 0x8297, 0x506e, NEW_SEMAPHORE, false, false, true},
    {"G94", 0x8297, 0x506e, NEW_SEMAPHORE, false, false, true},
    {"G96", 0x8297, 0x506e, NEW_SEMAPHORE, false, false, true},
    {"G98", 0x8297, 0x506e, NEW_SEMAPHORE, false, false, true},
    {"GT200", 0x8397, 0x506e, NEW_SEMAPHORE, false, false, true},
    {"MCP77", 0x8397, 0x506e, NEW_SEMAPHORE, false, false, true},
    {"MCP79", 0x8397, 0x506e, NEW_SEMAPHORE, false, false, true},
    {"GT215", 0x8597, 0x506e, NEW_SEMAPHORE, false, false, true},
    {"GT216", 0x8597, 0x506e, NEW_SEMAPHORE, false, false, true},
    {"GT218", 0x8597, 0x506e, NEW_SEMAPHORE, false, false, true},
    {"MCP89", 0x8697, 0x506e, NEW_SEMAPHORE, false, false, true},
    {"GF100", 0x9097, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GF104", 0x9097, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GF114", 0x9097, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GF106", 0x9097, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GF116", 0x9097, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GF108", 0x9097, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GF110", 0x9297, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GF119", 0x9297, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GF117", 0x9297, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GK104", 0xa097, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GK107", 0xa097, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GK106", 0xa097, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GK110", 0xa197, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GK110B", 0xa197, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GK208", 0xa197, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GK208B", 0xa197, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GK20A", 0xa297, 0x906e, NEW_SEMAPHORE, true, false, false},
    {"GM107", 0xb097, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GM108", 0xb097, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GM200", 0xb197, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GM204", 0xb197, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GM206", 0xb197, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GM20B", 0xb197, 0x906e, NEW_SEMAPHORE, true, false, false},
    {"GP100", 0xc097, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GP102", 0xc197, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GP104", 0xc197, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GP106", 0xc197, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GP107", 0xc197, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GP108", 0xc197, 0x906e, NEW_SEMAPHORE, true, false, true},
    {"GP10B", 0xc097, 0x906e, NEW_SEMAPHORE, true, false, false},
};

static inline const struct part *rig_part(const char *chip) {
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(parts[i].chip, chip) == 0)
            return &parts[i];
    fail_msg("%s is not in the list", chip);
    return NULL;
}

#define FOR_EACH_PART for (const struct part *part = parts; part < parts + COUNT_OF(parts); part++)

/* For what takes long: one chip of each driver and format of page tables, with and without VRAM. */
static inline bool part_stands_for_others(const struct part *part) {
    static const char *const chips[] = {"NV4",   "NV34",  "NV40",  "NV44",  "G80",   "GT215",
                                        "GF100", "GK104", "GK20A", "GM204", "GM20B", "GP102"};
    for (size_t i = 0; i < COUNT_OF(chips); i++)
        if (strcmp(part->chip, chips[i]) == 0)
            return true;
    return false;
}
#define FOR_EACH_KIND FOR_EACH_PART if (part_stands_for_others(part))

struct record {
    uint32_t channel, subchannel, method, data;
};

struct rig {
    const struct part *part;
    struct pfifo_device *device;
    struct pfifo_error error;
    struct record methods[RECORDS]; /* that a puller took */
    size_t method_count;
    struct record software[RECORDS];
    size_t software_count;
    struct pfifo_device_fault faults[RECORDS];
    size_t fault_count;
    bool refuse_software;
};

void rig_open(struct rig *rig, const struct part *part);
void rig_close(struct rig *rig);
/* What records methods; while it observes, methods go one by one. */
void rig_observe(void *opaque, const struct pfifo_event *event);
/* A channel with handles for VRAM and GART, and its 3D object as GRAPHICS. */
struct pfifo_channel *rig_channel(struct rig *rig, enum pfifo_channel_mode mode, uint32_t entries);
struct pfifo_buffer *rig_buffer(struct rig *rig, enum pfifo_domain domain, uint64_t bytes, uint64_t address);
void rig_wait(struct rig *rig);
uint32_t rig_read(struct pfifo_buffer *buffer, uint64_t offset);
/* How often a method was taken, and with exactly these data in this order. */
size_t rig_count(const struct rig *rig, uint32_t method);
void rig_assert_data(const struct rig *rig, uint32_t method, const uint32_t *data, size_t count);
/* Where segments can be read: before G80 in GART. */
struct pfifo_buffer *rig_push_buffer(struct rig *rig);

/* Commands under construction. */
struct words {
    uint32_t word[64];
    size_t count;
    bool fermi, calls;
};

struct words words_for(const struct rig *rig, enum pfifo_channel_mode mode);
void words_add(struct words *words, uint32_t word);
void words_header(struct words *words, uint32_t subchannel, uint32_t method, uint32_t count);
void words_method(struct words *words, uint32_t subchannel, uint32_t method, uint32_t data);
/* Bind the channel's 3D object. */
void words_bind_class(struct words *words, const struct rig *rig, uint32_t subchannel);
void words_bind_software(struct words *words, const struct rig *rig, uint32_t subchannel);
void words_release(struct words *words, const struct rig *rig, uint64_t address, uint32_t value);
void words_acquire(struct words *words, const struct rig *rig, uint64_t address, uint32_t value);
/* Write them to a buffer (with the return if the segment is called) and submit. */
void words_submit(struct words *words, struct rig *rig, struct pfifo_channel *channel, struct pfifo_buffer *buffer,
                  uint64_t offset);

#endif
