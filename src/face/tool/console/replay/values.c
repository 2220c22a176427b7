/* SPDX-License-Identifier: MIT */
/* Addresses and memory, as channels see them. */
#include "face/tool/console/replay/debug.h"

#include "chip/counted.h"
#include "face/tool/console/replay/target.h"
#include "face/tool/replay/buffer_place.h"

#include <pfifo/classes.h>
#include <pfifo/registers.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CHANNELS = 4096 };

/* ---- memory ---- */

static struct pfifo_vm *values_space_of(struct debug *debug, uint32_t channel) {
    struct pfifo_device *device = pfifo_replay_device(debug->replay);
    struct pfifo_vm *vm = channel == UINT32_MAX ? NULL : pfifo_device_channel_vm(device, channel);

    if (channel == UINT32_MAX)
        for (uint32_t i = 0; i < CHANNELS && !vm; i++)
            vm = pfifo_device_channel_vm(device, i);
    return vm ? vm : pfifo_device_vm(device, NULL);
}

static bool read_byte_range(struct debug *debug, uint32_t channel, uint64_t address, uint8_t *data, size_t bytes) {
    while (bytes) {
        uint64_t offset = 0, in_page = 4096 - address % 4096, part = bytes < in_page ? bytes : in_page;
        struct pfifo_buffer *buffer = pfifo_replay_at(debug->replay, channel, address, &offset);
        if (!buffer || !pfifo_buffer_peek(buffer, offset, data, part))
            return false;
        address += part;
        data += part;
        bytes -= part;
    }
    return true;
}

static bool read_seen(struct debug *debug, uint32_t channel, uint64_t address, void *data, size_t bytes) {
    struct pfifo_vm *vm = values_space_of(debug, channel);
    struct pfifo_vm_map map = {.size = sizeof map};
    uint64_t end = address + bytes;

    if (end < address)
        return false;
    if (!vm)
        return read_byte_range(debug, channel, address, data, bytes);
    for (uint64_t at = address; at < end; at = map.address + map.bytes)
        if (!pfifo_vm_at(vm, at, &map) || !map.bytes || map.address + map.bytes <= at)
            return false;
    return pfifo_vm_read(vm, address, data, bytes);
}

bool debug_read_memory(struct debug *debug, const struct break_memory *memory, void *data, size_t bytes) {
    struct pfifo_buffer *buffer;

    if (memory->kind == MEMORY_SEEN)
        return read_seen(debug, memory->channel, memory->address, data, bytes);
    if (memory->kind == MEMORY_BUFFER) {
        buffer = pfifo_replay_buffer(debug->replay, memory->handle);
        return buffer && pfifo_buffer_peek(buffer, memory->address, data, bytes);
    }
    if (memory->kind == MEMORY_RAMIN)
        return breaks_read_ramin(debug->console.gpu, memory->address, data, bytes);
    return breaks_read_physical(debug->console.gpu, memory->kind == MEMORY_VRAM, memory->address, data, bytes);
}

static bool values_parse_buffer(struct debug *debug, const char *text, struct break_memory *memory,
                                struct pfifo_error *error) {
    struct buffer_place place;

    if (!buffer_place_parse(text, &place, error))
        return false;
    memory->handle = place.handle;
    memory->address = place.offset;
    if (pfifo_replay_buffer(debug->replay, memory->handle))
        return true;
    return debug->begun ? refuse(error, "there is no buffer %" PRIu32 " now; info buffers lists them", place.handle)
                        : refuse(error, "there is no buffer %" PRIu32 "%s", place.handle, debug_not_yet(debug));
}

static const char *const spaces[] = {"", "vram:", "sys:", "ramin:", "buffer:"};

bool debug_parse_memory(struct debug *debug, const char *text, struct break_memory *memory, struct pfifo_error *error) {

    *memory = (struct break_memory){.channel = debug->channel};
    for (unsigned i = MEMORY_VRAM; i <= MEMORY_BUFFER; i++)
        if (strncmp(text, spaces[i], strlen(spaces[i])) == 0)
            memory->kind = i;
    text += strlen(spaces[memory->kind]);
    if (!*text)
        return refuse(error, "an address is missing after %s", spaces[memory->kind]);
    return memory->kind == MEMORY_BUFFER
               ? values_parse_buffer(debug, text, memory, error)
               : console_number_of(&debug->console, text, UINT64_MAX, &memory->address, error);
}

/* ---- x/FMT ---- */

/* A name that is no address is a register's. */
static bool debug_values_is_address(const char *text) {
    if (text[0] == '$' || isdigit((unsigned char)text[0]))
        return true;
    for (unsigned i = MEMORY_VRAM; i <= MEMORY_BUFFER; i++)
        if (strncmp(text, spaces[i], strlen(spaces[i])) == 0)
            return true;
    return false;
}

bool debug_examine(struct console *console, const char *place, const struct examine_format *format, uint8_t *data,
                   struct console_examined *where, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    uint64_t bytes = format->count * format->bytes;
    struct break_memory memory;

    if (!debug_values_is_address(place))
        return console_examine_place(console, place, format, data, where, error);
    if (!debug_parse_memory(debug, place, &memory, error))
        return false;
    if (!debug_read_memory(debug, &memory, data, bytes))
        return refuse(error, "%s at %.60s: not all of them are there%s", counted(bytes, "byte").text, place,
                      debug_not_yet(debug));
    snprintf(where->space, sizeof where->space, "%s", spaces[memory.kind]);
    if (memory.kind == MEMORY_BUFFER)
        snprintf(where->space, sizeof where->space, "buffer:%" PRIu32 "+", memory.handle);
    where->address = memory.address;
    return true;
}

/* ---- $pc and $header ---- */

bool debug_variable(struct console *console, const char *name, uint64_t *value, struct pfifo_error *error) {
    const struct debug *debug = console->debug;
    const struct pfifo_replay_progress *progress = &debug->progress;

    if (strcmp(name, "$pc") != 0 && strcmp(name, "$header") != 0)
        return refuse(error, "there is no %.60s: $pc and $header", name);
    if (!debug->begun)
        return refuse(error, "%s is not known%s", name, debug_not_yet(debug));
    if (!progress->next.has_address)
        return refuse(error, "%s is not known here: no method comes next", name);
    *value = name[1] == 'p' ? progress->next.address : progress->header;
    return true;
}
