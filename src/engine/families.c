/* SPDX-License-Identifier: MIT */
/* What the built-in engines of a generation have in common. */
#include "engine/engines.h"

#include "engine/copy/m2mf.h"
#include "engine/core/register_file.h"
#include "engine/core/predicate.h"
#include "engine/kinds.h"
#include "engine/macro/macro.h"
#include "engine/sync/counters.h"
#include "engine/sync/notify.h"
#include "engine/twod/nv4_state.h"
#include "fifo/fifo.h"

/* The methods that have the DMA object of an access, where PGRAPH shows that. */
static const uint16_t dma_methods[UNIT_USES] = {
    [USE_BUFFER_NOTIFIER] = NOTIFY_DMA, [USE_COPY_IN] = M2MF_DMA_IN, [USE_COPY_OUT] = M2MF_DMA_OUT};

#define IN_COMMON .notifiers = &notify_after_method, .dma_methods = dma_methods

static const struct engine_family families[] = {
    {.chips = "NV1:NV4",
     .words = ENGINE_MAX_WORDS / 2,
     .classes = &classes_nv1,
     .no_method = &notify_no_method_nv1,
     IN_COMMON},
    {.chips = "NV4:G80",
     .words = ENGINE_MAX_WORDS / 2,
     .classes = &classes_nv4,
     .mpeg_binds_by_driver = true,
     .shared = {&nv4_state_shared, &counters_shared},
     .leave = nv4_state_leave,
     IN_COMMON},
    {.chips = "G80:GF100",
     .words = ENGINE_MAX_WORDS / 2,
     .classes = &classes_nv4,
     .shared = {&nv4_state_shared, &counters_shared},
     .leave = nv4_state_leave,
     IN_COMMON},
    {.chips = "GF100:GK104",
     .words = ENGINE_MAX_WORDS,
     .classes = &classes_gf100,
     .software_class = 0x6e,
     .leaves_to_kernel = true,
     .checks_classes = true,
     .shared = {&macro_shared, &counters_shared, &predicate_shared},
     .macros = &macro_processor,
     IN_COMMON},
    {.chips = "GK104-",
     .words = ENGINE_MAX_WORDS,
     .classes = &classes_gf100,
     .software_class = 0x6e,
     .subchannels_have_roles = true,
     .leaves_to_kernel = true,
     .checks_classes = true,
     .shared = {&macro_shared, &counters_shared, &predicate_shared},
     .macros = &macro_processor,
     IN_COMMON},
};

enum pfifo_status engine_install(struct fifo *fifo, struct pfifo_error *error) {
    return engine_install_family(fifo, CHIP_ROW(fifo->chip, families), error);
}
