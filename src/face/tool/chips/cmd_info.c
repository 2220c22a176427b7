/* SPDX-License-Identifier: MIT */
/*
 * pfifo info: the whole row of a chip.
 */
#include "chip/chip.h"
#include "chip/family.h"
#include "chip/units.h"
#include "face/common/json_writer.h"
#include "face/tool/chips/boards.h"
#include "face/tool/chips/chip_arguments.h"
#include "face/tool/chips/chip_classes.h"
#include "face/tool/command/command_line.h"
#include "face/tool/tool.h"

#include <inttypes.h>
#include <string.h>

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Print one JSON object", 0},
    {0},
};

static const struct argp info_argp = {
    options,
    chip_arguments_parse,
    "CHIP",
    "Print everything about a chip."
    "\vCHIP is a name (GT215), a chipset number (a3, 0xa3, nva3), a board (GTX 1060), its PCI id (10de:1c03) or sm_61.",
    NULL,
    NULL,
    NULL,
};

/* The meaning of a capability may depend on another one: a row applies to chips with, or without, that other one. */
struct capability {
    const char *name, *text;
    size_t offset;
    bool (*when)(const struct pfifo_chip *chip); /* NULL: always */
};

static bool has_cache1(const struct pfifo_chip *chip) {
    return chip->cache1_entries != 0;
}

static bool has_vram(const struct pfifo_chip *chip) {
    return chip->vram_bytes != 0;
}

static bool has_pbdmas(const struct pfifo_chip *chip) {
    return chip->pbdmas != 0;
}

static bool has_no_pushbuffer(const struct pfifo_chip *chip) {
    return !chip->has_dma;
}

static bool has_syncpoints(const struct pfifo_chip *chip) {
    return chip->syncpoints != 0;
}

