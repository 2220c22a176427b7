/* SPDX-License-Identifier: MIT */
#include "face/common/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool text_to_number(const char *text, uint64_t *number) {
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hexadecimal ? text + 2 : text;
    size_t length = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");

    errno = 0;
    *number = strtoull(digits, NULL, hexadecimal ? 16 : 10);
    return length && !digits[length] && !errno;
}
