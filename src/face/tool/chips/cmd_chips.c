/* SPDX-License-Identifier: MIT */
/*
 * pfifo chips: a line per chip.
 */
#include <pfifo/chip.h>

#include "face/common/json_writer.h"
#include "face/tool/command/command_line.h"
#include "face/tool/tool.h"

#include <inttypes.h>

static const struct argp chips_argp = {
    tool_json_options, tool_parse_json, NULL, "List the chips in the order of their introduction.", NULL, NULL, NULL,
};

/* A dash where the chip has none. */
static void put_count(uint32_t count, int width) {
    if (count)
        printf(" %*" PRIu32, width, count);
    else
        printf(" %*s", width, "-");
}

static void chip_text(const struct pfifo_chip_info *chip) {
    printf("%-7s  %#5" PRIx32 "  %-10s", chip->name, chip->id, chip->generation);
    put_count(chip->channels, 8);
    put_count(chip->cache_entries, 6);
    put_count(chip->pbdmas, 6);
    if (chip->host_class)
        printf("  0x%04" PRIx32, chip->host_class);
    else
        printf("  %6s", "-");
    printf("  %s\n", chip->runs ? "yes" : "no");
}

static void chip_json(const struct pfifo_chip_info *chip) {
    struct json_writer json = {.file = stdout};

    json_open(&json, NULL, '{');
    json_put_text(&json, "name", chip->name);
    json_put_number(&json, "id", chip->id);
    json_put_text(&json, "generation", chip->generation);
    json_put_number(&json, "boot0", chip->boot0);
    json_put_number(&json, "channels", chip->channels);
    json_put_number(&json, "cache_entries", chip->cache_entries);
    json_put_number(&json, "pbdmas", chip->pbdmas);
    json_put_number(&json, "host_class", chip->host_class);
    json_put_number(&json, "vram_bytes", chip->vram_bytes);
    json_put_bool(&json, "runs", chip->runs);
    json_close_line(&json);
}

enum tool_status cmd_chips(int argc, char **argv) {
    bool json = false;

    command_line_parse_listing(&chips_argp, argc, argv, paint_table, &json);
    if (!json)
        puts("chip        id  generation channels  cache pbdmas    host  runs");
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        struct pfifo_chip_info chip = pfifo_chip_info(pfifo_chip_at(i));
        if (json)
            chip_json(&chip);
        else
            chip_text(&chip);
    }
    return TOOL_OK;
}
