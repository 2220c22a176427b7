/* SPDX-License-Identifier: MIT */
#include "face/common/text.h"

#include "decode/json_value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void text_json_string(FILE *file, const char *text) {
    char room[JSON_ESCAPE];

    fputc('"', file);
    for (;; text++) {
        size_t plain = json_plain(text);

        fwrite(text, 1, plain, file);
        text += plain;
        if (!*text)
            break;
        fputs(json_escape(text, room), file);
    }
    fputc('"', file);
}

bool text_to_number(const char *text, uint64_t *number) {
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hexadecimal ? text + 2 : text;
    size_t length = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");

    errno = 0;
    *number = strtoull(digits, NULL, hexadecimal ? 16 : 10);
    return length && !digits[length] && !errno;
}
