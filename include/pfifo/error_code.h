/* SPDX-License-Identifier: MIT */
/*
 * The errors that the hardware reports, by name and number: what `pfifo run` prints as a fault, and what a kernel's log
 * says in the same words.
 *
 *   DMA_PUSHER  INVALID_CMD   5 in CACHE1_DMA_STATE, NV4:GF100      one number of a field
 *   PBDMA       PBENTRY       bit 18 of PBDMA_INTR_0, GF100-        one bit of a register
 *
 * Constant data: no call allocates, and any thread may call.
 *
 * Library: libpfifo
 */
#ifndef PFIFO_ERROR_CODE_H
#define PFIFO_ERROR_CODE_H

#include <pfifo/chip.h>
#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_error_code {
    const char *unit;   /* who reports it: "PGRAPH", "PBDMA" ... */
    const char *where;  /* the register or field that has the number: "NSOURCE" */
    const char *chips;  /* which chips, in the notation of docs/hacking.md: "NV4:G80", "GF100-" */
    const char *name;   /* "ILLEGAL_MTHD" */
    const char *text;   /* what it means, in a sentence without a full stop; NULL: the sources do not say */
    const char *source; /* where the number is from */
    uint32_t code;      /* the number, or the mask of one bit */
    bool is_bit;
};

/*
 * Error `index` (0 ...), those of a register next to each other. False beyond the last. A name may be there several
 * times: units and generations share names.
 */
PFIFO_API bool pfifo_error_code_at(size_t index, struct pfifo_error_code *out);

/*
 * The error of a fault (struct pfifo_device_fault, pfifo/driver.h) on a chip, by its unit and name. If there are
 * several such units, the number may follow the name: "PCOPY1". False: it is not known.
 */
PFIFO_API bool pfifo_error_code_find(const struct pfifo_chip *chip, const char *unit, const char *name,
                                     struct pfifo_error_code *out);

/* Does the chip have this error? */
PFIFO_API bool pfifo_error_code_on(const struct pfifo_error_code *code, const struct pfifo_chip *chip);

#ifdef __cplusplus
}
#endif

#endif
