/* SPDX-License-Identifier: MIT */
#include "stream/codec.h"

#include <string.h>

#ifdef STREAM_HAS_XZ
#define CODEC_XZ &codec_xz
#else
#define CODEC_XZ NULL
#endif
#ifdef STREAM_HAS_ZSTD
#define CODEC_ZSTD &codec_zstd
#else
#define CODEC_ZSTD NULL
#endif
#ifdef STREAM_HAS_GZIP
#define CODEC_GZIP &codec_gzip
#else
#define CODEC_GZIP NULL
#endif

static const struct codec codecs[] = {
    {PFIFO_STREAM_XZ, "xz", {0xfd, '7', 'z', 'X', 'Z', 0}, 6, CODEC_XZ},
    {PFIFO_STREAM_ZSTD, "zstd", {0x28, 0xb5, 0x2f, 0xfd}, 4, CODEC_ZSTD},
    {PFIFO_STREAM_GZIP, "gzip", {0x1f, 0x8b, 8}, 3, CODEC_GZIP},
};

#define CODEC_COUNT (sizeof(codecs) / sizeof(codecs[0]))

const struct codec *codec_of(enum pfifo_stream_packing packing) {
    for (size_t i = 0; i < CODEC_COUNT; i++)
        if (codecs[i].packing == packing)
            return &codecs[i];
    return NULL;
}

const struct codec *codec_find(const uint8_t *data, size_t bytes) {
    for (size_t i = 0; i < CODEC_COUNT; i++)
        if (bytes >= codecs[i].magic_bytes && memcmp(data, codecs[i].magic, codecs[i].magic_bytes) == 0)
            return &codecs[i];
    return NULL;
}