#define CAPABILITY_WHEN(field, text, when)                                                                             \
    { #field, text, offsetof(struct pfifo_chip, has_##field), when }
#define CAPABILITY(field, text) CAPABILITY_WHEN(field, text, NULL)

static const struct capability capabilities[] = {
    CAPABILITY(gray_pointers, "Gray-coded CACHE1 pointers"),
    {"kernel_dma", "DMA that the kernel launches", offsetof(struct pfifo_chip, has_dma_target), has_no_pushbuffer},
    CAPABILITY(dma, "pushbuffer DMA"),
    CAPABILITY_WHEN(vram_pushbuffer, "pushbuffers in VRAM", has_vram),
    CAPABILITY(nonincreasing, "non-increasing packets"),
    CAPABILITY(ref_cnt, "reference count, method 0x50"),
    CAPABILITY(call, "jump, call and return"),
    CAPABILITY_WHEN(old_semaphore, "semaphore methods 0x60 to 0x6c", has_cache1),
    CAPABILITY_WHEN(old_semaphore, "semaphore methods 0x64 to 0x6c", has_pbdmas),
    CAPABILITY_WHEN(yield, "yield, and SLI conditionals", has_cache1),
    CAPABILITY_WHEN(yield, "yield, and subdevice masks", has_pbdmas),
    CAPABILITY_WHEN(switch_any_time, "channel switches with methods in CACHE1", has_cache1),
    CAPABILITY(ramfc_select, "RAMFC in VRAM"),
    CAPABILITY(ib, "indirect buffers (GPFIFO)"),
    CAPABILITY(new_semaphore, "semaphore methods 0x10 to 0x1c"),
    CAPABILITY(notify_intr, "interrupt by method 0x20"),
    CAPABILITY(line_flush, "flush methods 0x28 to 0x30"),
    {"gpfifo", "command format of GF100", offsetof(struct pfifo_chip, ring_only), NULL},
    CAPABILITY(engine_in_object, "SET_OBJECT selects the engine"),
    CAPABILITY(runlists, "runlists"),
    {"tsg", "channel groups (TSG)", offsetof(struct pfifo_chip, has_wfi_method), NULL}, /* both came with A16F */
    CAPABILITY(semaphore_reduction, "semaphore reductions"),
    CAPABILITY(wfi_method, "wait-for-idle method 0x78"),
    {"syncpoints", "syncpoints", offsetof(struct pfifo_chip, has_wfi_method), has_syncpoints},
    CAPABILITY(yield_operations, "yield operations"),
    CAPABILITY(mem_op_c, "MEM_OP_C and MEM_OP_D"),
    CAPABILITY(doorbell, "doorbell"),
    CAPABILITY(page_access, "pages that cannot be read, or written"),
    CAPABILITY(packed_gart, "packed GART table"),
};

static const char *const vm_names[] = {
    [CHIP_VM_NONE] = "DMA objects only",
    [CHIP_VM_G80] = "G80: two levels",
    [CHIP_VM_G84] = "G84: two levels",
    [CHIP_VM_GF100] = "GF100: two levels, big and small pages",
    [CHIP_VM_GK104] = "GK104: two levels, big and small pages",
    [CHIP_VM_GM200] = "GM200: two levels, sparse",
    [CHIP_VM_GP100] = "GP100: five levels, 49 bits",
    [CHIP_VM_GH100] = "GH100: six levels, 57 bits",
};

static bool has(const struct pfifo_chip *chip, const struct capability *capability) {
    bool value;

    memcpy(&value, (const char *)chip + capability->offset, sizeof value);
    return value && (!capability->when || capability->when(chip));
}

static const char *cmd_info_class_name(uint32_t id) {
    const struct pfifo_class *class = pfifo_class_find(id);

    return class ? class->name : "?";
}

static void text_number(const char *name, uint64_t number) {
    if (number)
        printf("  %-20s %" PRIu64 "\n", name, number);
}

static void text_counts(const struct pfifo_chip *chip) {
    text_number("channels", chip->channels);
    text_number("PIO channels", chip->pio_channels);
    text_number("CACHE1 entries", chip->cache1_entries);
    text_number("CACHE1 slots", chip->cache1_slots);
    text_number("RAMFC bytes", chip->ramfc_bytes);
    text_number("PBDMAs", chip->pbdmas);
    text_number("runlists", chip->runlists);
    text_number("USERD stride", chip->userd_stride);
    text_number("RAMIN bytes", chip->ramin_bytes);
    text_number("VRAM bytes", chip->vram_bytes);
    if (!chip->vram_bytes)
        printf("  %-20s none of its own: it is system memory\n", "VRAM");
    text_number("BAR1 bytes", chip_bar1_bytes(chip, chip->vram_bytes));
    printf("  %-20s %s\n", "page tables", vm_names[chip->vm]);
}

/* What is known of where it is: its registers, its bits of PMC INTR and PMC ENABLE, its number in records of faults. */
static void text_engine(const struct pfifo_chip *chip, unsigned id) {
    const struct chip_unit_row *unit = chip_unit_row(chip, chip->engines[id]);
    const char *name = chip_unit_name(chip->engines[id]), *between = "";

    printf("  %-2u %s", id, name);
    if (unit && (unit->base || unit->has_fault_unit))
        printf("%*s", 10 - (int)strlen(name), "");
    if (unit && unit->base) {
        printf("base 0x%06" PRIx32, unit->base);
        between = ", ";
    }
    if (unit && unit->line != CHIP_NO_BIT) {
        printf("%sline %u, enable %u", between, unit->line, unit->enable);
        between = ", ";
    }
    if (unit && unit->has_fault_unit)
        printf("%sfault unit 0x%02x", between, unit->fault_unit);
    putchar('\n');
}

static void board_text(const struct board *board) {
    printf("  %s", board->name);
    if (board->id)
        printf(" (10de:%04x)", board->id);
    puts(board->few ? ", few of them" : "");
}

static void info_text(const struct pfifo_chip *chip) {
    const struct pfifo_class *class;

    printf("%s: %s, chipset 0x%x, PMC_BOOT_0 0x%08" PRIx32 "\n", chip->name, chip->generation, chip->id, chip->boot0);
    printf("  %-20s %s\n", "family", chip->family->name);
    printf("  %-20s %s\n", "machine", chip->family->fifo ? "built" : "not built");
    text_counts(chip);
    puts("capabilities");
    for (size_t i = 0; i < COUNT_OF(capabilities); i++)
        if (has(chip, &capabilities[i]))
            printf("  %-20s %s\n", capabilities[i].name, capabilities[i].text);
    puts("engines");
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
        if (chip->engines[id] != CHIP_UNIT_NONE)
            text_engine(chip, id);
    puts("classes");
    if (chip->host_class)
        printf("  0x%04x %s (channel)\n", chip->host_class, cmd_info_class_name(chip->host_class));
    for (size_t i = 0; (class = chip_class_at(chip, i)); i++)
        printf("  0x%04" PRIx32 " %s\n", class->id, class->name);
    puts("called");
    for (const struct board *board = boards; board->chip; board++)
        if (strcmp(board->chip, chip->name) == 0)
            board_text(board);
    if (chip->note)
        printf("note\n  %s\n", chip->note);
}

static void engine_json(struct json_writer *json, const struct pfifo_chip *chip, unsigned id) {
    const struct chip_unit_row *unit = chip_unit_row(chip, chip->engines[id]);

    json_open(json, NULL, '{');
    json_put_number(json, "id", id);
    json_put_text(json, "unit", chip_unit_name(chip->engines[id]));
    if (unit && unit->base)
        json_put_number(json, "base", unit->base);
    if (unit && unit->line != CHIP_NO_BIT) {
        json_put_number(json, "line", unit->line);
        json_put_number(json, "enable", unit->enable);
    }
    if (unit && unit->has_fault_unit)
        json_put_number(json, "fault_unit", unit->fault_unit);
    json_close(json);
}

static void board_json(struct json_writer *json, const struct board *board) {
    json_open(json, NULL, '{');
    json_put_text(json, "name", board->name);
    if (board->id)
        json_put_number(json, "pci_id", board->id);
    if (board->few)
        json_put_bool(json, "few", true);
    json_close(json);
}

static void lists_json(struct json_writer *json, const struct pfifo_chip *chip) {
    const struct pfifo_class *class;

    json_open(json, "capabilities", '[');
    for (size_t i = 0; i < COUNT_OF(capabilities); i++)
        if (has(chip, &capabilities[i]))
            json_put_text(json, NULL, capabilities[i].name);
    json_close(json);
    json_open(json, "engines", '[');
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
        if (chip->engines[id] != CHIP_UNIT_NONE)
            engine_json(json, chip, id);
    json_close(json);
    json_open(json, "classes", '[');
    for (size_t i = 0; (class = chip_class_at(chip, i)); i++) {
        json_open(json, NULL, '{');
        json_put_number(json, "id", class->id);
        json_put_text(json, "name", class->name);
        json_close(json);
    }
    json_close(json);
    json_open(json, "called", '[');
    for (const struct board *board = boards; board->chip; board++)
        if (strcmp(board->chip, chip->name) == 0)
            board_json(json, board);
    json_close(json);
}

static void info_json(const struct pfifo_chip *chip) {
    struct json_writer json = {.file = stdout};

    json_open(&json, NULL, '{');
    json_put_text(&json, "name", chip->name);
    json_put_text(&json, "generation", chip->generation);
    json_put_number(&json, "id", chip->id);
    json_put_number(&json, "boot0", chip->boot0);
    json_put_text(&json, "family", chip->family->name);
    json_put_bool(&json, "runs", chip->family->fifo);
    json_put_number(&json, "channels", chip->channels);
    json_put_number(&json, "pio_channels", chip->pio_channels);
    json_put_number(&json, "cache_entries", chip->cache1_entries);
    json_put_number(&json, "cache_slots", chip->cache1_slots);
    json_put_number(&json, "ramfc_bytes", chip->ramfc_bytes);
    json_put_number(&json, "pbdmas", chip->pbdmas);
    json_put_number(&json, "runlists", chip->runlists);
    json_put_number(&json, "userd_stride", chip->userd_stride);
    json_put_number(&json, "ramin_bytes", chip->ramin_bytes);
    json_put_number(&json, "vram_bytes", chip->vram_bytes);
    json_put_number(&json, "bar1_bytes", chip_bar1_bytes(chip, chip->vram_bytes));
    json_put_number(&json, "host_class", chip->host_class);
    lists_json(&json, chip);
    if (chip->note)
        json_put_text(&json, "note", chip->note);
    json_close_line(&json);
}

enum tool_status cmd_info(int argc, char **argv) {
    struct chip_arguments info = {0};

    command_line_parse_listing(&info_argp, argc, argv, paint_explain, &info);
    if (info.json)
        info_json(info.chip);
    else
        info_text(info.chip);
    return TOOL_OK;
}
