/* SPDX-License-Identifier: MIT */
/*
 * Compiled programs as listings: what a cubin, a fatbin, or words of code say.
 *
 *   ELF (cubin) -----------------------------.
 *   fatbin, ELF of a host that has one --> cubins --> functions --> events --> text | JSON | your own callback
 *   nvdisasm's listing, Mesa's dump, log --> words -----'
 *   bare words ----------------------------------'
 *
 *   static bool look(void *opaque, const struct pfifo_disasm_event *event) {
 *       if (event->kind == PFIFO_DISASM_INSTRUCTION)
 *           printf("%04x %s\n", (unsigned)event->address, event->text);
 *       return true;
 *   }
 *   pfifo_disasm(data, bytes, &(struct pfifo_disasm_options){.name = "vadd.cubin"}, look, NULL, &error);
 *
 * Modelled:     ELF of 32 and 64 bits; members of fatbins as they are, or compressed with LZ4 or Zstandard; sm_20 to sm_62
 * Not modelled: sm_10 to sm_13; sm_70 and later; lines of sources
 *
 * Sources: LLVM BinaryFormat/ELF.h for e_flags; CUDA Binary Utilities for the names; the LZ4 block format.
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_DISASM_H
#define PFIFO_DISASM_H

#include <pfifo/chip.h>
#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

enum pfifo_disasm_kind {
    PFIFO_DISASM_PROGRAM,     /* code of a chip begins: chip, sm, name of the format; offset and size in the file */
    PFIFO_DISASM_SKIPPED,     /* a member of a fatbin that is not listed: name, sm, text says why */
    PFIFO_DISASM_SECTION,     /* of the ELF, in their order: name, index, offset, size */
    PFIFO_DISASM_CONSTANTS,   /* a constant bank that the ELF fills: name of the section, bank, data, size */
    PFIFO_DISASM_FUNCTION,    /* instructions follow: name, offset, size, and what it needs */
    PFIFO_DISASM_CONTROL,     /* a word for the scheduler: address, word, text */
    PFIFO_DISASM_INSTRUCTION, /* address, word, text */
    PFIFO_DISASM_RELOCATION, /* a linker changes the word before: address, name of the symbol, text R_CUDA_...; word is added
                                 to it; offset and size are those of the entry */
};

/* The kind as "event" in the JSON has it: "instruction". NULL if there is no such kind. */
PFIFO_API const char *pfifo_disasm_kind_name(enum pfifo_disasm_kind kind);

/* Something that a file says. Fields that a kind does not have are 0. */
struct pfifo_disasm_event {
    enum pfifo_disasm_kind kind;
    const char *name; /* without control characters, and cut off after 1000 bytes */
    const char *text;
    const struct pfifo_chip *chip;
    unsigned sm; /* 61; 0: not known */
    unsigned index, bank;
    uint64_t address; /* of the word: in its section, or from the base on */
    uint64_t offset;  /* in the file; of a compressed member: in what it is unpacked to */
    uint64_t size;    /* bytes; of an instruction 4 or 8 */
    uint64_t word;
    const void *data; /* size bytes */
    /* What a function needs, if the ELF says it. */
    unsigned registers;                       /* of a thread */
    unsigned barriers;                        /* named ones */
    uint64_t shared_bytes, local_bytes;       /* of a block; of a thread */
    uint32_t parameters_at, parameters_bytes; /* in constant bank 0 */
    bool is_kernel;                           /* can be launched */
    bool has_sections;                        /* it is one of an ELF */
};

/* The event is valid during the call. False: no more, which is no error. */
typedef bool (*pfifo_disasm_sink)(void *opaque, const struct pfifo_disasm_event *event);

/* How a file is read. Fields that are 0 take defaults. */
struct pfifo_disasm_options {
    size_t size;                   /* sizeof(struct pfifo_disasm_options), see struct pfifo_config; 0 is the same */
    const struct pfifo_chip *chip; /* words need it; an ELF, too, if it is to be read as one of this chip */
    const char *name;              /* of the file, for messages; NULL: "program" */
    uint64_t base;                 /* address of the first word, if there is no ELF: a multiple of 8 */
    bool raw;                      /* bare words, whatever they look like */
};

/* Is it an ELF for a GPU, a fatbin, or a host's ELF that has fatbins? Texts and bare words are not recognised. */
PFIFO_API bool pfifo_disasm_recognise(const void *data, size_t bytes);

/*
 * Pass all that the bytes say to `sink`. PFIFO_ERROR_FORMAT: they cannot be read, or have no code;
 * PFIFO_ERROR_UNSUPPORTED: no decoder for this sm; PFIFO_ERROR_ARGUMENT: words without a chip, a chip without a
 * decoder; PFIFO_ERROR_MEMORY. What was found before has been passed.
 */
PFIFO_API enum pfifo_status pfifo_disasm(const void *data, size_t bytes, const struct pfifo_disasm_options *options,
                                         pfifo_disasm_sink sink, void *opaque, struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
