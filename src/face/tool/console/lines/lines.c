/* SPDX-License-Identifier: MIT */
#include "face/tool/console/lines/lines.h"

enum line line_read(FILE *file, char *line, size_t size) {
    size_t used = 0;
    int c = fgetc(file);

    if (c == EOF)
        return LINE_END;
    for (; c != EOF && c != '\n'; c = fgetc(file)) {
        if (c == 0 || used == size - 1)
            return c == 0 ? LINE_BINARY : LINE_LONG;
        line[used++] = (char)c;
    }
    line[used] = 0;
    return LINE_READ;
}

void line_pass_over(FILE *file) {
    int c;

    do
        c = fgetc(file);
    while (c != EOF && c != '\n');
}

bool line_wrong(enum line kind, size_t size, struct pfifo_error *error) {
    return kind == LINE_LONG ? refuse(error, "the line is longer than %zu bytes", size - 1)
                             : refuse(error, "the line is not text");
}
