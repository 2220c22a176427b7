/* SPDX-License-Identifier: MIT */
/*
 * Chips that have every register's name between them, so that a name which none of them has is no register's: tables of
 * all chips are made only for names that are. tests/tool/test_tool_explain.c says which are missing here.
 */
#include "face/tool/explain/explain.h"

bool explain_covers(size_t chip) {
    static const char *const names[] = {"GP102", "NV44", "GF100", "MCP89", "TU102", "NV3",  "NV25",  "NV17", "NV4",
                                        "NV1",   "G84",  "NV34",  "GK104", "G80",   "NV20", "GA100", "GM20B"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (pfifo_chip_by_name(names[i]) == pfifo_chip_at(chip))
            return true;
    return false;
}
