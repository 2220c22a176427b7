/* SPDX-License-Identifier: MIT */
/* Values: addresses, memory, what methods hold. */
#include "face/tool/console/replay/debug.h"

#include "face/common/text.h"
#include "face/tool/replay/buffer_place.h"
#include "face/tool/console/examine.h"
#include "face/tool/console/methods.h"

#include <pfifo/classes.h>
#include <pfifo/registers.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CHANNELS = 4096 };

/* ---- numbers ---- */

static bool term(struct debug *debug, const char *text, uint64_t *number, struct pfifo_error *error) {
    const struct pfifo_replay_progress *progress = debug ? &debug->progress : NULL;

    if (text_to_number(text, number))
        return true;
    if (strcmp(text, "$pc") != 0 && strcmp(text, "$header") != 0)
        return text[0] == '$' ? refuse(error, "there is no %.60s: $pc and $header", text)
                              : refuse(error, "'%.60s' is not a number", text);
    if (!progress)
        return refuse(error, "'%.60s' is not a number", text);
    if (!debug->begun)
        return refuse(error, "%s is not known%s", text, debug_not_yet(debug));
    if (!progress->next.has_address)
        return refuse(error, "%s is not known here: no method comes next", text);
    *number = text[1] == 'p' ? progress->next.address : progress->header;
    return true;
}

bool debug_number(struct debug *debug, const char *text, uint64_t *number, struct pfifo_error *error) {
    char copy[128], *rest;
    uint64_t sum = 0, part;

    if (strlen(text) >= sizeof copy || !*text)
        return refuse(error, "'%.60s' is not a number", text);
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = copy; at; at = rest) {
        rest = strchr(at, '+');
        if (rest)
            *rest++ = 0;
        if (!*at)
            return refuse(error, "'%.60s' is not a number: something is missing", text);
        if (!term(debug, at, &part, error))
            return false;
        if (part > UINT64_MAX - sum)
            return refuse(error, "'%.60s' is too large", text);
        sum += part;
    }
    *number = sum;
    return true;
}

/* ---- memory ---- */

static struct pfifo_vm *space_of(struct debug *debug, uint32_t channel) {
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
    struct pfifo_vm *vm = space_of(debug, channel);
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
        return breaks_read_ramin(debug->gpu, memory->address, data, bytes);
    return breaks_read_physical(debug->gpu, memory->kind == MEMORY_VRAM, memory->address, data, bytes);
}

static bool parse_buffer(struct debug *debug, const char *text, struct break_memory *memory,
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
    return memory->kind == MEMORY_BUFFER ? parse_buffer(debug, text, memory, error)
                                         : debug_number(debug, text, &memory->address, error);
}

/* ---- x/FMT ---- */

static const char *space_name(const struct break_memory *memory, char *text, size_t size) {
    if (memory->kind != MEMORY_BUFFER)
        return spaces[memory->kind];
    snprintf(text, size, "buffer:%" PRIu32 "+", memory->handle);
    return text;
}

bool debug_cmd_examine(struct debug *debug, unsigned count, char **argument, const char *rest,
                       struct pfifo_error *error) {
    const char *slash = argument[1][0] == '/' ? argument[1] + 1 : "";
    struct examine_format format;
    struct break_memory memory;
    char space[32];
    uint8_t *data;
    bool done;

    (void)rest;
    if (argument[1][0] == '/' ? count != 3 : count != 2)
        return debug_usage("x", error);
    if (!examine_parse(slash, &format, error))
        return false;
    if (!debug_parse_memory(debug, argument[count - 1], &memory, error))
        return false;
    data = calloc(format.count, format.bytes);
    if (!data)
        return refuse(error, "no memory");
    done = debug_read_memory(debug, &memory, data, format.count * format.bytes) ||
           refuse(error, "%" PRIu64 " byte%s at %.60s: not all of them are there%s", format.count * format.bytes,
                  format.count * format.bytes == 1 ? "" : "s", argument[count - 1], debug_not_yet(debug));
    if (done)
        examine_print(&format, space_name(&memory, space, sizeof space), memory.address, data, debug_print, NULL);
    free(data);
    return done;
}

/* ---- print ---- */

bool debug_object_at(const void *owner, size_t index, uint32_t *channel, uint32_t *oclass) {
    const struct debug *debug = owner;

    if (index >= debug->objects)
        return false;
    *channel = debug->object[index].channel;
    *oclass = debug->object[index].oclass;
    return true;
}

/* The name of a window, or of a register, with or without what is behind it. */
static bool is_named(const struct debug *debug, const char *text) {
    const struct pfifo_registers *registers = pfifo_gpu_registers(debug->gpu);
    size_t length = strcspn(text, "+");
    struct pfifo_window window;
    char name[64];
    uint32_t offset;

    for (size_t i = 0; pfifo_registers_window(registers, i, &window); i++)
        if (strlen(window.name) == length && strncasecmp(window.name, text, length) == 0)
            return true;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    return pfifo_registers_find(registers, name, &offset, NULL) == PFIFO_OK;
}

static bool print_number(struct debug *debug, const char *text, struct examine_format *format,
                         struct pfifo_error *error) {
    uint64_t number = 0;
    char value[80];

    if (!debug_number(debug, text, &number, error))
        return false;
    if (format) {
        format->bytes = number > UINT32_MAX ? 8 : format->bytes;
        examine_value(format, number, value, sizeof value);
        printf("%.60s = %s\n", text, value);
    } else {
        printf("0x%" PRIx64 " = %" PRIu64 "\n", number, number);
    }
    return true;
}

bool debug_cmd_print(struct debug *debug, unsigned count, char **argument, const char *rest,
                     struct pfifo_error *error) {
    const char *slash = argument[1][0] == '/' ? argument[1] + 1 : NULL, *thing = argument[count - 1];
    struct examine_format format;
    char line[DEBUG_LINE_BYTES + 8];

    if (slash ? count != 3 : count != 2)
        return debug_usage("print", error);
    if (slash && !examine_parse_value(slash, &format, error))
        return false;
    if (thing[0] == '$' || isdigit((unsigned char)thing[0]))
        return print_number(debug, thing, slash ? &format : NULL, error);
    if (methods_print(debug->gpu, thing, slash ? &format : NULL, debug_object_at, debug, debug_print, NULL))
        return true;
    snprintf(line, sizeof line, "print %s", rest);
    if (strpbrk(thing, "*?") ? debug_machine_line(debug, line, NULL) : is_named(debug, thing) || strchr(thing, ':'))
        return strpbrk(thing, "*?") || debug_machine_line(debug, line, error);
    return refuse(error, "'%.60s' is neither a register nor a method of an object that was bound%s", thing,
                  debug_not_yet(debug));
}
