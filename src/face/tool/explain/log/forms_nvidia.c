/* SPDX-License-Identifier: MIT */
/*
 * Lines of NVIDIA's driver for PCI: what is no Xid stands here, xid.c has the Xids.
 *
 * Sources: NVIDIA open-gpu-kernel-modules src/common/sdk/nvidia/inc/nverror.h, src/nvidia/src/kernel/gpu/{arch,gsp,mmu,rc},
 * src/nvidia/arch/nvalloc/unix/src/osinit.c. The lines of NVIDIA's closed driver are known from logs alone.
 */
#include "face/tool/explain/log/log.h"
#include "face/tool/explain/log/causes.h"
#include "face/tool/explain/log/more.h"

#include <stddef.h>

static const struct log_form nvrm_rows[] = {
    {"Xid (*): ", NULL, NULL, NULL, NULL, NULL, log_more_xid},
    {"Xid #", NULL, NULL, NULL, NULL, NULL, log_more_xid},
    {"*GPU * has fallen off the bus", NULL, "the GPU no longer answers on PCI: every read gives ffffffff",
     "power, heat, the slot or the riser; or the GPU crashed so hard that only a reset helps", NULL, NULL, NULL},
    {"*RmInitAdapter failed! ({x}:{x}:", NULL, "the driver could not start the GPU", NULL, NULL, NULL, NULL},
    {"*Possible bad register read: addr: {v},", NULL, "a register did not answer",
     "the register does not exist on this chip, its unit is off or in reset, or the GPU sleeps", NULL, NULL,
     log_more_mmio},
    {"*MMU Fault: ENGINE ", NULL, "the MMU refused an access", NOT_THERE, NULL, NULL, log_more_nvrm_fault},
    {"*RC watchdog: GPU is probably locked", NULL, "the GPU did not finish its work in time",
     "work of a channel does not end: an endless shader program, or a semaphore that nobody releases", NULL, NULL,
     NULL},
    {"*MMU Fault: inst:{x} dev:", NULL, "the MMU refused an access; the line after it says which", NULL, NULL, NULL,
     NULL},
    {"*Rate limiting GSP RPC error prints", NULL,
     "the GPU's system processor (GSP) does not answer, and most messages of that are left out", NULL, NULL, NULL,
     NULL},
    {"*sanity check failed {x} waiting for RPC response from GSP", NULL,
     "the GPU's system processor (GSP) no longer answers", NULL, NULL, NULL, NULL},
    {"*Channel error likely caused by push ", NULL, "a channel of the driver for managed memory (UVM) has an error",
     "an Xid in a line before it says which", NULL, NULL, NULL},
    {"*Channel error likely caused by GPFIFO control entry, data: {v},", NULL,
     "a channel of the driver for managed memory (UVM) has an error, at an entry of its ring without words",
     "an Xid in a line before it says which", NULL, NULL, NULL},
};

const struct log_forms log_nvrm = {nvrm_rows, sizeof nvrm_rows / sizeof nvrm_rows[0]};
