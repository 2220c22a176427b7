/* SPDX-License-Identifier: MIT */
/*
 * Fatbins: programs for several GPUs in one file. Their cubins are listed.
 *
 *   header   magic, version 1, bytes of the header (16), bytes of all members
 *   member   kind (1 PTX, 2 ELF), version, bytes of its header, of its data, of what is compressed in it, sm, flags
 *   member ...
 *
 * Source: what cuobjdump and public readers of the format (cuda-fatbin-decompression, fatbinary) agree on.
 */
#include "cubin/disasm.h"
#include "cubin/lz4.h"
#include "cubin/zstd.h"

#include <stdlib.h>

enum { HEADER = 16, MEMBER = 64, KIND_PTX = 1, KIND_ELF = 2, MOST_UNPACKED = 1 << 28 };
enum { COMPRESSED_LZ4 = 0x2000, COMPRESSED_ZSTD = 0x8000 };

struct member {
    unsigned kind, sm;
    uint64_t offset; /* of the data, in the fatbin */
    uint64_t bytes, compressed, unpacked, flags;
};

bool fatbin_is(const uint8_t *data, size_t bytes) {
    return bytes >= HEADER && elf_number(data, 4) == 0xba55ed50;
}

static void say_skipped(struct disasm *disasm, const struct member *member, uint64_t offset, const char *why) {
    const struct pfifo_disasm_event event = {.kind = PFIFO_DISASM_SKIPPED,
                                             .name = member->kind == KIND_PTX   ? "PTX"
                                                     : member->kind == KIND_ELF ? "ELF"
                                                                                : "member",
                                             .text = why,
                                             .sm = member->sm,
                                             .offset = offset,
                                             .size = member->bytes};
    disasm_say(disasm, &event);
}

static enum pfifo_status list_elf(struct disasm *disasm, const struct member *member, const uint8_t *data, size_t bytes,
                                  uint64_t offset) {
    struct elf elf;
    if (!elf_is(data, bytes)) {
        say_skipped(disasm, member, offset, "it is no ELF");
        return PFIFO_OK;
    }
    enum pfifo_status status = elf_open(&elf, data, bytes, disasm->name, disasm->error);
    if (status != PFIFO_OK)
        return status;
    if (elf.machine != ELF_MACHINE_CUDA || !disasm_chip_of(elf_sm(&elf))) {
        say_skipped(disasm, member, offset, "its instructions have no decoder");
        return PFIFO_OK;
    }
    return disasm_cubin(disasm, &elf, offset);
}

struct packing {
    bool (*unpack)(const uint8_t *data, size_t bytes, uint8_t *out, size_t room);
    const char *malformed; /* why a member is skipped that cannot be unpacked */
};

static const struct packing packing_lz4 = {lz4_unpack, "it cannot be unpacked: its LZ4 data is malformed"};
static const struct packing packing_zstd = {zstd_unpack_whole,
                                            "it cannot be unpacked: its Zstandard data is malformed"};

static enum pfifo_status list_compressed(struct disasm *disasm, const struct member *member, const uint8_t *data,
                                         uint64_t offset, const struct packing *packing) {
    if (member->unpacked > MOST_UNPACKED || member->compressed > member->bytes || !member->unpacked) {
        say_skipped(disasm, member, offset, "its lengths are invalid");
        return PFIFO_OK;
    }
    uint8_t *unpacked = malloc((size_t)member->unpacked);
    if (!unpacked)
        return pfifo_error_set(disasm->error, PFIFO_ERROR_MEMORY, "%.120s: no memory to unpack 0x%llx bytes",
                               disasm->name, (unsigned long long)member->unpacked);
    enum pfifo_status status = PFIFO_OK;
    if (packing->unpack(data, (size_t)member->compressed, unpacked, (size_t)member->unpacked))
        status = list_elf(disasm, member, unpacked, (size_t)member->unpacked, 0);
    else
        say_skipped(disasm, member, offset, packing->malformed);
    free(unpacked);
    return status;
}

static enum pfifo_status list_member(struct disasm *disasm, const struct member *member, const uint8_t *data,
                                     uint64_t offset) {
    if (member->kind != KIND_ELF)
        say_skipped(disasm, member, offset,
                    member->kind == KIND_PTX ? "it is text for a compiler" : "of an unknown kind");
    else if (member->flags & COMPRESSED_ZSTD && !zstd_is_built_in)
        say_skipped(disasm, member, offset, "it is compressed with Zstandard, and this build is without libzstd");
    else if (member->flags & COMPRESSED_ZSTD)
        return list_compressed(disasm, member, data, offset, &packing_zstd);
    else if (member->flags & COMPRESSED_LZ4)
        return list_compressed(disasm, member, data, offset, &packing_lz4);
    else
        return list_elf(disasm, member, data, (size_t)member->bytes, offset);
    return PFIFO_OK;
}

static enum pfifo_status fatbin_cut(const struct disasm *disasm, uint64_t at) {
    return pfifo_error_set(disasm->error, PFIFO_ERROR_FORMAT, "%.120s: 0x%llx: the fatbin ends inside what begins here",
                           disasm->name, (unsigned long long)at);
}

/* The member at `*at`, and step over it. */
static enum pfifo_status read_member(const struct disasm *disasm, const uint8_t *data, size_t bytes, size_t *at,
                                     uint64_t offset, struct member *member) {
    const uint8_t *from = data + *at;
    size_t left = bytes - *at;
    if (left < MEMBER)
        return fatbin_cut(disasm, offset + *at);
    uint64_t header = elf_number(from + 4, 4), length = elf_number(from + 8, 8);
    if (header < MEMBER || header > left || length > left - header)
        return fatbin_cut(disasm, offset + *at);
    *member = (struct member){.kind = (unsigned)elf_number(from, 2),
                              .sm = (unsigned)elf_number(from + 28, 4),
                              .offset = *at + header,
                              .bytes = length,
                              .compressed = elf_number(from + 16, 4),
                              .unpacked = elf_number(from + 56, 8),
                              .flags = elf_number(from + 40, 8)};
    *at += (size_t)(header + length);
    return PFIFO_OK;
}

/* One fatbin, up to the end of its members. */
static enum pfifo_status list_members(struct disasm *disasm, const uint8_t *data, size_t bytes, uint64_t offset) {
    size_t at = 0;
    while (at < bytes && !disasm->stopped) {
        struct member member = {0};
        enum pfifo_status status = read_member(disasm, data, bytes, &at, offset, &member);
        if (status == PFIFO_OK)
            status = list_member(disasm, &member, data + member.offset, offset + member.offset);
        if (status != PFIFO_OK)
            return status;
    }
    return PFIFO_OK;
}

/* Several may follow each other, with zeros between them. */
enum pfifo_status disasm_fatbin(struct disasm *disasm, const uint8_t *data, size_t bytes, uint64_t offset) {
    size_t at = 0;
    while (at < bytes && !disasm->stopped) {
        if (!fatbin_is(data + at, bytes - at)) {
            at += data[at] || bytes - at < 8 ? bytes - at : 8;
            continue;
        }
        uint64_t header = elf_number(data + at + 6, 2), members = elf_number(data + at + 8, 8);
        if (header < HEADER || header > bytes - at || members > bytes - at - header)
            return fatbin_cut(disasm, offset + at);
        at += (size_t)header;
        enum pfifo_status status = list_members(disasm, data + at, (size_t)members, offset + at);
        if (status != PFIFO_OK)
            return status;
        at += (size_t)members;
    }
    return PFIFO_OK;
}
